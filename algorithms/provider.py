"""The group of algorithms that Processing shows as RandCrowns."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any, Callable

from qgis.core import QgsProcessingAlgorithm, QgsProcessingProvider
from qgis.PyQt.QtGui import QIcon

from randcrowns.algorithms.catalogue import ALGORITHMS, RASTER_ENDINGS, Entry, Listed

_ICON = Path(__file__).parent.parent / "resources" / "icons" / "randcrowns.svg"


class RandCrownsProvider(QgsProcessingProvider):
    """Everything the plugin can do without a window.

    Args:
        trouble: has algorithms imported only when one is used, so that QGIS starts without their libraries; says then
            why they cannot be used, or nothing.
        look_after: called with each dialog in which Processing shows one of the algorithms.
    """

    def __init__(
        self,
        trouble: Callable[[], str] | None = None,
        look_after: Callable[[Any], object] | None = None,
    ) -> None:
        super().__init__()
        self._trouble, self._look_after = trouble, look_after

    def id(self) -> str:
        return "randcrowns"

    def name(self) -> str:
        return "RandCrowns"

    def icon(self) -> QIcon:
        return QIcon(str(_ICON))

    def supportedOutputRasterLayerExtensions(self) -> list[str]:  # noqa: N802 - QGIS's name
        """What rasters are written as."""
        return [ending.lstrip(".") for ending in RASTER_ENDINGS]

    def defaultRasterFileExtension(self) -> str:  # noqa: N802 - QGIS's name
        """Of temporary rasters, whatever the user's usual format is."""
        return "tif"

    def loadAlgorithms(self) -> None:  # noqa: N802 - QGIS's name
        for entry in ALGORITHMS:
            later = self._trouble and _Later(entry, self._trouble, self._look_after)
            self.addAlgorithm(later or entry.make())


class _Later(Listed):
    """What the toolbox shows of an algorithm; the algorithm itself is imported and made when it is used."""

    def __init__(
        self,
        entry: Entry,
        trouble: Callable[[], str],
        look_after: Callable[[Any], object] | None = None,
    ) -> None:
        super().__init__()
        self.entry, self._trouble, self._look_after = entry, trouble, look_after

    def createInstance(self) -> QgsProcessingAlgorithm:  # noqa: N802 - QGIS's name
        if self._trouble():
            return _Later(self.entry, self._trouble, self._look_after)
        made = self.entry.make()
        made.look_after = self._look_after
        return made

    def canExecute(self) -> tuple[bool, str]:  # noqa: N802 - QGIS's name
        said = self._trouble()
        return not said, said

    def initAlgorithm(self, configuration: dict[str, Any] | None = None) -> None:  # noqa: N802 - QGIS's name
        """Nothing is declared here: QGIS asks an instance for its parameters, and Python what is below."""

    @cached_property
    def _real(self) -> QgsProcessingAlgorithm:
        return self.create()

    def __getattribute__(self, name: str) -> Any:
        if name in _OF_THE_REAL and not self._trouble():
            return getattr(self._real, name)
        return super().__getattribute__(name)


#: What Python may ask the provider's own copy for, such as ``processing.algorithmHelp``.
_OF_THE_REAL = frozenset(
    {
        *(
            "parameterDefinitions",
            "parameterDefinition",
            "destinationParameterDefinitions",
            "countVisibleParameters",
        ),
        *(
            "outputDefinitions",
            "outputDefinition",
            "hasHtmlOutputs",
            "shortHelpString",
            "choices",
            "outputs",
        ),
        *("run", "runPrepared", "prepare", "checkParameterValues", "asPythonCommand"),
    }
)
