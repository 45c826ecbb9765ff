"""The runs of the project as a list, each to be ticked for a report."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from qgis.core import QgsMapLayer, QgsProject
from qgis.PyQt.QtCore import QSignalBlocker, QSize, Qt, pyqtSignal
from qgis.PyQt.QtGui import QResizeEvent
from qgis.PyQt.QtWidgets import QListWidget, QListWidgetItem

from randcrowns.algorithms.record import Record
from randcrowns.algorithms.runs import Run, runs_of
from randcrowns.layers.words import breakable, day_of, plain, tr

#: Lines shown at once, at least and at most.
_ROWS = (2, 6)
_KEY = Qt.ItemDataRole.UserRole


class RunList(QListWidget):
    """Ticks runs, the last one at first. Emits :attr:`changed`."""

    changed = pyqtSignal()

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(tr("Runs"))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWordWrap(True)
        self.setTextElideMode(Qt.TextElideMode.ElideNone)
        self.setResizeMode(QListWidget.ResizeMode.Adjust)
        self._runs: dict[str, Run] = {}
        #: Runs whose layers the project has not: they are kept by the page that shows them.
        self._shown: dict[str, tuple[Run, list[QgsMapLayer]]] = {}
        #: Whether anything was ticked or unticked by hand, or by another page; and what was the last time.
        self._chosen, self._followed = False, ""
        self.itemChanged.connect(self._tell)

    def take(self, record: Record, layers: Sequence[QgsMapLayer]) -> None:
        """Tick the run that a page shows, and only that."""
        key = record.id or record.title
        self._shown = {key: (Run(record, {}, record.files), list(layers))}
        self._chosen = True
        self.refresh()
        self.show_value((key,))

    def follow(self, shown: tuple[Record, list[QgsMapLayer]] | None) -> None:
        """Tick the run that a page shows, else the last one; what was ticked by hand stays until that is another."""
        self.refresh()
        last = max(self._runs, key=lambda key: self._runs[key].time, default="")
        key = last if shown is None else shown[0].id or shown[0].title
        if key != self._followed:
            self.take(*shown) if shown is not None else self.show_value((last,))
            self._followed = key
        if not self.value():
            self.show_value((last,))

    def refresh(self) -> None:
        """List the runs of the project now; those ticked stay so, and without any choice it is the last."""
        ticked = self.value()
        told = (
            run for run in runs_of(QgsProject.instance()) if run.headline
        )  # those that found something
        kept = (
            run
            for run in told
            if run.layers or any("|layername=" in place for place in run.places.values())
        )
        known = {run.record.id or run.title: run for run in kept}
        alive = {key: one for key, one in self._shown.items() if not any(map(_is_deleted, one[1]))}
        self._runs = {**{key: run for key, (run, _) in alive.items() if key not in known}, **known}
        with QSignalBlocker(self):
            self.clear()
            for key, run in self._runs.items():
                item = QListWidgetItem(breakable(f"{day_of(run.time)} · {run.title}"))
                item.setData(_KEY, key)
                item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
                item.setToolTip(plain("\n".join(filter(None, [run.headline, run.record.line]))))
                item.setCheckState(Qt.CheckState.Unchecked)
                self.addItem(item)
        left = [key for key in ticked if key in self._runs]
        self.show_value(tuple(left) if left or self._chosen else tuple(self._runs)[:1])
        self.updateGeometry()

    def forget(self) -> None:
        """Another project is there."""
        self._shown, self._chosen, self._followed = {}, False, ""

    def value(self) -> tuple[str, ...]:
        """Keys of the runs ticked, from top to bottom."""
        return tuple(
            str(item.data(_KEY))
            for item in self._items()
            if item.checkState() == Qt.CheckState.Checked
        )

    def show_value(self, keys: Sequence[str]) -> None:
        """Tick exactly these."""
        with QSignalBlocker(self):
            for item in self._items():
                ticked = item.data(_KEY) in keys
                item.setCheckState(Qt.CheckState.Checked if ticked else Qt.CheckState.Unchecked)
        for item in [one for one in self._items() if one.checkState() == Qt.CheckState.Checked][:1]:
            self.scrollToItem(item)
        self.changed.emit()

    def parameter(self) -> list[Any]:
        """Layers by which the algorithm finds the runs ticked."""
        found: list[Any] = []
        for key in self.value():
            run = self._runs[key]
            kept = [place for place in run.places.values() if "|layername=" in place][:1]
            found += list(run.layers.values()) or kept or self._shown.get(key, (run, []))[1]
        return found

    def chosen(self) -> list[Run]:
        """The runs ticked."""
        return [self._runs[key] for key in self.value()]

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        line, rows = (
            self.fontMetrics().height() + 4,
            [self.visualItemRect(item).height() for item in self._items()],
        )
        room = max(_ROWS[0] * line, min(sum(rows), _ROWS[1] * line))
        return QSize(160, room + 2 * self.frameWidth())

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(80, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self.updateGeometry()

    def _items(self) -> list[QListWidgetItem]:
        return [self.item(row) for row in range(self.count())]

    def _tell(self, *_: object) -> None:
        self._chosen = True
        self.changed.emit()


def _is_deleted(layer: QgsMapLayer) -> bool:
    try:
        return not layer.isValid()
    except RuntimeError:  # Qt's half of it is gone
        return True
