"""The simulated plot: its crowns, its image, and the drawings of annotators and detectors."""

from __future__ import annotations

import numbers
from typing import NamedTuple, cast

import numpy as np
import shapely

from randcrowns.core.arrays import Bools, Floats, Ints, Objects
from randcrowns.core.errors import InputError
from randcrowns.core.sample import SAMPLE_SEED
from sample.image import render
from sample.trees import Labeler, SampleParameters, grow_trees, read_parameters

# Precision of coordinates, m.
_PRECISION = 0.01
# Minimum area of a crown in the plot, m².
_MIN_CROWN_AREA = 4.0
# Minimum area of a drawing, m².
_MIN_DRAWING_AREA = 0.5
# Minimum area of a crown that may be drawn as two, m².
_LARGE = 35.0
# Maximum distance of the centres of two crowns that may be drawn as one, m.
_NEAR = 7.0
# Share of the crowns on no tree that a detector takes as conifers.
_CONIFERS_ELSEWHERE = 0.5


class SamplePlot(NamedTuple):
    """A simulated plot; geometries are in the coordinate reference system ``parameters.crs``.

    Attributes:
        name: text with the seed, which says that the plot is simulated.
        seed: seed of the random numbers.
        parameters: parameters of the plot.
        image: (rows, columns, 3) uint8 red, green and blue, northern row first.
        crowns: (n,) polygons of the true crowns, clipped to what is visible from above in the plot.
        height: (n,) height of these trees, m.
        conifer: (n,) True for conifers.
        drawings: drawing of each labeler, by name.
    """

    name: str
    seed: int
    parameters: SampleParameters
    image: Ints
    crowns: Objects
    height: Floats
    conifer: Bools
    drawings: dict[str, Drawing]


class Drawing(NamedTuple):
    """Crowns that one labeler drew."""

    geometry: Objects  #: (n,) polygons.
    score: Floats | None  #: (n,) scores from 0 to 1; None for people.
    conifer: Bools | None = None  #: (n,) True for crowns taken as conifers; None for people.


def simulate_plot(
    seed: int = SAMPLE_SEED, parameters: SampleParameters | None = None
) -> SamplePlot:
    """Simulate a plot; the same seed and parameters always give the same plot.

    Args:
        seed: whole number, 0 or more.
        parameters: parameters of the plot; the shipped ones by default.

    Returns:
        The plot.

    Raises:
        InputError: if the seed is not a whole number of 0 or more.

    >>> plot = simulate_plot(7, read_parameters({"size": 10.0, "pixel": 0.5}))
    >>> plot.image.shape, plot.name
    ((20, 20, 3), 'simulated plot, seed 7')
    """
    if isinstance(seed, bool) or not isinstance(seed, numbers.Integral) or seed < 0:
        raise InputError(
            "seed.invalid",
            "The sample plot's seed is {seed}. Give a whole number of 0 or more.",
            seed=repr(seed),
        )
    seed = int(seed)
    if parameters is None:
        parameters = read_parameters()
    trees = grow_trees(np.random.default_rng([seed, 0]), parameters)
    plot_area = shapely.box(0, 0, parameters.size, parameters.size)
    crowns = shapely.intersection(trees.visible, plot_area)
    # A crown belongs to the plot if most of its visible part lies inside.
    is_mostly_inside = shapely.area(crowns) > 0.5 * shapely.area(trees.visible)
    is_large_enough = shapely.area(crowns) >= _MIN_CROWN_AREA
    in_plot = is_mostly_inside & is_large_enough

    drawings = {}
    for number, labeler in enumerate(parameters.labelers):
        if labeler.polygons:
            # Surveyed on foot: the whole crowns, not only the parts visible from above.
            observed = shapely.intersection(trees.outline[in_plot], plot_area)
        else:
            observed = crowns[in_plot]
        # A generator of its own makes a drawing independent of those of other labelers. The seeds
        # 0 and 1 are those of the trees and of the image.
        rng = np.random.default_rng([seed, 2 + number])
        drawing = simulate_drawing(rng, labeler, observed, plot_area)
        if drawing.score is not None:
            # The species have a generator of their own, so that the outlines do not depend on them.
            species_rng = np.random.default_rng([seed, 1000 + number])
            conifer = predict_conifers(
                species_rng, labeler, drawing.geometry, crowns[in_plot], trees.conifer[in_plot]
            )
            drawing = drawing._replace(conifer=conifer)
        geometry = _to_map_coordinates(drawing.geometry, parameters)
        drawings[labeler.name] = drawing._replace(geometry=geometry)
    return SamplePlot(
        name=f"simulated plot, seed {seed}",
        seed=seed,
        parameters=parameters,
        image=render(np.random.default_rng([seed, 1]), trees, parameters),
        crowns=_to_map_coordinates(crowns[in_plot], parameters),
        height=np.round(trees.height[in_plot], 1),
        conifer=trees.conifer[in_plot],
        drawings=drawings,
    )


def predict_conifers(
    rng: np.random.Generator, labeler: Labeler, drawn: Objects, crowns: Objects, conifer: Bools
) -> Bools:
    """Simulate the species that a detector predicts.

    Args:
        rng: generator of random numbers.
        labeler: the detector, with the shares of conifers and of broadleaves whose species it
            predicts wrong.
        drawn: (n,) polygons that the detector drew.
        crowns: (m,) polygons of the true crowns, in the same coordinates.
        conifer: (m,) True for conifers.

    Returns:
        (n,) True for crowns taken as conifers. A crown on no tree gets a species at random.
    """
    is_conifer = rng.random(len(drawn)) < _CONIFERS_ELSEWHERE
    if len(crowns):
        shared = shapely.area(shapely.intersection(drawn[:, None], crowns[None, :]))
        is_on_tree = shared.max(axis=1) > 0
        is_conifer = np.where(is_on_tree, conifer[shared.argmax(axis=1)], is_conifer)
    wrong_share = np.where(is_conifer, labeler.wrong_conifers, labeler.wrong_broadleaves)
    return is_conifer ^ (rng.random(len(drawn)) < wrong_share)


def _to_map_coordinates(geometry: Objects, parameters: SampleParameters) -> Objects:
    """Return geometries (n,) in the coordinate reference system, rounded to centimetres."""
    left, top = parameters.upper_left
    corner = np.array([left, top - parameters.size])
    return np.asarray(
        shapely.transform(geometry, lambda xy: np.round(xy + corner, 2)), dtype=object
    )


def simulate_drawing(
    rng: np.random.Generator, labeler: Labeler, crowns: Objects, plot_area: shapely.Polygon
) -> Drawing:
    """Simulate the drawing of one labeler.

    Args:
        rng: source of random numbers.
        labeler: drawing habits.
        crowns: (n,) polygons of the crowns that the labeler looks at, in coordinates of the plot.
        plot_area: polygon of the plot; drawings are clipped to it.

    Returns:
        Polygons in random order, with scores if the labeler gives them.

    >>> crowns = np.array([shapely.box(2, 2, 6, 6)])
    >>> rng, plot = np.random.default_rng(0), shapely.box(0, 0, 9, 9)
    >>> drawing = simulate_drawing(rng, Labeler("one"), crowns, plot)
    >>> shapely.bounds(drawing.geometry).tolist()
    [[2.0, 2.0, 6.0, 6.0]]
    """
    noticed = crowns[_is_noticed(rng, labeler, crowns)]
    if labeler.polygons:
        drawn = _walk_outlines(rng, labeler, noticed)
    else:
        bounds = _split_boxes(rng, labeler, _merged_bounds(rng, labeler, noticed))
        bounds = bounds + _side_errors(rng, labeler, len(bounds))
        false_positives = _false_positives(rng, labeler, crowns, plot_area)
        # Errors may swap the sides of a small box.
        corners = np.sort(np.vstack([bounds, false_positives]).reshape(-1, 2, 2), axis=1)
        drawn = np.asarray(shapely.box(*corners.reshape(-1, 4).T), dtype=object)
    drawn = np.asarray(shapely.intersection(drawn, plot_area, grid_size=_PRECISION), dtype=object)
    drawn = drawn[rng.permutation(len(drawn))]
    is_polygon = shapely.get_type_id(drawn) == shapely.GeometryType.POLYGON
    drawn = drawn[(shapely.area(drawn) >= _MIN_DRAWING_AREA) & is_polygon]
    return Drawing(drawn, _scores(rng, drawn, crowns) if labeler.scores else None)


def _is_noticed(rng: np.random.Generator, labeler: Labeler, crowns: Objects) -> Bools:
    """Return a mask (n,) of the crowns that the labeler sees; small ones are missed more often."""
    if not len(crowns):
        return np.zeros(0, dtype=bool)
    area = shapely.area(crowns)
    relative_size = np.clip(np.median(area) / np.maximum(area, 1e-9), 0.3, 4.0)
    return np.asarray(rng.random(len(crowns)) >= labeler.miss * relative_size)


def _merged_bounds(rng: np.random.Generator, labeler: Labeler, crowns: Objects) -> Floats:
    """Return the bounds of crowns, with some pairs of neighbours merged into one box.

    Args:
        rng: source of random numbers.
        labeler: labeler with the probability that a crown is merged.
        crowns: (n,) polygons.

    Returns:
        (m, 4) bounds xmin, ymin, xmax, ymax, m at most n.
    """
    bounds = shapely.bounds(crowns).reshape(-1, 4)
    centre = (bounds[:, :2] + bounds[:, 2:]) / 2
    is_merged = rng.random(len(bounds)) < labeler.merge
    difference = centre[:, None] - centre[None]
    distance = np.hypot(difference[..., 0], difference[..., 1])
    np.fill_diagonal(distance, np.inf)
    # False for crowns that are part of the box of another crown.
    is_separate = np.ones(len(bounds), dtype=bool)
    for first in np.flatnonzero(is_merged):
        second = int(np.argmin(np.where(is_separate, distance[first], np.inf)))
        is_near = distance[first, second] < _NEAR
        if is_separate[first] and is_separate[second] and is_near:
            lower_corner = bounds[[first, second], :2].min(axis=0)
            upper_corner = bounds[[first, second], 2:].max(axis=0)
            bounds[first] = [*lower_corner, *upper_corner]
            is_separate[second] = False
    return cast("Floats", bounds[is_separate])


def _split_boxes(rng: np.random.Generator, labeler: Labeler, sides: Floats) -> Floats:
    """Split some of the large boxes across their longer side.

    Args:
        rng: source of random numbers.
        labeler: error rates; ``split`` is the probability that a large box is split.
        sides: (n, 4) xmin, ymin, xmax and ymax of the boxes, metres.

    Returns:
        (m, 4) bounds: boxes that are not split, then the lower parts and the upper parts of others.
    """
    size = sides[:, 2:] - sides[:, :2]
    is_large = size.prod(axis=1) > _LARGE
    is_split = (rng.random(len(sides)) < labeler.split) & is_large
    # Position of the border along the longer side, about in the middle.
    share = rng.uniform(0.4, 0.6, len(sides))[is_split]
    split_sides = sides[is_split]
    split_size = size[is_split]
    axis = np.argmax(split_size, axis=1)
    rows = np.arange(len(axis))
    border = split_sides[rows, axis] + share * split_size[rows, axis]

    low_part = split_sides.copy()
    low_part[rows, axis + 2] = border
    high_part = split_sides.copy()
    high_part[rows, axis] = border
    return np.vstack([sides[~is_split], low_part, high_part])


def _side_errors(rng: np.random.Generator, labeler: Labeler, number: int) -> Floats:
    """Return errors (number, 4) of the bounds of boxes, m."""
    outwards = np.array([-1, -1, 1, 1]) * labeler.grow
    shift = np.tile(labeler.shift, 2) + np.tile(rng.normal(0, labeler.shift_sd, (number, 2)), 2)
    return np.asarray(outwards + shift + rng.normal(0, labeler.noise, (number, 4)))


def _false_positives(
    rng: np.random.Generator, labeler: Labeler, crowns: Objects, plot_area: shapely.Polygon
) -> Floats:
    """Return bounds (false_positives, 4) of small boxes away from crowns.

    Of twelve random boxes, the one that covers the least area of crowns is taken.

    Args:
        rng: source of random numbers.
        labeler: error rates; ``false_positives`` is the number of boxes.
        crowns: (n,) polygons to avoid.
        plot_area: polygon in which the boxes lie.
    """
    number = labeler.false_positives
    if not number:
        return np.empty((0, 4))
    low = np.array(plot_area.bounds[:2])
    high = np.array(plot_area.bounds[2:])
    half_size = rng.uniform(0.8, 1.8, (number, 2))[:, None]
    inset = np.minimum(2.0, (high - low) / 4)
    centre = rng.uniform(low + inset, high - inset, (number, 12, 2))
    bounds = np.concatenate([centre - half_size, centre + half_size], axis=-1)
    boxes = shapely.box(*bounds.transpose(2, 0, 1))
    covered = shapely.area(shapely.intersection(boxes, shapely.union_all(crowns)))
    best = boxes[np.arange(number), np.argmin(covered, axis=1)]
    return np.asarray(shapely.bounds(best))


def _walk_outlines(rng: np.random.Generator, labeler: Labeler, crowns: Objects) -> Objects:
    """Return outlines (n,) as surveyed on foot: coarse, displaced as a whole, and uneven.

    Args:
        rng: source of random numbers.
        labeler: displacement (m), growth (m) and noise (m) of the outlines.
        crowns: (n,) polygons of the crowns.
    """
    drawn = np.empty(len(crowns), dtype=object)
    for index, crown in enumerate(crowns):
        shift = np.array(labeler.shift) + rng.normal(0, labeler.shift_sd, 2)
        exterior = shapely.get_exterior_ring(crown)
        # Every fourth vertex; short rings are densified instead.
        ring = shapely.get_coordinates(exterior)[:-1][rng.integers(0, 4) :: 4]
        if len(ring) < 8:
            ring = shapely.get_coordinates(shapely.segmentize(exterior, 1.5))[:-1]
        centre = ring.mean(axis=0)
        arm = ring - centre
        length = np.maximum(np.hypot(*arm.T), 1e-9)
        change = labeler.grow + rng.normal(0, labeler.noise, len(ring))
        stretch = np.maximum(length + change, 0.2 * length) / length
        outline = shapely.Polygon(centre + shift + arm * stretch[:, None])
        parts = shapely.get_parts(shapely.make_valid(outline))
        drawn[index] = parts[np.argmax(shapely.area(parts))]
    return drawn


def _scores(rng: np.random.Generator, drawn: Objects, crowns: Objects) -> Floats:
    """Return scores of drawings that rise with their best IoU with a crown's bounding box.

    Args:
        rng: source of random numbers.
        drawn: (n,) polygons of the drawings.
        crowns: (m,) polygons of the true crowns.

    Returns:
        (n,) scores with random errors, 0.05 to 0.99.
    """
    boxes = shapely.envelope(crowns)
    shared = shapely.area(shapely.intersection(drawn[:, None], boxes[None]))
    union = shapely.area(drawn)[:, None] + shapely.area(boxes)[None] - shared
    best_iou = (shared / union).max(axis=1, initial=0.0)
    scores = 0.15 + 0.8 * best_iou + rng.normal(0, 0.1, len(drawn))
    return cast("Floats", np.round(np.clip(scores, 0.05, 0.99), 3))
