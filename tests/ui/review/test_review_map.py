"""What page Review shows of the crown at hand: on the map, in its key and in its list."""

from __future__ import annotations

import numpy as np
import pytest
from qgis.core import QgsGeometry, QgsRasterLayer, QgsRectangle
from qgis.PyQt.QtCore import QPoint
from qgis.PyQt.QtGui import QColor
from support.boxes import TARGET_BOXES, box_layer, shifted
from support.qt import spin, wait_until
from support.rasters import write_raster
from support.reviewing import layer_named, make_runs, open_copy

from randcrowns.algorithms.catalogue import IMPORT_CROWNS
from randcrowns.algorithms.scoring.choices import GROUP_FIELD
from randcrowns.ui.review import page as review_page
from randcrowns.ui.widgets.colours import annotator_colours
from randcrowns.ui.widgets.parts import set_folded


@pytest.fixture
def project_file(project, run_of_two, tmp_path):
    return open_copy(run_of_two, tmp_path)


@pytest.fixture
def review(project_file, dock):
    """Page Review, with a crown at hand that both have found."""
    page = dock.show_page("review")
    spin()
    page._go(page.session.row_of(3))
    return page


def outline(page) -> QgsGeometry:
    """The crown at hand, as the map has it."""
    return page.session.scored.layer.getFeature(int(page.session.crown["feature"])).geometry()


def is_drawn(page) -> bool:
    """Whether the crown at hand is drawn, and in the middle of the map with room around."""
    shown = page.iface.mapCanvas().extent()
    box = outline(page).boundingBox()
    middle = box.center().distance(shown.center()) < box.width()
    drawn = [band.asGeometry() for band in page.highlight.bands]
    return bool(drawn) and drawn[-1].isGeosEqual(outline(page)) and middle and shown.width() > 1.5 * box.width()


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
    review.keep()
    review._go(-1)
    assert not review.highlight.bands
    look_away(review)
    review.restore()
    assert not review.highlight.bands
    wait_until(lambda: review.highlight.bands)
    assert review.session.crown["feature_id"] == 3
    assert is_drawn(review)


def test_another_run_shows_the_crown_at_hand(review, dock, run):
    review.keep()
    run(dock.show_page("score"))
    dock.show_page("review")
    look_away(review)
    review.choosing.layer.setCurrentIndex(1 - review.choosing.layer.currentIndex())
    assert review.session.crown["feature_id"] == 3
    assert is_drawn(review)


def test_only_the_page_on_show_draws_its_crown(review, dock, targets):
    score, canvas = dock.show_page("score"), review.iface.mapCanvas()
    dock.show_page("review")
    drawn, place = [band.asGeometry().asWkt() for band in review.highlight.bands], canvas.extent()
    targets.selectByIds([1])
    spin()
    assert not score.highlight.bands
    assert not score.results.crowns.view.selected_rows()
    assert [band.asGeometry().asWkt() for band in review.highlight.bands] == drawn
    assert canvas.extent() == place
    dock.show_page("score")
    targets.selectByIds([2])
    assert score.highlight.bands


def test_the_veil_leaves_the_crown_and_its_delineations_free(review):
    veil = next(band for band in review.highlight.bands if not band.asGeometry().boundingBox().width() < 100)
    drawn = [band.asGeometry() for band in review.highlight.bands[-3:]]
    assert all(not veil.asGeometry().intersects(one) for one in drawn)
    assert veil.asGeometry().contains(QgsGeometry.fromWkt("Point(500032 3000012)"))


def test_the_next_crown_is_in_the_middle_though_the_map_shows_it_already(review):
    canvas, box = review.iface.mapCanvas(), outline(review).boundingBox()
    scale = canvas.scale()
    canvas.setCenter(QgsRectangle(box.xMinimum() + 3, box.yMinimum(), box.xMaximum() + 3, box.yMaximum()).center())
    review._go(review.session.row_of(2))
    review._go(review.session.row_of(3))
    assert is_drawn(review)
    assert canvas.scale() == pytest.approx(scale)


def test_on_an_image_the_crown_is_drawn_without_the_layers_that_hide_it(review, project, tmp_path):
    image = QgsRasterLayer(
        str(write_raster(tmp_path / "image.tif", np.ones((60, 60)), west=500000, north=3000050)), "image"
    )
    project.addMapLayer(image)
    canvas = review.iface.mapCanvas()
    canvas.setLayers([*(one for one in project.mapLayers().values() if one is not image), image])
    shown = canvas.layers()
    review._go(review.session.row_of(3))
    assert canvas.layers() == [image]
    canvas.setLayers(shown[1:])  # as QGIS does once a layer is switched off, or gone
    assert canvas.layers() == [image]
    canvas.setLayers(shown)  # what is switched on by hand is to be seen
    assert canvas.layers() == [shown[0], image]
    review.leave()
    assert canvas.layers() == shown
    review.keep()
    review.restore()
    canvas.setLayers(shown)  # as QGIS does at the end of opening a project
    wait_until(lambda: canvas.layers() == [image])


def test_the_outlines_around_are_drawn_too(review):
    assert all(band.secondaryStrokeColor().alpha() for band in review.highlight.bands if band.width() > 1)
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
    assert told.index("#123456") < told.index("drawn") < told.index("#654321") < told.index("second")
    assert "no&nbsp;match" not in told
    review._go(review.session.row_of(7))
    assert "second&nbsp;(no&nbsp;match)" in review.legend.text()
    review._go(-1)
    assert not review.legend.isVisible()


def test_colours_that_tell_nobody_apart_are_not_taken(review):
    """The other's own, or that of the targets, or one much like them."""
    second, own = layer_named("second").renderer().symbol().symbolLayer(0), colours(review)
    for colour in ("#123456", "#1a3a5e", "#d7191c", "#c03a3a"):
        second.setFillColor(QColor(colour))
        review._go(review.session.row_of(3))
        assert colours(review) == list(annotator_colours(["drawn", "second"]).values()), colour
        assert len({*colours(review), "#d7191c"}) == 3
        second.setFillColor(QColor(own[1]))
        review._go(review.session.row_of(3))
        assert colours(review) == own


def test_side_by_side_has_the_same_colours(review):
    review.show_beside()
    shown = [highlight.bands[0].strokeColor().name() for highlight in review.beside._highlights]
    assert shown == colours(review)


def titles(table) -> list[str]:
    return [column.title for column in table.model.columns]


@pytest.fixture(scope="module")
def named_runs(qgis_iface, tmp_path_factory):
    """Two runs on trees that have a name and a plot."""
    rows = [(f"oak {number}", "ab"[number % 2]) for number in range(len(TARGET_BOXES))]
    trees = box_layer("trees", TARGET_BOXES, fields="&field=called:string&field=plot:string", rows=rows)
    trees.setDisplayExpression("upper(called)")
    plots = [(one[1],) for one in rows]
    drawn = box_layer("drawn", shifted(TARGET_BOXES, 0.5), fields="&field=plot:string", rows=plots)
    folder = tmp_path_factory.mktemp("named")
    return make_runs(qgis_iface, folder, [trees, drawn], runs=2, **{GROUP_FIELD.name: "plot"})


@pytest.fixture
def project_of_names(project, named_runs, tmp_path):
    return open_copy(named_runs, tmp_path)


@pytest.fixture
def named(project_of_names, dock):
    """Page Score, which shows the last of them."""
    page = dock.show_page("score")
    wait_until(lambda: page.history.shown is not None)
    return page


def test_crowns_are_told_by_their_display_name_and_plot_in_every_list(named, dock):
    page = named
    assert titles(page.results.crowns)[:2] == ["Id", "Name"]
    assert "Plot" in titles(page.results.crowns)
    page.history.compare(page.history.runs()[1])
    assert titles(page.results.changes)[:3] == ["Id", "Name", "Plot"]
    review = dock.show_page("review")
    assert titles(review.list)[:3] == ["Id", "Name", "Plot"]
    tables = {page.results.crowns: "target_id", page.results.changes: "feature_id", review.list: "feature_id"}
    for table, known in tables.items():
        frame = table.model.frame
        assert frame["name"].tolist() == [f"OAK {number - 1}" for number in frame[known]]
    listed = review.list.model.frame
    assert listed["plot"].tolist() == ["ab"[(one - 1) % 2] for one in listed["feature_id"]]
    review.list.filter.setText('Name="oak 3"')
    assert review.list.model.rowCount() == 1


@pytest.mark.parametrize("display", ["$id", "'one for all'", '"plot"', "no field"])
def test_names_that_do_not_tell_crowns_apart_have_no_column(named, dock, project, display):
    project.mapLayersByName("trees")[0].setDisplayExpression(display)
    named.history.show(named.history.runs()[0])
    review = dock.show_page("review")
    review.choosing.layer_changed.emit()
    for table in (named.results.crowns, review.list):
        assert "Name" not in titles(table)
        assert "Plot" in titles(table)


def test_without_names_and_plots_there_are_no_columns_of_them(review):
    assert titles(review.list)[:2] == ["Id", "RC"]


def test_in_a_short_narrow_dock_nothing_is_squashed(review, dock):
    dock.resize(380, 500)
    set_folded(review.choosing.box, False)
    spin(50)
    choosing = review.choosing
    for field in (choosing.layer, choosing.order, choosing.problem, choosing.below, choosing.unreviewed):
        assert field.height() >= field.minimumSizeHint().height(), field.toolTip()
    places = [one.mapTo(review, QPoint(0, 0)) for one in (review.list, review.reviewer)]
    assert places[0].y() + review.list.height() <= places[1].y()
    assert review.list.view.height() >= 90
    assert review.body.horizontalScrollBar().maximum() == 0
    set_folded(review.choosing.box, True)
    dock.resize(380, 900)
    spin(50)
    assert review.body.verticalScrollBar().maximum() == 0
    places = [one.mapTo(review, QPoint(0, 0)) for one in (review.list, review.reviewer)]
    assert places[0].y() + review.list.height() <= places[1].y()


def test_a_folded_filter_stays_folded_and_unfolds_to_what_there_is(review):
    choosing = review.choosing
    review.keep()
    review.restore()
    spin()
    assert choosing.box.isCollapsed()
    assert not choosing.problem.isVisible()
    assert choosing.box.sizeHint().height() < 2 * choosing.order.height()
    set_folded(choosing.box, False)
    assert choosing.problem.isVisible()
    assert not choosing.plot.isVisible()
    choosing.offer_plots(["a", "b"])
    assert choosing.plot.isVisible()


def test_without_scores_crowns_can_be_imported(two_layers, dock, monkeypatch):
    asked = []
    monkeypatch.setattr(review_page, "show_dialog", lambda _iface, name: asked.append(name))
    dock.show_page("review").empty.import_button.click()
    assert asked == [IMPORT_CROWNS]
