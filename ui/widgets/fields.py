"""Fields of a form for the value of a choice: each has ``value()``, ``show_value()`` and the signal ``changed``."""

from __future__ import annotations

from typing import Any

from qgis.core import (
    QgsMapLayer,
    QgsProcessingContext,
    QgsProcessingParameterDefinition,
    QgsProcessingParameters,
    QgsProject,
    QgsRasterLayer,
    QgsVectorLayer,
)
from qgis.gui import QgsAbstractProcessingParameterWidgetWrapper, QgsGui, QgsProcessingGui
from qgis.PyQt.QtCore import QSignalBlocker, QSize, Qt, pyqtSignal
from qgis.PyQt.QtWidgets import (
    QComboBox,
    QDoubleSpinBox,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QRadioButton,
    QSizePolicy,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from randcrowns.algorithms.choice import OneOf, Option, SomeOf
from randcrowns.algorithms.layer_choice import Area, AreaValue, Bands
from randcrowns.algorithms.values import Values
from randcrowns.layers.raster.grid import colour_bands
from randcrowns.layers.vector.guesses import AREA_NAME, polygon_layers
from randcrowns.layers.words import plain, tr
from randcrowns.ui.services.layer_facts import LayerFacts, raster_layers
from randcrowns.ui.widgets.boxes import OptionBox
from randcrowns.ui.widgets.parts import fill

#: Rows of a list that are shown at least; all, where there is room.
_ROWS = 5
#: Least width of a number, pixels: the box itself would take what its largest number needs.
NARROW = 56


class AreaField(OptionBox):
    """Nothing, the map as shown, and every layer that is an area: images by their rectangle, layers by their polygons.

    Layers that are an area by their name stand before the others.
    """

    def __init__(self, choice: Area) -> None:
        super().__init__()
        self._choice = choice
        self.refresh()

    def area(self) -> AreaValue:
        """What is chosen; the map is read when a run begins."""
        kind, _, layer_id = self.value().partition(":")
        return AreaValue(kind, **{kind: layer_id} if layer_id else {})

    def show_area(self, area: AreaValue) -> None:
        """Show a choice, the first where its layer is gone."""
        layer_id = {"layer": area.layer, "image": area.image}.get(area.kind, "")
        self.show_value(f"{area.kind}:{layer_id}" if layer_id else area.kind)

    def refresh(self) -> None:
        """Follow the project's layers."""
        before, options = self.value(), {option.key: option for option in self._choice.options}
        offered = [options.pop(key) for key in ("none", "canvas") if key in options]
        rasters = raster_layers() if self._choice.rasters else []
        layers: dict[str, list[QgsMapLayer]] = {
            "layer": sorted(
                [*polygon_layers(), *rasters],
                key=lambda one: not AREA_NAME.search(one.name().lower()),
            ),
            "image": list(raster_layers()),
        }
        for kind, option in options.items():
            for layer in layers[kind]:
                told = f"{option.help}\n{LayerFacts.of(layer, polygons=True).tooltip}"
                offered.append(Option(f"{kind}:{layer.id()}", layer.name(), told))
        self.offer(offered)
        if self.value() != before:  # its layer is gone
            self.currentIndexChanged.emit(self.currentIndex())


class BandsField(QWidget):
    """Numbers of a raster's bands, one per colour. Emits :attr:`changed`."""

    changed = pyqtSignal()

    def __init__(self, choice: Bands) -> None:
        super().__init__()
        self._raster: QgsRasterLayer | None = None
        self.boxes = []
        row = fill(QHBoxLayout(self))
        for name, _ in choice.bands:
            box = QSpinBox()
            box.setRange(1, 1)
            box.setPrefix(f"{name[0].upper()} ")
            box.valueChanged.connect(self.changed)
            row.addWidget(box, 1)
            self.boxes.append(box)

    @property
    def offered(self) -> bool:
        """Whether there is anything to choose: a grey raster has no colours."""
        return self._raster is not None

    def offer(self, raster: QgsRasterLayer | None) -> None:
        """Offer the bands of a raster, and choose those it is shown with; a raster offered already stays."""
        shown = None if raster is None else colour_bands(raster)
        before, self._raster = self._raster, None if shown is None else raster
        if raster is None or shown is None or raster is before:
            return
        names = "\n".join(raster.bandName(band) for band in range(1, raster.bandCount() + 1))
        for box, band in zip(self.boxes, shown):
            with QSignalBlocker(box):
                box.setRange(1, raster.bandCount())
                box.setValue(band)
            box.setToolTip(plain(f"{self.toolTip()}\n{names}"))

    def value(self) -> tuple[int, ...]:
        """Numbers from 1; zeros where there is nothing to choose."""
        return tuple(box.value() if self.offered else 0 for box in self.boxes)

    def show_value(self, bands: tuple[int, ...]) -> None:
        """Choose these; zeros leave the choice as it is."""
        if self.offered and all(bands):
            for box, band in zip(self.boxes, bands):
                box.setValue(band)


class RadioField(QWidget):
    """A radio button for each option. Emits :attr:`changed`."""

    changed = pyqtSignal()

    def __init__(self, choice: OneOf) -> None:
        super().__init__()
        self.buttons = {option.key: QRadioButton(option.label) for option in choice.options}
        fill(QVBoxLayout(self), *self.buttons.values(), spacing=2)
        for option in choice.options:
            self.buttons[option.key].setToolTip(option.help)
            self.buttons[option.key].toggled.connect(self._tell)
        self.buttons[choice.default].setChecked(True)

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

    def __init__(self, choice: Values) -> None:
        super().__init__()
        self.boxes = [QDoubleSpinBox() for _ in choice.default]
        row = fill(QHBoxLayout(self), spacing=4)
        for box, least, words in zip(self.boxes, choice.least, ("", tr("to"), tr("by"))):
            box.setDecimals(choice.digits)
            box.setRange(least, choice.most)
            box.setSingleStep(choice.step)
            box.setToolTip(choice.help)
            box.setMinimumWidth(NARROW)
            box.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
            box.valueChanged.connect(self.changed)
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


class OptionsField(QListWidget):
    """Options, each to be checked. Emits :attr:`changed`."""

    changed = pyqtSignal()

    def __init__(self, choice: SomeOf) -> None:
        super().__init__()
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        for option in choice.options:
            item = QListWidgetItem(option.label)
            item.setData(Qt.ItemDataRole.UserRole, option.key)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            item.setToolTip(option.help)
            item.setCheckState(Qt.CheckState.Unchecked)
            self.addItem(item)
        self.itemChanged.connect(self.changed)

    def value(self) -> tuple[str, ...]:
        """Keys of those checked."""
        items = [self.item(row) for row in range(self.count())]
        return tuple(
            str(item.data(Qt.ItemDataRole.UserRole))
            for item in items
            if item.checkState() == Qt.CheckState.Checked
        )

    def show_value(self, keys: tuple[str, ...]) -> None:
        """Check exactly these."""
        for row in range(self.count()):
            item = self.item(row)
            wanted = item.data(Qt.ItemDataRole.UserRole) in keys
            item.setCheckState(Qt.CheckState.Checked if wanted else Qt.CheckState.Unchecked)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(120, self.count() * self.sizeHintForRow(0) + 2 * self.frameWidth())

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(80, min(_ROWS, self.count()) * self.sizeHintForRow(0) + 2 * self.frameWidth())


class FieldOfLayers(QgsAbstractProcessingParameterWidgetWrapper):
    """In the toolbox: the name of a field, to choose from those of the layers of the parameter ``of["layers"]``."""

    def __new__(
        cls, parameter: QgsProcessingParameterDefinition, dialog: Any, *_place: int, **_of: Any
    ) -> Any:
        """A model knows no layers, and has a field of its own for texts."""
        if hasattr(dialog, "childId"):
            make = QgsGui.processingGuiRegistry().createModelerParameterWidget
            return make(dialog.model, dialog.childId, parameter, dialog.context)
        return super().__new__(cls)

    def __init__(
        self, parameter: QgsProcessingParameterDefinition, dialog: Any, *place: int, **of: Any
    ) -> None:
        kinds = QgsProcessingGui.WidgetType
        super().__init__(
            parameter, kinds.Batch if type(dialog).__name__.startswith("Batch") else kinds.Standard
        )
        self._of = of

    def createWidget(self) -> QWidget:  # noqa: N802 - QGIS's name
        box = self._box = QComboBox()  # QGIS does not hold it
        box.setEditable(True)
        box.setToolTip(self.parameterDefinition().toolTip())
        box.currentTextChanged.connect(lambda _: self.widgetValueHasChanged.emit(self))
        return box

    def setWidgetValue(self, value: Any, _context: QgsProcessingContext) -> None:  # noqa: N802 - QGIS's name
        self.wrappedWidget().setCurrentText(str(value or ""))

    def widgetValue(self) -> str:  # noqa: N802 - QGIS's name
        return str(self.wrappedWidget().currentText())

    def postInitialize(self, wrappers: list[Any]) -> None:  # noqa: N802 - QGIS's name
        for wrapper in wrappers:
            if wrapper.parameterDefinition().name() == self._of["layers"]:
                wrapper.widgetValueHasChanged.connect(self._offer)
                self._offer(wrapper)

    def _offer(self, of: QgsAbstractProcessingParameterWidgetWrapper) -> None:
        context, definition = QgsProcessingContext(), of.parameterDefinition()
        context.setProject(QgsProject.instance())
        given = {definition.name(): of.parameterValue()}
        layers = QgsProcessingParameters.parameterAsLayerList(definition, given, context)
        fields = [
            field
            for layer in layers
            if isinstance(layer, QgsVectorLayer)
            for field in layer.fields()
        ]
        names = dict.fromkeys(
            field.name() for field in fields if field.isNumeric() or not self._of["numeric"]
        )
        box, before = self.wrappedWidget(), self.widgetValue()
        with QSignalBlocker(box):
            box.clear()
            box.addItems(["", *names])
            box.setCurrentText(before)
