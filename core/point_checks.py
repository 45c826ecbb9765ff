"""Checks of what is given to :mod:`randcrowns.core.point_cloud`."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from randcrowns.core.errors import InputError

__all__ = ["check_known", "check_uncertain", "checked_matches", "real_number", "whole_number"]

Ints = NDArray[np.int64]


def whole_number(value: Any, name: str) -> int:
    """The value as a number of Python.

    Raises:
        InputError: naming it, unless it is an integer of 64 bits.
    """
    try:
        number = operator.index(value)
    except TypeError:
        raise InputError(f"{name} must be a whole number, not {value!r}.") from None
    if not -(2**63) <= number < 2**63:
        raise InputError(f"{name} must be a whole number of 64 bits, not {value}.")
    return number


def real_number(value: float, name: str) -> float:
    """The value as a number of Python; InputError, naming it, for anything else and NaN."""
    if not isinstance(value, (int, float, np.integer, np.floating)) or np.isnan(value):
        raise InputError(f"{name} must be a number, not {value!r}.")
    return float(value)


def check_uncertain(uncertain_id: int, invalid_id: int) -> None:
    """Raise InputError for an id of uncertain predictions above that of points without an instance."""
    if whole_number(uncertain_id, "uncertain_instance_id") > invalid_id:
        raise InputError(
            f"The id of uncertain predictions ({uncertain_id}) must not be above the id of points without an instance "
            f"({invalid_id})."
        )


def checked_matches(matches: ArrayLike, number: int, name: str, side: str) -> Ints:
    """The ids of matches; InputError unless there is a whole number per instance of that side."""
    ids = np.asarray(matches)
    if ids.shape != (number,):
        raise InputError(f"{name} must have one id per {side} instance ({number}); it has {ids.size}.")
    if number and not np.issubdtype(ids.dtype, np.integer):
        raise InputError(f"{name} must be whole numbers, not {ids.dtype}.")
    return ids.astype(np.int64)


def check_known(matches: Ints, ids: Ints, no_match: tuple[int, int], side: str, of: str) -> None:
    """Raise InputError for a match that is neither an instance nor stands for none."""
    unknown = matches[~np.isin(matches, ids) & ~np.isin(matches, no_match)]
    if len(unknown):
        raise InputError(f"There is no {side} instance {unknown[0]}, but {of} is matched with it.")
