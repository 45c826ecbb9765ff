"""Labelled point clouds, in the layouts of pointtree and FOR-instance.

Each file holds the target trees and the predicted trees of a plot as two attributes of its points.
"""

from __future__ import annotations

import glob
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from randcrowns.core.arrays import Array
from randcrowns.core.errors import InputError
from randcrowns.core.messages import Message, note
from randcrowns.core.statistics import plot_codes, ratio
from randcrowns.jobs.benchmarks.comparison import Estimate, SubmissionResult
from randcrowns.jobs.benchmarks.tables import read_table, required_columns
from randcrowns.jobs.point_clouds import evaluate_trees
from randcrowns.jobs.results import JobResult

#: FOR-instance's table of the splits, and the split that is evaluated.
_SPLIT_TABLE = "data_split_metadata.csv"
_TEST_SPLIT = "test"
#: Endings of files of points.
_CLOUD_SUFFIXES = (".las", ".laz", ".ply", ".npy", ".npz")


@dataclass(frozen=True)
class CloudLayout:
    """Layout of a benchmark of point clouds.

    Attributes:
        detection_method: matching for the detection metrics.
        segmentation_method: matching for the segmentation metrics.
        no_tree_id: value of points without a tree.
        excluded_points: points that are left out, as in the job ``evaluate-cloud``.
        target_attribute: attribute with the target trees; "" if it must be named.
    """

    detection_method: str
    segmentation_method: str
    no_tree_id: int
    excluded_points: str = ""
    target_attribute: str = ""


#: pointtree: matching of panoptic segmentation; -1 is no tree.
POINTTREE = CloudLayout("panoptic_segmentation", "for_ai_net_coverage", -1)
#: FOR-instance (Puliti et al. 2023): the tallest tree first, IoU of at least 0.5; 0 is no tree, and
#: points of partly observed trees (class 3) are left out.
FOR_INSTANCE = CloudLayout(
    detection_method="for_instance",
    segmentation_method="for_instance",
    no_tree_id=0,
    excluded_points="classification=3",
    target_attribute="treeID",
)


class _Cloud(NamedTuple):
    """Evaluated cloud."""

    name: str  #: name of the plot: folder and file.
    site: str  #: name of the folder.
    result: JobResult  #: result of the job ``evaluate-cloud``.


@dataclass(frozen=True)
class CloudFiles:
    """Attributes of the clouds.

    Attributes:
        layout: layout of the benchmark.
        target_attribute: attribute with the target trees; "" for that of the layout.
        prediction_attribute: attribute with the predicted trees.
    """

    layout: CloudLayout
    target_attribute: str = ""
    prediction_attribute: str = ""


def evaluate_clouds(files: CloudFiles, submission: str) -> SubmissionResult:
    """Evaluate the clouds of a submission.

    Args:
        files: attributes of the clouds.
        submission: a file, a folder with files in it or in its subfolders, or a pattern.

    Raises:
        InputError: if there are no clouds, or one cannot be read.
    """
    layout = files.layout
    target_attribute = files.target_attribute or layout.target_attribute
    if not (target_attribute and files.prediction_attribute):
        raise InputError(
            "benchmark.no_attributes",
            "Name the attributes with the target trees (target_attribute) and the predicted trees "
            "(prediction_attribute).",
        )
    clouds = []
    paths, messages = _select_test_plots(_find_clouds(submission), Path(submission))
    for path in paths:
        parameters = {
            "target_attribute": target_attribute,
            "prediction_attribute": files.prediction_attribute,
            "no_tree_id": layout.no_tree_id,
            "detection_method": layout.detection_method,
            "segmentation_method": layout.segmentation_method,
            "excluded_points": layout.excluded_points,
            "num_partitions": 0,
        }
        result = evaluate_trees(path, parameters, has_outlines=False)
        clouds.append(_Cloud(f"{path.parent.name}/{path.stem}", path.parent.name, result))
    return _combine(clouds, layout, messages)


def _select_test_plots(paths: list[Path], folder: Path) -> tuple[list[Path], list[Message]]:
    """Return the clouds of the split "test", if the folder has FOR-instance's table of the splits.

    Args:
        paths: clouds of the folder.
        folder: the folder; other sources have no such table.

    Returns:
        The clouds, and a note on the split; all clouds and no note without the table.

    Raises:
        InputError: if the table cannot be read, or no cloud belongs to the split.
    """
    table_path = folder / _SPLIT_TABLE
    if not table_path.is_file():
        return paths, []
    table = read_table(table_path)
    required_columns(table, ("path", "split"), _SPLIT_TABLE)
    # Names of clouds are compared without their endings.
    test_names = set()
    for name, split in zip(table["path"], table["split"]):
        if str(split).strip().lower() == _TEST_SPLIT:
            test_names.add(Path(str(name)).with_suffix(""))
    tested = [path for path in paths if path.relative_to(folder).with_suffix("") in test_names]
    if not tested:
        raise InputError(
            "benchmark.no_test_plots",
            "{folder} has no cloud of the split 'test' of {table}. Name the clouds, or remove the "
            "table to evaluate all of them.",
            folder=str(folder),
            table=_SPLIT_TABLE,
        )
    message = note(
        "benchmark.test_plots",
        "{count:,} clouds of the split 'test' of {table} are evaluated; the others are left out.",
        one="1 cloud of the split 'test' of {table} is evaluated; the others are left out.",
        count=len(tested),
        table=_SPLIT_TABLE,
    )
    return tested, [message]


def _find_clouds(submission: str) -> list[Path]:
    """Return the files of points that a path or a pattern names, sorted.

    Raises:
        InputError: if there is none.
    """
    path = Path(submission)
    if path.is_dir():
        cloud_files = sorted(
            file for file in path.rglob("*") if file.suffix.lower() in _CLOUD_SUFFIXES
        )
    elif path.is_file():
        cloud_files = [path]
    else:
        cloud_files = sorted(map(Path, glob.glob(submission, recursive=True)))  # noqa: PTH207 - absolute patterns
    if not cloud_files:
        raise InputError(
            "benchmark.no_clouds",
            "There are no point clouds in {submission}. Name a file, a folder or a pattern.",
            submission=submission,
        )
    return cloud_files


def _combine(
    clouds: list[_Cloud], layout: CloudLayout, messages: list[Message]
) -> SubmissionResult:
    """Return the results of all clouds of a submission together.

    Args:
        clouds: the evaluated clouds.
        layout: layout of the benchmark.
        messages: messages about the choice of the clouds.
    """
    counts_of_clouds = []
    targets_of_clouds = []
    for cloud in clouds:
        overall = cloud.result.summary.head(1)
        counts_of_clouds.append(overall[["tp", "fp", "fn"]])
        targets_of_clouds.append(cloud.result.tables["targets"].assign(cloud=cloud.name))
    counts = pd.concat(counts_of_clouds, ignore_index=True).astype(float)
    targets = pd.concat(targets_of_clouds, ignore_index=True)
    table = _sites_table(clouds, counts) if layout == FOR_INSTANCE else _metrics_table(clouds)
    # A target without a match has an IoU of 0.
    iou = targets["iou"].fillna(0.0).to_numpy(dtype=float)
    plots = targets["cloud"].to_numpy(dtype=object)
    mean_iou = Estimate.of_mean("mean_iou", iou, plot_codes(plots))
    units = pd.Index(targets["cloud"] + " " + targets["target_id"].astype(str))
    n_predictions = int(counts["tp"].sum() + counts["fp"].sum())
    return SubmissionResult(
        table=table,
        counts={"clouds": len(clouds), "targets": len(targets), "predictions": n_predictions},
        estimates=(*_detection_estimates(counts), mean_iou),
        unit_scores=pd.Series(iou, index=units),
        unit_plots=pd.Series(plots, index=units),
        messages=(*messages, *_collect_messages(clouds)),
    )


def _detection_estimates(counts: pd.DataFrame) -> tuple[Estimate, ...]:
    """Return precision, recall and F1 over all clouds, whose intervals are over clouds."""
    matched = counts["tp"].to_numpy()
    predictions = matched + counts["fp"].to_numpy()
    targets = matched + counts["fn"].to_numpy()
    plots = np.arange(len(counts))

    def estimate_share(name: str, parts: Array, wholes: Array) -> Estimate:
        share = float(ratio(parts.sum(), wholes.sum()))
        return Estimate(name=name, value=share, parts=parts, wholes=wholes, plots=plots)

    return (
        estimate_share("precision", matched, predictions),
        estimate_share("recall", matched, targets),
        estimate_share("f1", 2 * matched, predictions + targets),
    )


def _metrics_table(clouds: list[_Cloud]) -> pd.DataFrame:
    """Return pointtree's metrics, a row per cloud."""
    rows = [cloud.result.tables["metrics"].assign(cloud=cloud.name) for cloud in clouds]
    table = pd.concat(rows, ignore_index=True)
    return table[["cloud", *table.columns.drop("cloud")]]


def _sites_table(clouds: list[_Cloud], counts: pd.DataFrame) -> pd.DataFrame:
    """Return the metrics of FOR-instance: of each folder, and of all clouds together."""
    sites = counts.groupby([cloud.site for cloud in clouds]).sum()
    sites.loc["all"] = counts.sum()
    targets = sites["tp"] + sites["fn"]
    predictions = sites["tp"] + sites["fp"]
    with np.errstate(invalid="ignore"):
        table = pd.DataFrame(
            {
                "site": sites.index,
                "trees": targets.astype(int).to_numpy(),
                "completeness": (sites["tp"] / targets).to_numpy(),
                "omission": (sites["fn"] / targets).to_numpy(),
                "commission": (sites["fp"] / predictions).to_numpy(),
                "f1": (2 * sites["tp"] / (targets + predictions)).to_numpy(),
            }
        )
    return table


def _collect_messages(clouds: list[_Cloud]) -> list[Message]:
    """Return the messages of all clouds, each once."""
    by_text = {str(message): message for cloud in clouds for message in cloud.result.messages}
    return list(by_text.values())
