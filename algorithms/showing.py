"""What a report shows of the runs of an algorithm: tables, plots, a map and crowns.

Each algorithm says it with a :class:`Showing`; the report knows no topic. How it is done stands in words in
``resources/report_methods.html``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Callable

import pandas as pd
from qgis.core import QgsCoordinateReferenceSystem, QgsGeometry

from randcrowns.algorithms.choice import Option
from randcrowns.algorithms.output import RESAMPLED, Output
from randcrowns.algorithms.record import Record
from randcrowns.layers.styles.print_layout import Pages


@dataclass(frozen=True)
class RunTables:
    """What a run made, read again."""

    record: Record  #: how it was made.
    #: Rows of a layer or table, by the id of its output, without how they were made.
    frames: Mapping[str, pd.DataFrame]
    #: An outline per row, likewise.
    shapes: Mapping[str, Sequence[QgsGeometry]] = field(default_factory=dict)
    #: Coordinate systems of the outlines.
    systems: Mapping[str, QgsCoordinateReferenceSystem] = field(default_factory=dict)
    #: Of reviewers, kept in the file of the run or of the project.
    verdicts: pd.DataFrame = field(default_factory=pd.DataFrame)
    choices: Sequence[Any] = ()  #: that its algorithm declares.

    def table(self, output: Output) -> pd.DataFrame:
        """The rows of an output; none where it was not made, or is gone."""
        return self.frames.get(output.id, pd.DataFrame())

    def words(self, name: str) -> str:
        """What a choice of the run said."""
        return self.record.words_of(name)

    def option(self, name: str) -> Option:
        """The option that the run had of a choice; the first where its words are another language's."""
        options = next(choice.options for choice in self.choices if choice.name == name)
        return next((one for one in options if one.label == self.words(name)), options[0])

    @property
    def resampled(self) -> str:
        """What the intervals of its summary are over, in words; empty without any."""
        units = (
            frame[RESAMPLED.name].iloc[0]
            for frame in self.frames.values()
            if RESAMPLED.name in frame.columns
        )
        return RESAMPLED.shown(str(next(units, "")))


@dataclass(frozen=True)
class ShownTable:
    """A table of a report."""

    output: Output  #: whose rows are shown.
    #: Names of the fields, all declared ones for none; ends of intervals stand with their number.
    columns: tuple[str, ...] = ()
    title: str = ""  #: unless it is that of the output.
    #: Makes other rows of a run's; those of the output otherwise.
    of: Callable[[pd.DataFrame], pd.DataFrame] | None = None


@dataclass(frozen=True)
class Plot:
    """A plot: its title, what draws it on axes, and inches."""

    title: str
    draw: Callable[[Any], object]
    width: float = 6.0
    height: float = 4.5


@dataclass(frozen=True)
class ShownCrown:
    """A crown as a small map."""

    name: str  #: what it is called.
    numbers: Sequence[tuple[str, str]]  #: names and values of its scores, as words.
    #: problem, cause: what is wrong with it, and why; empty where nothing is.
    problem: str
    cause: str
    outlines: Sequence[
        tuple[QgsGeometry, str]
    ]  #: each with its colour (``#rrggbb``), the first below.
    system: QgsCoordinateReferenceSystem  #: coordinate system of the outlines.


@dataclass(frozen=True)
class CrownSheet:
    """Crowns that belong together: a title, what they are, and the crowns."""

    title: str
    about: str
    crowns: Sequence[ShownCrown]


def _nothing(*_: Any) -> list[Any]:
    return []


@dataclass(frozen=True)
class Showing:
    """What a report shows of a run."""

    tables: tuple[ShownTable, ...] = ()  #: in their order.
    map: tuple[Output, ...] = ()  #: layers on the map, the uppermost first.
    read: tuple[Output, ...] = ()  #: further outputs that plots and crowns are made of.
    plots: Callable[[RunTables], list[Plot]] = _nothing  #: makes them of a run's tables.
    #: Makes sheets of a run's tables, each of so many crowns.
    crowns: Callable[[RunTables, int], list[CrownSheet]] = _nothing
    review: Callable[[RunTables], list[str]] = _nothing  #: what reviewers said of it, in sentences.

    @property
    def needed(self) -> tuple[Output, ...]:
        """The outputs whose rows are read."""
        return tuple(dict.fromkeys([*(table.output for table in self.tables), *self.read]))


@dataclass(frozen=True)
class Printed:
    """What a print layout shows of a run."""

    title: str  #: what the outlines are that have a page each.
    outlines: Output  #: their layer.
    summary: Output  #: the table that sums up the run.
    #: Which they are, by the record of the run, the fields that its layer has, and what the page has on show, as one of
    #: several delineation layers.
    pages: Callable[[Record, Sequence[str], str], Pages]
    plots: bool = True  #: there may be pages of plots, too.
