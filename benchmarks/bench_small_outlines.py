"""Check the offsets of 10,116 small outlines along pixels against buffers, and measure both.

Small outlines with deep bays are where the path of a rolling ball can be wrong. The areas of all
three regions of every target are compared with those of buffers with 16 segments per quarter
circle. The script fails if one differs by more than 0.0005 of the area::

    python benchmarks/bench_small_outlines.py
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import numpy as np
import shapely
from scenes import small_pixel_outlines
from table import Row, measure_time, report_rows

from randcrowns.core import RandCrownsParameters
from randcrowns.core.arrays import Floats, Objects
from randcrowns.core.scoring.offsets import OffsetRegions, PolygonOffsets, solve_regions

N_OUTLINES = 10_116
#: Alpha (m), omega (m) and gamma.
PARAMETERS = (
    RandCrownsParameters(0.1, 0.4, 3),
    RandCrownsParameters(0.3, 1.2, 3),
    RandCrownsParameters(0.5, 3.0, 3),
)
#: Maximum difference of two areas, relative to the buffer's.
MAX_DIFFERENCE = 5e-4


def rows() -> Iterator[Row]:
    """Yield one row per set of parameters."""
    outlines = small_pixel_outlines(N_OUTLINES)
    for parameters in PARAMETERS:
        yield _compare(outlines, parameters)


def _compare(outlines: Objects, parameters: RandCrownsParameters) -> Row:
    """Return the row of one set of parameters.

    Args:
        outlines: (n,) targets.
        parameters: alpha, omega and gamma.

    Raises:
        SystemExit: if an area differs from that of the buffer.
    """
    regions: list[OffsetRegions] = []
    own_time = measure_time(
        lambda: regions.append(solve_regions(PolygonOffsets(outlines), parameters))
    )
    differences: list[Floats] = []
    buffer_time = measure_time(
        lambda: differences.append(_largest_differences(outlines, parameters, regions[0]))
    )
    n_wrong = int((differences[0] > MAX_DIFFERENCE).sum())
    if n_wrong:
        sys.exit(f"{n_wrong} offsets differ from their buffers by more than {MAX_DIFFERENCE}.")
    n_vertices = int(np.median(shapely.get_num_coordinates(outlines)))
    return Row(
        "offsets of small outlines along pixels",
        own_time,
        "three buffers, tau known",
        buffer_time,
        conditions=f"{N_OUTLINES:,} outlines, {n_vertices} vertices; alpha {parameters.alpha:g} m, "
        f"omega {parameters.omega:g} m; none wrong, areas within {differences[0].max():.0e} of "
        "buffers",
    )


def _largest_differences(
    outlines: Objects, parameters: RandCrownsParameters, regions: OffsetRegions
) -> Floats:
    """Return the largest difference (n,) between areas of regions and of buffers, relative.

    Args:
        outlines: (n,) targets.
        parameters: alpha and omega.
        regions: regions of the targets.
    """
    edge_distance = parameters.omega + np.nan_to_num(regions.tau)
    largest = np.zeros(len(outlines))
    for shapes, distance in (
        (regions.certain, -parameters.alpha),
        (regions.tolerated, parameters.omega),
        (regions.edge, edge_distance),
    ):
        buffer_area = shapely.area(shapely.buffer(outlines, distance, quad_segs=16))
        difference = np.abs(shapely.area(shapes) - buffer_area)
        # Nothing is left of targets narrower than twice alpha.
        is_left = buffer_area > 0
        largest[is_left] = np.maximum(largest, difference / np.where(is_left, buffer_area, 1.0))[
            is_left
        ]
        largest[~is_left & (difference > 0)] = np.inf
    return largest


if __name__ == "__main__":
    report_rows(rows())
