"""Measure scoring through QGIS, from GeoPackage to scored GeoPackage, next to the core alone.

The scene has 10,000 targets of 32 vertices, three layers of 10,000 delineations, and all
overlapping pairs (pairing by highest IoU). Then the same runs in the background: the longest time
that the event loop of the window waits, and how long a run takes to end after Cancel::

    QT_QPA_PLATFORM=offscreen python benchmarks/bench_qgis.py
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
import shapely
from qgis.core import (
    QgsApplication,
    QgsCoordinateTransformContext,
    QgsFeature,
    QgsGeometry,
    QgsProcessingAlgRunnerTask,
    QgsProcessingContext,
    QgsProcessingFeedback,
    QgsProject,
    QgsVectorFileWriter,
    QgsVectorLayer,
)
from scenes import forest_scene
from table import Row, Time, measure_alternating, measure_time, median_time, report_rows

import randcrowns.core  # noqa: F401 - must be imported before shapely
from randcrowns.algorithms import destinations
from randcrowns.algorithms.provider import RandCrownsProvider
from randcrowns.core import PRESETS, score_crowns
from randcrowns.layers.vector.read import LayerRequest, LayerSnapshot, read_crowns

REPEATS = 3
OUTPUTS = ("SCORED_TARGETS", "SCORED_DELINEATIONS", "PAIRS", "REGIONS", "SUMMARY")
#: Moments of Cancel, as shares of the duration of a whole run.
CANCEL_AT = (0.05, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95)


class BackgroundRun(NamedTuple):
    """Times of a run in the background, s.

    Attributes:
        duration: from start to end.
        longest_wait: longest gap between two turns of the event loop.
        cancel_delay: from Cancel to the end; 0 without Cancel.
    """

    duration: float
    longest_wait: float
    cancel_delay: float


def rows() -> Iterator[Row]:
    """Yield the rows of scoring, writing, reading and scoring in the background."""
    scene = forest_scene()
    layers = np.array_split(scene.delineations, 3)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_geopackage(scene.targets, folder / "targets.gpkg")
        for number, layer in enumerate(layers):
            write_geopackage(layer, folder / f"annotator_{number}.gpkg")
        inputs = {
            "TARGETS": str(folder / "targets.gpkg"),
            "DELINEATIONS": [str(folder / f"annotator_{number}.gpkg") for number in range(3)],
            "PAIRING": 1,
        }
        yield from _scoring_rows(inputs, scene.targets, layers, folder)
        yield _writing_row(inputs, folder)
        yield Row(
            "reading and checking crowns",
            measure_alternating(partial(_read_all, inputs), repeats=REPEATS)[0],
            conditions="40,000 crowns of 32 vertices from GeoPackages",
        )
        yield _background_row(inputs, folder)


def _scoring_rows(
    inputs: dict[str, Any], targets: Any, layers: list[Any], folder: Path
) -> Iterator[Row]:
    """Yield the rows of scoring with one output and with all outputs."""
    number = count()

    def score_in_memory() -> None:
        for layer in layers:
            score_crowns(targets, layer, PRESETS["image_boxes"], "max_iou")

    def score_to_files(names: Sequence[str]) -> None:
        files = {output: str(folder / f"{output}_{next(number)}.gpkg") for output in names}
        run(inputs | files)

    core_time, one_output_time, all_outputs_time = measure_alternating(
        score_in_memory,
        partial(score_to_files, OUTPUTS[:1]),
        partial(score_to_files, OUTPUTS),
        repeats=REPEATS,
    )
    for name, ours in (
        ("scoring through QGIS", one_output_time),
        ("scoring through QGIS, all outputs", all_outputs_time),
    ):
        yield Row(
            name,
            ours,
            "our core alone, in memory",
            core_time,
            conditions="10,000 targets, 3 layers of 10,000 delineations, GeoPackages",
        )


def _writing_row(inputs: dict[str, Any], folder: Path) -> Row:
    """Return the row of writing the five outputs of a run; the peer ogr2ogr copies the files."""
    own_times: list[Time] = []
    write = destinations.write_tables

    def write_and_measure(*arguments: Any) -> Any:
        results: list[Any] = []
        own_times.append(measure_time(lambda: results.append(write(*arguments))))
        return results[0]

    peer_times = []
    destinations.write_tables = write_and_measure
    try:
        for repeat in range(REPEATS):
            files = {output: str(folder / f"written_{output}_{repeat}.gpkg") for output in OUTPUTS}
            run(inputs | files)
            copy = partial(_copy_files, list(files.values()), folder / f"copied_{repeat}")
            peer_times.append(measure_time(copy))
    finally:
        destinations.write_tables = write
    return Row(
        "writing all five outputs",
        median_time(own_times),
        "ogr2ogr",
        median_time(peer_times),
        conditions="the same rows, GeoPackages",
    )


def _copy_files(paths: list[str], folder: Path) -> None:
    """Copy vector files into a new folder with ogr2ogr."""
    folder.mkdir()
    for path in paths:
        subprocess.run(["ogr2ogr", str(folder / Path(path).name), path], check=True)


def _read_all(inputs: dict[str, Any]) -> None:
    """Read and check the crowns of all input layers."""
    for source in (inputs["TARGETS"], *inputs["DELINEATIONS"]):
        snapshot = LayerSnapshot.from_layer(QgsVectorLayer(source, "x", "ogr"))
        read_crowns(LayerRequest(snapshot), QgsCoordinateTransformContext())


def _background_row(inputs: dict[str, Any], folder: Path) -> Row:
    """Return the row of a whole run and several cancelled runs in the background."""
    whole_runs: list[BackgroundRun] = []
    ours = measure_time(lambda: whole_runs.append(run_in_background(inputs, folder, None)))
    whole = whole_runs[0]
    delay = max(
        run_in_background(inputs, folder, share * whole.duration).cancel_delay
        for share in CANCEL_AT
    )
    n_files = len(list(folder.glob("cancelled*")))
    return Row(
        "scoring in the background",
        ours,
        conditions=f"longest wait of the window {1000 * whole.longest_wait:.0f} ms; ended at most "
        f"{1000 * delay:.0f} ms after Cancel at {len(CANCEL_AT)} moments, "
        f"{n_files} files remained",
    )


def run_in_background(
    inputs: dict[str, Any], folder: Path, cancel_after: float | None
) -> BackgroundRun:
    """Score crowns in a background task and return its times.

    Args:
        inputs: parameters without the outputs.
        folder: folder for the outputs.
        cancel_after: seconds after which the run is cancelled; None runs to the end.
    """
    algorithm = QgsApplication.processingRegistry().createAlgorithmById("randcrowns:scorecrowns")
    context = QgsProcessingContext()
    context.setProject(QgsProject.instance())
    feedback = QgsProcessingFeedback(False)
    name = "whole" if cancel_after is None else "cancelled"
    files = {output: str(folder / f"{name}_{output}.gpkg") for output in OUTPUTS}
    start = last = time.perf_counter()
    task = QgsProcessingAlgRunnerTask(algorithm, inputs | files, context, feedback)
    outcomes: list[bool] = []
    task.executed.connect(lambda succeeded, _results: outcomes.append(succeeded))
    QgsApplication.taskManager().addTask(task)

    longest_wait = 0.0
    cancelled_at = None
    while not outcomes:
        QgsApplication.processEvents()
        time.sleep(0.001)
        now = time.perf_counter()
        longest_wait = max(longest_wait, now - last)
        last = now
        if cancel_after is not None and cancelled_at is None and now - start > cancel_after:
            cancelled_at = now
            feedback.cancel()
            task.cancel()
    end = time.perf_counter()
    return BackgroundRun(end - start, longest_wait, end - (cancelled_at or end))


def run(parameters: dict[str, Any]) -> None:
    """Score crowns with QGIS.

    Raises:
        RuntimeError: if the run fails.
    """
    context = QgsProcessingContext()
    context.setProject(QgsProject.instance())
    feedback = QgsProcessingFeedback(False)
    algorithm = QgsApplication.processingRegistry().createAlgorithmById("randcrowns:scorecrowns")
    _, succeeded = algorithm.run(parameters, context, feedback)
    if not succeeded:
        raise RuntimeError(feedback.textLog())


def write_geopackage(crowns: Any, path: Path) -> None:
    """Write (n,) polygons to a GeoPackage."""
    layer = QgsVectorLayer("Polygon?crs=EPSG:32617", path.stem, "memory")
    features = []
    for wkb in shapely.to_wkb(crowns):
        geometry = QgsGeometry()
        geometry.fromWkb(wkb)
        feature = QgsFeature()
        feature.setGeometry(geometry)
        features.append(feature)
    layer.dataProvider().addFeatures(features)
    options = QgsVectorFileWriter.SaveVectorOptions()
    options.driverName = "GPKG"
    QgsVectorFileWriter.writeAsVectorFormatV3(
        layer, str(path), QgsCoordinateTransformContext(), options
    )


if __name__ == "__main__":
    application = QgsApplication([], False)
    application.initQgis()
    provider = RandCrownsProvider()
    QgsApplication.processingRegistry().addProvider(provider)
    report_rows(rows())
    sys.stdout.flush()
    os._exit(0)  # The end of QGIS is not measured.
