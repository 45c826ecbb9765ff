"""How far annotators agree: functions of the vote table.

Smyth's bound, agreement ratio, pairwise F1, dendrogram, outliers and the comparison with the consensus follow Lampert,
Stumpf and Gançarski 2016 (Eqs. 1 to 6). The chance-corrected coefficients are Fleiss 1971, Krippendorff 2011 (nominal)
and Gwet 2008. What cannot be computed is NaN; :func:`agreement_notes` says why.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple, cast

import numpy as np
import pandas as pd
import scipy.ndimage
import shapely
from scipy.cluster.hierarchy import linkage
from scipy.spatial.distance import squareform

from randcrowns.core.agreement.notes import Note
from randcrowns.core.agreement.votes import VoteTable, by_name
from randcrowns.core.arrays import Bools, Floats, Ints, plain_array
from randcrowns.core.crowns import Crowns
from randcrowns.core.errors import InputError
from randcrowns.core.geometry.areas import cut_to, polygonal
from randcrowns.core.geometry.overlay import single_polygons
from randcrowns.core.given import as_declared
from randcrowns.core.instances.metrics import merges, panoptic_quality, splits
from randcrowns.core.instances.overlap import OverlapTable, polygon_overlap
from randcrowns.core.progress import Progress, no_progress, steps
from randcrowns.core.remarks import Remark
from randcrowns.core.statistics import dice, ratio
from randcrowns.core.systems import geometry_array

# Two distances that differ by less are the same but for rounding.
_ROUNDING = 1e-12


class Coefficients(NamedTuple):
    """Agreement of all annotators, raw and corrected for chance; to be shown together.

    Attributes:
        raw_agreement: chance that two annotators decide alike at a random unit.
        fleiss_kappa, krippendorff_alpha, gwet_ac1: 1 is full agreement, 0 what chance gives.
    """

    raw_agreement: float
    fleiss_kappa: float
    krippendorff_alpha: float
    gwet_ac1: float


def vote_weights(votes: VoteTable) -> Floats:
    """(K + 1,) weight of the units that 0, 1, … K annotators marked."""
    return np.bincount(votes.yes_votes, votes.weights, votes.n_annotators + 1).astype(float)


@as_declared
def smyth_bound(votes: VoteTable) -> float:
    """Lower bound on the annotators' mean error rate (Smyth 1996; Eq. 1), NaN for one annotator.

    sum c·min(h, K - h) / (K · sum c); at most 1/2 for an even number of annotators and (K - 1)/(2K) for an odd one.

    >>> votes = VoteTable.from_stack([[1, 1, 0, 0], [1, 0, 0, 0], [1, 1, 1, 0]])
    >>> round(smyth_bound(votes), 3)
    0.167
    """
    return smyth_bound_of(vote_weights(votes))


def smyth_bound_of(by_votes: Floats) -> float:
    """Smyth's bound from the weights of 0 to K votes (K + 1,)."""
    k = len(by_votes) - 1
    minority = np.minimum(np.arange(k + 1), k - np.arange(k + 1))
    return ratio(float(by_votes @ minority), k * by_votes.sum()) if k > 1 else np.nan


@as_declared
def agreement_ratio(votes: VoteTable) -> Floats:
    """(K,) weight of what at least 1, 2, … K marked over the weight of what anybody marked (Eq. 3); NaN for none.

    >>> votes = VoteTable.from_stack([[1, 1, 0, 0], [1, 0, 0, 0], [1, 1, 1, 0]])
    >>> agreement_ratio(votes).round(3).tolist()
    [1.0, 0.667, 0.333]
    """
    at_least = np.cumsum(vote_weights(votes)[:0:-1])[::-1]
    return cast("Floats", ratio(at_least, at_least[0]))


@as_declared
def pairwise_f1(votes: VoteTable) -> Floats:
    """(K, K) F1 of every two annotators (Eq. 6): 2·w(a∧b) / (w(a) + w(b)); 1 if both marked nothing, 0 if one did.

    >>> votes = VoteTable.from_stack([[1, 1, 0, 0], [1, 0, 0, 0], [1, 1, 1, 0]])
    >>> pairwise_f1(votes).round(3).tolist()
    [[1.0, 0.667, 0.8], [0.667, 1.0, 0.5], [0.8, 0.5, 1.0]]
    """
    return pairwise_f1_of(votes.shared_sums)


def pairwise_f1_of(shared: Floats) -> Floats:
    """(K, K) pairwise F1 from the shared weights."""
    marked = np.diagonal(shared)
    f1 = dice(shared, marked[:, None], marked)
    np.fill_diagonal(f1, 1.0)
    return np.minimum(f1, 1.0)


@as_declared
def dendrogram(votes: VoteTable) -> Floats:
    """(K - 1, 4) Ward linkage of the annotators by 1 - F1, rows as in :func:`scipy.cluster.hierarchy.linkage`.

    Without rows for fewer than three annotators.

    >>> votes = VoteTable.from_stack([[1, 1, 0, 0], [1, 0, 0, 0], [1, 1, 1, 0]])
    >>> dendrogram(votes)[:, 3].tolist()
    [2.0, 3.0]
    """
    if votes.n_annotators < 3:
        return np.empty((0, 4))
    distance = 1 - pairwise_f1(votes)
    return np.asarray(linkage(squareform(distance, checks=False), method="ward"))


def mean_distances(votes: VoteTable) -> Floats:
    """(K,) mean of 1 - F1 of each annotator with the others; NaN for one annotator."""
    k = votes.n_annotators
    return (1 - pairwise_f1(votes)).sum(axis=1) / (k - 1) if k > 1 else np.full(1, np.nan)


def outlier_limit(votes: VoteTable) -> float:
    """Mean plus one standard deviation (n - 1) of the mean distances; NaN for fewer than three annotators."""
    distance = mean_distances(votes)
    return float(distance.mean() + distance.std(ddof=1)) if len(distance) > 2 else np.nan


@as_declared
def outliers(votes: VoteTable) -> Bools:
    """(K,) whose mean distance to the others is above the limit; nobody's for fewer than three annotators.

    >>> votes = VoteTable.from_stack([[1, 1, 0, 0], [1, 1, 0, 0], [1, 1, 1, 0], [0, 0, 1, 1]])
    >>> outliers(votes).tolist()
    [False, False, False, True]
    """
    if votes.n_annotators < 3:
        return np.zeros(votes.n_annotators, dtype=bool)
    return mean_distances(votes) > outlier_limit(votes) + _ROUNDING


@as_declared
def annotator_statistics(votes: VoteTable, consensus: Bools | None = None) -> pd.DataFrame:
    """Each annotator beside the consensus.

    Args:
        consensus: (M,) marked patterns; by default what at least half of the annotators marked.
            A matrix (K, M) holds a consensus for each annotator, for example one without their own drawing.

    Returns:
        A row per annotator (index ``annotator``): ``marked`` (weight), ``share`` of the study area, ``sensitivity``,
        ``specificity``, ``ppv``, ``npv``, ``kappa`` (Cohen 1960), ``mean_f1`` and ``mean_distance`` to the others,
        ``outlier``. 0/0 is NaN, and so is whatever holds a single annotator against nothing but their own drawing.

    Raises:
        InputError: when the consensus does not fit the table.

    >>> votes = VoteTable.from_stack([[1, 1, 0, 0], [1, 0, 0, 0], [1, 1, 1, 0]])
    >>> annotator_statistics(votes)["sensitivity"].tolist()
    [1.0, 0.5, 1.0]
    """
    k, m = votes.n_annotators, len(votes.patterns)
    truth = (
        2 * votes.yes_votes >= k if consensus is None else plain_array(consensus, "The consensus")
    )
    if truth.dtype != bool:
        raise InputError(
            "The consensus must be True or False for each pattern, not {dtype}; compare probabilities with a "
            "threshold first, such as >= 0.5.",
            dtype=truth.dtype,
        )
    if truth.shape not in {(m,), (k, m)}:
        said = "The consensus has the shape {shape}; expected one value for each of {patterns} patterns."
        raise InputError(said, shape=str(truth.shape), patterns=m)
    cells = _cells if truth.ndim == 1 else _own_cells
    true_positive, false_positive, false_negative, true_negative = cells(votes, truth)
    marked, total = true_positive + false_positive, votes.total
    missed = false_negative + true_negative
    positive, negative = true_positive + false_negative, false_positive + true_negative
    by_chance = marked * positive + missed * negative
    distance = mean_distances(votes)
    statistics = pd.DataFrame(
        {
            "marked": marked,
            "share": ratio(marked, total),
            "sensitivity": ratio(true_positive, positive),
            "specificity": ratio(true_negative, negative),
            "ppv": ratio(true_positive, marked),
            "npv": ratio(true_negative, missed),
            "kappa": ratio(
                total * (true_positive + true_negative) - by_chance, total**2 - by_chance
            ),
            "mean_f1": 1 - distance,
            "mean_distance": distance,
            "outlier": outliers(votes),
        },
        index=pd.Index(votes.names, name="annotator"),
    )
    if k == 1 and consensus is None:
        statistics[["sensitivity", "specificity", "ppv", "npv", "kappa"]] = np.nan
    return cast("pd.DataFrame", statistics)


@as_declared
def coefficients(votes: VoteTable) -> Coefficients:
    """Raw and chance-corrected agreement from the weights of h, the number of yes votes.

    Pa = sum c[h(h-1) + (K-h)(K-h-1)] / (N K (K-1)); (Pa - pe)/(1 - pe) with pe = p² + (1-p)² (Fleiss) or 2p(1-p) (AC1);
    alpha = 1 - Do/De with Do = sum c·2h(K-h)/((K-1) N K), De = 2 n1 n0/(N K (N K - 1)).

    >>> votes = VoteTable.from_stack([[1, 1, 0, 0], [1, 0, 0, 0], [1, 1, 1, 0]])
    >>> round(coefficients(votes).fleiss_kappa, 3)
    0.333
    """
    return coefficients_of(vote_weights(votes), votes.unit)


def coefficients_of(by_votes: Floats, unit: float) -> Coefficients:
    """The coefficients from the weights of 0 to K votes (K + 1,); ``unit`` is the weight of one unit."""
    k = len(by_votes) - 1
    decisions = k * float(by_votes.sum())
    if k < 2 or decisions == 0:
        return Coefficients(np.nan, np.nan, np.nan, np.nan)
    h = np.arange(k + 1)
    yes, no = float(by_votes @ h), float(by_votes @ (k - h))
    differing = 2 * float(by_votes @ (h * (k - h))) / (decisions * (k - 1))
    agreeing = 1 - differing
    chance = 2 * (yes / decisions) * (no / decisions)
    expected = ratio(2 * yes * no, decisions * (decisions - unit)) if decisions > unit else np.nan
    return Coefficients(
        raw_agreement=agreeing,
        fleiss_kappa=1 - ratio(differing, chance),
        krippendorff_alpha=1 - ratio(differing, expected),
        gwet_ac1=1 - differing / (1 - chance),
    )


def agreement_notes(votes: VoteTable) -> tuple[Remark, ...]:
    """What to tell the reader of these statistics."""
    k, total = votes.n_annotators, votes.total
    by_votes = vote_weights(votes)
    share = ratio(float(by_votes @ np.arange(k + 1)), k * total)
    marked = votes.yes_sums(votes.weights)
    applies = {
        Note.ONE_ANNOTATOR: k == 1,
        Note.TWO_ANNOTATORS_BOUND: k == 2,
        Note.TOO_FEW_FOR_OUTLIERS: k < 3,
        Note.OUTLIER_MEANING: bool(outliers(votes).any()),
        Note.NOTHING_MARKED: by_votes[1:].sum() == 0,
        Note.EVERYTHING_MARKED: total > 0 and by_votes[:-1].sum() == 0,
        Note.EMPTY_ANNOTATOR: bool((marked == 0).any() and (marked > 0).any()),
        Note.SPARSE: 0 < share < 0.1,
        Note.MOSTLY_MARKED: 0.9 < share < 1,
    }
    return (*votes.notes, *(note for note, applying in applies.items() if applying))


def _cells(votes: VoteTable, truth: Bools) -> tuple[Floats, ...]:
    """(K,) true positives, false positives, false negatives and true negatives against one consensus."""
    return tuple(
        said_yes.yes_sums(np.where(true, votes.weights, 0.0))
        for said_yes in (votes, votes.opposite())
        for true in (truth, ~truth)
    )


def _own_cells(votes: VoteTable, truths: Bools) -> tuple[Floats, ...]:
    """The same, each annotator against a consensus of their own."""
    said_yes = votes.patterns.T
    return tuple(
        np.where(yes & true, votes.weights, 0.0).sum(axis=1)
        for yes in (said_yes, ~said_yes)
        for true in (truths, ~truths)
    )


#: Columns of the table of annotator pairs.
COLUMNS = (
    "first",
    "second",
    "pq",
    "sq",
    "rq",
    "matched",
    "only_first",
    "only_second",
    "splits",
    "merges",
)


@as_declared
def annotator_instances(
    layers: Sequence[Any] | Mapping[str, Any], area: Any = None, *, progress: Progress = no_progress
) -> pd.DataFrame:
    """Compare the crowns of every two annotators.

    Args:
        layers: crowns of each annotator as in :meth:`randcrowns.core.agreement.votes.VoteTable.from_polygons`; here
            each geometry is one crown.
        area: study area, one polygon or several; crowns are cut by it, and those outside are excluded.

    Returns:
        A row per pair: names ``first`` and ``second``, ``pq``, ``sq``, ``rq``, ``matched``, ``only_first``,
        ``only_second``, ``splits`` (crowns of the first in which the second drew several) and ``merges`` (crowns of the
        second in which the first drew several).

    >>> layers = {"ann": [shapely.box(0, 0, 2, 2)], "ben": [shapely.box(0, 0, 2, 1.5)]}
    >>> annotator_instances(layers)[["pq", "matched"]].to_numpy().tolist()
    [[0.75, 1.0]]
    """
    return crown_instances((layers, area), progress=progress)


def crown_instances(*images: tuple[Any, Any], progress: Progress = no_progress) -> pd.DataFrame:
    """The same over several images or plots: the layers of the same annotators and the study area of each.

    >>> one = {"ann": [shapely.box(0, 0, 2, 2)], "ben": [shapely.box(0, 0, 2, 1.5)]}
    >>> crown_instances((one, None), (one, None))[["pq", "matched"]].to_numpy().tolist()
    [[0.75, 2.0]]
    """
    found: dict[str, list[Crowns]] = {}
    for layers, area in images:
        study = (
            None if area is None else shapely.union_all(single_polygons(area, "The study area")[0])
        )
        for name, layer in by_name(layers).items():
            found.setdefault(name, []).append(_crowns(layer, name, study))
    numbers = np.array([str(number) for number in range(len(images))], dtype=object)
    crowns = {
        name: Crowns(
            np.concatenate([part.geometry for part in parts]),
            groups=np.repeat(numbers, [len(part) for part in parts]),
            name=parts[0].name,
        )
        for name, parts in found.items()
    }
    return _compared(crowns, polygon_overlap, progress)


def pixel_instances(*images: VoteTable, progress: Progress = no_progress) -> pd.DataFrame:
    """Compare the instances of every two annotators on a grid: marked pixels that adjoin side to side are one.

    Args:
        images: vote tables of the same annotators with a map of rows and columns each.

    Returns:
        As :func:`annotator_instances`.

    >>> votes = VoteTable.from_stack([[[1, 1, 0, 1]], [[1, 1, 0, 0]]], names=("ann", "ben"))
    >>> pixel_instances(votes)[["pq", "matched", "only_first"]].to_numpy().round(3).tolist()
    [[0.667, 1.0, 1.0]]
    """
    parts: dict[str, list[Ints]] = {name: [] for name in images[0].names}
    for votes in images:
        marked = votes.on_map(votes.yes_votes > 0)
        for k, found in enumerate(parts.values()):
            own = scipy.ndimage.label(votes.on_map(votes.patterns[:, k]))[0][marked].astype(
                np.int64
            )
            before = max((int(one.max(initial=0)) for one in found), default=0)
            found.append(np.where(own > 0, own + before, 0))
    labels = {name: np.concatenate(found) for name, found in parts.items()}
    return _compared(labels, lambda one, other: OverlapTable.from_labels(one, other, 0), progress)


def _compared(
    instances: Mapping[str, Any], overlap: Callable[[Any, Any], OverlapTable], progress: Progress
) -> pd.DataFrame:
    """A row per two annotators."""
    rows = []
    for (first, second), _ in steps(list(combinations(instances, 2)), progress):
        table = overlap(instances[first], instances[second])
        quality = panoptic_quality(table)
        rows.append(
            (
                first,
                second,
                *quality,
                int((splits(table) > 1).sum()),
                int((merges(table) > 1).sum()),
            )
        )
    return cast("pd.DataFrame", pd.DataFrame(rows, columns=list(COLUMNS)))


def _crowns(layer: Any, name: str, area: Any) -> Crowns:
    """Valid polygons and multipolygons with an area, cut by the study area."""
    given = geometry_array(layer, f"Annotator {name}")
    crowns = polygonal(cut_to(area, shapely.make_valid(given[~shapely.is_missing(given)])))
    return Crowns(crowns[shapely.area(crowns) > 0], name=f"Annotator {name}")
