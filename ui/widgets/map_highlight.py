"""What the tables of a page and the map have to do with one another: crowns that are drawn, and that are selected."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Callable

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsExpression,
    QgsFeatureRequest,
    QgsGeometry,
    QgsMapLayer,
    QgsRectangle,
    QgsVectorLayer,
    QgsWkbTypes,
)
from qgis.gui import QgsMapCanvas, QgsRubberBand
from qgis.PyQt.QtCore import QObject, Qt, QTimer, pyqtSignal
from qgis.PyQt.QtGui import QColor
from qgis.PyQt.QtWidgets import QWidget

from randcrowns.core.errors import InputError
from randcrowns.layers.styles import DELINEATION, TARGET
from randcrowns.layers.styles.crown_view import CrownView
from randcrowns.layers.styles.tree import extent_of, extent_on_map, on_map
from randcrowns.ui.services.layer_facts import vector_layer
from randcrowns.ui.services.layer_watch import Connections, safely
from randcrowns.ui.services.map_layers import MapLayers
from randcrowns.ui.widgets.colours import REGIONS, VEIL

#: Region fills let the image show through; a veil quietens everything else, so far around what is drawn.
_FILL_ALPHA, VEIL_ALPHA, _VEIL_REACH = 150, 130, 20.0
_DRAWN = ("b", "a", "d", "c")
#: Milliseconds after which QGIS has laid a project's layers; where it lays others than there are, the project changes.
_LAID_AFTER = 100
#: Around outlines, which may have any colour, on any image.
_HALO = QColor(255, 255, 255, 150)
#: More features than these are drawn as they are: joining them would keep the user waiting.
_MOST_JOINED = 20_000

#: What is drawn: a geometry, its colour, the alpha of its inside (0 to 255), the width of its line (pixels).
Drawn = tuple[QgsGeometry, str, int, int]


class MapHighlight:
    """The drawings of one ``page`` on one map canvas while it is on show, which leave no trace; in its coordinates."""

    def __init__(self, canvas: QgsMapCanvas, page: QWidget | None = None) -> None:
        self._canvas, self._page = canvas, page
        #: Runs while nothing is drawn, see :meth:`settle`.
        self.settling = QTimer(singleShot=True, interval=_LAID_AFTER)
        self._bands: list[QgsRubberBand] = []
        self._layers = MapLayers(canvas)
        self.images = self._layers.images

    @property
    def bands(self) -> list[QgsRubberBand]:
        """What is drawn now."""
        return list(self._bands)

    @property
    def is_on_show(self) -> bool:
        """Whether the page can be seen whose drawings these are."""
        return not self.settling.isActive() and (self._page is None or self._page.isVisible())

    def settle(self) -> None:
        """Draw nothing until QGIS has laid the layers of a project that is opened on the map."""
        if self._page is not None and self._page.isVisible():
            self.settling.start()

    def map_crs(self) -> QgsCoordinateReferenceSystem:
        """The coordinate system of the map."""
        return self._canvas.mapSettings().destinationCrs()

    def show(
        self,
        target: QgsGeometry | None,
        delineation: QgsGeometry | None,
        regions: dict[str, QgsGeometry],
        alone: bool = True,
        veil: int = VEIL_ALPHA,
    ) -> None:
        """Draw the regions, then the delineation (black) and the target (red) above; ``alone`` on an image, if any.

        Anywhere else the rest of the map lies under a veil of that alpha.
        """
        self.clear()
        fills = [
            (regions[name], REGIONS[name], _FILL_ALPHA, 1) for name in _DRAWN if name in regions
        ]
        outlines = ((delineation, DELINEATION), (target, TARGET))
        parts = (
            *fills,
            *((shape, colour, 0, 2) for shape, colour in outlines if shape is not None),
        )
        if alone and self.images():
            self.draw_on_image(*parts)
        else:
            self.draw(*parts, veil=veil)

    def draw_on_image(self, *parts: Drawn) -> QgsRectangle:
        """:meth:`draw` these on what was drawn on, without other layers."""
        self.show_only(self.images())
        return self.draw(*parts, veil=0)

    def draw(self, *parts: Drawn, veil: int = VEIL_ALPHA, free: bool = False) -> QgsRectangle:
        """Draw these from below to above, over a veil of that alpha on the map (0: none), which leaves them ``free``.

        Returns:
            The extent of all; empty when there is nothing to draw.
        """
        drawn = [part for part in parts if not part[0].isEmpty() and self.is_on_show]
        extent = extent_of(shape for shape, *_ in drawn)
        if drawn and veil:
            around = QgsGeometry.fromRect(
                extent.buffered(_VEIL_REACH * max(extent.width(), extent.height()))
            )
            place = QgsRectangle(extent)
            place.scale(_ROOM)
            self._draw(
                around.difference(QgsGeometry.fromRect(place)) if free else around, VEIL, veil, 0
            )
        for part in drawn:
            self._draw(*part)
        return extent

    def joined(self, layer: QgsVectorLayer, where: str, merged: bool = True) -> QgsGeometry:
        """The features for which it holds as one geometry, each with its own outline unless they are merged.

        Raises:
            InputError: if a field is gone, or the map's coordinate system has no place for the layer.
        """
        asked = QgsExpression(where)
        missing = sorted(
            name for name in asked.referencedColumns() if layer.fields().lookupField(name) < 0
        )
        if missing:
            raise InputError(
                "Layer '{layer}' has no field '{missing}' any more; run again.",
                layer=layer.name(),
                missing=missing[0],
            )
        found = layer.getFeatures(QgsFeatureRequest().setFilterExpression(where).setNoAttributes())
        parts = [feature.geometry() for feature in found if feature.hasGeometry()]
        join = (
            QgsGeometry.unaryUnion
            if merged and len(parts) <= _MOST_JOINED
            else QgsGeometry.collectGeometry
        )
        return on_map(join(parts), layer, self.map_crs()) if parts else QgsGeometry()

    def show_view(self, view: CrownView, move: bool = True) -> None:
        """Draw a crown; bring it into view and flash it unless the map shall stay as it is."""
        self.show(view.target, view.delineation, view.regions, move)
        if move and self.is_on_show:
            around = extent_of((view.target, view.delineation, *view.regions.values()))
            bring_into_view(self._canvas, extent_of((view.target, view.delineation)), around)
            flash(self._canvas, view.target)

    def clear(self) -> None:
        """Take every drawing off the map, which shows its layers again."""
        bands, self._bands = self._bands, []
        for band in bands:
            safely(self._remove, band)
        self._layers.restore()

    def show_only(self, layers: Iterable[QgsMapLayer]) -> None:
        """Show these layers on the map while it is drawn on, see :meth:`MapLayers.show_only`."""
        if self.is_on_show:
            self._layers.show_only(layers)

    def _remove(self, band: QgsRubberBand) -> None:
        band.reset(QgsWkbTypes.GeometryType.PolygonGeometry)
        scene: Any = self._canvas.scene()
        scene.removeItem(band)

    def _draw(self, geometry: QgsGeometry, colour: str, alpha: int, width: int) -> None:
        band = QgsRubberBand(self._canvas, QgsWkbTypes.GeometryType.PolygonGeometry)
        band.setToGeometry(geometry, None)
        inside = QColor(colour)
        inside.setAlpha(alpha)
        band.setFillColor(inside)
        band.setStrokeColor(QColor(colour))
        band.setWidth(width)
        if width > 1 and not alpha:
            band.setSecondaryStrokeColor(_HALO)
        if not width:
            band.setLineStyle(Qt.PenStyle.NoPen)
        self._bands.append(band)


#: Share of the map that a crown takes once it is gone to, and the shares at which the scale is left alone.
_SHARE = 0.4
_FITTING = (0.25, 0.6)
#: Room around what is shown.
_ROOM = 1.3
#: Of the least share that the map shows, how much of its sides that must take.
_TINY = 0.5
_FLASH = (QColor(255, 255, 255, 220), QColor(255, 255, 255, 0))


def look_at(canvas: QgsMapCanvas, extent: QgsRectangle, room: float = _ROOM) -> None:
    """Show the place, with some room around it; an empty one is nowhere."""
    if not extent.isEmpty():
        wanted = QgsRectangle(extent)
        wanted.scale(room)
        canvas.setExtent(wanted)
        canvas.refresh()


def bring_into_view(
    canvas: QgsMapCanvas, extent: QgsRectangle, around: QgsRectangle | None = None
) -> None:
    """Show the place in the middle, at a size at which it can be judged, with all ``around`` it; where the map shows
    it so, the scale stays."""
    if extent.isEmpty():
        return
    shown, room, wanted = (
        canvas.extent(),
        QgsRectangle(extent if around is None else around),
        QgsRectangle(extent),
    )
    room.scale(_ROOM)
    wanted.scale(1 / _SHARE)
    wanted.combineExtentWith(room)
    share = (
        max(extent.width() / shown.width(), extent.height() / shown.height())
        if not shown.isEmpty()
        else 0.0
    )
    shown.scale(1.0, extent.center())
    if _FITTING[0] <= share <= _FITTING[1] and shown.contains(room):
        canvas.setCenter(extent.center())
        canvas.refresh()
    else:
        look_at(canvas, wanted, 1.0)


def go_to_results(canvas: QgsMapCanvas, layers: Iterable[QgsMapLayer], least: float = 0.0) -> None:
    """Show where these layers are if the map shows nothing of them, or too little.

    Args:
        least: share of them, or of the map, that both have in common where the map shows enough.

    Raises:
        InputError: if the map's coordinate system has no place for one of them.
    """
    crs = canvas.mapSettings().destinationCrs()
    found = [extent_on_map(layer, crs) for layer in layers if layer.isSpatial()]
    extent = QgsRectangle()
    for one in found:
        if not one.isNull():
            extent.combineExtentWith(one)
    shown = canvas.extent()
    little = shown.intersect(extent).area() < least * min(shown.area(), extent.area())
    tiny = (
        extent.width() < least * _TINY * shown.width()
        and extent.height() < least * _TINY * shown.height()
    )
    if not extent.isNull() and (little or tiny or not shown.intersects(extent)):
        look_at(canvas, extent)


def flash(canvas: QgsMapCanvas, geometry: QgsGeometry) -> None:
    """Flash a geometry, in the coordinates of the map."""
    canvas.flashGeometries(
        [geometry], canvas.mapSettings().destinationCrs(), *_FLASH, flashes=2, duration=250
    )


class MapLink(QObject):
    """Links tables of a page with layers both ways: a row shows its crown, a selection selects its rows on show."""

    #: A table, a column of it, and what that holds for the features selected.
    selected_on_map = pyqtSignal(str, str, list)

    def __init__(self, canvas: QgsMapCanvas, page: QWidget | None = None) -> None:
        super().__init__(page)
        self.canvas = canvas
        self.highlight = MapHighlight(canvas, page)
        self._selection = Connections()

    def tell_selection(
        self,
        layer_id: str,
        table: str,
        column: str,
        values: Callable[[QgsVectorLayer], list[int]] = QgsVectorLayer.selectedFeatureIds,
    ) -> None:
        """Tell what is selected in a layer, if it is there; ``values`` reads what the column holds for it."""
        layer = vector_layer(layer_id)
        if layer is not None:

            def tell(*_: object) -> None:
                if self.highlight.is_on_show:
                    self.selected_on_map.emit(table, column, list(values(layer)))

            self._selection.connect(layer, "selectionChanged", tell)

    def select(self, layer_id: str, ids: list[int]) -> None:
        """Select these features of a layer, if it is there, and show where they are."""
        layer = vector_layer(layer_id)
        if layer is not None:
            layer.selectByIds(ids)
            if ids:
                self.canvas.zoomToSelected(layer)

    def close(self) -> None:
        """Take the link and every drawing away."""
        self.highlight.clear()
        self._selection.close()
