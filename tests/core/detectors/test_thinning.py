"""Thinning, against scikit-image's of the same paper and against expected shapes."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import ndimage
from support.errors import raises

from randcrowns.core.detectors.thinning import MAX_THRESHOLDS, thin, thin_scores
from randcrowns.core.errors import Cancelled

EIGHT = np.ones((3, 3))


def blobs(seed: int, share: float, smooth: float = 0.0):
    noise = np.random.default_rng(seed).random((60, 70))
    noise = ndimage.gaussian_filter(noise, smooth) if smooth else noise
    return noise > np.quantile(noise, 1 - share)


SCENES = [
    (seed, share, smooth) for seed in range(3) for share in (0.1, 0.5, 0.8) for smooth in (0, 2, 5)
]


@pytest.mark.parametrize(("seed", "share", "smooth"), SCENES)
def test_it_is_what_scikit_image_thins(seed, share, smooth):
    peer = pytest.importorskip("skimage.morphology")
    marked = blobs(seed, share, smooth)
    assert np.array_equal(thin(marked), peer.thin(marked))


@pytest.mark.parametrize(("seed", "share", "smooth"), SCENES)
def test_lines_keep_every_piece_and_every_hole_and_cannot_be_thinned_further(seed, share, smooth):
    marked = blobs(seed, share, smooth)
    lines = thin(marked)
    assert not (lines & ~marked).any()
    assert ndimage.label(lines, EIGHT)[1] == ndimage.label(marked, EIGHT)[1]
    assert (
        ndimage.label(np.pad(~lines, 1, constant_values=True))[1]
        == ndimage.label(np.pad(~marked, 1, constant_values=True))[1]
    )
    assert np.array_equal(thin(lines), lines)
    if smooth:  # in noise a pixel may be needed to keep four holes apart
        assert not ndimage.minimum_filter(lines.astype(int), size=(3, 3), mode="constant").any()


def test_single_pixels_lines_and_the_border_stay():
    alone = np.zeros((5, 6), dtype=bool)
    alone[0, 0] = alone[2, 1:5] = alone[4, 5] = True
    assert np.array_equal(thin(alone), alone)


def test_scores_are_thinned_at_every_threshold():
    rng = np.random.default_rng(2)
    scores = np.round(ndimage.gaussian_filter(rng.random((40, 50)), 2), 3)
    scores[scores < np.quantile(scores, 0.4)] = -np.inf
    scores[:3, :3] = np.nan
    few = np.where(np.isfinite(scores), np.round(scores, 2), scores)
    levels = np.unique(few[np.isfinite(few)])
    assert 3 < len(levels) <= MAX_THRESHOLDS
    found = thin_scores(few)
    expected = np.full(few.shape, -np.inf)
    for level in levels:
        expected[thin(few >= level)] = level
    expected[:3, :3] = np.nan
    assert np.array_equal(found, expected, equal_nan=True)
    # Of many scores the steps are as many pixels apart.
    many = thin_scores(scores)
    assert len(np.unique(many[np.isfinite(many)])) <= MAX_THRESHOLDS
    assert set(np.unique(many[np.isfinite(many)])) <= set(np.unique(scores[np.isfinite(scores)]))


def test_a_detector_of_one_score_is_thinned_as_what_is_marked():
    marked = blobs(1, 0.5, 3)
    found = thin_scores(np.where(marked, 0.7, -np.inf))
    assert np.array_equal(found == 0.7, thin(marked))
    assert np.isneginf(found[~thin(marked)]).all()


def test_what_has_no_rows_is_refused_and_cancel_is_heard():
    with raises("thinning.not_a_raster"):
        thin(np.ones(4))

    def cancel(_: float) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        thin(np.ones((9, 9)), cancel)
