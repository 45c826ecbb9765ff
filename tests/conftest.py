"""Shared by all tests. Nothing here imports QGIS before a test asks for it: core's tests run
without.
"""

from __future__ import annotations

import gc
import importlib.util
import os
import sys
from pathlib import Path

import pytest

#: What is compiled is kept, whatever may be written elsewhere: each worker, and each process that
#: tests begin, needs
#: hundreds of modules.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# ruff: noqa: E402 - pytest rewrites and keeps hypothesis, too
from hypothesis import settings
from hypothesis.internal import scrutineer
from support.absent import pytest_make_collect_report, pytest_runtest_makereport  # noqa: F401 - hooks
from support.slots import slots_told

#: No test is about a power cut: GDAL's SQLite does not wait for the disk, here and in the processes
#: that tests begin.
os.environ.setdefault("OGR_SQLITE_SYNCHRONOUS", "OFF")
#: Nor about SpatiaLite's functions, which GDAL else makes known to SQLite whenever it opens a
#: GeoPackage.
os.environ.setdefault("SPATIALITE_LOAD", "NO")

# A busy machine fails no test: the milliseconds of an example say how much else was running.
settings.register_profile("untimed", deadline=None)
if settings.default.deadline is not None:
    settings.load_profile("untimed")
# It draws numbers and words that stand in the code under test, and takes the system's packages, on
# which the
# environment stands, for such code: two seconds to read them, in each process.
getattr(scrutineer, "STDLIB_DIRS", set()).add(Path(sys.base_prefix).resolve())


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What begins processes and windows comes first, what is shortest last: then two workers
    end together.

    Files are handed to them as they stand, see ``--no-loadscope-reorder``; else those of one long
    test come last.
    """
    items.sort(
        key=lambda item: (
            _FOLDERS.index(item.path.parts[len(_HERE.parts)]) if item.path.parent != _HERE else -1
        )
    )


_HERE = Path(__file__).parent
#: From those of the longest files to those of the shortest.
_FOLDERS = ("frozen", "batch", "torture", "ui", "algorithms", "layers", "core", "language")


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """What was imported and collected stays: no search for garbage has to look through it."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """After the last test, while QGIS still runs: free what it was given by fixtures, and what
    tests left in reference
    cycles, and leave the rest be.

    Freed after QGIS's end, its objects would crash.
    """
    if nextitem is None and "qgis.core" in sys.modules:
        getattr(item, "funcargs", {}).clear()
        gc.collect()
        gc.freeze()


@pytest.hookimpl(trylast=True)
def pytest_runtest_logfinish(nodeid: str) -> None:
    """After a file, what it has left in cycles goes; what lives on, modules above all, is
    looked through no more.
    """
    file = nodeid.partition("::")[0]
    if file != _last_file[0]:
        _last_file[0] = file
        gc.collect()
        gc.freeze()


#: That of the last test that ended.
_last_file = [""]


_exit_status = pytest.StashKey[int]()


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Keep what the run is going to answer."""
    session.config.stash[_exit_status] = int(exitstatus)


@pytest.hookimpl(tryfirst=True)
def pytest_unconfigure(config: pytest.Config) -> None:
    """End here, with all tests run and reported: QGIS and GDAL at times crash while Python
    takes them down.
    """
    if "qgis.core" in sys.modules and _exit_status in config.stash:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(config.stash[_exit_status])


@pytest.fixture(scope="session", autouse=True)
def _asked(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> None:
    """The index is asked while other tests run: it may take a minute."""
    wanted = any(item.path.name == "test_installing.py" for item in request.session.items)
    if wanted and importlib.util.find_spec("uv") is not None:
        from support.resolving import begin, shared_folder
        from support.systems import questions

        begin(shared_folder(tmp_path_factory), questions())


@pytest.fixture(autouse=True)
def told_slots():
    """An exception in a slot fails its test."""
    with slots_told() as raised:
        yield raised


class _LastingPatch(pytest.MonkeyPatch):
    """Pytest's; what it puts into classes is kept, too: PyQt does not hold the methods that it
    has as slots.
    """

    def __init__(self, put_in: list[object]) -> None:
        super().__init__()
        self.put_in = put_in

    def setattr(self, *given, **options):
        super().setattr(*given, **options)
        if isinstance(given[0], type):
            self.put_in.extend(given[1:])


@pytest.fixture(scope="module")
def put_in():
    """What monkeypatch has put into classes, to the end of the module and no longer: docks hang
    on it.
    """
    kept: list[object] = []
    yield kept
    kept.clear()


@pytest.fixture
def monkeypatch(put_in):
    """What it puts in outlives its test, after which a slot that waits may still be called."""
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
    """A guide with a page for each topic; holds the files that the browser was to show."""
    from support.browser import Browser

    from randcrowns.algorithms.algorithm_catalogue import ALGORITHMS
    from randcrowns.layers import guide

    monkeypatch.setattr(guide, "GUIDE_FOLDER", tmp_path)
    for page in (guide.FIRST_PAGE, "review", *(entry.topic.key for entry in ALGORITHMS)):
        guide.guide_page(page).write_text(page, encoding="utf-8")
    with Browser() as made:
        yield made.shown


@pytest.fixture
def run(algorithms, qgis_new_project):
    """Runs an algorithm as Processing does: check, prepare, compute, load; see
    :class:`support.processing.Ran`.
    """
    from support.processing import run_algorithm

    return run_algorithm
