"""What a run of page Detectors found, read once from the algorithm's outputs."""

from __future__ import annotations

from dataclasses import dataclass, field

import pandas as pd
from qgis.core import QgsProject

from randcrowns.algorithms.detectors.choices import ANNOTATORS, DETECTORS, names_in_run
from randcrowns.algorithms.detectors.outputs import (
    AUCR,
    CERTAINTY_TABLE,
    CORRELATIONS,
    CURVES,
    RANKINGS,
    TRUTH_POLYGONS,
)
from randcrowns.layers.vector.tables import table_of
from randcrowns.ui.services.runner import Succeeded
from randcrowns.ui.services.settings import Settings


@dataclass(frozen=True)
class DetectorResults:
    """The tables of a run; ``scores``, ``curves`` and ``rankings`` have a column ``counted``: areas or crowns."""

    scores: pd.DataFrame
    curves: pd.DataFrame
    rankings: pd.DataFrame
    certainty: pd.DataFrame
    correlations: pd.DataFrame
    verdict: str
    first_places: str
    #: The sentence over whole crowns, and what changes all values of areas.
    crown_verdict: str = ""
    notes: str = ""
    #: What changes all values over whole crowns.
    crown_notes: str = ""
    #: Id of the layer of the ground truths made together, and of the layer of each detector and annotator by name.
    truths_layer: str = ""
    layer_of: dict[str, str] = field(default_factory=dict)

    @property
    def counted(self) -> list[str]:
        """What was counted, areas first."""
        return list(dict.fromkeys(self.scores["counted"]))

    @property
    def detectors(self) -> list[str]:
        """The detectors in the order of the run."""
        return list(dict.fromkeys(self.scores["detector"]))

    def truths(self, counted_as: str) -> list[str]:
        """The ground truths, in their order."""
        return list(dict.fromkeys(self.scores.loc[self.scores["counted"] == counted_as, "truth"]))

    def in_ranking(self, counted_as: str, position: str, ranking: str) -> tuple[str, str]:
        """The detector at that position of a ranking, or none where several tie, and the first truth that gives it."""
        if not ranking.startswith("ranking_"):
            return "", ""
        column = self.rankings[self.rankings["counted"] == counted_as].set_index("position")[ranking]
        if not isinstance(column.iloc[-1], str):
            return "", ""
        truths = [truth for truth in self.truths(counted_as) if f"{column.iloc[-1]}, ".startswith(f"{truth}, ")]
        detector = column[position] if column[position] in self.detectors else ""
        return detector, max(truths, key=len, default="")


def read_detector_results(outcome: Succeeded, settings: Settings) -> DetectorResults:
    """The tables of a run, and the layers they are about."""
    layers = outcome.layers
    return DetectorResults(
        scores=table_of(layers[AUCR.id]),
        curves=table_of(layers[CURVES.id]),
        rankings=table_of(layers[RANKINGS.id]),
        certainty=table_of(layers[CERTAINTY_TABLE.id]),
        correlations=table_of(layers[CORRELATIONS.id]),
        verdict=str(outcome.outputs.get("VERDICT") or ""),
        first_places=str(outcome.outputs.get("FIRST_PLACES") or ""),
        crown_verdict=str(outcome.outputs.get("CROWN_VERDICT") or ""),
        notes=str(outcome.outputs.get("NOTES") or ""),
        crown_notes=str(outcome.outputs.get("CROWN_NOTES") or ""),
        truths_layer=layers[TRUTH_POLYGONS.id].id(),
        layer_of=_layers_by_name(settings[ANNOTATORS], settings[DETECTORS]),
    )


def _layers_by_name(annotators: tuple[str, ...], detectors: tuple[str, ...]) -> dict[str, str]:
    """Ids of the layers by the names a run gives them."""
    kinds = [list(filter(None, map(QgsProject.instance().mapLayer, ids))) for ids in (annotators, detectors)]
    names = names_in_run(*([layer.name() for layer in layers] for layers in kinds))
    return dict(zip(names, (layer.id() for layers in kinds for layer in layers)))
