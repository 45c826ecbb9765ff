"""Rows of the tables of a ranking of detectors, by area and by whole crowns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import numpy as np
import pandas as pd

from randcrowns.core.detectors.bootstrap import BootstrapRanking
from randcrowns.core.detectors.crown_ranking import CrownRanking
from randcrowns.core.detectors.ranking import DetectorRanking
from randcrowns.core.messages import Message, Translate, format_english

#: Value of the column ``counted`` for results by area.
AREAS = "areas"
#: Value of the column ``measure`` for results by area: area under the P̄-recall curve.
_AREA_MEASURE = "AUCR"
#: Value of the column ``counted`` for results by whole crowns.
CROWNS = "crowns"
#: Value of the column ``measure`` for average precision from all points of the curve.
AP_ALL_POINTS = "AP, all points"
#: Value of the column ``counted`` for results by whole crowns, as a mean over classes (mAP).
CLASSES = "classes"


def area_rows(
    ranking: DetectorRanking, image: str, translate: Translate = format_english
) -> list[dict[str, Any]]:
    """Return a row per ground truth and detector of a ranking by area.

    Args:
        ranking: the ranking.
        image: name of the image or plot.
        translate: language of the reasons.
    """
    rows = []
    for truth in ranking.aucr.columns:
        for detector in ranking.aucr.index:
            value_and_rank = _value_and_rank(ranking.aucr, ranking, detector, truth, translate)
            row = {
                "counted": AREAS,
                "measure": _AREA_MEASURE,
                "detector": detector,
                "truth": truth,
                "image": image,
                **value_and_rank,
                "skew": ranking.skew[truth],
            }
            rows.append(row)
    return rows


def missing_truth_rows(
    reasons: Mapping[str, Message],
    ranking: DetectorRanking,
    image: str,
    translate: Translate = format_english,
) -> list[dict[str, Any]]:
    """Return the rows of ground truths that could not be made: a row per detector, with the reason.

    They have no value and no rank, and are listed with the rows of :func:`area_rows`.

    Args:
        reasons: reason by name of the ground truth.
        ranking: ranking by area under the other ground truths.
        image: name of the image or plot.
        translate: language of the reasons.

    Returns:
        Rows with the keys ``counted``, ``measure``, ``detector``, ``truth``, ``image`` and
        ``reason``, ground truth by ground truth.
    """
    rows = []
    for truth, reason in reasons.items():
        sentence = reason.sentence(translate)
        for detector in ranking.aucr.index:
            row = {
                "counted": AREAS,
                "measure": _AREA_MEASURE,
                "detector": detector,
                "truth": truth,
                "image": image,
                "reason": sentence,
            }
            rows.append(row)
    return rows


def crown_rows(
    ranking: CrownRanking, translate: Translate = format_english
) -> list[dict[str, Any]]:
    """Return a row per detector and annotator of a ranking by whole crowns.

    Args:
        ranking: the ranking.
        translate: language of the reasons.
    """
    rows = []
    for counts in ranking.counts.to_dict("records"):
        detector = counts["detector"]
        truth = counts["truth"]
        value_and_rank = _value_and_rank(
            ranking.average_precision, ranking, detector, truth, translate
        )
        row = {
            "counted": CROWNS,
            "measure": AP_ALL_POINTS,
            "detector": detector,
            "truth": truth,
            **value_and_rank,
            "crowns": counts["targets"],
            "detections": counts["detections"],
            "not_judged": counts["excluded"],
            "crown_recall": counts["recall"],
            "crown_recall_iou": counts["iou_recall"],
        }
        rows.append(row)
    return rows


def _value_and_rank(
    values: pd.DataFrame,
    ranking: DetectorRanking | CrownRanking,
    detector: str,
    truth: str,
    translate: Translate,
) -> dict[str, float | str]:
    """Return ``value``, ``rank`` and, if there is no value, ``reason`` of a detector.

    Args:
        values: values by detector (rows) and ground truth (columns).
        ranking: ranking with the ranks and the reasons.
        detector: name of the detector.
        truth: name of the ground truth.
        translate: language of the reason.
    """
    value = float(values[truth][detector])
    reason_text = ""
    if np.isnan(value):
        reason = ranking.reasons.get(detector) or ranking.reasons.get(truth)
        if reason is not None:
            reason_text = reason.sentence(translate)
    return {"value": value, "rank": ranking.ranks[truth][detector], "reason": reason_text}


def certainty_rows(counted: str, ranks: BootstrapRanking) -> pd.DataFrame:
    """Return a row per detector, the best first, with its share at every rank.

    Args:
        counted: :data:`AREAS`, :data:`CROWNS` or :data:`CLASSES`.
        ranks: bootstrap samples of the ranking.

    Returns:
        The columns ``counted``, ``detector``, ``value``, ``rank_1``, ``rank_2``, …; detectors
        without a value come last.

    >>> estimate = pd.Series({"a": 0.5, "b": 0.6})
    >>> resamples = pd.DataFrame({"a": [0.5, 0.6], "b": [0.7, 0.5]})
    >>> ranks = BootstrapRanking(estimate, resamples, np.ones((2, 1)), n_tiles=9)
    >>> certainty_rows(AREAS, ranks)[["detector", "rank_1"]].to_numpy().tolist()
    [['b', 0.5], ['a', 0.5]]
    """
    without_value = ranks.estimate.index[ranks.estimate.isna()]
    detectors = [*ranks.order, *without_value]
    shares = ranks.rank_shares.loc[detectors]
    rows = shares.add_prefix("rank_").reset_index(drop=True)
    rows.insert(0, "counted", counted)
    rows.insert(1, "detector", detectors)
    rows.insert(2, "value", ranks.estimate[detectors].to_numpy())
    return cast("pd.DataFrame", rows)
