"""Frozen values under the current names of parameters, outputs and columns."""

from __future__ import annotations

import re
from typing import Any

from randcrowns.core.old_names import COLUMNS, OUTPUTS, PARAMETERS, rename_columns, rename_ids

__all__ = ["current_definitions", "current_look", "current_outputs", "current_runs"]

#: Outputs in which a field ``plot`` of the user's layer is now ``plot_own``, because the plot of
#: the run has that name.
_WITH_OWN_FIELDS = ("MATCHED_TARGETS", "MATCHED_PREDICTIONS")


def current_definitions(frozen: dict[str, Any]) -> dict[str, Any]:
    """Return frozen definitions of the algorithms under the current ids."""
    return {algorithm: _algorithm(facts) for algorithm, facts in frozen.items()}


def current_runs(handed: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the frozen runs of a page with the current ids of their parameters and tables."""
    return [
        {**run, "parameters": dict(map(_destination, rename_ids(run["parameters"]).items()))}
        if "parameters" in run
        else run
        for run in handed
    ]


def current_outputs(facts: dict[str, Any]) -> dict[str, Any]:
    """Return the frozen outputs of a run under the current names of outputs and columns."""
    renamed = {
        OUTPUTS.get(name, name): _table(fact, _output_of(OUTPUTS.get(name, name)))
        for name, fact in facts.items()
    }
    if "made" in renamed:
        renamed["made"] = sorted(OUTPUTS.get(name, name) for name in renamed["made"])
    return renamed


def current_look(look: Any) -> Any:
    """Return an approved figure or layout with the current names of a summary's columns."""
    if isinstance(look, list):
        return [current_look(part) for part in look]
    return COLUMNS["SUMMARY"].get(look, look) if isinstance(look, str) else look


def _destination(parameter: tuple[str, Any]) -> tuple[str, Any]:
    """Return id and value of a parameter; a table is named after the current id of its output."""
    name, value = parameter
    if isinstance(value, str) and 'table="' in value:
        for old, new in OUTPUTS.items():
            value = value.replace(f'table="{old.lower()}_<', f'table="{new.lower()}_<')
    return name, value


def _id(name: str) -> str:
    """Return the current id of a parameter, or of an ``output <id>``."""
    kind, space, output = name.rpartition(" ")
    if space:
        return f"{kind} {OUTPUTS.get(output, output)}"
    return PARAMETERS.get(name) or OUTPUTS.get(name, name)


def _algorithm(facts: dict[str, Any]) -> dict[str, Any]:
    """Return the definitions of an algorithm under the current ids."""
    renamed = {_id(name): dict(fact) for name, fact in facts.items()}
    for order in ("parameters", "outputs"):
        renamed[""][order] = [_id(name) for name in renamed[""][order]]
    for fact in renamed.values():
        if "parentLayerParameterName" in fact:
            fact["parentLayerParameterName"] = _id(fact["parentLayerParameterName"])
    return renamed


def _output_of(name: str) -> str:
    """Return the id of an output that is frozen under its id, a table or a file."""
    if name.endswith("summary.csv"):
        return "SUMMARY"
    return name.rpartition(" ")[2].upper()


def _table(fact: Any, output: str) -> Any:
    """Return a frozen table under the current names of its columns."""
    if not isinstance(fact, dict) or "columns" not in fact:
        return fact
    listed = fact.get("header") or [field["name"] for field in fact.get("fields", [])]
    has_own_plot = output in _WITH_OWN_FIELDS and "plot" in listed
    own_names = ["plot_own" if has_own_plot and name == "plot" else name for name in listed]
    names = dict(zip(listed, rename_columns(own_names, output)))
    renamed = {name: fact["columns"][old] for old, name in names.items() if old in fact["columns"]}
    if output == "CONSENSUS" and "parameters" in renamed:
        renamed["parameters"] = _parameter_texts(renamed["parameters"])
    result = {**fact, "columns": renamed}
    if "fields" in fact:
        result["fields"] = [{**field, "name": names[field["name"]]} for field in fact["fields"]]
    if "header" in fact:
        result["header"] = list(names.values())
    return result


def _parameter_texts(column: dict[str, Any]) -> dict[str, Any]:
    """Return a column of texts such as ``clipped=True, rounds=60`` with the current names."""

    def renamed(text: Any) -> Any:
        return re.sub(r"\b(max_)?rounds=", "max_iterations=", text) if text else text

    current = dict(column)
    if "always" in current:
        current["always"] = renamed(current["always"])
    if "values" in current:
        current["values"] = list(map(renamed, current["values"]))
    return current
