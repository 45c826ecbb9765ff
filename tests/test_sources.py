"""docs/sources.md names what there is: every function, algorithm, parameter and output in it is
found.
"""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "docs" / "sources.md").read_text(encoding="utf-8")
FUNCTIONS = sorted(set(re.findall(r"`(core(?:\.\w+)+)`", TEXT)))
ALGORITHMS = sorted(set(re.findall(r"`(randcrowns:\w+(?: \w+)?)`", TEXT)))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_function_is_there(name):
    module, _, function = name.rpartition(".")
    assert hasattr(importlib.import_module(f"randcrowns.{module}"), function)


@pytest.mark.parametrize("name", ALGORITHMS)
def test_every_algorithm_parameter_and_output_is_there(name, algorithms):
    key, _, parameter = name.partition(" ")
    found = {f"randcrowns:{algorithm.name()}": algorithm for algorithm in algorithms.algorithms()}
    assert key in found
    names = {definition.name() for definition in found[key].parameterDefinitions()}
    names |= {definition.name() for definition in found[key].outputDefinitions()}
    assert not parameter or parameter in names


def test_every_equation_table_and_documented_function_has_a_row():
    stewart, pointtree, lampert = TEXT.split("\n## ")[1:]
    for number in range(1, 16):
        assert _named("Eq", number, stewart), f"Stewart Eq. {number}"
    for number in range(2, 9):  # the first draws the regions of Eq. 3-9
        assert _named("Fig", number, stewart), f"Stewart Fig. {number}"
    for number in range(1, 8):
        assert _named("Eq", number, lampert), f"Lampert Eq. {number}"
    for part, tables in ((stewart, ("I", "II", "III", "IV")), (lampert, ("I", "II", "III", "IV"))):
        for table in tables:
            assert re.search(rf"Tables? (\w+, )*{table}\w*\b", part), table
    documented = (
        *(
            "evaluate_instance_segmentation",
            "instance_detection_metrics",
            "instance_segmentation_metrics",
        ),
        *(
            "instance_segmentation_metrics_per_partition",
            "match_instances",
            "semantic_segmentation_metrics",
        ),
        *("PerformanceTracker", "Profiler", "detection_metrics_matching_method", "num_partitions"),
        *(
            "segmentation_metrics_matching_method",
            "include_unmatched_instances",
            "invalid_instance_id",
        ),
        *(
            "uncertain_instance_id",
            "compute_partition_metrics",
            "min_tree_height_fp",
            "min_precision_fp",
        ),
        *("labeled_mask", "class_map", "aggregate_classes"),
    )
    assert [name for name in documented if name not in pointtree] == []


def test_every_row_says_where_and_how_it_was_checked():
    rows = [line.strip("|").split("|") for line in TEXT.splitlines() if line.startswith("| ")]
    rows = [[cell.strip() for cell in row] for row in rows if row[0].strip() != "in the source"]
    assert len(rows) > 45
    assert [row[0] for row in rows if len(row) != 4 or not row[1] or not row[2]] == []


def _named(kind: str, number: int, text: str) -> bool:
    """Whether an equation or a figure is named, alone or in a row of them such as 3-6."""
    for found in re.findall(rf"{kind}\. ([\d, -]+)", text):
        for one in found.split(","):
            ends = [int(end) for end in one.strip().split("-") if end.strip()]
            if ends and ends[0] <= number <= ends[-1]:
                return True
    return False
