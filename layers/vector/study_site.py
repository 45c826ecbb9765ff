"""Layers of one study site, read together in one working CRS and restricted to the study area."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar, Union

import numpy as np
import shapely
from qgis.core import QgsCoordinateReferenceSystem, QgsCoordinateTransformContext, QgsRectangle

from randcrowns.core.agreement.checks import nothing_left_error
from randcrowns.core.arrays import Floats, Objects
from randcrowns.core.classes.values import group_crown_classes
from randcrowns.core.crowns import MAX_COORDINATE, Crowns
from randcrowns.core.crs import CheckedCrsName
from randcrowns.core.errors import InputError
from randcrowns.core.geometry.areas import clip_geometries, extract_polygons
from randcrowns.core.messages import Message, note
from randcrowns.core.names import numeric_sort_key
from randcrowns.core.outlines import close_area, repair_outlines
from randcrowns.core.progress import Progress, iterate_with_progress, no_progress
from randcrowns.layers.crs import WorkingCrs
from randcrowns.layers.fields import field_index
from randcrowns.layers.raster.grid import Grid, RasterSnapshot
from randcrowns.layers.raster.masks import ReferenceMask, ValueMeaning, image_area_message
from randcrowns.layers.raster.void_values import void_messages
from randcrowns.layers.vector.geometry import FeatureIssue, ReadReport
from randcrowns.layers.vector.read import (
    CrownLayer,
    ExtentTreatment,
    LayerRequest,
    LayerSnapshot,
    read_crowns,
)

AnyStudySite = TypeVar("AnyStudySite", bound="StudySite")

#: Number of segments per side of a box that is transformed to another CRS.
_SEGMENTS_PER_SIDE = 20
#: Width of the neighbourhood around crowns, metres. An extent in another CRS is limited to this
#: neighbourhood, because the working CRS may be invalid far from the crowns.
_NEIGHBOURHOOD_WIDTH = 200_000.0

#: Snapshot of a polygon layer, or of a raster with marked pixels.
Snapshot = Union[LayerSnapshot, RasterSnapshot]


@dataclass(frozen=True)
class ExtentRequest:
    """Extent as the user specified it; a rectangle and a layer may be combined."""

    #: Rectangle, or None.
    rectangle: QgsRectangle | None
    #: CRS of the rectangle; if it is invalid, the rectangle is in the working CRS.
    crs: QgsCoordinateReferenceSystem
    #: Layer whose polygons (or marked pixels) are the extent, or None.
    layer: Snapshot | None


@dataclass(frozen=True, eq=False)
class StudySite:
    """Layers of one study site in one working CRS, coordinates in metres."""

    #: Crown layers, in the order of the requests.
    layers: tuple[CrownLayer, ...]
    #: Working CRS of all layers.
    working_crs: WorkingCrs
    #: Study area, a (multi)polygon; None if it is unlimited.
    study_area: Any = None
    #: Polygons of the extent layer; None without an extent layer.
    extent_layer: CrownLayer | None = None
    #: Polygons that are excluded from the study area; None without such a layer.
    excluded_layer: CrownLayer | None = None
    #: Union of the excluded polygons; None without any.
    excluded_area: Any = None
    #: Grid whose working CRS is used; None if the working CRS does not come from a grid.
    grid: Grid | None = None
    #: Messages about the study site as a whole.
    site_messages: list[Message] = field(default_factory=list)

    @property
    def messages(self) -> list[Message]:
        """Messages about the layers, then those about the study site as a whole."""
        area_layers = [
            layer for layer in (self.extent_layer, self.excluded_layer) if layer is not None
        ]
        messages = []
        for layer in (*area_layers, *self.layers):
            messages += layer.messages()
        return [*messages, *self.site_messages]

    @property
    def all_polygons(self) -> Objects:
        """(n,) polygons of all crown layers."""
        empty = np.empty(0, dtype=object)
        return np.concatenate([empty, *(layer.crowns.geometry for layer in self.layers)])

    @property
    def remaining_area(self) -> Any:
        """Study area without the excluded polygons; None if neither is specified.

        Without a study area, the excluded polygons are removed from the union of all crowns.

        Raises:
            InputError: if the region is empty.
        """
        if self.excluded_area is None:
            return self.study_area
        area = shapely.union_all(self.all_polygons) if self.study_area is None else self.study_area
        region = shapely.difference(area, self.excluded_area)
        if region.is_empty:
            raise nothing_left_error()
        return region

    @property
    def bounds(self) -> tuple[float, ...]:
        """Bounds xmin, ymin, xmax, ymax of the study area, or of all crowns without one."""
        if self.study_area is None:
            return tuple(shapely.total_bounds(self.all_polygons))
        return tuple(self.study_area.bounds)

    def restrict_to_plot(self: AnyStudySite, plot: str, area: Any) -> AnyStudySite:
        """Return the study site restricted to one plot.

        Layers without crowns in the plot are omitted. If the excluded polygons have plots, only
        those of the plot are excluded.

        Args:
            plot: name of the plot.
            area: study area of the plot; None if it is unlimited.
        """
        excluded_area = self.excluded_area
        if self.excluded_layer is not None and self.excluded_layer.crowns.plots is not None:
            crowns = self.excluded_layer.crowns
            excluded_polygons = crowns.geometry[crowns.plots == plot]
            excluded_area = None
            if len(excluded_polygons):
                excluded_area = shapely.union_all(excluded_polygons)
        plot_layers = []
        for layer in self.layers:
            plot_layer = layer.subset(layer.plots == plot)
            if len(plot_layer.crowns):
                plot_layers.append(plot_layer)
        return replace(
            self,
            layers=tuple(plot_layers),
            study_area=area,
            excluded_area=excluded_area,
            site_messages=list(self.site_messages),
        )

    @property
    def plot_names(self) -> list[str]:
        """Names of the plots of all crowns and of the extent layer; numbers before words."""
        names = {plot for layer in self.layers for plot in layer.plots.tolist() if plot is not None}
        if self.extent_layer is not None:
            names |= self.extent_layer.plot_names
        return sorted(names, key=numeric_sort_key)

    def plot_areas(self) -> dict[str, Any] | None:
        """Return the study area of each plot.

        - If the extent layer has the plot field, the study area of a plot consists of the polygons
          with its name.
        - In pixel coordinates each plot is an image, and the study area applies to every image.
        - Otherwise each polygon of the study area belongs to the plot whose crowns it intersects.

        Returns:
            Study area by name of the plot; None as an area that is unlimited. None instead of a
            dictionary if a polygon of the study area intersects crowns of several plots.
        """
        names = self.plot_names
        if self.extent_layer is not None and self.extent_layer.crowns.plots is not None:
            crowns = self.extent_layer.crowns
            areas = {}
            for name in names:
                plot_area = shapely.union_all(crowns.geometry[crowns.plots == name])
                areas[name] = shapely.intersection(self.study_area, plot_area)
            return areas
        if self.study_area is None or self.working_crs.in_pixels:
            return dict.fromkeys(names, self.study_area)

        parts_by_plot: dict[str, list[Any]] = {name: [] for name in names}
        crown_plots = np.concatenate([layer.plots for layer in self.layers])
        tree = shapely.STRtree(self.all_polygons)
        for part in shapely.get_parts(self.study_area):
            crown_rows = tree.query(part, predicate="intersects")
            plots = set(crown_plots[crown_rows].tolist())
            plots.discard(None)
            if len(plots) > 1:
                return None
            for name in plots:
                parts_by_plot[name].append(part)
        return {name: shapely.union_all(parts) for name, parts in parts_by_plot.items() if parts}


def _collect_site_shapes(layers: Sequence[CrownLayer], grid: Grid | None) -> Objects:
    """Return the crowns of all layers, and the rectangle of the grid if there is one."""
    shapes = [np.empty(0, dtype=object)]
    shapes += [layer.crowns.geometry for layer in layers]
    if grid is not None:
        shapes.append(np.array([shapely.box(*grid.bounds)], dtype=object))
    return np.concatenate(shapes)


def read_study_site(
    requests: Sequence[LayerRequest],
    crs_source: Grid | WorkingCrs | QgsCoordinateTransformContext,
    extent: ExtentRequest | None = None,
    excluded: Snapshot | None = None,
    progress: Progress = no_progress,
    plot_field: str = "",
) -> StudySite:
    """Read layers of one study site in a common working CRS.

    Args:
        requests: the crown layers. At least one is required unless ``crs_source`` is a grid.
        crs_source: grid whose working CRS is used, or the working CRS; or the project's transform
            context. In this case the first layer with crowns determines the working CRS.
        extent: the study area as the user specified it; None if it is unlimited.
        excluded: layer with areas that are excluded, polygons or marked pixels.
        progress: callback that receives the completed fraction.
        plot_field: field with the plot in the extent layer and the excluded layer, if plots are
            separate sites.

    Returns:
        The study site, with the crowns treated at its border as each request specifies.

    Raises:
        InputError: if a layer cannot be read, or the extent is empty or cannot be transformed.
    """
    grid = None
    working_source: WorkingCrs | QgsCoordinateTransformContext
    if isinstance(crs_source, Grid):
        grid = crs_source
        working_source = grid.working_crs
    else:
        working_source = crs_source
    # Data flow one way: layers and working CRS, then the areas, then the site made of both.
    layers, working_crs = _read_crown_layers(requests, working_source, progress)

    extent_layer = None
    study_area = None
    if extent is not None:
        if extent.layer is not None:
            extent_layer = _read_areas(extent.layer, working_crs, plot_field)
        all_shapes = _collect_site_shapes(layers, grid)
        study_area = build_extent(
            extent.rectangle, extent.crs, extent_layer, working_crs, all_shapes
        )

    excluded_layer = None
    excluded_area = None
    if excluded is not None:
        excluded_layer = _read_areas(excluded, working_crs, plot_field)
        if len(excluded_layer.crowns):
            excluded_area = shapely.union_all(excluded_layer.crowns.geometry)

    return StudySite(
        layers=tuple(_apply_extent(layer, study_area) for layer in layers),
        working_crs=working_crs,
        study_area=study_area,
        extent_layer=extent_layer,
        excluded_layer=excluded_layer,
        excluded_area=excluded_area,
        grid=grid,
        site_messages=_site_messages(grid, working_source, extent),
    )


def _read_crown_layers(
    requests: Sequence[LayerRequest],
    working_source: WorkingCrs | QgsCoordinateTransformContext,
    progress: Progress,
) -> tuple[list[CrownLayer], WorkingCrs]:
    """Read each crown layer once, and return the layers and their common working CRS.

    The first layer with crowns decides the working CRS, unless it is known already. Whether a layer
    has crowns is known only after its invalid features are repaired or excluded.

    Args:
        requests: the crown layers.
        working_source: working CRS; or the project's transform context, with which the working CRS
            is determined. In this case at least one layer is required.
        progress: callback that receives the completed fraction.
    """
    layers: list[CrownLayer] = []
    working = working_source
    for request, part_progress in iterate_with_progress(requests, progress):
        layer = read_crowns(request, working, part_progress)
        layers.append(layer)
        if len(layer.crowns):
            working = layer.working_crs
    if not isinstance(working, WorkingCrs):
        working = layers[0].working_crs
    # A layer without crowns may have been read before the working CRS was determined.
    layers = [layer if len(layer.crowns) else _with_crs(layer, working) for layer in layers]
    return layers, working


def group_site_classes(
    site: AnyStudySite, groups: Mapping[str, Sequence[str]], n_areas: int = 0
) -> AnyStudySite:
    """Return a study site whose layers have grouped classes, with notes about the classes.

    Args:
        site: the layers. Without classes they are returned unchanged.
        groups: classes that count as one, by name; see
            :func:`randcrowns.core.classes.values.parse_class_groups`.
        n_areas: number of layers at the end that are areas to ignore, which need no class.
    """
    names: list[str | None] = []
    for number, layer in enumerate(site.layers):
        is_ignored_area = number >= len(site.layers) - n_areas
        names.append(None if is_ignored_area else layer.crowns.name)
    grouped = group_crown_classes([layer.crowns for layer in site.layers], groups, names)
    grouped_layers = []
    for layer, crowns in zip(site.layers, grouped.layers):
        grouped_layers.append(replace(layer, crowns=crowns))
    messages = [*site.site_messages, *grouped.messages]
    return replace(site, layers=tuple(grouped_layers), site_messages=messages)


def _site_messages(
    grid: Grid | None,
    working_source: WorkingCrs | QgsCoordinateTransformContext,
    extent: ExtentRequest | None,
) -> list[Message]:
    """Return messages about the working CRS of a grid or in pixels, and about two extents.

    Args:
        grid: grid of the site; None without one.
        working_source: working CRS that no layer decided; or the transform context, if one did.
            The report of that layer has the message.
        extent: the study area as the user specified it; None if it is unlimited.
    """
    messages = []
    is_pixels = isinstance(working_source, WorkingCrs) and working_source.in_pixels
    if isinstance(working_source, WorkingCrs) and (grid is not None or is_pixels):
        messages += [working_source.message] if working_source.message is not None else []
    if extent is not None and extent.rectangle is not None and extent.layer is not None:
        template = (
            "Both an image extent and an extent layer are selected; their intersection is used."
        )
        messages.append(note("input.two_extents", template))
    return messages


def _read_areas(snapshot: Snapshot, working: WorkingCrs, plot_field: str = "") -> CrownLayer:
    """Read the polygons of a layer, or polygons around the pixels of a raster.

    These are the marked pixels of a mask, or the pixels with data of an image. Polygons of a layer
    with the plot field have the plots as groups.

    Args:
        snapshot: layer or raster.
        working: working CRS of the polygons.
        plot_field: field with the plot of each polygon; "" for none.
    """
    request = LayerRequest(snapshot)  # type: ignore[arg-type]
    if isinstance(snapshot, LayerSnapshot):
        if field_index(snapshot.fields, plot_field) >= 0:
            request = replace(request, group_field=plot_field)
        return read_crowns(request, working)

    mask = ReferenceMask.of_area(snapshot)
    outlines = mask.polygons(working)
    crowns = Crowns(outlines, name=snapshot.name, crs=CheckedCrsName(working.name))
    report = ReadReport(snapshot.name)
    report.layer_messages += void_messages(snapshot.name, mask.void_ranges)
    if mask.meaning is ValueMeaning.DATA:
        report.layer_messages.append(image_area_message(snapshot.name, snapshot.n_bands))
    return CrownLayer(
        crowns=crowns,
        feature_rows=np.arange(len(outlines)),
        features=[],
        working_crs=working,
        report=report,
        request=request,
    )


def _with_crs(layer: CrownLayer, working: WorkingCrs) -> CrownLayer:
    """Return a layer without crowns in another working CRS."""
    if layer.working_crs == working:
        return layer
    crowns = replace(layer.crowns, crs=CheckedCrsName(working.name))
    return replace(layer, working_crs=working, crowns=crowns)


def _apply_extent(layer: CrownLayer, area: Any) -> CrownLayer:
    """Select or clip the crowns of a layer at the border of the study area, as requested."""
    if layer.request.extent_treatment is ExtentTreatment.SELECT:
        return select_in_extent(layer, area)
    if layer.request.extent_treatment is ExtentTreatment.CLIP:
        return clip_to_extent(layer, area)
    return layer


def reread_features(layer: CrownLayer, snapshot: LayerSnapshot, area: Any) -> CrownLayer:
    """Read features of a layer again, in the same way as before.

    Args:
        layer: the layer as it was read.
        snapshot: the features to read in their current state.
        area: study area at whose border the crowns are treated; None if it is unlimited.
    """
    request = replace(layer.request, snapshot=snapshot)
    return _apply_extent(read_crowns(request, layer.working_crs), area)


def build_extent(
    rectangle: QgsRectangle | None,
    rectangle_crs: QgsCoordinateReferenceSystem,
    extent_layer: CrownLayer | None,
    working: WorkingCrs,
    crowns: Any = None,
) -> Any:
    """Combine a rectangle and an extent layer to one extent in working coordinates.

    Args:
        rectangle: rectangle in ``rectangle_crs``, or None.
        rectangle_crs: CRS of the rectangle; if it is invalid, the rectangle is in the working CRS.
        extent_layer: polygon layer whose union is the extent, or None. Together with a rectangle,
            their intersection is the extent.
        working: working CRS of the result.
        crowns: (n,) shapes to be scored, in working coordinates, or None. A rectangle in another
            CRS is limited to their neighbourhood, because the working CRS may be invalid elsewhere.

    Returns:
        The extent, a (multi)polygon; None without a rectangle and a layer.

    Raises:
        InputError: if the extent is invalid, empty or cannot be transformed.
    """
    parts = []
    if rectangle is not None:
        parts.append(_create_rectangle_polygon(rectangle, rectangle_crs, working, crowns))
    if extent_layer is not None:
        if len(extent_layer.crowns) == 0:
            raise InputError(
                "extent.no_usable_polygons",
                "Layer '{layer}' has no usable polygons for the extent. Choose another layer.",
                layer=extent_layer.crowns.name,
            )
        parts.append(shapely.union_all(extent_layer.crowns.geometry))
    if not parts:
        return None
    (extent,) = extract_polygons(np.array([shapely.intersection_all(parts)], dtype=object))
    if extent.is_empty:
        raise InputError(
            "extent.nothing_in_common",
            "The extent and the extent layer have nothing in common; leave one of them out.",
        )
    return close_area(extent)


def select_in_extent(layer: CrownLayer, extent: Any) -> CrownLayer:
    """Return the crowns that overlap an extent, unclipped.

    Args:
        layer: the crowns. The excluded ones are added to the layer's report.
        extent: (multi)polygon in working coordinates; None to keep all crowns.
    """
    if extent is None:
        return layer
    geometry = layer.crowns.geometry
    shapely.prepare(extent)
    intersects = shapely.intersects(extent, geometry)
    overlaps = np.zeros(len(intersects), dtype=bool)
    # Crowns that only touch the extent share no area with it.
    overlaps[intersects] = shapely.area(shapely.intersection(geometry[intersects], extent)) > 0
    layer.report.add(FeatureIssue.OUTSIDE, layer.crowns.ids[~overlaps])
    return layer.subset(overlaps)


def clip_to_extent(layer: CrownLayer, extent: Any) -> CrownLayer:
    """Return the crowns that overlap an extent, with their parts inside it.

    The parts are scored, because annotators cannot draw outside the image. The whole crowns remain
    available: they determine the target to which a crown belongs.

    Args:
        layer: the crowns. Clipped and excluded ones are added to the layer's report.
        extent: (multi)polygon in working coordinates; None to return the layer unchanged.

    Returns:
        The layer with the whole crowns, and the parts in ``cut``.
    """
    crowns = layer.crowns
    if extent is None or len(crowns) == 0:
        return layer
    clipped = clip_geometries(extent, crowns.geometry)
    # Crowns that lie within the extent are returned as the same object.
    is_changed = [part is not whole for part, whole in zip(clipped, crowns.geometry)]
    changed_rows = np.flatnonzero(is_changed)
    overlaps = shapely.area(clipped) > 0
    layer.report.add(FeatureIssue.CUT, crowns.ids[changed_rows[overlaps[changed_rows]]])
    layer.report.add(FeatureIssue.OUTSIDE, crowns.ids[~overlaps])
    return replace(layer.subset(overlaps), clipped=clipped[overlaps])


def _read_rectangle_bounds(rectangle: QgsRectangle) -> Floats:
    """Return xmin, ymin, xmax, ymax of a rectangle.

    Raises:
        InputError: if they are not finite or too large, or the rectangle has no area.
    """
    bounds = np.array(
        [rectangle.xMinimum(), rectangle.yMinimum(), rectangle.xMaximum(), rectangle.yMaximum()]
    )
    if not np.isfinite(bounds).all():
        raise InputError("extent.not_finite", "The extent must consist of four finite numbers.")
    if rectangle.isEmpty():
        raise InputError("extent.no_area", "The extent has no area.")
    if np.abs(bounds).max() > MAX_COORDINATE:
        raise InputError(
            "extent.too_large",
            "The extent is larger than any map. Enter an extent around the crowns, in metres or "
            "degrees.",
        )
    return bounds


def _create_rectangle_polygon(
    rectangle: QgsRectangle, crs: QgsCoordinateReferenceSystem, working: WorkingCrs, crowns: Any
) -> Any:
    """Return a rectangle as a polygon in working coordinates; see :func:`build_extent`.

    Args:
        rectangle: the rectangle in ``crs``.
        crs: CRS of the rectangle; invalid for working coordinates in units of the working CRS.
        working: working CRS of the result.
        crowns: (n,) shapes in working coordinates, or None. Of a rectangle that is larger than
            their neighbourhood, only the neighbourhood is transformed.

    Raises:
        InputError: if the rectangle has no area or cannot be transformed.
    """
    bounds = _read_rectangle_bounds(rectangle)
    if not crs.isValid() or crs == working.crs or working.in_pixels:
        xmin, ymin, xmax, ymax = bounds * working.metres_per_unit
        return shapely.box(xmin, ymin, xmax, ymax)

    xmin, ymin, xmax, ymax = bounds
    box = shapely.box(xmin, ymin, xmax, ymax)
    neighbourhood = _compute_neighbourhood(crowns, crs, working)
    if neighbourhood is not None and box.intersects(neighbourhood):
        xmin, ymin, xmax, ymax = shapely.bounds(shapely.intersection(box, neighbourhood))
        box = shapely.box(xmin, ymin, xmax, ymax)
    longest_side = float(max(xmax - xmin, ymax - ymin))
    if longest_side == 0:
        raise InputError("extent.no_area", "The extent has no area.")
    # Straight sides become curves in another CRS, so they get further vertices.
    segmented_box = shapely.segmentize(box, longest_side / _SEGMENTS_PER_SIDE)
    try:
        outline = working.to_working(crs, shapely.get_coordinates(segmented_box), "extent")
    except InputError as error:
        raise InputError(
            "extent.not_transformed",
            "The extent cannot be transformed to {working}: it is too large, or not in {crs}. "
            "Choose a smaller one around the crowns.",
            working=working.name,
            crs=crs.authid(),
        ) from error
    polygons = np.array([shapely.Polygon(outline)], dtype=object)
    return repair_outlines(polygons)[0]


def _compute_neighbourhood(
    crowns: Any, crs: QgsCoordinateReferenceSystem, working: WorkingCrs
) -> Any:
    """Return the neighbourhood of crowns as a box in ``crs``.

    Args:
        crowns: (n,) shapes in working coordinates, or None.
        crs: CRS of the result.
        working: working CRS of the crowns.

    Returns:
        The box; None without crowns, or if the neighbourhood cannot be transformed.
    """
    if crowns is None or len(crowns) == 0:
        return None
    xmin, ymin, xmax, ymax = shapely.total_bounds(crowns)
    width = _NEIGHBOURHOOD_WIDTH
    box = shapely.box(xmin - width, ymin - width, xmax + width, ymax + width)
    # Straight sides become curves in another CRS, so they get further vertices.
    segment_length = max(xmax - xmin, ymax - ymin, width) / _SEGMENTS_PER_SIDE
    outline = shapely.get_coordinates(shapely.segmentize(box, segment_length))
    try:
        transformed = working.from_working(crs, outline, "extent")
    except InputError:
        return None
    left, bottom = transformed.min(axis=0)
    right, top = transformed.max(axis=0)
    return shapely.box(left, bottom, right, top)
