"""What a ranking says: the answer on areas and on whole crowns, the answer first, then what it rests on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import shapely

from randcrowns.algorithms.detectors.choices import (
    ALL_DRAWN,
    BAND,
    CROWN_SCORE,
    CROWN_THRESHOLD,
    DRAWS,
    RESOLUTION,
    RULE,
    DetectorJob,
)
from randcrowns.algorithms.detectors.tables import RankingResult
from randcrowns.core.agreement.consensus import TITLES
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.arrays import Bools, Floats, as_words
from randcrowns.core.detectors.crowns import CrownRanking
from randcrowns.core.detectors.ranking import TIE, DetectorRanking
from randcrowns.core.detectors.verdict import BY_AREA, BY_CROWNS, RankVerdict
from randcrowns.core.remarks import Remark, Said, info, note, some, warning
from randcrowns.layers.raster.grid import Grid
from randcrowns.layers.raster.marks import aligned, first_bands, of_other_pixels


def area_verdict(job: DetectorJob, result: RankingResult) -> list[Remark]:
    """The answer on areas; of a single detector what it reaches in areas and crowns. Empty where none were counted."""
    if result.areas is None:
        return []
    if len(result.areas.aucr) == 1:
        return _only_one(job, result, result.areas)
    if result.said is not None:
        truth = info(
            "verdict.truth",
            "Ground truth: {truth}.",
            truth=truth_of_certainty(job, result.annotators),
        )
        return [*result.said.remarks, truth]
    unsure = "The certainty is unknown: no bootstrap samples were made."
    if job[DRAWS]:
        unsure = "Which is better by area is unknown: no pixel has a score from every detector."
    return [*first_places(result, "verdict"), info("verdict.unsure", unsure)]


def truth_of_certainty(job: DetectorJob, annotators: Sequence[str]) -> str:
    """Name of the ground truth of the bootstrap samples; with one annotator it is that annotator's."""
    return annotators[0] if len(annotators) == 1 else TITLES[job[RULE]]


def headline(job: DetectorJob, result: RankingResult) -> list[Remark]:
    """Who is ahead by whole crowns and who by area, and first of all where these disagree; empty unless both rank."""
    if result.crowns is None or result.areas is None:
        return []
    if not job[ALL_DRAWN] and len(result.areas.aucr) > 1:
        return _recalled(job, result.crowns, "headline")
    by_crowns = result.crowns.average_precision.mean(axis=1).dropna()
    truth = truth_of_certainty(job, result.annotators)
    aucr = result.areas.aucr
    by_area = (aucr[truth] if truth in aucr else aucr.mean(axis=1)).dropna()
    if min(len(by_crowns), len(by_area)) < 2:
        return []
    crowns = _ahead(by_crowns, "Whole crowns", BY_CROWNS, result.crowns_said)
    told = [crowns, _ahead(by_area, "Areas", BY_AREA, result.said)]
    both = by_area.index.intersection(by_crowns.index)
    best = [
        {name for name in both if values[name] >= values[both].max() - TIE}
        for values in (by_crowns, by_area)
    ]
    if best[0] & best[1] or not len(both):
        return told
    return [info("headline.disagree", "Whole crowns and areas disagree."), *told]


def partly_drawn(job: DetectorJob) -> list[Remark]:
    """That by area what nobody drew counts as no crown, where only some crowns were drawn."""
    if job[ALL_DRAWN] or not job.areas:
        return []
    said = (
        "Only some crowns were drawn, but by area what nobody drew counts as no crown: go by the recall of whole "
        "crowns, or choose a study area in which all were drawn."
    )
    return [warning("areas.partly_drawn", said)]


def _ahead(values: pd.Series, what: str, measure: str, said: RankVerdict | None) -> Remark:
    """Who is ahead of whom, and whether that can be said with the certainty required."""
    best, second = values.sort_values(ascending=False, kind="stable").index[:2]
    numbers = {
        "best": best,
        "second": second,
        "value": as_words(values[best], 3),
        "other": as_words(values[second], 3),
    }
    if values[best] - values[second] <= TIE:
        return info(
            "headline.tie", f"{what}: {{best}} and {{second}} tie ({measure} {{value}}).", **numbers
        )
    call = ""
    if said is not None and said.reason is None:
        call = f" {{best}} {'can' if said.is_better else 'cannot'} be called better."
    ahead = f"{what}: {{best}} {{value}}, {{second}} {{other}} ({measure}).{call}"
    return info("headline.ahead", ahead, **numbers)


def crown_verdict(job: DetectorJob, result: RankingResult) -> list[Remark]:
    """The answer on whole crowns; empty where none were counted."""
    if result.crowns is None:
        return []
    if not job[ALL_DRAWN]:
        return [] if result.areas is not None else _recalled(job, result.crowns, "crown_verdict")
    values = result.crowns.average_precision.dropna(axis=0, how="all")
    nothing = info("crown_verdict.nothing", "Over whole crowns nothing could be ranked.")
    if values.empty:
        return [nothing, *_why("crown_verdict", list(result.crowns.reasons.values()))]
    if len(values) == 1:
        precision = values.iloc[0].dropna()
        reached = _reached(f"an {BY_CROWNS}", precision, "annotators")
        alone = "No other detector has crowns to count, so there is nothing to rank."
        return [
            info(
                "crown_verdict.one",
                "{name} has {reached} (whole crowns).",
                name=precision.name,
                reached=reached,
            ),
            info("crown_verdict.no_other", alone),
        ]
    if result.crowns_said is not None:
        truth = (
            "Average precision: mean over {number} annotators."
            if len(result.annotators) > 1
            else "Annotator: {name}."
        )
        names = {"number": values.notna().any(axis=0).sum(), "name": result.annotators[0]}
        return [*result.crowns_said.remarks, info("crown_verdict.truth", truth, **names)]
    places = _first_places(result.crowns, "crown_verdict", "annotators (whole crowns)")
    unsure = info(
        "crown_verdict.unsure", "The certainty is unknown: no bootstrap samples were made."
    )
    return [*(places or [nothing]), unsure]


def first_places(result: RankingResult, topic: str = "first_places") -> list[Remark]:
    """Which detector comes first how often: by area, and over whole crowns."""
    areas = _first_places(result.areas, topic, "ground truths (areas)")
    return areas + _first_places(result.crowns, topic, "annotators (whole crowns)")


def scoreless_of(areas: DetectorRanking | None) -> list[str]:
    """Detectors without any score to rank by area."""
    return [] if areas is None else [name for name in areas.aucr.index if name in areas.reasons]


def _recalled(job: DetectorJob, crowns: CrownRanking, topic: str) -> list[Remark]:
    """Where only some crowns were drawn: the share of them that each detector finds, and why no more can be said."""
    recall = crowns.counts.groupby("detector", sort=False)["recall"].mean()
    each = [
        info("recall.of", "{name} {value}", name=name, value=as_words(value, 3))
        for name, value in recall.items()
    ]
    measure: dict[str, Any] = {
        "score": CROWN_SCORE.label_of(job[CROWN_SCORE]),
        "threshold": job[CROWN_THRESHOLD],
    }
    said = "Whole crowns: recall {each} ({score} of at least {threshold:g})."
    partly = "Only some crowns were drawn, so average precision is n/a."
    if job.areas:
        partly = "Only some crowns were drawn, so average precision is n/a and areas say little."
    return [info(f"{topic}.recall", said, each=each, **measure), info(f"{topic}.partly", partly)]


def _only_one(job: DetectorJob, result: RankingResult, areas: DetectorRanking) -> list[Remark]:
    """What the only detector reaches over whole crowns and by area, or why nothing."""
    if not job[ALL_DRAWN] and result.crowns is not None:
        return _recalled(job, result.crowns, "verdict")
    name = str(areas.aucr.index[0])
    values = areas.aucr.loc[name].dropna()
    precision = (
        pd.Series(dtype=float)
        if result.crowns is None
        else result.crowns.average_precision.loc[name].dropna()
    )
    if not len(values) and not len(precision):
        why = _why(
            "verdict",
            [areas.reasons[name]] if name in areas.reasons else list(areas.reasons.values()),
        )
        none = (
            "{name} has no value under any ground truth:"
            if why
            else "{name} has no value under any ground truth"
        )
        return [info("verdict.no_value", none, name=name), *why]
    reached: dict[str, Any] = {}
    if len(values):
        said = "{name} has {area}."
        reached["area"] = _reached(f"an {BY_AREA}", values, "ground truths")
    if len(precision):
        said = (
            "{name} has {crowns} (whole crowns) and {area}."
            if reached
            else "{name} has {crowns} (whole crowns)."
        )
        reached["crowns"] = _reached(f"an {BY_CROWNS}", precision, "annotators")
    return [
        info("verdict.one", said, name=name, **reached),
        info("verdict.no_other", "There is no other detector to compare it with."),
    ]


def _why(topic: str, reasons: list[Remark]) -> list[Remark]:
    """The first of the reasons."""
    return [info(f"{topic}.why", "{why}", why=reason) for reason in reasons[:1]]


def _reached(measure: str, values: pd.Series, several: str) -> Remark:
    """The value under the only annotator or ground truth, or the lowest and the highest of several."""
    low, high = as_words(values.min(), 3), as_words(values.max(), 3)
    if len(values) == 1:
        return info(
            "verdict.value", f"{measure} of {{low}} under {{who}}", low=low, who=values.index[0]
        )
    between = "{low}" if low == high else "{low} to {high}"
    said = f"{measure} of {between} under {{number}} {several}"
    return info("verdict.values", said, low=low, high=high, number=len(values))


def _first_places(
    ranking: DetectorRanking | CrownRanking | None, topic: str, under: str
) -> list[Remark]:
    """Which detector comes first under how many ground truths; nothing where fewer than two are ranked."""
    ranks = pd.DataFrame() if ranking is None else ranking.ranks.dropna(axis=0, how="all")
    if ranking is None or len(ranks) < 2 or not len(ranking.rankings):
        return []
    times = (ranks == 1).sum(axis=1).sort_values(ascending=False, kind="stable")
    (best, most), *rest = times[times > 0].items()
    others = [
        info("first_places.other", "{name} under {number}", name=name, number=number)
        for name, number in rest
    ]
    said = (
        f"{{best}} comes first under {{most}} of {{every}} {under}{', {others}' if others else ''}."
    )
    every = ranks.notna().any(axis=0).sum()
    return [info(f"{topic}.first_places", said, best=best, most=most, every=every, others=others)]


#: Whole numbers beyond it are no longer all different once they are floating point numbers.
_EXACT = 2**53
#: Share of the study area that is not worth a remark.
_HARDLY = 1e-3


def pixel_remarks(job: DetectorJob, grid: Grid, first: str) -> list[Remark]:
    """Which raster sets the grid where several could, and which band of those of several bands is taken."""
    if not job.areas:
        said = "Rasters hold no crowns and are not counted: {names}."
        return [note("areas.rasters_not_counted", said, names=list(job.pixels))]
    others = of_other_pixels({**job.rasters, **job.marked}, grid, job.transform_context)
    told = first_bands(job.marked)
    if job.marked and job.crowns and job.polygons:
        said = "Whole crowns are compared with annotators that are polygons; these are rasters: {names}."
        told.append(note("crowns.rasters", said, names=list(job.marked)))
    if job[RESOLUTION] > 0:
        said = "Rasters were resampled to pixels of {size:g} m (nearest neighbour)."
        told.append(note("areas.pixels_given", said, size=job[RESOLUTION]))
    elif others:
        told.append(aligned(grid, first, others))
    elif len(job.detectors) > 1:
        told.append(
            note("areas.pixels_of", "The pixels of raster '{first}' are counted.", first=first)
        )
    said = "Raster '{name}' has {bands} bands; band {band} holds its score."
    return told + [
        note("areas.band", said, name=name, bands=raster.bands, band=job[BAND])
        for name, raster in job.rasters.items()
        if raster.bands > 1
    ]


def excluded_remarks(valid: Bools, scores: dict[str, Floats]) -> list[Remark]:
    """How much of the area is excluded, and because of which detector."""
    every = int(valid.sum())
    gaps = {name: int((valid & np.isnan(score)).sum()) for name, score in scores.items()}
    gaps = {name: gap for name, gap in gaps.items() if 0 < gap < every}
    if not gaps:
        return []
    gone = every - int(known_to_all(valid, scores).sum())
    who = [
        info(
            "areas.gap", "{name} has no scores in {share} %", name=name, share=_percent(gap, every)
        )
        for name, gap in gaps.items()
    ]
    if len(gaps) == 1:
        who = [info("areas.gap", "{name} has no scores there", name=next(iter(gaps)))]
    said = (
        "{share} % of the area is excluded for all detectors: {who} ({gone:,} of {every:,} pixels)."
    )
    return [
        note("areas.excluded", said, share=_percent(gone, every), who=who, gone=gone, every=every)
    ]


def beyond_the_raster(area: shapely.Geometry, grid: Grid, first: str) -> list[Remark]:
    """How much of the study area the raster that sets the pixels does not reach."""
    covered = shapely.intersection(area, shapely.box(*grid.bounds)).area
    if covered >= (1 - _HARDLY) * area.area:
        return []
    said = "{share} % of the study area lies outside raster '{first}' and is not counted."
    return [note("areas.beyond", said, share=_percent(area.area - covered, area.area), first=first)]


#: Keys of what :func:`nothing_here` says.
NOTHING_HERE = ("areas.absent", "areas.nothing_found", "areas.constant")


def nothing_here(
    job: DetectorJob,
    area: shapely.Geometry | None,
    votes: VoteTable,
    scores: dict[str, Floats],
    valid: Bools,
) -> list[Remark]:
    """Which annotators and detectors have nothing where detectors are compared, and whose score is constant."""
    where = info("areas.study_area", "the study area")
    if area is None and job.pixels:
        where = info("areas.raster", "the pixels of raster '{first}'", first=next(iter(job.pixels)))
    marked = votes.patterns[votes.weights > 0].any(axis=0)
    absent = [name for name, any_mark in zip(votes.names, marked) if not any_mark]
    told = []
    if absent:
        one = "Annotator {names} marked nothing inside {where}."
        many = "Annotators {names} marked nothing inside {where}."
        told.append(
            note("areas.absent", many, one=one, count=len(absent), names=some(absent), where=where)
        )
    for name, score in scores.items():
        seen = score[valid]
        if seen.size and (seen == seen[0]).all():
            nothing = np.isneginf(seen[0])
            what = "found nothing" if nothing else "has the same score everywhere"
            said = f"{{name}} {what} inside {{where}}: its AUCR is at chance level, half way between the skew limits."
            told.append(
                note(
                    "areas.nothing_found" if nothing else "areas.constant",
                    said,
                    name=name,
                    where=where,
                )
            )
    return told


def tolerance_remarks(tolerance: float, grid: Grid) -> list[Remark]:
    """That a tolerance is too small to do anything."""
    if not 0 < tolerance < min(grid.pixel_width, grid.pixel_height):
        return []
    said = "The tolerance of {tolerance:g} {unit} is less than a pixel ({width:g} x {height:g} {unit}) and does nothing."
    pixel: dict[str, Any] = {
        "width": round(grid.pixel_width, 4),
        "height": round(grid.pixel_height, 4),
    }
    return [note("areas.tolerance", said, tolerance=tolerance, unit=grid.working.unit, **pixel)]


def merged_scores(name: str, values: Sequence[Any]) -> list[Remark]:
    """That whole numbers are too large to be distinguished."""
    large = {value for value in values if isinstance(value, int) and abs(value) > _EXACT}
    left = len(set(map(float, large)))
    if left == len(large):
        return []
    said = (
        "Layer '{name}': {number:,} different scores beyond {exact:,} became {left:,}, since larger whole numbers are "
        "rounded. Use smaller ones; only the order of the scores counts."
    )
    return [
        note("input.merged_scores", said, name=name, number=len(large), exact=_EXACT, left=left)
    ]


def known_to_all(valid: Bools, scores: dict[str, Floats]) -> Bools:
    """Where each detector that has any score has one; nowhere when none has any."""
    common, any_score = valid.copy(), False
    for score in scores.values():
        known = valid & ~np.isnan(score)
        if known.any():
            common &= known
            any_score = True
    return common if any_score else np.zeros_like(valid)


def _percent(part: int, whole: int) -> Said:
    share = 100 * part / whole
    return as_words(share, 0 if share >= 1 else -1)
