"""Detection of changes in layers and files, by which displayed results become outdated.

Also the helpers for Qt signals and timers that this needs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Callable, NamedTuple

from qgis.core import QgsMapLayer, QgsProject, QgsVectorLayer
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QFileSystemWatcher, QObject, QTimer, pyqtSignal

from randcrowns.layers.fields import field_index
from randcrowns.layers.localization import tr

#: Ids of the layers that are being stored: their data source changes, but not their features.
LAYERS_BEING_STORED: set[str] = set()
#: Prefix of the keys of edits, followed by the id of the layer.
_EDITED = "edited "
#: Suffix of the keys of edits that were saved and can therefore no longer be undone.
_SAVED = " and saved"
#: Prefix of the keys of other changes of a layer, followed by its id: source, filter or CRS.
_OTHER = "other "


class LayerWatch(QObject):
    """Watches the layers and the file that a run has read.

    Emits :attr:`changed` with the reason why the results are outdated, a sentence. The signal is
    emitted with "" when all changes were undone.

    Args:
        parent: Qt parent of this object.
    """

    changed = pyqtSignal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._connections = Connections()
        #: Id of a watched layer -> its name.
        self._names: dict[str, str] = {}
        #: Key of a change -> sentence; in the order of the changes.
        self._reasons: dict[str, str] = {}
        self._file = FileWatch(self)
        self._file.changed.connect(lambda: self.changed.emit(self.reason))
        #: Ids of layers whose edits do not outdate the results, which are updated with each edit.
        self.live_layer_ids: frozenset[str] = frozenset()
        #: True while the plugin itself selects crowns, which is not reported as a change.
        self.is_selecting = False

    @property
    def reason(self) -> str:
        """The first change that was not undone, as a sentence; "" if there is none."""
        ignored_keys = set()
        for layer_id in self.live_layer_ids:
            edit_key = _EDITED + layer_id
            ignored_keys |= {edit_key, edit_key + _SAVED, _OTHER + layer_id}
        for key, sentence in self._reasons.items():
            if key not in ignored_keys:
                return sentence
        if not self._file.has_changed:
            return ""
        name = Path(self._file.path).name
        if file_state(self._file.path):
            return tr("{file} changed.", file=name)
        return tr("{file} was removed.", file=name)

    @property
    def has_changes(self) -> bool:
        """True if there is a change that was not undone, also in layers whose edits are scored."""
        return bool(self._reasons) or self._file.has_changed

    def watch(
        self,
        layer_ids: tuple[str, ...],
        fields: Mapping[str, Sequence[str]],
        selection_layer: str = "",
    ) -> None:
        """Start watching layers and files; stop watching others.

        Args:
            layer_ids: Ids of the layers, or paths of files. Only the last file is watched.
            fields: Layer id -> names of the fields whose values matter.
            selection_layer: Id of the layer whose selection matters; "" for none.
        """
        self.close()
        project = QgsProject.instance()
        self._connections.connect(project, "layersWillBeRemoved", self._add_removed_layers)
        for layer_id in layer_ids:
            layer = project.mapLayer(layer_id)
            if layer is not None:
                self._names[layer_id] = layer.name()
            elif file_state(layer_id):
                self._file.watch(layer_id)
            if isinstance(layer, QgsVectorLayer):
                self._watch_layer(layer, fields.get(layer_id, ()))
                if layer_id == selection_layer:
                    self._connections.connect(layer, "selectionChanged", self._add_selection_change)

    def close(self) -> None:
        """Stop watching and forget all changes."""
        self._connections.close()
        self._names = {}
        self._reasons = {}
        self._file.watch("")

    def _watch_layer(self, layer: QgsVectorLayer, fields: Sequence[str]) -> None:
        """Connect the signals of a layer that report a change of its features.

        Args:
            layer: Layer to watch.
            fields: Names of the attributes whose edits matter; unknown names are ignored.
        """
        sentence = tr("layer {name} was edited.", name=layer.name())
        add_edit = partial(self._add_reason, sentence, _EDITED + layer.id())
        for signal in ("geometryChanged", "featureAdded", "featureDeleted"):
            self._connections.connect(layer, signal, add_edit)
        self._watch_undo(layer)
        self._watch_properties(layer)

        field_indices = {field_index(layer.fields(), field) for field in fields}
        field_indices.discard(-1)

        def add_attribute_edit(_feature_id: int, edited_index: int, _value: object) -> None:
            """Add the edit of an attribute that matters."""
            if edited_index in field_indices:
                add_edit()

        if field_indices:
            self._connections.connect(layer, "attributeValueChanged", add_attribute_edit)

    def _watch_properties(self, layer: QgsVectorLayer) -> None:
        """Connect the signals that report another source, filter or CRS of a layer."""
        name = layer.name()
        sentences_by_signal = {
            "crsChanged": tr("the coordinate system of layer {name} changed.", name=name),
            "subsetStringChanged": tr("the filter of layer {name} changed.", name=name),
            "dataSourceChanged": tr("the data source of layer {name} changed.", name=name),
        }
        for signal, sentence in sentences_by_signal.items():
            add_change = partial(self._add_other_change, sentence, layer.id())
            self._connections.connect(layer, signal, add_change)

    def _watch_undo(self, layer: QgsVectorLayer) -> None:
        """Withdraw the change "edited" when all edits of a layer are undone or discarded.

        Saved edits stay a change. A layer that already has unsaved edits is not watched: the run
        has read these edits, so that discarding them is a change, too.
        """
        if layer.isModified():
            return
        key = _EDITED + layer.id()

        def withdraw_reason(*_: object) -> None:
            """Forget the edits if no unsaved edit is left."""
            if not layer.isModified() and self._reasons.pop(key, ""):
                self.changed.emit(self.reason)

        def mark_as_saved(*_: object) -> None:
            """Keep the edits as a change that cannot be withdrawn."""
            if key in self._reasons:
                self._reasons[key + _SAVED] = self._reasons.pop(key)

        self._connections.connect(layer, "beforeCommitChanges", mark_as_saved)
        self._connections.connect(layer, "layerModified", withdraw_reason)
        self._connections.connect(layer, "afterRollBack", withdraw_reason)

    def _add_other_change(self, sentence: str, layer_id: str, *_: object) -> None:
        """Add a change of a layer, unless the layer is stored with the project just now."""
        if layer_id not in LAYERS_BEING_STORED:
            self._add_reason(sentence, _OTHER + layer_id)

    def _add_selection_change(self, *_: object) -> None:
        """Add a change of the selection, unless the plugin itself selects crowns."""
        if not self.is_selecting:
            self._add_reason(tr("the selection of crowns changed."))

    def _add_removed_layers(self, layer_ids: list[str]) -> None:
        """Add the removal of layers before other reasons, since it matters more than edits."""
        reason_before = self.reason
        for layer_id in layer_ids:
            if layer_id in self._names:
                sentence = tr("layer {name} was removed.", name=self._names[layer_id])
                self._reasons = {sentence: sentence, **self._reasons}
        if self.reason != reason_before:
            self.changed.emit(self.reason)

    def _add_reason(self, reason: str, key: str = "", *_: object) -> None:
        """Add a change, and emit the signal if it is the first one.

        Args:
            reason: The change as a sentence.
            key: Key of the change; the sentence by default.
        """
        is_first = not self._reasons
        self._reasons.setdefault(key or reason, reason)
        if is_first:
            self.changed.emit(reason)


#: Signals of a vector layer that are emitted in bursts and reported once per burst.
_BURST_SIGNALS = (
    "nameChanged",
    "crsChanged",
    "subsetStringChanged",
    "selectionChanged",
    "editingStarted",
    "editingStopped",
    "featureAdded",
    "featureDeleted",
    "layerModified",
    "afterCommitChanges",
)
#: Time after the last signal of a burst until it is reported, ms.
_BURST_DELAY = 150


class ProjectLayersWatch(QObject):
    """Watches all layers of the project.

    Emits :attr:`changed` at once when layers are added or removed and when the project is saved,
    and once per burst of smaller changes. While a project is opened, the signal is emitted after
    its last layer was loaded.

    Args:
        parent: Qt parent of this object.
        is_seen: Returns True while changes are to be reported. Otherwise they are reported by
            :meth:`report_missed_change`.
    """

    changed = pyqtSignal()

    def __init__(
        self, parent: QObject | None = None, is_seen: Callable[[], bool] = lambda: True
    ) -> None:
        super().__init__(parent)
        self._is_seen = is_seen
        self._timer = single_shot_timer(_BURST_DELAY, self._report, self)
        self._connections = Connections()
        self._is_loading_project = False
        #: True if a change was not reported yet.
        self._has_missed_change = False
        project = QgsProject.instance()
        slots_by_signal: dict[str, Callable[..., None]] = {
            "layerLoaded": self._on_layer_loaded,
            "layersAdded": self._on_layers_added,
            "layersRemoved": self._report,
            "projectSaved": self._report,
        }
        for signal, slot in slots_by_signal.items():
            self._connections.connect(project, signal, slot)
        self._watch(list(project.mapLayers().values()))

    def close(self) -> None:
        """Stop watching."""
        self._timer.stop()
        self._connections.close()

    def report_missed_change(self) -> None:
        """Emit :attr:`changed` if there was a change that has not been reported."""
        if self._has_missed_change:
            self._has_missed_change = False
            self.changed.emit()

    def _on_layers_added(self, layers: list[QgsMapLayer]) -> None:
        """Watch new layers, and report them unless a project is being opened."""
        self._watch(layers)
        if not self._is_loading_project:
            self._report()

    def _on_layer_loaded(self, loaded_count: int, total_count: int) -> None:
        """Report the layers of a project after its last one was loaded."""
        self._is_loading_project = loaded_count < total_count
        if loaded_count and not self._is_loading_project:
            self._report()

    def _watch(self, layers: list[QgsMapLayer]) -> None:
        """Connect the signals of the vector layers among some layers."""
        for layer in layers:
            if isinstance(layer, QgsVectorLayer):
                for signal in _BURST_SIGNALS:
                    self._connections.connect(layer, signal, self._report_after_burst)

    def _report_after_burst(self, *_: object) -> None:
        """Report a change when no further signal has followed for some time."""
        self._timer.start()

    def _report(self, *_: object) -> None:
        """Emit :attr:`changed`, or remember the change for :meth:`report_missed_change`."""
        self._has_missed_change = not self._is_seen()
        if not self._has_missed_change:
            self.changed.emit()


#: Time until a change of a file is reported, ms: files are written in many pieces.
_FILE_DELAY = 500


class FileWatch(QObject):
    """Watches one file, or the folder in which it may appear while it does not exist.

    Emits :attr:`changed` some time after the file or the folder changed.

    Args:
        parent: Qt parent of this object.
    """

    changed = pyqtSignal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        #: Path of the file; "" for none.
        self.path = ""
        #: State of the file when :meth:`watch` was called, see :func:`file_state`.
        self._initial_state = ""
        self._watcher = QFileSystemWatcher(self)
        self._timer = single_shot_timer(_FILE_DELAY, self.changed, self)
        self._timer.timeout.connect(self._update_watcher)
        self._watcher.fileChanged.connect(lambda _: self._timer.start())
        self._watcher.directoryChanged.connect(lambda _: self._timer.start())

    def watch(self, path: str) -> None:
        """Watch a file instead of the previous one; "" for none."""
        self.path = path
        self._initial_state = file_state(path)
        self._update_watcher()

    @property
    def has_changed(self) -> bool:
        """True if the file has changed since :meth:`watch` was called."""
        return file_state(self.path) != self._initial_state

    def watched_paths(self) -> list[str]:
        """Return the watched path, of the file or of a folder, as a list; [] for none."""
        return [*self._watcher.files(), *self._watcher.directories()]

    def _update_watcher(self) -> None:
        """Watch the path that exists now: Qt stops watching a file that was replaced."""
        existing_path = _nearest_existing_path(self.path)
        watched_paths = self.watched_paths()
        if watched_paths == [existing_path]:
            return
        if watched_paths:
            self._watcher.removePaths(watched_paths)
        if existing_path:
            self._watcher.addPath(existing_path)


def single_shot_timer(milliseconds: int, action: Any, parent: QObject) -> QTimer:
    """Return a timer that fires once, a fixed time after it was last started.

    Args:
        milliseconds: Time from ``start()`` until the timer fires.
        action: Signal that is emitted, or callable that is called.
        parent: Qt parent of the timer, which never fires after the parent was deleted.

    Returns:
        The timer, not started.
    """
    timer = QTimer(parent)
    timer.setSingleShot(True)
    timer.setInterval(milliseconds)
    timer.timeout.connect(action)
    return timer


def file_state(path: str) -> str:
    """Return the modification time and size of a file, "" if the path is empty or unreadable."""
    if not path:
        return ""
    try:
        status = Path(path).stat()
    except (OSError, ValueError):
        return ""
    return f"{status.st_mtime_ns} {status.st_size}"


def _nearest_existing_path(path: str) -> str:
    """Return the path or its nearest parent folder that exists, "" for an invalid path."""
    if not path:
        return ""
    try:
        for candidate in (Path(path), *Path(path).parents):
            if candidate.exists():
                return str(candidate)
    except (OSError, ValueError):  # the path contains a name that no file can have
        return ""
    return ""


def ignore_qt_errors(action: Callable[..., Any], *arguments: Any) -> None:
    """Call a Qt function and ignore that an object is deleted or was never connected.

    Args:
        action: The function, for example the ``disconnect`` method of a signal.
        *arguments: Arguments of the function.
    """
    try:
        action(*arguments)
    except (RuntimeError, TypeError):
        return


class _Connection(NamedTuple):
    """A connection of a signal to a slot."""

    sender: QObject  #: Object that has the signal.
    signal: str  #: Name of the signal.
    slot: Callable[..., Any]  #: Called with the arguments of the signal.


class Connections:
    """Signal connections that are closed together."""

    def __init__(self) -> None:
        self._connections: list[_Connection] = []

    def connect(self, sender: QObject, signal: str, slot: Callable[..., Any]) -> None:
        """Connect a signal to a slot.

        Args:
            sender: Object that has the signal.
            signal: Name of the signal.
            slot: Called with the arguments of the signal.
        """
        getattr(sender, signal).connect(slot)
        self._connections.append(_Connection(sender, signal, slot))

    def close(self) -> None:
        """Disconnect all; senders that are deleted are skipped, as their signals would crash."""
        connections = self._connections
        self._connections = []
        for connection in connections:
            if not sip.isdeleted(connection.sender):
                signal = getattr(connection.sender, connection.signal)
                ignore_qt_errors(signal.disconnect, connection.slot)
