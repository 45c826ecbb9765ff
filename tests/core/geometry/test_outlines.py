from functools import lru_cache
from typing import Any

import numpy as np
import pytest
import shapely
import shapely.affinity
from scipy.ndimage import gaussian_filter
from support.crowns import ODD_KINDS, odd_crown, pixel_edged

from randcrowns.core import RandCrownsParameters, score_pairs
from randcrowns.core.geometry.ball_offsets import ball_offsets, round_offsets
from randcrowns.core.scoring import offsets as offsets_module
from randcrowns.core.scoring.offsets import PolygonOffsets, solve_regions

DISTANCES = (0.3, 1.2, 3.0, -0.3, -0.7)


@lru_cache
def crowns(seed: int, number: int = 3) -> np.ndarray:
    rng = np.random.default_rng(seed)
    made = [pixel_edged(rng, rng.uniform(1.9, 2.6), rng.choice([0.05, 0.1])) for _ in range(number)]
    return np.array(made, dtype=object)


@pytest.mark.parametrize("distance", DISTANCES)
def test_offsets_are_those_of_buffers(distance: float) -> None:
    targets = crowns(1)
    found, right = ball_offsets(targets, np.full(len(targets), distance), 16)
    exact = shapely.buffer(targets, distance, quad_segs=16)
    area = shapely.area(exact)
    assert right.sum() >= len(targets) - 1
    assert (np.abs(shapely.area(found) - area)[right] <= 5e-4 * area[right]).all()
    astray = shapely.area(shapely.symmetric_difference(found[right], exact[right]))
    assert (astray <= 1e-3 * area[right]).all()


@pytest.mark.parametrize("kind", ODD_KINDS)
@pytest.mark.parametrize("distance", [0.1, 1.5, -0.1, -0.3])
def test_offsets_of_odd_shapes_are_those_of_buffers(kind: str, distance: float) -> None:
    rng = np.random.default_rng(7)
    made = [odd_crown(rng, kind) for _ in range(12)]
    targets = np.array(
        [shapely.segmentize(shape, shape.length / 120) for shape in made], dtype=object
    )
    area = shapely.area(shapely.buffer(targets, distance, quad_segs=16))
    found = shapely.area(round_offsets(targets, np.full(len(targets), distance), 16))
    assert (np.abs(found - area) <= 5e-4 * area).all()


@pytest.mark.parametrize("depth", [0.1, 0.3, 0.6])
@pytest.mark.parametrize("distance", [0.3, 1.2, 3.0, -0.3, -0.7])
def test_offsets_of_jagged_outlines_are_those_of_buffers_or_not_right(
    depth: float, distance: float
) -> None:
    rng = np.random.default_rng(int(10 * depth))
    angle = np.linspace(0, 2 * np.pi, 180, endpoint=False)
    reach = rng.choice([1.5, 3.0, 6.0], (12, 1)) * (1 + depth * rng.uniform(-1, 1, (12, 180)))
    targets = shapely.polygons(np.stack([reach * np.cos(angle), reach * np.sin(angle)], axis=-1))
    area = shapely.area(shapely.buffer(targets, distance, quad_segs=16))
    found = shapely.area(round_offsets(targets, np.full(12, distance), 16))
    assert (np.abs(found - area) <= 5e-4 * area).all()


@pytest.mark.parametrize("distance", [0.3, 1.2, 3.0, -0.3, -0.7])
def test_offsets_of_parts_with_holes_are_those_of_buffers(distance: float) -> None:
    targets, rng = [], np.random.default_rng(3)
    for crown in crowns(1, 2):
        holes = shapely.union_all(
            [
                shapely.transform(
                    crown, lambda xy: xy * rng.uniform(0.1, 0.3) + rng.uniform(-1, 1, 2)
                )
                for _ in range(3)
            ]
        )
        specks = [
            shapely.box(*at, *(at + 0.1 * rng.integers(1, 9, 2)))
            for at in rng.uniform(-5, 5, (20, 2))
        ]
        targets.append(
            shapely.union_all(
                [crown.difference(holes), shapely.transform(crown, lambda xy: xy / 2 + 4), *specks]
            )
        )
    targets = np.array(targets)
    assert (shapely.get_num_geometries(targets) > 3).all()
    exact = shapely.buffer(targets, distance, quad_segs=16)
    found = round_offsets(targets, np.full(2, distance), 16)
    assert shapely.is_valid(found).all()
    assert (np.abs(shapely.area(found) - shapely.area(exact)) <= 5e-4 * shapely.area(exact)).all()
    assert (
        shapely.area(shapely.symmetric_difference(found, exact)) <= 1e-3 * shapely.area(exact)
    ).all()


def test_a_ball_rolls_around_a_square() -> None:
    square = shapely.box(0, 0, 4, 4)
    (grown, shrunk), right = ball_offsets(np.array([square, square]), np.array([1.0, -1.0]), 16)
    assert right.all()
    assert grown.area == pytest.approx(square.buffer(1, quad_segs=16).area, rel=1e-12)
    assert shapely.symmetric_difference(shrunk, shapely.box(1, 1, 3, 3)).area < 1e-12


def n_rings(shape: shapely.Geometry) -> int:
    return len(shapely.get_rings(shapely.get_parts(shape)))


def test_inner_corners_are_out_of_reach() -> None:
    # Two arms with a slit between them that the ball does not enter.
    slit = shapely.segmentize(shapely.box(0, 0, 5, 5).difference(shapely.box(2, 1, 3, 5)), 0.1)
    (grown,), right = ball_offsets(np.array([slit]), np.array([1.0]), 64)
    assert right.all()
    assert grown.area == pytest.approx(slit.buffer(1, quad_segs=64).area, rel=1e-4)


def test_holes_close_where_the_ball_does_not_fit() -> None:
    crown = shapely.box(0, 0, 10, 10)
    small, large = shapely.box(1, 1, 2, 5), shapely.box(4, 4, 8, 8)
    target = crown.difference(shapely.union_all([small, large]))
    (grown,) = round_offsets(np.array([target]), np.array([1.0]), 16)
    assert [shapely.Polygon(ring).area for ring in grown.interiors] == [pytest.approx(4.0)]


def test_several_parts_stay_parts() -> None:
    parts = shapely.MultiPolygon([shapely.box(0, 0, 3, 3), shapely.box(9, 0, 12, 3)])
    (shrunk,) = round_offsets(np.array([parts]), np.array([-1.0]), 16)
    assert shapely.get_num_geometries(shrunk) == 2
    assert shrunk.area == pytest.approx(2.0)


@pytest.mark.parametrize(
    ("target", "distance"),
    [
        (
            shapely.box(0, 0, 4, 4)
            .union(shapely.box(3, 1.5, 9, 2.5))
            .union(shapely.box(8, 0, 12, 4)),
            -0.7,
        ),
        (
            shapely.box(0, 0, 12, 12).difference(
                shapely.union_all([shapely.box(2, 2, 10, 10), shapely.box(5, 1, 6, 13)])
            ),
            1,
        ),
        (shapely.MultiPolygon([shapely.box(0, 0, 3, 3), shapely.box(4, 0, 7, 3)]), 1.0),
        (shapely.box(0, 0, 9, 1), -0.7),
    ],
    ids=["neck", "bay", "parts that meet", "nothing left"],
)
def test_where_the_way_crosses_itself_its_faces_within_reach_count(
    target: shapely.Geometry, distance: float
) -> None:
    many = shapely.segmentize(target, 0.1)
    (shape,) = PolygonOffsets(np.array([many])).shapes_at(distance)
    expected = many.buffer(distance, quad_segs=16)
    assert shapely.symmetric_difference(shape, expected).area <= 1e-5 * expected.area
    assert shapely.get_num_geometries(shape) == shapely.get_num_geometries(expected)
    assert n_rings(shape) == n_rings(expected)


def test_frayed_crowns_with_holes_and_specks_are_offset_without_buffers_of_their_outlines(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Pixels that a model was unsure of: a ball that rolls along them meets them again and
    again.
    """
    rng = np.random.default_rng(4)
    column, row = np.meshgrid(np.arange(60), np.arange(60))
    unsure = gaussian_filter(rng.standard_normal((60, 60)), 1.5)
    inside = np.hypot(column - 30, row - 30) + 5 * unsure / unsure.std() < 22
    pixels = shapely.box(column[inside], row[inside], column[inside] + 1, row[inside] + 1)
    frayed = shapely.transform(shapely.union_all(pixels), lambda xy: xy / 10)
    assert n_rings(frayed) > 9
    expected = {
        distance: frayed.buffer(distance, quad_segs=16) for distance in (-0.2, 0.3, 1.2, 3.0)
    }
    corners: list[int] = []

    def counted(shapes: Any, *given: Any, **named: Any) -> Any:
        corners.extend(shapely.get_num_coordinates(shapes).tolist())
        return buffer(shapes, *given, **named)

    buffer = shapely.buffer
    monkeypatch.setattr(shapely, "buffer", counted)
    for distance, shape in expected.items():
        (found,) = PolygonOffsets(np.array([frayed])).shapes_at(distance)
        assert shapely.symmetric_difference(found, shape).area < 1e-4 * shape.area
    crown = shapely.get_num_coordinates(shapely.get_parts(frayed)).max()
    assert max(corners) < crown / 2, "specks that vanish, and holes that close, are buffered"


def test_outlines_of_a_hundred_vertices_are_buffered() -> None:
    angle = np.linspace(0, 2 * np.pi, 100, endpoint=False)
    wavy = shapely.polygons(
        np.column_stack([np.cos(angle), np.sin(angle)]) * (3 + np.cos(9 * angle))[:, None]
    )
    assert shapely.get_num_coordinates(wavy) == 101
    for distance in DISTANCES:
        (shape,) = PolygonOffsets(np.array([wavy])).shapes_at(distance)
        assert shape.equals(wavy.buffer(distance, quad_segs=16))


@pytest.mark.parametrize("kind", ["hole", "parts"])
def test_a_hundred_vertices_of_several_rings_are_buffered(kind: str) -> None:
    angle = np.linspace(0, 2 * np.pi, 50, endpoint=False)
    ring = np.column_stack([np.cos(angle), np.sin(angle)]) * (3 + np.cos(9 * angle))[:, None]
    hole, parts = (
        shapely.polygons(ring, [ring / 3]),
        shapely.multipolygons(shapely.polygons([ring, ring + 9.0])),
    )
    target = hole if kind == "hole" else parts
    assert shapely.get_num_coordinates(target) == 102
    for distance in DISTANCES:
        (shape,) = PolygonOffsets(np.array([target])).shapes_at(distance)
        assert shape.equals(target.buffer(distance, quad_segs=16))


@pytest.mark.parametrize("distance", [-3.8, -1.0])
def test_a_ball_that_finds_no_way_along_specks_is_not_right(distance: float) -> None:
    for seed in range(12):
        rows, columns = np.nonzero(np.random.default_rng(seed).random((20, 20)) < 0.6)
        specks = shapely.union_all(shapely.box(columns, rows, columns + 1, rows + 1))
        specks = shapely.transform(specks, lambda xy: xy * 0.1)
        (found,) = round_offsets(np.array([specks]), np.array([distance]), 16)
        assert found.is_valid


@pytest.mark.parametrize("distance", [1e-9, -1e-9, 1e-4, -1e-4, 0.02])
def test_a_ball_smaller_than_an_edge_is_not_rolled(
    distance: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    def rolled(polygons: np.ndarray, *_: object) -> tuple[np.ndarray, np.ndarray]:
        assert len(polygons) == 0
        return polygons, np.zeros(0, dtype=bool)

    monkeypatch.setattr("randcrowns.core.geometry.ball_offsets.ball_offsets", rolled)
    shapes = PolygonOffsets(crowns(0)).shapes_at(distance)
    assert shapely.equals(shapes, shapely.buffer(crowns(0), distance, quad_segs=16)).all()


def test_scores_are_those_of_buffers() -> None:
    targets = crowns(1)
    parameters = RandCrownsParameters(0.6, 2.0, 4)
    drawn = shapely.buffer(shapely.transform(targets, lambda xy: xy + 0.6), -0.2)
    quick = score_pairs(targets, drawn, parameters)
    patch = pytest.MonkeyPatch()
    with patch.context() as patched:
        patched.setattr(offsets_module, "_MANY_VERTICES", 10**9)
        slow = score_pairs(targets, drawn, parameters)
    for name in ("randcrowns", "iou", "iou_crowns"):
        assert np.allclose(quick[name], slow[name], rtol=0, atol=1e-3)


def test_the_area_ratio_is_gamma() -> None:
    regions = solve_regions(PolygonOffsets(crowns(1)), RandCrownsParameters(0.6, 2.0, 4))
    error = regions.edge_area - regions.tolerated_area - 4 * regions.certain_area
    assert (np.abs(error) <= 1e-9 * regions.certain_area).all()


def test_no_target_of_many_vertices_is_buffered(monkeypatch: pytest.MonkeyPatch) -> None:
    buffered: list[int] = []
    buffer = shapely.buffer

    def counted(shapes, *args, **kwargs):
        buffered.append(np.size(shapes))
        return buffer(shapes, *args, **kwargs)

    targets = crowns(3, 8)
    monkeypatch.setattr(shapely, "buffer", counted)
    solve_regions(PolygonOffsets(targets), RandCrownsParameters(0.6, 2.0, 4))
    assert sum(buffered) <= len(targets) // 4


@pytest.mark.parametrize("distance", [-0.3, 0.2, 0.4, 0.6])
def test_a_part_in_the_hole_of_another_stays(distance: float) -> None:
    ring = shapely.box(-4, -4, 4, 4) - shapely.box(-3, -3, 3, 3)
    target = shapely.segmentize(ring.union(shapely.box(-2, -2, 2, 2)), 0.5)
    found = PolygonOffsets(np.array([target])).shapes_at(distance)[0]
    assert found.area == pytest.approx(target.buffer(distance, quad_segs=16).area, rel=1e-9)


@pytest.mark.parametrize("corners", [30, 43, 60])
@pytest.mark.parametrize("distance", [1.2, 4.0])
def test_corners_have_as_many_chords_as_those_of_buffers(corners: int, distance: float) -> None:
    angle = np.arange(corners) * 2 * np.pi / corners
    crown = shapely.segmentize(
        shapely.Polygon(np.c_[np.cos(angle), np.sin(angle)]), 0.6 * np.sin(np.pi / corners)
    )
    found, right = ball_offsets(np.array([crown]), np.array([distance]), 16)
    assert right.all()
    assert found[0].area == pytest.approx(crown.buffer(distance, quad_segs=16).area, rel=1e-9)


def test_chords_meet_where_those_of_buffers_do() -> None:
    crown = shapely.affinity.scale(crowns(0)[0], 2.7, 3.1)
    for distance in (-0.25 * np.sqrt(crown.area), 0.25 * np.sqrt(crown.area)):
        found, right = ball_offsets(np.array([crown]), np.array([distance]), 16)
        assert not right.all() or found[0].area == pytest.approx(
            crown.buffer(distance, quad_segs=16).area, rel=1e-4
        )
