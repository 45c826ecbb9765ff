"""The plugin in a real QGIS window on a virtual screen, started the way `make run` starts it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def test_the_window_scores_the_sample_plot(tmp_path):
    if not (shutil.which("xvfb-run") and shutil.which("qgis")):
        pytest.skip("needs the QGIS window and xvfb (on Debian: apt-get install qgis xvfb xauth)")
    report = tmp_path / "report.json"
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("QT_", "QGIS_"))}
    environment.pop("DISPLAY", None)
    environment["RANDCROWNS_REPORT"] = str(report)
    script = ROOT / "tests" / "support" / "in_window.py"
    done = subprocess.run(
        [str(ROOT / "scripts" / "run.sh"), "--code", str(script)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )
    assert report.exists(), done.stderr
    found = json.loads(report.read_text(encoding="utf-8"))
    assert "error" not in found, found.get("error")
    assert found["warnings"] == []
    assert found["running"]
    assert "Task complete" in found["told"]
    assert found["bar"] == ["RandCrowns"]
    assert found["crowns"] == 35
    assert 0.5 < found["mean"] < 1
    assert "<b>35 crowns</b>" in found["headline"]
    assert any(name.startswith("crowns vs annotator_1, Image boxes (") for name in found["groups"])
    assert found["bands_shown"] >= found["bands_before"] + 4
    assert found["bands_left"] == found["bands_before"]
    assert found["docks_left"] == 0
    assert found["provider"]
    assert found["page_again"] == "score"
