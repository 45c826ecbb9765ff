"""The order of layers, rows and plots changes no number of a job, random samples included."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import geopandas
import numpy as np
import pandas as pd
import pytest
import shapely

import randcrowns as rc

CRS = "EPSG:32617"
ANNOTATORS = ("ann", "ben", "eve", "kim")
DETECTORS = ("net", "box")
CLASSES = {"plot_field": "plot", "class_field": "species"}

Frames = Mapping[str, geopandas.GeoDataFrame]


def draw(name: str) -> geopandas.GeoDataFrame:
    """Return about 80 trees in twelve plots as somebody drew them, with few distinct scores."""
    trees = np.random.default_rng(0).uniform(0, 60, (80, 2))
    rng = np.random.default_rng(sum(name.encode()))
    plot = np.arange(80) % 12
    corner = trees + rng.normal(0, 0.6, (80, 2)) + 100.0 * plot[:, None]
    boxes = shapely.box(*corner.T, *(corner + rng.integers(4, 7, (80, 1))).T)
    columns = {
        "species": rng.choice(["oak", "ash"], 80),
        "plot": [f"p{number}" for number in plot],
        "score": rng.integers(1, 5, 80) / 4,
        "height": rng.uniform(5, 25, 80),
    }
    frame = geopandas.GeoDataFrame(columns, geometry=boxes, crs=CRS)
    return frame[rng.random(80) < 0.85]


def shuffled(frames: Frames, rng: np.random.Generator) -> Frames:
    """Return the layers in another order, with their rows in another order."""
    return {
        name: frames[name].sample(frac=1, random_state=rng) for name in rng.permutation([*frames])
    }


def score(annotators: Frames, detectors: Frames) -> rc.JobResult:
    return rc.score(
        annotators["ann"], detectors, summarise_by="attribute", strata_field="height", **CLASSES
    )


def evaluate(annotators: Frames, detectors: Frames) -> rc.JobResult:
    return rc.evaluate(
        annotators["ann"], detectors["net"], score_field="score", height_field="height", **CLASSES
    )


def rank(annotators: Frames, detectors: Frames, **parameters: Any) -> rc.JobResult:
    parts = [
        {name: frame[frame["plot"].isin(["p1", "p2", "p3"])] for name, frame in frames.items()}
        for frames in (detectors, annotators)
    ]
    return rc.rank_detectors(
        *parts, score_field="score", bootstrap_samples=40, **CLASSES, **parameters
    )


def rank_crowns(annotators: Frames, detectors: Frames) -> rc.JobResult:
    return rank(annotators, detectors, counted_units="crowns")


def agree(annotators: Frames, detectors: Frames) -> rc.JobResult:
    return rc.compare_annotators(annotators, bootstrap_samples=120, **CLASSES)


def agree_in_blocks(annotators: Frames, detectors: Frames) -> rc.JobResult:
    return rc.compare_annotators(annotators, bootstrap_samples=120)


#: Tables of each job whose rows are named by texts, or have an order of their own.
JOBS: Mapping[Callable[[Frames, Frames], rc.JobResult], Sequence[str]] = {
    score: ("summary", "class_metrics", "class_summary", "confusion", "strata"),
    evaluate: ("summary", "thresholds", "class_metrics", "class_summary", "confusion"),
    rank: ("summary", "certainty"),
    rank_crowns: ("summary", "certainty", "coco", "class_precision"),
    agree: ("summary", "annotators"),
    agree_in_blocks: ("summary", "annotators"),
}


def by_name(table: Any) -> pd.DataFrame:
    """Return a table whose rows are sorted by their texts."""
    frame = pd.DataFrame(table)
    texts = [name for name in frame if frame[name].dtype == object]
    named = frame.fillna(dict.fromkeys(texts, "")).astype(dict.fromkeys(texts, str))
    return named.sort_values(texts).reset_index(drop=True) if texts else named


@pytest.mark.parametrize("job", JOBS, ids=lambda job: job.__name__)
def test_order_of_layers_rows_and_plots_changes_nothing(job) -> None:
    rng = np.random.default_rng(3)
    annotators = {name: draw(name) for name in ANNOTATORS}
    detectors = {name: draw(name) for name in DETECTORS}
    expected = job(annotators, detectors)
    found = job(shuffled(annotators, rng), shuffled(detectors, rng))
    for name in JOBS[job]:
        pd.testing.assert_frame_equal(
            by_name(found.tables[name]), by_name(expected.tables[name]), atol=1e-9, rtol=0
        )
    assert {message.key for message in found.messages} == {
        message.key for message in expected.messages
    }
