"""Which layers are ours, and which fields of a layer: written by a run, and neither undone nor discarded since."""

from __future__ import annotations

from qgis.core import QgsField, QgsFields, QgsVectorLayer
from qgis.PyQt.QtCore import QObject

__all__ = ["MARK", "RESULT_PROPERTY", "add_saved_fields", "our_fields"]

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
    edited = QgsFields.FieldOrigin.OriginEdit
    return {
        name
        for place, name in enumerate(fields.names())
        if (fields.at(place).comment() == MARK if fields.fieldOrigin(place) == edited else name in saved)
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
        add_saved_fields(self.parent(), {field.name() for field in fields if field.comment() == MARK})


def _follow(layer: QgsVectorLayer) -> None:
    if layer.findChild(QObject, _FOLLOWER) is None:
        _Follower(layer)


def _saved(layer: QgsVectorLayer) -> set[str]:
    ours = layer.customProperty(_SAVED, [])
    return {ours} if isinstance(ours, str) else set(ours or [])


def _stored_names(layer: QgsVectorLayer) -> list[str]:
    provider = layer.dataProvider()
    return [] if provider is None else list(provider.fields().names())
