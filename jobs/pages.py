"""Pages of a job's result as one HTML file: the report, and the page to explore crowns."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pandas as pd
import shapely

from randcrowns.core.review.problems import ProblemLimits
from randcrowns.jobs.crown_pictures import crown_pictures
from randcrowns.jobs.described_runs import DescribedResult
from randcrowns.jobs.page_tables import (
    compared_layers,
    layers_texts,
    parameter_texts,
    result_tables,
    value_text,
)
from randcrowns.jobs.parameters import describe_jobs
from randcrowns.jobs.version import package_version
from randcrowns.report.agreement_content import (
    ConsensusSource,
    CrownCounts,
    agreement_answer,
    agreement_plot_parts,
    consensus_answer,
    consensus_caveats,
    pairs_figure,
    vote_parts,
)
from randcrowns.report.class_content import class_parts, strata_parts, unit_of_strata
from randcrowns.report.content import Answer, Figure, Part, Report, Section
from randcrowns.report.detector_content import (
    SkewLimits,
    ranking_answer,
    ranking_details,
    ranking_figures,
)
from randcrowns.report.instance_content import (
    instance_answer,
    instance_figures,
    partition_figures,
)
from randcrowns.report.language import format_date
from randcrowns.report.methods import methods_sentences, unused_parameters, works_named_in
from randcrowns.report.names import (
    find_long_names,
    shorten_message,
    shorten_names,
    shorten_table,
)
from randcrowns.report.render import render_html
from randcrowns.report.score_content import (
    ScoredLayers,
    problem_figures,
    score_figures,
    score_run_answer,
)
from randcrowns.report.tuning_content import (
    grid_figures,
    hidden_errors,
    variance_figures,
    variance_sentences,
)
from randcrowns.report.words import answer_caveats, made_sentence

if TYPE_CHECKING:
    from randcrowns.jobs.tables import JobTables

#: Jobs that match predictions with targets.
_EVALUATIONS = ("evaluate", "evaluate-cloud")
#: Titles of the reports, by job.
_TITLES = {
    "score": "Scores of tree crown delineations",
    "evaluate": "Evaluation of predicted crowns",
    "evaluate-cloud": "Evaluation of a labelled point cloud",
    "agree": "Agreement of annotators",
    "consensus": "Consensus of annotators",
    "rank": "Ranking of detectors",
    "variance": "Variance between annotators",
    "tune": "Choice of the parameters",
    "import": "Imported crowns",
    "export": "Exported crowns",
    "benchmark": "Submissions to a benchmark",
}
#: Columns of the mean metrics of parts of the trees, by the name in the table of the job.
_PARTITION_COLUMNS = {
    "MeanIoU": "mean_iou",
    "MeanPrecision": "mean_precision",
    "MeanRecall": "mean_recall",
}


def report_page(results: Sequence[JobTables], title: str = "") -> str:
    """Return the report of one or several results as HTML that contains its figures.

    Args:
        results: the results, a section each.
        title: title of the report; "" for the first job and the layers.
    """
    now = datetime.now(timezone.utc)
    shown_results = [_ShownResult.of(result) for result in results]
    sections = [_section(*pair) for pair in zip(results, shown_results)]
    cited = {work.key: work for section in sections for work in section.cited}
    report = Report(
        title=title or _default_title([shown.tables for shown in shown_results]),
        made=made_sentence(now, package_version()),
        sections=sections,
        cited=list(cited.values()),
        made_day=format_date(now),
    )
    return render_html(report)


def explore_page(result: JobTables, image: Path | None = None) -> str:
    """Return the page to explore the crowns of a result, as HTML.

    Args:
        result: the result.
        image: file of the image on which the crowns lie; None for a page without one.

    Raises:
        InputError: if the result has nothing to explore, or the image cannot be used.
    """
    from randcrowns.jobs.explored import explored_run
    from randcrowns.report.explore.page import render_explorer

    shown = _ShownResult.of(result)
    answer = _answer(shown.tables)
    sentences = shorten_names(answer.sentences or _conclusion_sentences(result), shown.names)
    run = explored_run(result, image)
    warnings = [*shorten_names(_caveats(result, answer), shown.names), *run.warnings]
    title = _default_title([shown.tables])
    return render_explorer(replace(run, title=title, answer=sentences, warnings=warnings))


def _default_title(results: Sequence[JobTables]) -> str:
    """Return the title of a page: the first job, and the layers of an only result."""
    title = _TITLES.get(results[0].job, results[0].job)
    about = compared_layers(results[0]) if len(results) == 1 else ""
    return f"{title}: {about}" if about else title


class _ShownResult(NamedTuple):
    """A result with the names that a report shows."""

    tables: JobTables  #: the result with short names in place of long ones.
    names: list[str]  #: names of the layers that the job read, and long names of annotators.
    has_short_names: bool  #: True if a name is shortened.

    @classmethod
    def of(cls, result: JobTables) -> _ShownResult:
        """Shorten the long names of a result."""
        layers = [layer.name for layer in result.inputs]
        long_names = find_long_names(layers, [result.summary, *result.tables.values()])
        names = list(dict.fromkeys([*layers, *long_names]))
        if not long_names:
            return cls(result, names, has_short_names=False)
        tables = {name: shorten_table(table, long_names) for name, table in result.tables.items()}
        shown = replace(
            result,
            summary=shorten_table(result.summary, long_names),
            tables=tables,
            headline=[shorten_message(message, long_names) for message in result.headline],
            inputs=[
                layer._replace(name=long_names.get(layer.name, layer.name))
                for layer in result.inputs
            ],
        )
        return cls(shown, names, has_short_names=True)


def _section(result: JobTables, shown_result: _ShownResult) -> Section:
    """Return the content of a report on a result.

    Args:
        result: the result.
        shown_result: the same with the names that the report shows.
    """
    shown = shown_result.tables
    names = shown_result.names
    notices = [message for message in result.messages if message.is_notice]
    warnings = [str(message) for message in notices if message.is_warning]
    notes = [str(message) for message in notices if not message.is_warning]
    answer = _answer(shown)
    answer_sentences = answer.sentences or _conclusion_sentences(result)
    section = Section(
        title=_TITLES.get(result.job, result.job),
        answer=shorten_names(answer_sentences, names),
        caveats=shorten_names(_caveats(result, answer), names),
        warnings=shorten_names(warnings, names),
        notes=shorten_names(notes, names),
        tables=result_tables(shown),
        compared=layers_texts(result),
        methods=shorten_names(_methods(shown), names),
        choices=parameter_texts(result, _unused_parameters(result)),
        command=result.command,
    )
    # Annotators of one layer have names of their own.
    layers = [layer.name for layer in result.inputs]
    section.compared += [(name, "") for name in names if name not in layers]
    section.drop_repeated_caveats()
    section.answer_table = answer.table
    if shown_result.has_short_names:
        section.explain_short_names()
    section.cited = works_named_in(section.methods)
    scored_layers = _scored_layers(shown) if _is_scored(shown) else None
    _add_figures(section, shown, scored_layers)
    pictures = crown_pictures(shown, scored_layers)
    section.sheets, section.map, section.legend, section.map_notes = pictures
    parts = [*ranking_details(shown.headline), *_class_parts(shown), *_vote_parts(shown)]
    if result.job == "agree":
        parts += agreement_plot_parts(shown.summary)
    section.further = [
        replace(part, sentences=shorten_names(part.sentences, names)) for part in parts
    ]
    return section


def _caveats(result: JobTables, answer: Answer) -> list[str]:
    """Return the sentences that limit what the answer of a result means."""
    return list(dict.fromkeys([*answer_caveats(result.messages), *answer.caveats]))


def _add_figures(section: Section, result: JobTables, scored_layers: ScoredLayers | None) -> None:
    """Set the figures of a section in place.

    Args:
        section: section of the result.
        result: the result.
        scored_layers: tables of a result of the job ``score``; None for another job.
    """
    if scored_layers is not None:
        section.plots = score_figures(scored_layers)
        section.problems = problem_figures(scored_layers)
    elif result.job in _EVALUATIONS:
        section.plots = [
            *instance_figures(result.summary, _matched_targets(result)),
            *partition_figures(_partitions(result)),
        ]
    elif result.job == "rank":
        curves = result.tables.get("curves", pd.DataFrame())
        section.plots = ranking_figures(curves)
    elif result.job == "agree":
        section.plots = _agreement_figures(result)
    elif result.job == "variance":
        section.plots = variance_figures(result.tables.get("pairs", pd.DataFrame()))
    elif result.job == "tune":
        section.plots = grid_figures(result.tables.get("grid", pd.DataFrame()), result.summary)


def _methods(result: JobTables) -> list[str]:
    """Return the sentences of a methods paragraph; none if the inputs are not recorded."""
    job = describe_jobs().get(result.job)
    if job is None or not result.inputs:
        return []
    return methods_sentences(job.algorithm, DescribedResult(result, job))


def _unused_parameters(result: JobTables) -> frozenset[str]:
    """Return the names of the parameters that had no effect on a result."""
    job = describe_jobs().get(result.job)
    if job is None:
        return frozenset()
    return unused_parameters(job.algorithm, DescribedResult(result, job))


def _answer(result: JobTables) -> Answer:
    """Return the answer of a result from its tables; without sentences if they do not have it."""
    if _is_scored(result):
        return score_run_answer(_scored_layers(result), result.headline)
    if result.job == "agree" and "annotators" in result.tables:
        return agreement_answer(result.summary, result.tables["annotators"])
    if result.job == "consensus":
        return _consensus_answer(result)
    if result.job == "rank":
        certainty = result.tables.get("certainty", pd.DataFrame())
        return ranking_answer(result.headline, result.summary, certainty, _skew_limits(result))
    if result.job in _EVALUATIONS:
        return instance_answer(result.summary, result.headline, _detection_method(result))
    if result.job == "variance":
        sentences = [*variance_sentences(result.summary), *_conclusion_sentences(result)]
        return Answer(sentences, None)
    if result.job == "tune":
        return Answer([], None, hidden_errors(result.summary))
    return Answer([], None)


def _conclusion_sentences(result: JobTables) -> list[str]:
    """Return the sentences of a conclusion; as one text if a job writes no messages."""
    sentences = [str(message) for message in result.headline] or [result.conclusion]
    return [sentence for sentence in sentences if sentence]


def _skew_limits(result: JobTables) -> SkewLimits | None:
    """Return the skew limits that were given to a ranking; None without any."""
    job = describe_jobs().get(result.job)
    return None if job is None else SkewLimits.of_run(DescribedResult(result, job))


def _detection_method(result: JobTables) -> str:
    """Return the label of the matching method for detection; "" for an unknown one."""
    method = result.parameters.get("detection_method")
    job = describe_jobs().get(result.job)
    if method is None or job is None:
        return ""
    return value_text(job.parameters["detection_method"], method)


def _consensus_answer(result: JobTables) -> Answer:
    """Return the conclusion of a consensus with a table of its areas and numbers of crowns."""
    job = describe_jobs().get(result.job)
    # Results of earlier versions do not contain the area that nobody marked.
    if job is None or "marked_by_nobody" not in result.summary:
        return Answer([], None)
    row = result.summary.iloc[0]
    # Only a consensus of crowns has doubtful ones.
    n_doubtful = row.get("doubtful", math.nan)
    counts = None
    if not pd.isna(n_doubtful):
        counts = CrownCounts(int(row["polygons"]), int(n_doubtful))
    method = value_text(job.parameters["method"], str(row["method"]))
    layers = [layer.name for layer in result.inputs if layer.parameter == "annotators"]
    performance = result.tables.get("performance", pd.DataFrame())
    source = ConsensusSource.with_performance(
        method, layers, DescribedResult(result, job).display_text_of("version"), performance
    )
    answer = consensus_answer(
        source, float(row["area"]), float(row["marked_by_nobody"]), result.unit, counts
    )
    sentences = [result.conclusion, *source.sentences()]
    return Answer(sentences, answer.table, consensus_caveats(performance))


def _vote_parts(result: JobTables) -> list[Part]:
    """Return the crowns of a consensus by votes; none without outlines of crowns."""
    if result.job != "consensus":
        return []
    crowns = result.tables.get("consensus", pd.DataFrame())
    return vote_parts(pd.DataFrame(crowns.drop(columns="geometry", errors="ignore")), result.unit)


def _agreement_figures(result: JobTables) -> list[Figure]:
    """Return the figure of the pairs of annotators; none without the rows of all pairs."""
    tables = [result.tables.get(name, pd.DataFrame()) for name in ("annotators", "pairs")]
    figure = pairs_figure(*tables)
    return [] if figure is None else [figure]


def _is_scored(result: JobTables) -> bool:
    """Return True for a result of the job ``score`` with the scores of layers."""
    return result.job == "score" and "layer" in result.summary


def _matched_targets(result: JobTables) -> pd.DataFrame:
    """Return the matched targets of an evaluation without their outlines; empty without them."""
    targets = result.tables.get("targets", pd.DataFrame())
    return pd.DataFrame(targets.drop(columns="geometry", errors="ignore"))


def _partitions(result: JobTables) -> pd.DataFrame:
    """Return the metrics of parts of the trees with the limits of the parts; empty without them."""
    partitions = result.tables.get("partitions", pd.DataFrame())
    if not len(partitions):
        return pd.DataFrame()
    number = partitions["Partition"]
    n_parts = number.max() + 1
    renamed = partitions.rename(columns=_PARTITION_COLUMNS)
    return renamed.assign(begin=number / n_parts, end=(number + 1) / n_parts)


def _class_parts(result: JobTables) -> list[Part]:
    """Return the parts of a report on classes and strata; none without them."""
    tables = result.tables
    parts: list[Part] = []
    if "confusion" in tables:
        parts += class_parts(tables["confusion"], tables["class_metrics"], tables["class_summary"])
    if "strata" in tables:
        by = str(result.parameters.get("summarise_by", ""))
        name = str(result.parameters.get("strata_field") or by)
        tests = tables.get("strata_tests", pd.DataFrame())
        unit = unit_of_strata(by, result.unit)
        parts += strata_parts(tables["strata"], tests, name, unit)
    return parts


def _scored_layers(result: JobTables) -> ScoredLayers:
    """Return the tables of a scoring run as the report reads them."""
    if "targets" not in result.tables:
        return ScoredLayers(result.summary)
    areas = shapely.area(result.targets["geometry"].to_numpy())
    targets = pd.DataFrame(result.targets.drop(columns="geometry")).assign(area=areas)
    renamed = targets.rename(columns={"problem": "rc_problem", "cause": "rc_cause"})
    crowns_by_layer = {}
    for layer, rows in renamed.groupby("layer"):
        crowns_by_layer[str(layer)] = rows.reset_index(drop=True)
    limits = ProblemLimits(
        larger=float(result.parameters.get("too_large_from", ProblemLimits.larger)),
        smaller=float(result.parameters.get("too_small_from", ProblemLimits.smaller)),
    )
    return ScoredLayers(result.summary, crowns_by_layer, limits)
