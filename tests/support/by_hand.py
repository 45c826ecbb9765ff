"""Small plots of rectangles whose numbers are worked out by hand, and what compares an output with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest
import shapely
from support.layers import EAST, NORTH, layer_of
from support.processing import Ran

__all__ = ["Rectangle", "areas_of", "boxes_layer", "pair_scores", "worked"]

Rectangle = tuple[float, float, float, float]


def boxes_layer(name: str, boxes: Sequence[Rectangle], **fields: Any) -> Any:
    """A layer of rectangles at the origin of the tests' places; the fields are those of ``layer_of``."""
    placed = [shapely.box(x0 + EAST, y0 + NORTH, x1 + EAST, y1 + NORTH) for x0, y0, x1, y1 in boxes]
    return layer_of(name, placed, kind="Polygon", **fields)


def worked(done: Ran, output: str, columns: Mapping[str, Sequence[Any]]) -> None:
    """The output has these columns, no others, in this order, and these values; None is no value, ... any."""
    table = done.table(output)
    assert list(table.columns) == list(columns), output
    for name, expected in columns.items():
        found = [None if pd.isna(value) or value == "" else value for value in table[name]]
        assert len(found) == len(expected), (output, name, found)
        for value, right in zip(found, expected):
            if right is ...:
                continue
            if right is None or isinstance(right, str):
                assert value == right, (output, name, found)
            else:
                assert value is not None, (output, name, found)
                assert value == pytest.approx(right, rel=1e-6, abs=1e-9), (output, name, found)


def areas_of(done: Ran, output: str) -> list[float]:
    """Areas of the shapes, map units."""
    return [round(feature.geometry().area(), 6) for feature in done.layer(output).getFeatures()]


class PairScores(NamedTuple):
    """The three scores of a pair of rectangles, with what they are made of."""

    randcrowns: float
    iou: float
    iou_crowns: float
    a: float
    b: float
    c: float
    d: float
    tau: float


def _shared(one: Rectangle, other: Rectangle) -> float:
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    return max(width, 0.0) * max(height, 0.0)


def pair_scores(target: Rectangle, drawn: Rectangle, alpha: float, omega: float, gamma: float) -> PairScores:
    """Stewart et al. 2021, Eq. 5 to 14, for rectangles with square corners, term by term."""

    def grown(by: float) -> Rectangle:
        return target[0] - by, target[1] - by, target[2] + by, target[3] + by

    width, height = target[2] - target[0] + 2 * omega, target[3] - target[1] + 2 * omega
    certain = _shared(grown(-alpha), grown(-alpha))
    # (width + 2 tau)(height + 2 tau) - width height = gamma certain
    half = (width + height) / 4
    tau = -half + np.sqrt(half**2 + gamma * certain / 4)
    size, sure, allowed = _shared(drawn, drawn), _shared(drawn, grown(-alpha)), _shared(drawn, grown(omega))
    a, d, c = sure**2, (certain - sure) ** 2, (size - allowed) ** 2
    b = (gamma * certain - (_shared(drawn, grown(omega + tau)) - allowed)) ** 2
    shared = _shared(drawn, target)
    iou = shared / (_shared(target, target) + size - shared)
    if a == 0:
        return PairScores(0.0, iou, 0.0, a, b, c, d, tau)
    return PairScores((a + b) / (a + b + c + d), iou, a / (a + c + d), a, b, c, d, tau)
