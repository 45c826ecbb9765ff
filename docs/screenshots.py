"""Makes the guide's pictures in a real QGIS window: ``make screenshots`` (QGIS runs this file with ``--code``).

Each page of the dock has a function below that goes through its pictures; ``PAGES`` lists them.
``make screenshots PAGES=score`` makes those of one page only. Only those that the guide or the README names are made.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
import traceback
from pathlib import Path

from qgis.core import QgsGeometry, QgsProject, QgsRasterLayer, QgsVectorLayer
from qgis.PyQt.QtCore import QSize, Qt, QTimer
from qgis.PyQt.QtGui import QColor
from qgis.PyQt.QtWidgets import QDockWidget
from qgis.utils import iface, plugins

from randcrowns.algorithms.agreement.choices import IMAGE, METHOD
from randcrowns.algorithms.choices import ALPHA, GAMMA, OMEGA, OWN, PRESET
from randcrowns.algorithms.detectors.tables import AREAS
from randcrowns.layers.styles import SERIES

IMAGES = Path(os.environ["RANDCROWNS_IMAGES"])
NAMED = {
    name
    for page in (*IMAGES.parent.glob("*.md"), IMAGES.parents[1] / "README.md")
    for name in re.findall(r"images/(\w+\.png)", page.read_text(encoding="utf-8"))
}
#: Real data beside the checkout, for some pictures.
DATA = IMAGES.parents[2] / "shared" / "data"
LARGE, SMALL = 600, 360  # width of the dock
MOMENT = 400  # ms between two looks at whether a step is done


# A page's function yields after each step: None for a moment's rest, or what must become True before it goes on.


def score_pictures(dock):
    """Page Score: before a run, a crown on the map, the summary, the plot."""
    show_layers("annotator_1", "annotator_2", "image")
    page = dock.show_page("score")
    target, drawn = layer("annotator_1"), layer("annotator_2")
    page.form.target.pick(target.id())
    page.form.delineations.check((drawn.id(),))
    yield from picture(dock, SMALL, "score_small.png")
    yield from picture(dock, LARGE, "score_before.png")
    page.start()
    yield lambda: page.run is None and not page.results.isHidden()
    page.splitter.setSizes([30, 70])
    yield None
    yield from picture(dock, 470, "score.png")
    page.results.crowns.choose(telling_crown(page.results.scores().crowns, target))
    yield from picture(dock, SMALL, "score_row_small.png")
    yield from picture(dock, LARGE, "score_row_large.png")
    page.results.tabs.setCurrentIndex(1)
    yield from picture(dock, LARGE, "score_summary_large.png")
    page.results.tabs.setCurrentIndex(2)
    yield from picture(dock, LARGE, "score_plot_large.png")


def review_pictures(dock):
    """Page Review: the queue of the sample plot, and those of real data beside the checkout."""
    yield from reviewed(
        dock, "review", "annotator_1", ("annotator_2", "annotator_3"), "image", crown=29
    )
    slumps = {PRESET: OWN, ALPHA: 10.0, OMEGA: 10.0, GAMMA: 3.0}
    people = [f"annotator_{number:02d}.shp" for number in (1, 2, 5, 8)]
    for name, files, image, choices, crown in (
        ("field_osbs", ("field_crowns.gpkg", "deepforest_boxes.gpkg"), "OSBS_95.tif", {}, 388),
        ("rts_peel", people, "S2*.tif", slumps, 8),
    ):
        folder = DATA / name
        if not folder.is_dir():
            print(f"no picture of {name}: it is not beside this checkout", flush=True)
            continue
        below = QgsRasterLayer(str(next(folder.glob(image))), f"image of {name}")
        layers = [
            *(QgsVectorLayer(str(folder / one), Path(one).stem, "ogr") for one in files),
            below,
        ]
        for one, colour in zip(layers[:-1], SERIES):
            one.renderer().symbol().setColor(QColor(colour))
        QgsProject.instance().addMapLayers(layers)
        iface.mapCanvas().setDestinationCrs(below.crs())
        target, *drawn = (Path(one).stem for one in files)
        yield from reviewed(dock, f"review_{name}", target, drawn, below.name(), choices, crown)
        QgsProject.instance().removeMapLayers([one.id() for one in layers])


def reviewed(dock, name, target, drawn, image, choices=None, crown=None):
    """Pictures of the queue of a run after some verdicts, at a crown or the next one."""
    QgsProject.instance().setFileName(str(Path(tempfile.mkdtemp()) / "plot.qgz"))
    score = dock.show_page("score")
    score.form.target.pick(layer(target).id())
    score.form.delineations.check(tuple(layer(one).id() for one in drawn))
    for choice, value in (choices or {}).items():
        score.form.choose(choice, value)
    score.start()
    yield lambda: score.run is None and not score.results.isHidden()
    score.results.review_button.click()
    page = dock.page
    yield None
    page.bar.actions_by_name["next"].trigger()
    for verdict in ("rejected", "rejected", "unsure"):
        page.bar.actions_by_name[verdict].trigger()
        yield None
    show_layers(image)
    yield None
    page.take_over({} if crown is None else {"crown": crown})
    yield from picture(dock, SMALL, f"{name}_small.png")
    yield from picture(dock, LARGE, f"{name}_large.png")
    QgsProject.instance().setFileName("")


def report_pictures(dock):
    """Page Report: the preview of a run."""
    show_layers("annotator_1", "annotator_2", "image")
    score = dock.show_page("score")
    score.form.target.pick(layer("annotator_1").id())
    score.form.delineations.check((layer("annotator_2").id(),))
    score.start()
    yield lambda: score.run is None and not score.results.isHidden()
    score.quotes.report.click()
    page = dock.page
    yield lambda: bool(page.preview.toPlainText())
    yield from picture(dock, SMALL, "report_small.png")
    yield from picture(dock, LARGE, "report_large.png")


def detectors_pictures(dock):
    """Page Detectors: before a run, scores by rank, curves with their band, rankings."""
    show_layers("detector", "annotator_1", "image")
    page = dock.show_page("detectors")
    yield from picture(dock, SMALL, "detectors_small.png")
    yield from picture(dock, LARGE, "detectors_before.png")
    page.start()
    yield lambda: page.run is None and not page.results.isHidden()
    yield from picture(dock, SMALL, "detectors_scores_small.png")
    yield from picture(dock, LARGE, "detectors_scores_large.png")
    page.results.scores.view.setCurrentIndex(page.results.scores.model.index(1, 2))
    yield from picture(dock, LARGE, "detectors_map_large.png")
    page.leave()
    page.results.counted.setCurrentIndex(page.results.counted.findData(AREAS))
    for number, name in ((1, "curves"), (2, "rankings"), (3, "certainty")):
        page.results.tabs.setCurrentIndex(number)
        yield from picture(dock, LARGE, f"detectors_{name}_large.png")
    page.results.tabs.setCurrentIndex(1)
    yield from picture(dock, SMALL, "detectors_curves_small.png")


def parameters_pictures(dock):
    """Page Parameters: before a run, the map of variances, a crown of a set, the variances, scatter and gallery."""
    show_layers("annotator_1", "annotator_2", "annotator_3", "annotator_4", "image")
    page = dock.show_page("parameters")
    page.form.annotators.check(tuple(layer(f"annotator_{number}").id() for number in (1, 2, 3, 4)))
    yield from picture(dock, SMALL, "parameters_small.png")
    page.start()
    yield lambda: page.run is None and not page.runs.beside and page.results.look is not None
    show_layers("image")
    yield None
    page.results.map.choose(0.7, 1.2, 3.0)
    yield lambda: not page.runs.beside
    yield from picture(dock, SMALL, "parameters_map_small.png")
    yield from picture(dock, LARGE, "parameters_map_large.png")
    for number, name in ((2, "crowns"), (3, "variance"), (4, "scatter"), (5, "gallery")):
        page.results.tabs.setCurrentIndex(number)
        yield lambda: not page.runs.beside
        yield from picture(dock, LARGE, f"parameters_{name}_large.png")


def annotators_pictures(dock):
    """Page Annotators: before a run, the table, a pair on the map, the plots, a disagreement, a consensus."""
    show_layers("annotator_1", "annotator_2", "annotator_3", "annotator_4", "image")
    page = dock.show_page("annotators")
    page.form.annotators.check(tuple(layer(f"annotator_{number}").id() for number in (1, 2, 3, 4)))
    page.form.choose(IMAGE, layer("image").id())
    yield from picture(dock, SMALL, "annotators_small.png")
    page.form.boxes[1].setCollapsed(False)
    yield from picture(dock, LARGE, "annotators_before.png")
    page.form.boxes[1].setCollapsed(True)
    page.start()
    yield lambda: page.run is None and page.results.results is not None
    show_layers("image", "Agreement map")
    page.splitter.setSizes([150, 850])
    yield None
    for number, name in (
        (0, "table"),
        (2, "dendrogram"),
        (4, "ratio"),
        (5, "summary"),
        (6, "image"),
    ):
        page.results.tabs.setCurrentIndex(number)
        yield from picture(dock, LARGE, f"annotators_{name}_large.png")
    page.results.tabs.setCurrentIndex(0)
    yield from picture(dock, SMALL, "annotators_table_small.png")
    page.results.tabs.setCurrentIndex(1)
    yield None
    page.results.heatmap.told.setText(page.results.heatmap.words(0, 2))
    page.results.heatmap.pair_chosen.emit(0, 2)
    show_layers("image")
    yield from picture(dock, LARGE, "annotators_pair_large.png")
    yield from picture(dock, SMALL, "annotators_pair_small.png")
    page.results.tabs.setCurrentIndex(3)
    page.results.disagreements.next.click()
    page.results.disagreements.next.click()
    yield from picture(dock, LARGE, "annotators_disagreement_large.png")
    page.results.consensus.choose(METHOD, "staple")
    page.leave()
    page.make_consensus()
    yield lambda: page.run is None
    names = [one.name() for one in QgsProject.instance().mapLayers().values()]
    show_layers("image", *(name for name in names if name.startswith("Consensus: STAPLE")))
    iface.mapCanvas().setExtent(layer("image").extent())
    yield from picture(dock, LARGE, "annotators_consensus_large.png")


def instances_pictures(dock):
    """Page Instances: polygons before a run and a row, then the sample cloud with its crowns, parts and times."""
    show_layers("crowns", "detector", "image")
    from randcrowns.algorithms.instances.choices import PREDICTIONS, TARGETS
    from randcrowns.ui.instances.form import KIND

    page = dock.show_page("instances")
    page.form.choose(TARGETS, layer("crowns").id())
    page.form.choose(PREDICTIONS, layer("detector").id())
    yield from picture(dock, SMALL, "instances_small.png")
    page.start()
    yield lambda: page.run is None and page.results.results is not None
    show_layers("image", "Matched targets", "Matched predictions")
    page.splitter.setSizes([30, 70])
    yield from picture(dock, LARGE, "instances_polygons_large.png")
    page.form.choose(KIND, "cloud")
    yield from picture(dock, SMALL, "instances_cloud_before_small.png")
    page.start()
    yield lambda: page.run is None and len(page.results.results.partitions)
    show_layers()
    for name in ("MATCHED_TARGETS", "MATCHED_PREDICTIONS"):
        made = QgsProject.instance().mapLayer(page.results.results.made[name])
        QgsProject.instance().layerTreeRoot().findLayer(made.id()).setItemVisibilityChecked(True)
    iface.mapCanvas().setExtent(made.extent())
    frame = page.results.results.targets
    page.results.targets.choose(int(frame["iou"].where(frame["iou"] < 0.7).idxmax()))
    yield from picture(dock, SMALL, "instances_row_small.png")
    yield from picture(dock, LARGE, "instances_row_large.png")
    page.leave()
    tabs = page.results.tabs
    titles = [tabs.tabText(number) for number in range(tabs.count())]
    for title, name in (("Summary", "summary"), ("Partitions", "parts"), ("Time", "time")):
        tabs.setCurrentIndex(titles.index(title))
        yield from picture(dock, LARGE, f"instances_{name}_large.png")


PAGES = {
    "score": score_pictures,
    "annotators": annotators_pictures,
    "detectors": detectors_pictures,
    "instances": instances_pictures,
    "parameters": parameters_pictures,
    "report": report_pictures,
    "review": review_pictures,
}


def telling_crown(crowns, target):
    """Row of the crown nearest to the middle of the plot whose scores differ from each other."""
    middle = QgsGeometry.fromPointXY(target.extent().center())
    differ = crowns[(crowns["status"] == "scored") & crowns["iou"].between(0.3, 0.7)]
    distance = [
        target.getFeature(int(crown)).geometry().distance(middle) for crown in differ["target_id"]
    ]
    return int(crowns.index.get_loc(differ.index[distance.index(min(distance))]))


# What all pages use


def pictures():
    """The window made ready, then the pages one after the other."""
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
    """The whole window with the dock so wide, once the map is drawn."""
    if name not in NAMED:
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
    """The project's layer of that name."""
    return QgsProject.instance().mapLayersByName(name)[0]


def show_layers(*names):
    """Show these layers only."""
    for node in QgsProject.instance().layerTreeRoot().findLayers():
        node.setItemVisibilityChecked(node.name() in names)


class Walk:
    """Goes through the steps while QGIS goes on living in between."""

    def __init__(self, steps, patience=150):
        self.steps, self.done, self.left, self.patience = steps, None, patience, patience

    def go_on(self):
        """Take the next step if the last one is done, and look again in a moment."""
        try:
            if self.done is None or self.done():
                self.done, self.left = next(self.steps), self.patience
            elif self.left == 0:
                raise TimeoutError("a step of the screenshots did not come to its end")
            self.left -= 1
            QTimer.singleShot(MOMENT, self.go_on)
        except StopIteration:
            leave(0)
        except Exception:  # noqa: BLE001 - told, and QGIS ends
            traceback.print_exc()
            leave(1)


def leave(code):
    """End QGIS without its question about unsaved changes."""
    sys.stdout.flush()
    os._exit(code)


walk = Walk(pictures())
QTimer.singleShot(4000, walk.go_on)
