"""What makes results old, and what takes that back."""

from __future__ import annotations

import pytest
from qgis.core import QgsGeometry, QgsProject, QgsRectangle
from support.layers import TARGET_BOXES, box_layer, save

from randcrowns.ui.services.layer_watch import LayerWatch, ProjectLayersWatch


@pytest.fixture
def layer(project):
    made = box_layer("ann", TARGET_BOXES)
    QgsProject.instance().addMapLayer(made)
    return made


@pytest.fixture
def watch(layer):
    made = LayerWatch()
    made.heard = []
    made.changed.connect(made.heard.append)
    made.watch((layer.id(),), {})
    yield made
    made.close()


def move(layer):
    assert layer.changeGeometry(
        1, QgsGeometry.fromRect(QgsRectangle(500000, 3000000, 500001, 3000001))
    )


def test_an_edit_that_is_undone_has_changed_nothing(layer, watch):
    layer.startEditing()
    move(layer)
    assert watch.reason == "layer ann was edited."
    layer.undoStack().undo()
    assert watch.reason == ""
    layer.undoStack().redo()
    assert "edited" in watch.reason
    layer.rollBack()
    assert watch.reason == ""
    assert watch.heard == ["layer ann was edited.", "", "layer ann was edited.", ""]


def test_an_edit_that_is_saved_stays(layer, watch):
    layer.startEditing()
    move(layer)
    layer.commitChanges()
    assert "edited" in watch.reason
    layer.startEditing()
    assert layer.deleteFeature(2)
    layer.rollBack()
    assert "edited" in watch.reason


def test_an_edited_layer_that_is_removed_is_told_as_removed(layer, watch):
    layer.startEditing()
    move(layer)
    layer.commitChanges()
    QgsProject.instance().removeMapLayer(layer.id())
    assert watch.reason == "layer ann was removed."
    assert watch.heard == ["layer ann was edited.", "layer ann was removed."]


def test_throwing_away_edits_that_were_read_is_a_change(layer):
    layer.startEditing()
    move(layer)
    watch = LayerWatch()
    watch.watch((layer.id(),), {})
    assert watch.reason == ""
    layer.rollBack()
    assert "edited" in watch.reason
    watch.close()


def test_other_reasons_stay_when_an_edit_is_taken_back(layer, watch):
    layer.startEditing()
    move(layer)
    layer.setCrs(layer.crs().fromEpsgId(32618))
    layer.rollBack()
    assert "coordinate system" in watch.reason


def test_a_project_that_is_read_is_told_once_with_all_its_layers(project, tmp_path):
    layers = [
        save(box_layer(name, TARGET_BOXES), tmp_path / f"{name}.gpkg") for name in ("a", "b", "c")
    ]
    project.addMapLayers(layers)
    assert project.write(str(tmp_path / "plot.qgz"))
    project.clear()
    told, follower = [], ProjectLayersWatch()
    follower.changed.connect(lambda: told.append(len(project.mapLayers())))
    assert project.read(str(tmp_path / "plot.qgz"))
    assert told == [3]
    project.addMapLayer(box_layer("d", TARGET_BOXES))
    assert told == [3, 4]
    follower.close()
