"""Buttons with shortcuts for the verdict on the current crown, and a field for a comment."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

from qgis.PyQt.QtCore import Qt, pyqtSignal
from qgis.PyQt.QtGui import QHideEvent, QShowEvent
from qgis.PyQt.QtWidgets import (
    QAction,
    QComboBox,
    QHBoxLayout,
    QLineEdit,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from randcrowns.core.review.verdicts import JudgedSubject, Verdict
from randcrowns.layers.localization import tr
from randcrowns.ui.services.shortcuts import Shortcuts
from randcrowns.ui.widgets.folding_row import FoldingRow
from randcrowns.ui.widgets.parts import FREE_SPACE, fill_layout, make_tool_button


class _Command(NamedTuple):
    """A command of the reviewer."""

    #: Name of the command, part of the object name of its action.
    name: str
    #: Label of its button.
    label: str
    #: Default shortcut.
    shortcut: str
    #: Description for the tooltip.
    tooltip: str


_VERDICTS = (
    _Command(Verdict.ACCEPTED.value, tr("Accept"), "1", tr("The crown is right as it is")),
    _Command(Verdict.REJECTED.value, tr("Reject"), "2", tr("The crown is wrong")),
    _Command(
        Verdict.FIXED.value, tr("Fixed"), "3", tr("The crown was wrong, and you have corrected it")
    ),
    _Command(Verdict.UNSURE.value, tr("Unsure"), "4", tr("The image does not show it clearly")),
    _Command(
        Verdict.WRONG_CLASS.value,
        tr("Wrong class"),
        "5",
        tr("The outline is right, but the class is wrong; choose the right one below"),
    ),
)
#: Tooltips of verdicts by what is judged; other verdicts have the tooltips of all crowns.
_TOOLTIPS_BY_SUBJECT = {
    JudgedSubject.PAIR: {
        Verdict.ACCEPTED.value: tr("The detected outline is right as it is"),
        Verdict.REJECTED.value: tr("The detected outline is wrong"),
        Verdict.FIXED.value: tr("The detected outline was wrong, and you have corrected it"),
    },
    JudgedSubject.TARGET: {
        Verdict.ACCEPTED.value: tr("The target is a tree, and drawn right"),
        Verdict.REJECTED.value: tr("The target is no tree, or drawn wrong"),
        Verdict.FIXED.value: tr("The target was wrong, and you have corrected it"),
    },
    JudgedSubject.FALSE_DETECTION: {
        Verdict.ACCEPTED.value: tr("The detected outline is a tree that the reference lacks"),
        Verdict.REJECTED.value: tr("The detected outline is no tree, or drawn wrong"),
        Verdict.FIXED.value: tr("The detected outline was wrong, and you have corrected it"),
    },
}
_PREVIOUS = _Command("previous", tr("Previous"), "B", tr("The previous crown of the list"))
_NEXT = _Command("next", tr("Next"), "N", tr("The next crown of the list"))
_COMMENT = _Command(
    "comment", tr("Comment"), "C", tr("Saved with the verdict; Enter returns to the list")
)

#: Space between the verdicts and the buttons to other crowns, pixels.
_STEP_GAP = 16
#: Number of buttons that fit in a row of a narrow dock in any language.
_BUTTONS_PER_ROW = 3


class VerdictBar(QWidget):
    """Buttons for verdicts and for the next and the previous crown, and a comment.

    Every command has a shortcut of QGIS, which is active while the bar is visible and the command
    is enabled.

    Args:
        iface: The interface of the QGIS window.
    """

    #: Emitted with a :class:`Verdict` as text when the reviewer gives it.
    verdict_given = pyqtSignal(str)
    #: Emitted with 1 for the next crown, with -1 for the previous one.
    step_requested = pyqtSignal(int)

    def __init__(self, iface: Any) -> None:
        super().__init__()
        self._shortcuts = Shortcuts(iface)
        #: Field for the comment.
        self.comment_field = QLineEdit()
        self.comment_field.setAccessibleName(tr("Comment"))
        self.comment_field.setPlaceholderText(tr("Comment"))
        #: Right class of a crown with a wrong one; other classes can be written.
        self.class_box = QComboBox()
        self.class_box.setEditable(True)
        self.class_box.setAccessibleName(tr("Right class"))
        self.class_box.lineEdit().setPlaceholderText(tr("Right class"))
        #: Action of each command by name.
        self.actions_by_name: dict[str, QAction] = {}
        #: Button of each command by name; the comment has none.
        self.buttons: dict[str, QToolButton] = {}
        #: Tooltips that replace those of commands, by the name of the command.
        self._tooltips: dict[str, str] = {}
        #: Widget of each command by name.
        self._widgets: dict[str, QWidget] = {}
        for verdict in _VERDICTS:
            self._add_button(verdict, partial(self._emit_verdict, verdict.name))
        self._add_button(_NEXT, partial(self._emit_step, 1))
        self._add_button(_PREVIOUS, partial(self._emit_step, -1))
        self._add_command(_COMMENT, self._focus_comment, self.comment_field)

        verdicts = [self.buttons[command.name] for command in _VERDICTS]
        steps = [self.buttons[command.name] for command in (_PREVIOUS, _NEXT)]
        first_row = fill_layout(QHBoxLayout(), *verdicts[:_BUTTONS_PER_ROW], FREE_SPACE, spacing=2)
        second_row = fill_layout(QHBoxLayout(), *verdicts[_BUTTONS_PER_ROW:], spacing=2)
        # A gap of fixed width separates the steps, which save nothing, from the verdicts: at the
        # right edge, a scroll bar would move them.
        second_row.addSpacing(_STEP_GAP)
        for step in steps:
            second_row.addWidget(step)
        second_row.addStretch()
        #: One row of buttons, or two in a narrow dock.
        self.button_row = FoldingRow(first_row, second_row, stretched=1, spacing=2)
        field_row = FoldingRow(self.class_box, self.comment_field, stretched=1, spacing=2)
        fill_layout(QVBoxLayout(self), self.button_row, field_row, spacing=2)
        self.set_classes(())

    def set_subject(self, subject: JudgedSubject | None) -> None:
        """Explain in the tooltips of the verdicts what is judged; None for no crown."""
        texts = {} if subject is None else _TOOLTIPS_BY_SUBJECT[subject]
        for verdict in _VERDICTS:
            tooltip = texts.get(verdict.name, verdict.tooltip)
            self._tooltips[verdict.name] = tooltip
            self._update_tooltip(verdict)

    def _add_button(self, command: _Command, slot: Callable[..., Any]) -> None:
        """Add a button with a shortcut.

        Args:
            command: The command.
            slot: Called when the button is clicked or the shortcut is pressed.
        """
        button = make_tool_button(command.label, command.tooltip, slot)
        self.buttons[command.name] = button
        self._add_command(command, slot, button)

    def _add_command(self, command: _Command, slot: Callable[..., Any], widget: QWidget) -> None:
        """Add a shortcut to a widget, and the shortcut to its tooltip.

        Args:
            command: The command.
            slot: Called when the shortcut is pressed.
            widget: The widget; the shortcut is active only while it is enabled.
        """
        action = QAction(tr("RandCrowns review: {word}", word=command.label), self)
        action.setObjectName(f"randcrowns_review_{command.name}")
        action.setEnabled(False)
        self._shortcuts.add(action, command.shortcut, slot)
        widget.setObjectName(action.objectName())
        self.actions_by_name[command.name] = action
        self._widgets[command.name] = widget
        action.changed.connect(lambda: self._update_tooltip(command))
        self._update_tooltip(command)

    def _update_tooltip(self, command: _Command) -> None:
        """Show the current shortcut of a command in its tooltip."""
        shortcut = self.actions_by_name[command.name].shortcut().toString()
        tooltip = self._tooltips.get(command.name, command.tooltip)
        if shortcut:
            tooltip = tr("{tooltip} (key {key})", tooltip=tooltip, key=shortcut)
        self._widgets[command.name].setToolTip(tooltip)

    def _emit_verdict(self, verdict: str, *_: object) -> None:
        """Emit a verdict."""
        self.verdict_given.emit(verdict)

    def _emit_step(self, step: int, *_: object) -> None:
        """Emit a step to another crown."""
        self.step_requested.emit(step)

    def _focus_comment(self, *_: object) -> None:
        """Move the focus to the comment and select its text."""
        self.comment_field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.comment_field.selectAll()

    @property
    def right_class(self) -> str:
        """Class that the reviewer has chosen or written; "" for none."""
        return str(self.class_box.currentText()).strip()

    def set_classes(self, classes: Sequence[str]) -> None:
        """Offer classes, and the verdict on them; hide both if the crowns have no classes."""
        self.class_box.clear()
        self.class_box.addItems(["", *classes])
        has_classes = len(classes) > 0
        self.class_box.setVisible(has_classes)
        self.buttons[Verdict.WRONG_CLASS.value].setVisible(has_classes)

    def show_right_class(self, name: str) -> None:
        """Show the right class of a crown; "" for none."""
        self.class_box.setCurrentText(name)

    def set_enabled_commands(self, has_crowns: bool, can_judge: bool) -> None:
        """Enable or disable the commands.

        Args:
            has_crowns: True if there are crowns in the list.
            can_judge: True if a verdict on the current crown can be saved.
        """
        for name, button in self.buttons.items():
            is_step = name in (_NEXT.name, _PREVIOUS.name)
            button.setEnabled(has_crowns and (is_step or can_judge))
        self.comment_field.setEnabled(has_crowns and can_judge)
        self.class_box.setEnabled(has_crowns and can_judge)
        self._update_shortcuts()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """Activate the shortcuts."""
        super().showEvent(event)
        self._update_shortcuts()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802 - Qt's name
        """Deactivate the shortcuts."""
        super().hideEvent(event)
        self._update_shortcuts()

    def _update_shortcuts(self) -> None:
        """Activate the shortcuts of enabled commands; QGIS can use the others for its own."""
        for name, action in self.actions_by_name.items():
            widget = self._widgets[name]
            action.setEnabled(widget.isVisible() and widget.isEnabled())

    def close_down(self) -> None:
        """Unregister the shortcuts."""
        self._shortcuts.close()
