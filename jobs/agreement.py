"""Jobs ``agree`` and ``consensus``: compare annotators of one area, and combine their polygons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import shapely

from randcrowns.core.agreement import measures
from randcrowns.core.agreement.agreement_messages import area_consensus_messages, consensus_messages
from randcrowns.core.agreement.blocks import block_edges
from randcrowns.core.agreement.consensus import (
    CONSENSUS_METHODS,
    COOKE,
    EstimationOptions,
    consensus_at_level,
    leave_one_out,
    marked_polygons,
    weighted_vote,
)
from randcrowns.core.agreement.consensus_of_crowns import (
    CrownConsensusOptions,
    crown_consensus,
    remainder_messages,
)
from randcrowns.core.agreement.disagreement import disagreements, face_table, faces_by_area
from randcrowns.core.agreement.outlier_testing import OutlierTest, outlier_test
from randcrowns.core.agreement.summary import (
    AgreementSummary,
    agreement_headline,
    agreement_summary,
    summary_rows,
)
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.arrays import Bools, Floats, Objects
from randcrowns.core.classes.agreement import Scale, check_scale
from randcrowns.core.classes.annotators import CrownClassAgreement, crown_class_agreement
from randcrowns.core.classes.area_classes import (
    AreaClassAgreement,
    ClassScale,
    add_area_columns,
    add_area_confusion,
    area_class_agreement,
)
from randcrowns.core.classes.area_consensus import classes_of_areas
from randcrowns.core.classes.consensus import ClassRule, classes_of_consensuses
from randcrowns.core.classes.values import check_class_options, parse_class_groups
from randcrowns.core.comparison import check_plot_spelling
from randcrowns.core.errors import InputError
from randcrowns.core.messages import Message, info
from randcrowns.jobs.drawings import (
    Drawings,
    DrawingSite,
    read_drawings,
)
from randcrowns.jobs.estimation import estimation_options, read_used_answers
from randcrowns.jobs.layers import InputOptions
from randcrowns.jobs.parameters import JobValues, read_values
from randcrowns.jobs.results import JobResult, ordered_columns, shape_table
from randcrowns.jobs.signatures import with_parameters

#: Name of the rows of all plots together.
_ALL_IMAGES = "all images"
#: Method of a consensus that makes one polygon per tree.
_CROWN_BY_CROWN = "crowns"
#: Method that needs pixels.
_PIXEL_METHOD = "lsml"


@with_parameters("agree", InputOptions)
def compare_annotators(
    annotators: Any,
    *,
    extent: Any = None,
    excluded: Any = None,
    reviewed: Any = None,
    **parameters: Any,
) -> JobResult:
    """Measure how far annotators of the same area agree, and show where they differ.

    Args:
        annotators: layers of the annotators: a list, or a dictionary by name; or one layer with a
            field that names the annotator (``annotator_field``).
        extent: study area: four numbers, a polygon, or a layer; by default the area that anybody
            marked.
        excluded: layer with areas that are excluded from the study area.
        reviewed: layer with the areas that annotators have reviewed.
        **parameters: parameters of the toolbox in lower case, such as ``plot_field``,
            ``block_side``, ``bootstrap_samples``, ``leave_one_out``; and the options of
            :class:`randcrowns.jobs.layers.InputOptions`.

    Returns:
        The result with the tables ``summary``, ``annotators``, ``pairs``, ``agreement`` (the areas
        by the number of annotators) and ``disagreements`` (the areas where they differ, the largest
        first).

    Raises:
        InputError: if a layer cannot be read, or a parameter is invalid.

    >>> layers = {"anna": [shapely.box(0, 0, 2, 2)], "ben": [shapely.box(0, 0, 2, 1)]}
    >>> summary = compare_annotators(layers).summary.set_index("statistic")
    >>> float(summary.loc["mean_f1", "value"].round(3))
    0.667
    """
    options, own_parameters = InputOptions.split(parameters)
    values = read_values("agree", own_parameters)
    check_class_values(values)
    site = read_drawings(values, annotators, options, extent, excluded, reviewed)
    compared = _compare_votes(values, site)
    votes = compared.votes
    tables_of_classes, class_messages = _compare_classes(values, site)
    tables = {
        "summary": _summary_table(values, site, compared.summary, compared.votes_by_plot),
        "annotators": _annotator_table(values, votes, compared.statistics, compared.outliers),
        "pairs": _pair_table(values, site, votes),
    }
    tables |= _face_tables(values, site, votes)
    tables |= tables_of_classes
    messages = [
        *site.messages,
        *check_plot_spelling(site.by_plot),
        _study_area_message(site, votes),
        *votes.messages,
        *compared.summary.messages,
        *consensus_messages(compared.statistics, values["leave_one_out"]),
        *compared.outliers.messages,
        *class_messages,
    ]
    headline = []
    if votes.n_annotators > 1:
        headline.append(agreement_headline(compared.summary))
    return JobResult.of_run(
        values,
        tables,
        messages=list(dict.fromkeys(messages)),  # each message once
        conclusion=" ".join(map(str, headline)),
        working=site.working_crs,
        headline=headline,
        inputs=site.inputs,
    )


class _ComparedVotes(NamedTuple):
    """Votes of the annotators, and what they say about the agreement."""

    votes_by_plot: dict[str, VoteTable]  #: votes of each plot by its name.
    votes: VoteTable  #: votes of all plots together.
    summary: AgreementSummary  #: statistics of all plots together.
    outliers: OutlierTest  #: test whether an annotator is unlike the others.
    statistics: pd.DataFrame  #: a row per annotator, whose name is the index.


def _compare_votes(values: JobValues, site: DrawingSite) -> _ComparedVotes:
    """Return the votes on the overlaid polygons, with the statistics of the agreement.

    Args:
        values: values of the job.
        site: drawings of the annotators.
    """
    votes_by_plot = {
        plot: _count_votes(plot_drawings) for plot, plot_drawings in site.by_plot.items()
    }
    votes = _merge(list(votes_by_plot.values()))
    block_side = values["block_side"] or None
    summary = agreement_summary(votes, block_side, n_resamples=values["bootstrap_samples"])
    outliers = outlier_test(votes, block_side)
    consensus_of_others = None
    if values["leave_one_out"] and votes.n_annotators > 1:
        consensus_of_others = leave_one_out(votes)
    statistics = measures.annotator_statistics(votes, consensus_of_others)
    return _ComparedVotes(votes_by_plot, votes, summary, outliers, statistics)


def check_class_values(values: JobValues) -> None:
    """Raise an InputError if parameters of the agreement on classes are invalid together.

    Groups of classes cannot be read, there is no class field, or groups on an interval scale have
    names that are not numbers.
    """
    _check_classes(values)
    check_scale(parse_class_groups(values["class_groups"]), Scale(values["class_scale"]))


def _check_classes(values: JobValues) -> None:
    """Raise an InputError if classes that count as one cannot be read, or there is no field."""
    parse_class_groups(values["class_groups"])
    check_class_options(
        values["class_field"], {"class_groups": values["class_groups"]}, "class_field"
    )


def _compare_classes(
    values: JobValues, site: DrawingSite
) -> tuple[dict[str, pd.DataFrame], list[Message]]:
    """Return the tables of the annotators' agreement on classes, and a message about it.

    Both are empty without a class field.
    """
    if not values["class_field"]:
        return {}, []
    options = ClassScale(Scale(values["class_scale"]), values["unmarked_class"])
    crowns_of_plots = []
    areas_of_plots = []
    reviewed_of_plots = []
    for drawings in site.by_plot.values():
        crowns_of_plots.append(drawings.crowns)
        areas_of_plots.append((drawings.crowns, drawings.study_area))
        reviewed_of_plots.append(drawings.reviewed or {})
    by_crowns = crown_class_agreement(
        crowns_of_plots, scale=options.scale, reviewed=reviewed_of_plots
    )
    by_areas = area_class_agreement(
        areas_of_plots, site.working_crs.unit, options, reviewed_of_plots
    )
    return class_tables(by_crowns, by_areas), [*by_crowns.messages, *by_areas.messages]


def class_tables(
    classes: CrownClassAgreement, areas: AreaClassAgreement
) -> dict[str, pd.DataFrame]:
    """Return the tables of the annotators' agreement on classes by name.

    Args:
        classes: agreement on the classes of crowns.
        areas: agreement on the classes of areas.
    """
    return {
        "class_agreement": add_area_columns(classes.table, areas.table),
        "class_confusion": add_area_confusion(classes.confusion, areas.confusion),
    }


def _count_votes(drawings: Drawings) -> VoteTable:
    """Return the votes of a plot on the faces of the overlaid polygons."""
    return VoteTable.from_polygons(
        drawings.polygons,
        drawings.study_area,
        faces=True,
        borders=partial(block_edges, block_side=None),
        reviewed=drawings.reviewed,
    )


def _merge(tables: Sequence[VoteTable]) -> VoteTable:
    """Return the votes of all plots together; those of a single plot unchanged."""
    return tables[0] if len(tables) == 1 else VoteTable.merge(tables)


def _summary_table(
    values: JobValues,
    site: DrawingSite,
    summary: AgreementSummary,
    votes_by_plot: Mapping[str, VoteTable],
) -> pd.DataFrame:
    """Return the statistics of all plots together, followed by those of each plot.

    Args:
        values: values of the job.
        site: drawings of the annotators.
        summary: statistics of all plots together.
        votes_by_plot: votes of each plot by its name.
    """
    by_plot = {}
    if len(votes_by_plot) > 1:
        by_plot = {
            plot: agreement_summary(votes, n_resamples=0) for plot, votes in votes_by_plot.items()
        }
    rows = summary_rows(summary, site.working_crs.unit, by_plot, _ALL_IMAGES)
    return ordered_columns(rows, values.job.columns["SUMMARY"])


def _annotator_table(
    values: JobValues, votes: VoteTable, statistics: pd.DataFrame, outliers: OutlierTest
) -> pd.DataFrame:
    """Return a row per annotator: statistics, and the test whether the annotator is an outlier.

    Args:
        values: values of the job.
        votes: votes of all plots.
        statistics: a row per annotator, whose name is the index.
        outliers: result of the test.
    """
    table = statistics.assign(
        annotator=statistics.index,
        limit=measures.outlier_limit(votes),
        unlike=outliers.is_unlike.astype(int),
        p_unlike=outliers.p_value,
    )
    return ordered_columns(table.reset_index(drop=True), values.job.columns["ANNOTATOR_TABLE"])


def _pair_table(values: JobValues, site: DrawingSite, votes: VoteTable) -> pd.DataFrame:
    """Return a row per pair of annotators: agreement by area and crown by crown.

    Args:
        values: values of the job.
        site: drawings of the annotators.
        votes: votes of all plots.
    """
    if votes.n_annotators < 2:
        return measures.annotator_pairs(votes)
    polygons_of_plots = []
    reviewed_of_plots = []
    for drawings in site.by_plot.values():
        polygons_of_plots.append((drawings.polygons, drawings.study_area))
        reviewed_of_plots.append(drawings.reviewed or {})
    instances = measures.crown_instances(*polygons_of_plots, reviewed=reviewed_of_plots)
    pairs = measures.annotator_pairs(votes, instances)
    return ordered_columns(pairs, values.job.columns["ANNOTATOR_PAIRS"])


def _face_tables(values: JobValues, site: DrawingSite, votes: VoteTable) -> dict[str, Any]:
    """Return the areas by the number of annotators, and those where annotators differ.

    Args:
        values: values of the job.
        site: drawings of the annotators.
        votes: votes of all plots, with faces.
    """
    rows_by_name = {
        "agreement": faces_by_area(votes),
        "disagreements": disagreements(votes, values["min_area"]).rows,
    }
    tables = {}
    for name, rows in rows_by_name.items():
        shapes: Objects = np.asarray(votes.faces)[rows]
        attributes = face_table(votes, rows).drop(columns="geometry", errors="ignore")
        for column in ("yes", "no"):
            attributes[column] = [", ".join(names) for names in attributes[column]]
        tables[name] = shape_table(shapes, attributes, site.working_crs)
    return tables


def _study_area_message(site: DrawingSite, votes: VoteTable) -> Message:
    """Return a message with the size of the study area."""
    has_area = any(plot_drawings.study_area is not None for plot_drawings in site.by_plot.values())
    area = (
        "the polygons or the rectangle given" if has_area else "the area that any annotator marked"
    )
    return info(
        "study_area.is",
        f"Study area: {area} ({{size:,.0f}} {{unit}}²).",
        size=votes.total_weight,
        unit=site.working_crs.unit,
    )


class _Consensus(NamedTuple):
    """Polygons of a consensus with their attributes."""

    shapes: Any  #: (P,) polygons in working coordinates.
    attributes: pd.DataFrame  #: a row per polygon.
    performance: pd.DataFrame  #: a row per annotator, empty if the method rates nobody.
    messages: Sequence[Message]  #: messages about the result.
    tables: Mapping[str, Any] = {}  #: further tables by name.
    #: Part of the area that no annotator marked, square units. Outlines of crowns have none: they
    #: never reach beyond the crowns that they were made from.
    marked_by_nobody: float = 0.0


@with_parameters("consensus", InputOptions)
def consensus(
    annotators: Any,
    *,
    extent: Any = None,
    excluded: Any = None,
    reviewed: Any = None,
    answers: Any = None,
    **parameters: Any,
) -> JobResult:
    """Combine the polygons of several annotators of the same area into one layer.

    Args:
        annotators: layers of the annotators: a list, or a dictionary by name; or one layer with a
            field that names the annotator (``annotator_field``).
        extent: study area: four numbers, a polygon, or a layer.
        excluded: layer with areas that are excluded from the study area.
        reviewed: layer with the areas that annotators have reviewed.
        answers: answers of the annotators to questions with known answers, for the method
            ``cooke``: a data frame, or the path of a CSV file. See
            :func:`randcrowns.core.agreement.cooke.cooke_weights`.
        **parameters: parameters of the toolbox in lower case, such as ``method``, ``level``,
            ``prior``; and the options of :class:`randcrowns.jobs.layers.InputOptions`.

    Returns:
        The result with the tables ``summary``, ``consensus`` (the polygons) and ``performance``
        (statistics of the annotators, if the method rates them); if STAPLE estimates classes
        (``class_rule="staple"``), also ``class_performance`` (how annotators confuse them). With a
        ``class_field``, areas are divided by class.

    Raises:
        InputError: if a layer cannot be read, or a parameter is invalid.

    >>> layers = {"anna": [shapely.box(0, 0, 2, 2)], "ben": [shapely.box(0, 0, 2, 1)]}
    >>> float(consensus(layers, method="unanimous").consensus.area.sum())
    2.0
    """
    options, own_parameters = InputOptions.split(parameters)
    values = read_values("consensus", own_parameters)
    _check_method(values)
    _check_classes(values)
    site = read_drawings(values, annotators, options, extent, excluded, reviewed)
    used_answers = read_used_answers(answers, values["method"] == COOKE)
    estimation = estimation_options(values, "prior", used_answers)
    if values["method"] == _CROWN_BY_CROWN:
        result = _consensus_of_crowns(values, site, estimation)
    else:
        result = _consensus_of_areas(values, site, estimation)
    return _make_consensus_result(values, site, result)


def _make_consensus_result(values: JobValues, site: DrawingSite, result: _Consensus) -> JobResult:
    """Return the tables, messages and conclusion of a consensus.

    Args:
        values: values of the job.
        site: drawings of the annotators.
        result: polygons of the consensus.
    """
    n_polygons = len(result.shapes)
    total_area = float(shapely.area(result.shapes).sum())
    summary_row = {
        "method": values["method"],
        "annotators": len(site.names),
        "polygons": n_polygons,
        "area": total_area,
        "marked_by_nobody": result.marked_by_nobody,
    }
    if "doubtful" in result.tables:
        summary_row["doubtful"] = len(result.tables["doubtful"])
    tables = {
        "summary": pd.DataFrame([summary_row]),
        "consensus": shape_table(result.shapes, result.attributes, site.working_crs),
        **result.tables,
    }
    if len(result.performance):
        tables["performance"] = result.performance
    headline = info(
        "headline.consensus_polygons",
        "Consensus of {annotators} annotators by '{method}': {count:,} polygons, {area:,.0f} "
        "{unit}².",
        one="Consensus of {annotators} annotators by '{method}': 1 polygon, {area:,.0f} {unit}².",
        method=values.job.parameters["method"].label_of(values["method"]),
        annotators=len(site.names),
        count=n_polygons,
        area=total_area,
        unit=site.working_crs.unit,
    )
    return JobResult.of_run(
        values,
        tables,
        messages=[*site.messages, *check_plot_spelling(site.by_plot), *result.messages],
        conclusion=str(headline),
        working=site.working_crs,
        headline=[headline],
        inputs=site.inputs,
    )


def _check_method(values: JobValues) -> None:
    """Raise an InputError for a method that needs pixels."""
    if values["method"] == _PIXEL_METHOD:
        raise InputError(
            "jobs.lsml_in_qgis",
            "LSML works on pixels, which only QGIS counts (randcrowns:consensus). Choose another "
            "method.",
        )
    if values["leave_one_out"]:
        raise InputError(
            "jobs.exclude_each",
            "A consensus without each annotator is made in QGIS only (randcrowns:consensus). Make "
            "one of the other annotators instead.",
        )


def _consensus_of_areas(
    values: JobValues,
    site: DrawingSite,
    estimation: EstimationOptions,
) -> _Consensus:
    """Return the connected areas that a method marks.

    Args:
        values: values of the job.
        site: drawings of the annotators.
        estimation: options of the method.
    """
    votes_by_plot = {plot: _count_votes(drawings) for plot, drawings in site.by_plot.items()}
    votes = _merge(list(votes_by_plot.values()))
    is_marked, performance, method_messages = _marked_patterns(values, votes, estimation)
    shapes_of_plots = _marked_shapes(votes, votes_by_plot, is_marked)
    attributes_of_plots = [pd.DataFrame(index=range(len(shapes))) for shapes in shapes_of_plots]
    has_specificity = "specificity" in performance
    messages = [*area_consensus_messages(votes.messages, has_specificity), *method_messages]
    further_tables: dict[str, Any] = {}
    if values["class_field"]:
        classed = classes_of_areas(
            shapes_of_plots,
            [drawings.crowns for drawings in site.by_plot.values()],
            ClassRule(values["class_rule"]),
            [drawings.reviewed for drawings in site.by_plot.values()],
        )
        shapes_of_plots = [part.polygons for part in classed.parts]
        attributes_of_plots = [part.table for part in classed.parts]
        messages += classed.messages
        if len(classed.confusion):
            further_tables["class_performance"] = classed.confusion

    polygons = np.concatenate(shapes_of_plots)
    attributes = pd.concat(attributes_of_plots, ignore_index=True)
    attributes = attributes.assign(area=shapely.area(polygons))
    if len(votes_by_plot) > 1:
        plots: list[str] = []
        for plot, shapes in zip(votes_by_plot, shapes_of_plots):
            plots += [plot] * len(shapes)
        attributes.insert(0, "plot", plots)
    is_marked_by_nobody = is_marked & (votes.n_yes == 0)
    return _Consensus(
        shapes=polygons,
        attributes=attributes,
        performance=performance,
        messages=messages,
        tables=further_tables,
        marked_by_nobody=float(votes.weights[is_marked_by_nobody].sum()),
    )


def _marked_shapes(
    votes: VoteTable, votes_by_plot: Mapping[str, VoteTable], is_marked: Bools
) -> list[Objects]:
    """Return the connected areas that a method marks, for each plot.

    Args:
        votes: votes of all plots; its faces are those of the plots one after the other.
        votes_by_plot: votes of each plot with its faces.
        is_marked: (M,) mask of the marked patterns of ``votes``.
    """
    pattern_of_face = np.asarray(votes.pattern_index)
    n_faces_of_plots = [len(np.asarray(table.pattern_index)) for table in votes_by_plot.values()]
    patterns_of_plots = np.split(pattern_of_face, np.cumsum(n_faces_of_plots)[:-1])
    shapes_of_plots = []
    for plot_votes, plot_patterns in zip(votes_by_plot.values(), patterns_of_plots):
        # The faces of the plot, with the patterns of all plots.
        table = replace(votes, pattern_index=plot_patterns, faces=plot_votes.faces)
        shapes_of_plots.append(marked_polygons(table, is_marked))
    return shapes_of_plots


def _marked_patterns(
    values: JobValues,
    votes: VoteTable,
    estimation: EstimationOptions,
) -> tuple[Bools, pd.DataFrame, Sequence[Message]]:
    """Return which patterns (M,) a method marks, statistics of the annotators, and messages.

    Args:
        values: values of the job.
        votes: votes of all plots.
        estimation: options of the method.
    """
    method = values["method"]
    if method == "level":
        return consensus_at_level(votes, values["level"]), pd.DataFrame(), ()
    if method == "staple":
        staple = estimation.staple_with_message(votes)
        columns: dict[str, Floats] = {
            "sensitivity": staple.sensitivity,
            "specificity": staple.specificity,
        }
        return staple.marked, _rate_annotators(votes, columns), staple.messages
    if method == "simple":
        simple = estimation.simple(votes)
        columns = {"overlap": simple.performance, "kept": simple.is_kept.astype(int)}
        return simple.marked, _rate_annotators(votes, columns), simple.messages
    if method == COOKE:
        weights = estimation.weights(votes.names)
        columns = {
            "calibration": weights.calibration,
            "information": weights.information,
            "weight": weights.weight,
        }
        is_marked = weighted_vote(votes, weights.weight)
        return is_marked, _rate_annotators(votes, columns), (weights.message,)
    return CONSENSUS_METHODS[method](votes), pd.DataFrame(), ()


def _rate_annotators(votes: VoteTable, columns: Mapping[str, Any]) -> pd.DataFrame:
    """Return a row per annotator with statistics."""
    return pd.DataFrame({"annotator": np.array(votes.names, dtype=object), **columns})


def _consensus_of_crowns(
    values: JobValues, site: DrawingSite, estimation: EstimationOptions
) -> _Consensus:
    """Return one outline per tree that enough annotators drew, and the doubtful trees.

    Args:
        values: values of the job.
        site: drawings of the annotators.
        estimation: options of the outlines.
    """
    options = CrownConsensusOptions(
        values["match_iou"], values["vote_rule"], values["outline"], estimation
    )
    all_drawings = list(site.by_plot.values())
    parts = [
        crown_consensus(drawings.crowns, options, drawings.study_area, reviewed=drawings.reviewed)
        for drawings in all_drawings
    ]
    further_tables: dict[str, Any] = {}
    if values["class_field"]:
        # The classes of all plots are rated together.
        rated = classes_of_consensuses(
            parts, [drawings.crowns for drawings in all_drawings], ClassRule(values["class_rule"])
        )
        parts = list(rated.parts)
        if len(rated.confusion):
            further_tables["class_performance"] = rated.confusion

    outlines = []
    outline_tables = {}
    doubtful_outlines = []
    doubtful_tables = {}
    messages: list[Message] = []
    for plot, plot_consensus in zip(site.by_plot, parts):
        outlines.append(plot_consensus.crowns)
        outline_tables[plot] = plot_consensus.table
        doubtful_outlines.append(plot_consensus.doubtful)
        doubtful_tables[plot] = plot_consensus.doubtful_table
        messages += plot_consensus.messages
    messages += remainder_messages(list(outline_tables.values()))
    shapes = np.concatenate(outlines)
    doubtful_table = shape_table(
        np.concatenate(doubtful_outlines), _join_plots(doubtful_tables), site.working_crs
    )
    return _Consensus(
        shapes=shapes,
        attributes=_join_plots(outline_tables).assign(area=shapely.area(shapes)),
        performance=pd.DataFrame(),
        messages=messages,
        tables={"doubtful": doubtful_table, **further_tables},
    )


def _join_plots(table_by_plot: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Return the tables of all plots one below the other, with a column ``plot`` for several.

    Args:
        table_by_plot: table of each plot by its name.
    """
    if len(table_by_plot) == 1:
        return pd.concat(table_by_plot.values(), ignore_index=True)
    named = [table.assign(plot=plot) for plot, table in table_by_plot.items()]
    return pd.concat(named, ignore_index=True)
