"""What was stored, or is asked for, under old names is read under the current ones."""

from __future__ import annotations

import json

import pandas as pd
import pytest
from qgis.core import QgsProject, QgsVectorLayer
from support.layers import crowns_at, layer_of

from randcrowns.algorithms.provenance import Provenance, parse_table_note
from randcrowns.algorithms.run_history import read_runs
from randcrowns.layers.files.staging import write_layer
from randcrowns.layers.vector.tables import FeatureTable, read_attributes

PLACES = [(5, 5), (15, 5), (5, 15), (15, 15)]
OUTPUTS = ("SCORED_TARGETS", "SUMMARY")


@pytest.fixture
def sides():
    return [layer_of(name, crowns_at(PLACES, seed=seed)) for seed, name in enumerate("ab", 1)]


@pytest.fixture
def given(sides):
    targets, boxes = sides
    return {"TARGETS": targets, "DELINEATIONS": [boxes]}


def _table(columns) -> QgsVectorLayer:
    table = FeatureTable()
    for name, values in columns.items():
        table.add_column(name, pd.Series(values))
    return table.to_memory_layer("stored")


def test_a_script_may_use_old_ids_and_hears_the_new_ones(run, given):
    current = run("scorecrowns", {**given, "CORNER_STYLE": 1}, outputs=OUTPUTS)
    old = run("scorecrowns", {**given, "OFFSETS": 1}, outputs=OUTPUTS)
    default = run("scorecrowns", given, outputs=OUTPUTS)
    assert old.ok, old.refused or old.error
    values = [done.table("SUMMARY")["randcrowns_mean"].tolist() for done in (current, old, default)]
    assert values[0] == values[1] != values[2]
    assert "use 'CORNER_STYLE'" in old.said("parameters")
    assert current.said("parameters") == ""


def test_an_old_output_is_written_too(run, sides):
    wanted = {"ANNOTATORS": sides, "DRAWS": 20, "LEFT_OUT": "memory:"}
    done = run("annotatorvariance", wanted, outputs=())
    assert done.ok, done.refused or done.error
    assert "EXCLUDED" in done.results


def test_a_record_has_current_ids(run, given):
    done = run("scorecrowns", {**given, "CORNER_STYLE": 1}, outputs=OUTPUTS)
    text = done.results["PROVENANCE"]
    stored = json.loads(text)
    old_ids = {"CORNER_STYLE": "OFFSETS", "MESSAGES": "REMARKS", "PLOT_FIELD": "GROUP_FIELD"}
    for part in ("parameters", "results"):
        stored[part] = {old_ids.get(name, name): value for name, value in stored[part].items()}
    for entry in stored["entries"]:
        entry["name"] = {"corner_style": "offsets"}.get(entry["name"], entry["name"])
    assert stored != json.loads(text)
    note = json.dumps({"output": "LEFT_OUT", "record": json.dumps(stored)})
    record, output = parse_table_note(note)
    assert output == "EXCLUDED"
    assert json.loads(record.to_json()) == json.loads(text)


def test_a_stored_table_has_current_columns(run, given, qgis_new_project, tmp_path):
    done = run("scorecrowns", given, outputs=OUTPUTS)
    record = Provenance.from_json(done.results["PROVENANCE"])
    columns = {"target_id": [1], "cut_id": [2], "group": ["a"], "made_draws": ["40"]}
    file = tmp_path / "results.gpkg"
    write_layer(_table(columns), file, "matched")
    layer = QgsVectorLayer(f"{file}|layername=matched", "matched", "ogr")
    record.write_to_geopackage(layer, "MATCHED_TARGETS")
    problems = []
    runs = read_runs(QgsProject.instance(), [str(file)], problems)
    assert problems == []
    (found,) = runs
    table = found.table("MATCHED_TARGETS", QgsProject.instance())
    assert [name for name in table if name != "fid"] == [
        "target_id",
        "segmentation_match_id",
        "plot",
        "run_bootstrap_samples",
    ]
    assert table["segmentation_match_id"].tolist() == [2]


def test_only_columns_of_outputs_are_renamed():
    layer = _table({"group": ["a"], "draws": [3]})
    assert list(read_attributes(layer)) == ["group", "draws"]
    assert list(read_attributes(layer, output="SUMMARY")) == ["plot", "bootstrap_samples"]
    assert read_attributes(layer, ["plot"], output="SUMMARY")["plot"].tolist() == ["a"]
