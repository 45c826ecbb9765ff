"""The width of the dock in a window whose size changes."""

from __future__ import annotations

import pytest
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtWidgets import QDockWidget, QMainWindow, QWidget
from support.qt import spin

from randcrowns.ui.shell.dock_width import CommonWidth


@pytest.fixture
def window(qgis_app):
    made = QMainWindow()
    made.setCentralWidget(QWidget())
    made.resize(1000, 700)
    made.show()
    yield made
    made.close()
    made.deleteLater()
    spin()


def test_a_dock_keeps_its_common_width_until_the_user_changes_it(window):
    dock = QDockWidget()
    dock.setWidget(QWidget())
    window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, dock)
    CommonWidth(dock, window)
    for window_width, dock_width in ((1000, 333), (1366, 440), (1000, 333), (1366, 440)):
        window.resize(window_width, 700)
        spin(50)
        assert dock.width() == dock_width
    window.resizeDocks([dock], [400], Qt.Orientation.Horizontal)
    window.resize(1600, 700)
    spin(50)
    assert dock.width() == 400
