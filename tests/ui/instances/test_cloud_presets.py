"""Attributes that page Instances presets, by the names that programs give them."""

from __future__ import annotations

import numpy as np
import pytest
from support.clouds import labelled_cloud, write_cloud
from support.qt import spin, wait_until

from randcrowns.algorithms.instances.schema.parameters import CLOUD, NO_TREE_ID
from randcrowns.core.instances.cloud_values import CloudAttribute
from randcrowns.ui.instances.cloud_fields import AttributeBoxes, is_prediction
from randcrowns.ui.instances.form import INPUT_KIND

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


@pytest.mark.parametrize("ending", [".las", ".npy"])
def test_the_form_says_what_minus_one_means_without_negative_numbers(same_dock, tmp_path, ending):
    xyz, target, prediction = labelled_cloud()
    path = tmp_path / f"trees{ending}"
    tree = np.where(target < 0, 0, target + 1).astype(np.uint16)
    if ending == ".las":
        write_cloud(path, xyz, {"treeID": tree, "found": prediction.astype(np.int32)})
    else:
        names = [("x", "f8"), ("y", "f8"), ("z", "f8"), ("treeID", "u2"), ("found", "i4")]
        table = np.zeros(len(xyz), dtype=names)
        for name, values in zip("xyz", xyz.T):
            table[name] = values
        table["treeID"], table["found"] = tree, prediction
        np.save(path, table)
    form = same_dock.show_page("instances").form
    form.set_value(INPUT_KIND, "cloud")
    form.set_value(CLOUD, str(path))
    wait_until(lambda: form.attribute_boxes.target_box.currentText() == "treeID")
    spin()
    sentence = "treeID has no negative numbers: -1 means 65,535 if points have it, else 0."
    assert form.no_tree_notice.text() == sentence
    assert not form.no_tree_notice.isHidden()
    form.set_value(NO_TREE_ID, 0)
    spin()
    assert form.no_tree_notice.isHidden()
    form.set_value(NO_TREE_ID, -1)
    form.set_value(INPUT_KIND, "polygons")
    spin()
    assert form.no_tree_notice.isHidden()


def test_the_iou_of_a_cloud_is_called_one_of_points(same_dock, run, tmp_path):
    xyz, target, prediction = labelled_cloud()
    path = write_cloud(tmp_path / "trees.las", xyz, {"treeID": target, "found": prediction})
    page = same_dock.show_page("instances")
    page.form.set_value(INPUT_KIND, "cloud")
    page.form.set_value(CLOUD, str(path))
    run(page)
    results = page.results
    for table in (results.target_table, results.prediction_table):
        titles = [column.title for column in table.model.columns]
        assert "IoU of points" in titles
        assert "IoU" not in titles
    summary = [column.title for column in results.summary_table.model.columns]
    assert "Mean IoU of points" in summary
    assert "Mean IoU of points" in results.answer_view.answer.text()
