"""Tables of features to be written, and attribute tables read from layers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from operator import itemgetter
from sys import intern
from typing import Any, Callable

import numpy as np
import pandas as pd
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsExpression,
    QgsFeature,
    QgsFeatureRequest,
    QgsField,
    QgsFields,
    QgsGeometry,
    QgsVectorLayer,
    QgsVectorLayerFeatureSource,
    QgsVectorLayerUtils,
    QgsWkbTypes,
)

from randcrowns.core.arrays import split_range, to_numbers
from randcrowns.core.errors import InputError
from randcrowns.core.old_names import rename_columns
from randcrowns.core.progress import Progress, iterate_with_progress, no_progress, subprogress
from randcrowns.layers.compat import is_null, new_field
from randcrowns.layers.fields import field_index
from randcrowns.layers.localization import display_value
from randcrowns.layers.vector.attribute_source import AttributeSource, StoredColumns
from randcrowns.layers.vector.features import iterate_features

#: Number of features, or items of a sequence, that are processed at a time.
_BLOCK = 2000
#: Number of rows up to which features are yielded one by one: each may be as large as a layer.
_SMALL_TABLE = 100
#: Names of fields that identify trees, in lower case and letters only.
_ID_FIELDS = frozenset(
    {
        *("id", "uid", "treeid", "crownid", "stemid", "individualid"),
        *("treeno", "treenumber", "treetag", "tag", "tagid"),
    }
)
#: Kind of a field by the kind of a NumPy data type; "text" for all others.
_FIELD_KINDS = {"i": "integer", "u": "integer", "b": "integer", "f": "real"}


class LazySequence(Sequence[Any]):
    """Sequence whose items are created on access, in blocks, so that few exist at a time.

    Args:
        count: number of items.
        create: function that returns the items of a slice; start and stop of the slice are integers
            between 0 and ``count``.
    """

    def __init__(self, count: int, create: Callable[[slice], Sequence[Any]]) -> None:
        self._count = count
        self._create = create

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return self._create(slice(*index.indices(self._count)))
        position = range(self._count)[index]
        return self._create(slice(position, position + 1))[0]

    def __iter__(self) -> Iterator[Any]:
        for block in split_range(self._count, _BLOCK):
            yield from self._create(block)


@dataclass
class FeatureTable:
    """Features to be written: fields, one column of values per field, and optional geometries."""

    #: CRS of the geometries.
    crs: QgsCoordinateReferenceSystem = field(default_factory=QgsCoordinateReferenceSystem)
    #: Geometry type (QgsWkbTypes.Type).
    wkb_type: Any = QgsWkbTypes.Type.NoGeometry
    #: (n,) geometries; None for a table without geometry.
    geometries: Sequence[QgsGeometry] | None = None
    #: Fields of the columns, in their order.
    fields: QgsFields = field(default_factory=QgsFields)
    #: Columns: one sequence of n attribute values per field.
    columns: list[Sequence[Any]] = field(default_factory=list)
    #: Names of fields that were not copied, because Python cannot read their values.
    unreadable_fields: list[str] = field(default_factory=list)

    def add_column(
        self, name: str, values: Any, comment: str = "", kind: str = "", alias: str = ""
    ) -> None:
        """Append a column and its field.

        Args:
            name: name of the field.
            values: (n,) values; missing values become NULL.
            comment: comment of the field.
            kind: "integer", "real" or "text"; "" to derive it from the values.
            alias: alias of the field.
        """
        kind = kind or field_kind(values)
        column = pd.Series(values)
        is_numpy = column.dtype in (object, float, int, bool)
        array = column.to_numpy() if is_numpy else column.array
        attributes = LazySequence(len(column), lambda rows: to_attribute_values(array[rows], kind))
        self.add_field(new_field(name, kind, comment, alias), attributes)

    def add_field(self, field_definition: QgsField, values: Sequence[Any]) -> None:
        """Append a column with a prepared field.

        Args:
            field_definition: the field.
            values: (n,) attribute values as QGIS stores them.
        """
        self.fields.append(field_definition)
        self.columns.append(values)

    def copy_field(
        self, field_definition: QgsField, features: Sequence[QgsFeature], index: int
    ) -> None:
        """Append a column with the values of a field of features.

        If Python cannot read a value, the field is listed in ``unreadable_fields`` instead.

        Args:
            field_definition: the field of the column.
            features: the features, in the order of the rows.
            index: index of the field in the features.
        """
        try:
            values = copied_values(features, index, field_definition.isNumeric())
        except TypeError:  # raised by PyQt for types of C++ that Python does not have
            self.unreadable_fields.append(field_definition.name())
            return
        self.add_field(field_definition, values)

    def replace_field(
        self, position: int, field_definition: QgsField, values: Sequence[Any]
    ) -> None:
        """Replace a field and its column.

        Args:
            position: position of the field.
            field_definition: new field.
            values: (n,) attribute values as QGIS stores them.
        """
        changed_fields = QgsFields()
        for index in range(self.fields.count()):
            is_replaced = index == position
            changed_fields.append(field_definition if is_replaced else self.fields.at(index))
        self.fields = changed_fields
        self.columns[position] = values

    def set_alias(self, name: str, alias: str) -> None:
        """Set the alias of the field with a name."""
        index = field_index(self.fields, name)
        changed_fields = QgsFields()
        for position in range(self.fields.count()):
            changed_field = QgsField(self.fields.at(position))
            if position == index:
                changed_field.setAlias(alias)
            changed_fields.append(changed_field)
        self.fields = changed_fields

    def rename_fields(self, names: Sequence[str]) -> None:
        """Rename all fields.

        Args:
            names: new name of each field, in the order of the fields.
        """
        renamed = QgsFields()
        for position, name in enumerate(names):
            renamed_field = QgsField(self.fields.at(position))
            renamed_field.setName(name)
            renamed.append(renamed_field)
        self.fields = renamed

    def has_unique_integers(self, name: str) -> bool:
        """Return True if a field exists and holds a different integer for every row.

        Args:
            name: name of the field in lower case; the case of the field itself does not matter.
        """
        for position, table_field in enumerate(self.fields):
            if table_field.name().lower() == name:
                return are_unique_integers(self.columns[position])
        return False

    def __len__(self) -> int:
        if self.columns:
            return len(self.columns[0])
        return len(self.geometries or ())

    def to_memory_layer(self, name: str) -> QgsVectorLayer:
        """Return a new memory layer with the attributes and without geometries.

        Args:
            name: name of the layer.
        """
        layer = QgsVectorLayer("NoGeometry", name, "memory")
        provider = layer.dataProvider()
        provider.addAttributes(
            [self.fields.at(position) for position in range(self.fields.count())]
        )
        layer.updateFields()
        for block in self.iterate_blocks():
            provider.addFeatures(block)
        return layer

    def iterate_blocks(self) -> Iterator[list[QgsFeature]]:
        """Yield the features in blocks of at most ``_BLOCK`` features.

        A table with few rows is yielded feature by feature: its features may be large, and a run
        can be cancelled between two blocks only.
        """
        part_size = _BLOCK if len(self) > _SMALL_TABLE else 1
        for block in split_range(len(self), _BLOCK):
            if self.columns:
                columns = [column[block] for column in self.columns]
                rows = [list(row) for row in zip(*columns)]
            else:  # geometries without attributes
                rows = [[] for _ in range(block.start, block.stop)]
            for part in split_range(len(rows), part_size):
                features = []
                for row in rows[part]:
                    feature = QgsFeature(self.fields)
                    feature.setAttributes(row)
                    features.append(feature)
                if self.geometries is not None:
                    # Geometries are created in blocks: one by one, this takes most of the time.
                    start = block.start + part.start
                    stop = block.start + part.stop
                    for feature, geometry in zip(features, self.geometries[start:stop]):
                        feature.setGeometry(geometry)
                yield features


def field_kind(values: Any) -> str:
    """Return the kind of field that can hold the values: "integer", "real" or "text"."""
    return _FIELD_KINDS.get(pd.Series(values).dtype.kind, "text")


def to_attribute_values(values: Any, kind: str) -> list[Any]:
    """Convert values to Python objects for the attributes of features.

    Args:
        values: (n,) array, series or sequence of values.
        kind: "integer", "real" or "text", see :func:`field_kind`.

    Returns:
        List of n int, float or str; None for missing values and NaN.
    """
    array = values if isinstance(values, np.ndarray) else pd.Series(values)
    is_missing = np.asarray(pd.isna(array))
    attribute_values: list[Any]
    if kind == "text":
        attribute_values = [str(display_value(value)) for value in array.tolist()]
    elif kind == "integer":
        integers = array
        is_plain = array.dtype.kind in "biu" and not is_missing.any()
        if not is_plain:
            # Missing values become None below, whatever number stands for them here.
            integers = pd.Series(array).astype("Int64").fillna(0)
        attribute_values = np.asarray(integers, dtype=np.int64).tolist()
    else:
        attribute_values = to_numbers(array).tolist()
    for row in np.flatnonzero(is_missing):
        attribute_values[row] = None
    return attribute_values


def copy_features(
    features: Sequence[QgsFeature],
    fields: QgsFields,
    crs: QgsCoordinateReferenceSystem,
    wkb_type: Any,
) -> FeatureTable:
    """Copy features with all their attributes to a table.

    Args:
        features: the features.
        fields: fields of the features. Lengths and precisions are dropped.
        crs: CRS of the features.
        wkb_type: geometry type of the features (QgsWkbTypes.Type).

    Returns:
        Table with a row per feature. If there are no fields, it has a column ``id`` with the
        feature ids.
    """
    is_spatial = wkb_type != QgsWkbTypes.Type.NoGeometry
    geometries = [feature.geometry() for feature in features] if is_spatial else None
    table = FeatureTable(crs, wkb_type, geometries)
    for position in range(fields.count()):
        copied_field = QgsField(fields.at(position))
        # QGIS would round numbers to the length and precision.
        copied_field.setLength(0)
        copied_field.setPrecision(0)
        table.copy_field(copied_field, features, position)
    if not table.fields.count():
        table.add_column("id", [feature.id() for feature in features])
    return table


def copied_field_indices(
    fields: QgsFields, features: Sequence[QgsFeature], without: Sequence[str]
) -> list[int]:
    """Return the indices of the fields that a copy of the features keeps.

    A field ``fid`` is kept only if it can be the key of a GeoPackage, that is, if it holds
    different integers.

    Args:
        fields: fields of the features.
        features: the features.
        without: names of fields to omit; case does not matter.
    """
    omitted_names = {name.lower() for name in without}
    indices = []
    for index, name in enumerate(fields.names()):
        lower_name = name.lower()
        if lower_name in omitted_names:
            continue
        if lower_name == "fid":
            fids = [feature.attribute(index) for feature in features]
            if not are_unique_integers(fids):
                continue
        indices.append(index)
    return indices


def are_unique_integers(values: Sequence[Any]) -> bool:
    """Return True if the values are distinct integers, as the key of a GeoPackage must be."""
    return all(isinstance(value, int) for value in values) and len(set(values)) == len(values)


def copied_values(features: Sequence[QgsFeature], index: int, is_numeric: bool) -> list[Any]:
    """Return the values of one field for a copy of the features.

    Args:
        features: n features.
        index: index of the field.
        is_numeric: True if the field holds numbers.

    Returns:
        List of n values; None for NULL, and for values that the database fills in when an unsaved
        feature is saved (a text in a numeric field).
    """
    values = []
    for feature in features:
        value = feature.attribute(index)
        is_unsaved_default = is_numeric and isinstance(value, str) and feature.id() < 0
        values.append(None if is_null(value) or is_unsaved_default else value)
    return values


def read_attributes(
    layer: QgsVectorLayer | QgsVectorLayerFeatureSource | AttributeSource,
    columns: list[str] | None = None,
    where: str = "",
    id_column: str = "",
    output: str = "",
    equal_values: Mapping[str, str] | None = None,
) -> pd.DataFrame:
    """Read the attributes of a layer or of a snapshot of its features.

    Args:
        layer: layer with results, or a snapshot of it.
        columns: names of the fields to read; None for all.
        where: QGIS expression that selects features; "" for all.
        id_column: name of an additional last column for the feature ids; "" for none.
        output: id of the output that the layer is; old names of its fields are then replaced by
            the current names. "" for a layer that is no output of a run.
        equal_values: text that a field must equal, by name of the field in the layer; these
            features are selected instead of those of an expression.

    Returns:
        Frame with a row per feature and a column per field: numbers for numeric fields, otherwise
        objects; NaN or None for NULL.

    Raises:
        InputError: if the layer lacks one of the fields.
    """
    all_names = _read_current_names(layer.fields(), output)
    names = all_names if columns is None else columns
    check_fields(all_names, names)
    indices = [all_names.index(name) for name in names]
    stored = None
    if isinstance(layer, AttributeSource) and not where:
        field_names = [layer.fields().at(index).name() for index in indices]
        stored = layer.read_stored(field_names, equal_values or {})
    if stored is None:
        condition = where or equality_condition(equal_values or {})
        features = layer.features if isinstance(layer, AttributeSource) else layer
        reads_all = columns is None
        stored = _read_with_qgis(features, indices, condition, reads_all=reads_all)
    frame = _create_frame(stored.columns, layer.fields(), indices)
    frame.columns = pd.Index(names, dtype=object)
    if id_column:
        frame[id_column] = list(stored.ids)
    return frame


def check_fields(names: Collection[str], required: Iterable[str]) -> None:
    """Raise an error if the results of a run have lost a field.

    Args:
        names: names of the fields of a table.
        required: names of the required fields.

    Raises:
        InputError: if one is missing.
    """
    for name in required:
        if name not in names:
            raise InputError(
                "results.field_lost",
                "The results have lost the field '{field}': their table was changed after the run. "
                "Run again.",
                field=name,
            )


def equality_condition(equal_values: Mapping[str, str]) -> str:
    """Return the QGIS expression that fields have given values; "" for no fields.

    Args:
        equal_values: value by name of the field.
    """
    return " AND ".join(
        QgsExpression.createFieldEqualityExpression(name, value)
        for name, value in equal_values.items()
    )


def _read_with_qgis(
    source: QgsVectorLayer | QgsVectorLayerFeatureSource,
    indices: list[int],
    condition: str,
    *,
    reads_all: bool,
) -> StoredColumns:
    """Read fields of features one feature after the other.

    Args:
        source: the features.
        indices: indices of the fields.
        condition: QGIS expression that selects features; "" for all.
        reads_all: True if the fields are all fields of the features.
    """
    request = QgsFeatureRequest().setFlags(QgsFeatureRequest.Flag.NoGeometry)
    if condition:
        request.setFilterExpression(condition)
    if not reads_all:
        # QGIS adds the fields of the condition.
        request.setSubsetOfAttributes(indices)

    # A single attribute takes more time than each of all attributes.
    reads_lists = 2 * len(indices) >= source.fields().count()
    feature_ids = []
    # A list of all attributes, or a dictionary of the requested ones by index, per feature.
    rows: list[Any] = []
    for feature in iterate_features(source, request):
        feature_ids.append(feature.id())
        if reads_lists:
            rows.append(feature.attributes())
        else:
            rows.append({index: feature.attribute(index) for index in indices})
    return StoredColumns(feature_ids, _columns_of_rows(rows, indices))


def _read_current_names(fields: QgsFields, output: str) -> list[str]:
    """Return the names of fields; those of an output with old names replaced by current ones."""
    names: list[str] = fields.names()
    return rename_columns(names, output) if output else names


def display_name_reader(layer: QgsVectorLayer | None) -> Callable[[], dict[int, str]]:
    """Return a function that reads the names by which users know a layer's features.

    The name is the display name that is set in the layer's properties. If none is set, it is the
    value of a field that is named like an id, such as ``tree_id``; if there is no such field, it is
    the display name that QGIS guesses. Call this function on the main thread; the function that it
    returns can be called on any thread, and reads the features as they were.

    Args:
        layer: the layer, or None.

    Returns:
        Function that returns names by feature id. They are empty without a layer, and if the names
        do not identify crowns: they equal the ids, or most are shared by several crowns, as species
        are.
    """
    if layer is None:
        return dict
    expressions = [layer.displayExpression()]
    id_field = _find_id_field(layer)
    if id_field and layer.displayExpression() == _guess_display_expression(layer):
        expressions.insert(0, QgsExpression.quotedColumnRef(id_field))
    id_expressions = _feature_id_expressions(layer)
    readers = [
        _create_name_reader(layer, expression)
        for expression in expressions
        if expression not in id_expressions
    ]

    def read_display_names() -> dict[int, str]:
        """Return the names by the first expression whose names identify crowns."""
        for read_names in readers:
            names = read_names()
            if _are_identifying(names):
                return names
        return {}

    return read_display_names


def _feature_id_expressions(layer: QgsVectorLayer) -> set[str]:
    """Return the expressions of the feature id, by which no name is read: it says nothing new."""
    expressions = {"$id"}
    key_indices = layer.primaryKeyAttributes()
    if layer.storageType() == "GPKG" and len(key_indices) == 1:
        key_name = layer.fields().at(key_indices[0]).name()
        expressions |= {key_name, QgsExpression.quotedColumnRef(key_name)}
    return expressions


def _find_id_field(layer: QgsVectorLayer) -> str:
    """Return the first field that is named like an id of a tree and is no primary key; or ""."""
    key_indices = set(layer.primaryKeyAttributes())
    for index, name in enumerate(layer.fields().names()):
        letters = re.sub("[^a-z]", "", name.lower())
        if index not in key_indices and letters in _ID_FIELDS:
            return str(name)
    return ""


def _guess_display_expression(layer: QgsVectorLayer) -> str:
    """Return the display expression that QGIS guesses from the names of a layer's fields."""
    guess = QgsVectorLayerUtils.guessFriendlyIdentifierField(layer.fields())
    field_name = guess if isinstance(guess, str) else guess[0]
    return str(QgsExpression.quotedColumnRef(field_name)) if field_name else ""


def _create_name_reader(
    layer: QgsVectorLayer, expression_text: str
) -> Callable[[], dict[int, str]]:
    """Return a function that evaluates an expression for all features as they are now.

    Args:
        layer: the layer.
        expression_text: expression of the names.

    Returns:
        Function that returns the values as texts by feature id; "" for NULL.
    """
    expression = QgsExpression(expression_text)
    context = layer.createExpressionContext()
    expression.prepare(context)
    referenced_fields = expression.referencedColumns()
    request = QgsFeatureRequest().setSubsetOfAttributes(referenced_fields, layer.fields())
    if not expression.needsGeometry():
        request.setFlags(QgsFeatureRequest.Flag.NoGeometry)
    source = AttributeSource.from_layer(layer)
    field_position = -1
    field_names: list[str] = []
    if expression.isField():
        (field_name,) = referenced_fields
        field_position = layer.fields().lookupField(field_name)
        field_names = [layer.fields().at(field_position).name()] if field_position >= 0 else []

    def read_name(feature: QgsFeature) -> Any:
        """Return the value of the expression for a feature."""
        if field_position >= 0:
            # Evaluating an expression takes several times as long as reading a field.
            return feature.attribute(field_position)
        context.setFeature(feature)
        return expression.evaluate(context)

    def read_names() -> dict[int, str]:
        """Return the value of the expression for each feature."""
        names_by_id: Iterable[tuple[int, Any]]
        stored = source.read_stored(field_names, {}) if field_names else None
        if stored is not None:
            (values,) = stored.columns
            names_by_id = zip(stored.ids, values)
        else:
            features = iterate_features(source.features, request)
            names_by_id = ((feature.id(), read_name(feature)) for feature in features)
        return {feature_id: "" if is_null(name) else str(name) for feature_id, name in names_by_id}

    return read_names


def _are_identifying(names: dict[int, str]) -> bool:
    """Return True if most names (by feature id) are unique and at least one differs from its id."""
    counts = Counter(name for name in names.values() if name)
    n_unique = sum(count == 1 for count in counts.values())
    are_mostly_unique = n_unique >= sum(counts.values()) / 2
    return are_mostly_unique and any(
        name not in ("", str(feature_id)) for feature_id, name in names.items()
    )


def _to_plain_values(values: Sequence[Any]) -> Sequence[Any]:
    """Return attribute values with NULL as None and texts interned."""
    types = set(map(type, values))
    if types <= {int, float}:
        return values
    if types == {str}:
        # Most sentences of a large layer differ from one another.
        first_values = values[:_BLOCK]
        are_distinct = 2 * len(set(first_values)) > len(first_values)
        return values if are_distinct else list(map(intern, values))
    return [_to_plain_value(value) for value in values]


def _to_plain_value(value: Any) -> Any:
    """Return an attribute value with NULL as None and texts interned."""
    if type(value) is str:
        return intern(value)
    return None if is_null(value) else value


def _columns_of_rows(
    rows: Sequence[Sequence[Any] | dict[int, Any]], indices: Sequence[int]
) -> Iterator[list[Any]]:
    """Yield the column of each index.

    Args:
        rows: attributes of each feature, by index.
        indices: indices of the fields.
    """
    for index in indices:
        yield [row[index] for row in rows]


def _create_frame(
    columns: Iterable[Sequence[Any]],
    fields: QgsFields,
    indices: Sequence[int],
    progress: Progress = no_progress,
) -> pd.DataFrame:
    """Convert columns of attributes to a frame.

    Equal texts share one object, which makes copying and counting them faster.

    Args:
        columns: attributes of all features, for each of the indices.
        fields: fields of the features.
        indices: indices of the fields of the columns.
        progress: called with the fraction of the fields done.
    """
    series_by_name = {}
    for (index, _), column in zip(iterate_with_progress(indices, progress), columns):
        values = pd.Series(_to_plain_values(column), dtype=object)
        table_field = fields.at(index)
        is_numeric = table_field.isNumeric()
        series_by_name[table_field.name()] = pd.to_numeric(values) if is_numeric else values
    return pd.DataFrame(series_by_name)


def read_in_blocks(
    iterator: Iterator[QgsFeature], progress: Progress, count: int = 0
) -> Iterator[list[QgsFeature]]:
    """Yield the features of an iterator in blocks, and report progress after each block.

    Args:
        iterator: the features.
        progress: callback that receives the completed fraction; it raises Cancelled after a cancel.
        count: expected number of features, which may be an estimate.
    """
    n_read = 0
    while True:
        block = list(islice(iterator, _BLOCK))
        if not block:
            return
        yield block
        n_read += len(block)
        progress(n_read / max(count, n_read + 1))


def read_attributes_and_geometries(
    source: QgsVectorLayerFeatureSource, progress: Progress, output: str = ""
) -> tuple[pd.DataFrame, list[QgsGeometry]]:
    """Read the attributes and geometries of all features, sorted by feature id.

    Args:
        source: snapshot of the features of a layer.
        progress: callback that receives the completed fraction.
        output: id of the output that the layer is, see :func:`read_attributes`.

    Returns:
        Frame with a row per feature and a column per field, as from :func:`read_attributes`, and a
        list with the geometry of each row.
    """
    records: list[tuple[int, list[Any], QgsGeometry]] = []
    features = iterate_features(source, QgsFeatureRequest())
    for block in read_in_blocks(features, subprogress(progress, 0.0, 0.5)):
        records += [(feature.id(), feature.attributes(), feature.geometry()) for feature in block]
    records.sort(key=itemgetter(0))
    fields = source.fields()
    indices = range(fields.count())
    columns = _columns_of_rows([row for _, row, _ in records], indices)
    table = _create_frame(columns, fields, indices, subprogress(progress, 0.5, 1.0))
    table.columns = pd.Index(_read_current_names(fields, output), dtype=object)
    geometries = [geometry for _, _, geometry in records]
    return table, geometries
