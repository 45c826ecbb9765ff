"""Evaluates the sample cloud, or your own, headless through QGIS (part of ``make demo``).

CLOUD                            a LAS, LAZ or COPC file (default: the sample cloud)
CLOUD_TARGET, CLOUD_PREDICTION   its attributes with the id of each point's tree (default: tree_id, predicted_id)
CLOUD_CRS                        its coordinate system where the file names none, such as EPSG:32633
INVALID_ID                       id for no target, and for no prediction (default: -1)
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pandas as pd
from qgis.core import QgsProcessingFeedback

from randcrowns.core.errors import InputError
from randcrowns.layers.cloud.head import cloud_file, look_into
from randcrowns.layers.sample import PREDICTION, TARGET

__all__ = ["cloud_text", "evaluate_cloud"]

RESULTS = {
    "crowns": "cloud.gpkg",
    "summary": "cloud_summary.csv",
    "partitions": "cloud_partitions.csv",
}
_INTERVALS = {
    "precision": "precision",
    "recall": "recall",
    "F1": "f1",
    "PQ": "pq",
    "mean IoU": "mean_iou",
}


def evaluate_cloud(folder: Path, sample: Path, feedback: QgsProcessingFeedback) -> str:
    """Evaluate the cloud the variables name, or the sample; a text that says what came of it and where it lies.

    Earlier results are written over once there are new ones, and stay when there are none.

    Raises:
        InputError: if INVALID_ID is no whole number, or nobody says the cloud's coordinate system.
        QgsProcessingException: if the cloud cannot be evaluated.
    """
    import processing

    path = os.environ.get("CLOUD") or str(sample)
    crs = os.environ.get("CLOUD_CRS")
    if not crs and not look_into(cloud_file(path)).crs.isValid():
        raise InputError(
            f"{path} does not say its coordinate system; name it: make demo CLOUD={path} CLOUD_CRS=EPSG:32633 (for "
            "local coordinates in metres any system in metres will do)."
        )
    results = {name: folder / file for name, file in RESULTS.items()}
    package = results["crowns"]
    processing.run(
        "randcrowns:evaluatepointcloud",
        {
            "INPUT": path,
            "TARGET": os.environ.get("CLOUD_TARGET") or TARGET,
            "PREDICTION": os.environ.get("CLOUD_PREDICTION") or PREDICTION,
            "CRS": crs or None,
            "INVALID_ID": _whole_number("INVALID_ID", -1),
            "MATCHED_TARGETS": f"ogr:dbname='{package}' table=\"matched_targets\" (geom)",
            "MATCHED_PREDICTIONS": f"ogr:dbname='{package}' table=\"matched_predictions\" (geom)",
            "SUMMARY": str(results["summary"]),
            "PARTITIONS": str(results["partitions"]),
        },
        feedback=feedback,
    )
    title = "Simulated point cloud" if path == str(sample) else path
    text = cloud_text(title, pd.read_csv(results["summary"]).iloc[0])
    return text + "".join(
        f"  {place}  {name} of the point cloud\n" for name, place in results.items()
    )


def cloud_text(title: str, row: Any) -> str:
    """The metrics of a cloud in words."""
    shown = ", ".join(f"{name} {_score(row, column)}" for name, column in _INTERVALS.items())
    return (
        f"{title}: {row['targets']} trees, {row['predictions']} predicted; {row['tp']} found, {row['fn']} not found, "
        f"{row['fp']} false positives\n{shown}\n(95 % intervals over instances)\n\n"
    )


def _score(row: Any, column: str) -> str:
    value, low, high = (row[name] for name in (column, f"{column}_low", f"{column}_high"))
    if pd.isna(value):
        return "n/a"
    return f"{value:.3f}" if pd.isna(low) else f"{value:.3f} ({low:.2f}–{high:.2f})"


def _whole_number(variable: str, usual: int) -> int:
    given = os.environ.get(variable)
    try:
        return int(given) if given else usual
    except ValueError:
        raise InputError(f"{variable}={given} is not a whole number.") from None
