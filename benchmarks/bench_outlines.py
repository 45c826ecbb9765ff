"""Offsets of crowns outlined along pixels, as models draw them, beside drawn ones of 32 vertices, in the same run.

The peer makes the same three regions with GEOS: one buffer of the outline each, with tau known beforehand, where a
solver needs several. Processor time, medians of five.

    python benchmarks/bench_outlines.py
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import shapely
from scenes import along_pixels, crown_scene

from randcrowns.core import PRESETS
from randcrowns.core.arrays import Objects
from randcrowns.core.scoring.offsets import PolygonOffsets, Regions, target_offsets

PARAMETERS = PRESETS["image_boxes"]
REPEATS = 5
#: Metres of a pixel, and times a drawn crown is enlarged.
OUTLINES = ((0.2, 1.0), (0.1, 1.0), (0.1, 1.6), (0.05, 1.0), (0.05, 1.6))


def main() -> None:
    drawn = crown_scene(side=12, annotators=1).targets
    near = shapely.transform(drawn, lambda xy: xy - shapely.get_coordinates(shapely.centroid(drawn[0])))
    own = _milliseconds(lambda: target_offsets(PolygonOffsets(near), PARAMETERS), len(near))
    print(f"drawn, 32 vertices: {own:.2f} ms a target")
    for pixel, factor in OUTLINES:
        _compare(along_pixels(shapely.transform(near[:24], lambda xy, factor=factor: xy * factor), pixel), pixel, own)


def _compare(crowns: Objects, pixel: float, drawn: float) -> None:
    """Print the processor time of crowns beside that of a drawn one, milliseconds, and of buffers."""
    found = target_offsets(PolygonOffsets(crowns), PARAMETERS)
    ours = _milliseconds(lambda: target_offsets(PolygonOffsets(crowns), PARAMETERS), len(crowns))
    theirs = _milliseconds(lambda: _buffers(crowns, found), len(crowns))
    vertices = int(statistics.median(shapely.get_num_coordinates(crowns)))
    print(
        f"pixels of {pixel:g} m, {vertices} vertices: {ours:.2f} ms a target, {ours / drawn:.0f} times a drawn one; "
        f"three buffers {theirs:.0f} ms, {theirs / ours:.0f} times ours"
    )


def _buffers(crowns: Objects, found: Regions) -> None:
    for distance in (-PARAMETERS.alpha, PARAMETERS.omega, PARAMETERS.omega + np.nan_to_num(found.tau)):
        shapely.buffer(crowns, distance, quad_segs=16)


def _milliseconds(work: Callable[[], Any], targets: int) -> float:
    times = []
    for _ in range(REPEATS):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return statistics.median(times) / targets * 1e3


if __name__ == "__main__":
    main()
