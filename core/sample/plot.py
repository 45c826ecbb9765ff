"""A simulated plot put together."""

from __future__ import annotations

import numbers
from typing import NamedTuple

import numpy as np
import shapely

from randcrowns.core.arrays import Bools, Floats, Ints, Objects
from randcrowns.core.errors import InputError
from randcrowns.core.sample.drawings import Drawing, draw
from randcrowns.core.sample.image import render
from randcrowns.core.sample.trees import SampleParameters, grow_trees, read_parameters

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
        raise InputError(f"The sample plot's seed is {seed!r}; give a whole number from 0.")
    seed = int(seed)
    parameters = read_parameters() if parameters is None else parameters
    trees = grow_trees(np.random.default_rng([seed, 0]), parameters)
    plot_area = shapely.box(0, 0, parameters.size, parameters.size)
    crowns = shapely.intersection(trees.visible, plot_area)
    # A crown belongs to the plot when most of what can be seen of it lies inside.
    counted = (shapely.area(crowns) > 0.5 * shapely.area(trees.visible)) & (shapely.area(crowns) >= 4.0)
    drawings = {
        labeler.name: draw(
            np.random.default_rng([seed, 2 + number]),
            labeler,
            shapely.intersection(trees.outline[counted], plot_area) if labeler.polygons else crowns[counted],
            plot_area,
        )
        for number, labeler in enumerate(parameters.labelers)
    }
    return SamplePlot(
        name=f"simulated plot, seed {seed}",
        seed=seed,
        parameters=parameters,
        image=render(np.random.default_rng([seed, 1]), trees, parameters),
        crowns=_placed(crowns[counted], parameters),
        height=np.round(trees.height[counted], 1),
        conifer=trees.conifer[counted],
        drawings={
            name: drawing._replace(geometry=_placed(drawing.geometry, parameters)) for name, drawing in drawings.items()
        },
    )


def _placed(geometry: Objects, parameters: SampleParameters) -> Objects:
    """Plot coordinates to those of the coordinate system, to the centimetre."""
    corner = np.array([parameters.upper_left[0], parameters.upper_left[1] - parameters.size])
    return np.asarray(shapely.transform(geometry, lambda xy: np.round(xy + corner, 2)), dtype=object)
