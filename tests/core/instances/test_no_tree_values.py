"""Values that mean no tree, found from points.

The cloud: four trees of 10 points on a square of 2 m each, and 20 points of the ground over 40 m.
Widths and shares follow from these numbers.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import randcrowns
from randcrowns.core.instances.no_tree_values import find_no_tree_points
from randcrowns.core.instances.point_values import parse_no_tree_values_of_both

SQUARE = np.array([[0.0, 0], [2, 0], [2, 2], [0, 2], *[[1, 1]] * 6])
TREES = np.vstack([SQUARE + np.array([10.0 * number, 0]) for number in range(4)])
GROUND = np.column_stack([np.linspace(-4.0, 36, 20), np.zeros(20)])
TREE_IDS = np.repeat([1, 2, 3, 4], 10)


def find(ids, xy, no_tree=-1, is_invalid=None):
    """Return the values that mean no tree beside ``no_tree``, and the messages."""
    ids = np.asarray(ids)
    known = np.zeros(len(ids), dtype=bool) if is_invalid is None else is_invalid
    found = find_no_tree_points("a.las", "tree", ids, known, xy, no_tree)
    return sorted(set(ids[found.mask].tolist())), found.messages


def with_ground(ground_ids, tree_ids=TREE_IDS, ground=GROUND):
    return np.concatenate([tree_ids, ground_ids]), np.vstack([TREES, ground])


@pytest.mark.parametrize("kind", [np.int8, np.int32, np.int64, np.float32])
def test_zero_over_the_plot_means_no_tree(kind):
    ids, xy = with_ground(np.zeros(20))
    values, (message,) = find(ids.astype(kind), xy)
    assert values == [0]
    assert message.key == "cloud.further_no_tree"
    assert (message.values["width"], message.values["most"]) == (40.0, 2.0)
    assert message.values["share"] == pytest.approx(20 / 60)


def test_zero_beside_minus_one_means_no_tree_too():
    ids, xy = with_ground(np.where(np.arange(20) % 4, -1, 0))
    values, (message,) = find(ids, xy)
    assert (values, message.values["share"]) == ([0], pytest.approx(5 / 60))


@pytest.mark.parametrize("kind", [np.uint8, np.uint16, np.uint32])
def test_zero_beside_a_stored_minus_one_means_no_tree_too(kind):
    """The 5 points of 0 are fewer than the 15 of -1, but 40 m wide, and any tree 2 m."""
    ids, xy = with_ground(np.where(np.arange(20) % 4, -1, 0))
    ids, xy = np.append(ids, 0), np.vstack([xy, GROUND[-1:]])
    values, (message,) = find(ids.astype(kind), xy)
    assert (values, message.key) == ([0], "cloud.further_no_tree")
    assert (message.values["width"], message.values["most"]) == (40.0, 2.0)
    small = np.repeat([0, 1, 2, 3, np.iinfo(kind).max], [10, 10, 10, 10, 20]).astype(kind)
    assert find(small, np.vstack([TREES, GROUND])) == ([], [])
    in_use = np.where(small == 3, np.iinfo(kind).max - 1, small)
    assert find(in_use, np.vstack([TREES, GROUND]))[0] == []


@pytest.mark.parametrize("number", [255, 999, 9999, 65535, 99999])
def test_several_values_mean_no_tree(number):
    ids, xy = with_ground(np.tile([0, number, -100, -2], 5))
    values, messages = find(ids, xy)
    assert values == [-100, -2, 0, number]
    assert [message.key for message in messages] == [
        "cloud.negative_numbers",
        "cloud.further_no_tree",
        "cloud.further_no_tree",
    ]
    assert messages[0].values["numbers"] == "-100, -2"
    # The user set one of the values: 0 is then a tree, and the others are found.
    assert find(ids, xy, no_tree=number)[0] == [-100, -2]
    assert find(ids, xy, no_tree=0)[0] == [-100, -2, number]


def test_a_tree_like_others_stays_a_tree():
    xy = TREES
    assert find(TREE_IDS - 1, xy) == ([], [])
    ids, xy = with_ground(np.full(20, -1), TREE_IDS - 1)
    assert find(ids, xy) == ([], [])
    # Tree 9999 follows tree 9998, so that it is no placeholder.
    assert find(*with_ground(np.full(20, 9999), TREE_IDS + 9994)) == ([], [])


@pytest.mark.parametrize("number", [0, 9999])
def test_between_the_limits_a_warning_names_value_share_and_width(number):
    """The points spread over 4 m, twice as wide as a tree; another value means no tree."""
    ids, xy = with_ground(np.full(20, number), ground=GROUND / 10)
    is_invalid = np.zeros(60, dtype=bool)
    is_invalid[0] = True
    values, (message,) = find(ids, xy, is_invalid=is_invalid)
    assert (values, message.key) == ([], "cloud.doubtful_no_tree")
    assert message.values["share"] == pytest.approx(20 / 60)
    assert (message.values["width"], message.values["most"]) == pytest.approx((4.0, 2.0))


def test_without_another_value_twice_as_wide_and_as_many_points_suffice():
    wide = np.column_stack([np.linspace(0.0, 4.0, 21), np.zeros(21)])
    assert find(*with_ground(np.zeros(21), ground=wide))[0] == [0]
    values, messages = find(*with_ground(np.zeros(20), ground=GROUND / 10))  # 2.0 times as many
    assert (values, [message.key for message in messages]) == ([], ["cloud.doubtful_no_tree"])


def test_many_points_within_a_tree_width_make_a_warning():
    values, (message,) = find(*with_ground(np.zeros(40), ground=np.tile(SQUARE, (4, 1))))
    assert (values, message.key) == ([], "cloud.doubtful_size")
    # 40 points, and any tree has 10; 40 of 80 points.
    assert (message.values["ratio"], message.values["share"]) == (4.0, 0.5)
    assert "4.0 times as many as any other tree has" in str(message)


def test_a_tree_with_a_misplaced_point_hides_no_ground():
    """Tree 4 has a point 40 m away; all trees still stand among the points of the ground."""
    ground = GROUND + np.array([[0, -1], [0, 3]] * 10)
    ids, xy = with_ground(np.zeros(20), ground=ground)
    xy[39] = [-10, 0]
    values, (message,) = find(ids, xy, is_invalid=np.arange(60) == 0)
    assert (values, message.key) == ([], "cloud.doubtful_place")
    assert message.values["covered"] == 1.0
    # The widths, 40 and 42 m, would speak against the warning.
    assert "40 m" not in str(message)


def test_a_tree_with_a_few_misplaced_points_is_no_ground():
    """Two of 22 points of tree 0 lie at corners of the plot, so its box has all trees in it."""
    corners = np.array([[-5.0, -5], [40, 5]])
    tree = np.vstack([SQUARE + np.array([0, 3])] * 2 + [corners])
    ids, xy = with_ground(np.repeat(0, 22), ground=tree)
    xy[[9, 19, 29, 39]] = [[40, 5], [-5, -5], [-5, 5], [-5, 5]]
    assert find(ids, xy, is_invalid=np.arange(len(ids)) == 0) == ([], [])


def test_the_sample_cloud_has_no_doubtful_value():
    """Tree 0 of the sample is a tree: 972 of its 974 predicted points are those of target 0."""
    laspy = pytest.importorskip("laspy")
    cloud = laspy.read(Path(randcrowns.__file__).parent / "resources" / "sample" / "cloud.laz")
    ids, xy = np.array(cloud.predicted_id), np.column_stack([cloud.x, cloud.y])
    assert find(ids, xy, is_invalid=ids == -1) == ([], [])


def test_no_points_and_one_value_find_nothing():
    assert find(np.zeros(0, int), np.zeros((0, 2))) == ([], [])
    assert find(np.zeros(20, int), GROUND) == ([], [])
    assert find(np.full(20, -1), GROUND) == ([], [])


def test_large_clouds_are_measured_on_some_of_their_points():
    ids, xy = with_ground(np.zeros(20, int))
    values, (message,) = find(np.tile(ids, 8_000), np.tile(xy, (8_000, 1)))
    assert (values, message.values["share"]) == ([0], pytest.approx(20 / 60))


def test_listed_values_switch_the_search_off():
    targets, predictions = parse_no_tree_values_of_both((-1, 0), ("", ""))
    assert targets == ((-1,), True)
    assert predictions == ((0,), True)
    targets, predictions = parse_no_tree_values_of_both((-1, 0), ("", "9999"))
    assert (targets.finds_further, predictions.finds_further) == (True, False)
    assert parse_no_tree_values_of_both((-1, -1), ("-1", ""))[1].finds_further is False
