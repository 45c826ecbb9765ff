"""Words for detected and undetected crowns: one set for all pages, tables, maps and reports.

The measures come from papers and programs that use different words for the same thing. Their words
are only named in explanations.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import NamedTuple

from randcrowns.core.messages import Message
from randcrowns.core.status import Status
from randcrowns.report.language import format_time, tr

#: Short name of each score by its column, for narrow columns.
SCORE_ABBREVIATIONS = {"randcrowns": "RC", "iou": "IoU", "iou_crowns": "IoUC"}
#: Keys of notes that limit what the answer of a run means.
_CAVEATS = frozenset({"annotators.simulated", "ranking.beyond_skew_limits"})
#: Number at the end of a key.
_FINAL_NUMBER = re.compile(r"\d+$")


def made_sentence(time: datetime, versions: str) -> str:
    """Return when and with what a page was made.

    Args:
        time: time at which it was made.
        versions: programs with their versions.
    """
    return tr("Made {time} with {versions}", time=format_time(time), versions=versions)


def study_area_text(messages: Iterable[Message]) -> str:
    """Return the study area that a run used, with its size; "" if no message describes it.

    >>> from randcrowns.core.messages import info
    >>> study_area_text([info("study_area.is", "Study area: a rectangle (100 m²).")])
    'a rectangle (100 m²)'
    """
    for message in messages:
        if message.key == "study_area.is":
            # The message is a sentence in the language in use: "Study area: ... ."
            return message.sentence(tr).partition(":")[2].strip().removesuffix(".")
    return ""


def answer_caveats(messages: Iterable[Message]) -> list[str]:
    """Return the notes of a run that limit what its answer means, each once.

    >>> from randcrowns.core.tuning.conclusion import simulation_message
    >>> len(answer_caveats([simulation_message("ann", 3)]))
    1
    """
    sentences = [message.sentence(tr) for message in messages if message.key in _CAVEATS]
    return list(dict.fromkeys(sentences))


def text_of_key(texts: Mapping[str, str], key: str) -> str:
    """Return the text of a key of a column.

    A key without a text of its own may end in a number: ``band 2`` then has the text of ``band #``
    with that number. Any other key is returned unchanged.

    >>> text_of_key({"all": "all plots", "band #": "band no. #"}, "band 2")
    'band no. 2'
    """
    if key in texts or not texts:
        return texts.get(key, key)
    number = _FINAL_NUMBER.search(key)
    if number is None:
        return key
    numbered_key = key[: number.start()] + "#"
    return texts.get(numbered_key, key).replace("#", number[0])


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


def without_pair() -> Word:
    """Return the word for a target with which no crown is paired.

    >>> without_pair().one
    'not detected (no pair)'
    """
    word = tr("not detected (no pair)")
    return Word(word, word, tr("Also called unmatched."))


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


def score_meanings() -> dict[str, str]:
    """Return the meaning of each score by its column.

    >>> score_meanings()["iou"]
    'Shared area divided by the joint area of both, 0 to 1.'
    """
    return {
        "randcrowns": tr(
            "RandCrowns, 0 to 1: agreement where a careful annotator is certain, inside and "
            "outside the crown. 1 is the same within the tolerance (Stewart et al. 2021, Eq. 14)."
        ),
        "iou": tr("Shared area divided by the joint area of both, 0 to 1."),
        "iou_crowns": tr("IoUCrowns: IoU without the uncertain rim of the target, 0 to 1."),
    }


def not_judged_meaning() -> str:
    """Return the meaning of the number of delineations of a layer that were not judged."""
    return tr(
        "Delineations that belong to no target, where only some crowns were drawn: they may be "
        "right, so they are no false detections."
    )


def false_detection_meaning() -> str:
    """Return the meaning of the number of false detections of a layer."""
    return tr(
        "Delineations that belong to no target, where all crowns were drawn. {sources}",
        sources=false_detection().sources,
    )


def detected_meaning() -> str:
    """Return the meaning of the number of targets of a layer that were detected."""
    return tr("Targets whose pair reaches the certain part of the crown: their score is above 0.")


def not_detected_meaning() -> str:
    """Return the meaning of the number of targets of a layer that were not detected."""
    return tr(
        "Targets with score 0: no delineation was paired with them, or their pair does not reach "
        "the certain part of the crown. {sources}",
        sources=not_detected().sources,
    )


def status_meanings() -> dict[Status, str]:
    """Return the meaning of each status of a target, except for delineations.

    >>> status_meanings()[Status.SCORED]
    'The target has a delineation and a score.'
    """
    return {
        Status.SCORED: tr("The target has a delineation and a score."),
        Status.MISSED: tr(
            "The delineation paired with the target does not reach the certain part of the crown: "
            "score 0. {sources}",
            sources=not_reached().sources,
        ),
        Status.UNMATCHED: tr(
            "No delineation was paired with the target, even if one overlaps it: score 0. "
            "{sources}",
            sources=without_pair().sources,
        ),
        Status.TARGET_TOO_SMALL: tr(
            "The target is narrower than twice alpha, so it has no certain crown: no score, "
            "excluded from the means."
        ),
        Status.EXTENT_LIMITED: tr(
            "Scored; the image extent leaves less area outside the crown than gamma requires."
        ),
        Status.NO_GEOMETRY: tr("The feature has no usable outline: no score."),
        Status.OUTSIDE_EXTENT: tr("The target lies outside the image extent: no score."),
    }


def status_labels() -> dict[Status, str]:
    """Return the label of each status of a scored crown.

    >>> status_labels()[Status.TARGET_TOO_SMALL]
    'too small'
    """
    return {
        Status.SCORED: tr("scored"),
        Status.MISSED: not_reached().one,
        Status.UNMATCHED: without_pair().one,
        Status.TARGET_TOO_SMALL: tr("too small"),
        Status.EXTENT_LIMITED: tr("limited by extent"),
        Status.NO_GEOMETRY: tr("no geometry"),
        Status.OUTSIDE_EXTENT: tr("outside the extent"),
        Status.MATCHED: tr("matched"),
        Status.NOT_JUDGED: tr("not judged"),
    }
