"""The parameters of RandCrowns: a preset, three numbers with units, and a drawing of what they mean."""

from __future__ import annotations

import numpy as np
from qgis.PyQt.QtCore import QPointF, QSignalBlocker, QSize, Qt
from qgis.PyQt.QtGui import QColor, QPainter, QPainterPath, QPaintEvent, QPen, QPolygonF
from qgis.PyQt.QtWidgets import QComboBox, QDoubleSpinBox, QGridLayout, QSizePolicy, QWidget

from randcrowns.algorithms.choice import Choice
from randcrowns.algorithms.choices import IDTREES, LENGTHS, OWN, PRESET
from randcrowns.core.arrays import Floats
from randcrowns.core.scoring.parameters import PRESETS, RandCrownsParameters
from randcrowns.layers.styles import TARGET
from randcrowns.layers.styles.crown_view import sketch_regions
from randcrowns.layers.words import tr
from randcrowns.ui.widgets.colours import REGIONS
from randcrowns.ui.widgets.editors import Editor, editor_of, label_of


class LengthsField(QWidget):
    """The fields of PRESET and LENGTHS: a preset sets the numbers, editing a number makes the preset OWN."""

    def __init__(self) -> None:
        super().__init__()
        # The preset comes last: a form shows values in this order, and a preset that was kept sets the numbers.
        self.editors: dict[Choice, Editor] = {
            choice: editor_of(choice) for choice in (*LENGTHS, PRESET)
        }
        *numbers, preset = (editor.widget for editor in self.editors.values())
        self.preset: QComboBox = preset
        self.numbers: list[QDoubleSpinBox] = numbers
        self.drawing = RegionDrawing()  #: shows the regions.
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setVerticalSpacing(3)
        grid.addWidget(label_of(PRESET.label, PRESET.help, preset), 0, 0)
        grid.addWidget(preset, 0, 1, 1, 2)
        for place, (choice, box) in enumerate(zip(LENGTHS, numbers)):
            grid.addWidget(label_of(choice.label, choice.help, box), 1 + 2 * place, 0, 1, 2)
            grid.addWidget(box, 2 + 2 * place, 0, 1, 2)
            box.valueChanged.connect(self._take_number)
        grid.addWidget(self.drawing, 1, 2, 6, 1)
        grid.setColumnStretch(1, 1)
        grid.setColumnStretch(2, 2)
        preset.currentIndexChanged.connect(self._take_preset)
        self._show_regions()

    def _take_preset(self, *_: object) -> None:
        for box, value in zip(self.numbers, self._of_preset()):
            with QSignalBlocker(box):
                box.setValue(value)
        self._show_regions()

    def _take_number(self, *_: object) -> None:
        differ = any(box.value() != value for box, value in zip(self.numbers, self._of_preset()))
        if differ:
            self.preset.setCurrentIndex(self.preset.findData(OWN))
        self._show_regions()

    def _of_preset(self) -> tuple[float, ...]:
        """Alpha, omega, gamma of the preset; nothing where it sets none."""
        values = PRESETS.get(self.preset.currentData())
        return () if values is None else (values.alpha, values.omega, values.gamma)

    def _show_regions(self) -> None:
        fixed = self.preset.currentData() == IDTREES
        for box in self.numbers:
            box.setEnabled(not fixed)
        self.drawing.setVisible(not fixed)
        self.drawing.set_parameters(*(box.value() for box in self.numbers))


Rings = list[Floats]
_MARGIN = 4
_UNJUDGED = "#efefef"


class RegionDrawing(QWidget):
    """Yellow: surely crown. Grey: not judged. Mint: surely not crown. Red: the target's outline."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._regions: dict[str, Rings] = {}

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(150, 110)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(70, 84)

    def set_parameters(self, alpha: float, omega: float, gamma: float) -> None:
        """Draw the regions for these."""
        self._regions = sketch_regions(RandCrownsParameters(alpha, omega, gamma))
        words = tr(
            "A crown of about 6 x 5 m. Yellow: surely crown. Grey: not judged, outlines may differ here. "
            "Mint: surely not crown. Red: the target's outline."
        )
        if not self._regions["a"]:
            words += " " + tr(
                "With these values nothing of it is surely crown: it would be too small to score."
            )
        self.setToolTip(words)
        self.setAccessibleDescription(words)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        layers = (("e", REGIONS["b"]), ("o", _UNJUDGED), ("a", REGIONS["a"]))
        for name, colour in layers:
            painter.setPen(QPen(QColor(colour).darker(130), 1))
            painter.setBrush(QColor(colour))
            painter.drawPath(self._path(name))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(TARGET), 1.6))
        painter.drawPath(self._path("target"))
        painter.end()

    def _path(self, name: str) -> QPainterPath:
        everything = np.concatenate(
            [ring for rings in self._regions.values() for ring in rings] or [np.zeros((1, 2))]
        )
        low, high = everything.min(axis=0), everything.max(axis=0)
        room = np.array([self.width(), self.height()]) - 2.0 * _MARGIN
        scale = float(np.min(room / np.maximum(high - low, 1e-9)))
        middle = (low + high) / 2
        path = QPainterPath()
        for ring in self._regions.get(name, []):
            x = self.width() / 2 + (ring[:, 0] - middle[0]) * scale
            y = self.height() / 2 - (ring[:, 1] - middle[1]) * scale
            path.addPolygon(QPolygonF([QPointF(a, b) for a, b in zip(x.tolist(), y.tolist())]))
            path.closeSubpath()
        return path
