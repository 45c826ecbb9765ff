"""COCO files: ground truths with images and annotations, and results.

Results are a bare list of annotations, which refer to the images of a ground truth by number.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

import numpy as np

from randcrowns.core.arrays import Bools, Floats, Ints, Objects
from randcrowns.core.errors import InputError
from randcrowns.core.exchange import annotations as limits
from randcrowns.core.exchange.annotations import (
    Annotations,
    DoubtReason,
    Image,
    SkipReason,
    too_many_annotations_error,
)
from randcrowns.core.exchange.coco_shapes import read_shapes
from randcrowns.core.exchange.values import (
    parse_number,
    parse_numbers,
    parse_pixels,
    paused_collection,
    read_json,
)

#: Keys of the name of the image in an annotation, as Ultralytics and DeepForest write it.
_NAME_KEYS = ("file_name", "image_name", "image_path")
#: Keys of the score; the last one is that of Segment Anything's masks.
_SCORE_KEYS = ("score", "confidence", "predicted_iou")
#: Keys of the label itself; the second one is that of SAHI's results.
_LABEL_KEYS = ("label", "category_name")
#: Whole number written as text or as a float.
_WHOLE_NUMBER = re.compile(r"([-+]?\d+)(\.0*)?")
#: Texts of ``iscrowd``, in lower case.
_FLAGS = {"true": True, "yes": True, "false": False, "no": False, "": False}


def read_coco(path: Path, truth: Path | None = None) -> Annotations:
    """Read the annotations in a COCO ground truth or in results.

    Args:
        path: the file to read.
        truth: ground truth with the images and categories of results. Not used for a ground truth.

    Returns:
        The annotations, in pixels.

    Raises:
        InputError: naming the file, if it is not a valid COCO file, or contains results and the
            ground truth is missing.

    >>> import json, tempfile
    >>> truth = {
    ...     "images": [{"id": 7, "file_name": "plot.tif"}],
    ...     "annotations": [{"image_id": 7, "bbox": [0, 0, 4, 2]}],
    ... }
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "truth.json"
    ...     _ = path.write_text(json.dumps(truth), encoding="utf-8")
    ...     read_coco(path).shapes[0].area
    8.0
    """
    with paused_collection():
        return _read_file(path, truth)


def _read_file(path: Path, truth: Path | None) -> Annotations:
    """Read a file; see :func:`read_coco`."""
    content = _with_image_list(read_json(path))
    if _is_results(content):
        if truth is None:
            raise InputError(
                "coco.results_only",
                "{path} holds results only, which name images by number. Choose the ground truth "
                "with these images as 'Images of'.",
                path=path.name,
            )
        results = content if isinstance(content, list) else content["annotations"]
        return _read_annotations(path, results, _with_image_list(read_json(truth)))
    if not is_ground_truth(content):
        raise InputError(
            "coco.not_coco",
            "{path} is not a COCO file: it needs the lists images and annotations.",
            path=path.name,
        )
    return _read_annotations(path, content["annotations"], content)


def is_ground_truth(content: Any) -> bool:
    """Return True if decoded JSON is a ground truth: has lists of images and annotations.

    >>> is_ground_truth({"images": [], "annotations": []}), is_ground_truth([])
    (True, False)
    """
    return isinstance(content, dict) and all(
        isinstance(content.get(name), list) for name in ("images", "annotations")
    )


def _is_results(content: Any) -> bool:
    """Return True if decoded JSON is a list of annotations, in an object without images or not."""
    if isinstance(content, dict):
        return isinstance(content.get("annotations"), list) and not content.get("images", 0)
    return isinstance(content, list)


def _with_image_list(content: Any) -> Any:
    """Return decoded JSON with a list of images, where it has a single one.

    Segment Anything (SA-1B) writes a file per image, with ``image`` in place of ``images``.
    """
    image = content.get("image") if isinstance(content, dict) else None
    if not isinstance(image, dict) or "images" in content:
        return content
    number = image.get("id", image.get("image_id", 1))
    return {**content, "images": [{**image, "id": number}]}


def _read_annotations(path: Path, records: Sequence[Any], truth: Mapping[str, Any]) -> Annotations:
    """Read a list of annotations whose images and categories are those of a ground truth.

    Args:
        path: file of the annotations.
        records: decoded list of annotations.
        truth: decoded ground truth.

    Raises:
        InputError: if the ground truth or one of its images is invalid.
    """
    if not is_ground_truth(truth):
        raise InputError(
            "coco.no_ground_truth",
            "{path} needs a ground truth with the lists images and annotations.",
            path=path.name,
        )
    images = _Images(path, truth["images"])
    n_read = len(records)
    is_record = np.fromiter((type(record) is dict for record in records), dtype=bool, count=n_read)
    source_row = np.flatnonzero(is_record) + 1
    if not is_record.all():
        records = [record for record in records if type(record) is dict]
    keys = frozenset().union(*records)

    problems: dict[SkipReason | DoubtReason, Ints] = {
        SkipReason.BAD_GEOMETRY: np.flatnonzero(~is_record) + 1
    }
    placed = _find_images(records, keys, images)
    found = read_shapes(records)
    has_image = placed.image_index >= 0
    found.skip_reasons[~has_image] = SkipReason.UNKNOWN_IMAGE
    is_used = np.array([reason is None for reason in found.skip_reasons], dtype=bool)
    for reason in set(found.skip_reasons[~is_used].tolist()):
        rows = source_row[found.skip_reasons == reason]
        problems[reason] = np.sort(np.concatenate([problems.get(reason, rows[:0]), rows]))

    labels, lacks_name = _read_labels(records, keys, _read_categories(truth.get("categories")))
    scores, lacks_score = _read_scores(records, keys)
    is_ignored, lacks_flag = _read_flags([record.get("iscrowd") for record in records])
    doubts = {
        **found.doubts,
        **placed.doubts,
        DoubtReason.NO_NAME: lacks_name,
        DoubtReason.NO_SCORE: lacks_score,
        DoubtReason.NO_FLAG: lacks_flag,
    }
    problems.update({doubt: source_row[mask & is_used] for doubt, mask in doubts.items()})

    used = np.flatnonzero(is_used)
    if len(used) > limits.MAX_ANNOTATIONS:
        row = int(source_row[used[limits.MAX_ANNOTATIONS]])
        raise too_many_annotations_error(path.name, row)
    place_of_row = dict(zip(used.tolist(), range(len(used)))) if found.masks else {}
    annotations = Annotations.from_shapes(
        found.shapes[used],
        images.images,
        placed.image_index[used],
        labels[used],
        scores[used],
    )
    return replace(
        annotations,
        source_row=source_row[used],
        is_ignored=is_ignored[used],
        masks={place_of_row[row]: mask for row, mask in found.masks.items() if row in place_of_row},
        n_read=n_read,
        problem_rows=_sort_problems(problems),
        annotated_images=frozenset(placed.image_index[has_image].tolist()),
    )


def _sort_problems(
    problems: Mapping[SkipReason | DoubtReason, Ints],
) -> dict[SkipReason | DoubtReason, list[int]]:
    """Return the rows with each problem, in the order of their first rows; without empty ones."""
    affected = {reason: rows.tolist() for reason, rows in problems.items() if len(rows)}
    return dict(sorted(affected.items(), key=lambda item: item[1][0]))


class _Images:
    """Images of a ground truth, found by number or by name.

    Images with two numbers stay two, whatever their names.

    Args:
        path: file that errors name.
        records: decoded list of images.

    Attributes:
        images: the images.

    Raises:
        InputError: if an image has no file name or no id, or if two have the same id.
    """

    def __init__(self, path: Path, records: Sequence[Any]) -> None:
        self.images: list[Image] = []
        self._index_by_id: dict[Hashable, int] = {}
        self._indices_by_stem: dict[str, list[int]] = {}
        for number, record in enumerate(records, 1):
            name = record.get("file_name") if isinstance(record, dict) else None
            key = _to_key(record.get("id")) if isinstance(record, dict) else None
            if not isinstance(name, str) or not name or key is None:
                raise InputError(
                    "coco.image_without_name",
                    "{path}: image {number} of the list has no file_name or no id.",
                    path=path.name,
                    number=number,
                )
            known = self._index_by_id.get(key)
            if known is not None:
                if self.images[known].name == name:
                    continue  # the same image again
                raise InputError(
                    "coco.repeated_image_id",
                    "{path}: images '{first}' and '{second}' have the same id {id}, so that their "
                    "crowns cannot be told apart. Give each image an id of its own.",
                    path=path.name,
                    first=self.images[known].name,
                    second=name,
                    id=record["id"],
                )
            index = len(self.images)
            self._index_by_id[key] = index
            self._indices_by_stem.setdefault(_stem(name), []).append(index)
            width, height = parse_pixels(record.get("width")), parse_pixels(record.get("height"))
            self.images.append(Image(name, width, height, id=str(key)))

    def find_id(self, value: Any) -> int:
        """Return the index of the image with an id, written in any way; -1 if there is none."""
        key = _to_key(value)
        return -1 if key is None else self._index_by_id.get(key, -1)

    def find_name(self, name: Any) -> int:
        """Return the index of the only image with a name; -1 if there is none or several."""
        if not isinstance(name, str) or not name:
            return -1
        candidates = [
            index
            for index in self._indices_by_stem.get(_stem(name), [])
            if _is_same_name(name, self.images[index].name)
        ]
        return candidates[0] if len(candidates) == 1 else -1


def _to_key(value: Any) -> Hashable | None:
    """Return an id such that 1, 1.0, "1" and "1.0" are the same; None for what is no id."""
    if isinstance(value, bool) or not isinstance(value, (int, str, float)):
        return None
    if isinstance(value, float):
        return (int(value) if value.is_integer() else value) if value == value else None
    if isinstance(value, str):
        match = _WHOLE_NUMBER.fullmatch(value.strip())
        return int(match[1]) if match and len(value) < 40 else value.strip() or None
    return value


def _name_parts(name: str) -> tuple[str, ...]:
    """Return the folders and the file name of a path with slashes or backslashes."""
    return PurePosixPath(name.replace("\\", "/")).parts


def _stem(name: str) -> str:
    """Return the file name of a path up to its first point."""
    return (_name_parts(name) or ("",))[-1].split(".")[0]


def _is_same_name(first: str, second: str) -> bool:
    """Return True if two paths can be those of one image.

    Folders count as far as both paths have them. One of the names may lack its extension.

    >>> _is_same_name("a/plot.tif", "plot"), _is_same_name("a/plot.tif", "b/plot.tif")
    (True, False)
    """
    parts, others = _name_parts(first)[::-1], _name_parts(second)[::-1]
    if not parts or not others or any(one != two for one, two in zip(parts[1:], others[1:])):
        return False
    stem, other_stem = PurePosixPath(parts[0]).stem, PurePosixPath(others[0]).stem
    return parts[0] == others[0] or parts[0] == other_stem or stem == others[0]


class _PlacedRecords(NamedTuple):
    """Images of n records."""

    image_index: Ints  #: (n,) index of the image; -1 if it is unknown.
    doubts: dict[DoubtReason, Bools]  #: (n,) masks of the records with a doubtful image.


def _find_images(
    records: Sequence[Mapping[str, Any]], keys: frozenset[str], images: _Images
) -> _PlacedRecords:
    """Find the images of records: by their number, else by their name, else the only image.

    Args:
        records: n decoded annotations.
        keys: all keys that occur in them.
        images: images of the ground truth.
    """
    ids = [record.get("image_id") for record in records]
    names = _first_values(records, keys, _NAME_KEYS)
    by_id = _map_values(ids, images.find_id)
    lacks_id = _map_values(ids, lambda value: int(value is None)) == 1
    # Some programs write the image's name, or its stem, in place of its number.
    by_name = _map_values(names, images.find_name)
    by_name = np.where(by_name < 0, _map_values(ids, images.find_name), by_name)
    is_named = _map_values(names, lambda name: int(isinstance(name, str) and name != "")) == 1

    image_index = np.where(by_id >= 0, by_id, by_name)
    is_only = (image_index < 0) & lacks_id & ~is_named & (len(images.images) == 1)
    image_index[is_only] = 0
    is_other = np.zeros(len(records), dtype=bool)
    for row in np.flatnonzero(is_named & (by_id >= 0) & (by_name != by_id)).tolist():
        is_other[row] = not _is_same_name(names[row], images.images[by_id[row]].name)
    doubts = {
        DoubtReason.OTHER_IMAGE: is_other,
        DoubtReason.IMAGE_BY_NAME: (by_id < 0) & (by_name >= 0),
        DoubtReason.ONLY_IMAGE: is_only,
    }
    return _PlacedRecords(image_index, doubts)


def _first_values(
    records: Sequence[Mapping[str, Any]], keys: frozenset[str], names: Sequence[str]
) -> list[Any]:
    """Return for each record the first value of several keys that is not null."""
    values: list[Any] = [None] * len(records)
    for name in names[::-1]:
        if name in keys:
            values = [
                value if record.get(name) is None else record[name]
                for record, value in zip(records, values)
            ]
    return values


def _map_values(values: Sequence[Any], convert: Any) -> Ints:
    """Return a whole number (n,) for each value, computed once for each different value."""
    try:
        numbers = {value: convert(value) for value in set(values)}
    except TypeError:  # lists are no ids
        plain = [None if isinstance(value, (list, dict)) else value for value in values]
        return _map_values(plain, convert)
    return np.fromiter(map(numbers.__getitem__, values), dtype=np.int64, count=len(values))


def _read_labels(
    records: Sequence[Mapping[str, Any]], keys: frozenset[str], category_names: Mapping[Any, str]
) -> tuple[Objects, Bools]:
    """Read the labels of records, or else the names of their categories.

    A category without a name is called by its number, so that categories stay apart.

    Args:
        records: n decoded annotations.
        keys: all keys that occur in them.
        category_names: names of the categories by id.

    Returns:
        (n,) labels, None without any; (n,) mask of the records whose category has no name.
    """
    codes_of_keys: dict[Hashable | None, int] = {None: 0}
    codes = _map_values(
        [record.get("category_id") for record in records],
        lambda value: codes_of_keys.setdefault(_to_key(value), len(codes_of_keys)),
    )
    names = [category_names.get(key) for key in codes_of_keys]
    is_unnamed = [key is not None and not name for key, name in zip(codes_of_keys, names)]
    numbers = [
        str(key) if lacks else name for key, name, lacks in zip(codes_of_keys, names, is_unnamed)
    ]
    labels = np.array(numbers, dtype=object)[codes]
    lacks_name = np.array(is_unnamed, dtype=bool)[codes]
    own_labels = _first_values(records, keys, _LABEL_KEYS)
    if any(own_labels):
        has_own = np.array([bool(label) for label in own_labels], dtype=bool)
        labels[has_own] = [str(label) for label in own_labels if label]
        lacks_name &= ~has_own
    return labels, lacks_name


def _read_categories(categories: Any) -> dict[Any, str]:
    """Return the names of a ground truth's categories by id; those without a name are skipped."""
    if not isinstance(categories, list):
        return {}
    return {
        _to_key(category.get("id")): str(category["name"])
        for category in categories
        if isinstance(category, dict) and category.get("name") not in (None, "")
    }


def _read_scores(
    records: Sequence[Mapping[str, Any]], keys: frozenset[str]
) -> tuple[Floats, Bools]:
    """Return the scores (n,) of records, NaN without one, and a mask (n,) of those not usable."""
    if keys.isdisjoint(_SCORE_KEYS):
        return np.full(len(records), np.nan), np.zeros(len(records), dtype=bool)
    values = _first_values(records, keys, _SCORE_KEYS)
    scores = parse_numbers(values)
    is_finite = np.isfinite(scores)
    is_wrong = ~is_finite
    is_wrong[is_wrong] = [values[row] not in (None, "") for row in np.flatnonzero(is_wrong)]
    return np.where(is_finite, scores, np.nan), is_wrong


def _read_flags(values: Sequence[Any]) -> tuple[Bools, Bools]:
    """Return masks (n,) of the flags that are set, and of those that cannot be read.

    Flags may be written as numbers, booleans or text.
    """
    plain = [str(value) if isinstance(value, (list, dict)) else value for value in values]
    codes = _map_values(plain, _parse_flag)
    return codes == 1, codes < 0


def _parse_flag(value: Any) -> int:
    """Return 1 or 0 for a flag that is set or not; -1 if it cannot be read.

    >>> _parse_flag("0"), _parse_flag("true"), _parse_flag(1.0), _parse_flag("perhaps")
    (0, 1, 1, -1)
    """
    if value is None or isinstance(value, bool):
        return int(bool(value))
    text = str(value).strip().lower()
    if text in _FLAGS:
        return int(_FLAGS[text])
    number = parse_number(text)
    return int(number != 0) if number == number else -1
