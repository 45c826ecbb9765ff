"""Dialog that offers to install missing Python libraries; nothing is installed without a click."""

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
from randcrowns.layers.installation import (
    Instructions,
    System,
    current_system,
    failure_message,
    installation_instructions,
)
from randcrowns.layers.libraries import LibraryProblem
from randcrowns.layers.localization import tr

#: Width of the dialog, pixels.
_WIDTH = 560
#: Minimum height of the dialog while it shows the log, pixels.
_HEIGHT_WITH_LOG = 420
#: Maximum time that closing the dialog waits for a killed process, ms.
_KILL_TIMEOUT = 5000
#: Space between the columns of the table of libraries, pixels.
_TABLE_SPACING = 16


class LibrariesDialog(QDialog):
    """Lists unusable libraries, with the command that installs them on this system.

    One button copies the command, another one runs it.

    Args:
        unusable: The libraries that cannot be used.
        group: Group of libraries that is checked after an installation, such as
            ``libraries.REQUIRED``.
        system: Properties of the system; None for this one.
        parent: Parent widget.
    """

    #: Emitted when an installation ends, with True if all libraries can be used now.
    installation_finished = pyqtSignal(bool)

    def __init__(
        self,
        unusable: tuple[LibraryProblem, ...],
        group: str,
        system: System | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._group = group
        self._system = system or current_system()
        #: Commands that install the libraries, and the command line to copy.
        self.installation: Instructions = installation_instructions(unusable, self._system)
        #: Commands that have not been started yet, each with its arguments.
        self._pending_commands: list[tuple[str, ...]] = []
        #: Output of the commands.
        self._output: list[str] = []
        #: The running command; None while there is none.
        self.process: QProcess | None = None

        self.setWindowTitle(tr("RandCrowns: libraries"))
        self.command_field = _make_command_field(self.installation.shell_line)
        self.copy_button = QPushButton(tr("Copy"))
        self.copy_button.setToolTip(tr("Copy the command to paste it into a terminal."))
        self.install_button = QPushButton(tr("Install"))
        self.install_button.setEnabled(bool(self.installation.commands))
        self.cancel_button = QPushButton(tr("Close"))
        self.log = QPlainTextEdit()
        self.log.setReadOnly(True)
        self.log.setAccessibleName(tr("Log"))
        self.log.hide()
        #: Label with the instructions, later with the state of the installation.
        self.status_label = _make_wrapped_label(self.installation.explanation)
        self._arrange_widgets(unusable)
        self.copy_button.clicked.connect(self.copy)
        self.install_button.clicked.connect(self.install)
        self.cancel_button.clicked.connect(self.cancel)

    def copy(self) -> None:
        """Copy the command to the clipboard."""
        QApplication.clipboard().setText(self.installation.shell_line)

    def install(self) -> None:
        """Start the installation and show its log."""
        self._pending_commands = list(self.installation.commands)
        self._output.clear()
        self.log.clear()
        self.log.show()
        self.resize(self.width(), max(self.height(), _HEIGHT_WITH_LOG))
        self.install_button.setEnabled(False)
        self.cancel_button.setText(tr("Cancel"))
        self.status_label.setText(tr("Installing…"))
        self._start_next_command()

    def cancel(self) -> None:
        """Stop the installation; close the dialog if there is none."""
        if self.process is None:
            self.reject()
            return
        self._pending_commands = []
        self.process.kill()

    def reject(self) -> None:
        """Stop an installation and close the dialog."""
        if self.process is not None:
            self._pending_commands = []
            self.process.kill()
            self.process.waitForFinished(_KILL_TIMEOUT)
        super().reject()

    def _arrange_widgets(self, unusable: tuple[LibraryProblem, ...]) -> None:
        """Lay out the widgets below a table of the libraries; without a command, hide its row."""
        command_row = QHBoxLayout()
        command_row.addWidget(self.command_field, 1)
        command_row.addWidget(self.copy_button)
        button_row = QHBoxLayout()
        button_row.addStretch(1)
        button_row.addWidget(self.install_button)
        button_row.addWidget(self.cancel_button)

        column = QVBoxLayout(self)
        column.addWidget(_make_wrapped_label(tr("These required Python libraries cannot be used:")))
        column.addLayout(_make_library_table(unusable))
        column.addWidget(self.status_label)
        column.addLayout(command_row)
        for widget in (self.command_field, self.copy_button, self.install_button):
            widget.setVisible(bool(self.installation.shell_line))
        column.addWidget(self.log, 1)
        column.addLayout(button_row)
        self.install_button.setDefault(True)
        self.resize(_WIDTH, column.totalHeightForWidth(_WIDTH))

    def _start_next_command(self) -> None:
        """Start the first of the pending commands, whose output is shown."""
        program, *arguments = self._pending_commands.pop(0)
        self._append_output(f"{program} {' '.join(arguments)}\n")
        process = QProcess(self)
        process.setProcessChannelMode(QProcess.ProcessChannelMode.MergedChannels)
        process.setProcessEnvironment(_pip_environment())
        process.readyReadStandardOutput.connect(self._read_output)
        process.errorOccurred.connect(self._on_process_error)
        process.finished.connect(self._on_finished)
        self.process = process
        process.start(program, arguments)

    def _read_output(self) -> None:
        """Append the new output of the running command to the log."""
        if self.process is not None:
            output = bytes(self.process.readAllStandardOutput())
            self._append_output(output.decode("utf-8", "replace"))

    def _append_output(self, output: str) -> None:
        """Append text to the log, and scroll to its end."""
        self._output.append(output)
        self.log.moveCursor(QTextCursor.MoveOperation.End)
        self.log.insertPlainText(output)
        self.log.ensureCursorVisible()

    def _on_process_error(self, error: Any) -> None:
        """End the installation if a program cannot be started; other errors end the process."""
        if error == QProcess.ProcessError.FailedToStart and self.process is not None:
            self._append_output(f"{self.process.errorString()}\n")
            self._end(
                tr("The program could not be started. Copy the command into a terminal."),
                is_usable=False,
            )

    def _on_finished(self, exit_code: int, status: Any) -> None:
        """Start the next command, or end the installation after the last one or a failure."""
        self._read_output()
        if status != QProcess.ExitStatus.NormalExit:
            self._end(tr("Cancelled."), is_usable=False)
        elif exit_code:
            self._end(failure_message("".join(self._output), self._system), is_usable=False)
        elif self._pending_commands:
            self._start_next_command()
        else:
            self._check_libraries()

    def _check_libraries(self) -> None:
        """End the installation with the message whether the libraries can be used now."""
        importlib.invalidate_caches()
        unusable = libraries.library_problems(self._group)
        if unusable:
            text = tr(
                "Installed. Restart QGIS to use the new versions: {names} is still loaded.",
                names=", ".join(problem.sentence for problem in unusable),
            )
        else:
            text = tr("Installed; everything can be used.")
        self._end(text, is_usable=not unusable)

    def _end(self, text: str, is_usable: bool) -> None:
        """Show how the installation ended and emit :attr:`installation_finished`."""
        self.process = None
        self.status_label.setText(text)
        self.install_button.setEnabled(not is_usable)
        self.cancel_button.setText(tr("Close"))
        self.installation_finished.emit(is_usable)


def _make_command_field(command_line: str) -> QLineEdit:
    """Return a read-only field with the command line to copy."""
    field = QLineEdit(command_line)
    field.setReadOnly(True)
    field.setAccessibleName(tr("Command"))
    field.setCursorPosition(0)
    field.setToolTip(command_line)
    return field


def _pip_environment() -> QProcessEnvironment:
    """Return the environment in which pip writes plain text and no notice of its own updates."""
    environment = QProcessEnvironment.systemEnvironment()
    environment.insert("PIP_PROGRESS_BAR", "off")  # control characters in a plain text log
    environment.insert("PIP_DISABLE_PIP_VERSION_CHECK", "1")
    return environment


def _make_library_table(unusable: tuple[LibraryProblem, ...]) -> QGridLayout:
    """Return a row per library: its name and minimum version, its purpose, what was found."""
    table = QGridLayout()
    table.setHorizontalSpacing(_TABLE_SPACING)
    name_column, purpose_column, reason_column = range(3)
    table.setColumnStretch(reason_column, 1)
    for row, problem in enumerate(unusable):
        library = problem.library
        version = tr("{least} or later", least=library.minimum_version)
        table.addWidget(QLabel(f"<b>{library.name}</b> {version}"), row, name_column)
        table.addWidget(QLabel(library.purpose), row, purpose_column)
        table.addWidget(_make_wrapped_label(problem.reason), row, reason_column)
    return table


def _make_wrapped_label(text: str) -> QLabel:
    """Return a label whose text wraps."""
    label = QLabel(text)
    label.setWordWrap(True)
    return label


def offer_libraries(
    group: str, parent: QWidget | None, on_usable: Callable[[], object]
) -> LibrariesDialog | None:
    """Call a function once the libraries of a group can be used; offer to install missing ones.

    Args:
        group: Group of libraries, such as ``libraries.REQUIRED``.
        parent: Parent widget of the dialog.
        on_usable: Called at once if all libraries can be used, else after a successful
            installation.

    Returns:
        The opened dialog; None if all libraries can be used.
    """
    unusable = libraries.library_problems(group)
    if not unusable:
        on_usable()
        return None

    def call_if_usable(is_usable: bool) -> None:
        """Call the function after a successful installation."""
        if is_usable:
            on_usable()

    dialog = LibrariesDialog(unusable, group, parent=parent)
    dialog.installation_finished.connect(call_if_usable)
    dialog.open()
    return dialog


class InstallButton(QPushButton):
    """Opens the dialog that installs a group of libraries.

    Emits :attr:`installed` when the libraries can be used.

    Args:
        group: Group of libraries, such as ``libraries.PLOTS``.
    """

    installed = pyqtSignal()

    def __init__(self, group: str) -> None:
        super().__init__(tr("Install libraries…"))
        #: The dialog; None before it is opened for the first time.
        self.dialog: LibrariesDialog | None = None
        self._group = group
        self.clicked.connect(self.open_dialog)

    def open_dialog(self) -> None:
        """Open the dialog."""
        self.dialog = offer_libraries(self._group, self.window(), self.installed.emit)
