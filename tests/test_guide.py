"""The user's guide is built without a warning, whole, small, and works from a folder without network."""

from __future__ import annotations

import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from randcrowns.algorithms.report.content import sources

ROOT = Path(__file__).parents[1]
#: What loads a file, by tag.
_LOADS = {"link": "href", "script": "src", "img": "src"}


class Page(HTMLParser):
    """The links, the files loaded and the ids of a page."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.ids: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = {name: value or "" for name, value in attrs}
        self.ids |= {told.get("id", ""), told.get("name", "")}
        if tag == "a" and "href" in told:
            self.links.append(told["href"])
        if tag in _LOADS and _LOADS[tag] in told:
            self.loads.append(told[_LOADS[tag]])


@pytest.fixture(scope="module")
def guide(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The guide, built into a folder of its own; a link without an end fails it."""
    folder = tmp_path_factory.mktemp("guide")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def pages(guide: Path) -> dict[str, Page]:
    """The guide's pages by name."""
    return {path.name: Page(path) for path in guide.glob("*.html")}


def test_every_page_of_the_docs_is_in_it(pages: dict[str, Page]) -> None:
    assert set(pages) == {f"{path.stem}.html" for path in (ROOT / "docs").glob("*.md")}
    linked = {urlsplit(link).path for link in pages["index.html"].links}
    assert set(pages) <= linked


def test_every_link_and_file_is_there(guide: Path, pages: dict[str, Page]) -> None:
    for name, page in pages.items():
        for link in page.links + page.loads:
            to = urlsplit(link)
            if to.scheme in ("http", "https", "mailto"):
                assert link in page.links, f"{name} loads {link} from the network"
                continue
            assert (guide / unquote(to.path or name)).is_file(), f"{name}: {link}"
            if to.fragment and to.path.endswith((".html", "")) and link in page.links:
                assert unquote(to.fragment) in pages[to.path or name].ids, f"{name}: {link}"


def test_it_is_small(guide: Path) -> None:
    assert sum(path.stat().st_size for path in guide.rglob("*")) < 5e6
    shown = {load for page in guide.glob("*.html") for load in Page(page).loads}
    assert {f"images/{path.name}" for path in (guide / "images").iterdir()} <= shown


def test_the_entries_to_cite_are_those_of_the_reports(guide: Path) -> None:
    text = (guide / "cite.html").read_text(encoding="utf-8")
    assert len(re.findall(r"@\w+\{", text)) == len(sources())
