"""Messages about the result of an experiment."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from support.shown import shows

from randcrowns.core.tuning.conclusion import hidden_error_messages


@pytest.mark.parametrize(
    ("kind", "error"),
    [
        ("neighbours", "the wrong tree was drawn"),
        ("shifted", "crowns are drawn in the wrong place"),
        ("shrunk", "crowns are drawn too small"),
        ("grown", "crowns are drawn too large"),
    ],
)
def test_an_error_that_the_best_set_does_not_reveal_is_a_warning_with_its_score(kind, error):
    """A score just below that of right pairs does not reveal it either."""
    sets = pd.DataFrame({"mean": [0.984, 0.9], f"wrong_{kind}": [0.983, 0.1]})
    (message,) = hidden_error_messages(sets)
    assert message.is_warning
    assert shows(str(message), f"finding.hidden_{kind}", score=0.983, right=0.984)
    assert "still score 0.98 with the recommended parameters" in str(message)
    assert str(message).endswith(f"do not show that {error}.")


def test_errors_with_low_scores_are_revealed():
    """The other sets are not recommended, so their scores do not matter."""
    sets = pd.DataFrame({"mean": [0.98, 0.98], "wrong_shrunk": [0.95, 0.99], "wrong_grown": np.nan})
    assert hidden_error_messages(sets) == []
    assert hidden_error_messages(sets.iloc[:0]) == []
