"""The columns that the tables of page Instances show."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pandas as pd

from randcrowns.algorithms.instances.outputs import PERFORMANCE, SUMMARY
from randcrowns.algorithms.output import Output
from randcrowns.core.instances.matching import MatchStatus
from randcrowns.core.instances.summary import INTERVALS
from randcrowns.layers.words import tr
from randcrowns.ui.widgets.table_model import Column, as_text, column_of, columns_of

STATUSES = {
    MatchStatus.TRUE_POSITIVE.value: tr("found"),
    MatchStatus.FALSE_NEGATIVE.value: tr("not found"),
    MatchStatus.FALSE_POSITIVE.value: tr("false positive"),
    MatchStatus.UNCERTAIN.value: tr("uncertain"),
    MatchStatus.NO_GEOMETRY.value: tr("no outline"),
}


def status_words(status: Any) -> str:
    """A status in words."""
    return STATUSES.get(str(status), as_text(status))


def matched_columns(output: Output, names: Iterable[str]) -> list[Column]:
    """Columns of the targets or of the predictions, of those ``names`` that the table has."""
    columns = []
    for column in output.columns_of(names):
        own: dict[str, Any] = {"text": _id} if column.name.endswith("_id") else {}
        if column.name == "status":
            own = {"text": status_words, "also": _layer_words}
        columns.append(column_of(column, csv=column.name, **own))
    return columns


def with_intervals(summary: pd.DataFrame) -> pd.DataFrame:
    """The summary with a text ``<metric>_between`` for each interval."""
    frame = summary.copy()
    for name in INTERVALS:
        frame[f"{name}_between"] = [
            tr("n/a") if pd.isna(low) or pd.isna(high) else f"{low:.2f}–{high:.2f}"
            for low, high in zip(frame[f"{name}_low"], frame[f"{name}_high"])
        ]
    return frame


def summary_columns() -> list[Column]:
    """Columns of the summary: the plot, each metric with its interval, counts."""
    columns = columns_of(SUMMARY, "group")
    for name in INTERVALS:
        metric, low = columns_of(SUMMARY, name, f"{name}_low")
        columns += [metric, replace(low, name=f"{name}_between", title=tr("95 %"), text=as_text)]
    counts = ("targets", "predictions", "tp", "fp", "fn", "uncertain", "splits", "merges")
    columns += columns_of(SUMMARY, *counts, "sq", "resampled")
    return [replace(column, csv=column.name) for column in columns]


def performance_columns() -> list[Column]:
    """Columns of what each step took."""
    return columns_of(PERFORMANCE, *(column.name for column in PERFORMANCE.columns))


def _layer_words(status: Any) -> str:
    """A status as the layers and their legends have it, so that it is found by those words too."""
    return str(status).replace("_", " ")


def _id(value: Any) -> str:
    return "" if pd.isna(value) else str(int(value))
