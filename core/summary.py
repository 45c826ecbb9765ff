"""Global scores: what a table of crown scores says of a whole layer, or of each of its plots."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from randcrowns.core.status import Status

__all__ = ["ALL", "SCORES", "mean_interval", "summarise"]

#: The three scores that always stand together.
SCORES = ("randcrowns", "iou", "iou_crowns")
#: Name of the row that takes all groups together.
ALL = "all"

_RESAMPLES = 2000
_LEVEL = 0.95


def summarise(
    targets: pd.DataFrame,
    delineations: pd.DataFrame,
    *,
    iou_thresholds: Sequence[float] = (0.4, 0.5),
    randcrowns_threshold: float = 0.5,
    seed: int = 0,
) -> pd.DataFrame:
    """One row for everything, then one per group.

    Args:
        targets, delineations: the tables of :func:`randcrowns.core.scoring.score_crowns`.
        iou_thresholds: a crown counts as found from this IoU on.
        randcrowns_threshold: a crown counts as found from this RandCrowns on.
        seed: of the bootstrap.

    Returns:
        ``group``; the counts ``targets``, ``delineations``, ``matched``, ``missed``, ``unmatched_targets``,
        ``unmatched_delineations``, ``too_small``; ``<score>_mean``, ``_sd`` (ddof 1), ``_median``, ``_low`` and
        ``_high`` (95 % bootstrap interval of the mean) of the three scores over the scored targets; and
        ``penalised_mean``, sum(RandCrowns) / (scored targets + unmatched delineations); ``recall_…``,
        ``precision_…`` and ``f1_…`` at each threshold. Recall is the share of targets found, precision the share
        of delineations that find a target.
    """
    rows = [(ALL, targets, delineations)]
    groups = pd.concat([targets["group"], delineations["group"]]).dropna()
    for group in sorted(groups.unique(), key=str):
        rows.append((group, targets[targets["group"] == group], delineations[delineations["group"] == group]))
    return pd.DataFrame(
        [
            {
                "group": group,
                **_counts(some_targets, some_delineations),
                **_scores(some_targets, seed),
                "penalised_mean": _penalised_mean(some_targets, some_delineations),
                **_detection(some_targets, some_delineations, iou_thresholds, randcrowns_threshold),
            }
            for group, some_targets, some_delineations in rows
        ]
    )


def mean_interval(values: NDArray[np.float64], seed: int = 0) -> tuple[float, float]:
    """95 % percentile bootstrap interval of the mean; NaN for fewer than two values.

    The values are sorted first, so that their order does not matter.
    """
    if len(values) < 2:
        return np.nan, np.nan
    ordered = np.sort(values)
    rng = np.random.default_rng(seed)
    at_once = max(1, 1_000_000 // len(ordered))
    means = np.concatenate(
        [
            ordered[rng.integers(len(ordered), size=(min(at_once, _RESAMPLES - done), len(ordered)))].mean(axis=1)
            for done in range(0, _RESAMPLES, at_once)
        ]
    )
    low, high = np.quantile(means, [(1 - _LEVEL) / 2, (1 + _LEVEL) / 2])
    return float(low), float(high)


def _counts(targets: pd.DataFrame, delineations: pd.DataFrame) -> dict[str, int]:
    status = targets["status"]
    too_small = int((status == Status.TARGET_TOO_SMALL).sum())
    unmatched = int((status == Status.UNMATCHED).sum())
    missed = int((status == Status.MISSED).sum())
    return {
        "targets": len(targets),
        "delineations": len(delineations),
        "matched": len(targets) - too_small - unmatched - missed,
        "missed": missed,
        "unmatched_targets": unmatched,
        "unmatched_delineations": int((delineations["status"] == Status.UNMATCHED).sum()),
        "too_small": too_small,
    }


def _scores(targets: pd.DataFrame, seed: int) -> dict[str, float]:
    scored = targets[targets["randcrowns"].notna()]
    found: dict[str, float] = {}
    for name in SCORES:
        values = scored[name].to_numpy(dtype=float)
        found[f"{name}_mean"] = values.mean() if len(values) else np.nan
        found[f"{name}_sd"] = values.std(ddof=1) if len(values) > 1 else np.nan
        found[f"{name}_median"] = float(np.median(values)) if len(values) else np.nan
        found[f"{name}_low"], found[f"{name}_high"] = mean_interval(values, seed)
    return found


def _penalised_mean(targets: pd.DataFrame, delineations: pd.DataFrame) -> float:
    scored = targets["randcrowns"].dropna()
    number = len(scored) + int((delineations["status"] == Status.UNMATCHED).sum())
    return float(scored.sum()) / number if number else np.nan


def _detection(
    targets: pd.DataFrame,
    delineations: pd.DataFrame,
    iou_thresholds: Sequence[float],
    randcrowns_threshold: float,
) -> dict[str, float]:
    found: dict[str, float] = {}
    tests = [("iou", threshold, targets) for threshold in iou_thresholds]
    tests.append(("randcrowns", randcrowns_threshold, targets[targets["randcrowns"].notna()]))
    for score, threshold, searched in tests:
        recall = _share(searched[f"best_{score}"] >= threshold)
        precision = _share(delineations[score].fillna(0) >= threshold)
        name = f"{score}_{threshold:g}"
        found[f"recall_{name}"], found[f"precision_{name}"] = recall, precision
        both = recall + precision
        found[f"f1_{name}"] = 2 * recall * precision / both if both > 0 else (0.0 if both == 0 else np.nan)
    return found


def _share(true: pd.Series[bool]) -> float:
    return float(true.mean()) if len(true) else np.nan
