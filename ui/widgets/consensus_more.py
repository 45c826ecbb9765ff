"""The rarely needed choices of a consensus, folded away: only those of the method chosen are shown."""

from __future__ import annotations

from dataclasses import replace

from qgis.PyQt.QtWidgets import QCheckBox, QWidget

from randcrowns.layers.words import tr
from randcrowns.ui.annotator_settings import AnnotatorSettings
from randcrowns.ui.widgets.choices import Choice, choice_box
from randcrowns.ui.widgets.folded_form import FoldedForm
from randcrowns.ui.widgets.form_rows import add_row, decimal_box, form_in, whole_box

__all__ = ["ConsensusMore"]


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
