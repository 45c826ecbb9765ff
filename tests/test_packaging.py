"""The plugin zip holds what QGIS needs and nothing else, and metadata.txt says what it must."""

from __future__ import annotations

import configparser
import re
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
REQUIRED = ["name", "qgisMinimumVersion", "description", "about", "version", "author", "email", "repository"]


@pytest.fixture(scope="module")
def metadata() -> configparser.SectionProxy:
    parser = configparser.ConfigParser(interpolation=None)
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    parser.read(ROOT / "metadata.txt", encoding="utf-8")
    return parser["general"]


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("the zip is made from a git commit, and this folder is no git checkout")
    path = tmp_path_factory.mktemp("package") / "randcrowns.zip"
    subprocess.run([ROOT / "scripts" / "package.sh", path], check=True, capture_output=True)
    return zipfile.ZipFile(path)


def test_metadata_has_every_required_field(metadata: configparser.SectionProxy) -> None:
    for name in [*REQUIRED, "homepage", "tracker", "tags", "icon", "category"]:
        assert metadata.get(name, "").strip(), name
    assert metadata["hasProcessingProvider"] == "yes"
    assert metadata["qgisMinimumVersion"] == "3.22"
    assert metadata["qgisMaximumVersion"] == "4.99"
    assert re.fullmatch(r"\d+\.\d+\.\d+", metadata["version"])
    assert (ROOT / metadata["icon"]).is_file()


def test_changelog_tells_of_this_version(metadata: configparser.SectionProxy) -> None:
    assert f"## {metadata['version']}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_zip_is_one_folder_that_qgis_can_load(packed: zipfile.ZipFile) -> None:
    names = packed.namelist()
    assert {name.split("/")[0] for name in names} == {"randcrowns"}
    for needed in ("LICENSE", "metadata.txt", "__init__.py", "core/scoring/score.py", "layers/sample.py"):
        assert f"randcrowns/{needed}" in names
    assert "randcrowns/resources/sample.json" in names


def test_zip_leaves_out_what_users_do_not_need(packed: zipfile.ZipFile) -> None:
    folders = {"tests", "batch", "benchmarks", "scripts", "docs", "build", "Makefile", "pyproject.toml"}
    for name in packed.namelist():
        parts = name.split("/")[1:]
        assert not any(part.startswith(".") for part in parts), name
        assert parts[0] not in folders, name
        assert not name.endswith((".pyc", ".pyo")), name
        assert "__pycache__" not in parts, name


def test_zip_is_small(packed: zipfile.ZipFile) -> None:
    assert Path(str(packed.filename)).stat().st_size < 25e6
