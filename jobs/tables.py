"""Tables and messages of a job, as reports and figures read them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import pandas as pd

from randcrowns.core.messages import Message


class InputLayer(NamedTuple):
    """Layer that a job read."""

    parameter: str  #: name of the parameter, such as ``targets``.
    name: str  #: name of the layer.
    source: str = ""  #: path that the layer was read from; "" for data in memory.


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
        headline: the sentences of the conclusion as messages; empty for the jobs that write their
            conclusion as text.
        inputs: layers that the job read.
        ground_resolution: metres per pixel, for outlines in pixels whose lengths are in metres; 0
            for other outlines.
        has_feature_ids: False if crowns are identified by their rows, so that verdicts on them
            cannot be assigned to features in QGIS.
        command: line of the command ``randcrowns`` that repeats the run, from the folder in which
            it was run; "" for a run in Python.
    """

    job: str
    summary: pd.DataFrame
    tables: Mapping[str, pd.DataFrame] = field(default_factory=dict)
    messages: Sequence[Message] = ()
    parameters: Mapping[str, Any] = field(default_factory=dict)
    conclusion: str = ""
    unit: str = "m"
    headline: Sequence[Message] = ()
    inputs: Sequence[InputLayer] = ()
    ground_resolution: float = 0.0
    has_feature_ids: bool = True
    command: str = ""

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


def name_input(result: JobTables, parameter: str, default: str = "") -> str:
    """Return the name of the layer that a job read for a parameter.

    Args:
        result: result of the job.
        parameter: name of the parameter.
        default: name if no such layer is recorded.
    """
    for layer in result.inputs:
        if layer.parameter == parameter:
            return layer.name
    return default


def format_whole(value: Any) -> str:
    """Return a number without decimals as text; NaN as pandas writes it.

    >>> format_whole(2.0), format_whole(float("nan"))
    ('2', 'NaN')
    """
    return "NaN" if math.isnan(value) else f"{value:.0f}"


def whole_columns(table: pd.DataFrame) -> list[Any]:
    """Return the names of columns of floats with counts or ranks, which are shown without decimals.

    A share that happens to be 0 or 1 in all rows is no count.

    >>> whole_columns(pd.DataFrame({"rank": [1.0, 2.0], "recall": [0.0, 1.0], "iou": [0.5, 2.0]}))
    ['rank']
    """
    names = []
    for name, column in table.select_dtypes("float").items():
        values = column.dropna()
        if len(values) and (values % 1 == 0).all() and values.max() > 1:
            names.append(name)
    return names
