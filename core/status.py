"""What became of a crown, and the name of the row for all of them."""

from __future__ import annotations

from enum import Enum
from typing import TypeVar, cast

from randcrowns.core.errors import InputError

AnyTerm = TypeVar("AnyTerm", bound="Term")

#: Name of the row of a summary that takes all groups together.
ALL = "all"


class Term(str, Enum):
    """One of several terms; it is written as its value."""

    def __str__(self) -> str:
        return cast("str", self.value)

    @classmethod
    def named(cls: type[AnyTerm], name: str, kind: str = "term") -> AnyTerm:
        """The term of that name; ``kind`` says in the error what it should have been.

        Raises:
            InputError: listing the names there are.

        >>> Status.named("missed")
        <Status.MISSED: 'missed'>
        """
        try:
            return cls(name)
        except ValueError:
            said = "There is no {kind} '{name}'; choose one of {names}."
            raise InputError(said, kind=kind, name=name, names=", ".join(map(str, cls))) from None


class Status(Term):
    """Why a crown has the score it has."""

    #: Scored as the paper says.
    SCORED = "scored"
    #: Scored; the extent leaves less room for the true negative region than the area ratio asks for.
    EXTENT_LIMITED = "extent_limited"
    #: The delineation does not touch the true positive region: score 0.
    MISSED = "missed"
    #: The target has no delineation: score 0.
    UNMATCHED = "unmatched"
    #: The target is narrower than twice alpha, its true positive region is empty: score NaN.
    TARGET_TOO_SMALL = "target_too_small"
    #: The target lies outside of the extent, nobody could have drawn it: score NaN, excluded from the summary.
    OUTSIDE_EXTENT = "outside_extent"
    #: One of the two has no geometry: score NaN.
    NO_GEOMETRY = "no_geometry"
    #: The delineation serves at least one target.
    MATCHED = "matched"
    #: The delineation serves no target, where only some crowns were drawn as targets.
    NOT_JUDGED = "not_judged"
