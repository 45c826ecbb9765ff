from __future__ import annotations

import numpy as np
import pytest
import shapely

from randcrowns.core.crowns import Crowns
from randcrowns.core.tuning.experiment import find_shared_crowns
from randcrowns.core.tuning.wrong_pairs import MAX_WRONG_TARGETS, WRONG_KINDS, make_wrong_pairs


def row_of_boxes(n, n_annotators=3):
    x = 10.0 * np.arange(n)
    return [Crowns(shapely.box(x + i / 10, 0, x + 4, 4), name=f"a{i}") for i in range(n_annotators)]


def iou(first, second):
    return shapely.area(shapely.intersection(first, second)) / shapely.area(
        shapely.union(first, second)
    )


def spread_boxes(n_annotators=3, n=24):
    """Return boxes in whole millimetres, which each annotator draws slightly differently."""
    rng = np.random.default_rng(3)
    corner = rng.uniform(0, 40, (n, 2))
    layers = []
    for i in range(n_annotators):
        low = np.round(corner + rng.normal(0, 0.2, (n, 2)), 3)
        layers.append(
            Crowns(
                shapely.box(*low.T, *(low + np.round(rng.uniform(3, 4, (n, 2)), 3)).T), name=f"a{i}"
            )
        )
    return layers


def outlines(experiment, wrong):
    """Return the bounds of each target's wrong delineations by the bounds of the target."""
    everything = np.concatenate([experiment.geometry.ravel(), wrong.copies])
    found = {}
    for target, column in zip(experiment.targets, wrong.delineation_index.T):
        drawn = sorted(
            np.round(shapely.bounds(everything[i]), 6).tolist() for i in column if i >= 0
        )
        found[tuple(np.round(shapely.bounds(target), 6))] = drawn
    return found


def test_iou_of_wrong_copies():
    experiment = find_shared_crowns(row_of_boxes(6))
    wrong = make_wrong_pairs(experiment)
    everything = np.concatenate([experiment.geometry.ravel(), wrong.copies])
    values = iou(experiment.targets, everything[wrong.delineation_index])
    assert wrong.delineation_index.shape == (2 * 4 + 6, 18)
    assert wrong.kind_index.tolist() == [0] * 8 + [1] * 4 + [2, 3]
    assert WRONG_KINDS == ("neighbours", "shifted", "shrunk", "grown")
    assert values[8:12] == pytest.approx(0.1 / 1.9)
    assert values[12] == pytest.approx(1 / 9)
    assert values[13] == pytest.approx(1 / 4)
    moved = shapely.get_coordinates(shapely.centroid(everything[wrong.delineation_index[8:12]]))
    moved -= np.tile(shapely.get_coordinates(shapely.centroid(experiment.targets)), (4, 1))
    assert moved.reshape(4, 18, 2)[:, 0] == pytest.approx(
        3.6 * np.array([[1, 0], [0, 1], [-1, 0], [0, -1]])
    )


@pytest.mark.parametrize("field", [False, True])
def test_neighbours_are_the_four_nearest_crowns_by_each_other_annotator(field):
    layers = spread_boxes()
    experiment = (
        find_shared_crowns(layers[1:], layers[0], 0.05)
        if field
        else find_shared_crowns(layers, min_iou=0.05)
    )
    n = experiment.n_crowns
    assert n > 8
    centre = shapely.centroid(experiment.geometry)
    neighbours = make_wrong_pairs(experiment).delineation_index[:8]
    for target, found in enumerate(neighbours.T):
        own, crown = divmod(target, n)
        expected = []
        for annotator in sorted({0, 1, 2} - {own}):
            distance = shapely.distance(centre[own, crown], centre[annotator])
            distance[crown] = np.inf
            expected += (annotator * n + np.argsort(distance)[:4]).tolist()
        assert sorted(found) == sorted(expected)


@pytest.mark.parametrize(("n", "apart"), [(2, [1]), (3, [1, 2]), (4, [1, 2, 3])])
def test_few_crowns(n, apart):
    experiment = find_shared_crowns(row_of_boxes(n))
    wrong = make_wrong_pairs(experiment)
    neighbours = wrong.delineation_index[wrong.kind_index == 0]
    assert len(neighbours) == 2 * (n - 1)
    assert np.unique(np.abs(neighbours % n - np.arange(3 * n) % n)).tolist() == apart
    assert (np.sort(neighbours, axis=0)[1:] != np.sort(neighbours, axis=0)[:-1]).all()


def test_a_lonely_crown_has_no_neighbour():
    wrong = make_wrong_pairs(find_shared_crowns(row_of_boxes(1)))
    assert wrong.kind_index.tolist() == [1] * 4 + [2, 3]
    assert (wrong.delineation_index >= 0).all()


@pytest.mark.parametrize("most_targets", [17, MAX_WRONG_TARGETS])
def test_order_and_last_digits_do_not_change_wrong_pairs(most_targets):
    """Test centres on half millimetres, and, in a grid of boxes, crowns at equal distances."""
    x, y = 6.0 * np.array(np.divmod(np.arange(30), 6))
    grid = [Crowns(shapely.box(x, y, x + 4 + i / 1000, y + 4), name=f"g{i}") for i in range(3)]
    rng = np.random.default_rng(0)
    for layers in (spread_boxes(), grid):
        experiment = find_shared_crowns(layers, min_iou=0.05)
        expected = outlines(experiment, make_wrong_pairs(experiment, max_targets=most_targets))
        for _ in range(5):
            shuffled = []
            for layer in (layers[i] for i in rng.permutation(3)):
                bounds = shapely.bounds(layer.geometry)[rng.permutation(len(layer))]
                noisy = bounds + rng.normal(0, 1e-8, bounds.shape)
                shuffled.append(Crowns(shapely.box(*noisy.T), name=layer.name))
            experiment = find_shared_crowns(shuffled, min_iou=0.05)
            assert (
                outlines(experiment, make_wrong_pairs(experiment, max_targets=most_targets))
                == expected
            )


def test_targets_are_selected_evenly_from_west_to_east():
    wrong = make_wrong_pairs(find_shared_crowns(row_of_boxes(8)), max_targets=10)
    chosen = (wrong.delineation_index >= 0).all(axis=0)
    assert chosen.sum() == 10
    assert (wrong.delineation_index[:, ~chosen] == -1).all()
    crowns = np.sort(np.flatnonzero(chosen) % 8)
    assert set(crowns) == set(range(8))
    assert len(wrong.copies) == 60
