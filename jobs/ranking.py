"""Job ``rank``: rank detectors under every ground truth that several annotators make together."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import shapely

from randcrowns.core.agreement.consensus import (
    COOKE,
    EACH_ANNOTATOR,
    EstimationOptions,
    GroundTruths,
    compute_ground_truths,
    reserved_annotator_names,
)
from randcrowns.core.arrays import Bools, Floats
from randcrowns.core.classes.values import check_class_options, parse_class_groups
from randcrowns.core.comparison import check_plots
from randcrowns.core.crowns import Crowns
from randcrowns.core.detectors.bootstrap import (
    BootstrapRanking,
    default_tile_side,
    resample_crown_ranking,
)
from randcrowns.core.detectors.checks import (
    check_class_field,
    check_crown_score,
    check_detectors_chosen,
    no_score_field_error,
)
from randcrowns.core.detectors.class_bootstrap import resample_class_ranking
from randcrowns.core.detectors.class_precision import (
    class_ranking_messages,
    group_ranked_classes,
)
from randcrowns.core.detectors.coco import CocoResults, compute_coco_metrics
from randcrowns.core.detectors.conclusion import (
    BY_CROWNS,
    RankConclusion,
    area_truth_message,
    conclude_ranking,
    crown_truth_message,
)
from randcrowns.core.detectors.crown_ranking import (
    CrownRanking,
    check_crown_lengths,
    is_in_area,
    rank_crown_detectors,
)
from randcrowns.core.detectors.faces import DetectorFaces, overlay_detectors, remove_uncounted_areas
from randcrowns.core.detectors.mean_precision import check_skew_limits, skew_messages
from randcrowns.core.detectors.ranking import DetectorRanking, estimate_truth_skew_limits
from randcrowns.core.detectors.recall_conclusion import MatchCriterion, describe_recall
from randcrowns.core.detectors.single_detector import describe_single_detector
from randcrowns.core.detectors.tables import (
    AREAS,
    CLASSES,
    CROWNS,
    area_rows,
    certainty_rows,
    crown_rows,
    missing_truth_rows,
)
from randcrowns.core.detectors.units import (
    RankedUnits,
    Resampling,
    rank_units,
    rank_windows,
    resample_units,
    resampled_truth_name,
)
from randcrowns.core.detectors.unmarked_places import UnmarkedPlaces, find_unmarked_places
from randcrowns.core.instances.average_precision import ignored_shares
from randcrowns.core.messages import Message, note
from randcrowns.jobs.drawings import Drawings, DrawingSite, read_drawings
from randcrowns.jobs.estimation import estimation_options, read_used_answers
from randcrowns.jobs.layers import InputOptions, Layer, LayerSource, read_named_layers
from randcrowns.jobs.parameters import JobValues, randcrowns_parameters, read_values
from randcrowns.jobs.results import JobResult, ordered_columns, shape_table
from randcrowns.jobs.signatures import with_parameters
from randcrowns.jobs.sites import (
    LayerRequest,
    WorkingCrs,
    guess_score_field,
    read_areas,
    read_crowns,
    read_points,
)
from randcrowns.jobs.tables import InputLayer

#: Name of the rows of all plots together.
_ALL_IMAGES = "all images"


@dataclass(frozen=True, eq=False)
class _Inputs:
    """Annotators, detectors and areas of a ranking, in working coordinates."""

    drawings: Drawings  #: crowns of the annotators; the study area is without training areas.
    #: Drawings of each plot by name; under "" without plots.
    by_plot: dict[str, Drawings]
    #: Crowns and scores (n,) of each detector by name.
    detections: dict[str, tuple[Crowns, Floats]]
    scoreless: frozenset[str]  #: detectors all of whose scores are missing.
    ignored: Crowns | None  #: areas in which a detection is neither right nor wrong.
    messages: list[Message]  #: messages about the input.
    working_crs: WorkingCrs  #: coordinate reference system of the crowns.
    points: Any = None  #: field points; None without them.
    layers: Sequence[InputLayer] = ()  #: records of the detectors and annotators.


@dataclass(frozen=True, eq=False)
class _Rankings:
    """Results of a ranking; None for what was not requested or is not possible."""

    areas: DetectorRanking | None = None
    areas_by_plot: dict[str, DetectorRanking] = field(default_factory=dict)
    crowns: CrownRanking | None = None
    truths: GroundTruths | None = None
    area_conclusion: RankConclusion | None = None
    crown_conclusion: RankConclusion | None = None
    area_bootstrap: BootstrapRanking | None = None
    crown_bootstrap: BootstrapRanking | None = None
    class_bootstrap: BootstrapRanking | None = None
    coco: CocoResults | None = None
    unmarked_places: UnmarkedPlaces | None = None
    messages: list[Message] = field(default_factory=list)


@with_parameters("rank", InputOptions)
def rank(
    detectors: Any,
    annotators: Any,
    *,
    extent: Any = None,
    training: LayerSource | None = None,
    ignored: LayerSource | None = None,
    reviewed: LayerSource | None = None,
    points: LayerSource | None = None,
    answers: Any = None,
    **parameters: Any,
) -> JobResult:
    """Rank detectors under every annotator and every ground truth that they make together.

    Args:
        detectors: polygon layers with scores: a list, or a dictionary by name.
        annotators: layers of the annotators, likewise.
        extent: study area: four numbers, a polygon, or a layer; by default the rectangle around
            all annotators' polygons.
        training: layer with areas that are excluded, such as those of the training.
        ignored: areas in which an unmatched detection is neither right nor wrong.
        reviewed: layer with the areas that annotators have reviewed.
        points: points measured in the field, for the point recall.
        answers: answers of the annotators to questions with known answers, for the ground truth
            ``cooke``: a data frame, or the path of a CSV file. See
            :func:`randcrowns.core.agreement.cooke.cooke_weights`.
        **parameters: parameters of the toolbox in lower case, such as ``score_field`` (or
            ``score``), ``counted_units``, ``consensus_methods``, ``bootstrap_samples``; and the
            options of :class:`randcrowns.jobs.layers.InputOptions`.

    Returns:
        The result with the tables ``summary`` (value and rank per detector and ground truth),
        ``curves``, ``certainty``, ``coco``, ``class_precision`` (with classes), ``thresholds`` and
        ``look_again`` (places that several detectors mark and no annotator does), as far as they
        are possible.

    Raises:
        InputError: if a layer cannot be read, or a parameter is invalid.

    >>> import geopandas
    >>> trees = [shapely.box(0, 0, 5, 5), shapely.box(9, 0, 14, 5)]
    >>> found = geopandas.GeoDataFrame({"score": [0.9, 0.8]}, geometry=trees)
    >>> annotators = {"anna": trees, "ben": trees}
    >>> result = rank({"all": found, "one": found[:1]}, annotators, bootstrap_samples=20)
    >>> result.summary[["detector", "measure"]].head(2).values.tolist()
    [['all', 'AUCR'], ['one', 'AUCR']]
    """
    options, own_parameters = InputOptions.split(parameters)
    values = read_values("rank", own_parameters)
    areas = {
        "extent": extent,
        "training": training,
        "ignored": ignored,
        "reviewed": reviewed,
        "points": points,
    }
    counts_areas = values["counted_units"] != CROWNS
    uses_cooke = counts_areas and COOKE in values["consensus_methods"]
    used_answers = read_used_answers(answers, uses_cooke)
    estimation = estimation_options(values, "staple_prior", used_answers)
    inputs = _read_inputs(values, detectors, annotators, options, areas)
    rankings = _Rankings()
    if counts_areas:
        rankings = _rank_areas(values, inputs, estimation)
    if values["counted_units"] != AREAS:
        rankings = _rank_crowns(values, inputs, rankings)
    return _make_result(values, inputs, rankings)


def _read_inputs(
    values: JobValues,
    detectors: Any,
    annotators: Any,
    options: InputOptions,
    areas: Mapping[str, Any],
) -> _Inputs:
    """Read annotators, detectors and areas in one coordinate system.

    Args:
        values: values of the job.
        detectors: layers of the detectors.
        annotators: layers of the annotators.
        options: options of the job.
        areas: layers of the areas by name of the parameter; None for none.

    Raises:
        InputError: if a detector has no scores, or a layer cannot be read.
    """
    counts_areas = values["counted_units"] != CROWNS
    counts_crowns = values["counted_units"] != AREAS
    if counts_areas and values["skew_limits"] == "own":
        check_skew_limits(values["min_skew"], values["max_skew"])
    site = read_drawings(
        values,
        annotators,
        options,
        areas["extent"],
        areas["training"],
        areas["reviewed"],
        checks_classes=False,
    )
    reserved = [*reserved_annotator_names(len(site.names)), *site.names]
    layers = list(read_named_layers(detectors, options, reserved).values())
    check_detectors_chosen([layer.name for layer in layers])
    _check_classes(values, site, layers)
    drawings = site.whole
    read = _read_detections(values, layers, site.working_crs)
    detections = read.detections
    ignored, ignored_messages = _read_ignored(values, areas["ignored"], site.working_crs)
    messages = [*site.messages, *read.messages, *ignored_messages]
    if counts_crowns:
        groups = parse_class_groups(values["class_groups"])
        grouped = group_ranked_classes(drawings.crowns, detections, groups, ignored)
        drawings = replace(drawings, crowns=grouped.annotators)
        detections = grouped.detections
        ignored = grouped.ignored
        messages += grouped.messages
    points = None
    if areas["points"] is not None:
        _, points = read_points(areas["points"], site.working_crs)
    detector_inputs = [layer.as_input("detectors") for layer in layers]
    return _Inputs(
        drawings=drawings,
        by_plot=site.by_plot,
        detections=detections,
        scoreless=read.scoreless,
        ignored=ignored,
        messages=messages,
        working_crs=site.working_crs,
        points=points,
        layers=[*detector_inputs, *site.inputs],
    )


def _read_ignored(
    values: JobValues, source: LayerSource | None, working_crs: WorkingCrs
) -> tuple[Crowns | None, list[Message]]:
    """Return the areas in which a detection is neither right nor wrong, and messages about them.

    Args:
        values: values of the job.
        source: layer of the areas; None for none.
        working_crs: coordinate system of the result.

    Raises:
        InputError: if the layer cannot be read.
    """
    if source is None:
        return None, []
    layer = read_areas(source, working_crs, values["plot_field"], values["class_field"])
    return layer.crowns, layer.messages


class _Detections(NamedTuple):
    """Crowns of all detectors as they were read."""

    #: Crowns and scores (n,) of each detector by name.
    detections: dict[str, tuple[Crowns, Floats]]
    scoreless: frozenset[str]  #: detectors all of whose scores are missing.
    messages: list[Message]  #: messages about the layers.


def _read_detections(
    values: JobValues, layers: Sequence[Layer], working_crs: WorkingCrs
) -> _Detections:
    """Read the crowns and scores of the detectors in working coordinates.

    Args:
        values: values of the job.
        layers: layers of the detectors.
        working_crs: coordinate system of the result.

    Raises:
        InputError: if a layer has no scores, or its crowns cannot be read.
    """
    detections = {}
    scoreless = set()
    messages: list[Message] = []
    for layer in layers:
        request = _detector_request(values, layer)
        detector = read_crowns(request, working_crs)
        detections[layer.name] = (detector.crowns, detector.numbers(request.score_field))
        messages += detector.messages
        # Crowns without a score are left out when a layer is read.
        if len(layer.frame) and not len(detector.crowns):
            scoreless.add(layer.name)
    return _Detections(detections, frozenset(scoreless), messages)


def _check_classes(values: JobValues, annotators: DrawingSite, detectors: list[Layer]) -> None:
    """Raise an InputError if crowns have no classes that can be compared.

    Args:
        values: values of the job.
        annotators: layers of the annotators.
        detectors: layers of the detectors.
    """
    if values["counted_units"] == AREAS:
        return
    parse_class_groups(values["class_groups"])
    class_field = values["class_field"]
    class_options = {
        "class_groups": values["class_groups"],
        "detector_class_field": values["detector_class_field"],
    }
    check_class_options(class_field, class_options, "class_field")
    annotator_has_classes = {}
    for layer in annotators.site.layers:
        annotator_has_classes[layer.crowns.name] = layer.crowns.classes is not None
    detector_field = _detector_class_field(values)
    detector_has_classes = [detector.has_field(detector_field) for detector in detectors]
    check_class_field(class_field, annotator_has_classes, detector_has_classes, "class_field")


def _detector_request(values: JobValues, layer: Layer) -> LayerRequest:
    """Return how a detector's layer is read.

    Raises:
        InputError: if it has no numeric field with scores.
    """
    score_field = values["score_field"] or guess_score_field(layer)
    if not score_field or not layer.has_field(score_field):
        raise no_score_field_error(layer.name, score_field or values["score_field"])
    return LayerRequest(
        layer,
        values["plot_field"],
        score_field=score_field,
        class_field=_detector_class_field(values),
    )


def _detector_class_field(values: JobValues) -> str:
    """Return the class field of the detectors; "" without classes."""
    field = values["class_field"]
    return (values["detector_class_field"] or field) if field else ""


def _counted_area(drawings: Drawings) -> Any:
    """Return the study area: the one chosen, or the rectangle around all annotators' polygons."""
    if drawings.study_area is not None:
        return drawings.study_area
    polygons = np.concatenate(list(drawings.polygons.values()))
    return shapely.box(*shapely.total_bounds(polygons))


def _tile_side(values: JobValues, drawings: Drawings, area: float) -> float:
    """Return the side of a tile, metres; by default see :func:`default_tile_side`.

    Args:
        values: values of the job.
        drawings: crowns of the annotators.
        area: area of the units that are counted, m².
    """
    if values["tile_side"] > 0:
        return float(values["tile_side"])
    polygons = np.concatenate(list(drawings.polygons.values()))
    return default_tile_side(area, shapely.area(polygons))


def _overlay(values: JobValues, inputs: _Inputs) -> RankedUnits:
    """Return the faces of all plots, one plot after the other."""
    faces_by_plot = {
        plot: _overlay_plot(values, inputs, plot, drawings)
        for plot, drawings in inputs.by_plot.items()
    }
    return RankedUnits.of_faces(faces_by_plot)


def _overlay_plot(
    values: JobValues, inputs: _Inputs, plot: str, drawings: Drawings
) -> DetectorFaces:
    """Return the faces of one plot.

    Args:
        values: values of the job.
        inputs: annotators, detectors and areas.
        plot: name of the plot; "" without plots.
        drawings: crowns of the annotators in the plot.

    Raises:
        InputError: if nothing is left of the study area.
    """
    area = remove_uncounted_areas(
        _counted_area(drawings), inputs.ignored, tuple(drawings.crowns), drawings.reviewed
    )
    detections = {}
    for name, (crowns, scores) in inputs.detections.items():
        is_of_plot = np.ones(len(crowns), dtype=bool)
        if plot and crowns.plots is not None:
            is_of_plot = np.asarray(crowns.plots == plot)
        detections[name] = (crowns.geometry[is_of_plot], scores[is_of_plot])
    # Faces are divided into tiles only to resample them.
    tile_side = None
    if values["bootstrap_samples"]:
        tile_side = _tile_side(values, drawings, float(area.area))
    faces = overlay_detectors(
        drawings.polygons, detections, area, tile_side, reviewed=drawings.reviewed
    )
    for name in inputs.scoreless:
        faces.scores[name][:] = math.nan
    return faces


def _rank_areas(values: JobValues, inputs: _Inputs, estimation: EstimationOptions) -> _Rankings:
    """Return the ranking by exact areas, with its certainty, and the ranking on each plot.

    Args:
        values: values of the job.
        inputs: annotators, detectors and areas.
        estimation: options of the ground truths.

    Raises:
        InputError: if nothing is left of the study area, or no ground truth can be made.
    """
    units = _overlay(values, inputs)
    truths = _make_truths(values, units, estimation)
    limits = _skew_limits(values, units, truths)
    ranking = rank_units(units, truths, limits)
    resampling = Resampling(
        values["bootstrap_samples"], values["resampled_ground_truth"], estimation
    )
    truth = resampled_truth_name(resampling.method, units.votes.names)
    bootstrap = resample_units(units, ranking, truth, resampling, limits)
    conclusion = None
    if bootstrap is not None:
        without_value = [name for name in ranking.aucr.index if name in ranking.reasons]
        conclusion = conclude_ranking(bootstrap, values["certainty"], without_value)
    area_message = note(
        "ranking.exact",
        "Areas: {area:,.0f} m², overlaid exactly.",
        area=float(units.votes.total_weight),
    )
    messages = [area_message, *truths.all_messages()]
    for name, reason in ranking.reasons.items():
        messages.append(note("ranking.no_value", "{name}: {why}", name=name, why=reason))
    if values["skew_limits"] == "own":
        messages += skew_messages(ranking.skew, limits)
    return _Rankings(
        areas=ranking,
        areas_by_plot=rank_windows(units, truths, limits),
        truths=truths,
        area_conclusion=conclusion,
        area_bootstrap=bootstrap,
        messages=messages,
    )


def _make_truths(
    values: JobValues, units: RankedUnits, estimation: EstimationOptions
) -> GroundTruths:
    """Return the requested ground truths on the faces.

    Args:
        values: values of the job.
        units: faces with the decisions of the annotators.
        estimation: options of the ground truths.

    Raises:
        InputError: if none of them can be made.
    """
    methods = values["consensus_methods"] if units.votes.n_annotators > 1 else (EACH_ANNOTATOR,)
    truths = compute_ground_truths(units.votes, methods, how=estimation)
    truths.check_any()
    return truths


def _skew_limits(
    values: JobValues, units: RankedUnits, truths: GroundTruths
) -> tuple[float, float]:
    """Return the lower and the upper skew limit, as given or from the ground truths."""
    if values["skew_limits"] != "truths":
        return values["min_skew"], values["max_skew"]
    return estimate_truth_skew_limits(truths, units.weights)


def _rank_crowns(values: JobValues, inputs: _Inputs, rankings: _Rankings) -> _Rankings:
    """Return the rankings with that over whole crowns, its certainty and COCO's metrics.

    Args:
        values: values of the job.
        inputs: annotators, detectors and areas.
        rankings: results of the ranking by areas.

    Raises:
        InputError: if the score of pairs cannot be computed for crowns in pixels.
    """
    check_crown_score(values["crown_score"], inputs.working_crs.unit == "px")
    counted = _select_crowns(values, inputs)
    ranking = rank_crown_detectors(
        counted.annotators,
        inputs.detections,
        randcrowns_parameters(values),
        values["crown_threshold"],
        values["crown_score"],
        inside=counted.is_inside,
        scoreless=inputs.scoreless,
        all_drawn=values["all_drawn"],
        on_ignored=counted.on_ignored,
        reviewed=inputs.drawings.reviewed,
    )
    coco = _compute_coco(values, inputs, counted, ranking)
    unmarked_places = find_unmarked_places(
        annotators=inputs.drawings.crowns,
        detections=inputs.detections,
        inside=counted.is_inside,
        on_ignored=counted.on_ignored,
        reviewed=inputs.drawings.reviewed,
        all_drawn=values["all_drawn"],
    )
    messages = list(rankings.messages)
    messages += check_crown_lengths(
        values["crown_score"], counted.annotators, randcrowns_parameters(values)
    )
    messages += check_plots(list(counted.annotators.values()), list(counted.detected.values()))
    messages += coco.messages
    if unmarked_places.message is not None:
        messages.append(unmarked_places.message)
    crown_rankings = replace(
        rankings,
        crowns=ranking,
        coco=coco,
        unmarked_places=unmarked_places,
        messages=messages,
    )
    return _resample_crowns(values, inputs, counted, crown_rankings, ranking, coco)


class _CountedCrowns(NamedTuple):
    """Crowns of a ranking over whole crowns, by annotator and by detector."""

    annotators: dict[str, Crowns]  #: crowns in the study area that their annotator reviewed.
    detected: dict[str, Crowns]  #: all crowns of the detectors.
    is_inside: dict[str, Bools]  #: masks of the detectors' crowns in the study area.
    #: Shares of the detectors' crowns on areas to ignore; None without such areas.
    on_ignored: dict[str, Floats] | None


def _compute_coco(
    values: JobValues, inputs: _Inputs, counted: _CountedCrowns, ranking: CrownRanking
) -> CocoResults:
    """Return COCO's metrics, with the recall of field points if there are any.

    Args:
        values: values of the job.
        inputs: annotators, detectors and areas.
        counted: crowns that are counted.
        ranking: ranking over whole crowns.
    """
    coco = compute_coco_metrics(
        ranking,
        counted.annotators,
        inputs.detections,
        all_drawn=values["all_drawn"],
        on_ignored=counted.on_ignored,
    )
    if inputs.points is None:
        return coco
    return coco.with_point_recall(inputs.points, counted.detected)


def _select_crowns(values: JobValues, inputs: _Inputs) -> _CountedCrowns:
    """Return the crowns of annotators and detectors that are counted as wholes.

    Args:
        values: values of the job.
        inputs: annotators, detectors and areas.
    """
    drawings = inputs.drawings
    area = drawings.study_area
    if values["counted_units"] != CROWNS:
        # Areas and crowns are counted in the same place.
        area = _counted_area(drawings)
    annotators = {}
    for name, drawn_crowns in drawings.crowns.items():
        is_reviewed = is_in_area(drawn_crowns, drawings.reviewed.get(name))
        annotators[name] = drawn_crowns.subset(is_in_area(drawn_crowns, area) & is_reviewed)
    detected = {}
    is_inside = {}
    shares_on_ignored = {}
    for name, (detected_crowns, _) in inputs.detections.items():
        detected[name] = detected_crowns
        is_inside[name] = is_in_area(detected_crowns, area)
        if inputs.ignored is not None:
            shares_on_ignored[name] = ignored_shares(inputs.ignored, detected_crowns)
    on_ignored = None if inputs.ignored is None else shares_on_ignored
    return _CountedCrowns(annotators, detected, is_inside, on_ignored)


def _resample_crowns(
    values: JobValues,
    inputs: _Inputs,
    counted: _CountedCrowns,
    rankings: _Rankings,
    ranking: CrownRanking,
    coco: CocoResults,
) -> _Rankings:
    """Return the rankings with the certainty of those over whole crowns and over classes.

    Args:
        values: values of the job.
        inputs: annotators, detectors and areas.
        counted: crowns that are counted.
        rankings: results so far.
        ranking: ranking over whole crowns.
        coco: COCO's metrics.
    """
    all_crowns = {**counted.annotators, **counted.detected}
    counted_area = float(_counted_area(inputs.drawings).area)
    tile_side = _tile_side(values, inputs.drawings, counted_area)
    n_samples = values["bootstrap_samples"]
    bootstrap = resample_crown_ranking(ranking, all_crowns, tile_side, n_samples)
    conclusion = None
    if bootstrap is not None:
        conclusion = conclude_ranking(
            bootstrap, values["certainty"], measure=BY_CROWNS, topic="crown_verdict"
        )
    class_bootstrap = resample_class_ranking(
        coco.classes, coco.class_matches, all_crowns, tile_side, n_samples
    )
    class_conclusion = None
    if class_bootstrap is not None:
        class_conclusion = conclude_ranking(class_bootstrap, values["certainty"])
    class_messages = class_ranking_messages(coco.classes, class_conclusion)
    return replace(
        rankings,
        crown_bootstrap=bootstrap,
        crown_conclusion=conclusion,
        class_bootstrap=class_bootstrap,
        messages=[*rankings.messages, *class_messages],
    )


def _headline(values: JobValues, rankings: _Rankings, names: Sequence[str]) -> list[Message]:
    """Return the conclusion of a run: the values of a single detector, or which one is better.

    Args:
        values: values of the job.
        rankings: results of the rankings.
        names: names of the annotators.
    """
    areas = rankings.areas
    crowns = rankings.crowns
    headline: list[Message] = []
    if values["all_drawn"]:
        single = describe_single_detector(areas, crowns)
        if single:
            return single
    elif crowns is not None:
        criterion = MatchCriterion(values["crown_score"], values["crown_threshold"])
        headline += describe_recall(crowns, criterion, "headline", areas is not None)
        if areas is None or len(areas.aucr) == 1:
            return headline
    if rankings.crown_conclusion is not None:
        headline += rankings.crown_conclusion.messages
        if crowns is not None:
            is_ranked = crowns.average_precision.notna().any(axis="index")
            headline.append(crown_truth_message(names, int(is_ranked.sum())))
    if rankings.area_conclusion is not None:
        truth = resampled_truth_name(values["resampled_ground_truth"], names)
        headline += rankings.area_conclusion.messages
        headline.append(area_truth_message(truth))
    return headline


def _make_result(values: JobValues, inputs: _Inputs, rankings: _Rankings) -> JobResult:
    """Return the tables, messages and conclusion of a run.

    Args:
        values: values of the job.
        inputs: annotators, detectors and areas.
        rankings: results of the rankings.
    """
    tables: dict[str, pd.DataFrame] = {
        "summary": _summary_table(values, rankings),
        "curves": _curve_table(values, rankings),
    }
    certainty = _certainty_tables(rankings)
    if certainty:
        tables["certainty"] = pd.concat(certainty, ignore_index=True)
    if rankings.coco is not None:
        tables["coco"] = rankings.coco.metrics
        tables["thresholds"] = rankings.coco.thresholds
        if len(rankings.coco.classes):
            tables["class_precision"] = rankings.coco.classes
    if rankings.unmarked_places is not None:
        places = rankings.unmarked_places
        tables["look_again"] = shape_table(places.polygons, places.table, inputs.working_crs)
    annotator_names = list(inputs.drawings.crowns)
    headline = _headline(values, rankings, annotator_names)
    return JobResult.of_run(
        values,
        tables,
        messages=[*inputs.messages, *rankings.messages],
        conclusion=" ".join(map(str, headline)),
        working=inputs.working_crs,
        headline=headline,
        inputs=inputs.layers,
    )


def _certainty_tables(rankings: _Rankings) -> list[pd.DataFrame]:
    """Return a table per kind of counted units whose ranking was resampled."""
    bootstraps = {
        AREAS: rankings.area_bootstrap,
        CROWNS: rankings.crown_bootstrap,
        CLASSES: rankings.class_bootstrap,
    }
    tables = []
    for counted_units, bootstrap in bootstraps.items():
        if bootstrap is not None:
            tables.append(certainty_rows(counted_units, bootstrap))
    return tables


def _summary_table(values: JobValues, rankings: _Rankings) -> pd.DataFrame:
    """Return a row per value and rank of a detector, over all plots and then on each plot.

    Args:
        values: values of the job.
        rankings: results of the rankings.
    """
    rows = []
    if rankings.areas is not None:
        image = _ALL_IMAGES if rankings.areas_by_plot else ""
        rows += area_rows(rankings.areas, image)
        if rankings.truths is not None:
            rows += missing_truth_rows(rankings.truths.missing_reasons, rankings.areas, image)
    if rankings.crowns is not None:
        rows += crown_rows(rankings.crowns)
    for plot, ranking in rankings.areas_by_plot.items():
        rows += area_rows(ranking, plot)
    table = pd.DataFrame(rows)
    if not rankings.areas_by_plot:
        table = table.drop(columns="image", errors="ignore")
    return ordered_columns(table, values.job.columns["AUCR"])


def _curve_table(values: JobValues, rankings: _Rankings) -> pd.DataFrame:
    """Return the precision-recall curves by areas and by whole crowns, one below the other.

    Args:
        values: values of the job.
        rankings: results of the rankings, at least one.
    """
    curves = []
    if rankings.areas is not None:
        curves.append(rankings.areas.curves.assign(counted=AREAS))
    if rankings.crowns is not None:
        curves.append(rankings.crowns.curves.assign(counted=CROWNS))
    table = pd.concat(curves, ignore_index=True)
    return ordered_columns(table, values.job.columns["CURVES"])
