"""Combo boxes of options and of the project's layers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from html import escape
from typing import Any

from qgis.core import QgsIconUtils, QgsMapLayer, QgsProject, QgsVectorLayer
from qgis.gui import QgsFieldComboBox
from qgis.PyQt.QtCore import QSignalBlocker, Qt, pyqtSignal
from qgis.PyQt.QtGui import QIcon, QPaintEvent, QResizeEvent
from qgis.PyQt.QtWidgets import (
    QComboBox,
    QSizePolicy,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
    QVBoxLayout,
    QWidget,
)

from randcrowns.algorithms.parameter_types import Option
from randcrowns.layers.localization import escape_rich_text, tr
from randcrowns.layers.vector.guesses import (
    is_study_area,
    offered_polygon_layers,
    polygon_layers,
)
from randcrowns.layers.vector.names import unique_names
from randcrowns.ui.services.layer_info import LayerCheck, LayerFacts, raster_layers, vector_layer
from randcrowns.ui.widgets.colours import SECONDARY_TONE, WARNING_TONE, ThemedLabel
from randcrowns.ui.widgets.parts import fill_layout

#: Minimum width of the text of a combo box, characters.
_MIN_TEXT_LENGTH = 6
#: Space between the icon and the text of a combo box, pixels.
_ICON_SPACING = 4
#: Space after the text of a combo box, pixels.
_TEXT_MARGIN = 2
#: Maximum width of the list below a combo box, pixels.
_MAX_LIST_WIDTH = 560


def _keep_selected(key: Any) -> str | None:
    """Return the key that was selected before, so that the selection stays."""
    return key


class OptionBox(QComboBox):
    """Combo box of options; a text that is too long for the box is elided in the middle.

    Args:
        options: options from top to bottom.
    """

    def __init__(self, options: Iterable[Option] = ()) -> None:
        super().__init__()
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(_MIN_TEXT_LENGTH)
        #: Options from top to bottom.
        self.options: tuple[Option, ...] = ()
        #: Key of the option that a form selects by default; "" for the first.
        self.default_key = ""
        self.set_options(options)

    @property
    def changed(self) -> Any:
        """Signal that is emitted when another option is selected."""
        return self.currentIndexChanged

    def value(self) -> str:
        """Return the key of the selected option, or "" if no option is selected."""
        return str(self.currentData() or "")

    def set_value(self, key: str) -> None:
        """Select the option with a key, or the first option if the key is unknown."""
        self.setCurrentIndex(max(0, self.findData(key)))

    def set_options(
        self,
        options: Iterable[Option],
        choose: Callable[[Any], str | None] = _keep_selected,
        n_separated: int = 0,
    ) -> None:
        """Replace the options without emitting :attr:`changed`.

        Does nothing if the options are the same as before.

        Args:
            options: new options from top to bottom.
            choose: function from the key that was selected before (None if there was none) to the
                key to select. By default the selection stays. The first option is selected if the
                returned key is unknown.
            n_separated: number of options at the end that are shown below a line.
        """
        new_options = tuple(options)
        if new_options == self.options:
            return

        self.options = new_options
        selected_key = choose(self.currentData())
        with QSignalBlocker(self):
            self.clear()
            for index, option in enumerate(new_options):
                self.addItem(option.label, option.key)
                self.setItemData(index, escape_rich_text(option.help), Qt.ItemDataRole.ToolTipRole)
            if 0 < n_separated < len(new_options):
                self.insertSeparator(len(new_options) - n_separated)
            self.setCurrentIndex(max(0, self.findData(selected_key)))
        self.view().setMinimumWidth(min(self.view().sizeHintForColumn(0), _MAX_LIST_WIDTH))

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Paint the box with the middle of a long text elided.

        Qt elides the end, which is the time of day in the title of a run.
        """
        painter = QStylePainter(self)
        style_option = QStyleOptionComboBox()
        self.initStyleOption(style_option)

        text_rectangle = self.style().subControlRect(
            QStyle.ComplexControl.CC_ComboBox,
            style_option,
            QStyle.SubControl.SC_ComboBoxEditField,
            self,
        )
        text_width = text_rectangle.width() - _TEXT_MARGIN
        if not style_option.currentIcon.isNull():
            text_width -= style_option.iconSize.width() + _ICON_SPACING
        style_option.currentText = style_option.fontMetrics.elidedText(
            style_option.currentText, Qt.TextElideMode.ElideMiddle, text_width
        )

        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, style_option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, style_option)


class FieldBox(QgsFieldComboBox):
    """Combo box of the fields of a layer that says so if no field is selected.

    QGIS's own box is blank then, like a box that was not filled yet.
    """

    @property
    def displayed_text(self) -> str:
        """Text of the box: the name of the selected field, or that there is none."""
        return str(self.currentText()) or tr("no field")

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Paint the box with :attr:`displayed_text`."""
        painter = QStylePainter(self)
        style_option = QStyleOptionComboBox()
        self.initStyleOption(style_option)
        style_option.currentText = self.displayed_text
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, style_option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, style_option)


class Badge(ThemedLabel):
    """Label of one line with the facts and the first problem of a layer; the tooltip has them all.

    Its height does not depend on the facts, so that the widgets below it never move.
    """

    def __init__(self) -> None:
        super().__init__(tone=SECONDARY_TONE)
        self._facts: LayerFacts | None = None
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def show_facts(self, facts: LayerFacts | None) -> None:
        """Show the facts of a layer; hide the badge if there are none."""
        self._facts = facts
        self.setToolTip("" if facts is None else escape_rich_text(facts.tooltip))
        self._update_text()
        self.setVisible(facts is not None)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Elide the text again for the new width."""
        super().resizeEvent(event)
        self._update_text()

    def _update_text(self) -> None:
        """Elide the text to the width; the warning sign comes first, then facts, then problem."""
        facts = self._facts
        if facts is None:
            return
        first_problem = facts.notices[0] if facts.notices else ""
        sign = " ⚠ " if first_problem else ""
        metrics = self.fontMetrics()
        facts_width = self.width() - metrics.horizontalAdvance(sign)
        facts_text = metrics.elidedText(facts.text, Qt.TextElideMode.ElideRight, facts_width)
        problem_width = self.width() - metrics.horizontalAdvance(facts_text + sign)
        problem_text = metrics.elidedText(first_problem, Qt.TextElideMode.ElideRight, problem_width)
        warning = f"<span style='color:{WARNING_TONE}'>{sign}{escape(problem_text)}</span>"
        self.setText(f"{escape(facts_text)}{warning}")


class LayerPicker(QWidget):
    """Combo box of the project's polygon layers, with the badge of the selected layer below.

    The results of runs come last, below a line.

    Args:
        check: background check of the selected layer for problems; None for no check.
        optional: True if no layer may be selected.
        with_rasters: True to list raster layers after the polygon layers.
    """

    #: Emitted when another layer is selected.
    changed = pyqtSignal()

    def __init__(
        self, check: LayerCheck | None, optional: bool, with_rasters: bool = False
    ) -> None:
        super().__init__()
        self._with_rasters = with_rasters
        self._check = check
        #: Label of the entry for no layer; "" if a layer is required.
        self._none_label = tr("no layer") if optional else ""
        #: Id of the layer that the user selected; "" while the selection is a default.
        self._chosen_id = ""
        self.combo = OptionBox()
        self.combo.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.badge = Badge()
        fill_layout(QVBoxLayout(self), self.combo, self.badge, spacing=1)
        self.setFocusProxy(self.combo)
        self.refresh()
        self.combo.changed.connect(self._on_selection_changed)
        self.combo.activated.connect(self._remember_choice)

    def layer(self) -> QgsVectorLayer | None:
        """Return the selected layer, or None if no vector layer is selected."""
        return vector_layer(self.combo.value())

    def layer_id(self) -> str:
        """Return the id of the selected layer, or "" if no layer is selected."""
        return self.combo.value()

    def select_layer(self, layer_id: str) -> bool:
        """Select a layer as the user's choice.

        Args:
            layer_id: id of the layer.

        Returns:
            True if the layer is selected, False if the project does not have it. The selection
            then stays as it is.
        """
        if self.combo.findData(layer_id) < 0:
            self.refresh()
        if not layer_id or self.combo.findData(layer_id) < 0:
            return False
        self._chosen_id = layer_id
        self.combo.set_value(layer_id)
        return True

    def set_default_layer(self, layer: QgsVectorLayer | None) -> None:
        """Select a layer as the default, unless the user selected the current layer.

        Args:
            layer: Default layer; None to change nothing.
        """
        if layer is not None and not self.is_chosen:
            self.combo.set_value(layer.id())

    @property
    def is_chosen(self) -> bool:
        """True if the user or a stored setting selected the current layer."""
        return self._chosen_id != "" and self._chosen_id == self.layer_id()

    def select_layer_or_none(self, layer_id: str) -> None:
        """Select a layer by its id, or no layer if the project does not have it."""
        if not self.select_layer(layer_id):
            self.combo.set_value("")

    def allow_none(self, label: str) -> None:
        """Add an entry for no layer and select it.

        Args:
            label: label of the entry.
        """
        self._none_label = label
        self.refresh()
        self.combo.set_value("")

    def refresh(self) -> None:
        """Reload the project's layers, their icons and the badge.

        A layer that a run made stays selected only if the user chose it. Emits :attr:`changed` if
        another layer becomes selected.
        """
        id_before = self.layer_id()
        self._offer_layers()
        self._update_icons()
        self._update_badge()
        if self.layer_id() != id_before:
            self.changed.emit()

    def _offer_layers(self) -> None:
        """Offer the project's layers, and select a default if the selected layer may not stay.

        The result of a run stays selected only if the user selected it. The default is the entry
        for no layer if there is one, else the first layer that is no study area.
        """
        input_layers = list(polygon_layers())
        if self._with_rasters:
            input_layers += raster_layers()
        input_ids = {layer.id() for layer in input_layers}
        result_layers = [layer for layer in offered_polygon_layers() if layer.id() not in input_ids]
        default_layers = [layer for layer in input_layers if not _is_study_area(layer)]
        none_label = self._none_label
        if not none_label and not default_layers:
            none_label = tr("no layer of crowns") if input_layers else tr("no polygon layer")

        offered_layers = [*input_layers, *result_layers]
        # Two layers of the same name get different names, such as two consensuses.
        names = unique_names([layer.name() for layer in offered_layers])
        options = [Option(layer.id(), name, name) for layer, name in zip(offered_layers, names)]
        default_id = ""
        if none_label:
            options.insert(0, Option("", none_label))
        else:
            default_id = default_layers[0].id()
        lasting_ids = {*input_ids, self._chosen_id}

        def keep_or_replace(selected_id: str) -> str:
            """Return the id to select instead of the selected one."""
            return selected_id if selected_id in lasting_ids else default_id

        self.combo.set_options(options, keep_or_replace, n_separated=len(result_layers))

    def _update_icons(self) -> None:
        """Show the icon of each layer's type in the list."""
        for index in range(self.combo.count()):
            layer = QgsProject.instance().mapLayer(str(self.combo.itemData(index)))
            icon = QIcon() if layer is None else QgsIconUtils.iconForLayer(layer)
            self.combo.setItemIcon(index, icon)

    def _update_badge(self) -> None:
        """Show the facts and problems of the selected layer; only vector layers are checked."""
        selected_layer = QgsProject.instance().mapLayer(self.combo.value())
        if selected_layer is None:
            self.badge.show_facts(None)
            return
        polygon_layer = self.layer()  # None for a raster
        problems: tuple[str, ...] = ()
        if polygon_layer is not None and self._check is not None:
            problems = self._check.problems(polygon_layer)
        self.badge.show_facts(LayerFacts.of_layer(selected_layer, problems))

    def _remember_choice(self, *_: object) -> None:
        """Store the selected layer as the user's choice."""
        self._chosen_id = self.layer_id()

    def _on_selection_changed(self, *_: object) -> None:
        """Update the list and the badge, and emit :attr:`changed`."""
        self.refresh()
        self.changed.emit()


class LayerBox(OptionBox):
    """Combo box of some of the project's layers; the first entry stands for no layer.

    Args:
        layers: function that returns the layers to list, such as all rasters of the project.
    """

    def __init__(self, layers: Callable[[], Iterable[QgsMapLayer]]) -> None:
        super().__init__()
        self._layers = layers
        self.refresh()

    def refresh(self) -> None:
        """Reload the project's layers."""
        options = [Option("", tr("no layer"))]
        options += [Option(layer.id(), layer.name()) for layer in self._layers()]
        self.set_options(options)


def _is_study_area(layer: QgsMapLayer) -> bool:
    """Return True if a layer is a polygon layer that is a study area."""
    return isinstance(layer, QgsVectorLayer) and is_study_area(layer)
