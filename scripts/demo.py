"""Score the sample plot, or your own files, through QGIS without a window (``make demo``).

Variables set the parameters, as in ``make demo TARGETS=crowns.gpkg DELINEATIONS="a.gpkg
b.gpkg"``:

TARGETS, DELINEATIONS   polygon files; ``|layername=…`` after a path selects one of several layers
PRESET                  image_boxes (default), field_polygons, idtrees or own
ALPHA, OMEGA, GAMMA     for PRESET=own: metres, metres, ratio
PAIRING                 nearest (default), max_iou, max_score, mean_over_count, hungarian
                        or min_score
PLOT_FIELD             a field of all layers with the plot: scores per plot
SCORE_FIELD, SCORE_THRESHOLD   exclude delineations with a lower detector score
OUTPUT                  folder for the results (default: build/demo)
CLOUD, CLOUD_TARGET, CLOUD_PREDICTION, NO_TREE_ID   your own labelled point cloud, see demo_cloud.py
"""

from __future__ import annotations

import os
import shlex
import sys
import warnings
from pathlib import Path
from typing import Any, NamedTuple

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pandas as pd
from demo_cloud import evaluate_cloud
from demo_map import render_map, save_default_style
from qgis.core import (
    QgsApplication,
    QgsProcessingException,
    QgsProcessingFeedback,
    QgsProject,
    QgsRasterLayer,
    QgsVectorLayer,
    QgsWkbTypes,
)

from randcrowns.algorithms.common_parameters import PRESET
from randcrowns.algorithms.parameter_types import OptionParameter
from randcrowns.algorithms.provider import RandCrownsProvider
from randcrowns.algorithms.scoring.schema.outputs import SCORE_OUTPUTS, SUMMARY
from randcrowns.algorithms.scoring.schema.parameters import PAIRING
from randcrowns.core.errors import InputError
from randcrowns.core.sample import SAMPLE_SEED, sample_files
from randcrowns.layers.sample import copy_plot

#: Names of the result files in the output folder.
PACKAGE_FILE = "demo.gpkg"
SUMMARY_FILE = "summary.csv"
MAP_FILE = "map.png"
MAPS = tuple(output for output in SCORE_OUTPUTS if output.has_geometry)
SAMPLE_TARGETS = "annotator_1"
SAMPLE_DELINEATIONS = ("annotator_2", "annotator_3", "annotator_4", "detector")
#: Parameters that a variable sets by the key of an option.
CHOICES = (PRESET, PAIRING)
NUMBER_VARIABLES = ("ALPHA", "OMEGA", "GAMMA", "SCORE_THRESHOLD")
TEXT_VARIABLES = ("PLOT_FIELD", "SCORE_FIELD")
#: Maximum number of plots in the printed table.
MAX_GROUPS = 12
#: Heading -> column of the summary.
COUNTS = {column.label: column.name for column in SUMMARY.columns if column.kind == "integer"}
#: Heading -> prefix of the columns with mean and interval.
SCORES = {"RandCrowns": "randcrowns", "IoU": "iou", "IoUCrowns": "iou_crowns"}


class Inputs(NamedTuple):
    """Layers to score and the title of the results."""

    title: str
    targets: QgsVectorLayer
    delineations: list[QgsVectorLayer]
    #: Background of the map.
    image: QgsRasterLayer | None


class Results(NamedTuple):
    """Scored layers and the paths of the result files."""

    inputs: Inputs
    package: Path
    table: Path
    map: Path


class PrintingFeedback(QgsProcessingFeedback):
    """Processing feedback that prints warnings."""

    def pushWarning(self, warning: str) -> None:  # noqa: N802 - QGIS's name
        """Print a warning."""
        print(f"  {warning}\n")

    def reportError(self, error: str, fatal: bool = False) -> None:  # noqa: N802 - QGIS's name
        """Do nothing: the exception that follows reports the error."""


def main() -> int:
    """Start QGIS and run the demo.

    Returns:
        Exit status: 1, with a message, if the input cannot be used, else 0.
    """
    # Deprecation warnings are for developers, not for readers of the results.
    warnings.simplefilter("ignore", DeprecationWarning)
    # Nothing here uses pyproj's own data.
    warnings.filterwarnings("ignore", "Valid PROJ data directory")
    application = QgsApplication([], True)
    application.initQgis()
    sys.path.append(str(Path(QgsApplication.pkgDataPath()) / "python" / "plugins"))
    from processing.core.Processing import Processing

    Processing.initialize()
    provider = RandCrownsProvider()
    QgsApplication.processingRegistry().addProvider(provider)
    return run_demo()


def run_demo() -> int:
    """Run the demo in a running QGIS and print its results.

    The sample cloud is evaluated along with the sample plot, your own cloud if CLOUD is set.

    Returns:
        Exit status: 1, with a message, if the input cannot be used, else 0.
    """
    try:
        folder = Path(os.environ.get("OUTPUT") or "build/demo")
        print_results(score(folder))
        sample = sample_files(folder / "sample").cloud
        if os.environ.get("CLOUD") or not os.environ.get("TARGETS"):
            print("\n" + evaluate_cloud(folder, sample, PrintingFeedback()))
    except (InputError, QgsProcessingException) as error:
        print(f"demo: {error}", file=sys.stderr)
        return 1
    finally:
        QgsProject.instance().clear()
    return 0


def score(folder: Path) -> Results:
    """Score the layers that the variables specify.

    Args:
        folder: folder for the results, created if missing. Results of an earlier run are removed.

    Raises:
        InputError: if a variable or a layer cannot be used, or the folder is not writable.
        QgsProcessingException: if the algorithm fails.
    """
    parameters = parameters_from_environment()
    package = folder / PACKAGE_FILE
    table = folder / SUMMARY_FILE
    map_path = folder / MAP_FILE
    try:
        folder.mkdir(parents=True, exist_ok=True)
        scene = read_inputs(folder)
        layers = [scene.targets, *scene.delineations]
        _refuse_to_overwrite(layers, package)
        for path in (package, table, map_path):
            path.unlink(missing_ok=True)
    except OSError as error:
        raise InputError(
            "demo.not_written",
            "Results cannot be written to {folder}: {why}.",
            folder=folder,
            why=error,
        ) from error

    for layer in layers:
        QgsProject.instance().addMapLayer(layer)
    parameters["TARGETS"] = scene.targets
    parameters["DELINEATIONS"] = scene.delineations
    for output in MAPS:
        parameters[output.id] = f"ogr:dbname='{package}' table=\"{output.id.lower()}\" (geom)"
    parameters[SUMMARY.id] = str(table)
    import processing

    print(f"\n{scene.title}\n")
    outputs = processing.run("randcrowns:scorecrowns", parameters, feedback=PrintingFeedback())
    for output in MAPS:
        layer = QgsVectorLayer(f"{package}|layername={output.id.lower()}", output.label, "ogr")
        output.style_layer(layer, outputs, mark=False)
        save_default_style(layer)
    return Results(scene, package, table, map_path)


def _refuse_to_overwrite(layers: list[QgsVectorLayer], package: Path) -> None:
    """Raise InputError if a layer is read from the file that the results replace."""
    for layer in layers:
        if Path(layer.source().partition("|")[0]).resolve() == package.resolve():
            raise InputError(
                "demo.overwrites_input",
                "{package} is both input and output. Choose another OUTPUT folder.",
                package=package,
            )


def read_inputs(folder: Path) -> Inputs:
    """Return the user's layers if the variables name any, else those of the sample plot.

    Args:
        folder: folder into which the sample plot is copied, as ``sample/``.

    Raises:
        InputError: if only one of TARGETS and DELINEATIONS is set, or a file cannot be used.
    """
    target_source = os.environ.get("TARGETS", "")
    delineation_sources = os.environ.get("DELINEATIONS", "")
    if bool(target_source) != bool(delineation_sources):
        raise InputError(
            "demo.one_layer", "Give both TARGETS and DELINEATIONS, or neither for the sample plot."
        )
    if not target_source:
        return _sample_inputs(folder / "sample")

    # A single path may contain blanks.
    if Path(delineation_sources).exists():
        sources = [delineation_sources]
    else:
        sources = shlex.split(delineation_sources)
    delineations = [open_polygons("DELINEATIONS", source) for source in sources]
    targets = open_polygons("TARGETS", target_source)
    image_path = os.environ.get("IMAGE")
    image = open_image(image_path) if image_path else None
    return Inputs(f"{targets.name()} as target", targets, delineations, image)


def _sample_inputs(folder: Path) -> Inputs:
    """Copy the sample plot into a folder and return its layers."""
    files = copy_plot(folder)
    layers = {
        name: QgsVectorLayer(f"{files.crowns}|layername={name}", name, "ogr")
        for name in (SAMPLE_TARGETS, *SAMPLE_DELINEATIONS)
    }
    return Inputs(
        f"Simulated plot, seed {SAMPLE_SEED}: {SAMPLE_TARGETS} as target",
        layers[SAMPLE_TARGETS],
        [layers[name] for name in SAMPLE_DELINEATIONS],
        open_image(str(files.image)),
    )


def open_polygons(variable: str, source: str) -> QgsVectorLayer:
    """Return the polygon layer of a source.

    Args:
        variable: name of the variable that contains the source, for messages.
        source: a path, optionally with ``|layername=…``.

    Raises:
        InputError: if the file does not exist, cannot be read, contains several layers of which
            none is selected, or has no polygons.
    """
    path, _, layer_name = source.partition("|layername=")
    if not Path(path).exists():
        raise InputError(
            "demo.no_file",
            "{variable}: there is no file {path}; give the path of a file with polygons.",
            variable=variable,
            path=path,
        )
    layer = QgsVectorLayer(source, layer_name or Path(path).stem, "ogr")
    if not layer.isValid():
        raise InputError(
            "demo.unreadable_layer",
            "{variable}: {source} cannot be read as a vector layer. Check the file and "
            "the layer's name.",
            variable=variable,
            source=source,
        )
    names = [sublayer.split("!!::!!")[1] for sublayer in layer.dataProvider().subLayers()]
    if not layer_name and len(names) > 1:
        raise InputError(
            "demo.several_layers",
            '{variable}: {path} holds the layers {layers}. Add "|layername=…" to the path.',
            variable=variable,
            path=path,
            layers=[*names],
        )
    if layer.geometryType() != QgsWkbTypes.GeometryType.PolygonGeometry:
        raise InputError(
            "demo.no_polygons",
            "{variable}: {source} holds no polygons, so there are no crowns to score.",
            variable=variable,
            source=source,
        )
    return layer


def open_image(path: str) -> QgsRasterLayer:
    """Return the raster layer of a path.

    Raises:
        InputError: if the file cannot be read as an image.
    """
    layer = QgsRasterLayer(path, "image")
    if not layer.isValid():
        raise InputError(
            "demo.unreadable_image",
            "IMAGE: {path} cannot be read as an image.",
            path=path,
        )
    return layer


def parameters_from_environment() -> dict[str, Any]:
    """Return the parameters of the algorithm that the variables set, by name.

    Raises:
        InputError: if a value is not a number or not the key of an option.
    """
    parameters: dict[str, Any] = {}
    for choice in CHOICES:
        if os.environ.get(choice.ids[0]):
            parameters[choice.ids[0]] = option_index(choice)
    for name in NUMBER_VARIABLES:
        if os.environ.get(name):
            parameters[name] = read_number(name)
    for name in TEXT_VARIABLES:
        if os.environ.get(name):
            parameters[name] = os.environ[name]
    return parameters


def option_index(choice: OptionParameter) -> int:
    """Return the index of the option that a variable names.

    Raises:
        InputError: if there is no such option.
    """
    variable = choice.ids[0]
    key = os.environ[variable]
    if key not in choice.keys:
        raise InputError(
            "demo.unknown_value",
            "{variable}={key} is not known; choose one of {keys}.",
            variable=variable,
            key=key,
            keys=choice.keys,
        )
    return choice.keys.index(key)


def read_number(variable: str) -> float:
    """Return the number that a variable contains.

    Raises:
        InputError: if it does not contain a number.
    """
    try:
        return float(os.environ[variable])
    except ValueError:
        raise InputError(
            "demo.not_a_number",
            "{variable}={value} is not a number.",
            variable=variable,
            value=os.environ[variable],
        ) from None


def print_results(results: Results) -> None:
    """Draw the map and print the summary and the paths of all result files."""
    print(summary_text(pd.read_csv(results.table)))
    extent = render_map(
        title=results.inputs.title,
        package=results.package,
        image=results.inputs.image,
        delineations=results.inputs.delineations,
        path=results.map,
    )
    print("Scores: mean over the scored targets (95 % interval).\n")
    print(f"  {results.package}  scored crowns and regions")
    print(f"  {results.table}  summary")
    print(f"  {results.map}  map{extent}")


def summary_text(summary: pd.DataFrame) -> str:
    """Return the summary as an aligned text table.

    The table has one line per layer, then one line per plot with targets, up to MAX_GROUPS.

    Args:
        summary: rows of the summary table; ``plot`` is "all" for a whole layer.
    """
    is_layer = summary["plot"] == "all"
    plots = summary[~is_layer & (summary["targets"] > 0)]
    rows = pd.concat([summary[is_layer], plots.head(MAX_GROUPS)])

    columns = {"layer": rows["layer"]}
    if not is_layer.all():
        columns["plot"] = rows["plot"].astype(str)
    for heading, column in COUNTS.items():
        # Counts that only runs with other options have are missing or empty.
        if column in rows and rows[column].notna().all():
            columns[heading] = rows[column].astype(int).astype(str)
    for heading, score in SCORES.items():
        columns[heading] = [score_text(row, score) for row in rows.to_dict("records")]
    text = align_columns(pd.DataFrame(columns), left=("layer", "plot"))

    n_hidden = len(plots) - MAX_GROUPS
    if n_hidden > 0:
        text += f"… and {n_hidden} more plots in the summary file\n"
    return text


def align_columns(table: pd.DataFrame, left: tuple[str, ...]) -> str:
    """Return a table of texts with aligned columns, headings first.

    Args:
        table: texts.
        left: headings of the left-aligned columns; the others are right-aligned.
    """
    columns = []
    for heading in table:
        cells = [heading, *table[heading]]
        width = max(map(len, cells))
        if heading in left:
            columns.append([cell.ljust(width) for cell in cells])
        else:
            columns.append([cell.rjust(width) for cell in cells])
    return "".join("  ".join(row).rstrip() + "\n" for row in zip(*columns))


def score_text(row: dict[str, Any], score: str) -> str:
    """Return a mean score with its interval as text, "n/a" if no target was scored.

    Args:
        row: a row of the summary table.
        score: prefix of the columns ``_mean``, ``_low`` and ``_high``.
    """
    mean = row[f"{score}_mean"]
    low = row[f"{score}_low"]
    high = row[f"{score}_high"]
    if pd.isna(mean):
        return "n/a"
    if pd.isna(low):
        return f"{mean:.3f}"
    return f"{mean:.3f} ({low:.2f}–{high:.2f})"


if __name__ == "__main__":
    sys.exit(main())
