"""Simulated layers of crowns for the benchmarks; the same seed gives the same scene."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import shapely
from scipy.ndimage import gaussian_filter

from randcrowns.core.arrays import Floats, Ints, Objects

__all__ = [
    "Scene",
    "bounding_box_scene",
    "forest_scene",
    "frayed_outlines",
    "pixel_outlines",
    "pixel_outlines_in_place",
    "small_pixel_outlines",
    "smooth_outlines",
    "tiled_scene",
]

#: Lower left corner of every scene, m.
_ORIGIN = np.array([404_000.0, 3_285_000.0])
#: Mean distance between neighbouring crowns, m.
_SPACING = 6.5
#: Standard deviation of the position of a frayed outline, m.
_EDGE_DEVIATION = 0.25


class Scene(NamedTuple):
    """Targets, delineations and all overlapping pairs.

    Attributes:
        targets: (m,) polygons.
        delineations: (k,) polygons of all annotators, one annotator after another.
        pair_target: (n,) row of each pair's target.
        pair_delineation: (n,) row of each pair's delineation.
    """

    targets: Objects
    delineations: Objects
    pair_target: Ints
    pair_delineation: Ints


def forest_scene(side: int = 100, annotators: int = 3, vertices: int = 32, seed: int = 1) -> Scene:
    """Return a closed forest on an uneven grid, in which every annotator draws every target.

    Args:
        side: number of targets along each side of the grid.
        annotators: number of annotators besides that of the targets.
        vertices: vertices of each crown.
        seed: seed of the simulation.
    """
    rng = np.random.default_rng(seed)
    grid = np.stack(np.meshgrid(np.arange(side), np.arange(side)), axis=-1).reshape(-1, 2)
    centre = _ORIGIN + _SPACING * grid + rng.normal(0, 0.5, (side**2, 2))
    radius = rng.uniform(2.5, 4.5, side**2)
    targets = _star_polygons(rng, centre, radius, vertices)

    layers = []
    for _ in range(annotators):
        drawn_centre = centre + rng.normal(0, 0.4, centre.shape)
        drawn_radius = radius * rng.normal(1, 0.08, side**2)
        layers.append(_star_polygons(rng, drawn_centre, drawn_radius, vertices))
    return _with_pairs(targets, np.concatenate(layers))


def bounding_box_scene(scene: Scene) -> Scene:
    """Return the scene of slightly reduced bounding boxes of a scene's crowns.

    Boxes are wider than crowns. The reduction keeps the number of overlapping pairs about equal.
    """
    shrink = 0.11
    layers = []
    for crowns in (scene.targets, scene.delineations):
        bounds = shapely.bounds(crowns)
        inward = shrink * (bounds[:, 2:] - bounds[:, :2]) / 2
        layers.append(shapely.box(*np.hstack([bounds[:, :2] + inward, bounds[:, 2:] - inward]).T))
    return _with_pairs(*layers)


def pixel_outlines(crowns: Objects, pixel: float) -> Objects:
    """Return crowns whose outlines follow the edges of pixels, without holes.

    Args:
        crowns: (n,) polygons.
        pixel: size of a pixel, m.
    """
    outlines = np.empty(len(crowns), dtype=object)
    for index, crown in enumerate(shapely.transform(crowns, lambda xy: xy / pixel)):
        west, south, east, north = np.rint(shapely.bounds(crown)).astype(int)
        column, row = np.meshgrid(np.arange(west - 1, east + 1), np.arange(south - 1, north + 1))
        inside = shapely.contains_xy(crown, column + 0.5, row + 0.5)
        pixels = shapely.box(column[inside], row[inside], column[inside] + 1, row[inside] + 1)
        largest = max(shapely.get_parts(shapely.coverage_union_all(pixels)), key=shapely.area)
        exterior = shapely.polygons(shapely.get_exterior_ring(largest))
        outlines[index] = shapely.simplify(exterior, 0)
    return shapely.transform(outlines, lambda cells: cells * pixel)


def frayed_outlines(crowns: Objects, pixel: float, seed: int = 0) -> Objects:
    """Return crowns as an uncertain model draws them: frayed along pixels, with holes and specks.

    Args:
        crowns: (n,) polygons near the origin.
        pixel: size of a pixel, m.
        seed: seed of the simulation.
    """
    rng = np.random.default_rng(seed)
    outlines = np.empty(len(crowns), dtype=object)
    for index, crown in enumerate(crowns):
        west, south, east, north = np.rint(shapely.bounds(crown) / pixel).astype(int)
        column, row = np.meshgrid(np.arange(west - 9, east + 9), np.arange(south - 9, north + 9))
        centres = shapely.points((column + 0.5) * pixel, (row + 0.5) * pixel)
        sign = np.where(shapely.contains(crown, centres), 1, -1)
        depth = sign * shapely.distance(crown.boundary, centres)
        noise = gaussian_filter(rng.standard_normal(depth.shape), 1.5)
        inside = depth > _EDGE_DEVIATION * noise / noise.std()
        pixels = shapely.box(
            column[inside] * pixel,
            row[inside] * pixel,
            (column[inside] + 1) * pixel,
            (row[inside] + 1) * pixel,
        )
        outlines[index] = shapely.union_all(pixels)
    return outlines


def small_pixel_outlines(number: int, seed: int = 0) -> Objects:
    """Return small outlines along pixels with deep bays and narrow necks, around the origin.

    Args:
        number: number of outlines.
        seed: seed of the simulation.

    Returns:
        (number,) valid polygons of one ring, up to 14 pixels wide; pixels of 0.1 to 0.5 m.
    """
    rng = np.random.default_rng(seed)
    column, row = np.meshgrid(np.arange(14), np.arange(14))
    to_middle = np.hypot(column - 6.5, row - 6.5)
    outlines = np.empty(number, dtype=object)
    for index in range(number):
        noise = gaussian_filter(rng.standard_normal(to_middle.shape), rng.uniform(0.6, 1.5))
        inside = to_middle + 3 * noise / noise.std() < rng.uniform(4, 7)
        inside[6:8, 6:8] = True
        pixels = shapely.box(column[inside], row[inside], column[inside] + 1, row[inside] + 1)
        # The union of a coverage is not valid where pixels of one part meet in a corner.
        united = shapely.make_valid(shapely.coverage_union_all(pixels))
        largest = max(shapely.get_parts(united), key=shapely.area)
        exterior = shapely.polygons(shapely.get_exterior_ring(largest))
        size = rng.choice([0.1, 0.2, 0.3, 0.5])
        outlines[index] = shapely.transform(
            shapely.simplify(exterior, 0), lambda cells, size=size: (cells - 7) * size
        )
    return outlines


def pixel_outlines_in_place(crowns: Objects, pixel: float) -> Objects:
    """Return crowns at any place with outlines along pixels, see :func:`pixel_outlines`.

    The outlines are made near the origin, where coordinates are precise, and moved back by whole
    pixels.
    """
    corner = np.floor(shapely.bounds(crowns)[:, :2] / pixel)
    near_origin = _translate(crowns, -corner * pixel)
    return _translate(pixel_outlines(near_origin, pixel), corner * pixel)


def smooth_outlines(crowns: Objects, vertices: int = 500) -> Objects:
    """Return crowns with rounded corners and about that many vertices."""
    rounded = shapely.buffer(shapely.buffer(crowns, -0.5, quad_segs=16), 0.5, quad_segs=16)
    return shapely.segmentize(rounded, shapely.length(rounded) / (0.8 * vertices))


def tiled_scene(shape: Callable[[Objects], Objects], number: int, side: int = 30) -> Scene:
    """Return a large scene with one annotator, made of copies of a small one.

    Args:
        shape: changes the outlines of the small scene, as :func:`smooth` does.
        number: number of targets.
        side: number of targets along each side of the small scene.
    """
    block = forest_scene(side=side, annotators=1)
    block_size = _SPACING * (side + 2)
    copies = np.arange(-(-number // len(block.targets)))
    n_columns = int(np.ceil(np.sqrt(len(copies))))
    offsets = block_size * np.column_stack([copies % n_columns, copies // n_columns])

    layers = []
    for crowns in (shape(block.targets), shape(block.delineations)):
        blocks = [shapely.transform(crowns, lambda xy, by=offset: xy + by) for offset in offsets]
        layers.append(np.concatenate(blocks)[:number])
    return _with_pairs(*layers)


def _translate(polygons: Objects, offsets: Floats) -> Objects:
    """Return (n,) polygons, each moved by its own offset of (n, 2) metres."""
    coordinates, owner = shapely.get_coordinates(polygons, return_index=True)
    return shapely.set_coordinates(polygons.copy(), coordinates + offsets[owner])


def _with_pairs(targets: Objects, delineations: Objects) -> Scene:
    delineation, target = shapely.STRtree(targets).query(delineations, predicate="intersects")
    return Scene(targets, delineations, target, delineation)


def _star_polygons(
    rng: np.random.Generator, centre: Floats, radius: Floats, vertices: int
) -> Objects:
    """Return (n,) wavy star-shaped polygons around (n, 2) centres with (n,) mean radii."""
    angle = np.linspace(0, 2 * np.pi, vertices, endpoint=False)
    phase = rng.uniform(0, 2 * np.pi, (2, len(centre), 1))
    wave = 0.12 * np.sin(2 * angle + phase[0]) + 0.08 * np.sin(5 * angle + phase[1])
    noise = 0.03 * rng.standard_normal((len(centre), vertices))
    distance = radius[:, None] * (1 + wave + noise)
    offsets = np.stack([distance * np.cos(angle), distance * np.sin(angle)], axis=-1)
    return shapely.polygons(centre[:, None] + offsets)
