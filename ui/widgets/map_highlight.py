"""Temporary drawings on the map, navigation to crowns, and the link of tables to selections."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Callable, NamedTuple

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsExpression,
    QgsFeatureRequest,
    QgsGeometry,
    QgsMapLayer,
    QgsProject,
    QgsRectangle,
    QgsVectorLayer,
    QgsWkbTypes,
)
from qgis.gui import QgsMapCanvas, QgsRubberBand
from qgis.PyQt.QtCore import QObject, Qt, QTimer, pyqtSignal
from qgis.PyQt.QtGui import QColor
from qgis.PyQt.QtWidgets import QWidget

from randcrowns.core.errors import InputError
from randcrowns.layers.fields import field_index
from randcrowns.layers.styles import DELINEATION_COLOUR, TARGET_COLOUR
from randcrowns.layers.styles.crown_view import CrownView
from randcrowns.layers.styles.step_back import bring_back
from randcrowns.layers.styles.tree import combined_extent, extent_in_map_crs, transform_to_map
from randcrowns.ui.services.canvas_layers import CanvasLayers
from randcrowns.ui.services.layer_info import vector_layer
from randcrowns.ui.services.layer_watch import Connections, ignore_qt_errors
from randcrowns.ui.services.overlapping_images import show_image_of_crowns
from randcrowns.ui.widgets.colours import REGIONS, VEIL

#: Opacity of the regions' fill, 0 to 255; the image stays visible below.
_FILL_ALPHA = 150
#: Maximum opacity of selected features that a page shows, 0 to 255.
_SELECTION_ALPHA = 70
#: Opacity of the veil over the rest of the map, 0 to 255.
VEIL_ALPHA = 130
#: Distance that the veil extends beyond the drawing, as a multiple of its larger side.
_VEIL_REACH = 20.0
#: Regions in the order in which they are drawn.
_REGION_ORDER = ("b", "a", "d", "c")
#: Time until QGIS has set the layers of an opened project, milliseconds. If the map shows other
#: layers at that moment, QGIS marks the project as changed.
_SETTLING_TIME = 100
#: Second colour of outlines, which makes any colour visible on any image.
_HALO = QColor(255, 255, 255, 150)
#: Maximum number of features that are merged into one geometry; merging more takes too long.
_MAX_MERGED = 20_000


class DrawnShape(NamedTuple):
    """Shape to draw on the map."""

    #: Geometry in map coordinates.
    geometry: QgsGeometry
    #: Colour of the fill and the outline, ``#rrggbb``.
    colour: str
    #: Opacity of the fill, 0 to 255; 0 for no fill.
    alpha: int = 0
    #: Width of the outline in pixels; 0 for none.
    width: int = 2


class MapHighlight:
    """Temporary drawings of a page on a map canvas, in map coordinates.

    Nothing is drawn while the page is hidden, and no layers are added to the project.

    Args:
        canvas: map canvas to draw on.
        page: page that must be visible for drawing; None to draw always.
    """

    def __init__(self, canvas: QgsMapCanvas, page: QWidget | None = None) -> None:
        self._canvas = canvas
        self._page = page
        #: Timer that runs while nothing may be drawn, see :meth:`wait_for_layers`.
        self.settling_timer = QTimer(singleShot=True, interval=_SETTLING_TIME)
        self._bands: list[QgsRubberBand] = []
        #: Colour of selected features before :meth:`soften_selection`; None if it is unchanged.
        self._selection_colour: QColor | None = None
        self._layers = CanvasLayers(canvas)
        #: Function that returns the images that the map shows.
        self.images = self._layers.background_layers

    @property
    def bands(self) -> list[QgsRubberBand]:
        """Rubber bands on the map, from bottom to top."""
        return list(self._bands)

    @property
    def can_draw(self) -> bool:
        """True if drawing is allowed: the page is visible and the project has settled."""
        return not self.settling_timer.isActive() and (self._page is None or self._page.isVisible())

    def wait_for_layers(self) -> None:
        """Draw nothing until QGIS has set the layers of an opened project on the map."""
        if self._page is not None and self._page.isVisible():
            self.settling_timer.start()

    def map_crs(self) -> QgsCoordinateReferenceSystem:
        """Return the coordinate reference system of the map."""
        return self._canvas.mapSettings().destinationCrs()

    def show_crown(
        self,
        target: QgsGeometry | None,
        delineation: QgsGeometry | None,
        regions: dict[str, QgsGeometry],
        hide_layers: bool = True,
        veil: int = VEIL_ALPHA,
        delineation_colour: str = DELINEATION_COLOUR,
    ) -> None:
        """Replace the drawings by a crown: its regions, above them its delineation and its target.

        Args:
            target: outline of the target crown, drawn in red; None for none.
            delineation: outline of the delineation; None for none.
            regions: regions of the score by letter.
            hide_layers: True to hide all layers except images, if the map shows an image.
            veil: opacity of the veil over the rest of the map, 0 to 255, if layers are not hidden.
            delineation_colour: colour of the delineation, ``#rrggbb``.
        """
        self.clear()
        drawn_regions = [name for name in _REGION_ORDER if name in regions]
        shapes = [
            DrawnShape(regions[name], REGIONS[name], _FILL_ALPHA, width=1) for name in drawn_regions
        ]
        if delineation is not None:
            shapes.append(DrawnShape(delineation, delineation_colour))
        if target is not None:
            shapes.append(DrawnShape(target, TARGET_COLOUR))
        if hide_layers and self.images():
            self.draw_on_image(*shapes)
        else:
            self.draw(*shapes, veil=veil)

    def draw_on_image(self, *shapes: DrawnShape) -> QgsRectangle:
        """Draw shapes on the images of the map, with all other layers hidden.

        Args:
            *shapes: shapes from bottom to top.

        Returns:
            The extent of all shapes in map coordinates; empty if nothing was drawn.
        """
        self.show_only(self.images())
        return self.draw(*shapes, veil=0)

    def draw(
        self, *shapes: DrawnShape, veil: int = VEIL_ALPHA, with_hole: bool = False
    ) -> QgsRectangle:
        """Draw shapes in addition to those that are drawn already.

        Args:
            *shapes: shapes from bottom to top. Empty ones are ignored.
            veil: opacity of a veil below the shapes, 0 to 255; 0 for none.
            with_hole: True to leave the surroundings of the shapes free of the veil.

        Returns:
            The extent of all shapes in map coordinates; empty if nothing was drawn.
        """
        drawn_shapes = [shape for shape in shapes if not shape.geometry.isEmpty()]
        if not self.can_draw:
            drawn_shapes = []
        extent = combined_extent(shape.geometry for shape in drawn_shapes)
        if drawn_shapes and veil:
            self._draw_shape(DrawnShape(_veil_around(extent, with_hole), VEIL, veil, width=0))
        for shape in drawn_shapes:
            self._draw_shape(shape)
        return extent

    def combine_features(
        self, layer: QgsVectorLayer, condition: str, dissolve: bool = True
    ) -> QgsGeometry:
        """Return the features that meet a condition as one geometry in map coordinates.

        Args:
            layer: layer with the features.
            condition: condition as a QGIS expression.
            dissolve: True to dissolve the features, False to keep the outline of each. More than
                20 000 features are never dissolved.

        Returns:
            The geometry; empty if no feature meets the condition.

        Raises:
            InputError: If the layer has no field of the expression any more, or cannot be
                transformed to the map's coordinate reference system.
        """
        _check_fields(layer, condition)
        request = QgsFeatureRequest().setFilterExpression(condition).setNoAttributes()
        geometries = [
            feature.geometry() for feature in layer.getFeatures(request) if feature.hasGeometry()
        ]
        if not geometries:
            return QgsGeometry()
        if dissolve and len(geometries) <= _MAX_MERGED:
            geometry = QgsGeometry.unaryUnion(geometries)
        else:
            geometry = QgsGeometry.collectGeometry(geometries)
        return transform_to_map(geometry, layer, self.map_crs())

    def show_view(self, view: CrownView, move: bool = True) -> None:
        """Replace the drawings by a crown.

        Args:
            view: geometries of the crown.
            move: True to bring the crown into view and to flash it, False to leave the map as it
                is.
        """
        self.show_crown(view.target, view.delineation, view.regions, hide_layers=move)
        if move and self.can_draw:
            crown_extent = combined_extent((view.target, view.delineation))
            full_extent = combined_extent((view.target, view.delineation, *view.regions.values()))
            centre_on(self._canvas, crown_extent, full_extent)
            flash_geometry(self._canvas, view.target)

    def clear(self) -> None:
        """Remove all drawings and show the hidden layers again."""
        removed_bands = self._bands
        self._bands = []
        for band in removed_bands:
            ignore_qt_errors(self._remove_band, band)
        self._layers.restore()
        if self._selection_colour is not None:
            # An opened project has set its own colour.
            if self._canvas.selectionColor() == _soften(self._selection_colour):
                self._canvas.setSelectionColor(self._selection_colour)
            self._selection_colour = None

    def soften_selection(self) -> None:
        """Make the fill of selected features so light that the image shows, until :meth:`clear`."""
        colour = self._canvas.selectionColor()
        if self._selection_colour is None and colour != _soften(colour):
            self._selection_colour = colour
            self._canvas.setSelectionColor(_soften(colour))

    def show_only(self, layers: Iterable[QgsMapLayer]) -> None:
        """Hide all other layers until :meth:`clear`; see :meth:`CanvasLayers.show_only`."""
        if self.can_draw:
            self._layers.show_only(layers)

    def _remove_band(self, band: QgsRubberBand) -> None:
        """Remove a rubber band from the canvas."""
        band.reset(QgsWkbTypes.GeometryType.PolygonGeometry)
        scene: Any = self._canvas.scene()
        scene.removeItem(band)

    def _draw_shape(self, shape: DrawnShape) -> None:
        """Add a rubber band for a shape; an outline without fill gets a halo."""
        band = QgsRubberBand(self._canvas, QgsWkbTypes.GeometryType.PolygonGeometry)
        band.setToGeometry(shape.geometry, None)
        fill_colour = QColor(shape.colour)
        fill_colour.setAlpha(shape.alpha)
        band.setFillColor(fill_colour)
        band.setStrokeColor(QColor(shape.colour))
        band.setWidth(shape.width)
        if shape.width > 1 and not shape.alpha:
            band.setSecondaryStrokeColor(_HALO)
        if not shape.width:
            band.setLineStyle(Qt.PenStyle.NoPen)
        self._bands.append(band)


def _soften(colour: QColor) -> QColor:
    """Return a colour with the opacity of a softened selection."""
    softened = QColor(colour)
    softened.setAlpha(min(colour.alpha(), _SELECTION_ALPHA))
    return softened


def _check_fields(layer: QgsVectorLayer, condition: str) -> None:
    """Raise InputError if a layer lacks a field of a condition, a QGIS expression."""
    field_names = QgsExpression(condition).referencedColumns()
    missing_fields = [name for name in field_names if field_index(layer.fields(), name) < 0]
    if missing_fields:
        raise InputError(
            "results.no_field",
            "Layer '{layer}' has no field '{missing}' any more; run again.",
            layer=layer.name(),
            missing=min(missing_fields),
        )


def _veil_around(extent: QgsRectangle, with_hole: bool) -> QgsGeometry:
    """Return a rectangle far around an extent, with or without a hole at the extent."""
    reach = _VEIL_REACH * max(extent.width(), extent.height())
    veil = QgsGeometry.fromRect(extent.buffered(reach))
    if not with_hole:
        return veil
    hole = QgsRectangle(extent)
    hole.scale(_MARGIN_FACTOR)
    return veil.difference(QgsGeometry.fromRect(hole))


#: Share of the map's width or height that a crown takes after the map was moved to it.
_CROWN_SHARE = 0.4
#: Smallest and largest share at which the scale of the map is kept.
_KEPT_SHARES = (0.25, 0.6)
#: Factor by which an extent is enlarged to leave a margin around it.
_MARGIN_FACTOR = 1.3
#: Factor from the minimum share of the map's area to the minimum share of its width and height.
_SIDE_FACTOR = 0.5
#: First and last colour of a flash.
_FLASH_COLOURS = (QColor(255, 255, 255, 220), QColor(255, 255, 255, 0))


def zoom_to(
    canvas: QgsMapCanvas, extent: QgsRectangle, margin_factor: float = _MARGIN_FACTOR
) -> None:
    """Move the map to an extent.

    Args:
        canvas: map canvas.
        extent: extent in map coordinates; an empty extent leaves the map as it is.
        margin_factor: factor by which the extent is enlarged, 1 for no margin.
    """
    if extent.isEmpty():
        return
    enlarged = QgsRectangle(extent)
    enlarged.scale(margin_factor)
    canvas.setExtent(enlarged)
    canvas.refresh()


def centre_on(
    canvas: QgsMapCanvas, extent: QgsRectangle, around: QgsRectangle | None = None
) -> None:
    """Move the map so that a crown is in the centre and large enough to be judged.

    The scale of the map is kept if the crown takes 25 % to 60 % of the map's width or height and
    the surroundings are visible at this scale.

    Args:
        canvas: map canvas.
        extent: extent of the crown in map coordinates; an empty one leaves the map as it is.
        around: extent that must be visible as well; None for that of the crown.
    """
    if extent.isEmpty():
        return
    surroundings = QgsRectangle(extent if around is None else around)
    surroundings.scale(_MARGIN_FACTOR)
    if _can_keep_scale(canvas.extent(), extent, surroundings):
        canvas.setCenter(extent.center())
        canvas.refresh()
    else:
        new_extent = QgsRectangle(extent)
        new_extent.scale(1 / _CROWN_SHARE)
        new_extent.combineExtentWith(surroundings)
        zoom_to(canvas, new_extent, margin_factor=1.0)


def _can_keep_scale(
    map_extent: QgsRectangle, crown_extent: QgsRectangle, surroundings: QgsRectangle
) -> bool:
    """Return True if a map shows a crown in its centre well without another scale.

    Args:
        map_extent: Extent of the map.
        crown_extent: Extent of the crown.
        surroundings: Extent around the crown that must be visible as well.
    """
    if map_extent.isEmpty():
        return False
    width_share = crown_extent.width() / map_extent.width()
    height_share = crown_extent.height() / map_extent.height()
    smallest_share, largest_share = _KEPT_SHARES
    centred_extent = QgsRectangle(map_extent)
    centred_extent.scale(1.0, crown_extent.center())
    has_good_size = smallest_share <= max(width_share, height_share) <= largest_share
    return has_good_size and bool(centred_extent.contains(surroundings))


def zoom_to_layers(
    canvas: QgsMapCanvas,
    layers: Iterable[QgsMapLayer],
    min_share: float = 0.0,
    images: Iterable[QgsMapLayer] = (),
) -> None:
    """Move the map to layers, unless it shows enough of them already.

    Args:
        canvas: map canvas.
        layers: layers to show; those without geometry are ignored.
        min_share: minimum share of the smaller one of the map's extent and the layers' extent that
            both have in common, 0 to 1. The layers' extent must also take half this share of the
            map's width or height.
        images: images to show instead of the whole layers, if the layers lie on them.

    Raises:
        InputError: If a layer cannot be transformed to the map's coordinate reference system.
    """
    map_crs = canvas.mapSettings().destinationCrs()
    extent = _combined_layer_extent(layers, map_crs)
    image_extent = _combined_layer_extent(images, map_crs)
    if image_extent.intersects(extent):
        extent = image_extent
    if extent.isNull():
        return
    map_extent = canvas.extent()
    common_area = map_extent.intersect(extent).area()
    is_mostly_outside = common_area < min_share * min(map_extent.area(), extent.area())
    min_side_share = _SIDE_FACTOR * min_share
    is_too_small = (
        extent.width() < min_side_share * map_extent.width()
        and extent.height() < min_side_share * map_extent.height()
    )
    if is_mostly_outside or is_too_small or not map_extent.intersects(extent):
        zoom_to(canvas, extent)


def _combined_layer_extent(
    layers: Iterable[QgsMapLayer], map_crs: QgsCoordinateReferenceSystem
) -> QgsRectangle:
    """Return the bounding box of layers in a CRS; null if none has a geometry."""
    extent = QgsRectangle()
    for layer in layers:
        layer_extent = extent_in_map_crs(layer, map_crs) if layer.isSpatial() else QgsRectangle()
        if not layer_extent.isNull():
            extent.combineExtentWith(layer_extent)
    return extent


def flash_geometry(canvas: QgsMapCanvas, geometry: QgsGeometry) -> None:
    """Flash a geometry in map coordinates twice."""
    map_crs = canvas.mapSettings().destinationCrs()
    canvas.flashGeometries([geometry], map_crs, *_FLASH_COLOURS, flashes=2, duration=250)


class MapLink(QObject):
    """Two-way link between the tables of a page and layers on the map.

    A row of a table shows its crown on the map; a selection in a layer selects rows of a table.

    Args:
        canvas: map canvas.
        page: page with the tables, also the parent in Qt.
    """

    #: Emitted when features are selected in a layer, with the name of a table, the name of its
    #: column, and the values of the column that belong to the selected features.
    selected_on_map = pyqtSignal(str, str, list)

    def __init__(self, canvas: QgsMapCanvas, page: QWidget | None = None) -> None:
        super().__init__(page)
        self.canvas = canvas
        #: Drawings of the page.
        self.highlight = MapHighlight(canvas, page)
        self._selection = Connections()

    def follow_selection(
        self,
        layer_id: str,
        table: str,
        column: str,
        values: Callable[[QgsVectorLayer], list[int]] = QgsVectorLayer.selectedFeatureIds,
    ) -> None:
        """Emit :attr:`selected_on_map` when the selection of a layer changes.

        Nothing is emitted while the page is hidden. An unknown layer is ignored.

        Args:
            layer_id: id of the layer.
            table: name of the table to emit.
            column: name of the column to emit.
            values: function that returns the values of the column for the selected features.
        """
        layer = vector_layer(layer_id)
        if layer is None:
            return

        def emit_selection(*_: object) -> None:
            """Emit the selected values unless drawing is switched off."""
            if self.highlight.can_draw:
                self.selected_on_map.emit(table, column, list(values(layer)))

        self._selection.connect(layer, "selectionChanged", emit_selection)

    def select(self, layer_id: str, ids: list[int]) -> str:
        """Select features of a layer and move the map to them; ignore an unknown layer.

        Of several images in pixels, the map shows the one with the largest number of the features.
        Selecting the same features again shows their next image.

        Args:
            layer_id: id of the layer.
            ids: ids of the features.

        Returns:
            A sentence about the features on images that the map does not show; "" if there are
            none.
        """
        layer = vector_layer(layer_id)
        if layer is None:
            return ""
        is_repeated = set(layer.selectedFeatureIds()) == set(ids)
        layer.selectByIds(ids)
        if not ids:
            return ""
        # The selection of a layer that has stepped back would be invisible.
        bring_back(QgsProject.instance(), (layer_id,))
        shown_crowns = show_image_of_crowns(layer, ids, is_repeated)
        self.highlight.soften_selection()
        self.canvas.zoomToFeatureIds(layer, shown_crowns.ids)
        return shown_crowns.sentence

    def close(self) -> None:
        """Remove all drawings and stop following selections."""
        self.highlight.clear()
        self._selection.close()
