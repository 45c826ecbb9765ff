"""Shows a detector and a ground truth on the map; leaves no trace."""

from __future__ import annotations

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsFeatureRequest,
    QgsGeometry,
    QgsProject,
    QgsRasterLayer,
    QgsRectangle,
    QgsVectorLayer,
)
from qgis.gui import QgsMapCanvas

from randcrowns.layers.styles.tree import extent_on_map, on_map
from randcrowns.ui.widgets.colours import DELINEATION, TARGET, VEIL
from randcrowns.ui.widgets.map_highlight import MapHighlight

_ROOM = 1.1
_OUTLINE = 2
_FILL_ALPHA = 45
_VEIL_ALPHA, _VEIL_REACH = 130, 10.0


class DetectorHighlight(MapHighlight):
    """Outlines a detector's polygons in black and a ground truth in red; a raster lies over the other layers."""

    def __init__(self, canvas: QgsMapCanvas) -> None:
        super().__init__(canvas)
        self._before: list[str] = []
        self._laid: list[str] = []

    def show_pair(self, detector_id: str, truth_id: str, truth: str) -> bool:
        """Draw both and bring them into view if nothing of them is.

        Args:
            detector_id: a raster or polygon layer; empty for none.
            truth_id: layer of the ground truth; empty for none.
            truth: value of its field ``truth`` to take; empty to take every feature.

        Returns:
            False when nothing of them is there any more.

        Raises:
            InputError: if the map's coordinate system has no place for one of them.
        """
        self.clear()
        project = QgsProject.instance()
        detector, truths = project.mapLayer(detector_id), project.mapLayer(truth_id)
        extent = QgsRectangle()
        if isinstance(detector, QgsRasterLayer):
            extent.combineExtentWith(extent_on_map(detector, self._map_crs()))
            self._lay_over(detector)
        drawn = []
        for layer, only, colour in ((truths, truth, TARGET), (detector, "", DELINEATION)):
            shape = self._outline(layer, only) if isinstance(layer, QgsVectorLayer) else QgsGeometry()
            if not shape.isEmpty():
                drawn.append((shape, colour))
                extent.combineExtentWith(shape.boundingBox())
        if extent.isEmpty():
            return False
        if not isinstance(detector, QgsRasterLayer):
            around = QgsRectangle(extent)
            around.scale(_VEIL_REACH)
            self._draw(QgsGeometry.fromRect(around), VEIL, alpha=_VEIL_ALPHA, width=0)
        for shape, colour in drawn:
            self._draw(shape, colour, alpha=_FILL_ALPHA if colour == TARGET else 0, width=_OUTLINE)
        if not self._canvas.extent().intersects(extent):
            extent.scale(_ROOM)
            self._canvas.setExtent(extent)
        self._canvas.refresh()
        return True

    def clear(self) -> None:
        """Take every drawing off the map, and the raster from above the other layers."""
        super().clear()
        laid, self._laid = self._laid, []
        if laid and [layer.id() for layer in self._canvas.layers()] == laid:
            project = QgsProject.instance()
            before = (project.mapLayer(layer_id) for layer_id in self._before)
            self._canvas.setLayers([layer for layer in before if layer is not None])

    def _lay_over(self, raster: QgsRasterLayer) -> None:
        layers = self._canvas.layers()
        self._before = [layer.id() for layer in layers]
        self._canvas.setLayers([raster, *(layer for layer in layers if layer.id() != raster.id())])
        self._laid = [layer.id() for layer in self._canvas.layers()]

    def _outline(self, layer: QgsVectorLayer, truth: str) -> QgsGeometry:
        """The features as one geometry in the map's coordinates."""
        request = QgsFeatureRequest()
        if truth:
            escaped = truth.replace("'", "''")
            request.setFilterExpression(f"\"truth\" = '{escaped}'")
        parts = [feature.geometry() for feature in layer.getFeatures(request) if feature.hasGeometry()]
        joined = QgsGeometry.collectGeometry(parts) if parts else QgsGeometry()
        return on_map(joined, layer, self._map_crs())

    def _map_crs(self) -> QgsCoordinateReferenceSystem:
        return self._canvas.mapSettings().destinationCrs()
