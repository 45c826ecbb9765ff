"""What runs of page Parameters found, read once from the algorithms' outputs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import pandas as pd
from qgis.core import QgsVectorLayer

from randcrowns.algorithms.choices import LENGTHS
from randcrowns.algorithms.tuning.outputs import CROWNS, DRAWINGS, GRID, LEFT_OUT, RECOMMENDED, VARIANCE
from randcrowns.layers.files.geopackage import keep_in_file
from randcrowns.layers.vector.tables import table_of
from randcrowns.layers.words import sentences, tr
from randcrowns.ui.services.result_file import add_result_layers, project_file, table_name
from randcrowns.ui.services.runner import Succeeded
from randcrowns.ui.services.settings import Settings

#: alpha and omega in metres, gamma.
Lengths = tuple[float, float, float]
_ON_THE_MAP = (CROWNS, DRAWINGS, LEFT_OUT)


@dataclass(frozen=True)
class SearchResults:
    """A grid search.

    Attributes:
        settings: what was run.
        grid: a row per set of parameters.
        best: the best set, or None.
        finding: what was found, in sentences.
        headline: the same without the variances, which have a tab of their own.
    """

    settings: Settings
    grid: pd.DataFrame
    best: Lengths | None
    finding: str
    headline: str


@dataclass(frozen=True)
class LookResults:
    """The experiment at one set of parameters.

    Attributes:
        lengths: alpha, omega, gamma.
        variance: a row per target annotator.
        drawings: a row per pair, with the three scores and its ``series``.
        looks: the pairs of the worst and the typical crowns, a row each, with ``look`` and ``randcrowns_variance``.
        left_out: the excluded crowns.
        outcome: of the run, with the layers of targets, delineations and excluded crowns.
    """

    lengths: Lengths
    variance: pd.DataFrame
    drawings: pd.DataFrame
    looks: pd.DataFrame
    left_out: pd.DataFrame
    outcome: Succeeded

    @property
    def finding(self) -> str:
        """What was found, in sentences."""
        return _finding(self.outcome)

    @property
    def targets_layer(self) -> QgsVectorLayer:
        """Outlines of the targets."""
        return self.outcome.layers[CROWNS.id]

    @property
    def drawings_layer(self) -> QgsVectorLayer:
        """Outlines of the delineations."""
        return self.outcome.layers[DRAWINGS.id]

    @property
    def left_out_layer(self) -> QgsVectorLayer:
        """Outlines of the excluded crowns."""
        return self.outcome.layers[LEFT_OUT.id]

    def features_of(self, pair: int) -> tuple[int, int]:
        """Feature ids of a pair's target and delineation, each in its layer."""
        targets, drawings = self._features
        target = self.drawings.loc[self.drawings["pair"] == pair, "target"].iloc[0]
        return targets[int(target)], drawings[pair]

    @cached_property
    def _features(self) -> tuple[dict[int, int], dict[int, int]]:
        return _by_number(self.targets_layer, "target"), _by_number(self.drawings_layer, "pair")


def read_search(outcome: Succeeded, settings: Settings) -> SearchResults:
    """The tables of a grid search."""
    recommended = table_of(outcome.layers[RECOMMENDED.id])
    best = None
    if len(recommended):
        alpha, omega, gamma = (float(recommended[choice.name].iloc[0]) for choice in LENGTHS)
        best = alpha, omega, gamma
    headline = _finding(outcome, without="finding.variance")
    return SearchResults(settings, table_of(outcome.layers[GRID.id]), best, _finding(outcome), headline)


def read_look(outcome: Succeeded, lengths: Lengths) -> LookResults:
    """The tables of the experiment at one set."""
    tables = {output: table_of(outcome.layers[output.id]) for output in (VARIANCE, *_ON_THE_MAP)}
    looks = _looks(tables[CROWNS], tables[DRAWINGS])
    return LookResults(lengths, tables[VARIANCE], tables[DRAWINGS], looks, tables[LEFT_OUT], outcome)


def add_layers(look: LookResults, file: str) -> str:
    """Add copies of the outlines to the project as one group, kept in the file or, without one, beside the project.

    Returns:
        A sentence that tells where.

    Raises:
        InputError: if they cannot be kept there; nothing is added then.
    """
    file = file or project_file()
    copies = {}
    for output in _ON_THE_MAP:
        layer = look.outcome.layers[output.id]
        copies[output.id] = keep_in_file(layer, Path(file), table_name(output.id)) if file else layer.clone()
    title, _ = add_result_layers(replace(look.outcome, layers=copies), _ON_THE_MAP, tr("variance"))
    return tr("The layers are in group '{group}'.").format(group=title)


def _finding(outcome: Succeeded, without: str = "") -> str:
    return " ".join(sentences(remark for remark in outcome.said("finding") if remark.key != without))


def _by_number(layer: QgsVectorLayer, field: str) -> dict[int, int]:
    """Id of the feature with each number."""
    return {int(feature[field]): feature.id() for feature in layer.getFeatures()}


def _looks(crowns: pd.DataFrame, drawings: pd.DataFrame) -> pd.DataFrame:
    """The worst first, then the typical ones; of one crown the lowest score first."""
    chosen = crowns.loc[crowns["look"].notna(), ["target", "look", "place", "randcrowns_variance"]]
    rows = chosen.merge(drawings, on="target")
    rows["later"] = rows["look"] != "worst"
    return rows.sort_values(["later", "place", "randcrowns"], kind="stable").reset_index(drop=True)
