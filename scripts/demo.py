"""Scores the sample plot, or your own files, headless through QGIS, and shows what came of it (``make demo``).

Choices come as variables, as in ``make demo TARGETS=crowns.gpkg DELINEATIONS="a.gpkg b.gpkg"``:

TARGETS, DELINEATIONS   files with polygons, ``|layername=…`` after the path where a file holds several
PRESET                  image_boxes (default), field_polygons, idtrees or own
ALPHA, OMEGA, GAMMA     for PRESET=own: metres, metres, ratio
PAIRING                 nearest (default), max_iou, max_score, mean_over_count or hungarian
GROUP_FIELD             a field of all layers, such as the plot: scores per group
SCORE_FIELD, SCORE_THRESHOLD   leave out delineations of a detector that score lower
OUTPUT                  folder for the results (default: build/demo)
"""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pandas as pd
from demo_map import render_map
from qgis.core import (
    QgsApplication,
    QgsProcessingException,
    QgsProject,
    QgsRasterLayer,
    QgsVectorLayer,
    QgsWkbTypes,
)

from randcrowns.core.errors import InputError
from randcrowns.core.sample import DEFAULT_SEED
from randcrowns.layers.sample import write_plot

PRESETS = ("image_boxes", "field_polygons", "idtrees", "own")
PAIRINGS = ("nearest", "max_iou", "max_score", "mean_over_count", "hungarian")
SAMPLE_TARGETS = "annotator_1"
SAMPLE_DELINEATIONS = ("annotator_2", "annotator_3", "annotator_4", "detector")
MOST_ROWS = 12


def main() -> int:
    """Score, write, print; 1 with one sentence when the input cannot be used."""
    application = QgsApplication([], True)
    application.initQgis()
    try:
        show_results(score(start_processing(), Path(os.environ.get("OUTPUT") or "build/demo")))
    except (InputError, QgsProcessingException) as error:
        print(f"demo: {error}", file=sys.stderr)
        return 1
    finally:
        QgsProject.instance().clear()
    return 0


def start_processing() -> Any:
    """The ``processing`` module with this project's algorithms in it."""
    plugins = str(Path(QgsApplication.pkgDataPath()) / "python" / "plugins")
    if plugins not in sys.path:
        sys.path.append(plugins)
    import processing
    from processing.core.Processing import Processing

    from randcrowns.algorithms.provider import RandCrownsProvider

    Processing.initialize()
    start_processing.provider = RandCrownsProvider()  # type: ignore[attr-defined] # else Python throws it away
    QgsApplication.processingRegistry().addProvider(start_processing.provider)  # type: ignore[attr-defined]
    return processing


def score(processing: Any, folder: Path) -> dict[str, Any]:
    """Run the algorithm on what the variables ask for; the results lie in ``folder``."""
    title, targets, delineations, image = inputs(folder)
    package, table = folder / "demo.gpkg", folder / "summary.csv"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for old in (package, table, folder / "map.png"):
            old.unlink(missing_ok=True)
    except OSError as error:
        raise InputError(f"Results cannot be written to {folder}: {error}.") from error
    for layer in (targets, *delineations):
        QgsProject.instance().addMapLayer(layer)
    parameters = {
        "TARGETS": targets,
        "DELINEATIONS": delineations,
        "PRESET": choice("PRESET", PRESETS),
        "PAIRING": choice("PAIRING", PAIRINGS),
        **{name: number(name) for name in ("ALPHA", "OMEGA", "GAMMA", "SCORE_THRESHOLD") if os.environ.get(name)},
        **{name: os.environ[name] for name in ("GROUP_FIELD", "SCORE_FIELD") if os.environ.get(name)},
        **{
            output: f"ogr:dbname='{package}' table=\"{output.lower()}\" (geom)"
            for output in ("SCORED_TARGETS", "SCORED_DELINEATIONS", "PAIRS", "REGIONS")
        },
        "SUMMARY": str(table),
    }
    processing.run("randcrowns:scorecrowns", parameters)
    return {
        "title": title,
        "targets": targets,
        "delineations": delineations,
        "image": image,
        "package": package,
        "table": table,
        "map": folder / "map.png",
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
        return f"{targets.name()} and how it was drawn", targets, layers, opened_image(image) if image else None
    paths = write_plot(folder / "sample")
    layers = [QgsVectorLayer(f"{paths.crowns}|layername={name}", name, "ogr") for name in paths.layers]
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
        raise InputError(f"{variable}: there is no file {path}; give the path of a file with polygons.")
    layer = QgsVectorLayer(source, layer_name or Path(path).stem, "ogr")
    if not layer.isValid():
        raise InputError(f"{variable}: {source} cannot be read as a vector layer; check the file and the layer's name.")
    inside = [part.split("!!::!!")[1] for part in layer.dataProvider().subLayers()]
    if not layer_name and len(inside) > 1:
        raise InputError(f'{variable}: {path} holds the layers {", ".join(inside)}; put "|layername=…" after its path.')
    if layer.geometryType() != QgsWkbTypes.GeometryType.PolygonGeometry:
        raise InputError(f"{variable}: {source} holds no polygons, so there are no crowns to score.")
    return layer


def opened_image(path: str) -> QgsRasterLayer:
    """The image at a path, to lie under the map."""
    layer = QgsRasterLayer(path, "image")
    if not layer.isValid():
        raise InputError(f"IMAGE: {path} cannot be read as an image.")
    return layer


def choice(variable: str, known: tuple[str, ...]) -> int:
    """Number of the chosen one of the known names; the first by default."""
    wanted = os.environ.get(variable) or known[0]
    if wanted not in known:
        raise InputError(f"{variable}={wanted} is not known; choose one of {', '.join(known)}.")
    return known.index(wanted)


def number(variable: str) -> float:
    """A variable's number."""
    try:
        return float(os.environ[variable])
    except ValueError:
        raise InputError(f"{variable}={os.environ[variable]} is not a number.") from None


def show_results(results: dict[str, Any]) -> None:
    """Print the summary, draw the map, and say where everything is."""
    summary = pd.read_csv(results["table"])
    print(f"\n{results['title']}\n")
    print(summary_text(summary))
    extent = render_map(**{name: results[name] for name in ("title", "package", "image", "delineations", "map")})
    print("Scores are means over the scored crowns with their 95 % bootstrap intervals.\n")
    for what, path in (
        ("scored crowns and regions", results["package"]),
        ("summary", results["table"]),
        (f"map{extent}", results["map"]),
    ):
        print(f"  {path}  {what}")


def summary_text(summary: pd.DataFrame) -> str:
    """The summary as an aligned text: one line per layer, then those of the groups."""
    lines = [
        {
            "layer": row["layer"],
            "group": "" if row["group"] == "all" else str(row["group"]),
            "crowns": row["targets"],
            "matched": row["matched"],
            "missed": row["missed"],
            "unmatched": row["unmatched_targets"],
            "too small": row["too_small"],
            **{
                heading: score_text(row, score)
                for heading, score in (("RandCrowns", "randcrowns"), ("IoU", "iou"), ("IoUCrowns", "iou_crowns"))
            },
        }
        for row in summary.sort_values("group", key=lambda group: group != "all", kind="stable").to_dict("records")
    ]
    table = pd.DataFrame(lines)
    if not table["group"].any():
        table = table.drop(columns="group")
    left = {"layer", "group"}
    text = [
        [heading, *map(str, table[heading].head(max(MOST_ROWS, (table.get("group", "") == "").sum())))]
        for heading in table
    ]
    widths = [max(map(len, column)) for column in text]
    rows = [
        "  ".join(
            cell.ljust(width) if heading in left else cell.rjust(width)
            for heading, cell, width in zip(table.columns, row, widths)
        ).rstrip()
        for row in zip(*text)
    ]
    hidden = len(table) + 1 - len(rows)
    return "\n".join([*rows, *([f"… and {hidden} more lines in the summary file"] if hidden else []), ""])


def score_text(row: dict[str, Any], score: str) -> str:
    """Mean and interval, or n/a where nothing could be scored."""
    mean, low, high = (row[f"{score}_{part}"] for part in ("mean", "low", "high"))
    if pd.isna(mean):
        return "n/a"
    return f"{mean:.3f}" if pd.isna(low) else f"{mean:.3f} ({low:.2f} to {high:.2f})"


if __name__ == "__main__":
    sys.exit(main())
