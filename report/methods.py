"""Methods paragraph of a report, the same for the toolbox and for the jobs in Python."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, Protocol

import pandas as pd

from randcrowns.core.statistics import MIN_PLOTS, MIN_UNITS
from randcrowns.report.language import tr
from randcrowns.report.references import CitedWork, cited_works
from randcrowns.report.render import template_environment

#: Template with a macro for each algorithm.
_TEMPLATE = "report_methods.html"


class IntervalUnits(NamedTuple):
    """Units that intervals are over."""

    label: str  #: display text, such as "plots".
    minimum: int  #: minimum number of units for an interval.


class DescribedRun(Protocol):
    """Run as the template of the methods reads it."""

    @property
    def frames(self) -> Mapping[str, Any]:
        """Rows of a table by the id of the output of the toolbox."""

    def display_text_of(self, name: str) -> str:
        """Return the value of a parameter, or the names of its layers, as display text."""

    def layer_names(self, name: str) -> list[str]:
        """Return the names of the layers that the run read as a parameter; empty for none."""

    def used_option(self, name: str) -> Any:
        """Return the used option of a parameter, with ``key``, ``label`` and ``help``."""

    @property
    def interval_units(self) -> list[IntervalUnits]:
        """Units that the run's intervals are over, those of all plots together first."""


def methods_sentences(algorithm: str, run: DescribedRun) -> list[str]:
    """Return the sentences of a methods paragraph for a paper.

    Args:
        algorithm: id of the algorithm without the provider. The template has a macro of its name.
        run: the run.
    """
    macros = template_environment(escape_html=False).get_template(_TEMPLATE).module
    macro = getattr(macros, algorithm, None)
    lines = [] if macro is None else [line.strip() for line in macro(run).splitlines()]
    version = tr("The analysis was made with {version}.", version=run.display_text_of("version"))
    return [*(line for line in lines if line), version]


def works_named_in(sentences: list[str]) -> list[CitedWork]:
    """Return the works that sentences name."""
    text = " ".join(sentences)
    return [work for work in cited_works().values() if work.is_named(text)]


def unit_labels() -> dict[str, str]:
    """Return the labels of the units that intervals are over, by their stored texts."""
    return {"plots": tr("plots"), "crowns": tr("crowns"), "instances": tr("instances")}


def minimum_units(units: str) -> int:
    """Return the minimum number of units for an interval.

    Args:
        units: ``plots``, ``crowns`` or ``instances``.
    """
    return MIN_PLOTS if units == "plots" else MIN_UNITS


def interval_units(tables: Iterable[pd.DataFrame]) -> list[IntervalUnits]:
    """Return the units that the intervals of a run are over; empty without intervals.

    Args:
        tables: tables of the run. In column ``resampled``, the first row is that of all plots.

    >>> interval_units([pd.DataFrame({"resampled": ["plots", "crowns", "crowns"]})])
    [IntervalUnits(label='plots', minimum=5), IntervalUnits(label='crowns', minimum=10)]
    """
    labels = unit_labels()
    for table in tables:
        if "resampled" in table and len(table):
            names = table["resampled"].astype(str).unique()
            return [IntervalUnits(labels.get(name, name), minimum_units(name)) for name in names]
    return []
