"""Form of page Instances: polygon layers or a point cloud, and how they are matched."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from qgis.core import QgsCoordinateReferenceSystem, QgsVectorLayer
from qgis.gui import QgsCollapsibleGroupBox

from randcrowns.algorithms.instances.schema.parameters import (
    ALL_DRAWN,
    CELL_SIZE,
    CLASS_AGGREGATES,
    CLASS_NAMES,
    CLASSES,
    CLOUD,
    CRS,
    DETECTION_METHOD,
    EXCLUDED_POINTS,
    FURTHER_NO_TREE_IDS,
    HEIGHT_FIELD,
    IGNORED,
    INCLUDE_UNMATCHED,
    LABELLED_ATTRIBUTE,
    MAX_PARTNER_DISTANCE,
    MIN_HEIGHT_FP,
    MIN_PRECISION_FP,
    NO_TREE_ID,
    NUM_PARTITIONS,
    PARTITION_END,
    PLOT_FIELD,
    POINTS,
    PREDICTION_ATTRIBUTE,
    PREDICTION_CLASS_ATTRIBUTE,
    PREDICTION_FURTHER_NO_TREE_IDS,
    PREDICTION_INPUT,
    PREDICTION_NO_TREE_ID,
    PREDICTIONS,
    SCORE_FIELD,
    SEGMENTATION_METHOD,
    TARGET_ATTRIBUTE,
    TARGET_CLASS_ATTRIBUTE,
    TARGETS,
)
from randcrowns.algorithms.parameter_types import Option, OptionParameter
from randcrowns.core.errors import RandCrownsError
from randcrowns.core.instances.cloud_values import CloudAttribute
from randcrowns.core.instances.no_tree_values import DEFAULT_NO_TREE
from randcrowns.core.instances.point_attributes import ComparedAttributes
from randcrowns.layers.localization import error_message, tr
from randcrowns.ui.instances.cloud_fields import (
    AttributeBoxes,
    CloudCrsField,
    CloudPicker,
    read_header_once,
)
from randcrowns.ui.services.layer_info import layer_name
from randcrowns.ui.services.settings import Settings
from randcrowns.ui.shell.comparison_form import ComparisonForm, class_parameter_rows
from randcrowns.ui.widgets.colours import SECONDARY_TONE
from randcrowns.ui.widgets.editors import REPLACE_LAST, RESULT_FILE, Editor, editor_for_field
from randcrowns.ui.widgets.fields import RadioField
from randcrowns.ui.widgets.parameter_form import FormGroup, FormRow, ParameterRow
from randcrowns.ui.widgets.parts import make_wrapped_label, set_text_or_hide
from randcrowns.ui.widgets.run_question import RunQuestion

#: Parameter of the dock only, whose page runs either of two algorithms.
INPUT_KIND = OptionParameter(
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


def evaluates_cloud(settings: Settings) -> bool:
    """Return True if a point cloud is evaluated."""
    return bool(settings[INPUT_KIND] == "cloud")


class InstanceForm(ComparisonForm):
    """Form with the parameters of the evaluations of polygon layers and of point clouds."""

    def __init__(self) -> None:
        self.cloud_picker = CloudPicker()
        self.attribute_boxes = AttributeBoxes()
        self.crs_field = CloudCrsField(self.cloud_picker)
        #: What -1 means in attributes that cannot contain it.
        self.no_tree_notice = make_wrapped_label(tone=SECONDARY_TONE)
        target_editor, prediction_editor = self.attribute_boxes.editors()
        self.create_widgets()
        super().__init__(
            targets=TARGETS,
            plot=PLOT_FIELD,
            all_drawn=ALL_DRAWN,
            parts=self._create_groups(),
            editors={
                INPUT_KIND: editor_for_field(RadioField(INPUT_KIND)),
                CLOUD: Editor(
                    widget=self.cloud_picker,
                    value=self.cloud_picker.path,
                    set_value=self.cloud_picker.select_cloud,
                    changed=self.cloud_picker.changed,
                    refresh=self.cloud_picker.refresh,
                ),
                TARGET_ATTRIBUTE: target_editor,
                PREDICTION_ATTRIBUTE: prediction_editor,
                CRS: Editor(
                    widget=self.crs_field,
                    value=self.crs_field.value,
                    set_value=self.crs_field.set_value,
                    changed=self.crs_field.crsChanged,
                ),
            },
            class_field=CLASSES.class_field,
        )

    def _create_groups(self) -> tuple[FormGroup, ...]:
        """Return the groups of the form, from top to bottom."""
        parameter_group = FormGroup(
            tr("Parameters"),
            (
                ParameterRow(DETECTION_METHOD, wide=True),
                ParameterRow(SEGMENTATION_METHOD, wide=True),
            ),
        )
        return (
            self._create_layers_group(),
            parameter_group,
            _create_advanced_group(),
            FormGroup(tr("Output"), (RESULT_FILE, REPLACE_LAST)),
        )

    @property
    def advanced_group(self) -> QgsCollapsibleGroupBox:
        """Group with the parameters that are rarely changed."""
        return self.group_boxes[2]

    def select_others(self, layers: Sequence[QgsVectorLayer]) -> None:
        """Select the first layer as predictions, unless the user has selected one.

        A layer that is also the target layer is always replaced.

        Args:
            layers: The layers; may be empty.
        """
        first_layer = layers[0] if layers else None
        prediction_field = self.field(PREDICTIONS)
        prediction_field.set_default_layer(first_layer)
        is_also_target = prediction_field.layer_id() == self.field(TARGETS).layer_id()
        if first_layer is not None and is_also_target:
            prediction_field.select_layer(first_layer.id())

    def setting_labels(self, settings: Settings) -> tuple[str, ...]:
        """Return labels of the settings that the metrics of a run depend on.

        Args:
            settings: Settings of the run.

        Returns:
            Labels of the layers or of the cloud and its attributes, and of the two matching
            methods.
        """
        matching_label = tr(
            "matching: {detection} (detection), {segmentation} (segmentation)",
            detection=DETECTION_METHOD.label_of(settings[DETECTION_METHOD]),
            segmentation=SEGMENTATION_METHOD.label_of(settings[SEGMENTATION_METHOD]),
        )
        if not evaluates_cloud(settings):
            predictions_label = tr("predictions: {layer}", layer=layer_name(settings[PREDICTIONS]))
            undefined_metrics = tr("precision, F1, PQ")
            layer_labels = self.answer_labels(settings, undefined_metrics, predictions_label)
            return (*layer_labels, matching_label)

        cloud_label = tr("cloud: {file}", file=Path(settings[CLOUD]).name)
        if not settings[TARGET_ATTRIBUTE]:
            return (cloud_label,)
        targets_label = tr(
            "targets: {attribute}, {number} is no tree",
            attribute=settings[TARGET_ATTRIBUTE],
            number=settings[NO_TREE_ID],
        )
        predictions_label = tr("predictions: {attribute}", attribute=settings[PREDICTION_ATTRIBUTE])
        return (cloud_label, targets_label, predictions_label, matching_label)

    def run_label(self) -> str:
        """Return the label of the Run button."""
        return tr("Evaluate the cloud") if evaluates_cloud(self.settings()) else tr("Evaluate")

    def run_problem(self) -> str:
        """Return the reason why nothing can be evaluated, or "" if it can."""
        settings = self.settings()
        if evaluates_cloud(settings):
            problem = self._cloud_problem(settings)
        else:
            problem = _polygon_problem(settings)
        return problem or self.result_file_field.file_problem_message()

    def run_question(self) -> RunQuestion | None:
        """Return a question about polygon layers in doubtful roles; None if there is none."""
        return None if evaluates_cloud(self.settings()) else super().run_question()

    def update_fields(self, settings: Settings) -> None:
        """Offer the attributes of the cloud, and preset the parameters of polygon layers.

        While a selected file cannot be read, its attributes stay.

        Args:
            settings: Settings that the form shows.
        """
        header = self.cloud_picker.header
        is_unreadable = header is None and bool(settings[CLOUD])
        if not is_unreadable:
            class_names = (settings[TARGET_CLASS_ATTRIBUTE], settings[PREDICTION_CLASS_ATTRIBUTE])
            attributes = () if header is None else header.attributes
            self.attribute_boxes.set_attributes(
                attributes,
                tuple(name for name in class_names if name),
                self._prediction_attributes(settings),
            )

        self._show_no_tree_notice(settings)
        self.separate_roles()
        new_settings = self.settings()  # separating the roles may select other layers
        predictions_id = new_settings[PREDICTIONS]
        self.update_presets(
            targets=new_settings[TARGETS],
            others=[predictions_id] if predictions_id else [],
            shown=_evaluates_polygons(new_settings),
        )

    def _show_no_tree_notice(self, settings: Settings) -> None:
        """Show what -1 means in the selected attributes that have no negative numbers."""
        header = self.cloud_picker.header
        attributes = () if header is None else header.attributes
        predicted_attributes = self._prediction_attributes(settings) or attributes
        target_box, prediction_box = self.attribute_boxes.boxes
        lines = []
        for box, parameter, offered in (
            (target_box, NO_TREE_ID, attributes),
            (prediction_box, PREDICTION_NO_TREE_ID, predicted_attributes),
        ):
            name = box.currentText()
            largest = next((one.largest_unsigned for one in offered if one.name == name), None)
            if largest is not None and settings[parameter] == DEFAULT_NO_TREE:
                lines.append(
                    tr(
                        "{attribute} has no negative numbers: -1 means {largest:,} if points have "
                        "it, else 0.",
                        attribute=name,
                        largest=largest,
                    )
                )
        is_shown = evaluates_cloud(settings)
        set_text_or_hide(self.no_tree_notice, "\n".join(lines) if is_shown else "")

    def _prediction_attributes(self, settings: Settings) -> Sequence[CloudAttribute] | None:
        """Return the attributes of the file of the predictions; None without a readable one."""
        if not settings[PREDICTION_INPUT]:
            return None
        try:
            return read_header_once(settings[PREDICTION_INPUT]).attributes
        except RandCrownsError:
            return None

    def other_layer_ids(self) -> Sequence[str]:
        """Return the id of the layer of predictions in a list, or an empty list."""
        predictions_id = self.field(PREDICTIONS).layer_id()
        return [predictions_id] if predictions_id else []

    def set_roles(self, targets: str, other: str) -> None:
        """Select the layers of targets and predictions by their ids."""
        self.field(TARGETS).select_layer(targets)
        self.field(PREDICTIONS).select_layer(other)

    def _create_layers_group(self) -> FormGroup:
        """Return the group with the layers or the cloud, of which only one is visible."""
        return FormGroup(
            tr("Layers"),
            (
                ParameterRow(INPUT_KIND, labelled=False),
                *self._polygon_rows(),
                *self._cloud_rows(),
            ),
        )

    def _polygon_rows(self) -> tuple[FormRow, ...]:
        """Return the rows of the polygon layers, and the notices about them."""
        return (
            ParameterRow(TARGETS, is_visible=_evaluates_polygons, wide=True),
            ParameterRow(
                PREDICTIONS,
                is_visible=_evaluates_polygons,
                wide=True,
                label_companion=self.swap_button,
            ),
            self.role_notice,
            ParameterRow(PLOT_FIELD, is_visible=_evaluates_polygons),
            ParameterRow(CLASSES.class_field, is_visible=_evaluates_polygons),
            ParameterRow(ALL_DRAWN, is_visible=_evaluates_polygons),
            self.partial_notice,
            ParameterRow(SCORE_FIELD, is_visible=_evaluates_polygons),
            ParameterRow(IGNORED, is_visible=_evaluates_polygons),
            ParameterRow(POINTS, is_visible=_evaluates_polygons),
            ParameterRow(HEIGHT_FIELD, is_visible=_evaluates_polygons),
        )

    def _cloud_rows(self) -> tuple[FormRow, ...]:
        """Return the rows of the point cloud and its attributes."""

        def needs_crs(settings: Settings) -> bool:
            """Return True if a cloud is evaluated that has no coordinate system."""
            return evaluates_cloud(settings) and self.cloud_picker.lacks_crs

        return (
            ParameterRow(CLOUD, is_visible=evaluates_cloud, wide=True),
            ParameterRow(TARGET_ATTRIBUTE, is_visible=evaluates_cloud),
            ParameterRow(NO_TREE_ID, is_visible=evaluates_cloud),
            ParameterRow(PREDICTION_ATTRIBUTE, is_visible=evaluates_cloud),
            ParameterRow(PREDICTION_NO_TREE_ID, is_visible=evaluates_cloud),
            self.no_tree_notice,
            ParameterRow(CRS, is_visible=needs_crs),
        )

    def _cloud_problem(self, settings: Settings) -> str:
        """Return the reason why the cloud cannot be evaluated, or ""."""
        header = self.cloud_picker.header
        if header is None:
            return self.cloud_picker.problem or tr(
                "Pick a point cloud first: a LAS, LAZ or COPC file."
            )
        attributes = ComparedAttributes(
            target=settings[TARGET_ATTRIBUTE],
            prediction=settings[PREDICTION_ATTRIBUTE],
            true_class=settings[TARGET_CLASS_ATTRIBUTE],
            predicted_class=settings[PREDICTION_CLASS_ATTRIBUTE],
        )
        try:
            attributes.check(has_prediction_file=bool(settings[PREDICTION_INPUT]))
            if settings[PREDICTION_INPUT]:
                read_header_once(settings[PREDICTION_INPUT])
            header.resolve_crs(QgsCoordinateReferenceSystem(settings[CRS]))
        except RandCrownsError as error:
            return error_message(error)
        return ""


def _create_advanced_group() -> FormGroup:
    """Return the group with the parameters that are rarely changed."""
    cloud_parameters = (
        FURTHER_NO_TREE_IDS,
        PREDICTION_FURTHER_NO_TREE_IDS,
        EXCLUDED_POINTS,
        PREDICTION_INPUT,
        MAX_PARTNER_DISTANCE,
        LABELLED_ATTRIBUTE,
        NUM_PARTITIONS,
        PARTITION_END,
        CELL_SIZE,
        TARGET_CLASS_ATTRIBUTE,
        PREDICTION_CLASS_ATTRIBUTE,
        CLASS_NAMES,
        CLASS_AGGREGATES,
    )
    cloud_rows = [
        ParameterRow(parameter, is_visible=evaluates_cloud) for parameter in cloud_parameters
    ]
    class_rows = [
        ParameterRow(row.parameter, is_visible=_evaluates_polygons, is_enabled=row.is_enabled)
        for row in class_parameter_rows(CLASSES)
    ]
    return FormGroup(
        tr("Advanced"),
        (INCLUDE_UNMATCHED, MIN_PRECISION_FP, MIN_HEIGHT_FP, *class_rows, *cloud_rows),
        collapsed=True,
    )


def _polygon_problem(settings: Settings) -> str:
    """Return the reason why the polygon layers cannot be evaluated, or ""."""
    if not settings[TARGETS] or not settings[PREDICTIONS]:
        return tr("Pick a layer of targets and a layer of predictions first.")
    if settings[TARGETS] == settings[PREDICTIONS]:
        return tr("Targets and predictions are the same layer; pick another one.")
    return ""


def _evaluates_polygons(settings: Settings) -> bool:
    """Return True if polygon layers are evaluated."""
    return not evaluates_cloud(settings)
