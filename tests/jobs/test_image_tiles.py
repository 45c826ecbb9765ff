"""The image behind a page to explore: each pixel of a tile shows its place in the image."""

from __future__ import annotations

import io
from pathlib import Path

import geopandas
import numpy as np
import pyproj
import shapely
from PIL import Image
from support.errors import raises
from support.geotiff import gradient, write_geotiff

import randcrowns as rc
from randcrowns.jobs.image_tiles import PagePlace, read_image_tiles
from randcrowns.jobs.sites import WorkingCrs
from randcrowns.report.explore.tiles import TILE_SIZE

UTM = WorkingCrs(pyproj.CRS("EPSG:32617"))
#: Origin of the page in UTM coordinates, and the bounds of its outlines.
ORIGIN = (404_000.0, 3_285_000.0)
BOUNDS = (10.0, 10.0, 50.0, 40.0)
#: Columns and rows, and the size of a pixel, of an image from the origin upwards and to the right.
SIZE, PIXEL = (600, 500), 0.1
#: Largest difference of a colour: 1 pixel of the gradient, and the compression.
TOLERANCE = 6


def colours_at(pyramid, points):
    """Colours (n, 3) of the finest tiles at points (n, 2) of the page."""
    zoom = max(tile.zoom for tile in pyramid.tiles)
    tiles = {(tile.column, tile.row): tile for tile in pyramid.tiles if tile.zoom == zoom}
    colours = []
    for x, y in points:
        column, row = x * 2.0**zoom, -y * 2.0**zoom
        tile = tiles[int(column // TILE_SIZE), int(row // TILE_SIZE)]
        pixels = np.asarray(Image.open(io.BytesIO(tile.data)))
        colours.append(pixels[int(row % TILE_SIZE), int(column % TILE_SIZE)])
    return np.array(colours, dtype=float)


def gradient_at(columns, rows):
    """Red and green of the gradient at columns and rows of the image."""
    return np.stack([255 * columns / SIZE[0], 255 * rows / SIZE[1]], axis=-1)


POINTS = np.array([[12.0, 12.0], [30.0, 25.0], [48.0, 38.0], [15.0, 35.0]])


def test_a_tile_shows_the_image_where_it_lies(tmp_path):
    corner = (ORIGIN[0], ORIGIN[1] + SIZE[1] * PIXEL)
    path = write_geotiff(tmp_path / "image.tif", corner, PIXEL, SIZE)
    pyramid = read_image_tiles(path, PagePlace(UTM, ORIGIN), BOUNDS)
    assert pyramid.mime_type == "image/jpeg"
    colours = colours_at(pyramid, POINTS)
    expected = gradient_at(POINTS[:, 0] / PIXEL, SIZE[1] - POINTS[:, 1] / PIXEL)
    assert np.abs(colours[:, :2] - expected).max() < TOLERANCE
    assert np.abs(colours[:, 2] - 100).max() < TOLERANCE


def test_the_ground_beyond_the_edge_of_an_image_is_masked(tmp_path):
    corner = (ORIGIN[0], ORIGIN[1] + SIZE[1] * PIXEL)
    path = write_geotiff(tmp_path / "image.tif", corner, PIXEL, SIZE)
    pyramid = read_image_tiles(path, PagePlace(UTM, ORIGIN), (-20.0, 10.0, 50.0, 40.0))
    outside = [tile.mask for tile in pyramid.tiles if tile.column < 0]
    assert outside
    for mask in outside:
        opacity = np.asarray(Image.open(io.BytesIO(mask)).convert("RGBA"))[:, :, 3]
        assert opacity.max() == 0
    # The finest level is not coarser than the image: 10 pixels per metre.
    assert max(tile.zoom for tile in pyramid.tiles) == 4


def test_an_image_in_degrees_lies_below_crowns_in_metres(tmp_path):
    to_degrees = pyproj.Transformer.from_crs("EPSG:32617", "EPSG:4326", always_xy=True)
    longitude, latitude = to_degrees.transform(ORIGIN[0], ORIGIN[1] + 55)
    degrees_per_pixel = 1e-6
    path = write_geotiff(
        tmp_path / "image.tif", (longitude, latitude), degrees_per_pixel, SIZE, epsg=4326
    )
    pyramid = read_image_tiles(path, PagePlace(UTM, ORIGIN), BOUNDS)
    x, y = to_degrees.transform(*(POINTS + ORIGIN).T)
    expected = gradient_at((x - longitude) / degrees_per_pixel, (latitude - y) / degrees_per_pixel)
    assert np.abs(colours_at(pyramid, POINTS)[:, :2] - expected).max() < TOLERANCE


def test_a_photo_without_a_georeference_lies_where_its_pixels_are_counted(tmp_path):
    """Rows of the image are counted downwards from y = 0, with 0.1 m on the ground per pixel."""
    path = tmp_path / "photo.png"
    Image.fromarray(gradient(*SIZE)).save(path)
    in_pixels = WorkingCrs(None, PIXEL, "m", in_pixels=True)
    pyramid = read_image_tiles(path, PagePlace(in_pixels), (10.0, -40.0, 50.0, -10.0))
    points = POINTS * [1, -1]
    expected = gradient_at(points[:, 0] / PIXEL, -points[:, 1] / PIXEL)
    assert np.abs(colours_at(pyramid, points)[:, :2] - expected).max() < TOLERANCE


def test_ground_beyond_the_image_is_white(tmp_path):
    corner = (ORIGIN[0], ORIGIN[1] + 20)
    path = write_geotiff(tmp_path / "image.tif", corner, PIXEL, SIZE)
    pyramid = read_image_tiles(path, PagePlace(UTM, ORIGIN), BOUNDS)
    inside, beyond = colours_at(pyramid, np.array([[30.0, 15.0], [30.0, 30.0]]))
    assert inside.max() < 200
    assert beyond.tolist() == [255, 255, 255]


def test_values_of_16_bits_are_stretched_and_transparent_pixels_are_white(tmp_path):
    corner = (ORIGIN[0], ORIGIN[1] + SIZE[1] * PIXEL)
    rising = np.tile(np.linspace(1000, 3000, SIZE[0]).astype(np.uint16), (SIZE[1], 1))
    path = write_geotiff(tmp_path / "deep.tif", corner, PIXEL, SIZE, pixels=rising)
    colours = colours_at(read_image_tiles(path, PagePlace(UTM, ORIGIN), BOUNDS), POINTS)
    # From 2 to 98 % of the width of 60 m.
    expected = 255 * (POINTS[:, 0] / 60 - 0.02) / 0.96
    assert np.abs(colours - expected[:, np.newaxis]).max() < TOLERANCE

    opacity = np.zeros((SIZE[1], SIZE[0], 1), np.uint8)
    clear = np.concatenate([gradient(*SIZE), opacity], axis=2)
    path = write_geotiff(tmp_path / "clear.tif", corner, PIXEL, SIZE, pixels=clear)
    colours = colours_at(read_image_tiles(path, PagePlace(UTM, ORIGIN), BOUNDS), POINTS)
    assert (colours == 255).all()


def test_a_large_extent_has_the_mean_of_many_pixels(tmp_path):
    """A chessboard of black and white pixels becomes grey where the tiles are coarser."""
    board = np.indices((SIZE[1], SIZE[0])).sum(axis=0) % 2
    pixels = np.repeat((255 * board).astype(np.uint8)[..., np.newaxis], 3, axis=2)
    path = write_geotiff(
        tmp_path / "board.tif", (ORIGIN[0], ORIGIN[1] + 5), 0.01, SIZE, pixels=pixels
    )
    # The lowest zoom level has 8 pixels of the image per pixel.
    pyramid = read_image_tiles(path, PagePlace(UTM, ORIGIN), (0.0, -35.0, 40.0, 5.0))
    lowest = min(tile.zoom for tile in pyramid.tiles)
    tiles = [tile for tile in pyramid.tiles if tile.zoom == lowest]
    values = np.concatenate([np.asarray(Image.open(io.BytesIO(tile.data))) for tile in tiles])
    is_grey = (values > 110) & (values < 145)
    is_white = values > 240
    assert (is_grey | is_white).mean() > 0.95
    assert is_grey.sum() > 1000


def test_images_that_cannot_be_used_are_refused(tmp_path, monkeypatch):
    corner = (ORIGIN[0], ORIGIN[1] + SIZE[1] * PIXEL)
    place = PagePlace(UTM, ORIGIN)
    path = write_geotiff(tmp_path / "image.tif", corner, PIXEL, SIZE, epsg=0)
    with raises("explore.image_without_crs", file="image.tif"):
        read_image_tiles(path, place, BOUNDS)
    path = write_geotiff(tmp_path / "far.tif", (ORIGIN[0] + 1000, ORIGIN[1]), PIXEL, SIZE)
    with raises("explore.image_elsewhere", file="far.tif"):
        read_image_tiles(path, place, BOUNDS)
    (tmp_path / "text.tif").write_text("no image")
    with raises("explore.unreadable_image", file="text.tif"):
        read_image_tiles(tmp_path / "text.tif", place, BOUNDS)
    with raises("explore.unreadable_image", file="absent.tif"):
        read_image_tiles(tmp_path / "absent.tif", place, BOUNDS)
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 1000)
    with raises("explore.large_image", file="far.tif"):
        read_image_tiles(path, place, BOUNDS)


def test_a_page_of_a_result_has_the_image(tmp_path: Path):
    trees = geopandas.GeoDataFrame(
        geometry=[shapely.box(x, y, x + 5, y + 5) for x, y in POINTS + ORIGIN], crs="EPSG:32617"
    )
    image = write_geotiff(tmp_path / "image.tif", (ORIGIN[0], ORIGIN[1] + 50), PIXEL, SIZE)
    result = rc.score(trees, {"boxes": trees})
    result.explore(tmp_path / "with.html", image)
    result.explore(tmp_path / "without.html")
    assert (tmp_path / "with.html").stat().st_size > (tmp_path / "without.html").stat().st_size
