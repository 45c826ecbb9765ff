from __future__ import annotations

from pathlib import Path

import geopandas
import numpy as np
import pandas as pd
import pytest
import shapely
from support.batch import CRS, Layers, assert_same, random_layers, table_of, whole_run

from randcrowns import batch
from randcrowns.batch import scoring
from randcrowns.batch.results import ResultsDirectory
from randcrowns.core import PRESETS, Crowns
from randcrowns.core.scoring.pairing import Pairing

EXTENT = (404_008.0, 3_285_006.0, 404_033.5, 3_285_035.0)
PARAMETERS = PRESETS["image_boxes"]
PAIR = ["target_id", "delineation_id"]


def _assert_equal_to_the_whole(folder: Path, whole, summary: pd.DataFrame) -> None:
    assert_same(table_of(folder, "targets", "target_id"), whole.targets.sort_values("target_id"))
    assert_same(
        table_of(folder, "delineations", "delineation_id"),
        whole.delineations.sort_values("delineation_id"),
    )
    pairs = whole.pairs.drop(columns=["target", "delineation"]).sort_values(PAIR)
    assert_same(table_of(folder, "pairs", PAIR), pairs)
    assert_same(summary, whole.summary)


PLOTS = ((False, False), (True, False), (True, True))
#: That which works in one stage, and that in two.
SOME = Pairing.NEAREST, Pairing.HUNGARIAN
#: These with each kind of plots, with and without an extent; the others with one.
WAYS = [
    (str(pairing), EXTENT if (number + place) % 2 else None, plots)
    for number, pairing in enumerate(Pairing)
    for place, plots in enumerate(PLOTS)
    if pairing in SOME or place == number % 3
]


@pytest.mark.parametrize(("pairing", "extent", "plots"), WAYS)
def test_a_tiled_run_equals_the_whole_run(
    inside, tmp_path, pairing: str, extent, plots: tuple[bool, bool]
) -> None:
    seed = (
        [str(one) for one in Pairing].index(pairing) + 10 * plots.count(True) + (extent is not None)
    )
    layers = random_layers(tmp_path, seed, plots=plots)
    field = "plot" if plots[0] else ""
    out = tmp_path / "out"
    summary = batch.score(
        *layers.paths,
        out,
        pairing=pairing,
        extent=extent,
        plot_field=field,
        tile=26.0,
        scheduler=inside,
    )
    whole = whole_run(layers, PARAMETERS, pairing, extent)
    assert len(ResultsDirectory.read(out).manifest["tiles"]) > 3
    _assert_equal_to_the_whole(out, whole, summary)


@pytest.mark.parametrize("seed", [0, 4, 8])
def test_random_layers_tiles_and_radii(inside, tmp_path, seed: int) -> None:
    rng = np.random.default_rng(seed)
    layers = random_layers(
        tmp_path, 100 + seed, number=int(rng.integers(5, 40)), side=float(rng.uniform(15, 60))
    )
    pairing = ["nearest", "mean_over_count", "min_score"][seed % 3]
    radius = float(rng.uniform(0.5, 12))
    summary = batch.score(
        *layers.paths,
        tmp_path / "out",
        pairing=pairing,
        search_radius=radius,
        tile=float(rng.uniform(12, 40)),
        maximum_crowns=int(rng.integers(6, 30)),
        scheduler=inside,
    )
    _assert_equal_to_the_whole(
        tmp_path / "out", whole_run(layers, PARAMETERS, pairing, None, radius), summary
    )


@pytest.mark.parametrize("pairing", ["hungarian"])
def test_the_order_of_tiles_changes_nothing(inside, tmp_path, monkeypatch, pairing: str) -> None:
    layers = random_layers(tmp_path, 7)
    in_order, assign = ResultsDirectory.tiles, scoring.assign_by_cluster
    summaries = []

    def assign_once(targets, delineations, gains):
        assert (
            len({*zip(targets.tolist(), delineations.tolist())}) == len(gains) > 0
        )  # each pair from one tile
        return assign(targets, delineations, gains)

    monkeypatch.setattr(scoring, "assign_by_cluster", assign_once)
    for seed in range(2):
        rng = np.random.default_rng(seed)

        def shuffled(self, stage=None, rng=rng):
            tiles = in_order(self, stage)
            return [tiles[place] for place in rng.permutation(len(tiles))] if stage else tiles

        monkeypatch.setattr(ResultsDirectory, "tiles", shuffled)
        out = tmp_path / f"out{seed}"
        summaries.append(
            batch.score(*layers.paths, out, pairing=pairing, tile=26, scheduler=inside)
        )
    _assert_equal_to_the_whole(out, whole_run(layers, PARAMETERS, pairing), summaries[-1])
    for other in summaries[:-1]:
        pd.testing.assert_frame_equal(other, summaries[-1], check_exact=True)


@pytest.mark.parametrize("pairing", ["nearest", "hungarian"])
def test_several_layers_at_once_are_scored_as_each_alone(inside, tmp_path, pairing: str) -> None:
    layers = random_layers(tmp_path, 3)
    targets, drawn = layers.paths
    together = batch.score(
        targets, [drawn, targets], tmp_path / "both", pairing=pairing, tile=34, scheduler=inside
    )
    for name, crowns in (("drawn", layers.drawn), ("targets (2)", layers.targets)):
        whole = whole_run(layers._replace(drawn=crowns), PARAMETERS, pairing)
        assert_same(together[together["layer"] == name], whole.summary)
    assert together[together["layer"] == "targets (2)"]["randcrowns_mean"].item() == pytest.approx(
        1
    )


#: An edge between tiles 16 m wide, and how far left and right of it targets and delineations reach.
#: At that edge:
FAR_APART = (
    # a delineation goes without, for its target overlaps more with another;
    (0, [(9, 29)], [(-10.1, 9.9), (28, 48)]),
    # the delineation of a target covers another target too;
    (128, [(-10.1, 9.9), (30, 37)], [(5, 35)]),
    # the same two by distance;
    (256, [(-0.2, 19.8)], [(-0.6, 0.4), (18.5, 19.5)]),
    (384, [(-10.1, 9.9), (21, 26)], [(-6, 24)]),
    # and a delineation is far away from any target.
    (784, [], [(0, 3)]),
)


def test_crowns_larger_than_a_tile_are_scored_with_all_that_they_depend_on(
    inside, tmp_path
) -> None:
    sides = []
    for side in (1, 2):
        ends = np.array(
            [
                (404_000 + edge + one)
                for edge, *of in FAR_APART
                for ends in of[side - 1]
                for one in ends
            ]
        )
        sides.append(shapely.box(ends[::2], 3_285_000, ends[1::2], 3_285_004))
    plots = np.array(
        [f"plot {edge}" for edge, targets, _ in FAR_APART for _ in targets], dtype=object
    )
    paths = tmp_path / "targets.gpkg", tmp_path / "drawn.gpkg"
    geopandas.GeoDataFrame({"plot": plots}, geometry=sides[0], crs=CRS).to_file(paths[0])
    geopandas.GeoDataFrame(geometry=sides[1], crs=CRS).to_file(paths[1])
    layers = Layers(Crowns(sides[0], plots=plots), Crowns(sides[1]), paths)
    for pairing in ("nearest", "max_iou", "hungarian"):
        out = tmp_path / pairing
        summary = batch.score(
            *paths, out, pairing=pairing, plot_field="plot", tile=16, scheduler=inside
        )
        _assert_equal_to_the_whole(out, whole_run(layers, PARAMETERS, pairing), summary)
