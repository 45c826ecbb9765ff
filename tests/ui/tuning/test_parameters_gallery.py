"""Page Parameters: the image behind the gallery."""

from __future__ import annotations

import numpy as np
import pytest
from qgis.core import Qgis, QgsRasterLayer
from support.rasters import write_raster
from support.searching import finish


@pytest.fixture
def image_of(project, tmp_path):
    """Adds an image to the project."""

    def made(name, **place):
        values = np.arange(60 * 60).reshape(60, 60) % 251
        layer = QgsRasterLayer(str(write_raster(tmp_path / f"{name}.tif", values, **place)), name)
        project.addMapLayer(layer)
        return layer

    return made


def offered(page):
    box = page.results.gallery.image
    return [box.itemText(place) for place in range(box.count())]


def gallery(page):
    page.results.tabs.setCurrentWidget(page.results.gallery)
    finish(page)
    return page.results.gallery


def test_images_that_come_are_offered_and_those_that_go_are_not(parameters_page, run, image_of, project):
    first = image_of("first")
    run(parameters_page)
    finish(parameters_page)
    sheet = gallery(parameters_page)
    assert sheet.image_id() == first.id()
    drawn = sheet.sheet.toImage()
    image_of("second")
    assert offered(parameters_page) == ["first", "second", "no image"]
    assert sheet.image_id() == first.id()
    assert sheet.sheet.toImage() == drawn
    project.removeMapLayer(first.id())
    assert offered(parameters_page) == ["second", "no image"]
    assert sheet.image.currentText() == "no image"
    finish(parameters_page)
    assert sheet.is_shown
    assert sheet.sheet.toImage() != drawn


def test_no_image_stays_chosen_when_one_comes(searched, image_of):
    sheet = gallery(searched)
    assert sheet.image.currentText() == "no image"
    image_of("late")
    assert offered(searched) == ["late", "no image"]
    assert sheet.image.currentText() == "no image"


def test_an_image_that_covers_no_crown_is_told(searched, image_of):
    sheet = gallery(searched)
    image_of("far", west=700000.0)
    sheet.image.setCurrentIndex(0)
    finish(searched)
    assert searched.iface.messageBar().get_messages(Qgis.MessageLevel.Warning) == [
        "RandCrowns:Image 'far' covers none of the crowns of the gallery; they are drawn on white."
    ]
    image_of("near", north=3000040.0)
    searched.iface.messageBar().clear_messages()
    sheet.image.setCurrentIndex(sheet.image.findText("near"))
    finish(searched)
    assert searched.iface.messageBar().get_messages(Qgis.MessageLevel.Warning) == []
