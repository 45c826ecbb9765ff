"""A grid of 1,050 sets of parameters over four annotators' 150 shared crowns, against the paper's own way, in one run.

600 targets of 32 vertices with 1,800 right pairs, and the wrong pairs of the discrimination check; then their
bounding boxes. The peer is Algorithm 1 of the paper in shapely, delta 0.1 m, with the regions of every target made once
per set and used for its three delineations; it scores the right pairs only. It is timed on a sample of sets and targets
and scaled to all of them: it would take hours.

    python benchmarks/bench_tuning.py
"""

from __future__ import annotations

import itertools
import statistics
from collections.abc import Iterator
from functools import partial

import numpy as np
import shapely
from peers import step_regions, terms
from scenes import crown_scene
from table import Row, Time, in_turns, memory, show, timed

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


def rows() -> Iterator[Row]:
    polygons = annotators()
    sets = list(itertools.product(ALPHAS, OMEGAS, GAMMAS))
    ours, theirs = [], []
    for repeat in range(REPEATS):
        theirs.append(algorithm_1_times(polygons, sets, repeat))
        ours.append(timed(partial(grid_search, polygons)))
    own, peer = (
        Time(*(statistics.median(values) for values in zip(*times))) for times in (ours, theirs)
    )
    boxes = [
        Crowns(shapely.box(*shapely.bounds(layer.geometry).T), name=layer.name)
        for layer in polygons
    ]
    said = f"{len(sets):,} sets, 600 targets, 1,800 right pairs, and the wrong ones"
    yield Row(
        "choice of parameters, polygons",
        own,
        "Algorithm 1, regions kept per target, right pairs only, scaled",
        peer,
        memory=memory(partial(grid_search, polygons)),
        conditions=f"{said}; {differences(polygons)}",
        quoted=True,
    )
    yield Row(
        "choice of parameters, boxes",
        in_turns(partial(grid_search, boxes), repeats=4 * REPEATS)[0],
        memory=memory(partial(grid_search, boxes)),
        conditions=f"{said}; {differences(boxes)}",
    )


def annotators() -> list[Crowns]:
    """Four drawings of the same crowns: the targets and three others' of the shared benchmark scene, cut down."""
    scene = crown_scene(side=13)
    n = len(scene.targets)
    drawings = [scene.targets, *scene.delineations.reshape(3, n)]
    layers = [
        Crowns(drawing[:N_CROWNS], name=f"annotator {i + 1}") for i, drawing in enumerate(drawings)
    ]
    found = shared_crowns(layers).n_crowns
    if found != N_CROWNS:
        raise SystemExit(
            f"{found} crowns are shared, not {N_CROWNS}: the ratio would compare different work."
        )
    return layers


def algorithm_1_times(layers: list[Crowns], sets: list[tuple[float, ...]], seed: int) -> Time:
    """Times of Algorithm 1 for all sets and all targets of the cross-validation, from a sample of both."""
    rng = np.random.default_rng(seed)
    chosen = [sets[i] for i in rng.choice(len(sets), SAMPLED_SETS, replace=False)]

    def work() -> None:
        for alpha, omega, gamma in chosen:
            for _ in range(SAMPLED_TARGETS):
                owner, crown = rng.integers(len(layers)), rng.integers(N_CROWNS)
                target = layers[owner].geometry[crown]
                others = [layer.geometry[crown] for i, layer in enumerate(layers) if i != owner]
                regions = step_regions(target, alpha, omega, gamma)
                for other in others:
                    terms(regions, target, other)

    scale = len(sets) * len(layers) * N_CROWNS / (SAMPLED_SETS * SAMPLED_TARGETS)
    return Time(*(scale * value for value in timed(work)))


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
    for a, o, g in zip(
        rng.integers(10, size=12), rng.integers(15, size=12), rng.integers(7, size=12)
    ):
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
        variance_worst = max(
            variance_worst, abs(variance - totals.variance[a, o, g]) / index.shape[1]
        )
    return f"scores within {max(right_worst, wrong_worst, variance_worst):.0e} of direct ones"


if __name__ == "__main__":
    show(rows())
