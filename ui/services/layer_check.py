"""Looks through the crowns of picked layers in the background, so that a badge can say what is odd about them."""

from __future__ import annotations

from typing import Any, Callable

from qgis.core import QgsApplication, QgsCoordinateTransformContext, QgsProject, QgsTask, QgsVectorLayer
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QObject, pyqtSignal

from randcrowns.core.errors import Cancelled, RandCrownsError
from randcrowns.layers.vector.read import read_crowns
from randcrowns.layers.vector.report import ReadReport
from randcrowns.layers.vector.snapshot import LayerSnapshot
from randcrowns.layers.words import tr

#: Larger layers are looked through by the run itself only.
_MOST_FEATURES = 50_000
_Key = tuple[Any, ...]

#: Tasks whose Python half must live until QGIS has deleted them.
_UNDER_WAY: set[QgsTask] = set()


class LayerCheck(QObject):
    """Remembers what it found until the layer changes. :attr:`found` tells that something new is known."""

    found = pyqtSignal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._known: dict[str, tuple[_Key, tuple[str, ...]]] = {}
        self._asked: dict[_Key, QgsTask] = {}

    def oddities(self, layer: QgsVectorLayer) -> tuple[str, ...]:
        """What is known to be odd about the layer's crowns; asks for a look when it changed since the last.

        A layer being edited is looked at again when the edits are saved: not for every crown that is drawn.
        """
        key = _key(layer)
        seen, found = self._known.get(layer.id(), (None, ()))
        fits = not layer.isEditable() and 0 < layer.featureCount() <= _MOST_FEATURES
        if key != seen and key not in self._asked and fits:
            self._ask(key, layer)
        return found

    @property
    def busy(self) -> bool:
        """Whether a look is under way."""
        return bool(self._asked)

    def close(self) -> None:
        """Stop looking."""
        asked, self._asked = self._asked, {}
        for task in asked.values():
            task.cancel()

    def _ask(self, key: _Key, layer: QgsVectorLayer) -> None:
        try:
            snapshot = LayerSnapshot.of(layer)
        except RandCrownsError:
            self._known[layer.id()] = key, ()
            return
        context = QgsProject.instance().transformContext()
        _forget_ended()
        task = QgsTask.fromFunction(
            "RandCrowns: look at crowns", _look, snapshot, context, on_finished=self._taker(key)
        )
        self._asked[key] = task
        _UNDER_WAY.add(task)
        QgsApplication.taskManager().addTask(task)

    def _taker(self, key: _Key) -> Callable[..., None]:
        def take(_error: Exception | None, found: tuple[str, ...] | None = None) -> None:
            if self._asked.pop(key, None) is not None:
                self._known[key[0]] = key, found or ()
                self.found.emit()

        return take


def _forget_ended() -> None:
    _UNDER_WAY.difference_update({task for task in _UNDER_WAY if sip.isdeleted(task)})


def _look(task: QgsTask, snapshot: LayerSnapshot, context: QgsCoordinateTransformContext) -> tuple[str, ...]:
    def progress(_fraction: float) -> None:
        if task.isCanceled():
            raise Cancelled

    try:
        return _in_short(read_crowns(snapshot, context, progress=progress).report)
    except RandCrownsError:  # the badge says already that the coordinate system is missing; a run says the rest
        return ()


def _in_short(report: ReadReport) -> tuple[str, ...]:
    return tuple(f"{len(ids):,} {tr(oddity.what)}, {tr(oddity.done)}" for oddity, ids in report.oddities.items())


def _key(layer: QgsVectorLayer) -> _Key:
    return layer.id(), layer.featureCount(), layer.crs().authid(), layer.subsetString(), layer.source()
