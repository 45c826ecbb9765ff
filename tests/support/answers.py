"""Answers of annotators to questions with known answers."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from randcrowns.core.agreement.cooke import ANSWER_COLUMNS

__all__ = ["answers_of"]


def answers_of(quantiles: Mapping[str, tuple[float, float, float]]) -> pd.DataFrame:
    """Return answers to one question with the true value 5, from three quantiles by annotator."""
    rows = [(name, "width", *numbers, 5.0) for name, numbers in quantiles.items()]
    return pd.DataFrame(rows, columns=list(ANSWER_COLUMNS))
