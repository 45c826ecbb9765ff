"""randcrowns:evaluateinstances - detection and segmentation metrics of predicted crowns, from two polygon layers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

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
from randcrowns.core.arrays import Bools, Floats, Objects
from randcrowns.core.comparison import plots_apart
from randcrowns.core.crowns import Crowns
from randcrowns.core.errors import InputError
from randcrowns.core.instances.average_precision import (
    COCO_IOU,
    COCO_METRICS,
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


@dataclass(frozen=True)
class InstanceJob(Job):
    """What a run needs besides."""

    same_layer: bool  #: whether both sides are the same features of one layer.
    in_pixels: bool  #: whether the layers lie in pixels of images.
    unused_plots: (
        str  #: field with the plot that both layers have and that is not chosen, or empty.
    )


@dataclass(frozen=True)
class Evaluation:
    """What was found: matches, summary, the targets' heights where a field holds them, and the plots of both sides."""

    matches: InstanceMatches
    summary: pd.DataFrame
    thresholds: pd.DataFrame
    heights: Floats | None
    groups: tuple[Objects | None, Objects | None]
    remarks: list[Remark]


class EvaluateInstances(CrownAlgorithm):
    entry = EVALUATE_INSTANCES
    help = (
        tr(
            "Matches predicted crowns with target crowns: how many were found (precision, recall, F1, panoptic "
            "quality), and how well each was segmented (IoU, precision, recall, by area)."
        ),
        *(choices.MATCHING_HELP, choices.HEIGHT_FIELD),
        tr(
            "<b>Polygons overlap</b>, and the methods assume that instances do not. For detection each target and each "
            "prediction is therefore matched once at most: of the pairs that satisfy the method's rule the one with "
            "the highest IoU first. What a prediction covers besides shows as a merge."
        ),
        *(choices.ALL_DRAWN, choices.PLOT_FIELD),
    )
    shares = (0.35, 0.9)
    parties, told_apart_by = (choices.TARGETS, choices.PREDICTIONS), (choices.DETECTION,)
    choices, outputs, values, showing = POLYGON_CHOICES, POLYGON_OUTPUTS, POLYGON_VALUES, SHOWING

    def check(self, given: Given) -> None:
        targets = given.layer(choices.TARGETS)
        sides = targets, given.layer(choices.PREDICTIONS), given.layer(choices.IGNORED)
        check_layers(*sides, in_pixels=all(map(lies_in_pixels, given.inputs())))
        fields = QgsFields() if targets is None else targets.fields()
        for choice in (choices.HEIGHT_FIELD, choices.PLOT_FIELD):
            field = given[choice]
            place = fields.lookupField(field)
            if field and place < 0:
                raise InputError("The target layer has no field '{field}'.", field=field)
            if field and choice.numeric and not fields.at(place).isNumeric():
                raise InputError(
                    "Field '{field}' holds no numbers, so it cannot be the height.", field=field
                )

    def take(self, given: Given) -> InstanceJob:
        targets, predictions = given.layer(choices.TARGETS), given.layer(choices.PREDICTIONS)
        told = [] if predictions is None else role_remarks(targets, [predictions])
        if given[choices.PLOT_FIELD] and choices.PLOT_FIELD not in given:
            said = "The targets lie in pixels of several images: crowns of one image only are compared."
            told.append(note("instances.images", said))
        return InstanceJob.of(
            given,
            told,
            same_layer=_side_given(given, choices.TARGETS)
            == _side_given(given, choices.PREDICTIONS),
            in_pixels=all(map(lies_in_pixels, given.inputs())),
            unused_plots=unused_plot_field(given, choices.PLOT_FIELD, targets, [predictions]),
        )

    def read(self, job: InstanceJob, progress: Progress) -> Place:
        """Both layers, the targets first, and the areas to ignore where there are any."""
        plot, ignored = job[choices.PLOT_FIELD], job[choices.IGNORED]
        requests = [
            LayerRequest(
                job[side],
                group_field=plot,
                plot_field=job.unused_plots,
                all_attributes=True,
                needed=True,
            )
            for side in (choices.TARGETS, choices.PREDICTIONS)
        ]
        requests += [] if ignored is None else [LayerRequest(ignored, group_field=plot)]
        start = (
            WorkingCrs.of_pixels(job.transform_context) if job.in_pixels else job.transform_context
        )
        return read_place(requests, start, progress=progress)

    def compute(self, job: InstanceJob, read: Place, progress: Progress) -> Evaluation:
        targets, predictions, *areas = (layer.crowns for layer in read.layers)
        overlap = polygon_overlap(targets, predictions, part_of(progress, 0.0, 0.6))
        heights, decided_by = _heights(job, read.layers[0])
        found = match_once(overlap, job[choices.DETECTION], heights, part_of(progress, 0.6, 0.65))
        cut = match(overlap, job[choices.SEGMENTATION], heights, part_of(progress, 0.65, 0.7))
        groups = targets.groups, predictions.groups
        if groups[0] is not None and groups[1] is None:
            groups = groups[0], plots_of_predictions(targets, predictions, overlap)
        plots = [None if some is None else some.tolist() for some in groups]
        on_ignored = share_on_ignored(areas[0], predictions) if areas else None
        uncertain, low = _uncertain(job, read, overlap, on_ignored)
        summary = summarise_instances(
            overlap,
            found,
            cut,
            uncertain=uncertain,
            target_groups=plots[0],
            prediction_groups=plots[1],
            all_drawn=job[choices.ALL_DRAWN],
            progress=part_of(progress, 0.7, 1.0),
        )
        summary = summary[summary["group"].notna()]
        score, told = _scores(job, read.layers[1])
        coco, thresholds, beyond = _average_precision(
            job, overlap, score, groups, summary["group"].tolist(), on_ignored
        )
        summary = pd.concat([summary.reset_index(drop=True), coco], axis=1)
        summary, points = _with_points(job, read, predictions, summary)
        summary, renamed = _plots_apart_from_all(summary)
        sides = targets.ids, predictions.ids
        matches = InstanceMatches(
            overlap, found, cut, *sides, uncertain, all_drawn=job[choices.ALL_DRAWN]
        )
        across = read.layers[0].across_plots(read.layers[1], overlap.target, overlap.prediction)
        drawn = drawn_remarks(
            job[choices.ALL_DRAWN], tr("precision, F1, PQ and AP"), targets, [predictions]
        )
        useless = _no_comparison(job, overlap, targets, predictions)
        remarks = [*useless, *([] if across is None else [across]), *drawn, decided_by, *renamed]
        remarks += [*told, *beyond, *points, *low]
        return Evaluation(
            matches,
            summary,
            thresholds,
            heights if job[choices.HEIGHT_FIELD] else None,
            groups,
            remarks,
        )

    def tables(self, job: InstanceJob, read: Place, found: Evaluation, progress: Progress) -> Made:
        columns = tables.target_columns(found.matches), tables.prediction_columns(found.matches)
        sides = (
            (outputs.MATCHED_TARGETS, choices.TARGETS, found.heights),
            (outputs.MATCHED_PREDICTIONS, choices.PREDICTIONS, None),
        )
        made = {
            output: _side(
                output, job[side], read.layers[place], columns[place], heights, found.groups[place]
            )
            for place, (output, side, heights) in enumerate(sides)
        }
        summary = outputs.SUMMARY.table(found.summary)
        made |= {
            outputs.SUMMARY: summary,
            outputs.THRESHOLDS: outputs.THRESHOLDS.table(found.thresholds),
        }
        row = tables.metrics_row(found.matches, -1, job[choices.INCLUDE_UNMATCHED])
        made[outputs.METRICS] = outputs.METRICS.table(row)
        numbers = {
            **tables.result_numbers(found.summary, POLYGON_NUMBERS),
            UNIT.id: read.working.unit,
        }
        return Made(made, numbers, headline=tables.instances_headline(found.summary))


def _uncertain(
    job: InstanceJob, read: Place, overlap: OverlapTable, on_ignored: Floats | None
) -> tuple[Bools | None, list[Remark]]:
    """(P,) predictions that, unmatched, are no false positives; and which these are."""
    share, height, field = (
        job[choices.MIN_SHARE],
        job[choices.MIN_HEIGHT],
        job[choices.HEIGHT_FIELD],
    )
    ignored, told = None, []
    if on_ignored is not None:
        ignored = on_ignored >= COCO_IOU[0]
        said = "{count:,} predictions lie on areas to ignore, by at least half; unmatched, they are uncertain."
        one = (
            "1 prediction lies on an area to ignore, by at least half; unmatched, it is uncertain."
        )
        told.append(info("instances.on_ignored", said, one=one, count=int(ignored.sum())))
    if not (share > 0 or height > 0):
        return ignored, told
    targets, predictions = (layer.crowns.geometry for layer in read.layers[:2])
    heights = np.full(len(predictions), np.nan)
    if height > 0:
        if field and read.layers[1].request.snapshot.fields.lookupField(field) >= 0:
            heights = read.layers[1].numbers(field)
        unknown = int(np.isnan(heights).sum())
        if unknown:
            said = "{count:,} predictions have no height in the height field; these count as high enough."
            told.append(note("instances.no_height", said, count=unknown))
    uncertain = uncertain_polygons(targets, predictions, overlap, share, heights, height)
    return uncertain if ignored is None else uncertain | ignored, told


def _scores(job: InstanceJob, predictions: CrownLayer) -> tuple[Floats | None, list[Remark]]:
    """(P,) the predictions' scores, None where they have no field of them; and which field it is."""
    field = job[choices.SCORE_FIELD]
    if not field:
        said = "AP is n/a: the predictions have no field with a score."
        return None, [info("ap.no_score", said)]
    told = info("ap.score", "AP: scores of field {field}.", field=field)
    return predictions.numbers(field), [told]


def _average_precision(
    job: InstanceJob,
    overlap: OverlapTable,
    score: Floats | None,
    groups: tuple[Objects | None, Objects | None],
    plots: list[Any],
    on_ignored: Floats | None,
) -> tuple[pd.DataFrame, pd.DataFrame, list[Remark]]:
    """COCO's numbers for all and for each of the plots, in their order, and the thresholds side by side."""
    drawn = job[choices.ALL_DRAWN]
    codes = None
    if groups[0] is not None and groups[1] is not None:
        numbers = pd.factorize(np.concatenate([*groups]).astype(str), sort=True)[0]
        codes = numbers[: len(groups[0])], numbers[len(groups[0]) :]
    thresholds = thresholds_side_by_side(
        overlap, score, plots=codes, on_ignored=on_ignored, all_drawn=drawn
    )
    if score is None:
        return (
            pd.DataFrame(np.nan, index=range(len(plots)), columns=list(COCO_METRICS)),
            thresholds,
            [],
        )
    found = [coco_metrics(overlap, score, plots=codes, on_ignored=on_ignored, all_drawn=drawn)]
    for plot in plots[1:]:
        one, other = groups[0] == plot, groups[1] == plot
        own = None if on_ignored is None else on_ignored[other]
        alone = part_of_table(overlap, one, other)
        found.append(coco_metrics(alone, score[other], on_ignored=own, all_drawn=drawn))
    rows = [[getattr(metrics, name) for name in COCO_METRICS] for metrics in found]
    told = []
    if found[0].beyond:
        said = (
            "AP and AR take the 100 surest predictions of each plot, as COCO does; {count:,} come after them. The "
            "thresholds side by side take all."
        )
        told.append(note("ap.beyond", said, count=found[0].beyond))
    if found[0].unscored:
        said, one_said = (
            "{count:,} predictions have no score and are left out of AP.",
            "1 prediction has no score.",
        )
        told.append(note("ap.unscored", said, one=one_said, count=found[0].unscored))
    return pd.DataFrame(rows, columns=list(COCO_METRICS)), thresholds, told


def _with_points(
    job: InstanceJob, read: Place, predictions: Crowns, summary: pd.DataFrame
) -> tuple[pd.DataFrame, list[Remark]]:
    """The summary with the share of the field points that lie in a prediction, in the row for all."""
    layer = job[choices.POINTS]
    if layer is None:
        return summary, []
    points, changed = layer.read(read.working)
    inside, share = point_recall(points, predictions)
    said = "{inside:,} of {count:,} points of layer '{layer}' lie in a predicted crown."
    told = info(
        "points.inside", said, inside=int(inside.sum()), count=len(inside), layer=layer.name
    )
    return summary.assign(point_recall=[share] + [np.nan] * (len(summary) - 1)), [*changed, told]


def _side_given(given: Given, side: Choice[Any]) -> tuple[Any, ...]:
    """What tells the features of one side from those of others."""
    layer, selected_only = given.source(side.ids[0])
    value = given.parameters.get(side.ids[0])
    source = None if layer is None else (layer.source(), layer.id())
    return (
        source,
        selected_only,
        getattr(value, "filterExpression", ""),
        getattr(value, "featureLimit", -1),
    )


def _no_comparison(
    job: InstanceJob, overlap: OverlapTable, targets: Crowns, predictions: Crowns
) -> list[Remark]:
    """What makes the results useless, beside a layer without crowns, and which plots are not compared."""
    remarks = plots_apart([targets], [predictions])
    if any(remark.is_warning for remark in remarks):
        return remarks
    if job.same_layer:
        said = "Targets and predictions are the same layer, which says nothing of how good the predictions are."
        remarks.append(warning("instances.same_layer", said))
    elif len(targets) and len(predictions) and not len(overlap.shared):
        said = "No target and prediction overlap; do both layers have the right coordinate system?"
        remarks.append(warning("instances.no_overlap", said))
    return remarks


def _plots_apart_from_all(summary: pd.DataFrame) -> tuple[pd.DataFrame, list[Remark]]:
    """No row of a plot is called as the first row is, which is of all plots; a remark on a plot that is renamed."""
    plots = [str(plot) for plot in summary["group"]]
    called = [plots[0], *unique_names(plots[1:], [ALL])]
    said = (
        "Plot '{plot}' is called '{name}' in the summary, where '{plot}' is the row of all plots."
    )
    renamed = [
        note("plots.renamed", said, plot=plot, name=name)
        for plot, name in zip(plots, called)
        if plot != name
    ]
    return summary.assign(group=np.array(called, dtype=object)), renamed


def _heights(job: InstanceJob, targets: CrownLayer) -> tuple[Floats, Remark]:
    """(T,) what the tallest target is decided by, and what that is."""
    by_height = any(
        Method(job[choice]).by_height for choice in (choices.DETECTION, choices.SEGMENTATION)
    )
    what = "Height, where the tallest target chooses first: "
    field = job[choices.HEIGHT_FIELD]
    if not field:
        area = np.asarray(shapely.area(targets.crowns.geometry))
        return area, (note if by_height else info)("height.area", f"{what}area.")
    heights = targets.numbers(field)
    missing = np.isnan(heights)
    if missing.any() and by_height:
        said = "Field '{field}' has no height for the targets {ids}; fill it in, or leave the height field empty."
        raise InputError(said, field=field, ids=some(targets.crowns.ids[missing].tolist()))
    return heights, (note if by_height else info)(
        "height.field", f"{what}field {{field}}.", field=field
    )


def _side(
    output: Output,
    snapshot: LayerSnapshot,
    layer: CrownLayer,
    columns: pd.DataFrame,
    heights: Floats | None,
    groups: Objects | None,
) -> FeatureTable:
    columns["area"] = shapely.area(layer.crowns.geometry)
    if heights is not None:
        columns["height"] = heights
    if groups is not None:
        columns["group"] = groups
    wkb_type = (
        snapshot.wkb_type
        if snapshot.wkb_type != QgsWkbTypes.Type.Unknown
        else QgsWkbTypes.Type.MultiPolygon
    )
    table = FeatureTable(snapshot.crs, wkb_type, [feature.geometry() for feature in layer.features])
    return tables.side_table(output, table, columns, snapshot.fields, layer)
