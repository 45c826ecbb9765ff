"""Page Parameters end to end: real layers, the real algorithms, the real map."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from qgis.core import Qgis, QgsProject, QgsRasterLayer, QgsRenderContext
from qgis.PyQt.QtCore import Qt
from support.layers import EAST, NORTH, crowns_at, layer_of
from support.qt import spin, wait_until
from support.rasters import write_raster
from support.searching import finish

from randcrowns.algorithms.choices import IMAGE_EXTENT, LENGTHS, OWN, PRESET
from randcrowns.algorithms.layer_choice import AreaValue
from randcrowns.algorithms.tuning.choices import ALPHAS, EXTENT, LIMIT
from randcrowns.core.tuning.search import SetVerdict
from randcrowns.ui.services.settings import Settings, recall, remember

_SIDES = ("xMinimum", "yMinimum", "xMaximum", "yMaximum")


def errors(page):
    return page.iface.messageBar().get_messages(Qgis.MessageLevel.Critical)


@pytest.fixture
def page(parameters_page):
    return parameters_page


def _symbols(layers):
    context = QgsRenderContext()
    return [symbol.clone() for layer in layers for symbol in layer.renderer().symbols(context)]


def some_cell(page, verdict):
    grid = page.results.search.grid
    row = grid[grid["verdict"] == verdict].iloc[0]
    return float(row["alpha"]), float(row["omega"]), float(row["gamma"])


# Running


def test_the_defaults_work_and_the_button_says_what_it_does(page, three_people):
    assert page.form.annotators.checked_ids() == tuple(layer.id() for layer in three_people)
    assert page.run_bar.run_button.text() == "Search 112 sets"
    assert page.run_bar.run_button.isEnabled()


def test_a_run_shows_grid_and_crowns_at_the_best_set(searched):
    results = searched.results
    assert errors(searched) == []
    assert len(results.search.grid) == 112
    assert results.map.chosen == results.search.best
    assert f"alpha {results.search.best[0]:g} m" in results.headline.text()
    assert results.look.lengths == results.search.best
    assert len(results.variance.model.frame) == 4
    assert set(results.look.looks["look"]) == {"worst", "typical"}
    assert searched.highlight.bands == []


def test_after_a_first_run_the_map_is_drawn_at_one_size(page, run, monkeypatch):
    from matplotlib.backends.backend_qtagg import FigureCanvasQTAgg

    drawn, draw = set(), FigureCanvasQTAgg.draw

    def noted(canvas):
        drawn.add((canvas.width(), canvas.height()))
        draw(canvas)

    monkeypatch.setattr(FigureCanvasQTAgg, "draw", noted)
    run(page)
    finish(page)
    assert len(drawn) == 1


def test_figures_of_the_look_are_those_of_the_grid(searched):
    grid, best = searched.results.search.grid, searched.results.search.best
    row = grid[np.isclose(grid[["alpha", "omega", "gamma"]], best).all(axis=1)].iloc[0]
    overall = searched.results.look.variance.iloc[-1]
    assert overall["randcrowns_variance"] == pytest.approx(row["variance"], abs=1e-5)


def test_cancel_leaves_everything_as_it_was(page, run):
    page.start()
    page.runs.cancel()
    wait_until(lambda: page.run is None)
    assert page.results.search is None
    assert errors(page) == []
    assert page.run_bar.run_button.isEnabled()


def test_stale_when_a_layer_or_a_choice_changes(searched, three_people):
    assert not searched.results.is_stale
    searched.form.field(LIMIT).setValue(0.4)
    assert searched.results.is_stale
    searched.form.field(LIMIT).setValue(0.5)
    assert not searched.results.is_stale
    three_people[0].startEditing()
    three_people[0].deleteFeature(1)
    assert "person 1" in searched.results.stale.text()
    three_people[0].rollBack()


# Choosing a set


def test_a_cell_shows_its_worst_crown_on_the_map(searched):
    cell = some_cell(searched, SetVerdict.WRONG_PAIRS_TOO_HIGH.value)
    searched.results.map.choose(*cell)
    finish(searched)
    assert searched.results.look.lengths == cell
    assert searched.highlight.bands
    assert not searched.results.legend.isHidden()
    row = searched.results.looks.model.frame.iloc[0]
    assert row["look"] == "worst"
    assert row["randcrowns_variance"] == searched.results.look.looks["randcrowns_variance"].max()


def test_a_click_on_the_map_of_variances_chooses_the_cell(searched):
    plot = searched.results.map.plot

    class Click:
        xdata, ydata = 1.5, 2.5
        inaxes = plot.axes

    plot.pressed(Click)
    chosen = searched.results.map.chosen
    grid = searched.results.search.grid
    assert chosen[0] == pytest.approx(sorted(grid["alpha"].unique())[2])
    assert chosen[1] == pytest.approx(sorted(grid["omega"].unique())[1])
    finish(searched)


def test_the_slider_goes_through_gamma(searched):
    searched.results.map.slider.setValue(0)
    assert searched.results.map.gamma() == 1.0
    assert "1" in searched.results.map.gamma_label.text()
    searched.results.map.slider.setValue(6)
    assert searched.results.map.gamma() == 7.0


def test_only_the_last_of_many_cells_counts(searched):
    first, last = (
        some_cell(searched, SetVerdict.OFFERED.value),
        some_cell(searched, SetVerdict.WRONG_PAIRS_TOO_HIGH.value),
    )
    searched.results.map.choose(*first)
    searched.results.map.choose(*last)
    finish(searched)
    assert searched.results.look.lengths == last
    assert errors(searched) == []


def test_use_these_puts_the_set_on_page_score(searched, dock):
    cell = some_cell(searched, SetVerdict.OFFERED.value)
    searched.results.map.choose(*cell)
    finish(searched)
    assert searched.highlight.bands
    assert searched.results.map.use_button.isEnabled()
    searched.results.map.use_button.click()
    assert dock.page.key == "score"
    taken = dock.page.form.settings()
    assert (taken[PRESET], *(taken[length] for length in LENGTHS)) == (OWN, *cell)
    assert searched.highlight.bands == []


@pytest.mark.parametrize("kind", ["layer", "image"])
def test_use_these_hands_over_what_the_set_was_found_with(page, run, dock, project, tmp_path, kind):
    everywhere = {"west": EAST - 100, "north": NORTH + 140}
    image = (
        QgsRasterLayer(str(write_raster(tmp_path / "image.tif", np.ones((240, 240)), **everywhere)), "image")
        if kind == "image"
        else layer_of("image", [shapely.box(EAST - 100, NORTH - 100, EAST + 140, NORTH + 140)])
    )
    project.addMapLayer(image)
    page.form.field(EXTENT).show_area(AreaValue(kind, **{kind: image.id()}))
    run(page)
    finish(page)
    page.results.map.use_button.click()
    assert dock.page.form.settings()[IMAGE_EXTENT] == AreaValue(kind, **{kind: image.id()})


def test_use_these_leaves_page_scores_own_extent_where_none_was_chosen(searched, dock):
    score = dock.show_page("score")
    score.form.field(IMAGE_EXTENT).show_area(AreaValue("canvas"))
    dock.show_page("parameters").results.map.use_button.click()
    assert dock.page.form.settings()[IMAGE_EXTENT] == AreaValue("canvas")


def test_a_refused_set_cannot_be_used_and_says_why(searched):
    searched.results.map.choose(*some_cell(searched, SetVerdict.WRONG_PAIRS_TOO_HIGH.value))
    finish(searched)
    assert not searched.results.map.use_button.isEnabled()
    assert "wrong pairs score" in searched.results.map.use_button.toolTip()
    assert "refused: wrong pairs" in searched.results.map.about.text()


def test_a_set_of_the_table_is_chosen_on_the_map(searched):
    searched.results.sets.view.choose_frame_row(3)
    row = searched.results.sets.model.frame.iloc[3]
    assert searched.results.map.chosen == (row["alpha"], row["omega"], row["gamma"])
    finish(searched)


def test_nothing_to_offer_is_said(page, run):
    page.form.field(LIMIT).setValue(0.01)
    run(page)
    finish(page)
    assert "No set of the grid" in page.results.headline.text()
    assert page.results.look is None
    assert not page.results.map.use_button.isEnabled()


# Scatter and gallery


def test_points_of_the_scatter_show_their_crown(searched):
    searched.results.tabs.setCurrentWidget(searched.results.plot)
    spin()
    frame = searched.results.plot.data[0]
    assert set(frame["series"]) == {"person 1 – person 2", "person 1 – person 3", "person 2 – person 3"}
    assert len(frame) == 72
    searched.results.plot.row_chosen.emit(5)
    assert searched.highlight.bands
    searched.leave()
    assert searched.highlight.bands == []


def test_the_gallery_is_drawn_when_it_is_looked_at_and_saved(searched, tmp_path):
    gallery = searched.results.gallery
    assert not gallery.is_shown
    searched.results.tabs.setCurrentWidget(gallery)
    finish(searched)
    assert gallery.is_shown
    once = gallery.picture.pixmap().width()
    assert once >= min(560, gallery.sheet.width())
    gallery.devicePixelRatioF = lambda: 2.0  # as on a screen of twice the dots
    gallery.show_picture(gallery.sheet)
    twice = gallery.picture.pixmap()
    assert (twice.width(), twice.devicePixelRatio()) == (min(2 * once, gallery.sheet.width()), 2)
    gallery.save_asked.emit(str(tmp_path / "sheet.svg"))
    finish(searched)
    assert "IoU" in (tmp_path / "sheet.svg").read_text()
    gallery.save_asked.emit(str(tmp_path / "none" / "sheet.svg"))
    finish(searched)
    assert len(errors(searched)) == 1
    assert gallery.is_shown


def test_saving_and_drawing_the_gallery_do_not_stop_each_other(searched, tmp_path):
    gallery, bar = searched.results.gallery, searched.iface.messageBar()
    searched.results.tabs.setCurrentWidget(gallery)
    gallery.save_asked.emit(str(tmp_path / "while_drawn.png"))
    gallery.save_asked.emit(str(tmp_path / "another.png"))
    finish(searched)
    assert gallery.is_shown
    gallery.save_asked.emit(str(tmp_path / "drawn_anew.png"))
    gallery.number.setValue(2)
    finish(searched)
    gallery.save_asked.emit(str(tmp_path / "other_set.png"))
    searched.results.map.choose(*some_cell(searched, SetVerdict.OFFERED))
    finish(searched)
    assert gallery.is_shown
    assert sorted(file.stem for file in tmp_path.iterdir()) == ["another", "drawn_anew", "other_set", "while_drawn"]
    assert errors(searched) == []
    assert len(bar.get_messages(Qgis.MessageLevel.Success)) >= 4


def test_a_gallery_that_cannot_be_saved_leaves_the_sheet(searched):
    gallery = searched.results.gallery
    searched.results.tabs.setCurrentWidget(gallery)
    finish(searched)
    gallery.save_asked.emit("/proc/x.png")
    finish(searched)
    assert len(errors(searched)) == 1
    assert gallery.is_shown
    assert gallery.picture.text() == ""
    searched.results.look = None
    gallery.save_asked.emit("/proc/x.png")
    assert "no gallery to save" in searched.iface.messageBar().get_messages(Qgis.MessageLevel.Warning)[-1]


def test_plots_are_saved(searched, tmp_path):
    searched.results.map.plot.save(str(tmp_path / "map.svg"))
    assert "variance of RandCrowns" in (tmp_path / "map.svg").read_text() or (tmp_path / "map.svg").stat().st_size
    searched.results.map.slider.setValue(1)
    searched.results.map.plot.save(str(tmp_path / "map.png"))
    assert len(searched.results.map.plot.axes.figure.axes) == 2


def test_a_plot_in_its_own_window_is_the_same_plot(searched):
    plot = searched.results.map.plot
    plot.open_window()
    spin()
    twin = plot.window_plot
    twin.cell_clicked.emit(0.5, 0.9)
    assert searched.results.map.chosen[:2] == (0.5, 0.9)
    finish(searched)
    assert twin.data[2] == (0.5, 0.9)
    searched.results.map.slider.setValue(0)
    assert len(twin.axes.figure.axes) == 2


def test_outlines_become_layers_on_request(searched, project, three_people):
    searched.results.layers_button.click()
    made = [layer for layer in project.mapLayers().values() if layer not in three_people]
    assert sorted(layer.featureCount() for layer in made) == [0, 36, 72]
    assert {bool(layer.renderer().dump().count("variance under 0.0001")) for layer in made} == {True, False}
    assert {symbol.symbolLayer(0).brushStyle() for symbol in _symbols(made)} == {Qt.BrushStyle.NoBrush}
    assert searched.form.annotators.checked_ids() == tuple(layer.id() for layer in three_people)
    project.removeMapLayers([layer.id() for layer in made])
    searched.results.looks.view.choose_frame_row(0)
    assert searched.highlight.bands


# Odd input


def test_a_single_layer_is_warped(page, run, three_people):
    page.form.annotators.check((three_people[0].id(),))
    assert not page.form.hint.isHidden()
    run(page)
    finish(page)
    assert errors(page) == []
    assert len(page.results.look.variance) == 5
    page.results.map.choose(*page.results.search.best)
    finish(page)
    assert page.highlight.bands


def test_two_layers_need_targets(page, run, three_people):
    page.form.annotators.check(tuple(layer.id() for layer in three_people[:2]))
    assert "at least three annotators" in page.form.why_not()
    assert not page.run_bar.run_button.isEnabled()
    page.form.target.pick(three_people[2].id())
    assert page.form.why_not() == ""
    run(page)
    finish(page)
    assert errors(page) == []
    assert page.results.variance.model.frame["target_annotator"].tolist() == ["person 3", "all"]


def test_a_grid_that_leads_nowhere(page):
    page.form.field(ALPHAS).boxes[1].setValue(0.1)
    assert "last alpha is below" in page.form.why_not()


def test_annotators_with_nothing_in_common_get_a_sentence(page, run, project, three_people):
    far = layer_of("person 4", crowns_at([(900, 900)], seed=4))
    project.addMapLayer(far)
    page.form.annotators.check((*page.form.annotators.checked_ids(), far.id()))
    run(page)
    (said,) = errors(page)
    assert "No crown was drawn by all" in said
    assert page.results.search is None


def test_a_layer_removed_after_the_run(searched, project, three_people):
    project.removeMapLayer(three_people[0].id())
    searched.results.looks.view.choose_frame_row(1)
    assert searched.highlight.bands
    assert searched.results.is_stale
    searched.results.map.choose(*some_cell(searched, SetVerdict.OFFERED.value))
    finish(searched)
    assert searched.results.look is None
    assert "no longer in the project" in searched.results.about_look.text()
    assert errors(searched) == []


def test_excluded_crowns_are_listed_and_shown(page, run, three_people):
    three_people[0].dataProvider().deleteFeatures([1])
    run(page)
    finish(page)
    left = page.results.excluded.model.frame
    assert left["annotator"].tolist() == ["person 2", "person 3"]
    assert "2 delineations excluded" in page.results.about_variance.text()
    page.results.excluded.view.choose_frame_row(1)
    assert page.highlight.bands


# Memory


def test_an_image_extent_is_read_by_the_grid_and_by_the_crowns(page, run, project, three_people):
    whole = three_people[0].extent()
    whole.scale(0.95)
    assert page.form.target.combo.currentText() == "none: each annotator in turn"
    assert page.form.field(EXTENT).area().kind == "none"
    image = layer_of("image", [shapely.box(*(getattr(whole, side)() for side in _SIDES))])
    project.addMapLayer(image)
    page.form.field(EXTENT).show_area(AreaValue("layer", image.id()))
    run(page)
    finish(page)
    assert page.parameters(page.results.search.settings)["EXTENT_LAYER"] == image.id()
    best = page.results.search.grid.sort_values("rank").iloc[0]
    direct = page.results.look.variance.iloc[-1]
    assert best["variance"] == pytest.approx(direct["randcrowns_variance"], abs=1e-5)


def test_an_image_is_an_extent(page, project, tmp_path):
    picture = QgsRasterLayer(str(write_raster(tmp_path / "image.tif", np.ones((40, 40)))), "image")
    project.addMapLayer(picture)
    extent = page.form.field(EXTENT)
    extent.show_area(AreaValue("image", image=picture.id()))
    given = page.parameters(page.form.settings())
    assert "EXTENT_LAYER" not in given
    assert (given["EXTENT"].xMaximum(), given["EXTENT"].crs()) == (picture.extent().xMaximum(), picture.crs())
    project.removeMapLayer(picture.id())
    spin()
    assert extent.area() == AreaValue()
    assert extent.currentText() == "None"


@pytest.mark.parametrize("kind", ["layer", "image"])
def test_the_one_layer_that_earlier_projects_kept_for_the_extent_is_taken_up(page, project, tmp_path, kind):
    file = write_raster(tmp_path / "image.tif", np.ones((40, 40)))
    layer = QgsRasterLayer(str(file), "image") if kind == "image" else layer_of("image", crowns_at([(0, 0)]))
    project.addMapLayer(layer)
    for kept, found in ((layer.id(), AreaValue(kind, **{kind: layer.id()})), ("gone", AreaValue())):
        remember("parameters", {"extent_layer": kept})
        page.restore()
        assert page.form.settings()[EXTENT] == found


def test_choices_are_kept_in_the_project(page, run):
    page.form.field(LIMIT).setValue(0.45)
    page.keep()
    kept = Settings.of(page.form.choices, recall("parameters"))
    assert kept[LIMIT] == 0.45
    assert kept == page.form.settings()
    page.form.field(LIMIT).setValue(0.9)
    page.restore()
    assert page.form.settings() == kept


def test_an_empty_project_offers_the_sample(project, dock):
    page = dock.show_page("parameters")
    assert page.stack.currentWidget() is page.empty


def test_closing_leaves_no_trace(searched):
    searched.results.map.choose(*searched.results.search.best)
    searched.close_down()
    spin(50)
    assert not searched.runs.beside
    assert QgsProject.instance().mapLayersByName("Crowns") == []


def test_tabs_take_no_more_room_than_their_words(searched):
    """All six are to be seen in a dock of 360 pixels in QGIS's usual font, without arrows to scroll by."""
    bar = searched.results.tabs.tabBar()
    words = [bar.fontMetrics().horizontalAdvance(bar.tabText(i)) for i in range(bar.count())]
    widths = [bar.tabRect(i).width() for i in range(bar.count())]
    assert all(8 <= width - word <= 20 for width, word in zip(widths, words))


def test_the_bar_of_colours_is_named_in_full_in_the_lowest_plot(searched):
    plot = searched.results.map.plot
    figure = plot.axes.figure
    figure.set_size_inches(200 / figure.dpi, 180 / figure.dpi)
    figure.canvas.draw()
    label = plot.axes.figure.axes[-1].yaxis.label
    assert label.get_text() == "variance"
    there, whole = label.get_window_extent(), figure.bbox
    assert whole.x0 <= there.x0 < there.x1 <= whole.x1
    assert whole.y0 <= there.y0 < there.y1 <= whole.y1
