"""Loading and unloading the plugin, and what it says when libraries are missing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from qgis.core import Qgis, QgsApplication, QgsProject
from qgis.gui import QgsRubberBand
from qgis.PyQt.QtWidgets import QAction, QDockWidget
from support.qt import spin, wait_until

import randcrowns
from randcrowns.ui.services.messages import missing_libraries


@pytest.fixture
def plugin(qgis_iface, qgis_new_project):
    qgis_iface.messageBar().clear_messages()
    made = randcrowns.classFactory(qgis_iface)
    yield made
    made.unload()
    spin()


def provider():
    return QgsApplication.processingRegistry().providerById("randcrowns")


@pytest.fixture(autouse=True)
def no_provider_left():
    """Other tests may have registered one."""
    found = provider()
    if found is not None:
        QgsApplication.processingRegistry().removeProvider(found)


def test_loading_and_unloading_twice_leaves_nothing(plugin, qgis_iface):
    window = qgis_iface.mainWindow()
    before = len(window.findChildren(QAction))
    for _ in range(2):
        plugin.initGui()
        plugin.toggle_panel(True)
        spin()
        assert provider() is not None
        assert len(window.findChildren(QDockWidget)) == 1
        plugin.unload()
        spin()
        assert provider() is None
        assert window.findChildren(QDockWidget) == []
        assert len(window.findChildren(QAction)) == before
        scene = qgis_iface.mapCanvas().scene()
        wait_until(lambda: not [item for item in scene.items() if isinstance(item, QgsRubberBand)])  # noqa: B023


def test_unloading_survives_objects_that_are_gone(plugin):
    from qgis.PyQt import sip

    plugin.initGui()
    plugin.toggle_panel(True)
    sip.delete(plugin.dock)
    plugin.unload()
    assert provider() is None


def test_after_unloading_the_project_has_no_listener(plugin):
    plugin.initGui()
    plugin.toggle_panel(True)
    page = plugin.dock.page
    plugin.unload()
    spin()
    QgsProject.instance().clear()
    assert page is not None


def test_without_a_window_only_the_algorithms_are_added():
    made = randcrowns.classFactory(None)
    made.initProcessing()
    assert provider() is not None
    made.unload()
    assert provider() is None


def test_the_panel_is_made_when_first_asked_for(plugin):
    plugin.initGui()
    assert plugin.dock is None
    plugin.toggle_panel(False)
    assert plugin.dock is None
    plugin.toggle_panel(True)
    assert plugin.dock is not None


def test_help_opens(plugin):
    plugin.initGui()
    plugin.show_help()
    assert "RandCrowns" in plugin.help_window.browser.toPlainText()


def test_missing_libraries_are_said_with_the_command_to_type(plugin, qgis_iface, monkeypatch):
    import randcrowns.plugin

    monkeypatch.setattr(randcrowns.plugin, "missing_libraries", lambda: ["shapely>=2.0"])
    plugin.initGui()
    (message,) = qgis_iface.messageBar().get_messages(Qgis.MessageLevel.Critical)
    assert 'pip install --user "shapely>=2.0"' in message
    assert provider() is None


def test_old_and_absent_libraries_are_both_missing():
    assert missing_libraries() == []
    found = missing_libraries((("numpy", (99, 0)), ("no_such_library", (1, 2))))
    assert found == ["numpy>=99.0", "no_such_library>=1.2"]


def test_the_plugin_is_imported_without_shapely_and_numpy():
    """shapely must be imported by randcrowns.core, apart from QGIS's GEOS, and neither may be there at all."""
    code = (
        "import sys, qgis.gui, qgis.utils; before = set(sys.modules); import randcrowns.plugin; "
        "print(sorted({'shapely', 'numpy', 'pandas', 'scipy', 'matplotlib'} & set(sys.modules) - before))"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "[]", done.stdout + done.stderr


def test_shapely_that_another_plugin_mixed_up_with_qgis_is_not_computed_with(tmp_path):
    program = shutil.which("qgis_process.bin") or shutil.which("qgis_process")
    if program is None or not sys.platform.startswith("linux"):
        pytest.skip("qgis_process is not installed")
    plugins = tmp_path / "plugins"
    plugins.mkdir()
    (plugins / "randcrowns").symlink_to(Path(__file__).parents[1])
    other = tmp_path / "other" / "sitecustomize.py"
    other.parent.mkdir()
    other.write_text("import shapely")
    sites = [path for path in sys.path if path.endswith("site-packages")]

    def algorithms(*first):
        environment = {
            **os.environ,
            "QT_QPA_PLATFORM": "offscreen",
            "QGIS_PLUGINPATH": str(plugins),
            "QGIS_CUSTOM_CONFIG_PATH": str(tmp_path / "profile"),
            "HOME": str(tmp_path),
            "PYTHONPATH": os.pathsep.join([*map(str, first), *sites]),
        }
        words = (["plugins", "enable", "randcrowns"], ["list"])
        return [
            subprocess.run([program, *some], env=environment, capture_output=True, text=True, check=False, timeout=200)
            for some in words
        ][1]

    assert "randcrowns:scorecrowns" in algorithms().stdout
    mixed_up = algorithms(other.parent)
    if "randcrowns:scorecrowns" in mixed_up.stdout:
        pytest.skip("shapely and QGIS share one GEOS here")
    assert mixed_up.returncode == 0
    assert "another plugin loaded the library shapely first" in mixed_up.stderr
