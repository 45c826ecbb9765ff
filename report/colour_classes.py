"""Classes of numbers on maps, each with a colour: those of scores and those of variances."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from randcrowns.core.arrays import Ints
from randcrowns.core.review.sampling import SCORE_CLASSES
from randcrowns.core.thresholds import SCORE_TOLERANCE
from randcrowns.report.colours import SCORE_COLOURS, VARIANCE_COLOURS
from randcrowns.report.language import format_value, tr


class ColourClasses(NamedTuple):
    """Classes of numbers with a colour each."""

    #: (k + 1,) limits, ascending. A number at a limit between two classes is in the upper one.
    limits: tuple[float, ...]
    colours: tuple[str, ...]  #: (k,) colours, ``#rrggbb``.
    labels: tuple[str, ...]  #: (k,) texts of the legend, in the reader's language.

    def find(self, values: ArrayLike) -> Ints:
        """Return the class (n,) of each number, from 0; -1 for NaN.

        >>> variance_classes().find([0.00005, 0.0001, 0.3, np.nan]).tolist()
        [0, 1, 3, -1]
        """
        numbers = np.asarray(values, dtype=float)
        lowest = np.array(self.limits[1:-1]) - SCORE_TOLERANCE
        classes: Ints = np.searchsorted(lowest, numbers, side="right")
        return np.where(np.isnan(numbers), -1, classes)


def score_classes() -> ColourClasses:
    """Return the classes of scores.

    >>> score_classes().labels[0]
    '0.00 to 0.25'
    """
    limits = (0.0, *SCORE_CLASSES, 1.0)
    labels = [
        tr("{low} to {high}", low=format_value(low, 2), high=format_value(high, 2))
        for low, high in zip(limits, limits[1:])
    ]
    return ColourClasses(limits, SCORE_COLOURS, tuple(labels))


def variance_classes() -> ColourClasses:
    """Return the classes of variances of scores: powers of ten, as in the style of the layer."""
    labels = (
        tr("variance under 0.0001"),
        tr("variance 0.0001 to 0.001"),
        tr("variance 0.001 to 0.01"),
        tr("variance 0.01 and more"),
    )
    return ColourClasses((0.0, 0.0001, 0.001, 0.01, 1.0), VARIANCE_COLOURS, labels)


def vote_classes(votes: ArrayLike) -> ColourClasses:
    """Return the classes of numbers of votes; many different numbers share classes.

    Args:
        votes: numbers of votes that occur.

    >>> vote_classes([1, 2, 3, 4, 5, 6]).labels
    ('1 and 2', '3', '4', '5', '6')
    """
    numbers = np.unique(np.asarray(votes, dtype=int))
    groups = np.array_split(numbers, min(len(numbers), len(SCORE_COLOURS)))
    labels = []
    for group in groups:
        first, last = format_value(int(group[0]), 0), format_value(int(group[-1]), 0)
        if len(group) == 1:
            labels.append(first)
        elif len(group) == 2:
            labels.append(tr("{first} and {second}", first=first, second=last))
        else:
            labels.append(tr("{low} to {high}", low=first, high=last))
    limits = (*(float(group[0]) for group in groups), float(numbers[-1]))
    # The darkest colours, so that few votes are visible on white ground, too.
    return ColourClasses(limits, SCORE_COLOURS[-len(groups) :], tuple(labels))


def single_class(label: str) -> ColourClasses:
    """Return one class for all numbers.

    >>> single_class("Consensus").find([0.0, 7.0]).tolist()
    [0, 0]
    """
    return ColourClasses((0.0, np.inf), (SCORE_COLOURS[2],), (label,))
