"""The parameters that comparing annotators and making their consensus share, and what is read from them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from qgis.core import (
    QgsCoordinateTransformContext,
    QgsProcessing,
    QgsProcessingContext,
    QgsProcessingOutputNumber,
    QgsProcessingOutputString,
    QgsProcessingParameterBand,
    QgsProcessingParameterBoolean,
    QgsProcessingParameterEnum,
    QgsProcessingParameterExtent,
    QgsProcessingParameterFeatureSink,
    QgsProcessingParameterFeatureSource,
    QgsProcessingParameterMultipleLayers,
    QgsProcessingParameterNumber,
    QgsProcessingParameterRasterDestination,
    QgsProcessingParameterRasterLayer,
    QgsProcessingParameterString,
    QgsRasterLayer,
)

from randcrowns.algorithms.agreement.methods import KEYS, ConsensusMethod, method_titles
from randcrowns.algorithms.base import CrownAlgorithm, layer_problem, layers_of_roles, role_problem
from randcrowns.algorithms.choices import ExtentChoice, add, extent_of
from randcrowns.core.agreement.packing import MOST_ANNOTATORS
from randcrowns.core.agreement.simple_vote import RULES
from randcrowns.core.errors import RandCrownsError
from randcrowns.layers.raster.grid import RasterSnapshot, colour_bands, has_palette
from randcrowns.layers.vector.names import unique_names
from randcrowns.layers.vector.snapshot import LayerSnapshot
from randcrowns.layers.words import tr

__all__ = [
    "PRIORS",
    "AnnotatorLayers",
    "add_annotators",
    "add_compare_parameters",
    "add_consensus_parameters",
    "add_image",
    "add_study_area",
    "consensus_problem",
    "input_problem",
    "method_of",
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


_NUMBER = QgsProcessingParameterNumber.Type
# As in the dock. Intervals change no more with more draws, and a window is no larger than an image.
_MOST = {"MIN_AREA": 1e6, "WINDOW": 100_000, "BLOCK_SIDE": 1e6, "DRAWS": 100_000}


def add_compare_parameters(algorithm: CrownAlgorithm) -> None:
    """Declare everything, in the order of the dialog."""
    add_annotators(algorithm)
    add_study_area(algorithm)
    add_image(algorithm)
    _add_choices(algorithm)
    _add_outputs(algorithm)


def _add_choices(algorithm: CrownAlgorithm) -> None:
    add(
        algorithm,
        QgsProcessingParameterBoolean(
            "LEAVE_ONE_OUT", tr("Hold each annotator against the others only"), defaultValue=False
        ),
        tr("The consensus an annotator is held against is then made without their own drawing."),
        advanced=True,
    )
    for name, label, kind, value, least, explained in (
        (
            "MIN_AREA",
            tr("Smallest disagreement to list (m²)"),
            _NUMBER.Double,
            0.0,
            0.0,
            tr("Smaller places are left out of the layer of disagreements, and counted; the numbers stay exact."),
        ),
        ("WINDOW", tr("Window for the contrast (pixels)"), _NUMBER.Integer, 7, 1, tr("Odd; read only with an image.")),
        (
            "BLOCK_SIDE",
            tr("Side of a block (m; 0 = automatic)"),
            _NUMBER.Double,
            0.0,
            0.0,
            tr(
                "Intervals come from drawing square blocks of the study area with replacement; blocks should be larger "
                "than a crown. Automatic: an eighth of the longer side."
            ),
        ),
        ("DRAWS", tr("Draws for the intervals"), _NUMBER.Integer, 1000, 2, tr("How often the blocks are drawn.")),
    ):
        number = QgsProcessingParameterNumber(
            name, label, kind, defaultValue=value, minValue=least, maxValue=_MOST[name]
        )
        add(algorithm, number, explained, advanced=True)


def _add_outputs(algorithm: CrownAlgorithm) -> None:
    polygons, table = _KINDS.TypeVectorPolygon, _KINDS.TypeVector
    for name, label, kind, optional, by_default, explained in (
        ("AGREEMENT", tr("Agreement map"), polygons, False, True, tr("Faces by the number of annotators.")),
        (
            "DISAGREEMENTS",
            tr("Disagreements"),
            polygons,
            True,
            True,
            tr("Places on which not all decided alike, the largest first, with who said yes and who no."),
        ),
        ("ANNOTATOR_TABLE", tr("Annotators"), table, True, True, tr("A row per annotator, against the consensus.")),
        (
            "ANNOTATOR_PAIRS",
            tr("Pairs of annotators"),
            table,
            True,
            True,
            tr("F1, shared area, and agreement crown by crown."),
        ),
        ("SUMMARY", tr("Summary"), table, True, True, tr("Headline numbers with 95 % intervals.")),
        ("RATIO", tr("Agreement ratio"), table, True, False, tr("What at least 1, 2, … annotators marked.")),
        ("LINKAGE", tr("Dendrogram"), table, True, False, tr("Steps of Ward's clustering on 1 - F1.")),
        ("IMAGE_TABLE", tr("Agreement and the image"), table, True, False, tr("Correlations with the image.")),
    ):
        sink = QgsProcessingParameterFeatureSink(name, label, kind, None, optional, by_default)
        add(algorithm, sink, explained)
    add(
        algorithm,
        QgsProcessingParameterRasterDestination("AGREEMENT_RASTER", tr("Agreement raster"), None, True, False),
        tr("Number of annotators per pixel, 255 outside of the study area; needs a pixel size or an image."),
    )
    algorithm.addOutput(QgsProcessingOutputNumber("SMYTH_BOUND", tr("Smyth's bound on the mean error")))
    algorithm.addOutput(QgsProcessingOutputNumber("MEAN_F1", tr("Mean pairwise F1")))
    algorithm.addOutput(QgsProcessingOutputString("COLOURS", tr("Which bands the image's brightness was taken from")))
    algorithm.addOutput(QgsProcessingOutputString("NOTES", tr("Keys of what must be known beside the numbers (JSON)")))
    algorithm.addOutput(
        QgsProcessingOutputString("OUTSIDE", tr("Who drew nothing inside the study area, and what names nobody"))
    )
    algorithm.add_remark_outputs()


PRIORS = ("mean", "any", "number")


def add_consensus_parameters(algorithm: CrownAlgorithm) -> None:
    """Declare everything, in the order of the dialog."""
    add_annotators(algorithm)
    add_study_area(algorithm)
    titles = method_titles()
    add(
        algorithm,
        QgsProcessingParameterEnum("METHOD", tr("Method"), [titles[key] for key in KEYS], defaultValue=0),
        tr("How many decisions become one. LSML moves over pixels and needs a pixel size."),
    )
    _add_method_numbers(algorithm)
    add(
        algorithm,
        QgsProcessingParameterBoolean("LEAVE_ONE_OUT", tr("One consensus without each annotator"), defaultValue=False),
        tr("A consensus for every annotator from the others' drawings, so that nobody is held against their own."),
        advanced=True,
    )
    _add_consensus_outputs(algorithm)


def method_of(algorithm: CrownAlgorithm, parameters: dict[str, Any], context: QgsProcessingContext) -> ConsensusMethod:
    """The method and its parameters as given."""
    prior = PRIORS[algorithm.parameterAsEnum(parameters, "PRIOR", context)]
    value = algorithm.parameterAsDouble(parameters, "PRIOR_VALUE", context)
    return ConsensusMethod(
        key=KEYS[algorithm.parameterAsEnum(parameters, "METHOD", context)],
        share=algorithm.parameterAsDouble(parameters, "LEVEL", context),
        prior=value if prior == "number" else prior,
        assign_consensus=algorithm.parameterAsBoolean(parameters, "ASSIGN_CONSENSUS", context),
        rule=RULES[algorithm.parameterAsEnum(parameters, "SIMPLE_RULE", context)],
        a=algorithm.parameterAsDouble(parameters, "SIMPLE_A", context),
        clipped=algorithm.parameterAsBoolean(parameters, "CLIPPED", context),
        rounds=algorithm.parameterAsInt(parameters, "ROUNDS", context),
        curvature=algorithm.parameterAsDouble(parameters, "CURVATURE", context),
    )


def consensus_problem(algorithm: CrownAlgorithm, parameters: dict[str, Any], context: QgsProcessingContext) -> str:
    """What does not go together; empty when all does."""
    method = method_of(algorithm, parameters, context)
    if method.key == "lsml" and not algorithm.parameterAsDouble(parameters, "RESOLUTION", context) > 0:
        return tr("LSML moves a contour over pixels: give a pixel size.")
    if method.key == "staple" and not isinstance(method.prior, str) and not 0 < method.prior < 1:
        return tr("The prior must lie between 0 and 1, both left out, but it is {value:g}.").format(value=method.prior)
    if method.key == "level" and method.share > 1:
        return tr("The share of the annotators must lie between 0 and 1, but it is {value:g}.").format(
            value=method.share
        )
    if method.key != "staple" and parameters.get("PROBABILITY") not in (None, ""):
        return tr("Only STAPLE gives probabilities; leave the probability raster out, or choose STAPLE.")
    return ""


def _add_method_numbers(algorithm: CrownAlgorithm) -> None:
    add(
        algorithm,
        QgsProcessingParameterNumber(
            "LEVEL", tr("Share of the annotators"), _NUMBER.Double, defaultValue=0.5, minValue=0.0, maxValue=1.0
        ),
        tr("0 to 1; a place is marked when at least this share marked it, 0 means anybody. Only for 'your own'."),
        advanced=True,
    )
    add(
        algorithm,
        QgsProcessingParameterEnum(
            "PRIOR",
            tr("STAPLE: prior"),
            [
                tr("Mean decision of the annotators"),
                tr("Share of the area that anybody marked"),
                tr("The number below"),
            ],
            defaultValue=0,
        ),
        tr("How much of the area STAPLE expects to be marked. It decides the result: see the output on the prior."),
        advanced=True,
    )
    add(
        algorithm,
        QgsProcessingParameterNumber(
            "PRIOR_VALUE", tr("STAPLE: prior as a number"), _NUMBER.Double, defaultValue=0.5, minValue=0.0, maxValue=1.0
        ),
        tr("Between 0 and 1; read only when the prior is 'the number below'."),
        advanced=True,
    )
    add(
        algorithm,
        QgsProcessingParameterBoolean(
            "ASSIGN_CONSENSUS", tr("STAPLE: fix what all agree on beforehand"), defaultValue=False
        ),
        tr("Otherwise places on which all agree stay in the estimation, as in the source."),
        advanced=True,
    )
    add(
        algorithm,
        QgsProcessingParameterEnum(
            "SIMPLE_RULE",
            tr("SIMPLE: discard annotators below"),
            [tr("mean - a x standard deviation of the overlap"), tr("a x mean of the overlap")],
            defaultValue=0,
        ),
        tr("The published threshold differs between sources; the first is our choice."),
        advanced=True,
    )
    real, whole = _NUMBER.Double, _NUMBER.Integer
    for name, label, kind, value, least, most, explained in (
        ("SIMPLE_A", tr("SIMPLE: a"), real, 1.0, 0.0, 10.0, tr("How strictly annotators are discarded.")),
        ("ROUNDS", tr("LSML: most rounds"), whole, 1000, 1, 1e6, tr("1,000 as published, or until it is stable.")),
        ("CURVATURE", tr("LSML: weight of the curvature"), real, 0.0, 0.0, 100.0, tr("0 as published.")),
    ):
        number = QgsProcessingParameterNumber(name, label, kind, defaultValue=value, minValue=least, maxValue=most)
        add(algorithm, number, explained, advanced=True)
    add(
        algorithm,
        QgsProcessingParameterBoolean("CLIPPED", tr("LSML: keep only what somebody marked"), defaultValue=True),
        tr("The published method can drift to places that nobody marked."),
        advanced=True,
    )


def _add_consensus_outputs(algorithm: CrownAlgorithm) -> None:
    table = _KINDS.TypeVector
    for name, label, kind, optional, by_default, explained in (
        (
            "CONSENSUS",
            tr("Consensus"),
            _KINDS.TypeVectorPolygon,
            False,
            True,
            tr("Its polygons, with the method and its parameters in every row and in the layer's metadata."),
        ),
        ("PERFORMANCE", tr("Annotators as the method sees them"), table, True, False, tr("A row per annotator.")),
        ("PRIORS", tr("What the prior does"), table, True, False, tr("STAPLE: the marked area along the prior.")),
    ):
        sink = QgsProcessingParameterFeatureSink(name, label, kind, None, optional, by_default)
        add(algorithm, sink, explained)
    add(
        algorithm,
        QgsProcessingParameterRasterDestination("PROBABILITY", tr("Probability raster"), None, True, False),
        tr("STAPLE's probability of every pixel, -1 outside of the study area; needs a pixel size."),
    )
    algorithm.addOutput(QgsProcessingOutputNumber("MARKED", tr("Marked area (m²)")))
    algorithm.addOutput(QgsProcessingOutputNumber("MARKED_BY_NOBODY", tr("Marked area that no annotator marked (m²)")))
    algorithm.addOutput(QgsProcessingOutputNumber("PRIOR_USED", tr("STAPLE's prior")))
    algorithm.addOutput(QgsProcessingOutputString("TITLE", tr("The method in a few words")))
    algorithm.addOutput(QgsProcessingOutputString("METHOD_USED", tr("The method and its parameters")))
    algorithm.addOutput(QgsProcessingOutputString("NOTES", tr("Keys of what must be known beside the numbers (JSON)")))
    algorithm.addOutput(QgsProcessingOutputString("EMPTY", tr("Without whom the consensus is empty")))
    algorithm.add_remark_outputs()
