"""Messages about the result of an experiment: its variances, simulated annotators, warnings."""

from __future__ import annotations

from typing import Any

import pandas as pd

from randcrowns.core.messages import Message, info, needs_powers, note, warning
from randcrowns.core.scoring.layer import SCORES
from randcrowns.core.tuning.experiment import Experiment, identical_annotators
from randcrowns.core.tuning.search import GridSearchResult
from randcrowns.core.tuning.variance import AnnotatorVariance
from randcrowns.core.tuning.wrong_pairs import SHIFT, WRONG_KINDS

#: Number of shared crowns below which a variance is reported with a warning.
_FEW_CROWNS = 5
#: Difference below which two mean scores count as equal: a mean score of wrong pairs is known to
#: about this number, see :data:`randcrowns.core.tuning.wrong_pairs.MAX_WRONG_TARGETS`.
_SAME_MEAN_SCORE = 0.02
#: Names of the parameters of a grid in sentences, by its column.
_GRID_NAMES = {
    "alpha": info("grid.alpha", "alpha"),
    "omega": info("grid.omega", "omega"),
    "gamma": info("grid.gamma", "gamma"),
}


def simulation_message(name: str, n_copies: int) -> Message:
    """Return the note that warped copies of the annotator ``name`` were made.

    Args:
        name: name of the annotator.
        n_copies: number of copies.

    >>> print(simulation_message("ann", 3))  # doctest: +ELLIPSIS
    There is only one annotator, 'ann', so others are simulated: 3 warped copies of the ...
    """
    beginning = "There is only one annotator, '{name}', so others are simulated: "
    return note(
        "annotators.simulated",
        f"{beginning}{{count:,}} warped copies of the delineations.",
        one=f"{beginning}1 warped copy of the delineations.",
        name=name,
        count=n_copies,
    )


def origin_message(name: str, n_copies: int) -> Message:
    """Return the beginning of a conclusion from warped copies of the annotator ``name``.

    Args:
        name: name of the annotator.
        n_copies: number of copies.

    >>> print(origin_message("ann", 3))
    From 3 warped copies of ann (no measurement):
    """
    return info(
        "finding.origin",
        "From {count:,} warped copies of {name} (no measurement):",
        one="From 1 warped copy of {name} (no measurement):",
        name=name,
        count=n_copies,
    )


def variance_conclusion(result: AnnotatorVariance) -> list[Message]:
    """Return the variances or why there are none, the excluded crowns, and warnings."""
    return [
        variance_message(result),
        *_exclusion_messages(result.experiment),
        *experiment_warnings(result.experiment),
    ]


def grid_conclusion(search_result: GridSearchResult) -> list[Message]:
    """Return the best set of a grid and its variance, or why no set can be chosen."""
    best = search_result.best
    best_variance = search_result.best_variance
    if best is None or best_variance is None:
        message = search_result.no_choice_message
        return [] if message is None else [message]
    best_set = info(
        "finding.offered",
        "{offered:,} of {sets:,} sets can be chosen; the best is alpha {alpha:g} m, omega "
        "{omega:g} m, gamma {gamma:g}.",
        offered=int(search_result.grid["rank"].notna().sum()),
        sets=len(search_result.grid),
        alpha=best.alpha,
        omega=best.omega,
        gamma=best.gamma,
    )
    return [
        best_set,
        *_edge_messages(search_result),
        *variance_conclusion(best_variance),
        *hidden_error_messages(search_result.recommended),
    ]


def hidden_error_messages(sets: pd.DataFrame) -> list[Message]:
    """Return a warning for each error of delineations that the best set does not reveal.

    The set does not reveal an error if the wrong pairs of its kind score as high as right pairs.

    Args:
        sets: recommended sets, the best one first, with the mean scores of right pairs (``mean``)
            and of each kind of wrong pairs (``wrong_neighbours``, ...), as far as known.

    >>> sets = pd.DataFrame({"mean": [0.984], "wrong_shrunk": [0.983], "wrong_grown": [0.4]})
    >>> [message.key for message in hidden_error_messages(sets)]
    ['finding.hidden_shrunk']
    """
    if not len(sets):
        return []
    best = sets.iloc[0]
    right_score = float(best["mean"])
    messages = []
    for kind in WRONG_KINDS:
        score = float(best.get(f"wrong_{kind}", float("nan")))
        if score >= right_score - _SAME_MEAN_SCORE:
            messages.append(_hidden_error_message(kind, score, right_score))
    return messages


def _hidden_error_message(kind: str, score: float, right_score: float) -> Message:
    """Return the warning that wrong pairs of a kind score as high as right pairs.

    Args:
        kind: a kind of :data:`randcrowns.core.tuning.wrong_pairs.WRONG_KINDS`.
        score: mean score of the wrong pairs with the best set.
        right_score: mean score of the right pairs.
    """
    scores: dict[str, Any] = {"score": score, "right": right_score}
    if kind == "neighbours":
        return warning(
            "finding.hidden_neighbours",
            "Crowns of neighbouring trees still score {score:.2f} with the recommended parameters "
            "(right crowns: {right:.2f}), so these parameters do not show that the wrong tree was "
            "drawn.",
            **scores,
        )
    if kind == "shifted":
        return warning(
            "finding.hidden_shifted",
            "Crowns shifted by {shift:.0%} of their width still score {score:.2f} with the "
            "recommended parameters (right crowns: {right:.2f}), so these parameters do not show "
            "that crowns are drawn in the wrong place.",
            shift=SHIFT,
            **scores,
        )
    if kind == "shrunk":
        return warning(
            "finding.hidden_shrunk",
            "Crowns drawn with a third of their width still score {score:.2f} with the recommended "
            "parameters (right crowns: {right:.2f}), so these parameters do not show that crowns "
            "are drawn too small.",
            **scores,
        )
    return warning(
        "finding.hidden_grown",
        "Crowns drawn with twice their width still score {score:.2f} with the recommended "
        "parameters (right crowns: {right:.2f}), so these parameters do not show that crowns are "
        "drawn too large.",
        **scores,
    )


def _edge_messages(search_result: GridSearchResult) -> list[Message]:
    """Return a caution if the best set has the first or last of several values of a parameter."""
    names_at_edge = []
    for column, name in _GRID_NAMES.items():
        values = search_result.grid[column]
        lowest = values.min()
        highest = values.max()
        best_value = getattr(search_result.best, column)
        if lowest < highest and best_value in (lowest, highest):
            names_at_edge.append(name)
    if not names_at_edge:
        return []
    text = (
        "It lies at the edge of the grid ({names}): a better set may lie outside. Measure the "
        "annotator variance with this set and look at the crowns of that run before you use it."
    )
    return [info("finding.edge", text, names=names_at_edge)]


def _exclusion_messages(experiment: Experiment) -> list[Message]:
    """Return the numbers of excluded crowns by reason; none for a reason without crowns."""
    # With field targets only these are excluded; otherwise each annotator's crowns can be.
    each_is_target = experiment.n_targets == len(experiment.annotators)
    singular, plural = ("delineation", "delineations") if each_is_target else ("target", "targets")
    n_not_shared = len(experiment.excluded) - experiment.n_excluded_outside
    return [
        info(
            f"finding.{key}",
            f"{{count:,}} {plural} excluded: {reason}",
            one=f"1 {singular} excluded: {reason}",
            count=count,
        )
        for key, count, reason in (
            ("not_shared", n_not_shared, "not drawn by all annotators."),
            ("outside", experiment.n_excluded_outside, "outside the image extent."),
        )
        if count
    ]


def variance_message(result: AnnotatorVariance) -> Message:
    """Return the average variance of each score, or the reason why there is none."""
    overall = result.overall
    if overall["reason"]:
        return info("finding.no_variance", "No variance: {why}.", why=overall["reason"])
    values = "RandCrowns {randcrowns}, IoU {iou}, IoUCrowns {iou_crowns}."
    variances = {score: float(overall[f"{score}_variance"]) for score in SCORES}
    has_powers = needs_powers(variances.values())
    return info(
        "finding.variance",
        f"Average variance over {{count:,}} shared crowns: {values}",
        one=f"Average variance over 1 shared crown: {values}",
        count=result.experiment.n_crowns,
        **{score: variance_text(number, has_powers) for score, number in variances.items()},
    )


def variance_text(variance: float, has_powers: bool) -> Message:
    r"""Return a variance with three significant digits, as in the tables, for a sentence.

    Args:
        variance: the variance.
        has_powers: True to write it with a power of ten, as the other numbers of the sentence.

    >>> str(variance_text(0.00072, False)), str(variance_text(0.00072, True))
    ('0.000720', '7.20\xa0×\xa010⁻⁴')
    """
    if has_powers and variance:
        return info("finding.small_number", "{number:.2e}", number=variance)
    return info("finding.number", "{number:#.3g}", number=variance)


def experiment_warnings(experiment: Experiment) -> list[Message]:
    """Return warnings if the crowns are few or annotators have identical delineations."""
    messages = []
    if experiment.n_crowns < _FEW_CROWNS:
        advice = "delineate more before you rely on these numbers."
        message = warning(
            "finding.few_crowns",
            f"Only {{count}} shared crowns: {advice}",
            one=f"Only 1 shared crown: {advice}",
            count=experiment.n_crowns,
        )
        messages.append(message)
    identical_pairs = []
    for first, second in identical_annotators(experiment):
        pair = info("finding.pair", "{one_of} and {other}", one_of=first, other=second)
        identical_pairs.append(pair)
    if identical_pairs:
        text = "Identical delineations, so the variance is too low: {pairs}. Are they copies?"
        messages.append(warning("finding.alike", text, pairs=identical_pairs))
    return messages
