"""Class values: trimming, missing classes, spellings, groups, and the field that holds them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import shapely
from support.errors import find_message, raises

from randcrowns.core import Crowns
from randcrowns.core.class_names import check_spelling
from randcrowns.core.classes.confusion import match_classes
from randcrowns.core.classes.values import (
    check_missing_classes,
    class_values,
    encode_classes,
    find_class_field,
    group_classes,
    group_crown_classes,
    label_field,
    parse_class_groups,
    rows_of_classes,
)
from randcrowns.core.instances.matching import Matching


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([" oak ", "oak", "", "  ", None, np.nan, pd.NA], ["oak", "oak", *[None] * 5]),
        ([1, 2.0, "1"], ["1", "2", "1"]),
        (np.array([1.0, np.nan, 3.0]), ["1", None, "3"]),
        (np.array([True, False]), ["true", "false"]),
        ([1, True, 0, False], ["1", "true", "0", "false"]),
        (np.array(["a ", "b"]), ["a", "b"]),
        (pd.Series(["a", None], dtype="string"), ["a", None]),
        ([], []),
    ],
)
def test_class_values_are_trimmed_texts(values, expected):
    assert class_values(values).tolist() == expected


def test_values_that_are_no_classes_are_refused():
    with raises("classes.not_whole", value=1.5, name="trees"):
        class_values([1.0, 1.5], "trees")
    with raises("classes.invalid_value"):
        class_values(np.array([["oak"], None], dtype=object))
    with raises("classes.not_one_dimensional", ndim=2):
        class_values([["oak"], ["ash"]])


def test_labels_are_sorted_with_numbers_by_value():
    encoded = encode_classes(["b", "10", None], ["9", "a", "10"])
    assert encoded.labels == ("9", "10", "a", "b")
    assert [codes.tolist() for codes in encoded.codes] == [[3, 1, -1], [0, 2, 1]]


@pytest.mark.parametrize("n_classes", [1, 255, 256, 300])
def test_rows_of_many_classes_are_those_with_their_code(n_classes):
    # Codes of no class and of no crown are the number of classes and the next one.
    codes = np.random.default_rng(n_classes).integers(-1, n_classes + 2, 2000)
    rows = rows_of_classes(codes, n_classes)
    assert len(rows) == n_classes
    for code, own in enumerate(rows):
        assert own.tolist() == np.flatnonzero(codes == code).tolist()


def test_spellings_that_differ_in_case_or_spaces_are_noted_and_stay_apart():
    classes = ["Red oak", "redoak", "ash", "Ash", "beech", None]
    find_message(
        check_spelling(classes), "classes.spelling", names=["Red oak", "redoak", "Ash", "ash"]
    )
    assert len(encode_classes(classes).labels) == 5
    assert check_spelling(["oak", " oak"]) == []


def test_missing_classes_are_counted():
    find_message(check_missing_classes(["a", " ", None], "x"), "classes.missing", count=2, total=3)
    assert check_missing_classes(["a", "b"], "x") == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "conifer=PIPA+PIEL; broadleaf=QULA+ACRU",
            {"conifer": ["PIPA", "PIEL"], "broadleaf": ["QULA", "ACRU"]},
        ),
        ("a=1 b=2+3", {"a": ["1"], "b": ["2", "3"]}),
        (
            "broad leaf = Quercus robur + Acer rubrum",
            {"broad leaf": ["Quercus robur", "Acer rubrum"]},
        ),
        ("a=b,\n c=d;", {"a": ["b"], "c": ["d"]}),
        ("", {}),
    ],
)
def test_groups_of_classes_are_read(text, expected):
    assert parse_class_groups(text) == expected


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("conifer", "classes.invalid_group"),
        ("=PIPA", "classes.invalid_group"),
        ("conifer=PIPA+", "classes.invalid_group"),
        ("a=b=c", "classes.invalid_group"),
        ("a=b; a=c", "classes.repeated_group"),
        ("a=b; c=d+b", "classes.in_two_groups"),
    ],
)
def test_unclear_groups_are_refused(text, key):
    with raises(key):
        parse_class_groups(text)


def test_groups_replace_classes_and_unknown_classes_are_noted():
    grouped = group_classes(["PIPA", None, "QULA"], parse_class_groups("conifer=PIPA+PIEL"))
    assert grouped.classes.tolist() == ["conifer", None, "QULA"]
    find_message(grouped.messages, "classes.unknown_in_group", names=["PIEL"])


def test_class_field_is_shared_named_like_a_class_and_varies():
    tree = {"label": ["Tree", "Tree"], "TaxonID": ["PIPA", "QULA"], "note": ["a", "b"]}
    assert find_class_field(tree, tree) == "TaxonID"
    assert find_class_field({"label": ["Tree"]}, {"label": ["Tree"]}) is None
    assert find_class_field({"label": ["oak"]}, {"label": ["ash"]}) == "label"
    assert find_class_field({"species": ["a", "b"]}, {"class": ["a", "b"]}) is None
    assert find_class_field({"type": [0.5, 1.0]}, {"type": [0.5, 1.0]}) is None


BOXES = [shapely.box(9 * x, 0, 9 * x + 4, 4) for x in range(3)]


def test_crowns_carry_their_classes_as_trimmed_texts():
    crowns = Crowns(BOXES, classes=[" oak", 3.0, None])
    assert crowns.classes.tolist() == ["oak", "3", None]
    assert crowns.subset(np.array([1])).classes.tolist() == ["3"]
    assert Crowns(BOXES).classes is None
    assert Crowns(BOXES).subset(np.array([1])).classes is None
    with raises("crowns.wrong_class_count", geometry=3, classes=2):
        Crowns(BOXES, classes=["oak", "ash"])
    with raises("classes.not_whole", name="trees"):
        Crowns(BOXES, classes=[1.5, 2, 3], name="trees")


def test_classes_of_several_layers_are_grouped_and_checked_together():
    trees = Crowns(BOXES, classes=["PIPA", "Oak", None], name="trees")
    found = Crowns(BOXES, classes=["PIEL", "oak", "oak"], name="found")
    bare = Crowns(BOXES, name="bare")
    grouped = group_crown_classes([trees, bare, found], {"conifer": ["PIPA", "PIEL"]})
    classes = [layer.classes for layer in grouped.layers]
    assert classes[0].tolist() == ["conifer", "Oak", None]
    assert classes[1] is None
    assert classes[2].tolist() == ["conifer", "oak", "oak"]
    keys = [message.key for message in grouped.messages]
    assert keys == ["classes.spelling", "classes.missing"]
    assert group_crown_classes([bare], {}).messages == ()


def test_a_layer_that_shares_no_class_is_reported():
    """Predictions of YOLO without their data.yaml have numbers as classes."""
    trees = Crowns(BOXES, classes=["oak", "pine", "oak"], name="trees")
    found = Crowns(BOXES, classes=["0", "1", "0"], name="found")
    (message,) = group_crown_classes([trees, found], {}).messages
    assert message.key == "classes.none_shared"
    text = str(message)
    assert text.startswith("'trees' has no class of the other layers: its classes are oak, pine")
    assert "theirs 0, 1." in text
    shared = Crowns(BOXES, classes=["oak", "1", None], name="found")
    keys = [message.key for message in group_crown_classes([trees, shared], {}).messages]
    assert "classes.none_shared" not in keys


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["id", "name", "species"], "species"),
        (["name", "Category"], "Category"),
        (["Scientific Name", "type"], "Scientific Name"),
        (["type", "health"], ""),
        (["NAME"], "NAME"),
    ],
)
def test_the_label_of_exported_crowns(names, expected):
    assert label_field(names) == expected


def test_a_group_may_not_swallow_a_class():
    with raises("classes.group_is_class", name="a", members="b+c"):
        group_classes(["a", "b"], {"a": ["b", "c"]})
    # Two classes that exchange their names, and a group that contains the class.
    assert group_classes(["a", "b"], {"a": ["b"], "b": ["a"]}).classes.tolist() == ["b", "a"]
    assert group_classes(["a", "b"], {"a": ["a", "b"]}).classes.tolist() == ["a", "a"]


@pytest.mark.parametrize("name", ["background", "no class", "no reference", "not found", "all"])
def test_a_class_with_a_reserved_name_gets_a_number_and_a_note(name):
    crowns = Crowns(
        [shapely.box(x, 0, x + 1, 1) for x in (0, 2, 4)], classes=[name, f"{name} (2)", None]
    )
    grouped = group_crown_classes([crowns], {})
    assert grouped.layers[0].classes.tolist() == [f"{name} (3)", f"{name} (2)", None]
    find_message(grouped.messages, "classes.renamed", name=name, label=f"{name} (3)")
    # The group of the user contains the class by its own name.
    grouped = group_crown_classes([crowns], {"bare": [name]})
    assert grouped.layers[0].classes.tolist() == ["bare", f"{name} (2)", None]


def test_a_matrix_with_reserved_names_is_unambiguous():
    matching = Matching(np.array([0, -1]), np.array([0]), np.zeros(2))
    table = match_classes(["not found", "no class"], ["no class"], matching).to_table()
    assert table.index.is_unique
    assert table.columns.is_unique
    assert table.loc["not found (2)", "no class (2)"] == 1
    assert table.loc["no class (2)", "not found"] == 1
