"""Simulated annotators of an image without a georeference, and slow, simple measures of them."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import numpy as np
from osgeo import gdal
from qgis.core import QgsRasterLayer
from scipy.ndimage import binary_dilation, gaussian_filter, shift

__all__ = ["Case", "aucr", "f1", "image_case", "plain_raster", "plain_rasters", "smyth"]


class Case(NamedTuple):
    """(rows, columns) decisions of each annotator, and scores of each detector, by name."""

    annotators: dict[str, np.ndarray]
    detectors: dict[str, np.ndarray]


def image_case(
    seed: int, shape: tuple[int, int] = (60, 90), people: int = 5, detectors: int = 3
) -> Case:
    """Return winding lines that annotators trace wider or narrower, shifted, and in part only."""
    rng = np.random.default_rng(seed)
    ground = gaussian_filter(rng.normal(size=shape), 6)
    lines = np.abs(ground) < 0.04 * ground.std() / 0.3
    annotators = {}
    for number in range(1, people + 1):
        drawn = binary_dilation(lines, iterations=1) if rng.random() < 0.5 else lines
        drawn = shift(drawn.astype(float), rng.integers(-1, 2, 2), order=0) > 0
        kept = gaussian_filter(rng.normal(size=shape), 8)
        annotators[f"person_{number}"] = drawn & (kept > np.quantile(kept, 0.15))
    scores = {}
    for number in range(1, detectors + 1):
        blurred = gaussian_filter(lines.astype(float), 0.7 * number)
        scores[f"detector_{number}"] = blurred + rng.normal(0, 0.05 * number, shape)
    return Case(annotators, scores)


def plain_raster(path: Path, values: np.ndarray) -> QgsRasterLayer:
    """Write decisions or scores as a raster without a georeference."""
    kind, driver = (gdal.GDT_Byte, "GTiff") if values.dtype == bool else (gdal.GDT_Float32, "GTiff")
    made = gdal.GetDriverByName(driver).Create(str(path), values.shape[1], values.shape[0], 1, kind)
    made.GetRasterBand(1).WriteArray(
        values.astype(np.uint8) * 255 if values.dtype == bool else values
    )
    del made
    layer = QgsRasterLayer(str(path), path.stem)
    assert layer.isValid()
    assert not layer.crs().isValid()
    return layer


def plain_rasters(folder: Path, named: dict[str, np.ndarray]) -> list[QgsRasterLayer]:
    """Write several rasters by name."""
    return [plain_raster(folder / f"{name}.tif", values) for name, values in named.items()]


def smyth(annotators: dict[str, np.ndarray], valid: np.ndarray | None = None) -> float:
    """Return Smyth's bound (Lampert et al. 2016, Eq. 1), pixel by pixel."""
    stack = [marks if valid is None else marks[valid] for marks in annotators.values()]
    errors = 0
    for decisions in zip(*(marks.ravel().tolist() for marks in stack)):
        errors += min(sum(decisions), len(decisions) - sum(decisions))
    return errors / (len(stack) * stack[0].size)


def f1(
    annotators: dict[str, np.ndarray], valid: np.ndarray | None = None
) -> dict[tuple[str, str], float]:
    """Return the F1 (Eq. 6) of each pair of annotators."""
    inside = np.ones_like(next(iter(annotators.values()))) if valid is None else valid
    marked = {
        name: set(np.flatnonzero(marks & inside).tolist()) for name, marks in annotators.items()
    }
    return {
        (one, other): 2 * len(marked[one] & marked[other]) / (len(marked[one]) + len(marked[other]))
        for one, other in combinations(marked, 2)
    }


def aucr(
    score: np.ndarray, truth: np.ndarray, low: float = 0.1, high: float = 0.5, steps: int = 4000
) -> float:
    """Return the area under the P̄-recall curve (Eq. 7) by sums over lines of the ROC."""
    order = np.argsort(-score.ravel(), kind="stable")
    values, right = score.ravel()[order], truth.ravel()[order]
    last = np.append(values[1:] != values[:-1], True)
    t = np.append(0, np.cumsum(right)[last] / right.sum())
    f = np.append(0, np.cumsum(~right)[last] / (~right).sum())
    recall = (np.arange(steps) + 0.5) / steps
    false = np.interp(recall, t, f)
    # Where recall stands still over several thresholds, the first of them is the line's end.
    skew = (low + (high - low) * (np.arange(100) + 0.5) / 100)[:, None]
    return float(np.mean(skew * recall / (skew * recall + (1 - skew) * false)))
