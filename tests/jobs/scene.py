"""Layers of three annotators and two detectors of one area, written by a process without QGIS."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import geopandas
import numpy as np
import shapely

CRS = "EPSG:32617"
EAST, NORTH = 404_000.0, 3_285_000.0


def write_scene(folder: Path) -> dict[str, str]:
    """Write layers of three annotators and two detectors, and return their paths by name."""
    paths = {}
    grid = np.stack(np.meshgrid(np.arange(6) * 7.0, np.arange(5) * 7.0), -1).reshape(-1, 2)
    for number, name in enumerate(("anna", "ben", "cleo", "net", "box")):
        rng = np.random.default_rng(number)
        xy = grid + rng.normal(0, 0.5, grid.shape) + (EAST, NORTH)
        radius = rng.uniform(2.2, 3.2, len(xy))
        shapes = shapely.buffer(shapely.points(xy), radius, quad_segs=4)
        # Two outlines of one crown of the same species: pairing and matching methods differ.
        if name == "anna":
            middle = xy[0]
        shapes = np.append(shapes, shapely.buffer(shapely.Point(middle), 1.8))
        xy = np.append(xy, [middle], axis=0)
        if name == "box":
            shapes = shapely.box(*shapely.bounds(shapes).T)
        columns: dict[str, Any] = {
            "plot": [f"p{int(x > EAST + 20)}" for x, _ in xy],
            "species": rng.choice(["oak", "ash", "elm"], len(xy)),
            "height": rng.uniform(5, 25, len(xy)).round(2),
            "spread": np.linspace(0.05, 0.4, len(xy)).round(3),
        }
        columns["species"][[0, -1]] = "oak"
        if name in ("net", "box"):
            columns["score"] = rng.random(len(xy)).round(3)
        frame = geopandas.GeoDataFrame(columns, geometry=shapes, crs=CRS)
        path = folder / f"{name}.gpkg"
        frame.to_file(path)
        paths[name] = str(path)
    return paths


if __name__ == "__main__":
    print(json.dumps(write_scene(Path(sys.argv[1]))))
