"""Layers of a job, read together: crowns in one coordinate system, and the study area."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import shapely

from randcrowns.core.agreement.reviewed_areas import (
    AnnotatorsOfAreas,
    areas_by_annotator,
    choose_reviewed_field,
)
from randcrowns.core.arrays import Bools, Floats, Ints, Objects
from randcrowns.core.comparison import check_unused_plots
from randcrowns.core.crowns import POLYGONAL_TYPES, Crowns, extent_polygon, plot_names
from randcrowns.core.crs import (
    DISTORTION_TOLERANCE,
    CheckedCrsName,
    ground_ratios,
    utm_zone_code,
)
from randcrowns.core.errors import InputError
from randcrowns.core.field_messages import (
    no_class_field_message,
    no_plot_field_message,
    no_score_field_message,
    transformed_message,
    without_plot_message,
)
from randcrowns.core.field_names import is_score_name, plot_field_candidates
from randcrowns.core.geometry.areas import clip_geometries, extract_polygons
from randcrowns.core.geometry.features import (
    FeatureIssue,
    FeatureScores,
    ReadReport,
    exclude_low_scores,
    repair_polygons,
)
from randcrowns.core.messages import Message, note, warning
from randcrowns.core.outlines import close_area
from randcrowns.jobs.layers import InputOptions, Layer, LayerSource, read_layer
from randcrowns.jobs.tables import InputLayer


@dataclass(frozen=True)
class WorkingCrs:
    """Coordinate system in which a job computes: metres on the ground, or pixels.

    Attributes:
        crs: a :class:`pyproj.CRS`; None for pixels and for polygons without a CRS.
        scale: metres per unit of ``crs``; for pixels the ground resolution, 1 if it is unknown.
        unit: unit of lengths: ``m`` or ``px``.
        in_pixels: True if the layers are in pixels.
    """

    crs: Any = None
    scale: float = 1.0
    unit: str = "m"
    in_pixels: bool = False

    @property
    def name(self) -> str:
        """Code or name of the CRS; "" without one."""
        return "" if self.crs is None else str(self.crs.to_string())

    def to_working(self, crs: Any, coordinates: Floats, name: str) -> Floats:
        """Return coordinates (n, 2) of a CRS in the working coordinates.

        Args:
            crs: a :class:`pyproj.CRS`, or None.
            coordinates: (n, 2) x and y in ``crs``.
            name: name of the layer, for the message.

        Raises:
            InputError: if a coordinate cannot be transformed.
        """
        transformed = coordinates
        if self.crs is not None and crs is not None and crs != self.crs:
            import pyproj

            transformer = pyproj.Transformer.from_crs(crs, self.crs, always_xy=True)
            x, y = transformer.transform(coordinates[:, 0], coordinates[:, 1])
            transformed = np.column_stack((x, y))
            is_lost = np.isfinite(coordinates) & ~np.isfinite(transformed)
            if is_lost.any():
                raise InputError(
                    "crs.not_transformed",
                    "The coordinates of layer '{name}' cannot be transformed from {crs} to {to}. "
                    "Name the layer's own coordinate system: assign_crs, such as EPSG:32617.",
                    name=name,
                    crs=crs.to_string(),
                    to=self.name,
                )
        if self.scale == 1.0:
            return transformed
        return transformed * self.scale

    def from_working(self, shapes: Objects) -> Objects:
        """Return shapes (n,) in coordinates of the CRS, or in pixels."""
        if self.scale == 1.0:
            return shapes
        scaled: Objects = shapely.transform(shapes, lambda xy: xy / self.scale)
        return scaled

    def from_working_to(self, crs: Any, shapes: Objects) -> Objects:
        """Return shapes (n,) in coordinates of another CRS.

        Args:
            crs: a :class:`pyproj.CRS`; None for the own one.
            shapes: shapes in working coordinates.
        """
        own_shapes = self.from_working(shapes)
        if crs is None or self.crs is None or crs == self.crs:
            return own_shapes
        import pyproj

        transformer = pyproj.Transformer.from_crs(self.crs, crs, always_xy=True)

        def to_other_crs(coordinates: Floats) -> Floats:
            x, y = transformer.transform(coordinates[:, 0], coordinates[:, 1])
            return np.column_stack((x, y))

        transformed: Objects = shapely.transform(own_shapes, to_other_crs)
        return transformed


@dataclass(frozen=True)
class LayerRequest:
    """Layer to read crowns from, with the options for reading it.

    Attributes:
        layer: the layer.
        plot_field: field with the plot; a layer without the field has no plots.
        group_field: field by which crowns are divided, such as the annotator; crowns without a
            value are excluded.
        score_field: field with a detector's score; a layer without the field keeps every crown.
        score_threshold: minimum score; crowns with a lower score or without one are excluded.
        class_field: field with the class of each crown; a layer without the field has no classes.
        treatment: what happens at the border of the extent: ``keep``, ``select`` or ``clip``.
        is_required: True if the results are useless without crowns of this layer.
    """

    layer: Layer
    plot_field: str = ""
    group_field: str = ""
    score_field: str = ""
    score_threshold: float = -math.inf
    class_field: str = ""
    treatment: str = "keep"
    is_required: bool = False


@dataclass(frozen=True, eq=False)
class CrownLayer:
    """Crowns of a layer in working coordinates.

    Attributes:
        layer: all features of the layer.
        crowns: the n usable crowns.
        rows: (n,) row of each crown's feature.
        report: issues found while reading.
        groups: (n,) values of the field by which crowns are divided; None without a field.
        clipped: (n,) parts of the crowns within the extent; None if they are not clipped.
        is_required: True if the results are useless without crowns of this layer.
    """

    layer: Layer
    crowns: Crowns
    rows: Ints
    report: ReadReport
    groups: Objects | None = None
    clipped: Objects | None = None
    is_required: bool = False

    @property
    def messages(self) -> list[Message]:
        """Messages about the layer."""
        messages = [*self.layer.messages, *self.report.messages()]
        if not len(self.crowns):
            make_message = warning if self.is_required else note
            message = make_message(
                "input.none",
                "Layer '{layer}' has no polygons that can be used.",
                layer=self.crowns.name,
            )
            messages.append(message)
        return messages

    def subset(self, is_kept: Bools) -> CrownLayer:
        """Return the layer with the crowns of a mask (n,)."""
        groups = None if self.groups is None else self.groups[is_kept]
        clipped = None if self.clipped is None else self.clipped[is_kept]
        return replace(
            self,
            crowns=self.crowns.subset(is_kept),
            rows=self.rows[is_kept],
            groups=groups,
            clipped=clipped,
        )

    def numbers(self, field_name: str) -> Floats:
        """Return the numbers (n,) of the crowns in a field; NaN where missing."""
        return self.layer.numbers(field_name)[self.rows]


@dataclass(frozen=True, eq=False)
class Site:
    """Layers of a job in one coordinate system.

    Attributes:
        layers: the layers, in the order of the requests.
        working_crs: coordinate system of the crowns.
        extent: study area, a (multi)polygon; None without one.
        extent_polygons: (p,) polygons of the extent's layer; None without a layer.
        extent_inputs: record of the extent; empty without one.
        messages: messages about the layers together.
    """

    layers: tuple[CrownLayer, ...]
    working_crs: WorkingCrs
    extent: Any = None
    extent_polygons: Objects | None = None
    extent_inputs: Sequence[InputLayer] = ()
    messages: list[Message] = field(default_factory=list)

    @property
    def all_messages(self) -> list[Message]:
        """Messages about each layer, then those about the layers together."""
        return [
            *(message for layer in self.layers for message in layer.messages),
            *self.messages,
        ]


def read_site(
    requests: Sequence[LayerRequest],
    options: InputOptions,
    extent: Any = None,
    uses_lengths: bool = True,
) -> Site:
    """Read the crowns of several layers in one coordinate system.

    Args:
        requests: the layers. The first one with crowns decides the coordinate system.
        options: options of the job, with the ground resolution of pixels.
        extent: study area: four numbers, a polygon, or a layer of polygons; None without one. For
            crowns in pixels, the four numbers are columns and rows from the upper left corner.
        uses_lengths: False if the job uses no lengths. Layers without a coordinate system may then
            be in pixels, also without a field with the names of images.

    Raises:
        InputError: if layers in pixels and on the map are mixed, a layer has no coordinate system,
            or the extent cannot be used.
    """
    ground_resolution = options.ground_resolution
    if not uses_lengths or ground_resolution:
        requests = _as_pixels(requests)
    working = _choose_working_crs(requests, ground_resolution)
    layers = [read_crowns(request, working) for request in requests]
    messages = _unit_messages(working, ground_resolution)
    polygons = None
    area = None
    extent_inputs = []
    if extent is not None:
        area, polygons, extent_input = _read_extent(extent, working)
        extent_inputs = [extent_input]
        layers = [
            _apply_extent(layer, area, request.treatment)
            for layer, request in zip(layers, requests)
        ]
    return Site(
        layers=tuple(layers),
        working_crs=working,
        extent=area,
        extent_polygons=polygons,
        messages=messages,
        extent_inputs=extent_inputs,
    )


def _as_pixels(requests: Sequence[LayerRequest]) -> Sequence[LayerRequest]:
    """Return requests whose layers are in pixels, if the coordinates of all may be pixels."""
    in_pixels = [replace(request, layer=request.layer.as_pixels()) for request in requests]
    may_be_pixels = all(request.layer.in_pixels for request in in_pixels)
    return in_pixels if may_be_pixels else requests


def read_areas(
    source: LayerSource, working: WorkingCrs, plot_field: str = "", class_field: str = ""
) -> CrownLayer:
    """Return the polygons of a layer in the coordinate system of a site.

    Args:
        source: the layer.
        working: coordinate system of the site.
        plot_field: field with the plots; "" for none.
        class_field: field with the classes; "" for none. Areas may lack it.
    """
    layer = read_layer(source)
    own_field = class_field if class_field and layer.has_field(class_field) else ""
    return read_crowns(LayerRequest(layer, plot_field=plot_field, class_field=own_field), working)


def read_points(source: LayerSource, working: WorkingCrs) -> tuple[Layer, Objects]:
    """Return a layer of points, and its points in working coordinates.

    Raises:
        InputError: if the layer contains no points.
    """
    layer = read_layer(source)
    shapes = layer.shapes
    is_point = shapely.get_type_id(shapes) == shapely.GeometryType.POINT
    if not is_point.any():
        raise InputError("layer.no_points", "Layer '{layer}' holds no points.", layer=layer.name)

    def to_working(coordinates: Floats) -> Floats:
        return working.to_working(layer.frame.crs, coordinates, layer.name)

    return layer, shapely.transform(shapes[is_point], to_working)


def read_reviewed(
    source: LayerSource, annotator_field: str, annotators: Iterable[str], working: WorkingCrs
) -> dict[str, Any]:
    """Return the areas that annotators have reviewed, by name.

    Args:
        source: polygon layer; the annotator field, or ``annotator``, names whose an area is.
        annotator_field: field that names the annotators; "" for none.
        annotators: names of the annotators.
        working: coordinate system of the site.

    Raises:
        InputError: if the layer has no such field, or no area of an annotator.
    """
    layer = read_layer(source)
    field_name = choose_reviewed_field(layer.name, annotator_field, layer.has_field)
    areas = read_crowns(LayerRequest(layer, group_field=field_name), working)
    groups = np.empty(0, dtype=object) if areas.groups is None else areas.groups
    annotator_of_area = AnnotatorsOfAreas(layer.name, field_name, groups)
    return areas_by_annotator(annotator_of_area, areas.crowns.geometry, sorted(set(annotators)))


def guess_score_field(layer: Layer) -> str:
    """Return the first numeric field that is named like a score and has a value; "" without one."""
    for name in layer.frame.columns:
        values = layer.frame[name]
        is_numeric = values.dtype.kind in "iuf"
        if is_numeric and is_score_name(str(name)) and (values.notna().any() or not len(values)):
            return str(name)
    return ""


def guess_unused_plot_field(target: Layer, others: Sequence[Layer]) -> str:
    """Return the plot field that a layer shares with another one, with a common value; or ""."""
    target_fields = [str(name) for name in target.frame.columns]
    for name in plot_field_candidates(target_fields):
        target_plots = _distinct_plots(target, name)
        for other in others:
            if other.has_field(name) and target_plots & _distinct_plots(other, name):
                return name
    return ""


def _distinct_plots(layer: Layer, field_name: str) -> set[str]:
    """Return the distinct names of plots in a field; missing values are no plots."""
    return {name for name in plot_names(layer.frame[field_name]) if name is not None}


def unused_plots_messages(
    field_name: str, first: CrownLayer, second: CrownLayer, rows: Ints, other_rows: Ints
) -> list[Message]:
    """Return a message about pairs of crowns from different plots, if plots are not used.

    Args:
        field_name: plot field that both layers share; "" for none.
        first: layer of the first crown of each pair.
        second: layer of the second crown of each pair.
        rows: (p,) indices of the first crowns.
        other_rows: (p,) indices of the second crowns.
    """
    if not field_name or not second.layer.has_field(field_name):
        return []
    plots = plot_names(first.layer.frame[field_name])[first.rows]
    other_plots = plot_names(second.layer.frame[field_name])[second.rows]
    message = check_unused_plots(
        second.crowns.name, field_name, plots, other_plots, rows, other_rows
    )
    return [] if message is None else [message]


def _choose_working_crs(requests: Sequence[LayerRequest], ground_resolution: float) -> WorkingCrs:
    """Return the coordinate system of the first layer with features, or its UTM zone.

    Raises:
        InputError: if some layers are in pixels and others on the map, or a layer has no CRS.
    """
    layers = [request.layer for request in requests]
    layers_with_features = [layer for layer in layers if len(layer.frame)]
    has_pixels = any(layer.in_pixels for layer in layers_with_features)
    has_map = any(not layer.in_pixels for layer in layers_with_features)
    if has_pixels and not has_map:
        if ground_resolution:
            return WorkingCrs(None, ground_resolution, "m", in_pixels=True)
        return WorkingCrs(None, 1.0, "px", in_pixels=True)
    if has_pixels and has_map:
        layers_in_pixels = [layer for layer in layers if layer.in_pixels]
        layers_on_map = [layer for layer in layers if not layer.in_pixels]
        raise InputError(
            "jobs.pixels_and_map",
            "Layer '{pixels}' is in pixels of its images, but layer '{map}' is on the map. "
            "Georeference the images, or give all layers in pixels.",
            pixels=layers_in_pixels[0].name,
            map=layers_on_map[0].name,
        )
    if ground_resolution:
        raise InputError(
            "jobs.resolution_on_map",
            "A ground resolution is only for crowns in pixels, but the layers are on the map.",
        )
    _check_all_have_crs(layers)
    first_layer = layers_with_features[0] if layers_with_features else layers[0]
    crs = first_layer.frame.crs
    if crs is None:
        return WorkingCrs()
    return find_working_crs(first_layer.name, first_layer.frame.total_bounds, crs)


def _check_all_have_crs(layers: Sequence[Layer]) -> None:
    """Raise an InputError for a layer without a CRS, unless all layers are bare polygons."""
    any_has_crs = any(layer.frame.crs is not None for layer in layers)
    for layer in layers:
        if layer.frame.crs is None and (any_has_crs or not layer.assumes_metres):
            raise InputError(
                "jobs.no_crs",
                "Layer '{layer}' has no coordinate system, so lengths in metres are unknown. Name "
                "the coordinate system of its coordinates: assign_crs, such as EPSG:32617.",
                layer=layer.name,
            )


def find_working_crs(name: str, bounds: Any, crs: Any) -> WorkingCrs:
    """Return the working CRS of a layer: its own in metres on the ground, or its UTM zone.

    Args:
        name: name of the layer, for the message.
        bounds: (4,) xmin, ymin, xmax and ymax in ``crs``.
        crs: a :class:`pyproj.CRS`.

    Raises:
        InputError: if the coordinates are no place on earth in the CRS.
    """
    if crs.is_projected:
        metres_per_unit = float(crs.axis_info[0].unit_conversion_factor)
        xmin, ymin, xmax, ymax = np.asarray(bounds, dtype=float)
        centre = ((xmin + xmax) / 2, (ymin + ymax) / 2)
        # Metres on the ground per metre of the CRS, along x and y. An empty layer has no centre.
        distortions = np.ones(2)
        if np.isfinite(centre).all():
            distortions = np.array(ground_ratios(crs, centre)) / metres_per_unit
        if np.abs(distortions - 1).max() <= DISTORTION_TOLERANCE:
            return WorkingCrs(crs, metres_per_unit)
    zone = utm_zone_code(crs, np.asarray(bounds, dtype=float))
    if not zone:
        raise _outside_crs_error(name, crs)
    import pyproj

    return WorkingCrs(pyproj.CRS(zone))


def _outside_crs_error(name: str, crs: Any) -> InputError:
    """Return the error that the coordinates of a layer are no place on earth in its CRS."""
    return InputError(
        "batch.outside_crs",
        "{source}: the coordinates are no place on earth in {crs}. If they are in another "
        "coordinate system, name it: --assign-crs EPSG:CODE",
        source=name,
        crs=crs.name,
    )


def _unit_messages(working: WorkingCrs, ground_resolution: float) -> list[Message]:
    """Return a message about the unit of crowns in pixels; none for crowns on the map."""
    if not working.in_pixels:
        return []
    if ground_resolution:
        return [
            note(
                "jobs.ground_resolution",
                "The crowns are in pixels. A pixel was taken as {resolution:g} m, as given, so "
                "lengths are in metres.",
                resolution=ground_resolution,
            )
        ]
    return [
        note(
            "input.pixels",
            "The layers lie in pixel coordinates without a coordinate system: lengths are in "
            "pixels, areas in px².",
        )
    ]


def read_crowns(request: LayerRequest, working: WorkingCrs) -> CrownLayer:
    """Return the usable crowns of a layer, repaired, in working coordinates."""
    layer = request.layer
    report = ReadReport(layer.name)
    report.layer_messages += _crs_messages(layer, working)
    polygons = _read_polygons(layer, working, report)
    if request.score_field:
        _exclude_low_scores(polygons, request, report)
    groups = _texts(layer, request.group_field)
    if groups is not None:
        is_unnamed = np.array([group is None for group in groups], dtype=bool)
        report.add(FeatureIssue.NO_NAME, layer.ids[is_unnamed & ~shapely.is_missing(polygons)])
        polygons[is_unnamed] = None
    plots = _texts(layer, request.plot_field)
    report.layer_messages += _plot_messages(request, plots, polygons)

    # From here on, only the rows with usable polygons.
    rows = np.flatnonzero(~shapely.is_missing(polygons))
    crowns = Crowns(
        geometry=polygons[rows],
        ids=layer.ids[rows],
        plots=None if plots is None else plots[rows],
        name=layer.name,
        crs=CheckedCrsName(working.name),
        classes=_read_classes(request, rows, report),
    )
    return CrownLayer(
        layer=layer,
        crowns=crowns,
        rows=rows,
        report=report,
        groups=None if groups is None else groups[rows],
        is_required=request.is_required,
    )


def _read_polygons(layer: Layer, working: WorkingCrs, report: ReadReport) -> Objects:
    """Return the repaired polygons (n,) of a layer in working coordinates; None for the others.

    Args:
        layer: the layer.
        working: coordinate system of the result.
        report: receives the features that were repaired or left out.

    Raises:
        InputError: if a coordinate cannot be transformed.
    """

    def to_working(coordinates: Floats) -> Floats:
        return working.to_working(layer.frame.crs, coordinates, layer.name)

    return repair_polygons(_polygonal_shapes(layer, report), layer.ids, report, to_working)


def _crs_messages(layer: Layer, working: WorkingCrs) -> list[Message]:
    """Return a message if a layer is transformed to another coordinate system.

    Raises:
        InputError: if its coordinates are no place on earth in its own CRS.
    """
    crs = layer.frame.crs
    if crs is None or working.crs is None or crs == working.crs:
        return []
    bounds = np.asarray(layer.frame.total_bounds, dtype=float)
    if np.isfinite(bounds).all() and not utm_zone_code(crs, bounds):
        raise _outside_crs_error(layer.name, crs)
    return [transformed_message(layer.name, crs.to_string(), working.name)]


def _polygonal_shapes(layer: Layer, report: ReadReport) -> Objects:
    """Return the geometries (n,) of a layer in two dimensions; None for other types."""
    shapes = layer.shapes.copy()
    types = shapely.get_type_id(shapes)
    is_missing = shapely.is_missing(shapes)
    is_polygonal = np.isin(types, POLYGONAL_TYPES)
    is_mixed = types == shapely.GeometryType.GEOMETRYCOLLECTION
    shapes[is_mixed] = extract_polygons(shapes[is_mixed])
    has_no_polygons = is_mixed & shapely.is_empty(shapes)
    is_polygonal &= ~has_no_polygons
    report.add(FeatureIssue.NULL, layer.ids[is_missing])
    report.add(FeatureIssue.NOT_A_POLYGON, layer.ids[~is_missing & ~is_polygonal])
    report.add(FeatureIssue.MIXED, layer.ids[is_mixed & is_polygonal])
    shapes[~is_polygonal] = None
    has_z = shapely.has_z(shapes)
    report.add(FeatureIssue.FLATTENED, layer.ids[has_z])
    shapes[has_z] = shapely.force_2d(shapes[has_z])
    return shapes


def _exclude_low_scores(polygons: Objects, request: LayerRequest, report: ReadReport) -> None:
    """Set polygons with a low or missing score to None in place, and report them.

    Args:
        polygons: (n,) polygons of the layer; changed in place.
        request: layer with the field and the threshold of the scores.
        report: receives the ids of the excluded crowns.
    """
    layer = request.layer
    field_name = request.score_field
    if not layer.has_field(field_name):
        report.layer_messages.append(no_score_field_message(layer.name, field_name))
        return
    scores = FeatureScores(field_name, layer.numbers(field_name), request.score_threshold)
    exclude_low_scores(polygons, scores, layer.ids, report)


def _texts(layer: Layer, field_name: str) -> Objects | None:
    """Return the values (n,) of a field as texts; None if the layer lacks the field."""
    if not field_name or not layer.has_field(field_name):
        return None
    return plot_names(layer.frame[field_name].to_numpy(dtype=object))


def _read_classes(request: LayerRequest, rows: Ints, report: ReadReport) -> Objects | None:
    """Return class values (n,) of the crowns in rows (n,); None without a field, which is reported.

    :class:`randcrowns.core.crowns.Crowns` makes texts of the values and refuses decimals.

    Args:
        request: layer with the field of the classes.
        rows: (n,) rows of the crowns in the layer.
        report: receives a message without the field.
    """
    field_name = request.class_field
    if not field_name:
        return None
    if not request.layer.has_field(field_name):
        report.layer_messages.append(no_class_field_message(report.layer, field_name))
        return None
    values: Objects = request.layer.frame[field_name].to_numpy(dtype=object)[rows]
    return values


def _plot_messages(
    request: LayerRequest, plots: Objects | None, polygons: Objects
) -> list[Message]:
    """Return a message about a missing plot field, or about crowns without a plot.

    Args:
        request: layer with the field of the plot.
        plots: (n,) plot of each feature; None without the field.
        polygons: (n,) polygon of each feature; None for one that is not used.
    """
    layer = request.layer
    if not request.plot_field:
        return []
    if plots is None:
        return [no_plot_field_message(layer.name, request.plot_field)]
    is_without_plot = np.array([plot is None for plot in plots], dtype=bool)
    is_used = ~shapely.is_missing(polygons)
    n_without_plot = int((is_without_plot & is_used).sum())
    if not n_without_plot:
        return []
    return [without_plot_message(layer.name, request.plot_field, n_without_plot)]


class _Extent(NamedTuple):
    """Study area or image extent of a site."""

    area: Any  #: (multi)polygon in working coordinates.
    polygons: Objects | None  #: (p,) polygons of its layer; None without a layer.
    as_input: InputLayer  #: its record.


def _read_extent(extent: Any, working: WorkingCrs) -> _Extent:
    """Return the study area or image extent in working coordinates.

    Raises:
        InputError: if the extent is no box and no layer of polygons.
    """
    numbers = _four_numbers(extent)
    if numbers is not None:
        record = InputLayer("extent", ", ".join(f"{number:.12g}" for number in numbers))
        xmin, ymin, xmax, ymax = (number * working.scale for number in numbers)
        if working.in_pixels:
            # Rows count downwards, y upwards.
            ymin, ymax = -ymax, -ymin
        return _Extent(extent_polygon((xmin, ymin, xmax, ymax)), None, record)
    if isinstance(extent, shapely.Geometry):
        area = extract_polygons(np.array([extent], dtype=object))[0]
        if area.is_valid:
            area = close_area(area)
        return _Extent(extent_polygon(area), None, InputLayer("extent", "a polygon"))
    areas = read_areas(extent, working)
    if not len(areas.crowns):
        raise InputError(
            "extent.no_usable_polygons",
            "Layer '{layer}' has no usable polygons for the extent. Choose another layer.",
            layer=areas.crowns.name,
        )
    polygons = areas.crowns.geometry
    # As in the plugin, which intersects the layer of the extent with a rectangle.
    union = shapely.intersection_all([shapely.union_all(polygons)])
    area = extract_polygons(np.array([union], dtype=object))[0]
    return _Extent(close_area(area), polygons, areas.layer.as_input("extent"))


def _four_numbers(extent: Any) -> tuple[float, ...] | None:
    """Return the numbers of an extent such as "0,0,10,10" or (0, 0, 10, 10); None for others."""
    if isinstance(extent, str):
        extent = extent.split(",")
    if isinstance(extent, Path) or not isinstance(extent, (list, tuple, np.ndarray)):
        return None
    try:
        numbers = tuple(float(side) for side in extent)
    except (TypeError, ValueError):
        return None
    return numbers if len(numbers) == 4 else None


def _apply_extent(layer: CrownLayer, extent: Any, treatment: str) -> CrownLayer:
    """Return the crowns at the border of an extent as requested: kept, selected or clipped.

    Args:
        layer: crowns of a layer.
        extent: polygon of the extent.
        treatment: ``keep``, ``select`` (without crowns outside) or ``clip``.
    """
    crowns = layer.crowns
    if treatment == "select":
        shapely.prepare(extent)
        intersects = shapely.intersects(extent, crowns.geometry)
        overlaps = np.zeros(len(crowns), dtype=bool)
        # Crowns that only touch the extent share no area with it.
        parts = shapely.intersection(crowns.geometry[intersects], extent)
        overlaps[intersects] = shapely.area(parts) > 0
        layer.report.add(FeatureIssue.OUTSIDE, crowns.ids[~overlaps])
        return layer.subset(overlaps)
    if treatment == "clip" and len(crowns):
        clipped = clip_geometries(extent, crowns.geometry)
        # Crowns within the extent are returned as the same object.
        is_changed = np.array(
            [part is not whole for part, whole in zip(clipped, crowns.geometry)], dtype=bool
        )
        overlaps = shapely.area(clipped) > 0
        layer.report.add(FeatureIssue.CUT, crowns.ids[is_changed & overlaps])
        layer.report.add(FeatureIssue.OUTSIDE, crowns.ids[~overlaps])
        return replace(layer, clipped=clipped).subset(overlaps)
    return layer
