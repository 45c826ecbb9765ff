"""The notebooks run from the first cell to the last."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.code import ROOT

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.py"))
#: Files that a notebook writes.
WRITTEN = {
    "benchmark": ["all_boxes.csv", "benchmark.html"],
    "choose_parameters": [],
    "cloud_to_report": ["trees.html", "trees.json"],
    "compare_annotators": ["agreement.html", "consensus.gpkg", "pairwise_f1.png"],
    "million_crowns": ["scores/summary.json"],
    "rank_detectors": ["ranking.html"],
    "score_deepforest": ["scores.html", "scores.png", "tables/predictions.csv"],
}


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(notebook: Path, tmp_path: Path) -> None:
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        "MPLBACKEND": "agg",
        "N_CROWNS": "400",
    }
    done = subprocess.run(
        [sys.executable, notebook],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    for name in WRITTEN[notebook.stem]:
        assert (tmp_path / name).stat().st_size, name


def test_each_notebook_begins_with_a_title() -> None:
    assert {path.stem for path in NOTEBOOKS} == set(WRITTEN)
    for path in NOTEBOOKS:
        lines = path.read_text(encoding="utf-8").splitlines()
        assert lines[0] == "# %% [markdown]"
        assert lines[1].startswith('"""# ')
