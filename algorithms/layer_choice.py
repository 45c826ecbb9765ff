"""Choices of layers, areas and files; see :mod:`randcrowns.algorithms.choice`."""

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

from randcrowns.algorithms.choice import Choice, Given, Option, T, Text, texts
from randcrowns.core.errors import InputError
from randcrowns.layers.crs import is_defined, name_of, system_of
from randcrowns.layers.raster.grid import RasterSnapshot
from randcrowns.layers.vector.guesses import usual_roles
from randcrowns.layers.vector.place import ExtentChoice, Snapshot
from randcrowns.layers.vector.points import PointSnapshot
from randcrowns.layers.vector.read import LayerSnapshot
from randcrowns.layers.words import tr

_KINDS = QgsProcessing.SourceType
#: More layers than this are counted in a title, not named.
_NAMED = 2


@dataclass(frozen=True, eq=False)
class Layer(Choice[T]):
    """A vector layer; the plain value is its id."""

    default: Any = ""
    kind: Any = _KINDS.TypeVectorPolygon
    #: Place in :func:`randcrowns.layers.vector.guesses.usual_roles` of the layer that the toolbox shows first; -1 for
    #: the first there is. A run needs the layer all the same.
    role: int = -1

    def definition(self) -> QgsProcessingParameterDefinition:
        made = QgsProcessingParameterFeatureSource(
            self.ids[0], self.described, [self.kind], None, self.optional
        )
        application = QCoreApplication.instance()
        on_main_thread = application is not None and QThread.currentThread() is application.thread()
        if self.role >= 0 and on_main_thread:  # which the project's layers belong to
            made.setGuiDefaultValueOverride(usual_roles()[self.role] or None)
        return made

    def plain(self, given: Given) -> str:
        return _first_text(given, self.ids)

    def words(self, given: Given) -> str:
        return _named_source(given, self.ids[0])

    def short(self, given: Given) -> str:
        layer = given.layer(self)
        return "" if layer is None else str(layer.name())


@dataclass(frozen=True, eq=False)
class NeededLayer(Layer[LayerSnapshot]):
    """A vector layer that the run cannot do without."""

    def read(self, given: Given) -> LayerSnapshot:
        return given.snapshot(self.ids[0])


@dataclass(frozen=True, eq=False)
class OptionalLayer(Layer["LayerSnapshot | None"]):
    """A vector layer that the run does without."""

    optional: bool = True

    def read(self, given: Given) -> LayerSnapshot | None:
        return given.snapshot(self.ids[0]) if self in given else None


@dataclass(frozen=True, eq=False)
class Zone(Layer["Snapshot | None"]):
    """Polygons (parameter ``<name>``), or the marked pixels of a raster (``<name>_RASTER``)."""

    optional: bool = True

    @property
    def ids(self) -> tuple[str, ...]:
        return self.name.upper(), f"{self.name.upper()}_RASTER"

    def definitions(self) -> list[QgsProcessingParameterDefinition]:
        return [*super().definitions(), self._completed(_raster_of(self), _RASTER_HELP)]

    def read(self, given: Given) -> Snapshot | None:
        return _zone_in(given, self.ids)

    def words(self, given: Given) -> str:
        return _named_zone(given, self.ids)

    def to_parameters(self, value: Any) -> dict[str, Any]:
        return {self.ids[is_raster(value)]: value} if value else {}


@dataclass(frozen=True, eq=False)
class FieldPoints(Layer["PointSnapshot | None"]):
    """A layer of points that the run does without."""

    def read(self, given: Given) -> PointSnapshot | None:
        return (
            PointSnapshot.of(given.snapshot(self.ids[0], polygons=False)) if self in given else None
        )


class _Label(str):
    """A label within a sentence: a language that writes nouns with small letters names it ``{label:lower}``."""

    def __format__(self, form: str) -> str:
        return self.lower() if form == "lower" else str(self)


@dataclass(frozen=True, eq=False)
class Layers(Choice["list[QgsMapLayer]"]):
    """Layers; the plain value holds their ids."""

    made: bool = False  #: what runs of ours made is offered too.
    live = True
    default: Any = ()
    kind: Any = _KINDS.TypeVectorPolygon

    def definition(self) -> QgsProcessingParameterDefinition:
        return QgsProcessingParameterMultipleLayers(
            self.ids[0], self.described, self.kind, None, self.optional
        )

    def read(self, given: Given) -> list[QgsMapLayer]:
        layers = given.algorithm.parameterAsLayerList(given.parameters, self.ids[0], given.context)
        return [layer for layer in layers if layer]

    def plain(self, given: Given) -> tuple[str, ...]:
        value = given.parameters.get(self.ids[0])
        return tuple(map(str, value)) if isinstance(value, (list, tuple)) else ()

    def words(self, given: Given) -> str:
        return ", ".join(layer.name() for layer in given[self]) or tr("not given")

    def short(self, given: Given) -> str:
        """Their names, or how many they are."""
        layers = given[self]
        if len(layers) <= _NAMED:
            return self.words(given)
        return tr("{number} {label:lower}", number=len(layers), label=_Label(self.label))

    def to_parameters(self, value: Any) -> dict[str, Any]:
        return {self.ids[0]: list(value)}

    def taken_up(self, kept: Mapping[str, Any]) -> Any:
        """Ids, of layers that are there or not."""
        return texts(kept.get(self.key), self.default)


@dataclass(frozen=True, eq=False)
class Raster(Choice["QgsRasterLayer | None"]):
    """A raster layer; the plain value is its id."""

    live = True
    default: Any = ""

    def definition(self) -> QgsProcessingParameterDefinition:
        return QgsProcessingParameterRasterLayer(self.ids[0], self.described, None, self.optional)

    def read(self, given: Given) -> QgsRasterLayer | None:
        if self not in given:
            return None
        return given.algorithm.parameterAsRasterLayer(given.parameters, self.ids[0], given.context)

    def plain(self, given: Given) -> str:
        return _first_text(given, self.ids)

    def words(self, given: Given) -> str:
        layer = given[self]
        return tr("not given") if layer is None else str(layer.name())


@dataclass(frozen=True, eq=False)
class Bands(Choice["tuple[int, ...]"]):
    """Bands of a raster, several together; 0 for none chosen."""

    of: Raster | None = None  #: choice of the raster.
    bands: tuple[tuple[str, str], ...] = ()  #: name and label of each.
    default: Any = ()

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(name.upper() for name, _ in self.bands)

    def definitions(self) -> list[QgsProcessingParameterDefinition]:
        parent = "" if self.of is None else self.of.ids[0]
        return [
            self._completed(
                QgsProcessingParameterBand(id_, label, None, parent, self.optional), self.help
            )
            for id_, (_, label) in zip(self.ids, self.bands)
        ]

    def read(self, given: Given) -> tuple[int, ...]:
        return tuple(
            int(given.algorithm.parameterAsInt(given.parameters, name, given.context))
            if given.has(name)
            else 0
            for name in self.ids
        )

    def words(self, given: Given) -> str:
        return ", ".join(str(band) for band in given[self] if band) or tr("as shown")

    def to_parameters(self, value: Any) -> dict[str, Any]:
        return {name: band for name, band in zip(self.ids, value) if band}

    def to_kept(self, value: Any) -> dict[str, Any]:
        return {name: band for (name, _), band in zip(self.bands, value)}

    def taken_up(self, kept: Mapping[str, Any]) -> Any:
        values = [kept.get(name) for name, _ in self.bands]
        return tuple(value if type(value) is int and 0 <= value < 2**31 else 0 for value in values)


@dataclass(frozen=True, eq=False)
class Crs(Choice[QgsCoordinateReferenceSystem]):
    """A coordinate system; the plain value is its id or definition."""

    default: Any = ""

    def definition(self) -> QgsProcessingParameterDefinition:
        return QgsProcessingParameterCrs(self.ids[0], self.described, None, self.optional)

    def read(self, given: Given) -> QgsCoordinateReferenceSystem:
        return given.algorithm.parameterAsCrs(given.parameters, self.ids[0], given.context)

    def plain(self, given: Given) -> str:
        return _first_text(given, self.ids)

    def words(self, given: Given) -> str:
        crs = given[self]
        return name_of(crs) if crs.isValid() else tr("not given")


@dataclass(frozen=True, eq=False)
class File(Text):
    """A file that is read; a project keeps its path relative to itself."""

    filter: str = ""

    def definition(self) -> QgsProcessingParameterDefinition:
        return QgsProcessingParameterFile(
            self.ids[0], self.described, optional=self.optional, fileFilter=self.filter
        )

    def words(self, given: Given) -> str:
        """The name without its folder; of several files, which ``;`` parts, all names."""
        return "; ".join(Path(one).name for one in given[self].split(";")) or tr("not given")

    def short(self, given: Given) -> str:
        """The name without folder and ending; of a pattern, or several, their words."""
        return Path(given[self]).stem if Path(given[self]).exists() else self.words(given)

    def to_kept(self, value: Any) -> dict[str, Any]:
        """The path relative to the project, so that both can be moved together."""
        return {self.key: str(QgsProject.instance().writePath(value)) if value else ""}

    def taken_up(self, kept: Mapping[str, Any]) -> Any:
        """The path on this computer."""
        value = super().taken_up(kept)
        return str(QgsProject.instance().readPath(value)) if value else ""


@dataclass(frozen=True, eq=False)
class Folder(File):
    """A folder; a project keeps its path relative to itself."""

    def definition(self) -> QgsProcessingParameterDefinition:
        kind = QgsProcessingParameterFile.Behavior.Folder
        return QgsProcessingParameterFile(
            self.ids[0], self.described, kind, "", None, self.optional
        )


@dataclass(frozen=True)
class AreaValue:
    """An area as a form shows it: its kind, the id of a polygon layer or image, and what the map showed at a run."""

    kind: str = "none"
    layer: str = ""
    image: str = ""
    canvas: QgsReferencedRectangle | None = field(default=None, compare=False)

    @property
    def layer_ids(self) -> tuple[str, ...]:
        """The layer that a run reads."""
        return (self.layer,) if self.kind == "layer" and self.layer else ()

    @property
    def rectangle(self) -> QgsReferencedRectangle | None:
        """The extent where it is a rectangle."""
        if self.kind == "canvas":
            return self.canvas
        image = QgsProject.instance().mapLayer(self.image) if self.kind == "image" else None
        return None if image is None else QgsReferencedRectangle(image.extent(), system_of(image))


@dataclass(frozen=True, eq=False)
class Area(Choice[ExtentChoice]):
    """An area: a rectangle (parameter ``<name>``), the polygons of a layer (``<name>_LAYER``), or what both share."""

    default: Any = field(default_factory=AreaValue)
    #: ``none``, ``image``, ``layer``, ``canvas``, as far as a form offers them.
    options: tuple[Option, ...] = ()
    rasters: bool = (
        False  #: the marked pixels of a raster (``<name>_RASTER``) may stand for the polygons.
    )

    @property
    def ids(self) -> tuple[str, ...]:
        ids = self.name.upper(), f"{self.name.upper()}_LAYER", f"{self.name.upper()}_RASTER"
        return ids if self.rasters else ids[:2]

    def only(self, *kinds: str) -> Area:
        """The same choice among these kinds."""
        return replace(
            self, options=tuple(option for option in self.options if option.key in kinds)
        )

    def definitions(self) -> list[QgsProcessingParameterDefinition]:
        box, layer = self.ids[:2]
        polygons, rectangle = (
            tr("{area} (polygons)", area=self.label),
            tr("{area} (rectangle)", area=self.label),
        )
        told = tr("A rectangle, or the extent of a layer. With polygons as well, what both share.")
        drawn = QgsProcessingParameterFeatureSource(
            layer, polygons, [_KINDS.TypeVectorPolygon], None, True
        )
        extent = QgsProcessingParameterExtent(box, rectangle, None, True)
        found = [self._completed(drawn, self.help), self._completed(extent, told)]
        return [*found, self._completed(_raster_of(self), _RASTER_HELP)] if self.rasters else found

    def read(self, given: Given) -> ExtentChoice:
        box = self.ids[0]
        rectangle, crs = None, QgsCoordinateReferenceSystem()
        if given.has(box):
            rectangle = given.algorithm.parameterAsExtent(given.parameters, box, given.context)
            crs = given.algorithm.parameterAsExtentCrs(given.parameters, box, given.context)
            if not (_plain_numbers(given.parameters[box]) or is_defined(crs) or given.in_pixels):
                said = "'{name}' is in no coordinate system that is defined; set one for the image, or for the project."
                raise InputError(said, name=given.described(box))
        return ExtentChoice(rectangle, crs, _zone_in(given, self.ids[1:]))

    def plain(self, given: Given) -> AreaValue:
        """The polygons, else the rectangle as one that the map showed."""
        box, *zone = self.ids
        layer = _first_text(given, zone)
        if layer or not given.has(box):
            return AreaValue("layer" if layer else "none", layer)
        corners = given.algorithm.parameterAsExtent(given.parameters, box, given.context)
        crs = given.algorithm.parameterAsExtentCrs(given.parameters, box, given.context)
        return AreaValue("canvas", canvas=QgsReferencedRectangle(corners, crs))

    def words(self, given: Given) -> str:
        """The layer, the corners, or both; what stands for none where there is neither."""
        box, *zone = self.ids
        said = [_named_zone(given, zone)] if any(map(given.has, zone)) else []
        if given.has(box):
            corners = given.algorithm.parameterAsExtent(given.parameters, box, given.context)
            crs = given.algorithm.parameterAsExtentCrs(given.parameters, box, given.context)
            said.append(f"{corners.toString(2)} {crs.authid()}".strip())
        return "; ".join(said) or next(
            (one.label for one in self.options if one.key == "none"), tr("not given")
        )

    def to_parameters(self, value: Any) -> dict[str, Any]:
        if value.kind == "layer":
            return {self.ids[1 + is_raster(value.layer)]: value.layer} if value.layer else {}
        rectangle = value.rectangle
        return {} if rectangle is None else {self.ids[0]: rectangle}

    def to_kept(self, value: Any) -> dict[str, Any]:
        """Kind and layers; the map canvas is not kept, it is where the user looks."""
        kept = {self.key: value.kind, f"{self.key}_layer": value.layer}
        return {**kept, f"{self.key}_image": value.image} if "image" in self._kinds else kept

    def taken_up(self, kept: Mapping[str, Any]) -> Any:
        """Kind and layers, of layers that are there or not; a layer without a kind is an image or polygons."""
        kind, layer, image = (kept.get(f"{self.key}{end}") for end in ("", "_layer", "_image"))
        if kind is None and isinstance(layer, str):
            found = QgsProject.instance().mapLayer(layer)
            if isinstance(found, QgsRasterLayer):
                kind, layer, image = "image", "", layer
            elif found is not None:
                kind = "layer"
        return AreaValue(
            kind if kind in self._kinds else self.default.kind,
            layer if isinstance(layer, str) else "",
            image if isinstance(image, str) else "",
        )

    @property
    def _kinds(self) -> tuple[str, ...]:
        return tuple(option.key for option in self.options)


_RASTER_HELP = tr(
    "Instead of polygons: the pixels that are neither 0 nor no data in the first band."
)


def _raster_of(choice: Choice[Any]) -> QgsProcessingParameterDefinition:
    label = tr("{area} (raster)", area=choice.label)
    return QgsProcessingParameterRasterLayer(choice.ids[-1], label, None, True)


def is_raster(layer_id: str) -> bool:
    """Whether the layer of that id in the project is a raster."""
    return isinstance(QgsProject.instance().mapLayer(layer_id), QgsRasterLayer)


def _first_text(given: Given, ids: Sequence[str]) -> str:
    """The first of the parameters that was given, as the text that names its layer; empty where none was."""
    value = next((given.parameters[name] for name in ids if given.has(name)), "")
    if isinstance(value, QgsProcessingFeatureSourceDefinition):
        value = value.source.staticValue()
    return str(value)


def _zone_in(given: Given, ids: Sequence[str]) -> Snapshot | None:
    """Snapshot of the layer of polygons, or of the raster, that one of the parameters names."""
    named = list(filter(given.has, ids))
    if len(named) > 1:
        said = "'{first}' and '{other}' are both given; choose one of them."
        raise InputError(said, first=given.described(named[0]), other=given.described(named[1]))
    if not named:
        return None
    if named[0] == ids[0]:
        return given.snapshot(named[0])
    layer = given.any_layer(named[0])
    if layer is None:
        raise InputError(
            "The layer for '{name}' cannot be found or opened.", name=given.described(named[0])
        )
    return RasterSnapshot.of(layer)


def _named_zone(given: Given, ids: Sequence[str]) -> str:
    """The name of the layer of polygons, or of the raster."""
    polygons, *rasters = ids
    if not any(map(given.has, rasters)):
        return _named_source(given, polygons)
    layer = given.any_layer(rasters[0])
    return tr("not given") if layer is None else str(layer.name())


def _named_source(given: Given, name: str) -> str:
    """The name of a layer, and which of its features were taken."""
    layer, selected_only = given.source(name)
    if layer is None:
        return tr("not given")
    value = given.parameters.get(name)
    expression, most = getattr(value, "filterExpression", ""), getattr(value, "featureLimit", -1)
    only = [
        tr("{count} selected features", count=layer.selectedFeatureCount())
        if selected_only
        else "",
        expression or "",
        tr("the first {count}", count=most) if most > 0 else "",
    ]
    return ", ".join([layer.name(), *filter(None, only)])


def _plain_numbers(extent: Any) -> bool:
    """Whether an extent is given as numbers alone, which are in the layers' own system."""
    if isinstance(extent, str):
        return re.fullmatch(r"[^,\[\]]+(,[^,\[\]]+){3}", extent) is not None
    return isinstance(extent, QgsRectangle) and not isinstance(extent, QgsReferencedRectangle)
