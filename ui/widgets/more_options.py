"""The rarely needed choices of page Score, folded away."""

from __future__ import annotations

from dataclasses import replace

from qgis.core import QgsFieldProxyModel, QgsMapLayerProxyModel, QgsProject, QgsVectorLayer
from qgis.gui import QgsFieldComboBox, QgsMapLayerComboBox
from qgis.PyQt.QtCore import QSignalBlocker
from qgis.PyQt.QtWidgets import QCheckBox, QWidget

from randcrowns.layers.words import tr
from randcrowns.ui.score_settings import ScoreSettings
from randcrowns.ui.widgets.choices import choice_box, extents, offsets, pairings
from randcrowns.ui.widgets.folded_form import FoldedForm
from randcrowns.ui.widgets.form_rows import decimal_box
from randcrowns.ui.widgets.layer_picker import LayerPicker

__all__ = ["MoreOptions"]


class MoreOptions(FoldedForm):
    """Pairing, search radius, offsets, groups, detector scores, extent, selection."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(tr("More"), "more", parent)
        self.pairing = choice_box(pairings())
        self.pairing.setToolTip(tr("Which delineation is held against which target; point at a choice for its rule."))
        self.search_radius = decimal_box(
            0.0,
            10000.0,
            " m",
            tr(
                "How far from a target's centroid that of its delineation may lie, in metres, for the pairing by "
                "nearest centroid. Automatic: half the diagonal of each target's bounding box."
            ),
            digits=1,
            step=1.0,
            lowest=tr("automatic"),
        )
        self.offsets = choice_box(offsets())
        self.offsets.setToolTip(tr("How corners behave when a target is grown or shrunk."))
        self.group_field = QgsFieldComboBox()
        self.group_field.setAllowEmptyFieldName(True)
        self.group_field.setToolTip(
            tr("A field of the target layer, such as the plot: the summary gets a line for each of its values.")
        )
        self.score_field = QgsFieldComboBox()
        self.score_field.setAllowEmptyFieldName(True)
        self.score_field.setFilters(QgsFieldProxyModel.Numeric)
        self.score_field.setToolTip(
            tr(
                "A detector's own score for each crown it found. Delineations below the threshold are left out; "
                "layers without this field are taken whole."
            )
        )
        self.score_threshold = decimal_box(
            -1e9,
            1e9,
            "",
            tr("Delineations with a detector score below this are left out. No unit."),
            digits=3,
            step=0.05,
        )
        self.score_threshold.setValue(0.5)
        self.randcrowns_threshold = decimal_box(
            0.0,
            1.0,
            "",
            tr(
                "From which RandCrowns score on a crown counts as found, for precision, recall and F1 in the summary "
                "(given at an IoU of 0.4 and 0.5 as well). No unit."
            ),
            step=0.05,
        )
        self.randcrowns_threshold.setValue(0.5)
        self.extent = choice_box(extents(images=True))
        self.extent.setToolTip(
            tr("Where the image ends. Regions are cut there, so that nothing outside the image counts.")
        )
        self.extent_image = QgsMapLayerComboBox()
        self.extent_image.setFilters(QgsMapLayerProxyModel.RasterLayer)
        self.extent_image.setMinimumContentsLength(8)
        self.extent_image.setToolTip(tr("The image that the crowns were drawn on."))
        self.extent_layer = LayerPicker(optional=True)
        self.selected_only = QCheckBox(tr("Selected targets only"))
        self.selected_only.setToolTip(tr("Score only the crowns selected in the target layer."))
        self._build()
        self.setCollapsed(True)

    def set_target(self, target: QgsVectorLayer | None) -> None:
        """Offer the fields of this target layer."""
        _offer_fields(self.group_field, target)

    def set_delineations(self, layers: list[QgsVectorLayer]) -> None:
        """Offer the numeric fields of the first delineation layer that has any beyond its ids."""
        _offer_fields(self.score_field, _with_scores(layers))

    def add_to(self, settings: ScoreSettings) -> ScoreSettings:
        """The settings with the choices made here."""
        return replace(
            settings,
            pairing=str(self.pairing.currentData()),
            search_radius=self.search_radius.value(),
            offsets=str(self.offsets.currentData()),
            group_field=self.group_field.currentField(),
            score_field=self.score_field.currentField(),
            score_threshold=self.score_threshold.value(),
            randcrowns_threshold=self.randcrowns_threshold.value(),
            extent=str(self.extent.currentData()),
            extent_layer=self.extent_layer.layer_id(),
            extent_image=self._image_id(),
            selected_only=self.selected_only.isChecked(),
        )

    def show_settings(self, settings: ScoreSettings) -> None:
        """Show these choices; fields and layers that are gone are passed over."""
        for combo, key in (
            (self.pairing, settings.pairing),
            (self.offsets, settings.offsets),
            (self.extent, settings.extent),
        ):
            combo.setCurrentIndex(max(0, combo.findData(key)))
        self.search_radius.setValue(settings.search_radius)
        self.group_field.setField(settings.group_field)
        self.score_field.setField(settings.score_field)
        self.score_threshold.setValue(settings.score_threshold)
        self.randcrowns_threshold.setValue(settings.randcrowns_threshold)
        self.extent_layer.pick(settings.extent_layer)
        image = QgsProject.instance().mapLayer(settings.extent_image)
        if image is not None:
            self.extent_image.setLayer(image)
        self.selected_only.setChecked(settings.selected_only)

    def why_no_extent(self, preset: str) -> str:
        """What the image extent misses, empty when nothing."""
        chosen = self.extent.currentData()
        if preset == "idtrees" and chosen == "none":
            return tr(
                "The IDTReeS 2020 preset needs to know where each plot's image is: choose an Image extent under More."
            )
        if chosen == "image" and not self._image_id():
            return tr("Pick the image that the crowns were drawn on; the project has no raster layer yet.")
        if chosen == "layer" and self.extent_layer.layer() is None:
            return tr("Pick the layer that says where the image is.")
        return ""

    def _image_id(self) -> str:
        """The raster that says where the image ends; empty where it does not matter."""
        image = self.extent_image.currentLayer() if self.extent.currentData() == "image" else None
        return "" if image is None else str(image.id())

    def set_preset(self, preset: str) -> None:
        """The competition's preset brings its own pairing and offsets."""
        for widget in (self.pairing, self.search_radius, self.offsets):
            widget.setEnabled(preset != "idtrees")
        self.show_what_matters()

    def _build(self) -> None:
        self.add_rows(
            (tr("Which delineation for which target"), self.pairing),
            (tr("Search radius"), self.search_radius),
            (tr("Corners of the regions"), self.offsets),
            (tr("Group field"), self.group_field),
            (tr("Field with a detector's score"), self.score_field),
            (tr("Lowest score to keep"), self.score_threshold),
            (tr("RandCrowns from which a crown counts as found"), self.randcrowns_threshold),
            (tr("Image extent"), self.extent),
            ("", self.extent_image),
            ("", self.extent_layer),
            ("", self.selected_only),
        )
        self.follow(self.pairing, self.offsets, self.extent, self.search_radius, self.score_threshold)
        self.follow(self.randcrowns_threshold, self.group_field, self.score_field)
        self.follow(self.extent_layer, self.extent_image, self.selected_only)
        self.show_what_matters()

    def show_what_matters(self) -> None:
        """The picker of the extent chosen; thresholds where there is what they are about."""
        self.extent_layer.setVisible(self.extent.currentData() == "layer")
        self.extent_image.setVisible(self.extent.currentData() == "image")
        self.score_threshold.setEnabled(bool(self.score_field.currentField()))
        if self.pairing.isEnabled():
            self.search_radius.setEnabled(self.pairing.currentData() in ("nearest", "mean_over_count"))


def _offer_fields(combo: QgsFieldComboBox, layer: QgsVectorLayer | None) -> None:
    if combo.layer() is layer:
        return
    before = combo.currentField()
    blocker = QSignalBlocker(combo)
    combo.setLayer(layer)
    combo.setField(before)
    del blocker
    if combo.currentField() != before:
        combo.fieldChanged.emit(combo.currentField())


def _with_scores(layers: list[QgsVectorLayer]) -> QgsVectorLayer | None:
    for layer in layers:
        keys = set(layer.primaryKeyAttributes())
        if any(field.isNumeric() for number, field in enumerate(layer.fields()) if number not in keys):
            return layer
    return layers[0] if layers else None
