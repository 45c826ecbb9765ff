from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import geopandas
import numpy as np
import pytest
import shapely
from support.batch import CRS

from randcrowns import batch
from randcrowns.batch.source import decode_polygons, open_source, read_crowns_in_box
from randcrowns.batch.tiles import plan_tiles


@pytest.fixture(scope="module")
def forest(tmp_path_factory):
    """8,000 boxes, nine tenths of them in one corner of the map."""
    rng = np.random.default_rng(0)
    xy = np.concatenate([rng.uniform(0, 500, (7_200, 2)), rng.uniform(0, 4000, (800, 2))])
    path = tmp_path_factory.mktemp("forest") / "forest.parquet"
    boxes = shapely.box(*xy.T, *(xy + rng.uniform(1, 9, xy.shape)).T)
    geopandas.GeoDataFrame(geometry=boxes, crs=CRS).to_file(path.with_suffix(".gpkg"))
    batch.partition(path.with_suffix(".gpkg"), path)
    return open_source(path, "forest")


@pytest.mark.parametrize(
    ("side", "most"), [(None, 200_000), (None, 700), (300.0, 200_000), (300.0, 900)]
)
def test_every_crown_has_one_owner_and_no_tile_holds_too_much(
    forest, side: float | None, most: int
) -> None:
    plan = plan_tiles([forest], side, most)
    owned = []
    for tile in plan.tiles:
        rows = read_crowns_in_box(forest, tile.box(plan.grid))
        ids = rows.ids[
            tile.owns(decode_polygons(rows, "forest", plan.problems), rows.bounds, plan.grid)
        ]
        owned.append(ids)
        if side is None:
            # A crown's middle and its centroid may lie on either side of an edge.
            assert len(ids) <= 1.1 * min(most, 5_000)
    np.testing.assert_array_equal(np.sort(np.concatenate(owned)), np.arange(8_000))
    assert sum(tile.n_crowns for tile in plan.tiles) == 8_000
    assert len(plan.tiles) >= 4
    assert plan.diagonals[0] == pytest.approx(
        shapely.length(shapely.linestrings([[0, 0], [9, 9]])), rel=0.05
    )


def test_a_crown_far_away_leaves_the_tiles_of_the_others_small(tmp_path) -> None:
    xy = np.random.default_rng(1).uniform(0, 2000, (6_000, 2))
    xy[0] = 9e7
    geopandas.GeoDataFrame(geometry=shapely.box(*xy.T, *(xy + 4).T), crs=CRS).to_file(
        tmp_path / "a.gpkg"
    )
    batch.partition(tmp_path / "a.gpkg", tmp_path / "a.parquet")
    plan = plan_tiles([open_source(tmp_path / "a.parquet", "a")])
    assert sum(tile.n_crowns for tile in plan.tiles) == 6_000
    assert max(tile.n_crowns for tile in plan.tiles) <= 5_000


def test_threads_that_read_one_file_at_once_get_what_one_gets(forest) -> None:
    corners = np.random.default_rng(7).uniform(0, 500, (100, 2))
    asked = [np.array([*corner, *(corner + 20)]) for corner in corners]
    expected = [read_crowns_in_box(forest, box).ids for box in asked]
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda box: read_crowns_in_box(forest, box).ids, asked))
    assert all(np.array_equal(one, other) for one, other in zip(found, expected))
