from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from support.errors import raises
from support.examples import examples

from randcrowns.core.crowns import Crowns
from randcrowns.core.errors import InputError
from randcrowns.core.tuning.experiment import (
    count_crowns,
    exclude_unseen_crowns,
    find_shared_crowns,
    identical_annotators,
    name_layers,
)


def boxes(*corners, name="crowns", ids=None, groups=None, crs=""):
    return Crowns(shapely.box(*np.array(corners, dtype=float).T), ids, groups, name, crs)


A = boxes((0, 0, 4, 4), (10, 0, 14, 4), (20, 0, 24, 4), name="a", ids=[7, 8, 9])
B = boxes((10, 1, 14, 5), (0, 0, 4, 5), (20, 3.9, 24, 8), name="b")
C = boxes((0, 1, 4, 4), (10, 0, 15, 4), (50, 50, 54, 54), name="c")


def test_shared_crowns_of_three_annotators_and_reasons_of_exclusion():
    found = find_shared_crowns([A, B, C])
    assert found.annotators == ("a", "b", "c")
    assert found.ids.tolist() == [[7, 8], [1, 0], [0, 1]]
    assert (found.n_crowns, found.n_targets) == (2, 3)
    # Targets: a's crowns, b's, c's; positions 0 to 5.
    assert found.delineation_index.tolist() == [[2, 3, 0, 1, 0, 1], [4, 5, 4, 5, 2, 3]]
    left = found.excluded.set_index(["annotator", "crown_id"])["reason"]
    assert left.to_dict() == {
        ("a", 9): "its best match by b has an IoU of only 0.01",
        ("b", 2): "its best match by a has an IoU of only 0.01",
        ("c", 2): "a has no crown there",
    }


def test_drawn_and_shared_crowns_are_counted_by_plot():
    trees = [shapely.box(x, 0, x + 5, 5) for x in range(0, 60, 10)]
    ann = Crowns(trees[:5], plots=["q", "q", "p", "all", None], name="ann")
    ben = Crowns(trees[1:], [9, 8, 7, 6, 5], ["q", "p", "all", None, "p"], name="ben")
    dan = Crowns([*trees[:3], trees[4]], name="dan")
    counts = count_crowns([ann, ben, dan], find_shared_crowns([ann, ben, dan]))
    # All three drew the crowns 1, 2 and 4.
    assert counts.to_numpy().tolist() == [
        ["ann", None, 1, 1],
        ["ann", "all (2)", 1, 0],
        ["ann", "p", 1, 1],
        ["ann", "q", 2, 1],
        ["ann", "all", 5, 3],
        ["ben", None, 1, 1],
        ["ben", "all (2)", 1, 0],
        ["ben", "p", 2, 1],
        ["ben", "q", 1, 1],
        ["ben", "all", 5, 3],
        ["dan", "all", 4, 3],
    ]


def test_field_targets_are_counted_first():
    targets = boxes((0, 0, 4, 4), (30, 0, 34, 4), name="field")
    counts = count_crowns([targets, B, C], find_shared_crowns([B, C], targets))
    assert counts.to_numpy().tolist() == [
        ["field", "all", 2, 1],
        ["b", "all", 3, 1],
        ["c", "all", 3, 1],
    ]


def test_same_drawings_ignores_the_first_vertex():
    turned = Crowns(shapely.reverse(A.geometry)[::-1], name="turned")
    other = boxes((0, 0, 4, 4), (10, 0, 14, 4), (20, 0, 24, 4.5), name="one differs")
    assert identical_annotators(find_shared_crowns([A, turned, other])) == [("a", "turned")]
    assert identical_annotators(find_shared_crowns([A, other])) == []


def test_a_match_of_exactly_the_minimum_iou_is_no_reason():
    half = boxes((0, 0, 4, 2), (10, 0, 14, 4), name="half")
    far = boxes((10, 0, 14, 4), name="far")
    left = find_shared_crowns([A, half, far], min_iou=0.5).excluded.set_index(
        ["annotator", "crown_id"]
    )["reason"]
    assert left["a", 7] == left["half", 0] == "far has no crown there"


def test_a_match_has_to_be_mutual():
    large = boxes((0, 0, 10, 4), name="large")
    two = boxes((0, 0, 4, 4), (4, 0, 10, 4), name="two")
    found = find_shared_crowns([two, large])
    assert found.ids.tolist() == [[1], [0]]
    assert found.excluded["reason"].tolist() == [
        "its best match by large fits another crown better"
    ]


def test_reason_of_the_second_of_two_equal_crowns():
    twice = boxes((0, 0, 4, 4), (0, 0, 4, 4), (10, 0, 14, 4), name="twice", ids=[5, 6, 7])
    found = find_shared_crowns([twice, boxes((0, 0, 4, 5), (10, 0, 14, 5), name="once")])
    assert found.excluded["crown_id"].tolist() == [6]
    assert found.excluded["reason"].tolist() == [
        "its best match by once fits another crown just as well"
    ]


def test_all_pairs_of_drawings_have_to_match():
    first = boxes((0, 0, 4, 4), name="first")
    second = boxes((2, 0, 6, 4), name="second")
    third = boxes((0, 2, 4, 6), (3.8, 0, 7.8, 4), name="third")
    with raises("tuning.no_shared_crowns", names="first, second, third"):
        find_shared_crowns([first, second, third])
    with raises("tuning.no_shared_crowns"):
        find_shared_crowns([third, second, first])
    found = find_shared_crowns([second, third], first)
    assert found.ids.tolist() == [[0], [0], [0]]


def test_equal_matches_go_to_the_lowest_id():
    target = boxes((0, 0, 4, 4), name="target")
    halves = boxes((0, 0, 2, 4), (2, 0, 4, 4), name="halves", ids=[5, 3])
    assert find_shared_crowns([target, halves]).ids.tolist() == [[0], [3]]


def test_only_crowns_of_one_plot_match():
    first = boxes((0, 0, 4, 4), (0, 0, 4, 4.1), groups=["p", "q"], name="first")
    second = boxes((0, 0, 4, 4.1), (0, 0, 4, 4), groups=["p", "q"], name="second")
    assert find_shared_crowns([first, second]).ids.tolist() == [[0, 1], [0, 1]]


def test_field_targets_are_the_only_targets():
    found = find_shared_crowns([B, C], A)
    assert found.n_targets == 1
    assert found.delineation_index.tolist() == [[2, 3], [4, 5]]
    assert [crown.bounds for crown in found.targets] == [(0, 0, 4, 4), (10, 0, 14, 4)]
    assert found.excluded["annotator"].tolist() == ["a"]


def test_layers_get_distinct_names():
    array = A.geometry.copy()
    assert [c.name for c in name_layers([array, array])] == ["annotator 1", "annotator 2"]
    assert [c.name for c in name_layers([array, array], "targets")] == ["targets", "annotator 1"]
    assert [c.name for c in name_layers([A, A, A])] == ["a", "a (2)", "a (3)"]


@pytest.mark.parametrize(
    ("annotators", "expected"),
    [
        ([], raises("tuning.too_few_annotators")),
        ([A], raises("tuning.too_few_annotators")),
        ([A, boxes((90, 90, 91, 91))], raises("tuning.no_shared_crowns")),
        (
            [A, Crowns(np.empty(0, dtype=object), name="nobody")],
            raises("tuning.empty_layer", layer="nobody"),
        ),
        (
            [boxes((0, 0, 1, 1), crs="EPSG:32617"), boxes((0, 0, 1, 1), crs="EPSG:32611")],
            raises("crs.different", named="EPSG:32611, EPSG:32617"),
        ),
    ],
)
def test_invalid_layers_raise(annotators, expected):
    with expected:
        find_shared_crowns(annotators)


@pytest.mark.parametrize("min_iou", [-0.1, 1.1, np.nan])
def test_minimum_iou_is_checked(min_iou):
    with raises("tuning.invalid_minimum_iou"):
        find_shared_crowns([A, B], min_iou=min_iou)


def test_targets_without_annotators():
    with raises("tuning.no_annotator"):
        find_shared_crowns([], A)


@settings(max_examples=examples(25), deadline=None)
@given(st.integers(0, 10_000))
def test_shared_crowns_equal_an_exhaustive_search_in_any_order(seed):
    rng = np.random.default_rng(seed)
    layers = []
    for name in "abc":
        corner = rng.uniform(0, 12, (8, 2))
        layers.append(
            Crowns(
                shapely.box(*np.hstack([corner, corner + rng.uniform(2, 5, (8, 2))]).T), name=name
            )
        )

    match = {}
    for i, j in permutations(range(3), 2):
        p, q = layers[i].geometry[:, None], layers[j].geometry[None, :]
        iou = np.round(
            shapely.area(shapely.intersection(p, q)) / shapely.area(shapely.union(p, q)), 12
        )
        match[i, j] = [int(np.argmax(row)) if max(row) >= 0.1 else None for row in iou]
    slow = {
        rows
        for rows in product(range(8), repeat=3)
        if all(match[i, j][rows[i]] == rows[j] for i, j in permutations(range(3), 2))
    }
    for order in ((0, 1, 2), (2, 0, 1)):
        try:
            ids = find_shared_crowns([layers[i] for i in order]).ids
        except InputError:
            assert not slow
            continue
        back = np.argsort(order)
        assert {tuple(column) for column in ids[back].T} == slow


def test_crowns_outside_the_image_are_excluded_with_all_drawings():
    """Of the second crown b's drawing reaches into the image, a's and c's end at its edge."""
    everything = find_shared_crowns([A, B, C])
    found = exclude_unseen_crowns(
        everything, shapely.box(-5, -5, 9, 9).union(shapely.box(9.5, 4, 30, 30))
    )
    assert found.ids.tolist() == [[7], [1], [0]]
    assert found.delineation_index.tolist() == [[1, 0, 0], [2, 2, 1]]
    assert shapely.equals(found.geometry, everything.geometry[:, :1]).all()
    left = found.excluded.set_index(["annotator", "crown_id"])["reason"]
    assert len(left) == len(everything.excluded) + 3
    assert left["a", 8] == left["c", 1] == "outside the image extent"
    assert left["b", 0] == "its delineation by a is outside the image extent"


def test_the_second_crown_alone_may_be_on_the_image():
    found = exclude_unseen_crowns(find_shared_crowns([A, B, C]), shapely.box(9, -5, 30, 30))
    assert found.ids.tolist() == [[8], [0], [1]]
    assert [found.geometry.ravel()[row].bounds[0] for row in found.delineation_index.ravel()] == [
        10
    ] * 6


def test_only_targets_have_to_be_on_the_image():
    found = exclude_unseen_crowns(find_shared_crowns([B, C], A), shapely.box(-5, -5, 9, 9))
    assert found.delineation_index.tolist() == [[1], [2]]
    assert found.excluded["crown_id"].tolist() == [9, 8]
    none_lost = exclude_unseen_crowns(find_shared_crowns([A, C], B), shapely.box(-5, 4.5, 30, 30))
    assert none_lost.n_crowns == 2


def test_an_image_without_any_crown():
    with raises("tuning.outside_extent"):
        exclude_unseen_crowns(find_shared_crowns([A, B, C]), shapely.box(100, 100, 110, 110))
