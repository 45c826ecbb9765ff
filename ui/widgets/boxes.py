"""Boxes that offer options; pickers of layers, which follow the project, with a badge beside each polygon layer."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from html import escape
from typing import Any

from qgis.core import QgsIconUtils, QgsMapLayer, QgsProject, QgsVectorLayer
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

from randcrowns.algorithms.choice import Option
from randcrowns.layers.vector.guesses import polygon_layers
from randcrowns.layers.words import plain, tr
from randcrowns.ui.services.layer_facts import LayerCheck, LayerFacts, raster_layers, vector_layer
from randcrowns.ui.widgets.colours import QUIET, WARN, Words
from randcrowns.ui.widgets.parts import fill

#: Pixels beside the icon of a box, and of the widest list below one.
_BESIDE, _WIDEST_LIST = 4, 560


class OptionBox(QComboBox):
    """Offers options, one of which is chosen; in a narrow dock the middle of a long one is left out."""

    def __init__(self, options: Iterable[Option] = ()) -> None:
        super().__init__()
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(6)
        self.offered: tuple[Option, ...] = ()
        self.usual = ""  #: Key of what fits the layers, where a form presets it.
        self.offer(options)

    @property
    def changed(self) -> Any:
        """Signal: another option is chosen."""
        return self.currentIndexChanged

    def value(self) -> str:
        """Key of the option chosen; empty for none."""
        return str(self.currentData() or "")

    def show_value(self, key: str) -> None:
        """Choose an option; the first where this one is not offered."""
        self.setCurrentIndex(max(0, self.findData(key)))

    def offer(
        self, options: Iterable[Option], choose: Callable[[Any], str | None] = lambda before: before
    ) -> None:
        """Offer other options, silently.

        Args:
            options: from top to bottom; with those that are offered already nothing changes.
            choose: which to choose, by the key of the one chosen before, None where there was none; that same one
                by default, and the first where it is not offered.
        """
        before, self.offered = self.offered, tuple(options)
        if self.offered == before:
            return
        chosen = choose(self.currentData())
        with QSignalBlocker(self):
            self.clear()
            for place, option in enumerate(self.offered):
                self.addItem(option.label, option.key)
                self.setItemData(place, plain(option.help), Qt.ItemDataRole.ToolTipRole)
            self.setCurrentIndex(max(0, self.findData(chosen)))
        self.view().setMinimumWidth(min(self.view().sizeHintForColumn(0), _WIDEST_LIST))

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """As Qt does, which cuts the end of a long text off: of a run that is its time."""
        painter, option = QStylePainter(self), QStyleOptionComboBox()
        self.initStyleOption(option)
        parts, icon = (
            QStyle.SubControl,
            0 if option.currentIcon.isNull() else option.iconSize.width() + _BESIDE,
        )
        room = self.style().subControlRect(
            QStyle.ComplexControl.CC_ComboBox, option, parts.SC_ComboBoxEditField, self
        )
        shown = option.fontMetrics.elidedText
        option.currentText = shown(
            option.currentText, Qt.TextElideMode.ElideMiddle, room.width() - icon - 2
        )
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)


class Badge(Words):
    """What is known of a layer, in one line whatever a look finds: nothing below it moves. All is its tooltip."""

    def __init__(self) -> None:
        super().__init__(tone=QUIET)
        self._facts: LayerFacts | None = None
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def show_facts(self, facts: LayerFacts | None) -> None:
        """Show these; without any it is hidden."""
        self._facts = facts
        self.setToolTip("" if facts is None else plain(facts.tooltip))
        self._write()
        self.setVisible(facts is not None)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._write()

    def _write(self) -> None:
        """The sign that something is odd has room, then the facts, then what is odd."""
        facts, metrics, right = self._facts, self.fontMetrics(), Qt.TextElideMode.ElideRight
        if facts is None:
            return
        sign = " ⚠ " if facts.odd else ""
        text = metrics.elidedText(facts.text, right, self.width() - metrics.horizontalAdvance(sign))
        room = self.width() - metrics.horizontalAdvance(text + sign)
        odd = metrics.elidedText("".join(facts.odd[:1]), right, room)
        self.setText(f"{escape(text)}<span style='color:{WARN}'>{sign}{escape(odd)}</span>")


class LayerPicker(QWidget):
    """A box of the project's polygon layers, what runs made last, and the badge of the one picked.

    With ``rasters`` of these too, behind the others.
    """

    changed = pyqtSignal()

    def __init__(self, check: LayerCheck | None, optional: bool, rasters: bool = False) -> None:
        super().__init__()
        self._rasters = rasters
        self._check = check
        #: Words of the first entry, where there need be no layer.
        self._none = tr("no layer") if optional else ""
        #: Id of the layer that was picked by somebody, not preset.
        self._chosen = ""
        self.combo = OptionBox()
        self.combo.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.badge = Badge()
        fill(QVBoxLayout(self), self.combo, self.badge, spacing=1)
        self.setFocusProxy(self.combo)
        self.refresh()
        self.combo.changed.connect(self._tell)
        self.combo.activated.connect(lambda _: setattr(self, "_chosen", self.layer_id()))

    def layer(self) -> QgsVectorLayer | None:
        """The layer picked."""
        return vector_layer(self.combo.value())

    def layer_id(self) -> str:
        """The id of the layer picked, empty when there is none."""
        return self.combo.value()

    def pick(self, layer_id: str) -> bool:
        """Pick the layer of that id; False (and nothing changed) when the project has none."""
        if self.combo.findData(layer_id) < 0:
            self.refresh()
        if not layer_id or self.combo.findData(layer_id) < 0:
            return False
        self._chosen = layer_id
        self.combo.show_value(layer_id)
        return True

    def pick_unless_chosen(self, layer: QgsVectorLayer | None) -> None:
        """Pick a layer as long as nobody has chosen the one that is picked."""
        if layer is not None and not (self._chosen and self._chosen == self.layer_id()):
            self.combo.show_value(layer.id())

    def pick_or_none(self, layer_id: str) -> None:
        """Pick the layer of that id, or none when the project has no such layer."""
        if not self.pick(layer_id):
            self.combo.show_value("")

    def allow_none(self, words: str) -> None:
        """Let no layer be picked, and pick none; the box then shows the words."""
        self._none = words
        self.refresh()
        self.combo.show_value("")

    def refresh(self) -> None:
        """Follow the project: its layers, and the badge; what a run made stays only where somebody picked it."""
        rasters = raster_layers() if self._rasters else []
        before, layers = self.layer_id(), [*polygon_layers(made=True), *rasters]
        own = [*polygon_layers(), *rasters]
        first = self._none or ("" if own else tr("no polygon layer"))
        offered = [Option("", first)] if first else []
        offered += [Option(layer.id(), layer.name(), layer.name()) for layer in layers]
        kept = {layer.id() for layer in own} | {self._chosen}
        self.combo.offer(
            offered, lambda picked: picked if picked in kept else "" if first else own[0].id()
        )
        for place in range(self.combo.count()):
            layer = QgsProject.instance().mapLayer(str(self.combo.itemData(place)))
            self.combo.setItemIcon(
                place, QIcon() if layer is None else QgsIconUtils.iconForLayer(layer)
            )
        drawn, layer = self.layer(), QgsProject.instance().mapLayer(self.combo.value())
        found = () if drawn is None or self._check is None else self._check.oddities(drawn)
        self.badge.show_facts(None if layer is None else LayerFacts.of(layer, found))
        if self.layer_id() != before:
            self.changed.emit()

    def _tell(self, *_: object) -> None:
        self.refresh()
        self.changed.emit()


class LayerBox(OptionBox):
    """Some of the project's layers, as its rasters or its layers of points; the first entry is for none."""

    def __init__(self, layers: Callable[[], Iterable[QgsMapLayer]]) -> None:
        super().__init__()
        self._layers = layers
        self.refresh()

    def refresh(self) -> None:
        """Follow the project's layers."""
        self.offer(
            [
                Option("", tr("no layer")),
                *(Option(layer.id(), layer.name()) for layer in self._layers()),
            ]
        )
