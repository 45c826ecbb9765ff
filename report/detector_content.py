"""Answer of a run that ranked detectors, from its tables and its conclusion, without QGIS."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pandas as pd

from randcrowns.core.detectors.mean_precision import (
    DEFAULT_MAX_SKEW,
    DEFAULT_MIN_SKEW,
    skew_messages,
)
from randcrowns.core.detectors.tables import AREAS, CROWNS
from randcrowns.core.messages import Message
from randcrowns.report.content import (
    Answer,
    Figure,
    Panel,
    Part,
    Table,
    TableContent,
    single_figure,
)
from randcrowns.report.language import cell_decimals, format_value, tr
from randcrowns.report.methods import DescribedRun
from randcrowns.report.result_figures import (
    P_BAR_CURVE,
    PRECISION_CURVE,
    draw_curve_spread,
    draw_curves,
)
from randcrowns.report.score_figures import PANEL_WIDTH, drawing

#: Topics of the conclusion by the units that were counted: first parts of the keys of messages.
_TOPICS = {CROWNS: "crown_verdict", AREAS: "verdict"}
#: Messages that name the best detector, by the last part of their keys.
_CONCLUSIONS = ("better", "not_better", "not_first")
#: Messages on the differences between the detectors, which the table does not contain.
_DETAILS = ("ahead", "margin", "level")
#: Messages on the recall, which is the result if only some crowns were drawn.
_RECALLS = ("recall", "iou_recall", "partly")
#: Messages with the values of the only detector.
_SINGLE_VALUES = ("one", "one_crowns")
#: Number of decimals of average precision and AUCR, and of shares in percent.
_DIGITS = 3
_SHARE_DIGITS = 1


class _Lead(NamedTuple):
    """Detector with the highest value by one measure."""

    best: str  #: name of the detector.
    is_better: bool  #: True if it can be called better than all others.


class SkewLimits(NamedTuple):
    """Shares of the area that crowns cover, between which P̄ is averaged."""

    low: float  #: lower limit, 0 to 1.
    high: float  #: upper limit, 0 to 1.

    @classmethod
    def of_run(cls, run: DescribedRun) -> SkewLimits | None:
        """Return the limits that were used; None if they follow from the ground truths.

        A record of QGIS contains only the parameters that were given; the others had the defaults.
        """
        parameters = run.record.parameters
        low = parameters.get("MIN_SKEW", DEFAULT_MIN_SKEW)
        high = parameters.get("MAX_SKEW", DEFAULT_MAX_SKEW)
        are_numbers = all(isinstance(limit, (int, float)) for limit in (low, high))
        if not are_numbers or run.used_option("skew_limits").key != "own":
            return None
        return cls(float(low), float(high))

    @property
    def sentence(self) -> str:
        """Sentence that states the limits."""
        return tr(
            "The mean precision is over scenes of which crowns cover {low} to {high} %.",
            **_percent_range(self.low, self.high),
        )


def _percent_range(low: float, high: float) -> dict[str, str]:
    """Return the ends of a range of shares in percent, as texts."""
    ends = {"low": low, "high": high}
    return {
        name: format_value(100 * end, cell_decimals(100 * end, 1)) for name, end in ends.items()
    }


def skew_caveats(scores: pd.DataFrame, limits: SkewLimits | None) -> list[str]:
    """Return a warning if ground truths cover shares of the area beyond the skew limits.

    Args:
        scores: values; see :func:`ranking_answer`. The skew of a ground truth is in ``skew``.
        limits: the limits; None if they follow from the ground truths.

    >>> skew_caveats(pd.DataFrame({"skew": [0.2]}), SkewLimits(0.1, 0.5))
    []
    """
    if limits is None or "skew" not in scores:
        return []
    skews = scores["skew"].astype(float)
    if "image" in scores and len(scores):
        # The rows of all images together come first.
        skews = skews[scores["image"] == scores["image"].iloc[0]]
    return [message.sentence(tr) for message in skew_messages(skews, (limits.low, limits.high))]


def ranking_answer(
    headline: Sequence[Message],
    scores: pd.DataFrame,
    certainty: pd.DataFrame,
    limits: SkewLimits | None = None,
) -> Answer:
    """Return which detector is the best, as a sentence and a table with a row per detector.

    Args:
        headline: conclusion of the run. Without a statement on the best detector, all of its
            sentences are the answer.
        scores: values with the columns ``counted``, ``detector``, ``truth`` and ``value``, and
            ``image`` if there are several images; may be empty.
        certainty: values that the certainty rests on, and share of the bootstrap samples in which
            a detector is first, in the columns ``counted``, ``detector``, ``value`` and
            ``rank_1``; may be empty.
        limits: skew limits that were given; None if they follow from the ground truths.
    """
    caveats = skew_caveats(scores, limits)
    leads = _find_leads(headline)
    if not leads:
        sentences = [message.sentence(tr) for message in headline]
        singles = [message for message in headline if _name_of(message) in _SINGLE_VALUES]
        # A table would repeat the values under the only ground truth.
        has_table = not singles or any(not _has_value(message, "who") for message in singles)
        table = _ranking_table(headline, scores, certainty, limits) if has_table else None
        return Answer(sentences, table, caveats)
    open_topics = {topic for counted, topic in _TOPICS.items() if counted not in leads}
    unknown = [message.sentence(tr) for message in headline if message.topic in open_topics]
    recalls = [message.sentence(tr) for message in headline if _name_of(message) in _RECALLS]
    sentences = [*recalls, _lead_sentence(leads), *unknown]
    return Answer(sentences, _ranking_table(headline, scores, certainty, limits), caveats)


def rows_with_value(scores: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of the scores that have a value or a recall; all rows if none has.

    The notes of a run give the reason why a ground truth could not be made. Of several images, only
    the rows of all of them together are returned, which come first. The recall at an IoU of 0.5 is
    left out if crowns are matched at this IoU, so that it repeats the recall.

    Args:
        scores: values; see :func:`ranking_answer`.
    """
    measures = scores.reindex(columns=["value", "crown_recall"])
    known = scores[measures.notna().any(axis="columns")]
    shown = known if len(known) else scores
    if {"crown_recall", "crown_recall_iou"} <= set(shown):
        recall, recall_at_iou = (
            shown[name].astype(float) for name in ("crown_recall", "crown_recall_iou")
        )
        if recall.equals(recall_at_iou):
            shown = shown.drop(columns="crown_recall_iou")
    if "image" not in shown:
        return shown
    images = shown["image"].replace("", None)
    is_of_all = images.isna() | (images == next(iter(images.dropna()), None))
    return shown[is_of_all].drop(columns="image")


def rows_of_several(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of a table on ranks; none if it contains a single detector.

    Args:
        rows: a row per detector (``detector``), or per ``position`` of rankings; may be empty.

    >>> len(rows_of_several(pd.DataFrame({"position": ["1", "Ground truths"]})))
    0
    """
    if "detector" in rows:
        is_single = rows["detector"].nunique() < 2
    else:
        is_single = "2" not in set(rows.get("position", pd.Series(dtype=str)).astype(str))
    return rows.iloc[:0] if is_single else rows


def ranking_details(headline: Sequence[Message]) -> list[Part]:
    """Return the part of a report on how certain the order of the detectors is; or nothing."""
    sentences = [
        message.sentence(tr)
        for message in headline
        if message.topic in _TOPICS.values() and _name_of(message) in _DETAILS
    ]
    return [Part(tr("Differences between the detectors"), sentences)] if sentences else []


def _name_of(message: Message) -> str:
    """Return the last part of the key of a message."""
    return message.key.rpartition(".")[2]


def _find_leads(headline: Sequence[Message]) -> dict[str, _Lead]:
    """Return the best detector by the units that were counted, as far as it is known."""
    leads = {}
    for counted, topic in _TOPICS.items():
        for message in headline:
            if message.topic == topic and _name_of(message) in _CONCLUSIONS:
                best = _value_of(message, "best")
                leads[counted] = _Lead(best, _name_of(message) == "better")
    return leads


def _lead_sentence(leads: dict[str, _Lead]) -> str:
    """Return the sentence on the best detector by whole crowns, by area, or by both."""
    if len(leads) == 1:
        ((counted, lead),) = leads.items()
        return _single_lead_sentence(counted, lead)
    crowns, areas = leads[CROWNS], leads[AREAS]
    if crowns.best == areas.best:
        return _shared_lead_sentence(crowns.best, crowns.is_better, areas.is_better)
    return _different_leads_sentence(crowns, areas)


def _single_lead_sentence(counted: str, lead: _Lead) -> str:
    """Return the sentence on the best detector by one measure."""
    templates = {
        (CROWNS, True): "By whole crowns, {best} is better than all other detectors.",
        (CROWNS, False): (
            "By whole crowns, {best} comes first, but cannot be called better than the others."
        ),
        (AREAS, True): "By area, {best} is better than all other detectors.",
        (AREAS, False): "By area, {best} comes first, but cannot be called better than the others.",
    }
    return tr(templates[counted, lead.is_better], best=lead.best)


def _shared_lead_sentence(best: str, by_crowns: bool, by_area: bool) -> str:
    """Return the sentence on a detector that comes first by both measures.

    Args:
        best: name of the detector.
        by_crowns: True if it can be called better by whole crowns.
        by_area: True if it can be called better by area.
    """
    templates = {
        (True, True): "{best} is better than all other detectors, by whole crowns and by area.",
        (True, False): (
            "{best} comes first by whole crowns and by area. Only by whole crowns can it be called "
            "better than the others."
        ),
        (False, True): (
            "{best} comes first by whole crowns and by area. Only by area can it be called better "
            "than the others."
        ),
        (False, False): (
            "{best} comes first by whole crowns and by area, but cannot be called better than the "
            "others."
        ),
    }
    return tr(templates[by_crowns, by_area], best=best)


def _different_leads_sentence(crowns: _Lead, areas: _Lead) -> str:
    """Return the sentence on detectors of which one comes first by crowns and one by area."""
    templates = {
        (True, True): (
            "{crowns} is better than all other detectors by whole crowns, {areas} by area."
        ),
        (True, False): (
            "{crowns} is better than all other detectors by whole crowns. {areas} comes first by "
            "area, but cannot be called better."
        ),
        (False, True): (
            "{areas} is better than all other detectors by area. {crowns} comes first by whole "
            "crowns, but cannot be called better."
        ),
        (False, False): (
            "No detector can be called the best: {crowns} comes first by whole crowns and {areas} "
            "by area, but neither can be called better than the others."
        ),
    }
    template = templates[crowns.is_better, areas.is_better]
    return tr(template, crowns=crowns.best, areas=areas.best)


def _ranking_table(
    headline: Sequence[Message],
    scores: pd.DataFrame,
    certainty: pd.DataFrame,
    limits: SkewLimits | None,
) -> Table | None:
    """Return a table with a row per detector, the best first; None without values.

    See :func:`ranking_answer` for the arguments.
    """
    if not len(scores):
        return None
    # A single detector is always the first.
    ranked = rows_of_several(certainty)
    shares = {counted: _certainty_of(ranked, counted, "rank_1") for counted in _TOPICS}
    values = {counted: _certainty_of(certainty, counted, "value") for counted in _TOPICS}
    if not len(values[CROWNS]):
        values[CROWNS] = _mean_values(scores, CROWNS)
    if not len(values[AREAS]):
        values[AREAS] = _mean_values(scores, AREAS, _truth_of_areas(headline))
    titles = {
        CROWNS: (tr("AP, all points"), tr("First by whole crowns (%)")),
        AREAS: ("AUCR", tr("First by area (%)")),
    }
    columns: dict[str, list[str]] = {}
    detectors = _best_first(values)
    for counted, (value_title, share_title) in titles.items():
        if len(values[counted]):
            columns[value_title] = _texts(values[counted], detectors, _DIGITS)
        if len(shares[counted]):
            columns[share_title] = _texts(100 * shares[counted], detectors, _SHARE_DIGITS)
    if not columns:
        return None
    rows = [list(row) for row in zip(detectors, *columns.values())]
    content = TableContent([tr("Detector"), *columns], [False, *(True for _ in columns)], rows)
    has_shares = any(len(share) for share in shares.values())
    measures = [counted for counted in titles if len(values[counted])]
    note = _table_note(headline, measures, has_shares)
    if limits is not None and AREAS in measures:
        note = f"{note} {limits.sentence}"
    return Table(tr("Detectors compared"), content, note)


def _mean_values(scores: pd.DataFrame, counted: str, truth: str = "") -> pd.Series:
    """Return the mean value of each detector over ground truths, without missing ones.

    Args:
        scores: values; see :func:`ranking_answer`.
        counted: units that were counted.
        truth: the only ground truth to use; all of them if it is "" or has no value.
    """
    rows = scores[(scores["counted"] == counted) & scores["value"].notna()]
    if counted == AREAS and "image" in rows:
        # The rows of all images together come first.
        rows = rows[rows["image"] == rows["image"].iloc[0]] if len(rows) else rows
    if (rows["truth"] == truth).any():
        rows = rows[rows["truth"] == truth]
    means: pd.Series = rows.astype({"value": float}).groupby("detector")["value"].mean()
    return means


def _truth_of_areas(headline: Sequence[Message]) -> str:
    """Return the ground truth by which the detectors were ranked by area; "" if unknown."""
    truth_message = next((one for one in headline if one.key == "verdict.truth"), None)
    return "" if truth_message is None else _value_of(truth_message, "truth")


def _has_value(message: Message, name: str) -> bool:
    """Return True if a message has a value of this name."""
    return name in message.values  # noqa: PD011 - the values of a message


def _value_of(message: Message, name: str) -> str:
    """Return a value of a message as text."""
    return str(message.values[name])  # noqa: PD011 - the values of a message


def _certainty_of(certainty: pd.DataFrame, counted: str, column: str) -> pd.Series:
    """Return a column of the certainty by detector, without missing values; empty without any."""
    if not len(certainty) or column not in certainty:
        return pd.Series(dtype=float)
    rows = certainty[certainty["counted"] == counted]
    numbers: pd.Series = rows.set_index("detector")[column].astype(float).dropna()
    return numbers


def _best_first(values: dict[str, pd.Series]) -> list[str]:
    """Return the detectors sorted by their value by whole crowns, and then by area."""
    table = pd.DataFrame(values)
    by = [counted for counted in values if table[counted].notna().any()]
    return list(map(str, table.sort_values(by, ascending=False).index)) if by else []


def _texts(values: pd.Series, detectors: Sequence[str], digits: int) -> list[str]:
    """Return the value of each detector as a text."""
    return [format_value(float(values.get(name, float("nan"))), digits) for name in detectors]


def _table_note(headline: Sequence[Message], measures: Sequence[str], has_shares: bool) -> str:
    """Return what the numbers of the table are, and of how many samples the shares are.

    Args:
        headline: conclusion of the run.
        measures: :data:`AREAS` and :data:`CROWNS`, as far as the table has their values.
        has_shares: True if the table contains shares of the bootstrap samples.
    """
    meanings = {
        CROWNS: tr("AP: average precision of whole crowns, 0 to 1; 1 is best."),
        AREAS: tr("AUCR: area under the curve of mean precision over recall, 0 to 1; 1 is best."),
    }
    truths = [message.sentence(tr) for message in headline if message.key == "crown_verdict.truth"]
    truth = _truth_of_areas(headline)
    if truth:
        truths.append(tr("Ground truth of the AUCR: {truth}.", truth=truth))
    samples = [message.sentence(tr) for message in headline if _name_of(message) == "drawn"]
    explanations = [meanings[counted] for counted in measures]
    return " ".join([*explanations, *truths, *(samples[:1] if has_shares else [])])


def ranking_figures(curves: pd.DataFrame) -> list[Figure]:
    """Return the figures of the curves: whole crowns and areas, as far as a run has them.

    Args:
        curves: rows of the output Curves; may be empty, or lack the columns of units that were not
            counted.
    """
    plots = []
    by_crowns = _curves_with_values(curves, CROWNS, PRECISION_CURVE)
    if len(by_crowns):
        title = tr("Precision and recall of whole crowns")
        plots.append(
            _curve_plot(title, by_crowns, PRECISION_CURVE, _crown_curve_caption(by_crowns))
        )
    by_area = _curves_with_values(curves, AREAS, P_BAR_CURVE)
    if len(by_area):
        n_truths = by_area["truth"].nunique()
        parts = [
            _count_text(by_area, tr("ground truths: {number}", number=n_truths)),
            _spread_text() if n_truths > 1 else "",
            tr(
                "P̄ is the mean precision over all skews between the skew limits of the run. A skew "
                "is the share of the area that crowns cover. Curves further up and right are "
                "better."
            ),
        ]
        title = tr("P̄ and recall of areas, under all ground truths")
        plots.append(_curve_plot(title, by_area, P_BAR_CURVE, " ".join(filter(None, parts))))
    return plots


def _crown_curve_caption(curves: pd.DataFrame) -> str:
    """Return the caption of the curves of crowns."""
    n_truths = curves["truth"].nunique()
    counted = _count_text(curves, tr("annotators: {number}", number=n_truths))
    if n_truths == 1:
        further = tr(
            "Each point of a line counts the crowns above a score. A line falls vertically where "
            "further detections match no crown of the annotator, and ends when all detections are "
            "counted. Curves further up and right are better."
        )
        return f"{counted} {further}"
    further = tr(
        "The precision is the best one at a recall or a higher one, and 0 beyond the end of a "
        "curve, as in the AP. Curves further up and right are better."
    )
    return f"{counted} {_spread_text()} {further}"


def _count_text(curves: pd.DataFrame, truths: str) -> str:
    """Return the numbers of detectors and of ground truths as a text."""
    detectors = tr("Detectors: {number}", number=curves["detector"].nunique())
    return f"{detectors}; {truths}."


def _spread_text() -> str:
    """Return what lines and bands of curves under several ground truths are."""
    return tr(
        "A diagram per detector: the coloured line is the median over the ground truths, the band "
        "spans their lowest to highest value. Grey lines: medians of the other detectors."
    )


def _curves_with_values(curves: pd.DataFrame, counted: str, column: str) -> pd.DataFrame:
    """Return the rows of curves of the units ``counted`` that have a value in a column."""
    if column not in curves:
        return curves.iloc[:0]
    return curves[(curves["counted"] == counted) & curves[column].notna()]


def _curve_plot(title: str, curves: pd.DataFrame, column: str, caption: str) -> Figure:
    """Return a figure of curves over recall.

    Under one ground truth, it has a diagram with a line per detector. Under several, it has a
    diagram per detector, because a reader cannot distinguish the lines of all ground truths.

    Args:
        title: title of the figure.
        curves: rows of the curves.
        column: column of the vertical axis.
        caption: caption of the figure.
    """
    detectors = list(dict.fromkeys(curves["detector"]))
    truths = list(dict.fromkeys(curves["truth"]))
    if len(truths) == 1:
        draw = drawing(draw_curves, curves, detectors, column, str(truths[0]), True)
        return single_figure(title, draw, caption, _describe_curves(curves, column), (4.2, 4.2))
    panels = [
        Panel(
            drawing(draw_curve_spread, curves, detectors, column, name),
            PANEL_WIDTH,
            PANEL_WIDTH,
            _describe_curves(curves[curves["detector"] == name], column),
        )
        for name in detectors
    ]
    return Figure(title, panels, caption)


def skew_note(scores: pd.DataFrame) -> str:
    """Return what a skew is, for the table of values by area; "" for a table without skews.

    Args:
        scores: shown rows of the values.
    """
    if "skew" not in scores or not scores["skew"].notna().any():
        return ""
    return tr(
        "AUCR: area under the curve of P̄ over recall. Skew: share of the study area that the "
        "ground truth marks."
    )


def _describe_curves(curves: pd.DataFrame, column: str) -> str:
    """Return the mean of the curves of each detector as a text, for readers who cannot see them."""
    means = curves.astype({column: float}).groupby("detector", sort=False)[column].mean()
    texts = tuple(f"{name} {format_value(float(mean), 2)}" for name, mean in means.items())
    return tr("Mean precision along the curves: {numbers}", numbers=texts)
