r"""Compare annotators through QGIS without a window and print the result tables.

The input is the sample plot or your own files::

    .venv/bin/python scripts/compare_annotators.py
    .venv/bin/python scripts/compare_annotators.py --annotators anna.gpkg ben.gpkg \
        --area study_area.gpkg --to results

``--to`` saves the map layers of the comparison, and every consensus, as GeoPackages in a folder.
See docs/annotators.md.
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

import randcrowns.core  # noqa: F401 - must be imported before shapely
from randcrowns.algorithms.agreement.schema.parameters import METHOD
from randcrowns.algorithms.provider import RandCrownsProvider
from randcrowns.layers.compat import is_null
from randcrowns.layers.sample import copy_plot

#: Layers of the sample plot that are compared.
SAMPLE = ("annotator_1", "annotator_2", "annotator_3", "annotator_4")
#: Outputs of the comparison that are printed.
TABLES = ("SUMMARY", "ANNOTATOR_TABLE", "ANNOTATOR_PAIRS", "IMAGE_TABLE")
#: Outputs of the comparison that ``--to`` saves.
MAPS = ("AGREEMENT", "DISAGREEMENTS")


class PrintingFeedback(QgsProcessingFeedback):
    """Processing feedback that prints warnings and errors."""

    def pushWarning(self, text: str) -> None:  # noqa: N802 - Qt's name
        """Print a warning."""
        print(f"Note: {text}")

    def reportError(self, text: str, fatalError: bool = False) -> None:  # noqa: N802 - Qt's name
        """Print an error to standard error."""
        print(f"Error: {text}", file=sys.stderr)


def main() -> None:
    """Compare the annotators named on the command line, print the tables and end the process."""
    options = parse_arguments()
    application = QgsApplication([], False)
    application.initQgis()
    provider = RandCrownsProvider()
    QgsApplication.processingRegistry().addProvider(provider)

    with tempfile.TemporaryDirectory() as folder:
        inputs = user_inputs(options) if options.annotators else sample_inputs(Path(folder))
        print_comparison(inputs, options.to)
        inputs.pop("IMAGE", None)
        print_consensus(inputs, options.methods, options.to)

    QgsProject.instance().clear()
    sys.stdout.flush()
    os._exit(0)  # Shutting QGIS down in order can crash and has nothing left to save.


def parse_arguments() -> argparse.Namespace:
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument(
        "--annotators", nargs="+", default=[], help="polygon files, one per annotator"
    )
    parser.add_argument(
        "--field",
        default="",
        help="field with the annotator's name, if a file contains several annotators",
    )
    parser.add_argument("--area", default="", help="polygons of the study area")
    parser.add_argument("--image", default="", help="image on which the crowns were drawn")
    parser.add_argument(
        "--pixel", type=float, default=0.0, help="pixel size in metres; default: exact areas"
    )
    parser.add_argument(
        "--methods", nargs="*", default=[], choices=METHOD.keys, help="consensus methods to run"
    )
    parser.add_argument("--to", type=Path, help="folder in which to save the map layers")
    return parser.parse_args()


def print_comparison(inputs: dict[str, Any], folder: Path | None) -> None:
    """Compare the annotators and print every result table.

    Args:
        inputs: parameters of the algorithm, without its outputs.
        folder: folder for the map layers; None keeps them in memory.
    """
    results, context = run("compareannotators", inputs, folder, TABLES, MAPS)
    pd.set_option(
        "display.width", 200, "display.max_columns", 20, "display.float_format", "{:.4f}".format
    )
    for name in TABLES:
        if name in results:
            print(f"\n{name}\n{read_table(results[name], context).to_string(index=False)}")


def print_consensus(inputs: dict[str, Any], methods: list[str], folder: Path | None) -> None:
    """Compute a consensus with each method and print the marked areas.

    Args:
        inputs: parameters of the algorithm, without method and outputs.
        methods: keys of the consensus methods; nothing is printed for an empty list.
        folder: folder for the consensus layers; None keeps them in memory.
    """
    marked_areas = {}
    for method in methods:
        results, context = run(
            "consensus",
            {**inputs, "METHOD": METHOD.keys.index(method)},
            folder,
            ("PRIOR_EFFECT",) if method == "staple" else (),
            ("CONSENSUS",),
            f"_{method}",
        )
        marked_areas[method] = results["MARKED"]
        if "PRIOR_EFFECT" in results:
            print("\nPRIOR_EFFECT")
            print(f"{read_table(results['PRIOR_EFFECT'], context).to_string(index=False)}")
    if marked_areas:
        print("\nCONSENSUS, marked area (m²)")
        print(pd.Series(marked_areas).to_string(float_format="{:,.0f}".format))


def sample_inputs(folder: Path) -> dict[str, Any]:
    """Copy the sample plot into a folder and return its annotators and image as parameters."""
    files = copy_plot(folder)
    layers = [QgsVectorLayer(f"{files.crowns}|layername={name}", name, "ogr") for name in SAMPLE]
    return {"ANNOTATORS": layers, "IMAGE": str(files.image)}


def user_inputs(options: argparse.Namespace) -> dict[str, Any]:
    """Return the user's files as parameters; exit if a file cannot be read."""
    layers = [
        QgsVectorLayer(path, Path(path.split("|")[0]).stem, "ogr") for path in options.annotators
    ]
    for layer, path in zip(layers, options.annotators):
        if not layer.isValid():
            sys.exit(f"{path} cannot be read as polygons.")

    inputs: dict[str, Any] = {"ANNOTATORS": layers, "RESOLUTION": options.pixel}
    optional = {
        "ANNOTATOR_FIELD": options.field,
        "EXTENT_LAYER": options.area,
        "IMAGE": options.image,
    }
    return inputs | {name: value for name, value in optional.items() if value}


def run(
    name: str,
    inputs: dict[str, Any],
    folder: Path | None,
    tables: tuple[str, ...],
    maps: tuple[str, ...],
    suffix: str = "",
) -> tuple[dict[str, Any], QgsProcessingContext]:
    """Run an algorithm of the plugin; exit if its parameters are wrong or it fails.

    Args:
        name: id of the algorithm, without the provider.
        inputs: parameters without the outputs.
        folder: folder for the map outputs, created if missing; None keeps them in memory.
        tables: ids of requested outputs that stay in memory.
        maps: ids of requested outputs that are saved in the folder.
        suffix: appended to the file names of the maps.

    Returns:
        The results of the algorithm and the context that owns its layers in memory.
    """
    context = QgsProcessingContext()
    context.setProject(QgsProject.instance())
    destinations = dict.fromkeys((*tables, *maps), "TEMPORARY_OUTPUT")
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        for output in maps:
            destinations[output] = str(folder / f"{output.lower()}{suffix}.gpkg")

    algorithm = QgsApplication.processingRegistry().createAlgorithmById(f"randcrowns:{name}")
    parameters = {**inputs, **destinations}
    is_valid, problem = algorithm.checkParameterValues(parameters, context)
    if not is_valid:
        sys.exit(f"Error: {problem}")
    results, succeeded = algorithm.run(parameters, context, PrintingFeedback(False))
    if not succeeded:
        sys.stderr.flush()
        os._exit(1)
    return results, context


def read_table(layer_id: str, context: QgsProcessingContext) -> pd.DataFrame:
    """Return the attributes of a layer in memory, one column per field."""
    layer = context.getMapLayer(layer_id)
    rows = [
        [None if is_null(value) else value for value in feature.attributes()]
        for feature in layer.getFeatures()
    ]
    return pd.DataFrame(rows, columns=layer.fields().names())


if __name__ == "__main__":
    main()
