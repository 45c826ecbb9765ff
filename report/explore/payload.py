"""Data of a page: numbers as compressed bytes, all else as compressed JSON, both in Base64.

Base64 has no character that ends a script or begins markup, so that texts of the data stay data.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from randcrowns.core.review.verdicts import Verdict
from randcrowns.report.colour_classes import ColourClasses, score_classes
from randcrowns.report.crown_drawings import StatusLine
from randcrowns.report.explore.content import (
    ColumnKind,
    DetectionCurve,
    ExploreColumn,
    ExploredRun,
    OutlineLayer,
    ReviewedCrowns,
    ThresholdSlider,
    View,
)
from randcrowns.report.explore.outlines import encode_outlines

#: Level of compression; higher levels take much longer for few bytes.
_COMPRESSION_LEVEL = 6
#: Maximum number of characters of a text. Longer texts end with an ellipsis.
_MAXIMUM_TEXT = 20_000
#: Type of the numbers by its name in the page.
_NUMBER_TYPES = {"f8": "<f8", "i4": "<i4"}


class _Bytes:
    """Numbers one after the other, each array at a multiple of eight bytes."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._size = 0

    def add(self, values: ArrayLike, kind: str) -> dict[str, Any]:
        """Append an array and return its position for the page.

        Args:
            values: (n,) numbers.
            kind: ``f8`` or ``i4``.
        """
        array = np.ascontiguousarray(values, dtype=_NUMBER_TYPES[kind])
        position = {"kind": kind, "at": self._size, "count": len(array)}
        content = array.tobytes()
        content += b"\0" * (-len(content) % 8)
        self._parts.append(content)
        self._size += len(content)
        return position

    def joined(self) -> bytes:
        """Return all bytes."""
        return b"".join(self._parts)


def compress_text(data: bytes) -> str:
    """Return bytes as compressed Base64."""
    return base64.b64encode(zlib.compress(data, _COMPRESSION_LEVEL)).decode("ascii")


def build_payload(run: ExploredRun, texts: dict[str, str]) -> tuple[str, str]:
    """Return the data of a page: its JSON and its numbers, both compressed and in Base64.

    Args:
        run: the content.
        texts: texts of the page by key, in the reader's language.
    """
    numbers = _Bytes()
    manifest = {
        "id": run.id,
        "title": run.title,
        "unit": run.unit,
        "answer": list(run.answer),
        "texts": texts,
        "scoreClasses": _classes_entry(score_classes()),
        "verdicts": [verdict.value for verdict in Verdict],
        "layers": [_layer_entry(layer, numbers) for layer in run.layers],
        "views": [_view_entry(view, numbers) for view in run.views],
        "regions": None if run.regions is None else vars(run.regions),
        "curves": [_curve_entry(curve, numbers) for curve in run.curves],
        "tables": [
            {
                "title": table.title,
                "headings": list(table.headings),
                "helps": list(table.helps),
                "cells": [list(row) for row in table.cells],
            }
            for table in run.tables
        ],
    }
    text = json.dumps(manifest, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return compress_text(text.encode("utf-8", "replace")), compress_text(numbers.joined())


def _layer_entry(layer: OutlineLayer, numbers: _Bytes) -> dict[str, Any]:
    """Return the entry of a layer of outlines; its coordinates are added to the numbers."""
    encoded = encode_outlines(layer.shapes)
    return {
        "name": layer.name,
        "colour": layer.colour,
        "dashes": list(layer.dashes),
        "shown": layer.is_shown,
        "step": encoded.step,
        "coordinates": numbers.add(encoded.coordinates, "i4"),
        "ringSizes": numbers.add(encoded.ring_sizes, "i4"),
        "ringsPerOutline": numbers.add(encoded.rings_per_outline, "i4"),
    }


def _view_entry(view: View, numbers: _Bytes) -> dict[str, Any]:
    """Return the entry of a view; its numbers are added to the numbers."""
    return {
        "name": view.name,
        "rows": len(view.rows),
        "columns": [
            _column_entry(column, view.rows[column.name], numbers) for column in view.columns
        ],
        "layer": numbers.add(view.outlines.layer, "i4"),
        "outline": numbers.add(view.outlines.outline, "i4"),
        "matchLayer": view.outlines.match_layer,
        "matches": numbers.add(view.outlines.matches, "i4"),
        "falseDetections": numbers.add(view.false_detections, "i4"),
        "order": view.order,
        "descending": view.is_descending,
        "colour": view.colour,
        "filled": view.is_filled,
        "stateLines": _line_entries(view.state_lines),
        "review": None if view.review is None else _review_entry(view.review, numbers),
        "sliders": [_slider_entry(slider, numbers) for slider in view.sliders],
    }


def _column_entry(column: ExploreColumn, values: pd.Series, numbers: _Bytes) -> dict[str, Any]:
    """Return the entry of a column of a view, with its values or their position."""
    entry: dict[str, Any] = {
        "name": column.name,
        "label": column.label,
        "help": column.help,
        "kind": column.kind.value,
        "role": column.role.value,
        "digits": column.digits,
        "listed": column.is_listed,
        "labels": dict(column.labels),
        "colours": dict(column.colours),
        "lines": _line_entries(column.lines),
        "classes": None if column.classes is None else _classes_entry(column.classes),
    }
    if column.kind in (ColumnKind.SCORE, ColumnKind.NUMBER):
        entry["numbers"] = numbers.add(pd.to_numeric(values, errors="coerce"), "f8")
        return entry
    codes, texts = pd.factorize(np.array([_to_text(value) for value in values], dtype=object))
    entry["codes"] = numbers.add(codes, "i4")
    entry["texts"] = list(texts)
    return entry


def _line_entries(lines: Mapping[str, StatusLine]) -> dict[str, Any]:
    """Return the entries of lines on the map by their names."""
    return {
        name: {"colour": line.colour, "dashes": list(line.dashes)} for name, line in lines.items()
    }


def _classes_entry(classes: ColourClasses) -> dict[str, Any]:
    """Return the entry of the classes of numbers."""
    return {name: list(values) for name, values in classes._asdict().items()}


def _to_text(value: Any) -> str:
    """Return a value as text; "" for a missing one."""
    if value is None or value is pd.NA or value is pd.NaT or value != value:
        return ""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    text = str(value)
    return text if len(text) <= _MAXIMUM_TEXT else f"{text[:_MAXIMUM_TEXT]}…"


def _review_entry(review: ReviewedCrowns, numbers: _Bytes) -> dict[str, Any]:
    """Return the identity of the crowns of a view."""
    crowns = review.crowns
    return {
        "targets": list(review.targets),
        "delineations": list(review.delineations),
        "side": [str(side) for side in crowns["side"]],
        "featureIds": [str(number) for number in crowns["feature_id"]],
        "outlines": list(crowns["outline"]),
        "matches": [None if pd.isna(match) else match for match in crowns["match"]],
        "scores": numbers.add(crowns["score"], "f8"),
        "problems": [_to_text(problem) for problem in crowns["problem"]],
    }


def _slider_entry(slider: ThresholdSlider, numbers: _Bytes) -> dict[str, Any]:
    """Return the entry of a slider."""
    return {
        "label": slider.label,
        "targets": numbers.add(slider.targets, "f8"),
        "predictions": numbers.add(slider.predictions, "f8"),
        "rows": numbers.add(slider.row_values, "f8"),
        "start": slider.start,
        "judgesUnmatched": slider.judges_unmatched,
        "isRule": slider.is_rule,
        "note": slider.note,
    }


def _curve_entry(curve: DetectionCurve, numbers: _Bytes) -> dict[str, Any]:
    """Return the entry of a curve of a detector."""
    return {
        "label": curve.label,
        "threshold": numbers.add(curve.threshold, "f8"),
        "precision": numbers.add(curve.precision, "f8"),
        "recall": numbers.add(curve.recall, "f8"),
    }
