"""Classes on page Annotators: the preset field, the tab of a run, and none without a field."""

from __future__ import annotations

import numpy as np
import pytest
from qgis.core import QgsRasterLayer
from support.layers import TARGET_BOXES, box_layer
from support.panel import errors, run_page
from support.rasters import write_raster

from randcrowns.algorithms.agreement.schema.parameters import COMPARED_CLASS_FIELD
from randcrowns.algorithms.common_parameters import MARK_VALUE


def annotator(name, classes):
    rows = [[one] for one in classes]
    boxes = TARGET_BOXES[: len(rows)]
    return box_layer(name, boxes, fields="&field=species:string", rows=rows)


@pytest.fixture
def page(project, same_dock):
    layers = [
        annotator("ann", ["oak", "oak", "ash", "ash"]),
        annotator("ben", ["oak", "ash", "ash", "ash"]),
    ]
    project.addMapLayers(layers)
    project.setCrs(layers[0].crs())
    return same_dock.show_page("annotators")


def class_tab(page):
    tabs = page.results.tabs
    place = tabs.indexOf(page.results.tabs_by_key["classes"])
    return tabs.isTabEnabled(place), page.results.tabs_by_key["classes"]


def test_a_run_shows_the_agreement_on_classes(page):
    assert page.settings()[COMPARED_CLASS_FIELD] == "species"
    run_page(page)
    assert errors(page) == []
    enabled, tab = class_tab(page)
    assert enabled
    table = page.results.class_table.model.frame
    assert table["first"].tolist() == ["all annotators", "ann"]
    assert table["agreement"].tolist() == [3 / 4, 3 / 4]
    assert "4 crowns" in tab.notes_label.text()


def test_without_a_class_field_the_tab_is_disabled(page):
    page.form.field(COMPARED_CLASS_FIELD).setField("")
    run_page(page)
    assert errors(page) == []
    assert not class_tab(page)[0]


def test_rasters_of_classes_need_no_field_and_masks_have_none(project, same_dock, tmp_path):
    rng = np.random.default_rng(4)
    values = rng.integers(0, 4, (20, 20))
    for name in ("ann", "ben"):
        changed = np.where(rng.random(values.shape) < 0.1, 1, values)
        path = write_raster(tmp_path / f"{name}.tif", changed)
        project.addMapLayer(QgsRasterLayer(str(path), name))
    page = same_dock.show_page("annotators")
    page.form.annotator_list.check_all(True)
    run_page(page)
    assert errors(page) == []
    assert class_tab(page)[0]
    assert page.results.class_table.model.rowCount() == 2
    page.form.field(MARK_VALUE).setValue(2)
    run_page(page)
    assert errors(page) == []
    assert not class_tab(page)[0]
