"""Plots whose trees are known, with the crowns that simulated annotators draw of them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import shapely

from randcrowns.core.agreement.consensus import majority_consensus, marked_polygons
from randcrowns.core.agreement.consensus_of_crowns import CrownConsensusOptions, crown_consensus
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.crowns import Crowns
from randcrowns.core.instances.metrics import panoptic_quality
from randcrowns.core.instances.overlap import polygon_overlap
from randcrowns.core.outlines import make_usable

#: Distance of neighbouring trees, m, and number of trees along a side of a plot.
SPACING = 5.0
TREES_PER_SIDE = 6
_N_VERTICES = 24


class AnnotatedPlot(NamedTuple):
    """A plot with its true crowns and what annotators drew."""

    truth: np.ndarray  #: (T,) true crowns, which touch but do not overlap.
    drawings: dict[str, np.ndarray]  #: crowns that each annotator drew, by name.


class PlotQuality(NamedTuple):
    """Panoptic quality of the annotators and of two consensuses, compared with the truth."""

    annotators: np.ndarray  #: (K,) PQ of each annotator.
    area_consensus: float  #: PQ of the areas that at least half of the annotators marked.
    crown_consensus: float  #: PQ of the consensus crown by crown.

    @property
    def is_best(self) -> bool:
        """True if the consensus crown by crown is better than each annotator and the areas."""
        others = max(self.annotators.max(), self.area_consensus)
        return bool(self.crown_consensus > others)


def draw_plot(rng: np.random.Generator, n_annotators: int) -> AnnotatedPlot:
    """Return a plot of a closed stand.

    Each annotator misses a tenth of the trees, draws three trees that do not exist, draws a few
    pairs of neighbours as one tree, and shifts, scales and distorts all outlines.
    """
    row, column = np.divmod(np.arange(TREES_PER_SIDE**2), TREES_PER_SIDE)
    tops = SPACING * np.stack([column, row], axis=1) + rng.normal(0, 0.6, (len(row), 2))
    radius = rng.uniform(2.2, 3.2, len(tops))
    area = shapely.box(*(tops.min(axis=0) - SPACING), *(tops.max(axis=0) + SPACING))
    cells = shapely.get_parts(shapely.voronoi_polygons(shapely.multipoints(tops), extend_to=area))
    cell_of_top = shapely.STRtree(cells).query(shapely.points(tops), predicate="intersects")[1]
    outlines = _outlines(tops, radius, rng.lognormal(0, 0.08, (len(tops), _N_VERTICES)))
    truth = shapely.intersection(outlines, cells[cell_of_top])
    drawings = {
        f"annotator {number}": _annotate(rng, truth, area) for number in range(n_annotators)
    }
    return AnnotatedPlot(truth, drawings)


def _outlines(centres: np.ndarray, radius: np.ndarray, factors: np.ndarray) -> np.ndarray:
    """Return (n,) outlines with radii that differ between directions by factors (n, vertices)."""
    angle = np.linspace(0, 2 * np.pi, _N_VERTICES, endpoint=False)
    directions = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    distance = radius[:, None] * factors
    return shapely.polygons(centres[:, None] + distance[..., None] * directions)


def _annotate(rng: np.random.Generator, truth: np.ndarray, area: shapely.Polygon) -> np.ndarray:
    """Return what one annotator draws of the true crowns (T,)."""
    crowns = list(truth[rng.random(len(truth)) < 0.9])
    for _ in range(rng.poisson(1.5)):
        crowns = _join_neighbours(rng, crowns)
    style = rng.normal(1.0, 0.06)
    drawn = [_distort(rng, crown, style) for crown in crowns]
    xmin, ymin, xmax, ymax = area.bounds
    centres = rng.uniform((xmin, ymin), (xmax, ymax), (3, 2))
    invented = _outlines(centres, rng.uniform(1, 2.5, 3), np.ones((3, _N_VERTICES)))
    return np.array([*drawn, *invented], dtype=object)


def _join_neighbours(
    rng: np.random.Generator, crowns: list[shapely.Polygon]
) -> list[shapely.Polygon]:
    """Return the crowns with one of them joined with its nearest neighbour."""
    first = int(rng.integers(len(crowns)))
    rest = crowns[:first] + crowns[first + 1 :]
    nearest = int(np.argmin(shapely.distance(crowns[first].centroid, shapely.centroid(rest))))
    joined = shapely.union(crowns[first], rest[nearest]).convex_hull
    return [*rest[:nearest], *rest[nearest + 1 :], joined]


def _distort(rng: np.random.Generator, crown: shapely.Polygon, style: float) -> shapely.Polygon:
    """Return a crown as an annotator draws it: shifted, scaled and with an uneven outline."""
    outline = shapely.segmentize(crown, 1.5)
    points = shapely.get_coordinates(outline)[:-1]
    centre = points.mean(axis=0)
    offsets = (points - centre) * style * rng.lognormal(0, 0.06)
    uneven = offsets * rng.lognormal(0, 0.06, (len(points), 1))
    polygon = shapely.Polygon(centre + rng.normal(0, 0.3, 2) + uneven)
    return polygon if polygon.is_valid else polygon.buffer(0)


def measure_quality(
    plot: AnnotatedPlot, options: CrownConsensusOptions | None = None
) -> PlotQuality:
    """Compare the annotators and both kinds of consensus with the true crowns."""
    votes = VoteTable.from_polygons(plot.drawings)
    areas = marked_polygons(votes, majority_consensus(votes))
    crowns = crown_consensus(plot.drawings, options).crowns
    return PlotQuality(
        np.array([_quality(plot, drawing) for drawing in plot.drawings.values()]),
        _quality(plot, areas),
        _quality(plot, crowns),
    )


def _quality(plot: AnnotatedPlot, crowns: np.ndarray) -> float:
    """Return the panoptic quality of crowns against the true crowns."""
    usable = Crowns(make_usable(crowns).polygons)
    return panoptic_quality(polygon_overlap(Crowns(plot.truth), usable)).pq
