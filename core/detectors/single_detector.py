"""Conclusion of a ranking with a single detector: the values that it has."""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

from randcrowns.core.arrays import number_text
from randcrowns.core.detectors.conclusion import BY_AREA, BY_CROWNS
from randcrowns.core.detectors.crown_ranking import CrownRanking
from randcrowns.core.detectors.ranking import DetectorRanking
from randcrowns.core.messages import Message, info

# Sentences are written out for each measure, so that each of them is translated as a whole.

#: Sentences for the value of a detector under one ground truth, by measure.
_VALUE = {
    BY_CROWNS: "{name} has an AP (all points) of {low} under {who} (whole crowns).",
    BY_AREA: "{name} has an AUCR of {low} under {who}.",
}
#: Sentences for a value that is the same under several ground truths, by measure.
_SAME_VALUE = {
    BY_CROWNS: "{name} has an AP (all points) of {low} under {number} annotators (whole crowns).",
    BY_AREA: "{name} has an AUCR of {low} under {number} ground truths.",
}
#: Sentences for the range of values under several ground truths, by measure.
_VALUE_RANGE = {
    BY_CROWNS: (
        "{name} has an AP (all points) of {low} to {high} under {number} annotators (whole crowns)."
    ),
    BY_AREA: "{name} has an AUCR of {low} to {high} under {number} ground truths.",
}


def describe_single_detector(
    areas: DetectorRanking | None, crowns: CrownRanking | None
) -> list[Message]:
    """Return the values of the only detector by whole crowns and by area, or why it has none.

    Args:
        areas: ranking by area, or None.
        crowns: ranking by whole crowns, or None.

    Returns:
        Messages; empty if several detectors were ranked, or if no crowns have a value and no areas
        were counted.
    """
    if areas is None:
        return [] if crowns is None else describe_single_crown_detector(crowns)
    if len(areas.aucr) != 1:
        return []
    detector = str(areas.aucr.index[0])
    aucr = areas.aucr.iloc[0].dropna()
    precision = pd.Series(dtype=float)
    if crowns is not None and detector in crowns.average_precision.index:
        precision = crowns.average_precision.loc[detector].dropna()
    if not len(aucr) and not len(precision):
        return _no_value_messages(areas, detector)
    messages = []
    if len(precision):
        messages.append(_value_message("verdict.one_crowns", detector, precision, BY_CROWNS))
    if len(aucr):
        messages.append(_value_message("verdict.one", detector, aucr, BY_AREA))
    messages.append(info("verdict.no_other", "There is no other detector to compare it with."))
    return messages


def _no_value_messages(areas: DetectorRanking, detector: str) -> list[Message]:
    """Return messages that a detector has no value, with the first known reason.

    Args:
        areas: ranking by area.
        detector: name of the detector.
    """
    message = info("verdict.no_value", "{name} has no value under any ground truth.", name=detector)
    reasons = list(areas.reasons.values())
    if detector in areas.reasons:
        reasons = [areas.reasons[detector]]
    return [message, *first_reason_message("verdict", reasons)]


def describe_single_crown_detector(crowns: CrownRanking) -> list[Message]:
    """Return the values of the only detector with crowns to count; empty if there are others."""
    precision = crowns.average_precision.dropna(axis=0, how="all")
    if len(precision) != 1:
        return []
    detector = str(precision.index[0])
    known_precision = precision.iloc[0].dropna()
    return [
        _value_message("crown_verdict.one", detector, known_precision, BY_CROWNS),
        info(
            "crown_verdict.no_other",
            "No other detector has crowns to count, so there is nothing to rank.",
        ),
    ]


def _value_message(key: str, detector: str, values: pd.Series, measure: str) -> Message:
    """Return a message with the value of a detector, or with its lowest and highest value.

    Args:
        key: key of the message.
        detector: name of the detector.
        values: its values by ground truth; at least one.
        measure: measure of the values, ``BY_AREA`` or ``BY_CROWNS``.
    """
    low = number_text(values.min(), 3)
    high = number_text(values.max(), 3)
    if len(values) == 1:
        return info(key, _VALUE[measure], name=detector, low=low, who=values.index[0])
    template = _SAME_VALUE[measure] if low == high else _VALUE_RANGE[measure]
    return info(key, template, name=detector, low=low, high=high, number=len(values))


def first_reason_message(topic: str, reasons: Iterable[Message]) -> list[Message]:
    """Return a message with the first of several reasons; none without any.

    Args:
        topic: topic of the message, the first part of its key.
        reasons: reasons why there is no value.
    """
    reason = next(iter(reasons), None)
    if reason is None:
        return []
    return [info(f"{topic}.why", "{why}", why=reason)]
