"""A run replaces the layers of the last one; changed layers and all tables stay."""

from __future__ import annotations

import pytest
from qgis.core import QgsProject, QgsVectorLayer
from qgis.PyQt.QtWidgets import QPushButton
from support.qt import spin

from randcrowns.algorithms.run_history import read_runs
from randcrowns.ui.services.replaced_layers import is_unchanged
from randcrowns.ui.widgets.editors import REPLACE_LAST


@pytest.fixture
def dock(same_dock):
    return same_dock


@pytest.fixture
def replacing(page):
    page.form.set_value(REPLACE_LAST, True)
    return page


def tree():
    return [
        (group.name(), [node.layerId() for node in group.findLayers()])
        for group in QgsProject.instance().layerTreeRoot().findGroups()
    ]


def made(page):
    return dict(page.results.results.layer_ids)


def test_the_tree_stays_as_long_as_it_is_and_the_bar_offers_to_bring_back_what_went(
    replacing, run, project
):
    run(replacing)
    first, before = made(replacing), tree()
    rows = project.mapLayer(first["SCORED_TARGETS"]).featureCount()
    assert all(is_unchanged(project.mapLayer(layer)) for layer in first.values())
    run(replacing)
    (group,) = tree()
    assert len(group[1]) == len(before[0][1])
    assert set(group[1]) == set(made(replacing).values())
    assert not any(map(project.mapLayer, first.values()))
    assert replacing.results.isVisible()
    assert not replacing.results.is_stale
    item = replacing.iface.messageBar().currentItem()
    (button,) = [one for one in item.findChildren(QPushButton) if one.text() == "Bring back"]
    button.click()
    assert {name for name, layer in first.items() if project.mapLayer(layer) is not None} == set(
        first
    )
    assert project.mapLayer(first["SCORED_TARGETS"]).featureCount() == rows
    assert len(tree()) == 2


def test_runs_stand_beside_each_other_or_the_new_one_where_the_last_one_did(page, run, project):
    run(page)
    run(page)
    assert len(tree()) == 2
    page.form.set_value(REPLACE_LAST, True)
    root = project.layerTreeRoot()
    root.insertGroup(0, "mine")
    run(page)
    names = [child.name() for child in root.children()]
    assert names[0] == "mine"
    assert names[1] == page.history.shown_record.title
    assert len(root.findGroups()) == 3


def test_what_somebody_changed_stays(replacing, run, project):
    run(replacing)
    first = made(replacing)
    edited, styled = (project.mapLayer(first[name]) for name in ("SCORED_TARGETS", "REGIONS"))
    edited.startEditing()
    edited.rollBack()
    styled.setRenderer(styled.renderer().clone())
    styled.emitStyleChanged()
    assert not is_unchanged(edited)
    assert not is_unchanged(styled)
    run(replacing)
    there = {name for name, layer in first.items() if project.mapLayer(layer) is not None}
    assert there == {"SCORED_TARGETS", "REGIONS"}
    assert len(tree()) == 2
    said = replacing.iface.messageBar().currentItem().text()
    assert "Scored targets: drawn, Regions" in said


def test_tables_of_a_file_stay_and_styles_are_followed_in_a_project_that_is_opened_again(
    replacing, run, project, tmp_path
):
    assert project.write(str(tmp_path / "work.qgz"))
    run(replacing)
    run(replacing)
    assert len(tree()) == 1
    last = made(replacing)
    runs = read_runs(project)
    assert [bool(one.layers) for one in runs] == [True, False]
    for one in runs:
        assert len(one.table("SCORED_TARGETS", project)) == 8
    replacing.history.show(runs[1])
    assert len(tree()) == 2
    assert project.write()
    project.read(project.fileName())
    spin()
    styled = project.mapLayer(last["REGIONS"])
    assert isinstance(styled, QgsVectorLayer)
    assert is_unchanged(styled)
    styled.emitStyleChanged()
    assert not is_unchanged(styled)
