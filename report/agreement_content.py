"""Answer of a run that compared annotators or made a consensus, from its tables, without QGIS."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import pandas as pd

from randcrowns.core.agreement.agreement_messages import AgreementMessage
from randcrowns.core.agreement.blocks import missing_interval_message
from randcrowns.core.messages import abbreviate
from randcrowns.core.thresholds import exceeds, falls_below
from randcrowns.report.content import (
    MAX_TABLE_ROWS,
    Answer,
    Figure,
    Part,
    Table,
    TableContent,
    choose_rows,
    drop_equal_columns,
    has_rows_of_plots,
    single_figure,
)
from randcrowns.report.interval_notes import interval_note
from randcrowns.report.language import cell_decimals, format_interval, format_value, tr
from randcrowns.report.result_figures import draw_pairwise_f1, pairwise_matrix

#: Number of decimals of F1, kappa and error.
_DIGITS = 3
#: Share of its outline below which the table of votes counts a crown of a consensus.
_REMAINDER_SHARE = 0.5
#: Specificity below which it counts as 0.
_NO_SPECIFICITY = 0.0005
#: Number of decimals of shares, percent.
_SHARE_DIGITS = 1
#: Smallest and largest width of the matrix of annotators, inches.
_MATRIX_INCHES = (4.4, 7.2)
#: Number of letters of a name for which a matrix has room, and additional width of each further
#: letter, inches.
_MATRIX_LETTERS = 16
_LETTER_INCHES = 0.06
#: Statistics in the table of plots, and those of them that are areas.
_PLOT_STATISTICS = ("marked_by_any", "mean_f1", "min_f1", "fleiss_kappa", "smyth_bound")
_AREAS = ("marked_by_any",)
#: Maximum number of names in a sentence.
_MAX_NAMES = 5
#: Maximum number of annotators in the sentences on the origin of a consensus.
_MAX_QUOTED_NAMES = 12


def statistic_labels() -> dict[str, str]:
    """Return the labels of the statistics of the answer, in their order."""
    return {
        "mean_f1": tr("Mean pairwise F1"),
        "min_f1": tr("Lowest pairwise F1"),
        "max_f1": tr("Highest pairwise F1"),
        "fleiss_kappa": tr("Fleiss' kappa"),
        "smyth_bound": tr("Smyth's lower bound on the mean error"),
    }


def _meanings() -> dict[str, str]:
    """Return the meanings of statistics of the answer."""
    return {
        "mean_f1": tr(
            "F1 of two annotators: twice the area that both marked, divided by the sum of their "
            "areas, 0 to 1 (Lampert et al. 2016, Eq. 6); mean over all pairs."
        ),
        "fleiss_kappa": tr(
            "Agreement beyond chance of all annotators: 1 if they decide alike everywhere, 0 if "
            "they agree as by chance, below 0 if less (Fleiss 1971)."
        ),
        "smyth_bound": tr(
            "Share of the decisions that are wrong at least, whatever the truth is: where "
            "annotators differ, the minority or the majority must be wrong (Smyth 1996; Lampert "
            "et al. 2016, Eq. 1). 0 if all decide alike."
        ),
    }


def summary_labels() -> dict[str, str]:
    """Return the labels of all statistics of the summary, in their order.

    >>> summary_labels()["annotators"]
    'Number of annotators'
    """
    return {
        "annotators": tr("Number of annotators"),
        "study_area": tr("Counted area"),
        "marked_by_any": tr("Area marked by anybody"),
        "marked_by_all": tr("Area marked by all"),
        **statistic_labels(),
        "raw_agreement": tr("Raw agreement: chance that two annotators decide alike"),
        "krippendorff_alpha": tr("Krippendorff's alpha (nominal)"),
        "gwet_ac1": tr("Gwet's AC1 (high for rare classes in any case)"),
    }


def agreement_answer(summary: pd.DataFrame, annotators: pd.DataFrame) -> Answer:
    """Return how far annotators agree, and which of them is unlike the others.

    Args:
        summary: statistics with the columns ``statistic``, ``value``, ``low`` and ``high``; the
            first row of a statistic is that of all images together. ``marked_blocks`` and, with
            several plots, ``image`` give the reason why intervals are missing.
        annotators: a row per annotator with the column ``annotator`` and, if it was tested,
            ``unlike``: 1 for an annotator who is unlike the others, and ``outlier``: 1 for an
            outlier by the rule of Lampert et al. (2016); may be empty.

    Returns:
        The answer; without sentences if there are no two annotators to compare.
    """
    labels = statistic_labels()
    statistics = summary.drop_duplicates("statistic").set_index("statistic")
    numbers = {
        name: _number_text(statistics.loc[name]) for name in labels if name in statistics.index
    }
    n_annotators = max(_count_annotators(statistics), len(annotators))
    if n_annotators < 2 or "mean_f1" not in numbers:
        return Answer([], None)
    sentence = tr(
        "The {count} annotators agree with a mean F1 by area of {f1}.",
        count=n_annotators,
        f1=numbers["mean_f1"],
    )
    values = statistics["value"].astype(float)
    kappa = kappa_sentence(
        values.get("fleiss_kappa", math.nan), values.get("raw_agreement", math.nan)
    )
    rows = [[labels[name], number] for name, number in numbers.items()]
    meanings = [(labels[name], meaning) for name, meaning in _meanings().items() if name in numbers]
    cells = TableContent([tr("Measure"), tr("Value")], [False, True], rows, meanings)
    has_intervals = bool(statistics["low"].reindex(list(numbers)).notna().any())
    note = interval_note(True) if has_intervals else _missing_interval_note(summary)
    table = Table(tr("Agreement"), cells, note)
    counted = values.get("study_area", math.nan)
    if kappa and not has_unmarked_area(counted, values.get("marked_by_any", math.nan)):
        kappa = f"{kappa} {tr('Kappa means little here: only what somebody marked is counted.')}"
    sentences = [sentence, kappa, *_unlike_sentences(annotators)]
    return Answer([sentence for sentence in sentences if sentence], table)


def _missing_interval_note(summary: pd.DataFrame) -> str:
    """Return the reason why no statistic has an interval; "" if the table does not contain it.

    Args:
        summary: statistics; see :func:`agreement_answer`.
    """
    if "marked_blocks" not in summary or not len(summary):
        return ""
    n_marked_blocks = int(summary["marked_blocks"].iloc[0])
    reason = missing_interval_message(n_marked_blocks, are_plots=has_rows_of_plots(summary))
    return (reason or AgreementMessage.FEW_RESAMPLES).sentence(tr)


def _agreement_by_plot(summary: pd.DataFrame) -> pd.DataFrame:
    """Return a row per plot with a column per statistic; empty without several plots.

    Args:
        summary: statistics; see :func:`agreement_answer`.
    """
    if not has_rows_of_plots(summary):
        return pd.DataFrame()
    of_plots = summary[summary["image"] != summary["image"].iloc[0]]
    values = of_plots.assign(value=of_plots["value"].astype(float))
    return values.pivot_table(
        values="value", index="image", columns="statistic", dropna=False, sort=False
    )


def agreement_plot_parts(summary: pd.DataFrame) -> list[Part]:
    """Return a part with the agreement in each plot; none without several plots.

    Args:
        summary: statistics; see :func:`agreement_answer`. The column ``unit`` has the unit of
            areas.
    """
    by_plot = _agreement_by_plot(summary)
    if not len(by_plot):
        return []
    units = summary.set_index("statistic").get("unit", pd.Series(dtype=object))
    headings = _plot_headings(str(units.get("marked_by_any", pd.Series([""])).iloc[0]))
    columns = [name for name in headings if name in by_plot]
    by_plot = by_plot[columns].rename_axis("plot").reset_index()
    chosen = choose_rows(by_plot, MAX_TABLE_ROWS)
    rows = []
    for plot, *values in chosen.rows.itertuples(index=False):
        texts = []
        for name, value in zip(columns, values):
            digits = cell_decimals(value, 1) if name in _AREAS else _DIGITS
            texts.append("" if math.isnan(value) else format_value(value, digits))
        rows.append([str(plot), *texts])
    titles = [tr("Plot"), *(headings[name] for name in columns)]
    content = TableContent(titles, [False, *(True for _ in columns)], rows)
    content, equal_numbers = drop_equal_columns(content, chosen.rows)
    note = " ".join(filter(None, [equal_numbers, chosen.order]))
    title = tr("Agreement by plot")
    return [Part(title, tables=[Table(title, content, note, chosen.left_out)])]


def _plot_headings(area_unit: str) -> dict[str, str]:
    """Return the headings of the statistics of a plot, in their order.

    Args:
        area_unit: unit of areas; "" if it is unknown.
    """
    labels = summary_labels()
    headings = {name: labels[name] for name in _PLOT_STATISTICS}
    if area_unit:
        headings["marked_by_any"] = f"{headings['marked_by_any']} ({area_unit})"
    return headings


def has_unmarked_area(counted: float, marked: float) -> bool:
    """Return False if the counted area is known to be only what somebody marked.

    Args:
        counted: area that is counted, m²; NaN if it is unknown.
        marked: area that an annotator marked, m²; NaN if it is unknown.
    """
    return math.isnan(counted) or math.isnan(marked) or exceeds(counted, marked)


def kappa_sentence(
    kappa: float, raw_agreement: float, is_short: bool = False, in_marked_area: bool = False
) -> str:
    """Return Fleiss' kappa with the raw agreement and what chance alone gives.

    Kappa can be near 0 although annotators agree: if nearly everything is marked, chance alone
    gives most of the agreement.

    Args:
        kappa: Fleiss' kappa, (raw - chance) / (1 - chance); NaN if it is undefined.
        raw_agreement: chance that two annotators decide alike at a place; NaN if unknown.
        is_short: True for a short form without a verb, for a page of little height.
        in_marked_area: True to say in the short form that only what somebody marked is counted.

    Returns:
        The sentence; "" if kappa is undefined or without a raw agreement below 1.

    >>> kappa_sentence(0.1, 0.7, is_short=True)
    "Fleiss' kappa 0.100 (70.0 % alike, 66.7 % by chance)."
    """
    if math.isnan(kappa) or math.isnan(raw_agreement) or raw_agreement >= 1:
        return ""
    if is_short and in_marked_area:
        template = (
            "Fleiss' kappa in the marked area {kappa} ({agreed} % alike, {chance} % by chance)."
        )
    elif is_short:
        template = "Fleiss' kappa {kappa} ({agreed} % alike, {chance} % by chance)."
    else:
        template = (
            "Fleiss' kappa is {kappa}: two annotators decide alike on {agreed} % of the area, by "
            "chance on {chance} %."
        )
    return tr(
        template,
        kappa=format_value(kappa, _DIGITS),
        agreed=format_value(100 * raw_agreement, _SHARE_DIGITS),
        chance=format_value(100 * (raw_agreement - kappa) / (1 - kappa), _SHARE_DIGITS),
    )


def further_statistics(summary: pd.DataFrame) -> pd.DataFrame:
    """Return the first row of each statistic that the table of the answer does not contain.

    Args:
        summary: statistics; see :func:`agreement_answer`.
    """
    rows = _in_percent(summary.drop_duplicates("statistic", ignore_index=True))
    has_answer = _count_annotators(rows.set_index("statistic")) > 1
    if not has_answer:
        return rows
    return rows[~rows["statistic"].isin(statistic_labels())]


def _in_percent(statistics: pd.DataFrame) -> pd.DataFrame:
    """Return statistics with the raw agreement in percent, as in the answer.

    Args:
        statistics: see :func:`agreement_answer`. Without the column ``unit``, they stay unchanged.
    """
    is_share = statistics["statistic"] == "raw_agreement"
    if "unit" not in statistics or not is_share.any():
        return statistics
    shown = statistics.assign(unit=statistics["unit"].mask(is_share, "%"))
    for column in ("value", "low", "high"):
        numbers = statistics[column].astype(float)
        shown[column] = numbers.where(~is_share, 100 * numbers)
    return shown


def _count_annotators(statistics: pd.DataFrame) -> int:
    """Return the number of annotators; 0 if the table does not contain it.

    Args:
        statistics: first row of each statistic, with the statistic as index.
    """
    if "annotators" not in statistics.index:
        return 0
    return int(statistics["value"].astype(float)["annotators"])


def _number_text(statistic: pd.Series) -> str:
    """Return the value of a statistic, with its interval in brackets if there is one."""
    value, low, high = statistic[["value", "low", "high"]].astype(float)
    return format_interval(value, low, high, _DIGITS)


def _unlike_sentences(annotators: pd.DataFrame) -> list[str]:
    """Return a sentence that names the annotators who are unlike the others; none if untested."""
    if "unlike" not in annotators:
        return []
    is_unlike = annotators["unlike"].astype(float)
    if is_unlike.isna().all():
        return []
    names = [str(name) for name in annotators["annotator"][is_unlike == 1]]
    if names:
        text = "Unlike the others, beyond chance (5 %, adjusted for all annotators): {names}."
        sentence = tr(text, names=abbreviate(names, _MAX_NAMES))
    else:
        text = "No annotator is unlike the others beyond chance (5 %, adjusted for all annotators)."
        sentence = tr(text)
    return [sentence, *_outlier_sentences(annotators, names)]


def _outlier_sentences(annotators: pd.DataFrame, unlike: Sequence[str]) -> list[str]:
    """Return why the table names outliers that the test does not confirm; nothing without any.

    Args:
        annotators: a row per annotator; see :func:`agreement_answer`.
        unlike: names of the annotators who are unlike the others beyond chance.
    """
    if "outlier" not in annotators:
        return []
    is_outlier = annotators["outlier"].astype(float) == 1
    outliers = annotators.loc[is_outlier, "annotator"].astype(str).tolist()
    names = [name for name in outliers if name not in unlike]
    if not names:
        return []
    text = (
        "The table also marks outliers by the rule of Lampert et al. (2016), a mean distance above "
        "mean plus one standard deviation: {names}. This rule marks somebody in most groups, even "
        "if all are alike; the test does not confirm it."
    )
    return [tr(text, names=abbreviate(names, _MAX_NAMES))]


class CrownCounts(NamedTuple):
    """Numbers of a consensus crown by crown."""

    crowns: int  #: number of crowns.
    doubtful: int  #: number of trees that too few annotators drew.


class ConsensusSource(NamedTuple):
    """Origin of a consensus."""

    method: str  #: name of the method.
    annotators: Sequence[str]  #: names of the annotators; may be empty.
    version: str  #: programs with their versions.
    discarded: Sequence[str] = ()  #: annotators whose delineations the method discarded.

    @classmethod
    def with_performance(
        cls, method: str, layers: Sequence[str], version: str, performance: pd.DataFrame
    ) -> ConsensusSource:
        """Return the origin with the names in a table of annotators, if the table has any.

        Args:
            method: name of the method.
            layers: names of the layers of the annotators.
            version: programs with their versions.
            performance: a row per annotator with ``annotator`` and, if the method discards
                annotators, ``kept``; may be empty.

        >>> rows = pd.DataFrame({"annotator": ["ann", "ben"], "kept": [1, 0]})
        >>> ConsensusSource.with_performance("SIMPLE", ["all"], "1.0", rows).discarded
        ['ben']
        """
        if "annotator" not in performance or not len(performance):
            return cls(method, layers, version)
        names = [str(name) for name in performance["annotator"].drop_duplicates()]
        discarded: list[str] = []
        if "kept" in performance:
            pairs = zip(performance["annotator"], performance["kept"])
            discarded = [str(name) for name, is_kept in pairs if float(is_kept) == 0]
        return cls(method, names, version, discarded)

    def sentences(self) -> list[str]:
        """Return how the consensus was made and how to quote it."""
        names = abbreviate([*self.annotators], _MAX_QUOTED_NAMES)
        if not names:
            return [tr("Method: {method}.", method=self.method)]
        origin = tr(
            "It combines the delineations of {annotators} by the method '{method}'.",
            annotators=names,
            method=self.method,
        )
        quote = tr(
            "To quote it: consensus of {annotators}, {method}, made with {version}. Cite the works "
            "that the methods of the report name.",
            annotators=names,
            method=self.method,
            version=self.version,
        )
        if not self.discarded:
            return [origin, quote]
        discarded = tr(
            "The method discarded: {names}.",
            names=abbreviate([*self.discarded], _MAX_QUOTED_NAMES),
        )
        return [origin, discarded, quote]


def consensus_caveats(performance: pd.DataFrame) -> list[str]:
    """Return a warning if an estimate of the true area is all that an annotator marked, or more.

    STAPLE then takes everything outside for false: an annotator who left nothing outside of the
    true area unmarked has the specificity 0.

    Args:
        performance: a row per annotator; ``specificity`` is absent if the method does not estimate
            it.

    >>> rows = pd.DataFrame({"annotator": ["ann", "ben"], "specificity": [0.0, 1.0]})
    >>> consensus_caveats(rows)[0][:34]
    'The method gives ann a specificity'
    """
    if "specificity" not in performance:
        return []
    specificity = performance["specificity"].astype(float)
    names = [str(name) for name in performance["annotator"][specificity < _NO_SPECIFICITY]]
    if not names:
        return []
    return [
        tr(
            "The method gives {names} a specificity of 0: it estimates that nearly everything that "
            "anybody marked is true. Such a consensus is doubtful. Choose a study area, or another "
            "prior or method, and compare the results.",
            names=abbreviate(names, _MAX_NAMES),
        )
    ]


def consensus_answer(
    source: ConsensusSource,
    marked: float,
    by_nobody: float,
    unit: str,
    counts: CrownCounts | None = None,
) -> Answer:
    """Return the area of a consensus, how it was made, and how to quote it.

    Args:
        source: method and annotators of the consensus.
        marked: area of the consensus, unit².
        by_nobody: part of this area that no annotator marked, unit².
        unit: unit of lengths, ``m`` or ``px``.
        counts: numbers of crowns; None for a consensus of areas.

    Returns:
        The answer; without sentences if the area is NaN, as of several consensuses.
    """
    if marked != marked:  # NaN
        return Answer([], None)
    area = _area_text(marked, unit)
    sentence = tr("The consensus has an area of {area}.", area=area)
    note = tr("Crowns that touch form one polygon.") if counts is None else ""
    rows = [[tr("Method"), source.method]]
    if counts is not None:
        rows += [
            [tr("Crowns"), format_value(counts.crowns, 0)],
            [tr("Trees that too few annotators drew"), format_value(counts.doubtful, 0)],
        ]
    rows += [
        [tr("Area of the consensus"), area],
        [tr("Part of this area that nobody marked"), _area_text(by_nobody, unit)],
    ]
    cells = TableContent([tr("Measure"), tr("Value")], [False, True], rows)
    return Answer([sentence, *source.sentences()], Table(tr("Consensus"), cells, note))


def _area_text(area: float, unit: str) -> str:
    """Return an area with its unit; large areas have no decimals."""
    return f"{format_value(area, cell_decimals(area, 1))} {unit}²"


def vote_parts(crowns: pd.DataFrame, unit: str) -> list[Part]:
    """Return a part with the crowns of a consensus by their number of votes; none without votes.

    Args:
        crowns: a row per crown with ``votes`` (number of annotators who drew it), ``area`` (unit²)
            ``mean_iou`` (mean IoU with the crowns it was made from) and ``kept_share`` (share of
            its outline). Results of earlier versions have no ``kept_share``.
        unit: unit of lengths, ``m`` or ``px``.
    """
    if not {"votes", "area", "mean_iou"} <= set(crowns) or not crowns["votes"].notna().any():
        return []
    shares = crowns.get("kept_share", pd.Series(math.nan, index=crowns.index)).astype(float)
    by_votes = (
        crowns.assign(is_remainder=falls_below(shares.to_numpy(), _REMAINDER_SHARE))
        .groupby("votes")
        .agg(
            crowns=("votes", "size"),
            area=("area", "sum"),
            mean_iou=("mean_iou", "mean"),
            remainders=("is_remainder", "sum"),
        )
    )
    rows = [
        [
            format_value(int(votes), 0),
            format_value(int(row.crowns), 0),
            format_value(float(row.area), cell_decimals(float(row.area), 1)),
            format_value(float(row.mean_iou), _DIGITS),
            format_value(int(row.remainders), 0),
        ]
        for votes, row in by_votes.sort_index(ascending=False).iterrows()
    ]
    titles = [
        tr("Votes"),
        tr("Crowns"),
        f"{tr('Area')} ({unit}²)",
        tr("Mean IoU"),
        tr("Less than half left"),
    ]
    meanings = [
        (tr("Votes"), tr("Number of annotators who drew the tree.")),
        (
            tr("Mean IoU"),
            tr(
                "Mean IoU of the crowns of the consensus with the drawings they were made from. "
                "The drawings of one tree agree better with each other than with a crown that "
                "lost area to its neighbours."
            ),
        ),
        (
            tr("Less than half left"),
            tr(
                "Number of crowns with less than half of their outline. Where outlines overlap, "
                "the area belongs to the crown with more votes, then to the crown whose drawings "
                "agree better."
            ),
        ),
    ]
    if shares.isna().all():
        titles, meanings = titles[:-1], meanings[:-1]
        rows = [row[:-1] for row in rows]
    cells = TableContent(titles, [True] * len(titles), rows, meanings)
    title = tr("Crowns by votes")
    return [Part(title, tables=[Table(title, cells)])]


def _matrix_size(names: Sequence[str]) -> tuple[float, float]:
    """Return width and height of a matrix of annotators, inches.

    The cells have the same size. The matrix is wider and higher for long names.

    Args:
        names: names of the annotators.
    """
    side = min(max(_MATRIX_INCHES[0], 1.6 + 0.5 * len(names)), _MATRIX_INCHES[1])
    n_letters = max(map(len, names))
    side += _LETTER_INCHES * max(n_letters - _MATRIX_LETTERS, 0)
    return side, 0.92 * side


def pairs_figure(annotators: pd.DataFrame, pairs: pd.DataFrame) -> Figure | None:
    """Return the figure of the pairwise F1; None if not every pair has a row.

    Args:
        annotators: a row per annotator with the column ``annotator``; may be empty.
        pairs: a row per pair, in the order of the annotators, with the column ``f1``.
    """
    names = list(annotators.get("annotator", ()))
    n_pairs = len(names) * (len(names) - 1) // 2
    if len(names) < 2 or len(pairs) != n_pairs:
        return None
    values = pairs["f1"].to_numpy(dtype=float)
    f1 = pairwise_matrix(values, len(names), 1.0)
    texts = [
        f"{first} – {second} {format_value(value, 2)}"
        for (first, second), value in zip(combinations(names, 2), values)
    ]
    caption = tr(
        "{count} annotators. F1 is twice the area that both marked, divided by the sum of their "
        "areas: 0 (dark) if they share nothing, 1 (bright) if their areas are equal.",
        count=len(names),
    )
    return single_figure(
        tr("F1 of every two annotators"),
        lambda axes: draw_pairwise_f1(axes, f1, names, has_whole_names=True),
        caption,
        tr("F1 of every two annotators: {numbers}", numbers=tuple(texts)),
        _matrix_size(names),
    )
