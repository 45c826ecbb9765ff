"""Algorithm ``randcrowns:evaluateinstances``: evaluate predicted crowns against target crowns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import shapely
from qgis.core import QgsFields

from randcrowns.algorithms.algorithm_catalogue import EVALUATE_INSTANCES
from randcrowns.algorithms.common_parameters import (
    check_layers,
    find_unused_plot_field,
    partial_drawing_messages,
)
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
from randcrowns.algorithms.instances.tables import InstanceMatches
from randcrowns.algorithms.output_types import UNIT, Output
from randcrowns.algorithms.parameter_types import Parameter, RunParameters, RunSettings
from randcrowns.core.arrays import Bools, Floats, Ints, Objects
from randcrowns.core.comparison import check_plots, check_reserved_plots
from randcrowns.core.crowns import Crowns
from randcrowns.core.errors import InputError
from randcrowns.core.instances.average_precision import (
    COCO_IOU_THRESHOLDS,
    COCO_METRICS,
    CocoMetrics,
    coco_metrics,
    ignored_shares,
    point_recall,
    subset_table,
    threshold_table,
)
from randcrowns.core.instances.ground import uncertain_polygons
from randcrowns.core.instances.matching import MatchingMethod, match_instances, match_one_to_one
from randcrowns.core.instances.metrics import matched_rates
from randcrowns.core.instances.overlap import OverlapTable, polygon_overlap
from randcrowns.core.instances.summary import assign_plots, summarise_instances
from randcrowns.core.messages import Message, abbreviate, info, note, warning
from randcrowns.core.progress import Progress, subprogress
from randcrowns.core.statistics import interval_messages, plot_codes
from randcrowns.core.status import ALL_PLOTS
from randcrowns.core.thresholds import reaches
from randcrowns.layers.crs import WorkingCrs
from randcrowns.layers.fields import field_index
from randcrowns.layers.localization import tr
from randcrowns.layers.raster.grid import is_in_pixel_coordinates
from randcrowns.layers.vector.geometry import polygon_layer_type, polygons_of_features
from randcrowns.layers.vector.guesses import role_messages
from randcrowns.layers.vector.read import CrownLayer, LayerRequest, LayerSnapshot
from randcrowns.layers.vector.study_site import StudySite, read_study_site
from randcrowns.layers.vector.tables import FeatureTable

#: Templates of messages that are a note or an information.
_HEIGHT_FROM_AREA = "Height, where the tallest target chooses first: area."
_HEIGHT_FROM_FIELD = "Height, where the tallest target chooses first: field {field}."


@dataclass(frozen=True)
class InstanceSettings(RunSettings):
    """Settings of a run that evaluates predicted crowns."""

    same_layer: bool  #: True if targets and predictions are the same features of one layer.
    in_pixels: bool  #: True if the layers are in pixel coordinates.
    #: Plot field that both layers have but that is not selected, or "".
    unused_plots: str


class _Plots(NamedTuple):
    """Plots of targets and predictions."""

    targets: Objects | None  #: (T,) plots; None without a plot field.
    predictions: Objects | None  #: (P,) plots; None without a plot field.


class _Heights(NamedTuple):
    """Numbers by which the tallest target chooses first."""

    numbers: Floats  #: (T,) heights, or areas without a height field.
    message: Message  #: message that names the source of the values.


class _Uncertain(NamedTuple):
    """Predictions that are no false positives if they are unmatched."""

    mask: Bools | None  #: (P,) mask; None if the settings make none uncertain.
    messages: list[Message]  #: messages about areas to ignore and missing heights.


class _AveragePrecision(NamedTuple):
    """Average precision and results at IoU thresholds."""

    coco: pd.DataFrame  #: COCO's metrics, one row per row of the summary.
    thresholds: pd.DataFrame  #: counts and metrics, one row per IoU threshold.
    messages: list[Message]  #: messages about scores and excluded predictions.


@dataclass(frozen=True)
class InstanceEvaluation:
    """Results of the evaluation of predicted crowns."""

    matches: InstanceMatches  #: matchings of the crowns.
    summary: pd.DataFrame  #: counts and metrics, one row for all crowns, then one per plot.
    thresholds: pd.DataFrame  #: counts and metrics, one row per IoU threshold.
    heights: Floats | None  #: (T,) heights of the targets; None without a height field.
    plots: _Plots  #: plots of targets and predictions.
    messages: list[Message]  #: messages.


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
    title_parameters = (parameters.DETECTION_METHOD,)
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

    def read_settings(self, run_parameters: RunParameters) -> InstanceSettings:
        """Return the settings with layer snapshots, and messages about unsuitable layers."""
        targets = run_parameters.layer(parameters.TARGETS)
        predictions = run_parameters.layer(parameters.PREDICTIONS)
        messages = [] if predictions is None else role_messages(targets, [predictions])
        if run_parameters[parameters.PLOT_FIELD] and parameters.PLOT_FIELD not in run_parameters:
            messages.append(
                note(
                    "instances.images",
                    "The targets lie in pixels of several images: crowns of one image only are "
                    "compared.",
                )
            )
        is_same_layer = _source_key(run_parameters, parameters.TARGETS) == _source_key(
            run_parameters, parameters.PREDICTIONS
        )
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
        """Return the targets, the predictions and, if there are any, the areas to ignore."""
        plot_field = settings[parameters.PLOT_FIELD]
        requests = [
            LayerRequest(
                settings[parameter],
                group_field=plot_field,
                unused_plot_field=settings.unused_plots,
                read_all_attributes=True,
                is_required=True,
            )
            for parameter in (parameters.TARGETS, parameters.PREDICTIONS)
        ]
        ignored = settings[parameters.IGNORED]
        if ignored is not None:
            requests.append(LayerRequest(ignored, group_field=plot_field))
        if settings.in_pixels:
            pixels = WorkingCrs.for_pixels(settings.transform_context)
            return read_study_site(requests, pixels, progress=progress)
        return read_study_site(requests, settings.transform_context, progress=progress)

    def compute(
        self, settings: InstanceSettings, inputs: StudySite, progress: Progress
    ) -> InstanceEvaluation:
        """Return the matchings, the summary and the average precision."""
        target_layer, prediction_layer, *ignored_layers = inputs.layers
        targets = target_layer.crowns
        predictions = prediction_layer.crowns

        overlap = polygon_overlap(targets, predictions, subprogress(progress, 0.0, 0.6))
        heights = _heights(settings, target_layer)
        plots = _plots_of(targets, predictions, overlap)
        ignored_share = None
        if ignored_layers:
            ignored_share = ignored_shares(ignored_layers[0].crowns, predictions)
        uncertain = _find_uncertain(settings, inputs, overlap, ignored_share)
        matches = _match_crowns(
            settings, inputs, overlap, heights, uncertain, subprogress(progress, 0.6, 0.7)
        )

        summary = _summarise_matches(matches, plots, subprogress(progress, 0.7, 1.0))
        plot_labels = summary["plot"]
        row_plots = _plots_of_rows(plots)[: len(summary)]
        summary = summary.assign(plot=np.array(row_plots, dtype=object))
        precision = _average_precision(
            settings, overlap, prediction_layer, plots, row_plots, ignored_share
        )
        summary = pd.concat([summary, precision.coco], axis=1)
        summary, point_messages = _add_point_recall(settings, inputs, predictions, summary)
        summary = summary.assign(plot=plot_labels)

        messages = _comparison_messages(settings, overlap, targets, predictions)
        unused_plots_message = target_layer.unused_plots_message(
            prediction_layer, overlap.target, overlap.prediction
        )
        if unused_plots_message is not None:
            messages.append(unused_plots_message)
        messages += partial_drawing_messages(
            settings[parameters.ALL_DRAWN], tr("precision, F1, PQ and AP"), targets, [predictions]
        )
        ious = np.nan_to_num(matched_rates(overlap, matches.segmentation)[0])
        target_plots = None if plots.targets is None else plot_codes(plots.targets)
        messages += interval_messages(ious, target_plots)
        messages += [heights.message, *check_reserved_plots(row_plots[1:]), *precision.messages]
        messages += [*point_messages, *uncertain.messages]
        return InstanceEvaluation(
            matches,
            summary,
            precision.thresholds,
            heights.numbers if settings[parameters.HEIGHT_FIELD] else None,
            plots,
            messages,
        )

    def build_results(
        self,
        settings: InstanceSettings,
        inputs: StudySite,
        findings: InstanceEvaluation,
        progress: Progress,
    ) -> RunResults:
        """Return the crowns with their results, the tables, the metrics and the conclusion."""
        target_layer, prediction_layer, *_ = inputs.layers
        metrics = tables.pointtree_metrics(
            findings.matches, -1, settings[parameters.INCLUDE_UNMATCHED]
        )
        output_tables = {
            outputs.MATCHED_TARGETS: _crown_table(
                outputs.MATCHED_TARGETS,
                settings[parameters.TARGETS],
                target_layer,
                tables.target_results(findings.matches),
                findings.plots.targets,
                findings.heights,
            ),
            outputs.MATCHED_PREDICTIONS: _crown_table(
                outputs.MATCHED_PREDICTIONS,
                settings[parameters.PREDICTIONS],
                prediction_layer,
                tables.prediction_results(findings.matches),
                findings.plots.predictions,
            ),
            outputs.SUMMARY: outputs.SUMMARY.create_table(findings.summary),
            outputs.THRESHOLDS: outputs.THRESHOLDS.create_table(findings.thresholds),
            outputs.METRICS: outputs.METRICS.create_table(metrics),
        }
        values = {
            **tables.result_numbers(findings.summary, POLYGON_NUMBERS),
            UNIT.id: inputs.working_crs.unit,
        }
        conclusion = tables.instances_conclusion(findings.summary)
        return RunResults(output_tables, values, headline=conclusion)


def _are_in_pixels(run_parameters: RunParameters) -> bool:
    """Return True if all input layers of a run are in pixel coordinates."""
    return all(is_in_pixel_coordinates(layer) for layer in run_parameters.input_layers())


def _match_crowns(
    settings: InstanceSettings,
    inputs: StudySite,
    overlap: OverlapTable,
    heights: _Heights,
    uncertain: _Uncertain,
    progress: Progress,
) -> InstanceMatches:
    """Match targets and predictions, once for detection and once for segmentation.

    Args:
        settings: settings of the run, with the methods of matching.
        inputs: layers, the targets and the predictions first.
        overlap: overlap table of targets and predictions.
        heights: numbers by which the tallest target chooses first.
        uncertain: predictions that are no false positives if they are unmatched.
        progress: called with the fraction done.
    """
    target_layer, prediction_layer = inputs.layers[:2]
    detection = match_one_to_one(
        overlap,
        settings[parameters.DETECTION_METHOD],
        heights.numbers,
        subprogress(progress, 0.0, 0.5),
    )
    segmentation = match_instances(
        overlap,
        settings[parameters.SEGMENTATION_METHOD],
        heights.numbers,
        subprogress(progress, 0.5, 1.0),
    )
    return InstanceMatches(
        overlap,
        detection,
        segmentation,
        target_layer.crowns.ids,
        prediction_layer.crowns.ids,
        uncertain.mask,
        all_drawn=settings[parameters.ALL_DRAWN],
    )


def _summarise_matches(matches: InstanceMatches, plots: _Plots, progress: Progress) -> pd.DataFrame:
    """Return counts and metrics of the matchings.

    Args:
        matches: matchings of targets and predictions.
        plots: plots of targets and predictions.
        progress: called with the fraction done.

    Returns:
        One row for all crowns, then one per named plot. Crowns without a plot have no own row.
    """
    summary = summarise_instances(
        matches.table,
        matches.detection,
        matches.segmentation,
        uncertain=matches.uncertain,
        target_plots=None if plots.targets is None else plots.targets.tolist(),
        prediction_plots=None if plots.predictions is None else plots.predictions.tolist(),
        all_drawn=matches.all_drawn,
        progress=progress,
    )
    return summary[summary["plot"].notna()].reset_index(drop=True)


def _plots_of(targets: Crowns, predictions: Crowns, overlap: OverlapTable) -> _Plots:
    """Return the plots of targets and predictions.

    If only the targets have plots, a prediction gets the plot of the target with which it shares
    most, or of the nearest target.
    """
    if targets.plots is not None and predictions.plots is None:
        return _Plots(targets.plots, assign_plots(targets, predictions, overlap))
    return _Plots(targets.plots, predictions.plots)


def _find_uncertain(
    settings: InstanceSettings,
    inputs: StudySite,
    overlap: OverlapTable,
    ignored_share: Floats | None,
) -> _Uncertain:
    """Find the predictions that are no false positives if they are unmatched.

    Args:
        settings: settings of the run.
        inputs: layers, the targets and the predictions first.
        overlap: overlap table of targets and predictions.
        ignored_share: (P,) largest share of each prediction that lies on one area to ignore; None
            without such areas.
    """
    min_share = settings[parameters.MIN_PRECISION_FP]
    min_height = settings[parameters.MIN_HEIGHT_FP]
    is_ignored = None
    messages = []
    if ignored_share is not None:
        is_ignored = reaches(ignored_share, COCO_IOU_THRESHOLDS[0])
        messages.append(
            info(
                "instances.on_ignored",
                "{count:,} predictions lie on areas to ignore with at least half of their area. "
                "If unmatched, they are uncertain.",
                one="1 prediction lies on an area to ignore with at least half of its area. If "
                "unmatched, it is uncertain.",
                count=int(is_ignored.sum()),
            )
        )
    if not (min_share > 0 or min_height > 0):
        return _Uncertain(is_ignored, messages)

    target_layer, prediction_layer = inputs.layers[:2]
    heights = np.full(len(prediction_layer.crowns), np.nan)
    if min_height > 0:
        heights, height_messages = _prediction_heights(settings, prediction_layer)
        messages += height_messages
    is_uncertain = uncertain_polygons(
        target_layer.crowns.geometry,
        prediction_layer.crowns.geometry,
        overlap,
        min_share,
        heights,
        min_height,
    )
    if is_ignored is not None:
        is_uncertain = is_uncertain | is_ignored
    return _Uncertain(is_uncertain, messages)


def _prediction_heights(
    settings: InstanceSettings, prediction_layer: CrownLayer
) -> tuple[Floats, list[Message]]:
    """Return the heights (P,) of the predictions, NaN where unknown, and a message about NaN.

    Args:
        settings: settings of the run, with the height field of the targets.
        prediction_layer: predictions; without a field of that name all heights are unknown.
    """
    heights = np.full(len(prediction_layer.crowns), np.nan)
    height_field = settings[parameters.HEIGHT_FIELD]
    fields = prediction_layer.request.snapshot.fields
    if height_field and field_index(fields, height_field) >= 0:
        heights = prediction_layer.field_numbers(height_field)
    n_unknown = int(np.isnan(heights).sum())
    if not n_unknown:
        return heights, []
    message = note(
        "instances.no_height",
        "{count:,} predictions have no height in the height field; these count as high enough.",
        count=n_unknown,
    )
    return heights, [message]


def _average_precision(
    settings: InstanceSettings,
    overlap: OverlapTable,
    predictions: CrownLayer,
    plots: _Plots,
    summary_plots: list[Any],
    ignored_share: Floats | None,
) -> _AveragePrecision:
    """Compute COCO's metrics and the results at IoU thresholds.

    Args:
        settings: settings of the run.
        overlap: overlap table of targets and predictions.
        predictions: predicted crowns.
        plots: plots of targets and predictions.
        summary_plots: first column of the summary: a name for all crowns, then the plots.
        ignored_share: (P,) largest share of each prediction that lies on one area to ignore; None
            without such areas.

    Returns:
        The metrics; those of COCO are NaN without a score field.
    """
    all_drawn = settings[parameters.ALL_DRAWN]
    score_field = settings[parameters.SCORE_FIELD]
    scores = predictions.field_numbers(score_field) if score_field else None
    codes = _plot_codes(plots)
    thresholds = threshold_table(
        overlap, scores, plots=codes, ignored_share=ignored_share, all_drawn=all_drawn
    )
    if scores is None:
        coco = pd.DataFrame(np.nan, index=range(len(summary_plots)), columns=list(COCO_METRICS))
        message = info("ap.no_score", "AP is n/a: the predictions have no field with a score.")
        return _AveragePrecision(coco, thresholds, [message])

    overall = coco_metrics(
        overlap, scores, plots=codes, ignored_share=ignored_share, all_drawn=all_drawn
    )
    metrics_by_row = [overall]
    for plot in summary_plots[1:]:
        is_target = plots.targets == plot
        is_prediction = plots.predictions == plot
        plot_metrics = coco_metrics(
            subset_table(overlap, is_target, is_prediction),
            scores[is_prediction],
            ignored_share=None if ignored_share is None else ignored_share[is_prediction],
            all_drawn=all_drawn,
        )
        metrics_by_row.append(plot_metrics)
    coco = pd.DataFrame(
        {name: [getattr(metrics, name) for metrics in metrics_by_row] for name in COCO_METRICS}
    )
    source = info("ap.score", "AP: scores of field {field}.", field=score_field)
    return _AveragePrecision(coco, thresholds, [source, *_excluded_messages(overall)])


def _plot_codes(plots: _Plots) -> tuple[Ints, Ints] | None:
    """Return plot numbers of the targets (T,) and of the predictions (P,).

    The numbers follow the order of the plots' names. The result is None without plots.
    """
    if plots.targets is None or plots.predictions is None:
        return None
    names = np.concatenate([plots.targets, plots.predictions]).astype(str)
    codes, _ = pd.factorize(names, sort=True)
    n_targets = len(plots.targets)
    return codes[:n_targets], codes[n_targets:]


def _excluded_messages(metrics: CocoMetrics) -> list[Message]:
    """Return messages about predictions that average precision does not use."""
    messages = []
    if metrics.n_beyond_limit:
        messages.append(
            note(
                "ap.beyond",
                "AP and AR use the 100 predictions with the highest scores in each plot, as COCO "
                "does; {count:,} come after them. The thresholds side by side use all.",
                count=metrics.n_beyond_limit,
            )
        )
    if metrics.n_unscored:
        messages.append(
            note(
                "ap.unscored",
                "{count:,} predictions have no score and are excluded from AP.",
                one="1 prediction has no score and is excluded from AP.",
                count=metrics.n_unscored,
            )
        )
    return messages


def _add_point_recall(
    settings: InstanceSettings, place: StudySite, predictions: Crowns, summary: pd.DataFrame
) -> tuple[pd.DataFrame, list[Message]]:
    """Add the share of the field points that lie in a prediction to the summary.

    Args:
        settings: settings of the run.
        place: layers, for their coordinate reference system.
        predictions: predicted crowns.
        summary: summary, whose first row is for all crowns.

    Returns:
        The summary with the column ``point_recall``, NaN for plots, and messages about the points.
        Without field points the summary is returned unchanged.
    """
    layer = settings[parameters.POINTS]
    if layer is None:
        return summary, []
    points, messages = layer.read(place.working_crs)
    is_inside, recall = point_recall(points, predictions)
    message = info(
        "points.inside",
        "{inside:,} of {count:,} points of layer '{layer}' lie in a predicted crown.",
        inside=int(is_inside.sum()),
        count=len(is_inside),
        layer=layer.name,
    )
    column = [recall, *[np.nan] * (len(summary) - 1)]
    return summary.assign(point_recall=column), [*messages, message]


def _source_key(given: RunParameters, parameter: Parameter[Any]) -> tuple[Any, ...]:
    """Return a key that is equal for two parameters with the same features of the same layer."""
    layer, selected_only = given.feature_source(parameter.ids[0])
    value = given.raw_values.get(parameter.ids[0])
    return (
        None if layer is None else (layer.source(), layer.id()),
        selected_only,
        getattr(value, "filterExpression", ""),
        getattr(value, "featureLimit", -1),
    )


def _comparison_messages(
    settings: InstanceSettings, overlap: OverlapTable, targets: Crowns, predictions: Crowns
) -> list[Message]:
    """Return messages about plots that are not compared, and warnings about useless results."""
    messages = check_plots([targets], [predictions])
    if any(message.is_warning for message in messages):
        return messages
    if settings.same_layer:
        messages.append(
            warning(
                "instances.same_layer",
                "Targets and predictions are the same layer, so the results do not show how good "
                "the predictions are. Choose two different layers.",
            )
        )
    elif len(targets) and len(predictions) and not len(overlap.shared):
        messages.append(
            warning(
                "instances.no_overlap",
                "No target and prediction overlap. Check the coordinate systems of both layers.",
            )
        )
    return messages


def _plots_of_rows(plots: _Plots) -> list[Any]:
    """Return the plots of the rows of a summary: all crowns, then the plots sorted as text.

    A summary labels a plot named like all crowns otherwise.
    """
    if plots.targets is None or plots.predictions is None:
        return [ALL_PLOTS]
    names = {*plots.targets.tolist(), *plots.predictions.tolist()} - {None}
    return [ALL_PLOTS, *sorted(names, key=str)]


def _heights(settings: InstanceSettings, targets: CrownLayer) -> _Heights:
    """Return the heights of the targets from the height field; without one, their areas.

    The message is a note if a chosen method uses the heights.

    Raises:
        InputError: if a method uses the heights, but a target has none.
    """
    methods = (
        MatchingMethod(settings[parameters.DETECTION_METHOD]),
        MatchingMethod(settings[parameters.SEGMENTATION_METHOD]),
    )
    is_used = any(method.uses_heights for method in methods)
    field = settings[parameters.HEIGHT_FIELD]
    if not field:
        areas = np.asarray(shapely.area(targets.crowns.geometry))
        if is_used:
            return _Heights(areas, note("height.area", _HEIGHT_FROM_AREA))
        return _Heights(areas, info("height.area", _HEIGHT_FROM_AREA))
    heights = targets.field_numbers(field)
    is_missing = np.isnan(heights)
    if is_missing.any() and is_used:
        raise InputError(
            "height.missing",
            "Field '{field}' has no height for the targets {ids}. Fill it in, or leave the height "
            "field empty.",
            field=field,
            ids=abbreviate(targets.crowns.ids[is_missing].tolist()),
        )
    if is_used:
        return _Heights(heights, note("height.field", _HEIGHT_FROM_FIELD, field=field))
    return _Heights(heights, info("height.field", _HEIGHT_FROM_FIELD, field=field))


def _crown_table(
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
    columns["area"] = shapely.area(layer.crowns.geometry)
    if heights is not None:
        columns["height"] = heights
    if plots is not None:
        columns["plot"] = plots
    geometries = polygons_of_features(layer.features)
    table = FeatureTable(snapshot.crs, polygon_layer_type(snapshot.wkb_type), geometries)
    return tables.add_result_fields(output, table, columns, snapshot.fields, layer)
