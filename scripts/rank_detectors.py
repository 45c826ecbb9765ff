r"""Rank detectors through QGIS without a window and print the result tables.

The input is the sample plot or your own files::

    .venv/bin/python scripts/rank_detectors.py
    .venv/bin/python scripts/rank_detectors.py --detectors boxes.gpkg \
        --annotators anna.gpkg ben.gpkg

``|layername=…`` after a path selects a layer of a file with several layers. See docs/detectors.md.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pandas as pd
from qgis.core import (
    QgsApplication,
    QgsProcessingContext,
    QgsProcessingFeedback,
    QgsProject,
    QgsRasterLayer,
    QgsVectorLayer,
)

import randcrowns.core  # noqa: F401 - must be imported before shapely
from randcrowns.algorithms.detectors.schema.outputs import (
    AUCR,
    CERTAINTY_TABLE,
    CORRELATIONS,
    RANKINGS,
)
from randcrowns.algorithms.detectors.schema.parameters import (
    COUNTED_UNITS,
    CROWN_PRESET,
    CROWN_SCORE,
)
from randcrowns.algorithms.provider import RandCrownsProvider
from randcrowns.core.messages import messages_from_json
from randcrowns.core.statistics import DEFAULT_BOOTSTRAP_SAMPLES
from randcrowns.layers.compat import is_null
from randcrowns.layers.sample import copy_plot

SAMPLE_DETECTORS = ("detector", "detector_2", "detector_3")
SAMPLE_ANNOTATORS = ("annotator_1", "annotator_2", "annotator_3", "annotator_4")
TABLES = tuple(output.id for output in (AUCR, RANKINGS, CERTAINTY_TABLE, CORRELATIONS))


def main() -> int:
    """Rank the detectors named on the command line and print the results.

    Returns:
        Exit status: 1, with a message, if the input cannot be used, else 0.
    """
    options = parse_arguments()
    warnings.simplefilter("ignore", DeprecationWarning)
    application = QgsApplication([], True)
    application.initQgis()
    provider = RandCrownsProvider()
    QgsApplication.processingRegistry().addProvider(provider)
    with tempfile.TemporaryDirectory() as folder:
        try:
            return rank(options, Path(folder))
        finally:
            QgsProject.instance().clear()


def parse_arguments() -> argparse.Namespace:
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(description="Rank detectors under every ground truth.")
    parser.add_argument(
        "--detectors", nargs="+", metavar="FILE", help="rasters, or polygons with a score field"
    )
    parser.add_argument(
        "--annotators", nargs="+", metavar="FILE", help="polygons, one file per annotator"
    )
    parser.add_argument("--score-field", default="score")
    parser.add_argument(
        "--count", choices=COUNTED_UNITS.keys, default="both", help="units: areas, crowns, or both"
    )
    parser.add_argument("--crown-score", choices=CROWN_SCORE.keys, default="iou")
    parser.add_argument("--crown-threshold", type=float, default=0.5)
    parser.add_argument(
        "--some-drawn", action="store_true", help="not all crowns of the image were drawn"
    )
    parser.add_argument(
        "--field-polygons", action="store_true", help="RandCrowns lengths for field polygons"
    )
    parser.add_argument(
        "--plot-field", default="", help="field with the plot; crowns match only within a plot"
    )
    parser.add_argument(
        "--pixel",
        type=float,
        default=0.0,
        help="pixel size in metres; 0: exact areas, or the raster's pixels",
    )
    parser.add_argument(
        "--bootstrap-samples",
        type=int,
        default=DEFAULT_BOOTSTRAP_SAMPLES,
        help="number of bootstrap samples",
    )
    options = parser.parse_args()
    if bool(options.detectors) != bool(options.annotators):
        parser.error("give both --detectors and --annotators, or neither for the sample plot")
    return options


def rank(options: argparse.Namespace, folder: Path) -> int:
    """Run the algorithm and print its tables.

    Args:
        options: see parse_arguments.
        folder: an empty folder for the sample plot.

    Returns:
        Exit status: 1, with a message, if the run fails, else 0.
    """
    if options.detectors:
        detectors = [open_layer(source) for source in options.detectors]
        annotators = [open_layer(source) for source in options.annotators]
    else:
        crowns = copy_plot(folder).crowns
        detectors = [_open_sample_layer(crowns, name) for name in SAMPLE_DETECTORS]
        annotators = [_open_sample_layer(crowns, name) for name in SAMPLE_ANNOTATORS]
    preset = "field_polygons" if options.field_polygons else CROWN_PRESET.default
    parameters: dict[str, Any] = {
        "DETECTORS": detectors,
        "ANNOTATORS": annotators,
        "SCORE_FIELD": options.score_field,
        **COUNTED_UNITS.to_processing(options.count),
        **CROWN_SCORE.to_processing(options.crown_score),
        "CROWN_THRESHOLD": options.crown_threshold,
        "ALL_DRAWN": not options.some_drawn,
        "PLOT_FIELD": options.plot_field,
        **CROWN_PRESET.to_processing(preset),
        "RESOLUTION": options.pixel,
        "BOOTSTRAP_SAMPLES": options.bootstrap_samples,
        **dict.fromkeys(TABLES, "TEMPORARY_OUTPUT"),
    }

    context = QgsProcessingContext()
    context.setProject(QgsProject.instance())
    feedback = QgsProcessingFeedback(False)
    algorithm = QgsApplication.processingRegistry().createAlgorithmById("randcrowns:rankdetectors")
    is_valid, problem = algorithm.checkParameterValues(parameters, context)
    if not is_valid:
        print(problem, file=sys.stderr)
        return 1
    results, succeeded = algorithm.run(parameters, context, feedback)
    if not succeeded:
        print(feedback.textLog().strip(), file=sys.stderr)
        return 1
    print_results(results, context)
    return 0


def print_results(results: dict[str, Any], context: QgsProcessingContext) -> None:
    """Print the tables, the conclusion and the path of the report.

    Args:
        results: results of the algorithm.
        context: context that owns the tables in memory.
    """
    tables = {name: read_table(context.getMapLayer(results[name])) for name in TABLES}
    for (counted, measure), scores in tables[AUCR.id].groupby(["counted", "measure"], sort=False):
        print(f"\n{measure} ({counted}), rank in brackets")
        print(scores_by_truth(scores).to_string())
        if counted == "crowns":
            counts = scores[
                ["detector", "truth", "crowns", "detections", "not_judged", "crown_recall"]
            ]
            print(
                counts.to_string(
                    index=False, na_rep="n/a", formatters={"crown_recall": "{:.3f}".format}
                )
            )
    for name in TABLES[1:]:
        if len(tables[name]):
            print(f"\n{tables[name].to_string(index=False, float_format='%.3f', na_rep='')}")

    first_places = [
        str(message)
        for message in messages_from_json(results["MESSAGES"])
        if message.topic == "first_places"
    ]
    print("\n".join(["", results["CONCLUSION"], *first_places, "", results["INPUT_PROBLEMS"]]))


def scores_by_truth(scores: pd.DataFrame) -> pd.DataFrame:
    """Return the scores as texts such as "0.812 (1)", one row per truth, one column per detector.

    Args:
        scores: rows with columns truth, detector, value and rank.
    """
    values = scores["value"].map(lambda value: "n/a" if pd.isna(value) else f"{value:.3f}")
    ranks = scores["rank"].map(lambda rank: "" if pd.isna(rank) else f" ({int(rank)})")
    return scores.assign(text=values + ranks).pivot_table(
        index="truth", columns="detector", values="text", aggfunc="first", sort=False
    )


def _open_sample_layer(crowns: Path, name: str) -> QgsVectorLayer:
    return QgsVectorLayer(f"{crowns}|layername={name}", name, "ogr")


def open_layer(source: str) -> QgsVectorLayer | QgsRasterLayer:
    """Return the polygon layer of a source, or its raster layer if it has no polygons."""
    layer_name = source.partition("layername=")[2].partition("|")[0]
    name = layer_name or Path(source.partition("|")[0]).stem
    layer = QgsVectorLayer(source, name, "ogr")
    return layer if layer.isValid() else QgsRasterLayer(source, name)


def read_table(layer: QgsVectorLayer) -> pd.DataFrame:
    """Return the attributes of a layer, one column per field."""
    rows = [
        [None if is_null(value) else value for value in feature.attributes()]
        for feature in layer.getFeatures()
    ]
    return pd.DataFrame(rows, columns=layer.fields().names())


if __name__ == "__main__":
    sys.exit(main())
