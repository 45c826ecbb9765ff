"""The table of docs/reliability.md: what a promise does with its tries, and what the page says
of them.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from torture.promises import ROWS, SHARE, Promise, page


@pytest.fixture
def rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(ROWS, str(tmp_path / "rows"))
    return tmp_path / "rows"


def found(rows: Path) -> list[dict]:
    return [json.loads(line) for line in rows.read_text(encoding="utf-8").splitlines()]


def test_a_promise_goes_on_after_a_try_that_fails(rows: Path) -> None:
    tried: list[int] = []

    def attempt(rng) -> tuple[float, str]:
        tried.append(int(rng.integers(2**31)))
        assert len(tried) != 2
        return float(len(tried)), "here"

    with pytest.raises(AssertionError, match="1 of 4 tries failed"):
        Promise("a", []).keep(
            "Kept", attempt, many=4, each=10, worst="{:.1f} s {}", conditions="much | more"
        )
    assert len(set(tried)) == 4
    last = found(rows)[-1]
    assert (last["tries"], last["failures"], last["worst"]) == (40, 1, "4.0 s here")
    assert "| Kept | 40 | 1 | 4.0 s here | much / more |" in page(found(rows), "Now.")


def test_what_an_exception_in_a_slot_breaks_is_a_failure(rows: Path) -> None:
    raised: list[BaseException] = []
    with pytest.raises(AssertionError, match="1 of 1 tries failed"):
        Promise("a", raised).keep("Kept", lambda _rng: raised.append(KeyError("slot")), many=1)
    assert raised == []


def test_what_crashes_is_in_the_table(rows: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        Promise("a", []).keep(
            "Kept", lambda _rng: (_ for _ in ()).throw(KeyboardInterrupt()), many=1
        )
    assert "| Kept |  | did not end |  |  |" in page(found(rows), "Now.")


def test_the_suite_tries_a_few_times_and_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(ROWS, raising=False)
    tried: list[object] = []
    Promise("a", []).keep("Kept", tried.append, few=3, many=1000)
    assert len(tried) == 3
    assert Promise("a", []).size(1000, 5) == 5


def test_a_share_of_the_sizes(rows: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SHARE, "0.25")
    assert Promise("a", []).size(1000, 5) == 250
