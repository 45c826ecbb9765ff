"""What a ranking of detectors comes to, in sentences."""

from __future__ import annotations

import math

import pandas as pd

from randcrowns.algorithms.base import tr
from randcrowns.algorithms.detector_job import DetectorJob
from randcrowns.algorithms.detector_tables import RankingResult
from randcrowns.core.crown_ranking import CrownRanking
from randcrowns.core.detectors import DetectorRanking
from randcrowns.core.ground_truths import TITLES
from randcrowns.core.verdict import verdict

__all__ = ["all_first_places", "area_verdict", "crown_verdict"]


def area_verdict(job: DetectorJob, result: RankingResult) -> tuple[str, float]:
    """The sentence on areas, and the share of the draws in which the best beat the second; NaN without draws."""
    if result.certainty is None:
        unsure = tr("How sure that is was not asked for: no annotators and tiles were drawn.")
        if result.areas is None:
            unsure = tr("How sure that is can be said for areas only.")
        elif job.draws:
            unsure = tr("Which is better by area cannot be said: no pixel has a score from every detector.")
        return f"{all_first_places(result)} {unsure}".strip(), math.nan
    found = verdict(result.certainty, job.certainty)
    return tr("{said} Ground truth: {truth}.").format(said=found, truth=TITLES[job.rule]), found.probability


def crown_verdict(result: RankingResult) -> str:
    """The sentence on whole crowns; empty where none were counted."""
    if result.crowns is None:
        return ""
    names = list(result.crowns.ranks.index)
    if len(names) == 1:
        return tr("Over whole crowns there is nothing to rank: only {name} has crowns.").format(name=names[0])
    said = _first_places_of(result.crowns, tr("annotators (whole crowns)"))
    return tr("{said} How sure that is can be said for areas only.").format(
        said=said or tr("Over whole crowns nothing could be ranked.")
    )


def all_first_places(result: RankingResult) -> str:
    """Which detector comes first how often: by area, and over whole crowns."""
    areas = _first_places_of(result.areas, tr("ground truths (areas)"))
    return f"{areas} {_first_places_of(result.crowns, tr('annotators (whole crowns)'))}".strip()


def _first_places_of(ranking: DetectorRanking | CrownRanking | None, under: str) -> str:
    if ranking is None or len(ranking.ranks) < 2 or not len(ranking.rankings):
        return ""
    return _first_places(ranking.ranks, under)


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
