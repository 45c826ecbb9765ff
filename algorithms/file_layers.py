"""Layers in a file whose path is the value of a layer parameter."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from qgis.core import (
    Qgis,
    QgsProcessing,
    QgsProviderRegistry,
    QgsProviderSublayerDetails,
    QgsVectorLayer,
    QgsWkbTypes,
)
from qgis.PyQt.QtCore import QFileInfo

from randcrowns.core.errors import InputError
from randcrowns.core.exchange.image_search import is_file
from randcrowns.core.messages import Message, info
from randcrowns.layers.compat import is_polygon_layer
from randcrowns.layers.files.vector_files import (
    check_format,
    is_readable_layer,
    unreadable_vector_error,
)
from randcrowns.layers.local_files import file_of_source
from randcrowns.layers.localization import fill_template

#: Geometry type of a layer by the type of Processing that accepts this type only.
_GEOMETRY_OF_KIND = {
    QgsProcessing.SourceType.TypeVectorPoint: QgsWkbTypes.GeometryType.PointGeometry,
    QgsProcessing.SourceType.TypeVectorLine: QgsWkbTypes.GeometryType.LineGeometry,
    QgsProcessing.SourceType.TypeVectorPolygon: QgsWkbTypes.GeometryType.PolygonGeometry,
}


@dataclass(frozen=True, eq=False)
class FileLayers:
    """Layers of a file that holds several layers, or features of several geometry types."""

    path: str  #: path of the file.
    candidates: tuple[QgsProviderSublayerDetails, ...]  #: layers that may be meant.
    others: tuple[QgsProviderSublayerDetails, ...]  #: layers of other geometry types.

    @property
    def paths(self) -> dict[str, str]:
        """Path that names the layer, by the name of the layer, for the layers that may be meant."""
        return {layer.name(): layer.uri() for layer in self.candidates}


def find_file_layers(path: str, kinds: Iterable[Any]) -> FileLayers | None:
    """Return the layers that may be meant by the path of a file with several layers.

    A GeoJSON file with features of several geometry types counts as several layers if QGIS would
    not open its polygons, because its first feature has another type.

    Args:
        path: text of a layer parameter.
        kinds: types of Processing (such as ``TypeVectorPolygon``) that the parameter accepts.

    Returns:
        The layers; None if the text is no path, names a layer already, or if the file has one layer
        only.
    """
    if "|" in path or not QFileInfo(path).isFile():
        return None
    layers = _list_layers(path, Qgis.SublayerQueryFlag.CountFeatures)
    has_unknown_type = any(layer.wkbType() == QgsWkbTypes.Type.Unknown for layer in layers)
    if has_unknown_type:
        if len(layers) == 1 and is_polygon_layer(QgsVectorLayer(path, "file", "ogr")):
            return None
        layers = _list_layers(
            path,
            Qgis.SublayerQueryFlag.CountFeatures,
            Qgis.SublayerQueryFlag.ResolveGeometryType,
        )
    if len(layers) < 2:
        return None
    # Where a parameter accepts several types, crowns are polygons.
    polygon = QgsWkbTypes.GeometryType.PolygonGeometry
    accepted_types = {_GEOMETRY_OF_KIND.get(kind, polygon) for kind in kinds} or {polygon}
    candidates = []
    others = []
    for layer in layers:
        is_accepted = QgsWkbTypes.geometryType(layer.wkbType()) in accepted_types
        if is_accepted:
            candidates.append(layer)
        else:
            others.append(layer)
    return FileLayers(path, tuple(candidates), tuple(others))


def _list_layers(path: str, *flags: Any) -> list[QgsProviderSublayerDetails]:
    """Return the vector layers of a file that GDAL reads."""
    all_flags = Qgis.SublayerQueryFlags()
    for flag in flags:
        all_flags |= flag
    layers = QgsProviderRegistry.instance().querySublayers(path, all_flags)
    return [layer for layer in layers if layer.providerKey() == "ogr"]


def check_is_readable(path: str) -> None:
    """Raise an InputError with the reason if the text of a layer parameter is an unreadable file.

    Args:
        path: text of a parameter for a vector layer; a name of a layer may follow the path.
    """
    file = file_of_source(path)
    if is_file(file) and not is_readable_layer(file):
        raise unreadable_vector_error(file)


def check_file_format(path: str) -> None:
    """Raise an InputError if the text of a layer parameter is a file of a misleading name.

    Args:
        path: text of a parameter for a layer; a name of a layer may follow the path.
    """
    file = file_of_source(path)
    if is_file(file):
        check_format(file)


def several_layers_error(label: str, names: Iterable[str]) -> InputError:
    """Return the error for a file of which several layers could be meant.

    Args:
        label: label of the parameter.
        names: names of the layers.
    """
    return InputError(
        "layer.several_in_file",
        "The file for '{name}' holds the layers {layers}. Choose one: open it in QGIS, or "
        "write |layername=… after the path of the file.",
        name=label,
        layers=tuple(names),
    )


def taken_layer_messages(label: str, all_file_layers: Sequence[FileLayers]) -> list[Message]:
    """Return a message per file of which one of several layers is used.

    Args:
        label: label of the parameter.
        all_file_layers: files of the parameter with their layers.
    """
    messages = []
    for file_layers in all_file_layers:
        if len(file_layers.candidates) != 1:
            continue
        (chosen_layer,) = file_layers.candidates
        message = info(
            "layer.taken_from_file",
            "{label}: layer '{layer}' of {file} was taken ({kind}, {count:,} features). The other "
            "layers of the file are not used: {others}.",
            label=label,
            layer=chosen_layer.name(),
            file=Path(file_layers.path).name,
            kind=_get_geometry_name(chosen_layer),
            count=_count_features(chosen_layer),
            others=[
                fill_template(
                    "{layer} ({kind}, {count:,})",
                    layer=layer.name(),
                    kind=_get_geometry_name(layer),
                    count=_count_features(layer),
                )
                for layer in file_layers.others
            ],
        )
        messages.append(message)
    return messages


def _get_geometry_name(layer: QgsProviderSublayerDetails) -> str:
    """Return QGIS's name of the geometry type of a layer, such as Polygon."""
    return str(QgsWkbTypes.displayString(layer.wkbType()))


def _count_features(layer: QgsProviderSublayerDetails) -> int:
    """Return the number of features of a layer, which QGIS may not know without opening it."""
    known_count = int(layer.featureCount())
    if known_count >= 0:
        return known_count
    return int(QgsVectorLayer(layer.uri(), layer.name(), "ogr").featureCount())
