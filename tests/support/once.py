"""What takes seconds to make and many tests look at: made once for all workers of a test run."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from pathlib import Path
from typing import Callable

import pytest
from support.resolving import shared_folder

__all__ = ["made_once", "packed_once", "run_package", "sample_once"]

_SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """The place that ``make`` is given to make something at, which nobody may change."""
    shared = shared_folder(factory)
    place, done = shared / name, shared / f"{name}.done"
    with (shared / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # whoever comes second waits
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
    """The plugin's zip of the last commit."""

    def make(folder: Path) -> None:
        done = run_package(folder / "randcrowns.zip")
        assert done.returncode == 0, done.stderr

    return made_once(factory, "package", make) / "randcrowns.zip"


def sample_once(factory: pytest.TempPathFactory) -> Path:
    """The folder of the sample plot and its project, as ``make run`` writes them."""
    command = [sys.executable, str(_SCRIPTS / "make_sample.py")]
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    return made_once(
        factory,
        "sample",
        lambda folder: subprocess.run([*command, str(folder)], env=environment, check=True),
    )
