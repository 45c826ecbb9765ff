"""A run of scored crowns to explore, and the browsers that open its page."""

from __future__ import annotations

import pytest
from support.browser import Browser
from support.explored import scored_run
from support.firefox import Firefox

from randcrowns.report.explore.page import render_explorer


@pytest.fixture(scope="session")
def running_browsers(tmp_path_factory):
    """The browsers that are already running, by name."""
    running = {}
    yield running
    for one in running.values():
        one.close()


@pytest.fixture
def browser(request, running_browsers, tmp_path_factory):
    """Chromium, or the browser that the test names."""
    name = getattr(request, "param", "chromium")
    if name not in running_browsers:
        started = {"chromium": Browser, "firefox": Firefox}[name]
        running_browsers[name] = started(tmp_path_factory.mktemp(name))
    return running_browsers[name]


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
