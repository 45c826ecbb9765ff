"""Shows two annotators and their differences on the map, or one place where annotators differ; leaves no trace."""

from __future__ import annotations

from qgis.core import (
    QgsExpression,
    QgsFeatureRequest,
    QgsGeometry,
    QgsRectangle,
    QgsVectorLayer,
)

from randcrowns.core.errors import InputError
from randcrowns.layers.styles.tree import on_map
from randcrowns.ui.services.layer_facts import vector_layer
from randcrowns.ui.widgets.colours import MISSED, SHARED, VEIL
from randcrowns.ui.widgets.map_highlight import MapHighlight

_PLACE = "#d55e00"
_ROOM = 1.3
_VEIL_REACH = 3.0
#: More faces than these are drawn as they are: joining them would keep the user waiting.
_MOST_JOINED = 20_000


class AnnotatorHighlight(MapHighlight):
    """Draws faces of the result layers; which ones is read from their field ``votes`` (1 or 0 per annotator).

    What draws raises :class:`InputError` if a field is gone or the map's coordinate system has no place for a layer.
    """

    def show_pair(self, layer_id: str, first: int, second: int, colours: tuple[str, str]) -> bool:
        """Only what these two marked: grey where both did, their colours where only one did. False if nothing is."""
        self.clear()
        layer = vector_layer(layer_id)
        if layer is None:
            return False
        one, other = f'substr("votes", {first + 1}, 1)', f'substr("votes", {second + 1}, 1)'
        parts = [
            (self._together(layer, f"{one} = '1' and {other} = '1'"), SHARED),
            (self._together(layer, f"{one} = '1' and {other} = '0'"), colours[0]),
            (self._together(layer, f"{one} = '0' and {other} = '1'"), colours[1]),
        ]
        return self._show_only(parts)

    def show_against_consensus(self, layer_id: str, annotator: int, colour: str, of_others: bool) -> bool:
        """One annotator against what half of all (or of the others) marked; False if neither marked anything.

        Grey where both did, the annotator's colour where only they did, yellow where they missed the consensus.
        """
        self.clear()
        layer = vector_layer(layer_id)
        if layer is None:
            return False
        own = f"""(substr("votes", {annotator + 1}, 1) = '1')"""
        consensus = '("n_yes" > 0 and 2 * "n_yes" >= "n_yes" + "n_no")'
        if of_others:
            without = f'("n_yes" - {own})'
            consensus = f'({without} > 0 and 2 * {without} >= "n_yes" + "n_no" - 1)'
        parts = [
            (self._together(layer, f"{own} and {consensus}"), SHARED),
            (self._together(layer, f"{own} and not {consensus}"), colour),
            (self._together(layer, f"not {own} and {consensus}"), MISSED),
        ]
        return self._show_only(parts)

    def _show_only(self, parts: list[tuple[QgsGeometry, str]]) -> bool:
        """Draw these in their colours over a veil that hides everything else; False if there is nothing to draw."""
        drawn = [part for part in parts if not part[0].isEmpty()]
        if not drawn:
            return False
        extent = QgsRectangle()
        for geometry, _ in drawn:
            extent.combineExtentWith(geometry.boundingBox())
        self._veil(extent)
        for geometry, colour in drawn:
            self._draw(geometry, colour, alpha=255, width=1)
        self._look_at(extent)
        return True

    def show_place(self, layer_id: str, rank: int) -> bool:
        """The place of that rank in the layer of disagreements; False when it is gone."""
        self.clear()
        layer = vector_layer(layer_id)
        if layer is None:
            return False
        place = self._together(layer, f'"rank" = {rank}')
        if place.isEmpty():
            return False
        self._draw(place, _PLACE, alpha=90, width=3)
        extent = place.boundingBox()
        extent.grow(max(extent.width(), extent.height(), 1e-9) / 2)
        self._look_at(extent)
        self._canvas.flashGeometries([place], self._canvas.mapSettings().destinationCrs(), flashes=2, duration=250)
        return True

    def _together(self, layer: QgsVectorLayer, where: str) -> QgsGeometry:
        """The features for which it holds as one geometry in the map's coordinates."""
        asked = QgsExpression(where)
        missing = sorted(name for name in asked.referencedColumns() if layer.fields().lookupField(name) < 0)
        if missing:
            raise InputError(f"Layer '{layer.name()}' has no field '{missing[0]}' any more; run again.")
        request = QgsFeatureRequest().setFilterExpression(where).setNoAttributes()
        parts = [feature.geometry() for feature in layer.getFeatures(request)]
        if not parts:
            return QgsGeometry()
        joined = QgsGeometry.unaryUnion(parts) if len(parts) <= _MOST_JOINED else QgsGeometry.collectGeometry(parts)
        return on_map(joined, layer, self._canvas.mapSettings().destinationCrs())

    def _veil(self, extent: QgsRectangle) -> None:
        around = QgsRectangle(extent)
        around.grow(_VEIL_REACH * max(extent.width(), extent.height()))
        self._draw(QgsGeometry.fromRect(around), VEIL, alpha=255, width=0)

    def _look_at(self, extent: QgsRectangle) -> None:
        wanted = QgsRectangle(extent)
        wanted.scale(_ROOM)
        self._canvas.setExtent(wanted)
        self._canvas.refresh()
