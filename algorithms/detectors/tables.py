"""Results of a ranking of detectors, and their tables without geometry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from randcrowns.algorithms.detectors import outputs
from randcrowns.algorithms.output import Output
from randcrowns.core.agreement.consensus import GroundTruths
from randcrowns.core.detectors.certainty import RankProbabilities
from randcrowns.core.detectors.coco import CocoRanking
from randcrowns.core.detectors.correlations import AgreementCorrelations
from randcrowns.core.detectors.crowns import CrownRanking
from randcrowns.core.detectors.ranking import DetectorRanking, ranking_table
from randcrowns.core.detectors.verdict import RankVerdict
from randcrowns.core.remarks import Remark
from randcrowns.layers.vector.tables import FeatureTable
from randcrowns.layers.words import tr

#: Value of the column ``counted`` for results by area.
AREAS = "areas"
#: Value of the column ``counted`` for results by whole crowns.
CROWNS = "crowns"


class RankingResult(NamedTuple):
    """Results of a run; None or empty for what was not requested or is not possible."""

    areas: DetectorRanking | None = None  #: ranking by area.
    crowns: CrownRanking | None = None  #: ranking by whole crowns.
    #: Correlations with the number of annotators by detector, or the reason why there are none.
    correlations: Mapping[str, AgreementCorrelations] = MappingProxyType({})
    certainty: RankProbabilities | None = None  #: bootstrap samples of the ranking by area.
    said: RankVerdict | None = None  #: conclusion about the ranking by area.
    truths: GroundTruths | None = None  #: ground truths, for areas.
    remarks: Sequence[Remark] = ()  #: messages about the results.
    crown_certainty: RankProbabilities | None = None  #: bootstrap samples of whole crowns.
    crowns_said: RankVerdict | None = None  #: conclusion about the ranking by whole crowns.
    coco: CocoRanking | None = None  #: COCO's metrics of whole crowns.
    annotators: Sequence[str] = ()  #: names of the annotators.
    #: Ranking by area on each of several images, by the image's name.
    by_image: Mapping[str, DetectorRanking] = MappingProxyType({})

    def rankings(self) -> list[tuple[str, DetectorRanking | CrownRanking]]:
        """Return the rankings that exist, with the value of the column ``counted``."""
        rankings: list[tuple[str, DetectorRanking | CrownRanking | None]] = [
            (AREAS, self.areas),
            (CROWNS, self.crowns),
        ]
        return [(counted, ranking) for counted, ranking in rankings if ranking is not None]


def ranking_tables(result: RankingResult) -> dict[Output, FeatureTable]:
    """Return the tables of a ranking by output; tables of missing results have no rows."""
    coco_metrics = pd.DataFrame(columns=outputs.COCO.names)
    thresholds = pd.DataFrame(columns=outputs.THRESHOLDS.names)
    if result.coco is not None:
        coco_metrics = result.coco.metrics
        thresholds = result.coco.thresholds
    return {
        outputs.AUCR: _scores_table(result),
        outputs.CURVES: _curves_table(result),
        outputs.RANKINGS: _rankings_table(result),
        outputs.TAU: _tau_table(result),
        outputs.CORRELATIONS: _correlations_table(result),
        outputs.CERTAINTY_TABLE: _certainty_table(result),
        outputs.COCO: outputs.COCO.table(coco_metrics),
        outputs.THRESHOLDS: outputs.THRESHOLDS.table(thresholds),
    }


def _scores_table(result: RankingResult) -> FeatureTable:
    """Return a row per detector and ground truth, with value and rank, or why there are none.

    The rows of all images together come first, then those of whole crowns and of each image.
    """
    rows: list[dict[str, Any]] = []
    if result.areas is not None:
        image = tr("all images") if result.by_image else ""
        rows += _area_rows(result.areas, image)
        rows += _missing_truth_rows(result, result.areas, image)
    if result.crowns is not None:
        rows += _crown_rows(result.crowns)
    for image, ranking in result.by_image.items():
        rows += _area_rows(ranking, image)
    frame = pd.DataFrame(rows, columns=outputs.AUCR.names)
    return outputs.AUCR.table(frame if result.by_image else frame.drop(columns="image"))


def _area_rows(ranking: DetectorRanking, image: str) -> list[dict[str, Any]]:
    """Return a row per ground truth and detector of a ranking by area.

    Args:
        ranking: the ranking.
        image: name of the image.
    """
    return [
        {
            "counted": AREAS,
            "measure": "AUCR",
            "detector": detector,
            "truth": truth,
            "image": image,
            **_value_and_rank(ranking.aucr, ranking, detector, truth),
            "skew": ranking.skew[truth],
        }
        for truth in ranking.aucr.columns
        for detector in ranking.aucr.index
    ]


def _missing_truth_rows(
    result: RankingResult, ranking: DetectorRanking, image: str
) -> list[dict[str, Any]]:
    """Return a row per detector and ground truth that could not be made, with the reason."""
    if result.truths is None:
        return []
    return [
        {
            "counted": AREAS,
            "measure": "AUCR",
            "detector": detector,
            "truth": truth,
            "image": image,
            "reason": _reason_text(reason),
        }
        for truth, reason in result.truths.reasons.items()
        for detector in ranking.aucr.index
    ]


def _crown_rows(ranking: CrownRanking) -> list[dict[str, Any]]:
    """Return a row per detector and annotator of a ranking by whole crowns."""
    rows = []
    for _, counts in ranking.counts.iterrows():
        detector = counts["detector"]
        truth = counts["truth"]
        rows.append(
            {
                "counted": CROWNS,
                "measure": "AP",
                "detector": detector,
                "truth": truth,
                **_value_and_rank(ranking.average_precision, ranking, detector, truth),
                "crowns": counts["targets"],
                "detections": counts["detections"],
                "not_judged": counts["excluded"],
                "crown_recall": counts["recall"],
            }
        )
    return rows


def _value_and_rank(
    values: pd.DataFrame, ranking: DetectorRanking | CrownRanking, detector: str, truth: str
) -> dict[str, float | str]:
    """Return ``value``, ``rank`` and, if there is no value, ``reason`` of a detector.

    Args:
        values: values by detector (rows) and ground truth (columns).
        ranking: ranking with the ranks and the reasons.
        detector: name of the detector.
        truth: name of the ground truth.
    """
    value = float(values[truth][detector])
    reason = None
    if np.isnan(value):
        reason = ranking.reasons.get(detector) or ranking.reasons.get(truth)
    return {"value": value, "rank": ranking.ranks[truth][detector], "reason": _reason_text(reason)}


def _reason_text(reason: Remark | None) -> str:
    """Return the translated sentence of a reason, or ""."""
    return "" if reason is None else reason.sentence(tr)


def _curves_table(result: RankingResult) -> FeatureTable:
    """Return the points of all curves.

    Curves of areas have points at recalls 0, 0.01, … 1, curves of crowns at each score.
    """
    parts = []
    if result.areas is not None:
        parts.append(result.areas.curves.assign(counted=AREAS, threshold=np.nan))
    if result.crowns is not None:
        parts.append(
            result.crowns.curves.assign(counted=CROWNS, p_bar=np.nan, false_positive_rate=np.nan)
        )
    return outputs.CURVES.table(
        pd.concat([part[outputs.CURVES.names] for part in parts], ignore_index=True)
    )


def _rankings_table(result: RankingResult) -> FeatureTable:
    """Return the distinct rankings side by side (Lampert et al. 2016, Table IV), areas first."""
    parts = []
    for counted, ranking in result.rankings():
        if ranking.rankings:
            part = ranking_table(ranking.rankings).reset_index()
            n_rankings = part.shape[1] - 1
            part.columns = ["position", *(f"ranking_{k}" for k in range(1, n_rankings + 1))]
            parts.append(part.assign(counted=counted))
    if not parts:
        return outputs.RANKINGS.table(pd.DataFrame(columns=["counted", "position"]))
    return outputs.RANKINGS.table(pd.concat(parts, ignore_index=True))


def _tau_table(result: RankingResult) -> FeatureTable:
    """Return Kendall's tau of the rankings under every two ground truths, a row per pair."""
    rows: list[tuple[str, str, str, float]] = []
    for counted, ranking in result.rankings():
        tau = ranking.kendall_tau
        first, second = np.triu_indices(len(tau), k=1)
        names = tau.columns.to_numpy(dtype=object)
        pairs = zip(names[first], names[second], tau.to_numpy()[first, second])
        rows += [(counted, truth_1, truth_2, value) for truth_1, truth_2, value in pairs]
    return outputs.TAU.table(pd.DataFrame(rows, columns=outputs.TAU.names))


def _correlations_table(result: RankingResult) -> FeatureTable:
    """Return a row per detector with CCO, CCI, their difference and intervals, or the reason."""
    rows = [
        (
            detector,
            *correlations[:3],
            *correlations.cco_interval,
            *correlations.cci_interval,
            _reason_text(correlations.reason),
        )
        for detector, correlations in result.correlations.items()
    ]
    return outputs.CORRELATIONS.table(pd.DataFrame(rows, columns=outputs.CORRELATIONS.names))


def _certainty_table(result: RankingResult) -> FeatureTable:
    """Return a row per detector, the best first, with the probability of every rank.

    Probabilities are NaN if no conclusion is possible.
    """
    parts = []
    if result.certainty is not None:
        parts.append(_certainty_rows(AREAS, result.certainty, result.said))
    if result.crown_certainty is not None:
        parts.append(_certainty_rows(CROWNS, result.crown_certainty, result.crowns_said))
    if not parts:
        parts.append(pd.DataFrame(columns=["counted", "detector", "value", "beats_next"]))
    return outputs.CERTAINTY_TABLE.table(pd.concat(parts, ignore_index=True))


def _certainty_rows(
    counted: str, ranks: RankProbabilities, conclusion: RankVerdict | None
) -> pd.DataFrame:
    """Return the rows of one ranking in the table of certainty.

    Args:
        counted: :data:`AREAS` or :data:`CROWNS`.
        ranks: bootstrap samples of the ranking.
        conclusion: conclusion about the ranking; None if there is none.

    Returns:
        A row per detector: ``rank_1``, ``rank_2``, …, ``counted``, ``detector``, ``value`` and
        ``beats_next``. Detectors without a value come last.
    """
    detectors = [*ranks.order, *ranks.estimate.index[ranks.estimate.isna()]]
    rank_shares = ranks.probabilities.loc[detectors]
    beats_next = ranks.better.loc[detectors, detectors].to_numpy().diagonal(1)
    if conclusion is None or conclusion.reason is not None:
        rank_shares = pd.DataFrame(np.nan, rank_shares.index, rank_shares.columns)
        beats_next = np.full(len(beats_next), np.nan)
    return rank_shares.add_prefix("rank_").assign(
        counted=counted,
        detector=detectors,
        value=ranks.estimate[detectors],
        beats_next=[*beats_next, np.nan],
    )
