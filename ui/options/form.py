"""Form of the parameters whose defaults a user can change."""

from __future__ import annotations

from qgis.PyQt.QtWidgets import QCheckBox, QHBoxLayout, QLineEdit, QScrollArea, QWidget

from randcrowns.algorithms.common_parameters import PRESET
from randcrowns.algorithms.report.schema.parameters import CROWNS, PARTS, TEMPLATE
from randcrowns.algorithms.scoring.schema.parameters import PAIRING
from randcrowns.layers.localization import tr
from randcrowns.ui.scoring.form import DESTINATION, LIVE_SCORING
from randcrowns.ui.services.settings import Settings, set_user_defaults, user_defaults
from randcrowns.ui.widgets.editors import REPLACE_LAST, make_label
from randcrowns.ui.widgets.parameter_form import FormGroup, ParameterForm, ParameterRow
from randcrowns.ui.widgets.parts import fill_layout, make_scrollable, make_wrapped_label
from randcrowns.ui.widgets.wheel_guard import WheelGuard

#: Parameters with a default that the user can change.
DEFAULT_PARAMETERS = (
    PRESET,
    PAIRING,
    DESTINATION,
    LIVE_SCORING,
    REPLACE_LAST,
    PARTS,
    CROWNS,
    TEMPLATE,
)


class OptionsForm(ParameterForm):
    """Form with the user's defaults of :data:`DEFAULT_PARAMETERS`, and the reviewer's name.

    Args:
        reviewer: field of the reviewer's name, which the options page reads and stores.
        formula_box: check box of the option for texts in CSV, which the options page reads and
            stores, too.
    """

    def __init__(self, reviewer: QLineEdit, formula_box: QCheckBox) -> None:
        introduction = tr(
            "Defaults of the pages of the dock, for projects without stored settings. "
            "The algorithms of the toolbox have their own defaults."
        )
        super().__init__(
            (
                FormGroup("", (make_wrapped_label(introduction),)),
                FormGroup(tr("Score"), (PRESET, PAIRING, DESTINATION, LIVE_SCORING)),
                FormGroup(tr("New layers of every page"), (REPLACE_LAST,)),
                FormGroup(tr("Review"), (_make_reviewer_row(reviewer),)),
                FormGroup(tr("Tables"), (_make_formula_row(formula_box),)),
                FormGroup(tr("Report"), (ParameterRow(PARTS, wide=True), CROWNS, TEMPLATE)),
            )
        )
        self.set_settings(Settings.from_stored(DEFAULT_PARAMETERS, user_defaults()))
        WheelGuard(self)

    def scrolled(self) -> QScrollArea:
        """Return a scroll area with the form."""
        return make_scrollable(self)

    def save(self) -> None:
        """Save the values as the user's defaults."""
        set_user_defaults(self.settings())


def _make_reviewer_row(reviewer: QLineEdit) -> QWidget:
    """Return a row with the field of the reviewer's name after its label."""
    tooltip = tr("Your name, saved with every verdict. Default: your login name.")
    reviewer.setToolTip(tooltip)
    row = QWidget()
    label = make_label(tr("Reviewer"), tooltip, reviewer)
    fill_layout(QHBoxLayout(row), label, reviewer, stretched=reviewer)
    return row


def _make_formula_row(formula_box: QCheckBox) -> QWidget:
    """Return a row with the check box of the option for texts in CSV before its label."""
    tooltip = tr(
        "Write an apostrophe before a text that begins like a formula (=, +, - or @), in CSV "
        "files and copied tables. A spreadsheet would compute the text otherwise."
    )
    formula_box.setToolTip(tooltip)
    row = QWidget()
    label = make_label(tr("Texts in CSV stay texts"), tooltip, formula_box)
    fill_layout(QHBoxLayout(row), formula_box, label, stretched=label)
    return row
