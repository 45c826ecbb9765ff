"""File with verdicts that a reader of a page to explore has saved (JSON)."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping
from typing import Any, cast

import pandas as pd

from randcrowns.core.errors import InputError
from randcrowns.core.review.verdicts import VERDICT_COLUMNS, Side, Verdict

#: Value of ``format`` in the file.
FORMAT = "randcrowns verdicts"
#: Newest version of the file that can be read.
VERSION = 1
#: Columns that every verdict needs: without them its crown or its author is unknown.
_REQUIRED_COLUMNS = ("layer", "side", "feature_id", "outline", "verdict", "reviewer", "time")
#: Columns that are empty texts without a value.
_EMPTY_BY_DEFAULT = (
    "layer_id",
    "layer_source",
    "delineations_id",
    "delineations_source",
    "comment",
    "right_class",
)
#: Date at the beginning of the time of a verdict.
_DATE = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
#: Maximum length of a text, characters.
_MAXIMUM_TEXT = 100_000


def read_verdict_text(text: str, source: str) -> pd.DataFrame:
    """Return the verdicts of a file that a page to explore has saved.

    Args:
        text: content of the file.
        source: name of the file, for messages.

    Returns:
        A row per verdict with the columns
        :data:`randcrowns.core.review.verdicts.VERDICT_COLUMNS`: texts, ``score`` (number or None),
        ``feature_id`` (int) and ``match`` (text, None if unknown).

    Raises:
        InputError: if the text is no file with verdicts, was written by a newer version, or
            contains a verdict that is not valid.

    >>> read_verdict_text('{"format": "randcrowns verdicts", "version": 1, "verdicts": []}', "x")
    Empty DataFrame
    Columns: [layer_id, layer_source, layer, delineations_id, delineations_source, delineations, \
side, feature_id, outline, match, score, problem, verdict, comment, reviewer, time, right_class]
    Index: []
    """
    content = _parse(text, source)
    records = content["verdicts"]
    rows = [_read_record(record, number, source) for number, record in enumerate(records, 1)]
    return cast("pd.DataFrame", pd.DataFrame(rows, columns=VERDICT_COLUMNS, dtype=object))


def _parse(text: str, source: str) -> Mapping[str, Any]:
    """Return the content of a file after a check of its format and version.

    Raises:
        InputError: if it is no file with verdicts, or of a newer version.
    """
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        content = None
    values = content if isinstance(content, dict) else {}
    has_entries = isinstance(values.get("verdicts"), list) and isinstance(
        values.get("version"), int
    )
    if values.get("format") != FORMAT or not has_entries:
        raise InputError(
            "verdicts.no_verdict_file",
            "{file} is not a file with verdicts that a page to explore has saved.",
            file=source,
        )
    if values["version"] > VERSION:
        raise InputError(
            "verdicts.newer_file",
            "{file} was saved by a newer version of RandCrowns. Update the plugin to read it.",
            file=source,
        )
    return values


def _read_record(record: Any, number: int, source: str) -> dict[str, Any]:
    """Return a verdict as a row of the table of verdicts.

    Args:
        record: the verdict in the file.
        number: number of the verdict in the file, from 1.
        source: name of the file, for messages.

    Raises:
        InputError: if a value is missing or not valid.
    """
    values = record if isinstance(record, dict) else {}
    row: dict[str, Any] = {name: _text_or_none(values.get(name)) for name in VERDICT_COLUMNS}
    row["score"] = _number_or_none(values.get("score"))
    row["feature_id"] = _integer_or_none(values.get("feature_id"))
    if not _DATE.match(row["time"] or ""):
        row["time"] = None
    for name in _REQUIRED_COLUMNS:
        if row[name] is None:
            raise InputError(
                "verdicts.invalid_value",
                "Verdict {number} of {file} has no valid value of '{name}'. The file is damaged; "
                "ask for it again.",
                number=number,
                file=source,
                name=name,
            )
    if row["verdict"] not in _KNOWN_VERDICTS or row["side"] not in _KNOWN_SIDES:
        raise InputError(
            "verdicts.unknown_verdict",
            "Verdict {number} of {file} is '{verdict}' on a '{side}', which this version does not "
            "know. Update the plugin, or ask for the file again.",
            number=number,
            file=source,
            verdict=row["verdict"],
            side=row["side"],
        )
    for name in _EMPTY_BY_DEFAULT:
        row[name] = row[name] or ""
    return row


#: Texts of verdicts and sides that this version knows.
_KNOWN_VERDICTS = {verdict.value for verdict in Verdict}
_KNOWN_SIDES = {side.value for side in Side}


def _text_or_none(value: Any) -> str | None:
    r"""Return a text of limited length that can be stored; None for any other value.

    Halves of characters (surrogates) become question marks, and zero characters are removed.

    >>> _text_or_none("a\ud800b")
    'a?b'
    """
    if not isinstance(value, str):
        return None
    stored = value[:_MAXIMUM_TEXT].encode("utf-8", "replace").decode("utf-8")
    return stored.replace("\0", "")


def _number_or_none(value: Any) -> float | None:
    """Return a number; None for any other value, NaN or infinity."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    is_finite = abs(value) <= sys.float_info.max
    return float(value) if is_finite else None


def _integer_or_none(value: Any) -> int | None:
    """Return a whole number, also from a text of digits; None for any other value."""
    if isinstance(value, bool) or not isinstance(value, (int, str)):
        return None
    try:
        number = int(value)
    except ValueError:
        return None
    return number if -(2**63) <= number < 2**63 else None
