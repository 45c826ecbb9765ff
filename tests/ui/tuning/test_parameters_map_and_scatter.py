"""Plots of page Parameters: variances over alpha and omega, and the scatter plot of crowns."""

from __future__ import annotations

import pytest
from support.qt import spin, wait_until
from support.searching import finish


def show_map(page):
    page.results.tabs.setCurrentWidget(page.results.variance_map)
    spin()


def test_a_click_on_the_map_of_variances_chooses_the_cell(searched):
    show_map(searched)
    plot = searched.results.variance_map.plot

    class Click:
        xdata, ydata = 1.5, 2.5
        inaxes = plot.axes

    plot.on_mouse_pressed(Click)
    chosen = searched.results.variance_map.selected_set
    grid = searched.results.search.grid
    assert chosen[0] == pytest.approx(sorted(grid["alpha"].unique())[2])
    assert chosen[1] == pytest.approx(sorted(grid["omega"].unique())[1])
    finish(searched)


def test_points_of_the_scatter_show_their_crown(searched):
    searched.results.tabs.setCurrentWidget(searched.results.plot)
    spin()
    frame = searched.results.plot.data[0]
    assert set(frame["series"]) == {
        "person 1 – person 2",
        "person 1 – person 3",
        "person 2 – person 3",
    }
    assert len(frame) == 72
    searched.results.plot.row_chosen.emit(5)
    assert searched.highlight.bands
    searched.leave()
    assert searched.highlight.bands == []


def test_plots_are_saved(searched, tmp_path):
    show_map(searched)
    searched.results.variance_map.slider.setValue(1)
    searched.results.variance_map.plot.save(str(tmp_path / "map.svg"))
    assert (
        "variance of RandCrowns" in (tmp_path / "map.svg").read_text()
        or (tmp_path / "map.svg").stat().st_size
    )
    assert len(searched.results.variance_map.plot.axes.figure.axes) == 2


def test_a_plot_in_its_own_window_is_the_same_plot(searched):
    show_map(searched)
    plot = searched.results.variance_map.plot
    plot.open_window()
    spin()
    twin = plot.window_plot
    twin.cell_clicked.emit(0.5, 0.9)
    assert searched.results.variance_map.selected_set[:2] == (0.5, 0.9)
    finish(searched)
    assert twin.data[2] == (0.5, 0.9)
    searched.results.variance_map.slider.setValue(0)
    assert len(twin.axes.figure.axes) == 2
    plot.close_window()


def test_the_bar_of_colours_is_named_in_full_in_the_lowest_plot(searched):
    show_map(searched)
    plot = searched.results.variance_map.plot
    figure = plot.axes.figure
    before = figure.get_size_inches()
    figure.set_size_inches(200 / figure.dpi, 180 / figure.dpi)
    figure.canvas.draw()
    label = plot.axes.figure.axes[-1].yaxis.label
    assert label.get_text() == "variance"
    there, whole = label.get_window_extent(), figure.bbox
    assert whole.x0 <= there.x0 < there.x1 <= whole.x1
    assert whole.y0 <= there.y0 < there.y1 <= whole.y1
    figure.set_size_inches(before)


def test_map_and_buttons_are_whole_in_a_small_window_by_scrolling(searched):
    searched.window().resize(360, 640)
    show_map(searched)
    map_ = searched.results.variance_map
    assert map_.plot.canvas.height() >= map_.plot.min_height
    for button in (map_.plot.open_button, map_.plot.save_button, map_.use_button):
        assert button.visibleRegion().boundingRect() == button.rect()


def test_the_legend_of_the_scatter_covers_no_point(searched):
    results = searched.results
    results.tabs.setCurrentWidget(results.plot)

    def is_legend_placed() -> bool:
        """Return True if the figure contains the legend, to the right of the points or below."""
        axes = results.plot.axes
        axes.figure.canvas.draw()
        box, legend = axes.figure.bbox, axes.get_legend().get_window_extent()
        is_wide = box.width > 1.4 * box.height
        is_inside = box.x0 <= legend.x0 < legend.x1 <= box.x1 and box.y0 <= legend.y0
        return (
            not legend.overlaps(axes.get_window_extent())
            and (legend.x0 >= axes.get_window_extent().x1) == is_wide
            and is_inside
            and legend.y0 < legend.y1 <= box.y1
        )

    for width in (360, 900, 360):
        searched.window().resize(width, 800)
        spin()
        wait_until(is_legend_placed)  # the plot is drawn again some rounds later
    searched.window().resize(360, 300)
    spin()
    assert results.plot.canvas.height() >= 240
