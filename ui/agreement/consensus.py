"""Form on page Annotators that makes a consensus: its method, parameters and button."""

from __future__ import annotations

from collections.abc import Callable

from qgis.PyQt.QtCore import pyqtSignal
from qgis.PyQt.QtWidgets import QPushButton

from randcrowns.algorithms import estimation
from randcrowns.algorithms.agreement.choices import EACH_LEFT_OUT, LEVEL, METHOD
from randcrowns.layers.words import plain, tr
from randcrowns.ui.services.settings import Settings
from randcrowns.ui.widgets.choice_form import ChoiceForm, Part, Row
from randcrowns.ui.widgets.colours import QUIET, WARN
from randcrowns.ui.widgets.parts import tell, wrapped

_BUTTON_TOOLTIP = tr("Makes a new layer; no other layer is changed.")


class ConsensusBar(ChoiceForm):
    """Form with the parameters of a consensus and the button that makes it."""

    #: Emitted when the user clicks the button.
    asked = pyqtSignal()

    def __init__(self) -> None:
        self.button = QPushButton(tr("Make consensus"))
        #: Reason why the button is disabled.
        self.missing = wrapped(tone=WARN)
        #: Description of the last consensus.
        self.said = wrapped(tone=QUIET)
        self.said.hide()
        self._annotator_count = 0
        self._counts_pixels = False
        self._is_busy = False
        #: Reason why the comparison is out of date; "" if it is current.
        self._outdated_reason = ""

        super().__init__((self._method_group(), self._advanced_group(), Part("", (self.said,))))
        self.layout().setContentsMargins(0, 0, 0, 0)
        self.button.clicked.connect(self.asked)

    def set_compared(self, people: int, pixels: bool) -> None:
        """Set the comparison that the consensus is made from.

        Args:
            people: Number of annotators.
            pixels: True if the annotators' decisions are counted in pixels.
        """
        self._annotator_count = people
        self._counts_pixels = pixels
        self._update_button()

    def set_outdated(self, why: str) -> None:
        """Disable the button if the comparison is out of date.

        A consensus would otherwise not belong to the results that are shown.

        Args:
            why: Reason why the comparison is out of date, as a sentence; "" if it is current.
        """
        self._outdated_reason = why
        self._update_button()

    def set_busy(self, busy: bool) -> None:
        """Disable the button while an algorithm runs."""
        self._is_busy = busy
        self._update_button()

    def say(self, text: str, how: str = "") -> None:
        """Show a description of the last consensus.

        Args:
            text: Description with the messages of the run; "" to hide it.
            how: Tooltip: how the consensus was made.
        """
        self.said.setToolTip(plain(how))
        tell(self.said, text)

    def why_not(self) -> str:
        """Return the reason why no consensus can be made, or "" if one can be made."""
        settings = self.settings()
        if self._outdated_reason:
            return tr(
                "The results are out of date: {why} Run again before you make a consensus.",
                why=self._outdated_reason,
            )
        if settings[METHOD] == "lsml" and not self._counts_pixels:
            return tr("LSML requires a pixel size: set it under Advanced, and run again.")
        if settings[EACH_LEFT_OUT] and self._annotator_count == 1:
            return tr("Leaving one annotator out requires at least two annotators.")
        return ""

    def pass_on(self, settings: Settings) -> None:
        """Update the button, whose state depends on the method."""
        self._update_button()

    def _method_group(self) -> Part:
        """Return the group with the method, its main parameters and the button."""
        uses_staple = _uses_method("staple")

        def has_own_prior(settings: Settings) -> bool:
            return uses_staple(settings) and settings[estimation.PRIOR] == "number"

        return Part(
            "",
            (
                tr("Consensus"),
                METHOD,
                Row(LEVEL, shown=_uses_method("level")),
                Row(estimation.PRIOR, shown=uses_staple, wide=True),
                Row(estimation.PRIOR_VALUE, shown=has_own_prior),
                Row(estimation.CLIPPED, shown=_uses_method("lsml")),
                self.button,
                self.missing,
            ),
        )

    def _advanced_group(self) -> Part:
        """Return the group with the parameters that are rarely changed."""
        uses_simple = _uses_method("simple")
        uses_lsml = _uses_method("lsml")
        return Part(
            tr("Advanced consensus parameters"),
            (
                Row(estimation.ASSIGN_CONSENSUS, shown=_uses_method("staple")),
                Row(estimation.SIMPLE_RULE, shown=uses_simple),
                Row(estimation.SIMPLE_A, shown=uses_simple),
                Row(estimation.ROUNDS, shown=uses_lsml),
                Row(estimation.CURVATURE, shown=uses_lsml),
                EACH_LEFT_OUT,
            ),
            folded=True,
        )

    def _update_button(self) -> None:
        """Enable or disable the button, and show why it is disabled."""
        problem = self.why_not()
        self.button.setEnabled(not problem and not self._is_busy)
        tell(self.missing, problem)
        self.button.setToolTip(plain(problem) or _BUTTON_TOOLTIP)


def _uses_method(method: str) -> Callable[[Settings], bool]:
    """Return a predicate on settings that is true if they contain the method."""
    return lambda settings: settings[METHOD] == method
