"""``make demo`` on the sample plot: what it printed and wrote, made once for all tests."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.once import made_once

__all__ = ["demo_once", "run_demo"]

_SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "demo.py"
#: Those of the test run, and of whoever runs it.
_UNSET = ("QGIS_CUSTOM_CONFIG_PATH", "QGIS_OPTIONS_PATH", "TARGETS", "DELINEATIONS", "CLOUD")


def run_demo(folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run the script; its results lie in the folder, the plot in ``sample``."""
    kept = {name: value for name, value in os.environ.items() if name not in _UNSET}
    environment = {**kept, "QT_QPA_PLATFORM": "offscreen", "OUTPUT": str(folder), **variables}
    return subprocess.run(
        [sys.executable, str(_SCRIPT)], env=environment, capture_output=True, text=True, check=False
    )


def demo_once(factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """What it printed, and its folder, which nobody may change: the same for all workers of a
    test run.
    """

    def make(folder: Path) -> None:
        done = run_demo(folder)
        assert done.returncode == 0, done.stderr
        folder.with_suffix(".txt").write_text(done.stdout, encoding="utf-8")

    folder = made_once(factory, "demo", make)
    return folder.with_suffix(".txt").read_text(encoding="utf-8"), folder
