"""Task 2 of IDTReeS 2020: the published table of the toolbox, and input that is not right.

The files in data/idtrees_task2 are those of NIST-NEON-DSE/idtrees_competition_evaluation, with its
license.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from support.errors import find_message, raises

from randcrowns.core.classes.idtrees import idtrees_task2, most_probable_classes

DATA = Path(__file__).parent / "data" / "idtrees_task2"


def read(name: str) -> pd.DataFrame:
    return pd.read_csv(DATA / name, encoding="utf-8-sig")


def test_published_table_comes_out_exactly():
    truth, predicted = read("task2_ground.csv"), read("task2_submission.csv")
    result = idtrees_task2(
        truth["ID"],
        truth["speciesID"],
        predicted["ID"],
        predicted["taxonID"],
        predicted["probability"],
    )
    expected = pd.read_csv(DATA / "task2_evaluation.csv", index_col=0)
    assert result.report.index.tolist() == expected.index.tolist()
    assert result.report.columns.tolist() == expected.columns.tolist()
    np.testing.assert_allclose(result.report, expected, rtol=0, atol=1e-15)
    # 11, 6 and 9 crowns of ACSA2, PIPA and QULA are in the reference file.
    assert result.confusion.sum(axis=1).tolist() == [11, 6, 9]
    assert result.messages == ()


def test_order_of_rows_changes_nothing():
    truth, predicted = read("task2_ground.csv"), read("task2_submission.csv")
    mixed_truth = truth.sample(frac=1, random_state=1)
    mixed = predicted.sample(frac=1, random_state=2)
    reports = [
        idtrees_task2(t["ID"], t["speciesID"], p["ID"], p["taxonID"], p["probability"]).report
        for t, p in ((truth, predicted), (mixed_truth, mixed))
    ]
    pd.testing.assert_frame_equal(*reports)


def test_ties_count_every_class_and_are_noted():
    best = most_probable_classes([7, 7, 8], ["oak", "ash", "oak"], [0.5, 0.5, 1.0])
    assert best.crown.tolist() == [7, 7, 8]
    assert best.classes.tolist() == ["ash", "oak", "oak"]
    assert best.is_tied.tolist() == [True, True, False]
    find_message(best.messages, "probabilities.tied", count=1)


def test_crowns_on_one_side_only_are_excluded_and_noted():
    result = idtrees_task2([1, 2, 3], ["a", "b", "b"], [1, 2, 9], ["a", "a", "b"], [1.0, 1.0, 1.0])
    assert result.confusion.to_numpy().tolist() == [[1, 0], [1, 0]]
    find_message(result.messages, "idtrees.one_side_only", missing=1, unknown=1)


@pytest.mark.parametrize(
    ("rows", "key"),
    [
        (([1], ["a", "b"], [0.5, 0.5]), "probabilities.wrong_count"),
        (([1, 1], ["a", None], [0.5, 0.5]), "probabilities.missing"),
        (([1, 1], ["a", "b"], [0.5, np.nan]), "probabilities.missing"),
        (([1, 1], ["a", " a"], [0.5, 0.5]), "probabilities.repeated"),
        (([5], ["a"], [0.5]), "idtrees.no_common_crown"),
    ],
)
def test_unclear_probabilities_are_refused(rows, key):
    with raises(key):
        idtrees_task2([1], ["a"], *rows)


@pytest.mark.parametrize("truth", [([1, 1], ["a", "b"]), ([1], [None]), ([1, 2], ["a"])])
def test_reference_needs_one_class_per_crown(truth):
    with raises("idtrees.reference"):
        idtrees_task2(*truth, [1], ["a"], [1.0])
