"""The part of page Annotators that makes a consensus: the method, its choices, and the button."""

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

_DOES = tr("Makes a new layer; no other layer is changed.")


class ConsensusBar(ChoiceForm):
    """Emits :attr:`asked` when a consensus is wanted."""

    asked = pyqtSignal()

    def __init__(self) -> None:
        self.button = QPushButton(tr("Make consensus"))
        self.missing, self.said = wrapped(tone=WARN), wrapped(tone=QUIET)
        self.said.hide()
        self._pixels, self._people = False, 0
        self._busy, self._outdated = False, ""
        staple, simple, lsml = _of("staple"), _of("simple"), _of("lsml")
        super().__init__(
            (
                Part(
                    "",
                    (
                        tr("Consensus"),
                        METHOD,
                        Row(LEVEL, shown=_of("level")),
                        Row(estimation.PRIOR, shown=staple, wide=True),
                        Row(
                            estimation.PRIOR_VALUE,
                            shown=lambda settings: (
                                staple(settings) and settings[estimation.PRIOR] == "number"
                            ),
                        ),
                        Row(estimation.CLIPPED, shown=lsml),
                        self.button,
                        self.missing,
                    ),
                ),
                Part(
                    tr("More about the consensus"),
                    (
                        Row(estimation.ASSIGN_CONSENSUS, shown=staple),
                        Row(estimation.SIMPLE_RULE, shown=simple),
                        Row(estimation.SIMPLE_A, shown=simple),
                        Row(estimation.ROUNDS, shown=lsml),
                        Row(estimation.CURVATURE, shown=lsml),
                        EACH_LEFT_OUT,
                    ),
                    folded=True,
                ),
                Part("", (self.said,)),
            )
        )
        self.layout().setContentsMargins(0, 0, 0, 0)
        self.button.clicked.connect(self.asked)

    def set_compared(self, people: int, pixels: bool) -> None:
        """How many annotators it is made from, and whether their decisions are pixels."""
        self._people, self._pixels = people, pixels
        self._show_ready()

    def set_outdated(self, why: str) -> None:
        """Why the comparison is out of date, empty when it is not: a consensus would not be of what is shown."""
        self._outdated = why
        self._show_ready()

    def set_busy(self, busy: bool) -> None:
        """Nothing can be asked for while something runs."""
        self._busy = busy
        self._show_ready()

    def say(self, text: str, how: str = "") -> None:
        """What was made, and what must be known about it; how it was made is the tooltip."""
        self.said.setToolTip(plain(how))
        tell(self.said, text)

    def why_not(self) -> str:
        settings = self.settings()
        if self._outdated:
            return tr(
                "No consensus of results that are out of date: {why} Run again.", why=self._outdated
            )
        if settings[METHOD] == "lsml" and not self._pixels:
            return tr("LSML requires a pixel size: set it under More, and run again.")
        if settings[EACH_LEFT_OUT] and self._people == 1:
            return tr("Leaving one annotator out requires at least two annotators.")
        return ""

    def pass_on(self, settings: Settings) -> None:
        """Whether the button can be pressed depends on the method."""
        self._show_ready()

    def _show_ready(self) -> None:
        why = self.why_not()
        self.button.setEnabled(not why and not self._busy)
        tell(self.missing, why)
        self.button.setToolTip(plain(why) or _DOES)


def _of(method: str) -> Callable[[Settings], bool]:
    return lambda settings: settings[METHOD] == method
