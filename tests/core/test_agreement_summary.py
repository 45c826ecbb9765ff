from __future__ import annotations

import numpy as np
import pytest

from randcrowns.core import agreement
from randcrowns.core.agreement_notes import Note
from randcrowns.core.agreement_summary import WITH_INTERVALS, agreement_summary
from randcrowns.core.errors import Cancelled
from randcrowns.core.votes import VoteTable


def votes_of(n_annotators: int) -> VoteTable:
    coarse = np.random.default_rng(1).random((n_annotators, 8, 8)) < np.linspace(0.2, 0.6, 64).reshape(8, 8)
    return VoteTable.from_stack(coarse.repeat(4, axis=1).repeat(4, axis=2), pixel_area=0.25)


def test_headline_numbers() -> None:
    votes = votes_of(4)
    table, n_blocks, notes = agreement_summary(votes, n_draws=100)
    assert n_blocks == 64
    value = table.value
    assert value["annotators"] == 4
    assert value["study_area"] == 32 * 32 * 0.25
    assert value["marked_by_any"] == votes.weights[votes.yes_votes > 0].sum()
    assert value["marked_by_all"] == votes.weights[votes.yes_votes == 4].sum()
    assert value["smyth_bound"] == agreement.smyth_bound(votes)
    assert value["mean_f1"] == pytest.approx(agreement.mean_pairwise_f1(votes))
    assert value["fleiss_kappa"] == agreement.fleiss_kappa(votes)
    assert value["krippendorff_alpha"] == agreement.krippendorff_alpha(votes)
    assert value["gwet_ac1"] == agreement.gwet_ac1(votes)
    with_intervals = table.loc[list(WITH_INTERVALS)]
    assert (with_intervals.low < with_intervals.high).all()
    assert (with_intervals.low <= with_intervals.value).all()
    assert np.isnan(table.low[["annotators", "study_area"]]).all()
    assert Note.BLOCK_RESAMPLING in notes


def test_one_annotator_and_units_without_places() -> None:
    alone = agreement_summary(votes_of(1), n_draws=10)
    assert np.isnan(alone.table.loc[list(WITH_INTERVALS)]).all(axis=None)
    assert Note.ONE_ANNOTATOR in alone.notes
    placeless = agreement_summary(VoteTable.from_stack(np.random.default_rng(0).random((3, 99)) < 0.5))
    assert placeless.n_blocks == 0
    assert placeless.table.value.notna().all()
    assert placeless.table.low.isna().all()
    assert Note.BLOCK_RESAMPLING not in placeless.notes


def test_it_can_be_cancelled() -> None:
    def cancel(fraction: float) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        agreement_summary(votes_of(3), progress=cancel)
