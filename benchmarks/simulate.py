"""Simulate the coverage of every interval and the false rate of every claim; write a page of them.

    python benchmarks/simulate.py [effort] [page]

``effort`` multiplies the numbers of samples: 1 takes about ten minutes on one processor. The seeds
are fixed. The page is docs/statistics.md by default.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np
import shapely
from annotated_plots import draw_plot, measure_quality
from equal_detectors import NAMES, claimed, first_of, sums
from interval_coverage import coverage
from scipy import ndimage, stats

from randcrowns.core import RandCrownsParameters
from randcrowns.core.agreement.image_correlation import block_correlation
from randcrowns.core.agreement.outlier_testing import outlier_test
from randcrowns.core.agreement.summary import INTERVAL_STATISTICS, agreement_summary
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.classes.best_layer import compare_layer_scores
from randcrowns.core.comparison import check_plots, check_roles
from randcrowns.core.crowns import Crowns
from randcrowns.core.detectors.bootstrap import assign_crown_units, bootstrap_crown_ranking
from randcrowns.core.detectors.crown_ranking import rank_crown_detectors
from randcrowns.core.review.sampling import estimate_accepted_share, random_sample
from randcrowns.core.statistics import ratio_interval

PAGE = Path(__file__).parents[1] / "docs" / "statistics.md"
#: Side of a simulated map of crowns, in pixels; blocks are an eighth of it.
_SIDE = 80
_INTRODUCTION = """# Intervals and claims, checked by simulation

A 95 % interval should contain the true value in 95 % of the samples, and a claim at 5 % should be
false in at most 5 % of them. `make simulate` measures both and writes this page. The seeds are
fixed. The last column is the standard error of the simulation, in percentage points. Coverages
below 93 % and false rates above 7 % are **bold** if they are so by more than the standard error.
Trust such an interval or claim less.
"""


class Row(NamedTuple):
    """Measured rate of one design."""

    design: str  #: design of the simulation.
    measure: str  #: what is measured, such as "coverage" or "false rate".
    rate: float  #: measured share of the samples.
    samples: int  #: number of samples; 0 if the rate is exact.


class Study(NamedTuple):
    """Simulation of one interval or claim."""

    title: str
    method: str  #: method by name, with its source.
    simulate: Callable[[float], Iterator[Row]]  #: yields the rows, given the effort.
    remark: str = ""  #: what to make of the rates.


def _covers(low: np.ndarray, high: np.ndarray, truth: float) -> np.ndarray:
    """Return True for intervals that contain the truth; a missing interval counts as NaN."""
    inside = (low <= truth) & (truth <= high)
    return np.where(np.isnan(low), np.nan, inside.astype(float))


def simulate_means(effort: float) -> Iterator[Row]:
    """Yield the coverage of means of scores over plots and over single crowns."""
    samples = round(2000 * effort)
    for name in ("Beta(4, 1)", "a third 0, else Beta(8, 2)", "a tenth 0, else Beta(8, 2)"):
        for sizes, correlation in (("20", 0.1), ("1 to 20", 0.5), ("1 to 60, most few", 0.0)):
            for n in (5, 7, 10, 20):
                found = coverage(name, n, sizes, correlation, samples, seed=n, peers=False)
                design = f"{n} plots of {sizes} crowns, correlation {correlation:g}; {name}"
                yield Row(design, "coverage", found.ours, samples)
        for n in (10, 20, 50):
            found = coverage(name, n, "1", 0.0, samples, seed=n, peers=False)
            yield Row(f"{n} single crowns; {name}", "coverage", found.ours, samples)


def simulate_instances(effort: float) -> Iterator[Row]:
    """Yield the coverage of PQ, SQ, F1 and recall over plots that differ in difficulty."""
    samples = round(4000 * effort)
    rng = np.random.default_rng(1)

    def draw(n_plots: int, n_samples: int) -> dict[str, tuple[np.ndarray, np.ndarray]]:
        shape = (n_plots, n_samples)
        n_targets = rng.poisson(12, shape) + 1
        n_found = rng.binomial(n_targets, rng.beta(8, 3, shape))
        n_false = rng.poisson(2.5, shape)
        # A sum of IoU from 0.5 to 1, normal by the central limit theorem within a plot.
        quality = np.clip(rng.normal(0.78, 0.05, shape), 0.5, 1)
        total_iou = n_found * np.clip(
            quality + rng.normal(0, 0.11, shape) / np.sqrt(np.maximum(n_found, 1)), 0.5, 1
        )
        both = n_targets + n_found + n_false
        return {
            "recall": (n_found, n_targets),
            "precision": (n_found, n_found + n_false),
            "F1, RQ": (2 * n_found, both),
            "PQ": (2 * total_iou, both),
            "SQ": (total_iou, n_found),
        }

    population = draw(2000, 200)
    truth = {name: part.sum() / whole.sum() for name, (part, whole) in population.items()}
    for n in (5, 7, 10, 20):
        for name, (part, whole) in draw(n, samples).items():
            low, high = ratio_interval(part, whole, np.arange(n))
            yield Row(
                f"{name}, {n} plots",
                "coverage",
                np.nanmean(_covers(low, high, truth[name])),
                samples,
            )


def simulate_shares(effort: float) -> Iterator[Row]:
    """Yield the coverage of a share of single crowns, such as recall at a threshold."""
    samples = round(4000 * effort)
    rng = np.random.default_rng(2)
    for share in (0.5, 0.8, 0.95):
        for n in (10, 20, 50):
            hits = rng.random((n, samples)) < share
            covers = _covers(*ratio_interval(hits, np.ones_like(hits, float)), share)
            yield Row(
                f"share {share:g} of {n} single crowns", "coverage", np.nanmean(covers), samples
            )
            yield Row(
                f"share {share:g} of {n} single crowns",
                "no interval: all 0 or all 1",
                np.isnan(covers).mean(),
                samples,
            )


def simulate_variance(effort: float) -> Iterator[Row]:
    """Yield the coverage of the average variance of annotators (Eq. 15)."""
    samples = round(2000 * effort)
    rng = np.random.default_rng(3)

    def draw(n_plots: int, n_samples: int) -> np.ndarray:
        spread = 20 * np.exp(rng.normal(0, 0.3, (n_plots, 1, 1, n_samples)))
        scores = rng.beta(0.8 * spread, 0.2 * spread, (n_plots, 10, 3, n_samples))
        return scores.var(axis=2, ddof=1).sum(axis=1)

    truth = draw(400, 50).mean() / 10
    for n in (5, 10, 20):
        low, high = ratio_interval(draw(n, samples), np.full((n, samples), 10.0), np.arange(n))
        yield Row(
            f"{n} plots of 10 crowns, 4 annotators",
            "coverage",
            np.nanmean(_covers(low, high, truth)),
            samples,
        )


def simulate_accepted(effort: float) -> Iterator[Row]:
    """Yield the coverage of the share of accepted crowns."""
    for total, n_reviewed in ((60, 20), (200, 50), (1000, 50)):
        crown = np.arange(total)
        ends = [
            estimate_accepted_share(np.zeros(total), crown < n_reviewed, crown < accepted)
            for accepted in range(n_reviewed + 1)
        ]
        for share in (0.5, 0.8, 0.95):
            n_good = round(share * total)
            probability = stats.hypergeom.pmf(np.arange(n_reviewed + 1), total, n_good, n_reviewed)
            covers = [one.low - 1e-9 <= n_good / total <= one.high + 1e-9 for one in ends]
            yield Row(
                f"{n_reviewed} of {total} crowns, {100 * share:.0f} % good",
                "coverage",
                probability[covers].sum(),
                0,
            )
    samples = round(500 * effort)
    rng = np.random.default_rng(4)
    strata = np.repeat([0, 1, 2], [180, 90, 30])
    n_covers = 0
    for seed in range(samples):
        is_good = rng.random(300) < np.array([0.95, 0.6, 0.2])[strata]
        is_reviewed = np.zeros(300, dtype=bool)
        is_reviewed[random_sample(strata, 60, seed)] = True
        found = estimate_accepted_share(strata, is_reviewed, is_good)
        n_covers += found.low - 1e-9 <= is_good.mean() <= found.high + 1e-9
    yield Row("60 of 300 crowns in three score classes", "coverage", n_covers / samples, samples)


def _block_of_drawings(rng: np.random.Generator, n_annotators: int) -> np.ndarray:
    """Return the drawings (K, 12, 12) of a block, whose difficulty differs between blocks."""
    y, x = np.mgrid[:12, :12]
    drawn = np.zeros((n_annotators, 12, 12), dtype=bool)
    miss = rng.beta(2, 6)
    for _ in range(1 + rng.poisson(1.5)):
        centre = rng.uniform(0, 12, 2)
        radius = rng.uniform(1.5, 3.5)
        for k in np.flatnonzero(rng.random(n_annotators) > miss):
            row, column = centre + rng.normal(0, 0.5, 2)
            size = radius + rng.normal(0, 0.4)
            drawn[k] |= (y - row) ** 2 + (x - column) ** 2 <= size**2
    return drawn


def simulate_agreement(effort: float) -> Iterator[Row]:
    """Yield the coverage of the statistics of agreement over blocks."""
    samples = round(400 * effort)
    names = [name for name in INTERVAL_STATISTICS if name not in ("min_f1", "max_f1")]
    for n_annotators in (3, 8):
        rng = np.random.default_rng(5)
        pool = VoteTable.from_tiles([_block_of_drawings(rng, n_annotators) for _ in range(1500)])
        truth = agreement_summary(pool, n_resamples=0).table["value"]
        for n in (10, 20, 64):
            covers = []
            for _ in range(samples):
                blocks = pool.blocks[rng.integers(0, 1500, n)]
                weights = np.asarray(blocks.sum(axis=0)).ravel()
                votes = VoteTable(pool.patterns, weights, blocks=blocks)
                table = agreement_summary(votes, n_resamples=200).table
                covers.append(
                    [_covers(*table.loc[name, ["low", "high"]], truth[name]) for name in names]
                )
            for name, rate in zip(names, np.nanmean(np.array(covers, float), axis=0)):
                yield Row(
                    f"{name}, {n_annotators} annotators, {n} blocks", "coverage", rate, samples
                )
    yield from _simulate_agreement_on_maps(round(400 * effort), names)


def _simulate_agreement_on_maps(samples: int, names: list[str]) -> Iterator[Row]:
    """Yield the coverage on maps whose crowns cross the borders of the blocks."""
    rng = np.random.default_rng(14)
    maps = [
        VoteTable.from_stack(_map_of_drawings(rng, 5, 0.15, int(rng.poisson(80))))
        for _ in range(samples)
    ]
    truth = agreement_summary(VoteTable.merge(maps), n_resamples=0).table["value"]
    for side in (_SIDE // 8, _SIDE // 4):
        covers = []
        for votes in maps:
            table = agreement_summary(votes, side, n_resamples=200).table
            covers.append(
                [_covers(*table.loc[name, ["low", "high"]], truth[name]) for name in names]
            )
        n_blocks = (_SIDE // side) ** 2
        for name, rate in zip(names, np.nanmean(np.array(covers, float), axis=0)):
            design = f"{name}, 5 annotators, {n_blocks} blocks of {side} pixels in a map"
            yield Row(design, "coverage", rate, samples)


def _map_of_drawings(
    rng: np.random.Generator, n_annotators: int, first_misses: float, n_crowns: int = 80
) -> np.ndarray:
    """Return drawings (K, side, side) of crowns, many of which cross the borders of blocks."""
    y, x = np.mgrid[:_SIDE, :_SIDE]
    drawn = np.zeros((n_annotators, _SIDE, _SIDE), dtype=bool)
    for _ in range(n_crowns):
        centre = rng.uniform(0, _SIDE, 2)
        radius = rng.uniform(2.5, 4.5)
        for k in range(n_annotators):
            if rng.random() < (first_misses if k == 0 else 0.15):
                continue
            row, column = centre + rng.normal(0, 0.6, 2)
            size = radius + rng.normal(0, 0.6)
            window = tuple(
                slice(max(int(at - 7), 0), min(int(at + 8), _SIDE)) for at in (row, column)
            )
            drawn[k][window] |= (y[window] - row) ** 2 + (x[window] - column) ** 2 <= size**2
    return drawn


def simulate_outliers(effort: float) -> Iterator[Row]:
    """Yield false rate and power of "unlike the others", and how often the rule names anybody."""
    samples = round(150 * effort)
    rng = np.random.default_rng(6)
    for n_annotators in (3, 4, 8, 13):
        for first_misses in (0.15, 0.3, 0.4):
            tested = [
                outlier_test(
                    VoteTable.from_stack(_map_of_drawings(rng, n_annotators, first_misses))
                )
                for _ in range(samples)
            ]
            if first_misses == 0.15:
                design = f"{n_annotators} alike annotators"
                unlike = np.mean([one.is_unlike.any() for one in tested])
                yield Row(design, "false rate: unlike the others", unlike, samples)
                named = np.mean([one.is_outlier.any() for one in tested])
                yield Row(design, "an outlier by the rule", named, samples)
                by_chance = np.mean([one.any_by_chance for one in tested])
                yield Row(design, "the same, as estimated", by_chance, samples)
                continue
            design = (
                f"{n_annotators} annotators, one misses {100 * first_misses:.0f} % instead of 15 %"
            )
            power = np.mean([one.is_unlike[0] for one in tested])
            yield Row(design, "power: that one", power, samples)
            false = np.mean([one.is_unlike[1:].any() for one in tested])
            yield Row(design, "false rate: another one", false, samples)


def simulate_correlations(effort: float) -> Iterator[Row]:
    """Yield the coverage of correlations of two fields that are smooth and independent."""
    samples = round(1000 * effort)
    rng = np.random.default_rng(7)
    row, column = np.divmod(np.arange(64 * 64), 64)
    labels = row // 8 * 8 + column // 8
    for smoothness in (1.0, 3.0):
        covers = np.empty(samples)
        for number in range(samples):
            x, y = (
                ndimage.gaussian_filter(field, smoothness).ravel()
                for field in rng.standard_normal((2, 64, 64))
            )
            found = block_correlation(x, y, labels, (8, 8))
            covers[number] = _covers(np.array(found.low), np.array(found.high), 0.0)
        yield Row(
            f"64 blocks of 8 pixels, fields smooth over {smoothness:g} pixels",
            "coverage",
            np.nanmean(covers),
            samples,
        )


def simulate_better_layer(effort: float) -> Iterator[Row]:
    """Yield false rate and power of claims that a delineation layer is better than others."""
    samples = round(1000 * effort)
    for n_plots in (0, 5, 15):
        n_crowns = 20 * n_plots or 60
        plots = np.arange(n_crowns) // 20 if n_plots else None
        place = f"{n_plots} plots of 20" if n_plots else f"{n_crowns} single"
        for n_layers, lead in product((2, 4), (0.0, 0.05)):
            rng = np.random.default_rng(12)
            claims = []
            for _ in range(samples):
                scores = rng.beta(5, 2, n_crowns) + rng.normal(0, 0.12, (n_layers, n_crowns))
                if plots is not None:
                    scores += rng.normal(0, 0.03, (n_layers, n_plots))[:, plots]
                scores[0] += lead
                scores = np.clip(scores, 0, 1)
                found = compare_layer_scores(scores, plots)
                claims.append(found.better_than_all == 0 if lead else bool(found.better_than))
            kind = f"{n_layers} equal layers"
            if lead:
                kind = f"one of {n_layers} layers better by {lead:g}"
            measure = "power" if lead else "false rate"
            yield Row(f"{place} crowns, {kind}", measure, float(np.mean(claims)), samples)


def simulate_better(effort: float) -> Iterator[Row]:
    """Yield false rate and power of "can be called better"."""
    samples = round(600 * effort)
    for tiles, annotators, style in ((16, 4, 0.0), (64, 12, 0.0), (64, 4, 0.5), (64, 12, 0.5)):
        design = f"{tiles} tiles, {annotators} annotators with style {style:g}"
        ranks = [sums(seed, tiles, annotators, style, 200) for seed in range(samples)]
        for number in (2, 4):
            shown = [first_of(one, number) for one in ranks]
            rate = np.mean([claimed(one) for one in shown])
            yield Row(f"{number} equal detectors, {design}", "false rate", rate, samples)
            first = np.mean([one.rank_shares[1].max() >= 0.95 for one in shown])
            yield Row(
                f"{number} equal detectors, {design}",
                "first in 95 % of the bootstrap samples",
                first,
                samples,
            )
        for lead in (0.5, 1.0):
            better = []
            for one in ranks:
                two = first_of(one, 2)
                gain = np.array([lead, 0.0])
                two = replace(two, estimate=two.estimate + gain, resamples=two.resamples + gain)
                better.append(two.order[0] == NAMES[0] and claimed(two))
            yield Row(
                f"one of 2 detectors better by {lead:g} SD of a tile, {design}",
                "power",
                np.mean(better),
                samples,
            )


def simulate_crown_ranking(effort: float) -> Iterator[Row]:
    """Yield false rate and power of "can be called better" by average precision of crowns."""
    samples = round(400 * effort)
    parameters = RandCrownsParameters(0.7, 1.2, 3)
    for n_plots in (5, 10, 20):
        for gain in (0.0, 0.2):
            rng = np.random.default_rng(8)
            better = []
            for seed in range(samples):
                place = np.arange(n_plots * 10)
                boxes = shapely.box(place * 9.0, 0, place * 9.0 + 5, 5)
                plots = [f"plot {number}" for number in place // 10]
                trees = Crowns(boxes, plots=plots)
                difficulty = rng.beta(6, 4, n_plots)[place // 10]
                detections = {}
                for name, extra in (("first", gain), ("second", 0.0)):
                    is_found = rng.random(len(place)) < np.clip(difficulty + extra, 0, 1)
                    is_false = rng.random(len(place)) < 0.15
                    found = shapely.box(place * 9.0, 0, place * 9.0 + 4, 5)[is_found]
                    false = shapely.box(place * 9.0, 20, place * 9.0 + 4, 25)[is_false]
                    kept_plots = [*np.array(plots)[is_found], *np.array(plots)[is_false]]
                    scores = rng.random(is_found.sum() + is_false.sum())
                    scores[: is_found.sum()] += 0.3
                    detections[name] = (
                        Crowns(np.concatenate([found, false]), plots=kept_plots),
                        scores,
                    )
                ranking = rank_crown_detectors({"ann": trees}, detections, parameters)
                layers = {"ann": trees, **{name: one for name, (one, _) in detections.items()}}
                units, are_plots = assign_crown_units(layers, 9)
                ranks = bootstrap_crown_ranking(
                    ranking, units, are_plots=are_plots, resamples=200, seed=seed
                )
                better.append(claimed(ranks) and (gain == 0 or ranks.order[0] == "first"))
            design = f"{n_plots} plots of 10 crowns, recall higher by {gain:g}"
            measure = "power" if gain else "false rate"
            yield Row(design, measure, np.mean(better), samples)


def simulate_roles(effort: float) -> Iterator[Row]:
    """Yield how often layers are called swapped, by the share of crowns that a detector finds."""
    samples = round(4000 * effort)
    rng = np.random.default_rng(9)

    def warned(n_targets: np.ndarray, n_predictions: np.ndarray) -> float:
        """Return the share of runs with a warning."""
        pairs = zip(n_targets.tolist(), n_predictions.tolist())
        return float(np.mean([bool(check_roles("trees", "", *pair)) for pair in pairs]))

    for recall in (0.1, 0.2, 0.5, 0.8):
        n_targets = rng.integers(10, 100, samples)
        n_detections = rng.binomial(n_targets, recall) + rng.poisson(0.2 * n_targets)
        design = f"a detector that finds {100 * recall:.0f} % of 10 to 99 crowns, and 20 % more"
        yield Row(design, "false rate: may be swapped", warned(n_targets, n_detections), samples)
    for drawn in (0.05, 0.1, 0.2, 0.5):
        n_detections = rng.integers(200, 1000, samples)
        n_targets = np.maximum(rng.binomial(n_detections, drawn), 1)
        design = f"swapped layers without scores, {100 * drawn:.0f} % of the detected crowns drawn"
        yield Row(design, "power", warned(n_detections, n_targets), samples)


def simulate_plots(effort: float) -> Iterator[Row]:
    """Yield how often plots of one name are said to lie in different places."""
    samples = round(150 * effort)
    rng = np.random.default_rng(10)
    for is_shifted in (False, True):
        n_said = 0
        for _ in range(samples):
            place = rng.uniform(0, 40, (60, 2)) + np.repeat(
                [[0, 0], [500, 0], [0, 500]], 20, axis=0
            )
            plots = np.repeat(["a", "b", "c"], 20)
            is_found = rng.random(60) < 0.3
            shift = 300.0 if is_shifted else 0.0
            moved = place[is_found] + rng.normal(0, 1, (is_found.sum(), 2)) + shift
            targets = Crowns(shapely.box(*place.T, *(place + 5).T), plots=plots.tolist())
            others = Crowns(shapely.box(*moved.T, *(moved + 5).T), plots=plots[is_found].tolist())
            n_said += any(one.is_warning for one in check_plots([targets], [others]))
        design = "3 plots of 20 crowns, 30 % found, moved by 1 m"
        if is_shifted:
            yield Row(f"{design}, all plots displaced by 420 m", "power", n_said / samples, samples)
        else:
            yield Row(design, "false rate: plots lie apart", n_said / samples, samples)


def simulate_crown_consensus(effort: float) -> Iterator[Row]:
    """Yield how often a consensus crown by crown is closer to the truth than what it is made of."""
    samples = max(round(200 * effort), 200)
    for n_annotators in (3, 4, 5, 7):
        rng = np.random.default_rng(100 + n_annotators)
        plots = [measure_quality(draw_plot(rng, n_annotators)) for _ in range(samples)]
        design = f"{n_annotators} annotators, 36 trees that touch"
        beats_annotators = [plot.crown_consensus > plot.annotators.max() for plot in plots]
        beats_areas = [plot.crown_consensus > plot.area_consensus for plot in plots]
        yield Row(design, "PQ above each annotator's", np.mean(beats_annotators), samples)
        yield Row(design, "PQ above that of half or more", np.mean(beats_areas), samples)


STUDIES = (
    Study(
        "Mean scores (Score, Instances)",
        "Jackknife over plots or crowns on the logit scale, weighted by their size (Hinkley 1977), "
        "Student's t with degrees of freedom of Bell and McCaffrey (2002)",
        simulate_means,
        "If a tenth of all crowns has score 0, samples of ten or twenty single crowns often have "
        "none. In a separate simulation of 1,500 samples of ten crowns, Johnson's t, a bootstrap-t "
        "and the same on the logit scale covered 84 to 86 %. A two-part interval combines Wilson's "
        "interval of the share of zeros with a t interval of the other scores (MOVER, Zou and "
        "Donner 2008). It covered 95 %, but 99 % where no score is 0. No method is right in both "
        "cases, because the samples look alike. A note therefore says how many crowns may have "
        "score 0 (Hanley and Lippman-Hand 1983).",
    ),
    Study(
        "Precision, recall, F1, PQ, SQ and RQ over plots (Score, Instances)",
        "The same jackknife, of a ratio of sums",
        simulate_instances,
        "RQ is the F1 of a matching and has its interval. The tables have no interval of SQ; the "
        "rows here are for `core.statistics.ratio_interval` over the matched pairs.",
    ),
    Study(
        "Recall and precision of single crowns",
        "The same jackknife, over crowns",
        simulate_shares,
        "A share near 1 of few crowns often has no interval, because all crowns are equal. If "
        "there is an interval, it contains the true share in more than 95 % of the samples.",
    ),
    Study(
        "Average variance of annotators (Parameters)",
        "The same jackknife",
        simulate_variance,
    ),
    Study(
        "Share accepted (Review)",
        "Wilson's interval (1927) with the finite population correction (Cochran 1977; O'Neill "
        "2021), stratified as Yan and Su (2010); rounded outwards to whole crowns",
        simulate_accepted,
        "Rows of a single stratum are exact, because they are computed from all outcomes. A count "
        "of few crowns has few values, so no interval covers exactly 95 %.",
    ),
    Study(
        "Agreement: Smyth's bound, mean F1, raw agreement, kappa, alpha, AC1",
        "Bootstrap over blocks (Efron and Tibshirani 1993), in a map over overlapping windows of "
        "2 x 2 blocks (Politis and Romano 1992); standard error with Student's t on the logit or "
        "artanh scale",
        simulate_agreement,
        "In a separate simulation of 150 samples, percentiles of the resamples covered 84 to 89 % "
        "with ten blocks. The lowest and the highest F1 have no interval: with eight annotators, "
        "percentiles covered 4 to 30 %. Blocks are independent in the first designs. In the maps, "
        "crowns of about 7 pixels cross the borders of the blocks. There, single blocks of 10 "
        "pixels covered 88 to 92 %.",
    ),
    Study(
        "Outliers, and unlike the others (Annotators)",
        "Lampert's rule; permutations within blocks, adjusted by the largest excess (maxT, "
        "Westfall and Young 1993)",
        simulate_outliers,
        "Crowns cross the borders of the blocks in this design.",
    ),
    Study(
        "Correlations with the image, CCO and CCI",
        "Student's t over blocks with Bartlett's weights for adjacent blocks",
        simulate_correlations,
    ),
    Study(
        "A delineation layer can be called better (Score)",
        "Paired t tests of a jackknife, adjusted for all pairs of layers (Holm 1979)",
        simulate_better_layer,
        "The dock, the report and the job benchmark use this rule. The false rate counts each "
        "claim that the best layer is better than another one. The power is the share of samples "
        "in which the better layer is called better than all others.",
    ),
    Study(
        "A detector can be called better (Detectors)",
        "Simultaneous lower bounds from bootstrap samples of annotators and tiles (Banerjee 1961; "
        "Bonferroni)",
        simulate_better,
        "The share of bootstrap samples in which a detector is first is not a probability that it "
        "is the best: the rows show how often it exceeds 95 % for equal detectors.",
    ),
    Study(
        "A detector can be called better, average precision of crowns",
        "The same, with plots",
        simulate_crown_ranking,
    ),
    Study(
        "Layers may be swapped",
        "A limit of the ratio of the numbers of crowns",
        simulate_roles,
        "The warning is a question, not a test. A detector that finds a tenth of the crowns can "
        "trigger it. Layers of similar size can be swapped without a warning; a field with scores "
        "always gives one.",
    ),
    Study(
        "Consensus crown by crown (Annotators)",
        "Average linkage of crowns by IoU (Sokal and Michener 1958), area of the majority",
        simulate_crown_consensus,
        "Panoptic quality against the known trees. Annotators miss a tenth of the trees, invent "
        "three, join some neighbours, and shift, scale and distort the outlines.",
    ),
    Study("Plots lie apart", "A comparison of the extents of plots of one name", simulate_plots),
)


def _is_doubtful(row: Row) -> bool:
    """Return True if a coverage is below 93 % or a false rate above 7 %, beyond chance."""
    error = _standard_error(row)
    if row.measure == "coverage":
        return row.rate < 0.93 - error
    return row.measure.startswith("false rate") and row.rate > 0.07 + error


def _standard_error(row: Row) -> float:
    """Return the standard error of a rate; 0 if it is exact."""
    return float(np.sqrt(row.rate * (1 - row.rate) / row.samples)) if row.samples else 0.0


def format_study(study: Study, rows: list[Row]) -> str:
    """Return a section of the page."""
    lines = [f"## {study.title}", f"Method: {study.method}.", ""]
    if study.remark:
        lines += [study.remark, ""]
    lines += ["| design | measured | % | ± |", "|---|---|---|---|"]
    for row in rows:
        rate = f"{100 * row.rate:.1f}"
        if _is_doubtful(row):
            rate = f"**{rate}**"
        error = f"{100 * _standard_error(row):.1f}" if row.samples else "exact"
        lines.append(f"| {row.design} | {row.measure} | {rate} | {error} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Simulate all studies and write the page."""
    effort = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    page = Path(sys.argv[2]) if len(sys.argv) > 2 else PAGE
    sections = [_INTRODUCTION]
    for study in STUDIES:
        begin = time.perf_counter()
        sections.append(format_study(study, list(study.simulate(effort))))
        print(f"{time.perf_counter() - begin:6.0f} s  {study.title}", flush=True)
    page.write_text("\n".join(sections), encoding="utf-8")


if __name__ == "__main__":
    main()
