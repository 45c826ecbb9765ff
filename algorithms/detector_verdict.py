"""What a ranking of detectors comes to, in sentences."""

from __future__ import annotations

import math

import pandas as pd

from randcrowns.algorithms.base import tr
from randcrowns.algorithms.detector_job import DetectorJob
from randcrowns.algorithms.detector_tables import RankingResult
from randcrowns.core.agreement.ground_truths import TITLES
from randcrowns.core.detectors.correlations import DetectorRanking
from randcrowns.core.detectors.crowns import CrownRanking

__all__ = ["all_first_places", "area_verdict", "crown_verdict", "scoreless_of", "truth_of_certainty"]


def area_verdict(job: DetectorJob, result: RankingResult) -> tuple[str, float]:
    """The sentence on areas, and the share of the draws in which the best beat the second; NaN without draws.

    Where only crowns are counted, the sentence on crowns; of a single detector what it reaches in both.
    """
    if result.areas is None:
        return crown_verdict(result), math.nan
    if len(result.areas.aucr) == 1:
        return _only_one(result, result.areas), math.nan
    if result.said is None:
        unsure = tr("How sure that is was not asked for: no annotators and tiles were drawn.")
        if job.draws:
            unsure = tr("Which is better by area cannot be said: no pixel has a score from every detector.")
        return f"{all_first_places(result)} {unsure}".strip(), math.nan
    truth = truth_of_certainty(job)
    return tr("{said} Ground truth: {truth}.").format(said=result.said, truth=truth), result.said.probability


def truth_of_certainty(job: DetectorJob) -> str:
    """Name of the ground truth that is made of the drawn annotators; of one annotator it is their own drawing."""
    return next(iter(job.annotators)) if len(job.annotators) == 1 else TITLES[job.rule]


def crown_verdict(result: RankingResult) -> str:
    """The sentence on whole crowns; empty where none were counted."""
    if result.crowns is None:
        return ""
    values = result.crowns.average_precision.dropna(axis=0, how="all")
    if values.empty:
        why = next(iter(result.crowns.reasons.values()), "")
        return tr("Over whole crowns nothing could be ranked. {why}").format(why=why).strip()
    if len(values) == 1:
        return _alone(values.iloc[0].dropna())
    said = _first_places_of(result.crowns, tr("annotators (whole crowns)"))
    return tr("{said} How sure that is can be said for areas only.").format(
        said=said or tr("Over whole crowns nothing could be ranked.")
    )


def _only_one(result: RankingResult, areas: DetectorRanking) -> str:
    """What the only detector reaches by area and over whole crowns, or why nothing."""
    name = str(areas.aucr.index[0])
    values = areas.aucr.loc[name].dropna()
    reached = [_reached(tr("an AUCR"), values, tr("{number} ground truths"))] if len(values) else []
    precision = pd.Series(dtype=float) if result.crowns is None else result.crowns.average_precision.loc[name].dropna()
    if len(precision):
        crowns = _reached(tr("an average precision"), precision, tr("{number} annotators"))
        reached.append(tr("{crowns} (whole crowns)").format(crowns=crowns))
    if not reached:
        why = next(iter([areas.reasons[name]] if name in areas.reasons else areas.reasons.values()), "")
        return tr("{name} has no value under any ground truth: {why}").format(name=name, why=why).strip(": ")
    return tr("{name} has {values}. There is no other detector to rank it against.").format(
        name=name, values=tr(" and ").join(reached)
    )


def _alone(precision: pd.Series) -> str:
    """What the only detector with crowns reaches under each annotator."""
    said = tr("{name} has {value} (whole crowns). No other detector has crowns to count, so there is nothing to rank.")
    value = _reached(tr("an average precision"), precision, tr("{number} annotators"))
    return said.format(name=precision.name, value=value)


def _reached(measure: str, values: pd.Series, several: str) -> str:
    """The value under the one who drew, or from the lowest to the highest under several of them."""
    value, who = f"{values.min():.3f}", str(values.index[0])
    if len(values) > 1:
        who = several.format(number=len(values))
        highest = f"{values.max():.3f}"
        value = value if value == highest else tr("{low} to {high}").format(low=value, high=highest)
    return tr("{measure} of {value} under {who}").format(measure=measure, value=value, who=who)


def scoreless_of(areas: DetectorRanking | None) -> list[str]:
    """Detectors without any score to rank by area."""
    return [] if areas is None else [name for name in areas.aucr.index if name in areas.reasons]


def all_first_places(result: RankingResult) -> str:
    """Which detector comes first how often: by area, and over whole crowns."""
    areas = _first_places_of(result.areas, tr("ground truths (areas)"))
    return f"{areas} {_first_places_of(result.crowns, tr('annotators (whole crowns)'))}".strip()


def _first_places_of(ranking: DetectorRanking | CrownRanking | None, under: str) -> str:
    ranks = pd.DataFrame() if ranking is None else ranking.ranks.dropna(axis=0, how="all")
    if ranking is None or len(ranks) < 2 or not len(ranking.rankings):
        return ""
    return _first_places(ranks, under)


def _first_places(ranks: pd.DataFrame, under: str) -> str:
    """Which detector comes first under how many ground truths, in a sentence."""
    times = (ranks == 1).sum(axis=1).sort_values(ascending=False, kind="stable")
    times = times[times > 0]
    every = int(ranks.notna().any(axis=0).sum())
    (best, most), *others = times.items()
    rest = "".join(tr(", {name} under {number}").format(name=name, number=number) for name, number in others)
    return tr("{best} comes first under {most} of {every} {under}{rest}.").format(
        best=best, most=most, every=every, under=under, rest=rest
    )
