"""List of the runs of the project, which are checked for a report."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from qgis.core import QgsMapLayer, QgsProject
from qgis.PyQt.QtCore import QSignalBlocker, QSize, Qt, pyqtSignal
from qgis.PyQt.QtWidgets import QListWidget, QListWidgetItem

from randcrowns.algorithms.provenance import Provenance
from randcrowns.algorithms.run_history import Run, read_runs
from randcrowns.layers.localization import escape_rich_text, format_day, insert_line_breaks, tr
from randcrowns.ui.services.layer_watch import single_shot_timer

#: Number of lines that are visible without scrolling.
_VISIBLE_LINES = 6
#: Item role of the key of a run.
_KEY_ROLE = Qt.ItemDataRole.UserRole


#: Space above and below the text of a line together, pixels.
_LINE_PADDING = 4
#: Preferred and minimum width of the list, pixels.
_PREFERRED_WIDTH = 160
_MIN_WIDTH = 80


class _DisplayedRun(NamedTuple):
    """A run that another page displays."""

    #: The run, without layers of the project.
    run: Run
    #: Its output layers, which the page owns.
    layers: list[QgsMapLayer]


class RunList(QListWidget):
    """List of runs with check boxes; the last run is checked by default.

    A run is identified by its key: the id of its record, or its title without one.
    """

    #: Emitted after other runs were checked.
    changed = pyqtSignal()

    def __init__(self) -> None:
        super().__init__()
        #: Scrolls to the first checked run after the layout of the items.
        self._scrolling = single_shot_timer(0, self._show_first_checked, self)
        self.setAccessibleName(tr("Runs"))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # A scroll bar that comes and goes would change the number of lines of the texts.
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setWordWrap(True)
        self.setTextElideMode(Qt.TextElideMode.ElideNone)
        self.setResizeMode(QListWidget.ResizeMode.Adjust)
        # Scrolled by whole items, the list would end with empty room below the last item.
        self.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        #: Key -> listed run.
        self._runs: dict[str, Run] = {}
        #: Key -> run that another page displays, whose layers may not be in the project.
        self._displayed: dict[str, _DisplayedRun] = {}
        #: True if a run was checked or unchecked by the user, or checked by another page.
        self._has_choice = False
        #: Key of the run that :meth:`adapt_to_previous` checked last; "" for none.
        self._followed_key = ""
        self.itemChanged.connect(self._on_item_changed)

    def check_displayed_run(self, record: Provenance, layers: Sequence[QgsMapLayer]) -> None:
        """Check only the run that another page displays.

        Args:
            record: Provenance of the run.
            layers: Output layers of the run; they need not be in the project.
        """
        key = _key_of(record)
        self._displayed = {
            key: _DisplayedRun(Run(record, layers={}, stored_sources=record.files), list(layers))
        }
        self._has_choice = True
        self.refresh()
        self.check_keys((key,))

    def adapt_to_previous(self, displayed_run: tuple[Provenance, list[QgsMapLayer]] | None) -> None:
        """Check the run that the previous page displays, or else the last run.

        The runs checked by the user stay checked if that run is the same as before.

        Args:
            displayed_run: Provenance and output layers of the displayed run; None for none.
        """
        self.refresh()
        last_key = max(self._runs, key=lambda key: self._runs[key].time, default="")
        if displayed_run is None:
            if self._followed_key != last_key:
                self.check_keys((last_key,))
            self._followed_key = last_key
        else:
            record, layers = displayed_run
            if self._followed_key != _key_of(record):
                self.check_displayed_run(record, layers)
            self._followed_key = _key_of(record)
        if not self.checked_keys():
            self.check_keys((last_key,))

    def refresh(self) -> None:
        """List the current runs of the project; checked runs stay checked.

        The first run is checked if none was checked before, unless the user has unchecked it.
        """
        previous_keys = self.checked_keys()
        self._runs = self._find_runs()
        with QSignalBlocker(self):
            self.clear()
            for key, run in self._runs.items():
                self._add_item(key, run)
        keys_to_check = [key for key in previous_keys if key in self._runs]
        if not keys_to_check and not self._has_choice:
            keys_to_check = list(self._runs)[:1]
        self.check_keys(keys_to_check)

    def _find_runs(self) -> dict[str, Run]:
        """Return the runs that can be reported, by key.

        These are the displayed run while its layers exist, and the runs of the project that have a
        conclusion and an output that can be found.
        """
        project_runs = {}
        for run in read_runs(QgsProject.instance()):
            if run.conclusion and (run.layers or _stored_layer_source(run)):
                project_runs[_key_of(run.record)] = run
        displayed_runs = {}
        for key, displayed in self._displayed.items():
            has_deleted_layer = any(map(_is_deleted, displayed.layers))
            if key not in project_runs and not has_deleted_layer:
                displayed_runs[key] = displayed.run
        return {**displayed_runs, **project_runs}

    def _add_item(self, key: str, run: Run) -> None:
        """Add an unchecked item for a run.

        Args:
            key: Key of the run.
            run: The run.
        """
        item = QListWidgetItem(insert_line_breaks(f"{format_day(run.time)} · {run.title}"))
        item.setData(_KEY_ROLE, key)
        item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
        tooltip_lines = [line for line in (run.conclusion, run.record.one_line_text) if line]
        item.setToolTip(escape_rich_text("\n".join(tooltip_lines)))
        item.setCheckState(Qt.CheckState.Unchecked)
        self.addItem(item)

    def discard_choices(self) -> None:
        """Discard the choices of the previous project."""
        self._displayed = {}
        self._has_choice = False
        self._followed_key = ""

    def checked_keys(self) -> tuple[str, ...]:
        """Return the keys of the checked runs, from top to bottom."""
        return tuple(str(item.data(_KEY_ROLE)) for item in self._checked_items())

    def check_keys(self, keys: Sequence[str]) -> None:
        """Check exactly the runs with these keys, and scroll to the first one."""
        with QSignalBlocker(self):
            for item in self._items():
                is_checked = item.data(_KEY_ROLE) in keys
                state = Qt.CheckState.Checked if is_checked else Qt.CheckState.Unchecked
                item.setCheckState(state)
        self._scrolling.start()
        self.changed.emit()

    def _show_first_checked(self) -> None:
        """Scroll to the first checked run."""
        checked_items = self._checked_items()
        if checked_items:
            self.scrollToItem(checked_items[0])

    def parameter(self) -> list[Any]:
        """Return the value of the algorithm's parameter for the checked runs.

        Returns:
            Per run the ids of its layers in the project; or the source of one stored layer; or
            the layers that the other page owns.
        """
        sources: list[Any] = []
        for key in self.checked_keys():
            run = self._runs[key]
            stored_source = _stored_layer_source(run)
            if run.layers:
                sources.extend(run.layers.values())
            elif stored_source:
                sources.append(stored_source)
            elif key in self._displayed:
                sources.extend(self._displayed[key].layers)
        return sources

    def checked_runs(self) -> list[Run]:
        """Return the checked runs, from top to bottom."""
        return [self._runs[key] for key in self.checked_keys()]

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Return the size, pixels; the height does not depend on the runs.

        The buttons below the list would move otherwise.
        """
        line_height = self.fontMetrics().height() + _LINE_PADDING
        return QSize(_PREFERRED_WIDTH, _VISIBLE_LINES * line_height + 2 * self.frameWidth())

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Return the minimum size, pixels; the height is that of the size hint."""
        return QSize(_MIN_WIDTH, self.sizeHint().height())

    def _items(self) -> list[QListWidgetItem]:
        """Return all items, from top to bottom."""
        return [self.item(row) for row in range(self.count())]

    def _checked_items(self) -> list[QListWidgetItem]:
        """Return the checked items, from top to bottom."""
        return [item for item in self._items() if item.checkState() == Qt.CheckState.Checked]

    def _on_item_changed(self, *_: object) -> None:
        """Record that the user has checked or unchecked a run."""
        self._has_choice = True
        self.changed.emit()


def _key_of(record: Provenance) -> str:
    """Return the key of a run: the id of its record, or its title."""
    return record.id or record.title


def _stored_layer_source(run: Run) -> str:
    """Return the source of the first output of a run that is a layer of a file, or ""."""
    layer_sources = [source for source in run.stored_sources.values() if "|layername=" in source]
    return layer_sources[0] if layer_sources else ""


def _is_deleted(layer: QgsMapLayer) -> bool:
    """Return True if a layer is not valid, or its C++ object was deleted."""
    try:
        return not layer.isValid()
    except RuntimeError:
        return True
