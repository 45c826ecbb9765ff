"""Report and print layout of runs that measured annotators' variance or tuned parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from randcrowns.algorithms.provenance import Provenance
from randcrowns.algorithms.report_content import (
    CrownSheet,
    PrintContent,
    ReportAnswer,
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
from randcrowns.layers.localization import tr
from randcrowns.layers.styles import TARGET_COLOUR
from randcrowns.layers.styles.print_layout import AtlasPages
from randcrowns.report.colours import LineStyle
from randcrowns.report.content import MAX_LISTED_ROWS, Figure
from randcrowns.report.crown_sheets import (
    CrownTexts,
    annotator_lines,
    line_legend,
    names_of_annotators,
    sheet_has_powers,
    variance_sheets,
    variance_texts,
)
from randcrowns.report.tuning_content import (
    grid_figures,
    hidden_errors,
    sets_note,
    variance_figures,
    variance_sentences,
)


def _answer_variance(run: RunOutputs) -> ReportAnswer:
    """Return the typical difference between two annotators; the conclusion follows."""
    return ReportAnswer(variance_sentences(run.table(VARIANCE)))


def _answer_tuning(run: RunOutputs) -> ReportAnswer:
    """Return the errors that the recommended sets do not reveal; the conclusion is the answer."""
    return ReportAnswer(caveats=hidden_errors(run.table(RECOMMENDED)))


def _plot_scatter(run: RunOutputs) -> list[Figure]:
    """Return the plot of RandCrowns over IoU of every pair."""
    return variance_figures(run.table(DELINEATIONS))


def _plot_variances(run: RunOutputs) -> list[Figure]:
    """Return the plot of the variance over alpha and omega."""
    return grid_figures(run.table(GRID), run.table(RECOMMENDED))


def _draw_crown_sheets(run: RunOutputs, maximum: int) -> list[CrownSheet]:
    """Return the sheets with the worst and with the typical crowns, as far as there are any.

    Args:
        run: outputs of the run.
        maximum: maximum number of crowns on a sheet.
    """
    targets = run.table(CROWNS)
    if not len(targets):
        return []
    names = names_of_annotators(targets)
    delineations = run.table(DELINEATIONS)
    lines = annotator_lines(delineations) if len(delineations) else {}
    sheets = []
    for sheet in variance_sheets(targets, maximum):
        has_powers = sheet_has_powers(targets, sheet)
        crowns = []
        for row in sheet.rows.tolist():
            target = targets.iloc[row]
            texts = variance_texts(target, names, has_powers)
            crowns.append(_create_shown_crown(run, target, row, texts, lines))
        sheets.append(CrownSheet(sheet.title, sheet.about, crowns, line_legend(lines)))
    return sheets


def _create_shown_crown(
    run: RunOutputs, target: pd.Series, row: int, texts: CrownTexts, lines: Mapping[str, LineStyle]
) -> ReportCrown:
    """Return a target with its delineations, mean scores and variance.

    Args:
        run: outputs of the run.
        target: row of the layer of targets.
        row: position of this row.
        texts: texts below the picture.
        lines: style of the outlines of each annotator's delineations.
    """
    delineations = run.table(DELINEATIONS)
    delineation_rows: list[int] = []
    if len(delineations):
        is_of_target = delineations["target"] == target["target"]
        delineation_rows = np.flatnonzero(is_of_target).tolist()
    outlines = []
    for delineation_row in delineation_rows:
        annotator = str(delineations["delineation_annotator"].iloc[delineation_row])
        line = lines[annotator]
        outline = run.outline(DELINEATIONS, delineation_row, line.colour)
        outlines.append(outline._replace(dashes=line.dashes))
    # The target is drawn last, above its delineations.
    outlines.append(run.outline(CROWNS, row, TARGET_COLOUR))
    return ReportCrown(
        name=texts.name,
        scores=texts.scores,
        problem=texts.problem,
        cause=texts.cause,
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
    answer=_answer_variance,
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
    answer=_answer_tuning,
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
