"""What became of an instance in a matching."""

from __future__ import annotations

from enum import Enum

import numpy as np
from numpy.typing import NDArray

from randcrowns.core.matching import NONE, Matching

__all__ = ["MatchStatus", "prediction_status", "target_status"]


class MatchStatus(str, Enum):
    """Of a target or a prediction."""

    #: Matched: a target that was found, a prediction that found one.
    TRUE_POSITIVE = "true_positive"
    #: A target that was not found.
    FALSE_NEGATIVE = "false_negative"
    #: A prediction that found nothing.
    FALSE_POSITIVE = "false_positive"
    #: A prediction that found nothing, where that had better not count.
    UNCERTAIN = "uncertain"
    #: A feature without a usable outline.
    NO_GEOMETRY = "no_geometry"


def target_status(matching: Matching) -> NDArray[np.object_]:
    """(T,) status of each target, as text."""
    return _chosen(matching.prediction != NONE, MatchStatus.FALSE_NEGATIVE)


def prediction_status(matching: Matching, uncertain: NDArray[np.bool_] | None = None) -> NDArray[np.object_]:
    """(P,) status of each prediction, as text; ``uncertain`` marks those that are no mistake when unmatched."""
    matched = matching.target != NONE
    status = _chosen(matched, MatchStatus.FALSE_POSITIVE)
    if uncertain is not None:
        status[uncertain & ~matched] = MatchStatus.UNCERTAIN.value
    return status


def _chosen(matched: NDArray[np.bool_], otherwise: MatchStatus) -> NDArray[np.object_]:
    status = np.full(len(matched), otherwise.value, dtype=object)
    status[matched] = MatchStatus.TRUE_POSITIVE.value
    return status
