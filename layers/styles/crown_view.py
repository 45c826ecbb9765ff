"""One crown, its match and the areas its score is made of, as geometries to be drawn on a map."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
import shapely
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsFeatureRequest,
    QgsGeometry,
    QgsProject,
    QgsReferencedRectangle,
    QgsVectorLayer,
)

from randcrowns.core.arrays import Floats
from randcrowns.core.scoring.parameters import RandCrownsParameters
from randcrowns.core.scoring.score import target_regions
from randcrowns.layers.crs import WorkingCrs, system_of
from randcrowns.layers.styles.tree import on_map
from randcrowns.layers.vector.geometry import map_shapes
from randcrowns.layers.vector.place import run_extent
from randcrowns.layers.vector.read import LayerRequest, LayerSnapshot, read_crowns


@dataclass(frozen=True)
class CrownView:
    """Geometries in the coordinates of the map."""

    target: QgsGeometry  #: the target crown.
    delineation: QgsGeometry | None  #: its match, or None.
    #: ``a`` covered and surely crown, ``b`` not covered and surely not crown, ``c`` covered but surely not crown, ``d``
    #: not covered but surely crown: the areas of the four terms (Stewart et al. 2021, Eq. 10-13). Without a match, only
    #: ``b`` and ``d``. Empty when there are no parameters.
    regions: dict[str, QgsGeometry] = field(default_factory=dict)


@dataclass(frozen=True)
class CrownViewer:
    """Makes views of the crowns of one run."""

    working: WorkingCrs  #: where the areas are computed.
    parameters: (
        RandCrownsParameters | None
    )  #: what the regions are made with; None shows the outlines only.
    extent: Any = (
        None  #: where the image is, in working coordinates, or None; everything is cut to it.
    )

    @classmethod
    def of(
        cls,
        target_layer: QgsVectorLayer,
        parameters: RandCrownsParameters | None,
        rectangle: QgsReferencedRectangle | None = None,
        extent_layer: QgsVectorLayer | None = None,
    ) -> CrownViewer:
        """The viewer of a run; rectangle and extent layer as the run had them."""
        middle = target_layer.extent().center()
        context = QgsProject.instance().transformContext()
        working = WorkingCrs.for_layer(
            target_layer.name(), system_of(target_layer), (middle.x(), middle.y()), context
        )
        plots = (
            None
            if extent_layer is None
            else read_crowns(LayerRequest(LayerSnapshot.of(extent_layer)), working)
        )
        crs = target_layer.crs() if rectangle is None else rectangle.crs()
        return cls(working, parameters, run_extent(rectangle, crs, plots, working))

    def view(
        self,
        target_layer: QgsVectorLayer,
        target_id: int,
        delineation_layer: QgsVectorLayer | None,
        delineation_id: int | None,
        map_crs: QgsCoordinateReferenceSystem,
    ) -> CrownView | None:
        """The view of a target crown and its match, if any; None when the target is gone or has no outline."""
        target = self._shape(target_layer, target_id)
        if target is None:
            return None
        match = None
        if delineation_layer is not None and delineation_id is not None:
            match = self._shape(delineation_layer, delineation_id)
        if match is not None and self.extent is not None:
            match = shapely.intersection(match, self.extent)
        areas = (
            {}
            if self.parameters is None
            else _term_areas(target, match, self.parameters, self.extent)
        )
        on_map, drawn, *regions = map_shapes(
            [target, match, *areas.values()], self.working, map_crs
        )
        return CrownView(on_map, None if match is None else drawn, dict(zip(areas, regions)))

    def _shape(self, layer: QgsVectorLayer, feature_id: int) -> Any:
        """The outline of a feature in working coordinates; None when it or its outline is gone."""
        one = replace(LayerSnapshot.of(layer), selected=(feature_id,))
        return next(iter(read_crowns(LayerRequest(one), self.working).crowns.geometry), None)


def _term_areas(
    target: Any, match: Any, parameters: RandCrownsParameters, extent: Any
) -> dict[str, Any]:
    regions = target_regions(np.array([target], dtype=object), parameters, extent)
    certain, tolerated, outside = regions.R_a[0], regions.R_o[0], regions.R_b[0]
    if match is None:
        return {"b": outside, "d": certain}
    return {
        "a": shapely.intersection(match, certain),
        "b": shapely.difference(outside, match),
        "c": shapely.difference(match, tolerated),
        "d": shapely.difference(certain, match),
    }


class DrawnLayer(NamedTuple):
    """Outlines in a layer, with the fields that say whose they are and which."""

    layer: QgsVectorLayer
    annotator: str
    number: str


class LeftOutView(NamedTuple):
    """What is drawn on the map (no regions: there is no score), and annotator -> id of what fits best."""

    view: CrownView
    candidates: dict[str, int]


def excluded_view(
    left_out: DrawnLayer,
    feature_id: int,
    others: Sequence[DrawnLayer],
    map_crs: QgsCoordinateReferenceSystem,
) -> LeftOutView | None:
    """The outline of a crown left out, and of each other annotator the outline of the highest IoU with it.

    None when the crown is gone. All layers are in one coordinate system.
    """
    crown = left_out.layer.getFeature(feature_id)
    if not crown.isValid() or crown.geometry().isEmpty():
        return None
    shape = crown.geometry()
    best: dict[str, tuple[float, int, QgsGeometry]] = {}
    for other in others:
        for feature in other.layer.getFeatures(QgsFeatureRequest(shape.boundingBox())):
            name = str(feature[other.annotator])
            if name == crown[left_out.annotator]:
                continue
            shared = shape.intersection(feature.geometry()).area()
            iou = shared / (shape.area() + feature.geometry().area() - shared)
            if iou > 0 and (name not in best or iou > best[name][0]):
                best[name] = iou, int(feature[other.number]), feature.geometry()
    drawn = (
        QgsGeometry.collectGeometry([geometry for _, _, geometry in best.values()])
        if best
        else None
    )
    view = CrownView(
        on_map(shape, left_out.layer, map_crs),
        None if drawn is None else on_map(drawn, left_out.layer, map_crs),
    )
    return LeftOutView(view, {name: number for name, (_, number, _) in sorted(best.items())})


Rings = list[Floats]


def sketch_regions(parameters: RandCrownsParameters) -> dict[str, Rings]:
    """Outlines (metres, (n, 2) each) of a crown of about 6 x 5 m and its regions.

    Returns:
        ``target``; ``a`` surely crown (R_a), ``o`` up to where the crown may reach (R_o), ``e`` outer edge of what is
        surely not crown (R_e). A region that is empty has no outline.
    """
    crown = _sample_crown()
    regions = target_regions(np.array([crown]), parameters)
    return {
        "target": _rings(crown),
        "a": _rings(regions.R_a[0]),
        "o": _rings(regions.R_o[0]),
        "e": _rings(regions.R_e[0]),
    }


def _sample_crown() -> Any:
    angle = np.linspace(0.0, 2.0 * np.pi, 49)[:-1]
    radius = 2.7 + 0.22 * np.cos(3 * angle + 0.6) + 0.12 * np.cos(5 * angle)
    return shapely.Polygon(
        np.column_stack([1.1 * radius * np.cos(angle), 0.92 * radius * np.sin(angle)])
    )


def _rings(geometry: Any) -> Rings:
    parts = shapely.get_parts(geometry)
    parts = parts[~shapely.is_empty(parts)]
    rings = shapely.get_rings(parts)
    return [shapely.get_coordinates(ring) for ring in rings]
