"""Written results, read again for a report."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from randcrowns.core.errors import InputError
from randcrowns.core.messages import Message, Severity, info
from randcrowns.jobs.parameters import describe_jobs
from randcrowns.jobs.tables import JobTables

#: File with the summary in a results directory.
_SUMMARY_FILE = "summary.json"
#: Job that the toolbox does not have.
_BENCHMARK = "benchmark"
#: Key of messages whose own key is not known.
_UNKNOWN_KEY = "record.message"


def read_record(path: str | Path) -> JobTables:
    """Return the tables of a written result.

    Args:
        path: JSON file of a job (``--out NAME.json``), or a results directory.

    Raises:
        InputError: if the file cannot be read, or is something else.

    >>> read_record("nowhere.json")
    Traceback (most recent call last):
    randcrowns.core.errors.InputError: There is no file nowhere.json.
    """
    file = Path(path)
    if file.is_dir():
        file = file / _SUMMARY_FILE
    if not file.is_file():
        raise InputError("file.missing", "There is no file {file}.", file=str(file))
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(
            "file.unreadable", "{path} cannot be read: {why}", path=str(file), why=error
        ) from error
    job = (content.get("job") or content.get("kind")) if _is_record(content) else None
    if not isinstance(job, str) or job not in {*describe_jobs(), _BENCHMARK}:
        raise InputError(
            "jobs.no_record",
            "{path} is no result of a job. Name a JSON file that a job has written (--out "
            "NAME.json), or a results directory.",
            path=str(file),
        )
    summary = _table(content["summary"])
    conclusion = content.get("conclusion", "")
    tables = {name: _table(rows) for name, rows in content.get("tables", {}).items()}
    return JobTables(
        job,
        summary,
        {"summary": summary, **tables},
        _messages(content),
        content.get("parameters") or content.get("choices", {}),
        conclusion,
        content.get("unit", "m"),
        headline=_headline(content.get("headline", []), conclusion),
    )


def _is_record(content: Any) -> bool:
    """Return True if the content of a file has the structure of a written result."""
    if not isinstance(content, dict):
        return False
    tables = content.get("tables", {})
    messages = content.get("messages", content.get("warnings", []))
    parameters = content.get("parameters") or content.get("choices", {})
    if not (isinstance(tables, dict) and isinstance(messages, list)):
        return False
    texts = (content.get("conclusion", ""), content.get("unit", ""))
    headline = content.get("headline", [])
    return (
        isinstance(parameters, dict)
        and isinstance(headline, list)
        and all(map(_is_headline_entry, headline))
        and all(isinstance(text, str) for text in texts)
        and all(map(_are_rows, (content.get("summary"), *tables.values())))
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


def _headline(entries: Sequence[Mapping[str, Any]], conclusion: str) -> list[Message]:
    """Return the messages of a conclusion; the whole conclusion as one in older results."""
    if not entries and conclusion:
        return [info(_UNKNOWN_KEY, "{text}", text=conclusion)]
    return [
        info(entry["key"], "{text}", **{**entry.get("values", {}), "text": entry["text"]})
        for entry in entries
    ]


def _table(rows: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """Return rows as a table, with NaN in columns without a value."""
    table = pd.DataFrame(rows)
    for name in table.columns[table.isna().all()]:
        table[name] = np.nan
    return table


def _messages(content: Mapping[str, Any]) -> list[Message]:
    """Return the messages of a written result."""
    entries = content.get("messages")
    if entries is None:
        entries = [{"severity": "warning", "text": text} for text in content.get("warnings", [])]
    return [
        Message(
            entry.get("key", _UNKNOWN_KEY),
            Severity(entry.get("severity", "note")),
            "{text}",
            {"text": entry.get("text", "")},
        )
        for entry in entries
    ]
