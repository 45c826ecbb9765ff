from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from support.batch import assert_same, random_layers, table_of, whole_run

from randcrowns import batch
from randcrowns.batch.results import Results
from randcrowns.core import PRESETS
from randcrowns.core.scoring.pairing import Pairing

EXTENT = (404_012.0, 3_285_009.0, 404_049.5, 3_285_052.0)
PARAMETERS = PRESETS["image_boxes"]
PAIR = ["target_id", "delineation_id"]


def _assert_equal_to_the_whole(folder: Path, whole, summary: pd.DataFrame) -> None:
    assert_same(table_of(folder, "targets", "target_id"), whole.targets.sort_values("target_id"))
    assert_same(table_of(folder, "delineations", "delineation_id"), whole.delineations.sort_values("delineation_id"))
    pairs = whole.pairs.drop(columns=["target", "delineation"]).sort_values(PAIR)
    assert_same(table_of(folder, "pairs", PAIR), pairs)
    assert_same(summary, whole.summary)


PLOTS = ((False, False), (True, False), (True, True))
#: Each pairing with and without an extent, and with each kind of plots; each of these with and without an extent.
WAYS = [
    (pairing, EXTENT if (number + place) % 2 else None, plots)
    for number, pairing in enumerate(map(str, Pairing))
    for place, plots in enumerate(PLOTS)
]


@pytest.mark.parametrize(("pairing", "extent", "plots"), WAYS)
def test_a_tiled_run_equals_the_whole_run(inside, tmp_path, pairing: str, extent, plots: tuple[bool, bool]) -> None:
    seed = [str(one) for one in Pairing].index(pairing) + 10 * plots.count(True) + (extent is not None)
    layers = random_layers(tmp_path, seed, plots=plots)
    field = "plot" if plots[0] else ""
    out = tmp_path / "out"
    summary = batch.score(
        *layers.paths, out, pairing=pairing, extent=extent, plot_field=field, tile=34.0, scheduler=inside
    )
    whole = whole_run(layers, PARAMETERS, pairing, extent)
    assert len(Results.opened(out).manifest["tiles"]) > 3
    _assert_equal_to_the_whole(out, whole, summary)


@pytest.mark.parametrize("seed", [0, 2, 4, 7])
def test_random_layers_tiles_and_radii(inside, tmp_path, seed: int) -> None:
    rng = np.random.default_rng(seed)
    layers = random_layers(tmp_path, 100 + seed, number=int(rng.integers(5, 60)), side=float(rng.uniform(15, 90)))
    pairing = ["nearest", "mean_over_count", "min_score"][seed % 3]
    radius = float(rng.uniform(0.5, 12))
    summary = batch.score(
        *layers.paths,
        tmp_path / "out",
        pairing=pairing,
        search_radius=radius,
        tile=float(rng.uniform(12, 40)),
        most_crowns=int(rng.integers(6, 30)),
        scheduler=inside,
    )
    _assert_equal_to_the_whole(tmp_path / "out", whole_run(layers, PARAMETERS, pairing, None, radius), summary)


@pytest.mark.parametrize("pairing", ["hungarian"])
def test_the_order_of_tiles_changes_nothing(inside, tmp_path, monkeypatch, pairing: str) -> None:
    layers = random_layers(tmp_path, 7, number=30)
    in_order = Results.tiles
    summaries = []
    for seed in range(2):
        rng = np.random.default_rng(seed)

        def shuffled(self, stage=None, rng=rng):
            tiles = in_order(self, stage)
            return [tiles[place] for place in rng.permutation(len(tiles))] if stage else tiles

        monkeypatch.setattr(Results, "tiles", shuffled)
        out = tmp_path / f"out{seed}"
        summaries.append(batch.score(*layers.paths, out, pairing=pairing, tile=22, scheduler=inside))
    _assert_equal_to_the_whole(out, whole_run(layers, PARAMETERS, pairing), summaries[-1])
    for other in summaries[:-1]:
        pd.testing.assert_frame_equal(other, summaries[-1], check_exact=True)


def test_several_layers_at_once_are_as_one_after_another(inside, tmp_path) -> None:
    layers = random_layers(tmp_path, 3)
    targets, drawn = layers.paths
    together = batch.score(targets, [drawn, targets], tmp_path / "both", tile=34, scheduler=inside)
    for name, path in (("drawn", drawn), ("targets (2)", targets)):
        alone = batch.score(targets, path, tmp_path / name, tile=34, scheduler=inside)
        assert_same(together[together["layer"] == name].drop(columns="layer"), alone.drop(columns="layer"))
    assert together[together["layer"] == "targets (2)"]["randcrowns_mean"].item() == pytest.approx(1)


def test_a_crown_larger_than_a_tile_is_scored_whole(inside, tmp_path) -> None:
    import geopandas
    import shapely
    from support.batch import CRS, Layers

    from randcrowns.core import Crowns

    giant, small = shapely.box(0, 0, 95, 95), shapely.box(100, 100, 103, 103)
    sides = [giant, small], [shapely.box(1, 1, 96, 96), shapely.box(40, 2, 44, 5), small]
    paths = []
    for name, shapes in zip(("targets", "drawn"), sides):
        paths.append(tmp_path / f"{name}.gpkg")
        geopandas.GeoDataFrame(geometry=shapes, crs=CRS).to_file(paths[-1])
    layers = Layers(Crowns(sides[0]), Crowns(sides[1]), (paths[0], paths[1]))
    for pairing in Pairing:
        out = tmp_path / str(pairing)
        summary = batch.score(*paths, out, pairing=str(pairing), tile=36, scheduler=inside)
        _assert_equal_to_the_whole(out, whole_run(layers, PARAMETERS, str(pairing)), summary)
