"""Annotations of a file as arrays: outlines on images, labels, scores, and rows with problems.

Coordinates are those of an image: x is the column, to the right; y is the row, downwards; (0, 0) is
the upper left corner of the upper left pixel.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from types import MappingProxyType
from typing import Any, NamedTuple, cast

import numpy as np
import shapely

from randcrowns.core.arrays import Array, Bools, Floats, Ints, Objects
from randcrowns.core.crowns import POLYGON_TYPES
from randcrowns.core.errors import InputError
from randcrowns.core.exchange.further_fields import renamed_messages
from randcrowns.core.exchange.rle import RleMask
from randcrowns.core.exchange.values import MAX_COORDINATE, parse_number
from randcrowns.core.messages import Message, abbreviate, note, warning

#: Maximum number of annotations of a file, after the score threshold; more would not fit into
#: memory as a layer.
MAX_ANNOTATIONS = 2_000_000
#: Label that is written for annotations without a label.
DEFAULT_LABEL = "Tree"
#: Types of the geometries of annotations.
CROWN_TYPES = (*POLYGON_TYPES, shapely.GeometryType.POINT)
#: Minimum number of distinct points of a polygon.
MIN_POINTS = 3
#: Maximum number of runs of pixels in a mask; more would take minutes to become an outline.
MAX_RUNS = 100_000
#: Maximum number of rows that a message lists.
_MAX_LISTED_ROWS = 10
#: Attributes of :class:`Annotations` that are arrays with a value per annotation.
_ARRAYS = ("shapes", "image_index", "label", "score", "source_row", "is_ignored")


class CoordinateUnit(Enum):
    """The unit of coordinates."""

    PIXELS = "pixels"  #: pixels of an image.
    SHARES = "shares"  #: shares of the image's width and height.
    MAP = "map"  #: coordinates of a map.
    UNKNOWN = "unknown"  #: pixels or coordinates of a map; the images' extents decide.


class SkipReason(Enum):
    """A reason why an annotation is skipped; the value is the reason in messages."""

    NOT_NUMBERS = "a coordinate is missing or is no number"
    NO_SIZE = (
        "the box has no width or no height (x2 <= x1, y2 <= y1, or a size that is not above 0)"
    )
    FEW_POINTS = "the polygon has fewer than 3 points"
    BAD_COUNTS = "the counts of its run-length encoding do not sum to the size of its mask"
    EMPTY_MASK = "its mask has no pixel"
    LARGE_MASK = "its mask spans more than 100,000,000 pixels, which need too much memory"
    RAGGED_MASK = "its mask has more than 100,000 runs of pixels, which take too long to outline"
    BAD_GEOMETRY = "its geometry cannot be read"
    TOO_COMPLEX = "its outline crosses itself too often to be repaired"
    NO_CROWN = "its shape is neither a polygon, a rectangle nor a point"
    NO_IMAGE = "it names no image"
    UNKNOWN_IMAGE = "its image is not in the file's list of images"
    MISSING_IMAGE = "its image is not found or cannot be read, and other images are on the map"
    NO_SIZE_KNOWN = "its image is not found, and the format needs the size of the image"
    OTHER_SIZE = "its mask has another size than its image"
    OFF_THE_MAP = (
        "its image has no georeference or no coordinate system, and other images are on the map"
    )
    LOW_SCORE = "its score is below the threshold"

    def message(self, file: str, rows: Sequence[int]) -> Message:
        """Return the message that annotations were skipped for this reason.

        Args:
            file: name of the file.
            rows: rows of the annotations in the file, from 1.

        >>> print(SkipReason.FEW_POINTS.message("plot.csv", [4, 8]))
        plot.csv: 2 annotations were skipped: the polygon has fewer than 3 points (rows 4, 8).
        """
        return note(
            f"exchange.{self.name.lower()}",
            f"{{file}}: {{count:,}} annotations were skipped: {self.value} (rows {{rows}}).",
            one=f"{{file}}: 1 annotation was skipped: {self.value} (row {{rows}}).",
            file=file,
            count=len(rows),
            rows=_list_rows(rows),
        )


class DoubtReason(Enum):
    """A reason why an annotation is used but doubtful; the value is the reason in messages."""

    NO_SCORE = "its score is no finite number and was left empty"
    NO_SHARE = "its score is not between 0 and 1 and was kept"
    NO_NAME = "its class has no name"
    OUTSIDE = "it lies outside its image"
    BEYOND = "it extends more than a pixel beyond its image"
    BAD_PART = "a part of its outline cannot be read and was left out"
    JOINED_PARTS = "its parts overlap and were joined, as pycocotools does, not cut out as holes"
    ONLY_POLYGONS = "only the polygons of its geometry were taken, not its points and lines"
    BOX_TAKEN = "its outline or mask cannot be used, so its box was taken"
    OUTLINE_NOT_READ = "it also has an outline, which is not read, so its box was taken"
    BOX_OF_CORNERS = (
        "its box was taken as two corners (x1, y1, x2, y2), as its mode or the areas say"
    )
    BOX_TURNED = "its box was turned by the rotation in its attributes"
    OTHER_IMAGE = "its file name is not that of its image number, which was taken"
    IMAGE_BY_NAME = "no image has its number, so its image was found by its name"
    ONLY_IMAGE = "it names no image and was taken for the only image of the file"
    NO_FLAG = "its iscrowd is no number and was taken for 0"
    IGNORE_FLAG = "its flag 'ignore' is set, but only iscrowd is used, as by pycocotools"
    DIFFICULT = "it is marked as difficult, which the evaluation of VOC leaves out"
    IMAGE_TURNED = "its image was turned in Label Studio, which was not undone"
    REPEATED_ID = "another annotation has the same id, and both were taken"

    def message(self, file: str, rows: Sequence[int]) -> Message:
        """Return the message that annotations are doubtful for this reason.

        Args:
            file: name of the file.
            rows: rows of the annotations in the file, from 1.

        >>> print(DoubtReason.OUTSIDE.message("plot.csv", [4]))
        plot.csv: 1 annotation was taken, but is doubtful: it lies outside its image (row 4).
        """
        return note(
            f"exchange.{self.name.lower()}",
            f"{{file}}: {{count:,}} annotations were taken, but each is doubtful: {self.value} "
            "(rows {rows}).",
            one=f"{{file}}: 1 annotation was taken, but is doubtful: {self.value} (row {{rows}}).",
            file=file,
            count=len(rows),
            rows=_list_rows(rows),
        )


def _list_rows(rows: Sequence[int]) -> tuple[Any, ...] | Message:
    """Return the first rows, and how many there are more, as a value of a message."""
    listed = [int(row) for row in rows[:_MAX_LISTED_ROWS]]
    return abbreviate([*listed, *rows[_MAX_LISTED_ROWS:]], _MAX_LISTED_ROWS)


class Image(NamedTuple):
    """An image as an annotation file describes it."""

    name: str  #: name or path of the image file.
    width: int = 0  #: width in pixels; 0 if not specified.
    height: int = 0  #: height in pixels; 0 if not specified.
    #: Path of the image file that the annotation file gives besides the name; "" for none.
    path: str = ""
    #: Identity of the image in its file, where two images may share a name; "" for none.
    id: str = ""
    #: True if pixels are counted in the upright image, even if the size is that of stored pixels.
    is_upright: bool = False


@dataclass(frozen=True, eq=False)
class Annotations:
    """The n usable annotations of a file, and the rows with problems.

    Attributes:
        shapes: (n,) polygons, multipolygons or points; None for an annotation with a mask.
        image_index: (n,) int64 index of the annotation's image in ``images``.
        images: all images that the file names, including those without annotations.
        label: (n,) text, or None without a label.
        score: (n,) float64; NaN without a score.
        source_row: (n,) int64 position in the file, from 1: the line of a table (its heading is
            line 1), or the number of the annotation.
        is_ignored: (n,) mask of the regions in which predictions are not judged (``iscrowd``).
        masks: masks by the index of their annotation.
        n_read: number of annotations in the file, including skipped ones.
        problem_rows: rows that were skipped or are doubtful, by reason.
        messages: messages about the file as a whole.
        annotated_images: indices of the images that have annotations, including skipped ones.
        unit: unit of the coordinates.
        fields: further attributes of the annotations: (n,) values by name; None where missing.
    """

    shapes: Objects
    image_index: Ints
    images: tuple[Image, ...]
    label: Objects
    score: Floats
    source_row: Ints
    is_ignored: Bools
    masks: dict[int, RleMask] = field(default_factory=dict)
    n_read: int = 0
    problem_rows: dict[SkipReason | DoubtReason, list[int]] = field(default_factory=dict)
    messages: tuple[Message, ...] = ()
    annotated_images: frozenset[int] = frozenset()
    unit: CoordinateUnit = CoordinateUnit.PIXELS
    fields: dict[str, Objects] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.shapes)

    @classmethod
    def from_shapes(
        cls,
        shapes: Sequence[Any] | Objects,
        images: Sequence[Image],
        image: Sequence[int] | Ints | None = None,
        label: Sequence[str | None] | Objects | None = None,
        score: Sequence[float] | Floats | None = None,
        *,
        ignored: bool = False,
        fields: Mapping[str, Objects] = MappingProxyType({}),
    ) -> Annotations:
        """Return annotations made of shapes in pixel coordinates, for example to write them.

        Args:
            shapes: n polygons, multipolygons or points.
            images: the images.
            image: (n,) index of the image of each shape; by default the first one.
            label: (n,) text or None; no labels by default.
            score: (n,) scores; no scores by default.
            ignored: True if all shapes are regions to ignore.
            fields: (n,) values of further attributes by name.

        >>> len(Annotations.from_shapes([shapely.box(0, 0, 4, 4)], [Image("plot.tif", 100, 100)]))
        1
        """
        n = len(shapes)
        image_index = np.zeros(n, dtype=np.int64)
        if image is not None:
            image_index = np.asarray(image, dtype=np.int64)
        labels = np.full(n, None, dtype=object)
        if label is not None:
            labels = _object_array(label)
        scores = np.full(n, np.nan)
        if score is not None:
            scores = np.asarray(score, dtype=np.float64)
        return cls(
            shapes=_object_array(shapes),
            image_index=image_index,
            images=tuple(images),
            label=labels,
            score=scores,
            source_row=np.arange(1, n + 1),
            is_ignored=np.full(n, ignored),
            n_read=n,
            annotated_images=frozenset(image_index.tolist()),
            fields=dict(fields),
        )

    @classmethod
    def concatenate(cls, parts: Sequence[Annotations], images: Sequence[Image]) -> Annotations:
        """Concatenate annotations on the same images.

        Masks and messages about the files are dropped.

        Args:
            parts: the annotations, whose image indices refer to ``images``.
            images: all images.

        >>> image = Image("plot.tif", 100, 100)
        >>> part = Annotations.from_shapes([shapely.box(0, 0, 4, 4)], [image])
        >>> len(Annotations.concatenate([part, part], [image]))
        2
        """
        # An empty part in front, so that the arrays have their types without any parts.
        empty = cls.from_shapes([], images)
        arrays = {}
        for name in _ARRAYS:
            part_arrays = [getattr(part, name) for part in (empty, *parts)]
            arrays[name] = np.concatenate(part_arrays)

        problem_rows: dict[SkipReason | DoubtReason, list[int]] = {}
        annotated_images: set[int] = set()
        unit = CoordinateUnit.PIXELS
        for part in parts:
            for reason, rows in part.problem_rows.items():
                problem_rows.setdefault(reason, []).extend(rows)
            annotated_images |= part.annotated_images
            if part.unit is CoordinateUnit.UNKNOWN:
                unit = CoordinateUnit.UNKNOWN
        return replace(
            empty,
            **arrays,
            fields=_concatenate_fields(parts),
            n_read=sum(part.n_read for part in parts),
            problem_rows=problem_rows,
            annotated_images=frozenset(annotated_images),
            unit=unit,
        )

    @property
    def empty_images(self) -> list[str]:
        """Names of the images without any annotation; skipped annotations count too."""
        return [
            image.name
            for number, image in enumerate(self.images)
            if image.name and number not in self.annotated_images
        ]

    @property
    def skipped_rows(self) -> dict[SkipReason, list[int]]:
        """Rows of the annotations that were skipped, by reason."""
        return {
            reason: rows
            for reason, rows in self.problem_rows.items()
            if isinstance(reason, SkipReason)
        }

    def with_problem(self, reason: SkipReason | DoubtReason, is_affected: Bools) -> Annotations:
        """Return a copy in which a problem of some annotations is recorded.

        Args:
            reason: the problem. Annotations with a :class:`SkipReason` are removed, those with a
                :class:`DoubtReason` stay.
            is_affected: (n,) mask of the annotations with the problem.

        >>> boxes = [shapely.box(0, 0, 4, 4), shapely.box(9, 9, 9, 9)]
        >>> annotations = Annotations.from_shapes(boxes, [Image("plot.tif", 100, 100)])
        >>> usable = annotations.with_problem(SkipReason.NO_SIZE, np.array([False, True]))
        >>> len(usable), usable.skipped_rows[SkipReason.NO_SIZE]
        (1, [2])
        """
        if not is_affected.any():
            return self
        earlier_rows = self.problem_rows.get(reason, [])
        affected_rows = self.source_row[is_affected].tolist()
        problem_rows = {**self.problem_rows, reason: [*earlier_rows, *affected_rows]}
        kept = self
        if isinstance(reason, SkipReason):
            kept = self.select(np.flatnonzero(~is_affected))
        return replace(kept, problem_rows=problem_rows)

    def select(self, rows: Ints) -> Annotations:
        """Return some of the annotations; images, problems and messages of the file stay.

        Args:
            rows: (m,) indices of the annotations, in the order of the result.

        >>> boxes = [shapely.box(0, 0, 4, 4), shapely.box(9, 9, 12, 12)]
        >>> annotations = Annotations.from_shapes(boxes, [Image("plot.tif", 100, 100)])
        >>> annotations.select(np.array([1])).source_row.tolist()
        [2]
        """
        arrays = {name: getattr(self, name)[rows] for name in _ARRAYS}
        # The annotations get new indices, by which their masks are stored.
        masks = {
            new_index: self.masks[old_index]
            for new_index, old_index in enumerate(rows.tolist())
            if old_index in self.masks
        }
        fields = {name: values[rows] for name, values in self.fields.items()}
        return replace(self, masks=masks, fields=fields, **arrays)

    def drop_low_scores(self, threshold: float) -> Annotations:
        """Return a copy without the annotations below a score, which are recorded as skipped.

        Args:
            threshold: the threshold; nothing is removed unless it is above 0. Annotations without a
                score are never removed.
        """
        if threshold <= 0:
            return self
        return self.with_problem(SkipReason.LOW_SCORE, self.score < threshold)

    def collect_messages(self, file: str) -> list[Message]:
        """Return the messages about the file, its skipped and its doubtful annotations.

        Args:
            file: name of the file in the messages.
        """
        is_no_share = np.abs(self.score - 0.5) > 0.5  # outside 0 to 1
        checked = self.with_problem(DoubtReason.NO_SHARE, is_no_share)
        messages = list(self.messages)
        for reason, rows in checked.problem_rows.items():
            messages.append(reason.message(file, rows))
        messages += self._share_messages(file)
        messages += renamed_messages(file, self._imported_columns(file), self.fields)
        return messages

    def _imported_columns(self, file: str) -> dict[str, Any]:
        """Return the columns of the annotations whose names their fields must not have.

        Args:
            file: name of the file.
        """
        if not self.fields:
            return {}
        images = np.array([*(image.name for image in self.images), ""], dtype=object)
        return {
            "label": self.label,
            "score": self.score,
            "image": images[self.image_index],
            "source": [file] * len(self),
            "row": self.source_row,
        }

    def _share_messages(self, file: str) -> list[Message]:
        """Return a warning if all crowns in pixels lie within one pixel: they may be shares.

        Args:
            file: name of the file in the message.
        """
        if self.unit is not CoordinateUnit.PIXELS or not len(self) or self.masks:
            return []
        bounds = shapely.bounds(self.shapes)
        is_within_pixel = bool(((bounds >= 0) & (bounds <= 1)).all())
        has_decimals = bool((bounds != np.rint(bounds)).any())
        if not (is_within_pixel and has_decimals):
            return []
        return [
            warning(
                "exchange.may_be_shares",
                "{file}: all coordinates are between 0 and 1. They were read as pixels, but may be "
                "shares of the width and height of the image. Save the file with pixels.",
                file=file,
            )
        ]


def _concatenate_fields(parts: Sequence[Annotations]) -> dict[str, Objects]:
    """Return the further attributes of all parts by name; None for parts without the attribute."""
    names = dict.fromkeys(name for part in parts for name in part.fields)
    fields = {}
    for name in names:
        columns = []
        for part in parts:
            no_values = np.full(len(part), None, dtype=object)
            columns.append(part.fields.get(name, no_values))
        fields[name] = np.concatenate(columns)
    return fields


class _Annotation(NamedTuple):
    """An annotation as it is collected, see :class:`Annotations`."""

    shape: Any  #: polygon, multipolygon or point; None for an annotation with a mask.
    image: int  #: index of the image.
    label: str | None  #: label, or None.
    score: float  #: score; NaN without one.
    row: int  #: position in the file, from 1.
    is_ignored: bool  #: True for a region to ignore.
    fields: Mapping[str, Any]  #: further attributes by name.


class AnnotationCollector:
    """Annotations of a file, collected one by one while the file is read.

    Args:
        file: name of the file in messages.

    Attributes:
        file: name of the file in messages.
        images: images so far.

    >>> collected = AnnotationCollector("plot.json")
    >>> image = collected.index_image("plot.tif", 100, 100)
    >>> collected.add(shapely.box(0, 0, 4, 4), image, 1, "Tree", 0.5)
    >>> collected.add(SkipReason.FEW_POINTS, image, 2, "Tree")
    >>> annotations = collected.build()
    >>> len(annotations), annotations.n_read
    (1, 2)
    """

    def __init__(self, file: str) -> None:
        self.file = file
        self.images: list[Image] = []
        self._image_index: dict[tuple[str, str], int] = {}  # by name and identity
        self._annotations: list[_Annotation] = []
        self._masks: dict[int, RleMask] = {}
        self._problem_rows: dict[SkipReason | DoubtReason, list[int]] = {}
        self._annotated_images: set[int] = set()

    def index_image(
        self, name: str, width: int = 0, height: int = 0, path: str = "", identity: str = ""
    ) -> int:
        """Add an image to :attr:`images` unless it is known, and return its index.

        An image is known by its name and its identity together.

        Args:
            name: name or path of the image.
            width: width in pixels of a new image; 0 if unknown.
            height: height in pixels of a new image; 0 if unknown.
            path: path of a new image, if the file gives one besides the name.
            identity: identity of the image in its file; two identities are two images, even if
                they have the same name.
        """
        key = (name, identity)
        if key not in self._image_index:
            self._image_index[key] = len(self.images)
            self.images.append(Image(name=name, width=width, height=height, path=path, id=identity))
        return self._image_index[key]

    def add_problem(self, reason: SkipReason | DoubtReason, row: int) -> None:
        """Record a problem of a row, counted from 1."""
        self._problem_rows.setdefault(reason, []).append(row)

    def add(
        self,
        shape: Any,
        image: int,
        row: int,
        label: str | None,
        score: Any = None,
        is_ignored: bool = False,
        fields: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        """Add an annotation, or record why it is skipped.

        Args:
            shape: polygon, multipolygon, point or :class:`RleMask`; or the :class:`SkipReason` for
                which the annotation is skipped.
            image: index of its image, from :meth:`index_image`.
            row: position in the file, from 1.
            label: label, or None.
            score: score as the file contains it; None or "" without one.
            is_ignored: True for a region to ignore.
            fields: further attributes by name.

        Raises:
            InputError: if the file has too many annotations.
        """
        self._annotated_images.add(image)
        if isinstance(shape, SkipReason):
            self.add_problem(shape, row)
            return
        if isinstance(shape, RleMask):
            self._masks[len(self._annotations)] = shape
            shape = None
        score_number = parse_number(score)
        if not (math.isfinite(score_number) or score in (None, "")):
            self.add_problem(DoubtReason.NO_SCORE, row)
            score_number = math.nan
        self._annotations.append(
            _Annotation(
                shape=shape,
                image=image,
                label=label,
                score=score_number,
                row=row,
                is_ignored=is_ignored,
                fields=fields,
            )
        )
        if len(self._annotations) > MAX_ANNOTATIONS:
            raise too_many_annotations_error(self.file, row)

    def build(
        self, unit: CoordinateUnit = CoordinateUnit.PIXELS, messages: Sequence[Message] = ()
    ) -> Annotations:
        """Return the collected annotations.

        Args:
            unit: unit of the coordinates.
            messages: messages about the file as a whole.
        """
        items = self._annotations
        annotations = Annotations.from_shapes(
            shapes=[item.shape for item in items],
            images=self.images,
            image=[item.image for item in items],
            label=[item.label for item in items],
            score=[item.score for item in items],
        )
        n_skipped = 0
        for reason, rows in self._problem_rows.items():
            if isinstance(reason, SkipReason):
                n_skipped += len(rows)
        annotations = replace(
            annotations,
            source_row=np.array([item.row for item in items], dtype=np.int64),
            is_ignored=np.array([item.is_ignored for item in items], dtype=bool),
            masks=self._masks,
            n_read=len(items) + n_skipped,
            problem_rows=self._problem_rows,
            messages=tuple(messages),
            annotated_images=frozenset(self._annotated_images),
            unit=unit,
            fields=collect_fields([item.fields for item in items]),
        )
        is_out_of_range = _are_out_of_range(annotations.shapes)
        return annotations.with_problem(SkipReason.NOT_NUMBERS, is_out_of_range)


def _are_out_of_range(shapes: Objects) -> Bools:
    """Return a mask (n,) of the shapes with a coordinate beyond :data:`MAX_COORDINATE`.

    Two numbers of a file that are in range, such as centre and radius, can have a sum that is not.
    """
    is_shape = ~shapely.is_missing(shapes) & ~shapely.is_empty(shapes)
    bounds = shapely.bounds(shapes)
    return cast("Bools", is_shape & ~(np.abs(bounds) < MAX_COORDINATE).all(axis=1))


def collect_fields(records: Sequence[Mapping[str, Any]]) -> dict[str, Objects]:
    """Return the (n,) values of each name in n records; None where a record has no such name.

    Args:
        records: values of each of n annotations by the name of the field.

    Returns:
        (n,) values by the name of the field.
    """
    names = dict.fromkeys(name for record in records for name in record)
    return {name: _object_array([record.get(name) for record in records]) for name in names}


def plain_values(record: Any) -> dict[str, Any]:
    """Return the numbers, texts and flags in a decoded object by name; {} for anything else.

    >>> plain_values({"health": "dead", "dbh": 30, "parts": [1, 2]})
    {'health': 'dead', 'dbh': 30}
    """
    if not isinstance(record, dict):
        return {}
    return {
        str(name): value for name, value in record.items() if isinstance(value, (str, int, float))
    }


def too_many_annotations_error(file: str, row: int) -> InputError:
    """Return the error for a file with too many annotations.

    Args:
        file: name of the file.
        row: row of the first annotation beyond the limit.

    >>> isinstance(too_many_annotations_error("plot.csv", 2_000_002), InputError)
    True
    """
    return InputError(
        "annotations.too_many_in_file",
        "{file} has more than {most:,} annotations (row {row:,} is one too many); raise the score "
        "threshold, or split the file.",
        file=file,
        most=MAX_ANNOTATIONS,
        row=row,
    )


def check_total(n_annotations: int) -> None:
    """Raise InputError if all files together have too many annotations.

    Args:
        n_annotations: number of annotations of all files.

    >>> check_total(1000)
    """
    if n_annotations > MAX_ANNOTATIONS:
        raise InputError(
            "annotations.too_many",
            "The files hold {number:,} annotations, more than {most:,}; raise the score threshold, "
            "or import fewer.",
            number=n_annotations,
            most=MAX_ANNOTATIONS,
        )


def parse_box(values: Sequence[Any]) -> shapely.Polygon | SkipReason:
    """Convert x1, y1, x2, y2 to a box.

    Args:
        values: four numbers, or texts of numbers.

    Returns:
        The box, or what is wrong with it.

    >>> parse_box([0, 0, 2, 1]).area, parse_box([0, 0, 0, 1]).name, parse_box([0, "a", 2, 1]).name
    (2.0, 'NO_SIZE', 'NOT_NUMBERS')
    """
    numbers = _to_numbers(values)
    if numbers is None or len(numbers) != 4:
        return SkipReason.NOT_NUMBERS
    x1, y1, x2, y2 = numbers
    if x2 <= x1 or y2 <= y1:
        return SkipReason.NO_SIZE
    return shapely.box(x1, y1, x2, y2, ccw=False)


def parse_polygon(values: Sequence[Any]) -> shapely.Polygon | SkipReason:
    """Convert x1, y1, x2, y2, … to a polygon.

    Args:
        values: an even number of numbers, or texts of numbers.

    Returns:
        The polygon, or what is wrong with it.

    >>> parse_polygon([0, 0, 2, 0, 2, 2]).area, parse_polygon([0, 0, 2, 0]).name
    (2.0, 'FEW_POINTS')
    """
    numbers = _to_numbers(values)
    if numbers is None or len(numbers) % 2:
        return SkipReason.NOT_NUMBERS
    if len(set(zip(numbers[::2], numbers[1::2]))) < MIN_POINTS:
        return SkipReason.FEW_POINTS
    return shapely.Polygon(np.reshape(numbers, (-1, 2)))


def _object_array(values: Sequence[Any] | Array) -> Objects:
    """Return the values as a one-dimensional array of objects, whatever they are."""
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def _to_numbers(values: Any) -> list[float] | None:
    """Return a list of finite coordinates; None if the values are not a list of these."""
    if not isinstance(values, (list, tuple)):
        return None
    numbers = [parse_number(value) for value in values]
    return numbers if all(abs(number) < MAX_COORDINATE for number in numbers) else None
