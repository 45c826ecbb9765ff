"""Editor of the RandCrowns parameters: a preset, three numbers, and a drawing of the regions."""

from __future__ import annotations

from itertools import chain

import numpy as np
from qgis.PyQt.QtCore import QPointF, QSignalBlocker, QSize, Qt
from qgis.PyQt.QtGui import QColor, QPainter, QPainterPath, QPaintEvent, QPen, QPolygonF
from qgis.PyQt.QtWidgets import QComboBox, QGridLayout, QSizePolicy, QWidget

from randcrowns.algorithms.common_parameters import IDTREES, LENGTHS, OWN, PRESET
from randcrowns.algorithms.parameter_types import Parameter
from randcrowns.core.arrays import Floats
from randcrowns.core.scoring.parameters import PRESETS, RandCrownsParameters
from randcrowns.layers.localization import tr
from randcrowns.layers.styles import TARGET_COLOUR
from randcrowns.layers.styles.crown_view import sample_region_rings
from randcrowns.ui.widgets.colours import REGIONS
from randcrowns.ui.widgets.editors import Editor, create_editor, make_label
from randcrowns.ui.widgets.number_boxes import DecimalBox


class LengthsField(QWidget):
    """Fields of PRESET and LENGTHS, and the drawing of the regions.

    A preset sets the numbers. Editing a number sets the preset to OWN.

    Args:
        *notices: Widgets about the numbers, which are arranged below the preset.
    """

    def __init__(self, *notices: QWidget) -> None:
        super().__init__()
        self._notices = notices
        #: Editors by parameter. The preset comes last: a form sets values in this order, and a
        #: stored preset has to set the numbers.
        self.editors: dict[Parameter, Editor] = {
            parameter: create_editor(parameter) for parameter in (*LENGTHS, PRESET)
        }
        #: Combo box of the preset.
        self.preset_box: QComboBox = self.editors[PRESET].widget
        #: Spin boxes of alpha (m), omega (m) and gamma.
        self.number_boxes: list[DecimalBox] = [self.editors[length].widget for length in LENGTHS]
        #: Drawing of the regions.
        self.drawing = RegionDrawing()
        self._arrange_widgets()
        self.preset_box.currentIndexChanged.connect(self._on_preset_changed)
        for box in self.number_boxes:
            box.valueChanged.connect(self._on_number_changed)
        self._update_drawing()

    def _arrange_widgets(self) -> None:
        """Arrange the preset, the notices and the numbers, each below its label, with the drawing.

        The grid has three columns: the label of the preset, the rest of the numbers, the drawing.
        The notices are above the numbers, since a low page shows only the top of the field.
        """
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setVerticalSpacing(3)
        grid.addWidget(make_label(PRESET.label, PRESET.help, self.preset_box), 0, 0)
        grid.addWidget(self.preset_box, 0, 1, 1, 2)  # one row, two columns
        for row, notice in enumerate(self._notices, start=1):
            grid.addWidget(notice, row, 0, 1, 3)
        first_row = 1 + len(self._notices)
        for number, (length, box) in enumerate(zip(LENGTHS, self.number_boxes)):
            label = make_label(length.label, length.help, box)
            label_row = first_row + 2 * number
            grid.addWidget(label, label_row, 0, 1, 2)
            grid.addWidget(box, label_row + 1, 0, 1, 2)
        n_number_rows = 2 * len(LENGTHS)
        grid.addWidget(self.drawing, first_row, 2, n_number_rows, 1)  # as high as all numbers
        grid.setColumnStretch(1, 1)
        grid.setColumnStretch(2, 2)

    def _on_preset_changed(self, *_: object) -> None:
        """Set the numbers of the preset and draw its regions."""
        for box, value in zip(self.number_boxes, self._preset_lengths()):
            with QSignalBlocker(box):
                box.setValue(value)
        self._update_drawing()

    def _on_number_changed(self, *_: object) -> None:
        """Set the preset to OWN if a number differs from it, and draw the regions."""
        preset_lengths = self._preset_lengths()
        pairs = zip(self.number_boxes, preset_lengths)
        if any(box.value() != preset_length for box, preset_length in pairs):
            self.preset_box.setCurrentIndex(self.preset_box.findData(OWN))
        self._update_drawing()

    def _preset_lengths(self) -> tuple[float, ...]:
        """Return alpha (m), omega (m) and gamma of the preset; () if it defines none."""
        values = PRESETS.get(self.preset_box.currentData())
        return () if values is None else (values.alpha, values.omega, values.gamma)

    def _update_drawing(self) -> None:
        """Draw the regions of the numbers; disable the numbers if the preset has no regions."""
        has_regions = self.preset_box.currentData() != IDTREES
        for box in self.number_boxes:
            box.setEnabled(has_regions)
        self.drawing.setVisible(has_regions)
        self.drawing.set_parameters(*(box.value() for box in self.number_boxes))


#: Rings of a region, (n, 2) coordinates each, m.
Rings = list[Floats]
#: Margin around the drawing, pixels.
_MARGIN = 4
#: Minimum width and height of the drawn regions, metres.
_MIN_EXTENT = 1e-9
#: Colour of the region that is not judged.
_UNJUDGED_COLOUR = "#efefef"
#: Regions of :func:`sample_region_rings` in the order in which they are painted over each other,
#: with their colours: the outside of the crown (b), the rim, and the inside (a).
_PAINTED_REGIONS = (("e", REGIONS["b"]), ("o", _UNJUDGED_COLOUR), ("a", REGIONS["a"]))
#: Brightness of the borders of the regions relative to the regions, percent: 100 / 1.3.
_BORDER_DARKNESS = 130
#: Width of the outline of the target, pixels.
_TARGET_WIDTH = 1.6


class RegionDrawing(QWidget):
    """Drawing of a crown and its regions for the current parameters.

    Yellow is surely crown (A), grey is not judged, mint is surely not crown (B), and red is the
    outline of the target.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        #: Name of a region -> its rings, see :func:`sample_region_rings`.
        self._regions: dict[str, Rings] = {}

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Return the preferred size, pixels."""
        return QSize(150, 110)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Return the minimum size, pixels."""
        return QSize(70, 84)

    def set_parameters(self, alpha: float, omega: float, gamma: float) -> None:
        """Draw the regions of a sample crown, and describe them in the tooltip.

        Args:
            alpha: Length alpha of the score, metres.
            omega: Length omega of the score, metres.
            gamma: Area ratio gamma of the score.
        """
        self._regions = sample_region_rings(RandCrownsParameters(alpha, omega, gamma))
        text = tr(
            "A crown of about 6 x 5 m. Yellow: surely crown. Grey: not judged, outlines may "
            "differ here. Mint: surely not crown. Red: the target's outline."
        )
        if not self._regions["a"]:
            warning = tr(
                "With these values the crown has no area that is surely crown: it would be too "
                "small to score."
            )
            text = f"{text} {warning}"
        self.setToolTip(text)
        self.setAccessibleDescription(text)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Paint the regions from the outer to the inner one, then the target."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for name, colour in _PAINTED_REGIONS:
            painter.setPen(QPen(QColor(colour).darker(_BORDER_DARKNESS), 1))
            painter.setBrush(QColor(colour))
            painter.drawPath(self._region_path(name))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(TARGET_COLOUR), _TARGET_WIDTH))
        painter.drawPath(self._region_path("target"))
        painter.end()

    def _region_path(self, name: str) -> QPainterPath:
        """Return the rings of a region in widget coordinates, scaled so that all regions fit.

        Args:
            name: Letter of the region; the path is empty if the region does not exist.
        """
        centre_x, centre_y, scale = self._drawing_scale()
        path = QPainterPath()
        for ring in self._regions.get(name, []):
            points = [
                QPointF(
                    self.width() / 2 + (x - centre_x) * scale,
                    self.height() / 2 - (y - centre_y) * scale,
                )
                for x, y in ring.tolist()
            ]
            path.addPolygon(QPolygonF(points))
            path.closeSubpath()
        return path

    def _drawing_scale(self) -> tuple[float, float, float]:
        """Return x and y of the centre of all regions in metres, and the scale in pixels per metre.

        With this scale, all regions fit into the widget with its margin.
        """
        all_rings = list(chain.from_iterable(self._regions.values()))
        if not all_rings:
            all_rings = [np.zeros((1, 2))]
        vertices = np.concatenate(all_rings)  # (n, 2), metres
        minimum = vertices.min(axis=0)
        maximum = vertices.max(axis=0)
        centre_x, centre_y = (minimum + maximum) / 2
        # The lower limit avoids a division by zero.
        size = np.maximum(maximum - minimum, _MIN_EXTENT)
        available_size = np.array([self.width(), self.height()]) - 2.0 * _MARGIN  # pixels
        scale = np.min(available_size / size)
        return float(centre_x), float(centre_y), float(scale)
