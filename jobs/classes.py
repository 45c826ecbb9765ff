"""Classes and strata of a job: the fields, their checks, and the tables of results."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, Protocol

import numpy as np
import pandas as pd

from randcrowns.core.arrays import Objects
from randcrowns.core.classes.evaluation import ClassEvaluation
from randcrowns.core.classes.strata_columns import with_problem_columns
from randcrowns.core.classes.summarise import (
    StrataRequest,
    StrataSummary,
    SummariseBy,
    check_request,
    parse_breaks,
)
from randcrowns.core.classes.values import (
    check_class_options,
    group_crown_classes,
    parse_class_groups,
)
from randcrowns.core.errors import InputError
from randcrowns.jobs.parameters import JobValues
from randcrowns.jobs.results import ordered_columns
from randcrowns.jobs.sites import CrownLayer, Site

#: Tables of classes and strata, by the id of the toolbox's output.
_TABLE_NAMES = {
    "CONFUSION": "confusion",
    "CLASS_METRICS": "class_metrics",
    "CLASS_SUMMARY": "class_summary",
    "STRATA": "strata",
    "STRATA_TESTS": "strata_tests",
}


class ClassFields(NamedTuple):
    """Class fields of both sides; "" without classes."""

    targets: str  #: field of the targets.
    others: str  #: field of the layers that are compared with them.


class LayerFields(Protocol):
    """Layer of which the name and the fields are known."""

    @property
    def name(self) -> str:
        """Name of the layer."""

    def has_field(self, name: str) -> bool:
        """Return True if the features have a field of this name."""


def read_class_fields(
    values: JobValues,
    other_parameter: str,
    targets: LayerFields,
    others: Sequence[LayerFields],
) -> ClassFields:
    """Return the class fields of a job, after a check of all values of classes and strata.

    Args:
        values: values of the job.
        other_parameter: name of the parameter with the class field of the other layers.
        targets: target layer.
        others: layers compared with the targets.

    Raises:
        InputError: if a field is missing, or the groups or limits cannot be read.
    """
    parse_class_groups(values["class_groups"])
    parse_breaks(values["strata_breaks"])
    field = values["class_field"]
    class_options = {
        "class_groups": values["class_groups"],
        other_parameter: values[other_parameter],
    }
    check_class_options(field, class_options, "class_field")
    other_field = ""
    if field:
        other_field = values[other_parameter] or field
        _require_field(targets, "class_field", field)
        if not any(layer.has_field(other_field) for layer in others):
            raise InputError(
                "classes.no_field_to_compare",
                "No layer that is compared with the targets has a field '{field}' with classes. "
                "Choose the field of that layer, or leave '{parameter}' empty.",
                field=other_field,
                parameter="class_field",
            )
    elif values["within_classes"]:
        raise InputError(
            "classes.no_field_to_match",
            "Crowns can only be matched within classes if there is a class field. Choose a field "
            "as '{parameter}'.",
            parameter="class_field",
        )
    _check_strata_field(values, targets)
    return ClassFields(field, other_field)


def _check_strata_field(values: JobValues, targets: LayerFields) -> None:
    """Raise an InputError if scores are summarised by a field that is not chosen or missing.

    Args:
        values: values of the job.
        targets: target layer.
    """
    if values["summarise_by"] != SummariseBy.ATTRIBUTE.value:
        return
    if not values["strata_field"]:
        raise InputError(
            "strata.no_field",
            "Choose the field of the targets by which the scores are summarised, as '{parameter}'.",
            parameter="strata_field",
        )
    _require_field(targets, "strata_field", values["strata_field"])


def _require_field(layer: LayerFields, parameter: str, field: str) -> None:
    """Raise an InputError if a layer lacks a field.

    Args:
        layer: the layer.
        parameter: name of the parameter with the field, for the error.
        field: name of the field.
    """
    if not layer.has_field(field):
        raise InputError(
            "classes.no_field",
            "Layer '{name}' has no field '{field}', which is chosen as '{parameter}'.",
            name=layer.name,
            field=field,
            parameter=parameter,
        )


def group_classes_of_site(
    values: JobValues, site: Site, areas: Sequence[CrownLayer] = ()
) -> tuple[Site, list[CrownLayer]]:
    """Return a site and areas with grouped classes; the site has notes about the classes.

    Args:
        values: values of the job.
        site: layers of crowns.
        areas: layers of areas, which need no class.
    """
    groups = parse_class_groups(values["class_groups"])
    layers = [*site.layers, *areas]
    crowns_of_layers = []
    names: list[str | None] = []
    for number, layer in enumerate(layers):
        is_area = number >= len(site.layers)
        crowns_of_layers.append(layer.crowns)
        # A layer without a name gets no messages: areas need no class.
        names.append(None if is_area else layer.crowns.name)
    grouped = group_crown_classes(crowns_of_layers, groups, names)
    new_layers = [replace(layer, crowns=crowns) for layer, crowns in zip(layers, grouped.layers)]
    new_site = replace(
        site,
        layers=tuple(new_layers[: len(site.layers)]),
        messages=[*site.messages, *grouped.messages],
    )
    return new_site, new_layers[len(site.layers) :]


def strata_request(values: JobValues, site: Site) -> StrataRequest | None:
    """Return the property by which the targets of a site are summarised; None without one.

    Raises:
        InputError: if the distance to the edge is chosen without an image extent, or there are too
            many strata.
    """
    pixel_size = site.working_crs.scale if site.working_crs.in_pixels else None
    request = requested_strata(values, site.extent, pixel_size)
    if request is None:
        return None
    if request.by is SummariseBy.ATTRIBUTE:
        layer = site.layers[0]
        column = layer.layer.frame[request.name]
        stratum_values = column.to_numpy(dtype=object)[layer.rows]
        request = with_field_values(request, stratum_values, column.dtype.kind in "iuf")
    check_request(request)
    return request


def requested_strata(
    values: JobValues, extent: Any, pixel_size: float | None = None
) -> StrataRequest | None:
    """Return the property by which a job summarises, without the values of a field; or None.

    Args:
        values: values of the job.
        extent: polygon of the image extent, or None.
        pixel_size: side of a pixel, m, of a layer in pixels; else None.

    Raises:
        InputError: if the limits cannot be read, or the distance to the edge is chosen without an
            image extent.
    """
    by = SummariseBy(values["summarise_by"])
    if by is SummariseBy.NONE:
        return None
    if by is SummariseBy.EDGE and extent is None:
        raise InputError(
            "strata.no_image_extent",
            "The distance to the edge of the image is unknown. Choose the image as image extent, "
            "or summarise by something else.",
        )
    name = values["strata_field"] if by is SummariseBy.ATTRIBUTE else by.value
    return StrataRequest(
        by,
        parse_breaks(values["strata_breaks"]),
        name=name,
        extent=extent,
        pixel_size=pixel_size,
    )


def with_field_values(
    request: StrataRequest, values: Sequence[Any] | Objects, is_numeric: bool
) -> StrataRequest:
    """Return a property with the values of its field.

    Args:
        request: the property.
        values: (T,) values of the targets; missing ones may be None or NaN.
        is_numeric: True if the field contains numbers.
    """
    is_missing = np.asarray(pd.isna(np.asarray(values, dtype=object)))
    known_values = [None if missing else value for value, missing in zip(values, is_missing)]
    return replace(request, values=known_values, is_numeric=is_numeric)


def class_tables(
    values: JobValues, evaluations: Iterable[tuple[str, ClassEvaluation | None]]
) -> dict[str, pd.DataFrame]:
    """Return the tables of classes by name; empty without an evaluation.

    Args:
        values: values of the job.
        evaluations: name of each layer that was compared with the targets, and its classes.
    """
    tables_by_layer = []
    for layer, evaluation in evaluations:
        if evaluation is None:
            continue
        tables = {
            "CONFUSION": evaluation.cells,
            "CLASS_METRICS": evaluation.classes,
            "CLASS_SUMMARY": evaluation.summary,
        }
        tables_by_layer.append((layer, tables))
    return _joined(values, tables_by_layer)


def strata_tables(
    values: JobValues, summaries: Iterable[tuple[str, StrataSummary | None]]
) -> dict[str, pd.DataFrame]:
    """Return the tables of strata by name; empty without a summary.

    Args:
        values: values of the job.
        summaries: name of each layer that was compared with the targets, and its strata.
    """
    tables_by_layer = []
    for layer, summary in summaries:
        if summary is None:
            continue
        tests = summary.tests.assign(differs=summary.tests["differs"].astype(int))
        tables = {"STRATA": with_problem_columns(summary.table), "STRATA_TESTS": tests}
        tables_by_layer.append((layer, tables))
    return _joined(values, tables_by_layer)


def _joined(
    values: JobValues, tables_by_layer: Iterable[tuple[str, Mapping[str, pd.DataFrame]]]
) -> dict[str, pd.DataFrame]:
    """Return the tables of all layers in one table per output, with the toolbox's columns.

    Args:
        values: values of the job.
        tables_by_layer: name of each layer, and its tables by the id of the output.
    """
    frames: dict[str, list[pd.DataFrame]] = {}
    for layer, tables in tables_by_layer:
        for output, table in tables.items():
            frames.setdefault(output, []).append(table.assign(layer=layer))
    return {
        _TABLE_NAMES[output]: ordered_columns(
            pd.concat(parts, ignore_index=True), values.job.columns[output]
        )
        for output, parts in frames.items()
    }
