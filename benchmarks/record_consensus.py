"""Record what other packages compute for a consensus of crowns, for the tests.

Run it with a Python that has ensemble-boxes, crowd-kit, numpy and scipy::

    python benchmarks/record_consensus.py tests/core/agreement/data

``consensus_packages.json`` contains scenes of boxes with the clusters of weighted-boxes-fusion
(Solovyev et al. 2021) and masks with the majority of crowd-kit, with the versions of the packages.
"""

from __future__ import annotations

import argparse
import json
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from crowdkit.aggregation import SegmentationMajorityVote
from ensemble_boxes import weighted_boxes_fusion
from scipy.ndimage import gaussian_filter

#: Minimum IoU of boxes of one cluster.
THRESHOLD = 0.5
#: Margin by which boxes of one tree exceed the threshold and those of two trees stay below it. The
#: package compares boxes with the mean box of a cluster, not with its boxes.
MARGIN = 0.05
N_SCENES = 40
N_MASKS = 24
SIDE = 16


def box_iou(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return the IoU (n, m) of boxes (n, 4) and (m, 4)."""
    lower = np.maximum(first[:, None, :2], second[None, :, :2])
    upper = np.minimum(first[:, None, 2:], second[None, :, 2:])
    shared = np.maximum(upper - lower, 0).prod(axis=2)
    area = (first[:, 2:] - first[:, :2]).prod(axis=1)[:, None]
    other_area = (second[:, 2:] - second[:, :2]).prod(axis=1)[None, :]
    return shared / (area + other_area - shared)


def draw_scene(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return boxes (n, 4) in the unit square, their annotators (n,) and their trees (n,)."""
    while True:
        n_annotators = int(rng.integers(2, 13))
        row, column = np.divmod(np.arange(16), 4)
        centres = (np.stack([column, row], axis=1) + 0.5 + rng.normal(0, 0.1, (16, 2))) / 4
        sizes = rng.uniform(0.18, 0.3, (16, 2))
        tree, annotator = np.nonzero(rng.random((16, n_annotators)) < 0.7)
        centre = centres[tree] + rng.normal(0, 0.01, (len(tree), 2))
        size = sizes[tree] * rng.lognormal(0, 0.05, (len(tree), 2))
        boxes = np.clip(np.hstack([centre - size / 2, centre + size / 2]), 0, 1).round(4)
        iou = box_iou(boxes, boxes)
        is_same = tree[:, None] == tree
        if iou[is_same].min() > THRESHOLD + MARGIN and iou[~is_same].max() < THRESHOLD - MARGIN:
            return boxes, annotator, tree


def record_scene(rng: np.random.Generator) -> dict[str, Any]:
    """Return a scene with the fused boxes of the package and their numbers of members."""
    boxes, annotator, _ = draw_scene(rng)
    n_annotators = int(annotator.max()) + 1
    layers = [boxes[annotator == number].tolist() for number in range(n_annotators)]
    ones = [[1.0] * len(layer) for layer in layers]
    labels = [[0] * len(layer) for layer in layers]
    fused, scores, _ = weighted_boxes_fusion(layers, ones, labels, iou_thr=THRESHOLD)
    members = np.round(scores * n_annotators).astype(int)
    return {"layers": layers, "fused": fused.round(6).tolist(), "members": members.tolist()}


def record_masks(rng: np.random.Generator) -> dict[str, Any]:
    """Return masks (K, SIDE, SIDE) of a tree as rows of digits, with their majority."""
    n_annotators = int(rng.integers(2, 8))
    y, x = np.mgrid[:SIDE, :SIDE] - SIDE / 2
    masks = []
    for _ in range(n_annotators):
        noise = gaussian_filter(rng.standard_normal((SIDE, SIDE)), 2)
        radius = SIDE * rng.uniform(0.25, 0.4) + 3 * noise / noise.std()
        masks.append(np.hypot(x, y) < radius)
    rows = [["tree", f"worker {k}", mask] for k, mask in enumerate(masks)]
    frame = pd.DataFrame(rows, columns=["task", "worker", "segmentation"])
    majority = SegmentationMajorityVote().fit_predict(frame).loc["tree"]
    return {"masks": [as_digits(mask) for mask in masks], "majority": as_digits(majority)}


def as_digits(mask: np.ndarray) -> list[str]:
    """Return the rows of a mask as texts of 0 and 1."""
    return ["".join("01"[int(value)] for value in row) for row in mask]


def main() -> None:
    """Write the records."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    rng = np.random.default_rng(39)
    record = {
        "versions": {name: version(name) for name in ("ensemble-boxes", "crowd-kit")},
        "threshold": THRESHOLD,
        "scenes": [record_scene(rng) for _ in range(N_SCENES)],
        "masks": [record_masks(rng) for _ in range(N_MASKS)],
    }
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(record, separators=(",", ":"))
    (folder / "consensus_packages.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
