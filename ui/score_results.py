"""What a run of page Score found, read once from the algorithm's outputs."""

from __future__ import annotations

from dataclasses import dataclass, field

import pandas as pd

from randcrowns.core.status import Status
from randcrowns.ui.score_settings import ScoreSettings

__all__ = ["LayerScores", "ScoreResults"]


@dataclass(frozen=True)
class LayerScores:
    """One delineation layer against the target.

    Attributes:
        layer_id: of the delineation layer; it may be gone from the project by now.
        name: of the delineation layer when the run began.
        prefix: beginning of its fields in the scored targets.
        crowns: one row per target: target_id, delineation_id, randcrowns, iou, iou_crowns, status; with several
            delineation layers also the mean and variance of each score over them, as iou_mean and iou_variance.
        extra: ids of the delineations that serve no target.
        overall: the summary's row for all groups.
    """

    layer_id: str
    name: str
    prefix: str
    crowns: pd.DataFrame
    extra: tuple[int, ...]
    overall: pd.Series

    def ids_of(self, status: Status) -> list[int]:
        """Ids of the targets of that status."""
        return [int(number) for number in self.crowns.loc[self.crowns["status"] == status.value, "target_id"]]


@dataclass(frozen=True)
class ScoreResults:
    """Everything page Score shows after a run.

    Attributes:
        settings: what was run.
        target_name: of the target layer when the run began.
        layers: per delineation layer.
        summary: the summary table.
        id_field: field of the scored targets that holds the id of the crown in the target layer.
        made: ids of the layers that were added to the project, by output.
    """

    settings: ScoreSettings
    target_name: str
    layers: tuple[LayerScores, ...]
    summary: pd.DataFrame
    id_field: str = "target_id"
    made: dict[str, str] = field(default_factory=dict)
