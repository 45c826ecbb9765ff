"""Form of page Instances: polygon layers or a point cloud, and how they are matched."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from qgis.core import QgsCoordinateReferenceSystem, QgsVectorLayer
from qgis.gui import QgsCollapsibleGroupBox

from randcrowns.algorithms.choice import OneOf, Option
from randcrowns.algorithms.instances.choices import (
    AGGREGATES,
    ALL_DRAWN,
    CELL,
    CLASSES,
    CLOUD,
    CRS,
    DETECTION,
    HEIGHT_FIELD,
    IGNORED,
    INCLUDE_UNMATCHED,
    INVALID_ID,
    LABELLED,
    MIN_HEIGHT,
    MIN_SHARE,
    N_PARTITIONS,
    PLOT_FIELD,
    POINTS,
    PREDICTION,
    PREDICTION_CLASS,
    PREDICTION_INVALID_ID,
    PREDICTIONS,
    REACH,
    SCORE_FIELD,
    SEGMENTATION,
    TARGET,
    TARGET_CLASS,
    TARGETS,
    attributes_problem,
)
from randcrowns.core.errors import RandCrownsError
from randcrowns.layers.words import reason, tr
from randcrowns.ui.instances.cloud import AttributeBoxes, CloudPicker, CloudSystem
from randcrowns.ui.services.layer_facts import name_of
from randcrowns.ui.services.settings import Settings
from randcrowns.ui.shell.comparing import ComparingForm
from randcrowns.ui.widgets.choice_form import Part, Row
from randcrowns.ui.widgets.editors import FILE, REPLACE, Editor, editor_in
from randcrowns.ui.widgets.fields import RadioField

#: Parameter of the dock only, whose page runs either of two algorithms.
KIND = OneOf(
    "kind",
    "",
    options=(
        Option(
            "polygons",
            tr("Polygon layers"),
            tr("Two polygon layers are compared; sizes are areas."),
        ),
        Option(
            "cloud",
            tr("Point cloud"),
            tr(
                "Two attributes of a labelled point cloud are compared; sizes are numbers of "
                "points."
            ),
        ),
    ),
)


def is_cloud(settings: Settings) -> bool:
    """Return True if a point cloud is evaluated."""
    return bool(settings[KIND] == "cloud")


class InstanceForm(ComparingForm):
    """Form with the parameters of the evaluations of polygon layers and of point clouds."""

    def __init__(self) -> None:
        self.cloud = CloudPicker()
        self.attributes = AttributeBoxes()
        self.crs = CloudSystem(self.cloud)
        target_editor, prediction_editor = self.attributes.editors()
        self.make_ready()
        super().__init__(
            TARGETS,
            PLOT_FIELD,
            ALL_DRAWN,
            (
                self._layers_group(),
                Part(tr("Parameters"), (Row(DETECTION, wide=True), Row(SEGMENTATION, wide=True))),
                _advanced_group(),
                Part(tr("Output"), (FILE, REPLACE)),
            ),
            {
                KIND: editor_in(RadioField(KIND)),
                CLOUD: Editor(
                    self.cloud,
                    self.cloud.path,
                    self.cloud.pick,
                    self.cloud.changed,
                    self.cloud.refresh,
                ),
                TARGET: target_editor,
                PREDICTION: prediction_editor,
                CRS: Editor(self.crs, self.crs.value, self.crs.show_value, self.crs.crsChanged),
            },
        )

    @property
    def more(self) -> QgsCollapsibleGroupBox:
        """Group with the parameters that are rarely changed."""
        return self.boxes[2]

    def pick_other(self, layer: QgsVectorLayer | None) -> None:
        """Select the layer of predictions, unless the user has selected one.

        A layer that is also the target layer is always replaced.

        Args:
            layer: The layer; None if there is none.
        """
        predictions = self.field(PREDICTIONS)
        predictions.pick_unless_chosen(layer)
        if layer is not None and predictions.layer_id() == self.field(TARGETS).layer_id():
            predictions.pick(layer.id())

    def decided_by(self, settings: Settings) -> tuple[str, ...]:
        """Return labels of the settings that the metrics of a run depend on.

        Args:
            settings: Settings of the run.

        Returns:
            Labels of the layers or of the cloud and its attributes, and of the two matching
            methods.
        """
        matching_label = tr(
            "matching: {detection} (detection), {segmentation} (segmentation)",
            detection=DETECTION.label_of(settings[DETECTION]),
            segmentation=SEGMENTATION.label_of(settings[SEGMENTATION]),
        )
        if not is_cloud(settings):
            predictions_label = tr("predictions: {layer}", layer=name_of(settings[PREDICTIONS]))
            undefined_metrics = tr("precision, F1, PQ")
            layer_labels = self.decided(settings, undefined_metrics, predictions_label)
            return (*layer_labels, matching_label)

        cloud_label = tr("cloud: {file}", file=Path(settings[CLOUD]).name)
        if not settings[TARGET]:
            return (cloud_label,)
        targets_label = tr(
            "targets: {attribute}, {number} is no tree",
            attribute=settings[TARGET],
            number=settings[INVALID_ID],
        )
        predictions_label = tr("predictions: {attribute}", attribute=settings[PREDICTION])
        return (cloud_label, targets_label, predictions_label, matching_label)

    def what_run_does(self) -> str:
        """Return the label of the Run button."""
        return tr("Evaluate the cloud") if is_cloud(self.settings()) else tr("Evaluate")

    def why_not(self) -> str:
        """Return the reason why nothing can be evaluated, or "" if it can."""
        settings = self.settings()
        if is_cloud(settings):
            problem = self._cloud_problem(settings)
        else:
            problem = _polygon_problem(settings)
        return problem or self.kept_in.why_not()

    def pass_on(self, settings: Settings) -> None:
        """Offer the attributes of the cloud, and preset the parameters of polygon layers.

        While a selected file cannot be read, its attributes stay.
        """
        head = self.cloud.head
        if head is not None or not settings[CLOUD]:
            class_names = (settings[TARGET_CLASS], settings[PREDICTION_CLASS])
            attributes = () if head is None else head.attributes
            self.attributes.offer(attributes, tuple(filter(None, class_names)))
        self.keep_apart()
        settings = self.settings()
        self.preset_for(
            settings[TARGETS], filter(None, (settings[PREDICTIONS],)), _is_polygons(settings)
        )

    def others(self) -> Sequence[str]:
        """Return the id of the layer of predictions in a list, or an empty list."""
        return list(filter(None, (self.field(PREDICTIONS).layer_id(),)))

    def pick_sides(self, targets: str, other: str) -> None:
        """Select the layers of targets and predictions by their ids."""
        self.field(TARGETS).pick(targets)
        self.field(PREDICTIONS).pick(other)

    def _layers_group(self) -> Part:
        """Return the group with the layers or the cloud."""

        def needs_crs(settings: Settings) -> bool:
            return is_cloud(settings) and self.cloud.names_no_system

        return Part(
            tr("Layers"),
            (
                Row(KIND, labelled=False),
                Row(TARGETS, shown=_is_polygons, wide=True),
                Row(PREDICTIONS, shown=_is_polygons, wide=True, beside=self.swap),
                self.swapped,
                Row(PLOT_FIELD, shown=_is_polygons),
                Row(ALL_DRAWN, shown=_is_polygons),
                self.why_partial,
                Row(SCORE_FIELD, shown=_is_polygons),
                Row(IGNORED, shown=_is_polygons),
                Row(POINTS, shown=_is_polygons),
                Row(HEIGHT_FIELD, shown=_is_polygons),
                Row(CLOUD, shown=is_cloud, wide=True),
                Row(TARGET, shown=is_cloud),
                Row(INVALID_ID, shown=is_cloud),
                Row(PREDICTION, shown=is_cloud),
                Row(PREDICTION_INVALID_ID, shown=is_cloud),
                Row(CRS, shown=needs_crs),
            ),
        )

    def _cloud_problem(self, settings: Settings) -> str:
        """Return the reason why the cloud cannot be evaluated, or ""."""
        head = self.cloud.head
        if head is None:
            return self.cloud.problem or tr("Pick a point cloud first: a LAS, LAZ or COPC file.")
        problem = attributes_problem(
            settings[TARGET],
            settings[PREDICTION],
            settings[TARGET_CLASS],
            settings[PREDICTION_CLASS],
        )
        if problem:
            return problem
        try:
            head.system(QgsCoordinateReferenceSystem(settings[CRS]))
        except RandCrownsError as error:
            return reason(error)
        return ""


def _advanced_group() -> Part:
    """Return the group with the parameters that are rarely changed."""
    cloud_parameters = (
        LABELLED,
        N_PARTITIONS,
        REACH,
        CELL,
        TARGET_CLASS,
        PREDICTION_CLASS,
        CLASSES,
        AGGREGATES,
    )
    cloud_rows = [Row(parameter, shown=is_cloud) for parameter in cloud_parameters]
    return Part(
        tr("Advanced"), (INCLUDE_UNMATCHED, MIN_SHARE, MIN_HEIGHT, *cloud_rows), folded=True
    )


def _polygon_problem(settings: Settings) -> str:
    """Return the reason why the polygon layers cannot be evaluated, or ""."""
    if not settings[TARGETS] or not settings[PREDICTIONS]:
        return tr("Pick a layer of targets and a layer of predictions first.")
    if settings[TARGETS] == settings[PREDICTIONS]:
        return tr("Targets and predictions are the same layer; pick another one.")
    return ""


def _is_polygons(settings: Settings) -> bool:
    """Return True if polygon layers are evaluated."""
    return not is_cloud(settings)
