"""Attributes that page Instances presets, by the names that programs give them."""

from __future__ import annotations

import pytest

from randcrowns.core.instances.cloud_values import CloudAttribute
from randcrowns.ui.instances.cloud_fields import AttributeBoxes, is_prediction

pytestmark = pytest.mark.usefixtures("qgis_app")


def attributes_of(names):
    return [CloudAttribute(name, True, True) for name in names.split()]


def selected(boxes):
    return [box.currentText() for box in boxes.boxes]


@pytest.mark.parametrize(
    ("names", "target", "prediction"),
    [
        ("treeID PredSemantic PredInstance", "treeID", "PredInstance"),
        ("PredSemantic PredInstance treeID", "treeID", "PredInstance"),
        ("PredInstance treeID", "treeID", "PredInstance"),
        ("treeID final_segs", "treeID", "final_segs"),
        ("instance_pred instance", "instance", "instance_pred"),
        ("pred_tree tree", "tree", "pred_tree"),
        ("preds_semantic preds_instance gt_semantic gt_instance", "gt_instance", "preds_instance"),
        (
            "tree_species treeID preds_instance_segmentation",
            "treeID",
            "preds_instance_segmentation",
        ),
        ("tree found", "tree", "found"),
        ("a b", "a", "b"),
        ("PredSemantic PredInstance", "", "PredInstance"),
        ("treeID PredSemantic", "treeID", ""),
    ],
)
def test_instances_come_before_classes_and_targets_are_no_predictions(names, target, prediction):
    boxes = AttributeBoxes()
    boxes.set_attributes(attributes_of(names))
    assert selected(boxes) == [target, prediction]


def test_predictions_of_another_file_may_have_the_same_name():
    boxes = AttributeBoxes()
    boxes.set_attributes(attributes_of("treeID"), (), attributes_of("score treeID other"))
    assert selected(boxes) == ["treeID", "treeID"]
    boxes.set_attributes(attributes_of("treeID"), (), attributes_of("treeID PredInstance"))
    assert selected(boxes) == ["treeID", "PredInstance"]


@pytest.mark.parametrize(
    "name",
    ["PredSemantic", "PredInstance", "final_segs", "instance_pred", "pred_tree", "preds_instance"],
)
def test_names_of_predictions(name):
    assert is_prediction(name)


@pytest.mark.parametrize("name", ["treeID", "instance", "gt_tree", "predator", "segment_gt"])
def test_other_names_are_no_predictions(name):
    assert not is_prediction(name)
