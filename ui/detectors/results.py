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
from randcrowns.core.detectors.ranking import distinct_rankings
from randcrowns.core.remarks import Remark
from randcrowns.layers.vector.tables import table_of
from randcrowns.layers.words import sentences
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
    #: Of the run, by topic: verdict, crown_verdict, first_places, areas and crowns.
    remarks: tuple[Remark, ...]
    #: Id of the layer of the ground truths made together, and of the layer of each detector and annotator by name.
    truths_layer: str = ""
    layer_of: dict[str, str] = field(default_factory=dict)

    def said(self, *topics: str) -> list[str]:
        """What the remarks of these topics say."""
        return sentences(remark for remark in self.remarks if remark.topic in topics)

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
        number = ranking.removeprefix("ranking_")
        if not number.isdigit():
            return "", ""
        rows = self.scores[self.scores["counted"] == counted_as]
        ranks = rows.pivot_table("rank", "detector", "truth").astype(float)
        ranks = ranks.reindex(index=self.detectors, columns=self.truths(counted_as))
        found = distinct_rankings(ranks)[int(number) - 1]
        at: dict[str, tuple[str, ...]] = {}
        for place in found.places:
            at[str(1 + sum(map(len, at.values())))] = place
        alone = at.get(position, ())
        return alone[0] if len(alone) == 1 else "", found.truths[0]


def read_detector_results(outcome: Succeeded, settings: Settings) -> DetectorResults:
    """The tables of a run, and the layers they are about."""
    layers = outcome.layers
    return DetectorResults(
        scores=table_of(layers[AUCR.id]),
        curves=table_of(layers[CURVES.id]),
        rankings=table_of(layers[RANKINGS.id]),
        certainty=table_of(layers[CERTAINTY_TABLE.id]),
        correlations=table_of(layers[CORRELATIONS.id]),
        remarks=outcome.remarks,
        truths_layer=layers[TRUTH_POLYGONS.id].id(),
        layer_of=_layers_by_name(settings[ANNOTATORS], settings[DETECTORS]),
    )


def _layers_by_name(annotators: tuple[str, ...], detectors: tuple[str, ...]) -> dict[str, str]:
    """Ids of the layers by the names a run gives them."""
    kinds = [list(filter(None, map(QgsProject.instance().mapLayer, ids))) for ids in (annotators, detectors)]
    names = names_in_run(*([layer.name() for layer in layers] for layers in kinds))
    return dict(zip(names, (layer.id() for layers in kinds for layer in layers)))
