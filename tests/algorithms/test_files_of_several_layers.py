"""Files of several layers whose path is given in the toolbox."""

from __future__ import annotations

import geopandas
import shapely

SQUARE = shapely.box(400_000, 6_650_000, 400_005, 6_650_005)


def _write(path, shape, layer):
    geopandas.GeoDataFrame(geometry=[shape], crs="EPSG:32632").to_file(path, layer=layer)


def test_the_only_layer_of_polygons_is_taken_and_others_are_asked_for(run, tmp_path):
    path = tmp_path / "site.gpkg"
    _write(path, SQUARE.centroid, "stems")
    _write(path, SQUARE, "crowns")
    done = run("scorecrowns", {"TARGETS": str(path), "DELINEATIONS": [str(path)]})
    assert done.ok, done.error
    table = done.table("SCORED_TARGETS")
    iou = next(name for name in table if name.endswith("iou"))
    assert table[iou].tolist() == [1.0]

    _write(path, SQUARE.buffer(30), "plots")
    named = f"{path}|layername=crowns"
    for choices in (
        {"TARGETS": str(path), "DELINEATIONS": [named]},
        {"TARGETS": named, "DELINEATIONS": [str(path)]},
    ):
        refused = run("scorecrowns", choices)
        assert not refused.ok
        assert "crowns, plots" in refused.error + refused.refused
