"""Scores the sample plot, or your own files, headless through QGIS, and shows what came of it (``make demo``).

Choices come as variables, as in ``make demo TARGETS=crowns.gpkg DELINEATIONS="a.gpkg b.gpkg"``:

TARGETS, DELINEATIONS   files with polygons, ``|layername=…`` after the path where a file holds several
PRESET                  image_boxes (default), field_polygons, idtrees or own
ALPHA, OMEGA, GAMMA     for PRESET=own: metres, metres, ratio
PAIRING                 nearest (default), max_iou, max_score, mean_over_count, hungarian or min_score
GROUP_FIELD             a field of all layers, such as the plot: scores per group
SCORE_FIELD, SCORE_THRESHOLD   exclude delineations of a detector that score lower
OUTPUT                  folder for the results (default: build/demo)
CLOUD, CLOUD_TARGET, CLOUD_PREDICTION, INVALID_ID   a labelled point cloud of your own, see demo_cloud.py
"""

from __future__ import annotations

import os
import shlex
import sys
import warnings
from pathlib import Path
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pandas as pd
from demo_cloud import evaluate_cloud
from demo_map import keep_style, render_map
from qgis.core import (
    QgsApplication,
    QgsProcessingException,
    QgsProcessingFeedback,
    QgsProject,
    QgsRasterLayer,
    QgsVectorLayer,
    QgsWkbTypes,
)

from randcrowns.algorithms.choice import OneOf
from randcrowns.algorithms.choices import PRESET
from randcrowns.algorithms.provider import RandCrownsProvider
from randcrowns.algorithms.scoring.choices import PAIRING
from randcrowns.algorithms.scoring.outputs import SCORE_OUTPUTS, SUMMARY
from randcrowns.core.errors import InputError
from randcrowns.core.sample import DEFAULT_SEED
from randcrowns.layers.sample import CLOUD, write_plot

RESULTS = {"package": "demo.gpkg", "table": "summary.csv", "map": "map.png"}
MAPS = tuple(output for output in SCORE_OUTPUTS if output.has_geometry)
SAMPLE_TARGETS = "annotator_1"
SAMPLE_DELINEATIONS = ("annotator_2", "annotator_3", "annotator_4", "detector")
CHOICES = (PRESET, PAIRING)
MOST_GROUPS = 12
#: Heading -> column of the summary.
COUNTS = {column.label: column.name for column in SUMMARY.columns if column.kind == "integer"}
SCORES = {"RandCrowns": "randcrowns", "IoU": "iou", "IoUCrowns": "iou_crowns"}


class Spoken(QgsProcessingFeedback):
    """Prints what the algorithm has to say about the layers."""

    def pushWarning(self, warning: str) -> None:  # noqa: N802 - QGIS's name
        """Something odd."""
        print(f"  {warning}\n")

    def reportError(self, error: str, fatal: bool = False) -> None:  # noqa: N802 - QGIS's name
        """Say nothing: the exception that follows tells it."""


def main() -> int:
    """Score, write, print; 1 with one sentence when the input cannot be used."""
    warnings.simplefilter(
        "ignore", DeprecationWarning
    )  # for developers, not for who reads the table
    warnings.filterwarnings(
        "ignore", "Valid PROJ data directory"
    )  # pyproj's own data, which nothing here reads
    application = QgsApplication([], True)
    application.initQgis()
    sys.path.append(str(Path(QgsApplication.pkgDataPath()) / "python" / "plugins"))
    from processing.core.Processing import Processing

    Processing.initialize()
    provider = RandCrownsProvider()
    QgsApplication.processingRegistry().addProvider(provider)
    return shown()


def shown() -> int:
    """The same, where QGIS runs."""
    try:
        folder = Path(os.environ.get("OUTPUT") or "build/demo")
        show_results(score(folder))
        sample = folder / "sample" / CLOUD
        if os.environ.get("CLOUD") or not os.environ.get("TARGETS"):
            print("\n" + evaluate_cloud(folder, sample, Spoken()))
    except (InputError, QgsProcessingException) as error:
        print(f"demo: {error}", file=sys.stderr)
        return 1
    finally:
        QgsProject.instance().clear()
    return 0


def score(folder: Path) -> dict[str, Any]:
    """Run the algorithm on what the variables ask for; the results lie in ``folder``."""
    chosen = choices()
    results = {name: folder / file for name, file in RESULTS.items()}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        title, targets, delineations, image = inputs(folder)
        for layer in (targets, *delineations):
            if Path(layer.source().partition("|")[0]).resolve() == results["package"].resolve():
                raise InputError(
                    f"{results['package']} is to be read and written; choose another OUTPUT folder."
                )
        for old in results.values():
            old.unlink(missing_ok=True)
    except OSError as error:
        raise InputError(f"Results cannot be written to {folder}: {error}.") from error
    for layer in (targets, *delineations):
        QgsProject.instance().addMapLayer(layer)
    parameters = {
        "TARGETS": targets,
        "DELINEATIONS": delineations,
        **chosen,
        **{
            output.id: f"ogr:dbname='{results['package']}' table=\"{output.id.lower()}\" (geom)"
            for output in MAPS
        },
        SUMMARY.id: str(results["table"]),
    }
    import processing

    print(f"\n{title}\n")
    outputs = processing.run("randcrowns:scorecrowns", parameters, feedback=Spoken())
    for output in MAPS:
        layer = QgsVectorLayer(
            f"{results['package']}|layername={output.id.lower()}", output.label, "ogr"
        )
        output.dress(layer, outputs, mark=False)
        keep_style(layer)
    return {
        "title": title,
        "targets": targets,
        "delineations": delineations,
        "image": image,
        **results,
    }


def inputs(folder: Path) -> tuple[str, QgsVectorLayer, list[QgsVectorLayer], QgsRasterLayer | None]:
    """Title, targets, delineations and image: the user's own, or the sample plot's."""
    wanted, others = os.environ.get("TARGETS", ""), os.environ.get("DELINEATIONS", "")
    if bool(wanted) != bool(others):
        raise InputError("Give both TARGETS and DELINEATIONS, or neither for the sample plot.")
    if wanted:
        named = [others] if Path(others).exists() else shlex.split(others)
        image = os.environ.get("IMAGE")
        layers = [opened("DELINEATIONS", source) for source in named]
        targets = opened("TARGETS", wanted)
        return (
            f"{targets.name()} as target",
            targets,
            layers,
            opened_image(image) if image else None,
        )
    paths = write_plot(folder / "sample")
    layers = [
        QgsVectorLayer(f"{paths.crowns}|layername={name}", name, "ogr") for name in paths.layers
    ]
    by_name = {layer.name(): layer for layer in layers}
    return (
        f"Simulated plot, seed {DEFAULT_SEED}: {SAMPLE_TARGETS} as target",
        by_name[SAMPLE_TARGETS],
        [by_name[name] for name in SAMPLE_DELINEATIONS],
        opened_image(str(paths.image)),
    )


def opened(variable: str, source: str) -> QgsVectorLayer:
    """The polygon layer at a path."""
    path, _, layer_name = source.partition("|layername=")
    if not Path(path).exists():
        raise InputError(
            f"{variable}: there is no file {path}; give the path of a file with polygons."
        )
    layer = QgsVectorLayer(source, layer_name or Path(path).stem, "ogr")
    if not layer.isValid():
        raise InputError(
            f"{variable}: {source} cannot be read as a vector layer; check the file and the layer's name."
        )
    inside = [part.split("!!::!!")[1] for part in layer.dataProvider().subLayers()]
    if not layer_name and len(inside) > 1:
        raise InputError(
            f'{variable}: {path} holds the layers {", ".join(inside)}; put "|layername=…" after its path.'
        )
    if layer.geometryType() != QgsWkbTypes.GeometryType.PolygonGeometry:
        raise InputError(
            f"{variable}: {source} holds no polygons, so there are no crowns to score."
        )
    return layer


def opened_image(path: str) -> QgsRasterLayer:
    """The image at a path, to lie under the map."""
    layer = QgsRasterLayer(path, "image")
    if not layer.isValid():
        raise InputError(f"IMAGE: {path} cannot be read as an image.")
    return layer


def choices() -> dict[str, Any]:
    """Parameters of the algorithm that the variables give; the others keep its defaults."""
    given = {name for name, value in os.environ.items() if value}
    return {
        **{choice.ids[0]: place_of(choice) for choice in CHOICES if choice.ids[0] in given},
        **{
            name: number(name)
            for name in ("ALPHA", "OMEGA", "GAMMA", "SCORE_THRESHOLD")
            if name in given
        },
        **{name: os.environ[name] for name in ("GROUP_FIELD", "SCORE_FIELD") if name in given},
    }


def place_of(choice: OneOf) -> int:
    """Place of the option that a variable names."""
    variable = choice.ids[0]
    wanted = os.environ[variable]
    if wanted not in choice.keys:
        raise InputError(
            f"{variable}={wanted} is not known; choose one of {', '.join(choice.keys)}."
        )
    return choice.keys.index(wanted)


def number(variable: str) -> float:
    """A variable's number."""
    try:
        return float(os.environ[variable])
    except ValueError:
        raise InputError(f"{variable}={os.environ[variable]} is not a number.") from None


def show_results(results: dict[str, Any]) -> None:
    """Print the summary, draw the map, and say where everything is."""
    summary = pd.read_csv(results["table"])
    print(summary_text(summary))
    extent = render_map(
        **{name: results[name] for name in ("title", "package", "image", "delineations")},
        path=results["map"],
    )
    print("Scores: mean over the scored targets (95 % interval).\n")
    for what, path in (
        ("scored crowns and regions", results["package"]),
        ("summary", results["table"]),
        (f"map{extent}", results["map"]),
    ):
        print(f"  {path}  {what}")


def summary_text(summary: pd.DataFrame) -> str:
    """The summary as an aligned text: one line per layer, then those of the groups."""
    everything = summary["group"] == "all"
    with_crowns = summary[~everything & (summary["targets"] > 0)]
    shown = pd.concat([summary[everything], with_crowns.head(MOST_GROUPS)])
    table = pd.DataFrame(
        {
            "layer": shown["layer"],
            "group": shown["group"].astype(str),
            **{
                heading: shown[column].astype(int).astype(str) for heading, column in COUNTS.items()
            },
            **{
                heading: [score_text(row, column) for row in shown.to_dict("records")]
                for heading, column in SCORES.items()
            },
        }
    )
    if everything.all():
        table = table.drop(columns="group")
    hidden = len(with_crowns) - MOST_GROUPS
    more = f"… and {hidden} more groups in the summary file\n" if hidden > 0 else ""
    return aligned(table, left=("layer", "group")) + more


def aligned(table: pd.DataFrame, left: tuple[str, ...]) -> str:
    """A table of texts with its columns in line."""
    columns = [
        [
            cell.ljust(width) if heading in left else cell.rjust(width)
            for cell in [heading, *table[heading]]
        ]
        for heading in table
        for width in [max(map(len, [heading, *table[heading]]))]
    ]
    return "".join("  ".join(row).rstrip() + "\n" for row in zip(*columns))


def score_text(row: dict[str, Any], score: str) -> str:
    """Mean and interval, or n/a where nothing could be scored."""
    mean, low, high = (row[f"{score}_{part}"] for part in ("mean", "low", "high"))
    if pd.isna(mean):
        return "n/a"
    return f"{mean:.3f}" if pd.isna(low) else f"{mean:.3f} ({low:.2f}–{high:.2f})"


if __name__ == "__main__":
    sys.exit(main())
