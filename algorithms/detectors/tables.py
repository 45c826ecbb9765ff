"""The tables of a ranking of detectors as features without geometry."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from randcrowns.algorithms.detectors.choices import DRAWS, RULE, DetectorJob
from randcrowns.algorithms.detectors.outputs import AUCR, CERTAINTY_TABLE, CORRELATIONS, CURVES, RANKINGS, TAU
from randcrowns.core.agreement.ground_truths import TITLES
from randcrowns.core.detectors.certainty import RankProbabilities
from randcrowns.core.detectors.correlations import AgreementCorrelations
from randcrowns.core.detectors.crowns import CrownRanking
from randcrowns.core.detectors.ranking import DetectorRanking, ranking_table
from randcrowns.core.detectors.verdict import RankVerdict
from randcrowns.layers.vector.tables import FeatureTable
from randcrowns.layers.words import tr

#: What was counted, in the column ``counted``.
AREAS, CROWNS = "areas", "crowns"


class RankingResult(NamedTuple):
    """What a run found; None for what was not asked for or not possible."""

    areas: DetectorRanking | None
    crowns: CrownRanking | None
    #: Of each detector, and why it has none.
    correlations: dict[str, tuple[AgreementCorrelations, str]]
    certainty: RankProbabilities | None
    said: RankVerdict | None
    #: Why a ground truth could not be made, by name.
    left_out: dict[str, str]


def ranking_tables(result: RankingResult) -> dict[str, FeatureTable]:
    """The tables by output, all without geometry."""
    return {
        AUCR.id: _scores_table(result),
        CURVES.id: _curves_table(result),
        RANKINGS.id: _rankings_table(result),
        TAU.id: _tau_table(result),
        CORRELATIONS.id: _correlations_table(result),
        CERTAINTY_TABLE.id: _certainty_table(result),
    }


def _scores_table(result: RankingResult) -> FeatureTable:
    """A row per detector and ground truth: AUCR or average precision, rank, skew, and why there is no value."""
    rows: list[dict[str, Any]] = []
    if result.areas is not None:
        found = result.areas
        for truth in found.aucr.columns:
            for detector in found.aucr.index:
                row = {"counted": AREAS, "measure": "AUCR", "detector": detector, "truth": truth}
                rows.append({**row, **_value(found.aucr, found, detector, truth), "skew": found.skew[truth]})
        for truth, reason in result.left_out.items():
            row = {"counted": AREAS, "measure": "AUCR", "truth": truth, "reason": reason}
            rows += [{**row, "detector": detector} for detector in found.aucr.index]
    if result.crowns is not None:
        by_crowns = result.crowns
        for _, count in by_crowns.counts.iterrows():
            detector, truth = count["detector"], count["truth"]
            row = {"counted": CROWNS, "measure": "AP", "detector": detector, "truth": truth}
            numbers = {"crowns": count["targets"], "detections": count["detections"], "not_judged": count["excluded"]}
            rows.append({**row, **_value(by_crowns.average_precision, by_crowns, detector, truth), **numbers})
    frame = pd.DataFrame(rows, columns=[column.name for column in AUCR.columns])
    return AUCR.table(frame)


def _value(
    values: pd.DataFrame, ranking: DetectorRanking | CrownRanking, detector: str, truth: str
) -> dict[str, float | str]:
    """The value of a detector under a ground truth with its rank, or why there is none."""
    value, why = float(values[truth][detector]), ranking.reasons
    reason = why.get(truth) or why.get(detector, "") if np.isnan(value) else ""
    return {"value": value, "rank": ranking.ranks[truth][detector], "reason": reason}


def _curves_table(result: RankingResult) -> FeatureTable:
    """Every curve: areas at recalls 0, 0.01, … 1; crowns at every score of the detector."""
    parts = []
    if result.areas is not None:
        parts.append(result.areas.curves.assign(counted=AREAS, threshold=np.nan))
    if result.crowns is not None:
        parts.append(result.crowns.curves.assign(counted=CROWNS, p_bar=np.nan, false_positive_rate=np.nan))
    names = [column.name for column in CURVES.columns]
    return CURVES.table(pd.concat([part[names] for part in parts], ignore_index=True))


def _rankings_table(result: RankingResult) -> FeatureTable:
    """The distinct rankings side by side, as in the source's Table IV, areas before crowns."""
    parts = []
    for counted, found in ((AREAS, result.areas), (CROWNS, result.crowns)):
        if found is not None and found.rankings:
            part = ranking_table(found.rankings).reset_index()
            part.columns = ["position", *(f"ranking_{number}" for number in range(1, part.shape[1]))]
            parts.append(part.assign(counted=counted))
    return RANKINGS.table(
        pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=["counted", "position"])
    )


def _tau_table(result: RankingResult) -> FeatureTable:
    """Kendall's tau between the rankings under every two ground truths."""
    rows: list[tuple[str, str, str, float]] = []
    for counted, found in ((AREAS, result.areas), (CROWNS, result.crowns)):
        if found is not None:
            tau = found.kendall_tau
            first, second = np.triu_indices(len(tau), k=1)
            names = tau.columns.to_numpy(dtype=object)
            pairs = zip(names[first], names[second], tau.to_numpy()[first, second])
            rows += [(counted, one, other, value) for one, other, value in pairs]
    return TAU.table(pd.DataFrame(rows, columns=[column.name for column in TAU.columns]))


def _correlations_table(result: RankingResult) -> FeatureTable:
    """CCO, CCI and their difference per detector, and why there is none."""
    rows = [(name, *pair, why) for name, (pair, why) in result.correlations.items()]
    return CORRELATIONS.table(pd.DataFrame(rows, columns=[column.name for column in CORRELATIONS.columns]))


def _certainty_table(result: RankingResult) -> FeatureTable:
    """Probability of every rank, best detector first, and of beating the next one; NaN where nothing can be said."""
    if result.certainty is None:
        return CERTAINTY_TABLE.table(pd.DataFrame(columns=["detector", "aucr", "beats_next"]))
    found = result.certainty
    order = [*found.order, *found.estimate.index[found.estimate.isna()]]
    known = np.nan if result.said is None or result.said.reason else 1.0
    beats = [*(known * found.better.loc[order, order].to_numpy().diagonal(1)), np.nan]
    shares = (found.probabilities.loc[order] * known).add_prefix("rank_")
    return CERTAINTY_TABLE.table(shares.assign(detector=order, aucr=found.estimate[order], beats_next=beats))


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
        if job[DRAWS]:
            unsure = tr("Which is better by area cannot be said: no pixel has a score from every detector.")
        return f"{all_first_places(result)} {unsure}".strip(), math.nan
    truth = truth_of_certainty(job)
    return tr("{said} Ground truth: {truth}.").format(said=result.said, truth=truth), result.said.probability


def truth_of_certainty(job: DetectorJob) -> str:
    """Name of the ground truth that is made of the drawn annotators; of one annotator it is their own drawing."""
    return next(iter(job.annotators)) if len(job.annotators) == 1 else TITLES[job[RULE]]


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
