"""The runs that a project and its GeoPackages know: listed, and read back."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing

import numpy as np
import pytest
import shapely
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from qgis.core import (
    QgsFeature,
    QgsGeometry,
    QgsProcessingFeatureSourceDefinition,
    QgsProject,
    QgsReferencedRectangle,
    QgsVectorLayer,
)
from support.examples import examples
from support.layers import EAST, NORTH, crowns_at, layer_of, save
from support.processing import attributes
from support.secret_sources import HIDDEN_WORD, SECRET_SOURCES
from support.shown import shows

from randcrowns.algorithms.provenance import Provenance, parse_table_note
from randcrowns.algorithms.run_history import read_field_results, read_runs, record_field_results
from randcrowns.layers.files.staging import write_layer
from randcrowns.layers.files.table_notes import add_note, read_notes
from randcrowns.layers.vector.write import write_fields

PLACES = [(5, 5), (15, 5), (5, 15), (15, 15)]
_CALM = settings(
    max_examples=examples(40),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


@pytest.fixture
def project(qgis_new_project):
    yield QgsProject.instance()
    QgsProject.instance().clear()


@pytest.fixture
def sides(project, tmp_path):
    """Targets and delineations in a GeoPackage, as layers of the project."""
    layers = []
    for seed, name in enumerate(("field", "boxes"), 1):
        write_layer(layer_of(name, crowns_at(PLACES, seed=seed)), tmp_path / "crowns.gpkg", name)
        layers.append(QgsVectorLayer(f"{tmp_path / 'crowns.gpkg'}|layername={name}", name, "ogr"))
    project.addMapLayers(layers)
    return layers


def scored(run, sides, file, **more):
    targets, boxes = sides
    places = {
        name: f"ogr:dbname='{file}' table=\"{name.lower()}\" (geom)"
        for name in ("SCORED_TARGETS", "REGIONS")
    }
    places["SUMMARY"] = f"ogr:dbname='{file}' table=\"summary\""
    given = {
        "TARGETS": targets.id(),
        "DELINEATIONS": [boxes.id()],
        "OMEGA": 1.5,
        "PRESET": 3,
        **places,
        **more,
    }
    done = run("scorecrowns", given, outputs=())
    assert done.ok, done.refused or done.error
    return done


def test_a_geopackage_tells_its_runs_without_any_layer(run, sides, project, tmp_path):
    file = tmp_path / "results.gpkg"
    done = scored(run, sides, file)
    record = Provenance.from_json(done.results["PROVENANCE"])
    (found,) = read_runs(project, [str(file)])
    assert (found.title, found.algorithm, found.record) == (
        record.title,
        "randcrowns:scorecrowns",
        record,
    )
    assert found.layers == {}
    assert set(found.outputs) == {"SCORED_TARGETS", "REGIONS", "SUMMARY"}
    assert found.time.isoformat() <= found.time.now(found.time.tzinfo).isoformat()
    assert shows(found.conclusion, "headline.scores", layer="boxes")
    assert found.conclusion in [found.conclusion, *found.warnings]
    assert [message.key for message in found.messages] == [message.key for message in done.messages]
    assert len(found.table("SCORED_TARGETS", project)) == 4
    assert found.table("PAIRS", project).empty
    targets, boxes = sides
    assert found.parameters(project)["TARGETS"] == targets.id()
    assert found.parameters(project)["DELINEATIONS"] == [boxes.id()]
    assert found.parameters(project)["OMEGA"] == 1.5


def test_runs_stand_beside_each_other_the_last_first(run, sides, project, tmp_path):
    file = tmp_path / "results.gpkg"
    first = Provenance.from_json(scored(run, sides, file).results["PROVENANCE"])
    again = {
        "SCORED_TARGETS": f"ogr:dbname='{file}' table=\"more\" (geom)",
        "REGIONS": None,
        "SUMMARY": None,
    }
    second = Provenance.from_json(scored(run, sides, file, **again).results["PROVENANCE"])
    assert first.id != second.id
    found = read_runs(project, [str(file)])
    assert [sorted(one.outputs) for one in found] == [
        ["SCORED_TARGETS"],
        ["REGIONS", "SCORED_TARGETS", "SUMMARY"],
    ]
    replaced = Provenance.from_json(scored(run, sides, file).results["PROVENANCE"])
    assert {one.record.id for one in read_runs(project, [str(file)])} == {second.id, replaced.id}


@pytest.mark.parametrize(
    ("driver", "ending"),
    [
        ("GPKG", "gpkg"),
        ("ESRI Shapefile", "shp"),
        ("GeoJSON", "geojson"),
        ("MapInfo File", "tab"),
        ("SQLite", "sqlite"),
        ("FlatGeobuf", "fgb"),
    ],
)
def test_scores_in_fields_are_read_again_from_every_format(run, project, tmp_path, driver, ending):
    # The last target is too small and has no score. Shapefiles store empty texts as NULL, and
    # MapInfo stores missing numbers as 0.
    sides = [3.0, 4.0, 5.0, 0.3]
    outlines = [
        shapely.box(EAST + 9 * k, NORTH, EAST + 9 * k + s, NORTH + s) for k, s in enumerate(sides)
    ]
    layer = save(layer_of("field", outlines, kind="Polygon"), tmp_path / f"field.{ending}", driver)
    drawn = layer_of("drawn", outlines[:2], kind="Polygon")
    project.addMapLayers([layer, drawn])
    done = run("scorecrowns", {"TARGETS": layer, "DELINEATIONS": [drawn]})
    table = done.table("SCORED_TARGETS")
    names = list(table.columns)
    id_column = next(name for name in names if name.endswith("target_id"))
    scores = table[names[names.index(id_column) + 1 :]]
    written = write_fields(layer, table[id_column].tolist(), dict(scores.items()))
    record = Provenance.from_json(done.results["PROVENANCE"])
    rows = table[[id_column, *scores]]
    record_field_results(layer, record, "SCORED_TARGETS", rows, written.names, {})

    def read_again():
        ((_, in_fields),) = read_field_results(layer)
        found = in_fields.table("SCORED_TARGETS", project)
        return None if found is None else attributes(found)

    assert read_again() is not None, "unsaved"
    assert layer.commitChanges(), layer.commitErrors()
    found = read_again()
    assert found is not None, "saved"
    # FlatGeobuf sorts features anew when it saves them.
    for name in scores:
        if scores[name].dtype == object:
            assert sorted(found[name].fillna("")) == sorted(scores[name].fillna(""))
        else:
            expected = np.sort(scores[name].astype(float))
            np.testing.assert_allclose(np.sort(found[name].astype(float)), expected, rtol=1e-9)
    is_small = found["drawn_status"] == "target_too_small"
    assert is_small.sum() == 1
    assert (found["drawn_rc"].isna() == is_small).all()

    assert layer.startEditing()
    score_field = layer.fields().lookupField(written.names[0])
    assert layer.changeAttributeValue(sorted(layer.allFeatureIds())[0], score_field, 0.25)
    assert read_again() is None
    layer.rollBack()


def test_another_project_finds_the_inputs_by_their_source(run, sides, project, tmp_path):
    file, (targets, boxes) = tmp_path / "results.gpkg", sides
    scored(run, sides, file)
    sources = targets.source(), boxes.source()
    project.clear()
    again = [QgsVectorLayer(source, "renamed", "ogr") for source in sources]
    project.addMapLayers([again[1]])
    project.addMapLayers([QgsVectorLayer(f"{file}|layername=regions", "any", "ogr")])
    (found,) = read_runs(project)
    assert found.parameters(project)["DELINEATIONS"] == [again[1].id()]
    assert found.parameters(project)["TARGETS"] == sources[0]


def test_layers_in_memory_tell_their_run(run, sides, project):
    done = run("scorecrowns", {"TARGETS": sides[0], "DELINEATIONS": [sides[1]]})
    layer = done.layer("SCORED_TARGETS")
    project.addMapLayer(layer, False)
    (found,) = read_runs(project)
    assert found.layers == {"SCORED_TARGETS": layer.id()}
    assert found.layer("SCORED_TARGETS", project) is layer
    assert found.layer("SUMMARY", project) is None


def test_every_kind_of_parameter_is_kept_plainly(run, sides, project):
    targets, boxes = sides
    targets.selectByIds([1, 2])
    area = QgsReferencedRectangle(targets.extent().buffered(5), targets.crs())
    given_now = {
        "TARGETS": QgsProcessingFeatureSourceDefinition(targets.id(), True),
        "DELINEATIONS": [boxes],
        "EXTENT": area,
        "ALL_DRAWN": False,
        "SEARCH_RADIUS": 7.0,
    }
    record = Provenance.from_json(run("scorecrowns", given_now).results["PROVENANCE"])
    record = Provenance.from_json(record.to_json())
    assert json.loads(json.dumps(record.parameters)) == record.parameters
    assert record.parameters["TARGETS"] == {
        "layer": targets.id(),
        "selected": True,
        "expression": "",
        "most": -1,
    }
    assert record.parameters["ALL_DRAWN"] is False
    box = record.parameters["EXTENT"]
    assert box.endswith(f"[{targets.crs().authid()}]")
    ends = area.xMinimum(), area.xMaximum(), area.yMinimum(), area.yMaximum()
    assert tuple(map(float, box.split(" ")[0].split(","))) == ends
    assert record.inputs[boxes.id()].name == "boxes"


def test_what_a_command_cannot_read_is_named(run, sides, project):
    memory = layer_of("drawn today", crowns_at(PLACES, seed=2))
    project.addMapLayer(memory)
    sides[0].selectByIds([1])
    some = QgsProcessingFeatureSourceDefinition(sides[0].id(), True)
    done = run("scorecrowns", {"TARGETS": some, "DELINEATIONS": [memory]})
    project.addMapLayer(done.layer("SCORED_TARGETS"), False)
    (found,) = read_runs(project)
    assert sorted(found.unrepeatable_inputs) == ["drawn today", "field"]


class _Spelled(QgsVectorLayer):
    """Layer of crowns that gives another source than its own."""

    def __init__(self, number: int, provider: str, source: str) -> None:
        super().__init__("Polygon?crs=EPSG:32617", f"layer {number}", "memory")
        self._provider, self._source = provider, source
        features = [QgsFeature(self.fields()) for _ in PLACES]
        for feature, geometry in zip(features, crowns_at(PLACES, seed=number)):
            feature.setGeometry(QgsGeometry.fromWkt(geometry.wkt))
        self.dataProvider().addFeatures(features)
        self.updateExtents()

    def source(self) -> str:
        return self._source

    def providerType(self) -> str:  # noqa: N802 - QGIS's name
        return self._provider


def _texts(folder) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("first", range(0, len(SECRET_SOURCES) - 1, 16))
def test_no_secret_of_a_source_reaches_a_file(run, project, tmp_path, first) -> None:
    spelled = [
        _Spelled(number, case.provider, case.source)
        for number, case in enumerate(SECRET_SOURCES[first : first + 17])
    ]
    project.addMapLayers(spelled)
    out = tmp_path / "out"
    out.mkdir()
    places = {
        name: f"ogr:dbname='{out / 'runs.gpkg'}' table=\"{name.lower()}\" (geom)"
        for name in ("SCORED_TARGETS", "SCORED_DELINEATIONS", "PAIRS", "REGIONS")
    }
    places["SUMMARY"] = f"ogr:dbname='{out / 'runs.gpkg'}' table=\"summary\""
    given = {"TARGETS": spelled[0], "DELINEATIONS": spelled[1:], **places}
    done = run("scorecrowns", given)
    assert done.ok, done.refused or done.error
    record = Provenance.from_json(done.results["PROVENANCE"])
    assert len(record.inputs) == len(spelled)
    assert {layer.name for layer in record.inputs.values()} == {one.name() for one in spelled}
    assert HIDDEN_WORD not in done.results["PROVENANCE"]

    file = f"{out / 'runs.gpkg'}|layername=scored_targets"
    reported = run("report", {"RUNS": [file], "HTML": str(out / "report.html")}, outputs=())
    assert reported.ok, reported.refused or reported.error
    assert "layer 1" in (out / "report.html").read_text(encoding="utf-8")
    for name, ending in (("CSV", "csv"), ("GEOJSON", "geojson")):
        exported = {"TARGETS": spelled[0], "SCORED_TARGETS": str(out / f"{name}.{ending}")}
        done = run("scorecrowns", {**exported, "DELINEATIONS": spelled[1:2]})
        assert done.ok, done.refused or done.error
    written = _texts(out)
    assert len(written) >= 4
    assert [name for name, content in written.items() if HIDDEN_WORD.encode() in content] == []
    (found,) = (one for one in read_runs(project, [str(out / "runs.gpkg")]))
    assert HIDDEN_WORD not in found.command_to_repeat


def test_a_damaged_file_is_told_and_the_others_are_read(run, sides, project, tmp_path):
    file, broken = tmp_path / "results.gpkg", tmp_path / "broken.gpkg"
    scored(run, sides, file)
    broken.write_bytes(b"SQLite format 3\0" + b"\xff" * 3000)
    problems: list[str] = []
    assert (
        len(read_runs(project, [str(broken), str(file), str(tmp_path / "absent.gpkg")], problems))
        == 1
    )
    assert len(problems) == 1
    assert str(broken) in problems[0]


_LEAVES = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=9))
_ANYTHING = st.recursive(
    _LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=6,
)


def test_whatever_a_note_holds_the_list_is_made(run, sides, project, tmp_path):
    file = tmp_path / "results.gpkg"
    told = Provenance.from_json(scored(run, sides, file).results["PROVENANCE"]).to_json()
    names = sorted(json.loads(told))
    table = read_notes(file)[0][0]

    @_CALM
    @given(st.dictionaries(st.sampled_from(names), _ANYTHING, min_size=1))
    @example({"files": {"": None}})
    def listed(changed):
        note = json.dumps(
            {"output": "SUMMARY", "record": json.dumps({**json.loads(told), **changed})}
        )
        with closing(sqlite3.connect(file)) as database, database:
            database.execute(
                "DELETE FROM gpkg_metadata WHERE md_standard_uri LIKE 'urn:randcrowns:%'"
            )
        add_note(file, table, note)
        for one in read_runs(project, [str(file)]):
            assert isinstance(one.title, str)
            _ = (
                one.conclusion,
                one.warnings,
                one.command_to_repeat,
                one.unrepeatable_inputs,
                one.time,
            )
            one.parameters(project)
            one.layer("SUMMARY", project)
            one.table("REGIONS", project)

    listed()


@pytest.mark.parametrize(
    "note", ["", "{", "[]", "[" * 100_000, '{"record": 5, "output": 1}', '{"record": "null"}']
)
def test_a_note_that_holds_no_record(note):
    assert parse_table_note(note) is None
