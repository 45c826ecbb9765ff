"""The choices whose defaults a user can change, on one form."""

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

#: The choices that have a default of the user's.
HABITS = (PRESET, PAIRING, DESTINATION, LIVE, REPLACE, PARTS, CROWNS, TEMPLATE)


class OptionsForm(ChoiceForm):
    """Shows :data:`HABITS`, with the values kept for this user."""

    def __init__(self, reviewer: QLineEdit) -> None:
        told = tr(
            "What the pages of the dock begin with in a project that keeps no choices yet. The algorithms of the "
            "toolbox have their own defaults."
        )
        help_ = tr("Your name, kept with every verdict. Default: the name you are logged in with.")
        who = QWidget()
        reviewer.setToolTip(help_)
        fill(QHBoxLayout(who), label_of(tr("Reviewer"), help_, reviewer), reviewer, wide=reviewer)
        super().__init__(
            (
                Part("", (wrapped(told),)),
                Part(tr("Score"), (PRESET, PAIRING, DESTINATION, LIVE)),
                Part(tr("New layers of every page"), (REPLACE,)),
                Part(tr("Review"), (who,)),
                Part(tr("Report"), (Row(PARTS, wide=True), CROWNS, TEMPLATE)),
            )
        )
        self.show_settings(Settings.of(HABITS, habits()))
        WheelGuard(self)

    def scrolled(self) -> QScrollArea:
        """The form, scrolled where the dialog is low."""
        return in_scroll_area(self)

    def keep(self) -> None:
        """Keep what is shown for this user."""
        set_habits(self.settings())
