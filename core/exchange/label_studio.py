"""Label Studio's JSON files: a list of tasks, each with the regions on one image."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple
from urllib.parse import parse_qs, unquote, urlsplit

import numpy as np
import shapely

from randcrowns.core.errors import InputError
from randcrowns.core.exchange.annotations import (
    AnnotationCollector,
    Annotations,
    DoubtReason,
    SkipReason,
    parse_polygon,
)
from randcrowns.core.exchange.shapes import ellipse_polygon, turned_box
from randcrowns.core.exchange.values import parse_number, parse_pixels, read_json
from randcrowns.core.messages import Message, note

#: Prefix that Label Studio puts before the name of an uploaded image.
_UPLOAD_PREFIX = re.compile(r"^[0-9a-f]{8}-(?=.)")


class _TaskImage(NamedTuple):
    """Image of a task."""

    name: str  #: name of the file.
    path: str  #: path with the folders that the address names; "" without folders.
    id: str  #: part of the address that tells images of one name apart.


class _Region(NamedTuple):
    """A region on an image."""

    image: _TaskImage  #: the image.
    record: Mapping[str, Any]  #: size of the image, and the region's value in percent.
    score: Any  #: score of a prediction.
    annotator: str  #: who drew it; "" if unknown.


def read_label_studio(path: Path) -> Annotations:
    """Read the regions in a JSON file of Label Studio (JSON or JSON-MIN).

    Rectangles (also turned ones), polygons, ellipses and key points are read; brush strokes are
    skipped. Predictions are read for tasks without annotations.

    Args:
        path: the JSON file.

    Returns:
        The annotations, in pixels, with the field ``annotator`` if the file names them.

    Raises:
        InputError: naming the file, if it cannot be read or is not a file of Label Studio.

    >>> import json, tempfile
    >>> value = {"x": 10, "y": 10, "width": 20, "height": 50, "rectanglelabels": ["Oak"]}
    >>> region = {"original_width": 200, "original_height": 100, "value": value}
    >>> task = {"data": {"image": "plot.png"}, "annotations": [{"result": [region]}]}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "tasks.json"
    ...     _ = path.write_text(json.dumps([task]))
    ...     annotations = read_label_studio(path)
    >>> annotations.shapes[0].bounds, annotations.label.tolist()
    ((20.0, 10.0, 60.0, 60.0), ['Oak'])
    """
    tasks = read_json(path)
    if not isinstance(tasks, list) or not all(isinstance(task, dict) for task in tasks):
        raise InputError(
            "label_studio.not_label_studio",
            "{path} is not a file of Label Studio: it needs a list of tasks.",
            path=path.name,
        )
    collected = AnnotationCollector(path.name)
    image_annotators: set[tuple[_TaskImage, str]] = set()
    row = 0
    for task in tasks:
        _index_image(collected, _task_image(task))
        for region in _regions(task):
            value = region.record.get("value", region.record)
            if isinstance(value, dict) and not _has_shape(region.record):
                continue  # an answer on the image as a whole, such as a choice
            row += 1
            if not isinstance(value, dict):
                collected.add_problem(SkipReason.BAD_GEOMETRY, row)
                continue
            image = _index_image(collected, region.image)
            fields = {"annotator": region.annotator} if region.annotator else {}
            image_annotators.add((region.image, region.annotator))
            shape = _read_shape(region.record, value)
            collected.add(shape, image, row, _read_label(value), region.score, fields=fields)
            is_turned = parse_number(region.record.get("image_rotation", 0)) % 360 > 0
            if is_turned and not isinstance(shape, SkipReason):
                collected.add_problem(DoubtReason.IMAGE_TURNED, row)
    annotated_images = {annotated_image for annotated_image, _ in image_annotators}
    messages: list[Message] = []
    if len(image_annotators) > len(annotated_images):
        several_annotators = note(
            "label_studio.annotators",
            "{file}: some images were annotated several times, and all crowns were read. The "
            "field annotator says who drew each.",
            file=path.name,
        )
        messages.append(several_annotators)
    return collected.build(messages=messages)


def _index_image(collected: AnnotationCollector, image: _TaskImage) -> int:
    """Return the index of an image; add the image if it is new."""
    return collected.index_image(image.name, path=image.path, identity=image.id)


#: Types of regions without labels.
_SHAPE_TYPES = ("rectangle", "polygon", "ellipse", "keypoint", "brush")


def _has_shape(record: Mapping[str, Any]) -> bool:
    """Return True if a region has a type with a shape, or no type."""
    return str(record.get("type", "labels")).endswith(("labels", *_SHAPE_TYPES))


def _task_image(task: Mapping[str, Any]) -> _TaskImage:
    """Return a task's image, without Label Studio's address and prefix."""
    data = task.get("data")
    if not isinstance(data, dict):
        data = task
    texts = [value for value in data.values() if isinstance(value, str)]
    first_text = texts[0] if texts else ""
    address = str(data.get("image") or data.get("img") or first_text)
    try:
        parts = urlsplit(address)
    except ValueError:  # such as an unclosed bracket in the name of a server
        return _TaskImage(PurePosixPath(address).name, path="", id=address)
    # Images of a local storage are named in the query: /data/local-files/?d=folder/plot.png
    local_paths = parse_qs(parts.query).get("d")
    quoted_path = local_paths[0] if local_paths else parts.path
    path = PurePosixPath(unquote(quoted_path).replace("\\", "/"))
    if "/upload/" in parts.path:
        # Uploaded images have lost their folders, but have a prefix each.
        return _TaskImage(_UPLOAD_PREFIX.sub("", path.name), path="", id=path.name)
    relative_path = path.as_posix().lstrip("/")
    has_folder = relative_path != path.name
    return _TaskImage(path.name, path=relative_path if has_folder else "", id=relative_path)


def _regions(task: Mapping[str, Any]) -> Iterator[_Region]:
    """Yield the regions of a task."""
    yield from _regions_of_answers(task)
    if "data" not in task:
        yield from _regions_of_short_form(task)


def _regions_of_answers(task: Mapping[str, Any]) -> Iterator[_Region]:
    """Yield the regions of a task's annotations, or of its predictions if there are none."""
    image = _task_image(task)
    annotations = _records(task.get("annotations") or task.get("completions"))
    answers = [annotation for annotation in annotations if not annotation.get("was_cancelled")]
    if not any(answer.get("result") for answer in answers):
        answers = _records(task.get("predictions"))
    for answer in answers:
        annotator = answer.get("completed_by", "")
        if isinstance(annotator, dict):
            annotator = annotator.get("email", "")
        annotator_name = "" if annotator is None else str(annotator)
        for record in _records(answer.get("result")):
            score = record.get("score", answer.get("score"))
            yield _Region(image, record, score, annotator_name)


def _regions_of_short_form(task: Mapping[str, Any]) -> Iterator[_Region]:
    """Yield the regions of a task in JSON-MIN, which has them in lists next to the image."""
    image = _task_image(task)
    annotator_name = str(task.get("annotator", ""))
    for value in task.values():
        for record in _records(value):
            if "original_width" in record:
                yield _Region(image, record, record.get("score"), annotator_name)


def _records(value: Any) -> list[dict[str, Any]]:
    """Return the objects in a decoded list; none of anything else."""
    return (
        [record for record in value if isinstance(record, dict)] if isinstance(value, list) else []
    )


def _read_label(value: Mapping[str, Any]) -> str | None:
    """Return the first label of a region; None without one."""
    for name, labels in value.items():
        if name.endswith("labels") and isinstance(labels, list) and labels:
            return str(labels[0])
    return None


def _read_shape(record: Mapping[str, Any], value: Mapping[str, Any]) -> Any:
    """Return the geometry of a region in pixels, or the reason to skip it.

    Args:
        record: the region, with the size of the image.
        value: its coordinates, in percent of the size of the image.
    """
    width = parse_pixels(record.get("original_width"))
    height = parse_pixels(record.get("original_height"))
    if not width or not height:
        return SkipReason.NO_SIZE_KNOWN

    def to_pixels(percentage: Any, size: float) -> float:
        return parse_number(percentage) * size / 100

    points = value.get("points")
    if isinstance(points, list):
        coordinates: list[float] = []
        for point in points:
            if not isinstance(point, list) or len(point) != 2:
                return SkipReason.NOT_NUMBERS
            coordinates += [to_pixels(point[0], width), to_pixels(point[1], height)]
        return parse_polygon(coordinates)
    rotation = parse_number(value.get("rotation", 0))
    x = to_pixels(value.get("x"), width)
    y = to_pixels(value.get("y"), height)
    if "radiusX" in value:
        x_radius = to_pixels(value["radiusX"], width)
        y_radius = to_pixels(value.get("radiusY"), height)
        return ellipse_polygon(x, y, x_radius, y_radius, rotation)
    if "height" in value:
        # A rectangle turns about its first corner.
        xmax = x + to_pixels(value.get("width"), width)
        ymax = y + to_pixels(value["height"], height)
        return turned_box((x, y, xmax, ymax), rotation, pivot=(x, y))
    if "x" in value:
        return shapely.Point(x, y) if np.isfinite([x, y]).all() else SkipReason.NOT_NUMBERS
    return SkipReason.NO_CROWN
