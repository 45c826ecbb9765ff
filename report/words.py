"""Words for detected and undetected crowns: one set for all pages, tables, maps and reports.

The measures come from papers and programs that use different words for the same thing. Their words
are only named in explanations.
"""

from __future__ import annotations

from typing import NamedTuple

from randcrowns.core.status import Status
from randcrowns.report.language import tr


class Word(NamedTuple):
    """A word in the language in use."""

    one: str  #: The word for one crown.
    many: str  #: The word for several crowns.
    sources: str  #: Sentence that names the words of papers and programs for it.


def detected() -> Word:
    """Return the word for a target with a crown that was drawn or predicted.

    >>> detected().one
    'detected'
    """
    word = tr("detected")
    return Word(word, word, tr("Also called matched, found or true positive (TP)."))


def detection_sentence(n_detected: int, n_targets: int, n_false: int | None) -> str:
    """Return a sentence with the number of detected targets.

    Args:
        n_detected: number of detected targets.
        n_targets: number of targets.
        n_false: number of false detections; None if they are unknown.

    >>> detection_sentence(3, 4, None)
    '3 of 4 targets were detected.'
    """
    if n_false is None:
        return tr(
            "{detected:,} of {targets:,} targets were detected.",
            detected=n_detected,
            targets=n_targets,
        )
    return tr(
        "{detected:,} of {targets:,} targets were detected; false detections: {false:,}.",
        detected=n_detected,
        targets=n_targets,
        false=n_false,
    )


def not_detected() -> Word:
    """Return the word for a target without a crown that was drawn or predicted.

    >>> not_detected().many
    'not detected'
    """
    word = tr("not detected")
    return Word(
        word, word, tr("Also called missed, missing, unmatched, not found or false negative (FN).")
    )


def not_reached() -> Word:
    """Return the word for a target whose crown does not reach its certain part.

    >>> not_reached().one
    'not detected (not reached)'
    """
    word = tr("not detected (not reached)")
    return Word(word, word, tr("Also called missed (Stewart et al. 2021)."))


def false_detection() -> Word:
    """Return the word for a drawn or predicted crown without a target.

    >>> false_detection()[:2]
    ('false detection', 'false detections')
    """
    return Word(
        tr("false detection"),
        tr("false detections"),
        tr("Also called extra, unmatched or false positive (FP)."),
    )


def status_labels() -> dict[Status, str]:
    """Return the label of each status of a scored crown.

    >>> status_labels()[Status.TARGET_TOO_SMALL]
    'too small'
    """
    return {
        Status.SCORED: tr("scored"),
        Status.MISSED: not_reached().one,
        Status.UNMATCHED: not_detected().one,
        Status.TARGET_TOO_SMALL: tr("too small"),
        Status.EXTENT_LIMITED: tr("limited by extent"),
        Status.NO_GEOMETRY: tr("no geometry"),
        Status.OUTSIDE_EXTENT: tr("outside the extent"),
        Status.MATCHED: tr("matched"),
        Status.NOT_JUDGED: tr("not judged"),
    }
