"""The tables of a ranking of detectors as features without geometry."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from randcrowns.core.detectors.certainty import RankProbabilities
from randcrowns.core.detectors.correlations import AgreementCorrelations, DetectorRanking
from randcrowns.core.detectors.crowns import CrownRanking
from randcrowns.core.detectors.ranking import ranking_table
from randcrowns.core.detectors.verdict import Verdict
from randcrowns.layers.vector.tables import FeatureTable

__all__ = [
    "AREAS",
    "CROWNS",
    "RankingResult",
    "certainty_table",
    "correlations_table",
    "curves_table",
    "rankings_table",
    "scores_table",
    "tau_table",
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
    said: Verdict | None
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


def _column(values: list[float]) -> NDArray[np.float64]:
    return np.array(values, dtype=float)
