"""Compares annotators headless through QGIS and prints the tables: the sample plot's, or your own.

    .venv/bin/python scripts/compare_annotators.py
    .venv/bin/python scripts/compare_annotators.py --annotators anna.gpkg ben.gpkg --area study_area.gpkg --to results

``--to`` keeps the layers of the comparison, and every consensus, as GeoPackages in a folder. See docs/annotators.md.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pandas as pd
from qgis.core import (
    QgsApplication,
    QgsProcessingContext,
    QgsProcessingFeedback,
    QgsProject,
    QgsVectorLayer,
)

import randcrowns.core  # noqa: F401 - before shapely
from randcrowns.algorithms.agreement.choices import METHOD
from randcrowns.algorithms.provider import RandCrownsProvider
from randcrowns.layers.compat import is_null
from randcrowns.layers.sample import write_plot

SAMPLE = ("annotator_1", "annotator_2", "annotator_3", "annotator_4")
TABLES = ("SUMMARY", "ANNOTATOR_TABLE", "ANNOTATOR_PAIRS", "IMAGE_TABLE")
MAPS = ("AGREEMENT", "DISAGREEMENTS")


class Feedback(QgsProcessingFeedback):
    """Prints what the user should know."""

    def pushWarning(self, text: str) -> None:  # noqa: N802 - Qt's name
        print(f"Note: {text}")

    def reportError(self, text: str, fatalError: bool = False) -> None:  # noqa: N802 - Qt's name
        print(f"Error: {text}", file=sys.stderr)


def main() -> None:
    """Read the command line, compare, print."""
    given = parsed()
    application = QgsApplication([], False)
    application.initQgis()
    provider = RandCrownsProvider()
    QgsApplication.processingRegistry().addProvider(provider)
    with tempfile.TemporaryDirectory() as folder:
        inputs = sample_inputs(Path(folder)) if not given.annotators else own_inputs(given)
        compared, context = run("compareannotators", inputs, given.to, TABLES, MAPS)
        pd.set_option(
            "display.width", 200, "display.max_columns", 20, "display.float_format", "{:.4f}".format
        )
        for name in TABLES:
            if name in compared:
                print(f"\n{name}\n{table(compared[name], context).to_string(index=False)}")
        inputs.pop("IMAGE", None)
        marked = {}
        for method in given.methods:
            made, context = run(
                "consensus",
                {**inputs, "METHOD": METHOD.keys.index(method)},
                given.to,
                ("PRIORS",) if method == "staple" else (),
                ("CONSENSUS",),
                f"_{method}",
            )
            marked[method] = made["MARKED"]
            if "PRIORS" in made:
                print(f"\nPRIORS\n{table(made['PRIORS'], context).to_string(index=False)}")
        if marked:
            print("\nCONSENSUS, marked area (m²)")
            print(pd.Series(marked).to_string(float_format="{:,.0f}".format))
    QgsProject.instance().clear()
    sys.stdout.flush()
    os._exit(0)


def parsed() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--annotators", nargs="+", default=[], help="polygon files, one per person")
    parser.add_argument(
        "--field", default="", help="field that names the person, where one file holds several"
    )
    parser.add_argument("--area", default="", help="polygons of the study area")
    parser.add_argument("--image", default="", help="the image drawn on")
    parser.add_argument(
        "--pixel", type=float, default=0.0, help="pixel size in metres; exact areas without it"
    )
    parser.add_argument(
        "--methods", nargs="*", default=[], choices=METHOD.keys, help="consensus to make"
    )
    parser.add_argument("--to", type=Path, help="folder to keep the layers in")
    return parser.parse_args()


def sample_inputs(folder: Path) -> dict[str, Any]:
    """The sample plot's four annotators and its image."""
    write_plot(folder)
    (crowns,) = sorted(folder.glob("*.gpkg"))[:1]
    layers = [QgsVectorLayer(f"{crowns}|layername={name}", name, "ogr") for name in SAMPLE]
    return {"ANNOTATORS": layers, "IMAGE": str(next(folder.glob("*.tif")))}


def own_inputs(given: argparse.Namespace) -> dict[str, Any]:
    """The user's own files."""
    layers = [
        QgsVectorLayer(path, Path(path.split("|")[0]).stem, "ogr") for path in given.annotators
    ]
    for layer, path in zip(layers, given.annotators):
        if not layer.isValid():
            sys.exit(f"{path} cannot be read as polygons.")
    inputs: dict[str, Any] = {"ANNOTATORS": layers, "RESOLUTION": given.pixel}
    optional = {"ANNOTATOR_FIELD": given.field, "EXTENT_LAYER": given.area, "IMAGE": given.image}
    return inputs | {name: value for name, value in optional.items() if value}


def run(
    name: str,
    inputs: dict[str, Any],
    folder: Path | None,
    tables: tuple[str, ...],
    maps: tuple[str, ...],
    tail: str = "",
) -> tuple[dict[str, Any], QgsProcessingContext]:
    """Run one of the algorithms; tables stay in memory, maps go to the folder where there is one."""
    context = QgsProcessingContext()
    context.setProject(QgsProject.instance())
    places = dict.fromkeys((*tables, *maps), "TEMPORARY_OUTPUT")
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        places.update({output: str(folder / f"{output.lower()}{tail}.gpkg") for output in maps})
    algorithm = QgsApplication.processingRegistry().createAlgorithmById(f"randcrowns:{name}")
    parameters = {**inputs, **places}
    fits, why = algorithm.checkParameterValues(parameters, context)
    if not fits:
        sys.exit(f"Error: {why}")
    results, fine = algorithm.run(parameters, context, Feedback(False))
    if not fine:
        sys.stderr.flush()
        os._exit(1)
    return results, context


def table(place: str, context: QgsProcessingContext) -> pd.DataFrame:
    """The attributes of a layer in memory."""
    layer = context.getMapLayer(place)
    rows = [
        [None if is_null(value) else value for value in feature.attributes()]
        for feature in layer.getFeatures()
    ]
    return pd.DataFrame(rows, columns=layer.fields().names())


if __name__ == "__main__":
    main()
