"""The upper half of page Instances: polygons or a point cloud, and how they are matched."""

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

#: Of the dock alone, which has one page for both evaluations.
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
                "Two attributes of a labelled point cloud are compared; sizes are numbers of points."
            ),
        ),
    ),
)


_OF_CLASSES = (TARGET_CLASS, PREDICTION_CLASS, CLASSES, AGGREGATES)


def is_cloud(settings: Settings) -> bool:
    """Whether a point cloud is evaluated."""
    return bool(settings[KIND] == "cloud")


class InstanceForm(ComparingForm):
    """Edits the choices of both evaluations."""

    def __init__(self) -> None:
        self.cloud = CloudPicker()
        self.attributes = AttributeBoxes()
        self.crs = CloudSystem(self.cloud)
        target, prediction = self.attributes.editors()
        self.make_ready()
        super().__init__(
            *(TARGETS, PLOT_FIELD, ALL_DRAWN),
            (
                Part(
                    tr("What"),
                    (
                        Row(KIND, labelled=False),
                        Row(TARGETS, shown=_is_polygons, wide=True),
                        Row(PREDICTIONS, shown=_is_polygons, wide=True, beside=self.swap),
                        self.swapped,
                        *(Row(choice, shown=_is_polygons) for choice in (PLOT_FIELD, ALL_DRAWN)),
                        self.why_partial,
                        *(
                            Row(choice, shown=_is_polygons)
                            for choice in (SCORE_FIELD, IGNORED, POINTS, HEIGHT_FIELD)
                        ),
                        Row(CLOUD, shown=is_cloud, wide=True),
                        *(
                            Row(choice, shown=is_cloud)
                            for choice in (TARGET, INVALID_ID, PREDICTION, PREDICTION_INVALID_ID)
                        ),
                        Row(
                            CRS,
                            shown=lambda settings: (
                                is_cloud(settings) and self.cloud.names_no_system
                            ),
                        ),
                    ),
                ),
                Part(tr("How"), (Row(DETECTION, wide=True), Row(SEGMENTATION, wide=True))),
                Part(
                    tr("More"),
                    (
                        *(INCLUDE_UNMATCHED, MIN_SHARE, MIN_HEIGHT),
                        *(
                            Row(choice, shown=is_cloud)
                            for choice in (LABELLED, N_PARTITIONS, REACH, CELL)
                        ),
                        *(Row(choice, shown=is_cloud) for choice in _OF_CLASSES),
                    ),
                    folded=True,
                ),
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
                TARGET: target,
                PREDICTION: prediction,
                CRS: Editor(self.crs, self.crs.value, self.crs.show_value, self.crs.crsChanged),
            },
        )

    @property
    def more(self) -> QgsCollapsibleGroupBox:
        """The part for what is rarely chosen."""
        return self.boxes[2]

    def pick_other(self, layer: QgsVectorLayer | None) -> None:
        predictions = self.field(PREDICTIONS)
        predictions.pick_unless_chosen(layer)
        if layer is not None and predictions.layer_id() == self.field(TARGETS).layer_id():
            predictions.pick(layer.id())

    def decided_by(self, settings: Settings) -> tuple[str, ...]:
        """What the metrics of a run depend on: the layers or the cloud, and the two matching methods."""
        matched = tr(
            "matching: {detection} (detection), {segmentation} (segmentation)",
            detection=DETECTION.label_of(settings[DETECTION]),
            segmentation=SEGMENTATION.label_of(settings[SEGMENTATION]),
        )
        if not is_cloud(settings):
            predictions = tr("predictions: {layer}", layer=name_of(settings[PREDICTIONS]))
            return (*self.decided(settings, tr("precision, F1, PQ"), predictions), matched)
        cloud = tr("cloud: {file}", file=Path(settings[CLOUD]).name)
        if not settings[TARGET]:
            return (cloud,)
        return (
            cloud,
            tr(
                "targets: {attribute}, {number} is no tree",
                attribute=settings[TARGET],
                number=settings[INVALID_ID],
            ),
            tr("predictions: {attribute}", attribute=settings[PREDICTION]),
            matched,
        )

    def what_run_does(self) -> str:
        return tr("Evaluate the cloud") if is_cloud(self.settings()) else tr("Evaluate")

    def why_not(self) -> str:
        settings = self.settings()
        problem = (
            self._cloud_problem(settings) if is_cloud(settings) else self._polygon_problem(settings)
        )
        return problem or self.kept_in.why_not()

    def pass_on(self, settings: Settings) -> None:
        """The attributes are those of the cloud; a file that cannot be read now leaves them."""
        if self.cloud.head is not None or not settings[CLOUD]:
            classes = tuple(filter(None, (settings[TARGET_CLASS], settings[PREDICTION_CLASS])))
            self.attributes.offer(
                () if self.cloud.head is None else self.cloud.head.attributes, classes
            )
        self.keep_apart()
        settings = self.settings()
        self.preset_for(
            settings[TARGETS], filter(None, (settings[PREDICTIONS],)), _is_polygons(settings)
        )

    def others(self) -> Sequence[str]:
        return list(filter(None, (self.field(PREDICTIONS).layer_id(),)))

    def pick_sides(self, targets: str, other: str) -> None:
        self.field(TARGETS).pick(targets)
        self.field(PREDICTIONS).pick(other)

    def _cloud_problem(self, settings: Settings) -> str:
        head = self.cloud.head
        if head is None:
            return self.cloud.problem or tr("Pick a point cloud first: a LAS, LAZ or COPC file.")
        why = attributes_problem(
            *(settings[one] for one in (TARGET, PREDICTION, TARGET_CLASS, PREDICTION_CLASS))
        )
        if why:
            return why
        try:
            head.system(QgsCoordinateReferenceSystem(settings[CRS]))
        except RandCrownsError as error:
            return reason(error)
        return ""

    def _polygon_problem(self, settings: Settings) -> str:
        if not settings[TARGETS] or not settings[PREDICTIONS]:
            return tr("Pick a layer of targets and a layer of predictions first.")
        if settings[TARGETS] == settings[PREDICTIONS]:
            return tr("Targets and predictions are the same layer; pick another one.")
        return ""


def _is_polygons(settings: Settings) -> bool:
    return not is_cloud(settings)
