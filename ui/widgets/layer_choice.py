"""A choice of one layer among any that are offered, or none."""

from __future__ import annotations

from collections.abc import Sequence

from qgis.core import QgsMapLayer
from qgis.PyQt.QtCore import QSignalBlocker
from qgis.PyQt.QtWidgets import QComboBox, QWidget

__all__ = ["LayerChoice"]


class LayerChoice(QComboBox):
    """Layers by name; the first entry is for none."""

    def __init__(self, none: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(8)
        self.addItem(none, "")

    def layer_id(self) -> str:
        """The id of the layer chosen, empty for none."""
        return str(self.currentData() or "")

    def pick(self, layer_id: str) -> None:
        """Choose the layer of that id, or none when it is not offered."""
        self.setCurrentIndex(max(self.findData(layer_id), 0))

    def offer(self, layers: Sequence[QgsMapLayer]) -> None:
        """Offer these layers; the one chosen stays if it is among them."""
        before = self.layer_id()
        with QSignalBlocker(self):
            while self.count() > 1:
                self.removeItem(1)
            for layer in layers:
                self.addItem(layer.name(), layer.id())
            self.pick(before)
