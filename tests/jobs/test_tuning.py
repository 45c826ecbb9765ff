"""Answers of the jobs ``variance`` and ``tune``: the sentences of the toolbox."""

from __future__ import annotations

import shapely
from support.errors import find_message

import randcrowns as rc

#: Six squares in a row. Ben and cleo draw them 0.2 and 0.3 m wider; cleo omits the last one, so
#: that two delineations of it remain that not all three drew.
SQUARES = {
    name: [shapely.box(9 * place, 0, 9 * place + 5 + wider, 5) for place in range(count)]
    for name, wider, count in (("anna", 0.0, 6), ("ben", 0.2, 6), ("cleo", 0.3, 5))
}
EXCLUDED = "2 delineations excluded: not drawn by all annotators."


def test_the_variance_counts_excluded_crowns() -> None:
    result = rc.variance(SQUARES)
    find_message(result.headline, "finding.not_shared", count=2)
    assert result.conclusion.endswith(EXCLUDED)
    assert len(result.tables["excluded"]) == 2


def test_the_best_set_at_the_edge_has_a_caution() -> None:
    # A grid of two values has only edges; omega and gamma have no second value.
    result = rc.tune(SQUARES, alphas="0.3 0.4", omegas="1", gammas="2")
    edge = find_message(result.headline, "finding.edge")
    assert [str(name) for name in edge.values["names"]] == ["alpha"]
    assert (
        "It lies at the edge of the grid (alpha): a better set may lie outside."
        in result.conclusion
    )
    assert result.conclusion.endswith(EXCLUDED)


def test_a_warning_is_no_part_of_the_answer() -> None:
    few = {name: squares[:3] for name, squares in SQUARES.items()}
    result = rc.variance(few)
    assert find_message(result.messages, "finding.few_crowns", count=3).is_warning
    assert "Only 3" not in result.conclusion


def test_the_answer_from_warped_copies_says_so() -> None:
    result = rc.variance({"anna": SQUARES["anna"]}, warps=3)
    assert result.conclusion.startswith("From 3 warped copies of anna (no measurement): ")


def test_a_number_that_no_step_reaches_has_a_note() -> None:
    result = rc.tune(SQUARES, alphas="0.3:0.6:0.2", omegas="1", gammas="2")
    find_message(result.messages, "grid.untried", reached=0.5, last=0.6)
