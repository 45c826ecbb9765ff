"""The rarely needed choices of page Annotators, folded away."""

from __future__ import annotations

from dataclasses import replace

from qgis.core import QgsMapLayerProxyModel, QgsProject, QgsRasterLayer
from qgis.gui import QgsMapLayerComboBox
from qgis.PyQt.QtWidgets import QCheckBox, QSizePolicy, QWidget

from randcrowns.layers.words import tr
from randcrowns.ui.annotator_settings import AnnotatorSettings
from randcrowns.ui.widgets.band_choice import BandChoice
from randcrowns.ui.widgets.folded_form import FoldedForm
from randcrowns.ui.widgets.form_rows import decimal_box, whole_box
from randcrowns.ui.widgets.layer_picker import LayerPicker

__all__ = ["AnnotatorMore"]


class AnnotatorMore(FoldedForm):
    """Pixels, the image, what is left out, disagreements, intervals."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(tr("More"), "more", parent)
        self.resolution = decimal_box(
            0.0,
            1e6,
            " m",
            tr("Exact: the polygons are overlaid, without pixels. Otherwise everything is counted in such pixels."),
            lowest=tr("exact"),
        )
        self.image = QgsMapLayerComboBox()
        self.image.setFilters(QgsMapLayerProxyModel.RasterLayer)
        self.image.setAllowEmptyLayer(True, tr("none"))
        self.image.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.image.setMinimumContentsLength(8)
        self.image.setToolTip(tr("The image drawn on: does agreement follow its brightness or contrast?"))
        self.bands = BandChoice()
        self.window = whole_box(
            1,
            99,
            tr(" pixels"),
            tr("Side of the window around each pixel in which the image's contrast is measured; an odd number."),
            step=2,
        )
        self.window.editingFinished.connect(lambda: self.window.setValue(self.window.value() | 1))
        self.left_out = LayerPicker(optional=True, polygons=True)
        self.left_out.combo.setToolTip(
            tr("Polygons inside the study area that do not count, such as clouds or training areas.")
        )
        self.min_area = decimal_box(
            0.0,
            1e6,
            " m²",
            tr("Smaller places are not listed among the disagreements; the numbers stay exact."),
            lowest=tr("all"),
        )
        self.block_side = decimal_box(
            0.0,
            1e6,
            " m",
            tr(
                "Intervals come from drawing square blocks of the study area with replacement; blocks should be larger "
                "than a crown. Automatic: an eighth of the longer side."
            ),
            lowest=tr("automatic"),
        )
        self.draws = whole_box(
            2, 100_000, tr(" draws"), tr("How often the blocks are drawn for the 95 % intervals."), step=100
        )
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
        image = QgsProject.instance().mapLayer(settings.image)
        if image is None:
            self.image.setCurrentIndex(0)  # setLayer(None) would leave the box without its words
        else:
            self.image.setLayer(image)
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
        self.add_rows(
            (tr("Pixel size"), self.resolution),
            (tr("Image"), self.image),
            (tr("… its colours"), self.bands),
            (tr("… contrast in"), self.window),
            (tr("Leave out"), self.left_out),
            (tr("Smallest disagreement"), self.min_area),
            (tr("Intervals: blocks of"), self.block_side),
            (tr("… from"), self.draws),
        )
        self.rows.addRow(self.leave_one_out)
        self.rows.addRow(self.raster)
        self.image.layerChanged.connect(self._offer_bands)
        self.follow(self.image, self.resolution, self.window, self.min_area, self.block_side, self.draws)
        self.follow(self.leave_one_out, self.raster, self.bands, self.left_out)

    def _offer_bands(self, *_: object) -> None:
        image = self.image.currentLayer()
        self.bands.offer(image if isinstance(image, QgsRasterLayer) else None)

    def show_what_matters(self) -> None:
        """What is about the image only with one, the raster only with pixels."""
        image = self.image.currentLayer() is not None
        self._show_row(self.bands, image and any(self.bands.bands()))
        self._show_row(self.window, image)
        self.raster.setVisible(image or self.resolution.value() > 0)

    def _show_row(self, widget: QWidget, shown: bool) -> None:
        widget.setVisible(shown)
        self.rows.labelForField(widget).setVisible(shown)
