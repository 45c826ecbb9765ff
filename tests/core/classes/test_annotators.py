"""Agreement of annotators on the classes of crowns that they drew alike."""

from __future__ import annotations

import numpy as np
import pytest
import shapely

from randcrowns.core import Crowns
from randcrowns.core.classes import crown_class_agreement


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
