from __future__ import annotations

import gc

import numpy as np
import pytest
import shapely

from randcrowns.core.geometry import polygon_file
from randcrowns.core.geometry.polygon_file import PolygonFile

AT = np.array([471_234.0, 7_548_765.0])


def boxes(n: int) -> np.ndarray:
    left = np.arange(float(n))
    return shapely.box(left, 0, left + 0.5, left + 1)


@pytest.mark.parametrize("in_memory", [1, 1 << 26])
def test_it_is_indexed_as_an_array_is(in_memory: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(polygon_file, "_IN_MEMORY", in_memory)
    kept, given = PolygonFile([boxes(3), [], boxes(4)]), np.append(boxes(3), boxes(4))
    assert (kept._file._rolled, len(kept)) == (in_memory == 1, 7)
    for rows in (
        slice(2, 5),
        np.array([6, 0, 0]),
        given == given[0],
        np.empty(0, dtype=np.int64),
        3,
        np.int64(6),
    ):
        assert np.all(shapely.equals_exact(kept[rows], given[rows]))
        assert np.shape(kept[rows]) == np.shape(given[rows])
    np.testing.assert_array_equal(kept.areas, shapely.area(given))
    np.testing.assert_array_equal(shapely.bounds(kept), shapely.bounds(given))


def test_what_is_added_and_let_go() -> None:
    kept = PolygonFile([boxes(3)], AT)
    kept.extend(
        shapely.buffer(kept.read_at_origin([row]), 1) for row in (0, 2)
    )  # reads between two that are written
    kept.select(np.array([False, True, True, True, True]))
    kept.extend([])
    assert kept.areas.tolist() == pytest.approx(
        [1.0, 1.5, *shapely.area(shapely.buffer(boxes(3)[[0, 2]], 1))]
    )
    np.testing.assert_allclose(
        shapely.bounds(kept[:2]) - np.tile(AT, 2), shapely.bounds(boxes(3)[1:])
    )


def test_of_many_only_a_few_are_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(polygon_file, "_IN_MEMORY", 1)
    before = alive()
    kept = PolygonFile(boxes(10) for _ in range(10))
    assert (len(kept), alive() - before) == (100, 0)
    some = kept[:20]
    assert alive() - before == len(some)


def alive() -> int:
    """Polygons that there are."""
    gc.collect()
    return sum(isinstance(one, shapely.Polygon) for one in gc.get_objects())


def test_the_file_is_closed_with_it() -> None:
    kept = PolygonFile([boxes(1)])
    file = kept._file
    del kept
    gc.collect()
    assert file.closed
