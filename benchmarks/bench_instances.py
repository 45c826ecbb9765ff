"""Speed and memory of the point cloud evaluation, against pointtree where it is installed, one thread, in one run.

    python benchmarks/bench_instances.py [--points 1000000] [--trees 500] [--repeats 3] [--no-peer] [--no-partitions]

Prints medians, ratios and the memory above the input per point. The cloud is that of core.sample_cloud, seed 0; then
one of as many points in which a single prediction covers --covered targets.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import statistics
import sys
import time
import tracemalloc
import types
import warnings
from functools import partial
from pathlib import Path
from typing import Any, Callable

import numpy as np

# The peer's Python need not have the package installed: the checkout is the package.
if importlib.util.find_spec("randcrowns") is None:
    sys.modules["randcrowns"] = package = types.ModuleType("randcrowns")
    package.__path__ = [str(Path(__file__).resolve().parents[1])]

from randcrowns.core.instances import pointtree as ours
from randcrowns.core.sample.cloud import sample_cloud

METHODS = ("panoptic_segmentation", "point2tree", "for_instance", "for_ai_net", "for_ai_net_coverage", "tree_learn")


def seconds(work: Callable[[], Any]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def compare(name: str, own: Callable[[], Any], peer: Callable[[], Any] | None, repeats: int, peer_repeats: int) -> None:
    """Time both alternately and print the medians and their ratio."""
    own()
    own_times, peer_times = [], []
    for turn in range(repeats):
        own_times.append(seconds(own))
        if peer is not None and turn < peer_repeats:
            peer_times.append(seconds(peer))
    mine = statistics.median(own_times)
    line = f"{name:45s} {mine * 1e3:10.1f} ms"
    if peer_times:
        theirs = statistics.median(peer_times)
        line += f"   pointtree {theirs * 1e3:10.1f} ms   {theirs / mine:6.1f} times as fast"
    print(line, flush=True)


def peak_bytes(work: Callable[[], Any]) -> int:
    """Most memory that the work holds at once, its results included."""
    tracemalloc.start()
    work()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def covered_cloud(n_points: int, n_targets: int) -> Any:
    """A cloud in which one prediction covers all targets, each of them all over the plot."""
    rng = np.random.default_rng(0)
    target = rng.integers(0, n_targets, n_points)
    prediction = np.zeros(n_points, dtype=np.int64)
    return types.SimpleNamespace(target=target, prediction=prediction, xyz=rng.uniform(0, 50, (n_points, 3)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--points", type=float, default=1e6)
    parser.add_argument("--trees", type=int, default=500)
    parser.add_argument("--covered", type=int, default=100)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--peer-repeats", type=int, default=3)
    parser.add_argument("--no-peer", action="store_true")
    parser.add_argument("--no-partitions", action="store_true")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    theirs: Any = None
    if not options.no_peer and importlib.util.find_spec("pointtree") is not None:
        os.environ["OMP_NUM_THREADS"] = "1"
        import pointtree.evaluation as theirs
        import torch

        torch.set_num_threads(1)
    n = int(options.points)
    cloud = sample_cloud(n, options.trees)
    print(f"{n} points, {options.trees} trees, numpy {np.__version__}; one thread")

    def peer_of(work: Callable[[Any], Any]) -> Callable[[], Any] | None:
        return None if theirs is None else partial(work, theirs)

    for method in METHODS:

        def matched(library: Any, method: str = method) -> Any:
            return library.match_instances(cloud.target, cloud.prediction, cloud.xyz, method)

        own, peer = partial(matched, ours), peer_of(matched)
        compare(f"match_instances {method}", own, peer, options.repeats, options.peer_repeats)
        print(f"{peak_bytes(own) / n:55.1f} bytes per point above the input at most")

    def evaluated(library: Any, cloud: Any = cloud) -> Any:
        return library.evaluate_instance_segmentation(cloud.xyz, cloud.target, cloud.prediction)

    one_for_all = covered_cloud(n, options.covered)
    covered = partial(evaluated, cloud=one_for_all)
    for name, work in (("", evaluated), (f", one prediction for {options.covered} targets", covered)):
        own, peer = partial(work, ours), peer_of(work)
        print(
            f"evaluate_instance_segmentation{name}: {peak_bytes(own) / n:.1f} bytes per point above the input at most"
        )
        if not options.no_partitions:
            compare("evaluate_instance_segmentation", own, peer, options.repeats, options.peer_repeats)


if __name__ == "__main__":
    main()
