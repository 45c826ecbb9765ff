"""A real QGIS window, as ``make run`` opens it: the plugin loads, scores, and goes without a trace."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
QGIS = shutil.which("qgis")

DRIVE = """
import json, os, traceback
from pathlib import Path
from qgis.core import QgsApplication, QgsProject
from qgis.PyQt.QtCore import QTimer
from qgis.PyQt.QtWidgets import QDockWidget
from qgis.utils import iface, plugins, unloadPlugin

FOUND = {"errors": []}

def later(condition, then, patience=200):
    def look():
        try:
            if condition():
                then()
            elif look.left == 0:
                raise TimeoutError(then.__name__)
            else:
                look.left -= 1
                QTimer.singleShot(100, look)
        except Exception:
            FOUND["errors"].append(traceback.format_exc())
            finish()
    look.left = patience
    QTimer.singleShot(100, look)

def layer(name):
    return QgsProject.instance().mapLayersByName(name)[0]

def opened():
    FOUND["plugins"] = sorted(plugins)
    FOUND["title"] = QgsProject.instance().title()
    FOUND["valid"] = all(one.isValid() for one in QgsProject.instance().mapLayers().values())
    algorithms = QgsApplication.processingRegistry().providerById("randcrowns").algorithms()
    FOUND["algorithms"] = [one.id() for one in algorithms]
    plugins["randcrowns"].load_sample_data()
    FOUND["groups"] = [group.name() for group in QgsProject.instance().layerTreeRoot().findGroups()]
    plugins["randcrowns"].toggle_panel(True)
    page = plugins["randcrowns"].dock.show_page("score")
    page.form.target.pick(layer("annotator_1").id())
    page.form.delineations.check((layer("annotator_2").id(),))
    page.start()
    later(lambda: page.run is None and not page.results.isHidden(), scored)

def scored():
    page = plugins["randcrowns"].dock.page
    FOUND["scores"] = page.results.scores().crowns["randcrowns"].tolist()
    page.results.crowns.choose(0)
    FOUND["drawn"] = len(page.link.highlight.bands)
    unloadPlugin("randcrowns")
    later(lambda: not [d for d in iface.mainWindow().findChildren(QDockWidget) if "RandCrowns" in d.objectName()], gone)

def gone():
    FOUND["provider left"] = QgsApplication.processingRegistry().providerById("randcrowns") is not None
    FOUND["actions left"] = [a.objectName() for a in iface.pluginMenu().actions() if "randcrowns" in a.objectName()]
    finish()

def finish():
    Path(os.environ["RANDCROWNS_FOUND"]).write_text(json.dumps(FOUND))
    os._exit(0)

def ready():
    return iface is not None and "randcrowns" in plugins and QgsProject.instance().mapLayersByName("annotator_1")

later(ready, opened)
"""


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    if QGIS is None or not (os.environ.get("DISPLAY") or shutil.which("xvfb-run")):
        pytest.skip("this needs the qgis program, and a screen or xvfb-run")
    folder = tmp_path_factory.mktemp("window")
    drive = folder / "drive.py"
    drive.write_text(DRIVE)
    answer = folder / "found.json"
    environment = {**os.environ, "RANDCROWNS_FOUND": str(answer), "RANDCROWNS_RUN": str(folder)}
    for name in ("QGIS_CUSTOM_CONFIG_PATH", "QGIS_OPTIONS_PATH"):  # those of the test run
        environment.pop(name, None)
    done = subprocess.run(
        [ROOT / "scripts" / "run.sh", "--code", str(drive)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert answer.exists(), done.stdout + done.stderr
    return json.loads(answer.read_text())


def test_nothing_went_wrong(found: dict[str, list[str]]) -> None:
    assert found["errors"] == [], "\n".join(found["errors"])


def test_it_opens_with_the_plugin_and_the_sample_project(found: dict[str, list[str]]) -> None:
    assert {"randcrowns", "processing"} <= set(found["plugins"])
    assert found["title"] == "RandCrowns sample plot (simulated, seed 2)"
    assert found["valid"]
    assert {"randcrowns:scorecrowns", "randcrowns:targetregions"} <= set(found["algorithms"])


def test_load_sample_data_adds_the_plot(found: dict[str, list[str]]) -> None:
    # One of the project, one of the menu: they lie in different folders.
    assert found["groups"] == ["Sample plot (simulated, seed 2)"] * 2


def test_the_dock_scores_and_shows_a_crown(found: dict[str, list[float]]) -> None:
    assert len(found["scores"]) > 25
    assert max(found["scores"]) > 0.95
    assert found["drawn"]


def test_unloading_leaves_nothing(found: dict[str, object]) -> None:
    assert not found["provider left"]
    assert found["actions left"] == []
