"""What the plugin says: short in QGIS's message bar, in full in the log tab; its guide."""

from __future__ import annotations

import sys
import textwrap
import time
import traceback
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from html import escape
from typing import TYPE_CHECKING, Any, Callable

from qgis.core import Qgis, QgsMessageLog, QgsProject
from qgis.gui import QgsMessageBar, QgsMessageBarItem, QgsMessageViewer
from qgis.PyQt.QtCore import QTimer
from qgis.PyQt.QtWidgets import QPushButton

from randcrowns.layers.guide import open_guide
from randcrowns.layers.words import filled, reason, sentences, tr

if TYPE_CHECKING:
    from randcrowns.core.remarks import Remark

#: Title of the messages, and of the log tab.
_TITLE = "RandCrowns"
_SECONDS = 8
#: Letters that fit into the one line of the bar in a common window, and beside a button.
_ONE_LINE, _BESIDE = 110, 70
#: How a run ended, by the name of the outcome's class.
_ENDS = {
    "Succeeded": tr("{name} ended after {seconds:.1f} s."),
    "Failed": tr("{name} failed after {seconds:.1f} s."),
    "WasCancelled": tr("{name} was cancelled after {seconds:.1f} s."),
}
#: Characters of a foreign error in a sentence.
_LONGEST_REASON = 200


class Messages:
    """Speaks through the message bar of a QGIS window; where there is none, through the log and standard error."""

    def __init__(self, iface: Any) -> None:
        self._iface = iface

    def info(self, text: str, details: str = "") -> None:
        """Say something good to know."""
        self._say(text, details, Qgis.MessageLevel.Info, _SECONDS)

    def success(self, text: str, details: str = "") -> None:
        """Say that something worked."""
        self._say(text, details, Qgis.MessageLevel.Success, _SECONDS)

    def warning(self, text: str, details: str = "") -> None:
        """Say that something needs a look."""
        self._say(text, details, Qgis.MessageLevel.Warning, _SECONDS)

    def error(self, text: str, details: str = "") -> None:
        """Say what went wrong; stays until the user closes it."""
        self._say(text, details, Qgis.MessageLevel.Critical, 0)

    def log_end(self, run: Any) -> None:
        """Have the log tab keep how a run ends that is begun now: with what, after how long, what it said."""
        began, name = time.monotonic(), str(run.algorithm_id)
        given = "".join(f"\n{key}: {value}" for key, value in run.parameters.items())

        def keep(outcome: Any) -> None:
            said = filled(
                _ENDS[type(outcome).__name__], name=name, seconds=time.monotonic() - began
            )
            told = (
                getattr(outcome, "log", "") if hasattr(outcome, "outputs") else ""
            )  # an error has it beside its own
            self._log(f"{said}{given}\n{told}".strip(), Qgis.MessageLevel.Info)

        run.ended.connect(keep)

    def tell_remarks(self, text: str, remarks: Iterable[Remark], beside: Sequence[Remark]) -> None:
        """Say that something worked, and how much stands ``beside`` the answer; the log tab has all that is odd."""
        odd = [remark for remark in remarks if remark.is_odd]
        warnings = sum(remark.is_warning for remark in beside)
        notes = len(beside) - warnings
        kinds = (
            tr("{count:,} warnings", one="1 warning", count=warnings) if warnings else "",
            tr("{count:,} notes", one="1 note", count=notes) if notes else "",
        )
        numbers = ", ".join(filter(None, kinds))
        said = (
            tr("{numbers} beside the answer. {text}", numbers=numbers, text=text)
            if beside
            else text
        )
        worrying = any(remark.is_warning for remark in odd)
        (self.warning if worrying else self.success)(said, "\n".join(sentences(odd)))

    @contextmanager
    def telling(self, details: str = "", again: bool = False) -> Iterator[None]:
        """What goes wrong within, while results are shown, is said in a sentence; the log keeps what led to it.

        ``again`` is true of results that were read back: somebody may have changed them since the run.
        """
        from randcrowns.core.errors import (
            RandCrownsError,
        )  # not above: these words are also said when libraries miss

        try:
            yield
        except RandCrownsError as error:
            self.error(reason(error), details)
        except Exception as error:  # noqa: BLE001 - told, with the details in the log
            values = {"kind": type(error).__name__, "why": str(error)[:_LONGEST_REASON]}
            said = tr(
                "The results cannot be shown ({kind}: {why}). Run again; should it happen again, please report it with "
                "the details in the log tab RandCrowns.",
                **values,
            )
            if again:
                said = tr(
                    "Earlier results cannot be shown again ({kind}: {why}): their tables are not as the run left them. "
                    "Run again, or remove the tables.",
                    **values,
                )
            self.error(said, f"{details}\n{traceback.format_exc()}".strip())

    def _say(self, text: str, details: str, level: Qgis.MessageLevel, seconds: int) -> None:
        self._log(f"{text}\n{details}" if details else text, level)
        if self._iface is None:
            print(f"{_TITLE}: {text}", file=sys.stderr, flush=True)  # qgis_process shows no log
        else:
            is_long, whole = len(text) > _ONE_LINE, f"{text}\n\n{details}".strip()
            begin = escape(
                textwrap.shorten(text, _BESIDE, placeholder="…") if is_long else text, quote=False
            )
            text = escape(text, quote=False)  # the bar shows HTML
            self.clear(
                begin
            )  # QGIS drops a message that stands in the bar already, and it would look like silence
            self._iface.messageBar().pushMessage(_TITLE, text, level, seconds)
            for item in self._items(
                lambda one: is_long and one.title() == _TITLE and one.text() == text
            ):
                item.setText(begin)
                _add_button(item, tr("Show all"), lambda: self._show(whole))

    def _log(self, text: str, level: Qgis.MessageLevel) -> None:
        """Have the log tab keep a text; a window shows it as HTML."""
        QgsMessageLog.logMessage(
            escape(text, quote=False) if self._iface else text, _TITLE, level, False
        )

    def _show(self, text: str) -> None:
        """Show a text that the bar has no room for, in a window of its own."""
        viewer = QgsMessageViewer(self._iface.mainWindow())
        viewer.setTitle(_TITLE)
        viewer.setMessageAsPlainText(text)
        viewer.showMessage(False)

    def offer(self, text: str, words: str, act: Callable[[], object]) -> None:
        """Say what needs a look, with a button that does something about it."""
        bar = self._iface.messageBar() if self._iface is not None else None
        if not isinstance(bar, QgsMessageBar):
            self.warning(text)
            return
        self._log(text, Qgis.MessageLevel.Warning)
        text = escape(text, quote=False)
        self.clear(text)
        item = bar.createMessage(_TITLE, text)
        _add_button(item, words, lambda: (bar.popWidget(item), act()))
        bar.pushWidget(item, Qgis.MessageLevel.Warning)

    def show_guide(self, page: str) -> None:
        """Have the browser show a page of the guide; where it cannot, say why."""
        why = open_guide(page)
        if why:
            self.warning(why)

    def clear(self, text: str = "") -> None:
        """Take our messages off the bar: those that say this, or all."""
        self._take_off(lambda item: item.title() == _TITLE and text in ("", item.text()))

    def silence(self, task: str) -> None:
        """Take off the bar, soon, what QGIS says of the end of a task of this description, which would cover ours."""
        QTimer.singleShot(
            0, lambda: self._take_off(lambda item: item.title() != _TITLE and item.text() == task)
        )

    def _take_off(self, which: Callable[[QgsMessageBarItem], bool]) -> None:
        for item in self._items(which):
            self._iface.messageBar().popWidget(item)

    def _items(self, which: Callable[[QgsMessageBarItem], bool]) -> list[QgsMessageBarItem]:
        bar = self._iface.messageBar() if self._iface is not None else None
        return [*filter(which, bar.items())] if isinstance(bar, QgsMessageBar) else []


def _add_button(item: QgsMessageBarItem, words: str, act: Callable[[], object]) -> None:
    button = QPushButton(words)
    button.clicked.connect(lambda *_: act())
    item.layout().addWidget(button)


def load_sample_plot(iface: Any) -> bool:
    """Add the simulated plot to the project and show it on the map; True when it worked."""
    from randcrowns.core.errors import (
        RandCrownsError,
    )  # not above: these import what may be missing
    from randcrowns.layers.sample import SAMPLE_MARK, load_plot, sample_clouds
    from randcrowns.layers.styles.tree import extent_on_map

    messages, canvas = Messages(iface), iface.mapCanvas()
    try:
        load_plot(QgsProject.instance())
    except (RandCrownsError, OSError) as error:
        messages.error(tr("The sample data could not be made: {error}", error=error))
        return False
    with messages.telling():
        plot = next(
            one
            for one in QgsProject.instance().mapLayers().values()
            if one.customProperty(SAMPLE_MARK)
        )
        canvas.setExtent(extent_on_map(plot, canvas.mapSettings().destinationCrs()))
        canvas.refresh()
    with_cloud = sample_clouds(QgsProject.instance())
    said = tr("Sample plot added; all of it is simulated. Page Instances offers its point cloud.")
    messages.info(said if with_cloud else tr("Sample plot added; all of it is simulated."))
    return True
