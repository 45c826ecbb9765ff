"""Compatibility functions for QGIS 3.22 to 4 and for different Python versions."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

from qgis.core import Qgis, QgsField, QgsWkbTypes
from qgis.PyQt.QtCore import QDate, QDateTime, QTime, QVariant

_INTEGER = "integer"
_REAL = "real"
_TEXT = "text"


def _create_field_types() -> dict[str, Any]:
    """Return Qt's type for each kind of field: QMetaType from QGIS 3.38 on, QVariant before."""
    if Qgis.QGIS_VERSION_INT >= 33800:
        from qgis.PyQt.QtCore import QMetaType

        types = QMetaType.Type
        return {_INTEGER: types.LongLong, _REAL: types.Double, _TEXT: types.QString}
    return {_INTEGER: QVariant.LongLong, _REAL: QVariant.Double, _TEXT: QVariant.String}


_FIELD_TYPES = _create_field_types()


def new_field(name: str, kind: str, comment: str = "", alias: str = "") -> QgsField:
    """Return a new attribute field.

    Args:
        name: name of the field.
        kind: ``"integer"`` (64 bit), ``"real"`` (double precision) or ``"text"``.
        comment: description of the field, which is stored with it.
        alias: title of the field in attribute tables and forms; empty for its name.
    """
    field = QgsField(name, _FIELD_TYPES[kind])
    field.setComment(comment)
    field.setAlias(alias)
    return field


def field_type_number(field: QgsField, of_items: bool = False) -> int:
    """Return the number of the type of a field, which is the same for QVariant and QMetaType.

    Args:
        field: the field.
        of_items: True for the type of the items of a field of lists; 0 if it is unknown.
    """
    field_type = field.subType() if of_items else field.type()
    return int(getattr(field_type, "value", field_type))


def is_null(value: Any) -> bool:
    """Return True if an attribute value is NULL: a null QVariant in QGIS 3, None in QGIS 4."""
    return value is None or (isinstance(value, QVariant) and value.isNull())


def plain_value(value: Any) -> Any:
    """Return an attribute value without Qt's types: None for NULL, Python's dates and times.

    Times have no time zone, which QGIS does not read from most files. Invalid dates, and years
    beyond those of Python's dates, are None.
    """
    if is_null(value):
        return None
    if not isinstance(value, (QDate, QDateTime, QTime)):
        return value
    if not value.isValid():
        return None
    try:
        if isinstance(value, QDateTime):
            return datetime.datetime.combine(_to_date(value.date()), _to_time(value.time()))
        if isinstance(value, QDate):
            return _to_date(value)
        return _to_time(value)
    except ValueError:
        return None


def _to_date(value: QDate) -> datetime.date:
    """Return a valid date of Qt as a date of Python."""
    return datetime.date(value.year(), value.month(), value.day())


def _to_time(value: QTime) -> datetime.time:
    """Return a valid time of Qt as a time of Python."""
    return datetime.time(value.hour(), value.minute(), value.second(), 1000 * value.msec())


def selected_fields(
    algorithm: Any, parameters: dict[str, Any], name: str, context: Any
) -> list[str]:
    """Return the names of the fields that a Processing parameter selects.

    Args:
        algorithm: the QgsProcessingAlgorithm. Its method was renamed in QGIS 3.40.
        parameters: parameter values of the run, by parameter name.
        name: name of the field parameter.
        context: the QgsProcessingContext of the run.
    """
    read_fields = getattr(algorithm, "parameterAsStrings", None) or algorithm.parameterAsFields
    return [field for field in read_fields(parameters, name, context) if field]


def is_polygon_layer(layer: Any) -> bool:
    """Return True if a vector layer can contain polygons, also among other geometry types."""
    types = QgsWkbTypes.GeometryType
    return layer.geometryType() in (types.PolygonGeometry, types.UnknownGeometry)


def save_style(layer: Any, name: str, is_default: bool = True) -> str:
    """Save the current style of a layer in the database that contains the layer.

    Args:
        layer: a vector layer of a database, such as a GeoPackage.
        name: name of the saved style.
        is_default: True to make it the default style of the table.

    Returns:
        The error message of QGIS; empty if the style was saved.
    """
    save_v2 = getattr(layer, "saveStyleToDatabaseV2", None)  # from QGIS 3.44.15 on
    if save_v2 is not None:
        return save_v2(name, "", is_default, "")[1]
    return layer.saveStyleToDatabase(name, "", is_default, "")


def path_exists(path: Path) -> bool:
    """Return True if a file or folder exists.

    Unlike ``Path.exists`` from Python 3.14 on, this reports invalid names and missing rights.

    Raises:
        OSError: if the name is invalid, or a parent folder cannot be accessed.
    """
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    return True
