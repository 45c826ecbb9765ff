"""The runs that a project and its GeoPackages know: when, what, with which layers and choices, and what was found."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pandas as pd
from qgis.core import QgsMapLayer, QgsProject, QgsRasterLayer, QgsVectorLayer

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
from randcrowns.core.remarks import Remark, remarks_from_json
from randcrowns.layers.files.geopackage import database_error
from randcrowns.layers.files.places import layer_place, project_file
from randcrowns.layers.files.table_notes import notes_in
from randcrowns.layers.vector.tables import table_of
from randcrowns.layers.words import sentences

_LONG_AGO = datetime.min.replace(tzinfo=timezone.utc)


@dataclass(frozen=True)
class Run:
    """A run that has ended.

    Attributes:
        record: how it was made, and its headline.
        layers: id of an output -> id of the layer that the project has of it.
        places: id of an output -> source of the table or file that it is kept in.
    """

    record: Record
    layers: Mapping[str, str]
    places: Mapping[str, str]

    @property
    def title(self) -> str:
        """What was run with which layers, and when."""
        return self.record.title

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
        return tuple(dict.fromkeys([*self.layers, *self.places]))

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
        there = project.mapLayer(self.layers.get(output, ""))
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


def runs_of(project: QgsProject, files: Iterable[str] = (), problems: list[str] | None = None) -> list[Run]:
    """The runs of a project's layers, of the GeoPackages that these lie in, and of the project's own; the last first.

    Args:
        files: more GeoPackages.
        problems: takes a sentence on each that cannot be read.
    """
    layers = list(project.mapLayers().values())
    places = [layer_place(layer) for layer in layers]
    named = [place.file for place in places if place is not None and place.file is not None]
    named += [Path(file) for file in (project_file(), *files) if file]
    records: dict[object, Record] = {}
    loaded: dict[object, dict[str, str]] = {}
    kept: dict[object, dict[str, str]] = {}
    for file in dict.fromkeys(file.absolute() for file in named if file.suffix.lower() == ".gpkg"):
        try:
            notes = notes_in(file)
        except sqlite3.Error as error:
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
    runs = [Run(record, loaded.get(key, {}), {**record.files, **kept.get(key, {})}) for key, record in records.items()]
    return sorted(runs, key=lambda run: run.time, reverse=True)


def _key(record: Record) -> object:
    return record.id or record
