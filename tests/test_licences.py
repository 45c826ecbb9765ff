"""Every file has a licence: the table for the tool reuse names what exists."""

from __future__ import annotations

import json
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
REUSE = (ROOT / "REUSE.toml").read_text(encoding="utf-8")


def _quoted(line_start: str) -> list[str]:
    """Return the texts in quotes on the lines that begin so."""
    lines = [line for line in REUSE.splitlines() if line.startswith(line_start)]
    return [text for line in lines for text in re.findall('"([^"]+)"', line)]


def test_the_text_of_each_licence_is_there_and_no_other() -> None:
    named = {
        name
        for expression in _quoted("SPDX-License-Identifier")
        for name in expression.split(" AND ")
    }
    assert {path.stem for path in (ROOT / "LICENSES").iterdir()} == named


def test_each_path_of_the_table_exists() -> None:
    paths = _quoted("path")
    assert "**" in paths
    assert [path for path in paths if not (ROOT / path.removesuffix("/**")).exists()] == ["**"]


def test_data_of_others_have_an_entry() -> None:
    """Data of others have their licence beside them, or are an archive of real data."""
    paths = [path.removesuffix("/**") for path in _quoted("path")]
    archives = [path.relative_to(ROOT) for path in (ROOT / "tests/data/real").glob("*.xz")]
    folders = [path.parent.relative_to(ROOT) for path in (ROOT / "tests").rglob("LICENSE")]
    assert archives
    assert folders
    assert [path for path in (*archives, *folders) if path.as_posix() not in paths] == []


def test_versions_and_licences_are_the_same_everywhere() -> None:
    metadata = (ROOT / "metadata.txt").read_text(encoding="utf-8")
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    described = json.loads((ROOT / "codemeta.json").read_text(encoding="utf-8"))
    assert f"\nversion={described['version']}\n" in metadata
    assert f"\nversion: {described['version']}\n" in citation
    licence = described["license"].rpartition("/")[2]
    assert f"\nlicense: {licence}\n" in citation
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert f'license = {{ text = "{licence}" }}' in project
    required = project.partition("\ndependencies = [")[2].partition("]")[0]
    assert re.findall('"([a-z0-9]+)', required) == described["softwareRequirements"]
