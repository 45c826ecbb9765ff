"""Page Parameters: the gallery, and the image behind it."""

from __future__ import annotations

import pytest
from qgis.core import Qgis, QgsProject
from qgis.PyQt.QtTest import QSignalSpy
from support.panel import errors
from support.qt import wait_until
from support.searching import (
    finish,
    image_of,
    offered_images,
    open_gallery,
    people_of,
    put_back,
)

from randcrowns.core.tuning.search import SetAssessment


@pytest.fixture
def searched(shared):
    """No image, and no gallery yet."""
    images = [
        one.id()
        for one in QgsProject.instance().mapLayers().values()
        if one not in people_of(shared)
    ]
    QgsProject.instance().removeMapLayers(images)
    shared.results.gallery.count_box.setValue(1)
    finish(shared)
    put_back(shared)
    return shared


def test_no_image_stays_chosen_when_one_comes(searched, tmp_path):
    sheet = open_gallery(searched)
    assert sheet.image_box.currentText() == "no image"
    image_of(tmp_path, "late")
    assert offered_images(searched) == ["late", "no image"]
    assert sheet.image_box.currentText() == "no image"


def test_an_image_that_covers_no_crown_is_told(searched, tmp_path):
    sheet = open_gallery(searched)
    image_of(tmp_path, "far", west=700000.0)
    sheet.image_box.setCurrentIndex(0)
    finish(searched)
    assert searched.iface.messageBar().get_messages(Qgis.MessageLevel.Warning) == [
        "RandCrowns:Image 'far' covers none of the crowns of the gallery; they are drawn on white."
    ]
    image_of(tmp_path, "near", north=3000040.0)
    searched.iface.messageBar().clear_messages()
    sheet.image_box.setCurrentIndex(sheet.image_box.findText("near"))
    finish(searched)
    assert searched.iface.messageBar().get_messages(Qgis.MessageLevel.Warning) == []


def test_the_gallery_is_drawn_when_it_is_looked_at_and_saved(searched, tmp_path, monkeypatch):
    gallery = searched.results.gallery
    assert not gallery.is_shown
    searched.results.tabs.setCurrentWidget(gallery)
    finish(searched)
    assert gallery.is_shown
    once = gallery.picture_label.pixmap().width()
    assert once >= min(560, gallery.pixmap.width())
    monkeypatch.setattr(
        gallery, "devicePixelRatioF", lambda: 2.0
    )  # as on a screen of twice the dots
    gallery.show_picture(gallery.pixmap)
    twice = gallery.picture_label.pixmap()
    assert (twice.width(), twice.devicePixelRatio()) == (min(2 * once, gallery.pixmap.width()), 2)
    gallery.save_requested.emit(str(tmp_path / "sheet.svg"))
    finish(searched)
    assert "IoU" in (tmp_path / "sheet.svg").read_text()
    gallery.save_requested.emit(str(tmp_path / "none" / "sheet.svg"))
    finish(searched)
    assert len(errors(searched)) == 1
    assert gallery.is_shown


def test_saving_and_drawing_the_gallery_do_not_stop_each_other(searched, tmp_path):
    gallery, bar = searched.results.gallery, searched.iface.messageBar()
    gallery.count_box.setValue(1)
    searched.results.tabs.setCurrentWidget(gallery)
    gallery.save_requested.emit(str(tmp_path / "while_drawn.png"))
    gallery.save_requested.emit(str(tmp_path / "another.png"))
    finish(searched)
    assert gallery.is_shown
    gallery.save_requested.emit(str(tmp_path / "drawn_anew.png"))
    gallery.count_box.setValue(2)
    finish(searched)
    gallery.save_requested.emit(str(tmp_path / "other_set.png"))
    grid = searched.results.search.grid
    offered = grid[grid["assessment"] == SetAssessment.OFFERED.value][["alpha", "omega", "gamma"]]
    gallery.count_box.setValue(3)
    searched.results.variance_map.select_set(*offered.iloc[0])
    assert "gallery" not in searched.runs.side_run_keys
    finish(searched)
    assert gallery.is_shown
    assert sorted(file.stem for file in tmp_path.iterdir()) == [
        "another",
        "drawn_anew",
        "other_set",
        "while_drawn",
    ]
    assert errors(searched) == []
    assert len(bar.get_messages(Qgis.MessageLevel.Success)) >= 4


def test_a_gallery_that_cannot_be_saved_leaves_the_sheet(searched):
    gallery = searched.results.gallery
    searched.results.tabs.setCurrentWidget(gallery)
    finish(searched)
    gallery.save_requested.emit("/proc/x.png")
    finish(searched)
    assert len(errors(searched)) == 1
    assert gallery.is_shown
    assert gallery.picture_label.text() == ""
    searched.results.experiment = None
    gallery.save_requested.emit("/proc/x.png")
    assert (
        "no gallery to save"
        in searched.iface.messageBar().get_messages(Qgis.MessageLevel.Warning)[-1]
    )


def test_the_gallery_drawn_during_an_edit_is_drawn_again(searched):
    results, people = searched.results, people_of(searched)
    told = QSignalSpy(searched.form.changed)
    people[0].startEditing()
    people[0].deleteFeatures([1, 2])
    wait_until(lambda: len(told))  # all of the edit is known before the gallery is drawn
    results.tabs.setCurrentWidget(results.gallery)
    finish(searched)
    edited = results.gallery.pixmap.toImage()
    people[0].rollBack()
    finish(searched)
    assert results.gallery.is_shown
    assert results.gallery.pixmap.toImage() != edited
