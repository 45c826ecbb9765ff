"""Shapes of COCO annotations: outlines, masks and boxes, read as arrays for a whole file.

An outline is a list of parts, each x1, y1, x2, y2, …. The crown is the union of its parts, as in
pycocotools: a part within another is no hole.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import shapely
import shapely.affinity

from randcrowns.core.arrays import Bools, Floats, Ints, Objects
from randcrowns.core.errors import InputError
from randcrowns.core.exchange.annotations import MAX_RUNS, MIN_POINTS, DoubtReason, SkipReason
from randcrowns.core.exchange.rle import RleMask, decode_counts
from randcrowns.core.exchange.values import (
    MAX_COORDINATE,
    parse_number,
    parse_numbers,
    parse_pixels,
)
from randcrowns.core.outlines import make_usable

#: Maximum number of pixels of the columns that contain a mask. Outlining them takes 0.6 GB.
_MAX_DECODED = 100_000_000
#: Depth of nested lists to which the points of a part are looked for.
_MAX_DEPTH = 4
#: Share of the area by which parts must overlap to be called overlapping.
_AREA_TOLERANCE = 1e-9
#: Tolerance with which a stated area is that of a box, pixels².
_BOX_AREA_TOLERANCE = 0.51
#: Value of Detectron2's ``bbox_mode`` for boxes that hold two corners.
_CORNERS_MODE = 0


@dataclass(frozen=True, eq=False)
class RecordShapes:
    """Shapes of n records of a file.

    Attributes:
        shapes: (n,) polygons or multipolygons; None for a mask or a record that is skipped.
        masks: masks by the index of their record.
        skip_reasons: (n,) the reason why a record has no shape; None if it has one.
        doubts: (n,) masks of the records whose shape is doubtful, by reason.
    """

    shapes: Objects
    masks: dict[int, RleMask]
    skip_reasons: Objects
    doubts: dict[DoubtReason, Bools]


def read_shapes(records: Sequence[Mapping[str, Any]]) -> RecordShapes:
    """Read the shapes of COCO annotations.

    The shape is the outline or mask (``segmentation``); the box (``bbox``) if there is none, or if
    it cannot be read.

    Args:
        records: n decoded annotations.

    Returns:
        The shapes, what was skipped and what was assumed.

    >>> outer, inner = [0, 0, 4, 0, 4, 4, 0, 4], [1, 1, 2, 1, 2, 2, 1, 2]
    >>> found = read_shapes([{"segmentation": [outer, inner]}, {"bbox": [0, 0, 4, 2]}])
    >>> shapely.area(found.shapes).tolist()
    [16.0, 8.0]
    """
    segmentations = [_decode_text(record.get("segmentation")) for record in records]
    masks, mask_reasons = _read_masks(segmentations)
    point_lists: list[list[Any]] = []
    for row, segmentation in enumerate(segmentations):
        is_mask = row in masks or mask_reasons[row] is not None
        is_outline = type(segmentation) is list and not is_mask
        point_lists.append(segmentation if is_outline else [])
    outlines = _read_outlines(point_lists)

    is_read = ~shapely.is_missing(outlines.shapes)
    is_read[list(masks)] = True
    has_outline_reason = pd.notna(outlines.reasons)
    reasons = np.where(has_outline_reason, outlines.reasons, mask_reasons)
    reasons[is_read] = None
    record_shapes = RecordShapes(
        shapes=outlines.shapes,
        masks=masks,
        skip_reasons=reasons,
        doubts={
            DoubtReason.BAD_PART: outlines.has_bad_part & is_read,
            DoubtReason.JOINED_PARTS: outlines.is_joined,
        },
    )
    if is_read.all():
        return record_shapes
    return _with_boxes(record_shapes, records, np.flatnonzero(~is_read))


class _Outlines(NamedTuple):
    """Outlines of n records."""

    shapes: Objects  #: (n,) polygons or multipolygons; None for a record without a usable part.
    reasons: Objects  #: (n,) problem of the first part that cannot be used; None without one.
    has_bad_part: Bools  #: (n,) mask of the records with a part that cannot be used.
    is_joined: Bools  #: (n,) mask of the records whose parts overlap and were joined.


def _read_outlines(point_lists: list[list[Any]]) -> _Outlines:
    """Read outlines that are lists of parts.

    Args:
        point_lists: n decoded outlines; an empty list for a record without one.
    """
    n = len(point_lists)
    parts, record_of_part = _split_parts(point_lists)
    polygons, part_reasons = _read_parts(parts)
    shapes, is_joined = _join_parts(polygons, record_of_part, n)

    bad_parts = np.flatnonzero(shapely.is_missing(polygons))
    bad_records, first_positions = np.unique(record_of_part[bad_parts], return_index=True)
    reasons = np.full(n, None, dtype=object)
    reasons[bad_records] = part_reasons[bad_parts[first_positions]]
    has_bad_part = np.zeros(n, dtype=bool)
    has_bad_part[bad_records] = True
    return _Outlines(shapes, reasons, has_bad_part, is_joined)


def _with_boxes(
    record_shapes: RecordShapes, records: Sequence[Mapping[str, Any]], unread_rows: Ints
) -> RecordShapes:
    """Return shapes with the boxes of the records that have no other shape.

    Args:
        record_shapes: outlines and masks of n records.
        records: n decoded annotations.
        unread_rows: indices of the records without an outline or mask.
    """
    boxes = _read_boxes([records[row] for row in unread_rows.tolist()])
    outline_reasons = record_shapes.skip_reasons[unread_rows]
    has_outline_reason = np.array([reason is not None for reason in outline_reasons], dtype=bool)
    is_box = ~shapely.is_missing(boxes.shapes)

    shapes = record_shapes.shapes.copy()
    shapes[unread_rows] = boxes.shapes
    # Without a usable box, the problem of the outline is the reason to skip the record.
    is_outline_at_fault = ~is_box & has_outline_reason
    reasons = record_shapes.skip_reasons.copy()
    reasons[unread_rows] = np.where(is_outline_at_fault, outline_reasons, boxes.reasons)

    def mask_records(is_affected: Bools) -> Bools:
        mask = np.zeros(len(records), dtype=bool)
        mask[unread_rows] = is_affected
        return mask

    doubts = {
        **record_shapes.doubts,
        DoubtReason.BOX_TAKEN: mask_records(is_box & has_outline_reason),
        DoubtReason.BOX_OF_CORNERS: mask_records(boxes.is_of_corners),
        DoubtReason.BOX_TURNED: mask_records(boxes.is_turned),
    }
    return RecordShapes(shapes, record_shapes.masks, reasons, doubts)


def _decode_text(outline: Any) -> Any:
    """Return an outline; if it is JSON in a text, as tables hold it, the decoded JSON."""
    if type(outline) is str:
        with suppress(ValueError, RecursionError):
            return json.loads(outline)
    return outline


def _read_masks(segmentations: Sequence[Any]) -> tuple[dict[int, RleMask], Objects]:
    """Read the segmentations that are masks.

    Args:
        segmentations: n decoded segmentations of any kind.

    Returns:
        Masks by the index of their segmentation; (n,) reasons why a segmentation can neither be
        used as a mask nor be an outline, None for the others.
    """
    reasons = np.full(len(segmentations), None, dtype=object)
    masks: dict[int, RleMask] = {}
    for row, segmentation in enumerate(segmentations):
        if not segmentation:
            continue
        if type(segmentation) is list and type(segmentation[0]) is not dict:
            continue  # an outline
        if type(segmentation) not in (list, dict):
            reasons[row] = SkipReason.NOT_NUMBERS
            continue
        encodings = [segmentation] if type(segmentation) is dict else segmentation
        if not all(type(encoding) is dict and "x" not in encoding for encoding in encodings):
            continue  # points with x and y
        mask = _read_mask_parts(encodings)
        if isinstance(mask, SkipReason):
            reasons[row] = mask
        else:
            masks[row] = mask
    return masks, reasons


def _read_mask_parts(encodings: Sequence[Mapping[str, Any]]) -> RleMask | SkipReason:
    """Return the union of masks of one crown, or the reason to skip them."""
    masks = [_read_mask(encoded) for encoded in encodings]
    usable = [mask for mask in masks if isinstance(mask, RleMask)]
    if len(masks) == 1 or not usable:
        return masks[0]
    sizes = {(mask.n_rows, mask.n_columns) for mask in usable}
    if len(sizes) > 1:
        return SkipReason.BAD_COUNTS
    for reason in (SkipReason.LARGE_MASK, SkipReason.RAGGED_MASK):
        if reason in masks:
            return reason
    union = RleMask.union(usable)
    if len(union.run_lengths) // 2 > MAX_RUNS:
        return SkipReason.RAGGED_MASK
    return SkipReason.LARGE_MASK if union.n_decoded > _MAX_DECODED else union


def _read_mask(encoded: Mapping[str, Any]) -> RleMask | SkipReason:
    """Return the mask of a plain or compressed run-length encoding.

    Args:
        encoded: ``size`` (rows, columns) and ``counts`` (list of run lengths, or text).

    Returns:
        The mask, or the reason to skip it if it is invalid or empty.
    """
    size = encoded.get("size")
    if not isinstance(size, list) or len(size) != 2:
        return SkipReason.BAD_COUNTS
    sides = [parse_pixels(side) for side in size]
    if not all(side > 0 and side == parse_number(value) for side, value in zip(sides, size)):
        return SkipReason.BAD_COUNTS
    runs = _read_counts(encoded.get("counts"))
    if runs is None:
        return SkipReason.BAD_COUNTS
    mask = RleMask(sides[0], sides[1], runs)
    if not mask.is_valid:
        return SkipReason.BAD_COUNTS
    if mask.n_decoded > _MAX_DECODED:
        return SkipReason.LARGE_MASK
    if len(runs) // 2 > MAX_RUNS:
        return SkipReason.RAGGED_MASK
    return mask if runs[1::2].sum() else SkipReason.EMPTY_MASK


def _read_counts(counts: Any) -> Ints | None:
    """Return the run lengths (n,) of a mask; None if they are invalid.

    Args:
        counts: list of whole numbers, which may be written as floats or text; or COCO's compressed
            text, which Python programs also write as ``"b'…'"``.
    """
    try:
        if isinstance(counts, str):
            text = counts
            # Python's notation of bytes, such as b'05'.
            if counts.startswith(("b'", 'b"')) and counts.endswith(counts[1]):
                text = ast.literal_eval(counts).decode("ascii")
            return decode_counts(text)
        if isinstance(counts, list):
            numbers = np.array([parse_number(count) for count in counts], dtype=np.float64)
            is_in_range = np.abs(numbers) < MAX_COORDINATE  # False for NaN
            if is_in_range.all() and (numbers == np.floor(numbers)).all():
                return numbers.astype(np.int64)
    except (InputError, ValueError, SyntaxError):
        pass
    return None


def _split_parts(outlines: list[list[Any]]) -> tuple[list[list[Any]], Ints]:
    """Return the parts of all outlines, each a flat list of values, and the row of each part.

    Parts without any value are left out.

    Args:
        outlines: outlines; an empty list for a record without one.
    """
    parts = list(chain.from_iterable(outlines))
    part_types = {type(part) for part in parts}
    if part_types - {list} or not _are_flat(parts):
        outlines = [_tidy_outline(outline) for outline in outlines]
        parts = list(chain.from_iterable(outlines))
    n_parts = np.array([len(outline) for outline in outlines], dtype=np.int64)
    rows = np.repeat(np.arange(len(outlines)), n_parts)
    has_values = np.array([len(part) > 0 for part in parts], dtype=bool)
    if has_values.all():
        return parts, rows
    return [part for part in parts if part], rows[has_values]


def _are_flat(parts: Sequence[list[Any]]) -> bool:
    """Return True if the parts contain no points [x, y] in lists of their own."""
    first = {type(part[0]) for part in parts if part}
    return not first & {list, dict} and 2 not in set(map(len, parts))


def _tidy_outline(outline: list[Any]) -> list[list[Any]]:
    """Return the parts of an outline as flat lists, whatever its lists are nested in.

    >>> _tidy_outline([0, 0, 4, 0, 4, 4]), _tidy_outline([[0, 0], [4, 0], [4, 4]])
    ([[0, 0, 4, 0, 4, 4]], [[0, 0, 4, 0, 4, 4]])
    """
    if not any(isinstance(item, (list, dict)) for item in outline):
        return [outline] if outline else []
    if len(outline) >= MIN_POINTS and all(map(_is_point, outline)):
        return [_flatten(outline)]
    return [_flatten(item) for item in outline]


def _is_point(item: Any) -> bool:
    """Return True for [x, y] and for {"x": x, "y": y}."""
    if isinstance(item, dict):
        return "x" in item and "y" in item
    is_pair = isinstance(item, list) and len(item) == 2
    return is_pair and not any(isinstance(value, (list, dict)) for value in item)


def _flatten(item: Any, depth: int = 0) -> list[Any]:
    """Return the values in nested lists of points as one list; a value of its own is kept."""
    if isinstance(item, dict):
        return [item.get("x"), item.get("y")]
    if not isinstance(item, list) or depth > _MAX_DEPTH:
        return [item]
    return list(chain.from_iterable(_flatten(value, depth + 1) for value in item))


def _read_parts(parts: Sequence[list[Any]]) -> tuple[Objects, Objects]:
    """Return the polygons (n,) of parts, and the reasons (n,) why a part is none.

    Args:
        parts: n lists of the coordinates x1, y1, x2, y2, …, none of them empty.
    """
    n = len(parts)
    polygons = np.full(n, None, dtype=object)
    reasons = np.full(n, None, dtype=object)
    lengths = np.fromiter(map(len, parts), dtype=np.int64, count=n)
    values = parse_numbers(chain.from_iterable(parts))
    part_of_value = np.repeat(np.arange(n), lengths)
    is_out_of_range = ~(np.abs(values) < MAX_COORDINATE)  # NaN too
    lacks_numbers = lengths % 2 == 1
    lacks_numbers[part_of_value[is_out_of_range]] = True
    reasons[lacks_numbers] = SkipReason.NOT_NUMBERS

    has_few_points = (lengths < 2 * MIN_POINTS) | _are_closed_pairs(values, lengths)
    reasons[~lacks_numbers & has_few_points] = SkipReason.FEW_POINTS
    is_usable = ~lacks_numbers & ~has_few_points
    usable_parts = np.flatnonzero(is_usable)
    if not len(usable_parts):
        return polygons, reasons
    points = values[is_usable[part_of_value]].reshape(-1, 2)
    ring_of_point = np.repeat(np.arange(len(usable_parts)), lengths[usable_parts] // 2)
    polygons[usable_parts] = shapely.polygons(shapely.linearrings(points, indices=ring_of_point))
    # Only an outline without area can consist of fewer than three different points.
    for part in usable_parts[shapely.area(polygons[usable_parts]) == 0].tolist():
        if len(np.unique(shapely.get_coordinates(polygons[part]), axis=0)) < MIN_POINTS:
            polygons[part] = None
            reasons[part] = SkipReason.FEW_POINTS
    return polygons, reasons


def _are_closed_pairs(values: Floats, lengths: Ints) -> Bools:
    """Return a mask (n,) of the parts of three points whose last point repeats the first.

    Args:
        values: coordinates x1, y1, x2, y2, … of all parts.
        lengths: (n,) number of values of each part.
    """
    ends = np.cumsum(lengths)
    triangles = np.flatnonzero(lengths == 2 * MIN_POINTS)
    last_x = ends[triangles] - 2
    first_x = ends[triangles] - lengths[triangles]
    has_same_x = values[first_x] == values[last_x]
    has_same_y = values[first_x + 1] == values[last_x + 1]
    is_closed = np.zeros(len(lengths), dtype=bool)
    is_closed[triangles] = has_same_x & has_same_y
    return is_closed


def _join_parts(polygons: Objects, record_of_part: Ints, n: int) -> tuple[Objects, Bools]:
    """Return the union of the parts of each record.

    Args:
        polygons: (m,) polygons of the parts; None for a part that cannot be used.
        record_of_part: (m,) record of each part, rising.
        n: number of records.

    Returns:
        (n,) polygons or multipolygons, None for a record without any part; (n,) mask of the records
        whose parts overlap.
    """
    shapes = np.full(n, None, dtype=object)
    is_overlapping = np.zeros(n, dtype=bool)
    is_usable = ~shapely.is_missing(polygons)
    usable_polygons = polygons[is_usable]
    records = record_of_part[is_usable]
    n_parts = np.bincount(records, minlength=n)
    is_single = n_parts[records] == 1
    shapes[records[is_single]] = usable_polygons[is_single]
    several = np.flatnonzero(n_parts > 1)
    if not len(several):
        return shapes, is_overlapping

    parts = usable_polygons[~is_single]
    outline_of_part = np.searchsorted(several, records[~is_single])
    outlines = shapely.multipolygons(parts, indices=outline_of_part)
    # Parts that do not overlap stay as they are in the file.
    to_join = np.flatnonzero(~shapely.is_valid(outlines))
    unions = make_usable(outlines[to_join]).polygons
    # A record whose parts cross too often, or have no area, keeps the outline of the file.
    has_area = shapely.area(unions) > 0
    outlines[to_join[has_area]] = unions[has_area]
    shapes[several] = outlines

    # Parts that overlap have a larger area than their union.
    part_areas = shapely.area(make_usable(parts).polygons)
    summed_areas = np.bincount(outline_of_part, weights=part_areas)[to_join]
    excess = summed_areas - shapely.area(outlines[to_join])
    is_overlapping[several[to_join]] = excess > _AREA_TOLERANCE * summed_areas
    return shapes, is_overlapping


class _Boxes(NamedTuple):
    """Boxes of n records."""

    shapes: Objects  #: (n,) boxes; None if a record has none.
    reasons: Objects  #: (n,) reason why a record has no box; None if it has one.
    is_of_corners: Bools  #: (n,) mask of the boxes that hold two corners instead of a size.
    is_turned: Bools  #: (n,) mask of the boxes that were turned by their rotation.


def _read_boxes(records: Sequence[Mapping[str, Any]]) -> _Boxes:
    """Read the boxes of records.

    Args:
        records: n decoded annotations with ``bbox`` (x, y, width, height).
    """
    n = len(records)
    boxes: list[list[Any]] = []
    for record in records:
        box: Any = record.get("bbox")
        is_box = type(box) is list and len(box) == 4
        boxes.append(box if is_box else [None] * 4)
    numbers = parse_numbers(chain.from_iterable(boxes)).reshape(n, 4).copy()
    is_number = (np.abs(numbers) < MAX_COORDINATE).all(axis=1)
    numbers[~is_number] = np.nan

    # The last two numbers are the size; in the boxes of some programs, the opposite corner.
    is_of_corners = _find_corners(records, numbers)
    lower_corners = numbers[:, :2]
    upper_corners = lower_corners + numbers[:, 2:]
    upper_corners[is_of_corners] = numbers[is_of_corners, 2:]
    has_size = is_number & (upper_corners > lower_corners).all(axis=1)
    shapes = np.full(n, None, dtype=object)
    xmin, ymin = lower_corners[has_size].T
    xmax, ymax = upper_corners[has_size].T
    shapes[has_size] = shapely.box(xmin, ymin, xmax, ymax, ccw=False)
    reasons = np.full(n, None, dtype=object)
    reasons[~has_size] = SkipReason.NO_SIZE
    reasons[~is_number] = SkipReason.NOT_NUMBERS
    is_turned = _turn_boxes(records, shapes)
    return _Boxes(
        shapes=shapes,
        reasons=reasons,
        is_of_corners=is_of_corners & has_size,
        is_turned=is_turned,
    )


def _find_corners(records: Sequence[Mapping[str, Any]], numbers: Floats) -> Bools:
    """Return a mask (n,) of the boxes that hold x1, y1, x2, y2 instead of x, y, width, height.

    Detectron2 says so in ``bbox_mode``. Otherwise the stated areas decide, if all of them are those
    of corners and none is that of a size.

    Args:
        records: n decoded annotations.
        numbers: (n, 4) numbers of their boxes, or NaN.
    """
    modes = [record.get("bbox_mode") for record in records]
    if any(mode is not None for mode in modes):
        is_corners_mode = np.array([parse_number(mode) == _CORNERS_MODE for mode in modes])
        is_usable: Bools = np.isfinite(numbers).all(axis=1)
        return is_corners_mode & is_usable
    stated_areas = parse_numbers(record.get("area") for record in records)
    first_pairs, last_pairs = numbers[:, :2], numbers[:, 2:]
    areas_as_sizes = np.prod(last_pairs, axis=1)
    areas_as_corners = np.prod(last_pairs - first_pairs, axis=1)
    is_stated = (stated_areas > 0) & np.isfinite(areas_as_sizes)
    # Boxes at the origin have nearly the same area both ways and decide nothing.
    is_distinct = np.abs(areas_as_sizes - areas_as_corners) > 4 * _BOX_AREA_TOLERANCE
    is_decisive = is_stated & is_distinct
    if not is_decisive.any():
        return np.zeros(len(records), dtype=bool)
    fits_corners = np.abs(areas_as_corners - stated_areas) <= _BOX_AREA_TOLERANCE
    if not fits_corners[is_decisive].all():
        return np.zeros(len(records), dtype=bool)
    is_ordered: Bools = (last_pairs > first_pairs).all(axis=1)
    return is_ordered


def _turn_boxes(records: Sequence[Mapping[str, Any]], shapes: Objects) -> Bools:
    """Turn boxes in place by the rotation that CVAT writes, clockwise about their centre.

    Args:
        records: n decoded annotations; CVAT's have ``attributes`` with ``rotation``, degrees.
        shapes: (n,) boxes or None.

    Returns:
        A mask (n,) of the boxes that were turned.
    """
    attributes = [record.get("attributes") for record in records]
    is_turned = np.zeros(len(records), dtype=bool)
    for row, record_attributes in enumerate(attributes):
        angle = 0.0
        if isinstance(record_attributes, dict):
            angle = parse_number(record_attributes.get("rotation"))
        if shapes[row] is not None and np.isfinite(angle) and angle % 360:
            # y points down, so that a positive angle is clockwise.
            shapes[row] = shapely.affinity.rotate(shapes[row], angle, origin="center")
            is_turned[row] = True
    return is_turned
