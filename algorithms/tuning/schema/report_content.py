"""Report and print layout of runs that measured annotators' variance or tuned parameters."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from randcrowns.algorithms.provenance import Provenance
from randcrowns.algorithms.report_content import (
    CrownSheet,
    PrintContent,
    ReportContent,
    ReportCrown,
    ReportTable,
    RunOutputs,
)
from randcrowns.algorithms.tuning.schema.outputs import (
    BEST_VARIANCE,
    CROWNS,
    DELINEATIONS,
    DRAWN,
    EXCLUDED,
    GRID,
    RECOMMENDED,
    VARIANCE,
)
from randcrowns.core.scoring.layer import SCORE_NAMES, SCORES
from randcrowns.layers.localization import format_value, tr
from randcrowns.layers.styles import SERIES_COLOURS, TARGET_COLOUR
from randcrowns.layers.styles.figures import draw_variances
from randcrowns.layers.styles.print_layout import AtlasPages
from randcrowns.report import colours
from randcrowns.report.content import MAX_LISTED_ROWS, Figure, single_figure
from randcrowns.report.score_figures import draw_scatter
from randcrowns.report.tuning_content import sets_note

#: Maximum number of pairs of annotators that colours and markers distinguish.
_MAX_SERIES = 20
#: Size of the plot of two scores, whose axes have the same length, inches.
_SQUARE_INCHES = (4.8, 4.8)
#: Title of the sheet of crowns by the value of column ``example``.
_SHEET_TITLES = {"worst": tr("Worst crowns"), "typical": tr("Typical crowns")}


def _scatter_caption(count: int, n_series: int) -> str:
    """Return the caption of the plot of two scores, which states what the figure distinguishes.

    Args:
        count: number of points.
        n_series: number of pairs of annotators. Up to the number of colours, all points are dots.
    """
    if 1 < n_series <= len(colours.SERIES_COLOURS):
        return tr(
            "Each of the {number:,} points is a pair of a target and a delineation. Colours show "
            "by whom they were drawn. On the dotted line both scores are equal.",
            number=count,
        )
    if 1 < n_series <= _MAX_SERIES:
        return tr(
            "Each of the {count:,} points is a pair of a target and a delineation. Colours and "
            "markers show by whom they were drawn. On the dotted line both scores are equal.",
            count=count,
        )
    return tr(
        "Each of the {number:,} points is a pair of a target and a delineation. On the dotted "
        "line both scores are equal.",
        number=count,
    )


def _plot_scatter(run: RunOutputs) -> list[Figure]:
    """Return the plot of RandCrowns over IoU; none without delineations."""
    pairs = run.table(DELINEATIONS)
    if not len(pairs):
        return []
    n_series = pairs["series"].nunique()
    # Without series, all points have one colour and one marker.
    points = pairs if n_series <= _MAX_SERIES else pairs.drop(columns="series")
    caption = _scatter_caption(len(pairs), n_series)

    def draw(axes: Any) -> None:
        draw_scatter(axes, points)

    medians = [
        f"{SCORE_NAMES[score]} {format_value(float(pairs[score].median()), 2)}"
        for score in ("randcrowns", "iou")
    ]
    title = tr("RandCrowns and IoU of every pair")
    description = tr("RandCrowns against IoU; medians: {numbers}", numbers=tuple(medians))
    return [single_figure(title, draw, caption, description, _SQUARE_INCHES)]


def _plot_variances(run: RunOutputs) -> list[Figure]:
    """Return the plot of the variance over alpha and omega, at the gamma of the best set.

    If no set can be chosen, the gamma of the first set is taken and no set is marked. There is no
    plot without a grid.
    """
    grid = run.table(GRID)
    recommended = run.table(RECOMMENDED)
    if not len(grid):
        return []
    marked_set = None  # alpha and omega
    if len(recommended):
        best_set = recommended.iloc[0]
        marked_set = float(best_set["alpha"]), float(best_set["omega"])
        gamma = float(best_set["gamma"])
    else:
        gamma = float(grid.iloc[0]["gamma"])

    def draw(axes: Any) -> None:
        draw_variances(axes, grid, gamma, marked_set)

    caption = tr(
        "Gamma {gamma:g}; {count:,} sets of alpha and omega. Colour: variance of RandCrowns. Star: "
        "recommended set. Dots: the next best sets. Hatched: sets that cannot be chosen.",
        gamma=gamma,
        count=int((grid["gamma"] == gamma).sum()),
    )
    description = tr(
        "Variance of RandCrowns from {low} to {high}",
        low=format_value(float(grid["variance"].min()), -3),
        high=format_value(float(grid["variance"].max()), -3),
    )
    title = tr("Variance of RandCrowns at the gamma of the best set")
    return [single_figure(title, draw, caption, description)]


def _draw_crown_sheets(run: RunOutputs, maximum: int) -> list[CrownSheet]:
    """Return the sheets with the worst and with the typical crowns, as far as there are any.

    Args:
        run: outputs of the run.
        maximum: maximum number of crowns on a sheet.
    """
    targets = run.table(CROWNS)
    if not len(targets):
        return []
    # The outline of a target is found by its row, which sorting would change.
    targets = targets.assign(row=np.arange(len(targets)))
    description = tr("Red: the target; other colours: its delineations.")
    sheets = []
    for kind, title in _SHEET_TITLES.items():
        # The column "place" contains the rank of a target among the examples of its kind.
        examples = targets[targets["example"] == kind].sort_values("place").head(maximum)
        crowns = [_create_shown_crown(run, target) for _, target in examples.iterrows()]
        if crowns:
            sheets.append(CrownSheet(title, description, crowns))
    return sheets


def _create_shown_crown(run: RunOutputs, target: pd.Series) -> ReportCrown:
    """Return a target with its delineations, mean scores and variance.

    Args:
        run: outputs of the run.
        target: row of the layer of targets, with its number in ``row``.
    """
    delineations = run.table(DELINEATIONS)
    delineation_rows: list[int] = []
    if len(delineations):
        is_of_target = delineations["target"] == target["target"]
        delineation_rows = np.flatnonzero(is_of_target).tolist()
    # The target is drawn last, above its delineations; colours repeat if there are many of them.
    outlines = [
        run.outline(DELINEATIONS, row, colour)
        for row, colour in zip(delineation_rows, itertools.cycle(SERIES_COLOURS))
    ]
    outlines.append(run.outline(CROWNS, int(target["row"]), TARGET_COLOUR))
    scores = [
        (name, format_value(float(target[f"{score}_mean"]), 2))
        for score, name in SCORE_NAMES.items()
    ]
    # Negative digits are significant digits.
    variance = format_value(float(target["randcrowns_variance"]), -3)
    scores.append((tr("variance"), variance))
    return ReportCrown(
        name=f"{target['target_annotator']} {target['target_id']}",
        scores=scores,
        problem="",
        cause="",
        outlines=outlines,
    )


#: Columns of the recommended sets that a report shows: all can be chosen, and are sorted by rank.
_SHOWN_OF_SETS = tuple(
    column.name for column in RECOMMENDED.columns if column.name not in ("assessment", "rank")
)
#: Report content of randcrowns:annotatorvariance.
VARIANCE_CONTENT = ReportContent(
    tables=(
        ReportTable(VARIANCE),
        ReportTable(DRAWN),
        ReportTable(EXCLUDED, ("annotator", "crown_id", "reason"), max_rows=MAX_LISTED_ROWS),
    ),
    map=(CROWNS,),
    extra_outputs=(CROWNS, DELINEATIONS),
    plots=_plot_scatter,
    crowns=_draw_crown_sheets,
)
#: Report content of randcrowns:tuneparameters.
TUNING_CONTENT = ReportContent(
    tables=(
        ReportTable(RECOMMENDED, _SHOWN_OF_SETS, note=sets_note),
        ReportTable(BEST_VARIANCE),
    ),
    extra_outputs=(GRID,),
    plots=_plot_variances,
)


def _list_target_pages(_record: Provenance, _fields: Sequence[str], _shown_part: str) -> AtlasPages:
    """Return the pages of a print layout: a page per target, the largest variance first."""
    mean_and_variance_fields: list[str] = []
    for score in SCORES[:2]:  # more fields do not fit the page
        mean_and_variance_fields += [f"{score}_mean", f"{score}_variance"]
    variance_fields = [f"{score}_variance" for score in SCORE_NAMES]
    return AtlasPages(
        tr("Target {name}"),
        "target_id",
        "randcrowns_variance",
        ("target_id", "target_annotator", *mean_and_variance_fields),
        is_descending=True,
        summary_fields=("target_annotator", "crowns", "missed", *variance_fields),
    )


#: Print layout of randcrowns:annotatorvariance.
PRINT_LAYOUT = PrintContent(
    tr("worst crowns"), CROWNS, VARIANCE, _list_target_pages, has_plot_pages=False
)
