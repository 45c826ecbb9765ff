"""Algorithm ``randcrowns:scorecrowns``: score delineation layers against a target layer."""

from __future__ import annotations

import math
import shlex
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import shapely
from qgis.core import QgsVectorLayer

from randcrowns.algorithms.base import CrownAlgorithm, Made
from randcrowns.algorithms.catalogue import SCORE_CROWNS
from randcrowns.algorithms.choice import Given
from randcrowns.algorithms.choices import (
    IDTREES,
    IMAGE_EXTENT,
    LENGTHS,
    OWN,
    PRESET,
    TARGETS,
    chosen_lengths,
    drawn_remarks,
    named_snapshots,
    same_rows,
    unused_lengths,
    unused_plot_field,
)
from randcrowns.algorithms.output import Output
from randcrowns.algorithms.scoring import choices, outputs, tables
from randcrowns.algorithms.scoring.choices import (
    SCORE_CHOICES,
    LengthsSettings,
    check_scoring,
    missing_plots_message,
)
from randcrowns.algorithms.scoring.outputs import SCORE_OUTPUTS, SCORE_VALUES, prefixes_text
from randcrowns.algorithms.scoring.showing import SHOWING
from randcrowns.algorithms.scoring.tables import ScoredLayer
from randcrowns.core.arrays import Floats
from randcrowns.core.comparison import plots_apart
from randcrowns.core.errors import InputError
from randcrowns.core.progress import Progress, part_of, steps
from randcrowns.core.remarks import Remark, info, note
from randcrowns.core.review.problems import ProblemLimits, find_problems
from randcrowns.core.scoring.idtrees import plot_of_targets, score_plots, unlike_images
from randcrowns.core.scoring.layer import SCORES, LayerScores, not_judged, score_layers
from randcrowns.core.scoring.score import TargetRegions as Regions
from randcrowns.core.scoring.score import target_regions
from randcrowns.layers.vector.geometry import Oddity
from randcrowns.layers.vector.guesses import role_remarks
from randcrowns.layers.vector.names import field_prefixes
from randcrowns.layers.vector.place import Place, read_place
from randcrowns.layers.vector.read import AtExtent, CrownLayer, LayerRequest, LayerSnapshot
from randcrowns.layers.vector.tables import FeatureTable
from randcrowns.layers.words import tr

#: Number of crowns in all layers from which the log names the command ``randcrowns``, which does
#: not need all crowns in memory.
MIN_CROWNS_FOR_COMMAND = 500_000


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
    remarks: list[Remark]  #: messages about plots and about crowns that were not drawn.


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
            "<b>Layers.</b> Polygons in any known coordinate system; lengths are metres on the "
            "ground. Invalid polygons are repaired, empty ones skipped; the log lists both by "
            "feature id."
        ),
        PRESET,
        *LENGTHS,
        choices.PAIRING,
        choices.ALL_DRAWN,
        IMAGE_EXTENT,
        tr(
            "<b>Scored targets</b> keep their geometry, fields and coordinate system; unmatched "
            "ones score 0."
        ),
    )
    parties = (TARGETS, choices.DELINEATIONS)
    told_apart_by = (PRESET,)
    choices = SCORE_CHOICES
    outputs = SCORE_OUTPUTS
    values = SCORE_VALUES
    showing = SHOWING

    def check(self, given: Given) -> None:
        """Raise an InputError if the layers cannot be scored with the parameters."""
        check_scoring(given)

    def take(self, given: Given) -> ScoreSettings:
        """Return the settings with layer snapshots, and messages about unsuitable layers."""
        preset, lengths = chosen_lengths(given, PRESET)
        layers = given[choices.DELINEATIONS]
        targets = given.layer(TARGETS)
        messages = unused_lengths(given, PRESET)
        if targets is not None and any(same_rows(layer, targets) for layer in layers):
            messages.append(
                note(
                    "scoring.same_layer",
                    "The target layer is among the delineations. Scored against itself, it scores "
                    "1.",
                )
            )
        messages += role_remarks(targets, layers)
        messages += _command_messages(given, preset, targets, layers)
        return ScoreSettings.of(
            given,
            messages,
            preset=preset,
            lengths=lengths,
            delineations=named_snapshots(layers),
            unused_plots=unused_plot_field(given, choices.GROUP_FIELD, targets, layers),
        )

    def read(self, job: ScoreSettings, progress: Progress) -> Place:
        """Return the targets inside the extent, followed by the delineation layers.

        With the IDTReeS preset, targets must lie in a plot, and delineations are not clipped.
        """
        is_idtrees = job.preset == IDTREES
        plot_field = job[choices.GROUP_FIELD]
        targets = LayerRequest(
            job[TARGETS],
            group_field=plot_field,
            plot_field=job.unused_plots,
            all_attributes=True,
            at_extent=AtExtent.STAY if is_idtrees else AtExtent.INSIDE,
        )
        delineations = [
            LayerRequest(
                snapshot,
                name=name,
                group_field=plot_field,
                plot_field=job.unused_plots,
                score_field=job[choices.SCORE_FIELD],
                score_threshold=job[choices.SCORE_THRESHOLD],
                at_extent=AtExtent.STAY if is_idtrees else AtExtent.CUT,
            )
            for name, snapshot in job.delineations.items()
        ]
        place = read_place(
            [targets, *delineations], job.transform_context, job[IMAGE_EXTENT], progress=progress
        )
        return _with_targets_in_plots(place) if is_idtrees else place

    def compute(self, job: ScoreSettings, read: Place, progress: Progress) -> Scores:
        """Return scores and problems of all delineation layers."""
        targets, *layers = read.layers
        prefixes = field_prefixes(
            list(job.delineations), _carried_names(job[TARGETS]), outputs.ENDINGS
        )
        share = part_of(progress, 0.0, 0.9)
        if job.preset == IDTREES:
            layer_scores, regions = _score_plots(job, read, layers, share)
        else:
            layer_scores, regions = _score_layers(job, read, layers, share)

        results = []
        inputs = list(zip(layers, job.delineations.values(), prefixes, layer_scores))
        for (layer, snapshot, prefix, scores), share in steps(inputs, part_of(progress, 0.9, 1.0)):
            judged_scores = scores if job[choices.ALL_DRAWN] else not_judged(scores)
            problems = find_problems(
                targets.crowns, layer.crowns, judged_scores, problem_limits(job), share
            )
            results.append(ScoredLayer(prefix, layer, snapshot.crs, judged_scores, problems))
        return Scores(results, regions, _result_messages(job, targets, results))

    def tables(self, job: ScoreSettings, read: Place, found: Scores, progress: Progress) -> Made:
        """Return the requested outputs, the mean scores and the conclusion."""
        targets = read.layers[0]
        crs = job[TARGETS].crs
        create_table: dict[Output, Callable[[], FeatureTable]] = {
            outputs.SCORED_TARGETS: lambda: tables.targets_table(
                job[TARGETS], targets, found.layers
            ),
            outputs.SCORED_DELINEATIONS: lambda: tables.delineations_table(
                found.layers, crs, job.transform_context
            ),
            outputs.SUMMARY: lambda: tables.score_summary_table(found.layers),
            outputs.PAIRS: lambda: tables.pairs_table(found.layers, targets, crs),
        }
        regions = found.regions
        if regions is not None:
            create_table[outputs.REGIONS] = lambda: tables.regions_table(regions, targets, crs)
        # The summary is small and is made even if it is not requested.
        requested = [
            output for output in create_table if output in job.wanted or output is outputs.SUMMARY
        ]
        made = {output: create_table[output]() for output, _ in steps(requested, progress)}
        return Made(
            made, _value_outputs(found.layers), headline=tables.score_headline(found.layers)
        )


def problem_limits(job: ScoreSettings | Given) -> ProblemLimits:
    """Return the limits beyond which a crown has a problem.

    Args:
        job: settings or parameters of a run.
    """
    return ProblemLimits(
        covered=job[choices.MERGED_FROM],
        inside=job[choices.SPLIT_FROM],
        shift=job[choices.SHIFTED_FROM],
        larger=job[choices.TOO_LARGE_FROM],
        smaller=job[choices.TOO_SMALL_FROM],
        score=job[choices.RANDCROWNS_THRESHOLD],
    )


def _result_messages(
    settings: ScoreSettings, targets: CrownLayer, results: Sequence[ScoredLayer]
) -> list[Remark]:
    """Return messages about plots that do not match, and about crowns that were not drawn."""
    messages = []
    for result in results:
        pairs = result.scores.pairs
        assigned = pairs[pairs["assigned"]]
        across_plots = targets.across_plots(
            result.layer,
            assigned["target"].to_numpy(dtype=np.int64),
            assigned["delineation"].to_numpy(dtype=np.int64),
        )
        if across_plots is not None:
            messages.append(across_plots)
        messages += plots_apart([targets.crowns], [result.layer.crowns])
    messages += drawn_remarks(
        settings[choices.ALL_DRAWN],
        tr("precision, F1 and the penalised mean"),
        targets.crowns,
        [result.layer.crowns for result in results],
    )
    return messages


def _command_messages(
    given: Given, preset: str, targets: QgsVectorLayer | None, layers: Sequence[QgsVectorLayer]
) -> list[Remark]:
    """Return a message with the command for the same run, if the layers are large.

    The list is empty if the command cannot do the same: if a layer is not a file, or if a parameter
    is set that the command does not have.

    Args:
        given: parameters of the run.
        preset: key of the preset.
        targets: target layer.
        layers: delineation layers.
    """
    used_layers = [layer for layer in (targets, *layers) if layer is not None]
    if sum(layer.featureCount() for layer in used_layers) < MIN_CROWNS_FOR_COMMAND:
        return []
    unsupported = (choices.SCORE_FIELD, choices.SCORE_THRESHOLD, IMAGE_EXTENT)
    if preset == IDTREES or any(parameter in given for parameter in unsupported):
        return []
    # The summary of the command always uses the default threshold.
    if problem_limits(given).score != ProblemLimits().score:
        return []
    files = [layer.source().split("|subset=")[0] for layer in used_layers]
    if not all(Path(file.partition("|")[0]).is_file() for file in files):
        return []
    return [
        info(
            "scoring.command",
            "For layers of this size there is a command that works tile by tile, also on a "
            "cluster: {command}",
            command=_by_command(given, preset, files),
        )
    ]


def _by_command(given: Given, preset: str, files: Sequence[str]) -> str:
    """Return the shell command ``randcrowns score`` that does the same as a run.

    Args:
        given: parameters of the run.
        preset: key of the preset.
        files: paths of the layers, the targets first.
    """
    options = {"--preset": preset}
    if preset == OWN:
        _, lengths = chosen_lengths(given, PRESET)
        for parameter in LENGTHS:
            options[f"--{parameter.name}"] = f"{getattr(lengths, parameter.name):g}"
    options["--pairing"] = given[choices.PAIRING]
    if given[choices.SEARCH_RADIUS]:
        options["--search-radius"] = f"{given[choices.SEARCH_RADIUS]:g}"
    options["--plot-field"] = given[choices.GROUP_FIELD]
    default_limits = asdict(ProblemLimits())
    options["--limits"] = ",".join(
        f"{name}={value:g}"
        for name, value in asdict(problem_limits(given)).items()
        if value != default_limits[name]
    )

    arguments = []
    for option, value in options.items():
        if value:
            arguments += [option, value]
    if not given[choices.ALL_DRAWN]:
        arguments.append("--no-all-drawn")
    return shlex.join(["randcrowns", "score", *files, "--out", "scores", *arguments])


def _score_layers(
    settings: ScoreSettings, place: Place, layers: Sequence[CrownLayer], progress: Progress
) -> LayerScores:
    """Return the scores of delineation layers, and the target regions if they are requested."""
    return score_layers(
        place.layers[0].crowns,
        [layer.crowns for layer in layers],
        settings.lengths,
        settings[choices.PAIRING],
        place.area,
        cuts=[layer.cut for layer in layers],
        search_radius=settings[choices.SEARCH_RADIUS] or None,
        randcrowns_threshold=settings[choices.RANDCROWNS_THRESHOLD],
        with_regions=outputs.REGIONS in settings.wanted,
        progress=progress,
    )


def _score_plots(
    settings: ScoreSettings, place: Place, layers: Sequence[CrownLayer], progress: Progress
) -> LayerScores:
    """Return the scores of delineation layers as in the IDTReeS competition, plot by plot.

    The target regions are computed too if they are requested.
    """
    targets = place.layers[0].crowns
    plot_bounds = _plot_bounds(place)
    plot_of_target = plot_of_targets(targets, plot_bounds)
    scores = [
        score_plots(
            targets,
            layer.crowns,
            plot_bounds,
            plot_of_target,
            randcrowns_threshold=settings[choices.RANDCROWNS_THRESHOLD],
            progress=share,
        )
        for layer, share in steps(layers, part_of(progress, 0.0, 0.85))
    ]
    regions = None
    if outputs.REGIONS in settings.wanted:
        regions = target_regions(
            targets.geometry, settings.lengths, place.area, progress=part_of(progress, 0.85, 1.0)
        )
    return LayerScores(scores, regions)


def _plot_bounds(place: Place) -> Floats:
    """Return the bounds (p, 4) of the plots; without plots those of the extent, if there is one."""
    if place.plots is not None:
        return np.asarray(shapely.bounds(place.plots.crowns.geometry))
    if place.area is None:
        return np.empty((0, 4))
    return np.atleast_2d(shapely.bounds(place.area))


def _with_targets_in_plots(place: Place) -> Place:
    """Return layers without the targets that lie in no plot.

    The excluded targets are added to the report of the target layer, and a message to the place if
    plots do not have the size of the competition's images.

    Raises:
        InputError: if there is no plot and no extent.
    """
    bounds = _plot_bounds(place)
    if len(bounds) == 0:
        raise InputError(missing_plots_message())
    targets, *layers = place.layers
    is_in_plot = plot_of_targets(targets.crowns, bounds) >= 0
    targets.report.add(Oddity.OUTSIDE, targets.crowns.ids[~is_in_plot])
    n_other_sizes = len(unlike_images(bounds))
    if n_other_sizes:
        place.decided.append(
            note(
                "idtrees.plots",
                "{odd} of {all} plots are not 20 x 20 m like the images of IDTReeS 2020.",
                odd=n_other_sizes,
                all=len(bounds),
            )
        )
    return replace(place, layers=(targets.kept(is_in_plot), *layers))


def _value_outputs(results: Sequence[ScoredLayer]) -> dict[str, Any]:
    """Return the outputs that are numbers or texts, by id.

    They are the mean scores of the first delineation layer (NaN without one), and the field
    prefixes of all layers.
    """
    overall: Any = results[0].scores.summary.iloc[0] if results else {}
    values: dict[str, Any] = {
        f"MEAN_{score.upper()}": float(overall.get(f"{score}_mean", math.nan)) for score in SCORES
    }
    values.update(prefixes_text((result.layer.crowns.name, result.prefix) for result in results))
    return values


def _carried_names(snapshot: LayerSnapshot) -> list[str]:
    """Return the names of a layer's fields, without those that an earlier run added."""
    added_names = {name.lower() for name in snapshot.our_fields}
    return [field.name() for field in snapshot.fields if field.name().lower() not in added_names]
