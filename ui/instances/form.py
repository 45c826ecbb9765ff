"""The upper half of page Instances: polygons or a point cloud, and how to match."""

from __future__ import annotations

from qgis.core import QgsFieldProxyModel
from qgis.PyQt.QtCore import QSignalBlocker, pyqtSignal
from qgis.PyQt.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFormLayout,
    QHBoxLayout,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from randcrowns.layers.words import tr
from randcrowns.ui.instances.cloud import CloudPicker
from randcrowns.ui.instances.columns import methods
from randcrowns.ui.instances.settings import CLOUD, FARTHEST, POLYGONS, QUANTILE, InstanceSettings
from randcrowns.ui.services.layer_check import LayerCheck
from randcrowns.ui.services.layer_facts import polygon_layers
from randcrowns.ui.widgets.form_rows import add_row, choice_box, decimal_box, field_box, folding_box, form_in, whole_box
from randcrowns.ui.widgets.kept_in import KeptIn
from randcrowns.ui.widgets.layer_picker import LayerPicker

__all__ = ["InstanceForm"]


class InstanceForm(QWidget):
    """Edits an :class:`InstanceSettings`. Emits :attr:`changed` whenever the settings do."""

    changed = pyqtSignal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.check = LayerCheck(self)
        self.of_polygons = QRadioButton(tr("Polygons"))
        self.of_polygons.setToolTip(tr("Two polygon layers are compared; sizes are areas."))
        self.of_cloud = QRadioButton(tr("Point cloud"))
        self.of_cloud.setToolTip(
            tr("Two attributes of a labelled point cloud are compared; sizes are numbers of points.")
        )
        self.of_polygons.setChecked(True)
        self.targets, self.predictions = LayerPicker(self.check), LayerPicker(self.check)
        self.targets.combo.setToolTip(tr("The crowns taken as true."))
        self.predictions.combo.setToolTip(tr("The crowns that a method or a person found."))
        self.height_field = field_box(tr("Number by which the tallest target chooses first; without it: the area."))
        self.height_field.setFilters(QgsFieldProxyModel.Numeric)
        self.group_field = field_box(
            tr(
                "A field of the targets, such as the plot: the summary gets a line for each, intervals draw plots. "
                "Where the predictions have that field too, crowns meet only within their plot, so its names must be "
                "spelled alike in both."
            )
        )
        self.cloud = CloudPicker()
        self.detection = _method_box(tr("Which trees count as found; point at a method for its rule."))
        self.segmentation = _method_box(tr("Which prediction a tree's IoU, precision and recall are measured with."))
        self.segmentation.setCurrentIndex(self.segmentation.findData(InstanceSettings.segmentation))
        self.include_unmatched = QCheckBox(tr("Unmatched trees count"))
        self.include_unmatched.setToolTip(
            tr(
                "In the means per part of the trees and in table Metrics, with IoU and recall 0. The mean IoU of the "
                "summary always counts them, as 0."
            )
        )
        self.include_unmatched.setChecked(True)
        self.n_partitions = whole_box(
            0, 100, "", tr("Parts of each tree by distance to the trunk and by height; 0 leaves them out.")
        )
        self.n_partitions.setValue(InstanceSettings.n_partitions)
        self.reach = choice_box(
            (
                (QUANTILE, tr("95 % of the points"), tr("As pointtree computes it.")),
                (FARTHEST, tr("the farthest point"), tr("As pointtree documents it.")),
            )
        )
        self.reach.setToolTip(tr("Where the last partition of a tree ends."))
        self.min_share = decimal_box(
            0.0,
            1.0,
            "",
            tr("An unmatched prediction with a smaller labelled share is uncertain."),
            step=0.05,
            lowest=tr("off"),
        )
        self.min_height = decimal_box(
            0.0,
            200.0,
            " m",
            tr("A lower unmatched prediction is uncertain; needs cloth-simulation-filter above 0."),
            step=0.05,
            lowest=tr("off"),
        )
        self.kept_in = KeptIn()
        self._build()
        self._connect()
        self.follow_project()

    def settings(self) -> InstanceSettings:
        """What is chosen now."""
        return InstanceSettings(
            kind=CLOUD if self.of_cloud.isChecked() else POLYGONS,
            targets=self.targets.layer_id(),
            predictions=self.predictions.layer_id(),
            height_field=self.height_field.currentField(),
            group_field=self.group_field.currentField(),
            cloud=self.cloud.path(),
            cloud_stamp=self.cloud.stamp(),
            target_attribute=self.cloud.target.currentText(),
            prediction_attribute=self.cloud.prediction.currentText(),
            invalid_id=self.cloud.invalid_id.value(),
            prediction_invalid_id=self.cloud.prediction_invalid_id.value(),
            cloud_crs=self.cloud.chosen_crs(),
            detection=str(self.detection.currentData()),
            segmentation=str(self.segmentation.currentData()),
            include_unmatched=self.include_unmatched.isChecked(),
            n_partitions=self.n_partitions.value(),
            reach=str(self.reach.currentData()),
            min_share=self.min_share.value(),
            min_height=self.min_height.value(),
            file=self.kept_in.path(),
        )

    def show_settings(self, settings: InstanceSettings) -> None:
        """Show these; layers and files that are gone leave the choice as it is."""
        (self.of_cloud if settings.kind == CLOUD else self.of_polygons).setChecked(True)
        self.targets.pick(settings.targets)
        self.predictions.pick(settings.predictions)
        self._offer_fields()
        self.height_field.setField(settings.height_field)
        self.group_field.setField(settings.group_field)
        self.cloud.pick(
            settings.cloud,
            settings.target_attribute,
            settings.prediction_attribute,
            (settings.invalid_id, settings.prediction_invalid_id),
            settings.cloud_crs,
        )
        for box, key in (
            (self.detection, settings.detection),
            (self.segmentation, settings.segmentation),
            (self.reach, settings.reach),
        ):
            box.setCurrentIndex(max(0, box.findData(key)))
        self.include_unmatched.setChecked(settings.include_unmatched)
        self.n_partitions.setValue(settings.n_partitions)
        self.min_share.setValue(settings.min_share)
        self.min_height.setValue(settings.min_height)
        self.kept_in.set_path(settings.file)
        self._tell()

    def follow_project(self) -> None:
        """Take up layers that came, went or changed; pick two layers that differ."""
        self.targets.refresh()
        self.predictions.refresh()
        self.cloud.refresh()
        others = [layer.id() for layer in polygon_layers() if layer.id() != self.targets.layer_id()]
        if self.predictions.layer_id() == self.targets.layer_id() and others:
            self.predictions.pick(others[0])
        self._tell()

    def what_run_does(self) -> str:
        """For the button."""
        return tr("Evaluate the cloud") if self.of_cloud.isChecked() else tr("Evaluate")

    def why_not(self) -> str:
        """Why Run cannot be pressed, empty when it can."""
        if self.of_cloud.isChecked():
            if not self.cloud.path():
                return tr("Pick a point cloud first: a LAS, LAZ or COPC file.")
            if self.cloud.problem:
                return self.cloud.problem
            if not self.cloud.target.currentText() or not self.cloud.prediction.currentText():
                return tr("Pick the attributes with the numbers of the trees; the cloud has fewer than two of its own.")
            if self.cloud.target.currentText() == self.cloud.prediction.currentText():
                return tr("Targets and predictions are the same attribute; pick another one.")
            return self.cloud.lacking() or self.kept_in.why_not()
        if self.targets.layer() is None or self.predictions.layer() is None:
            return tr("Pick a layer of targets and a layer of predictions first.")
        if self.targets.layer_id() == self.predictions.layer_id():
            return tr("Targets and predictions are the same layer; pick another one.")
        return self.kept_in.why_not()

    def _build(self) -> None:
        kinds = QHBoxLayout()
        kinds.addWidget(self.of_polygons)
        kinds.addWidget(self.of_cloud)
        kinds.addStretch(1)
        self._polygons = QWidget()
        polygons = form_in(self._polygons)
        for words, widget in (
            (tr("Targets"), self.targets),
            (tr("Predictions"), self.predictions),
            (tr("Height"), self.height_field),
            (tr("Plot"), self.group_field),
        ):
            add_row(polygons, words, widget)
        what = QVBoxLayout()
        what.addLayout(kinds)
        what.addWidget(self._polygons)
        what.addWidget(self.cloud)
        how = QFormLayout()
        how.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        how.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        add_row(how, tr("Found by"), self.detection)
        add_row(how, tr("Cut out by"), self.segmentation)
        more = form_in()
        more.addRow(self.include_unmatched)
        for words, field in (
            (tr("Partitions"), self.n_partitions),
            (tr("They end at"), self.reach),
            (tr("Labelled share from"), self.min_share),
            (tr("Height from"), self.min_height),
        ):
            add_row(more, words, field)
        self.more = folding_box(tr("More"), more, folded=True)
        how.addRow(self.more)
        column = QVBoxLayout(self)
        column.setContentsMargins(6, 4, 6, 4)
        where = QVBoxLayout()
        where.addWidget(self.kept_in)
        for title, layout in ((tr("What"), what), (tr("How"), how), (tr("Where the results go"), where)):
            column.addWidget(folding_box(title, layout))
        column.addStretch(1)

    def _connect(self) -> None:
        for signal in (
            self.of_cloud.toggled,
            self.predictions.changed,
            self.height_field.fieldChanged,
            self.group_field.fieldChanged,
            self.cloud.changed,
            self.detection.currentIndexChanged,
            self.segmentation.currentIndexChanged,
            self.reach.currentIndexChanged,
            self.include_unmatched.toggled,
            self.n_partitions.valueChanged,
            self.min_share.valueChanged,
            self.min_height.valueChanged,
            self.kept_in.changed,
        ):
            signal.connect(self._tell)
        self.targets.changed.connect(self.follow_project)
        self.check.found.connect(self._show_badges)

    def _show_badges(self) -> None:
        self.targets.refresh()
        self.predictions.refresh()

    def _tell(self, *_: object) -> None:
        of_cloud = self.of_cloud.isChecked()
        self._polygons.setVisible(not of_cloud)
        self.cloud.setVisible(of_cloud)
        self.more.setVisible(of_cloud)
        self.kept_in.refresh()
        self._offer_fields()
        self.changed.emit()

    def _offer_fields(self) -> None:
        layer = self.targets.layer()
        for box in (self.height_field, self.group_field):
            if box.layer() is not layer:
                before = box.currentField()
                blocker = QSignalBlocker(box)
                box.setLayer(layer)
                box.setField(before)
                del blocker


def _method_box(tooltip: str) -> QComboBox:
    box = choice_box(methods())
    box.setToolTip(tooltip)
    return box
