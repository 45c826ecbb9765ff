"""Tells when the project's layers change in any way a picker or a badge shows."""

from __future__ import annotations

from qgis.core import QgsMapLayer, QgsProject, QgsVectorLayer
from qgis.PyQt.QtCore import QObject, QTimer, pyqtSignal

from randcrowns.ui.connections import Connections

__all__ = ["ProjectLayers"]

_WAIT = 150


class ProjectLayers(QObject):
    """:attr:`changed` comes at once when layers come or go, and once per burst of smaller changes."""

    changed = pyqtSignal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_WAIT)
        self._timer.timeout.connect(self.changed)
        self._project = Connections()
        self._layers: dict[str, Connections] = {}
        project = QgsProject.instance()
        self._project.connect(project, "layersAdded", self._follow)
        self._project.connect(project, "layersWillBeRemoved", self._forget)
        self._project.connect(project, "layersRemoved", self._tell)
        self._watch(list(project.mapLayers().values()))

    def close(self) -> None:
        """Stop following."""
        self._timer.stop()
        self._project.close()
        for connections in self._layers.values():
            connections.close()
        self._layers = {}

    def _follow(self, layers: list[QgsMapLayer]) -> None:
        self._watch(layers)
        self.changed.emit()

    def _watch(self, layers: list[QgsMapLayer]) -> None:
        for layer in layers:
            if not isinstance(layer, QgsVectorLayer):
                continue
            connections = self._layers.setdefault(layer.id(), Connections())
            for signal in (
                "nameChanged",
                "crsChanged",
                "editingStarted",
                "editingStopped",
                "subsetStringChanged",
                "featureAdded",
                "featureDeleted",
                "selectionChanged",
                "layerModified",
            ):
                connections.connect(layer, signal, self._soon)

    def _forget(self, layer_ids: list[str]) -> None:
        for layer_id in layer_ids:
            connections = self._layers.pop(layer_id, None)
            if connections is not None:
                connections.close()

    def _soon(self, *_: object) -> None:
        self._timer.start()

    def _tell(self, *_: object) -> None:
        self.changed.emit()
