"""The code stays in order: where ARCHITECTURE.md points, and what is written in one place only."""

from __future__ import annotations

import ast
import importlib
import re

import pytest
from support.code import ROOT, trees_of

FLOORS = ("core", "report", "layers", "algorithms", "ui")
MODULES = sorted(path for floor in FLOORS for path in (ROOT / floor).rglob("*.py"))
ARCHITECTURE = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
TEXTS = {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in MODULES}


def _found(pattern: str, *elsewhere: str) -> list[str]:
    """Modules that hold the pattern, but for those where it belongs."""
    return [
        name
        for name, text in TEXTS.items()
        if re.search(pattern, text, re.MULTILINE) and name not in elsewhere
    ]


@pytest.mark.parametrize(
    ("pattern", "place"),
    [
        (
            r"QgsProcessingParameter(Number|Boolean|Enum|String|Field)\(",
            "algorithms/parameter_types.py",
        ),
        (r"^\w+(: TypeAlias)? = (np\.ndarray|NDArray)\b", "core/arrays.py"),
        (r"\.attrs\[", ""),
    ],
)
def test_what_stands_in_one_place_only(pattern: str, place: str) -> None:
    assert _found(pattern, place) == []


def test_the_level_of_intervals_is_written_once() -> None:
    found = [
        name
        for name, tree in trees_of(MODULES).items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and node.value in (0.95, 0.025, 0.975, 97.5)
    ]
    others = {
        "core/instances/partitions.py": "pointtree's quantile",
        "core/instances/average_precision.py": "COCO's last IoU",
    }
    assert [name for name in found if name not in others] == ["core/statistics.py"]


def test_each_output_is_named_in_few_places() -> None:
    declared = {
        node.args[0].value
        for name, text in TEXTS.items()
        if name.endswith("outputs.py")
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call)
        and getattr(node.func, "id", "") == "Output"
        and isinstance(node.args[0], ast.Constant)
    }
    assert len(declared) > 20
    places = {
        output: [
            name
            for name, text in TEXTS.items()
            if f'"{output}"' in text and name != "core/old_names.py"
        ]
        for output in declared
    }
    assert {output: names for output, names in places.items() if len(names) > 4} == {}


def test_the_description_of_the_architecture_is_short_and_true() -> None:
    assert len(ARCHITECTURE.splitlines()) <= 140
    named = re.findall(r"`(core(?:\.\w+)+)`", ARCHITECTURE)
    assert len(named) > 35
    for name in named:
        module, _, function = name.rpartition(".")
        assert hasattr(importlib.import_module(f"randcrowns.{module}"), function), name
    for folder in re.findall(r"`(\w+/)`", ARCHITECTURE.split("| formula")[0]):
        assert any(list(ROOT.glob(f"{above}{folder}")) for above in ("", "*/", "*/*/")), folder


def test_every_picture_is_shown_by_a_page_and_made_by_the_script() -> None:
    pages = (*(ROOT / "docs").glob("*.md"), ROOT / "README.md")
    named = {
        name
        for page in pages
        for name in re.findall(r"images/(\w+)\.png", page.read_text(encoding="utf-8"))
    }
    assert {path.stem for path in (ROOT / "docs" / "images").iterdir()} == named
    script = (ROOT / "docs" / "screenshots.py").read_text(encoding="utf-8")
    made = [
        re.sub(r"\{\w+\}", r"\\w+", name)
        for name in re.findall(r'picture\(dock, \w+, f?"(.+)\.png"', script)
    ]
    made += re.findall(r'^    name = "(\w+)\.png"$', script, re.MULTILINE)
    assert {name for name in named if not any(re.fullmatch(one, name) for one in made)} == set()
