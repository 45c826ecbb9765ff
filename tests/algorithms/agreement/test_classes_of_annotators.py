"""Classes in randcrowns:compareannotators: tables, message, and nothing without a class field."""

from __future__ import annotations

import pytest
from support.errors import find_message
from support.layers import TARGET_BOXES, box_layer, layer_of

from randcrowns.algorithms.agreement.schema.parameters import METHOD

OUTPUTS = ("SUMMARY", "CLASS_AGREEMENT", "CLASS_CONFUSION")


def annotator(name, classes):
    boxes = box_layer("boxes", TARGET_BOXES[: len(classes)]).getFeatures()
    shapes = [feature.geometry().asWkt() for feature in boxes]
    return layer_of(name, shapes, fields="&field=species:string", rows=[[one] for one in classes])


def test_classes_of_crowns_are_compared(run, qgis_new_project):
    layers = [
        annotator("ann", ["oak", "oak", "ash", "ash"]),
        annotator("ben", ["oak", "ash", "ash", "ash"]),
        annotator("eve", ["oak", "oak", None]),
    ]
    done = run("compareannotators", {"ANNOTATORS": layers, "CLASS_FIELD": "species"}, None, OUTPUTS)
    assert done.ok, done.error
    table = done.table("CLASS_AGREEMENT")
    assert table["compared"].tolist() == [4, 4, 2, 2]
    assert table["agreement"].tolist()[1:] == [3 / 4, 1, 1 / 2]
    assert table["kappa"].iloc[1] == pytest.approx(1 / 2)
    cells = done.table("CLASS_CONFUSION").set_index(
        ["first", "second", "first_class", "second_class"]
    )
    assert cells.loc[("ann", "ben", "oak", "ash"), "crowns"] == 1
    find_message(done.messages, "agreement.classes", count=4)


def test_without_a_class_field_nothing_is_added(run, qgis_new_project):
    layers = [annotator(name, ["oak", "ash"]) for name in ("ann", "ben")]
    done = run("compareannotators", {"ANNOTATORS": layers}, None, OUTPUTS)
    assert done.ok, done.error
    assert not {"CLASS_AGREEMENT", "CLASS_CONFUSION"} & set(done.results)


@pytest.mark.parametrize(
    ("algorithm", "output", "parameters"),
    [
        ("compareannotators", "SUMMARY", {}),
        ("consensus", "CONSENSUS", {"METHOD": METHOD.keys.index("crowns")}),
    ],
)
def test_missing_classes_and_spellings_are_noted(
    run, qgis_new_project, algorithm, output, parameters
):
    layers = [annotator("ann", ["oak", None, " "]), annotator("ben", ["Oak", "ash", "ash"])]
    given = {"ANNOTATORS": layers, "CLASS_FIELD": "species", **parameters}
    done = run(algorithm, given, None, (output,))
    assert done.ok, done.error
    find_message(done.messages, "classes.missing", layer="ann", count=2, total=3)
    find_message(done.messages, "classes.spelling", names=["Oak", "oak"])


def test_a_class_named_background_is_not_unmarked_ground(run, qgis_new_project):
    layers = [annotator("ann", ["background"]), annotator("ben", ["oak", "oak"])]
    given = {"ANNOTATORS": layers, "CLASS_FIELD": "species", "UNMARKED_CLASS": True}
    done = run("compareannotators", given, None, OUTPUTS)
    assert done.ok, done.error
    find_message(done.messages, "classes.renamed", name="background", label="background (2)")
    cells = done.table("CLASS_CONFUSION")
    assert set(zip(cells["first_class"], cells["second_class"])) == {
        ("background (2)", "oak"),
        ("background", "oak"),
    }


@pytest.mark.parametrize("has_first_class_last", [False, True])
def test_classes_outside_a_reviewed_area_or_given_twice(
    run, qgis_new_project, has_first_class_last
):
    # Ann draws the first tree twice, and has reviewed 3 of the 4 trees (10 m apart).
    boxes = [TARGET_BOXES[0], *TARGET_BOXES[:4]]
    classes = [["oak"], ["ash"], ["oak"], ["oak"], ["ash"]]
    if has_first_class_last:
        boxes, classes = boxes[::-1], classes[::-1]
    ann = box_layer("ann", boxes, fields="&field=species:string", rows=classes)
    layers = [annotator("ben", ["ash", "oak", "ash", "oak"]), ann]
    reviewed = box_layer(
        "reviewed", [(-1, -1, 31, 9)], fields="&field=annotator:string", rows=[["ann"]]
    )
    given = {"ANNOTATORS": layers, "CLASS_FIELD": "species", "REVIEWED": reviewed}
    done = run("compareannotators", given, None, OUTPUTS)
    assert done.ok, done.error
    table = done.table("CLASS_AGREEMENT")
    # Of the first tree ann's class is ash, as ben's; the last tree is not rated by ann.
    assert table["compared"].tolist() == [3, 3]
    assert table["agreement"].tolist() == [2 / 3, 2 / 3]
    find_message(done.messages, "agreement.unreviewed_crowns", count=1)
    find_message(done.messages, "classes.same_outline", count=1)
