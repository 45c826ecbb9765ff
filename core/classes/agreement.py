"""Agreement of annotators on classes: of crowns, and of areas with several classes.

A :class:`ClassRatings` table holds the distinct patterns of ratings with their weights, as a vote
table does for yes and no. A missing rating, of an annotator who did not look or did not draw the
crown, is no class and has no part in any measure. The measures are those of Cohen 1960 and 1968
(kappa, weighted kappa), Fleiss 1971 and Gwet 2014 (Fleiss' kappa and AC1 with missing ratings), and
Krippendorff 2011 (alpha: nominal, ordinal, interval).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Any, NamedTuple, cast

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.arrays import Bools, Floats, Ints, Objects, as_array, as_float_array
from randcrowns.core.class_names import class_values
from randcrowns.core.classes.values import BACKGROUND, NO_CLASS, encode_classes
from randcrowns.core.errors import InputError
from randcrowns.core.statistics import ratio
from randcrowns.core.status import TextEnum
from randcrowns.core.validation import validate_arguments

#: Columns that name a pair of annotators and a pair of classes.
CONFUSION_KEYS = ("first", "second", "first_class", "second_class")


class Scale(TextEnum):
    """Scale of class values, which defines how far two classes differ."""

    #: Classes are equal or different.
    NOMINAL = "nominal"
    #: Classes have an order, that of the labels.
    ORDINAL = "ordinal"
    #: Classes are numbers whose differences have a meaning.
    INTERVAL = "interval"


class PairWeights(TextEnum):
    """Weights of disagreements in weighted kappa."""

    #: All disagreements count alike.
    IDENTITY = "identity"
    #: A disagreement counts by the distance of the classes in the order of the labels.
    LINEAR = "linear"
    #: A disagreement counts by the squared distance.
    QUADRATIC = "quadratic"


#: Weights of the kappa of a pair on each scale.
PAIR_WEIGHTS = {
    Scale.NOMINAL: PairWeights.IDENTITY,
    Scale.ORDINAL: PairWeights.LINEAR,
    Scale.INTERVAL: PairWeights.QUADRATIC,
}


@dataclass(frozen=True, eq=False)
class ClassRatings:
    """Ratings of units by R annotators with K classes.

    Attributes:
        labels: (K,) names of the classes, whole numbers first by value, then texts.
        codes: (M, R) index of the class in each distinct pattern of ratings;
            :data:`randcrowns.core.classes.values.NO_CLASS` for a missing rating.
        weights: (M,) number or area (m²) of the units with each pattern.
        pattern_index: (N,) pattern of each unit, or of each pattern of the vote table.
        unit_weight: weight of one unit, which is the 1 in the formula of alpha; 0 for an exact
            overlay.

    >>> ratings = ClassRatings.from_ratings([["oak", "oak"], ["ash", None], ["oak", "oak"]])
    >>> ratings.labels, ratings.codes.tolist(), ratings.weights.tolist()
    (('ash', 'oak'), [[0, -1], [1, 1]], [1.0, 2.0])
    """

    labels: tuple[str, ...]
    codes: Ints
    weights: Floats
    pattern_index: Ints
    unit_weight: float = 1.0

    @classmethod
    def from_ratings(cls, ratings: ArrayLike, weights: ArrayLike | None = None) -> ClassRatings:
        """Return the ratings of units, such as crowns or pixels.

        Args:
            ratings: (N, R) class values of each unit by each annotator, see
                :func:`randcrowns.core.classes.values.class_values`; None for a missing rating.
            weights: (N,) weights of the units, 1 by default.

        Raises:
            InputError: if the ratings are not two-dimensional, or the numbers of units differ.
        """
        values = np.asarray(ratings, dtype=object)
        if values.ndim != 2:
            raise InputError(
                "ratings.not_two_dimensional",
                "Ratings need a row per unit and a column per annotator, not {ndim} dimensions.",
                ndim=values.ndim,
            )
        unit_weights = _read_weights(weights, len(values))
        # All ratings are encoded as one list, so that equal classes have equal codes.
        labels, codes_of_lists = encode_classes(values.ravel())
        codes = codes_of_lists[0].reshape(values.shape)
        patterns, pattern_of_unit = _distinct_rows(codes)
        pattern_weights = np.bincount(pattern_of_unit, unit_weights, minlength=len(patterns))
        return cls(
            labels=labels,
            codes=patterns,
            weights=pattern_weights.astype(float),
            pattern_index=pattern_of_unit,
        )

    @classmethod
    def from_stack(cls, stack: ArrayLike, missing: ArrayLike | None = None) -> ClassRatings:
        """Return the ratings of pixels with numbers of classes.

        Args:
            stack: (R, …) whole numbers of classes, a raster per annotator.
            missing: (R, …) True where an annotator did not look; nowhere by default.

        Returns:
            The ratings; ``pattern_index`` is in the order of ``stack[0].ravel()``.

        Raises:
            InputError: if the values are not whole numbers, or the shapes differ.

        >>> ratings = ClassRatings.from_stack([[5, 5, 2], [5, 2, 2]])
        >>> ratings.labels, ratings.codes.tolist(), ratings.pattern_index.tolist()
        (('2', '5'), [[0, 0], [1, 0], [1, 1]], [2, 1, 0])
        """
        values = as_array(stack, "The stack of rasters")
        is_missing = np.zeros(values.shape, dtype=bool)
        if missing is not None:
            is_missing = np.asarray(missing, dtype=bool)
        has_whole_numbers = values.dtype.kind in "biu"
        if not has_whole_numbers or values.ndim < 2 or is_missing.shape != values.shape:
            raise InputError(
                "ratings.invalid_stack",
                "The stack needs a raster of whole numbers per annotator, and the mask of missing "
                "ratings the same shape.",
            )
        # (R, N) codes of the pixels: a row per annotator.
        n_annotators = len(values)
        numbers = np.unique(values[~is_missing])
        codes = np.searchsorted(numbers, values.reshape(n_annotators, -1))
        codes[is_missing.reshape(codes.shape)] = NO_CLASS
        first_pixels, pattern_of_pixel = _distinct_columns(codes, len(numbers))
        n_pixels = np.bincount(pattern_of_pixel, minlength=len(first_pixels))
        return cls(
            labels=tuple(class_values(numbers)),
            codes=codes[:, first_pixels].T,
            weights=n_pixels.astype(float),
            pattern_index=pattern_of_pixel,
        )

    @classmethod
    def from_votes(
        cls,
        votes: VoteTable,
        annotators: Sequence[str],
        classes: Sequence[str],
        *,
        count_background: bool = True,
    ) -> ClassRatings:
        """Return the ratings of areas from a vote table with a layer per annotator and class.

        Args:
            votes: vote table of the layers. A missing decision of any layer of an annotator makes
                the annotator's rating missing.
            annotators: annotator of each layer.
            classes: class of each layer.
            count_background: True to count unmarked ground as the class :data:`BACKGROUND`, False
                to count it as a missing rating.

        Returns:
            The ratings, with annotators in the order of their first layer.

        Raises:
            InputError: if there is not one annotator and class per layer, or an annotator marked
                ground with two classes.

        >>> import shapely
        >>> layers = {"a oak": [shapely.box(0, 0, 2, 1)], "b ash": [shapely.box(1, 0, 3, 1)]}
        >>> votes = VoteTable.from_polygons(layers)
        >>> ratings = ClassRatings.from_votes(votes, ["a", "b"], ["oak", "ash"])
        >>> ratings.labels, ratings.weights.tolist()
        (('ash', 'background', 'oak'), [1.0, 1.0, 1.0])
        """
        if not len(annotators) == len(classes) == votes.n_annotators:
            raise InputError(
                "ratings.wrong_layer_count",
                "Each of the {layers} layers needs an annotator and a class.",
                layers=votes.n_annotators,
            )
        names = list(dict.fromkeys(annotators))
        class_of_layer = np.array(list(classes), dtype=object)
        unmarked_class: Any = BACKGROUND if count_background else None
        ratings = np.full((len(votes.patterns), len(names)), None, dtype=object)
        for column, name in enumerate(names):
            layers = [layer for layer, annotator in enumerate(annotators) if annotator == name]
            is_marked = votes.patterns[:, layers]
            _check_single_class(name, is_marked, votes.weights)
            # At most one layer of the annotator is True in a pattern.
            own_classes = class_of_layer[layers]
            marked_class = own_classes[is_marked.argmax(axis=1)]
            ratings[:, column] = np.where(is_marked.any(axis=1), marked_class, unmarked_class)
            if votes.is_rated is not None:
                has_looked = votes.is_rated[:, layers].all(axis=1)
                ratings[~has_looked, column] = None
        weighted_ratings = cls.from_ratings(ratings, votes.weights)
        return replace(weighted_ratings, unit_weight=votes.unit_weight)

    @property
    def n_annotators(self) -> int:
        """Number R of annotators."""
        return self.codes.shape[1]

    @cached_property
    def counts(self) -> Floats:
        """(M, K) number of annotators who gave each class in each pattern."""
        n_patterns = len(self.codes)
        n_classes = len(self.labels)
        patterns, annotators = np.nonzero(self.codes != NO_CLASS)
        cells = patterns * n_classes + self.codes[patterns, annotators]
        counts = np.bincount(cells, minlength=n_patterns * n_classes).astype(float)
        return counts.reshape(n_patterns, n_classes)

    @cached_property
    def n_rated(self) -> Floats:
        """(M,) number of annotators who rated each pattern."""
        return cast("Floats", (self.codes != NO_CLASS).sum(axis=1).astype(float))

    def pair_confusion(self, first: int, second: int) -> Floats:
        """Return the (K, K) weights of the classes of two annotators where both rated.

        Args:
            first: annotator of the rows.
            second: annotator of the columns.
        """
        n_classes = len(self.labels)
        first_codes = self.codes[:, first]
        second_codes = self.codes[:, second]
        have_both_rated = (first_codes != NO_CLASS) & (second_codes != NO_CLASS)
        cells = first_codes[have_both_rated] * n_classes + second_codes[have_both_rated]
        weights = self.weights[have_both_rated]
        confusion = np.bincount(cells, weights, minlength=n_classes**2).astype(float)
        return confusion.reshape(n_classes, n_classes)


def _read_weights(weights: ArrayLike | None, n_units: int) -> Floats:
    """Return the weights (n,) of units; 1 by default.

    Args:
        weights: (n,) weights, or None.
        n_units: number n of units.

    Raises:
        InputError: if there is not one weight per unit.
    """
    if weights is None:
        return np.ones(n_units)
    unit_weights = as_float_array(weights, "The list of weights")
    if unit_weights.shape != (n_units,):
        raise InputError(
            "ratings.wrong_weight_count",
            "There are {units} units but {weights} weights; give one weight per unit.",
            units=n_units,
            weights=unit_weights.size,
        )
    return unit_weights


def _distinct_rows(codes: Ints) -> tuple[Ints, Ints]:
    """Return the distinct rows (M, R) of codes (N, R), and the (N,) index of each row in them."""
    if not codes.size:  # numpy has no distinct rows of nothing
        return codes, np.arange(len(codes))
    patterns, pattern_index = np.unique(codes, axis=0, return_inverse=True)
    # The shape of the index differs between versions of numpy.
    return patterns, np.asarray(pattern_index).ravel()


def _distinct_columns(codes: Ints, n_codes: int) -> tuple[Ints, Ints]:
    """Find the distinct columns of codes.

    Args:
        codes: (R, N) codes from -1 to ``n_codes`` - 1, at least one row.
        n_codes: number of codes above -1.

    Returns:
        (M,) index of the first of each kind of column; (N,) kind of each column.
    """
    # Columns that are equal in the rows so far have the same number. This is faster than sorting
    # whole columns.
    kind_of_column = np.zeros(codes.shape[1], dtype=np.int64)
    first_columns = np.empty(0, dtype=np.int64)
    for row in codes:
        keys = kind_of_column * (n_codes + 1) + row + 1
        _, first_columns, kind_of_column = np.unique(keys, return_index=True, return_inverse=True)
    return first_columns, kind_of_column


def _check_single_class(name: str, is_marked: Bools, weights: Floats) -> None:
    """Raise an InputError if an annotator marked ground with two classes.

    Args:
        name: name of the annotator.
        is_marked: (M, C) mask of the patterns that the annotator marked with each of C classes.
        weights: (M,) areas of the patterns.
    """
    n_marked = is_marked.sum(axis=1)
    if (n_marked[weights > 0] > 1).any():
        raise InputError(
            "ratings.two_classes",
            "Annotator '{name}' drew crowns of different classes over each other on "
            "{area:.1f} m² or pixels. Remove the overlaps, or compare crowns instead of "
            "areas.",
            name=name,
            area=float(weights[n_marked > 1].sum()),
        )


class ClassAgreement(NamedTuple):
    """Agreement of all annotators on classes, raw and corrected for chance.

    Attributes:
        raw_agreement: probability that two annotators give a random unit the same class.
        fleiss_kappa: Fleiss' kappa, nominal.
        krippendorff_alpha: Krippendorff's alpha on the scale.
        gwet_ac1: Gwet's AC1, nominal.
        compared_weight: number or area of the units that at least two annotators rated.
    """

    raw_agreement: float
    fleiss_kappa: float
    krippendorff_alpha: float
    gwet_ac1: float
    compared_weight: float


@validate_arguments
def class_agreement(ratings: ClassRatings, scale: Scale | str = Scale.NOMINAL) -> ClassAgreement:
    """Compute the agreement of all annotators.

    With the share p_k of class k (the mean over rated units of its share of the ratings), Pa the
    mean over units with at least two ratings of sum r_k (r_k - 1) / (r (r - 1)), kappa and AC1 are
    (Pa - pe) / (1 - pe) with pe = sum p_k² (Fleiss) or sum p_k (1 - p_k) / (K - 1) (Gwet). Alpha is
    1 - Do / De from the coincidences of units with at least two ratings.

    Args:
        ratings: ratings of R annotators with K classes.
        scale: scale of alpha; see :class:`Scale`. The other measures are nominal.

    Returns:
        The measures; NaN where undefined, as for one annotator or one class.

    Raises:
        InputError: if the scale is unknown, or classes on an interval scale are not numbers.

    >>> ratings = ClassRatings.from_ratings([["a", "a"], ["b", "b"], ["a", "b"], ["a", None]])
    >>> round(class_agreement(ratings).krippendorff_alpha, 3)
    0.444
    """
    kind = Scale.from_value(scale, "scale")
    n_rated = ratings.n_rated
    counts = ratings.counts

    is_paired = n_rated >= 2
    paired_weights = ratings.weights[is_paired]
    total_paired_weight = float(paired_weights.sum())
    n_pairs = (n_rated * (n_rated - 1))[is_paired]
    n_agreeing_pairs = (counts * (counts - 1)).sum(axis=1)[is_paired]
    agreement_sum = float(paired_weights @ (n_agreeing_pairs / n_pairs))
    raw_agreement = ratio(agreement_sum, total_paired_weight)

    is_rated = n_rated > 0
    rated_weights = ratings.weights[is_rated]
    class_shares = counts[is_rated] / n_rated[is_rated, np.newaxis]
    mean_shares = ratio(rated_weights @ class_shares, float(rated_weights.sum()))
    fleiss_chance = float((mean_shares**2).sum())
    n_classes = len(ratings.labels)
    gwet_chance = ratio(float((mean_shares * (1 - mean_shares)).sum()), float(n_classes - 1))
    return ClassAgreement(
        raw_agreement=raw_agreement,
        fleiss_kappa=_correct_for_chance(raw_agreement, fleiss_chance),
        krippendorff_alpha=_krippendorff_alpha(ratings, kind),
        gwet_ac1=_correct_for_chance(raw_agreement, gwet_chance),
        compared_weight=total_paired_weight,
    )


def _correct_for_chance(agreement: float, chance: float) -> float:
    """Return an agreement corrected for chance; NaN if chance explains everything."""
    return cast("float", ratio(agreement - chance, 1 - chance))


def _krippendorff_alpha(ratings: ClassRatings, scale: Scale) -> float:
    """Return Krippendorff's alpha on a scale; NaN without variation.

    The coincidences (K, K) are the weights of the pairs of ratings of a unit by two annotators; a
    unit with r ratings has r (r - 1) pairs, which count 1 / (r - 1) each.
    """
    is_paired = ratings.n_rated >= 2
    counts = ratings.counts[is_paired]
    pair_weights = ratings.weights[is_paired] / (ratings.n_rated[is_paired] - 1)
    pairs_of_ratings = (counts * pair_weights[:, np.newaxis]).T @ counts
    # A rating makes no pair with itself.
    coincidences = pairs_of_ratings - np.diag(pair_weights @ counts)
    totals = coincidences.sum(axis=0)
    n = float(totals.sum())
    differences = _squared_differences(ratings.labels, totals, scale)
    observed = float((coincidences * differences).sum())
    expected = float(totals @ differences @ totals)
    if not (expected > 0 and n > ratings.unit_weight):
        return np.nan
    return 1 - (n - ratings.unit_weight) * observed / expected


def _squared_differences(labels: tuple[str, ...], totals: Floats, scale: Scale) -> Floats:
    """Return the (K, K) squared differences of classes on a scale.

    Args:
        labels: (K,) names of the classes.
        totals: (K,) number of ratings of each class.
        scale: the scale.
    """
    if scale is Scale.NOMINAL:
        return 1 - np.eye(len(labels))
    # On the ordinal scale two classes differ by the number of ratings from the one to the other,
    # with half of the ratings of both ends.
    ranks = np.cumsum(totals) - totals / 2
    positions = _parse_labels(labels) if scale is Scale.INTERVAL else ranks
    squares: Floats = np.square(positions[:, np.newaxis] - positions)
    return squares


def check_scale(labels: Iterable[str], scale: Scale) -> None:
    """Raise an InputError if the scale is for numbers, and a class is not a number.

    Args:
        labels: names of the classes.
        scale: the scale.

    >>> check_scale(["1", "2.5"], Scale.INTERVAL)
    """
    if scale is Scale.INTERVAL:
        _parse_labels(tuple(labels))


def _parse_labels(labels: tuple[str, ...]) -> Floats:
    """Return classes as numbers (K,); raise InputError if one is not a number."""
    try:
        return np.array([float(label) for label in labels])
    except ValueError:
        raise InputError(
            "ratings.not_numbers",
            "Classes on an interval scale must be numbers, but they are {labels}. Choose the "
            "nominal or the ordinal scale.",
            labels=", ".join(labels),
        ) from None


@validate_arguments
def pairwise_agreement(
    ratings: ClassRatings,
    names: Sequence[str] | None = None,
    weights: PairWeights | str = PairWeights.IDENTITY,
) -> pd.DataFrame:
    """Compute the agreement of each pair of annotators on the units that both rated.

    Args:
        ratings: ratings of R annotators.
        names: (R,) names of the annotators; "1", "2", … by default.
        weights: weights of weighted kappa (Cohen 1968), by the order of the labels.

    Returns:
        A row per pair: ``first``, ``second``, ``compared`` (weight of the units that both rated),
        ``agreement`` (share with the same class) and ``kappa``; NaN without such units, and kappa
        also where both annotators gave a single class.

    Raises:
        InputError: if the weights are unknown, or there is not one name per annotator.

    >>> ratings = ClassRatings.from_ratings([["a", "a"], ["b", "b"], ["a", "b"], ["a", None]])
    >>> pairwise_agreement(ratings)[["compared", "agreement", "kappa"]].round(3).to_numpy().tolist()
    [[3.0, 0.667, 0.4]]
    """
    kind = PairWeights.from_value(weights, "kind of weights")
    annotators = names or [str(number + 1) for number in range(ratings.n_annotators)]
    if len(annotators) != ratings.n_annotators:
        raise InputError(
            "ratings.wrong_name_count",
            "There are {annotators} annotators but {names} names; give one name per annotator.",
            annotators=ratings.n_annotators,
            names=len(annotators),
        )
    costs = _disagreement_costs(len(ratings.labels), kind)
    rows = []
    for first, second in combinations(range(ratings.n_annotators), 2):
        confusion = ratings.pair_confusion(first, second)
        total = float(confusion.sum())
        # Expected by chance, times the total.
        expected = np.outer(confusion.sum(axis=1), confusion.sum(axis=0))
        observed_cost = float((costs * confusion).sum())
        expected_cost = float((costs * expected).sum())
        row = {
            "first": annotators[first],
            "second": annotators[second],
            "compared": total,
            "agreement": ratio(float(np.trace(confusion)), total),
            "kappa": 1 - ratio(observed_cost * total, expected_cost),
        }
        rows.append(row)
    columns = ["first", "second", "compared", "agreement", "kappa"]
    return cast("pd.DataFrame", pd.DataFrame(rows, columns=columns))


def _disagreement_costs(n_classes: int, weights: PairWeights) -> Floats:
    """Return the (K, K) weights of disagreements in the weighted kappa of K classes.

    Args:
        n_classes: number K of classes.
        weights: kind of weights, by the distance of classes in the order of the labels.
    """
    positions = np.arange(n_classes, dtype=float)
    distances: Floats = np.abs(positions[:, np.newaxis] - positions)
    if weights is PairWeights.IDENTITY:
        return np.asarray(distances > 0, dtype=float)
    return distances if weights is PairWeights.LINEAR else distances**2


def confusion_of_pairs(ratings: ClassRatings, names: Sequence[str], weight: str) -> pd.DataFrame:
    """Return how much each pair of annotators gave each pair of classes.

    Args:
        ratings: ratings of R annotators.
        names: (R,) names of the annotators.
        weight: name of the column with the number of units, or with their area.

    Returns:
        A row per pair of annotators and of classes that occurs: :data:`CONFUSION_KEYS` and the
        weight.
    """
    rows: list[tuple[str, str, str, str, float]] = []
    for first, second in combinations(range(len(names)), 2):
        confusion = ratings.pair_confusion(first, second)
        for first_code, second_code in np.argwhere(confusion > 0):
            first_class = ratings.labels[first_code]
            second_class = ratings.labels[second_code]
            pair_weight = confusion[first_code, second_code]
            rows.append((names[first], names[second], first_class, second_class, pair_weight))
    return cast("pd.DataFrame", pd.DataFrame(rows, columns=[*CONFUSION_KEYS, weight]))


class PluralityConsensus(NamedTuple):
    """Most frequent class of each pattern of ratings.

    Attributes:
        classes: (M,) class with the most votes; None for a tie or without any rating.
        share: (M,) share of the ratings with the most frequent class; NaN without any rating.
        tied: (M,) names of the classes with the most votes, separated by " = ", where there are
            several; otherwise "".
    """

    classes: Objects
    share: Floats
    tied: Objects


@validate_arguments
def plurality(ratings: ClassRatings) -> PluralityConsensus:
    """Return the class that most annotators gave, with its share of the votes; ties are named.

    Args:
        ratings: ratings of R annotators.

    Returns:
        The consensus of each pattern; ``pattern_index`` of the ratings relates units to patterns.

    >>> ratings = ClassRatings.from_ratings([["a", "a", "b"], ["a", "b", None]])
    >>> consensus = plurality(ratings)
    >>> consensus.classes.tolist(), consensus.share.round(2).tolist(), consensus.tied.tolist()
    (['a', None], [0.67, 0.5], ['', 'a = b'])
    """
    n_patterns = len(ratings.codes)
    classes = np.full(n_patterns, None, dtype=object)
    tied = np.full(n_patterns, "", dtype=object)
    if not ratings.labels:
        return PluralityConsensus(classes, np.full(n_patterns, np.nan), tied)
    labels = np.array(ratings.labels, dtype=object)
    max_counts = ratings.counts.max(axis=1)
    # (M, K) True for the classes with the most votes; nowhere without a rating.
    is_most_frequent = (ratings.counts == max_counts[:, np.newaxis]) & (ratings.counts > 0)
    n_most_frequent = is_most_frequent.sum(axis=1)
    is_single = n_most_frequent == 1
    classes[is_single] = labels[is_most_frequent[is_single].argmax(axis=1)]
    for pattern in np.flatnonzero(n_most_frequent > 1).tolist():
        tied[pattern] = " = ".join(labels[is_most_frequent[pattern]])
    return PluralityConsensus(classes, ratio(max_counts, ratings.n_rated), tied)
