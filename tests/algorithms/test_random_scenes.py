"""Random scenes have the same numbers on every surface, to the digits that each of them shows."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import html5lib
import numpy as np
import pandas as pd
import pytest
import shapely
from qgis.core import (
    Qgis,
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsExpression,
    QgsExpressionContext,
    QgsExpressionContextUtils,
    QgsLayoutExporter,
    QgsPrintLayout,
    QgsProject,
    QgsVectorLayer,
)
from qgis.PyQt.QtGui import QGuiApplication
from qgis.PyQt.QtWidgets import QMenu, QWidget
from shapely import affinity
from support.crowns import KINDS, crown
from support.layers import EAST, NORTH, layer_of, save
from support.processing import Ran, run_algorithm

from randcrowns.algorithms.exchange.schema.parameters import LAYER_FORMAT
from randcrowns.algorithms.provenance import Provenance
from randcrowns.algorithms.run_history import Run
from randcrowns.algorithms.scoring.schema.outputs import SCORE_OUTPUTS, SUMMARY
from randcrowns.algorithms.scoring.schema.report_content import PRINT_CONTENT
from randcrowns.core import PRESETS, score_crowns
from randcrowns.core.agreement.measures import annotator_statistics, smyth_bound
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.crowns import Crowns
from randcrowns.core.detectors.crown_ranking import rank_crown_detectors
from randcrowns.core.instances.evaluation import (
    CrownAttributes,
    EvaluationOptions,
    evaluate_crowns,
)
from randcrowns.core.scoring.live import Edits, LiveScores
from randcrowns.core.scoring.pairing import Pairing
from randcrowns.core.status import ALL_PLOTS, Status
from randcrowns.core.tuning.variance import annotator_variance
from randcrowns.layers.expressions import register_functions, withdraw_functions
from randcrowns.layers.vector.tables import read_attributes
from randcrowns.ui.shell.print_layouts import PrintLayouts, ShownRun
from randcrowns.ui.widgets.table_model import table_columns
from randcrowns.ui.widgets.table_view import TableWithExport

#: Column of the core -> suffix of the toolbox's field.
FIELDS = {"randcrowns": "rc", "iou": "iou", "iou_crowns": "iouc"}
#: Pairings in the order of the toolbox's parameter.
PAIRINGS = ("nearest", "max_iou", "max_score", "mean_over_count", "hungarian", "min_score")
PARAMETERS = PRESETS["image_boxes"]
SIDE = 40.0
N_TREES = 24
#: Names of the scores on a page of a print layout.
LABELS = {"randcrowns": "RC", "iou": "IoU", "iou_crowns": "IoUC"}
#: Left edge of the tables on an exported page, and the namespace of its elements.
LEFT_OF_TABLES = 215
SVG = "{http://www.w3.org/2000/svg}"
#: System of the delineations in scenes with unlike systems.
OTHER_SYSTEM = "EPSG:32616"


@dataclass
class Scene:
    """Random targets and delineations, as crowns of core and as layers.

    Attributes:
        targets: crowns to be found.
        drawn: crowns to be scored.
        target_layer: the targets as a layer.
        drawn_layer: the delineations as a layer, in another system in some scenes.
        extent: xmin, ymin, xmax, ymax of the image; None without one.
        pairing: method that pairs crowns.
        tolerance: allowed difference of a score.
    """

    targets: Crowns
    drawn: Crowns
    target_layer: QgsVectorLayer
    drawn_layer: QgsVectorLayer
    extent: tuple[float, float, float, float] | None
    pairing: str
    tolerance: float

    @property
    def parameters(self) -> dict[str, Any]:
        """Parameters of randcrowns:scorecrowns."""
        parameters = {
            "TARGETS": self.target_layer,
            "DELINEATIONS": [self.drawn_layer],
            "PAIRING": PAIRINGS.index(self.pairing),
        }
        if self.targets.plots is not None:
            parameters["PLOT_FIELD"] = "plot"
        if self.extent is not None:
            xmin, ymin, xmax, ymax = self.extent
            parameters["EXTENT"] = f"{xmin},{xmax},{ymin},{ymax} [EPSG:32617]"
        return parameters

    def score(self) -> Any:
        """Score with core; targets outside the extent are excluded, delineations clipped."""
        if self.extent is None:
            return score_crowns(self.targets, self.drawn, PARAMETERS, self.pairing)
        box = shapely.box(*self.extent)
        is_inside = shapely.area(shapely.intersection(self.targets.geometry, box)) > 0
        parts = shapely.intersection(self.drawn.geometry, box)
        is_drawn_inside = shapely.area(parts) > 0
        return score_crowns(
            self.targets.subset(is_inside),
            self.drawn.subset(is_drawn_inside),
            PARAMETERS,
            self.pairing,
            self.extent,
            clipped=parts[is_drawn_inside],
        )


def random_crowns(rng: np.random.Generator, number: int) -> list[shapely.Geometry]:
    """Return crowns of all kinds on a square."""
    corner = np.array([EAST, NORTH])
    return [
        crown(rng, KINDS[k % len(KINDS)], *(corner + rng.uniform(0, SIDE, 2)), rng.uniform(1, 4))
        for k in range(number)
    ]


def moved_copies(
    rng: np.random.Generator, crowns: list[shapely.Geometry], amount: float
) -> list[shapely.Geometry]:
    """Return crowns that are shifted at random; amount is the standard deviation, metres."""
    return [affinity.translate(one, *rng.normal(0, amount, 2)) for one in crowns]


def plots_of(crowns: list[shapely.Geometry]) -> np.ndarray:
    """Return the western or eastern plot of each crown."""
    middle = EAST + SIDE / 2
    return np.array(["west" if one.centroid.x < middle else "east" for one in crowns], object)


def make_layer(
    file: Path, crowns: list[shapely.Geometry], system: str = "EPSG:32617"
) -> QgsVectorLayer:
    """Write crowns with plots and scores into a file in a system of its own; return the layer."""
    name = file.stem
    rows = [(plot, 1 - 0.01 * number) for number, plot in enumerate(plots_of(crowns))]
    layer = layer_of(name, crowns, fields="&field=plot:string&field=score:double", rows=rows)
    transform = QgsCoordinateTransform(
        layer.crs(), QgsCoordinateReferenceSystem(system), QgsProject.instance()
    )
    changed = {}
    for feature in layer.getFeatures():
        geometry = feature.geometry()
        geometry.transform(transform)
        changed[feature.id()] = geometry
    assert layer.dataProvider().changeGeometryValues(changed)
    layer.setCrs(QgsCoordinateReferenceSystem(system))
    save(layer, file)
    written = QgsVectorLayer(str(file), name, "ogr")
    assert written.featureCount() == len(crowns)
    return written


def as_crowns(crowns: list[shapely.Geometry], with_plots: bool, name: str) -> Crowns:
    """Return crowns of core with the feature ids of a memory layer."""
    ids = np.arange(1, len(crowns) + 1)
    return Crowns(np.array(crowns, object), ids, plots_of(crowns) if with_plots else None, name)


def make_scene(folder: Path, seed: int) -> Scene:
    """Return a scene; plots, extent, system and pairing follow from the seed."""
    rng = np.random.default_rng(seed)
    with_plots, with_extent, unlike = bool(seed & 1), bool(seed & 2), bool(seed & 4)
    targets = random_crowns(rng, N_TREES)
    duplicates = targets[::6] + targets[::6]
    drawn = moved_copies(rng, targets, 0.7) + duplicates + random_crowns(rng, N_TREES // 4)
    drawn = [drawn[row] for row in rng.permutation(len(drawn))]
    extent = (EAST + 4, NORTH + 5, EAST + SIDE - 6, NORTH + SIDE - 3) if with_extent else None
    return Scene(
        as_crowns(targets, with_plots, "targets"),
        as_crowns(drawn, with_plots, "drawn"),
        make_layer(folder / "targets.gpkg", targets),
        make_layer(folder / "drawn.gpkg", drawn, OTHER_SYSTEM if unlike else "EPSG:32617"),
        extent,
        PAIRINGS[seed % len(PAIRINGS)],
        1e-5 if unlike else 1e-9,
    )


def close(found: Any, expected: Any, tolerance: float, message: str = "") -> None:
    """Assert that numbers are equal; NULL equals NaN."""
    np.testing.assert_allclose(
        pd.to_numeric(pd.Series(found), errors="coerce").to_numpy(float),
        np.asarray(expected, dtype=float),
        rtol=tolerance,
        atol=tolerance,
        err_msg=message,
    )


def check_fields(scene: Scene, done: Ran, expected: Any) -> None:
    """Compare the fields of the targets and the summary with core."""
    fields = done.table("SCORED_TARGETS").set_index("fid").sort_index()
    rows = expected.targets.set_index("target_id").sort_index()
    outside = fields.index.difference(rows.index)
    assert set(fields.loc[outside, "drawn_status"]) <= {Status.OUTSIDE_EXTENT.value}
    judged = fields.loc[rows.index]
    for name, suffix in FIELDS.items():
        close(judged[f"drawn_{suffix}"], rows[name], scene.tolerance, name)
    assert judged["drawn_status"].tolist() == rows["status"].tolist()
    summary = done.table("SUMMARY").set_index("plot")
    of_core = expected.summary.set_index("plot")
    assert set(summary.index) == set(of_core.index)
    for name in ("targets", "delineations", "matched", "missed", "unmatched_targets"):
        assert summary[name].tolist() == of_core.loc[summary.index, name].tolist(), name
    for name in FIELDS:
        for statistic in ("mean", "sd", "median", "mean_low", "mean_high"):
            column = f"{name}_{statistic}"
            if column in summary and column in of_core:
                close(summary[column], of_core.loc[summary.index, column], scene.tolerance, column)


def check_answer(done: Ran) -> None:
    """Compare the sentences of the answer with the summary."""
    summary = done.table("SUMMARY").set_index("plot").loc[ALL_PLOTS]
    record = Provenance.from_json(done.results["PROVENANCE"])
    means_message, counts_message = record.headline
    values = dict(means_message.values)
    assert values["targets"] == summary["targets"]
    assert values["scored"] == summary["targets"] - summary["too_small"]
    means = dict(str(mean).split(" ", 1) for mean in values["means"])
    for name, title in (("randcrowns", "RandCrowns"), ("iou", "IoU"), ("iou_crowns", "IoUCrowns")):
        check_number(means[title], summary[f"{name}_mean"], title)
    counts = {
        str(count).partition(": ")[0]: str(count) for count in dict(counts_message.values)["counts"]
    }
    for text, name in (
        ("too small targets", "too_small"),
        ("false detections", "unmatched_delineations"),
    ):
        assert counts[text] == f"{text}: {summary[name]:,.0f}"
    n_missed = summary["missed"]
    n_not_detected = summary["unmatched_targets"] + n_missed
    not_detected = f"targets not detected: {n_not_detected:,.0f}"
    if n_missed:
        not_detected += (
            f" (of these, with a pair that does not reach their certain part: {n_missed:,.0f})"
        )
    assert counts["targets not detected"] == not_detected


def check_live_scores(scene: Scene, rng: np.random.Generator) -> None:
    """Compare scores that follow random edits with those of the edited crowns."""
    live = LiveScores(scene.targets, scene.drawn, PARAMETERS, scene.pairing)
    targets, drawn = scene.targets, scene.drawn
    for _ in range(3):
        edits = []
        edited = []
        for layer in (targets, drawn):
            rows = rng.choice(len(layer), 3, replace=False)
            shapes = np.array(moved_copies(rng, list(layer.geometry[rows]), 0.5), object)
            geometry = layer.geometry.copy()
            geometry[rows] = shapes
            plots = None if layer.plots is None else layer.plots[rows]
            edits.append(Edits(layer.ids[rows], shapes, plots))
            edited.append(Crowns(geometry, layer.ids, layer.plots, layer.name))
        live.apply_edits(*edits)
        targets, drawn = edited
    fresh = score_crowns(targets, drawn, PARAMETERS, scene.pairing)
    for found, expected, key in zip(
        live.tables(), (fresh.targets, fresh.delineations), ("target_id", "delineation_id")
    ):
        found, expected = found.sort_values(key), expected.sort_values(key)
        for name in FIELDS:
            if name in expected:
                close(found[name], expected[name], 1e-9, name)
        if "status" in expected:
            assert found["status"].tolist() == expected["status"].tolist()


def check_expressions(scene: Scene, expected: Any) -> None:
    """Compare the functions of expressions with the scores of each pair; without an extent."""
    pairs = expected.pairs
    lengths = f"{PARAMETERS.alpha}, {PARAMETERS.omega}, {PARAMETERS.gamma}"
    context = QgsExpressionContext(
        QgsExpressionContextUtils.globalProjectLayerScopes(scene.target_layer)
    )
    for row in range(0, len(pairs), 5):
        target = scene.targets.geometry[pairs["target"].iloc[row]]
        drawn = scene.drawn.geometry[pairs["delineation"].iloc[row]]
        outlines = f"geom_from_wkt('{target.wkt}'), geom_from_wkt('{drawn.wkt}')"
        for function, name in (("rc_score", "randcrowns"), ("rc_iou", "iou")):
            options = f", {lengths}" if function == "rc_score" else ""
            expression = QgsExpression(f"{function}({outlines}{options})")
            value = expression.evaluate(context)
            assert not expression.hasEvalError(), expression.evalErrorString()
            close([value], [pairs[name].iloc[row]], 1e-7, name)


#: Column of the summary -> title in the table of the answer.
ANSWER = {
    "randcrowns_mean": "RandCrowns",
    "iou_mean": "IoU",
    "iou_crowns_mean": "IoUCrowns",
    "matched": "Detected",
}


def tables_of_page(page: str) -> list[list[list[str]]]:
    """Return the texts of the cells of all tables of a report, row by row, titles first."""
    parsed = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(page)
    return [
        [
            [" ".join("".join(cell.itertext()).split()) for cell in row]
            for part in table
            if part.tag in ("thead", "tbody")
            for row in part
        ]
        for table in parsed.iter("table")
    ]


def check_number(text: str, value: float, title: str) -> None:
    """Compare the first number of a cell, such as 0.72 (0.70–0.74), with a value, to its digits."""
    if pd.isna(value):
        assert text.startswith("n/a"), title
        return
    number = re.match(r"-?[\d,]+(\.\d+)?(e[-+]?\d+)?", text)
    assert number is not None, f"{title}: {text}"
    digits, _, exponent = number[0].replace(",", "").partition("e")
    power = 10 ** int(exponent or 0)
    tolerance = 0.51 * 10 ** -_digits(digits) * power
    assert float(digits) * power == pytest.approx(float(value), abs=tolerance), title


def check_report(done: Ran, folder: Path) -> None:
    """Compare the numbers in the tables of a report with the summary."""
    layers = [done.layer(name) for name in ("SCORED_TARGETS", "SCORED_DELINEATIONS", "SUMMARY")]
    file = folder / "report.html"
    made = run_algorithm("report", {"RUNS": layers, "HTML": str(file)}, outputs=())
    assert made.ok, made.refused or made.error
    summary = done.table("SUMMARY").set_index("plot")
    answer, *tables = tables_of_page(file.read_text(encoding="utf-8"))
    shown = dict(zip(*answer))
    for name, title in ANSWER.items():
        if title in shown:
            check_number(shown[title], summary.loc[ALL_PLOTS, name], title)
    columns = SUMMARY.select_columns(list(summary.columns))
    column_of_label = {column.label: column.name for column in columns}
    titles = set()
    # Tables of few plots are transposed: a row per number, a column per plot or for the layer.
    for (_, *plots), *rows in tables:
        plots = [ALL_PLOTS if plot == "drawn" else plot for plot in plots]
        for label, *texts in rows:
            if label not in column_of_label or not set(plots) <= set(summary.index):
                continue
            titles.add(label)
            for plot, text in zip(plots, texts):
                check_number(text, summary.loc[plot, column_of_label[label]], f"{label}, {plot}")
    assert len(titles) >= 5


def check_files(done: Ran, folder: Path) -> None:
    """Compare exported files with the fields: every number at full precision."""
    expected = done.table("SCORED_TARGETS").sort_values("drawn_rc", kind="stable")
    for key in ("gpkg", "csv", "xlsx"):
        made = run_algorithm(
            "exportlayers",
            {
                "LAYERS": [done.layer("SCORED_TARGETS")],
                "FORMAT": LAYER_FORMAT.keys.index(key),
                "FOLDER": str(folder / key),
            },
            outputs=(),
        )
        assert made.ok, made.refused or made.error
        (file,) = (folder / key).glob("[!.]*")
        layer = QgsVectorLayer(str(file), key, "ogr")
        assert layer.isValid()
        found = read_attributes(layer)
        assert len(found) == len(expected), key
        for suffix in FIELDS.values():
            name = f"drawn_{suffix}"
            numbers = np.sort(pd.to_numeric(found[name], errors="coerce").to_numpy(float))
            close(numbers, np.sort(expected[name].to_numpy(float)), 1e-12, f"{key} {name}")


@dataclass
class ShownPage:
    """Texts of a page of a print layout."""

    title: str
    numbers: dict[str, str]  #: label of each number of the page -> its text.


def pages_of_layout(layout: QgsPrintLayout) -> list[ShownPage]:
    """Return the texts that the pages of a layout show."""
    pages = []
    atlas = layout.atlas()
    assert atlas.beginRender()
    while atlas.next():
        lines = layout.itemById("values").currentText().splitlines()
        numbers = dict(line.rsplit(": ", 1) for line in lines if ": " in line)
        pages.append(ShownPage(layout.itemById("title").currentText(), numbers))
    atlas.endRender()
    return pages


def exported_texts(layout: QgsPrintLayout, file: Path) -> list[list[str]]:
    """Export the first page as SVG; return the texts of its tables, those of a row together."""
    assert layout.atlas().beginRender()
    assert layout.atlas().first()
    settings = QgsLayoutExporter.SvgExportSettings()
    settings.dpi = 30
    settings.textRenderFormat = Qgis.TextRenderFormat.AlwaysText
    exported = QgsLayoutExporter(layout).exportToSvg(str(file), settings)
    assert exported == QgsLayoutExporter.ExportResult.Success
    layout.atlas().endRender()
    texts_by_height: dict[int, list[str]] = {}
    for group in ElementTree.parse(file).iter(f"{SVG}g"):
        matrix = re.findall(r"-?[\d.]+(?:e-?\d+)?", group.get("transform", ""))
        for text in group.findall(f"{SVG}text"):
            x_scale, _, _, y_scale, left, top = map(float, matrix)
            left += x_scale * float(text.get("x", 0))
            top += y_scale * float(text.get("y", 0))
            if left > LEFT_OF_TABLES:
                texts_by_height.setdefault(round(top), []).append(text.text or "")
    return list(texts_by_height.values())


@contextmanager
def opened_layouts(done: Ran) -> Iterator[list[QgsPrintLayout]]:
    """Yield the print layouts that page Score makes of a run: of the worst crowns, and of plots."""
    project = QgsProject.instance()
    outputs = ("SCORED_TARGETS", "SUMMARY")
    layers = {output: done.layer(output).clone() for output in outputs}
    project.addMapLayers(list(layers.values()))
    record = Provenance.from_json(done.results["PROVENANCE"])
    shown_run = ShownRun(record, {output: layer.id() for output, layer in layers.items()})
    opened: list[QgsPrintLayout] = []
    iface = SimpleNamespace(openLayoutDesigner=opened.append, messageBar=lambda: None)
    printed = PrintLayouts(iface, PRINT_CONTENT, lambda: shown_run, QWidget(), QMenu())
    try:
        printed.create_layout(plots=False)
        if record.parameters.get("PLOT_FIELD"):
            printed.create_layout(plots=True)
        yield opened
    finally:
        added = {layer.id() for layer in layers.values()}
        added |= {layout.atlas().coverageLayer().id() for layout in opened}
        project.layoutManager().clear()
        project.removeMapLayers(list(added))


def check_layout(done: Ran, expected: Any, folder: Path) -> None:
    """Compare the texts and tables of the print layouts with core, to their digits."""
    targets = expected.targets.set_index("target_id")
    summary = done.table("SUMMARY").set_index("plot")
    record = Provenance.from_json(done.results["PROVENANCE"])
    with opened_layouts(done) as (worst, *of_plots):
        assert worst.itemById("answer").currentText() == " ".join(map(str, record.headline))
        pages = pages_of_layout(worst)
        shown_ids = [int(page.title.removeprefix("Target ")) for page in pages]
        lowest = targets["randcrowns"].nsmallest(10)
        assert len(pages) == len(set(shown_ids)) == len(lowest)
        close(targets.loc[shown_ids, "randcrowns"], lowest, 1e-9)
        for target, page in zip(shown_ids, pages):
            scores = targets.loc[target, [*FIELDS]].rename(LABELS).dropna()
            assert page.numbers["drawn: RC"]
            assert page.numbers["Target"] == str(target)
            for label in {f"drawn: {label}" for label in scores.index} & {*page.numbers}:
                value = scores[label.removeprefix("drawn: ")]
                check_number(page.numbers[label], value, f"{label} of target {target}")
        texts = exported_texts(worst, folder / "page.svg")
        check_summary_table(texts, summary)
        rows = [row for row in texts if row[0].isdigit() and len(row) > 3]
        assert [row[0] for row in rows] == [str(target) for target in shown_ids]
        for target, row in zip(shown_ids, rows):
            check_number(row[1], targets.loc[target, "randcrowns"], f"table, target {target}")
        for layout in of_plots:
            check_plot_pages(pages_of_layout(layout), targets, summary)


def check_summary_table(texts: list[list[str]], summary: pd.DataFrame) -> None:
    """Compare the table of the summary on a page with the output."""
    rows = [row for row in texts if row[0] == "drawn" and len(row) > 3]
    assert [row[1] for row in rows] == summary.index.tolist()
    names = ("targets", "matched", "randcrowns_mean", "iou_mean")
    for _, plot, *numbers in rows:
        for text, name in zip(numbers, names):
            check_number(text, summary.loc[plot, name], f"{name}, {plot}")


def check_plot_pages(pages: list[ShownPage], targets: pd.DataFrame, summary: pd.DataFrame) -> None:
    """Compare the pages of plots with the scores of the targets in each plot."""
    scored = targets[targets["randcrowns"].notna()].groupby("plot")["randcrowns"]
    shown_plots = [page.title for page in pages]
    assert shown_plots == scored.mean().sort_values().index.tolist()
    for page in pages:
        number, mean = page.numbers.values()
        assert int(number) == scored.size()[page.title]
        check_number(mean, scored.mean()[page.title], page.title)
        check_number(mean, summary.loc[page.title, "randcrowns_mean"], page.title)


def check_table(done: Ran, folder: Path) -> None:
    """Compare a table of the dock with the summary: saved, copied, and copied as LaTeX."""
    summary = done.table("SUMMARY")
    names = ("plot", "targets", "matched", "randcrowns_mean", "iou_mean")
    table = TableWithExport("summary")
    table.show_frame(summary, table_columns(SUMMARY, *names))
    for ending in ("csv", "xlsx"):
        file = folder / f"saved.{ending}"
        table.view.export(str(file))
        saved = read_attributes(QgsVectorLayer(str(file), ending, "ogr"))
        for title, name in zip(("Targets", "Detected", "Mean RC", "Mean IoU"), names[1:]):
            close(saved[title], summary[name], 1e-12, f"{ending} {name}")
    table.view.copy()
    copied = pd.read_csv(StringIO(QGuiApplication.clipboard().text()), sep="\t")
    close(copied["Mean RC"], summary["randcrowns_mean"], 1e-12, "copied")
    actions = {action.text(): action for action in table.copy_button.menu().actions()}
    actions["Copy as LaTeX"].trigger()
    lines = QGuiApplication.clipboard().text().splitlines()
    rows = [line.removesuffix(r" \\").split(" & ") for line in lines if " & " in line][1:]
    assert len(rows) == len(summary)
    for cells, (_, values) in zip(rows, summary.iterrows()):
        assert [int(cells[1]), int(cells[2])] == [values["targets"], values["matched"]]
        for cell, name in zip(cells[3:], names[3:]):
            assert float(cell) == pytest.approx(values[name], abs=0.51 * 10 ** -_digits(cell))


def _digits(text: str) -> int:
    """Return the number of decimal places of a number."""
    return len(text.partition(".")[2])


def check_command(done: Ran) -> None:
    """Run the command that a report shows, and compare its summary."""
    record = Provenance.from_json(done.results["PROVENANCE"])
    shown = Run(record, {}, {})
    words = shlex.split(shown.command_to_repeat)
    parameters: dict[str, Any] = {}
    for argument in words[words.index("--") + 1 :]:
        name, _, value = argument.partition("=")
        earlier = parameters.get(name)
        parameters[name] = value if earlier is None else [*np.atleast_1d(earlier).tolist(), value]
    # The command writes files into the current folder.
    outputs = {"SCORED_TARGETS", "SUMMARY"} | {output.id for output in SCORE_OUTPUTS} & {
        *parameters
    }
    parameters.update(dict.fromkeys(outputs, "TEMPORARY_OUTPUT"))
    again = run_algorithm("scorecrowns", parameters)
    assert again.ok, again.refused or again.error
    numbers = done.table("SUMMARY").select_dtypes("number")
    pd.testing.assert_frame_equal(again.table("SUMMARY")[list(numbers)], numbers)


@pytest.fixture
def functions(qgis_app):
    """The functions of expressions."""
    register_functions()
    yield
    withdraw_functions()


def check_scores(folder: Path, seed: int) -> None:
    """Compare the surfaces that show scores of a scene."""
    scene = make_scene(folder, seed)
    expected = scene.score()
    done = run_algorithm("scorecrowns", scene.parameters)
    assert done.ok, done.refused or done.error
    check_fields(scene, done, expected)
    check_answer(done)
    check_live_scores(scene, np.random.default_rng(seed))
    if scene.extent is None:
        check_expressions(scene, expected)
    check_report(done, folder)
    check_files(done, folder)
    check_layout(done, expected, folder)
    check_table(done, folder)
    check_command(done)


def check_pages(folder: Path, seed: int) -> None:
    """Compare annotators, detectors, instances and parameters of a scene with core."""
    rng = np.random.default_rng(seed)
    trees = random_crowns(rng, N_TREES)
    drawings = {name: moved_copies(rng, trees, 0.4)[k:] for k, name in enumerate("abc")}
    layers = {name: make_layer(folder / f"{name}.gpkg", own) for name, own in drawings.items()}
    with_plots = bool(seed & 1)
    crowns = {name: as_crowns(own, with_plots, name) for name, own in drawings.items()}
    plots = {"PLOT_FIELD": "plot"} if with_plots else {}
    check_annotators(drawings, layers)
    check_detectors(crowns, layers, plots)
    check_instances(crowns, layers, plots)
    check_parameters(crowns, layers, plots)


def check_annotators(
    drawings: dict[str, list[shapely.Geometry]], layers: dict[str, QgsVectorLayer]
) -> None:
    """Compare page Annotators with the vote table of exact areas."""
    area = shapely.box(EAST - 9, NORTH - 9, EAST + SIDE + 9, NORTH + SIDE + 9)
    votes = VoteTable.from_polygons(drawings, area)
    extent = f"{area.bounds[0]},{area.bounds[2]},{area.bounds[1]},{area.bounds[3]} [EPSG:32617]"
    done = run_algorithm(
        "compareannotators",
        {"ANNOTATORS": list(layers.values()), "EXTENT": extent, "BOOTSTRAP_SAMPLES": 20},
        outputs=("ANNOTATOR_TABLE", "SUMMARY"),
    )
    assert done.ok, done.refused or done.error
    assert done.results["SMYTH_BOUND"] == pytest.approx(smyth_bound(votes), abs=1e-9)
    expected = annotator_statistics(votes)
    found = done.table("ANNOTATOR_TABLE").set_index("annotator")
    for name in expected.columns.intersection(found.columns):
        if expected[name].dtype.kind == "f":
            close(found.loc[expected.index, name], expected[name], 1e-8, name)


def check_detectors(
    crowns: dict[str, Crowns], layers: dict[str, QgsVectorLayer], plots: dict[str, str]
) -> None:
    """Compare page Detectors with the average precision of whole crowns."""
    annotators = {"a": crowns["a"]}
    detections = {
        name: (crowns[name], 1 - 0.01 * np.arange(len(crowns[name]))) for name in ("b", "c")
    }
    expected = rank_crown_detectors(annotators, detections, PARAMETERS)
    done = run_algorithm(
        "rankdetectors",
        {
            "DETECTORS": [layers["b"], layers["c"]],
            "SCORE_FIELD": "score",
            "ANNOTATORS": [layers["a"]],
            "BOOTSTRAP_SAMPLES": 0,
            "COUNTED_UNITS": 2,
            **plots,
        },
        outputs=("AUCR", "CURVES"),
    )
    assert done.ok, done.refused or done.error
    found = done.table("AUCR").set_index(["detector", "truth"])["value"]
    for detector, value in expected.average_precision["a"].items():
        assert found[detector, "a"] == pytest.approx(value, abs=1e-9)
    assert len(done.table("CURVES")) == len(expected.curves)


def check_instances(
    crowns: dict[str, Crowns], layers: dict[str, QgsVectorLayer], plots: dict[str, str]
) -> None:
    """Compare page Instances with core's evaluation."""
    expected = evaluate_crowns(
        crowns["a"], crowns["b"], EvaluationOptions(), CrownAttributes()
    ).summary
    done = run_algorithm(
        "evaluateinstances",
        {"TARGETS": layers["a"], "PREDICTIONS": layers["b"], **plots},
        outputs=("SUMMARY",),
    )
    assert done.ok, done.refused or done.error
    found = done.table("SUMMARY")
    assert len(found) == len(expected)
    for name in ("tp", "fp", "fn", "precision", "recall", "f1", "pq", "mean_iou"):
        close(found[name], expected[name], 1e-9, name)


def check_parameters(
    crowns: dict[str, Crowns], layers: dict[str, QgsVectorLayer], plots: dict[str, str]
) -> None:
    """Compare page Parameters with core's variances."""
    expected = annotator_variance(list(crowns.values()), PARAMETERS).summary
    done = run_algorithm(
        "annotatorvariance",
        {"ANNOTATORS": list(layers.values()), **plots},
        outputs=("VARIANCE", "DRAWN_CROWNS"),
    )
    assert done.ok, done.refused or done.error
    found = done.table("VARIANCE")
    for name in FIELDS:
        close(found[f"{name}_variance"], expected[f"{name}_variance"], 1e-9, name)
    drawn = done.table("DRAWN_CROWNS")
    totals = drawn[drawn["plot"] == ALL_PLOTS].set_index("annotator")["drawn"]
    assert totals.to_dict() == {name: len(own) for name, own in crowns.items()}


def test_pairings_of_the_toolbox() -> None:
    assert set(PAIRINGS) == {str(pairing) for pairing in Pairing}


@pytest.mark.parametrize("seed", [3, 4])
def test_surfaces_show_the_same_scores(algorithms, functions, tmp_path, seed: int) -> None:
    check_scores(tmp_path, seed)


def test_pages_show_the_numbers_of_core(algorithms, tmp_path) -> None:
    check_pages(tmp_path, 1)


# test_surfaces_show_the_same_scores covers the promise with a few scenes.
@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(5, 55))
def test_fifty_scenes_show_the_same_scores(algorithms, functions, tmp_path, seed: int) -> None:
    check_scores(tmp_path, seed)


# test_pages_show_the_numbers_of_core covers the promise with one scene.
@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(2, 52))
def test_pages_show_the_numbers_of_fifty_scenes(algorithms, tmp_path, seed: int) -> None:
    check_pages(tmp_path, seed)
