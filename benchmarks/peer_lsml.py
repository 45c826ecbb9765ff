"""LSML as one would write it from the paper with numpy: every round sweeps the whole image."""

from __future__ import annotations

import numpy as np
from scipy.ndimage import distance_transform_edt

from randcrowns.core.arrays import Floats

__all__ = ["whole_image_level_set"]

_EPS = np.finfo(float).eps


def whole_image_level_set(stack: np.ndarray, rounds: int) -> Floats:
    """The level function after so many rounds, at most 0 inside; (K, rows, columns) decisions."""
    inside = 2 * stack.sum(axis=0) >= len(stack)
    phi = distance_transform_edt(~inside) - distance_transform_edt(inside) + inside - 0.5
    bits = (1 << np.arange(len(stack)))[:, None]
    codes, pattern = np.unique(
        (stack.reshape(len(stack), -1) * bits).sum(axis=0), return_inverse=True
    )
    yes = (codes[:, None] >> np.arange(len(stack))) & 1 == 1
    total = np.bincount(pattern.ravel(), minlength=len(codes))
    pattern = pattern.reshape(phi.shape)
    for _ in range(rounds):
        count = np.bincount(pattern[phi <= 0], minlength=len(codes))
        sensitivity, specificity = (
            count @ yes / count.sum(),
            (total - count) @ ~yes / (total - count).sum(),
        )
        if_false = np.where(yes, 1 - specificity, specificity).prod(axis=1)
        if_true = np.where(yes, sensitivity, 1 - sensitivity).prod(axis=1)
        band = np.abs(phi) <= 1.2
        force = (np.log(if_false + _EPS) - np.log(if_true + _EPS))[pattern[band]]
        velocity = force / np.abs(force).max()
        phi[band] += velocity * (0.5 / (velocity.max() + _EPS))
        phi = _redistanced(phi)
    return phi


def _redistanced(phi: Floats) -> Floats:
    padded = np.pad(phi, 1, mode="edge")
    sign = np.sign(phi)
    squares = np.zeros(phi.shape)
    for before, after in (
        (padded[1:-1, :-2], padded[1:-1, 2:]),
        (padded[:-2, 1:-1], padded[2:, 1:-1]),
    ):
        squares += np.maximum(np.maximum((phi - before) * sign, (phi - after) * sign), 0) ** 2
    return phi - 0.5 * phi / np.sqrt(phi**2 + 1) * (np.sqrt(squares) - 1)
