"""Columns of strata with the number of targets of each problem."""

from __future__ import annotations

import pandas as pd

from randcrowns.core.review.problems import TARGET_PROBLEMS, Problem


def problem_column(problem: Problem) -> str:
    """Return the name of the column of strata with the number of crowns with a problem.

    >>> problem_column(Problem.TOO_LARGE)
    'problem_too_large'
    """
    return f"problem_{problem.value.replace(' ', '_')}"


def with_problem_columns(table: pd.DataFrame) -> pd.DataFrame:
    """Return the table of strata with a column for each problem, also for those of no crown.

    Args:
        table: table of :class:`randcrowns.core.classes.summarise.StrataSummary`.

    >>> table = pd.DataFrame({"found": [2], "problem: merged": [1]})
    >>> with_problem_columns(table)[["problem_merged", "problem_split"]].values.tolist()
    [[1, 0]]
    """
    names = {f"problem: {problem.value}": problem_column(problem) for problem in TARGET_PROBLEMS}
    has_problems = "found" in table and any(name in table for name in names)
    if not has_problems:
        return table
    no_crowns = table["found"].where(table["found"].isna(), 0)
    missing = {name: no_crowns for name in names if name not in table}
    completed: pd.DataFrame = table.assign(**missing).rename(columns=names)
    return completed
