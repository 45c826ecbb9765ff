"""Scoring through QGIS, from GeoPackage to scored GeoPackage, against the core alone in the same run.

10,000 targets of 32 vertices, three layers of 10,000 delineations, all overlapping pairs (pairing by highest IoU).
Then the same in the background: the longest time the window's event loop was held up, and how long a run takes to end
after Cancel, at several moments.

    QT_QPA_PLATFORM=offscreen python benchmarks/bench_qgis.py
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
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

import randcrowns.core  # noqa: F401 - before shapely
from randcrowns.algorithms.provider import RandCrownsProvider
from randcrowns.core import PRESETS, score_crowns
from randcrowns.layers.vector.read import LayerRequest, LayerSnapshot, read_crowns

REPEATS = 3
OUTPUTS = ("SCORED_TARGETS", "SCORED_DELINEATIONS", "PAIRS", "REGIONS", "SUMMARY")


def main() -> None:
    application = QgsApplication([], False)
    application.initQgis()
    provider = RandCrownsProvider()
    QgsApplication.processingRegistry().addProvider(provider)
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
        compare(inputs, scene.targets, layers, folder)
        read_all(inputs)
        in_background(inputs, folder)
    del provider
    application.exitQgis()


def compare(inputs: dict[str, Any], targets: Any, layers: list[Any], folder: Path) -> None:
    core, scored, everything = [], [], []
    for repeat in range(REPEATS):
        start = time.perf_counter()
        for layer in layers:
            score_crowns(targets, layer, PRESETS["image_boxes"], "max_iou")
        core.append(time.perf_counter() - start)
        for names, found in ((OUTPUTS[:1], scored), (OUTPUTS, everything)):
            outputs = {output: str(folder / f"{output}_{repeat}_{len(names)}.gpkg") for output in names}
            start = time.perf_counter()
            run(inputs | outputs)
            found.append(time.perf_counter() - start)
    alone = statistics.median(core)
    print(f"core alone: {alone:.2f} s; twice that and 3 s: {2 * alone + 3:.2f} s")
    print(f"GeoPackage to scored GeoPackage: {statistics.median(scored):.2f} s")
    print(f"with delineations, pairs, regions and summary as well: {statistics.median(everything):.2f} s")


def read_all(inputs: dict[str, Any]) -> None:
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        for source in (inputs["TARGETS"], *inputs["DELINEATIONS"]):
            read_crowns(
                LayerRequest(LayerSnapshot.of(QgsVectorLayer(source, "x", "ogr"))), QgsCoordinateTransformContext()
            )
        times.append(time.perf_counter() - start)
    print(f"reading and checking the 40,000 crowns: {statistics.median(times):.2f} s")


def in_background(inputs: dict[str, Any], folder: Path) -> None:
    whole, held_up, _ = background(inputs, folder, None)
    print(f"in the background: {whole:.2f} s, the event loop held up for at most {1000 * held_up:.0f} ms")
    late = []
    for part in (0.05, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95):
        _, _, after = background(inputs, folder, part * whole)
        late.append(after)
    print("ended after Cancel within " + ", ".join(f"{1000 * seconds:.0f}" for seconds in late) + " ms")
    print(f"files left by cancelled runs: {len(list(folder.glob('cancelled*')))}")


def background(inputs: dict[str, Any], folder: Path, cancel_after: float | None) -> tuple[float, float, float]:
    """Seconds of the run, of the longest gap between two turns of the event loop, and from Cancel to the end."""
    algorithm = QgsApplication.processingRegistry().createAlgorithmById("randcrowns:scorecrowns")
    context, feedback = QgsProcessingContext(), QgsProcessingFeedback(False)
    context.setProject(QgsProject.instance())
    name = "whole" if cancel_after is None else "cancelled"
    outputs = {output: str(folder / f"{name}_{output}.gpkg") for output in OUTPUTS}
    start = last = time.perf_counter()
    task = QgsProcessingAlgRunnerTask(algorithm, inputs | outputs, context, feedback)
    done: list[bool] = []
    task.executed.connect(lambda ok, results: done.append(ok))
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
    QgsVectorFileWriter.writeAsVectorFormatV3(layer, str(path), QgsCoordinateTransformContext(), options)


if __name__ == "__main__":
    main()
