"""What a ranking of detectors needs, taken on the main thread, and what cannot work told in a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Union

from qgis.core import QgsCoordinateTransformContext, QgsProcessingContext, QgsRasterLayer, QgsVectorLayer

from randcrowns.algorithms.base import CrownAlgorithm
from randcrowns.algorithms.checks import layer_problem, layers_of_roles, role_problem
from randcrowns.algorithms.choice import Given
from randcrowns.algorithms.choices import extent_of, lengths_of
from randcrowns.algorithms.detectors.choices import CROWN_PRESETS, CROWN_SCORES, PRIORS, RULES, SKEWS, TRUTHS, UNITS
from randcrowns.core.agreement.ground_truths import joint_names
from randcrowns.core.agreement.packing import MOST_ANNOTATORS
from randcrowns.core.detectors.mean_precision import check_skew_limits
from randcrowns.core.errors import RandCrownsError
from randcrowns.core.scoring.parameters import RandCrownsParameters
from randcrowns.layers.raster.grid import RasterSnapshot
from randcrowns.layers.vector.extent import ExtentChoice
from randcrowns.layers.vector.names import unique_names
from randcrowns.layers.vector.snapshot import LayerSnapshot
from randcrowns.layers.words import tr

__all__ = ["DetectorJob", "Snapshot", "first_detector_problem", "names_in_run", "take_detector_job"]

Snapshot = Union[LayerSnapshot, RasterSnapshot]


@dataclass(frozen=True)
class DetectorJob:
    """Everything a run needs; layers by the names they are shown with, lengths in metres, 0 for automatic."""

    detectors: dict[str, Snapshot]
    annotators: dict[str, LayerSnapshot]
    score_field: str
    band: int
    truths: tuple[str, ...]
    prior: str
    units: str
    skew: str
    low: float
    high: float
    extent: ExtentChoice
    training: LayerSnapshot | None
    resolution: float
    tolerance: float
    crown_score: str
    crown_threshold: float
    all_drawn: bool
    group_field: str
    lengths: RandCrownsParameters
    rule: str
    draws: int
    tile_side: float
    certainty: float
    wants_truths: bool
    transform_context: QgsCoordinateTransformContext

    @property
    def rasters(self) -> dict[str, RasterSnapshot]:
        """The detectors that are rasters."""
        return {name: found for name, found in self.detectors.items() if isinstance(found, RasterSnapshot)}

    @property
    def polygons(self) -> dict[str, LayerSnapshot]:
        """The detectors that are polygons with a score."""
        return {name: found for name, found in self.detectors.items() if isinstance(found, LayerSnapshot)}


def names_in_run(annotators: Sequence[str], detectors: Sequence[str]) -> list[str]:
    """What a run calls the layers, annotators first: unlike each other, and unlike the ground truths they make."""
    reserved = joint_names(len(annotators))
    return unique_names([*reserved, *annotators, *detectors])[len(reserved) :]


def take_detector_job(
    algorithm: CrownAlgorithm, parameters: dict[str, Any], context: QgsProcessingContext
) -> DetectorJob:
    """Snapshots and plain values."""
    detectors = [layer for layer in algorithm.parameterAsLayerList(parameters, "DETECTORS", context) if layer]
    annotators = [layer for layer in algorithm.parameterAsLayerList(parameters, "ANNOTATORS", context) if layer]
    names = names_in_run([layer.name() for layer in annotators], [layer.name() for layer in detectors])
    training = None
    if parameters.get("TRAINING") not in (None, ""):
        training = algorithm.layer_snapshot(parameters, "TRAINING", context)

    def number(name: str) -> float:
        return float(algorithm.parameterAsDouble(parameters, name, context))

    def key(name: str, keys: tuple[str, ...]) -> str:
        return keys[algorithm.parameterAsEnum(parameters, name, context)]

    return DetectorJob(
        detectors=dict(zip(names[len(annotators) :], map(_snapshot, detectors))),
        annotators=dict(zip(names, map(LayerSnapshot.of, annotators))),
        score_field=algorithm.parameterAsString(parameters, "SCORE_FIELD", context).strip(),
        band=algorithm.parameterAsInt(parameters, "BAND", context),
        truths=tuple(TRUTHS[place] for place in algorithm.parameterAsEnums(parameters, "TRUTHS", context)),
        prior=key("STAPLE_PRIOR", PRIORS),
        units=key("UNITS", UNITS),
        skew=key("SKEW", SKEWS),
        low=number("LOW"),
        high=number("HIGH"),
        extent=extent_of(algorithm, parameters, context),
        training=training,
        resolution=number("RESOLUTION"),
        tolerance=number("TOLERANCE"),
        crown_score=key("CROWN_SCORE", CROWN_SCORES),
        crown_threshold=number("CROWN_THRESHOLD"),
        all_drawn=algorithm.parameterAsBoolean(parameters, "ALL_DRAWN", context),
        group_field=algorithm.parameterAsString(parameters, "GROUP_FIELD", context).strip(),
        lengths=lengths_of(algorithm, parameters, context, CROWN_PRESETS)[1],
        rule=key("RULE", RULES),
        draws=algorithm.parameterAsInt(parameters, "DRAWS", context),
        tile_side=number("TILE_SIDE"),
        certainty=number("CERTAINTY"),
        wants_truths=parameters.get("TRUTH_POLYGONS") not in (None, ""),
        transform_context=context.transformContext(),
    )


def first_detector_problem(algorithm: CrownAlgorithm, parameters: dict[str, Any], context: QgsProcessingContext) -> str:
    """The first thing that is wrong with the parameters; empty when nothing is."""
    detectors = algorithm.parameterAsLayerList(parameters, "DETECTORS", context)
    annotators = algorithm.parameterAsLayerList(parameters, "ANNOTATORS", context)
    if not detectors:
        return tr("Choose at least one detector: a raster, or a polygon layer with a score field.")
    if not annotators:
        return tr("Choose at least one annotator's polygon layer.")
    areas = layers_of_roles(Given(algorithm, parameters, context), "TRAINING", "EXTENT_LAYER")
    return (
        next(filter(None, (_detector_problem(algorithm, parameters, context, layer) for layer in detectors)), "")
        or next(filter(None, map(layer_problem, [*annotators, *areas.values()])), "")
        or role_problem(annotators, areas)
        or _choice_problem(algorithm, parameters, context, detectors, annotators)
    )


def _detector_problem(
    algorithm: CrownAlgorithm, parameters: dict[str, Any], context: QgsProcessingContext, layer: Any
) -> str:
    if isinstance(layer, QgsRasterLayer):
        band = algorithm.parameterAsInt(parameters, "BAND", context)
        try:
            snapshot = RasterSnapshot.of(layer)
        except RandCrownsError as error:
            return str(error)
        if band > snapshot.bands:
            return tr("Raster '{name}' has {bands} band(s), so band {band} cannot hold its score.").format(
                name=layer.name(), bands=snapshot.bands, band=band
            )
        if snapshot.is_complex(band):
            return tr(
                "Raster '{name}' has complex numbers in band {band}, and those have no order; save their magnitude as "
                "a raster and use that."
            ).format(name=layer.name(), band=band)
        return ""
    if not isinstance(layer, QgsVectorLayer):
        return tr("Layer '{name}' is no raster and has no polygons, so it cannot be a detector.").format(
            name=layer.name()
        )
    problem = layer_problem(layer)
    if problem:
        return problem
    field = algorithm.parameterAsString(parameters, "SCORE_FIELD", context).strip()
    place = layer.fields().lookupField(field) if field else -1
    if place < 0 or not layer.fields().at(place).isNumeric():
        return tr(
            "Layer '{name}' has no numeric field '{field}' with scores; name its field, or take the layer from the "
            "detectors."
        ).format(name=layer.name(), field=field)
    return ""


def _choice_problem(
    algorithm: CrownAlgorithm,
    parameters: dict[str, Any],
    context: QgsProcessingContext,
    detectors: list[Any],
    annotators: list[Any],
) -> str:
    units = UNITS[algorithm.parameterAsEnum(parameters, "UNITS", context)]
    own_limits = SKEWS[algorithm.parameterAsEnum(parameters, "SKEW", context)] == "own"
    try:
        if units != "crowns" and own_limits:
            check_skew_limits(*(algorithm.parameterAsDouble(parameters, name, context) for name in ("LOW", "HIGH")))
    except RandCrownsError as error:
        return str(error)
    twice = {layer.id() for layer in detectors} & {layer.id() for layer in annotators}
    if twice:
        name = next(layer.name() for layer in detectors if layer.id() in twice)
        return tr("Layer '{name}' is both a detector and an annotator; it can only be one of them.").format(name=name)
    rasters = [layer for layer in detectors if isinstance(layer, QgsRasterLayer)]
    if units == "crowns" and len(rasters) == len(detectors):
        return tr("Rasters hold no crowns to count; count areas, or choose polygon detectors.")
    plot = algorithm.parameterAsString(parameters, "GROUP_FIELD", context).strip()
    for layer in [*annotators, *detectors] if plot and units != "areas" else []:
        if isinstance(layer, QgsVectorLayer) and layer.fields().lookupField(plot) < 0:
            return tr("Layer '{name}' has no field '{field}' with the plot; add it, or leave the field empty.").format(
                name=layer.name(), field=plot
            )
    if units != "crowns" and len(annotators) > MOST_ANNOTATORS:
        return tr("Areas can be judged under at most {most} annotators, not {number}; choose fewer.").format(
            most=MOST_ANNOTATORS, number=len(annotators)
        )
    if units != "crowns" and not algorithm.parameterAsEnums(parameters, "TRUTHS", context):
        return tr("Choose at least one ground truth.")
    pixels = rasters or algorithm.parameterAsDouble(parameters, "RESOLUTION", context) > 0
    if units != "crowns" and algorithm.parameterAsDouble(parameters, "TOLERANCE", context) > 0 and not pixels:
        return tr("A tolerance needs pixels: give a pixel size, about a quarter of the tolerance.")
    return ""


def _snapshot(layer: Any) -> Snapshot:
    return RasterSnapshot.of(layer) if isinstance(layer, QgsRasterLayer) else LayerSnapshot.of(layer)
