"""No output replaces an input, however its place is spelled; other tables of the same GeoPackage
may be written."""

from __future__ import annotations

import shutil

import pytest
from osgeo import gdal
from qgis.core import (
    QgsProcessingContext,
    QgsProcessingOutputLayerDefinition,
    QgsProject,
    QgsVectorLayer,
    QgsWkbTypes,
)
from support.layers import crowns_at, layer_of, save
from support.processing import Listener, attributes
from support.readers import DRIVERS, FILE_SPELLINGS, READERS, TABLE_SPELLINGS
from support.shown import shows

PLACES = [(0, 0), (20, 0), (40, 0)]
SPELLINGS = {
    "dots": "{folder}/../{name}/all.gpkg",
    "slashes": "{folder}//all.gpkg",
    "link": "{folder}/../link/all.gpkg",
    "relative": "all.gpkg",
    "without ending": "{folder}/all",
    "table": "ogr:dbname='{folder}/all.gpkg' table=\"trees\" (geom)",
    "table in other letters": "ogr:dbname='{folder}/all.gpkg' table=\"TREES\" (geom)",
    "double quotes": 'ogr:dbname="{folder}/all.gpkg" table="trees" (geom)',
    "layer name": "{folder}/all.gpkg|layername=trees",
}


@pytest.fixture(scope="module")
def written(qgis_app, tmp_path_factory):
    """A GeoPackage of three tables, to be copied."""
    path, rows = tmp_path_factory.mktemp("written") / "all.gpkg", [["mine"]] * 3
    for name in ("trees", "drawn", "area"):
        save(
            layer_of(name, crowns_at(PLACES), kind="Polygon", fields="&field=a:string", rows=rows),
            path,
            name=name,
        )
    return path


@pytest.fixture
def folder(written, tmp_path, monkeypatch):
    folder = tmp_path / "in"
    folder.mkdir()
    (tmp_path / "link").symlink_to(folder)
    monkeypatch.chdir(folder)
    shutil.copy(written, folder)
    return folder


def opened(folder, name):
    return QgsVectorLayer(f"{folder}/all.gpkg|layername={name}", name, "ogr")


def other():
    return layer_of("other", crowns_at(PLACES, seed=2), kind="Polygon")


def kept(folder):
    return all(
        attributes(opened(folder, name))["a"].tolist() == ["mine"] * 3
        for name in ("trees", "drawn", "area")
    )


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_targets_are_kept(run, folder, spelling):
    place = SPELLINGS[spelling].format(folder=folder, name=folder.name)
    targets = opened(folder, "trees")
    for done in (
        run(
            "scorecrowns",
            {"TARGETS": targets, "DELINEATIONS": [other()], "SCORED_DELINEATIONS": place},
        ),
        run("targetregions", {"TARGETS": targets, "REGIONS": place}),
    ):
        assert shows(done.refused, "output.overwrites_input", layer="trees")
    assert kept(folder)


@pytest.mark.parametrize("quote", ["'", '"'])
def test_delineations_and_the_extent_layer_are_kept(run, folder, quote):
    inputs = {
        "TARGETS": other(),
        "DELINEATIONS": [other(), opened(folder, "drawn")],
        "EXTENT_LAYER": opened(folder, "area"),
    }
    for name in ("drawn", "area"):
        place = f'ogr:dbname={quote}{folder}/all.gpkg{quote} table="{name}" (geom)'
        assert (
            f"would overwrite layer '{name}'"
            in run("scorecrowns", {**inputs, "SCORED_TARGETS": place}).refused
        )
    assert shows(
        run("scorecrowns", {**inputs, "PAIRS": f"{folder}/all.gpkg"}).refused,
        "output.overwrites_input",
    )
    assert kept(folder)


def test_a_file_whose_only_table_is_not_named_is_kept(run, folder):
    path = folder / "one.gpkg"
    save(layer_of("x", crowns_at(PLACES), kind="Polygon"), path, name="crowns")
    targets = QgsVectorLayer(str(path), "one", "ogr")
    place = f"ogr:dbname='{path}' table=\"crowns\" (geom)"
    assert shows(
        run("targetregions", {"TARGETS": targets, "REGIONS": place}).refused,
        "output.overwrites_input",
    )
    done = run(
        "targetregions", {"TARGETS": targets, "REGIONS": place.replace('"crowns"', '"regions"')}
    )
    assert done.ok


@pytest.mark.usefixtures("spatialite")
@pytest.mark.parametrize("reader", READERS)
def test_a_table_is_kept_however_it_is_read_and_spelled(run, folder, reader):
    layer = READERS[reader](folder)
    assert layer.isValid()
    for spelling in (*FILE_SPELLINGS, *TABLE_SPELLINGS):
        place = spelling.format(folder=folder, name=folder.name, file="all.gpkg")
        done = run("scorecrowns", {"TARGETS": layer, "DELINEATIONS": [other()], "PAIRS": place})
        assert shows(done.refused, "output.overwrites_input"), (spelling, done.error)
    assert kept(folder)


def test_a_table_that_no_layer_reads_may_be_replaced_whatever_reads_the_others(run, folder):
    place = f"ogr:dbname='{folder}/all.gpkg' table=\"area\""
    for reader in ("table", "number", "query", "condition", "view", "virtual", "join"):
        layer = READERS[reader](folder)
        done = run("scorecrowns", {"TARGETS": layer, "DELINEATIONS": [other()], "PAIRS": place})
        assert not done.refused, reader


@pytest.mark.parametrize("suffix", DRIVERS)
def test_a_file_is_kept_whatever_provider_reads_it_and_however_it_is_spelled(run, folder, suffix):
    path = folder / f"trees{suffix}"
    options = ["GEOMETRY=AS_WKT"] if suffix == ".csv" else []
    gdal.VectorTranslate(
        str(path),
        str(folder / "all.gpkg"),
        layers=["trees"],
        format=DRIVERS[suffix],
        layerCreationOptions=options,
    )
    vrt = folder / "trees.vrt"
    vrt.write_text(
        f'<OGRVRTDataSource><OGRVRTLayer name="trees"><SrcDataSource>{path}</SrcDataSource>'
        "</OGRVRTLayer></OGRVRTDataSource>"
    )
    layers = [
        QgsVectorLayer(str(path), "trees", "ogr"),
        QgsVectorLayer(f"{path}|subset=SELECT * FROM trees", "trees", "ogr"),
        QgsVectorLayer(str(vrt), "trees", "ogr"),
    ]
    if suffix == ".csv":
        uri = f"file://{path}?type=csv&wktField=WKT&crs=EPSG:32617"
        layers.append(QgsVectorLayer(uri, "trees", "delimitedtext"))
    before = path.read_bytes()
    # OGR reads a CSV without geometries or with them, depending on the version of GDAL.
    polygons = [layer for layer in layers if layer.geometryType() == QgsWkbTypes.PolygonGeometry]
    if not polygons:
        pytest.skip("this GDAL gives a CSV without polygons")
    for layer in polygons:
        assert layer.isValid(), layer.source()
        layer.setCrs(other().crs())
        for spelling in FILE_SPELLINGS:
            place = spelling.format(folder=folder, name=folder.name, file=path.name)
            done = run(
                "scorecrowns",
                {"TARGETS": other(), "DELINEATIONS": [other(), layer], "REGIONS": place},
            )
            assert shows(done.refused, "output.overwrites_input"), (spelling, layer.source())
    assert path.read_bytes() == before


@pytest.mark.usefixtures("spatialite")
def test_a_spatialite_layer_is_kept_however_its_table_is_spelled(run, folder):
    path = folder / "all.sqlite"
    gdal.VectorTranslate(
        str(path),
        str(folder / "all.gpkg"),
        layers=["trees"],
        format="SQLite",
        datasetCreationOptions=["SPATIALITE=YES"],
    )
    layer = QgsVectorLayer(f"dbname='{path}' table=\"trees\" (geom)", "trees", "spatialite")
    assert layer.isValid()
    for spelling in (*FILE_SPELLINGS, *TABLE_SPELLINGS):
        place = spelling.format(folder=folder, name=folder.name, file=path.name)
        done = run("scorecrowns", {"TARGETS": layer, "DELINEATIONS": [other()], "REGIONS": place})
        assert shows(done.refused, "output.overwrites_input"), spelling


def test_a_name_with_a_dot_is_taken_as_qgis_takes_it(run, folder):
    path = folder / "crowns_0.5m.gpkg"
    targets = save(layer_of("x", crowns_at(PLACES), kind="Polygon"), path)
    assert shows(
        run("targetregions", {"TARGETS": targets, "REGIONS": str(path)[: -len(".gpkg")]}).refused,
        "output.overwrites_input",
    )
    two = {"SCORED_TARGETS": str(folder / "a.v2"), "PAIRS": str(folder / "a.v2.gpkg")}
    assert shows(
        run("scorecrowns", {"TARGETS": targets, "DELINEATIONS": [other()], **two}).refused,
        "output.same_file",
    )


def test_other_tables_may_be_written(run, folder):
    place = f"ogr:dbname='{folder}/all.gpkg' table=\"scored\" (geom)"
    done = run(
        "scorecrowns",
        {
            "TARGETS": opened(folder, "trees"),
            "DELINEATIONS": [opened(folder, "drawn")],
            "SCORED_TARGETS": place,
        },
    )
    assert done.ok
    assert opened(folder, "scored").featureCount() == 3
    assert kept(folder)


@pytest.mark.parametrize(
    "table", ["rtree_trees_geom", "RTREE_x", "gpkg_contents", "sqlite_x", "layer_styles"]
)
def test_tables_that_a_geopackage_keeps_for_itself_are_no_outputs(run, folder, table):
    place = f"ogr:dbname='{folder}/all.gpkg' table=\"{table}\" (geom)"
    done = run(
        "scorecrowns", {"TARGETS": other(), "DELINEATIONS": [other()], "SCORED_TARGETS": place}
    )
    assert shows(done.refused, "output.reserved_table", table=table)
    place = place.replace(table, "my_layer_styles")
    assert run(
        "scorecrowns", {"TARGETS": other(), "DELINEATIONS": [other()], "SCORED_TARGETS": place}
    ).ok


@pytest.mark.parametrize(
    "name", ["a" * 251 + ".gpkg", "a" * 250 + ".gpkg", "a" * 300 + "/x.gpkg", "a" * 300]
)
def test_a_name_that_is_too_long_is_refused(run, tmp_path, name):
    inputs = {"TARGETS": other(), "DELINEATIONS": [other()]}
    assert shows(
        run("scorecrowns", {**inputs, "SCORED_TARGETS": str(tmp_path / name)}).refused,
        "file.name_too_long",
    )
    exported = run("exportlayers", {"LAYERS": [other()], "FOLDER": str(tmp_path / name)})
    assert shows(exported.refused, "file.name_too_long")


@pytest.mark.parametrize(
    ("link", "to", "said"),
    [
        ("o.gpkg", "o.gpkg", "it is a link that leads to itself"),
        ("o.gpkg", "gone/x.gpkg", "gone does not exist"),
    ],
)
def test_a_link_that_leads_nowhere_is_told(run, tmp_path, link, to, said):
    (tmp_path / link).symlink_to(tmp_path / to)
    done = run(
        "scorecrowns",
        {"TARGETS": other(), "DELINEATIONS": [other()], "SCORED_TARGETS": str(tmp_path / link)},
    )
    assert said in done.refused + done.error


@pytest.mark.parametrize("name", ["-x.gpkg", "a:b.gpkg", "My%20Data/x.gpkg"])
def test_a_geopackage_that_cannot_be_opened_is_not_told_to_be_one(run, tmp_path, name):
    (tmp_path / name).parent.mkdir(exist_ok=True)
    done = run(
        "scorecrowns",
        {"TARGETS": other(), "DELINEATIONS": [other()], "SCORED_TARGETS": str(tmp_path / name)},
    )
    assert shows(done.error, "output.not_written")
    assert "such as .gpkg" not in done.error


@pytest.mark.parametrize("algorithm", ["scorecrowns", "exportlayers"])
def test_a_folder_that_is_removed_meanwhile_is_told(run, tmp_path, monkeypatch, algorithm):
    folder = tmp_path / "out"
    folder.mkdir()

    def gone(*_):
        shutil.rmtree(folder, ignore_errors=True)
        return 0

    for module in ("randcrowns.algorithms.destinations", "randcrowns.layers.files.export"):
        monkeypatch.setattr(f"{module}.count_written_rows", gone)
    inputs = {"TARGETS": other(), "DELINEATIONS": [other()], "LAYERS": [other()], "FORMAT": 0}
    done = run(
        algorithm, {**inputs, "SCORED_TARGETS": str(folder / "o.gpkg"), "FOLDER": str(folder)}
    )
    assert shows(done.error, "folder.not_writable", folder=folder)


@pytest.mark.parametrize("file", ["site_v1.2_randcrowns.gpkg", "Nov 22. plot.gpkg"])
def test_tables_go_into_a_file_with_a_dot_in_its_name(run, folder, file):
    """QGIS takes everything after the first dot for the ending."""
    inputs = {"TARGETS": other(), "DELINEATIONS": [other()]}
    places = {
        name: f"ogr:dbname='{folder}/{file}' table=\"{name}\""
        for name in ("SCORED_TARGETS", "SUMMARY")
    }
    loaded = QgsProcessingOutputLayerDefinition(
        places["SCORED_TARGETS"] + " (geom)", QgsProject.instance()
    )
    for _ in range(2):  # a file that is not there yet, and one that is
        done = run(
            "scorecrowns", {**inputs, "SUMMARY": places["SUMMARY"], "SCORED_TARGETS": loaded}
        )
        assert done.ok, done.error
        assert [done.layer(name).featureCount() for name in places] == [3, 1]
        assert done.layer("SCORED_TARGETS").crs() == other().crs()
        waiting = done.context.layersToLoadOnCompletion()
        assert list(waiting) == [f"{folder}/{file}|layername=SCORED_TARGETS"]
        assert waiting[done.results["SCORED_TARGETS"]].postProcessor() is not None
    listener = Listener(cancel_at=97)
    done = run("scorecrowns", {**inputs, "SCORED_TARGETS": places["SCORED_TARGETS"]}, listener)
    assert done.results == {}
    assert QgsVectorLayer(f"{folder}/{file}|layername=SCORED_TARGETS").featureCount() == 3


@pytest.mark.parametrize("ending", ["", "|layername=trees"])
@pytest.mark.parametrize("name", ["survey.gpkg", "survey_v1.2.gpkg"])
def test_tables_go_into_a_file_of_another_program_that_is_open_as_a_layer(
    run, folder, name, ending
):
    """QGIS 3.22 does not see the tables that it adds to a file it opened by its plain path."""
    path = folder / name
    gdal.VectorTranslate(str(path), str(folder / "all.gpkg"), layers=["trees"])
    targets = QgsVectorLayer(f"{path}{ending}", "survey", "ogr")
    QgsProject.instance().addMapLayer(targets)
    assert len(list(targets.getFeatures())) == 3
    names = ("SCORED_TARGETS", "PAIRS", "SUMMARY")
    places = {name: f"ogr:dbname='{path}' table=\"{name}\"" for name in names}
    for _ in range(2):
        done = run("scorecrowns", {"TARGETS": targets, "DELINEATIONS": [other()], **places})
        assert done.ok, done.error
        assert [done.layer(name).featureCount() for name in names] == [3, 3, 1]
    assert attributes(targets)["a"].tolist() == ["mine"] * 3


@pytest.mark.parametrize("plain", [True, False])
@pytest.mark.parametrize(
    "names", [("SUMMARY", "SCORED_TARGETS"), ("SCORED_TARGETS", "PAIRS", "SUMMARY")]
)
def test_tables_go_into_a_file_of_an_earlier_session(run, folder, names, plain):
    """Nothing of it is known to QGIS, or it has just been added as a layer by its plain path."""
    targets, path = other(), folder / "results.gpkg"

    def ran(file):
        places = {name: f"ogr:dbname='{file}' table=\"{name}_{file.stem}\"" for name in names}
        done = run("scorecrowns", {"TARGETS": targets, "DELINEATIONS": [other()], **places})
        assert done.ok, done.error
        assert all(done.layer(name).isValid() for name in names)

    ran(folder / "earlier.gpkg")
    shutil.copy(folder / "earlier.gpkg", path)
    if plain:
        QgsProject.instance().addMapLayer(QgsVectorLayer(str(path), "earlier results", "ogr"))
    ran(path)


def test_attributes_of_a_shapefile_are_kept(run, folder):
    targets = save(
        layer_of("t", crowns_at(PLACES), kind="Polygon"), folder / "t.shp", "ESRI Shapefile"
    )
    assert shows(
        run("targetregions", {"TARGETS": targets, "REGIONS": str(folder / "t.dbf")}).refused,
        "output.overwrites_input",
    )


def test_two_outputs_in_one_place_by_other_spellings(run, folder):
    inputs = {"TARGETS": other(), "DELINEATIONS": [other()]}
    outputs = {"PAIRS": str(folder / "out.gpkg"), "REGIONS": f"{folder}/../{folder.name}/out.gpkg"}
    assert shows(run("scorecrowns", {**inputs, **outputs}).refused, "output.same_file")


def test_a_run_that_nobody_checked_is_refused_too(algorithms, qgis_new_project, folder):
    """A model does not check the parameters of its steps."""
    from randcrowns.algorithms.scoring.target_regions import TargetRegionsAlgorithm

    algorithm = TargetRegionsAlgorithm().create()
    parameters = {"TARGETS": opened(folder, "trees"), "REGIONS": str(folder / "all.gpkg")}
    listener = Listener()
    _, ok = algorithm.run(parameters, QgsProcessingContext(), listener)
    assert not ok
    assert shows("".join(listener.errors), "output.overwrites_input")
    assert kept(folder)


@pytest.mark.parametrize("what", ["disk", "database", "outline"])
def test_what_nobody_foresaw_is_told_as_a_sentence(run, monkeypatch, what):
    import sqlite3

    from shapely.errors import GEOSException

    import randcrowns.algorithms.scoring.target_regions as target_regions

    errors = {
        "disk": OSError(28, "No space left"),
        "database": sqlite3.OperationalError("disk I/O error"),
        "outline": GEOSException("TopologyException: side location conflict"),
    }

    def fail(*args, **kwargs):
        raise errors[what]

    monkeypatch.setattr(target_regions, "target_regions", fail)
    done = run("targetregions", {"TARGETS": other()})
    assert not done.ok
    assert (
        "An outline cannot" if what == "outline" else "A file cannot be read or written"
    ) in done.error
    assert "Traceback" not in done.error
    assert "disk I/O error" not in done.error  # SQLite's own words


@pytest.mark.parametrize("names", [["geom"], ["GEOM"], ["Name", "name"]])
def test_fields_that_a_geopackage_cannot_hold_are_renamed_and_told(run, tmp_path, names):
    fields = "".join(f"&field={name}:string" for name in names)
    rows = [[f"kept {name}" for name in names]] * 3
    targets = layer_of("t", crowns_at(PLACES), kind="Polygon", fields=fields, rows=rows)
    path = tmp_path / "out.gpkg"
    done = run(
        "scorecrowns", {"TARGETS": targets, "DELINEATIONS": [other()], "SCORED_TARGETS": str(path)}
    )
    assert done.ok
    assert shows(done.warnings, "output.renamed")
    first = attributes(QgsVectorLayer(str(path), "out", "ogr")).iloc[0].tolist()
    assert [value for value in first if value in rows[0]] == rows[0]


@pytest.mark.parametrize("ending", [".shp", ".fgb", ".dbf", ".sqlite", ".db", ".mbtiles", ".pdf"])
def test_a_table_is_not_sent_where_only_geometry_goes(run, tmp_path, ending):
    inputs = {"TARGETS": other(), "DELINEATIONS": [other()]}
    done = run("scorecrowns", {**inputs, "SUMMARY": str(tmp_path / f"s{ending}")})
    assert shows(done.refused, "output.no_table_format", ending=ending)
    assert list(tmp_path.iterdir()) == []


def test_a_table_is_sent_where_no_geometry_goes(run, tmp_path):
    given = {"TARGETS": other(), "DELINEATIONS": [other()], "SUMMARY": str(tmp_path / "s.csv")}
    assert run("scorecrowns", given, outputs=("SCORED_TARGETS",)).ok
    assert [path.name for path in tmp_path.iterdir()] == ["s.csv"]
