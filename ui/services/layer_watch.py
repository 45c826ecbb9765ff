"""Watches the layers and the file that a run has read, so that its results can be marked as old when they change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Callable

from qgis.core import QgsMapLayer, QgsProject, QgsVectorLayer
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QFileSystemWatcher, QObject, QTimer, pyqtSignal

from randcrowns.layers.words import tr

#: Keys of reasons that may go away again, and of those that stay.
_EDITED, _SAVED = "edited ", " and saved"
#: Key of reasons why a layer holds other features, or holds them elsewhere.
_OTHER = "other "


class LayerWatch(QObject):
    """Emits :attr:`changed` with a sentence that says what changed and how; an empty one takes it back."""

    changed = pyqtSignal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._connections = Connections()
        self._names: dict[str, str] = {}
        self._reasons: dict[str, str] = {}
        self._file = FileWatch(self)
        self._file.changed.connect(lambda: self.changed.emit(self.reason))
        #: Ids of layers whose edits are no change: what was read follows them.
        self.followed: frozenset[str] = frozenset()
        #: While True, other crowns being selected is no change: we select them ourselves.
        self.selecting = False

    @property
    def reason(self) -> str:
        """The first change that still stands; empty while there is none."""
        kinds = ((_EDITED, ""), (_EDITED, _SAVED), (_OTHER, ""))
        followed = {
            before + layer_id + after for layer_id in self.followed for before, after in kinds
        }
        reasons = [said for key, said in self._reasons.items() if key not in followed]
        if not reasons and self._file.differs:
            name = Path(self._file.path).name
            return (
                tr("{file} changed.", file=name)
                if file_state(self._file.path)
                else tr("{file} is gone.", file=name)
            )
        return next(iter(reasons), "")

    def watch(
        self, layer_ids: tuple[str, ...], fields: Mapping[str, Sequence[str]], selected_in: str = ""
    ) -> None:
        """Watch these layers, or files by their path, from now on, and no others.

        In ``fields`` are those of a layer that matter; ``selected_in`` is the layer whose selection matters.
        """
        self.close()
        project = QgsProject.instance()
        self._connections.connect(project, "layersWillBeRemoved", self._removed)
        for layer_id in layer_ids:
            layer = project.mapLayer(layer_id)
            if layer is not None:
                self._names[layer_id] = layer.name()
            elif file_state(layer_id):
                self._file.follow(layer_id)
            if isinstance(layer, QgsVectorLayer):
                self._watch_layer(layer, fields.get(layer_id, ()))
                if layer_id == selected_in:
                    self._connections.connect(layer, "selectionChanged", self._selected)

    def close(self) -> None:
        """Stop watching and forget what was seen."""
        self._connections.close()
        self._names = {}
        self._reasons = {}
        self._file.follow("")

    def _watch_layer(self, layer: QgsVectorLayer, fields: Sequence[str]) -> None:
        name, connect, tell = layer.name(), partial(self._connections.connect, layer), self._tell
        edited = partial(tell, tr("layer {name} was edited.", name=name), _EDITED + layer.id())
        for signal in ("geometryChanged", "featureAdded", "featureDeleted"):
            connect(signal, edited)
        self._watch_edits(layer)
        other = _OTHER + layer.id()
        connect(
            "crsChanged",
            partial(tell, tr("the coordinate system of layer {name} changed.", name=name), other),
        )
        connect(
            "subsetStringChanged",
            partial(tell, tr("the filter of layer {name} changed.", name=name), other),
        )
        connect(
            "dataSourceChanged",
            partial(tell, tr("layer {name} has another source.", name=name), other),
        )
        numbers = {layer.fields().lookupField(field) for field in fields} - {-1}
        if numbers:
            connect(
                "attributeValueChanged",
                lambda _, changed, __: edited() if changed in numbers else None,
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

    def _selected(self, *_: object) -> None:
        if not self.selecting:
            self._tell(tr("other crowns were selected."))

    def _removed(self, layer_ids: list[str]) -> None:
        """A layer that is gone says more than what had changed in it."""
        before = self.reason
        for layer_id in layer_ids:
            if layer_id in self._names:
                gone = tr("layer {name} was removed.", name=self._names[layer_id])
                self._reasons = {gone: gone, **self._reasons}
        if self.reason != before:
            self.changed.emit(self.reason)

    def _tell(self, reason: str, key: str = "", *_: object) -> None:
        first = not self._reasons
        self._reasons.setdefault(key or reason, reason)
        if first:
            self.changed.emit(reason)


#: Signals of a layer that come in bursts, and the milliseconds after which they are told together.
_SMALL_CHANGES = (
    *("nameChanged", "crsChanged", "subsetStringChanged", "selectionChanged"),
    *(
        "editingStarted",
        "editingStopped",
        "featureAdded",
        "featureDeleted",
        "layerModified",
        "afterCommitChanges",
    ),
)
_WAIT = 150


class ProjectLayers(QObject):
    """:attr:`changed` comes at once when layers come or go and on saving, once per burst of smaller changes; while a
    project is read after the last of its layers. What comes unless ``seen`` is told by :meth:`catch_up`."""

    changed = pyqtSignal()

    def __init__(
        self, parent: QObject | None = None, seen: Callable[[], bool] = lambda: True
    ) -> None:
        super().__init__(parent)
        self._seen = seen
        self._timer = after(_WAIT, self._tell, self)
        self._connections = Connections()
        self._reading = self._missed = False
        project = QgsProject.instance()
        self._connections.connect(project, "layerLoaded", self._read)
        self._connections.connect(project, "layersAdded", self._follow)
        self._connections.connect(project, "layersRemoved", self._tell)
        self._connections.connect(project, "projectSaved", self._tell)
        self._watch(list(project.mapLayers().values()))

    def close(self) -> None:
        """Stop following."""
        self._timer.stop()
        self._connections.close()

    def _follow(self, layers: list[QgsMapLayer]) -> None:
        self._watch(layers)
        if not self._reading:
            self._tell()

    def _read(self, layers: int, of: int) -> None:
        self._reading = layers < of
        if layers and not self._reading:
            self._tell()

    def _watch(self, layers: list[QgsMapLayer]) -> None:
        for layer in layers:
            if isinstance(layer, QgsVectorLayer):
                for signal in _SMALL_CHANGES:
                    self._connections.connect(layer, signal, self._soon)

    def _soon(self, *_: object) -> None:
        self._timer.start()

    def _tell(self, *_: object) -> None:
        self._missed = not self._seen()
        if not self._missed:
            self.changed.emit()

    def catch_up(self) -> None:
        """Tell what was not told while nobody saw it."""
        if self._missed:
            self._missed = False
            self.changed.emit()


#: Milliseconds after which a file that changed is told: it is written in many pieces.
_SETTLED = 500


class FileWatch(QObject):
    """Watches one file or, while that is not there, the folder in which it may appear. Emits :attr:`changed`."""

    changed = pyqtSignal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.path = self._state = ""
        self._watcher = QFileSystemWatcher(self)
        self._settled = after(_SETTLED, self.changed, self)
        self._settled.timeout.connect(self._watch)
        self._watcher.fileChanged.connect(lambda _: self._settled.start())
        self._watcher.directoryChanged.connect(lambda _: self._settled.start())

    def follow(self, path: str) -> None:
        """Watch this file from now on; empty: none."""
        self.path, self._state = path, file_state(path)
        self._watch()

    @property
    def differs(self) -> bool:
        """Whether the file is not as it was when it was begun to be followed."""
        return file_state(self.path) != self._state

    def _watch(self) -> None:
        """Watch what there is now: a file that was replaced is another one."""
        place = _nearest(self.path)
        if self.watched() != [place]:
            if self.watched():
                self._watcher.removePaths(self.watched())
            if place:
                self._watcher.addPath(place)

    def watched(self) -> list[str]:
        """The file or folder watched now."""
        return [*self._watcher.files(), *self._watcher.directories()]


def after(milliseconds: int, action: Any, parent: QObject) -> QTimer:
    """Emits a signal, or calls, once, so long after its last start; never once the parent is gone."""
    timer = QTimer(parent)
    timer.setSingleShot(True)
    timer.setInterval(milliseconds)
    timer.timeout.connect(action)
    return timer


def file_state(path: str) -> str:
    """When a file was written, and its size; empty for none, and where it is gone."""
    try:
        facts = Path(path).stat() if path else None
    except (OSError, ValueError):
        return ""
    return f"{facts.st_mtime_ns} {facts.st_size}" if facts else ""


def _nearest(path: str) -> str:
    """The path, or the nearest folder on the way to it that exists; empty for none."""
    if not path:
        return ""
    try:
        return next(
            (str(place) for place in (Path(path), *Path(path).parents) if place.exists()), ""
        )
    except (OSError, ValueError):  # a name that no file can have
        return ""


def safely(action: Callable[..., Any], *arguments: Any) -> None:
    """Call ``action``; that one of the objects is deleted or was never connected does no harm."""
    try:
        action(*arguments)
    except (RuntimeError, TypeError):
        return


class Connections:
    """The signal connections of one object, closed together."""

    def __init__(self) -> None:
        self._made: list[tuple[QObject, str, Callable[..., Any]]] = []

    def connect(self, sender: QObject, signal: str, slot: Callable[..., Any]) -> None:
        """Connect the signal of that name to ``slot`` and remember it."""
        getattr(sender, signal).connect(slot)
        self._made.append((sender, signal, slot))

    def close(self) -> None:
        """Take every connection back; the signal of a deleted object is never touched, that would crash."""
        made, self._made = self._made, []
        for sender, signal, slot in made:
            if not sip.isdeleted(sender):
                safely(getattr(sender, signal).disconnect, slot)
