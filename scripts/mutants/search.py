"""Which tests are run for a fault, and in which order."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from mutants.faults import ROOT, Fault
from mutants.workshop import Workshop

#: What the algorithms declare: all their choices and outputs.
DECLARED = "tests/frozen/test_definitions.py"
#: Floor -> its tests, from the lowest floor up.
FLOORS = {
    "core": ("tests/core",),
    "layers": ("tests/layers",),
    "algorithms": ("tests/algorithms", DECLARED),
    "ui": ("tests/ui",),
}
#: Seconds that the tests of a fault may take beyond three times what they took without it.
PATIENCE = 60
#: Seconds that the tests of other folders of a floor may take together without a fault.
ELSEWHERE = 120
#: Tests that are tried before the others are collected.
FIRST = 12


def tests_of(module: str) -> str:
    """The folder of tests that mirrors that of the module, or the next one up."""
    folder = Path("tests") / Path(module).parent
    while not list((ROOT / folder).glob("test_*.py")):
        folder = folder.parent
    return str(folder)


def rounds_of(
    fault: Fault, tests: dict[tuple[str, int], set[str]], seconds: dict[str, float]
) -> list[tuple[list[str], float]]:
    """The tests of a floor that can find a fault, the likeliest first, and how long they may take."""
    run: set[str] = set().union(*(tests.get((fault.module, line), set()) for line in fault.lines))
    if not fault.called:
        run |= {test for test in seconds if test.split("::")[0] == DECLARED}
        run |= tests.get((fault.module, 0)) or set(seconds)
    home = tests_of(fault.module)
    own = [test for test in run if str(Path(test.split("::")[0]).parent) == home]
    order = sorted(own, key=lambda test: (seconds.get(test, 0.0), test))
    left = ELSEWHERE
    for test in sorted(run - set(own), key=lambda test: (seconds.get(test, 0.0), test)):
        left -= seconds.get(test, 0.0)
        if left > 0:
            order.append(test)
    rounds = [order[:FIRST], sorted(order[FIRST:], key=lambda test: (test not in own, test))]
    return [
        (part, 3 * sum(seconds.get(test, 0.0) for test in part) + PATIENCE)
        for part in rounds
        if part
    ]


def search(faults: list[Fault], workshop: Workshop) -> Iterator[tuple[Fault, str]]:
    """Faults, and which test finds each, if one does: floor by floor upwards, with what is left by those below."""
    waiting = {
        floor: [fault for fault in faults if Path(fault.module).parts[0] == floor]
        for floor in FLOORS
    }
    left: list[Fault] = []
    for floor, paths in FLOORS.items():
        here, left = left + waiting[floor], []
        tests, seconds = workshop.watch(here, paths) if here else ({}, {})
        for fault in here:
            test = workshop.finds(fault, rounds_of(fault, tests, seconds))
            if test:
                yield fault, test
            else:
                left.append(fault)
    for fault in left:
        yield fault, ""
