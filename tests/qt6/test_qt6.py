"""Qt 6: every module is imported and every widget made and shown with PyQt6; QGIS 4 itself is
not to be had here.
"""

from __future__ import annotations

import ast
import importlib.util
import json
import subprocess
import sys

import pytest
from support.code import ROOT, trees_of

SHIPPED = [
    path
    for floor in ("layers", "algorithms", "ui")
    for path in sorted((ROOT / floor).rglob("*.py"))
]


@pytest.fixture(scope="module")
def told() -> dict[str, object]:
    if importlib.util.find_spec("PyQt6") is None:
        pytest.skip("PyQt6 is not installed")
    alone = [sys.executable, str(ROOT / "tests" / "qt6" / "stand_ins.py")]
    done = subprocess.run(alone, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.strip().splitlines()[-1])


def test_every_module_is_imported_and_every_widget_made_and_shown(
    told: dict[str, dict[str, str]],
) -> None:
    assert told["failed"] == {}, "\n".join(told["failed"].values())
    assert told["imported"] == len(SHIPPED) + 1
    assert told["not made"] == []
    assert {"RandCrownsDock", "ScorePage", "LibrariesDialog"} <= set(told["made"])


def _unscoped(tree: ast.AST, core: object) -> list[str]:
    """Members of QGIS's enums that are named without their enum, as Qt 6 has them no more."""
    found = []
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id.startswith("Qgs")
        ):
            value = getattr(getattr(core, node.value.id, None), node.attr, None)
            if isinstance(value, int) and type(value) not in (int, bool):
                found.append(f"{node.lineno}: {node.value.id}.{node.attr}")
    return found


def test_enums_of_qgis_are_named_with_their_scope() -> None:
    from qgis import core, gui

    found = {
        path: [*_unscoped(tree, core), *_unscoped(tree, gui)]
        for path, tree in trees_of(SHIPPED).items()
    }
    assert {path: names for path, names in found.items() if names} == {}
    assert _unscoped(ast.parse("QgsMapLayerProxyModel.PolygonLayer"), core)
