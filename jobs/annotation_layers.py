"""Layers of annotation files: crowns of other programs, on the map or in pixels of their images."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np
import pandas as pd
import shapely

from randcrowns.core.arrays import Floats, Ints
from randcrowns.core.class_names import check_spelling
from randcrowns.core.errors import InputError
from randcrowns.core.exchange.annotations import Annotations, CoordinateUnit, check_total
from randcrowns.core.exchange.crs_messages import several_systems_message
from randcrowns.core.exchange.file_groups import mixed_score_messages
from randcrowns.core.exchange.files import (
    AnnotationFile,
    AnnotationReader,
    distinct_file_names,
    files_without_truth,
    find_annotation_files,
    format_messages,
)
from randcrowns.core.exchange.formats import FileFormat
from randcrowns.core.exchange.further_fields import name_fields
from randcrowns.core.exchange.image_messages import doubtful_image_messages
from randcrowns.core.exchange.image_names import (
    ImagesOfFile,
    distinct_image_names,
    shared_image_messages,
)
from randcrowns.core.exchange.pixel_masks import outline_of_pixels
from randcrowns.core.exchange.placement import (
    LocatedAnnotations,
    kinds_of_annotations,
    locate_annotations,
    skip_off_map,
)
from randcrowns.core.exchange.rle import RleMask
from randcrowns.core.messages import Message, abbreviate, note, warning
from randcrowns.jobs.images import ImageFile, find_images, missing_pillow_messages
from randcrowns.jobs.imported_layers import read_imported_layer
from randcrowns.jobs.vector_files import import_geopandas
from randcrowns.jobs.written_files import path_of

if TYPE_CHECKING:
    import geopandas


@dataclass(frozen=True)
class ImportOptions:
    """Options of the import of annotation files.

    Attributes:
        format: key of the files' format; "auto" to recognise it by their content.
        images_of: COCO ground truth of results; "" for the ground truth in the same folder.
        images: folder with the images; "" without one.
        crs: CRS of images that are georeferenced without one, such as ``EPSG:32617``; "" for none.
        score_threshold: minimum score of a crown.
        first_pixel: number of an image's first pixel in Pascal VOC files, 0 or 1.
    """

    format: str = "auto"
    images_of: str = ""
    images: str = ""
    crs: str = ""
    score_threshold: float = 0.0
    first_pixel: int = 0


class AnnotationLayers(NamedTuple):
    """Crowns, points and areas to ignore of annotation files."""

    crowns: geopandas.GeoDataFrame  #: polygons with ``label``, ``score``, ``image`` and so on.
    points: geopandas.GeoDataFrame  #: points, likewise.
    ignored: geopandas.GeoDataFrame  #: areas in which predictions are not judged, likewise.
    summary: pd.DataFrame  #: a row per file: format, and numbers of annotations.
    in_pixels: bool  #: True if the coordinates are pixels of images, y upwards from the upper edge.
    messages: list[Message]  #: messages about files, images and annotations.


def read_annotation_layers(source: str, options: ImportOptions) -> AnnotationLayers:
    """Read the crowns of annotation files.

    Args:
        source: path of a file or a folder, or a pattern; several are separated by ``;``.
        options: options of the import.

    Raises:
        InputError: if a file cannot be read, or is of a format that this function does not read.
    """
    file_format = None if options.format in ("", "auto") else FileFormat(options.format)
    truth = path_of(options.images_of) if options.images_of else None
    image_folder = path_of(options.images) if options.images else None
    files = find_annotation_files(source, file_format)
    _check_formats(files)
    files = files_without_truth(files, truth)
    reader = AnnotationReader(
        files, options.first_pixel, options.score_threshold, truth, image_folder
    )
    contents = _read_contents(files, reader, options.score_threshold)
    all_annotations = [content.annotations for content in contents]
    check_total(sum(map(len, all_annotations)))

    finder = find_images(image_folder)
    located = []
    images_of_files = []
    for content in contents:
        file = content.file
        on_images = locate_annotations(content.annotations, file.path, finder, _outline_of_mask)
        located.append(_LocatedFile(file, on_images, content.crs, content.has_shown_coordinates))
        images_of_files.append(
            ImagesOfFile(
                file,
                on_images.annotations.images,
                on_images.images,
                on_images.annotations.annotated_images,
            )
        )
    messages = [
        *format_messages(files),
        *mixed_score_messages([file.path for file in files], all_annotations),
        *shared_image_messages(images_of_files),
    ]
    image_names = distinct_image_names(images_of_files, finder)
    return _make_layers(located, image_names, options.crs, messages)


class _FileContent(NamedTuple):
    """Annotations of a file as they were read."""

    file: AnnotationFile
    annotations: Annotations  #: annotations that reach the minimum score.
    crs: str = ""  #: CRS of a layer; "" for one without, and for annotations of images.
    #: True for a layer without a CRS whose coordinates are those that QGIS shows.
    has_shown_coordinates: bool = False


def _read_contents(
    files: Sequence[AnnotationFile], reader: AnnotationReader, score_threshold: float
) -> list[_FileContent]:
    """Return the annotations of n files, first those of layers, in the order of the files.

    Args:
        files: (n,) files.
        reader: reader of the files that are no layers.
        score_threshold: minimum score of a crown.

    Raises:
        InputError: if a file cannot be read.
    """
    # A layer that cannot be read is reported before the other files are read.
    layers = {}
    for number, file in enumerate(files):
        if file.format is FileFormat.LAYER:
            layers[number] = read_imported_layer(file.path, file.layer)
    contents = []
    for number, file in enumerate(files):
        if number in layers:
            layer = layers[number]
            content = _FileContent(file, layer.annotations, layer.crs, layer.has_shown_coordinates)
        else:
            content = _FileContent(file, reader.read(file))
        contents.append(content)
    return [
        content._replace(annotations=content.annotations.drop_low_scores(score_threshold))
        for content in contents
    ]


class _LocatedFile(NamedTuple):
    """Annotations of a file with the images that it names."""

    file: AnnotationFile
    content: LocatedAnnotations[ImageFile]
    crs: str = ""  #: CRS of a layer; "" for one without, and for annotations of images.
    #: True for a layer without a CRS whose coordinates are those that QGIS shows.
    has_shown_coordinates: bool = False

    def has_images_on_map(self) -> bool:
        """Return True if the annotations on any image have coordinates of a map."""
        return any(self.is_on_map(image) for image in self.content.images)

    def image_systems(self, default_crs: str) -> list[str]:
        """Return the CRS of each image, "" for none.

        Args:
            default_crs: CRS of images that are georeferenced without one; "" for none.
        """
        return [self.crs or image.crs or default_crs for image in self.content.images]

    def is_on_map(self, image: ImageFile) -> bool:
        """Return True if the annotations on an image have coordinates of a map."""
        if self.content.annotations.unit is not CoordinateUnit.MAP:
            return image.geotransform is not None
        # Without a CRS, coordinates on an image without a georeference are as QGIS shows it.
        is_shown_image = image.path is not None and image.geotransform is None
        return not self.has_shown_coordinates and not (is_shown_image and not self.crs)


def _check_formats(files: Sequence[AnnotationFile]) -> None:
    """Raise an InputError for a label raster, which only the plugin reads."""
    for file in files:
        if file.format is FileFormat.LABEL_RASTER:
            raise InputError(
                "jobs.label_raster",
                "{file} is a label raster. Import it in QGIS (randcrowns:importcrowns), or convert "
                "it to polygons.",
                file=file.path.name,
            )


def _outline_of_mask(mask: RleMask) -> shapely.Geometry:
    """Return the outline of a mask along the edges of its pixels."""
    top, left, pixels = mask.decode_window()
    # Masks with too many runs have no outline; readers skip them.
    return cast("shapely.Geometry", outline_of_pixels(pixels, float(left), float(top)))


def _make_layers(
    located: Sequence[_LocatedFile],
    image_names: Sequence[Sequence[str]],
    default_crs: str,
    messages: list[Message],
) -> AnnotationLayers:
    """Return the layers of all files in one CRS, or in pixels if no image has a georeference.

    Args:
        located: annotations of each file with their shapes.
        image_names: names that tell the images apart, by file.
        default_crs: CRS of images that are georeferenced without one.
        messages: messages about the formats.
    """
    files = list(located)
    common_crs = ""
    in_pixels = not any(file.has_images_on_map() for file in located)
    if not in_pixels:
        crs_of_images = [file.image_systems(default_crs) for file in located]
        known_crs = list(dict.fromkeys(filter(None, chain.from_iterable(crs_of_images))))
        if known_crs:
            common_crs = known_crs[0]
        if len(known_crs) > 1:
            messages.append(several_systems_message(known_crs, common_crs))
        for number, systems in enumerate(crs_of_images):
            files[number] = _place_on_map(located[number], systems, common_crs)

    source_names = distinct_file_names([file.file.path for file in files])
    frames = []
    labels = [np.empty(0, dtype=object)]
    for file, names_of_images, source in zip(files, image_names, source_names):
        annotations = file.content.annotations
        frames.append(_to_frame(file, names_of_images, source))
        labels.append(annotations.label)
        messages += file.content.messages
        messages += annotations.collect_messages(source)
    messages += _image_messages(files, in_pixels)
    messages += check_spelling(np.concatenate(labels))
    rows = pd.concat(frames, ignore_index=True)
    if not len(rows):
        messages.append(
            warning("exchange.nothing", "The files contain no crowns that can be used.")
        )
    return AnnotationLayers(
        crowns=_make_layer(rows, "crowns", common_crs),
        points=_make_layer(rows, "points", common_crs),
        ignored=_make_layer(rows, "ignored", common_crs),
        summary=_summarise_files(files, source_names, rows),
        in_pixels=in_pixels,
        messages=messages,
    )


def _place_on_map(file: _LocatedFile, systems: Sequence[str], common_crs: str) -> _LocatedFile:
    """Transform the annotations of a file to the common CRS; skip those on images without place.

    Args:
        file: the file.
        systems: CRS of each image.
        common_crs: CRS of the layers; "" if no image has one.
    """
    import pyproj

    content = file.content
    is_off_map = np.array([not file.is_on_map(image) for image in content.images], dtype=bool)
    if common_crs:
        is_off_map |= np.array([not system for system in systems], dtype=bool)
    annotations, shapes = skip_off_map(
        content.annotations, content.shapes, content.images, is_off_map
    )
    for number, system in enumerate(systems):
        is_on_image = annotations.image_index == number
        if system in ("", common_crs) or not is_on_image.any():
            continue
        transformer = pyproj.Transformer.from_crs(system, common_crs, always_xy=True)

        def to_common_crs(coordinates: Floats, transformer: Any = transformer) -> Floats:
            x, y = transformer.transform(coordinates[:, 0], coordinates[:, 1])
            return np.column_stack((x, y))

        shapes[is_on_image] = shapely.transform(shapes[is_on_image], to_common_crs)
    return file._replace(content=replace(content, annotations=annotations, shapes=shapes))


def _to_frame(file: _LocatedFile, image_names: Sequence[str], source: str) -> pd.DataFrame:
    """Return the annotations of a file as rows, with the column ``_kind`` of their layer.

    Args:
        file: file with its images and annotations.
        image_names: name of each image of the file.
        source: name of the file in the rows.
    """
    annotations = file.content.annotations
    names = np.array([*image_names, ""], dtype=object)
    index: Ints = annotations.image_index
    frame = pd.DataFrame(
        {
            "label": annotations.label,
            "score": annotations.score,
            "image": names[index],
            "source": source,
            "row": annotations.source_row,
            "geometry": file.content.shapes,
            "_kind": kinds_of_annotations(file.content.shapes, annotations.is_ignored),
        }
    )
    return frame.assign(**name_fields(frame, annotations.fields))


def _make_layer(rows: pd.DataFrame, kind: str, crs: str) -> geopandas.GeoDataFrame:
    """Return the layer of the annotations of one kind, numbered from 1.

    Args:
        rows: annotations of all files with the column ``_kind``.
        kind: value of ``_kind``: "crowns", "points" or "ignored".
        crs: CRS of the layer; "" for none.
    """
    geopandas = import_geopandas()
    layer_rows = rows[rows["_kind"] == kind].drop(columns="_kind").reset_index(drop=True)
    layer_rows.index += 1
    return geopandas.GeoDataFrame(layer_rows.infer_objects(), geometry="geometry", crs=crs or None)


def _summarise_files(
    files: Sequence[_LocatedFile], names: Sequence[str], rows: pd.DataFrame
) -> pd.DataFrame:
    """Return a row per file: its name, format, and numbers of images and annotations.

    Args:
        files: n files with their images and annotations.
        names: (n,) names of the files.
        rows: annotations of all files, with the columns ``source`` and ``_kind``.
    """
    summary_rows = []
    for file, name in zip(files, names):
        annotations = file.content.annotations
        file_format = file.file.format
        format_name = "not recognised"
        if file_format is not None:
            format_name = str(file_format.definition.name)
        kinds = pd.Series(dtype=object)
        if len(rows):
            kinds = rows.loc[rows["source"] == name, "_kind"]
        n_named_images = sum(bool(image.name) for image in annotations.images)
        n_skipped = sum(len(skipped) for skipped in annotations.skipped_rows.values())
        reasons = [str(message) for message in annotations.collect_messages(name)]
        summary_rows.append(
            {
                "file": name,
                "format": format_name,
                "images": n_named_images,
                "empty_images": len(annotations.empty_images),
                "read": annotations.n_read,
                "crowns": int((kinds == "crowns").sum()),
                "points": int((kinds == "points").sum()),
                "ignored": int((kinds == "ignored").sum()),
                "skipped": n_skipped,
                "reason": " ".join(reasons),
            }
        )
    return pd.DataFrame(summary_rows)


def _image_messages(files: Sequence[_LocatedFile], in_pixels: bool) -> list[Message]:
    """Return messages about images that are missing or doubtful, and about crowns in pixels."""
    messages: list[Message] = []
    unplaced_names: list[str] = []
    for file in files:
        annotations = file.content.annotations
        if annotations.unit is CoordinateUnit.MAP:
            continue
        used = [file.content.images[number] for number in sorted(annotations.annotated_images)]
        missing_names = [image.name for image in used if image.path is None]
        unplaced_names += [image.name for image in used if image.geotransform is None]
        if missing_names:
            messages.append(
                note(
                    "jobs.missing_images",
                    "{file}: images not found beside the file or in the folder of the images: "
                    "{images}. Name their folder (images).",
                    file=file.file.path.name,
                    images=abbreviate(list(dict.fromkeys(missing_names))),
                )
            )
        messages += doubtful_image_messages(
            file.file.path.name, annotations.images, file.content.images, used
        )
    if in_pixels and unplaced_names:
        distinct_names = list(dict.fromkeys(unplaced_names))
        messages += missing_pillow_messages()
        messages.append(
            note(
                "jobs.in_pixels",
                "{images} have no georeference, so the crowns are in pixels.",
                one="{images} has no georeference, so the crowns are in pixels.",
                count=len(distinct_names),
                images=abbreviate(distinct_names),
            )
        )
    return messages


def plots_of_images(frame: Any) -> str:
    """Return the field that tells crowns in pixels of several images apart; "" for one image."""
    has_several = "image" in frame and len(frame["image"].dropna().unique()) > 1
    return "image" if has_several else ""
