"""Speed and memory of ranking detectors: 4 detectors x 21 ground truths x 1.3 million pixels.

Run it directly: ``python benchmarks/bench_detectors.py``. The peer is the obvious way with numpy: for every detector
and ground truth sort the scores, sum, evaluate the closed form of P̄ and integrate with the trapezium rule.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import sys
import time

import numpy as np
from scipy.ndimage import gaussian_filter

from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.arrays import Bools, Floats
from randcrowns.core.detectors.certainty import rank_probabilities, square_tiles
from randcrowns.core.detectors.correlations import agreement_correlations
from randcrowns.core.detectors.ranking import rank_detectors
from randcrowns.core.detectors.tolerance import Tolerance

SIDE = 1140
DETECTORS = 4
TRUTHS = 21


def scene(seed: int) -> tuple[dict[str, Floats], dict[str, Bools]]:
    """Detectors and ground truths that look at one smooth field with errors of their own; all scores differ."""
    rng = np.random.default_rng(seed)

    def field(width: float) -> Floats:
        values = gaussian_filter(rng.normal(size=(SIDE, SIDE)), width)
        return values / values.std()

    real = field(8)
    scores = {f"detector {k + 1}": real + (0.3 + 0.3 * k) * field(2) for k in range(DETECTORS)}
    truths = {f"truth {k + 1}": real + 0.4 * field(4) > 1.0 for k in range(TRUTHS)}
    return scores, truths


def plain_aucr(score: Floats, truth: Bools, low: float, high: float) -> float:
    """AUCR with the trapezium rule over recall, one sort per pair."""
    order = np.argsort(-score, axis=None)
    marked = truth.ravel()[order]
    t = np.cumsum(marked) / marked.sum()
    f = np.cumsum(~marked) / (~marked).sum()
    a = t - f
    with np.errstate(all="ignore"):
        height = t / a * (1 - f / (a * (high - low)) * np.log((f + a * high) / (f + a * low)))
    height = np.where(t == 0, 0.0, np.where(f == 0, 1.0, np.where(np.abs(a) < 1e-9, (low + high) / 2, height)))
    return float(np.sum(np.diff(t) * (height[1:] + height[:-1]) / 2))


def peak_megabytes() -> float:
    """The most memory the process has held so far."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1 << 20) if sys.platform == "darwin" else peak / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=3)
    repeat = parser.parse_args().repeat
    scores, truths = scene(seed=1)
    print(f"{DETECTORS} detectors x {TRUTHS} ground truths x {SIDE * SIDE:,} pixels")
    print(f"with the input in memory: {peak_megabytes():.0f} MB")
    ours = []
    for _ in range(repeat):
        start = time.perf_counter()
        ranking = rank_detectors(scores, truths, 0.1, 0.5)
        ours.append(time.perf_counter() - start)
    print(
        f"rank_detectors: {statistics.median(ours):.2f} s (target 5 s), peak {peak_megabytes():.0f} MB (target 1000 MB)"
    )
    peer = []
    worst = 0.0
    for name, score in scores.items():
        start = time.perf_counter()
        value = plain_aucr(score, truths["truth 1"], 0.1, 0.5)
        peer.append(time.perf_counter() - start)
        worst = max(worst, abs(value - ranking.aucr.loc[name, "truth 1"]))
    whole = statistics.median(peer) * DETECTORS * TRUTHS
    print(f"plain numpy, one sort per pair: {whole:.1f} s for all pairs (from {len(peer)} of them)")
    print(f"ratio {whole / statistics.median(ours):.1f}; largest difference in AUCR {worst:.1e}")
    rest(scores, truths)


def rest(scores: dict[str, Floats], truths: dict[str, Bools]) -> None:
    """Time, once each, of what else is computed on the same scene."""
    votes = VoteTable.from_stack(np.stack(list(truths.values())[:13]))
    start = time.perf_counter()
    rank_probabilities(scores, votes, square_tiles((SIDE, SIDE), 114), resamples=100)
    print(f"rank probabilities, 13 annotators, 100 tiles, 100 draws: {time.perf_counter() - start:.2f} s")
    start = time.perf_counter()
    for score in scores.values():
        agreement_correlations(score, votes)
    print(f"correlation with agreement, {DETECTORS} detectors: {time.perf_counter() - start:.2f} s")
    start = time.perf_counter()
    rank_detectors(scores, truths, tolerance=Tolerance(5.0))
    print(
        f"rank_detectors with a tolerance of 5 pixels: {time.perf_counter() - start:.2f} s, {peak_megabytes():.0f} MB"
    )


if __name__ == "__main__":
    main()
