"""Ranks detectors headless through QGIS and prints the tables: the sample plot's, or your own.

    .venv/bin/python scripts/rank_detectors.py
    .venv/bin/python scripts/rank_detectors.py --detectors boxes.gpkg --annotators anna.gpkg ben.gpkg

``|layername=…`` after the path names a layer of a file that holds several. See docs/detectors.md.
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

import randcrowns.core  # noqa: F401 - before shapely
from randcrowns.algorithms.detectors.choices import CROWN_PRESET, CROWN_SCORE, UNITS
from randcrowns.algorithms.detectors.outputs import AUCR, CERTAINTY_TABLE, CORRELATIONS, RANKINGS
from randcrowns.algorithms.provider import RandCrownsProvider
from randcrowns.core.remarks import remarks_from_json
from randcrowns.layers.compat import is_null
from randcrowns.layers.sample import write_plot

SAMPLE_DETECTORS = ("detector", "detector_2", "detector_3")
SAMPLE_ANNOTATORS = ("annotator_1", "annotator_2", "annotator_3", "annotator_4")
TABLES = tuple(output.id for output in (AUCR, RANKINGS, CERTAINTY_TABLE, CORRELATIONS))


def main() -> int:
    """Rank and print; 1 with one sentence when the input cannot be used."""
    choices = arguments()
    warnings.simplefilter("ignore", DeprecationWarning)
    application = QgsApplication([], True)
    application.initQgis()
    provider = RandCrownsProvider()
    QgsApplication.processingRegistry().addProvider(provider)
    with tempfile.TemporaryDirectory() as folder:
        try:
            return rank(choices, Path(folder))
        finally:
            QgsProject.instance().clear()


def arguments() -> argparse.Namespace:
    """The user's choices."""
    parser = argparse.ArgumentParser(description="Rank detectors under every ground truth.")
    parser.add_argument(
        "--detectors", nargs="+", metavar="FILE", help="rasters, or polygons with a score field"
    )
    parser.add_argument(
        "--annotators", nargs="+", metavar="FILE", help="polygons, a file for each person"
    )
    parser.add_argument("--score-field", default="score")
    parser.add_argument(
        "--count", choices=UNITS.keys, default="both", help="areas, crowns, or both"
    )
    parser.add_argument("--crown-score", choices=CROWN_SCORE.keys, default="iou")
    parser.add_argument("--crown-threshold", type=float, default=0.5)
    parser.add_argument(
        "--some-drawn", action="store_true", help="only some of the crowns were drawn"
    )
    parser.add_argument(
        "--field-polygons", action="store_true", help="RandCrowns lengths for field polygons"
    )
    parser.add_argument("--plot-field", default="", help="crowns meet only within their plot")
    parser.add_argument(
        "--pixel", type=float, default=0.0, help="pixel size in metres; 0: exact, or the raster's"
    )
    parser.add_argument("--draws", type=int, default=500)
    choices = parser.parse_args()
    if bool(choices.detectors) != bool(choices.annotators):
        parser.error("give both --detectors and --annotators, or neither for the sample plot")
    return choices


def rank(choices: argparse.Namespace, folder: Path) -> int:
    """Run the algorithm and print its tables."""
    if choices.detectors:
        detectors, annotators = (
            list(map(opened, choices.detectors)),
            list(map(opened, choices.annotators)),
        )
    else:
        paths = write_plot(folder)
        detectors, annotators = (
            [QgsVectorLayer(f"{paths.crowns}|layername={name}", name, "ogr") for name in names]
            for names in (SAMPLE_DETECTORS, SAMPLE_ANNOTATORS)
        )
    parameters: dict[str, Any] = {
        "DETECTORS": detectors,
        "ANNOTATORS": annotators,
        "SCORE_FIELD": choices.score_field,
        **UNITS.to_parameters(choices.count),
        **CROWN_SCORE.to_parameters(choices.crown_score),
        "CROWN_THRESHOLD": choices.crown_threshold,
        "ALL_DRAWN": not choices.some_drawn,
        "GROUP_FIELD": choices.plot_field,
        **CROWN_PRESET.to_parameters(
            "field_polygons" if choices.field_polygons else CROWN_PRESET.default
        ),
        "RESOLUTION": choices.pixel,
        "DRAWS": choices.draws,
        **dict.fromkeys(TABLES, "TEMPORARY_OUTPUT"),
    }
    context, feedback = QgsProcessingContext(), QgsProcessingFeedback(False)
    context.setProject(QgsProject.instance())
    algorithm = QgsApplication.processingRegistry().createAlgorithmById("randcrowns:rankdetectors")
    fits, why = algorithm.checkParameterValues(parameters, context)
    results, done = algorithm.run(parameters, context, feedback) if fits else ({}, False)
    if not done:
        print(why or feedback.textLog().strip(), file=sys.stderr)
        return 1
    show(results, context)
    return 0


def show(results: dict[str, Any], context: QgsProcessingContext) -> None:
    """Print the tables and the sentence."""
    tables = {name: table_of(context.getMapLayer(results[name])) for name in TABLES}
    scores = tables[AUCR.id]
    for (counted, measure), found in scores.groupby(["counted", "measure"], sort=False):
        print(f"\n{measure} ({counted}), rank in brackets")
        rank = found["rank"].map(lambda value: "" if pd.isna(value) else f" ({int(value)})")
        text = found["value"].map(lambda value: "n/a" if pd.isna(value) else f"{value:.3f}") + rank
        wide = found.assign(text=text).pivot_table(
            index="truth", columns="detector", values="text", aggfunc="first", sort=False
        )
        print(wide.to_string())
        if counted == "crowns":
            numbers = found[
                ["detector", "truth", "crowns", "detections", "not_judged", "crown_recall"]
            ]
            print(
                numbers.to_string(
                    index=False, na_rep="n/a", formatters={"crown_recall": "{:.3f}".format}
                )
            )
    for name in TABLES[1:]:
        if len(tables[name]):
            print(f"\n{tables[name].to_string(index=False, float_format='%.3f', na_rep='')}")
    places = [
        str(remark)
        for remark in remarks_from_json(results["REMARKS"])
        if remark.topic == "first_places"
    ]
    print("\n".join(["", results["VERDICT"], *places, "", results["REPORT"]]))


def opened(source: str) -> QgsVectorLayer | QgsRasterLayer:
    """A layer of a file, polygons or a raster."""
    name = (
        source.partition("layername=")[2].partition("|")[0] or Path(source.partition("|")[0]).stem
    )
    layer = QgsVectorLayer(source, name, "ogr")
    return layer if layer.isValid() else QgsRasterLayer(source, name)


def table_of(layer: QgsVectorLayer) -> pd.DataFrame:
    """All attributes."""
    rows = [
        [None if is_null(value) else value for value in feature.attributes()]
        for feature in layer.getFeatures()
    ]
    return pd.DataFrame(rows, columns=layer.fields().names())


if __name__ == "__main__":
    sys.exit(main())
