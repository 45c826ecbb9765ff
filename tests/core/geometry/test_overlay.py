from __future__ import annotations

import itertools
import threading

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from support.errors import ExpectedError, raises
from support.examples import examples

from randcrowns.core.crowns import Crowns
from randcrowns.core.errors import Cancelled
from randcrowns.core.geometry import areas, overlay
from randcrowns.core.geometry.overlay import (
    covered_area,
    inner_points,
    overlay_faces,
    split_into_polygons,
)
from randcrowns.core.geometry.overlay_areas import overlay_areas
from randcrowns.core.progress import no_progress

UTM = np.array([471_234.56, 7_548_765.43])


def blobs(rng: np.random.Generator, n: int, at: np.ndarray, spread: float = 20.0) -> np.ndarray:
    """Star-shaped polygons with rough outlines that overlap each other."""
    angle = np.linspace(0, 2 * np.pi, 13)[:-1]
    radius = rng.uniform(1, 7, (n, 1)) * rng.uniform(0.6, 1.4, (n, 12))
    xy = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=-1)
    return shapely.polygons(xy + at + rng.uniform(0, spread, (n, 1, 2)))


@settings(max_examples=examples(30), deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 5), st.booleans())
def test_faces_fill_the_study_area_once(seed: int, n_annotators: int, same: bool) -> None:
    rng = np.random.default_rng(seed)
    layers = [blobs(rng, int(rng.integers(0, 6)), UTM) for _ in range(n_annotators)]
    if same:
        layers[-1] = layers[0]
    area = blobs(rng, 1, UTM + 8, 4)[0].buffer(3)
    overlay = overlay_faces(layers, area)
    assert overlay.areas.sum() == pytest.approx(area.area, rel=1e-9)
    for k, layer in enumerate(layers):
        drawn = shapely.intersection(shapely.union_all(layer), area)
        assert overlay.areas[overlay.decisions[:, k]].sum() == pytest.approx(
            drawn.area, rel=1e-9, abs=1e-7
        )


def sums_of_faces(layers: list, area: object) -> dict[tuple[bool, ...], float]:
    faces = overlay_faces(layers, area)
    sums: dict[tuple[bool, ...], float] = {}
    for decided, size in zip(faces.decisions.tolist(), faces.areas.tolist()):
        sums[tuple(decided)] = sums.get(tuple(decided), 0.0) + size
    return sums


@pytest.mark.parametrize("most_segments", [25, 5_000])
@pytest.mark.parametrize("seed", range(6))
def test_areas_alone_are_those_of_the_faces(
    seed: int, most_segments: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In one rectangle and in many, with and without a study area, a layer drawn twice and one
    moved by rounding.
    """
    rng = np.random.default_rng(seed)
    layers = [blobs(rng, 6, UTM) for _ in range(4)]
    layers[3] = shapely.transform(layers[0], lambda xy: xy * (1 + 2e-15)) if seed % 2 else layers[0]
    area = None if seed % 3 == 2 else blobs(rng, 1, UTM + 8, 4)[0].buffer(3)
    expected = sums_of_faces(layers, area)
    monkeypatch.setattr(overlay, "MAX_SEGMENTS", most_segments)
    found = overlay_areas(layers, area)
    sums = dict(zip(map(tuple, found.patterns.tolist()), found.areas[0].tolist()))
    # Layers that rounding moved are cut on a grid of that width, also where rectangles meet.
    rounded = overlay.rounding_width(UTM) * 10 if seed % 2 else 0.0
    close = 1e-9 * sum(expected.values()) + rounded
    for pattern in {*expected, *sums}:
        assert sums.get(pattern, 0.0) == pytest.approx(
            expected.get(pattern, 0.0), rel=1e-9, abs=close
        )
    assert len(found.patterns) == len(np.unique(found.patterns, axis=0))


def test_areas_alone_of_nothing_and_of_what_is_repaired() -> None:
    nothing = overlay_areas([[], []], shapely.box(0, 0, 2, 1))
    assert (nothing.patterns.tolist(), nothing.areas.tolist()) == ([[False, False]], [[2.0]])
    assert overlay_areas([[], []]).areas.tolist() == [[]]
    bow = shapely.Polygon([(0, 0), (2, 2), (2, 0), (0, 2)])
    found = overlay_areas([[bow]])
    assert (found.n_repaired, found.areas.sum()) == (1, pytest.approx(2.0))


def test_areas_alone_can_be_cancelled() -> None:
    def cancel(fraction: float) -> None:
        if fraction > 0.5:
            raise Cancelled

    with pytest.raises(Cancelled):
        overlay_areas([blobs(np.random.default_rng(0), 9, UTM)], progress=cancel)


def test_nested_and_ring_shaped_polygons() -> None:
    ring = shapely.box(0, 0, 10, 10).difference(shapely.box(2, 2, 8, 8))
    overlay = overlay_faces([[ring], [shapely.box(3, 3, 4, 4)]], shapely.box(-5, -5, 15, 15))
    area_of = {tuple(d): a for d, a in zip(overlay.decisions.tolist(), overlay.areas)}
    assert area_of[(True, False)] == 64
    assert area_of[(False, True)] == 1
    nobody = overlay.areas[~overlay.decisions.any(axis=1)]
    assert sorted(nobody) == [35, 300]


def test_overlaps_within_one_annotator_count_once() -> None:
    overlay = overlay_faces(
        [[shapely.box(0, 0, 4, 4), shapely.box(2, 0, 6, 4), shapely.box(2, 0, 6, 4)]]
    )
    assert len(overlay.faces) == 1
    assert overlay.areas.sum() == 24


def test_invalid_polygons_are_repaired_and_counted() -> None:
    bow_tie = shapely.Polygon([(0, 0), (2, 2), (2, 0), (0, 2)])
    overlay = overlay_faces([[bow_tie], [shapely.box(0, 0, 2, 2)]])
    assert overlay.n_repaired == 1
    assert overlay.areas[overlay.decisions[:, 0]].sum() == pytest.approx(2)


def test_missing_empty_and_multipart_geometries() -> None:
    two = shapely.MultiPolygon([shapely.box(0, 0, 1, 1), shapely.box(5, 5, 6, 6)])
    overlay = overlay_faces([[None, shapely.Polygon(), two], two, Crowns([two])])
    assert overlay.decisions.all()
    assert overlay.areas.sum() == 2


def test_nothing_drawn() -> None:
    assert len(overlay_faces([[], []]).faces) == 0
    overlay = overlay_faces([[], []], shapely.box(0, 0, 2, 3))
    assert overlay.areas.tolist() == [6]
    assert not overlay.decisions.any()


def test_a_study_area_of_several_polygons() -> None:
    area = [shapely.box(0, 0, 2, 2), shapely.box(1, 0, 3, 2), shapely.box(10, 0, 11, 1)]
    overlay = overlay_faces([[shapely.box(0, 0, 20, 1)]], area)
    assert overlay.areas.sum() == 7
    assert overlay.areas[overlay.decisions[:, 0]].sum() == 4


def test_faces_are_where_the_polygons_were() -> None:
    box = shapely.box(*UTM, *(UTM + 2))
    (face,) = shapely.normalize(overlay_faces([[box]]).faces)
    assert face.equals_exact(shapely.normalize(box), 1e-6)


@pytest.mark.parametrize(
    ("layers", "area", "expected"),
    [
        ([[shapely.Point(0, 0)]], None, raises("crowns.not_polygon_but", name="Annotator 1")),
        ([["no geometry"]], None, raises("crowns.not_geometry", name="Annotator 1")),
        (
            [[shapely.box(0, 0, 1, 1)], [shapely.box(0, 0, 1, np.inf)]],
            None,
            raises("crowns.not_finite", name="Annotator 2"),
        ),
        ([[shapely.box(0, 0, 1, 1)]], shapely.Polygon(), raises("study_area.empty")),
        (
            [[shapely.box(0, 0, 1, 1)]],
            shapely.LineString([(0, 0), (1, 1)]),
            raises("crowns.not_polygon_but", name="The study area"),
        ),
    ],
)
def test_what_cannot_be_overlaid_is_refused(
    layers: list[list[object]], area: object, expected: ExpectedError
) -> None:
    with expected:
        overlay_faces(layers, area)


def test_it_can_be_cancelled() -> None:
    def cancel(fraction: float) -> None:
        if fraction > 0.15:
            raise Cancelled

    with pytest.raises(Cancelled):
        overlay_faces([[shapely.box(0, 0, 1, 1)]], progress=cancel)


def test_polygon_parts_keep_only_polygons() -> None:
    spiked = shapely.Polygon([(0, 0), (4, 0), (4, 4), (0, 4), (0, 0), (-3, 0), (0, 0)])
    parts, repaired, _ = split_into_polygons([spiked], "layer")
    assert repaired == 1
    assert [part.geom_type for part in parts] == ["Polygon"]
    assert parts[0].area == 16


def test_marked_area_counts_overlaps_once_and_only_within_the_study_area() -> None:
    drawn = np.array(
        [shapely.box(0, 0, 2, 2), shapely.box(1, 0, 3, 2), shapely.box(10, 10, 11, 11), None]
    )
    assert covered_area(drawn) == pytest.approx(7)
    assert covered_area(drawn, shapely.box(0, 0, 2.5, 1)) == pytest.approx(2.5)
    assert covered_area([]) == 0


@pytest.mark.parametrize(
    "face",
    [
        "7.677589677631605 22.23009563093958, 7.269534981402103 21.367599333636463, 7.58435772860574 "
        "22.03303329697263, 6.763203701505361 22.290531354768902, 7.645005310710985 22.240313459653407, "
        "7.677589677631605 22.23009563093958",
        "10.907709725899622 18.735327556729317, 10.494724763504856 18.735327556729317, 9.116293784444993 "
        "18.235155344719963, 10.794551357452292 18.84412149200216, 10.907709725899622 18.890741266144246, "
        "10.907709725899622 18.735327556729317",
    ],
)
def test_thin_faces_have_a_point_inside_and_keep_their_votes(face: str) -> None:
    # GEOS 3.13 gives a corner of these as the point on their surface.
    thin = shapely.from_wkt(f"POLYGON (({face}))")
    assert thin.contains(inner_points(np.array([thin]))[0])
    around = shapely.box(0, 15, 20, 30)
    overlay = overlay_faces([np.array([thin]), np.array([around])])
    assert overlay.areas[overlay.decisions.all(axis=1)].sum() == pytest.approx(thin.area, rel=1e-9)


def test_slivers_of_the_cutting_itself_leave_coordinates_as_they_are() -> None:
    rng = np.random.default_rng(8)
    shapes = blobs(rng, 12, UTM)
    turned = shapely.transform(
        shapes, lambda xy: UTM + (xy - UTM) @ np.array([[0.6, -0.8], [0.8, 0.6]])
    )
    layers = [turned, shapely.transform(turned, lambda xy: xy + np.array([0.4, -0.7])), turned[::2]]
    overlay = overlay_faces(layers)
    sides = [shapely.union_all(shapely.transform(layer, lambda xy: xy - UTM)) for layer in layers]
    for pattern in np.unique(overlay.decisions, axis=0):
        inside, outside = (
            [side for side, yes in zip(sides, pattern) if yes == want] for want in (True, False)
        )
        expected = shapely.intersection_all(inside)
        for side in outside:
            expected = shapely.difference(expected, side)
        found = overlay.areas[(overlay.decisions == pattern).all(axis=1)].sum()
        assert found == pytest.approx(expected.area, rel=1e-9)


def test_parallel_edges_at_equal_distances_cause_no_division_by_zero() -> None:
    """Edges that never meet have no position of a crossing; a warning would fail the test."""
    first = shapely.Polygon([(0, 0), (8, 8), (0, 8)])
    second = shapely.Polygon([(1, 0), (9, 8), (9, 0)])
    sums = overlay_areas([[first], [second]])
    assert sums.patterns.tolist() == [[True, False], [False, True]]
    assert sums.areas.tolist() == [[32, 32]]


def test_polygons_are_united_alike_in_blocks_of_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    polygons = blobs(np.random.default_rng(4), 60, np.zeros(2), 60.0)
    expected = overlay._unite_overlapping(polygons, no_progress)
    monkeypatch.setattr(areas, "_BLOCK_PAIRS", 5)
    monkeypatch.setattr(areas, "_PAIR_BATCH", 2)
    monkeypatch.setattr(areas, "_GROUP", 1)
    found = overlay._unite_overlapping(polygons, no_progress)
    assert 1 < len(expected) < 60
    assert shapely.equals_exact(found, expected).all()


def test_many_polygons_in_one_spot_are_united(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(areas, "MAX_PAIRS", 10)
    monkeypatch.setattr(areas, "MAX_PAIRS_PER_POLYGON", 0)
    (united,) = overlay._unite_overlapping(shapely.box([0, 1, 2, 3], 0, 5, 4), no_progress)
    assert united.equals(shapely.box(0, 0, 5, 4))


def test_limit_of_pairs_holds_for_all_threads_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """40 polygons with 40 pairs each, by 8 threads at a time: not 3 x 40 pairs by each of them."""
    monkeypatch.setattr(areas, "MAX_PAIRS", 100)
    monkeypatch.setattr(areas, "MAX_PAIRS_PER_POLYGON", 0)
    monkeypatch.setattr(areas, "_PAIR_BATCH", 1)
    monkeypatch.setattr(areas, "_GROUP", 5)
    monkeypatch.setenv("OMP_NUM_THREADS", "8")
    all_threads = threading.Barrier(8, timeout=20)
    n_queries = itertools.count(1)

    def query(_polygons: object) -> np.ndarray:
        if next(n_queries) <= 8:
            all_threads.wait()
        return np.stack([np.zeros(40, dtype=np.int64), np.arange(40)])

    monkeypatch.setattr(areas, "_intersection_query", lambda *_: query)
    polygons = np.full(40, shapely.box(0, 0, 1, 1))
    with raises("crowns.too_many_pairs", limit=100):
        areas.intersecting_pairs(polygons, polygons, lambda _fraction: None)
    # After the first queries, two threads may go on before the others have added their pairs.
    assert next(n_queries) - 1 <= 10
