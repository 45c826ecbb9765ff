"""In CI a test that is skipped because something is absent fails, but for a short list."""

from __future__ import annotations

import os
from collections.abc import Generator
from typing import Any

import pytest

__all__ = ["MAY_BE_ABSENT", "pytest_make_collect_report", "pytest_runtest_makereport"]

#: Part of the reason that a skipped test gives -> why that may be so in CI.
MAY_BE_ABSENT = {
    "no network": "CI may be shut off",
    "cannot be fetched": "as above",
    "PostgreSQL": "CI installs it where it can, and says so where it cannot",
    "chromium": "as above",
    "copclib": "it has no wheels for every Python",
    "COPC": "QGIS is built with and without it",
    "root": "CI runs as root or not; the tests of both kinds are never run together",
    "everybody may write": "as above",
    "one GEOS": "libraries of pip bring their own GEOS, those of the system do not",
    "this GDAL": "GDAL is built with and without a driver",
    "before QGIS 3.32": "the oldest QGIS that is supported is tested, too",
    "made with other links": "make release has links of its own",
    "git checkout": "what an archive of the sources holds is tested, too",
    "Windows": "CI is Linux",
    "Linux": "as above, for whoever runs it elsewhere",
}


def _judged(report: Any) -> Any:
    """The report, failed where it is of a skip in CI that is not on the list."""
    if os.environ.get("CI") and report.skipped and not hasattr(report, "wasxfail"):
        reason = str(report.longrepr[2])
        if not any(part in reason for part in MAY_BE_ABSENT):
            report.outcome = "failed"
            report.longrepr = f"{reason}\nIn CI this must be there, or stand in support.absent.MAY_BE_ABSENT with a reason."
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, Any, Any]:
    """Tests, and the fixtures they ask for."""
    return _judged((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, Any, Any]:
    """Whole modules."""
    return _judged((yield))
