"""Algorithm ``randcrowns:evaluateinstances``: evaluate predicted crowns against target crowns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pandas as pd
import shapely
from qgis.core import QgsCoordinateTransformContext, QgsFields

from randcrowns.algorithms.algorithm_catalogue import EVALUATE_INSTANCES
from randcrowns.algorithms.classes.outputs import class_tables, strata_tables
from randcrowns.algorithms.common_parameters import (
    check_layers,
    find_unused_plot_field,
    partial_drawing_messages,
)
from randcrowns.algorithms.consensus_targets import consensus_messages
from randcrowns.algorithms.crown_algorithm import CrownAlgorithm, RunResults
from randcrowns.algorithms.instances import tables
from randcrowns.algorithms.instances.schema import outputs, parameters
from randcrowns.algorithms.instances.schema.outputs import (
    POLYGON_NUMBERS,
    POLYGON_OUTPUTS,
    POLYGON_VALUES,
)
from randcrowns.algorithms.instances.schema.parameters import POLYGON_PARAMETERS
from randcrowns.algorithms.instances.schema.report_content import REPORT_CONTENT
from randcrowns.algorithms.output_types import UNIT, Output
from randcrowns.algorithms.parameter_types import Parameter, RunParameters, RunSettings
from randcrowns.core.arrays import Floats, Objects
from randcrowns.core.classes.evaluation import ClassEvaluation, class_conclusion
from randcrowns.core.classes.results import classes_of_evaluation, strata_of_evaluation
from randcrowns.core.classes.summarise import StrataSummary
from randcrowns.core.classes.values import parse_class_groups
from randcrowns.core.crowns import Crowns
from randcrowns.core.errors import InputError
from randcrowns.core.instances.evaluation import (
    CrownAttributes,
    CrownEvaluation,
    EvaluationOptions,
    evaluate_crowns,
    with_point_recall,
)
from randcrowns.core.messages import Message, note
from randcrowns.core.progress import Progress
from randcrowns.layers.crs import WorkingCrs
from randcrowns.layers.fields import field_index
from randcrowns.layers.localization import tr
from randcrowns.layers.raster.grid import is_in_pixel_coordinates
from randcrowns.layers.vector.geometry import polygon_layer_type, polygons_of_features
from randcrowns.layers.vector.guesses import role_messages
from randcrowns.layers.vector.read import CrownLayer, LayerRequest, LayerSnapshot
from randcrowns.layers.vector.study_site import StudySite, group_site_classes, read_study_site
from randcrowns.layers.vector.tables import FeatureTable


@dataclass(frozen=True)
class InstanceSettings(RunSettings):
    """Settings of a run that evaluates predicted crowns."""

    same_layer: bool  #: True if targets and predictions are the same features of one layer.
    in_pixels: bool  #: True if the layers are in pixel coordinates.
    #: Plot field that both layers have but that is not selected, or "".
    unused_plots: str


@dataclass(frozen=True)
class InstanceEvaluation:
    """Results of the evaluation of predicted crowns."""

    evaluation: CrownEvaluation  #: matchings and metrics.
    summary: pd.DataFrame  #: the summary, with the point recall if there are points.
    messages: list[Message]  #: messages.
    classes: ClassEvaluation | None = None  #: comparison of classes; None without classes.
    strata: StrataSummary | None = None  #: IoU by strata; None without strata.

    @property
    def target_classes(self) -> pd.DataFrame:
        """Classes of the targets and of their matches; no columns without classes."""
        return pd.DataFrame() if self.classes is None else self.classes.targets

    @property
    def prediction_classes(self) -> pd.DataFrame:
        """Classes of the predictions and of their matches; no columns without classes."""
        return pd.DataFrame() if self.classes is None else self.classes.predictions


class EvaluateInstances(CrownAlgorithm):
    """Algorithm that evaluates predicted crowns against target crowns."""

    entry = EVALUATE_INSTANCES
    help = (
        tr(
            "Matches predicted crowns with target crowns: how many were found (precision, recall, "
            "F1, panoptic quality), and how well each was segmented (IoU, precision, recall, by "
            "area)."
        ),
        parameters.MATCHING_HELP,
        parameters.HEIGHT_FIELD,
        tr(
            "<b>Polygons overlap</b>, but the methods assume that instances do not. For detection, "
            "each target and each prediction is therefore matched at most once. Of the pairs that "
            "satisfy the method's rule, those with the highest IoU are matched first. If a "
            "prediction covers further targets, it counts as a merge."
        ),
        parameters.ALL_DRAWN,
        parameters.PLOT_FIELD,
    )
    progress_shares = (0.35, 0.9)
    title_layers = (parameters.TARGETS, parameters.PREDICTIONS)
    declared_parameters = POLYGON_PARAMETERS
    outputs = POLYGON_OUTPUTS
    value_outputs = POLYGON_VALUES
    report_content = REPORT_CONTENT

    def validate(self, run_parameters: RunParameters) -> None:
        """Raise an InputError if a layer or a field of the targets cannot be used."""
        targets = run_parameters.layer(parameters.TARGETS)
        check_layers(
            targets,
            run_parameters.layer(parameters.PREDICTIONS),
            run_parameters.layer(parameters.IGNORED),
            in_pixels=_are_in_pixels(run_parameters),
        )
        fields = QgsFields() if targets is None else targets.fields()
        for parameter in (parameters.HEIGHT_FIELD, parameters.PLOT_FIELD):
            name = run_parameters[parameter]
            index = field_index(fields, name)
            if name and index < 0:
                raise InputError(
                    "targets.no_field", "The target layer has no field '{field}'.", field=name
                )
            if name and parameter.numeric and not fields.at(index).isNumeric():
                raise InputError(
                    "height.not_numeric",
                    "Field '{field}' contains no numbers, so it cannot be the height field.",
                    field=name,
                )
        predictions = run_parameters.layer(parameters.PREDICTIONS)
        parameters.CLASSES.check(run_parameters, targets, [predictions])

    def read_settings(self, run_parameters: RunParameters) -> InstanceSettings:
        """Return the settings with layer snapshots, and messages about unsuitable layers."""
        targets = run_parameters.layer(parameters.TARGETS)
        predictions = run_parameters.layer(parameters.PREDICTIONS)
        messages = []
        if predictions is not None:
            messages += role_messages(targets, [predictions])
            messages += consensus_messages(targets, [predictions])
        if run_parameters[parameters.PLOT_FIELD] and parameters.PLOT_FIELD not in run_parameters:
            messages.append(
                note(
                    "instances.images",
                    "The targets lie in pixels of several images: crowns of one image only are "
                    "compared.",
                )
            )
        is_same_layer = _create_source_key(
            run_parameters, parameters.TARGETS
        ) == _create_source_key(run_parameters, parameters.PREDICTIONS)
        return InstanceSettings.from_parameters(
            run_parameters,
            messages,
            same_layer=is_same_layer,
            in_pixels=_are_in_pixels(run_parameters),
            unused_plots=find_unused_plot_field(
                run_parameters, parameters.PLOT_FIELD, targets, [predictions]
            ),
        )

    def read_layers(self, settings: InstanceSettings, progress: Progress) -> StudySite:
        """Return the targets, the predictions and, if there are any, the areas to ignore.

        Args:
            settings: settings of the run.
            progress: called with the fraction done.
        """
        plot_field = settings[parameters.PLOT_FIELD]
        class_fields = parameters.CLASSES.fields(settings)
        class_field_by_parameter = {
            parameters.TARGETS: class_fields.targets,
            parameters.PREDICTIONS: class_fields.others,
        }
        requests = []
        for parameter, class_field in class_field_by_parameter.items():
            request = LayerRequest(
                settings[parameter],
                group_field=plot_field,
                unused_plot_field=settings.unused_plots,
                class_field=class_field,
                read_all_attributes=True,
                is_required=True,
            )
            requests.append(request)
        ignored = settings[parameters.IGNORED]
        n_areas = 0
        if ignored is not None:
            n_areas = 1
            # Areas without the field count for all classes.
            has_classes = field_index(ignored.fields, class_fields.targets) >= 0
            class_field = class_fields.targets if has_classes else ""
            requests.append(LayerRequest(ignored, group_field=plot_field, class_field=class_field))
        crs_source: WorkingCrs | QgsCoordinateTransformContext = settings.transform_context
        if settings.in_pixels:
            crs_source = WorkingCrs.for_pixels(settings.transform_context)
        site = read_study_site(requests, crs_source, progress=progress)
        groups = parse_class_groups(settings[parameters.CLASSES.groups])
        return group_site_classes(site, groups, n_areas=n_areas)

    def compute(
        self, settings: InstanceSettings, inputs: StudySite, progress: Progress
    ) -> InstanceEvaluation:
        """Return the matchings, the summary and the average precision.

        Args:
            settings: settings of the run.
            inputs: result of :meth:`read_layers`.
            progress: called with the fraction done.
        """
        targets = inputs.layers[0].crowns
        predictions = inputs.layers[1].crowns
        options = _create_evaluation_options(settings)
        attributes = _read_crown_attributes(settings, inputs)
        strata_request = parameters.CLASSES.strata_request(settings, inputs.layers[0])
        evaluation = evaluate_crowns(
            targets,
            predictions,
            options,
            attributes,
            is_same_layer=settings.same_layer,
            progress=progress,
        )
        summary, point_messages = _add_point_recall(settings, inputs, predictions, evaluation)
        messages = _comparison_messages(settings, inputs, evaluation)
        messages += evaluation.metric_messages
        messages += point_messages
        messages += evaluation.uncertain_messages

        classes = classes_of_evaluation(targets, predictions, evaluation, options, attributes)
        if classes is not None:
            messages += classes.messages
        strata = None
        if strata_request is not None:
            strata = strata_of_evaluation(strata_request, targets, predictions, evaluation)
            messages += strata.messages
        return InstanceEvaluation(
            evaluation=evaluation,
            summary=summary,
            messages=messages,
            classes=classes,
            strata=strata,
        )

    def build_results(
        self,
        settings: InstanceSettings,
        inputs: StudySite,
        findings: InstanceEvaluation,
        progress: Progress,
    ) -> RunResults:
        """Return the crowns with their results, the tables, the metrics and the conclusion.

        Args:
            settings: settings of the run.
            inputs: layers: the targets, the predictions and, if there are any, the areas to ignore.
            findings: result of :meth:`compute`.
            progress: not called, because the tables are made quickly.
        """
        _, prediction_layer, *_ = inputs.layers
        layer_name = prediction_layer.crowns.name
        evaluation = findings.evaluation
        metrics = tables.pointtree_metrics(
            evaluation.matches,
            missing_id=-1,  # QGIS has no feature of this id
            include_unmatched=settings[parameters.INCLUDE_UNMATCHED],
        )
        output_tables = _create_crown_tables(settings, inputs, findings)
        output_tables |= {
            outputs.SUMMARY: outputs.SUMMARY.create_table(findings.summary),
            outputs.THRESHOLDS: outputs.THRESHOLDS.create_table(evaluation.thresholds),
            outputs.METRICS: outputs.METRICS.create_table(metrics),
        }
        if findings.classes is not None:
            output_tables |= class_tables([(layer_name, findings.classes)])
        if findings.strata is not None:
            output_tables |= strata_tables([(layer_name, findings.strata)])
        values = {
            **tables.result_numbers(findings.summary, POLYGON_NUMBERS),
            UNIT.id: inputs.working_crs.unit,
        }
        conclusion = tables.instances_conclusion(findings.summary)
        if findings.classes is not None:
            conclusion.append(class_conclusion(findings.classes, layer_name))
        return RunResults(output_tables, values, headline=conclusion)


def _comparison_messages(
    settings: InstanceSettings, inputs: StudySite, evaluation: CrownEvaluation
) -> list[Message]:
    """Return messages about layers that do not fit together, such as plots that do not match.

    Args:
        settings: settings of the run.
        inputs: layers, the targets and the predictions first.
        evaluation: the evaluation, with the overlaps of both layers.
    """
    target_layer, prediction_layer, *_ = inputs.layers
    messages = list(evaluation.comparison_messages)
    overlap = evaluation.matches.table
    unused_plots_message = target_layer.unused_plots_message(
        prediction_layer, overlap.target, overlap.prediction
    )
    if unused_plots_message is not None:
        messages.append(unused_plots_message)
    messages += partial_drawing_messages(
        settings[parameters.ALL_DRAWN],
        tr("precision, F1, PQ and AP"),
        target_layer.crowns,
        [prediction_layer.crowns],
    )
    return messages


def _create_crown_tables(
    settings: InstanceSettings, inputs: StudySite, findings: InstanceEvaluation
) -> dict[Output, FeatureTable]:
    """Return the targets and the predictions with their results, by output.

    Args:
        settings: settings of the run, with the snapshots of the layers.
        inputs: layers, the targets and the predictions first.
        findings: results of the crowns.
    """
    target_layer, prediction_layer, *_ = inputs.layers
    evaluation = findings.evaluation
    target_results = tables.target_results(evaluation.matches)
    prediction_results = tables.prediction_results(evaluation.matches)
    return {
        outputs.MATCHED_TARGETS: _create_crown_table(
            outputs.MATCHED_TARGETS,
            settings[parameters.TARGETS],
            target_layer,
            pd.concat([target_results, findings.target_classes], axis=1),
            plots=evaluation.plots.targets,
            heights=evaluation.heights,
        ),
        outputs.MATCHED_PREDICTIONS: _create_crown_table(
            outputs.MATCHED_PREDICTIONS,
            settings[parameters.PREDICTIONS],
            prediction_layer,
            pd.concat([prediction_results, findings.prediction_classes], axis=1),
            plots=evaluation.plots.predictions,
        ),
    }


def _are_in_pixels(run_parameters: RunParameters) -> bool:
    """Return True if all input layers of a run are in pixel coordinates."""
    return all(is_in_pixel_coordinates(layer) for layer in run_parameters.input_layers())


def _create_evaluation_options(settings: InstanceSettings) -> EvaluationOptions:
    """Return the methods and limits of a run."""
    return EvaluationOptions(
        detection_method=settings[parameters.DETECTION_METHOD],
        segmentation_method=settings[parameters.SEGMENTATION_METHOD],
        all_drawn=settings[parameters.ALL_DRAWN],
        min_share=settings[parameters.MIN_PRECISION_FP],
        min_height=settings[parameters.MIN_HEIGHT_FP],
        within_classes=settings[parameters.CLASSES.within],
    )


def _read_crown_attributes(settings: InstanceSettings, inputs: StudySite) -> CrownAttributes:
    """Return heights and scores of the crowns, and the areas to ignore.

    Args:
        settings: settings of the run, with the names of the fields.
        inputs: layers: the targets, the predictions and, if there are any, the areas to ignore.
    """
    target_layer, prediction_layer, *ignored_layers = inputs.layers
    height_field = settings[parameters.HEIGHT_FIELD]
    score_field = settings[parameters.SCORE_FIELD]
    target_heights = None
    prediction_heights = None
    if height_field:
        target_heights = target_layer.field_numbers(height_field)
        prediction_fields = prediction_layer.request.snapshot.fields
        if field_index(prediction_fields, height_field) >= 0:
            prediction_heights = prediction_layer.field_numbers(height_field)
    scores = prediction_layer.field_numbers(score_field) if score_field else None
    ignored = ignored_layers[0].crowns if ignored_layers else None
    return CrownAttributes(
        height_field=height_field,
        target_heights=target_heights,
        prediction_heights=prediction_heights,
        score_field=score_field,
        scores=scores,
        ignored=ignored,
    )


def _add_point_recall(
    settings: InstanceSettings,
    site: StudySite,
    predictions: Crowns,
    evaluation: CrownEvaluation,
) -> tuple[pd.DataFrame, list[Message]]:
    """Return the summary with the share of the field points that lie in a prediction.

    Args:
        settings: settings of the run.
        site: layers, for their coordinate reference system.
        predictions: predicted crowns.
        evaluation: the evaluation, with the summary.

    Returns:
        The summary, and messages about the points. Without field points nothing is added.
    """
    layer = settings[parameters.POINTS]
    if layer is None:
        return evaluation.summary, []
    points, messages = layer.read(site.working_crs)
    summary, message = with_point_recall(evaluation, points, predictions, layer.name)
    return summary, [*messages, message]


def _create_source_key(run_parameters: RunParameters, parameter: Parameter[Any]) -> tuple[Any, ...]:
    """Return a key that is equal for two parameters with the same features of the same layer."""
    layer, selected_only = run_parameters.feature_source(parameter.id)
    value = run_parameters.raw_values.get(parameter.id)
    layer_key = None if layer is None else (layer.source(), layer.id())
    return (
        layer_key,
        selected_only,
        getattr(value, "filterExpression", ""),
        getattr(value, "featureLimit", -1),
    )


def _create_crown_table(
    output: Output,
    snapshot: LayerSnapshot,
    layer: CrownLayer,
    columns: pd.DataFrame,
    plots: Objects | None,
    heights: Floats | None = None,
) -> FeatureTable:
    """Return all features of a layer with their own fields and their results.

    Args:
        output: output of the features.
        snapshot: layer of the features.
        layer: features and their n crowns.
        columns: results, one row per crown; area, height and plot are added.
        plots: (n,) plots of the crowns, or None.
        heights: (n,) heights of the crowns, or None.
    """
    results = columns.assign(area=shapely.area(layer.crowns.geometry))
    if heights is not None:
        results["height"] = heights
    if plots is not None:
        results["plot"] = plots
    geometries = polygons_of_features(layer.features)
    table = FeatureTable(snapshot.crs, polygon_layer_type(snapshot.wkb_type), geometries)
    return tables.add_result_fields(output, table, results, snapshot.fields, layer)
