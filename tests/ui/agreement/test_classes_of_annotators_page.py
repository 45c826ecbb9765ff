"""Classes on page Annotators: the preset field, the tab of a run, and none without a field."""

from __future__ import annotations

import numpy as np
import pytest
from qgis.core import QgsRasterLayer
from support.consensus import made_consensus, rows_of
from support.layers import TARGET_BOXES, box_layer
from support.panel import errors, run_page
from support.rasters import write_raster
from support.shown import shows

from randcrowns.algorithms.agreement.schema.parameters import (
    CLASS_FIELD,
    COMPARED_CLASS_FIELD,
)
from randcrowns.algorithms.classes.parameters import CLASS_GROUPS
from randcrowns.algorithms.common_parameters import MARK_VALUE
from randcrowns.ui.services.settings import read_parameters


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


def test_classes_taken_as_one_are_one_in_the_comparison_and_in_the_consensus(page):
    row = page.form.field(CLASS_GROUPS)
    assert not row.isHidden()
    page.form.set_value(CLASS_GROUPS, "broad=oak+ash")
    run_page(page)
    assert errors(page) == []
    # By hand: every crown of both is broad, so that chance explains the agreement.
    table = page.results.class_table.model.frame
    assert table["agreement"].tolist() == [1, 1]
    assert table["kappa"].isna().all()
    layer = made_consensus(page, "crowns")
    assert {row["crown_class"] for row in rows_of(layer)} == {"broad"}
    # The project stores the text.
    assert read_parameters("annotators")["class_groups"] == "broad=oak+ash"


def test_a_consensus_without_classes_ignores_the_groups(page):
    page.form.set_value(CLASS_GROUPS, "broad=oak+ash")
    run_page(page)
    page.results.consensus_form.field(CLASS_FIELD).setField("")
    assert "crown_class" not in rows_of(made_consensus(page, "crowns"))[0]


def test_groups_without_a_class_field_are_shown_and_refused(page):
    page.form.set_value(CLASS_GROUPS, "broad=oak+ash")
    page.form.field(COMPARED_CLASS_FIELD).setField("")
    assert not page.form.field(CLASS_GROUPS).isHidden()
    page.start()
    assert page.run is None
    assert shows(page.run_problem(), "classes.option_without_field")
    page.form.set_value(CLASS_GROUPS, "")
    assert page.form.field(CLASS_GROUPS).isHidden()
