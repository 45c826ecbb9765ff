"""Scoring on a cluster over this machine: 1 and 2 workers and the plain core, processor time, memory, and growth.

    .venv/bin/python benchmarks/bench_batch.py [boxes=200000] [drawn=50000] [more=0] [repeat=1] [folder=DIR]

Targets and delineations are so many each; 0 leaves rows out (for a night: boxes=1000000 drawn=200000 more=5000000
repeat=3). Numbers are medians of the repeats. The layers are kept in the folder and used again. Processor time is that
of the workers and of the process of the command, which plans, schedules and sums up. Other work on the machine makes
both longer: see the load.

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
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import geopandas
import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import shapely
from scenes import boxes_of, crown_scene
from table import Row, Time, show

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
    begun, start, sides = time.perf_counter(), time.process_time(), []
    for path in paths:
        files = sorted(path.glob("*.parquet"))
        frame = pd.concat(
            [geopandas.read_parquet(one, columns=["geometry"]) for one in files], ignore_index=True
        )
        sides.append((frame, Crowns(frame.geometry.to_numpy())))
    read = time.process_time()
    found = score_crowns(sides[0][1], sides[1][1], PRESETS["image_boxes"])
    scored = time.process_time()
    for name, table, (frame, _) in zip(
        ("targets", "delineations"), (found.targets, found.delineations), sides
    ):
        whole = geopandas.GeoDataFrame(table, geometry=frame.geometry.to_numpy(), crs=frame.crs)
        whole.to_parquet(out / f"{name}.parquet", write_covering_bbox=True, schema_version="1.1.0")
    found.pairs.to_parquet(out / "pairs.parquet")
    return {
        "core": scored - read,
        "with_files": time.process_time() - start,
        "wall": time.perf_counter() - begun,
    }


def _usage() -> tuple[float, float]:
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


def medians(
    measure: Callable[[Path], dict[str, float]], folder: Path, repeat: int
) -> dict[str, float]:
    """The median of each number over the repeats."""
    found = []
    for _ in range(repeat):
        found.append(measure(folder / "out"))
        shutil.rmtree(folder / "out")
    return pd.DataFrame(found).median().to_dict()


def rows_of(
    what: str, number: int, boxes: bool, repeat: int, folder: Path, single: bool = True
) -> Iterator[Row]:
    """One and two workers beside the plain core, processor time of all."""
    paths = write_scene(folder, number, boxes)
    n = sum(pq.read_metadata(one).num_rows for one in paths[0].glob("*.parquet"))
    alone = medians(lambda out: plain(paths, out), folder, repeat) if single else None
    for workers in [1, 2] if single else [2]:
        run = medians(lambda out, k=workers: tiled(paths, k, out), folder, repeat)
        each = {name: run[name] / n * 1e6 for name in ("cpu", "plan", "schedule", "summary")}
        total = sum(run[name] for name in ("cpu", "plan", "schedule", "summary"))
        yield Row(
            f"scoring on a cluster, {workers} worker" + ("s" if workers > 1 else ""),
            Time(run["wall"], total),
            "our core alone, the same files by geopandas",
            None if alone is None else Time(alone["wall"], alone["with_files"]),
            None,
            run["memory"],
            f"{n:,} {what}, as many delineations; processor time per target {each['cpu']:.1f} µs, plan "
            f"{each['plan']:.1f}, scheduling {each['schedule']:.2f}, summary {each['summary']:.1f}; memory of a worker",
        )


def rows() -> Iterator[Row]:
    """One and two workers over boxes and drawn crowns."""
    os.environ["OMP_NUM_THREADS"] = "1"
    sizes = {"boxes": 200_000, "drawn": 50_000, "more": 0, "repeat": 1}
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
                yield from rows_of(
                    what, sizes[kind], what == "boxes", sizes["repeat"], place, kind != "more"
                )


if __name__ == "__main__":
    show(rows())
