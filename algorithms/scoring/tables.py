"""The tables of a scoring run as features, in the target layer's coordinate system."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import shapely
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransformContext,
    QgsGeometry,
    QgsWkbTypes,
)

from randcrowns.algorithms.output import Column
from randcrowns.algorithms.scoring import outputs
from randcrowns.core.arrays import with_interval
from randcrowns.core.remarks import Remark, Said, info
from randcrowns.core.review.problems import Problems, causes
from randcrowns.core.scoring.layer import SCORE_NAMES, SCORES, CrownScores
from randcrowns.core.scoring.score import TargetRegions
from randcrowns.core.status import Status
from randcrowns.layers.crs import transform_between
from randcrowns.layers.vector.geometry import Oddity, map_shapes
from randcrowns.layers.vector.names import free_name
from randcrowns.layers.vector.read import CrownLayer, LayerSnapshot
from randcrowns.layers.vector.tables import FeatureTable, Pieces, carried_fields, carried_values
from randcrowns.layers.words import tr

_REGIONS = ("a", "o", "e", "b")


class ScoredLayer(NamedTuple):
    """What one delineation layer scored: its prefix, its crowns, core's tables, and what is wrong with the crowns."""

    prefix: str
    layer: CrownLayer
    crs: QgsCoordinateReferenceSystem
    scores: CrownScores
    problems: Problems


def targets_table(
    snapshot: LayerSnapshot, targets: CrownLayer, results: Sequence[ScoredLayer]
) -> FeatureTable:
    """Every feature of the target layer with its own fields, its id, and the fields of each delineation layer."""
    features, rows = targets.features, targets.rows
    shapes = Pieces(len(features), lambda some: [feature.geometry() for feature in features[some]])
    table = FeatureTable(crs=snapshot.crs, wkb_type=snapshot.wkb_type, geometry=shapes)
    for place in carried_fields(snapshot.fields, features, snapshot.our_fields):
        described = snapshot.fields.at(place)
        table.add_field(described, carried_values(features, place, described.isNumeric()))
    ids = [feature.id() for feature in features]
    _add_free(table, outputs.SCORED_TARGETS.columns[0], pd.Series(ids, dtype="int64"))
    outside = np.isin(ids, targets.report.ids(Oddity.OUTSIDE))
    unscored = np.where(outside, Status.OUTSIDE_EXTENT.value, Status.NO_GEOMETRY.value)
    for result in results:
        scores = _with_problems(result.scores.targets, result.problems.targets)
        scores = scores.set_axis(rows).reindex(range(len(features)))
        scores["status"] = scores["status"].where(scores["status"].notna(), unscored)
        for name, column in outputs.SCORE_FIELDS.items():
            column.filled(prefix=result.prefix, layer=result.layer.crowns.name).add_to(
                table, scores[name]
            )
    if len(results) > 1:
        for name, values in spread_of([result.scores.targets for result in results]):
            _add_free(
                table,
                outputs.SPREAD_FIELDS[name],
                values.set_axis(rows).reindex(range(len(features))),
            )
    return table


def delineations_table(
    results: Sequence[ScoredLayer],
    crs: QgsCoordinateReferenceSystem,
    context: QgsCoordinateTransformContext,
) -> FeatureTable:
    """Every delineation that was used, as drawn, with what it scored."""
    layers = [(result.layer.features, result.layer.rows, result.crs) for result in results]
    firsts = np.cumsum([0, *(len(rows) for _, rows, _ in layers)])

    def geometry(some: slice) -> list[QgsGeometry]:
        found = []
        for (features, rows, source), first in zip(layers, firsts):
            drawn = rows[max(some.start - first, 0) : max(some.stop - first, 0)]
            found += _multipolygons(
                [features[row].geometry() for row in drawn], source, crs, context
            )
        return found

    found = [
        _with_problems(result.scores.delineations, result.problems.delineations)
        for result in results
    ]
    return outputs.SCORED_DELINEATIONS.table(
        _stacked(results, found), Pieces(int(firsts[-1]), geometry), crs
    )


def pairs_table(
    results: Sequence[ScoredLayer], targets: CrownLayer, crs: QgsCoordinateReferenceSystem
) -> FeatureTable:
    """Every pair that was scored, as a line from the target's centroid to the delineation's."""
    parts, working = [np.empty((0, 2, 2))], targets.working
    centres = shapely.get_coordinates(shapely.centroid(targets.crowns.geometry))
    for result in results:
        drawn = shapely.get_coordinates(shapely.centroid(result.layer.crowns.geometry))
        pair = result.scores.pairs
        parts.append(np.stack([centres[pair["target"]], drawn[pair["delineation"]]], axis=1))
    ends = np.concatenate(parts)
    lines = Pieces(
        len(ends), lambda some: map_shapes(shapely.linestrings(ends[some]), working, crs)
    )
    rows = _stacked(results, [result.scores.pairs for result in results])
    return outputs.PAIRS.table(rows[outputs.PAIRS.names], lines, crs)


def regions_table(
    regions: TargetRegions, targets: CrownLayer, crs: QgsCoordinateReferenceSystem
) -> FeatureTable:
    """Four features per target: its regions."""
    shapes = np.stack([regions.R_a, regions.R_o, regions.R_e, regions.R_b], axis=1).ravel()
    each = len(_REGIONS)
    rows = pd.DataFrame(
        {
            "target_id": np.repeat(targets.crowns.ids, each),
            "region": np.tile(np.array(_REGIONS, dtype=object), len(targets.crowns)),
            "tau": np.repeat(regions.tau, each),
            "area": shapely.area(shapes),
            "status": np.repeat(regions.status, each),
        }
    )

    def drawn(some: slice) -> list[QgsGeometry]:
        found = list(map_shapes(shapes[some], targets.working, crs))
        shapes[some] = None  # each is written once; freed all at once they would hold Python's lock
        return found

    return outputs.REGIONS.table(rows, Pieces(len(shapes), drawn), crs)


def score_summary_table(results: Sequence[ScoredLayer]) -> FeatureTable:
    """A row per delineation layer and plot."""
    rows = _stacked(results, [result.scores.summary for result in results])
    rows.columns = rows.columns.str.replace(".", "_", regex=False)
    return outputs.SUMMARY.table(rows)


def score_headline(results: Sequence[ScoredLayer]) -> list[Remark]:
    """The answer: the mean scores of each delineation layer with their intervals, and what was not found."""
    said = (
        "{layer}: {means} over {count:,} targets; missed targets: {missed:,}, unmatched targets: {unmatched:,}, "
        "unmatched delineations: {others:,}."
    )
    return [
        info(
            "headline.scores",
            said,
            layer=result.layer.crowns.name,
            count=int(row["targets"]),
            means=[_mean(row, score) for score in SCORES],
            missed=int(row["missed"]),
            unmatched=int(row["unmatched_targets"]),
            others=int(row["unmatched_delineations"]),
        )
        for result in results
        for row in [result.scores.summary.iloc[0]]
    ]


def _mean(row: pd.Series, score: str) -> Said:
    value = with_interval(*(row[f"{score}_{what}"] for what in ("mean", "low", "high")))
    return Said("{name} {value}", name=SCORE_NAMES[score], value=value)


def spread_of(targets: Sequence[Any]) -> Iterator[tuple[str, pd.Series]]:
    """Mean and variance (Eq. 15: divided by the number of layers less one) of each score over the tables of targets."""
    for score in SCORES:
        values = np.stack([np.asarray(table[score], dtype=float) for table in targets])
        yield f"{score}_mean", pd.Series(values.mean(axis=0))
        yield f"{score}_variance", pd.Series(values.var(axis=0, ddof=1))


def _with_problems(scores: pd.DataFrame, problems: pd.DataFrame) -> pd.DataFrame:
    """The scores with the problem of each crown and its cause."""
    return scores.assign(rc_problem=problems["problem"].to_numpy(), rc_cause=causes(problems, tr))


def _stacked(results: Sequence[ScoredLayer], tables: list[pd.DataFrame]) -> pd.DataFrame:
    named = [table.assign(layer=result.layer.crowns.name) for result, table in zip(results, tables)]
    return pd.concat(named, ignore_index=True)


def _add_free(table: FeatureTable, column: Column, values: Any) -> None:
    """Add a column under its name, with a number after it if the table has such a field."""
    replace(column, name=free_name(column.name, table.fields.names())).add_to(table, values)


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
        transform = transform_between(source, crs, context)
        for changed in found:
            changed.transform(transform)
    return found
