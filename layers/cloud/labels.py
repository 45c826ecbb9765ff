"""The numbers of the trees in one attribute of a point cloud, whatever type they are stored in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from randcrowns.core.arrays import Ints
from randcrowns.core.errors import InputError
from randcrowns.core.remarks import Remark, note, warning
from randcrowns.layers.cloud.head import CloudAttribute

#: The largest number of a tree.
_LARGEST = int(np.iinfo(np.int64).max)
#: What no tree is called where nothing else is said; an unsigned type cannot hold it.
_USUAL = -1


class LabelReader:
    """The labels of one attribute, filled chunk by chunk; numbers with a fraction are refused.

    An unsigned type cannot hold -1. Where its largest number occurs, and does not just follow the others, that is what
    became of -1. Otherwise 0 is taken for no tree if ``invalid_id`` is -1.

    Attributes, the last two once :meth:`finished` was called:
        attribute: which one.
        remarks: what was odd.
        zeros: number of points that have 0 and belong to no tree for that.
    """

    def __init__(self, path: Path, attribute: CloudAttribute, n_points: int, invalid_id: int) -> None:
        self.attribute = attribute
        self.remarks: list[Remark] = []
        self.zeros = 0
        self._file = path.name
        self._n_points = n_points
        self._invalid_id = invalid_id
        self._missing = 0
        self._largest = 0
        self._below_largest = False
        self._blurred = 0
        self._values: np.ndarray = np.empty(0, dtype=np.int64)

    def take(self, rows: slice, values: Any) -> None:
        """Keep the labels of these points."""
        found = np.asarray(values)
        if not np.issubdtype(found.dtype, np.integer):
            found = self._whole(found)
        if len(self._values) == 0:
            self._values = np.empty(self._n_points, dtype=found.dtype)
        self._values[rows] = found
        if _is_unsigned(found) and self._invalid_id != np.iinfo(found.dtype).max:
            largest = np.iinfo(found.dtype).max
            self._largest += int(np.count_nonzero(found == largest))
            self._below_largest |= bool(self._largest and (self._values[: rows.stop] == largest - 1).any())

    def finished(self) -> np.ndarray:
        """All labels, once every point was taken.

        Raises:
            InputError: for numbers too large to be worked with.
        """
        self._tell_odd_decimals()
        values = self._values
        if not _is_unsigned(values) or len(values) == 0:
            if self._invalid_id == 0:
                self.zeros = int(np.count_nonzero(values == 0)) - self._missing
            return values
        stored_negative = self._largest > 0 and not self._below_largest
        by_itself = self._invalid_id == _USUAL and not stored_negative
        if by_itself or self._invalid_id == 0:
            self.zeros = int(np.count_nonzero(values == 0))
        no_tree = int(np.iinfo(values.dtype).max) if stored_negative else 0
        taken = stored_negative or (by_itself and self.zeros > 0)
        if values.dtype == np.uint64:
            self._refuse_larger(values[values != no_tree] if taken else values)
        if not taken:
            return values
        self._tell_unsigned(no_tree, self._largest if stored_negative else self.zeros)
        signed = values.astype(np.int64)
        signed[values == no_tree] = self._invalid_id
        return signed

    def _refuse_larger(self, values: Ints) -> None:
        highest = int(values.max(initial=np.uint64(0)))
        if highest > _LARGEST:
            raise InputError(
                f"Attribute '{self.attribute.name}' of {self._file} has the number {highest}; numbers of trees can "
                f"be at most {_LARGEST}. Number them from 1 on, or choose another attribute."
            )

    def _tell_unsigned(self, no_tree: int, count: int) -> None:
        why = "which is -1 where numbers cannot be negative" if no_tree else "where numbers cannot be negative"
        rest = f"{{number}} in attribute '{{name}}', {why}; they are taken to belong to no instance."
        self._tell_points("cloud.unsigned", rest, count, number=no_tree)

    def _tell_odd_decimals(self) -> None:
        if self._missing:
            rest = "no number in attribute '{name}'; they belong to no instance ({number})."
            self._tell_points("cloud.no_number", rest, self._missing, number=self._invalid_id)
        if self._blurred:
            self.remarks.append(
                warning(
                    "cloud.blurred",
                    "{file}: trees may have become one, for attribute '{name}' cannot tell {number} from the next "
                    "number; store whole numbers, or number the trees from 1 on.",
                    file=self._file,
                    name=self.attribute.name,
                    number=self._blurred,
                )
            )

    def _tell_points(self, key: str, rest: str, count: int, number: int) -> None:
        one, many = f"{{file}}: 1 point has {rest}", f"{{file}}: {{count:,}} points have {rest}"
        self.remarks.append(
            note(key, many, one=one, file=self._file, name=self.attribute.name, count=count, number=number)
        )

    def _whole(self, values: np.ndarray) -> Ints:
        missing = np.isnan(values)
        self._missing += int(missing.sum())
        numbers = np.where(missing, self._invalid_id, values)
        size = np.abs(numbers)
        wrong = numbers[(numbers != np.floor(numbers)) | (size >= 2.0**63)]
        if len(wrong):
            raise InputError(
                f"Attribute '{self.attribute.name}' of {self._file} must hold the number of an instance, a whole "
                f"number, but it holds {wrong[0]:g}; choose another attribute."
            )
        blurred = size[~missing & (size >= 2.0 ** (np.finfo(values.dtype).nmant + 1))]
        if len(blurred) and not self._blurred:
            self._blurred = int(blurred[0])
        return numbers.astype(np.int64)


def _is_unsigned(values: np.ndarray) -> bool:
    return bool(np.issubdtype(values.dtype, np.unsignedinteger))
