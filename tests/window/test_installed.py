"""Installed from the zip into a fresh profile of a real QGIS: used, updated from the last
version, uninstalled.
"""

from __future__ import annotations

import sysconfig
import zipfile
from pathlib import Path

import pytest
from support.once import packed_once
from window.session import ROOT, SCREEN, found_in_window

# tests/test_packaging.py and tests/test_plugin.py cover the zip, loading and unloading.
pytestmark = pytest.mark.nightly


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    if not (ROOT / ".git").exists():
        pytest.skip("this needs a git checkout")
    folder = tmp_path_factory.mktemp("installed")
    zips = [folder / "last" / "randcrowns.zip", packed_once(tmp_path_factory)]
    _as_last_version(zips[1], zips[0])
    settings = folder / "profiles" / "default" / "QGIS" / "QGIS3.ini"
    settings.parent.mkdir(parents=True)
    settings.write_text("[PythonPlugins]\nprocessing=true\n[qgis]\ncheckVersion=false\n")
    words = [*SCREEN, "qgis", "--nologo", "--noversioncheck", "--profiles-path", folder]
    told = {
        "RANDCROWNS_ZIPS": ":".join(map(str, zips)),
        "PYTHONPATH": sysconfig.get_path("purelib"),
    }
    return found_in_window("in_profile.py", folder, words, 400, **told)


def _as_last_version(new: Path, last: Path) -> None:
    """The same plugin as an earlier version, with a file that is gone since."""
    last.parent.mkdir()
    with zipfile.ZipFile(new) as given, zipfile.ZipFile(last, "w") as written:
        for name in given.namelist():
            text = given.read(name)
            if name.endswith("metadata.txt"):
                text = b"\n".join(
                    b"version=0.0.9" if line.startswith(b"version=") else line
                    for line in text.split(b"\n")
                )
            written.writestr(name, text)
        written.writestr("randcrowns/gone_since.py", "")


def test_it_is_installed_used_and_updated_by_qgiss_own_manager(found: dict[str, object]) -> None:
    assert found["versions"] == ["0.0.9", _version()]
    first, second = found["rows"]  # type: ignore[misc]
    assert first == second > 25
    assert "gone_since.py" not in found["files"]  # type: ignore[operator]


def test_libraries_that_are_here_are_not_offered(found: dict[str, object]) -> None:
    assert found["offered"] == ""


def test_uninstalled_it_leaves_nothing(found: dict[str, object]) -> None:
    assert found["left"] is False
    assert found["provider left"] is False
    assert found["actions left"] == []


def _version() -> str:
    text = (ROOT / "metadata.txt").read_text(encoding="utf-8")
    return next(line.partition("=")[2] for line in text.splitlines() if line.startswith("version="))
