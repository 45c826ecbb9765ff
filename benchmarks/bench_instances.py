"""Speed and memory of the point cloud evaluation, against pointtree where it is installed, one thread, in one run.

    python benchmarks/bench_instances.py [--points 1000000] [--trees 500] [--repeats 3] [--no-peer]

The cloud is that of core.sample_cloud, seed 0; then
one of as many points in which a single prediction covers --covered targets.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import sys
import types
import warnings
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, Callable

import numpy as np
from table import Row, in_turns, memory, show

# The peer's Python need not have the package installed: the checkout is the package.
if importlib.util.find_spec("randcrowns") is None:
    sys.modules["randcrowns"] = package = types.ModuleType("randcrowns")
    package.__path__ = [str(Path(__file__).resolve().parents[1])]

from randcrowns.core.instances import pointtree as ours
from randcrowns.core.sample.cloud import sample_cloud

METHODS = (
    "panoptic_segmentation",
    "point2tree",
    "for_instance",
    "for_ai_net",
    "for_ai_net_coverage",
    "tree_learn",
)


def covered_cloud(n_points: int, n_targets: int) -> Any:
    """A cloud in which one prediction covers all targets, each of them all over the plot."""
    rng = np.random.default_rng(0)
    target = rng.integers(0, n_targets, n_points)
    prediction = np.zeros(n_points, dtype=np.int64)
    return types.SimpleNamespace(
        target=target, prediction=prediction, xyz=rng.uniform(0, 50, (n_points, 3))
    )


def rows() -> Iterator[Row]:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--points", type=float, default=1e6)
    parser.add_argument("--trees", type=int, default=500)
    parser.add_argument("--covered", type=int, default=100)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--no-peer", action="store_true")
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
    said = f"{n:,} points, {options.trees} trees" + ("" if theirs else "; no pointtree here")

    def row(name: str, work: Callable[[Any], Any], conditions: str) -> Row:
        works = [partial(work, library) for library in (ours, theirs) if library is not None]
        found = in_turns(*works, repeats=options.repeats)
        peer = found[1] if theirs is not None else None
        return Row(name, found[0], "pointtree", peer, None, memory(works[0]), conditions)

    for method in METHODS:

        def matched(library: Any, method: str = method) -> Any:
            return library.match_instances(cloud.target, cloud.prediction, cloud.xyz, method)

        yield row(f"matching of points, {method}", matched, said)

    def evaluated(library: Any, cloud: Any = cloud) -> Any:
        return library.evaluate_instance_segmentation(cloud.xyz, cloud.target, cloud.prediction)

    one_for_all = covered_cloud(n, options.covered)
    yield row("evaluation of a point cloud", evaluated, said)
    covered = f"{n:,} points, one prediction for {options.covered} targets"
    yield row("evaluation of a point cloud", partial(evaluated, cloud=one_for_all), covered)


if __name__ == "__main__":
    show(rows())
