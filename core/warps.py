"""Warped copies of drawings: validation targets made from a single annotator (Stewart et al. 2021, left there as future
work), and copies that are wrong on purpose."""

from __future__ import annotations

import numpy as np
import shapely
from numpy.typing import NDArray

from randcrowns.core.crowns import Crowns
from randcrowns.core.errors import InputError
from randcrowns.core.offsets import is_box

__all__ = ["resized", "shifted", "warped_annotators"]

Floats = NDArray[np.float64]
Polygons = NDArray[np.object_]

#: Scale factors stay within this and its inverse.
_MOST_SCALE = 3.0


def warped_annotators(
    drawing: Crowns,
    number: int = 3,
    *,
    scale: float = 0.1,
    rotation: float = 10.0,
    translation: float = 0.4,
    seed: int = 0,
) -> list[Crowns]:
    """Simulated annotators, each of whom draws every crown of one drawing again, a little differently.

    Every crown is stretched along x and along y, turned about its centroid and moved, each by a normal deviate of
    its own. Axis-aligned boxes are not turned: whoever draws boxes keeps to the sides of the image.

    Args:
        drawing: the one annotator's crowns.
        number: how many copies of the whole drawing to make.
        scale: standard deviation of the logarithm of the two scale factors: 0.1 is about 10 %.
        rotation: standard deviation of the angle, degrees.
        translation: standard deviation of the movement along x and along y, metres.
        seed: of the random numbers: the same seed gives the same copies.

    Returns:
        One :class:`randcrowns.core.crowns.Crowns` per copy, with the ids and groups of the drawing.

    Raises:
        InputError: for a negative or endless amount, or a number of copies below 1.
    """
    if int(number) != number or number < 1:
        raise InputError(f"The number of warped copies must be a whole number of at least 1, not {number}.")
    amounts = {"scale": scale, "rotation": rotation, "translation": translation}
    for name, amount in amounts.items():
        if not (np.isfinite(amount) and amount >= 0):
            raise InputError(f"The {name} of warped copies must be a number of at least 0, not {amount}.")
    n = len(drawing)
    boxes = is_box(drawing.geometry)
    rng = np.random.default_rng(seed)
    copies = []
    for copy in range(1, int(number) + 1):
        limit = np.log(_MOST_SCALE)
        factors = np.exp(np.clip(rng.normal(0, scale, (n, 2)), -limit, limit))
        angle = np.where(boxes, 0.0, np.radians(rng.normal(0, rotation, n)))
        warped = _warped(drawing.geometry, factors, angle, rng.normal(0, translation, (n, 2)))
        copies.append(Crowns(warped, drawing.ids, drawing.groups, f"{drawing.name}, warp {copy}", drawing.crs))
    return copies


def shifted(polygons: Polygons, movement: Floats) -> Polygons:
    """The polygons moved by (n, 2) metres along x and y."""
    n = len(polygons)
    return _warped(polygons, np.ones((n, 2)), np.zeros(n), movement)


def resized(polygons: Polygons, factor: float) -> Polygons:
    """The polygons with all lengths multiplied by ``factor``, about their centroids."""
    n = len(polygons)
    return _warped(polygons, np.full((n, 2), factor), np.zeros(n), np.zeros((n, 2)))


def _warped(polygons: Polygons, factors: Floats, angle: Floats, movement: Floats) -> Polygons:
    """Scaled by (n, 2) factors, turned by (n,) radians about the centroid, moved by (n, 2) metres."""
    if len(polygons) == 0:
        return np.empty(0, dtype=object)
    centre = shapely.get_coordinates(shapely.centroid(polygons))
    coordinates, row = shapely.get_coordinates(polygons, return_index=True)
    x, y = ((coordinates - centre[row]) * factors[row]).T
    cosine, sine = np.cos(angle)[row], np.sin(angle)[row]
    turned = np.column_stack([cosine * x - sine * y, sine * x + cosine * y])
    return np.asarray(shapely.set_coordinates(polygons.copy(), turned + (centre + movement)[row]), dtype=object)
