"""The table of benchmarks: what is measured, what a row says, and that page and README show the
same rows.
"""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest
from goals import BOUNDS, GOALS, format_goals, format_slower_rows
from table import (
    HEADINGS,
    N_QUOTED,
    Row,
    Time,
    format_markdown,
    format_page,
    growth_exponent,
    insert_quoted_rows,
    measure_alternating,
    measure_memory,
    measure_time,
    read_rows,
    report_rows,
    write_pages,
)

ROOT = Path(__file__).parents[1]
ROW = Row(
    "ranking", Time(2.0, 3.0), "a loop", Time(9.0, 9.0), 1.04, 512.3, "4 x 21", is_quoted=True
)


def test_a_row_says_ratio_growth_and_memory() -> None:
    assert dict(zip(HEADINGS, ROW.cells)) == {
        "work": "ranking",
        "peer": "a loop: 9 s (9 s)",
        "ours": "2 s (3 s)",
        "ratio": "4.5 (3)",
        "growth": "n^1.04",
        "memory": "512 MB",
        "conditions": "4 x 21",
    }
    assert Row("alone", Time(0.0123, 0.004)).cells == (
        "alone",
        "",
        "12.3 ms (4 ms)",
        "",
        "",
        "",
        "",
    )


def test_the_exponent_of_growth_is_that_of_a_power() -> None:
    assert growth_exponent(
        [1e3, 1e4, 1e5], [0.5 * n**1.15 for n in (1e3, 1e4, 1e5)]
    ) == pytest.approx(1.15)


def test_processor_time_counts_child_processes() -> None:
    work = "x = sum(i * i for i in range(3_000_000))"
    assert (
        measure_time(lambda: subprocess.run([sys.executable, "-c", work], check=True)).processor
        > 0.05
    )


def test_works_take_turns() -> None:
    order: list[str] = []
    assert (
        len(measure_alternating(lambda: order.append("a"), lambda: order.append("b"), repeats=3))
        == 2
    )
    assert order == ["a", "b"] * 3


def test_memory_is_what_work_adds() -> None:
    assert 190 < measure_memory(lambda: np.ones(25_000_000)) < 260


def test_rows_are_kept_for_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = tmp_path / "rows"
    monkeypatch.setenv("RANDCROWNS_BENCH_ROWS", str(kept))
    rows = [ROW, Row("alone", Time(1.0, 1.0))]
    report_rows(rows)
    assert [json.loads(line) for line in kept.read_text().splitlines()] == json.loads(
        json.dumps([*map(asdict, rows)])
    )
    assert read_rows(kept) == rows
    assert format_markdown(rows) in format_page(rows, "Measured.")


def test_the_readme_quotes_the_marked_rows() -> None:
    readme = "before\n<!-- make bench: start -->\nold\n<!-- make bench: end -->\nafter\n"
    found = insert_quoted_rows(readme, [Row("alone", Time(1.0, 1.0)), ROW])
    assert (found[:7], found[-6:]) == ("before\n", "after\n")
    assert [word for word in ("old", "alone") if word in found] == []
    assert format_markdown([ROW]) in found
    assert insert_quoted_rows(readme, [ROW] * 5).count(ROW.conditions) == N_QUOTED
    assert insert_quoted_rows(found, [ROW]) == found


def test_what_is_no_whole_run_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "write_text", lambda *_, **__: pytest.fail("written"))
    for rows in ([], [ROW], [Row("alone", Time(1.0, 1.0))] * 9):
        with pytest.raises(SystemExit, match="not the rows of a whole run"):
            write_pages(rows)


def test_page_and_readme_hold_the_same_rows() -> None:
    written = (ROOT / "docs" / "performance.md").read_text(encoding="utf-8").splitlines()
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    quoted = (
        readme.split("<!-- make bench: start -->")[1]
        .split("<!-- make bench: end -->")[0]
        .strip()
        .splitlines()
    )
    assert len(quoted) == 2 + N_QUOTED
    assert set(quoted) <= set(written)


def test_every_benchmark_shows_rows() -> None:
    for path in (ROOT / "benchmarks").glob("bench_*.py"):
        calls = {
            getattr(node.func, "id", "")
            for node in ast.walk(ast.parse(path.read_text()))
            if isinstance(node, ast.Call)
        }
        assert "report_rows" in calls, path.name


def test_goals_are_compared_with_their_rows() -> None:
    """Ours takes 2 s and scoring 2.5 s: 0.8 times as long, where 0.5 is the goal."""
    row = Row("problems of boxes", Time(3.0, 2.0), "scoring them", Time(1.0, 2.5))
    reached = Row("problems of boxes", Time(1.0, 1.0), "scoring them", Time(1.0, 2.5))
    text = "problems of 90,000 boxes, next to scoring them | ≤ 0.5 x |"
    assert f"| {text} 0.8 x | no |" in format_goals([row])
    assert f"| {text} 0.4 x | yes |" in format_goals([reached])
    assert f"| {text}  | not measured |" in format_goals([])
    assert BOUNDS["problems of boxes"] in format_slower_rows([row])
    assert format_slower_rows([reached]) == ""
    page = format_page([row], "Measured.")
    assert "## Goals" in page
    assert BOUNDS["problems of boxes"] in page


def test_numbers_of_goals_are_read_from_the_conditions() -> None:
    conditions = "60 edits among 2 x 50,000 crowns of 33 vertices; 95 % within 35 ms (31 ms)"
    row = Row("scored while drawing, drawn: delineation changed", Time(1, 1), conditions=conditions)
    goal = next(goal for goal in GOALS if goal.find_row([row]) is row)
    assert (goal.value(row), goal.is_reached(row)) == (31.0, False)


def test_every_goal_says_what_bounds_it() -> None:
    assert {goal.work for goal in GOALS} <= set(BOUNDS)
    assert len(format_goals([]).splitlines()) == 2 + len(GOALS)


def test_every_missed_goal_on_the_page_is_explained() -> None:
    page = (ROOT / "docs" / "performance.md").read_text(encoding="utf-8")
    missed = [goal for goal in GOALS if f"| {goal.text} |" in page]
    lines = [line for line in page.splitlines() if line.endswith("| no |")]
    works = {goal.work for goal in missed if any(f"| {goal.text} |" in line for line in lines)}
    assert [work for work in works if f"*{work}*" not in page] == []
