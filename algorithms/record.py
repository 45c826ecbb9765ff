"""How a run was made, in words: what every choice says, its layers, versions and time; told the same way everywhere."""

from __future__ import annotations

import configparser
import functools
import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from html import escape
from pathlib import Path
from typing import Any

import shapely
from qgis.core import Qgis, QgsMapLayer, QgsVectorLayer

from randcrowns.algorithms.choice import Choice, Given
from randcrowns.algorithms.output import Value
from randcrowns.algorithms.repeating import Input, inputs_of, plain_parameters
from randcrowns.core.remarks import Remark, remarks_from_json, remarks_to_json
from randcrowns.layers.files.table_notes import add_note
from randcrowns.layers.vector.tables import FeatureTable
from randcrowns.layers.words import sentences, tr

#: The record among the outputs of every algorithm, as :meth:`Record.to_json` writes it.
RECORD = Value("MADE", tr("How it was made (JSON)"), text=True)
#: Beginning of the names of its columns.
_FIELD = "made_"
#: Custom layer property with the record, as :meth:`Record.to_json` writes it.
_PROPERTY = "randcrowns/made"
#: Custom layer property with the output of the run that the layer is.
_OUTPUT = "randcrowns/output"
_METADATA = Path(__file__).resolve().parents[1] / "metadata.txt"


@dataclass(frozen=True)
class Entry:
    """A line of a record: the name of a choice, its label, and its value as words.

    ``usual`` is true of a rarely needed choice that has its default.
    """

    name: str
    label: str
    words: str
    usual: bool = False


@dataclass(frozen=True)
class Record:
    """How a run was made. Records are equal where their words are.

    Attributes:
        title: what was run with which layers, for the group of its layers: ``field vs boxes, Image boxes, 17:09:41``.
        entries: algorithm, versions and time, then every choice in the order of the dialog.
        id: tells runs apart.
        algorithm: id of the algorithm, as ``randcrowns:scorecrowns``.
        parameters: of the algorithm, plain, without outputs; layers by their id in :attr:`inputs`.
        inputs: name and source of each layer that was read.
        headline: what was found, in one sentence or a few.
        results: the outputs that are numbers or texts, by id; REMARKS among them.
        files: places of the outputs that are no tables, by id.
        rows: number of rows of each table, by output.
    """

    title: str
    entries: tuple[Entry, ...]
    id: str = field(default="", compare=False)
    algorithm: str = field(default="", compare=False)
    parameters: Mapping[str, Any] = field(default_factory=dict, compare=False)
    inputs: Mapping[str, Input] = field(default_factory=dict, compare=False)
    headline: tuple[Remark, ...] = field(default=(), compare=False)
    results: Mapping[str, Any] = field(default_factory=dict, compare=False)
    files: Mapping[str, str] = field(default_factory=dict, compare=False)
    rows: Mapping[str, int] = field(default_factory=dict, compare=False)

    @classmethod
    def of(cls, given: Given, parties: Sequence[Choice[Any]], told_apart_by: Sequence[Choice[Any]]) -> Record:
        """The record of a run that begins now, about ``parties``; on the main thread."""
        now, left_out = datetime.now().astimezone(), Given(given.algorithm, {}, given.context)
        run = (
            Entry("algorithm", tr("Algorithm"), given.algorithm.label),
            Entry("version", tr("Version"), versions()),
            Entry("time", tr("Time"), now.isoformat(" ", "seconds")),
        )
        chosen = [
            Entry(choice.name, choice.label or choice.name, words, choice.advanced and words == choice.words(left_out))
            for choice in given.algorithm.choices
            for words in [choice.words(given)]
        ]
        sides = tr(" vs ").join(choice.short(given) for choice in parties if choice in given)
        others = [choice.short(given) for choice in told_apart_by] or [given.algorithm.label]
        title = ", ".join(filter(None, [sides, *others, f"{now:%H:%M:%S}"]))
        parameters, inputs = plain_parameters(given), inputs_of(given)
        return cls(title, (*run, *chosen), uuid.uuid4().hex, given.algorithm.id(), parameters, inputs)

    def with_results(
        self,
        headline: Sequence[Remark],
        results: Mapping[str, Any],
        files: Mapping[str, str],
        rows: Mapping[str, int],
    ) -> Record:
        """The same with what came out."""
        return replace(self, headline=tuple(headline), results=dict(results), files=dict(files), rows=dict(rows))

    @property
    def answer(self) -> str:
        """The headline as one text; empty where the algorithm says none."""
        return " ".join(sentences(self.headline))

    @property
    def text(self) -> str:
        """A line per entry."""
        return "\n".join(f"{entry.label}: {entry.words}" for entry in self.entries)

    @property
    def line(self) -> str:
        """All in one line but what is rarely needed and has its default."""
        return " · ".join(f"{entry.label}: {entry.words}" for entry in self.entries if not entry.usual)

    def words_of(self, name: str) -> str:
        """What the choice of that name says; empty where there is no such choice."""
        return next((entry.words for entry in self.entries if entry.name == name), "")

    def to_json(self) -> str:
        """As text that :meth:`from_json` reads again."""
        plain = {
            **{name: getattr(self, name) for name in _PLAIN},
            "entries": [vars(entry) for entry in self.entries],
            "inputs": {name: vars(one) for name, one in self.inputs.items()},
            "headline": json.loads(remarks_to_json(self.headline)),
        }
        return json.dumps(plain, ensure_ascii=False, default=str)

    @classmethod
    def from_json(cls, text: str) -> Record:
        """The record in a text.

        Raises:
            ValueError, TypeError, KeyError, AttributeError, RecursionError: where it holds none.
        """
        found = json.loads(text)
        told = {name: _of_kind(found[name], kind) for name, kind in _PLAIN.items() if name in found}
        told["rows"] = {name: rows for name, rows in told.get("rows", {}).items() if type(rows) is int}
        inputs = {name: Input(**_texts(one)) for name, one in _of_kind(found.get("inputs", {}), dict).items()}
        entries = tuple(_entry(one) for one in _of_kind(found["entries"], list))
        headline = remarks_from_json(json.dumps(found.get("headline", [])))
        for remark in headline:
            remark.sentence()
        return cls(**told, entries=entries, inputs=inputs, headline=headline)

    def add_to(self, table: FeatureTable) -> None:
        """Add a column per entry, with the same words in every row."""
        said = tr("How the run was made.")
        for entry in self.entries:
            table.add(_FIELD + entry.name, [entry.words] * len(table), said, "text", entry.label)

    def describe(self, layer: QgsMapLayer, output: str = "") -> None:
        """Say in the metadata of a layer how it was made, and which output of the run it is."""
        metadata = layer.metadata()
        # QGIS shows these as HTML.
        metadata.setTitle(escape(layer.name(), quote=False))
        metadata.setAbstract(escape(self.text, quote=False))
        metadata.setHistory([escape(self.line, quote=False)])
        metadata.setCrs(layer.crs())
        layer.setMetadata(metadata)
        layer.setCustomProperty(_PROPERTY, self.to_json())
        if output:
            layer.setCustomProperty(_OUTPUT, output)
        if isinstance(layer, QgsVectorLayer):
            for entry in self.entries:
                layer.setFieldAlias(layer.fields().lookupField(_FIELD + entry.name), entry.label)

    def keep(self, place: str, output: str) -> None:
        """Say so in the GeoPackage that a table was written into, while its other layers are kept open."""
        path, _, table = place.partition("|layername=")
        table = table or Path(path).stem
        if path.lower().endswith(".gpkg"):
            layer = QgsVectorLayer(f"{path}|layername={table}", table, "ogr")
            self.describe(layer)
            layer.saveDefaultMetadata()
            add_note(Path(path), table, json.dumps({"output": output, "record": self.to_json()}))


#: Parts of a record that are plain already, and what they are.
_PLAIN = {"title": str, "id": str, "algorithm": str, "parameters": dict, "results": dict, "files": dict, "rows": dict}
_WRONG = (ValueError, TypeError, KeyError, AttributeError, RecursionError)


def _of_kind(value: Any, kind: type) -> Any:
    if not isinstance(value, kind):
        raise TypeError(f"{kind.__name__} expected")
    return value


def _texts(found: Any) -> dict[str, str]:
    return {str(name): _of_kind(value, str) for name, value in _of_kind(found, dict).items()}


def _entry(found: Any) -> Entry:
    usual = bool(_of_kind(found, dict).get("usual", False))
    return Entry(**_texts({name: value for name, value in found.items() if name != "usual"}), usual=usual)


def record_of(layer: QgsMapLayer) -> Record | None:
    """How a layer was made; None where its properties do not tell."""
    try:
        return Record.from_json(str(layer.customProperty(_PROPERTY) or ""))
    except _WRONG:
        return None


def output_of(layer: QgsMapLayer) -> str:
    """Which output of its run a layer is; empty where its properties do not tell."""
    return str(layer.customProperty(_OUTPUT) or "")


def record_in(note: str) -> tuple[Record, str] | None:
    """How a table was made, and which output it is, by the note that its GeoPackage keeps; None where it says neither.

    See :meth:`Record.keep`.
    """
    try:
        found = json.loads(note)
        return Record.from_json(found["record"]), _of_kind(found["output"], str)
    except _WRONG:
        return None


@functools.cache
def versions() -> str:
    """Of the plugin and of what it computes with."""
    parser = configparser.ConfigParser(interpolation=None)
    parser.read(_METADATA, encoding="utf-8")
    ours = parser.get("general", "version", fallback="?")
    return f"RandCrowns {ours}, QGIS {Qgis.QGIS_VERSION.partition('-')[0]}, GEOS {shapely.geos_version_string}"
