"""Simulate how often 95 % intervals of means cover the true mean of skewed scores.

The crowns are independent or belong to plots of similar crowns. Scores come from a population by
way of a normal copula. ``correlation`` is that of the normal deviates of two crowns of a plot.

    python benchmarks/interval_coverage.py [samples of each kind]
"""

from __future__ import annotations

import sys
from typing import Callable, NamedTuple

import numpy as np
from scipy import stats

from randcrowns.core.statistics import ratio_interval

SAMPLES = 10_000
_RESAMPLES = 1000
#: Steps per unit of the table of scores by normal deviate, and largest absolute deviate.
_STEPS, _REACH = 5000, 9
#: Scores by their quantile: mostly high, mostly low, and with crowns that nothing was found for
#: (score 0).
POPULATIONS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "Beta(4, 1)": stats.beta(4, 1).ppf,
    "Beta(5, 2)": stats.beta(5, 2).ppf,
    "Beta(2, 5)": stats.beta(2, 5).ppf,
    "a third 0, else Beta(8, 2)": lambda share: _with_zeros(share, 1 / 3),
    "a tenth 0, else Beta(8, 2)": lambda share: _with_zeros(share, 0.1),
}
#: Crowns per plot.
SIZES: dict[str, Callable[[np.random.Generator, tuple[int, int]], np.ndarray]] = {
    "1": lambda _rng, shape: np.ones(shape, int),
    "20": lambda _rng, shape: np.full(shape, 20),
    "1 to 20": lambda rng, shape: rng.integers(1, 21, shape),
    "1 to 60, most few": lambda rng, shape: np.clip(
        np.exp(rng.normal(2, 1, shape)).round(), 1, 60
    ).astype(int),
}


class Coverage(NamedTuple):
    """Share of the samples whose interval covers the mean of the population.

    Attributes:
        ours: the interval over plots.
        over_crowns: the same without the plots.
        percentile: the percentile bootstrap over crowns, in a tenth of the samples; NaN where it is
            not asked for.
        width: mean width of ours.
    """

    ours: float
    over_crowns: float
    percentile: float
    width: float


def coverage(
    name: str,
    n: int,
    sizes: str,
    correlation: float,
    samples: int = SAMPLES,
    seed: int = 1,
    peers: bool = True,
) -> Coverage:
    """Return the coverage in samples of ``n`` plots of :data:`POPULATIONS` and :data:`SIZES`.

    ``peers`` requests the last three values, too.
    """
    rng = np.random.default_rng(seed)
    truth = POPULATIONS[name]((np.arange(100_000) + 0.5) / 100_000).mean()
    score_at = POPULATIONS[name](
        stats.norm.cdf((np.arange(2 * _REACH * _STEPS) + 0.5) / _STEPS - _REACH)
    )
    hits: list[np.ndarray] = []
    by_crown: list[np.ndarray] = []
    percentile: list[bool] = []
    width = []
    for first in range(0, samples, 500):
        some = min(500, samples - first)
        size = SIZES[sizes](rng, (n, some))
        most = int(size.max())
        deviate = np.sqrt(correlation) * rng.standard_normal((n, 1, some))
        deviate = deviate + np.sqrt(1 - correlation) * rng.standard_normal((n, most, some))
        here = (np.arange(most)[:, None] < size[:, None, :]).astype(float)
        scores = score_at[((deviate + _REACH) * _STEPS).astype(np.int32)] * here
        part, whole = scores.reshape(n * most, some), here.reshape(n * most, some)
        low, high = ratio_interval(part, whole, np.repeat(np.arange(n), most))
        hits.append((low <= truth) & (truth <= high))
        width.append(high - low)
        if not peers:
            continue
        low, high = ratio_interval(part, whole)
        by_crown.append((low <= truth) & (truth <= high))
        for place in range(0, some, 10):
            values = part[whole[:, place] > 0, place]
            drawn = rng.choice(values, (_RESAMPLES, len(values))).mean(axis=1)
            low, high = np.quantile(drawn, [0.025, 0.975])
            percentile.append(bool(low <= truth <= high))
    others = (np.mean(np.concatenate(by_crown)), np.mean(percentile)) if peers else (np.nan, np.nan)
    ours, mean_width = np.mean(np.concatenate(hits)), np.mean(np.concatenate(width))
    return Coverage(float(ours), float(others[0]), float(others[1]), float(mean_width))


def _with_zeros(share: np.ndarray, zeros: float) -> np.ndarray:
    return np.where(
        share < zeros, 0.0, stats.beta(8, 2).ppf(np.clip((share - zeros) / (1 - zeros), 0, 1))
    )


def main() -> None:
    samples = int(sys.argv[1]) if len(sys.argv) > 1 else SAMPLES
    numbers = (10, 20, 50, 200)
    print(f"Coverage of 95 % intervals in {samples:,} samples, for {numbers} crowns or plots, in %")
    print(
        "| scores | crowns per plot | correlation "
        "| ours | over crowns | percentile bootstrap over crowns |"
    )
    print("|---|---|---|---|---|---|")
    for name in POPULATIONS:
        for sizes, correlation in (
            ("1", 0.0),
            *((some, icc) for some in list(SIZES)[1:] for icc in (0.0, 0.1, 0.5)),
        ):
            found = [
                coverage(
                    name,
                    n,
                    sizes,
                    correlation,
                    samples,
                    peers=n < 200 and sizes != "1 to 60, most few",
                )
                for n in numbers
            ]
            texts = [
                " ".join("–" if np.isnan(share) else f"{100 * share:.1f}" for share in column)
                for column in list(zip(*found))[:3]
            ]
            print(f"| {name} | {sizes} | {correlation:g} | {' | '.join(texts)} |", flush=True)


if __name__ == "__main__":
    main()
