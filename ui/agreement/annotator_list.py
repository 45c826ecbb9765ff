"""The list of annotators' layers, each in the annotator's colour."""

from __future__ import annotations

from qgis.core import (
    QgsMapLayer,
    QgsProject,
    QgsSimpleFillSymbolLayer,
    QgsSingleSymbolRenderer,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import QSignalBlocker, Qt

from randcrowns.layers.vector.names import unique_names
from randcrowns.layers.words import tr
from randcrowns.ui.services.layer_facts import LayerCheck, polygon_layers
from randcrowns.ui.widgets.colours import annotator_colours, colour_icon, keep_colour
from randcrowns.ui.widgets.layer_checklist import LayerChecklist

_NO_COLOUR = "#00000000"


class AnnotatorList(LayerChecklist):
    """Each layer checked beside its annotator's colour."""

    def __init__(self, check: LayerCheck) -> None:
        self._names: dict[str, str] = {}
        what_for = tr("Check it to compare it with the others.")
        super().__init__(check, None, polygon_layers, what_for, polygons=True)

    def refresh(self) -> None:
        super().refresh()
        self._show_colours()

    def _check_items(self, layer_ids: tuple[str, ...]) -> None:
        super()._check_items(layer_ids)
        self._show_colours()

    def _tell(self, *_: object) -> None:
        self._show_colours()
        super()._tell()

    def _show_colours(self) -> None:
        """As a run will name and colour them: of two layers of one name the second is another annotator."""
        layers = [layer for layer in map(QgsProject.instance().mapLayer, self.checked_ids()) if layer is not None]
        ids = [layer.id() for layer in layers]
        names = unique_names([layer.name() for layer in layers])
        for layer_id, name in zip(ids, names):
            before = self._names.get(layer_id, name)
            if before not in names:
                keep_colour(before, name)
        self._names.update(zip(ids, names))
        own = {name: _colour_on_map(layer) for name, layer in zip(names, layers)}
        colours = dict(zip(ids, annotator_colours(names, own).values()))
        blocker = QSignalBlocker(self)
        for item, layer_id in zip(self.layer_items(), self._ids()):
            item.setIcon(0, colour_icon(colours.get(layer_id, _NO_COLOUR)))
        del blocker


def _colour_on_map(layer: QgsMapLayer) -> str:
    """The colour in which the layer is drawn, its outline's where it is not filled; empty where there are several."""
    renderer = layer.renderer() if isinstance(layer, QgsVectorLayer) else None
    if not isinstance(renderer, QgsSingleSymbolRenderer):
        return ""
    drawn = renderer.symbol().symbolLayer(0)
    hollow = isinstance(drawn, QgsSimpleFillSymbolLayer) and drawn.brushStyle() == Qt.BrushStyle.NoBrush
    return str((drawn.strokeColor() if hollow else drawn.fillColor()).name())
