"""Algorithm ``randcrowns:scorecrowns``: score delineation layers against a target layer."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import shapely

from randcrowns.algorithms.algorithm_catalogue import SCORE_CROWNS
from randcrowns.algorithms.classes.outputs import class_tables, strata_tables
from randcrowns.algorithms.common_parameters import (
    IDTREES,
    IMAGE_EXTENT,
    LENGTHS,
    PRESET,
    TARGETS,
    find_unused_plot_field,
    have_same_source,
    partial_drawing_messages,
    read_lengths,
    take_named_snapshots,
    unused_length_messages,
)
from randcrowns.algorithms.consensus_targets import consensus_messages
from randcrowns.algorithms.crown_algorithm import CrownAlgorithm, RunResults
from randcrowns.algorithms.output_types import Output
from randcrowns.algorithms.parameter_types import RunParameters
from randcrowns.algorithms.scoring import tables
from randcrowns.algorithms.scoring.schema import outputs, parameters
from randcrowns.algorithms.scoring.schema.outputs import (
    SCORE_OUTPUTS,
    SCORE_VALUES,
    prefixes_output,
)
from randcrowns.algorithms.scoring.schema.parameters import (
    SCORE_PARAMETERS,
    LengthsSettings,
    check_scoring,
)
from randcrowns.algorithms.scoring.schema.report_content import REPORT_CONTENT
from randcrowns.algorithms.scoring.scored_site import ScoredSite
from randcrowns.algorithms.scoring.tables import ScoredLayer
from randcrowns.algorithms.scoring.tile_command import tile_command_messages
from randcrowns.core.arrays import Floats
from randcrowns.core.classes.results import classes_of_scores, strata_of_scores
from randcrowns.core.classes.summarise import StrataRequest
from randcrowns.core.classes.values import parse_class_groups
from randcrowns.core.comparison import check_extents, check_plots_of_layers, check_reserved_plots
from randcrowns.core.messages import Message, note
from randcrowns.core.progress import Progress, iterate_with_progress, subprogress
from randcrowns.core.review.problems import ProblemLimits, find_problems
from randcrowns.core.scoring.checks import (
    check_lengths_for_size,
    check_plot_sizes,
    mean_diameter,
    no_plots_error,
)
from randcrowns.core.scoring.idtrees import find_target_plots, score_plots
from randcrowns.core.scoring.layer import (
    SCORES,
    LayerScores,
    mark_not_judged,
    score_layers,
)
from randcrowns.core.scoring.own_spread import own_spread_message, score_with_own_spread
from randcrowns.core.scoring.score import TargetRegions as Regions
from randcrowns.core.scoring.score import target_regions
from randcrowns.core.tuning.warped_targets import score_warped_targets, warped_targets_message
from randcrowns.layers.localization import tr
from randcrowns.layers.vector.geometry import FeatureIssue
from randcrowns.layers.vector.guesses import role_messages
from randcrowns.layers.vector.names import field_prefixes
from randcrowns.layers.vector.read import CrownLayer, ExtentTreatment, LayerRequest, LayerSnapshot
from randcrowns.layers.vector.study_site import StudySite, group_site_classes, read_study_site
from randcrowns.layers.vector.tables import FeatureTable


@dataclass(frozen=True)
class ScoreSettings(LengthsSettings):
    """Settings of a run that scores crowns."""

    delineations: dict[str, LayerSnapshot]  #: delineation layers by their unique display names.
    #: Plot field that the targets and a delineation layer have but that is not selected, or "".
    unused_plots: str


@dataclass(frozen=True)
class Scores:
    """Scores of all delineation layers."""

    layers: list[ScoredLayer]  #: results by delineation layer.
    regions: Regions | None  #: regions of the targets; None unless the output is requested.
    messages: list[Message]  #: messages about plots and about crowns that were not drawn.


class ScoreCrowns(CrownAlgorithm):
    """Algorithm that scores delineation layers against a target layer."""

    entry = SCORE_CROWNS
    help = (
        tr(
            "Scores the delineation of every target crown: RandCrowns (Stewart et al. 2021), IoU "
            "and IoUCrowns. Read the three together: a high RandCrowns alone does not prove that a "
            "crown is good."
        ),
        tr(
            "<b>Layers.</b> Polygons in any known coordinate system. Lengths are in metres. "
            "Invalid polygons are repaired, empty ones skipped; the log lists both by feature id."
        ),
        PRESET,
        *LENGTHS,
        parameters.PAIRING,
        parameters.ALL_DRAWN,
        IMAGE_EXTENT,
        tr(
            "<b>Scored targets</b> keep their geometry, fields and coordinate system. "
            "Targets that were not detected score 0."
        ),
    )
    title_layers = (TARGETS, parameters.DELINEATIONS)
    declared_parameters = SCORE_PARAMETERS
    outputs = SCORE_OUTPUTS
    value_outputs = SCORE_VALUES
    report_content = REPORT_CONTENT

    def validate(self, run_parameters: RunParameters) -> None:
        """Raise an InputError if the layers cannot be scored with the parameters."""
        check_scoring(run_parameters)

    def read_settings(self, run_parameters: RunParameters) -> ScoreSettings:
        """Return the settings with layer snapshots, and messages about unsuitable layers."""
        preset, lengths = read_lengths(run_parameters, PRESET)
        layers = run_parameters[parameters.DELINEATIONS]
        targets = run_parameters.layer(TARGETS)
        messages = unused_length_messages(run_parameters, PRESET)
        if targets is not None and any(have_same_source(layer, targets) for layer in layers):
            messages.append(
                note(
                    "scoring.same_layer",
                    "The target layer is among the delineations. Scored against itself, it scores "
                    "1.",
                )
            )
        messages += role_messages(targets, layers)
        messages += consensus_messages(targets, layers)
        messages += tile_command_messages(run_parameters, preset, targets, layers)
        return ScoreSettings.from_parameters(
            run_parameters,
            messages,
            preset=preset,
            lengths=lengths,
            delineations=take_named_snapshots(layers),
            unused_plots=find_unused_plot_field(
                run_parameters, parameters.PLOT_FIELD, targets, layers
            ),
        )

    def read_layers(self, settings: ScoreSettings, progress: Progress) -> StudySite:
        """Return the targets inside the extent, followed by the delineation layers.

        With the IDTReeS preset, targets must lie in a plot, and delineations are not clipped.

        Args:
            settings: settings of the run.
            progress: called with the fraction done.
        """
        is_idtrees = settings.preset == IDTREES
        site = read_study_site(
            _create_layer_requests(settings),
            settings.transform_context,
            settings[IMAGE_EXTENT],
            progress=progress,
        )
        site = group_site_classes(site, parse_class_groups(settings[parameters.CLASSES.groups]))
        return _select_targets_in_plots(site) if is_idtrees else site

    def compute(self, settings: ScoreSettings, inputs: StudySite, progress: Progress) -> Scores:
        """Return scores and problems of all delineation layers.

        Args:
            settings: settings of the run.
            inputs: result of :meth:`read_layers`.
            progress: called with the fraction done.
        """
        targets, *layers = inputs.layers
        strata_request = parameters.CLASSES.strata_request(settings, targets, inputs.study_area)
        score_progress = subprogress(progress, 0.0, 0.9)
        if settings.preset == IDTREES:
            layer_scores, regions = _score_plots(settings, inputs, layers, score_progress)
        else:
            layer_scores, regions = _score_layers(settings, inputs, layers, score_progress)

        prefixes = _choose_field_prefixes(settings, targets)
        snapshots = list(settings.delineations.values())
        results = []
        for number, share in iterate_with_progress(
            range(len(layers)), subprogress(progress, 0.9, 1.0)
        ):
            scores = layer_scores[number]
            if not settings[parameters.ALL_DRAWN]:
                scores = mark_not_judged(scores)
            problems = find_problems(
                targets.crowns,
                layers[number].crowns,
                scores,
                problem_limits(settings),
                share,
                needs_all_overlaps=False,
            )
            result = ScoredLayer(
                prefix=prefixes[number],
                layer=layers[number],
                crs=snapshots[number].crs,
                scores=scores,
                problems=problems,
            )
            result = _add_own_spread(settings, inputs, result)
            result = _add_warped_targets(settings, inputs, result)
            result = _add_classes(settings, inputs, strata_request, result)
            results.append(result)
        return Scores(results, regions, _result_messages(settings, targets, results))

    def results_to_keep(
        self, settings: ScoreSettings, inputs: StudySite, findings: Scores
    ) -> ScoredSite | None:
        """Return the crowns and their scores, from which scoring while drawing starts.

        Args:
            settings: settings of the run.
            inputs: result of :meth:`read_layers`.
            findings: result of :meth:`compute`.
        """
        if settings.preset == IDTREES or settings[parameters.CLASSES.within]:
            return None
        return ScoredSite.from_run(inputs, findings.layers)

    def build_results(
        self, settings: ScoreSettings, inputs: StudySite, findings: Scores, progress: Progress
    ) -> RunResults:
        """Return the requested outputs, the mean scores and the conclusion.

        Args:
            settings: settings of the run, with the ids of the requested outputs.
            inputs: study site with the targets and the delineation layers.
            findings: result of :meth:`compute`.
            progress: called with the fraction done.
        """
        targets = inputs.layers[0]
        results = findings.layers
        crs = settings[TARGETS].crs
        requested = settings.requested_outputs
        output_tables: dict[Output, FeatureTable] = {}
        if outputs.SCORED_TARGETS in requested:
            output_tables[outputs.SCORED_TARGETS] = tables.targets_table(
                settings[TARGETS], targets, results
            )
        progress(0.4)
        if outputs.SCORED_DELINEATIONS in requested:
            output_tables[outputs.SCORED_DELINEATIONS] = tables.delineations_table(
                results, crs, settings.transform_context
            )
        progress(0.8)
        # The summary is small and is created even if it is not requested.
        output_tables[outputs.SUMMARY] = tables.score_summary_table(results)
        named_classes = []
        named_strata = []
        for result in results:
            layer_name = result.layer.crowns.name
            if result.classes is not None:
                named_classes.append((layer_name, result.classes))
            if result.strata is not None:
                named_strata.append((layer_name, result.strata))
        output_tables.update(class_tables(named_classes))
        output_tables.update(strata_tables(named_strata))
        if any(result.warped is not None for result in results):
            output_tables[outputs.WARPED_SCORES] = tables.warped_table(results)
        if outputs.PAIRS in requested:
            output_tables[outputs.PAIRS] = tables.pairs_table(results, targets, crs)
        if outputs.REGIONS in requested and findings.regions is not None:
            output_tables[outputs.REGIONS] = tables.regions_table(findings.regions, targets, crs)
        progress(1.0)
        conclusion = tables.score_conclusion(results, targets)
        return RunResults(output_tables, _create_value_outputs(results), headline=conclusion)


def _create_layer_requests(settings: ScoreSettings) -> list[LayerRequest]:
    """Return how to read the targets and the delineation layers, the targets first."""
    if settings.preset == IDTREES:
        # Plots select the targets, and whole delineations count.
        target_treatment = ExtentTreatment.KEEP
        delineation_treatment = ExtentTreatment.KEEP
    else:
        target_treatment = ExtentTreatment.SELECT
        delineation_treatment = ExtentTreatment.CLIP
    plot_field = settings[parameters.PLOT_FIELD]
    class_fields = parameters.CLASSES.fields(settings)
    requests = [
        LayerRequest(
            settings[TARGETS],
            group_field=plot_field,
            unused_plot_field=settings.unused_plots,
            class_field=class_fields.targets,
            read_all_attributes=True,
            extent_treatment=target_treatment,
        )
    ]
    for name, snapshot in settings.delineations.items():
        delineation_request = LayerRequest(
            snapshot,
            name=name,
            group_field=plot_field,
            unused_plot_field=settings.unused_plots,
            class_field=class_fields.others,
            score_field=settings[parameters.SCORE_FIELD],
            score_threshold=settings[parameters.SCORE_THRESHOLD],
            extent_treatment=delineation_treatment,
        )
        requests.append(delineation_request)
    return requests


def _choose_field_prefixes(settings: ScoreSettings, targets: CrownLayer) -> list[str]:
    """Return the prefix of each delineation layer's fields in the scored targets.

    Args:
        settings: settings of the run, with the names of the delineation layers.
        targets: target layer, with whose own fields the result fields must not collide.
    """
    endings = outputs.FIELD_ENDINGS
    if targets.crowns.classes is not None:
        endings = (*endings, *outputs.CLASS_ENDINGS)
    if settings[parameters.SPREAD_FIELD]:
        endings = (*endings, outputs.OWN_SPREAD_ENDING)
    own_fields = _list_carried_fields(settings[TARGETS])
    return field_prefixes(list(settings.delineations), own_fields, endings)


def _add_classes(
    settings: ScoreSettings, site: StudySite, request: StrataRequest | None, result: ScoredLayer
) -> ScoredLayer:
    """Return the results of a layer with the comparison of its classes, and with its strata.

    Args:
        settings: settings of the run.
        site: layers, the targets first.
        request: property by which the targets are summarised; None without strata.
        result: results of the layer.
    """
    targets = site.layers[0]
    classes = classes_of_scores(
        targets.crowns,
        result.layer.crowns,
        result.scores,
        all_drawn=settings[parameters.ALL_DRAWN],
    )
    strata = None
    if request is not None:
        strata = strata_of_scores(
            request, targets.crowns, result.layer.crowns, result.scores, result.problems
        )
    return result._replace(classes=classes, strata=strata)


def _add_own_spread(settings: ScoreSettings, site: StudySite, result: ScoredLayer) -> ScoredLayer:
    """Return the results of a layer with the scores by the targets' own spread, if they have one.

    Args:
        settings: settings of the run.
        site: layers, the targets first.
        result: results of the layer.

    Raises:
        InputError: if no target has a spread, or a spread is negative.
    """
    spread_field = settings[parameters.SPREAD_FIELD]
    if not spread_field:
        return result
    targets = site.layers[0]
    clipped = result.layer.clipped
    delineations = result.layer.crowns.geometry if clipped is None else clipped
    own_spread = score_with_own_spread(
        targets.crowns,
        delineations,
        pairs=result.scores.assigned_pairs,
        spread=targets.field_numbers(spread_field),
        parameters=settings.lengths,
        pairing=settings[parameters.PAIRING],
        extent=site.study_area,
    )
    return result._replace(own_spread=own_spread)


def _add_warped_targets(
    settings: ScoreSettings, site: StudySite, result: ScoredLayer
) -> ScoredLayer:
    """Return the results of a layer with the scores against warped targets, if requested.

    Args:
        settings: settings of the run.
        site: layers, the targets first.
        result: results of the layer.
    """
    n_copies = settings[parameters.WARPED_TARGETS]
    if not n_copies:
        return result
    warped = score_warped_targets(
        site.layers[0].crowns,
        result.layer.crowns,
        result.scores,
        settings.lengths,
        n_copies,
        extent=site.study_area,
    )
    return result._replace(warped=warped)


def problem_limits(settings: ScoreSettings | RunParameters) -> ProblemLimits:
    """Return the limits beyond which a crown has a problem.

    Args:
        settings: settings or parameters of a run.
    """
    return ProblemLimits(
        covered=settings[parameters.MERGED_FROM],
        inside=settings[parameters.SPLIT_FROM],
        shift=settings[parameters.SHIFTED_FROM],
        larger=settings[parameters.TOO_LARGE_FROM],
        smaller=settings[parameters.TOO_SMALL_FROM],
        score=settings[parameters.RANDCROWNS_THRESHOLD],
    )


def _result_messages(
    settings: ScoreSettings, targets: CrownLayer, results: Sequence[ScoredLayer]
) -> list[Message]:
    """Return messages about plots that do not match, and about crowns that were not drawn.

    Args:
        settings: settings of the run.
        targets: target layer.
        results: results by delineation layer.
    """
    messages: list[Message] = []
    plot_names = list(targets.plot_names)
    for result in results:
        messages += _pair_messages(targets, result)
        # A message about intervals is one message for all layers.
        interval_messages = result.scores.interval_messages()
        messages += [message for message in interval_messages if message not in messages]
        messages += _option_messages(settings, targets, result)
        plot_names += result.layer.plot_names
    layers = [result.layer.crowns for result in results]
    if settings.preset != IDTREES:
        diameter = mean_diameter(targets.crowns.geometry)
        messages += check_lengths_for_size(diameter, settings.lengths)
    messages += check_plots_of_layers(targets.crowns, layers)
    messages += check_reserved_plots(plot_names)
    messages += partial_drawing_messages(
        settings[parameters.ALL_DRAWN],
        tr("precision, F1 and the penalised mean"),
        targets.crowns,
        [result.layer.crowns for result in results],
    )
    return messages


def _pair_messages(targets: CrownLayer, result: ScoredLayer) -> list[Message]:
    """Return messages about plots, extents, pairs and overlaps of one delineation layer.

    Args:
        targets: target layer.
        result: results of the delineation layer.
    """
    crowns = result.layer.crowns
    assigned_pairs = result.scores.assigned_pairs
    across_plots_message = targets.unused_plots_message(
        result.layer,
        assigned_pairs["target"].to_numpy(dtype=np.int64),
        assigned_pairs["delineation"].to_numpy(dtype=np.int64),
    )
    field_messages = (across_plots_message, result.layer.unused_score_message())
    messages = [message for message in field_messages if message is not None]
    messages += check_extents(targets.crowns, crowns)
    messages += result.scores.pair_messages(crowns.name)
    messages += result.problems.overlap_messages(crowns.name)
    return messages


def _option_messages(
    settings: ScoreSettings, targets: CrownLayer, result: ScoredLayer
) -> list[Message]:
    """Return messages about results that are computed on request: spread, warped targets, strata.

    Args:
        settings: settings of the run.
        targets: target layer.
        result: results of the delineation layer.
    """
    name = result.layer.crowns.name
    messages: list[Message] = []
    if result.own_spread is not None:
        randcrowns = result.scores.targets["randcrowns"]
        messages.append(
            own_spread_message(name, result.own_spread, randcrowns, targets.crowns.plots)
        )
    if result.warped is not None:
        n_copies = settings[parameters.WARPED_TARGETS]
        messages.append(warped_targets_message(name, result.warped, n_copies))
    if result.strata is not None:
        messages += result.strata.messages
    return messages


def _score_layers(
    settings: ScoreSettings, site: StudySite, layers: Sequence[CrownLayer], progress: Progress
) -> LayerScores:
    """Return the scores of delineation layers, and the target regions if they are requested.

    Args:
        settings: settings of the run.
        site: study site, whose first layer has the targets.
        layers: delineation layers.
        progress: called with the fraction done.
    """
    return score_layers(
        site.layers[0].crowns,
        [layer.crowns for layer in layers],
        settings.lengths,
        settings[parameters.PAIRING],
        site.study_area,
        clipped=[layer.clipped for layer in layers],
        search_radius=settings[parameters.SEARCH_RADIUS] or None,
        randcrowns_threshold=settings[parameters.RANDCROWNS_THRESHOLD],
        with_regions=outputs.REGIONS in settings.requested_outputs,
        within_classes=settings[parameters.CLASSES.within],
        progress=progress,
    )


def _score_plots(
    settings: ScoreSettings, site: StudySite, layers: Sequence[CrownLayer], progress: Progress
) -> LayerScores:
    """Return the scores of delineation layers as in the IDTReeS competition, plot by plot.

    The target regions are computed too if they are requested.

    Args:
        settings: settings of the run.
        site: study site with the plots, whose first layer has the targets.
        layers: delineation layers.
        progress: called with the fraction done.
    """
    targets = site.layers[0].crowns
    plot_bounds = _get_plot_bounds(site)
    plot_of_target = find_target_plots(targets, plot_bounds)
    scores = [
        score_plots(
            targets,
            layer.crowns,
            plot_bounds,
            plot_of_target,
            randcrowns_threshold=settings[parameters.RANDCROWNS_THRESHOLD],
            progress=share,
        )
        for layer, share in iterate_with_progress(layers, subprogress(progress, 0.0, 0.85))
    ]
    regions = None
    if outputs.REGIONS in settings.requested_outputs:
        regions = target_regions(
            targets.geometry,
            settings.lengths,
            site.study_area,
            progress=subprogress(progress, 0.85, 1.0),
        )
    return LayerScores(scores, regions)


def _get_plot_bounds(site: StudySite) -> Floats:
    """Return the bounds (p, 4) of the plots; without plots those of the extent, if there is one."""
    if site.extent_layer is not None:
        return np.asarray(shapely.bounds(site.extent_layer.crowns.geometry))
    if site.study_area is None:
        return np.empty((0, 4))
    return np.atleast_2d(shapely.bounds(site.study_area))


def _select_targets_in_plots(site: StudySite) -> StudySite:
    """Return a study site without the targets that lie in no plot.

    Two attributes are extended in place: the excluded targets are added to the report of the target
    layer, and a message to the site if plots do not have the size of the competition's images.

    Args:
        site: study site with the plots, whose first layer has the targets.

    Raises:
        InputError: if there is no plot and no extent.
    """
    plot_bounds = _get_plot_bounds(site)
    if len(plot_bounds) == 0:
        raise no_plots_error()
    targets, *delineations = site.layers
    # The plot of a target in no plot is -1.
    is_in_plot = find_target_plots(targets.crowns, plot_bounds) >= 0
    targets.report.add(FeatureIssue.OUTSIDE, targets.crowns.ids[~is_in_plot])
    site.site_messages.extend(check_plot_sizes(plot_bounds))
    return replace(site, layers=(targets.subset(is_in_plot), *delineations))


def _create_value_outputs(results: Sequence[ScoredLayer]) -> dict[str, Any]:
    """Return the outputs that are numbers or texts, by id.

    They are the mean scores of the first delineation layer (NaN without one), and the field
    prefixes of all layers.
    """
    # The first row of a summary is that of all plots together.
    overall: Any = results[0].scores.summary.iloc[0] if results else {}
    values: dict[str, Any] = {}
    for score in SCORES:
        values[f"MEAN_{score.upper()}"] = float(overall.get(f"{score}_mean", math.nan))
    values.update(prefixes_output((result.layer.crowns.name, result.prefix) for result in results))
    return values


def _list_carried_fields(snapshot: LayerSnapshot) -> list[str]:
    """Return the names of a layer's fields, without those that an earlier run added."""
    added_names = {name.lower() for name in snapshot.result_fields}
    return [field.name() for field in snapshot.fields if field.name().lower() not in added_names]
