"""Layers as they are when a run begins, safe to read in the background, and turned into crowns."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import shapely
from osgeo import gdal
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransformContext,
    QgsFeature,
    QgsFeatureRequest,
    QgsFields,
    QgsVectorLayer,
    QgsVectorLayerFeatureSource,
)
from qgis.PyQt.QtCore import QDate, QDateTime, Qt, QTime

from randcrowns.core.arrays import Bools, Floats, Ints, Objects
from randcrowns.core.comparison import unused_plots
from randcrowns.core.crowns import LARGEST, Crowns
from randcrowns.core.errors import InputError
from randcrowns.core.progress import Progress, aside, no_progress, part_of
from randcrowns.core.remarks import Remark, note, warning
from randcrowns.layers.compat import is_null, is_polygon_layer
from randcrowns.layers.crs import WorkingCrs, check_crs, check_not_degrees, system_of
from randcrowns.layers.databases import cause_of, layer_file, wait_for
from randcrowns.layers.vector.geometry import Oddity, ReadReport, plain_polygons, usable_polygons
from randcrowns.layers.vector.names import by_number, unique_names
from randcrowns.layers.vector.tables import attribute_values, feature_blocks
from randcrowns.layers.vector.write import our_fields

#: Providers whose number of features is no estimate.
_EXACT = ("ogr", "memory", "spatialite")
#: Parts of errors that mean for a file that is read what they mean for one that is written.
_OF_READING = ("is locked", "malformed", "not a database", "corrupt")
_CHANGED = (
    "Layer '{layer}' had {expected} crowns when the run began, but {read} were read: it was changed or filtered "
    "meanwhile, or its file is damaged."
)


@dataclass(frozen=True)
class LayerSnapshot:
    """What is needed of a layer; holds no layer, so the layer may be removed or edited meanwhile.

    Edits that are saved to the layer's file, and a filter that is set, before the features are read do show;
    :meth:`changed_since` tells when the number of features gives them away.
    """

    name: str
    crs: QgsCoordinateReferenceSystem
    fields: QgsFields
    our_fields: tuple[str, ...]  #: names of those that an earlier run wrote.
    selected: tuple[int, ...] | None  #: ids of the features to read, or None for all.
    count: int  #: number of features as the layer tells it, -1 when unknown.
    wkb_type: Any
    source: QgsVectorLayerFeatureSource
    expression: str = ""  #: only features for which it holds; empty for all.
    limit: int = -1  #: most features to read, -1 for all.
    counted: bool = False  #: whether ``count`` is exact.
    file: Path | None = None  #: what it is read from; None for memory and servers.

    @classmethod
    def of(
        cls,
        layer: QgsVectorLayer,
        selected_only: bool = False,
        expression: str = "",
        limit: int = -1,
        polygons: bool = True,
    ) -> LayerSnapshot:
        """Take the snapshot, of ``polygons`` only. Call it where the layer lives; unsaved edits are in it."""
        name = layer.name()
        if not layer.isValid():
            said = "Layer '{name}' cannot be read; check that its file or database is still there."
            raise InputError(said, name=name)
        if polygons and not is_polygon_layer(layer):
            raise InputError(
                "Layer '{name}' holds no polygons; crowns must be polygons.", name=name
            )
        wait_for(file := layer_file(layer))
        return cls(
            name=name,
            crs=system_of(layer),
            fields=QgsFields(layer.fields()),
            our_fields=tuple(sorted(our_fields(layer))),
            selected=tuple(layer.selectedFeatureIds()) if selected_only else None,
            count=layer.selectedFeatureCount() if selected_only else layer.featureCount(),
            wkb_type=layer.wkbType(),
            source=QgsVectorLayerFeatureSource(layer),
            expression=expression,
            limit=limit,
            counted=layer.providerType() in _EXACT,
            file=file,
        )

    def of_some(self, layer: QgsVectorLayer, ids: Sequence[int]) -> LayerSnapshot:
        """The snapshot of the layer as it is now, of those of these features only that this one is of."""
        asked = ids if self.selected is None else sorted(set(ids).intersection(self.selected))
        now = QgsVectorLayerFeatureSource(layer)
        return replace(self, selected=tuple(asked), source=now, fields=layer.fields(), count=-1)

    def changed_since(self, name: str, read: int) -> Remark | None:
        """A remark when more or fewer features were read than there were; ``name`` is what the run calls the layer."""
        if self._expected < 0 or read == self._expected:
            return None
        return note("input.changed", _CHANGED, layer=name, expected=self._expected, read=read)

    @property
    def _expected(self) -> int:
        """How many features are to be read, -1 when unknown."""
        if not self.counted or self.expression:
            return -1
        return self.count if self.limit < 0 else min(self.count, self.limit)

    def features(
        self, attributes: list[str] | None = None, progress: Progress = no_progress
    ) -> list[QgsFeature]:
        """All features, by id, with the named attributes only (None: all).

        Raises:
            InputError: where they cannot be read, as while another program keeps the file locked.
        """
        request = QgsFeatureRequest()
        if self.expression:
            request.setFilterExpression(self.expression)
        elif self.selected is not None:
            request.setFilterFids(list(self.selected))
        if attributes is not None:
            request.setSubsetOfAttributes([self.fields.lookupField(name) for name in attributes])
        wait_for(self.file, progress)
        found, problem = self._read(request, progress)
        if len(found) < max(self._expected, min(self.count, 1)) and not _is_of_reading(problem):
            # A connection that QGIS opened while the file was locked, or its log was moved into it, gives no saved
            # feature later either; held, it is not used.
            held = self.source.getFeatures(request)
            found, problem = self._read(request, progress)
            held.close()
        self._check(len(found), problem)
        if self.expression and self.selected is not None:
            wanted = set(self.selected)
            found = [feature for feature in found if feature.id() in wanted]
        found.sort(key=QgsFeature.id)
        return found if self.limit < 0 else found[: self.limit]

    def _read(self, request: QgsFeatureRequest, progress: Progress) -> tuple[list[QgsFeature], str]:
        """What is found, and why GDAL found no more, where it says so: QGIS does not."""
        gdal.ErrorReset()
        blocks = feature_blocks(self.source.getFeatures(request), progress, self.count)
        found = [feature for block in blocks for feature in block]
        return (
            found,
            gdal.GetLastErrorMsg().lower() if gdal.GetLastErrorType() >= gdal.CE_Failure else "",
        )

    def _check(self, read: int, problem: str) -> None:
        """Refuse to go on with what is not all there was, where it is known that this is no change of the layer's."""
        if 0 <= self._expected <= read:
            return
        if _is_of_reading(problem):
            raise InputError(cause_of(problem, self.file or Path(self.name)))
        if problem and (not read or self._expected > 0):
            said = "Layer '{name}' cannot be read; check that its file or database is still there."
            raise InputError(said, name=self.name)
        if not read and self._expected > 0 and self.selected is None:
            raise InputError(_CHANGED, layer=self.name, expected=self._expected, read=read)


def _is_of_reading(problem: str) -> bool:
    return any(part in problem for part in _OF_READING)


class AtExtent(Enum):
    """What becomes of a layer's crowns at the study area: all stay, those inside stay whole, or all are cut to it."""

    STAY = "stay"
    INSIDE = "inside"
    CUT = "cut"


@dataclass(frozen=True)
class LayerRequest:
    """A layer to read, and how."""

    snapshot: LayerSnapshot  #: the layer.
    name: str = ""  #: what the crowns are called, unless the layer's name.
    #: Field with the plot, or with the annotator's name; a layer without it has no groups.
    group_field: str = ""
    #: Exclude crowns without a group; they are a group of their own otherwise.
    unnamed_excluded: bool = False
    score_field: str = (
        ""  #: field with a detector's confidence; a layer without it keeps every crown.
    )
    score_threshold: float = (
        -sys.float_info.max
    )  #: crowns below it are excluded, and crowns without a score.
    plot_field: str = ""  #: field with the plot that is not used, for a look at what comes of that.
    apart_field: str = ""  #: field with the plot, where plots lie apart; the plots are no groups.
    all_attributes: bool = False  #: keep every attribute with the features.
    at_extent: AtExtent = AtExtent.STAY  #: what becomes of them at the study area.
    needed: bool = False  #: without its crowns the results are useless.


@dataclass(frozen=True)
class CrownLayer:
    """A layer that was read."""

    crowns: Crowns  #: the usable crowns, in working coordinates.
    rows: Ints  #: (n,) which feature each crown is.
    features: list[QgsFeature]  #: every feature, by id, as it came.
    working: WorkingCrs  #: the working coordinate system.
    report: ReadReport  #: what was odd.
    request: LayerRequest  #: how it was to be read.
    #: Every name in the group field, those of features without a usable crown too.
    groups: frozenset[str] = frozenset()
    #: (n,) what of each crown lies in the study area, where crowns are cut to it; else None.
    cut: Objects | None = None

    def remarks(self) -> list[Remark]:
        """What was odd, and that nothing is left."""
        said = "Layer '{layer}' has no polygons that can be used."
        none = (warning if self.request.needed else note)(
            "input.none", said, layer=self.crowns.name
        )
        return [*self.report.remarks(), *([] if len(self.crowns) else [none])]

    @property
    def plots(self) -> Objects:
        """(n,) the plot of each crown, where plots lie apart; None without one."""
        found, field = np.full(len(self.crowns), None, dtype=object), self.request.apart_field
        if self.request.snapshot.fields.lookupField(field) >= 0:
            found[:] = [text_of(value) for value in self.values(field)]
        return found

    def values(self, field: str) -> list[Any]:
        """What a field says of each crown; None where it says nothing."""
        place = self.request.snapshot.fields.lookupField(field)
        found = (self.features[row].attribute(place) for row in self.rows)
        return [None if is_null(value) else value for value in found]

    def numbers(self, field: str) -> Floats:
        """(n,) the numbers in a field, NaN where there is none."""
        return np.array(attribute_values(self.values(field), "real"), dtype=np.float64)

    def across_plots(
        self, other: CrownLayer, rows: Ints | None = None, other_rows: Ints | None = None
    ) -> Remark | None:
        """What is to be said of the plot field that is not used, where both layers have it.

        The pairs are (n,) rows of this layer and of the other; those that overlap by default.
        """
        field = self.request.plot_field
        if not field or other.request.snapshot.fields.lookupField(field) < 0:
            return None
        if rows is None or other_rows is None:
            tree = shapely.STRtree(other.crowns.geometry.copy())
            rows, other_rows = tree.query(self.crowns.geometry, predicate="intersects")
        plots, others = (
            np.array([text_of(one) for one in layer.values(field)], dtype=object)
            for layer in (self, other)
        )
        named = len(set(plots) - {None})
        return unused_plots(other.crowns.name, field, plots[rows] != others[other_rows], named)

    def kept(self, which: Bools) -> CrownLayer:
        """The layer with these crowns only."""
        return replace(self, crowns=self.crowns.subset(which), rows=self.rows[which])


def read_crowns(
    request: LayerRequest,
    working: WorkingCrs | QgsCoordinateTransformContext,
    progress: Progress = no_progress,
) -> CrownLayer:
    """Read a layer, repair what can be repaired, and say what was odd.

    ``working`` is where to compute; a transform context stands for the layer's own choice.
    """
    snapshot, group_field = request.snapshot, request.group_field
    called = request.name or snapshot.name
    report = ReadReport(called)
    here = working if isinstance(working, WorkingCrs) else None
    check_crs(called, snapshot.crs) if here is None else here.check(called, snapshot.crs)
    named_fields = (group_field, request.score_field, request.plot_field, request.apart_field)
    asked = [
        name
        for name in dict.fromkeys(named_fields)
        if name and snapshot.fields.lookupField(name) >= 0
    ]
    features = snapshot.features(
        None if request.all_attributes else asked, part_of(progress, 0.0, 0.4)
    )
    changed = snapshot.changed_since(called, len(features))
    numbered = _number_rows(features, called)
    ids = np.array([feature.id() for feature in features], dtype=np.int64)
    shapes = aside(lambda _told: plain_polygons(features, ids, report), part_of(progress, 0.4, 0.6))
    bounds = _usable_bounds(shapes)
    if here is None or not here.in_pixels:
        check_not_degrees(called, snapshot.crs, bounds)
    progress(0.6)
    if not isinstance(working, WorkingCrs):
        working = WorkingCrs.for_layer(called, snapshot.crs, _centre(bounds), working)
        apart = working.too_far_apart(called, snapshot.crs, _outermost(bounds))
        found_out = [changed, numbered, working.note, apart]
    else:
        said = "Layer '{layer}' is in {crs}; it was brought to {working}."
        brought = note(
            "input.brought", said, layer=called, crs=snapshot.crs.authid(), working=working.name
        )
        found_out = [
            changed,
            numbered,
            None if working.in_pixels or snapshot.crs == working.crs else brought,
        ]
    report.notes += filter(None, found_out)
    moved = partial(working.metres_from, snapshot.crs, name=called)
    found = usable_polygons(shapes, ids, report, moved, part_of(progress, 0.6, 0.94))
    if request.score_field:
        _leave_low_scores(found, features, ids, request, report)
    named = _groups(features, snapshot, group_field)
    if named is None and group_field:
        said = "Layer '{layer}' has no field '{field}'; its crowns count to the group of the nearest target."
        report.notes.append(note("input.no_group_field", said, layer=called, field=group_field))
    if named is not None:
        _tell_unnamed(named, found, ids, request, report)
    rows = np.flatnonzero(~shapely.is_missing(found))
    crowns = Crowns(
        found[rows], ids[rows], None if named is None else named[rows], called, working.name
    )
    progress(1.0)
    groups = frozenset() if named is None else frozenset(filter(None, named))
    return CrownLayer(crowns, rows, features, working, report, request, groups)


def crowns_by_field(
    layers: Sequence[CrownLayer], field: str, taken: Sequence[str] = ()
) -> tuple[dict[str, Crowns], list[Remark]]:
    """The crowns of each annotator that a field names, numbers before words, and remarks on crowns without a name.

    Args:
        layers: read with all attributes.
        taken: names that no annotator may have; one who has is given another.
    """
    place = [layer.request.snapshot.fields.lookupField(field) for layer in layers]
    every = {
        text_of(one.attribute(at)) for layer, at in zip(layers, place) for one in layer.features
    } - {None}
    if not every:
        raise InputError(
            "No polygon has anything in field '{field}', so there is no annotator.", field=field
        )
    named = [
        np.array([text_of(value) for value in layer.values(field)], dtype=object)
        for layer in layers
    ]
    said = "Layer '{layer}': {count:,} polygons have nothing in field '{field}' and are excluded."
    told = [
        note(
            "annotators.unnamed",
            said,
            layer=layer.crowns.name,
            count=(names == None).sum(),
            field=field,
        )  # noqa: E711
        for layer, names in zip(layers, named)
        if None in names
    ]
    everyone = sorted(filter(None, every), key=by_number)
    found = {}
    for name, called in zip(everyone, unique_names([*taken, *everyone])[len(taken) :]):
        parts = [layer.crowns.subset(names == name) for layer, names in zip(layers, named)]
        groups = [part.groups for part in parts if part.groups is not None]
        found[called] = Crowns.of_checked(
            np.concatenate([part.geometry for part in parts]),
            parts[0].ids if len(parts) == 1 else np.arange(sum(map(len, parts))),
            np.concatenate(groups) if len(groups) == len(parts) else None,
            called,
            parts[0].crs,
        )
    return found, told


def _number_rows(features: list[QgsFeature], name: str) -> Remark | None:
    """Number the features by their rows where an id is not that of one only, as in views that join tables."""
    repeated = len(features) - len({feature.id() for feature in features})
    if not repeated:
        return None
    for row, feature in enumerate(features, 1):
        feature.setId(row)
    said = "Layer '{layer}' gives several crowns one id, as a view that joins tables does; ids in the results are rows."
    return note("input.repeated_ids", said, layer=name)


def _centre(bounds: Floats) -> tuple[float, float]:
    if len(bounds) == 0:
        return 0.0, 0.0
    (xmin, ymin), (xmax, ymax) = bounds[:, :2].min(axis=0), bounds[:, 2:].max(axis=0)
    return float(xmin + xmax) / 2, float(ymin + ymax) / 2


def _outermost(bounds: Floats) -> Floats:
    """(n, 2) centres of the crowns farthest west, south, east and north, n at most 4."""
    if len(bounds) == 0:
        return np.empty((0, 2))
    centres = (bounds[:, :2] + bounds[:, 2:]) / 2
    rows = {*centres.argmin(axis=0).tolist(), *centres.argmax(axis=0).tolist()}
    found: Floats = centres[sorted(rows)]
    return found


def _usable_bounds(shapes: Objects) -> Floats:
    bounds = shapely.bounds(shapes)
    with np.errstate(invalid="ignore"):
        found: Floats = bounds[(np.abs(bounds) < LARGEST).all(axis=1)]
    return found


def _leave_low_scores(
    shapes: Objects,
    features: list[QgsFeature],
    ids: Ints,
    request: LayerRequest,
    report: ReadReport,
) -> None:
    """Make None of the shapes whose score is below the threshold or missing; minus infinity is no score."""
    place, threshold = (
        request.snapshot.fields.lookupField(request.score_field),
        request.score_threshold,
    )
    if place < 0:
        said = "Layer '{layer}' has no field '{field}'; all its crowns were kept."
        report.notes.append(
            note("input.no_score_field", said, layer=report.layer, field=request.score_field)
        )
        return
    if not math.isfinite(threshold):
        raise InputError(
            "The score threshold must be a number, but it is {threshold}.", threshold=threshold
        )
    scores = np.array(
        attribute_values([feature.attribute(place) for feature in features], "real"), dtype=float
    )
    present = ~shapely.is_missing(shapes)
    scores[np.isneginf(scores)] = math.nan
    without, low = present & np.isnan(scores), present & (scores < threshold)
    report.add(Oddity.NO_SCORE, ids[without])
    report.add(Oddity.LOW_SCORE, ids[low])
    shapes[without | low] = None


def _groups(
    features: list[QgsFeature], snapshot: LayerSnapshot, group_field: str
) -> Objects | None:
    """The group of each feature as text, so that layers with unlike field types agree; None without the field."""
    place = snapshot.fields.lookupField(group_field) if group_field else -1
    if place < 0:
        return None
    groups = np.empty(len(features), dtype=object)
    groups[:] = [text_of(feature.attribute(place)) for feature in features]
    return groups


def _tell_unnamed(
    groups: Objects, shapes: Objects, ids: Ints, request: LayerRequest, report: ReadReport
) -> None:
    """Report the shapes without a group, and make None of them where they are left out."""
    unnamed = ~shapely.is_missing(shapes) & np.array(
        [group is None for group in groups], dtype=bool
    )
    if request.unnamed_excluded:
        report.add(Oddity.NO_NAME, ids[unnamed])
        shapes[unnamed] = None
    elif unnamed.any():
        report.notes.append(
            note(
                "input.no_group",
                "Layer '{layer}': {count:,} crowns have nothing in field '{field}'; they are a group of their own, "
                "excluded from the groups' rows of the summary.",
                one="Layer '{layer}': 1 crown has nothing in field '{field}'; it is a group of its own, excluded from "
                "the groups' rows of the summary.",
                layer=report.layer,
                count=unnamed.sum(),
                field=request.group_field,
            )
        )


def text_of(value: Any) -> str | None:
    """A group's name; dates as ISO 8601 writes them. None for what has no value, or nothing to see."""
    if is_null(value):
        return None
    if isinstance(value, float):
        if not math.isfinite(value):
            return None
        return str(int(value)) if value.is_integer() else str(value)
    if isinstance(value, (QDate, QDateTime, QTime)):
        return str(value.toString(Qt.DateFormat.ISODate)) if value.isValid() else None
    return str(value).replace("\0", "").strip() or None
