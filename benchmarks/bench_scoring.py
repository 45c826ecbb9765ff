"""Scoring whole layers and single pairs beside the paper's algorithm, scipy, and our own parts one by one.

    python benchmarks/bench_scoring.py [largest]

Every scene grows from 1,000 crowns to 100,000, boxes to a million, or to ``largest``. Peers of pairs are timed on
evenly spread targets with all of their pairs and scaled; ours takes all of them.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from functools import partial
from typing import Any, Callable

import numpy as np
import shapely
from peers import algorithm_1, algorithm_1_arrays, pixel_masks, pixel_sets, step_regions, terms
from scenes import Scene, boxes_of, crown_scene, many, pixel_edged, smooth
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import min_weight_full_bipartite_matching
from table import Row, Time, growth, in_turns, memory, show, timed

from randcrowns.core import PRESETS, Crowns, score_crowns, score_pairs, target_regions
from randcrowns.core.arrays import Ints
from randcrowns.core.instances.overlap import polygon_overlap
from randcrowns.core.scoring.layer import score_layers
from randcrowns.core.scoring.pairing import Pairing, candidates
from randcrowns.core.scoring.score import offset_table, score_table
from randcrowns.core.statistics import local_total

PARAMETERS = PRESETS["image_boxes"]
LENGTHS = (PARAMETERS.alpha, PARAMETERS.omega, PARAMETERS.gamma)
SAMPLE = 60
EDITS = 21
_SLOW = 10_000

#: What is drawn, how to make that many targets and one layer of delineations, and the most of them: beside the peer,
#: and alone.
SCENES: dict[str, tuple[Callable[[int], Scene], int, int]] = {
    "boxes": (
        lambda n: boxes_of(crown_scene(side=round(n**0.5), annotators=1)),
        100_000,
        1_000_000,
    ),
    "drawn crowns, 32 vertices": (
        lambda n: crown_scene(side=round(n**0.5), annotators=1),
        100_000,
        100_000,
    ),
    "smooth crowns, 500 vertices": (lambda n: many(smooth, n), 10_000, 100_000),
    "crowns along pixels of 20 cm": (
        lambda n: many(partial(pixel_edged, pixel=0.2), n),
        10_000,
        100_000,
    ),
    "crowns along pixels of 10 cm": (
        lambda n: many(partial(pixel_edged, pixel=0.1), n),
        10_000,
        100_000,
    ),
    "crowns along pixels of 5 cm": (
        lambda n: many(partial(pixel_edged, pixel=0.05), n),
        10_000,
        100_000,
    ),
}


def rows(largest: int = 1_000_000) -> Iterator[Row]:
    scene = crown_scene(side=40)
    yield from pairs(scene, "polygons, 32 vertices", polygon_peers(scene))
    boxes = boxes_of(scene)
    yield from pairs(boxes, "boxes", box_peers(boxes))
    for name, (make, beside, most) in SCENES.items():
        yield from layers(name, make, min(beside, largest), min(most, largest))
    yield one_to_one()
    yield together()
    yield from both_processors()
    yield from edited()


Peers = dict[str, Callable[[Ints], None]]


def pairs(scene: Scene, name: str, peers: Peers) -> Iterator[Row]:
    """The core on all overlapping pairs, beside each peer on those of some targets, scaled."""
    targets = len(scene.targets)
    parts = np.array_split(np.linspace(0, targets - 1, SAMPLE).astype(int), 5)
    for peer, work in peers.items():
        turns = iter([*parts, *parts])
        share = targets / len(parts[0])
        ours, theirs = in_turns(
            partial(score_all, scene), lambda work=work, turns=turns: work(next(turns))
        )
        yield Row(
            f"pairs of {name}",
            ours,
            peer,
            Time(theirs.wall * share, theirs.processor * share),
            conditions=f"{targets:,} targets, 3 annotators, all {len(scene.target):,} overlapping pairs",
            quoted="regions kept" in peer,
        )


def score_all(scene: Scene) -> Any:
    table = offset_table(
        scene.targets, scene.delineations, scene.target, scene.delineation, PARAMETERS
    )
    return score_table(table)


def of_targets(scene: Scene, some: Ints) -> Ints:
    """Rows of the pairs of some targets."""
    return np.flatnonzero(np.isin(scene.target, some))


def polygon_peers(scene: Scene) -> Peers:
    def each(some: Ints) -> None:
        for row in of_targets(scene, some):
            algorithm_1(
                scene.targets[scene.target[row]],
                scene.delineations[scene.delineation[row]],
                *LENGTHS,
            )

    def kept(some: Ints) -> None:
        regions = {target: step_regions(scene.targets[target], *LENGTHS) for target in some}
        for row in of_targets(scene, some):
            target = scene.target[row]
            terms(
                regions[target], scene.targets[target], scene.delineations[scene.delineation[row]]
            )

    def arrays(some: Ints, step: float | None = 0.1) -> None:
        found = of_targets(scene, some)
        place = np.searchsorted(some, scene.target[found])
        algorithm_1_arrays(
            scene.targets[some],
            scene.delineations,
            place,
            scene.delineation[found],
            *LENGTHS,
            step=step,
        )

    return {
        "Algorithm 1 for each pair, shapely, steps of 0.1 m": each,
        "Algorithm 1, regions kept per target": kept,
        "the same with shapely arrays": arrays,
        "the same, edges by secants instead of steps": partial(arrays, step=None),
    }


def box_peers(scene: Scene) -> Peers:
    one, other = shapely.bounds(scene.targets), shapely.bounds(scene.delineations)

    def by_pixels(some: Ints, count: Callable[..., Any]) -> None:
        for row in of_targets(scene, some):
            count(
                tuple(one[scene.target[row]]), tuple(other[scene.delineation[row]]), *LENGTHS, 0.1
            )

    return {
        "sets of pixels of 0.1 m": partial(by_pixels, count=pixel_sets),
        "numpy masks of pixels of 0.1 m": partial(by_pixels, count=pixel_masks),
    }


def layers(name: str, make: Callable[[int], Scene], beside: int, most: int) -> Iterator[Row]:
    """All of score_crowns beside score_pairs on the pairs that it scores, from 1,000 targets on; most targets alone."""
    sizes = [n for n in (1_000, 10_000, 100_000, 1_000_000) if n <= most]
    seconds: list[float] = []
    for n in sizes:
        scene = make(n)
        whole = partial(score_crowns, scene.targets, scene.delineations, PARAMETERS)
        once: list[Time] = []
        grown = memory(lambda whole=whole, once=once: once.append(timed(whole)))
        ours, peer, theirs = once[0], "", None
        if n <= beside:
            found = whole().pairs
            one, other = scene.targets[found["target"]], scene.delineations[found["delineation"]]
            peer = "score_pairs on its pairs"
            repeats = 3 if n <= 1_000 or beside > _SLOW else 1
            ours, theirs = in_turns(
                whole, partial(score_pairs, one, other, PARAMETERS), repeats=repeats
            )
        seconds.append(ours.processor)
        if n in (beside, most):
            told = f"{sizes[0]:,} to {n:,} targets and delineations, nearest, with checks, tables and intervals"
            yield Row(
                f"score_crowns, {name}",
                ours,
                peer,
                theirs,
                growth(sizes[: len(seconds)], seconds),
                grown,
                told,
            )


def one_to_one() -> Row:
    """The assignment with the largest total of 100,000 boxes, all pairs scored beforehand."""
    sizes, seconds = (1_000, 10_000, 100_000), []
    for n in sizes:
        row, column, gain = _gains(boxes_of(crown_scene(side=round(n**0.5), annotators=1)))
        ours = in_turns(partial(local_total, row, column, gain), repeats=3)[0]
        seconds.append(ours.processor)
    places = [np.unique(side, return_inverse=True)[1] for side in (row, column)]
    shape = (places[0].max() + 1, places[1].max() + 1)
    theirs = timed(lambda: _by_scipy(*places, 2 - gain, shape))
    return Row(
        "one-to-one pairing of boxes",
        ours,
        "scipy's sparse matching, all at once",
        theirs,
        growth(sizes, seconds),
        memory(partial(local_total, row, column, gain)),
        f"1,000 to 100,000 targets, {len(row):,} pairs",
    )


def _by_scipy(row: Ints, column: Ints, cost: np.ndarray, shape: tuple[int, int]) -> None:
    """The lowest total cost, where a row without a column costs 2."""
    rows = np.arange(shape[0])
    places = np.append(row, rows), np.append(column, shape[1] + rows)
    costs = coo_matrix(
        (np.append(cost, np.full(shape[0], 2.0)), places), shape=(shape[0], sum(shape))
    )
    min_weight_full_bipartite_matching(costs.tocsr())


def _gains(scene: Scene) -> tuple[Ints, Ints, np.ndarray]:
    chosen = candidates(Crowns(scene.targets), Crowns(scene.delineations), Pairing.HUNGARIAN)
    table = offset_table(
        scene.targets, scene.delineations, chosen.target, chosen.delineation, PARAMETERS
    )
    score = score_table(table)["randcrowns"].fillna(0.0).to_numpy()
    return chosen.target[score > 0], chosen.delineation[score > 0], score[score > 0]


def together() -> Row:
    """Three layers and the regions in one run, beside one after the other."""
    scene = crown_scene(side=40)
    targets = Crowns(scene.targets)
    drawn = [Crowns(some) for some in np.split(scene.delineations, 3)]

    def alone() -> None:
        for layer in drawn:
            score_layers(targets, [layer], PARAMETERS)
        target_regions(scene.targets, PARAMETERS)

    ours, theirs = in_turns(
        partial(score_layers, targets, drawn, PARAMETERS, with_regions=True), alone
    )
    return Row(
        "three layers and the regions",
        ours,
        "each by itself",
        theirs,
        conditions=f"{len(targets):,} drawn targets, whose offsets are made once",
    )


def both_processors() -> Iterator[Row]:
    """Work that uses all processors, beside the same on one."""
    scene = crown_scene(side=100, annotators=1)
    one, other = Crowns(scene.targets), Crowns(scene.delineations)
    works: dict[str, Callable[[], Any]] = {
        "target_regions": partial(target_regions, scene.targets, PARAMETERS),
        "polygon_overlap": partial(polygon_overlap, one, other),
    }

    def alone(work: Callable[[], Any]) -> None:
        os.environ["OMP_NUM_THREADS"] = "1"
        try:
            work()
        finally:
            del os.environ["OMP_NUM_THREADS"]

    for name, work in works.items():
        ours, theirs = in_turns(work, partial(alone, work))
        yield Row(
            name, ours, "one thread", theirs, None, memory(work), f"{len(one):,} drawn crowns"
        )


def edited() -> Iterator[Row]:
    """One crown that was edited, scored among 10,000 others."""
    scene = crown_scene(side=100, annotators=1)
    others = Crowns(scene.delineations)
    some = np.linspace(0, len(scene.targets) - 1, EDITS).astype(int)
    for name, crowns in (
        ("drawn", scene.targets[some]),
        ("10 cm pixels", pixel_edged(scene.targets[some], 0.1)),
    ):
        turns = iter([*crowns, *crowns])
        ours = in_turns(
            lambda turns=turns: score_crowns([next(turns)], others, PARAMETERS), repeats=EDITS
        )[0]
        yield Row(f"one edited crown, {name}", ours, conditions="score_crowns among 10,000 others")


if __name__ == "__main__":
    show(rows(*map(int, sys.argv[1:2])))
