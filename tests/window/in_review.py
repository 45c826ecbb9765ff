"""Run within QGIS by ``--code``: crowns of the sample plot are reviewed by keys alone, in
several sessions.

RANDCROWNS_SESSION: ``first`` scores, reviews 20 crowns, closes and opens the project, and is killed
    after one verdict
more; ``last`` looks at what is there, and closes QGIS.
"""

from __future__ import annotations

import os
import signal

from qgis.core import QgsProject
from qgis.PyQt.QtCore import QCoreApplication, Qt
from qgis.PyQt.QtTest import QTest
from qgis.PyQt.QtWidgets import QApplication
from qgis.utils import iface, plugins
from window.session import FOUND, begin_when_loaded, later, layer, note

SESSION, NUMBER = os.environ["RANDCROWNS_SESSION"], 20


def page():
    return plugins["randcrowns"].dock.page


def press(text):
    """Type keys into whatever has the focus."""
    for key in text:
        QTest.keyClick(QApplication.focusWidget() or iface.mainWindow(), key)
        QCoreApplication.processEvents()


def at_hand():
    crown = page().session.current_crown
    return None if crown is None else int(crown["feature_id"])


def state():
    return {
        "progress": page().progress_label.text(),
        "at hand": at_hand(),
        "list": page().crown_table.model.frame.shape[0],
    }


def opened():
    iface.mainWindow().activateWindow()
    plugins["randcrowns"].toggle_panel(True)
    if SESSION != "first":
        later(lambda: page().key == "review" and page().session.scored_layer is not None, came_back)
        return
    score = plugins["randcrowns"].dock.show_page("score")
    score.form.target_picker.select_layer(layer("crowns").id())
    score.form.delineation_list.check_layers((layer("annotator_1").id(),))
    score.run_bar.run_button.click()
    later(lambda: score.run is None and not score.results.isHidden(), review)


def review():
    QgsProject.instance().write()
    plugins["randcrowns"].dock.show_page("review")
    later(lambda: page().isVisible() and page().session.scored_layer is not None, give_verdicts)


def give_verdicts():
    page().crown_table.view.setFocus()
    press("n")
    order = []
    for number in range(NUMBER):
        order.append(at_hand())
        if number == 1:
            press("c")
            press("corner 1")
            QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
        press("1234"[number % 4])
    FOUND.update(order=order, before=state())
    QgsProject.instance().write()
    path = QgsProject.instance().fileName()
    iface.newProject()
    QCoreApplication.processEvents()
    FOUND["closed"] = not page().highlight.bands and page().session.scored_layer is None
    iface.addProject(path)
    later(lambda: page().session.scored_layer is not None, reopened)


def reopened():
    FOUND["reopened"] = state()
    page().crown_table.view.setFocus()
    press("2")
    FOUND["after"] = state()
    note()
    os.kill(os.getpid(), signal.SIGKILL)


def came_back():
    FOUND["came back"] = state()
    FOUND["valid"] = all(one.isValid() for one in QgsProject.instance().mapLayers().values())
    note()
    QgsProject.instance().setDirty(
        False
    )  # the map went to the crown at hand: QGIS would ask whether to save that
    iface.actionExit().trigger()


begin_when_loaded(opened)
