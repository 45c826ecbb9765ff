from functools import lru_cache
from typing import Any

import numpy as np
import pytest
import shapely
import shapely.affinity
from scenes import small_pixel_outlines
from scipy.ndimage import gaussian_filter
from support.crowns import ODD_KINDS, odd_crown, pixel_edged

from randcrowns.core import RandCrownsParameters, score_pairs
from randcrowns.core.geometry.ball_offsets import (
    are_too_near,
    ball_offsets,
    reflex_turns,
    round_offsets,
)
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
    right &= ~are_too_near(targets, found, np.full(len(targets), abs(distance)))
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
    assert max(corners, default=0) < crown / 2, (
        "specks that vanish, and holes that close, are buffered"
    )


def count_buffers(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list to which each later call of shapely.buffer adds its number of shapes."""
    n_shapes: list[int] = []
    buffer = shapely.buffer

    def counted(shapes: Any, *args: Any, **kwargs: Any) -> Any:
        n_shapes.append(np.size(shapes))
        return buffer(shapes, *args, **kwargs)

    monkeypatch.setattr(shapely, "buffer", counted)
    return n_shapes


def stairs(n_steps: int, tread: float = 0.5) -> shapely.Polygon:
    """Return a pyramid with that many steps on each side: a reflex vertex, a quarter turn, each."""
    half = [(tread * step, tread * (n_steps - step)) for step in range(n_steps + 1)]
    right = [point for x, y in half for point in ((x + tread, y + tread), (x + tread, y))]
    left = [(-x, y) for x, y in reversed(right)]
    return shapely.Polygon([*right, *left])


def test_reflex_vertices_are_counted_in_full_turns() -> None:
    holed = shapely.box(-9, -9, 99, 99).difference(stairs(6))
    parts = shapely.MultiPolygon([stairs(6), shapely.box(50, 0, 52, 2)])
    polygons = np.array([stairs(4), stairs(6), holed, parts, shapely.box(0, 0, 1, 1)])
    # Two sides of 4 and of 6 steps, a quarter turn each.
    assert reflex_turns(polygons) == pytest.approx([2, 3, 3, 3, 0])
    assert reflex_turns(shapely.reverse(polygons)) == pytest.approx([2, 3, 3, 3, 0])


@pytest.mark.parametrize("kind", ["few steps", "smooth"])
def test_outlines_without_stairs_are_buffered(kind: str) -> None:
    angle = np.linspace(0, 2 * np.pi, 500, endpoint=False)
    smooth = shapely.polygons(
        np.column_stack([np.cos(angle), np.sin(angle)]) * (3 + 0.3 * np.cos(5 * angle))[:, None]
    )
    outline = smooth if kind == "smooth" else stairs(4)
    for distance in DISTANCES:
        (shape,) = PolygonOffsets(np.array([outline])).shapes_at(distance)
        assert shape.equals(outline.buffer(distance, quad_segs=16))


def test_outlines_with_stairs_are_rolled_whatever_their_number_of_vertices(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    outline = stairs(6)
    assert shapely.get_num_coordinates(outline) < 40
    expected = [outline.buffer(distance, quad_segs=16).area for distance in (1.2, 3.0)]
    buffered = count_buffers(monkeypatch)
    found = [PolygonOffsets(np.array([outline])).shapes_at(d)[0].area for d in (1.2, 3.0)]
    assert found == pytest.approx(expected, rel=5e-4)
    assert sum(buffered) == 0


def test_rings_narrower_than_the_ball_vanish_without_a_buffer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    crown = shapely.segmentize(shapely.box(0, 0, 9, 9), 0.5)
    hole = shapely.segmentize(shapely.box(2, 2, 3.9, 8), 0.1)
    buffered = count_buffers(monkeypatch)
    (grown,) = round_offsets(np.array([crown.difference(hole)]), np.array([1.0]), 16)
    assert len(grown.interiors) == 0
    assert sum(buffered) == 0


@pytest.mark.parametrize("distance", [0.4, 1.2, 3.0])
def test_offsets_of_small_outlines_with_bays_are_those_of_buffers(distance: float) -> None:
    outlines = small_pixel_outlines(400)
    found = PolygonOffsets(outlines).shapes_at(distance)
    area = shapely.area(shapely.buffer(outlines, distance, quad_segs=16))
    right = np.abs(shapely.area(found) - area) <= 5e-4 * area
    assert right.all()


def mixed_crowns(kind: str) -> np.ndarray:
    """Return small outlines along pixels, or odd shapes with many vertices, some with holes."""
    if kind == "small":
        return small_pixel_outlines(120)
    rng = np.random.default_rng(7)
    made = [odd_crown(rng, kind) for kind in ODD_KINDS for _ in range(6)]
    return shapely.segmentize(made, shapely.length(made) / 120)


@pytest.mark.parametrize("kind", ["small", "many vertices"])
@pytest.mark.parametrize("distance", [0.3, 1.2, -0.3])
def test_an_offset_is_the_same_alone_and_in_every_batch(kind: str, distance: float) -> None:
    targets = mixed_crowns(kind)
    distances = np.full(len(targets), distance)
    alone = [
        shapely.to_wkb(round_offsets(targets[[row]], distances[[row]], 16)[0])
        for row in range(len(targets))
    ]
    for order in (
        np.arange(len(targets)),
        np.random.default_rng(5).permutation(len(targets)),
        np.arange(len(targets))[1::3],
    ):
        in_batch = shapely.to_wkb(round_offsets(targets[order], distances[order], 16))
        different = [row for row, shape in zip(order, in_batch) if shape != alone[row]]
        assert different == []


def test_regions_are_the_same_alone_and_in_every_batch() -> None:
    targets = np.concatenate([small_pixel_outlines(60), crowns(1), mixed_crowns("many vertices")])
    parameters = RandCrownsParameters(0.3, 1.2, 3)
    order = np.random.default_rng(5).permutation(len(targets))
    in_batch = solve_regions(PolygonOffsets(targets[order]), parameters)
    for position, row in enumerate(order):
        alone = solve_regions(PolygonOffsets(targets[[row]]), parameters)
        for name in ("tau", "certain_area", "tolerated_area", "edge_area"):
            values = getattr(in_batch, name)[[position]]
            assert np.array_equal(values, getattr(alone, name), equal_nan=True), (row, name)


#: A small outline along pixels, as steps of 0.3 m. Shrunk by 0.5 m, it has a second part of 0.005 m²
#: behind a neck that the ball does not pass.
NECK = [
    (-1, -7), (-2, -7), (-2, -6), (-3, -6), (-3, -5), (-4, -5), (-4, -3), (-6, -3), (-6, -2),
    (-7, -2), (-7, -1), (-4, -1), (-4, -2), (-2, -2), (-2, -1), (-1, -1), (-1, 4), (-2, 4),
    (-2, 5), (-3, 5), (-3, 6), (-2, 6), (-2, 7), (5, 7), (5, 6), (6, 6), (6, 4), (7, 4), (7, 0),
    (5, 0), (5, -2), (7, -2), (7, -4), (5, -4), (5, -3), (1, -3), (1, -4), (0, -4), (0, -6),
    (-1, -6),
]  # fmt: skip


def test_a_part_behind_a_neck_stays() -> None:
    outline = shapely.Polygon(0.3 * np.array(NECK))
    (shrunk,) = PolygonOffsets(np.array([outline])).shapes_at(-0.5)
    expected = outline.buffer(-0.5, quad_segs=16)
    assert shapely.get_num_geometries(shrunk) == shapely.get_num_geometries(expected) == 2
    assert shrunk.area == pytest.approx(expected.area, rel=5e-4)


def test_a_path_that_passes_a_bay_with_room_for_a_ball_is_not_right() -> None:
    outline = shapely.Polygon(0.3 * np.array(NECK))
    _, is_right = ball_offsets(np.array([outline, outline]), np.array([-0.5, 3.0]), 16)
    assert is_right.tolist() == [False, True]


def test_a_path_past_a_point_inside_the_ball_is_not_right() -> None:
    rng = np.random.default_rng(6)
    angle = np.linspace(0, 2 * np.pi, 180, endpoint=False)
    reach = rng.choice([1.5, 3.0, 6.0], (12, 1)) * (1 + 0.6 * rng.uniform(-1, 1, (12, 180)))
    jagged = shapely.polygons(np.stack([reach * np.cos(angle), reach * np.sin(angle)], axis=-1))
    found, is_right = ball_offsets(jagged, np.full(12, 3.0), 16)
    area = shapely.area(shapely.buffer(jagged, 3.0, quad_segs=16))
    is_same = np.abs(shapely.area(found) - area) <= 5e-4 * area
    assert not is_same.all()
    # No point of the outline is nearer than half the radius to a wrong path.
    assert not are_too_near(jagged, found, np.full(12, 3.0))[~is_same].any()
    assert not is_right[~is_same].any()


def test_a_wrong_path_of_the_ball_is_found_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each second path of the ball is replaced by one that is much too near."""
    targets = crowns(1)
    parameters = RandCrownsParameters(0.6, 2.0, 4)
    expected = solve_regions(PolygonOffsets(targets), parameters)

    def wrong(outlines: np.ndarray, distance: np.ndarray, quad_segs: int) -> Any:
        moved, has_path = ball_offsets(outlines, distance, quad_segs)
        moved[::2] = shapely.buffer(outlines[::2], 0.2 * distance[::2], quad_segs=quad_segs)
        return moved, has_path

    monkeypatch.setattr("randcrowns.core.geometry.ball_offsets.ball_offsets", wrong)
    found = solve_regions(PolygonOffsets(targets), parameters)
    assert found.tau == pytest.approx(expected.tau, rel=1e-3)
    assert found.certain_area == pytest.approx(expected.certain_area, rel=5e-4)
    assert found.tolerated_area == pytest.approx(expected.tolerated_area, rel=5e-4)


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
        patched.setattr(offsets_module, "_MANY_REFLEX_TURNS", 10**9)
        slow = score_pairs(targets, drawn, parameters)
    for name in ("randcrowns", "iou", "iou_crowns"):
        assert np.allclose(quick[name], slow[name], rtol=0, atol=1e-3)


def test_the_area_ratio_is_gamma() -> None:
    regions = solve_regions(PolygonOffsets(crowns(1)), RandCrownsParameters(0.6, 2.0, 4))
    error = regions.edge_area - regions.tolerated_area - 4 * regions.certain_area
    assert (np.abs(error) <= 1e-5 * regions.certain_area).all()


def test_no_target_along_pixels_is_buffered(monkeypatch: pytest.MonkeyPatch) -> None:
    targets = crowns(3, 8)
    assert (reflex_turns(targets) > 5).all()
    buffered = count_buffers(monkeypatch)
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
