"""Crowns reviewed by keyboard in a real window; no verdict is lost when it is closed or killed."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from support.once import sample_once
from window.session import found_in_window

# tests/ui/review and tests/layers/files/test_verdicts.py cover keys, reopening and kills.
pytestmark = pytest.mark.nightly

VERDICTS = ("accepted", "rejected", "fixed", "unsure")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("review")
    shutil.copytree(sample_once(tmp_path_factory), made / "sample")
    return made


@pytest.fixture(scope="module")
def sessions(folder: Path) -> dict[str, dict[str, Any]]:
    """What each session found, and the verdicts that the file has after it."""
    found = {}
    for name in ("first", "last"):
        found[name] = found_in_window("in_review.py", folder, RANDCROWNS_SESSION=name)
        found[name]["kept"] = _verdicts(folder)
    return found


def _verdicts(folder: Path) -> list[tuple[Any, ...]]:
    (file,) = (folder / "sample").glob("*_randcrowns.gpkg")
    with closing(sqlite3.connect(file)) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        return database.execute(
            "SELECT feature_id, verdict, comment FROM randcrowns_verdicts ORDER BY fid"
        ).fetchall()


def test_twenty_crowns_are_reviewed_by_keys(sessions: dict[str, Any]) -> None:
    first = sessions["first"]
    assert len(set(first["order"])) == 20
    expected = [(crown, VERDICTS[number % 4]) for number, crown in enumerate(first["order"])]
    assert [row[:2] for row in first["kept"][:20]] == expected
    assert [row[2] for row in first["kept"][:20]] == ["", "corner 1", *[""] * 18]
    assert (
        first["before"]["progress"]
        == "20 of 36 reviewed, 5 accepted, 5 rejected, 5 fixed, 5 unsure"
    )


def test_a_project_that_is_closed_and_opened_goes_on(sessions: dict[str, Any]) -> None:
    assert sessions["first"]["closed"]
    assert sessions["first"]["reopened"] == sessions["first"]["before"]


def test_another_session_goes_on_after_one_that_was_killed_and_loses_no_verdict(
    sessions: dict[str, Any],
) -> None:
    killed, last = sessions["first"], sessions["last"]
    assert len(killed["kept"]) == 21
    assert killed["kept"][-1][:2] == (killed["reopened"]["at hand"], "rejected")
    assert last["valid"]
    # The project was saved before the last verdict.
    assert last["came back"] == {**killed["after"], "at hand": killed["before"]["at hand"]}
    assert last["came back"]["progress"].startswith("21 of 36 reviewed")
    assert last["kept"] == killed["kept"]
