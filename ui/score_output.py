"""From the algorithm's outputs to what page Score shows."""

from __future__ import annotations

import json
from typing import Any

import pandas as pd
from qgis.core import QgsFeatureRequest, QgsProject, QgsVectorLayer

from randcrowns.algorithms.score_tables import ENDINGS
from randcrowns.core.status import Status
from randcrowns.layers.compat import is_null
from randcrowns.ui.runner import Succeeded
from randcrowns.ui.score_results import LayerScores, ScoreResults
from randcrowns.ui.score_settings import ScoreSettings

__all__ = ["first_prefix", "id_column", "read_results", "table_of"]


def read_results(outcome: Succeeded, settings: ScoreSettings) -> ScoreResults:
    """The tables of a run, per delineation layer in the order of the settings."""
    targets = table_of(outcome.layers["SCORED_TARGETS"])
    summary = table_of(outcome.layers["SUMMARY"])
    delineations = table_of(outcome.layers["SCORED_DELINEATIONS"], ["layer", "delineation_id", "status"])
    prefixes = json.loads(outcome.outputs["PREFIXES"])
    ids = id_column(list(targets.columns), prefixes[0]["prefix"])
    layers = []
    for layer_id, named in zip(settings.delineations, prefixes):
        name, prefix = named["layer"], named["prefix"]
        extra = delineations[(delineations["layer"] == name) & (delineations["status"] == Status.UNMATCHED.value)]
        overall = summary[(summary["layer"] == name) & (summary["group"] == "all")].iloc[0]
        layers.append(
            LayerScores(
                layer_id=layer_id,
                name=name,
                crowns=_crowns(targets, ids, prefix),
                extra=tuple(int(number) for number in extra["delineation_id"]),
                overall=overall,
            )
        )
    target = QgsProject.instance().mapLayer(settings.target)
    return ScoreResults(settings, target.name() if target is not None else "", tuple(layers), summary)


def table_of(layer: QgsVectorLayer, columns: list[str] | None = None) -> pd.DataFrame:
    """The attributes of a layer; what has no value is missing."""
    names = layer.fields().names()
    wanted = names if columns is None else columns
    places = [names.index(name) for name in wanted]
    request = QgsFeatureRequest().setFlags(QgsFeatureRequest.Flag.NoGeometry)
    rows = []
    for feature in layer.getFeatures(request):
        values = feature.attributes()
        rows.append([None if is_null(values[place]) else values[place] for place in places])
    frame = pd.DataFrame(rows, columns=wanted)
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
