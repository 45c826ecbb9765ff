"""Inputs of the command line in world maps, in files of several layers, with plots of one side."""

from __future__ import annotations

import json

import geopandas
import pytest
import shapely
from support.errors import raises

from randcrowns import batch

#: A square of 5 m and a copy 2.5 m further east, in UTM zone 32 north at 60 degrees.
SQUARE = shapely.box(400_000, 6_650_000, 400_005, 6_650_005)
SHIFTED = shapely.box(400_002.5, 6_650_000, 400_007.5, 6_650_005)


def _write(path, shapes, crs="EPSG:32632", layer=None, **fields):
    frame = geopandas.GeoDataFrame(fields, geometry=shapes, crs="EPSG:32632").to_crs(crs)
    frame.to_file(path, layer=layer)
    return path


def _warnings(folder):
    return json.loads((folder / "summary.json").read_text(encoding="utf-8"))["warnings"]


@pytest.mark.parametrize("crs", ["EPSG:3857", "ESRI:54030"])
def test_a_world_map_is_measured_on_the_ground(inside, tmp_path, crs) -> None:
    targets = _write(tmp_path / "targets.gpkg", [SQUARE], crs)
    drawn = _write(tmp_path / "drawn.gpkg", [SHIFTED], crs)
    batch.score(targets, drawn, tmp_path / "out", scheduler=inside)
    table = geopandas.pd.read_parquet(next((tmp_path / "out" / "targets").glob("*.parquet")))
    # By hand: 5 m * 5 m; the centroids are 2.5 m apart.
    assert table["area"].tolist() == pytest.approx([25], rel=1e-6)
    assert table["distance"].tolist() == pytest.approx([2.5], rel=1e-6)
    assert sum("EPSG:32632" in text for text in _warnings(tmp_path / "out")) == 2
    with raises("batch.extent_in_other_crs", crs="EPSG:32632"):
        batch.score(targets, drawn, tmp_path / "other", extent=(0, 0, 1, 1), scheduler=inside)


def test_partition_writes_the_zone_of_the_layer(tmp_path) -> None:
    mercator = _write(tmp_path / "mercator.gpkg", [SQUARE], "EPSG:3857")
    batch.partition(mercator, tmp_path / "a.parquet")
    assert geopandas.read_parquet(tmp_path / "a.parquet").crs.to_epsg() == 32632
    with raises("batch.distorted_target_crs", zone="EPSG:32632"):
        batch.partition(mercator, tmp_path / "b.parquet", crs="EPSG:3857")


def test_a_partitioned_world_map_is_refused_with_its_zone(inside, tmp_path) -> None:
    frame = geopandas.GeoDataFrame(geometry=[SQUARE], crs="EPSG:32632").to_crs("EPSG:3857")
    frame.to_parquet(tmp_path / "a.parquet", write_covering_bbox=True, schema_version="1.1.0")
    with raises("batch.distorted_crs", option=" --crs EPSG:32632"):
        batch.score(
            tmp_path / "a.parquet", tmp_path / "a.parquet", tmp_path / "out", scheduler=inside
        )


def test_the_only_layer_of_polygons_is_taken(inside, tmp_path) -> None:
    path = _write(tmp_path / "site.gpkg", [SQUARE.centroid, SHIFTED.centroid], layer="stems")
    _write(path, [SQUARE], layer="crowns")
    table = batch.score(path, path, tmp_path / "out", scheduler=inside)
    assert table["targets"].tolist() == [1]
    assert any("'crowns'" in text for text in _warnings(tmp_path / "out"))

    _write(path, [SQUARE.buffer(9)], layer="plots")
    with raises("batch.several_layers", layers=["crowns", "plots"]):
        batch.score(path, path, tmp_path / "other", scheduler=inside)


@pytest.mark.parametrize("run", [batch.score, batch.evaluate])
def test_plots_of_one_side_are_noted(inside, tmp_path, run) -> None:
    shapes = [shapely.affinity.translate(SQUARE, 20 * column) for column in range(4)]
    targets = _write(tmp_path / "targets.gpkg", shapes, plot=[1, 1, 2, 3])
    drawn = _write(tmp_path / "drawn.gpkg", shapes, plot=[" 1", "1 ", "2.0", "X"])
    table = run(targets, drawn, tmp_path / "out", plot_field="plot", scheduler=inside)
    assert table["plot"].tolist() == ["all", "1", "2", "3", "X"]
    (warning,) = _warnings(tmp_path / "out")
    assert "'targets' alone has 3" in warning
    assert "'drawn' alone has X" in warning
