"""Texts that take one line: cut off at their width, or folded until the user unfolds them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from qgis.PyQt.QtCore import QSize, Qt
from qgis.PyQt.QtGui import QMouseEvent, QResizeEvent
from qgis.PyQt.QtWidgets import (
    QHBoxLayout,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from randcrowns.core.messages import Message
from randcrowns.layers.localization import escape_rich_text, message_texts, tr
from randcrowns.ui.widgets.colours import WARNING_TONE, ThemedLabel, Tone

#: Minimum width of unfolded messages, pixels.
_MIN_TEXT_WIDTH = 40


class ElidedLabel(ThemedLabel):
    """Label of one line, whose text is cut off at its width; the tooltip has the whole text.

    Args:
        tone: colour of the text; None for the colour of the theme.
    """

    def __init__(self, tone: Tone | None = None) -> None:
        self._full_text = ""
        super().__init__("", tone)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def text(self) -> str:
        """Return the whole text."""
        return self._full_text

    def setText(self, text: str) -> None:  # noqa: N802 - Qt's name
        """Set the text."""
        self._full_text = text
        self._cut_text()

    @property
    def is_cut(self) -> bool:
        """True if the label is too narrow for its text."""
        return self.fontMetrics().horizontalAdvance(self._full_text) > self._available_width()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Cut the text to the new width."""
        super().resizeEvent(event)
        self._cut_text()

    def _available_width(self) -> int:
        """Return the width of the text, pixels.

        Qt indents the text of a label that has a frame, such as that of a style sheet.
        """
        indent = self.fontMetrics().horizontalAdvance("x") // 2 if self.frameWidth() else 0
        return max(self.contentsRect().width() - indent, 0)

    def _cut_text(self) -> None:
        """Show as much of the text as fits."""
        right = Qt.TextElideMode.ElideRight
        metrics = self.fontMetrics()
        super().setText(metrics.elidedText(self._full_text, right, self._available_width()))
        self.setToolTip(escape_rich_text(self._full_text) if self.is_cut else "")


class _SummaryLabel(ElidedLabel):
    """First message in one line; a click shows all of them, so that it needs no tooltip."""

    def _cut_text(self) -> None:
        """Show as much of the text as fits.

        A tooltip with a long message would cover the arrow and the messages below it.
        """
        super()._cut_text()
        self.setToolTip("")


class _MessageText(ThemedLabel):
    """Text of all messages, as high as it needs: the page scrolls, not the text within it."""

    def __init__(self) -> None:
        super().__init__("", WARNING_TONE)
        # Plain text, because the messages contain names of layers.
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Return a size with the height of the text at the current width."""
        return QSize(200, self.heightForWidth(self.width()))

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Return a small width, and the height of the text at the current width."""
        return QSize(_MIN_TEXT_WIDTH, self.heightForWidth(self.width()))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Update the height after the width changed."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()


class FoldedText(QWidget):
    """Warnings and notes, folded into one line until the user clicks the line or its arrow."""

    def __init__(self) -> None:
        super().__init__()
        #: Button that unfolds and folds the messages.
        self.fold_button = QToolButton()
        self.fold_button.setCheckable(True)
        self.fold_button.setAutoRaise(True)
        self.fold_button.setIconSize(QSize(12, 12))
        self.fold_button.setToolTip(tr("Show or hide all warnings and notes."))
        self.fold_button.setAccessibleName(self.fold_button.toolTip())
        #: First message, after the number of messages.
        self.summary_label = _SummaryLabel(WARNING_TONE)
        self._text = _MessageText()
        line = QHBoxLayout()
        line.setSpacing(2)
        line.addWidget(self.fold_button)
        line.addWidget(self.summary_label, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(line)
        column.addWidget(self._text)
        self.fold_button.toggled.connect(self._update_folding)
        self._update_folding()
        self.hide()

    def text(self) -> str:
        """Return the messages, one per line."""
        return self._text.text()

    def show_texts(self, texts: Sequence[str]) -> None:
        """Show messages, one per line, folded; hide the area if there are none."""
        if "\n".join(texts) != self.text():
            self.fold_button.setChecked(False)
        self._text.setText("\n".join(texts))
        self.summary_label.setText(_summary_of_messages(texts))
        self.setVisible(bool(texts))
        self._update_folding()

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Accept a press on the line of the arrow, so that its release is received."""
        event.setAccepted(self._is_on_line(event))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Unfold or fold the messages after a click on the line of the arrow."""
        if self._is_on_line(event):
            self.fold_button.click()

    def _is_on_line(self, event: QMouseEvent) -> bool:
        """Return True if the left button is pressed or released on the line of the arrow."""
        is_left = event.button() == Qt.MouseButton.LeftButton
        is_on_line = not self._text.geometry().contains(event.pos()) or self._text.isHidden()
        return is_left and is_on_line and not self.fold_button.isHidden()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Update whether there is anything to unfold after the width changed."""
        super().resizeEvent(event)
        self._update_folding()

    def _update_folding(self, *_: object) -> None:
        """Show one line or all messages."""
        is_unfolded = self.fold_button.isChecked()
        if is_unfolded:
            arrow = Qt.ArrowType.DownArrow
        elif self.isRightToLeft():
            arrow = Qt.ArrowType.LeftArrow
        else:
            arrow = Qt.ArrowType.RightArrow
        self.fold_button.setArrowType(arrow)
        is_one_short_line = "\n" not in self.text() and not self.summary_label.is_cut
        can_fold = is_unfolded or not is_one_short_line
        self.fold_button.setVisible(can_fold)
        cursor = Qt.CursorShape.PointingHandCursor if can_fold else Qt.CursorShape.ArrowCursor
        self.summary_label.setCursor(cursor)
        self.summary_label.setVisible(not is_unfolded)
        self._text.setVisible(is_unfolded)
        self._text.updateGeometry()


class MessageArea(FoldedText):
    """Warnings and notes of a run."""

    def show_messages(self, messages: Iterable[Message]) -> None:
        """Show messages, folded; hide the area if there are none.

        Warnings come first, and messages about the input come last within warnings and notes.
        """
        ordered = sorted(
            messages, key=lambda message: (not message.is_warning, message.topic == "input")
        )
        self.show_texts(message_texts(ordered))


def _summary_of_messages(texts: Sequence[str]) -> str:
    """Return the first message, with the number of messages before it if there are several."""
    if len(texts) < 2:
        return "".join(texts)
    return tr("{count:,} notes: {first}", count=len(texts), first=texts[0])
