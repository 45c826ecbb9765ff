"""Messages about agreement statistics and estimated ground truths."""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

from randcrowns.core.messages import Message, info, note


class _MessageOfAttribute:
    """Class attribute that replaces itself by a message with a key derived from its name.

    Args:
        text: the message in plain English.
        is_notice: True for the severity "note", False for "info".
    """

    def __init__(self, text: str, is_notice: bool) -> None:
        self._text = text
        self._is_notice = is_notice

    def __set_name__(self, owner: type, name: str) -> None:
        key = f"agreement.{name.lower()}"
        message = note(key, self._text) if self._is_notice else info(key, self._text)
        setattr(owner, name, message)


def _message(text: str, is_notice: bool = False) -> Message:
    """Return a placeholder, typed as the message that replaces it when the class is created."""
    return _MessageOfAttribute(text, is_notice)  # type: ignore[return-value]


class AgreementMessage:
    """Messages to show beside the statistics that they concern.

    The key of a message is the lower-case name of its attribute: that of
    ``AgreementMessage.SPARSE`` is ``agreement.sparse``.
    """

    ONE_ANNOTATOR = _message(
        "There is only one annotator: agreement and the comparison with a consensus require at "
        "least two."
    )
    TWO_ANNOTATORS_BOUND = _message(
        "With two annotators, Smyth's bound is half the share of the area on which they differ."
    )
    TWO_ANNOTATORS_CONSENSUS = _message(
        "With two annotators, whatever either of them marked is in the consensus, so specificity "
        "and positive predictive value are 1 by construction."
    )
    TWO_ANNOTATORS_PPV = _message(
        "With two annotators, whatever either of them marked is in the consensus, so positive "
        "predictive value is 1 by construction."
    )
    TOO_FEW_FOR_OUTLIERS = _message(
        "Outliers and the dendrogram require at least three annotators."
    )
    OUTLIER_MEANING = _message(
        "An outlier differs from the others; this does not mean that the drawings are wrong."
    )
    NOTHING_MARKED = _message(
        "Nobody marked anything in the study area, so agreement is undefined."
    )
    EVERYTHING_MARKED = _message(
        "Everybody marked the whole study area, so chance-corrected agreement is undefined."
    )
    SPARSE = _message(
        "On average an annotator marked less than a tenth of the study area: raw agreement and "
        "Gwet's AC1 are then high whatever the annotators do. Compare them with Fleiss' kappa and "
        "the pairwise F1."
    )
    MOSTLY_MARKED = _message(
        "On average an annotator marked more than nine tenths of the study area: raw agreement, "
        "Gwet's AC1 and the pairwise F1 are then high whatever the annotators do. Compare them "
        "with Fleiss' kappa."
    )
    EMPTY_ANNOTATOR = _message(
        "At least one annotator marked nothing: the F1 with an annotator who marked something is "
        "0, and the positive predictive value is undefined."
    )
    EMPTY_CONSENSUS = _message(
        "The consensus that annotators are compared with is empty: sensitivity is undefined, and "
        "Cohen's kappa is 0 or undefined."
    )
    FULL_CONSENSUS = _message(
        "The consensus that annotators are compared with covers the whole study area: specificity "
        "is undefined, and Cohen's kappa is 0 or undefined."
    )
    NO_STUDY_AREA = _message(
        "No study area was chosen, so only what somebody marked is counted. Choose a study area: "
        "Smyth's bound, specificity, negative predictive value and the kappas mean little without "
        "one.",
        is_notice=True,
    )
    REPAIRED = _message("Polygons that were not valid were repaired before the comparison.")
    BLOCK_RESAMPLING = _message(
        "Intervals come from resampling blocks of the study area: neighbouring pixels are alike, "
        "so intervals that count pixels would be far too narrow."
    )
    PLOT_RESAMPLING = _message(
        "Intervals come from resampling plots: crowns of one plot are alike, so intervals that "
        "count crowns or pixels would be far too narrow."
    )
    BLOCK_CORRELATION = _message(
        "Intervals and p-values of the correlations count the blocks in which the number of "
        "annotators varies, not pixels: neighbouring pixels are alike, so p-values that count "
        "pixels would be far too small."
    )
    TOO_FEW_BLOCKS = _message(
        "Fewer than ten blocks contain anything marked, so there are no intervals; choose smaller "
        "blocks, but larger than a crown."
    )
    FEW_RESAMPLES = _message(
        "Numbers that are defined in fewer than 100 bootstrap samples have no interval; choose "
        "more bootstrap samples."
    )
    STAPLE_TWO_ANNOTATORS = _message(
        "With two annotators, the prior alone decides whether STAPLE keeps what both marked or "
        "what either marked."
    )
    STAPLE_PRIOR = _message("How much STAPLE marks can depend on its prior.")
    STAPLE_SWAPPED = _message(
        "For at least one annotator the sum of sensitivity and specificity is below 1: STAPLE "
        "takes these polygons for the opposite of the truth."
    )
    STAPLE_NOTHING_SHARED = _message(
        "No two annotators marked the same place: STAPLE cannot distinguish good annotators, and "
        "its result depends on its start."
    )
    NOT_CONVERGED = _message("The estimation did not converge within the maximum number of rounds.")
    STAPLE_NOTHING_TO_ESTIMATE = _message(
        "Nothing or everything is marked, so STAPLE has nothing to estimate: the probability is "
        "the share of annotators who marked a place."
    )
    SIMPLE_TWO_ANNOTATORS = _message(
        "With two annotators SIMPLE ends with the polygons of one of them, those of the larger "
        "area unless they tie; which of the two is right cannot be estimated."
    )
    SIMPLE_RULE = _message(
        "The published threshold for discarding annotators differs between sources; mean minus one "
        "standard deviation of the kept annotators' overlap is our default."
    )
    LEVEL_SET_DRIFT = _message(
        "The published method can mark places that no annotator marked; the clipped one cannot."
    )
    LEVEL_SET_START = _message(
        "The result depends on where the contour starts, here at what half of the annotators "
        "marked."
    )
    LEVEL_SET_NOTHING_TO_MOVE = _message(
        "Half of the annotators agree on nothing or on everything, so there is no contour to move: "
        "the result is what half of the annotators marked."
    )
    LEVEL_SET_STOPPED = _message(
        "The contour vanished or became undefined; the last defined one is shown."
    )


def area_consensus_messages(
    messages: Iterable[Message], has_specificity: bool
) -> tuple[Message, ...]:
    """Return messages about votes without statistics that a consensus does not contain.

    Args:
        messages: messages about the votes.
        has_specificity: True if the method estimates the specificity of the annotators.

    >>> print(*area_consensus_messages([AgreementMessage.NO_STUDY_AREA], False))
    No study area was chosen, so only what somebody marked is counted.
    """
    if has_specificity:
        no_study_area = note(
            AgreementMessage.NO_STUDY_AREA.key,
            "No study area was chosen, so only what somebody marked is counted. Choose a study "
            "area: specificity means little without one.",
        )
    else:
        no_study_area = note(
            AgreementMessage.NO_STUDY_AREA.key,
            "No study area was chosen, so only what somebody marked is counted.",
        )
    adapted_messages = []
    for message in messages:
        is_about_study_area = message == AgreementMessage.NO_STUDY_AREA
        adapted_messages.append(no_study_area if is_about_study_area else message)
    return tuple(adapted_messages)


def consensus_messages(statistics: pd.DataFrame, left_one_out: bool = False) -> tuple[Message, ...]:
    """Return messages about statistics of annotators against their consensus.

    The messages name values that are 1 by construction and explain undefined values.

    Args:
        statistics: a row per annotator, as
            :func:`randcrowns.core.agreement.measures.annotator_statistics` returns it.
        left_one_out: True if each annotator was compared with the consensus of the others.

    Returns:
        Messages in a fixed order; none for a single annotator.

    >>> table = pd.DataFrame({"sensitivity": [1.0, 0.5], "specificity": 1.0, "ppv": 1.0})
    >>> [message.key for message in consensus_messages(table)]
    ['agreement.two_annotators_consensus']
    """
    if len(statistics) == 1:
        return ()
    has_ppv = bool(statistics["ppv"].notna().any())
    has_specificity = bool(statistics["specificity"].notna().any())
    is_fixed_by_two = len(statistics) == 2 and not left_one_out and has_ppv
    conditions = {
        AgreementMessage.TWO_ANNOTATORS_CONSENSUS: is_fixed_by_two and has_specificity,
        AgreementMessage.TWO_ANNOTATORS_PPV: is_fixed_by_two and not has_specificity,
        AgreementMessage.EMPTY_CONSENSUS: bool(statistics["sensitivity"].isna().any()),
        AgreementMessage.FULL_CONSENSUS: bool(statistics["specificity"].isna().any()),
    }
    return tuple(message for message, applies in conditions.items() if applies)
