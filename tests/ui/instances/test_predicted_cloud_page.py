"""Page Instances with predictions in a file of their own, in another order."""

from __future__ import annotations

import numpy as np
import pytest
from support.clouds import labelled_cloud, write_cloud

from randcrowns.algorithms.instances.schema.parameters import (
    CLOUD,
    CRS,
    FURTHER_NO_TREE_IDS,
    PREDICTION_INPUT,
)
from randcrowns.ui.instances.form import INPUT_KIND


@pytest.fixture
def page(same_dock):
    return same_dock.show_page("instances")


def test_the_attributes_of_the_file_are_offered_and_evaluated(page, run, tmp_path):
    xyz, target, prediction = labelled_cloud()
    tree = np.where(target < 0, -7, target)
    write_cloud(tmp_path / "trees.las", xyz, {"treeID": tree})
    corner = np.array([500000.0, 3000000.0, 0.0])
    order = np.random.default_rng(2).permutation(200)
    found = tmp_path / "found.npy"
    fields = [("x", "f8"), ("y", "f8"), ("z", "f8"), ("treeID", "i4"), ("pred_tree", "i4")]
    table = np.zeros(200, dtype=fields)
    for axis, values in zip("xyz", (xyz + corner)[order].T):
        table[axis] = values
    table["pred_tree"] = prediction[order]
    np.save(found, table)

    page.form.set_value(INPUT_KIND, "cloud")
    page.form.set_value(CLOUD, str(tmp_path / "trees.las"))
    page.form.set_value(PREDICTION_INPUT, str(found))
    page.form.set_value(FURTHER_NO_TREE_IDS, "-7")
    assert page.form.attribute_boxes.target_box.currentText() == "treeID"
    assert page.form.attribute_boxes.prediction_box.currentText() == "pred_tree"
    assert page.form.settings()[CRS] == ""
    run(page)
    assert page.results.results.targets["iou"].tolist() == [1.0, 0.5, 0.0]
