"""A grid of 1,050 sets of parameters over four annotators' 150 shared crowns, against the paper's own way, in one run.

600 targets of 32 vertices with 1,800 right pairs, and the wrong pairs of the discrimination check; then their
bounding boxes. The peer is Algorithm 1 of the paper in shapely, delta 0.1 m, with the regions of every target made once
per set and used for its three delineations; it scores the right pairs only. It is timed on a sample of sets and targets
and scaled to all of them: it would take hours.

    python benchmarks/bench_tuning.py
"""

from __future__ import annotations

import itertools
import os
import statistics
import time
from collections.abc import Sequence
from functools import partial
from typing import Any, Callable

import numpy as np
import shapely
from scenes import crown_scene

from randcrowns.core.crowns import Crowns
from randcrowns.core.scoring.parameters import RandCrownsParameters
from randcrowns.core.scoring.score import score_pairs
from randcrowns.core.tuning.experiment import shared_crowns
from randcrowns.core.tuning.grid import GridSpace, grid_parts, grid_totals, set_scores
from randcrowns.core.tuning.search import ALPHAS, GAMMAS, OMEGAS, grid_search
from randcrowns.core.tuning.wrong_pairs import wrong_pairs

REPEATS = 5
SAMPLED_SETS, SAMPLED_TARGETS = 40, 3
N_CROWNS = 150


def main() -> None:
    polygons = annotators()
    sets = list(itertools.product(ALPHAS, OMEGAS, GAMMAS))
    ours, theirs = [], []
    for repeat in range(REPEATS):
        theirs.append(algorithm_1_times(polygons, sets, repeat))
        ours.append(times(partial(grid_search, polygons)))
    print(f"{len(sets):,} sets, 600 targets, 1,800 right pairs; load of the machine {os.getloadavg()[0]:.1f}")
    print("Polygons (grid, wrong pairs, best set scored directly) against Algorithm 1, cached per target, scaled")
    for name, our, their in zip(("time", "processor time, both cores together"), zip(*ours), zip(*theirs)):
        ratios = [slow / fast for slow, fast in zip(their, our)]
        print(f"  {name}: {spread(our)} against {statistics.median(their):,.0f} s")
        print(f"    ratio: median {statistics.median(ratios):,.0f} ({min(ratios):,.0f} to {max(ratios):,.0f})")
    boxes = [Crowns(shapely.box(*shapely.bounds(layer.geometry).T), name=layer.name) for layer in polygons]
    print(f"Boxes: {spread([times(partial(grid_search, boxes))[0] for _ in range(4 * REPEATS)])}")
    for name, layers in (("polygons", polygons), ("boxes", boxes)):
        print(f"Largest difference from direct scores, {name}: " + differences(layers))


def annotators() -> list[Crowns]:
    """Four drawings of the same crowns: the targets and three others' of the shared benchmark scene, cut down."""
    scene = crown_scene(side=13)
    n = len(scene.targets)
    drawings = [scene.targets, *scene.delineations.reshape(3, n)]
    layers = [Crowns(drawing[:N_CROWNS], name=f"annotator {i + 1}") for i, drawing in enumerate(drawings)]
    found = shared_crowns(layers).n_crowns
    if found != N_CROWNS:
        raise SystemExit(f"{found} crowns are shared, not {N_CROWNS}: the ratio would compare different work.")
    return layers


def algorithm_1_times(layers: list[Crowns], sets: list[tuple[float, ...]], seed: int) -> tuple[float, float]:
    """Times of Algorithm 1 for all sets and all targets of the cross-validation, from a sample of both."""
    rng = np.random.default_rng(seed)
    chosen = [sets[i] for i in rng.choice(len(sets), SAMPLED_SETS, replace=False)]

    def work() -> None:
        for alpha, omega, gamma in chosen:
            for _ in range(SAMPLED_TARGETS):
                owner, crown = rng.integers(len(layers)), rng.integers(N_CROWNS)
                target = layers[owner].geometry[crown]
                others = [layer.geometry[crown] for i, layer in enumerate(layers) if i != owner]
                algorithm_1_cached(target, others, alpha, omega, gamma)

    scale = len(sets) * len(layers) * N_CROWNS / (SAMPLED_SETS * SAMPLED_TARGETS)
    elapsed, busy = times(work)
    return elapsed * scale, busy * scale


def algorithm_1_cached(
    target: Any, delineations: list[Any], alpha: float, omega: float, gamma: float, step: float = 0.1
) -> list[float]:
    """RandCrowns of one target's delineations: its regions are made once."""
    certain = target.buffer(-alpha, quad_segs=16)
    tolerated = target.buffer(omega, quad_segs=16)
    width = 2 * gamma * omega
    edge = tolerated.buffer(width, quad_segs=16)
    while width > step and edge.difference(tolerated).area > gamma * certain.area:
        width -= step
        edge = tolerated.buffer(width, quad_segs=16)
    scores = []
    for delineation in delineations:
        negative = edge.union(delineation).difference(tolerated)
        a = delineation.intersection(certain).area ** 2
        b = negative.difference(delineation).area ** 2
        c = delineation.intersection(negative).area ** 2
        d = certain.difference(delineation).area ** 2
        scores.append(0.0 if a == 0 else (a + b) / (a + b + c + d))
    return scores


def differences(layers: list[Crowns]) -> str:
    """Of grid scores from direct ones: right pairs, wrong pairs, and the variances of the sets, over sampled sets."""
    space = GridSpace(np.array(ALPHAS), np.array(OMEGAS), np.array(GAMMAS))
    experiment = shared_crowns(layers)
    wrong = wrong_pairs(experiment)
    drawn = np.concatenate([experiment.geometry.ravel(), wrong.copies])
    index = np.vstack([experiment.delineation, wrong.delineation])
    n_right = len(experiment.delineation)
    parts = grid_parts(experiment.targets, drawn, index, space)
    totals = grid_totals(parts, space, n_right, np.ones(len(experiment.targets), dtype=bool))
    slot, target = np.nonzero(index >= 0)
    rng = np.random.default_rng(0)
    right_worst = wrong_worst = variance_worst = 0.0
    for a, o, g in zip(rng.integers(10, size=12), rng.integers(15, size=12), rng.integers(7, size=12)):
        parameters = RandCrownsParameters(space.alphas[a], space.omegas[o], space.gammas[g])
        direct = np.zeros(index.shape)
        pairs = score_pairs(experiment.targets[target], drawn[index[slot, target]], parameters)
        direct[slot, target] = pairs["randcrowns"].fillna(0.0)
        found = np.zeros(index.shape)
        for part in parts:
            scores = set_scores(part.grid, int(o), space.gammas)[a, g]
            found[: len(scores), part.rows] = scores
        difference = np.abs(found - direct)
        right_worst = max(right_worst, difference[:n_right].max())
        wrong_worst = max(wrong_worst, difference[n_right:].max())
        variance = direct[:n_right].var(axis=0, ddof=1).sum()
        variance_worst = max(variance_worst, abs(variance - totals.variance[a, o, g]) / index.shape[1])
    return f"right pairs {right_worst:.1e}, wrong pairs {wrong_worst:.1e}, variance of a set {variance_worst:.1e}"


def times(work: Callable[[], Any]) -> tuple[float, float]:
    """Seconds gone by, and seconds of processor time."""
    start, busy = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - start, time.process_time() - busy


def spread(values: Sequence[float]) -> str:
    return f"median {statistics.median(values):.3f} s ({min(values):.3f} to {max(values):.3f})"


if __name__ == "__main__":
    main()
