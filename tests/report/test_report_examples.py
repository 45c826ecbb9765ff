"""The examples in docstrings of the reports run and give the shown results."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import subprocess
import sys

import pytest

from randcrowns import report

MODULES = sorted(
    module.name for module in pkgutil.walk_packages(report.__path__, "randcrowns.report.")
)


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_some_reports_have_examples() -> None:
    finder = doctest.DocTestFinder(exclude_empty=True)
    module = importlib.import_module("randcrowns.report.language")
    assert any(test.examples for test in finder.find(module))


def test_a_report_needs_no_qgis_and_imports_matplotlib_and_jinja_late(tmp_path) -> None:
    code = (
        "import sys, importlib\n"
        "for name in ('qgis', 'osgeo', 'PyQt5', 'PyQt6'): sys.modules[name] = None\n"
        f"for name in {MODULES!r}:\n"
        "    if name != 'randcrowns.report.sandbox': importlib.import_module(name)\n"
        "print([name for name in ('matplotlib', 'jinja2') if name in sys.modules])\n"
        "from randcrowns.report.content import Report, Section\n"
        "from randcrowns.report.render import render_html\n"
        "assert '<h1>oak</h1>' in render_html(Report('oak', '', [Section('one')], []))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "[]"
