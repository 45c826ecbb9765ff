"""Trees of the sample plot: their positions, sizes, outlines and visible parts."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np
import shapely

from randcrowns.core.arrays import Bools, Floats, Ints, Objects

#: Width of the forest around the plot, m; its crowns and shadows reach into the plot.
MARGIN = 6.0

# Precision of coordinates, m.
_PRECISION = 0.01
# Number of vertices of an outline.
_VERTICES = 72
# Candidate positions per tree.
_CANDIDATES = 300
_SHIPPED_PARAMETERS = Path(__file__).with_name("parameters.json")


class Trees(NamedTuple):
    """Trees in and around the plot, tallest first; coordinates from its lower left corner."""

    x: Floats  #: (n,) east coordinate of the stem, m.
    y: Floats  #: (n,) north coordinate of the stem, m.
    height: Floats  #: (n,) height, m.
    radius: Floats  #: (n, 72) distance of the outline from the stem at equally spaced angles, m.
    conifer: Bools  #: (n,) True for conifers.
    outline: Objects  #: (n,) polygons of the whole crowns.
    visible: Objects  #: (n,) polygons of the parts not covered by taller trees; may be empty.


def grow_trees(rng: np.random.Generator, parameters: SampleParameters) -> Trees:
    """Return trees in and around the plot, dense on one side and sparse on the other.

    Args:
        rng: source of random numbers.
        parameters: size of the plot, density and crown areas.

    >>> trees = grow_trees(np.random.default_rng(0), read_parameters({"size": 4.0}))
    >>> trees.radius.shape[1], bool((np.diff(trees.height) <= 0).all())
    (72, True)
    """
    side = parameters.size + 2 * MARGIN
    n_trees = max(1, round(parameters.crowns_per_hectare * side**2 / 1e4))
    # Mean and variance of the logarithm of a log-normal distribution of crown areas.
    log_variance = math.log1p((parameters.crown_area_sd / parameters.crown_area_mean) ** 2)
    log_mean = math.log(parameters.crown_area_mean) - log_variance / 2
    area = np.sort(np.exp(rng.normal(log_mean, math.sqrt(log_variance), n_trees)))[::-1]
    stems = _place_stems(rng, np.sqrt(area / np.pi), side)
    area = area[stems.tree]
    x = stems.x - MARGIN
    y = stems.y - MARGIN

    n_trees = len(area)
    conifer = rng.random(n_trees) < 0.4
    height = 3.0 + 2.1 * np.sqrt(area) * np.exp(rng.normal(0, 0.12, n_trees)) ** 0.5
    height = np.where(conifer, height * 1.1, height) * 0.62
    order = np.argsort(-height, kind="stable")
    x = x[order]
    y = y[order]
    area = area[order]
    height = height[order]
    conifer = conifer[order]

    radius = _outline_radius(rng, area, conifer)
    angle = np.linspace(0, 2 * np.pi, _VERTICES, endpoint=False)
    rings = np.stack(
        [x[:, None] + radius * np.cos(angle), y[:, None] + radius * np.sin(angle)], axis=-1
    )
    outline = shapely.set_precision(shapely.polygons(rings), _PRECISION)
    return Trees(x, y, height, radius, conifer, outline, _visible_parts(outline))


class _Stems(NamedTuple):
    """Positions of the trees for which there was room."""

    x: Floats  #: (n,) m from the left border of the forest.
    y: Floats  #: (n,) m from the lower border of the forest.
    tree: Ints  #: (n,) number of the tree.


def _place_stems(rng: np.random.Generator, radius: Floats, side: float) -> _Stems:
    """Find positions for trees one after the other, closer together on the dense side.

    Args:
        rng: source of random numbers.
        radius: radii of the crowns, m, largest first.
        side: side of the forest, m.
    """
    x = np.empty(0)
    y = np.empty(0)
    placed = np.empty(0, dtype=np.intp)
    direction = rng.uniform(0, 2 * np.pi)
    for tree, own_radius in enumerate(radius):
        candidates = rng.uniform(0, side, (_CANDIDATES, 2))
        chance = rng.random(_CANDIDATES)
        unit_vector = [math.cos(direction), math.sin(direction)]
        # 0 on the dense side of the forest, 1 on the sparse side.
        sparseness = ((candidates - side / 2) @ unit_vector) / side + 0.5
        density = np.clip(1.35 - 1.4 * sparseness, 0.08, 1.0)
        distance = np.hypot(candidates[:, :1] - x, candidates[:, 1:] - y)
        # Minimum distance of two stems, as a share of the sum of their radii.
        min_share = 0.98 - 0.30 * density[:, None]
        has_room = (distance >= min_share * (own_radius + radius[placed])).all(axis=1)
        fits = has_room & (chance < density)
        if fits.any():
            position = candidates[np.argmax(fits)]
            x = np.append(x, position[0])
            y = np.append(y, position[1])
            placed = np.append(placed, tree)
    return _Stems(x, y, placed)


def _outline_radius(rng: np.random.Generator, area: Floats, conifer: Bools) -> Floats:
    """Return the radii of lobed outlines; those of conifers are rounder.

    Args:
        rng: source of random numbers.
        area: (n,) areas of the crowns, m².
        conifer: (n,) True for conifers.

    Returns:
        (n, 72) radius at each angle, m.
    """
    order = np.arange(2, 10)
    amplitude = rng.normal(0, 0.16, (len(area), len(order))) / (order - 0.8)
    amplitude[conifer] *= 0.5
    phase = rng.uniform(0, 2 * np.pi, amplitude.shape)
    angle = np.linspace(0, 2 * np.pi, _VERTICES, endpoint=False)
    waves = np.cos(order[:, None] * angle + phase[..., None])
    lobes = (amplitude[..., None] * waves).sum(axis=1)
    radius = np.clip(1 + lobes, 0.5, 1.6)
    step = 2 * np.pi / _VERTICES
    unit_area = 0.5 * math.sin(step) * (radius * np.roll(radius, 1, axis=1)).sum(axis=1)
    return cast("Floats", radius * np.sqrt(area / unit_area)[:, None])


def _visible_parts(outline: Objects) -> Objects:
    """Return the largest part of each crown that no taller crown covers.

    Args:
        outline: (n,) polygons of crowns, tallest first.

    Returns:
        (n,) polygons; empty if less than 35 % of the crown is visible in one part.
    """
    visible = np.empty(len(outline), dtype=object)
    for index in range(len(outline)):
        taller = outline[:index]
        covering = taller[shapely.intersects(taller, outline[index])]
        rest = shapely.difference(outline[index], shapely.union_all(covering), grid_size=_PRECISION)
        parts = shapely.get_parts(rest)
        largest = parts[np.argmax(shapely.area(parts))] if len(parts) else shapely.Polygon()
        is_hidden = shapely.area(largest) < 0.35 * shapely.area(outline[index])
        visible[index] = shapely.Polygon() if is_hidden else largest
    return visible


@dataclass(frozen=True)
class Labeler:
    """Drawing habits of a person or detector.

    Attributes:
        name: name of the layer, without spaces.
        polygons: True to draw outlines of whole crowns (in the field), False for bounding boxes of
            the crowns visible in the image.
        scores: True to give every drawing a score from 0 to 1.
        grow: distance by which every side is drawn too far outwards, m; below 0 for too tight.
        noise: standard deviation of the error of one side, m.
        shift: constant displacement, m east and m north.
        shift_sd: standard deviation of the displacement of one crown, m, as by a handheld receiver.
        miss: share of crowns that are missed; small ones are missed more often.
        split: share of large crowns that are drawn as two.
        merge: share of crowns that are drawn together with the nearest neighbour.
        false_positives: number of drawings where there is no crown.
        wrong_conifers: share of conifers that a detector takes as broadleaves.
        wrong_broadleaves: share of broadleaves that a detector takes as conifers.
    """

    name: str
    polygons: bool = False
    scores: bool = False
    grow: float = 0.0
    noise: float = 0.0
    shift: tuple[float, float] = (0.0, 0.0)
    shift_sd: float = 0.0
    miss: float = 0.0
    split: float = 0.0
    merge: float = 0.0
    false_positives: int = 0
    wrong_conifers: float = 0.0
    wrong_broadleaves: float = 0.0


@dataclass(frozen=True)
class SampleParameters:
    """Parameters of a sample plot; ``parameters.json`` holds those of the shipped plot.

    Attributes:
        crs: coordinate reference system in metres.
        upper_left: east and north coordinate of the plot's upper left corner, m.
        size: side of the square plot, m.
        pixel: side of an image pixel, m.
        crowns_per_hectare: density of trees, including those hidden below others.
        crown_area_mean: mean area of the whole crowns, including covered parts, m².
        crown_area_sd: standard deviation of that area, m².
        sun_azimuth: direction of the sun, degrees clockwise from north.
        sun_elevation: height of the sun, degrees above the horizon.
        labelers: people and detectors who draw the crowns.
    """

    crs: str
    upper_left: tuple[float, float]
    size: float
    pixel: float
    crowns_per_hectare: float
    crown_area_mean: float
    crown_area_sd: float
    sun_azimuth: float
    sun_elevation: float
    labelers: tuple[Labeler, ...]


def read_parameters(values: Mapping[str, Any] | None = None) -> SampleParameters:
    """Read the parameters of the shipped plot and replace some of them.

    Args:
        values: parameters that replace shipped ones, by name; ``labelers`` is a list of dicts with
            the attributes of :class:`Labeler`.

    >>> read_parameters({"size": 20.0}).size
    20.0
    """
    parameters = json.loads(_SHIPPED_PARAMETERS.read_text(encoding="utf-8"))
    parameters.update(values or {})
    parameters["upper_left"] = tuple(parameters["upper_left"])
    parameters["labelers"] = tuple(Labeler(**habits) for habits in parameters["labelers"])
    return SampleParameters(**parameters)
