"""Choice and order of the tests that run for a fault."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from mutants.faults import ROOT, Fault
from mutants.workshop import FaultRunner

#: Test of the parameters and outputs that all algorithms declare.
DEFINITION_TESTS = "tests/frozen/test_definitions.py"
#: Floor -> its tests, from the lowest floor up.
FLOORS = {
    "core": ("tests/core",),
    "layers": ("tests/layers",),
    "algorithms": ("tests/algorithms", DEFINITION_TESTS),
    "ui": ("tests/ui",),
}
#: Seconds granted to the tests of a fault beyond three times their duration without it.
EXTRA_SECONDS = 60
#: Maximum total duration of the tests of other folders of a floor, seconds without a fault.
OTHER_FOLDERS_SECONDS = 120
#: Number of tests in the first round; often one of them detects the fault.
FIRST_ROUND_SIZE = 12


def mirrored_test_folder(module: str) -> str:
    """Return the folder of tests that mirrors a module's folder, or its nearest parent.

    Args:
        module: path of the module below ROOT.
    """
    folder = Path("tests") / Path(module).parent
    while not list((ROOT / folder).glob("test_*.py")):
        folder = folder.parent
    return str(folder)


def plan_test_rounds(
    fault: Fault, tests: dict[tuple[str, int], set[str]], seconds: dict[str, float]
) -> list[tuple[list[str], float]]:
    """Return the tests of a floor that can detect a fault, the most likely ones first.

    Args:
        fault: the fault.
        tests: (module, line) -> tests that execute the line; line 0 for any line of the module.
        seconds: test -> its duration without a fault.

    Returns:
        Rounds of tests that run together, each with its time limit in seconds.
    """
    candidates: set[str] = set()
    for line in fault.lines:
        candidates |= tests.get((fault.module, line), set())
    if not fault.is_in_function:
        candidates |= {test for test in seconds if test.split("::")[0] == DEFINITION_TESTS}
        candidates |= tests.get((fault.module, 0)) or set(seconds)

    def duration(test: str) -> tuple[float, str]:
        return seconds.get(test, 0.0), test

    home = mirrored_test_folder(fault.module)
    own_tests = [test for test in candidates if str(Path(test.split("::")[0]).parent) == home]
    order = sorted(own_tests, key=duration)
    seconds_left: float = OTHER_FOLDERS_SECONDS
    for test in sorted(candidates - set(own_tests), key=duration):
        seconds_left -= seconds.get(test, 0.0)
        if seconds_left > 0:
            order.append(test)

    rounds = [
        order[:FIRST_ROUND_SIZE],
        sorted(order[FIRST_ROUND_SIZE:], key=lambda test: (test not in own_tests, test)),
    ]
    return [
        (names, 3 * sum(seconds.get(test, 0.0) for test in names) + EXTRA_SECONDS)
        for names in rounds
        if names
    ]


def find_faults(faults: list[Fault], workshop: FaultRunner) -> Iterator[tuple[Fault, str]]:
    """Yield each fault with the test that detects it, "" if none does.

    The tests of the lowest floor come first; each floor above tries the faults that remain.

    Args:
        faults: faults of any floors.
        workshop: runs the tests.
    """
    by_floor = {
        floor: [fault for fault in faults if Path(fault.module).parts[0] == floor]
        for floor in FLOORS
    }
    undetected: list[Fault] = []
    for floor, paths in FLOORS.items():
        candidates = undetected + by_floor[floor]
        undetected = []
        if not candidates:
            continue
        tests, seconds = workshop.trace_tests(candidates, paths)
        for fault in candidates:
            test = workshop.find_failing_test(fault, plan_test_rounds(fault, tests, seconds))
            if test:
                yield fault, test
            else:
                undetected.append(fault)
    for fault in undetected:
        yield fault, ""
