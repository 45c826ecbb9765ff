"""Agreement of annotators on the classes of crowns that they drew alike."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from support.errors import find_message

from randcrowns.core import Crowns
from randcrowns.core.agreement.consensus_of_crowns import crown_consensus
from randcrowns.core.classes import crown_class_agreement
from randcrowns.core.classes.consensus import with_classes


def boxes(n, shift=0.0):
    return [shapely.box(9 * x + shift, 0, 9 * x + 4 + shift, 4) for x in range(n)]


def drawn(classes, shift=0.0, rows=None):
    crowns = Crowns(boxes(len(classes), shift), classes=classes)
    return crowns if rows is None else crowns.subset(np.array(rows))


def test_pairs_by_hand():
    ann = drawn(["oak", "oak", "ash", "ash", None])
    ben = drawn(["oak", "ash", "ash", "ash", "oak"], shift=0.3)
    agreement = crown_class_agreement([{"Ben": ben, "Ann": ann}])
    (pair,) = agreement.pairs.to_dict("records")
    assert (pair["first"], pair["second"], pair["compared"]) == ("Ann", "Ben", 4)
    assert pair["agreement"] == 3 / 4
    # Ann gave half of the crowns class oak, Ben a quarter: equal by chance in 1/8 + 3/8.
    assert pair["kappa"] == pytest.approx((3 / 4 - 1 / 2) / (1 - 1 / 2))
    cells = agreement.confusion.set_index(["first_class", "second_class"])["crowns"].to_dict()
    assert cells == {("ash", "ash"): 2, ("oak", "ash"): 1, ("oak", "oak"): 1}


def test_who_did_not_draw_a_crown_did_not_rate_it():
    codes = np.array([[0, 0, 1, 1, np.nan], [0, 1, 1, np.nan, 0], [np.nan, 0, 1, 1, 0]])
    names = np.array(["ash", "oak"], dtype=object)
    layers = {}
    for number, row in enumerate(codes):
        rated = np.flatnonzero(~np.isnan(row))
        classes = names[np.nan_to_num(row).astype(int)]
        layers[f"annotator {number}"] = drawn(classes, 0.2 * number, rated)
    agreement = crown_class_agreement([layers])
    # 12 ratings, 6 of each class; only the second crown has unequal ones, 1 coincidence each way.
    assert agreement.overall.krippendorff_alpha == pytest.approx(1 - 11 * 1 / (6 * 6))
    assert agreement.n_compared == 5


@pytest.mark.parametrize("seed", range(5))
def test_the_order_of_annotators_and_crowns_has_no_effect(seed):
    rng = np.random.default_rng(seed)
    layers = {
        name: drawn(rng.choice(["oak", "ash"], 12), rng.uniform(0, 2)) for name in ("a", "b", "c")
    }
    mixed = {name: layers[name].subset(rng.permutation(12)) for name in rng.permutation([*layers])}
    first, second = (crown_class_agreement([images]) for images in (layers, mixed))
    assert first.pairs.equals(second.pairs)
    assert first.confusion.equals(second.confusion)


def test_images_are_counted_together_and_layers_without_classes_do_not_rate():
    classes = ["oak", "ash"]
    images = [
        {"a": drawn(classes), "b": drawn(classes)},
        {"a": drawn(["oak"] * 2), "b": drawn(classes)},
    ]
    agreement = crown_class_agreement(images)
    assert agreement.pairs["compared"].tolist() == [4]
    assert agreement.pairs["agreement"].tolist() == [3 / 4]
    bare = crown_class_agreement([{"a": drawn(classes), "b": Crowns(boxes(2))}])
    assert bare.n_compared == 0
    assert np.isnan(bare.pairs["kappa"]).all()


def test_crowns_outside_the_reviewed_area_of_their_annotator_are_not_rated():
    # Ann has reviewed the first two of three trees, and half of the third one minus a strip.
    ann, ben = drawn(["oak", "ash", "oak"]), drawn(["oak", "oak", "ash"])
    reviewed = {"Ann": shapely.box(-1, -1, 19.9, 9)}
    everywhere = crown_class_agreement([{"Ann": ann, "Ben": ben}])
    agreement = crown_class_agreement([{"Ann": ann, "Ben": ben}], reviewed=[reviewed])
    assert (everywhere.n_compared, agreement.n_compared) == (3, 2)
    assert agreement.pairs.loc[0, "agreement"] == 1 / 2
    assert everywhere.pairs.loc[0, "agreement"] == 1 / 3
    find_message(agreement.messages, "agreement.unreviewed_crowns", count=1)
    assert [message.key for message in everywhere.messages] == ["agreement.classes"]


def test_one_outline_with_two_classes_has_the_first_class_in_each_order():
    tree = boxes(1)
    ben = Crowns(tree, classes=["ash"])
    for classes in (["oak", "ash"], ["ash", "oak"]):
        ann = Crowns(tree * 2, classes=classes)
        agreement = crown_class_agreement([{"Ann": ann, "Ben": ben}])
        assert agreement.pairs.loc[0, "agreement"] == 1
        assert agreement.n_compared == 1
        find_message(agreement.messages, "classes.same_outline", count=1)
        layers = {"Ann": ann, "Ben": ben}
        consensus = with_classes(crown_consensus(layers), layers)
        assert consensus.table["crown_class"].tolist() == ["ash"]
        find_message(consensus.messages, "classes.same_outline", count=1)
    # The same class twice is no contradiction.
    twice = {"Ann": Crowns(tree * 2, classes=["ash", "ash"]), "Ben": ben}
    assert [message.key for message in crown_class_agreement([twice]).messages] == [
        "agreement.classes"
    ]


@pytest.mark.parametrize("seed", range(5))
def test_doubled_outlines_and_reviewed_areas_have_no_order(seed):
    rng = np.random.default_rng(seed)
    reviewed = {"b": shapely.box(0, 0, 60, 9)}
    layers = {}
    for name in ("a", "b", "c"):
        outlines = boxes(10, rng.uniform(0, 1))
        rows = np.concatenate([np.arange(10), rng.integers(0, 10, 5)])
        classes = rng.choice(["oak", "ash", None], 15)
        layers[name] = Crowns(np.array(outlines)[rows], classes=classes)
    mixed = {name: layers[name].subset(rng.permutation(15)) for name in rng.permutation([*layers])}
    first, second = (
        crown_class_agreement([images], reviewed=[reviewed]) for images in (layers, mixed)
    )
    assert first.table.equals(second.table)
    assert first.confusion.equals(second.confusion)
    assert first[3:] == second[3:]
    tables = [
        with_classes(crown_consensus(images, reviewed=reviewed), images).table
        for images in (layers, mixed)
    ]
    assert tables[0].equals(tables[1])
