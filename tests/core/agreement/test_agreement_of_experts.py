"""Twelve experts who outlined the same thaw slumps (Nitze et al. 2024, doi 10.1002/ppp.2249)."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import numpy as np
import pytest
import shapely
from support.data import real_data
from support.resampling import bootstrap, mean_pairwise_f1

from randcrowns.core.agreement import consensus
from randcrowns.core.agreement import measures as agreement
from randcrowns.core.agreement.disagreement import disagreements
from randcrowns.core.agreement.measures import annotator_instances
from randcrowns.core.agreement.votes import VoteTable

FOLDER = real_data("rts_peel")

# The image's grid: its upper left corner, in EPSG:32608.
LEFT, TOP, PIXEL = 470_890.0, 7_550_020.0, 2.0


def read_polygons(path: Path) -> list[shapely.Geometry]:
    """Polygons of a shapefile: outer rings run clockwise, holes the other way."""
    data = path.read_bytes()
    place, polygons = 100, []
    while place < len(data):
        length = 2 * struct.unpack(">i", data[place + 4 : place + 8])[0]
        record = data[place + 8 : place + 8 + length]
        place += 8 + length
        n_parts, n_points = struct.unpack("<2i", record[36:44])
        starts = np.frombuffer(record, "<i4", n_parts, 44)
        xy = np.frombuffer(record, "<f8", 2 * n_points, 44 + 4 * n_parts).reshape(-1, 2)
        rings = [shapely.linearrings(ring) for ring in np.split(xy, starts[1:])]
        outer = [shapely.polygons(ring) for ring in rings if not shapely.is_ccw(ring)]
        holes = [shapely.polygons(ring) for ring in rings if shapely.is_ccw(ring)]
        polygons.append(shapely.difference(shapely.union_all(outer), shapely.union_all(holes)))
    return polygons


@pytest.fixture(scope="module")
def layers() -> dict[str, list[shapely.Geometry]]:
    return {path.stem[-2:]: read_polygons(path) for path in sorted(FOLDER.glob("annotator_*.shp"))}


@pytest.fixture(scope="module")
def area() -> shapely.Geometry:
    features = json.loads((FOLDER / "Peel_AOI_2500.geojson").read_text())["features"]
    return shapely.from_geojson(json.dumps(features[0]["geometry"]))


@pytest.fixture(scope="module")
def exact(layers: dict[str, list[shapely.Geometry]], area: shapely.Geometry) -> VoteTable:
    return VoteTable.from_polygons(layers, area)


@pytest.fixture(scope="module")
def raster(layers: dict[str, list[shapely.Geometry]], area: shapely.Geometry) -> VoteTable:
    steps = PIXEL * (np.arange(1255) + 0.5)
    x, y = np.meshgrid(LEFT + steps, TOP - steps)
    drawn = [shapely.union_all(layer) for layer in layers.values()]
    for geometry in drawn:
        shapely.prepare(geometry)
    stack = [shapely.contains_xy(geometry, x, y) for geometry in drawn]
    return VoteTable.from_stack(
        stack, ~shapely.contains_xy(area, x, y), names=list(layers), pixel_area=PIXEL**2
    )


def test_published_figures(exact: VoteTable, raster: VoteTable) -> None:
    pairs = np.triu_indices(12, 1)
    for votes in (exact, raster):
        f1 = agreement.pairwise_f1(votes)[pairs]
        assert agreement.smyth_bound(votes) == pytest.approx(0.0205, abs=5e-5)
        assert (f1.mean(), f1.min(), f1.max()) == pytest.approx((0.740, 0.508, 0.870), abs=1e-3)
        assert [
            name for name, is_outlier in zip(votes.names, agreement.outliers(votes)) if is_outlier
        ] == ["05", "08"]
    difference = agreement.pairwise_f1(exact) - agreement.pairwise_f1(raster)
    assert np.abs(difference).max() < 6e-4


def test_exact_areas(
    exact: VoteTable, area: shapely.Geometry, layers: dict[str, list[shapely.Geometry]]
) -> None:
    assert exact.total_weight == pytest.approx(area.area, rel=1e-12)
    drawn = [
        shapely.area(shapely.intersection(shapely.union_all(layer), area))
        for layer in layers.values()
    ]
    np.testing.assert_allclose(exact.yes_sums(exact.weights), drawn, rtol=1e-9)


def test_consensus_methods_agree_on_the_whole(exact: VoteTable, raster: VoteTable) -> None:
    for name, method in consensus.CONSENSUS_METHODS.items():
        by_area, by_pixels = (
            exact.weights[method(exact)].sum(),
            raster.weights[method(raster)].sum(),
        )
        assert by_area == pytest.approx(by_pixels, rel=5e-3), name


def test_intervals_hold_the_estimates(exact: VoteTable) -> None:
    interval = bootstrap(exact, mean_pairwise_f1, resamples=200)
    assert interval.n_blocks == 27
    assert interval.low < interval.estimate < interval.high


def test_places_and_slumps(
    exact: VoteTable, layers: dict[str, list[shapely.Geometry]], area: shapely.Geometry
) -> None:
    found = disagreements(exact, min_area=1)
    places = found.table
    assert places.area.is_monotonic_decreasing
    assert places.iloc[0].yes == ("05",)
    mixed = (exact.n_yes > 0) & (exact.n_yes < 12)
    assert places.area.sum() + found.excluded_area == pytest.approx(exact.weights[mixed].sum())
    pairs = annotator_instances(layers, area)
    assert len(pairs) == 66
    assert pairs.pq.between(0, 1).all()
