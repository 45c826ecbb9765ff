"""What runs of page Parameters found, read once from the algorithms' outputs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
from qgis.core import QgsProject, QgsVectorLayer

from randcrowns.layers.files.geopackage import keep_in_file
from randcrowns.layers.styles.styles import style_output
from randcrowns.layers.styles.tree import add_run_group, run_title
from randcrowns.layers.vector.tables import table_of
from randcrowns.layers.words import sentences, tr
from randcrowns.ui.services.layer_facts import RESULT_PROPERTY
from randcrowns.ui.services.result_file import project_file, table_name
from randcrowns.ui.services.runner import Succeeded
from randcrowns.ui.tuning.settings import Lengths, TuningSettings

__all__ = ["LookResults", "SearchResults", "add_layers", "feature_numbers", "read_look", "read_search"]


@dataclass(frozen=True)
class SearchResults:
    """A grid search.

    Attributes:
        settings: what was run.
        grid: a row per set of parameters.
        recommended: the best sets, in order.
        best: the first of them, or None.
        finding: what was found, in sentences.
    """

    settings: TuningSettings
    grid: pd.DataFrame
    recommended: pd.DataFrame
    best: Lengths | None
    finding: str


@dataclass(frozen=True)
class LookResults:
    """The experiment at one set of parameters.

    Attributes:
        lengths: alpha, omega, gamma.
        variance: a row per target annotator.
        drawings: a row per pair, with the three scores and its ``series``.
        looks: the pairs of the worst and the typical crowns, a row each, with ``look`` and ``variance``.
        gallery: the pairs that the gallery shows.
        left_out: the crowns that not everybody drew.
        crowns_layer, drawings_layer, left_out_layer: the outlines of each.
        finding: what was found, in sentences.
    """

    lengths: Lengths
    variance: pd.DataFrame
    drawings: pd.DataFrame
    looks: pd.DataFrame
    gallery: pd.DataFrame
    left_out: pd.DataFrame
    crowns_layer: QgsVectorLayer
    drawings_layer: QgsVectorLayer
    left_out_layer: QgsVectorLayer
    finding: str


def read_search(outcome: Succeeded, settings: TuningSettings) -> SearchResults:
    """The tables of a grid search."""
    grid = table_of(outcome.layers["GRID"])
    recommended = table_of(outcome.layers["RECOMMENDED"])
    best = None
    if len(recommended):
        best = _lengths(recommended.iloc[0])
    return SearchResults(settings, grid, recommended, best, " ".join(sentences(outcome.said("finding"))))


def read_look(outcome: Succeeded, lengths: Lengths) -> LookResults:
    """The tables of the experiment at one set."""
    layers: dict[str, Any] = outcome.layers
    crowns, drawings = table_of(layers["CROWNS"]), table_of(layers["DRAWINGS"])
    return LookResults(
        lengths=lengths,
        variance=table_of(layers["VARIANCE"]),
        drawings=drawings,
        looks=_looks(crowns, drawings),
        gallery=table_of(layers["GALLERY"]),
        left_out=table_of(layers["LEFT_OUT"]),
        crowns_layer=layers["CROWNS"],
        drawings_layer=layers["DRAWINGS"],
        left_out_layer=layers["LEFT_OUT"],
        finding=" ".join(sentences(outcome.said("finding"))),
    )


def add_layers(look: LookResults, file: str) -> str:
    """Add copies of the outlines to the project as one group, kept in the file or, without one, beside the project.

    Returns:
        A sentence that tells where.

    Raises:
        InputError: if they cannot be kept there; nothing is added then.
    """
    file = file or project_file()
    layers = []
    for output, layer, name in (
        ("CROWNS", look.crowns_layer, tr("Targets and their variance")),
        ("DRAWINGS", look.drawings_layer, tr("Drawings and their scores")),
        ("LEFT_OUT", look.left_out_layer, tr("Crowns left out")),
    ):
        style_output(layer, output)
        copy = keep_in_file(layer, Path(file), table_name(output)) if file else layer.clone()
        copy.setName(name)
        copy.setCustomProperty(RESULT_PROPERTY, name)
        layers.append(copy)
    title = run_title(tr("variance"))
    group = add_run_group(QgsProject.instance(), title, layers)
    for node in group.findLayers()[1:]:
        node.setItemVisibilityChecked(False)
    return tr("The layers are in group '{group}'.").format(group=title)


def feature_numbers(look: LookResults) -> tuple[dict[int, int], dict[int, int], dict[int, int]]:
    """Pair -> its target; target -> its feature; pair -> its feature."""
    target_of = dict(
        zip(look.drawings["pair"].astype("int64").tolist(), look.drawings["target"].astype("int64").tolist())
    )
    targets = {int(feature["target"]): feature.id() for feature in look.crowns_layer.getFeatures()}
    drawings = {int(feature["pair"]): feature.id() for feature in look.drawings_layer.getFeatures()}
    return target_of, targets, drawings


def _looks(crowns: pd.DataFrame, drawings: pd.DataFrame) -> pd.DataFrame:
    """The worst first, then the typical ones; of one crown the lowest score first."""
    chosen = crowns.loc[crowns["look"].notna(), ["target", "look", "place", "randcrowns_variance"]]
    rows = chosen.rename(columns={"randcrowns_variance": "variance"}).merge(drawings, on="target")
    rows["later"] = rows["look"] != "worst"
    return rows.sort_values(["later", "place", "randcrowns"], kind="stable").reset_index(drop=True)


def _lengths(row: pd.Series) -> Lengths:
    return float(row["alpha"]), float(row["omega"]), float(row["gamma"])
