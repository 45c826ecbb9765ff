"""Inputs and rules of the matching methods, for tests that run all of them."""

from __future__ import annotations

import numpy as np

from randcrowns.core.instances.matching import MatchingMethod
from randcrowns.core.instances.matching_inputs import MatchingInputs
from randcrowns.core.instances.overlap import OverlapTable

#: Positions of the methods among the options of the algorithms.
METHOD_POSITIONS = range(len(MatchingMethod))


def inputs_of(table: OverlapTable) -> MatchingInputs:
    """Return everything that a method may require; the targets are equally tall."""
    return MatchingInputs(heights=np.ones(len(table.target_size)))


def is_match(method: MatchingMethod, iou: float) -> bool:
    """Return True if a method without competition matches a pair of an IoU that is not rounded."""
    definition = method.definition
    return iou > definition.threshold if definition.is_exclusive else iou >= definition.threshold
