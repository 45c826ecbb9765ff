"""Import of vector files: their crowns, points and fields as annotations."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import shapely

from randcrowns.core.arrays import Objects
from randcrowns.core.crowns import POLYGON_TYPES
from randcrowns.core.exchange.annotations import (
    CROWN_TYPES,
    AnnotationCollector,
    Annotations,
    CoordinateUnit,
    DoubtReason,
    SkipReason,
)
from randcrowns.core.exchange.crs_messages import impossible_degrees_message
from randcrowns.core.exchange.deepforest import find_crown_fields
from randcrowns.core.geometry.areas import extract_polygons
from randcrowns.jobs.vector_files import field_values, has_shown_coordinates, read_vector_layer

if TYPE_CHECKING:
    import geopandas


class ImportedLayer(NamedTuple):
    """Crowns of a vector file."""

    annotations: Annotations  #: crowns and points with all fields.
    crs: str  #: CRS as code or well-known text; "" without one.
    #: True if the file has no CRS, but a record that QGIS shows its coordinates.
    has_shown_coordinates: bool


def read_imported_layer(path: Path, layer: str) -> ImportedLayer:
    """Read the crowns of a vector file with all fields.

    The fields with image names, labels and scores are recognised by their names.

    Args:
        path: the file.
        layer: name of the layer; "" for the only one, or the only one with polygons.

    Returns:
        The crowns. If the file has no CRS, their coordinates are unchanged. Only if its features
        name images, the unit is unknown, unless the file records that QGIS shows its coordinates.

    Raises:
        InputError: if the file cannot be read, or if several layers may contain the crowns.
    """
    content = read_vector_layer(path, layer)
    frame = content.frame
    collected = _to_annotations(frame, path.name)
    messages = list(content.messages)
    if frame.crs is None:
        has_record = has_shown_coordinates(path, layer)
        names_images = any(image.name for image in collected.images)
        unit = CoordinateUnit.MAP
        if names_images and not has_record:
            unit = CoordinateUnit.UNKNOWN
        return ImportedLayer(collected.build(unit, messages), "", has_record)
    crs = str(frame.crs.to_string())
    annotations = collected.build(CoordinateUnit.MAP, messages)
    if frame.crs.is_geographic:
        message = impossible_degrees_message(path.name, annotations.shapes, crs)
        if message is not None:
            annotations = replace(annotations, messages=(*annotations.messages, message))
    return ImportedLayer(annotations, crs, has_shown_coordinates=False)


def _to_annotations(frame: geopandas.GeoDataFrame, file: str) -> AnnotationCollector:
    """Return the features of a frame, whose index contains their ids."""
    values = field_values(frame)
    nothing = np.full(len(frame), None, dtype=object)
    crown_fields = find_crown_fields(list(values))
    image_names = values.get(crown_fields.image, nothing)
    labels = values.get(crown_fields.label, nothing)
    scores = values.get(crown_fields.score, nothing)
    shapes, skip_reasons, lost_parts = _read_shapes(np.asarray(frame.geometry.array, dtype=object))
    collected = AnnotationCollector(file)
    for number, feature_id in enumerate(frame.index.tolist()):
        skip_reason = skip_reasons[number]
        if lost_parts[number] and skip_reason is None:
            collected.add_problem(DoubtReason.ONLY_POLYGONS, feature_id)
        label = labels[number]
        if label is not None:
            label = str(label)
        image_number = collected.index_image(str(image_names[number] or ""))
        collected.add(
            skip_reason or shapes[number],
            image_number,
            feature_id,
            label,
            scores[number],
            fields={name: column[number] for name, column in values.items()},
        )
    return collected


def _read_shapes(geometries: Objects) -> tuple[Objects, Objects, Any]:
    """Return the polygons and points of features.

    Args:
        geometries: (n,) geometries; None without one.

    Returns:
        (n,) shapes in two dimensions; (n,) reason to skip a feature, None for the others; and (n,)
        mask of the features of whose geometry only the polygons are read.
    """
    shapes = np.asarray(shapely.force_2d(geometries), dtype=object)
    is_collection = shapely.get_type_id(shapes) == shapely.GeometryType.GEOMETRYCOLLECTION
    parts, row_of_part = shapely.get_parts(shapes, return_index=True)
    is_polygonal = np.isin(shapely.get_type_id(parts), POLYGON_TYPES)
    is_lost = ~is_polygonal & is_collection[row_of_part]
    lost_parts = np.zeros(len(shapes), dtype=bool)
    lost_parts[row_of_part[is_lost]] = True

    has_finite_bounds = np.isfinite(shapely.bounds(shapes)).all(axis=1)
    is_bad = shapely.is_missing(shapes) | shapely.is_empty(shapes) | ~has_finite_bounds
    # A collection becomes its polygons, and is empty without any.
    shapes[is_collection] = extract_polygons(shapes[is_collection])
    is_crown = np.isin(shapely.get_type_id(shapes), CROWN_TYPES) & ~shapely.is_empty(shapes)
    skip_reasons = np.full(len(shapes), None, dtype=object)
    skip_reasons[~is_crown] = SkipReason.NO_CROWN
    skip_reasons[is_bad] = SkipReason.BAD_GEOMETRY
    return shapes, skip_reasons, lost_parts
