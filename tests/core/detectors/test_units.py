"""Rankings and bootstrap samples of units with all their values."""

from __future__ import annotations

import numpy as np
import pytest
import shapely

from randcrowns.core.agreement.consensus import (
    EstimationOptions,
    GroundTruths,
    compute_ground_truths,
)
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.detectors.faces import DetectorFaces, overlay_detectors
from randcrowns.core.detectors.ranking import rank_detectors
from randcrowns.core.detectors.units import (
    RankedUnits,
    Resampling,
    rank_units,
    rank_windows,
    resample_units,
    resampled_truth_name,
)

LIMITS = (0.05, 0.5)


def plot_faces(shift: float) -> DetectorFaces:
    """Return the faces of two annotators and two detectors in a plot of 10 m."""
    annotators = {
        "ann": [shapely.box(1, 1, 4 + shift, 4)],
        "ben": [shapely.box(2, 2, 6, 6)],
    }
    detectors = {
        "net": ([shapely.box(1, 1, 5, 5), shapely.box(7, 7, 9, 9)], [0.9, 0.2]),
        "old": ([shapely.box(6, 0, 9, 3), shapely.box(2, 2, 4, 4)], [0.8, 0.6]),
    }
    return overlay_detectors(annotators, detectors, shapely.box(0, 0, 10, 10))


@pytest.fixture
def units() -> RankedUnits:
    return RankedUnits.of_faces({"a": plot_faces(0.0), "b": plot_faces(1.0)})


def test_faces_of_plots_follow_each_other(units: RankedUnits) -> None:
    first, second = plot_faces(0.0), plot_faces(1.0)
    n_first = len(first.areas)
    np.testing.assert_array_equal(units.face_areas, [*first.areas, *second.areas])
    np.testing.assert_array_equal(units.tiles, np.arange(len(units.tiles)) >= n_first)
    window = units.windows["b"]
    np.testing.assert_array_equal(units.scores["net"][window], second.scores["net"])
    np.testing.assert_array_equal(units.votes.decision_map(1)[window], second.votes.decision_map(1))
    alone = RankedUnits.of_faces({"": first})
    assert alone.windows == {}
    np.testing.assert_array_equal(alone.tiles, first.tiles)


def test_a_plot_is_ranked_as_if_it_were_alone(units: RankedUnits) -> None:
    truths = compute_ground_truths(units.votes, ["each", "0.5"])
    by_plot = rank_windows(units, truths, LIMITS)
    for plot, shift in (("a", 0.0), ("b", 1.0)):
        alone = RankedUnits.of_faces({plot: plot_faces(shift)})
        own_truths = compute_ground_truths(alone.votes, ["each", "0.5"])
        expected = rank_units(alone, own_truths, LIMITS)
        np.testing.assert_allclose(by_plot[plot].aucr, expected.aucr, rtol=1e-12)


def test_pixels_outside_of_the_study_area_have_no_weight() -> None:
    is_valid = np.array([[True, False], [True, True]])
    units = RankedUnits(
        VoteTable.from_stack([[[1, 1], [0, 0]]], ~is_valid), {}, is_valid, np.zeros((2, 2), int)
    )
    assert units.weights.tolist() == [[1.0, 0.0], [1.0, 1.0]]


def test_known_units_are_sliced_with_the_ground_truth() -> None:
    truth = np.array([True, False, True, False, True, False])
    is_known = np.array([True, True, False, False, True, True])
    truths = GroundTruths({"ann": truth}, known={"ann": is_known})
    score = np.array([0.9, 0.1, 0.2, 0.8, 0.3, 0.4])
    found = rank_detectors({"net": score[2:]}, truths.in_window(slice(2, 6)), *LIMITS)
    expected = rank_detectors({"net": score[4:]}, {"ann": truth[4:]}, *LIMITS)
    assert found.aucr.loc["net", "ann"] == expected.aucr.loc["net", "ann"]
    assert truths.known_mask("ann").tolist() == is_known.tolist()
    assert GroundTruths({"ann": truth}).known_mask("ann").all()


def test_the_estimate_is_the_value_under_the_resampled_ground_truth(units: RankedUnits) -> None:
    truths = compute_ground_truths(units.votes, ["0.5"])
    ranking = rank_units(units, truths, LIMITS)
    truth = resampled_truth_name("0.5", units.votes.names)
    resampling = Resampling(20, "0.5", EstimationOptions())
    resampled = resample_units(units, ranking, truth, resampling, LIMITS)
    assert resampled is not None
    assert resampled.estimate.to_dict() == ranking.aucr["0.5-GT"].to_dict()
    assert (resampled.tile_kind, resampled.n_tiles) == ("plots", 2)
    none = Resampling(0, "0.5", EstimationOptions())
    assert resample_units(units, ranking, truth, none, LIMITS) is None
