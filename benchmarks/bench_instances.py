"""Measure the evaluation of point clouds next to pointtree, with one thread.

    python benchmarks/bench_instances.py [--points 1000000] [--trees 500] [--repeats 3] [--no-peer]

The cloud is that of scripts/sample/cloud.py, seed 0, then a cloud of as many points in which a
single prediction covers --covered targets. pointtree is measured if it is installed.
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
from table import Row, measure_alternating, measure_memory, report_rows

# The generator of the cloud is in the folder of the scripts.
sys.path.append(str(Path(__file__).resolve().parents[1] / "scripts"))
# The peer's Python may lack the package randcrowns; the checkout is the package.
if importlib.util.find_spec("randcrowns") is None:
    sys.modules["randcrowns"] = package = types.ModuleType("randcrowns")
    package.__path__ = [str(Path(__file__).resolve().parents[1])]

from sample.cloud import simulate_cloud

from randcrowns.core.instances import pointtree as own_library

METHODS = (
    "panoptic_segmentation",
    "point2tree",
    "for_instance",
    "for_ai_net",
    "for_ai_net_coverage",
    "tree_learn",
)


def covered_cloud(n_points: int, n_targets: int) -> Any:
    """Return a cloud in which one prediction covers all targets, which overlap everywhere.

    Returns:
        Namespace with ``target`` and ``prediction``, (n_points,) ids, and ``xyz``, (n_points, 3)
        coordinates in metres.
    """
    rng = np.random.default_rng(0)
    target = rng.integers(0, n_targets, n_points)
    prediction = np.zeros(n_points, dtype=np.int64)
    xyz = rng.uniform(0, 50, (n_points, 3))
    return types.SimpleNamespace(target=target, prediction=prediction, xyz=xyz)


def rows() -> Iterator[Row]:
    """Yield one row per matching method and one per cloud."""
    options = parse_arguments()
    warnings.simplefilter("ignore")
    peer_library = None if options.no_peer else import_peer()
    n_points = int(options.points)
    cloud = simulate_cloud(n_points, options.trees)
    conditions = f"{n_points:,} points, {options.trees} trees"
    if peer_library is None:
        conditions += "; pointtree is not installed"
    row = partial(measure, peer_library=peer_library, repeats=options.repeats)

    for method in METHODS:
        work = partial(match, cloud=cloud, method=method)
        yield row(f"matching of points, {method}", work, conditions)
    yield row("evaluation of a point cloud", partial(evaluate, cloud=cloud), conditions)
    yield row(
        "evaluation of a point cloud",
        partial(evaluate, cloud=covered_cloud(n_points, options.covered)),
        f"{n_points:,} points, one prediction for {options.covered} targets",
    )


def parse_arguments() -> argparse.Namespace:
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--points", type=float, default=1e6)
    parser.add_argument("--trees", type=int, default=500)
    parser.add_argument("--covered", type=int, default=100)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--no-peer", action="store_true")
    return parser.parse_args()


def import_peer() -> Any:
    """Return the module of pointtree, set to one thread, or None if it is not installed."""
    if importlib.util.find_spec("pointtree") is None:
        return None
    os.environ["OMP_NUM_THREADS"] = "1"
    import pointtree.evaluation
    import torch

    torch.set_num_threads(1)
    return pointtree.evaluation


def measure(
    name: str, work: Callable[[Any], Any], conditions: str, peer_library: Any, repeats: int
) -> Row:
    """Return the row of a piece of work that takes the library as its argument."""
    own_work = partial(work, own_library)
    if peer_library is None:
        ours, theirs = measure_alternating(own_work, repeats=repeats)[0], None
    else:
        ours, theirs = measure_alternating(own_work, partial(work, peer_library), repeats=repeats)
    return Row(name, ours, "pointtree", theirs, None, measure_memory(own_work), conditions)


def match(library: Any, cloud: Any, method: str) -> Any:
    """Match the instances of a cloud."""
    return library.match_instances(cloud.target, cloud.prediction, cloud.xyz, method)


def evaluate(library: Any, cloud: Any) -> Any:
    """Compute all metrics of a cloud."""
    return library.evaluate_instance_segmentation(cloud.xyz, cloud.target, cloud.prediction)


if __name__ == "__main__":
    report_rows(rows())
