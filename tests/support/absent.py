"""Fail tests in CI that are skipped because a requirement is missing, with few exceptions."""

from __future__ import annotations

import os
from collections.abc import Generator
from typing import Any

import pytest

__all__ = ["MAY_BE_ABSENT", "pytest_make_collect_report", "pytest_runtest_makereport"]

#: Part of the reason of a skip -> why the requirement may be missing in CI.
MAY_BE_ABSENT = {
    "no network": "CI may be shut off",
    "cannot be fetched": "as above",
    "PostgreSQL": "CI installs it where it can, and says so where it cannot",
    "chromium": "as above",
    "firefox": "as above",
    "there is no man": "minimal systems show no manual pages",
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
    """Return the report of a test; in CI a skip for a reason that is not listed becomes a failure."""
    if os.environ.get("CI") and report.skipped and not hasattr(report, "wasxfail"):
        reason = str(report.longrepr[2])
        if not any(part in reason for part in MAY_BE_ABSENT):
            report.outcome = "failed"
            report.longrepr = f"{reason}\nCI requires it, or an entry of support.absent.MAY_BE_ABSENT with a reason."
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, Any, Any]:
    """Judge the reports of tests and their fixtures."""
    return _judged((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, Any, Any]:
    """Judge the reports of modules."""
    return _judged((yield))
