"""RandCrowns with the spread of each target's own outlines in place of one alpha and omega."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from randcrowns.core.arrays import Floats, Ints, Objects, as_float_array, number_with_interval_text
from randcrowns.core.crowns import Crowns
from randcrowns.core.errors import InputError
from randcrowns.core.messages import Message, note
from randcrowns.core.progress import Progress, iterate_with_progress, no_progress
from randcrowns.core.scoring.pairing import Pairing
from randcrowns.core.scoring.parameters import RandCrownsParameters
from randcrowns.core.scoring.score import score_pairs
from randcrowns.core.statistics import mean_interval, plot_codes
from randcrowns.core.validation import validate_arguments

#: Quantile of the standard normal distribution below which 95 % of the values lie.
_NORMAL_QUANTILE = 1.6448536269514722
#: Standard deviation of normal distances with a mean absolute value of 1.
_DEVIATION_PER_MEAN = math.sqrt(math.pi / 2)
#: Decimals of the lengths of targets, m. Targets of one length are scored together.
_DECIMALS = 2


class OwnSpreadScores(NamedTuple):
    """Scores of T targets with alpha and omega from the spread of their own outlines.

    Attributes:
        randcrowns: (T,) RandCrowns: 0 for a target without a delineation; NaN for a target without
            a spread, or too small for its length.
        lengths: (T,) alpha and omega of each target, m; NaN without a spread.
    """

    randcrowns: Floats
    lengths: Floats


def length_of_spread(spread: ArrayLike) -> Any:
    """Return the length that 95 % of the outlines do not exceed inwards, and 95 % not outwards.

    The spread of a crown is the mean distance of its annotators' outlines from the outline of
    their consensus. If these distances are normal, their standard deviation is sqrt(π / 2) times
    as large.

    Args:
        spread: number or array, m.

    >>> round(float(length_of_spread(0.3)), 3)
    0.618
    """
    return _NORMAL_QUANTILE * _DEVIATION_PER_MEAN * np.asarray(spread, dtype=float)


def check_spread(spread: ArrayLike) -> Floats:
    """Return spreads as (n,) floats, m; NaN for crowns that one annotator drew.

    Args:
        spread: (n,) spread of each crown, m.

    Raises:
        InputError: if no crown has a spread, or a spread is negative or infinite.

    >>> check_spread([0.2, float("nan")]).tolist()
    [0.2, nan]
    """
    values = as_float_array(spread, "The list of spreads")
    known_values = values[~np.isnan(values)]
    if not len(known_values):
        raise InputError(
            "spread.none",
            "No crown of the consensus has a spread. It requires crowns that several annotators "
            "drew.",
        )
    if not (np.isfinite(known_values).all() and (known_values >= 0).all()):
        raise InputError(
            "spread.invalid", "The spread of outlines must be a number of 0 or more, in metres."
        )
    return values


@validate_arguments
def score_with_own_spread(
    targets: Crowns,
    delineations: Objects,
    pairs: pd.DataFrame,
    spread: ArrayLike,
    parameters: RandCrownsParameters,
    pairing: Pairing | str = Pairing.NEAREST,
    extent: Any = None,
    *,
    progress: Progress = no_progress,
) -> OwnSpreadScores:
    """Score targets with alpha and omega from the spread of their own outlines.

    The pairs are those that were assigned with one alpha and omega for all targets. Lengths are
    rounded to whole centimetres.

    Args:
        targets: T target crowns.
        delineations: (D,) polygons that were scored, metres.
        pairs: assigned pairs: rows ``target`` and ``delineation``.
        spread: (T,) spread of each target's outlines, m; NaN without one.
        parameters: gamma and the kind of offsets.
        pairing: method that assigned the pairs, which decides the score of several delineations.
        extent: polygon to which the offsets of targets are clipped; None for none.
        progress: receives the fraction done.

    Raises:
        InputError: if no target has a spread, or a spread is negative or infinite.

    >>> import shapely
    >>> tree, drawn = shapely.box(0, 0, 8, 8), np.array([shapely.box(1, 0, 9, 8)])
    >>> pairs = pd.DataFrame({"target": [0, 1], "delineation": [0, 0]})
    >>> parameters = RandCrownsParameters(0.7, 1.2, 3)
    >>> scores = score_with_own_spread(Crowns([tree] * 2), drawn, pairs, [0.1, 0.5], parameters)
    >>> scores.randcrowns.round(3).tolist(), scores.lengths.tolist()
    ([0.997, 1.0], [0.21, 1.03])
    """
    exact_lengths = length_of_spread(check_spread(spread))
    # Equal rounded lengths are scored together.
    lengths = np.round(exact_lengths, _DECIMALS)
    target_rows = pairs["target"].to_numpy(dtype=np.int64)
    drawn_rows = pairs["delineation"].to_numpy(dtype=np.int64)
    drawn_geometry = delineations[drawn_rows]
    length_of_pair = lengths[target_rows]
    scores = np.full(len(pairs), np.nan)
    distinct_lengths = np.unique(length_of_pair[~np.isnan(length_of_pair)])
    for length, report_progress in iterate_with_progress(distinct_lengths.tolist(), progress):
        rows = np.flatnonzero(length_of_pair == length)
        own_parameters = replace(parameters, alpha=length, omega=length)
        pair_scores = score_pairs(
            targets.geometry[target_rows[rows]],
            drawn_geometry[rows],
            own_parameters,
            extent,
            progress=report_progress,
        )
        scores[rows] = pair_scores["randcrowns"].to_numpy(dtype=float)
    own_scores = _score_of_targets(target_rows, scores, len(targets), Pairing(pairing))
    own_scores[np.isnan(lengths)] = np.nan
    return OwnSpreadScores(own_scores, lengths)


def _score_of_targets(target: Ints, score: Floats, n_targets: int, pairing: Pairing) -> Floats:
    """Return the score of each target (T,) from the scores of its pairs; 0 without a pair.

    Args:
        target: (P,) target of each pair.
        score: (P,) score of each pair; NaN where it is undefined.
        n_targets: number of targets T.
        pairing: method that assigned the pairs.
    """
    by_target = pd.Series(score).groupby(target)
    if pairing is Pairing.MEAN_OVER_COUNT:
        values = by_target.mean() / by_target.size()
    else:
        values = by_target.min()
    scores = np.zeros(n_targets)
    scores[values.index] = values
    return scores


def own_spread_message(
    layer: str, own_scores: OwnSpreadScores, common: ArrayLike, plots: Objects | None
) -> Message:
    """Return a message that compares the mean score with own lengths and that with common lengths.

    Both are means over the targets that have a score with their own lengths.

    Args:
        layer: name of the delineation layer.
        own_scores: scores with the targets' own lengths.
        common: (T,) RandCrowns with the same alpha and omega for all targets.
        plots: (T,) plots of the targets, or None.

    >>> own = OwnSpreadScores(np.array([0.5, 0.7]), np.array([0.2, 0.4]))
    >>> print(own_spread_message("anna", own, [0.4, 0.6], None))
    anna: with alpha and omega from the spread of each target (2 targets, median 0.30 m), the mean \
RandCrowns is 0.60; with one alpha and omega for all it is 0.50.
    """
    common_scores = np.asarray(common, dtype=float)
    has_both_scores = ~np.isnan(own_scores.randcrowns) & ~np.isnan(common_scores)
    rows = np.flatnonzero(has_both_scores)
    if len(rows) == 0:
        return note(
            "scoring.own_spread_none",
            "{layer}: no target has a score with alpha and omega from its own spread.",
            layer=layer,
        )
    randcrowns = own_scores.randcrowns[rows]
    codes = None if plots is None else plot_codes(plots[rows])
    low, high = mean_interval(randcrowns, codes)
    return note(
        "scoring.own_spread",
        "{layer}: with alpha and omega from the spread of each target ({count:,} targets, median "
        "{length:.2f} m), the mean RandCrowns is {own}; with one alpha and omega for all it is "
        "{common:.2f}.",
        one="{layer}: with alpha and omega from the spread of the target (1 target, {length:.2f} "
        "m), RandCrowns is {own}; with the other alpha and omega it is {common:.2f}.",
        layer=layer,
        count=len(rows),
        length=float(np.median(own_scores.lengths[rows])),
        own=number_with_interval_text(float(randcrowns.mean()), low, high),
        common=float(common_scores[rows].mean()),
    )
