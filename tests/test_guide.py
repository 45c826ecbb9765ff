"""The user's guide is complete, small, and works from a folder without a server or network."""

from __future__ import annotations

import inspect
import json
import posixpath
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

import randcrowns
from randcrowns import core, plotting
from randcrowns.report.references import cited_works

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
#: Attribute that loads a file, by tag.
_LOADS = {"link": "href", "script": "src", "img": "src"}
#: Programs that are Chromium, in the order of preference.
_CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
#: LaTeX that was not converted.
_LATEX = re.compile(r"\\[(]|\$\$|\\frac")


class Page(HTMLParser):
    """Links, loaded files, ids and formulas of a page."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.ids: set[str] = set()
        self.formulas: list[str | None] = []
        self.html = path.read_text(encoding="utf-8")
        self.feed(self.html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self.ids |= {values.get("id", ""), values.get("name", "")}
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        if tag == "math":
            self.formulas.append(values["display"])
        if tag in _LOADS and _LOADS[tag] in values:
            self.loads.append(values[_LOADS[tag]])


@pytest.fixture(scope="module")
def guide(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The guide, built into a separate folder; a link without a target fails it."""
    folder = tmp_path_factory.mktemp("the guide")  # a space, as in the folders of many users
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    build = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert build.returncode == 0, build.stderr
    return folder


@pytest.fixture(scope="module")
def pages(guide: Path) -> dict[str, Page]:
    """The guide's pages by path."""
    return {path.relative_to(guide).as_posix(): Page(path) for path in guide.rglob("*.html")}


class Visit:
    """A page in Chromium: its elements, and the network requests of its elements and scripts."""

    def __init__(self, url: str, folder: Path) -> None:
        program = next(filter(None, map(shutil.which, _CHROMIUM)), None)
        if program is None:
            pytest.skip("Chromium is not installed")
        command = [
            program,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--no-first-run",
            "--host-resolver-rules=MAP * ~NOTFOUND",
            "--virtual-time-budget=20000",
            f"--user-data-dir={folder / 'profile'}",
            f"--log-net-log={folder / 'requests.json'}",
            "--dump-dom",
            url,
        ]
        visit = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
        assert visit.returncode == 0, visit.stderr
        self.html = visit.stdout
        log = json.loads((folder / "requests.json").read_text(encoding="utf-8"))
        started = [event.get("params", {}) for event in log["events"]]
        # Requests of the browser itself, such as for updates, have no origin.
        self.requests = {
            request["url"]
            for request in started
            if "url" in request and request.get("initiator", "not an origin") != "not an origin"
        }

    def found(self) -> set[Path]:
        """Return the files of the search results."""
        links = re.findall(r'<a href="([^"]*)" class="md-search-result__link"', self.html)
        return {Path(unquote(urlsplit(link).path)) for link in links}


def test_every_page_of_the_docs_is_in_it(pages: dict[str, Page]) -> None:
    docs = {path.relative_to(DOCS).with_suffix(".html").as_posix() for path in DOCS.rglob("*.md")}
    assert set(pages) == docs
    assert set(pages) <= {urlsplit(link).path for link in pages["index.html"].links}


def test_every_link_and_file_is_there(guide: Path, pages: dict[str, Page]) -> None:
    for name, page in pages.items():
        for link in page.links + page.loads:
            to = urlsplit(link)
            if to.scheme in ("http", "https", "mailto"):
                assert link in page.links, f"{name} loads {link} from the network"
                continue
            path = posixpath.normpath(posixpath.join(posixpath.dirname(name), unquote(to.path)))
            path = path if to.path else name
            assert (guide / path).is_file(), f"{name}: {link}"
            if to.fragment and path in pages and link in page.links:
                assert unquote(to.fragment) in pages[path].ids, f"{name}: {link}"


def test_it_is_small(guide: Path) -> None:
    assert sum(path.stat().st_size for path in guide.rglob("*")) < 8e6
    loads = {load for page in guide.glob("*.html") for load in Page(page).loads}
    assert {f"images/{path.name}" for path in (guide / "images").iterdir()} <= loads


def test_a_website_lists_its_versions_and_opens_the_newest(tmp_path: Path) -> None:
    for version in ("1.9.0", "1.10.0"):
        (tmp_path / version).mkdir()
        (tmp_path / version / "index.html").touch()
    script = ROOT / "scripts" / "site_versions.py"
    subprocess.run([sys.executable, str(script), str(tmp_path)], check=True)
    versions = json.loads((tmp_path / "versions.json").read_text(encoding="utf-8"))
    assert [(entry["title"], entry["aliases"]) for entry in versions] == [
        ("1.10.0", ["latest"]),
        ("1.9.0", []),
    ]
    assert 'href="1.10.0/index.html"' in (tmp_path / "index.html").read_text(encoding="utf-8")


def test_the_entries_to_cite_are_those_of_the_reports(guide: Path) -> None:
    text = (guide / "cite.html").read_text(encoding="utf-8")
    assert len(re.findall(r"@\w+\{", text)) == len(cited_works())


def test_formulas_are_mathml(pages: dict[str, Page]) -> None:
    for path in DOCS.rglob("*.md"):
        text = re.sub(r"(?s)```.*?```|`[^`]*`", "", path.read_text(encoding="utf-8"))
        page = pages[path.relative_to(DOCS).with_suffix(".html").as_posix()]
        assert page.formulas.count("inline") == text.count(r"\("), path.name
        assert page.formulas.count("block") == text.count("$$") / 2, path.name
        assert not _LATEX.search(re.sub(r"(?s)<(pre|code).*?</\1>", "", page.html)), path.name
    assert pages["score.html"].formulas.count("block") == 3


def test_formulas_in_code_are_kept(tmp_path: Path) -> None:
    script = (
        "import sys, markdown; sys.path.insert(0, 'docs'); from hooks import Formulas; "
        r"print(markdown.markdown('`\\(a\\)` and \\(b_1\\)', extensions=[Formulas()]))"
    )
    command = [sys.executable, "-c", script]
    html = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert r"<code>\(a\)</code>" in html
    assert html.count("<math") == 1


def test_the_api_describes_every_public_name(pages: dict[str, Page]) -> None:
    ids = {name for path, page in pages.items() if path.startswith("api/") for name in page.ids}
    assert {f"randcrowns.core.{name}" for name in core.__all__} <= ids
    for package in ("agreement", "detectors", "exchange", "instances", "tuning"):
        names = __import__(f"randcrowns.core.{package}", fromlist=["__all__"]).__all__
        assert {f"randcrowns.core.{package}.{name}" for name in names} <= ids
    # The functions of "import randcrowns", by the modules that define them.
    public = randcrowns._PUBLIC.values()  # noqa: SLF001 - the functions themselves import pyproj
    own = [f"randcrowns.{module}.{name}" for module, name in public if module.startswith("jobs")]
    assert set(own) <= ids
    assert {f"randcrowns.plotting.{name}" for name in plotting.__all__} <= ids
    assert not [name for name in ids if re.search(r"^randcrowns.*\._", name)]


def test_the_api_shows_parameters_results_errors_and_an_example(pages: dict[str, Page]) -> None:
    html = pages["api/scoring.html"].html
    start = html.index('id="randcrowns.core.score_crowns"')
    html = html[start : html.index('<h2 id="randcrowns.core.score_pairs"')]
    for name in inspect.signature(core.score_crowns).parameters:
        assert f"<code>{name}</code>" in html, name
    for section in ("Parameters:", "Returns:", "Raises:"):
        assert section in html
    assert 'class="gp">&gt;&gt;&gt; </span>' in html
    assert ":class:" not in html[: html.index("<details")]


@pytest.mark.parametrize(
    ("word", "page"), [("STAPLE", "annotators.html"), ("score_crowns", "api/scoring.html")]
)
def test_search_works_without_a_server_or_network(
    guide: Path, tmp_path: Path, word: str, page: str
) -> None:
    visit = Visit(f"{(guide / 'index.html').as_uri()}?q={word}", tmp_path)
    assert guide / page in visit.found()
    assert visit.requests == set()


@pytest.mark.parametrize("page", ["score.html", "api/scoring.html"])
def test_a_page_requests_nothing_from_elsewhere(guide: Path, tmp_path: Path, page: str) -> None:
    visit = Visit((guide / page).as_uri(), tmp_path)
    assert "</main>" in visit.html
    assert visit.requests == set()


def test_requests_of_a_page_are_noticed(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text('<img src="https://forest.org/tree.png">', encoding="utf-8")
    assert Visit(page.as_uri(), tmp_path).requests == {"https://forest.org/tree.png"}
