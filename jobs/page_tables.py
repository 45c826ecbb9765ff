"""Tables and parameters of a job's result as a report shows them, in the words of the toolbox."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from randcrowns.core.messages import abbreviate
from randcrowns.core.scoring.layer import SCORES
from randcrowns.core.status import ALL_PLOTS
from randcrowns.jobs.parameters import (
    ColumnDescription,
    JobParameter,
    OutputDescription,
    describe_jobs,
)
from randcrowns.jobs.tables import name_input
from randcrowns.report.agreement_content import further_statistics, summary_labels
from randcrowns.report.content import (
    MAX_LISTED_ROWS,
    MAX_TABLE_ROWS,
    Table,
    TableContent,
    choose_rows,
    drop_equal_columns,
    drop_single_plots,
    drop_unused_units,
    has_reason,
    split_rows,
    worst_plots_first,
)
from randcrowns.report.detector_content import rows_of_several, rows_with_value, skew_note
from randcrowns.report.explore.content import (
    ColumnKind,
    ColumnRole,
    ExploreColumn,
    PairTable,
)
from randcrowns.report.explore.matched import match_labels
from randcrowns.report.instance_content import COUNT_COLUMNS, METRIC_COLUMNS, PRECISION_COLUMNS
from randcrowns.report.interval_notes import interval_note
from randcrowns.report.language import (
    append_unit,
    cell_decimals,
    format_interval,
    format_value,
    table_has_powers,
    tr,
)
from randcrowns.report.names import display_names, isolate_name
from randcrowns.report.render import minus_sign
from randcrowns.report.score_content import SUMMARY_COUNTS, ScoredLayers
from randcrowns.report.tuning_content import sets_note
from randcrowns.report.words import study_area_text, text_of_key

if TYPE_CHECKING:
    from randcrowns.jobs.tables import JobTables

#: Tables that are not shown: other parts of a report contain them, or they are too long to read.
_NOT_SHOWN = frozenset(
    {
        "pairs",
        "confusion",
        "class_metrics",
        "class_summary",
        "strata",
        "strata_tests",
        "curves",
        "grid",
        "metrics",
        "partitions",
    }
)
#: Output of the toolbox with the summary of each job, if it has another id.
_SUMMARIES = {"rank": "AUCR", "tune": "RECOMMENDED", "variance": "VARIANCE"}
#: Output of the toolbox with each further table, if it has another id than the table has a name.
_OUTPUTS = {
    "annotators": "ANNOTATOR_TABLE",
    "certainty": "CERTAINTY_TABLE",
    "drawn": "DRAWN_CROWNS",
    "predictions": "MATCHED_PREDICTIONS",
    "targets": "MATCHED_TARGETS",
}
#: Further tables that are not shown, by job: the toolbox does not report them, or not for this job.
_NOT_SHOWN_OF_JOBS = {
    "rank": frozenset({"thresholds"}),
    "tune": frozenset({"drawn", "excluded"}),
}
#: Maximum number of rows of tables that are lists of examples.
_MAX_ROWS = {"excluded": MAX_LISTED_ROWS}
#: Function that returns a sentence below a table from its rows, by job and table.
_NOTES = {("rank", "summary"): skew_note, ("tune", "summary"): sets_note}
#: Titles of the two tables with the summary of scores.
_PLOTS_TITLE = "Mean scores by plot"
_THRESHOLDS_TITLE = "Detection at thresholds"
#: Columns of the summary of scores with the layer and plot.
_KEYS = ("layer", "plot")
#: Beginnings of the columns of the summary of scores with detection at thresholds.
_RATES = ("penalised_mean", "recall_", "precision_", "f1_")
#: Titles of the tables with the summary of evaluations, and their columns.
_PRECISION_TITLE = "Average precision"
_EVALUATION_TABLES = {
    "Metrics by plot": METRIC_COLUMNS,
    "Counts by plot": COUNT_COLUMNS,
    _PRECISION_TITLE: PRECISION_COLUMNS,
}
#: Outputs of the algorithm of another job that declare a table, by job and table.
_OUTPUTS_OF_OTHER_JOBS = {
    ("tune", "crowns"): ("variance", "CROWNS"),
    ("tune", "excluded"): ("variance", "EXCLUDED"),
    ("tune", "pairs"): ("variance", "DELINEATIONS"),
    ("variance", "pairs"): ("variance", "DELINEATIONS"),
    ("tune", "drawn"): ("variance", "DRAWN_CROWNS"),
}
#: Jobs whose conclusion contains all numbers of their summary.
_JOBS_WITHOUT_SUMMARY = ("consensus",)
#: Columns of a summary that its readers do not need.
_LEFT_OUT = ("detections", "not_judged")
#: Roles of columns of a page to explore.
_ROLES = {"plot": ColumnRole.PLOT, "image": ColumnRole.PLOT, "status": ColumnRole.STATUS}
#: Maximum number of names in a title.
_MAX_NAMES = 4
#: Numbers of decimals, and of significant digits of variances (negative).
_DIGITS = 3
_VARIANCE_DIGITS = -3


def result_tables(result: JobTables) -> list[Table]:
    """Return the tables of a result without outlines that its answer does not contain."""
    tables = []
    not_shown = _NOT_SHOWN | _NOT_SHOWN_OF_JOBS.get(result.job, frozenset())
    for name, frame in result.tables.items():
        if "geometry" in frame or name in not_shown:
            continue
        if name == "summary" and result.job in _JOBS_WITHOUT_SUMMARY:
            continue
        output = output_of(result.job, name)
        title = name.replace("_", " ").capitalize() if output is None else output.label
        max_rows = _MAX_ROWS.get(name, MAX_TABLE_ROWS)
        note = _NOTES.get((result.job, name))
        for shown_title, shown in _shown_frames(result.job, name, title, frame):
            sentence = "" if note is None else note(shown)
            table = _make_table(shown_title, drop_unused_units(shown), output, max_rows, sentence)
            if table is not None:
                tables.append(table)
    return tables


def output_of(job: str, table: str) -> OutputDescription | None:
    """Return the output of the toolbox with a table of a job; None if the toolbox has none."""
    job, output_id = _OUTPUTS_OF_OTHER_JOBS.get((job, table), (job, output_id_of(job, table)))
    description = describe_jobs().get(job)
    return None if description is None else description.outputs.get(output_id)


def output_id_of(job: str, table: str) -> str:
    """Return the id of the toolbox's output with a table of a job, which it need not have."""
    if table == "summary":
        return _SUMMARIES.get(job, "SUMMARY")
    return _OUTPUTS.get(table, table.upper())


def _shown_frames(
    job: str, name: str, title: str, frame: pd.DataFrame
) -> list[tuple[str, pd.DataFrame]]:
    """Return the title and the rows of each table that shows a table of a result.

    Args:
        job: name of the job.
        name: name of the table.
        title: its title.
        frame: its rows.
    """
    if name == "drawn":
        return [(title, drop_single_plots(frame))]
    if job == "rank" and name == "certainty":
        return [(title, rows_of_several(frame))]
    if name != "summary":
        return [(title, frame)]
    if job == "score":
        return _score_frames(frame)
    if job == "agree":
        # The summary of a results directory has no units.
        rows = further_statistics(frame).reindex(
            columns=["statistic", "value", "low", "high", "unit"]
        )
        labels = summary_labels()
        rows = rows.assign(statistic=[labels.get(key, key) for key in rows["statistic"]])
        return [("Further measures of agreement", rows)]
    if job in ("evaluate", "evaluate-cloud"):
        return _evaluation_frames(frame)
    shown = frame
    if job == "rank":
        # The measure names what is counted, too.
        is_measured = "measure" in frame
        shown = rows_with_value(frame).drop(columns=["counted"] if is_measured else [])
        texts = _describe_column("measure", output_of(job, name)).texts
        shown = shown.drop(columns=[*_LEFT_OUT, "crowns"], errors="ignore")
        return split_rows(title, shown, "measure", lambda key: text_of_key(texts, key))
    if job == "tune":
        # All recommended sets can be chosen, and are sorted by rank.
        shown = frame.drop(columns=["assessment", "rank"], errors="ignore")
    return [(title, shown.drop(columns=[*_LEFT_OUT], errors="ignore"))]


def _score_frames(summary: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    """Return the means by plot, if there are several plots, and the detection at thresholds."""
    layers = ScoredLayers(summary)
    plots = layers.plots
    columns = list(_KEYS)
    for score in SCORES:
        columns += [f"{score}_mean", f"{score}_low", f"{score}_high"]
    columns += SUMMARY_COUNTS
    # The answer names a single layer.
    if len(layers.overall) <= 1:
        columns.remove("layer")
    by_plot = plots[[name for name in columns if name in plots]]
    rates = [name for name in summary if str(name).startswith(_RATES)]
    at_thresholds = layers.overall.reset_index()[["layer", *rates]]
    return [(_PLOTS_TITLE, by_plot), (_THRESHOLDS_TITLE, at_thresholds)]


def _evaluation_frames(summary: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    """Return metrics and counts by plot, if there are several plots, and the average precision."""
    # Tables of counts have no column from which the worst plots are known.
    summary, _ = worst_plots_first(summary)
    is_overall = summary["plot"] == ALL_PLOTS
    plots = summary[~is_overall]
    has_plots = len(plots) > 1
    overall = summary if has_plots else summary[is_overall]
    frames = []
    for title, metrics in _EVALUATION_TABLES.items():
        rows = overall if title == _PRECISION_TITLE else plots
        columns: list[str] = []
        for metric in metrics:
            columns += [metric, f"{metric}_low", f"{metric}_high"]
        available_columns = [name for name in columns if name in rows]
        shown = rows[available_columns].dropna(axis="columns", how="all")
        # The answer contains the numbers of an only plot, except for the average precision.
        if has_plots and shown.shape[1]:
            frames.append((title, pd.concat([rows[["plot"]], shown], axis="columns")))
        elif title == _PRECISION_TITLE:
            frames.append((title, shown))
    return frames


def _make_table(
    title: str,
    frame: pd.DataFrame,
    output: OutputDescription | None,
    max_rows: int,
    sentence: str,
) -> Table | None:
    """Return a table with the intervals in brackets; None without rows or values.

    Args:
        title: title of the table.
        frame: all rows.
        output: output of the toolbox that declares the columns; None without one.
        max_rows: maximum number of rows.
        sentence: sentence below the table; "" for none.
    """
    chosen = choose_rows(frame, max_rows)
    shown = chosen.rows.dropna(axis="columns", how="all")
    if not len(shown) or shown.shape[1] == 0:
        return None
    intervals = {str(name): _interval_of(str(name), shown) for name in shown}
    interval_ends = set(chain.from_iterable(intervals.values()))
    described = {name: _describe_column(name, output) for name in intervals}
    has_powers = _has_powers(
        shown, {name: described[name] for name in intervals if name not in interval_ends}
    )
    headings = []
    is_number = []
    texts_of_columns = []
    explanations = []
    for name, interval in intervals.items():
        if name in interval_ends:
            continue  # in brackets after the value
        column = described[name]
        texts = _column_texts(shown, name, column, interval, has_powers)
        if not any(texts):
            continue  # such as reasons that no row has
        headings.append(column.heading)
        is_number.append(_is_number(shown[name], column))
        texts_of_columns.append(texts)
        if is_number[-1] and column.help:
            explanations.append((column.heading, column.help))
    rows = [list(row) for row in zip(*texts_of_columns)]
    content, equal_numbers = drop_equal_columns(
        TableContent(headings, is_number, rows, explanations), shown
    )
    brackets = interval_note(bool(interval_ends), shown)
    note = " ".join(filter(None, [sentence, brackets, equal_numbers, chosen.order]))
    return Table(title, content.fit_to_page(), note, chosen.left_out)


def explore_columns(job: str, table: str, rows: pd.DataFrame) -> list[ExploreColumn]:
    """Return the columns of a table with outlines, for the page to explore it.

    Args:
        job: name of the job.
        table: name of the table.
        rows: rows of the table without outlines.
    """
    output = output_of(job, table)
    columns = []
    for name in map(str, rows):
        column = _describe_column(name, output)
        is_number = rows[name].dtype.kind in "iuf"
        kind = ColumnKind.NUMBER if is_number else ColumnKind.TEXT
        digits = _digits_of(name, rows[name], column) if is_number else 0
        role = _ROLES.get(name, ColumnRole.OTHER)
        if role is not ColumnRole.OTHER:
            kind = ColumnKind.CATEGORY
        columns.append(
            ExploreColumn(name, column.heading, kind, role, help=column.help, digits=digits)
        )
    return columns


def small_tables(title: str, job: str, table: str, frame: pd.DataFrame) -> list[PairTable]:
    """Return all rows of a table as displayed texts, for the page to explore.

    Args:
        title: title of the table.
        job: name of the job.
        table: name of the table.
        frame: rows of the table.

    Returns:
        A table for each table of the report that has rows.
    """
    output = output_of(job, table)
    frames = _shown_frames(job, table, title, frame)
    return [_small_table(shown_title, shown, output) for shown_title, shown in frames if len(shown)]


def _small_table(title: str, frame: pd.DataFrame, output: OutputDescription | None) -> PairTable:
    """Return rows as displayed texts; columns without any text are left out.

    Args:
        title: title of the table.
        frame: the rows.
        output: output of the toolbox that declares the columns; None without one.
    """
    shown = frame.dropna(axis="columns", how="all")
    described = {name: _describe_column(name, output) for name in map(str, shown)}
    has_powers = _has_powers(shown, described)
    headings = []
    helps = []
    texts_of_columns = []
    for name, column in described.items():
        texts = _column_texts(shown, name, column, (), has_powers)
        if not any(texts):
            continue
        if _is_number(shown[name], column):
            texts = [minus_sign(text) for text in texts]
        headings.append(column.heading)
        helps.append(column.help)
        texts_of_columns.append(texts)
    rows = [list(row) for row in zip(*texts_of_columns)]
    return PairTable(title, headings, rows, helps)


def _describe_column(name: str, output: OutputDescription | None) -> ColumnDescription:
    """Return the declaration of a column.

    A column that the toolbox does not declare has its name in words as heading.

    Args:
        name: name of the column.
        output: output of the toolbox with the table; None without one.
    """
    declared = None if output is None else output.column_of(name)
    if declared is not None:
        return declared
    words = name.replace("_", " ")
    return ColumnDescription(words[:1].upper() + words[1:])


def _is_number(values: pd.Series, column: ColumnDescription) -> bool:
    """Return True if a table shows the values of a column as numbers, not as texts of keys."""
    return values.dtype.kind in "iuf" and not column.texts


def _has_powers(frame: pd.DataFrame, columns: Mapping[str, ColumnDescription]) -> bool:
    """Return True if the variances of a table have powers of ten; see `table_has_powers`.

    Args:
        frame: rows of the table.
        columns: declarations of the shown columns by name.
    """
    return table_has_powers(
        (column.scale * frame[name].dropna().astype(float), _digits_of(name, frame[name], column))
        for name, column in columns.items()
        if _is_number(frame[name], column)
    )


def _interval_of(name: str, frame: pd.DataFrame) -> tuple[str, ...]:
    """Return the columns with the ends of the interval of a column; () without an interval."""
    stem = name.removesuffix("_mean")
    ends = ("low", "high") if name == "value" else (f"{stem}_low", f"{stem}_high")
    return ends if all(end in frame for end in ends) else ()


def _column_texts(
    frame: pd.DataFrame,
    name: str,
    column: ColumnDescription,
    interval: Sequence[str],
    has_powers: bool,
) -> list[str]:
    """Return the values of a column as texts, with their intervals in brackets.

    Args:
        frame: rows of the table.
        name: name of the column.
        column: declaration of the column.
        interval: columns with the ends of its interval; empty without one.
        has_powers: True if the variances of the table have powers of ten.
    """
    values = frame[name]
    if not _is_number(values, column):
        labels = match_labels() if name == "status" else {}
        return [_plain_text(value, {**column.texts, **labels}) for value in values]
    digits = _digits_of(name, values, column)
    low_name, high_name = interval or (name, name)
    shown_values, lows, highs = (
        column.scale * frame[end].astype(float) for end in (name, low_name, high_name)
    )
    are_explained = map(has_reason, frame.to_dict("records"))
    texts = []
    for value, low, high, is_explained in zip(shown_values, lows, highs, are_explained):
        value_digits = cell_decimals(value, digits)
        if math.isnan(value):
            texts.append(tr("n/a") if is_explained else "")
        elif interval:
            texts.append(format_interval(value, low, high, value_digits, has_powers))
        else:
            texts.append(format_value(value, value_digits, has_powers))
    return texts


def _plain_text(value: Any, texts: Mapping[str, str]) -> str:
    """Return a value that is no number as text; empty for a missing one.

    Args:
        value: the value.
        texts: texts of keys; ``1`` is the key of 1 and of True.
    """
    if pd.isna(value):
        return ""
    if isinstance(value, (bool, np.bool_)):
        return texts.get(str(int(value)), "yes" if value else "no")
    return text_of_key(texts, f"{value:g}" if isinstance(value, float) else str(value))


def _digits_of(name: str, values: pd.Series, column: ColumnDescription) -> int | None:
    """Return the number of decimals of a column; negative for a number of significant digits.

    Args:
        name: name of the column.
        values: its values.
        column: declaration of the column. Without a declaration, the values decide.

    Returns:
        The number; None for decimals by the size of each number.
    """
    if column.has_digits:
        return column.digits
    known_values = values.dropna().astype(float)
    has_large = bool((known_values > 1).any())
    if values.dtype.kind in "iu" or (has_large and bool((known_values % 1 == 0).all())):
        return 0
    if name == "value" and has_large:
        return None
    return _VARIANCE_DIGITS if "variance" in name else _DIGITS


def compared_layers(result: JobTables) -> str:
    """Return what was compared with what, from the names of the layers; "" if none is known.

    Long names are cut, and of many names the first ones are given.
    """
    names: dict[str, list[str]] = {}
    for layer in result.inputs:
        if layer.parameter == "extent":
            continue
        names.setdefault(layer.parameter, []).append(layer.name)
    # Both are taken out: annotators beside targets are named nowhere.
    annotator_names = names.pop("annotators", [])
    target_names = names.pop("targets", annotator_names)
    targets = _name_list(target_names)
    others = _name_list(list(chain.from_iterable(names.values())))
    if others and targets:
        return tr("{delineations} compared with {targets}", delineations=others, targets=targets)
    return others or targets


def _name_list(names: list[str]) -> str:
    """Return names separated by commas, without a beginning or end that is too long to read."""
    short_names = display_names(names)
    shown = abbreviate([isolate_name(short_names[name]) for name in names], _MAX_NAMES)
    return ", ".join(shown) if isinstance(shown, tuple) else str(shown)


def parameter_texts(
    result: JobTables, unused: frozenset[str] = frozenset()
) -> list[tuple[str, str]]:
    """Return label and value of each parameter of a result.

    Args:
        result: the result.
        unused: names of parameters that are left out.
    """
    description = describe_jobs().get(result.job)
    if description is None:
        return []
    texts = [(_extent_label(result.job), extent)] if (extent := extent_text(result)) else []
    for name, value in result.parameters.items():
        parameter = description.parameters.get(name)
        if parameter is not None and name not in unused and value not in (None, "", []):
            texts.append((parameter.label, value_text(parameter, value)))
    return texts


def layers_texts(result: JobTables) -> list[tuple[str, str]]:
    """Return name and source of each layer that a job read, and its study area or extent."""
    texts = [
        (layer.name, layer.source or tr("a layer in memory"))
        for layer in result.inputs
        if layer.parameter != "extent" or layer.source
    ]
    extent = extent_text(result)
    return [*texts, (_extent_label(result.job), extent)] if extent else texts


def extent_text(result: JobTables) -> str:
    """Return the study area or image extent of a job, with its size if known; "" without one."""
    extent = name_input(result, "extent")
    used_area = study_area_text(result.messages)
    return f"{extent}: {used_area}" if extent and used_area else extent or used_area


def _extent_label(job: str) -> str:
    """Return the label of the study area or image extent of a job."""
    return tr("Study area") if job in ("agree", "consensus", "rank") else tr("Image extent")


def value_text(parameter: JobParameter, value: Any) -> str:
    """Return the value of a parameter as text, as the toolbox shows it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if parameter.minimum_label and value == parameter.minimum:
        return parameter.minimum_label
    items = value if isinstance(value, (list, tuple)) else [value]
    text = ", ".join(_item_text(parameter, item) for item in items)
    return append_unit(text, parameter.unit)


def _item_text(parameter: JobParameter, value: Any) -> str:
    """Return a number without zeros at its end, the label of an option, or a value as text."""
    if isinstance(value, (int, float)):
        return f"{value:,}" if isinstance(value, int) else f"{value:g}"
    labels = dict(zip(parameter.options, parameter.option_labels))
    return labels.get(str(value), str(value))
