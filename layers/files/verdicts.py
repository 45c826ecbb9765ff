"""The verdicts of reviewers in the GeoPackage with the results: one row each, kept at once, never changed."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import shapely
from qgis.core import QgsExpression, QgsFeature, QgsFeatureRequest, QgsGeometry, QgsVectorLayer

from randcrowns.core.errors import InputError
from randcrowns.core.remarks import Said
from randcrowns.core.review.verdicts import LAYERS, STATE, VERDICT_COLUMNS, Side, merged, outline_hashes
from randcrowns.layers.compat import new_field
from randcrowns.layers.files.geopackage import table_rows
from randcrowns.layers.files.staged import write_layer
from randcrowns.layers.vector.tables import FeatureTable, attribute_values

TABLE = "randcrowns_verdicts"
#: What earlier tables do not have.
_LATER = {*LAYERS["layer"][:2], *LAYERS["delineations"], "side", STATE[1]}
_KINDS = {"feature_id": "integer", "score": "real"}


class VerdictFile:
    """The table :data:`TABLE` of a GeoPackage, made with the first verdict.

    Every verdict is a transaction of its own: what ends QGIS loses none that was given.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> pd.DataFrame:
        """All verdicts, in the order they were given; none where there is no table yet.

        Raises:
            InputError: if the table is not one of verdicts.
        """
        rows = self._rows()
        found = pd.DataFrame(columns=VERDICT_COLUMNS) if rows is None else rows
        missing = sorted(set(VERDICT_COLUMNS) - _LATER - set(found))
        if missing:
            said = (
                "Table {table} of {path} has no column '{missing}', so it holds no verdicts; rename it, or choose "
                "another file."
            )
            raise InputError(said, table=TABLE, path=self.path, missing=missing[0])
        found = found.reindex(columns=VERDICT_COLUMNS)
        found[[*_KINDS]] = found[[*_KINDS]].apply(pd.to_numeric, errors="coerce")
        found = found.dropna(subset=["layer", "feature_id", "reviewer"])
        found = found.fillna({"side": Side.TARGET.value, "verdict": "", "comment": ""})
        kinds = {**dict.fromkeys(VERDICT_COLUMNS, object), "feature_id": np.int64, "score": np.float64}
        return found.astype(kinds).reset_index(drop=True)

    def add(self, verdict: Mapping[str, Any]) -> None:
        """Keep a verdict, with a value for each of VERDICT_COLUMNS.

        Raises:
            InputError: if it cannot be written; nothing is changed then.
        """
        self._append(pd.DataFrame([verdict], columns=VERDICT_COLUMNS))

    def merge(self, other: Path) -> int:
        """Take in the verdicts of another file; how many were new.

        Raises:
            InputError: if the other file holds none, or this one cannot be written.
        """
        theirs = VerdictFile(other).read()
        if theirs.empty:
            said = "{other} holds no verdicts (no table {table}); choose a file that a review was kept in."
            raise InputError(said, other=other, table=TABLE)
        mine = self.read()
        new = merged([mine, theirs]).iloc[len(merged([mine])) :] if len(mine) else merged([theirs])
        if len(new):
            self._append(new)
        return len(new)

    def _append(self, rows: pd.DataFrame) -> None:
        if self._rows() is None:
            nothing = FeatureTable()
            for name in VERDICT_COLUMNS:
                nothing.add(name, [], kind=_KINDS.get(name, "text"))
            write_layer(nothing.in_memory(TABLE), self.path, TABLE, "Verdicts of reviewers on crowns")
        layer = self._layer()
        lacking = [name for name in VERDICT_COLUMNS if layer.fields().lookupField(name) < 0]
        layer.dataProvider().addAttributes([new_field(name, "text") for name in lacking])
        layer.updateFields()
        places = [layer.fields().lookupField(name) for name in VERDICT_COLUMNS]
        features = []
        columns = [attribute_values(rows[name], _KINDS.get(name, "text")) for name in VERDICT_COLUMNS]
        for values in zip(*columns):
            feature = QgsFeature(layer.fields())
            for place, value in zip(places, values):
                feature.setAttribute(place, value)
            features.append(feature)
        kept, _ = layer.dataProvider().addFeatures(features) if min(places) >= 0 else (False, [])
        if not kept:
            why = [*layer.dataProvider().errors(), Said("it cannot be written")][0]
            raise InputError(
                "The verdict was not kept in {path} ({why}); free it, or choose another file.", path=self.path, why=why
            )

    def _rows(self) -> pd.DataFrame | None:
        try:
            found = table_rows(self.path, TABLE)
        except (sqlite3.Error, OSError) as error:
            said = "{path} cannot be read now ({error}); close what else uses it, or choose another file."
            raise InputError(said, path=self.path, error=error) from error
        return None if found is None else pd.DataFrame(found[1], columns=found[0])

    def _layer(self) -> QgsVectorLayer:
        layer = QgsVectorLayer(f"{self.path}|layername={TABLE}", TABLE, "ogr")
        if not layer.isValid():
            said = "Table {table} of {path} cannot be opened; choose another file."
            raise InputError(said, table=TABLE, path=self.path)
        return layer


def outlines_of(layer: QgsVectorLayer, where: str = "") -> pd.DataFrame:
    """``feature`` (id in this layer) and ``outline`` (see :func:`outline_hashes`) of features for which it holds."""
    request = QgsFeatureRequest(QgsExpression(where)) if where else QgsFeatureRequest()
    features = list(layer.getFeatures(request))
    hashes = hashes_of([feature.geometry() for feature in features])
    return pd.DataFrame({"feature": [feature.id() for feature in features], "outline": hashes})


def hashes_of(shapes: Sequence[QgsGeometry]) -> list[str]:
    """(n,) see :func:`outline_hashes`; empty for a feature without an outline."""
    wkb = [bytes(shape.asWkb()) or None for shape in shapes]
    return outline_hashes(shapely.from_wkb(np.array(wkb, dtype=object), on_invalid="ignore"))
