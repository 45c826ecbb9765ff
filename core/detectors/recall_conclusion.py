"""Conclusion of a ranking by whole crowns if only some crowns were drawn: the recall."""

from __future__ import annotations

from typing import NamedTuple

from randcrowns.core.arrays import number_text
from randcrowns.core.detectors.crown_ranking import RECALL_IOU, CrownRanking
from randcrowns.core.messages import Message, info


class MatchCriterion(NamedTuple):
    """Criterion by which a detected crown is the annotator's crown."""

    score: str  #: "iou" or "randcrowns".
    threshold: float  #: minimum score, 0 to 1.


#: Display name of each score.
_SCORE_NAMES = {"iou": "IoU", "randcrowns": "RandCrowns"}


def describe_recall(
    crowns: CrownRanking, criterion: MatchCriterion, topic: str, counts_areas: bool
) -> list[Message]:
    """Return the recall of each detector, for a ranking without average precision.

    Recall by RandCrowns is never given without recall by IoU: it tolerates more.

    Args:
        crowns: ranking by whole crowns.
        criterion: criterion of the matches.
        topic: topic of the messages, the first part of their keys.
        counts_areas: True if areas are ranked too.
    """
    score_name = _SCORE_NAMES[criterion.score]
    messages = [
        info(
            f"{topic}.recall",
            "Whole crowns: recall {each} ({score} of at least {threshold:g}).",
            each=_recall_items(crowns, "recall"),
            score=score_name,
            threshold=criterion.threshold,
        )
    ]
    if criterion.score == "randcrowns":
        messages.append(
            info(
                f"{topic}.iou_recall",
                "At an IoU of at least {threshold:g}: recall {each}.",
                each=_recall_items(crowns, "iou_recall"),
                threshold=RECALL_IOU,
            )
        )
    no_precision = "Only some crowns were drawn, so average precision is n/a."
    if counts_areas:
        no_precision = (
            "Only some crowns were drawn, so average precision is n/a and areas say little."
        )
    messages.append(info(f"{topic}.partly", no_precision))
    return messages


def _recall_items(crowns: CrownRanking, column: str) -> list[Message]:
    """Return a message per detector with its name and mean recall over the annotators.

    Args:
        crowns: ranking by whole crowns.
        column: column of its counts, ``recall`` or ``iou_recall``.
    """
    mean_recalls = crowns.counts.groupby("detector", sort=False)[column].mean()
    items = []
    for name, recall in mean_recalls.items():
        items.append(info("recall.of", "{name} {value}", name=name, value=number_text(recall, 3)))
    return items
