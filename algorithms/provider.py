"""Processing provider: the group of algorithms that the toolbox shows as RandCrowns."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any, Callable

from qgis.core import (
    QgsProcessingAlgorithm,
    QgsProcessingContext,
    QgsProcessingException,
    QgsProcessingFeedback,
    QgsProcessingProvider,
)
from qgis.PyQt.QtGui import QIcon

from randcrowns.algorithms.algorithm_catalogue import (
    ALGORITHMS,
    RASTER_ENDINGS,
    AlgorithmEntry,
    CatalogueAlgorithm,
)
from randcrowns.layers.localization import tr

_ICON = Path(__file__).parent.parent / "resources" / "icons" / "randcrowns.svg"


class RandCrownsProvider(QgsProcessingProvider):
    """Processing provider of all algorithms of the plugin.

    Args:
        library_problem: returns why the required libraries cannot be imported, or "" if they can.
            With this function the provider imports an algorithm when it is used first, so that QGIS
            starts without loading the libraries. Without it, all algorithms are imported at once.
        on_dialog: called with each Processing dialog that shows one of the algorithms.
    """

    def __init__(
        self,
        library_problem: Callable[[], str] | None = None,
        on_dialog: Callable[[Any], object] | None = None,
    ) -> None:
        super().__init__()
        self._library_problem = library_problem
        self._on_dialog = on_dialog

    def id(self) -> str:
        """Return the id of the provider."""
        return "randcrowns"

    def name(self) -> str:
        """Return the name of the provider."""
        return "RandCrowns"

    def icon(self) -> QIcon:
        """Return the icon of the provider."""
        return QIcon(str(_ICON))

    def supportedOutputRasterLayerExtensions(self) -> list[str]:  # noqa: N802 - QGIS's name
        """Return the file endings of raster outputs, without dots."""
        return [ending.lstrip(".") for ending in RASTER_ENDINGS]

    def defaultRasterFileExtension(self) -> str:  # noqa: N802 - QGIS's name
        """Return the ending of temporary rasters, whatever default the user has set in QGIS."""
        return "tif"

    def loadAlgorithms(self) -> None:  # noqa: N802 - QGIS's name
        """Add all algorithms to the provider."""
        for entry in ALGORITHMS:
            if self._library_problem is None:
                self.addAlgorithm(entry.create_algorithm())
            else:
                self.addAlgorithm(_LazyAlgorithm(entry, self._library_problem, self._on_dialog))


class _LazyAlgorithm(CatalogueAlgorithm):
    """Catalogue entry in the toolbox that imports its algorithm when it is used.

    Args:
        entry: entry of the algorithm in the catalogue.
        library_problem: returns why the required libraries cannot be imported, or "".
        on_dialog: called with each Processing dialog that shows the algorithm.
    """

    def __init__(
        self,
        entry: AlgorithmEntry,
        library_problem: Callable[[], str],
        on_dialog: Callable[[Any], object] | None = None,
    ) -> None:
        super().__init__()
        self.entry = entry
        self._library_problem = library_problem
        self._on_dialog = on_dialog

    def createInstance(self) -> QgsProcessingAlgorithm:  # noqa: N802 - QGIS's name
        """Return a new algorithm, or a placeholder if it cannot be imported."""
        if self._library_problem():
            return _LazyAlgorithm(self.entry, self._library_problem, self._on_dialog)
        try:
            algorithm = self.entry.create_algorithm()
        except Exception as error:  # noqa: BLE001 - QGIS would show only that it has no algorithm
            message = _import_problem(error)
            return _LazyAlgorithm(self.entry, lambda: message, self._on_dialog)
        algorithm.on_dialog = self._on_dialog
        return algorithm

    def canExecute(self) -> tuple[bool, str]:  # noqa: N802 - QGIS's name
        """Return whether the libraries can be imported, and the reason if they cannot."""
        problem = self._library_problem()
        return not problem, problem

    def initAlgorithm(self, configuration: dict[str, Any] | None = None) -> None:  # noqa: N802 - QGIS's name
        """Declare nothing: parameters and outputs are those of the imported algorithm.

        QGIS reads them from a new instance, and Python code through :meth:`__getattribute__`.
        """

    # Only the dialog of QGIS calls canExecute. The following methods are called by processing.run,
    # scripts and models; they are those of this placeholder only if the import fails.

    def checkParameterValues(  # noqa: N802 - QGIS's name
        self, _parameters: dict[str, Any], _context: QgsProcessingContext
    ) -> tuple[bool, str]:
        """Return that no parameters are valid, and why the algorithm cannot be imported."""
        return self.canExecute()

    def prepareAlgorithm(  # noqa: N802 - QGIS's name
        self,
        _parameters: dict[str, Any],
        _context: QgsProcessingContext,
        _feedback: QgsProcessingFeedback,
    ) -> bool:
        """Raise QgsProcessingException that says why the algorithm cannot be imported."""
        raise QgsProcessingException(self._library_problem())

    def processAlgorithm(  # noqa: N802 - QGIS's name
        self,
        _parameters: dict[str, Any],
        _context: QgsProcessingContext,
        _feedback: QgsProcessingFeedback,
    ) -> dict[str, Any]:
        """Raise QgsProcessingException that says why the algorithm cannot be imported."""
        raise QgsProcessingException(self._library_problem())

    @cached_property
    def _imported_algorithm(self) -> QgsProcessingAlgorithm:
        return self.create()

    def __getattribute__(self, name: str) -> Any:
        if name in _FORWARDED and not self._library_problem():
            return getattr(self._imported_algorithm, name)
        return super().__getattribute__(name)


#: Attributes that Python code, such as ``processing.algorithmHelp``, reads from the algorithm that
#: the provider holds. They are forwarded to the imported algorithm.
_FORWARDED = frozenset(
    {
        "parameterDefinitions",
        "parameterDefinition",
        "destinationParameterDefinitions",
        "countVisibleParameters",
        "outputDefinitions",
        "outputDefinition",
        "hasHtmlOutputs",
        "shortHelpString",
        "choices",
        "outputs",
        "run",
        "runPrepared",
        "prepare",
        "checkParameterValues",
        "asPythonCommand",
    }
)


def _import_problem(error: Exception) -> str:
    """Return the sentence for an algorithm that cannot be imported although all libraries can."""
    return tr(
        "RandCrowns cannot be used ({why}). Restart QGIS. If that does not help, install the "
        "plugin again.",
        why=f"{type(error).__name__}: {error}",
    )
