from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def tree_view(request, monkeypatch):
    """QGIS's double of a window has no view of layers, and QGIS 3.44 takes none but a real one."""
    if "qgis_iface" not in request.fixturenames and "run" not in request.fixturenames:
        return
    from qgis.core import QgsLayerTreeModel, QgsProject
    from qgis.gui import QgsLayerTreeView

    view = QgsLayerTreeView()
    view.setModel(QgsLayerTreeModel(QgsProject.instance().layerTreeRoot(), view))
    monkeypatch.setattr(
        request.getfixturevalue("qgis_iface"), "layerTreeView", lambda: view, raising=False
    )


@pytest.fixture
def evaluate(run):
    """Runs randcrowns:evaluatepointcloud on a file, or on what QGIS finds by a text."""
    from support.clouds import NAMES, OUTPUTS

    def evaluate_file(path, **parameters):
        return run(
            "evaluatepointcloud", {"INPUT": str(path), **NAMES, **parameters}, outputs=OUTPUTS
        )

    return evaluate_file


@pytest.fixture(scope="session")
def qgis_process(tmp_path_factory):
    """Calls QGIS's command line program, where the plugin was switched on, with these words.

    Debian's wrapper script for 3.22 is broken, so the program itself goes first.
    """
    program = shutil.which("qgis_process.bin") or shutil.which("qgis_process")
    if program is None:
        pytest.skip("qgis_process is not installed")
    folder = tmp_path_factory.mktemp("qgis_process")
    plugins = folder / "plugins"
    plugins.mkdir()
    (plugins / "randcrowns").symlink_to(Path(__file__).parents[2])
    paths = [path for path in sys.path if path.endswith("site-packages")]
    environment = {
        **os.environ,
        "QT_QPA_PLATFORM": "offscreen",
        "QGIS_PLUGINPATH": str(plugins),
        "QGIS_CUSTOM_CONFIG_PATH": str(folder / "profile"),
        "HOME": str(folder),
        "PYTHONPATH": os.pathsep.join(paths),
    }

    def call(*words, **more):
        return subprocess.run(
            [program, *words],
            env=environment,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
            **more,
        )

    call("plugins", "enable", "randcrowns")
    return call
