"""Strata by which scores are summarised: any attribute, area, crowding, or the image's edge."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, cast

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from randcrowns.core.arrays import Array, Bools, Floats, Objects, decimal_text
from randcrowns.core.class_names import class_values
from randcrowns.core.classes.strata import (
    COCO_AREA_BREAKS,
    COCO_AREA_NAMES,
    Strata,
    category_strata,
    compare_strata,
    crowding,
    edge_distance,
    number_strata,
    quartile_limits,
    strata_between,
    strata_table,
    stratum_label,
)
from randcrowns.core.classes.values import NO_CLASS
from randcrowns.core.crowns import Crowns
from randcrowns.core.errors import InputError
from randcrowns.core.messages import Message, info
from randcrowns.core.scoring.layer import SCORE_NAMES
from randcrowns.core.status import TextEnum

#: Maximum number of strata. More are refused: their table and plot are not readable.
MAX_STRATA = 500
#: Maximum number of strata that are compared in pairs; with more, hardly a test could find
#: anything, because the p-values of all pairs are adjusted together.
MAX_COMPARED_STRATA = 50


class SummariseBy(TextEnum):
    """Property by which crowns are divided into strata."""

    #: No strata.
    NONE = "none"
    #: Attribute of the targets.
    ATTRIBUTE = "attribute"
    #: Area of the targets.
    AREA = "area"
    #: COCO's small, medium and large crowns, of layers in pixels.
    PIXELS = "pixels"
    #: Number of delineations that overlap a target.
    CROWDING = "crowding"
    #: Distance of a target to the edge of the image.
    EDGE = "edge"


class RowKind(TextEnum):
    """Kind of a row of the table of strata."""

    #: A stratum.
    STRATUM = "stratum"
    #: Crowns without a value.
    NO_VALUE = "no value"
    #: Delineations without a target, which belong to no stratum.
    UNMATCHED = "unmatched"


@dataclass(frozen=True)
class StrataRequest:
    """Property by which crowns are divided, with its limits.

    Attributes:
        by: the property.
        breaks: rising limits between the strata; None for categories or quartiles.
        values: (T,) values of the attribute, for :attr:`SummariseBy.ATTRIBUTE`.
        is_numeric: True if the attribute contains numbers, False for categories.
        name: name of the property in messages, such as the name of the attribute.
        extent: polygon or bounds of the image, for :attr:`SummariseBy.EDGE`.
        pixel_size: side of a pixel, m, for :attr:`SummariseBy.PIXELS`.
    """

    by: SummariseBy
    breaks: tuple[float, ...] | None = None
    values: Sequence[Any] = ()
    is_numeric: bool = False
    name: str = ""
    extent: Any = None
    pixel_size: float | None = None


class StratumScores(NamedTuple):
    """Results of the crowns that are summarised: T targets and D delineations."""

    #: (T,) scores by name; NaN without a score.
    scores: Mapping[str, ArrayLike]
    #: (T,) mask of targets that were found.
    is_found: Bools
    #: (D,) mask of delineations without a target.
    is_unmatched: Bools
    #: (T,) plots of the targets, or None.
    plots: Objects | None = None
    #: (T,) problem of each target, None without one; or None.
    problems: Objects | None = None


@dataclass(frozen=True)
class StrataSummary:
    """Scores by stratum, and the tests of their differences.

    Attributes:
        table: a row per stratum: ``stratum``, ``kind`` (a :class:`RowKind`), ``unmatched`` (number
            of delineations without a target) and the columns of
            :func:`randcrowns.core.classes.strata.strata_table`.
        tests: a row per score and pair of strata, see
            :func:`randcrowns.core.classes.strata.compare_strata`; without rows if there are more
            than :data:`MAX_COMPARED_STRATA` strata.
        messages: a message per score that says which strata differ, or that none do; or one that
            the strata are too many to be compared.
    """

    table: pd.DataFrame
    tests: pd.DataFrame
    messages: list[Message] = field(default_factory=list)


class StrataValues(NamedTuple):
    """Values of the property by which crowns are divided; see :func:`strata_values`."""

    targets: Array  #: (T,) values of the targets: numbers, or names of categories.
    #: (D,) values of the delineations; None if they do not have the property.
    delineations: Floats | None = None


@dataclass(frozen=True)
class _StrataOfBoth:
    """Strata of targets, and of delineations if they have the property too."""

    targets: Strata
    delineations: Strata | None


def parse_breaks(text: str) -> tuple[float, ...] | None:
    """Return the limits between strata in a text such as ``10; 20; 50``.

    Args:
        text: rising numbers, separated by spaces or semicolons; decimals have a point.

    Returns:
        The numbers; None for a blank text.

    Raises:
        InputError: if a part is not a number, or the numbers do not rise.

    >>> parse_breaks("10; 20.5 50"), parse_breaks(" ")
    ((10.0, 20.5, 50.0), None)
    """
    parts = [part for part in re.split(r"[;\s]+", text) if part]
    if not parts:
        return None
    try:
        numbers = tuple(float(part) for part in parts)
    except ValueError:
        numbers = ()
    are_rising = (np.diff(numbers) > 0).all() and np.isfinite(numbers).all()
    if not numbers or not are_rising:
        raise InputError(
            "strata.unreadable_breaks",
            "'{text}' is not a list of limits. Write rising numbers with semicolons between them, "
            "such as 10; 20; 50.",
            text=text,
        )
    return numbers


def summarise_strata(
    request: StrataRequest, targets: Crowns, delineations: Crowns, results: StratumScores
) -> StrataSummary:
    """Summarise scores by stratum and test whether the strata differ.

    Args:
        request: property by which the targets are divided.
        targets: T targets.
        delineations: D delineations.
        results: scores and other results of the crowns.

    Raises:
        InputError: if the breaks do not rise, a value of the attribute is no class, there are more
            than :data:`MAX_STRATA` strata, or the extent or the pixel size that the property needs
            is missing.

    >>> import shapely
    >>> crowns = Crowns([shapely.box(0, 0, 2, 2), shapely.box(5, 5, 9, 9)])
    >>> results = StratumScores({"iou": [0.5, 0.9]}, np.ones(2, bool), np.zeros(2, bool))
    >>> request = StrataRequest(SummariseBy.AREA, breaks=(9.0,), name="area")
    >>> summarise_strata(request, crowns, crowns, results).table["iou_mean"].tolist()
    [0.5, 0.9]
    """
    return summarise_values(request, strata_values(request, targets, delineations), results)


def strata_values(
    request: StrataRequest, targets: Crowns, delineations: Crowns | None = None
) -> StrataValues:
    """Return the value of each crown by which crowns are divided into strata.

    The value of a target depends on the target and on the delineations that overlap it, so that
    values of parts of a layer can be joined.

    Args:
        request: property by which the targets are divided.
        targets: T targets.
        delineations: D delineations; None if the property does not depend on them.

    Raises:
        InputError: if a value of the attribute is no class, or the extent or the pixel size that
            the property needs is missing.

    >>> import shapely
    >>> crowns = Crowns([shapely.box(0, 0, 2, 2)])
    >>> strata_values(StrataRequest(SummariseBy.AREA, name="area"), crowns).targets.tolist()
    [4.0]
    """
    if request.by is SummariseBy.ATTRIBUTE:
        return _attribute_values(request)
    if delineations is None:
        delineations = targets.subset(np.arange(0))
    if request.by is SummariseBy.CROWDING:
        return StrataValues(crowding(targets, delineations))
    if request.by is SummariseBy.EDGE:
        return StrataValues(edge_distance(targets, request.extent))
    if request.by is SummariseBy.PIXELS:
        pixel_area = _pixel_area(request)
        return StrataValues(targets.areas / pixel_area, delineations.areas / pixel_area)
    return StrataValues(targets.areas, delineations.areas)


def _pixel_area(request: StrataRequest) -> float:
    """Return the area of a pixel, m².

    Raises:
        InputError: if the size of a pixel is unknown.
    """
    if request.pixel_size is None:
        raise InputError(
            "strata.no_pixel_size",
            "Small, medium and large crowns are defined in pixels, but the size of a pixel is "
            "unknown. Summarise by area instead.",
        )
    return request.pixel_size**2


def summarise_values(
    request: StrataRequest, values: StrataValues, results: StratumScores
) -> StrataSummary:
    """Summarise scores by the strata of values, and test whether the strata differ.

    Args:
        request: property by which the targets are divided; its values of the attribute are not
            read.
        values: value of each crown, see :func:`strata_values`.
        results: scores and other results of the crowns.

    Returns:
        The table of the strata, in which delineations without a target follow in a row of their own
        unless they belong to strata; the tests and messages.

    Raises:
        InputError: if the breaks do not rise, or there are more than :data:`MAX_STRATA` strata.

    >>> results = StratumScores({"iou": [0.5, 0.9]}, np.ones(2, bool), np.zeros(0, bool))
    >>> request = StrataRequest(SummariseBy.EDGE, breaks=(9.0,), name="edge")
    >>> summarise_values(request, StrataValues(np.array([1.0, 20.0])), results).table["iou_mean"]
    0    0.5
    1    0.9
    2    NaN
    Name: iou_mean, dtype: float64
    """
    strata_of_both = _build_strata(request, values)
    target_strata = strata_of_both.targets
    n_strata = len(target_strata.labels)
    _check_stratum_count(request, n_strata)
    target_table = strata_table(
        target_strata,
        results.scores,
        plots=results.plots,
        is_found=results.is_found,
        problems=results.problems,
    ).reset_index()
    # Without scores, the table of tests has no rows.
    compared_scores = results.scores if n_strata <= MAX_COMPARED_STRATA else {}
    tests = compare_strata(target_strata, compared_scores, results.plots)
    return StrataSummary(
        table=_add_unmatched(target_table, strata_of_both, results.is_unmatched),
        tests=tests,
        messages=strata_messages(request.name, tests, n_strata),
    )


def check_request(request: StrataRequest) -> None:
    """Raise an error for strata that are too many, as far as this is known before the scoring.

    Args:
        request: property by which the targets will be divided.

    Raises:
        InputError: if the breaks or the values of the attribute make more than :data:`MAX_STRATA`
            strata, or a value of the attribute is no class.

    >>> ids = tuple(f"tree {number}" for number in range(501))
    >>> try:
    ...     check_request(StrataRequest(SummariseBy.ATTRIBUTE, values=ids, name="tree"))
    ... except InputError as error:
    ...     print(error.key)
    strata.too_many
    """
    if request.by is SummariseBy.ATTRIBUTE:
        strata = _build_strata(request, _attribute_values(request)).targets
        _check_stratum_count(request, len(strata.labels))
    elif request.breaks is not None:
        _check_stratum_count(request, len(request.breaks) + 1)


def _check_stratum_count(request: StrataRequest, n_strata: int) -> None:
    """Raise an InputError if a property makes too many strata.

    Args:
        request: property by which the targets are divided.
        n_strata: number of strata that it makes.
    """
    if n_strata > MAX_STRATA:
        raise InputError(
            "strata.too_many",
            "'{name}' makes {count:,} strata, more than {maximum:,}. Choose a field with fewer "
            "values, or limits of numbers.",
            name=request.name,
            count=n_strata,
            maximum=MAX_STRATA,
        )


def _too_many_to_compare(name: str, n_strata: int) -> Message:
    """Return the message that strata are too many to be compared in pairs."""
    return info(
        "strata.too_many_to_compare",
        "{name}: the {count:,} strata are not compared with each other, because they are more than "
        "{maximum:,}.",
        name=name,
        count=n_strata,
        maximum=MAX_COMPARED_STRATA,
    )


def strata_messages(name: str, tests: pd.DataFrame, n_strata: int) -> list[Message]:
    """Return messages that say in which scores strata differ, seem alike, or cannot be tested.

    Args:
        name: name of the property.
        tests: table of :func:`randcrowns.core.classes.strata.compare_strata`.
        n_strata: number of strata. Too many are not compared, which the only message says.

    >>> tests = pd.DataFrame({"score": ["iou"], "differs": [False], "p": [0.6]})
    >>> [message.key for message in strata_messages("species", tests, 2)]
    ['strata.alike']
    """
    if n_strata > MAX_COMPARED_STRATA:
        return [_too_many_to_compare(name, n_strata)]
    if not len(tests):
        return []
    messages = []
    alike_scores = []
    untested_scores = []
    for score, score_tests in tests.groupby("score", sort=False):
        score_name = SCORE_NAMES.get(str(score), str(score))
        different = score_tests[score_tests["differs"].astype(bool)]
        if score_tests["p"].isna().all():
            untested_scores.append(score_name)
        elif not len(different):
            alike_scores.append(score_name)
        else:
            messages.append(_difference_message(name, score_name, different, len(score_tests)))
    if alike_scores:
        messages.append(
            info(
                "strata.alike",
                "{score} by {name}: the strata cannot be told apart.",
                score=", ".join(alike_scores),
                name=name,
            )
        )
    if untested_scores:
        messages.append(
            info(
                "strata.not_tested",
                "{score} by {name}: there are too few crowns or plots to compare the strata.",
                score=", ".join(untested_scores),
                name=name,
            )
        )
    return messages


def _attribute_values(request: StrataRequest) -> StrataValues:
    """Return the values of the attribute: numbers, or names of categories."""
    if _is_by_number(request):
        return StrataValues(_as_numbers(request.values))
    return StrataValues(class_values(np.asarray(request.values, dtype=object)))


def _is_by_number(request: StrataRequest) -> bool:
    """Return True if the strata of an attribute are ranges of numbers, not categories."""
    return request.is_numeric or request.breaks is not None


def _build_strata(request: StrataRequest, values: StrataValues) -> _StrataOfBoth:
    """Return the strata of the targets, and of the delineations if they have the property."""
    has_categories = request.by is SummariseBy.ATTRIBUTE and not _is_by_number(request)
    has_counts = request.by is SummariseBy.CROWDING and request.breaks is None
    if has_categories or has_counts:
        return _StrataOfBoth(targets=category_strata(values.targets), delineations=None)
    breaks = request.breaks
    if request.by is SummariseBy.PIXELS:
        breaks = COCO_AREA_BREAKS
    target_strata = number_strata(values.targets, breaks)
    if request.by is SummariseBy.PIXELS:
        target_strata = target_strata._replace(labels=COCO_AREA_NAMES)
    if values.delineations is None:
        return _StrataOfBoth(targets=target_strata, delineations=None)
    # Delineations are divided by the quartiles of the targets.
    limits = quartile_limits(values.targets) if breaks is None else np.array(breaks)
    delineation_strata = strata_between(values.delineations, limits)
    return _StrataOfBoth(targets=target_strata, delineations=delineation_strata)


def _as_numbers(values: Sequence[Any]) -> Floats:
    """Return values (n,) as numbers; NaN for missing values and texts that are no numbers."""
    series = pd.to_numeric(pd.Series(values, dtype=object), errors="coerce")
    numbers: Floats = series.to_numpy(dtype=float, na_value=np.nan)
    return numbers


def _add_unmatched(
    table: pd.DataFrame, strata_of_both: _StrataOfBoth, is_unmatched: Bools
) -> pd.DataFrame:
    """Return the table of strata with the delineations that have no target.

    They are counted in their stratum if they have the property, otherwise in a row of their own.

    Args:
        table: table of strata with the column ``stratum``.
        strata_of_both: strata of the crowns.
        is_unmatched: (D,) mask of the delineations without a target.

    Returns:
        The table with the additional columns ``kind``, after ``stratum``, and ``unmatched``.
    """
    n_strata = len(strata_of_both.targets.labels)
    # The rows of the strata are followed by one of the crowns without a value, if there are any.
    is_stratum = np.arange(len(table)) < n_strata
    kinds = np.where(is_stratum, RowKind.STRATUM.value, RowKind.NO_VALUE.value)
    rows = table.assign(stratum=table["stratum"].astype(object).where(is_stratum, None))
    rows.insert(1, "kind", kinds.astype(object))
    n_unmatched = np.full(len(rows), np.nan)
    if strata_of_both.delineations is not None:
        unmatched_codes = strata_of_both.delineations.codes[is_unmatched]
        known_codes = unmatched_codes[unmatched_codes != NO_CLASS]
        n_unmatched[:n_strata] = np.bincount(known_codes, minlength=n_strata)
        return cast("pd.DataFrame", rows.assign(unmatched=n_unmatched))

    unmatched_row = pd.DataFrame(
        {"stratum": None, "kind": RowKind.UNMATCHED.value, "unmatched": int(is_unmatched.sum())},
        index=[0],
    )
    # As objects, rows are joined without a change of the empty cells.
    rows = rows.assign(unmatched=n_unmatched).astype(object)
    last_row = unmatched_row.reindex(columns=rows.columns).astype(object)
    joined = pd.concat([rows, last_row], ignore_index=True)
    return cast("pd.DataFrame", joined.infer_objects())


def _difference_message(
    name: str, score_name: str, different: pd.DataFrame, n_pairs: int
) -> Message:
    """Return a message that says which strata differ most in a score.

    Args:
        name: name of the property.
        score_name: name of the score.
        different: rows of the tests of the score in which strata differ.
        n_pairs: number of its tests.
    """
    largest = different.iloc[int(different["difference"].abs().argmax())]
    difference = float(largest["difference"])
    # The difference is the mean of the first stratum minus that of the second.
    if difference > 0:
        lower, higher = largest["second"], largest["first"]
    else:
        lower, higher = largest["first"], largest["second"]
    return info(
        "strata.differ",
        "{score} by {name}: {lower} is lower than {higher} by {difference}; {count:,} of "
        "{pairs:,} pairs of strata differ.",
        score=score_name,
        name=name,
        lower=stratum_label(str(lower)),
        higher=stratum_label(str(higher)),
        difference=decimal_text(abs(difference)),
        count=len(different),
        pairs=n_pairs,
    )
