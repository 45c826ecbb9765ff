"""Plots of pages: when they are drawn."""

from __future__ import annotations

from qgis.PyQt.QtCore import QPoint
from qgis.PyQt.QtWidgets import QPushButton
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


def test_a_plot_of_any_width_has_no_column_of_random_pixels(qgis_app):
    """201 / 100 * 100 is less than 201: matplotlib would draw only 200 of 201 pixels."""
    plot = Counted()
    plot.show()
    spin()
    for width in range(201, 260):
        plot.canvas.resize(width, width)
        assert plot.canvas.get_width_height() == (width, width)
    plot.deleteLater()
    spin()


def test_a_button_stands_before_those_of_the_plot_or_above_them_where_it_is_narrow(qgis_app):
    plot = Counted()
    plot.add_button(QPushButton("A button"))
    plot.show()
    (added,) = (one for one in plot.findChildren(QPushButton) if one.text() == "A button")
    plot.resize(600, 400)
    spin(20)
    assert added.mapTo(plot, QPoint()).y() == plot.save_button.mapTo(plot, QPoint()).y()
    assert added.mapTo(plot, QPoint()).x() < plot.open_button.mapTo(plot, QPoint()).x()
    plot.resize(plot.minimumSizeHint().width(), 400)
    spin(20)
    assert added.mapTo(plot, QPoint()).y() < plot.save_button.mapTo(plot, QPoint()).y()
    plot.deleteLater()
    spin()
