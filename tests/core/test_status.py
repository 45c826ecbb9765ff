"""Each status of a target is defined once; counts, means and lists follow the definition."""

from __future__ import annotations

import numpy as np
import pandas as pd

from randcrowns.core.scoring.answer import score_answer
from randcrowns.core.scoring.layer import SCORES, summary_values
from randcrowns.core.status import TARGET_STATUSES, Status, count_statuses, statuses_by_count

#: Statuses of delineations alone.
OF_DELINEATIONS = {Status.MATCHED, Status.NOT_JUDGED}


def test_each_status_is_of_a_target_or_of_a_delineation_alone() -> None:
    assert set(TARGET_STATUSES) == set(Status) - OF_DELINEATIONS


def test_statuses_are_counted_as_texts_and_members_alike() -> None:
    counts = count_statuses(["scored", Status.SCORED, None, "of my own", "scored"])
    assert counts == {"scored": 3, "of my own": 1}
    assert counts["missed"] == 0
    assert not count_statuses([])


def test_each_target_in_the_summary_has_one_count() -> None:
    statuses = ["scored", "extent_limited", "missed", "unmatched", "target_too_small", "scored"]
    targets = pd.DataFrame({"status": statuses, "plot": None})
    for score in SCORES:
        targets[score] = [1.0, 1.0, 0.0, 0.0, np.nan, 0.5]
    values = summary_values(targets, pd.DataFrame({"status": ["matched"]}))
    counts = {name: values[name] for name in statuses_by_count()}
    assert counts == {"matched": 3, "missed": 1, "unmatched_targets": 1, "too_small": 1}
    assert sum(counts.values()) == values["targets"] == 6


def test_each_status_but_scored_has_a_count_in_the_answer() -> None:
    overall = pd.Series(
        {f"{score}_{end}": 0.5 for score in SCORES for end in ("mean", "low", "high")}
    )
    for status, definition in TARGET_STATUSES.items():
        others = [str(other) for other in TARGET_STATUSES if other is not status]
        counts = count_statuses([*others, status.value, status.value])
        answer = score_answer("anna", overall, counts, 0, True)
        assert answer.target_counts[status] == 2
        assert (answer.n_targets, answer.n_scored) == (
            5 + bool(definition.summary_count),
            4 + definition.has_score,
        )
        listed = dict(answer.messages()[1].values)["counts"]
        numbers = [dict(text.values)["number"] for text in listed]
        assert sum(numbers) == len(others) + (status is not Status.SCORED)
