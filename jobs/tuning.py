"""Jobs ``variance`` and ``tune``: how scores depend on the annotator, and the best parameters."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from randcrowns.core.crowns import Crowns
from randcrowns.core.errors import InputError
from randcrowns.core.messages import Message, warning
from randcrowns.core.status import ALL_PLOTS
from randcrowns.core.tuning.checks import (
    check_annotator_count,
    check_crowns_to_copy,
    check_grid_size,
)
from randcrowns.core.tuning.conclusion import (
    grid_conclusion,
    origin_message,
    simulation_message,
    variance_conclusion,
)
from randcrowns.core.tuning.experiment import count_crowns
from randcrowns.core.tuning.ranges import NumberRanges
from randcrowns.core.tuning.search import GridSearchResult, search_grid
from randcrowns.core.tuning.variance import (
    AnnotatorVariance,
    annotator_variance,
    numbered_pairs,
    numbered_targets,
    pair_delineations,
)
from randcrowns.core.tuning.wrong_pairs import simulate_annotators
from randcrowns.jobs.layers import (
    InputOptions,
    Layer,
    LayerSource,
    read_layer,
    read_named_layers,
)
from randcrowns.jobs.parameters import JobValues, randcrowns_parameters, read_values
from randcrowns.jobs.results import JobResult, ordered_columns, shape_table
from randcrowns.jobs.signatures import with_parameters
from randcrowns.jobs.sites import LayerRequest, Site, read_site
from randcrowns.jobs.tables import InputLayer

#: Names of the parameters with the values of the grid.
_GRID = ("alphas", "omegas", "gammas")


@dataclass(frozen=True, eq=False)
class _Experiment:
    """Crowns of the annotators, and the targets drawn in the field."""

    targets: Crowns | None  #: targets drawn in the field; None without them.
    annotators: list[Crowns]  #: crowns of each annotator, warped copies included.
    site: Site  #: the layers as they were read.
    messages: list[Message]  #: messages about the layers.
    #: Message that introduces the conclusion if warped copies were used; else empty.
    origin: tuple[Message, ...] = ()

    @property
    def inputs(self) -> list[InputLayer]:
        """Records of the layers, targets drawn in the field first, and of the image extent."""
        has_targets = self.targets is not None
        layers = [
            layer.layer.as_input("targets" if has_targets and number == 0 else "annotators")
            for number, layer in enumerate(self.site.layers)
        ]
        return [*layers, *self.site.extent_inputs]

    @property
    def layers(self) -> list[Crowns]:
        """Crowns of all layers; targets drawn in the field come first."""
        targets = [] if self.targets is None else [self.targets]
        return [*targets, *self.annotators]


@with_parameters("variance", InputOptions)
def variance(
    annotators: Any, targets: LayerSource | None = None, *, extent: Any = None, **parameters: Any
) -> JobResult:
    """Measure how much RandCrowns, IoU and IoUCrowns depend on the annotator.

    Args:
        annotators: layers of the annotators: a list, or a dictionary by name.
        targets: crowns drawn in the field; by default each annotator in turn is the target.
        extent: area that the annotators could see: four numbers, a polygon, or a layer.
        **parameters: parameters of the toolbox in lower case, such as ``preset``, ``alpha``,
            ``min_iou``, ``plot_field``; and the options of
            :class:`randcrowns.jobs.layers.InputOptions`.

    Returns:
        The result with the tables ``summary``, ``crowns`` (targets with their variances; the
        worst and typical ones are marked), ``pairs`` (delineations with their scores),
        ``excluded`` and ``drawn`` (number of crowns by annotator and plot).

    Raises:
        InputError: if a layer cannot be read, or a parameter is invalid.

    >>> import shapely
    >>> layers = [[shapely.box(0, 0, 5 + shift, 5)] for shift in (0.0, 0.2, 0.4)]
    >>> result = variance(dict(zip("abc", layers)))
    >>> int(result.summary.loc[3, "crowns"])
    3
    """
    options, own_parameters = InputOptions.split(parameters)
    values = read_values("variance", own_parameters)
    experiment = _read_experiment(values, annotators, targets, options, extent, minimum=2)
    result = annotator_variance(
        experiment.annotators,
        randcrowns_parameters(values),
        experiment.site.extent,
        targets=experiment.targets,
        min_iou=values["min_iou"],
    )
    summary = ordered_columns(result.summary, values.job.columns["VARIANCE"])
    conclusion = [*experiment.origin, *variance_conclusion(result)]
    headline = _headline(conclusion)
    return JobResult.of_run(
        values,
        {"summary": summary, **_variance_tables(result, experiment)},
        messages=[*experiment.messages, *conclusion],
        conclusion=" ".join(map(str, headline)),
        working=experiment.site.working_crs,
        headline=headline,
        inputs=experiment.inputs,
    )


@with_parameters("tune", InputOptions)
def tune(
    annotators: Any, targets: LayerSource | None = None, *, extent: Any = None, **parameters: Any
) -> JobResult:
    """Choose alpha, omega and gamma by the variance between annotators.

    Args:
        annotators: layers of the annotators: a list, or a dictionary by name.
        targets: crowns drawn in the field; by default each annotator in turn is the target.
        extent: area that the annotators could see: four numbers, a polygon, or a layer.
        **parameters: parameters of the toolbox in lower case, such as ``alphas`` (numbers, or a
            text such as ``"0.1:1.0:0.1"``), ``wrong_pair_threshold``; and the options of
            :class:`randcrowns.jobs.layers.InputOptions`.

    Returns:
        The result with the tables ``summary`` (the best sets in order of rank), ``grid`` (all
        sets), ``variance`` (with the best set), ``crowns`` and ``pairs``.

    Raises:
        InputError: if a layer cannot be read, or a parameter is invalid.

    >>> import shapely
    >>> layers = [[shapely.box(0, 0, 5 + shift, 5)] for shift in (0.0, 0.2, 0.4)]
    >>> result = tune(dict(zip("abc", layers)), alphas=[0.5], omegas=[1, 2], gammas=[3])
    >>> result.grid[["alpha", "omega", "gamma"]].values.tolist()
    [[0.5, 1.0, 3.0], [0.5, 2.0, 3.0]]
    """
    options, own_parameters = InputOptions.split(parameters)
    values = read_values("tune", own_parameters)
    check_grid_size(math.prod(len(values[name]) for name in _GRID))
    experiment = _read_experiment(values, annotators, targets, options, extent, minimum=3)
    search_result = search_grid(
        experiment.annotators,
        values["alphas"],
        values["omegas"],
        values["gammas"],
        targets=experiment.targets,
        extent=experiment.site.extent,
        max_wrong_score=values["wrong_pair_threshold"],
        max_excluded=values["max_excluded"] / 100,
        min_iou=values["min_iou"],
        offsets=values["corner_style"],
    )
    grid_messages = _unreached_end_messages(own_parameters)
    return _make_tuning_result(values, experiment, search_result, grid_messages)


def _make_tuning_result(
    values: JobValues,
    experiment: _Experiment,
    search: GridSearchResult,
    grid_messages: Sequence[Message],
) -> JobResult:
    """Return the tables, messages and conclusion of a search for the best parameters.

    Args:
        values: values of the job.
        experiment: crowns of the annotators.
        search: scores of all sets of parameters.
        grid_messages: messages about the numbers of the grid.
    """
    columns = values.job.columns["GRID"]
    tables = {
        "summary": ordered_columns(search.recommended, columns),
        "grid": ordered_columns(search.grid, columns),
    }
    conclusion = [*experiment.origin, *grid_conclusion(search)]
    headline = _headline(conclusion)
    messages = [*grid_messages, *experiment.messages]
    if search.best_variance is None:
        messages.append(warning("tuning.none_offered", "Try another threshold or a wider grid."))
    else:
        messages += conclusion
        tables["variance"] = search.best_variance.summary
        tables |= _variance_tables(search.best_variance, experiment)
    return JobResult.of_run(
        values,
        tables,
        messages=messages,
        conclusion=" ".join(map(str, headline)),
        working=experiment.site.working_crs,
        headline=headline,
        inputs=experiment.inputs,
    )


def _headline(conclusion: list[Message]) -> list[Message]:
    """Return the answer of a conclusion, without its warnings, which are shown as such."""
    return [message for message in conclusion if not message.is_warning]


def _unreached_end_messages(parameters: Mapping[str, Any]) -> list[Message]:
    """Return a note for each range of the grid whose last number no step reaches.

    Args:
        parameters: valid parameters as they were written; those that are texts may have ranges.
    """
    messages: list[Message] = []
    for name in _GRID:
        numbers = parameters.get(name)
        if isinstance(numbers, str):
            messages += NumberRanges(name, math.inf).unreached_end_messages(numbers)
    return messages


def _read_experiment(
    values: JobValues,
    annotators: Any,
    targets: LayerSource | None,
    options: InputOptions,
    extent: Any,
    minimum: int,
) -> _Experiment:
    """Read the crowns of all layers, and make warped copies of a single annotator.

    Args:
        values: values of the job.
        annotators: layers of the annotators.
        targets: crowns drawn in the field; None without them.
        options: options of the job.
        extent: image extent.
        minimum: number of annotators that are required without targets.

    Raises:
        InputError: if the annotators are too few, or a single one has no crowns.
    """
    reserved_names = [ALL_PLOTS]
    layers = []
    if targets is not None:
        target_layer = _read_field_targets(targets, options)
        layers.append(target_layer)
        reserved_names.append(target_layer.name)
    annotator_layers = list(read_named_layers(annotators, options, reserved_names).values())
    check_annotator_count(len(annotator_layers), targets is not None, values["warps"], minimum)
    layers += annotator_layers
    requests = [LayerRequest(layer, values["plot_field"]) for layer in layers]
    site = read_site(requests, options, extent)
    if site.working_crs.unit == "px":
        raise InputError(
            "jobs.variance_in_pixels",
            "The crowns are in pixels, but alpha and omega are lengths in metres. Give the side of "
            "a pixel on the ground (ground_resolution, in metres).",
        )
    annotator_crowns = [layer.crowns for layer in site.layers]
    target_crowns = None
    if targets is not None:
        target_crowns = annotator_crowns.pop(0)
    messages = list(site.all_messages)
    origin: tuple[Message, ...] = ()
    if len(annotator_crowns) == 1 and values["warps"]:
        original = annotator_crowns[0]
        annotator_crowns += _make_warped_copies(values, original)
        messages.append(simulation_message(original.name, values["warps"]))
        origin = (origin_message(original.name, values["warps"]),)
    return _Experiment(target_crowns, annotator_crowns, site, messages, origin)


def _make_warped_copies(values: JobValues, annotator: Crowns) -> list[Crowns]:
    """Return warped copies of the crowns of a single annotator, which replace other annotators.

    Args:
        values: values of the job.
        annotator: crowns of the annotator.

    Raises:
        InputError: if there are no crowns.
    """
    check_crowns_to_copy(annotator)
    return simulate_annotators(
        annotator,
        values["warps"],
        scale_sd=values["warp_scale"],
        rotation_sd=values["warp_rotation"],
        shift_sd=values["warp_translation"],
    )


def _read_field_targets(targets: LayerSource, options: InputOptions) -> Layer:
    """Return the layer of the crowns drawn in the field; named "targets" if it has no name.

    Args:
        targets: crowns drawn in the field.
        options: options of the job.

    Raises:
        InputError: if the layer cannot be read.
    """
    layer = read_layer(targets, options=options)
    has_name = layer.source or layer.name != "crowns"
    return read_layer(layer, layer.name if has_name else "targets")


def _variance_tables(result: AnnotatorVariance, experiment: _Experiment) -> Mapping[str, Any]:
    """Return the targets with their variances, the pairs, the excluded and the drawn crowns."""
    rated = result.experiment
    working_crs = experiment.site.working_crs
    crowns = numbered_targets(result)
    return {
        "crowns": shape_table(rated.targets, crowns, working_crs),
        "pairs": shape_table(pair_delineations(rated), numbered_pairs(result), working_crs),
        "excluded": pd.DataFrame(rated.excluded),
        "drawn": count_crowns(experiment.layers, rated),
    }
