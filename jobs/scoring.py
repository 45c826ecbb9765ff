"""Job ``score``: score delineation layers against target crowns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import shapely

from randcrowns.core.arrays import Floats
from randcrowns.core.classes.evaluation import ClassEvaluation, class_conclusion
from randcrowns.core.classes.results import classes_of_scores, strata_of_scores
from randcrowns.core.classes.summarise import StrataRequest, StrataSummary
from randcrowns.core.comparison import (
    check_drawing,
    check_extents,
    check_partial_drawing,
    check_plots_of_layers,
    check_reserved_plots,
    check_roles,
)
from randcrowns.core.crowns import Crowns
from randcrowns.core.errors import InputError
from randcrowns.core.field_messages import unused_score_field_message
from randcrowns.core.geometry.features import FeatureIssue
from randcrowns.core.messages import Message
from randcrowns.core.progress import no_progress
from randcrowns.core.review.problems import (
    Problems,
    describe_causes,
    find_problems,
)
from randcrowns.core.scoring.answer import answer_from_statuses
from randcrowns.core.scoring.checks import (
    check_lengths_for_size,
    check_plot_sizes,
    idtrees_with_spread_error,
    idtrees_with_warped_targets_error,
    idtrees_within_classes_error,
    mean_diameter,
    no_delineations_error,
    no_plot_field_error,
    no_plots_error,
    no_scores_error,
    no_spread_field_error,
    unused_threshold_message,
)
from randcrowns.core.scoring.idtrees import find_target_plots, score_plots
from randcrowns.core.scoring.layer import CrownScores, mark_not_judged, score_layers
from randcrowns.core.scoring.own_spread import (
    OwnSpreadScores,
    own_spread_message,
    score_with_own_spread,
)
from randcrowns.core.status import Status
from randcrowns.core.tuning.warped_targets import score_warped_targets, warped_targets_message
from randcrowns.jobs.annotation_layers import plots_of_images
from randcrowns.jobs.classes import (
    class_tables,
    group_classes_of_site,
    read_class_fields,
    strata_request,
    strata_tables,
)
from randcrowns.jobs.layers import InputOptions, Layer, LayerSource, read_layer, read_named_layers
from randcrowns.jobs.parameters import (
    IDTREES_PRESET,
    OWN_PRESET,
    JobValues,
    preset_key,
    problem_limits,
    randcrowns_parameters,
    read_values,
)
from randcrowns.jobs.results import (
    JobResult,
    crown_table,
    ordered_columns,
    shape_table,
)
from randcrowns.jobs.signatures import with_parameters
from randcrowns.jobs.sites import (
    CrownLayer,
    LayerRequest,
    Site,
    guess_score_field,
    guess_unused_plot_field,
    read_site,
    unused_plots_messages,
)

#: What cannot be computed if only some of the crowns were drawn.
_UNDEFINED = "precision, F1 and the penalised mean"


class _ScoredLayer(NamedTuple):
    """Results of one delineation layer."""

    layer: CrownLayer  #: the delineations.
    scores: CrownScores  #: scores of targets, delineations and pairs, and the summary.
    problems: Problems  #: problems of targets and delineations.
    classes: ClassEvaluation | None = None  #: comparison of classes; None without classes.
    strata: StrataSummary | None = None  #: scores by strata; None without strata.
    #: Scores with the spread of each target's outlines; None without a spread.
    own_spread: OwnSpreadScores | None = None
    #: Scores against warped targets, a row per target; None without them.
    warped: pd.DataFrame | None = None


@with_parameters("score", InputOptions)
def score(
    targets: LayerSource,
    delineations: LayerSource | Sequence[LayerSource] | Mapping[str, LayerSource],
    *,
    extent: Any = None,
    **parameters: Any,
) -> JobResult:
    """Score delineations against target crowns: RandCrowns, IoU and IoUCrowns of every crown.

    Args:
        targets: crowns that are taken as true: a path, a GeoDataFrame, or polygons in metres.
        delineations: crowns to be scored: a layer, a list of layers, or layers by name.
        extent: area that the annotators could see: four numbers, a polygon, or a layer.
        **parameters: parameters of the toolbox in lower case, such as ``preset``, ``alpha``,
            ``plot_field`` (or ``plot``), ``pairing``, ``all_drawn``;
            and the options of :class:`randcrowns.jobs.layers.InputOptions`: ``images``,
            ``assign_crs``, ``ground_resolution``.

    Returns:
        The result with the tables ``summary``, ``targets`` and ``delineations`` (a row per crown
        and layer) and ``pairs``; with classes also ``confusion``, ``class_metrics`` and
        ``class_summary``, with strata ``strata`` and ``strata_tests``, and with warped targets
        ``warped`` (mean and standard deviation of the scores of each target).

    Raises:
        InputError: if a layer cannot be read, or a parameter is invalid.

    >>> trees = [shapely.box(0, 0, 5, 5), shapely.box(9, 0, 14, 5)]
    >>> result = score(trees, {"anna": trees[:1]})
    >>> result.summary[["layer", "targets", "matched", "randcrowns_mean"]].values.tolist()
    [['anna', 2, 1, 0.5]]
    """
    options, own_parameters = InputOptions.split(parameters)
    values = read_values("score", own_parameters)
    target_layer = read_layer(targets, options=options)
    if target_layer.name == "crowns" and not target_layer.source:
        # Crowns in memory have no name of their own.
        target_layer = read_layer(target_layer, "targets")
    layers = read_named_layers(delineations, options)
    plot_field = values["plot_field"] or ""
    if not plot_field and target_layer.in_pixels:
        plot_field = plots_of_images(target_layer.frame)
    _check_request(values, target_layer, layers, plot_field, extent)

    delineation_layers = list(layers.values())
    requests = _layer_requests(values, target_layer, delineation_layers, plot_field)
    site = read_site(requests, options, extent)
    site, _ = group_classes_of_site(values, site)
    _check_lengths_in_pixels(values, site)
    if preset_key(values) == IDTREES_PRESET:
        site = _with_targets_in_plots(site)
    results = _score_site(values, site)

    unused_plot_field = ""
    if not plot_field:
        unused_plot_field = guess_unused_plot_field(target_layer, delineation_layers)
    return _make_result(values, site, results, unused_plot_field)


def _layer_requests(
    values: JobValues, targets: Layer, delineations: Sequence[Layer], plot_field: str
) -> list[LayerRequest]:
    """Return how the layers are read, that of the targets first.

    Args:
        values: values of the job.
        targets: layer of the targets.
        delineations: layers of the delineations.
        plot_field: field of the plot; "" for none.

    Raises:
        InputError: if a class field is missing.
    """
    class_fields = read_class_fields(values, "delineation_class_field", targets, delineations)
    # The plots of the IDTReeS competition select the crowns instead of the extent.
    keeps_all = preset_key(values) == IDTREES_PRESET
    target_request = LayerRequest(
        targets,
        plot_field,
        class_field=class_fields.targets,
        treatment="keep" if keeps_all else "select",
    )
    delineation_requests = [
        LayerRequest(
            layer,
            plot_field,
            score_field=values["score_field"],
            score_threshold=values["score_threshold"],
            class_field=class_fields.others,
            treatment="keep" if keeps_all else "clip",
        )
        for layer in delineations
    ]
    return [target_request, *delineation_requests]


def _score_site(values: JobValues, site: Site) -> list[_ScoredLayer]:
    """Return the results of all delineation layers, with all that the job's values request.

    Args:
        values: values of the job.
        site: layers of the targets and delineations.

    Raises:
        InputError: if no target has a spread, or a spread is negative.
    """
    strata = strata_request(values, site)
    if preset_key(values) == IDTREES_PRESET:
        results = _score_as_idtrees(values, site)
    else:
        results = _score_layers(values, site)
    if values["spread_field"]:
        results = [_with_own_spread(values, site, result) for result in results]
    if values["warped_targets"]:
        results = [_with_warped_targets(values, site, result) for result in results]
    return [_with_classes(values, site, strata, result) for result in results]


def _check_request(
    values: JobValues,
    targets: Layer,
    layers: Mapping[str, Layer],
    plot_field: str,
    extent: Any,
) -> None:
    """Raise an InputError for layers and fields that cannot be scored.

    Args:
        values: values of the job.
        targets: layer of the targets.
        layers: layers of the delineations by name.
        plot_field: field of the plot; "" for none.
        extent: extent of the image; None without one.
    """
    if not layers:
        raise no_delineations_error()
    if plot_field and not targets.has_field(plot_field):
        raise no_plot_field_error(targets.name, plot_field)
    score_field = values["score_field"]
    if score_field and not any(layer.has_field(score_field) for layer in layers.values()):
        raise no_scores_error(score_field)
    spread_field = values["spread_field"]
    if spread_field and not targets.has_field(spread_field):
        raise no_spread_field_error(targets.name, spread_field)
    if preset_key(values) == IDTREES_PRESET:
        if spread_field:
            raise idtrees_with_spread_error("spread_field")
        if values["warped_targets"]:
            raise idtrees_with_warped_targets_error("warped_targets")
        if extent is None:
            raise no_plots_error()
        if values["within_classes"]:
            raise idtrees_within_classes_error("within_classes")


def _check_lengths_in_pixels(values: JobValues, site: Site) -> None:
    """Raise an InputError if the lengths of a preset, in metres, would be taken as pixels."""
    if site.working_crs.unit == "px" and preset_key(values) != OWN_PRESET:
        raise InputError(
            "jobs.metres_for_pixels",
            "The crowns are in pixels, but the lengths of preset '{preset}' are in metres. Give "
            "the side of a pixel on the ground (ground_resolution, in metres), or lengths in "
            "pixels (alpha, omega and gamma).",
            preset=preset_key(values),
        )


def _score_layers(values: JobValues, site: Site) -> list[_ScoredLayer]:
    """Return the results of all delineation layers."""
    targets, *layers = site.layers
    layer_scores = score_layers(
        targets.crowns,
        [layer.crowns for layer in layers],
        randcrowns_parameters(values),
        values["pairing"],
        site.extent,
        clipped=[layer.clipped for layer in layers],
        search_radius=values["search_radius"] or None,
        randcrowns_threshold=values["randcrowns_threshold"],
        within_classes=values["within_classes"],
    )
    return _with_problems(values, targets, layers, layer_scores.scores)


def _with_targets_in_plots(site: Site) -> Site:
    """Return the site without the targets that lie in no plot of the IDTReeS competition."""
    bounds = _plot_bounds(site)
    targets, *layers = site.layers
    is_in_plot = find_target_plots(targets.crowns, bounds) >= 0
    targets.report.add(FeatureIssue.OUTSIDE, targets.crowns.ids[~is_in_plot])
    messages = [*site.messages, *check_plot_sizes(bounds)]
    return replace(site, layers=(targets.subset(is_in_plot), *layers), messages=messages)


def _score_as_idtrees(values: JobValues, site: Site) -> list[_ScoredLayer]:
    """Return the results of all delineation layers as in the IDTReeS competition, plot by plot."""
    bounds = _plot_bounds(site)
    targets, *layers = site.layers
    plot_of_target = find_target_plots(targets.crowns, bounds)
    scores = [
        score_plots(
            targets.crowns,
            layer.crowns,
            bounds,
            plot_of_target,
            randcrowns_threshold=values["randcrowns_threshold"],
            progress=no_progress,
        )
        for layer in layers
    ]
    return _with_problems(values, targets, layers, scores)


def _plot_bounds(site: Site) -> Floats:
    """Return the bounds (p, 4) of the plots of the IDTReeS competition."""
    if site.extent_polygons is not None:
        return np.asarray(shapely.bounds(site.extent_polygons))
    return np.atleast_2d(shapely.bounds(site.extent))


def _with_problems(
    values: JobValues,
    targets: CrownLayer,
    layers: Sequence[CrownLayer],
    scores: Sequence[CrownScores],
) -> list[_ScoredLayer]:
    """Return the results with the problem of each crown.

    Args:
        values: values of the job.
        targets: layer of the targets.
        layers: (n,) layers of the delineations.
        scores: (n,) scores of each layer.
    """
    limits = problem_limits(values)
    results = []
    for layer, layer_scores in zip(layers, scores):
        judged = layer_scores if values["all_drawn"] else mark_not_judged(layer_scores)
        problems = find_problems(
            targets.crowns, layer.crowns, judged, limits, needs_all_overlaps=False
        )
        results.append(_ScoredLayer(layer, judged, problems))
    return results


def _with_classes(
    values: JobValues, site: Site, request: StrataRequest | None, result: _ScoredLayer
) -> _ScoredLayer:
    """Return the results of a layer with the comparison of its classes, and with its strata.

    Args:
        values: values of the job.
        site: layers of the targets and delineations.
        request: property by which crowns are divided; None for none.
        result: results of the layer.
    """
    crowns = (site.layers[0].crowns, result.layer.crowns)
    classes = classes_of_scores(*crowns, result.scores, all_drawn=values["all_drawn"])
    strata = None
    if request is not None:
        strata = strata_of_scores(request, *crowns, result.scores, result.problems)
    return result._replace(classes=classes, strata=strata)


def _with_own_spread(values: JobValues, site: Site, result: _ScoredLayer) -> _ScoredLayer:
    """Return the results of a layer with the scores by the targets' own spread.

    Args:
        values: values of the job.
        site: layers of the targets and delineations.
        result: results of the layer.

    Raises:
        InputError: if no target has a spread, or a spread is negative.
    """
    targets = site.layers[0]
    clipped = result.layer.clipped
    delineations = result.layer.crowns.geometry if clipped is None else clipped
    own_spread = score_with_own_spread(
        targets.crowns,
        delineations,
        pairs=result.scores.assigned_pairs,
        spread=targets.numbers(values["spread_field"]),
        parameters=randcrowns_parameters(values),
        pairing=values["pairing"],
        extent=site.extent,
    )
    return result._replace(own_spread=own_spread)


def _with_warped_targets(values: JobValues, site: Site, result: _ScoredLayer) -> _ScoredLayer:
    """Return the results of a layer with the scores against warped targets.

    Args:
        values: values of the job.
        site: layers of the targets and delineations.
        result: results of the layer.
    """
    warped = score_warped_targets(
        site.layers[0].crowns,
        result.layer.crowns,
        result.scores,
        randcrowns_parameters(values),
        values["warped_targets"],
        extent=site.extent,
    )
    return result._replace(warped=warped)


def _make_result(
    values: JobValues, site: Site, results: Sequence[_ScoredLayer], unused_plot_field: str
) -> JobResult:
    """Return the tables, messages and conclusion of a run.

    Args:
        values: values of the job.
        site: layers of the targets and delineations.
        results: results of each delineation layer.
        unused_plot_field: field of the layers that looks like the plot; "" for none.
    """
    targets = site.layers[0]
    headline = _conclude_layers(targets, results)
    inputs = [targets.layer.as_input("targets")]
    inputs += [result.layer.layer.as_input("delineations") for result in results]
    run_messages = _run_messages(values, site, results, unused_plot_field)
    return JobResult.of_run(
        values,
        _make_tables(values, site, results),
        messages=[*site.all_messages, *run_messages],
        conclusion=" ".join(map(str, headline)),
        working=site.working_crs,
        headline=headline,
        inputs=[*inputs, *site.extent_inputs],
    )


def _make_tables(
    values: JobValues, site: Site, results: Sequence[_ScoredLayer]
) -> dict[str, pd.DataFrame]:
    """Return the tables of a run by name.

    Args:
        values: values of the job.
        site: layers of the targets and delineations.
        results: results of each delineation layer.
    """
    targets = site.layers[0]
    target_tables = []
    delineation_tables = []
    pair_tables = []
    classes_by_layer = []
    strata_by_layer = []
    warped_tables = []
    for result in results:
        name = result.layer.crowns.name
        target_tables.append(crown_table(targets, _target_results(result)))
        delineation_tables.append(crown_table(result.layer, _delineation_results(result)))
        pair_tables.append(_pair_table(targets.crowns, result, site))
        classes_by_layer.append((name, result.classes))
        strata_by_layer.append((name, result.strata))
        if result.warped is not None:
            warped_tables.append(result.warped.assign(layer=name))

    summary = _join_layers(results, [result.scores.summary for result in results])
    summary.columns = summary.columns.str.replace(".", "_", regex=False)
    tables = {
        "summary": ordered_columns(summary, values.job.columns["SUMMARY"]),
        "targets": _join_layers(results, target_tables),
        "delineations": _join_layers(results, delineation_tables),
        "pairs": _join_layers(results, pair_tables),
    }
    tables |= class_tables(values, classes_by_layer)
    tables |= strata_tables(values, strata_by_layer)
    if warped_tables:
        warped = pd.concat(warped_tables, ignore_index=True)
        tables["warped"] = ordered_columns(warped, values.job.columns["WARPED_SCORES"])
    return tables


def _target_results(result: _ScoredLayer) -> pd.DataFrame:
    """Return a row per target: scores, problem, and its own spread and class if any."""
    table = _add_problems(result.scores.targets, result.problems.cause_columns())
    if result.own_spread is not None:
        table = table.assign(
            randcrowns_own_spread=result.own_spread.randcrowns,
            own_length=result.own_spread.lengths,
        )
    if result.classes is not None:
        table = pd.concat([table, result.classes.targets], axis="columns")
    return table


def _delineation_results(result: _ScoredLayer) -> pd.DataFrame:
    """Return a row per delineation: scores, problem, and the classes if there are any."""
    table = _add_problems(result.scores.delineations, result.problems.delineations)
    if result.classes is None:
        return table
    return pd.concat([table, result.classes.predictions], axis="columns")


def _add_problems(scores: pd.DataFrame, problems: pd.DataFrame) -> pd.DataFrame:
    """Return scores with the columns ``problem`` and ``cause``.

    Args:
        scores: a row per crown.
        problems: its problem, in the same order.
    """
    return scores.assign(problem=problems["problem"].to_numpy(), cause=describe_causes(problems))


def _pair_table(targets: Crowns, result: _ScoredLayer, site: Site) -> Any:
    """Return the scored pairs as lines from the centroid of the target to the delineation's.

    Args:
        targets: the targets.
        result: results of a delineation layer.
        site: layers in one coordinate system.
    """
    pairs = result.scores.pairs
    target_centroids = shapely.centroid(targets.geometry)
    delineation_centroids = shapely.centroid(result.layer.crowns.geometry)
    starts = shapely.get_coordinates(target_centroids)[pairs["target"]]
    ends = shapely.get_coordinates(delineation_centroids)[pairs["delineation"]]
    lines = shapely.linestrings(np.stack([starts, ends], axis=1))
    return shape_table(lines, pairs.drop(columns=["target", "delineation"]), site.working_crs)


def _join_layers(results: Sequence[_ScoredLayer], tables: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Return the tables of all layers one below the other, with the column ``layer`` in front."""
    common_crs = getattr(tables[0], "crs", None)
    layer_tables: list[pd.DataFrame] = []
    for result, table in zip(results, tables):
        layer_table = table.drop(columns="layer", errors="ignore")
        layer_table.insert(0, "layer", result.layer.crowns.name)
        if layer_tables and common_crs is not None:
            layer_table = layer_table.to_crs(common_crs)
        layer_tables.append(layer_table)
    return pd.concat(layer_tables, ignore_index=True)


def _run_messages(
    values: JobValues, site: Site, results: Sequence[_ScoredLayer], unused_plot_field: str
) -> list[Message]:
    """Return messages about roles, plots, intervals and crowns that were not drawn.

    Args:
        values: values of the job.
        site: layers of the targets and delineations.
        results: results of each delineation layer.
        unused_plot_field: field of the layers that looks like the plot; "" for none.
    """
    targets = site.layers[0]
    messages = check_roles(
        targets.crowns.name,
        guess_score_field(targets.layer),
        len(targets.layer.frame),
        max((len(result.layer.layer.frame) for result in results), default=0),
    )
    for result in results:
        for message in _layer_messages(values, targets, result, unused_plot_field):
            # Layers with the same targets share messages about their intervals.
            if message not in messages:
                messages.append(message)
    plots_of_layers = [
        layer.crowns.plots for layer in site.layers if layer.crowns.plots is not None
    ]
    layers = [result.layer.crowns for result in results]
    if preset_key(values) != IDTREES_PRESET and site.working_crs.unit == "m":
        diameter = mean_diameter(targets.crowns.geometry)
        messages += check_lengths_for_size(diameter, randcrowns_parameters(values))
    messages += check_plots_of_layers(targets.crowns, layers)
    messages += check_reserved_plots(chain.from_iterable(plots_of_layers))
    messages += _unused_threshold_messages(values)
    partial_drawing = None
    for result in results:
        partial_drawing = check_partial_drawing(targets.crowns, result.layer.crowns)
        if partial_drawing:
            break
    all_drawn_label = values.job.parameters["all_drawn"].label
    drawing_message = check_drawing(
        values["all_drawn"], partial_drawing, all_drawn_label, _UNDEFINED
    )
    if drawing_message is not None:
        messages.append(drawing_message)
    return messages


def _layer_messages(
    values: JobValues, targets: CrownLayer, result: _ScoredLayer, unused_plot_field: str
) -> list[Message]:
    """Return messages about one delineation layer and its scores.

    Args:
        values: values of the job.
        targets: layer of the targets.
        result: results of the delineation layer.
        unused_plot_field: field of the layers that looks like the plot; "" for none.
    """
    crowns = result.layer.crowns
    pairs = result.scores.assigned_pairs
    messages = unused_plots_messages(
        unused_plot_field,
        targets,
        result.layer,
        pairs["target"].to_numpy(dtype=np.int64),
        pairs["delineation"].to_numpy(dtype=np.int64),
    )
    unused_score_field = "" if values["score_field"] else guess_score_field(result.layer.layer)
    if unused_score_field:
        messages.append(unused_score_field_message(crowns.name, unused_score_field))
    messages += check_extents(targets.crowns, crowns)
    messages += result.scores.pair_messages(crowns.name)
    messages += result.problems.overlap_messages(crowns.name)
    messages += result.scores.interval_messages()
    if result.warped is not None:
        n_copies = values["warped_targets"]
        messages.append(warped_targets_message(crowns.name, result.warped, n_copies))
    if result.own_spread is not None:
        target_scores = result.scores.targets["randcrowns"]
        spread_message = own_spread_message(
            crowns.name, result.own_spread, target_scores, targets.crowns.plots
        )
        messages.append(spread_message)
    if result.strata is not None:
        messages += result.strata.messages
    return messages


def _unused_threshold_messages(values: JobValues) -> list[Message]:
    """Return a note if the caller has set a threshold of scores, but no field that holds them."""
    # The record of a run contains both parameters, although no field was chosen.
    if "score_threshold" not in values.given or "score_field" in values.given:
        return []
    return [unused_threshold_message(values["score_threshold"])]


def _conclude_layers(targets: CrownLayer, results: Sequence[_ScoredLayer]) -> list[Message]:
    """Return the messages with the answer of each delineation layer.

    Args:
        targets: layer of the targets; those outside the extent are counted in its report.
        results: results of each delineation layer.
    """
    n_outside = len(targets.report.feature_ids(FeatureIssue.OUTSIDE))
    n_without_geometry = len(targets.layer.frame) - len(targets.crowns) - n_outside
    unscored_status = [Status.OUTSIDE_EXTENT.value] * n_outside
    unscored_status += [Status.NO_GEOMETRY.value] * n_without_geometry
    messages = []
    for result in results:
        answer = answer_from_statuses(
            result.layer.crowns.name,
            result.scores.summary.iloc[0],
            [*result.scores.targets["status"], *unscored_status],
            result.scores.delineations["status"],
        )
        messages += answer.messages()
        if result.classes is not None:
            messages.append(class_conclusion(result.classes, result.layer.crowns.name))
    return messages
