"""Widget that selects the layer to review, the order of its crowns, and a filter."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from qgis.gui import QgsCollapsibleGroupBox
from qgis.PyQt.QtCore import QSignalBlocker, pyqtSignal
from qgis.PyQt.QtGui import QShowEvent
from qgis.PyQt.QtWidgets import (
    QCheckBox,
    QGridLayout,
    QLabel,
    QVBoxLayout,
    QWidget,
)

from randcrowns.algorithms.classes.outputs import CLASS_RESULT_TEXTS
from randcrowns.algorithms.parameter_types import Option
from randcrowns.algorithms.scoring.schema.outputs import PROBLEM_TEXTS
from randcrowns.core.review.problems import Problem
from randcrowns.core.review.queue import QueueFilter
from randcrowns.layers.localization import tr
from randcrowns.ui.review.evaluated_layer import EvaluatedLayer, reviewable_layers
from randcrowns.ui.review.scored_layer import ScoredLayer
from randcrowns.ui.widgets.boxes import OptionBox
from randcrowns.ui.widgets.number_boxes import DecimalBox, IntegerBox, NumberBox
from randcrowns.ui.widgets.parts import fill_layout, set_accessible_name, set_collapsed


class SortOrder(NamedTuple):
    """Column by which the crowns are sorted."""

    #: Name of the column.
    column: str
    #: True if the lowest values come first.
    ascending: bool


#: Key of an order -> its column.
ORDERS = {
    "randcrowns": SortOrder("score", ascending=True),
    "iou": SortOrder("iou", ascending=True),
    "iou_crowns": SortOrder("iou_crowns", ascending=True),
    "spread": SortOrder("spread", ascending=False),
    "change": SortOrder("difference", ascending=True),
    "sample": SortOrder("sample_position", ascending=True),
}
_ORDER_OPTIONS = (
    Option("randcrowns", tr("Lowest RandCrowns first"), tr("The worst crowns first.")),
    Option("iou", tr("Lowest IoU first"), tr("The worst crowns first, including their rims.")),
    Option(
        "iou_crowns",
        tr("Lowest IoUCrowns first"),
        tr("The worst crowns first, excluding their rims."),
    ),
    Option(
        "spread",
        tr("Largest spread first"),
        tr("First the crowns on which the delineation layers differ most."),
    ),
    Option(
        "change",
        tr("Largest loss first"),
        tr("First the crowns whose score fell most since the run compared with."),
    ),
    Option(
        "sample",
        tr("Random sample"),
        tr(
            "Crowns selected at random. The share that you accept is then an estimate for the "
            "whole layer, with an interval."
        ),
    ),
)
_STRATA_OPTIONS = (
    Option("", tr("the whole layer"), tr("All crowns have the same probability.")),
    Option(
        "classes",
        tr("each score class"),
        tr("Scores up to 0.25, 0.5, 0.75, 0.9 and 1: each class has its share."),
    ),
    Option("plot", tr("each plot"), tr("Every plot has its share.")),
)
#: Orders by scores that crowns without lengths in metres do not have.
_ORDERS_BY_SCORES = ("randcrowns", "iou_crowns", "spread")
#: Default size of a random sample.
_DEFAULT_SAMPLE_SIZE = 50


class Sample(NamedTuple):
    """A random sample of the crowns."""

    #: Number of crowns.
    size: int
    #: Seed of the random numbers.
    seed: int
    #: Key of the strata: "classes" (score classes), "plot" or "" (none).
    strata: str


class _FieldRow(NamedTuple):
    """A field with its label."""

    #: Text of the label, which is also the name of the field for screen readers.
    label: str
    #: The field.
    field: QWidget
    #: Tooltip of the label and the field.
    help: str


class QueueForm(QWidget):
    """Fields that select the layer to review, the order of its crowns, and a filter."""

    #: Emitted when other crowns are to be reviewed.
    layer_changed = pyqtSignal()
    #: Emitted when other crowns of the same layer are to be listed, or in another order.
    changed = pyqtSignal()

    def __init__(self) -> None:
        super().__init__()
        #: Layer id -> layer that can be reviewed.
        self._layers: dict[str, ScoredLayer] = {}
        self._create_layer_fields()
        self._create_filter_fields()
        self._create_sample_fields()
        # Fields by their key in the project. The options of a field can depend on the fields
        # before it.
        self._option_fields = {
            "layer": self.layer_box,
            "delineations": self.delineation_box,
            "earlier": self.earlier_run_box,
            "order": self.order_box,
            "problem": self.problem_box,
            "plot": self.plot_box,
            "class": self.class_box,
            "class_result": self.class_result_box,
            "strata": self.strata_box,
        }
        self._number_fields: dict[str, NumberBox] = {
            "below": self.max_score_box,
            "size": self.sample_size_box,
            "seed": self.seed_box,
        }
        #: Field -> its label.
        self._labels: dict[QWidget, QLabel] = {}
        #: Collapsible box with the filter.
        self.filter_group = QgsCollapsibleGroupBox(tr("Filter"))
        self._arrange_widgets()
        self._connect()
        self._update_rows()

    def _create_layer_fields(self) -> None:
        """Create the fields that select the layer, what it is compared with, and the order."""
        #: Selects the scored layer; the keys are layer ids.
        self.layer_box = OptionBox()
        #: Selects the delineation layer; the keys are names.
        self.delineation_box = OptionBox()
        #: Selects an earlier run to compare with; the keys are layer ids, "" for none.
        self.earlier_run_box = OptionBox()
        #: Selects the order of the crowns.
        self.order_box = OptionBox(_ORDER_OPTIONS)

    def _create_filter_fields(self) -> None:
        """Create the fields that filter the crowns."""
        #: Filter by problem; "" for any.
        self.problem_box = OptionBox()
        self.problem_box.set_options(
            [
                Option("", tr("any")),
                *(
                    Option(problem.value, *PROBLEM_TEXTS[problem])
                    for problem in Problem
                    if problem is not Problem.NOT_JUDGED
                ),
            ]
        )
        #: Filter by plot; "" for any.
        self.plot_box = OptionBox()
        self.plot_box.set_options([Option("", tr("any"))])
        #: Filter by class; "" for any.
        self.class_box = OptionBox()
        self.class_box.set_options([Option("", tr("any"))])
        #: Filter by whether the class is right; "" for any.
        self.class_result_box = OptionBox(
            [Option("", tr("any")), *(Option(*item) for item in CLASS_RESULT_TEXTS.items())]
        )
        #: Filter by RandCrowns, or by IoU if page Instances has evaluated the crowns; 0 for any.
        self.max_score_box = DecimalBox()
        self.max_score_box.setRange(0.0, 1.0)
        self.max_score_box.setSingleStep(0.05)
        self.max_score_box.setSpecialValueText(tr("any score"))
        #: Filter by verdict.
        self.unreviewed_box = QCheckBox(tr("Unreviewed only"))
        self.unreviewed_box.setToolTip(
            tr("Only crowns without a verdict, or changed since their verdict.")
        )

    def _create_sample_fields(self) -> None:
        """Create the fields that specify a random sample."""
        #: Size of a random sample.
        self.sample_size_box = IntegerBox()
        self.sample_size_box.setRange(1, 1_000_000)
        self.sample_size_box.setValue(_DEFAULT_SAMPLE_SIZE)
        #: Seed of a random sample.
        self.seed_box = IntegerBox()
        self.seed_box.setRange(0, 1_000_000)
        #: Strata of a random sample.
        self.strata_box = OptionBox(_STRATA_OPTIONS)

    def _arrange_widgets(self) -> None:
        """Arrange the fields: layers and order above, the filter in a collapsible box below."""
        layer_grid = QGridLayout()
        self._add_rows(layer_grid, *self._layer_and_order_rows())
        filter_grid = QGridLayout()
        self._add_rows(filter_grid, *self._filter_rows())
        row_below = filter_grid.rowCount()
        filter_grid.addWidget(self.unreviewed_box, row_below, 0, 1, filter_grid.columnCount())
        set_accessible_name(self.filter_group, self.filter_group.title())
        self.filter_group.setSaveCollapsedState(False)
        self.filter_group.setLayout(filter_grid)
        self.filter_group.setCollapsed(True)
        fill_layout(QVBoxLayout(self), layer_grid, self.filter_group, spacing=2)

    def _layer_and_order_rows(self) -> tuple[_FieldRow, ...]:
        """Return the rows of the fields that are not in the filter, from top to bottom."""
        return (
            _FieldRow(
                tr("Scored layer"),
                self.layer_box,
                tr(
                    "A layer with the scores of a run of page Score, or the matched targets of a "
                    "run of page Instances."
                ),
            ),
            _FieldRow(
                tr("Delineations"), self.delineation_box, tr("Delineation layer of the scores.")
            ),
            _FieldRow(
                tr("Compared with"),
                self.earlier_run_box,
                tr("An earlier run on the same targets: better, worse, new, gone."),
            ),
            _FieldRow(
                tr("Order"),
                self.order_box,
                tr("Order of the crowns in the list; of equal values, the lowest id comes first."),
            ),
            _FieldRow(
                tr("Sample size"), self.sample_size_box, tr("Number of crowns in the sample.")
            ),
            _FieldRow(tr("Seed"), self.seed_box, tr("The same seed selects the same crowns.")),
            _FieldRow(
                tr("Stratified by"), self.strata_box, tr("Stratify the sample by this attribute.")
            ),
        )

    def _filter_rows(self) -> tuple[_FieldRow, ...]:
        """Return the rows of the fields of the filter, from top to bottom."""
        return (
            _FieldRow(tr("Problem"), self.problem_box, tr("Only crowns with this problem.")),
            _FieldRow(tr("Plot"), self.plot_box, tr("Only crowns of this plot.")),
            _FieldRow(tr("Class"), self.class_box, tr("Only crowns of this class.")),
            _FieldRow(
                tr("Class right"),
                self.class_result_box,
                tr("Only crowns whose class is right, or wrong."),
            ),
            _FieldRow(
                tr("RandCrowns below"), self.max_score_box, tr("Only crowns with a lower score.")
            ),
        )

    def _add_rows(self, grid: QGridLayout, *rows: _FieldRow) -> None:
        """Add fields to a grid, one per row below the other, and register their labels.

        Args:
            grid: An empty grid. The labels fill its first column and the fields its second one.
            rows: The fields with the texts of their labels and their tooltips.
        """
        grid.setVerticalSpacing(2)
        grid.setHorizontalSpacing(6)
        grid.setColumnStretch(1, 1)
        for number, row in enumerate(rows):
            label = QLabel(row.label)
            label.setToolTip(row.help)
            label.setBuddy(row.field)
            row.field.setToolTip(row.help)
            row.field.setAccessibleName(row.label)
            grid.addWidget(label, number, 0)
            grid.addWidget(row.field, number, 1)
            self._labels[row.field] = label

    def _connect(self) -> None:
        """Connect the signals of the fields."""
        self.filter_group.collapsedStateChanged.connect(self._update_rows)
        self.layer_box.changed.connect(self._on_layer_changed)
        self.delineation_box.changed.connect(self.layer_changed)
        self.earlier_run_box.changed.connect(self.layer_changed)
        for signal in (
            self.order_box.changed,
            self.problem_box.changed,
            self.plot_box.changed,
            self.class_box.changed,
            self.class_result_box.changed,
            self.strata_box.changed,
            self.max_score_box.valueChanged,
            self.sample_size_box.valueChanged,
            self.seed_box.valueChanged,
            self.unreviewed_box.toggled,
        ):
            signal.connect(self._on_order_changed)

    def reload_layers(self) -> None:
        """Update the offered layers; a selected layer stays selected while it is in the project.

        Emits :attr:`layer_changed` if another layer or other delineations are selected then.
        """
        previous_selection = (self.layer_box.value(), self.delineation_box.value())
        self._layers = {
            scored_layer.layer.id(): scored_layer for scored_layer in reviewable_layers()
        }
        self.layer_box.set_options(
            Option(layer_id, scored_layer.title) for layer_id, scored_layer in self._layers.items()
        )
        self._offer_delineations()
        if (self.layer_box.value(), self.delineation_box.value()) != previous_selection:
            self.layer_changed.emit()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """Collapse the filter box again, since QGIS paints it expanded when it is first shown."""
        super().showEvent(event)
        set_collapsed(self.filter_group, self.filter_group.isCollapsed())

    def selected_layer(self) -> ScoredLayer | None:
        """Return the selected layer, or None if there is none."""
        return self._layers.get(self.layer_box.value())

    def earlier_layer(self) -> ScoredLayer | None:
        """Return the layer of the earlier run to compare with, or None."""
        return self._layers.get(self.earlier_run_box.value())

    def queue_filter(self) -> QueueFilter:
        """Return the filter of the list."""
        return QueueFilter(
            problem=self.problem_box.value(),
            plot=self.plot_box.value(),
            only_unreviewed=self.unreviewed_box.isChecked(),
            score_below=self.max_score_box.value() or None,
            crown_class=self.class_box.value(),
            class_result=self.class_result_box.value() if self.has_classes else "",
        )

    def sample(self) -> Sample | None:
        """Return the requested random sample; None to list all crowns."""
        if self.order_box.value() != "sample":
            return None
        return Sample(self.sample_size_box.value(), self.seed_box.value(), self.strata_box.value())

    def set_plots(self, plots: Iterable[str]) -> None:
        """Set the plots that the filter offers."""
        self.plot_box.set_options([Option("", tr("any")), *(Option(plot, plot) for plot in plots)])
        self._update_rows()

    @property
    def has_classes(self) -> bool:
        """True if the crowns of the selected layer have classes."""
        return len(self.class_box.options) > 1

    def set_classes(self, classes: Iterable[str]) -> None:
        """Set the classes that the filter offers; none if the crowns have no classes."""
        options = [Option("", tr("any")), *(Option(name, name) for name in classes)]
        self.class_box.set_options(options)
        self._update_rows()

    def to_stored(self) -> dict[str, Any]:
        """Return the values by key, as the project stores them."""
        fields = {**self._option_fields, **self._number_fields}
        values = {key: field.value() for key, field in fields.items()}
        return {**values, "unreviewed": self.unreviewed_box.isChecked()}

    def set_stored(self, stored_values: Mapping[str, Any]) -> None:
        """Show stored values; a value that is missing or not valid is set to its default.

        Emits :attr:`layer_changed` once.

        Args:
            stored_values: Values by key, as the project stores them.
        """
        number_defaults = {"below": 0.0, "size": _DEFAULT_SAMPLE_SIZE, "seed": 0}
        with QSignalBlocker(self):
            self.reload_layers()
            for key, option_field in self._option_fields.items():
                option_field.set_value(str(stored_values.get(key, "")))
            for key, number_field in self._number_fields.items():
                default = number_defaults[key]
                value = stored_values.get(key, default)
                if not _is_in_range(value, number_field):
                    value = default
                # An integer spin box accepts no float.
                number_field.setValue(type(default)(value))
            self.unreviewed_box.setChecked(stored_values.get("unreviewed") is True)
        self._update_rows()
        self.layer_changed.emit()

    def _on_layer_changed(self, *_: object) -> None:
        """Offer the delineation layers and the earlier runs of the selected layer."""
        self._offer_delineations()
        self.layer_changed.emit()

    def _on_order_changed(self, *_: object) -> None:
        """Show the fields of the selected order, and emit the change."""
        self._update_rows()
        self.changed.emit()

    def _offer_delineations(self) -> None:
        """Offer the orders, the delineation layers and the earlier runs of the selected layer.

        Emits no signal.
        """
        scored_layer = self.selected_layer()
        self._offer_orders(scored_layer)
        names = [] if scored_layer is None else list(scored_layer.prefixes)
        earlier_runs = [] if scored_layer is None else self._earlier_runs_of(scored_layer)
        earlier_options = [Option(run.layer.id(), run.title) for run in earlier_runs]
        with QSignalBlocker(self.delineation_box), QSignalBlocker(self.earlier_run_box):
            self.delineation_box.set_options(Option(name, name) for name in names)
            self.earlier_run_box.set_options([Option("", tr("no earlier run")), *earlier_options])
        self._update_rows()

    def _earlier_runs_of(self, scored_layer: ScoredLayer) -> list[ScoredLayer]:
        """Return the layers of earlier runs on the same targets as a scored layer."""
        return [
            other
            for other in self._layers.values()
            if other.layer is not scored_layer.layer
            and other.has_same_targets(scored_layer)
            and other.run_time <= scored_layer.run_time
        ]

    def _offer_orders(self, scored_layer: ScoredLayer | None) -> None:
        """Offer the orders by scores that the selected layer has, and name the score of the filter.

        Args:
            scored_layer: The selected layer; None if there is none.
        """
        is_evaluated = isinstance(scored_layer, EvaluatedLayer)
        with QSignalBlocker(self.order_box):
            self.order_box.set_options(
                option
                for option in _ORDER_OPTIONS
                if not is_evaluated or option.key not in _ORDERS_BY_SCORES
            )
        label = tr("IoU below") if is_evaluated else tr("RandCrowns below")
        self._labels[self.max_score_box].setText(label)
        self.max_score_box.setAccessibleName(label)

    def _update_rows(self, *_: object) -> None:
        """Show the fields that have an effect, and whether the filter excludes crowns."""
        scored_layer = self.selected_layer()
        is_sample = self.order_box.value() == "sample"
        # Fields that have an effect only under a condition -> whether it is met.
        has_effect = {
            self.delineation_box: scored_layer is not None and len(scored_layer.prefixes) > 1,
            self.plot_box: len(self.plot_box.options) > 1,
            self.class_box: self.has_classes,
            self.class_result_box: self.has_classes,
            self.earlier_run_box: len(self.earlier_run_box.options) > 1,
            self.sample_size_box: is_sample,
            self.seed_box: is_sample,
            self.strata_box: is_sample,
        }
        for field, label in self._labels.items():
            # A field of a collapsed box would be painted although the box is collapsed.
            if self.filter_group.isCollapsed() and self.filter_group.isAncestorOf(field):
                continue
            is_visible = has_effect.get(field, True)
            label.setVisible(is_visible)
            field.setVisible(is_visible)
        if self.queue_filter() == QueueFilter():
            self.filter_group.setTitle(tr("Filter"))
        else:
            self.filter_group.setTitle(tr("Filter (not all crowns are listed)"))


def _is_in_range(value: object, field: NumberBox) -> bool:
    """Return True if a value is a number that a field accepts."""
    return isinstance(value, (int, float)) and field.minimum() <= value <= field.maximum()
