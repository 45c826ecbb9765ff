"""Scoring on a cluster over this machine: 1 and 2 workers and the plain core, processor time, memory, and growth.

    .venv/bin/python benchmarks/bench_batch.py [boxes=1000000] [drawn=200000] [more=5000000] [repeat=3] [folder=DIR]

Targets and delineations are so many each; 0 leaves a row out. Numbers are medians of the repeats. The layers are kept
in the folder and used again. Processor time is that of the workers; what the process of the command takes to plan, to
schedule and to sum up is reported beside it. Other work on the machine lengthens wall time and, through the caches,
processor time too: see the load.

The plain core is one process with one thread. In memory: score_crowns alone. With files: the same work as the tiles',
that is reading the same GeoParquet, checking the outlines, scoring, and writing the same tables, by geopandas.
"""

from __future__ import annotations

import os
import re
import resource
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import geopandas
import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import shapely
from scenes import boxes_of, crown_scene

from randcrowns import batch
from randcrowns.batch.cluster import connected
from randcrowns.core import PRESETS, Crowns, score_crowns

_CRS = "EPSG:32617"
_BLOCK = 200


def write_scene(folder: Path, number: int, boxes: bool) -> tuple[Path, Path]:
    """Layers of about so many crowns each, as partitioned GeoParquet; made of blocks of a forest side by side."""
    if (folder / "drawn").exists():
        return folder / "targets", folder / "drawn"
    folder.mkdir(parents=True, exist_ok=True)
    side = max(1, round((number / _BLOCK**2) ** 0.5 + 0.499)) if number > _BLOCK**2 else 1
    per_block = number // side**2
    across = int(per_block**0.5)
    scene = crown_scene(across, annotators=1)
    scene = boxes_of(scene) if boxes else scene
    paths = []
    for name, shapes in (("targets", scene.targets), ("drawn", scene.delineations)):
        xy, owner = shapely.get_coordinates(shapes, return_index=True)
        ring = np.unique(owner, return_counts=True)[1]
        offsets = np.concatenate([[0], np.cumsum(ring)])
        folder_of_name = folder / name
        folder_of_name.mkdir()
        sources = []
        for block in range(side**2):
            step = np.array(divmod(block, side)) * across * 6.5
            moved = shapely.from_ragged_array(
                shapely.GeometryType.POLYGON, xy + step, (offsets, np.arange(len(offsets)))
            )
            sources.append(folder / f"{name}-{block}.parquet")
            geopandas.GeoDataFrame(geometry=moved, crs=_CRS).to_parquet(sources[-1])
        shutil.rmtree(folder_of_name)
        batch.partition(sources, folder_of_name)
        for source in sources:
            source.unlink()
        paths.append(folder_of_name)
    return paths[0], paths[1]


def plain(paths: tuple[Path, Path], out: Path) -> dict[str, float]:
    """Processor seconds of the core alone on one processor, and with the same files read and written by geopandas."""
    out.mkdir()
    start, sides = time.process_time(), []
    for path in paths:
        files = sorted(path.glob("*.parquet"))
        frame = pd.concat([geopandas.read_parquet(one, columns=["geometry"]) for one in files], ignore_index=True)
        sides.append((frame, Crowns(frame.geometry.to_numpy())))
    read = time.process_time()
    found = score_crowns(sides[0][1], sides[1][1], PRESETS["image_boxes"])
    scored = time.process_time()
    for name, table, (frame, _) in zip(("targets", "delineations"), (found.targets, found.delineations), sides):
        whole = geopandas.GeoDataFrame(table, geometry=frame.geometry.to_numpy(), crs=frame.crs)
        whole.to_parquet(out / f"{name}.parquet", write_covering_bbox=True, schema_version="1.1.0")
    found.pairs.to_parquet(out / "pairs.parquet")
    return {"core": scored - read, "with_files": time.process_time() - start}


def _usage(dask_worker: Any = None) -> tuple[float, float]:
    """Processor seconds so far, and the most memory held (MB)."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    # What getrusage says of memory includes that of the process that began this one.
    status = Path("/proc/self/status")
    peak = re.search(r"VmHWM:\s+(\d+) kB", status.read_text()) if status.exists() else None
    return used.ru_utime + used.ru_stime, (int(peak[1]) if peak else used.ru_maxrss) / 1024


def _warm() -> None:
    from randcrowns.batch import scoring  # noqa: F401


def tiled(paths: tuple[Path, Path], workers: int, folder: Path) -> dict[str, float]:
    """Wall and processor seconds of the workers and of this process, and the largest memory of a worker (MB)."""
    with connected(None, workers) as client:
        # The libraries are loaded before, as they are for all but the first tile.
        client.run(_warm)
        before, times = client.run(_usage), [(time.perf_counter(), time.process_time())]

        def watch(report: Any) -> None:
            if report.tiles in (0, report.of_tiles):
                times.append((time.perf_counter(), time.process_time()))

        batch.score(*paths, folder, scheduler=client, watch=watch)
        times.append((time.perf_counter(), time.process_time()))
        after = client.run(_usage)
        each = [after[one][0] - before[one][0] for one in after]
        wall, own = zip(*times)
        return {
            "wall": wall[-1] - wall[0],
            "tiles_wall": wall[2] - wall[1],
            "cpu": sum(each),
            "busiest": max(each),
            "plan": own[1] - own[0],
            "schedule": own[2] - own[1],
            "summary": own[3] - own[2],
            "memory": max(one[1] for one in after.values()),
            "load": os.getloadavg()[0],
        }


def medians(measure: Callable[[Path], dict[str, float]], folder: Path, repeat: int) -> dict[str, float]:
    """The median of each number over the repeats."""
    found = []
    for _ in range(repeat):
        found.append(measure(folder / "out"))
        shutil.rmtree(folder / "out")
    return pd.DataFrame(found).median().to_dict()


def report(what: str, number: int, boxes: bool, repeat: int, folder: Path, single: bool = True) -> None:
    """Print one row of the table."""
    paths = write_scene(folder, number, boxes)
    n = sum(pq.read_metadata(one).num_rows for one in paths[0].glob("*.parquet"))
    print(f"{what}: {n:,} targets x {n:,} delineations, medians of {repeat}", flush=True)
    runs = {}
    for workers in [1, 2] if single else [2]:
        runs[workers] = run = medians(lambda out, k=workers: tiled(paths, k, out), folder, repeat)
        each = {name: run[name] / n * 1e6 for name in ("cpu", "plan", "schedule", "summary")}
        print(f"  {workers} worker(s), load {run['load']:.1f}: {run['wall']:.1f} s wall, of which tiles", end=" ")
        print(f"{run['tiles_wall']:.1f} s; {run['memory']:.0f} MB at most in a worker")
        print(f"    processor time per target: workers {each['cpu']:.1f} µs; plan {each['plan']:.1f}", end=", ")
        print(f"scheduling {each['schedule']:.2f} ({run['schedule'] / run['cpu']:.1%} of the workers'),", end=" ")
        print(f"summary {each['summary']:.1f}", flush=True)
    if single:
        names = ("tiles_wall", "tiles_wall"), ("wall", "wall"), ("cpu", "busiest")
        tiles, wall, cpu = (runs[1][one] / runs[2][other] for one, other in names)
        print(f"  2 workers / 1: {tiles:.2f} times by wall time of the tiles, {wall:.2f} of all,", end=" ")
        print(f"{cpu:.2f} by the busier worker's processor time")
        alone = medians(lambda out: plain(paths, out), folder, repeat)
        for name, key in (("in memory", "core"), ("with files", "with_files")):
            each_plain, share = alone[key] / n * 1e6, alone[key] / runs[1]["cpu"]
            print(
                f"  plain core {name}: {each_plain:.1f} µs/target; tiles have {share:.2f} times its speed", flush=True
            )


def main() -> None:
    """Print the table."""
    os.environ["OMP_NUM_THREADS"] = "1"
    sizes = {"boxes": 1_000_000, "drawn": 200_000, "more": 5_000_000, "repeat": 3}
    kept = None
    for argument in sys.argv[1:]:
        name, _, value = argument.partition("=")
        if name == "folder":
            kept = Path(value)
        else:
            sizes[name] = int(value)
    with tempfile.TemporaryDirectory() as name:
        folder = kept or Path(name)
        for kind, what in (("boxes", "boxes"), ("drawn", "drawn, 32 vertices"), ("more", "boxes")):
            if sizes[kind]:
                place = folder / f"{what[:5]}-{sizes[kind]}"
                report(what, sizes[kind], what == "boxes", sizes["repeat"], place, kind != "more")


if __name__ == "__main__":
    main()
