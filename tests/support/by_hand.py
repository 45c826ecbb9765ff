"""Small plots of rectangles whose numbers are worked out by hand, and what compares an output
with them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest
import shapely
from osgeo import gdal
from support.layers import EAST, NORTH, layer_of
from support.processing import Ran

from randcrowns.algorithms.algorithm_catalogue import ALGORITHMS
from randcrowns.algorithms.output_types import IMAGE, Column

__all__ = [
    "Rectangle",
    "areas_of",
    "boxes_layer",
    "check_nothing_is_left_out",
    "has_columns",
    "noting",
    "pair_scores",
    "without_intervals",
    "worked",
    "worked_among",
    "worked_files",
    "worked_pixels",
    "worked_values",
]

Rectangle = tuple[float, float, float, float]

#: Algorithm and output -> the columns that were worked out by hand in this process.
_WORKED: dict[tuple[str, str], set[str]] = defaultdict(set)
#: Kinds of outputs in which there is no number to work out.
_DRAWN = ("picture", "html", "pdf")


def boxes_layer(name: str, boxes: Sequence[Rectangle], **fields: Any) -> Any:
    """A layer of rectangles at the origin of the tests' places; the fields are those of
    ``layer_ids_by_name``.
    """
    placed = [shapely.box(x0 + EAST, y0 + NORTH, x1 + EAST, y1 + NORTH) for x0, y0, x1, y1 in boxes]
    return layer_of(name, placed, kind="Polygon", **fields)


def without_intervals(**columns: Sequence[Any]) -> dict[str, Sequence[Any]]:
    """Columns of rates of too few crowns for an interval: the ends of each are empty."""
    ends = ("", "_low", "_high")
    return {
        f"{name}{end}": [None] * len(rows) if end else rows
        for name, rows in columns.items()
        for end in ends
    }


def worked(done: Ran, output: str, columns: Mapping[str, Sequence[Any]]) -> None:
    """The output has these columns, no others, in this order, and these values; None is no
    value, ... any.
    """
    has_columns(done, output, columns)
    worked_among(done, output, columns)


def worked_among(done: Ran, output: str, columns: Mapping[str, Sequence[Any]]) -> None:
    """Among others the output has these columns, with these values."""
    table = done.table(output)
    _WORKED[done.algorithm, output].update(columns)
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


def has_columns(done: Ran, output: str, columns: Iterable[str]) -> pd.DataFrame:
    """The output's table, which has these columns, no others, in this order; their values are
    for the test to see.
    """
    table = done.table(output)
    assert list(table.columns) == list(columns), output
    _WORKED[done.algorithm, output].update(columns)
    return table


def worked_values(done: Ran, **expected: float | None) -> None:
    """The numbers among the outputs of a run, by their ids; None is no value."""
    for name, right in expected.items():
        _WORKED[done.algorithm, name].add(name)
        if right is None:
            assert pd.isna(done.results[name]), (name, done.results[name])
        else:
            assert done.results[name] == (
                right if isinstance(right, str) else pytest.approx(right, rel=1e-6, abs=1e-9)
            ), name


def worked_pixels(
    done: Ran, output: str, expected: Sequence[Sequence[float]], every: tuple[int, int]
) -> None:
    """The raster has these values, from the upper left; each stands for so many rows and
    columns.
    """
    _WORKED[done.algorithm, output].add(output)
    found = gdal.Open(done.results[output]).ReadAsArray()
    assert found == pytest.approx(np.kron(expected, np.ones(every)), rel=1e-6), output


def worked_files(done: Ran, names: Sequence[str], output: str = "FOLDER") -> dict[str, str]:
    """The texts of the files in the folder, which are these and no others."""
    _WORKED[done.algorithm, output].add(output)
    folder = Path(done.results[output])
    found = {
        path.relative_to(folder).as_posix(): path
        for path in sorted(folder.rglob("[!.]*"))
        if path.is_file()
    }
    assert list(found) == list(names)
    return {name: path.read_text(encoding="utf-8") for name, path in found.items()}


def noting(run: Callable[..., Ran], expected: Iterable[str]) -> Iterator[Callable[..., Ran]]:
    """Runs algorithms, and looks at the end that these notes and warnings were told, and no
    others.
    """
    told: set[str] = set()

    def noted(*args: Any, **more: Any) -> Ran:
        done = run(*args, **more)
        told.update(message.key for message in done.messages if message.is_notice)
        return done

    yield noted
    assert sorted(told) == sorted(expected), sorted(told)


def check_nothing_is_left_out(request: pytest.FixtureRequest, keys: Iterable[str]) -> None:
    """After all tests of a module: every column of every output of these algorithms, and every
    number, was worked out.

    Tests may run in any order, and what only some of them work out says nothing.
    """
    here = {
        getattr(item, "originalname", item.name)
        for item in request.session.items
        if item.path == request.path
    }
    tests = {name for name in vars(request.module) if name.startswith("test_")}
    if here != tests or request.session.testsfailed:
        return
    every, missing = (
        [entry.create_algorithm() for entry in ALGORITHMS if entry.key in set(keys)],
        [],
    )
    known = (
        {IMAGE} if any(IMAGE.name in names for names in _WORKED.values()) else set()
    )  # of every output alike
    shared: dict[tuple[Column, ...], set[str]] = defaultdict(
        set
    )  # outputs of two algorithms may have the same columns
    for algorithm in every:
        for output in algorithm.outputs:
            shared[output.columns] |= _WORKED[algorithm.name(), output.id]
    for algorithm in every:
        outputs = [output for output in algorithm.outputs if output.kind not in _DRAWN]
        numbers = [one.id for one in algorithm.value_outputs if not one.is_text]
        names = [*numbers, *(output.id for output in outputs)]
        missing += [
            f"{algorithm.name()}: {name}" for name in names if not _WORKED[algorithm.name(), name]
        ]
        missing += [
            f"{algorithm.name()}: {output.id}.{column.name}"
            for output in outputs
            for column in output.columns
            if column not in known and not any(map(column.match_field, shared[output.columns]))
        ]
    if missing:
        pytest.fail("not worked out by hand: " + ", ".join(missing))


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


def pair_scores(
    target: Rectangle, drawn: Rectangle, alpha: float, omega: float, gamma: float
) -> PairScores:
    """Stewart et al. 2021, Eq. 5 to 14, for rectangles with square corners, term by term."""

    def grown(by: float) -> Rectangle:
        return target[0] - by, target[1] - by, target[2] + by, target[3] + by

    width, height = target[2] - target[0] + 2 * omega, target[3] - target[1] + 2 * omega
    certain = _shared(grown(-alpha), grown(-alpha))
    # (width + 2 tau)(height + 2 tau) - width height = gamma certain
    half = (width + height) / 4
    tau = -half + np.sqrt(half**2 + gamma * certain / 4)
    size, sure, allowed = (
        _shared(drawn, drawn),
        _shared(drawn, grown(-alpha)),
        _shared(drawn, grown(omega)),
    )
    a, d, c = sure**2, (certain - sure) ** 2, (size - allowed) ** 2
    b = (gamma * certain - (_shared(drawn, grown(omega + tau)) - allowed)) ** 2
    shared = _shared(drawn, target)
    iou = shared / (_shared(target, target) + size - shared)
    if a == 0:
        return PairScores(0.0, iou, 0.0, a, b, c, d, tau)
    return PairScores((a + b) / (a + b + c + d), iou, a / (a + c + d), a, b, c, d, tau)
