"""Limits of blocks, bootstrap samples and windows, and results that tiles must not change."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import shapely
from support.layers import EAST, NORTH, layer_of
from support.rasters import write_raster
from support.shown import shows

import randcrowns.algorithms.agreement.vote_counting as annotator_votes
from randcrowns.core.agreement.votes import VoteTable


@pytest.fixture
def compare(run):
    def run_it(**parameters):
        corners = np.random.default_rng(0).uniform(0, 90, (24, 2)) + np.array([EAST, NORTH])
        drawn = [shapely.box(x, y, x + 9, y + 9) for x, y in corners]
        layers = [layer_of("a", drawn[:16]), layer_of("b", drawn[8:])]
        area = layer_of("area", [shapely.box(EAST, NORTH, EAST + 100, NORTH + 100)])
        given = {"ANNOTATORS": layers, "EXTENT_LAYER": area, "BOOTSTRAP_SAMPLES": 10, **parameters}
        return run("compareannotators", given, outputs=("AGREEMENT", "SUMMARY", "IMAGE_TABLE"))

    return run_it


@pytest.fixture
def image(tmp_path):
    values = np.random.default_rng(1).random((100, 100))
    return str(write_raster(tmp_path / "image.tif", values, 1.0, EAST, NORTH + 100))


@pytest.mark.parametrize("resolution", [0, 0.001])
@pytest.mark.parametrize("side", [1e-9, 0.05])
def test_too_small_blocks_fail_before_anything_is_made(compare, monkeypatch, side, resolution):
    for work in ("from_polygons", "from_tiles"):
        monkeypatch.setattr(VoteTable, work, None)
    error = compare(BLOCK_SIDE=side, RESOLUTION=min(resolution, side)).error
    assert shows(error, "blocks.too_many")
    assert shows(error, "blocks.too_many", most=10000)


def test_blocks_smaller_than_a_pixel_fail(compare, image):
    assert shows(
        compare(BLOCK_SIDE=2, RESOLUTION=4).error, "blocks.smaller_than_pixel", side=2, pixel=4
    )
    assert shows(compare(BLOCK_SIDE=0.9, IMAGE=image).error, "blocks.smaller_than_pixel", pixel=1)


@pytest.mark.parametrize(("side", "pixel"), [(29, 10), (15, 10), (19, 2)])
def test_blocks_have_the_same_side_whatever_they_are_counted_in(compare, tmp_path, side, pixel):
    values = np.random.default_rng(1).random((100 // pixel, 100 // pixel))
    image = str(write_raster(tmp_path / "image.tif", values, pixel, EAST, NORTH + 100))
    count = int(np.ceil(100 / side)) ** 2
    for resolution in (0, pixel):
        done = compare(BLOCK_SIDE=side, RESOLUTION=resolution, IMAGE=image, WINDOW=1)
        assert done.ok, done.error
        assert set(done.table("SUMMARY")["blocks"]) == {count}
        assert set(done.table("IMAGE_TABLE")["n_blocks"]) == {count}


def test_too_many_blocks_on_the_image_are_told_in_metres_before_anything_is_made(compare, tmp_path):
    values = np.random.default_rng(1).random((220, 220))  # its pixels reach beyond the study area
    image = str(write_raster(tmp_path / "image.tif", values, 0.5, EAST - 0.25, NORTH + 100.25))
    assert compare(BLOCK_SIDE=1.1, IMAGE=image).ok
    assert shows(compare(BLOCK_SIDE=1, IMAGE=image).error, "blocks.too_many", side=1)


@pytest.mark.parametrize("resolution", [0, 2])
def test_blocks_larger_than_the_study_area_are_one_block(compare, image, resolution):
    done = compare(BLOCK_SIDE=1e6, RESOLUTION=resolution, IMAGE=image)
    assert done.ok, done.error
    assert set(done.table("SUMMARY")["blocks"]) == {1}
    assert set(done.table("IMAGE_TABLE")["n_blocks"]) == {1}


def test_windows_larger_than_the_image_and_more_draws_than_help_are_refused(compare, image):
    assert shows(
        compare(IMAGE=image, WINDOW=101).refused,
        "contrast.window_too_large",
        name="image",
        width=100,
        height=100,
    )
    assert compare(IMAGE=image, WINDOW=99).ok
    assert shows(compare(BOOTSTRAP_SAMPLES=1_000_000).refused, "number.above_maximum", most=100000)


def test_tiles_change_nothing_about_blocks(compare, monkeypatch):
    whole = compare(RESOLUTION=1, BLOCK_SIDE=30)
    monkeypatch.setattr(annotator_votes, "_TILE_SIDE", 7)
    monkeypatch.setattr(annotator_votes, "_MAX_RASTERIZED_AT_ONCE", 0)
    tiled = compare(RESOLUTION=1, BLOCK_SIDE=30)
    assert set(tiled.table("SUMMARY")["blocks"]) == {16}
    for output in ("SUMMARY", "AGREEMENT"):
        pd.testing.assert_frame_equal(tiled.table(output), whole.table(output))
