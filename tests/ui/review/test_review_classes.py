"""Page Review with crowns that have classes: filter by class, and the verdict on a wrong class."""

from __future__ import annotations

import pytest
from qgis.PyQt.QtWidgets import QToolButton
from support.layers import TARGET_BOXES, box_layer, layer_of
from support.panel import empty_project, opened_dock
from support.qt import spin
from support.reviewing import RESULTS, ids, make_runs, open_copy, press

from randcrowns.layers.files.verdict_file import VerdictFile
from randcrowns.ui.services.settings import write_parameters

SPECIES = ["oak", "oak", "ash", "ash", "oak", "ash", "pine", "pine"]
FOUND_SPECIES = ["oak", "ash", "ash", "oak", "ash", "ash", "pine", "pine"]


def species_layer(name, boxes, classes):
    shapes = [feature.geometry().asWkt() for feature in box_layer("boxes", boxes).getFeatures()]
    return layer_of(name, shapes, fields="&field=species:string", rows=[[kind] for kind in classes])


@pytest.fixture(scope="module")
def run_of_species(qgis_iface, tmp_path_factory):
    layers = (
        species_layer("trees", TARGET_BOXES, SPECIES),
        species_layer("found", [*TARGET_BOXES[:7], (90, 0, 94, 4)], FOUND_SPECIES),
    )
    return make_runs(qgis_iface, tmp_path_factory.mktemp("species"), layers)


@pytest.fixture
def page(qgis_iface, run_of_species, tmp_path):
    with empty_project(), opened_dock(qgis_iface) as dock:
        open_copy(run_of_species, tmp_path)
        write_parameters("review", {})
        made = dock.show_page("review")
        made.reviewer_field.setText("Ann")
        made.load_parameters()
        spin()
        yield made


def test_crowns_are_listed_by_class_and_by_whether_it_is_right(page):
    form = page.queue_form
    assert [option.key for option in form.class_box.options] == ["", "ash", "oak", "pine"]
    form.class_box.set_value("oak")
    assert sorted(ids(page)) == [1, 2, 5]
    form.class_result_box.set_value("wrong")
    assert sorted(ids(page)) == [2, 5]
    form.class_box.set_value("")
    assert sorted(ids(page)) == [2, 4, 5]
    form.class_result_box.set_value("no reference")
    assert ids(page) == [8]


def test_a_wrong_class_is_saved_with_the_right_one(page, tmp_path):
    page.queue_form.class_result_box.set_value("wrong")
    press(page, "next")
    first = page.session.current_crown["feature_id"]
    bar = page.verdict_bar
    assert bar.right_class == SPECIES[first - 1]  # the class of the target is the most likely one
    bar.show_right_class("")
    press(page, "wrong class")
    assert VerdictFile(tmp_path / RESULTS).read().empty
    bar.show_right_class("maple")
    press(page, "wrong class")
    kept = VerdictFile(tmp_path / RESULTS).read()
    assert kept[["feature_id", "verdict", "right_class"]].to_numpy().tolist() == [
        [first, "wrong class", "maple"]
    ]
    assert "1 with the wrong class" in page.progress_label.text()
    crowns = page.session.crowns.set_index(["side", "feature_id"])
    assert crowns.loc[("target", first), "right_class"] == "maple"


def test_a_wrong_class_lowers_the_share_that_is_accepted(page):
    page.queue_form.order_box.set_value("sample")
    page.queue_form.sample_size_box.setValue(2)
    press(page, "next")
    press(page, "accepted")
    page.verdict_bar.show_right_class("oak")
    press(page, "wrong class")
    share = page.session.accepted_share()
    assert (share.share, share.reviewed) == (0.5, 2)


def test_a_narrow_dock_of_a_low_window_is_not_scrolled(page, low_font):
    page.window().resize(360, 637)
    spin(50)
    assert page.verdict_bar.class_box.isVisible()
    assert not page.body.verticalScrollBar().isVisible()
    for button in page.quote_row.findChildren(QToolButton):
        assert button.isHidden() or button.visibleRegion().boundingRect() == button.rect()
    row_height = page.crown_table.view.rowHeight(0)
    assert page.crown_table.view.viewport().height() > 3 * row_height
