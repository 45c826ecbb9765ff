"""Consensus crown by crown: rules, who looked where, overlaps, order, and simulated annotators."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
import shapely
from annotated_plots import draw_plot, measure_quality
from hypothesis import given, settings
from hypothesis import strategies as st
from support.errors import raises
from support.examples import examples

from randcrowns.core.agreement.consensus_of_crowns import (
    CrownConsensus,
    CrownConsensusOptions,
    VoteRule,
    crown_consensus,
    remainder_messages,
)
from randcrowns.core.crowns import Crowns


def square(x: float, y: float = 0.0, side: float = 10.0) -> shapely.Polygon:
    return shapely.box(x, y, x + side, y + side)


#: One tree that all drew, one that two of four drew, one that one annotator drew.
LAYERS = {
    "ann": [square(0), square(20), square(40)],
    "bob": [square(0), square(20)],
    "cleo": [square(0)],
    "dan": [square(0, 1)],
}


@pytest.mark.parametrize(
    ("rule", "votes"), [("half", [4, 2]), ("two_thirds", [4]), ("all", [4]), ("any", [4, 2, 1])]
)
def test_enough_votes_make_a_crown(rule: str, votes: list[int]) -> None:
    consensus = crown_consensus(LAYERS, CrownConsensusOptions(rule=rule))
    assert consensus.table["votes"].tolist() == votes
    assert len(consensus.crowns) == len(votes)
    assert len(consensus.doubtful) == 3 - len(votes)
    assert set(consensus.doubtful_table["reason"]) <= {"too_few_votes"}


@pytest.mark.parametrize(
    ("rule", "needed"),
    [
        ("half", [1, 1, 2, 2, 3]),
        ("two_thirds", [1, 2, 2, 3, 4]),
        ("all", [1, 2, 3, 4, 5]),
        ("any", [1, 1, 1, 1, 1]),
    ],
)
def test_needed_votes_by_hand(rule: str, needed: list[int]) -> None:
    assert VoteRule(rule).needed(np.arange(1, 6)).tolist() == needed


def test_those_who_did_not_look_do_not_count() -> None:
    # Cleo and dan have not looked at the second and the third tree.
    reviewed = {"cleo": square(-5, -5, 20), "dan": square(-5, -5, 20)}
    consensus = crown_consensus(LAYERS, CrownConsensusOptions(rule="all"), reviewed=reviewed)
    assert consensus.table[["votes", "looked"]].to_numpy().tolist() == [[4, 4], [2, 2]]
    assert consensus.doubtful_table[["votes", "looked", "needed"]].to_numpy().tolist() == [
        [1, 2, 2]
    ]


def test_crowns_outside_are_not_used_and_counted() -> None:
    reviewed = {"bob": square(-5, -5, 20)}
    consensus = crown_consensus(LAYERS, area=shapely.box(0, -5, 44, 20), reviewed=reviewed)
    # Bob's second crown lies outside of what bob reviewed, ann's third outside of the study area.
    (message,) = consensus.messages
    assert message.key == "consensus.crowns_outside"
    assert message.values["count"] == 2
    assert consensus.table["votes"].tolist() == [4]
    assert consensus.doubtful_table["members"].tolist() == ["ann:1"]
    assert consensus.crown_of_drawing["bob"].tolist() == [0, -1]


def test_a_study_area_may_have_several_polygons() -> None:
    parts = [shapely.box(-5, -5, 15, 20), shapely.box(18, -5, 32, 20)]
    assert crown_consensus(LAYERS, area=parts).table["votes"].tolist() == [4, 2]
    assert crown_consensus(LAYERS, area=parts[:1]).table["votes"].tolist() == [4]


def test_members_are_named_with_their_ids() -> None:
    layers = {"b": Crowns([square(0)], ids=[7]), "a": Crowns([square(9), square(1)], ids=[5, 3])}
    consensus = crown_consensus(layers)
    assert sorted(consensus.table["members"]) == ["a:3; b:7", "a:5"]


def test_shared_ground_goes_to_the_crown_with_more_votes() -> None:
    layers = {
        "ann": [square(0), square(8)],
        "bob": [square(0), square(8)],
        "cleo": [square(0)],
    }
    consensus = crown_consensus(layers)
    by_votes = dict(zip(consensus.table["votes"], shapely.bounds(consensus.crowns).tolist()))
    assert by_votes == {3: [0, 0, 10, 10], 2: [10, 0, 18, 10]}


def test_of_equal_votes_the_better_agreement_keeps_shared_ground() -> None:
    layers = {"ann": [square(0), square(8)], "bob": [square(0, 1), square(8)]}
    consensus = crown_consensus(layers, CrownConsensusOptions(outline="medoid"))
    areas = dict(zip(consensus.table["members"], shapely.area(consensus.crowns)))
    assert areas["ann:1; bob:1"] == pytest.approx(100)


def test_a_crown_without_ground_of_its_own_is_doubtful() -> None:
    layers = {
        "ann": [square(0), square(2, 2, 4)],
        "bob": [square(0), square(2, 2, 4)],
        "cleo": [square(0)],
    }
    consensus = crown_consensus(layers)
    assert consensus.table["votes"].tolist() == [3]
    assert consensus.doubtful_table["reason"].tolist() == ["covered"]
    assert consensus.doubtful_table["votes"].tolist() == [2]


def test_a_gap_below_the_working_precision_is_no_hole() -> None:
    # The crown with fewer votes ends 1e-8 m beyond its neighbour: no speck stays behind it.
    layers = {
        "ann": [square(0), square(5, 0, 10)],
        "bob": [square(0), square(5, 0, 10)],
        "cleo": [square(0), shapely.box(-1e-8, 2, 12, 8)],
        "dan": [square(0)],
    }
    consensus = crown_consensus(layers, CrownConsensusOptions(rule="any", match_iou=0.9))
    assert (shapely.get_num_geometries(consensus.crowns) == 1).all()
    assert shapely.area(shapely.union_all(consensus.crowns)) == pytest.approx(
        shapely.area(consensus.crowns).sum()
    )


def test_iou_and_spread_by_hand() -> None:
    # The majority of squares of side 8, 10 and 12 is that of side 10.
    squares = [square(-side / 2, -side / 2, side) for side in (8.0, 10.0, 12.0)]
    consensus = crown_consensus({name: [one] for name, one in zip("abc", squares)})
    (row,) = consensus.table.itertuples()
    assert row.mean_iou == pytest.approx((64 / 100 + 1 + 100 / 144) / 3)
    assert row.spread == pytest.approx((36 / 40 + 0 + 44 / 40) / 3)
    single = crown_consensus({"ann": [square(0)]})
    assert math.isnan(single.table["spread"][0])
    assert single.table["mean_iou"].tolist() == [1.0]


def test_crowns_that_lost_most_of_their_outline_are_counted() -> None:
    # The tree that two of three drew overlaps the one that all drew by 8 of its 10 m.
    layers = {
        "ann": [square(0), square(2)],
        "bob": [square(0), square(2, 1)],
        "cleo": [square(0)],
    }
    consensus = crown_consensus(layers, CrownConsensusOptions(match_iou=0.75))
    assert consensus.table["votes"].tolist() == [3, 2]
    # Of two drawings, the majority is their union: 110 m², of which 72 + 8 m² belong to the other.
    union = shapely.union(square(2), square(2, 1))
    left = union.difference(square(0))
    assert consensus.table["kept_share"].tolist() == pytest.approx([1.0, left.area / union.area])
    drawings = [square(2), square(2, 1)]
    iou = np.mean([left.intersection(one).area / left.union(one).area for one in drawings])
    (message,) = remainder_messages([consensus.table, consensus.table])
    assert message.is_warning
    assert message.values["count"] == 2
    assert float(str(message.values["iou"])) == pytest.approx(iou, abs=5e-4)
    assert not remainder_messages([consensus.table[:1]])


def test_shares_of_the_sample_plot_by_overlaying_every_pair() -> None:
    rng = np.random.default_rng(3)
    layers = draw_plot(rng, 4).drawings
    table = crown_consensus(layers).table
    crowns = crown_consensus(layers).crowns
    wholes = []
    for members in table["members"]:
        drawn = [
            layers[name][int(row)] for name, row in (one.split(":") for one in members.split("; "))
        ]
        needed = (len(drawn) + 1) // 2
        groups = itertools.combinations(drawn, needed)
        wholes.append(shapely.union_all([shapely.intersection_all(group) for group in groups]))
    shares = shapely.area(crowns) / shapely.area(wholes)
    np.testing.assert_allclose(table["kept_share"], shares, atol=1e-6)
    # All area that a crown lost lies in other crowns of the consensus.
    lost = shapely.difference(np.array(wholes), shapely.union_all(crowns))
    assert shapely.area(lost).max() < 1e-4


def _as_rows(consensus: CrownConsensus) -> tuple[list[tuple[object, ...]], list[bytes]]:
    table = consensus.table.round(12).fillna(-1.0)
    rows = sorted(
        zip(shapely.to_wkb(shapely.normalize(consensus.crowns)), *table.to_numpy(dtype=object).T)
    )
    return rows, sorted(shapely.to_wkb(shapely.normalize(consensus.doubtful)))


@settings(max_examples=examples(25), deadline=None)
@given(st.integers(0, 10_000), st.randoms(use_true_random=False))
def test_order_of_layers_and_crowns_changes_nothing(seed: int, random) -> None:
    rng = np.random.default_rng(seed)
    plot = draw_plot(rng, int(rng.integers(2, 6)))
    outline = rng.choice(["majority", "medoid"])
    options = CrownConsensusOptions(rule="two_thirds", outline=outline)
    layers = {
        name: Crowns(crowns[:20], ids=np.arange(len(crowns[:20])) + 5)
        for name, crowns in plot.drawings.items()
    }
    names = list(layers)
    random.shuffle(names)
    shuffled = {name: layers[name].subset(rng.permutation(len(layers[name]))) for name in names}
    assert _as_rows(crown_consensus(shuffled, options)) == _as_rows(
        crown_consensus(layers, options)
    )


@pytest.mark.parametrize("n_annotators", [3, 5])
def test_consensus_is_better_than_each_annotator_and_the_areas(n_annotators: int) -> None:
    rng = np.random.default_rng(n_annotators)
    plots = [measure_quality(draw_plot(rng, n_annotators)) for _ in range(4)]
    assert all(plot.is_best for plot in plots)


# The quicker test above has a few of these plots; `make simulate` writes the share.
@pytest.mark.nightly
@pytest.mark.parametrize("n_annotators", [3, 4, 5, 7])
def test_consensus_is_better_in_95_percent_of_200_plots(n_annotators: int) -> None:
    rng = np.random.default_rng(100 + n_annotators)
    plots = [measure_quality(draw_plot(rng, n_annotators)) for _ in range(200)]
    assert np.mean([plot.is_best for plot in plots]) >= 0.95


def test_crowns_do_not_overlap_and_are_valid() -> None:
    plot = draw_plot(np.random.default_rng(1), 6)
    crowns = crown_consensus(plot.drawings, CrownConsensusOptions(rule="any")).crowns
    assert shapely.is_valid(crowns).all()
    united = shapely.area(shapely.union_all(crowns))
    assert shapely.area(crowns).sum() == pytest.approx(united)


def test_annotators_without_crowns_count_as_having_looked() -> None:
    consensus = crown_consensus({"ann": [square(0)], "bob": [], "cleo": []})
    assert len(consensus.crowns) == 0
    assert consensus.doubtful_table[["votes", "looked"]].to_numpy().tolist() == [[1, 3]]
    assert len(crown_consensus({"ann": [], "bob": []}).crowns) == 0


def test_no_annotator_is_refused() -> None:
    with raises("annotators.none_given"):
        crown_consensus({})
