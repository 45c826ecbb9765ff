from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples

from randcrowns.core.instances.labelled_points import LabelledPoints
from randcrowns.core.instances.outlines import instance_outlines, thin_points


def instances_of(labels):
    return LabelledPoints.from_labels(labels, labels).targets


def test_a_square_keeps_about_its_area():
    rng = np.random.default_rng(1)
    xy = rng.uniform(0, 5, (5000, 2))
    outline = instance_outlines(xy, instances_of(np.zeros(5000, int)))[0]
    assert 23 < outline.area <= 25


def test_a_bay_stays_open():
    rng = np.random.default_rng(1)
    xy = rng.uniform(0, 10, (20000, 2))
    xy = xy[(xy[:, 0] < 3) | (xy[:, 1] < 3)]
    outline = instance_outlines(xy, instances_of(np.zeros(len(xy), int)))[0]
    assert outline.area < 0.8 * shapely.multipoints(xy).convex_hull.area


def test_points_on_a_spot_or_a_line_have_an_outline():
    xy = np.array([[1.0, 1.0], [1.0, 1.0], [5.0, 0.0], [7.0, 0.0], [9.0, 0.0]])
    outlines = instance_outlines(xy, instances_of(np.array([0, 0, 1, 1, 1])), cell=0.2)
    assert (shapely.area(outlines) > 0).all()
    assert shapely.get_type_id(outlines).tolist() == [
        shapely.GeometryType.POLYGON,
        shapely.GeometryType.MULTIPOLYGON,
    ]


def test_stray_points_do_not_stretch_the_outline_and_parts_apart_stay_apart():
    rng = np.random.default_rng(3)
    near, other = rng.uniform(0, 4, (2000, 2)), rng.uniform([20, 0], [23, 3], (1000, 2))
    xy = np.concatenate([near, other, [[40.0, 40.0], [-30.0, 2.0]]])
    outline = instance_outlines(xy, instances_of(np.zeros(len(xy), int)))[0]
    assert shapely.get_num_geometries(outline) == 2
    assert 22 < outline.area <= 25
    assert outline.bounds[2] < 23.01


@pytest.mark.parametrize(("beside", "parts"), [(9, 1), (10, 2)])
def test_a_part_apart_counts_from_a_tenth_of_the_squares(beside: int, parts: int) -> None:
    # A point in each square of one metre: 90 in the crown, and beside it 9 of 99 or 10 of 100.
    crown = np.stack(np.divmod(np.arange(90.0), 10), axis=1)
    apart = np.stack(np.divmod(np.arange(float(beside)), 5), axis=1) + 50.0
    outline = instance_outlines(
        np.concatenate([crown, apart]), instances_of(np.zeros(90 + beside, int))
    )[0]
    assert shapely.get_num_geometries(outline) == parts


def test_an_instance_of_scattered_points_has_an_outline():
    xy = 100.0 * np.stack(np.divmod(np.arange(25), 5), axis=1)
    assert instance_outlines(xy, instances_of(np.zeros(25, int)))[0].area > 0


def test_no_instances():
    assert len(instance_outlines(np.zeros((3, 3)), instances_of(np.full(3, -1)))) == 0
    assert len(instance_outlines(np.empty((0, 3)), instances_of(np.empty(0, int)))) == 0


@settings(max_examples=examples(40), deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 300), st.floats(0.05, 3.0))
def test_one_point_per_square_and_instance(seed, n, cell):
    rng = np.random.default_rng(seed)
    xy = rng.uniform(-8, 8, (n, 2))
    labels = rng.integers(-1, 4, n)
    instances = instances_of(labels)
    points, owner = thin_points(xy, instances, cell)
    lower = xy.min(axis=0)
    squares = {
        (label, *np.floor((place - lower) / cell).astype(int))
        for label, place in zip(labels, xy)
        if label >= 0
    }
    assert len(points) == len(squares)
    assert (np.diff(owner) >= 0).all()
    found = {
        (instances.ids[one], *np.floor((place - lower) / cell).astype(int))
        for one, place in zip(owner, points)
    }
    assert found == squares


@settings(max_examples=examples(30), deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 60))
def test_outlines_are_valid_and_within_the_hull(seed, n):
    rng = np.random.default_rng(seed)
    xy = np.round(rng.uniform(0, 3, (n, 2)), 1)
    labels = rng.integers(0, 3, n)
    outlines = instance_outlines(xy, instances_of(labels))
    assert shapely.is_valid(outlines).all()
    assert (shapely.area(outlines) > 0).all()
    for label, outline in zip(np.unique(labels), outlines):
        hull = shapely.multipoints(xy[labels == label]).convex_hull
        assert hull.buffer(0.11).covers(outline)


@pytest.mark.parametrize("of_a_tree", [False, True])
@pytest.mark.parametrize("cell", [0.2, 0.1])
def test_points_at_the_ends_of_what_a_file_can_hold_change_no_outline(
    cell: float, of_a_tree: bool
) -> None:
    n = 1000
    rng = np.random.default_rng(0)
    tree = np.repeat(np.arange(n), 20)
    xy = np.stack([(tree % 20) * 5.0, (tree // 20) * 5.0], axis=1) + rng.uniform(
        0, 3, (len(tree), 2)
    )
    xy[0] = xy.min(axis=0)
    alone = instance_outlines(xy, instances_of(tree), cell)
    far = 2**31 * 0.01 // (5 * cell) * 5 * cell  # the squares lie as they do without
    stray = np.array([xy.min(axis=0) - far, xy.min(axis=0) + far])
    labels = np.append(tree, [7, 7] if of_a_tree else [-1, -1])
    outlines = instance_outlines(np.concatenate([xy, stray]), instances_of(labels), cell)
    assert (shapely.area(shapely.symmetric_difference(outlines, alone)) < 1e-6).all()
