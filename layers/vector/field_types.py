"""Types of fields that a file format cannot store, converted to text.

Tables carry along all attributes of the input layers. Databases and QGIS have types that most file
formats lack, such as JSON, lists and binary data. GDAL refuses some of them, and loses the values
of others.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, NamedTuple

from qgis.core import QgsField, QgsGeometry
from qgis.PyQt.QtCore import QByteArray, QDate, QDateTime, Qt, QTime

from randcrowns.core.messages import Message, note
from randcrowns.layers.compat import field_type_number, is_null, new_field
from randcrowns.layers.vector.tables import FeatureTable

__all__ = ["MEMORY", "SERVER", "fit_field_types"]

#: Destinations besides files: a layer in memory, and a table on a database server.
MEMORY = "memory"
SERVER = "server"

# Numbers of Qt's types, which are the same in QVariant and QMetaType.
_BOOL = 1
_INT = 2
_UINT = 3
_INT64 = 4
_REAL = 6
_LIST = 9
_TEXT = 10
_TEXTS = 11
_BINARY = 12
_DATE = 14
_TIME = 15
_DATE_TIME = 16
_DATES = frozenset((_DATE, _TIME, _DATE_TIME))
#: Types that every destination stores.
_PLAIN_TYPES = frozenset((_BOOL, _INT, _INT64, _REAL, _TEXT))


class _Storage(NamedTuple):
    """Types that a destination stores besides the plain types."""

    types: frozenset[int]  #: numbers of the types.
    has_lists: bool = False  #: True if it stores lists whose items have a plain type.


_COMMON_STORAGE = _Storage(_DATES)
#: Stored types by destination or by the ending of the file; others have ``_COMMON_STORAGE``.
# No destination stores maps: QGIS 3.22 writes no file with them.
_STORAGES = {
    MEMORY: _Storage(_DATES | {_BINARY, _TEXTS}, has_lists=True),
    ".geojson": _Storage(_DATES | {_TEXTS}, has_lists=True),
    ".gml": _Storage(_DATES | {_TEXTS}, has_lists=True),
    ".gpkg": _Storage(_DATES | {_BINARY}),
    ".fgb": _Storage(frozenset((_DATE, _DATE_TIME, _BINARY))),
    ".kml": _Storage(frozenset()),
    ".parquet": _Storage(_DATES | {_BINARY, _TEXTS}, has_lists=True),
    ".sqlite": _Storage(_DATES | {_BINARY, _TEXTS}, has_lists=True),
}


def fit_field_types(table: FeatureTable, destination: str, name: str) -> list[Message]:
    """Convert the fields of a table whose types a destination cannot store.

    Args:
        table: table, which is changed: unsigned integers become integers, other types become text.
        destination: :data:`MEMORY`, :data:`SERVER`, or the ending of the file, such as ``.gpkg``.
        name: name of the file or table, for the message.

    Returns:
        Messages that name the fields that are missing and those that became text.
    """
    messages = _unreadable_messages(table, name)
    storage = _STORAGES.get(destination.lower(), _COMMON_STORAGE)
    text_fields = []
    for position in range(table.fields.count()):
        field = table.fields.at(position)
        if _is_stored(field, storage):
            continue
        if field_type_number(field) == _UINT:
            table.replace_field(position, _with_type(field, "integer"), table.columns[position])
            continue
        texts = _to_texts(table.columns[position])
        table.replace_field(position, _with_type(field, "text"), texts)
        text_fields.append(field.name())
    if not text_fields:
        return messages
    return [
        *messages,
        note(
            "output.as_text",
            "{name}: the fields {fields} contain text, since the format has no type for their "
            "values.",
            one="{name}: the field {fields} contains text, since the format has no type for its "
            "values.",
            count=len(text_fields),
            name=name,
            fields=text_fields,
        ),
    ]


def _unreadable_messages(table: FeatureTable, name: str) -> list[Message]:
    """Return a message that names the fields that a table lacks; empty if it has all."""
    if not table.unreadable_fields:
        return []
    return [
        note(
            "output.unreadable_fields",
            "{name}: the fields {fields} are missing, since the plugin cannot read their values.",
            one="{name}: the field {fields} is missing, since the plugin cannot read its values.",
            count=len(table.unreadable_fields),
            name=name,
            fields=table.unreadable_fields,
        )
    ]


def _is_stored(field: QgsField, storage: _Storage) -> bool:
    """Return True if a destination stores the type of a field."""
    number = field_type_number(field)
    if number == _LIST:
        return storage.has_lists and field_type_number(field, of_items=True) in _PLAIN_TYPES
    return number in _PLAIN_TYPES or number in storage.types


def _with_type(field: QgsField, kind: str) -> QgsField:
    """Return a field of another kind with the name, comment and alias of a field."""
    return new_field(field.name(), kind, field.comment(), field.alias())


def _to_texts(values: Iterable[Any]) -> list[str | None]:
    """Return the texts of attribute values; None for NULL."""
    return [None if is_null(value) else _to_text(value) for value in values]


def _to_text(value: Any) -> str:
    """Return an attribute value as text: JSON, hexadecimal digits, WKT, ISO 8601, or Qt's text."""
    if isinstance(value, (dict, list, tuple)):
        return json.dumps(value, ensure_ascii=False, default=_to_text)
    if isinstance(value, (bytes, QByteArray)):
        return bytes(value).hex()
    if isinstance(value, QgsGeometry):
        return str(value.asWkt())
    if isinstance(value, (QDate, QTime, QDateTime)):
        return str(value.toString(Qt.DateFormat.ISODate))
    return str(value.toString()) if hasattr(value, "toString") else str(value)
