from __future__ import annotations

import numpy as np
import pandas as pd
from support.errors import raises

from randcrowns.core.tuning.variance import CrownKind, PairKind, select_crowns, select_pairs


def table(rows):
    columns = ["crown", "randcrowns", "iou", "target_area", "delineation_area"]
    return pd.DataFrame(rows, columns=columns)


SCORES = table(
    [
        (0, 0.97, 0.47, 10, 12),  # larger, forgiven
        (1, 1.00, 0.24, 10, 30),  # larger, forgiven: the clearest
        (1, 0.99, 0.30, 10, 29),  # the same crown once more
        (2, 0.98, 0.35, 30, 10),  # smaller, forgiven
        (3, 1.00, 0.93, 10, 10),  # both high
        (4, 1.00, 0.85, 10, 10),
        (5, 0.34, 0.30, 10, 10),  # both low
        (6, 0.29, 0.28, 10, 10),
        (7, 0.00, 0.12, 10, 10),  # RandCrowns lower
        (8, 0.03, 0.30, 10, 10),
        (9, np.nan, 0.60, 10, 10),  # too small
        (10, 0.7, 0.6, 10, 10),  # nothing special
    ]
)


def test_each_kind_is_picked_clearest_first():
    picks = select_pairs(SCORES)
    found = {kind: group["crown"].tolist() for kind, group in picks.groupby("kind")}
    assert found == {
        PairKind.FORGIVEN_LARGER: [1, 0],
        PairKind.FORGIVEN_SMALLER: [2],
        PairKind.BOTH_HIGH: [3, 4],
        PairKind.BOTH_LOW: [6, 5],
        PairKind.RANDCROWNS_LOWER: [8, 7],
    }
    assert picks.loc[picks["kind"] == "forgiven_larger", "iou"].tolist() == [0.24, 0.47]
    assert list(picks.columns[:2]) == ["kind", "place"]
    assert select_pairs(SCORES, 1)["place"].tolist() == [1] * 5


def test_nothing_to_pick():
    assert len(select_pairs(SCORES.iloc[[10, 11]])) == 0
    assert len(select_pairs(SCORES.iloc[:0])) == 0
    assert "kind" in select_pairs(SCORES.iloc[:0])


def test_worst_and_typical_targets():
    crowns = pd.DataFrame(
        {"target_id": range(6), "randcrowns_variance": [0.5, 0.1, np.nan, 0.2, 0.11, 0.4]}
    )
    looks = select_crowns(crowns, 2)
    assert looks.groupby("example")["target_id"].apply(list).to_dict() == {
        CrownKind.WORST: [0, 5],
        CrownKind.TYPICAL: [3, 4],
    }
    assert len(select_crowns(crowns, 9)) == 5
    assert len(select_crowns(crowns.iloc[[2]])) == 0


def test_equally_typical_targets_keep_their_order():
    """The two in the middle are equally far from the median, whatever rounding says."""
    for off in (-1e-17, 1e-17):
        crowns = pd.DataFrame({"randcrowns_variance": [0.9, 8.6e-6, 8.8e-6 + off, 1e-7]})
        assert select_crowns(crowns, 1).iloc[1]["randcrowns_variance"] == 8.6e-6


def test_wrong_input():
    with raises("tuning.no_column", missing="iou"):
        select_pairs(SCORES.drop(columns="iou"))
    with raises("tuning.no_column", missing="randcrowns_variance"):
        select_crowns(SCORES)
    with raises("tuning.invalid_crown_count"):
        select_pairs(SCORES, 0)
