"""Fields of a form that edit the value of a parameter.

The fields of the dock have the methods ``value()`` and ``show_value()`` and the signal ``changed``.
"""

from __future__ import annotations

from collections.abc import Iterable
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
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QRadioButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from randcrowns.algorithms.layer_parameters import AreaParameter, AreaValue, BandsParameter
from randcrowns.algorithms.number_list import NumberListParameter
from randcrowns.algorithms.parameter_types import MultiOptionParameter, Option, OptionParameter
from randcrowns.layers.localization import escape_rich_text, tr
from randcrowns.layers.raster.grid import colour_bands, count_bands
from randcrowns.layers.vector.guesses import AREA_NAME_PATTERN, is_study_area, polygon_layers
from randcrowns.ui.services.layer_info import LayerFacts, raster_layers
from randcrowns.ui.widgets.boxes import OptionBox
from randcrowns.ui.widgets.number_boxes import DecimalBox, IntegerBox
from randcrowns.ui.widgets.parts import fill_layout

#: Minimum number of visible rows in a list.
_MIN_ROWS = 5
#: Minimum width of a spin box, pixels; Qt's own minimum is the width of the largest number.
MIN_SPIN_BOX_WIDTH = 56


class AreaField(OptionBox):
    """Combo box of areas: none, the map as shown, rectangles of images, and polygons of layers.

    Layers whose names say that they are areas come before other layers.

    Args:
        parameter: parameter with the kinds of areas.
    """

    def __init__(self, parameter: AreaParameter) -> None:
        super().__init__()
        self._parameter = parameter
        self.refresh()

    def area(self) -> AreaValue:
        """Return the selected area; the extent of the map is read only when a run starts."""
        # The key of a layer's area is its kind and the id of the layer, see _layer_options.
        kind, _, layer_id = self.value().partition(":")
        if kind == "layer":
            return AreaValue(kind, layer=layer_id)
        if kind == "image":
            return AreaValue(kind, image=layer_id)
        return AreaValue(kind)

    def set_area(self, area: AreaValue) -> None:
        """Select an area, or the first one if its layer is not in the project."""
        layer_ids = {"layer": area.layer, "image": area.image}
        layer_id = layer_ids.get(area.kind, "")
        self.set_value(f"{area.kind}:{layer_id}" if layer_id else area.kind)

    def refresh(self) -> None:
        """Reload the project's layers; emit ``changed`` if the selected layer was removed."""
        previous_key = self.value()
        declared_options = {option.key: option for option in self._parameter.options}
        options = [declared_options[key] for key in ("none", "canvas") if key in declared_options]
        # The two other kinds of areas become an option per layer.
        if "layer" in declared_options:
            area_layers = list(polygon_layers())
            if self._parameter.accepts_rasters:
                area_layers += raster_layers()
            area_layers.sort(key=lambda layer: not _is_area(layer))
            options += _layer_options(declared_options["layer"], area_layers)
        if "image" in declared_options:
            options += _layer_options(declared_options["image"], raster_layers())
        self.set_options(options)
        if self.value() != previous_key:
            self.currentIndexChanged.emit(self.currentIndex())


def _layer_options(kind: Option, layers: Iterable[QgsMapLayer]) -> list[Option]:
    """Return an option per layer for a kind of areas.

    Args:
        kind: Declared option of the kind, "layer" or "image".
        layers: Layers whose polygons or extent can be selected as the area.

    Returns:
        Options with the key ``<kind>:<layer id>``.
    """
    options = []
    for layer in layers:
        facts = LayerFacts.of_layer(layer, counts_polygons=True)
        tooltip = f"{kind.help}\n{facts.tooltip}"
        options.append(Option(f"{kind.key}:{layer.id()}", layer.name(), tooltip))
    return options


def _is_area(layer: QgsMapLayer) -> bool:
    """Return True if a layer has the name of an area or is a study area."""
    if AREA_NAME_PATTERN.search(layer.name().lower()):
        return True
    return isinstance(layer, QgsVectorLayer) and is_study_area(layer)


class BandsField(QWidget):
    """Row of spin boxes with the number of a raster's band per colour.

    Args:
        parameter: parameter with the names of the colours.
    """

    #: Emitted when a number changes.
    changed = pyqtSignal()

    def __init__(self, parameter: BandsParameter) -> None:
        super().__init__()
        self._raster: QgsRasterLayer | None = None
        #: Spin box of each colour.
        self.boxes = []
        row = fill_layout(QHBoxLayout(self))
        for name, _ in parameter.bands:
            box = IntegerBox()
            box.setRange(1, 1)
            box.setPrefix(f"{name[0].upper()} ")
            box.valueChanged.connect(self.changed)
            row.addWidget(box, 1)
            self.boxes.append(box)

    @property
    def has_bands(self) -> bool:
        """True if bands can be selected; a raster without colours has no selection."""
        return self._raster is not None

    def set_raster(self, raster: QgsRasterLayer | None) -> None:
        """Offer the bands of a raster and select those that the map shows.

        The selected bands stay if the raster is the same as before.

        Args:
            raster: raster with the bands; None for none.
        """
        displayed_bands = None if raster is None else colour_bands(raster)
        previous_raster = self._raster
        self._raster = None if displayed_bands is None else raster
        if raster is None or displayed_bands is None or raster is previous_raster:
            return
        n_bands = count_bands(raster)
        band_names = "\n".join(raster.bandName(band) for band in range(1, n_bands + 1))
        for box, band in zip(self.boxes, displayed_bands):
            with QSignalBlocker(box):
                box.setRange(1, n_bands)
                box.setValue(band)
            box.setToolTip(escape_rich_text(f"{self.toolTip()}\n{band_names}"))

    def value(self) -> tuple[int, ...]:
        """Return the band number of each colour, from 1; zeros if bands cannot be selected."""
        if not self.has_bands:
            return (0,) * len(self.boxes)
        return tuple(box.value() for box in self.boxes)

    def set_value(self, bands: tuple[int, ...]) -> None:
        """Select the band of each colour; do nothing if a number is 0."""
        if self.has_bands and all(bands):
            for box, band in zip(self.boxes, bands):
                box.setValue(band)


class RadioField(QWidget):
    """Column of radio buttons, one per option.

    Args:
        parameter: parameter with the options.
    """

    #: Emitted when another option is selected.
    changed = pyqtSignal()

    def __init__(self, parameter: OptionParameter) -> None:
        super().__init__()
        self.buttons = {option.key: QRadioButton(option.label) for option in parameter.options}
        fill_layout(QVBoxLayout(self), *self.buttons.values(), spacing=2)
        for option in parameter.options:
            self.buttons[option.key].setToolTip(option.help)
            self.buttons[option.key].toggled.connect(self._on_toggled)
        self.buttons[parameter.default].setChecked(True)

    def value(self) -> str:
        """Return the key of the selected option."""
        return next(key for key, button in self.buttons.items() if button.isChecked())

    def set_value(self, key: str) -> None:
        """Select the option with a key."""
        self.buttons[key].setChecked(True)

    def _on_toggled(self, is_checked: bool) -> None:
        """Emit :attr:`changed` once: the button that is switched off emits its signal, too."""
        if is_checked:
            self.changed.emit()


class ValuesField(QWidget):
    """Row of spin boxes with the first and the last number of a range, and the step.

    Args:
        parameter: parameter with the limits of the numbers.
    """

    #: Emitted when a number changes.
    changed = pyqtSignal()

    def __init__(self, parameter: NumberListParameter) -> None:
        super().__init__()
        #: Spin boxes of the first number, the last number and the step.
        self.boxes = [self._create_box(parameter, minimum) for minimum in parameter.minimums]
        first_box, last_box, step_box = self.boxes
        row = fill_layout(QHBoxLayout(self), spacing=4)
        row.addWidget(first_box, 1)
        row.addWidget(QLabel(tr("to")))
        row.addWidget(last_box, 1)
        row.addWidget(QLabel(tr("by")))
        row.addWidget(step_box, 1)
        if parameter.unit:
            row.addWidget(QLabel(parameter.unit))
        self.setFocusProxy(first_box)

    def _create_box(self, parameter: NumberListParameter, minimum: float) -> DecimalBox:
        """Return a spin box of the row.

        Args:
            parameter: Parameter with the decimals, the maximum and the step of the numbers.
            minimum: Minimum of the number.
        """
        box = DecimalBox()
        box.setDecimals(parameter.decimals)
        box.setRange(minimum, parameter.maximum)
        box.setSingleStep(parameter.step)
        box.setToolTip(parameter.help)
        box.setMinimumWidth(MIN_SPIN_BOX_WIDTH)
        box.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        box.valueChanged.connect(self.changed)
        return box

    def value(self) -> tuple[float, ...]:
        """Return the first number, the last number and the step."""
        return tuple(round(box.value(), box.decimals()) for box in self.boxes)

    def set_value(self, value: tuple[float, ...]) -> None:
        """Set the first number, the last number and the step."""
        for box, number in zip(self.boxes, value):
            box.setValue(number)


class OptionsField(QListWidget):
    """List of options with a check box each.

    Args:
        parameter: parameter with the options.
    """

    #: Emitted when an option is checked or unchecked.
    changed = pyqtSignal()

    def __init__(self, parameter: MultiOptionParameter) -> None:
        super().__init__()
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        for option in parameter.options:
            item = QListWidgetItem(option.label)
            item.setData(Qt.ItemDataRole.UserRole, option.key)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            item.setToolTip(option.help)
            item.setCheckState(Qt.CheckState.Unchecked)
            self.addItem(item)
        self.itemChanged.connect(self.changed)

    def value(self) -> tuple[str, ...]:
        """Return the keys of the checked options."""
        items = [self.item(row) for row in range(self.count())]
        return tuple(
            str(item.data(Qt.ItemDataRole.UserRole))
            for item in items
            if item.checkState() == Qt.CheckState.Checked
        )

    def set_value(self, keys: tuple[str, ...]) -> None:
        """Check the options with these keys and uncheck the others."""
        for row in range(self.count()):
            item = self.item(row)
            is_checked = item.data(Qt.ItemDataRole.UserRole) in keys
            item.setCheckState(Qt.CheckState.Checked if is_checked else Qt.CheckState.Unchecked)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Return the size at which all options are visible."""
        return QSize(120, self._height_of(self.count()))

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Return the size at which up to :data:`_MIN_ROWS` options are visible."""
        return QSize(80, self._height_of(min(_MIN_ROWS, self.count())))

    def _height_of(self, n_rows: int) -> int:
        """Return the height of a number of rows with the frame, pixels."""
        return n_rows * self.sizeHintForRow(0) + 2 * self.frameWidth()


class FieldOfLayers(QgsAbstractProcessingParameterWidgetWrapper):
    """Toolbox widget for the name of an attribute that several layers have.

    The widget offers the attributes of the layers that another parameter selects. Processing
    creates it by its import path, which the parameter's metadata contain.

    Args:
        parameter: definition of the parameter.
        dialog: dialog of the algorithm, which decides the type of the widget.
        _position: row and column in a batch dialog, not used.
        metadata: ``layers``, the name of the parameter that selects the layers, and ``numeric``,
            True to offer numeric attributes only.
    """

    def __new__(
        cls,
        parameter: QgsProcessingParameterDefinition,
        dialog: Any,
        *_position: int,
        **_metadata: Any,
    ) -> Any:
        """Return a plain widget for texts in the model designer, where layers are not known."""
        if hasattr(dialog, "childId"):
            make_widget = QgsGui.processingGuiRegistry().createModelerParameterWidget
            return make_widget(dialog.model, dialog.childId, parameter, dialog.context)
        return super().__new__(cls)

    def __init__(
        self,
        parameter: QgsProcessingParameterDefinition,
        dialog: Any,
        *_position: int,
        **metadata: Any,
    ) -> None:
        widget_type = QgsProcessingGui.WidgetType.Standard
        # QGIS has no other sign of the dialog of a batch process.
        if type(dialog).__name__.startswith("Batch"):
            widget_type = QgsProcessingGui.WidgetType.Batch
        super().__init__(parameter, widget_type)
        self._metadata = metadata

    def createWidget(self) -> QWidget:  # noqa: N802 - QGIS's name
        """Return a new editable combo box."""
        box = QComboBox()
        # QGIS does not keep a reference, so Python would delete the box.
        self._box = box
        box.setEditable(True)
        box.setToolTip(self.parameterDefinition().toolTip())
        box.currentTextChanged.connect(lambda _: self.widgetValueHasChanged.emit(self))
        return box

    def setWidgetValue(  # noqa: N802 - QGIS's name
        self, value: Any, _context: QgsProcessingContext
    ) -> None:
        """Show the name of an attribute."""
        self.wrappedWidget().setCurrentText(str(value or ""))

    def widgetValue(self) -> str:  # noqa: N802 - QGIS's name
        """Return the name of the attribute, or "" if there is none."""
        return str(self.wrappedWidget().currentText())

    def postInitialize(self, wrappers: list[Any]) -> None:  # noqa: N802 - QGIS's name
        """Follow the parameter that selects the layers.

        Args:
            wrappers: widgets of all parameters in the dialog.
        """
        for wrapper in wrappers:
            if wrapper.parameterDefinition().name() == self._metadata["layers"]:
                wrapper.widgetValueHasChanged.connect(self._offer_fields)
                self._offer_fields(wrapper)

    def _offer_fields(self, wrapper: QgsAbstractProcessingParameterWidgetWrapper) -> None:
        """Offer the attributes of the layers that a widget selects; the current text stays.

        Args:
            wrapper: Widget of the parameter that selects the layers.
        """
        definition = wrapper.parameterDefinition()
        context = QgsProcessingContext()
        context.setProject(QgsProject.instance())
        values = {definition.name(): wrapper.parameterValue()}
        layers = QgsProcessingParameters.parameterAsLayerList(definition, values, context)
        only_numeric = self._metadata["numeric"]
        names: list[str] = []
        for layer in layers:
            if isinstance(layer, QgsVectorLayer):
                offered_fields = list(layer.fields())
                if only_numeric:
                    offered_fields = [field for field in offered_fields if field.isNumeric()]
                names += [field.name() for field in offered_fields]
        offered_names = dict.fromkeys(names)  # several layers may have the same field
        box = self.wrappedWidget()
        current_text = self.widgetValue()
        with QSignalBlocker(box):
            box.clear()
            box.addItems(["", *offered_names])
            box.setCurrentText(current_text)
