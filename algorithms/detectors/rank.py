"""randcrowns:rankdetectors - rank detectors under every ground truth that annotators make."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from randcrowns.algorithms.base import CrownAlgorithm, Made
from randcrowns.algorithms.catalogue import RANK_DETECTORS
from randcrowns.algorithms.choice import Given
from randcrowns.algorithms.choices import area_told
from randcrowns.algorithms.detectors import choices, findings
from randcrowns.algorithms.detectors.choices import (
    RANK_CHOICES,
    DetectorJob,
    check_ranking,
    take_detector_job,
)
from randcrowns.algorithms.detectors.outputs import RANK_OUTPUTS, RANK_VALUES, TRUTH_POLYGONS
from randcrowns.algorithms.detectors.showing import SHOWING
from randcrowns.algorithms.detectors.tables import RankingResult, ranking_tables
from randcrowns.algorithms.detectors.units import (
    DetectorInput,
    Units,
    as_lines,
    counted_area,
    make_units,
    read_detector_input,
    tile_side,
    truth_rows,
    truths_table,
)
from randcrowns.algorithms.images import read_images
from randcrowns.algorithms.output import UNIT
from randcrowns.core.agreement.consensus import EACH, GroundTruths, consensus_rule, ground_truths
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.comparison import plots_apart
from randcrowns.core.detectors.certainty import (
    RankProbabilities,
    crown_rank_probabilities,
    crown_units,
    rank_probabilities,
)
from randcrowns.core.detectors.coco import CocoRanking, coco_ranking
from randcrowns.core.detectors.correlations import AgreementCorrelations, agreement_correlations
from randcrowns.core.detectors.crowns import CrownRanking, rank_crown_detectors
from randcrowns.core.detectors.mean_precision import skew_limits
from randcrowns.core.detectors.ranking import DetectorRanking, rank_detectors, skew_of
from randcrowns.core.detectors.verdict import BY_CROWNS, rank_verdict
from randcrowns.core.errors import InputError
from randcrowns.core.instances.average_precision import point_recall, share_on_ignored
from randcrowns.core.progress import Progress, aside, part_of, steps
from randcrowns.core.remarks import Remark, info, note
from randcrowns.layers.raster.grid import Grid
from randcrowns.layers.vector.geometry import map_multipolygon
from randcrowns.layers.words import sentences, tr


class RankDetectors(CrownAlgorithm):
    entry = RANK_DETECTORS
    help = (
        tr(
            "A detector's score depends on the annotator it is compared with. This ranks detectors under every "
            "annotator and every ground truth that the annotators make together (Lampert et al. 2016), and says how "
            "certain the first place is."
        ),
        tr(
            "<b>AUCR</b> is the area under the P̄-recall curve, <b>AP</b> the average precision over whole crowns."
        ),
        *(
            choices.SKEW,
            choices.DETECTORS,
            choices.RESOLUTION,
            choices.STUDY_AREA,
            choices.TRAINING,
            choices.DRAWS,
        ),
    )
    shares = (0.3, 0.9)
    parties = (choices.DETECTORS, choices.ANNOTATORS)
    choices, outputs, values, showing = RANK_CHOICES, RANK_OUTPUTS, RANK_VALUES, SHOWING
    takes_pixels = True

    def check(self, given: Given) -> None:
        check_ranking(given)

    def take(self, given: Given) -> DetectorJob:
        return take_detector_job(given)

    def read(self, job: DetectorJob, progress: Progress) -> _Read:
        whole: list[DetectorInput] = []

        def read(one: DetectorJob, told: Progress) -> DetectorInput:
            whole.append(read_detector_input(one, told))
            return whole[-1]

        parts, units, half = {}, None, (part_of(progress, 0.0, 0.5), part_of(progress, 0.5, 1.0))
        if job.areas:
            parts = {
                image: one.with_pixels()
                for image, one in read_images(
                    job, job.of_images, choices.GROUP_FIELD, read, half[0]
                ).items()
            }
            units = aside(lambda told: make_units(parts, told), half[1])
        elif not whole:
            read(job, half[0])
        if len(parts) > 1:
            place = replace(whole[0], area=whole[0].looked_at, grid=next(iter(parts.values())).grid)
        else:
            place = whole[0].with_pixels()
        without = "all that was drawn and found"
        if any(one.in_plot for one in parts.values()):
            without = "what the annotators drew, a rectangle around it in each plot"
        elif job.areas:
            without = (
                "the pixels of the rasters"
                if job.pixels
                else "the rectangle around all annotators' polygons"
            )
        area = area_told(
            job[choices.STUDY_AREA], counted_area(place, units), without, place.working.unit
        )
        told = [
            area,
            *findings.partly_drawn(job),
            *place.remarks,
            *([] if units is None else units.remarks),
        ]
        return _Read(place, units, told, [one.grid for one in parts.values()])

    def compute(self, job: DetectorJob, read: _Read, progress: Progress) -> RankingResult:
        units, found = read.units, RankingResult()
        if units is not None:
            found = aside(
                lambda told: _rank_areas(job, units, read.place.grid, told),
                part_of(progress, 0.0, 0.85),
            )
        level, area = job[choices.CERTAINTY], counted_area(read.place, units)
        crowns, certain, coco, apart = _rank_crowns(
            job, read.place, area, part_of(progress, 0.85, 1.0)
        )
        if found.certainty is not None:
            found = found._replace(
                said=rank_verdict(found.certainty, level, findings.scoreless_of(found.areas))
            )
        if certain is not None:
            by_crowns = rank_verdict(certain, level, measure=BY_CROWNS, topic="crown_verdict")
            found = found._replace(crown_certainty=certain, crowns_said=by_crowns)
        return found._replace(
            crowns=crowns,
            coco=coco,
            annotators=[*read.place.names],
            remarks=[*found.remarks, *apart],
        )

    def tables(
        self, job: DetectorJob, read: _Read, found: RankingResult, progress: Progress
    ) -> Made:
        tables = ranking_tables(found)
        if TRUTH_POLYGONS in job.wanted:
            rows, crs = [], next(iter(job.annotators.values())).crs
            if read.units is not None and found.truths is not None:
                on_map = [*job.made_truths, *(() if job[choices.ANNOTATOR_FIELD] else job.drawn)]
                truths = {
                    name: marked
                    for name, marked in found.truths.truths.items()
                    if name not in on_map
                }
                mapped = partial(map_multipolygon, read.place.working, crs)
                rows = truth_rows(read.units, truths, read.grids, mapped, progress)
            tables[TRUTH_POLYGONS] = truths_table(rows, crs)
        by_area, by_crowns = findings.area_verdict(job, found), findings.crown_verdict(job, found)
        first = findings.headline(job, found)
        values = {
            "VERDICT": " ".join(
                sentences([*first, *by_crowns, *by_area] if first else by_area or by_crowns)
            ),
            UNIT.id: read.place.working.unit,
            "PROBABILITY": math.nan if found.said is None else found.said.probability,
            "CROWN_PROBABILITY": math.nan
            if found.crowns_said is None
            else found.crowns_said.probability,
        }
        answer = [*first, *by_crowns, *by_area]
        return Made(
            tables, values, remarks=[*answer, *findings.first_places(found)], headline=answer
        )


@dataclass(frozen=True, eq=False)
class _Read:
    """The place, the pixels or faces where areas are counted, the remarks on them, and the pixels of each image.

    Of several images the place is the first's as it was read.
    """

    place: DetectorInput
    units: Units | None
    remarks: list[Remark]
    grids: list[Grid | None]


def _rank_areas(
    job: DetectorJob, units: Units, grid: Grid | None, progress: Progress
) -> RankingResult:
    made = _ground_truths(job, units, part_of(progress, 0.0, 0.1 if job[choices.LINES] else 0.2))
    seen = units
    lines: list[Remark] = []
    if job[choices.LINES] and units.stack is not None:
        units, made, lines = as_lines(units, made, grid, part_of(progress, 0.1, 0.2))
    told = [
        note("truths.note", "{truth}: {why}", truth=truth, why=remark)
        for truth, remarks in made.notes.items()
        for remark in remarks
    ]
    told += [
        note("truths.missing", "No {truth}: {why}", truth=truth, why=why)
        for truth, why in made.reasons.items()
    ]
    told += lines
    limits = job[choices.LOW], job[choices.HIGH]
    if job[choices.SKEW] == "truths":
        weight = units.valid.astype(float) if units.weight is None else units.weight
        limits = skew_limits([skew_of(truth, weight) for truth in made.truths.values()])
        said = "Skew limits from the ground truths: {low:.3f} to {high:.3f}."
        told.append(note("ranking.skew_limits", said, low=limits[0], high=limits[1]))
    ranking = rank_detectors(
        units.scores,
        made.truths,
        *limits,
        weight=units.weight,
        valid=units.valid,
        tolerance=units.tolerance,
        progress=part_of(progress, 0.2, 0.55),
    )
    missing = findings.scoreless_of(ranking)
    for name, why in ranking.reasons.items():
        on_page = name in missing and len(missing) < len(ranking.aucr)
        told.append(
            note(
                "areas.no_value" if on_page else "ranking.no_value",
                "{name}: {why}",
                name=name,
                why=why,
            )
        )
    correlations = _correlations(job, seen, ranking, part_of(progress, 0.55, 0.65))
    certainty = _certainty(job, units, made, limits, ranking, part_of(progress, 0.65, 0.9))
    by_image = _rank_images(units, made, limits, part_of(progress, 0.9, 1.0))
    return RankingResult(
        ranking, None, correlations, certainty, None, made, told, by_image=by_image
    )


def _rank_images(
    units: Units, made: GroundTruths, limits: tuple[float, float], progress: Progress
) -> dict[str, DetectorRanking]:
    """The ranking on each of several images, under the ground truths of all."""
    found = {}
    for (image, window), told in steps(list(zip(units.images, units.windows)), progress):
        found[image] = rank_detectors(
            {name: score[window] for name, score in units.scores.items()},
            {name: truth[window] for name, truth in made.truths.items()},
            *limits,
            weight=None if units.weight is None else units.weight[window],
            valid=units.valid[window],
            tolerance=units.tolerance,
            progress=told,
        )
    return found


def _ground_truths(job: DetectorJob, units: Units, progress: Progress) -> GroundTruths:
    mask = None if units.stack is None else ~units.valid
    wanted = job[choices.TRUTHS] if units.votes.n_annotators > 1 else (EACH,)
    made = ground_truths(
        units.votes, wanted, units.stack, mask, how=job.estimation, progress=progress
    )
    made.truths.update(units.made_truths)
    if not made.truths:
        whys = " ".join(f"{name}: {why}" for name, why in made.reasons.items())
        raise InputError("None of the ground truths chosen can be made. {whys}", whys=whys)
    return made


def _correlations(
    job: DetectorJob, units: Units, ranking: DetectorRanking, progress: Progress
) -> dict[str, AgreementCorrelations]:
    """Where a detector found nothing its score counts as 0, or as its lowest if below 0."""
    found = {}
    votes = units.votes.on_map(units.votes.yes_votes, outside=0)
    for done, (name, score) in enumerate(units.scores.items()):
        progress(done / len(units.scores))
        if name in ranking.reasons:
            found[name] = AgreementCorrelations(math.nan, math.nan, math.nan, ranking.reasons[name])
            continue
        floor = float(score[np.isfinite(score)].min(initial=0.0))
        plain = np.where(np.isneginf(score), floor, score)
        found[name] = agreement_correlations(
            plain,
            votes,
            weight=units.weight,
            valid=units.valid,
            blocks=units.tiles,
            across=units.across,
            level=job[choices.CERTAINTY],
        )
    return found


def _certainty(
    job: DetectorJob,
    units: Units,
    made: GroundTruths,
    limits: tuple[float, float],
    ranking: DetectorRanking,
    progress: Progress,
) -> RankProbabilities | None:
    scores = {name: score for name, score in units.scores.items() if name not in ranking.reasons}
    if not job[choices.DRAWS] or not scores:
        return None
    truth = findings.truth_of_certainty(job, units.votes.names)
    votes = units.votes
    if job[choices.LINES] and units.stack is not None:
        if truth not in made.truths:
            return None
        votes = VoteTable.from_stack([made.truths[truth]], ~units.valid)
    rule = job[choices.RULE] if votes.n_annotators > 1 else "0.5"
    resampled = rank_probabilities(
        scores,
        votes,
        units.tiles,
        *limits,
        rule=consensus_rule(rule, job.estimation),
        weight=units.weight,
        valid=units.valid,
        tolerance=units.tolerance,
        resamples=job[choices.DRAWS],
        progress=progress,
    )
    resampled = replace(resampled, kind="plots" if units.images else "tiles")
    return (
        replace(resampled, estimate=ranking.aucr.loc[list(scores), truth])
        if truth in ranking.aucr
        else resampled
    )


def _rank_crowns(
    job: DetectorJob, place: DetectorInput, area: float, progress: Progress
) -> tuple[CrownRanking | None, RankProbabilities | None, CocoRanking | None, list[Remark]]:
    """The ranking, its certainty where there are two to rank, COCO's numbers; which crowns lie in plots of one side."""
    if not job.crowns or not place.detections or not place.annotators:
        return None, None, None, []
    annotators = {
        name: crowns.subset(place.holds(crowns)) for name, crowns in place.annotators.items()
    }
    on_ignored = None
    if place.ignored is not None:
        on_ignored = {
            name: share_on_ignored(place.ignored, crowns)
            for name, (crowns, _) in place.detections.items()
        }
    ranking = rank_crown_detectors(
        annotators,
        place.detections,
        job.lengths,
        job[choices.CROWN_THRESHOLD],
        job[choices.CROWN_SCORE],
        inside={name: place.holds(crowns) for name, (crowns, _) in place.detections.items()},
        scoreless=place.scoreless,
        all_drawn=job[choices.ALL_DRAWN],
        on_ignored=on_ignored,
        progress=part_of(progress, 0.0, 0.6),
    )
    coco = coco_ranking(
        ranking,
        annotators,
        place.detections,
        all_drawn=job[choices.ALL_DRAWN],
        on_ignored=on_ignored,
        progress=part_of(progress, 0.6, 0.8),
    )
    coco, points = _with_points(job, place, coco)
    certainty = None
    if job[choices.DRAWS] and ranking.average_precision.notna().any(axis=1).sum() > 1:
        sides = {**annotators, **{name: crowns for name, (crowns, _) in place.detections.items()}}
        units, plots = crown_units(sides, tile_side(job, place, area))
        certainty = crown_rank_probabilities(
            ranking,
            units,
            plots=plots,
            resamples=job[choices.DRAWS],
            progress=part_of(progress, 0.8, 1.0),
        )
    apart = plots_apart(
        list(annotators.values()), [crowns for crowns, _ in place.detections.values()]
    )
    said = (
        "COCO's AP and AR take the 100 surest detections of each plot; of {detector} {count:,} come after them. The "
        "thresholds side by side take all."
    )
    beyond = [
        note("crowns.beyond", said, detector=name, count=count)
        for name, count in coco.beyond.items()
    ]
    return ranking, certainty, coco, [*apart, *beyond, *points]


def _with_points(
    job: DetectorJob, place: DetectorInput, coco: CocoRanking
) -> tuple[CocoRanking, list[Remark]]:
    """COCO's numbers with the share of the field points, of those that count, in each detector's crowns."""
    layer = job[choices.POINTS]
    if layer is None:
        return coco, []
    points, changed = layer.read(place.working)
    points = place.counted_points(points)
    shares = {
        name: point_recall(points, crowns)[1] for name, (crowns, _) in place.detections.items()
    }
    said = "{count:,} points of layer '{layer}' count for point recall."
    told = info("points.counted", said, count=len(points), layer=layer.name)
    metrics = coco.metrics.assign(point_recall=coco.metrics["detector"].map(shares))
    return coco._replace(metrics=metrics), [*changed, told]
