"""Evaluate the sample cloud, or your own, through QGIS without a window (part of ``make demo``).

CLOUD                            a LAS, LAZ or COPC file (default: the sample cloud)
CLOUD_TARGET, CLOUD_PREDICTION   attributes with the tree id of each point
                                 (default: tree_id, predicted_id)
CLOUD_CRS                        coordinate reference system, such as EPSG:32633, if the file
                                 contains none
NO_TREE_ID                       id of points without target or prediction (default: -1)
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pandas as pd
from qgis.core import QgsProcessingFeedback

from randcrowns.core.errors import InputError
from randcrowns.core.sample import PREDICTION_ATTRIBUTE, TARGET_ATTRIBUTE
from randcrowns.layers.cloud.header import find_cloud_file, read_header

__all__ = ["cloud_text", "evaluate_cloud"]

#: Names of the result files in the output folder.
RESULTS = {
    "crowns": "cloud.gpkg",
    "summary": "cloud_summary.csv",
    "partitions": "cloud_partitions.csv",
}
#: Label -> column of the summary that has an interval.
_METRICS = {
    "precision": "precision",
    "recall": "recall",
    "F1": "f1",
    "PQ": "pq",
    "mean IoU": "mean_iou",
}


def evaluate_cloud(folder: Path, sample: Path, feedback: QgsProcessingFeedback) -> str:
    """Evaluate the point cloud that the variables specify, or the sample cloud.

    Earlier results are replaced only if the evaluation succeeds.

    Args:
        folder: folder for the results.
        sample: path of the sample cloud.
        feedback: receives warnings.

    Returns:
        The metrics and the paths of the result files, as text.

    Raises:
        InputError: if NO_TREE_ID is not a whole number, or the cloud's coordinate reference
            system is unknown.
        QgsProcessingException: if the cloud cannot be evaluated.
    """
    import processing

    path = os.environ.get("CLOUD") or str(sample)
    crs = os.environ.get("CLOUD_CRS")
    if not crs and not read_header(find_cloud_file(path)).crs.isValid():
        raise InputError(
            "demo.no_crs",
            "{path} contains no coordinate reference system. Name it: make demo "
            "CLOUD={path} CLOUD_CRS=EPSG:32633 (for local coordinates any system in "
            "metres).",
            path=path,
        )
    results = {name: folder / file for name, file in RESULTS.items()}
    package = results["crowns"]
    processing.run(
        "randcrowns:evaluatepointcloud",
        {
            "INPUT": path,
            "TARGET_ATTRIBUTE": os.environ.get("CLOUD_TARGET") or TARGET_ATTRIBUTE,
            "PREDICTION_ATTRIBUTE": os.environ.get("CLOUD_PREDICTION") or PREDICTION_ATTRIBUTE,
            "CRS": crs or None,
            "NO_TREE_ID": _whole_number("NO_TREE_ID", -1),
            "MATCHED_TARGETS": f"ogr:dbname='{package}' table=\"matched_targets\" (geom)",
            "MATCHED_PREDICTIONS": f"ogr:dbname='{package}' table=\"matched_predictions\" (geom)",
            "SUMMARY": str(results["summary"]),
            "PARTITIONS": str(results["partitions"]),
        },
        feedback=feedback,
    )
    title = "Simulated point cloud" if path == str(sample) else path
    text = cloud_text(title, pd.read_csv(results["summary"]).iloc[0])
    files = [f"  {file}  {name} of the point cloud\n" for name, file in results.items()]
    return text + "".join(files)


def cloud_text(title: str, row: Any) -> str:
    """Return the counts and metrics of a point cloud as text.

    Args:
        title: name of the cloud.
        row: the row of its summary table.
    """
    metrics = ", ".join(f"{label} {_score(row, column)}" for label, column in _METRICS.items())
    return (
        f"{title}: {row['targets']} trees, {row['predictions']} predicted; "
        f"{row['tp']} detected, {row['fn']} not detected, {row['fp']} false detections\n"
        f"{metrics}\n(95 % intervals over instances)\n\n"
    )


def _score(row: Any, column: str) -> str:
    """Return a metric with its interval as text, "n/a" if it is undefined."""
    value = row[column]
    low = row[f"{column}_low"]
    high = row[f"{column}_high"]
    if pd.isna(value):
        return "n/a"
    if pd.isna(low):
        return f"{value:.3f}"
    return f"{value:.3f} ({low:.2f}–{high:.2f})"


def _whole_number(variable: str, default: int) -> int:
    """Return the whole number in a variable, the default if it is empty, else raise InputError."""
    text = os.environ.get(variable)
    try:
        return int(text) if text else default
    except ValueError:
        raise InputError(
            "demo.not_whole",
            "{variable}={text} is not a whole number.",
            variable=variable,
            text=text,
        ) from None
