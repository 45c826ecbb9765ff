"""What is reviewed, in which order, and which crowns are listed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from qgis.gui import QgsCollapsibleGroupBox
from qgis.PyQt.QtCore import QSignalBlocker, pyqtSignal
from qgis.PyQt.QtGui import QShowEvent
from qgis.PyQt.QtWidgets import (
    QCheckBox,
    QDoubleSpinBox,
    QGridLayout,
    QLabel,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from randcrowns.algorithms.choice import Option
from randcrowns.algorithms.scoring.outputs import PROBLEMS
from randcrowns.core.review.problems import Problem
from randcrowns.core.review.queue import Filter
from randcrowns.layers.words import tr
from randcrowns.ui.review.scored import ScoredLayer, scored_layers
from randcrowns.ui.widgets.boxes import OptionBox
from randcrowns.ui.widgets.parts import fill, read_out_as, set_folded

#: Key of an order -> the column that decides, and whether the lowest comes first.
ORDERS = {
    "randcrowns": ("score", True),
    "iou": ("iou", True),
    "iou_crowns": ("iou_crowns", True),
    "spread": ("spread", False),
    "change": ("difference", True),
    "sample": ("drawn", True),
}
_ORDERS = (
    Option("randcrowns", tr("Lowest RandCrowns first"), tr("The worst crowns first.")),
    Option("iou", tr("Lowest IoU first"), tr("The worst crowns first, the rim counted.")),
    Option(
        "iou_crowns", tr("Lowest IoUCrowns first"), tr("The worst crowns first, the rim left out.")
    ),
    Option(
        "spread",
        tr("Largest spread first"),
        tr("Those on which the delineation layers differ most."),
    ),
    Option(
        "change",
        tr("Largest loss first"),
        tr("Those whose RandCrowns fell most since the run compared with."),
    ),
    Option(
        "sample",
        tr("Random sample"),
        tr(
            "Crowns drawn at random: the share that you accept then holds for the whole layer, with its interval."
        ),
    ),
)
_STRATA = (
    Option("", tr("the whole layer"), tr("Every crown is as likely.")),
    Option(
        "classes",
        tr("each score class"),
        tr("RandCrowns up to 0.25, 0.5, 0.75, 0.9 and 1: each has its share."),
    ),
    Option("plot", tr("each plot"), tr("Every plot has its share.")),
)


#: Names of the fields with options, of which a later one may hang on those before.
_BOXES = ("layer", "delineations", "earlier", "order", "problem", "plot", "strata")


class Sample(NamedTuple):
    """A random sample: how many crowns, its seed, and what it is stratified by."""

    size: int
    seed: int
    strata: str


class Choosing(QWidget):
    """Emits :attr:`layer_changed` for other crowns, :attr:`changed` for others of the same on the list."""

    layer_changed = pyqtSignal()
    changed = pyqtSignal()

    def __init__(self) -> None:
        super().__init__()
        self._layers: dict[str, ScoredLayer] = {}
        self.layer, self.delineations, self.earlier = OptionBox(), OptionBox(), OptionBox()
        self.order, self.problem, self.plot = OptionBox(_ORDERS), OptionBox(), OptionBox()
        listed = (one for one in Problem if one is not Problem.NOT_JUDGED)
        self.problem.offer(
            [Option("", tr("any")), *(Option(one.value, *PROBLEMS[one]) for one in listed)]
        )
        self.plot.offer([Option("", tr("any"))])
        self.below = QDoubleSpinBox()
        self.below.setRange(0.0, 1.0)
        self.below.setSingleStep(0.05)
        self.below.setSpecialValueText(tr("any score"))
        self.unreviewed = QCheckBox(tr("Unreviewed only"))
        self.unreviewed.setToolTip(tr("Without a verdict, or changed since."))
        self.size, self.seed, self.strata = QSpinBox(), QSpinBox(), OptionBox(_STRATA)
        self.size.setRange(1, 1_000_000)
        self.size.setValue(50)
        self.seed.setRange(0, 1_000_000)
        self._labels: dict[QWidget, QLabel] = {}
        what, filters = QGridLayout(), QGridLayout()
        self._add_rows(
            what,
            (tr("Scored layer"), self.layer, tr("A layer with the scores of a run of page Score.")),
            (tr("Delineations"), self.delineations, tr("Whose crowns are judged.")),
            (
                tr("Compared with"),
                self.earlier,
                tr("An earlier run on the same targets: better, worse, new, gone."),
            ),
            (tr("Order"), self.order, tr("Which crowns come first.")),
            (tr("Sample size"), self.size, tr("How many crowns are drawn.")),
            (tr("Seed"), self.seed, tr("The same seed draws the same crowns.")),
            (tr("Drawn from"), self.strata, tr("What has its share of the sample.")),
        )
        self._add_rows(
            filters,
            (tr("Problem"), self.problem, tr("Only crowns with this problem.")),
            (tr("Plot"), self.plot, tr("Only crowns of this plot.")),
            (tr("RandCrowns below"), self.below, tr("Only crowns with a lower score.")),
        )
        filters.addWidget(self.unreviewed, filters.rowCount(), 0, 1, 2)
        self.box = QgsCollapsibleGroupBox(tr("Filter"))
        read_out_as(self.box, self.box.title())
        self.box.setSaveCollapsedState(False)
        self.box.setLayout(filters)
        self.box.setCollapsed(True)
        fill(QVBoxLayout(self), what, self.box, spacing=2)
        self.box.collapsedStateChanged.connect(self._show_rows)
        self.layer.changed.connect(self._take_layer)
        self.delineations.changed.connect(self.layer_changed)
        self.earlier.changed.connect(self.layer_changed)
        self.order.changed.connect(self._take_order)
        self._changes = (
            *(self.problem.changed, self.plot.changed, self.strata.changed),
            *(
                self.below.valueChanged,
                self.size.valueChanged,
                self.seed.valueChanged,
                self.unreviewed.toggled,
            ),
        )
        for signal in self._changes:
            signal.connect(self._take_order)
        self._show_rows()

    def _add_rows(self, grid: QGridLayout, *rows: tuple[str, QWidget, str]) -> None:
        grid.setVerticalSpacing(2)
        grid.setHorizontalSpacing(6)
        grid.setColumnStretch(1, 1)
        for row, (words, field, help_) in enumerate(rows):
            label = QLabel(words)
            label.setToolTip(help_)
            label.setBuddy(field)
            field.setToolTip(help_)
            field.setAccessibleName(words)
            grid.addWidget(label, row, 0)
            grid.addWidget(field, row, 1)
            self._labels[field] = label

    def follow_project(self) -> None:
        """Offer the layers that can be reviewed now; what is picked stays while it is there."""
        before = self.layer.value(), self.delineations.value()
        self._layers = {one.layer.id(): one for one in scored_layers()}
        self.layer.offer(Option(one.layer.id(), one.title) for one in self._layers.values())
        self._offer_delineations()
        if (self.layer.value(), self.delineations.value()) != before:
            self.layer_changed.emit()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """QGIS's boxes look folded only when they are told so on show."""
        super().showEvent(event)
        set_folded(self.box, self.box.isCollapsed())

    def scored(self) -> ScoredLayer | None:
        """The layer picked; None where there is none."""
        return self._layers.get(self.layer.value())

    def compared_with(self) -> ScoredLayer | None:
        """The earlier run to compare with; None for none."""
        return self._layers.get(self.earlier.value())

    def filter(self) -> Filter:
        """Which crowns are listed."""
        below = self.below.value() or None
        return Filter(self.problem.value(), self.plot.value(), self.unreviewed.isChecked(), below)

    def sample(self) -> Sample | None:
        """The sample asked for; None for all crowns."""
        if self.order.value() != "sample":
            return None
        return Sample(self.size.value(), self.seed.value(), self.strata.value())

    def offer_plots(self, plots: Iterable[str]) -> None:
        """Offer the plots of the crowns."""
        self.plot.offer([Option("", tr("any")), *(Option(plot, plot) for plot in plots)])
        self._show_rows()

    def to_kept(self) -> dict[str, Any]:
        """As plain values for the project."""
        kept: dict[str, Any] = {name: getattr(self, name).value() for name in _BOXES}
        numbers = {name: getattr(self, name).value() for name in ("below", "size", "seed")}
        return {**kept, **numbers, "unreviewed": self.unreviewed.isChecked()}

    def show_kept(self, kept: Mapping[str, Any]) -> None:
        """Take up plain values of a project; what does not fit has its default."""
        with QSignalBlocker(self):
            self.follow_project()
            for name in _BOXES:
                getattr(self, name).show_value(str(kept.get(name, "")))
            for name, usual in (("below", 0.0), ("size", 50), ("seed", 0)):
                value, field = kept.get(name, usual), getattr(self, name)
                fits = (
                    isinstance(value, (int, float)) and field.minimum() <= value <= field.maximum()
                )
                field.setValue(type(usual)(value if fits else usual))
            self.unreviewed.setChecked(kept.get("unreviewed") is True)
        self._show_rows()
        self.layer_changed.emit()

    def _take_layer(self, *_: object) -> None:
        self._offer_delineations()
        self.layer_changed.emit()

    def _take_order(self, *_: object) -> None:
        self._show_rows()
        self.changed.emit()

    def _offer_delineations(self) -> None:
        scored = self.scored()
        names = scored.prefixes if scored is not None else {}
        others = (
            []
            if scored is None
            else [one for one in self._layers.values() if one.layer is not scored.layer]
        )
        alike = [
            one
            for one in others
            if scored is not None and one.is_alike(scored) and one.made <= scored.made
        ]
        before = [Option(one.layer.id(), one.title) for one in alike]
        with QSignalBlocker(self.delineations), QSignalBlocker(self.earlier):
            self.delineations.offer(Option(name, name) for name in names)
            self.earlier.offer([Option("", tr("no earlier run")), *before])
        self._show_rows()

    def _show_rows(self, *_: object) -> None:
        scored, sampling = self.scored(), self.order.value() == "sample"
        shown = {
            self.delineations: scored is not None and len(scored.prefixes) > 1,
            self.plot: len(self.plot.offered) > 1,
            self.earlier: len(self.earlier.offered) > 1,
            **dict.fromkeys((self.size, self.seed, self.strata), sampling),
        }
        for field, label in self._labels.items():
            if not (
                self.box.isCollapsed() and self.box.isAncestorOf(field)
            ):  # folded, it would be drawn all the same
                label.setVisible(shown.get(field, True))
                field.setVisible(shown.get(field, True))
        self.box.setTitle(
            tr("Filter") if self.filter() == Filter() else tr("Filter (not all crowns are listed)")
        )
