"""What ``import randcrowns`` imports: little, and inside QGIS nothing of the jobs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from support.code import ROOT


def _run(code: str, *paths: str) -> str:
    """Return what Python code prints in a process of its own."""
    own_paths = [*paths, *filter(None, sys.path)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(own_paths)}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_the_package_imports_nothing_at_first() -> None:
    code = (
        "import sys, randcrowns; dir(randcrowns); "
        "print([name for name in ('numpy', 'pandas', 'geopandas') if name in sys.modules])"
    )
    assert _run(code) == "[]"


def test_the_plugin_imports_no_jobs() -> None:
    code = (
        "import sys; import randcrowns.algorithms.provider, randcrowns.ui.shell.dock; "
        "names = ('jobs', 'batch', 'command', 'plotting'); "
        "print([n for n in sys.modules if n.split('.')[:1] == ['randcrowns'] "
        "and n.split('.')[1:2] and n.split('.')[1] in names], 'geopandas' in sys.modules)"
    )
    assert _run(code).splitlines()[-1] == "[] False"


def test_a_zip_of_the_plugin_has_no_jobs(tmp_path: Path) -> None:
    package = tmp_path / "randcrowns"
    package.mkdir()
    for name in ("__init__.py", "metadata.txt"):
        shutil.copy(ROOT / name, package)
    code = "import randcrowns; print('score' in dir(randcrowns), hasattr(randcrowns, 'score'))"
    assert _run(code, str(tmp_path)) == "False False"


def test_the_package_has_the_version_of_the_plugin() -> None:
    printed = _run("import randcrowns; print(randcrowns.__version__)")
    assert f"\nversion={printed}\n" in (ROOT / "metadata.txt").read_text(encoding="utf-8")
