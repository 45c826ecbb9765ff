"""A scene with areas to ignore of one class each, and its average precision by pycocotools."""

from __future__ import annotations

import contextlib
import io
from typing import NamedTuple

import numpy as np
import pytest
import shapely


class CrowdScene(NamedTuple):
    """Boxes (x, y, width, height) with their classes; all lie on one image."""

    trees: np.ndarray
    tree_class: np.ndarray
    found: np.ndarray
    found_class: np.ndarray
    score: np.ndarray
    crowds: np.ndarray
    crowd_class: np.ndarray

    @property
    def uncertain(self) -> np.ndarray:
        """True for crowns of which at least half lies on one area of their own class."""
        left, bottom, width, height = self.found.T
        share = np.zeros(len(self.found))
        for box, name in zip(self.crowds, self.crowd_class):
            wide = np.minimum(left + width, box[0] + box[2]) - np.maximum(left, box[0])
            high = np.minimum(bottom + height, box[1] + box[3]) - np.maximum(bottom, box[1])
            own = np.clip(wide, 0, None) * np.clip(high, 0, None) / (width * height)
            share = np.maximum(share, np.where(self.found_class == name, own, 0))
        return share >= 0.5


def crowd_scene(seed: int) -> CrowdScene:
    """Return 90 crowns, of which those on areas to ignore are not among the targets."""
    rng = np.random.default_rng(seed)
    places = np.stack(np.meshgrid(np.arange(10), np.arange(9)), -1).reshape(-1, 2) * 12
    trees = np.column_stack([places, rng.integers(6, 10, (90, 2))])
    tree_class = rng.choice(["ash", "oak"], 90)
    found = trees + rng.choice([-1, 0, 0, 0, 1], trees.shape)
    found_class = np.where(rng.random(90) < 0.8, tree_class, rng.choice(["ash", "oak"], 90))
    crowds = np.array([[-2, -2, 62, 50], [70, 40, 60, 80]])
    is_drawn = ~((trees[:, :1] < 60) & (trees[:, 1:2] < 48))[:, 0]
    is_drawn &= ~((trees[:, 0] >= 70) & (trees[:, 1] >= 40))
    return CrowdScene(
        trees[is_drawn],
        tree_class[is_drawn],
        found,
        found_class,
        rng.permutation(90) / 100,
        crowds,
        np.array(["oak", "ash"]),
    )


def boxes(rows: np.ndarray) -> np.ndarray:
    """Return polygons of boxes (n, 4)."""
    left, bottom, width, height = rows.T.astype(float)
    return shapely.box(left, bottom, left + width, bottom + height)


def class_precision(scene: CrowdScene) -> dict[str, float]:
    """Return the average precision of each class, with the areas as crowds, by pycocotools."""
    coco = pytest.importorskip("pycocotools.coco", reason="pycocotools is not installed")
    cocoeval = pytest.importorskip("pycocotools.cocoeval")
    names = ["ash", "oak"]
    kinds = [(scene.trees, scene.tree_class, 0), (scene.crowds, scene.crowd_class, 1)]
    rows = [
        {"bbox": box.astype(float).tolist(), "category_id": names.index(name) + 1, "iscrowd": crowd}
        for own, classes, crowd in kinds
        for box, name in zip(own, classes)
    ]
    truth = coco.COCO()
    truth.dataset = {
        "images": [{"id": 1}],
        "categories": [{"id": number + 1, "name": name} for number, name in enumerate(names)],
        "annotations": [
            {**row, "id": number + 1, "image_id": 1, "area": row["bbox"][2] * row["bbox"][3]}
            for number, row in enumerate(rows)
        ],
    }
    results = [
        {
            "image_id": 1,
            "bbox": box.astype(float).tolist(),
            "category_id": names.index(name) + 1,
            "score": float(score),
        }
        for box, name, score in zip(scene.found, scene.found_class, scene.score)
    ]
    with contextlib.redirect_stdout(io.StringIO()):
        truth.createIndex()
        evaluation = cocoeval.COCOeval(truth, truth.loadRes(results), "bbox")
        evaluation.params.areaRng = [[0, 1e10]]
        evaluation.params.areaRngLbl = ["all"]
        evaluation.evaluate()
        evaluation.accumulate()
    precision = evaluation.eval["precision"][:, :, :, 0, -1]  # (IoU, recall, class)
    return {name: float(precision[:, :, number].mean()) for number, name in enumerate(names)}
