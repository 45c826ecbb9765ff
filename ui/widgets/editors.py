"""The field of a form for each kind of choice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from qgis.core import QgsFieldProxyModel, QgsProject
from qgis.gui import QgsFieldComboBox
from qgis.PyQt.QtCore import QSize, Qt, pyqtSignal
from qgis.PyQt.QtWidgets import (
    QAbstractSpinBox,
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QRadioButton,
    QSizePolicy,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from randcrowns.algorithms.choice import Choice, Field, Flag, Numeric, OneOf, Option, SomeOf, Text, Whole
from randcrowns.algorithms.layer_choice import Area, AreaValue, Bands, Layer, Layers, Raster
from randcrowns.algorithms.values import Values
from randcrowns.layers.words import tr
from randcrowns.ui.services.layer_facts import LayerCheck, raster_layers
from randcrowns.ui.widgets.layer_checklist import LayerChecklist
from randcrowns.ui.widgets.layer_picker import BandsField, LayerChoice, LayerPicker

_ROWS = 5
#: Least width of a number in a row of several, pixels.
_NARROW = 56


@dataclass(frozen=True)
class Editor:
    """A widget, and how it shows the plain value of a choice.

    Attributes:
        widget: the field.
        value: reads it.
        show: shows a value; what cannot be shown leaves the field as it is.
        changed: signal.
        refresh: follows the project's layers.
    """

    widget: QWidget
    value: Callable[[], Any]
    show: Callable[[Any], object]
    changed: Any
    refresh: Callable[[], object] = lambda: None


def editor_of(choice: Choice[Any], check: LayerCheck | None = None) -> Editor:
    """The field for a choice, with its default and its help.

    Args:
        choice: what is edited.
        check: tells the oddities of layers for their badges.
    """
    made = next(make for kind, make in _MAKERS if isinstance(choice, kind))(choice, check)
    target = made.widget.combo if isinstance(made.widget, LayerPicker) else made.widget
    if not target.toolTip():
        target.setToolTip(choice.help)
    made.widget.setObjectName(choice.name)
    made.show(choice.default)
    return made


def options_box(options: tuple[Option, ...]) -> QComboBox:
    """A combo box of options, narrow enough for a narrow dock; each has its help."""
    combo = QComboBox()
    combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    combo.setMinimumContentsLength(10)
    for place, option in enumerate(options):
        combo.addItem(option.label, option.key)
        combo.setItemData(place, option.help, Qt.ItemDataRole.ToolTipRole)
    return combo


class AreaField(QWidget):
    """None, an image's rectangle, the polygons of a layer, or the map as shown. Emits :attr:`changed`."""

    changed = pyqtSignal()

    def __init__(self, choice: Area, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.kind = options_box(choice.options)
        self.kind.setToolTip(choice.help)
        self.layer = LayerPicker(optional=True, polygons=True)
        self.image = LayerChoice(tr("none"))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        for field in (self.kind, self.layer, self.image):
            column.addWidget(field)
        self.setFocusProxy(self.kind)
        for signal in (self.kind.currentIndexChanged, self.layer.changed, self.image.currentIndexChanged):
            signal.connect(self._tell)
        self.refresh()

    def value(self) -> AreaValue:
        """What is chosen; the map is read when a run begins."""
        kind = str(self.kind.currentData())
        image = self.image.layer_id() if kind == "image" else ""
        return AreaValue(kind, self.layer.layer_id() if kind == "layer" else "", image)

    def show_value(self, value: AreaValue) -> None:
        """Show a choice; layers that are gone are passed over."""
        self.kind.setCurrentIndex(max(0, self.kind.findData(value.kind)))
        self.layer.pick_or_none(value.layer)
        self.image.pick(value.image)
        self._tell()

    def refresh(self) -> None:
        """Follow the project's layers."""
        self.layer.refresh()
        self.image.offer(raster_layers())
        self._tell()

    def _tell(self, *_: object) -> None:
        kind = self.kind.currentData()
        self.layer.setVisible(kind == "layer")
        self.image.setVisible(kind == "image")
        if kind == "image" and not self.image.layer_id() and self.image.count() > 1:
            self.image.setCurrentIndex(1)
        self.changed.emit()


class RadioField(QWidget):
    """A radio button for each option. Emits :attr:`changed`."""

    changed = pyqtSignal()

    def __init__(self, choice: OneOf, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.buttons = {option.key: QRadioButton(option.label) for option in choice.options}
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        for option in choice.options:
            button = self.buttons[option.key]
            button.setToolTip(option.help)
            button.toggled.connect(self._tell)
            column.addWidget(button)
        self.buttons[choice.default].setChecked(True)

    def editor(self) -> Editor:
        """For a form."""
        return Editor(self, self.value, self.show_value, self.changed)

    def value(self) -> str:
        """Key of the option checked."""
        return next(key for key, button in self.buttons.items() if button.isChecked())

    def show_value(self, key: str) -> None:
        """Check an option."""
        self.buttons[key].setChecked(True)

    def _tell(self, checked: bool) -> None:
        if checked:  # the other button tells too
            self.changed.emit()


class ValuesField(QWidget):
    """First and last number of a range, and the step. Emits :attr:`changed`."""

    changed = pyqtSignal()

    def __init__(self, choice: Values, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.boxes = [QDoubleSpinBox() for _ in choice.default]
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        for box, least, words in zip(self.boxes, choice.least, ("", tr("to"), tr("by"))):
            box.setDecimals(choice.digits)
            box.setRange(least, choice.most)
            box.setSingleStep(choice.step)
            box.setToolTip(choice.help)
            box.setMinimumWidth(_NARROW)
            box.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
            box.valueChanged.connect(self._tell)
            if words:
                row.addWidget(QLabel(words))
            row.addWidget(box, 1)
        if choice.unit:
            row.addWidget(QLabel(choice.unit))
        self.setFocusProxy(self.boxes[0])

    def value(self) -> tuple[float, ...]:
        """The three numbers."""
        return tuple(round(box.value(), box.decimals()) for box in self.boxes)

    def show_value(self, value: tuple[float, ...]) -> None:
        """Show three numbers."""
        for box, number in zip(self.boxes, value):
            box.setValue(number)

    def _tell(self, *_: object) -> None:
        self.changed.emit()


class _Options(QListWidget):
    """Options, each to be checked."""

    def __init__(self, options: tuple[Option, ...]) -> None:
        super().__init__()
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        for option in options:
            item = QListWidgetItem(option.label)
            item.setData(Qt.ItemDataRole.UserRole, option.key)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            item.setToolTip(option.help)
            item.setCheckState(Qt.CheckState.Unchecked)
            self.addItem(item)

    def value(self) -> tuple[str, ...]:
        """Keys of those checked."""
        items = [self.item(row) for row in range(self.count())]
        return tuple(
            str(item.data(Qt.ItemDataRole.UserRole)) for item in items if item.checkState() == Qt.CheckState.Checked
        )

    def show_value(self, keys: tuple[str, ...]) -> None:
        """Check exactly these."""
        for row in range(self.count()):
            item = self.item(row)
            wanted = item.data(Qt.ItemDataRole.UserRole) in keys
            item.setCheckState(Qt.CheckState.Checked if wanted else Qt.CheckState.Unchecked)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Some of the rows; the others by scrolling."""
        return QSize(120, _ROWS * self.sizeHintForRow(0) + 2 * self.frameWidth())

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """The same height."""
        return QSize(80, self.sizeHint().height())


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
    value = box.value if whole else lambda: round(box.value(), choice.digits)
    return Editor(box, value, box.setValue, box.valueChanged)


def _flag(choice: Flag, _check: LayerCheck | None) -> Editor:
    box = QCheckBox()
    box.setAccessibleName(choice.label)
    return Editor(box, box.isChecked, box.setChecked, box.toggled)


def _one_of(choice: OneOf, _check: LayerCheck | None) -> Editor:
    box = options_box(choice.options)
    return Editor(
        box,
        lambda: str(box.currentData()),
        lambda key: box.setCurrentIndex(max(0, box.findData(key))),
        box.currentIndexChanged,
    )


def _some_of(choice: SomeOf, _check: LayerCheck | None) -> Editor:
    box = _Options(choice.options)
    return Editor(box, box.value, box.show_value, box.itemChanged)


def _values(choice: Values, _check: LayerCheck | None) -> Editor:
    box = ValuesField(choice)
    return Editor(box, box.value, box.show_value, box.changed)


def _field(choice: Field, _check: LayerCheck | None) -> Editor:
    box = QgsFieldComboBox()
    box.setAllowEmptyFieldName(choice.optional)
    if choice.numeric:
        box.setFilters(QgsFieldProxyModel.Filter.Numeric)
    return Editor(box, box.currentField, box.setField, box.fieldChanged)


def _text(choice: Text, _check: LayerCheck | None) -> Editor:
    box = QLineEdit()
    return Editor(box, lambda: box.text().strip(), box.setText, box.textChanged)


def _layer(choice: Layer, check: LayerCheck | None) -> Editor:
    box = LayerPicker(check, optional=choice.optional, polygons=check is None)
    show = box.pick_or_none if choice.optional else box.pick
    return Editor(box, box.layer_id, show, box.changed, box.refresh)


def _layers(choice: Layers, check: LayerCheck | None) -> Editor:
    return editor_in(LayerChecklist(check or LayerCheck(), what_for=choice.help))


def editor_in(box: LayerChecklist) -> Editor:
    """Of layers that are checked in a list."""
    return Editor(box, box.checked_ids, partial(_check_known, box), box.changed, box.refresh)


def _check_known(box: LayerChecklist, ids: tuple[str, ...]) -> None:
    """Check those of these layers that are in the project; none leaves the list as it is."""
    known = tuple(layer_id for layer_id in ids if QgsProject.instance().mapLayer(layer_id) is not None)
    if known:
        box.check(known)


def _raster(choice: Raster, _check: LayerCheck | None) -> Editor:
    box = LayerChoice(tr("none"))
    box.offer(raster_layers())
    return Editor(box, box.layer_id, box.pick, box.currentIndexChanged, lambda: box.offer(raster_layers()))


def _bands(choice: Bands, _check: LayerCheck | None) -> Editor:
    box = BandsField(choice)
    return Editor(box, box.value, box.show_value, box.changed)


def _area(choice: Area, _check: LayerCheck | None) -> Editor:
    box = AreaField(choice)
    return Editor(box, box.value, box.show_value, box.changed, box.refresh)


#: The first that a choice is an instance of counts.
_MAKERS: tuple[tuple[type[Choice[Any]], Callable[[Any, LayerCheck | None], Editor]], ...] = (
    (Numeric, _number),
    (Flag, _flag),
    (OneOf, _one_of),
    (SomeOf, _some_of),
    (Values, _values),
    (Field, _field),
    (Text, _text),
    (Layer, _layer),
    (Layers, _layers),
    (Raster, _raster),
    (Bands, _bands),
    (Area, _area),
)
