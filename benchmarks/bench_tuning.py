"""Measure a grid search over 1,050 sets of parameters next to Algorithm 1 of the paper.

600 targets of 32 vertices, 150 shared crowns of four annotators, have 1,800 right pairs, and the
wrong pairs of the discrimination check; then the same with their bounding boxes. The peer is
Algorithm 1 in shapely with steps of 0.1 m. It makes the regions of a target once per set, for its
three delineations, and scores only the right pairs. As it would take hours, it is timed on a sample
of sets and targets and scaled to all of them::

    python benchmarks/bench_tuning.py
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import partial

import numpy as np
import shapely
from peers import score_pair, step_regions
from scenes import forest_scene
from table import (
    Row,
    Time,
    measure_alternating,
    measure_memory,
    measure_time,
    median_time,
    report_rows,
)

from randcrowns.core.crowns import Crowns
from randcrowns.core.scoring.parameters import RandCrownsParameters
from randcrowns.core.scoring.score import score_pairs
from randcrowns.core.tuning.experiment import find_shared_crowns
from randcrowns.core.tuning.grid import ParameterGrid, compute_areas, score_sets, sum_scores
from randcrowns.core.tuning.search import (
    DEFAULT_ALPHAS,
    DEFAULT_GAMMAS,
    DEFAULT_OMEGAS,
    search_grid,
)
from randcrowns.core.tuning.wrong_pairs import make_wrong_pairs

REPEATS = 5
#: Number of sets, and of targets for each set, on which the peer is timed.
N_SAMPLED_SETS = 40
N_SAMPLED_TARGETS = 3
#: Number of shared crowns.
N_CROWNS = 150
#: Number of sets for which grid scores are compared with direct ones.
N_COMPARED_SETS = 12


def rows() -> Iterator[Row]:
    """Yield the row of polygons next to the peer and the row of boxes."""
    polygons = annotators()
    sets = list(itertools.product(DEFAULT_ALPHAS, DEFAULT_OMEGAS, DEFAULT_GAMMAS))
    own_times = []
    peer_times = []
    for repeat in range(REPEATS):
        peer_times.append(algorithm_1_time(polygons, sets, repeat))
        own_times.append(measure_time(partial(search_grid, polygons)))
    boxes = [
        Crowns(shapely.box(*shapely.bounds(layer.geometry).T), name=layer.name)
        for layer in polygons
    ]
    conditions = f"{len(sets):,} sets, 600 targets, 1,800 right pairs, and the wrong ones"
    yield Row(
        "choice of parameters, polygons",
        median_time(own_times),
        "Algorithm 1, regions kept per target, right pairs only, scaled",
        median_time(peer_times),
        memory=measure_memory(partial(search_grid, polygons)),
        conditions=f"{conditions}; scores within {max_difference(polygons):.0e} of direct ones",
        is_quoted=True,
    )
    yield Row(
        "choice of parameters, boxes",
        measure_alternating(partial(search_grid, boxes), repeats=4 * REPEATS)[0],
        memory=measure_memory(partial(search_grid, boxes)),
        conditions=f"{conditions}; scores within {max_difference(boxes):.0e} of direct ones",
    )


def annotators() -> list[Crowns]:
    """Return four annotators' drawings of the same N_CROWNS crowns.

    Raises:
        SystemExit: if another number of crowns is shared, which would change the work.
    """
    scene = forest_scene(side=13)
    drawings = [scene.targets, *scene.delineations.reshape(3, len(scene.targets))]
    layers = [
        Crowns(drawing[:N_CROWNS], name=f"annotator {i + 1}") for i, drawing in enumerate(drawings)
    ]
    n_shared = find_shared_crowns(layers).n_crowns
    if n_shared != N_CROWNS:
        raise SystemExit(
            f"{n_shared} crowns are shared, not {N_CROWNS}: the ratio would compare different work."
        )
    return layers


def algorithm_1_time(layers: list[Crowns], sets: list[tuple[float, ...]], seed: int) -> Time:
    """Return the time of Algorithm 1 for all sets and targets, scaled from a sample.

    Args:
        layers: crowns of the annotators; the crowns of a row belong together.
        sets: alpha, omega and gamma of each set.
        seed: seed of the sample.
    """
    rng = np.random.default_rng(seed)
    chosen = [sets[i] for i in rng.choice(len(sets), N_SAMPLED_SETS, replace=False)]

    def work() -> None:
        for alpha, omega, gamma in chosen:
            for _ in range(N_SAMPLED_TARGETS):
                owner, crown = rng.integers(len(layers)), rng.integers(N_CROWNS)
                target = layers[owner].geometry[crown]
                others = [layer.geometry[crown] for i, layer in enumerate(layers) if i != owner]
                regions = step_regions(target, alpha, omega, gamma)
                for other in others:
                    score_pair(regions, target, other)

    time = measure_time(work)
    scale = len(sets) * len(layers) * N_CROWNS / (N_SAMPLED_SETS * N_SAMPLED_TARGETS)
    return Time(scale * time.wall, scale * time.processor)


def max_difference(layers: list[Crowns]) -> float:
    """Return the maximum difference between grid scores and direct ones over sampled sets.

    The difference of the variances of a set, per target, counts too.
    """
    space = ParameterGrid(
        np.array(DEFAULT_ALPHAS), np.array(DEFAULT_OMEGAS), np.array(DEFAULT_GAMMAS)
    )
    experiment = find_shared_crowns(layers)
    wrong = make_wrong_pairs(experiment)
    drawn = np.concatenate([experiment.geometry.ravel(), wrong.copies])
    index = np.vstack([experiment.delineation_index, wrong.delineation_index])
    n_right = len(experiment.delineation_index)
    parts = compute_areas(experiment.targets, drawn, index, space)
    totals = sum_scores(parts, space, n_right, np.ones(len(experiment.targets), dtype=bool))
    slot, target = np.nonzero(index >= 0)
    rng = np.random.default_rng(0)
    maximum = 0.0
    for a, o, g in zip(
        rng.integers(len(DEFAULT_ALPHAS), size=N_COMPARED_SETS),
        rng.integers(len(DEFAULT_OMEGAS), size=N_COMPARED_SETS),
        rng.integers(len(DEFAULT_GAMMAS), size=N_COMPARED_SETS),
    ):
        parameters = RandCrownsParameters(space.alphas[a], space.omegas[o], space.gammas[g])
        direct = np.zeros(index.shape)
        pairs = score_pairs(experiment.targets[target], drawn[index[slot, target]], parameters)
        direct[slot, target] = pairs["randcrowns"].fillna(0.0)

        interpolated = np.zeros(index.shape)
        for part in parts:
            scores = score_sets(part.areas, int(o), space.gammas)[a, g]
            interpolated[: len(scores), part.rows] = scores

        variance = direct[:n_right].var(axis=0, ddof=1).sum()
        variance_difference = abs(variance - totals.variance[a, o, g]) / index.shape[1]
        maximum = max(maximum, np.abs(interpolated - direct).max(), variance_difference)
    return float(maximum)


if __name__ == "__main__":
    report_rows(rows())
