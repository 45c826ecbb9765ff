"""Jobs ``import`` and ``export``: read and write files of other programs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path, PurePath
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import shapely

from randcrowns.core.arrays import Floats, Ints, Objects
from randcrowns.core.class_names import class_labels
from randcrowns.core.classes.values import label_field
from randcrowns.core.errors import InputError
from randcrowns.core.exchange.annotations import Annotations, Image
from randcrowns.core.exchange.crs_messages import no_system_message
from randcrowns.core.exchange.exif import read_orientation
from randcrowns.core.exchange.image_names import check_exported_names
from randcrowns.core.exchange.writing import (
    FORMATS_WITH_FIELDS,
    IGNORED,
    PREDICTIONS,
    TARGETS,
    WRITERS,
    write_annotations,
)
from randcrowns.core.messages import Message, note
from randcrowns.jobs.annotation_layers import ImportOptions, read_annotation_layers
from randcrowns.jobs.images import ImageFile, read_image
from randcrowns.jobs.layers import InputOptions, Layer, LayerSource, files_of, read_layer
from randcrowns.jobs.parameters import JobValues, read_values
from randcrowns.jobs.refused import ONLY_QGIS_EXPORTS
from randcrowns.jobs.results import JobResult
from randcrowns.jobs.signatures import with_parameters
from randcrowns.jobs.sites import WorkingCrs, guess_score_field
from randcrowns.jobs.vector_files import field_values, require_pyarrow
from randcrowns.jobs.written_files import check_outputs, path_of, replace_file, write_text

#: Formats of GDAL and geopandas: ending of the files, by key of the format.
_LAYER_FORMATS = {"geojson": ".geojson", "gpkg": ".gpkg", "parquet": ".parquet", "csv": ".csv"}
#: Field with the image of each crown.
_IMAGE_FIELD = "image"


@with_parameters("import")
def read_annotations(files: str | Path | Sequence[str | Path], **parameters: Any) -> JobResult:
    """Read crowns from annotation files, such as COCO, DeepForest or CVAT files.

    Args:
        files: a file, a folder, or a pattern such as ``plots/*.xml``; or several of them.
        **parameters: parameters of the toolbox in lower case: ``format``, ``images`` (the folder of
            the images), ``images_of``, ``crs``, ``score_threshold``, ``first_pixel``.

    Returns:
        The result with the tables ``summary`` (a row per file), ``crowns``, ``points`` and
        ``ignored``. Crowns are in the coordinate system of the images or, if these have no
        georeference, in pixels.

    Raises:
        InputError: if a file cannot be read.

    >>> box = {"xmin": [10], "ymin": [10], "xmax": [60], "ymax": [70], "label": ["Tree"]}
    >>> pd.DataFrame({"image_path": ["a.tif"], **box}).to_csv("boxes.csv", index=False)
    >>> read_annotations("boxes.csv").crowns[["image", "label"]].values.tolist()
    [['a.tif', 'Tree']]
    """
    values = read_values("import", parameters)
    sources = files if isinstance(files, (list, tuple)) else [files]
    paths = [str(path_of(source)) for source in sources]
    if not paths:
        raise InputError("import.no_files", "Name the files to import, at least one.")
    options = ImportOptions(
        format=values["format"],
        images_of=str(values["images_of"] or ""),
        images=str(values["images"] or ""),
        crs=str(values["crs"] or ""),
        score_threshold=values["score_threshold"],
        first_pixel=values["first_pixel"],
    )
    layers = read_annotation_layers(";".join(paths), options)
    tables: dict[str, pd.DataFrame] = {"summary": layers.summary, "crowns": layers.crowns}
    if len(layers.points):
        tables["points"] = layers.points
    if len(layers.ignored):
        tables["ignored"] = layers.ignored
    messages = list(layers.messages)
    working = WorkingCrs()
    if layers.in_pixels:
        working = WorkingCrs(None, 1.0, "px", in_pixels=True)
    elif layers.crowns.crs is None:
        messages.append(no_system_message())
    conclusion = f"Files: {len(layers.summary):,}; crowns: {len(layers.crowns):,}."
    return JobResult.of_run(values, tables, messages, conclusion, working)


@with_parameters("export", InputOptions)
def export_crowns(
    targets: LayerSource,
    folder: str | Path,
    predictions: LayerSource | None = None,
    *,
    ignored: LayerSource | None = None,
    image: Sequence[str | Path] | str | Path = (),
    **parameters: Any,
) -> JobResult:
    """Write targets and predictions as COCO, DeepForest, Pascal VOC, YOLO, or layers of GDAL.

    Args:
        targets: target crowns.
        folder: folder of the files, which is created; existing files of these names are replaced.
        predictions: predicted crowns; None without them.
        ignored: areas in which predictions are neither right nor wrong; COCO's crowds.
        image: images on which the crowns lie, for COCO, DeepForest, Pascal VOC and YOLO.
        **parameters: parameters of the toolbox in lower case, such as ``format`` and
            ``score_field``; and the options of :class:`randcrowns.jobs.layers.InputOptions`.

    Returns:
        The result, whose summary lists the files with their numbers of crowns.

    Raises:
        InputError: if a layer cannot be read, or a file cannot be written.

    >>> trees = [shapely.box(0, 0, 5, 5), shapely.box(9, 0, 14, 5)]
    >>> export_crowns(trees, "tables", format="csv").summary.values.tolist()
    [['targets.csv', 2]]
    """
    options, own_parameters = InputOptions.split(parameters)
    values = read_values("export", own_parameters)
    layers = {}
    messages: list[Message] = []
    for name, source in ((TARGETS, targets), (PREDICTIONS, predictions), (IGNORED, ignored)):
        if source is not None:
            layers[name] = read_layer(source, name, options)
            messages += layers[name].messages
    _check_fields(layers, values)
    target_folder = _make_folder(path_of(folder))
    key = values["format"]
    if key in _LAYER_FORMATS:
        rows = _write_layers(layers, target_folder, key)
    elif key in WRITERS:
        images = [image] if isinstance(image, (str, Path)) else list(image)
        rows, annotation_messages = _write_annotations(layers, images, target_folder, values)
        messages += annotation_messages
    else:
        raise InputError(
            "parameter.unsupported",
            "'{name}' of {job} cannot be used here: {why}",
            name=f"format={key}",
            job="export",
            why=ONLY_QGIS_EXPORTS,
        )
    return JobResult.of_run(
        values,
        {"summary": pd.DataFrame(rows)},
        messages,
        conclusion=f"Files in {target_folder}: {len(rows):,}.",
    )


def _write_annotations(
    layers: dict[str, Layer], images: Sequence[str | Path], folder: Path, values: JobValues
) -> tuple[list[dict[str, Any]], list[Message]]:
    """Write layers as annotation files of images.

    Args:
        layers: layers to write, by name.
        images: images on which the crowns lie.
        folder: folder of the files.
        values: values of the job with the format.

    Returns:
        A row per file with its name and number of crowns, and messages about the crowns.

    Raises:
        InputError: if an image cannot be read, or a file cannot be written.
    """
    annotations, messages = _on_images(layers, images, values)
    layers_with_classes = {
        name: layer.name for name, layer in layers.items() if _class_field(layer, values)
    }
    texts = write_annotations(values["format"], annotations, layers_with_classes)
    messages += texts.messages
    paths = {name: folder / name for name in texts.files}
    image_paths = [Path(image) for image in images]
    check_outputs(list(paths.values()), [*_sources(layers), *image_paths])
    for name, path in paths.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text(path, texts.files[name])
    rows = [{"file": name, "crowns": texts.n_crowns[name]} for name in texts.files]
    return rows, messages


def _make_folder(folder: Path) -> Path:
    """Create a folder and return it; raise InputError if it cannot be created."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            "file.not_written", "{target} cannot be written: {why}", target=str(folder), why=error
        ) from error
    return folder


def _check_fields(layers: dict[str, Layer], values: JobValues) -> None:
    """Raise an InputError if no layer has a field that a parameter names."""
    for parameter in values.given & {"score_field", "class_field"}:
        name = values[parameter]
        if name and not any(layer.has_field(name) for layer in layers.values()):
            raise InputError(
                "export.no_field",
                "No layer has a field '{field}', which {parameter} names.",
                field=name,
                parameter=parameter,
            )


def _write_layers(layers: dict[str, Layer], folder: Path, key: str) -> list[dict[str, Any]]:
    """Write layers in a format of GDAL, and return a row per file and layer.

    Args:
        layers: layers to write, by name.
        folder: folder of the files.
        key: key of the format: ``gpkg``, or one of ``_LAYER_FORMATS``.
    """
    if key == "gpkg":
        # A GeoPackage holds all layers.
        files = dict.fromkeys(layers, "crowns.gpkg")
    else:
        files = {name: name + _LAYER_FORMATS[key] for name in layers}
    if key == "parquet":
        require_pyarrow(folder / files[TARGETS])
    check_outputs([folder / file for file in set(files.values())], _sources(layers))
    if key == "gpkg":
        with replace_file(folder / "crowns.gpkg") as partial:
            for name, layer in layers.items():
                _without_ids(layer).to_file(partial, layer=name, driver="GPKG", engine="pyogrio")
    else:
        for name, layer in layers.items():
            with replace_file(folder / files[name]) as partial:
                _write_layer(layer, partial, key)
    return [{"file": files[name], "crowns": len(layer.frame)} for name, layer in layers.items()]


def _write_layer(layer: Layer, path: Path, key: str) -> None:
    """Write a layer as GeoJSON, GeoParquet or CSV.

    Args:
        layer: the layer.
        path: the file.
        key: key of the format: ``geojson``, ``parquet`` or another one for CSV.
    """
    frame = _without_ids(layer)
    if key == "geojson":
        _to_degrees(layer).to_file(path, driver="GeoJSON", engine="pyogrio")
    elif key == "parquet":
        frame.to_parquet(path)
    else:
        frame.drop(columns=frame.geometry.name).to_csv(path, index=False)


def _without_ids(layer: Layer) -> Any:
    """Return the features of a layer without a field of the name that a GeoPackage reserves."""
    reserved = [name for name in layer.frame if str(name).lower() == "fid"]
    return layer.frame.drop(columns=reserved)


def _sources(layers: dict[str, Layer]) -> list[Path]:
    """Return the files from which layers were read."""
    return [file for layer in layers.values() if layer.source for file in files_of(layer.source)]


def _to_degrees(layer: Layer) -> Any:
    """Return the features in longitude and latitude, as GeoJSON requires.

    Raises:
        InputError: if the layer has no coordinate system.
    """
    if layer.frame.crs is None:
        raise InputError(
            "export.geojson_without_crs",
            "GeoJSON requires longitude and latitude, but layer '{layer}' has no coordinate "
            "system. Choose another format.",
            layer=layer.name,
        )
    return layer.frame.to_crs("EPSG:4326")


def _on_images(
    layers: dict[str, Layer], paths: Sequence[str | Path], values: JobValues
) -> tuple[dict[str, Annotations], list[Message]]:
    """Return the crowns in pixels of the images on which they lie, and messages about the others.

    Args:
        layers: layers by name.
        paths: images.
        values: values of the job, with the fields of scores and classes; "" to guess one.

    Raises:
        InputError: if there are no images, or one cannot be read.
    """
    images = _open_images(paths)
    are_all_written = values["format"] in FORMATS_WITH_FIELDS
    annotations = {}
    messages: list[Message] = []
    for name, layer in layers.items():
        score_field = ""
        if name == PREDICTIONS:
            score_field = values["score_field"]
            if not layer.has_field(score_field):
                score_field = guess_score_field(layer)
        fields = _Fields(score_field, _class_field(layer, values), are_all_written)
        annotations[name], layer_messages = _place_crowns(
            layer, images, fields, are_ignored=name == IGNORED
        )
        messages += layer_messages
    return annotations, messages


def _class_field(layer: Layer, values: JobValues) -> str:
    """Return the field with the classes of a layer: the chosen one, or else one named like it."""
    names = [str(name) for name in layer.frame.columns]
    return values["class_field"] if values["class_field"] in names else label_field(names)


def _open_images(paths: Sequence[str | Path]) -> list[ImageFile]:
    """Return the images of an export, sorted by name.

    The order is that of the plots, because pycocotools ranks predictions with equal scores image
    by image. Programs show the photo upright, so that its pixels are those of the upright image.

    Raises:
        InputError: if there are no images, one cannot be read, or two have the same name.
    """
    images = []
    for path in map(Path, paths):
        image = read_image(path)
        if image.path is None:
            raise InputError(
                "jobs.unreadable_image",
                "Image '{image}' cannot be read. Its size and georeference are read with Pillow "
                "(pip install pillow).",
                image=image.name,
            )
        images.append(image.turn(read_orientation(path)))
    if not images:
        raise InputError(
            "export.no_images",
            "This format stores pixels of images. Name the images on which the crowns lie.",
        )
    check_exported_names([image.name for image in images])
    return sorted(images, key=lambda image: image.name)


class _Fields(NamedTuple):
    """Fields of a layer; "" without one."""

    scores: str  #: field with the scores of a detector.
    classes: str  #: field with the classes.
    are_all_written: bool  #: True if the format stores all fields.


def _place_crowns(
    layer: Layer, images: Sequence[ImageFile], fields: _Fields, *, are_ignored: bool
) -> tuple[Annotations, list[Message]]:
    """Return the crowns of a layer on the first image that contains their centre.

    Args:
        layer: the layer.
        images: the images. Of several without a georeference, the one that the field ``image``
            names.
        fields: fields with scores and classes.
        are_ignored: True if the crowns are areas to ignore.
    """
    placed = _find_images(layer, images)
    is_placed = placed.image_index >= 0
    n_crowns = len(is_placed)
    labels = np.full(n_crowns, None, dtype=object)
    if fields.classes:
        labels = class_labels(layer.frame[fields.classes], layer.name)
    scores = np.full(n_crowns, np.nan)
    if fields.scores:
        scores = layer.numbers(fields.scores)
    written_fields = {}
    if fields.are_all_written:
        for name, column in field_values(layer.frame).items():
            written_fields[name] = column[is_placed]
    annotations = Annotations.from_shapes(
        placed.shapes[is_placed],
        [Image(image.name, image.width, image.height) for image in images],
        placed.image_index[is_placed],
        labels[is_placed],
        scores[is_placed],
        ignored=are_ignored,
        fields=written_fields,
    )
    n_off = int((~is_placed).sum())
    if not n_off:
        return annotations, []
    message = note(
        "export.off_images",
        "Layer '{layer}': {count:,} crowns lie on no image and were not exported.",
        one="Layer '{layer}': 1 crown lies on no image and was not exported.",
        layer=layer.name,
        count=n_off,
    )
    return annotations, [message]


class _PlacedCrowns(NamedTuple):
    """Crowns of a layer on images."""

    image_index: Ints  #: (n,) number of the image of each crown; -1 for none.
    shapes: Objects  #: (n,) polygons, in pixels of their image; unchanged without an image.


def _find_images(layer: Layer, images: Sequence[ImageFile]) -> _PlacedCrowns:
    """Return the first image that contains the centre of each crown.

    Args:
        layer: the layer.
        images: the images. Of several without a georeference, the one that the field ``image``
            names.
    """
    shapes = layer.shapes
    pixels = shapes.copy()
    image_index = np.full(len(shapes), -1)
    image_names = pd.Series(None, layer.frame.index, dtype=object)
    if _IMAGE_FIELD in layer.frame:
        image_names = layer.frame[_IMAGE_FIELD]
    n_unplaced = sum(image.geotransform is None for image in images)
    for number, image in enumerate(images):
        is_candidate = (image_index < 0) & ~shapely.is_missing(shapes)
        if image.geotransform is None and n_unplaced > 1:
            # Pixels of several images have the same coordinates.
            is_named = image_names.isin([image.name, PurePath(image.name).stem])
            is_candidate &= is_named.to_numpy()
        rows = np.flatnonzero(is_candidate)
        on_image = _to_pixels(layer, shapes[rows], image)
        boxes = shapely.bounds(on_image)
        centres = (boxes[:, :2] + boxes[:, 2:]) / 2
        is_inside = image.contains(centres)
        rows_inside = rows[is_inside]
        image_index[rows_inside] = number
        pixels[rows_inside] = on_image[is_inside]
    return _PlacedCrowns(image_index, pixels)


def _to_pixels(layer: Layer, shapes: Objects, image: ImageFile) -> Objects:
    """Return shapes (n,) in pixels of an image.

    Args:
        layer: layer of the shapes.
        shapes: (n,) shapes in the CRS of the layer.
        image: the image.
    """
    transformed = shapes
    crs = layer.frame.crs
    if crs is not None and image.crs:
        import pyproj

        transformer = pyproj.Transformer.from_crs(crs, image.crs, always_xy=True)

        def to_image_crs(coordinates: Floats) -> Floats:
            x, y = transformer.transform(coordinates[:, 0], coordinates[:, 1])
            return np.column_stack((x, y))

        transformed = shapely.transform(shapes, to_image_crs)
    pixels: Objects = shapely.transform(transformed, image.to_pixels)
    return pixels
