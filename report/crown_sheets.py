"""Selection and texts of the crowns that a report shows: the worst and the most typical ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from randcrowns.core.arrays import Ints
from randcrowns.core.messages import needs_powers
from randcrowns.core.review.example_crowns import typical_crowns, worst_crowns
from randcrowns.core.review.problems import Problem
from randcrowns.core.scoring.layer import SCORE_NAMES, SCORES
from randcrowns.core.status import NOT_FOUND_STATUSES
from randcrowns.core.tuning.variance import CrownKind
from randcrowns.report.colours import LINE_DASHES, LineStyle, outline_style
from randcrowns.report.language import format_value, tr
from randcrowns.report.names import display_names
from randcrowns.report.problems import PROBLEM_COLOURS, problem_label

#: Number of crowns of all layers above which each layer has fewer, but not less than the minimum.
_MAX_CROWNS = 100
_MIN_CROWNS = 3
#: Score from which a crown is shown as 1.00 and is not among the worst.
_PERFECT_SCORE = 0.995
#: Scores that decide which targets of an evaluation are typical.
INSTANCE_SCORES = ("iou", "precision", "recall")


class SheetRows(NamedTuple):
    """Crowns that are shown together."""

    title: str  #: title.
    about: str  #: description.
    rows: Ints  #: (n,) rows of the crowns, in their order.


def drop_repeated_crowns(sheets: Sequence[SheetRows], number: int) -> list[SheetRows]:
    """Return the sheets without the crowns that an earlier sheet shows; no sheet without crowns.

    Args:
        sheets: sheets, whose crowns may be more than ``number``.
        number: maximum number of crowns on a sheet.

    >>> worst = SheetRows("worst", "", np.array([2, 0]))
    >>> typical = SheetRows("typical", "", np.array([0, 3, 2, 1]))
    >>> [sheet.rows.tolist() for sheet in drop_repeated_crowns([worst, typical], 1)]
    [[2], [0]]
    >>> [sheet.rows.tolist() for sheet in drop_repeated_crowns([worst, typical], 2)]
    [[2, 0], [3, 1]]
    """
    shown_rows: set[int] = set()
    new_sheets = []
    for sheet in sheets:
        rows = [row for row in map(int, sheet.rows) if row not in shown_rows][:number]
        if rows:
            new_sheets.append(sheet._replace(rows=np.array(rows, dtype=np.int64)))
        shown_rows.update(rows)
    return new_sheets


class CrownTexts(NamedTuple):
    """Texts below the picture of a crown."""

    name: str  #: name of the crown.
    scores: list[tuple[str, str]]  #: names and formatted values of its scores.
    problem: str = ""  #: tag of the crown; empty for none. See :func:`problem_tag`.
    cause: str = ""  #: cause of the problem, with its name; empty for none.
    problem_colour: str = ""  #: colour of the problem's tag (``#rrggbb``); empty for the default.
    plot: str = ""  #: plot of the crown; empty for none.


def target_name(target: pd.Series) -> str:
    """Return the display name of a target, with its plot if it has one.

    Args:
        target: row of the targets with ``target_id``; ``plot`` only if there are several plots.

    >>> target_name(pd.Series({"target_id": 14, "plot": "north.jpg"}))
    'Target 14, north.jpg'
    """
    return ", ".join(filter(None, [tr("Target {id}", id=target["target_id"]), plot_text(target)]))


def plot_text(target: pd.Series) -> str:
    """Return the plot in a row of targets; "" without one."""
    plot = target.get("plot")
    return "" if pd.isna(plot) else str(plot)


def drop_only_plot(targets: pd.DataFrame) -> pd.DataFrame:
    """Return targets without the column ``plot``, unless there are several plots.

    >>> list(drop_only_plot(pd.DataFrame({"target_id": [1, 2], "plot": "north"})))
    ['target_id']
    """
    has_several = "plot" in targets and len(targets["plot"].dropna().unique()) > 1
    return targets if has_several else targets.drop(columns="plot", errors="ignore")


def variance_sheets(targets: pd.DataFrame, number: int) -> list[SheetRows]:
    """Return the targets whose scores vary most between annotators, and typical ones.

    Args:
        targets: (n,) targets with the columns ``example``, "worst", "typical" or missing, and
            ``place``, the rank among the examples of a kind.
        number: maximum number of crowns on a sheet.

    >>> targets = pd.DataFrame({"example": [None, "worst", "worst"], "place": [None, 2, 1]})
    >>> [(sheet.title, sheet.rows.tolist()) for sheet in variance_sheets(targets, 4)]
    [('Worst crowns', [2, 1])]
    """
    colours = tr("Red: the target; other colours: its delineations.")
    titles = {
        CrownKind.WORST.value: (
            tr("Worst crowns"),
            tr("The largest variance of RandCrowns first."),
        ),
        CrownKind.TYPICAL.value: (tr("Typical crowns"), ""),
    }
    examples = targets.reset_index(drop=True).sort_values("place", kind="stable")
    sheets = []
    for kind, (title, order) in titles.items():
        rows = examples.index[examples["example"] == kind].to_numpy()
        if len(rows):
            sheets.append(SheetRows(title, " ".join(filter(None, [order, colours])), rows))
    return drop_repeated_crowns(sheets, number)


def variance_texts(target: pd.Series, names: Mapping[str, str], has_powers: bool) -> CrownTexts:
    """Return the texts of a target with its mean scores and the variance of its RandCrowns.

    Args:
        target: row of the targets.
        names: display name of each annotator.
        has_powers: True if the variances of the sheet have powers of ten.
    """
    scores = [
        (name, format_value(float(target[f"{score}_mean"]), 2))
        for score, name in SCORE_NAMES.items()
    ]
    # Negative digits are significant digits.
    variance = format_value(float(target["randcrowns_variance"]), -3, has_powers)
    scores.append((tr("variance"), variance))
    annotator = str(target["target_annotator"])
    title = tr("{annotator}: target {id}", annotator=names[annotator], id=target["target_id"])
    return CrownTexts(title, scores)


def sheet_has_powers(targets: pd.DataFrame, sheet: SheetRows) -> bool:
    """Return True if the variances on a sheet have powers of ten, so that all are written alike.

    >>> variances = pd.DataFrame({"randcrowns_variance": [0.02, 7e-4, 8e-4]})
    >>> sheet_has_powers(variances, SheetRows("", "", np.array([0, 1])))
    False
    >>> sheet_has_powers(variances, SheetRows("", "", np.array([1, 2])))
    True
    """
    return needs_powers(targets["randcrowns_variance"].iloc[sheet.rows].astype(float))


def names_of_annotators(targets: pd.DataFrame) -> dict[str, str]:
    """Return the display name of each annotator below pictures; long names are short.

    >>> names_of_annotators(pd.DataFrame({"target_annotator": ["anna", "ben", "anna"]}))
    {'anna': 'anna', 'ben': 'ben'}
    """
    annotators = map(str, targets["target_annotator"])
    return display_names(annotators)


def annotator_lines(pairs: pd.DataFrame) -> dict[str, LineStyle]:
    """Return the style of the outlines of each annotator's delineations.

    Args:
        pairs: a row per pair with ``delineation_annotator``.

    >>> lines = annotator_lines(pd.DataFrame({"delineation_annotator": ["ben", "anna", "ben"]}))
    >>> {name: line.colour for name, line in lines.items()}
    {'anna': '#e69f00', 'ben': '#009e73'}
    """
    names = sorted(pairs["delineation_annotator"].astype(str).unique())
    return {name: outline_style(number) for number, name in enumerate(names)}


def line_legend(lines: Mapping[str, LineStyle]) -> list[tuple[str, str]]:
    """Return the colour of each line with the names of its annotators and its kind.

    Args:
        lines: style of the outlines of each annotator. Of more than 24 annotators, some share one.

    >>> line_legend({"ann": LineStyle("#111111"), "ben": LineStyle("#111111", LINE_DASHES[1])})
    [('#111111', 'ann'), ('#111111', 'ben (dashed)')]
    """
    kinds = dict(
        zip(
            LINE_DASHES,
            ("{name}", tr("{name} (dashed)"), tr("{name} (dotted)"), tr("{name} (dash-dotted)")),
        )
    )
    names = display_names(lines)
    names_by_line: dict[LineStyle, list[str]] = {}
    for annotator, line in lines.items():
        names_by_line.setdefault(line, []).append(names[annotator])
    return [
        (line.colour, kinds[line.dashes].replace("{name}", ", ".join(group)))
        for line, group in names_by_line.items()
    ]


def crowns_per_sheet(number: int, n_layers: int) -> int:
    """Return the number of crowns on a sheet, which is smaller if there are many layers.

    Args:
        number: requested number.
        n_layers: number of delineation layers, each of which has two sheets.

    >>> crowns_per_sheet(10, 1), crowns_per_sheet(10, 12), crowns_per_sheet(10, 100)
    (10, 4, 3)
    """
    return min(number, max(_MIN_CROWNS, _MAX_CROWNS // (2 * max(n_layers, 1))))


def _worst_rows(crowns: pd.DataFrame, score: str, number: int) -> Ints:
    """Return the rows of the crowns with the lowest scores.

    Crowns with a score of 1.00 are not among them, unless all crowns have this score.

    Args:
        crowns: a row per crown with the score and ``target_id``.
        score: column with the score.
        number: maximum number of crowns.
    """
    rows = worst_crowns(crowns, score, number, "target_id")
    scores = crowns[score].to_numpy(dtype=float)[rows]
    is_imperfect = scores < _PERFECT_SCORE
    return rows[is_imperfect] if is_imperfect.any() else rows


def score_sheets(crowns: pd.DataFrame, number: int, layer: str = "") -> list[SheetRows]:
    """Return the worst and the typical targets of a delineation layer; no sheet without crowns.

    Args:
        crowns: scored targets with the scores and ``target_id``.
        number: maximum number of targets on a sheet.
        layer: name of the delineation layer for the titles; "" for the only layer.
    """
    worst_title = tr("Worst crowns")
    typical_title = tr("Typical crowns")
    if layer:
        worst_title = tr("Worst crowns of {layer}", layer=layer)
        typical_title = tr("Typical crowns of {layer}", layer=layer)
    worst = SheetRows(
        worst_title,
        tr(
            "The lowest RandCrowns first; with equal RandCrowns, the lowest id first; red: target, "
            "black: delineation."
        ),
        _worst_rows(crowns, SCORES[0], number),
    )
    typical = SheetRows(
        typical_title,
        tr(
            "Crowns whose three scores are nearest to the medians; red: target, black: delineation."
        ),
        typical_crowns(crowns, SCORES, 2 * number),
    )
    return drop_repeated_crowns([worst, typical], number)


def score_texts(crown: pd.Series) -> CrownTexts:
    """Return the texts of a scored target.

    Args:
        crown: row of the scored targets with ``target_id``, the scores, ``rc_problem``,
            ``rc_cause``, and ``plot`` if there are several plots. Problems that this version does
            not know are not shown.
    """
    scores = [(name, format_value(float(crown[field]), 2)) for field, name in SCORE_NAMES.items()]
    texts = CrownTexts(target_name(crown), scores, plot=plot_text(crown))
    known_problems = {
        named_problem.value: named_problem
        for named_problem in Problem
        if named_problem is not Problem.NONE
    }
    problem = known_problems.get(str(crown["rc_problem"]))
    if problem is None:
        return texts
    not_found = [status.value for status in NOT_FOUND_STATUSES]
    is_not_detected = crown.get("status") in not_found and problem is not Problem.MISSING
    cause = str(crown["rc_cause"] or "")
    return texts._replace(
        problem=problem_tag(problem, cause, is_not_detected),
        cause=cause,
        problem_colour=PROBLEM_COLOURS[problem],
    )


def problem_tag(problem: Problem, cause: str, is_not_detected: bool = False) -> str:
    """Return the tag of a crown: what the sentence with the cause does not state.

    Args:
        problem: problem of the crown.
        cause: sentence with the cause, which names the problem; "" for none.
        is_not_detected: True if the status of the crown states that it was not detected.

    >>> problem_tag(Problem.MERGED, ""), problem_tag(Problem.MERGED, "It covers two: merged")
    ('merged', '')
    """
    if cause:
        return tr("not detected") if is_not_detected else ""
    label = problem_label(problem)
    return tr("not detected: {problem}", problem=label) if is_not_detected else label


def instance_score_labels(are_points: bool = False) -> dict[str, str]:
    """Return the names of the scores of a single target by column of the matched targets.

    Args:
        are_points: True if points are counted, as in a cloud, so that the outlines in a picture
            do not show the IoU.

    >>> instance_score_labels()["precision"]
    'crown precision'
    """
    iou = tr("IoU of points") if are_points else "IoU"
    return {"iou": iou, "precision": tr("crown precision"), "recall": tr("crown recall")}


def undetected_cause(iou: float) -> str:
    """Return why a target of an evaluation was not detected.

    Args:
        iou: IoU with the prediction that fits it best; NaN or 0 without one.

    >>> undetected_cause(0.125)
    'The prediction that fits it best, with an IoU of 0.12, is not its match in detection'
    """
    if not iou > 0:
        return tr("No prediction fits the target")
    return tr(
        "The prediction that fits it best, with an IoU of {iou}, is not its match in detection",
        iou=format_value(iou, 2),
    )


def instance_sheets(
    targets: pd.DataFrame, area: pd.Series, number: int, are_points: bool = False
) -> list[SheetRows]:
    """Return the worst and the typical targets of an evaluation; no sheet without targets.

    Args:
        targets: matched targets with the columns of :data:`INSTANCE_SCORES`.
        area: (n,) area of each target; NaN for one without an outline, which cannot be shown.
        number: maximum number of targets on a sheet.
        are_points: True if points are counted, as in a cloud, and not areas.
    """
    # An unmatched target counts as 0.
    iou = targets["iou"].astype(float).fillna(0.0).where(area.notna())
    ranked = targets.assign(iou=iou)
    colours = tr("red: target, black: prediction.")
    worst = SheetRows(
        tr("Worst targets"),
        tr("The lowest IoU first; with equal IoU, the lowest id first; {colours}", colours=colours),
        _worst_rows(ranked, "iou", number),
    )
    typical = SheetRows(
        tr("Typical targets"),
        tr(
            "Targets whose IoU, precision and recall are nearest to the medians; {colours}",
            colours=colours,
        ),
        typical_crowns(targets, INSTANCE_SCORES, 2 * number),
    )
    explanations = [
        tr(
            "The scores count points, so they are not those of the outlines, which show the trees "
            "only from above."
        )
        if are_points
        else "",
        tr(
            "Crown precision: shared part of the prediction. Crown recall: that of the target. The "
            "table above has the shares of all predictions and targets."
        ),
        tr(
            "A target that was not detected is shown with the prediction that fits it best, if "
            "any. In detection and at thresholds of IoU, a prediction is the match of one target "
            "only, so such a target has an IoU, too."
        ),
    ]
    sheets = drop_repeated_crowns([worst, typical], number)
    if sheets:
        # The second sheet follows the first, so it does not repeat the explanations.
        about = " ".join(filter(None, [sheets[0].about, *explanations]))
        sheets[0] = sheets[0]._replace(about=about)
    return sheets
