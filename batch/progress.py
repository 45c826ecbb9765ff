"""Progress of the stages of a run."""

from __future__ import annotations

from dataclasses import dataclass, field
from time import monotonic
from typing import Callable


@dataclass
class StageProgress:
    """Progress of a stage.

    Attributes:
        stage: name of the stage.
        n_tiles: number of tiles in the stage.
        n_crowns: number of crowns in these tiles.
        finished_tiles: number of finished tiles.
        finished_crowns: number of crowns in the finished tiles.
        start: start of the stage, seconds of the monotonic clock.
    """

    stage: str
    n_tiles: int
    n_crowns: int
    finished_tiles: int = 0
    finished_crowns: int = 0
    start: float = field(default_factory=monotonic)

    def finish_tile(self, n_crowns: int) -> None:
        """Count a finished tile with its number of crowns."""
        self.finished_tiles += 1
        self.finished_crowns += n_crowns

    @property
    def crowns_per_second(self) -> float:
        """Mean number of crowns per second since the start."""
        return self.finished_crowns / max(monotonic() - self.start, 1e-9)

    @property
    def seconds_left(self) -> float:
        """Estimated remaining time, seconds; infinite before the first tile is finished."""
        if not self.finished_crowns:
            return float("inf")
        return (self.n_crowns - self.finished_crowns) / self.crowns_per_second


#: Callback with the progress, called at the start of a stage and after every tile.
ProgressCallback = Callable[[StageProgress], None]


def ignore_progress(report: StageProgress) -> None:
    """Ignore the progress."""
