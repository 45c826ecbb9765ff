"""Which layers the map shows while something is drawn on it that they would hide."""

from __future__ import annotations

from collections.abc import Iterable

from qgis.core import QgsMapLayer, QgsProject, QgsVectorLayer
from qgis.gui import QgsMapCanvas

from randcrowns.layers.vector.write import RESULT_PROPERTY
from randcrowns.ui.services.layer_watch import Connections


class MapLayers:
    """The layers of one map; :meth:`restore` has it show those again that are switched on."""

    def __init__(self, canvas: QgsMapCanvas) -> None:
        self._canvas = canvas
        self._connections = Connections()
        #: Ids of the layers that the map would show, and of those it shows now.
        self._switched_on: list[str] = []
        self._laid: list[str] = []

    def images(self) -> list[QgsMapLayer]:
        """What the map shows that was drawn on: its layers that are no polygons and that no run of ours made."""
        layers = self._canvas.layers()
        return [
            one
            for one in layers
            if not (isinstance(one, QgsVectorLayer) or one.customProperty(RESULT_PROPERTY))
        ]

    def show_only(self, layers: Iterable[QgsMapLayer]) -> None:
        """Show these, those that are edited, and such as are switched on from now on; no others."""
        self.restore()
        self._switched_on, shown = self._shown(), self._canvas.layers()
        edited = [one for one in shown if isinstance(one, QgsVectorLayer) and one.isEditable()]
        self._lay(dict.fromkeys(one.id() for one in (*edited, *layers)))
        self._connections.connect(self._canvas, "layersChanged", self._follow)

    def restore(self) -> None:
        """Show what is switched on."""
        self._connections.close()
        if self._switched_on and self._shown() == self._laid:
            self._lay(self._switched_on)
        self._switched_on = []

    def _follow(self) -> None:
        """QGIS lays all that is switched on as soon as a layer comes, goes, or is switched."""
        shown, before, laid = self._shown(), self._switched_on, self._laid
        if shown != laid:
            self._switched_on = shown
            new = [one for one in shown if one not in before and one not in laid]
            self._lay([*new, *(one for one in laid if one in shown or one not in before)])

    def _shown(self) -> list[str]:
        return [layer.id() for layer in self._canvas.layers()]

    def _lay(self, ids: Iterable[str]) -> None:
        """Show these; QGIS takes that for a change of the project, and would ask to save it."""
        found = [layer for layer in map(QgsProject.instance().mapLayer, ids) if layer is not None]
        self._laid = [layer.id() for layer in found]
        with QgsProject.blockDirtying(QgsProject.instance()):
            self._canvas.setLayers(found)
