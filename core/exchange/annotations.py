"""What a file of annotations holds, as arrays: outlines on images, labels, scores, and the rows that cannot be used.

Coordinates are those of an image: column x to the right, row y down, (0, 0) the upper left corner of its upper left
pixel.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any, NamedTuple

import numpy as np
import shapely

from randcrowns.core.arrays import Array, Bools, Floats, Ints, Objects
from randcrowns.core.errors import InputError
from randcrowns.core.exchange.masks import Mask
from randcrowns.core.exchange.values import LARGEST, number_of
from randcrowns.core.remarks import Remark, note, some

#: More annotations of one file, after the score threshold, are refused: they would not fit into memory as a layer.
MOST_ROWS = 2_000_000
#: A polygon has so many points at least, each unlike the others.
FEWEST_POINTS = 3
_ROWS_NAMED = 10
#: What annotations have a value each of.
_OF_EACH = ("shapes", "image", "label", "score", "row", "ignored")


class Frame(Enum):
    """What coordinates are: pixels, shares of the image's width and height, of a map, or of either as it turns out."""

    PIXELS = "pixels"
    SHARES = "shares"
    MAP = "map"
    UNKNOWN = "unknown"


class Flaw(Enum):
    """Why a row of a file is no crown."""

    NOT_NUMBERS = "a coordinate is missing or is no number"
    NO_SIZE = (
        "the box has no width or no height (x2 <= x1, y2 <= y1, or a size that is not above 0)"
    )
    FEW_POINTS = "the polygon has fewer than 3 points"
    BAD_COUNTS = "the counts of its run-length encoding do not sum to the size of its mask"
    EMPTY_MASK = "its mask has no pixel"
    BAD_GEOMETRY = "its geometry cannot be read"
    NO_CROWN = "its shape is neither a polygon, a rectangle nor a point"
    NO_IMAGE = "it names no image"
    UNKNOWN_IMAGE = "its image is not in the file's list of images"
    MISSING_IMAGE = "its image is not found or cannot be read, and other images are on the map"
    NO_SIZE_KNOWN = "its image is not found, whose size the format needs"
    OTHER_SIZE = "its mask has another size than its image"
    OFF_THE_MAP = (
        "its image has no georeference or no coordinate system, and other images are on the map"
    )
    LOW_SCORE = "its score is below the threshold"

    def remark(self, file: str, rows: Sequence[int]) -> Remark:
        """``plot.csv: 3 annotations were skipped: the polygon has fewer than 3 points (rows 4, 8, 15).``"""
        said = f"{{file}}: {{count:,}} annotations were skipped: {self.value} (rows {{rows}})."
        one = f"{{file}}: 1 annotation was skipped: {self.value} (row {{rows}})."
        return note(f"exchange.{self.name.lower()}", said, one=one, **_values(file, rows))


class Doubt(Enum):
    """What is doubtful of a row that is taken all the same."""

    NO_SCORE = "its score is no finite number and was left empty"
    NO_SHARE = "its score is not between 0 and 1 and was kept"
    NO_NAME = "its class has no name"
    OUTSIDE = "it lies outside its image"

    def remark(self, file: str, rows: Sequence[int]) -> Remark:
        """``plot.csv: 1 annotation was taken, but is doubtful: it lies outside its image (row 4).``"""
        said = f"{{file}}: {{count:,}} annotations were taken, but each is doubtful: {self.value} (rows {{rows}})."
        one = f"{{file}}: 1 annotation was taken, but is doubtful: {self.value} (row {{rows}})."
        return note(f"exchange.{self.name.lower()}", said, one=one, **_values(file, rows))


def _values(file: str, rows: Sequence[int]) -> dict[str, Any]:
    named = [*map(int, rows[:_ROWS_NAMED]), *rows[_ROWS_NAMED:]]
    return {"file": file, "count": len(rows), "rows": some(named, _ROWS_NAMED)}


class Image(NamedTuple):
    """An image as a file names it; width and height in pixels, 0 where not said."""

    name: str
    width: int = 0
    height: int = 0


@dataclass(frozen=True, eq=False)
class Annotations:
    """What one file holds; all arrays have a value per annotation that can be used.

    Attributes:
        shapes: (n,) polygons, multipolygons or points; None where ``masks`` has it.
        image: (n,) place of the image among ``images``.
        images: every image that the file names, those without crowns too.
        label: (n,) text, or None.
        score: (n,) NaN where there is none.
        row: (n,) place in the file, from 1: the line of a table (its heading is line 1), the number of an annotation.
        ignored: (n,) areas in which predictions are not judged (``iscrowd``).
        masks: the mask of an annotation, by its place.
        read: number of annotations in the file.
        flaws: rows that cannot be used or are doubtful, by reason.
        told: remarks on the file as a whole.
        occupied: places of the images that have any annotation, skipped or not.
        frame: what the coordinates are.
    """

    shapes: Objects
    image: Ints
    images: tuple[Image, ...]
    label: Objects
    score: Floats
    row: Ints
    ignored: Bools
    masks: dict[int, Mask] = field(default_factory=dict)
    read: int = 0
    flaws: dict[Flaw | Doubt, list[int]] = field(default_factory=dict)
    told: tuple[Remark, ...] = ()
    occupied: frozenset[int] = frozenset()
    frame: Frame = Frame.PIXELS

    def __len__(self) -> int:
        return len(self.shapes)

    @classmethod
    def of(
        cls,
        shapes: Sequence[Any] | Objects,
        images: Sequence[Image],
        image: Sequence[int] | Ints | None = None,
        label: Sequence[str | None] | Objects | None = None,
        score: Sequence[float] | Floats | None = None,
        *,
        ignored: bool = False,
    ) -> Annotations:
        """Annotations to be written; all on the first image, and without labels and scores, unless given.

        Args:
            ignored: they are areas to ignore.

        >>> len(Annotations.of([shapely.box(0, 0, 4, 4)], [Image("plot.tif", 100, 100)]))
        1
        """
        n = len(shapes)
        places = np.zeros(n, np.int64) if image is None else np.asarray(image, dtype=np.int64)
        return cls(
            shapes=_objects(shapes),
            image=places,
            images=tuple(images),
            label=np.full(n, None, dtype=object) if label is None else _objects(label),
            score=np.full(n, np.nan) if score is None else np.asarray(score, dtype=np.float64),
            row=np.arange(1, n + 1),
            ignored=np.full(n, ignored),
            read=n,
            occupied=frozenset(places.tolist()),
        )

    @classmethod
    def joined(cls, parts: Sequence[Annotations], images: Sequence[Image]) -> Annotations:
        """Several on the same images as one, without masks."""
        made = [cls.of([], images), *parts]
        of_each = {
            name: np.concatenate([getattr(part, name) for part in made]) for name in _OF_EACH
        }
        flaws = dict.fromkeys(flaw for part in parts for flaw in part.flaws)
        return replace(
            made[0],
            **of_each,
            read=sum(part.read for part in parts),
            flaws={
                flaw: [row for part in parts for row in part.flaws.get(flaw, ())] for flaw in flaws
            },
            occupied=frozenset().union(*(part.occupied for part in parts)),
            frame=Frame.UNKNOWN
            if any(part.frame is Frame.UNKNOWN for part in parts)
            else Frame.PIXELS,
        )

    @property
    def empty_images(self) -> list[str]:
        """Names of the images without any annotation, skipped or not."""
        return [one.name for place, one in enumerate(self.images) if place not in self.occupied]

    @property
    def skipped(self) -> dict[Flaw, list[int]]:
        """Rows that cannot be used, by reason."""
        return {flaw: rows for flaw, rows in self.flaws.items() if isinstance(flaw, Flaw)}

    def flawed(self, flaw: Flaw | Doubt, rows: Bools) -> Annotations:
        """The same with a flaw of some of them, (n,), which are left out; or a doubt, which keeps them."""
        if not rows.any():
            return self
        found = replace(
            self, flaws={**self.flaws, flaw: [*self.flaws.get(flaw, []), *self.row[rows].tolist()]}
        )
        left = np.flatnonzero(~rows | isinstance(flaw, Doubt))
        masks = {new: self.masks[old] for new, old in enumerate(left.tolist()) if old in self.masks}
        return replace(found, masks=masks, **{name: getattr(self, name)[left] for name in _OF_EACH})

    def above(self, score: float) -> Annotations:
        """Those at or above a score, and those without one; all where the score is not above 0."""
        return self.flawed(Flaw.LOW_SCORE, self.score < score) if score > 0 else self

    def remarks(self, file: str) -> list[Remark]:
        """What is to be said of the file, what was skipped and what is doubtful, by reason."""
        flaws = self.flawed(Doubt.NO_SHARE, np.abs(self.score - 0.5) > 0.5).flaws
        return [*self.told, *(flaw.remark(file, rows) for flaw, rows in flaws.items())]


class Collected:
    """Annotations of a file as they are read, one after the other."""

    def __init__(self, file: str, images: Sequence[Image] = ()) -> None:
        self.file = file
        self.images = list(images)
        self._place = {one.name: place for place, one in enumerate(self.images)}
        self._rows: list[tuple[Any, int, str | None, float, int, bool]] = []
        self._masks: dict[int, Mask] = {}
        self._flaws: dict[Flaw | Doubt, list[int]] = {}
        self._occupied: set[int] = set()

    def image(self, name: str, width: int = 0, height: int = 0) -> int:
        """Place of the image of that name."""
        if name not in self._place:
            self._place[name] = len(self.images)
            self.images.append(Image(name, width, height))
        return self._place[name]

    def flaw(self, flaw: Flaw | Doubt, row: int) -> None:
        """Remember what is wrong with a row."""
        self._flaws.setdefault(flaw, []).append(row)

    def add(
        self,
        shape: Any,
        image: int,
        row: int,
        label: str | None,
        score: Any = None,
        ignored: bool = False,
    ) -> None:
        """Take over a shape, or a mask, with its score, if any, as the file has it; or count what is wrong instead."""
        self._occupied.add(image)
        if isinstance(shape, Flaw):
            self.flaw(shape, row)
            return
        if isinstance(shape, Mask):
            self._masks[len(self._rows)] = shape
            shape = None
        number = number_of(score)
        if not (math.isfinite(number) or score in (None, "")):
            self.flaw(Doubt.NO_SCORE, row)
            number = math.nan
        self._rows.append((shape, image, label, number, row, ignored))
        if len(self._rows) > MOST_ROWS:
            raise too_many(self.file, row)

    def done(self, frame: Frame = Frame.PIXELS, told: Sequence[Remark] = ()) -> Annotations:
        """All of them, with remarks on the file as a whole."""
        shapes, image, label, score, row, ignored = zip(*self._rows) if self._rows else ((),) * 6
        made = Annotations.of(shapes, self.images, image, label, score)
        return replace(
            made,
            row=np.array(row, dtype=np.int64),
            ignored=np.array(ignored, dtype=bool),
            masks=self._masks,
            read=len(made)
            + sum(len(rows) for flaw, rows in self._flaws.items() if isinstance(flaw, Flaw)),
            flaws=self._flaws,
            told=tuple(told),
            occupied=frozenset(self._occupied),
            frame=frame,
        )


def too_many(file: str, row: int) -> InputError:
    """The refusal of a file with more annotations than fit into memory."""
    return InputError(
        "{file} has more than {most:,} annotations (row {row:,} is one too many); raise the score threshold, or "
        "split the file.",
        file=file,
        most=MOST_ROWS,
        row=row,
    )


def too_many_in_all(number: int) -> None:
    """Refuse more annotations of all files together than fit into memory."""
    if number > MOST_ROWS:
        said = "The files hold {number:,} annotations, more than {most:,}; raise the score threshold, or import fewer."
        raise InputError(said, number=number, most=MOST_ROWS)


def box_of(values: Sequence[Any]) -> shapely.Polygon | Flaw:
    """The box x1, y1, x2, y2, or what is wrong with it.

    >>> box_of([0, 0, 2, 1]).area, box_of([0, 0, 0, 1]).name, box_of([0, "a", 2, 1]).name
    (2.0, 'NO_SIZE', 'NOT_NUMBERS')
    """
    numbers = _numbers(values)
    if numbers is None or len(numbers) != 4:
        return Flaw.NOT_NUMBERS
    x1, y1, x2, y2 = numbers
    return shapely.box(x1, y1, x2, y2, ccw=False) if x2 > x1 and y2 > y1 else Flaw.NO_SIZE


def polygon_of(values: Sequence[Any]) -> shapely.Polygon | Flaw:
    """The polygon x1, y1, x2, y2, …, or what is wrong with it.

    >>> polygon_of([0, 0, 2, 0, 2, 2]).area, polygon_of([0, 0, 2, 0]).name
    (2.0, 'FEW_POINTS')
    """
    numbers = _numbers(values)
    if numbers is None or len(numbers) % 2:
        return Flaw.NOT_NUMBERS
    if len({(x, y) for x, y in zip(numbers[::2], numbers[1::2])}) < FEWEST_POINTS:
        return Flaw.FEW_POINTS
    return shapely.Polygon(np.reshape(numbers, (-1, 2)))


def _objects(values: Sequence[Any] | Array) -> Objects:
    found = np.empty(len(values), dtype=object)
    found[:] = values
    return found


def _numbers(values: Any) -> list[float] | None:
    """The values as numbers; None where one is none."""
    if not isinstance(values, (list, tuple)):
        return None
    numbers = [number_of(value) for value in values]
    return numbers if all(abs(number) < LARGEST for number in numbers) else None
