from __future__ import annotations

import numpy as np
import pytest
import shapely

from randcrowns.core.crowns import Crowns
from randcrowns.core.errors import InputError
from randcrowns.core.shared_crowns import against_targets, cross_validation
from randcrowns.core.wrong_pairs import FIRST_OF_KIND, WRONG_KINDS, Spoiling, wrong_pairs


def row_of_boxes(n, n_annotators=3):
    x = 10.0 * np.arange(n)
    return [Crowns(shapely.box(x + i / 10, 0, x + 4, 4), name=f"a{i}") for i in range(n_annotators)]


def iou(first, second):
    return shapely.area(shapely.intersection(first, second)) / shapely.area(shapely.union(first, second))


def test_copies_are_as_wrong_as_said():
    experiment = cross_validation(row_of_boxes(6))
    wrong = wrong_pairs(experiment)
    everything = np.concatenate([experiment.geometry.ravel(), wrong.copies])
    values = iou(experiment.targets, everything[wrong.delineation])
    assert wrong.delineation.shape == (7, 18)
    assert len(FIRST_OF_KIND) == len(WRONG_KINDS)
    assert values[1:5] == pytest.approx(0.1 / 1.9)
    assert values[5] == pytest.approx(1 / 9)
    assert values[6] == pytest.approx(1 / 4)
    moved = shapely.get_coordinates(shapely.centroid(everything[wrong.delineation[1:5]]))
    moved -= np.tile(shapely.get_coordinates(shapely.centroid(experiment.targets)), (4, 1))
    assert moved.reshape(4, 18, 2)[:, 0] == pytest.approx(3.6 * np.array([[1, 0], [0, 1], [-1, 0], [0, -1]]))


def test_neighbours_are_near_other_crowns_by_other_labelers():
    experiment = cross_validation(row_of_boxes(12))
    neighbour = wrong_pairs(experiment, seed=4).delineation[0]
    labeler, crown = np.divmod(neighbour, 12)
    own, target = np.divmod(np.arange(36), 12)
    assert (labeler != own).all()
    apart = np.abs(crown - target)
    assert apart.min() == 1
    assert apart.max() <= 4
    assert (apart[(target > 1) & (target < 10)] <= 2).all()
    assert len(np.unique(crown - target)) >= 4


def test_field_targets_get_neighbours_drawn_by_annotators():
    field, *image = row_of_boxes(5)
    experiment = against_targets(field, image)
    neighbour = wrong_pairs(experiment).delineation[0]
    assert ((neighbour >= 5) & (neighbour < 15)).all()
    assert (neighbour % 5 != np.arange(5)).all()


@pytest.mark.parametrize(("n", "apart"), [(2, {1}), (3, {1, 2})])
def test_few_crowns(n, apart):
    experiment = cross_validation(row_of_boxes(n))
    neighbour = wrong_pairs(experiment).delineation[0]
    assert set(np.abs(neighbour % n - np.arange(3 * n) % n)) <= apart


def test_a_lonely_crown_has_no_neighbour():
    assert (wrong_pairs(cross_validation(row_of_boxes(1))).delineation[0] == -1).all()


def test_the_same_seed_gives_the_same_pairs():
    experiment = cross_validation(row_of_boxes(8))
    first, again, other = (wrong_pairs(experiment, seed=seed) for seed in (1, 1, 2))
    assert (first.delineation == again.delineation).all()
    assert shapely.equals_exact(first.copies, again.copies).all()
    assert (first.delineation != other.delineation).any()


def test_at_most_so_many_targets():
    wrong = wrong_pairs(cross_validation(row_of_boxes(8)), most_targets=10)
    chosen = (wrong.delineation >= 0).sum(axis=1)
    assert chosen.tolist() == [10] * 7
    assert (wrong.delineation >= 0).all(axis=0).sum() == 10


@pytest.mark.parametrize("amounts", [{"shift": 0}, {"shrink": 1}, {"grow": 1}, {"shift": np.nan}, {"grow": np.inf}])
def test_amounts_that_are_not_wrong(amounts):
    with pytest.raises(InputError, match="Wrong copies"):
        Spoiling(**amounts)
