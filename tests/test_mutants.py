"""The faults that `make mutants` puts into a module."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from mutants import faults as mutants
from mutants import search

MODULE = '''"""Not 1 < 2."""
from __future__ import annotations

def share(part: float = 1.5, *, all_of: "int | None" = None) -> float:
    """1 + 1."""
    if not part <= (2) < 7 and part is not None:
        raise ValueError(f"{part + 1} is wrong: {1 < 2}")
    return min(divmod(part, all_of), 1) - (-part) * 3

@dataclass(frozen=True, eq=False)
class Nothing:
    pass
'''
HARMLESS = """# why

module.py
def share(part: float = 1.5, *, all_of: "int | None" = None) -> float:
def share(part: float = 3.0, *, all_of: "int | None" = None) -> float:
A reason.
"""


@pytest.fixture
def faults(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[mutants.Fault]:
    monkeypatch.setattr(mutants, "ROOT", tmp_path)
    (tmp_path / "module.py").write_text(MODULE, encoding="utf-8")
    return mutants.list_faults(tmp_path / "module.py")


def test_every_kind_of_fault_is_put_once_and_nowhere_else(faults: list[mutants.Fault]) -> None:
    assert {(fault.line, fault.old, fault.new) for fault in faults} == {
        (4, "1.5", "3.0"),
        (6, "2", "3"),
        (6, "7", "8"),
        (6, "<=", "<"),
        (6, "<", "<="),
        (6, "not part <= (2) < 7", "(part <= (2) < 7)"),
        (6, "is not", "is"),
        (6, "and", "or"),
        (8, "part, all_of", "all_of, part"),
        (8, "-part", "(part)"),
        (8, "3", "4"),
        (8, "*", "/"),
        (8, "1", "2"),
        (10, "False", "True"),
        (8, "-", "+"),
    }
    assert len(faults) == len(set(faults))
    assert {fault.line for fault in faults if not fault.is_in_function} == {4, 10}


def test_a_module_with_a_fault_differs_there_only(faults: list[mutants.Fault]) -> None:
    for fault in faults:
        text = fault.apply(MODULE)
        ast.parse(text)
        changed = [
            number
            for number, (one, other) in enumerate(zip(MODULE.splitlines(), text.splitlines()), 1)
            if one != other
        ]
        assert changed == [fault.line]


def test_the_tests_of_a_module_are_those_of_its_folder() -> None:
    assert search.mirrored_test_folder("core/scoring/score.py") == "tests/core/scoring"
    assert search.mirrored_test_folder("core/statistics.py") == "tests/core"
    assert search.mirrored_test_folder("layers/crs.py") == "tests/layers"


def test_a_seed_draws_the_same_faults_out_of_all_modules_of_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, faults: list[mutants.Fault]
) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep/other.py").write_text("one = 1\n", encoding="utf-8")
    monkeypatch.setattr(mutants, "HARMLESS", tmp_path / "harmless.txt")
    mutants.HARMLESS.write_text(HARMLESS, encoding="utf-8")
    everything = mutants.sample_faults(".", 100, 1)
    assert {fault.module for fault in everything} == {"module.py", "deep/other.py"}
    assert len(everything) == len(faults) + 1
    assert [
        fault.old for fault in faults if fault.describe(MODULE) in mutants.read_harmless_faults()
    ] == ["1.5"]
    some = mutants.sample_faults(".", 5, 1)
    assert len(some) == 5
    assert some == mutants.sample_faults(".", 5, 1)
    assert some != mutants.sample_faults(".", 5, 2)


def test_the_tests_of_the_folder_come_first_the_quickest_first() -> None:
    fault = mutants.Fault("core/scoring/score.py", 7, 0, 1, "1", "2", is_in_function=True)
    own, slow, far = (
        f"tests/core/{name}"
        for name in ("scoring/test_a.py::b", "scoring/test_a.py::a", "test_c.py::c")
    )
    too_long, other = "tests/core/test_c.py::d", "tests/core/test_c.py::other_lines"
    seconds = {own: 1.0, slow: 200.0, far: 0.1, too_long: search.OTHER_FOLDERS_SECONDS}
    tests = {(fault.module, 7): {own, slow, far, too_long}, (fault.module, 0): {other}}
    assert search.plan_test_rounds(fault, tests, seconds) == [
        ([own, slow, far], 3 * 201.1 + search.EXTRA_SECONDS)
    ]
    del tests[fault.module, 7]
    assert not search.plan_test_rounds(fault, tests, seconds)
    declared = f"{search.DEFINITION_TESTS}::a"
    imported = fault._replace(is_in_function=False)
    assert search.plan_test_rounds(imported, tests, {declared: 0.0}) == [
        (sorted([other, declared]), search.EXTRA_SECONDS)
    ]
    assert search.plan_test_rounds(imported, {}, {own: 1.0, far: 0.0}) == [
        ([own, far], 3 + search.EXTRA_SECONDS)
    ]


def test_what_the_tests_of_a_floor_do_not_find_is_met_by_those_above() -> None:
    found, above, never = (
        mutants.Fault("layers/crs.py", line, 0, 1, "1", "2", is_in_function=True)
        for line in (1, 2, 3)
    )
    floors = {
        "tests/layers": {found: "a", above: "b"},
        "tests/algorithms": {above: "c"},
        "tests/ui": {never: "d"},
    }
    failing = {(found, "a"), (above, "c")}

    class Seen:
        def trace_tests(
            self, faults: list[mutants.Fault], paths: tuple[str, ...]
        ) -> tuple[dict[Any, set[str]], dict[str, float]]:
            return {
                ("layers/crs.py", fault.line): {test} for fault, test in floors[paths[0]].items()
            }, {}

        def find_failing_test(
            self, fault: mutants.Fault, rounds: list[tuple[list[str], float]]
        ) -> str:
            return next(
                (test for tests, _ in rounds for test in tests if (fault, test) in failing), ""
            )

    assert list(search.find_faults([found, above, never], Seen())) == [
        (found, "a"),
        (above, "c"),
        (never, ""),
    ]


def test_what_is_listed_as_harmless_can_be_read() -> None:
    listed = mutants.read_harmless_faults()
    found = set()
    for module in {module for module, *_ in listed}:
        text = (mutants.ROOT / module).read_text(encoding="utf-8")
        found |= {fault.describe(text) for fault in mutants.list_faults(mutants.ROOT / module)}
    assert [one for one in listed if one not in found] == []


def test_a_run_whose_last_test_was_given_a_layer_does_not_crash() -> None:
    """Else every fault it meets would count as found."""
    test = "tests/layers/raster/test_marks.py::test_polygons_follow_the_edges_of_the_marked_pixels"
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", test]
    done = subprocess.run(words, cwd=mutants.ROOT, capture_output=True, text=True)
    assert (done.returncode, "1 passed" in done.stdout) == (0, True), done.stderr[-500:]
