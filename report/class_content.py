"""Parts of a report about classes and strata: sentences, figures and tables from their outputs."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from typing import Any

import pandas as pd

from randcrowns.core.classes.evaluation import ClassResult
from randcrowns.core.classes.matrix import ArrangedMatrix, MatrixSide, arrange_matrix
from randcrowns.core.classes.strata import stratum_label
from randcrowns.core.classes.summarise import RowKind, SummariseBy, strata_messages
from randcrowns.core.messages import Message, TranslatableText
from randcrowns.core.scoring.layer import SCORE_NAMES
from randcrowns.report.class_words import (
    class_metric_labels,
    class_metric_meanings,
    class_rate_labels,
    class_rate_meanings,
    class_result_labels,
)
from randcrowns.report.colours import relative_luminance
from randcrowns.report.content import Figure, Panel, Part, Table, TableContent
from randcrowns.report.interval_notes import interval_note
from randcrowns.report.language import format_interval, format_value, tr
from randcrowns.report.names import display_names
from randcrowns.report.score_figures import MeanOfLayer
from randcrowns.report.score_panels import describe_means, means_panel, read_score_means
from randcrowns.report.theme import DARK_FIXED_INK, LIGHT_FIXED_INK

#: Maximum number of classes with a row in the figure of a confusion matrix.
_MAX_CLASSES = 30
#: Maximum number of rows of the table of confusions.
_MAX_CONFUSIONS = 20
#: Side of a cell, and width of the labels left of the cells, inches.
_CELL = 0.34
_LABELS = 1.5
#: Height of the legend below the cells, inches.
_LEGEND = 0.55
#: Topic of the messages with the conclusion about classes.
_TOPIC = "classes"
#: Number of decimals of rates, as of all other metrics of a run.
_DIGITS = 3
#: Maximum number of letters of a label.
_MAX_LABEL = 20
#: Colours of cells with right classes, with wrong classes, and with other crowns.
_RIGHT = (0.0, 0.447, 0.698)
_WRONG = (0.835, 0.369, 0.0)
_OTHER = (0.5, 0.5, 0.5)
#: Relative luminance above which a cell contrasts more with black than with white: sqrt(1.05 *
#: 0.05) - 0.05 (WCAG 2.2). The contrast is at least 4.5 to 1 on both sides.
_DARK_INK_ABOVE = 0.179
#: Size of the counts in the cells, points.
_COUNT_SIZE = 8.5


def class_parts(
    confusion: pd.DataFrame, classes: pd.DataFrame, summary: pd.DataFrame
) -> list[Part]:
    """Return a part of a report for each layer whose classes were compared.

    Args:
        confusion: rows of the output Confusion matrix.
        classes: rows of the output Numbers per class.
        summary: rows of the output Numbers of all classes.
    """
    if not len(confusion):
        return []
    layers = list(dict.fromkeys(confusion["layer"]))
    names = display_names(map(str, layers))
    parts = []
    for layer in layers:
        cells = confusion[confusion["layer"] == layer]
        title = (
            tr("Classes") if len(layers) == 1 else tr("Classes of {layer}", layer=names[str(layer)])
        )
        tables = [
            _summary_table(summary[summary["layer"] == layer]),
            _confusion_table(cells),
            _class_table(classes[classes["layer"] == layer], cells),
        ]
        is_undefined = not tables[0].cells.rows
        sentences = [tr("The numbers of all classes are undefined.")] if is_undefined else []
        filled_tables = [table for table in tables if table.cells.rows]
        parts.append(Part(title, sentences, [_confusion_figure(cells)], filled_tables))
    return parts


def class_sentences(headline: Sequence[Message]) -> list[str]:
    """Return the sentences about classes in the conclusion of a run."""
    return [message.sentence(tr) for message in headline if message.topic == _TOPIC]


def _summary_table(summary: pd.DataFrame) -> Table:
    """Return the defined numbers of all classes as a table, with their intervals in brackets."""
    labels = class_metric_labels()
    texts = class_metric_meanings()
    rows = []
    meanings = []
    for row in summary.to_dict("records"):
        metric = str(row["metric"])
        value, low, high = (float(row[name]) for name in ("value", "low", "high"))
        if not math.isnan(value):
            label = labels.get(metric, metric)
            rows.append([label, format_interval(value, low, high, _DIGITS)])
            if metric in texts:
                meanings.append((label, texts[metric]))
    content = TableContent([tr("Measure"), tr("Value")], [False, True], rows, meanings)
    return Table(tr("Numbers of all classes"), content, _interval_note(summary, ["low"]))


def _confusion_figure(cells: pd.DataFrame) -> Figure:
    """Return the confusion matrix as a figure, the most confused classes first."""
    matrix = _shorten(arrange_matrix(cells))
    width = _LABELS + _CELL * len(matrix.columns)
    height = _LABELS + _CELL * len(matrix.rows) + _LEGEND
    n_crowns = int(cells["crowns"].sum())
    caption = tr(
        "Rows: class of the targets, and a row for predictions without a target. Columns: class "
        "of the matches, and a column for targets that were not detected. Numbers: {n:,} targets "
        "and predictions without a target. The stronger the colour of a cell, the larger its share "
        "of the row; the most confused classes come first.",
        n=n_crowns,
    )
    panel = Panel(lambda axes: draw_confusion(axes, matrix), width, height, _describe(matrix))
    return Figure(tr("Confusion matrix"), [panel], caption)


def _shorten(matrix: ArrangedMatrix) -> ArrangedMatrix:
    """Return a matrix with at most :data:`_MAX_CLASSES` classes, the most confused ones."""
    rows = [number for number, side in enumerate(matrix.rows) if _is_shown(number, side)]
    columns = [number for number, side in enumerate(matrix.columns) if _is_shown(number, side)]
    return ArrangedMatrix(
        tuple(matrix.rows[number] for number in rows),
        tuple(matrix.columns[number] for number in columns),
        matrix.counts[rows][:, columns],
    )


def _is_shown(number: int, side: MatrixSide) -> bool:
    """Return True if a row or column is no class, or one of the first classes."""
    return side.result is not None or number < _MAX_CLASSES


def _describe(matrix: ArrangedMatrix) -> str:
    """Return the description of a confusion matrix for readers who cannot see it."""
    confusions = []
    for row, side in enumerate(matrix.rows):
        for column, other in enumerate(matrix.columns):
            count = int(matrix.counts[row, column])
            if count and matrix.result_at(row, column) is ClassResult.WRONG:
                confusions.append((count, side.label, other.label))
    confusions.sort(key=lambda confusion: -confusion[0])
    texts = [
        tr("{reference} taken as {predicted}: {count:,}", reference=a, predicted=b, count=count)
        for count, a, b in confusions[:_MAX_CONFUSIONS]
    ]
    return tr("Confusion matrix. {numbers}", numbers=tuple(texts or [tr("no confusion")]))


def draw_confusion(axes: Any, matrix: ArrangedMatrix) -> None:
    """Draw a confusion matrix as coloured cells with numbers.

    Args:
        axes: matplotlib axes to draw on.
        matrix: the matrix.
    """
    from matplotlib.patches import Rectangle

    shares = matrix.shares
    for row in range(len(matrix.rows)):
        for column in range(len(matrix.columns)):
            count = int(matrix.counts[row, column])
            if not count:
                continue
            weight = 0.15 + 0.85 * float(shares[row, column])
            colour = _cell_colour(matrix.result_at(row, column), weight)
            axes.add_patch(Rectangle((column, row), 1, 1, facecolor=colour, linewidth=0))
            is_light = relative_luminance(*colour) > _DARK_INK_ABOVE
            axes.text(
                column + 0.5,
                row + 0.5,
                format_value(count, 0),
                ha="center",
                va="center",
                color=DARK_FIXED_INK if is_light else LIGHT_FIXED_INK,
                fontsize=_COUNT_SIZE,
            )
    axes.set_xlim(0, len(matrix.columns))
    axes.set_ylim(len(matrix.rows), 0)
    axes.set_aspect("equal")
    axes.xaxis.tick_top()
    axes.set_xticks([number + 0.5 for number in range(len(matrix.columns))])
    axes.set_xticklabels(_side_labels(matrix.columns), rotation=90, fontsize=7)
    axes.set_yticks([number + 0.5 for number in range(len(matrix.rows))])
    axes.set_yticklabels(_side_labels(matrix.rows), fontsize=7)
    axes.tick_params(length=0)
    results = {
        matrix.result_at(row, column) for row, column in zip(*map(list, matrix.counts.nonzero()))
    }
    _add_colour_legend(axes, results)


def _add_colour_legend(axes: Any, results: Collection[ClassResult]) -> None:
    """Add a legend of the colours of a confusion matrix below its cells.

    Args:
        axes: matplotlib axes with the matrix.
        results: results of the cells with crowns.
    """
    from matplotlib.patches import Patch

    labels = class_result_labels()
    entries: dict[tuple[float, ...], list[str]] = {}
    for result in ClassResult:
        if result in results:
            colour = _cell_colour(result, 1.0)
            entries.setdefault(colour, []).append(labels[result.value])
    axes.legend(
        handles=[Patch(color=colour, label=", ".join(names)) for colour, names in entries.items()],
        loc="upper right",
        bbox_to_anchor=(1.0, 0.0),
        bbox_transform=axes.transAxes,
        fontsize=7,
        frameon=False,
        borderaxespad=0.4,
    )


def _cell_colour(result: ClassResult, weight: float) -> tuple[float, float, float]:
    """Return the colour of a cell on white; ``weight`` is its strength, 0 to 1."""
    strong = _OTHER
    if result is ClassResult.RIGHT:
        strong = _RIGHT
    elif result is ClassResult.WRONG:
        strong = _WRONG
    red, green, blue = (1 - weight * (1 - part) for part in strong)
    return red, green, blue


def _side_labels(sides: Sequence[MatrixSide]) -> list[str]:
    """Return the labels of rows or columns, at most :data:`_MAX_LABEL` letters each."""
    result_labels = class_result_labels()
    labels = []
    for side in sides:
        label = side.label if side.result is None else result_labels[side.result.value]
        if len(label) > _MAX_LABEL:
            label = f"{label[: _MAX_LABEL - 1]}…"
        labels.append(label)
    return labels


def _confusion_table(cells: pd.DataFrame) -> Table:
    """Return the most frequent confusions as a table."""
    wrong = cells[cells["kind"] == ClassResult.WRONG.value].sort_values(
        ["crowns", "reference", "predicted"], ascending=[False, True, True]
    )
    matched = cells[cells["kind"].isin([ClassResult.RIGHT.value, ClassResult.WRONG.value])]
    n_of_class = matched.groupby("reference")["crowns"].sum()
    rows = [
        [
            str(row.reference),
            str(row.predicted),
            format_value(int(row.crowns), 0),
            format_value(100 * row.crowns / n_of_class[row.reference], 0),
        ]
        for row in wrong.head(_MAX_CONFUSIONS).itertuples()
    ]
    titles = [
        tr("Class of the target"),
        tr("Class of the match"),
        tr("Crowns"),
        tr("Share of the matched targets of the class (%)"),
    ]
    content = TableContent(titles, [False, False, True, True], rows)
    return Table(
        tr("Most frequent confusions"), content, left_out=max(len(wrong) - _MAX_CONFUSIONS, 0)
    )


def _class_table(classes: pd.DataFrame, cells: pd.DataFrame) -> Table:
    """Return the numbers per class as a table; rates have their intervals in brackets.

    Args:
        classes: rows of a layer of the output Numbers per class.
        cells: rows of the layer of the output Confusion matrix.
    """
    counts = {
        "reference": tr("Targets"),
        "predicted": tr("Predictions"),
        "not_judged": tr("Not judged"),
        "found": tr("Detected"),
        "correct": tr("Right class"),
    }
    is_not_judged = cells["kind"] == ClassResult.NOT_JUDGED.value
    n_by_class = cells[is_not_judged].groupby("predicted")["crowns"].sum()
    shown = classes.assign(
        not_judged=[n_by_class.get(name, 0) for name in classes["class"].astype(str)]
    )
    rates = {
        name: label for name, label in class_rate_labels().items() if _has_values(classes, name)
    }
    meanings = [(label, class_rate_meanings()[name]) for name, label in rates.items()]
    if is_not_judged.any():
        meaning = tr(
            "Predictions of the class without a target, where only some crowns were drawn: they "
            "may be right, so they are no false detections."
        )
        meanings.insert(0, (counts["not_judged"], meaning))
    else:
        del counts["not_judged"]
    rows = []
    for row in shown.to_dict("records"):
        numbers = [format_value(int(row[name]), 0) for name in counts]
        for name in rates:
            low, high = (float(row.get(f"{name}_{end}", math.nan)) for end in ("low", "high"))
            numbers.append(format_interval(float(row[name]), low, high, _DIGITS))
        rows.append([str(row["class"]), *numbers])
    titles = [tr("Class"), *counts.values(), *rates.values()]
    content = TableContent(titles, [False, *(True for _ in titles[1:])], rows, meanings)
    note = _interval_note(classes, (f"{name}_low" for name in rates))
    note = " ".join(filter(None, [note, _shared_matches_note(classes)]))
    return Table(tr("Numbers per class"), content, note)


def _shared_matches_note(classes: pd.DataFrame) -> str:
    """Return the numbers of right predictions if they differ from those of the targets; or "".

    A prediction that is the match of several targets counts once in the user's accuracy.

    Args:
        classes: rows of the output Numbers per class.
    """
    texts = []
    for row in classes.to_dict("records"):
        n_predicted, accuracy = (float(row[name]) for name in ("predicted", "user_accuracy"))
        if math.isnan(accuracy):
            continue
        n_right = round(accuracy * n_predicted)
        if n_right != int(row["correct"]):
            number = format_value(n_right, 0)
            total = format_value(n_predicted, 0)
            text = tr("{name}: {number} of {all}", name=row["class"], number=number, all=total)
            texts.append(text)
    if not texts:
        return ""
    return tr(
        "'Right class' counts targets. A prediction can be the match of several targets, and "
        "counts once in the user's accuracy. Right predictions: {numbers}.",
        numbers=tuple(texts),
    )


def _interval_note(rows: pd.DataFrame, lows: Iterable[str]) -> str:
    """Return the explanation of the intervals of a table; "" if no row has one.

    Args:
        rows: rows of the table.
        lows: columns with the lower ends of the intervals; they may be missing.
    """
    return interval_note(any(_has_values(rows, low) for low in lows))


def _has_values(table: pd.DataFrame, name: str) -> bool:
    """Return True if a table has a column with a value."""
    return name in table and bool(table[name].notna().any())


def strata_parts(
    strata: pd.DataFrame, tests: pd.DataFrame, name: str, unit: str = ""
) -> list[Part]:
    """Return a part of a report for each layer whose scores were summarised by strata.

    Args:
        strata: rows of the output Strata.
        tests: rows of the output Differences between strata.
        name: name of the property of the strata, such as the field.
        unit: unit of the limits between the strata; empty for categories and plain numbers.
    """
    if not len(strata):
        return []
    layers = list(dict.fromkeys(strata["layer"]))
    names = display_names(map(str, layers))
    parts = []
    for layer in layers:
        rows = strata[strata["layer"] == layer]
        layer_tests = tests[tests["layer"] == layer] if len(tests) else tests
        title_name = f"{name} ({unit})" if unit else name
        title = tr("Strata by {name}", name=title_name)
        if len(layers) > 1:
            short_name = names[str(layer)]
            title = tr("Strata by {name}: {layer}", name=title_name, layer=short_name)
        n_strata = int((rows["kind"] == RowKind.STRATUM.value).sum())
        messages = strata_messages(name, layer_tests, n_strata)
        sentences = [message.sentence(tr) for message in messages]
        parts.append(Part(title, sentences, [_strata_figure(rows)], [_strata_table(rows, unit)]))
    return parts


def unit_of_strata(by: str, unit: str) -> str:
    """Return the unit of the limits between strata; empty for categories and plain numbers.

    Args:
        by: property of the strata, a value of
            :class:`randcrowns.core.classes.summarise.SummariseBy`.
        unit: unit of lengths, ``m`` or ``px``.

    >>> unit_of_strata("area", "m"), unit_of_strata("edge", "px"), unit_of_strata("crowding", "m")
    ('m²', 'px', '')
    """
    units = {SummariseBy.AREA.value: f"{unit}²", SummariseBy.EDGE.value: unit}
    return units.get(by, "")


def _strata_figure(rows: pd.DataFrame) -> Figure:
    """Return the mean scores of the strata of a layer with a panel per score."""
    panels = []
    rows = rows[rows["kind"] == RowKind.STRATUM.value]
    for score in SCORE_NAMES:
        if not _has_values(rows, f"{score}_mean"):
            continue
        means = strata_means(rows, score)
        name = SCORE_NAMES[score]
        panels.append(means_panel(means, name, describe_means(name, means)))
    lows = [f"{score}_low" for score in SCORE_NAMES]
    if any(_has_values(rows, low) for low in lows):
        template = (
            "Points: means of the targets of a stratum, {n:,} in total. Bars: 95 % intervals."
        )
    else:
        template = "Points: means of the targets of a stratum, {n:,} in total."
    caption = tr(template, n=int(rows["crowns"].sum()))
    return Figure(tr("Mean scores of the strata"), panels, caption)


def strata_means(strata: pd.DataFrame, score: str) -> list[MeanOfLayer]:
    """Return the mean score of each stratum, with the number of crowns in the name.

    Args:
        strata: rows of one layer of the output Strata.
        score: name of the score.
    """
    rows = strata[strata["kind"] == RowKind.STRATUM.value]
    names = [
        f"{_stratum_label(name)} ({format_value(int(count), 0)})"
        for name, count in zip(rows["stratum"], rows["crowns"])
    ]
    return read_score_means(rows, names, score)


def _strata_table(rows: pd.DataFrame, unit: str) -> Table:
    """Return all rows of a layer: the strata, and the crowns that belong to none of them.

    Cells are empty where a row has no such number, as predictions without a target have no score.

    Args:
        rows: rows of the layer.
        unit: unit of the limits between the strata; may be empty.
    """
    scores = [score for score in SCORE_NAMES if _has_values(rows, f"{score}_mean")]
    has_unmatched = _has_values(rows, "unmatched")
    stratum = f"{tr('Stratum')} ({unit})" if unit else tr("Stratum")
    titles = [stratum, tr("Crowns"), tr("Detected, share")]
    titles += [SCORE_NAMES[score] for score in scores]
    titles += [tr("Predictions without a target")] if has_unmatched else []
    texts = [
        _stratum_names(rows),
        _number_texts(rows["crowns"], 0),
        _number_texts(rows["found_share"], _DIGITS),
    ]
    texts += [_mean_texts(rows, score) for score in scores]
    texts += [_number_texts(rows["unmatched"], 0)] if has_unmatched else []
    cells = [list(row) for row in zip(*texts)]
    content = TableContent(titles, [False, *(True for _ in titles[1:])], cells)
    note = _interval_note(rows, (f"{score}_low" for score in scores))
    return Table(tr("Strata"), content, note)


def _stratum_names(rows: pd.DataFrame) -> list[str]:
    """Return the name of each row of a layer: that of the stratum, or the kind of its crowns."""
    names_of_kinds = {
        RowKind.NO_VALUE.value: tr("no value"),
        RowKind.UNMATCHED.value: tr("predictions without a target"),
    }
    return [
        names_of_kinds.get(str(kind)) or _stratum_label(name)
        for kind, name in zip(rows["kind"], rows["stratum"])
    ]


def _stratum_label(name: Any) -> str:
    """Return the name of a stratum; the limits of numbers are in the language in use."""
    label = stratum_label(str(name))
    return label.sentence(tr) if isinstance(label, TranslatableText) else label


def _number_texts(numbers: pd.Series, digits: int) -> list[str]:
    """Return numbers as texts; empty for missing ones."""
    values = numbers.astype(float)
    return ["" if math.isnan(value) else format_value(value, digits) for value in values]


def _mean_texts(rows: pd.DataFrame, score: str) -> list[str]:
    """Return the mean of a score in each row with its interval; empty for missing ones."""
    means = read_score_means(rows, rows["stratum"], score)
    return ["" if math.isnan(mean.mean) else mean.text for mean in means]
