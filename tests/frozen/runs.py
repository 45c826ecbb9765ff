"""Runs of all nine algorithms on the sample plot, and all that comes out of them as plain
values.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy
import pytest
import scipy
import shapely
from frozen.cases import CASES, Sample
from frozen.tables import csv_table, layer_table, raster_values
from qgis.core import (
    Qgis,
    QgsApplication,
    QgsProcessingOutputNumber,
    QgsProcessingOutputRasterLayer,
    QgsProcessingOutputString,
    QgsProcessingOutputVectorLayer,
    QgsVectorLayer,
)
from support.processing import Ran, run_algorithm

__all__ = ["demo_outputs", "run_outputs", "versions"]

ROOT = Path(__file__).resolve().parents[2]
_PACKAGES = {
    "demo.gpkg": ("scored_targets", "scored_delineations", "pairs", "regions"),
    "cloud.gpkg": ("matched_targets", "matched_predictions"),
}
_TABLES = ("summary.csv", "cloud_summary.csv", "cloud_partitions.csv")
#: Of the machine, not of the code: what steps took.
_MEASURED = ("wallclock_s", "cpu_s", "memory_gb", "memory_increment_gb")


def versions() -> dict[str, str]:
    """What computes beside our own code; with another one the last digits may differ."""
    return {
        "qgis": ".".join(Qgis.QGIS_VERSION.split(".")[:2]),
        "geos": shapely.geos_version_string,
        "numpy": numpy.__version__,
        "scipy": scipy.__version__,
    }


def demo_outputs(folder: Path) -> dict[str, Any]:
    """Every table that ``make demo`` wrote."""
    facts: dict[str, Any] = {}
    for file, names in _PACKAGES.items():
        for name in names:
            layer = QgsVectorLayer(f"{folder / file}|layername={name}", name, "ogr")
            assert layer.isValid(), name
            facts[f"{file} {name}"] = layer_table(layer)
    facts.update({file: csv_table(folder / file) for file in _TABLES})
    return facts


def run_outputs(case: str, sample: Sample) -> dict[str, Any]:
    """All outputs of a run but those that are worded: tables, rasters, numbers and JSON."""
    name, parameters = CASES[case](sample)
    algorithm = QgsApplication.processingRegistry().createAlgorithmById(f"randcrowns:{name}")
    outputs = algorithm.outputDefinitions()
    layers = (QgsProcessingOutputVectorLayer, QgsProcessingOutputRasterLayer)
    tables = [
        output.name() for output in outputs if isinstance(output, QgsProcessingOutputVectorLayer)
    ]
    ran = run_algorithm(name, parameters, outputs=tables)
    assert ran.ok, ran.refused or ran.error
    check_run(ran)
    facts: dict[str, Any] = {"algorithm": name, "made": sorted(ran.results)}
    for output in outputs:
        value = ran.results.get(output.name())
        if value is None or not isinstance(
            output, (*layers, QgsProcessingOutputNumber, QgsProcessingOutputString)
        ):
            continue
        if isinstance(output, QgsProcessingOutputVectorLayer):
            facts[output.name()] = layer_table(ran.layer(output.name()), _MEASURED)
        elif isinstance(output, QgsProcessingOutputRasterLayer):
            facts[output.name()] = raster_values(str(value))
        elif isinstance(output, QgsProcessingOutputNumber):
            facts[output.name()] = value if value == value else "nan"
        elif output.name() not in ("MESSAGES", "PROVENANCE") and _is_json(value):
            facts[output.name()] = value
    return facts


def check_run(ran: Ran) -> None:
    """The progress never steps back, and the sentences are those of the remarks."""
    percents = ran.feedback.percents
    assert percents == sorted(percents)
    assert percents[0] >= 0
    assert percents[-1] == pytest.approx(100, abs=0.2)
    odd = [message for message in ran.messages if message.is_notice]
    assert ran.results["INPUT_PROBLEMS"] == "\n".join(map(str, odd))
    assert ran.results["WARNING"] == " ".join(str(message) for message in odd if message.is_warning)
    assert all(message.topic and message.key != message.topic for message in ran.messages)


def _is_json(value: str) -> bool:
    try:
        return isinstance(json.loads(value), (dict, list))
    except ValueError:
        return False
