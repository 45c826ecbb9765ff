"""Outlines are repaired to the ground that their parts cover, and hairline cracks are closed."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
import shapely
import shapely.affinity
from hypothesis import given, settings
from hypothesis import strategies as st
from support import literal
from support.errors import raises
from support.examples import examples

from randcrowns.core import outlines
from randcrowns.core.crowns import Crowns
from randcrowns.core.errors import Cancelled
from randcrowns.core.geometry.areas import extract_polygons, intersecting_pairs
from randcrowns.core.geometry.overlay import split_into_polygons
from randcrowns.core.outlines import OutlineWarning, make_usable, repair_outlines
from randcrowns.core.scoring.parameters import RandCrownsParameters
from randcrowns.core.scoring.score import score_pairs

UTM = (404_000.0, 3_285_000.0)
#: Origins of rasters: a corner at a round coordinate, at a half cell, and anywhere.
ORIGINS = [
    (404_000.0, 3_285_000.0),
    (404_000.005, 3_285_000.015),
    (431_234.567891, 5_123_456.78912),
]


def reversed_ring(polygon: shapely.Polygon) -> shapely.Polygon:
    return shapely.Polygon(polygon.exterior.coords[::-1])


#: Outline -> the ground that it encloses, by hand.
BY_HAND = {
    "parts that overlap": (
        shapely.MultiPolygon([shapely.box(0, 0, 4, 4), shapely.box(2, 1, 6, 5)]),
        shapely.union(shapely.box(0, 0, 4, 4), shapely.box(2, 1, 6, 5)),
    ),
    "a part within a part": (
        shapely.MultiPolygon([shapely.box(0, 0, 6, 6), shapely.box(2, 2, 3, 3)]),
        shapely.box(0, 0, 6, 6),
    ),
    "a part within a part within a part": (
        shapely.MultiPolygon(
            [shapely.box(2, 2, 3, 3), shapely.box(0, 0, 6, 6), shapely.box(1, 1, 5, 5)]
        ),
        shapely.box(0, 0, 6, 6),
    ),
    "identical parts": (
        shapely.MultiPolygon([shapely.box(0, 0, 3, 2)] * 3),
        shapely.box(0, 0, 3, 2),
    ),
    "parts wound in opposite directions": (
        shapely.MultiPolygon([shapely.box(0, 0, 4, 4), reversed_ring(shapely.box(2, 0, 6, 4))]),
        shapely.box(0, 0, 6, 4),
    ),
    "a bow tie": (
        shapely.Polygon([(0, 0), (2, 2), (2, 0), (0, 2)]),
        shapely.MultiPolygon(
            [
                shapely.Polygon([(0, 0), (1, 1), (0, 2)]),
                shapely.Polygon([(2, 0), (2, 2), (1, 1)]),
            ]
        ),
    ),
    "ground encircled twice": (
        shapely.Polygon([(0, 0), (4, 0), (4, 4), (1, 4), (1, 1), (3, 1), (3, 3), (0, 3)]),
        shapely.box(0, 0, 4, 4).difference(shapely.box(0, 3, 1, 4)),
    ),
    "a hole that leaves its part": (
        shapely.Polygon([(0, 0), (4, 0), (4, 4), (0, 4)], [[(3, 1), (6, 1), (6, 3), (3, 3)]]),
        shapely.box(0, 0, 4, 4).difference(shapely.box(3, 1, 6, 3)),
    ),
    "a hole and a part in the hole that reaches out of it": (
        shapely.MultiPolygon(
            [
                shapely.box(0, 0, 9, 9).difference(shapely.box(3, 3, 6, 6)),
                shapely.box(4, 4, 5, 7),
            ]
        ),
        shapely.box(0, 0, 9, 9).difference(
            shapely.union_all(
                [shapely.box(3, 3, 4, 6), shapely.box(5, 3, 6, 6), shapely.box(4, 3, 5, 4)]
            )
        ),
    ),
    "a spike": (
        shapely.Polygon([(0, 0), (4, 0), (4, 4), (9, 9), (4, 4), (0, 4)]),
        shapely.box(0, 0, 4, 4),
    ),
}


@pytest.mark.parametrize("has_structure", [True, False])
@pytest.mark.parametrize("name", BY_HAND)
def test_repaired_outlines_by_hand(
    name: str, has_structure: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outlines, "_HAS_STRUCTURE", has_structure and outlines._HAS_STRUCTURE)
    outline, expected = BY_HAND[name]
    assert not outline.is_valid
    for origin in ((0.0, 0.0), UTM):
        moved = shapely.transform([outline, expected], partial(np.add, origin))
        usable = make_usable(moved[:1])
        (repaired,) = usable.polygons
        assert repaired.is_valid
        assert repaired.symmetric_difference(moved[1]).area < 1e-7
        assert usable.is_repaired.all()
        change = abs(outline.area - expected.area) / max(outline.area, expected.area)
        assert usable.is_area_changed.tolist() == [change > 0.01]


@settings(max_examples=examples(40), deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(4, 24))
def test_without_the_method_of_geos_the_same_ground_is_enclosed(seed: int, corners: int) -> None:
    ring = shapely.Polygon(np.random.default_rng(seed).uniform(0, 10, (corners, 2)))
    own, geos = outlines._enclosed_ground(ring), outlines._fix_ring(ring)
    assert own.symmetric_difference(geos).area <= 1e-9 * geos.area


def test_usable_outlines_are_not_touched() -> None:
    touching = shapely.MultiPolygon([shapely.box(0, 0, 1, 1), shapely.box(1, 1, 2, 2)])
    narrow = shapely.MultiPolygon([shapely.box(0, 0, 1, 1), shapely.box(1 + 5e-6, 0, 2, 1)])
    polygons = np.array(
        [shapely.Point(0, 0).buffer(3), touching, narrow, shapely.box(0, 0, 1, 1), None]
    )
    usable = make_usable(polygons)
    assert [found is given for found, given in zip(usable.polygons, polygons)] == [True] * 5
    assert not any(flags.any() for flags in usable[1:])
    assert make_usable(polygons[:0]).polygons.tolist() == []


def zigzag(corners: int) -> shapely.Polygon:
    """An outline in which most edges cross most others."""
    y = np.random.default_rng(0).permutation(np.linspace(0, 10, corners))
    return shapely.Polygon(np.column_stack([10.0 * (np.arange(corners) % 2), y]))


def comb(teeth: int) -> shapely.Polygon:
    x = np.arange(2 * teeth) / (2 * teeth)
    edge = np.column_stack([x, 1.5 * (np.arange(2 * teeth) % 2) - 0.2])
    return shapely.Polygon([(0, -0.5), *edge, (1, -0.5)])


def test_outlines_with_too_many_crossings_are_left_out_and_the_rest_is_repaired() -> None:
    bow_tie, _ = BY_HAND["a bow tie"]
    polygons = np.array([zigzag(2000), bow_tie])
    usable = make_usable(polygons)
    assert usable.is_too_complex.tolist() == [True, False]
    assert usable.is_repaired.tolist() == [False, True]
    assert [shape is None for shape in usable.polygons] == [True, False]
    with raises("crowns.too_complex", rows=(0,), limit=100_000):
        repair_outlines(polygons)
    with raises("crowns.too_complex", rows=(0,)):
        split_into_polygons(polygons, "Crowns")


def test_valid_parts_that_cross_too_often_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outlines, "MAX_CROSSINGS", 2000)
    teeth = comb(40)
    assert teeth.is_valid
    combs = shapely.MultiPolygon([teeth, shapely.affinity.rotate(teeth, 90, (0.5, 0.5))])
    assert make_usable(np.array([combs])).is_too_complex.all()


def test_many_parts_on_one_another_are_few_crossings_of_unions() -> None:
    places = np.random.default_rng(1).uniform(0, 2, (2000, 2))
    discs = shapely.buffer(shapely.points(places), 2.0)
    (found,) = make_usable(np.array([shapely.MultiPolygon([*discs])])).polygons
    assert found.area == pytest.approx(shapely.union_all(discs).area, rel=1e-9)


@pytest.mark.parametrize("outline", [zigzag(20_000), comb(40_000).buffer(1e-7, join_style="mitre")])
def test_a_cancel_is_heard_while_an_outline_is_checked(outline: shapely.Polygon) -> None:
    def cancel(_: float) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        make_usable(np.array([outline]), cancel)


def test_the_polygons_of_a_collection_are_united() -> None:
    boxes = [shapely.box(0, 0, 4, 4), shapely.box(2, 1, 6, 5)]
    (found,) = extract_polygons(
        np.array([shapely.GeometryCollection([*boxes, shapely.Point(9, 9)])])
    )
    assert found.area == 26


def stairs(seed: int) -> np.ndarray:
    """Connected pixels of a crown: (rows, columns) True inside."""
    rng = np.random.default_rng(seed)
    side = int(rng.integers(6, 14))
    row, column = np.mgrid[:side, :side]
    reach = rng.uniform(0.8, 1.2, (side, side)) * side / 2
    return np.hypot(row - side / 2 + 0.5, column - side / 2 + 0.5) < reach


def pixel_squares(
    pixels: np.ndarray, size: float, origin: tuple[float, float], seed: int
) -> np.ndarray:
    """Squares of pixels whose corners are rounded square by square, as QGIS makes them."""
    rng = np.random.default_rng(seed)
    row, column = np.nonzero(pixels)
    corners = [column * size, row * size, (column + 1) * size, (row + 1) * size]
    moved = np.stack(corners, axis=1) + np.tile(origin, 2)
    return shapely.box(*(moved + 1e-9 * rng.integers(-1, 2, moved.shape)).T)


def exact_squares(pixels: np.ndarray, size: float, origin: tuple[float, float]) -> np.ndarray:
    x, y = (origin[axis] + size * np.arange(pixels.shape[1 - axis] + 1) for axis in (0, 1))
    row, column = np.nonzero(pixels)
    return shapely.box(x[column], y[row], x[column + 1], y[row + 1])


def assert_scores_of_the_exact_outline(
    cracked: shapely.Geometry, exact: shapely.Geometry, size: float
) -> None:
    """Compare the scores of a cracked outline with the paper's algorithm on the exact one."""
    (usable,) = make_usable(np.array([cracked])).polygons
    alpha, omega, gamma = 1.2 * size, 3 * size, 1.5
    drawn = shapely.transform(exact, partial(np.add, (1.3 * size, 0.4 * size)))
    scores = score_pairs([usable], [drawn], RandCrownsParameters(alpha, omega, gamma)).iloc[0]
    expected = literal.score(exact, drawn, alpha, omega, gamma, square=False)
    assert scores[["randcrowns", "iou", "iou_crowns"]].tolist() == pytest.approx(
        [expected.randcrowns, expected.iou, expected.iou_crowns], abs=1e-3
    )


@pytest.mark.parametrize("origin", ORIGINS)
@pytest.mark.parametrize("size", [0.03, 0.05, 0.1, 0.25, 0.6, 1.0])
def test_pixels_joined_with_cracks_score_as_without(
    size: float, origin: tuple[float, float]
) -> None:
    for seed in range(examples(3)):
        pixels = stairs(seed)
        squares = pixel_squares(pixels, size, origin, seed)
        exact = shapely.union_all(exact_squares(pixels, size, origin))
        for cracked in (shapely.union_all(squares), shapely.MultiPolygon([*squares])):
            assert_scores_of_the_exact_outline(cracked, exact, size)


# The quicker test above covers pixels of six sizes at three origins.
@pytest.mark.nightly
def test_random_stairs_score_as_without_cracks() -> None:
    rng = np.random.default_rng(7)
    for seed in range(2000):
        size, origin = rng.uniform(0.03, 1), tuple(rng.uniform([3e5, 0], [7e5, 9e6]))
        pixels = stairs(seed)
        cracked = shapely.union_all(pixel_squares(pixels, size, origin, seed))
        exact = shapely.union_all(exact_squares(pixels, size, origin))
        assert_scores_of_the_exact_outline(cracked, exact, size)


def test_cracks_specks_and_hairs_are_closed() -> None:
    square = shapely.box(0, 0, 4, 4)
    slit = shapely.Polygon([(0, 0), (4, 0), (4, 4), (2 + 1e-8, 4), (2, 1), (2 - 1e-8, 4), (0, 4)])
    lake = square.difference(
        shapely.union_all([shapely.box(1, 1, 2, 2), shapely.box(1.5, 2, 1.5 + 1e-8, 4)])
    )
    hole = square.difference(shapely.box(1, 1, 1 + 1e-8, 3))
    hair = shapely.union(square, shapely.box(4, 2, 9, 2 + 1e-8))
    speck = shapely.MultiPolygon([square, shapely.box(20, 0, 20 + 1e-8, 1e-8)])
    t_junction = shapely.MultiPolygon([square, shapely.box(4 + 1e-9, 1, 6, 2)])
    expected = [
        *(square, square.difference(shapely.box(1, 1, 2, 2)), square, square, square),
        square.union(shapely.box(4, 1, 6, 2)),
    ]
    given = np.array([slit, lake, hole, hair, speck, t_junction])
    assert shapely.is_valid(given).all()
    for origin in ((0.0, 0.0), UTM):
        moved = shapely.transform(given, partial(np.add, origin))
        usable = make_usable(moved)
        assert usable.is_closed.all()
        assert not usable.is_repaired.any()
        right = shapely.transform(np.array(expected), partial(np.add, origin))
        assert shapely.hausdorff_distance(usable.polygons, right).max() < 1e-6
        assert shapely.area(shapely.symmetric_difference(usable.polygons, right)).max() < 1e-5


def test_the_quick_check_passes_no_crack_by() -> None:
    angle = np.linspace(0, 2 * np.pi, 33)[:-1]
    crown = shapely.Polygon(np.column_stack([3 * np.cos(angle), 3 * np.sin(angle)]))
    crack = shapely.Polygon([(1, 0.1 - 1e-8), (9, 0.9 - 1e-8), (9, 0.9 + 1e-8), (1, 0.1 + 1e-8)])
    arc = crown.difference(shapely.box(1, -1, 1 + 1e-8, 9))
    given = np.array([crown, crown.difference(crack), arc, crown.buffer(3).difference(crown)])
    assert outlines._is_star_shaped(given).tolist() == [True, False, False, False]
    assert make_usable(given).is_closed.tolist() == [False, True, True, False]


def test_the_core_closes_cracks_with_a_warning_and_refuses_invalid_outlines() -> None:
    pixels = stairs(0)
    cracked = shapely.union_all(pixel_squares(pixels, 0.1, UTM, 0))
    exact = shapely.union_all(exact_squares(pixels, 0.1, UTM))
    with pytest.warns(OutlineWarning, match="1 polygon with cracks"):
        crowns = Crowns([exact, cracked])
    assert shapely.length(crowns.geometry) == pytest.approx(exact.length, abs=1e-5)
    assert Crowns([exact]).geometry[0] is exact
    with raises("crowns.invalid_geometry", rows=(0,)):
        Crowns([BY_HAND["a bow tie"][0]])


def test_too_many_pairs_are_refused_before_they_take_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("randcrowns.core.geometry.areas.MAX_PAIRS", 100)
    monkeypatch.setattr("randcrowns.core.geometry.areas.MAX_PAIRS_PER_POLYGON", 5)
    in_one_spot = shapely.box(np.zeros(11), 0, 4, 4)
    with raises("crowns.too_many_pairs", limit=110):
        intersecting_pairs(in_one_spot, in_one_spot)
    assert len(intersecting_pairs(in_one_spot[:9], in_one_spot)[0]) == 99
    # Crowns of many images, in pixels, lie in one spot, but only those of one image are a pair.
    images = np.arange(11)
    left, right = intersecting_pairs(in_one_spot, in_one_spot, plots=(images, images))
    assert left.tolist() == right.tolist() == images.tolist()
