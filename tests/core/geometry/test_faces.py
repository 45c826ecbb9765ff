from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples

from randcrowns.core.errors import Cancelled
from randcrowns.core.geometry import overlay
from randcrowns.core.geometry.overlay import Faces, RectangleCut, join_pieces
from randcrowns.core.geometry.polygon_file import PolygonFile
from randcrowns.core.progress import Progress, map_in_threads, no_progress


def crowns(seed: int, n: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    angle = np.linspace(0, 2 * np.pi, 13)[:-1]
    radius = rng.uniform(1, 5, (n, 1)) * rng.uniform(0.7, 1.3, (n, 12))
    xy = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=-1)
    return shapely.polygons(xy + rng.uniform(0, 40, (n, 1, 2)))


def faces_between(outlines: np.ndarray, progress: Progress = no_progress) -> Faces:
    cut = RectangleCut(outlines, 0.0, overlay.MAX_SEGMENTS)
    return Faces(
        *map(
            np.concatenate,
            zip(*map_in_threads(cut.build_faces, cut.rectangles, progress, max_threads=4)),
        )
    )


@settings(max_examples=examples(25), deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 40), st.integers(20, 150))
def test_rectangles_change_nothing_in_what_is_marked(seed: int, n: int, most_segments: int) -> None:
    layers = [crowns(seed, n), crowns(seed + 1, n // 2)]
    area = shapely.box(3, 3, 35, 30)
    whole = overlay.overlay_faces(layers, area)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(overlay, "MAX_SEGMENTS", most_segments)
        cut = overlay.overlay_faces(layers, area)
    assert cut.areas.sum() == pytest.approx(area.area, rel=1e-9)
    for pattern in np.unique(whole.decisions, axis=0):
        expected, found = (
            np.sort(o.areas[(o.decisions == pattern).all(axis=1)]) for o in (whole, cut)
        )
        if pattern.any():
            # Slivers by rounding aside.
            np.testing.assert_allclose(found[found > 1e-6], expected[expected > 1e-6], rtol=1e-7)
        else:
            assert found.sum() == pytest.approx(expected.sum(), rel=1e-9)


def test_edges_on_the_seams_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(overlay, "MAX_SEGMENTS", 50)
    x, y = (axis.ravel() for axis in np.meshgrid(np.arange(12.0), np.arange(12.0)))
    cells = shapely.box(x, y, x + 1, y + 1)
    faces = faces_between(shapely.boundary(cells))
    polygons = PolygonFile([faces.polygons])
    join_pieces(polygons, _cell_of(faces.polygons), faces.is_on_seam)
    polygons = polygons[:]
    inside = shapely.area(shapely.intersection(polygons, shapely.box(0, 0, 12, 12))) > 0
    np.testing.assert_allclose(shapely.area(polygons[inside]), 1)
    assert inside.sum() == 144


def _cell_of(polygons: np.ndarray) -> np.ndarray:
    place = np.floor(shapely.get_coordinates(shapely.point_on_surface(polygons))).astype(int)
    return place[:, 0] * 1000 + place[:, 1]


def test_pieces_of_one_owner_are_joined_and_others_kept() -> None:
    boxes = np.array(
        [
            shapely.box(0, 0, 1, 1),
            shapely.box(1, 0, 2, 1),
            shapely.box(5, 0, 6, 1),
            shapely.box(2, 0, 3, 1),
        ]
    )
    polygons = PolygonFile([boxes[:2], boxes[2:]], origin=np.array([3.0, 4.0]))
    owner = join_pieces(polygons, np.array([7, 7, 7, 8]), np.array([True, True, True, False]))
    assert owner.tolist() == [8, 7, 7]
    assert shapely.bounds(polygons[0]).tolist() == [5, 4, 6, 5]
    assert sorted(shapely.area(polygons[1:])) == sorted(polygons.areas[1:]) == [1, 2]


def test_nothing_between_nothing() -> None:
    faces = faces_between(np.empty(0, dtype=object))
    assert len(faces.polygons) == 0
    assert (
        len(join_pieces(PolygonFile(), np.empty(0, dtype=np.int64), np.empty(0, dtype=bool))) == 0
    )


def test_segments_that_cannot_be_separated_are_worked_on_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(overlay, "MAX_SEGMENTS", 20)
    star = shapely.MultiLineString(
        [[(-np.cos(a), -np.sin(a)), (np.cos(a), np.sin(a))] for a in np.linspace(0, 3, 30)]
    )
    ring = shapely.Point(0, 0).buffer(0.5).boundary
    faces = faces_between(np.array([star, ring]))
    assert shapely.area(faces.polygons).sum() >= shapely.Point(0, 0).buffer(0.5).area * (1 - 1e-9)


def test_it_can_be_cancelled_between_rectangles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(overlay, "MAX_SEGMENTS", 100)
    told: list[float] = []

    def cancel(fraction: float) -> None:
        told.append(fraction)
        if len(told) == 2:
            raise Cancelled

    with pytest.raises(Cancelled):
        faces_between(shapely.boundary(crowns(0, 100)), cancel)
    assert 0 < told[0] <= told[1] < 1
