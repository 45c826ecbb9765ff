"""Weights of annotators by questions with known answers, against anduryl."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from support.errors import assert_message, raises

from randcrowns.core.agreement.consensus import majority_consensus, weighted_vote
from randcrowns.core.agreement.cooke import ANSWER_COLUMNS, cooke_weights, read_answers
from randcrowns.core.agreement.votes import VoteTable

#: Answers of four experts to twelve questions, and the scores of anduryl 1.2.2.
RECORDED = json.loads((Path(__file__).parent / "data" / "cooke_weights.json").read_text())
NAMES = ("a", "b", "c", "d")


def table(**changes) -> pd.DataFrame:
    rows = [
        (name, f"question {number}", *quantiles, truth)
        for name, answers in zip(NAMES, RECORDED["quantiles"])
        for number, (quantiles, truth) in enumerate(zip(answers, RECORDED["true_values"]))
    ]
    return pd.DataFrame(rows, columns=list(ANSWER_COLUMNS)).assign(**changes)


def test_scores_are_those_of_anduryl() -> None:
    weights = cooke_weights(table(), NAMES)
    assert weights.n_questions == 12
    for name in ("calibration", "information", "weight"):
        np.testing.assert_allclose(getattr(weights, name), RECORDED[name], rtol=1e-9, atol=1e-15)
    assert_message(weights.message, "cooke.questions", count=12)


def test_order_and_other_annotators_change_nothing() -> None:
    expected = cooke_weights(table(), NAMES)
    shuffled = table().sample(frac=1, random_state=3)
    found = cooke_weights(shuffled, NAMES[::-1])
    assert found.weight[::-1].tolist() == pytest.approx(expected.weight.tolist())
    assert found.select(NAMES).tolist() == pytest.approx(expected.weight.tolist())
    stranger = table()[:12].assign(annotator="e")
    with_stranger = cooke_weights(pd.concat([table(), stranger]), NAMES)
    assert with_stranger.weight.tolist() == expected.weight.tolist()


def test_the_cutoff_takes_the_weight() -> None:
    weights = cooke_weights(table(), NAMES, cutoff=0.01)
    assert (weights.weight > 0).tolist() == [True, False, True, False]
    assert weights.weight.sum() == pytest.approx(1)
    assert_message(weights.message, "cooke.excluded", count=12, names="b, d")
    with raises("cooke.nobody", cutoff=0.9):
        cooke_weights(table(), NAMES, cutoff=0.9)


def test_a_table_and_annotators_are_needed() -> None:
    with raises("cooke.no_table"):
        cooke_weights(None, NAMES)  # type: ignore[arg-type]
    with raises("cooke.no_name"):
        cooke_weights(table(), [])
    with raises("cooke.invalid_cutoff", cutoff=2):
        cooke_weights(table(), NAMES, cutoff=2)


def test_few_questions_are_told() -> None:
    answers = table()
    few = answers[answers["question"].isin(["question 0", "question 1"])]
    assert_message(cooke_weights(few, NAMES).message, "cooke.few_questions", count=2)


@pytest.mark.parametrize(
    ("answers", "key", "values"),
    [
        (table().drop(columns="high"), "cooke.no_column", {"missing": "high"}),
        (table(low="x"), "cooke.invalid_answer", {"annotator": "a", "question": "question 0"}),
        (table(low=99.0), "cooke.invalid_answer", {"annotator": "a"}),
        (table(true_value=np.inf), "cooke.invalid_answer", {"annotator": "a"}),
        (table()[:36], "cooke.no_annotator", {"annotator": "d", "names": "a, b, c"}),
        (table()[:-1], "cooke.answer_count", {"annotator": "d", "count": 0}),
        (pd.concat([table(), table()[:1]]), "cooke.answer_count", {"annotator": "a", "count": 2}),
        (table(true_value=np.arange(48)), "cooke.true_values", {"question": "question 0"}),
    ],
)
def test_answers_that_cannot_be_used(answers, key, values) -> None:
    with raises(key, **values):
        cooke_weights(answers, NAMES)


@pytest.mark.parametrize(
    "text",
    [
        "annotator,question,low,median,high,true_value\na,1,1.5,2,3,2.5\n",
        "\ufeffQuestion;Annotator;Low;Median;High;True_value;note\n1;a;1,5;2;3;2,5;x\n\n",
        "annotator\tquestion\tlow\tmedian\thigh\ttrue_value\n a \t1\t1.5\t2\t3\t2.5",
    ],
)
def test_files_of_answers(tmp_path, text) -> None:
    path = tmp_path / "answers.csv"
    path.write_text(text, encoding="utf-8")
    assert read_answers(path).to_numpy().tolist() == [["a", "1", 1.5, 2, 3, 2.5]]


def test_files_that_cannot_be_read(tmp_path) -> None:
    with raises("cooke.unreadable", path="none.csv"):
        read_answers(tmp_path / "none.csv")
    (tmp_path / "empty.csv").write_text("")
    with raises("cooke.no_column"):
        read_answers(tmp_path / "empty.csv")
    (tmp_path / "bytes.csv").write_bytes(b"\xff\xfe\x00\x81")
    with raises("cooke.unreadable", path="bytes.csv"):
        read_answers(tmp_path / "bytes.csv")


def test_a_weighted_vote_needs_half_of_the_weight() -> None:
    votes = VoteTable.from_stack([[1, 1, 0, 0], [1, 0, 0, 0], [1, 0, 1, 0]])
    assert votes.on_map(weighted_vote(votes, np.array([0.2, 0.3, 0.5]))).tolist() == [
        *(True, False, True, False)
    ]
    equal = weighted_vote(votes, np.ones(3))
    assert equal.tolist() == majority_consensus(votes).tolist()
    for weights in ([0.5, 0.5], [1, -1, 1], [1, np.nan, 1]):
        with raises("consensus.invalid_weights", count=3):
            weighted_vote(votes, np.array(weights, dtype=float))


def test_missing_ratings_take_their_weight_away() -> None:
    missing = [[0, 0], [0, 0], [0, 1]]
    votes = VoteTable.from_stack([[1, 1], [0, 0], [0, 0]], missing=missing)
    assert votes.on_map(weighted_vote(votes, np.array([0.4, 0.2, 0.4]))).tolist() == [False, True]
