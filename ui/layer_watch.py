"""Watches the layers a run has read, so that its results can be marked as old when they change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Callable

from qgis.core import QgsProject, QgsVectorLayer
from qgis.PyQt.QtCore import QObject, pyqtSignal

from randcrowns.layers.words import tr
from randcrowns.ui.connections import Connections

__all__ = ["LayerWatch"]

#: Keys of reasons that may go away again, and of those that stay.
_EDITED, _SAVED = "edited ", " and saved"


class LayerWatch(QObject):
    """Emits :attr:`changed` with a sentence that says which layer changed and how; an empty one takes it back."""

    changed = pyqtSignal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._connections = Connections()
        self._names: dict[str, str] = {}
        self._reasons: dict[str, str] = {}
        #: While True, other crowns being selected is no change: we select them ourselves.
        self.selecting = False

    @property
    def reason(self) -> str:
        """The first change that still stands; empty while there is none."""
        return next(iter(self._reasons.values()), "")

    def watch(self, layer_ids: tuple[str, ...], fields: Mapping[str, Sequence[str]], selected_in: str = "") -> None:
        """Watch these layers from now on, and no others.

        Args:
            layer_ids: the layers.
            fields: layer -> the fields that matter in it.
            selected_in: the layer in which it matters what is selected.
        """
        self.close()
        project = QgsProject.instance()
        self._connections.connect(project, "layersWillBeRemoved", self._removed)
        for layer_id in layer_ids:
            layer = project.mapLayer(layer_id)
            if layer is not None:
                self._names[layer_id] = layer.name()
            if isinstance(layer, QgsVectorLayer):
                self._watch_layer(layer, fields.get(layer_id, ()))
                if layer_id == selected_in:
                    self._connections.connect(layer, "selectionChanged", self._selected)

    def close(self) -> None:
        """Stop watching and forget what was seen."""
        self._connections.close()
        self._names = {}
        self._reasons = {}

    def _watch_layer(self, layer: QgsVectorLayer, fields: Sequence[str]) -> None:
        edited = self._teller(tr("layer {name} was edited."), layer.name(), _EDITED + layer.id())
        for signal in ("geometryChanged", "featureAdded", "featureDeleted"):
            self._connections.connect(layer, signal, edited)
        self._watch_edits(layer)
        self._connections.connect(
            layer, "crsChanged", self._teller(tr("the coordinate system of layer {name} changed."), layer.name())
        )
        self._connections.connect(
            layer, "subsetStringChanged", self._teller(tr("the filter of layer {name} changed."), layer.name())
        )
        self._connections.connect(
            layer, "dataSourceChanged", self._teller(tr("layer {name} has another source."), layer.name())
        )
        numbers = {layer.fields().lookupField(field) for field in fields} - {-1}
        if numbers:
            self._connections.connect(
                layer,
                "attributeValueChanged",
                lambda _feature, changed, _value: edited() if changed in numbers else None,
            )

    def _watch_edits(self, layer: QgsVectorLayer) -> None:
        """Edits that are undone or thrown away have changed nothing, unless the run read some or some were saved."""
        if layer.isModified():
            return
        key = _EDITED + layer.id()

        def take_back(*_: object) -> None:
            if not layer.isModified() and self._reasons.pop(key, ""):
                self.changed.emit(self.reason)

        def settle(*_: object) -> None:
            if key in self._reasons:
                self._reasons[key + _SAVED] = self._reasons.pop(key)

        self._connections.connect(layer, "beforeCommitChanges", settle)
        self._connections.connect(layer, "layerModified", take_back)
        self._connections.connect(layer, "afterRollBack", take_back)

    def _teller(self, sentence: str, name: str, key: str = "") -> Callable[..., None]:
        def tell(*_: object) -> None:
            self._tell(sentence.format(name=name), key)

        return tell

    def _selected(self, *_: object) -> None:
        if not self.selecting:
            self._tell(tr("other crowns were selected."))

    def _removed(self, layer_ids: list[str]) -> None:
        """A layer that is gone says more than what had changed in it."""
        before = self.reason
        for layer_id in layer_ids:
            if layer_id in self._names:
                gone = tr("layer {name} was removed.").format(name=self._names[layer_id])
                self._reasons = {gone: gone, **self._reasons}
        if self.reason != before:
            self.changed.emit(self.reason)

    def _tell(self, reason: str, key: str = "") -> None:
        first = not self._reasons
        self._reasons.setdefault(key or reason, reason)
        if first:
            self.changed.emit(reason)
