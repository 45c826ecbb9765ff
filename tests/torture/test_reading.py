"""Outlines are repaired to the ground that they cover, and a file opens nothing but itself."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from support.hostile_files import geojson, raster_vrt, recording_server, vector_vrt
from support.processing import run_algorithm
from support.rasters import write_raster

from randcrowns.core.outlines import repair_outlines

pytestmark = pytest.mark.usefixtures("run")

#: Crowns in one try.
_CROWNS = 100
#: Extensions of layers and images under which a virtual dataset is hidden.
_LAYERS = ("gpkg", "geojson", "shp", "fgb", "kml", "csv", "json", "parquet", "sqlite")
_IMAGES = ("tif", "png", "jpg")
#: Beginnings by which GDAL reads an address.
_ADDRESSES = ("/vsicurl/{}", "/vsicurl_streaming/{}", "{}", "/vsizip//vsicurl/{}", "WFS:{}")


def random_part(rng: np.random.Generator) -> shapely.Polygon:
    """Return a valid part of a crown: a turned rectangle or a star without self-crossings."""
    centre = rng.uniform(0, 6, 2)
    count = 4 if rng.random() < 0.5 else int(rng.integers(5, 30))
    angles = np.linspace(0, 2 * np.pi, count, endpoint=False) + rng.uniform(0, np.pi)
    radii = rng.uniform(0.5, 3) * (1 if count == 4 else rng.uniform(0.6, 1, count))
    ring = centre + (np.c_[np.cos(angles), np.sin(angles)].T * radii).T
    return shapely.Polygon(ring[:: 1 if rng.random() < 0.5 else -1])


def test_repair(promise):
    """The union of the parts, as GEOS unites them one by one, is the independent result."""

    def attempt(rng):
        outlines = []
        areas = []
        for _ in range(_CROWNS):
            parts = [random_part(rng) for _ in range(rng.integers(1, 12))]
            if rng.random() < 0.3:
                parts.append(parts[0])  # the same part again
            if rng.random() < 0.3:
                parts.append(shapely.box(*parts[0].centroid.buffer(0.05).bounds))  # within another
            outlines.append(shapely.MultiPolygon(parts))
            areas.append(shapely.union_all(parts).area)
        width, height = rng.uniform(0.5, 9, 2)
        outlines.append(shapely.Polygon([(0, 0), (width, height), (width, 0), (0, height)]))
        areas.append(width * height / 2)  # a bow tie: two triangles
        repaired = repair_outlines(np.array(outlines, dtype=object))
        assert shapely.is_valid(repaired).all()
        assert shapely.area(repaired) == pytest.approx(areas, rel=1e-9)

    promise.keep(
        "a crown whose parts overlap, repeat or lie within one another is repaired to their union",
        attempt,
        many=200,
        seconds=200,
        each=_CROWNS + 1,
        conditions="1 to 13 parts, rings in both directions, and bow ties; areas within 1e-9",
    )


def test_drivers(promise, folders):
    """A layer, image or side file that names another file or an address, under any extension."""

    def attempt(rng):
        folder = next(folders)
        folder.mkdir()
        with recording_server() as server:
            (folder / "other.geojson").write_text(geojson())
            write_raster(folder / "other.tif", np.ones((4, 4)), 0.5)
            address = str(rng.choice(_ADDRESSES)).format(f"{server.address}/other.geojson")
            kind = rng.choice(["layer", "image", "crs", "side file"])
            name = f"crowns.{rng.choice(_IMAGES if kind == 'image' else _LAYERS)}"
            is_remote = rng.random() < 0.5
            if kind == "layer":
                source = address if is_remote else str(folder / "other.geojson")
                (folder / name).write_text(vector_vrt(source))
            elif kind == "image":
                source = address if is_remote else str(folder / "other.tif")
                (folder / name).write_text(raster_vrt(source))
            elif kind == "crs":
                name = "crowns.geojson"
                link = {"type": "link", "properties": {"href": server.address}}
                (folder / name).write_text(geojson(link))
            else:
                name = "crowns.tif"
                write_raster(folder / name, np.zeros((4, 4)), 0.5)
                ending = rng.choice([".msk", ".ovr", ".aux.xml"])
                (folder / f"{name}{ending}").write_text(raster_vrt(address))
            done = run_algorithm("importcrowns", {"INPUT": str(folder / name)}, outputs=("CROWNS",))
            assert server.requests == []
            assert done.error or done.refused or len(done.table("CROWNS")) == 0, (kind, name)

    promise.keep(
        "a file is opened by the drivers of its format; nothing else is read, and nothing fetched",
        attempt,
        few=4,
        many=200,
        seconds=400,
        conditions="virtual layers and images under 12 extensions, 5 kinds of addresses, systems "
        "of coordinates that are links, and side files",
    )
