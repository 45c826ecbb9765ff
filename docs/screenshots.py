"""Make the guide's screenshots in a QGIS window: ``make screenshots``.

QGIS runs this file with ``--code``. Each page of the dock has a generator function below that
makes its screenshots; ``PAGES`` lists them. ``make screenshots PAGES=score`` makes
those of one page. Screenshots that neither the guide nor the README shows are not made.

The generators yield after each step: None to wait for a moment, or a function that must return
True before the generator continues.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import traceback
from pathlib import Path

from qgis.core import QgsFeature, QgsGeometry, QgsProject, QgsRasterLayer, QgsVectorLayer
from qgis.PyQt.QtCore import QSize, Qt, QTimer
from qgis.PyQt.QtGui import QColor, QImage, QPainter
from qgis.PyQt.QtWidgets import QDockWidget
from qgis.utils import iface, plugins

from randcrowns.algorithms.agreement.schema.parameters import IMAGE, METHOD
from randcrowns.algorithms.common_parameters import ALPHA, GAMMA, OMEGA, OWN, PRESET
from randcrowns.algorithms.detectors.schema.outputs import AREAS
from randcrowns.algorithms.report.schema.explore_parameters import EXPLORER
from randcrowns.algorithms.report.schema.parameters import HTML
from randcrowns.layers.styles import OUTLINE_COLOURS

# QGIS runs this file without setting __file__.
sys.path.append(str(Path(os.environ["RANDCROWNS_IMAGES"]).parents[1] / "tests"))
from support.browser import Browser
from support.data import real_data

IMAGES = Path(os.environ["RANDCROWNS_IMAGES"])
#: File names of the screenshots that the guide or the README shows.
USED_IMAGES = {
    name
    for page in (*IMAGES.parent.glob("*.md"), IMAGES.parents[1] / "README.md")
    for name in re.findall(r"images/(\w+\.png)", page.read_text(encoding="utf-8"))
}
#: Widths of the dock, pixels.
LARGE = 600
SMALL = 360
#: Size of the picture of a report, pixels.
REPORT_WIDTH = 900
REPORT_HEIGHT = 860
#: Crowns, width (pixels) and time per frame (ms) of the animated picture of drawing.
DRAWN_CROWNS = 7
DRAWING_WIDTH = 640
FRAME_DURATION = 4000
#: Time between two checks whether a step is finished, ms.
CHECK_INTERVAL = 400


def score_pictures(dock):
    """Make the screenshots of page Score: before a run, a crown on the map, summary, plot."""
    show_layers("annotator_1", "annotator_2", "image")
    page = dock.show_page("score")
    target = layer("annotator_1")
    page.form.target_picker.select_layer(target.id())
    page.form.delineation_list.check_layers((layer("annotator_2").id(),))
    yield from picture(dock, SMALL, "score_small.png")
    yield from picture(dock, LARGE, "score_before.png")
    page.start()
    yield lambda: page.run is None and not page.results.isHidden()
    page.splitter.setSizes([30, 70])
    yield None
    yield from picture(dock, 470, "score.png")
    page.results.crown_table.choose_frame_row(
        instructive_crown(page.results.displayed_scores().crowns, target)
    )
    yield from picture(dock, SMALL, "score_row_small.png")
    yield from picture(dock, LARGE, "score_row_large.png")
    page.results.tabs.setCurrentIndex(1)
    yield from picture(dock, LARGE, "score_summary_large.png")
    page.results.tabs.setCurrentIndex(2)
    yield from picture(dock, LARGE, "score_plot_large.png")


def drawing_picture(dock):
    """Make the animated picture of crowns that are scored while they are drawn."""
    name = "drawing.png"
    if name not in USED_IMAGES:
        return
    target = layer("annotator_1")
    own = QgsVectorLayer(f"Polygon?crs={target.crs().authid()}", "my crowns", "memory")
    QgsProject.instance().addMapLayer(own)
    show_layers("annotator_1", "my crowns", "image")
    crowns = central_crowns(target, layer("annotator_2"))
    own.startEditing()
    add_crown(own, crowns[0])
    own.commitChanges(False)
    page = dock.show_page("score")
    page.form.target_picker.select_layer(target.id())
    page.form.delineation_list.check_layers((own.id(),))
    page.outline_button.click()
    page.form.live_switch.setChecked(True)
    yield lambda: page.run is None and not page.results.isHidden()
    page.map_controls.alone_button.click()  # the layers of the run are not those that are drawn
    show_layers("annotator_1", "my crowns", "image")
    page.splitter.setSizes([30, 70])
    iface.mainWindow().resizeDocks([dock], [SMALL], Qt.Orientation.Horizontal)
    extent = QgsGeometry.collectGeometry(crowns).boundingBox()
    iface.mapCanvas().setExtent(extent.buffered(0.15 * extent.width()))
    frames = []
    for crown in crowns[1:]:
        # A first attempt beside the crown, which is then corrected.
        sloppy = QgsGeometry(crown)
        sloppy.translate(0.3 * crown.boundingBox().width(), 0.2 * crown.boundingBox().height())
        feature_id = add_crown(own, sloppy)
        yield from drawing_frame(frames)
        own.changeGeometry(feature_id, crown)
        own.triggerRepaint()
        yield from drawing_frame(frames)
    save_animation(frames, IMAGES / name)
    own.rollBack()
    QgsProject.instance().removeMapLayer(own.id())
    print(f"made {IMAGES / name}", flush=True)


def central_crowns(target, other):
    """Return the outlines of another layer that match the targets nearest to the plot's centre."""
    centre = QgsGeometry.fromPointXY(target.extent().center())
    outlines = [feature.geometry() for feature in target.getFeatures()]
    drawn = [feature.geometry() for feature in other.getFeatures()]
    chosen = []
    for outline in sorted(outlines, key=lambda outline: outline.distance(centre)):
        crown = max(drawn, key=lambda one, outline=outline: one.intersection(outline).area())
        shared = crown.intersection(outline).area()
        is_match = shared > 0.5 * max(crown.area(), outline.area())
        if is_match and not any(crown.intersects(other_crown) for other_crown in chosen):
            chosen.append(crown)
    return chosen[:DRAWN_CROWNS]


def add_crown(own, outline):
    """Add a crown to a layer in edit mode; return its feature id."""
    feature = QgsFeature(own.fields())
    feature.setGeometry(outline)
    own.addFeature(feature)
    own.triggerRepaint()
    return feature.id()


def drawing_frame(frames):
    """Append a picture of the window, once scores and map are up to date."""
    iface.messageBar().clearWidgets()
    yield None
    yield None
    yield lambda: not iface.mapCanvas().isDrawing()
    yield None
    frames.append(iface.mainWindow().grab().toImage())


def save_animation(frames, path):
    """Save pictures of a window as an animated PNG.

    Args:
        frames: pictures of the same size, QImage.
        path: path of the file.
    """
    from PIL import Image

    pictures = []
    with tempfile.TemporaryDirectory() as folder:
        for number, frame in enumerate(frames):
            file = str(Path(folder) / f"{number}.png")
            smaller = frame.scaledToWidth(DRAWING_WIDTH, Qt.TransformationMode.SmoothTransformation)
            smaller.save(file)
            with Image.open(file) as picture:
                pictures.append(picture.convert("RGB"))
    # Only the parts that change are stored for all but the first.
    pictures[0].save(
        path, save_all=True, append_images=pictures[1:], duration=FRAME_DURATION, loop=0
    )


def report_page_picture(dock):
    """Make the picture of a report on three layers in Chromium, with the map of the first."""
    name = "report_page.png"
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if name not in USED_IMAGES or program is None:
        return
    show_layers("image")
    score = dock.show_page("score")
    names = ("annotator_2", "annotator_3", "annotator_4")
    score.form.delineation_list.check_layers(tuple(layer(name).id() for name in names))
    score.start()
    yield lambda: score.run is None and not score.results.isHidden()
    tree = QgsProject.instance().layerTreeRoot()
    names = [node.name() for node in tree.findLayers() if node.name().startswith("Scored targets")]
    show_layers(names[0], "image")
    iface.mapCanvas().setExtent(layer("image").extent())
    score.quote_row.report.click()
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "report.html"
        screen = Path(folder) / "report.png"
        dock.page.save(HTML, str(page))
        yield lambda: page.exists() and dock.page.runs.main_run is None
        yield lambda: not iface.mapCanvas().isDrawing()
        options = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
        size = f"--window-size={REPORT_WIDTH},{REPORT_HEIGHT}"
        subprocess.run(
            [program, *options, size, f"--screenshot={screen}", page.as_uri()],
            check=True,
            capture_output=True,
            timeout=120,
        )
        save_side_by_side(iface.mapCanvas().grab().toImage(), QImage(str(screen)), IMAGES / name)
    print(f"made {IMAGES / name}", flush=True)


def save_side_by_side(left, right, path):
    """Save two images side by side; the left one is cut to the height of the right one.

    Args:
        left: image of a map.
        right: image of a page.
        path: path of the new image.
    """
    height = right.height()
    side = min(left.width(), left.height(), height)
    square = left.copy((left.width() - side) // 2, (left.height() - side) // 2, side, side)
    map_image = square.scaledToHeight(
        min(height, round(1.1 * right.width())), Qt.TransformationMode.SmoothTransformation
    )
    both = QImage(map_image.width() + right.width(), height, QImage.Format.Format_RGB32)
    both.fill(Qt.GlobalColor.white)
    painter = QPainter(both)
    painter.drawImage(0, (height - map_image.height()) // 2, map_image)
    painter.drawImage(map_image.width(), 0, right)
    painter.end()
    both.save(str(path))


#: JavaScript that selects the crown with a problem that lies nearest to the centre of the map.
SELECT_CENTRAL_CROWN = """(() => {
  const { crownMap, rows, view } = Explore.page;
  const [left, bottom, right, top] = crownMap.extent;
  const distanceOf = (row) => {
    const box = Explore.run.layers[view.layer[row]].outlines.boxOf(view.outline[row]);
    return Math.hypot(box[0] + box[2] - left - right, box[1] + box[3] - bottom - top);
  };
  const problems = rows.column("problem");
  const hasProblem = (row) => problems.keyOf(row) !== "none" && view.matches[row] >= 0;
  const candidates = rows.shown.filter(hasProblem);
  candidates.sort((one, other) => distanceOf(one) - distanceOf(other));
  Explore.page.select(candidates[0], true);
})()"""


def explore_picture(page):
    """Make the screenshot of a page to explore in Chromium, with a crown that has a problem.

    Args:
        page: page Report.
    """
    name = "explore_large.png"
    if name not in USED_IMAGES:
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "explore.html"
        page.save(EXPLORER, str(path))
        yield lambda: path.exists() and page.runs.main_run is None
        browser = Browser(folder)
        try:
            browser.open(path)
            browser.run(SELECT_CENTRAL_CROWN)
            browser.save_picture(IMAGES / name)
        finally:
            browser.close()
    print(f"made {IMAGES / name}", flush=True)


def review_pictures(dock):
    """Make the screenshots of page Review: the sample plot and real data."""
    yield from reviewed(
        dock, "review", "annotator_1", ("annotator_2", "annotator_3"), "image", crown=29
    )
    yield from reviewed_real_data(
        dock, "field_osbs", ("field_crowns.gpkg", "deepforest_boxes.gpkg"), "OSBS_95.tif", crown=388
    )
    yield from reviewed_real_data(
        dock,
        "rts_peel",
        [f"annotator_{number:02d}.shp" for number in (1, 2, 5, 8)],
        "S2*.tif",
        choices={PRESET: OWN, ALPHA: 10.0, OMEGA: 10.0, GAMMA: 3.0},
        crown=8,
    )


def reviewed_real_data(dock, name, files, image, choices=None, crown=None):
    """Make the screenshots of page Review with a real data set; skip it if a file is missing.

    Args:
        dock: the dock.
        name: name of the data set in tests/data/real.
        files: polygon files, that of the targets first.
        image: name or pattern of the image.
        choices: parameter -> its value, where it is not the default.
        crown: id of the crown to show; None for the next one.
    """
    try:
        folder = real_data(name)
    except FileNotFoundError:
        print(f"screenshots: The data set {name} is missing; skipped.", flush=True)
        return
    image_path = next(folder.glob(image), None)
    missing = [file for file in files if not (folder / file).exists()]
    if image_path is None:
        missing.append(image)
    if missing:
        print(f"screenshots: {name} lacks {', '.join(missing)}; skipped.", flush=True)
        return

    background = QgsRasterLayer(str(image_path), f"image of {name}")
    crown_layers = [QgsVectorLayer(str(folder / file), Path(file).stem, "ogr") for file in files]
    for crown_layer, colour in zip(crown_layers, OUTLINE_COLOURS):
        crown_layer.renderer().symbol().setColor(QColor(colour))
    layers = [*crown_layers, background]
    QgsProject.instance().addMapLayers(layers)
    map_crs = iface.mapCanvas().mapSettings().destinationCrs()
    iface.mapCanvas().setDestinationCrs(background.crs())
    target, *delineations = (Path(file).stem for file in files)
    yield from reviewed(
        dock, f"review_{name}", target, delineations, background.name(), choices, crown
    )
    QgsProject.instance().removeMapLayers([map_layer.id() for map_layer in layers])
    # Later screenshots are those of the sample plot with the defaults.
    iface.mapCanvas().setDestinationCrs(map_crs)
    for parameter in reversed(list(choices or {})):  # the preset last, which sets the others
        dock.show_page("score").form.set_value(parameter, parameter.default)


def reviewed(dock, name, target, delineations, image, choices=None, crown=None):
    """Score layers, give some verdicts, and make the screenshots of page Review.

    Args:
        dock: the dock.
        name: start of the names of the screenshots.
        target: name of the target layer.
        delineations: names of the delineation layers.
        image: name of the image layer, the only one that is shown.
        choices: parameter -> its value, where it is not the default.
        crown: id of the crown to show; None for the next one.
    """
    QgsProject.instance().setFileName(str(Path(tempfile.mkdtemp()) / "plot.qgz"))
    score = dock.show_page("score")
    score.form.target_picker.select_layer(layer(target).id())
    score.form.delineation_list.check_layers(
        tuple(layer(delineation).id() for delineation in delineations)
    )
    for choice, value in (choices or {}).items():
        score.form.set_value(choice, value)
    score.start()
    yield lambda: score.run is None and not score.results.isHidden()
    score.results.review_button.click()
    page = dock.page
    yield None
    page.verdict_bar.actions_by_name["next"].trigger()
    for verdict in ("rejected", "rejected", "unsure"):
        page.verdict_bar.actions_by_name[verdict].trigger()
        yield None
    show_layers(image)
    yield None
    page.show_parameters({} if crown is None else {"crown": crown})
    yield from picture(dock, SMALL, f"{name}_small.png")
    yield from picture(dock, LARGE, f"{name}_large.png")
    QgsProject.instance().setFileName("")


def report_pictures(dock):
    """Make the screenshots of page Report: the preview of a run."""
    show_layers("annotator_1", "annotator_2", "image")
    score = dock.show_page("score")
    score.form.target_picker.select_layer(layer("annotator_1").id())
    score.form.delineation_list.check_layers((layer("annotator_2").id(),))
    score.start()
    yield lambda: score.run is None and not score.results.isHidden()
    score.quote_row.report.click()
    page = dock.page
    yield lambda: bool(page.preview.toPlainText())
    yield from picture(dock, SMALL, "report_small.png")
    # The preview is made again for another width of the dock.
    iface.mainWindow().resizeDocks([dock], [LARGE], Qt.Orientation.Horizontal)
    for _ in range(4):
        yield None
    yield lambda: not page.runs.side_run_keys
    yield from picture(dock, LARGE, "report_large.png")
    yield from explore_picture(dock.page)
    yield from report_page_picture(dock)


def detectors_pictures(dock):
    """Make the screenshots of page Detectors: before a run, scores, curves, rankings."""
    show_layers("detector", "annotator_1", "image")
    page = dock.show_page("detectors")
    yield from picture(dock, SMALL, "detectors_small.png")
    yield from picture(dock, LARGE, "detectors_before.png")
    page.start()
    yield lambda: page.run is None and not page.results.isHidden()
    yield from picture(dock, SMALL, "detectors_scores_small.png")
    yield from picture(dock, LARGE, "detectors_scores_large.png")
    page.results.score_table.view.setCurrentIndex(page.results.score_table.model.index(1, 2))
    yield from picture(dock, LARGE, "detectors_map_large.png")
    page.leave()
    page.results.unit_box.setCurrentIndex(page.results.unit_box.findData(AREAS))
    for number, name in ((1, "curves"), (2, "rankings"), (3, "certainty")):
        page.results.tabs.setCurrentIndex(number)
        yield from picture(dock, LARGE, f"detectors_{name}_large.png")
    page.results.tabs.setCurrentIndex(1)
    yield from picture(dock, SMALL, "detectors_curves_small.png")


def parameters_pictures(dock):
    """Make the screenshots of page Parameters: before a run and all tabs of its results."""
    show_layers("annotator_1", "annotator_2", "annotator_3", "annotator_4", "image")
    page = dock.show_page("parameters")
    page.form.annotator_list.check_layers(
        tuple(layer(f"annotator_{number}").id() for number in (1, 2, 3, 4))
    )
    yield from picture(dock, SMALL, "parameters_small.png")
    page.start()
    yield (
        lambda: (
            page.run is None and not page.runs.side_run_keys and page.results.experiment is not None
        )
    )
    show_layers("image")
    yield None
    page.results.variance_map.select_set(0.7, 1.2, 3.0)
    yield lambda: not page.runs.side_run_keys
    yield from picture(dock, SMALL, "parameters_map_small.png")
    yield from picture(dock, LARGE, "parameters_map_large.png")
    for number, name in ((2, "crowns"), (3, "variance"), (4, "scatter"), (5, "gallery")):
        page.results.tabs.setCurrentIndex(number)
        yield lambda: not page.runs.side_run_keys
        yield from picture(dock, LARGE, f"parameters_{name}_large.png")


def annotators_pictures(dock):
    """Make the screenshots of page Annotators: before a run, results, a pair, a consensus."""
    show_layers("annotator_1", "annotator_2", "annotator_3", "annotator_4", "image")
    page = dock.show_page("annotators")
    page.form.annotator_list.check_layers(
        tuple(layer(f"annotator_{number}").id() for number in (1, 2, 3, 4))
    )
    page.form.set_value(IMAGE, layer("image").id())
    yield from picture(dock, SMALL, "annotators_small.png")
    page.form.group_boxes[1].setCollapsed(False)
    yield from picture(dock, LARGE, "annotators_before.png")
    page.form.group_boxes[1].setCollapsed(True)
    page.start()
    yield lambda: page.run is None and page.results.results is not None
    show_layers("image", "Agreement map")
    page.splitter.setSizes([150, 850])
    yield None
    for number, name in (
        (0, "table"),
        (3, "dendrogram"),
        (4, "ratio"),
        (5, "summary"),
        (6, "image"),
    ):
        page.results.tabs.setCurrentIndex(number)
        yield from picture(dock, LARGE, f"annotators_{name}_large.png")
    page.results.tabs.setCurrentIndex(0)
    yield from picture(dock, SMALL, "annotators_table_small.png")
    page.results.tabs.setCurrentIndex(2)
    yield None
    page.results.heatmap.cell_label.setText(page.results.heatmap.describe_cell(0, 2))
    page.results.heatmap.pair_chosen.emit(0, 2)
    show_layers("image")
    yield from picture(dock, LARGE, "annotators_pair_large.png")
    yield from picture(dock, SMALL, "annotators_pair_small.png")
    page.results.tabs.setCurrentIndex(1)
    page.results.disagreement_table.next_button.click()
    page.results.disagreement_table.next_button.click()
    yield from picture(dock, LARGE, "annotators_disagreement_large.png")
    page.results.consensus_form.set_value(METHOD, "staple")
    page.leave()
    page.make_consensus()
    yield lambda: page.run is None
    names = [map_layer.name() for map_layer in QgsProject.instance().mapLayers().values()]
    show_layers("image", *(name for name in names if name.startswith("Consensus: STAPLE")))
    iface.mapCanvas().setExtent(layer("image").extent())
    yield from picture(dock, LARGE, "annotators_consensus_large.png")


def instances_pictures(dock):
    """Make the screenshots of page Instances: polygons, then the sample cloud."""
    show_layers("crowns", "detector", "image")
    from randcrowns.algorithms.instances.schema.parameters import PREDICTIONS, TARGETS
    from randcrowns.ui.instances.form import INPUT_KIND

    page = dock.show_page("instances")
    page.form.set_value(TARGETS, layer("crowns").id())
    page.form.set_value(PREDICTIONS, layer("detector").id())
    yield from picture(dock, SMALL, "instances_small.png")
    page.start()
    yield lambda: page.run is None and page.results.results is not None
    show_layers("image", "Matched targets", "Matched predictions")
    page.splitter.setSizes([30, 70])
    yield from picture(dock, LARGE, "instances_polygons_large.png")
    page.form.set_value(INPUT_KIND, "cloud")
    yield from picture(dock, SMALL, "instances_cloud_before_small.png")
    page.start()
    yield lambda: page.run is None and len(page.results.results.partitions)
    show_layers()
    for name in ("MATCHED_TARGETS", "MATCHED_PREDICTIONS"):
        output = QgsProject.instance().mapLayer(page.results.results.layer_ids[name])
        QgsProject.instance().layerTreeRoot().findLayer(output.id()).setItemVisibilityChecked(True)
    iface.mapCanvas().setExtent(output.extent())
    frame = page.results.results.targets
    page.results.target_table.choose_frame_row(int(frame["iou"].where(frame["iou"] < 0.7).idxmax()))
    yield from picture(dock, SMALL, "instances_row_small.png")
    yield from picture(dock, LARGE, "instances_row_large.png")
    page.leave()
    tabs = page.results.tabs
    titles = [tabs.tabText(number) for number in range(tabs.count())]
    for title, name in (("Summary", "summary"), ("Partitions", "parts"), ("Time", "time")):
        tabs.setCurrentIndex(titles.index(title))
        yield from picture(dock, LARGE, f"instances_{name}_large.png")


#: Key of a page -> generator of its screenshots.
PAGES = {
    "score": score_pictures,
    "annotators": annotators_pictures,
    "detectors": detectors_pictures,
    "instances": instances_pictures,
    "parameters": parameters_pictures,
    "report": report_pictures,
    "review": review_pictures,
    "drawing": drawing_picture,
}


def instructive_crown(crowns, target):
    """Return the row of a crown near the centre of the plot whose scores differ clearly.

    Args:
        crowns: table of scored crowns.
        target: layer of the targets.
    """
    centre = QgsGeometry.fromPointXY(target.extent().center())
    candidates = crowns[(crowns["status"] == "scored") & crowns["iou"].between(0.3, 0.7)]
    distances = [
        target.getFeature(int(crown)).geometry().distance(centre)
        for crown in candidates["target_id"]
    ]
    return int(crowns.index.get_loc(candidates.index[distances.index(min(distances))]))


def pictures():
    """Prepare the window and make the screenshots of all requested pages."""
    window = iface.mainWindow()
    window.resize(QSize(1400, 900))
    for dock in window.findChildren(QDockWidget):
        if dock.objectName() in ("Browser", "Browser2", "MessageLog"):
            dock.hide()
    yield lambda: QgsProject.instance().mapLayersByName("image")
    plugins["randcrowns"].toggle_panel(True)
    yield None
    for key in os.environ.get("PAGES", "").split() or PAGES:
        iface.mapCanvas().setExtent(layer("image").extent())
        yield from PAGES[key](plugins["randcrowns"].dock)


def picture(dock, width, name):
    """Save a screenshot of the window with a given width of the dock, once the map is drawn.

    Raises:
        OSError: if the file cannot be written.
    """
    if name not in USED_IMAGES:
        return
    window = iface.mainWindow()
    window.resizeDocks([dock], [width], Qt.Orientation.Horizontal)
    iface.messageBar().clearWidgets()
    yield None
    yield lambda: not iface.mapCanvas().isDrawing()
    yield None
    IMAGES.mkdir(parents=True, exist_ok=True)
    if not window.grab().save(str(IMAGES / name)):
        raise OSError(f"{IMAGES / name} cannot be written")
    print(f"made {IMAGES / name}", flush=True)


def layer(name):
    """Return the project's layer with a name."""
    return QgsProject.instance().mapLayersByName(name)[0]


def show_layers(*names):
    """Show only the layers with the given names."""
    for node in QgsProject.instance().layerTreeRoot().findLayers():
        node.setItemVisibilityChecked(node.name() in names)


class StepRunner:
    """Runs the steps of a generator in the event loop of QGIS and ends QGIS afterwards.

    Args:
        steps: generator that yields None or a function that returns True once a step is finished.
        max_checks: number of checks after which an unfinished step is an error.
    """

    def __init__(self, steps, max_checks=150):
        self.steps = steps
        self.is_finished = None
        self.max_checks = max_checks
        self.checks_left = max_checks

    def check(self):
        """Run the next step if the last one is finished, and schedule the next check."""
        try:
            if self.is_finished is None or self.is_finished():
                self.is_finished = next(self.steps)
                self.checks_left = self.max_checks
            elif self.checks_left == 0:
                raise TimeoutError("a step of the screenshots did not finish")
            self.checks_left -= 1
            QTimer.singleShot(CHECK_INTERVAL, self.check)
        except StopIteration:
            leave(0)
        except Exception:  # noqa: BLE001 - QGIS must end after any error
            traceback.print_exc()
            leave(1)


def leave(code):
    """End QGIS with an exit status, without its question about unsaved changes."""
    sys.stdout.flush()
    os._exit(code)


runner = StepRunner(pictures())
QTimer.singleShot(4000, runner.check)
