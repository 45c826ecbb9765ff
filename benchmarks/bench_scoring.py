"""Scoring whole layers against the paper's own way, pair by pair, in the same run.

10,000 targets of 32 vertices, three other annotators' 30,000 delineations, every overlapping pair scored (alpha 0.7 m,
omega 1.2 m, gamma 3). The peers are timed on evenly spread pairs and scaled; they take a quarter of an hour each
otherwise. Memory is what the whole process grows by while it scores.

    python benchmarks/bench_scoring.py
"""

from __future__ import annotations

import statistics
import threading
import time
from functools import partial
from pathlib import Path
from typing import Any, Callable

import numpy as np
import shapely
from peers import algorithm_1, pixel_sets
from scenes import Scene, boxes_of, crown_scene

from randcrowns.core import PRESETS, score_crowns
from randcrowns.core.arrays import Ints
from randcrowns.core.scoring.score import offset_table, score_table

PARAMETERS = PRESETS["image_boxes"]
REPEATS = 5
SAMPLE = 400


def main() -> None:
    scene = crown_scene()
    print(f"{len(scene.targets):,} targets, {len(scene.delineations):,} delineations")
    print(f"Memory above the input: {memory_growth(lambda: score_all(scene)):.0f} MB")
    compare("Polygons", scene, _algorithm_1, "Algorithm 1 as a plain shapely loop, delta 0.1 m")
    whole = median_seconds(lambda: score_crowns(scene.targets, scene.delineations, PARAMETERS), 3)
    print(f"  score_crowns, nearest pairs, with checks, summary and intervals: {whole:.2f} s")
    compare("Boxes", boxes_of(scene), _pixel_sets, "sets of 0.1 m pixels")


def compare(name: str, scene: Scene, peer: Callable[[Any, Any], Any], peer_name: str) -> None:
    """Print the medians of both in one run, and their ratio."""
    pairs = len(scene.target)
    sample = np.linspace(0, pairs - 1, SAMPLE).astype(int)
    ours, theirs = [], []
    for part in np.array_split(sample, REPEATS):
        theirs.append(seconds(partial(_one_by_one, peer, scene, part)) / len(part))
        ours.append(seconds(lambda: score_all(scene)) / pairs)
    ratios = [slow / fast for slow, fast in zip(theirs, ours)]
    print(f"{name}: all {pairs:,} overlapping pairs")
    print(
        f"  RandCrowns' core: {statistics.median(ours) * pairs:.3f} s ({statistics.median(ours) * 1e6:.2f} µs a pair)"
    )
    print(f"  {peer_name}: {statistics.median(theirs) * 1e3:.2f} ms a pair, {statistics.median(theirs) * pairs:.0f} s")
    print(f"  ratio: median {statistics.median(ratios):,.0f} ({min(ratios):,.0f} to {max(ratios):,.0f})")


def _one_by_one(peer: Callable[[Any, Any], Any], scene: Scene, rows: Ints) -> None:
    for row in rows:
        peer(scene.targets[scene.target[row]], scene.delineations[scene.delineation[row]])


def score_all(scene: Scene) -> Any:
    table = offset_table(scene.targets, scene.delineations, scene.target, scene.delineation, PARAMETERS)
    return score_table(table)


def _algorithm_1(target: Any, drawn: Any) -> Any:
    return algorithm_1(target, drawn, PARAMETERS.alpha, PARAMETERS.omega, PARAMETERS.gamma)


def _pixel_sets(target: Any, drawn: Any) -> Any:
    return pixel_sets(
        shapely.bounds(target), shapely.bounds(drawn), PARAMETERS.alpha, PARAMETERS.omega, PARAMETERS.gamma, 0.1
    )


def seconds(work: Callable[[], Any]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def median_seconds(work: Callable[[], Any], repeats: int) -> float:
    return statistics.median(seconds(work) for _ in range(repeats))


def memory_growth(work: Callable[[], Any]) -> float:
    """Megabytes by which the resident memory rises at most while ``work`` runs."""
    before, most, done = _resident(), [0.0], threading.Event()

    def watch() -> None:
        while not done.wait(0.01):
            most[0] = max(most[0], _resident())

    watcher = threading.Thread(target=watch)
    watcher.start()
    work()
    done.set()
    watcher.join()
    return most[0] - before


def _resident() -> float:
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 1e6


if __name__ == "__main__":
    main()
