"""The runs that a project and its GeoPackages know: when, what, with which layers and choices, and what was found."""

from __future__ import annotations

import json
import math
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pandas as pd
from qgis.core import QgsMapLayer, QgsProject, QgsRasterLayer, QgsVectorLayer

from randcrowns.algorithms.choice import Choice
from randcrowns.algorithms.record import (
    Record,
    layers_again,
    output_of,
    parameters_again,
    record_in,
    record_of,
    repeating_command,
    why_not_repeated,
)
from randcrowns.core.errors import InputError
from randcrowns.core.remarks import Remark, remarks_from_json
from randcrowns.layers.databases import database_error, layer_file
from randcrowns.layers.files.places import project_file
from randcrowns.layers.files.table_notes import notes_in
from randcrowns.layers.vector.names import free_name
from randcrowns.layers.vector.tables import FeatureTable, attribute_values, kind_of, table_of
from randcrowns.layers.words import sentences, tr

#: Column of a table with the feature ids; no field of a user has such a name.
_FEATURE = "\0feature"
_ROUNDED = 1e-9
_LONG_AGO = datetime.min.replace(tzinfo=timezone.utc)


#: Custom layer property: the runs whose results went into fields of the layer, the last one first, as JSON.
_IN_FIELDS = "randcrowns/runs"


@dataclass(frozen=True)
class InFields:
    """Results of a run that are fields of a layer, and the tables that are kept beside them."""

    layer: str  #: id of the layer.
    output: str  #: id of the output whose columns the fields are.
    id_column: str  #: its column with the feature ids.
    #: Column -> the field, how many values it has, and for numbers their sum.
    fields: Mapping[str, tuple[str, int, float | None]]
    tables: Mapping[str, Mapping[str, list[Any]]]  #: id of another output -> its columns.

    def is_there(self, project: QgsProject) -> bool:
        """Whether the layer still has the fields; their values may be others."""
        layer = project.mapLayer(self.layer)
        return isinstance(layer, QgsVectorLayer) and self._names <= set(layer.fields().names())

    def table(self, output: str, project: QgsProject) -> QgsVectorLayer | None:
        """An output as a temporary table; None where it is gone, or the fields hold other values since."""
        if output in self.tables:
            return _as_table(pd.DataFrame(self.tables[output])).in_memory(output)
        layer = project.mapLayer(self.layer)
        if output != self.output or not self.is_there(project):
            return None
        rows = table_of(layer, ids=_FEATURE)
        rows = rows[rows[[*self._names]].notna().any(axis=1)]
        written = {column: rows[name] for column, (name, _, _) in self.fields.items()}
        if not all(
            _holds(written[column], count, total)
            for column, (_, count, total) in self.fields.items()
        ):
            return None
        own = rows.drop(columns=[*self._names, _FEATURE])
        id_column = free_name(self.id_column, [*own, *written])
        return _as_table(own.assign(**{id_column: rows[_FEATURE], **written})).in_memory(output)

    @property
    def _names(self) -> set[str]:
        return {name for name, _, _ in self.fields.values()}


@dataclass(frozen=True)
class Run:
    """A run that has ended."""

    record: Record  #: how it was made, and its headline.
    layers: Mapping[str, str]  #: id of an output -> id of the layer that the project has of it.
    places: Mapping[str, str]  #: id of an output -> source of the table or file that it is kept in.
    in_fields: InFields | None = None  #: where its results are fields of a layer.
    #: Id of an output -> a layer that no project has.
    held: Mapping[str, QgsMapLayer] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """What was run with which layers, and when."""
        return self.record.title

    @property
    def about(self) -> str:
        """What was run with which layers."""
        return self.title.rpartition(", ")[0] or self.title

    @property
    def day(self) -> str:
        """The day on which it began, here, as ``2026-11-23``."""
        return f"{self.time.astimezone():%Y-%m-%d}"

    @property
    def algorithm(self) -> str:
        """Id of the algorithm, as ``randcrowns:scorecrowns``."""
        return self.record.algorithm

    @property
    def time(self) -> datetime:
        """When it began; long ago where that cannot be read."""
        try:
            return datetime.fromisoformat(self.record.words_of("time")).astimezone(timezone.utc)
        except (ValueError, OverflowError):
            return _LONG_AGO

    @property
    def headline(self) -> str:
        """What was found; empty where the algorithm says nothing."""
        return self.record.answer

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """All that was said of the input and the numbers."""
        try:
            found = remarks_from_json(str(self.record.results.get("REMARKS") or ""))
            sentences(found)
        except (ValueError, TypeError, KeyError, AttributeError, IndexError, RecursionError):
            return ()
        return found

    @property
    def warnings(self) -> list[str]:
        """What makes the results useless or doubtful, in sentences."""
        return sentences(remark for remark in self.remarks if remark.is_warning)

    @property
    def outputs(self) -> tuple[str, ...]:
        """Ids of the outputs of which there is a layer, table or file."""
        return tuple(dict.fromkeys([*self.layers, *self.places, *self.held]))

    @property
    def command(self) -> str:
        """The command for a terminal that does it again, with its outputs in files of the folder it is called in."""
        endings = {output: Path(place).suffix for output, place in self.record.files.items()}
        made = {output: output.lower() + endings.get(output, ".gpkg") for output in self.outputs}
        return repeating_command(self.algorithm, self.record.parameters, self.record.inputs, made)

    @property
    def not_repeatable(self) -> list[str]:
        """Names of layers that the command cannot read as the run did: in memory, or of which only some were read."""
        return why_not_repeated(self.record.parameters, self.record.inputs)

    def parameters(self, project: QgsProject) -> dict[str, Any]:
        """Of the algorithm, with the layers that the project has; without outputs."""
        return parameters_again(self.record.parameters, self.record.inputs, project)

    def absent_inputs(self, project: QgsProject) -> list[str]:
        """Names of the layers that it read and the project does not have."""
        there = layers_again(self.record.inputs, project)
        return [one.name for name, one in self.record.inputs.items() if name not in there]

    def layer(self, output: str, project: QgsProject) -> QgsMapLayer | None:
        """The layer of an output: the project's, or one opened from where it is kept; None where it is gone."""
        if self.in_fields is not None:
            return self.in_fields.table(output, project)
        there = self.held.get(output) or project.mapLayer(self.layers.get(output, ""))
        if there is not None and there.isValid():
            return there
        place = self.places.get(output, "")
        raster = Path(place.partition("|")[0]).suffix.lower() in (".tif", ".tiff")
        opened = QgsRasterLayer(place, output) if raster else QgsVectorLayer(place, output, "ogr")
        return opened if place and opened.isValid() else None

    def table(self, output: str, project: QgsProject) -> pd.DataFrame:
        """The attributes of an output; none where it is gone."""
        layer = self.layer(output, project)
        return table_of(layer) if isinstance(layer, QgsVectorLayer) else pd.DataFrame()


def runs_of(
    project: QgsProject, files: Iterable[str] = (), problems: list[str] | None = None
) -> list[Run]:
    """The runs of a project's layers, of the GeoPackages that these lie in, and of the project's own; the last first.

    So of more GeoPackages, ``files``; ``problems`` takes a sentence on each that cannot be read.
    """
    layers = list(project.mapLayers().values())
    named = [file for file in map(layer_file, layers) if file is not None]
    named += [Path(file) for file in (project_file(), *files) if file]
    records: dict[object, Record] = {}
    loaded: dict[object, dict[str, str]] = {}
    kept: dict[object, dict[str, str]] = {}
    in_fields: dict[object, InFields] = {}
    for file in dict.fromkeys(file.absolute() for file in named if file.suffix.lower() == ".gpkg"):
        try:
            notes = notes_in(file)
        except (sqlite3.Error, OSError) as error:
            if problems is not None:
                problems.append(str(database_error(error, file)))
            continue
        for table, text in notes:
            found = record_in(text)
            if found is not None:
                key = _key(found[0])
                records.setdefault(key, found[0])
                kept.setdefault(key, {}).setdefault(found[1], f"{file}|layername={table}")
    for layer in layers:
        record, output = record_of(layer), output_of(layer)
        if record is not None and output:
            records.setdefault(_key(record), record)
            loaded.setdefault(_key(record), {})[output] = layer.id()
        for record, held in runs_in_fields(layer):
            records.setdefault(_key(record), record)
            in_fields.setdefault(_key(record), held)
    runs = [
        Run(record, loaded.get(key, {}), {**record.files, **kept.get(key, {})}, in_fields.get(key))
        for key, record in records.items()
    ]
    return sorted(runs, key=lambda run: run.time, reverse=True)


def _key(record: Record) -> object:
    return record.id or record


def keep_in_fields(
    layer: QgsVectorLayer,
    record: Record,
    output: str,
    rows: pd.DataFrame,
    written: Sequence[str],
    tables: Mapping[str, pd.DataFrame],
) -> None:
    """Note in a layer that results of a run went into its fields.

    Args:
        record: how the run was made.
        output: id of the output that the rows are of.
        rows: the feature ids, then a column for each field.
        written: the fields, in the order of these columns.
        tables: others of its outputs by id, which are kept beside.
    """
    ids, *columns = rows
    overwritten = set(written)
    earlier = [
        # What it wrote is overwritten: it stays on the list, but cannot be shown again.
        {**note, "tables": {}}
        if overwritten & {str(name) for name, *_ in note["fields"].values()}
        else note
        for note, *_ in _notes_of(layer)
    ]
    note = {
        "record": record.to_json(),
        "output": output,
        "id": ids,
        "fields": {column: [name, *_facts(rows[column])] for column, name in zip(columns, written)},
        "tables": {
            name: {
                str(column): attribute_values(values, kind_of(values))
                for column, values in table.items()
            }
            for name, table in tables.items()
        },
    }
    layer.setCustomProperty(_IN_FIELDS, json.dumps([note, *earlier], ensure_ascii=False))


def runs_in_fields(layer: QgsMapLayer) -> list[tuple[Record, InFields]]:
    """The runs whose results went into fields of a layer, the last one first."""
    return [(record, held) for _, record, held in _notes_of(layer)]


def _notes_of(layer: QgsMapLayer) -> list[tuple[dict[str, Any], Record, InFields]]:
    """The notes of :func:`keep_in_fields` that can be read."""
    try:
        notes = json.loads(str(layer.customProperty(_IN_FIELDS) or "[]"))
    except (ValueError, RecursionError):
        return []
    found = []
    for note in notes if isinstance(notes, list) else []:
        try:
            fields = {
                str(column): (str(name), int(count), None if total is None else float(total))
                for column, (name, count, total) in note["fields"].items()
            }
            tables = {
                str(name): {str(one): list(values) for one, values in pd.DataFrame(table).items()}
                for name, table in note["tables"].items()
            }
            held = InFields(layer.id(), str(note["output"]), str(note["id"]), fields, tables)
            found.append((note, Record.from_json(note["record"]), held))
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError, OverflowError):
            continue
    return found


def _facts(values: pd.Series) -> tuple[int, float | None]:
    """How many values a column has, and for numbers their sum."""
    return int(values.count()), None if values.dtype == object else float(values.sum())


def _holds(values: pd.Series, count: int, total: float | None) -> bool:
    """Whether a column still has so many values with that sum; files round numbers, and change the order of rows."""
    now, sum_now = _facts(values)
    alike = (
        sum_now is None
        or total is None
        or math.isclose(sum_now, total, rel_tol=_ROUNDED, abs_tol=_ROUNDED)
    )
    return now == count and alike


def _as_table(frame: pd.DataFrame) -> FeatureTable:
    table = FeatureTable()
    for name, values in frame.items():
        table.add(str(name), values)
    return table


def time_of(run: Run) -> str:
    """When a run began, in words."""
    return f"{run.time.astimezone():%Y-%m-%d %H:%M:%S}"


def same_targets(before: Run, after: Run, targets: Choice[Any]) -> None:
    """Refuse to compare runs on other targets.

    Raises:
        InputError: where neither id, nor source, nor name of the targets are the same.
    """
    sides = [
        {part for key in run.record.layers_of(targets.ids[0]) for part in key if part}
        for run in (before, after)
    ]
    if not sides[0] & sides[1]:
        one, other = (run.record.words_of(targets.name) for run in (before, after))
        said = "The two runs are on other targets, '{first}' and '{other}', so no crown of the one is in the other."
        raise InputError(said, first=one, other=other)


def runs_in_words(before: Run, after: Run) -> tuple[str, str]:
    """When two runs began; and what was run, a line each."""
    times = tr("from {before} to {after}", before=time_of(before), after=time_of(after))
    return times, "\n".join(f"{time_of(run)}: {run.title}" for run in (before, after))
