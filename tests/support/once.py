"""Slow results that all workers of a test run share."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from pathlib import Path
from typing import Callable

import pytest

__all__ = [
    "demo_once",
    "packed_once",
    "run_demo",
    "run_package",
    "sample_once",
]

_SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
#: Variables that the test run or its user may have set.
_UNSET = ("QGIS_CUSTOM_CONFIG_PATH", "QGIS_OPTIONS_PATH", "TARGETS", "DELINEATIONS", "CLOUD")


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """Return a path at which ``make`` wrote something once; tests must not change it."""
    base = factory.getbasetemp()
    shared = base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base
    place, done = shared / name, shared / f"{name}.done"
    with (shared / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # other workers wait
        if not done.exists():
            make(place)
            done.touch()
    return place


def run_package(path: Path, *words: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """Make the plugin's zip. The guide is built in the checkout: one at a time."""
    command = [sys.executable, str(_SCRIPTS / "package.py"), str(path), *words]
    return subprocess.run(
        command, env={**os.environ, **settings}, capture_output=True, text=True, check=False
    )


def packed_once(factory: pytest.TempPathFactory) -> Path:
    """Return the plugin's zip of the last commit."""

    def make(folder: Path) -> None:
        done = run_package(folder / "randcrowns.zip")
        assert done.returncode == 0, done.stderr

    return made_once(factory, "package", make) / "randcrowns.zip"


def sample_once(factory: pytest.TempPathFactory) -> Path:
    """The folder of the sample plot and its project, as ``make run`` writes them."""
    command = [sys.executable, str(_SCRIPTS / "sample_project.py")]
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    return made_once(
        factory,
        "sample",
        lambda folder: subprocess.run([*command, str(folder)], env=environment, check=True),
    )


def run_demo(folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run ``make demo`` with results in a folder, and the plot in ``sample``."""
    kept = {name: value for name, value in os.environ.items() if name not in _UNSET}
    environment = {**kept, "QT_QPA_PLATFORM": "offscreen", "OUTPUT": str(folder), **variables}
    return subprocess.run(
        [sys.executable, str(_SCRIPTS / "demo.py")],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def demo_once(factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """Return the output and the folder of ``make demo`` on the sample plot."""

    def make(folder: Path) -> None:
        done = run_demo(folder)
        assert done.returncode == 0, done.stderr
        folder.with_suffix(".txt").write_text(done.stdout, encoding="utf-8")

    folder = made_once(factory, "demo", make)
    return folder.with_suffix(".txt").read_text(encoding="utf-8"), folder
