"""The tables of a scoring run as features, in the target layer's coordinate system."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import shapely
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsCoordinateTransformContext,
    QgsGeometry,
    QgsWkbTypes,
)

from randcrowns.core.arrays import Floats, Ints, Objects
from randcrowns.core.scoring.layer import SCORES, CrownScores
from randcrowns.core.scoring.score import SCORE_COLUMNS, TargetRegions
from randcrowns.core.status import Status
from randcrowns.layers.vector.geometry import to_multipolygons, to_qgs_geometries
from randcrowns.layers.vector.read import CrownLayer
from randcrowns.layers.vector.report import Oddity
from randcrowns.layers.vector.snapshot import LayerSnapshot
from randcrowns.layers.vector.tables import FeatureTable, carried_fields, carried_values

__all__ = [
    "ENDINGS",
    "ScoredLayer",
    "delineations_table",
    "pairs_table",
    "regions_table",
    "score_summary_table",
    "targets_table",
]

#: Ending of a field's name -> column of core's target table, meaning.
ENDINGS = {
    "_rc": ("randcrowns", "RandCrowns, 0 to 1"),
    "_iou": ("iou", "IoU, 0 to 1"),
    "_iouc": ("iou_crowns", "IoUCrowns, 0 to 1"),
    "_status": ("status", "What became of the target"),
    "_match": ("delineation_id", "Feature id of its delineation"),
    "_dist": ("distance", "Metres between the centroids"),
}
_SHORT = {"randcrowns": "rc", "iou": "iou", "iou_crowns": "iouc"}
_REGIONS = ("a", "o", "e", "b")


class ScoredLayer(NamedTuple):
    """What one delineation layer scored: its prefix, its crowns, core's tables, and the scored pairs."""

    prefix: str
    layer: CrownLayer
    crs: QgsCoordinateReferenceSystem
    scores: CrownScores
    pairs: pd.DataFrame


def targets_table(snapshot: LayerSnapshot, targets: CrownLayer, results: Sequence[ScoredLayer]) -> FeatureTable:
    """Every feature of the target layer with its own fields, its id, and six fields for each delineation layer."""
    features, wkb_type = targets.features, snapshot.wkb_type
    table = FeatureTable(crs=snapshot.crs, wkb_type=wkb_type, geometry=[feature.geometry() for feature in features])
    for place in carried_fields(snapshot.fields, features, snapshot.our_fields):
        described = snapshot.fields.at(place)
        table.add_field(described, carried_values(features, place, described.isNumeric()))
    ids = [feature.id() for feature in features]
    table.add(_free("target_id", table), pd.Series(ids, dtype="int64"), "Feature id in the target layer")
    status = np.full(len(features), Status.NO_GEOMETRY.value, dtype=object)
    outside = set(targets.report.ids(Oddity.OUTSIDE))
    status[[row for row, number in enumerate(ids) if number in outside]] = Status.OUTSIDE_EXTENT.value
    for result in results:
        _add_scores(table, result.prefix, result.scores.targets, targets.rows, status)
    if len(results) > 1:
        _add_spread(table, results, targets.rows, len(features))
    return table


def delineations_table(
    results: Sequence[ScoredLayer], crs: QgsCoordinateReferenceSystem, context: QgsCoordinateTransformContext
) -> FeatureTable:
    """Every delineation that was used, as drawn, with what it scored."""
    geometry: list[QgsGeometry] = []
    for result in results:
        drawn = [result.layer.features[row].geometry() for row in result.layer.rows]
        geometry += _multipolygons(drawn, result.crs, crs, context)
    table = FeatureTable(crs=crs, wkb_type=QgsWkbTypes.Type.MultiPolygon, geometry=geometry)
    rows = _stacked(results, [result.scores.delineations for result in results])
    _add_columns(table, rows, ["layer", "delineation_id", "group", "target_id", "n_targets", *SCORES, "area", "status"])
    return table


def pairs_table(results: Sequence[ScoredLayer], targets: CrownLayer, crs: QgsCoordinateReferenceSystem) -> FeatureTable:
    """Every pair that was scored, as a line from the target's centroid to the delineation's."""
    ends = [np.empty((0, 2, 2))]
    centres = shapely.get_coordinates(shapely.centroid(targets.crowns.geometry))
    for result in results:
        drawn = shapely.get_coordinates(shapely.centroid(result.layer.crowns.geometry))
        pair = result.pairs
        ends.append(np.stack([centres[pair["target"]], drawn[pair["delineation"]]], axis=1))
    lines = shapely.linestrings(np.concatenate(ends))
    table = FeatureTable(
        crs=crs,
        wkb_type=QgsWkbTypes.Type.LineString,
        geometry=to_qgs_geometries(lines, lambda xy: targets.working.metres_to(crs, xy)),
    )
    rows = _stacked(results, [result.pairs for result in results])
    rows["assigned"] = rows["assigned"].astype("int64")
    _add_columns(table, rows, ["layer", "target_id", "delineation_id", "distance", *SCORE_COLUMNS, "assigned"])
    return table


def regions_table(regions: TargetRegions, targets: CrownLayer, crs: QgsCoordinateReferenceSystem) -> FeatureTable:
    """Four features per target: its regions."""
    shapes = np.stack([regions.R_a, regions.R_o, regions.R_e, regions.R_b], axis=1).ravel()
    each = len(_REGIONS)
    table = FeatureTable(
        crs=crs,
        wkb_type=QgsWkbTypes.Type.MultiPolygon,
        geometry=to_qgs_geometries(to_multipolygons(shapes), lambda xy: targets.working.metres_to(crs, xy)),
    )
    table.add("target_id", np.repeat(targets.crowns.ids, each), "Feature id in the target layer")
    table.add("region", np.tile(np.array(_REGIONS, dtype=object), len(targets.crowns)), "a, o, e or b", "text")
    table.add("tau", np.repeat(regions.tau, each), "Metres")
    table.add("area", shapely.area(shapes), "Square metres")
    table.add("status", np.repeat(regions.status, each), "Whether the target can be scored", "text")
    return table


def score_summary_table(results: Sequence[ScoredLayer]) -> FeatureTable:
    """One row per delineation layer and group, without geometry."""
    rows = _stacked(results, [result.scores.summary for result in results])
    rows.columns = rows.columns.str.replace(".", "_", regex=False)
    table = FeatureTable()
    _add_columns(table, rows, list(rows.columns))
    return table


def _add_scores(table: FeatureTable, prefix: str, scores: pd.DataFrame, rows: Ints, status: Objects) -> None:
    for ending, (column, meaning) in ENDINGS.items():
        if ending == "_status":
            values: Any = status.copy()
            values[rows] = scores[column]
            table.add(prefix + ending, values, meaning, "text")
        elif ending == "_match":
            values = pd.array([pd.NA] * len(status), dtype="Int64")
            values[rows] = scores[column]
            table.add(prefix + ending, values, meaning, "integer")
        else:
            table.add(prefix + ending, _spread_out(scores[column], rows, len(status)), meaning, "real")


def _add_spread(table: FeatureTable, results: Sequence[ScoredLayer], rows: Ints, count: int) -> None:
    """Mean and variance (Eq. 15: divided by the number of layers less one) of each score over the layers."""
    for score in SCORES:
        values = np.stack([result.scores.targets[score].to_numpy(dtype=float) for result in results])
        name = _SHORT[score]
        mean, variance = values.mean(axis=0), values.var(axis=0, ddof=1)
        table.add(_free(f"{name}_mean", table), _spread_out(mean, rows, count), "Mean over the layers", "real")
        table.add(_free(f"{name}_var", table), _spread_out(variance, rows, count), "Variance over the layers", "real")


def _spread_out(values: Any, rows: Ints, count: int) -> Floats:
    found = np.full(count, np.nan)
    found[rows] = np.asarray(values, dtype=float)
    return found


def _stacked(results: Sequence[ScoredLayer], tables: list[pd.DataFrame]) -> pd.DataFrame:
    named = [table.assign(layer=result.layer.crowns.name) for result, table in zip(results, tables)]
    rows = pd.concat(named, ignore_index=True)
    return rows[["layer", *(name for name in rows.columns if name != "layer")]]


def _add_columns(table: FeatureTable, rows: pd.DataFrame, names: list[str]) -> None:
    texts = ("layer", "group", "status")
    for name in names:
        table.add(name, rows[name], kind="text" if name in texts else "")


def _free(name: str, table: FeatureTable) -> str:
    """The name, or the name with a number if the table has such a field."""
    taken = [described.name().lower() for described in table.fields]
    found, number = name, 1
    while found in taken:
        number += 1
        found = f"{name}_{number}"
    return found


def _multipolygons(
    drawn: list[QgsGeometry],
    source: QgsCoordinateReferenceSystem,
    crs: QgsCoordinateReferenceSystem,
    context: QgsCoordinateTransformContext,
) -> list[QgsGeometry]:
    """The geometries as flat multipolygons in another system."""
    wanted = QgsWkbTypes.Type.MultiPolygon
    found = []
    for geometry in drawn:
        changed = geometry
        if geometry.wkbType() != wanted:
            kept = [part for part in geometry.coerceToType(wanted) if not part.isEmpty()]
            changed = kept[0] if len(kept) == 1 else QgsGeometry.unaryUnion(kept)
        found.append(QgsGeometry(changed))
    if source != crs:
        transform = QgsCoordinateTransform(source, crs, context)
        for changed in found:
            changed.transform(transform)
    return found
