"""Written results, read again for a report."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from randcrowns.core.errors import InputError
from randcrowns.core.messages import Message, Severity, info
from randcrowns.jobs.outlines import RECORD_LAYER, fingerprint_outlines
from randcrowns.jobs.parameters import describe_jobs
from randcrowns.jobs.tables import InputLayer, JobTables
from randcrowns.jobs.vector_files import import_geopandas, local_file

#: Ending of the name of a GeoPackage.
_PACKAGE_SUFFIX = ".gpkg"
#: File with the summary in a results directory.
_SUMMARY_FILE = "summary.json"
#: Job that the toolbox does not have.
_BENCHMARK = "benchmark"
#: Entries of a written result that are texts.
_TEXTS = ("conclusion", "unit", "command")
#: Key of messages whose own key is not known.
_UNKNOWN_KEY = "record.message"


def read_record(path: str | Path) -> JobTables:
    """Return the tables of a written result.

    Args:
        path: JSON file of a job (``--out NAME.json``), GeoPackage of a job (``--out NAME.gpkg``,
            with the outlines), or a results directory (without the outlines).

    Raises:
        InputError: if the file cannot be read, is something else, or contains other outlines than
            the job has written.

    >>> read_record("nowhere.json")
    Traceback (most recent call last):
    randcrowns.core.errors.InputError: There is no file nowhere.json.
    """
    file = Path(path)
    if file.is_dir():
        file = file / _SUMMARY_FILE
    if not file.is_file():
        raise InputError("file.missing", "There is no file {file}.", file=str(file))
    if file.suffix.lower() == _PACKAGE_SUFFIX:
        return _read_package(file)
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise _unreadable_error(file, error) from error
    return _parse_result(text, file)


def _unreadable_error(file: Path, error: Exception) -> InputError:
    """Return the error that a file cannot be read."""
    return InputError("file.unreadable", "{path} cannot be read: {why}", path=str(file), why=error)


def _read_package(file: Path) -> JobTables:
    """Return the tables of a GeoPackage that a job has written, with their outlines.

    Raises:
        InputError: if the file has no record of a run, cannot be read, or its outlines changed.
    """
    tables = _read_layers(file)
    record = tables.pop(RECORD_LAYER, pd.DataFrame())
    text = ""
    if len(record) and RECORD_LAYER in record:
        text = str(record[RECORD_LAYER].iloc[0])
    result = _parse_result(text, file)
    missing_or_changed = []
    for name, fingerprint in json.loads(text).get("outlines", {}).items():
        if name not in tables or fingerprint_outlines(tables[name]) != fingerprint:
            missing_or_changed.append(name)
    if "summary" not in tables:
        missing_or_changed.append("summary")
    if missing_or_changed:
        raise InputError(
            "jobs.results_changed",
            "{file}: table '{table}' is missing or its outlines differ from those of the run. Run "
            "the job again.",
            file=str(file),
            table=missing_or_changed[0],
        )
    if result.unit == "px" or result.ground_resolution:
        # A GeoPackage invents a CRS for pixels.
        for name, table in tables.items():
            if "geometry" in table:
                tables[name] = table.set_crs(None, allow_override=True)
    return replace(result, summary=tables["summary"], tables=tables)


def _read_layers(file: Path) -> dict[str, Any]:
    """Return the layers of a GeoPackage by name; none if it has no record of a run.

    Raises:
        InputError: if the file cannot be read.
    """
    import pyogrio

    import_geopandas()
    try:
        with local_file(file):
            names = [str(name) for name, _ in pyogrio.list_layers(file)]
            if RECORD_LAYER not in names:
                return {}
            return {name: pyogrio.read_dataframe(file, layer=name) for name in names}
    except (OSError, ValueError, RuntimeError) as error:
        raise _unreadable_error(file, error) from error


def _parse_result(text: str, file: Path) -> JobTables:
    """Return the result in the JSON text of a file.

    Raises:
        InputError: if the text is something else.
    """
    try:
        content = json.loads(text or "null")
    except (ValueError, RecursionError) as error:
        raise _unreadable_error(file, error) from error
    job = None
    if _is_record(content):
        # Results of earlier versions call the job "kind".
        job = content.get("job") or content.get("kind")
    if not isinstance(job, str) or job not in {*describe_jobs(), _BENCHMARK}:
        raise InputError(
            "jobs.no_record",
            "{path} is no result of a job. Name a JSON file or a GeoPackage that a job has "
            "written (--out NAME.json or NAME.gpkg), or a results directory.",
            path=str(file),
        )
    summary = _make_table(content["summary"])
    tables = {"summary": summary}
    for name, rows in content.get("tables", {}).items():
        tables[name] = _make_table(rows)
    conclusion = content.get("conclusion", "")
    inputs = [_make_input(entry) for entry in content.get("inputs", []) if _is_input(entry)]
    return JobTables(
        job=job,
        summary=summary,
        tables=tables,
        messages=_make_messages(content),
        parameters=content.get("parameters") or content.get("choices", {}),
        conclusion=conclusion,
        unit=content.get("unit", "m"),
        headline=_make_headline(content.get("headline", []), conclusion),
        inputs=inputs,
        ground_resolution=float(content.get("ground_resolution", 0.0)),
        command=content.get("command", ""),
    )


def _is_input(entry: Any) -> bool:
    """Return True if a value is the record of an input of a job."""
    return isinstance(entry, dict) and isinstance(entry.get("name"), str)


def _make_input(entry: Mapping[str, Any]) -> InputLayer:
    """Return the record of an input; that of a results directory names no parameter."""
    return InputLayer(**{name: str(entry.get(name, "")) for name in InputLayer._fields})


def _is_record(content: Any) -> bool:
    """Return True if the content of a file has the structure of a written result."""
    if not isinstance(content, dict):
        return False
    tables = content.get("tables", {})
    parameters = content.get("parameters") or content.get("choices", {})
    if not isinstance(tables, dict) or not isinstance(parameters, dict):
        return False
    messages: Any = content.get("messages", content.get("warnings", []))
    headline: Any = content.get("headline", [])
    inputs = content.get("inputs", [])
    if not all(isinstance(entries, list) for entries in (messages, headline, inputs)):
        return False
    if not isinstance(content.get("ground_resolution", 0.0), (int, float)):
        return False
    if not all(isinstance(content.get(name, ""), str) for name in _TEXTS):
        return False
    return (
        _are_rows(content.get("summary"))
        and all(map(_are_rows, tables.values()))
        and all(map(_is_headline_entry, headline))
        and all(map(_is_message, messages))
    )


def _are_rows(rows: Any) -> bool:
    """Return True if a value is a list of rows with values by the names of columns."""
    return isinstance(rows, list) and all(isinstance(row, dict) for row in rows)


def _is_message(entry: Any) -> bool:
    """Return True if a value is a message, or the text of one."""
    if not isinstance(entry, dict):
        return isinstance(entry, str)
    return entry.get("severity", "note") in {severity.value for severity in Severity}


def _is_headline_entry(entry: Any) -> bool:
    """Return True if a value is a message of a conclusion, with texts by name."""
    if not isinstance(entry, dict) or not isinstance(entry.get("values", {}), dict):
        return False
    texts = (entry.get("key"), entry.get("text"), *entry.get("values", {}).values())
    return all(isinstance(text, str) for text in texts)


def _make_headline(entries: Sequence[Mapping[str, Any]], conclusion: str) -> list[Message]:
    """Return the messages of a conclusion; the whole conclusion as one in older results.

    Args:
        entries: messages with their key, text and values.
        conclusion: the conclusion as text.
    """
    if not entries and conclusion:
        return [info(_UNKNOWN_KEY, "{text}", text=conclusion)]
    messages = []
    for entry in entries:
        values = {**entry.get("values", {}), "text": entry["text"]}
        messages.append(info(entry["key"], "{text}", **values))
    return messages


def _make_table(rows: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """Return rows as a table, with NaN in columns without a value."""
    table = pd.DataFrame(rows)
    for name in table.columns[table.isna().all()]:
        table[name] = np.nan
    return table


def _make_messages(content: Mapping[str, Any]) -> list[Message]:
    """Return the messages of a written result."""
    entries = content.get("messages")
    if entries is None:
        # Results of earlier versions contain the texts of warnings only.
        entries = [{"severity": "warning", "text": text} for text in content.get("warnings", [])]
    messages = []
    for entry in entries:
        key = entry.get("key", _UNKNOWN_KEY)
        severity = Severity(entry.get("severity", "note"))
        messages.append(Message(key, severity, "{text}", {"text": entry.get("text", "")}))
    return messages
