"""Tables of the core as QGIS features."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from operator import itemgetter
from sys import intern
from typing import Any, Callable

import numpy as np
import pandas as pd
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsExpression,
    QgsFeature,
    QgsFeatureIterator,
    QgsFeatureRequest,
    QgsField,
    QgsFields,
    QgsGeometry,
    QgsVectorLayer,
    QgsVectorLayerFeatureSource,
    QgsWkbTypes,
)

from randcrowns.core.arrays import numbers_in, slices
from randcrowns.core.errors import InputError
from randcrowns.core.progress import Progress, no_progress, part_of, steps
from randcrowns.layers.compat import is_null, new_field
from randcrowns.layers.words import shown

_BLOCK = 2000
#: Of so few features each may be as large as a layer.
_FEW = 100
_KINDS = {"i": "integer", "u": "integer", "b": "integer", "f": "real"}


class Pieces(Sequence[Any]):
    """So many items that are made when they are asked for, some thousand at a time: few are held."""

    def __init__(self, count: int, made: Callable[[slice], Sequence[Any]]) -> None:
        """``made`` gives those of a slice."""
        self._count, self._made = count, made

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            return self._made(slice(*place.indices(self._count)))
        place = range(self._count)[place]
        return self._made(slice(place, place + 1))[0]

    def __iter__(self) -> Iterator[Any]:
        return (item for some in slices(self._count, _BLOCK) for item in self._made(some))


@dataclass
class FeatureTable:
    """Features to be written: fields, a column of values for each, and a geometry per row."""

    #: Coordinate system of the geometries.
    crs: QgsCoordinateReferenceSystem = field(default_factory=QgsCoordinateReferenceSystem)
    wkb_type: Any = QgsWkbTypes.Type.NoGeometry  #: their type; no geometry unless given.
    geometry: Sequence[QgsGeometry] | None = None  #: one per row, or None.
    #: fields, values: in the same order; ``values`` holds a sequence per field.
    fields: QgsFields = field(default_factory=QgsFields)
    values: list[Sequence[Any]] = field(default_factory=list)

    def add(
        self, name: str, values: Any, comment: str = "", kind: str = "", alias: str = ""
    ) -> None:
        """Add a column. ``kind`` is integer, real or text; found out from the values unless given."""
        kind, column = kind or kind_of(values), pd.Series(values)
        held = column.to_numpy() if column.dtype in (object, float, int, bool) else column.array
        plain = Pieces(len(column), lambda some: attribute_values(held[some], kind))
        self.add_field(new_field(name, kind, comment, alias), plain)

    def add_field(self, described: QgsField, values: Sequence[Any]) -> None:
        """Add a column with a field of its own."""
        self.fields.append(described)
        self.values.append(values)

    def call(self, name: str, alias: str) -> None:
        """Give a field another alias."""
        place = self.fields.lookupField(name)
        fields = [QgsField(self.fields.at(number)) for number in range(self.fields.count())]
        fields[place].setAlias(alias)
        self.fields = QgsFields()
        for one in fields:
            self.fields.append(one)

    def rename(self, names: Sequence[str]) -> None:
        """Give the fields other names, in their order."""
        renamed = QgsFields()
        for place, name in enumerate(names):
            changed = QgsField(self.fields.at(place))
            changed.setName(name)
            renamed.append(changed)
        self.fields = renamed

    def numbers_rows(self, name: str) -> bool:
        """Whether a field, in whatever case, has a whole number for every row, each unlike the others."""
        place = next(
            (place for place, field in enumerate(self.fields) if field.name().lower() == name), -1
        )
        return place >= 0 and numbers_all(self.values[place])

    def __len__(self) -> int:
        return len(self.values[0] if self.values else self.geometry or ())

    def in_memory(self, name: str) -> QgsVectorLayer:
        """A temporary layer with the attributes, without geometry."""
        layer = QgsVectorLayer("NoGeometry", name, "memory")
        provider = layer.dataProvider()
        provider.addAttributes([self.fields.at(place) for place in range(self.fields.count())])
        layer.updateFields()
        for block in self.blocks():
            provider.addFeatures(block)
        return layer

    def blocks(self) -> Iterator[list[QgsFeature]]:
        """The features, some thousand at a time; of few each on its own, as a cancel is looked for in between."""
        some = _BLOCK if len(self) > _FEW else 1
        for block in slices(len(self), _BLOCK):
            rows = list(zip(*(column[block] for column in self.values))) or [()] * (
                block.stop - block.start
            )
            for part in slices(len(rows), some):
                features = [QgsFeature(self.fields) for _ in rows[part]]
                for feature, row in zip(features, rows[part]):
                    feature.setAttributes(list(row))
                here = slice(block.start + part.start, block.start + part.stop)
                for feature, shape in zip(
                    features, () if self.geometry is None else self.geometry[here]
                ):
                    feature.setGeometry(shape)
                yield features


def kind_of(values: Any) -> str:
    """What a field must hold for the values: integer, real or text."""
    return _KINDS.get(pd.Series(values).dtype.kind, "text")


def attribute_values(values: Any, kind: str) -> list[Any]:
    """Plain Python values for attributes; what is missing or not a number is None."""
    held = values if isinstance(values, np.ndarray) else pd.Series(values)
    missing = np.asarray(pd.isna(held))
    if kind == "text":
        plain = [str(shown(value)) for value in held.tolist()]
    elif kind == "integer":
        whole = (
            held
            if held.dtype.kind in "biu" and not missing.any()
            else pd.Series(held).astype("Int64").fillna(0)
        )
        plain = np.asarray(whole, dtype=np.int64).tolist()
    else:
        plain = numbers_in(held).tolist()
    return (
        [None if gone else value for gone, value in zip(missing, plain)] if missing.any() else plain
    )


def copied(
    features: Sequence[QgsFeature],
    fields: QgsFields,
    crs: QgsCoordinateReferenceSystem,
    wkb_type: Any,
) -> FeatureTable:
    """Features with all their attributes, to be written elsewhere; those without any get their number."""
    spatial = wkb_type != QgsWkbTypes.Type.NoGeometry
    table = FeatureTable(
        crs, wkb_type, [feature.geometry() for feature in features] if spatial else None
    )
    for place in range(fields.count()):
        described = QgsField(fields.at(place))
        described.setLength(0)  # by which QGIS would round numbers
        described.setPrecision(0)
        table.add_field(described, carried_values(features, place, described.isNumeric()))
    if not table.fields.count():
        table.add("id", [feature.id() for feature in features])
    return table


def carried_fields(
    fields: QgsFields, features: Sequence[QgsFeature], without: Sequence[str]
) -> list[int]:
    """Places of the fields that a copy of the features carries along.

    Fields named ``without`` are left out, and a field ``fid`` that could not be the key of a GeoPackage, where
    it must hold whole numbers that differ.
    """
    left = {name.lower() for name in without}
    places = [
        place for place in range(fields.count()) if fields.at(place).name().lower() not in left
    ]
    key = next((place for place in places if fields.at(place).name().lower() == "fid"), None)
    if key is not None and not numbers_all([feature.attribute(key) for feature in features]):
        places.remove(key)
    return places


def numbers_all(values: Sequence[Any]) -> bool:
    """Whether values can be the key of a GeoPackage: whole numbers that differ."""
    return all(isinstance(value, int) for value in values) and len(set(values)) == len(values)


def carried_values(features: Sequence[QgsFeature], place: int, numeric: bool) -> list[Any]:
    """Values of one field of all features; what a database has yet to fill in for an unsaved feature is empty."""
    values = [feature.attribute(place) for feature in features]
    return [
        None
        if is_null(value) or (numeric and isinstance(value, str) and feature.id() < 0)
        else value
        for feature, value in zip(features, values)
    ]


def table_of(
    layer: QgsVectorLayer | QgsVectorLayerFeatureSource,
    columns: list[str] | None = None,
    where: str = "",
    ids: str = "",
) -> pd.DataFrame:
    """All or some attributes of a layer, or of what it held, missing without a value; then their ids, where named.

    Raises:
        InputError: if it lacks one of the fields: columns are asked for by name of results only.
    """
    names = layer.fields().names()
    for name in columns or ():
        if name not in names:
            said = "Results have lost the field '{field}': their table was changed after the run. Run again."
            raise InputError(said, field=name)
    places = [names.index(name) for name in (names if columns is None else columns)]
    request = QgsFeatureRequest().setFlags(QgsFeatureRequest.Flag.NoGeometry)
    if where:
        request.setFilterExpression(where)
    if columns is not None and not where:
        request.setSubsetOfAttributes(places)
    features = [(feature.id(), feature.attributes()) for feature in layer.getFeatures(request)]
    found = _frame([values for _, values in features], layer.fields(), places)
    return found.assign(**{ids: [one for one, _ in features]}) if ids else found


def display_names(layer: QgsVectorLayer | None) -> Callable[[], dict[int, str]]:
    """What reads the display names of a layer's features, by id and as they are now, on any thread.

    There are none without a layer, and where the names, as set in its properties, tell no crowns apart: they say no
    more than the ids, or most are those of several crowns, as species are.
    """
    if layer is None:
        return dict
    asked, context = QgsExpression(layer.displayExpression()), layer.createExpressionContext()
    asked.prepare(context)
    request = QgsFeatureRequest().setSubsetOfAttributes(asked.referencedColumns(), layer.fields())
    if not asked.needsGeometry():
        request.setFlags(QgsFeatureRequest.Flag.NoGeometry)
    source = QgsVectorLayerFeatureSource(layer)

    def read() -> dict[int, str]:
        found = {}
        for feature in source.getFeatures(request):
            context.setFeature(feature)
            name = asked.evaluate(context)
            found[feature.id()] = "" if is_null(name) else str(name)
        times = Counter(filter(None, found.values()))
        alone = sum(number == 1 for number in times.values())
        tell = 2 * alone >= sum(times.values()) and any(
            name not in ("", str(one)) for one, name in found.items()
        )
        return found if tell else {}

    return read


def _plain(value: Any) -> Any:
    return intern(value) if type(value) is str else None if is_null(value) else value


def _frame(
    rows: Sequence[Sequence[Any]],
    fields: QgsFields,
    places: Sequence[int],
    progress: Progress = no_progress,
) -> pd.DataFrame:
    """Rows of attributes as a table of the fields at these places; equal texts are one, copied and counted faster."""
    columns = {}
    for place, _ in steps(places, progress):
        values, described = (
            pd.Series([_plain(row[place]) for row in rows], dtype=object),
            fields.at(place),
        )
        columns[described.name()] = pd.to_numeric(values) if described.isNumeric() else values
    return pd.DataFrame(columns)


def feature_blocks(
    iterator: QgsFeatureIterator, progress: Progress, count: int = 0
) -> Iterator[list[QgsFeature]]:
    """All that an iterator gives, of about ``count``, with a look at Cancel after each block."""
    found = 0
    for block in iter(lambda: list(islice(iterator, _BLOCK)), []):
        yield block
        found += len(block)
        progress(found / max(count, found + 1))


def table_with_shapes(
    source: QgsVectorLayerFeatureSource, progress: Progress
) -> tuple[pd.DataFrame, list[QgsGeometry]]:
    """Attributes and geometry of every feature that a layer held, by id."""
    rows: list[tuple[int, list[Any], QgsGeometry]] = []
    for block in feature_blocks(
        source.getFeatures(QgsFeatureRequest()), part_of(progress, 0.0, 0.5)
    ):
        rows += [(feature.id(), feature.attributes(), feature.geometry()) for feature in block]
    rows.sort(key=itemgetter(0))
    fields = source.fields()
    attributes = [values for _, values, _ in rows]
    table = _frame(attributes, fields, range(fields.count()), part_of(progress, 0.5, 1.0))
    return table, [geometry for *_, geometry in rows]
