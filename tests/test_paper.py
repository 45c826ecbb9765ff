"""The paper, the table of its claims and the checklists name what exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from randcrowns.report.references import cited_works

ROOT = Path(__file__).parents[1]
PAPER = (ROOT / "paper" / "paper.md").read_text(encoding="utf-8")
CLAIMS = (ROOT / "paper" / "claims.md").read_text(encoding="utf-8")
CHECKLISTS = (ROOT / "docs" / "checklists.md").read_text(encoding="utf-8")
#: Sections that the journal requires.
SECTIONS = (
    *("Summary", "Statement of need", "State of the field", "Software design"),
    *("Research impact statement", "AI usage disclosure", "Acknowledgements", "References"),
)
#: Text in backticks that is a file or a folder of the project, not a command or a name.
_PATH = re.compile(r"`([\w.-]+(?:/[\w.-]+)*/?)`")


def _body() -> str:
    return PAPER.split("---\n", 2)[2]


def _paths(text: str) -> list[str]:
    names = _PATH.findall(text)
    return [name for name in names if "/" in name or "." in name.strip(".") or name.isupper()]


def test_the_paper_has_all_sections_and_the_length_of_the_journal() -> None:
    assert re.findall(r"^# (.+)$", _body(), re.MULTILINE) == list(SECTIONS)
    # The journal asks for 750 to 1,750 words.
    assert 750 <= len(_body().split()) <= 1750


def test_citations_and_entries_are_the_same() -> None:
    entries = (ROOT / "paper" / "paper.bib").read_text(encoding="utf-8")
    keys = re.findall(r"^@\w+\{(\w+),$", entries, re.MULTILINE)
    assert len(keys) == len(set(keys))
    assert set(re.findall(r"@([a-z]+\d{4})", _body())) == set(keys)
    # An entry that the reports have too is the same there.
    shared = {key: work for key, work in cited_works().items() if key in keys}
    assert shared
    for key, work in shared.items():
        assert work.bibtex in entries, key


def test_figures_exist_and_are_made_by_notebooks() -> None:
    figures = re.findall(r"\]\((\w+\.png)\)", PAPER)
    notebooks = "".join(
        path.read_text(encoding="utf-8") for path in (ROOT / "notebooks").glob("*.py")
    )
    assert figures
    for figure in figures:
        assert (ROOT / "paper" / figure).is_file()
        assert f'savefig("{figure}"' in notebooks


def test_times_are_those_of_the_page_of_benchmarks() -> None:
    page = (ROOT / "docs" / "performance.md").read_text(encoding="utf-8")
    times = re.findall(r"\b[\d.]+ s\b", _body())
    assert times
    assert [time for time in times if f" {time} (" not in page] == []


def test_each_claim_names_a_test_or_a_benchmark() -> None:
    rows = [line for line in CLAIMS.splitlines() if line.startswith("| ")][1:]
    assert rows
    assert [row for row in rows if not _paths(row)] == []


@pytest.mark.parametrize("text", [CLAIMS, CHECKLISTS], ids=["claims", "checklists"])
def test_files_that_are_named_exist(text: str) -> None:
    paths = _paths(text)
    assert paths
    assert [name for name in paths if not (ROOT / name).exists()] == []


def test_each_line_of_a_checklist_says_where_it_is_met() -> None:
    rows = [line for line in CHECKLISTS.splitlines() if line.startswith("| ")]
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]
    assert [row for row in cells if len(row) != 2 or not all(row)] == []
