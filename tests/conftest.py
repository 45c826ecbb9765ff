"""Fixtures of all tests. QGIS is imported only by fixtures, because the tests of core run without."""

from __future__ import annotations

import gc
import os
import sys
from pathlib import Path

import pytest

# Byte code is cached, because each worker and each process of a test imports hundreds of modules.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# ruff: noqa: E402 - pytest rewrites and keeps hypothesis, too
from hypothesis import settings
from hypothesis.internal import scrutineer
from support.absent import pytest_make_collect_report, pytest_runtest_makereport  # noqa: F401 - hooks
from support.slots import slots_told

# No test concerns a power cut, so GDAL's SQLite need not wait for the disk.
os.environ.setdefault("OGR_SQLITE_SYNCHRONOUS", "OFF")
# No test uses SpatiaLite's functions, which GDAL loads whenever it opens a GeoPackage.
os.environ.setdefault("SPATIALITE_LOAD", "NO")

# The duration of an example depends on other programs, so it does not fail a test.
settings.register_profile("untimed", deadline=None)
if settings.default.deadline is not None:
    settings.load_profile("untimed")
# Hypothesis draws constants from the code under test. It regards the packages of the system as such
# code, too, and needs two seconds to read them in each process.
getattr(scrutineer, "STDLIB_DIRS", set()).add(Path(sys.base_prefix).resolve())


def pytest_configure(config: pytest.Config) -> None:
    """Name the paths of the command line that do not exist, which pytest-xdist does not."""
    folder = config.invocation_params.dir
    missing = [name for name in config.args if not (folder / name.partition("::")[0]).exists()]
    if missing and not config.option.pyargs:
        raise pytest.UsageError(f"file or directory not found: {', '.join(missing)}")


@pytest.hookimpl(optionalhook=True)
def pytest_handlecrashitem(crashitem: str) -> None:
    """Write the test in which a worker of pytest-xdist crashed, for scripts/run_tests.sh."""
    path = os.environ.get("RANDCROWNS_CRASHED_TESTS")
    if path:
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(f"{crashitem}\n")


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Write each test that passed, for the second run of scripts/run_tests.sh."""
    path = os.environ.get("RANDCROWNS_PASSED_TESTS")
    if not path or "PYTEST_XDIST_WORKER" in os.environ:
        return
    if not report.passed:
        _unpassed_tests.add(report.nodeid)
    elif report.when == "teardown" and report.nodeid not in _unpassed_tests:
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(f"{report.nodeid}\n")


#: Tests that did not pass in this run.
_unpassed_tests: set[str] = set()


def _deselect_passed_tests(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests that passed before a worker crashed; see scripts/run_tests.sh."""
    if os.environ.get("RANDCROWNS_SECOND_RUN"):
        passed = Path(os.environ["RANDCROWNS_PASSED_TESTS"]).read_text(encoding="utf-8")
        names = set(passed.splitlines())
        config.hook.pytest_deselected(items=[item for item in items if item.nodeid in names])
        items[:] = [item for item in items if item.nodeid not in names]


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Sort tests from the longest files to the shortest, so that all workers end together.

    ``--no-loadscope-reorder`` keeps this order.
    """
    _deselect_passed_tests(config, items)
    order = {folder: number for number, folder in enumerate(_FOLDERS)}
    items.sort(key=lambda item: order.get(item.path.parts[len(_HERE.parts)], -1))


_HERE = Path(__file__).parent
#: From those of the longest files to those of the shortest; all other files come before them.
_FOLDERS = ("frozen", "batch", "torture", "ui", "algorithms", "layers", "core", "language")


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Exclude imported modules and collected tests from garbage collection."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Free fixtures and reference cycles after the last test.

    Objects of QGIS would crash if they were freed after QGIS has ended.
    """
    if nextitem is None and "qgis.core" in sys.modules:
        getattr(item, "funcargs", {}).clear()
        gc.collect()
        gc.freeze()


@pytest.hookimpl(trylast=True)
def pytest_runtest_logfinish(nodeid: str) -> None:
    """Collect garbage after each file; exclude the remaining objects from later collections."""
    file = nodeid.partition("::")[0]
    if file != _last_file[0]:
        _last_file[0] = file
        gc.collect()
        gc.freeze()


#: File of the last test that ended.
_last_file = [""]


_exit_status = pytest.StashKey[int]()


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Store the exit status, except of a wrong command line, whose error is not yet printed."""
    if exitstatus != pytest.ExitCode.USAGE_ERROR:
        session.config.stash[_exit_status] = int(exitstatus)


@pytest.hookimpl(tryfirst=True)
def pytest_unconfigure(config: pytest.Config) -> None:
    """End the process at once, because QGIS and GDAL sometimes crash when Python ends."""
    if "qgis.core" in sys.modules and _exit_status in config.stash:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(config.stash[_exit_status])


@pytest.fixture(autouse=True)
def told_slots():
    """An exception in a slot fails its test."""
    with slots_told() as raised:
        yield raised


@pytest.fixture(autouse=True)
def map_drawing(request):
    """Draw the map canvas only in tests of the dock.

    While a thread opens a virtual layer, QGIS adds the functions of virtual layers to every
    database that the process opens (``sqlite3_auto_extension``). If a map is drawn in the
    background meanwhile, the databases of its layers fail or crash QGIS.
    """
    if "qgis_app" in request.fixturenames:
        canvas = request.getfixturevalue("qgis_canvas")
        folder = request.path.relative_to(_HERE).parts[0]
        is_drawn = folder not in ("algorithms", "frozen", "layers")
        if canvas.renderFlag() != is_drawn:
            canvas.setRenderFlag(is_drawn)


class _LastingPatch(pytest.MonkeyPatch):
    """Monkeypatch that keeps patched methods alive, because PyQt does not own its slots."""

    def __init__(self, put_in: list[object]) -> None:
        super().__init__()
        self.put_in = put_in

    def setattr(self, *given, **options):
        super().setattr(*given, **options)
        if isinstance(given[0], type):
            self.put_in.extend(given[1:])


@pytest.fixture(scope="module")
def put_in():
    """Objects that monkeypatch put into classes; docks may use them until the module ends."""
    kept: list[object] = []
    yield kept
    kept.clear()


@pytest.fixture
def monkeypatch(put_in):
    """Monkeypatch whose methods outlive the test, because a pending slot may still call them."""
    patch = _LastingPatch(put_in)
    yield patch
    patch.undo()


@pytest.fixture
def algorithms(qgis_app):
    """The provider, registered."""
    from support.provider import provider

    return provider()


@pytest.fixture
def browser(qgis_app, tmp_path, monkeypatch):
    """A guide with a page per topic; the files that the browser would open."""
    from qgis.PyQt.QtGui import QDesktopServices

    from randcrowns.algorithms.algorithm_catalogue import ALGORITHMS
    from randcrowns.layers import guide
    from randcrowns.ui.shell.dock import PAGES

    monkeypatch.setattr(guide, "GUIDE_FOLDER", tmp_path)
    keys = {guide.FIRST_PAGE}
    keys |= {entry.key for entry in PAGES} | {entry.topic.key for entry in ALGORITHMS}
    for key in keys:
        guide.guide_page(key).write_text(key, encoding="utf-8")
    shown: list[Path] = []

    def open_url(url):
        shown.append(Path(url.toLocalFile()))
        return True

    monkeypatch.setattr(QDesktopServices, "openUrl", open_url)
    return shown


@pytest.fixture
def run(algorithms, qgis_new_project):
    """Function that runs an algorithm as Processing does; see :class:`support.processing.Ran`."""
    from support.processing import run_algorithm

    return run_algorithm


@pytest.fixture
def spatialite():
    """GDAL with the functions of SpatiaLite."""
    from osgeo import gdal

    before = gdal.GetConfigOption("SPATIALITE_LOAD")
    gdal.SetConfigOption("SPATIALITE_LOAD", "YES")
    yield
    gdal.SetConfigOption("SPATIALITE_LOAD", before)
