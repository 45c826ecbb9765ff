"""Which bands of an image are its red, green and blue."""

from __future__ import annotations

from qgis.core import QgsRasterLayer
from qgis.PyQt.QtCore import QSignalBlocker, pyqtSignal
from qgis.PyQt.QtWidgets import QHBoxLayout, QSpinBox, QWidget

from randcrowns.layers.raster.grid import colour_bands
from randcrowns.layers.words import tr

__all__ = ["BandChoice"]


class BandChoice(QWidget):
    """Three numbers of bands. Emits :attr:`changed` when one is chosen."""

    changed = pyqtSignal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setToolTip(
            tr(
                "Numbers of the image's red, green and blue band, for its brightness and contrast. At first the bands "
                "the layer is shown with."
            )
        )
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        self.boxes = tuple(QSpinBox() for _ in range(3))
        for box, letter in zip(self.boxes, (tr("R "), tr("G "), tr("B "))):
            box.setRange(1, 1)
            box.setPrefix(letter)
            box.valueChanged.connect(self._tell)
            row.addWidget(box, 1)
        self._offered = False

    def offer(self, image: QgsRasterLayer | None) -> None:
        """Offer the bands of this image, and choose those it is shown with; a grey image has no choice."""
        shown = None if image is None else colour_bands(image)
        self._offered = shown is not None
        if image is None or shown is None:
            return
        for box, band in zip(self.boxes, shown):
            blocker = QSignalBlocker(box)
            box.setRange(1, image.bandCount())
            box.setValue(band)
            del blocker
        self._name(image)

    def bands(self) -> tuple[int, int, int]:
        """Red, green and blue, from 1; zeros where there is nothing to choose."""
        red, green, blue = (box.value() if self._offered else 0 for box in self.boxes)
        return red, green, blue

    def show_bands(self, bands: tuple[int, int, int]) -> None:
        """Choose these; zeros leave the choice as it is."""
        if self._offered and all(bands):
            for box, band in zip(self.boxes, bands):
                box.setValue(band)

    def _name(self, image: QgsRasterLayer) -> None:
        names = "\n".join(image.bandName(band) for band in range(1, image.bandCount() + 1))
        for box in self.boxes:
            box.setToolTip(f"{self.toolTip()}\n{names}")

    def _tell(self, *_: object) -> None:
        self.changed.emit()
