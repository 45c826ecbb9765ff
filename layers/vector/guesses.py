"""What can be told of polygon layers before they are read: their roles, their plots, and whether all was drawn."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence

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

from randcrowns.core.comparison import doubtful_roles, share_in_plots, why_partial
from randcrowns.core.crowns import is_box
from randcrowns.core.remarks import Remark
from randcrowns.layers.compat import is_null
from randcrowns.layers.crs import system_of, transform_between
from randcrowns.layers.raster.grid import lies_in_pixels
from randcrowns.layers.vector.read import text_of
from randcrowns.layers.vector.tables import kind_of
from randcrowns.layers.vector.write import RESULT_PROPERTY

#: Beginnings of the names of fields that hold a detector's score, and of those that say who drew.
SCORES = ("score", "conf", "prob")
PEOPLE = ("annotator", "labeler", "labeller", "observer")
#: Names of layers that say in full that they hold an area, those that may do so, and those that surely hold no crowns.
_SURE_AREA = re.compile(
    r"(?<![a-z])(aoi|roi|extent|study[\W_]*(area|site)|area[\W_]+of[\W_]+interest)s?(?![a-z])"
)
AREA_NAME = re.compile(rf"^(study|plot|area)s?(?![a-z])|{_SURE_AREA.pattern}")
_IS_AREA = re.compile(rf"^(study|plot|area)s?[\W_\d]*$|{_SURE_AREA.pattern}")
#: Names of layers with areas to ignore.
_IGNORED = re.compile(r"(?<![a-z])(ignore|ignored|crowd|crowds)(?![a-z])")
#: Names of layers measured on the ground, not drawn on the image, unless they name a person.
ON_THE_GROUND = re.compile(r"^(?!.*(annotator|manual)).*(?<![a-z])field(?![a-z])")
_TRUTH_NAME = re.compile(r"(?<![a-z])(gt|truth)(?![a-z])|field|ground[\W_]*truth|reference")
_PERSON_NAME = re.compile(r"annotator|manual")
_DETECTOR_NAME = re.compile(r"pred|detect|model|box|deepforest|detectree")
#: Names of fields that hold the plot, without what is no letter, the finest first; ``id`` or ``name`` may follow.
_PLOTS = ("plot", "tile", "image", "imagepath", "site")
#: Name of the field with the image that an import gives crowns.
_IMAGE = "image"
#: Bands of an image with colours; values of a field, features of a layer, and outlines, that are looked at.
_COLOURS, _MOST_VALUES, _MOST_FEATURES, _MOST_OUTLINES = 3, 2_000, 20_000, 500


def polygon_layers(made: bool = False) -> list[QgsVectorLayer]:
    """The project's layers that can hold crowns, by name; what runs of ours ``made`` comes last, or not at all."""
    polygons = QgsWkbTypes.GeometryType.PolygonGeometry
    return [
        one
        for one in project_inputs(made)
        if isinstance(one, QgsVectorLayer) and one.geometryType() == polygons
    ]


def project_inputs(made: bool = False) -> list[QgsMapLayer]:
    """The project's layers that can be read, by name; what runs of ours ``made`` comes last, or not at all."""
    layers = QgsProject.instance().mapLayers().values()
    some = [layer for layer in layers if layer.isValid() and (made or not is_made(layer))]
    return sorted(some, key=lambda layer: (is_made(layer), layer.name().casefold(), layer.id()))


def is_made(layer: QgsMapLayer) -> bool:
    """Whether a run of ours made the layer: it is picked by hand only."""
    return bool(layer.customProperty(RESULT_PROPERTY))


def usual_area(*beside: str) -> str:
    """Id of the only polygon layer that is an area by its name and lies where these layers are; empty without one.

    A name that says so in full ("AOI", "study area") counts more than another ("plots", "area 2"); crowns of a plot
    are no area.
    """
    others = [layer for layer in map(QgsProject.instance().mapLayer, beside) if layer is not None]
    found = [
        layer
        for layer in polygon_layers()
        if layer.id() not in beside and _IS_AREA.search(layer.name().lower())
    ]
    found = [layer for layer in found if any(_meet(layer, other) for other in others)]
    sure = [layer for layer in found if _SURE_AREA.search(layer.name().lower())] or found
    return str(sure[0].id()) if len(sure) == 1 else ""


def raster_layers() -> list[QgsRasterLayer]:
    """The project's rasters that are read from files and were not made by a run of ours, by name."""
    return [
        one
        for one in project_inputs()
        if isinstance(one, QgsRasterLayer) and one.providerType() == "gdal"
    ]


def images_below(layers: Iterable[QgsMapLayer]) -> list[str]:
    """Ids of the images that lie where one of these layers does; none where two of them lie in one place.

    Those with colours are taken before others, as of heights.
    """
    layers = list(layers)
    found = [one for one in raster_layers() if any(_meet(one, layer) for layer in layers)]
    found = [one for one in found if one.bandCount() >= _COLOURS] or found
    twice = any(_meet(one, other) for place, one in enumerate(found) for other in found[:place])
    return [] if twice else [one.id() for one in found]


def _meet(one: QgsMapLayer, other: QgsMapLayer) -> bool:
    """Whether the extents of two layers share a place; not where the other's system has no place for the one."""
    there = transform_between(system_of(one), system_of(other))
    try:
        return bool(there.transformBoundingBox(one.extent()).intersects(other.extent()))
    except QgsCsException:
        return False


def score_field(layer: QgsVectorLayer) -> str:
    """The layer's field with a detector's score; empty where it has none, or no crown has a score in it."""
    names = (str(field.name()) for field in layer.fields() if field.isNumeric())
    return next(
        (name for name in names if name.lower().startswith(SCORES) and _has_values(layer, name)), ""
    )


def image_field(layer: QgsVectorLayer) -> str:
    """The field with the image of each crown, where the layer lies in pixels of several; else empty."""
    place = layer.fields().lookupField(_IMAGE)
    return (
        _IMAGE
        if place >= 0 and len(layer.uniqueValues(place, 2)) > 1 and lies_in_pixels(layer)
        else ""
    )


def _has_values(layer: QgsVectorLayer, name: str) -> bool:
    """Whether the field has a value anywhere, or the layer no feature yet."""
    given = (
        QgsFeatureRequest()
        .setFilterExpression(f"{QgsExpression.quotedColumnRef(name)} IS NOT NULL")
        .setLimit(1)
    )
    return layer.featureCount() == 0 or any(True for _ in layer.getFeatures(given))


def usual_target(layers: Sequence[QgsVectorLayer], current: str = "") -> QgsVectorLayer | None:
    """The likeliest target: a layer with scores is a detector's, else the name decides, then who has fewer crowns.

    Of several people's layers each may be the target: the ``current`` one by its id, or the first by name.
    """

    def rank(layer: QgsVectorLayer) -> tuple[float, ...]:
        size = 0 if _is_of_a_person(layer) else layer.featureCount() or math.inf
        return _likeness(layer), size, layer.id() != current

    return min(_crowns_of(layers), key=lambda layer: (rank(layer), _called(layer)), default=None)


def usual_prediction(layers: Sequence[QgsVectorLayer], target_id: str) -> QgsVectorLayer | None:
    """Of the other layers the one that looks most like what a detector made, the first by name of several."""
    others = [layer for layer in _crowns_of(layers) if layer.id() != target_id]
    return min(others, key=lambda layer: (-_likeness(layer), *_called(layer)), default=None)


def usual_roles() -> tuple[str, str]:
    """Ids of the likeliest target and the likeliest prediction of the project; empty where there is none.

    An area by its name is no prediction, unless the target is called so too.
    """
    layers = polygon_layers()
    target = usual_target(layers)
    prediction = None if target is None else usual_prediction(layers, target.id())
    if target is None:
        return "", ""
    if prediction is None or (_is_of_areas(prediction) and not _is_of_areas(target)):
        return str(target.id()), ""
    return str(target.id()), str(prediction.id())


def _crowns_of(layers: Sequence[QgsVectorLayer]) -> Sequence[QgsVectorLayer]:
    """The layers that are no area by their name, where that leaves two."""
    found = [layer for layer in layers if not _is_of_areas(layer)]
    return found if len(found) > 1 else layers


def _is_of_areas(layer: QgsVectorLayer) -> bool:
    name = layer.name().lower()
    return bool(AREA_NAME.search(name) or _IGNORED.search(name))


def _likeness(layer: QgsVectorLayer) -> int:
    """How much a layer looks like what a detector made, from 0 for what was measured to 4 for what has scores."""
    name = layer.name().lower()
    truth, detector = bool(_TRUTH_NAME.search(name)), bool(_DETECTOR_NAME.search(name))
    if score_field(layer):
        return 4
    if truth != detector:
        return 3 if detector else 0
    return 1 if _is_of_a_person(layer) else 2


def _is_of_a_person(layer: QgsVectorLayer) -> bool:
    named = any(field.name().lower().startswith(PEOPLE) for field in layer.fields())
    return named or bool(_PERSON_NAME.search(layer.name().lower()))


def _called(layer: QgsVectorLayer) -> tuple[str, str]:
    return layer.name().casefold(), layer.id()


def role_remarks(target: QgsVectorLayer | None, others: Sequence[QgsMapLayer]) -> list[Remark]:
    """Warnings where the target looks like what a detector made, or the others like what was drawn."""
    if target is None:
        return []
    most = max(
        (layer.featureCount() for layer in others if isinstance(layer, QgsVectorLayer)), default=0
    )
    return doubtful_roles(target.name(), score_field(target), target.featureCount(), most)


def plot_field(target: QgsVectorLayer | None, others: Iterable[QgsMapLayer | None]) -> str:
    """The target's field with the plot that another layer has too, with a value that both have; empty without any.

    A layer alone, which is compared with copies of itself, needs two plots.
    """
    if target is None:
        return ""
    names = [str(field.name()) for field in target.fields()]
    wanted = sorted((_PLOTS.index(_plain(name)), name) for name in names if _plain(name) in _PLOTS)
    others = list(others)
    rest = [
        layer for layer in others if isinstance(layer, QgsVectorLayer) and layer.id() != target.id()
    ]
    for _, name in wanted:
        plots = _plots(target, name)
        if any(plots & _plots(layer, name) for layer in rest) or (not others and len(plots) > 1):
            return name
    return ""


def partial_because(
    target: QgsVectorLayer | None, predictions: QgsVectorLayer | None, plot: str = ""
) -> Remark | None:
    """What shows that only some of the crowns were drawn as targets; None where nothing does.

    ``plot`` is the field of the targets with the plot; empty for one plot.
    """
    if target is None or predictions is None:
        return None
    n_targets, n_predictions = target.featureCount(), predictions.featureCount()
    told = why_partial(n_targets, n_predictions)
    if told is not None or not 0 < max(n_targets, n_predictions) <= _MOST_FEATURES:
        return told
    drawn, plots = _bounds(target, target, plot)
    return why_partial(
        n_targets, n_predictions, share_in_plots(drawn, plots, _bounds(predictions, target)[0])
    )


def are_field_polygons(layer: QgsVectorLayer | None) -> bool:
    """Whether crowns were measured on the ground, by the layer's name, and most of their outlines are no rectangles.

    Stewart et al. 2021 (IV-B) choose a set of lengths of its own for these.
    """
    if layer is None or not ON_THE_GROUND.search(layer.name().lower()):
        return False
    request = QgsFeatureRequest().setNoAttributes().setLimit(_MOST_OUTLINES)
    request.setInvalidGeometryCheck(QgsFeatureRequest.InvalidGeometryCheck.GeometryNoCheck)
    shapes = [feature.geometry() for feature in layer.getFeatures(request) if feature.hasGeometry()]
    boxes = is_box(
        shapely.from_wkb([bytes(shape.asWkb()) for shape in shapes], on_invalid="ignore")
    )
    return len(shapes) > 0 and float(boxes.mean()) < 0.5


def _plain(name: str) -> str:
    return re.sub(r"(id|name)$", "", re.sub(r"[^a-z]", "", name.lower()))


def _plots(layer: QgsVectorLayer, name: str) -> set[str]:
    """The values of a field of text or whole numbers; none of another, or without it."""
    place = layer.fields().lookupField(name)
    found = (
        []
        if place < 0
        else [one for one in layer.uniqueValues(place, _MOST_VALUES) if not is_null(one)]
    )
    return set() if kind_of(found) == "real" else {str(value).strip() for value in found} - {""}


def _bounds(
    layer: QgsVectorLayer, target: QgsVectorLayer, plot: str = ""
) -> tuple[np.ndarray, list[str | None]]:
    """(n, 4) bounds of each feature in the target's system, and what its plot is called."""
    place = target.fields().lookupField(plot) if plot and layer is target else -1
    request = QgsFeatureRequest().setSubsetOfAttributes([place] if place >= 0 else [])
    if system_of(layer) != system_of(target):
        request.setDestinationCrs(target.crs(), QgsProject.instance().transformContext())
    request.setInvalidGeometryCheck(QgsFeatureRequest.InvalidGeometryCheck.GeometryNoCheck)
    bounds, plots = [], []
    for feature in layer.getFeatures(request):
        if not (shape := feature.geometry()).isEmpty():
            box = shape.boundingBox()
            bounds.append((box.xMinimum(), box.yMinimum(), box.xMaximum(), box.yMaximum()))
            plots.append(text_of(feature.attribute(place)) if place >= 0 else None)
    return np.array(bounds, dtype=np.float64).reshape(-1, 4), plots
