"""Algorithm ``randcrowns:evaluateinstances``: evaluate predicted crowns against target crowns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import shapely
from qgis.core import QgsFields, QgsWkbTypes

from randcrowns.algorithms.base import CrownAlgorithm, Made
from randcrowns.algorithms.catalogue import EVALUATE_INSTANCES
from randcrowns.algorithms.choice import Choice, Given, Job
from randcrowns.algorithms.choices import check_layers, drawn_remarks, unused_plot_field
from randcrowns.algorithms.instances import choices, outputs, tables
from randcrowns.algorithms.instances.choices import POLYGON_CHOICES
from randcrowns.algorithms.instances.outputs import POLYGON_NUMBERS, POLYGON_OUTPUTS, POLYGON_VALUES
from randcrowns.algorithms.instances.showing import SHOWING
from randcrowns.algorithms.instances.tables import InstanceMatches
from randcrowns.algorithms.output import UNIT, Output
from randcrowns.core.arrays import Bools, Floats, Ints, Objects
from randcrowns.core.comparison import plots_apart
from randcrowns.core.crowns import Crowns
from randcrowns.core.errors import InputError
from randcrowns.core.instances.average_precision import (
    COCO_IOU,
    COCO_METRICS,
    CocoMetrics,
    coco_metrics,
    part_of_table,
    point_recall,
    share_on_ignored,
    thresholds_side_by_side,
)
from randcrowns.core.instances.ground import uncertain_polygons
from randcrowns.core.instances.matching import Method, match, match_once
from randcrowns.core.instances.overlap import OverlapTable, polygon_overlap
from randcrowns.core.instances.summary import plots_of_predictions, summarise_instances
from randcrowns.core.progress import Progress, part_of
from randcrowns.core.remarks import Remark, info, note, some, warning
from randcrowns.core.status import ALL
from randcrowns.layers.crs import WorkingCrs
from randcrowns.layers.raster.grid import lies_in_pixels
from randcrowns.layers.vector.guesses import role_remarks
from randcrowns.layers.vector.names import unique_names
from randcrowns.layers.vector.place import Place, read_place
from randcrowns.layers.vector.read import CrownLayer, LayerRequest, LayerSnapshot
from randcrowns.layers.vector.tables import FeatureTable
from randcrowns.layers.words import tr

#: Templates of messages that are a note or an information.
_HEIGHT_FROM_AREA = "Height, where the tallest target chooses first: area."
_HEIGHT_FROM_FIELD = "Height, where the tallest target chooses first: field {field}."


@dataclass(frozen=True)
class InstanceSettings(Job):
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
    message: Remark  #: message that names the source of the values.


class _Uncertain(NamedTuple):
    """Predictions that are no false positives if they are unmatched."""

    mask: Bools | None  #: (P,) mask; None if the settings make none uncertain.
    messages: list[Remark]  #: messages about areas to ignore and missing heights.


class _AveragePrecision(NamedTuple):
    """Average precision and results at IoU thresholds."""

    coco: pd.DataFrame  #: COCO's metrics, one row per row of the summary.
    thresholds: pd.DataFrame  #: counts and metrics, one row per IoU threshold.
    messages: list[Remark]  #: messages about scores and excluded predictions.


@dataclass(frozen=True)
class Evaluation:
    """Results of the evaluation of predicted crowns."""

    matches: InstanceMatches  #: matchings of the crowns.
    summary: pd.DataFrame  #: counts and metrics, one row for all crowns, then one per plot.
    thresholds: pd.DataFrame  #: counts and metrics, one row per IoU threshold.
    heights: Floats | None  #: (T,) heights of the targets; None without a height field.
    plots: _Plots  #: plots of targets and predictions.
    remarks: list[Remark]  #: messages.


class EvaluateInstances(CrownAlgorithm):
    """Algorithm that evaluates predicted crowns against target crowns."""

    entry = EVALUATE_INSTANCES
    help = (
        tr(
            "Matches predicted crowns with target crowns: how many were found (precision, recall, "
            "F1, panoptic quality), and how well each was segmented (IoU, precision, recall, by "
            "area)."
        ),
        choices.MATCHING_HELP,
        choices.HEIGHT_FIELD,
        tr(
            "<b>Polygons overlap</b>, but the methods assume that instances do not. For detection, "
            "each target and each prediction is therefore matched at most once. Of the pairs that "
            "satisfy the method's rule, those with the highest IoU are matched first. If a "
            "prediction covers further targets, it counts as a merge."
        ),
        choices.ALL_DRAWN,
        choices.PLOT_FIELD,
    )
    shares = (0.35, 0.9)
    parties = (choices.TARGETS, choices.PREDICTIONS)
    told_apart_by = (choices.DETECTION,)
    choices = POLYGON_CHOICES
    outputs = POLYGON_OUTPUTS
    values = POLYGON_VALUES
    showing = SHOWING

    def check(self, given: Given) -> None:
        """Raise an InputError if a layer or a field of the targets cannot be used."""
        targets = given.layer(choices.TARGETS)
        check_layers(
            targets,
            given.layer(choices.PREDICTIONS),
            given.layer(choices.IGNORED),
            in_pixels=_are_in_pixels(given),
        )
        fields = QgsFields() if targets is None else targets.fields()
        for parameter in (choices.HEIGHT_FIELD, choices.PLOT_FIELD):
            name = given[parameter]
            index = fields.lookupField(name)
            if name and index < 0:
                raise InputError("The target layer has no field '{field}'.", field=name)
            if name and parameter.numeric and not fields.at(index).isNumeric():
                raise InputError(
                    "Field '{field}' contains no numbers, so it cannot be the height field.",
                    field=name,
                )

    def take(self, given: Given) -> InstanceSettings:
        """Return the settings with layer snapshots, and messages about unsuitable layers."""
        targets = given.layer(choices.TARGETS)
        predictions = given.layer(choices.PREDICTIONS)
        messages = [] if predictions is None else role_remarks(targets, [predictions])
        if given[choices.PLOT_FIELD] and choices.PLOT_FIELD not in given:
            messages.append(
                note(
                    "instances.images",
                    "The targets lie in pixels of several images: crowns of one image only are "
                    "compared.",
                )
            )
        is_same_layer = _source_key(given, choices.TARGETS) == _source_key(
            given, choices.PREDICTIONS
        )
        return InstanceSettings.of(
            given,
            messages,
            same_layer=is_same_layer,
            in_pixels=_are_in_pixels(given),
            unused_plots=unused_plot_field(given, choices.PLOT_FIELD, targets, [predictions]),
        )

    def read(self, job: InstanceSettings, progress: Progress) -> Place:
        """Return the targets, the predictions and, if there are any, the areas to ignore."""
        plot_field = job[choices.PLOT_FIELD]
        requests = [
            LayerRequest(
                job[parameter],
                group_field=plot_field,
                plot_field=job.unused_plots,
                all_attributes=True,
                needed=True,
            )
            for parameter in (choices.TARGETS, choices.PREDICTIONS)
        ]
        ignored = job[choices.IGNORED]
        if ignored is not None:
            requests.append(LayerRequest(ignored, group_field=plot_field))
        if job.in_pixels:
            pixels = WorkingCrs.of_pixels(job.transform_context)
            return read_place(requests, pixels, progress=progress)
        return read_place(requests, job.transform_context, progress=progress)

    def compute(self, job: InstanceSettings, read: Place, progress: Progress) -> Evaluation:
        """Return the matchings, the summary and the average precision."""
        target_layer, prediction_layer, *ignored_layers = read.layers
        targets = target_layer.crowns
        predictions = prediction_layer.crowns
        all_drawn = job[choices.ALL_DRAWN]

        overlap = polygon_overlap(targets, predictions, part_of(progress, 0.0, 0.6))
        heights = _heights(job, target_layer)
        detection = match_once(
            overlap, job[choices.DETECTION], heights.numbers, part_of(progress, 0.6, 0.65)
        )
        segmentation = match(
            overlap, job[choices.SEGMENTATION], heights.numbers, part_of(progress, 0.65, 0.7)
        )
        plots = _plots_of(targets, predictions, overlap)
        on_ignored = None
        if ignored_layers:
            on_ignored = share_on_ignored(ignored_layers[0].crowns, predictions)
        uncertain = _find_uncertain(job, read, overlap, on_ignored)
        matches = InstanceMatches(
            overlap,
            detection,
            segmentation,
            targets.ids,
            predictions.ids,
            uncertain.mask,
            all_drawn=all_drawn,
        )

        summary = summarise_instances(
            overlap,
            detection,
            segmentation,
            uncertain=uncertain.mask,
            target_groups=None if plots.targets is None else plots.targets.tolist(),
            prediction_groups=None if plots.predictions is None else plots.predictions.tolist(),
            all_drawn=all_drawn,
            progress=part_of(progress, 0.7, 1.0),
        )
        summary = summary[summary["group"].notna()]
        precision = _average_precision(
            job, overlap, prediction_layer, plots, summary["group"].tolist(), on_ignored
        )
        summary = pd.concat([summary.reset_index(drop=True), precision.coco], axis=1)
        summary, point_messages = _add_point_recall(job, read, predictions, summary)
        summary, renamed_messages = _rename_plots_named_all(summary)

        messages = _comparison_messages(job, overlap, targets, predictions)
        across_plots = target_layer.across_plots(
            prediction_layer, overlap.target, overlap.prediction
        )
        if across_plots is not None:
            messages.append(across_plots)
        messages += drawn_remarks(all_drawn, tr("precision, F1, PQ and AP"), targets, [predictions])
        messages += [heights.message, *renamed_messages, *precision.messages]
        messages += [*point_messages, *uncertain.messages]
        return Evaluation(
            matches,
            summary,
            precision.thresholds,
            heights.numbers if job[choices.HEIGHT_FIELD] else None,
            plots,
            messages,
        )

    def tables(
        self, job: InstanceSettings, read: Place, found: Evaluation, progress: Progress
    ) -> Made:
        """Return the crowns with their results, the tables, the metrics and the conclusion."""
        target_layer, prediction_layer, *_ = read.layers
        metrics = tables.metrics_row(found.matches, -1, job[choices.INCLUDE_UNMATCHED])
        made = {
            outputs.MATCHED_TARGETS: _crown_table(
                outputs.MATCHED_TARGETS,
                job[choices.TARGETS],
                target_layer,
                tables.target_columns(found.matches),
                found.plots.targets,
                found.heights,
            ),
            outputs.MATCHED_PREDICTIONS: _crown_table(
                outputs.MATCHED_PREDICTIONS,
                job[choices.PREDICTIONS],
                prediction_layer,
                tables.prediction_columns(found.matches),
                found.plots.predictions,
            ),
            outputs.SUMMARY: outputs.SUMMARY.table(found.summary),
            outputs.THRESHOLDS: outputs.THRESHOLDS.table(found.thresholds),
            outputs.METRICS: outputs.METRICS.table(metrics),
        }
        values = {
            **tables.result_numbers(found.summary, POLYGON_NUMBERS),
            UNIT.id: read.working.unit,
        }
        return Made(made, values, headline=tables.instances_headline(found.summary))


def _are_in_pixels(given: Given) -> bool:
    """Return True if all input layers of a run are in pixel coordinates."""
    return all(lies_in_pixels(layer) for layer in given.inputs())


def _plots_of(targets: Crowns, predictions: Crowns, overlap: OverlapTable) -> _Plots:
    """Return the plots of targets and predictions.

    If only the targets have plots, a prediction gets the plot of the target with which it shares
    most, or of the nearest target.
    """
    if targets.groups is not None and predictions.groups is None:
        return _Plots(targets.groups, plots_of_predictions(targets, predictions, overlap))
    return _Plots(targets.groups, predictions.groups)


def _find_uncertain(
    settings: InstanceSettings, place: Place, overlap: OverlapTable, on_ignored: Floats | None
) -> _Uncertain:
    """Find the predictions that are no false positives if they are unmatched.

    Args:
        settings: settings of the run.
        place: layers, the targets and the predictions first.
        overlap: overlap table of targets and predictions.
        on_ignored: (P,) largest share of each prediction that lies on one area to ignore; None
            without such areas.
    """
    min_share = settings[choices.MIN_SHARE]
    min_height = settings[choices.MIN_HEIGHT]
    is_ignored = None
    messages = []
    if on_ignored is not None:
        is_ignored = on_ignored >= COCO_IOU[0]
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

    target_layer, prediction_layer = place.layers[:2]
    heights = np.full(len(prediction_layer.crowns), np.nan)
    if min_height > 0:
        field = settings[choices.HEIGHT_FIELD]
        if field and prediction_layer.request.snapshot.fields.lookupField(field) >= 0:
            heights = prediction_layer.numbers(field)
        n_unknown = int(np.isnan(heights).sum())
        if n_unknown:
            messages.append(
                note(
                    "instances.no_height",
                    "{count:,} predictions have no height in the height field; these count as high "
                    "enough.",
                    count=n_unknown,
                )
            )
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


def _average_precision(
    settings: InstanceSettings,
    overlap: OverlapTable,
    predictions: CrownLayer,
    plots: _Plots,
    groups: list[Any],
    on_ignored: Floats | None,
) -> _AveragePrecision:
    """Compute COCO's metrics and the results at IoU thresholds.

    Args:
        settings: settings of the run.
        overlap: overlap table of targets and predictions.
        predictions: predicted crowns.
        plots: plots of targets and predictions.
        groups: first column of the summary: all crowns, then the plots.
        on_ignored: (P,) largest share of each prediction that lies on one area to ignore; None
            without such areas.

    Returns:
        The metrics; those of COCO are NaN without a score field.
    """
    all_drawn = settings[choices.ALL_DRAWN]
    score_field = settings[choices.SCORE_FIELD]
    scores = predictions.numbers(score_field) if score_field else None
    codes = _plot_codes(plots)
    thresholds = thresholds_side_by_side(
        overlap, scores, plots=codes, on_ignored=on_ignored, all_drawn=all_drawn
    )
    if scores is None:
        coco = pd.DataFrame(np.nan, index=range(len(groups)), columns=list(COCO_METRICS))
        message = info("ap.no_score", "AP is n/a: the predictions have no field with a score.")
        return _AveragePrecision(coco, thresholds, [message])

    overall = coco_metrics(overlap, scores, plots=codes, on_ignored=on_ignored, all_drawn=all_drawn)
    metrics = [overall]
    for plot in groups[1:]:
        is_target = plots.targets == plot
        is_prediction = plots.predictions == plot
        metrics.append(
            coco_metrics(
                part_of_table(overlap, is_target, is_prediction),
                scores[is_prediction],
                on_ignored=None if on_ignored is None else on_ignored[is_prediction],
                all_drawn=all_drawn,
            )
        )
    rows = [[getattr(row_metrics, name) for name in COCO_METRICS] for row_metrics in metrics]
    coco = pd.DataFrame(rows, columns=list(COCO_METRICS))
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


def _excluded_messages(metrics: CocoMetrics) -> list[Remark]:
    """Return messages about predictions that average precision does not use."""
    messages = []
    if metrics.beyond:
        messages.append(
            note(
                "ap.beyond",
                "AP and AR use the 100 predictions with the highest scores in each plot, as COCO "
                "does; {count:,} come after them. The thresholds side by side use all.",
                count=metrics.beyond,
            )
        )
    if metrics.unscored:
        messages.append(
            note(
                "ap.unscored",
                "{count:,} predictions have no score and are excluded from AP.",
                one="1 prediction has no score and is excluded from AP.",
                count=metrics.unscored,
            )
        )
    return messages


def _add_point_recall(
    settings: InstanceSettings, place: Place, predictions: Crowns, summary: pd.DataFrame
) -> tuple[pd.DataFrame, list[Remark]]:
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
    layer = settings[choices.POINTS]
    if layer is None:
        return summary, []
    points, messages = layer.read(place.working)
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


def _source_key(given: Given, parameter: Choice[Any]) -> tuple[Any, ...]:
    """Return a key that is equal for two parameters with the same features of the same layer."""
    layer, selected_only = given.source(parameter.ids[0])
    value = given.parameters.get(parameter.ids[0])
    return (
        None if layer is None else (layer.source(), layer.id()),
        selected_only,
        getattr(value, "filterExpression", ""),
        getattr(value, "featureLimit", -1),
    )


def _comparison_messages(
    settings: InstanceSettings, overlap: OverlapTable, targets: Crowns, predictions: Crowns
) -> list[Remark]:
    """Return messages about plots that are not compared, and warnings about useless results."""
    messages = plots_apart([targets], [predictions])
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


def _rename_plots_named_all(summary: pd.DataFrame) -> tuple[pd.DataFrame, list[Remark]]:
    """Rename plots that have the name of the row for all crowns.

    Args:
        summary: summary, whose first row is for all crowns.

    Returns:
        The summary with unique names in column ``group``, and a message per renamed plot.
    """
    plots = [str(plot) for plot in summary["group"]]
    names = [plots[0], *unique_names(plots[1:], [ALL])]
    messages = [
        note(
            "plots.renamed",
            "Plot '{plot}' is called '{name}' in the summary, because '{plot}' is the row of all "
            "plots.",
            plot=plot,
            name=name,
        )
        for plot, name in zip(plots, names)
        if plot != name
    ]
    return summary.assign(group=np.array(names, dtype=object)), messages


def _heights(settings: InstanceSettings, targets: CrownLayer) -> _Heights:
    """Return the heights of the targets from the height field; without one, their areas.

    The message is a note if a chosen method uses the heights.

    Raises:
        InputError: if a method uses the heights, but a target has none.
    """
    methods = (Method(settings[choices.DETECTION]), Method(settings[choices.SEGMENTATION]))
    is_used = any(method.by_height for method in methods)
    field = settings[choices.HEIGHT_FIELD]
    if not field:
        areas = np.asarray(shapely.area(targets.crowns.geometry))
        if is_used:
            return _Heights(areas, note("height.area", _HEIGHT_FROM_AREA))
        return _Heights(areas, info("height.area", _HEIGHT_FROM_AREA))
    heights = targets.numbers(field)
    is_missing = np.isnan(heights)
    if is_missing.any() and is_used:
        raise InputError(
            "Field '{field}' has no height for the targets {ids}. Fill it in, or leave the height "
            "field empty.",
            field=field,
            ids=some(targets.crowns.ids[is_missing].tolist()),
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
        columns["group"] = plots
    wkb_type = snapshot.wkb_type
    if wkb_type == QgsWkbTypes.Type.Unknown:
        wkb_type = QgsWkbTypes.Type.MultiPolygon
    geometries = [feature.geometry() for feature in layer.features]
    table = FeatureTable(snapshot.crs, wkb_type, geometries)
    return tables.side_table(output, table, columns, snapshot.fields, layer)
