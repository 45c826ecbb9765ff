"""randcrowns:targetregions."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from support.layers import EAST, NORTH, crowns_at, layer_of
from support.shown import shows

from randcrowns.core.scoring.parameters import PRESETS
from randcrowns.core.scoring.score import target_regions

CROWNS = crowns_at([(0, 0), (20, 0)])


@pytest.fixture
def regions(run):
    def regions(shapes=CROWNS, layer=None, **parameters):
        targets = layer if layer is not None else layer_of("targets", shapes, kind="Polygon")
        return run("targetregions", {"TARGETS": targets, **parameters})

    return regions


def test_the_same_regions_as_core(regions):
    done = regions()
    assert done.ok, done.error
    expected = target_regions(CROWNS, PRESETS["image_boxes"])
    layer = done.layer("REGIONS")
    found = {
        (f["target_id"], f["region"]): shapely.from_wkb(bytes(f.geometry().asWkb()))
        for f in layer.getFeatures()
    }
    for region, shapes in zip("aoeb", expected[:4]):
        for number, shape in enumerate(shapes, start=1):
            assert shapely.area(shapely.symmetric_difference(found[number, region], shape)) < 1e-9
    table = done.table("REGIONS")
    np.testing.assert_allclose(table["tau"].astype(float), np.repeat(expected.tau, 4))
    np.testing.assert_allclose(
        table[table["region"] == "b"]["area"].astype(float), shapely.area(expected.R_b)
    )


def test_a_target_too_small_has_no_inner_region(regions):
    done = regions(crowns_at([(0, 0)], radius=0.3))
    table = done.table("REGIONS").set_index("region")
    assert table.loc["a", "area"] == 0
    assert set(table["status"]) == {"target_too_small"}
    assert done.layer("REGIONS").featureCount() == 4


def test_the_extent_cuts(regions):
    done = regions(EXTENT=f"{EAST - 1},{EAST + 1},{NORTH - 1},{NORTH + 1} [EPSG:32617]")
    assert done.table("REGIONS")["target_id"].unique().tolist() == [1]
    assert done.layer("REGIONS").extent().width() == pytest.approx(2.0)
    assert "outside the extent is excluded (feature 2)" in done.warnings


def test_bad_numbers_and_layers(regions):
    assert shows(regions(PRESET=2, ALPHA=float("nan")).refused, "number.not_finite")
    assert shows(
        regions(layer=layer_of("t", CROWNS, crs="", kind="Polygon")).refused, "crs.missing"
    )
    assert len(regions([]).table("REGIONS")) == 0


def test_in_feet(regions):
    feet = 0.3048
    box = shapely.box(780000, 1500000, 780000 + 8 / feet, 1500000 + 6 / feet)
    done = regions(layer=layer_of("t", [box], crs="EPSG:2236", kind="Polygon"))
    area = done.table("REGIONS").set_index("region")["area"].astype(float)
    assert area["a"] == pytest.approx((8 - 1.4) * (6 - 1.4), rel=1e-4)
    drawn = {
        feature["region"]: feature.geometry().area()
        for feature in done.layer("REGIONS").getFeatures()
    }
    assert drawn["a"] * feet**2 == pytest.approx(area["a"], rel=1e-4)
