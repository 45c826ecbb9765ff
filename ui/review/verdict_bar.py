"""The verdict on the crown at hand: buttons, each with a key, and a comment."""

from __future__ import annotations

from typing import Any

from qgis.PyQt.QtCore import Qt, pyqtSignal
from qgis.PyQt.QtGui import QHideEvent, QShowEvent
from qgis.PyQt.QtWidgets import QAction, QHBoxLayout, QLineEdit, QToolButton, QVBoxLayout, QWidget

from randcrowns.core.review.verdicts import Verdict
from randcrowns.layers.words import tr
from randcrowns.ui.services.shortcuts import Shortcuts
from randcrowns.ui.widgets.parts import fill, tool_button

#: What a reviewer can do: object name, word of the button, the key at first, and what it does.
_STEPS = (
    ("next", tr("Next"), "N", tr("The next crown of the list")),
    ("previous", tr("Previous"), "B", tr("The crown before it in the list")),
)
_VERDICTS = (
    (Verdict.ACCEPTED, tr("Accept"), "1", tr("The crown is right as it is")),
    (Verdict.REJECTED, tr("Reject"), "2", tr("The crown is wrong")),
    (Verdict.FIXED, tr("Fixed"), "3", tr("The crown was wrong, and you have corrected it")),
    (Verdict.UNSURE, tr("Unsure"), "4", tr("The image does not tell")),
)
_COMMENT = ("comment", tr("Comment"), "C", tr("Kept with the verdict; Enter goes back to the list"))

#: So many buttons fit beside each other in a narrow dock in any language.
_IN_A_ROW = 3


class VerdictBar(QWidget):
    """Emits what the reviewer does. The keys are QGIS's shortcuts, and work while the bar is on show."""

    given = pyqtSignal(str)
    #: 1 for the next crown, -1 for the one before.
    step_asked = pyqtSignal(int)

    def __init__(self, iface: Any) -> None:
        super().__init__()
        self._shortcuts = Shortcuts(iface)
        self.comment = QLineEdit()
        self.comment.setAccessibleName(tr("Comment"))
        self.comment.setPlaceholderText(tr("Comment"))
        self.actions_by_name: dict[str, QAction] = {}
        self.buttons: dict[str, QToolButton] = {}
        self._widgets: dict[str, QWidget] = {}
        for verdict, word, key, help_ in _VERDICTS:
            self._add_button(
                verdict.value, word, key, help_, lambda *_, one=verdict.value: self.given.emit(one)
            )
        for (name, word, key, help_), step in zip(_STEPS, (1, -1)):
            self._add_button(name, word, key, help_, lambda *_, by=step: self.step_asked.emit(by))
        self._add(*_COMMENT, self._write_comment, self.comment)
        shown = [
            self.buttons[name]
            for name in (*(verdict.value for verdict, *_ in _VERDICTS), "previous", "next")
        ]
        above = fill(QHBoxLayout(), *shown[:_IN_A_ROW], 1, spacing=2)
        below = fill(QHBoxLayout(), *shown[_IN_A_ROW:], 1, spacing=2)
        fill(QVBoxLayout(self), above, below, self.comment, spacing=2)

    def _add_button(self, name: str, word: str, key: str, help_: str, slot: Any) -> None:
        self.buttons[name] = tool_button(word, help_, slot)
        self._add(name, word, key, help_, slot, self.buttons[name])

    def _add(self, name: str, word: str, key: str, help_: str, slot: Any, widget: QWidget) -> None:
        """A key that does what a widget is for; its tooltip tells the key."""
        action = QAction(tr("RandCrowns review: {word}", word=word), self)
        action.setObjectName(f"randcrowns_review_{name}")
        action.setEnabled(False)
        self._shortcuts.add(action, key, slot)
        widget.setObjectName(action.objectName())
        self.actions_by_name[name], self._widgets[name] = action, widget
        action.changed.connect(lambda: self._tell_key(name, help_))
        self._tell_key(name, help_)

    def _tell_key(self, name: str, help_: str) -> None:
        key = self.actions_by_name[name].shortcut().toString()
        self._widgets[name].setToolTip(f"{help_} ({key})" if key else help_)

    def _write_comment(self, *_: object) -> None:
        self.comment.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.comment.selectAll()

    def allow(self, crown: bool, verdicts: bool) -> None:
        """Whether there are crowns to go to, and whether the one at hand can be judged."""
        for name, button in self.buttons.items():
            button.setEnabled(crown if name in ("next", "previous") else crown and verdicts)
        self.comment.setEnabled(crown and verdicts)
        self._follow()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        super().showEvent(event)
        self._follow()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802 - Qt's name
        super().hideEvent(event)
        self._follow()

    def _follow(self) -> None:
        """A key that can do nothing is left to QGIS."""
        for name, action in self.actions_by_name.items():
            action.setEnabled(self.isVisible() and self._widgets[name].isEnabled())

    def close_down(self) -> None:
        """Give the keys back."""
        self._shortcuts.close()
