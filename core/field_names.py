"""Guesses from the name of a field: scores of a detector, or plots."""

from __future__ import annotations

import re

#: Words in the names of fields that hold a detector's score, in lower case.
_SCORE_WORDS = frozenset(
    {
        *("score", "scores", "conf", "confs", "confidence", "confidences"),
        *("prob", "probs", "proba", "probas", "probability", "probabilities"),
    }
)
#: Pairs of words that name a score too, such as ``predicted_iou`` of Segment Anything.
_SCORE_WORD_PAIRS = frozenset({("predicted", "iou"), ("pred", "iou")})
#: Words in the names of fields that are about scores but hold none, such as ``score_id``.
_NO_SCORE_WORDS = frozenset(
    {
        *("id", "ids", "fid", "rank", "class", "count", "n", "threshold"),
        *("int", "interval", "date", "time"),
    }
)
#: Words in a field name: runs of letters, split before capitals as in ``treeScore``.
_FIELD_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
#: Names of fields that hold the plot, in lower-case letters and without a final "id" or "name", in
#: order of preference: the finest division first.
_PLOT_FIELDS = ("plot", "tile", "image", "imagepath", "site")


def is_score_name(name: str) -> bool:
    """Return True if a field is named like a detector's score, by whole words.

    >>> [is_score_name(name) for name in ("stability_score", "predicted_iou", "Confidence_score")]
    [True, True, True]
    >>> [is_score_name(name) for name in ("confirmed", "problem_id", "confidence_interval")]
    [False, False, False]
    """
    words = [word.lower() for word in _FIELD_WORD.findall(name)]
    if _NO_SCORE_WORDS.intersection(words):
        return False
    if _SCORE_WORDS.intersection(words):
        return True
    pairs_of_neighbours = zip(words, words[1:])
    return bool(_SCORE_WORD_PAIRS.intersection(pairs_of_neighbours))


def plot_field_candidates(names: list[str]) -> list[str]:
    """Return the fields that are named like the plot of each crown, the finest division first.

    >>> plot_field_candidates(["siteID", "height", "plotID"])
    ['plotID', 'siteID']
    """
    candidates = []
    for name in names:
        letters = re.sub(r"[^a-z]", "", name.lower())
        normalised = re.sub(r"(id|name)$", "", letters)
        if normalised in _PLOT_FIELDS:
            candidates.append((_PLOT_FIELDS.index(normalised), name))
    return [name for _, name in sorted(candidates)]
