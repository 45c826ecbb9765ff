"""Random scenes have the same scores in the core, the toolbox, and the tiles of the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from qgis.core import QgsVectorLayer
from support.batch import assert_same, random_layers, table_of, whole_run
from support.processing import run_algorithm

from randcrowns import batch
from randcrowns.core import PRESETS
from randcrowns.core.scoring.pairing import Pairing

#: Column of the core -> suffix of the toolbox's field.
FIELDS = {"randcrowns": "rc", "iou": "iou", "iou_crowns": "iouc", "distance": "dist"}
TEXTS = {"status": "status", "rc_problem": "rc_problem"}
#: Pairings in the order of the toolbox's parameter.
PAIRINGS = ("nearest", "max_iou", "max_score", "mean_over_count", "hungarian", "min_score")


def check_scene(folder: Path, seed: int, scheduler: Any) -> None:
    """Assert that three ways to score a random scene give the same results."""
    layers = random_layers(folder, seed)
    pairing = PAIRINGS[seed % len(PAIRINGS)]
    core = whole_run(layers, PRESETS["image_boxes"], pairing)
    expected = core.targets.sort_values("target_id")
    assert np.isfinite(expected["randcrowns"]).any()

    summary = batch.score(
        *layers.paths, folder / "out", pairing=pairing, tile=26, scheduler=scheduler
    )
    assert_same(table_of(folder / "out", "targets", "target_id"), expected)
    assert_same(summary, core.summary)

    targets, drawn = (QgsVectorLayer(str(path), path.stem, "ogr") for path in layers.paths)
    run = run_algorithm(
        "scorecrowns",
        {"TARGETS": targets, "DELINEATIONS": [drawn], "PAIRING": PAIRINGS.index(pairing)},
    )
    assert run.ok, run.refused or run.error
    fields = run.table("SCORED_TARGETS").sort_values("fid")
    for name, suffix in FIELDS.items():
        found = pd.to_numeric(fields[f"drawn_{suffix}"]).to_numpy(float)
        np.testing.assert_allclose(found, expected[name], rtol=1e-9, atol=1e-9, err_msg=name)
    for name, suffix in TEXTS.items():
        assert fields[f"drawn_{suffix}"].tolist() == expected[name].tolist(), name
    mean = run.table("SUMMARY")["randcrowns_mean"].iloc[0]
    assert mean == pytest.approx(core.summary["randcrowns_mean"].iloc[0], rel=1e-9)


def test_pairings_of_the_toolbox() -> None:
    assert set(PAIRINGS) == {str(pairing) for pairing in Pairing}


@pytest.mark.parametrize("seed", range(6))
def test_surfaces_have_the_same_scores(algorithms, inside, tmp_path, seed: int) -> None:
    check_scene(tmp_path, seed, inside)


# test_surfaces_have_the_same_scores covers the promise with a few scenes.
@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(6, 56))
def test_fifty_scenes_have_the_same_scores(algorithms, inside, tmp_path, seed: int) -> None:
    check_scene(tmp_path, seed, inside)
