from __future__ import annotations

import numpy as np
import pytest
from support.resampling import mean_pairwise_f1

from randcrowns.core.agreement import measures as agreement
from randcrowns.core.agreement.agreement_messages import AgreementMessage
from randcrowns.core.agreement.summary import INTERVAL_STATISTICS, agreement_summary
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.errors import Cancelled


def votes_of(n_annotators: int) -> VoteTable:
    coarse = np.random.default_rng(1).random((n_annotators, 8, 8)) < np.linspace(
        0.2, 0.6, 64
    ).reshape(8, 8)
    return VoteTable.from_stack(coarse.repeat(4, axis=1).repeat(4, axis=2), pixel_area=0.25)


def test_headline_numbers() -> None:
    votes = votes_of(4)
    table, n_blocks, n_marked, notes = agreement_summary(votes, n_resamples=100)
    assert n_marked == 50
    assert n_blocks == 64
    value = table.value
    assert value["annotators"] == 4
    assert value["study_area"] == 32 * 32 * 0.25
    assert value["marked_by_any"] == votes.weights[votes.n_yes > 0].sum()
    assert value["marked_by_all"] == votes.weights[votes.n_yes == 4].sum()
    assert value["smyth_bound"] == agreement.smyth_bound(votes)
    assert value["mean_f1"] == pytest.approx(mean_pairwise_f1(votes))
    assert value["fleiss_kappa"] == agreement.agreement_coefficients(votes).fleiss_kappa
    assert value["krippendorff_alpha"] == agreement.agreement_coefficients(votes).krippendorff_alpha
    assert value["gwet_ac1"] == agreement.agreement_coefficients(votes).gwet_ac1
    # The extremes of the pairs have no interval.
    assert table.loc[["min_f1", "max_f1"], ["low", "high"]].isna().all(axis=None)
    with_intervals = table.loc[list(INTERVAL_STATISTICS)].drop(index=["min_f1", "max_f1"])
    assert (with_intervals.low < with_intervals.high).all()
    assert (with_intervals.low <= with_intervals.value).all()
    assert np.isnan(table.low[["annotators", "study_area"]]).all()
    assert AgreementMessage.BLOCK_RESAMPLING in notes


def test_one_annotator_and_units_without_places() -> None:
    alone = agreement_summary(votes_of(1), n_resamples=10)
    assert (
        alone.table.loc[list(INTERVAL_STATISTICS), ["value", "low", "high"]].isna().all(axis=None)
    )
    assert AgreementMessage.ONE_ANNOTATOR in alone.messages
    assert not {AgreementMessage.BLOCK_RESAMPLING, AgreementMessage.TOO_FEW_BLOCKS} & set(
        alone.messages
    )
    placeless = agreement_summary(
        VoteTable.from_stack(np.random.default_rng(0).random((3, 99)) < 0.5)
    )
    assert placeless.n_blocks == 0
    assert placeless.table.value.notna().all()
    assert placeless.table.low.isna().all()
    assert AgreementMessage.BLOCK_RESAMPLING not in placeless.messages


def test_it_can_be_cancelled() -> None:
    def cancel(fraction: float) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        agreement_summary(votes_of(3), progress=cancel)


def crowns_in_blocks(*corners: tuple[int, int]) -> VoteTable:
    """Return the drawings of five annotators with a crown in each of these blocks of 8 x 8 pixels.

    The crowns of each annotator are a little larger than those of the annotator before.
    """
    stack = np.zeros((5, 64, 64), dtype=bool)
    for row, column in corners:
        for k in range(5):
            stack[k, 8 * row + 1 : 8 * row + 6, 8 * column + 1 : 8 * column + 3 + k] = True
    return VoteTable.from_stack(stack)


def test_marks_in_one_block_give_no_interval() -> None:
    table, n_blocks, n_marked, notes = agreement_summary(crowns_in_blocks((3, 3)), n_resamples=200)
    assert (n_blocks, n_marked) == (64, 1)
    assert table.value[list(INTERVAL_STATISTICS)].notna().all()
    assert table[["low", "high"]].isna().all(axis=None)
    assert AgreementMessage.TOO_FEW_BLOCKS in notes


def test_draws_without_marks_say_nothing_of_f1() -> None:
    table, _, n_marked, notes = agreement_summary(
        crowns_in_blocks(*((k, k) for k in range(8)), (0, 7), (7, 0)), n_resamples=10_000
    )
    assert n_marked == 10
    assert AgreementMessage.TOO_FEW_BLOCKS not in notes
    # The crowns are alike, so every draw with marks gives the same F1, and none gives 1.
    ends = table.loc["mean_f1", ["low", "high"]].tolist()
    assert ends == pytest.approx([table.value["mean_f1"]] * 2)
    unmarked = (1 - 10 / 64) ** 64
    assert 0 <= 10_000 - table.bootstrap_samples["mean_f1"] < 5 + 5 * 10_000 * unmarked
    assert table.bootstrap_samples["fleiss_kappa"] == table.bootstrap_samples["mean_f1"]
    assert table.bootstrap_samples["raw_agreement"] == 10_000


def test_two_who_marked_only_what_was_not_drawn_do_not_agree() -> None:
    stack = np.zeros((3, 64, 64), dtype=bool)
    stack[0, ::3, ::3] = True  # everywhere
    stack[1, :4, :4] = stack[2, 4:8, 4:8] = True  # in one block, apart
    table = agreement_summary(VoteTable.from_stack(stack), n_resamples=300).table
    assert table.value["max_f1"] < 0.1
    assert table.high["mean_f1"] < 0.3
    empty = agreement_summary(
        VoteTable.from_stack(stack & np.array([[[1]], [[0]], [[0]]], bool)), n_resamples=200
    ).table
    assert empty.value["max_f1"] == 1


def test_an_excluded_study_area_has_no_blocks() -> None:
    stack = np.ones((3, 8, 8), bool)
    summary = agreement_summary(VoteTable.from_stack(stack, np.ones((8, 8), bool)))
    value = summary.table["value"]
    assert (summary.n_blocks, summary.n_marked_blocks, value["study_area"]) == (0, 0, 0)
    assert value[["smyth_bound", "raw_agreement", "fleiss_kappa", "gwet_ac1"]].isna().all()
    assert summary.table[["low", "high"]].isna().all(axis=None)
    assert AgreementMessage.NOTHING_MARKED in summary.messages


@pytest.mark.parametrize("n_plots", [5, 12])
def test_plots_are_named_as_what_is_resampled(n_plots: int) -> None:
    rng = np.random.default_rng(4)
    plots = [VoteTable.from_stack(rng.random((3, 16, 16)) < 0.4) for _ in range(n_plots)]
    summary = agreement_summary(VoteTable.merge(plots), n_resamples=200)
    has_interval = bool(summary.table.loc["mean_f1", ["low", "high"]].notna().all())
    assert has_interval == (n_plots >= 10)
    about_intervals = [str(one) for one in summary.messages if "nterval" in str(one)]
    if has_interval:
        assert about_intervals == [str(AgreementMessage.PLOT_RESAMPLING)]
    else:
        assert about_intervals == [
            "There are no intervals for all plots together: 5 plots are fewer than 10."
        ]
