"""Yes and no decisions of up to 64 annotators packed into one integer per unit, and counted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from randcrowns.core.arrays import Bools, Ints
from randcrowns.core.errors import InputError

MOST_ANNOTATORS = 64

# Up to this many annotators every possible pattern has a counter.
_COUNTED_BITS = 16
# Units worked on at a time: what is in hand stays in the processor's cache.
_CHUNK = 1 << 16


@dataclass(frozen=True, eq=False)
class Packed:
    """Distinct patterns of a stack.

    Attributes:
        n_annotators: K.
        codes: (M,) uint64, ascending; bit k is annotator k's decision.
        counts: (M,) int64 number of units.
        index: place in ``codes`` of each unit, in the units' shape; M where a unit is excluded.
    """

    n_annotators: int
    codes: Ints
    counts: Ints
    index: Ints


def pack(stack: ArrayLike, mask: ArrayLike | None, *, with_index: bool) -> Packed:
    """Pack and count a stack of decisions.

    Args:
        stack: K x anything, or K arrays of one shape; bool, or integers where anything but 0 is a yes.
        mask: units to exclude (True); so are those masked in any layer of a masked array.
        with_index: whether to keep the pattern of each unit; the index is empty otherwise.

    Raises:
        InputError: for no annotators or more than 64, different shapes, or values that are not decisions.
    """
    layers = _decision_layers(stack)
    shape = layers[0].shape
    excluded = None
    if mask is not None:
        given = np.asarray(mask)
        if given.dtype != bool:
            raise InputError(f"The mask must be True or False at every unit (True excludes it), not {given.dtype}.")
        if given.shape != shape:
            raise InputError(f"The mask has the shape {given.shape}, the decisions {shape}.")
        excluded = given.ravel()
    for layer in stack:  # type: ignore[union-attr]
        if np.ma.is_masked(layer):
            masked = np.ma.getmaskarray(layer).ravel()
            excluded = masked if excluded is None else excluded | masked
    units = _packed_units([layer.ravel() for layer in layers])
    counted = _counted_by_table if len(layers) <= _COUNTED_BITS else _counted_by_hash
    codes, counts, index = counted(units, len(layers), excluded, with_index)
    return Packed(len(layers), codes.astype(np.uint64), counts, index.reshape(shape) if with_index else index)


def unpack(codes: Ints, n_annotators: int) -> Bools:
    """(M, K) decisions of packed patterns."""
    bits = np.arange(n_annotators, dtype=np.uint64)
    return (codes.astype(np.uint64)[:, None] >> bits) & np.uint64(1) != 0


def known_rows(patterns: Bools, stack: ArrayLike, mask: ArrayLike | None) -> Ints:
    """The row of (M, K) patterns that each unit of a stack has; M where it is excluded or its pattern is not there."""
    packed = pack(stack, mask, with_index=True)
    own = pack(patterns.T, None, with_index=True)
    if packed.n_annotators != own.n_annotators:
        raise InputError(f"The stack has {packed.n_annotators} annotators, the table {own.n_annotators}.")
    row_of_code = np.empty(len(own.codes), dtype=np.int64)
    row_of_code[own.index] = np.arange(len(patterns))
    place = np.minimum(np.searchsorted(own.codes, packed.codes), max(len(own.codes) - 1, 0))
    known = own.codes[place] == packed.codes if len(own.codes) else np.zeros(len(packed.codes), dtype=bool)
    outside = len(patterns)
    lookup = np.full(len(packed.codes) + 1, outside)
    lookup[:-1][known] = row_of_code[place[known]]
    return lookup.astype(np.min_scalar_type(outside))[packed.index]


def check_pixel(area: float) -> None:
    """Refuse a pixel without an area.

    Raises:
        InputError: saying what it is.
    """
    if not 0 < area < np.inf:
        raise InputError(f"The area of a pixel must be a number above 0, not {area:g}.")


def _decision_layers(stack: ArrayLike) -> list[np.ndarray]:
    layers = [np.asarray(layer) for layer in stack]  # type: ignore[union-attr]
    if not 0 < len(layers) <= MOST_ANNOTATORS:
        raise InputError(f"Between 1 and {MOST_ANNOTATORS} annotators can be compared, not {len(layers)}.")
    for k, layer in enumerate(layers):
        if layer.shape != layers[0].shape:
            raise InputError(f"Annotator {k + 1} has the shape {layer.shape}, annotator 1 has {layers[0].shape}.")
        if layer.dtype.kind in "iu":
            layers[k] = layer != 0
        elif layer.dtype != bool:
            raise InputError(
                f"Annotator {k + 1}: decisions must be yes or no (bool, or integers), not {layer.dtype}. "
                "Compare probabilities with a threshold first, and give missing pixels in the mask."
            )
    return layers


def _packed_units(layers: list[Bools]) -> Ints:
    """(N,) packed decisions in the smallest unsigned integers of K bits."""
    dtype = np.dtype(next(f"u{size}" for size in (1, 2, 4, 8) if 8 * size >= len(layers)))
    units = np.zeros(len(layers[0]), dtype=dtype)
    shifted = np.empty(min(_CHUNK, len(units)), dtype=dtype)
    for start in range(0, len(units), _CHUNK):
        part = units[start : start + _CHUNK]
        for k, layer in enumerate(layers):
            decision = layer[start : start + _CHUNK].view(np.uint8)
            bit = np.left_shift(decision, dtype.type(k), out=shifted[: len(part)], dtype=dtype)
            part |= bit
    return units


def _counted_by_table(
    units: Ints, n_annotators: int, excluded: Bools | None, with_index: bool
) -> tuple[np.ndarray, Ints, Ints]:
    counts = np.zeros(1 << n_annotators, dtype=np.int64)
    for start in range(0, len(units), _CHUNK):
        part = units[start : start + _CHUNK]
        if excluded is not None:
            part = part[~excluded[start : start + _CHUNK]]
        counts += np.bincount(part, minlength=len(counts))
    codes = np.flatnonzero(counts)
    if not with_index:
        return codes, counts[codes], units[:0]
    place = np.zeros(len(counts), dtype=_index_type(len(codes), excluded))
    place[codes] = np.arange(len(codes))
    index = place[units]
    if excluded is not None:
        index[excluded] = len(codes)
    return codes, counts[codes], index


def _counted_by_hash(
    units: Ints, n_annotators: int, excluded: Bools | None, with_index: bool
) -> tuple[np.ndarray, Ints, Ints]:
    kept = units if excluded is None else units[~excluded]
    place, found = pd.factorize(kept)
    order = np.argsort(found)
    codes, counts = found[order], np.bincount(place, minlength=len(found))[order]
    if not with_index:
        return codes, counts, units[:0]
    rank = np.empty(len(found), dtype=_index_type(len(found), excluded))
    rank[order] = np.arange(len(found))
    if excluded is None:
        return codes, counts, rank[place]
    index = np.full(len(units), len(codes), dtype=rank.dtype)
    index[~excluded] = rank[place]
    return codes, counts, index


def _index_type(n_patterns: int, excluded: Bools | None) -> np.dtype[Any]:
    """Smallest unsigned integers for the patterns' places, and for one more where units are excluded."""
    largest = n_patterns - (excluded is None)
    return np.min_scalar_type(max(largest, 0))
