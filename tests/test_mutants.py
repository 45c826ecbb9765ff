"""The faults that `make mutants` puts into a module."""

from __future__ import annotations

import ast
from pathlib import Path

import mutants
import pytest

MODULE = '''"""Not 1 < 2."""
from __future__ import annotations

def share(part: float = 1.5, *, all_of: "int | None" = None) -> float:
    """1 + 1."""
    if not part <= 2 < 7 and part is not None:
        raise ValueError(f"{part + 1} is wrong: {1 < 2}")
    return max(part, all_of) - (-part) * 3
'''


@pytest.fixture
def faults(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[mutants.Fault]:
    monkeypatch.setattr(mutants, "ROOT", tmp_path)
    (tmp_path / "module.py").write_text(MODULE, encoding="utf-8")
    return mutants.faults_of(tmp_path / "module.py")


def test_every_kind_of_fault_is_put_once_and_nowhere_else(faults: list[mutants.Fault]) -> None:
    condition = "not part <= 2 < 7 and part is not None"
    assert {(fault.line, fault.old, fault.new) for fault in faults} == {
        (4, "1.5", "3.0"),
        (6, "2", "3"),
        (6, "7", "8"),
        (6, "part <= 2 < 7", "part < 2 < 7"),
        (6, "part <= 2 < 7", "part <= 2 <= 7"),
        (6, "not part <= 2 < 7", "(part <= 2 < 7)"),
        (6, "part is not None", "part is None"),
        (6, condition, "(not part <= 2 < 7) or (part is not None)"),
        (8, "part, all_of", "all_of, part"),
        (8, "-part", "(part)"),
        (8, "3", "4"),
        (8, "(-part) * 3", "(-part) / 3"),
        (8, "max(part, all_of) - (-part) * 3", "max(part, all_of) + (-part) * 3"),
    }
    assert len(faults) == len(set(faults))


def test_a_module_with_a_fault_differs_there_only(faults: list[mutants.Fault]) -> None:
    for fault in faults:
        text = mutants.with_fault(MODULE, fault)
        ast.parse(text)
        changed = [
            number for number, (one, other) in enumerate(zip(MODULE.splitlines(), text.splitlines()), 1) if one != other
        ]
        assert changed == [fault.line]


def test_the_tests_of_a_module_are_those_of_its_folder() -> None:
    assert mutants.tests_of("core/scoring/score.py") == ["tests/core/scoring"]
    assert "tests/core/test_intervals.py" in mutants.tests_of("core/statistics.py")
    assert mutants.tests_of("layers/crs.py")[0] == "tests/layers/test_crs.py"
