"""What a ranking says: the answer on areas and on whole crowns, the answer first, then what it rests on."""

from __future__ import annotations

from typing import Any

import pandas as pd

from randcrowns.algorithms.detectors.choices import DRAWS, RULE, DetectorJob
from randcrowns.algorithms.detectors.tables import RankingResult
from randcrowns.core.agreement.consensus import TITLES
from randcrowns.core.detectors.crowns import CrownRanking
from randcrowns.core.detectors.ranking import DetectorRanking
from randcrowns.core.remarks import Remark, info


def area_verdict(job: DetectorJob, result: RankingResult) -> list[Remark]:
    """The answer on areas; of a single detector what it reaches in areas and crowns. Empty where none were counted."""
    if result.areas is None:
        return []
    if len(result.areas.aucr) == 1:
        return _only_one(result, result.areas)
    if result.said is not None:
        truth = info("verdict.truth", "Ground truth: {truth}.", truth=truth_of_certainty(job))
        return [*result.said.remarks, truth]
    unsure = "The certainty is unknown: no bootstrap samples were made."
    if job[DRAWS]:
        unsure = "Which is better by area is unknown: no pixel has a score from every detector."
    return [*first_places(result, "verdict"), info("verdict.unsure", unsure)]


def truth_of_certainty(job: DetectorJob) -> str:
    """Name of the ground truth of the bootstrap samples; with one annotator it is that annotator's."""
    return next(iter(job.annotators)) if len(job.annotators) == 1 else TITLES[job[RULE]]


def crown_verdict(result: RankingResult) -> list[Remark]:
    """The answer on whole crowns; empty where none were counted."""
    if result.crowns is None:
        return []
    values = result.crowns.average_precision.dropna(axis=0, how="all")
    nothing = info("crown_verdict.nothing", "Over whole crowns nothing could be ranked.")
    if values.empty:
        return [nothing, *_why("crown_verdict", list(result.crowns.reasons.values()))]
    if len(values) == 1:
        precision = values.iloc[0].dropna()
        reached = _reached("an average precision", precision, "annotators")
        alone = "No other detector has crowns to count, so there is nothing to rank."
        return [
            info("crown_verdict.one", "{name} has {reached} (whole crowns).", name=precision.name, reached=reached),
            info("crown_verdict.no_other", alone),
        ]
    places = _first_places(result.crowns, "crown_verdict", "annotators (whole crowns)")
    return [*(places or [nothing]), info("crown_verdict.unsure", "Certainty is computed for areas only.")]


def first_places(result: RankingResult, topic: str = "first_places") -> list[Remark]:
    """Which detector comes first how often: by area, and over whole crowns."""
    areas = _first_places(result.areas, topic, "ground truths (areas)")
    return areas + _first_places(result.crowns, topic, "annotators (whole crowns)")


def scoreless_of(areas: DetectorRanking | None) -> list[str]:
    """Detectors without any score to rank by area."""
    return [] if areas is None else [name for name in areas.aucr.index if name in areas.reasons]


def _only_one(result: RankingResult, areas: DetectorRanking) -> list[Remark]:
    """What the only detector reaches by area and over whole crowns, or why nothing."""
    name = str(areas.aucr.index[0])
    values = areas.aucr.loc[name].dropna()
    precision = pd.Series(dtype=float) if result.crowns is None else result.crowns.average_precision.loc[name].dropna()
    by_area = "{area}" if len(values) else ""
    by_crowns = "{crowns} (whole crowns)" if len(precision) else ""
    has = " and ".join(filter(None, (by_area, by_crowns)))
    if not has:
        why = _why("verdict", [areas.reasons[name]] if name in areas.reasons else list(areas.reasons.values()))
        none = f"{{name}} has no value under any ground truth{':' if why else ''}"
        return [info("verdict.no_value", none, name=name), *why]
    reached: dict[str, Any] = {}
    if by_area:
        reached["area"] = _reached("an AUCR", values, "ground truths")
    if by_crowns:
        reached["crowns"] = _reached("an average precision", precision, "annotators")
    return [
        info("verdict.one", f"{{name}} has {has}.", name=name, **reached),
        info("verdict.no_other", "There is no other detector to compare it with."),
    ]


def _why(topic: str, reasons: list[Remark]) -> list[Remark]:
    """The first of the reasons."""
    return [info(f"{topic}.why", "{why}", why=reason) for reason in reasons[:1]]


def _reached(measure: str, values: pd.Series, several: str) -> Remark:
    """The value under the only annotator or ground truth, or the lowest and the highest of several."""
    low, high = f"{values.min():.3f}", f"{values.max():.3f}"
    if len(values) == 1:
        return info("verdict.value", f"{measure} of {{low}} under {{who}}", low=low, who=values.index[0])
    between = "{low}" if low == high else "{low} to {high}"
    said = f"{measure} of {between} under {{number}} {several}"
    return info("verdict.values", said, low=low, high=high, number=len(values))


def _first_places(ranking: DetectorRanking | CrownRanking | None, topic: str, under: str) -> list[Remark]:
    """Which detector comes first under how many ground truths; nothing where fewer than two are ranked."""
    ranks = pd.DataFrame() if ranking is None else ranking.ranks.dropna(axis=0, how="all")
    if ranking is None or len(ranks) < 2 or not len(ranking.rankings):
        return []
    times = (ranks == 1).sum(axis=1).sort_values(ascending=False, kind="stable")
    (best, most), *rest = times[times > 0].items()
    others = [info("first_places.other", "{name} under {number}", name=name, number=number) for name, number in rest]
    said = f"{{best}} comes first under {{most}} of {{every}} {under}{', {others}' if others else ''}."
    every = ranks.notna().any(axis=0).sum()
    return [info(f"{topic}.first_places", said, best=best, most=most, every=every, others=others)]
