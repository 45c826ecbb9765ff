"""Rules of the house that hold for every file that is shipped."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.code import ROOT, trees_of

FOLDERS = ("core", "report", "layers", "algorithms", "ui", "jobs", "batch", "command")
SHIPPED = [
    *ROOT.glob("*.py"),
    *sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")),
]
CORE = [path for path in SHIPPED if path.relative_to(ROOT).parts[0] == "core"]


@pytest.fixture(scope="module")
def trees() -> dict[str, ast.Module]:
    """Every shipped file, as the oldest Python that is supported reads it."""
    return trees_of(SHIPPED, (3, 9))


def test_annotations_are_not_evaluated(trees: dict[str, ast.Module]) -> None:
    def deferred(tree: ast.Module) -> bool:
        return any(
            isinstance(node, ast.ImportFrom) and node.module == "__future__" for node in tree.body
        )

    def annotated(tree: ast.Module) -> bool:
        return any(isinstance(node, (ast.FunctionDef, ast.AnnAssign)) for node in ast.walk(tree))

    assert [name for name, tree in trees.items() if not deferred(tree) and annotated(tree)] == []


def test_every_module_says_what_it_is_for(trees: dict[str, ast.Module]) -> None:
    assert [name for name, tree in trees.items() if tree.body and not ast.get_docstring(tree)] == []


def _run(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_core_works_without_qgis_in_any_folder(tmp_path: Path) -> None:
    modules = [
        ".".join(("randcrowns", *path.relative_to(ROOT).with_suffix("").parts)).removesuffix(
            ".__init__"
        )
        for path in CORE
    ]
    code = (
        "import sys, importlib\n"
        "for name in ('qgis', 'osgeo', 'PyQt5', 'PyQt6', 'matplotlib', 'processing'): sys.modules[name] = None\n"
        f"for name in {modules!r}: importlib.import_module(name)\n"
        "from randcrowns.core import RandCrownsParameters, score_pairs, score_crowns, target_regions, idtrees_scores\n"
    )
    done = _run(code, tmp_path)
    assert done.returncode == 0, done.stderr
