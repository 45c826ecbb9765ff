"""The badges of layers: what is odd about their crowns, as they are now."""

from __future__ import annotations

from contextlib import contextmanager

import pytest
from qgis.core import QgsGeometry, QgsProject, edit
from support.layers import EAST, NORTH, layer_of, save
from support.qt import wait_until

from randcrowns.ui.services.layer_info import LayerCheck


def ring(*corners):
    return f"POLYGON(({','.join(f'{EAST + x} {NORTH + y}' for x, y in (*corners, corners[0]))}))"


CROSSED, PLAIN = ring((0, 0), (4, 4), (4, 0), (0, 4)), ring((0, 0), (4, 0), (4, 4), (0, 4))


@pytest.fixture
def layer(qgis_new_project, tmp_path):
    made = save(
        layer_of("trees", [CROSSED, ring((9, 0), (12, 0), (12, 3))]), tmp_path / "trees.gpkg"
    )
    QgsProject.instance().addMapLayer(made)
    return made


@pytest.fixture
def check(qgis_app):
    made = LayerCheck()
    yield made
    made.close()


def told(check, layer):
    check.problems(layer)
    wait_until(lambda: not check.is_busy)
    return " ".join(check.problems(layer))


@contextmanager
def editing(layer):
    """Saved at the end, in the mode of editing still."""
    layer.startEditing()
    yield
    assert layer.commitChanges(False)


@pytest.mark.parametrize("kept", [edit, editing])
def test_a_crown_that_was_mended_is_odd_no_longer_once_it_is_saved(check, layer, kept):
    assert "invalid geometry" in told(check, layer)
    with kept(layer):
        layer.changeGeometry(1, QgsGeometry.fromWkt(PLAIN))
        assert "invalid geometry" in told(check, layer)
    assert told(check, layer) == ""
    with kept(layer):
        layer.changeGeometry(1, QgsGeometry.fromWkt(CROSSED))
    assert "invalid geometry" in told(check, layer)


def test_what_was_being_found_out_when_edits_were_saved_counts_no_more(check, layer):
    check.problems(layer)
    with edit(layer):
        layer.changeGeometry(1, QgsGeometry.fromWkt(PLAIN))
    assert told(check, layer) == ""


def test_a_layer_of_a_project_that_is_opened_again_is_followed(check, layer, tmp_path):
    project, known = QgsProject.instance(), layer.id()
    assert project.write(str(tmp_path / "trees.qgz"))
    assert "invalid geometry" in told(check, layer)
    assert project.read(str(tmp_path / "trees.qgz"))
    again = project.mapLayer(known)
    assert "invalid geometry" in told(check, again)
    with edit(again):
        again.changeGeometry(1, QgsGeometry.fromWkt(PLAIN))
    assert told(check, again) == ""
