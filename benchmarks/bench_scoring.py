"""Measure the scoring of layers and pairs next to the paper's algorithm, scipy and own parts.

    python benchmarks/bench_scoring.py [largest]

Every scene grows from 1,000 crowns to 100,000, boxes to a million, or to ``largest``. Peers of
pairs are timed on all pairs of evenly spread targets and scaled; our work scores all pairs.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from functools import partial
from typing import Any, Callable, NamedTuple

import numpy as np
import shapely
from peers import algorithm_1, algorithm_1_arrays, pixel_masks, pixel_sets, score_pair, step_regions
from scenes import (
    Scene,
    bounding_box_scene,
    forest_scene,
    pixel_outlines_in_place,
    smooth_outlines,
    tiled_scene,
)
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import min_weight_full_bipartite_matching
from table import (
    Row,
    Time,
    growth_exponent,
    measure_alternating,
    measure_memory,
    measure_time,
    report_rows,
)

from randcrowns.core import PRESETS, Crowns, score_crowns, score_pairs, target_regions
from randcrowns.core.arrays import Ints
from randcrowns.core.instances.overlap import polygon_overlap
from randcrowns.core.scoring.layer import score_layers
from randcrowns.core.scoring.pairing import Pairing, find_pair_candidates
from randcrowns.core.scoring.score import compute_offset_table, scores_to_table
from randcrowns.core.statistics import assign_by_cluster

PARAMETERS = PRESETS["image_boxes"]
LENGTHS = (PARAMETERS.alpha, PARAMETERS.omega, PARAMETERS.gamma)
#: Number of targets whose pairs the peers score, and of parts that take turns.
N_SAMPLED_TARGETS = 60
N_PARTS = 5
#: Number of edited crowns.
N_EDITS = 21
#: Size up to which the peers of slow scenes are measured; these run once.
_SLOW_SIZE = 10_000
#: Size of a pixel in the peers of boxes, and step of the edge's width, m.
_PIXEL = 0.1

#: Functions that score the pairs of the targets in the given rows.
Peers = dict[str, Callable[[Ints], None]]


class SceneSizes(NamedTuple):
    """A kind of scene.

    Attributes:
        make: returns a scene with about that many targets and one layer of delineations.
        max_with_peer: maximum number of targets that the peer scores too.
        max_alone: maximum number of targets.
    """

    make: Callable[[int], Scene]
    max_with_peer: int
    max_alone: int


def _drawn_scene(n_targets: int) -> Scene:
    return forest_scene(side=round(n_targets**0.5), annotators=1)


def _box_scene(n_targets: int) -> Scene:
    return bounding_box_scene(_drawn_scene(n_targets))


def _smooth_scene(n_targets: int) -> Scene:
    return tiled_scene(smooth_outlines, n_targets)


def _pixel_scene(n_targets: int, pixel: float) -> Scene:
    return tiled_scene(partial(pixel_outlines_in_place, pixel=pixel), n_targets)


SCENES = {
    "boxes": SceneSizes(_box_scene, 100_000, 1_000_000),
    "drawn crowns, 32 vertices": SceneSizes(_drawn_scene, 100_000, 100_000),
    "smooth crowns, 500 vertices": SceneSizes(_smooth_scene, _SLOW_SIZE, 100_000),
    "crowns along pixels of 20 cm": SceneSizes(
        partial(_pixel_scene, pixel=0.2), _SLOW_SIZE, 100_000
    ),
    "crowns along pixels of 10 cm": SceneSizes(
        partial(_pixel_scene, pixel=0.1), _SLOW_SIZE, 100_000
    ),
    "crowns along pixels of 5 cm": SceneSizes(
        partial(_pixel_scene, pixel=0.05), _SLOW_SIZE, 100_000
    ),
}


def rows(largest: int = 1_000_000) -> Iterator[Row]:
    """Yield all rows, with at most ``largest`` targets in a scene."""
    scene = forest_scene(side=40)
    yield from pair_rows(scene, "polygons, 32 vertices", polygon_peers(scene))
    boxes = bounding_box_scene(scene)
    yield from pair_rows(boxes, "boxes", box_peers(boxes))
    for name, (make, max_with_peer, max_alone) in SCENES.items():
        sizes = SceneSizes(make, min(max_with_peer, largest), min(max_alone, largest))
        yield from layer_rows(name, sizes)
    yield one_to_one_row()
    yield several_layers_row()
    yield from parallel_rows()
    yield from edit_rows()


def pair_rows(scene: Scene, name: str, peers: Peers) -> Iterator[Row]:
    """Yield the row of all overlapping pairs of a scene next to each peer, scaled.

    Args:
        scene: the scene.
        name: name of its crowns.
        peers: name -> peer.
    """
    n_targets = len(scene.targets)
    sampled = np.linspace(0, n_targets - 1, N_SAMPLED_TARGETS).astype(int)
    parts = np.array_split(sampled, N_PARTS)
    scale = n_targets / len(parts[0])
    for peer, score_with_peer in peers.items():
        turns = iter([*parts, *parts])
        ours, theirs = measure_alternating(
            partial(score_all, scene),
            lambda score=score_with_peer, turns=turns: score(next(turns)),
        )
        yield Row(
            f"pairs of {name}",
            ours,
            peer,
            Time(theirs.wall * scale, theirs.processor * scale),
            conditions=f"{n_targets:,} targets, 3 annotators, "
            f"all {len(scene.pair_target):,} overlapping pairs",
            is_quoted="regions kept" in peer,
        )


def score_all(scene: Scene) -> Any:
    """Return the scores of all pairs of a scene."""
    table = compute_offset_table(
        scene.targets, scene.delineations, scene.pair_target, scene.pair_delineation, PARAMETERS
    )
    return scores_to_table(table)


def pairs_of_targets(scene: Scene, targets: Ints) -> Ints:
    """Return the rows of the pairs of the targets in the given rows."""
    return np.flatnonzero(np.isin(scene.pair_target, targets))


def polygon_peers(scene: Scene) -> Peers:
    """Return the peers of a scene of polygons, from the slowest to the fastest."""

    def each_pair(targets: Ints) -> None:
        for row in pairs_of_targets(scene, targets):
            target = scene.targets[scene.pair_target[row]]
            algorithm_1(target, scene.delineations[scene.pair_delineation[row]], *LENGTHS)

    def regions_once(targets: Ints) -> None:
        regions = {target: step_regions(scene.targets[target], *LENGTHS) for target in targets}
        for row in pairs_of_targets(scene, targets):
            target = scene.pair_target[row]
            delineation = scene.delineations[scene.pair_delineation[row]]
            score_pair(regions[target], scene.targets[target], delineation)

    def arrays(targets: Ints, step: float | None = _PIXEL) -> None:
        pairs = pairs_of_targets(scene, targets)
        algorithm_1_arrays(
            scene.targets[targets],
            scene.delineations,
            np.searchsorted(targets, scene.pair_target[pairs]),
            scene.pair_delineation[pairs],
            *LENGTHS,
            step=step,
        )

    return {
        "Algorithm 1 for each pair, shapely, steps of 0.1 m": each_pair,
        "Algorithm 1, regions kept per target": regions_once,
        "the same with shapely arrays": arrays,
        "the same, edges by secants instead of steps": partial(arrays, step=None),
    }


def box_peers(scene: Scene) -> Peers:
    """Return the peers of a scene of boxes."""
    target_bounds = shapely.bounds(scene.targets)
    delineation_bounds = shapely.bounds(scene.delineations)

    def score_pixels(targets: Ints, score: Callable[..., Any]) -> None:
        for row in pairs_of_targets(scene, targets):
            target = tuple(target_bounds[scene.pair_target[row]])
            delineation = tuple(delineation_bounds[scene.pair_delineation[row]])
            score(target, delineation, *LENGTHS, _PIXEL)

    return {
        "sets of pixels of 0.1 m": partial(score_pixels, score=pixel_sets),
        "numpy masks of pixels of 0.1 m": partial(score_pixels, score=pixel_masks),
    }


def layer_rows(name: str, scene_sizes: SceneSizes) -> Iterator[Row]:
    """Yield the rows of score_crowns on growing scenes.

    The peer is score_pairs on the pairs that score_crowns scores. There is one row for the largest
    scene with the peer and one for the largest scene.
    """
    make, max_with_peer, max_alone = scene_sizes
    sizes = [n for n in (1_000, 10_000, 100_000, 1_000_000) if n <= max_alone]
    seconds: list[float] = []
    for n in sizes:
        scene = make(n)
        score_layer = partial(score_crowns, scene.targets, scene.delineations, PARAMETERS)
        # A large scene runs only once, for time and memory.
        times: list[Time] = []
        peak = measure_memory(
            lambda work=score_layer, times=times: times.append(measure_time(work))
        )
        ours = times[0]
        peer = ""
        theirs = None
        if n <= max_with_peer:
            pairs = score_layer().pairs
            targets = scene.targets[pairs["target"]]
            delineations = scene.delineations[pairs["delineation"]]
            peer = "score_pairs on its pairs"
            repeats = 3 if n <= 1_000 or max_with_peer > _SLOW_SIZE else 1
            ours, theirs = measure_alternating(
                score_layer,
                partial(score_pairs, targets, delineations, PARAMETERS),
                repeats=repeats,
            )
        seconds.append(ours.processor)
        if n in (max_with_peer, max_alone):
            yield Row(
                f"score_crowns, {name}",
                ours,
                peer,
                theirs,
                growth_exponent(sizes[: len(seconds)], seconds),
                peak,
                f"{sizes[0]:,} to {n:,} targets and delineations, nearest, "
                "with checks, tables and intervals",
            )


def one_to_one_row() -> Row:
    """Return the row of the assignment with the largest total, all pairs scored beforehand."""
    sizes = (1_000, 10_000, 100_000)
    seconds = []
    for n in sizes:
        row, column, gain = _positive_pairs(_box_scene(n))
        assign = partial(assign_by_cluster, row, column, gain)
        ours = measure_alternating(assign, repeats=3)[0]
        seconds.append(ours.processor)
    dense_row = np.unique(row, return_inverse=True)[1]
    dense_column = np.unique(column, return_inverse=True)[1]
    shape = (dense_row.max() + 1, dense_column.max() + 1)
    theirs = measure_time(lambda: _assign_with_scipy(dense_row, dense_column, 2 - gain, shape))
    return Row(
        "one-to-one pairing of boxes",
        ours,
        "scipy's sparse matching, all at once",
        theirs,
        growth_exponent(sizes, seconds),
        measure_memory(assign),
        f"1,000 to 100,000 targets, {len(row):,} pairs",
    )


def _assign_with_scipy(row: Ints, column: Ints, cost: np.ndarray, shape: tuple[int, int]) -> None:
    """Find the assignment of lowest total cost; a row without a column costs 2.

    Args:
        row: (n,) row of each pair.
        column: (n,) column of each pair.
        cost: (n,) cost of each pair.
        shape: number of rows and columns.
    """
    n_rows, n_columns = shape
    # Each row gets a column of its own that stands for no match.
    all_rows = np.arange(n_rows)
    costs = np.append(cost, np.full(n_rows, 2.0))
    indices = (np.append(row, all_rows), np.append(column, n_columns + all_rows))
    matrix = coo_matrix((costs, indices), shape=(n_rows, n_rows + n_columns))
    min_weight_full_bipartite_matching(matrix.tocsr())


def _positive_pairs(scene: Scene) -> tuple[Ints, Ints, np.ndarray]:
    """Return target row, delineation row and RandCrowns of each pair with a positive score."""
    pairs = find_pair_candidates(
        Crowns(scene.targets), Crowns(scene.delineations), Pairing.HUNGARIAN
    )
    table = compute_offset_table(
        scene.targets, scene.delineations, pairs.target, pairs.delineation, PARAMETERS
    )
    score = scores_to_table(table)["randcrowns"].fillna(0.0).to_numpy()
    return pairs.target[score > 0], pairs.delineation[score > 0], score[score > 0]


def several_layers_row() -> Row:
    """Return the row of three layers and the regions in one run, next to separate runs."""
    scene = forest_scene(side=40)
    targets = Crowns(scene.targets)
    layers = [Crowns(crowns) for crowns in np.split(scene.delineations, 3)]

    def score_separately() -> None:
        for layer in layers:
            score_layers(targets, [layer], PARAMETERS)
        target_regions(scene.targets, PARAMETERS)

    score_together = partial(score_layers, targets, layers, PARAMETERS, with_regions=True)
    ours, theirs = measure_alternating(score_together, score_separately)
    return Row(
        "three layers and the regions",
        ours,
        "each by itself",
        theirs,
        conditions=f"{len(targets):,} drawn targets, whose offsets are computed once",
    )


def parallel_rows() -> Iterator[Row]:
    """Yield the rows of work that uses all processors, next to the same work on one."""
    scene = forest_scene(side=100, annotators=1)
    targets = Crowns(scene.targets)
    delineations = Crowns(scene.delineations)
    works: dict[str, Callable[[], Any]] = {
        "target_regions": partial(target_regions, scene.targets, PARAMETERS),
        "polygon_overlap": partial(polygon_overlap, targets, delineations),
    }

    def run_on_one_thread(work: Callable[[], Any]) -> None:
        os.environ["OMP_NUM_THREADS"] = "1"
        try:
            work()
        finally:
            del os.environ["OMP_NUM_THREADS"]

    for name, work in works.items():
        ours, theirs = measure_alternating(work, partial(run_on_one_thread, work))
        yield Row(
            name,
            ours,
            "one thread",
            theirs,
            None,
            measure_memory(work),
            f"{len(targets):,} drawn crowns",
        )


def edit_rows() -> Iterator[Row]:
    """Yield the rows of one edited crown that is scored among 10,000 others."""
    scene = forest_scene(side=100, annotators=1)
    delineations = Crowns(scene.delineations)
    sampled = scene.targets[np.linspace(0, len(scene.targets) - 1, N_EDITS).astype(int)]
    for name, crowns in (
        ("drawn", sampled),
        ("10 cm pixels", pixel_outlines_in_place(sampled, 0.1)),
    ):
        turns = iter([*crowns, *crowns])
        ours = measure_alternating(
            lambda turns=turns: score_crowns([next(turns)], delineations, PARAMETERS),
            repeats=N_EDITS,
        )[0]
        yield Row(f"one edited crown, {name}", ours, conditions="score_crowns among 10,000 others")


if __name__ == "__main__":
    report_rows(rows(*map(int, sys.argv[1:2])))
