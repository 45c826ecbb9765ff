"""Tables and messages of a job, as reports and figures read them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from randcrowns.core.messages import Message

if TYPE_CHECKING:
    from randcrowns.report.explore.content import ExploredRun


@dataclass(frozen=True, eq=False)
class JobTables:
    """Tables and messages of a job.

    The tables are attributes too: ``result.targets`` is ``result.tables["targets"]``.

    Attributes:
        job: name of the job.
        summary: table with the summary, as in the toolbox.
        tables: all tables by name, the summary included; those with geometries are GeoDataFrames in
            the coordinate system of the input.
        messages: messages about the input and the results.
        parameters: values of all parameters by name.
        conclusion: sentences with the answer.
        unit: unit of lengths: ``m`` or ``px``.
        explored: makes the content of the page to explore the crowns, with the image in a file,
            which may be None; None without such a page.
        headline: the sentences of the conclusion as messages; empty for the jobs that write their
            conclusion as text.
    """

    job: str
    summary: pd.DataFrame
    tables: Mapping[str, pd.DataFrame] = field(default_factory=dict)
    messages: Sequence[Message] = ()
    parameters: Mapping[str, Any] = field(default_factory=dict)
    conclusion: str = ""
    unit: str = "m"
    explored: Callable[[Path | None], ExploredRun] | None = None
    headline: Sequence[Message] = ()

    def __getattr__(self, name: str) -> pd.DataFrame:
        tables = self.__dict__.get("tables", {})
        if name in tables:
            table: pd.DataFrame = tables[name]
            return table
        raise AttributeError(
            f"The result of {self.__dict__.get('job', 'a job')} has no table '{name}'; it has "
            f"{', '.join(tables)}."
        )

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self.tables})
