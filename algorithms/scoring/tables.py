"""Tables of a scoring run as features, in the coordinate system of the target layer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, cast

import numpy as np
import pandas as pd
import shapely
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransformContext,
    QgsGeometry,
    QgsWkbTypes,
)

from randcrowns.algorithms.output_types import Column
from randcrowns.algorithms.scoring.schema import outputs
from randcrowns.core.classes.evaluation import ClassEvaluation, class_conclusion
from randcrowns.core.classes.summarise import StrataSummary
from randcrowns.core.messages import Message
from randcrowns.core.names import unused_name
from randcrowns.core.review.problems import Problems, describe_causes
from randcrowns.core.scoring.answer import answer_from_statuses
from randcrowns.core.scoring.layer import SCORES, CrownScores
from randcrowns.core.scoring.own_spread import OwnSpreadScores
from randcrowns.core.scoring.score import TargetRegions
from randcrowns.core.status import Status
from randcrowns.layers.crs import create_transform
from randcrowns.layers.localization import tr
from randcrowns.layers.vector.geometry import (
    FeatureIssue,
    polygon_layer_type,
    polygon_parts,
    polygons_of_features,
    to_map_geometries,
)
from randcrowns.layers.vector.read import CrownLayer, LayerSnapshot
from randcrowns.layers.vector.tables import (
    FeatureTable,
    LazySequence,
    copied_field_indices,
)

#: Keys of the regions, in the order of their features.
_REGIONS = ("a", "o", "e", "b")


class ScoredLayer(NamedTuple):
    """Results for one delineation layer."""

    prefix: str  #: prefix of its fields in the scored targets.
    layer: CrownLayer  #: delineations.
    crs: QgsCoordinateReferenceSystem  #: coordinate reference system of the layer.
    scores: CrownScores  #: scores of targets, delineations and pairs, and the summary.
    problems: Problems  #: problems of targets and delineations.
    classes: ClassEvaluation | None = None  #: comparison of classes; None without classes.
    strata: StrataSummary | None = None  #: scores by strata; None without strata.
    #: Scores with the spread of each target's outlines; None without a spread.
    own_spread: OwnSpreadScores | None = None
    #: Scores against warped targets, a row per target; None without them.
    warped: pd.DataFrame | None = None


def warped_table(results: Sequence[ScoredLayer]) -> FeatureTable:
    """Return the scores against warped targets of all layers that have them; at least one."""
    frames = [
        result.warped.assign(layer=result.layer.crowns.name)
        for result in results
        if result.warped is not None
    ]
    return outputs.WARPED_SCORES.create_table(pd.concat(frames, ignore_index=True))


def targets_table(
    snapshot: LayerSnapshot, targets: CrownLayer, results: Sequence[ScoredLayer]
) -> FeatureTable:
    """Return all features of the target layer with their scores.

    The fields are those of the target layer, the feature id, the fields of each delineation layer,
    and mean and variance over the delineation layers if there are several. Features that cannot be
    scored have a status only.

    Args:
        snapshot: target layer.
        targets: features and crowns of the target layer.
        results: results of the delineation layers.
    """
    features = targets.features
    geometries = LazySequence(len(features), lambda block: polygons_of_features(features[block]))
    layer_type = polygon_layer_type(snapshot.wkb_type)
    table = FeatureTable(crs=snapshot.crs, wkb_type=layer_type, geometries=geometries)
    for index in copied_field_indices(snapshot.fields, features, snapshot.result_fields):
        table.copy_field(snapshot.fields.at(index), features, index)
    ids = pd.Series([feature.id() for feature in features], dtype="int64")
    _add_with_free_name(table, outputs.SCORED_TARGETS.columns[0], ids)

    for result in results:
        _add_result_fields(table, targets, result)
    if any(result.classes is not None for result in results):
        classes = _spread_over_features(targets, pd.Series(targets.crowns.classes, dtype=object))
        _add_with_free_name(table, outputs.TARGET_CLASS, classes)
    own_spread = next((result.own_spread for result in results if result.own_spread), None)
    if own_spread is not None:
        lengths = _spread_over_features(targets, pd.Series(own_spread.lengths))
        _add_with_free_name(table, outputs.OWN_LENGTH, lengths)
    if len(results) > 1:
        target_scores = [result.scores.targets for result in results]
        for name, values in score_spread(target_scores):
            spread = _spread_over_features(targets, values)
            _add_with_free_name(table, outputs.SPREAD_FIELDS[name], spread)
    return table


def _add_result_fields(table: FeatureTable, targets: CrownLayer, result: ScoredLayer) -> None:
    """Add the fields with the scores of one delineation layer, and with its classes if any.

    Args:
        table: table of all features of the target layer; changed by this function.
        targets: features and crowns of the target layer.
        result: results of the delineation layer.
    """
    layer_name = result.layer.crowns.name
    crown_scores = _add_problems(result.scores.targets, result.problems.cause_columns())
    # A row per feature; features without a crown have a status only.
    feature_rows = range(len(targets.features))
    scores = crown_scores.set_axis(targets.feature_rows).reindex(feature_rows)
    scores["status"] = _compute_feature_status(targets, crown_scores["status"])
    for name, column in outputs.SCORE_FIELDS.items():
        field_column = column.format(prefix=result.prefix, layer=layer_name)
        field_column.add_to_table(table, scores[name])
    if result.own_spread is not None:
        field_column = outputs.OWN_SPREAD_FIELD.format(prefix=result.prefix, layer=layer_name)
        own_scores = pd.Series(result.own_spread.randcrowns)
        field_column.add_to_table(table, _spread_over_features(targets, own_scores))
    if result.classes is None:
        return
    for name, column in outputs.CLASS_FIELDS.items():
        field_column = column.format(prefix=result.prefix, layer=layer_name)
        field_column.add_to_table(
            table, _spread_over_features(targets, result.classes.targets[name])
        )


def _spread_over_features(targets: CrownLayer, values: pd.Series) -> pd.Series:
    """Return one value per feature of the target layer; missing for a feature without a crown.

    Args:
        targets: features and crowns of the target layer.
        values: (T,) value of each crown.
    """
    feature_values = values.set_axis(targets.feature_rows).reindex(range(len(targets.features)))
    return cast("pd.Series", feature_values)


def delineations_table(
    results: Sequence[ScoredLayer],
    crs: QgsCoordinateReferenceSystem,
    context: QgsCoordinateTransformContext,
) -> FeatureTable:
    """Return the delineations of all layers with their scores and original outlines.

    Args:
        results: results of the delineation layers.
        crs: coordinate reference system of the table.
        context: datum transformations of the project.
    """
    # Row of the first delineation of each layer in the table.
    first_rows = []
    frames = []
    n_rows = 0
    for result in results:
        first_rows.append(n_rows)
        n_rows += len(result.layer.feature_rows)
        frame = _add_problems(result.scores.delineations, result.problems.delineations)
        if result.classes is not None:
            frame = pd.concat([frame, result.classes.predictions], axis=1)
        frames.append(frame)

    def create_geometries(block: slice) -> list[QgsGeometry]:
        """Return the original outlines of the rows of a block."""
        geometries = []
        for result, first_row in zip(results, first_rows):
            layer = result.layer
            # A block may begin or end in another layer.
            start = max(block.start - first_row, 0)
            stop = max(block.stop - first_row, 0)
            outlines = [layer.features[row].geometry() for row in layer.feature_rows[start:stop]]
            geometries += _to_multipolygons(outlines, result.crs, crs, context)
        return geometries

    rows = _concatenate_layers(results, frames)
    return outputs.SCORED_DELINEATIONS.create_table(
        rows, LazySequence(len(rows), create_geometries), crs
    )


def pairs_table(
    results: Sequence[ScoredLayer], targets: CrownLayer, crs: QgsCoordinateReferenceSystem
) -> FeatureTable:
    """Return the scored pairs as lines from the centroid of the target to that of the delineation.

    Args:
        results: results of the delineation layers.
        targets: target crowns.
        crs: coordinate reference system of the table.
    """
    target_centroids = shapely.get_coordinates(shapely.centroid(targets.crowns.geometry))
    # (p, 2, 2) ends of the lines: target and delineation, x and y. The empty array stands for no
    # layer at all.
    ends_by_layer = [np.empty((0, 2, 2))]
    for result in results:
        centroids = shapely.get_coordinates(shapely.centroid(result.layer.crowns.geometry))
        pairs = result.scores.pairs
        start_points = target_centroids[pairs["target"]]
        end_points = centroids[pairs["delineation"]]
        ends_by_layer.append(np.stack([start_points, end_points], axis=1))
    line_ends = np.concatenate(ends_by_layer)

    def create_lines(block: slice) -> LazySequence:
        """Return the lines of the rows of a block."""
        return to_map_geometries(shapely.linestrings(line_ends[block]), targets.working_crs, crs)

    rows = _concatenate_layers(results, [result.scores.pairs for result in results])
    return outputs.PAIRS.create_table(
        rows[outputs.PAIRS.field_names], LazySequence(len(line_ends), create_lines), crs
    )


def regions_table(
    regions: TargetRegions, targets: CrownLayer, crs: QgsCoordinateReferenceSystem
) -> FeatureTable:
    """Return the regions of the targets, four features per target.

    Args:
        regions: regions of the targets.
        targets: target crowns.
        crs: coordinate reference system of the table.

    Returns:
        A table whose geometries can be read once only: each block is released when it was read.
    """
    # The regions of a target follow each other, in the order of _REGIONS.
    shapes = np.stack([regions.R_a, regions.R_o, regions.R_e, regions.R_b], axis=1).ravel()
    n_regions = len(_REGIONS)
    rows = pd.DataFrame(
        {
            "target_id": np.repeat(targets.crowns.ids, n_regions),
            "region": np.tile(np.array(_REGIONS, dtype=object), len(targets.crowns)),
            "tau": np.repeat(regions.tau, n_regions),
            "area": shapely.area(shapes),
            "status": np.repeat(regions.status, n_regions),
        }
    )

    def create_geometries(block: slice) -> list[QgsGeometry]:
        geometries = list(to_map_geometries(shapes[block], targets.working_crs, crs))
        # Shapes are released block by block: releasing all at once holds the interpreter lock for
        # long.
        shapes[block] = None
        return geometries

    return outputs.REGIONS.create_table(rows, LazySequence(len(shapes), create_geometries), crs)


def score_summary_table(results: Sequence[ScoredLayer]) -> FeatureTable:
    """Return the summary, with one row per delineation layer and plot."""
    summary = _concatenate_layers(results, [result.scores.summary for result in results])
    summary.columns = summary.columns.str.replace(".", "_", regex=False)
    return outputs.SUMMARY.create_table(summary)


def score_conclusion(results: Sequence[ScoredLayer], targets: CrownLayer) -> list[Message]:
    """Return the conclusion of a run: a message with the answer of each delineation layer.

    Args:
        results: results of the delineation layers.
        targets: features and crowns of the target layer.
    """
    messages = []
    for result in results:
        answer = answer_from_statuses(
            result.layer.crowns.name,
            result.scores.summary.iloc[0],
            _compute_feature_status(targets, result.scores.targets["status"]),
            result.scores.delineations["status"],
        )
        messages += answer.messages()
        if result.classes is not None:
            messages.append(class_conclusion(result.classes, result.layer.crowns.name))
    return messages


def _compute_feature_status(targets: CrownLayer, crown_status: pd.Series) -> list[str]:
    """Return the status of every feature of the target layer, one without crown included.

    Args:
        targets: features and crowns of the target layer.
        crown_status: (T,) status of each crown.
    """
    is_outside = np.isin(
        [feature.id() for feature in targets.features],
        targets.report.feature_ids(FeatureIssue.OUTSIDE),
    )
    status = np.where(is_outside, Status.OUTSIDE_EXTENT.value, Status.NO_GEOMETRY.value)
    feature_status = pd.Series(status, dtype=object)
    feature_status.iloc[targets.feature_rows] = crown_status.to_numpy(dtype=object)
    return list(feature_status)


def score_spread(targets: Sequence[Any]) -> Iterator[tuple[str, pd.Series]]:
    """Yield the mean and the variance of each score over delineation layers.

    The variance is that of Stewart et al. (2021), Eq. 15: with N layers, the sum of the squared
    deviations is divided by N - 1.

    Args:
        targets: frame or mapping with the scores (T,) of the same targets by name, for each
            delineation layer.

    Yields:
        Name, such as ``iou_mean`` or ``iou_variance``, and values (T,).
    """
    for score in SCORES:
        values = np.stack([np.asarray(table[score], dtype=float) for table in targets])
        yield f"{score}_mean", pd.Series(values.mean(axis=0))
        yield f"{score}_variance", pd.Series(values.var(axis=0, ddof=1))


def _add_problems(scores: pd.DataFrame, problems: pd.DataFrame) -> pd.DataFrame:
    """Return scores with the columns ``rc_problem`` and ``rc_cause``, one row per crown.

    Args:
        scores: a row per crown.
        problems: problems and causes of the same crowns.
    """
    return scores.assign(
        rc_problem=problems["problem"].to_numpy(), rc_cause=describe_causes(problems, tr)
    )


def _concatenate_layers(
    results: Sequence[ScoredLayer], frames: Sequence[pd.DataFrame]
) -> pd.DataFrame:
    """Return the frames of all delineation layers in one, with the column ``layer``.

    Args:
        results: results of the delineation layers, which have their names.
        frames: a frame per delineation layer.
    """
    frames_with_name = [
        frame.assign(layer=result.layer.crowns.name) for result, frame in zip(results, frames)
    ]
    return pd.concat(frames_with_name, ignore_index=True)


def _add_with_free_name(table: FeatureTable, column: Column, values: Any) -> None:
    """Add a column to a table, with a number after its name if the table has such a field.

    Args:
        table: table; changed by this function.
        column: declaration of the column.
        values: a value per row.
    """
    free_name = unused_name(column.name, table.fields.names())
    replace(column, name=free_name).add_to_table(table, values)


def _to_multipolygons(
    geometries: Sequence[QgsGeometry],
    source: QgsCoordinateReferenceSystem,
    target: QgsCoordinateReferenceSystem,
    context: QgsCoordinateTransformContext,
) -> list[QgsGeometry]:
    """Return polygons as two-dimensional multipolygons in another coordinate reference system.

    Args:
        geometries: polygons or multipolygons in ``source``; they are not changed.
        source: coordinate reference system of the geometries.
        target: coordinate reference system of the result.
        context: datum transformations of the project.
    """
    wkb_type = QgsWkbTypes.Type.MultiPolygon
    converted = []
    for geometry in geometries:
        multipolygon = geometry
        if geometry.wkbType() != wkb_type:
            parts = polygon_parts(geometry)
            multipolygon = parts[0] if len(parts) == 1 else QgsGeometry.unaryUnion(parts)
        converted.append(QgsGeometry(multipolygon))
    if source != target:
        transform = create_transform(source, target, context)
        for geometry in converted:
            geometry.transform(transform)
    return converted
