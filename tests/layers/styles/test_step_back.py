"""Crown layers step back while a run is shown, and come back."""

from __future__ import annotations

import pytest
from qgis.core import QgsProject, QgsVectorLayer
from support.layers import TARGET_BOXES, box_layer

from randcrowns.layers.styles.step_back import bring_back, step_back, stepped_back_nodes


@pytest.fixture
def project(qgis_new_project):
    yield QgsProject.instance()
    QgsProject.instance().clear()


@pytest.fixture
def layers(project):
    """Crowns of the user, points of the user, and a result."""
    crowns, result = (box_layer(name, TARGET_BOXES) for name in ("crowns", "result"))
    points = QgsVectorLayer("Point?crs=EPSG:32617", "stems", "memory")
    project.addMapLayers([crowns, points, result])
    return {"crowns": crowns, "points": points, "result": result}


def visible(project):
    return {node.name() for node in project.layerTreeRoot().findLayers() if node.isVisible()}


def test_other_crown_layers_are_hidden_and_shown_again(project, layers):
    assert step_back(project, {layers["result"].id()}) == [layers["crowns"]]
    assert visible(project) == {"stems", "result"}
    bring_back(project)
    assert visible(project) == {"crowns", "stems", "result"}


def test_a_layer_that_the_user_hid_stays_hidden(project, layers):
    project.layerTreeRoot().findLayer(layers["crowns"].id()).setItemVisibilityChecked(False)
    assert step_back(project, {layers["result"].id()}) == []
    bring_back(project)
    assert visible(project) == {"stems", "result"}


def test_a_layer_in_edit_mode_stays_visible(project, layers):
    layers["crowns"].startEditing()
    assert step_back(project, {layers["result"].id()}) == []
    assert "crowns" in visible(project)


@pytest.mark.parametrize("is_hidden", [True, False], ids=["hidden results", "no results"])
def test_nothing_is_hidden_where_the_map_shows_no_result(project, layers, is_hidden):
    node = project.layerTreeRoot().findLayer(layers["result"].id())
    node.setItemVisibilityChecked(not is_hidden)
    shown = {layers["result"].id()} if is_hidden else set()
    assert step_back(project, shown) == []
    assert "crowns" in visible(project)


def test_one_layer_can_come_back_alone(project, layers):
    other = box_layer("other", TARGET_BOXES)
    project.addMapLayer(other)
    step_back(project, {layers["result"].id()})
    bring_back(project, (other.id(),))
    assert visible(project) == {"other", "stems", "result"}
    assert [node.name() for node in stepped_back_nodes(project)] == ["crowns"]


def test_a_layer_that_the_user_showed_has_not_stepped_back(project, layers):
    step_back(project, {layers["result"].id()})
    project.layerTreeRoot().findLayer(layers["crowns"].id()).setItemVisibilityChecked(True)
    assert stepped_back_nodes(project) == []


def test_stepping_back_is_stored_with_the_project(project, layers, tmp_path):
    path = str(tmp_path / "plot.qgz")
    step_back(project, {layers["result"].id()})
    assert project.write(path)
    project.clear()
    assert project.read(path)
    bring_back(project)
    assert "crowns" in visible(project)
