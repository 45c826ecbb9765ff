"""Form of the parameters whose defaults a user can change."""

from __future__ import annotations

from qgis.PyQt.QtWidgets import QHBoxLayout, QLineEdit, QScrollArea, QWidget

from randcrowns.algorithms.choices import PRESET
from randcrowns.algorithms.report.choices import CROWNS, PARTS, TEMPLATE
from randcrowns.algorithms.scoring.choices import PAIRING
from randcrowns.layers.words import tr
from randcrowns.ui.scoring.form import DESTINATION
from randcrowns.ui.scoring.panel import LIVE
from randcrowns.ui.services.settings import Settings, habits, set_habits
from randcrowns.ui.widgets.choice_form import ChoiceForm, Part, Row
from randcrowns.ui.widgets.editors import REPLACE, label_of
from randcrowns.ui.widgets.parts import fill, in_scroll_area, wrapped
from randcrowns.ui.widgets.wheel import WheelGuard

#: Parameters with a default that the user can change.
HABITS = (PRESET, PAIRING, DESTINATION, LIVE, REPLACE, PARTS, CROWNS, TEMPLATE)


class OptionsForm(ChoiceForm):
    """Form with the user's defaults of :data:`HABITS`, and the reviewer's name.

    Args:
        reviewer: field of the reviewer's name, which the options page reads and stores.
    """

    def __init__(self, reviewer: QLineEdit) -> None:
        introduction = tr(
            "Defaults of the pages of the dock, for projects without stored settings. "
            "The algorithms of the toolbox have their own defaults."
        )
        reviewer_help = tr("Your name, saved with every verdict. Default: your login name.")
        reviewer.setToolTip(reviewer_help)
        reviewer_row = QWidget()
        reviewer_label = label_of(tr("Reviewer"), reviewer_help, reviewer)
        fill(QHBoxLayout(reviewer_row), reviewer_label, reviewer, wide=reviewer)
        super().__init__(
            (
                Part("", (wrapped(introduction),)),
                Part(tr("Score"), (PRESET, PAIRING, DESTINATION, LIVE)),
                Part(tr("New layers of every page"), (REPLACE,)),
                Part(tr("Review"), (reviewer_row,)),
                Part(tr("Report"), (Row(PARTS, wide=True), CROWNS, TEMPLATE)),
            )
        )
        self.show_settings(Settings.of(HABITS, habits()))
        WheelGuard(self)

    def scrolled(self) -> QScrollArea:
        """Return a scroll area with the form."""
        return in_scroll_area(self)

    def keep(self) -> None:
        """Save the values as the user's defaults."""
        set_habits(self.settings())
