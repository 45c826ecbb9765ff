"""Report content of runs that ranked detectors."""

from __future__ import annotations

from collections.abc import Sequence

from randcrowns.algorithms.detectors.schema import outputs
from randcrowns.algorithms.detectors.schema.explore_content import SCORE_COLUMNS, explore_ranking
from randcrowns.algorithms.output_types import IMAGE
from randcrowns.algorithms.provenance import Provenance
from randcrowns.algorithms.report_content import (
    PrintContent,
    ReportAnswer,
    ReportContent,
    ReportTable,
    RunOutputs,
)
from randcrowns.layers.localization import tr
from randcrowns.layers.styles.print_layout import AtlasPages
from randcrowns.layers.styles.styles import style_truths_map
from randcrowns.report.content import Figure, Part
from randcrowns.report.detector_content import (
    SkewLimits,
    ranking_answer,
    ranking_details,
    ranking_figures,
    rows_of_several,
    rows_with_value,
    skew_note,
)


def _answer_ranking(run: RunOutputs) -> ReportAnswer:
    """Return which detector is the best, with a table that replaces the numbers."""
    answer = ranking_answer(
        run.record.headline,
        run.table(outputs.AUCR),
        run.table(outputs.CERTAINTY_TABLE),
        SkewLimits.of_run(run),
    )
    return ReportAnswer(
        answer.sentences, answer.table, has_conclusion=False, caveats=answer.caveats
    )


def _list_details(run: RunOutputs) -> list[Part]:
    """Return the part on the certainty of the ranking."""
    return ranking_details(run.record.headline)


def _plot_curves(run: RunOutputs) -> list[Figure]:
    """Return the plots of the curves."""
    return ranking_figures(run.table(outputs.CURVES))


def _name_map(_record: Provenance) -> str:
    """Return the heading of the legend, which states that the detectors are not on the map."""
    return tr("Ground truths; the crowns of the detectors are not on the map")


#: Report content of randcrowns:rankdetectors.
RANKING_REPORT = ReportContent(
    tables=(
        ReportTable(
            outputs.AUCR,
            SCORE_COLUMNS,
            select_rows=rows_with_value,
            split_by="measure",
            note=skew_note,
        ),
        ReportTable(outputs.RANKINGS, select_rows=rows_of_several),
        ReportTable(outputs.CERTAINTY_TABLE, select_rows=rows_of_several),
        ReportTable(outputs.CORRELATIONS),
        ReportTable(outputs.COCO),
        ReportTable(outputs.LOOK_AGAIN),
    ),
    map=(outputs.TRUTH_POLYGONS,),
    are_map_areas=True,
    style_map=lambda layer, _output, _record: style_truths_map(layer),
    name_map=_name_map,
    extra_outputs=(outputs.CURVES, outputs.TRUTH_POLYGONS),
    answer=_answer_ranking,
    plots=_plot_curves,
    further=_list_details,
    explore=explore_ranking,
)


def _list_truth_pages(_record: Provenance, names: Sequence[str], _shown: str) -> AtlasPages:
    """Return the print pages of the ground truths; ``names`` are the fields of the layer.

    Args:
        names: field names of the layer.
    """
    plot_field = IMAGE.name if IMAGE.name in names else ""
    fields = ("truth", "area", plot_field)
    columns = ("counted", "detector", "truth", "value", "rank", "skew")
    return AtlasPages(
        title_template="{name}",
        name_field="truth",
        sort_field="area",
        fields=fields,
        is_descending=True,
        max_pages=50,
        plot_field=plot_field,
        summary_fields=columns,
    )


#: Print layout of randcrowns:rankdetectors.
RANKING_PRINT = PrintContent(
    tr("ground truths"), outputs.TRUTH_POLYGONS, outputs.AUCR, _list_truth_pages
)
