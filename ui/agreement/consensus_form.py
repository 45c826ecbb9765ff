"""Form on page Annotators that makes a consensus: its method, parameters and button."""

from __future__ import annotations

from collections.abc import Callable

from qgis.PyQt.QtCore import pyqtSignal
from qgis.PyQt.QtWidgets import QPushButton

from randcrowns.algorithms import estimation_parameters
from randcrowns.algorithms.agreement.schema.parameters import (
    CLASS_FIELD,
    CLASS_RULE,
    CROWN_BY_CROWN,
    EXCLUDE_EACH,
    LEVEL,
    MATCH_IOU,
    METHOD,
    OUTLINE,
    VOTE_RULE,
)
from randcrowns.algorithms.estimation_parameters import ANSWERS, CALIBRATION_CUTOFF
from randcrowns.core.agreement.consensus import COOKE
from randcrowns.layers.localization import escape_rich_text, tr
from randcrowns.ui.services.settings import Settings
from randcrowns.ui.widgets.colours import SECONDARY_TONE, WARNING_TONE
from randcrowns.ui.widgets.parameter_form import FormGroup, ParameterForm, ParameterRow
from randcrowns.ui.widgets.parts import make_wrapped_label, set_text_or_hide

_BUTTON_TOOLTIP = tr("Makes a new layer; no other layer is changed.")


class ConsensusForm(ParameterForm):
    """Form with the parameters of a consensus and the button that makes it."""

    #: Emitted when the user clicks the button.
    requested = pyqtSignal()

    def __init__(self) -> None:
        self.make_button = QPushButton(tr("Make consensus"))
        #: Reason why the button is disabled.
        self.problem_label = make_wrapped_label(tone=WARNING_TONE)
        #: Description of the last consensus.
        self.description_label = make_wrapped_label(tone=SECONDARY_TONE)
        self.description_label.hide()
        self._annotator_count = 0
        self._counts_pixels = False
        self._has_rasters = False
        self._is_busy = False
        #: Reason why the comparison is out of date; "" if it is current.
        self._outdated_reason = ""

        super().__init__(
            (
                self._create_method_group(),
                _create_advanced_group(),
                FormGroup("", (self.description_label,)),
            )
        )
        self.layout().setContentsMargins(0, 0, 0, 0)
        self.make_button.clicked.connect(self.requested)

    def set_comparison(
        self, annotator_count: int, counts_pixels: bool, has_rasters: bool = False
    ) -> None:
        """Set the comparison that the consensus is made from.

        Args:
            annotator_count: Number of annotators.
            counts_pixels: True if the annotators' decisions are counted in pixels.
            has_rasters: True if an annotator's layer is a raster.
        """
        self._annotator_count = annotator_count
        self._counts_pixels = counts_pixels
        self._has_rasters = has_rasters
        self._update_button()

    def set_outdated(self, reason: str) -> None:
        """Disable the button if the comparison is out of date.

        A consensus would otherwise not belong to the results that are shown.

        Args:
            reason: Reason why the comparison is out of date, as a sentence; "" if it is current.
        """
        self._outdated_reason = reason
        self._update_button()

    def set_busy(self, is_busy: bool) -> None:
        """Disable the button while an algorithm runs."""
        self._is_busy = is_busy
        self._update_button()

    def show_description(self, text: str, tooltip: str = "") -> None:
        """Show a description of the last consensus.

        Args:
            text: Description with the messages of the run; "" to hide it.
            tooltip: Tooltip: how the consensus was made.
        """
        self.description_label.setToolTip(escape_rich_text(tooltip))
        set_text_or_hide(self.description_label, text)

    def run_problem(self) -> str:
        """Return the reason why no consensus can be made, or "" if one can be made."""
        settings = self.settings()
        if self._outdated_reason:
            return tr(
                "The results are out of date: {why} Run again before you make a consensus.",
                why=self._outdated_reason,
            )
        if settings[METHOD] == "lsml" and not self._counts_pixels:
            return tr("LSML requires a pixel size: set it under Advanced, and run again.")
        if settings[METHOD] == CROWN_BY_CROWN and self._has_rasters:
            return tr("Crown by crown requires polygon layers; choose another method.")
        if settings[METHOD] == COOKE and not settings[ANSWERS]:
            return tr("Cooke's weights require a file with answers.")
        if settings[EXCLUDE_EACH] and self._annotator_count == 1:
            return tr("Leaving one annotator out requires at least two annotators.")
        return ""

    def update_fields(self, settings: Settings) -> None:
        """Update the button, whose state depends on the method."""
        self._update_button()

    def _create_method_group(self) -> FormGroup:
        """Return the group with the method, its main parameters and the button."""
        uses_crowns = _uses_method(CROWN_BY_CROWN)
        return FormGroup(
            "",
            (
                METHOD,
                ParameterRow(VOTE_RULE, is_visible=uses_crowns),
                ParameterRow(OUTLINE, is_visible=uses_crowns),
                ParameterRow(LEVEL, is_visible=_uses_method("level")),
                ParameterRow(ANSWERS, is_visible=_uses_method(COOKE)),
                ParameterRow(estimation_parameters.PRIOR, is_visible=_uses_staple, wide=True),
                ParameterRow(estimation_parameters.PRIOR_VALUE, is_visible=_has_own_prior),
                ParameterRow(estimation_parameters.CLIPPED, is_visible=_uses_method("lsml")),
                self.make_button,
                self.problem_label,
            ),
        )

    def _update_button(self) -> None:
        """Enable or disable the button, and show why it is disabled."""
        problem = self.run_problem()
        self.make_button.setEnabled(not problem and not self._is_busy)
        set_text_or_hide(self.problem_label, problem)
        self.make_button.setToolTip(escape_rich_text(problem) or _BUTTON_TOOLTIP)


def _create_advanced_group() -> FormGroup:
    """Return the collapsed group with the parameters that are rarely changed."""
    uses_simple = _uses_method("simple")
    uses_lsml = _uses_method("lsml")
    return FormGroup(
        tr("Advanced consensus parameters"),
        (
            ParameterRow(MATCH_IOU, is_visible=_uses_method(CROWN_BY_CROWN)),
            CLASS_FIELD,
            CLASS_RULE,
            ParameterRow(estimation_parameters.ASSIGN_CONSENSUS, is_visible=_uses_method("staple")),
            ParameterRow(estimation_parameters.SIMPLE_RULE, is_visible=uses_simple),
            ParameterRow(estimation_parameters.SIMPLE_FACTOR, is_visible=uses_simple),
            ParameterRow(estimation_parameters.MAX_ITERATIONS, is_visible=uses_lsml),
            ParameterRow(estimation_parameters.CURVATURE, is_visible=uses_lsml),
            ParameterRow(CALIBRATION_CUTOFF, is_visible=_uses_method(COOKE)),
            EXCLUDE_EACH,
        ),
        collapsed=True,
    )


def _uses_staple(settings: Settings) -> bool:
    """Return True if STAPLE makes the consensus, or the outlines of its crowns."""
    makes_outlines = settings[METHOD] == CROWN_BY_CROWN and settings[OUTLINE] == "staple"
    return settings[METHOD] == "staple" or makes_outlines


def _has_own_prior(settings: Settings) -> bool:
    """Return True if STAPLE uses a prior that the user enters."""
    return _uses_staple(settings) and settings[estimation_parameters.PRIOR] == "number"


def _uses_method(method: str) -> Callable[[Settings], bool]:
    """Return a predicate on settings that is true if they contain the method."""
    return lambda settings: settings[METHOD] == method
