"""Libraries are found by importing them and calling them: real files that are absent, too old,
broken or odd.
"""

from __future__ import annotations

import importlib
import sys

import pytest

from randcrowns.layers import installation, libraries
from randcrowns.layers.libraries import (
    CLOUDS,
    EXPLORER,
    LIBRARIES,
    PLOTS,
    REQUIRED,
    Library,
    LibraryProblem,
    check_libraries,
)
from randcrowns.report.explore import leaflet


@pytest.fixture
def stand_in(tmp_path, monkeypatch):
    """Writes a library of that text and says what is found of it."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def found(text, name="stand_in_library"):
        (tmp_path / f"{name}.py").write_text(text)
        wanted = Library(name, "2.0", "tests", lambda it: it.needed() + 1, f"{name}>=2.0", "")
        troubles = check_libraries([wanted])
        sys.modules.pop(name, None)
        return troubles[0].reason if troubles else ""

    return found


@pytest.mark.parametrize("group", [REQUIRED, PLOTS, CLOUDS])
def test_those_that_are_here_can_be_used(group):
    assert check_libraries(LIBRARIES[group]) == ()
    assert installation.libraries_message(group) == ""
    assert libraries.missing_libraries(LIBRARIES[group]) == ()


def test_leaflet_is_required_as_the_page_to_explore_reads_it():
    """The names are repeated, because QGIS starts without the modules of that page."""
    (library,) = LIBRARIES[EXPLORER]
    names = (library.name, library.minimum_version, library.requirement)
    assert names == (leaflet.PACKAGE, leaflet.PACKAGE_VERSION, leaflet.REQUIREMENT)


def test_a_version_that_is_no_number_is_taken_for_what_it_can_do(stand_in):
    """Debian's shapely calls itself 0+unknown."""
    assert stand_in("__version__ = '0+unknown'\ndef needed(): return 1") == ""


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("__version__ = '1.8.5'", "1.8.5 in .* lacks what is needed"),
        (
            "def needed(): raise AttributeError('inner')",
            "of an unknown version in .* lacks what is needed",
        ),
        ("__version__ = '2.1'\ndef needed(): return 'x'", "2.1 does not work: TypeError"),
        (
            "raise ImportError('numpy.core.multiarray failed to import')",
            "cannot be imported: ImportError: numpy",
        ),
        (
            "import no_such_dependency",
            "cannot be imported: ModuleNotFoundError: No module named 'no_such_dependency'",
        ),
        ("raise SystemExit(3)", "cannot be imported: SystemExit: 3"),
        (
            "class Panic(BaseException): pass\nraise Panic('rust')",
            "cannot be imported: Panic: rust",
        ),
        ("x = (", "cannot be imported: SyntaxError"),
        (
            "__version__ = '2.1'\ndef needed(): raise SystemExit(1)",
            "2.1 does not work: SystemExit: 1",
        ),
    ],
)
def test_whatever_is_wrong_is_said_and_nothing_is_raised(stand_in, text, told):
    import re

    assert re.match(told, stand_in(text))


def test_one_that_is_absent_is_not_installed():
    wanted = LIBRARIES[REQUIRED][1]._replace(name="no_such_library")
    assert [one.reason for one in check_libraries([wanted])] == ["not installed"]
    assert [one.reason for one in libraries.missing_libraries([wanted])] == ["not installed"]


def test_a_folder_left_behind_is_no_library_and_gives_way_to_one(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "stand_in_library" / "__pycache__").mkdir(parents=True)
    wanted = LIBRARIES[REQUIRED][1]._replace(
        name="stand_in_library", test_call=lambda it: it.needed()
    )
    assert [one.reason for one in libraries.missing_libraries([wanted])] == ["not installed"]
    assert [one.reason for one in check_libraries([wanted])] == ["not installed"]
    (tmp_path / "stand_in_library" / "__init__.py").write_text("def needed(): return 1")
    importlib.invalidate_caches()
    assert check_libraries([wanted]) == ()
    assert libraries.missing_libraries([wanted]) == ()
    sys.modules.pop("stand_in_library")


def test_looking_for_what_is_absent_imports_nothing(tmp_path, monkeypatch):
    (tmp_path / "stand_in_library.py").write_text("raise RuntimeError")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert (
        libraries.missing_libraries([LIBRARIES[REQUIRED][1]._replace(name="stand_in_library")])
        == ()
    )
    assert "stand_in_library" not in sys.modules


def test_a_library_that_cannot_even_be_looked_for_is_left_to_importing(tmp_path, monkeypatch):
    class Broken:
        def find_spec(self, _name, _target=None):
            raise OSError("the disk is gone")

    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setitem(sys.path_importer_cache, str(tmp_path), Broken())
    assert (
        libraries.missing_libraries([LIBRARIES[REQUIRED][1]._replace(name="stand_in_library")])
        == ()
    )


def test_the_sentence_names_each_library_what_was_found_and_a_line_to_type():
    shapely, pandas = LIBRARIES[REQUIRED][1:3]
    said = installation.problems_message(
        [
            LibraryProblem(shapely, "1.8.5 in /x lacks what is needed"),
            LibraryProblem(pandas, "not installed"),
        ]
    )
    assert (
        "shapely 2.0 or later (1.8.5 in /x lacks what is needed), pandas 1.5 or later (not installed)"
        in said
    )
    assert "install" in said.rpartition("start QGIS again: ")[2]


def test_shapely_that_is_mixed_up_is_not_installed_again(monkeypatch):
    from randcrowns.core import geos

    monkeypatch.setattr(geos, "shapely_uses_own_geos", lambda: False)
    (found,) = check_libraries(LIBRARIES[REQUIRED])
    assert not found.is_fixable
    assert (found.library.name, found.reason) == (
        "shapely",
        "mixed up with QGIS's own geometry library",
    )
    said = installation.problems_message([found])
    assert "another plugin loaded the library shapely first" in said
    assert "pip" not in said


def test_the_plugins_own_folder_comes_first_but_for_numpy(tmp_path, monkeypatch):
    import numpy

    monkeypatch.setattr(sys, "path", list(sys.path))
    folder = libraries.library_folder(tmp_path)
    assert folder.parts[-3:] == (
        "python",
        "randcrowns_libraries",
        "py{}.{}".format(*sys.version_info[:2]),
    )
    libraries.add_library_folder(folder)
    assert str(folder) not in sys.path
    (folder / "numpy").mkdir(parents=True)
    (folder / "numpy" / "__init__.py").write_text("raise RuntimeError")
    libraries.add_library_folder(folder)
    libraries.add_library_folder(folder)
    assert sys.path.count(str(folder)) == 1
    assert sys.path[0] == str(folder)
    assert sys.modules["numpy"] is numpy
