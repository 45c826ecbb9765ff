"""The upper half of page Parameters: whose drawings, which grid, which limits."""

from __future__ import annotations

from qgis.core import QgsProject, QgsVectorLayer
from qgis.gui import QgsFieldComboBox
from qgis.PyQt.QtCore import pyqtSignal
from qgis.PyQt.QtWidgets import (
    QDoubleSpinBox,
    QFormLayout,
    QGridLayout,
    QLabel,
    QLayout,
    QVBoxLayout,
    QWidget,
)

from randcrowns.layers.words import tr
from randcrowns.ui.services.layer_check import LayerCheck
from randcrowns.ui.services.layer_facts import polygon_layers, raster_layers, usual_annotators
from randcrowns.ui.tuning.settings import TuningSettings
from randcrowns.ui.widgets.form_rows import FoldingForm, choice_box, decimal_box, folding_box, offsets, whole_box
from randcrowns.ui.widgets.kept_in import KeptIn
from randcrowns.ui.widgets.layer_checklist import LayerChecklist
from randcrowns.ui.widgets.layer_picker import LayerChoice, LayerPicker

__all__ = ["TuningForm"]

_MOST_SETS = 20_000
_ENOUGH = 3


class TuningForm(FoldingForm):
    """Edits a :class:`TuningSettings`. Emits :attr:`changed` whenever the settings do."""

    changed = pyqtSignal()
    #: A part was folded or unfolded.
    folded = pyqtSignal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.check = LayerCheck(self)
        self.annotators = LayerChecklist(self.check, what_for=tr("Check the layer of every person who drew crowns."))
        self.target = LayerPicker(self.check, optional=True)
        self.target.combo.setToolTip(
            tr("Leave empty to make each annotator in turn the target; or pick the crowns drawn in the field.")
        )
        self.target.allow_none(tr("none: each annotator in turn"))
        self.hint = QLabel()
        self.hint.setWordWrap(True)
        self.group_field = QgsFieldComboBox()
        self.group_field.setAllowEmptyFieldName(True)
        self.group_field.setToolTip(tr("A field with the plot: only crowns of one plot are compared."))
        self.extent = LayerChoice(tr("none"))
        self.extent.setToolTip(
            tr("What the annotators could see, an image or polygons: regions and drawings are cut to it.")
        )
        self.offsets = choice_box(offsets())
        self.numbers = _number_boxes()
        self.warps = whole_box(
            0, 20, "", tr("How many simulated annotators draw a single layer again. Read only with one layer.")
        )
        self.kept_in = KeptIn()
        self._build()
        self._connect()
        self.show_settings(TuningSettings())
        self.follow_project()

    def settings(self) -> TuningSettings:
        """What is chosen now."""
        return TuningSettings(
            annotators=self.annotators.checked_ids(),
            target=self.target.layer_id(),
            group_field=self.group_field.currentField(),
            offsets=str(self.offsets.currentData()),
            extent_layer=self.extent.layer_id(),
            warps=self.warps.value(),
            file=self.kept_in.path(),
            **{name: round(box.value(), 6) for name, box in self.numbers.items()},
        )

    def show_settings(self, settings: TuningSettings) -> None:
        """Show these; layers that are not in the project leave the choice as it is."""
        offered = {layer.id() for layer in polygon_layers()}
        if settings.target in offered:
            self.target.pick(settings.target)
        self.annotators.leave_out(self.target.layer_id())
        known = tuple(layer_id for layer_id in settings.annotators if layer_id in offered)
        if known:
            self.annotators.check(known)
        self.extent.pick(settings.extent_layer)
        for name, box in self.numbers.items():
            box.setValue(getattr(settings, name))
        self.warps.setValue(settings.warps)
        self.offsets.setCurrentIndex(max(0, self.offsets.findData(settings.offsets)))
        self._pass_on()
        self.group_field.setField(settings.group_field)
        self.kept_in.set_path(settings.file)
        self._tell()

    def follow_project(self) -> None:
        """Take up layers that came, went or changed; check what look like annotators as long as nobody chose any."""
        self.target.refresh()
        self.extent.offer([*raster_layers(), *polygon_layers()])
        self.annotators.leave_out(self.target.layer_id())
        self.annotators.refresh()
        self._check_usual()

    def _check_usual(self, *_: object) -> None:
        """What the annotators could see is none of them."""
        self.annotators.check_unless_chosen(usual_annotators(self.target.layer_id(), self.extent.layer_id()))
        self._tell()

    def what_run_does(self) -> str:
        """For the button."""
        return tr("Search {sets:,} sets").format(sets=self._sets())

    def why_not(self) -> str:
        """Why Run cannot be pressed, empty when it can."""
        settings = self.settings()
        number = len(settings.annotators)
        if not number:
            return tr("Check the layers of the annotators first.")
        needed = _ENOUGH - bool(settings.target)
        if number == 1 and 1 + settings.warps < needed:
            return tr("One annotator needs at least {number} warped copies.").format(number=needed - 1)
        if 1 < number < needed:
            return tr(
                "A variance needs two delineations per target: check a third annotator, pick targets drawn in the "
                "field, or check only one, of which warped copies are made."
            )
        for name in ("alpha", "omega", "gamma"):
            if getattr(settings, f"{name}_to") < getattr(settings, f"{name}_from"):
                return tr("The last {name} is below the first.").format(name=name)
        if self._sets() > _MOST_SETS:
            return tr("The grid has {sets:,} sets, more than {most:,}; take larger steps.").format(
                sets=self._sets(), most=_MOST_SETS
            )
        return self.kept_in.why_not()

    def _sets(self) -> int:
        settings, sets = self.settings(), 1
        for name in ("alpha", "omega", "gamma"):
            first, last, step = (getattr(settings, f"{name}_{end}") for end in ("from", "to", "step"))
            sets *= max(0, int((last - first) / step + 1e-6) + 1)
        return sets

    def _build(self) -> None:
        who = QVBoxLayout()
        who.setSpacing(2)
        for words, field in ((tr("Annotators"), self.annotators), (tr("Targets drawn in the field"), self.target)):
            label = QLabel(words)
            label.setBuddy(field)
            who.addWidget(label)
            who.addWidget(field)
        who.addWidget(self.hint)
        column = QVBoxLayout(self)
        column.setContentsMargins(6, 4, 6, 4)
        more = QFormLayout()
        more.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        for words, widget in (
            (tr("Most crowns too small"), self.numbers["most_left_out"]),
            (tr("Least IoU of one crown"), self.numbers["min_iou"]),
            (tr("Field with the plot"), self.group_field),
            (tr("Corners"), self.offsets),
            (tr("Image extent"), self.extent),
            (tr("Warped copies"), self.warps),
            (tr("… scaled by about"), self.numbers["warp_scale"]),
            (tr("… turned by about"), self.numbers["warp_rotation"]),
            (tr("… moved by about"), self.numbers["warp_translation"]),
        ):
            more.addRow(words, widget)
        where = QVBoxLayout()
        where.addWidget(self.kept_in)
        self._boxes = []
        for title, layout, folded in (
            (tr("Who drew"), who, False),
            (tr("Which sets to try"), self._grid(), False),
            (tr("More"), more, True),
            (tr("Where added layers go"), where, False),
        ):
            box = folding_box(title, layout, folded)
            box.collapsedStateChanged.connect(self.folded)
            column.addWidget(box)
            self._boxes.append(box)
        column.addStretch(1)

    def _grid(self) -> QLayout:
        grid = QGridLayout()
        grid.setVerticalSpacing(2)
        for place, words in enumerate((tr("from"), tr("to"), tr("step"))):
            grid.addWidget(QLabel(words), 0, place)
        for line, (name, words) in enumerate(
            (
                ("alpha", tr("True positive boundary (alpha), m")),
                ("omega", tr("True negative inner boundary (omega), m")),
                ("gamma", tr("Area ratio (gamma)")),
            )
        ):
            grid.addWidget(QLabel(words), 1 + 2 * line, 0, 1, 3)
            for place, end in enumerate(("from", "to", "step")):
                grid.addWidget(self.numbers[f"{name}_{end}"], 2 + 2 * line, place)
        grid.addWidget(QLabel(tr("Wrong pairs score below")), 7, 0, 1, 2)
        grid.addWidget(self.numbers["limit"], 7, 2)
        return grid

    def _connect(self) -> None:
        self.target.changed.connect(self.follow_project)
        self.check.found.connect(self._show_badges)
        self.extent.currentIndexChanged.connect(self._check_usual)
        self.annotators.changed.connect(self._tell)
        self.group_field.fieldChanged.connect(self._tell)
        self.offsets.currentIndexChanged.connect(self._tell)
        self.kept_in.changed.connect(self._tell)
        for box in (*self.numbers.values(), self.warps):
            box.valueChanged.connect(self._tell)

    def _show_badges(self) -> None:
        self.target.refresh()
        self.annotators.refresh()

    def _tell(self, *_: object) -> None:
        self._pass_on()
        self.kept_in.refresh()
        self.changed.emit()

    def _pass_on(self) -> None:
        """What one part of the form says about another."""
        checked = self.annotators.checked_ids()
        first = QgsProject.instance().mapLayer(self.target.layer_id() or (checked[0] if checked else ""))
        layer = first if isinstance(first, QgsVectorLayer) else None
        if self.group_field.layer() is not layer:
            self.group_field.setLayer(layer)
        single = len(checked) == 1
        self.hint.setVisible(single)
        self.hint.setText(
            tr("One layer only: {number} warped copies of it stand for other annotators (see More).").format(
                number=self.warps.value()
            )
        )
        for box in (self.warps, *(self.numbers[f"warp_{name}"] for name in ("scale", "rotation", "translation"))):
            box.setEnabled(single)


def _number_boxes() -> dict[str, QDoubleSpinBox]:
    """A spin box for each number of the settings."""
    made = {}
    for name, high in (("alpha", 10.0), ("omega", 20.0), ("gamma", 100.0)):
        for end in ("from", "to", "step"):
            made[f"{name}_{end}"] = decimal_box(0.01 if end == "step" else 0.0, high, step=0.1)
        made[f"{name}_to"].setToolTip(tr("The last value; it is tried only where a step ends at it."))
    tips = {
        "limit": tr(
            "Mean RandCrowns (0 to 1) of deliberately wrong pairs: neighbours, and shifted, shrunk and grown copies. A "
            "set that reaches the limit is refused: it makes everything look alike."
        ),
        "most_left_out": tr("Sets are refused when more of the targets are narrower than twice alpha."),
        "min_iou": tr("Two drawings of lower IoU (0 to 1) are not taken for the same crown."),
        "warp_scale": tr("Standard deviation of the logarithm of the scale: 0.1 is about 10 %."),
        "warp_rotation": tr("Standard deviation of the angle; boxes are not turned."),
        "warp_translation": tr("Standard deviation of the movement, metres on the ground."),
    }
    made["limit"] = decimal_box(0.01, 1.0, step=0.05)
    made["most_left_out"] = decimal_box(0.0, 99.0, " %", digits=0, step=1.0)
    made["min_iou"] = decimal_box(0.0, 1.0, step=0.05)
    made["warp_scale"] = decimal_box(0.0, 1.0, step=0.05)
    made["warp_rotation"] = decimal_box(0.0, 90.0, " °", digits=0, step=5.0)
    made["warp_translation"] = decimal_box(0.0, 10.0, " m", step=0.1)
    for name, tip in tips.items():
        made[name].setToolTip(tip)
    return made
