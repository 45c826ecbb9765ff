"""Parameter types for layers, areas and files; see :mod:`randcrowns.algorithms.parameter_types`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsMapLayer,
    QgsProcessing,
    QgsProcessingFeatureSourceDefinition,
    QgsProcessingParameterBand,
    QgsProcessingParameterCrs,
    QgsProcessingParameterDefinition,
    QgsProcessingParameterExtent,
    QgsProcessingParameterFeatureSource,
    QgsProcessingParameterFile,
    QgsProcessingParameterMultipleLayers,
    QgsProcessingParameterRasterLayer,
    QgsProject,
    QgsRasterLayer,
    QgsRectangle,
    QgsReferencedRectangle,
)
from qgis.PyQt.QtCore import QCoreApplication, QThread

from randcrowns.algorithms.file_layers import find_file_layers, several_layers_error
from randcrowns.algorithms.parameter_types import (
    Option,
    Parameter,
    RunParameters,
    T,
    TextParameter,
    restore_texts,
)
from randcrowns.core.errors import InputError
from randcrowns.layers.crs import crs_name, has_datum_or_code, layer_crs
from randcrowns.layers.localization import tr
from randcrowns.layers.public_sources import public_paths
from randcrowns.layers.raster.grid import RasterSnapshot
from randcrowns.layers.vector.guesses import guess_roles
from randcrowns.layers.vector.points import PointSnapshot
from randcrowns.layers.vector.read import LayerSnapshot
from randcrowns.layers.vector.study_site import ExtentRequest, Snapshot

_KINDS = QgsProcessing.SourceType
#: Maximum number of layers that a title names; more are counted.
_MAX_NAMED_LAYERS = 2
_RASTER_HELP = tr(
    "Instead of polygons: the pixels of the first band that are neither 0 nor no data; of an image "
    "with several bands, all pixels with data."
)


@dataclass(frozen=True, eq=False)
class LayerParameter(Parameter[T]):
    """Parameter with a vector layer; the plain value is its id."""

    default: Any = ""
    kind: Any = _KINDS.TypeVectorPolygon  #: geometry type of the layer.
    #: Index in :func:`randcrowns.layers.vector.guesses.guess_roles` of the layer that the toolbox
    #: selects at first; -1 for the first layer of the list. It is no default: a run requires the
    #: layer.
    default_role: int = -1

    def create_definition(self) -> QgsProcessingParameterDefinition:
        """Return a new Processing parameter, without help and flags."""
        definition = QgsProcessingParameterFeatureSource(
            self.id, self.toolbox_label, [self.kind], None, self.optional
        )
        application = QCoreApplication.instance()
        on_main_thread = application is not None and QThread.currentThread() is application.thread()
        if (
            self.default_role >= 0 and on_main_thread
        ):  # the project's layers belong to the main thread
            definition.setGuiDefaultValueOverride(guess_roles()[self.default_role] or None)
        return definition

    def read_plain(self, run_parameters: RunParameters) -> str:
        """Return the id or source of the layer; "" if there is none."""
        return _get_first_value(run_parameters, self.ids)

    def describe_value(self, run_parameters: RunParameters) -> str:
        """Return the name of the layer, and which of its features are used."""
        return _format_source(run_parameters, self.id)

    def describe_briefly(self, run_parameters: RunParameters) -> str:
        """Return the name of the layer; "" if there is none."""
        layer = run_parameters.layer(self)
        return "" if layer is None else str(layer.name())


@dataclass(frozen=True, eq=False)
class RequiredLayerParameter(LayerParameter[LayerSnapshot]):
    """Parameter with a vector layer that the run requires."""

    def read(self, run_parameters: RunParameters) -> LayerSnapshot:
        """Return a snapshot of the layer."""
        return run_parameters.take_snapshot(self.id)


@dataclass(frozen=True, eq=False)
class OptionalLayerParameter(LayerParameter["LayerSnapshot | None"]):
    """Parameter with an optional vector layer."""

    optional: bool = True

    def read(self, run_parameters: RunParameters) -> LayerSnapshot | None:
        """Return a snapshot of the layer, or None."""
        return run_parameters.take_snapshot(self.id) if self in run_parameters else None


@dataclass(frozen=True, eq=False)
class ZoneParameter(LayerParameter["Snapshot | None"]):
    """Parameter with polygons (``<name>``) or the marked pixels of a raster (``<name>_RASTER``)."""

    optional: bool = True

    @property
    def ids(self) -> tuple[str, ...]:
        """Ids of the Processing parameters: polygons, raster."""
        return self.name.upper(), f"{self.name.upper()}_RASTER"

    def create_definitions(self) -> list[QgsProcessingParameterDefinition]:
        """Return new Processing parameters for polygons and raster, with help and flags."""
        return [
            *super().create_definitions(),
            self._with_help(_define_raster(self), _RASTER_HELP),
        ]

    def read(self, run_parameters: RunParameters) -> Snapshot | None:
        """Return a snapshot of the polygons or of the raster; None if there is neither."""
        return _read_zone(run_parameters, self.ids)

    def describe_value(self, run_parameters: RunParameters) -> str:
        """Return the name of the layer, and which of its features are used."""
        return _format_zone(run_parameters, self.ids)

    def to_processing(self, value: Any) -> dict[str, Any]:
        """Return the id of a layer, by the parameter id for its type."""
        if not value:
            return {}
        polygons_id, raster_id = self.ids
        return {raster_id if is_raster_id(value) else polygons_id: value}


@dataclass(frozen=True, eq=False)
class PointLayerParameter(LayerParameter["PointSnapshot | None"]):
    """Parameter with an optional point layer."""

    def read(self, run_parameters: RunParameters) -> PointSnapshot | None:
        """Return a snapshot of the points, or None."""
        if self not in run_parameters:
            return None
        return PointSnapshot.from_snapshot(run_parameters.take_snapshot(self.id, polygons=False))


class _Label(str):
    """Label within a sentence.

    A translation into a language that writes nouns in lower case names it ``{label:lower}``.
    """

    def __format__(self, form: str) -> str:
        return self.lower() if form == "lower" else str(self)


@dataclass(frozen=True, eq=False)
class LayerListParameter(Parameter["list[QgsMapLayer]"]):
    """Parameter with several layers; the plain value is a tuple of their ids."""

    offers_results: bool = False  #: True to offer results with new outlines too.
    counted_label: str = ""  #: noun of several layers behind their number; empty for the label.
    is_live_layer = True
    default: Any = ()
    kind: Any = _KINDS.TypeVectorPolygon  #: type of the layers.

    def create_definition(self) -> QgsProcessingParameterDefinition:
        """Return a new Processing parameter, without help and flags."""
        return QgsProcessingParameterMultipleLayers(
            self.id, self.toolbox_label, self.kind, None, self.optional
        )

    def read(self, run_parameters: RunParameters) -> list[QgsMapLayer]:
        """Return the layers that can be opened.

        Raises:
            InputError: if several layers of a file could be meant.
        """
        raw_value = run_parameters.raw_values.get(self.id)
        value: Any = raw_value
        if isinstance(raw_value, (list, tuple)):
            value = [self._find_layer_path(run_parameters, item) for item in raw_value]
        elif isinstance(raw_value, str):
            value = self._find_layer_path(run_parameters, raw_value)
        values = {**run_parameters.raw_values, self.id: value}
        layers = run_parameters.algorithm.parameterAsLayerList(
            values, self.id, run_parameters.context
        )
        # Layers that cannot be opened are None.
        return [layer for layer in layers if layer]

    def _find_layer_path(self, run_parameters: RunParameters, value: Any) -> Any:
        """Return a value, with the only layer that may be meant by the path of a file.

        Args:
            run_parameters: parameters of the run, for the label in the error.
            value: value of Processing, such as a path, an id or a layer.

        Raises:
            InputError: if several layers of the file could be meant.
        """
        if not isinstance(value, str):
            return value
        file_layers = find_file_layers(value, [self.kind])
        if file_layers is None:
            return value
        if len(file_layers.candidates) > 1:
            raise several_layers_error(run_parameters.label_of(self.id), file_layers.paths)
        return next(iter(file_layers.paths.values()), value)

    def read_plain(self, run_parameters: RunParameters) -> tuple[str, ...]:
        """Return the ids or sources of the layers."""
        value = run_parameters.raw_values.get(self.id)
        if not isinstance(value, (list, tuple)):
            return ()
        return tuple(str(item) for item in value)

    def describe_value(self, run_parameters: RunParameters) -> str:
        """Return the names of the layers, separated by commas."""
        return ", ".join(layer.name() for layer in run_parameters[self])

    def describe_briefly(self, run_parameters: RunParameters) -> str:
        """Return the names of the layers, or their number if there are many."""
        layers = run_parameters[self]
        if len(layers) <= _MAX_NAMED_LAYERS:
            return self.describe(run_parameters)
        label = _Label(self.counted_label or self.label)
        return tr("{number} {label:lower}", number=len(layers), label=label)

    def to_processing(self, value: Any) -> dict[str, Any]:
        """Return a list of layer ids, by the parameter id."""
        return {self.id: list(value)}

    def from_project(self, stored: Mapping[str, Any]) -> Any:
        """Return the layer ids that a project stores, also those of layers that do not exist."""
        return restore_texts(stored.get(self.key), self.default)


@dataclass(frozen=True, eq=False)
class RasterParameter(Parameter["QgsRasterLayer | None"]):
    """Parameter with a raster layer; the plain value is its id."""

    is_live_layer = True
    default: Any = ""

    def create_definition(self) -> QgsProcessingParameterDefinition:
        """Return a new Processing parameter, without help and flags."""
        return QgsProcessingParameterRasterLayer(self.id, self.toolbox_label, None, self.optional)

    def read(self, run_parameters: RunParameters) -> QgsRasterLayer | None:
        """Return the raster layer, or None."""
        if self not in run_parameters:
            return None
        return run_parameters.algorithm.parameterAsRasterLayer(
            run_parameters.raw_values, self.id, run_parameters.context
        )

    def read_plain(self, run_parameters: RunParameters) -> str:
        """Return the id or source of the layer; "" if there is none."""
        return _get_first_value(run_parameters, self.ids)

    def describe_value(self, run_parameters: RunParameters) -> str:
        """Return the name of the layer."""
        layer = run_parameters[self]
        return "" if layer is None else str(layer.name())


@dataclass(frozen=True, eq=False)
class BandsParameter(Parameter["tuple[int, ...]"]):
    """Parameter with several bands of a raster; 0 for a band that is not selected."""

    raster_parameter: RasterParameter | None = None  #: parameter of the raster.
    bands: tuple[tuple[str, str], ...] = ()  #: name and label of each band.
    default: Any = ()

    @property
    def ids(self) -> tuple[str, ...]:
        """Ids of the Processing parameters, one per band."""
        return tuple(name.upper() for name, _ in self.bands)

    def create_definitions(self) -> list[QgsProcessingParameterDefinition]:
        """Return new Processing parameters, one per band, with help and flags."""
        raster_id = "" if self.raster_parameter is None else self.raster_parameter.id
        definitions = []
        for band_id, (_, label) in zip(self.ids, self.bands):
            definition = QgsProcessingParameterBand(band_id, label, None, raster_id, self.optional)
            definitions.append(self._with_help(definition, self.help))
        return definitions

    def read(self, run_parameters: RunParameters) -> tuple[int, ...]:
        """Return the number of each band, starting at 1; 0 for a band that is not selected."""
        numbers = []
        for band_id in self.ids:
            number = 0
            if run_parameters.has(band_id):
                number = run_parameters.algorithm.parameterAsInt(
                    run_parameters.raw_values, band_id, run_parameters.context
                )
            numbers.append(int(number))
        return tuple(numbers)

    def describe_value(self, run_parameters: RunParameters) -> str:
        """Return the numbers of the selected bands, separated by commas."""
        return ", ".join(str(band) for band in run_parameters[self] if band) or tr("as shown")

    def to_processing(self, value: Any) -> dict[str, Any]:
        """Return the numbers of the selected bands, by parameter id."""
        return {band_id: band for band_id, band in zip(self.ids, value) if band}

    def to_project(self, value: Any) -> dict[str, Any]:
        """Return the number of each band, by its name."""
        return {name: band for (name, _), band in zip(self.bands, value)}

    def from_project(self, stored: Mapping[str, Any]) -> Any:
        """Return the band numbers that a project stores; 0 for a number that is invalid."""
        values = [stored.get(name) for name, _ in self.bands]
        return tuple(value if type(value) is int and 0 <= value < 2**31 else 0 for value in values)


@dataclass(frozen=True, eq=False)
class CrsParameter(Parameter[QgsCoordinateReferenceSystem]):
    """Parameter with a coordinate reference system; the plain value is its id or definition."""

    default: Any = ""

    def create_definition(self) -> QgsProcessingParameterDefinition:
        """Return a new Processing parameter, without help and flags."""
        return QgsProcessingParameterCrs(self.id, self.toolbox_label, None, self.optional)

    def read(self, run_parameters: RunParameters) -> QgsCoordinateReferenceSystem:
        """Return the coordinate reference system; an invalid one if none is set."""
        return run_parameters.algorithm.parameterAsCrs(
            run_parameters.raw_values, self.id, run_parameters.context
        )

    def read_plain(self, run_parameters: RunParameters) -> str:
        """Return the id or definition; "" if none is set."""
        return _get_first_value(run_parameters, self.ids)

    def describe_value(self, run_parameters: RunParameters) -> str:
        """Return the name of the coordinate reference system."""
        crs = run_parameters[self]
        return crs_name(crs) if crs.isValid() else ""


@dataclass(frozen=True, eq=False)
class FileParameter(TextParameter):
    """Parameter with an input file; a project stores its path relative to the project."""

    filter: str = ""  #: file filter of the dialog, in the format of Qt.

    def create_definition(self) -> QgsProcessingParameterDefinition:
        """Return a new Processing parameter, without help and flags."""
        return QgsProcessingParameterFile(
            self.id, self.toolbox_label, optional=self.optional, fileFilter=self.filter
        )

    def describe_value(self, run_parameters: RunParameters) -> str:
        """Return the file name without folder, or all names if ``;`` separates several files."""
        paths = public_paths(run_parameters[self]).split(";")
        return "; ".join(Path(path).name for path in paths)

    def describe_briefly(self, run_parameters: RunParameters) -> str:
        """Return the file name without folder and ending.

        If the text is no existing file, such as a pattern or several files, it is the display text.
        """
        path = Path(run_parameters[self])
        return path.stem if path.exists() else self.describe(run_parameters)

    def to_project(self, value: Any) -> dict[str, Any]:
        """Return the path relative to the project, so that both can be moved together."""
        return {self.key: str(QgsProject.instance().writePath(value)) if value else ""}

    def from_project(self, stored: Mapping[str, Any]) -> Any:
        """Return the absolute path of the file that a project stores."""
        value = super().from_project(stored)
        return str(QgsProject.instance().readPath(value)) if value else ""


@dataclass(frozen=True, eq=False)
class FolderParameter(FileParameter):
    """Parameter with a folder; a project stores its path relative to the project."""

    def create_definition(self) -> QgsProcessingParameterDefinition:
        """Return a new Processing parameter, without help and flags."""
        kind = QgsProcessingParameterFile.Behavior.Folder
        return QgsProcessingParameterFile(
            self.id, self.toolbox_label, kind, "", None, self.optional
        )


@dataclass(frozen=True)
class AreaValue:
    """Plain value of an area."""

    kind: str = "none"  #: key of the option: ``none``, ``image``, ``layer`` or ``canvas``.
    layer: str = ""  #: id of the polygon layer, or of the raster with marked pixels.
    image: str = ""  #: id of the raster whose extent is the area.
    #: Extent of the map when the run was started.
    map_extent: QgsReferencedRectangle | None = field(default=None, compare=False)

    @property
    def layer_ids(self) -> tuple[str, ...]:
        """Id of the layer that a run reads; empty without one."""
        return (self.layer,) if self.kind == "layer" and self.layer else ()

    @property
    def rectangle(self) -> QgsReferencedRectangle | None:
        """Extent of the map or of the image; None for another kind of area."""
        if self.kind == "canvas":
            return self.map_extent
        image = QgsProject.instance().mapLayer(self.image) if self.kind == "image" else None
        return None if image is None else QgsReferencedRectangle(image.extent(), layer_crs(image))


@dataclass(frozen=True, eq=False)
class AreaParameter(Parameter[ExtentRequest]):
    """Parameter with an area.

    The area is a rectangle (Processing parameter ``<name>``), the polygons of a layer
    (``<name>_LAYER``), or the intersection of both.
    """

    default: Any = field(default_factory=AreaValue)
    #: Options of a form: some of ``none``, ``image``, ``layer`` and ``canvas``.
    options: tuple[Option, ...] = ()
    #: True to accept the marked pixels of a raster (``<name>_RASTER``) in place of polygons.
    accepts_rasters: bool = False

    @property
    def ids(self) -> tuple[str, ...]:
        """Ids of the Processing parameters: rectangle, polygons and, if accepted, raster."""
        name = self.name.upper()
        if self.accepts_rasters:
            return name, f"{name}_LAYER", f"{name}_RASTER"
        return name, f"{name}_LAYER"

    @property
    def ids_of_layers(self) -> tuple[str, ...]:
        """Ids of the Processing parameters for layers: polygons and, if accepted, raster."""
        return self.ids[1:]

    def with_options(self, *kinds: str) -> AreaParameter:
        """Return the same parameter with the options of these keys only."""
        options = tuple(option for option in self.options if option.key in kinds)
        return replace(self, options=options)

    def create_definitions(self) -> list[QgsProcessingParameterDefinition]:
        """Return new Processing parameters with help and flags: polygons, rectangle, raster."""
        rectangle_id = self.id
        polygons_id = self.ids_of_layers[0]
        polygons = QgsProcessingParameterFeatureSource(
            polygons_id,
            tr("{area} (polygons)", area=self.label),
            [_KINDS.TypeVectorPolygon],
            None,
            True,
        )
        rectangle = QgsProcessingParameterExtent(
            rectangle_id, tr("{area} (rectangle)", area=self.label), None, True
        )
        rectangle_help = tr(
            "A rectangle, or the extent of a layer. If polygons are set too, the intersection is "
            "used."
        )
        definitions = [
            self._with_help(polygons, self.help),
            self._with_help(rectangle, rectangle_help),
        ]
        if self.accepts_rasters:
            definitions.append(self._with_help(_define_raster(self), _RASTER_HELP))
        return definitions

    def read(self, run_parameters: RunParameters) -> ExtentRequest:
        """Return the rectangle and a snapshot of the polygons or the raster, each None if not set.

        Raises:
            InputError: if the rectangle has no defined coordinate reference system, or if both
                polygons and a raster are set.
        """
        rectangle_id, *zone_ids = self.ids
        rectangle = None
        crs = QgsCoordinateReferenceSystem()
        if run_parameters.has(rectangle_id):
            rectangle, crs = _parse_rectangle(run_parameters, rectangle_id)
            is_in_layer_crs = _is_without_crs(run_parameters.raw_values[rectangle_id])
            if not (is_in_layer_crs or has_datum_or_code(crs) or run_parameters.in_pixels):
                raise InputError(
                    "crs.undefined_for_extent",
                    "'{name}' has no defined coordinate reference system. Set one for the image, "
                    "or for the project.",
                    name=run_parameters.label_of(rectangle_id),
                )
        return ExtentRequest(rectangle, crs, _read_zone(run_parameters, zone_ids))

    def read_plain(self, run_parameters: RunParameters) -> AreaValue:
        """Return the area as a form shows it: the layer or, without one, the rectangle."""
        rectangle_id, *zone_ids = self.ids
        layer = _get_first_value(run_parameters, zone_ids)
        if layer:
            return AreaValue("layer", layer)
        if not run_parameters.has(rectangle_id):
            return AreaValue("none")
        rectangle, crs = _parse_rectangle(run_parameters, rectangle_id)
        return AreaValue("canvas", map_extent=QgsReferencedRectangle(rectangle, crs))

    def describe_value(self, run_parameters: RunParameters) -> str:
        """Return the layer, the corners, or both; without either, the label of the option "none".

        Corners are in the coordinate reference system of the rectangle.
        """
        rectangle_id, *zone_ids = self.ids
        parts = []
        if any(run_parameters.has(zone_id) for zone_id in zone_ids):
            parts.append(_format_zone(run_parameters, zone_ids))
        if run_parameters.has(rectangle_id):
            rectangle, crs = _parse_rectangle(run_parameters, rectangle_id)
            parts.append(f"{rectangle.toString(2)} {crs.authid()}".strip())
        if parts:
            return "; ".join(parts)
        for option in self.options:
            if option.key == "none":
                return option.label
        return ""

    def to_processing(self, value: Any) -> dict[str, Any]:
        """Return the layer id or the rectangle of an :class:`AreaValue`, by parameter id."""
        if value.kind != "layer":
            rectangle = value.rectangle
            return {} if rectangle is None else {self.id: rectangle}
        if not value.layer:
            return {}
        zone_id = self.ids[2] if is_raster_id(value.layer) else self.ids[1]
        return {zone_id: value.layer}

    def to_project(self, value: Any) -> dict[str, Any]:
        """Return kind and layers of an :class:`AreaValue`, by key.

        The extent of the map is not stored, as it is read again at each run.
        """
        stored = {self.key: value.kind, f"{self.key}_layer": value.layer}
        if "image" in self._kinds:
            stored[f"{self.key}_image"] = value.image
        return stored

    def from_project(self, stored: Mapping[str, Any]) -> Any:
        """Return the :class:`AreaValue` that a project stores; its layers need not exist.

        Earlier projects store a layer without a kind: it is then the image or the polygon layer,
        depending on its type.
        """
        kind = stored.get(self.key)
        layer = stored.get(f"{self.key}_layer")
        image = stored.get(f"{self.key}_image")
        if kind is None and isinstance(layer, str):
            map_layer = QgsProject.instance().mapLayer(layer)
            if isinstance(map_layer, QgsRasterLayer):
                kind = "image"
                image = layer
                layer = ""
            elif map_layer is not None:
                kind = "layer"
        if kind not in self._kinds:
            kind = self.default.kind
        return AreaValue(
            kind,
            layer=layer if isinstance(layer, str) else "",
            image=image if isinstance(image, str) else "",
        )

    @property
    def _kinds(self) -> tuple[str, ...]:
        """Keys of the options."""
        return tuple(option.key for option in self.options)


def _define_raster(parameter: Parameter[Any]) -> QgsProcessingParameterDefinition:
    """Return the Processing parameter for the raster of an area, whose id is the last one."""
    label = tr("{area} (raster)", area=parameter.label)
    return QgsProcessingParameterRasterLayer(parameter.ids[-1], label, None, True)


def is_raster_id(layer_id: str) -> bool:
    """Return True if the project has a raster layer of this id."""
    return isinstance(QgsProject.instance().mapLayer(layer_id), QgsRasterLayer)


def _get_first_value(run_parameters: RunParameters, ids: Sequence[str]) -> str:
    """Return the value of the first parameter that is set, as text; "" if none is.

    Args:
        run_parameters: parameters of the run.
        ids: ids of Processing parameters.
    """
    value = next((run_parameters.raw_values[name] for name in ids if run_parameters.has(name)), "")
    if isinstance(value, QgsProcessingFeatureSourceDefinition):
        value = value.source.staticValue()
    return str(value)


def _parse_rectangle(
    run_parameters: RunParameters, parameter_id: str
) -> tuple[QgsRectangle, QgsCoordinateReferenceSystem]:
    """Return the rectangle of an extent parameter, and its coordinate reference system.

    Args:
        run_parameters: parameters of the run.
        parameter_id: id of the Processing parameter.
    """
    algorithm = run_parameters.algorithm
    values = run_parameters.raw_values
    rectangle = algorithm.parameterAsExtent(values, parameter_id, run_parameters.context)
    crs = algorithm.parameterAsExtentCrs(values, parameter_id, run_parameters.context)
    return rectangle, crs


def _read_zone(run_parameters: RunParameters, ids: Sequence[str]) -> Snapshot | None:
    """Return a snapshot of the polygon layer or the raster of an area; None if neither is set.

    Args:
        run_parameters: parameters of the run.
        ids: ids of the Processing parameters for polygons and, if accepted, for a raster.

    Raises:
        InputError: if both are set, or if the layer cannot be found or opened.
    """
    set_ids = [name for name in ids if run_parameters.has(name)]
    if not set_ids:
        return None
    if len(set_ids) > 1:
        raise InputError(
            "parameter.both_set",
            "Both '{first}' and '{other}' are set. Choose one of them.",
            first=run_parameters.label_of(set_ids[0]),
            other=run_parameters.label_of(set_ids[1]),
        )
    (parameter_id,) = set_ids
    if parameter_id == ids[0]:
        return run_parameters.take_snapshot(parameter_id)
    layer = run_parameters.map_layer(parameter_id)
    if layer is None:
        raise InputError(
            "layer.not_found",
            "The layer for '{name}' cannot be found or opened.",
            name=run_parameters.label_of(parameter_id),
        )
    return RasterSnapshot.from_layer(layer)


def _format_zone(run_parameters: RunParameters, ids: Sequence[str]) -> str:
    """Return the name of the polygon layer or the raster of an area, as display text.

    Args:
        run_parameters: parameters of the run.
        ids: ids of the Processing parameters for polygons and, if accepted, for a raster.
    """
    polygons_id, *raster_ids = ids
    if not any(map(run_parameters.has, raster_ids)):
        return _format_source(run_parameters, polygons_id)
    layer = run_parameters.map_layer(raster_ids[0])
    return tr("not given") if layer is None else str(layer.name())


def _format_source(run_parameters: RunParameters, parameter_id: str) -> str:
    """Return the name of a layer and which of its features are used, as display text."""
    layer, selected_only = run_parameters.feature_source(parameter_id)
    if layer is None:
        return ""
    value = run_parameters.raw_values.get(parameter_id)
    expression = getattr(value, "filterExpression", "")
    feature_limit = getattr(value, "featureLimit", -1)
    parts = [layer.name()]
    if selected_only:
        parts.append(tr("{count} selected features", count=layer.selectedFeatureCount()))
    if expression:
        parts.append(expression)
    if feature_limit > 0:
        parts.append(tr("the first {count}", count=feature_limit))
    return ", ".join(parts)


def _is_without_crs(extent: Any) -> bool:
    """Return True if an extent is four numbers only, which are in the CRS of the layers."""
    if isinstance(extent, str):
        return re.fullmatch(r"[^,\[\]]+(,[^,\[\]]+){3}", extent) is not None
    return isinstance(extent, QgsRectangle) and not isinstance(extent, QgsReferencedRectangle)
