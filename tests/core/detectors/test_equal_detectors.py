"""Of equally good detectors, one is called better than the others in no more than the share of cases asked for."""

from __future__ import annotations

import numpy as np
from support.equal_detectors import false_claims, scene, sums


def test_no_more_claims_than_asked_for() -> None:
    """Two, three and four of them; docs/detectors.md has 1,000 runs of more kinds, and of scenes of pixels."""
    runs = 150
    ours, before = false_claims(sums, runs, 16, 4, 0.5, resamples=100).T
    assert (ours <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / runs)).all()
    assert before[0] > 0.08


def test_a_scene_of_pixels_is_ranked_as_it_comes() -> None:
    ours, _ = false_claims(scene, 6, 16, 3, 0.0, resamples=30).T
    assert (ours <= 0.4).all()
