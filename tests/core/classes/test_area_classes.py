"""Agreement on the classes of areas, compared with krippendorff, irrCAC and scikit-learn."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import shapely
from support.errors import find_message

from randcrowns.core.classes import area_classes
from randcrowns.core.classes.agreement import ClassRatings, Scale, class_agreement
from randcrowns.core.classes.area_classes import (
    AREA_COLUMNS,
    ClassScale,
    add_area_confusion,
    area_class_agreement,
    compare_area_ratings,
    rate_pixels,
)
from randcrowns.core.classes.values import NO_CLASS
from randcrowns.core.crowns import Crowns

LABELS = np.array(["ash", "oak", "pine"], dtype=object)
#: Values of krippendorff, irrCAC and scikit-learn for random ratings, see test_agreement.py.
CASES = json.loads(
    (Path(__file__).parent / "data" / "outside_values.json").read_text(encoding="utf-8")
)["ratings"]


def crowns_of(cells: np.ndarray) -> Crowns:
    """Return the unit squares (7, 6) of an annotator with a class; -1 for none."""
    row, column = np.nonzero(cells >= 0)
    return Crowns(shapely.box(column, row, column + 1, row + 1), classes=LABELS[cells[row, column]])


@pytest.mark.parametrize("case", CASES)
def test_unit_squares_have_the_agreement_of_units(case: dict) -> None:
    ratings = np.array(case["ratings"], dtype=object)
    layers = {}
    for column, own in enumerate(ratings.T):
        rows = np.flatnonzero([value is not None for value in own])
        layers[f"annotator {column}"] = Crowns(
            shapely.box(rows, 0, rows + 1, 1), classes=[str(own[row]) for row in rows]
        )
    table = area_class_agreement([(layers, None)]).table
    overall = table.iloc[0]
    assert overall["area_agreement"] == pytest.approx(case["pa"], abs=1e-10)
    assert overall["area_kappa"] == pytest.approx(case["fleiss"], abs=1e-10)
    # An area has no smallest unit: the expected disagreement is that with replacement.
    n_rated = np.array([sum(value is not None for value in row) for row in ratings])
    n = n_rated[n_rated >= 2].sum()
    expected = 1 - (1 - case["alpha_nominal"]) * n / (n - 1)
    assert overall["area_alpha"] == pytest.approx(expected, abs=1e-10)
    assert overall["area"] == pytest.approx((n_rated >= 2).sum())
    first = table.iloc[1]
    assert (first["first"], first["second"]) == ("annotator 0", "annotator 1")
    assert first["area_kappa"] == pytest.approx(case["kappa_identity"], abs=1e-10)


def test_outlines_that_differ_count_where_both_lie() -> None:
    ann = Crowns([shapely.box(0, 0, 4, 2), shapely.box(4, 0, 6, 2)], classes=["oak", "ash"])
    ben = Crowns([shapely.box(1, 0, 5, 2)], classes=["oak"])
    table = area_class_agreement([({"ann": ann, "ben": ben}, None)]).table
    assert table.loc[1, ["area", "area_agreement"]].tolist() == pytest.approx([8, 6 / 8])


def test_the_study_area_limits_the_ground_and_plots_are_added() -> None:
    ann = Crowns([shapely.box(0, 0, 4, 2)], classes=["oak"])
    ben = Crowns([shapely.box(0, 0, 4, 2)], classes=["ash"])
    plots = [({"ann": ann, "ben": ben}, shapely.box(0, 0, 1, 2)), ({"ann": ann, "ben": ann}, None)]
    table = area_class_agreement(plots).table
    assert table.loc[1, ["area", "area_agreement"]].tolist() == pytest.approx([10, 8 / 10])


def test_ground_with_several_classes_of_one_annotator_has_none_and_is_counted() -> None:
    ann = Crowns([shapely.box(0, 0, 4, 2), shapely.box(3, 0, 6, 2)], classes=["oak", "ash"])
    ben = Crowns([shapely.box(0, 0, 6, 2)], classes=["oak"])
    agreement = area_class_agreement([({"ann": ann, "ben": ben}, None)])
    assert agreement.table.loc[1, "area"] == pytest.approx(10)
    assert [message.key for message in agreement.messages] == [
        "agreement.area_classes",
        "agreement.overlapping_classes",
    ]
    find_message(agreement.messages, "agreement.overlapping_classes", area=pytest.approx(2))


def test_the_order_of_annotators_and_crowns_changes_nothing() -> None:
    rng = np.random.default_rng(2)
    cells = rng.integers(-1, 3, (3, 7, 6))
    layers = dict(zip("abc", map(crowns_of, cells)))
    expected = area_class_agreement([(layers, None)]).table
    turned = {name: layers[name].subset(np.arange(len(layers[name]))[::-1]) for name in "cab"}
    found = area_class_agreement([(turned, None)]).table
    assert found[["first", "second"]].equals(expected[["first", "second"]])
    columns = list(AREA_COLUMNS)
    np.testing.assert_allclose(found[columns].astype(float), expected[columns].astype(float))


def test_who_has_no_classes_rates_nothing() -> None:
    plain = Crowns([shapely.box(0, 0, 1, 1)])
    agreement = area_class_agreement([({"a": plain, "b": plain}, None)])
    assert agreement.table["area"].tolist() == [0, 0]
    assert agreement.messages == []


def test_too_many_annotators_with_classes_are_not_overlaid() -> None:
    boxes = shapely.box(np.arange(2.0), 0, np.arange(2.0) + 1, 1)
    own = Crowns(boxes, classes=["oak", "ash"])
    agreement = area_class_agreement([({f"a{number}": own for number in range(33)}, None)])
    assert not len(agreement.table)
    assert [message.key for message in agreement.messages] == ["agreement.too_many_classes"]
    find_message(agreement.messages, "agreement.too_many_classes", annotators=33, classes=2)


def test_twelve_annotators_with_six_classes_are_compared() -> None:
    rng = np.random.default_rng(1)
    labels = np.array(["ash", "beech", "elm", "lime", "oak", "pine"], dtype=object)
    truth = rng.integers(0, 6, 30)
    ratings = np.where(rng.random((12, 30)) < 0.7, truth, rng.integers(0, 6, (12, 30)))
    x = np.arange(30.0)
    squares = shapely.box(x, 0, x + 1, 1)
    layers = {
        f"annotator {number:02}": Crowns(squares, classes=labels[own])
        for number, own in enumerate(ratings)
    }
    agreement = area_class_agreement([(layers, None)])
    assert [message.key for message in agreement.messages] == ["agreement.area_classes"]
    expected = class_agreement(ClassRatings.from_ratings(labels[ratings].T))
    overall = agreement.table.iloc[0]
    assert overall["area"] == pytest.approx(30)
    assert overall["area_agreement"] == pytest.approx(expected.raw_agreement, abs=1e-9)
    assert overall["area_kappa"] == pytest.approx(expected.fleiss_kappa, abs=1e-9)
    assert overall["area_ac1"] == pytest.approx(expected.gwet_ac1, abs=1e-9)
    assert len(agreement.table) == 1 + 12 * 11 // 2


@pytest.mark.parametrize("seed", range(3))
def test_shared_layers_give_the_numbers_of_a_layer_per_class(monkeypatch, seed: int) -> None:
    # Crowns of five classes or none overlap; one annotator reviewed a part only.
    rng = np.random.default_rng(seed)
    labels = np.array(["ash", "beech", "elm", "lime", "oak", None], dtype=object)
    layers = {}
    for name in ("ann", "ben"):
        corner = rng.uniform(0, 20, (25, 2))
        boxes = shapely.box(*corner.T, *(corner + 4).T)
        layers[name] = Crowns(boxes, classes=labels[rng.integers(0, 6, 25)])
    images = [(layers, shapely.box(0, 0, 20, 20))]
    reviewed = [{"ben": shapely.box(0, 0, 12, 20)}]
    options = ClassScale(counts_unmarked=True)
    expected = area_class_agreement(images, options=options, reviewed=reviewed)
    monkeypatch.setattr(area_classes, "MAX_ANNOTATORS", 12)
    found = area_class_agreement(images, options=options, reviewed=reviewed)
    assert [str(message) for message in found.messages] == [str(own) for own in expected.messages]
    pd.testing.assert_frame_equal(found.table, expected.table, atol=1e-9, rtol=0)
    pd.testing.assert_frame_equal(found.confusion, expected.confusion, atol=1e-9, rtol=0)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize(
    ("scale", "weights"),
    [("nominal", "identity"), ("ordinal", "linear"), ("interval", "quadratic")],
)
def test_pixels_have_the_agreement_of_units_on_each_scale(
    case: dict, scale: str, weights: str
) -> None:
    ratings = np.array(case["ratings"], dtype=object)
    codes = np.array(
        [[NO_CLASS if value is None else value - 1 for value in row] for row in ratings]
    )
    labels = [str(value) for value in range(1, codes.max() + 2)]
    # The pixels are read in two tiles.
    parts = [rate_pixels(tile.T[:, None, :], labels, 0.25) for tile in np.array_split(codes, 2)]
    names = [f"annotator {number}" for number in range(codes.shape[1])]
    agreement = compare_area_ratings(parts, names, scale=Scale(scale), unit_area=0.25)
    overall, first = agreement.table.iloc[0], agreement.table.iloc[1]
    assert overall["area_agreement"] == pytest.approx(case["pa"], abs=1e-10)
    assert overall["area_kappa"] == pytest.approx(case["fleiss"], abs=1e-10)
    assert overall["area_ac1"] == pytest.approx(case["gwet"], abs=1e-10)
    assert overall["area_alpha"] == pytest.approx(case[f"alpha_{scale}"], abs=1e-10)
    assert first["area_kappa"] == pytest.approx(case[f"kappa_{weights}"], abs=1e-10)
    confusion = agreement.confusion
    is_first = (confusion["first"] == names[0]) & (confusion["second"] == names[1])
    assert confusion.loc[is_first, "area"].sum() == pytest.approx(first["area"])


def test_unmarked_ground_may_be_a_class_of_its_own() -> None:
    ann = Crowns([shapely.box(0, 0, 4, 1), shapely.box(8, 0, 9, 1)], classes=["oak", None])
    ben = Crowns([shapely.box(2, 0, 6, 1)], classes=["oak"])
    images = [({"ann": ann, "ben": ben, "eve": Crowns([], classes=[])}, shapely.box(0, 0, 10, 1))]
    options = ClassScale(counts_unmarked=True)
    agreement = area_class_agreement(images, options=options)
    # Ann's crown without a class, 1 m², is not rated by her.
    assert agreement.table.loc[1, ["area", "area_agreement"]].tolist() == pytest.approx([9, 5 / 9])
    # Eve looked, and marked nothing.
    pairs = agreement.table.set_index(["first", "second"])
    assert pairs.loc[("ben", "eve"), ["area", "area_agreement"]].tolist() == pytest.approx(
        [10, 0.6]
    )
    cells = agreement.confusion.set_index(["first", "second", "first_class", "second_class"])
    assert cells.loc[("ann", "ben", "background", "oak"), "area"] == pytest.approx(2)
    # What Ben did not review is not rated by him, though he marked 2 m² of it.
    reviewed = [{"ben": shapely.box(0, 0, 4, 1)}]
    limited = area_class_agreement(images, options=options, reviewed=reviewed)
    assert limited.table.loc[1, ["area", "area_agreement"]].tolist() == pytest.approx([4, 0.5])


def test_confusion_of_crowns_and_areas_is_one_table() -> None:
    keys = ["first", "second", "first_class", "second_class"]
    crowns = pd.DataFrame([["a", "b", "9", "10", 2], ["a", "c", "9", "9", 1]])
    crowns.columns = [*keys, "crowns"]
    areas = pd.DataFrame([["a", "b", "10", "9", 4.5], ["a", "b", "9", "10", 3.0]])
    areas.columns = [*keys, "area"]
    found = add_area_confusion(crowns, areas)
    assert found.to_numpy().tolist() == [
        ["a", "b", "9", "10", 2, 3.0],
        ["a", "b", "10", "9", 0, 4.5],
        ["a", "c", "9", "9", 1, 0.0],
    ]


def test_unmarked_ground_is_the_lowest_class_of_an_ordered_scale() -> None:
    ann = Crowns([shapely.box(0, 0, 4, 1), shapely.box(4, 0, 6, 1)], classes=[1, 2])
    ben = Crowns([shapely.box(0, 0, 2, 1), shapely.box(4, 0, 6, 1)], classes=[1, 2])
    images = [({"ann": ann, "ben": ben}, shapely.box(0, 0, 8, 1))]
    options = ClassScale(Scale.INTERVAL, counts_unmarked=True)
    agreement = area_class_agreement(images, options=options)
    assert set(agreement.confusion["second_class"]) == {"0", "1", "2"}
    # Of 8 m², 2 differ by 1. Of both 8 m², 0 has 6, 1 has 6, 2 has 4: the pairs of two draws
    # differ by 1 in 2 (6 · 6 + 6 · 4) cases of 256, and by 2 in 2 · 6 · 4.
    expected = (2 * (36 + 24) + 4 * 2 * 24) / 256
    assert agreement.table.loc[0, "area_alpha"] == pytest.approx(1 - (2 / 8) / expected)
