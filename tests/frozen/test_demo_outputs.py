"""Everything that the algorithms make of the sample plot is what they made when it was frozen,
to 12 digits.

FROZEN_EXACT=1 compares to the last bit, geometries included.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from frozen.accepted import (
    ACCEPTED,
    ACCEPTED_COLUMNS,
    ACCEPTED_IN_RUNS,
    ACCEPTED_MOVED,
    ACCEPTED_ROUNDING,
)
from frozen.cases import CASES
from frozen.current_names import current_outputs
from frozen.runs import versions
from frozen.values import MOVED, differences, load

_MOST_LINES = 12


@pytest.fixture(scope="module")
def frozen() -> dict[str, Any]:
    """The outputs, where the libraries are those they were frozen with."""
    kept = load("outputs.json.gz")
    other = differences(kept["versions"], versions(), exact=True)
    if other:
        pytest.skip(
            f"the numbers were frozen with other libraries, whose last digits differ: {'; '.join(other)}"
        )
    return kept["outputs"]


@pytest.mark.parametrize("case", ["demo", *CASES])
def test_outputs(case, frozen, outcome):
    rounded = re.compile("|".join(ACCEPTED_ROUNDING))
    facts = (
        _without_other_outputs(current_outputs(frozen[case])),
        _without_other_outputs(outcome(case)),
    )
    found = differences(*facts, rounded=rounded)
    if case in ACCEPTED_MOVED:
        assert found, "nothing moved"
        found = differences(*facts, rounded=re.compile(""), rounding=MOVED)
    accepted = re.compile(ACCEPTED_IN_RUNS.get(case, "$."))
    lines = [line for line in found if not accepted.match(line)]
    assert case not in ACCEPTED_IN_RUNS or lines != found, "nothing of what is accepted differs"
    assert lines[:_MOST_LINES] == [], f"{len(lines)} differences"


def _without_other_outputs(facts: dict[str, Any]) -> dict[str, Any]:
    """The facts without the outputs of which it is accepted that they came or went."""
    other = {
        place.removeprefix("output ")
        for name, place, what in ACCEPTED
        if name == facts.get("algorithm") and not what
    }
    left = {name: _without_other_columns(fact) for name, fact in facts.items() if name not in other}
    return {**left, "made": [name for name in facts.get("made", ()) if name not in other]}


def _without_other_columns(fact: Any) -> Any:
    """A table without the columns of which it is accepted that they came or changed."""
    if not isinstance(fact, dict) or "columns" not in fact:
        return fact
    same = {
        name
        for name in fact["columns"]
        if not any(re.fullmatch(one, name) for one in ACCEPTED_COLUMNS)
    }
    gone = fact["columns"].keys() - same
    left = {name: values for name, values in fact["columns"].items() if name in same}
    fields = [field for field in fact.get("fields", []) if field["name"] not in gone]
    return {
        **fact,
        "columns": left,
        "fields": fields,
        "header": [one for one in fact.get("header", []) if one in same],
    }


def test_every_run_is_frozen(frozen):
    assert set(frozen) == {"demo", *CASES}


def test_the_last_digits_may_differ_and_no_others():
    frozen = {"mean": 0.5, "names": ["a"], "sha": "1"}
    assert differences(frozen, {"mean": 0.5 + 1e-14, "names": ["a"], "sha": "2"}, exact=False) == []
    assert (
        len(differences(frozen, {"mean": 0.5 + 1e-14, "names": ["a"], "sha": "2"}, exact=True)) == 2
    )
    assert (
        len(differences(frozen, {"mean": 0.5 + 1e-11, "names": ["b"], "more": 1}, exact=False)) == 3
    )
    for moved, lines in ((1e-10, 0), (1e-8, 1)):
        now = {"mean": 0.5 + moved, "names": ["a"], "sha": "1"}
        assert len(differences(frozen, now, exact=False, rounded=re.compile("/mean$"))) == lines
