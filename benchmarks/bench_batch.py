"""Scoring on a cluster over this machine: 1 and 2 workers and the plain core, processor time, memory, and growth.

    .venv/bin/python benchmarks/bench_batch.py [boxes=1000000] [drawn=200000] [more=5000000]

Targets and delineations are so many each; 0 leaves a row out. Processor time counts the workers, not the scheduler's
process, which is reported beside it; other work on the machine lengthens wall time and, through the caches, a little
of processor time too.
"""

from __future__ import annotations

import os
import resource
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import geopandas
import numpy as np
import pandas as pd
import shapely
from scenes import boxes_of, crown_scene

from randcrowns import batch
from randcrowns.batch.cluster import connected
from randcrowns.core import PRESETS, Crowns, score_crowns

_CRS = "EPSG:32617"
_BLOCK = 200


def write_scene(folder: Path, number: int, boxes: bool) -> tuple[Path, Path]:
    """Layers of about so many crowns each, as partitioned GeoParquet; made of blocks of a forest side by side."""
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
    os.environ["OMP_NUM_THREADS"] = "1"
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
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def _warm() -> None:
    from randcrowns.batch import scoring  # noqa: F401


def tiled(paths: tuple[Path, Path], workers: int, folder: Path) -> dict[str, float]:
    """Wall and processor seconds of the workers and of this process, and the largest memory of a worker (MB)."""
    with connected(None, workers) as client:
        # The libraries are loaded before, as they are for all but the first tile.
        client.run(_warm)
        before, own = client.run(_usage), time.process_time()
        wall = time.perf_counter()
        stage = {}

        def watch(report: Any) -> None:
            stage["tiles"] = time.perf_counter() - wall

        batch.score(*paths, folder, scheduler=client, watch=watch)
        total = time.perf_counter() - wall
        after = client.run(_usage)
        return {
            "wall": total,
            "tiles_wall": stage["tiles"],
            "cpu": sum(after[one][0] - before[one][0] for one in after),
            "busiest": max(after[one][0] - before[one][0] for one in after),
            "own_cpu": time.process_time() - own,
            "memory": max(one[1] for one in after.values()),
        }


def report(what: str, number: int, boxes: bool, single: bool = True) -> None:
    """Print one row of the table."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        paths = write_scene(folder, number, boxes)
        n = sum(len(pd.read_parquet(one, columns=["crown_row"])) for one in paths[0].glob("*.parquet"))
        print(f"{what}: {n:,} targets x {n:,} delineations; load {os.getloadavg()[0]:.1f}", flush=True)
        runs = {workers: tiled(paths, workers, folder / f"out{workers}") for workers in ([1, 2] if single else [2])}
        for workers, run in runs.items():
            each = run["cpu"] / n * 1e6
            print(
                f"  {workers} worker(s): {run['wall']:.1f} s wall, of which tiles {run['tiles_wall']:.1f} s", flush=True
            )
            print(f"    processor time: workers {run['cpu']:.1f} s, {each:.1f} µs/target; rest {run['own_cpu']:.1f} s")
            print(f"    memory of a worker: at most {run['memory']:.0f} MB", flush=True)
        if single:
            wall, cpu = (runs[1][one] / runs[2][other] for one, other in (("wall", "wall"), ("cpu", "busiest")))
            print(f"  2 workers / 1: {wall:.2f} times by wall time, {cpu:.2f} by the busier worker's processor time")
            alone = plain(paths, folder / "plain")
            for what, key in (("plain core in memory", "core"), ("plain core with files", "with_files")):
                each, share = alone[key] / n * 1e6, alone[key] / runs[1]["cpu"]
                print(f"  {what}, one processor: {each:.1f} µs/target; tiled is {share:.2f} times as fast", flush=True)


def main() -> None:
    """Print the table."""
    sizes = {"boxes": 1_000_000, "drawn": 200_000, "more": 5_000_000}
    for argument in sys.argv[1:]:
        name, _, number = argument.partition("=")
        sizes[name] = int(number)
    if sizes["boxes"]:
        report("boxes", sizes["boxes"], boxes=True)
    if sizes["drawn"]:
        report("drawn, 32 vertices", sizes["drawn"], boxes=False)
    if sizes["more"]:
        report("boxes", sizes["more"], boxes=True, single=False)


if __name__ == "__main__":
    main()
