"""randcrowns:rankdetectors - hold detectors against every ground truth that annotators make."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from qgis.core import QgsProcessingContext, QgsProcessingFeedback

from randcrowns.algorithms.base import CrownAlgorithm
from randcrowns.algorithms.choice import Given
from randcrowns.algorithms.choices import paragraphs
from randcrowns.algorithms.detectors.choices import (
    ALL_DRAWN,
    CERTAINTY,
    CROWN_SCORE,
    CROWN_THRESHOLD,
    DRAWS,
    HIGH,
    LOW,
    RANK_CHOICES,
    RULE,
    SKEW,
    STAPLE_PRIOR,
    TRUTHS,
    DetectorJob,
    rank_problem,
    take_detector_job,
)
from randcrowns.algorithms.detectors.input import DetectorInput, read_detector_input
from randcrowns.algorithms.detectors.outputs import (
    RANK_OUTPUTS,
    RANK_VALUES,
    TRUTH_POLYGONS,
)
from randcrowns.algorithms.detectors.sentences import crowns_left_out, nothing_here
from randcrowns.algorithms.detectors.tables import (
    RankingResult,
    all_first_places,
    area_verdict,
    crown_verdict,
    ranking_tables,
    scoreless_of,
    truth_of_certainty,
)
from randcrowns.algorithms.detectors.units import (
    TruthShapes,
    Units,
    exact_units,
    pixel_units,
    truth_shapes,
    truths_table,
)
from randcrowns.core.agreement.ground_truths import GroundTruths, consensus_rule, ground_truths
from randcrowns.core.arrays import Bools
from randcrowns.core.detectors.certainty import RankProbabilities, rank_probabilities
from randcrowns.core.detectors.correlations import AgreementCorrelations, agreement_correlations, why_no_correlation
from randcrowns.core.detectors.crowns import CrownRanking, rank_crown_detectors
from randcrowns.core.detectors.mean_precision import skew_limits
from randcrowns.core.detectors.ranking import DetectorRanking, rank_detectors
from randcrowns.core.detectors.verdict import rank_verdict
from randcrowns.core.errors import InputError
from randcrowns.core.progress import Progress, aside, part_of
from randcrowns.layers.styles.tree import run_title
from randcrowns.layers.vector.tables import FeatureTable
from randcrowns.layers.words import tr

_HELP = (
    (
        "A detector's score depends on whose drawing it is held against. This ranks detectors under every annotator's "
        "drawing and every ground truth the annotators make together (Lampert et al. 2016), and says how sure the "
        "first place is."
    ),
    (
        "<b>Detectors</b> are rasters with a score per pixel, or polygons with a score field. Rasters are aligned to "
        "the pixels of the first one; polygons alone are overlaid exactly, unless a pixel size is given."
    ),
    (
        "<b>AUCR</b> is the area under the P̄-recall curve: precision averaged over scenes in which crowns cover "
        "between the lower and the upper skew limit of the area. <b>AP</b> is the average precision over whole crowns."
    ),
    (
        "<b>Study area.</b> Without an extent: the pixels of the rasters, or else the rectangle around everything the "
        "annotators drew. Training areas are left out."
    ),
    (
        "<b>Certainty.</b> Annotators and square tiles are drawn with replacement, the detectors ranked each time. "
        "LSML cannot be made again for drawn annotators."
    ),
)


class RankDetectors(CrownAlgorithm):
    """Ranks detectors under every ground truth."""

    in_one = True
    choices, outputs, values = RANK_CHOICES, RANK_OUTPUTS, RANK_VALUES

    def name(self) -> str:
        """Id within the provider."""
        return "rankdetectors"

    def displayName(self) -> str:  # noqa: N802 - QGIS's name
        """Name in the toolbox."""
        return tr("Rank detectors")

    def tags(self) -> list[str]:
        """Words it is found by."""
        return ["randcrowns", "detector", "precision", "recall", "ranking", "ground truth", "aucr", "annotator"]

    def shortDescription(self) -> str:  # noqa: N802 - QGIS's name
        """One line."""
        return tr("Ranks detectors under every ground truth that several annotators make.")

    def shortHelpString(self) -> str:  # noqa: N802 - QGIS's name
        """A paragraph per group of parameters."""
        return paragraphs(_HELP)

    def first_problem(self, parameters: dict[str, Any], context: QgsProcessingContext) -> str:
        """The first thing that is wrong, in a sentence; empty when nothing is."""
        return rank_problem(Given(self, parameters, context))

    def take(self, parameters: dict[str, Any], context: QgsProcessingContext) -> DetectorJob:
        """Snapshots and plain values."""
        return take_detector_job(Given(self, parameters, context))

    def title(self, taken: DetectorJob) -> str:
        """Of the group of the results."""
        return run_title(tr("detectors"))

    def tables(  # type: ignore
        self, taken: DetectorJob, feedback: QgsProcessingFeedback, progress: Progress
    ) -> tuple[dict[str, FeatureTable], dict[str, Any]]:
        """Read, rank areas and crowns, draw again, and tabulate."""
        read = read_detector_input(taken, feedback, part_of(progress, 0.0, 0.1))
        told = len(read.told.sentences)
        areas, correlations, certainty, left_out, shapes = _Areas(
            None, {}, None, {}, TruthShapes([], np.empty(0, object))
        )
        if taken.areas:
            areas, correlations, certainty, left_out, shapes = aside(
                lambda told: _judge_areas(taken, read, told), part_of(progress, 0.1, 0.85)
            )
        crowns = _rank_crowns(taken, read, part_of(progress, 0.85, 1.0))
        said = None if certainty is None else rank_verdict(certainty, taken[CERTAINTY], scoreless_of(areas))
        result = RankingResult(areas, crowns, correlations, certainty, said, left_out)
        tables = ranking_tables(result)
        if taken.wants_truths:
            crs = next(iter(taken.annotators.values())).crs
            tables[TRUTH_POLYGONS.id] = truths_table(shapes, read.working, crs)
        sentence, probability = area_verdict(taken, result)
        for found in read.told.sentences[told:]:
            feedback.pushWarning(found)
        feedback.pushInfo(sentence)
        progress(1.0)
        others = {"VERDICT": sentence, "PROBABILITY": probability, "FIRST_PLACES": all_first_places(result)}
        others |= {"CROWN_VERDICT": crown_verdict(result), "NOTES": "\n".join(read.told.notes)}
        others["CROWN_NOTES"] = "\n".join(read.told.crown_notes)
        return tables, {**others, "REPORT": "\n".join(read.told.sentences)}


class _Areas(NamedTuple):
    """What is said about areas; nothing where only crowns are counted."""

    ranking: DetectorRanking | None
    correlations: dict[str, tuple[AgreementCorrelations, str]]
    certainty: RankProbabilities | None
    left_out: dict[str, str]
    shapes: TruthShapes


def _judge_areas(job: DetectorJob, read: DetectorInput, progress: Progress) -> _Areas:
    units = _units(job, read, part_of(progress, 0.0, 0.2))
    made = _ground_truths(job, units, read, part_of(progress, 0.2, 0.4))
    limits = _skew_limits(job, units, made, read)
    ranking = _rank_areas(units, made, limits, read, part_of(progress, 0.4, 0.65))
    correlations = _correlations(units, ranking, part_of(progress, 0.65, 0.7))
    certainty = _certainty(job, units, limits, ranking, part_of(progress, 0.7, 0.94))
    drawn = made if job.wants_truths else replace(made, truths={})
    shapes = truth_shapes(units.votes, drawn, read.grid, part_of(progress, 0.94, 1.0))
    return _Areas(ranking, correlations, certainty, made.reasons, shapes)


def _units(job: DetectorJob, read: DetectorInput, progress: Progress) -> Units:
    units = exact_units(job, read, progress) if read.grid is None else pixel_units(job, read, read.grid, progress)
    read.told.say(tr("Areas: {what}.").format(what=units.what))
    read.told.note(*nothing_here(job, read.area, units.votes, units.scores, units.valid))
    return units


def _ground_truths(job: DetectorJob, units: Units, read: DetectorInput, progress: Progress) -> GroundTruths:
    mask = None if units.stack is None else ~units.valid
    made = ground_truths(units.votes, job[TRUTHS], units.stack, mask, prior=job[STAPLE_PRIOR], progress=progress)
    read.told.say(*(f"{name}: {note}" for name, notes in made.notes.items() for note in notes))
    if not made.truths:
        whys = " ".join(f"{name}: {why}" for name, why in made.reasons.items())
        raise InputError(tr("None of the ground truths chosen can be made. {whys}").format(whys=whys))
    read.told.say(*(tr("No {name}: {why}").format(name=name, why=why) for name, why in made.reasons.items()))
    return made


def _skew_limits(job: DetectorJob, units: Units, made: GroundTruths, read: DetectorInput) -> tuple[float, float]:
    if job[SKEW] != "truths":
        return job[LOW], job[HIGH]
    low, high = skew_limits([_skew(truth, units) for truth in made.truths.values()])
    read.told.say(tr("Skew limits from the ground truths: {low:.3f} to {high:.3f}.").format(low=low, high=high))
    return low, high


def _rank_areas(
    units: Units, made: GroundTruths, limits: tuple[float, float], read: DetectorInput, progress: Progress
) -> DetectorRanking:
    ranking = rank_detectors(
        units.scores,
        made.truths,
        *limits,
        weight=units.weight,
        valid=units.valid,
        tolerance=units.tolerance,
        progress=progress,
    )
    missing = scoreless_of(ranking)
    for name, why in ranking.reasons.items():
        tell = read.told.note if name in missing and len(missing) < len(ranking.aucr) else read.told.say
        tell(f"{name}: {why}")
    return ranking


def _skew(truth: Bools, units: Units) -> float:
    weight = units.weight if units.weight is not None else units.valid.astype(float)
    return float((truth * weight).sum() / weight.sum()) if weight.sum() else math.nan


def _correlations(
    units: Units, ranking: DetectorRanking, progress: Progress
) -> dict[str, tuple[AgreementCorrelations, str]]:
    """With why there is none. Where a detector found nothing its score counts as 0, or as its lowest if below 0."""
    found = {}
    votes = units.votes.on_map(units.votes.yes_votes, outside=0)
    for done, (name, score) in enumerate(units.scores.items()):
        progress(done / len(units.scores))
        if name in ranking.reasons:
            found[name] = (AgreementCorrelations(math.nan, math.nan, math.nan), ranking.reasons[name])
            continue
        floor = float(score[np.isfinite(score)].min(initial=0.0))
        plain = np.where(np.isneginf(score), floor, score)
        pair = agreement_correlations(plain, votes, weight=units.weight, valid=units.valid)
        missing = math.isnan(pair.difference)
        why = why_no_correlation(plain, votes, weight=units.weight, valid=units.valid) if missing else ""
        found[name] = (pair, why)
    return found


def _certainty(
    job: DetectorJob, units: Units, limits: tuple[float, float], ranking: DetectorRanking, progress: Progress
) -> RankProbabilities | None:
    scores = {name: score for name, score in units.scores.items() if name not in ranking.reasons}
    if not job[DRAWS] or not scores:
        return None
    rule = job[RULE] if len(job.annotators) > 1 else "0.5"
    drawn = rank_probabilities(
        scores,
        units.votes,
        units.tiles,
        *limits,
        rule=consensus_rule(rule, job[STAPLE_PRIOR]),
        weight=units.weight,
        valid=units.valid,
        tolerance=units.tolerance,
        draws=job[DRAWS],
        progress=progress,
    )
    truth = truth_of_certainty(job)
    return replace(drawn, estimate=ranking.aucr.loc[list(scores), truth]) if truth in ranking.aucr else drawn


def _rank_crowns(job: DetectorJob, read: DetectorInput, progress: Progress) -> CrownRanking | None:
    if not job.crowns or not read.detections:
        return None
    annotators = {name: crowns.subset(read.holds(crowns)) for name, crowns in read.annotators.items()}
    ranking = rank_crown_detectors(
        annotators,
        read.detections,
        job.lengths,
        job[CROWN_THRESHOLD],
        job[CROWN_SCORE],
        inside={name: read.holds(crowns) for name, (crowns, _) in read.detections.items()},
        scoreless=read.scoreless,
        all_drawn=job[ALL_DRAWN],
        progress=progress,
    )
    for name, plots in ranking.excluded.items():
        read.told.note_crowns(crowns_left_out(name, plots, len(annotators[name])))
    return ranking
