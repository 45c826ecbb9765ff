"""Interrupted runs are reported when the dock or a project is opened, and recovered by a click."""

from __future__ import annotations

import json

import pytest
from qgis.core import QgsProject
from qgis.gui import QgsMessageBar, QgsMessageViewer
from qgis.PyQt.QtWidgets import QPushButton, QTextEdit
from support.layers import crowns_at, layer_of, save
from support.own_process import begin
from support.qt import spin

import randcrowns
from randcrowns.layers.files.recovery import find_interrupted_runs
from randcrowns.ui.shell.dock import RandCrownsDock


@pytest.fixture
def bar(qgis_iface, monkeypatch):
    """A message bar that shows, in place of the one that keeps texts only."""
    made = QgsMessageBar()
    monkeypatch.setattr(qgis_iface, "messageBar", lambda: made)
    return made


@pytest.fixture
def open_dock(algorithms, project, qgis_iface):
    made = []

    def show():
        made.append(RandCrownsDock(qgis_iface))
        return made[-1]

    yield show
    for dock in made:
        dock.close_down()
        dock.deleteLater()
    spin()


def broken(folder):
    """A folder of a run that was killed after one of two files was moved."""
    path = folder / "plot.gpkg"
    layer = save(layer_of("trees", crowns_at([(0, 0), (20, 0)])), path)
    process = begin(path, "", 99.2, 2)
    process.communicate(timeout=300)
    assert len(find_interrupted_runs([folder])) == 1
    return layer


def said(bar):
    return [item.text() for item in bar.items()]


def test_a_broken_run_is_told_when_the_dock_opens_and_put_right_with_one_click(
    open_dock, bar, tmp_path
):
    layer = broken(tmp_path)
    QgsProject.instance().addMapLayer(layer)
    open_dock()
    (text,) = said(bar)
    assert "while it wrote plot.gpkg" in text
    bar.currentItem().findChild(QPushButton, "").click()
    spin()
    assert find_interrupted_runs([tmp_path]) == []
    assert "is restored" in said(bar)[0]
    assert layer.featureCount() == 2


def test_a_broken_run_is_told_when_a_project_is_opened_and_the_dock_never_was(
    project, qgis_iface, bar, tmp_path
):
    plugin = randcrowns.classFactory(qgis_iface)
    plugin.initGui()
    left = tmp_path / ".randcrowns_x"
    left.mkdir()
    (left / "busy.db").touch()
    (left / "places.json").write_text(json.dumps(["a&b.gpkg"]))
    assert said(bar) == []
    assert project.write(str(tmp_path / "p.qgz"))
    assert project.read(str(tmp_path / "p.qgz"))
    assert plugin.dock is None
    assert "wrote a&amp;b.gpkg" in said(bar)[0]
    bar.clearWidgets()
    plugin.unload()
    assert project.read(str(tmp_path / "p.qgz"))
    assert said(bar) == []


def test_what_cannot_be_put_back_is_named(open_dock, bar, qgis_iface, tmp_path):
    left = tmp_path / ".randcrowns_x"
    (left / "before").mkdir(parents=True)
    (left / "busy.db").touch()
    (left / "before" / "a.shp").write_text("older")
    (left / "moves.json").write_text(json.dumps({"new": {"a.shp": "1 1"}, "old": ["a.shp"]}))
    (tmp_path / "a.shp").write_text("written since")
    QgsProject.instance().write(str(tmp_path / "p.qgz"))
    open_dock()
    bar.currentItem().findChild(QPushButton, "").click()
    spin()
    bar.currentItem().findChild(QPushButton, "").click()  # the sentence is longer than the bar
    (whole,) = qgis_iface.mainWindow().findChildren(QgsMessageViewer)
    told = whole.findChild(QTextEdit).toPlainText()
    whole.close()
    assert "previous version of a.shp" in told
    assert f"saved in {left}" in told
    assert (tmp_path / "a.shp").read_text() == "written since"
