"""Offers to install libraries that cannot be used: what, why, the way for this system, and nothing without a click."""

from __future__ import annotations

import importlib
from typing import Any, Callable

from qgis.PyQt.QtCore import QProcess, QProcessEnvironment, pyqtSignal
from qgis.PyQt.QtGui import QTextCursor
from qgis.PyQt.QtWidgets import (
    QApplication,
    QDialog,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from randcrowns.layers import libraries
from randcrowns.layers.installing import System, Way, this_system, way_for, why_failed
from randcrowns.layers.libraries import Trouble
from randcrowns.layers.words import tr

_WIDTH = 560


class LibrariesDialog(QDialog):
    """What cannot be used, how it is installed here, and buttons to copy the line or to do it."""

    ended = pyqtSignal(
        bool
    )  #: told once an installation ended; whether everything can be used now.

    def __init__(
        self,
        found: tuple[Trouble, ...],
        group: str,
        system: System | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._group, self._system = group, system or this_system()
        self.way: Way = way_for(found, self._system)  #: how it is installed.
        self._left: list[tuple[str, ...]] = []
        self._log: list[str] = []
        self.process: QProcess | None = None
        self.setWindowTitle(tr("RandCrowns: libraries"))
        self.line = QLineEdit(self.way.line)
        self.line.setReadOnly(True)
        self.line.setAccessibleName(tr("Command"))
        self.line.setCursorPosition(0)
        self.line.setToolTip(self.way.line)
        self.copy_button = QPushButton(tr("Copy"))
        self.copy_button.setToolTip(tr("Copy the line, to paste it into a terminal."))
        self.copy_button.clicked.connect(self.copy)
        self.install_button = QPushButton(tr("Install"))
        self.install_button.setEnabled(bool(self.way.commands))
        self.install_button.clicked.connect(self.install)
        self.cancel_button = QPushButton(tr("Close"))
        self.cancel_button.clicked.connect(self.cancel)
        self.log = QPlainTextEdit()
        self.log.setReadOnly(True)
        self.log.setAccessibleName(tr("Log"))
        self.log.hide()
        self.said = _wrapped(self.way.said)
        self._build(found)

    def _build(self, found: tuple[Trouble, ...]) -> None:
        column = QVBoxLayout(self)
        column.addWidget(_wrapped(tr("Python libraries that are needed cannot be used here:")))
        table = QGridLayout()
        table.setHorizontalSpacing(16)
        table.setColumnStretch(2, 1)
        for row, one in enumerate(found):
            name = f"<b>{one.library.name}</b> {tr('{least} or later', least=one.library.least)}"
            for place, text in enumerate((name, one.library.why, one.found)):
                table.addWidget(_wrapped(text) if place == 2 else QLabel(text), row, place)
        column.addLayout(table)
        column.addWidget(self.said)
        line = QHBoxLayout()
        line.addWidget(self.line, 1)
        line.addWidget(self.copy_button)
        column.addLayout(line)
        for widget in (self.line, self.copy_button, self.install_button):
            widget.setVisible(bool(self.way.line))
        column.addWidget(self.log, 1)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(self.install_button)
        buttons.addWidget(self.cancel_button)
        column.addLayout(buttons)
        self.install_button.setDefault(True)
        self.resize(_WIDTH, column.totalHeightForWidth(_WIDTH))

    def copy(self) -> None:
        """Put the line on the clipboard."""
        QApplication.clipboard().setText(self.way.line)

    def install(self) -> None:
        """Run the commands; their log is shown."""
        self._left = list(self.way.commands)
        self._log.clear()
        self.log.clear()
        self.log.show()
        self.resize(self.width(), max(self.height(), 420))
        self.install_button.setEnabled(False)
        self.cancel_button.setText(tr("Cancel"))
        self.said.setText(tr("Installing…"))
        self._next()

    def cancel(self) -> None:
        """End what is running; without it, close."""
        if self.process is None:
            self.reject()
            return
        self._left = []
        self.process.kill()

    def reject(self) -> None:
        """Close; an installation under way is ended."""
        if self.process is not None:
            self._left = []
            self.process.kill()
            self.process.waitForFinished(5000)
        super().reject()

    def _next(self) -> None:
        program, *words = self._left.pop(0)
        self._write(f"{program} {' '.join(words)}\n")
        process = QProcess(self)
        process.setProcessChannelMode(QProcess.ProcessChannelMode.MergedChannels)
        settings = QProcessEnvironment.systemEnvironment()
        settings.insert("PIP_PROGRESS_BAR", "off")  # it is no text
        settings.insert("PIP_DISABLE_PIP_VERSION_CHECK", "1")
        process.setProcessEnvironment(settings)
        process.readyReadStandardOutput.connect(self._read)
        process.errorOccurred.connect(self._not_started)
        process.finished.connect(self._finished)
        self.process = process
        process.start(program, words)

    def _read(self) -> None:
        if self.process is not None:
            self._write(bytes(self.process.readAllStandardOutput()).decode("utf-8", "replace"))

    def _write(self, output: str) -> None:
        self._log.append(output)
        self.log.moveCursor(QTextCursor.MoveOperation.End)
        self.log.insertPlainText(output)
        self.log.ensureCursorVisible()

    def _not_started(self, error: Any) -> None:
        if error == QProcess.ProcessError.FailedToStart and self.process is not None:
            self._write(f"{self.process.errorString()}\n")
            self._end(tr("The program could not be started; copy the line into a terminal."), False)

    def _finished(self, code: int, status: Any) -> None:
        self._read()
        if status != QProcess.ExitStatus.NormalExit:
            self._end(tr("Cancelled."), False)
        elif code:
            self._end(why_failed("".join(self._log), self._system), False)
        elif self._left:
            self._next()
        else:
            importlib.invalidate_caches()
            found = libraries.troubles(self._group)
            names = ", ".join(one.sentence for one in found)
            said = tr(
                "Installed. Start QGIS again to use it: {names} is still loaded.", names=names
            )
            self._end(said if found else tr("Installed; everything can be used."), not found)

    def _end(self, said: str, usable: bool) -> None:
        self.process = None
        self.said.setText(said)
        self.install_button.setEnabled(not usable)
        self.cancel_button.setText(tr("Close"))
        self.ended.emit(usable)


def _wrapped(text: str) -> QLabel:
    label = QLabel(text)
    label.setWordWrap(True)
    return label


def offer(group: str, parent: QWidget | None, then: Callable[[], object]) -> LibrariesDialog | None:
    """Open the dialog for the libraries of a group that cannot be used; ``then`` is called once they can.

    Without any trouble it is called at once, and there is no dialog.
    """
    found = libraries.troubles(group)
    if not found:
        then()
        return None
    dialog = LibrariesDialog(found, group, parent=parent)
    dialog.ended.connect(lambda usable: then() if usable else None)
    dialog.open()
    return dialog


class InstallButton(QPushButton):
    """Offers the libraries of a group; :attr:`installed` tells that they can be used."""

    installed = pyqtSignal()

    def __init__(self, group: str) -> None:
        super().__init__(tr("Install libraries…"))
        self.dialog: LibrariesDialog | None = None
        self._group = group
        self.clicked.connect(self.offer)

    def offer(self) -> None:
        """Open the dialog."""
        self.dialog = offer(self._group, self.window(), self.installed.emit)
