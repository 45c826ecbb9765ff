"""Results written into fields of a layer the user picked, as one step that can be undone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
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
from randcrowns.core.remarks import Said, some
from randcrowns.layers.compat import is_null, new_field
from randcrowns.layers.vector.names import SHAPEFILE_NAME, fitted_names
from randcrowns.layers.vector.tables import attribute_values, kind_of

_BARE = QgsFeatureRequest.Flag.NoGeometry
_CAN, _ORIGIN = QgsVectorDataProvider.Capability, QgsFields.FieldOrigin
#: What databases call the types, the best first; they need the name beside the type, and its own length.
_TYPE_NAMES = {
    "integer": ("int8", "bigint", "integer64"),
    "real": ("float8", "double precision", "double", "real", "number"),
    "text": ("text", "string", "varchar", "nvarchar", "varchar2"),
}


class FieldsWritten(NamedTuple):
    """Names of the fields written, in the order of the columns, and ids that the layer no longer has."""

    fields: tuple[str, ...]
    missing: tuple[int, ...] = ()


def foreign_fields(layer: QgsVectorLayer, names: Iterable[str]) -> list[str]:
    """Those of the names that the layer has as fields which no run of ours wrote."""
    ours = our_fields(layer)
    existing = {described.name().lower(): described.name() for described in layer.fields()}
    found = (existing.get(name.lower()) for name in _names_in(layer, list(names)))
    return [name for name in found if name is not None and name not in ours]


def write_fields(
    layer: QgsVectorLayer,
    ids: Sequence[int],
    columns: Mapping[str, Any],
    shapes: Sequence[QgsGeometry] | None = None,
) -> FieldsWritten:
    """Write columns into fields of a layer, new ones where they are not there, as one undoable edit command.

    The layer is left in edit mode: saving or discarding is the user's. If anything fails, nothing is changed.

    Args:
        ids: feature ids, a row of the columns each.
        columns: field name -> values; NaN and None become NULL.
        shapes: the outlines that the values belong to; a feature that has another now is not written to.

    Raises:
        InputError: if the layer is gone or cannot be edited, has such fields that are not ours, or features with
            other outlines, as when a deletion gave those that follow new ids.
    """
    if sip.isdeleted(layer):
        raise InputError(
            "The layer to write to was removed from the project; the results were not written."
        )
    if not columns:
        return FieldsWritten(())
    _check_editable(layer)
    _check_ids(layer)
    if shapes is not None:
        _check_shapes(layer, ids, shapes)
    foreign = foreign_fields(layer, columns)
    if foreign:
        said = (
            "Layer '{layer}' already has the fields {fields}, which RandCrowns did not write; rename them, or let "
            "the results go to a new layer."
        )
        raise InputError(said, layer=layer.name(), fields=some(foreign))
    names = _names_in(layer, list(columns))
    kinds = [kind_of(values) for values in columns.values()]
    values = [attribute_values(column, kind) for column, kind in zip(columns.values(), kinds)]
    if any(len(column) != len(ids) for column in values):
        raise InputError("Every column needs as many values as there are features.")
    started = not layer.isEditable()
    if started and not layer.startEditing():
        raise InputError(
            "Layer '{layer}' cannot be edited: {why}.", layer=layer.name(), why=_last_error(layer)
        )
    existing = set(layer.fields().names())
    layer.beginEditCommand("RandCrowns")
    try:
        places = [_place_of(layer, name, kind) for name, kind in zip(names, kinds)]
        missing = _change(layer, ids, places, values)
    except BaseException:
        layer.destroyEditCommand()
        if started:
            layer.rollBack()
        raise
    layer.endEditCommand()
    add_saved_fields(
        layer, {name for name in names if name not in existing and _is_stored(layer, name)}
    )
    return FieldsWritten(tuple(names), tuple(missing))


def _check_editable(layer: QgsVectorLayer) -> None:
    provider = layer.dataProvider()
    can = provider.capabilities() if provider is not None else 0
    if layer.readOnly() or not can & _CAN.ChangeAttributeValues or not can & _CAN.AddAttributes:
        said = "Layer '{layer}' cannot be edited (it is read-only); let the results go to a new layer instead."
        raise InputError(said, layer=layer.name())


def _check_ids(layer: QgsVectorLayer) -> None:
    """Refuse a layer in which an id does not say which crown is meant."""
    seen = Counter(
        feature.id()
        for feature in layer.getFeatures(QgsFeatureRequest().setNoAttributes().setFlags(_BARE))
    )
    repeated = sorted(number for number, times in seen.items() if times > 1)
    if repeated:
        said = (
            "Layer '{layer}' gives several crowns one id ({ids}), as a view or a virtual layer does that joins tables. "
            "Nothing was written into its fields: let the results go to a new layer, or export the layer first."
        )
        raise InputError(said, layer=layer.name(), ids=some(repeated))


def _check_shapes(layer: QgsVectorLayer, ids: Sequence[int], shapes: Sequence[QgsGeometry]) -> None:
    """Ids alone do not tell crowns apart: some formats number the features anew when one was deleted."""
    expected = dict(zip((int(number) for number in ids), shapes))
    request = QgsFeatureRequest().setNoAttributes()
    other = [
        feature.id()
        for feature in layer.getFeatures(request)
        if feature.id() in expected and not _alike(feature.geometry(), expected[feature.id()])
    ]
    if other:
        raise InputError(
            "Layer '{layer}' was changed during the run: {count} crowns are no longer those that were scored (features "
            "{ids}), as they were redrawn, or numbered anew after a deletion. Nothing was written; run again, or let "
            "the results go to a new layer.",
            one="Layer '{layer}' was changed during the run: {count} crown is no longer the one that was scored "
            "(features {ids}), as they were redrawn, or numbered anew after a deletion. Nothing was written; run "
            "again, or let the results go to a new layer.",
            layer=layer.name(),
            count=len(other),
            ids=some(sorted(other)),
        )


def _alike(one: QgsGeometry, other: QgsGeometry) -> bool:
    """Whether two outlines have the same bounds and area, however their parts are stored."""
    if one.isEmpty() or other.isEmpty():
        return one.isEmpty() and other.isEmpty()
    boxes = [(shape.area(), shape.boundingBox()) for shape in (one, other)]
    facts = [
        (area, box.xMinimum(), box.yMinimum(), box.xMaximum(), box.yMaximum())
        for area, box in boxes
    ]
    return bool(np.allclose(facts[0], facts[1], rtol=1e-12, atol=1e-12, equal_nan=True))


def _place_of(layer: QgsVectorLayer, name: str, kind: str) -> int:
    place = layer.fields().lookupField(name)
    if place < 0:
        if not layer.addAttribute(_storable(layer, name, kind)):
            said = "Field '{name}' cannot be added to layer '{layer}': {why}."
            raise InputError(said, name=name, layer=layer.name(), why=_last_error(layer))
        return int(layer.fields().lookupField(name))
    existing = layer.fields().at(place)
    if existing.isNumeric() != (kind != "text"):
        said = "Field '{name}' of layer '{layer}' holds {kind}, which the result is not; delete or rename it first."
        raise InputError(said, name=name, layer=layer.name(), kind=existing.typeName())
    return int(place)


def _is_stored(layer: QgsVectorLayer, name: str) -> bool:
    """Whether a field that was just added is in the database already, as in a project whose edits go there at once."""
    place = layer.fields().lookupField(name)
    return bool(layer.fields().fieldOrigin(place) == _ORIGIN.OriginProvider)


def _storable(layer: QgsVectorLayer, name: str, kind: str) -> QgsField:
    wanted = new_field(name, kind, MARK)
    provider = layer.dataProvider()
    if provider.name() not in ("ogr", "memory"):
        native = {known.mTypeName.lower(): known for known in provider.nativeTypes()}
        best = next((native[called] for called in _TYPE_NAMES[kind] if called in native), None)
        if best is not None:
            wanted.setTypeName(best.mTypeName)
            wanted.setLength(best.mMinLen)
    if _is_shapefile(layer):
        length, precision = {"integer": (18, 0), "real": (20, 12), "text": (80, 0)}[kind]
        wanted.setLength(length)
        wanted.setPrecision(precision)
    return wanted


def _change(
    layer: QgsVectorLayer, ids: Sequence[int], places: list[int], values: list[list[Any]]
) -> list[int]:
    """Change the attributes; the ids that are not there."""
    request = (
        QgsFeatureRequest()
        .setFlags(QgsFeatureRequest.Flag.NoGeometry)
        .setSubsetOfAttributes(places)
    )
    old = {feature.id(): feature for feature in layer.getFeatures(request)}
    missing = []
    for number, row in zip(ids, zip(*values)):
        feature = old.get(int(number))
        if feature is None:
            missing.append(int(number))
            continue
        after = {place: _known(value) for place, value in zip(places, row)}
        before = {place: _known(feature.attribute(place)) for place in places}
        if not layer.changeAttributeValues(int(number), after, before, True):
            said = "Feature {number} of layer '{layer}' could not be changed; the layer was left as it was."
            raise InputError(said, number=number, layer=layer.name())
    return missing


def _known(value: Any) -> Any:
    """The value, or NULL as a value of its own: undo asks the provider, slowly, about each one that is not valid."""
    return NULL if is_null(value) else value


def _names_in(layer: QgsVectorLayer, names: list[str]) -> list[str]:
    if not _is_shapefile(layer) or all(len(name) <= SHAPEFILE_NAME for name in names):
        return names
    ours = our_fields(layer)
    foreign = [described.name() for described in layer.fields() if described.name() not in ours]
    return fitted_names(names, SHAPEFILE_NAME, foreign)


def _is_shapefile(layer: QgsVectorLayer) -> bool:
    provider = layer.dataProvider()
    return provider is not None and provider.storageType() == "ESRI Shapefile"


def _last_error(layer: QgsVectorLayer) -> str:
    errors = [*layer.commitErrors(), *layer.dataProvider().errors()]
    return str(errors[-1]) if errors else Said("its format does not allow it")


#: Custom layer property that marks what a run made, so that it is not offered as an input.
RESULT_PROPERTY = "randcrowns/result"

#: Custom layer property: names of the fields that a run wrote into the layer and that were saved.
_SAVED = "randcrowns/fields"
#: Comment of a field that is not saved yet; undo takes it away with the field, redo brings both back.
MARK = "Written by RandCrowns"
_FOLLOWER = "randcrowns_follower"


def our_fields(layer: QgsVectorLayer) -> set[str]:
    """Names of the layer's fields that are ours now. Saving the layer is followed from here on."""
    _follow(layer)
    fields, saved = layer.fields(), _saved(layer)
    gone = saved - set(fields.names()) - set(_stored_names(layer))
    if gone:
        layer.setCustomProperty(_SAVED, sorted(saved - gone))
    origins = [fields.fieldOrigin(place) for place in range(fields.count())]
    return {
        described.name()
        for described, origin in zip(fields, origins)
        if (origin == _ORIGIN.OriginEdit and described.comment() == MARK)
        or (origin == _ORIGIN.OriginProvider and described.name() in saved)
    }


def add_saved_fields(layer: QgsVectorLayer, names: set[str]) -> None:
    """Take fields for ours that are in the layer's file or table already."""
    if names:
        layer.setCustomProperty(_SAVED, sorted(_saved(layer) | names))


class _Follower(QObject):
    """Keeps a layer's list up to date whenever the layer is saved; a child of the layer, so it goes with it."""

    def __init__(self, layer: QgsVectorLayer) -> None:
        super().__init__(layer)
        self.setObjectName(_FOLLOWER)
        layer.committedAttributesDeleted.connect(self.deleted)
        layer.committedAttributesAdded.connect(self.added)

    def deleted(self, layer_id: str, places: list[int]) -> None:
        """Fields were deleted from the file or table."""
        layer = self.parent()
        layer.setCustomProperty(_SAVED, sorted(_saved(layer) & set(_stored_names(layer))))

    def added(self, layer_id: str, fields: list[QgsField]) -> None:
        """Fields were added to the file or table."""
        add_saved_fields(
            self.parent(), {field.name() for field in fields if field.comment() == MARK}
        )


def _follow(layer: QgsVectorLayer) -> None:
    if layer.findChild(QObject, _FOLLOWER) is None:
        _Follower(layer)


def _saved(layer: QgsVectorLayer) -> set[str]:
    ours = layer.customProperty(_SAVED, [])
    listed = [ours] if isinstance(ours, str) else ours if isinstance(ours, (list, tuple)) else []
    return {name for name in listed if isinstance(name, str)}


def _stored_names(layer: QgsVectorLayer) -> list[str]:
    provider = layer.dataProvider()
    return [] if provider is None else list(provider.fields().names())
