"""A run of scored crowns to explore, and a browser that opens its page."""

from __future__ import annotations

import pytest
from support.browser import Browser
from support.explored import scored_run

from randcrowns.report.explore.page import render_explorer


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    running = Browser(tmp_path_factory.mktemp("browser"))
    yield running
    running.close()


@pytest.fixture
def opened(browser, tmp_path):
    """Open the page of a run; by default that of 60 scored crowns."""

    def open_run(run=None):
        path = tmp_path / "page.html"
        path.write_text(render_explorer(run or scored_run(60)), encoding="utf-8")
        browser.open(path)
        browser.run("localStorage.clear()")
        browser.open(path)
        return browser

    return open_run
