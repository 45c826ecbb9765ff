"""Report content of runs that compared annotators or made a consensus."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from randcrowns.algorithms.agreement.schema import outputs
from randcrowns.algorithms.agreement.schema.explore_content import explore_comparison
from randcrowns.algorithms.agreement.schema.parameters import CROWN_BY_CROWN, METHOD
from randcrowns.algorithms.output_types import IMAGE, length_unit
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
from randcrowns.algorithms.review_texts import (
    find_place_verdicts,
    place_verdict_label,
    summarise_place_verdicts,
)
from randcrowns.layers.files.verdict_file import geometry_hashes
from randcrowns.layers.localization import format_value, tr
from randcrowns.layers.styles import TARGET_COLOUR
from randcrowns.layers.styles.print_layout import AtlasPages
from randcrowns.layers.styles.styles import style_consensus_map
from randcrowns.report.agreement_content import (
    ConsensusSource,
    CrownCounts,
    agreement_answer,
    agreement_plot_parts,
    consensus_answer,
    consensus_caveats,
    further_statistics,
    pairs_figure,
    vote_parts,
)
from randcrowns.report.colours import INK
from randcrowns.report.content import Figure, Part, single_figure
from randcrowns.report.result_figures import (
    draw_agreement_ratio,
    draw_dendrogram,
    draw_prior_effect,
    is_on_prior_axis,
)

#: Maximum number of annotators who are all named beside an area.
_MAX_NAMES = 6


def _answer_comparison(run: RunOutputs) -> ReportAnswer:
    """Return the answer of a comparison; its table replaces the numbers of the conclusion."""
    summary = run.table(outputs.SUMMARY)
    if not len(summary):
        return ReportAnswer()
    answer = agreement_answer(summary, run.table(outputs.ANNOTATOR_TABLE))
    return ReportAnswer(answer.sentences, answer.table, has_conclusion=False)


def _answer_consensus(run: RunOutputs) -> ReportAnswer:
    """Return the answer of a consensus; that of crowns also has the conclusion, with their number.

    The conclusion alone is the answer of several consensuses, or of a run that stored no area.
    """
    results = run.record.results
    marked = results.get("MARKED")
    by_nobody = results.get("MARKED_BY_NOBODY")
    if not isinstance(marked, (int, float)) or not isinstance(by_nobody, (int, float)):
        return ReportAnswer()
    method = str(results.get("TITLE") or "")
    is_of_crowns = run.used_option(METHOD.name).key == CROWN_BY_CROWN
    has_tables = outputs.CONSENSUS.id in run.frames and outputs.LOOK_AGAIN.id in run.frames
    counts = None
    if is_of_crowns and has_tables:
        n_crowns = len(run.table(outputs.CONSENSUS))
        n_places = len(run.table(outputs.LOOK_AGAIN))
        counts = CrownCounts(n_crowns, n_places)
    source = ConsensusSource.with_performance(
        method,
        run.layer_names("annotators"),
        run.display_text_of("version"),
        run.table(outputs.ANNOTATOR_PERFORMANCE),
    )
    answer = consensus_answer(source, marked, by_nobody, length_unit(results), counts)
    caveats = consensus_caveats(run.table(outputs.ANNOTATOR_PERFORMANCE))
    return ReportAnswer(
        answer.sentences, answer.table, has_conclusion=is_of_crowns, caveats=caveats
    )


def _list_votes(run: RunOutputs) -> list[Part]:
    """Return the crowns by votes of a single consensus crown by crown; none of other runs."""
    if not isinstance(run.record.results.get("MARKED"), (int, float)):
        return []
    if run.used_option(METHOD.name).key != CROWN_BY_CROWN:
        return []
    return vote_parts(run.table(outputs.CONSENSUS), length_unit(run.record.results))


def _plot_comparison(run: RunOutputs) -> list[Figure]:
    """Return the plots of a comparison: pairwise F1, dendrogram and agreement ratio.

    A plot is omitted if the run lacks its table, or if there are too few annotators.
    """
    annotators = run.table(outputs.ANNOTATOR_TABLE)
    plots = [
        pairs_figure(annotators, run.table(outputs.ANNOTATOR_PAIRS)),
        _plot_dendrogram(annotators, run.table(outputs.LINKAGE)),
        _plot_agreement_ratio(run.table(outputs.RATIO)),
    ]
    return [plot for plot in plots if plot is not None]


def _plot_dendrogram(annotators: pd.DataFrame, linkage: pd.DataFrame) -> Figure | None:
    """Return the plot of Ward's clustering; None for fewer than three annotators.

    Args:
        annotators: a row per annotator with the columns ``annotator`` and ``unlike``.
        linkage: steps of the clustering with the columns of the output.
    """
    names = list(annotators.get("annotator", ()))
    if len(names) < 3 or not len(linkage):
        return None
    # The colours of annotators on the map and in the dock are those of a project, and may change.
    colours = dict.fromkeys(names, INK)
    is_unlike = np.zeros(len(annotators), dtype=bool)
    if "unlike" in annotators:  # results of earlier versions have no such column
        is_unlike = annotators["unlike"].to_numpy(dtype=float) == 1
    title = tr("Clusters of annotators")
    caption = _compose_dendrogram_caption(len(names), has_unlike=bool(is_unlike.any()))
    description = _describe_clusters(linkage, names)

    def draw(axes: Any) -> None:
        draw_dendrogram(axes, linkage, names, colours, is_unlike, has_whole_names=True)

    return single_figure(title, draw, caption, description)


def _compose_dendrogram_caption(n_annotators: int, has_unlike: bool) -> str:
    """Return the caption of a dendrogram, with the meaning of a star in it."""
    sentences = [
        tr(
            "{count} annotators. The further left the lines of two annotators meet, the more "
            "their areas agree.",
            count=n_annotators,
        )
    ]
    if has_unlike:
        sentences.append(tr("Star: unlike the others, beyond chance."))
    return " ".join(sentences)


def _describe_clusters(linkage: pd.DataFrame, names: Sequence[str]) -> str:
    """Return the members of each cluster and the distance at which it forms, as a text.

    Args:
        linkage: a row per step with the columns ``first``, ``second`` and ``distance``. Annotators
            are numbered from 0, then the clusters in the order of the steps.
        names: names of the annotators.
    """
    members_of_node = [[name] for name in names]
    texts = []
    for step in linkage.to_dict("records"):
        members = members_of_node[int(step["first"])] + members_of_node[int(step["second"])]
        members_of_node.append(members)
        texts.append(f"{' + '.join(members)} {format_value(float(step['distance']), 2)}")
    return tr("Clusters of annotators: {numbers}", numbers=tuple(texts))


def _plot_agreement_ratio(ratio: pd.DataFrame) -> Figure | None:
    """Return the plot of the agreement ratio; None without its table."""
    if not len(ratio):
        return None
    caption = tr(
        "Points: share of the area marked by anybody that at least so many of the {count} "
        "annotators marked.",
        count=int(ratio["annotators"].max()),
    )
    numbers = []
    for n_annotators, share in zip(ratio["annotators"], ratio["ratio"]):
        numbers.append(f"{int(n_annotators)}: {format_value(100 * float(share), 1)} %")

    def draw(axes: Any) -> None:
        draw_agreement_ratio(axes, ratio)

    title = tr("Agreement ratio")
    description = tr(
        "Agreement ratio by the number of annotators: {numbers}", numbers=tuple(numbers)
    )
    return single_figure(title, draw, caption, description, (4.6, 3.0))


def _draw_disagreement_sheets(run: RunOutputs, max_areas: int) -> list[CrownSheet]:
    """Return a sheet with the largest disagreements, at most ``max_areas``; none without any.

    Args:
        run: outputs of the run.
        max_areas: maximum number of areas.
    """
    disagreements = run.table(outputs.DISAGREEMENTS)
    verdicts = _find_verdicts(run)
    unit = length_unit(run.record.results)
    areas = []
    for row in range(min(max_areas, len(disagreements))):
        disagreement = disagreements.iloc[row]
        size = f"{format_value(float(disagreement['area']), 1)} {unit}²"
        scores = [(tr("area"), size)]
        verdict = place_verdict_label(verdicts.get(int(disagreement["rank"])))
        if verdict:
            scores.append((tr("verdict"), verdict))
        areas.append(
            ReportCrown(
                name=tr("Disagreement {rank}", rank=disagreement["rank"]),
                scores=scores,
                problem="",
                cause=_describe_votes(disagreement),
                outlines=[run.outline(outputs.DISAGREEMENTS, row, TARGET_COLOUR)],
            )
        )
    if not areas:
        return []
    description = tr("Areas where annotators differ, the largest first.")
    return [CrownSheet(tr("Largest disagreements"), description, areas)]


def _find_verdicts(run: RunOutputs) -> dict[int, str]:
    """Return the reviewers' last verdicts on disagreements, as texts by their ranks."""
    disagreements = run.table(outputs.DISAGREEMENTS)
    shapes = run.geometries.get(outputs.DISAGREEMENTS.id, ())
    if len(shapes) != len(disagreements) or not len(disagreements):
        return {}
    places = disagreements.set_index("rank")

    def read_outlines(ranks: Collection[int]) -> dict[int, str]:
        """Return the hashes of the outlines of disagreements by their ranks."""
        rows = places.index.get_indexer(list(ranks))
        return dict(zip(ranks, geometry_hashes([shapes[row] for row in rows])))

    return find_place_verdicts(run.verdicts, places["area"], read_outlines)


def _summarise_review(run: RunOutputs) -> list[str]:
    """Return sentences that sum up the reviewers' verdicts on the disagreements of a run."""
    n_places = len(run.table(outputs.DISAGREEMENTS))
    return summarise_place_verdicts(list(_find_verdicts(run).values()), n_places)


def _describe_votes(disagreement: pd.Series) -> str:
    """Return a sentence with the annotators who marked an area, and those who did not.

    Of more than :data:`_MAX_NAMES` annotators, only the smaller group is named.
    """
    n_yes = int(disagreement["n_yes"])
    n_no = int(disagreement["n_no"])
    yes = disagreement["yes"] or tr("nobody")
    no = disagreement["no"] or tr("nobody")
    if n_yes + n_no <= _MAX_NAMES:
        return tr("Marked by {yes}; not by {no}.", yes=yes, no=no)
    if n_no <= n_yes:
        total = n_yes + n_no
        return tr("Marked by {number} of {total}; not by {no}.", number=n_yes, total=total, no=no)
    return tr("Marked by {yes}; not by the other {number}.", yes=yes, number=n_no)


#: Report content of randcrowns:compareannotators.
COMPARISON_REPORT = ReportContent(
    tables=(
        ReportTable(
            outputs.SUMMARY,
            ("meaning", "value", "unit"),
            tr("Further measures of agreement"),
            further_statistics,
        ),
        ReportTable(outputs.ANNOTATOR_TABLE),
        ReportTable(outputs.ANNOTATOR_PAIRS, ("first", "second", "f1", "shared", "pq", "matched")),
        ReportTable(outputs.IMAGE_TABLE),
    ),
    map=(outputs.AGREEMENT,),
    are_map_areas=True,
    extra_outputs=(outputs.AGREEMENT, outputs.RATIO, outputs.LINKAGE, outputs.DISAGREEMENTS),
    answer=_answer_comparison,
    further=lambda run: agreement_plot_parts(run.table(outputs.SUMMARY)),
    plots=_plot_comparison,
    crowns=_draw_disagreement_sheets,
    review_notes=_summarise_review,
    explore=explore_comparison,
)


def _list_disagreement_pages(_record: Provenance, names: Sequence[str], _shown: str) -> AtlasPages:
    """Return the print pages of the disagreements; ``names`` are the fields of the layer.

    Args:
        names: field names of the layer.
    """
    fields = ("rank", "area", "yes", "no")
    columns = ("meaning", "value", "low", "high", "unit")
    plot_field = IMAGE.name if IMAGE.name in names else ""
    return AtlasPages(
        tr("Area {name}"),
        "rank",
        "area",
        fields,
        is_descending=True,
        plot_field=plot_field,
        summary_fields=columns,
    )


#: Print layout of randcrowns:compareannotators.
COMPARISON_PRINT = PrintContent(
    tr("largest disagreements"), outputs.DISAGREEMENTS, outputs.SUMMARY, _list_disagreement_pages
)


def _plot_prior(run: RunOutputs) -> list[Figure]:
    """Return the plot of the marked area by STAPLE's prior; none if the run has no such table."""
    priors = run.table(outputs.PRIOR_EFFECT)
    if not len(priors):
        return []
    stored_prior = run.record.results.get("PRIOR_USED")
    used_prior = math.nan
    if isinstance(stored_prior, (int, float)):
        used_prior = float(stored_prior)
    unit = length_unit(run.record.results)
    title = tr("Effect of STAPLE's prior")
    caption = tr(
        "Points: area that STAPLE marks if this share of the area is expected to be marked."
    )
    if is_on_prior_axis(used_prior):
        caption = f"{caption} {tr('Dotted line: prior of this consensus.')}"
    elif not math.isnan(used_prior):
        beyond = tr(
            "The prior of this consensus, {prior}, lies beyond the axis; the table has its area.",
            prior=format_value(used_prior, 3),
        )
        caption = f"{caption} {beyond}"
    numbers = []
    for prior, area in zip(priors["prior"], priors["marked"]):
        prior_text = format_value(float(prior), -3)  # three significant digits
        numbers.append(f"{prior_text}: {format_value(float(area), 1)} {unit}²")
    description = tr("Area by the prior: {numbers}", numbers=tuple(numbers))

    def draw(axes: Any) -> None:
        # A report shows a stored consensus, so no further prior is marked.
        draw_prior_effect(axes, priors, used_prior, math.nan, unit)

    return [single_figure(title, draw, caption, description)]


#: Report content of randcrowns:consensus.
CONSENSUS_REPORT = ReportContent(
    tables=(ReportTable(outputs.ANNOTATOR_PERFORMANCE), ReportTable(outputs.PRIOR_EFFECT)),
    map=(
        replace(outputs.CONSENSUS, is_visible=True),
        replace(outputs.LOOK_AGAIN, is_visible=True),
    ),
    are_map_areas=True,
    style_map=lambda layer, _output, _record: style_consensus_map(layer),
    extra_outputs=(outputs.CONSENSUS, outputs.LOOK_AGAIN),
    answer=_answer_consensus,
    further=_list_votes,
    plots=_plot_prior,
)
