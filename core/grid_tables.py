"""A(r) and O(r) of any targets and delineations for a whole grid of parameters, read from tables.

At -alpha and at omega the areas are tabulated as they are. O(omega + tau) is found without tau: O is a growing function
of A, tabulated at the same distances, interpolated (PCHIP), and read off where A has the wanted value.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from randcrowns.core.grid_nodes import Sharing, Slots, inwards, outwards
from randcrowns.core.grid_refinement import refined
from randcrowns.core.offsets import Offsets, without_contact

__all__ = ["TableGrid", "table_grid"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class TableGrid:
    """Anything else, from tables; see :class:`randcrowns.core.offset_grid.OffsetGrid`.

    Attributes:
        target_area: (n, T) A at n growing distances from the smallest omega on.
        shared: (n, J, T) O there.
        slope: (n, J, T) dO/dA there.
        omega_node: (nO, T) the distances that are omegas.
        rooms: (nO, T) the most that the true negative region can be within the extent; None without one.
    """

    target_area: Floats
    shared: Floats
    slope: Floats
    omega_node: Ints
    certain_area: Floats
    certain_shared: Floats
    tolerated_shared: Floats
    delineation_area: Floats
    rooms: Floats | None

    def room(self, omega: int) -> Floats | float:
        return np.inf if self.rooms is None else self.rooms[omega]

    def edge_shared(self, omega: int, ring: Floats) -> Floats:
        _, n_slots, n_targets = self.shared.shape
        target = np.arange(n_targets)
        wanted = ring + self.target_area[self.omega_node[omega], target]
        node = _cells(self.target_area, wanted)
        start = self.target_area[node, target]
        width = self.target_area[node + 1, target] - start
        along = np.clip((wanted - start) / width, 0.0, 1.0)[..., None, :]
        width = width[..., None, :]

        layer = n_slots * n_targets
        place = node[..., None, :] * layer + np.arange(layer).reshape(n_slots, n_targets)
        shared, slope = self.shared.ravel(), self.slope.ravel()
        low, low_slope = shared[place], slope[place]
        place += layer
        rise, high_slope = shared[place], slope[place]
        rise -= low
        low_slope *= width
        high_slope *= width
        # Cubic Hermite: low + t · (m0 + t · (3 · rise - 2 · m0 - m1 + t · (m0 + m1 - 2 · rise)))
        cubic = low_slope + high_slope
        cubic -= rise
        square = 2 * rise
        square -= cubic
        square -= low_slope
        cubic -= rise
        cubic *= along
        cubic += square
        cubic *= along
        cubic += low_slope
        cubic *= along
        cubic += low
        return np.asarray(cubic)


def table_grid(
    offsets: Offsets, slots: Slots, alphas: Floats, omegas: Floats, gammas: Floats, step: float
) -> TableGrid:
    """The grid of any targets and delineations.

    Areas are tabulated every ``step`` metres (further out less densely) until a target holds all its delineations, or
    is as large as any set of parameters makes it.

    Args:
        offsets: the T targets.
        slots: their delineations.
        alphas, omegas, gammas: metres, metres and ratios, growing.
        step: metres between tabulated distances, where scores do not need them denser.
    """
    itself = offsets.whole_area()
    sharing = Sharing(offsets, slots, itself)
    certain_area, certain_shared = inwards(offsets, sharing, alphas)
    certain_area, certain_shared = (without_contact(area, itself) for area in (certain_area, certain_shared))
    # A delineation that misses the largest true positive region scores 0 whatever else it covers.
    open_slots = certain_shared[0] > 0
    nodes = outwards(offsets, sharing, open_slots, omegas, gammas[-1] * certain_area[0], step)
    least_certain = np.where(certain_shared > 0, certain_area[:, None], np.inf).min(axis=0)
    nodes = refined(nodes, offsets, slots, omegas, gammas, least_certain)
    omega_node = nodes.rows_of(omegas)
    return TableGrid(
        target_area=nodes.area,
        shared=nodes.shared,
        slope=_monotone_slopes(nodes.area[:, None], nodes.shared),
        omega_node=omega_node,
        certain_area=certain_area,
        certain_shared=certain_shared,
        tolerated_shared=np.array([nodes.at(nodes.shared, node) for node in omega_node]),
        delineation_area=sharing.whole,
        rooms=_rooms(offsets, omegas),
    )


def _rooms(offsets: Offsets, omegas: Floats) -> Floats | None:
    """(nO, T) how much T(omega) can still grow within the extent, square metres; None without an extent."""
    reach = offsets.reach()
    if np.isinf(reach).all():
        return None
    widest = offsets.area(offsets.at(reach))
    return np.array([np.maximum(widest - offsets.area(offsets.at(omega)), 0.0) for omega in omegas])


def _cells(nodes: Floats, wanted: Floats) -> Ints:
    """(…, T) number of the cell between two (n, T) growing nodes that each (…, T) wanted value lies in."""
    n_nodes, n_targets = nodes.shape
    scale = 0.5 / (nodes[-1] - nodes[0])
    target = np.arange(n_targets)
    keys = ((nodes - nodes[0]) * scale + target).T.ravel()
    found = np.searchsorted(keys, np.minimum((wanted - nodes[0]) * scale, 0.75) + target, "right")
    return np.asarray(np.clip(found - 1 - target * n_nodes, 0, n_nodes - 2))


def _monotone_slopes(x: Floats, y: Floats) -> Floats:
    """dy/dx at the nodes along the first axis that keep a cubic between growing values growing.

    The weighted harmonic mean of the slopes on both sides (Fritsch and Butland 1984, as in scipy's PCHIP, which wants
    the same x for all columns); at the ends the slope of the cell.
    """
    width = np.diff(x, axis=0)
    rise = np.diff(y, axis=0) / width
    left, right = rise[:-1], rise[1:]
    near, far = 2 * width[1:] + width[:-1], width[1:] + 2 * width[:-1]
    with np.errstate(divide="ignore", invalid="ignore"):
        inner = np.where((left > 0) & (right > 0), (near + far) / (near / left + far / right), 0.0)
    return np.concatenate([rise[:1], inner, rise[-1:]])
