"""The overviews in the documents show every page of the dock, and every job of page Start."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from randcrowns.algorithms.algorithm_catalogue import ALGORITHMS
from randcrowns.ui.shell.dock import PAGES
from randcrowns.ui.start.jobs import JOBS

ROOT = Path(__file__).parents[1]
PAGES_OF_TEXT = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
#: Key and title of each page in the order of the dock, and of each page but Start.
TITLES = [(entry.key, entry.title) for entry in PAGES]
TITLES_WITHOUT_START = TITLES[1:]


def _read(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def _table_rows(path: str, heading: str) -> list[str]:
    """Return the rows of the table below a row of headings."""
    following = _read(path).partition(f"{heading}\n")[2]
    rows = following.partition("\n\n")[0].splitlines()
    return rows[1:]


def test_the_table_of_the_readme() -> None:
    rows = _table_rows("README.md", "| page | question | more |")
    found = [re.findall(r"^\| (\w+) \|.*\(docs/(\w+)\.md\) \|$", row) for row in rows]
    assert found == [[(title, key)] for key, title in TITLES]


def test_the_pages_without_algorithms_in_the_readme() -> None:
    topics = {entry.topic.key for entry in ALGORITHMS}
    named = re.findall(r"Each page except (.+) runs Processing algorithms", _read("README.md"))
    without = [title for key, title in TITLES if key not in topics]
    assert [re.split(", | and ", names) for names in named] == [without]


def test_the_algorithms_in_the_readme() -> None:
    sentence = _read("README.md").partition("The algorithms are ")[2].partition(". ")[0]
    named = [name.partition(":")[2] or name for name in re.findall(r"`([\w:]+)`", sentence)]
    assert sorted(named) == sorted(entry.key for entry in ALGORITHMS)


def test_the_table_of_the_first_page_of_the_guide() -> None:
    rows = _table_rows("docs/index.md", "| task | page of the dock |")
    links = re.findall(r"\[(\w+)\]\((\w+)\.md", "\n".join(rows))
    found = dict.fromkeys((key, title) for title, key in links if key in dict(TITLES))
    assert list(found) == TITLES_WITHOUT_START


def test_the_drawing_of_the_pages() -> None:
    found = re.findall(r'<a href="(\w+)\.html">.*>(\w+)</text></a>', _read("docs/start.md"))
    assert found == TITLES_WITHOUT_START


def test_the_table_of_the_jobs() -> None:
    rows = _table_rows("docs/start.md", "| job | what the project needs | page |")
    found = [re.findall(r"^\| (.+?) \|.*\[\w+\]\((\w+)\.md", row) for row in rows]
    assert found == [[(job.title, job.page_key)] for job in JOBS]


def test_every_job_has_a_short_page_with_a_picture() -> None:
    """Five minutes of reading are about 1,000 words."""
    rows = _table_rows("docs/start.md", "| job | what the project needs | page |")
    pages = [re.findall(r"\[step by step\]\((\w+\.md)\)", row) for row in rows]
    assert [len(found) for found in pages] == [1] * len(JOBS)
    for job, (page,) in zip(JOBS, pages):
        text = _read(f"docs/{page}")
        assert text.startswith(f"# {job.title}\n")
        assert len(text.split()) < 1_000
        assert re.search(r"^1\. \*\*.*\n2\. \*\*", text, re.MULTILINE)
        assert re.search(r"!\[.+\]\(images/\w+\.png\)", text)
        assert page in _read("mkdocs.yml")


@pytest.mark.parametrize("path", PAGES_OF_TEXT, ids=lambda path: path.name)
def test_every_table_follows_an_empty_line_or_a_heading(path: Path) -> None:
    """mkdocs shows a table that continues a paragraph as text."""
    lines = path.read_text(encoding="utf-8").splitlines()
    rows = [(above, row) for above, row in zip(lines, lines[1:]) if row.startswith("|")]
    allowed = ("|", "#", "<!--")
    assert [row for above, row in rows if above and not above.startswith(allowed)] == []


@pytest.mark.parametrize("path", PAGES_OF_TEXT, ids=lambda path: path.name)
def test_every_numbered_list_begins_with_1(path: Path) -> None:
    """mkdocs numbers a list from 1 again after a table or a paragraph."""
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line]
    steps = [(above, step) for above, step in zip(lines, lines[1:]) if re.match(r"\d+\. ", step)]
    continued = re.compile(r"\d+\. |    ")
    assert [
        step for above, step in steps if not step.startswith("1. ") and not continued.match(above)
    ] == []
