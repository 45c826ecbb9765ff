"""Scoring through QGIS, from GeoPackage to scored GeoPackage, against the core alone in the same run.

10,000 targets of 32 vertices, three layers of 10,000 delineations, all overlapping pairs (pairing by highest IoU).
Then the same in the background: the longest time the window's event loop was held up, and how long a run takes to end
after Cancel, at several moments.

    QT_QPA_PLATFORM=offscreen python benchmarks/bench_qgis.py
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

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
from scenes import crown_scene
from table import Row, Time, in_turns, show, timed

import randcrowns.core  # noqa: F401 - before shapely
from randcrowns.algorithms import outputs
from randcrowns.algorithms.provider import RandCrownsProvider
from randcrowns.core import PRESETS, score_crowns
from randcrowns.layers.vector.read import LayerRequest, LayerSnapshot, read_crowns

REPEATS = 3
OUTPUTS = ("SCORED_TARGETS", "SCORED_DELINEATIONS", "PAIRS", "REGIONS", "SUMMARY")


def rows() -> Iterator[Row]:
    scene = crown_scene()
    layers = np.array_split(scene.delineations, 3)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        save(scene.targets, folder / "targets.gpkg")
        for number, layer in enumerate(layers):
            save(layer, folder / f"annotator_{number}.gpkg")
        inputs = {
            "TARGETS": str(folder / "targets.gpkg"),
            "DELINEATIONS": [str(folder / f"annotator_{number}.gpkg") for number in range(3)],
            "PAIRING": 1,
        }
        yield from _compare(inputs, scene.targets, layers, folder)
        yield _writing(inputs, folder)
        yield Row(
            "reading and checking crowns",
            in_turns(partial(_read_all, inputs), repeats=REPEATS)[0],
            conditions="40,000 crowns of 32 vertices from GeoPackages",
        )
        yield _in_background(inputs, folder)


def _compare(
    inputs: dict[str, Any], targets: Any, layers: list[Any], folder: Path
) -> Iterator[Row]:
    turn = count()

    def core() -> None:
        for layer in layers:
            score_crowns(targets, layer, PRESETS["image_boxes"], "max_iou")

    def files(names: Sequence[str]) -> None:
        run(inputs | {output: str(folder / f"{output}_{next(turn)}.gpkg") for output in names})

    alone, scored, everything = in_turns(
        core, partial(files, OUTPUTS[:1]), partial(files, OUTPUTS), repeats=REPEATS
    )
    said = "10,000 targets, 3 layers of 10,000 delineations, GeoPackages"
    yield Row("scoring through QGIS", scored, "our core alone, in memory", alone, conditions=said)
    yield Row(
        "scoring through QGIS, all outputs",
        everything,
        "our core alone, in memory",
        alone,
        conditions=said,
    )


def _writing(inputs: dict[str, Any], folder: Path) -> Row:
    """What a run takes to write its five outputs, beside ogr2ogr copying the same files."""
    ours: list[Time] = []
    write = outputs.write_tables

    def measured(*arguments: Any) -> Any:
        made: list[Any] = []
        ours.append(timed(lambda: made.append(write(*arguments))))
        return made[0]

    theirs = []
    outputs.write_tables = measured
    try:
        for turn in range(REPEATS):
            made = {output: str(folder / f"written_{output}_{turn}.gpkg") for output in OUTPUTS}
            run(inputs | made)
            theirs.append(timed(partial(_copied, list(made.values()), folder / f"copied_{turn}")))
    finally:
        outputs.write_tables = write
    own, peer = (
        Time(*(statistics.median(values) for values in zip(*times))) for times in (ours, theirs)
    )
    return Row(
        "writing all five outputs", own, "ogr2ogr", peer, conditions="the same rows, GeoPackages"
    )


def _copied(paths: list[str], folder: Path) -> None:
    folder.mkdir()
    for path in paths:
        subprocess.run(["ogr2ogr", str(folder / Path(path).name), path], check=True)


def _read_all(inputs: dict[str, Any]) -> None:
    for source in (inputs["TARGETS"], *inputs["DELINEATIONS"]):
        read_crowns(
            LayerRequest(LayerSnapshot.of(QgsVectorLayer(source, "x", "ogr"))),
            QgsCoordinateTransformContext(),
        )


def _in_background(inputs: dict[str, Any], folder: Path) -> Row:
    found: list[tuple[float, float, float]] = []
    time_of = timed(lambda: found.append(background(inputs, folder, None)))
    whole, held_up, _ = found[0]
    late = [
        background(inputs, folder, part * whole)[2]
        for part in (0.05, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95)
    ]
    left = len(list(folder.glob("cancelled*")))
    return Row(
        "scoring in the background",
        time_of,
        conditions=f"window held up for at most {1000 * held_up:.0f} ms; ended within {1000 * max(late):.0f} ms of "
        f"Cancel at seven moments, {left} files left",
    )


def background(
    inputs: dict[str, Any], folder: Path, cancel_after: float | None
) -> tuple[float, float, float]:
    """Seconds of the run, of the longest gap between two turns of the event loop, and from Cancel to the end."""
    algorithm = QgsApplication.processingRegistry().createAlgorithmById("randcrowns:scorecrowns")
    context, feedback = QgsProcessingContext(), QgsProcessingFeedback(False)
    context.setProject(QgsProject.instance())
    name = "whole" if cancel_after is None else "cancelled"
    files = {output: str(folder / f"{name}_{output}.gpkg") for output in OUTPUTS}
    start = last = time.perf_counter()
    task = QgsProcessingAlgRunnerTask(algorithm, inputs | files, context, feedback)
    done: list[bool] = []
    task.executed.connect(lambda ok, _results: done.append(ok))
    QgsApplication.taskManager().addTask(task)
    longest, cancelled_at = 0.0, None
    while not done:
        QgsApplication.processEvents()
        time.sleep(0.001)
        now = time.perf_counter()
        longest, last = max(longest, now - last), now
        if cancel_after is not None and cancelled_at is None and now - start > cancel_after:
            cancelled_at = now
            feedback.cancel()
            task.cancel()
    end = time.perf_counter()
    return end - start, longest, end - (cancelled_at or end)


def run(parameters: dict[str, Any]) -> None:
    context, feedback = QgsProcessingContext(), QgsProcessingFeedback(False)
    context.setProject(QgsProject.instance())
    algorithm = QgsApplication.processingRegistry().createAlgorithmById("randcrowns:scorecrowns")
    _, fine = algorithm.run(parameters, context, feedback)
    if not fine:
        raise RuntimeError(feedback.textLog())


def save(crowns: Any, path: Path) -> None:
    layer = QgsVectorLayer("Polygon?crs=EPSG:32617", path.stem, "memory")
    features = []
    for wkb in shapely.to_wkb(crowns):
        geometry, feature = QgsGeometry(), QgsFeature()
        geometry.fromWkb(wkb)
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
    show(rows())
    sys.stdout.flush()
    os._exit(0)  # QGIS's own end is not measured
