"""Drawings of several annotators of one area, plot by plot, for the jobs that compare them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import shapely

from randcrowns.core.agreement.checks import (
    OutsideLocation,
    check_number_of_annotators,
    default_reviewed_area,
    no_annotator_field_error,
    no_polygon_inside_error,
    no_usable_polygons_error,
    not_chosen_error,
    nothing_left_error,
    outside_message,
    sort_annotators,
)
from randcrowns.core.arrays import Bools, Ints, Objects
from randcrowns.core.classes.annotators import check_annotator_classes
from randcrowns.core.classes.values import parse_class_groups
from randcrowns.core.comparison import check_annotator_spelling
from randcrowns.core.crowns import Crowns
from randcrowns.core.errors import InputError
from randcrowns.core.geometry.overlay import covered_area
from randcrowns.core.messages import Message
from randcrowns.core.names import numeric_sort_key
from randcrowns.jobs.layers import InputOptions, Layer, read_named_layers
from randcrowns.jobs.parameters import JobValues
from randcrowns.jobs.sites import (
    CrownLayer,
    LayerRequest,
    Site,
    WorkingCrs,
    read_areas,
    read_reviewed,
    read_site,
)
from randcrowns.jobs.tables import InputLayer


@dataclass(frozen=True, eq=False)
class Drawings:
    """Polygons of the annotators of one plot, or of one area.

    Attributes:
        crowns: crowns of each annotator by name, in working coordinates.
        study_area: study area without the excluded areas; None without one.
        reviewed: areas that annotators have reviewed by name; everywhere for the others.
    """

    crowns: dict[str, Crowns]
    study_area: Any = None
    reviewed: dict[str, Any] = field(default_factory=dict)

    @property
    def polygons(self) -> dict[str, Objects]:
        """Polygons of each annotator by name."""
        return {name: crowns.geometry for name, crowns in self.crowns.items()}


@dataclass(frozen=True, eq=False)
class DrawingSite:
    """Drawings of all plots, with what they have in common.

    Attributes:
        whole: drawings of all plots together.
        by_plot: drawings by the name of the plot; under "" without plots.
        working_crs: coordinate system of the polygons.
        site: layers as they were read.
        messages: messages about the input.
    """

    whole: Drawings
    by_plot: dict[str, Drawings]
    working_crs: WorkingCrs
    site: Site
    messages: list[Message]

    @property
    def names(self) -> list[str]:
        """Names of the annotators."""
        return list(self.whole.crowns)

    @property
    def inputs(self) -> list[InputLayer]:
        """Records of the layers of the annotators, and of the study area."""
        annotators = [layer.layer.as_input("annotators") for layer in self.site.layers]
        return [*annotators, *self.site.extent_inputs]


def read_drawings(
    values: JobValues,
    annotators: Any,
    options: InputOptions,
    extent: Any = None,
    excluded: Any = None,
    reviewed: Any = None,
    *,
    checks_classes: bool = True,
) -> DrawingSite:
    """Read the drawings of several annotators.

    Args:
        values: values of the job, with the fields of annotators and plots.
        annotators: layers of the annotators, see :func:`randcrowns.jobs.layers.read_named_layers`.
        options: options of the job.
        extent: study area; None for the area that anybody marked.
        excluded: layer with areas that are excluded from it; None without one.
        reviewed: layer with the areas that annotators have reviewed; None for everywhere.
        checks_classes: False if the caller checks the classes, together with those of other layers.

    Raises:
        InputError: if there are no usable polygons, or too many annotators.
    """
    layers = read_named_layers(annotators, options)
    if not layers:
        raise not_chosen_error()
    annotator_field = values["annotator_field"]
    _check_annotator_field(annotator_field, layers)
    plot_field = values["plot_field"]
    class_field = values.by_name.get("class_field", "")
    requests = [
        LayerRequest(layer, plot_field, annotator_field, class_field=class_field)
        for layer in layers.values()
    ]
    site = read_site(requests, options, extent)
    crowns = _by_annotator(site, annotator_field)
    messages = [*site.all_messages, *check_annotator_spelling(crowns)]
    _check_number(crowns)
    if checks_classes:
        groups = parse_class_groups(values.by_name.get("class_groups", ""))
        checked = check_annotator_classes([crowns], groups)
        crowns = checked.images[0]
        messages += checked.messages
    study_area, area_messages = _study_area(site, excluded, crowns)
    messages += area_messages
    reviewed_areas = {}
    if reviewed is not None:
        reviewed_areas = read_reviewed(reviewed, annotator_field, crowns, site.working_crs)
        study_area, reviewed_messages = default_reviewed_area(study_area, reviewed_areas, crowns)
        messages += reviewed_messages
    messages += _outside_messages(crowns, study_area)
    whole = Drawings(crowns, study_area, reviewed_areas)
    by_plot = _divide_by_plot(whole, bool(plot_field), site.working_crs)
    return DrawingSite(whole, by_plot, site.working_crs, site, messages)


def _check_annotator_field(name: str, layers: Mapping[str, Layer]) -> None:
    """Raise an InputError for a layer without the field that names the annotator."""
    for layer in layers.values():
        if name and not layer.has_field(name):
            raise no_annotator_field_error(layer.name, name)


def _by_annotator(site: Site, annotator_field: str) -> dict[str, Crowns]:
    """Return the crowns of each annotator: of each layer, or of each value of a field.

    Raises:
        InputError: if the field is empty for all polygons.
    """
    if not annotator_field:
        return {layer.crowns.name: layer.crowns for layer in site.layers}
    layers = [layer.crowns for layer in site.layers]
    annotator_of_crown = np.concatenate([_groups(layer) for layer in site.layers])
    names = sort_annotators(annotator_of_crown.tolist(), annotator_field)
    geometry = np.concatenate([layer.geometry for layer in layers])
    ids = np.concatenate([layer.ids for layer in layers])
    if len(np.unique(ids)) < len(ids):
        # Several layers have features with the same id.
        ids = np.arange(len(geometry))
    plots = _concatenate_if_all([layer.plots for layer in layers])
    classes = _concatenate_if_all([layer.classes for layer in layers])
    crowns = {}
    for name in names:
        all_crowns = Crowns.from_validated(geometry, ids, plots, name, layers[0].crs, classes)
        is_own: Bools = annotator_of_crown == name
        crowns[name] = all_crowns.subset(is_own)
    return crowns


def _concatenate_if_all(parts: Sequence[Objects | None]) -> Objects | None:
    """Return the arrays of several layers in one; None if a layer has none."""
    present = [part for part in parts if part is not None]
    if len(present) < len(parts):
        return None
    return np.concatenate(present)


def _groups(layer: CrownLayer) -> Objects:
    """Return the annotators (n,) of the crowns of a layer."""
    return np.empty(0, dtype=object) if layer.groups is None else layer.groups


def _check_number(crowns: Mapping[str, Crowns]) -> None:
    """Raise an InputError if there are too many annotators, or no polygons at all."""
    check_number_of_annotators(len(crowns))
    if not any(map(len, crowns.values())):
        raise no_usable_polygons_error()


def _study_area(
    site: Site, excluded: Any, crowns: Mapping[str, Crowns]
) -> tuple[Any, list[Message]]:
    """Return the study area without the excluded areas, and messages about these.

    Args:
        site: layers of the annotators, and the extent.
        excluded: layer with areas to exclude; None for none.
        crowns: crowns of each annotator by name.

    Raises:
        InputError: if nothing is left of the study area.
    """
    if excluded is None:
        return site.extent, []
    layer = read_areas(excluded, site.working_crs)
    if not len(layer.crowns):
        return site.extent, layer.messages
    area = site.extent
    if area is None:
        all_polygons = np.concatenate([layer.geometry for layer in crowns.values()])
        area = shapely.union_all(all_polygons)
    remaining = shapely.difference(area, shapely.union_all(layer.crowns.geometry))
    if remaining.is_empty:
        raise nothing_left_error()
    return remaining, layer.messages


def _outside_messages(crowns: Mapping[str, Crowns], area: Any) -> list[Message]:
    """Return a message per annotator none of whose polygons lies in the study area.

    Raises:
        InputError: if no polygon of any annotator lies in it.
    """
    if area is None:
        return []
    messages = []
    is_any_inside = False
    for name, annotator_crowns in crowns.items():
        n_polygons = len(annotator_crowns)
        if not n_polygons:
            continue
        if covered_area(annotator_crowns.geometry, area):
            is_any_inside = True
        else:
            messages.append(outside_message(name, n_polygons, OutsideLocation.OUTSIDE))
    if messages and not is_any_inside:
        n_all_polygons = sum(map(len, crowns.values()))
        raise no_polygon_inside_error(n_all_polygons, OutsideLocation.OUTSIDE)
    return messages


def _divide_by_plot(
    drawings: Drawings, has_plots: bool, working: WorkingCrs
) -> dict[str, Drawings]:
    """Return the drawings of each plot by name; under "" without plots.

    Args:
        drawings: drawings of all plots.
        has_plots: True if a field names the plot of each crown.
        working: coordinate system of the crowns.

    Raises:
        InputError: if plots are to be distinguished, and no polygon has one.
    """
    if not has_plots:
        return {"": drawings}
    names: set[Any] = set()
    for crowns in drawings.crowns.values():
        if crowns.plots is not None:
            names.update(crowns.plots.tolist())
    names.discard(None)
    if not names:
        raise InputError(
            "plots.none_named",
            "No polygon has anything in the field that names the plot. Choose another field, or "
            "none.",
        )
    areas = _plot_areas(drawings, sorted(names, key=numeric_sort_key), working)
    by_plot = {}
    for plot, area in areas.items():
        crowns_of_plot = {
            name: crowns.subset(_in_plot(crowns, plot)) for name, crowns in drawings.crowns.items()
        }
        by_plot[plot] = replace(drawings, crowns=crowns_of_plot, study_area=area)
    return by_plot


def _in_plot(crowns: Crowns, plot: str) -> Ints:
    """Return the rows of the crowns of a plot."""
    if crowns.plots is None:
        return np.empty(0, dtype=np.int64)
    return np.flatnonzero(crowns.plots == plot)


def _plots_of_crowns(crowns: Crowns) -> Objects:
    """Return the plot of each crown (n,); None for crowns of a layer without plots."""
    if crowns.plots is None:
        return np.full(len(crowns), None, dtype=object)
    return crowns.plots


def _plot_areas(drawings: Drawings, names: list[str], working: WorkingCrs) -> dict[str, Any]:
    """Return the study area of each plot; None as an area that is unlimited.

    Each polygon of the study area belongs to the plot whose crowns it intersects.

    Args:
        drawings: drawings of all plots.
        names: names of the plots.
        working: coordinate system of the crowns.

    Raises:
        InputError: if a polygon of the study area intersects crowns of several plots.
    """
    if drawings.study_area is None or working.in_pixels:
        return dict.fromkeys(names, drawings.study_area)
    all_crowns = list(drawings.crowns.values())
    plot_of_crown = np.concatenate([_plots_of_crowns(crowns) for crowns in all_crowns])
    crown_tree = shapely.STRtree(np.concatenate([crowns.geometry for crowns in all_crowns]))
    polygons_of_plots: dict[str, list[Any]] = {name: [] for name in names}
    for polygon in shapely.get_parts(drawings.study_area):
        crown_rows = crown_tree.query(polygon, predicate="intersects")
        plots = set(plot_of_crown[crown_rows].tolist()) - {None}
        if len(plots) > 1:
            raise InputError(
                "jobs.area_of_several_plots",
                "A polygon of the study area lies on crowns of several plots ({plots}). Give a "
                "polygon per plot.",
                plots=sorted(plots),
            )
        for plot in plots:
            polygons_of_plots[plot].append(polygon)
    areas = {}
    for plot, polygons in polygons_of_plots.items():
        if polygons:
            areas[plot] = shapely.union_all(polygons)
    return areas
