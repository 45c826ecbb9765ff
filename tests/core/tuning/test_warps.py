from __future__ import annotations

import numpy as np
import pytest
import shapely
import shapely.affinity
from support.crowns import KINDS, crown
from support.errors import raises

from randcrowns.core.crowns import Crowns, is_box
from randcrowns.core.scoring.parameters import PRESETS
from randcrowns.core.tuning.variance import annotator_variance
from randcrowns.core.tuning.wrong_pairs import simulate_annotators, warp_polygons


def drawing(n=40, kinds=KINDS, seed=0):
    rng = np.random.default_rng(seed)
    polygons = [crown(rng, kinds[i % len(kinds)], 500_000 + 15 * i, 3_000_000) for i in range(n)]
    return Crowns(np.array(polygons, dtype=object), np.arange(n) + 5, name="me", crs="EPSG:32617")


def test_copies_keep_ids_and_crs_and_are_reproducible():
    mine = drawing()
    first, second = simulate_annotators(mine, 2, seed=3)
    assert (first.name, second.name, first.crs) == ("me, warp 1", "me, warp 2", "EPSG:32617")
    assert (first.ids == mine.ids).all()
    assert not shapely.equals_exact(first.geometry, second.geometry).any()
    again = simulate_annotators(mine, 2, seed=3)
    assert shapely.equals_exact(first.geometry, again[0].geometry).all()
    assert not shapely.equals_exact(
        first.geometry, simulate_annotators(mine, 1, seed=4)[0].geometry
    ).any()


def test_boxes_stay_boxes_and_others_turn():
    mine = drawing()
    (copy,) = simulate_annotators(mine, 1, scale_sd=0.0, shift_sd=0.0, rotation_sd=20.0)
    boxes = is_box(mine.geometry)
    assert shapely.equals_exact(copy.geometry[boxes], mine.geometry[boxes], 1e-6).all()
    assert not shapely.equals_exact(copy.geometry[~boxes], mine.geometry[~boxes], 1e-3).any()
    assert shapely.area(copy.geometry) == pytest.approx(shapely.area(mine.geometry), rel=1e-6)
    assert is_box(simulate_annotators(mine, 1)[0].geometry)[boxes].all()


def test_amounts_are_standard_deviations():
    mine = drawing(3000, ("box",))
    (moved,) = simulate_annotators(mine, 1, scale_sd=0.0, shift_sd=0.4)
    step = shapely.get_coordinates(shapely.centroid(moved.geometry)) - shapely.get_coordinates(
        shapely.centroid(mine.geometry)
    )
    assert step.std(axis=0) == pytest.approx([0.4, 0.4], rel=0.05)
    (scaled,) = simulate_annotators(mine, 1, scale_sd=0.1, shift_sd=0.0)
    growth = np.log(shapely.area(scaled.geometry) / shapely.area(mine.geometry))
    assert growth.std() == pytest.approx(0.1 * np.sqrt(2), rel=0.05)
    assert abs(growth.mean()) < 0.02


def test_angles_are_degrees_and_scales_logarithms():
    square = shapely.box(-2, -2, 2, 2)
    rotated = shapely.affinity.rotate(square, 30)
    place = 500_000 + 15.0 * np.arange(3000)
    mine = Crowns(
        np.array([shapely.affinity.translate(rotated, x, 3_000_000) for x in place]), name="me"
    )
    (turned,) = simulate_annotators(mine, 1, scale_sd=0.0, shift_sd=0.0, rotation_sd=5.0)
    corner, own = (
        shapely.get_coordinates(c.geometry).reshape(3000, 5, 2)[:, 0] for c in (turned, mine)
    )
    middle = np.column_stack([place, np.full(3000, 3_000_000)])
    bearing = [np.arctan2(*(xy - middle).T[::-1]) for xy in (corner, own)]
    angle = np.degrees(bearing[0] - bearing[1])
    assert np.abs(angle).max() < 30
    assert angle.std() == pytest.approx(5.0, rel=0.05)

    boxes = drawing(3000, ("box",))
    (scaled,) = simulate_annotators(boxes, 1, scale_sd=0.5, shift_sd=0.0)
    growth = np.log(
        np.divide(*(np.diff(shapely.bounds(c.geometry)[:, [0, 2]]) for c in (scaled, boxes)))
    )
    assert growth.std() == pytest.approx(0.5, rel=0.05)
    assert growth.mean() == pytest.approx(0.0, abs=0.04)


def test_zero_amounts_change_nothing():
    mine = drawing()
    (copy,) = simulate_annotators(mine, 1, scale_sd=0, rotation_sd=0, shift_sd=0)
    assert shapely.equals_exact(copy.geometry, mine.geometry, 1e-8).all()


def test_shifted_and_resized():
    square = np.array([shapely.box(0, 0, 4, 4), shapely.box(10, 10, 12, 14)], dtype=object)
    assert shapely.bounds(
        warp_polygons(square, shift=np.array([[1.0, 2.0], [-1.0, 0.0]]))
    ).tolist() == [
        [1, 2, 5, 6],
        [9, 10, 11, 14],
    ]
    assert shapely.bounds(warp_polygons(square, scale_factors=0.5)).tolist() == [
        [1, 1, 3, 3],
        [10.5, 11, 11.5, 13],
    ]
    assert len(warp_polygons(np.empty(0, dtype=object), scale_factors=2.0)) == 0


def test_one_drawing_is_enough_for_a_variance():
    mine = drawing(20, ("box", "convex"))
    row = annotator_variance(
        [mine, *simulate_annotators(mine, 2)], PRESETS["image_boxes"]
    ).summary.iloc[-1]
    assert row["crowns"] > 50
    assert 0 < row["randcrowns_variance"] < row["iou_variance"]


@pytest.mark.parametrize(
    ("wrong", "key"),
    [
        ({"n_copies": 0}, "tuning.invalid_copy_count"),
        ({"n_copies": 1.5}, "argument.wrong_type"),
        ({"scale_sd": -1}, "tuning.invalid_amount"),
        ({"rotation_sd": np.nan}, "tuning.invalid_amount"),
        ({"shift_sd": np.inf}, "tuning.invalid_amount"),
    ],
)
def test_wrong_amounts(wrong, key):
    with raises(key):
        simulate_annotators(drawing(3), **wrong)
