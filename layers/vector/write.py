"""Results written to fields of an existing layer as one undoable edit command."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
from qgis.core import (
    QgsFeatureRequest,
    QgsField,
    QgsFields,
    QgsGeometry,
    QgsVectorDataProvider,
    QgsVectorLayer,
)
from qgis.PyQt import sip
from qgis.PyQt.QtCore import NULL, QObject

from randcrowns.core.errors import InputError
from randcrowns.core.messages import TranslatableText, abbreviate
from randcrowns.layers.compat import is_null, new_field
from randcrowns.layers.fields import field_index
from randcrowns.layers.vector.features import iterate_features
from randcrowns.layers.vector.names import MAX_SHAPEFILE_NAME_LENGTH, truncate_names
from randcrowns.layers.vector.tables import field_kind, to_attribute_values

_NO_GEOMETRY = QgsFeatureRequest.Flag.NoGeometry
_CAPABILITY = QgsVectorDataProvider.Capability
_FIELD_ORIGIN = QgsFields.FieldOrigin
#: Names of database types for each kind of field, in order of preference. Databases require the
#: type's name and length in addition to its code.
_DATABASE_TYPES = {
    "integer": ("int8", "bigint", "integer64"),
    "real": ("float8", "double precision", "double", "real", "number"),
    "text": ("text", "string", "varchar", "nvarchar", "varchar2"),
}
#: Length and precision of each kind of field in a shapefile.
_SHAPEFILE_SIZES = {"integer": (18, 0), "real": (20, 12), "text": (80, 0)}

#: Custom layer property of layers with results, which are not offered as inputs.
RESULT_PROPERTY = "randcrowns/result"
#: Custom layer property with the names of the saved fields that runs wrote to the layer.
_SAVED_FIELDS_PROPERTY = "randcrowns/fields"
#: Comment of a field that is not saved yet. Undo and redo remove and restore it with the field.
RESULT_FIELD_COMMENT = "Written by RandCrowns"
#: Object name of the observer that is a child of a layer.
_OBSERVER_NAME = "randcrowns_follower"


class WrittenFields(NamedTuple):
    """Result of writing columns to fields of a layer."""

    #: Names of the written fields, in the order of the columns.
    names: tuple[str, ...]
    #: Ids of features that the layer no longer contains.
    missing_ids: tuple[int, ...] = ()


def conflicting_fields(layer: QgsVectorLayer, names: Iterable[str]) -> list[str]:
    """Return the fields of a layer that have one of the names and were not written by a run.

    Args:
        layer: the layer.
        names: names of result fields; case does not matter.

    Returns:
        Names of the fields as the layer has them.
    """
    result_fields = result_field_names(layer)
    names_by_lower_name = {field.name().lower(): field.name() for field in layer.fields()}
    conflicts = []
    for name in _list_field_names(layer, list(names)):
        existing_name = names_by_lower_name.get(name.lower())
        if existing_name is not None and existing_name not in result_fields:
            conflicts.append(existing_name)
    return conflicts


def write_fields(
    layer: QgsVectorLayer,
    ids: Sequence[int],
    columns: Mapping[str, Any],
    shapes: Sequence[QgsGeometry] | None = None,
) -> WrittenFields:
    """Write columns to fields of a layer as one undoable edit command.

    Missing fields are added. The layer is left in edit mode, so that the user can save or discard
    the changes. If anything fails, nothing is changed.

    Args:
        layer: the layer, which is changed.
        ids: n feature ids.
        columns: (n,) values by field name; NaN and None become NULL.
        shapes: n outlines for which the values were computed; None to skip the comparison with the
            current outlines.

    Returns:
        Names of the written fields, and ids of features that the layer no longer contains.

    Raises:
        InputError: if the layer was removed or cannot be edited; if it has fields with these names
            that no run wrote; or if features have other outlines. Ids may refer to other features
            after a deletion, because some formats renumber the remaining features.
    """
    if sip.isdeleted(layer):
        raise InputError(
            "results.layer_removed",
            "The results were not written because their layer was removed from the project.",
        )
    if not columns:
        return WrittenFields(())
    _check_editable(layer)
    _check_unique_ids(layer)
    if shapes is not None:
        _check_shapes(layer, ids, shapes)
    _check_no_foreign_fields(layer, columns)

    names = _list_field_names(layer, list(columns))
    kinds = []
    attribute_values = []
    for values in columns.values():
        kind = field_kind(values)
        kinds.append(kind)
        attribute_values.append(to_attribute_values(values, kind))
    if any(len(values) != len(ids) for values in attribute_values):
        raise InputError(
            "results.wrong_value_count", "Every column needs as many values as there are features."
        )

    existing_names = set(layer.fields().names())
    with _group_edits(layer):
        indices = [_find_or_add_field(layer, name, kind) for name, kind in zip(names, kinds)]
        missing_ids = _change_attributes(layer, ids, indices, attribute_values)
    new_names = set(names) - existing_names
    register_saved_fields(layer, {name for name in new_names if _is_saved(layer, name)})
    return WrittenFields(tuple(names), tuple(missing_ids))


@contextmanager
def _group_edits(layer: QgsVectorLayer) -> Iterator[None]:
    """Combine changes to a layer into one undoable edit command.

    The layer is in edit mode afterwards. After an exception the changes are undone, and the layer
    is in edit mode only if it was before.

    Raises:
        InputError: if the layer cannot be edited.
    """
    starts_editing = not layer.isEditable()
    if starts_editing and not layer.startEditing():
        raise InputError(
            "layer.not_editable",
            "Layer '{layer}' cannot be edited: {why}.",
            layer=layer.name(),
            why=_last_error(layer),
        )
    layer.beginEditCommand("RandCrowns")
    try:
        yield
    except BaseException:
        layer.destroyEditCommand()
        if starts_editing:
            layer.rollBack()
        raise
    layer.endEditCommand()


def _check_editable(layer: QgsVectorLayer) -> None:
    """Raise InputError if attributes cannot be changed or fields cannot be added."""
    provider = layer.dataProvider()
    capabilities = provider.capabilities() if provider is not None else 0
    can_edit = (
        not layer.readOnly()
        and capabilities & _CAPABILITY.ChangeAttributeValues
        and capabilities & _CAPABILITY.AddAttributes
    )
    if not can_edit:
        raise InputError(
            "layer.read_only",
            "Layer '{layer}' cannot be edited because it is read-only. Write the results to a new "
            "layer instead.",
            layer=layer.name(),
        )


def _check_unique_ids(layer: QgsVectorLayer) -> None:
    """Raise InputError if several features have the same id."""
    request = QgsFeatureRequest().setNoAttributes().setFlags(_NO_GEOMETRY)
    counts = Counter(feature.id() for feature in iterate_features(layer, request))
    repeated_ids = sorted(feature_id for feature_id, count in counts.items() if count > 1)
    if repeated_ids:
        raise InputError(
            "layer.repeated_ids",
            "Layer '{layer}' has several crowns with one id ({ids}), as in a view or a virtual "
            "layer that joins tables. Nothing was written. Let the results go to a new layer, or "
            "export the layer first.",
            layer=layer.name(),
            ids=abbreviate(repeated_ids),
        )


def _check_shapes(layer: QgsVectorLayer, ids: Sequence[int], shapes: Sequence[QgsGeometry]) -> None:
    """Raise InputError if features have other outlines than expected.

    Ids alone do not identify crowns, because some formats renumber features after a deletion.

    Args:
        layer: layer of the features.
        ids: n ids of features.
        shapes: n expected outlines.
    """
    expected_shapes = dict(zip((int(feature_id) for feature_id in ids), shapes))
    changed_ids = []
    for feature in iterate_features(layer, QgsFeatureRequest().setNoAttributes()):
        expected = expected_shapes.get(feature.id())
        if expected is not None and not _have_equal_extent(feature.geometry(), expected):
            changed_ids.append(feature.id())
    if changed_ids:
        raise InputError(
            "layer.changed_during_run",
            "Layer '{layer}' was changed during the run: {count} crowns are no longer those that "
            "were scored (features {ids}). They were redrawn, or renumbered after a deletion. "
            "Nothing was written. Run again, or write the results to a new layer.",
            one="Layer '{layer}' was changed during the run: {count} crown is no longer the one "
            "that was scored (feature {ids}). It was redrawn, or renumbered after a deletion. "
            "Nothing was written. Run again, or write the results to a new layer.",
            layer=layer.name(),
            count=len(changed_ids),
            ids=abbreviate(sorted(changed_ids)),
        )


def _have_equal_extent(geometry: QgsGeometry, other: QgsGeometry) -> bool:
    """Return True if two outlines have equal area and bounds, however their parts are stored."""
    if geometry.isEmpty() or other.isEmpty():
        return geometry.isEmpty() and other.isEmpty()
    return bool(
        np.allclose(
            _measure_area_and_bounds(geometry),
            _measure_area_and_bounds(other),
            rtol=1e-12,
            atol=1e-12,
            equal_nan=True,
        )
    )


def _measure_area_and_bounds(geometry: QgsGeometry) -> tuple[float, float, float, float, float]:
    """Return area, xmin, ymin, xmax, ymax."""
    box = geometry.boundingBox()
    return geometry.area(), box.xMinimum(), box.yMinimum(), box.xMaximum(), box.yMaximum()


def _check_no_foreign_fields(layer: QgsVectorLayer, names: Iterable[str]) -> None:
    """Raise InputError if the layer has fields with these names that no run wrote."""
    foreign = conflicting_fields(layer, names)
    if foreign:
        raise InputError(
            "layer.foreign_fields",
            "Layer '{layer}' already has the fields {fields}, which RandCrowns did not write. "
            "Rename them, or write the results to a new layer.",
            layer=layer.name(),
            fields=abbreviate(foreign),
        )


def _find_or_add_field(layer: QgsVectorLayer, name: str, kind: str) -> int:
    """Return the index of a field, which is added if the layer lacks it.

    Args:
        layer: layer, which may be changed.
        name: name of the field.
        kind: kind of the values of a new field: "integer", "real" or "text".

    Raises:
        InputError: if the field has another kind, or cannot be added.
    """
    index = field_index(layer.fields(), name)
    if index < 0:
        if not layer.addAttribute(_create_layer_field(layer, name, kind)):
            raise InputError(
                "field.not_added",
                "Field '{name}' cannot be added to layer '{layer}': {why}.",
                name=name,
                layer=layer.name(),
                why=_last_error(layer),
            )
        return int(field_index(layer.fields(), name))
    existing_field = layer.fields().at(index)
    if existing_field.isNumeric() != (kind != "text"):
        raise InputError(
            "field.wrong_type",
            "Field '{name}' of layer '{layer}' has the type {kind}, which cannot hold the result. "
            "Delete or rename the field first.",
            name=name,
            layer=layer.name(),
            kind=existing_field.typeName(),
        )
    return int(index)


def _is_saved(layer: QgsVectorLayer, name: str) -> bool:
    """Return True if a new field is in the database already.

    This is so in a project whose edits are sent to the database immediately.
    """
    index = field_index(layer.fields(), name)
    return bool(layer.fields().fieldOrigin(index) == _FIELD_ORIGIN.OriginProvider)


def _create_layer_field(layer: QgsVectorLayer, name: str, kind: str) -> QgsField:
    """Return a field of a kind ("integer", "real" or "text") that the layer's format can store.

    Args:
        layer: layer that gets the field.
        name: name of the field.
        kind: kind of its values.
    """
    field = new_field(name, kind, RESULT_FIELD_COMMENT)
    provider = layer.dataProvider()
    if provider.name() not in ("ogr", "memory"):
        native_types = {native.mTypeName.lower(): native for native in provider.nativeTypes()}
        for type_name in _DATABASE_TYPES[kind]:
            if type_name in native_types:
                field.setTypeName(native_types[type_name].mTypeName)
                field.setLength(native_types[type_name].mMinLen)
                break
    if _is_shapefile(layer):
        length, precision = _SHAPEFILE_SIZES[kind]
        field.setLength(length)
        field.setPrecision(precision)
    return field


def _change_attributes(
    layer: QgsVectorLayer, ids: Sequence[int], indices: list[int], values: list[list[Any]]
) -> list[int]:
    """Change attributes of features.

    Args:
        layer: the layer, in edit mode.
        ids: n feature ids.
        indices: indices of the fields.
        values: n values for each of the fields.

    Returns:
        Ids of features that the layer does not contain.

    Raises:
        InputError: if a feature cannot be changed.
    """
    request = QgsFeatureRequest().setFlags(_NO_GEOMETRY).setSubsetOfAttributes(indices)
    features = {feature.id(): feature for feature in iterate_features(layer, request)}
    missing_ids = []
    for row, number in enumerate(ids):
        feature_id = int(number)
        feature = features.get(feature_id)
        if feature is None:
            missing_ids.append(feature_id)
            continue
        new_values = {}
        old_values = {}
        for index, column in zip(indices, values):
            new_values[index] = _to_stored_value(column[row])
            old_values[index] = _to_stored_value(feature.attribute(index))
        is_changed = layer.changeAttributeValues(
            feature_id, new_values, old_values, skipDefaultValues=True
        )
        if not is_changed:
            raise InputError(
                "layer.feature_not_changed",
                "Feature {number} of layer '{layer}' cannot be changed. No changes were made to "
                "the layer.",
                number=feature_id,
                layer=layer.name(),
            )
    return missing_ids


def _to_stored_value(value: Any) -> Any:
    """Return the value, or QGIS's NULL for a missing value.

    Undo would read each invalid value from the provider again, which is slow; NULL is valid.
    """
    return NULL if is_null(value) else value


def _list_field_names(layer: QgsVectorLayer, names: list[str]) -> list[str]:
    """Return the names that the layer can have as field names; shapefiles limit their length."""
    if not _is_shapefile(layer) or all(len(name) <= MAX_SHAPEFILE_NAME_LENGTH for name in names):
        return names
    result_fields = result_field_names(layer)
    other_fields = [field.name() for field in layer.fields() if field.name() not in result_fields]
    return truncate_names(names, MAX_SHAPEFILE_NAME_LENGTH, other_fields)


def _is_shapefile(layer: QgsVectorLayer) -> bool:
    """Return True if the layer is stored in a shapefile."""
    provider = layer.dataProvider()
    return provider is not None and provider.storageType() == "ESRI Shapefile"


def _last_error(layer: QgsVectorLayer) -> str:
    """Return the last error of the layer or its provider, or a default reason."""
    errors = [*layer.commitErrors(), *layer.dataProvider().errors()]
    return str(errors[-1]) if errors else TranslatableText("its format does not allow it")


def result_field_names(layer: QgsVectorLayer) -> set[str]:
    """Return the names of the layer's fields that runs wrote.

    The list of saved fields is stored as a property of the layer. This function removes deleted
    fields from it, and installs an observer that updates it whenever the layer is saved.
    """
    _observe_saving(layer)
    fields = layer.fields()
    saved_names = _list_saved_names(layer)
    deleted_names = saved_names - set(fields.names()) - set(_list_provider_fields(layer))
    if deleted_names:
        layer.setCustomProperty(_SAVED_FIELDS_PROPERTY, sorted(saved_names - deleted_names))

    names = set()
    for index, field in enumerate(fields):
        origin = fields.fieldOrigin(index)
        if origin == _FIELD_ORIGIN.OriginEdit:  # added since the layer was saved
            is_result = field.comment() == RESULT_FIELD_COMMENT
        else:
            is_result = origin == _FIELD_ORIGIN.OriginProvider and field.name() in saved_names
        if is_result:
            names.add(field.name())
    return names


def register_saved_fields(layer: QgsVectorLayer, names: set[str]) -> None:
    """Add names to the layer's list of saved fields that runs wrote.

    Args:
        layer: the layer, whose custom property is changed.
        names: names of fields in the layer's file or database table.
    """
    if names:
        layer.setCustomProperty(_SAVED_FIELDS_PROPERTY, sorted(_list_saved_names(layer) | names))


class _SaveObserver(QObject):
    """Observer that updates a layer's list of saved result fields whenever the layer is saved.

    It is a child of the layer and is deleted with it.

    Args:
        layer: the layer.
    """

    def __init__(self, layer: QgsVectorLayer) -> None:
        super().__init__(layer)
        self.setObjectName(_OBSERVER_NAME)
        layer.committedAttributesDeleted.connect(self.deleted)
        layer.committedAttributesAdded.connect(self.added)

    def deleted(self, _layer_id: str, _indices: list[int]) -> None:
        """Remove fields from the list that were deleted from the file or table."""
        layer = self.parent()
        names = _list_saved_names(layer) & set(_list_provider_fields(layer))
        layer.setCustomProperty(_SAVED_FIELDS_PROPERTY, sorted(names))

    def added(self, _layer_id: str, fields: list[QgsField]) -> None:
        """Add fields to the list that a run wrote and that were added to the file or table."""
        register_saved_fields(
            self.parent(),
            {field.name() for field in fields if field.comment() == RESULT_FIELD_COMMENT},
        )


def _observe_saving(layer: QgsVectorLayer) -> None:
    """Install an observer on the layer unless it has one."""
    if layer.findChild(QObject, _OBSERVER_NAME) is None:
        _SaveObserver(layer)


def _list_saved_names(layer: QgsVectorLayer) -> set[str]:
    """Return the names in the layer's list of saved result fields.

    QGIS stores a list of one name as a text. Values of other types, as in a damaged project, are
    ignored.
    """
    value = layer.customProperty(_SAVED_FIELDS_PROPERTY, [])
    if isinstance(value, str):
        return {value}
    if not isinstance(value, (list, tuple)):
        return set()
    return {name for name in value if isinstance(name, str)}


def _list_provider_fields(layer: QgsVectorLayer) -> list[str]:
    """Return the names of the fields in the layer's file or database table."""
    provider = layer.dataProvider()
    return [] if provider is None else list(provider.fields().names())
