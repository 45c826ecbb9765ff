"""The gallery of page Parameters: a sheet of small maps, made by the algorithm as a picture."""

from __future__ import annotations

from qgis.core import QgsProject
from qgis.PyQt.QtCore import Qt, pyqtSignal
from qgis.PyQt.QtGui import QPixmap, QResizeEvent
from qgis.PyQt.QtWidgets import QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from randcrowns.algorithms.choice import Option
from randcrowns.algorithms.tuning.choices import IMAGE, LOOKS
from randcrowns.layers.words import tr
from randcrowns.ui.services.layer_facts import raster_layers
from randcrowns.ui.widgets.editors import editor_of
from randcrowns.ui.widgets.parts import OptionBox, fill, tool_button, wrapped
from randcrowns.ui.widgets.table_view import ask_and_save

_MARGIN = 24
#: Narrower, the scores above the small maps cannot be read.
_READABLE = 560


class GallerySheet(QWidget):
    """Emits :attr:`wanted` when the sheet is to be made, and :attr:`save_asked` with the file it is to be saved as."""

    wanted = pyqtSignal()
    save_asked = pyqtSignal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.image = OptionBox()
        self.image.setMinimumContentsLength(6)
        self.image.setToolTip(f"{IMAGE.label}. {IMAGE.help}")
        self.image.setAccessibleName(IMAGE.label)
        self.number = editor_of(LOOKS).widget
        self.save_button = tool_button(tr("Save…"), tr("Save the sheet as PNG or SVG."), self.ask_and_save)
        self.picture = wrapped()
        self.picture.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self.sheet = QPixmap()
        self.area = QScrollArea()
        self.area.setWidget(self.picture)
        self.area.setWidgetResizable(True)
        label = QLabel(LOOKS.label)
        label.setBuddy(self.number)
        row = fill(QHBoxLayout(), self.image, label, self.number, self.save_button, wide=self.image)
        fill(QVBoxLayout(self), row, self.area, margins=(0, 4, 0, 0), wide=self.area)
        self.image.currentIndexChanged.connect(self.wanted)
        self.number.valueChanged.connect(self.wanted)
        self.forget()

    def image_id(self) -> str:
        """The id of the image chosen, empty for none."""
        layer_id = self.image.value()
        return layer_id if QgsProject.instance().mapLayer(layer_id) is not None else ""

    def follow_project(self) -> None:
        """Offer the project's rasters, the first at first; once the one chosen is gone, the sheet is made without."""
        offered = [*(Option(layer.id(), layer.name()) for layer in raster_layers()), Option("", tr("no image"))]
        gone = self.image.currentData() not in (None, *(option.key for option in offered))
        self.image.offer(offered, lambda before: "" if gone else before)
        if gone:
            self.forget()
            if self.isVisible():
                self.wanted.emit()

    def show_busy(self) -> None:
        """The sheet is being made."""
        self.picture.setPixmap(QPixmap())
        self.picture.setText(tr("Drawing the crowns…"))

    def show_picture(self, path: str) -> None:
        """Show the sheet that was made."""
        self.sheet = QPixmap(path)
        self._fit()

    def show_problem(self, sentence: str) -> None:
        """Say why there is no sheet."""
        self.forget()
        self.picture.setText(sentence)

    def forget(self) -> None:
        """There is no sheet any more."""
        self.sheet = QPixmap()
        self.picture.setPixmap(self.sheet)
        self.picture.setText("")

    @property
    def is_shown(self) -> bool:
        """Whether a sheet is shown."""
        return not self.sheet.isNull()

    def ask_and_save(self) -> None:
        """Ask where, then have it saved."""
        kinds = {".png": tr("Picture"), ".svg": tr("Drawing")}
        ask_and_save(self, tr("Save gallery"), "randcrowns_gallery", kinds, self.save_asked.emit)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """The sheet is as wide as there is room."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        if not self.sheet.isNull():
            width = min(max(self.area.width() - _MARGIN, _READABLE), self.sheet.width())
            self.picture.setPixmap(self.sheet.scaledToWidth(width, Qt.TransformationMode.SmoothTransformation))
