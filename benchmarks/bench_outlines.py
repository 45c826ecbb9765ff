"""Offsets of crowns outlined along pixels, as models draw them, beside drawn ones of 32 vertices, in the same run.

The peer makes the same three regions with GEOS: one buffer of the outline each, with tau known beforehand, where a
solver needs several. Processor time, medians of five.

    python benchmarks/bench_outlines.py
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import shapely
from scenes import along_pixels, crown_scene, frayed
from table import Row, Time, in_turns, show

from randcrowns.core import PRESETS
from randcrowns.core.arrays import Objects
from randcrowns.core.scoring.offsets import PolygonOffsets, Regions, target_offsets

PARAMETERS = PRESETS["image_boxes"]
REPEATS = 5
#: Metres of a pixel, and times a drawn crown is enlarged.
OUTLINES = ((0.2, 1.0), (0.1, 1.0), (0.1, 1.6), (0.05, 1.0), (0.05, 1.6))


def rows() -> Iterator[Row]:
    drawn = crown_scene(side=12, annotators=1).targets
    near = shapely.transform(
        drawn, lambda xy: xy - shapely.get_coordinates(shapely.centroid(drawn[0]))
    )
    own = _of_one(in_turns(lambda: target_offsets(PolygonOffsets(near), PARAMETERS))[0], len(near))
    yield Row("offsets of a target, drawn", own, conditions="32 vertices; time of one target")
    for pixel, factor in OUTLINES:
        larger = shapely.transform(near[:24], lambda xy, factor=factor: xy * factor)
        yield _compared("offsets of a target along pixels", along_pixels(larger, pixel), pixel, own)
    yield _compared(
        "offsets of a frayed target with holes and specks", frayed(near[:24], 0.1), 0.1, own
    )


def _compared(work: str, crowns: Objects, pixel: float, drawn: Time) -> Row:
    found = target_offsets(PolygonOffsets(crowns), PARAMETERS)
    times = in_turns(
        lambda: target_offsets(PolygonOffsets(crowns), PARAMETERS),
        lambda: _buffers(crowns, found),
        repeats=REPEATS,
    )
    ours, theirs = (_of_one(time, len(crowns)) for time in times)
    vertices = int(np.median(shapely.get_num_coordinates(crowns)))
    return Row(
        work,
        ours,
        "three buffers, tau known",
        theirs,
        conditions=f"pixels of {pixel:g} m, {vertices} vertices; {ours.processor / drawn.processor:.0f} x a drawn one",
    )


def _of_one(time: Time, targets: int) -> Time:
    return Time(*(value / targets for value in time))


def _buffers(crowns: Objects, found: Regions) -> None:
    for distance in (
        -PARAMETERS.alpha,
        PARAMETERS.omega,
        PARAMETERS.omega + np.nan_to_num(found.tau),
    ):
        shapely.buffer(crowns, distance, quad_segs=16)


if __name__ == "__main__":
    show(rows())
