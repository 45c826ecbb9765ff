"""Alpha and omega from the spread of outlines: by hand, and from simulated outlines."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from scipy.stats import halfnorm, norm
from support.errors import raises

from randcrowns.core.agreement.consensus_of_crowns import crown_consensus
from randcrowns.core.tuning.spread import SpreadStart, start_from_spread


def test_length_is_the_quantile_of_normal_distances() -> None:
    # The mean absolute value of normal distances with a standard deviation of 0.3 m.
    spread = halfnorm(scale=0.3).mean()
    start = start_from_spread([spread, np.nan, spread])
    assert start.length == pytest.approx(norm(scale=0.3).ppf(0.95))
    assert start.n_crowns == 2


def test_median_crown_counts() -> None:
    assert start_from_spread([0.1, 0.2, 9.0]).length == pytest.approx(
        start_from_spread([0.2]).length
    )


def test_nine_in_ten_outlines_lie_between_alpha_and_omega() -> None:
    """Circles with normal radii: their distances from the median radius are those of outlines."""
    rng = np.random.default_rng(1)
    radius = rng.normal(10, 0.4, (41, 30))
    layers = {
        f"annotator {number}": shapely.Point(0, 0).buffer(own, quad_segs=32)
        for number, own in enumerate(radius)
    }
    moved = {
        name: np.array(
            [shapely.affinity.translate(crown, 50.0 * n) for n, crown in enumerate(crowns)]
        )
        for name, crowns in layers.items()
    }
    consensus = crown_consensus(moved)
    length = start_from_spread(consensus.table["spread"].to_numpy()).length
    is_between = np.abs(radius - np.median(radius, axis=0)) <= length
    assert is_between.mean() == pytest.approx(0.9, abs=0.03)


@pytest.mark.parametrize(
    ("length", "expected"),
    [(0.6, (0.15, 1.05, 0.15)), (0.03, (0.01, 0.07, 0.01)), (0.0, (0.01, 0.07, 0.01))],
)
def test_values_to_try_lie_around_the_length(length: float, expected: tuple[float, ...]) -> None:
    assert SpreadStart(length, 1).values_to_try() == pytest.approx(expected)


def test_a_layer_without_a_spread_is_refused() -> None:
    for values in ([], [np.nan, np.nan]):
        with raises("spread.none"):
            start_from_spread(values)
    with raises("spread.invalid"):
        start_from_spread([-1.0])
