"""Python libraries that QGIS may lack, and checks whether they can be used.

A check imports the library and calls a function that older versions do not have.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Any, Callable, NamedTuple

from qgis.core import QgsApplication

from randcrowns.layers.localization import tr

#: Group of the libraries that the whole plugin needs.
REQUIRED = "needed"
#: Group of the libraries for plots and pictures.
PLOTS = "plots"
#: Group of the libraries for point clouds.
CLOUDS = "clouds"
#: Group of the libraries for point clouds in PLY files.
PLY_FILES = "ply"
#: Group of the libraries for reports.
REPORTS = "reports"
#: Group of the libraries for pages to explore runs.
EXPLORER = "explorer"
#: Maximum length of a library's own error message in a sentence, characters.
_MAX_ERROR_LENGTH = 160


class Library(NamedTuple):
    """A Python library and its requirements."""

    name: str  #: name of the module to import.
    minimum_version: str  #: minimum version.
    purpose: str  #: what the plugin needs the library for, in the user's language.
    test_call: Callable[[Any], object]  #: test call that gets the module; fails for older versions.
    requirement: str  #: requirement specifier for pip.
    package: str  #: package of Debian, Ubuntu and OSGeo4W; empty if there is none.


class LibraryProblem(NamedTuple):
    """A library that cannot be used, and the reason."""

    library: Library
    reason: str  #: the reason, in the user's language.
    is_fixable: bool = True  #: True if an installation solves the problem.

    @property
    def sentence(self) -> str:
        """The library, its minimum version and the reason, in the user's language."""
        library = self.library
        return tr(
            "{name} {least} or later ({found})",
            name=library.name,
            least=library.minimum_version,
            found=self.reason,
        )


def _solve_assignment(_scipy: Any) -> object:
    """Call functions of scipy.optimize, of which ``milp`` exists from scipy 1.9 on."""
    optimize = importlib.import_module("scipy.optimize")
    return optimize.milp, optimize.linear_sum_assignment([[1.0]])


def _create_figure(_matplotlib: Any) -> object:
    """Create a figure with the constrained layout, which exists from matplotlib 3.5 on."""
    return importlib.import_module("matplotlib.figure").Figure(layout="constrained")


def _verify_leaflet(_package: Any) -> object:
    """Read the files of Leaflet, which have known checksums."""
    # QGIS starts without the modules of the pages to explore.
    from randcrowns.report.explore.leaflet import read_leaflet

    return read_leaflet()


def _require_library(
    name: str,
    least: str,
    why: str,
    call: Callable[[Any], object],
    package: bool = True,
    installed: str = "",
) -> Library:
    """Return a Library with the default requirement and package name.

    Args:
        name: name of the module, which is also its name for pip.
        least: minimum version.
        why: what the plugin needs the library for.
        call: test call, see :class:`Library`.
        package: True if Debian, Ubuntu and OSGeo4W have a package ``python3-<name>``.
        installed: minimum version that pip installs, if older ones have flaws that distributions
            repair without a new version; empty for ``least``.
    """
    package_name = f"python3-{name}" if package else ""
    return Library(
        name=name,
        minimum_version=least,
        purpose=why,
        test_call=call,
        requirement=f"{name}>={installed or least}",
        package=package_name,
    )


#: Libraries by group.
LIBRARIES: dict[str, tuple[Library, ...]] = {
    REQUIRED: (
        _require_library(
            "numpy",
            "1.20",
            tr("arrays"),
            lambda numpy: numpy.lib.stride_tricks.sliding_window_view(numpy.arange(3), 2),
        ),
        _require_library(
            "shapely", "2.0", tr("geometry"), lambda shapely: shapely.area(shapely.box(0, 0, 1, 1))
        ),
        _require_library(
            "pandas",
            "1.5",
            tr("tables"),
            lambda pandas: pandas.from_dummies(pandas.DataFrame({"a": [1, 0], "b": [0, 1]})),
        ),
        _require_library("scipy", "1.9", tr("assignment, statistics"), _solve_assignment),
    ),
    PLOTS: (_require_library("matplotlib", "3.5", tr("plots and pictures"), _create_figure),),
    REPORTS: (
        _require_library(
            "jinja2",
            "3.0",
            tr("reports"),
            lambda jinja2: jinja2.Environment(autoescape=True).from_string("{{ 1 }}"),
            installed="3.1.6",
        ),
    ),
    CLOUDS: (
        _require_library(
            "laspy",
            "2.5",
            tr("point cloud files (LAS)"),
            lambda laspy: laspy.DecompressionSelection.all(),
        ),
        _require_library(
            "lazrs",
            "0.5",
            tr("compressed point cloud files (LAZ, COPC)"),
            lambda lazrs: lazrs.LazVlr.new_for_compression(6, 0),
            package=False,
        ),
    ),
    EXPLORER: (
        Library(
            name="js_lib_leaflet",
            minimum_version="1.9.4.1",
            purpose=tr("pages to explore runs in a browser (Leaflet)"),
            test_call=_verify_leaflet,
            requirement="django-js-lib-leaflet==1.9.4.1",
            package="",
        ),
    ),
    PLY_FILES: (
        _require_library(
            "plyfile",
            "0.8",
            tr("point cloud files (PLY)"),
            lambda plyfile: (plyfile.PlyData.read, plyfile.PlyElement.describe),
        ),
    ),
}

#: Groups whose libraries have passed the check.
_usable: set[str] = set()


def library_folder(profile: str | Path = "") -> Path:
    """Return the folder of libraries that are installed for the plugin only.

    It is in the QGIS profile, and specific to the Python version. Other plugins and a later Python
    never search it.

    Args:
        profile: folder of the QGIS profile; by default the current one.
    """
    home = Path(str(profile) or QgsApplication.qgisSettingsDirPath())
    return home / "python" / "randcrowns_libraries" / "py{}.{}".format(*sys.version_info[:2])


def add_library_folder(folder: Path) -> None:
    """Search a folder for modules first, except for numpy, which must be QGIS's own.

    ``sys.path`` is changed, and numpy is imported before.
    """
    if folder.is_dir() and str(folder) not in sys.path:
        _import_or_error("numpy")
        sys.path.insert(0, str(folder))


def library_problems(group: str = REQUIRED) -> tuple[LibraryProblem, ...]:
    """Import and test the libraries of a group; return those that cannot be used.

    A group without problems is not tested again.
    """
    if group in _usable:
        return ()
    add_library_folder(library_folder())
    problems = check_libraries(LIBRARIES[group])
    if not problems:
        _usable.add(group)
    return problems


def check_libraries(libraries: Iterable[Library]) -> tuple[LibraryProblem, ...]:
    """Import and test libraries; return those that cannot be used."""
    problems = [_find_library_problem(library) for library in libraries]
    return tuple(problem for problem in problems if problem is not None)


def missing_libraries(
    libraries: Iterable[Library] = LIBRARIES[REQUIRED],
) -> tuple[LibraryProblem, ...]:
    """Return the libraries that are not installed, without importing any."""
    search_path = [str(library_folder()), *sys.path]
    return tuple(
        LibraryProblem(library, tr("not installed"))
        for library in libraries
        if not _is_installed(library.name, search_path)
    )


def _is_installed(name: str, search_path: list[str]) -> bool:
    """Return True if a module is imported or can be located, also if it may be broken."""
    try:
        spec = PathFinder.find_spec(name, search_path)
        return name in sys.modules or (spec is not None and spec.has_location)
    except Exception:  # noqa: BLE001 - the module exists; its import reports what is wrong
        return True


def _import_or_error(name: str) -> Any:
    """Return a module, or the exception that its import raises.

    A broken library must not stop QGIS.
    """
    try:
        with _hide_pyproj():
            return importlib.import_module(name)
    except (KeyboardInterrupt, GeneratorExit):
        raise
    except BaseException as error:  # noqa: BLE001 - panics of Rust and SystemExit are no Exception
        return error


@contextmanager
def _hide_pyproj() -> Iterator[None]:
    """Let the modules that are imported in the context find no pyproj.

    laspy imports pyproj if it is installed. The pyproj of pip has a PROJ of its own, and a process
    with two of them crashes when QGIS quits. laspy needs it only to convert coordinate systems.
    """
    if "pyproj" in sys.modules:
        yield
        return
    sys.modules["pyproj"] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules["pyproj"]


def _find_library_problem(library: Library) -> LibraryProblem | None:
    """Import and test a library.

    Returns:
        The problem; None if the library can be used.
    """
    # The import makes shapely use its own GEOS, if it comes first.
    from randcrowns.core import geos  # noqa: F401

    module = _import_or_error(library.name)
    if isinstance(module, BaseException):
        is_missing = isinstance(module, ModuleNotFoundError) and module.name == library.name
        if is_missing:
            return LibraryProblem(library, tr("not installed"))
        return LibraryProblem(library, tr("cannot be imported: {why}", why=_format_error(module)))

    is_namespace = getattr(module, "__file__", "") is None
    if is_namespace:
        # Only empty folders of a removed library remain, which Python imports as a namespace.
        sys.modules.pop(library.name)
        return LibraryProblem(library, tr("not installed"))
    return _test_library(library, module)


def _test_library(library: Library, module: Any) -> LibraryProblem | None:
    """Run the test of an imported library and return its problem; None if it can be used.

    Args:
        library: the library.
        module: its top module.
    """
    from randcrowns.core import geos

    version = getattr(module, "__version__", "") or tr("of an unknown version")
    try:
        library.test_call(module)
        if library.name == "shapely" and not geos.shapely_uses_own_geos():
            return LibraryProblem(
                library, tr("mixed up with QGIS's own geometry library"), is_fixable=False
            )
    except (KeyboardInterrupt, GeneratorExit):
        raise
    except AttributeError:
        file = str(getattr(module, "__file__", "") or "")
        folder = os.path.dirname(file)  # noqa: PTH120 - "" for a module without a file
        return LibraryProblem(
            library, tr("{version} in {where} lacks what is needed", version=version, where=folder)
        )
    except BaseException as error:  # noqa: BLE001 - panics of Rust and SystemExit are no Exception
        return LibraryProblem(
            library,
            tr("{version} does not work: {why}", version=version, why=_format_error(error)),
        )
    return None


def _format_error(error: BaseException) -> str:
    """Return the type and message of an exception on one line, shortened."""
    message = " ".join(str(error).split())
    return f"{type(error).__name__}: {message[:_MAX_ERROR_LENGTH]}"
