"""Page Instances in a narrow dock: nothing is cut off at its right."""

from __future__ import annotations

import itertools

import pytest
from qgis.gui import QgsCollapsibleGroupBox
from qgis.PyQt.QtCore import QPoint
from qgis.PyQt.QtWidgets import QAbstractSpinBox, QComboBox, QLineEdit, QToolButton
from support.clouds import labelled_cloud, write_cloud
from support.layers import TARGET_BOXES, box_layer
from support.qt import spin, wait_until

from randcrowns.algorithms.detectors.schema.parameters import SCORE_FIELD
from randcrowns.ui.instances.form import INPUT_KIND


@pytest.fixture
def dock(same_dock):
    return same_dock


def test_everything_of_the_form_can_be_seen(dock, two_layers, tmp_path):
    xyz, target, prediction = labelled_cloud()
    columns = {"tree_id_of_the_reference_data": target, "predicted_id": prediction}
    path = write_cloud(tmp_path / ("a long name of a cloud " * 4 + ".laz"), xyz, columns, wkt="")
    page = dock.show_page("instances")
    page.form.advanced_group.setCollapsed(False)
    page.form.cloud_picker.file_field.setFilePath(str(path))
    for kind, width in itertools.product(("polygons", "cloud"), (300, 360, 600)):
        page.form.set_value(INPUT_KIND, kind)
        check_that_all_can_be_seen(dock, page, width)


def check_that_all_can_be_seen(dock, page, width):
    dock.resize(width, 1000)
    spin()
    # A bar beside the form comes or goes with its height.
    wait_until(
        lambda: dock.width() == width and page.form.width() <= page.form.parentWidget().width()
    )
    visible = page.form.parentWidget().width()
    for kind in (QComboBox, QAbstractSpinBox, QLineEdit, QToolButton):
        for widget in page.form.findChildren(kind):
            if widget.isVisible():
                right = widget.mapTo(page.form, QPoint(widget.width(), 0)).x()
                assert right <= visible, (width, widget)


@pytest.mark.parametrize("key", ["detectors", "instances"])
def test_what_is_folded_away_stays_away_when_there_is_more_to_choose(
    dock, two_layers, project, key
):
    """A field that is shown while its box is folded would cover the heading."""
    form = dock.show_page(key).form
    if key == "detectors":
        assert form.field(SCORE_FIELD).isHidden()
    boxes = [box for box in form.findChildren(QgsCollapsibleGroupBox) if box.title() == "Layers"]
    boxes[0].setCollapsed(True)
    hidden = (
        (form.cloud_picker,)
        if key == "instances"
        else (form.field(SCORE_FIELD), form.label(SCORE_FIELD))
    )
    scores = [(0.5,)] * len(TARGET_BOXES)
    project.addMapLayer(
        box_layer("scored", TARGET_BOXES, fields="&field=score:double", rows=scores)
    )
    if key == "instances":
        form.cloud_picker.setVisible(True)
    spin(50)
    assert not any(field.isVisible() for field in hidden)
    boxes[0].setCollapsed(False)
    spin(50)
    assert all(field.isVisible() for field in hidden)
