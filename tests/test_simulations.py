"""The page of simulated intervals and claims: what a row says, and that every study is on it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import pytest
from simulate import PAGE, STUDIES, Row, Study, format_study, simulate_accepted, simulate_shares


def _nothing(_effort: float) -> Iterator[Row]:
    return iter(())


def test_a_row_says_rate_and_error_and_marks_what_fails() -> None:
    rows = [
        Row("10 plots", "coverage", 0.95, 400),
        Row("5 plots", "coverage", 0.85, 400),
        Row("alike", "false rate: better", 0.2, 100),
        Row("different", "power", 0.2, 0),
    ]
    text = format_study(Study("Means", "Jackknife", _nothing, "Remark."), rows)
    assert text.splitlines() == [
        "## Means",
        "Method: Jackknife.",
        "",
        "Remark.",
        "",
        "| design | measured | % | ± |",
        "|---|---|---|---|",
        "| 10 plots | coverage | 95.0 | 1.1 |",
        "| 5 plots | coverage | **85.0** | 1.8 |",
        "| alike | false rate: better | **20.0** | 4.0 |",
        "| different | power | 20.0 | exact |",
    ]


def test_the_page_has_every_study() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert [line[3:] for line in page.splitlines() if line.startswith("## ")] == [
        study.title for study in STUDIES
    ]
    for study in STUDIES:
        assert f"Method: {study.method}." in page


def test_exact_rows_equal_those_of_the_page() -> None:
    """The share accepted is computed from all outcomes, without random numbers."""
    page = PAGE.read_text(encoding="utf-8")
    for row in islice(simulate_accepted(0.01), 9):
        assert f"| {row.design} | coverage | {100 * row.rate:.1f} | exact |" in page


def test_the_same_seed_gives_the_same_rates() -> None:
    first, again = (list(simulate_shares(0.02)) for _ in range(2))
    assert [row.rate for row in first] == pytest.approx([row.rate for row in again], nan_ok=True)
    assert all(row.samples == 80 for row in first)
