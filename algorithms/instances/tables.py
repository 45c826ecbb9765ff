"""The tables of an evaluation of instances as features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from qgis.core import QgsCoordinateReferenceSystem, QgsFeature, QgsField, QgsFields, QgsGeometry

from randcrowns.core.arrays import Bools, Ints
from randcrowns.core.instances.matching import NONE, Matching, MatchStatus, prediction_status, target_status
from randcrowns.core.instances.metrics import matched_shares
from randcrowns.core.instances.overlap import OverlapTable
from randcrowns.layers.vector.tables import FeatureTable, carried_fields, carried_values
from randcrowns.layers.words import tr

__all__ = [
    "OUR_COLUMNS",
    "Drawn",
    "InstanceMatches",
    "frame_table",
    "prediction_columns",
    "result_numbers",
    "side_table",
    "target_columns",
]

#: Output name -> column of the summary.
_RESULTS = {"PRECISION": "precision", "RECALL": "recall", "F1": "f1", "PQ": "pq", "MEAN_IOU": "mean_iou"}
#: Fields of the matched layers, in their order: what each means.
OUR_COLUMNS = {
    "target_id": "Id of the target",
    "prediction_id": "Id of the prediction",
    "status": "true_positive, false_negative, false_positive, uncertain or no_geometry",
    "match_id": "Id of what it was matched with, for what was found",
    "cut_id": "Id of the prediction that the metrics beside are measured with",
    "iou": "Shared size over the size of both, 0 to 1",
    "precision": "Shared size over the size of the prediction, 0 to 1",
    "recall": "Shared size over the size of the target, 0 to 1",
    "height": "Height, metres, or whatever the height field holds",
    "points": "Number of points",
    "area": "Square metres",
    "group": "Plot",
}


@dataclass(frozen=True)
class InstanceMatches:
    """Two matchings of one overlap table.

    Attributes:
        table: what the instances share.
        found: matching for what was found.
        cut: matching for how well it was cut out.
        target_ids, prediction_ids: (T,) and (P,) ids.
        uncertain: (P,) predictions that are no mistake, or None.
    """

    table: OverlapTable
    found: Matching
    cut: Matching
    target_ids: Ints
    prediction_ids: Ints
    uncertain: Bools | None = None


@dataclass(frozen=True)
class Drawn:
    """Features of one side: their geometries, and the fields and features they came with, if any."""

    crs: QgsCoordinateReferenceSystem
    wkb_type: Any
    geometry: list[QgsGeometry]
    fields: QgsFields | None = None
    features: Sequence[QgsFeature] = ()


def target_columns(matches: InstanceMatches) -> pd.DataFrame:
    """One row per target: target_id, status, match_id, cut_id, iou, precision, recall."""
    iou, precision, recall = matched_shares(matches.table, matches.cut)
    return pd.DataFrame(
        {
            "target_id": matches.target_ids,
            "status": target_status(matches.found),
            "match_id": _named(matches.prediction_ids, matches.found.prediction),
            "cut_id": _named(matches.prediction_ids, matches.cut.prediction),
            "iou": iou,
            "precision": precision,
            "recall": recall,
        }
    )


def prediction_columns(matches: InstanceMatches) -> pd.DataFrame:
    """One row per prediction: prediction_id, status, match_id, iou, precision, recall with its target."""
    found = matches.found
    pair = found.target != NONE
    n = len(pair)
    shared, target_size = np.zeros(n), np.zeros(n)
    key = _keys(matches.table, matches.table.target, matches.table.prediction)
    wanted = _keys(matches.table, found.target[pair], np.flatnonzero(pair))
    shared[pair] = matches.table.shared[np.searchsorted(key, wanted)]
    target_size[pair] = matches.table.target_size[found.target[pair]]
    size = matches.table.prediction_size
    with np.errstate(invalid="ignore", divide="ignore"):
        recall = np.where(pair, shared / target_size, np.nan)
        iou = shared / (size + target_size - shared)
        precision = shared / size
    return pd.DataFrame(
        {
            "prediction_id": matches.prediction_ids,
            "status": prediction_status(found, matches.uncertain),
            "match_id": _named(matches.target_ids, found.target),
            "iou": iou,
            "precision": precision,
            "recall": recall,
        }
    )


def side_table(drawn: Drawn, columns: pd.DataFrame, rows: Ints | None = None) -> FeatureTable:
    """Features with their own fields, where they had any, and these columns.

    Args:
        drawn: the features.
        columns: of :data:`OUR_COLUMNS`; a field of that name that the features came with is called ``…_own``.
        rows: which feature each row of the columns is; all in their order unless given. A feature without a row has
            its id only.
    """
    n = len(drawn.geometry)
    table = FeatureTable(crs=drawn.crs, wkb_type=drawn.wkb_type, geometry=drawn.geometry)
    if drawn.fields is not None:
        ours = {str(name).lower() for name in columns}
        for place in carried_fields(drawn.fields, drawn.features, ()):
            described = QgsField(drawn.fields.at(place))
            if described.name().lower() in ours:
                described.setName(_free(f"{described.name()}_own", drawn.fields))
            table.add_field(described, carried_values(drawn.features, place, described.isNumeric()))
    for name in map(str, columns):
        values: Any = columns[name]
        if rows is not None:
            values = values.reindex(pd.Index(range(len(columns)))).set_axis(rows).reindex(range(n))
            if name == "status":
                values = values.fillna(MatchStatus.NO_GEOMETRY.value)
            elif name.endswith("_id"):
                values = values.astype("Int64")
                if name == columns.columns[0]:
                    values = [feature.id() for feature in drawn.features]
        kind = "text" if name in ("status", "group") else "integer" if name.endswith("_id") or name == "points" else ""
        table.add(name, values, tr(OUR_COLUMNS[name]), kind or "real")
    return table


def frame_table(frame: pd.DataFrame, texts: Sequence[str] = ()) -> FeatureTable:
    """A table without geometry."""
    table = FeatureTable()
    for name in frame:
        table.add(str(name), frame[name], kind="text" if name in texts else "")
    return table


def result_numbers(summary: pd.DataFrame) -> dict[str, float]:
    """The numbers that the algorithms give out, from the row of the summary for everything."""
    return {output: float(summary.iloc[0][column]) for output, column in _RESULTS.items()}


def _keys(table: OverlapTable, target: Ints, prediction: Ints) -> Ints:
    """One ascending number per pair."""
    return target * max(len(table.prediction_size), 1) + prediction


def _named(ids: Ints, index: Ints) -> Any:
    """The ids at these places, missing where the place is :data:`NONE`."""
    missing = index == NONE
    named = np.zeros(len(index), dtype=np.int64)
    named[~missing] = ids[index[~missing]]
    return pd.arrays.IntegerArray(named, missing)


def _free(name: str, fields: QgsFields) -> str:
    """The name, or the name with a number if there is such a field."""
    found, number = name, 1
    while fields.lookupField(found) >= 0:
        number += 1
        found = f"{name}_{number}"
    return found
