from __future__ import annotations

import os

import numpy as np
import pandas as pd
import pytest
from qgis.core import QgsProject, QgsVectorLayer, edit
from support.errors import raises
from support.layers import crowns_at, layer_of, save
from support.processing import attributes

from randcrowns.core.errors import InputError
from randcrowns.layers.compat import new_field
from randcrowns.layers.vector.write import conflicting_fields, write_fields

PLACES = [(0, 0), (20, 0), (40, 0)]
COLUMNS = {
    "a_rc": np.array([0.9, np.nan, 0.0]),
    "a_status": np.array(["scored", "target_too_small", "missed"], dtype=object),
    "a_match": pd.array([7, pd.NA, 9], dtype="Int64"),
}


@pytest.fixture
def layer(qgis_app, tmp_path):
    shapes = crowns_at(PLACES)
    made = layer_of(
        "targets", shapes, kind="Polygon", fields="&field=plot:string", rows=[["p"], ["q"], ["r"]]
    )
    return save(made, tmp_path / "targets.gpkg")


def values(layer, *names):
    return (
        attributes(layer)[list(names)]
        .astype(object)
        .where(lambda f: f.notna(), None)
        .to_numpy()
        .tolist()
    )


def test_one_undo_step_and_the_layer_is_left_to_be_saved(layer):
    before = attributes(layer)
    written = write_fields(layer, [1, 2, 3], COLUMNS)
    assert written.names == tuple(COLUMNS)
    assert written.missing_ids == ()
    assert layer.isEditable()
    assert layer.undoStack().count() == 1
    assert values(layer, *COLUMNS) == [
        [0.9, "scored", 7],
        [None, "target_too_small", None],
        [0.0, "missed", 9],
    ]
    layer.undoStack().undo()
    assert attributes(layer).equals(before)
    layer.undoStack().redo()
    assert layer.commitChanges()
    again = QgsVectorLayer(layer.source(), "again", "ogr")
    assert values(again, *COLUMNS) == [
        [0.9, "scored", 7],
        [None, "target_too_small", None],
        [0.0, "missed", 9],
    ]


def test_discarding_leaves_the_file_as_it_was(layer):
    before = attributes(layer)
    write_fields(layer, [1, 2, 3], COLUMNS)
    layer.rollBack()
    assert attributes(layer).equals(before)


def test_our_fields_are_written_again_and_others_only_when_allowed(layer):
    write_fields(layer, [1, 2, 3], COLUMNS)
    layer.commitChanges()
    assert conflicting_fields(layer, ["a_rc", "PLOT", "new"]) == ["plot"]
    write_fields(layer, [3, 1], {"a_rc": [0.5, 0.25]})
    assert values(layer, "a_rc") == [[0.25], [None], [0.5]]
    with raises("layer.foreign_fields", fields=["plot"]):
        write_fields(layer, [1], {"plot": ["x"]})


@pytest.mark.parametrize("way", ["undo", "discard"])
def test_a_field_of_the_users_own_after_ours_was_taken_back_is_not_ours(layer, way):
    write_fields(layer, [1, 2, 3], COLUMNS)
    assert conflicting_fields(layer, COLUMNS) == []
    if way == "undo":
        layer.undoStack().undo()
    else:
        layer.rollBack()
        layer.startEditing()
    layer.addAttribute(new_field("a_rc", "real"))
    assert conflicting_fields(layer, COLUMNS) == ["a_rc"]
    layer.commitChanges()
    assert conflicting_fields(layer, COLUMNS) == ["a_rc"]
    with raises("layer.foreign_fields", fields=["a_rc"]):
        write_fields(layer, [1], {"a_rc": [0.1]})


def test_redo_and_saving_make_them_ours_again(layer):
    write_fields(layer, [1, 2, 3], COLUMNS)
    layer.undoStack().undo()
    layer.undoStack().redo()
    assert conflicting_fields(layer, COLUMNS) == []
    layer.commitChanges()
    assert conflicting_fields(layer, COLUMNS) == []
    layer.startEditing()
    layer.deleteAttribute(layer.fields().lookupField("a_rc"))
    layer.addAttribute(new_field("a_rc", "real"))
    layer.commitChanges()
    assert conflicting_fields(layer, COLUMNS) == ["a_rc"]


def test_edits_of_the_user_are_kept_when_ours_fail(layer):
    write_fields(layer, [1, 2, 3], {"a_rc": [1.0, 2.0, 3.0]})
    layer.commitChanges()
    layer.startEditing()
    layer.changeAttributeValue(1, 1, "mine")
    with raises("field.wrong_type"):
        write_fields(layer, [1, 2, 3], {"b_rc": [1.0, 2.0, 3.0], "a_rc": ["x", "y", "z"]})
    assert layer.isEditable()
    assert layer.fields().names() == ["fid", "plot", "a_rc"]
    assert values(layer, "plot") == [["mine"], ["q"], ["r"]]


def test_a_failure_midway_rolls_everything_back(layer, monkeypatch):
    import randcrowns.layers.vector.write as module

    def fail(layer, ids, places, values):
        layer.changeAttributeValue(1, places[0], 0.5)
        raise InputError("test.failed", "no")

    monkeypatch.setattr(module, "_change_attributes", fail)
    with raises("test.failed"):
        write_fields(layer, [1, 2, 3], COLUMNS)
    assert not layer.isEditable()
    assert layer.fields().names() == ["fid", "plot"]


def test_a_read_only_layer_is_refused(layer, tmp_path):
    layer.setReadOnly(True)
    with raises("layer.read_only"):
        write_fields(layer, [1], {"a_rc": [1.0]})
    assert not layer.isEditable()


def test_a_layer_that_takes_no_new_fields_is_refused(qgis_app, tmp_path):
    (tmp_path / "a.gpx").write_text(
        '<gpx version="1.1"><wpt lat="29" lon="-82"><name>a</name></wpt></gpx>'
    )
    layer = QgsVectorLayer(f"{tmp_path / 'a.gpx'}?type=waypoint", "a", "gpx")
    assert layer.featureCount() == 1
    with raises("layer.read_only"):
        write_fields(layer, [1], {"a_rc": [1.0]})


@pytest.mark.skipif(os.name == "nt", reason="file permissions differ on Windows")
def test_a_csv_layer_is_refused(qgis_app, tmp_path):
    (tmp_path / "c.csv").write_text('id,wkt\n1,"POLYGON((0 0, 1 0, 1 1, 0 0))"\n')
    layer = QgsVectorLayer(
        f"file://{tmp_path / 'c.csv'}?wktField=wkt&crs=EPSG:32617", "csv", "delimitedtext"
    )
    assert layer.isValid()
    with raises("layer.read_only", layer="csv"):
        write_fields(layer, [1], {"a_rc": [1.0]})


def test_a_layer_removed_meanwhile_is_told(qgis_app):
    layer = layer_of("gone", crowns_at(PLACES), kind="Polygon")
    QgsProject.instance().addMapLayer(layer)
    QgsProject.instance().removeMapLayer(layer.id())
    with raises("results.layer_removed"):
        write_fields(layer, [1], {"a_rc": [1.0]})


def test_features_deleted_meanwhile_are_told(layer):
    layer.startEditing()
    layer.deleteFeature(2)
    written = write_fields(layer, [1, 2, 3], COLUMNS)
    assert written.missing_ids == (2,)


@pytest.mark.parametrize(
    ("ending", "driver"), [("shp", "ESRI Shapefile"), ("geojson", "GeoJSON"), ("gpkg", "GPKG")]
)
def test_scores_reach_no_other_crown_after_a_deletion(qgis_app, tmp_path, ending, driver):
    made = layer_of(
        "t",
        crowns_at(PLACES, seed=3),
        kind="Polygon",
        fields="&field=plot:string",
        rows=[["p"], ["q"], ["r"]],
    )
    layer = save(made, tmp_path / f"t.{ending}", driver)
    ids = [feature.id() for feature in layer.getFeatures()]
    shapes = {feature["plot"]: feature.geometry() for feature in layer.getFeatures()}
    with edit(layer):
        layer.deleteFeature(ids[0])
    again = QgsVectorLayer(layer.source(), "again", "ogr")
    if [feature.id() for feature in again.getFeatures()] == ids[1:]:
        write_fields(again, ids, {"a_rc": [0.1, 0.2, 0.3]}, shapes=list(shapes.values()))
        assert values(again, "plot", "a_rc") == [["q", 0.2], ["r", 0.3]]
        return
    with raises("layer.changed_during_run"):
        write_fields(again, ids, {"a_rc": [0.1, 0.2, 0.3]}, shapes=list(shapes.values()))
    assert "a_rc" not in again.fields().names()


def test_a_crown_redrawn_meanwhile_is_told(layer):
    shapes = [feature.geometry() for feature in layer.getFeatures()]
    layer.startEditing()
    layer.changeGeometry(2, shapes[0])
    with raises("layer.changed_during_run", count=1):
        write_fields(layer, [1, 2, 3], COLUMNS, shapes=shapes)
    layer.rollBack()
    assert write_fields(layer, [1, 2, 3], COLUMNS, shapes=shapes).missing_ids == ()


def test_a_shapefile_gets_short_names_that_are_found_again(qgis_app, tmp_path):
    layer = save(
        layer_of("s", crowns_at(PLACES), fields="&field=plot:string", rows=[["p"]] * 3),
        tmp_path / "s.shp",
        "ESRI Shapefile",
    )
    columns = {
        f"annotator_two_{ending}": values
        for ending, values in zip(("rc", "status", "match"), COLUMNS.values())
    }
    first = write_fields(layer, [0, 1, 2], columns)
    assert all(len(name) <= 10 for name in first.names)
    assert not set(first.names) & set(columns)
    assert layer.commitChanges(), layer.commitErrors()
    assert write_fields(layer, [0, 1, 2], columns).names == first.names
    assert values(layer, first.names[0]) == [[0.9], [None], [0.0]]


def test_a_joined_field_is_not_written(layer):
    layer.addExpressionField("1.0", new_field("a_rc", "real"))
    with raises("layer.foreign_fields", fields=["a_rc"]):
        write_fields(layer, [1], {"a_rc": [1.0]})
    assert not layer.isEditable()


def test_columns_of_another_length_are_refused(layer):
    with raises("results.wrong_value_count"):
        write_fields(layer, [1, 2], {"a_rc": [1.0]})
    assert not layer.isEditable()


def test_an_alias_is_no_name_of_a_field(layer):
    """The field that the user titled so keeps its values; a field of that name is added."""
    (first, *_) = [feature.id() for feature in layer.getFeatures()]
    before = layer.fields().names()
    layer.setFieldAlias(0, "iou")
    values = [feature[before[0]] for feature in layer.getFeatures()]
    assert write_fields(layer, [first], {"iou": [0.5]}).names == ("iou",)
    assert layer.fields().names() == [*before, "iou"]
    assert [feature[before[0]] for feature in layer.getFeatures()] == values
    assert layer.getFeature(first)["iou"] == 0.5
