"""Rows of a form, and the fields that several of them need."""

from __future__ import annotations

from qgis.gui import QgsFieldComboBox
from qgis.PyQt.QtWidgets import QAbstractSpinBox, QDoubleSpinBox, QFormLayout, QLabel, QSpinBox, QWidget

from randcrowns.ui.widgets.layer_picker import LayerPicker

__all__ = ["add_row", "decimal_box", "field_box", "form_in", "whole_box"]


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
