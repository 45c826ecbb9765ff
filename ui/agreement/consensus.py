"""The line that makes a consensus: the method, what it needs, and the button."""

from __future__ import annotations

from dataclasses import replace

from qgis.PyQt.QtCore import pyqtSignal
from qgis.PyQt.QtWidgets import QCheckBox, QDoubleSpinBox, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from randcrowns.layers.words import tr
from randcrowns.ui.agreement.settings import AnnotatorSettings
from randcrowns.ui.widgets.colours import QUIET, WARN
from randcrowns.ui.widgets.form_rows import Choice, FoldedForm, add_row, choice_box, decimal_box, form_in, whole_box

__all__ = ["ConsensusBar", "ConsensusMore"]


class ConsensusBar(QWidget):
    """Emits :attr:`asked` when a consensus is wanted, and :attr:`changed` when its method changes."""

    asked = pyqtSignal()
    changed = pyqtSignal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.method = choice_box(_methods())
        self.method.setToolTip(tr("How many decisions become one; point at a method in the list for what it does."))
        self.share = _fraction(tr("A place is marked when at least this share of the annotators marked it."))
        self.prior = choice_box(_priors())
        self.prior.setToolTip(tr("How much of the area STAPLE expects to be marked. It decides how much it marks."))
        self.prior_value = _fraction(tr("The prior, between 0 and 1."))
        self.button = QPushButton(tr("Make consensus"))
        self.button.setToolTip(tr("Makes a new layer; no other layer is changed."))
        self.more = ConsensusMore()
        self.missing = QLabel()
        self.missing.setWordWrap(True)
        self.missing.setStyleSheet(f"color: {WARN};")
        self.said = QLabel()
        self.said.setWordWrap(True)
        self.said.setStyleSheet(f"color: {QUIET};")
        self.said.hide()
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.method, 1)
        row.addWidget(self.share)
        row.addWidget(self.button)
        second = QHBoxLayout()
        second.setContentsMargins(0, 0, 0, 0)
        self._prior_label = QLabel(tr("Prior"))
        second.addWidget(self._prior_label)
        second.addWidget(self.prior, 1)
        second.addWidget(self.prior_value)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addLayout(row)
        column.addLayout(second)
        column.addWidget(self.missing)
        column.addWidget(self.more)
        column.addWidget(self.said)
        self.method.currentIndexChanged.connect(self._tell)
        self.prior.currentIndexChanged.connect(self._tell)
        self.share.valueChanged.connect(self._tell)
        self.prior_value.valueChanged.connect(self._tell)
        self.more.changed.connect(self._tell)
        self.button.clicked.connect(self.asked)
        self._resolution = 0.0
        self._people = 0
        self._busy = False
        self._outdated = ""
        self._tell()

    def add_to(self, settings: AnnotatorSettings) -> AnnotatorSettings:
        """The settings with the method chosen here."""
        chosen = replace(
            settings,
            method=str(self.method.currentData()),
            share=self.share.value(),
            prior=str(self.prior.currentData()),
            prior_value=self.prior_value.value(),
        )
        return self.more.add_to(chosen)

    def show_settings(self, settings: AnnotatorSettings) -> None:
        """Show this method."""
        self.method.setCurrentIndex(max(0, self.method.findData(settings.method)))
        self.prior.setCurrentIndex(max(0, self.prior.findData(settings.prior)))
        self.share.setValue(settings.share)
        self.prior_value.setValue(settings.prior_value)
        self.more.show_settings(settings)
        self._tell()

    def set_compared(self, people: int, resolution: float) -> None:
        """How many annotators it is made from, and the pixel size that will be used, 0 for exact areas."""
        self._people, self._resolution = people, resolution
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
        self.said.setToolTip(how)
        self.said.setText(text)
        self.said.setVisible(bool(text))

    def why_not(self) -> str:
        """Why the button cannot be pressed, empty when it can."""
        if self._outdated:
            return tr("No consensus of results that are out of date: {why} Run again.").format(why=self._outdated)
        if self.method.currentData() == "lsml" and not self._resolution > 0:
            return tr("LSML moves a contour over pixels: give a pixel size under More, and run again.")
        if self.more.each_left_out.isChecked() and self._people == 1:
            return tr("Leaving one annotator out needs at least two annotators.")
        return ""

    def _tell(self, *_: object) -> None:
        staple = self.method.currentData() == "staple"
        self.more.show_method(str(self.method.currentData()))
        self.share.setVisible(self.method.currentData() == "level")
        self._prior_label.setVisible(staple)
        self.prior.setVisible(staple)
        self.prior_value.setVisible(staple and self.prior.currentData() == "number")
        self._show_ready()
        self.changed.emit()

    def _show_ready(self) -> None:
        why = self.why_not()
        self.button.setEnabled(not why and not self._busy)
        self.missing.setText(why)
        self.missing.setVisible(bool(why))
        self.button.setToolTip(why or tr("Makes a new layer; no other layer is changed."))


def _fraction(tooltip: str) -> QDoubleSpinBox:
    box = decimal_box(0.001, 0.999, "", tooltip, digits=3, step=0.05)
    box.setValue(0.5)
    return box


def _methods() -> tuple[Choice, ...]:
    return (
        ("0.5", tr("Half or more (0.5-GT)"), tr("What half of the annotators or more marked; ties are marked.")),
        ("any", tr("Anybody (any-GT)"), tr("What at least one annotator marked.")),
        ("0.75", tr("Three quarters (0.75-GT)"), tr("What three quarters of the annotators or more marked.")),
        ("unanimous", tr("Everybody"), tr("What all annotators marked.")),
        ("level", tr("A share of your own"), tr("What at least this share of the annotators marked.")),
        ("excl-0.5", tr("Without outliers (Excl-0.5-GT)"), tr("Half or more of those who are not unlike the others.")),
        (
            "staple",
            "STAPLE",
            tr("Estimates the truth and everybody's sensitivity and specificity together (Warfield et al. 2004)."),
        ),
        (
            "simple",
            "SIMPLE",
            tr("Votes, discards those who overlap least with the outcome, votes again (Langerak et al. 2010)."),
        ),
        ("lsml", "LSML", tr("A contour that moves to the likeliest place (Li et al. 2011). Needs a pixel size.")),
    )


def _priors() -> tuple[Choice, ...]:
    return (
        ("mean", tr("mean decision"), tr("The share of the area that the annotators marked on average.")),
        ("any", tr("marked by anybody"), tr("The share of the area that anybody marked; marks more.")),
        ("number", tr("a number"), tr("Of your own.")),
    )


class ConsensusMore(FoldedForm):
    """Parameters of STAPLE, SIMPLE and LSML, and a consensus without each annotator."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(tr("More about the consensus"), "consensus_more", parent)
        self.assign_consensus = QCheckBox(tr("Fix what all agree on"))
        self.assign_consensus.setToolTip(
            tr(
                "Places on which all agree are settled beforehand and left out of STAPLE's estimation. Otherwise they "
                "stay in it and are not fixed, as in the source."
            )
        )
        self.rule = choice_box(_rules())
        self.rule.setToolTip(
            tr("Whom SIMPLE discards in each round. The published threshold differs between sources; ours is first.")
        )
        self.a = decimal_box(
            0.0, 10.0, "", tr("The factor a of the rule, without unit; the usual value is 1."), step=0.1
        )
        self.clipped = QCheckBox(tr("Keep only what somebody marked"))
        self.clipped.setToolTip(
            tr("Clipped, our default. As published, LSML can drift to places that no annotator marked.")
        )
        self.rounds = whole_box(
            1,
            1_000_000,
            tr(" rounds"),
            tr("LSML stops after so many at the latest, 1,000 as published, or once it is stable."),
            step=100,
        )
        self.curvature = decimal_box(
            0.0, 100.0, "", tr("How much LSML straightens its outline, without unit; 0 as published."), step=0.01
        )
        self.each_left_out = QCheckBox(tr("One without each annotator"))
        self.each_left_out.setToolTip(
            tr(
                "Makes a consensus for every annotator from the others' drawings, so that nobody is held against "
                "their own; field 'left_out' says whose it is."
            )
        )
        self._of_method: dict[str, QWidget] = {
            "staple": _rows(("", self.assign_consensus)),
            "simple": _rows((tr("Discard below"), self.rule), (tr("… with a of"), self.a)),
            "lsml": _rows(
                ("", self.clipped), (tr("At most"), self.rounds), (tr("Weight of curvature"), self.curvature)
            ),
        }
        self._build()
        self.show_settings(AnnotatorSettings())
        self.setCollapsed(True)

    def add_to(self, settings: AnnotatorSettings) -> AnnotatorSettings:
        """The settings with the choices made here."""
        return replace(
            settings,
            assign_consensus=self.assign_consensus.isChecked(),
            simple_rule=str(self.rule.currentData()),
            simple_a=self.a.value(),
            clipped=self.clipped.isChecked(),
            rounds=self.rounds.value(),
            curvature=self.curvature.value(),
            each_left_out=self.each_left_out.isChecked(),
        )

    def show_settings(self, settings: AnnotatorSettings) -> None:
        """Show these choices."""
        self.assign_consensus.setChecked(settings.assign_consensus)
        self.rule.setCurrentIndex(max(0, self.rule.findData(settings.simple_rule)))
        self.a.setValue(settings.simple_a)
        self.clipped.setChecked(settings.clipped)
        self.rounds.setValue(settings.rounds)
        self.curvature.setValue(settings.curvature)
        self.each_left_out.setChecked(settings.each_left_out)

    def show_method(self, method: str) -> None:
        """Show the choices of this method."""
        for key, rows in self._of_method.items():
            rows.setVisible(key == method)

    def _build(self) -> None:
        self.rows.setVerticalSpacing(3)
        for rows in self._of_method.values():
            self.rows.addRow(rows)
        self.rows.addRow(self.each_left_out)
        self.follow(self.assign_consensus, self.rule, self.a, self.clipped, self.rounds, self.curvature)
        self.follow(self.each_left_out)


def _rows(*rows: tuple[str, QWidget]) -> QWidget:
    """The widgets below each other with their labels, which tell the same as they."""
    made = QWidget()
    form = form_in(made)
    form.setVerticalSpacing(3)
    for words, widget in rows:
        if words:
            add_row(form, words, widget)
        else:
            form.addRow(widget)
    return made


def _rules() -> tuple[Choice, ...]:
    return (
        (
            "deviation",
            tr("mean - a x standard deviation"),
            tr("Of the kept annotators' overlap (Dice) with the vote; n - 1. Our default."),
        ),
        ("share", tr("a x mean"), tr("Of the kept annotators' overlap (Dice) with the vote.")),
    )
