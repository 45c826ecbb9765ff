"""What the algorithms declare is what they declared when it was frozen: models, scripts and
saved runs depend on it.
"""

from __future__ import annotations

from typing import Any

import pytest
from frozen.accepted import ACCEPTED
from frozen.current_names import current_definitions
from frozen.definitions import definitions
from frozen.values import load, plain

_Place = tuple[str, str, str]


def _changed(frozen: dict[str, Any], now: dict[str, Any]) -> dict[_Place, str]:
    """Places that differ, with what was and what is."""
    found: dict[_Place, str] = {}
    for algorithm in {*frozen, *now}:
        if (algorithm in frozen) != (algorithm in now):
            found[algorithm, "", ""] = "came" if algorithm in now else "went"
            continue
        was, is_now = frozen[algorithm], now[algorithm]
        for name in {*was, *is_now}:
            if (name in was) != (name in is_now):
                found[algorithm, name, ""] = "came" if name in is_now else "went"
                continue
            for attribute in {*was[name], *is_now[name]}:
                before, after = (
                    was[name].get(attribute, "nothing"),
                    is_now[name].get(attribute, "nothing"),
                )
                if before != after:
                    found[algorithm, name, attribute] = f"{before!r} was, {after!r} is"
    return found


@pytest.fixture
def changed(algorithms) -> dict[_Place, str]:
    return _changed(current_definitions(load("definitions.json")), plain(definitions(algorithms)))


def test_algorithms_declare_what_they_declared(changed):
    assert {place: what for place, what in changed.items() if place not in ACCEPTED} == {}


def test_every_accepted_change_was_made(changed):
    assert [place for place in ACCEPTED if place not in changed] == []


def test_every_change_is_noticed():
    frozen = {"score": {"A": {"default": "1.0"}, "B": {"default": None}}}
    now = {"score": {"A": {"default": "2.0", "hidden": True}}, "more": {}}
    assert set(_changed(frozen, now)) == {
        ("score", "A", "default"),
        ("score", "A", "hidden"),
        ("score", "B", ""),
        ("more", "", ""),
    }
