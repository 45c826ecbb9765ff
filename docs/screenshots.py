"""Makes the guide's pictures in a real QGIS window: ``make screenshots`` (QGIS runs this file with ``--code``)."""

from __future__ import annotations

import os
import sys
import traceback
from pathlib import Path

from qgis.core import QgsProject
from qgis.PyQt.QtCore import QSize, QTimer
from qgis.PyQt.QtWidgets import QDockWidget
from qgis.utils import iface, plugins

IMAGES = Path(os.environ["RANDCROWNS_IMAGES"])
SHOWN = {"annotator_1", "annotator_2", "image"}
WAIT = 400  # ms between two looks at whether a step is done


def pictures():
    """The steps; each yields until what it returns is True, or for a moment."""
    window = iface.mainWindow()
    window.resize(QSize(1400, 900))
    for dock in window.findChildren(QDockWidget):
        if dock.objectName() in ("Browser", "Browser2", "MessageLog"):
            dock.hide()
    project = QgsProject.instance()
    yield lambda: bool(project.mapLayersByName("annotator_1"))
    for node in project.layerTreeRoot().findLayers():
        node.setItemVisibilityChecked(node.name() in SHOWN)
    plugin = plugins["randcrowns"]
    plugin.toggle_panel(True)
    page = plugin.dock.show_page("score")
    window.resizeDocks([plugin.dock], [470], _horizontal())
    layer = {name: project.mapLayersByName(name)[0] for name in ("annotator_1", "annotator_2")}
    page.form.target.pick(layer["annotator_1"].id())
    page.form.delineations.check((layer["annotator_2"].id(),))
    yield None
    page.start()
    yield lambda: page.run is None and not page.results.isHidden()
    page.splitter.setSizes([window.height() * 30 // 100, window.height() * 70 // 100])
    iface.messageBar().clearWidgets()
    yield None
    crowns = page.results.scores().crowns
    telling = crowns[(crowns["status"] == "scored") & (crowns["iou"] > 0.3)]["randcrowns"].idxmin()
    page.results.crowns.choose(int(crowns.index.get_loc(telling)))
    yield None
    iface.messageBar().clearWidgets()
    yield lambda: not iface.mapCanvas().isDrawing()
    yield None
    save(window, "score.png")


def _horizontal():
    from qgis.PyQt.QtCore import Qt

    return Qt.Orientation.Horizontal


def save(widget, name):
    """Write what the widget looks like."""
    IMAGES.mkdir(parents=True, exist_ok=True)
    if not widget.grab().save(str(IMAGES / name)):
        raise OSError(f"{IMAGES / name} cannot be written")
    print(f"made {IMAGES / name}", flush=True)


class Walk:
    """Goes through the steps while QGIS goes on living in between."""

    def __init__(self, steps, patience=150):
        self.steps, self.done, self.patience = steps, None, patience

    def go_on(self):
        try:
            if self.done is None or self.done():
                self.done = next(self.steps)
                QTimer.singleShot(WAIT if self.done else 3 * WAIT, self.go_on)
                return
            self.patience -= 1
            if self.patience == 0:
                raise TimeoutError("a step of the screenshots did not come to its end")
            QTimer.singleShot(WAIT, self.go_on)
        except StopIteration:
            leave(0)
        except Exception:
            traceback.print_exc()
            leave(1)


def leave(code):
    """End QGIS without its question about unsaved changes."""
    sys.stdout.flush()
    os._exit(code)


walk = Walk(pictures())
QTimer.singleShot(5000, walk.go_on)
