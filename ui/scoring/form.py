"""The upper half of page Score: what, how, where."""

from __future__ import annotations

from dataclasses import replace

from qgis.core import QgsFieldProxyModel, QgsMapLayerProxyModel, QgsProject, QgsVectorDataProvider, QgsVectorLayer
from qgis.gui import QgsFieldComboBox, QgsMapLayerComboBox
from qgis.PyQt.QtCore import QSignalBlocker, pyqtSignal
from qgis.PyQt.QtWidgets import QCheckBox, QLabel, QRadioButton, QVBoxLayout, QWidget

from randcrowns.layers.words import counted, tr
from randcrowns.ui.scoring.lengths import ParametersWidget
from randcrowns.ui.scoring.settings import FIELDS, NEW_LAYERS, ScoreSettings
from randcrowns.ui.services.layer_check import LayerCheck
from randcrowns.ui.services.layer_facts import polygon_layers
from randcrowns.ui.widgets.form_rows import FoldedForm, choice_box, decimal_box, extents, folding_box, offsets, pairings
from randcrowns.ui.widgets.kept_in import KeptIn
from randcrowns.ui.widgets.layer_checklist import LayerChecklist
from randcrowns.ui.widgets.layer_picker import LayerPicker

__all__ = ["MoreOptions", "ScoreForm"]


class ScoreForm(QWidget):
    """Edits a :class:`ScoreSettings`. Emits :attr:`changed` whenever the settings do."""

    changed = pyqtSignal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.check = LayerCheck(self)
        self.target = LayerPicker(self.check)
        self.target.combo.setToolTip(tr("The crowns taken as true: each one gets a score."))
        self.delineations = LayerChecklist(self.check)
        self.parameters = ParametersWidget()
        self.more = MoreOptions()
        self.to_new_layers = QRadioButton(tr("New layers"))
        self.to_new_layers.setToolTip(
            tr("Scored copies and the regions, in a group of their own. Your layers stay as they are.")
        )
        self.to_fields = QRadioButton(tr("Fields of the target layer"))
        self.to_fields.setToolTip(
            tr(
                "Writes the scores beside the target layer's own fields, as one step that can be undone; the layer is "
                "left in edit mode for you to save or discard."
            )
        )
        self.kept_in = KeptIn()
        self.to_new_layers.setChecked(True)
        self._build()
        self._connect()
        self.follow_project()

    def settings(self) -> ScoreSettings:
        """What is chosen now."""
        preset, alpha, omega, gamma = self.parameters.values()
        settings = ScoreSettings(
            target=self.target.layer_id(),
            delineations=self.delineations.checked_ids(),
            preset=preset,
            alpha=alpha,
            omega=omega,
            gamma=gamma,
            destination=FIELDS if self.to_fields.isChecked() else NEW_LAYERS,
            file=self.kept_in.path(),
        )
        return self.more.add_to(settings)

    def show_settings(self, settings: ScoreSettings) -> None:
        """Show these; layers that are not in the project leave the choice as it is."""
        self.target.pick(settings.target)
        self.delineations.leave_out(self.target.layer_id())
        known = tuple(layer_id for layer_id in settings.delineations if self._is_offered(layer_id))
        if known:
            self.delineations.check(known)
        self.parameters.set_values(settings.preset, settings.alpha, settings.omega, settings.gamma)
        (self.to_fields if settings.destination == FIELDS else self.to_new_layers).setChecked(True)
        self.kept_in.set_path(settings.file)
        self._pass_on()
        self.more.show_settings(settings)
        self._tell()

    def follow_project(self) -> None:
        """Take up layers that came, went or changed; pick what makes Run work at once where nothing is picked."""
        self.target.refresh()
        self.more.extent_layer.refresh()
        self.delineations.leave_out(self.target.layer_id())
        self.delineations.refresh()
        if not self.delineations.checked_ids():
            others = [layer.id() for layer in polygon_layers() if layer.id() != self.target.layer_id()]
            self.delineations.check(tuple(others[:1]))
        self._tell()

    def what_run_does(self) -> str:
        """For the button."""
        number = len(self.delineations.checked_ids())
        if number < 2:
            return tr("Score")
        return tr("Score {layers}").format(layers=counted(number, tr("layer"), tr("layers")))

    def why_not(self) -> str:
        """Why Run cannot be pressed, empty when it can."""
        target = self.target.layer()
        if target is None:
            return tr("Pick a target layer first.")
        if not self.delineations.checked_ids():
            return tr("Check at least one delineation layer first; a second polygon layer is needed.")
        if target.featureCount() == 0:
            return tr("Layer {name} has no crowns; pick another target layer.").format(name=target.name())
        if self.more.selected_only.isChecked() and not target.selectedFeatureCount():
            return tr("No crown is selected in layer {name}.").format(name=target.name())
        if self.to_fields.isChecked() and not _can_take_fields(target):
            return tr("Layer {name} cannot take new fields; choose new layers instead.").format(name=target.name())
        unkept = self.kept_in.why_not() if self.to_new_layers.isChecked() else ""
        return unkept or self.more.why_no_extent(self.parameters.values()[0])

    def _build(self) -> None:
        what = QVBoxLayout()
        what.setSpacing(2)
        for words, field, tooltip in (
            (tr("Target crowns"), self.target, self.target.combo.toolTip()),
            (
                tr("Delineations"),
                self.delineations,
                tr("Check one or several layers: each is scored against the target on its own."),
            ),
        ):
            label = QLabel(words)
            label.setToolTip(tooltip)
            label.setBuddy(field)
            what.addWidget(label)
            what.addWidget(field)
        where = QVBoxLayout()
        where.addWidget(self.to_new_layers)
        where.addWidget(self.kept_in)
        where.addWidget(self.to_fields)
        how = QVBoxLayout()
        how.addWidget(self.parameters)
        how.addWidget(self.more)
        column = QVBoxLayout(self)
        column.setContentsMargins(6, 4, 6, 4)
        for title, layout in ((tr("What"), what), (tr("How"), how), (tr("Where the scores go"), where)):
            column.addWidget(folding_box(title, layout))
        column.addStretch(1)

    def _connect(self) -> None:
        self.target.changed.connect(self._take_target)
        self.check.found.connect(self._show_badges)
        self.delineations.changed.connect(self._tell)
        self.parameters.changed.connect(self._tell)
        self.more.changed.connect(self._tell)
        self.to_fields.toggled.connect(self._tell)
        self.to_fields.toggled.connect(self.kept_in.setDisabled)
        self.kept_in.changed.connect(self._tell)

    def _take_target(self) -> None:
        self.follow_project()

    def _show_badges(self) -> None:
        self.target.refresh()
        self.delineations.refresh()

    def _tell(self, *_: object) -> None:
        self._pass_on()
        self.changed.emit()

    def _pass_on(self) -> None:
        """What one part of the form says about another."""
        project = QgsProject.instance()
        self.kept_in.refresh(self.to_new_layers.isChecked())
        self.more.set_target(self.target.layer())
        layers = [project.mapLayer(layer_id) for layer_id in self.delineations.checked_ids()]
        self.more.set_delineations([layer for layer in layers if isinstance(layer, QgsVectorLayer)])
        self.more.set_preset(self.parameters.values()[0])

    def _is_offered(self, layer_id: str) -> bool:
        return any(layer.id() == layer_id for layer in polygon_layers())


def _can_take_fields(layer: QgsVectorLayer) -> bool:
    needed = QgsVectorDataProvider.Capability.AddAttributes
    return not layer.readOnly() and bool(layer.dataProvider().capabilities() & needed)


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
