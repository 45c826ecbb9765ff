"""Plots of pages: when they are drawn."""

from __future__ import annotations

from support.qt import spin

from randcrowns.ui.widgets.plot import PlotWidget


class Counted(PlotWidget):
    """Counts how often it is drawn."""

    drawn = 0

    def draw(self, axes):
        self.drawn += 1


def test_a_plot_that_nobody_sees_is_drawn_once_it_is_seen(qgis_app):
    plot = Counted()
    plot.show_data(1)
    assert plot.drawn == 0
    plot.show()
    spin()
    assert plot.drawn == 1
    plot.hide()
    plot.show_data(2)
    plot.show_data(3)
    assert plot.drawn == 1
    for _ in range(2):
        plot.show()
        spin()
        assert plot.drawn == 2
        plot.hide()
    plot.deleteLater()
    spin()
