"""What page Review shows of the crown at hand: on the map, in its key and in its list."""

from __future__ import annotations

import numpy as np
import pytest
from qgis.core import QgsGeometry, QgsProject, QgsRasterLayer, QgsRectangle
from qgis.PyQt.QtCore import QPoint
from qgis.PyQt.QtGui import QColor
from qgis.PyQt.QtWidgets import QLabel
from support.panel import empty_project, opened_dock
from support.qt import spin, wait_until
from support.rasters import write_raster
from support.reviewing import ids, is_drawn, layer_named, open_copy, outline, press

from randcrowns.ui.services.settings import write_parameters
from randcrowns.ui.widgets.colours import annotator_colours
from randcrowns.ui.widgets.parts import set_collapsed


@pytest.fixture(scope="module")
def opened(qgis_iface, run_of_two, tmp_path_factory):
    """A dock on a project that every test leaves as it is."""
    with empty_project(), opened_dock(qgis_iface) as made:
        open_copy(run_of_two, tmp_path_factory.mktemp("reviewed"))
        yield made


@pytest.fixture
def dock(opened):
    """Page Review on show, as it is at first."""
    opened.resize(400, 900)
    page = opened.show_page("review")
    page.leave()
    set_collapsed(page.queue_form.filter_group, True)
    write_parameters("review", {})
    page.load_parameters()
    page.highlight.settling_timer.stop()  # no project was opened
    spin()
    return opened


@pytest.fixture
def review(dock):
    """Page Review, with a crown at hand that both have found."""
    dock.page.go_to(dock.page.session.row_of(3))
    return dock.page


def look_away(page) -> None:
    page.iface.mapCanvas().setExtent(QgsRectangle(600000, 3000000, 600100, 3000100))


def test_coming_back_to_the_page_shows_the_crown_at_hand(review, dock):
    assert is_drawn(review)
    dock.show_page("score")
    assert not review.highlight.bands
    look_away(review)
    dock.show_page("review")
    assert is_drawn(review)
    dock.close()
    wait_until(lambda: not review.highlight.bands)
    look_away(review)
    dock.show()
    assert is_drawn(review)


def test_a_project_that_is_opened_shows_the_crown_at_hand(review):
    review.store_parameters()
    review.go_to(-1)
    assert not review.highlight.bands
    look_away(review)
    review.load_parameters()
    assert not review.highlight.bands
    wait_until(lambda: review.highlight.bands)
    assert review.session.current_crown["feature_id"] == 3
    assert is_drawn(review)


def test_only_the_page_on_show_draws_its_crown(review, dock):
    targets = layer_named("crowns")
    targets.removeSelection()
    score, canvas = dock.show_page("score"), review.iface.mapCanvas()
    dock.show_page("review")
    drawn, place = [band.asGeometry().asWkt() for band in review.highlight.bands], canvas.extent()
    targets.selectByIds([1])
    spin()
    assert not score.highlight.bands
    assert not score.results.crown_table.view.selected_rows()
    assert [band.asGeometry().asWkt() for band in review.highlight.bands] == drawn
    assert canvas.extent() == place
    dock.show_page("score")
    targets.selectByIds([2])
    assert score.highlight.bands
    targets.removeSelection()


def test_the_veil_leaves_the_crown_and_its_delineations_free(review):
    veil = next(
        band for band in review.highlight.bands if not band.asGeometry().boundingBox().width() < 100
    )
    drawn = [band.asGeometry() for band in review.highlight.bands[-3:]]
    assert all(not veil.asGeometry().intersects(one) for one in drawn)
    assert veil.asGeometry().contains(QgsGeometry.fromWkt("Point(500032 3000012)"))


def test_the_next_crown_is_in_the_middle_though_the_map_shows_it_already(review):
    canvas, box = review.iface.mapCanvas(), outline(review).boundingBox()
    scale = canvas.scale()
    canvas.setCenter(
        QgsRectangle(
            box.xMinimum() + 3, box.yMinimum(), box.xMaximum() + 3, box.yMaximum()
        ).center()
    )
    review.go_to(review.session.row_of(2))
    review.go_to(review.session.row_of(3))
    assert is_drawn(review)
    assert canvas.scale() == pytest.approx(scale)


@pytest.fixture
def image(tmp_path):
    path = write_raster(tmp_path / "image.tif", np.ones((60, 60)), west=500000, north=3000050)
    project, made = QgsProject.instance(), QgsRasterLayer(str(path), "image")
    project.addMapLayer(made)
    yield made
    project.removeMapLayer(made.id())


def test_on_an_image_the_crown_is_drawn_without_the_layers_that_hide_it(review, image):
    canvas = review.iface.mapCanvas()
    canvas.setLayers(
        [*(one for one in QgsProject.instance().mapLayers().values() if one is not image), image]
    )
    shown = canvas.layers()
    review.go_to(review.session.row_of(3))
    assert canvas.layers() == [image]
    canvas.setLayers(shown[1:])  # as QGIS does once a layer is switched off, or gone
    assert canvas.layers() == [image]
    canvas.setLayers(shown)  # what is switched on by hand is to be seen
    assert canvas.layers() == [shown[0], image]
    review.leave()
    assert canvas.layers() == shown
    review.store_parameters()
    review.load_parameters()
    canvas.setLayers(shown)  # as QGIS does at the end of opening a project
    wait_until(lambda: canvas.layers() == [image])


def test_a_crown_that_no_image_shows_is_not_left_on_a_white_map_without_a_word(
    review, image, tmp_path
):
    canvas = review.iface.mapCanvas()
    assert review.no_image_label.isHidden()  # the map has no image at all
    canvas.setLayers([image])
    review.go_to(review.session.row_of(3))
    assert review.no_image_label.isHidden()
    path = write_raster(tmp_path / "away.tif", np.ones((60, 60)), west=700000, north=3000050)
    away = QgsProject.instance().addMapLayer(QgsRasterLayer(str(path), "away"))
    canvas.setLayers([away])
    review.go_to(review.session.row_of(2))
    assert review.no_image_label.isVisibleTo(review)
    assert review.no_image_label.text() == "No image of the project shows this crown."
    review.go_to(-1)
    assert review.no_image_label.isHidden()
    QgsProject.instance().removeMapLayer(away.id())


def test_the_outlines_around_are_drawn_too(review):
    assert all(
        band.secondaryStrokeColor().alpha() for band in review.highlight.bands if band.width() > 1
    )
    thin = [band.asGeometry() for band in review.highlight.bands if band.width() == 1]
    assert len(thin) == 3
    assert all(one.intersects(outline(review)) for one in thin)
    assert any(one.constGet().numGeometries() > 1 for one in thin)


def colours(page) -> list[str]:
    """Of the delineations of the crown at hand."""
    return [band.strokeColor().name() for band in page.highlight.bands[-3:-1]]


def test_annotators_have_the_colours_of_their_layers_and_a_key_names_them(review):
    assert colours(review) == ["#123456", "#654321"]
    assert review.legend.isVisible()
    told = review.legend.text()
    assert (
        told.index("#123456") < told.index("drawn") < told.index("#654321") < told.index("second")
    )
    assert "no&nbsp;match" not in told
    review.go_to(review.session.row_of(7))
    assert "second&nbsp;(no&nbsp;match)" in review.legend.text()
    review.go_to(-1)
    assert not review.legend.isVisible()


def test_colours_that_tell_nobody_apart_are_not_taken(review):
    """The other's own, or that of the targets, or one much like them."""
    second, own = layer_named("second").renderer().symbol().symbolLayer(0), colours(review)
    for colour in ("#123456", "#1a3a5e", "#d7191c", "#c03a3a"):
        second.setFillColor(QColor(colour))
        review.go_to(review.session.row_of(3))
        assert colours(review) == list(annotator_colours(["drawn", "second"]).values()), colour
        assert len({*colours(review), "#d7191c"}) == 3
        second.setFillColor(QColor(own[1]))
        review.go_to(review.session.row_of(3))
        assert colours(review) == own


def test_side_by_side_has_the_same_colours(review):
    review.show_side_by_side()
    shown = [
        small_map.highlight.bands[0].strokeColor().name() for small_map in review.side_by_side.maps
    ]
    assert shown == colours(review)


def test_without_names_and_plots_there_are_no_columns_of_them(review):
    titles = [column.title for column in review.crown_table.model.columns]
    assert titles[:5] == ["Id", "RC", "IoU", "Problem", "Verdict"]
    assert "Side" in titles


def test_in_a_short_narrow_dock_nothing_is_squashed(review, dock):
    dock.resize(380, 500)
    set_collapsed(review.queue_form.filter_group, False)
    spin(50)
    choosing = review.queue_form
    for field in (
        choosing.layer_box,
        choosing.order_box,
        choosing.problem_box,
        choosing.max_score_box,
        choosing.unreviewed_box,
    ):
        assert field.height() >= field.minimumSizeHint().height(), field.toolTip()
    places = [
        one.mapTo(review, QPoint(0, 0)) for one in (review.crown_table, review.reviewer_field)
    ]
    assert places[0].y() + review.crown_table.height() <= places[1].y()
    assert review.crown_table.view.height() >= 90
    assert review.body.horizontalScrollBar().maximum() == 0
    set_collapsed(review.queue_form.filter_group, True)
    dock.resize(380, 900)
    spin(50)
    assert review.body.verticalScrollBar().maximum() == 0
    places = [
        one.mapTo(review, QPoint(0, 0)) for one in (review.crown_table, review.reviewer_field)
    ]
    assert places[0].y() + review.crown_table.height() <= places[1].y()


@pytest.mark.parametrize("width", [320, 420])
def test_the_buttons_of_the_verdicts_stay_where_they_are_from_crown_to_crown(review, dock, width):
    dock.resize(width, 700)
    heights, places = set(), set()
    for row in range(len(review.session.crowns)):
        review.go_to(row)
        spin()
        heights.add(review.crown_label.height())
        places.update(
            (name, *_place_in(review, one)) for name, one in review.verdict_bar.buttons.items()
        )
    assert len(heights) > 1
    assert len(places) == len(review.verdict_bar.buttons)


def _place_in(review, button):
    place = button.mapTo(review, QPoint(0, 0))
    return place.x(), place.y()


def test_a_folded_filter_stays_folded_and_unfolds_to_what_there_is(review):
    choosing = review.queue_form
    review.store_parameters()
    review.load_parameters()
    spin()
    assert choosing.filter_group.isCollapsed()
    assert not choosing.problem_box.isVisible()
    assert choosing.filter_group.sizeHint().height() < 2 * choosing.order_box.height()
    set_collapsed(choosing.filter_group, False)
    assert choosing.problem_box.isVisible()
    assert not choosing.plot_box.isVisible()
    choosing.set_plots(["a", "b"])
    assert choosing.plot_box.isVisible()


def test_several_delineation_layers(review):
    page = review
    assert [one.key for one in page.queue_form.delineation_box.options] == ["drawn", "second"]
    page.queue_form.order_box.set_value("spread")
    listed = page.session.crowns.iloc[page.session.listed_rows]
    assert listed["spread"].dropna().is_monotonic_decreasing
    press(page, "next")
    page.crown_table.choose_frame_row(ids(page).index(3))
    spin()
    assert [band.width() for band in page.highlight.bands] == [1, 1, 1, 0, 2, 2, 3]


def test_side_by_side_each_delineation_has_a_map_and_they_move_together(review, dock):
    page = review
    page.side_by_side_button.click()
    spin()
    maps = [small_map.canvas for small_map in page.side_by_side.maps]
    assert len(maps) == 2
    middle = page.iface.mapCanvas().extent().center()
    assert [one.extent().center().compare(middle, 1e-6) for one in maps] == [True, True]
    place = maps[0].extent()
    place.scale(0.5)
    maps[0].setExtent(place)
    spin()
    assert maps[1].extent().center().compare(maps[0].extent().center(), 1e-6)
    assert maps[1].extent().width() == pytest.approx(maps[0].extent().width(), rel=0.5)
    press(page, "next")
    middle = page.iface.mapCanvas().extent().center()
    assert [one.extent().center().compare(middle, 1e-6) for one in maps] == [True, True]
    dock.show_page("score")
    assert not page.side_by_side.isVisible()
    dock.show_page("review")
    page.side_by_side_button.click()
    assert page.side_by_side.isVisible()


def test_side_by_side_says_who_has_no_match(review):
    page = review
    page.crown_table.choose_frame_row(ids(page).index(7))
    page.side_by_side_button.click()
    spin()
    assert [
        small_map.canvas.parentWidget().isVisible() for small_map in page.side_by_side.maps
    ] == [
        True,
        True,
    ]
    titles = [
        small_map.canvas.parentWidget().findChild(QLabel).text()
        for small_map in page.side_by_side.maps
    ]
    assert "second (no match)" in titles[1]
