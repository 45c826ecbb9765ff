"""Page of the plugin in Settings > Options of QGIS, with the user's defaults."""

from __future__ import annotations

from getpass import getuser

from qgis.gui import QgsOptionsPageWidget
from qgis.PyQt.QtWidgets import QCheckBox, QLabel, QLineEdit, QVBoxLayout, QWidget

from randcrowns.layers.installation import libraries_message
from randcrowns.ui.services.settings import REVIEWER_PREFERENCE, preference, set_preference


class OptionsPage(QgsOptionsPageWidget):
    """Options page with the user's defaults and the reviewer's name.

    If a library is missing, the page shows only a message that says which one.

    Args:
        parent: parent in Qt.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("RandCrownsOptions")
        #: Form of the defaults; None if a library is missing.
        self.form = None
        #: Field of the reviewer's name, which is saved with verdicts.
        self.reviewer = QLineEdit(preference(REVIEWER_PREFERENCE, ""))
        #: Check box of the option that texts which look like formulas are escaped in CSV.
        self.formula_box = QCheckBox()
        column = QVBoxLayout(self)
        problem = libraries_message()
        if problem:
            label = QLabel(problem)
            label.setWordWrap(True)
            column.addWidget(label)
            column.addStretch()
            return
        # The form imports modules that need the libraries.
        from randcrowns.layers.spreadsheets import escapes_formulas
        from randcrowns.ui.options.form import OptionsForm

        self.formula_box.setChecked(escapes_formulas())

        self.reviewer.setPlaceholderText(getuser())
        self.form = OptionsForm(self.reviewer, self.formula_box)
        column.addWidget(self.form.scrolled())

    def apply(self) -> None:
        """Save the defaults and the reviewer's name; QGIS calls this when the user confirms."""
        if self.form is not None:
            from randcrowns.layers.spreadsheets import set_escapes_formulas

            set_escapes_formulas(self.formula_box.isChecked())
            self.form.save()
            set_preference(REVIEWER_PREFERENCE, self.reviewer.text().strip())
