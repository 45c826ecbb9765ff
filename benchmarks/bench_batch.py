"""Measure scoring on a cluster on this machine: 1 and 2 workers next to the core alone.

    .venv/bin/python benchmarks/bench_batch.py [boxes=200000] [drawn=50000] [more=0] [repeat=1]
        [folder=DIR]

Each number is that of the targets and of the delineations of a scene; 0 omits its rows (for a
night: boxes=1000000 drawn=200000 more=5000000 repeat=3). Times are medians of the repeats. The
layers are saved in the folder and reused. Processor time is that of the workers and of the main
process, which plans, schedules and summarizes. Other work on the machine makes both times longer:
see the load.

The core alone is one process with one thread, in two ways. "core" scores and finds problems in
memory. "with_files" is the same work as that of the tiles: read the same GeoParquet, check the
outlines, score, find problems, and write the same tables, with geopandas.
"""

from __future__ import annotations

import os
import re
import resource
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import geopandas
import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import shapely
from scenes import bounding_box_scene, forest_scene
from table import Row, Time, report_rows

from randcrowns import batch
from randcrowns.batch.cluster import connect
from randcrowns.core import PRESETS, Crowns, score_crowns
from randcrowns.core.review.problems import describe_causes, find_problems

_CRS = "EPSG:32617"
#: Maximum number of crowns along each side of a simulated block.
_BLOCK_SIDE = 200
#: Distance between neighbouring crowns, m.
_SPACING = 6.5
#: Parts of a run that take processor time.
_PHASES = ("cpu", "plan", "schedule", "summary")


def write_scene(folder: Path, number: int, boxes: bool) -> tuple[Path, Path]:
    """Write a scene of adjacent blocks of forest as partitioned GeoParquet, if it is missing.

    Args:
        folder: folder of the scene.
        number: approximate number of targets, and of delineations.
        boxes: True for bounding boxes of the crowns.

    Returns:
        Folders of the targets and of the delineations.
    """
    if (folder / "drawn").exists():
        return folder / "targets", folder / "drawn"
    folder.mkdir(parents=True, exist_ok=True)
    n_blocks_along = 1
    if number > _BLOCK_SIDE**2:
        n_blocks_along = max(1, round((number / _BLOCK_SIDE**2) ** 0.5 + 0.499))
    crowns_along = int((number // n_blocks_along**2) ** 0.5)
    scene = forest_scene(crowns_along, annotators=1)
    if boxes:
        scene = bounding_box_scene(scene)
    for name, crowns in (("targets", scene.targets), ("drawn", scene.delineations)):
        sources = _write_blocks(folder, name, crowns, n_blocks_along, crowns_along * _SPACING)
        batch.partition(sources, folder / name)
        for source in sources:
            source.unlink()
    return folder / "targets", folder / "drawn"


def _write_blocks(
    folder: Path, name: str, crowns: Any, n_blocks_along: int, block_size: float
) -> list[Path]:
    """Write copies of a block of crowns to GeoParquet files and return their paths.

    Args:
        folder: folder for the files.
        name: start of their names.
        crowns: (n,) polygons without holes.
        n_blocks_along: number of blocks along each side.
        block_size: distance between adjacent blocks, m.
    """
    xy, owner = shapely.get_coordinates(crowns, return_index=True)
    ring_sizes = np.unique(owner, return_counts=True)[1]
    ring_offsets = np.concatenate([[0], np.cumsum(ring_sizes)])
    polygon_offsets = np.arange(len(ring_offsets))
    paths = []
    for block in range(n_blocks_along**2):
        shift = np.array(divmod(block, n_blocks_along)) * block_size
        copies = shapely.from_ragged_array(
            shapely.GeometryType.POLYGON, xy + shift, (ring_offsets, polygon_offsets)
        )
        paths.append(folder / f"{name}-{block}.parquet")
        geopandas.GeoDataFrame(geometry=copies, crs=_CRS).to_parquet(paths[-1])
    return paths


def measure_core(paths: tuple[Path, Path], out: Path) -> dict[str, float]:
    """Score a scene with the core alone.

    Args:
        paths: folders of the targets and of the delineations.
        out: folder for the results, which must not exist.

    Returns:
        Processor seconds of scoring ("core") and of all work ("with_files"), and elapsed seconds
        ("wall").
    """
    out.mkdir()
    wall_start = time.perf_counter()
    start = time.process_time()
    frames = []
    for path in paths:
        parts = [
            geopandas.read_parquet(file, columns=["geometry"])
            for file in sorted(path.glob("*.parquet"))
        ]
        frames.append(pd.concat(parts, ignore_index=True))
    targets, delineations = (Crowns(frame.geometry.to_numpy()) for frame in frames)

    before_scoring = time.process_time()
    scores = score_crowns(targets, delineations, PRESETS["image_boxes"])
    problems = find_problems(targets, delineations, scores)
    after_scoring = time.process_time()

    tables = {
        "targets": scores.targets.assign(
            rc_problem=problems.targets["problem"], rc_cause=describe_causes(problems.targets)
        ),
        "delineations": scores.delineations.assign(
            rc_problem=problems.delineations["problem"],
            rc_cause=describe_causes(problems.delineations),
        ),
    }
    for (name, table), frame in zip(tables.items(), frames):
        layer = geopandas.GeoDataFrame(table, geometry=frame.geometry.to_numpy(), crs=frame.crs)
        layer.to_parquet(out / f"{name}.parquet", write_covering_bbox=True, schema_version="1.1.0")
    scores.pairs.to_parquet(out / "pairs.parquet")
    return {
        "core": after_scoring - before_scoring,
        "with_files": time.process_time() - start,
        "wall": time.perf_counter() - wall_start,
    }


def _usage() -> tuple[float, float]:
    """Return the processor seconds of this process and its maximum memory, MB."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    # The maximum of getrusage includes that of the parent process.
    status = Path("/proc/self/status")
    peak = re.search(r"VmHWM:\s+(\d+) kB", status.read_text()) if status.exists() else None
    kilobytes = int(peak[1]) if peak else usage.ru_maxrss
    return usage.ru_utime + usage.ru_stime, kilobytes / 1024


def _import_libraries() -> None:
    """Import the libraries of a worker, which only its first tile would have to wait for."""
    from randcrowns.batch import scoring  # noqa: F401


def measure_cluster(paths: tuple[Path, Path], n_workers: int, folder: Path) -> dict[str, float]:
    """Score a scene on a cluster.

    Args:
        paths: folders of the targets and of the delineations.
        n_workers: number of workers.
        folder: folder for the results.

    Returns:
        Elapsed seconds of all work ("wall") and of the tiles ("tiles_wall"); processor seconds of
        all workers ("cpu"), of the busiest worker ("busiest") and of this process while it plans
        ("plan"), schedules ("schedule") and summarizes ("summary"); the maximum memory of a worker
        in MB ("memory"); the load of the machine ("load").
    """
    with connect(None, n_workers) as client:
        client.run(_import_libraries)
        before = client.run(_usage)
        #: Elapsed and processor time at the start, the first tile, the last tile and the end.
        times = [(time.perf_counter(), time.process_time())]

        def watch(report: Any) -> None:
            if report.finished_tiles in (0, report.n_tiles):
                times.append((time.perf_counter(), time.process_time()))

        batch.score(*paths, folder, scheduler=client, report_progress=watch)
        times.append((time.perf_counter(), time.process_time()))
        after = client.run(_usage)

    worker_seconds = [after[worker][0] - before[worker][0] for worker in after]
    wall, processor = zip(*times)
    return {
        "wall": wall[-1] - wall[0],
        "tiles_wall": wall[2] - wall[1],
        "cpu": sum(worker_seconds),
        "busiest": max(worker_seconds),
        "plan": processor[1] - processor[0],
        "schedule": processor[2] - processor[1],
        "summary": processor[3] - processor[2],
        "memory": max(memory for _, memory in after.values()),
        "load": os.getloadavg()[0],
    }


def medians(
    measure: Callable[[Path], dict[str, float]], folder: Path, repeat: int
) -> dict[str, float]:
    """Return the median of each number of a measurement over the repeats.

    Args:
        measure: takes a folder for its results.
        folder: folder in which that folder is made, and removed after each repeat.
        repeat: number of repeats.
    """
    measurements = []
    for _ in range(repeat):
        measurements.append(measure(folder / "out"))
        shutil.rmtree(folder / "out")
    return pd.DataFrame(measurements).median().to_dict()


def scene_rows(
    crowns: str, number: int, boxes: bool, repeat: int, folder: Path, with_core: bool = True
) -> Iterator[Row]:
    """Yield the rows of one and two workers next to the core alone.

    Args:
        crowns: description of the crowns.
        number: approximate number of targets.
        boxes: True for bounding boxes.
        repeat: number of repeats.
        folder: folder of the scene.
        with_core: False omits the core alone and the row of one worker.
    """
    paths = write_scene(folder, number, boxes)
    n_targets = sum(pq.read_metadata(file).num_rows for file in paths[0].glob("*.parquet"))
    core_time = None
    if with_core:
        core = medians(lambda out: measure_core(paths, out), folder, repeat)
        core_time = Time(core["wall"], core["with_files"])
    for n_workers in [1, 2] if with_core else [2]:
        run = medians(lambda out, n=n_workers: measure_cluster(paths, n, out), folder, repeat)
        total = sum(run[phase] for phase in _PHASES)
        cpu, plan, schedule, summary = (run[phase] / n_targets * 1e6 for phase in _PHASES)
        yield Row(
            f"scoring on a cluster, {n_workers} worker" + ("s" if n_workers > 1 else ""),
            Time(run["wall"], total),
            "our core alone with problems, the same files by geopandas",
            core_time,
            None,
            run["memory"],
            f"{n_targets:,} {crowns}, as many delineations; processor time per target "
            f"{cpu:.1f} µs, plan {plan:.1f}, scheduling {schedule:.2f}, summary {summary:.1f}; "
            "memory of a worker",
        )


def rows() -> Iterator[Row]:
    """Yield the rows of boxes and of drawn crowns, as the command line specifies."""
    # Workers inherit this variable.
    os.environ["OMP_NUM_THREADS"] = "1"
    options = {"boxes": 200_000, "drawn": 50_000, "more": 0, "repeat": 1}
    scenes_folder = None
    for argument in sys.argv[1:]:
        name, _, value = argument.partition("=")
        if name == "folder":
            scenes_folder = Path(value)
        else:
            options[name] = int(value)

    repeat = options["repeat"]
    with tempfile.TemporaryDirectory() as temporary:
        parent = scenes_folder or Path(temporary)
        if options["boxes"]:
            folder = parent / f"boxes-{options['boxes']}"
            yield from scene_rows("boxes", options["boxes"], True, repeat, folder)
        if options["drawn"]:
            folder = parent / f"drawn-{options['drawn']}"
            yield from scene_rows("drawn, 32 vertices", options["drawn"], False, repeat, folder)
        if options["more"]:
            folder = parent / f"boxes-{options['more']}"
            yield from scene_rows("boxes", options["more"], True, repeat, folder, with_core=False)


if __name__ == "__main__":
    report_rows(rows())
