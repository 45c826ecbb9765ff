"""Made-up layers of crowns for the benchmarks, the same for the same seed."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import shapely
from scipy.ndimage import gaussian_filter

from randcrowns.core.arrays import Floats, Ints, Objects

__all__ = [
    "Scene",
    "along_pixels",
    "boxes_of",
    "crown_scene",
    "frayed",
    "many",
    "pixel_edged",
    "smooth",
]

_ORIGIN = np.array([404_000.0, 3_285_000.0])
_SPACING = 6.5
#: Metres by which a frayed outline typically lies off.
_UNSURE = 0.25


class Scene(NamedTuple):
    """Targets, other annotators' delineations, and the rows of all pairs that overlap."""

    targets: Objects
    delineations: Objects
    target: Ints
    delineation: Ints


def crown_scene(side: int = 100, annotators: int = 3, vertices: int = 32, seed: int = 1) -> Scene:
    """``side``² targets on an uneven grid in a closed forest, each drawn again by every annotator."""
    rng = np.random.default_rng(seed)
    grid = np.stack(np.meshgrid(np.arange(side), np.arange(side)), axis=-1).reshape(-1, 2)
    centre = _ORIGIN + _SPACING * grid + rng.normal(0, 0.5, (side**2, 2))
    radius = rng.uniform(2.5, 4.5, side**2)
    targets = _outlines(rng, centre, radius, vertices)
    delineations = np.concatenate(
        [
            _outlines(
                rng,
                centre + rng.normal(0, 0.4, centre.shape),
                radius * rng.normal(1, 0.08, side**2),
                vertices,
            )
            for _ in range(annotators)
        ]
    )
    return _with_pairs(targets, delineations)


def boxes_of(scene: Scene) -> Scene:
    """The bounding boxes of a scene's crowns, with about as many overlapping pairs."""
    shrink = 0.11  # boxes are wider than crowns: without it more of them would overlap
    sides = [shapely.bounds(crowns) for crowns in (scene.targets, scene.delineations)]
    boxes = []
    for bounds in sides:
        inward = shrink * (bounds[:, 2:] - bounds[:, :2]) / 2
        boxes.append(shapely.box(*np.hstack([bounds[:, :2] + inward, bounds[:, 2:] - inward]).T))
    return _with_pairs(*boxes)


def along_pixels(crowns: Objects, pixel: float) -> Objects:
    """Crowns outlined along the edges of pixels of that many metres, without holes."""
    found = np.empty(len(crowns), dtype=object)
    for place, crown in enumerate(shapely.transform(crowns, lambda xy: xy / pixel)):
        west, south, east, north = np.rint(shapely.bounds(crown)).astype(int)
        column, row = np.meshgrid(np.arange(west - 1, east + 1), np.arange(south - 1, north + 1))
        inside = shapely.contains_xy(crown, column + 0.5, row + 0.5)
        pixels = shapely.box(column[inside], row[inside], column[inside] + 1, row[inside] + 1)
        largest = max(shapely.get_parts(shapely.coverage_union_all(pixels)), key=shapely.area)
        found[place] = shapely.simplify(shapely.polygons(shapely.get_exterior_ring(largest)), 0)
    return shapely.transform(found, lambda cells: cells * pixel)


def frayed(crowns: Objects, pixel: float, seed: int = 0) -> Objects:
    """Crowns near the origin as an unsure model has them: frayed along pixels, with holes, and with specks around."""
    rng, found = np.random.default_rng(seed), np.empty(len(crowns), dtype=object)
    for place, crown in enumerate(crowns):
        west, south, east, north = np.rint(shapely.bounds(crown) / pixel).astype(int)
        column, row = np.meshgrid(np.arange(west - 9, east + 9), np.arange(south - 9, north + 9))
        middles = shapely.points((column + 0.5) * pixel, (row + 0.5) * pixel)
        within = np.where(shapely.contains(crown, middles), 1, -1) * shapely.distance(
            crown.boundary, middles
        )
        unsure = gaussian_filter(rng.standard_normal(within.shape), 1.5)
        inside = within > _UNSURE * unsure / unsure.std()
        corners = column[inside] * pixel, row[inside] * pixel
        pixels = shapely.box(*corners, *((number[inside] + 1) * pixel for number in (column, row)))
        found[place] = shapely.union_all(pixels)
    return found


def pixel_edged(crowns: Objects, pixel: float) -> Objects:
    """Crowns outlined along pixels where they stand: made near the origin, moved by whole pixels."""
    corner = np.floor(shapely.bounds(crowns)[:, :2] / pixel)
    near = _moved(crowns, -corner * pixel)
    return _moved(along_pixels(near, pixel), corner * pixel)


def smooth(crowns: Objects, vertices: int = 500) -> Objects:
    """Crowns with rounded corners and about that many vertices."""
    rounded = shapely.buffer(shapely.buffer(crowns, -0.5, quad_segs=16), 0.5, quad_segs=16)
    return shapely.segmentize(rounded, shapely.length(rounded) / (0.8 * vertices))


def many(shape: Callable[[Objects], Objects], number: int, side: int = 30) -> Scene:
    """As many targets, each drawn once more: ``side``² crowns so shaped, and copies of all of them."""
    block = crown_scene(side=side, annotators=1)
    apart = _SPACING * (side + 2)
    copies = np.arange(-(-number // len(block.targets)))
    across = int(np.ceil(np.sqrt(len(copies))))
    by = apart * np.column_stack([copies % across, copies // across])
    layers = [
        np.concatenate([shapely.transform(shaped, lambda xy, to=to: xy + to) for to in by])[:number]
        for shaped in (shape(block.targets), shape(block.delineations))
    ]
    return _with_pairs(*layers)


def _moved(polygons: Objects, by: Floats) -> Objects:
    """Each polygon moved by its own (n, 2) metres."""
    coordinates, owner = shapely.get_coordinates(polygons, return_index=True)
    return shapely.set_coordinates(polygons.copy(), coordinates + by[owner])


def _with_pairs(targets: Objects, delineations: Objects) -> Scene:
    delineation, target = shapely.STRtree(targets).query(delineations, predicate="intersects")
    return Scene(targets, delineations, target, delineation)


def _outlines(rng: np.random.Generator, centre: Floats, radius: Floats, vertices: int) -> Objects:
    """Wavy star-shaped polygons."""
    angle = np.linspace(0, 2 * np.pi, vertices, endpoint=False)
    phase = rng.uniform(0, 2 * np.pi, (2, len(centre), 1))
    wave = 0.12 * np.sin(2 * angle + phase[0]) + 0.08 * np.sin(5 * angle + phase[1])
    reach = radius[:, None] * (1 + wave + 0.03 * rng.standard_normal((len(centre), vertices)))
    return shapely.polygons(
        centre[:, None] + np.stack([reach * np.cos(angle), reach * np.sin(angle)], axis=-1)
    )
