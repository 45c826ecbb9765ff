"""Layers, tables and rasters as plain values: every number, and checksums of what they look
like to the last bit.
"""

from __future__ import annotations

import csv
import hashlib
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from osgeo import gdal
from qgis.core import QgsFields, QgsVectorLayer, QgsWkbTypes

from randcrowns.layers.compat import is_null

__all__ = ["csv_table", "layer_table", "raster_values"]

#: Of longer tables the first rows are kept, with sums and checksums of all.
_MOST_ROWS, _FIRST = 2000, 20
#: Columns of sentences, which may be worded otherwise: that there is one is kept, not what it says.
#: Beginning of the columns that say how a run was made, its time and version among them.
_RECORD = "run_"
_SENTENCES = ("meaning", "reason", "step")
_DIGITS = 16


def layer_table(layer: QgsVectorLayer, without: Sequence[str] = ()) -> dict[str, Any]:
    """A layer without its names, aliases and comments; of the columns ``without`` only their
    fields.
    """
    features = list(layer.getFeatures())
    told = [place for place, name in enumerate(layer.fields().names()) if name.startswith(_RECORD)]
    fields = QgsFields(layer.fields())
    for place in reversed(told):
        fields.remove(place)
    places = [layer.fields().lookupField(name) for name in fields.names()]
    rows = [
        [None if is_null(row[place]) else row[place] for place in places]
        for row in (feature.attributes() for feature in features)
    ]
    facts: dict[str, Any] = {
        "kind": QgsWkbTypes.displayString(layer.wkbType()),
        "crs": layer.crs().authid(),
        "rows": len(rows),
        "fields": [_field(field) for field in fields],
        "columns": {},
    }
    for place, name in enumerate(fields.names()):
        if name not in without:
            values = [_plain(row[place]) for row in rows]
            if name in _SENTENCES:
                values = [bool(value) if isinstance(value, str) else value for value in values]
            facts["columns"][name] = _column(values)
    if layer.isSpatial():
        facts["geometry"] = _geometry([feature.geometry() for feature in features])
    return facts


def csv_table(path: Path) -> dict[str, Any]:
    """A CSV file: its header, and the columns as numbers where all of them are."""
    with path.open(encoding="utf-8", newline="") as file:
        header, *rows = list(csv.reader(file))
    header = [name for name in header if not name.startswith(_RECORD)]  # they stand last
    columns = {name: [row[place] for row in rows] for place, name in enumerate(header)}
    return {
        "header": header,
        "rows": len(rows),
        "columns": {
            name: {**_column(_numbers(texts)), "sha": _sha(texts)}
            for name, texts in columns.items()
        },
    }


def raster_values(path: str) -> dict[str, Any]:
    """A raster: its grid, and its values in sum and by checksum."""
    raster = gdal.Open(path)
    values = raster.ReadAsArray()
    return {
        "shape": list(values.shape),
        "type": str(values.dtype),
        "grid": list(raster.GetGeoTransform()),
        "nodata": raster.GetRasterBand(1).GetNoDataValue(),
        "sum": float(values.sum(dtype=float)),
        "first row": [float(value) for value in values.reshape(-1, values.shape[-1])[0]],
        "middle row": [
            float(value) for value in values.reshape(-1, values.shape[-1])[values.shape[-2] // 2]
        ],
        "sha": hashlib.sha256(values.tobytes()).hexdigest(),
    }


def _field(field: Any) -> dict[str, Any]:
    return {
        "name": field.name(),
        "type": field.typeName(),
        "length": field.length(),
        "precision": field.precision(),
    }


def _geometry(shapes: list[Any]) -> dict[str, Any]:
    boxes = [shape.boundingBox() for shape in shapes]
    return {
        "kinds": _column([QgsWkbTypes.displayString(shape.wkbType()) for shape in shapes]),
        "area": _column([shape.area() for shape in shapes]),
        "length": _column([shape.length() for shape in shapes]),
        **{
            side: _column([_plain(getattr(box, side)()) for box in boxes])
            for side in ("xMinimum", "yMaximum")
        },
        "sha": [hashlib.sha256(bytes(shape.asWkb())).hexdigest()[:_DIGITS] for shape in shapes]
        if len(shapes) <= _MOST_ROWS
        else _sha([bytes(shape.asWkb()).hex() for shape in shapes]),
    }


def _column(values: list[Any]) -> dict[str, Any]:
    found: dict[str, Any] = {"sha": _sha([repr(value) for value in values])}
    if len(set(map(repr, values))) == 1 and len(values) > 1:
        return {**found, "always": values[0], "count": len(values)}
    if len(values) <= _MOST_ROWS:
        return {**found, "values": values}
    numbers = [
        value for value in values if isinstance(value, (int, float)) and not isinstance(value, bool)
    ]
    found.update(first=values[:_FIRST], count=len(values), empty=values.count(None))
    if numbers:
        found.update(sum=math.fsum(numbers), min=min(numbers), max=max(numbers))
    return found


def _numbers(texts: list[str]) -> list[Any]:
    try:
        return [_plain(float(text)) if text else None for text in texts]
    except ValueError:
        return list(texts)


def _plain(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return repr(value)
    return value if value is None or isinstance(value, (bool, int, float, str)) else str(value)


def _sha(texts: list[str]) -> str:
    return hashlib.sha256("\n".join(texts).encode("utf-8")).hexdigest()
