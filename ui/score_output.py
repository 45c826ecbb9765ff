"""From the algorithm's outputs to what page Score shows, and to where the user wants the scores."""

from __future__ import annotations

from typing import Any

from randcrowns.ui.runner import Succeeded
from randcrowns.ui.score_results import ScoreResults
from randcrowns.ui.score_settings import ScoreSettings

__all__ = ["deliver", "read_results"]


def read_results(outcome: Succeeded, settings: ScoreSettings) -> ScoreResults:
    """The tables of a run."""
    raise NotImplementedError


def deliver(outcome: Succeeded, results: ScoreResults, parent: Any) -> str:
    """Put the scores where the user wants them; the sentence says where."""
    raise NotImplementedError
