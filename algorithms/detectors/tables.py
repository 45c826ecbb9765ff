"""The tables of a ranking of detectors as features without geometry."""

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

#: What was counted, in the column ``counted``.
AREAS, CROWNS = "areas", "crowns"


class RankingResult(NamedTuple):
    """What a run found; None for what was not asked for or not possible."""

    areas: DetectorRanking | None = None
    crowns: CrownRanking | None = None
    #: Of each detector, and why it has none.
    correlations: Mapping[str, AgreementCorrelations] = MappingProxyType({})
    certainty: RankProbabilities | None = None
    said: RankVerdict | None = None
    truths: GroundTruths | None = None
    remarks: Sequence[Remark] = ()
    crown_certainty: RankProbabilities | None = None
    crowns_said: RankVerdict | None = None
    coco: CocoRanking | None = None
    #: Their names.
    annotators: Sequence[str] = ()
    #: Of several images, by area.
    by_image: Mapping[str, DetectorRanking] = MappingProxyType({})


def ranking_tables(result: RankingResult) -> dict[Output, FeatureTable]:
    """The tables by output, all without geometry."""
    coco = result.coco  # None where whole crowns were not judged
    return {
        outputs.AUCR: _scores_table(result),
        outputs.CURVES: _curves_table(result),
        outputs.RANKINGS: _rankings_table(result),
        outputs.TAU: _tau_table(result),
        outputs.CORRELATIONS: _correlations_table(result),
        outputs.CERTAINTY_TABLE: _certainty_table(result),
        outputs.COCO: outputs.COCO.table(
            pd.DataFrame(columns=outputs.COCO.names) if coco is None else coco.metrics
        ),
        outputs.THRESHOLDS: outputs.THRESHOLDS.table(
            pd.DataFrame(columns=outputs.THRESHOLDS.names) if coco is None else coco.thresholds
        ),
    }


def _scores_table(result: RankingResult) -> FeatureTable:
    """A row per detector and ground truth: AUCR or average precision, rank, skew, and why there is no value."""
    rows: list[dict[str, Any]] = []
    if result.areas is not None:
        found = result.areas
        everywhere = tr("all images") if result.by_image else ""
        rows += _area_rows(found, everywhere)
        for truth, reason in ({} if result.truths is None else result.truths.reasons).items():
            row = {
                "counted": AREAS,
                "measure": "AUCR",
                "truth": truth,
                "reason": _words(reason),
                "image": everywhere,
            }
            rows += [{**row, "detector": detector} for detector in found.aucr.index]
    if result.crowns is not None:
        by_crowns = result.crowns
        for _, count in by_crowns.counts.iterrows():
            detector, truth = count["detector"], count["truth"]
            row = {"counted": CROWNS, "measure": "AP", "detector": detector, "truth": truth}
            numbers = {
                "crowns": count["targets"],
                "detections": count["detections"],
                "not_judged": count["excluded"],
            }
            numbers["crown_recall"] = count["recall"]
            rows.append(
                {
                    **row,
                    **_value(by_crowns.average_precision, by_crowns, detector, truth),
                    **numbers,
                }
            )
    for image, of_image in result.by_image.items():
        rows += _area_rows(of_image, image)
    frame = pd.DataFrame(rows, columns=outputs.AUCR.names)
    return outputs.AUCR.table(frame if result.by_image else frame.drop(columns="image"))


def _area_rows(found: DetectorRanking, image: str) -> list[dict[str, Any]]:
    return [
        {
            **{
                "counted": AREAS,
                "measure": "AUCR",
                "detector": detector,
                "truth": truth,
                "image": image,
            },
            **_value(found.aucr, found, detector, truth),
            "skew": found.skew[truth],
        }
        for truth in found.aucr.columns
        for detector in found.aucr.index
    ]


def _value(
    values: pd.DataFrame, ranking: DetectorRanking | CrownRanking, detector: str, truth: str
) -> dict[str, float | str]:
    """The value of a detector under a ground truth with its rank, or why there is none."""
    value, why = float(values[truth][detector]), ranking.reasons
    reason = why.get(detector) or why.get(truth) if np.isnan(value) else None
    return {"value": value, "rank": ranking.ranks[truth][detector], "reason": _words(reason)}


def _words(reason: Remark | None) -> str:
    return "" if reason is None else reason.sentence(tr)


def _curves_table(result: RankingResult) -> FeatureTable:
    """Every curve: areas at recalls 0, 0.01, … 1; crowns at every score of the detector."""
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
    """The distinct rankings side by side, as in the source's Table IV, areas before crowns."""
    parts = []
    for counted, found in ((AREAS, result.areas), (CROWNS, result.crowns)):
        if found is not None and found.rankings:
            part = ranking_table(found.rankings).reset_index()
            part.columns = [
                "position",
                *(f"ranking_{number}" for number in range(1, part.shape[1])),
            ]
            parts.append(part.assign(counted=counted))
    return outputs.RANKINGS.table(
        pd.concat(parts, ignore_index=True)
        if parts
        else pd.DataFrame(columns=["counted", "position"])
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
    return outputs.TAU.table(pd.DataFrame(rows, columns=outputs.TAU.names))


def _correlations_table(result: RankingResult) -> FeatureTable:
    """CCO, CCI and their difference per detector, and why there is none."""
    rows = [
        (name, *found[:3], *found.cco_interval, *found.cci_interval, _words(found.reason))
        for name, found in result.correlations.items()
    ]
    return outputs.CORRELATIONS.table(pd.DataFrame(rows, columns=outputs.CORRELATIONS.names))


def _certainty_table(result: RankingResult) -> FeatureTable:
    """Probability of every rank, best detector first, and of beating the next one; NaN where nothing can be said."""
    parts = [pd.DataFrame(columns=["counted", "detector", "value", "beats_next"])]
    both = (
        (AREAS, result.certainty, result.said),
        (CROWNS, result.crown_certainty, result.crowns_said),
    )
    for counted, found, said in both:
        if found is not None:
            order = [*found.order, *found.estimate.index[found.estimate.isna()]]
            known = np.nan if said is None or said.reason is not None else 1.0
            beats = [*(known * found.better.loc[order, order].to_numpy().diagonal(1)), np.nan]
            shares = (found.probabilities.loc[order] * known).add_prefix("rank_")
            values = {"detector": order, "value": found.estimate[order], "beats_next": beats}
            parts.append(shares.assign(counted=counted, **values))
    return outputs.CERTAINTY_TABLE.table(pd.concat(parts[1:] or parts, ignore_index=True))
