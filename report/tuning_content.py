"""Sentences of a report on the choice of parameters, without QGIS."""

from __future__ import annotations

import pandas as pd

from randcrowns.core.tuning.search import SAME_VARIANCE
from randcrowns.core.tuning.wrong_pairs import WRONG_KINDS
from randcrowns.report.language import format_value, tr


def wrong_pair_labels() -> dict[str, str]:
    """Return the labels of the kinds of wrong pairs, by kind.

    >>> wrong_pair_labels()["shrunk"]
    'Shrunk'
    """
    labels = (tr("Neighbours"), tr("Shifted"), tr("Shrunk"), tr("Grown"))
    return dict(zip(WRONG_KINDS, labels))


def sets_note(sets: pd.DataFrame) -> str:
    """Return how recommended sets are ordered, and which wrong pairs they do not reveal.

    Args:
        sets: a row per set with the mean scores of right pairs (``mean``) and of each kind of
            wrong pairs (``wrong_neighbours``, ...).

    >>> sets_note(pd.DataFrame({"mean": [0.9], "wrong_shrunk": [0.8]}))[:35]
    'The order is that of the common var'
    """
    order = tr(
        "The order is that of the common variance. Variances that differ by at most {difference} "
        "are ties: the set with the lowest score of wrong pairs comes first.",
        difference=format_value(SAME_VARIANCE, -1),
    )
    kinds = [
        label
        for kind, label in wrong_pair_labels().items()
        if f"wrong_{kind}" in sets
        and (sets[f"wrong_{kind}"].astype(float) > sets["mean"].astype(float)).any()
    ]
    if not kinds:
        return order
    hidden = tr(
        "Some wrong pairs score higher than the right pairs, so these sets do not reveal such "
        "errors: {kinds}.",
        kinds=", ".join(kinds),
    )
    return f"{order} {hidden}"
