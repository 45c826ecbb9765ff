"""Annotators' agreement and consensus: speed and memory, STAPLE beside ITK's.

Run it directly. ITK's filter is measured where SimpleITK is installed (pip install SimpleITK); the plugin does not need
it. Our time counts from the stack of decisions to the probabilities on the map.
"""

from __future__ import annotations

import resource
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import shapely
from scipy.ndimage import gaussian_filter

from randcrowns.core.agreement import Staple, agreement_summary, level_set, staple
from randcrowns.core.agreement import measures as agreement
from randcrowns.core.agreement.consensus import METHODS
from randcrowns.core.agreement.votes import VoteTable

try:
    import SimpleITK as sitk  # noqa: N813
except ImportError:
    sitk = None

#: Annotators, side of the scene in pixels, and how many times faster than ITK it must be.
STAPLE_SCENES = ((3, 1000, 20), (5, 2000, 40), (13, 2000, 45))


def simulated_stack(n_annotators: int, shape: tuple[int, int], seed: int = 0) -> np.ndarray:
    """Annotators who draw the same smooth patches, each a little differently."""
    rng = np.random.default_rng(seed)
    truth = gaussian_filter(rng.standard_normal(shape), 12)
    truth /= truth.std()
    stack = np.empty((n_annotators, *shape), dtype=bool)
    for k in range(n_annotators):
        own = gaussian_filter(rng.standard_normal(shape), 6)
        stack[k] = truth + 0.35 * own / own.std() > 0.9 + 0.2 * rng.standard_normal()
    return stack


def median_seconds(job: Callable[[], Any], repeats: int = 5) -> tuple[float, Any]:
    """Median time of a job and its result."""
    times = []
    result = None
    for _ in range(repeats):
        start = time.perf_counter()
        result = job()
        times.append(time.perf_counter() - start)
    return statistics.median(times), result


def staple_on_map(stack: np.ndarray) -> tuple[np.ndarray, Staple]:
    votes = VoteTable.from_stack(stack)
    result = staple(votes)
    return votes.on_map(result.probability), result


def bench_staple() -> None:
    print("STAPLE, prior mean, from the stack to the probabilities on the map")
    for n_annotators, side, wanted in STAPLE_SCENES:
        stack = simulated_stack(n_annotators, (side, side))
        seconds, (probability, result) = median_seconds(lambda stack=stack: staple_on_map(stack))
        line = f"  {n_annotators:2d} annotators, {side}²: {1000 * seconds:6.1f} ms, {result.rounds} rounds"
        if sitk is None:
            print(line + "; SimpleITK is not installed")
            continue
        images = [sitk.GetImageFromArray(layer.astype(np.uint8)) for layer in stack]
        staple_filter = sitk.STAPLEImageFilter()
        staple_filter.SetForegroundValue(1)
        itk_seconds, itk_image = median_seconds(
            lambda staple_filter=staple_filter, images=images: staple_filter.Execute(images), repeats=3
        )
        of_probability = np.abs(probability - sitk.GetArrayFromImage(itk_image)).max()
        of_annotators = max(
            np.abs(result.sensitivity - staple_filter.GetSensitivity()).max(),
            np.abs(result.specificity - staple_filter.GetSpecificity()).max(),
        )
        ratio = itk_seconds / seconds
        print(
            f"{line}; ITK {itk_seconds:6.3f} s: {ratio:5.0f} times faster (wanted {wanted}), largest difference "
            f"{of_probability:.1e} in probability, {of_annotators:.1e} in p and q"
        )


def all_statistics(stack: np.ndarray) -> None:
    votes = VoteTable.from_stack(stack)
    agreement.smyth_bound(votes)
    agreement.agreement_ratio(votes)
    agreement.pairwise_f1(votes)
    agreement.dendrogram(votes)
    agreement.annotator_statistics(votes)
    agreement.coefficients(votes)
    agreement.agreement_notes(votes)
    for method in METHODS.values():
        method(votes)
    votes.on_map(votes.yes_votes)


def bench_statistics() -> None:
    stack = simulated_stack(13, (1140, 1140))
    seconds, _ = median_seconds(lambda: all_statistics(stack))
    print(f"All statistics and votes of 13 annotators on 1.3 million pixels: {seconds:.3f} s (wanted 0.2 s)")
    votes = VoteTable.from_stack(stack)
    seconds, summary = median_seconds(lambda: agreement_summary(votes), repeats=1)
    print(f"  intervals of the summary, 1,000 draws of {summary.n_blocks} blocks: {seconds:.2f} s")
    seconds, result = median_seconds(lambda: level_set(stack, rounds=50, stable_rounds=0), repeats=1)
    print(f"  LSML: {1000 * seconds / result.rounds:.0f} ms a round")


def simulated_crowns(n_crowns: int, side: float, seed: int) -> np.ndarray:
    same, rng = np.random.default_rng(0), np.random.default_rng(seed)
    centre = same.random((n_crowns, 2)) * side + rng.normal(0, 0.3, (n_crowns, 2))
    angle = np.linspace(0, 2 * np.pi, 33)[:-1]
    radius = same.uniform(1.5, 4, n_crowns)[:, None] * (1 + 0.08 * rng.standard_normal((n_crowns, 32)))
    xy = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=-1)
    return shapely.polygons(centre[:, None] + xy)


def bench_overlay() -> None:
    for n_annotators, n_crowns, side in ((3, 2000, 400.0), (3, 10_000, 900.0)):
        layers = [simulated_crowns(n_crowns, side, seed) for seed in range(1, n_annotators + 1)]
        area = shapely.box(0, 0, side, side)
        calls = [time.perf_counter()]
        seconds, votes = median_seconds(
            lambda layers=layers, area=area, calls=calls: VoteTable.from_polygons(
                layers, area, progress=lambda _: calls.append(time.perf_counter())
            ),
            repeats=1,
        )
        print(
            f"Exact overlay, {n_annotators} annotators of {n_crowns:,} crowns: {seconds:.1f} s, "
            f"{len(votes.faces):,} faces, longest wait for a cancel {np.diff(calls).max():.2f} s"
        )


def bench_memory() -> None:
    """13 annotators on 10,000 x 10,000 pixels, read by tiles of 1,000 rows; the peak is the whole process's."""
    before = peak_megabytes()
    base = simulated_stack(13, (1000, 1000))

    def tiles() -> Iterator[np.ndarray]:
        for number in range(10):
            yield np.tile(np.roll(base, 37 * number, axis=1), (1, 1, 10))

    seconds, votes = median_seconds(lambda: VoteTable.from_tiles(tiles()), repeats=1)
    staple(votes)
    agreement.annotator_statistics(votes)
    print(
        f"13 annotators on {votes.total / 1e6:.0f} million pixels by tiles: {seconds:.2f} s, peak of the process "
        f"{peak_megabytes():.0f} MB ({before:.0f} MB before; wanted below 1,000 MB)"
    )


def peak_megabytes() -> float:
    scale = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * scale / 1e6


if __name__ == "__main__":
    bench_memory()
    bench_statistics()
    bench_overlay()
    bench_staple()
