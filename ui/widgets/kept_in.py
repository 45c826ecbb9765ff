"""Where results are kept: a GeoPackage, and a warning where they would be temporary."""

from __future__ import annotations

from pathlib import Path

from qgis.gui import QgsFileWidget
from qgis.PyQt.QtCore import pyqtSignal
from qgis.PyQt.QtWidgets import QLabel, QVBoxLayout, QWidget

from randcrowns.algorithms.layer_choice import File
from randcrowns.layers.words import tr
from randcrowns.ui.services.result_file import file_problem, project_file
from randcrowns.ui.widgets.colours import WARN
from randcrowns.ui.widgets.editors import Editor

FILE = File(
    "file",
    "",
    tr(
        "The GeoPackage file that keeps the layers; empty: a file beside the project. Each run adds tables of its own "
        "and leaves the others alone."
    ),
)


class KeptIn(QWidget):
    """Asks for a GeoPackage file; left empty it is the one beside the project. Emits :attr:`changed`."""

    changed = pyqtSignal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.file = QgsFileWidget()
        self.file.setStorageMode(QgsFileWidget.StorageMode.SaveFile)
        self.file.setFilter(tr("GeoPackage (*.gpkg)"))
        self.file.setConfirmOverwrite(False)
        self.file.setDialogTitle(tr("Keep the new layers in"))
        self.file.setToolTip(FILE.help)
        self.temporary = QLabel(
            tr("The project has no file yet, so the new layers are temporary: save the project, or choose a file.")
        )
        self.temporary.setWordWrap(True)
        self.temporary.setStyleSheet(f"color: {WARN};")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.file)
        column.addWidget(self.temporary)
        self.file.fileChanged.connect(self._tell)
        self.refresh()

    def editor(self) -> Editor:
        """For a form."""
        return Editor(self, self.path, self.set_path, self.changed, self.refresh)

    def path(self) -> str:
        """The file chosen, with its ending; empty for the project's."""
        path = self.file.filePath().strip()
        return path if not path or path.lower().endswith(".gpkg") else f"{path}.gpkg"

    def set_path(self, path: str) -> None:
        """Show this file."""
        self.file.setFilePath(path)
        self.refresh()

    def refresh(self, in_use: bool = True) -> None:
        """Follow the project's file; without being in use it warns of nothing."""
        kept_in = project_file()
        self.file.lineEdit().setPlaceholderText(Path(kept_in).name if kept_in else tr("a GeoPackage file"))
        self.temporary.setVisible(in_use and not kept_in and not self.path())

    def why_not(self) -> str:
        """Why nothing can be kept there, empty when it can."""
        file = self.path() or project_file()
        return file_problem(file) if file else ""

    def _tell(self, *_: object) -> None:
        self.refresh()
        self.changed.emit()
