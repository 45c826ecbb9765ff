"""What a run of page Detectors found, read once from the algorithm's outputs, and put into the project as tables."""

from __future__ import annotations

from dataclasses import dataclass, field

import pandas as pd
from qgis.core import QgsProject, QgsVectorLayer

from randcrowns.algorithms.detectors.job import names_in_run
from randcrowns.layers.styles.styles import style_output
from randcrowns.layers.styles.tree import add_run_group, run_title
from randcrowns.layers.vector.tables import table_of
from randcrowns.layers.words import counted, tr
from randcrowns.ui.detectors.settings import OUTPUTS, DetectorSettings
from randcrowns.ui.services.layer_facts import RESULT_PROPERTY
from randcrowns.ui.services.runner import Succeeded

__all__ = ["DetectorResults", "add_tables", "read_detector_results"]


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


def read_detector_results(outcome: Succeeded, settings: DetectorSettings) -> DetectorResults:
    """The tables of a run, and the layers they are about."""
    layers = outcome.layers
    return DetectorResults(
        scores=table_of(layers["AUCR"]),
        curves=table_of(layers["CURVES"]),
        rankings=table_of(layers["RANKINGS"]),
        certainty=table_of(layers["CERTAINTY_TABLE"]),
        correlations=table_of(layers["CORRELATIONS"]),
        verdict=str(outcome.outputs.get("VERDICT") or ""),
        first_places=str(outcome.outputs.get("FIRST_PLACES") or ""),
        crown_verdict=str(outcome.outputs.get("CROWN_VERDICT") or ""),
        notes=str(outcome.outputs.get("NOTES") or ""),
        crown_notes=str(outcome.outputs.get("CROWN_NOTES") or ""),
        truths_layer=layers["TRUTH_POLYGONS"].id(),
        layer_of=_layers_by_name(settings.annotators, settings.detectors),
    )


def add_tables(outcome: Succeeded) -> str:
    """Add the tables to the project as one group; the sentence tells where."""
    names = {
        "TRUTH_POLYGONS": tr("Ground truths"),
        "AUCR": tr("Detector scores"),
        "RANKINGS": tr("Rankings"),
        "CERTAINTY_TABLE": tr("Certainty"),
        "CORRELATIONS": tr("Agreement correlations"),
        "TAU": tr("Kendall's tau"),
        "CURVES": tr("Curves"),
    }
    layers = []
    for output in OUTPUTS:
        layer = outcome.layers.get(output)
        if isinstance(layer, QgsVectorLayer) and layer.featureCount():
            layer.setCustomProperty(RESULT_PROPERTY, output)
            layer.setName(names[output])
            style_output(layer, output)
            layers.append(layer)
    title = run_title(tr("detectors"))
    group = add_run_group(QgsProject.instance(), title, layers)
    group.setExpanded(False)
    for node in group.findLayers():
        node.setItemVisibilityChecked(False)
    number = counted(len(layers), tr("table is"), tr("tables are"))
    return tr("Done; {tables} in group '{group}'.").format(tables=number, group=title)


def _layers_by_name(annotators: tuple[str, ...], detectors: tuple[str, ...]) -> dict[str, str]:
    """Ids of the layers by the names a run gives them."""
    kinds = [list(filter(None, map(QgsProject.instance().mapLayer, ids))) for ids in (annotators, detectors)]
    names = names_in_run(*([layer.name() for layer in layers] for layers in kinds))
    return dict(zip(names, (layer.id() for layers in kinds for layer in layers)))
