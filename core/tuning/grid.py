"""A(r) and O(r) for a whole grid of parameters at once: what every such grid offers, and the one of rectangles.

A(r) is the area of the target offset by r, O(r) the area of a delineation inside it. RandCrowns needs them at -alpha,
at omega, and at omega + tau, where A(omega + tau) = A(omega) + gamma · A(-alpha).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from randcrowns.core.arrays import Bools, Floats
from randcrowns.core.scoring.offsets import without_contact


class OffsetGrid(Protocol):
    """A of T targets and O of their delineations, J slots each, at nA alphas and nO omegas; square metres."""

    @property
    def certain_area(self) -> Floats:
        """(nA, T) A(-alpha); 0 where the target is too small."""

    @property
    def certain_shared(self) -> Floats:
        """(nA, J, T) O(-alpha)."""

    @property
    def tolerated_shared(self) -> Floats:
        """(nO, J, T) O(omega)."""

    @property
    def delineation_area(self) -> Floats:
        """(J, T) area of each slot's delineation, 0 in an empty slot."""

    def room(self, omega: int) -> Floats | float:
        """(T,) the most that A(omega + tau) - A(omega) can be: what the extent leaves, infinite without one."""

    def edge_shared(self, omega: int, ring: Floats) -> Floats:
        """(…, J, T) O(omega + tau) where A(omega + tau) - A(omega) = ``ring``, of delineations that touch the target.

        For others the numbers are finite and mean nothing: they score 0 whatever else they cover.

        Args:
            omega: position among the omegas.
            ring: (…, T) areas of the true negative regions: gamma · A(-alpha), or the room there is.
        """


@dataclass(frozen=True)
class BoxGrid:
    """Rectangles against rectangles, closed form; see :class:`OffsetGrid`.

    Attributes:
        bounds: (4, T) xmin, ymin, xmax, ymax of the targets.
        drawn: (4, J, T) the same of their delineations.
        omegas: (nO,) metres.
    """

    bounds: Floats
    drawn: Floats
    omegas: Floats
    certain_area: Floats
    certain_shared: Floats
    tolerated_shared: Floats
    delineation_area: Floats

    def room(self, omega: int) -> float:
        return np.inf

    def edge_shared(self, omega: int, ring: Floats) -> Floats:
        xmin, ymin, xmax, ymax = self.bounds
        distance = self.omegas[omega]
        # A(omega + tau) - A(omega) = perimeter · tau + 4 · tau², the perimeter being that of T(omega).
        perimeter = 2 * (xmax - xmin + ymax - ymin) + 8 * distance
        reach = np.sqrt(16 * ring + perimeter**2)
        reach -= perimeter
        reach /= 8
        reach += distance
        width, height = _box_overlap(self.bounds, reach, self.drawn)
        width *= height
        return width


def box_grid(bounds: Floats, drawn: Floats, empty: Bools, alphas: Floats, omegas: Floats) -> BoxGrid:
    """The grid of rectangles.

    Args:
        bounds: (4, T) xmin, ymin, xmax, ymax of the targets.
        drawn: (4, J, T) of their delineations.
        empty: (J, T) slots without one.
        alphas, omegas: metres.
    """
    drawn = np.where(empty, 0.0, drawn)
    width, height = bounds[2] - bounds[0], bounds[3] - bounds[1]
    shrink = 2 * alphas[:, None]
    certain = np.maximum(width - shrink, 0.0) * np.maximum(height - shrink, 0.0)
    return BoxGrid(
        bounds=bounds,
        drawn=drawn,
        omegas=omegas,
        certain_area=without_contact(certain, width * height),
        certain_shared=without_contact(_box_shared(bounds, -alphas, drawn), width * height),
        tolerated_shared=_box_shared(bounds, omegas, drawn),
        delineation_area=(drawn[2] - drawn[0]) * (drawn[3] - drawn[1]),
    )


def _box_shared(bounds: Floats, distances: Floats, drawn: Floats) -> Floats:
    """(n, J, T) areas that (4, T) rectangles grown by (n,) metres share with (4, J, T) rectangles."""
    grow = np.broadcast_to(distances[:, None], (len(distances), bounds.shape[1]))
    width, height = _box_overlap(bounds, grow, drawn)
    return np.maximum(width, 0.0) * np.maximum(height, 0.0)


def _box_overlap(bounds: Floats, distance: Floats, drawn: Floats) -> tuple[Floats, Floats]:
    """(…, J, T) widths and heights of the overlap of (4, T) rectangles grown by (…, T) metres with (4, J, T)
    rectangles; negative where they are apart."""
    grow = distance[..., None, :]
    width = np.minimum(bounds[2] + grow, drawn[2])
    width -= np.maximum(bounds[0] - grow, drawn[0])
    height = np.minimum(bounds[3] + grow, drawn[3])
    height -= np.maximum(bounds[1] - grow, drawn[1])
    return width, height
