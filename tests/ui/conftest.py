"""A project, a dock and a way to run it for the tests of the user interface."""

from __future__ import annotations

import pytest
from qgis.core import QgsCoordinateReferenceSystem, QgsProject
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtGui import QGuiApplication
from qgis.PyQt.QtTest import QTest
from qgis.PyQt.QtWidgets import QWidget
from support.panel import add_two_layers, opened_dock, run_page
from support.qt import spin
from support.searching import finish, show_small_grid, three_layers
from support.slots import slots_told

from randcrowns.ui.shell.running_page import RunningPage


@pytest.fixture
def project(qgis_new_project):
    yield QgsProject.instance()
    QgsProject.instance().clear()


@pytest.fixture(autouse=True)
def clean_messages(qgis_iface):
    qgis_iface.messageBar().clear_messages()


@pytest.fixture(autouse=True)
def released_keys():
    """Qt takes the modifier of a test's last click as pressed until the next click or key."""
    yield
    modifiers = QGuiApplication.keyboardModifiers()
    for modifier, key in (
        (Qt.KeyboardModifier.ControlModifier, Qt.Key.Key_Control),
        (Qt.KeyboardModifier.ShiftModifier, Qt.Key.Key_Shift),
    ):
        if modifiers & modifier:
            QTest.keyRelease(QWidget(), key)


@pytest.fixture
def two_layers(project):
    return add_two_layers(project)


@pytest.fixture
def dock(project, qgis_iface):
    with opened_dock(qgis_iface) as made:
        yield made


@pytest.fixture(scope="module")
def one_dock(qgis_iface):
    """A dock for all tests of a file that takes it as its ``dock``: a project that begins sets
    its pages back.
    """
    with slots_told(), opened_dock(qgis_iface) as made:
        yield made


@pytest.fixture
def same_dock(project, one_dock):
    """That dock for a test of an acting file: its ``dock``, as a new project and the layers of
    the test leave it.
    """
    one_dock.resize(400, 900)
    for page in one_dock.findChildren(RunningPage):
        page.results.tabs.setCurrentIndex(0)
    spin()
    return one_dock


@pytest.fixture
def page(two_layers, dock):
    return dock.show_page("score")


@pytest.fixture
def run():
    """Runs a page and waits for its end."""
    return run_page


@pytest.fixture
def elsewhere(qgis_iface):
    """The map shows the half of the earth on which the layers are not."""
    canvas = qgis_iface.mapCanvas()
    before = canvas.mapSettings().destinationCrs()
    canvas.setDestinationCrs(
        QgsCoordinateReferenceSystem.fromProj("+proj=ortho +lat_0=-40 +lon_0=97 +ellps=WGS84")
    )
    yield
    canvas.setDestinationCrs(before)


@pytest.fixture
def three_people(project):
    layers = three_layers()
    project.addMapLayers(layers)
    project.setCrs(layers[0].crs())
    return layers


@pytest.fixture
def parameters_page(three_people, dock):
    """Page Parameters with a small grid."""
    page = dock.show_page("parameters")
    show_small_grid(page)
    return page


@pytest.fixture
def searched(parameters_page, run):
    run(parameters_page)
    finish(parameters_page)
    return parameters_page


@pytest.fixture
def low_font(qgis_app):
    """The font of a common desktop, for tests of windows of 1366 x 768 pixels."""
    before = qgis_app.font()
    font = qgis_app.font()
    font.setPointSizeF(9)
    qgis_app.setFont(font)
    yield
    qgis_app.setFont(before)
