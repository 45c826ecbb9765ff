"""A result of a job as the methods paragraph of a report reads it."""

from __future__ import annotations

from functools import cached_property
from types import SimpleNamespace
from typing import Any, NamedTuple

import pandas as pd

from randcrowns.jobs.page_tables import output_id_of, value_text
from randcrowns.jobs.parameters import JobDescription
from randcrowns.jobs.tables import JobTables
from randcrowns.jobs.version import package_version
from randcrowns.report.methods import IntervalUnits, interval_units


class UsedOption(NamedTuple):
    """Option that a run used."""

    key: str  #: key.
    label: str  #: label in the toolbox.
    help: str  #: explanation.


class DescribedResult:
    """Result of a job with the texts of its parameters and the names of its layers.

    Args:
        result: the result.
        job: description of its job.
    """

    def __init__(self, result: JobTables, job: JobDescription) -> None:
        self._result = result
        self._job = job
        ids = {output_id_of(result.job, name): name for name in result.tables}
        self.frames: dict[str, pd.DataFrame] = {
            output: result.tables[ids[output]] if output in ids else pd.DataFrame()
            for output in job.outputs
        }

    @cached_property
    def record(self) -> SimpleNamespace:
        """Parameters by the id in the toolbox; a job has no further results."""
        parameters = {
            parameter.id: self._value_of(name) for name, parameter in self._job.parameters.items()
        }
        return SimpleNamespace(parameters=parameters, results={})

    def display_text_of(self, name: str) -> str:
        """Return the value of a parameter, or the names of its layers, as display text."""
        if name == "version":
            return package_version()
        layers = self.layer_names(name)
        if layers:
            return ", ".join(layers)
        value = self._value_of(name)
        has_value = name in self._job.parameters and value not in (None, "")
        return value_text(self._job.parameters[name], value) if has_value else ""

    def layer_names(self, name: str) -> list[str]:
        """Return the names of the layers that the run read as a parameter; empty for none."""
        return [layer.name for layer in self._result.inputs if layer.parameter == name]

    def layer_sources(self, name: str) -> list[str]:
        """Return the sources of these layers; "" for a layer in memory."""
        return [layer.source for layer in self._result.inputs if layer.parameter == name]

    def used_option(self, name: str) -> UsedOption:
        """Return the option of a parameter that the run used."""
        parameter = self._job.parameters[name]
        number = parameter.options.index(str(self._value_of(name)))
        return UsedOption(
            parameter.options[number],
            parameter.option_labels[number],
            parameter.option_helps[number],
        )

    @property
    def interval_units(self) -> list[IntervalUnits]:
        """Units that the run's intervals are over, those of all plots together first."""
        return interval_units(self._result.tables.values())

    def _value_of(self, name: str) -> Any:
        """Return the recorded value of a parameter, or its default; "" for an unknown one."""
        parameter = self._job.parameters.get(name)
        default = "" if parameter is None else parameter.default
        return self._result.parameters.get(name, default)
