"""COCO files: ground truths with images and annotations, and results.

Results are a bare list of annotations, which refer to the images of a ground truth by number.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
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
    collect_fields,
    plain_values,
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
from randcrowns.core.messages import note, warning

#: Key of the message about results without a ground truth, which name their images.
IMAGES_OF_RESULTS = "coco.images_of_results"
#: Keys of the name of the image in an annotation, as Ultralytics and DeepForest write it.
_NAME_KEYS = ("file_name", "image_name", "image_path")
#: Keys of the score; the last one is that of Segment Anything's masks.
_SCORE_KEYS = ("score", "confidence", "predicted_iou")
#: Keys of the label itself; the second one is that of SAHI's results.
_LABEL_KEYS = ("label", "category_name")
#: Key of further attributes of an annotation.
_ATTRIBUTES = "attributes"
#: Whole number written as text or as a float.
_WHOLE_NUMBER = re.compile(r"([-+]?\d+)(\.0*)?")
#: Length from which the text of an id is not converted to a number.
_MAX_DIGITS = 40
#: Index of the image of a record whose image is unknown.
_NO_IMAGE = -1
#: Code of a flag that cannot be read.
_UNREADABLE_FLAG = -1
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


def read_named_results(path: Path) -> Annotations:
    """Read results whose entries name their images, without a ground truth.

    Detectree2 writes the path of a tile in place of the number of an image; Ultralytics writes the
    name of the image besides its number.

    Args:
        path: the file to read.

    Returns:
        The annotations, in pixels. Their classes are the numbers of the categories.

    Raises:
        InputError: naming the file, if an entry does not name its image.
    """
    with paused_collection():
        entries = _result_entries(_read_content(path)) or []
        records = [entry for entry in entries if isinstance(entry, dict)]
        keys = frozenset().union(*records)
        stated_names = _first_values(records, keys, _NAME_KEYS)
        names = [_image_name(record, name) for record, name in zip(records, stated_names)]
        if not records or not all(names):
            raise _results_only_error(path)

        # The name takes the place of the number in copies of the records.
        names_in_order = iter(names)
        named_entries = []
        for entry in entries:
            if isinstance(entry, dict):
                named_entries.append({**entry, "image_id": next(names_in_order)})
            else:
                named_entries.append(entry)
        # An image has the size of the mask of its last record.
        size_of_image = {name: _mask_size(record) for name, record in zip(names, records)}
        images = [{"id": name, "file_name": name, **size} for name, size in size_of_image.items()]
        truth = {"images": images, "annotations": []}
        results = _without_crowds(path.name, _read_annotations(path, named_entries, truth))
    message = note(
        IMAGES_OF_RESULTS,
        "{file}: without a ground truth, the results themselves name their images, and their "
        "classes are numbers of categories. Choose the ground truth as 'Images of', if there is "
        "one.",
        file=path.name,
    )
    return replace(results, messages=(*results.messages, message))


def _image_name(record: Mapping[str, Any], name: Any) -> str:
    """Return the name of the image of a result; "" if it has only a number.

    Args:
        record: decoded result.
        name: value of the keys of a name; None without one.
    """
    value = name if isinstance(name, str) and name.strip() else record.get("image_id")
    if not isinstance(value, str) or (value is not name and isinstance(_to_key(value), int)):
        return ""
    return value.strip()


def _mask_size(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return width and height of the image of a result with a mask; {} without a mask."""
    mask = record.get("segmentation")
    size = mask.get("size") if isinstance(mask, dict) else None
    if not isinstance(size, list) or len(size) != 2:
        return {}
    return {"height": size[0], "width": size[1]}


def _read_content(path: Path) -> Any:
    """Return the decoded content of a file, whose list of images and of results are lists."""
    content = _with_image_list(read_json(path))
    if isinstance(content, dict) and "image_id" in content and "annotations" not in content:
        return [content]  # a file with a result per line, and a single line
    return content


def _result_entries(content: Any) -> list[Any] | None:
    """Return the list of results in decoded JSON; None if it holds no results."""
    if not _is_results(content):
        return None
    entries: list[Any] = content if isinstance(content, list) else content["annotations"]
    return entries


def _results_only_error(path: Path) -> InputError:
    """Return the error for results that name their images by number only."""
    return InputError(
        "coco.results_only",
        "{path} holds results only, which name images by number. Choose the ground truth "
        "with these images as 'Images of'.",
        path=path.name,
    )


def _read_file(path: Path, truth: Path | None) -> Annotations:
    """Read a file; see :func:`read_coco`."""
    content = _read_content(path)
    entries = _result_entries(content)
    if entries is not None:
        if truth is None:
            raise _results_only_error(path)
        results = _read_annotations(path, entries, _with_image_list(read_json(truth)))
        return _without_crowds(path.name, results)
    if not is_ground_truth(content):
        raise InputError(
            "coco.not_coco",
            "{path} is not a COCO file: it needs the lists images and annotations.",
            path=path.name,
        )
    return _with_crowd_message(path.name, _read_annotations(path, content["annotations"], content))


def _with_crowd_message(file: str, annotations: Annotations) -> Annotations:
    """Return the annotations of a ground truth with a message about its crowds.

    CVAT marks every mask as a crowd in its COCO files, but not in its own format.

    Args:
        file: name of the file.
        annotations: its annotations.
    """
    n_crowds = int(annotations.is_ignored.sum())
    if not n_crowds:
        return annotations
    if n_crowds == len(annotations):
        message = warning(
            "coco.only_crowds",
            "{file}: all annotations have the flag iscrowd, so they became areas to ignore and "
            "none is a crown. CVAT marks masks like this; export them as 'CVAT for images'.",
            file=file,
        )
    else:
        message = note(
            "coco.crowds",
            "{file}: {count:,} annotations have the flag iscrowd and became areas to ignore. CVAT "
            "marks masks like this; if they are crowns, export them as 'CVAT for images'.",
            one="{file}: 1 annotation has the flag iscrowd and became an area to ignore. CVAT "
            "marks masks like this; if it is a crown, export it as 'CVAT for images'.",
            file=file,
            count=n_crowds,
        )
    return replace(annotations, messages=(*annotations.messages, message))


def _without_crowds(file: str, results: Annotations) -> Annotations:
    """Return results in which nothing is an area to ignore.

    Results are predictions. Only a ground truth has crowds; pycocotools sets the flags of results
    to 0 (``COCO.loadRes``).

    Args:
        file: name of the file.
        results: annotations of the results.
    """
    n_flagged = int(results.is_ignored.sum())
    if not n_flagged:
        return results
    message = note(
        "coco.flags_in_results",
        "{file}: {count:,} results have the flag iscrowd. Results are predictions, so they are "
        "imported as crowns, as pycocotools reads them.",
        one="{file}: 1 result has the flag iscrowd. Results are predictions, so it is imported as "
        "a crown, as pycocotools reads it.",
        file=file,
        count=n_flagged,
    )
    return replace(
        results,
        is_ignored=np.zeros(len(results), dtype=bool),
        messages=(*results.messages, message),
    )


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


def _read_annotations(path: Path, entries: Sequence[Any], truth: Mapping[str, Any]) -> Annotations:
    """Read a list of annotations whose images and categories are those of a ground truth.

    Args:
        path: file of the annotations.
        entries: decoded list of annotations.
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
    images = _Images(path, truth["images"], is_upright=_is_of_label_studio(truth))
    # The position of a record in the file, from 1. Entries that are no objects are no records.
    is_record = np.array([type(entry) is dict for entry in entries], dtype=bool)
    source_rows = np.flatnonzero(is_record) + 1
    records = [entries[row - 1] for row in source_rows.tolist()]
    keys = frozenset().union(*records)

    placed = _find_images(records, keys, images)
    has_image = placed.image_index != _NO_IMAGE
    record_shapes = read_shapes(records)
    skip_reasons = record_shapes.skip_reasons.copy()
    skip_reasons[~has_image] = SkipReason.UNKNOWN_IMAGE
    is_used = np.array([reason is None for reason in skip_reasons], dtype=bool)
    used_positions = np.flatnonzero(is_used)
    if len(used_positions) > limits.MAX_ANNOTATIONS:
        first_excess_row = source_rows[used_positions[limits.MAX_ANNOTATIONS]]
        raise too_many_annotations_error(path.name, int(first_excess_row))

    category_names = _read_categories(path, truth.get("categories"))
    has_ids = entries is truth["annotations"]  # ids of results have no meaning
    values = _read_values(records, keys, category_names, has_ids=has_ids)
    doubts = {**record_shapes.doubts, **placed.doubts, **values.doubts}
    doubtful_rows = {doubt: source_rows[mask & is_used] for doubt, mask in doubts.items()}
    reason_of_entry = np.full(len(entries), SkipReason.BAD_GEOMETRY, dtype=object)
    reason_of_entry[is_record] = skip_reasons

    used_records = []
    masks = {}
    for index, position in enumerate(used_positions.tolist()):
        used_records.append(records[position])
        if position in record_shapes.masks:
            masks[index] = record_shapes.masks[position]
    return Annotations(
        shapes=record_shapes.shapes[used_positions],
        image_index=placed.image_index[used_positions],
        images=tuple(images.images),
        label=values.labels[used_positions],
        score=values.scores[used_positions],
        source_row=source_rows[used_positions],
        is_ignored=values.is_ignored[used_positions],
        masks=masks,
        n_read=len(entries),
        problem_rows=_problem_rows(reason_of_entry, doubtful_rows),
        annotated_images=frozenset(placed.image_index[has_image].tolist()),
        fields=_read_attributes(used_records, keys),
    )


class _RecordValues(NamedTuple):
    """Labels, scores and flags of n records."""

    labels: Objects  #: (n,) text, or None without a label.
    scores: Floats  #: (n,) scores; NaN without one.
    is_ignored: Bools  #: (n,) mask of the records with the flag ``iscrowd``.
    doubts: dict[DoubtReason, Bools]  #: (n,) masks of the records with a doubtful value.


def _read_values(
    records: Sequence[Mapping[str, Any]],
    keys: frozenset[str],
    category_names: Mapping[Any, str],
    *,
    has_ids: bool,
) -> _RecordValues:
    """Read the labels, scores and flags of records.

    Args:
        records: n decoded annotations.
        keys: all keys that occur in them.
        category_names: names of the categories by id.
        has_ids: True if the ids of the records have a meaning, so that repeated ids are doubtful.
    """
    labels, lacks_name = _read_labels(records, keys, category_names)
    scores, lacks_score = _read_scores(records, keys)
    is_ignored, lacks_flag = _read_flags([record.get("iscrowd") for record in records])
    doubts = {
        DoubtReason.NO_NAME: lacks_name,
        DoubtReason.NO_SCORE: lacks_score,
        DoubtReason.NO_FLAG: lacks_flag,
    }
    if has_ids:
        doubts[DoubtReason.REPEATED_ID] = _find_repeated_ids(records)
    if "ignore" in keys:
        has_ignore_flag, _ = _read_flags([record.get("ignore") for record in records])
        doubts[DoubtReason.IGNORE_FLAG] = has_ignore_flag & ~is_ignored
    return _RecordValues(labels, scores, is_ignored, doubts)


def _problem_rows(
    skip_reasons: Objects, doubtful_rows: Mapping[DoubtReason, Ints]
) -> dict[SkipReason | DoubtReason, list[int]]:
    """Return the rows with each problem, in the order of their first rows; without empty ones.

    Args:
        skip_reasons: (n,) the reason why an entry of the file is skipped; None if it is used.
        doubtful_rows: rows of the entries that are used with a doubt, ascending, from 1.
    """
    problem_rows: dict[SkipReason | DoubtReason, list[int]] = {}
    for reason in set(skip_reasons.tolist()) - {None}:
        positions = np.flatnonzero(skip_reasons == reason)
        problem_rows[reason] = (positions + 1).tolist()
    for doubt, rows in doubtful_rows.items():
        if len(rows):
            problem_rows[doubt] = rows.tolist()

    def first_row(problem: SkipReason | DoubtReason) -> int:
        return problem_rows[problem][0]

    return {problem: problem_rows[problem] for problem in sorted(problem_rows, key=first_row)}


def _is_of_label_studio(content: Mapping[str, Any]) -> bool:
    """Return True if Label Studio wrote a ground truth.

    It shows photos upright, but writes the sizes of the stored pixels into COCO files.
    """
    about = content.get("info")
    return isinstance(about, dict) and about.get("contributor") == "Label Studio"


class _Images:
    """Images of a ground truth, found by number or by name.

    Images with two numbers stay two, whatever their names.

    Args:
        path: file that errors name.
        records: decoded list of images.
        is_upright: True if the annotations count upright pixels whatever the sizes of the images.

    Attributes:
        images: the images.

    Raises:
        InputError: if an image has no file name or no id, or if two have the same id.
    """

    def __init__(self, path: Path, records: Sequence[Any], is_upright: bool) -> None:
        self.images: list[Image] = []
        self._index_by_id: dict[Hashable, int] = {}
        self._indices_by_stem: dict[str, list[int]] = {}
        for number, record in enumerate(records, 1):
            image = _read_image(path, number, record)._replace(is_upright=is_upright)
            key = _to_key(record["id"])
            known = self._index_by_id.get(key)
            if known is None:
                self._add(image, key)
            elif not _can_be_same(self.images[known], image):
                raise InputError(
                    "coco.repeated_image_id",
                    "{path}: images '{first}' and '{second}' have the same id {id}, so that their "
                    "crowns cannot be told apart. Give each image an id of its own.",
                    path=path.name,
                    first=_describe_image(self.images[known]),
                    second=_describe_image(image),
                    id=record["id"],
                )

    def _add(self, image: Image, key: Hashable) -> None:
        """Add an image under its key of :func:`_to_key` and under its name."""
        index = len(self.images)
        self.images.append(image)
        self._index_by_id[key] = index
        self._indices_by_stem.setdefault(_stem(image.name), []).append(index)

    def find_id(self, value: Any) -> int:
        """Return the index of the image with an id, however it is written; else _NO_IMAGE."""
        key = _to_key(value)
        return _NO_IMAGE if key is None else self._index_by_id.get(key, _NO_IMAGE)

    def find_name(self, name: Any) -> int:
        """Return the index of the only image with a name; _NO_IMAGE if none or several have it."""
        if not isinstance(name, str) or not name:
            return _NO_IMAGE
        candidates = [
            index
            for index in self._indices_by_stem.get(_stem(name), [])
            if _is_same_name(name, self.images[index].name)
        ]
        return candidates[0] if len(candidates) == 1 else _NO_IMAGE


def _read_image(path: Path, number: int, record: Any) -> Image:
    """Read an image of a ground truth.

    Args:
        path: file that errors name.
        number: number of the image in the list, from 1.
        record: decoded image.

    Raises:
        InputError: if it has no file name or no id.
    """
    fields = record if isinstance(record, dict) else {}
    name = fields.get("file_name")
    key = _to_key(fields.get("id"))
    if not isinstance(name, str) or not name or key is None:
        raise InputError(
            "coco.image_without_name",
            "{path}: image {number} of the list has no file_name or no id.",
            path=path.name,
            number=number,
        )
    width = parse_pixels(fields.get("width"))
    height = parse_pixels(fields.get("height"))
    return Image(name, width, height, id=str(key))


def _can_be_same(first: Image, second: Image) -> bool:
    """Return True if two records with one id can be the same image: their names and sizes agree."""
    sizes = zip(first[1:3], second[1:3])
    has_same_size = all(size == other or 0 in (size, other) for size, other in sizes)
    return first.name == second.name and has_same_size


def _describe_image(image: Image) -> str:
    """Return the name of an image, with its size if the file specifies it."""
    has_size = image.width > 0 and image.height > 0
    return f"{image.name} ({image.width} x {image.height})" if has_size else image.name


def _to_key(value: Any) -> Hashable | None:
    """Return an id such that 1, 1.0, "1" and "1.0" are the same; None for what is no id."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        if np.isnan(value):
            return None
        return int(value) if value.is_integer() else value
    if isinstance(value, str):
        text = value.strip()
        whole_number = _WHOLE_NUMBER.fullmatch(text)
        if whole_number and len(value) < _MAX_DIGITS:
            return int(whole_number[1])
        return text or None
    return None


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
    first_parts = _name_parts(first)
    second_parts = _name_parts(second)
    if not first_parts or not second_parts:
        return False
    *first_folders, first_file = first_parts
    *second_folders, second_file = second_parts
    n_common = min(len(first_folders), len(second_folders))
    # The innermost folders, of which both paths have as many.
    if n_common and first_folders[-n_common:] != second_folders[-n_common:]:
        return False
    if first_file == second_file:
        return True
    is_first_without_extension = first_file == PurePosixPath(second_file).stem
    is_second_without_extension = second_file == PurePosixPath(first_file).stem
    return is_first_without_extension or is_second_without_extension


class _PlacedRecords(NamedTuple):
    """Images of n records."""

    image_index: Ints  #: (n,) index of the image; _NO_IMAGE if it is unknown.
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
    index_of_id = _map_values(ids, images.find_id)
    index_of_name = _map_values(names, images.find_name)
    # Some programs write the image's name, or its stem, in place of its number.
    index_of_id_as_name = _map_values(ids, images.find_name)
    index_of_name = np.where(index_of_name != _NO_IMAGE, index_of_name, index_of_id_as_name)
    has_known_id = index_of_id != _NO_IMAGE
    image_index = np.where(has_known_id, index_of_id, index_of_name)
    is_by_name = ~has_known_id & (index_of_name != _NO_IMAGE)

    has_name = np.array([isinstance(name, str) and name != "" for name in names], dtype=bool)
    is_only_image = np.zeros(len(records), dtype=bool)
    if len(images.images) == 1:
        # Lists and objects are no ids.
        no_id = (type(None), list, dict)
        lacks_id = np.array([isinstance(value, no_id) for value in ids], dtype=bool)
        is_only_image = (image_index == _NO_IMAGE) & lacks_id & ~has_name
        image_index[is_only_image] = 0

    # Texts are compared only where the name does not lead to the image of the number.
    is_to_compare = has_name & has_known_id & (index_of_name != index_of_id)
    has_other_name = np.zeros(len(records), dtype=bool)
    for row in np.flatnonzero(is_to_compare).tolist():
        name_of_id = images.images[index_of_id[row]].name
        has_other_name[row] = not _is_same_name(names[row], name_of_id)

    doubts = {
        DoubtReason.OTHER_IMAGE: has_other_name,
        DoubtReason.IMAGE_BY_NAME: is_by_name,
        DoubtReason.ONLY_IMAGE: is_only_image,
    }
    return _PlacedRecords(image_index, doubts)


def _first_values(
    records: Sequence[Mapping[str, Any]], keys: frozenset[str], names: Sequence[str]
) -> list[Any]:
    """Return for each record the first value of several keys that is not null.

    Args:
        records: n decoded annotations.
        keys: all keys that occur in them.
        names: the keys to look up, the preferred one first.
    """
    values: list[Any] = [None] * len(records)
    # From the last name to the first, so that values of preferred names replace the others.
    for name in reversed(names):
        if name in keys:
            values = [
                value if record.get(name) is None else record[name]
                for record, value in zip(records, values)
            ]
    return values


def _map_values(values: Sequence[Any], convert: Callable[[Any], int]) -> Ints:
    """Return a whole number (n,) for each value, computed once for each different value.

    Args:
        values: n values; lists and objects count as None.
        convert: function that returns the number of a value.
    """
    try:
        distinct_values = set(values)
    except TypeError:  # lists and objects cannot be elements of a set
        values = [None if isinstance(value, (list, dict)) else value for value in values]
        distinct_values = set(values)
    number_of_value = {value: convert(value) for value in distinct_values}
    return np.array([number_of_value[value] for value in values], dtype=np.int64)


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
    # Categories are numbered in the order in which they occur; 0 is no category.
    code_of_category: dict[Hashable | None, int] = {None: 0}

    def number_category(category_id: Any) -> int:
        return code_of_category.setdefault(_to_key(category_id), len(code_of_category))

    category_ids = [record.get("category_id") for record in records]
    codes = _map_values(category_ids, number_category)
    category_labels = []
    are_unnamed = []
    for category in code_of_category:
        name = category_names.get(category)
        is_unnamed = category is not None and not name
        are_unnamed.append(is_unnamed)
        category_labels.append(str(category) if is_unnamed else name)
    labels = np.array(category_labels, dtype=object)[codes]
    lacks_name = np.array(are_unnamed, dtype=bool)[codes]

    if keys.isdisjoint(_LABEL_KEYS):
        return labels, lacks_name
    own_labels = _first_values(records, keys, _LABEL_KEYS)
    has_own_label = np.array([bool(label) for label in own_labels], dtype=bool)
    labels[has_own_label] = [str(label) for label in own_labels if label]
    return labels, lacks_name & ~has_own_label


def _read_categories(path: Path, categories: Any) -> dict[Hashable, str]:
    """Return the names of a ground truth's categories by id; those without a name are skipped.

    Args:
        path: file that errors name.
        categories: decoded list of categories.

    Raises:
        InputError: if two categories with different names have the same id.
    """
    names: dict[Hashable, str] = {}
    for category in categories if isinstance(categories, list) else ():
        fields = category if isinstance(category, dict) else {}
        key = _to_key(fields.get("id"))
        if key is None or fields.get("name") in (None, ""):
            continue
        name = str(fields["name"])
        if names.setdefault(key, name) != name:
            raise InputError(
                "coco.repeated_category_id",
                "{path}: categories '{first}' and '{second}' have the same id {id}, so that the "
                "classes of their crowns cannot be told apart. Give each category an id of its "
                "own.",
                path=path.name,
                first=names[key],
                second=name,
                id=fields["id"],
            )
    return names


def _find_repeated_ids(records: Sequence[Mapping[str, Any]]) -> Bools:
    """Return a mask (n,) of the records that share their id with another record."""
    ids = [record.get("id") for record in records]
    plain_ids = [value for value in ids if type(value) is int]
    if len(plain_ids) == len(ids) == len(set(plain_ids)):  # the common case
        return np.zeros(len(ids), dtype=bool)
    keys = [_to_key(value) for value in ids]
    counts = Counter(keys)
    return np.array([key is not None and counts[key] > 1 for key in keys], dtype=bool)


def _read_scores(
    records: Sequence[Mapping[str, Any]], keys: frozenset[str]
) -> tuple[Floats, Bools]:
    """Read the scores of records.

    Args:
        records: n decoded annotations.
        keys: all keys that occur in them.

    Returns:
        (n,) scores, NaN without one; (n,) mask of the records with a score that is no number.
    """
    if keys.isdisjoint(_SCORE_KEYS):
        return np.full(len(records), np.nan), np.zeros(len(records), dtype=bool)
    values = _first_values(records, keys, _SCORE_KEYS)
    numbers = parse_numbers(values)
    is_finite = np.isfinite(numbers)
    scores = np.where(is_finite, numbers, np.nan)
    is_stated = np.array([value not in (None, "") for value in values], dtype=bool)
    return scores, is_stated & ~is_finite


def _read_attributes(
    records: Sequence[Mapping[str, Any]], keys: frozenset[str]
) -> dict[str, Objects]:
    """Return the attributes of records, which CVAT and others write, as further fields.

    Args:
        records: n decoded annotations.
        keys: all keys that occur in them.

    Returns:
        (n,) values by name; None where a record has no such attribute.
    """
    if _ATTRIBUTES not in keys:
        return {}
    return collect_fields([plain_values(record.get(_ATTRIBUTES)) for record in records])


def _read_flags(values: Sequence[Any]) -> tuple[Bools, Bools]:
    """Return masks (n,) of the flags that are set, and of those that cannot be read.

    Args:
        values: n flags, which may be written as numbers, booleans or text.
    """
    plain = [str(value) if isinstance(value, (list, dict)) else value for value in values]
    codes = _map_values(plain, _parse_flag)
    return codes == 1, codes == _UNREADABLE_FLAG


def _parse_flag(value: Any) -> int:
    """Return 1 or 0 for a flag that is set or not; _UNREADABLE_FLAG if it cannot be read.

    >>> _parse_flag("0"), _parse_flag("true"), _parse_flag(1.0), _parse_flag("perhaps")
    (0, 1, 1, -1)
    """
    if value is None or isinstance(value, bool):
        return int(bool(value))
    text = str(value).strip().lower()
    if text in _FLAGS:
        return int(_FLAGS[text])
    number = parse_number(text)
    return _UNREADABLE_FLAG if math.isnan(number) else int(number != 0)
