"""Algorithm ``randcrowns:exportcrowns``: write targets and predictions to annotation files."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path, PurePath
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import shapely
from qgis.core import QgsCsException, QgsFeature, QgsVectorLayer

from randcrowns.algorithms.algorithm_catalogue import EXPORT_CROWNS
from randcrowns.algorithms.common_parameters import check_layers
from randcrowns.algorithms.crown_algorithm import CrownAlgorithm, RunResults
from randcrowns.algorithms.destinations import FolderFileContent, output_destination
from randcrowns.algorithms.exchange.image_parts import (
    IMAGE_FOLDER,
    CrownsOnImages,
    ImagePart,
    cut_around,
)
from randcrowns.algorithms.exchange.schema import parameters
from randcrowns.algorithms.exchange.schema.outputs import (
    EXPORT_FOLDER,
    EXPORT_VALUES,
    files_message,
    fit_field_names,
)
from randcrowns.algorithms.exchange.schema.parameters import EXPORT_PARAMETERS
from randcrowns.algorithms.parameter_types import RunParameters, RunSettings
from randcrowns.core.arrays import Bools, Floats, Objects
from randcrowns.core.class_names import class_labels
from randcrowns.core.classes.values import label_field
from randcrowns.core.errors import InputError
from randcrowns.core.exchange.annotations import Annotations, Image
from randcrowns.core.exchange.deepforest import (
    IMAGE_COLUMNS,
)
from randcrowns.core.exchange.exif import read_orientation
from randcrowns.core.exchange.image_names import check_exported_names
from randcrowns.core.exchange.values import parse_number
from randcrowns.core.exchange.writing import (
    FORMATS_WITH_FIELDS,
    IGNORED,
    PREDICTIONS,
    TARGETS,
    write_annotations,
)
from randcrowns.core.messages import Message, abbreviate, info, note
from randcrowns.core.progress import Progress, iterate_with_progress, run_in_thread, subprogress
from randcrowns.layers.compat import plain_value
from randcrowns.layers.crs import check_crs, create_transform, layer_crs, transform_coordinates
from randcrowns.layers.fields import field_index
from randcrowns.layers.files.export import (
    LAYER_FORMATS,
    NamedTable,
    Styles,
    check_format,
    layer_styles,
    table_writers,
)
from randcrowns.layers.localization import tr
from randcrowns.layers.raster.grid import is_in_pixel_coordinates
from randcrowns.layers.raster.images import AnnotatedImage, write_crop
from randcrowns.layers.vector.geometry import ReadReport, features_to_polygons
from randcrowns.layers.vector.read import LayerSnapshot, to_text
from randcrowns.layers.vector.tables import copy_features, to_attribute_values

#: Index of the image of crowns that lie on none of the images.
_ON_NO_IMAGE = -1
#: Parameters of the exported layers, by name.
_LAYERS = {
    TARGETS: parameters.TARGETS,
    PREDICTIONS: parameters.PREDICTIONS,
    IGNORED: parameters.IGNORED,
}


class _LayerInput(NamedTuple):
    """Layer to export, without a reference to the layer itself."""

    snapshot: LayerSnapshot  #: features and fields.
    styles: Styles  #: styles of the layer.


@dataclass(frozen=True)
class CrownExportSettings(RunSettings):
    """Settings of a run that exports crowns."""

    images: list[AnnotatedImage] = field(default_factory=list)  #: images, sorted by name.
    #: Targets and, if there are any, predictions and areas to ignore, by name.
    layers: dict[str, _LayerInput] = field(default_factory=dict)
    folder: str = ""  #: folder of the files.


@dataclass(frozen=True, eq=False)
class ExportedLayer:
    """Features of a layer, and those n of them that have an outline."""

    table: NamedTable  #: all features with all attributes.
    shapes: Objects  #: (n,) outlines in the coordinate system of the layer.
    labels: Objects  #: (n,) class names, None for no class.
    has_classes: bool  #: True if the layer has a field with classes.
    scores: Floats  #: (n,) scores, NaN for no score.
    plots: Objects | None  #: (n,) plot names, "" for no plot; None without a plot field.
    image_names: Objects | None  #: (n,) names of the images; None without an image field.
    #: (n,) values of all fields by name, if the format stores them; else empty.
    field_values: dict[str, Objects]
    messages: list[Message]  #: messages about reading.


@dataclass(frozen=True, eq=False)
class CrownsToWrite:
    """Crowns in pixels of the images, or of the parts that are cut out of them."""

    layers: dict[str, Annotations]  #: crowns by name of the layer; empty for layer formats.
    messages: list[Message]  #: messages about reading and placing the crowns.
    parts: Sequence[ImagePart] = ()  #: image parts to write.


class ExportCrowns(CrownAlgorithm):
    """Algorithm that writes targets and predictions to files of other programs."""

    entry = EXPORT_CROWNS
    help = (
        tr(
            "COCO, DeepForest, Pascal VOC and YOLO store crowns in pixels of images, so these "
            "formats require the images. Each crown belongs to the image that contains its centre. "
            "The files name the images; images that are cut out are written to the same folder."
        ),
        parameters.EXPORT_FORMAT,
        parameters.EXPORT_IMAGES,
        parameters.SCORE_FIELD,
        parameters.IGNORED,
        parameters.CUT_OUT_IMAGES,
        parameters.PLOT_FIELD,
        tr(
            "If all crowns are boxes, pycocotools computes the same average precision from COCO's "
            "files as pages Detectors and Instances. Other outlines it compares as boxes or pixels."
        ),
    )
    title_layers = (parameters.TARGETS, parameters.PREDICTIONS)
    title_parameters = (parameters.EXPORT_FORMAT,)
    declared_parameters = EXPORT_PARAMETERS
    outputs = (EXPORT_FOLDER,)
    value_outputs = EXPORT_VALUES
    supports_pixels = True

    def validate(self, run_parameters: RunParameters) -> None:
        """Raise an InputError unless the layers and images can be written in the format."""
        _check_coordinates(run_parameters)
        _check_images(run_parameters)
        _check_field(
            run_parameters.layer(parameters.PREDICTIONS),
            run_parameters[parameters.SCORE_FIELD],
            "predictions.no_field",
            "The predictions have no field '{field}'.",
        )
        _check_field(
            run_parameters.layer(parameters.TARGETS),
            run_parameters[parameters.PLOT_FIELD],
            "targets.no_field",
            "The target layer has no field '{field}'.",
        )

    def read_settings(self, run_parameters: RunParameters) -> CrownExportSettings:
        """Return the settings with snapshots of the layers and the georeferences of the images."""
        layers = {}
        for name, parameter in _LAYERS.items():
            layer = run_parameters.layer(parameter)
            if parameter in run_parameters and layer is not None:
                snapshot = run_parameters.take_snapshot(parameter.id)
                layers[name] = _LayerInput(snapshot, layer_styles(layer))
        return CrownExportSettings.from_parameters(
            run_parameters,
            images=_open_images(run_parameters),
            layers=layers,
            folder=output_destination(run_parameters, EXPORT_FOLDER),
        )

    def read_layers(
        self, settings: CrownExportSettings, progress: Progress
    ) -> dict[str, ExportedLayer]:
        """Return the features and outlines of the layers, by name.

        Args:
            settings: settings of the run.
            progress: called with the fraction done.
        """
        layers = {}
        for name, share in iterate_with_progress(list(settings.layers), progress):
            fields = _ExportedFields(
                settings[parameters.SCORE_FIELD] if name == PREDICTIONS else "",
                settings[parameters.PLOT_FIELD],
                settings[parameters.CLASS_FIELD],
                settings[parameters.EXPORT_FORMAT] in FORMATS_WITH_FIELDS,
            )
            layers[name] = _read_layer(name, settings.layers[name], fields, share)
        return layers

    def compute(
        self, settings: CrownExportSettings, inputs: dict[str, ExportedLayer], progress: Progress
    ) -> CrownsToWrite:
        """Return the crowns in pixels of the images, if the format requires images.

        Args:
            settings: settings of the run.
            inputs: result of :meth:`read_layers`.
            progress: called with the fraction done.
        """
        messages = [message for layer in inputs.values() for message in layer.messages]
        if settings[parameters.EXPORT_FORMAT] in LAYER_FORMATS:
            return CrownsToWrite({}, messages)

        on_images: dict[str, CrownsOnImages] = {}
        for name, share in iterate_with_progress(list(inputs), progress):
            on_images[name], off_image_messages = _place_on_images(
                settings.layers[name].snapshot,
                inputs[name],
                settings.images,
                are_ignored=name == IGNORED,
            )
            messages += off_image_messages
            share(1.0)
        if not settings[parameters.CUT_OUT_IMAGES]:
            layers = {name: crowns.annotations for name, crowns in on_images.items()}
            return CrownsToWrite(layers, messages)

        crowns_on_parts = cut_around(
            on_images[TARGETS],
            on_images.get(PREDICTIONS),
            on_images.get(IGNORED),
            settings.images,
            settings[parameters.MARGIN],
        )
        layers = {TARGETS: crowns_on_parts.targets}
        if crowns_on_parts.predictions is not None:
            layers[PREDICTIONS] = crowns_on_parts.predictions
        if crowns_on_parts.ignored is not None:
            layers[IGNORED] = crowns_on_parts.ignored
        messages += crowns_on_parts.messages
        return CrownsToWrite(layers, messages, crowns_on_parts.parts)

    def build_results(
        self,
        settings: CrownExportSettings,
        inputs: dict[str, ExportedLayer],
        findings: CrownsToWrite,
        progress: Progress,
    ) -> RunResults:
        """Return the files and the number of exported crowns.

        Args:
            settings: settings of the run.
            inputs: result of :meth:`read_layers`.
            findings: result of :meth:`compute`.
            progress: called with the fraction done.
        """
        format_key = settings[parameters.EXPORT_FORMAT]
        files: dict[str, FolderFileContent] = {}
        if format_key in LAYER_FORMATS:
            layer_format = LAYER_FORMATS[format_key]
            tables = [layer.table for layer in inputs.values()]
            messages = fit_field_names(layer_format, tables)
            files.update(table_writers("crowns", layer_format, tables, settings.transform_context))
            n_crowns = sum(len(table.features) for table in tables)
        else:
            classed_layers = {}
            for name, layer in inputs.items():
                if layer.has_classes:
                    classed_layers[name] = settings.layers[name].snapshot.name
            annotation_texts = write_annotations(format_key, findings.layers, classed_layers)
            messages = annotation_texts.messages
            for file_name, text in annotation_texts.files.items():
                files[file_name] = text.encode()
            for part in findings.parts:
                files[f"{IMAGE_FOLDER}/{part.name}"] = partial(_write_part, part)
            n_crowns = sum(len(annotations) for annotations in findings.layers.values())
        progress(1.0)
        return RunResults(
            tables={},
            values={"EXPORTED": n_crowns},
            files={EXPORT_FOLDER: files},
            messages=messages,
            headline=[files_message(settings.folder, files)],
        )


def _check_coordinates(run_parameters: RunParameters) -> None:
    """Raise an InputError unless the coordinate systems of the layers suit the format.

    Layers in pixel coordinates are accepted by formats that store any coordinates, and by formats
    with pixel coordinates if an image has no georeference. Whether images are missing is not
    checked here, see :func:`_check_images`.
    """
    key = run_parameters[parameters.EXPORT_FORMAT]
    layers = [run_parameters.layer(parameter) for parameter in _LAYERS.values()]
    if key in LAYER_FORMATS:
        accepts_pixels = not LAYER_FORMATS[key].needs_degrees
        check_format(LAYER_FORMATS[key], layers)
    else:
        accepts_pixels = run_parameters.in_pixels
        if not run_parameters[parameters.EXPORT_IMAGES]:
            # Layers in pixels lack the images and not a georeference.
            layers = [layer for layer in layers if not _is_in_pixels(layer)]
    check_layers(*layers, in_pixels=accepts_pixels)


def _is_in_pixels(layer: QgsVectorLayer | None) -> bool:
    """Return True if there is a layer, and it is in pixel coordinates."""
    return layer is not None and is_in_pixel_coordinates(layer)


def _check_images(run_parameters: RunParameters) -> None:
    """Raise an InputError if images are missing, unusable, or not used by the format."""
    key = run_parameters[parameters.EXPORT_FORMAT]
    images = run_parameters[parameters.EXPORT_IMAGES]
    for layer in images:
        if layer.crs().isValid():  # an image without a coordinate system is in pixels
            check_crs(layer.name(), layer_crs(layer))
    if key not in LAYER_FORMATS and not images:
        raise InputError(
            "export.no_images",
            "{format} stores crowns in pixels. Choose the images on which the crowns lie.",
            format=parameters.EXPORT_FORMAT.label_of(key),
        )
    if key in LAYER_FORMATS and run_parameters[parameters.CUT_OUT_IMAGES]:
        raise InputError(
            "export.images_not_named",
            "{format} does not name images, so none are cut out. Choose COCO, DeepForest, Pascal "
            "VOC or YOLO, or switch off 'Cut out the images'.",
            format=parameters.EXPORT_FORMAT.label_of(key),
        )


def _check_field(layer: QgsVectorLayer | None, name: str, key: str, problem: str) -> None:
    """Raise an InputError with a key and the message ``problem`` if a layer lacks a field.

    An empty ``name`` means that no field is used.
    """
    if name and layer is not None and field_index(layer.fields(), name) < 0:
        raise InputError(key, problem, field=name)


def _open_images(run_parameters: RunParameters) -> list[AnnotatedImage]:
    """Return the images of a run, sorted by name.

    The order is that of the plots, because pycocotools ranks predictions with equal scores image
    by image.

    Raises:
        InputError: if an image is not a file, or if the files cannot tell two images apart.
    """
    images = []
    for layer in run_parameters[parameters.EXPORT_IMAGES]:
        path = Path(layer.source())
        image = AnnotatedImage.from_file(path.name, path)
        if image.path is None:
            raise InputError(
                "export.image_without_file",
                "Image '{name}' is not read from a file. Save it as a GeoTIFF and choose that.",
                name=layer.name(),
            )
        if image.geotransform:
            image = replace(image, crs=layer.crs())
        if not run_parameters[parameters.CUT_OUT_IMAGES]:
            # Programs show the photo upright; parts that are cut out are written as stored.
            image = image.turn(read_orientation(path))
        images.append(image)

    if run_parameters[parameters.EXPORT_FORMAT] not in LAYER_FORMATS:
        check_exported_names([image.name for image in images])
    return sorted(images, key=lambda image: image.name)


def _write_part(part: ImagePart, path: Path, _report_progress: Progress) -> None:
    """Write a part of an image to a file."""
    write_crop(part.image, part.window, path)


class _ExportedFields(NamedTuple):
    """Names of the fields whose values are written."""

    score: str  #: field with the scores; empty for none.
    plot: str  #: field with the plots; empty for none.
    crown_class: str  #: field with the classes; empty for one named like a label or a species.
    are_all_written: bool  #: True if the format stores all fields.


def _read_layer(
    name: str, layer: _LayerInput, fields: _ExportedFields, progress: Progress
) -> ExportedLayer:
    """Read all features of a layer.

    Args:
        name: name of the table for the features.
        layer: layer to read.
        fields: fields with scores, plots and classes.
        progress: called with the fraction done.
    """
    features = layer.snapshot.read_features(progress=subprogress(progress, 0.0, 0.5))
    return run_in_thread(
        lambda _report: _convert_features(name, layer, features, fields),
        subprogress(progress, 0.5, 1.0),
    )


def _convert_features(
    name: str,
    layer: _LayerInput,
    features: list[QgsFeature],
    fields: _ExportedFields,
) -> ExportedLayer:
    """Return features as a table and, if they have an outline, as arrays.

    Args:
        name: name of the table.
        layer: layer of the features.
        features: all features of the layer.
        fields: fields with scores, plots and classes.
    """
    snapshot = layer.snapshot
    report = ReadReport(snapshot.name)
    ids = np.array([feature.id() for feature in features], dtype=np.int64)
    shapes = features_to_polygons(features, ids, report)
    has_bounds = np.isfinite(shapely.bounds(shapes)).all(axis=1)
    has_outline = ~shapely.is_missing(shapes) & has_bounds
    crowns = [features[row] for row in np.flatnonzero(has_outline)]

    field_names = snapshot.fields.names()
    classes = _read_export_classes(crowns, snapshot, fields.crown_class)
    labels = np.full(len(crowns), None, dtype=object)
    if classes is not None:
        labels = class_labels(classes, snapshot.name)
    plots = _read_values(crowns, _find_field(snapshot, fields.plot), to_text)
    if plots is not None:
        plots = np.where(pd.isna(plots), "", plots)
    score_index = _find_field(snapshot, fields.score)
    has_scores = score_index >= 0
    scores = np.full(len(crowns), np.nan)
    if has_scores:
        scores = _read_numbers(crowns, score_index)
    image_field = _find_field(snapshot, IMAGE_COLUMNS[1])
    image_names = _read_values(crowns, image_field, _extract_file_name)
    field_values: dict[str, Objects] = {}
    if fields.are_all_written:
        field_values = _read_all_fields(crowns, field_names)

    messages = []
    change_message = snapshot.count_change_message(snapshot.name, len(features))
    if change_message is not None:
        messages.append(change_message)
    messages += report.messages()
    if has_scores:
        messages.append(info("export.score", "Score: field {field}.", field=fields.score))
    table = copy_features(features, snapshot.fields, snapshot.crs, snapshot.wkb_type)
    return ExportedLayer(
        table=NamedTable(name, table, layer.styles),
        shapes=shapes[has_outline],
        labels=labels,
        has_classes=classes is not None,
        scores=scores,
        plots=plots,
        image_names=image_names,
        field_values=field_values,
        messages=messages,
    )


def _read_export_classes(
    crowns: Sequence[QgsFeature], snapshot: LayerSnapshot, class_field: str
) -> Objects | None:
    """Return the class of each crown, from the field of classes or else from that of labels.

    Args:
        crowns: features with an outline.
        snapshot: layer of the features.
        class_field: name of the field with classes; "" for none.

    Returns:
        Array (n,) of values, None where a crown has no class; None without both fields.
    """
    field_names = snapshot.fields.names()
    if class_field not in field_names:
        class_field = label_field(field_names)
    return _read_values(crowns, _find_field(snapshot, class_field), plain_value)


def _read_all_fields(
    features: Sequence[QgsFeature], field_names: Sequence[str]
) -> dict[str, Objects]:
    """Return the values (n,) of all fields of n features by name; the first of equal names counts.

    Args:
        features: the features.
        field_names: names of their fields in order.
    """
    values_by_name: dict[str, Objects] = {}
    for index, name in enumerate(field_names):
        values = _read_values(features, index, plain_value)
        if values is not None:
            values_by_name.setdefault(name, values)
    return values_by_name


def _find_field(snapshot: LayerSnapshot, name: str) -> int:
    """Return the index of a field; -1 if it has no name, or there is no such field."""
    return field_index(snapshot.fields, name) if name else -1


def _read_values(
    features: Sequence[QgsFeature], index: int, convert: Callable[[Any], Any]
) -> Objects | None:
    """Return the converted values (n,) of a field; None without a field.

    Args:
        features: (n) features.
        index: index of the field; -1 for none.
        convert: converts an attribute value.
    """
    if index < 0:
        return None
    values = np.empty(len(features), dtype=object)  # A list as a value stays one item.
    values[:] = [convert(feature.attribute(index)) for feature in features]
    return values


def _extract_file_name(value: Any) -> str:
    """Return the last part of a path that is written with slashes or backslashes."""
    return re.split(r"[/\\]", str(value))[-1]


def _read_numbers(features: Sequence[QgsFeature], index: int) -> Floats:
    """Return the numbers (n,) in a field of features; NaN for other values."""
    values = to_attribute_values([feature.attribute(index) for feature in features], "real")
    return np.array([parse_number(value) for value in values], dtype=np.float64)


def _place_on_images(
    snapshot: LayerSnapshot,
    layer: ExportedLayer,
    images: Sequence[AnnotatedImage],
    are_ignored: bool,
) -> tuple[CrownsOnImages, list[Message]]:
    """Convert crowns to pixels of the images on which they lie.

    A crown belongs to the first image that contains the centre of its bounding box. Images without
    a georeference all have the same pixel coordinates: if there are several of them, a crown
    belongs to the one that its field ``image`` names.

    Args:
        snapshot: layer of the crowns.
        layer: crowns of the layer.
        images: images.
        are_ignored: True if the crowns are areas to ignore.

    Returns:
        The crowns that lie on an image, and a message about the others, if there are any.

    Raises:
        InputError: if there are several images without a georeference and no field ``image``, or
            if crowns have no coordinates in the coordinate system of an image.
    """
    must_name_image = _must_name_image(snapshot, layer, images)
    pixel_shapes = layer.shapes.copy()
    # (n,) index of each crown's image.
    image_index = np.full(len(pixel_shapes), _ON_NO_IMAGE)
    for index, image in enumerate(images):
        is_candidate = image_index == _ON_NO_IMAGE
        if must_name_image and image.geotransform is None:
            stem = PurePath(image.name).stem
            is_candidate &= (layer.image_names == image.name) | (layer.image_names == stem)
        candidate_rows = np.flatnonzero(is_candidate)
        may_touch = _may_touch(layer.shapes[candidate_rows], snapshot, image)
        candidate_rows = candidate_rows[may_touch]

        # Boxes are computed in pixels because the layer's axes may be rotated against the image.
        candidate_shapes = _to_image_pixels(layer.shapes[candidate_rows], snapshot, image)
        boxes = shapely.bounds(candidate_shapes)
        centres = (boxes[:, :2] + boxes[:, 2:]) / 2
        is_inside = image.contains(centres)
        rows_on_image = candidate_rows[is_inside]
        image_index[rows_on_image] = index
        pixel_shapes[rows_on_image] = candidate_shapes[is_inside]

    is_on_image = image_index != _ON_NO_IMAGE
    fields = {name: values[is_on_image] for name, values in layer.field_values.items()}
    annotations = Annotations.from_shapes(
        pixel_shapes[is_on_image],
        [Image(image.name, image.width, image.height) for image in images],
        image_index[is_on_image],
        layer.labels[is_on_image],
        layer.scores[is_on_image],
        ignored=are_ignored,
        fields=fields,
    )
    plots = None
    if layer.plots is not None:
        plots = layer.plots[is_on_image]
    messages = _find_crowns_off_images(snapshot.name, ~is_on_image)
    return CrownsOnImages(annotations, plots), messages


def _must_name_image(
    snapshot: LayerSnapshot, layer: ExportedLayer, images: Sequence[AnnotatedImage]
) -> bool:
    """Return True if several images have no georeference, so that crowns must name their image.

    Args:
        snapshot: layer of the crowns.
        layer: crowns of the layer.
        images: images.

    Raises:
        InputError: if crowns must name their image, but the layer has no field ``image``.
    """
    without_georeference = [image.name for image in images if image.geotransform is None]
    if len(without_georeference) <= 1:
        return False
    if layer.image_names is None:
        raise InputError(
            "export.no_image_field",
            "Images {images} have no georeference, so each crown must name its image. Layer "
            "'{layer}' has no field 'image'.",
            images=abbreviate(without_georeference),
            layer=snapshot.name,
        )
    return True


def _may_touch(shapes: Objects, snapshot: LayerSnapshot, image: AnnotatedImage) -> Bools:
    """Return a mask (n,) of outlines whose bounding boxes reach an image.

    The corners of a box are converted to pixels; the bounds of the converted corners are compared
    with the image.

    Args:
        shapes: (n,) outlines in the CRS of the layer.
        snapshot: layer of the outlines.
        image: the image.
    """
    x_min, y_min, x_max, y_max = shapely.bounds(shapes).T
    # (n, 4, 2) x and y of the four corners of each box.
    corners = np.stack(
        [
            np.column_stack([x_min, x_min, x_max, x_max]),
            np.column_stack([y_min, y_max, y_min, y_max]),
        ],
        axis=-1,
    )
    image_corners = _to_image_crs(corners.reshape(-1, 2), snapshot, image)
    pixel_corners = image.to_pixels(image_corners).reshape(-1, 4, 2)
    is_after_start = pixel_corners.max(axis=1) >= 0
    is_before_end = pixel_corners.min(axis=1) <= (image.width, image.height)
    may_touch: Bools = (is_after_start & is_before_end).all(axis=1)
    return may_touch


def _to_image_pixels(shapes: Objects, snapshot: LayerSnapshot, image: AnnotatedImage) -> Objects:
    """Return outlines (n,) of a layer in pixels of an image."""
    converted: Objects = shapely.transform(
        shapes, lambda xy: image.to_pixels(_to_image_crs(xy, snapshot, image))
    )
    return converted


def _find_crowns_off_images(layer_name: str, is_off: Bools) -> list[Message]:
    """Return a message about the crowns in a mask (n,), which lie on no image; [] for none."""
    if not is_off.any():
        return []
    return [
        note(
            "export.off_images",
            "Layer '{layer}': {count:,} crowns were not exported because they lie on none of the "
            "images.",
            one="Layer '{layer}': 1 crown was not exported because it lies on none of the images.",
            layer=layer_name,
            count=int(is_off.sum()),
        )
    ]


def _to_image_crs(xy: Floats, snapshot: LayerSnapshot, image: AnnotatedImage) -> Floats:
    """Transform coordinates (n, 2) of a layer to the coordinate system of an image.

    They are returned unchanged if the layer or the image has no coordinate system.

    Args:
        xy: (n, 2) coordinates.
        snapshot: layer of the coordinates.
        image: the image.

    Raises:
        InputError: if coordinates cannot be transformed.
    """
    if not snapshot.crs.isValid() or not image.crs.isValid() or snapshot.crs == image.crs:
        return xy
    try:
        return transform_coordinates(xy, create_transform(snapshot.crs, image.crs))
    except QgsCsException as error:
        raise InputError(
            "export.not_transformed",
            "The crowns of layer '{layer}' cannot be transformed to the coordinate system of image "
            "'{image}'. Check the coordinate systems of both.",
            layer=snapshot.name,
            image=image.name,
        ) from error
