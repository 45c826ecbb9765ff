"""Geometries that explain a crown on the map: its outline, its match, the areas of its score."""

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
from randcrowns.layers.crs import WorkingCrs, layer_crs
from randcrowns.layers.styles.tree import transform_to_map
from randcrowns.layers.vector.geometry import to_map_geometries
from randcrowns.layers.vector.read import LayerRequest, LayerSnapshot, read_crowns
from randcrowns.layers.vector.study_site import build_extent

#: Coordinate arrays of rings, (n, 2) each; the first point is repeated at the end.
RingList = list[Floats]


@dataclass(frozen=True)
class CrownView:
    """Geometries of one crown, in the CRS of the map."""

    #: Outline of the target crown.
    target: QgsGeometry
    #: Outline of its match, or None.
    delineation: QgsGeometry | None
    #: Areas of the four terms by their letter (Stewart et al. 2021, Eq. 10-13): ``a`` covered and
    #: surely crown, ``b`` not covered and surely not crown, ``c`` covered but surely not crown,
    #: ``d`` not covered but surely crown. Only ``b`` and ``d`` without a match; empty without
    #: parameters.
    regions: dict[str, QgsGeometry] = field(default_factory=dict)


@dataclass(frozen=True)
class CrownViewer:
    """Factory of the crown views of one run."""

    #: CRS in which the areas are computed.
    working: WorkingCrs
    #: Parameters of the regions; None to show outlines only.
    parameters: RandCrownsParameters | None
    #: Polygon of the extent in the working CRS, to which matches and regions are clipped, or None.
    extent: Any = None

    @classmethod
    def for_run(
        cls,
        target_layer: QgsVectorLayer,
        parameters: RandCrownsParameters | None,
        rectangle: QgsReferencedRectangle | None = None,
        extent_layer: QgsVectorLayer | None = None,
    ) -> CrownViewer:
        """Create the viewer of a run.

        Args:
            target_layer: layer with the targets; the working CRS is chosen for its centre.
            parameters: parameters of the regions; None to show outlines only.
            rectangle: rectangle that limits the run, or None.
            extent_layer: polygon layer that limits the run, or None.

        Raises:
            InputError: if a layer cannot be read or has no usable CRS.
        """
        centre = target_layer.extent().center()
        transform_context = QgsProject.instance().transformContext()
        working = WorkingCrs.for_layer(
            target_layer.name(),
            layer_crs(target_layer),
            (centre.x(), centre.y()),
            transform_context,
        )
        extent_polygons = None
        if extent_layer is not None:
            extent_polygons = read_crowns(
                LayerRequest(LayerSnapshot.from_layer(extent_layer)), working
            )
        rectangle_crs = target_layer.crs() if rectangle is None else rectangle.crs()
        extent = build_extent(rectangle, rectangle_crs, extent_polygons, working)
        return cls(working, parameters, extent)

    def create_view(
        self,
        target_layer: QgsVectorLayer,
        target_id: int,
        delineation_layer: QgsVectorLayer | None,
        delineation_id: int | None,
        map_crs: QgsCoordinateReferenceSystem,
    ) -> CrownView | None:
        """Create the view of a target crown and its match.

        Args:
            target_layer: layer with the target.
            target_id: feature id of the target.
            delineation_layer: layer with the match, or None.
            delineation_id: feature id of the match; None if the target is unmatched.
            map_crs: CRS of the geometries in the view.

        Returns:
            The view; None if the target was deleted or has no outline.

        Raises:
            InputError: if a layer cannot be read.
        """
        target = self._read_outline(target_layer, target_id)
        if target is None:
            return None

        match = None
        if delineation_layer is not None and delineation_id is not None:
            match = self._read_outline(delineation_layer, delineation_id)
        if match is not None and self.extent is not None:
            match = shapely.intersection(match, self.extent)

        term_areas = {}
        if self.parameters is not None:
            term_areas = _compute_term_areas(target, match, self.parameters, self.extent)

        # All shapes are transformed together. Without a match its geometry is null.
        shapes = [target, match, *term_areas.values()]
        target_geometry, match_geometry, *term_geometries = to_map_geometries(
            shapes, self.working, map_crs
        )
        return CrownView(
            target=target_geometry,
            delineation=None if match is None else match_geometry,
            regions=dict(zip(term_areas, term_geometries)),
        )

    def _read_outline(self, layer: QgsVectorLayer, feature_id: int) -> Any:
        """Return the outline of a feature in the working CRS; None if it does not exist."""
        snapshot = replace(LayerSnapshot.from_layer(layer), selected_ids=(feature_id,))
        crowns = read_crowns(LayerRequest(snapshot), self.working).crowns
        return next(iter(crowns.geometry), None)


def _compute_term_areas(
    target: Any, match: Any, parameters: RandCrownsParameters, extent: Any
) -> dict[str, Any]:
    """Return the areas of the four terms as polygons (Stewart et al. 2021, Eq. 10-13).

    Args:
        target: polygon of the target in working coordinates.
        match: polygon of its match, or None.
        parameters: parameters of the regions.
        extent: polygon to which the regions are clipped, or None.

    Returns:
        Polygons by the letter of the term; only ``b`` and ``d`` without a match.
    """
    regions = target_regions(np.array([target], dtype=object), parameters, extent)
    surely_crown = regions.R_a[0]
    possibly_crown = regions.R_o[0]
    surely_not_crown = regions.R_b[0]
    if match is None:
        return {"b": surely_not_crown, "d": surely_crown}
    return {
        "a": shapely.intersection(match, surely_crown),
        "b": shapely.difference(surely_not_crown, match),
        "c": shapely.difference(match, possibly_crown),
        "d": shapely.difference(surely_crown, match),
    }


class OutlineLayer(NamedTuple):
    """A layer of outlines, with the names of the fields that identify them."""

    layer: QgsVectorLayer
    #: Name of the field with the annotator of an outline.
    annotator_field: str
    #: Name of the field with the whole-number id of an outline.
    id_field: str


class ExcludedCrownView(NamedTuple):
    """View of an excluded crown and of the outlines that overlap it most."""

    #: Geometries on the map. There are no regions, because an excluded crown has no score.
    view: CrownView
    #: Id of the outline with the highest IoU, by annotator in alphabetical order.
    candidates: dict[str, int]


class _Candidate(NamedTuple):
    """Outline of another annotator that overlaps an excluded crown."""

    iou: float
    id: int
    geometry: QgsGeometry


def create_excluded_view(
    excluded: OutlineLayer,
    feature_id: int,
    other_layers: Sequence[OutlineLayer],
    map_crs: QgsCoordinateReferenceSystem,
) -> ExcludedCrownView | None:
    """Create the view of an excluded crown and of each other annotator's most similar outline.

    Args:
        excluded: layer with the excluded crown.
        feature_id: feature id of the excluded crown.
        other_layers: layers that are searched for outlines of the other annotators, in the CRS of
            ``excluded``. The outline with the highest IoU per annotator is shown.
        map_crs: CRS of the geometries in the view.

    Returns:
        The view; None if the crown was deleted or has no outline.

    Raises:
        InputError: if the outlines cannot be transformed to the CRS of the map.
    """
    crown = excluded.layer.getFeature(feature_id)
    if not crown.isValid() or crown.geometry().isEmpty():
        return None
    outline = crown.geometry()
    annotator = crown[excluded.annotator_field]
    candidates = _find_best_candidates(outline, annotator, other_layers)

    candidate_outlines = None
    if candidates:
        outlines = [candidate.geometry for candidate in candidates.values()]
        candidate_outlines = transform_to_map(
            QgsGeometry.collectGeometry(outlines), excluded.layer, map_crs
        )
    view = CrownView(
        target=transform_to_map(outline, excluded.layer, map_crs), delineation=candidate_outlines
    )
    ids = {name: candidate.id for name, candidate in sorted(candidates.items())}
    return ExcludedCrownView(view, ids)


def _find_best_candidates(
    outline: QgsGeometry, own_annotator: Any, layers: Sequence[OutlineLayer]
) -> dict[str, _Candidate]:
    """Return each other annotator's outline with the highest IoU, if it is above 0.

    Args:
        outline: outline of the excluded crown.
        own_annotator: annotator of the excluded crown, whose other outlines are left out.
        layers: layers with the outlines, in the same CRS.

    Returns:
        Candidates by annotator, in the order of their first overlap.
    """
    candidates: dict[str, _Candidate] = {}
    request = QgsFeatureRequest(outline.boundingBox())
    for outline_layer in layers:
        for feature in outline_layer.layer.getFeatures(request):
            annotator = str(feature[outline_layer.annotator_field])
            if annotator == own_annotator:
                continue
            geometry = feature.geometry()
            shared_area = outline.intersection(geometry).area()
            iou = shared_area / (outline.area() + geometry.area() - shared_area)
            best_iou = candidates[annotator].iou if annotator in candidates else 0.0
            if iou > best_iou:
                crown_id = int(feature[outline_layer.id_field])
                candidates[annotator] = _Candidate(iou, crown_id, geometry)
    return candidates


def sample_region_rings(parameters: RandCrownsParameters) -> dict[str, RingList]:
    """Return the rings of a sample crown of about 6 m by 5 m and of its regions.

    Args:
        parameters: parameters of the regions, in metres.

    Returns:
        Lists of rings, (n, 2) in metres each: ``target`` the crown, ``a`` the area that is surely
        crown (R_a), ``o`` the area that may be crown (R_o), ``e`` the outer edge of the area that
        is surely not crown (R_e). An empty region has an empty list.
    """
    crown = _sample_crown()
    regions = target_regions(np.array([crown]), parameters)
    return {
        "target": _list_rings(crown),
        "a": _list_rings(regions.R_a[0]),
        "o": _list_rings(regions.R_o[0]),
        "e": _list_rings(regions.R_e[0]),
    }


def _sample_crown() -> Any:
    """Return an irregular polygon around the origin, in metres, with the lobes of a tree crown."""
    angles = np.linspace(0.0, 2.0 * np.pi, 48, endpoint=False)
    # A circle with three large and five small lobes, stretched from west to east.
    radii = 2.7 + 0.22 * np.cos(3 * angles + 0.6) + 0.12 * np.cos(5 * angles)
    x = 1.1 * radii * np.cos(angles)
    y = 0.92 * radii * np.sin(angles)
    return shapely.Polygon(np.column_stack([x, y]))


def _list_rings(geometry: Any) -> RingList:
    """Return the coordinates of all rings of a polygon or multipolygon."""
    parts = shapely.get_parts(geometry)
    rings = shapely.get_rings(parts[~shapely.is_empty(parts)])
    return [shapely.get_coordinates(ring) for ring in rings]
