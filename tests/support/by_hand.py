"""Compare outputs with numbers that were worked out by hand."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from osgeo import gdal
from support.processing import Ran

from randcrowns.algorithms.algorithm_catalogue import ALGORITHMS
from randcrowns.algorithms.output_types import IMAGE, Column

__all__ = [
    "areas_of",
    "check_nothing_is_left_out",
    "has_columns",
    "noting",
    "without_intervals",
    "worked",
    "worked_among",
    "worked_files",
    "worked_pixels",
    "worked_values",
]

#: Algorithm and output -> the columns that were worked out by hand in this process.
_WORKED: dict[tuple[str, str], set[str]] = defaultdict(set)
#: Kinds of outputs without numbers.
_DRAWN = ("picture", "html", "pdf")


def without_intervals(**columns: Sequence[Any]) -> dict[str, Sequence[Any]]:
    """Return columns of rates with empty intervals, as for too few crowns."""
    ends = ("", "_low", "_high")
    return {
        f"{name}{end}": [None] * len(rows) if end else rows
        for name, rows in columns.items()
        for end in ends
    }


def worked(done: Ran, output: str, columns: Mapping[str, Sequence[Any]]) -> None:
    """Assert the columns of an output in their order, and their values; see `worked_among`."""
    has_columns(done, output, columns)
    worked_among(done, output, columns)


def worked_among(done: Ran, output: str, columns: Mapping[str, Sequence[Any]]) -> None:
    """Assert the values of some columns of an output; None is no value, ... any value."""
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
    """Assert the columns of an output in their order, and return its table."""
    table = done.table(output)
    assert list(table.columns) == list(columns), output
    _WORKED[done.algorithm, output].update(columns)
    return table


def worked_values(done: Ran, **expected: float | None) -> None:
    """Assert output numbers of a run by their ids; None is no value."""
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
    """Assert the values of a raster from the upper left.

    Each expected value stands for ``every`` (rows, columns).
    """
    _WORKED[done.algorithm, output].add(output)
    found = gdal.Open(done.results[output]).ReadAsArray()
    assert found == pytest.approx(np.kron(expected, np.ones(every)), rel=1e-6), output


def worked_files(done: Ran, names: Sequence[str], output: str = "FOLDER") -> dict[str, str]:
    """Assert the names of the files in a folder, and return their texts."""
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
    """Yield a function that runs algorithms; assert the keys of all their notes at the end."""
    told: set[str] = set()

    def noted(*args: Any, **more: Any) -> Ran:
        done = run(*args, **more)
        told.update(message.key for message in done.messages if message.is_notice)
        return done

    yield noted
    assert sorted(told) == sorted(expected), sorted(told)


def check_nothing_is_left_out(request: pytest.FixtureRequest, keys: Iterable[str]) -> None:
    """Fail if a column or number of these algorithms was not worked out by a test of the module.

    Nothing is checked if only some tests of the module run, or if a test failed.
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
    """Return the areas of the features, square map units."""
    return [round(feature.geometry().area(), 6) for feature in done.layer(output).getFeatures()]
