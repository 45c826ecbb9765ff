"""Summaries from the sums of tiles: as those of all rows at once, whatever the tiles and
however few are in memory.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest
from support.batch import random_layers, whole_run

from randcrowns import batch
from randcrowns.batch import sums
from randcrowns.core import PRESETS
from randcrowns.core.scoring.layer import mark_not_judged, summarise


@pytest.mark.parametrize(("plots", "threshold"), [(0, 0.5), (2, 0.62), (6, 0.5), (30, 0.5)])
@pytest.mark.parametrize("together", [5, 2_000_000])
def test_sums_of_tiles_make_the_summary_of_all(
    tmp_path, monkeypatch, plots: int, threshold: float, together: int
) -> None:
    monkeypatch.setattr(sums, "_TOGETHER", together)
    rng = np.random.default_rng(plots)
    n = 300
    names = np.array([None, *(f"plot {number}" for number in range(plots))], dtype=object)
    targets, delineations = (
        pd.DataFrame({"plot": names[rng.integers(0, plots + 1, n)]}) for _ in range(2)
    )
    for score in ("randcrowns", "iou", "iou_crowns"):
        # Ties are many, and some scores are alike but for the last digit.
        targets[score] = np.round(rng.beta(3, 2, n), 2) + rng.choice([0, 1e-16], n)
        targets[f"best_{score}"] = targets[score]
        delineations[score] = np.where(rng.random(n) < 0.2, np.nan, rng.random(n))
    targets.loc[targets["plot"] == "plot 1", ["randcrowns", "iou"]] = 0.25
    targets["status"] = rng.choice(["scored", "missed", "unmatched", "extent_limited"], n)
    small = rng.random(n) < 0.1
    targets.loc[small, ["randcrowns", "iou_crowns", "best_randcrowns"]] = np.nan
    targets.loc[small, "status"] = "target_too_small"
    delineations["status"] = rng.choice(["matched", "unmatched"], n)

    tile = rng.integers(0, 7, (2, n))
    found, files = [], {}
    for number in range(8):
        own = [side[tile[k] == number] for k, side in enumerate((targets, delineations))]
        found.append(sums.tile_sums(str(number), "anna", *own, threshold))
        files[str(number)] = tmp_path / f"{number}.parquet"
        own[0].assign(layer="anna").to_parquet(files[str(number)])
    summary = sums.summarise_sums(pd.concat(found, ignore_index=True), files, "anna", threshold)
    expected = summarise(targets, delineations, randcrowns_threshold=threshold)
    assert summary.columns.tolist() == expected.columns.tolist()
    pd.testing.assert_frame_equal(summary, expected, rtol=1e-9, atol=1e-9, check_dtype=False)


@pytest.mark.parametrize("pairing", ["nearest", "hungarian"])
def test_where_only_some_crowns_were_drawn(inside, tmp_path, pairing: str) -> None:
    layers = random_layers(tmp_path, 5, plots=(True, False))
    out = tmp_path / "out"
    how = {"pairing": pairing, "plot_field": "plot", "tile": 26, "scheduler": inside}
    found = batch.score(*layers.paths, out, all_drawn=False, **how)
    whole = mark_not_judged(whole_run(layers, PRESETS["image_boxes"], pairing))
    expected = whole.summary
    assert expected["precision_iou_0.5"].isna().all()
    pd.testing.assert_frame_equal(
        found[expected.columns], expected, rtol=1e-9, atol=1e-9, check_dtype=False
    )
    status = pd.concat(
        pq.read_table(path).to_pandas() for path in (out / "delineations").iterdir()
    )["status"]
    assert status.value_counts().to_dict() == whole.delineations["status"].value_counts().to_dict()
    assert "not_judged" in set(status)
    told = pd.read_json(out / "summary.json", typ="series")["warnings"]
    assert told == [
        "'All crowns in the area were drawn as targets' is off: crowns that match no target are "
        "not judged, and precision, F1 and the penalised mean are n/a."
    ]
