"""A skip in CI: of what may be absent there it stays a skip, of all else it is a failure."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
SKIPS = """
import pytest
def test_may():
    pytest.skip("there is no network")
def test_must():
    pytest.importorskip("no_such_module")
@pytest.mark.skipif(True, reason="no such program")
def test_program():
    pass
@pytest.mark.xfail
def test_known():
    assert False
"""
MODULE = 'import pytest\npytest.importorskip("no_such_module")\n'


@pytest.mark.parametrize(
    ("ci", "expected"),
    [("1", "1 failed, 1 skipped, 1 xfailed, 2 errors"), ("", "4 skipped, 1 xfailed")],
)
def test_what_is_absent_in_ci_fails(tmp_path: Path, ci: str, expected: str) -> None:
    hooks = "from support.absent import pytest_make_collect_report, pytest_runtest_makereport\n"
    for name, text in (
        ("conftest.py", hooks),
        ("test_skips.py", SKIPS),
        ("test_module.py", MODULE),
    ):
        (tmp_path / name).write_text(text, encoding="utf-8")
    words = [
        "-m",
        "pytest",
        "-q",
        "--rootdir=.",
        "--continue-on-collection-errors",
        "-p",
        "no:cacheprovider",
        ".",
    ]
    environment = {
        **os.environ,
        "PYTHONPATH": str(HERE),
        "CI": ci,
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    }
    done = subprocess.run(
        [sys.executable, *words], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert expected in done.stdout.splitlines()[-1], done.stdout
