"""pytest prints its own errors, although the process ends before Python does."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from support.code import ROOT


@pytest.mark.parametrize(
    ("path", "options"),
    [
        ("tests/no_such_file.py", ()),
        ("tests/no_such_file.py", ("-n", "1")),
        ("tests/no_such_file.py::test_one", ()),
        ("tests/test_conftest.py::test_nothing", ()),
    ],
)
def test_a_path_without_tests_is_named(path: str, options: tuple[str, ...]) -> None:
    words = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/test_absent.py", path]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run(
        [sys.executable, *words, *options],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert path in done.stderr
