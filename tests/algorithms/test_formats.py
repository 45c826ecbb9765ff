"""Fields of any name reach every format under a name that it can hold; a format that is not here is
refused."""

from __future__ import annotations

import re

import pytest
from osgeo import ogr
from qgis.core import QgsField, QgsVectorLayer
from qgis.PyQt.QtCore import QVariant
from support.layers import crowns_at, layer_of
from support.processing import attributes
from support.shown import shows

PLACES = [(0, 0), (20, 0), (40, 0)]
NAMES = (
    *(
        "Name",
        "name",
        "timestamp",
        "begin",
        "altitudeMode",
        "1st",
        "x:y",
        "a<b",
        "a&b",
        "gml_id",
        "geometry",
    ),
    *("visibility", "ärger m²", "木の冠", "a" * 60 + "_x", "a" * 60 + "_y", "ogc_fid"),
)


def layers(names):
    targets = layer_of("targets", crowns_at(PLACES), kind="Polygon")
    targets.dataProvider().addAttributes([QgsField(name, QVariant.String) for name in names])
    targets.updateFields()
    values = {number: f"kept {number}" for number in range(len(names))}
    targets.dataProvider().changeAttributeValues(
        {feature.id(): values for feature in targets.getFeatures()}
    )
    drawn = layer_of(
        "a long name of a detector, version 2", crowns_at(PLACES, seed=2), kind="Polygon"
    )
    return {"TARGETS": targets, "DELINEATIONS": [drawn]}


@pytest.mark.parametrize(
    "ending", ["kml", "gml", "tab", "sqlite", "fgb", "csv", "geojson", "xlsx", "ods", "shp", "gpkg"]
)
def test_every_value_is_there_again(run, tmp_path, ending):
    path = tmp_path / f"scored.{ending}"
    done = run("scorecrowns", {**layers(NAMES), "SCORED_TARGETS": str(path)}, outputs=())
    assert done.ok, done.error
    found = attributes(QgsVectorLayer(done.results["SCORED_TARGETS"], "scored", "ogr"))
    assert len(found) == len(PLACES)
    values = {str(value) for value in found.iloc[0]}
    if (
        ending == "kml" and ogr.GetDriverByName("LIBKML") is None
    ):  # without it GDAL reads no attributes of a KML
        values = set(re.findall(r"kept \d+", path.read_text()))
    assert {f"kept {number}" for number in range(len(NAMES))} <= values
    renamed = ending not in ("fgb", "geojson", "xlsx", "ods")
    assert ("output.renamed" in done.keys) == renamed


@pytest.mark.parametrize("output", ["PAIRS", "REGIONS", "SCORED_DELINEATIONS"])
@pytest.mark.parametrize("ending", ["kml", "gml", "tab"])
def test_our_own_fields_reach_formats_of_other_programs(run, tmp_path, ending, output):
    done = run(
        "scorecrowns",
        {**layers(()), output: str(tmp_path / f"made.{ending}")},
        outputs=("SCORED_TARGETS",),
    )
    assert done.ok, done.error
    assert QgsVectorLayer(done.results[output], "made", "ogr").featureCount() > 0


@pytest.mark.parametrize("ending", ["parquet", "feather", "zzz"])
def test_a_format_that_is_not_here_is_refused_and_nothing_is_renamed(run, tmp_path, ending):
    done = run("scorecrowns", {**layers(()), "SCORED_TARGETS": str(tmp_path / f"scored.{ending}")})
    assert shows(done.refused, "output.unknown_format", asked=f".{ending}")
    assert list(tmp_path.iterdir()) == []


def test_a_table_without_geometry_is_written_without_an_error_of_gdal(run, tmp_path, capfd):
    done = run("scorecrowns", {**layers([]), "SUMMARY": str(tmp_path / "all.gpkg")}, outputs=())
    assert done.ok, done.error
    assert len(done.table("SUMMARY")) == 1
    assert "ERROR" not in capfd.readouterr().err
