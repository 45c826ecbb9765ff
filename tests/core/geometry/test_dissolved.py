from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples

from randcrowns.core.geometry import overlay as overlay_module
from randcrowns.core.geometry.overlay import dissolve_faces, overlay_faces


def crowns(seed: int, n: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    angle = np.linspace(0, 2 * np.pi, 10)[:-1]
    radius = rng.uniform(1, 5, (n, 1)) * rng.uniform(0.6, 1.3, (n, 9))
    xy = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=-1)
    return shapely.polygons(xy + rng.uniform(0, 20, (n, 1, 2)))


@settings(max_examples=examples(30), deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(0, 15), st.integers(1, 3))
def test_equal_to_a_union(seed: int, n: int, needed: int) -> None:
    overlay = overlay_faces([crowns(seed, n), crowns(seed + 1, n), crowns(seed + 2, n)])
    faces = overlay.faces[overlay.decisions.sum(axis=1) >= needed]
    found = dissolve_faces(faces)
    expected = shapely.get_parts(shapely.union_all(faces))
    assert shapely.is_valid(found).all()
    assert (
        shapely.area(
            shapely.symmetric_difference(shapely.union_all(found), shapely.union_all(faces))
        )
        < 1e-9
    )
    np.testing.assert_allclose(
        np.sort(shapely.area(found)), np.sort(shapely.area(expected)), rtol=1e-9
    )


def test_holes_stay_holes() -> None:
    x, y = (axis.ravel() for axis in np.meshgrid(np.arange(5.0), np.arange(5.0)))
    cells = shapely.box(x, y, x + 1, y + 1)
    (found,) = dissolve_faces(cells[(x != 2) | (y != 2)])
    assert found.area == 24
    assert shapely.get_num_interior_rings(found) == 1


def test_corners_that_do_not_match_are_joined_too() -> None:
    # The left box has no corner where the two right ones meet.
    boxes = np.array([shapely.box(0, 0, 1, 2), shapely.box(1, 0, 2, 1), shapely.box(1, 1, 2, 2)])
    (found,) = dissolve_faces(boxes)
    assert found.equals(shapely.box(0, 0, 2, 2))


def test_edges_that_cross_by_rounding_lose_no_area() -> None:
    x, y = (axis.ravel() for axis in np.meshgrid(np.arange(12.0), np.arange(12.0)))
    rng = np.random.default_rng(0)
    corners = np.stack([x, y, x + 1, y + 1]) + 4e5 + 1e-10 * rng.integers(-9, 9, (4, len(x)))
    found = dissolve_faces(shapely.box(*corners))
    assert shapely.area(found).sum() == pytest.approx(144, rel=1e-9)
    assert shapely.area(shapely.union_all(found)) == pytest.approx(144, rel=1e-9)


def test_pieces_that_share_a_part_of_an_edge_are_joined() -> None:
    boxes = np.array([shapely.box(0, 0, 1, 2), shapely.box(1, 1, 2, 3), shapely.box(5, 5, 6, 6)])
    found = dissolve_faces(boxes)
    assert sorted(shapely.area(found)) == [1, 4]


def test_places_that_only_touch_at_a_corner_stay_apart() -> None:
    assert len(dissolve_faces(np.array([shapely.box(0, 0, 1, 1), shapely.box(1, 1, 2, 2)]))) == 2


def test_nothing() -> None:
    assert len(dissolve_faces(np.empty(0, dtype=object))) == 0


def test_cut_by_seams_in_a_large_overlay() -> None:
    layers = [crowns(seed, 60) for seed in range(3)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(overlay_module, "MAX_SEGMENTS", 60)
        overlay = overlay_faces(layers, shapely.box(-10, -10, 30, 30))
    faces = overlay.faces[overlay.decisions.any(axis=1)]
    found = dissolve_faces(faces)
    expected = shapely.get_parts(shapely.union_all(faces))
    np.testing.assert_allclose(
        np.sort(shapely.area(found)), np.sort(shapely.area(expected)), rtol=1e-9
    )
    nobody = overlay.faces[~overlay.decisions.any(axis=1)]
    assert shapely.area(dissolve_faces(nobody)).sum() == pytest.approx(shapely.area(nobody).sum())
    assert len(dissolve_faces(nobody)) == len(shapely.get_parts(shapely.union_all(nobody)))


def test_faces_without_area_and_spikes_leave_no_lines() -> None:
    rng = np.random.default_rng(0)
    x, y = (axis.ravel() for axis in np.meshgrid(np.arange(12.0), np.arange(12.0)))
    corners = np.stack([x, y, x + 1, y + 1]) + 4e5 + 1e-10 * rng.integers(-9, 9, (4, len(x)))
    flat = shapely.Polygon([(0, 0), (1, 0), (2, 0)])
    spike = shapely.Polygon([(30, 0), (31, 0), (31, 1), (33, 3), (31, 1), (30, 1)])
    found = dissolve_faces(np.array([*shapely.box(*corners), flat, spike]))
    assert set(shapely.get_type_id(found)) == {shapely.GeometryType.POLYGON}
    assert shapely.area(found).sum() == pytest.approx(145, rel=1e-9)
    assert len(dissolve_faces(np.array([flat]))) == 0


def test_a_cancel_is_heard_between_the_outlines_of_places() -> None:
    x, y = (axis.ravel() for axis in np.meshgrid(np.arange(0, 400.0, 2), np.arange(0, 300.0, 2)))
    reports: list[float] = []
    found = dissolve_faces(shapely.box(x, y, x + 1, y + 1), reports.append)  # 120,000 edges
    assert len(found) == len(x)
    assert len([share for share in reports if 0.3 < share <= 0.5]) >= 6
    assert reports == sorted(reports)


def test_a_place_within_another_is_its_own_whatever_they_are_worked_on_with(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    frame = shapely.box(0, 0, 9, 9).difference(shapely.box(1, 1, 8, 8))
    left, right = (
        frame.intersection(half) for half in (shapely.box(0, 0, 4, 9), shapely.box(4, 0, 9, 9))
    )
    faces = np.array(
        [left, right, shapely.box(3, 3, 4, 4), shapely.box(4, 3, 5, 4), shapely.box(6, 6, 7, 7)]
    )
    for edges in (1, 20, 1000):
        monkeypatch.setattr(overlay_module, "_BATCH_EDGES", edges)
        assert sorted(shapely.area(dissolve_faces(faces))) == [1, 2, 32]
