"""The answer of a scoring run: mean scores of a delineation layer, and the crowns behind them.

The dock, the report, the print layout, the list of runs and copied answers show this content.
"""

from __future__ import annotations

from randcrowns.core.scoring.answer import (
    MeanScore,
    ScoreAnswer,
    score_answer,
)

__all__ = ["MeanScore", "ScoreAnswer", "score_answer"]
