"""Outlines that changed, the last word of each reviewer, and Cohen's kappa by hand."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
import shapely

from randcrowns.core.review.verdicts import VERDICT_COLUMNS, latest, merged, outline_hashes, reviewer_agreement


def table(*rows: tuple[int, str, str, str]) -> pd.DataFrame:
    """Verdicts: crown, reviewer, verdict, time."""
    full = [("crowns", crown, "x", 0.5, "none", verdict, "", who, time) for crown, who, verdict, time in rows]
    return pd.DataFrame(full, columns=VERDICT_COLUMNS)


def test_an_outline_is_known_again_until_a_vertex_moves() -> None:
    shape = shapely.Polygon([(0, 0), (4, 0), (4, 3), (1, 5)], [[(1, 1), (2, 1), (2, 2)]])
    turned = shapely.Polygon(shape.exterior.coords[2:-1] + shape.exterior.coords[:2], [shape.interiors[0].coords[::-1]])
    moved = shapely.transform(shape, lambda xy: xy + [[1e-9, 0]] * (np.arange(len(xy))[:, None] == 2))
    high = shapely.force_3d(shape, 7.0)
    hashes = outline_hashes(np.array([shape, turned, high, moved, None]))
    assert hashes[0] == hashes[1] == hashes[2] != hashes[3]
    assert hashes[4] == ""


def test_the_last_word_counts() -> None:
    found = latest(
        table(
            (1, "Ann", "accepted", "2026-01-02"),
            (1, "Ann", "rejected", "2026-01-01"),
            (1, "Ben", "unsure", "2026-01-01"),
        )
    )
    assert found.set_index("reviewer")["verdict"].to_dict() == {"Ann": "accepted", "Ben": "unsure"}


def test_merging_keeps_every_verdict_once() -> None:
    one, other = table((1, "Ann", "accepted", "1")), table((1, "Ann", "accepted", "1"), (2, "Ben", "fixed", "2"))
    assert len(merged([one, other])) == 2


def test_kappa_by_hand() -> None:
    """The textbook case of 50 crowns: 20 both accept, 15 both reject, 5 and 10 apart: (0.7 - 0.5) / 0.5 = 0.4."""
    pairs = [("accepted", "accepted")] * 20 + [("accepted", "rejected")] * 5
    pairs += [("rejected", "accepted")] * 10 + [("rejected", "rejected")] * 15
    rows = [(crown, who, said, "1") for crown, pair in enumerate(pairs) for who, said in zip(("Ann", "Ben"), pair)]
    (row,) = reviewer_agreement(table(*rows, (99, "Cem", "fixed", "1"))).to_dict("records")
    assert (row["reviewer"], row["other"], row["crowns"]) == ("Ann", "Ben", 50)
    assert (row["agreement"], row["kappa"]) == pytest.approx((0.7, 0.4))


def test_kappa_of_several_verdicts() -> None:
    """Three of four alike; chance (1x2 + 2x1 + 1x1) / 16: (0.75 - 5/16) / (11/16) = 7/11."""
    rows = [
        (0, "accepted", "accepted"),
        (1, "rejected", "accepted"),
        (2, "rejected", "rejected"),
        (3, "fixed", "fixed"),
    ]
    found = reviewer_agreement(table(*((n, who, said, "1") for n, *pair in rows for who, said in zip("AB", pair))))
    assert found["kappa"].tolist() == pytest.approx([7 / 11])


def test_without_crowns_in_common_there_is_no_pair_and_one_verdict_alone_has_no_kappa() -> None:
    assert len(reviewer_agreement(table((1, "Ann", "fixed", "1"), (2, "Ben", "fixed", "1")))) == 0
    both = reviewer_agreement(table((1, "Ann", "fixed", "1"), (1, "Ben", "fixed", "1")))
    assert math.isnan(both["kappa"][0])
    assert both["agreement"][0] == 1
