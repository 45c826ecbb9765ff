"""The cloth simulation filter (Zhang et al. 2016) in a process of its own.

The library (optional) keeps Python's lock for as long as it works, so beside a window it would freeze it. This file is
also the program of that process: it imports nothing of ours.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Callable

import numpy as np
from scipy.ndimage import distance_transform_edt

#: Distance between the nodes of the cloth, metres.
MESH = 0.5

_THRESHOLD, _RIGIDNESS, _ROUNDS = 0.5, 2, 100
_ROWS = 1 << 19
# Seconds between two looks at the process, and about how long it takes for a million points.
_LOOK, _SECONDS_PER_MILLION = 0.05, 5.0


def has_filter() -> bool:
    """Whether the library is installed."""
    try:
        return importlib.util.find_spec("CSF") is not None
    except ValueError:
        return False


def python_program() -> str | None:
    """The Python that runs this, where it is known: within QGIS the running program may be QGIS itself."""
    prefix = Path(sys.exec_prefix)
    beside = [prefix / "python3.exe", prefix / "python.exe", prefix / "bin" / "python3"]
    candidates = [Path(sys.executable or ""), *beside]
    return next((str(path) for path in candidates if path.name.startswith("python") and path.is_file()), None)


def filter_ground(xyz: np.ndarray, progress: Callable[[float], None]) -> np.ndarray:
    """(N,) which points are within 0.5 m of a cloth of 0.5 m mesh and rigidness 2 that falls on the cloud from below.

    The progress is about how far the filter is, by the number of points; where it raises, that ends the process. If
    the process fails, a RuntimeError has what it said.
    """
    program = python_program()
    if program is None:
        return _filtered(xyz)
    with tempfile.TemporaryDirectory(prefix="randcrowns") as folder:
        points, ground = Path(folder) / "points.npy", Path(folder) / "ground.npy"
        _write(points, xyz, progress)
        command = [program, __file__, str(points), str(ground)]
        # The library's threads race, and would find a slightly different ground at every run.
        once = {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path), "OMP_NUM_THREADS": "1"}
        flags = getattr(subprocess, "CREATE_NO_WINDOW", 0)
        with open(Path(folder) / "said.txt", "w+b") as said:
            process = subprocess.Popen(
                command, env={**os.environ, **once}, stdout=subprocess.DEVNULL, stderr=said, creationflags=flags
            )
            try:
                _wait(process, len(xyz), progress)
            finally:
                process.kill()
                process.wait()
            if process.returncode:
                said.seek(0)
                raise RuntimeError(
                    said.read().decode(errors="replace").strip().rpartition("\n")[2] or "no reason given"
                )
        return np.load(ground)


def _write(path: Path, xyz: np.ndarray, progress: Callable[[float], None]) -> None:
    points = np.lib.format.open_memmap(path, mode="w+", dtype=np.float64, shape=xyz.shape)
    for start in range(0, len(xyz), _ROWS):
        points[start : start + _ROWS] = xyz[start : start + _ROWS]
        progress(0.0)


def _wait(process: subprocess.Popen[bytes], n_points: int, progress: Callable[[float], None]) -> None:
    start = time.monotonic()
    expected = max(1.0, n_points * _SECONDS_PER_MILLION / 1e6)
    while process.poll() is None:
        progress(1 - float(np.exp((start - time.monotonic()) / expected)))
        time.sleep(_LOOK)


def _filtered(xyz: np.ndarray) -> np.ndarray:
    import CSF

    points = np.concatenate([xyz, _far_from_all(xyz)])
    cloth = CSF.CSF()
    cloth.params.cloth_resolution = MESH
    cloth.params.class_threshold = _THRESHOLD
    cloth.params.rigidness = _RIGIDNESS
    cloth.params.bSloopSmooth = False
    cloth.params.interations = _ROUNDS
    cloth.params.time_step = 1
    found, rest = CSF.VecInt(), CSF.VecInt()
    cloth.setPointCloud(np.ascontiguousarray(points, dtype=np.float64))
    cloth.do_filtering(found, rest, False)
    ground = np.zeros(len(points), dtype=bool)
    ground[np.array(found, dtype=np.int64)] = True
    return ground[: len(xyz)]


def _far_from_all(xyz: np.ndarray) -> np.ndarray:
    """(m, 3) a point at each node in whose row and column of the mesh the cloud has none, as high as the nearest.

    The library looks for that height too, but node by node through all that lies between: a single point apart from the
    others would take it hours.
    """
    low = xyz[:, :2].min(axis=0)
    column, row = np.floor((xyz[:, :2] - low) / MESH + 0.5).astype(np.int64).T
    height = np.full((column.max() + 1, row.max() + 1), np.inf)
    np.minimum.at(height, (column, row), xyz[:, 2])
    empty = np.isinf(height)
    far = np.nonzero(empty.all(axis=1)[:, None] & empty.all(axis=0))
    if len(far[0]) == 0:
        return np.empty((0, 3))
    nearest = distance_transform_edt(empty, return_distances=False, return_indices=True)
    places = np.stack(far, axis=1) * MESH + low
    return np.column_stack([places, height[tuple(nearest[:, far[0], far[1]])]])


if __name__ == "__main__":
    np.save(sys.argv[2], _filtered(np.load(sys.argv[1])))
