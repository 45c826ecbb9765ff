"""The Python libraries that QGIS may lack: found by importing them and calling what must exist."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Iterable
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Any, Callable, NamedTuple

from qgis.core import QgsApplication

from randcrowns.layers.words import tr

#: What needs libraries: everything, plots, point clouds.
NEEDED, PLOTS, CLOUDS, REPORTS = "needed", "plots", "clouds", "reports"
#: Characters of a foreign error in a sentence.
_LONGEST = 160


class Library(NamedTuple):
    """A library as Python imports it, its oldest version, what needs it, a call that older ones cannot answer."""

    name: str
    least: str
    why: str
    call: Callable[[Any], object]
    requirement: str  #: what pip takes.
    package: str  #: what Debian, Ubuntu and OSGeo4W call it; empty where they do not have it.


class Trouble(NamedTuple):
    """A library that cannot be used: what was found, and whether installing it mends that."""

    library: Library
    found: str
    mends: bool = True

    @property
    def sentence(self) -> str:
        """The library with what was found."""
        library = self.library
        return tr(
            "{name} {least} or later ({found})",
            name=library.name,
            least=library.least,
            found=self.found,
        )


def _solve(_scipy: Any) -> object:
    optimize = importlib.import_module("scipy.optimize")
    return optimize.milp, optimize.linear_sum_assignment([[1.0]])


def _figure(_matplotlib: Any) -> object:
    return importlib.import_module("matplotlib.figure").Figure(layout="constrained")


def _library(
    name: str, least: str, why: str, call: Callable[[Any], object], package: bool = True
) -> Library:
    return Library(name, least, why, call, f"{name}>={least}", f"python3-{name}" if package else "")


LIBRARIES: dict[str, tuple[Library, ...]] = {
    NEEDED: (
        _library(
            "numpy",
            "1.20",
            tr("arrays"),
            lambda it: it.lib.stride_tricks.sliding_window_view(it.arange(3), 2),
        ),
        _library("shapely", "2.0", tr("geometry"), lambda it: it.area(it.box(0, 0, 1, 1))),
        _library(
            "pandas",
            "1.5",
            tr("tables"),
            lambda it: it.from_dummies(it.DataFrame({"a": [1, 0], "b": [0, 1]})),
        ),
        _library("scipy", "1.9", tr("assignment, statistics"), _solve),
    ),
    PLOTS: (_library("matplotlib", "3.5", tr("plots and pictures"), _figure),),
    REPORTS: (
        _library(
            "jinja2",
            "3.0",
            tr("reports"),
            lambda it: it.Environment(autoescape=True).from_string("{{ 1 }}"),
        ),
    ),
    CLOUDS: (
        _library(
            "laspy",
            "2.5",
            tr("point cloud files (LAS)"),
            lambda it: it.DecompressionSelection.all(),
        ),
        _library(
            "lazrs",
            "0.5",
            tr("compressed point cloud files (LAZ, COPC)"),
            lambda it: it.LazVlr.new_for_compression(6, 0),
            package=False,
        ),
    ),
}

_usable: set[str] = set()


def own_folder(profile: str | Path = "") -> Path:
    """Where libraries are installed for the plugin alone: in the profile of QGIS, apart for each version of Python.

    Nothing but the plugin looks there: a Python that is updated later, and other plugins, never meet them.
    """
    home = Path(str(profile) or QgsApplication.qgisSettingsDirPath())
    return home / "python" / "randcrowns_libraries" / "py{}.{}".format(*sys.version_info[:2])


def use_folder(folder: Path) -> None:
    """Have Python look into the folder first, for all but numpy: that is QGIS's own."""
    if folder.is_dir() and str(folder) not in sys.path:
        _imported("numpy")
        sys.path.insert(0, str(folder))


def troubles(group: str = NEEDED) -> tuple[Trouble, ...]:
    """The libraries of a group that cannot be used; they are imported now."""
    if group in _usable:
        return ()
    use_folder(own_folder())
    found = look(LIBRARIES[group])
    if not found:
        _usable.add(group)
    return found


def look(libraries: Iterable[Library]) -> tuple[Trouble, ...]:
    """Those that cannot be used."""
    return tuple(found for found in map(_trouble_with, libraries) if found is not None)


def absent(libraries: Iterable[Library] = LIBRARIES[NEEDED]) -> tuple[Trouble, ...]:
    """Those that are not installed at all; nothing is imported."""
    use = [str(own_folder()), *sys.path]
    return tuple(
        Trouble(one, tr("not installed")) for one in libraries if not _is_somewhere(one.name, use)
    )


def _is_somewhere(name: str, places: list[str]) -> bool:
    try:
        found = PathFinder.find_spec(name, places)
        return name in sys.modules or (found is not None and found.has_location)
    except Exception:  # noqa: BLE001 - something is there, however odd: importing it says what
        return True


def _imported(name: str) -> Any:
    """The library, or what it raises: whatever is wrong with it, QGIS goes on."""
    try:
        return importlib.import_module(name)
    except (KeyboardInterrupt, GeneratorExit):
        raise
    except BaseException as error:  # noqa: BLE001 - also what Rust raises, and a library that ends the program
        return error


def _trouble_with(library: Library) -> Trouble | None:
    from randcrowns.core import geos  # before shapely, which it has find its own GEOS

    found = _imported(library.name)
    if (
        getattr(found, "__file__", "") is None
    ):  # folders that were left behind by one that was removed
        sys.modules.pop(library.name)
        found = ModuleNotFoundError(name=library.name)
    if isinstance(found, ModuleNotFoundError) and found.name == library.name:
        return Trouble(library, tr("not installed"))
    if isinstance(found, BaseException):
        return Trouble(library, tr("cannot be imported: {why}", why=_reason(found)))
    version = getattr(found, "__version__", "") or tr("of an unknown version")
    try:
        library.call(found)
        if library.name == "shapely" and not geos.shapely_answers_rightly():
            return Trouble(library, tr("mixed up with QGIS's own geometry library"), mends=False)
    except (KeyboardInterrupt, GeneratorExit):
        raise
    except AttributeError:
        where = os.path.dirname(str(getattr(found, "__file__", "") or ""))  # noqa: PTH120 - empty for no file
        return Trouble(
            library, tr("{version} in {where} lacks what is needed", version=version, where=where)
        )
    except BaseException as error:  # noqa: BLE001 - as above
        return Trouble(
            library, tr("{version} does not work: {why}", version=version, why=_reason(error))
        )
    return None


def _reason(error: BaseException) -> str:
    words = " ".join(str(error).split())
    return f"{type(error).__name__}: {words[:_LONGEST]}"
