"""Shows a detector and a ground truth on the map; leaves no trace."""

from __future__ import annotations

from qgis.core import QgsExpression, QgsProject, QgsRasterLayer, QgsRectangle, QgsVectorLayer

from randcrowns.layers.styles.tree import extent_on_map
from randcrowns.ui.widgets.colours import DELINEATION, TARGET
from randcrowns.ui.widgets.map_highlight import MapHighlight


class DetectorHighlight(MapHighlight):
    """Outlines a detector's polygons in black and a ground truth in red; a raster lies over the other layers."""

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
        raster = detector if isinstance(detector, QgsRasterLayer) else None
        extent = QgsRectangle() if raster is None else extent_on_map(raster, self.map_crs())
        only = QgsExpression.createFieldEqualityExpression("truth", truth) if truth else "true"
        parts = [
            (self.joined(layer, where, merged=False), colour, alpha, 2)
            for layer, where, colour, alpha in ((truths, only, TARGET, 45), (detector, "true", DELINEATION, 0))
            if isinstance(layer, QgsVectorLayer)
        ]
        if raster is None:
            extent.combineExtentWith(self.draw(*parts))
        else:
            extent.combineExtentWith(self.draw(*parts, veil=0))
            self.show_only([raster, *(layer for layer in self._canvas.layers() if layer.id() != raster.id())])
        if not self._canvas.extent().intersects(extent):
            self.look_at(extent)
        return not extent.isEmpty()
