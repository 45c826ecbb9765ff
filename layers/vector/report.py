"""What was odd about the features of a layer, and what became of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum

from randcrowns.core.remarks import Remark, note, some


class Oddity(Enum):
    """What can be odd about a feature, what is done about it, and whether it is left out."""

    NULL = ("without geometry", "skipped", True)
    EMPTY = ("with an empty geometry", "skipped", True)
    NOT_A_POLYGON = ("of another geometry type than polygon", "skipped", True)
    NOT_NUMBERS = ("with coordinates that are not numbers", "skipped", True)
    TOO_LARGE = ("with coordinates too large for any map", "skipped", True)
    UNREADABLE = ("with an outline that cannot be read", "skipped", True)
    NO_AREA = ("without an area", "skipped", True)
    NO_SCORE = ("without a score", "excluded", True)
    LOW_SCORE = ("with a score below the threshold", "excluded", True)
    NO_NAME = ("without an annotator's name", "excluded", True)
    OUTSIDE = ("outside the extent", "excluded", True)
    CUT = ("partly outside the extent", "cut to it", False)
    REPAIRED = ("with an invalid geometry", "repaired", False)
    MIXED = ("of mixed geometry", "reduced to polygons", False)
    CURVED = ("with curved edges", "taken with short straight ones", False)
    FLATTENED = ("with heights or measures", "taken flat", False)
    MULTIPART = ("with several parts", "counted once", False)

    def __init__(self, what: str, done: str, left_out: bool) -> None:
        self.what = what
        self.done = done
        self.left_out = left_out

    def remark(self, layer: str, ids: list[int]) -> Remark:
        """``Layer 'A': 3 crowns with an invalid geometry were repaired (features 4, 8, 15).``"""
        return note(
            f"input.{self.name.lower()}",
            f"Layer '{{layer}}': {{count:,}} crowns {self.what} were {self.done} (features {{ids}}).",
            one=f"Layer '{{layer}}': 1 crown {self.what} was {self.done} (feature {{ids}}).",
            layer=layer,
            count=len(ids),
            ids=some(ids, 10),
        )


@dataclass
class ReadReport:
    """How a layer was read. Features read = crowns used + crowns left out.

    Attributes:
        layer: the layer's name.
        read: number of features.
        oddities: ids of the features of each kind, in the order found.
        notes: remarks on the layer as a whole.
    """

    layer: str
    read: int = 0
    oddities: dict[Oddity, list[int]] = field(default_factory=dict)
    notes: list[Remark] = field(default_factory=list)

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

    def remarks(self) -> list[Remark]:
        """Those on the layer as a whole, then one for each kind of oddity."""
        return [*self.notes, *(oddity.remark(self.layer, ids) for oddity, ids in self.oddities.items())]
