"""Guesses from polygon layers before they are read: roles, plots, and partly drawn targets."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath
from typing import Any, NamedTuple

import numpy as np
import shapely
from qgis.core import (
    QgsCsException,
    QgsExpression,
    QgsFeatureRequest,
    QgsMapLayer,
    QgsProject,
    QgsRasterLayer,
    QgsVectorLayer,
    QgsWkbTypes,
)

from randcrowns.core.arrays import Floats, Objects
from randcrowns.core.classes.values import class_field_candidates, has_several_classes
from randcrowns.core.comparison import check_roles, partial_drawing_message, share_in_plots
from randcrowns.core.crowns import is_box
from randcrowns.core.field_names import is_score_name, plot_field_candidates
from randcrowns.core.messages import Message
from randcrowns.core.status import TextEnum
from randcrowns.layers.compat import is_null, plain_value
from randcrowns.layers.crs import create_transform, layer_crs
from randcrowns.layers.fields import field_index
from randcrowns.layers.raster.grid import count_bands, is_in_pixel_coordinates
from randcrowns.layers.raster.image_names import names_of_image
from randcrowns.layers.vector.names import plain_letters
from randcrowns.layers.vector.read import to_text
from randcrowns.layers.vector.study_areas import (
    MAX_AREA_POLYGONS,
    MAX_SAMPLED_CROWNS,
    PERSON_NAME,
    UNAMBIGUOUS_AREA_NAME,
    OutlineSample,
    denotes_study_area,
    encloses_crowns,
)
from randcrowns.layers.vector.tables import field_kind
from randcrowns.layers.vector.write import RESULT_PROPERTY

#: Beginnings of the names of fields that hold the annotator, in lower case.
ANNOTATOR_FIELD_PREFIXES = ("annotator", "labeler", "labeller", "observer")

# The patterns below are matched against layer names in lower case.

#: Names that may denote an area, such as "plots" or "plot crowns".
AREA_NAME_PATTERN = re.compile(rf"^(study|plot|area)s?(?![a-z])|{UNAMBIGUOUS_AREA_NAME.pattern}")
#: Names that may denote an area, but no crowns, such as "plots" or "area 2".
_AREA_ONLY_NAME = re.compile(r"^(study|plot|area)s?[\W_\d]*$")
#: Names of layers with areas to ignore.
_IGNORED_AREA_NAME = re.compile(r"(?<![a-z])(ignore|ignored|crowd|crowds)(?![a-z])")
#: Names of layers with crowns measured in the field, unless the name mentions an annotator.
FIELD_MEASURED_PATTERN = re.compile(r"^(?!.*(annotator|manual)).*(?<![a-z])field(?![a-z])")
_TRUTH_NAME = re.compile(r"(?<![a-z])(gt|truth)(?![a-z])|field|ground[\W_]*truth|reference")
_ANNOTATOR_NAME = re.compile(rf"{PERSON_NAME.pattern}|manual")
_PREDICTION_NAME = re.compile(r"pred|detect|model|deepforest|detectree")
#: Names of layers of a detector. People draw boxes, too, but fewer than detectors find.
_DETECTOR_NAME = re.compile(rf"{_PREDICTION_NAME.pattern}|box")

#: Ids of the outputs with new outlines, which other runs can compare: consensuses of annotators.
_REUSABLE_RESULTS = ("CONSENSUS", "TRUTH_POLYGONS")
#: Name of the field with the image that imported crowns have.
_IMAGE_FIELD = "image"
#: Number of bands from which a raster is taken for a colour image.
_N_COLOUR_BANDS = 3
#: Maximum number of distinct classes that are read of a layer, to see if there are several.
_MAX_CLASS_VALUES = 10
#: Maximum number of distinct values that are read from a field.
_MAX_VALUES = 2_000
#: Maximum number of features of a layer whose bounds are read.
_MAX_FEATURES = 20_000
#: Maximum number of outlines that are tested for being rectangles.
_MAX_OUTLINES = 500


class LayerRole(TextEnum):
    """Role of an imported layer, selected by the user; areas to ignore have theirs by the file."""

    TARGETS = "targets"
    ANNOTATOR = "annotator"
    DETECTOR = "detector"
    STUDY_AREA = "study_area"  #: Polygons inside which all crowns were marked, and no crowns.
    IGNORED = "ignored"  #: Areas to ignore that a file of crowns contains.


#: Custom property of a layer with its :class:`LayerRole`.
_ROLE_PROPERTY = "randcrowns_role"
#: Likeness to a detector's output of layers with a known role, see ``_detector_likeness``.
_ROLE_LIKENESS = {
    LayerRole.TARGETS: -1,
    LayerRole.ANNOTATOR: 1,
    LayerRole.DETECTOR: 4,
    LayerRole.STUDY_AREA: 0,
    LayerRole.IGNORED: 0,
}
#: Roles of layers without crowns.
_ROLES_WITHOUT_CROWNS = (LayerRole.STUDY_AREA, LayerRole.IGNORED)


def imported_role(layer: QgsMapLayer) -> LayerRole | None:
    """Return the role that a layer was given at its import, or None."""
    value = str(layer.customProperty(_ROLE_PROPERTY) or "")
    return LayerRole(value) if value in {role.value for role in LayerRole} else None


def set_imported_role(layer: QgsMapLayer, role: LayerRole) -> None:
    """Store the role that a layer is given at its import; the project saves it."""
    layer.setCustomProperty(_ROLE_PROPERTY, role.value)


def polygon_layers(include_results: bool = False) -> list[QgsVectorLayer]:
    """Return the valid polygon layers of the project, sorted by name.

    Args:
        include_results: include layers with results of runs; they come last.
    """
    return [
        layer
        for layer in project_layers(include_results)
        if isinstance(layer, QgsVectorLayer)
        and layer.geometryType() == QgsWkbTypes.GeometryType.PolygonGeometry
    ]


def offered_polygon_layers() -> list[QgsVectorLayer]:
    """Return the polygon layers that may be inputs of a run, sorted by name.

    Results with new outlines (see :data:`_REUSABLE_RESULTS`) come last. Other results have the
    outlines of their inputs again, or are no crowns.
    """
    return [
        layer
        for layer in polygon_layers(include_results=True)
        if not is_result_layer(layer) or layer.customProperty(RESULT_PROPERTY) in _REUSABLE_RESULTS
    ]


def crown_layers() -> list[QgsVectorLayer]:
    """Return the polygon layers of the project that may hold crowns, sorted by name.

    Results of runs, study areas, and imported areas to ignore are no such layers.
    """
    return _may_hold_crowns(polygon_layers())


def _may_hold_crowns(layers: Sequence[QgsVectorLayer]) -> list[QgsVectorLayer]:
    """Return the layers that are neither a study area nor imported as areas to ignore."""
    return [
        layer
        for layer in layers
        if imported_role(layer) is not LayerRole.IGNORED and not is_study_area(layer)
    ]


def is_study_area(layer: QgsVectorLayer) -> bool:
    """Return True if a polygon layer is a study area; every page decides it by this function.

    The role that the user selected at the import decides. A layer without a role is a study area
    by an unambiguous name, or because its few polygons contain nearly all crowns of the project's
    other layers.
    """
    role = imported_role(layer)
    if role is not None:
        return role is LayerRole.STUDY_AREA
    if denotes_study_area(layer.name()):
        return True
    if not 0 < layer.featureCount() <= MAX_AREA_POLYGONS or is_in_pixel_coordinates(layer):
        return False
    return _ENCLOSING_LAYERS.encloses_others(layer)


class _EnclosingLayers:
    """Layers whose polygons contain the crowns of the others, computed once per project state.

    Lists of layers ask for every layer whenever a layer is added, and each answer reads hundreds
    of outlines.
    """

    def __init__(self) -> None:
        self._state: tuple[Any, ...] = ()
        self._results: dict[str, bool] = {}  #: result by the id of the layer.

    def encloses_others(self, layer: QgsVectorLayer) -> bool:
        """Return True if the few polygons of a layer contain nearly all crowns of the others."""
        layers = polygon_layers()
        if layer not in layers:
            layers.append(layer)
        state = tuple(map(_describe_state, layers))
        if state != self._state:
            self._state = state
            self._results = {}
        if layer.id() not in self._results:
            others = sample_crowns_around(layer)
            self._results[layer.id()] = encloses_crowns(sample_outlines(layer), others)
        return self._results[layer.id()]


_ENCLOSING_LAYERS = _EnclosingLayers()


def _describe_state(layer: QgsVectorLayer) -> tuple[Any, ...]:
    """Return what changes if the outlines or the role of a layer change."""
    return (
        layer.id(),
        layer.name(),
        layer.source(),
        layer.crs(),
        layer.featureCount(),
        layer.extent().toString(),
        layer.undoStack().index(),
        imported_role(layer),
    )


def sample_crowns_around(layer: QgsVectorLayer | None = None) -> list[OutlineSample]:
    """Return outlines of the layers of the project that may hold crowns in a layer's extent.

    Args:
        layer: layer whose extent limits the other layers; None for all layers of the project.
    """
    return [
        sample_outlines(other)
        for other in polygon_layers()
        if other is not layer
        and imported_role(other) not in _ROLES_WITHOUT_CROWNS
        and not denotes_study_area(other.name())
        and other.featureCount() > 0
        and not is_in_pixel_coordinates(other)
        and (layer is None or _extents_intersect(layer, other))
    ]


def sample_outlines(layer: QgsVectorLayer) -> OutlineSample:
    """Return the first outlines of a layer, at most 500."""
    request = QgsFeatureRequest().setNoAttributes().setLimit(MAX_SAMPLED_CROWNS)
    request.setInvalidGeometryCheck(QgsFeatureRequest.InvalidGeometryCheck.GeometryNoCheck)
    shapes = _read_shapes(layer, request)
    return OutlineSample(shapes, layer.featureCount(), layer_crs(layer))


def _read_shapes(layer: QgsVectorLayer, request: QgsFeatureRequest) -> Objects:
    """Return the geometries of a layer as shapely objects; None for those that are invalid."""
    features = layer.getFeatures(request)
    geometries = [feature.geometry() for feature in features if feature.hasGeometry()]
    outlines = [bytes(geometry.asWkb()) for geometry in geometries]
    shapes: Objects = shapely.from_wkb(np.array(outlines, dtype=object), on_invalid="ignore")
    return shapes


def project_layers(include_results: bool = False) -> list[QgsMapLayer]:
    """Return the valid layers of the project, sorted by name.

    Args:
        include_results: include layers with results of runs; they come last.
    """
    layers = [layer for layer in QgsProject.instance().mapLayers().values() if layer.isValid()]
    if not include_results:
        layers = [layer for layer in layers if not is_result_layer(layer)]

    def results_last(layer: QgsMapLayer) -> tuple[bool, str, str]:
        """Return the key that sorts layers by name, and those with results last."""
        return is_result_layer(layer), *_name_key(layer)

    return sorted(layers, key=results_last)


def is_result_layer(layer: QgsMapLayer) -> bool:
    """Return True if a layer holds results of a run, which are never preset as inputs."""
    return bool(layer.customProperty(RESULT_PROPERTY))


def guess_area_layer(*layer_ids: str) -> str:
    """Guess the layer with the study area of some layers.

    The layer must be a study area or have the name of an area, and its extent must intersect that
    of one of the layers. A role or an unambiguous name ("AOI", "study area") takes precedence over
    other names ("plots", "area 2") and outlines, see :func:`is_study_area`.

    Args:
        layer_ids: ids of the layers.

    Returns:
        Id of the only candidate; "" if there is none or more than one.
    """
    project = QgsProject.instance()
    given_layers = []
    for layer_id in layer_ids:
        layer = project.mapLayer(layer_id)
        if layer is not None:
            given_layers.append(layer)

    candidates = [
        layer
        for layer in polygon_layers()
        if layer.id() not in layer_ids and _intersects_any(layer, given_layers)
    ]
    areas = [layer for layer in candidates if is_study_area(layer) or _has_only_area_name(layer)]
    unambiguous_areas = [
        layer
        for layer in areas
        if imported_role(layer) is LayerRole.STUDY_AREA or denotes_study_area(layer.name())
    ]
    preferred_candidates = unambiguous_areas or areas
    if len(preferred_candidates) != 1:
        return ""
    return str(preferred_candidates[0].id())


def _has_only_area_name(layer: QgsVectorLayer) -> bool:
    """Return True if the name of a layer without a role denotes an area and no crowns."""
    has_name = _AREA_ONLY_NAME.search(layer.name().lower()) is not None
    return has_name and imported_role(layer) is None


def raster_layers() -> list[QgsRasterLayer]:
    """Return the raster layers of the project that GDAL reads, without results, sorted by name."""
    return [
        layer
        for layer in project_layers()
        if isinstance(layer, QgsRasterLayer) and layer.providerType() == "gdal"
    ]


def guess_images(layers: Iterable[QgsMapLayer]) -> list[str]:
    """Guess the images that show the crowns of some layers.

    Colour images take precedence over other rasters, such as canopy height models.

    Args:
        layers: layers with crowns.

    Returns:
        Ids of the raster layers whose extent intersects that of a layer; empty if two of the
        rasters overlap. Images without a georeference all overlap: of these, the images that the
        crowns name are returned.
    """
    crown_layers = list(layers)
    image_names: set[str] = set()
    for layer in crown_layers:
        if isinstance(layer, QgsVectorLayer):
            image_names.update(_named_images(layer))
    if image_names:
        return _find_named_rasters(image_names)

    rasters = [raster for raster in raster_layers() if _intersects_any(raster, crown_layers)]
    colour_images = [raster for raster in rasters if count_bands(raster) >= _N_COLOUR_BANDS]
    images = colour_images or rasters
    for image, other_image in itertools.combinations(images, 2):
        if _extents_intersect(other_image, image):
            return []
    return [image.id() for image in images]


def _find_named_rasters(image_names: set[str]) -> list[str]:
    """Return the ids of the raster layers whose file has one of the names.

    Args:
        image_names: names of files, with or without their extension.
    """
    return [
        raster.id()
        for raster in raster_layers()
        if not image_names.isdisjoint(names_of_image(raster))
    ]


def _named_images(layer: QgsVectorLayer) -> set[str]:
    """Return the file names of the images that name the crowns of a layer in their pixels."""
    field = find_image_field(layer)
    if not field:
        return set()
    names = layer.uniqueValues(field_index(layer.fields(), field))
    return {PurePosixPath(str(name).replace("\\", "/")).name for name in names if not is_null(name)}


def _intersects_any(layer: QgsMapLayer, others: Iterable[QgsMapLayer]) -> bool:
    """Return True if the extent of a layer intersects that of one of the others."""
    return any(_extents_intersect(layer, other) for other in others)


def _extents_intersect(layer: QgsMapLayer, other: QgsMapLayer) -> bool:
    """Return True if two extents intersect; False if one cannot be transformed to the other CRS."""
    transform = create_transform(layer_crs(layer), layer_crs(other))
    try:
        return bool(transform.transformBoundingBox(layer.extent()).intersects(other.extent()))
    except QgsCsException:
        return False


def find_score_field(layer: QgsVectorLayer) -> str:
    """Return the name of the field with a detector's score.

    Fields of a layer that the user has imported as targets, as crowns of an annotator or as a study
    area are not taken for scores of a detector.

    Returns:
        Name of the first numeric field that is named like a score and has a value; "" without one.
    """
    if imported_role(layer) not in (None, LayerRole.DETECTOR, LayerRole.IGNORED):
        return ""
    for field in layer.fields():
        name = str(field.name())
        if field.isNumeric() and is_score_name(name) and _has_values(layer, name):
            return name
    return ""


def find_image_field(layer: QgsVectorLayer) -> str:
    """Return the name of the field with each crown's image.

    Returns:
        The name if the layer is in pixel coordinates of more than one image; otherwise "".
    """
    index = field_index(layer.fields(), _IMAGE_FIELD)
    if index < 0 or len(layer.uniqueValues(index, 2)) <= 1 or not is_in_pixel_coordinates(layer):
        return ""
    return _IMAGE_FIELD


def _has_values(layer: QgsVectorLayer, name: str) -> bool:
    """Return True if a field has a value other than NULL, or if the layer has no features."""
    request = QgsFeatureRequest()
    request.setFilterExpression(f"{QgsExpression.quotedColumnRef(name)} IS NOT NULL")
    request.setLimit(1)
    return layer.featureCount() == 0 or any(True for _ in layer.getFeatures(request))


def guess_target(layers: Sequence[QgsVectorLayer], current: str = "") -> QgsVectorLayer | None:
    """Guess the layer with the targets.

    The layer that looks least like a detector's output is chosen, by scores and name; among equals
    the one with fewer crowns. Layers of annotators are equal in this respect: the current target is
    kept, otherwise the first by name is chosen.

    Args:
        layers: polygon layers.
        current: id of the current target layer; "" without one.

    Returns:
        The layer, or None if there are no layers.
    """

    def rank(layer: QgsVectorLayer) -> tuple[float, float, bool, str, str]:
        size = 0 if _is_of_annotator(layer) else layer.featureCount() or math.inf
        return _rate_detector_likeness(layer), size, layer.id() != current, *_name_key(layer)

    return min(_drop_area_layers(layers), key=rank, default=None)


def guess_prediction(layers: Sequence[QgsVectorLayer], target_id: str) -> QgsVectorLayer | None:
    """Guess the layer with the predictions.

    Args:
        layers: polygon layers.
        target_id: id of the target layer, which is not considered.

    Returns:
        The layer that looks most like a detector's output, the first by name among equals; None
        without another layer.
    """
    return next(iter(guess_predictions(layers, target_id)), None)


def guess_predictions(layers: Sequence[QgsVectorLayer], target_id: str) -> list[QgsVectorLayer]:
    """Guess the layers that are compared with the targets.

    The first one looks most like a detector's output. All others that look the same, such as the
    crowns of several annotators or detectors, belong to it if they lie where it lies.

    Args:
        layers: polygon layers.
        target_id: id of the target layer, which is not considered.

    Returns:
        The layers, sorted by name; none without another layer.
    """
    candidates = [layer for layer in _drop_area_layers(layers) if layer.id() != target_id]
    if not candidates:
        return []
    likeness = {layer.id(): _rate_detector_likeness(layer) for layer in candidates}
    highest_likeness = max(likeness.values())
    likeliest = [layer for layer in candidates if likeness[layer.id()] == highest_likeness]
    likeliest.sort(key=_name_key)

    first_layer = likeliest[0]
    other_layers = likeliest[1:]
    return [
        first_layer,
        *(layer for layer in other_layers if _extents_intersect(layer, first_layer)),
    ]


def guess_roles() -> tuple[str, str]:
    """Guess the target layer and the prediction layer of the project.

    A layer named like an area is no prediction layer, unless the target layer is named like one
    too.

    Returns:
        Layer ids of the targets and of the predictions; "" for a role without a layer.
    """
    layers = polygon_layers()
    target = guess_target(layers)
    if target is None:
        return "", ""
    prediction = guess_prediction(layers, target.id())
    if prediction is None or (_is_named_area(prediction) and not _is_named_area(target)):
        return str(target.id()), ""
    return str(target.id()), str(prediction.id())


def _drop_area_layers(layers: Sequence[QgsVectorLayer]) -> Sequence[QgsVectorLayer]:
    """Return the layers that are not named like areas; all of them if fewer than two remain.

    Study areas, and layers that were imported as areas to ignore, are never returned.
    """
    layers = _may_hold_crowns(layers)
    other_layers = [layer for layer in layers if not _is_named_area(layer)]
    return other_layers if len(other_layers) > 1 else layers


def _is_named_area(layer: QgsVectorLayer) -> bool:
    """Return True if a layer is named like a study area or like areas to ignore."""
    name = layer.name().lower()
    return bool(AREA_NAME_PATTERN.search(name) or _IGNORED_AREA_NAME.search(name))


def _rate_detector_likeness(layer: QgsVectorLayer) -> int:
    """Return how much a layer looks like a detector's output.

    4: it has scores; 3: it is named like a detector's output; 2: unknown; 1: it is an annotator's;
    0: it is named like a reference; -1: the user imported it as the targets.
    """
    role = imported_role(layer)
    if role is not None:
        return _ROLE_LIKENESS[role]
    if find_score_field(layer):
        return 4
    name = layer.name().lower()
    is_named_truth = bool(_TRUTH_NAME.search(name))
    is_named_detector = bool(_DETECTOR_NAME.search(name))
    if is_named_truth != is_named_detector:
        return 3 if is_named_detector else 0
    return 1 if _is_of_annotator(layer) else 2


def guess_role_of_name(name: str) -> LayerRole | None:
    """Guess from the name of a file what its crowns are; None if it is unclear.

    >>> guess_role_of_name("ground_truth") is LayerRole.TARGETS, guess_role_of_name("anna_boxes")
    (True, None)
    >>> guess_role_of_name("Observer_2") is LayerRole.ANNOTATOR
    True
    """
    plain_name = plain_letters(name)
    is_named_truth = bool(_TRUTH_NAME.search(plain_name))
    is_named_prediction = bool(_PREDICTION_NAME.search(plain_name))
    if is_named_truth != is_named_prediction:
        return LayerRole.TARGETS if is_named_truth else LayerRole.DETECTOR
    is_named_person = not is_named_truth and bool(PERSON_NAME.search(plain_name))
    return LayerRole.ANNOTATOR if is_named_person else None


def _is_of_annotator(layer: QgsVectorLayer) -> bool:
    """Return True if the user, a field or the layer's name names an annotator."""
    role = imported_role(layer)
    if role is not None:
        return role is LayerRole.ANNOTATOR
    has_field = any(
        field.name().lower().startswith(ANNOTATOR_FIELD_PREFIXES) for field in layer.fields()
    )
    return has_field or bool(_ANNOTATOR_NAME.search(plain_letters(layer.name())))


def _name_key(layer: QgsMapLayer) -> tuple[str, str]:
    """Return the sort key of a layer: its name regardless of case, then its id."""
    return layer.name().casefold(), layer.id()


def role_messages(target: QgsVectorLayer | None, others: Sequence[QgsMapLayer]) -> list[Message]:
    """Return warnings about targets and predictions that seem to be swapped.

    Args:
        target: target layer, or None.
        others: layers compared with the targets.

    Returns:
        Messages from :func:`randcrowns.core.comparison.check_roles`; empty without a target.
    """
    if target is None:
        return []
    counts = [layer.featureCount() for layer in others if isinstance(layer, QgsVectorLayer)]
    return check_roles(
        target.name(), find_score_field(target), target.featureCount(), max(counts, default=0)
    )


def guess_plot_field(target: QgsVectorLayer | None, others: Iterable[QgsMapLayer | None]) -> str:
    """Guess the field with the plot of each crown.

    Args:
        target: target layer, or None.
        others: layers compared with the targets. If there are none, the targets are compared with
            copies of themselves.

    Returns:
        Name of the first plot field of the target layer that shares a value with another layer, or,
        without other layers, that has two values; "" if there is none.
    """
    if target is None:
        return ""
    all_others = list(others)
    other_layers = _other_vector_layers(target, all_others)

    for name in plot_field_candidates(target.fields().names()):
        plots = _read_plots(target, name)
        if not all_others and len(plots) > 1:
            return name
        for layer in other_layers:
            shared_plots = plots & _read_plots(layer, name)
            if shared_plots:
                return name
    return ""


def _other_vector_layers(
    target: QgsVectorLayer, layers: Iterable[QgsMapLayer | None]
) -> list[QgsVectorLayer]:
    """Return the vector layers among some layers, without the target layer."""
    vector_layers = [layer for layer in layers if isinstance(layer, QgsVectorLayer)]
    return [layer for layer in vector_layers if layer.id() != target.id()]


def guess_class_field(target: QgsVectorLayer | None, others: Iterable[QgsMapLayer | None]) -> str:
    """Guess the field with the class of each crown, such as its species.

    Args:
        target: target layer, or None.
        others: layers compared with the targets. If there are none, the targets are compared with
            copies of themselves.

    Returns:
        Name of the first field that is named like a class, that all layers share, and that has at
        least two values, see :func:`randcrowns.core.classes.values.find_class_field`; "" without
        one.
    """
    if target is None:
        return ""
    layers = [target, *_other_vector_layers(target, others)]
    fields_by_layer = [layer.fields().names() for layer in layers]
    for name in class_field_candidates(fields_by_layer):
        values: list[Any] = []
        for layer in layers:
            index = field_index(layer.fields(), name)
            qgis_values = layer.uniqueValues(index, _MAX_CLASS_VALUES)
            values += [plain_value(value) for value in qgis_values]
        if has_several_classes(values):
            return name
    return ""


def partial_layer_message(
    target: QgsVectorLayer | None, predictions: QgsVectorLayer | None, plot_field_name: str = ""
) -> Message | None:
    """Return the evidence that only some of the crowns were drawn as targets.

    Args:
        target: target layer, or None.
        predictions: prediction layer, or None.
        plot_field_name: name of the target field with the plot; "" if all targets belong to one
            plot.

    Returns:
        Message from :func:`randcrowns.core.comparison.partial_drawing_message`; None without
        evidence. Bounds are compared only for layers of at most 20,000 features.
    """
    if target is None or predictions is None:
        return None
    n_targets = target.featureCount()
    n_predictions = predictions.featureCount()
    evidence = partial_drawing_message(n_targets, n_predictions)
    if evidence is not None or not 0 < max(n_targets, n_predictions) <= _MAX_FEATURES:
        return evidence
    targets = _read_bounds(target, target, plot_field_name)
    share = share_in_plots(targets.bounds, targets.plots, _read_bounds(predictions, target).bounds)
    return partial_drawing_message(n_targets, n_predictions, share)


def are_field_measured(layer: QgsVectorLayer | None) -> bool:
    """Return True if the crowns of a layer seem to be outlines measured in the field.

    This is so if the layer's name says so and most of its outlines are not rectangles. Stewart et
    al. (2021), section IV-B, use a separate set of lengths for such crowns.
    """
    if layer is None or not FIELD_MEASURED_PATTERN.search(layer.name().lower()):
        return False
    request = QgsFeatureRequest().setNoAttributes().setLimit(_MAX_OUTLINES)
    request.setInvalidGeometryCheck(QgsFeatureRequest.InvalidGeometryCheck.GeometryNoCheck)
    shapes = _read_shapes(layer, request)
    if not len(shapes):
        return False
    are_rectangles = is_box(shapes)
    return float(are_rectangles.mean()) < 0.5


def _read_plots(layer: QgsVectorLayer, name: str) -> set[str]:
    """Return the distinct values of a field as text; empty if it is missing or has decimals."""
    index = field_index(layer.fields(), name)
    if index < 0:
        return set()
    values = [value for value in layer.uniqueValues(index, _MAX_VALUES) if not is_null(value)]
    if field_kind(values) == "real":
        return set()
    plots = map(to_text, values)
    return {plot for plot in plots if plot is not None}


class _CrownBounds(NamedTuple):
    """Bounds of the n features of a layer that have a geometry."""

    #: (n, 4) xmin, ymin, xmax, ymax.
    bounds: Floats
    #: (n,) names of the plots, or None.
    plots: list[str | None]


def _read_bounds(
    layer: QgsVectorLayer, target: QgsVectorLayer, field_name: str = ""
) -> _CrownBounds:
    """Return the bounds of a layer's features in the target's CRS.

    Args:
        layer: layer of the features.
        target: target layer.
        field_name: name of the field with the plots, which is read only if the layer is the target
            layer; "" for none.
    """
    plot_index = -1
    if field_name and layer is target:
        plot_index = field_index(target.fields(), field_name)
    has_plots = plot_index >= 0
    request = QgsFeatureRequest()
    request.setSubsetOfAttributes([plot_index] if has_plots else [])
    request.setInvalidGeometryCheck(QgsFeatureRequest.InvalidGeometryCheck.GeometryNoCheck)
    if layer_crs(layer) != layer_crs(target):
        request.setDestinationCrs(target.crs(), QgsProject.instance().transformContext())

    bounds = []
    plots: list[str | None] = []
    for feature in layer.getFeatures(request):
        geometry = feature.geometry()
        if geometry.isEmpty():
            continue
        box = geometry.boundingBox()
        bounds.append((box.xMinimum(), box.yMinimum(), box.xMaximum(), box.yMaximum()))
        plots.append(to_text(feature.attribute(plot_index)) if has_plots else None)
    # Without features, the array gets its four columns from reshape.
    bounds_array = np.array(bounds, dtype=np.float64).reshape(-1, 4)
    return _CrownBounds(bounds_array, plots)
