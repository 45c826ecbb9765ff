"""The helper that waits for a condition reports which one did not come true."""

from __future__ import annotations

import threading

import pytest
from support.qt import wait_until


def test_a_wait_that_fails_shows_its_condition() -> None:
    n_crowns = 1
    with pytest.raises(TimeoutError, match=r"not true after 0\.01 s: .*lambda: n_crowns == 2"):
        wait_until(lambda: n_crowns == 2, 0.01)


def test_a_method_is_a_condition_too() -> None:
    finished = threading.Event()
    with pytest.raises(TimeoutError, match="is_set"):
        wait_until(finished.is_set, 0.01)
    finished.set()
    wait_until(finished.is_set)


def test_a_function_that_is_not_written_in_python_is_shown_by_its_name() -> None:
    empty: list[int] = []
    with pytest.raises(TimeoutError, match="__len__"):
        wait_until(empty.__len__, 0.01)  # type: ignore[arg-type]  # 0 is false.
