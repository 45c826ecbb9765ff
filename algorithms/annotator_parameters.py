"""The parameters that comparing annotators and making their consensus share, and what is read from them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from qgis.core import (
    QgsCoordinateTransformContext,
    QgsProcessing,
    QgsProcessingContext,
    QgsProcessingParameterBand,
    QgsProcessingParameterExtent,
    QgsProcessingParameterFeatureSource,
    QgsProcessingParameterMultipleLayers,
    QgsProcessingParameterNumber,
    QgsProcessingParameterRasterLayer,
    QgsProcessingParameterString,
    QgsRasterLayer,
)

from randcrowns.algorithms.annotator_roles import layers_of_roles, role_problem
from randcrowns.algorithms.base import CrownAlgorithm, tr
from randcrowns.algorithms.score_checks import layer_problem
from randcrowns.algorithms.shared_parameters import ExtentChoice, add, extent_of
from randcrowns.core.agreement.packing import MOST_ANNOTATORS
from randcrowns.core.errors import RandCrownsError
from randcrowns.layers.raster.grid import RasterSnapshot, colour_bands, has_palette
from randcrowns.layers.vector.names import unique_names
from randcrowns.layers.vector.snapshot import LayerSnapshot

__all__ = [
    "AnnotatorLayers",
    "add_annotators",
    "add_image",
    "add_study_area",
    "input_problem",
    "names_list",
    "raster_problem",
    "take_annotators",
]

_KINDS = QgsProcessing.SourceType
_REAL = QgsProcessingParameterNumber.Type.Double
_COLOURS = ("RED", "GREEN", "BLUE")


@dataclass(frozen=True)
class AnnotatorLayers:
    """What the annotators drew and where it is compared, taken on the main thread.

    Attributes:
        layers: by the names they are shown with.
        field: field that names the annotator of each polygon; empty when each layer is one annotator.
        extent: the study area as the user gave it.
        left_out: polygons to leave out of it.
        resolution: side of a pixel, metres; 0 for exact areas.
        image: an image, for its grid and for correlations.
        colours: numbers, from 1, of its red, green and blue band; None where it is grey.
        transform_context: the project's choices of datum transformations.
    """

    layers: dict[str, LayerSnapshot]
    field: str
    extent: ExtentChoice
    left_out: LayerSnapshot | None
    resolution: float
    image: RasterSnapshot | None
    colours: tuple[int, int, int] | None
    transform_context: QgsCoordinateTransformContext

    @property
    def title(self) -> str:
        """What was compared, for the name of a group."""
        return next(iter(self.layers)) if len(self.layers) == 1 else tr("annotators")


def add_annotators(algorithm: CrownAlgorithm) -> None:
    """ANNOTATORS and ANNOTATOR_FIELD."""
    add(
        algorithm,
        QgsProcessingParameterMultipleLayers("ANNOTATORS", tr("Annotators"), _KINDS.TypeVectorPolygon),
        tr("Polygon layers of the same place, one per person; or one layer, with a field that names the person."),
    )
    add(
        algorithm,
        QgsProcessingParameterString("ANNOTATOR_FIELD", tr("Field that names the annotator"), optional=True),
        tr("Only where one layer holds the polygons of several people: each value of this field is an annotator."),
    )


def add_study_area(algorithm: CrownAlgorithm) -> None:
    """EXTENT_LAYER, EXTENT, LEFT_OUT and RESOLUTION."""
    add(
        algorithm,
        QgsProcessingParameterFeatureSource(
            "EXTENT_LAYER", tr("Study area (polygons)"), [_KINDS.TypeVectorPolygon], optional=True
        ),
        tr(
            "Where the annotators looked. Without a study area only what somebody marked is counted, and nobody can "
            "agree on what is no crown."
        ),
    )
    add(
        algorithm,
        QgsProcessingParameterExtent("EXTENT", tr("Study area (rectangle)"), optional=True),
        tr("A rectangle, or the extent of a layer. With polygons as well, what both share."),
    )
    add(
        algorithm,
        QgsProcessingParameterFeatureSource("LEFT_OUT", tr("Leave out"), [_KINDS.TypeVectorPolygon], optional=True),
        tr("Polygons inside the study area that do not count, such as clouds or training areas."),
        advanced=True,
    )
    add(
        algorithm,
        QgsProcessingParameterNumber(
            "RESOLUTION", tr("Pixel size (m; 0 = exact areas)"), _REAL, defaultValue=0.0, minValue=0.0
        ),
        tr("0 overlays the polygons exactly, with no pixels at all. Otherwise everything is counted in such pixels."),
    )


def add_image(algorithm: CrownAlgorithm) -> None:
    """IMAGE, RED, GREEN and BLUE."""
    add(
        algorithm,
        QgsProcessingParameterRasterLayer("IMAGE", tr("Image"), optional=True),
        tr("The image that was drawn on, to see whether agreement follows brightness or contrast."),
    )
    labels = (tr("Red band of the image"), tr("Green band of the image"), tr("Blue band of the image"))
    for name, label in zip(_COLOURS, labels):
        add(
            algorithm,
            QgsProcessingParameterBand(name, label, None, "IMAGE", optional=True),
            tr(
                "Brightness and contrast are those of the red, green and blue band. Unless set, the bands that the "
                "layer is shown with, usually the first three."
            ),
            advanced=True,
        )


def take_annotators(
    algorithm: CrownAlgorithm, parameters: dict[str, Any], context: QgsProcessingContext
) -> AnnotatorLayers:
    """Snapshots and plain values."""
    layers = [layer for layer in algorithm.parameterAsLayerList(parameters, "ANNOTATORS", context) if layer]
    left_out = None
    if parameters.get("LEFT_OUT") not in (None, ""):
        left_out = algorithm.layer_snapshot(parameters, "LEFT_OUT", context)
    image = _image(algorithm, parameters, context)
    return AnnotatorLayers(
        layers=dict(zip(unique_names([layer.name() for layer in layers]), map(LayerSnapshot.of, layers))),
        field=algorithm.parameterAsString(parameters, "ANNOTATOR_FIELD", context).strip(),
        extent=extent_of(algorithm, parameters, context),
        left_out=left_out,
        resolution=algorithm.parameterAsDouble(parameters, "RESOLUTION", context),
        image=None if image is None else RasterSnapshot.of(image),
        colours=None if image is None else _colours(algorithm, parameters, context, image),
        transform_context=context.transformContext(),
    )


def input_problem(algorithm: CrownAlgorithm, parameters: dict[str, Any], context: QgsProcessingContext) -> str:
    """The first thing that is wrong with the layers and the outputs; empty when nothing is."""
    layers = algorithm.parameterAsLayerList(parameters, "ANNOTATORS", context)
    if not layers:
        return tr("Choose the annotators' layers, at least one.")
    field = algorithm.parameterAsString(parameters, "ANNOTATOR_FIELD", context).strip()
    if not field and len(layers) > MOST_ANNOTATORS:
        return tr("At most {most} annotators can be compared, but {count} layers were chosen.").format(
            most=MOST_ANNOTATORS, count=len(layers)
        )
    areas = layers_of_roles(algorithm, parameters, context, "EXTENT_LAYER", "LEFT_OUT")
    return (
        next(filter(None, map(layer_problem, [*layers, *areas.values()])), "")
        or role_problem(layers, areas)
        or next((_no_field(layer, field) for layer in layers if field and layer.fields().lookupField(field) < 0), "")
        or _image_problem(algorithm, parameters, context)
    )


def raster_problem(
    algorithm: CrownAlgorithm, parameters: dict[str, Any], context: QgsProcessingContext, output: str
) -> str:
    """Why a raster output cannot be had: it needs pixels."""
    if parameters.get(output) in (None, ""):
        return ""
    image = _image(algorithm, parameters, context)
    described = algorithm.parameterDefinition(output).description()
    if image is None and not algorithm.parameterAsDouble(parameters, "RESOLUTION", context) > 0:
        return tr("The output '{name}' needs pixels: give a pixel size.").format(name=described)
    return ""


def names_list(names: Iterable[str]) -> str:
    """The names in one text; those that hold a comma in quotes."""
    return ", ".join(f'"{name}"' if "," in name else name for name in names)


def _no_field(layer: Any, field: str) -> str:
    return tr("Layer '{name}' has no field '{field}' that names the annotator.").format(name=layer.name(), field=field)


def _image(
    algorithm: CrownAlgorithm, parameters: dict[str, Any], context: QgsProcessingContext
) -> QgsRasterLayer | None:
    if algorithm.parameterDefinition("IMAGE") is None or parameters.get("IMAGE") in (None, ""):
        return None
    return algorithm.parameterAsRasterLayer(parameters, "IMAGE", context)


def _colours(
    algorithm: CrownAlgorithm, parameters: dict[str, Any], context: QgsProcessingContext, image: QgsRasterLayer
) -> tuple[int, int, int] | None:
    """The bands as given; those that are not given as the layer is shown."""
    usual = colour_bands(image)
    given = [_band(algorithm, parameters, context, name) for name in _COLOURS]
    if usual is None and not any(given):
        return None
    red, green, blue = (band or shown for band, shown in zip(given, usual or (1, 1, 1)))
    return red, green, blue


def _band(algorithm: CrownAlgorithm, parameters: dict[str, Any], context: QgsProcessingContext, name: str) -> int:
    """Number of a band, from 1; 0 where none is given."""
    if parameters.get(name) in (None, ""):
        return 0
    return int(algorithm.parameterAsInt(parameters, name, context))


def _image_problem(algorithm: CrownAlgorithm, parameters: dict[str, Any], context: QgsProcessingContext) -> str:
    image = _image(algorithm, parameters, context)
    if image is None:
        return ""
    try:
        with_palette = has_palette(RasterSnapshot.of(image))
    except RandCrownsError as error:
        return str(error)
    if with_palette:
        return tr(
            "Image '{layer}' holds numbers of colours in a table, not brightness; run 'PCT to RGB' on it and use the "
            "result."
        ).format(layer=image.name())
    for name in _COLOURS:
        given = parameters.get(name) not in (None, "")
        band = _band(algorithm, parameters, context, name)
        if given and not 1 <= band <= image.bandCount():
            return tr(
                "Image '{layer}' has {count} band(s), so band {band} cannot be {name}; choose one from 1 to {count}."
            ).format(layer=image.name(), count=image.bandCount(), band=band, name=name.lower())
    return ""
