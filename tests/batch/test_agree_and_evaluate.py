from __future__ import annotations

import geopandas
import numpy as np
import pandas as pd
import pytest
import shapely
from shapely import affinity
from support.batch import CRS, assert_same, random_layers, table_of

from randcrowns import batch
from randcrowns.batch.agreement import repair_faces
from randcrowns.core.agreement.measures import annotator_statistics, pairwise_f1
from randcrowns.core.agreement.outlier_testing import outlier_test
from randcrowns.core.agreement.staple_em import staple
from randcrowns.core.agreement.summary import agreement_summary
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.crowns import Crowns
from randcrowns.core.instances.matching import (
    NO_MATCH,
    MatchingMethod,
    match_instances,
    match_one_to_one,
    prediction_status,
    target_status,
)
from randcrowns.core.instances.metrics import matched_rates
from randcrowns.core.instances.overlap import polygon_overlap
from randcrowns.core.instances.summary import assign_plots, summarise_instances


@pytest.mark.parametrize("extent", [None, (403_995.0, 3_284_990.0, 404_050.0, 3_285_030.0)])
def test_agreement_of_tiles_equals_that_of_the_whole(inside, tmp_path, extent) -> None:
    layers = random_layers(tmp_path, 8)
    third = tmp_path / "third.gpkg"
    moved = np.array(
        [affinity.translate(one, 0.4, -0.7) for one in layers.targets.geometry[10:]], dtype=object
    )
    geopandas.GeoDataFrame(geometry=moved, crs=CRS).to_file(third)
    found = batch.agree(
        [*layers.paths, third], tmp_path / "out", extent=extent, tile=23, scheduler=inside
    )

    drawn = {"targets": layers.targets.geometry, "drawn": layers.drawn.geometry, "third": moved}
    votes = VoteTable.from_polygons(drawn, None if extent is None else shapely.box(*extent))
    expected = agreement_summary(votes).table.reset_index()
    assert_same(
        found[["statistic", "value", "bootstrap_samples"]],
        expected[["statistic", "value", "bootstrap_samples"]],
    )
    # Blocks are cut at edges that differ by rounding.
    np.testing.assert_allclose(found[["low", "high"]], expected[["low", "high"]], atol=1e-9)

    each = pd.read_csv(tmp_path / "out" / "annotators.csv", index_col="annotator")
    wanted = annotator_statistics(votes)
    pd.testing.assert_frame_equal(each[wanted.columns], wanted, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(each["staple_sensitivity"], staple(votes).sensitivity, rtol=1e-6)
    tested = outlier_test(votes)
    np.testing.assert_allclose(each["p_unlike"], tested.p_value, atol=0.002)
    assert each["unlike"].tolist() == tested.is_unlike.tolist()
    pairs = pd.read_csv(tmp_path / "out" / "pairs.csv")
    np.testing.assert_allclose(pairs["f1"], pairwise_f1(votes)[np.triu_indices(3, 1)], rtol=1e-9)
    faces = pd.concat(map(geopandas.read_parquet, (tmp_path / "out" / "faces").iterdir()))
    for count in (1, 2, 3):
        area = votes.weights[votes.n_yes == count].sum()
        assert faces[faces["n_yes"] == count].area.sum() == pytest.approx(area, rel=1e-9)
    patterns = pd.read_csv(tmp_path / "out" / "patterns.csv", dtype={"pattern": str})
    assert patterns["area"].sum() == pytest.approx(votes.total_weight, rel=1e-9)


def test_a_face_whose_edges_cross_counts_with_its_area(inside, tmp_path) -> None:
    layers = random_layers(tmp_path, 2, number=60, side=60)
    batch.agree(layers.paths, tmp_path / "out", tile=35, scheduler=inside)
    patterns = pd.read_csv(tmp_path / "out" / "patterns.csv", dtype={"pattern": str})
    union = shapely.union_all(np.concatenate([layers.targets.geometry, layers.drawn.geometry])).area
    assert patterns.loc[patterns["n_yes"] > 0, "area"].sum() == pytest.approx(union, rel=1e-9)
    assert all(
        geopandas.read_parquet(file).is_valid.all()
        for file in (tmp_path / "out" / "faces").iterdir()
    )


def test_strips_between_the_edges_of_tiles_and_of_blocks_count(inside, tmp_path) -> None:
    """Blocks of 2 m, tiles of 6.1 m."""
    for name, wide in (("ann", 16), ("bob", 7)):
        drawn = shapely.box(404_000, 3_285_000, 404_000 + wide, 3_285_016)
        geopandas.GeoDataFrame(geometry=[drawn], crs=CRS).to_file(tmp_path / f"{name}.gpkg")
    batch.agree(
        [tmp_path / "ann.gpkg", tmp_path / "bob.gpkg"], tmp_path / "out", tile=6.1, scheduler=inside
    )
    patterns = pd.read_csv(tmp_path / "out" / "patterns.csv", dtype={"pattern": str}).set_index(
        "pattern"
    )
    assert patterns["area"].to_dict() == pytest.approx({"10": 9 * 16, "11": 7 * 16}, rel=1e-9)


def test_a_face_is_repaired_where_it_keeps_its_area() -> None:
    spike = shapely.Polygon([(0, 0), (2, 0), (2, 2), (5, 2), (2, 2), (0, 2)])
    crossing = shapely.Polygon([(0, 0), (2, 2), (2, 0), (0, 2)])
    good = shapely.box(0, 0, 1, 1)
    repaired, left, same = repair_faces(np.array([spike, crossing, good], dtype=object))
    assert repaired.is_valid
    assert repaired.equals(shapely.box(0, 0, 2, 2))
    assert (left, same) == (crossing, good)


# Plots decide what is noted of each tile, the method what all tiles together mean.
@pytest.mark.parametrize(
    ("method", "plots"),
    [
        (str(one), ((False, False), (True, False), (True, True))[number % 3])
        for number, one in enumerate(MatchingMethod)
    ],
)
def test_evaluation_of_tiles_equals_that_of_the_whole(inside, tmp_path, method: str, plots) -> None:
    layers = random_layers(tmp_path, 20 + plots.count(True), plots=plots)
    field = "plot" if plots[0] else ""
    out = tmp_path / "out"
    found = batch.evaluate(
        *layers.paths, out, detection=method, plot_field=field, tile=26, scheduler=inside
    )

    targets, predictions = layers.targets, layers.drawn
    table = polygon_overlap(targets, predictions)
    heights = table.target_size
    matched, cut = (
        match_one_to_one(table, method, heights),
        match_instances(table, MatchingMethod.FOR_AI_NET_COVERAGE),
    )
    groups = [None, None]
    if plots[0]:
        drawn = predictions.plots if plots[1] else assign_plots(targets, predictions, table)
        groups = [targets.plots.tolist(), drawn.tolist()]
    expected = summarise_instances(
        table, matched, cut, target_plots=groups[0], prediction_plots=groups[1]
    )
    assert_same(found, expected[expected["plot"].notna()])
    iou, precision, recall = matched_rates(table, cut)
    rows = pd.DataFrame(
        {
            "target_id": targets.ids,
            "status": target_status(matched),
            "match_id": [
                None if place == NO_MATCH else predictions.ids[place]
                for place in matched.prediction
            ],
            "iou": iou,
            "precision": precision,
            "recall": recall,
        }
    )
    rows["match_id"] = rows["match_id"].astype("Int64")
    assert_same(table_of(out, "targets", "target_id"), rows)
    others = pd.DataFrame({"prediction_id": predictions.ids, "status": prediction_status(matched)})
    assert_same(table_of(out, "predictions", "prediction_id"), others)
    assert len(list((out / "targets").iterdir())) > 3


@pytest.mark.parametrize("method", ["deepforest", "for_ai_net_coverage"])
def test_tiles_break_ties_as_the_whole_map_does(inside, tmp_path, method: str) -> None:
    rng = np.random.default_rng(0)
    crowns = {}
    for name, n in (("trees", 40), ("found", 50)):
        xmin, ymin = rng.integers(0, 5, (2, n)) + np.array([[404_211.1], [3_285_102.7]])
        side = rng.integers(1, 4, n)
        squares = shapely.box(xmin, ymin, xmin + side, ymin + side)
        geopandas.GeoDataFrame(geometry=squares, crs=CRS).to_file(tmp_path / f"{name}.gpkg")
        crowns[name] = Crowns(squares)
    out = tmp_path / "out"
    paths = tmp_path / "trees.gpkg", tmp_path / "found.gpkg"
    batch.evaluate(*paths, out, detection=method, tile=3, scheduler=inside)
    found = table_of(out, "targets", "target_id")["match_id"].fillna(NO_MATCH)
    table = polygon_overlap(crowns["trees"], crowns["found"])
    assert found.tolist() == match_one_to_one(table, method).prediction.tolist()
    assert len(list((out / "targets").iterdir())) > 1


def test_what_a_target_overlaps_far_outside_of_its_tile_counts(inside, tmp_path) -> None:
    """Its middle is in a tile that neither of its predictions reaches."""
    for name, ends in (("targets", [(0, 80)]), ("found", [(0, 30), (50, 80), (200, 204)])):
        boxes = [shapely.box(404_000 + low, 0, 404_000 + high, 4) for low, high in ends]
        geopandas.GeoDataFrame(geometry=boxes, crs=CRS).to_file(tmp_path / f"{name}.gpkg")
    paths = tmp_path / "targets.gpkg", tmp_path / "found.gpkg"
    batch.evaluate(*paths, tmp_path / "out", tile=16, scheduler=inside)
    pairs = table_of(tmp_path / "out", "pairs", "prediction_id")
    assert pairs[["target_id", "prediction_id", "shared"]].to_numpy().tolist() == [
        [0, 0, 120],
        [0, 1, 120],
    ]


def test_heights_decide_where_a_field_holds_them(inside, tmp_path) -> None:
    shapes = [shapely.box(0, 0, 4, 4), shapely.box(0, 0, 4, 3.9)]
    trees = geopandas.GeoDataFrame({"h": [10, 20]}, geometry=shapes, crs=CRS)
    trees.to_file(tmp_path / "trees.gpkg")
    trees.iloc[:1].to_file(tmp_path / "found.gpkg")
    for field, first in (
        ("h", ["false_negative", "true_positive"]),
        ("", ["true_positive", "false_negative"]),
    ):
        out = tmp_path / f"out{field}"
        paths = tmp_path / "trees.gpkg", tmp_path / "found.gpkg"
        batch.evaluate(*paths, out, detection="point2tree", height_field=field, scheduler=inside)
        assert table_of(out, "targets", "target_id")["status"].tolist() == first


@pytest.mark.parametrize("missing", [{"a"}, {"b"}, {"a", "b"}])
def test_evaluation_where_plots_or_crowns_are_missing(inside, tmp_path, missing: set) -> None:
    boxes = [shapely.box(x, 0, x + 4, 4) for x in range(0, 50, 5)]
    for name in ("a", "b"):
        shapes = [shapely.box(900, 0, 901, 1)] if missing == {"a", "b"} and name == "b" else boxes
        empty = name in missing and len(missing) == 1
        frame = geopandas.GeoDataFrame(geometry=[] if empty else shapes, crs=CRS)
        frame.to_file(tmp_path / f"{name}.gpkg", geometry_type="Polygon")
    paths = tmp_path / "a.gpkg", tmp_path / "b.gpkg"
    found = batch.evaluate(*paths, tmp_path / "out", scheduler=inside)
    expected = {"a": [0, 10, 0], "b": [0, 0, 10], "ab": [0, 1, 10]}["".join(sorted(missing))]
    assert found[["tp", "fp", "fn"]].to_numpy().tolist() == [expected]
    again = batch.evaluate(*paths, tmp_path / "out", resume=True, scheduler=inside)
    pd.testing.assert_frame_equal(again, found, check_dtype=False)
