"""Classes and strata of runs tile by tile.

The names of classes depend on all crowns, so they are decided before the first tile. Each tile
writes the class and the value of the strata of the crowns that it owns as columns. The tables of
classes and strata depend on all crowns, too; they are computed from these columns at the end.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd

from randcrowns.batch.results import ResultsDirectory, none_for_missing, read_table, write_file
from randcrowns.batch.source import Source, read_column
from randcrowns.batch.tile_reading import TileCrowns
from randcrowns.core.arrays import Array, Objects
from randcrowns.core.class_names import class_values
from randcrowns.core.classes.evaluation import ClassEvaluation, class_conclusion
from randcrowns.core.classes.results import compare_scored_classes, stratum_scores
from randcrowns.core.classes.summarise import (
    StrataRequest,
    StrataSummary,
    StrataValues,
    SummariseBy,
    check_request,
    strata_values,
    summarise_values,
)
from randcrowns.core.classes.values import group_layer_classes, parse_class_groups
from randcrowns.core.crowns import Crowns
from randcrowns.core.field_messages import no_class_field_message
from randcrowns.core.messages import Message, merge_layer_messages
from randcrowns.core.scoring.layer import SCORES, CrownScores
from randcrowns.jobs.classes import (
    class_tables,
    read_class_fields,
    requested_strata,
    strata_tables,
    with_field_values,
)
from randcrowns.jobs.parameters import JobValues, read_values

#: Column with the class of each crown.
CLASS_COLUMN = "crown_class"
#: Column with the value by which each crown belongs to a stratum.
STRATA_COLUMN = "strata_value"
# Parameters of classes and strata that both jobs have.
_SHARED_NAMES = (
    "class_field",
    "class_groups",
    "within_classes",
    "summarise_by",
    "strata_field",
    "strata_breaks",
)


@dataclass(frozen=True)
class ClassChoices:
    """Parameters of classes and strata, by which runs with and without tiles are the same.

    Attributes:
        values: values of the job, of which those of classes and strata are used.
        other_parameter: name of the parameter with the class field of the compared layers.
        given: the parameters that differ from their defaults, by name.
    """

    values: JobValues
    other_parameter: str
    given: Mapping[str, Any]

    @classmethod
    def of(cls, job: str, other_parameter: str, options: Mapping[str, Any]) -> ClassChoices:
        """Return the parameters among the arguments of a job.

        Args:
            job: name of the job.
            other_parameter: name of the parameter with the class field of the compared layers.
            options: values by name of the parameter; names of other parameters are ignored.

        Raises:
            InputError: if a value is invalid.
        """
        names = (*_SHARED_NAMES, other_parameter)
        values, changed_values = read_choices(job, {name: options[name] for name in names})
        return cls(values, other_parameter, changed_values)

    def prepare(self, sources: Sequence[Source], extent: Any) -> TileClasses:
        """Check the fields, and decide the names of all classes.

        Args:
            sources: the layer of targets, then those that are compared with it.
            extent: polygon of the image extent, or None.

        Raises:
            InputError: if a field is missing, a value is no class, or there are too many strata.
        """
        targets, *others = sources
        fields = read_class_fields(self.values, self.other_parameter, targets, others)
        messages: list[Message] = []
        names: dict[str, str] = {}
        if fields.targets:
            layers = [(targets, fields.targets)]
            layers += [(source, fields.others) for source in others]
            groups = parse_class_groups(self.values["class_groups"])
            messages, names = name_classes(layers, groups)

        request = requested_strata(self.values, extent)
        if request is not None:
            column = _field_of(request)
            is_numeric = bool(column) and targets.has_numbers(column)
            request = replace(request, is_numeric=is_numeric)
            values = read_column(targets, column) if column else ()
            check_request(with_field_values(request, values, is_numeric))
        return TileClasses(
            target_field=fields.targets,
            other_field=fields.others,
            names=names,
            within_classes=self.values["within_classes"],
            request=request,
            messages=tuple(map(str, merge_layer_messages(messages))),
        )


def read_choices(job: str, options: Mapping[str, Any]) -> tuple[JobValues, dict[str, Any]]:
    """Return values of a job, and those among the options that differ from their defaults.

    Args:
        job: name of the job.
        options: values by name of the parameter.

    Raises:
        InputError: if a value is invalid.
    """
    values = read_values(job, options)
    defaults = read_values(job, {})
    changed_values = {name: values[name] for name in options if values[name] != defaults[name]}
    return values, changed_values


def name_classes(
    layers: Sequence[tuple[Source, str]], groups: Mapping[str, Iterable[str]]
) -> tuple[list[Message], dict[str, str]]:
    """Return notes on the classes of all layers, and the name of each class in the results.

    Args:
        layers: each layer with its class field.
        groups: classes that count as one, by name.

    Raises:
        InputError: if a value is no class, or a group has the name of a class that is in no group.
    """
    messages: list[Message] = []
    # Classes of each layer, or None for a layer without the field.
    all_classes: list[Objects | None] = []
    for source, column in layers:
        if source.has_field(column):
            all_classes.append(class_values(read_column(source, column), source.name))
        else:
            all_classes.append(None)
            messages.append(no_class_field_message(source.name, column))
    layer_names = [source.name for source, _ in layers]
    all_grouped, notes = group_layer_classes(all_classes, groups, layer_names)

    names: dict[str, str] = {}
    for classes, grouped_classes in zip(all_classes, all_grouped):
        if classes is None or grouped_classes is None:
            continue
        is_repeated = pd.Series(classes).duplicated().to_numpy()
        is_first = pd.notna(classes) & ~is_repeated
        names.update(zip(classes[is_first], grouped_classes[is_first]))
    return [*messages, *notes], names


def rename_classes(crowns: Crowns, names: Mapping[str, str]) -> Crowns:
    """Return crowns whose classes have their names in the results; without classes, the same.

    Args:
        crowns: the crowns.
        names: name of each class in the results.
    """
    if crowns.classes is None:
        return crowns
    renamed = np.empty(len(crowns), dtype=object)
    renamed[:] = [names.get(name) for name in crowns.classes]
    return crowns.with_classes(renamed)


@dataclass(frozen=True)
class TileClasses:
    """Classes and strata as every tile of a run needs them.

    Attributes:
        target_field: column with the class of each target; empty for none.
        other_field: column with the class of the crowns of the other layers; empty for none.
        names: name of each class in the results.
        within_classes: True if only crowns of the same class can match.
        request: property of the strata without the values of a field, or None.
        messages: sentences on the classes of the input.
    """

    target_field: str = ""
    other_field: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    within_classes: bool = False
    request: StrataRequest | None = None
    messages: tuple[str, ...] = ()

    @property
    def has_results(self) -> bool:
        """True if there are tables of classes or strata."""
        return bool(self.target_field) or self.request is not None

    @property
    def field_of_strata(self) -> str:
        """Column of the targets that divides them into strata; empty for none."""
        return "" if self.request is None else _field_of(self.request)

    def with_names(self, crowns: Crowns) -> Crowns:
        """Return crowns whose classes have their names in the results."""
        return rename_classes(crowns, self.names)

    def strata_columns(
        self, targets: TileCrowns, others: TileCrowns
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the columns of the strata of the crowns in a tile and its halo; or none.

        Args:
            targets: the targets, with the column of the strata.
            others: crowns of the other layer.
        """
        if self.request is None:
            return {}, {}
        request = self.request
        if self.field_of_strata:
            column = targets.stored.attributes[self.field_of_strata].to_numpy(dtype=object)
            request = with_field_values(request, column, request.is_numeric)
        values = strata_values(request, targets.crowns, others.crowns)
        missing = np.full(len(others.crowns), np.nan)
        other_values = missing if values.delineations is None else values.delineations
        return {STRATA_COLUMN: values.targets}, {STRATA_COLUMN: other_values}

    def summarise(self, targets: Array, others: Array, results: Any) -> StrataSummary:
        """Return the scores of all crowns by strata.

        Args:
            targets: (T,) values of the targets, as the tiles wrote them.
            others: (D,) values of the other crowns; missing if they do not have the property.
            results: :class:`randcrowns.core.classes.summarise.StratumScores` of all crowns.

        Raises:
            InputError: if there are too many strata.
            ValueError: if the run has no strata.
        """
        if self.request is None:
            raise ValueError("the run has no strata")
        by_area = self.request.by in (SummariseBy.AREA, SummariseBy.PIXELS)
        other_values = others.astype(np.float64) if by_area else None
        return summarise_values(self.request, StrataValues(targets, other_values), results)


def _field_of(request: StrataRequest) -> str:
    """Return the field of the strata; empty if they are of a property that is built in."""
    return request.name if request.by is SummariseBy.ATTRIBUTE else ""


def write_tables(
    results: ResultsDirectory,
    values: JobValues,
    classes: TileClasses,
    findings: Iterable[tuple[str, ClassEvaluation | None, StrataSummary | None]],
) -> None:
    """Write the tables of classes and strata as CSV, and keep their sentences in the manifest.

    Args:
        results: the results directory.
        values: values of the job.
        classes: classes and strata of the run.
        findings: name of each layer that was compared with the targets, its classes and strata.
    """
    evaluations = []
    summaries = []
    sentences = [*results.manifest.get("messages", []), *classes.messages]
    for layer, evaluation, strata in findings:
        evaluations.append((layer, evaluation))
        summaries.append((layer, strata))
        if evaluation is not None:
            sentences.append(str(class_conclusion(evaluation, layer)))
        if strata is not None:
            sentences += [str(message) for message in strata.messages]

    tables = class_tables(values, evaluations) | strata_tables(values, summaries)
    for name, table in tables.items():
        content = table.to_csv(index=False).encode("utf-8")
        write_file(results.folder / f"{name}.csv", content)
    results.manifest["messages"] = list(dict.fromkeys(sentences))


def score_findings(
    results: ResultsDirectory, classes: TileClasses, sources: Sequence[Source]
) -> list[tuple[str, ClassEvaluation | None, StrataSummary | None]]:
    """Return the classes and strata of each layer of a scoring run.

    Args:
        results: results with the tables of all tiles.
        classes: classes and strata of the run.
        sources: the layer of targets, then those of delineations.
    """
    layers_with_classes = set()
    if classes.target_field:
        layers_with_classes = {
            source.name for source in sources[1:] if source.has_field(classes.other_field)
        }
    input_columns = []
    if layers_with_classes:
        input_columns.append(CLASS_COLUMN)
    if classes.request is not None:
        input_columns.append(STRATA_COLUMN)
    shared_columns = ["layer", "plot", "target_id", "delineation_id", "status", *input_columns]
    all_targets = _read_rows(results, "targets", [*shared_columns, *SCORES, "rc_problem"])
    all_delineations = _read_rows(results, "delineations", shared_columns)

    choices = results.manifest["choices"]
    findings = []
    for source in sources[1:]:
        targets = _rows_of_layer(all_targets, source.name, "target_id")
        delineations = _rows_of_layer(all_delineations, source.name, "delineation_id")
        no_rows = pd.DataFrame()
        scores = CrownScores(targets, delineations, summary=no_rows, pairs=no_rows)
        plots = targets["plot"].to_numpy(dtype=object) if choices["plot_field"] else None
        evaluation = None
        if source.name in layers_with_classes:
            target_classes = none_for_missing(targets[CLASS_COLUMN])
            delineation_classes = none_for_missing(delineations[CLASS_COLUMN])
            evaluation = compare_scored_classes(
                (target_classes, delineation_classes),
                scores,
                plots,
                all_drawn=choices["all_drawn"],
            )
        strata = None
        if classes.request is not None:
            strata = classes.summarise(
                targets[STRATA_COLUMN].to_numpy(),
                delineations[STRATA_COLUMN].to_numpy(),
                stratum_scores(scores, plots, targets["rc_problem"]),
            )
        findings.append((source.name, evaluation, strata))
    return findings


def _read_rows(results: ResultsDirectory, name: str, columns: Sequence[str]) -> pd.DataFrame:
    """Return columns of the tables of all tiles."""
    return read_table(results.files(name), columns, exact_integers=True)


def _rows_of_layer(table: pd.DataFrame, layer: str, id_column: str) -> pd.DataFrame:
    """Return the rows of a layer by id, which is the order of the crowns in their file."""
    rows = table[table["layer"] == layer]
    return rows.sort_values(id_column, kind="stable", ignore_index=True)
