from __future__ import annotations

import numpy as np
import pytest
import shapely
from scenes import forest_scene
from support.crowns import KINDS, crown
from support.errors import raises

from randcrowns.core import RandCrownsParameters
from randcrowns.core.crowns import is_box
from randcrowns.core.geometry.ball_offsets import reflex_turns
from randcrowns.core.scoring.offsets import (
    BoxOffsets,
    PolygonOffsets,
    solve_regions,
    split_by_offsets,
)

IMAGE = RandCrownsParameters(0.7, 1.2, 3)
ORIGIN = np.zeros(2)


def regions_of(targets, parameters=IMAGE, extent=None):
    (found,) = split_by_offsets(np.array(targets, dtype=object), parameters, extent, ORIGIN)
    return solve_regions(found[1], parameters), found[1]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("gamma", [0.5, 3, 7])
def test_the_area_ratio_is_gamma(kind: str, gamma: float) -> None:
    rng = np.random.default_rng(5)
    parameters = RandCrownsParameters(0.4, 1.2, gamma)
    targets = [crown(rng, kind, radius=radius) for radius in rng.uniform(2, 6, 40)]
    regions, _ = regions_of(targets, parameters)
    error = regions.edge_area - regions.tolerated_area - gamma * regions.certain_area
    tolerance = np.where(reflex_turns(np.array(targets)) > 2.5, 1e-5, 2e-7)
    assert np.all(np.abs(error) <= tolerance * regions.certain_area)
    assert not regions.is_limited.any()


def test_most_targets_take_three_offsets(monkeypatch: pytest.MonkeyPatch) -> None:
    """T(-alpha), T(omega), and T(omega + s), of which the edges move to T(omega + tau)."""
    targets = forest_scene(side=8, annotators=1).targets
    made, buffer = [], shapely.buffer

    def counted(shapes, *args, **kwargs):
        made.append(np.size(shapes))
        return buffer(shapes, *args, **kwargs)

    monkeypatch.setattr(shapely, "buffer", counted)
    solve_regions(PolygonOffsets(targets), IMAGE)
    assert sum(made) <= 3.2 * len(targets)


def test_tau_of_a_box_is_the_closed_form() -> None:
    length, height = 4.4, 3.1291
    regions, _ = regions_of([shapely.box(0, 0, length, height)])
    P = length + height + 4 * 1.2
    R_a = (length - 1.4) * (height - 1.4)
    assert regions.tau[0] == pytest.approx((-P + np.sqrt(P**2 + 4 * 3 * R_a)) / 4, rel=1e-12)


def test_round_offsets_are_made_from_the_target_itself() -> None:
    target = crown(np.random.default_rng(1), "concave")
    regions, _ = regions_of([target])
    assert regions.tolerated[0].equals(target.buffer(1.2, quad_segs=16))
    buffer = target.buffer(1.2 + regions.tau[0], quad_segs=16)
    # Arcs of the last step, below 10 mm, are moved by up to 0.12 % too far.
    assert regions.edge[0].hausdorff_distance(buffer) < 2e-5
    assert regions.edge_area[0] == pytest.approx(buffer.area, rel=1e-6)


def test_boxes_are_told_from_other_polygons() -> None:
    box = shapely.box(0, 0, 3, 2)
    extra_vertex = shapely.Polygon([(0, 0), (1, 0), (3, 0), (3, 2), (0, 2)])
    rotated = shapely.Polygon([(1, 0), (2, 1), (1, 2), (0, 1)])
    with_hole = shapely.Polygon(box.exterior.coords, [[(1, 0.5), (2, 0.5), (2, 1)]])
    one_part = shapely.MultiPolygon([box])
    two_parts = shapely.MultiPolygon([box, shapely.box(5, 0, 6, 2)])
    polygons = np.array([box, extra_vertex, rotated, with_hole, one_part, two_parts], dtype=object)
    np.testing.assert_array_equal(is_box(polygons), [True, True, False, False, True, False])


def test_auto_gives_boxes_mitre_and_others_round_offsets() -> None:
    targets = np.array(
        [shapely.box(0, 0, 3, 2), crown(np.random.default_rng(0), "convex")], dtype=object
    )
    kinds = {
        type(offsets): rows.tolist()
        for rows, offsets in split_by_offsets(targets, IMAGE, None, ORIGIN)
    }
    assert kinds == {BoxOffsets: [0], PolygonOffsets: [1]}
    round_ones = split_by_offsets(targets, RandCrownsParameters(0.7, 1.2, 3, "round"), None, ORIGIN)
    assert [(rows.tolist(), offsets.is_mitre) for rows, offsets in round_ones] == [([0, 1], False)]
    square_ones = split_by_offsets(
        targets, RandCrownsParameters(0.7, 1.2, 3, "mitre"), None, ORIGIN
    )
    assert [(rows.tolist(), type(offsets)) for rows, offsets in square_ones] == [
        ([0], BoxOffsets),
        ([1], PolygonOffsets),
    ]


def test_a_box_in_a_polygon_extent_gives_what_it_gives_in_the_same_box() -> None:
    target = [shapely.box(2, 2, 8, 7)]
    box, slanted = (
        shapely.box(0, 0, 40, 9),
        shapely.Polygon([(0, 0), (40, 0), (40, 9), (20, 9.0001), (0, 9)]),
    )
    closed, offsets = regions_of(target, extent=box)
    buffered, other = regions_of(target, extent=slanted)
    assert isinstance(offsets, BoxOffsets)
    assert isinstance(other, PolygonOffsets)
    for name in ("certain_area", "tolerated_area", "edge_area", "tau"):
        assert getattr(closed, name)[0] == pytest.approx(getattr(buffered, name)[0], rel=1e-4)


@pytest.mark.parametrize("kind", KINDS)
def test_an_extent_with_room_lets_tau_grow_until_the_ratio_is_met(kind: str) -> None:
    target = crown(np.random.default_rng(2), kind, radius=2.5)
    free, _ = regions_of([target])
    cut, offsets = regions_of([target], extent=shapely.box(-3, -60, 60, 60))
    assert not cut.is_limited[0]
    assert cut.tau[0] > free.tau[0]
    assert cut.edge_area[0] - cut.tolerated_area[0] == pytest.approx(
        3 * cut.certain_area[0], rel=1e-7
    )
    assert offsets.polygons(cut.edge)[0].bounds[0] >= -3


@pytest.mark.parametrize("kind", KINDS)
def test_an_extent_without_room_stops_tau_and_says_so(kind: str) -> None:
    extent = shapely.box(-3, -3, 3, 3)
    regions, _ = regions_of([crown(np.random.default_rng(2), kind, radius=3)], extent=extent)
    assert regions.is_limited[0]
    assert regions.edge_area[0] == pytest.approx(extent.area, rel=1e-9)
    assert np.isfinite(regions.tau[0])


def test_a_target_narrower_than_twice_alpha_has_no_tau() -> None:
    for target in (
        shapely.box(0, 0, 1.3, 9),
        shapely.box(0, 0, 1.4, 9),
        shapely.Polygon([(0, 0), (9, 0), (0, 1)]),
    ):
        regions, _ = regions_of([target])
        assert np.isnan(regions.tau[0]) or regions.certain_area[0] < 1e-12
    assert regions_of([shapely.box(0, 0, 1.3, 9)])[0].certain_area[0] == 0


@pytest.mark.parametrize("extent", [None, (0, 0, 10, 10), (-9, 0, 2, 10)])
def test_a_rectangle_turned_inside_out_by_shrinking_is_empty(
    extent: tuple[int, ...] | None,
) -> None:
    # 2 m by 6 m and 1 m by 1 m: with 1.5 m less on every side the first has a width below 0, the
    # second a height too.
    found = BoxOffsets(
        np.array([[3.0, 1, 5, 7], [1, 1, 2, 2]]),
        None if extent is None else np.array(extent, dtype=float),
    )
    shapes = found.shapes_at(-1.5)
    assert found.area(shapes).tolist() == [0, 0]
    assert found.perimeter(shapes)[1] == 0
    assert shapely.is_empty(found.polygons(shapes)).all()
    assert len(found.edges(shapes).polygon) == 0


def test_gamma_zero_leaves_no_true_negative_region() -> None:
    regions, _ = regions_of(
        [crown(np.random.default_rng(3), "concave")], RandCrownsParameters(0.5, 1, 0)
    )
    assert regions.tau[0] == 0
    assert regions.edge_area[0] == regions.tolerated_area[0]


@pytest.mark.parametrize("field", ["alpha", "omega", "gamma"])
@pytest.mark.parametrize("value", [float("nan"), float("inf"), -0.1, 1e9])
def test_parameters_that_mean_nothing_are_refused(field: str, value: float) -> None:
    with raises("parameters.out_of_range") as caught:
        RandCrownsParameters(**{"alpha": 0.7, "omega": 1.2, "gamma": 3, field: value})
    assert field in str(caught.value.values["name"])


def test_offsets_and_segments_are_checked() -> None:
    with raises("parameters.unknown_offsets", kinds="auto, mitre, round"):
        RandCrownsParameters(0.7, 1.2, 3, offsets="square")
    with raises("parameters.invalid_segments"):
        RandCrownsParameters(0.7, 1.2, 3, quad_segs=0)


def test_an_extent_inside_a_hole_of_the_target_is_reached() -> None:
    ring = shapely.Point(0, 0).buffer(5).difference(shapely.Point(0, 0).buffer(3))
    regions, _ = regions_of(
        [ring], RandCrownsParameters(0.2, 0.3, 50, "round"), shapely.box(-4, -4, 4, 4)
    )
    assert regions.is_limited[0]
    assert regions.edge_area[0] == pytest.approx(64)
    assert regions.tau[0] == pytest.approx(3 - 0.3, abs=0.01)  # the middle of the hole
