"""Rows of a form, and the fields that several of them need."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from qgis.gui import QgsCollapsibleGroupBox, QgsFieldComboBox, QgsMapLayerComboBox
from qgis.PyQt.QtCore import QObject, Qt, pyqtSignal
from qgis.PyQt.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QComboBox,
    QDoubleSpinBox,
    QFormLayout,
    QLabel,
    QLayout,
    QListWidget,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from randcrowns.layers.words import tr
from randcrowns.ui.widgets.layer_picker import LayerPicker


def form_in(parent: QWidget | None = None) -> QFormLayout:
    """A form that fills the parent, if any, its fields as wide as there is room."""
    form = QFormLayout() if parent is None else QFormLayout(parent)
    form.setContentsMargins(0, 0, 0, 0)
    form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
    form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
    return form


def add_row(form: QFormLayout, words: str, widget: QWidget) -> None:
    """Add a field after its words, which have its tooltip; without any below the other fields."""
    if not words:
        form.addRow("", widget)
        return
    label = QLabel(words)
    label.setToolTip(widget.combo.toolTip() if isinstance(widget, LayerPicker) else widget.toolTip())
    label.setBuddy(widget)
    form.addRow(label, widget)


def field_box(tooltip: str) -> QgsFieldComboBox:
    """A choice of one of a layer's fields, or none."""
    box = QgsFieldComboBox()
    box.setAllowEmptyFieldName(True)
    box.setToolTip(tooltip)
    return box


def decimal_box(
    low: float,
    high: float,
    unit: str = "",
    tooltip: str = "",
    *,
    digits: int = 2,
    step: float = 0.0,
    lowest: str = "",
) -> QDoubleSpinBox:
    """A number.

    Args:
        low, high: its range.
        unit: stands behind it, with the space before it.
        tooltip: what it is.
        digits: decimal places.
        step: how far an arrow goes; 0 for a tenth of the number's size.
        lowest: stands for the lowest number.
    """
    box = QDoubleSpinBox()
    box.setDecimals(digits)
    box.setRange(low, high)
    box.setSuffix(unit)
    box.setToolTip(tooltip)
    box.setSpecialValueText(lowest)
    if step:
        box.setSingleStep(step)
    else:
        box.setStepType(QAbstractSpinBox.StepType.AdaptiveDecimalStepType)
    return box


def whole_box(low: int, high: int, unit: str = "", tooltip: str = "", *, step: int = 1, lowest: str = "") -> QSpinBox:
    """A whole number; see :func:`decimal_box`."""
    box = QSpinBox()
    box.setRange(low, high)
    box.setSuffix(unit)
    box.setToolTip(tooltip)
    box.setSpecialValueText(lowest)
    box.setSingleStep(step)
    return box


#: Key, words, tooltip.
Choice = tuple[str, str, str]


def pairings() -> tuple[Choice, ...]:
    """Which delineation for which target."""
    return (
        (
            "nearest",
            tr("Nearest centroid (recommended)"),
            tr(
                "Each target gets the delineation whose centroid is nearest; of several at the same distance the worst "
                "score counts. The paper's recommendation."
            ),
        ),
        ("max_iou", tr("Highest IoU"), tr("Each target gets the delineation of highest IoU. The paper's experiments.")),
        (
            "max_score",
            tr("Highest RandCrowns"),
            tr("Every pair is scored and the best kept. One large delineation can then serve many targets."),
        ),
        (
            "mean_over_count",
            tr("Mean of all that are nearest, divided by their number"),
            tr("The mean score of all delineations nearest to a target, divided by their number: splitting costs."),
        ),
        (
            "hungarian",
            tr("One to one, highest total RandCrowns"),
            tr("No delineation serves two targets; of all such pairings the one with the largest total score."),
        ),
    )


def offsets() -> tuple[Choice, ...]:
    """How corners behave when a target is grown or shrunk."""
    return (
        ("auto", tr("Square for boxes, round for polygons"), tr("Boxes are told by their outline.")),
        ("mitre", tr("Square"), tr("The paper's way for boxes (mitre).")),
        ("round", tr("Round"), tr("The paper's way for polygons drawn in the field.")),
    )


def extents(images: bool = False) -> tuple[Choice, ...]:
    """Where the image ends; ``images`` offers the extent of a raster too."""
    image = ("image", tr("Image"), tr("The rectangle of a raster layer of the project."))
    return (
        ("none", tr("None"), tr("Nothing is cut.")),
        *((image,) if images else ()),
        ("layer", tr("Polygon layer"), tr("The polygons of a layer say where the image is.")),
        ("canvas", tr("Map as shown"), tr("What the map shows when Run is pressed.")),
    )


def choice_box(entries: tuple[Choice, ...]) -> QComboBox:
    """A combo box of these, narrow enough for a narrow dock."""
    combo = QComboBox()
    combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    combo.setMinimumContentsLength(10)
    for number, (key, words, tooltip) in enumerate(entries):
        combo.addItem(words, key)
        combo.setItemData(number, tooltip, Qt.ItemDataRole.ToolTipRole)
    return combo


#: How a field says that it changed; the first that it is counts.
_SIGNALS: tuple[tuple[type[QObject], str], ...] = (
    (QgsFieldComboBox, "fieldChanged"),
    (QgsMapLayerComboBox, "layerChanged"),
    (QComboBox, "currentIndexChanged"),
    (QAbstractButton, "toggled"),
    (QAbstractSpinBox, "valueChanged"),
    (QListWidget, "itemChanged"),
    (QObject, "changed"),
)


def folding_box(title: str, layout: QLayout, folded: bool = False) -> QgsCollapsibleGroupBox:
    """A part of a form that can be folded away."""
    box = QgsCollapsibleGroupBox(title)
    box.setSaveCollapsedState(False)
    layout.setContentsMargins(0, 0, 0, 0)
    _inside(box, (6, 4, 6, 6)).setLayout(layout)
    box.setCollapsed(folded)
    return box


def _inside(box: QgsCollapsibleGroupBox, margins: tuple[int, int, int, int]) -> QWidget:
    """Room in the box. It shows and hides every direct child when it is folded, whatever that was meant to be."""
    inside = QWidget()
    around = QVBoxLayout(box)
    around.setContentsMargins(*margins)
    around.addWidget(inside)
    return inside


class FoldingForm(QWidget):
    """A form of parts, each of which can be folded away."""

    _boxes: Sequence[QgsCollapsibleGroupBox] = ()

    def fold(self) -> None:
        """Fold every part away: what comes of a run needs the room."""
        for box in self._boxes:
            box.setCollapsed(True)

    @property
    def is_folded(self) -> bool:
        """Whether nothing but the headings is shown."""
        return all(box.isCollapsed() for box in self._boxes)


class FoldedForm(QgsCollapsibleGroupBox):
    """Rarely needed choices, folded away at first. Emits :attr:`changed` whenever a field that it follows changed."""

    changed = pyqtSignal()

    def __init__(self, title: str, name: str, parent: QWidget | None = None) -> None:
        super().__init__(title, parent)
        self.setObjectName(name)
        self.setSaveCollapsedState(False)
        self.rows = form_in(_inside(self, (6, 2, 6, 4)))

    def show_what_matters(self) -> None:
        """Hide or disable what does not matter with the choices made."""

    def add_rows(self, *rows: tuple[str, QWidget]) -> None:
        """Add fields after their words."""
        for words, widget in rows:
            add_row(self.rows, words, widget)

    def follow(self, *fields: Any) -> None:
        """Tell changes of these."""
        for field in fields:
            name = next(name for kind, name in _SIGNALS if isinstance(field, kind))
            getattr(field, name).connect(self._tell)

    def _tell(self, *_: object) -> None:
        self.show_what_matters()
        self.changed.emit()
