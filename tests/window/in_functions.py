"""Run within QGIS by ``--code``: unloads and reloads the plugin while a layer has virtual fields,
labels and an open attribute table with its functions, and those of another plugin behind them.

RANDCROWNS_ROUNDS: how often; RANDCROWNS_ROUNDS_SEED: of the order of what is done.
"""

from __future__ import annotations

import faulthandler
import gc
import os
import random

from qgis.core import (
    NULL,
    Qgis,
    QgsApplication,
    QgsExpression,
    QgsExpressionFunction,
    QgsField,
    QgsPalLayerSettings,
    QgsProject,
    QgsVectorLayerSimpleLabeling,
)
from qgis.PyQt.QtCore import QCoreApplication, QEvent, QVariant
from qgis.utils import iface, loadPlugin, plugins, reloadPlugin, startPlugin, unloadPlugin
from window.session import FOUND, begin_when_loaded, finish, later, layer, note

ROUNDS = int(os.environ.get("RANDCROWNS_ROUNDS", "6"))
RNG = random.Random(os.environ.get("RANDCROWNS_ROUNDS_SEED", "1"))
FOUND.update({"rounds": [], "warnings": []})
LOADED, UNLOADED = "loaded", "unloaded"


class OfAnotherPlugin(QgsExpressionFunction):
    """Registered behind the functions of RandCrowns."""

    def __init__(self) -> None:
        super().__init__("of_another", 1, "Another", "")

    def func(self, values, _context, _parent, _node):
        return f"another {values[0]}"


faulthandler.enable()  # of a crash, the threads
OTHER = OfAnotherPlugin()


def warned(text, tab, level):
    if tab == "Python Error" or (
        tab == "RandCrowns" and level in (Qgis.MessageLevel.Warning, Qgis.MessageLevel.Critical)
    ):
        FOUND["warnings"].append(f"{tab}: {text}")


def begin():
    QgsApplication.messageLog().messageReceived[str, str, Qgis.MessageLevel].connect(warned)
    assert QgsExpression.registerFunction(OTHER)
    FOUND["functions"] = names()
    crowns = layer("crowns")
    crowns.addExpressionField(
        "rc_iou($geometry, buffer($geometry, 0))", QgsField("our", QVariant.Double)
    )
    crowns.addExpressionField("of_another(1)", QgsField("their", QVariant.String))
    # The computation of a score in a label and of its colour, in the threads that draw the map.
    label = QgsPalLayerSettings()
    label.fieldName = "round(rc_score($geometry, $geometry), 2) || of_another(1)"
    label.isExpression = True
    crowns.setLabeling(QgsVectorLayerSimpleLabeling(label))
    crowns.setLabelsEnabled(True)
    iface.showAttributeTable(crowns)
    go_on()


def names():
    return [function.name() for function in QgsExpression.Functions()]


def value(text):
    expression = QgsExpression(text)
    found = expression.evaluate()
    return expression.evalErrorString() or found


def check(state):
    """What the virtual fields and expressions of a state give, with the map being drawn."""
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    iface.mapCanvas().refreshAllLayers()
    rows = [
        (feature["our"], feature["their"])
        for feature in QgsProject.instance().mapLayersByName("crowns")[0].getFeatures()
    ]
    box = "geom_from_wkt('POLYGON((0 0,10 0,10 10,0 10,0 0))')"
    FOUND["rounds"].append(
        {
            "state": state,
            "our": list({None if our == NULL else our for our, _ in rows}),
            "their": sorted({their.split(" ")[0] for _, their in rows}),
            "rows": len(rows),
            "value": value(f"rc_iou({box}, {box})"),
            "same functions": names() == FOUND["functions"],
        }
    )
    note()


def go_on():
    if len(FOUND["rounds"]) >= ROUNDS:
        iface.mapCanvas().waitWhileRendering()
        finish()
    do = RNG.choice((reload, unload))
    if not FOUND["rounds"]:
        do = unload
    do()


def reload():
    assert reloadPlugin("randcrowns") is not False
    later(lambda: "randcrowns" in plugins, lambda: (check(LOADED), go_on()), 60)


def unload():
    if RNG.random() < 0.5:
        plugins["randcrowns"].toggle_panel(True)
    assert unloadPlugin("randcrowns")
    check(UNLOADED)
    later(lambda: not iface.mapCanvas().isDrawing(), load, 60)


def load():
    assert loadPlugin("randcrowns")
    assert startPlugin("randcrowns")
    check(LOADED)
    later(lambda: not iface.mapCanvas().isDrawing(), go_on, 60)


begin_when_loaded(begin)
