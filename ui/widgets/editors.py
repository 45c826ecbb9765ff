"""Editors: the field of a form for each kind of parameter."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from qgis.core import QgsCoordinateReferenceSystem, QgsFieldProxyModel
from qgis.gui import QgsFileWidget, QgsProjectionSelectionWidget
from qgis.PyQt.QtCore import Qt, pyqtSignal
from qgis.PyQt.QtGui import QMouseEvent
from qgis.PyQt.QtWidgets import (
    QAbstractSpinBox,
    QCheckBox,
    QLabel,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from randcrowns.algorithms.layer_parameters import (
    AreaParameter,
    BandsParameter,
    CrsParameter,
    FileParameter,
    LayerListParameter,
    LayerParameter,
    PointLayerParameter,
    RasterParameter,
    ZoneParameter,
)
from randcrowns.algorithms.number_list import NumberListParameter
from randcrowns.algorithms.parameter_types import (
    BooleanParameter,
    FieldParameter,
    IntegerParameter,
    MultiOptionParameter,
    NumericParameter,
    OptionParameter,
    Parameter,
    TextParameter,
)
from randcrowns.layers.files.project_results import project_geopackage
from randcrowns.layers.localization import tr
from randcrowns.layers.vector.guesses import offered_polygon_layers
from randcrowns.ui.services.layer_info import (
    LayerCheck,
    point_layers,
    polygon_layers,
    raster_layers,
)
from randcrowns.ui.services.run_outcome import file_problem
from randcrowns.ui.widgets.boxes import FieldBox, LayerBox, LayerPicker, OptionBox
from randcrowns.ui.widgets.colours import WARNING_TONE
from randcrowns.ui.widgets.fields import (
    MIN_SPIN_BOX_WIDTH,
    AreaField,
    BandsField,
    OptionsField,
    ValuesField,
)
from randcrowns.ui.widgets.layer_checklist import LayerChecklist
from randcrowns.ui.widgets.number_boxes import DecimalBox, IntegerBox, NumberBox
from randcrowns.ui.widgets.parts import fill_layout, make_wrapped_label, set_accessible_name

#: Width of a spin box besides its text, pixels.
_SPIN_BOX_PADDING = 32


def _do_nothing() -> None:
    """Do nothing: :attr:`Editor.refresh` of a field that does not depend on the project."""


@dataclass(frozen=True)
class Editor:
    """Widget together with the functions that read and set the value of a parameter."""

    #: Field of the form.
    widget: QWidget
    #: Returns the current value.
    value: Callable[[], Any]
    #: Sets a value; a value that the field cannot show leaves it unchanged.
    set_value: Callable[[Any], object]
    #: Signal that is emitted when the value changes.
    changed: Any
    #: Reloads the project's layers.
    refresh: Callable[[], object] = _do_nothing


def create_editor(parameter: Parameter[Any], check: LayerCheck | None = None) -> Editor:
    """Return a new editor for a parameter, with its default value and its help as tooltip.

    Args:
        parameter: parameter to edit.
        check: background check of layers, whose problems the field shows; None for no check.

    Raises:
        StopIteration: If there is no field for this kind of parameter.
    """
    create = next(factory for kind, factory in _EDITOR_FACTORIES if isinstance(parameter, kind))
    editor = create(parameter, check)
    describe_field(editor.widget, parameter)
    editor.widget.setObjectName(parameter.name)
    editor.set_value(parameter.default)
    return editor


def describe_field(field: QWidget, parameter: Parameter[Any]) -> None:
    """Describe a field to screen readers, and add the parameter's help if it has no tooltip.

    Args:
        field: widget that edits the parameter.
        parameter: parameter with label and help.
    """
    target = field.combo if isinstance(field, LayerPicker) else field
    if not target.toolTip():
        target.setToolTip(parameter.help)
    set_accessible_name(field, parameter.label)


def make_label(text: str, tooltip: str, field: QWidget) -> QLabel:
    """Return the label of a field, which also names the field for screen readers.

    Args:
        text: text of the label, which wraps in a narrow dock.
        tooltip: tooltip.
        field: widget that gets the focus with the label's mnemonic key.
    """
    label = _CheckBoxLabel(field) if isinstance(field, QCheckBox) else QLabel()
    label.setText(text)
    label.setToolTip(tooltip)
    label.setWordWrap(True)
    label.setBuddy(field)
    set_accessible_name(field, text)
    return label


class _CheckBoxLabel(QLabel):
    """Label of a check box; a click on it toggles the box.

    It wraps in a narrow dock, unlike the text of a check box itself.

    Args:
        box: check box beside the label.
    """

    def __init__(self, box: QCheckBox) -> None:
        super().__init__()
        self._box = box

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Toggle the check box if the left button is released over the label."""
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.pos()):
            self._box.click()


def editor_for_field(field: Any) -> Editor:
    """Return the editor of a custom field.

    Args:
        field: widget with the methods ``value()`` and ``show_value(value)``, the signal
            ``changed`` and optionally the method ``refresh()``.
    """
    refresh = getattr(field, "refresh", _do_nothing)
    return Editor(
        widget=field,
        value=field.value,
        set_value=field.set_value,
        changed=field.changed,
        refresh=refresh,
    )


def _create_number_editor(parameter: NumericParameter[Any], _check: LayerCheck | None) -> Editor:
    """Return a spin box for a whole number or a number with decimal places."""
    if isinstance(parameter, IntegerParameter):
        integer_box = _create_integer_box(parameter)
        return _editor_of_number_box(integer_box, parameter, read_value=integer_box.value)
    decimal_box = _create_decimal_box(parameter)
    read_rounded = partial(_rounded_value, decimal_box, parameter.decimals)
    return _editor_of_number_box(decimal_box, parameter, read_value=read_rounded)


def _create_integer_box(parameter: IntegerParameter) -> IntegerBox:
    """Return a spin box for a whole number with the limits and the step of a parameter."""
    box = IntegerBox()
    box.setRange(int(parameter.minimum), int(parameter.maximum))
    if parameter.step:
        box.setSingleStep(int(parameter.step))
    return box


def _create_decimal_box(parameter: NumericParameter[Any]) -> DecimalBox:
    """Return a spin box for a number with the decimals, limits and step of a parameter."""
    box = DecimalBox()
    box.setDecimals(parameter.decimals)
    box.setRange(parameter.minimum, parameter.maximum)
    if parameter.step:
        box.setSingleStep(parameter.step)
    return box


def _editor_of_number_box(
    box: NumberBox, parameter: NumericParameter[Any], read_value: Callable[[], float]
) -> Editor:
    """Set unit, special text and width of a spin box, and return its editor.

    Args:
        box: The spin box; without a step of the parameter, its step adapts to the number.
        parameter: Parameter of the number.
        read_value: Returns the value of the parameter.
    """
    if not parameter.step:
        box.setStepType(QAbstractSpinBox.StepType.AdaptiveDecimalStepType)
    box.setSuffix(f" {parameter.unit}" if parameter.unit else "")
    if parameter.minimum_label:
        # QGIS's boxes show nothing in place of the minimum if this text is empty.
        box.setSpecialValueText(parameter.minimum_label)
    # Qt's own minimum width is that of the longest number and ignores the special text.
    text_width = box.fontMetrics().horizontalAdvance(parameter.minimum_label)
    box.setMinimumWidth(max(MIN_SPIN_BOX_WIDTH, text_width + _SPIN_BOX_PADDING))
    return Editor(box, read_value, box.setValue, box.valueChanged)


def _rounded_value(box: DecimalBox, digits: int) -> float:
    """Return the value of a spin box rounded to a number of decimal places."""
    return round(box.value(), digits)


def _create_flag_editor(_parameter: BooleanParameter, _check: LayerCheck | None) -> Editor:
    """Return a check box."""
    box = QCheckBox()
    return Editor(box, box.isChecked, box.setChecked, box.toggled)


def _create_field_editor(parameter: FieldParameter, _check: LayerCheck | None) -> Editor:
    """Return a combo box of a layer's attributes; the form sets the layer."""
    box = FieldBox()
    box.setAllowEmptyFieldName(parameter.optional)
    if parameter.numeric:
        box.setFilters(QgsFieldProxyModel.Filter.Numeric)
    return Editor(box, box.currentField, box.setField, box.fieldChanged)


def _create_text_editor(_parameter: TextParameter, _check: LayerCheck | None) -> Editor:
    """Return a line edit; its value has no leading or trailing spaces."""
    box = QLineEdit()
    return Editor(box, lambda: box.text().strip(), box.setText, box.textChanged)


def _create_layer_editor(parameter: LayerParameter, check: LayerCheck | None) -> Editor:
    """Return a picker of one layer; only zones can be raster layers."""
    box = LayerPicker(check, parameter.optional, with_rasters=isinstance(parameter, ZoneParameter))
    select = box.select_layer_or_none if parameter.optional else box.select_layer
    return Editor(
        widget=box, value=box.layer_id, set_value=select, changed=box.changed, refresh=box.refresh
    )


def _create_layers_editor(parameter: LayerListParameter, check: LayerCheck | None) -> Editor:
    """Return a checklist of polygon layers."""
    offered_layers = offered_polygon_layers if parameter.offers_results else polygon_layers
    return editor_for_field(LayerChecklist(check, offered_layers, what_for=parameter.help))


def _create_crs_editor(parameter: CrsParameter, _check: LayerCheck | None) -> Editor:
    """Return a selection of a coordinate reference system; its value is an authority id or WKT."""
    box = QgsProjectionSelectionWidget()
    box.setOptionVisible(QgsProjectionSelectionWidget.CrsOption.CrsNotSet, parameter.optional)

    def read_definition() -> str:
        """Return the authority id of the selected system, or its WKT if it has none."""
        return box.crs().authid() or box.crs().toWkt()

    def set_definition(definition: str) -> None:
        """Select the system of an authority id or of a WKT."""
        box.setCrs(QgsCoordinateReferenceSystem(definition))

    return Editor(box, read_definition, set_definition, box.crsChanged)


def _create_file_editor(parameter: FileParameter, _check: LayerCheck | None) -> Editor:
    """Return a field for the path of a file; :data:`RESULT_FILE` has its own widget."""
    if parameter is RESULT_FILE:
        result_file = ResultFileField()
        return Editor(
            widget=result_file,
            value=result_file.path,
            set_value=result_file.set_path,
            changed=result_file.changed,
            refresh=result_file.refresh,
        )
    box = QgsFileWidget()
    box.setFilter(parameter.filter)
    return Editor(box, lambda: box.filePath().strip(), box.setFilePath, box.fileChanged)


def _create_area_editor(parameter: AreaParameter, _check: LayerCheck | None) -> Editor:
    """Return a combo box of areas."""
    box = AreaField(parameter)
    return Editor(
        widget=box, value=box.area, set_value=box.set_area, changed=box.changed, refresh=box.refresh
    )


#: Kind of parameter and function that makes its editor; the first kind that fits is used.
_EDITOR_FACTORIES: tuple[
    tuple[type[Parameter[Any]], Callable[[Any, LayerCheck | None], Editor]], ...
] = (
    (NumericParameter, _create_number_editor),
    (BooleanParameter, _create_flag_editor),
    (OptionParameter, lambda parameter, _check: editor_for_field(OptionBox(parameter.options))),
    (MultiOptionParameter, lambda parameter, _check: editor_for_field(OptionsField(parameter))),
    (NumberListParameter, lambda parameter, _check: editor_for_field(ValuesField(parameter))),
    (FieldParameter, _create_field_editor),
    (PointLayerParameter, lambda _parameter, _check: editor_for_field(LayerBox(point_layers))),
    (LayerParameter, _create_layer_editor),
    (LayerListParameter, _create_layers_editor),
    (RasterParameter, lambda _parameter, _check: editor_for_field(LayerBox(raster_layers))),
    (BandsParameter, lambda parameter, _check: editor_for_field(BandsField(parameter))),
    (AreaParameter, _create_area_editor),
    (CrsParameter, _create_crs_editor),
    (FileParameter, _create_file_editor),
    (TextParameter, _create_text_editor),
)


#: GeoPackage file of the result layers.
RESULT_FILE = FileParameter(
    "file",
    label="",
    help=tr(
        "GeoPackage file for the new layers. "
        "If it is empty, a file in the folder of the project is used. "
        "Each run adds its own tables and leaves the others unchanged."
    ),
)

#: Option to remove the layers of the page's last run from the project.
REPLACE_LAST = BooleanParameter(
    "replace_last",
    tr("Replace the layers of the last run"),
    tr(
        "Remove the layers of this page's last run from the project when the new layers are added. "
        "Layers that you edited or styled stay, and so do the tables in the file. "
        "The removed layers can be restored."
    ),
)


class ResultFileField(QWidget):
    """Field for the GeoPackage file of the result layers, with a warning below.

    An empty field stands for the file in the folder of the project.
    """

    #: Emitted when another file is selected.
    changed = pyqtSignal()

    def __init__(self) -> None:
        super().__init__()
        self.file = QgsFileWidget()
        self.file.setStorageMode(QgsFileWidget.StorageMode.SaveFile)
        self.file.setFilter(tr("GeoPackage (*.gpkg)"))
        self.file.setConfirmOverwrite(False)
        self.file.setDialogTitle(tr("Save the new layers in"))
        set_accessible_name(self.file, tr("Save the new layers in"))
        self.file.setToolTip(RESULT_FILE.help)
        #: Warning that the new layers are temporary, hidden if there is a file for them.
        self.temporary_warning = make_wrapped_label(
            tr(
                "The project is not saved yet, so the new layers are temporary. "
                "Save the project or choose a file."
            ),
            WARNING_TONE,
        )
        fill_layout(QVBoxLayout(self), self.file, self.temporary_warning)
        self.file.fileChanged.connect(self._on_file_changed)
        self.refresh()

    def path(self) -> str:
        """Return the selected file with the extension ``.gpkg``; "" for the project's file."""
        path = self.file.filePath().strip()
        if path and not path.lower().endswith(".gpkg"):
            return f"{path}.gpkg"
        return path

    def set_path(self, path: str) -> None:
        """Select a file; "" selects the project's file."""
        self.file.setFilePath(path)
        self.refresh()

    def refresh(self) -> None:
        """Update the placeholder and the warning for the file of the current project."""
        default_path = project_geopackage()
        placeholder = Path(default_path).name if default_path else tr("a GeoPackage file")
        self.file.lineEdit().setPlaceholderText(placeholder)
        self.temporary_warning.setVisible(not default_path and not self.path())

    def file_problem_message(self) -> str:
        """Return the reason why layers cannot be saved in the file, or "" if they can."""
        path = self.path() or project_geopackage()
        return file_problem(path) if path else ""

    def _on_file_changed(self, *_: object) -> None:
        """Update the warning, and emit :attr:`changed`."""
        self.refresh()
        self.changed.emit()
