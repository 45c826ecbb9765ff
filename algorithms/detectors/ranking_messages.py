"""Messages about a ranking: the conclusions by area and by whole crowns, and their conditions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import shapely

from randcrowns.algorithms.detectors.schema.parameters import (
    ALL_DRAWN,
    BAND,
    BOOTSTRAP_SAMPLES,
    CROWN_SCORE,
    CROWN_THRESHOLD,
    RESAMPLED_GROUND_TRUTH,
    RESOLUTION,
    RankingSettings,
)
from randcrowns.algorithms.detectors.tables import RankingResults
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.arrays import Bools, Floats, number_text
from randcrowns.core.detectors import units as core_units
from randcrowns.core.detectors.conclusion import (
    BY_AREA,
    BY_CROWNS,
    RankConclusion,
    area_truth_message,
    crown_truth_message,
)
from randcrowns.core.detectors.crown_ranking import CrownRanking
from randcrowns.core.detectors.ranking import TIE_TOLERANCE, DetectorRanking
from randcrowns.core.detectors.recall_conclusion import MatchCriterion, describe_recall
from randcrowns.core.detectors.single_detector import (
    describe_single_crown_detector,
    describe_single_detector,
    first_reason_message,
)
from randcrowns.core.messages import Message, TranslatableText, abbreviate, info, note, warning
from randcrowns.layers.raster.grid import Grid
from randcrowns.layers.raster.masks import (
    alignment_message,
    first_band_messages,
    names_with_other_pixels,
    turned_messages,
)

# Sentences are written out for each measure, so that each of them is translated as a whole.

#: Sentences for two best detectors that tie, by measure.
_TIE = {
    BY_CROWNS: "Whole crowns: {best} and {second} tie (AP {value}, all points).",
    BY_AREA: "Areas: {best} and {second} tie (AUCR {value}).",
}
#: Sentences for a best detector that is ahead of the second, by measure; and whether it can be
#: called better, None if that is unknown.
_AHEAD: dict[tuple[str, bool | None], str] = {
    (BY_CROWNS, None): "Whole crowns: {best} {value}, {second} {other} (AP, all points).",
    (BY_CROWNS, True): (
        "Whole crowns: {best} {value}, {second} {other} (AP, all points). {best} can be called "
        "better."
    ),
    (BY_CROWNS, False): (
        "Whole crowns: {best} {value}, {second} {other} (AP, all points). {best} cannot be "
        "called better."
    ),
    (BY_AREA, None): "Areas: {best} {value}, {second} {other} (AUCR).",
    (BY_AREA, True): (
        "Areas: {best} {value}, {second} {other} (AUCR). {best} can be called better."
    ),
    (BY_AREA, False): (
        "Areas: {best} {value}, {second} {other} (AUCR). {best} cannot be called better."
    ),
}
#: Sentences for the detector that is first most often, by measure; the others are never first.
_FIRST = {
    BY_CROWNS: "{best} comes first under {most} of {every} annotators (whole crowns).",
    BY_AREA: "{best} comes first under {most} of {every} ground truths (areas).",
}
#: Sentences for the detector that is first most often, by measure, and others that are first too.
_FIRST_AND_OTHERS = {
    BY_CROWNS: "{best} comes first under {most} of {every} annotators (whole crowns), {others}.",
    BY_AREA: "{best} comes first under {most} of {every} ground truths (areas), {others}.",
}


def area_conclusion(settings: RankingSettings, result: RankingResults) -> list[Message]:
    """Return the conclusion by area; none if no areas were counted.

    Of a single detector the messages contain its values by area and by whole crowns.
    """
    if result.area_ranking is None:
        return []
    if len(result.area_ranking.aucr) == 1:
        return _single_detector_messages(settings, result, result.area_ranking)
    if result.area_conclusion is not None:
        truth = resampled_truth_name(settings, result.annotators)
        return [
            *result.area_conclusion.messages,
            area_truth_message(truth),
        ]
    reason = "The certainty is unknown: no bootstrap samples were made."
    if settings[BOOTSTRAP_SAMPLES]:
        reason = "Which is better by area is unknown: no pixel has a score from every detector."
    return [*first_place_messages(result, "verdict"), info("verdict.unsure", reason)]


def resampled_truth_name(settings: RankingSettings, annotators: Sequence[str]) -> str:
    """Return the name of the ground truth of the bootstrap samples.

    With one annotator, it is the name of the annotator.
    """
    return core_units.resampled_truth_name(settings[RESAMPLED_GROUND_TRUTH], annotators)


def combined_conclusion(settings: RankingSettings, result: RankingResults) -> list[Message]:
    """Return who is ahead by whole crowns and by area; none unless both were ranked.

    If the best detectors differ, a message about that comes first.
    """
    if result.crown_ranking is None or result.area_ranking is None:
        return []
    if not settings[ALL_DRAWN] and len(result.area_ranking.aucr) > 1:
        return _recall_messages(settings, result.crown_ranking, "headline")
    by_crowns = result.crown_ranking.average_precision.mean(axis=1).dropna()
    truth = resampled_truth_name(settings, result.annotators)
    aucr = result.area_ranking.aucr
    aucr_by_detector = aucr[truth] if truth in aucr else aucr.mean(axis=1)
    by_area = aucr_by_detector.dropna()
    if min(len(by_crowns), len(by_area)) < 2:
        return []
    messages = [
        _lead_message(by_crowns, BY_CROWNS, result.crown_conclusion),
        _lead_message(by_area, BY_AREA, result.area_conclusion),
    ]
    ranked_twice = by_area.index.intersection(by_crowns.index)
    if len(ranked_twice):
        best_by_crowns = _find_best_detectors(by_crowns[ranked_twice])
        best_by_area = _find_best_detectors(by_area[ranked_twice])
        if not best_by_crowns & best_by_area:
            disagreement = info("headline.disagree", "Whole crowns and areas disagree.")
            messages.insert(0, disagreement)
    return messages


def _find_best_detectors(values: pd.Series) -> set[str]:
    """Return the detectors with the highest value, including ties; values are by detector."""
    highest = values.max()
    return {str(name) for name, value in values.items() if value >= highest - TIE_TOLERANCE}


def partial_drawing_messages(settings: RankingSettings) -> list[Message]:
    """Return a warning about areas if only some crowns were drawn; none otherwise."""
    if settings[ALL_DRAWN] or not settings.counts_areas:
        return []
    return [
        warning(
            "areas.partly_drawn",
            "Only some crowns were drawn, but by area everything that nobody drew counts as no "
            "crown. Use the recall of whole crowns, or choose a study area in which all crowns "
            "were drawn.",
        )
    ]


def _lead_message(values: pd.Series, measure: str, conclusion: RankConclusion | None) -> Message:
    """Return a message about the two best detectors, and whether the best is called better.

    Args:
        values: values of at least two detectors, by name.
        measure: measure of the values, ``BY_AREA`` or ``BY_CROWNS``.
        conclusion: conclusion from the bootstrap samples, or None.
    """
    best, runner_up = values.sort_values(ascending=False, kind="stable").index[:2]
    names_and_values = {
        "best": best,
        "second": runner_up,
        "value": number_text(values[best], 3),
        "other": number_text(values[runner_up], 3),
    }
    if values[best] - values[runner_up] <= TIE_TOLERANCE:
        return info("headline.tie", _TIE[measure], **names_and_values)
    is_better = None
    if conclusion is not None and conclusion.reason is None:
        is_better = conclusion.is_better
    return info("headline.ahead", _AHEAD[measure, is_better], **names_and_values)


def crown_conclusion(settings: RankingSettings, result: RankingResults) -> list[Message]:
    """Return the conclusion by whole crowns.

    It is empty if no crowns were counted, or if the conclusion by area contains it.
    """
    ranking = result.crown_ranking
    if ranking is None:
        return []
    if not settings[ALL_DRAWN]:
        # With areas, the headline contains these messages.
        if result.area_ranking is not None:
            return []
        return _recall_messages(settings, ranking, "crown_verdict")

    # A row per detector with crowns to count, a column per annotator.
    values = ranking.average_precision.dropna(axis=0, how="all")
    nothing_ranked = info("crown_verdict.nothing", "Over whole crowns nothing could be ranked.")
    if values.empty:
        reasons = list(ranking.reasons.values())
        return [nothing_ranked, *first_reason_message("crown_verdict", reasons)]
    if len(values) == 1:
        if result.area_ranking is not None and len(result.area_ranking.aucr) == 1:
            # The conclusion by area contains the value of the only detector.
            return []
        return describe_single_crown_detector(ranking)
    if result.crown_conclusion is None:
        messages = _first_place_messages(ranking, "crown_verdict", BY_CROWNS) or [nothing_ranked]
        unknown_certainty = info(
            "crown_verdict.unsure", "The certainty is unknown: no bootstrap samples were made."
        )
        return [*messages, unknown_certainty]
    n_ranked = int(values.notna().any(axis=0).sum())
    ground_truth = crown_truth_message(result.annotators, n_ranked)
    return [*result.crown_conclusion.messages, ground_truth]


def first_place_messages(result: RankingResults, topic: str = "first_places") -> list[Message]:
    """Return messages on how often each detector is first, by area and by whole crowns.

    Args:
        result: results of the run.
        topic: topic of the messages, the first part of their keys.
    """
    return [
        *_first_place_messages(result.area_ranking, topic, BY_AREA),
        *_first_place_messages(result.crown_ranking, topic, BY_CROWNS),
    ]


def detectors_without_score(areas: DetectorRanking | None) -> list[str]:
    """Return the detectors without any score to rank by area."""
    return [] if areas is None else [name for name in areas.aucr.index if name in areas.reasons]


def _recall_messages(settings: RankingSettings, crowns: CrownRanking, topic: str) -> list[Message]:
    """Return the recall of each detector, if only some crowns were drawn.

    Args:
        settings: settings of the run.
        crowns: ranking by whole crowns.
        topic: topic of the messages, the first part of their keys.
    """
    criterion = MatchCriterion(settings[CROWN_SCORE], settings[CROWN_THRESHOLD])
    return describe_recall(crowns, criterion, topic, settings.counts_areas)


def _single_detector_messages(
    settings: RankingSettings, result: RankingResults, areas: DetectorRanking
) -> list[Message]:
    """Return the values of the only detector by whole crowns and by area, or why it has none."""
    if not settings[ALL_DRAWN] and result.crown_ranking is not None:
        return _recall_messages(settings, result.crown_ranking, "verdict")
    return describe_single_detector(areas, result.crown_ranking)


def _first_place_messages(
    ranking: DetectorRanking | CrownRanking | None, topic: str, measure: str
) -> list[Message]:
    """Return a message on how often each detector is first; none for fewer than two detectors.

    Args:
        ranking: the ranking, or None.
        topic: topic of the message, the first part of its key.
        measure: measure of the ranking, ``BY_AREA`` or ``BY_CROWNS``.
    """
    if ranking is None:
        return []
    ranks = ranking.ranks.dropna(axis=0, how="all")
    if len(ranks) < 2 or not len(ranking.rankings):
        return []
    n_first = (ranks == 1).sum(axis=1).sort_values(ascending=False, kind="stable")
    n_first = n_first[n_first > 0]
    others = []
    for name, number in n_first.iloc[1:].items():
        others.append(info("first_places.other", "{name} under {number}", name=name, number=number))
    templates = _FIRST_AND_OTHERS if others else _FIRST
    return [
        info(
            f"{topic}.first_places",
            templates[measure],
            best=n_first.index[0],
            most=int(n_first.iloc[0]),
            every=ranks.notna().any(axis=0).sum(),
            others=others,
        )
    ]


#: Largest whole number up to which floating point numbers represent all whole numbers.
_MAX_EXACT_INTEGER = 2**53
#: Share of the study area that may lie outside a raster without a message.
_NEGLIGIBLE_SHARE = 1e-3


def pixel_messages(settings: RankingSettings, grid: Grid, first_raster: str) -> list[Message]:
    """Return messages about the pixels and the bands of the rasters.

    Args:
        settings: settings of the run, with at least one raster.
        grid: pixels of the run.
        first_raster: name of the raster that defines the pixels.
    """
    if not settings.counts_areas:
        return [
            note(
                "areas.rasters_not_counted",
                "Rasters hold no crowns and are not counted: {names}.",
                names=list(settings.pixel_rasters),
            )
        ]
    messages = first_band_messages(settings.raster_annotators)
    if settings.raster_annotators and settings.counts_crowns and settings.polygon_detectors:
        message = note(
            "crowns.rasters",
            "Whole crowns are compared with annotators that are polygons; these are rasters: "
            "{names}.",
            names=list(settings.raster_annotators),
        )
        messages.append(message)

    messages += _counted_pixel_messages(settings, grid, first_raster)
    for name, raster in settings.raster_detectors.items():
        if raster.n_bands > 1:
            message = note(
                "areas.band",
                "Raster '{name}' has {bands} bands; band {band} holds its score.",
                name=name,
                bands=raster.n_bands,
                band=settings[BAND],
            )
            messages.append(message)
    return messages


def _counted_pixel_messages(
    settings: RankingSettings, grid: Grid, first_raster: str
) -> list[Message]:
    """Return messages that say which pixels are counted; none if only one layer has pixels.

    See :func:`pixel_messages` for the arguments.
    """
    if settings[RESOLUTION] > 0:
        return [
            note(
                "areas.pixels_given",
                "Rasters were resampled to pixels of {size:g} m (nearest neighbour).",
                size=settings[RESOLUTION],
            )
        ]
    rasters = {**settings.raster_detectors, **settings.raster_annotators}
    messages = turned_messages(rasters, grid)
    misaligned_rasters = names_with_other_pixels(rasters, grid, settings.transform_context)
    if misaligned_rasters:
        messages.append(alignment_message(grid, first_raster, misaligned_rasters))
    elif not messages and len(settings.detectors) > 1:
        text = "The pixels of raster '{first}' are counted."
        messages.append(note("areas.pixels_of", text, first=first_raster))
    return messages


def excluded_area_messages(valid: Bools, scores: Mapping[str, Floats]) -> list[Message]:
    """Return a message about pixels that are excluded because detectors have no score there.

    Args:
        valid: (rows, columns) True for pixels of the study area.
        scores: (rows, columns) scores by detector, NaN where unknown. Detectors without any score
            exclude no pixels.

    Returns:
        One message, or none if no pixel is excluded.
    """
    n_pixels = int(valid.sum())
    n_missing_by_detector = {}
    for name, detector_scores in scores.items():
        n_missing = int((valid & np.isnan(detector_scores)).sum())
        if 0 < n_missing < n_pixels:
            n_missing_by_detector[name] = n_missing
    if not n_missing_by_detector:
        return []
    n_excluded = n_pixels - int(scored_by_all_mask(valid, scores).sum())
    share = _format_percentage(n_excluded, n_pixels)
    if len(n_missing_by_detector) == 1:
        (only_detector,) = n_missing_by_detector
        return [
            note(
                "areas.excluded",
                "{share} % of the area is excluded for all detectors, since {name} has no scores "
                "there ({gone:,} of {every:,} pixels).",
                share=share,
                name=only_detector,
                gone=n_excluded,
                every=n_pixels,
            )
        ]
    missing_shares = []
    for name, n_missing in n_missing_by_detector.items():
        missing_share = _format_percentage(n_missing, n_pixels)
        missing_shares.append(info("areas.gap", "{name} {share} %", name=name, share=missing_share))
    return [
        note(
            "areas.excluded",
            "{share} % of the area is excluded for all detectors ({gone:,} of {every:,} pixels). "
            "Area without scores: {who}.",
            share=share,
            gone=n_excluded,
            every=n_pixels,
            who=missing_shares,
        )
    ]


def area_outside_raster_messages(area: shapely.Geometry, grid: Grid, first: str) -> list[Message]:
    """Return a message about the part of the study area outside the raster; none if it is tiny.

    Args:
        area: study area.
        grid: pixels of the raster that defines the pixels.
        first: name of this raster.
    """
    covered = shapely.intersection(area, shapely.box(*grid.bounds)).area
    if covered >= (1 - _NEGLIGIBLE_SHARE) * area.area:
        return []
    return [
        note(
            "areas.beyond",
            "{share} % of the study area lies outside raster '{first}' and is not counted.",
            share=_format_percentage(area.area - covered, area.area),
            first=first,
        )
    ]


#: Keys of the messages of :func:`nothing_found_messages`.
NOTHING_FOUND_KEYS = ("areas.absent", "areas.nothing_found", "areas.constant")


def nothing_found_messages(
    settings: RankingSettings,
    area: shapely.Geometry | None,
    votes: VoteTable,
    scores: Mapping[str, Floats],
    valid: Bools,
) -> list[Message]:
    """Return messages about annotators without marks and detectors with a constant score.

    Args:
        settings: settings of the run.
        area: study area; None for the pixels of the rasters.
        votes: votes of the annotators on the units.
        scores: scores of the units by detector; minus infinity without a detection.
        valid: True for the units that are counted.
    """
    raster = ""
    if area is None:
        raster = next(iter(settings.pixel_rasters), "")
    # Patterns without weight occur on no unit.
    has_marks = votes.patterns[votes.weights > 0].any(axis=0)
    absent_annotators = [name for name, is_present in zip(votes.names, has_marks) if not is_present]
    messages = []
    if absent_annotators:
        messages.append(_absent_message(absent_annotators, raster))
    for name, detector_scores in scores.items():
        valid_scores = detector_scores[valid]
        if valid_scores.size and (valid_scores == valid_scores[0]).all():
            found_nothing = bool(np.isneginf(valid_scores[0]))
            messages.append(_constant_score_message(name, found_nothing, raster))
    return messages


def _absent_message(annotators: Sequence[str], raster: str) -> Message:
    """Return a message about annotators who marked nothing.

    Args:
        annotators: names of the annotators.
        raster: name of the raster whose pixels are counted; "" for a study area.
    """
    if raster:
        return note(
            "areas.absent",
            "Annotators {names} marked nothing on the pixels of raster '{raster}'.",
            one="Annotator {names} marked nothing on the pixels of raster '{raster}'.",
            count=len(annotators),
            names=abbreviate(annotators),
            raster=raster,
        )
    return note(
        "areas.absent",
        "Annotators {names} marked nothing inside the study area.",
        one="Annotator {names} marked nothing inside the study area.",
        count=len(annotators),
        names=abbreviate(annotators),
    )


def _constant_score_message(detector: str, found_nothing: bool, raster: str) -> Message:
    """Return a message about a detector that has the same score everywhere.

    Args:
        detector: name of the detector.
        found_nothing: True if it has no detection.
        raster: name of the raster whose pixels are counted; "" for a study area.
    """
    if found_nothing and raster:
        text = (
            "{name} found nothing on the pixels of raster '{raster}': its AUCR is at chance "
            "level, half way between the skew limits."
        )
    elif found_nothing:
        text = (
            "{name} found nothing inside the study area: its AUCR is at chance level, half way "
            "between the skew limits."
        )
    elif raster:
        text = (
            "{name} has the same score everywhere on the pixels of raster '{raster}': its AUCR "
            "is at chance level, half way between the skew limits."
        )
    else:
        text = (
            "{name} has the same score everywhere inside the study area: its AUCR is at chance "
            "level, half way between the skew limits."
        )
    key = "areas.nothing_found" if found_nothing else "areas.constant"
    return note(key, text, name=detector, raster=raster)


def tolerance_messages(tolerance: float, grid: Grid) -> list[Message]:
    """Return a message if a tolerance is smaller than a pixel; none otherwise.

    Args:
        tolerance: tolerance in metres, or in pixels without a georeference; 0 for none.
        grid: pixels of the run.
    """
    if not 0 < tolerance < min(grid.pixel_width, grid.pixel_height):
        return []
    return [
        note(
            "areas.tolerance",
            "The tolerance of {tolerance:g} {unit} is less than a pixel ({width:g} x {height:g} "
            "{unit}) and has no effect.",
            tolerance=tolerance,
            unit=grid.working_crs.unit,
            width=round(grid.pixel_width, 4),
            height=round(grid.pixel_height, 4),
        )
    ]


def merged_score_messages(name: str, values: Sequence[Any]) -> list[Message]:
    """Return a message if large whole numbers become equal as floating point numbers.

    Args:
        name: name of the layer.
        values: values of its score field.
    """
    large_values = {
        value for value in values if isinstance(value, int) and abs(value) > _MAX_EXACT_INTEGER
    }
    n_distinct = len({float(value) for value in large_values})
    if n_distinct == len(large_values):
        return []
    return [
        note(
            "input.merged_scores",
            "Layer '{name}': {number:,} different scores beyond {exact:,} became {left:,}, since "
            "larger whole numbers are rounded. Use smaller ones; only the order of the scores "
            "counts.",
            name=name,
            number=len(large_values),
            exact=_MAX_EXACT_INTEGER,
            left=n_distinct,
        )
    ]


def scored_by_all_mask(valid: Bools, scores: Mapping[str, Floats]) -> Bools:
    """Return a mask of the valid units for which every detector has a score.

    Detectors without any score are ignored; if no detector has a score, no unit is selected.

    Args:
        valid: True for the units of the study area.
        scores: scores by detector in the same shape, NaN where unknown.
    """
    is_known_to_all = valid.copy()
    has_any_score = False
    for score in scores.values():
        is_known = valid & ~np.isnan(score)
        if is_known.any():
            is_known_to_all &= is_known
            has_any_score = True
    return is_known_to_all if has_any_score else np.zeros_like(valid)


def _format_percentage(part: float, whole: float) -> TranslatableText:
    """Return a share in percent as translatable text, with one significant digit below 1 %."""
    percentage = 100 * part / whole
    # Negative digits are significant digits.
    digits = 0 if percentage >= 1 else -1
    return number_text(percentage, digits)
