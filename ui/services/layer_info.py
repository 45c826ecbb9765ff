"""Properties of layers that are shown next to their names, and guesses about their roles."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransformContext,
    QgsMapLayer,
    QgsProject,
    QgsRasterLayer,
    QgsUnitTypes,
    QgsVectorLayer,
    QgsWkbTypes,
)
from qgis.PyQt.QtCore import QObject, pyqtSignal

from randcrowns.algorithms.layer_parameters import is_raster_id
from randcrowns.algorithms.provenance import Provenance
from randcrowns.core.agreement.votes import MAX_ANNOTATORS
from randcrowns.core.errors import RandCrownsError
from randcrowns.core.messages import Message
from randcrowns.core.progress import Progress
from randcrowns.core.scoring.checks import mean_diameter
from randcrowns.layers.crs import has_datum_or_code, is_in_degrees, layer_crs, metres_per_unit
from randcrowns.layers.localization import format_value, tr
from randcrowns.layers.raster.grid import is_in_pixel_coordinates
from randcrowns.layers.raster.masks import is_reference_mask
from randcrowns.layers.vector.guesses import (
    ANNOTATOR_FIELD_PREFIXES,
    AREA_NAME_PATTERN,
    FIELD_MEASURED_PATTERN,
    LayerRole,
    are_field_measured,
    find_score_field,
    guess_class_field,
    guess_images,
    guess_plot_field,
    imported_role,
    is_study_area,
    partial_layer_message,
    polygon_layers,
    project_layers,
    raster_layers,
    role_messages,
    sample_outlines,
)
from randcrowns.layers.vector.read import LayerRequest, LayerSnapshot, read_crowns
from randcrowns.ui.services.background import BackgroundTask

#: Number of features of a raster, which has none.
_UNKNOWN_COUNT = -1


@dataclass(frozen=True)
class LayerFacts:
    """Properties of a layer for the badge next to its name."""

    count: int  #: Number of features; negative if it is unknown or the layer is a raster.
    crs: str  #: Id of the coordinate reference system, or a text that describes it.
    notices: tuple[str, ...]  #: Problems of the layer, and other notices about it.
    kind: str = ""  #: Type of a raster layer, shown instead of the count; "" for vector layers.
    counts_polygons: bool = False  #: True if the features are called polygons instead of crowns.

    @classmethod
    def of_layer(
        cls, layer: QgsMapLayer, problems: tuple[str, ...] = (), counts_polygons: bool = False
    ) -> LayerFacts:
        """Return the properties of a layer without reading its features.

        Args:
            layer: A vector or raster layer.
            problems: Problems of the features, from :meth:`LayerCheck.problems`.
            counts_polygons: True if the features need not be crowns.
        """
        crs = layer_crs(layer)
        crs_name = _crs_name(crs)
        crs_notices = []
        if not has_datum_or_code(crs):
            if is_in_pixel_coordinates(layer):
                crs_name = tr("pixels, no georeference")
            else:
                crs_notices.append(tr("no coordinate system: set one in the layer's properties"))
        if isinstance(layer, QgsRasterLayer):
            return cls(
                count=_UNKNOWN_COUNT, crs=crs_name, notices=tuple(crs_notices), kind=tr("raster")
            )
        notices = (*problems, *crs_notices, *_content_notices(layer, counts_polygons))
        return cls(
            count=layer.featureCount(),
            crs=crs_name,
            notices=notices,
            counts_polygons=counts_polygons,
        )

    @property
    def text(self) -> str:
        """The number of features, or the type of a raster, and the coordinate system."""
        return f"{self.kind or self._count_text} · {self.crs}"

    @property
    def _count_text(self) -> str:
        """The number of features with a unit, or a text if it is unknown."""
        if self.count < 0:
            return tr("polygons not counted") if self.counts_polygons else tr("crowns not counted")
        if self.counts_polygons:
            return tr("{count:,} polygons", one="1 polygon", count=self.count)
        return tr("{count:,} crowns", one="1 crown", count=self.count)

    @property
    def short(self) -> str:
        """The number of features, or the type of a raster, with ⚠ if there are notices."""
        count = format_value(self.count, 0) if self.count >= 0 else "?"
        text = self.kind or count
        return f"{text} ⚠" if self.notices else text

    @property
    def tooltip(self) -> str:
        """The text and all notices, one per line."""
        return "\n".join([self.text, *self.notices])


def _crs_name(crs: QgsCoordinateReferenceSystem) -> str:
    """Return the id of a CRS, such as "EPSG:32632", or a text if it has no id."""
    if crs.authid():
        return str(crs.authid())
    if has_datum_or_code(crs):
        return tr("custom coordinate system")
    return tr("no coordinate system")


def _content_notices(layer: QgsVectorLayer, counts_polygons: bool) -> list[str]:
    """Return the notices that a layer is empty, in other units than metres, or being edited.

    Args:
        layer: A vector layer.
        counts_polygons: True if the features are called polygons instead of crowns.
    """
    notices = []
    if layer.featureCount() == 0:
        notices.append(tr("no polygons in it") if counts_polygons else tr("no crowns in it"))
    crs = layer_crs(layer)
    if has_datum_or_code(crs):
        notices += _conversion_notices(crs)
    if layer.isEditable() and layer.isModified():
        notices.append(tr("has unsaved edits"))
    return notices


def _conversion_notices(crs: QgsCoordinateReferenceSystem) -> list[str]:
    """Return the notice that coordinates are converted to metres; empty if they are in metres."""
    if is_in_degrees(crs):
        return [tr("in degrees, converted to metres")]
    if crs.mapUnits() != QgsUnitTypes.DistanceUnit.DistanceMeters:
        unit = QgsUnitTypes.toString(crs.mapUnits())
        return [tr("in {unit}, converted to metres", unit=unit)]
    return []


#: Names of rasters that are masks rather than drawings of crowns.
_MASK_NAME = re.compile(r"(?<![a-z])(mask|fov|train|view|valid|excl)", re.IGNORECASE)


def any_in_pixels(layer_ids: Iterable[str]) -> bool:
    """Return True if one of the layers is a raster without georeference.

    Args:
        layer_ids: Ids of layers of the project.
    """
    project = QgsProject.instance()
    rasters = [project.mapLayer(layer_id) for layer_id in layer_ids if is_raster_id(layer_id)]
    return any(is_in_pixel_coordinates(raster) for raster in rasters)


def annotation_layers() -> list[QgsMapLayer]:
    """Return the layers that annotators may have drawn: polygon layers, then rasters."""
    return [*polygon_layers(), *raster_layers()]


def point_layers() -> list[QgsVectorLayer]:
    """Return the project's point layers by name, without results of runs."""
    point_type = QgsWkbTypes.GeometryType.PointGeometry
    return [
        layer
        for layer in project_layers()
        if isinstance(layer, QgsVectorLayer) and layer.geometryType() == point_type
    ]


def guess_annotator_layers(*excluded: str) -> tuple[str, ...]:
    """Guess which layers were drawn by annotators.

    If there is no suitable polygon layer, the rasters are returned that look like drawings.

    Args:
        *excluded: Ids of layers that have another role.

    Returns:
        Ids of the layers.
    """
    layers: list[QgsMapLayer] = list(_guess_annotator_polygons(excluded))
    if not layers:
        rasters = [raster for raster in raster_layers() if raster.id() not in excluded]
        layers = [raster for raster in rasters if _looks_like_drawing(raster)]
    return tuple(layer.id() for layer in layers)


def _may_be_annotator(layer: QgsVectorLayer) -> bool:
    """Return True unless a layer has another role or a detector's scores, or is an area."""
    role = imported_role(layer)
    if role is not None:
        return role is LayerRole.ANNOTATOR
    return not (find_score_field(layer) or _has_area_name(layer) or is_study_area(layer))


def _guess_annotator_polygons(excluded_ids: Collection[str]) -> list[QgsVectorLayer]:
    """Guess which polygon layers were drawn by annotators.

    Layers with a detector's scores, study areas and layers with the name of an area are never
    returned.
    Of the others, layers that were not measured on the ground are preferred, then those with a
    field that names the annotator, then those that one person drew. Of layers that several people
    drew, only the first is returned.
    """
    other_layers = [layer for layer in polygon_layers() if layer.id() not in excluded_ids]
    candidates = [layer for layer in other_layers if _may_be_annotator(layer)]
    drawn_on_image = [layer for layer in candidates if not _has_field_measured_name(layer)]
    drawn_layers = drawn_on_image or candidates
    with_annotator_field = [layer for layer in drawn_layers if _has_annotator_field(layer)]
    preferred_layers = with_annotator_field or drawn_layers
    if len(preferred_layers) <= 1:
        return preferred_layers
    drawn_by_one_person = [layer for layer in preferred_layers if not annotator_field(layer)]
    return drawn_by_one_person or preferred_layers[:1]


def _looks_like_drawing(raster: QgsRasterLayer) -> bool:
    """Return True if a raster marks crowns, and is not a study area or a mask by its name."""
    return (
        is_reference_mask(raster)
        and not _has_area_name(raster)
        and not _MASK_NAME.search(raster.name())
    )


def _has_area_name(layer: QgsMapLayer) -> bool:
    """Return True if a layer is a study area by its name."""
    return AREA_NAME_PATTERN.search(layer.name().lower()) is not None


def _has_field_measured_name(layer: QgsMapLayer) -> bool:
    """Return True if the crowns of a layer were measured on the ground, by its name."""
    return FIELD_MEASURED_PATTERN.search(layer.name().lower()) is not None


def _has_annotator_field(layer: QgsVectorLayer) -> bool:
    """Return True if a layer has a field that names the annotator of each crown."""
    return any(_names_annotators(field.name()) for field in layer.fields())


def _names_annotators(field_name: str) -> bool:
    """Return True if a field contains the names of annotators, by its own name."""
    return bool(field_name.lower().startswith(ANNOTATOR_FIELD_PREFIXES))


def annotator_field(layer: QgsVectorLayer) -> str:
    """Return the field that names the annotator of each crown; "" if it names only one person.

    Also "" if there is no such field, or if it has more values than there may be annotators.
    """
    for index, field in enumerate(layer.fields()):
        if _names_annotators(field.name()):
            values = layer.uniqueValues(index, MAX_ANNOTATORS + 2)
            people = [value for value in values if str(value or "").strip()]
            if 2 <= len(people) <= MAX_ANNOTATORS:
                return str(field.name())
    return ""


def numeric_fields(layer: QgsVectorLayer) -> list[str]:
    """Return the names of the numeric fields without the primary key."""
    key_indices = set(layer.primaryKeyAttributes())
    return [
        field.name()
        for index, field in enumerate(layer.fields())
        if field.isNumeric() and index not in key_indices
    ]


def vector_layer(layer_id: str) -> QgsVectorLayer | None:
    """Return the project's vector layer with an id, or None if there is none."""
    layer = QgsProject.instance().mapLayer(layer_id)
    return layer if isinstance(layer, QgsVectorLayer) else None


def vector_layers(layer_ids: Iterable[str]) -> list[QgsVectorLayer]:
    """Return the project's vector layers with these ids; other ids are skipped."""
    layers = [vector_layer(layer_id) for layer_id in layer_ids]
    return [layer for layer in layers if layer is not None]


#: Id of a layer that a run has read -> its name at that time.
_RECORDED_NAMES: dict[str, str] = {}


def store_layer_names(record: Provenance) -> None:
    """Store the names of the input layers of a run for :func:`layer_name`."""
    names = {layer_id: layer.name for layer_id, layer in record.inputs.items()}
    _RECORDED_NAMES.update(names)


def layer_name(layer_id: str) -> str:
    """Return the name of a layer, or its name in a run that read it if it was removed."""
    layer = QgsProject.instance().mapLayer(layer_id)
    if layer is None:
        return _RECORDED_NAMES.get(layer_id, tr("crowns"))
    return str(layer.name())


def plot_field_label(field: str) -> str:
    """Return the label that names the plot field; "" stands for no plot field."""
    return tr("plots: {field}", field=field) if field else tr("no plots")


class _CachedGuess(NamedTuple):
    """The last result of a guessing function."""

    arguments: tuple[Any, ...]  #: Further arguments, and the states of the layers.
    result: Any  #: What the function returned for them.


class LayerComparison:
    """Guesses about layers that are compared, cached until one of the layers changes."""

    def __init__(self) -> None:
        self._last_guesses: dict[Callable[..., Any], _CachedGuess] = {}

    def plot_field(self, target_id: str, other_ids: Iterable[str]) -> str:
        """Return the plot field that the layers share, or "".

        See :func:`randcrowns.layers.vector.guesses.guess_plot_field`.

        Args:
            target_id: Id of the target layer.
            other_ids: Ids of the layers that are compared with it.
        """
        return str(self._cached(guess_plot_field, (target_id, *other_ids)))

    def class_field(self, target_id: str, other_ids: Iterable[str]) -> str:
        """Return the class field that the layers share, or "".

        See :func:`randcrowns.layers.vector.guesses.guess_class_field`.

        Args:
            target_id: Id of the target layer.
            other_ids: Ids of the layers that are compared with it.
        """
        return str(self._cached(guess_class_field, (target_id, *other_ids)))

    def partial_drawing_message(
        self, target_id: str, other_ids: Iterable[str], plot: str = ""
    ) -> Message | None:
        """Return a message if only some of the crowns were drawn as targets, else None.

        Args:
            target_id: Id of the target layer.
            other_ids: Ids of the layers that are compared with it.
            plot: Plot field of the target layer; "" for none.
        """
        message: Message | None = self._cached(_partial_message, (target_id, *other_ids), plot)
        return message

    def role_messages(self, target_id: str, other_ids: Iterable[str]) -> list[Message]:
        """Return warnings about layers whose roles seem to be swapped.

        See :func:`randcrowns.layers.vector.guesses.role_messages`.

        Args:
            target_id: Id of the target layer.
            other_ids: Ids of the layers that are compared with it.
        """
        messages: list[Message] = self._cached(role_messages, (target_id, *other_ids))
        return messages

    def coarsest_image(self, target_id: str, other_ids: Iterable[str]) -> ImagePixels | None:
        """Return the image that shows the layers with the largest pixels; None without one.

        Args:
            target_id: Id of the target layer.
            other_ids: Ids of the layers that are compared with it.
        """
        raster_ids = [raster.id() for raster in raster_layers()]
        image: ImagePixels | None = self._cached(
            _find_coarsest_image, (target_id, *other_ids), *raster_ids
        )
        return image

    def mean_diameter(self, target_id: str) -> float:
        """Return the mean diameter of the first targets in metres; NaN if it is unknown.

        Args:
            target_id: Id of the target layer.
        """
        diameter: float = self._cached(_measure_mean_diameter, (target_id,))
        return diameter

    def preset_key(self, target_id: str) -> str:
        """Return the key of the preset of alpha, omega and gamma that fits the targets.

        Args:
            target_id: Id of the target layer.

        Returns:
            ``field_polygons`` for crowns that were measured on the ground, else ``image_boxes``.
        """
        is_field = self._cached(_are_field_polygons, (target_id,))
        return "field_polygons" if is_field else "image_boxes"

    def _cached(
        self, guess: Callable[..., Any], layer_ids: tuple[str, ...], *arguments: str
    ) -> Any:
        """Return ``guess(target, others, *arguments)``, which is called if a layer changed.

        Args:
            guess: Receives the target layer or None, and the list of other layers.
            layer_ids: Ids of the target layer and of the others.
            *arguments: Further arguments.
        """
        layers = [vector_layer(layer_id) for layer_id in layer_ids]
        states = [None if layer is None else _layer_state(layer) for layer in layers]
        key = (*arguments, *states)
        last_guess = self._last_guesses.get(guess)
        if last_guess is not None and last_guess.arguments == key:
            return last_guess.result
        target, *others = layers
        result = guess(target, others, *arguments)
        self._last_guesses[guess] = _CachedGuess(arguments=key, result=result)
        return result


def _partial_message(
    target: QgsVectorLayer, others: list[QgsVectorLayer], plot: str
) -> Message | None:
    """Return the reason why the targets look as if only some crowns were drawn, or None.

    Args:
        target: The target layer.
        others: Layers that are compared with it; the first one that gives a reason is used.
        plot: Name of the plot field; "" for none.
    """
    for other in others:
        message = partial_layer_message(target, other, plot)
        if message:
            return message
    return None


class ImagePixels(NamedTuple):
    """An image and the size of its pixels."""

    name: str  #: Name of the layer.
    size: float  #: Longer side of a pixel, m.


def _find_coarsest_image(
    target: QgsVectorLayer | None, others: list[QgsVectorLayer | None], *_raster_ids: str
) -> ImagePixels | None:
    """Return the image below some layers with the largest pixels; None without one in metres.

    Args:
        target: The target layer; None without one.
        others: Layers that are compared with it.
        *_raster_ids: Ids of the project's rasters, on which the result depends.
    """
    layers = [layer for layer in (target, *others) if layer is not None]
    images = []
    for raster_id in guess_images(layers):
        raster = QgsProject.instance().mapLayer(raster_id)
        crs = layer_crs(raster)
        if not has_datum_or_code(crs) or is_in_degrees(crs) or is_in_pixel_coordinates(raster):
            continue
        side = max(raster.rasterUnitsPerPixelX(), raster.rasterUnitsPerPixelY())
        images.append(ImagePixels(raster.name(), side * metres_per_unit(crs)))
    return max(images, key=lambda image: image.size, default=None)


def _measure_mean_diameter(target: QgsVectorLayer | None, _others: list[QgsVectorLayer]) -> float:
    """Return the mean diameter of the first targets, metres; NaN without a CRS in metres or feet.

    Args:
        target: The target layer; None without one.
        _others: Other layers, which do not matter.
    """
    if target is None:
        return math.nan
    crs = layer_crs(target)
    if not has_datum_or_code(crs) or is_in_degrees(crs):
        return math.nan
    return mean_diameter(sample_outlines(target).shapes) * metres_per_unit(crs)


def _are_field_polygons(target: QgsVectorLayer, _others: list[QgsVectorLayer]) -> bool:
    """Return True if the targets were measured on the ground; the other layers do not matter."""
    return are_field_measured(target)


#: Maximum number of features of a layer that is checked; larger ones are checked by runs only.
_MAX_CHECKED_FEATURES = 50_000
#: Identifies the state of a layer, see :func:`_layer_state`.
_LayerState = tuple[Any, ...]
#: Title of the background task.
_TASK_TITLE = tr("RandCrowns: check crowns")


class _CheckResult(NamedTuple):
    """The result of the last check of a layer."""

    state: _LayerState | None  #: State of the layer at the start of the check; None for no check.
    problems: tuple[str, ...]  #: Texts of the problems found.


#: Result of a layer that has not been checked.
_NOT_CHECKED = _CheckResult(state=None, problems=())
#: Id of a layer -> result of its last check.
_CHECKED: dict[str, _CheckResult] = {}


class LayerCheck(QObject):
    """Checks the crowns of layers in the background, once per state of a layer.

    Emits :attr:`problems_changed` when the known problems of a layer have changed.
    """

    problems_changed = pyqtSignal()

    def __init__(self) -> None:
        super().__init__()
        #: Checks in progress by the state of the layer.
        self._checks: dict[_LayerState, BackgroundTask] = {}

    def problems(self, layer: QgsVectorLayer) -> tuple[str, ...]:
        """Return the known problems of a layer, and start a check if it has changed since.

        A layer with unsaved edits is not checked until they are saved, so that drawing a crown
        does not start a check.

        Args:
            layer: A polygon layer.
        """
        state = _layer_state(layer)
        last_check = _CHECKED.get(layer.id(), _NOT_CHECKED)
        can_be_checked = (
            not layer.isModified() and 0 < layer.featureCount() <= _MAX_CHECKED_FEATURES
        )
        if can_be_checked and state != last_check.state and state not in self._checks:
            self._start_check(state, layer)
        return last_check.problems

    @property
    def is_busy(self) -> bool:
        """True while a check is in progress."""
        return bool(self._checks)

    def close(self) -> None:
        """Stop all checks."""
        while self._checks:
            _state, task = self._checks.popitem()
            task.stop()

    def _start_check(self, state: _LayerState, layer: QgsVectorLayer) -> None:
        """Start to check a layer in the background; a layer that cannot be read has no problems.

        Args:
            state: Current state of the layer, by which the result is stored.
            layer: The layer.
        """
        try:
            snapshot = LayerSnapshot.from_layer(layer)
        except RandCrownsError:
            _CHECKED[layer.id()] = _CheckResult(state=state, problems=())
            return
        context = QgsProject.instance().transformContext()
        task = BackgroundTask(_TASK_TITLE, partial(_find_problems, snapshot, context))
        self._checks[state] = task
        task.finished.connect(partial(self._store_result, state))

    def _store_result(self, state: _LayerState, outcome: Any) -> None:
        """Store the problems that a check found.

        An exception counts as no problem: the badge reports a missing coordinate system itself,
        and a run reports everything else.

        Args:
            state: State of the layer when the check was started; its first item is the layer's id.
            outcome: Texts of the problems, or an exception.
        """
        if self._checks.pop(state, None) is None:
            return
        layer_id = state[0]
        previous_check = _CHECKED.get(layer_id, _NOT_CHECKED)
        problems = () if isinstance(outcome, Exception) else outcome
        _CHECKED[layer_id] = _CheckResult(state=state, problems=problems)
        if problems != previous_check.problems:
            self.problems_changed.emit()


def _find_problems(
    snapshot: LayerSnapshot, context: QgsCoordinateTransformContext, progress: Progress
) -> tuple[str, ...]:
    """Return the problems of a layer's crowns in the user's language, one text per problem.

    Args:
        snapshot: Snapshot of the layer, which can be read in a worker thread.
        context: Coordinate transformations of the project.
        progress: Progress callback; it raises an exception to cancel the reading.
    """
    issues = read_crowns(LayerRequest(snapshot), context, progress).report.issues
    return tuple(issue.message_clause(len(ids)).sentence(tr) for issue, ids in issues.items())


#: Id of a layer -> how often it was opened or its edits were saved.
_SAVE_COUNTS: Counter[str] = Counter()
#: Custom Qt property of a layer whose saves are counted: identifies the counter, since reloading
#: the plugin creates a new one.
_COUNTER_PROPERTY = "randcrowns_saved"


def _layer_state(layer: QgsVectorLayer) -> _LayerState:
    """Return a tuple that changes when the saved features of a layer change.

    It starts with the id of the layer. The first call for a layer connects a signal that counts
    how often edits are saved.
    """
    counter_id = str(id(_SAVE_COUNTS))
    if layer.property(_COUNTER_PROPERTY) != counter_id:
        layer.setProperty(_COUNTER_PROPERTY, counter_id)
        _SAVE_COUNTS[layer.id()] += 1
        layer.afterCommitChanges.connect(partial(_SAVE_COUNTS.update, [layer.id()]))
    return (
        layer.id(),
        layer.featureCount(),
        _SAVE_COUNTS[layer.id()],
        layer.crs().authid(),
        layer.subsetString(),
        layer.source(),
    )
