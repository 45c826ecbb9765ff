"""randcrowns:scorecrowns - score delineation layers against a target layer."""

from __future__ import annotations

import math
import shlex
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import shapely

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
    LengthsJob,
    check_scoring,
    plots_needed,
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

#: Crowns of all layers from which the command randcrowns is worth while: it needs no memory for all of them.
LARGE = 500_000


@dataclass(frozen=True)
class ScoreJob(LengthsJob):
    """What a scoring run needs besides."""

    delineations: dict[
        str, LayerSnapshot
    ]  #: the layers that are scored, by the names they are shown with.
    #: Field with the plot that the targets and one of them have and that is not chosen, or empty.
    unused_plots: str


@dataclass(frozen=True)
class Scored:
    """The scores of every delineation layer, the targets' regions where they are wanted, and what is to be told."""

    layers: list[ScoredLayer]
    regions: Regions | None
    remarks: list[Remark]


class ScoreCrowns(CrownAlgorithm):
    entry = SCORE_CROWNS
    help = (
        tr(
            "Scores every target crown against its delineation: RandCrowns (Stewart et al. 2021), IoU and IoUCrowns. "
            "Read the three together: a high RandCrowns alone is no proof of a good crown."
        ),
        tr(
            "<b>Layers.</b> Polygons in any known coordinate system; lengths are metres on the ground. Invalid "
            "polygons are repaired, empty ones skipped; the log lists both by feature id."
        ),
        *(PRESET, *LENGTHS, choices.PAIRING, choices.ALL_DRAWN, IMAGE_EXTENT),
        tr(
            "<b>Scored targets</b> keep their geometry, fields and coordinate system; unmatched ones score 0."
        ),
    )
    parties, told_apart_by = (TARGETS, choices.DELINEATIONS), (PRESET,)
    choices, outputs, values, showing = SCORE_CHOICES, SCORE_OUTPUTS, SCORE_VALUES, SHOWING

    def check(self, given: Given) -> None:
        check_scoring(given)

    def take(self, given: Given) -> ScoreJob:
        key, lengths = chosen_lengths(given, PRESET)
        layers, target = given[choices.DELINEATIONS], given.layer(TARGETS)
        remarks = unused_lengths(given, PRESET)
        if target is not None and any(same_rows(layer, target) for layer in layers):
            said = "The target layer is among the delineations: scored against itself, it scores 1."
            remarks.append(note("scoring.same_layer", said))
        remarks += role_remarks(target, layers)
        remarks += _by_command(given, key, target, layers)
        unused = unused_plot_field(given, choices.GROUP_FIELD, target, layers)
        named = named_snapshots(layers)
        return ScoreJob.of(
            given, remarks, preset=key, lengths=lengths, delineations=named, unused_plots=unused
        )

    def read(self, job: ScoreJob, progress: Progress) -> Place:
        """The targets in the extent, or for IDTReeS in a plot, then every delineation layer."""
        idtrees, unused = job.preset == IDTREES, job.unused_plots
        group, at_extent = job[choices.GROUP_FIELD], AtExtent.STAY if idtrees else AtExtent.INSIDE
        targets = LayerRequest(
            job[TARGETS], group_field=group, plot_field=unused, all_attributes=True
        )
        targets = replace(targets, at_extent=at_extent)
        delineations = [
            LayerRequest(
                snapshot,
                name=name,
                group_field=group,
                plot_field=unused,
                score_field=job[choices.SCORE_FIELD],
                score_threshold=job[choices.SCORE_THRESHOLD],
                at_extent=AtExtent.STAY if idtrees else AtExtent.CUT,
            )
            for name, snapshot in job.delineations.items()
        ]
        place = read_place(
            [targets, *delineations], job.transform_context, job[IMAGE_EXTENT], progress=progress
        )
        return _in_plots(place) if idtrees else place

    def compute(self, job: ScoreJob, read: Place, progress: Progress) -> Scored:
        prefixes = field_prefixes(
            list(job.delineations), _kept_names(job[TARGETS]), outputs.ENDINGS
        )
        score, layers = _in_idtrees if job.preset == IDTREES else _in_metres, read.layers[1:]
        scores, regions = score(job, read, layers, part_of(progress, 0.0, 0.9))
        results = []
        scored = list(zip(layers, job.delineations.values(), prefixes, scores))
        for (layer, snapshot, prefix, found), share in steps(scored, part_of(progress, 0.9, 1.0)):
            judged = found if job[choices.ALL_DRAWN] else not_judged(found)
            problems = find_problems(
                read.layers[0].crowns, layer.crowns, judged, problem_limits(job), share
            )
            results.append(ScoredLayer(prefix, layer, snapshot.crs, judged, problems))
        return Scored(results, regions, _doubts(job, read.layers[0], results))

    def tables(self, job: ScoreJob, read: Place, found: Scored, progress: Progress) -> Made:
        targets, crs = read.layers[0], job[TARGETS].crs
        makers: dict[Output, Callable[[], FeatureTable]] = {
            outputs.SCORED_TARGETS: lambda: tables.targets_table(
                job[TARGETS], targets, found.layers
            ),
            outputs.SCORED_DELINEATIONS: lambda: tables.delineations_table(
                found.layers, crs, job.transform_context
            ),
            outputs.SUMMARY: lambda: tables.score_summary_table(found.layers),
            outputs.PAIRS: lambda: tables.pairs_table(found.layers, targets, crs),
        }
        if (regions := found.regions) is not None:
            makers[outputs.REGIONS] = lambda: tables.regions_table(regions, targets, crs)
        wanted = [output for output in makers if output in job.wanted or output is outputs.SUMMARY]
        made = {output: makers[output]() for output, _ in steps(wanted, progress)}
        return Made(
            made, _other_outputs(found.layers), headline=tables.score_headline(found.layers)
        )


def _doubts(job: ScoreJob, targets: CrownLayer, results: list[ScoredLayer]) -> list[Remark]:
    """What the pairs and the numbers of crowns tell of plots and of crowns that nobody drew."""
    remarks = []
    for result in results:
        paired = result.scores.pairs[result.scores.pairs["assigned"]]
        rows = (paired[side].to_numpy(dtype=np.int64) for side in ("target", "delineation"))
        remarks.append(targets.across_plots(result.layer, *rows))
        remarks += plots_apart([targets.crowns], [result.layer.crowns])
    undefined, others = (
        tr("precision, F1 and the penalised mean"),
        [result.layer.crowns for result in results],
    )
    drawn = drawn_remarks(job[choices.ALL_DRAWN], undefined, targets.crowns, others)
    return [*filter(None, remarks), *drawn]


def _by_command(given: Given, preset: str, target: Any, layers: Sequence[Any]) -> list[Remark]:
    """A remark with the command that does the same run tile by tile, where the layers are large and files."""
    used = [layer for layer in (target, *layers) if layer is not None]
    untold = (choices.SCORE_FIELD, choices.SCORE_THRESHOLD, IMAGE_EXTENT)
    if (
        sum(layer.featureCount() for layer in used) < LARGE
        or preset == IDTREES
        or any(one in given for one in untold)
    ):
        return []
    files = [layer.source().split("|subset=")[0] for layer in used]
    if not all(Path(file.partition("|")[0]).is_file() for file in files):
        return []
    lengths, limits, usual = (
        chosen_lengths(given, PRESET)[1],
        problem_limits(given),
        ProblemLimits(),
    )
    if limits.score != usual.score:  # the command's summary has the usual threshold
        return []
    others = [
        f"{name}={value:g}"
        for name, value in asdict(limits).items()
        if value != getattr(usual, name)
    ]
    options = {
        "--preset": preset,
        **(
            {f"--{choice.name}": f"{getattr(lengths, choice.name):g}" for choice in LENGTHS}
            if preset == OWN
            else {}
        ),
        "--pairing": given[choices.PAIRING],
        "--search-radius": f"{given[choices.SEARCH_RADIUS]:g}"
        if given[choices.SEARCH_RADIUS]
        else "",
        "--plot-field": given[choices.GROUP_FIELD],
        "--limits": ",".join(others),
    }
    told = [word for option, value in options.items() if value for word in (option, str(value))]
    told += [] if given[choices.ALL_DRAWN] else ["--no-all-drawn"]
    command = shlex.join(["randcrowns", "score", *files, "--out", "scores", *told])
    said = "For layers of this size there is a command that works tile by tile, on a cluster too: {command}"
    return [info("scoring.command", said, command=command)]


def problem_limits(job: ScoreJob | Given) -> ProblemLimits:
    """From where on something is wrong with a crown."""
    return ProblemLimits(
        covered=job[choices.MERGED_FROM],
        inside=job[choices.SPLIT_FROM],
        shift=job[choices.SHIFTED_FROM],
        larger=job[choices.TOO_LARGE_FROM],
        smaller=job[choices.TOO_SMALL_FROM],
        score=job[choices.RANDCROWNS_THRESHOLD],
    )


def _in_metres(
    job: ScoreJob, place: Place, layers: Sequence[CrownLayer], progress: Progress
) -> LayerScores:
    return score_layers(
        place.layers[0].crowns,
        [layer.crowns for layer in layers],
        job.lengths,
        job[choices.PAIRING],
        place.area,
        cuts=[layer.cut for layer in layers],
        search_radius=job[choices.SEARCH_RADIUS] or None,
        randcrowns_threshold=job[choices.RANDCROWNS_THRESHOLD],
        with_regions=outputs.REGIONS in job.wanted,
        progress=progress,
    )


def _in_idtrees(
    job: ScoreJob, place: Place, layers: Sequence[CrownLayer], progress: Progress
) -> LayerScores:
    targets, plots = place.layers[0].crowns, _plot_bounds(place)
    plot_of = plot_of_targets(targets, plots)
    threshold = job[choices.RANDCROWNS_THRESHOLD]
    scores = [
        score_plots(
            targets, layer.crowns, plots, plot_of, randcrowns_threshold=threshold, progress=share
        )
        for layer, share in steps(layers, part_of(progress, 0.0, 0.85))
    ]
    regions = None
    if outputs.REGIONS in job.wanted:
        regions = target_regions(
            targets.geometry, job.lengths, place.area, progress=part_of(progress, 0.85, 1.0)
        )
    return LayerScores(scores, regions)


def _plot_bounds(place: Place) -> Floats:
    """(p, 4) of every plot, or of the one extent."""
    if place.plots is not None:
        return np.asarray(shapely.bounds(place.plots.crowns.geometry))
    return np.empty((0, 4)) if place.area is None else np.atleast_2d(shapely.bounds(place.area))


def _in_plots(place: Place) -> Place:
    """The place with those targets only that lie in a plot."""
    bounds = _plot_bounds(place)
    if len(bounds) == 0:
        raise InputError(plots_needed())
    targets, *layers = place.layers
    inside = plot_of_targets(targets.crowns, bounds) >= 0
    targets.report.add(Oddity.OUTSIDE, targets.crowns.ids[~inside])
    odd = len(unlike_images(bounds))
    if odd:
        said = "{odd} of {all} plots are not 20 x 20 m, as the images of IDTReeS 2020 are."
        place.decided.append(note("idtrees.plots", said, odd=odd, all=len(bounds)))
    return replace(place, layers=(targets.kept(inside), *layers))


def _other_outputs(results: list[ScoredLayer]) -> dict[str, Any]:
    overall: Any = results[0].scores.summary.iloc[0] if results else {}
    means = {
        f"MEAN_{score.upper()}": float(overall.get(f"{score}_mean", math.nan)) for score in SCORES
    }
    return {
        **means,
        **prefixes_text((result.layer.crowns.name, result.prefix) for result in results),
    }


def _kept_names(snapshot: LayerSnapshot) -> list[str]:
    ours = {name.lower() for name in snapshot.our_fields}
    return [field.name() for field in snapshot.fields if field.name().lower() not in ours]
