"""Rows of a form, and the fields that several of them need."""

from __future__ import annotations

from qgis.gui import QgsFieldComboBox
from qgis.PyQt.QtWidgets import QDoubleSpinBox, QFormLayout, QLabel, QWidget

from randcrowns.ui.widgets.layer_picker import LayerPicker
from randcrowns.ui.words import tr

__all__ = ["add_row", "field_box", "form_in", "number_box"]


def form_in(parent: QWidget) -> QFormLayout:
    """A form that fills the parent, its fields as wide as there is room."""
    form = QFormLayout(parent)
    form.setContentsMargins(0, 0, 0, 0)
    form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
    form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
    return form


def add_row(form: QFormLayout, words: str, widget: QWidget) -> None:
    """Add a field after its words, which tell the same in their tooltip."""
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


def number_box(low: float, high: float, suffix: str, tooltip: str) -> QDoubleSpinBox:
    """A number whose lowest value means off."""
    box = QDoubleSpinBox()
    box.setRange(low, high)
    box.setSingleStep(0.05)
    box.setSuffix(suffix)
    box.setSpecialValueText(tr("off"))
    box.setToolTip(tooltip)
    return box
