"""Report content and print content of runs that scored crowns."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from qgis.core import QgsVectorLayer

from randcrowns.algorithms.classes.outputs import CLASS_OUTPUTS
from randcrowns.algorithms.classes.report_content import class_and_strata_parts
from randcrowns.algorithms.output_types import Output
from randcrowns.algorithms.provenance import Provenance
from randcrowns.algorithms.report_content import (
    CrownSheet,
    PrintContent,
    ReportAnswer,
    ReportContent,
    ReportCrown,
    ReportTable,
    RunOutputs,
    show_outlines,
)
from randcrowns.algorithms.review_texts import ReviewedLayer
from randcrowns.algorithms.scoring.schema import outputs
from randcrowns.algorithms.scoring.schema.explore_content import explore_scores
from randcrowns.algorithms.scoring.schema.parameters import (
    PLOT_FIELD,
    TOO_LARGE_FROM,
    TOO_SMALL_FROM,
)
from randcrowns.core.arrays import Ints
from randcrowns.core.review.problems import Problem, ProblemLimits
from randcrowns.core.review.verdicts import crowns_to_review
from randcrowns.core.scoring.layer import SCORES
from randcrowns.core.status import NOT_FOUND_STATUSES
from randcrowns.layers.files.verdict_file import geometry_hashes
from randcrowns.layers.localization import tr
from randcrowns.layers.styles import DELINEATION_COLOUR, TARGET_COLOUR
from randcrowns.layers.styles.pictures import Outline
from randcrowns.layers.styles.print_layout import AtlasPages
from randcrowns.layers.styles.score_fields import select_delineations
from randcrowns.report.content import Figure
from randcrowns.report.crown_sheets import (
    SheetRows,
    crowns_per_sheet,
    drop_only_plot,
    plot_text,
    problem_tag,
    score_sheets,
    score_texts,
)
from randcrowns.report.problems import PROBLEM_COLOURS
from randcrowns.report.score_content import (
    SUMMARY_COUNTS,
    ScoredLayers,
    problem_figures,
    score_figures,
    score_run_answer,
)

_MEANS = tuple(f"{score}_mean" for score in SCORES)
_RATES = tuple(
    f"{rate}_{score}_#" for score in SCORES[:2] for rate in ("recall", "precision", "f1")
)
#: Status of targets that were not detected.
_NOT_FOUND = frozenset(status.value for status in NOT_FOUND_STATUSES)


def _list_scored_crowns(run: RunOutputs) -> dict[str, pd.DataFrame]:
    """Return the scored targets with their areas and plots by name of the delineation layer."""
    targets = run.table(outputs.SCORED_TARGETS)
    shapes = run.geometries.get(outputs.SCORED_TARGETS.id, ())
    areas = np.array([shape.area() for shape in shapes])
    area = areas if len(areas) == len(targets) else 0.0
    crowns = outputs.scored_crowns(targets, run.record.results)
    crowns = {run.shown_name(layer): frame.assign(area=area) for layer, frame in crowns.items()}
    plot_field = str(run.record.parameters.get(PLOT_FIELD.id) or "")
    if plot_field in targets.columns:
        plots = targets[plot_field].astype(object).to_numpy()
        crowns = {layer: frame.assign(plot=plots) for layer, frame in crowns.items()}
    return crowns


def _list_scored_layers(run: RunOutputs) -> ScoredLayers:
    """Return the tables of a run for its answer and figures."""
    crowns = _list_scored_crowns(run)
    recorded = run.record.parameters
    limits = ProblemLimits(
        larger=float(recorded.get(TOO_LARGE_FROM.id, ProblemLimits.larger)),
        smaller=float(recorded.get(TOO_SMALL_FROM.id, ProblemLimits.smaller)),
    )
    return ScoredLayers(run.table(outputs.SUMMARY), crowns, limits)


def _answer_scoring(run: RunOutputs) -> ReportAnswer:
    """Return the answer with a table; the conclusion of the run alone without a summary."""
    if not len(run.table(outputs.SUMMARY)):
        return ReportAnswer()
    answer = score_run_answer(_list_scored_layers(run), run.record.headline)
    return ReportAnswer(answer.sentences, answer.table, has_conclusion=False)


def _plot_scores(run: RunOutputs) -> list[Figure]:
    """Return the figures of the scores; none without a summary."""
    if not len(run.table(outputs.SUMMARY)):
        return []
    return score_figures(_list_scored_layers(run))


def _list_problems(run: RunOutputs) -> list[Figure]:
    """Return the figure of the problems; none without a summary."""
    if not len(run.table(outputs.SUMMARY)):
        return []
    return problem_figures(_list_scored_layers(run))


def _map_layers(record: Provenance) -> list[str]:
    """Return the names of the delineation layers; the map shows the scores of the first."""
    return [layer for layer, _ in outputs.read_prefixes(record.results)]


def _map_name(record: Provenance) -> str:
    """Return the name of the map: the layer whose scores give the targets their colours."""
    layers = _map_layers(record)
    return tr("Targets by their RandCrowns with {layer}", layer=layers[0]) if layers else ""


def _style_map(layer: QgsVectorLayer, output: Output, record: Provenance) -> None:
    """Draw outlines alone: the targets, and the first layer's delineations without a target.

    Args:
        layer: scored targets or scored delineations, whose style is changed.
        output: output that the layer is.
        record: provenance of the run.
    """
    show_outlines(layer)
    prefixes = outputs.read_prefixes(record.results)
    if prefixes and output is outputs.SCORED_DELINEATIONS:
        select_delineations(layer, prefixes[0][0])


def _draw_sheets(run: RunOutputs, number: int) -> list[CrownSheet]:
    """Return sheets with the worst and the typical crowns of each delineation layer.

    Args:
        run: outputs of the run.
        number: maximum number of crowns on a sheet. Many layers have fewer crowns each.
    """
    crowns_by_layer = _list_scored_crowns(run)
    crowns_per_layer = crowns_per_sheet(number, len(crowns_by_layer))
    sheets = []
    for layer, crowns in crowns_by_layer.items():
        # The titles name the layer only if there are several.
        title_layer = layer if len(crowns_by_layer) > 1 else ""
        for sheet in score_sheets(crowns, crowns_per_layer, title_layer):
            report_crowns = _report_crowns(run, layer, crowns, sheet.rows)
            sheets.append(
                CrownSheet(sheet.title, _describe_sheet(sheet, report_crowns), report_crowns)
            )
        sheets += _false_detection_sheets(run, layer, crowns_per_layer, title_layer)
    return sheets


def _false_detection_sheets(
    run: RunOutputs, layer: str, number: int, title_layer: str
) -> list[CrownSheet]:
    """Return a sheet with the largest false detections of a delineation layer; [] without any.

    Args:
        run: outputs of the run.
        layer: name of the delineation layer.
        number: maximum number of crowns on a sheet.
        title_layer: name of the layer for the title; "" for the only layer.
    """
    delineations = run.table(outputs.SCORED_DELINEATIONS)
    shapes = run.geometries.get(outputs.SCORED_DELINEATIONS.id, ())
    if len(shapes) != len(delineations) or "rc_problem" not in delineations:
        return []
    is_false = (delineations["layer"] == layer) & (
        delineations["rc_problem"].astype(object) == Problem.EXTRA.value
    )
    rows = np.flatnonzero(is_false.to_numpy())
    areas = np.array([shapes[row].area() for row in rows])
    largest = rows[np.argsort(-areas, kind="stable")][:number]
    if not len(largest):
        return []
    crowns = []
    for row in map(int, largest):
        delineation = delineations.iloc[row]
        cause = str(delineation["rc_cause"] or "")
        crowns.append(
            ReportCrown(
                name=tr("Delineation {id}", id=int(delineation["delineation_id"])),
                scores=[],
                problem=problem_tag(Problem.EXTRA, cause),
                problem_colour=PROBLEM_COLOURS[Problem.EXTRA],
                cause=cause,
                outlines=[run.outline(outputs.SCORED_DELINEATIONS, row, DELINEATION_COLOUR)],
                plot=plot_text(delineation),
            )
        )
    title = tr("False detections")
    if title_layer:
        title = tr("False detections of {layer}", layer=title_layer)
    about = tr("The largest delineations without a target first.")
    return [CrownSheet(title, about, crowns)]


def _describe_sheet(sheet: SheetRows, crowns: Sequence[ReportCrown]) -> str:
    """Return the description of a sheet, which explains the thin lines if there are any."""
    has_thin = any(outline.is_thin for crown in crowns for outline in crown.outlines)
    explanation = tr("Thin lines: delineations that are not its pair.") if has_thin else ""
    return f"{sheet.about} {explanation}".strip()


def _report_crowns(
    run: RunOutputs, layer: str, crowns: pd.DataFrame, rows: Ints
) -> list[ReportCrown]:
    """Return the crowns in these rows with their outlines, scores and problems."""
    has_several_plots = "plot" in drop_only_plot(crowns)
    return [_report_crown(run, layer, crowns.iloc[row], has_several_plots) for row in rows]


def _report_crown(
    run: RunOutputs, layer: str, crown: pd.Series, has_several_plots: bool
) -> ReportCrown:
    """Return a target with its delineation and their scores for a crown sheet.

    Args:
        run: outputs of the run.
        layer: name of the delineation layer.
        crown: row of :func:`_list_scored_crowns`.
        has_several_plots: True to name the plot of the crown.
    """
    target = run.outline(outputs.SCORED_TARGETS, int(crown["row"]), TARGET_COLOUR)
    outlines = [target]
    delineations = run.table(outputs.SCORED_DELINEATIONS)
    if len(delineations):
        is_of_layer = (delineations["layer"] == layer).to_numpy()
        is_match = (delineations["delineation_id"] == crown["delineation_id"]).to_numpy(
            dtype=bool, na_value=False
        )
        if crown["status"] in _NOT_FOUND:
            # A delineation of another plot cannot be that of the target.
            rows = np.flatnonzero(is_of_layer & ~is_match)
            plot_field = str(run.record.parameters.get(PLOT_FIELD.id) or "")
            if plot_field in delineations and "plot" in crown:
                plots = delineations[plot_field].iloc[rows]
                is_in_plot = plots.isna() | (plots.astype(str) == str(crown["plot"]))
                rows = rows[is_in_plot.to_numpy()]
            outlines += _unpaired_outlines(run, target, rows)
        outlines += [
            run.outline(outputs.SCORED_DELINEATIONS, int(row), DELINEATION_COLOUR)
            for row in np.flatnonzero(is_of_layer & is_match)
        ]
    texts = score_texts(crown if has_several_plots else crown.drop("plot", errors="ignore"))
    return ReportCrown(
        outlines=outlines,
        review_key=(layer, int(crown["target_id"])),
        **texts._replace(plot=plot_text(crown))._asdict(),
    )


def _unpaired_outlines(run: RunOutputs, target: Outline, rows: Ints) -> list[Outline]:
    """Return thin outlines of the delineations that overlap a target that was not detected.

    The cause of its problem names one that is not its pair.

    Args:
        run: outputs of the run; its targets and delineations have the same CRS.
        target: outline of the target.
        rows: rows of the scored delineations to search.
    """
    shapes = run.geometries[outputs.SCORED_DELINEATIONS.id]
    return [
        run.outline(outputs.SCORED_DELINEATIONS, int(row), DELINEATION_COLOUR, is_thin=True)
        for row in rows
        if shapes[row].boundingBoxIntersects(target.geometry)
        and shapes[row].intersects(target.geometry)
    ]


def _list_reviewed_crowns(run: RunOutputs) -> list[ReviewedLayer]:
    """Return the crowns of a run that reviewers may have judged, by delineation layer."""
    review_names = {"target_id": "feature_id", "rc_problem": "problem"}
    delineations = run.table(outputs.SCORED_DELINEATIONS)
    delineations = delineations.reindex(columns=["layer", "delineation_id", "rc_problem", "plot"])
    delineations = delineations.rename(columns=review_names)
    delineation_shapes = run.geometries.get(outputs.SCORED_DELINEATIONS.id, ())
    delineations["outline"] = geometry_hashes(delineation_shapes)

    target_shapes = run.geometries.get(outputs.SCORED_TARGETS.id, ())
    layers = []
    for layer, crowns in _list_scored_crowns(run).items():
        names = ["target_id", "rc_problem", "delineation_id", "plot"]
        targets = crowns.reindex(columns=names).rename(columns=review_names)
        targets["outline"] = ""
        if len(target_shapes) == len(targets):
            targets["outline"] = geometry_hashes(target_shapes)
        targets = targets.astype({"feature_id": np.int64})
        layer_delineations = delineations[delineations["layer"] == layer]
        keys = outputs.layer_keys_of_run(run.record, layer)
        reviewed = crowns_to_review(targets, layer_delineations)
        layers.append(ReviewedLayer(layer, keys, reviewed))
    return layers


def _select_rows_of_plots(summary: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of single plots; the table of the answer contains those of all plots."""
    return ScoredLayers(summary).plots


#: Report content of ``randcrowns:scorecrowns``.
REPORT_CONTENT = ReportContent(
    tables=(
        ReportTable(
            outputs.SUMMARY,
            ("layer", "plot", *_MEANS, *SUMMARY_COUNTS),
            tr("Mean scores by plot"),
            _select_rows_of_plots,
        ),
        ReportTable(
            outputs.SUMMARY,
            ("layer", "plot", "penalised_mean", *_RATES),
            tr("Detection at thresholds"),
            has_many_plots=False,
        ),
    ),
    map=(outputs.SCORED_TARGETS, outputs.SCORED_DELINEATIONS),
    name_map=_map_name,
    map_layers=_map_layers,
    style_map=_style_map,
    extra_outputs=(outputs.SCORED_TARGETS, outputs.SCORED_DELINEATIONS, *CLASS_OUTPUTS),
    answer=_answer_scoring,
    plots=_plot_scores,
    problems=_list_problems,
    further=class_and_strata_parts,
    crowns=_draw_sheets,
    review=_list_reviewed_crowns,
    explore=explore_scores,
)


def _list_pages(record: Provenance, names: Sequence[str], shown: str) -> AtlasPages:
    """Return the pages of a print layout, sorted by the scores of one delineation layer.

    Args:
        record: provenance of the run.
        names: field names of the layer of scored targets.
        shown: name of the delineation layer; the first one is used if this name is unknown.
    """
    prefixes = outputs.read_prefixes(record.results)
    _, first_prefix = prefixes[0]
    prefix = dict(prefixes).get(shown, first_prefix)
    score_field = f"{prefix}_rc"
    other_score_fields = [f"{prefix}_iou", f"{prefix}_iouc"]
    id_field = outputs.target_id_field(names, first_prefix)
    if id_field not in names:
        id_field = ""  # scores that were added to the fields of the targets have no ids
    return AtlasPages(
        title_template=tr("Target {name}"),
        name_field=id_field,
        sort_field=score_field,
        fields=[id_field, score_field, *other_score_fields, f"{prefix}_rc_problem"],
        tie_field=id_field,
        requires_outline=True,
        plot_field=str(record.parameters.get(PLOT_FIELD.id) or ""),
        summary_fields=("layer", "plot", "targets", "matched", "randcrowns_mean", "iou_mean"),
    )


#: Print content of ``randcrowns:scorecrowns``.
PRINT_CONTENT = PrintContent(
    tr("worst crowns"), outputs.SCORED_TARGETS, outputs.SUMMARY, _list_pages
)
