"""Run within QGIS by ``--code``: scores the sample plot, loads it again, reloads the plugin and
takes it away.
"""

from __future__ import annotations

from qgis.core import Qgis, QgsApplication, QgsProject, QgsSettings
from qgis.gui import QgsRubberBand
from qgis.PyQt.QtCore import QCoreApplication, QEvent, QTimer
from qgis.PyQt.QtWidgets import QDockWidget
from qgis.utils import iface, plugins, reloadPlugin, unloadPlugin
from window.session import FOUND, begin_when_loaded, finish, later, layer

FOUND.update({"warnings": [], "told": [], "ticks": 0})
CLOCK = QTimer()


def heard(text, tab, level):
    if level in (Qgis.MessageLevel.Warning, Qgis.MessageLevel.Critical) and tab in (
        "RandCrowns",
        "Python Error",
    ):
        FOUND["warnings"].append(f"{tab}: {text}")


def bands():
    return sum(isinstance(item, QgsRubberBand) for item in iface.mapCanvas().scene().items())


def docks():
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    return [
        dock
        for dock in iface.mainWindow().findChildren(QDockWidget)
        if "RandCrowns" in dock.objectName()
    ]


def page():
    return plugins["randcrowns"].dock.page


def opened():
    QgsApplication.messageLog().messageReceived[str, str, Qgis.MessageLevel].connect(heard)
    QgsSettings().setValue("app/minTaskLengthForSystemNotification", 0)  # QGIS tells of every task
    told = QgsApplication.taskManager().statusChanged
    told.connect(
        lambda *_: FOUND["told"].extend(item.title() for item in iface.messageBar().items())
    )
    FOUND["plugins"] = sorted(plugins)
    FOUND["title"] = QgsProject.instance().title()
    FOUND["valid"] = all(one.isValid() for one in QgsProject.instance().mapLayers().values())
    algorithms = QgsApplication.processingRegistry().providerById("randcrowns").algorithms()
    FOUND["algorithms"] = [one.id() for one in algorithms]
    plugins["randcrowns"].toggle_panel(True)
    score = plugins["randcrowns"].dock.show_page("score")
    score.form.target_picker.select_layer(layer("crowns").id())
    score.form.delineation_list.check_layers((layer("annotator_1").id(),))
    CLOCK.timeout.connect(lambda: FOUND.update(ticks=FOUND["ticks"] + 1))
    CLOCK.start(10)
    score.run_bar.run_button.click()
    FOUND["running"] = score.run is not None
    FOUND["description"] = score.run.description
    later(lambda: score.run is None and not score.results.isHidden(), scored)


def scored():
    CLOCK.stop()
    # A newer QGIS says there too what its own tasks do, such as fetching fonts.
    items = iface.messageBar().items()
    ours = [
        item.title()
        for item in items
        if item.title() == "RandCrowns" or FOUND["description"] in item.text()
    ]
    FOUND["bar"] = ours
    FOUND["headline"] = page().results.answer_view.answer.text()
    FOUND["groups"] = [group.name() for group in QgsProject.instance().layerTreeRoot().findGroups()]
    FOUND["scores"] = page().results.displayed_scores().crowns["randcrowns"].tolist()
    FOUND["bands before"] = bands()  # map tools of QGIS have some
    page().results.crown_table.choose_frame_row(0)
    FOUND["bands shown"] = bands()
    reloadPlugin("randcrowns")
    # The open panel opens again. What QGIS lets flash on its map goes by itself.
    later(lambda: len(docks()) == 1 and bands() == FOUND["bands before"], reloaded)


def reloaded():
    FOUND["provider again"] = (
        QgsApplication.processingRegistry().providerById("randcrowns") is not None
    )
    plugins["randcrowns"].load_sample_data()
    groups = [group.name() for group in QgsProject.instance().layerTreeRoot().findGroups()]
    FOUND["sample groups"] = [name for name in groups if name.startswith("Sample plot")]
    plugins["randcrowns"].toggle_panel(True)
    FOUND["page again"] = page().key
    unloadPlugin("randcrowns")
    later(lambda: not docks(), gone)


def gone():
    FOUND["provider left"] = (
        QgsApplication.processingRegistry().providerById("randcrowns") is not None
    )
    FOUND["actions left"] = [
        a.objectName() for a in iface.pluginMenu().actions() if "randcrowns" in a.objectName()
    ]
    finish()


begin_when_loaded(opened)
