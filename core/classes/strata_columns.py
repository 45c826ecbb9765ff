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
    new_names = {}
    for problem in TARGET_PROBLEMS:
        new_names[f"problem: {problem.value}"] = problem_column(problem)
    missing_names = [name for name in new_names if name not in table]
    if "found" not in table or len(missing_names) == len(new_names):
        return table
    # A row without a number of found crowns, as of unmatched delineations, has no problems either.
    no_crowns = table["found"].where(table["found"].isna(), 0)
    all_columns = table.assign(**dict.fromkeys(missing_names, no_crowns))
    renamed: pd.DataFrame = all_columns.rename(columns=new_names)
    return renamed
