"""Measure the offsets of crowns with outlines along pixels, as models draw them.

Crowns of 32 vertices, drawn by hand, are measured in the same run. The peer makes the same three
regions with GEOS: one buffer of the outline for each, with tau known beforehand, where a solver
needs several. Times are medians of five repeats::

    python benchmarks/bench_outlines.py
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import shapely
from scenes import forest_scene, frayed_outlines, pixel_outlines, smooth_outlines
from table import Row, Time, measure_alternating, report_rows

from randcrowns.core import PRESETS
from randcrowns.core.arrays import Objects
from randcrowns.core.scoring.offsets import OffsetRegions, PolygonOffsets, solve_regions

PARAMETERS = PRESETS["image_boxes"]
REPEATS = 5
#: Size of a pixel, m, and factor by which a drawn crown is enlarged.
OUTLINES = ((0.2, 1.0), (0.1, 1.0), (0.1, 1.6), (0.05, 1.0), (0.05, 1.6), (0.05, 3.0))
#: Number of crowns of each kind, as many as a part of a run has; and of large ones, whose buffers
#: take a second each.
N_CROWNS = 144
N_LARGE_CROWNS = 16
LARGE_FACTOR = 2.0


def rows() -> Iterator[Row]:
    """Yield the rows of drawn crowns, of crowns along pixels and of frayed crowns."""
    drawn = forest_scene(side=12, annotators=1).targets
    near_origin = shapely.transform(
        drawn, lambda xy: xy - shapely.get_coordinates(shapely.centroid(drawn[0]))
    )
    total = measure_alternating(lambda: solve_regions(PolygonOffsets(near_origin), PARAMETERS))[0]
    drawn_time = _time_per_target(total, len(near_origin))
    yield Row(
        "offsets of a target, drawn", drawn_time, conditions="32 vertices; time of one target"
    )
    for pixel, factor in OUTLINES:
        number = N_CROWNS if factor < LARGE_FACTOR else N_LARGE_CROWNS
        larger = shapely.transform(near_origin[:number], lambda xy, factor=factor: xy * factor)
        crowns = pixel_outlines(larger, pixel)
        yield _compare(
            "offsets of a target along pixels", crowns, f"pixels of {pixel:g} m", drawn_time
        )
    frayed = frayed_outlines(near_origin[:24], 0.1)
    yield _compare(
        "offsets of a frayed target with holes and specks", frayed, "pixels of 0.1 m", drawn_time
    )
    smooth = smooth_outlines(near_origin[:N_CROWNS])
    yield _compare("offsets of a smooth target", smooth, "round corners", drawn_time)


def _compare(work: str, crowns: Objects, kind: str, drawn_time: Time) -> Row:
    """Return the row of crowns next to the peer.

    Args:
        work: name of the row.
        crowns: (n,) polygons.
        kind: kind of the outlines.
        drawn_time: time of one drawn target.
    """
    regions = solve_regions(PolygonOffsets(crowns), PARAMETERS)
    times = measure_alternating(
        lambda: solve_regions(PolygonOffsets(crowns), PARAMETERS),
        lambda: _make_buffers(crowns, regions),
        repeats=REPEATS,
    )
    ours, theirs = (_time_per_target(time, len(crowns)) for time in times)
    n_vertices = int(np.median(shapely.get_num_coordinates(crowns)))
    ratio = ours.processor / drawn_time.processor
    return Row(
        work,
        ours,
        "three buffers, tau known",
        theirs,
        conditions=f"{kind}, {n_vertices} vertices; {ratio:.1f} x a drawn one",
    )


def _time_per_target(time: Time, n_targets: int) -> Time:
    return Time(time.wall / n_targets, time.processor / n_targets)


def _make_buffers(crowns: Objects, regions: OffsetRegions) -> None:
    """Make T(-alpha), T(omega) and T(omega + tau) of each crown, with tau of its regions."""
    edge = PARAMETERS.omega + np.nan_to_num(regions.tau)
    for distance in (-PARAMETERS.alpha, PARAMETERS.omega, edge):
        shapely.buffer(crowns, distance, quad_segs=16)


if __name__ == "__main__":
    report_rows(rows())
