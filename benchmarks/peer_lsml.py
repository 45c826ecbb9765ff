"""LSML as a direct numpy implementation of the paper, as a peer: every round updates the image."""

from __future__ import annotations

import numpy as np
from scipy.ndimage import distance_transform_edt

from randcrowns.core.arrays import Floats

__all__ = ["whole_image_level_set"]

#: Keeps logarithms and divisions finite.
_EPS = np.finfo(float).eps


def whole_image_level_set(stack: np.ndarray, rounds: int) -> Floats:
    """Return the level function after a number of rounds.

    Args:
        stack: (K, rows, columns) decisions of K annotators.
        rounds: number of rounds.

    Returns:
        (rows, columns) level function, at most 0 inside the consensus.
    """
    inside = 2 * stack.sum(axis=0) >= len(stack)
    phi = distance_transform_edt(~inside) - distance_transform_edt(inside) + inside - 0.5

    # Pixels with the same decisions share a pattern.
    bits = (1 << np.arange(len(stack)))[:, None]
    codes, pattern = np.unique(
        (stack.reshape(len(stack), -1) * bits).sum(axis=0), return_inverse=True
    )
    decisions = (codes[:, None] >> np.arange(len(stack))) & 1 == 1
    total = np.bincount(pattern.ravel(), minlength=len(codes))
    pattern = pattern.reshape(phi.shape)

    for _ in range(rounds):
        count = np.bincount(pattern[phi <= 0], minlength=len(codes))
        sensitivity = count @ decisions / count.sum()
        specificity = (total - count) @ ~decisions / (total - count).sum()
        if_false = np.where(decisions, 1 - specificity, specificity).prod(axis=1)
        if_true = np.where(decisions, sensitivity, 1 - sensitivity).prod(axis=1)
        band = np.abs(phi) <= 1.2
        force = (np.log(if_false + _EPS) - np.log(if_true + _EPS))[pattern[band]]
        velocity = force / np.abs(force).max()
        phi[band] += velocity * (0.5 / (velocity.max() + _EPS))
        phi = _redistance(phi)
    return phi


def _redistance(phi: Floats) -> Floats:
    """Return the level function one step closer to a signed distance, by upwind differences."""
    padded = np.pad(phi, 1, mode="edge")
    sign = np.sign(phi)
    squared_gradient = np.zeros(phi.shape)
    for before, after in (
        (padded[1:-1, :-2], padded[1:-1, 2:]),
        (padded[:-2, 1:-1], padded[2:, 1:-1]),
    ):
        upwind = np.maximum((phi - before) * sign, (phi - after) * sign)
        squared_gradient += np.maximum(upwind, 0) ** 2
    return phi - 0.5 * phi / np.sqrt(phi**2 + 1) * (np.sqrt(squared_gradient) - 1)
