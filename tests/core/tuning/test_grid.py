from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.interpolate import PchipInterpolator
from shapely import affinity
from support.crowns import KINDS, ODD_KINDS, crown, odd_crown, random_pairs
from support.examples import examples

from randcrowns.core.scoring.offsets import BoxOffsets
from randcrowns.core.scoring.parameters import RandCrownsParameters
from randcrowns.core.scoring.score import score_pairs
from randcrowns.core.tuning.grid import ParameterGrid, compute_areas, score_sets
from randcrowns.core.tuning.tables import (
    SlotOverlaps,
    Slots,
    _find_cells,
    _monotone_slopes,
    _node_distances,
    refine_nodes,
    tabulate_nodes,
)

SPACE = ParameterGrid(
    np.array([0.0, 0.1, 0.4, 0.7, 1.0]),
    np.array([0.0, 0.1, 0.3, 1.2, 3.0]),
    np.array([0.0, 1, 3, 7]),
)


def scene(seed, kinds, drawn_kinds, n=30, n_slots=4):
    rng = np.random.default_rng(seed)
    targets = np.array(
        [
            crown(rng, kinds[i % len(kinds)], 400_000 + 20 * i, 3_285_000, rng.uniform(2, 4.5))
            for i in range(n)
        ]
    )
    drawn, index = [], np.full((n_slots, n), -1)
    for slot in range(n_slots):
        for i in range(n):
            if rng.random() < 0.1:
                continue
            index[slot, i] = len(drawn)
            kind = drawn_kinds[(i + slot) % len(drawn_kinds)]
            place = targets[i].centroid.coords[0] + rng.normal(0, 1.5, 2)
            drawn.append(crown(rng, kind, *place, rng.uniform(1.5, 6)))
    return targets, np.array(drawn), index


def largest_difference(targets, drawn, index, space, **kwargs):
    """Return the largest difference between scores of the grid and direct ones.

    It is taken over sets in which any two values of two parameters occur together.
    """
    parts = compute_areas(targets, drawn, index, space, **kwargs)
    direct_offsets, extent = kwargs.get("offsets", "auto"), kwargs.get("extent")
    slot, target = np.nonzero(index >= 0)
    worst, meeting = 0.0, min(map(len, space))
    for o, omega in enumerate(space.omegas):
        found = np.zeros((len(space.alphas), len(space.gammas), *index.shape))
        for part in parts:
            scores = score_sets(part.areas, o, space.gammas)
            found[:, :, : scores.shape[2], part.rows] = scores
        for a, alpha in enumerate(space.alphas):
            for g, gamma in enumerate(space.gammas):
                if (a + o + g) % meeting:
                    continue
                parameters = RandCrownsParameters(alpha, omega, gamma, direct_offsets)
                direct = score_pairs(
                    targets[target], drawn[index[slot, target]], parameters, extent
                )["randcrowns"]
                got = found[a, g, slot, target]
                worst = max(worst, np.abs(got - direct.fillna(0.0)).max())
    return worst


def test_boxes_are_exact():
    assert largest_difference(*scene(1, ["box"], ["box"]), SPACE) < 1e-9


@pytest.mark.parametrize(
    ("kinds", "drawn_kinds"),
    [(KINDS[1:], KINDS[1:]), (["box"], ["convex", "box"]), (["convex", "box"], ["box"])],
)
def test_tables_are_within_a_thousandth(kinds, drawn_kinds):
    space = SPACE._replace(omegas=np.array([0.0, 0.3, 1.2]))
    assert largest_difference(*scene(2, kinds, drawn_kinds, 24, 3), space, step=0.1) < 1e-3


def test_other_offsets():
    space = SPACE._replace(omegas=np.array([0.3, 1.2]), alphas=np.array([0.1, 0.7]))
    few = scene(3, ["box", "concave"], ["box", "concave"], 12, 2)
    assert largest_difference(*few, space, offsets="round") < 1e-3
    assert largest_difference(*few, space, offsets="mitre") < 1e-3


def test_tables_of_any_relative_position():
    """Test tiny true positive regions, gaps that close and outlines with common edges."""
    pairs = list(random_pairs(5, 200))
    targets = np.array([shapely.transform(t, lambda xy: xy + 4e5) for _, t, _ in pairs])
    drawn = np.array([shapely.transform(d, lambda xy: xy + 4e5) for _, _, d in pairs])
    space = ParameterGrid(
        np.array([0.7, 0.9, 1.0]), np.array([0.4, 1.2]), np.array([1.0, 2.0, 7.0])
    )
    assert largest_difference(targets, drawn, np.arange(200)[None], space) < 1e-3


def odd_scene(seed, n=28):
    """Return combs, stars and crowns in parts, with four delineations each.

    These are slightly moved copies, small crowns, large ones, and copies whose edges coincide.
    """
    rng = np.random.default_rng(seed)
    corner = np.array([403_560.0, 3_285_160.0])
    targets, drawn = [], [[], [], [], []]
    for i in range(n):
        place = corner + np.array([20.0 * i, 0.0])
        own = odd_crown(rng, ODD_KINDS[i % 7], rng.uniform(1, 5))
        small, large = (
            affinity.scale(
                odd_crown(rng, ODD_KINDS[rng.integers(7)], rng.uniform(1, 5)), size, size
            )
            for size in (0.15, 3.0)
        )
        moves = (
            rng.normal(0, 0.5, 2),
            rng.normal(0, 2, 2),
            rng.normal(0, 2, 2),
            (1.2 * (i % 2), 0.7),
        )
        targets.append(affinity.translate(own, *place))
        for slot, shape, move in zip(drawn, (own, small, large, own), moves):
            slot.append(affinity.translate(shape, *(place + move)))
    return np.array(targets), np.concatenate(drawn), np.arange(4 * n).reshape(4, n)


@pytest.mark.parametrize("seed", [6, 8])
def test_combs_and_crowns_in_parts_are_within_a_thousandth(seed):
    space = ParameterGrid(
        np.array([0.1, 0.4, 0.7, 1.0]), np.array([0.1, 0.6, 1.2]), np.array([1.0, 3.0, 7.0])
    )
    assert largest_difference(*odd_scene(seed), space) < 1e-3


@settings(max_examples=examples(12), deadline=None)
@given(
    st.integers(0, 2**16),
    st.lists(st.floats(0.1, 1.0), min_size=1, max_size=3, unique=True),
    st.floats(0.0, 1.5),
    st.floats(0.1, 7.0),
    st.sampled_from([0.05, 0.1, 0.2]),
)
@example(312, [1.0], 2.2e-313, 1.0, 0.05)
@example(113, [1.0], 0.0, 1.5594756848273255, 0.05)
def test_any_grid_over_any_crowns(seed, alphas, omega, gamma, step):
    targets, drawn, index = scene(seed, KINDS, KINDS, 5, 3)
    space = ParameterGrid(
        np.array(sorted(alphas)), np.array([omega, omega + 0.3]), np.array([gamma])
    )
    assert largest_difference(targets, drawn, index, space, step=step) < 1e-3


@pytest.mark.parametrize("side", ["close", "beside", "parts"])
def test_targets_at_the_edge_of_an_image(side):
    """Test an extent with too little room for gamma, one that clips targets, one of two parts."""
    targets, drawn, index = scene(6, KINDS, KINDS, 10, 3)
    xmin, ymin, xmax, ymax = shapely.total_bounds(targets)
    extent = {
        "close": shapely.box(xmin - 1, ymin + 0.5, xmax + 0.3, ymax + 0.2),
        "beside": shapely.box(xmin + 1, ymin - 50, xmax + 50, (ymin + ymax) / 2),
        "parts": shapely.union(
            shapely.box(xmin, ymin, xmax, ymax), shapely.box(xmin, ymax + 5, xmax, ymax + 9)
        ),
    }[side]
    space = ParameterGrid(np.array([0.1, 0.7]), np.array([0.3, 1.2]), np.array([1.0, 7.0]))
    assert largest_difference(targets, drawn, index, space, extent=extent) < 1e-3
    near = shapely.buffer(targets[:1], 0.5)[0].envelope
    assert largest_difference(targets[:1], drawn, index[:, :1], space, extent=near) < 1e-3


def test_cells_with_large_errors_are_split():
    """The cell around a corner of O is split, distant cells are not."""
    target = np.array([shapely.box(0, 0, 4, 4)])
    offsets = BoxOffsets(shapely.bounds(target))
    slots = Slots(np.array([shapely.box(-0.55, -0.55, 4.55, 4.55)]), np.array([[0]]))
    omegas = np.array([0.1, 1.0])
    overlaps = SlotOverlaps(offsets, slots, np.array([16.0]))
    nodes = tabulate_nodes(offsets, overlaps, np.array([[True]]), omegas, np.array([5.0]), 0.1)
    more = refine_nodes(nodes, offsets, slots, omegas, np.array([1.0, 3.0]), np.array([[0.05]]))
    added = np.setdiff1d(more.distance, nodes.distance)
    assert len(added) > 0
    assert np.abs(added - 0.55).min() < 0.03
    assert ((added > 0.3) & (added < 0.8)).all()
    assert more.shared[:, 0, 0] == pytest.approx(np.minimum(4 + 2 * more.distance[:, 0], 5.1) ** 2)
    assert (np.diff(more.area[:, 0]) > 0).all()


def test_too_small_targets_have_no_true_positive_region():
    targets = np.array(
        [shapely.box(0, 0, 1.4, 5), shapely.Point(20, 0).buffer(0.5), shapely.box(40, 0, 44, 4)]
    )
    space = ParameterGrid(np.array([0.1, 0.7]), np.array([0.5]), np.array([3.0]))
    parts = compute_areas(targets, targets.copy(), np.arange(3)[None], space)
    certain = np.empty((2, 3))
    for part in parts:
        certain[:, part.rows] = part.areas.certain_area
        scores = score_sets(part.areas, 0, space.gammas)
        assert np.isfinite(scores).all()
        assert (
            scores[:, 0][np.repeat(part.areas.certain_area[:, None] == 0, scores.shape[2], axis=1)]
            == 0
        ).all()
    assert (certain > 0).tolist() == [[True, True, True], [False, False, True]]


def test_node_distances_include_the_omegas():
    omegas = np.array([0.1, 0.25, 1.0])
    distances = _node_distances(omegas, 0.1)
    assert np.isin(omegas, distances).all()
    steps = np.diff(distances)
    assert (steps > 0).all()
    assert steps[distances[1:] <= 1.0].max() <= 0.1 + 1e-9
    assert _node_distances(np.array([0.0]), 0.05)[:3] == pytest.approx([0, 0.05, 0.1])


def test_slopes_are_those_of_pchip():
    rng = np.random.default_rng(0)
    x = np.cumsum(rng.uniform(0.1, 1, 12))
    y = np.cumsum(np.maximum(rng.normal(0.5, 1, (12, 5)), 0), axis=0)
    mine = _monotone_slopes(x[:, None], y)
    assert mine[1:-1] == pytest.approx(PchipInterpolator(x, y).derivative()(x)[1:-1])


def test_cells_are_found_per_column():
    rng = np.random.default_rng(0)
    nodes = np.cumsum(rng.uniform(0.5, 2, (9, 4)), axis=0)
    wanted = rng.uniform(nodes[0], nodes[-1] + 3, (50, 4))
    slow = np.stack(
        [np.clip(np.searchsorted(nodes[:, t], wanted[:, t], "right") - 1, 0, 7) for t in range(4)],
        axis=1,
    )
    assert (_find_cells(nodes, wanted) == slow).all()
    assert (_find_cells(nodes, nodes) == np.minimum(np.arange(9), 7)[:, None]).all()
