"""Runs inside a real QGIS window (see tests/ui/test_real_window.py): scores the sample plot and reports as JSON."""

from __future__ import annotations

import json
import os
import sys
import traceback

from qgis.core import Qgis, QgsApplication, QgsProject, QgsSettings
from qgis.gui import QgsRubberBand
from qgis.PyQt.QtCore import QCoreApplication, QEvent, QEventLoop, QTimer
from qgis.PyQt.QtWidgets import QDockWidget
from qgis.utils import iface, plugins, reloadPlugin

report: dict = {"warnings": [], "told": []}


def wait(milliseconds):
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


def note(text, tab, level):
    if level in (Qgis.MessageLevel.Warning, Qgis.MessageLevel.Critical) and tab in ("RandCrowns", "Python Error"):
        report["warnings"].append(f"{tab}: {text}")


def bands():
    return sum(isinstance(item, QgsRubberBand) for item in iface.mapCanvas().scene().items())


def drive():
    QgsApplication.messageLog().messageReceived[str, str, Qgis.MessageLevel].connect(note)
    QgsSettings().setValue("app/minTaskLengthForSystemNotification", 0)  # QGIS tells of every task
    told = QgsApplication.taskManager().statusChanged
    told.connect(lambda *_: report["told"].extend(item.title() for item in iface.messageBar().items()))
    plugin = plugins["randcrowns"]
    plugin.toggle_panel(True)
    page = plugin.dock.show_page("score")
    crowns = QgsProject.instance().mapLayersByName("crowns")[0]
    drawn = QgsProject.instance().mapLayersByName("annotator_1")[0]
    page.form.target.pick(crowns.id())
    page.form.delineations.check((drawn.id(),))
    ticks = []
    timer = QTimer()
    timer.timeout.connect(lambda: ticks.append(1))
    timer.start(10)
    page.run_bar.run_button.click()
    report["running"] = page.run is not None
    told_of = page.run.description
    while page.run is not None:
        wait(20)
    report["ticks"] = len(ticks)
    wait(200)
    # A newer QGIS says there too what its own tasks do, such as fetching fonts.
    items = iface.messageBar().items()
    report["bar"] = [item.title() for item in items if item.title() == "RandCrowns" or told_of in item.text()]
    report["headline"] = page.results.headline.answer.text()
    report["groups"] = [group.name() for group in QgsProject.instance().layerTreeRoot().findGroups()]
    scores = page.results.scores().crowns
    report["crowns"] = len(scores)
    report["mean"] = float(scores["randcrowns"].mean())
    report["bands_before"] = bands()  # map tools of QGIS have some
    page.results.crowns.view.choose_frame_row(0)
    report["bands_shown"] = bands()
    wait(1500)
    reloadPlugin("randcrowns")
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    wait(500)
    report["bands_left"] = bands()
    docks = iface.mainWindow().findChildren(QDockWidget)
    report["docks_left"] = sum("RandCrowns" in dock.objectName() for dock in docks)
    report["provider"] = QgsApplication.processingRegistry().providerById("randcrowns") is not None
    plugins["randcrowns"].toggle_panel(True)
    report["page_again"] = plugins["randcrowns"].dock.page.key


def run():
    try:
        wait(2000)
        drive()
    except Exception:
        report["error"] = traceback.format_exc()
    with open(os.environ["RANDCROWNS_REPORT"], "w", encoding="utf-8") as file:
        json.dump(report, file)
    sys.stdout.flush()
    os._exit(0)


QTimer.singleShot(0, run)
