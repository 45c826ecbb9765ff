"""The tables of a ranking of detectors as features without geometry."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import pandas as pd

from randcrowns.algorithms.detectors.job import DetectorJob
from randcrowns.core.agreement.ground_truths import TITLES
from randcrowns.core.arrays import Floats
from randcrowns.core.detectors.certainty import RankProbabilities
from randcrowns.core.detectors.correlations import AgreementCorrelations
from randcrowns.core.detectors.crowns import CrownRanking
from randcrowns.core.detectors.ranking import DetectorRanking, ranking_table
from randcrowns.core.detectors.verdict import RankVerdict
from randcrowns.layers.vector.tables import FeatureTable
from randcrowns.layers.words import tr

__all__ = [
    "AREAS",
    "CROWNS",
    "RankingResult",
    "all_first_places",
    "area_verdict",
    "certainty_table",
    "correlations_table",
    "crown_verdict",
    "curves_table",
    "rankings_table",
    "scoreless_of",
    "scores_table",
    "tau_table",
    "truth_of_certainty",
]

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


def scores_table(result: RankingResult) -> FeatureTable:
    """A row per detector and ground truth: AUCR or average precision, rank, skew, and why there is no value."""
    rows = []
    if result.areas is not None:
        found = result.areas
        for truth in found.aucr.columns:
            for detector in found.aucr.index:
                value = float(found.aucr.loc[detector, truth])
                reason = found.reasons.get(truth) or found.reasons.get(detector, "") if np.isnan(value) else ""
                rank, skew = found.ranks.loc[detector, truth], found.skew[truth]
                rows.append((AREAS, "AUCR", detector, truth, value, rank, skew, None, None, None, reason))
        for truth, reason in result.left_out.items():
            for detector in found.aucr.index:
                rows.append((AREAS, "AUCR", detector, truth, np.nan, np.nan, np.nan, None, None, None, reason))
    if result.crowns is not None:
        for _, count in result.crowns.counts.iterrows():
            detector, truth = count["detector"], count["truth"]
            value = float(result.crowns.average_precision.loc[detector, truth])
            why = result.crowns.reasons
            reason = why.get(truth) or why.get(detector, "") if np.isnan(value) else ""
            rank = result.crowns.ranks.loc[detector, truth]
            numbers = (count["targets"], count["detections"], count["excluded"])
            rows.append((CROWNS, "AP", detector, truth, value, rank, np.nan, *numbers, reason))
    names = ["counted", "measure", "detector", "truth", "value", "rank", "skew"]
    frame = pd.DataFrame(rows, columns=[*names, "crowns", "detections", "not_judged", "reason"])
    table = FeatureTable()
    for name, kind, meaning in (
        ("counted", "text", "areas or crowns"),
        ("measure", "text", "AUCR: area under the P̄-recall curve; AP: average precision"),
        ("detector", "text", "Detector"),
        ("truth", "text", "Ground truth"),
        ("value", "real", "AUCR or AP, 0 to 1"),
        ("rank", "integer", "1 is best; ties share a rank"),
        ("skew", "real", "Fraction of the area that the ground truth marks"),
        ("crowns", "integer", "Crowns of the annotator that count"),
        ("detections", "integer", "Crowns of the detector"),
        ("not_judged", "integer", "Crowns of the detector that were not judged"),
        ("reason", "text", "Why there is no value"),
    ):
        values = frame[name].astype("Float64").astype("Int64") if kind == "integer" else frame[name]
        table.add(name, values, meaning, kind)
    return table


def curves_table(result: RankingResult) -> FeatureTable:
    """Every curve: areas at recalls 0, 0.01, … 1; crowns at every score of the detector."""
    parts = []
    if result.areas is not None:
        parts.append(result.areas.curves.assign(counted=AREAS, threshold=np.nan))
    if result.crowns is not None:
        parts.append(result.crowns.curves.assign(counted=CROWNS, p_bar=np.nan, false_positive_rate=np.nan))
    names = ["counted", "detector", "truth", "recall", "p_bar", "precision", "false_positive_rate", "threshold"]
    frame = pd.concat([part[names] for part in parts], ignore_index=True)
    meanings = {
        "recall": "True positive rate, 0 to 1",
        "p_bar": "Precision averaged over the skew limits",
        "precision": "Precision at the scene's own skew",
        "false_positive_rate": "0 to 1",
        "threshold": "The detector's score",
    }
    table = FeatureTable()
    for name in names:
        table.add(name, frame[name], meanings.get(name, ""), "real" if name in meanings else "text")
    return table


def rankings_table(result: RankingResult) -> FeatureTable:
    """The distinct rankings side by side, as in the source's Table IV, areas before crowns."""
    parts = []
    for counted, found in ((AREAS, result.areas), (CROWNS, result.crowns)):
        if found is not None and found.rankings:
            part = ranking_table(found.rankings).reset_index()
            part.columns = ["position", *(f"ranking_{number}" for number in range(1, part.shape[1]))]
            parts.append(part.assign(counted=counted))
    frame = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame({"position": [], "counted": []})
    table = FeatureTable()
    for name in ["counted", "position", *(name for name in frame.columns if name.startswith("ranking_"))]:
        table.add(name, frame[name], "", "text")
    return table


def tau_table(result: RankingResult) -> FeatureTable:
    """Kendall's tau between the orders under every two ground truths."""
    rows: list[tuple[str, str, str, float]] = []
    for counted, found in ((AREAS, result.areas), (CROWNS, result.crowns)):
        if found is not None:
            tau = found.kendall_tau
            first, second = np.triu_indices(len(tau), k=1)
            names = tau.columns.to_numpy(dtype=object)
            pairs = zip(names[first], names[second], tau.to_numpy()[first, second])
            rows += [(counted, one, other, value) for one, other, value in pairs]
    frame = pd.DataFrame(rows, columns=["counted", "truth_1", "truth_2", "tau"])
    table = FeatureTable()
    for name in ("counted", "truth_1", "truth_2"):
        table.add(name, frame[name], "", "text")
    table.add("tau", frame["tau"], "1: the same order, -1: the opposite one", "real")
    return table


def correlations_table(result: RankingResult) -> FeatureTable:
    """CCO, CCI and their difference per detector, and why there is none."""
    found = result.correlations
    table = FeatureTable()
    table.add("detector", list(found), "Detector", "text")
    for name, place, meaning in (
        ("cco", 0, "Correlation of score and number of annotators where anyone marked"),
        ("cci", 1, "The same over the whole study area"),
        ("difference", 2, "CCI - CCO"),
    ):
        table.add(name, _column([pair[place] for pair, _ in found.values()]), meaning, "real")
    table.add("reason", [why for _, why in found.values()], "Why there is no value", "text")
    return table


def certainty_table(result: RankingResult) -> FeatureTable:
    """Probability of every rank, best detector first, and of beating the next one; NaN where nothing can be said."""
    table = FeatureTable()
    order: list[str] = []
    estimate, beats, shares = [], [], pd.DataFrame()
    if result.certainty is not None:
        found = result.certainty
        order = [*found.order, *found.estimate.index[found.estimate.isna()]]
        estimate = found.estimate[order].tolist()
        known = np.nan if result.said is None or result.said.reason else 1.0
        shares = found.probabilities.loc[order] * known
        beats = [*(known * found.better.loc[order, order].to_numpy().diagonal(1)), np.nan]
    table.add("detector", order, "Detector, best first", "text")
    table.add("aucr", _column(estimate), "With every annotator and tile once", "real")
    for rank in shares.columns:
        table.add(f"rank_{rank}", _column(list(shares[rank])), f"Share of the draws with rank {rank}", "real")
    table.add("beats_next", _column(beats), "Share of the draws won against the next in this table", "real")
    return table


def _column(values: list[float]) -> Floats:
    return np.array(values, dtype=float)


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
