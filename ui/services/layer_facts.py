"""What can be said about a layer at a glance, for the badge beside its name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

from qgis.core import (
    QgsCoordinateTransformContext,
    QgsMapLayer,
    QgsProject,
    QgsRasterLayer,
    QgsUnitTypes,
    QgsVectorLayer,
    QgsWkbTypes,
)
from qgis.PyQt.QtCore import QObject, pyqtSignal

from randcrowns.algorithms.layer_choice import is_raster
from randcrowns.algorithms.record import Record
from randcrowns.core.agreement.votes import MOST_ANNOTATORS
from randcrowns.core.errors import RandCrownsError
from randcrowns.core.progress import Progress
from randcrowns.core.remarks import Remark
from randcrowns.layers.crs import in_degrees, is_defined, system_of
from randcrowns.layers.raster.grid import lies_in_pixels
from randcrowns.layers.raster.marks import holds_marks
from randcrowns.layers.vector.guesses import (
    AREA_NAME,
    ON_THE_GROUND,
    PEOPLE,
    are_field_polygons,
    partial_because,
    plot_field,
    polygon_layers,
    project_inputs,
    raster_layers,
    score_field,
)
from randcrowns.layers.vector.read import LayerRequest, LayerSnapshot, read_crowns
from randcrowns.layers.words import tr, written
from randcrowns.ui.services.background import Background


@dataclass(frozen=True)
class LayerFacts:
    """A layer's badge: how many crowns, which coordinate system, and whatever is odd about them.

    A raster's says ``what`` it is in place of a number of crowns. Where it need not be crowns that were drawn, they are
    called ``polygons``.
    """

    count: int
    crs: str
    odd: tuple[str, ...]
    what: str = ""
    polygons: bool = False

    @classmethod
    def of(
        cls, layer: QgsMapLayer, found: tuple[str, ...] = (), polygons: bool = False
    ) -> LayerFacts:
        """Facts that cost no reading of features, and what a look at them has ``found`` to be odd."""
        crs = system_of(layer)
        pixels = not (known := is_defined(crs)) and lies_in_pixels(layer)
        missing = (
            ()
            if known or pixels
            else (tr("no coordinate system: set one in the layer's properties"),)
        )
        name = crs.authid() or (
            tr("own coordinate system") if known else tr("no coordinate system")
        )
        name = tr("pixels, no georeference") if pixels else name
        if isinstance(layer, QgsRasterLayer):
            return cls(-1, name, missing, tr("raster"))
        odd = [*found, *missing]
        if layer.featureCount() == 0:
            odd.append(tr("no polygons in it") if polygons else tr("no crowns in it"))
        if known and in_degrees(crs):
            odd.append(tr("in degrees, worked on in metres"))
        elif known and crs.mapUnits() != QgsUnitTypes.DistanceUnit.DistanceMeters:
            odd.append(
                tr("in {unit}, worked on in metres", unit=QgsUnitTypes.toString(crs.mapUnits()))
            )
        if layer.isEditable() and layer.isModified():
            odd.append(tr("has edits not saved yet"))
        return cls(layer.featureCount(), name, tuple(odd), polygons=polygons)

    @property
    def text(self) -> str:
        """How many crowns, and where they are."""
        many, one = (
            ("{count:,} polygons", "1 polygon")
            if self.polygons
            else ("{count:,} crowns", "1 crown")
        )
        uncounted = tr("polygons not counted") if self.polygons else tr("crowns not counted")
        counting = tr(many, one=one, count=self.count) if self.count >= 0 else uncounted
        return f"{self.what or counting} · {self.crs}"

    @property
    def short(self) -> str:
        """The badge where there is little room."""
        count = self.what or (written(self.count, 0) if self.count >= 0 else "?")
        return f"{count} ⚠" if self.odd else count

    @property
    def tooltip(self) -> str:
        """The badge in full."""
        return "\n".join([self.text, *self.odd])


#: Names of rasters that say where to look, or where not.
_MASK = re.compile(r"(?<![a-z])(mask|fov|train|view|valid|excl)", re.IGNORECASE)


def lie_in_pixels(layer_ids: Iterable[str]) -> bool:
    """Whether some of the project's layers of these ids are images without a georeference."""
    return any(
        map(lies_in_pixels, map(QgsProject.instance().mapLayer, filter(is_raster, layer_ids)))
    )


def drawings() -> list[QgsMapLayer]:
    """Layers that annotators can have drawn: polygons, and rasters."""
    return [*polygon_layers(), *raster_layers()]


def point_layers() -> list[QgsVectorLayer]:
    """The project's layers of points that were not made by a run of ours, by name."""
    points = QgsWkbTypes.GeometryType.PointGeometry
    return [
        one
        for one in project_inputs()
        if isinstance(one, QgsVectorLayer) and one.geometryType() == points
    ]


def usual_annotators(*left_out: str) -> tuple[str, ...]:
    """Ids of the layers with a field that says who drew; else of every polygon layer that is no study area by its name.

    Where there is none, of the rasters that look like drawings. A layer with scores is a detector's. One measured on
    the ground, and one whose field names several people, is taken only where there is no other: it is not drawn by one
    person. Layers ``left_out`` stand elsewhere.
    """
    offered = [
        layer for layer in polygon_layers() if not (layer.id() in left_out or score_field(layer))
    ]
    offered = [layer for layer in offered if not AREA_NAME.search(layer.name().lower())]
    layers = [
        layer for layer in offered if not ON_THE_GROUND.search(layer.name().lower())
    ] or offered
    named = [
        layer
        for layer in layers
        if any(f.name().lower().startswith(PEOPLE) for f in layer.fields())
    ]
    taken = named or layers
    if len(taken) > 1:
        taken = [layer for layer in taken if not person_field(layer)] or taken[:1]
    marked = (
        []
        if taken
        else [one for one in raster_layers() if one.id() not in left_out and holds_marks(one)]
    )
    drawn = [
        layer
        for layer in marked
        if not (AREA_NAME.search(layer.name().lower()) or _MASK.search(layer.name()))
    ]
    return tuple(layer.id() for layer in taken or drawn)


def person_field(layer: QgsVectorLayer) -> str:
    """The field that says who drew, where it names several people; else empty."""
    for number, field in enumerate(layer.fields()):
        if field.name().lower().startswith(PEOPLE):
            people = [
                one
                for one in layer.uniqueValues(number, MOST_ANNOTATORS + 2)
                if str(one or "").strip()
            ]
            if 2 <= len(people) <= MOST_ANNOTATORS:
                return str(field.name())
    return ""


def numeric_fields(layer: QgsVectorLayer) -> list[str]:
    """Names of the fields with numbers, but for keys."""
    keys = set(layer.primaryKeyAttributes())
    return [
        field.name()
        for number, field in enumerate(layer.fields())
        if field.isNumeric() and number not in keys
    ]


def vector_layer(layer_id: str) -> QgsVectorLayer | None:
    """The vector layer of that id in the project, None where there is none."""
    layer = QgsProject.instance().mapLayer(layer_id)
    return layer if isinstance(layer, QgsVectorLayer) else None


#: Id of a layer -> its name, of the inputs of runs.
_RECORDED: dict[str, str] = {}


def remember_names(record: Record) -> None:
    """Know what the layers that a run read were called, also when they are gone."""
    _RECORDED.update({layer_id: one.name for layer_id, one in record.inputs.items()})


def name_of(layer_id: str) -> str:
    """What the layer of that id is called, or was if it is gone."""
    layer = QgsProject.instance().mapLayer(layer_id)
    return _RECORDED.get(layer_id, tr("crowns")) if layer is None else str(layer.name())


def plots_told(field: str) -> str:
    """By which field crowns are compared within their plots, beside an answer."""
    return tr("plots: {field}", field=field) if field else tr("no plots")


class Compared:
    """What two sides that are compared have in common, looked up once for the same layers as they are."""

    def __init__(self) -> None:
        self._known: dict[Callable[..., Any], tuple[Any, Any]] = {}

    def plot_field(self, target_id: str, other_ids: Iterable[str]) -> str:
        """The field with the plot of :func:`randcrowns.layers.vector.guesses.plot_field`."""
        return str(self._once(plot_field, (target_id, *other_ids)))

    def partial_because(
        self, target_id: str, other_ids: Iterable[str], plot: str = ""
    ) -> Remark | None:
        """What shows of any pair that only some crowns were drawn; None where nothing does."""
        found: Remark | None = self._once(_any_partial, (target_id, *other_ids), plot)
        return found

    def preset(self, target_id: str) -> str:
        """Key of the lengths that fit the targets."""
        return "field_polygons" if self._once(_of_the_field, (target_id,)) else "image_boxes"

    def _once(self, look: Callable[..., Any], layer_ids: tuple[str, ...], *more: str) -> Any:
        target, *others = map(vector_layer, layer_ids)
        key = (*more, *(None if layer is None else _key(layer) for layer in (target, *others)))
        if self._known.get(look, (None, None))[0] != key:
            self._known[look] = key, look(target, others, *more)
        return self._known[look][1]


def _any_partial(target: QgsVectorLayer, others: list[QgsVectorLayer], plot: str) -> Remark | None:
    return next(filter(None, (partial_because(target, other, plot) for other in others)), None)


def _of_the_field(target: QgsVectorLayer, _others: list[QgsVectorLayer]) -> bool:
    return are_field_polygons(target)


#: Larger layers are looked through by the run itself only.
_MOST_FEATURES = 50_000
_Key = tuple[Any, ...]
#: What QGIS calls a look at a layer.
_LOOKING = tr("RandCrowns: look at crowns")


#: Id of a layer -> what was odd about it, as what it was then.
_KNOWN: dict[str, tuple[_Key, tuple[str, ...]]] = {}


class LayerCheck(QObject):
    """Looks at layers once while they stay as they are. :attr:`found` tells that something else is known."""

    found = pyqtSignal()

    def __init__(self) -> None:
        super().__init__()
        self._asked: dict[_Key, Background] = {}

    def oddities(self, layer: QgsVectorLayer) -> tuple[str, ...]:
        """What is known to be odd about the layer's crowns; asks for a look when it changed since the last.

        A layer being edited is looked at again when the edits are saved: not for every crown that is drawn.
        """
        key = _key(layer)
        seen, found = _KNOWN.get(layer.id(), (None, ()))
        if (
            not layer.isModified()
            and 0 < layer.featureCount() <= _MOST_FEATURES
            and key not in (seen, *self._asked)
        ):
            self._ask(key, layer)
        return found

    @property
    def busy(self) -> bool:
        """Whether a look is under way."""
        return bool(self._asked)

    def close(self) -> None:
        """Stop looking."""
        while self._asked:
            self._asked.popitem()[1].stop()

    def _ask(self, key: _Key, layer: QgsVectorLayer) -> None:
        try:
            snapshot = LayerSnapshot.of(layer)
        except RandCrownsError:
            _KNOWN[layer.id()] = key, ()
            return
        self._asked[key] = Background(
            _LOOKING, partial(_look, snapshot, QgsProject.instance().transformContext())
        )
        self._asked[key].ended.connect(partial(self._take, key))

    def _take(self, key: _Key, found: Any) -> None:
        """What a look found; an error says nothing: the badge says that there is no system, a run all else."""
        if self._asked.pop(key, None) is not None:
            before = _KNOWN.get(key[0], (key, ()))[1]
            _KNOWN[key[0]] = key, () if isinstance(found, Exception) else found
            if _KNOWN[key[0]][1] != before:
                self.found.emit()


def _look(
    snapshot: LayerSnapshot, context: QgsCoordinateTransformContext, progress: Progress
) -> tuple[str, ...]:
    found = read_crowns(LayerRequest(snapshot), context, progress).report.oddities
    return tuple(oddity.clause(len(ids)).sentence(tr) for oddity, ids in found.items())


#: Id of a layer -> how often it was opened, or its edits were saved.
_SAVED: Counter[str] = Counter()
#: Property of a layer whose savings are counted: which module does.
_COUNTED = "randcrowns_saved"


def _key(layer: QgsVectorLayer) -> _Key:
    """What tells a layer from what it was."""
    if layer.property(_COUNTED) != str(id(_SAVED)):
        layer.setProperty(_COUNTED, str(id(_SAVED)))
        _SAVED[layer.id()] += 1
        layer.afterCommitChanges.connect(partial(_SAVED.update, [layer.id()]))
    is_at = layer.crs().authid(), layer.subsetString(), layer.source()
    return layer.id(), layer.featureCount(), _SAVED[layer.id()], *is_at
