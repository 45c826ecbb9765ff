"""Snapshots of layers whose attributes can be read in the background, directly from GeoPackages.

QGIS creates a Python object per feature, which takes several times as long as reading its values
from the database.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from qgis.core import QgsFields, QgsVectorLayer, QgsVectorLayerFeatureSource

from randcrowns.layers.compat import field_type_number
from randcrowns.layers.databases import read_columns, source_parts

#: Type of the values that SQLite stores in a field, by the number of Qt's type of the field: int,
#: long, double and text. Values of other fields, such as dates, are converted by QGIS.
_STORED_TYPES = {2: int, 4: int, 6: float, 10: str}


class StoredColumns(NamedTuple):
    """Columns of the n features of a layer, in the order of their ids."""

    ids: Sequence[int]  #: (n,) feature ids.
    columns: Iterable[Sequence[Any]]  #: (n,) values of each column; None for NULL.


@dataclass(frozen=True)
class _StoredTable:
    """Table of a GeoPackage with all fields of a layer that is not being edited."""

    file: Path
    name: str
    key: str  #: column with the feature ids.


@dataclass(frozen=True)
class AttributeSource:
    """Features of a layer as they are now; their attributes can be read on any thread."""

    #: Snapshot of the features.
    features: QgsVectorLayerFeatureSource
    #: Table with the attributes; None if only QGIS can read them.
    table: _StoredTable | None

    @classmethod
    def from_layer(cls, layer: QgsVectorLayer) -> AttributeSource:
        """Take a snapshot of a layer, with unsaved edits; call on the layer's thread."""
        return cls(QgsVectorLayerFeatureSource(layer), _find_stored_table(layer))

    def fields(self) -> QgsFields:
        """Return the fields of the features."""
        return self.features.fields()

    def read_stored(
        self, field_names: Sequence[str], equal_values: Mapping[str, str]
    ) -> StoredColumns | None:
        """Read fields of the features from the GeoPackage of the layer.

        Args:
            field_names: names of the fields.
            equal_values: text that a field must equal, by name of the field; empty for all
                features.

        Returns:
            The columns of the fields; None if QGIS has to read them, because the layer is no table
            of a GeoPackage, is being edited or filtered, the table cannot be read now, or it
            contains values that QGIS converts.
        """
        fields = self.features.fields()
        types = [_STORED_TYPES.get(field_type_number(fields.field(name))) for name in field_names]
        if self.table is None or None in types:
            return None
        columns = [self.table.key, *field_names]
        try:
            rows = read_columns(self.table.file, self.table.name, columns, equal_values)
        except sqlite3.Error:
            return None
        ids, *values = zip(*rows) if rows else [()] * len(columns)
        for column, stored_type in zip(values, types):
            if not set(map(type, column)).issubset({stored_type, type(None)}):
                return None
        return StoredColumns(ids, values)


def _find_stored_table(layer: QgsVectorLayer) -> _StoredTable | None:
    """Return the table of a layer in a GeoPackage.

    Returns:
        The table; None if it does not contain the features and fields of the layer exactly,
        because the layer is being edited, filtered, or has joined or computed fields.
    """
    is_geopackage = layer.providerType() == "ogr" and layer.storageType() == "GPKG"
    if not is_geopackage or layer.isEditable() or layer.subsetString():
        return None
    fields = layer.fields()
    origins = {fields.fieldOrigin(index) for index in range(fields.count())}
    keys = layer.primaryKeyAttributes()
    parts = source_parts(layer)
    table = parts.get("layerName")
    if not table or len(keys) != 1 or origins != {QgsFields.FieldOrigin.OriginProvider}:
        return None
    return _StoredTable(Path(parts["path"]), str(table), fields.at(keys[0]).name())
