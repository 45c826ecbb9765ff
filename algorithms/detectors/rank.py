"""randcrowns:rankdetectors - rank detectors under every ground truth of several annotators."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

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
    TruthRow,
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
    """Algorithm that ranks detectors under the ground truths of several annotators."""

    entry = RANK_DETECTORS
    help = (
        tr(
            "A detector's score depends on the annotator it is compared with. This ranks detectors "
            "under every annotator and every ground truth that the annotators make together "
            "(Lampert et al. 2016), and says how certain the first place is."
        ),
        tr(
            "<b>AUCR</b> is the area under the P̄-recall curve, <b>AP</b> the average precision "
            "over whole crowns."
        ),
        choices.SKEW,
        choices.DETECTORS,
        choices.RESOLUTION,
        choices.STUDY_AREA,
        choices.TRAINING,
        choices.DRAWS,
    )
    shares = (0.3, 0.9)
    parties = (choices.DETECTORS, choices.ANNOTATORS)
    choices = RANK_CHOICES
    outputs = RANK_OUTPUTS
    values = RANK_VALUES
    showing = SHOWING
    takes_pixels = True

    def check(self, given: Given) -> None:
        """Raise an InputError for values that cannot be used."""
        check_ranking(given)

    def take(self, given: Given) -> DetectorJob:
        """Return the settings of the run with snapshots of its layers."""
        return take_detector_job(given)

    def read(self, settings: DetectorJob, progress: Progress) -> _Inputs:
        """Return the study site and, if areas are counted, the units of all images together."""
        sites: list[DetectorInput] = []

        def read_site(image_settings: DetectorJob, share: Progress) -> DetectorInput:
            """Read a site, and store it before it is divided into plots."""
            sites.append(read_detector_input(image_settings, share))
            return sites[-1]

        parts: dict[str, DetectorInput] = {}
        units = None
        read_progress = part_of(progress, 0.0, 0.5)
        if settings.areas:
            sites_by_image = read_images(
                settings, settings.of_images, choices.GROUP_FIELD, read_site, read_progress
            )
            parts = {image: site.with_pixels() for image, site in sites_by_image.items()}
            units = aside(lambda share: make_units(parts, share), part_of(progress, 0.5, 1.0))
        else:
            read_site(settings, read_progress)

        site = sites[0]
        if len(parts) > 1:
            first_part = next(iter(parts.values()))
            site = replace(site, area=site.looked_at, grid=first_part.grid)
        else:
            site = site.with_pixels()
        messages = [
            area_told(
                settings[choices.STUDY_AREA],
                counted_area(site, units),
                _area_without_study_area(settings, parts),
                site.working.unit,
            ),
            *findings.partly_drawn(settings),
            *site.remarks,
        ]
        if units is not None:
            messages += units.remarks
        return _Inputs(site, units, messages, [part.grid for part in parts.values()])

    def compute(self, settings: DetectorJob, inputs: _Inputs, progress: Progress) -> RankingResult:
        """Return the rankings by area and by whole crowns, with their certainty."""
        units = inputs.units
        result = RankingResult()
        if units is not None:
            result = aside(
                lambda share: _rank_areas(settings, units, inputs.site.grid, share),
                part_of(progress, 0.0, 0.85),
            )
        crowns = _CrownResult()
        if settings.crowns and inputs.site.detections and inputs.site.annotators:
            area = counted_area(inputs.site, units)
            crown_progress = part_of(progress, 0.85, 1.0)
            crowns = _rank_crowns(settings, inputs.site, area, crown_progress)

        level = settings[choices.CERTAINTY]
        if result.certainty is not None:
            scoreless = findings.scoreless_of(result.areas)
            result = result._replace(said=rank_verdict(result.certainty, level, scoreless))
        if crowns.certainty is not None:
            conclusion = rank_verdict(
                crowns.certainty, level, measure=BY_CROWNS, topic="crown_verdict"
            )
            result = result._replace(crown_certainty=crowns.certainty, crowns_said=conclusion)
        return result._replace(
            crowns=crowns.ranking,
            coco=crowns.coco,
            annotators=list(inputs.site.names),
            remarks=[*result.remarks, *crowns.remarks],
        )

    def tables(
        self, settings: DetectorJob, inputs: _Inputs, result: RankingResult, progress: Progress
    ) -> Made:
        """Return the tables, the ground truths as polygons, and the conclusion."""
        tables = ranking_tables(result)
        if TRUTH_POLYGONS in settings.wanted:
            crs = next(iter(settings.annotators.values())).crs
            rows: list[TruthRow] = []
            if inputs.units is not None and result.truths is not None:
                truths = _truths_without_layer(settings, result.truths)
                to_output = partial(map_multipolygon, inputs.site.working, crs)
                rows = truth_rows(inputs.units, truths, inputs.grids, to_output, progress)
            tables[TRUTH_POLYGONS] = truths_table(rows, crs)

        by_area = findings.area_verdict(settings, result)
        by_crowns = findings.crown_verdict(settings, result)
        both = findings.headline(settings, result)
        conclusion = [*both, *by_crowns, *by_area]
        # Without a headline on both, one of the two conclusions answers the question.
        verdict = conclusion if both else by_area or by_crowns
        values = {
            "VERDICT": " ".join(sentences(verdict)),
            UNIT.id: inputs.site.working.unit,
            "PROBABILITY": math.nan,
            "CROWN_PROBABILITY": math.nan,
        }
        if result.said is not None:
            values["PROBABILITY"] = result.said.probability
        if result.crowns_said is not None:
            values["CROWN_PROBABILITY"] = result.crowns_said.probability
        messages = [*conclusion, *findings.first_places(result)]
        return Made(tables, values, remarks=messages, headline=conclusion)


@dataclass(frozen=True, eq=False)
class _Inputs:
    """Input of a ranking; of several images, of all of them together."""

    site: DetectorInput  #: study site; of several images that of the first.
    units: Units | None  #: units of all images; None if areas are not counted.
    remarks: list[Remark]  #: messages about the input.
    grids: list[Grid | None]  #: pixels of each image; None for exact areas.


class _CrownResult(NamedTuple):
    """Results over whole crowns; None for what was not requested or is not possible."""

    ranking: CrownRanking | None = None
    certainty: RankProbabilities | None = None  #: bootstrap samples; None for one detector.
    coco: CocoRanking | None = None  #: COCO's metrics.
    remarks: Sequence[Remark] = ()  #: messages about the results.


def _area_without_study_area(settings: DetectorJob, parts: dict[str, DetectorInput]) -> str:
    """Return an English noun phrase for the area that is used without a study area.

    Args:
        settings: settings of the run.
        parts: input of the images or plots; empty if areas are not counted.
    """
    if any(part.in_plot for part in parts.values()):
        return "a rectangle in each plot around the annotators' polygons"
    if not settings.areas:
        return "all annotators' and detectors' crowns"
    if settings.pixels:
        return "the pixels of the rasters"
    return "the rectangle around all annotators' polygons"


def _truths_without_layer(settings: DetectorJob, made: GroundTruths) -> dict[str, np.ndarray]:
    """Return the ground truths that are no input layers, as decisions per unit by name."""
    layers = list(settings.made_truths)
    if not settings[choices.ANNOTATOR_FIELD]:
        layers += settings.drawn
    return {name: truth for name, truth in made.truths.items() if name not in layers}


def _rank_areas(
    settings: DetectorJob, units: Units, grid: Grid | None, progress: Progress
) -> RankingResult:
    """Return the ranking by area with correlations, certainty and the ranking on each image.

    Args:
        settings: settings of the run.
        units: units of all images.
        grid: pixels of the first image; None for exact areas.
        progress: called with the fraction done.
    """
    thins_lines = settings[choices.LINES] and units.stack is not None
    truth_progress = part_of(progress, 0.0, 0.1 if settings[choices.LINES] else 0.2)
    made = _make_ground_truths(settings, units, truth_progress)
    messages = _truth_messages(made)
    ranked_units = units
    if thins_lines:
        ranked_units, made, line_messages = as_lines(units, made, grid, part_of(progress, 0.1, 0.2))
        messages += line_messages
    limits = (settings[choices.LOW], settings[choices.HIGH])
    if settings[choices.SKEW] == "truths":
        limits = _skew_limits_of_truths(ranked_units, made)
        message = note(
            "ranking.skew_limits",
            "Skew limits from the ground truths: {low:.3f} to {high:.3f}.",
            low=limits[0],
            high=limits[1],
        )
        messages.append(message)
    ranking = rank_detectors(
        ranked_units.scores,
        made.truths,
        *limits,
        weight=ranked_units.weight,
        valid=ranked_units.valid,
        tolerance=ranked_units.tolerance,
        progress=part_of(progress, 0.2, 0.55),
    )
    messages += _missing_value_messages(ranking)
    # Lines are thinned for the ranking only: correlations are those of the scores as they are.
    correlations = _correlate(settings, units, ranking, part_of(progress, 0.55, 0.65))
    certainty = _resample(
        settings, ranked_units, made, limits, ranking, part_of(progress, 0.65, 0.9)
    )
    by_image = _rank_images(ranked_units, made, limits, part_of(progress, 0.9, 1.0))
    return RankingResult(
        areas=ranking,
        correlations=correlations,
        certainty=certainty,
        truths=made,
        remarks=messages,
        by_image=by_image,
    )


def _truth_messages(made: GroundTruths) -> list[Remark]:
    """Return messages about the ground truths, and about those that cannot be made."""
    messages = [
        note("truths.note", "{truth}: {why}", truth=truth, why=message)
        for truth, truth_messages in made.notes.items()
        for message in truth_messages
    ]
    messages += [
        note("truths.missing", "No {truth}: {why}", truth=truth, why=reason)
        for truth, reason in made.reasons.items()
    ]
    return messages


def _missing_value_messages(ranking: DetectorRanking) -> list[Remark]:
    """Return a message per detector or ground truth without values."""
    scoreless = findings.scoreless_of(ranking)
    messages = []
    for name, reason in ranking.reasons.items():
        # The page shows these next to its results, which exist for the other detectors.
        is_shown_on_page = name in scoreless and len(scoreless) < len(ranking.aucr)
        key = "areas.no_value" if is_shown_on_page else "ranking.no_value"
        messages.append(note(key, "{name}: {why}", name=name, why=reason))
    return messages


def _skew_limits_of_truths(units: Units, made: GroundTruths) -> tuple[float, float]:
    """Return the lower and the upper skew limit from the skew of the ground truths."""
    weight = units.valid.astype(float) if units.weight is None else units.weight
    return skew_limits([skew_of(truth, weight) for truth in made.truths.values()])


def _rank_images(
    units: Units, made: GroundTruths, limits: tuple[float, float], progress: Progress
) -> dict[str, DetectorRanking]:
    """Return the ranking on each of several images, under the ground truths of all images.

    Args:
        units: units of all images.
        made: ground truths on these units.
        limits: lower and upper skew limit.
        progress: called with the fraction done.
    """
    rankings = {}
    images = list(zip(units.images, units.windows))
    for (image, window), share in steps(images, progress):
        rankings[image] = rank_detectors(
            {name: score[window] for name, score in units.scores.items()},
            {name: truth[window] for name, truth in made.truths.items()},
            *limits,
            weight=None if units.weight is None else units.weight[window],
            valid=units.valid[window],
            tolerance=units.tolerance,
            progress=share,
        )
    return rankings


def _make_ground_truths(settings: DetectorJob, units: Units, progress: Progress) -> GroundTruths:
    """Return the requested ground truths on the units, and the existing ones.

    Raises:
        InputError: if none of the ground truths can be made.
    """
    is_excluded = None if units.stack is None else ~units.valid
    requested = settings[choices.TRUTHS] if units.votes.n_annotators > 1 else (EACH,)
    made = ground_truths(
        units.votes,
        requested,
        units.stack,
        is_excluded,
        how=settings.estimation,
        progress=progress,
    )
    made.truths.update(units.made_truths)
    if not made.truths:
        reasons = " ".join(f"{name}: {reason}" for name, reason in made.reasons.items())
        raise InputError("None of the ground truths chosen can be made. {whys}", whys=reasons)
    return made


def _correlate(
    settings: DetectorJob, units: Units, ranking: DetectorRanking, progress: Progress
) -> dict[str, AgreementCorrelations]:
    """Return the correlations of the scores with the number of annotators, by detector.

    Where a detector found nothing its score counts as 0, or as its lowest score if that is below
    0. Detectors without values have the reason instead of correlations.
    """
    correlations = {}
    n_yes = units.votes.on_map(units.votes.yes_votes, outside=0)
    for done, (name, score) in enumerate(units.scores.items()):
        progress(done / len(units.scores))
        if name in ranking.reasons:
            correlations[name] = AgreementCorrelations(
                math.nan, math.nan, math.nan, ranking.reasons[name]
            )
            continue
        lowest = float(score[np.isfinite(score)].min(initial=0.0))
        finite_score = np.where(np.isneginf(score), lowest, score)
        correlations[name] = agreement_correlations(
            finite_score,
            n_yes,
            weight=units.weight,
            valid=units.valid,
            blocks=units.tiles,
            across=units.across,
            level=settings[choices.CERTAINTY],
        )
    return correlations


def _resample(
    settings: DetectorJob,
    units: Units,
    made: GroundTruths,
    limits: tuple[float, float],
    ranking: DetectorRanking,
    progress: Progress,
) -> RankProbabilities | None:
    """Return bootstrap samples of the ranking by area.

    Thinned lines are resampled over tiles only, under one ground truth that is not made anew.

    Args:
        settings: settings of the run.
        units: units of all images.
        made: ground truths on these units.
        limits: lower and upper skew limit.
        ranking: ranking by area.
        progress: called with the fraction done.

    Returns:
        The bootstrap samples; None if they are switched off or not possible.
    """
    scores = {name: score for name, score in units.scores.items() if name not in ranking.reasons}
    if not settings[choices.DRAWS] or not scores:
        return None
    truth = findings.truth_of_certainty(settings, units.votes.names)
    votes = units.votes
    if settings[choices.LINES] and units.stack is not None:
        if truth not in made.truths:
            return None
        votes = VoteTable.from_stack([made.truths[truth]], ~units.valid)
    rule = settings[choices.RULE] if votes.n_annotators > 1 else "0.5"
    resampled = rank_probabilities(
        scores,
        votes,
        units.tiles,
        *limits,
        rule=consensus_rule(rule, settings.estimation),
        weight=units.weight,
        valid=units.valid,
        tolerance=units.tolerance,
        resamples=settings[choices.DRAWS],
        progress=progress,
    )
    resampled = replace(resampled, kind="plots" if units.images else "tiles")
    if truth not in ranking.aucr:
        return resampled
    return replace(resampled, estimate=ranking.aucr.loc[list(scores), truth])


def _rank_crowns(
    settings: DetectorJob, site: DetectorInput, area: float, progress: Progress
) -> _CrownResult:
    """Return the ranking over whole crowns, its certainty and COCO's metrics.

    Args:
        settings: settings of the run.
        site: study site with annotators and detectors that are polygons.
        area: study area, m², for the default side of the tiles.
        progress: called with the fraction done.
    """
    annotators = {
        name: crowns.subset(site.holds(crowns)) for name, crowns in site.annotators.items()
    }
    detected_crowns = {name: crowns for name, (crowns, _) in site.detections.items()}
    on_ignored = None
    if site.ignored is not None:
        on_ignored = {
            name: share_on_ignored(site.ignored, crowns) for name, crowns in detected_crowns.items()
        }
    ranking = rank_crown_detectors(
        annotators,
        site.detections,
        settings.lengths,
        settings[choices.CROWN_THRESHOLD],
        settings[choices.CROWN_SCORE],
        inside={name: site.holds(crowns) for name, crowns in detected_crowns.items()},
        scoreless=site.scoreless,
        all_drawn=settings[choices.ALL_DRAWN],
        on_ignored=on_ignored,
        progress=part_of(progress, 0.0, 0.6),
    )
    coco = coco_ranking(
        ranking,
        annotators,
        site.detections,
        all_drawn=settings[choices.ALL_DRAWN],
        on_ignored=on_ignored,
        progress=part_of(progress, 0.6, 0.8),
    )
    coco, point_messages = _add_point_recall(settings, site, coco)
    certainty = None
    n_ranked = ranking.average_precision.notna().any(axis=1).sum()
    if settings[choices.DRAWS] and n_ranked > 1:
        units, are_plots = crown_units(
            {**annotators, **detected_crowns}, tile_side(settings, site, area)
        )
        certainty = crown_rank_probabilities(
            ranking,
            units,
            plots=are_plots,
            resamples=settings[choices.DRAWS],
            progress=part_of(progress, 0.8, 1.0),
        )
    messages = [
        *plots_apart(list(annotators.values()), list(detected_crowns.values())),
        *_coco_limit_messages(coco),
        *point_messages,
    ]
    return _CrownResult(ranking, certainty, coco, messages)


def _coco_limit_messages(coco: CocoRanking) -> list[Remark]:
    """Return a message per detector with more detections in a plot than COCO's limit."""
    return [
        note(
            "crowns.beyond",
            "COCO's AP and AR use the 100 detections of highest score in each plot; {count:,} of "
            "{detector} are not among them. The thresholds side by side use all detections.",
            detector=name,
            count=count,
        )
        for name, count in coco.beyond.items()
    ]


def _add_point_recall(
    settings: DetectorJob, site: DetectorInput, coco: CocoRanking
) -> tuple[CocoRanking, list[Remark]]:
    """Add the column ``point_recall`` to COCO's metrics, if the run has field points.

    Args:
        settings: settings of the run.
        site: study site with the detectors.
        coco: COCO's metrics.

    Returns:
        The metrics, with the share of the counted field points that lie in each detector's crowns;
        and messages about the points.
    """
    layer = settings[choices.POINTS]
    if layer is None:
        return coco, []
    all_points, messages = layer.read(site.working)
    points = site.counted_points(all_points)
    recalls = {
        name: point_recall(points, crowns)[1] for name, (crowns, _) in site.detections.items()
    }
    count_message = info(
        "points.counted",
        "{count:,} points of layer '{layer}' count for point recall.",
        count=len(points),
        layer=layer.name,
    )
    metrics = coco.metrics.assign(point_recall=coco.metrics["detector"].map(recalls))
    return coco._replace(metrics=metrics), [*messages, count_message]
