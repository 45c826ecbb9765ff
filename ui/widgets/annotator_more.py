"""The rarely needed choices of page Annotators, folded away."""

from __future__ import annotations

from dataclasses import replace

from qgis.core import QgsMapLayerProxyModel, QgsProject, QgsRasterLayer
from qgis.gui import QgsCollapsibleGroupBox, QgsMapLayerComboBox
from qgis.PyQt.QtCore import pyqtSignal
from qgis.PyQt.QtWidgets import (
    QAbstractSpinBox,
    QCheckBox,
    QDoubleSpinBox,
    QFormLayout,
    QSizePolicy,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from randcrowns.ui.annotator_settings import AnnotatorSettings
from randcrowns.ui.widgets.band_choice import BandChoice
from randcrowns.ui.widgets.layer_picker import LayerPicker
from randcrowns.ui.words import tr

__all__ = ["AnnotatorMore"]


class AnnotatorMore(QgsCollapsibleGroupBox):
    """Pixels, the image, what is left out, disagreements, intervals."""

    changed = pyqtSignal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(tr("More"), parent)
        self.setObjectName("more")
        self.setSaveCollapsedState(False)
        self.resolution = _metres(tr("exact"))
        self.resolution.setToolTip(
            tr("Exact: the polygons are overlaid, without pixels. Otherwise everything is counted in such pixels.")
        )
        self.image = QgsMapLayerComboBox()
        self.image.setFilters(QgsMapLayerProxyModel.RasterLayer)
        self.image.setAllowEmptyLayer(True)
        self.image.setLayer(None)
        self.image.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.image.setMinimumContentsLength(8)
        self.image.setToolTip(tr("The image drawn on: does agreement follow its brightness or contrast?"))
        self.bands = BandChoice()
        self.window = _number(1, 99, tr(" pixels"), 2)
        self.window.editingFinished.connect(lambda: self.window.setValue(self.window.value() | 1))
        self.window.setToolTip(
            tr("Side of the window around each pixel in which the image's contrast is measured; an odd number.")
        )
        self.left_out = LayerPicker(optional=True, polygons=True)
        self.left_out.combo.setToolTip(
            tr("Polygons inside the study area that do not count, such as clouds or training areas.")
        )
        self.min_area = _metres(tr("all"), " m²")
        self.min_area.setToolTip(tr("Smaller places are not listed among the disagreements; the numbers stay exact."))
        self.block_side = _metres(tr("automatic"))
        self.block_side.setToolTip(
            tr(
                "Intervals come from drawing square blocks of the study area with replacement; blocks should be larger "
                "than a crown. Automatic: an eighth of the longer side."
            )
        )
        self.draws = _number(2, 100_000, tr(" draws"), 100)
        self.draws.setToolTip(tr("How often the blocks are drawn for the 95 % intervals."))
        self.leave_one_out = QCheckBox(tr("Each annotator against the others only"))
        self.leave_one_out.setToolTip(
            tr("The consensus an annotator is held against is made without their own drawing.")
        )
        self.raster = QCheckBox(tr("Agreement map as a raster too"))
        self.raster.setToolTip(
            tr(
                "Number of annotators per pixel, in pixels of the size above or the image's own; 255 is outside of the "
                "study area."
            )
        )
        self._build()
        self.show_settings(AnnotatorSettings())
        self.setCollapsed(True)

    def add_to(self, settings: AnnotatorSettings) -> AnnotatorSettings:
        """The settings with the choices made here."""
        image = self.image.currentLayer()
        red, green, blue = self.bands.bands()
        return replace(
            settings,
            resolution=self.resolution.value(),
            image="" if image is None else str(image.id()),
            red=red,
            green=green,
            blue=blue,
            window=self.window.value(),
            left_out=self.left_out.layer_id(),
            min_area=self.min_area.value(),
            block_side=self.block_side.value(),
            draws=self.draws.value(),
            leave_one_out=self.leave_one_out.isChecked(),
            raster=self.raster.isChecked(),
        )

    def show_settings(self, settings: AnnotatorSettings) -> None:
        """Show these choices; layers that are gone are passed over."""
        self.resolution.setValue(settings.resolution)
        self.image.setLayer(QgsProject.instance().mapLayer(settings.image))
        self.bands.show_bands((settings.red, settings.green, settings.blue))
        self.window.setValue(settings.window)
        self.left_out.pick_or_none(settings.left_out)
        self.min_area.setValue(settings.min_area)
        self.block_side.setValue(settings.block_side)
        self.draws.setValue(settings.draws)
        self.leave_one_out.setChecked(settings.leave_one_out)
        self.raster.setChecked(settings.raster)

    def refresh(self) -> None:
        """Follow the project's layers."""
        self.left_out.refresh()

    def _build(self) -> None:
        inside = QWidget()  # unfolding shows every direct child, also those meant to stay hidden
        column = QVBoxLayout(self)
        column.setContentsMargins(6, 2, 6, 4)
        column.addWidget(inside)
        self._form = QFormLayout(inside)
        self._form.setContentsMargins(0, 0, 0, 0)
        self._form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        for words, widget in (
            (tr("Pixel size"), self.resolution),
            (tr("Image"), self.image),
            (tr("… its colours"), self.bands),
            (tr("… contrast in"), self.window),
            (tr("Leave out"), self.left_out),
            (tr("Smallest disagreement"), self.min_area),
            (tr("Intervals: blocks of"), self.block_side),
            (tr("… from"), self.draws),
        ):
            self._form.addRow(words, widget)
            tooltip = widget.combo.toolTip() if widget is self.left_out else widget.toolTip()
            self._form.labelForField(widget).setToolTip(tooltip)
        self._form.addRow(self.leave_one_out)
        self._form.addRow(self.raster)
        self.image.layerChanged.connect(self._image_changed)
        for box in (self.resolution, self.window, self.min_area, self.block_side, self.draws):
            box.valueChanged.connect(self._tell)
        for check in (self.leave_one_out, self.raster):
            check.toggled.connect(self._tell)
        for chooser in (self.bands, self.left_out):
            chooser.changed.connect(self._tell)

    def _image_changed(self, *_: object) -> None:
        image = self.image.currentLayer()
        self.bands.offer(image if isinstance(image, QgsRasterLayer) else None)
        self._tell()

    def _tell(self, *_: object) -> None:
        self._show_what_matters()
        self.changed.emit()

    def _show_what_matters(self) -> None:
        image = self.image.currentLayer() is not None
        self._show_row(self.bands, image and any(self.bands.bands()))
        self._show_row(self.window, image)
        self.raster.setVisible(image or self.resolution.value() > 0)

    def _show_row(self, widget: QWidget, shown: bool) -> None:
        widget.setVisible(shown)
        self._form.labelForField(widget).setVisible(shown)


def _metres(nothing: str, unit: str = " m") -> QDoubleSpinBox:
    box = QDoubleSpinBox()
    box.setRange(0.0, 1e6)
    box.setDecimals(2)
    box.setSuffix(unit)
    box.setSpecialValueText(nothing)
    box.setStepType(QAbstractSpinBox.StepType.AdaptiveDecimalStepType)
    return box


def _number(least: int, most: int, unit: str, step: int) -> QSpinBox:
    box = QSpinBox()
    box.setRange(least, most)
    box.setSuffix(unit)
    box.setSingleStep(step)
    return box
