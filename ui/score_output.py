"""From the algorithm's outputs to what page Score shows."""

from __future__ import annotations

import json
from typing import Any

import pandas as pd
from qgis.core import QgsExpression, QgsFeatureRequest, QgsProject, QgsVectorLayer

from randcrowns.algorithms.scoring.tables import ENDINGS
from randcrowns.core.scoring.layer import SCORES
from randcrowns.core.status import Status
from randcrowns.layers.compat import is_null
from randcrowns.ui.runner import Succeeded
from randcrowns.ui.score_results import LayerScores, ScoreResults
from randcrowns.ui.score_settings import ScoreSettings

__all__ = ["first_prefix", "id_column", "read_results", "table_of"]

#: What the last fields of the scored targets hold where there are several delineation layers, in their order.
_SPREAD = tuple(f"{score}_{what}" for score in SCORES for what in ("mean", "variance"))


def read_results(outcome: Succeeded, settings: ScoreSettings) -> ScoreResults:
    """The tables of a run, per delineation layer in the order of the settings."""
    prefixes = json.loads(outcome.outputs["PREFIXES"])
    scored = outcome.layers["SCORED_TARGETS"]
    ids = id_column(scored.fields().names(), first_prefix(outcome))
    names = scored.fields().names()
    spread = dict(zip(names[-len(_SPREAD) :], _SPREAD)) if len(prefixes) > 1 else {}
    fields = [ids, *(named["prefix"] + ending for named in prefixes for ending in ENDINGS), *spread]
    targets = table_of(scored, fields).rename(columns=spread)
    summary = table_of(outcome.layers["SUMMARY"])
    unmatched = QgsExpression.createFieldEqualityExpression("status", Status.UNMATCHED.value)
    extra = table_of(outcome.layers["SCORED_DELINEATIONS"], ["layer", "delineation_id"], unmatched)
    layers = []
    for layer_id, named in zip(settings.delineations, prefixes):
        name = named["layer"]
        layers.append(
            LayerScores(
                layer_id=layer_id,
                name=name,
                prefix=named["prefix"],
                crowns=_crowns(targets, ids, named["prefix"]).join(targets[list(spread.values())]),
                extra=tuple(int(number) for number in extra.loc[extra["layer"] == name, "delineation_id"]),
                overall=summary[(summary["layer"] == name) & (summary["group"] == "all")].iloc[0],
            )
        )
    target = QgsProject.instance().mapLayer(settings.target)
    name = target.name() if target is not None else ""
    return ScoreResults(settings, name, tuple(layers), summary, ids)


def table_of(layer: QgsVectorLayer, columns: list[str] | None = None, where: str = "") -> pd.DataFrame:
    """The attributes of a layer, or some of them; what has no value is missing."""
    names = layer.fields().names()
    wanted = names if columns is None else columns
    places = [names.index(name) for name in wanted]
    request = QgsFeatureRequest().setFlags(QgsFeatureRequest.Flag.NoGeometry)
    if where:
        request.setFilterExpression(where)
    if columns is not None and not where:
        request.setSubsetOfAttributes(places)
    rows = [feature.attributes() for feature in layer.getFeatures(request)]
    frame = pd.DataFrame(
        {
            name: pd.Series([None if is_null(row[place]) else row[place] for row in rows], dtype=object)
            for name, place in zip(wanted, places)
        }
    )
    for place, name in zip(places, wanted):
        if layer.fields().at(place).isNumeric():
            frame[name] = pd.to_numeric(frame[name])
    return frame


def first_prefix(outcome: Succeeded) -> str:
    """The prefix of the first delineation layer's fields."""
    return str(json.loads(outcome.outputs["PREFIXES"])[0]["prefix"])


def id_column(names: list[str], first_prefix: str) -> str:
    """The column with the targets' ids: it stands directly before the scores, whatever it had to be called."""
    return names[names.index(first_prefix + next(iter(ENDINGS))) - 1]


def _crowns(targets: pd.DataFrame, id_column: str, prefix: str) -> pd.DataFrame:
    columns: dict[str, Any] = {"target_id": targets[id_column].astype("int64")}
    for ending, (name, _) in ENDINGS.items():
        columns[name] = targets[prefix + ending]
    frame = pd.DataFrame(columns)
    frame["delineation_id"] = frame["delineation_id"].astype("Int64")
    return frame
