"""Compare the matching methods *deepforest* and *stardist* with the packages on random scenes.

Run it with a Python that has the sources of both packages and numpy, pandas, scipy, shapely,
geopandas, numba, scikit-image and csbdeep; neither PyTorch nor TensorFlow is needed::

    python benchmarks/compare_matching.py --deepforest FOLDER --stardist FOLDER [--scenes 300]
        [--record tests/core/instances/data]

The folders contain the packages' unpacked wheels. The script runs ``evaluate_boxes`` of
DeepForest on boxes, ``evaluate_geometry`` on polygons and ``stardist.matching.matching`` on label
images, and prints every difference. ``--record`` writes some of the scenes with the packages'
results as tables for the tests.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import json
import sys
import types
from pathlib import Path
from typing import Any

import numpy as np
import shapely

# The Python of the packages may lack the package randcrowns; the checkout is the package.
if importlib.util.find_spec("randcrowns") is None:
    sys.modules["randcrowns"] = package = types.ModuleType("randcrowns")
    package.__path__ = [str(Path(__file__).resolve().parents[1])]

from randcrowns.core.crowns import Crowns
from randcrowns.core.instances.matching import match_instances
from randcrowns.core.instances.overlap import OverlapTable, polygon_overlap

#: Number of scenes that are recorded, of each kind.
RECORDED = 24


def import_from(folder: Path, package: str, module: str) -> Any:
    """Import one module of a package without running the package's ``__init__``."""
    parent = types.ModuleType(package)
    parent.__path__ = [str(folder / package)]
    sys.modules[package] = parent
    if package == "deepforest":
        # The real module imports PyTorch; its only name is not called for GeoDataFrames.
        utilities = types.ModuleType("deepforest.utilities")
        utilities.__pandas_to_geodataframe__ = None  # type: ignore[attr-defined]
        sys.modules["deepforest.utilities"] = utilities
    return importlib.import_module(f"{package}.{module}")


def draw_boxes(rng: np.random.Generator, n: int) -> np.ndarray:
    """Return (n, 4) boxes of whole pixels: xmin, ymin, xmax, ymax."""
    lower = rng.integers(1, 40, (n, 2))
    return np.hstack([lower, lower + rng.integers(4, 16, (n, 2))])


def draw_scene(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return boxes of targets and of predictions; some predictions are shifted targets."""
    targets = draw_boxes(rng, int(rng.integers(1, 14)))
    shifted = targets[rng.random(len(targets)) < 0.8]
    shifted = shifted + rng.integers(-4, 5, shifted.shape)
    shifted = shifted[(shifted[:, 2:] > shifted[:, :2]).all(axis=1)]
    predictions = np.concatenate([shifted, draw_boxes(rng, int(rng.integers(1, 8)))])
    return targets, rng.permutation(predictions)


def diamonds(boxes: np.ndarray) -> list[shapely.Polygon]:
    """Return the rhombus in each box."""
    return [
        shapely.Polygon(
            [(x1, (y1 + y2) / 2), ((x1 + x2) / 2, y1), (x2, (y1 + y2) / 2), ((x1 + x2) / 2, y2)]
        )
        for x1, y1, x2, y2 in boxes.tolist()
    ]


def run_deepforest(
    evaluate: Any, targets: np.ndarray, predictions: np.ndarray, kind: str
) -> dict[str, Any]:
    """Return DeepForest's matches, recall and precision of one image."""
    import geopandas as gpd

    def frame(boxes: np.ndarray) -> Any:
        columns = dict(zip(("xmin", "ymin", "xmax", "ymax"), boxes.T))
        geometry = shapely.box(*boxes.T) if kind == "box" else diamonds(boxes)
        table = gpd.GeoDataFrame(columns, geometry=list(geometry))
        return table.assign(label="Tree", image_path="image.png", score=0.5)

    if kind == "box":
        result = evaluate.evaluate_boxes(frame(predictions), frame(targets))
    else:
        result = evaluate.evaluate_geometry(
            frame(predictions), frame(targets), geometry_type="polygon"
        )
    rows = result["results"]
    match = [
        int(prediction) if is_match else -1
        for prediction, is_match in zip(rows["prediction_id"], rows["match"])
    ]
    return {
        "match": match,
        "recall": float(result[f"{kind}_recall"]),
        "precision": float(result[f"{kind}_precision"]),
    }


def draw_labels(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return two label images of 14 x 14 pixels; 0 is the background, labels have gaps."""
    images = []
    for boxes in draw_scene(rng):
        image = np.zeros((14, 14), dtype=int)
        for number, box in enumerate(boxes // 4, start=1):
            image[box[1] : box[3] + 1, box[0] : box[2] + 1] = number
        images.append(image)
    return images[0], images[1]


def run_stardist(matching: Any, target: np.ndarray, prediction: np.ndarray) -> dict[str, Any]:
    """Return StarDist's pairs of labels that count, with its counts."""
    stats = matching(target, prediction, thresh=0.5, report_matches=True)
    pairs = [list(stats.matched_pairs[row]) for row in stats.matched_tps]
    return {
        "pairs": sorted(pairs),
        "tp": int(stats.tp),
        "fp": int(stats.fp),
        "fn": int(stats.fn),
        "panoptic_quality": float(stats.panoptic_quality),
    }


def label_pairs(target: np.ndarray, prediction: np.ndarray) -> list[list[int]]:
    """Return the pairs of labels that method *stardist* matches."""
    table = OverlapTable.from_labels(target.ravel(), prediction.ravel(), 0)
    match = match_instances(table, "stardist").prediction
    target_labels = np.unique(target[target > 0])
    prediction_labels = np.unique(prediction[prediction > 0])
    return [
        [int(target_labels[number]), int(prediction_labels[index])]
        for number, index in enumerate(match)
        if index >= 0
    ]


def main() -> None:
    """Compare the scenes, print the differences, and record scenes if requested."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deepforest", type=Path, required=True)
    parser.add_argument("--stardist", type=Path, required=True)
    parser.add_argument("--scenes", type=int, default=300)
    parser.add_argument("--record", type=Path)
    options = parser.parse_args()
    evaluate = import_from(options.deepforest, "deepforest", "evaluate")
    matching = import_from(options.stardist, "stardist", "matching").matching

    rng = np.random.default_rng(0)
    recorded: dict[str, list[dict[str, Any]]] = {"deepforest": [], "stardist": []}
    n_differences = 0
    for number in range(options.scenes):
        kind = ("box", "polygon")[number % 2]
        targets, predictions = draw_scene(rng)
        expected = run_deepforest(evaluate, targets, predictions, kind)
        outlines = (
            shapely.box(*b.T) if kind == "box" else diamonds(b) for b in (targets, predictions)
        )
        found = match_instances(polygon_overlap(*map(Crowns, outlines)), "deepforest")
        if found.prediction.tolist() != expected["match"]:
            n_differences += 1
            print("deepforest", number, found.prediction.tolist(), expected["match"])
        recorded["deepforest"].append(
            {"kind": kind, "targets": targets.tolist(), "predictions": predictions.tolist()}
            | expected
        )

        target, prediction = draw_labels(rng)
        expected = run_stardist(matching, target, prediction)
        pairs = label_pairs(target, prediction)
        if pairs != expected["pairs"]:
            n_differences += 1
            print("stardist", number, pairs, expected["pairs"])
        recorded["stardist"].append(
            {"target": target.tolist(), "prediction": prediction.tolist()} | expected
        )
    print(f"{2 * options.scenes} scenes, {n_differences} with a difference")
    if options.record:
        folders = {"deepforest": options.deepforest, "stardist": options.stardist}
        for name, scenes in recorded.items():
            # The folder of the wheel's metadata is called "<package>-<version>.dist-info".
            (metadata,) = folders[name].glob("*.dist-info")
            table = {"package": metadata.stem, "scenes": scenes[:RECORDED]}
            path = options.record / f"{name}_matches.json"
            path.write_text(json.dumps(table, separators=(",", ":")) + "\n", "utf-8")


if __name__ == "__main__":
    main()
