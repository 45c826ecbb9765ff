"""Status of a scored crown, and the base class of enumerations whose values stand in tables."""

from __future__ import annotations

from enum import Enum
from typing import TypeVar, cast

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
