"""Temporary layers of the plugin are stored with the project when it is saved."""

from __future__ import annotations

import shlex
from types import SimpleNamespace

import pytest
import shapely
from qgis.core import Qgis, QgsCoordinateReferenceSystem, QgsDatumTransform
from qgis.gui import QgsMessageBar
from qgis.PyQt.QtCore import QEvent, QObject, Qt
from qgis.PyQt.QtWidgets import QApplication, QMainWindow
from support.layers import TARGET_BOXES, box_layer, layer_of, shifted
from support.panel import errors
from support.qt import spin

from randcrowns.algorithms.run_history import read_runs
from randcrowns.algorithms.scoring.schema.parameters import PLOT_FIELD
from randcrowns.layers.vector.guesses import LayerRole, imported_role, set_imported_role
from randcrowns.ui.services.message_bar import MessageBar
from randcrowns.ui.services.new_crown_layer import add_crown_layer


@pytest.fixture
def dock(same_dock):
    return same_dock


def add_imported(project, name, by=0.0, crs="EPSG:32617"):
    rows = [["a.tif"]] * len(TARGET_BOXES)
    layer = box_layer(name, shifted(TARGET_BOXES, by), crs, "&field=image:string", rows)
    set_imported_role(layer, LayerRole.TARGETS if not by else LayerRole.DETECTOR)
    project.addMapLayer(layer)
    return layer


def outlines(layer):
    return sorted(feature.geometry().asWkt(3) for feature in layer.getFeatures())


def reopened(project, path):
    assert project.write(str(path))
    assert project.read(str(path))
    spin()
    return {layer.name(): layer for layer in project.mapLayers().values()}


def test_imported_crowns_and_results_come_back_with_the_project(project, dock, run, tmp_path):
    targets, predictions = add_imported(project, "truth"), add_imported(project, "found", 0.25)
    project.setCrs(targets.crs())
    before = outlines(targets)
    page = dock.show_page("score")
    assert page.form.settings()[PLOT_FIELD] == "image"
    run(page)
    count = len(project.mapLayers())
    rows = page.results.crown_table.model.rowCount()
    assert project.write(str(tmp_path / "plot.qgz"))
    spin()
    assert not errors(page)
    assert page.results.stale_label.isHidden()
    assert targets.providerType() == predictions.providerType() == "ogr"
    for _ in range(2):  # a second time after the project is saved again
        (scored,) = (one for one in read_runs(project) if "scorecrowns" in one.algorithm)
        assert scored.unrepeatable_inputs == []
        assert f"TARGETS={targets.source()}" in shlex.split(scored.command_to_repeat)
        assert project.write(str(tmp_path / "plot.qgz"))

    layers = reopened(project, tmp_path / "plot.qgz")
    assert len(layers) == count
    assert outlines(layers["truth"]) == before
    assert imported_role(layers["truth"]) is LayerRole.TARGETS
    assert all(layer.featureCount() for layer in layers.values())
    assert page.results.crown_table.model.rowCount() == rows


def test_crowns_in_pixels_stay_in_pixels(project, dock, tmp_path):
    layer = add_imported(project, "pixels", crs="")
    layer.setCrs(QgsCoordinateReferenceSystem())
    assert not reopened(project, tmp_path / "plot.qgz")["pixels"].crs().isValid()


def test_layers_of_others_and_edited_ones_stay_temporary(project, dock, qgis_iface, tmp_path):
    others = box_layer("mine", TARGET_BOXES)
    project.addMapLayer(others)
    drawn = add_crown_layer(qgis_iface)
    assert project.write(str(tmp_path / "plot.qgz"))
    assert others.providerType() == drawn.providerType() == "memory"
    drawn.rollBack()
    assert project.write(str(tmp_path / "plot.qgz"))
    assert drawn.providerType() == "ogr"
    assert others.providerType() == "memory"


def test_a_file_that_is_no_database_leaves_the_layers_temporary(project, dock, tmp_path):
    (tmp_path / "plot_randcrowns.gpkg").write_text("text")
    layer = add_imported(project, "truth")
    assert project.write(str(tmp_path / "plot.qgz"))
    assert layer.providerType() == "memory"
    assert errors(dock.page)


def test_a_project_with_layers_in_feet_is_saved_without_a_warning_of_a_grid(
    project, same_dock, tmp_path
):
    crowns = layer_of("crowns", [shapely.box(2e6, 5e5, 2e6 + 20, 5e5 + 20)], "EPSG:2238")
    project.addMapLayer(crowns)
    assert project.write(str(tmp_path / "plot.qgz"))
    degrees = QgsCoordinateReferenceSystem("EPSG:4326")
    is_preferred_usable = QgsDatumTransform.operations(crowns.crs(), degrees)[0].isAvailable
    is_selected = crowns.transformContext().hasTransform(crowns.crs(), degrees)
    assert is_selected == (not is_preferred_usable)


def test_saving_shows_that_the_window_is_busy_before_the_layers_are_written(
    project, dock, qgis_iface, tmp_path
):
    layer = add_imported(project, "truth")
    seen = []

    def look():
        """Record the cursor and the messages while the layer is stored."""
        messages = qgis_iface.messageBar().get_messages(Qgis.MessageLevel.Info)
        seen.append((QApplication.overrideCursor().shape(), list(messages)))

    layer.dataSourceChanged.connect(look)
    assert project.write(str(tmp_path / "plot.qgz"))
    shape, messages = seen[0]
    assert shape == Qt.CursorShape.WaitCursor
    assert any("Saving the project" in text for text in messages)
    # The cursor stays until the window responds again.
    assert QApplication.overrideCursor() is not None
    spin()
    assert QApplication.overrideCursor() is None


def test_stored_layers_can_be_queried_before_the_project_is_opened_again(
    project, dock, run, tmp_path, capfd
):
    """QGIS logs queries that fail only on the console, and then knows no value."""
    targets = add_imported(project, "truth")
    add_imported(project, "found", 0.25)
    project.setCrs(targets.crs())
    run(dock.show_page("score"))
    assert project.write(str(tmp_path / "plot.qgz"))
    spin()
    capfd.readouterr()
    for layer in project.mapLayers().values():
        assert layer.providerType() == "ogr"
        assert layer.uniqueValues(layer.fields().count() - 1), layer.name()
    assert "unable to open" not in capfd.readouterr().err


def test_an_announcement_is_painted_at_once(project, dock):
    window = QMainWindow()
    bar = QgsMessageBar(window)
    window.setCentralWidget(bar)
    window.resize(600, 200)
    window.show()
    spin()
    painted = []

    class Filter(QObject):
        def eventFilter(self, watched, event):  # noqa: N802 - Qt's name
            if event.type() == QEvent.Type.Paint:
                painted.append(watched)
            return False

    recorder = Filter()
    bar.widgetAdded.connect(lambda item: item.installEventFilter(recorder))
    MessageBar(SimpleNamespace(messageBar=lambda: bar)).announce("Saving…")
    assert painted
    window.close()
