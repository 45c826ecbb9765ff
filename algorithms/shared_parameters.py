"""The parameters that several algorithms share: their labels, help, checks, and what is read from them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsProcessing,
    QgsProcessingAlgorithm,
    QgsProcessingContext,
    QgsProcessingParameterDefinition,
    QgsProcessingParameterEnum,
    QgsProcessingParameterExtent,
    QgsProcessingParameterFeatureSource,
    QgsProcessingParameterNumber,
    QgsRectangle,
)

from randcrowns.algorithms.base import CrownAlgorithm, tr
from randcrowns.core.scoring.parameters import PRESETS, RandCrownsParameters
from randcrowns.layers.vector.snapshot import LayerSnapshot

__all__ = [
    "IDTREES",
    "OFFSETS",
    "OWN",
    "PRESET_KEYS",
    "ExtentChoice",
    "add",
    "add_extent",
    "add_lengths",
    "add_offsets",
    "add_targets",
    "extent_of",
    "lengths_of",
    "unread_lengths",
]

IDTREES, OWN = "idtrees", "own"
PRESET_KEYS = ("image_boxes", "field_polygons", IDTREES, OWN)
OFFSETS = ("auto", "mitre", "round")
_LENGTHS = ("ALPHA", "OMEGA", "GAMMA")
_NUMBERS = QgsProcessingParameterNumber.Type.Double
_ADVANCED = QgsProcessingParameterDefinition.Flag.FlagAdvanced


@dataclass(frozen=True)
class ExtentChoice:
    """The extent as the user gave it: a rectangle in a system (invalid: the layers' working system), or plots."""

    rectangle: QgsRectangle | None
    crs: QgsCoordinateReferenceSystem
    plots: LayerSnapshot | None

    @property
    def given(self) -> bool:
        """Whether there is any."""
        return self.rectangle is not None or self.plots is not None


def add(
    algorithm: QgsProcessingAlgorithm,
    parameter: QgsProcessingParameterDefinition,
    explained: str,
    advanced: bool = False,
) -> None:
    """Add a parameter with its tooltip; an advanced one is folded away."""
    parameter.setHelp(explained)
    if advanced:
        parameter.setFlags(parameter.flags() | _ADVANCED)
    algorithm.addParameter(parameter)


def add_targets(algorithm: QgsProcessingAlgorithm) -> None:
    """TARGETS."""
    add(
        algorithm,
        QgsProcessingParameterFeatureSource(
            "TARGETS", tr("Target crowns"), [QgsProcessing.SourceType.TypeVectorPolygon]
        ),
        tr("Polygon layer with the crowns that delineations are held against; 'selected features only' is heeded."),
    )


def add_lengths(algorithm: QgsProcessingAlgorithm, presets: tuple[str, ...]) -> None:
    """PRESET, ALPHA, OMEGA, GAMMA, OFFSETS."""
    images, field = PRESETS["image_boxes"], PRESETS["field_polygons"]
    names = {
        "image_boxes": _preset_name(tr("Boxes drawn on images"), images),
        "field_polygons": _preset_name(tr("Polygons drawn in the field"), field),
        IDTREES: tr("IDTReeS 2020 toolbox"),
        OWN: tr("My own values, below"),
    }
    add(
        algorithm,
        QgsProcessingParameterEnum("PRESET", tr("Preset"), [names[key] for key in presets], defaultValue=0),
        tr(
            "Sets of parameters in common use. The lengths and the ratio below are read only with 'My own values'. The "
            "IDTReeS preset scores as that competition's toolbox did; it needs the bounds of each plot as the extent."
        )
        if IDTREES in presets
        else tr("Sets of parameters in common use. The values below are read only with 'My own values'."),
    )
    for name, label, value, explained in (
        (
            "ALPHA",
            tr("True positive boundary (alpha) (m)"),
            images.alpha,
            tr("How far inside the target the certain crown begins, metres on the ground whatever the layer's units."),
        ),
        (
            "OMEGA",
            tr("True negative inner boundary (omega) (m)"),
            images.omega,
            tr("How far outside the target the crown may still reach without penalty, metres on the ground."),
        ),
        (
            "GAMMA",
            tr("Area ratio (gamma)"),
            images.gamma,
            tr("Area of the region that is surely not crown over area of the region that surely is."),
        ),
    ):
        add(
            algorithm,
            QgsProcessingParameterNumber(name, label, _NUMBERS, defaultValue=value, minValue=0.0),
            explained,
        )
    add_offsets(algorithm)


def add_offsets(algorithm: QgsProcessingAlgorithm) -> None:
    """OFFSETS."""
    add(
        algorithm,
        QgsProcessingParameterEnum(
            "OFFSETS",
            tr("Corners of the regions"),
            [tr("Square for boxes, round for polygons"), tr("Square"), tr("Round")],
            defaultValue=0,
        ),
        tr("How the target's corners look where it is grown: the paper's boxes keep square corners."),
        advanced=True,
    )


def add_extent(algorithm: QgsProcessingAlgorithm, explained: str = "") -> None:
    """EXTENT and EXTENT_LAYER; ``explained`` says what it does where it is not as in scoring."""
    add(
        algorithm,
        QgsProcessingParameterExtent("EXTENT", tr("Image extent"), optional=True),
        explained
        or tr(
            "What the annotators could see. Regions and delineations are cut to it, and targets outside it are left "
            "out and counted. Choose a raster layer to take its extent."
        ),
        advanced=True,
    )
    add(
        algorithm,
        QgsProcessingParameterFeatureSource(
            "EXTENT_LAYER", tr("Extent layer"), [QgsProcessing.SourceType.TypeVectorPolygon], optional=True
        ),
        tr("Polygons that together are the extent, for example one per plot. With an image extent, what both share."),
        advanced=True,
    )


def lengths_of(
    algorithm: QgsProcessingAlgorithm,
    parameters: dict[str, Any],
    context: QgsProcessingContext,
    presets: tuple[str, ...],
) -> tuple[str, RandCrownsParameters]:
    """The preset's key and the parameters to score with; without a preset, lengths that are given are taken."""
    key = presets[algorithm.parameterAsEnum(parameters, "PRESET", context)]
    if parameters.get("PRESET") is None and any(parameters.get(name) is not None for name in _LENGTHS):
        key = OWN
    chosen = PRESETS.get(key, PRESETS["image_boxes"])
    offsets = OFFSETS[algorithm.parameterAsEnum(parameters, "OFFSETS", context)]
    lengths = (chosen.alpha, chosen.omega, chosen.gamma)
    if key == OWN:
        alpha, omega, gamma = (algorithm.parameterAsDouble(parameters, name, context) for name in _LENGTHS)
        lengths = (alpha, omega, gamma)
    return key, RandCrownsParameters(*lengths, offsets=offsets)


def unread_lengths(
    algorithm: QgsProcessingAlgorithm,
    parameters: dict[str, Any],
    context: QgsProcessingContext,
    presets: tuple[str, ...],
) -> str:
    """A sentence where lengths were given that the preset does not read, with those that are used; else empty."""
    key, used = lengths_of(algorithm, parameters, context, presets)
    if key == OWN:
        return ""
    values = dict(zip(_LENGTHS, (used.alpha, used.omega, used.gamma)))
    given = {}
    for name in _LENGTHS:
        value = algorithm.parameterAsDouble(parameters, name, context)
        default = algorithm.parameterDefinition(name).defaultValue()
        if parameters.get(name) is not None and value not in (default, values[name]):
            given[name] = value
    if not given:
        return ""
    told = ", ".join(f"{name.lower()} {value:g}" for name, value in given.items())
    if key == IDTREES:
        return tr(
            "{given} was not used: the IDTReeS preset has lengths of its own. Choose 'My own values' for it."
        ).format(given=told)
    return tr(
        "{given} was not used: the preset scores with alpha {alpha:g} m, omega {omega:g} m and gamma {gamma:g}. Choose "
        "'My own values' for it."
    ).format(given=told, alpha=used.alpha, omega=used.omega, gamma=used.gamma)


def extent_of(algorithm: CrownAlgorithm, parameters: dict[str, Any], context: QgsProcessingContext) -> ExtentChoice:
    """The extent, taken on the main thread."""
    rectangle, crs = None, QgsCoordinateReferenceSystem()
    if parameters.get("EXTENT") not in (None, ""):
        rectangle = algorithm.parameterAsExtent(parameters, "EXTENT", context)
        crs = algorithm.parameterAsExtentCrs(parameters, "EXTENT", context)
    plots = None
    if parameters.get("EXTENT_LAYER") not in (None, ""):
        plots = algorithm.layer_snapshot(parameters, "EXTENT_LAYER", context)
    return ExtentChoice(rectangle, crs, plots)


def _preset_name(what: str, values: RandCrownsParameters) -> str:
    return f"{what} (alpha {values.alpha:g} m, omega {values.omega:g} m, gamma {values.gamma:g})"
