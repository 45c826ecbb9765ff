"""Values at a threshold, wherever a plot lies: boxes of whole pixels as independent truth."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples
from support.matching import inputs_of, is_match

from randcrowns.core.crowns import Crowns
from randcrowns.core.detectors.crown_ranking import match_targets
from randcrowns.core.instances.average_precision import threshold_table
from randcrowns.core.instances.matching import MatchingMethod, match_one_to_one, target_status
from randcrowns.core.instances.metrics import count_merges, count_splits
from randcrowns.core.instances.overlap import OverlapTable, polygon_overlap
from randcrowns.core.review.problems import ProblemLimits, find_problems
from randcrowns.core.scoring.layer import score_crowns, summarise
from randcrowns.core.scoring.parameters import RandCrownsParameters
from randcrowns.core.thresholds import SCORE_TOLERANCE, exceeds, falls_below, reaches

#: Columns of a target and of a delineation on one row of pixels, by their IoU.
_COLUMNS = {
    Fraction(1, 2): ((0, 12), (4, 16)),
    Fraction(2, 5): ((0, 14), (6, 20)),
    Fraction(3, 4): ((0, 14), (2, 16)),
    Fraction(19, 20): ((0, 20), (1, 20)),
}
#: Height of the boxes, pixels.
_ROWS = 11
#: Distance between two pairs of boxes, pixels.
_SPACING = 37
_PIXEL_SIZES = (0.03, 0.05, 0.07, 0.1, 0.2, 1 / 3, 1.0)


class _Image(NamedTuple):
    """An image in a projected coordinate system: its upper left corner and pixel size, metres."""

    left: float
    top: float
    pixel: float

    def boxes(self, corners: Any) -> np.ndarray:
        """Return the boxes of (n, 4) first column, first row, last column, last row."""
        first_column, first_row, last_column, last_row = np.asarray(corners, dtype=float).T
        return shapely.box(
            self.left + first_column * self.pixel,
            self.top - last_row * self.pixel,
            self.left + last_column * self.pixel,
            self.top - first_row * self.pixel,
        )


images = st.builds(
    _Image,
    st.floats(166_000, 834_000),
    st.floats(1_000_000, 9_300_000),
    st.sampled_from(_PIXEL_SIZES),
)


def pairs_at(iou: Fraction, image: _Image, n: int = 40) -> tuple[Crowns, Crowns]:
    """Return n targets and n delineations; each pair has exactly this IoU in pixels."""
    sides = []
    for first, last in _COLUMNS[iou]:
        rows = _SPACING * np.arange(n)
        columns = 2 * rows
        corners = np.stack([columns + first, rows, columns + last, rows + _ROWS], axis=1)
        sides.append(Crowns(image.boxes(corners)))
    return sides[0], sides[1]


def test_equal_within_the_tolerance() -> None:
    values = np.array([0.5 - 2e-8, 0.5 - 5e-9, 0.5, 0.5 + 5e-9, 0.5 + 2e-8, np.nan])
    assert reaches(values, 0.5).tolist() == [False, True, True, True, True, False]
    assert exceeds(values, 0.5).tolist() == [False, False, False, False, True, False]
    assert falls_below(values, 0.5).tolist() == [True, False, False, False, False, False]


@settings(max_examples=examples(40), deadline=None)
@given(image=images, iou=st.sampled_from(sorted(_COLUMNS)))
def test_iou_at_threshold_is_found_everywhere(image: _Image, iou: Fraction) -> None:
    targets, delineations = pairs_at(iou, image)
    overlap = polygon_overlap(targets, delineations)
    assert np.abs(overlap.iou - float(iou)).max() < SCORE_TOLERANCE

    table = threshold_table(overlap, np.ones(40), thresholds=[float(iou), float(iou) + 0.001])
    assert table["tp"].tolist() == [40, 0]
    assert table["ap"].tolist() == pytest.approx([1, 0])

    pairs = pd.DataFrame(
        {"target": overlap.target, "delineation": overlap.prediction, "iou": overlap.iou}
    )
    assert (match_targets(pairs, np.ones(40), float(iou)) >= 0).all()

    scores = score_crowns(targets, delineations, RandCrownsParameters(0.07, 0.12, 3))
    summary = summarise(scores.targets, scores.delineations, iou_thresholds=[float(iou)]).iloc[0]
    assert summary[f"recall_iou_{float(iou):g}"] == 1
    assert summary[f"precision_iou_{float(iou):g}"] == 1


@settings(max_examples=examples(25), deadline=None)
@given(image=images)
def test_half_is_reached_and_not_exceeded(image: _Image) -> None:
    targets, delineations = pairs_at(Fraction(1, 2), image)
    overlap = polygon_overlap(targets, delineations)
    for method in MatchingMethod:
        matching = match_one_to_one(overlap, method, inputs_of(overlap))
        n_matched = (target_status(matching) != "false_negative").sum()
        assert n_matched == (40 if is_match(method, 0.5) else 0), method


@settings(max_examples=examples(25), deadline=None)
@given(image=images)
def test_problems_at_their_limits(image: _Image) -> None:
    # The delineation covers half of the second target and is 3/2 times as large as the first one.
    rows = 50 * np.arange(30)
    first = Crowns(image.boxes(np.stack([0 * rows, rows, 0 * rows + 12, rows + 12], axis=1)))
    second = Crowns(image.boxes(np.stack([0 * rows + 12, rows, 0 * rows + 24, rows + 12], axis=1)))
    both = Crowns(np.concatenate([first.geometry, second.geometry]))
    drawn = Crowns(image.boxes(np.stack([0 * rows, rows, 0 * rows + 18, rows + 12], axis=1)))
    parameters = RandCrownsParameters(0.07, 0.12, 3)

    overlap = polygon_overlap(both, drawn)
    assert count_merges(overlap).tolist() == [1] * 30
    assert count_splits(polygon_overlap(second, drawn), 1 / 3).tolist() == [0] * 30

    merged = find_problems(both, drawn, score_crowns(both, drawn, parameters))
    assert merged.targets["problem"].tolist()[:30] == ["merged"] * 30

    limits = ProblemLimits(larger=1.5, shift=0.25, score=0)
    alone = find_problems(first, drawn, score_crowns(first, drawn, parameters), limits)
    assert alone.targets["size_ratio"].to_numpy() == pytest.approx(np.full(30, 1.5))
    # The centroids are 3 of 12 pixels apart: at the limits, and beyond none of them.
    assert alone.targets["problem"].tolist() == ["none"] * 30


@settings(max_examples=examples(25), deadline=None)
@given(image=images, seed=st.integers(0, 10**6))
def test_translation_and_scale_change_no_match(image: _Image, seed: int) -> None:
    random = np.random.default_rng(seed)
    corners = []
    for n in (30, 40):
        origin = random.integers(0, 60, (n, 2))
        corners.append(np.hstack([origin, origin + random.integers(8, 24, (n, 2))]))
    # Rows are counted downwards, as on the map: crowns of one column tie by their row.
    pixels = _Image(0.0, 0.0, 1.0)
    in_pixels = polygon_overlap(*(Crowns(pixels.boxes(side)) for side in corners))
    on_map = polygon_overlap(*(Crowns(image.boxes(side)) for side in corners))
    assert_same_results(in_pixels, on_map, random.random(40).round(1))


def assert_same_results(in_pixels: OverlapTable, on_map: OverlapTable, score: np.ndarray) -> None:
    """Assert that matches and metrics per threshold are the same in pixels and on a map."""
    for method in MatchingMethod:
        expected = match_one_to_one(in_pixels, method, inputs_of(in_pixels))
        found = match_one_to_one(on_map, method, inputs_of(on_map))
        assert found.prediction.tolist() == expected.prediction.tolist(), method
    pd.testing.assert_frame_equal(
        threshold_table(on_map, score), threshold_table(in_pixels, score), rtol=0, atol=1e-12
    )
