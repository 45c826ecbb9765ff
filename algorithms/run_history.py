"""Run history: finished runs that a project and its GeoPackages record, with their results."""

from __future__ import annotations

import json
import math
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
from qgis.core import (
    QgsApplication,
    QgsMapLayer,
    QgsProcessingParameterDefinition,
    QgsProject,
    QgsRasterLayer,
    QgsVectorLayer,
)

from randcrowns.algorithms.parameter_types import Parameter
from randcrowns.algorithms.provenance import (
    Provenance,
    command_to_repeat,
    find_input_layers,
    parse_table_note,
    read_output_id,
    read_provenance,
    restore_parameters,
    unrepeatable_inputs,
)
from randcrowns.algorithms.run_names import apply_given_name, name_of
from randcrowns.core.errors import InputError
from randcrowns.core.exchange.files import LAYER_SEPARATOR
from randcrowns.core.messages import Message, messages_from_json
from randcrowns.core.names import unused_name
from randcrowns.core.old_names import OUTPUTS, rename_columns
from randcrowns.layers.databases import database_error, layer_file
from randcrowns.layers.files.project_results import project_geopackage
from randcrowns.layers.files.table_notes import read_notes
from randcrowns.layers.local_files import file_of_source
from randcrowns.layers.localization import format_time, message_texts, tr
from randcrowns.layers.vector.tables import (
    FeatureTable,
    field_kind,
    read_attributes,
    to_attribute_values,
)

#: Name of the column with feature ids in the rows of a layer. No field of a user can have it.
_FEATURE_ID = "\0feature"
#: Tolerance of sums, relative and absolute: files round numbers and change the order of rows.
_SUM_TOLERANCE = 1e-9
#: Time of runs whose time cannot be read, so that they are the last of a list.
_LONG_AGO = datetime.min.replace(tzinfo=timezone.utc)
#: Custom layer property with the runs whose results were written to fields of the layer, the
#: latest first, as JSON.
_RUNS_PROPERTY = "randcrowns/runs"


class StoredField(NamedTuple):
    """Field that an output column was written to, with a fingerprint of its values."""

    name: str  #: name of the field.
    n_values: int  #: number of values that are neither missing nor empty texts.
    total: float | None  #: sum of the values; None for a text.
    #: Ids of the features without a number. Some formats, such as MapInfo TAB, store 0 for them.
    missing_ids: tuple[int, ...] = ()


@dataclass(frozen=True)
class FieldResults:
    """Results of a run that were written to fields of an existing layer."""

    layer: str  #: id of the layer.
    output: str  #: id of the output whose columns were written.
    id_column: str  #: column of the output with the feature ids.
    fields: Mapping[str, StoredField]  #: fields by column of the output.
    #: Columns of other outputs, which are stored with the layer, by output id.
    tables: Mapping[str, Mapping[str, list[Any]]]

    def exists(self, project: QgsProject) -> bool:
        """Return True if the layer still has the fields; their values may have changed."""
        layer = project.mapLayer(self.layer)
        if not isinstance(layer, QgsVectorLayer):
            return False
        return self._field_names <= set(layer.fields().names())

    def table(self, output: str, project: QgsProject) -> QgsVectorLayer | None:
        """Return an output as a temporary table.

        Args:
            output: id of the output.
            project: project with the layer.

        Returns:
            A new layer in memory; None if the output is not stored, or if the values of the fields
            have changed since the run.
        """
        if output in self.tables:
            return _to_table(pd.DataFrame(self.tables[output])).to_memory_layer(output)
        if output != self.output or not self.exists(project):
            return None
        rows = read_attributes(project.mapLayer(self.layer), id_column=_FEATURE_ID)
        field_names = list(self._field_names)
        has_result = rows[field_names].notna().any(axis=1)
        rows = rows[has_result]
        results = {}
        for column, stored_field in self.fields.items():
            values = rows[stored_field.name]
            if stored_field.missing_ids:
                # Some formats store 0 for a missing value.
                has_missing_id = rows[_FEATURE_ID].isin(stored_field.missing_ids)
                values = values.mask(has_missing_id & (values == 0))
            if not _has_fingerprint(values, stored_field.n_values, stored_field.total):
                return None
            results[column] = values
        frame = rows.drop(columns=[*field_names, _FEATURE_ID])
        id_column = unused_name(self.id_column, [*frame, *results])
        frame[id_column] = rows[_FEATURE_ID]
        for column, values in results.items():
            frame[column] = values
        return _to_table(frame).to_memory_layer(output)

    @property
    def _field_names(self) -> set[str]:
        """Names of the fields that were written."""
        return {stored.name for stored in self.fields.values()}


@dataclass(frozen=True)
class Run:
    """Finished run, with the places of its outputs."""

    record: Provenance  #: provenance of the run, with its conclusion.
    layers: Mapping[str, str]  #: id of the project's layer by output id.
    stored_sources: Mapping[str, str]  #: source of the stored table or file by output id.
    field_results: FieldResults | None = None  #: results that are fields of a layer, or None.
    #: Layers that belong to no project, by output id.
    unsaved_layers: Mapping[str, QgsMapLayer] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """Short name, method or algorithm, and time of the run."""
        return self.record.title

    @property
    def title_without_time(self) -> str:
        """Short name and method or algorithm of the run, without the time."""
        return name_of(self.record)

    @property
    def date(self) -> str:
        """Local date on which the run began, such as ``2026-11-23``."""
        return f"{self.time.astimezone():%Y-%m-%d}"

    def entry_texts(
        self, unused: frozenset[str] = frozenset(), known_texts: Mapping[str, str] | None = None
    ) -> list[tuple[str, str]]:
        """Return label and text of each entry of the record for readers.

        Parameters without a value are omitted, and a readable time is a date in the user's
        language.

        Args:
            unused: names of parameters that are omitted, too.
            known_texts: texts that replace those of the entries, by the name of the entry.
        """
        texts = {entry.name: entry.words for entry in self.record.entries}
        if self.time != _LONG_AGO:
            texts["time"] = format_time(self.time)
        texts |= known_texts or {}
        return [
            (entry.label, texts[entry.name])
            for entry in self.record.entries
            if entry.is_given and entry.name not in unused
        ]

    @property
    def algorithm(self) -> str:
        """Id of the algorithm, such as ``randcrowns:scorecrowns``."""
        return self.record.algorithm

    @property
    def time(self) -> datetime:
        """Time in UTC at which the run began; the year 1 if it cannot be read."""
        try:
            return datetime.fromisoformat(self.record.display_text_of("time")).astimezone(
                timezone.utc
            )
        except (ValueError, OverflowError):
            return _LONG_AGO

    @property
    def conclusion(self) -> str:
        """Conclusion of the run; empty if the algorithm draws none."""
        return self.record.conclusion

    @property
    def messages(self) -> tuple[Message, ...]:
        """Messages of the run; empty if they cannot be read."""
        try:
            messages = messages_from_json(str(self.record.results.get("MESSAGES") or ""))
            message_texts(messages)  # raises an error if a value of a template is missing
        except (ValueError, TypeError, KeyError, AttributeError, IndexError, RecursionError):
            return ()
        return messages

    @property
    def warnings(self) -> list[str]:
        """Warnings about the results, as sentences."""
        return message_texts(message for message in self.messages if message.is_warning)

    @property
    def outputs(self) -> tuple[str, ...]:
        """Ids of the outputs that exist as a layer, table or file."""
        return tuple(dict.fromkeys([*self.layers, *self.stored_sources, *self.unsaved_layers]))

    @property
    def command_to_repeat(self) -> str:
        """Shell command that repeats the run and writes its outputs to the working directory.

        The outputs are those that the run made, whether or not they still exist.
        """
        record = self.record
        written_outputs = {*record.rows, *record.files, *self.outputs}
        files = {}
        for output, destination in _list_destinations(self.algorithm).items():
            if output not in written_outputs and destination.is_optional:
                continue
            stored_file = record.files.get(output, "")
            ending = Path(stored_file).suffix if stored_file else destination.ending
            files[output] = output.lower() + ending
        return command_to_repeat(self.algorithm, record.parameters, record.inputs, files)

    @property
    def unrepeatable_inputs(self) -> list[str]:
        """Names of the input layers that :attr:`command_to_repeat` cannot read as the run did."""
        return unrepeatable_inputs(self.record.parameters, self.record.inputs)

    @property
    def edited_inputs(self) -> list[str]:
        """Names of the input layers that had unsaved edits, which the command does not read."""
        return [layer.name for layer in self.record.inputs.values() if layer.has_unsaved_edits]

    def parameters(self, project: QgsProject) -> dict[str, Any]:
        """Return the Processing values that repeat the run with a project's layers, by id.

        Outputs are not among them.
        """
        return restore_parameters(self.record.parameters, self.record.inputs, project)

    def missing_inputs(self, project: QgsProject) -> list[str]:
        """Return the names of the input layers that a project does not have."""
        available_inputs = find_input_layers(self.record.inputs, project)
        return [
            layer.name for key, layer in self.record.inputs.items() if key not in available_inputs
        ]

    def layer(self, output: str, project: QgsProject) -> QgsMapLayer | None:
        """Return the layer of an output.

        Args:
            output: id of the output.
            project: project of the run.

        Returns:
            The project's layer or, without one, a new layer of the stored table or file; None if
            it does not exist.
        """
        if self.field_results is not None:
            return self.field_results.table(output, project)
        layer = self.unsaved_layers.get(output) or project.mapLayer(self.layers.get(output, ""))
        if layer is not None and layer.isValid():
            return layer
        source = self.stored_sources.get(output, "")
        if not source:
            return None
        stored_layer: QgsMapLayer
        if file_of_source(source).suffix.lower() in (".tif", ".tiff"):
            stored_layer = QgsRasterLayer(source, output)
        else:
            stored_layer = QgsVectorLayer(source, output, "ogr")
        return stored_layer if stored_layer.isValid() else None

    def table(self, output: str, project: QgsProject) -> pd.DataFrame:
        """Return the attributes of an output; an empty frame if the output does not exist."""
        layer = self.layer(output, project)
        if not isinstance(layer, QgsVectorLayer):
            return pd.DataFrame()
        return read_attributes(layer, output=output)


class _Destination(NamedTuple):
    """An output of an algorithm that is written to a place of the user's choice."""

    is_optional: bool  #: True if the algorithm runs without it.
    ending: str  #: default ending of its file; empty for a folder.


_OPTIONAL = QgsProcessingParameterDefinition.Flag.FlagOptional
#: Endings of the files of destinations by their Processing type.
_ENDINGS = {"sink": ".gpkg", "vectorDestination": ".gpkg", "rasterDestination": ".tif"}


def _list_destinations(algorithm_id: str) -> dict[str, _Destination]:
    """Return the destinations of an algorithm by id; empty for an unknown algorithm."""
    algorithm = QgsApplication.processingRegistry().algorithmById(algorithm_id)
    if algorithm is None:
        return {}
    destinations = {}
    for definition in algorithm.destinationParameterDefinitions():
        kind = definition.type()
        if kind == "fileDestination":
            ending = f".{definition.defaultFileExtension()}"
        else:
            ending = _ENDINGS.get(kind, "")
        is_optional = bool(definition.flags() & _OPTIONAL)
        destinations[definition.name()] = _Destination(is_optional, ending)
    return destinations


def read_runs(
    project: QgsProject, files: Iterable[str] = (), problems: list[str] | None = None
) -> list[Run]:
    """Return the runs that a project records, the latest first.

    They are read from the project's layers, from the GeoPackages of these layers, and from the
    GeoPackage that stores the project's results.

    Args:
        project: project with the layers.
        files: further GeoPackages to read.
        problems: list to which a message is added for each GeoPackage that cannot be read.
    """
    layers = list(project.mapLayers().values())
    runs = _RunCollector()
    for file in _list_geopackages(layers, files):
        try:
            notes = read_notes(file)
        except (sqlite3.Error, OSError) as error:
            if problems is not None:
                problems.append(str(database_error(error, file)))
            continue
        for table, note in notes:
            record_and_output = parse_table_note(note)
            if record_and_output is None:
                continue
            table_record, table_output = record_and_output
            runs.add_table(table_record, table_output, f"{file}{LAYER_SEPARATOR}{table}")
    for layer in layers:
        record = read_provenance(layer)
        output = read_output_id(layer)
        if record is not None and output:
            runs.add_layer(record, output, layer.id())
        for field_record, in_fields in read_field_results(layer):
            runs.add_fields(field_record, in_fields)

    named_runs = []
    for run in runs.sorted_runs():
        named_record = apply_given_name(run.record, project)
        named_runs.append(replace(run, record=named_record))
    return named_runs


class _RunCollector:
    """Runs by their id, collected from layers and GeoPackages."""

    def __init__(self) -> None:
        self._records: dict[object, Provenance] = {}
        #: By run: id of the project's layer by output id.
        self._layers: dict[object, dict[str, str]] = {}
        #: By run: source of the stored table by output id.
        self._tables: dict[object, dict[str, str]] = {}
        self._in_fields: dict[object, FieldResults] = {}

    def _add_record(self, record: Provenance) -> object:
        """Add a record and return the key of its run: its id or, without one, the record itself."""
        key: object = record.id or record
        self._records.setdefault(key, record)
        return key

    def add_table(self, record: Provenance, output: str, source: str) -> None:
        """Add a table of a GeoPackage; the first one of an output is used."""
        self._tables.setdefault(self._add_record(record), {}).setdefault(output, source)

    def add_layer(self, record: Provenance, output: str, layer_id: str) -> None:
        """Add a layer of the project; the last one of an output is used."""
        self._layers.setdefault(self._add_record(record), {})[output] = layer_id

    def add_fields(self, record: Provenance, in_fields: FieldResults) -> None:
        """Add results in fields of a layer; the first ones of a run are used."""
        self._in_fields.setdefault(self._add_record(record), in_fields)

    def sorted_runs(self) -> list[Run]:
        """Return the runs, the latest first."""
        runs = [
            Run(
                record,
                layers=self._layers.get(key, {}),
                stored_sources={**record.files, **self._tables.get(key, {})},
                field_results=self._in_fields.get(key),
            )
            for key, record in self._records.items()
        ]
        return sorted(runs, key=lambda run: run.time, reverse=True)


def _list_geopackages(layers: Iterable[QgsMapLayer], files: Iterable[str]) -> list[Path]:
    """Return the GeoPackages of layers, of the project's results and among files, each once."""
    paths = [path for path in map(layer_file, layers) if path is not None]
    paths += [Path(file) for file in (project_geopackage(), *files) if file]
    geopackages = [path.absolute() for path in paths if path.suffix.lower() == ".gpkg"]
    return list(dict.fromkeys(geopackages))


def _read_earlier_notes(layer: QgsVectorLayer, overwritten: Sequence[str]) -> list[dict[str, Any]]:
    """Return the notes of earlier runs of a layer.

    A run whose fields are overwritten stays in the list without its tables: it cannot be shown
    again.

    Args:
        layer: layer with the notes.
        overwritten: names of the fields that are overwritten.
    """
    notes = []
    for stored_run in _read_stored_runs(layer):
        earlier_note = stored_run.note
        earlier_fields = {str(field_name) for field_name, *_ in earlier_note["fields"].values()}
        if not earlier_fields.isdisjoint(overwritten):
            earlier_note = {**earlier_note, "tables": {}}
        notes.append(earlier_note)
    return notes


def record_field_results(
    layer: QgsVectorLayer,
    record: Provenance,
    output: str,
    rows: pd.DataFrame,
    written: Sequence[str],
    tables: Mapping[str, pd.DataFrame],
) -> None:
    """Record in a layer that results of a run were written to its fields.

    Args:
        layer: layer with the fields; a custom property of it is set.
        record: provenance of the run.
        output: id of the output that the rows are from.
        rows: the feature ids, then one column per field.
        written: names of the fields, in the order of these columns.
        tables: other outputs of the run by id, which are stored with the layer.
    """
    id_column = rows.columns[0]
    fields = {}
    missing_ids = {}
    for column, field_name in zip(rows.columns[1:], written):
        values = rows[column]
        count, total = _compute_fingerprint(values)
        fields[column] = [field_name, count, total]
        is_missing = values.isna()
        if values.dtype != object and is_missing.any():
            ids_without_value = rows.loc[is_missing, id_column]
            missing_ids[column] = [int(feature_id) for feature_id in ids_without_value]
    stored_tables: dict[str, dict[str, list[Any]]] = {}
    for output_id, table in tables.items():
        stored_tables[output_id] = {}
        for column, values in table.items():
            stored_values = to_attribute_values(values, field_kind(values))
            stored_tables[output_id][str(column)] = stored_values
    note = {
        "record": record.to_json(),
        "output": output,
        "id": id_column,
        "fields": fields,
        "missing": missing_ids,
        "tables": stored_tables,
    }
    notes = [note, *_read_earlier_notes(layer, written)]
    layer.setCustomProperty(_RUNS_PROPERTY, json.dumps(notes, ensure_ascii=False))


def read_field_results(layer: QgsMapLayer) -> list[tuple[Provenance, FieldResults]]:
    """Return the runs whose results were written to fields of a layer, the latest first."""
    return [(stored_run.record, stored_run.in_fields) for stored_run in _read_stored_runs(layer)]


class _StoredRun(NamedTuple):
    """Run whose results were written to fields of a layer."""

    note: dict[str, Any]  #: the run as :func:`record_field_results` stores it.
    record: Provenance  #: provenance of the run.
    in_fields: FieldResults  #: its results.


def _read_stored_runs(layer: QgsMapLayer) -> list[_StoredRun]:
    """Return the readable runs that :func:`record_field_results` has stored in a layer."""
    try:
        notes = json.loads(str(layer.customProperty(_RUNS_PROPERTY) or "[]"))
    except (ValueError, RecursionError):
        return []
    if not isinstance(notes, list):
        return []
    runs = []
    for note in notes:
        # A note may be damaged in any way, because projects can be edited by hand.
        try:
            record = Provenance.from_json(note["record"])
            runs.append(_StoredRun(note, record, _parse_field_results(note, layer.id())))
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError, OverflowError):
            continue
    return runs


def _parse_field_results(note: dict[str, Any], layer_id: str) -> FieldResults:
    """Return the results that a note of :func:`record_field_results` describes.

    Old ids of outputs and names of columns are replaced by the current ones.

    Args:
        note: the note, read from JSON. Parts of a wrong kind raise the error of their conversion.
        layer_id: id of the layer with the fields.
    """
    all_missing_ids = note.get("missing", {})
    fields = {}
    for column, (name, n_values, total) in note["fields"].items():
        missing_ids = [int(feature_id) for feature_id in all_missing_ids.get(column, ())]
        fields[str(column)] = StoredField(
            name=str(name),
            n_values=int(n_values),
            total=None if total is None else float(total),
            missing_ids=tuple(missing_ids),
        )
    tables = {}
    for output, stored_table in note["tables"].items():
        tables[OUTPUTS.get(output, output)] = _parse_table(stored_table, output)
    return FieldResults(
        layer=layer_id,
        output=str(OUTPUTS.get(note["output"], note["output"])),
        id_column=str(note["id"]),
        fields=fields,
        tables=tables,
    )


def _parse_table(stored_table: Any, output: str) -> dict[str, list[Any]]:
    """Return the columns of a stored table by their current names.

    Args:
        stored_table: values by column, read from JSON.
        output: id of the output to which the table belongs.

    Raises:
        ValueError: if the lengths of the columns differ.
    """
    frame = pd.DataFrame(stored_table)
    frame.columns = rename_columns(map(str, frame.columns), output)
    return {str(name): list(values) for name, values in frame.items()}


def _compute_fingerprint(values: pd.Series) -> tuple[int, float | None]:
    """Return the number of values and their sum (None for texts).

    Missing values and empty texts are not counted: a Shapefile stores both as NULL.
    """
    if values.dtype == object:
        return int((values.notna() & (values != "")).sum()), None
    return int(values.count()), float(values.sum())


def _has_fingerprint(values: pd.Series, count: int, total: float | None) -> bool:
    """Return True if a column still has this number of values and this sum.

    Args:
        values: the column.
        count: number of values.
        total: sum of the values; None for texts.
    """
    count_now, total_now = _compute_fingerprint(values)
    # Records of older versions count empty texts, too.
    if count not in (count_now, values.count()):
        return False
    if total_now is None or total is None:
        return True
    return math.isclose(total_now, total, rel_tol=_SUM_TOLERANCE, abs_tol=_SUM_TOLERANCE)


def _to_table(frame: pd.DataFrame) -> FeatureTable:
    """Return the columns of a data frame as a table without geometry."""
    table = FeatureTable()
    for name, values in frame.items():
        table.add_column(str(name), values)
    return table


def format_start(run: Run) -> str:
    """Return the local time at which a run began, such as ``2026-11-23 17:09:41``."""
    return f"{run.time.astimezone():%Y-%m-%d %H:%M:%S}"


def check_same_targets(before: Run, after: Run, targets: Parameter[Any]) -> None:
    """Raise an InputError if two runs have different target layers.

    Args:
        before: earlier run.
        after: later run.
        targets: parameter with the target layer.

    Raises:
        InputError: if no target layers of the two runs share their id, source or name.
    """

    def identify_targets(run: Run) -> set[str]:
        """Return the ids, sources and names of the target layers of a run."""
        texts: set[str] = set()
        for layer_texts in run.record.input_layers_of(targets.id):
            texts.update(text for text in layer_texts if text)
        return texts

    if identify_targets(before).isdisjoint(identify_targets(after)):
        raise InputError(
            "runs.different_targets",
            "The two runs have different targets, '{first}' and '{other}', so their crowns cannot "
            "be compared.",
            first=before.record.display_text_of(targets.name),
            other=after.record.display_text_of(targets.name),
        )


def describe_runs(before: Run, after: Run) -> tuple[str, str]:
    """Return the times of two runs as one phrase, and their titles, one per line."""
    times = tr("from {before} to {after}", before=format_start(before), after=format_start(after))
    titles = "\n".join(f"{format_start(run)}: {run.title}" for run in (before, after))
    return times, titles
