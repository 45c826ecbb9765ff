"""The field of a form for each kind of choice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from qgis.core import QgsCoordinateReferenceSystem, QgsFieldProxyModel
from qgis.gui import QgsFieldComboBox, QgsFileWidget, QgsProjectionSelectionWidget
from qgis.PyQt.QtCore import Qt, pyqtSignal
from qgis.PyQt.QtGui import QMouseEvent
from qgis.PyQt.QtWidgets import (
    QAbstractSpinBox,
    QCheckBox,
    QDoubleSpinBox,
    QLabel,
    QLineEdit,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from randcrowns.algorithms.choice import Choice, Field, Flag, Numeric, OneOf, SomeOf, Text, Whole
from randcrowns.algorithms.layer_choice import (
    Area,
    Bands,
    Crs,
    FieldPoints,
    File,
    Layer,
    Layers,
    Raster,
    Zone,
)
from randcrowns.algorithms.values import Values
from randcrowns.layers.files.places import project_file
from randcrowns.layers.words import tr
from randcrowns.ui.services.layer_facts import (
    LayerCheck,
    point_layers,
    polygon_layers,
    raster_layers,
)
from randcrowns.ui.services.result_file import file_problem
from randcrowns.ui.widgets.boxes import LayerBox, LayerPicker, OptionBox
from randcrowns.ui.widgets.colours import WARN
from randcrowns.ui.widgets.fields import NARROW, AreaField, BandsField, OptionsField, ValuesField
from randcrowns.ui.widgets.layer_checklist import LayerChecklist
from randcrowns.ui.widgets.parts import fill, read_out_as, wrapped

#: Pixels of a number's field beside its text.
_ARROWS = 32


@dataclass(frozen=True)
class Editor:
    """A widget, and how it shows the plain value of a choice."""

    widget: QWidget  #: the field.
    value: Callable[[], Any]  #: reads it.
    show: Callable[[Any], object]  #: shows a value; what cannot be shown leaves the field as it is.
    changed: Any  #: signal.
    refresh: Callable[[], object] = lambda: None  #: follows the project's layers.


def editor_of(choice: Choice[Any], check: LayerCheck | None = None) -> Editor:
    """The field for a choice, with its default and its help; ``check`` tells what is odd about layers."""
    made = next(make for kind, make in _MAKERS if isinstance(choice, kind))(choice, check)
    explain(made.widget, choice)
    made.widget.setObjectName(choice.name)
    made.show(choice.default)
    return made


def explain(field: QWidget, choice: Choice[Any]) -> None:
    """Give a field without a tooltip the help of its choice."""
    target = field.combo if isinstance(field, LayerPicker) else field
    if not target.toolTip():
        target.setToolTip(choice.help)
    read_out_as(field, choice.label)


def label_of(words: str, help_: str, field: QWidget) -> QLabel:
    """The words before a field."""
    label = _FlagLabel(field) if isinstance(field, QCheckBox) else QLabel()
    label.setText(words)
    label.setToolTip(help_)
    label.setWordWrap(True)
    label.setBuddy(field)
    read_out_as(field, words)
    return label


class _FlagLabel(QLabel):
    """Beside a check box, whose own words would not break in a narrow dock; a click on it counts as one on the box."""

    def __init__(self, box: QCheckBox) -> None:
        super().__init__()
        self._box = box

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.pos()):
            self._box.click()


def editor_in(field: Any) -> Editor:
    """Of a field with ``value()``, ``show_value()``, the signal ``changed`` and perhaps ``refresh()``."""
    return Editor(
        field, field.value, field.show_value, field.changed, getattr(field, "refresh", lambda: None)
    )


def _number(choice: Numeric[Any], _check: LayerCheck | None) -> Editor:
    whole = isinstance(choice, Whole)
    box = QSpinBox() if whole else QDoubleSpinBox()
    if not whole:
        box.setDecimals(choice.digits)
    box.setRange(*(int(end) if whole else end for end in (choice.least, choice.most)))
    box.setSuffix(f" {choice.unit}" if choice.unit else "")
    box.setSpecialValueText(choice.zero)
    if choice.step:
        box.setSingleStep(int(choice.step) if whole else choice.step)
    else:
        box.setStepType(QAbstractSpinBox.StepType.AdaptiveDecimalStepType)
    # Qt's own least width is that of the longest number, and does not count the words.
    box.setMinimumWidth(max(NARROW, box.fontMetrics().horizontalAdvance(choice.zero) + _ARROWS))
    value = box.value if whole else lambda: round(box.value(), choice.digits)
    return Editor(box, value, box.setValue, box.valueChanged)


def _flag(_choice: Flag, _check: LayerCheck | None) -> Editor:
    box = QCheckBox()
    return Editor(box, box.isChecked, box.setChecked, box.toggled)


def _field(choice: Field, _check: LayerCheck | None) -> Editor:
    box = QgsFieldComboBox()
    box.setAllowEmptyFieldName(choice.optional)
    if choice.numeric:
        box.setFilters(QgsFieldProxyModel.Filter.Numeric)
    return Editor(box, box.currentField, box.setField, box.fieldChanged)


def _text(_choice: Text, _check: LayerCheck | None) -> Editor:
    box = QLineEdit()
    return Editor(box, lambda: box.text().strip(), box.setText, box.textChanged)


def _layer(choice: Layer, check: LayerCheck | None) -> Editor:
    box = LayerPicker(check, choice.optional, isinstance(choice, Zone))
    show = box.pick_or_none if choice.optional else box.pick
    return Editor(box, box.layer_id, show, box.changed, box.refresh)


def _crs(choice: Crs, _check: LayerCheck | None) -> Editor:
    box = QgsProjectionSelectionWidget()
    box.setOptionVisible(QgsProjectionSelectionWidget.CrsOption.CrsNotSet, choice.optional)

    def value() -> str:
        return box.crs().authid() or box.crs().toWkt()

    return Editor(
        box, value, lambda name: box.setCrs(QgsCoordinateReferenceSystem(name)), box.crsChanged
    )


def _file(choice: File, _check: LayerCheck | None) -> Editor:
    if choice is FILE:
        kept_in = KeptIn()
        return Editor(kept_in, kept_in.path, kept_in.set_path, kept_in.changed, kept_in.refresh)
    box = QgsFileWidget()
    box.setFilter(choice.filter)
    return Editor(box, lambda: box.filePath().strip(), box.setFilePath, box.fileChanged)


def _area(choice: Area, _check: LayerCheck | None) -> Editor:
    box = AreaField(choice)
    return Editor(box, box.area, box.show_area, box.changed, box.refresh)


#: The first that a choice is an instance of counts.
_MAKERS: tuple[tuple[type[Choice[Any]], Callable[[Any, LayerCheck | None], Editor]], ...] = (
    (Numeric, _number),
    (Flag, _flag),
    (OneOf, lambda choice, _check: editor_in(OptionBox(choice.options))),
    (SomeOf, lambda choice, _check: editor_in(OptionsField(choice))),
    (Values, lambda choice, _check: editor_in(ValuesField(choice))),
    (Field, _field),
    (FieldPoints, lambda _choice, _check: editor_in(LayerBox(point_layers))),
    (Layer, _layer),
    (
        Layers,
        lambda one, check: editor_in(
            LayerChecklist(check, partial(polygon_layers, one.made), one.help)
        ),
    ),
    (Raster, lambda _choice, _check: editor_in(LayerBox(raster_layers))),
    (Bands, lambda choice, _check: editor_in(BandsField(choice))),
    (Area, _area),
    (Crs, _crs),
    (File, _file),
    (Text, _text),
)


FILE = File(
    "file",
    "",
    tr(
        "The GeoPackage file that keeps the layers; empty: a file beside the project. Each run adds tables of its own "
        "and leaves the others alone."
    ),
)


REPLACE = Flag(
    "replace_last",
    tr("Replace the layers of the last run"),
    tr(
        "Takes the layers of this page's last run out of the project when the new ones are there; what you edited or "
        "styled stays, as do the tables in the file. They can be brought back."
    ),
)


class KeptIn(QWidget):
    """Asks for a GeoPackage file; left empty it is the one beside the project. Emits :attr:`changed`."""

    changed = pyqtSignal()

    def __init__(self) -> None:
        super().__init__()
        self.file = QgsFileWidget()
        self.file.setStorageMode(QgsFileWidget.StorageMode.SaveFile)
        self.file.setFilter(tr("GeoPackage (*.gpkg)"))
        self.file.setConfirmOverwrite(False)
        self.file.setDialogTitle(tr("Keep the new layers in"))
        read_out_as(self.file, tr("Keep the new layers in"))
        self.file.setToolTip(FILE.help)
        why = tr(
            "The project has no file yet, so the new layers are temporary: save the project, or choose a file."
        )
        self.temporary = wrapped(why, WARN)
        fill(QVBoxLayout(self), self.file, self.temporary)
        self.file.fileChanged.connect(self._tell)
        self.refresh()

    def path(self) -> str:
        """The file chosen, with its ending; empty for the project's."""
        path = self.file.filePath().strip()
        return path if not path or path.lower().endswith(".gpkg") else f"{path}.gpkg"

    def set_path(self, path: str) -> None:
        """Show this file."""
        self.file.setFilePath(path)
        self.refresh()

    def refresh(self) -> None:
        """Follow the project's file."""
        kept_in = project_file()
        self.file.lineEdit().setPlaceholderText(
            Path(kept_in).name if kept_in else tr("a GeoPackage file")
        )
        self.temporary.setVisible(not kept_in and not self.path())

    def why_not(self) -> str:
        """Why nothing can be kept there, empty when it can."""
        file = self.path() or project_file()
        return file_problem(file) if file else ""

    def _tell(self, *_: object) -> None:
        self.refresh()
        self.changed.emit()
