"""A simulated plot put together."""

from __future__ import annotations

import numbers
from typing import NamedTuple, cast

import numpy as np
import shapely

from randcrowns.core.arrays import Bools, Floats, Ints, Objects
from randcrowns.core.errors import InputError
from randcrowns.core.sample.image import render
from randcrowns.core.sample.trees import Labeler, SampleParameters, grow_trees, read_parameters

#: The plot shown when nobody asks for another.
DEFAULT_SEED = 2


class SamplePlot(NamedTuple):
    """A simulated plot; geometries are in the coordinate system ``parameters.crs``.

    Attributes:
        name: says that the plot is simulated, and from which seed.
        seed: what it was made from.
        parameters: what else it was made from.
        image: (rows, columns, 3) uint8, red, green, blue, northern row first.
        crowns: (n,) true crowns as far as they can be seen from above and lie in the plot.
        height: (n,) height of each of these trees (m).
        conifer: (n,) bool.
        drawings: one per labeler, by name.
    """

    name: str
    seed: int
    parameters: SampleParameters
    image: Ints
    crowns: Objects
    height: Floats
    conifer: Bools
    drawings: dict[str, Drawing]


def make_plot(seed: int = DEFAULT_SEED, parameters: SampleParameters | None = None) -> SamplePlot:
    """Make the plot of a seed: the same seed and parameters always give the same plot.

    Args:
        seed: a whole number from 0.
        parameters: what to make; the shipped ones by default.

    Raises:
        InputError: the seed is not a whole number from 0.
    """
    if isinstance(seed, bool) or not isinstance(seed, numbers.Integral) or seed < 0:
        raise InputError(
            "The sample plot's seed is {seed}; give a whole number from 0.", seed=repr(seed)
        )
    seed = int(seed)
    parameters = read_parameters() if parameters is None else parameters
    trees = grow_trees(np.random.default_rng([seed, 0]), parameters)
    plot_area = shapely.box(0, 0, parameters.size, parameters.size)
    crowns = shapely.intersection(trees.visible, plot_area)
    # A crown belongs to the plot when most of what can be seen of it lies inside.
    counted = (shapely.area(crowns) > 0.5 * shapely.area(trees.visible)) & (
        shapely.area(crowns) >= 4.0
    )
    drawings = {}
    for number, labeler in enumerate(parameters.labelers):
        seen = (
            shapely.intersection(trees.outline[counted], plot_area)
            if labeler.polygons
            else crowns[counted]
        )
        drawn = draw(np.random.default_rng([seed, 2 + number]), labeler, seen, plot_area)
        drawings[labeler.name] = drawn._replace(geometry=_placed(drawn.geometry, parameters))
    return SamplePlot(
        name=f"simulated plot, seed {seed}",
        seed=seed,
        parameters=parameters,
        image=render(np.random.default_rng([seed, 1]), trees, parameters),
        crowns=_placed(crowns[counted], parameters),
        height=np.round(trees.height[counted], 1),
        conifer=trees.conifer[counted],
        drawings=drawings,
    )


def _placed(geometry: Objects, parameters: SampleParameters) -> Objects:
    """Plot coordinates to those of the coordinate system, to the centimetre."""
    corner = np.array([parameters.upper_left[0], parameters.upper_left[1] - parameters.size])
    return np.asarray(
        shapely.transform(geometry, lambda xy: np.round(xy + corner, 2)), dtype=object
    )


_DETAIL = 0.01  # m
_LARGE = 35.0  # m², crowns of this size or more may be taken for two
_NEAR = 7.0  # m, crowns with their middles within it may be taken for one


class Drawing(NamedTuple):
    """One layer: ``geometry`` (n,) polygons, ``score`` (n,) from 0 to 1, or None for people."""

    geometry: Objects
    score: Floats | None


def draw(
    rng: np.random.Generator, labeler: Labeler, crowns: Objects, plot_area: shapely.Polygon
) -> Drawing:
    """What one labeler draws within the plot of the (n,) crowns they look at, in an order of their own."""
    seen = crowns[_noticed(rng, labeler, crowns)]
    if labeler.polygons:
        drawn = _outlines(rng, labeler, seen)
    else:
        sides = _split(rng, labeler, _merged(rng, labeler, seen))
        sides = np.vstack(
            [
                sides + _side_errors(rng, labeler, len(sides)),
                _imagined(rng, labeler, crowns, plot_area),
            ]
        )
        corners = np.sort(sides.reshape(-1, 2, 2), axis=1)
        drawn = np.asarray(shapely.box(*corners.reshape(-1, 4).T), dtype=object)
    drawn = np.asarray(shapely.intersection(drawn, plot_area, grid_size=_DETAIL), dtype=object)
    drawn = drawn[rng.permutation(len(drawn))]
    drawn = drawn[
        (shapely.area(drawn) >= 0.5) & (shapely.get_type_id(drawn) == shapely.GeometryType.POLYGON)
    ]
    return Drawing(drawn, _scores(rng, drawn, crowns) if labeler.scores else None)


def _noticed(rng: np.random.Generator, labeler: Labeler, crowns: Objects) -> Bools:
    area = shapely.area(crowns)
    chance = (
        labeler.miss * np.clip(np.median(area) / np.maximum(area, 1e-9), 0.3, 4.0)
        if len(area)
        else area
    )
    return np.asarray(rng.random(len(crowns)) >= chance)


def _merged(rng: np.random.Generator, labeler: Labeler, crowns: Objects) -> Floats:
    """(n, 4) bounds of the crowns, some of them of two neighbours together."""
    sides = shapely.bounds(crowns).reshape(-1, 4)
    middle = (sides[:, :2] + sides[:, 2:]) / 2
    wants = rng.random(len(sides)) < labeler.merge
    distance = np.hypot(*(middle[:, None] - middle[None]).transpose(2, 0, 1))
    np.fill_diagonal(distance, np.inf)
    free = np.ones(len(sides), dtype=bool)
    for first in np.flatnonzero(wants):
        second = int(np.argmin(np.where(free, distance[first], np.inf)))
        if free[first] and free[second] and distance[first, second] < _NEAR:
            both = sides[[first, second]]
            sides[first] = [*both[:, :2].min(axis=0), *both[:, 2:].max(axis=0)]
            free[second] = False
    return cast("Floats", sides[free])


def _split(rng: np.random.Generator, labeler: Labeler, sides: Floats) -> Floats:
    """The boxes with some of the large ones cut in two across their longer side."""
    size = sides[:, 2:] - sides[:, :2]
    chosen = (rng.random(len(sides)) < labeler.split) & (size.prod(axis=1) > _LARGE)
    share = rng.uniform(0.4, 0.6, len(sides))
    low, high = sides[chosen].copy(), sides[chosen].copy()
    axis = np.argmax(size[chosen], axis=1)
    rows = np.arange(len(axis))
    cut = sides[chosen][rows, axis] + share[chosen] * size[chosen][rows, axis]
    low[rows, axis + 2] = cut
    high[rows, axis] = cut
    return np.vstack([sides[~chosen], low, high])


def _side_errors(rng: np.random.Generator, labeler: Labeler, number: int) -> Floats:
    outwards = np.array([-1, -1, 1, 1]) * labeler.grow
    shift = np.tile(labeler.shift, 2) + np.tile(rng.normal(0, labeler.shift_sd, (number, 2)), 2)
    return np.asarray(outwards + shift + rng.normal(0, labeler.noise, (number, 4)))


def _imagined(
    rng: np.random.Generator, labeler: Labeler, crowns: Objects, plot_area: shapely.Polygon
) -> Floats:
    """(false_positives, 4) small boxes, as far from any crown as a handful of tries finds."""
    number = labeler.false_positives
    if not number:
        return np.empty((0, 4))
    low, high = np.array(plot_area.bounds[:2]), np.array(plot_area.bounds[2:])
    half = rng.uniform(0.8, 1.8, (number, 2))
    inset = np.minimum(2.0, (high - low) / 4)
    tries = rng.uniform(low + inset, high - inset, (number, 12, 2))
    boxes = shapely.box(
        *np.concatenate([tries - half[:, None], tries + half[:, None]], axis=-1).transpose(2, 0, 1)
    )
    covered = shapely.area(shapely.intersection(boxes, shapely.union_all(crowns)))
    return np.asarray(shapely.bounds(boxes[np.arange(number), np.argmin(covered, axis=1)]))


def _outlines(rng: np.random.Generator, labeler: Labeler, crowns: Objects) -> Objects:
    """Outlines walked around in the field: coarse, displaced as a whole, uneven."""
    drawn = np.empty(len(crowns), dtype=object)
    for index, crown in enumerate(crowns):
        shift = np.array(labeler.shift) + rng.normal(0, labeler.shift_sd, 2)
        ring = shapely.get_coordinates(shapely.get_exterior_ring(crown))[:-1]
        ring = ring[rng.integers(0, 4) :: 4]
        if len(ring) < 8:
            ring = shapely.get_coordinates(
                shapely.segmentize(shapely.get_exterior_ring(crown), 1.5)
            )[:-1]
        centre = ring.mean(axis=0)
        arm = ring - centre
        length = np.maximum(np.hypot(*arm.T), 1e-9)
        change = labeler.grow + rng.normal(0, labeler.noise, len(ring))
        walked = (
            centre + shift + arm * (np.maximum(length + change, 0.2 * length) / length)[:, None]
        )
        parts = shapely.get_parts(shapely.make_valid(shapely.Polygon(walked)))
        drawn[index] = parts[np.argmax(shapely.area(parts))]
    return drawn


def _scores(rng: np.random.Generator, drawn: Objects, crowns: Objects) -> Floats:
    """(n,) scores that rise with how well a drawing fits its best crown's box, but not exactly."""
    boxes = shapely.envelope(crowns)
    shared = shapely.area(shapely.intersection(drawn[:, None], boxes[None]))
    union = shapely.area(drawn)[:, None] + shapely.area(boxes)[None] - shared
    best = (shared / union).max(axis=1, initial=0.0)
    return cast(
        "Floats",
        np.round(np.clip(0.15 + 0.8 * best + rng.normal(0, 0.1, len(drawn)), 0.05, 0.99), 3),
    )
