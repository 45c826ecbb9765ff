"""What differs between QGIS 3.22 and 4, and between versions of Python, in one place."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from qgis.core import Qgis, QgsField, QgsWkbTypes
from qgis.PyQt.QtCore import QVariant

_INTEGER, _REAL, _TEXT = "integer", "real", "text"


def _variant_types() -> dict[str, Any]:
    if Qgis.QGIS_VERSION_INT >= 33800:
        from qgis.PyQt.QtCore import QMetaType

        kinds = QMetaType.Type
        return {_INTEGER: kinds.LongLong, _REAL: kinds.Double, _TEXT: kinds.QString}
    return {_INTEGER: QVariant.LongLong, _REAL: QVariant.Double, _TEXT: QVariant.String}


_TYPES = _variant_types()


def new_field(name: str, kind: str, comment: str = "", alias: str = "") -> QgsField:
    """A field that holds an ``"integer"`` (64 bit), a ``"real"`` or a ``"text"``."""
    field = QgsField(name, _TYPES[kind])
    field.setComment(comment)
    field.setAlias(alias)
    return field


def is_null(value: Any) -> bool:
    """Whether an attribute has no value: a null QVariant up to QGIS 3, None after."""
    return value is None or (isinstance(value, QVariant) and value.isNull())


def chosen_fields(algorithm: Any, parameters: dict[str, Any], name: str, context: Any) -> list[str]:
    """The fields given for a parameter; the way to ask was renamed in QGIS 3.40."""
    ask = getattr(algorithm, "parameterAsStrings", None) or algorithm.parameterAsFields
    return [field for field in ask(parameters, name, context) if field]


def is_polygon_layer(layer: Any) -> bool:
    """Whether the layer can hold polygons; layers of any geometry type can too."""
    kinds = QgsWkbTypes.GeometryType
    return layer.geometryType() in (kinds.PolygonGeometry, kinds.UnknownGeometry)


def save_style(layer: Any, name: str, usual: bool = True) -> str:
    """Keep a layer's style in its database, as its ``usual`` one or not; what went wrong, empty where nothing did."""
    newer = getattr(layer, "saveStyleToDatabaseV2", None)  # QGIS 3.44.15
    return (
        newer(name, "", usual, "")[1] if newer else layer.saveStyleToDatabase(name, "", usual, "")
    )


def is_there(path: Path) -> bool:
    """Whether there is such a file or folder; ``Path.exists`` says no to any name from Python 3.14 on.

    Raises:
        OSError: when no file can have the name, or a folder on the way may not be looked into.
    """
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    return True
