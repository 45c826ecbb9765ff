"""Question that a page asks before a run whose settings are doubtful."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from qgis.PyQt.QtCore import pyqtSignal
from qgis.PyQt.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from randcrowns.ui.widgets.colours import WARNING_TONE
from randcrowns.ui.widgets.parts import fill_layout, make_wrapped_label


@dataclass(frozen=True)
class Answer:
    """An answer that starts the run."""

    label: str  #: Label of the button.
    prepare: Callable[[], None] | None = None  #: Called before the run, to change its settings.


@dataclass(frozen=True)
class RunQuestion:
    """A question about the settings of a run."""

    subject: tuple[str, ...]  #: Ids of the layers in doubt; each subject is asked about once.
    text: str  #: Reason for the doubt, sentences.
    answers: tuple[Answer, ...]  #: Answers, the recommended one first.


class RunQuestionView(QWidget):
    """Text of a question and a button per answer; hidden while nothing is asked."""

    #: Emitted after the user has chosen an answer and its changes are made.
    answered = pyqtSignal()

    def __init__(self) -> None:
        super().__init__()
        self.label = make_wrapped_label(tone=WARNING_TONE)
        #: Buttons of the answers, in the order of the question.
        self.buttons: list[QPushButton] = []
        #: Subjects for which the user has chosen an answer.
        self._answered_subjects: set[tuple[str, ...]] = set()
        self._question: RunQuestion | None = None
        self._button_row = fill_layout(QHBoxLayout(), spacing=4)
        fill_layout(QVBoxLayout(self), self.label, self._button_row, margins=(0, 2, 0, 2))
        self.hide()

    def ask(self, question: RunQuestion | None) -> bool:
        """Show a question, unless it was answered before.

        Args:
            question: The question; None if nothing is in doubt.

        Returns:
            True if the question is shown, so that the run has to wait for the answer.
        """
        if question is None or question.subject in self._answered_subjects:
            self._set_question(None)
            return False
        self._set_question(question)
        return True

    def update_question(self, question: RunQuestion | None) -> None:
        """Hide the question on display if the settings no longer cause it.

        Args:
            question: Question that the current settings cause; None for none.
        """
        is_same = question is not None and question.subject == self._subject
        if self._question is not None and not is_same:
            self._set_question(None)

    @property
    def _subject(self) -> tuple[str, ...]:
        """Subject of the question on display; () while nothing is asked."""
        return () if self._question is None else self._question.subject

    def _set_question(self, question: RunQuestion | None) -> None:
        """Show the text and the buttons of a question; hide the widget for None."""
        self._question = question
        for button in self.buttons:
            self._button_row.removeWidget(button)
            button.deleteLater()
        self.buttons = []
        if question is not None:
            self.label.setText(question.text)
            for answer in question.answers:
                self._add_button(answer)
            self.buttons[0].setFocus()
        self.setVisible(question is not None)

    def _add_button(self, answer: Answer) -> None:
        """Add the button of an answer."""
        button = QPushButton(answer.label)
        button.clicked.connect(lambda *_: self._choose(answer))
        self._button_row.addWidget(button)
        self.buttons.append(button)

    def _choose(self, answer: Answer) -> None:
        """Make the changes of an answer, hide the question and emit :attr:`answered`."""
        self._answered_subjects.add(self._subject)
        self._set_question(None)
        if answer.prepare is not None:
            answer.prepare()
        self.answered.emit()
