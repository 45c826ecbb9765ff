"""Files of the VGG Image Annotator (VIA), version 1 and 2: JSON and CSV with regions on images."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import shapely

from randcrowns.core.errors import InputError
from randcrowns.core.exchange.annotations import (
    AnnotationCollector,
    Annotations,
    SkipReason,
    collect_fields,
    parse_box,
    parse_polygon,
)
from randcrowns.core.exchange.deepforest import (
    LABEL_COLUMNS,
    find_column,
    find_score_column,
    table_errors,
)
from randcrowns.core.exchange.further_fields import typed_values
from randcrowns.core.exchange.shapes import ellipse_polygon
from randcrowns.core.exchange.values import MAX_BYTES, parse_number, read_json, read_text
from randcrowns.core.names import unused_name

#: Columns of VIA's table that are read.
_SHAPE_COLUMN = "region_shape_attributes"
_ATTRIBUTES_COLUMN = "region_attributes"
_SIZE_COLUMN = "file_size"
#: All columns of VIA's table; other ones are fields.
_COLUMNS = (
    "filename",
    _SIZE_COLUMN,
    "file_attributes",
    "region_count",
    "region_id",
    _SHAPE_COLUMN,
    _ATTRIBUTES_COLUMN,
)
#: Attributes that may hold the label, besides those of tables.
_LABELS = (*LABEL_COLUMNS, "species", "type")


class _Region(NamedTuple):
    """A region of an image; an image without regions has one without a shape."""

    image: str  #: name of the image.
    size: str  #: size of the image's file, which tells images of one name apart; "" if unknown.
    row: int  #: number of the region, or line of the table.
    shape: Any  #: decoded attributes of the shape.
    attributes: Any  #: decoded attributes of the region.
    #: Values of further columns of the table, by column.
    columns: Mapping[str, Any] = MappingProxyType({})


def is_via_table(columns: list[str]) -> bool:
    """Return True if these are the columns of VIA's table.

    >>> is_via_table(["filename", "region_shape_attributes", "region_attributes"])
    True
    """
    names = {column.strip().lstrip("#").lower() for column in columns}
    return {"filename", _SHAPE_COLUMN} <= names


def read_via(path: Path) -> Annotations:
    """Read the regions in a JSON or CSV file of VIA.

    Regions are rectangles, polygons, circles, ellipses and points; lines are skipped. The
    attributes of a region and further columns of a table become fields; an attribute is the label.

    Args:
        path: the file.

    Returns:
        The annotations, in pixels.

    Raises:
        InputError: naming the file, if it cannot be read or is not a file of VIA.

    >>> import tempfile
    >>> region = {"shape_attributes": {"name": "circle", "cx": 5, "cy": 5, "r": 2}}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "via.json"
    ...     _ = path.write_text(json.dumps({"a": {"filename": "a.png", "regions": [region]}}))
    ...     round(read_via(path).shapes[0].area, 6)
    12.566371
    """
    is_table = path.suffix.lower() == ".csv"
    regions = _table_regions(path) if is_table else _read_project(path)
    collected = AnnotationCollector(path.name)
    for region in regions:
        image = collected.index_image(region.image, identity=region.size)
        if not region.shape:
            continue  # the region stands for an image without crowns
        attributes = region.attributes if isinstance(region.attributes, dict) else {}
        values = {str(name): _plain_value(value) for name, value in attributes.items()}
        score_name = find_score_column(list(values))
        other_names = [name for name in values if name != score_name]
        label_name = find_column(_LABELS, other_names)
        if not label_name and other_names:
            label_name = other_names[0]
        label = values.get(label_name)
        collected.add(
            _read_shape(region.shape),
            image,
            region.row,
            label=str(label) if label else None,
            score=values.get(score_name),
            fields={**values, **region.columns},
        )
    return collected.build()


def _not_via_error(path: Path) -> InputError:
    """Return the error that a file is not one of VIA."""
    return InputError(
        "via.not_via",
        "{path} is not a file of the VGG Image Annotator (VIA 1 or 2): it needs file names and "
        "regions.",
        path=path.name,
    )


def _read_project(path: Path) -> Iterator[_Region]:
    """Yield the regions of a JSON file: a project, or its annotations alone."""
    content = read_json(path)
    images = content.get("_via_img_metadata", content) if isinstance(content, dict) else None
    if not isinstance(images, dict):
        raise _not_via_error(path)
    for image in images.values():
        if not isinstance(image, dict) or "filename" not in image:
            raise _not_via_error(path)
    row = 0
    for image in images.values():
        name = str(image["filename"])
        size = str(image.get("size", ""))
        regions = image.get("regions") or []
        records = list(regions.values()) if isinstance(regions, dict) else regions
        if not isinstance(records, list):
            raise _not_via_error(path)
        if not records:
            yield _Region(name, size, row, None, None)
        for record in records:
            row += 1
            is_record = isinstance(record, dict)
            shape = record.get("shape_attributes") if is_record else None
            attributes = record.get("region_attributes") if is_record else None
            yield _Region(name, size, row, shape or {"name": "none"}, attributes)


def _table_regions(path: Path) -> list[_Region]:
    """Return the regions of a CSV file."""
    text = read_text(path)
    with table_errors(path), _long_fields():
        rows = csv.DictReader(io.StringIO(text))
        regions = list(_parse_table(path, rows))
    return _with_typed_columns(regions)


def _with_typed_columns(regions: Sequence[_Region]) -> list[_Region]:
    """Return regions whose further columns have types, and names that no attribute has."""
    attribute_names: set[str] = set()
    for region in regions:
        if isinstance(region.attributes, dict):
            attribute_names.update(str(name) for name in region.attributes)
    # Types depend on all values of a column.
    typed_columns = {}
    for name, values in collect_fields([region.columns for region in regions]).items():
        typed_columns[unused_name(name, attribute_names)] = typed_values(values)

    typed_regions = []
    for row, region in enumerate(regions):
        region_values = {name: values[row] for name, values in typed_columns.items()}
        typed_regions.append(region._replace(columns=region_values))
    return typed_regions


@contextmanager
def _long_fields() -> Iterator[None]:
    """Let the module csv read fields of any length in the context, such as outlines."""
    earlier = csv.field_size_limit(MAX_BYTES)
    try:
        yield
    finally:
        csv.field_size_limit(earlier)


def _parse_table(path: Path, rows: csv.DictReader[str]) -> Iterator[_Region]:
    """Yield the regions in the rows of a CSV file."""
    # Names as they are written, by the name in VIA's documentation.
    written_names = {}
    further_names = {}
    for written_name in rows.fieldnames or []:
        name = written_name.strip().lstrip("#").lower()
        written_names[name] = written_name
        if name and name not in _COLUMNS:
            further_names[written_name.strip()] = written_name
    if not is_via_table(list(written_names)):
        raise _not_via_error(path)
    size_name = written_names.get(_SIZE_COLUMN, "")
    attributes_name = written_names.get(_ATTRIBUTES_COLUMN, "")
    for row in rows:
        yield _Region(
            image=row[written_names["filename"]] or "",
            size=row.get(size_name) or "",
            row=rows.line_num,
            shape=_decode(row.get(written_names[_SHAPE_COLUMN])),
            attributes=_decode(row.get(attributes_name)),
            columns={name: row[written_name] for name, written_name in further_names.items()},
        )


def _decode(text: str | None) -> Any:
    """Return decoded JSON; a region without a shape if the text is not valid."""
    try:
        return json.loads(text or "{}")
    except (ValueError, RecursionError):
        return {"name": "none"}


def _plain_value(value: Any) -> Any:
    """Return an attribute; of options that can be ticked, those that are, with commas."""
    if isinstance(value, dict):
        return ", ".join(str(name) for name, is_ticked in value.items() if is_ticked)
    return value if isinstance(value, (str, int, float)) or value is None else str(value)


def _read_shape(shape: Mapping[str, Any]) -> Any:
    """Return the geometry of a region, or the reason to skip it."""
    if not isinstance(shape, dict):
        return SkipReason.BAD_GEOMETRY

    def number(name: str, default: float | None = None) -> float:
        return parse_number(shape.get(name, default))

    kind = shape.get("name")
    if kind == "rect":
        xmin = number("x")
        ymin = number("y")
        return parse_box([xmin, ymin, xmin + number("width"), ymin + number("height")])
    if kind == "polygon":
        x_values = shape.get("all_points_x")
        y_values = shape.get("all_points_y")
        if not isinstance(x_values, list) or not isinstance(y_values, list):
            return SkipReason.NOT_NUMBERS
        if len(x_values) != len(y_values):
            return SkipReason.NOT_NUMBERS
        points = zip(x_values, y_values)
        return parse_polygon(list(chain.from_iterable(points)))
    # The other shapes have a centre, or are one.
    x = number("cx")
    y = number("cy")
    if kind == "circle":
        radius = number("r")
        return ellipse_polygon(x, y, radius, radius)
    if kind == "ellipse":
        rotation = np.degrees(number("theta", 0.0))
        return ellipse_polygon(x, y, number("rx"), number("ry"), rotation)
    if kind == "point":
        return shapely.Point(x, y) if np.isfinite([x, y]).all() else SkipReason.NOT_NUMBERS
    return SkipReason.NO_CROWN
