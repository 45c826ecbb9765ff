"""Watches the layers a run has read, so that its results can be marked as old when they change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Callable

from qgis.core import QgsProject, QgsVectorLayer
from qgis.PyQt.QtCore import QObject, pyqtSignal

from randcrowns.ui.connections import Connections
from randcrowns.ui.words import tr

__all__ = ["LayerWatch"]


class LayerWatch(QObject):
    """Emits :attr:`changed` with a sentence that says which layer changed and how."""

    changed = pyqtSignal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._connections = Connections()
        self._names: dict[str, str] = {}
        self.reason = ""
        #: While True, other crowns being selected is no change: we select them ourselves.
        self.selecting = False

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
        self.reason = ""

    def _watch_layer(self, layer: QgsVectorLayer, fields: Sequence[str]) -> None:
        edited = self._teller(tr("layer {name} was edited."), layer.name())
        for signal in ("geometryChanged", "featureAdded", "featureDeleted"):
            self._connections.connect(layer, signal, edited)
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

    def _teller(self, sentence: str, name: str) -> Callable[..., None]:
        def tell(*_: object) -> None:
            self._tell(sentence.format(name=name))

        return tell

    def _selected(self, *_: object) -> None:
        if not self.selecting:
            self._tell(tr("other crowns were selected."))

    def _removed(self, layer_ids: list[str]) -> None:
        for layer_id in layer_ids:
            if layer_id in self._names:
                self._tell(tr("layer {name} was removed.").format(name=self._names[layer_id]))

    def _tell(self, reason: str) -> None:
        if not self.reason:
            self.reason = reason
            self.changed.emit(reason)
