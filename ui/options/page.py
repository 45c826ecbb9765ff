"""RandCrowns in QGIS's Settings > Options: what the pages begin with in a new project."""

from __future__ import annotations

from getpass import getuser

from qgis.gui import QgsOptionsPageWidget
from qgis.PyQt.QtWidgets import QLabel, QLineEdit, QVBoxLayout, QWidget

from randcrowns.layers.installing import trouble
from randcrowns.ui.services.settings import REVIEWER, preference, set_preference


class OptionsPage(QgsOptionsPageWidget):
    """Edits the choices that the pages of the dock begin with, and the reviewer's name."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("RandCrownsOptions")
        self.form = None  #: of the choices; None where libraries are missing that they need.
        self.reviewer = QLineEdit(preference(REVIEWER, ""))  #: whose name is kept with verdicts.
        column = QVBoxLayout(self)
        why = trouble()
        if why:
            said = QLabel(why)
            said.setWordWrap(True)
            column.addWidget(said)
            column.addStretch(1)
            return
        from randcrowns.ui.options.form import OptionsForm

        self.reviewer.setPlaceholderText(getuser())
        self.form = OptionsForm(self.reviewer)
        column.addWidget(self.form.scrolled())

    def apply(self) -> None:
        """Keep what is chosen; QGIS calls this on OK."""
        if self.form is not None:
            self.form.keep()
            set_preference(REVIEWER, self.reviewer.text().strip())
