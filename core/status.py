"""Status of a scored crown, and the base class of enumerations whose values stand in tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from enum import Enum
from typing import NamedTuple, TypeVar, cast

import numpy as np
import pandas as pd

from randcrowns.core.errors import InputError

AnyTextEnum = TypeVar("AnyTextEnum", bound="TextEnum")

#: Value of the plot column in the summary row of all plots together.
ALL_PLOTS = "all"


class TextEnum(str, Enum):
    """Enumeration of texts; ``str()`` of a member is its value."""

    def __str__(self) -> str:
        return cast("str", self.value)

    @classmethod
    def from_value(cls: type[AnyTextEnum], name: str, kind: str = "term") -> AnyTextEnum:
        """Return the member with a value.

        Args:
            name: value of the member.
            kind: noun for the enumeration, used in the error.

        Raises:
            InputError: if there is no such member; the message lists the valid values.

        >>> Status.from_value("missed")
        <Status.MISSED: 'missed'>
        """
        try:
            return cls(name)
        except ValueError:
            raise InputError(
                "key.unknown",
                "There is no {kind} '{name}'; choose one of {names}.",
                kind=kind,
                name=name,
                names=", ".join(map(str, cls)),
            ) from None


class Status(TextEnum):
    """Status of a crown: why it has its score."""

    #: Target with a score as the paper defines it.
    SCORED = "scored"
    #: Target with a score whose true negative region is smaller than its required area, because
    #: the extent cuts it.
    EXTENT_LIMITED = "extent_limited"
    #: Target whose delineation shares no area with the true positive region; score 0. Defined in
    #: :func:`randcrowns.core.scoring.score.find_missed`.
    MISSED = "missed"
    #: Target without a delineation; score 0.
    UNMATCHED = "unmatched"
    #: Target that is narrower than twice alpha, so that its true positive region is empty;
    #: score NaN.
    TARGET_TOO_SMALL = "target_too_small"
    #: Target outside the extent, where nobody could draw it; score NaN, excluded from the summary.
    OUTSIDE_EXTENT = "outside_extent"
    #: Pair in which a crown has no geometry; score NaN.
    NO_GEOMETRY = "no_geometry"
    #: Delineation that is paired with at least one target.
    MATCHED = "matched"
    #: Delineation without a target, while only some of the crowns were drawn as targets.
    NOT_JUDGED = "not_judged"


class StatusDefinition(NamedTuple):
    """Meaning of a status of a target for counts and means."""

    #: Column of the summary that counts targets with the status; "" for targets that the summary
    #: excludes.
    summary_count: str
    has_score: bool  #: True if the score, possibly 0, is part of the means.
    is_found: bool  #: True if a delineation reaches the target.
    is_rare: bool  #: True if an answer lists the status only if a target has it.


#: Definition of each status of a target. All lists of statuses are derived from this table.
TARGET_STATUSES: Mapping[Status, StatusDefinition] = {
    Status.SCORED: StatusDefinition("matched", has_score=True, is_found=True, is_rare=False),
    Status.EXTENT_LIMITED: StatusDefinition("matched", has_score=True, is_found=True, is_rare=True),
    Status.MISSED: StatusDefinition("missed", has_score=True, is_found=False, is_rare=False),
    Status.UNMATCHED: StatusDefinition(
        "unmatched_targets", has_score=True, is_found=False, is_rare=False
    ),
    Status.TARGET_TOO_SMALL: StatusDefinition(
        "too_small", has_score=False, is_found=False, is_rare=False
    ),
    Status.OUTSIDE_EXTENT: StatusDefinition("", has_score=False, is_found=False, is_rare=True),
    Status.NO_GEOMETRY: StatusDefinition("", has_score=False, is_found=False, is_rare=True),
}
#: Statuses of targets whose scores are part of the means.
SCORED_STATUSES = tuple(
    status for status, definition in TARGET_STATUSES.items() if definition.has_score
)
#: Statuses of targets that a delineation reaches.
FOUND_STATUSES = tuple(
    status for status, definition in TARGET_STATUSES.items() if definition.is_found
)
#: Statuses of targets with a score that no delineation reaches; their score is 0.
NOT_FOUND_STATUSES = tuple(status for status in SCORED_STATUSES if status not in FOUND_STATUSES)
#: Statuses of targets that the summary excludes.
EXCLUDED_STATUSES = tuple(
    status for status, definition in TARGET_STATUSES.items() if not definition.summary_count
)


def statuses_by_count() -> dict[str, tuple[Status, ...]]:
    """Return the statuses of the targets that each count of the summary includes.

    Returns:
        The statuses by the name of the count, a column of the summary.

    >>> statuses_by_count()["matched"]
    (<Status.SCORED: 'scored'>, <Status.EXTENT_LIMITED: 'extent_limited'>)
    """
    statuses: dict[str, list[Status]] = {}
    for status, definition in TARGET_STATUSES.items():
        if definition.summary_count:
            statuses.setdefault(definition.summary_count, []).append(status)
    return {count: tuple(members) for count, members in statuses.items()}


def count_statuses(status: Iterable[str]) -> Counter[str]:
    """Return the number of crowns by status.

    Args:
        status: (n,) status of each crown; missing values are not counted.

    >>> count_statuses(["scored", "missed", "scored"])["scored"]
    2
    """
    # Twice as fast as a Counter, which matters while thousands of crowns are scored live.
    codes, values = pd.factorize(np.asarray(status, dtype=object))
    numbers = np.bincount(codes[codes >= 0], minlength=len(values))
    counts: Counter[str] = Counter()
    for value, number in zip(values, numbers.tolist()):
        counts[str(value)] += number
    return counts
