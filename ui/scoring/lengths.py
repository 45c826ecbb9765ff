"""The parameters of RandCrowns: a preset, three numbers with units, and a drawing of what they mean."""

from __future__ import annotations

import numpy as np
from qgis.PyQt.QtCore import QPointF, QSignalBlocker, QSize, Qt, pyqtSignal
from qgis.PyQt.QtGui import QColor, QPainter, QPainterPath, QPaintEvent, QPen, QPolygonF
from qgis.PyQt.QtWidgets import QComboBox, QDoubleSpinBox, QGridLayout, QLabel, QSizePolicy, QWidget

from randcrowns.core.arrays import Floats
from randcrowns.core.scoring.parameters import PRESETS, RandCrownsParameters
from randcrowns.layers.styles.crown_view import sketch_regions
from randcrowns.layers.words import tr
from randcrowns.ui.widgets.colours import REGIONS, TARGET
from randcrowns.ui.widgets.form_rows import decimal_box

__all__ = ["ParametersWidget", "RegionDrawing"]


class ParametersWidget(QWidget):
    """Emits :attr:`changed` when the preset or a number changes. Editing a number makes the preset "My own values"."""

    changed = pyqtSignal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.preset = QComboBox()
        self.preset.addItem(tr("Boxes drawn on images"), "image_boxes")
        self.preset.addItem(tr("Polygons drawn in the field"), "field_polygons")
        self.preset.addItem(tr("IDTReeS 2020 toolbox"), "idtrees")
        self.preset.addItem(tr("My own values"), "own")
        self.preset.setToolTip(
            tr(
                "How far to trust an outline. Boxes and field polygons: the values chosen in the paper (Stewart et "
                "al. 2021, IV-A and IV-B). IDTReeS 2020: scores as that competition's toolbox gives them, on "
                "pixels of 0.1 m; it has its own pairing and no lengths to choose."
            )
        )
        self.alpha = _length(
            tr(
                "True positive boundary (alpha): how far inside the target's outline, in metres on the ground. What "
                "lies further in is surely crown and must be covered. Raise it when outlines are drawn carelessly; "
                "crowns narrower than twice this length cannot be scored."
            )
        )
        self.omega = _length(
            tr(
                "True negative inner boundary (omega): how far outside the target's outline, in metres on the ground. "
                "A delineation may reach up to there without penalty; what lies further out is surely not this crown."
            )
        )
        self.gamma = decimal_box(
            0.0,
            1000.0,
            "",
            tr(
                "Area ratio (gamma): how large the ring that is surely not crown is made, compared with the part that "
                "is surely crown. No unit."
            ),
            step=0.5,
        )
        self.drawing = RegionDrawing()
        self._build()
        self.set_values("image_boxes", *_numbers("image_boxes"))
        self.preset.currentIndexChanged.connect(self._take_preset)
        for box in (self.alpha, self.omega, self.gamma):
            box.valueChanged.connect(self._take_number)

    def values(self) -> tuple[str, float, float, float]:
        """Preset, alpha, omega, gamma."""
        return str(self.preset.currentData()), self.alpha.value(), self.omega.value(), self.gamma.value()

    def set_values(self, preset: str, alpha: float, omega: float, gamma: float) -> None:
        """Show these; an unknown preset is "My own values"."""
        before = self.values()
        blockers = [QSignalBlocker(box) for box in (self.preset, self.alpha, self.omega, self.gamma)]
        number = self.preset.findData(preset)
        self.preset.setCurrentIndex(number if number >= 0 else self.preset.findData("own"))
        for box, value in ((self.alpha, alpha), (self.omega, omega), (self.gamma, gamma)):
            box.setValue(value)
        del blockers
        self._show_regions()
        if self.values() != before:
            self.changed.emit()

    def _build(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setVerticalSpacing(3)
        grid.addWidget(_label(tr("Preset"), self.preset), 0, 0)
        grid.addWidget(self.preset, 0, 1, 1, 2)
        self.preset.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.preset.setMinimumContentsLength(10)
        rows = (
            (tr("True positive boundary (alpha)"), self.alpha),
            (tr("True negative inner boundary (omega)"), self.omega),
            (tr("Area ratio (gamma)"), self.gamma),
        )
        for number, (words, box) in enumerate(rows):
            grid.addWidget(_label(words, box), 1 + 2 * number, 0, 1, 2)
            grid.addWidget(box, 2 + 2 * number, 0, 1, 2)
        grid.addWidget(self.drawing, 1, 2, 6, 1)
        grid.setColumnStretch(1, 1)
        grid.setColumnStretch(2, 2)

    def _take_preset(self, *_: object) -> None:
        key = str(self.preset.currentData())
        if key in PRESETS:
            blockers = [QSignalBlocker(box) for box in (self.alpha, self.omega, self.gamma)]
            for box, value in zip((self.alpha, self.omega, self.gamma), _numbers(key)):
                box.setValue(value)
            del blockers
        self._show_regions()
        self.changed.emit()

    def _take_number(self, *_: object) -> None:
        key = str(self.preset.currentData())
        numbers = self.values()[1:]
        if key != "own" and (key not in PRESETS or numbers != _numbers(key)):
            blocker = QSignalBlocker(self.preset)
            self.preset.setCurrentIndex(self.preset.findData("own"))
            del blocker
        self._show_regions()
        self.changed.emit()

    def _show_regions(self) -> None:
        fixed = self.preset.currentData() == "idtrees"
        for box in (self.alpha, self.omega, self.gamma):
            box.setEnabled(not fixed)
        self.drawing.setVisible(not fixed)
        self.drawing.set_parameters(self.alpha.value(), self.omega.value(), self.gamma.value())


def _length(tooltip: str) -> QDoubleSpinBox:
    return decimal_box(0.0, 100.0, " m", tooltip, step=0.1)


def _label(words: str, buddy: QWidget) -> QLabel:
    label = QLabel(words)
    label.setWordWrap(True)
    label.setBuddy(buddy)
    label.setToolTip(buddy.toolTip())
    return label


def _numbers(key: str) -> tuple[float, float, float]:
    preset = PRESETS[key]
    return preset.alpha, preset.omega, preset.gamma


Rings = list[Floats]
_MARGIN = 4
_UNJUDGED = "#efefef"


class RegionDrawing(QWidget):
    """Yellow: surely crown. Grey: not judged. Mint: surely not crown. Red: the target's outline."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._regions: dict[str, Rings] = {}
        self._too_small = False

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(150, 110)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(70, 84)

    def set_parameters(self, alpha: float, omega: float, gamma: float) -> None:
        """Draw the regions for these."""
        self._regions = sketch_regions(RandCrownsParameters(alpha, omega, gamma))
        self._too_small = not self._regions["a"]
        words = tr(
            "A crown of about 6 x 5 m. Yellow: surely crown. Grey: not judged, outlines may differ here. "
            "Mint: surely not crown. Red: the target's outline."
        )
        if self._too_small:
            words += " " + tr("With these values nothing of it is surely crown: it would be too small to score.")
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
        everything = np.concatenate([ring for rings in self._regions.values() for ring in rings] or [np.zeros((1, 2))])
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
