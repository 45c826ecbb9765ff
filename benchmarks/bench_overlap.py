"""Measure shared areas next to vectorised shapely, and the search for problems next to scoring.

python benchmarks/bench_overlap.py
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import shapely
from scenes import Scene, bounding_box_scene, forest_scene, smooth_outlines, tiled_scene
from table import Row, measure_alternating, measure_memory, report_rows

from randcrowns.core import PRESETS, Crowns, score_crowns
from randcrowns.core.arrays import Floats
from randcrowns.core.instances.overlap import polygon_overlap
from randcrowns.core.review.problems import find_problems

PARAMETERS = PRESETS["image_boxes"]
REPEATS = 3
#: Number of targets of shared areas.
N_OVERLAP = 2_500
#: Numbers of boxes and of drawn crowns along each side of the scenes of problems.
BOXES_SIDE = 300
DRAWN_SIDE = 70


def rows() -> Iterator[Row]:
    """Yield the rows of shared areas and of problems."""
    drawn = forest_scene(side=round(N_OVERLAP**0.5), annotators=1)
    for name, scene in (
        ("smooth outlines", tiled_scene(smooth_outlines, N_OVERLAP)),
        ("drawn crowns", drawn),
        ("boxes", bounding_box_scene(drawn)),
    ):
        yield _overlap_row(name, scene)
    boxes = bounding_box_scene(forest_scene(side=BOXES_SIDE, annotators=1))
    yield _problems_row("boxes", boxes)
    yield _problems_row("drawn crowns", forest_scene(side=DRAWN_SIDE, annotators=1))


def _overlap_row(name: str, scene: Scene) -> Row:
    """Return the row of the shared areas of all overlapping pairs of a scene.

    Args:
        name: name of the outlines.
        scene: targets and delineations.

    Raises:
        SystemExit: if the areas differ from those of shapely.
    """
    # New layers in every run: crowns keep their areas and bounds.
    work = partial(_overlap, scene)
    ours, theirs = measure_alternating(work, partial(_shapely_areas, scene), repeats=REPEATS)
    table = work()
    expected = _shapely_areas(scene)
    difference = abs(table.shared.sum() - expected.sum()) / expected.sum()
    if difference > 1e-9:
        raise SystemExit(f"The areas of {name} differ from those of shapely by {difference:.0e}.")
    n_vertices = int(np.median(shapely.get_num_coordinates(scene.targets)))
    return Row(
        "shared areas of overlapping pairs",
        ours,
        "shapely arrays: STRtree and intersection",
        theirs,
        memory=measure_memory(work),
        conditions=f"{len(scene.targets):,} {name}, {n_vertices} vertices, "
        f"{len(table.target):,} pairs; total area within {difference:.0e}",
    )


def _overlap(scene: Scene) -> Any:
    """Return the overlap table of a scene."""
    return polygon_overlap(Crowns(scene.targets), Crowns(scene.delineations))


def _shapely_areas(scene: Scene) -> Floats:
    """Return the shared area of each intersecting pair by shapely's arrays, m²."""
    tree = shapely.STRtree(scene.delineations)
    target, delineation = tree.query(scene.targets, predicate="intersects")
    shared = shapely.intersection(scene.targets[target], scene.delineations[delineation])
    return np.asarray(shapely.area(shared))


def _problems_row(name: str, scene: Scene) -> Row:
    """Return the row of the problems of a scene's crowns, next to scoring them.

    Args:
        name: name of the outlines.
        scene: targets and delineations.
    """
    targets = Crowns(scene.targets)
    delineations = Crowns(scene.delineations)
    score = partial(score_crowns, targets, delineations, PARAMETERS)
    scores = score()
    work = partial(find_problems, targets, delineations, scores)
    ours, theirs = measure_alternating(work, score, repeats=REPEATS)
    return Row(
        f"problems of {name}",
        ours,
        "scoring them",
        theirs,
        memory=measure_memory(work),
        conditions=f"{len(targets):,} targets and as many delineations",
    )


if __name__ == "__main__":
    report_rows(rows())
