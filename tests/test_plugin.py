"""Loading and unloading the plugin, and what it says when libraries are missing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from threading import Event, Thread

import pytest
from qgis.core import Qgis, QgsApplication, QgsExpression, QgsProject, QgsSettings
from qgis.gui import QgsRubberBand
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtTest import QTest
from qgis.PyQt.QtWidgets import QAction, QDockWidget, QPushButton
from support.qt import spin, wait_until

import randcrowns
from randcrowns.algorithms.algorithm_catalogue import ALGORITHMS
from randcrowns.core.progress import track_background_work
from randcrowns.layers import installation, libraries
from randcrowns.layers.libraries import LIBRARIES, REQUIRED, LibraryProblem


@pytest.fixture
def plugin(qgis_iface, qgis_new_project):
    qgis_iface.messageBar().clear_messages()
    made = randcrowns.classFactory(qgis_iface)
    yield made
    made.unload()
    spin()


def provider():
    return QgsApplication.processingRegistry().providerById("randcrowns")


def evaluation_error(text):
    expression = QgsExpression(text)
    assert expression.evaluate() is None
    return expression.evalErrorString()


@pytest.fixture(autouse=True)
def no_provider_left():
    """Other tests may have registered one."""
    found = provider()
    if found is not None:
        QgsApplication.processingRegistry().removeProvider(found)


def test_loading_and_unloading_many_times_leaves_nothing(plugin, qgis_iface):
    window = qgis_iface.mainWindow()
    before = len(window.findChildren(QAction))
    for _ in range(12):
        plugin.initGui()
        plugin.toggle_panel(True)
        spin()
        assert provider() is not None
        assert QgsExpression("rc_iou($geometry, $geometry)").hasParserError() is False
        assert len(window.findChildren(QDockWidget)) == 1
        plugin.unload()
        spin()
        assert provider() is None
        assert evaluation_error("rc_iou(1, 2)") == "rc_iou: The plugin RandCrowns is not loaded."
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


@pytest.mark.parametrize("how", ["unload", "aboutToQuit"])
def test_the_end_waits_for_who_still_writes_once_the_runs_are_stopped(plugin, monkeypatch, how):
    begun, stopped, ended = Event(), Event(), Event()

    def write():
        with track_background_work():
            begun.set()
            stopped.wait(10)
            time.sleep(0.3)
            ended.set()

    plugin.initGui()
    plugin.toggle_panel(True)
    page = plugin.dock.show_page("score")
    monkeypatch.setattr(page.runs, "close", stopped.set)
    Thread(target=write).start()
    begun.wait()
    (plugin.unload if how == "unload" else QgsApplication.instance().aboutToQuit.emit)()
    assert ended.is_set()


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


class WindowSignal:
    """Signal of the window's interface that tests emit."""

    def __init__(self):
        self.slots = []

    def connect(self, slot):
        self.slots.append(slot)

    def disconnect(self, slot):
        self.slots.remove(slot)

    def emit(self):
        for slot in self.slots:
            slot()


def test_the_menu_opens_the_import_which_leads_to_a_page_of_the_panel(plugin, monkeypatch):
    from randcrowns.ui.shell import import_dialog

    plugin.initGui()
    opened = []
    monkeypatch.setattr(
        import_dialog, "open_import_dialog", lambda iface, show_page: opened.append(show_page)
    )
    plugin.import_crowns()
    (show_page,) = opened
    show_page("annotators", {})
    assert plugin.dock.page.key == "annotators"


@pytest.fixture
def window_complete(qgis_iface, monkeypatch):
    """Signal that the window of a starting QGIS is complete, of a user without the preference."""
    QgsSettings().remove("RandCrowns/panel_is_open")
    signal = WindowSignal()
    monkeypatch.setattr(qgis_iface, "initializationCompleted", signal, raising=False)
    return signal


def test_the_panel_opens_by_itself_when_qgis_first_starts_with_the_plugin(plugin, window_complete):
    plugin.initGui()
    spin(20)
    assert plugin.dock is None  # the window restores its docks first
    window_complete.emit()
    wait_until(lambda: plugin.dock is not None, 60)
    assert not plugin.dock.isHidden()


def test_the_panel_opens_by_itself_when_the_plugin_is_switched_on_in_an_open_window(
    plugin, window_complete, qgis_iface, monkeypatch
):
    monkeypatch.setattr(qgis_iface.mainWindow(), "isVisible", lambda: True)
    plugin.initGui()
    assert plugin.dock is None
    wait_until(lambda: plugin.dock is not None, 60)
    assert not plugin.dock.isHidden()


@pytest.fixture
def shown_window(qgis_iface):
    """The window is visible, as that of a running QGIS."""
    window = qgis_iface.mainWindow()
    window.show()
    spin(20)
    yield window
    window.hide()


def restart(plugin):
    plugin.unload()
    spin()
    plugin.initGui()


def test_the_panel_is_open_again_after_a_restart_if_it_was_open(
    plugin, window_complete, shown_window, monkeypatch
):
    monkeypatch.setattr(shown_window, "isVisible", lambda: False)
    plugin.initGui()
    window_complete.emit()
    wait_until(lambda: plugin.dock is not None, 60)
    monkeypatch.undo()
    spin(20)
    for is_open in (True, False):
        plugin.toggle_panel(is_open)
        spin(20)
        restart(plugin)
        wait_until(lambda: plugin.dock is not None, 60) if is_open else spin(100)
        assert (plugin.dock is not None) == is_open


def test_clicks_on_the_icon_while_the_panel_is_loaded_do_not_close_it(plugin, shown_window):
    QgsSettings().setValue("RandCrowns/panel_is_open", "no")
    plugin.initGui()
    icon = shown_window.findChild(QAction, "randcrowns_randcrowns")
    toolbar = shown_window.addToolBar("test")
    toolbar.addAction(icon)
    button = toolbar.widgetForAction(icon)
    spin(50)

    def click():
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)

    click()
    assert not plugin.dock.isHidden()
    click()  # as a click that waited for the end of loading
    assert not plugin.dock.isHidden()
    wait_until(icon.isEnabled, 10)
    assert icon.isChecked()
    for is_open in (False, True):
        click()
        spin(20)
        assert plugin.dock.isVisible() == is_open
        assert icon.isChecked() == is_open
    shown_window.removeToolBar(toolbar)


def test_the_dock_opens_where_the_window_had_it_in_the_last_session(plugin, shown_window):
    QgsSettings().setValue("RandCrowns/panel_is_open", "no")
    plugin.initGui()
    plugin.toggle_panel(True)
    shown_window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, plugin.dock)
    spin(50)
    state = shown_window.saveState()
    plugin.unload()
    spin()
    shown_window.restoreState(state)
    plugin.initGui()
    plugin.toggle_panel(True)
    assert shown_window.dockWidgetArea(plugin.dock) == Qt.DockWidgetArea.LeftDockWidgetArea


def test_a_plugin_that_was_unloaded_before_the_window_was_complete_opens_nothing(
    plugin, window_complete
):
    plugin.initGui()
    plugin.unload()
    window_complete.emit()
    spin(50)
    assert plugin.dock is None


def test_help_opens_the_guide(plugin, browser):
    plugin.initGui()
    plugin.show_help()
    assert [place.name for place in browser] == ["index.html"]


def test_the_options_have_a_page_as_long_as_the_plugin_is_loaded(plugin, qgis_iface, monkeypatch):
    registered = []
    monkeypatch.setattr(
        qgis_iface, "registerOptionsWidgetFactory", registered.append, raising=False
    )
    monkeypatch.setattr(
        qgis_iface, "unregisterOptionsWidgetFactory", registered.remove, raising=False
    )
    plugin.initGui()
    (factory,) = registered
    assert factory.title() == "RandCrowns"
    assert factory.createWidget().objectName() == "RandCrownsOptions"
    plugin.unload()
    assert registered == []


@pytest.fixture
def without_shapely(monkeypatch):
    """As if shapely were not installed, until it is called."""
    state = {"found": (LibraryProblem(LIBRARIES[REQUIRED][1], "not installed"),)}
    monkeypatch.setattr(libraries, "library_problems", lambda group=REQUIRED: state["found"])
    monkeypatch.setattr(installation, "library_problems", lambda group=REQUIRED: state["found"])
    monkeypatch.setattr(libraries, "missing_libraries", lambda wanted=None: state["found"])
    return lambda: state.update(found=())


def test_missing_libraries_are_told_at_the_start_and_installed_only_when_asked(
    plugin, qgis_iface, without_shapely
):
    plugin.initGui()
    told = qgis_iface.messageBar().currentItem()
    assert "requires Python libraries that are not installed: shapely" in told.text()
    assert plugin.libraries_dialog is None
    for shown in plugin.provider.algorithms():
        usable, why = shown.create().canExecute()
        assert not usable
        assert "shapely 2.0 or later (not installed)" in why
    next(button for button in told.findChildren(QPushButton) if button.text() == "Install…").click()
    assert plugin.libraries_dialog.isVisible()
    assert plugin.libraries_dialog.process is None


def test_the_panel_offers_what_is_missing_and_opens_once_it_is_there(plugin, without_shapely):
    plugin.initGui()
    plugin.toggle_panel(True)
    dialog = plugin.libraries_dialog
    assert dialog.isVisible()
    assert "shapely" in dialog.command_field.text()
    assert plugin.dock is None
    without_shapely()
    dialog.installation_finished.emit(True)
    assert plugin.dock is not None
    assert plugin.provider.algorithms()[0].create().parameterDefinitions()


def test_the_plugin_is_imported_without_shapely_and_numpy():
    """Only randcrowns.core may import shapely, isolated from QGIS's GEOS; both may be missing."""
    code = (
        "import sys, qgis.gui, qgis.utils; before = set(sys.modules); import randcrowns.plugin; "
        "names = {'shapely', 'numpy', 'pandas', 'scipy', 'matplotlib'}; "
        "print(sorted(names & set(sys.modules) - before))"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )
    assert done.stdout.strip() == "[]", done.stdout + done.stderr


_WINDOW = """
import sys
from qgis.core import QgsApplication, QgsProject
application = QgsApplication([], True)
application.initQgis()
from qgis.PyQt.QtWidgets import QMainWindow
class Window:
    window = QMainWindow()
    def mainWindow(self): return self.window
    def addToolBarIcon(self, action): self.window.addAction(action)
    def addPluginToMenu(self, menu, action): self.window.addAction(action)
    def registerMainWindowAction(self, action, key): return True
    def registerOptionsWidgetFactory(self, factory): assert factory.title() == "RandCrowns"
iface = Window()
libraries = {"shapely", "numpy", "pandas", "scipy", "matplotlib"}
before = set(sys.modules)
import randcrowns
plugin = randcrowns.classFactory(iface)
plugin.initGui()
names = sorted(one.name() for one in plugin.provider.algorithms())
ours = [name for name in sys.modules if name.startswith("randcrowns")]
project = QgsProject.instance()
assert project.write(sys.argv[1]) and project.read(sys.argv[1])
assert "randcrowns.ui.services.interrupted_runs" in sys.modules
print(len(names), sorted(libraries & (set(sys.modules) - before)), len(ours))
used = QgsApplication.processingRegistry().createAlgorithmById("randcrowns:scorecrowns")
print(used.parameterDefinition("TARGETS").name(), "shapely" in sys.modules)
from randcrowns.core import shapely_uses_own_geos
print(shapely_uses_own_geos())
sys.stdout.flush()
import os
os._exit(0)
"""


def test_qgis_starts_with_the_plugin_and_opens_a_project_without_its_libraries(tmp_path):
    """They are imported, shapely apart from QGIS's GEOS, when an algorithm is used."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    command = [sys.executable, "-c", _WINDOW, str(tmp_path / "p.qgz")]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    started, used, rightly = done.stdout.strip().splitlines()[-3:] or ("", "", done.stderr)
    algorithms, libraries, modules = (
        started.split(" ", 1)[0],
        *started.split(" ", 1)[1].rsplit(" ", 1),
    )
    assert (algorithms, libraries) == (str(len(ALGORITHMS)), "[]"), done.stdout + done.stderr
    assert int(modules) <= 34
    assert used == "TARGETS True"
    assert rightly == "True"


_INSTALLED_LATER = """
import sys
places = [path for path in sys.path if path.endswith("-packages")]
sys.path[:] = [path for path in sys.path if path not in places]
import randcrowns.core
waits = lambda: any("_ShapelyImportHook" in str(one) for one in sys.meta_path)
try:
    import shapely
except ImportError as error:
    print(error, waits())
sys.path.extend(places)
import shapely
print(shapely.area(shapely.box(0, 0, 2, 1)), waits())
"""


def test_shapely_that_is_installed_while_qgis_runs_still_stands_apart():
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    code = [sys.executable, "-c", _INSTALLED_LATER]
    done = subprocess.run(code, env=environment, capture_output=True, text=True, check=False)
    absent, there = done.stdout.splitlines() or ["", done.stderr]
    assert absent == "No module named 'shapely' True"
    assert there == "2.0 False"


def test_the_toolbox_knows_the_same_of_an_algorithm_before_it_is_used(plugin):
    plugin.initGui()
    entries = plugin.provider.algorithms()
    assert len(entries) == len(ALGORITHMS)
    for shown in entries:
        real = shown.create()
        assert type(real) is not type(shown)
        for name in (
            "name",
            "id",
            "displayName",
            "shortDescription",
            "tags",
            "group",
            "groupId",
            "flags",
            "helpUrl",
        ):
            assert getattr(shown, name)() == getattr(real, name)(), name
        assert [one.toVariantMap() for one in shown.parameterDefinitions()] == [
            one.toVariantMap() for one in real.parameterDefinitions()
        ]
        assert shown.parameterDefinitions()
        assert shown.shortHelpString() == real.shortHelpString()
        assert shown.canExecute() == (True, "")


def test_shapely_in_trouble_is_said_when_something_is_used(plugin, qgis_iface, monkeypatch):
    from randcrowns.core import geos

    monkeypatch.setattr(geos, "shapely_uses_own_geos", lambda: False)
    monkeypatch.setattr(libraries, "_usable", set())
    plugin.initGui()
    assert qgis_iface.messageBar().get_messages(Qgis.MessageLevel.Warning) == []
    plugin.toggle_panel(True)
    assert (
        "another plugin loaded the library shapely first"
        in plugin.libraries_dialog.status_label.text()
    )
    assert not plugin.libraries_dialog.install_button.isVisible()
    assert plugin.dock is None
    for shown in plugin.provider.algorithms():
        assert "another plugin loaded" in shown.create().canExecute()[1]
        assert shown.parameterDefinitions() == []


def test_shapely_that_another_plugin_mixed_up_with_qgis_is_not_computed_with(tmp_path):
    """That the program computes where none did is seen in tests/algorithms/test_ways_to_run.py."""
    program = shutil.which("qgis_process.bin") or shutil.which("qgis_process")
    if program is None or not sys.platform.startswith("linux"):
        pytest.skip("qgis_process is not installed")
    plugins = tmp_path / "plugins"
    plugins.mkdir()
    (plugins / "randcrowns").symlink_to(Path(__file__).parents[1])
    settings = tmp_path / "profile" / "profiles" / "default" / "QGIS" / "QGIS3.ini"
    settings.parent.mkdir(parents=True)
    settings.write_text("[PythonPlugins]\nrandcrowns=true\n")
    other = tmp_path / "other" / "sitecustomize.py"
    other.parent.mkdir()
    other.write_text("import shapely")
    sites = [path for path in sys.path if path.endswith("site-packages")]

    environment = {
        **os.environ,
        "QT_QPA_PLATFORM": "offscreen",
        "QGIS_PLUGINPATH": str(plugins),
        "QGIS_CUSTOM_CONFIG_PATH": str(tmp_path / "profile"),
        "HOME": str(tmp_path),
        "PYTHONPATH": os.pathsep.join([str(other.parent), *sites]),
    }
    command = [program, "list"]
    mixed_up = subprocess.run(
        command, env=environment, capture_output=True, text=True, check=False, timeout=300
    )
    if "randcrowns:scorecrowns" in mixed_up.stdout:
        pytest.skip("shapely and QGIS share one GEOS here")
    assert mixed_up.returncode == 0
    assert "another plugin loaded the library shapely first" in mixed_up.stderr
