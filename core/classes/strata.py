"""Strata of crowns: scores by category, quartile, area, crowding and distance to the image's edge.

A claim that strata differ is made by a t-test of the difference of two means. Its variance is that
of a jackknife which leaves out one plot at a time, so that crowns of one plot may be alike and a
plot may contribute to both strata. Its degrees of freedom are the fewer of both strata
(:func:`randcrowns.core.statistics.jackknife_freedom`). The p-values of all pairs and scores are
adjusted together (Holm 1979).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple, cast

import numpy as np
import pandas as pd
import scipy
import shapely
from numpy.typing import ArrayLike

from randcrowns.core.arrays import Bools, Floats, Ints, Objects, as_float_array
from randcrowns.core.classes.values import NO_CLASS, encode_classes, rows_of_classes
from randcrowns.core.crowns import Crowns, extent_polygon
from randcrowns.core.errors import InputError
from randcrowns.core.instances.overlap import polygon_overlap
from randcrowns.core.messages import TranslatableText
from randcrowns.core.statistics import (
    CONFIDENCE_LEVEL,
    MIN_PLOTS,
    MIN_UNITS,
    jackknife_freedom,
    mean_interval,
    plot_codes,
    ratio,
)
from randcrowns.core.validation import validate_arguments

#: Limits of COCO's small, medium and large objects, pixels².
COCO_AREA_BREAKS = (32.0**2, 96.0**2)
#: Names of the strata between these limits.
COCO_AREA_NAMES = ("small", "medium", "large")
#: Shares of the crowns at which quartiles begin.
_QUARTILES = (0.25, 0.5, 0.75)


class Strata(NamedTuple):
    """Strata of n crowns.

    Attributes:
        labels: (S,) names of the strata, in order.
        codes: (n,) stratum of each crown; -1 for a crown without a value.
    """

    labels: tuple[str, ...]
    codes: Ints


@validate_arguments
def category_strata(values: ArrayLike) -> Strata:
    """Return a stratum per category.

    Args:
        values: (n,) categories, see :func:`randcrowns.core.classes.values.class_values`.

    >>> category_strata(["oak", None, "ash"])
    Strata(labels=('ash', 'oak'), codes=array([ 1, -1,  0]))
    """
    encoded = encode_classes(values)
    return Strata(encoded.labels, encoded.codes[0])


@validate_arguments
def number_strata(values: ArrayLike, breaks: Sequence[float] | None = None) -> Strata:
    """Return the strata of numbers between breaks, or in quartiles.

    A stratum contains its lower break, and not its upper one. Strata without a crown are listed.

    Args:
        values: (n,) numbers; NaN for a missing value.
        breaks: rising limits between the strata; by default the quartiles of the values, of which
            equal ones are joined.

    Raises:
        InputError: if the breaks do not rise.

    >>> number_strata([1.0, 2.0, 3.0, np.nan], breaks=[2, 3])
    Strata(labels=('< 2', '2 to < 3', '>= 3'), codes=array([ 0,  1,  2, -1]))
    """
    numbers = as_float_array(values, "The list of values")
    if breaks is None:
        return strata_between(numbers, quartile_limits(numbers))
    limits = as_float_array(breaks, "The list of breaks")
    are_rising = (np.diff(limits) > 0).all() and np.isfinite(limits).all()
    if not len(limits) or not are_rising:
        raise InputError(
            "strata.invalid_breaks",
            "The breaks between strata must be rising numbers, at least one.",
        )
    return strata_between(numbers, limits)


def quartile_limits(values: Floats) -> Floats:
    """Return the rising limits between the quartiles of numbers; equal limits are joined.

    Args:
        values: (n,) numbers; NaN for a missing value.

    >>> quartile_limits(np.array([1.0, 2.0, 3.0, np.nan])).tolist()
    [1.5, 2.0, 2.5]
    """
    known_values = values[~np.isnan(values)]
    if not len(known_values):
        return np.empty(0)
    limits = np.unique(np.quantile(known_values, _QUARTILES))
    # A break at the lowest value would leave an empty stratum below it.
    return cast("Floats", limits[limits > known_values.min()])


def strata_between(values: Floats, limits: Floats) -> Strata:
    """Return the strata of numbers between limits.

    Args:
        values: (n,) numbers; NaN for a missing value.
        limits: rising limits; none for one stratum of all numbers.

    >>> strata_between(np.array([1.0, 5.0]), np.array([3.0]))
    Strata(labels=('< 3', '>= 3'), codes=array([0, 1]))
    """
    is_known = ~np.isnan(values)
    codes = np.where(is_known, np.searchsorted(limits, values, side="right"), NO_CLASS)
    return Strata(_interval_names(limits), codes)


def _interval_names(limits: Floats) -> tuple[str, ...]:
    """Return the names of the strata between rising limits (n,); they are distinct."""
    if not len(limits):
        return ("all",)
    digits = 4
    texts = [f"{limit:.{digits}g}" for limit in limits]
    while len(set(texts)) < len(texts):
        digits += 1
        texts = [f"{limit:.{digits}g}" for limit in limits]
    names = [f"< {texts[0]}"]
    for low, high in zip(texts, texts[1:]):
        names.append(f"{low} to < {high}")
    names.append(f">= {texts[-1]}")
    return tuple(names)


#: Name of a stratum between limits; see :func:`_interval_names`.
_INTERVAL_NAME = re.compile(r"(?:< (\S+)|>= (\S+)|(\S+) to < (\S+))")


def stratum_label(name: str) -> str:
    """Return the name of a stratum for readers, whose limits have the signs of their language.

    Args:
        name: name of a category, or of a stratum of :func:`number_strata`.

    >>> label = stratum_label("7.25 to < 20.5")
    >>> label, label.message.values
    ('7.25 to < 20.5', {'low': 7.25, 'high': 20.5})
    >>> stratum_label("oak")
    'oak'
    """
    match = _INTERVAL_NAME.fullmatch(name)
    if match is None:
        return name
    try:
        below, above, low, high = (_number_of(text) for text in match.groups())
    except ValueError:
        return name
    if below is not None:
        return TranslatableText("< {high}", high=below)
    if above is not None:
        return TranslatableText("≥ {low}", low=above)
    return TranslatableText("{low} to < {high}", low=low, high=high)


def _number_of(text: str | None) -> float | None:
    """Return the number that a text contains, an integer if it is whole; None for no text."""
    if text is None:
        return None
    number = float(text)
    return int(number) if number.is_integer() else number


@validate_arguments
def area_strata(
    crowns: Crowns, breaks: Sequence[float] | None = None, pixel_size: float | None = None
) -> Strata:
    """Return the strata of the crowns' areas.

    Args:
        crowns: n crowns.
        breaks: rising limits, m²; by default the quartiles.
        pixel_size: side of a pixel, m. The strata are then COCO's small, medium and large crowns,
            of the areas of the polygons in pixels².

    Raises:
        InputError: if there are breaks and a pixel size, the breaks do not rise, or the pixel size
            is not above 0.

    >>> crowns = Crowns([shapely.box(0, 0, 2, 2), shapely.box(0, 0, 5, 5)])
    >>> area_strata(crowns, pixel_size=0.1)
    Strata(labels=('small', 'medium', 'large'), codes=array([0, 1]))
    """
    if pixel_size is None:
        return number_strata(crowns.areas, breaks)
    if breaks is not None or not pixel_size > 0:
        raise InputError(
            "strata.pixel_size",
            "Give either breaks in m² or a pixel size above 0 m, not both.",
        )
    strata = number_strata(crowns.areas / pixel_size**2, COCO_AREA_BREAKS)
    return strata._replace(labels=COCO_AREA_NAMES)


@validate_arguments
def crowding(targets: Crowns, delineations: Crowns) -> Ints:
    """Return the number (T,) of delineations that overlap each target.

    If both layers have plots, only delineations of the target's plot count.

    Args:
        targets: T crowns.
        delineations: crowns of the other layer.

    >>> target = Crowns([shapely.box(0, 0, 2, 2)])
    >>> crowding(target, Crowns([shapely.box(1, 1, 3, 3), shapely.box(2, 0, 3, 1)])).tolist()
    [1]
    """
    pairs = polygon_overlap(targets, delineations)
    return np.bincount(pairs.target, minlength=len(targets))


@validate_arguments
def edge_distance(crowns: Crowns, extent: Any) -> Floats:
    """Return the distance (n,) of each crown to the edge of the image, m; 0 across the edge.

    Args:
        crowns: n crowns.
        extent: polygon of the image, or xmin, ymin, xmax, ymax, m. Crowns outside have distance 0.

    Raises:
        InputError: if the extent is not valid.

    >>> edge_distance(Crowns([shapely.box(1, 2, 3, 4)]), (0, 0, 10, 10)).tolist()
    [1.0]
    """
    polygon = extent_polygon(extent)
    if polygon is None:
        raise InputError("strata.no_extent", "The distance to the edge needs the image's extent.")
    distance = np.asarray(shapely.distance(crowns.geometry, polygon.boundary))
    shapely.prepare(polygon)
    is_inside = shapely.intersects(polygon, crowns.geometry)
    return np.where(is_inside, distance, 0.0)


@validate_arguments
def strata_table(
    strata: Strata,
    scores: Mapping[str, ArrayLike],
    *,
    plots: ArrayLike | None = None,
    is_found: ArrayLike | None = None,
    problems: ArrayLike | None = None,
) -> pd.DataFrame:
    """Summarise scores by stratum.

    Args:
        strata: strata of n crowns.
        scores: (n,) scores from 0 to 1 by name, such as ``randcrowns``; NaN without a score.
        plots: (n,) plot of each crown, or None.
        is_found: (n,) True for crowns that were found, or None.
        problems: (n,) kind of problem of each crown, None without one; or None.

    Returns:
        A row per stratum (index ``stratum``), and one for the crowns without a value if there are
        any, whose stratum is "n/a": ``crowns``, ``plots``; of each score ``<score>_mean`` with its
        95 % interval in ``<score>_low`` and ``<score>_high``; ``found`` (number) and
        ``found_share``; and ``problem: <kind>`` (numbers).

    Raises:
        InputError: if an array has another length than there are crowns.

    >>> strata = category_strata(["oak", "oak", "ash"])
    >>> table = strata_table(strata, {"iou": [0.5, 0.7, 0.9]}, is_found=[True, False, True])
    >>> table[["crowns", "iou_mean", "found"]].to_numpy().round(3).tolist()
    [[1.0, 0.9, 1.0], [2.0, 0.6, 1.0]]
    """
    n = len(strata.codes)
    scores_by_name = {name: _per_crown(score, n, name) for name, score in scores.items()}
    plot_of_crown = None
    if plots is not None:
        plot_of_crown = plot_codes(_objects_per_crown(plots, n, "plots"))
    found_mask = None
    if is_found is not None:
        found_mask = _per_crown(is_found, n, "found") > 0
    kinds = None
    if problems is not None:
        kinds = category_strata(_objects_per_crown(problems, n, "problems"))

    labels = list(strata.labels)
    rows_of_strata = rows_of_classes(strata.codes, len(labels))
    rows_without_value = np.flatnonzero(strata.codes == NO_CLASS)
    if len(rows_without_value):
        rows_of_strata.append(rows_without_value)
        labels.append(TranslatableText("n/a"))
    table = [
        _stratum_row(rows, scores_by_name, plot_of_crown, found_mask, kinds)
        for rows in rows_of_strata
    ]
    return cast("pd.DataFrame", pd.DataFrame(table, index=pd.Index(labels, name="stratum")))


def _stratum_row(
    rows: Ints,
    scores: Mapping[str, Floats],
    plots: Ints | None,
    is_found: Bools | None,
    kinds: Strata | None,
) -> dict[str, Any]:
    """Return the values of a row of :func:`strata_table` by name.

    Args:
        rows: crowns of the stratum.
        scores: (n,) scores of all crowns by name.
        plots: (n,) plot codes of all crowns, or None.
        is_found: (n,) mask of all crowns, or None.
        kinds: problems of all crowns, or None.
    """
    n_crowns = len(rows)
    n_plots = min(1, n_crowns)
    if plots is not None:
        n_plots = len(np.unique(plots[rows]))
    row: dict[str, Any] = {"crowns": n_crowns, "plots": n_plots}
    for name, all_scores in scores.items():
        scored_rows = rows[~np.isnan(all_scores[rows])]
        values = all_scores[scored_rows]
        value_plots = None if plots is None else plots[scored_rows]
        low, high = mean_interval(values, value_plots)
        row[f"{name}_mean"] = float(values.mean()) if len(values) else np.nan
        row[f"{name}_low"] = low
        row[f"{name}_high"] = high
    if is_found is not None:
        n_found = int(is_found[rows].sum())
        row["found"] = n_found
        row["found_share"] = ratio(n_found, n_crowns)
    if kinds is not None:
        kind_codes = kinds.codes[rows]
        for code, kind in enumerate(kinds.labels):
            row[f"problem: {kind}"] = int((kind_codes == code).sum())
    return row


@validate_arguments
def compare_strata(
    strata: Strata, scores: Mapping[str, ArrayLike], plots: ArrayLike | None = None
) -> pd.DataFrame:
    """Test for each pair of strata whether the mean scores differ.

    Args:
        strata: strata of n crowns.
        scores: (n,) scores by name; NaN without a score.
        plots: (n,) plot of each crown, or None. Without several plots the units are crowns.

    Returns:
        A row per score and pair of strata: ``score``, ``first``, ``second``, ``difference`` (mean
        of the first minus mean of the second), ``low`` and ``high`` (95 % interval, not adjusted),
        ``p``, ``p_adjusted`` (Holm, over all rows), ``differs`` (bool: adjusted p below 0.05) and
        ``reason``: why there is no test, or "".

    Raises:
        InputError: if an array has another length than there are crowns.

    >>> strata = category_strata(np.repeat(["ash", "oak"], 20))
    >>> score = np.append(np.linspace(0.1, 0.3, 20), np.linspace(0.6, 0.8, 20))
    >>> compare_strata(strata, {"iou": score})["differs"].tolist()
    [True]
    """
    n = len(strata.codes)
    labels = strata.labels
    plot_of_crown = None
    if plots is not None:
        plot_of_crown = plot_codes(_objects_per_crown(plots, n, "plots"))
    rows = []
    for name, score in scores.items():
        values = _per_crown(score, n, name)
        means = _StratumMeans.of(values, strata.codes, len(labels), plot_of_crown)
        for first, second in combinations(range(len(labels)), 2):
            row = {"score": name, "first": labels[first], "second": labels[second]}
            row |= means.compare(first, second)._asdict()
            rows.append(row)
    table = pd.DataFrame(rows, columns=["score", "first", "second", *_Difference._fields])
    p_adjusted = _holm(table["p"].to_numpy(dtype=float))
    # A comparison with NaN is false: pairs without a test do not differ.
    differs = p_adjusted < 1 - CONFIDENCE_LEVEL
    after_p = table.columns.get_loc("p") + 1
    table.insert(after_p, "p_adjusted", p_adjusted)
    table.insert(after_p + 1, "differs", differs)
    return cast("pd.DataFrame", table)


class _Difference(NamedTuple):
    """Difference of two means with its test."""

    difference: float
    low: float
    high: float
    p: float
    reason: str


class _StratumMeans(NamedTuple):
    """Means of S strata with their jackknives, computed once for all pairs.

    Units are the P plots, or without plots the crowns, each of which is in one stratum only.
    """

    mean: Floats  #: (S,) means; NaN without a value.
    n_units: Ints  #: (S,) numbers of units with a value.
    freedom: Floats  #: (S,) degrees of freedom of the variances of the means.
    #: (S, P) deviations of the mean without each plot, scaled such that the sum of their squares is
    #: the variance of the mean; without plots (S, 1) square roots of the variances.
    deviation: Floats
    has_plots: bool  #: True if the units are plots.

    @classmethod
    def of(cls, values: Floats, codes: Ints, n_strata: int, plots: Ints | None) -> _StratumMeans:
        """Return the means of strata.

        Args:
            values: (n,) scores; NaN is excluded.
            codes: (n,) stratum of each crown; negative for none.
            n_strata: number of strata S.
            plots: (n,) plot codes, or None for crowns as units.
        """
        used = np.flatnonzero(~np.isnan(values) & (codes >= 0))
        if plots is None:
            return cls._over_crowns(values[used], codes[used], n_strata)
        n_plots = int(plots.max(initial=-1)) + 1
        return cls._over_plots(values[used], codes[used], plots[used], n_strata, n_plots)

    @classmethod
    def _over_crowns(cls, values: Floats, codes: Ints, n_strata: int) -> _StratumMeans:
        """Return the means of strata, with jackknives that leave out one crown at a time.

        Args:
            values: (n,) scores, without NaN.
            codes: (n,) stratum of each crown.
            n_strata: number of strata S.
        """
        n_crowns = np.bincount(codes, minlength=n_strata).astype(float)
        total = np.bincount(codes, values, n_strata)
        mean = ratio(total, n_crowns)
        mean_without_crown = ratio(total[codes] - values, n_crowns[codes] - 1)
        squares = np.square(mean_without_crown - mean[codes])
        factor = (n_crowns - 1) / np.maximum(n_crowns, 1)
        variance = np.bincount(codes, squares, n_strata) * factor
        deviation = np.sqrt(np.maximum(variance, 0.0))
        return cls(
            mean=mean,
            n_units=n_crowns.astype(int),
            freedom=n_crowns - 1.0,
            deviation=deviation[:, np.newaxis],
            has_plots=False,
        )

    @classmethod
    def _over_plots(
        cls, values: Floats, codes: Ints, plots: Ints, n_strata: int, n_plots: int
    ) -> _StratumMeans:
        """Return the means of strata, with jackknives that leave out one plot at a time.

        Args:
            values: (n,) scores, without NaN.
            codes: (n,) stratum of each crown.
            plots: (n,) plot of each crown.
            n_strata: number of strata S.
            n_plots: number of plots P.
        """
        shape = (n_strata, n_plots)
        cells = codes * n_plots + plots
        n_cells = n_strata * n_plots
        # (S, P) numbers and sums of the scores of each stratum in each plot.
        sizes = np.bincount(cells, minlength=n_cells).reshape(shape).astype(float)
        sums = np.bincount(cells, values, n_cells).reshape(shape)
        # (S, 1) numbers and sums in all plots.
        n_crowns = np.bincount(codes, minlength=n_strata).astype(float)[:, np.newaxis]
        total = np.bincount(codes, values, n_strata)[:, np.newaxis]
        mean = ratio(total, n_crowns)
        mean_without_plot = ratio(total - sums, n_crowns - sizes)
        plot_shares = ratio(sizes, n_crowns)
        difference = (mean_without_plot - mean) * np.sqrt(1 - plot_shares)
        return cls(
            mean=mean[:, 0],
            n_units=np.count_nonzero(sizes, axis=1),
            freedom=jackknife_freedom(plot_shares.T),
            deviation=np.where(sizes > 0, difference, 0.0),
            has_plots=True,
        )

    def compare(self, first: int, second: int) -> _Difference:
        """Test the difference of the means of two strata.

        Args:
            first: index of the stratum whose mean is reduced.
            second: index of the stratum whose mean is subtracted.

        Returns:
            The difference with its interval and p-value; both are NaN, with a reason, if there are
            too few units or the scores do not vary.
        """
        pair = [first, second]
        difference = float(self.mean[first] - self.mean[second])
        minimum = MIN_PLOTS if self.has_plots else MIN_UNITS
        if self.n_units[pair].min() < minimum:
            return _untested(difference, _too_few(minimum, self.has_plots))
        if self.has_plots:
            # A plot in both strata links their deviations.
            variance = float(np.square(self.deviation[first] - self.deviation[second]).sum())
        else:
            variance = float(np.square(self.deviation[pair]).sum())
        freedom = float(self.freedom[pair].min())
        # NaN is not above 0 either.
        if not variance > 0 or not freedom > 0:
            reason = TranslatableText("the scores do not vary between plots or crowns")
            return _untested(difference, reason)
        standard_error = np.sqrt(variance)
        p = float(2 * scipy.special.stdtr(freedom, -abs(difference) / standard_error))
        half_width = float(
            scipy.special.stdtrit(freedom, (1 + CONFIDENCE_LEVEL) / 2) * standard_error
        )
        return _Difference(
            difference=difference,
            low=difference - half_width,
            high=difference + half_width,
            p=p,
            reason="",
        )


def _untested(difference: float, reason: str) -> _Difference:
    """Return a difference without an interval and a p-value, with the reason."""
    return _Difference(difference=difference, low=np.nan, high=np.nan, p=np.nan, reason=reason)


def _too_few(minimum: int, are_plots: bool) -> TranslatableText:
    """Return the reason why two strata are not compared."""
    if are_plots:
        return TranslatableText("a stratum occurs in fewer than {minimum} plots", minimum=minimum)
    return TranslatableText("a stratum has fewer than {minimum} crowns", minimum=minimum)


def _holm(p: Floats) -> Floats:
    """Return the p-values (n,) adjusted as by Holm 1979; NaN stays and does not count."""
    adjusted = np.full(len(p), np.nan)
    tested_rows = np.flatnonzero(~np.isnan(p))
    rising_rows = tested_rows[np.argsort(p[tested_rows], kind="stable")]
    # The lowest p-value is multiplied by the number of tests, the highest one by 1.
    factors = np.arange(len(rising_rows), 0, -1)
    # No p-value may become lower than that of a test with a lower one.
    rising_p = np.maximum.accumulate(p[rising_rows] * factors)
    adjusted[rising_rows] = np.minimum(rising_p, 1.0)
    return adjusted


def _per_crown(values: ArrayLike, n: int, what: str) -> Floats:
    """Return numbers (n,); raise InputError for another number of them."""
    numbers = as_float_array(values, f"The list '{what}'")
    _check_count(numbers.shape, n, what)
    return numbers


def _objects_per_crown(values: ArrayLike, n: int, what: str) -> Objects:
    """Return objects (n,); raise InputError for another number of them."""
    objects = np.asarray(values, dtype=object)
    _check_count(objects.shape, n, what)
    return objects


def _check_count(shape: tuple[int, ...], n: int, what: str) -> None:
    """Raise InputError unless an array has the shape (n,).

    Args:
        shape: shape of the array.
        n: number of crowns.
        what: name of the list, for the error.
    """
    if shape != (n,):
        raise InputError(
            "strata.wrong_count",
            "There are {crowns} crowns, but the list '{what}' has another number of values.",
            crowns=n,
            what=what,
        )
