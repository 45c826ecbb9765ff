"""randcrowns:evaluateinstances - detection and segmentation metrics of predicted crowns, from two polygon layers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import shapely
from qgis.core import QgsFields, QgsWkbTypes

from randcrowns.algorithms.base import CrownAlgorithm, Made
from randcrowns.algorithms.choice import Choice, Given, Job, refusal
from randcrowns.algorithms.choices import check_layers, drawn_remarks, unused_plot_field
from randcrowns.algorithms.instances import choices, outputs, tables
from randcrowns.algorithms.instances.choices import POLYGON_CHOICES
from randcrowns.algorithms.instances.outputs import POLYGON_OUTPUTS, VALUES
from randcrowns.algorithms.instances.tables import InstanceMatches
from randcrowns.algorithms.output import Output
from randcrowns.core.arrays import Floats, Objects
from randcrowns.core.crowns import Crowns, list_some
from randcrowns.core.instances.matching import Method, match, match_once
from randcrowns.core.instances.overlap import OverlapTable, polygon_overlap
from randcrowns.core.instances.summary import plots_apart, plots_of_predictions, summarise_instances
from randcrowns.core.progress import Progress, part_of
from randcrowns.core.remarks import Remark, info, note, warning
from randcrowns.core.status import ALL
from randcrowns.layers.vector.guesses import role_remarks
from randcrowns.layers.vector.names import unique_names
from randcrowns.layers.vector.place import Place, read_place
from randcrowns.layers.vector.read import CrownLayer, LayerRequest, LayerSnapshot
from randcrowns.layers.vector.tables import FeatureTable
from randcrowns.layers.words import tr


@dataclass(frozen=True)
class InstanceJob(Job):
    """What a run needs besides.

    Attributes:
        same_layer: whether both sides are the same features of one layer.
        unused_plots: field with the plot that both layers have and that is not chosen, or empty.
    """

    same_layer: bool
    unused_plots: str


@dataclass(frozen=True)
class Evaluation:
    """What was found: matches, summary, the targets' heights where a field holds them, and the plots of both sides."""

    matches: InstanceMatches
    summary: pd.DataFrame
    heights: Floats | None
    groups: tuple[Objects | None, Objects | None]
    remarks: list[Remark]


class EvaluateInstances(CrownAlgorithm):
    key, label = "evaluateinstances", tr("Evaluate crown instances")
    about = tr("Matches predicted crowns with target crowns: precision, recall, F1, panoptic quality, IoU.")
    keywords = ("instance", "segmentation", "detection", "panoptic", "precision", "recall", "f1", "tree")
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
    choices, outputs, values = POLYGON_CHOICES, POLYGON_OUTPUTS, VALUES

    def check(self, given: Given) -> None:
        targets = given.layer(choices.TARGETS)
        check_layers(targets, given.layer(choices.PREDICTIONS))
        fields = QgsFields() if targets is None else targets.fields()
        for choice in (choices.HEIGHT_FIELD, choices.PLOT_FIELD):
            field = given[choice]
            place = fields.lookupField(field)
            if field and place < 0:
                raise refusal("The target layer has no field '{field}'.", field=field)
            if field and choice.numeric and not fields.at(place).isNumeric():
                raise refusal("Field '{field}' holds no numbers, so it cannot be the height.", field=field)

    def take(self, given: Given) -> InstanceJob:
        targets, predictions = given.layer(choices.TARGETS), given.layer(choices.PREDICTIONS)
        return InstanceJob.of(
            given,
            [] if predictions is None else role_remarks(targets, [predictions]),
            same_layer=_side_given(given, choices.TARGETS) == _side_given(given, choices.PREDICTIONS),
            unused_plots=unused_plot_field(given, choices.PLOT_FIELD, targets, [predictions]),
        )

    def read(self, job: InstanceJob, progress: Progress) -> Place:
        """Both layers, the targets first."""
        plot = job[choices.PLOT_FIELD]
        requests = [
            LayerRequest(job[side], group_field=plot, plot_field=job.unused_plots, all_attributes=True, needed=True)
            for side in (choices.TARGETS, choices.PREDICTIONS)
        ]
        return read_place(requests, job.transform_context, progress=progress)

    def compute(self, job: InstanceJob, read: Place, progress: Progress) -> Evaluation:
        targets, predictions = (layer.crowns for layer in read.layers)
        overlap = polygon_overlap(targets, predictions, part_of(progress, 0.0, 0.6))
        heights, decided_by = _heights(job, read.layers[0])
        found = match_once(overlap, job[choices.DETECTION], heights, part_of(progress, 0.6, 0.65))
        cut = match(overlap, job[choices.SEGMENTATION], heights, part_of(progress, 0.65, 0.7))
        groups = targets.groups, predictions.groups
        if groups[0] is not None and groups[1] is None:
            groups = groups[0], plots_of_predictions(targets, predictions, overlap)
        plots = [None if some is None else some.tolist() for some in groups]
        summary = summarise_instances(
            overlap,
            found,
            cut,
            target_groups=plots[0],
            prediction_groups=plots[1],
            all_drawn=job[choices.ALL_DRAWN],
            progress=part_of(progress, 0.7, 1.0),
        )
        summary, renamed = _plots_apart_from_all(summary[summary["group"].notna()])
        matches = InstanceMatches(overlap, found, cut, targets.ids, predictions.ids, all_drawn=job[choices.ALL_DRAWN])
        across = read.layers[0].across_plots(read.layers[1], overlap.target, overlap.prediction)
        drawn = drawn_remarks(job[choices.ALL_DRAWN], tr("precision, F1 and PQ"), targets, [predictions])
        useless = _no_comparison(job, overlap, targets, predictions)
        remarks = [*useless, *([] if across is None else [across]), *drawn, decided_by, *renamed]
        return Evaluation(matches, summary, heights if job[choices.HEIGHT_FIELD] else None, groups, remarks)

    def tables(self, job: InstanceJob, read: Place, found: Evaluation, progress: Progress) -> Made:
        columns = tables.target_columns(found.matches), tables.prediction_columns(found.matches)
        sides = (
            (outputs.MATCHED_TARGETS, choices.TARGETS, found.heights),
            (outputs.MATCHED_PREDICTIONS, choices.PREDICTIONS, None),
        )
        made = {
            output: _side(output, job[side], read.layers[place], columns[place], heights, found.groups[place])
            for place, (output, side, heights) in enumerate(sides)
        }
        summary = outputs.SUMMARY.table(found.summary)
        return Made({**made, outputs.SUMMARY: summary}, tables.result_numbers(found.summary))


def _side_given(given: Given, side: Choice[Any]) -> tuple[Any, ...]:
    """What tells the features of one side from those of others."""
    layer, selected_only = given.source(side.ids[0])
    value = given.parameters.get(side.ids[0])
    source = None if layer is None else (layer.source(), layer.id())
    return source, selected_only, getattr(value, "filterExpression", ""), getattr(value, "featureLimit", -1)


def _no_comparison(job: InstanceJob, overlap: OverlapTable, *sides: Crowns) -> list[Remark]:
    """What makes the results useless, beside a layer without crowns, and which plots are not compared."""
    apart = plots_apart(*sides)
    remarks = [] if apart is None else [apart]
    if any(remark.is_warning for remark in remarks):
        return remarks
    if job.same_layer:
        said = "Targets and predictions are the same layer, which says nothing of how good the predictions are."
        remarks.append(warning("instances.same_layer", said))
    elif all(map(len, sides)) and not len(overlap.shared):
        said = "No target and prediction overlap; do both layers have the right coordinate system?"
        remarks.append(warning("instances.no_overlap", said))
    return remarks


def _plots_apart_from_all(summary: pd.DataFrame) -> tuple[pd.DataFrame, list[Remark]]:
    """No row of a plot is called as the first row is, which is of all plots; a remark on a plot that is renamed."""
    plots = [str(plot) for plot in summary["group"]]
    called = [plots[0], *unique_names(plots[1:], [ALL])]
    said = "Plot '{plot}' is called '{name}' in the summary, where '{plot}' is the row of all plots."
    renamed = [note("plots.renamed", said, plot=plot, name=name) for plot, name in zip(plots, called) if plot != name]
    return summary.assign(group=np.array(called, dtype=object)), renamed


def _heights(job: InstanceJob, targets: CrownLayer) -> tuple[Floats, Remark]:
    """(T,) what the tallest target is decided by, and what that is."""
    by_height = any(Method(job[choice]).by_height for choice in (choices.DETECTION, choices.SEGMENTATION))
    tell, what = note if by_height else info, "Height, where the tallest target chooses first: "
    field = job[choices.HEIGHT_FIELD]
    if not field:
        return np.asarray(shapely.area(targets.crowns.geometry)), tell("height.area", f"{what}area (m²).")
    heights = targets.numbers(field)
    missing = np.isnan(heights)
    if missing.any() and by_height:
        said = "Field '{field}' has no height for the targets {ids}; fill it in, or leave the height field empty."
        raise refusal(said, field=field, ids=list_some(targets.crowns.ids[missing].tolist()))
    return heights, tell("height.field", f"{what}field {{field}}.", field=field)


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
    wkb_type = snapshot.wkb_type if snapshot.wkb_type != QgsWkbTypes.Type.Unknown else QgsWkbTypes.Type.MultiPolygon
    table = FeatureTable(snapshot.crs, wkb_type, [feature.geometry() for feature in layer.features])
    return tables.side_table(output, table, columns, snapshot.fields, layer)
