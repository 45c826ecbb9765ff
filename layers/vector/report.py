"""What was odd about the features of a layer, and what became of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum

from randcrowns.core.crowns import list_some

__all__ = ["Oddity", "ReadReport"]


class Oddity(Enum):
    """What can be odd about a feature: how it is told, and whether the feature was left out."""

    NULL = ("without geometry", "skipped", True)
    EMPTY = ("with an empty geometry", "skipped", True)
    NOT_A_POLYGON = ("that {be} no polygon", "skipped", True)
    NOT_NUMBERS = ("with coordinates that are not numbers", "skipped", True)
    TOO_LARGE = ("with coordinates too large for any map", "skipped", True)
    UNREADABLE = ("whose outline cannot be read", "skipped", True)
    NO_AREA = ("without an area", "skipped", True)
    NO_SCORE = ("without a score", "left out", True)
    LOW_SCORE = ("with a score below the threshold", "left out", True)
    OUTSIDE = ("outside the extent", "left out", True)
    CUT = ("that {reach} beyond the extent", "cut to it", False)
    REPAIRED = ("that {be} not valid", "repaired", False)
    MIXED = ("of mixed geometry", "reduced to {its} polygons", False)
    CURVED = ("with curved edges", "taken with short straight ones", False)
    FLATTENED = ("with heights or measures", "taken flat", False)
    MULTIPART = ("with several parts", "taken as one crown each", False)

    def __init__(self, what: str, done: str, left_out: bool) -> None:
        self.what = what
        self.done = done
        self.left_out = left_out


@dataclass
class ReadReport:
    """How a layer was read. Features read = crowns used + crowns left out.

    Attributes:
        layer: the layer's name.
        read: number of features.
        oddities: ids of the features of each kind, in the order found.
        notes: sentences about the layer as a whole.
    """

    layer: str
    read: int = 0
    oddities: dict[Oddity, list[int]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def add(self, oddity: Oddity, ids: Iterable[int]) -> None:
        """Note features; nothing is noted for none."""
        found = [int(number) for number in ids]
        if found:
            self.oddities.setdefault(oddity, []).extend(found)

    def ids(self, oddity: Oddity) -> list[int]:
        """Ids of the features of that kind."""
        return self.oddities.get(oddity, [])

    @property
    def left_out(self) -> int:
        """Number of features that became no crown."""
        return sum(len(ids) for oddity, ids in self.oddities.items() if oddity.left_out)

    @property
    def used(self) -> int:
        """Number of crowns."""
        return self.read - self.left_out

    def sentences(self) -> list[str]:
        """One per kind: ``Layer 'A': 3 crowns that are not valid were repaired (features 4, 8, 15).``"""
        told = [self._sentence(oddity, ids) for oddity, ids in self.oddities.items()]
        return [*self.notes, *told]

    def _sentence(self, oddity: Oddity, ids: list[int]) -> str:
        one = len(ids) == 1
        words = {"be": "is" if one else "are", "reach": "reaches" if one else "reach", "its": "its" if one else "their"}
        count = "1 crown" if one else f"{len(ids):,} crowns"
        were = "was" if one else "were"
        features = "feature" if one else "features"
        done = oddity.done.format(**words)
        if oddity is Oddity.MULTIPART:
            done = "taken as one crown" if one else done
        where = f"({features} {list_some(ids, 10)})"
        return f"Layer '{self.layer}': {count} {oddity.what.format(**words)} {were} {done} {where}."
