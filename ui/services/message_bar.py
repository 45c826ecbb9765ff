"""Messages to the user in QGIS's message bar and log, and the guide in the browser."""

from __future__ import annotations

import re
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
from qgis.PyQt.QtCore import QEvent, QTimer
from qgis.PyQt.QtGui import QFont, QFontMetrics
from qgis.PyQt.QtWidgets import QApplication, QPushButton, QWidget

from randcrowns.layers.guide import open_guide
from randcrowns.layers.localization import error_message, fill_template, message_texts, tr

if TYPE_CHECKING:
    from randcrowns.core.messages import Message

#: Title of the messages, and of the tab in the log panel.
_TITLE = "RandCrowns"
#: Time for which a message stays in the bar, s.
_DURATION = 8
#: Maximum length of a message that fits into the bar of a typical window, characters.
_MAX_BAR_LENGTH = 110
#: Length of a shortened message, which leaves room for a button, characters.
_SHORTENED_LENGTH = 70
#: Space between two sentences of a message.
_SENTENCE_END = re.compile(r"(?<=[.!?]) (?=[A-Z0-9À-Þ'¿¡])")
#: Minimum length of a shortened message, characters.
_MIN_LENGTH = 20
#: Space between two clauses of a sentence; numbers such as 10,394 have no space.
_CLAUSE_END = re.compile(r"(?<=[,;:]) ")
#: Width of the icon, the margins and the close button of the bar, pixels.
_BAR_PADDING = 164
#: Width of the number of further messages in the bar, pixels.
_COUNT_WIDTH = 60
#: Width of the frame of a button and of the space before it, pixels.
_BUTTON_PADDING = 32
#: Property of the messages that the next message replaces.
_PASSING_PROPERTY = "randcrowns_passing"
#: Property of the warnings of a run, which those of the next run replace.
_RUN_PROPERTY = "randcrowns_run"
#: Class name of a run's outcome -> entry of the log.
_LOG_ENTRIES = {
    "Succeeded": tr("{name} ended after {seconds:.1f} s."),
    "Failed": tr("{name} failed after {seconds:.1f} s."),
    "WasCancelled": tr("{name} was cancelled after {seconds:.1f} s."),
}
#: Maximum length of the text of an unexpected exception in a message, characters.
_MAX_REASON_LENGTH = 200


class MessageBar:
    """Messages in the message bar of a QGIS window, with details in its log panel.

    Args:
        iface: The interface of the window. If it is None, messages are written to the log and
            to standard error.
    """

    def __init__(self, iface: Any) -> None:
        self._iface = iface

    def info(self, text: str, details: str = "") -> None:
        """Show an information; the log also has the details."""
        self._show_message(text, details, Qgis.MessageLevel.Info, _DURATION)

    def announce(self, text: str) -> None:
        """Show an information, and paint it before work that keeps the window from responding."""
        self.info(text)
        bar = self._message_bar()
        if isinstance(bar, QWidget):
            # A new message gets its size by a posted event.
            QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
            for widget in bar.window().findChildren(QWidget):
                # QGIS closes a dialog before this work, which leaves its picture on the panels.
                if widget.isVisible():
                    widget.repaint()

    def success(self, text: str, details: str = "") -> None:
        """Show that an action succeeded; the log also has the details."""
        self._show_message(text, details, Qgis.MessageLevel.Success, _DURATION)

    def warning(self, text: str, details: str = "") -> None:
        """Show a warning until the user closes it; the log also has the details."""
        self._show_message(text, details, Qgis.MessageLevel.Warning, 0)

    def error(self, text: str, details: str = "") -> None:
        """Show an error until the user closes it; the log also has the details."""
        self._show_message(text, details, Qgis.MessageLevel.Critical, 0)

    def log_end(self, run: Any) -> None:
        """Write an entry to the log when a run ends.

        The entry has the algorithm, the duration, the parameters and, if the run succeeded, the
        algorithm's own log. The log of a failed run is written with its error message.

        Args:
            run: An :class:`randcrowns.ui.services.runner.AlgorithmRun` that is about to start.
        """
        start = time.monotonic()
        name = str(run.algorithm_id)
        parameters = "".join(f"\n{key}: {value}" for key, value in run.parameters.items())

        def write_entry(outcome: Any) -> None:
            """Write the end, duration and parameters of the run, and the algorithm's own log."""
            entry = fill_template(
                _LOG_ENTRIES[type(outcome).__name__],
                name=name,
                seconds=time.monotonic() - start,
            )
            has_succeeded = hasattr(outcome, "outputs")
            algorithm_log = outcome.log if has_succeeded else ""
            self._log(f"{entry}{parameters}\n{algorithm_log}".strip(), Qgis.MessageLevel.Info)

        run.finished.connect(write_entry)

    def show_run_messages(
        self, text: str, messages: Iterable[Message], displayed: Sequence[Message]
    ) -> None:
        """Show that a run succeeded, with the number of its warnings and notes.

        The level is "warning" if one of the messages is a warning, else "success". The log has
        the sentences of all warnings and notes, and a button shows them. The message of the next
        run replaces this one.

        Args:
            text: What succeeded, in a sentence.
            messages: All messages of the run.
            displayed: Those messages that the page shows next to the answer; only they are counted.
        """
        notices = [message for message in messages if message.is_notice]
        warning_count = sum(message.is_warning for message in displayed)
        note_count = len(displayed) - warning_count
        counts = []
        if warning_count:
            counts.append(tr("{count:,} warnings", one="1 warning", count=warning_count))
        if note_count:
            counts.append(tr("{count:,} notes", one="1 note", count=note_count))
        sentence = text
        if counts:
            numbers = ", ".join(counts)
            sentence = tr("{text} {numbers}.", numbers=numbers, text=text)

        details = "\n".join(message_texts(notices))
        self._remove_items(lambda item: bool(item.property(_RUN_PROPERTY)))
        if any(notice.is_warning for notice in notices):
            self.warning(sentence, details)
            for item in self._items(lambda item: item.title() == _TITLE)[:1]:  # the newest one
                item.setProperty(_RUN_PROPERTY, True)
        else:
            self.success(sentence, details)

    @contextmanager
    def show_errors(self, details: str = "", is_read_back: bool = False) -> Iterator[None]:
        """Show exceptions of the ``with`` block as error messages instead of raising them.

        The log has the traceback of unexpected exceptions.

        Args:
            details: Text for the log, shown with an error: the log of the run whose results are
                displayed in the block.
            is_read_back: True if the results were read back from a file or a project. They may have
                been changed since the run, which the message then names as the cause.
        """
        # Messages are also shown while libraries are missing that this module imports.
        from randcrowns.core.errors import RandCrownsError

        try:
            yield
        except RandCrownsError as error:
            self.error(error_message(error), details)
        except Exception as error:  # noqa: BLE001 - shown, with the traceback in the log
            self.error(
                _unexpected_error_message(error, is_read_back),
                f"{details}\n{traceback.format_exc()}".strip(),
            )

    def warn_with_button(self, text: str, label: str, on_click: Callable[[], object]) -> None:
        """Show a warning with a button.

        Without a message bar, the warning is shown without the button.

        Args:
            text: The warning.
            label: Label of the button.
            on_click: Called when the button is clicked; the message is then closed.
        """
        bar = self._message_bar()
        if bar is None:
            self.warning(text)
            return
        self._log(text, Qgis.MessageLevel.Warning)
        html = escape(text, quote=False)
        self.clear(html)
        item = bar.createMessage(_TITLE, html)

        def close_and_act() -> None:
            """Close the message, and do what the button offers."""
            bar.popWidget(item)
            on_click()

        _add_button(item, label, close_and_act)
        bar.pushWidget(item, Qgis.MessageLevel.Warning)

    def show_widget(self, text: str, widget: QWidget) -> Callable[[], None]:
        """Show an information with a widget, such as a progress bar, until it is removed.

        Args:
            text: The message.
            widget: The widget, which the message owns; without a window it is not shown.

        Returns:
            A function that removes the message. Removing a message that the user has closed does
            nothing.
        """
        bar = self._message_bar()
        if bar is None:
            return lambda: None
        html = escape(text, quote=False)
        self.clear(html)  # the same information without the widget
        item = bar.createMessage(_TITLE, html)
        item.layout().addWidget(widget)
        bar.pushWidget(item, Qgis.MessageLevel.Info)
        return lambda: self._remove_items(lambda shown: shown is item)

    def call_attention(self) -> None:
        """Mark the window of QGIS in the task bar if another program is in front of it."""
        if self._iface is not None:
            from randcrowns.ui.services.waiting import call_attention

            call_attention(self._iface.mainWindow())

    def show_guide(self, page: str, section: str = "") -> None:
        """Open a page of the guide in the browser; show a warning if this fails.

        Args:
            page: Key of the page.
            section: Id of a heading on the page; "" for the top of the page.
        """
        problem = open_guide(page, section)
        if problem:
            self.warning(problem)

    def clear(self, text: str = "") -> None:
        """Remove RandCrowns messages from the bar.

        Args:
            text: HTML text of the messages to remove; "" for all.
        """
        self._remove_items(lambda item: item.title() == _TITLE and text in ("", item.text()))

    def remove_task_message(self, description: str) -> None:
        """Remove QGIS's own message about the end of a task, which would cover ours.

        QGIS shows its message after the signal that reports the end of the task. It is therefore
        removed in the next iteration of the event loop.

        Args:
            description: Description of the task.
        """

        def is_task_message(item: Any) -> bool:
            """Return True for QGIS's own message about the task."""
            return bool(item.title() != _TITLE and item.text() == description)

        QTimer.singleShot(0, lambda: self._remove_items(is_task_message))

    def _show_message(
        self, text: str, details: str, level: Qgis.MessageLevel, seconds: int
    ) -> None:
        """Write a message to the log and show it in the bar.

        A text that is too long for the bar is shortened. A button opens the full text with the
        details, if there are any. An information or a success is removed by the next message.

        Args:
            text: The message in plain text.
            details: Further text for the log and the button; "" for none.
            level: Level of the message, which determines its colour.
            seconds: Time until the message disappears; 0 to keep it.
        """
        self._log(f"{text}\n{details}" if details else text, level)
        if self._iface is None:
            # qgis_process does not show the log.
            print(f"{_TITLE}: {text}", file=sys.stderr, flush=True)
            return

        shortened_text = self._shorten(text, bool(details))
        is_long = shortened_text != text
        # The bar displays HTML.
        html = escape(text, quote=False)
        bar_html = escape(shortened_text, quote=False) if is_long else html

        # QGIS ignores a message that the bar already shows, as if nothing had happened.
        self.clear(bar_html)
        # The end of an action replaces that of earlier actions; the log has all of them.
        self._remove_items(lambda item: bool(item.property(_PASSING_PROPERTY)))
        self._iface.messageBar().pushMessage(_TITLE, html, level, seconds)
        if level in (Qgis.MessageLevel.Info, Qgis.MessageLevel.Success):
            for item in self._items(lambda item: item.title() == _TITLE and item.text() == html):
                item.setProperty(_PASSING_PROPERTY, True)
        if is_long or details:
            full_text = f"{text}\n\n{details}".strip()
            for item in self._items(lambda item: item.title() == _TITLE and item.text() == html):
                item.setText(bar_html)
                _add_button(item, tr("Show all"), lambda: self._open_viewer(full_text))

    def _shorten(self, text: str, has_details: bool) -> str:
        """Return a text as it is if it fits into one line of the bar, else its beginning.

        The beginning has whole sentences, or whole clauses if the first sentence is too long, or
        else the first words.

        Args:
            text: The message in plain text.
            has_details: True if the message has a button in any case.
        """
        bar = self._message_bar()
        # A bar without messages is hidden, and has not been laid out yet.
        sized_widget = bar.parentWidget() if bar is not None and not bar.isVisible() else bar
        if bar is None or sized_widget is None:
            if len(text) <= _MAX_BAR_LENGTH:
                return text
            return textwrap.shorten(text, _SHORTENED_LENGTH, placeholder="…")
        metrics = bar.fontMetrics()
        button_width = metrics.horizontalAdvance(tr("Show all")) + _BUTTON_PADDING
        bold_font = QFont(bar.font())
        bold_font.setBold(True)
        title_width = QFontMetrics(bold_font).horizontalAdvance(f"{_TITLE}: ")
        full_width = sized_widget.width() - _BAR_PADDING - title_width
        if self._items(lambda item: _stays(item, text)):
            full_width -= _COUNT_WIDTH
        width_beside_button = full_width - button_width
        text_width = width_beside_button if has_details else full_width
        if metrics.horizontalAdvance(text) <= text_width and len(text) <= _MAX_BAR_LENGTH:
            return text
        for beginning in _beginnings(text):
            if metrics.horizontalAdvance(beginning) <= width_beside_button:
                return beginning
        length = _SHORTENED_LENGTH
        shortened_text = textwrap.shorten(text, length, placeholder="…")
        while length > _MIN_LENGTH:
            if metrics.horizontalAdvance(shortened_text) <= width_beside_button:
                break
            length -= 1
            shortened_text = textwrap.shorten(text, length, placeholder="…")
        return shortened_text

    def _log(self, text: str, level: Qgis.MessageLevel) -> None:
        """Write a text to the log, which is displayed as HTML in a window."""
        QgsMessageLog.logMessage(
            escape(text, quote=False) if self._iface else text, _TITLE, level, False
        )

    def _open_viewer(self, text: str) -> None:
        """Show a long text in a separate window."""
        viewer = QgsMessageViewer(self._iface.mainWindow())
        viewer.setTitle(_TITLE)
        viewer.setMessageAsPlainText(text)
        viewer.showMessage(False)

    def _message_bar(self) -> QgsMessageBar | None:
        """Return the message bar; None without a window, or if it only records messages (tests)."""
        bar = self._iface.messageBar() if self._iface is not None else None
        return bar if isinstance(bar, QgsMessageBar) else None

    def _items(self, is_selected: Callable[[QgsMessageBarItem], bool]) -> list[QgsMessageBarItem]:
        """Return the messages in the bar that fulfil a condition."""
        bar = self._message_bar()
        return [] if bar is None else [item for item in bar.items() if is_selected(item)]

    def _remove_items(self, is_selected: Callable[[QgsMessageBarItem], bool]) -> None:
        """Remove the messages from the bar that fulfil a condition."""
        for item in self._items(is_selected):
            self._iface.messageBar().popWidget(item)


def _unexpected_error_message(error: Exception, is_read_back: bool) -> str:
    """Return the message for an unexpected exception while results are displayed."""
    values = {"kind": type(error).__name__, "why": str(error)[:_MAX_REASON_LENGTH]}
    if is_read_back:
        return tr(
            "Earlier results cannot be shown again ({kind}: {why}): their tables were changed "
            "after the run. Run again, or remove the tables.",
            **values,
        )
    return tr(
        "The results cannot be shown ({kind}: {why}). Run again. If this happens again, report "
        "it with the details in the log tab RandCrowns.",
        **values,
    )


def _stays(item: QgsMessageBarItem, text: str) -> bool:
    """Return True if a message stays in the bar, next to a new one, until the user closes it.

    Args:
        item: The message in the bar.
        text: The new message in plain text.
    """
    return item.duration() == 0 and item.text() != escape(text, quote=False)


def _beginnings(text: str) -> Iterator[str]:
    """Yield the beginnings of a message from long to short.

    They end with a sentence, and those of the first sentence with a clause.

    >>> list(_beginnings("3 of 4 targets detected, 1 was not; see the map. Save the project."))
    ['3 of 4 targets detected, 1 was not; see the map.', '3 of 4 targets detected, 1 was not…', \
'3 of 4 targets detected…']
    """
    sentences = _SENTENCE_END.split(text)
    for count in range(len(sentences) - 1, 0, -1):
        yield " ".join(sentences[:count])
    clauses = _CLAUSE_END.split(sentences[0])
    for count in range(len(clauses) - 1, 0, -1):
        beginning = " ".join(clauses[:count])[:-1]
        if len(beginning) > _MIN_LENGTH:
            yield f"{beginning}…"


def _add_button(item: QgsMessageBarItem, label: str, on_click: Callable[[], object]) -> None:
    """Add a button to a message in the message bar."""
    button = QPushButton(label)
    button.clicked.connect(lambda *_: on_click())
    item.layout().addWidget(button)


def add_sample_plot(iface: Any) -> bool:
    """Add the simulated plot to the project, zoom the map to it and show a message.

    Args:
        iface: The interface of the QGIS window.

    Returns:
        True if the plot was added; False after an error, which is shown in the message bar.
    """
    # These modules import libraries that may be missing.
    from randcrowns.core.errors import RandCrownsError
    from randcrowns.layers.sample import SAMPLE_PROPERTY, load_plot
    from randcrowns.layers.styles.tree import extent_in_map_crs

    messages = MessageBar(iface)
    canvas = iface.mapCanvas()
    project = QgsProject.instance()
    try:
        load_plot(project)
    except (RandCrownsError, OSError) as error:
        messages.error(tr("Cannot create the sample data: {error}", error=error))
        return False

    with messages.show_errors():
        sample_layers = [
            layer for layer in project.mapLayers().values() if layer.customProperty(SAMPLE_PROPERTY)
        ]
        map_crs = canvas.mapSettings().destinationCrs()
        canvas.setExtent(extent_in_map_crs(sample_layers[0], map_crs))
        canvas.refresh()
    messages.info(
        tr("Sample plot added; all of it is simulated. Page Instances offers its point cloud.")
    )
    return True
