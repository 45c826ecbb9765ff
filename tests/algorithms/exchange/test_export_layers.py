"""randcrowns:exportlayers: a run in one GeoPackage, styled without the plugin, and tables."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from osgeo import gdal
from qgis.core import QgsFeature, QgsGeometry, QgsProject, QgsSettings, QgsVectorLayer, edit
from qgis.PyQt.QtGui import QColor
from support.layers import crowns_at, layer_of, save
from support.shown import shows
from support.writing import held, let_go

from randcrowns.algorithms.exchange.schema.parameters import LAYER_FORMAT
from randcrowns.algorithms.provenance import parse_table_note
from randcrowns.algorithms.scoring.schema.outputs import SCORE_OUTPUTS
from randcrowns.layers import databases
from randcrowns.layers.files.export import LAYER_FORMATS, has_driver
from randcrowns.layers.files.export_folder import LIST_NAME, ExportFolder
from randcrowns.layers.files.table_notes import read_notes
from randcrowns.layers.vector.tables import read_attributes
from randcrowns.ui.services.run_outcome import Succeeded, add_result_layers

KEYS = {key: place for place, key in enumerate(LAYER_FORMAT.keys)}


@pytest.fixture
def scored(run, qgis_new_project):
    """The layers and tables of a run of Score, in the project as a page adds them."""
    places = [(0, 0), (20, 0), (40, 0), (60, 0)]
    targets = layer_of(
        "field", crowns_at(places), fields="&field=plot:string", rows=[["p"], ["p"], ["q"], ["q"]]
    )
    drawn = layer_of("bo<b>xes", crowns_at(places[:3], seed=2))
    outputs = [one.id for one in SCORE_OUTPUTS if one.has_features]
    done = run(
        "scorecrowns",
        {"TARGETS": targets, "DELINEATIONS": [drawn], "PLOT_FIELD": "plot"},
        outputs=outputs,
    )
    assert done.ok, done.error
    layers = {name: done.layer(name) for name in outputs if name in done.results}
    made = add_result_layers(Succeeded(done.results, layers, ""), SCORE_OUTPUTS)
    return [QgsProject.instance().mapLayer(key) for key in made.values()]


@pytest.fixture
def bring_out(run, tmp_path):
    def export_layers(key, layers):
        folder = tmp_path / key
        return run(
            "exportlayers", {"FORMAT": KEYS[key], "FOLDER": str(folder), "LAYERS": layers}
        ), folder

    return export_layers


def look_in(file: Path, profile: Path) -> dict[str, Any]:
    """By table: ``table``, or renderer, colours on a map, features drawn and all; names of its
    styles; a map tip.
    """
    environment = {
        **os.environ,
        "QGIS_CUSTOM_CONFIG_PATH": str(profile),
        "QT_QPA_PLATFORM": "offscreen",
    }
    command = [sys.executable, str(Path(__file__).with_name("plain_qgis.py")), str(file)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def test_a_run_opens_styled_in_a_qgis_without_the_plugin(scored, bring_out, tmp_path):
    ran, folder = bring_out("gpkg", scored)
    assert ran.ok, ran.refused or ran.error
    assert [path.name for path in folder.glob("[!.]*")] == ["results.gpkg"]
    names = {layer.name() for layer in scored}
    found = look_in(folder / "results.gpkg", tmp_path / "fresh")
    assert set(found) == names
    for layer in scored:
        kind, styles, tip = found[layer.name()]
        assert set(styles) >= set(layer.styleManager().styles())
        if layer.isSpatial():
            renderer, colours, shown, count = kind
            assert renderer == layer.renderer().type(), layer.name()
            assert count == layer.featureCount()
            # Of the delineations, only those without a target are drawn at first.
            assert shown == (0 if layer.name() == "Scored delineations" else count)
            assert colours > 3 or not shown
            assert tip == (layer.mapTipTemplate() != "")
    assert sum(kind == "table" for kind, *_ in found.values()) >= 1
    both = [layer for layer in scored if len(layer.styleManager().styles()) > 1]
    assert both  # by class and by problem


def test_it_keeps_how_the_run_was_made_and_every_value(scored, bring_out):
    ran, folder = bring_out("gpkg", scored)
    assert ran.ok, ran.refused or ran.error
    path = folder / "results.gpkg"
    notes = dict(read_notes(path))
    assert set(notes) == {layer.name() for layer in scored}
    for layer in scored:
        again = QgsVectorLayer(f"{path}|layername={layer.name()}", "again", "ogr")
        own, kept = read_attributes(layer), read_attributes(again)
        pd.testing.assert_frame_equal(
            kept.drop(columns=set(kept) - set(own)), own, check_dtype=False
        )
        record, output = parse_table_note(notes[layer.name()])
        assert output in {one.id for one in SCORE_OUTPUTS}
        assert "field vs bo<b>xes" in record.title
        assert "Score crowns" in again.metadata().abstract()
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("SELECT count(*) FROM layer_styles WHERE useAsDefault").fetchone()[
            0
        ] == len(scored)


@pytest.mark.parametrize("key", ["xlsx", "csv", "parquet", "geojson"])
def test_all_tables_in_the_other_formats(scored, bring_out, key):
    ran, folder = bring_out(key, scored)
    form = LAYER_FORMATS[key]
    if not has_driver(form):
        assert form.driver in ran.refused
        return
    assert ran.ok, ran.refused or ran.error
    assert f"Written to {folder}: " in ran.feedback.textLog()
    files = sorted(folder.glob("[!.]*"))
    assert len(files) == (1 if form.holds_several_tables else len(scored))
    sources = [gdal.OpenEx(str(path), gdal.OF_VECTOR) for path in files]
    counts = [
        one.GetLayer(place).GetFeatureCount()
        for one in sources
        for place in range(one.GetLayerCount())
    ]
    assert sorted(counts) == sorted(layer.featureCount() for layer in scored)


def test_odd_names_and_what_cannot_be_exported(bring_out, tmp_path, qgis_new_project):
    crowns = crowns_at([(0, 0)])
    names = ["a/b", "A_b", "gpkg_contents", "layer_styles", "x" * 60, "x" * 60 + "y", '"; drop', ""]
    layers = [layer_of(name, crowns) for name in names]
    QgsProject.instance().addMapLayers(layers)
    ran, folder = bring_out("gpkg", layers)
    assert ran.ok, ran.refused or ran.error
    source = gdal.OpenEx(str(folder / "results.gpkg"), gdal.OF_VECTOR)
    assert source.GetLayerCount() == len(names) + 1  # layer_styles
    del source
    ran, folder = bring_out("csv", layers)
    assert len(list(folder.glob("[!.]*"))) == len(names)
    assert shows(bring_out("gpkg", [])[0].refused, "export.no_layers")
    nowhere = layer_of("nowhere", crowns, crs="")
    QgsProject.instance().addMapLayer(nowhere)
    assert shows(bring_out("geojson", [nowhere])[0].refused, "export.no_crs")
    ran, _ = bring_out("gpkg", [nowhere])
    assert ran.ok, ran.error


def test_an_export_takes_the_place_of_an_earlier_one(scored, bring_out):
    for layers in (scored, scored[:1], scored):
        ran, folder = bring_out("gpkg", layers)
        assert ran.ok, ran.error
        with closing(sqlite3.connect(folder / "results.gpkg")) as database:
            tables = database.execute(
                "SELECT f_table_name FROM layer_styles WHERE useAsDefault"
            ).fetchall()
            listed = database.execute(
                "SELECT table_name FROM gpkg_contents WHERE table_name <> 'layer_styles'"
            ).fetchall()
        assert sorted(tables) == sorted(listed) == sorted((layer.name(),) for layer in layers)


@pytest.mark.parametrize(
    ("fields", "values", "key", "kept"),
    [
        ("&field=fid:integer", [7, 5], "gpkg", {"fid": [7, 5]}),
        ("&field=fid:integer", [7, 7], "gpkg", {"fid": [1, 2], "fid2": [7, 7]}),
        ("&field=FID:string", ["oak", "ash"], "gpkg", {"fid": [1, 2], "FID2": ["oak", "ash"]}),
        ("&field=fid:string", ["oak", "ash"], "csv", {"fid": ["oak", "ash"]}),
        ("&field=geom:string", ["oak", "ash"], "gpkg", {"fid": [1, 2], "geom2": ["oak", "ash"]}),
        (
            "&field=ID:string&field=id:string",
            ["oak", "ash"],
            "gpkg",
            {"ID": ["oak", "ash"], "id2": ["oak", "ash"]},
        ),
        (
            "&field=ID:string&field=id:string",
            ["oak", "ash"],
            "csv",
            {"ID": ["oak", "ash"], "id2": ["oak", "ash"]},
        ),
    ],
)
def test_no_field_is_lost_for_its_name(bring_out, qgis_new_project, fields, values, key, kept):
    layer = QgsVectorLayer(f"Point?crs=EPSG:32617{fields}", "odd", "memory")
    for value in values:
        feature = QgsFeature(layer.fields())
        feature.setAttributes([value] * layer.fields().count())
        feature.setGeometry(QgsGeometry.fromWkt("POINT (1 2)"))
        assert layer.dataProvider().addFeature(feature)
    QgsProject.instance().addMapLayer(layer)
    ran, folder = bring_out(key, [layer])
    assert ran.ok, ran.refused or ran.error
    again = read_attributes(QgsVectorLayer(str(next(folder.glob("[!.]*"))), "again", "ogr"))
    if "fid" in kept:
        again = again.set_index(again["fid"], drop=False).loc[kept["fid"]]
    assert {name: again[name].tolist() for name in kept} == kept
    assert ("output.renamed" in ran.keys) == any(name.endswith("2") for name in kept)


def test_layers_in_a_locked_file_leave_an_earlier_export_as_it_is(bring_out, tmp_path, monkeypatch):
    monkeypatch.setattr(databases, "MAX_READ_WAIT", 0.1)
    QgsSettings().setValue("qgis/walForSqlite3", False)
    path = tmp_path / "in.gpkg"
    save(layer_of("trees", crowns_at([(0, 0), (20, 0)])), path, name="trees")
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA journal_mode = DELETE")
    layer = QgsVectorLayer(f"{path}|layername=trees", "trees", "ogr")
    ran, folder = bring_out("geojson", [layer])
    assert ran.ok, ran.refused or ran.error
    before = (folder / "trees.geojson").read_bytes()
    other = held(path)
    ran, _ = bring_out("geojson", [layer])
    let_go(other)
    QgsSettings().remove("qgis/walForSqlite3")
    assert not ran.ok
    assert shows(ran.error, "file.in_use")
    assert (folder / "trees.geojson").read_bytes() == before


def test_fewer_rows_than_the_file_counts_are_told_of(bring_out, tmp_path):
    path = tmp_path / "in.gpkg"
    save(layer_of("trees", crowns_at([(0, 0), (20, 0)])), path, name="trees")
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE gpkg_ogr_contents SET feature_count = 3")
    ran, _ = bring_out("geojson", [QgsVectorLayer(f"{path}|layername=trees", "trees", "ogr")])
    assert ran.ok, ran.refused or ran.error
    assert shows(ran.said("input.changed"), "input.changed", layer="trees", expected=3, read=2)


@pytest.fixture
def trees(qgis_new_project):
    return [
        layer_of(name, crowns_at([(0, 0), (20, 0), (40, 0)][:n]))
        for name, n in (("trees", 3), ("visits", 2))
    ]


@pytest.mark.parametrize(
    ("key", "name"), [("gpkg", "results.gpkg|layername=visits"), ("geojson", "visits.geojson")]
)
def test_what_is_read_in_a_run_is_not_replaced_by_it(bring_out, trees, key, name):
    """Also where an export wrote it, and nobody changed it: only some of it may be exported."""
    ran, folder = bring_out(key, trees)
    assert ran.ok, ran.refused or ran.error
    layer = QgsVectorLayer(f"{folder}/{name}", "some visits", "ogr")
    assert layer.isValid()
    before = {
        path.name: path.read_bytes() for path in folder.iterdir() if path.suffix == ".geojson"
    }
    for layers in ([layer], [*trees[:1], layer]):
        again, _ = bring_out(key, layers)
        assert shows(again.refused, "output.overwrites_input", layer="some visits")
    assert {
        path.name: path.read_bytes() for path in folder.iterdir() if path.suffix == ".geojson"
    } == before


@pytest.mark.parametrize("change", ["table", "rows", "style"])
def test_a_geopackage_that_somebody_changed_since_its_export_stays(bring_out, trees, change):
    ran, folder = bring_out("gpkg", trees)
    assert ran.ok, ran.refused or ran.error
    path = folder / "results.gpkg"
    layer = QgsVectorLayer(f"{path}|layername=trees", "trees", "ogr")
    if change == "table":
        save(layer_of("mine", crowns_at([(0, 0)])), path, name="mine")
    elif change == "rows":
        with edit(layer):
            layer.changeGeometry(1, QgsGeometry.fromWkt("MULTIPOLYGON(((0 0,1 0,1 1,0 0)))"))
    else:
        layer.renderer().symbol().setColor(QColor("red"))
        layer.saveStyleToDatabase("mine", "", True, "")
    del layer
    again, _ = bring_out("gpkg", trees[:1])
    assert shows(again.error, "export.foreign_files", files="results.gpkg")
    assert shows(again.error, "export.foreign_files")
    assert QgsVectorLayer(f"{path}|layername=visits", "visits", "ogr").featureCount() == 2


def test_a_geopackage_that_was_only_looked_at_is_replaced(bring_out, trees):
    ran, folder = bring_out("gpkg", trees)
    assert ran.ok, ran.refused or ran.error
    before = (folder / "results.gpkg").stat().st_mtime_ns
    with closing(
        sqlite3.connect(folder / "results.gpkg")
    ) as database:  # as QGIS does while a layer of it is open
        for mode in ("WAL", "DELETE"):
            database.execute(f"PRAGMA journal_mode = {mode}")
    assert (folder / "results.gpkg").stat().st_mtime_ns != before
    for _ in range(2):  # tables put into a file that is there are as they were made, too
        again, _ = bring_out("gpkg", trees[:1])
        assert again.ok, again.refused or again.error
    assert not QgsVectorLayer(f"{folder}/results.gpkg|layername=visits", "visits", "ogr").isValid()


def test_a_file_that_was_corrected_since_its_export_stays(bring_out, trees):
    ran, folder = bring_out("csv", trees)
    assert ran.ok, ran.refused or ran.error
    (folder / "trees.csv").write_text("corrected by hand")
    again, _ = bring_out("csv", trees)
    assert shows(again.error, "export.foreign_files")
    assert (folder / "trees.csv").read_text() == "corrected by hand"


def test_an_export_that_ended_meanwhile_stays_on_the_list(tmp_path):
    """Of two that write into one folder at a time."""
    first, second = (ExportFolder(tmp_path, f"exportlayers {key}") for key in ("gpkg", "csv"))
    for folder, name in ((second, "b.csv"), (first, "a.xlsx")):
        (tmp_path / name).write_text(name)
        (tmp_path / LIST_NAME).write_text(folder.updated_list({name: tmp_path / name}))
    assert all(ExportFolder(tmp_path, "").is_unchanged(name) for name in ("a.xlsx", "b.csv"))
