"""Arrays of plain numbers from whatever a caller gives."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from randcrowns.core.errors import InputError

__all__ = ["plain_array", "plain_numbers"]


def plain_array(values: ArrayLike, name: str) -> NDArray[Any]:
    """The values as an array, any shape and kind; what is masked is uncovered.

    Raises:
        InputError: when rows differ in length.
    """
    try:
        return np.asarray(values)
    except ValueError as error:
        raise InputError(f"{name} has rows of unlike length: give one number per unit.") from error


def plain_numbers(values: ArrayLike, name: str) -> NDArray[Any]:
    """The values as an array of booleans, whole numbers or floats, any shape; what is masked is uncovered.

    Raises:
        InputError: when they are something else (texts, None, complex numbers), or rows differ in length.
    """
    found = plain_array(values, name)
    if found.dtype.kind not in "buif":
        raise InputError(f"{name} holds {found.dtype} values where plain numbers are needed: pick a numeric field.")
    return found
