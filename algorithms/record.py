"""How a run was made: in words, told the same way everywhere, and as plain parameters, to do it again."""

from __future__ import annotations

import configparser
import functools
import json
import re
import shlex
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from html import escape
from pathlib import Path
from typing import Any

import shapely
from qgis.core import (
    Qgis,
    QgsCoordinateReferenceSystem,
    QgsMapLayer,
    QgsProcessingFeatureSourceDefinition,
    QgsProcessingUtils,
    QgsProject,
    QgsProperty,
    QgsProviderRegistry,
    QgsRectangle,
    QgsReferencedRectangle,
    QgsVectorLayer,
)

from randcrowns.algorithms.choice import Choice, Field, Given
from randcrowns.algorithms.output import Value
from randcrowns.core.remarks import Remark, remarks_from_json, remarks_to_json
from randcrowns.core.review.verdicts import LayerKey
from randcrowns.layers.compat import new_field
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
#: Providers whose layers are opened by their source alone.
_BY_SOURCE = ("ogr", "gdal")
#: A password in a source, or who logs in at a server before its name.
_SECRET = re.compile(
    r"\b(?:password|pwd)\s*=\s*(?:'(?:[^'\\]|\\.)*'|[^\s;|&]*)|(?<=://)[^/@\s]+:[^/@\s]+@",
    re.IGNORECASE,
)
#: Key of a layer of which only some features were read, in a parameter; the others stand beside it.
_LAYER = "layer"
_MOST = 2**31


@dataclass(frozen=True)
class Input:
    """A layer that a run read: its name, and the source that opens it, empty for one in memory."""

    name: str
    source: str


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
    """How a run was made. Records are equal where their words are."""

    #: What was run with which layers, for the group of its layers: ``field vs boxes, Image boxes, 17:09:41``.
    title: str
    entries: tuple[
        Entry, ...
    ]  #: algorithm, versions and time, then every choice in the order of the dialog.
    id: str = field(default="", compare=False)  #: tells runs apart.
    algorithm: str = field(
        default="", compare=False
    )  #: id of the algorithm, as ``randcrowns:scorecrowns``.
    #: Of the algorithm, plain, without outputs; layers by their id in :attr:`inputs`.
    parameters: Mapping[str, Any] = field(default_factory=dict, compare=False)
    #: Name and source of each layer that was read.
    inputs: Mapping[str, Input] = field(default_factory=dict, compare=False)
    #: What was found, in one sentence or a few.
    headline: tuple[Remark, ...] = field(default=(), compare=False)
    #: The outputs that are numbers or texts, by id; REMARKS among them.
    results: Mapping[str, Any] = field(default_factory=dict, compare=False)
    #: Places of the outputs that are no tables, by id.
    files: Mapping[str, str] = field(default_factory=dict, compare=False)
    #: Number of rows of each table, by output.
    rows: Mapping[str, int] = field(default_factory=dict, compare=False)

    @classmethod
    def of(
        cls, given: Given, parties: Sequence[Choice[Any]], told_apart_by: Sequence[Choice[Any]]
    ) -> Record:
        """The record of a run that begins now, about ``parties``; on the main thread."""
        now, left_out = datetime.now().astimezone(), Given(given.algorithm, {}, given.context)
        run = (
            Entry("algorithm", tr("Algorithm"), given.algorithm.entry.label),
            Entry("version", tr("Version"), versions()),
            Entry("time", tr("Time"), now.isoformat(" ", "milliseconds")),
        )
        chosen = [
            Entry(
                choice.name,
                choice.label or choice.name,
                words,
                choice.advanced and words == choice.words(left_out),
            )
            for choice in given.algorithm.choices
            for words in [choice.words(given)]
        ]
        sides, *more = [choice.short(given) for choice in parties if choice in given] or [""]
        for other in more:
            sides = tr("{first} vs {other}", first=sides, other=other)
        others = [choice.short(given) for choice in told_apart_by] or [given.algorithm.entry.label]
        title = ", ".join(filter(None, [sides, *others, f"{now:%H:%M:%S}"]))
        parameters = plain_parameters(given)
        inputs = {layer.id(): Input(layer.name(), source_of(layer)) for layer in given.inputs()}
        return cls(
            title, (*run, *chosen), uuid.uuid4().hex, given.algorithm.id(), parameters, inputs
        )

    def with_results(
        self,
        headline: Sequence[Remark],
        results: Mapping[str, Any],
        files: Mapping[str, str],
        rows: Mapping[str, int],
    ) -> Record:
        """The same with what came out."""
        return replace(
            self,
            headline=tuple(headline),
            results=dict(results),
            files=dict(files),
            rows=dict(rows),
        )

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
        return " · ".join(
            f"{entry.label}: {entry.words}" for entry in self.entries if not entry.usual
        )

    def words_of(self, name: str) -> str:
        """What the choice of that name says; empty where there is no such choice."""
        return next((entry.words for entry in self.entries if entry.name == name), "")

    def layers_of(self, choice: str) -> list[LayerKey]:
        """The layers that the parameter of that name gave, in its order."""
        given = self.parameters.get(choice)
        ids = (
            given
            if isinstance(given, list)
            else [given.get(_LAYER) if isinstance(given, dict) else given]
        )
        found = {str(one): self.inputs.get(str(one)) for one in ids}
        return [
            LayerKey(key, layer.source, layer.name)
            for key, layer in found.items()
            if layer is not None
        ]

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
    @functools.lru_cache(maxsize=256)  # asked of every layer and table, by every page
    def from_json(cls, text: str) -> Record:
        """The record in a text; the same object for the same text.

        Raises:
            ValueError, TypeError, KeyError, AttributeError, RecursionError: where it holds none.
        """
        found = json.loads(text)
        told = {name: _of_kind(found[name], kind) for name, kind in _PLAIN.items() if name in found}
        for name, kind in (("files", str), ("rows", int)):
            told[name] = {
                output: value for output, value in told.get(name, {}).items() if type(value) is kind
            }
        inputs = {
            name: Input(**_texts(one))
            for name, one in _of_kind(found.get("inputs", {}), dict).items()
        }
        entries = tuple(_entry(one) for one in _of_kind(found["entries"], list))
        headline = remarks_from_json(json.dumps(found.get("headline", [])))
        for remark in headline:
            remark.sentence()
        return cls(**told, entries=entries, inputs=inputs, headline=headline)

    def add_to(self, table: FeatureTable) -> None:
        """Add a column per entry, with the same words in every row."""
        said = tr("How the run was made.")
        for entry in self.entries:
            table.add_field(
                new_field(_FIELD + entry.name, "text", said, entry.label),
                [entry.words] * len(table),
            )

    def describe(self, layer: QgsMapLayer, output: str = "") -> None:
        """Say in a layer how it was made, and which output of the run it is."""
        self._put_on(layer, layer.name())
        layer.setCustomProperty(_PROPERTY, self.to_json())
        if output:
            layer.setCustomProperty(_OUTPUT, output)
        if isinstance(layer, QgsVectorLayer):
            for entry in self.entries:
                layer.setFieldAlias(layer.fields().lookupField(_FIELD + entry.name), entry.label)

    def _put_on(self, layer: QgsMapLayer, title: str) -> None:
        metadata = layer.metadata()
        # QGIS shows these as HTML.
        metadata.setTitle(escape(title, quote=False))
        metadata.setAbstract(escape(self.text, quote=False))
        metadata.setHistory([escape(self.line, quote=False)])
        metadata.setCrs(layer.crs())
        layer.setMetadata(metadata)

    def keep(self, layer: QgsVectorLayer, output: str) -> None:
        """Say so in the GeoPackage that the table of a layer was written into."""
        path, _, table = layer.source().partition("|layername=")
        table = table or Path(path).stem
        if path.lower().endswith(".gpkg"):
            self._put_on(layer, table)
            source = f"{path}|layername={table}"
            QgsProviderRegistry.instance().saveLayerMetadata(
                layer.providerType(), source, layer.metadata()
            )
            add_note(Path(path), table, json.dumps({"output": output, "record": self.to_json()}))


#: Parts of a record that are plain already, and what they are.
_PLAIN = {
    "title": str,
    "id": str,
    "algorithm": str,
    "parameters": dict,
    "results": dict,
    "files": dict,
    "rows": dict,
}
_WRONG = (ValueError, TypeError, KeyError, AttributeError, RecursionError)


def _of_kind(value: Any, kind: type) -> Any:
    if not isinstance(value, kind):
        raise TypeError(f"{kind.__name__} expected")
    return value


def _texts(found: Any) -> dict[str, str]:
    return {str(name): _of_kind(value, str) for name, value in _of_kind(found, dict).items()}


def _entry(found: Any) -> Entry:
    usual = bool(_of_kind(found, dict).get("usual", False))
    return Entry(
        **_texts({name: value for name, value in found.items() if name != "usual"}), usual=usual
    )


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


def source_of(layer: QgsMapLayer) -> str:
    """What opens a layer again, without a password; empty for one in memory."""
    provider, source = layer.providerType(), _SECRET.sub("", layer.source())
    if provider in ("memory", "virtual"):
        return ""
    return (
        source
        if provider in _BY_SOURCE
        else str(QgsProcessingUtils.encodeProviderKeyAndUri(provider, source))
    )


def plain_parameters(given: Given) -> dict[str, Any]:
    """What was given, or guessed, without outputs, as numbers, texts and lists; a layer by its id."""
    found = {}
    for definition in given.algorithm.parameterDefinitions():
        name = definition.name()
        if given.has(name) and not definition.isDestination():
            found[name] = _plain(given, name, str(definition.type()))
    guessed = (
        one for one in given.algorithm.choices if isinstance(one, Field) and one.guess is not None
    )
    return {**found, **{choice.ids[0]: given[choice] for choice in guessed if given[choice]}}


def _plain(given: Given, name: str, kind: str) -> Any:
    value = given.parameters[name]
    if kind in ("source", "vector"):
        return _features(given, name, value)
    if kind == "multilayer":
        return [
            layer.id()
            for layer in given.algorithm.parameterAsLayerList(given.parameters, name, given.context)
        ]
    if kind in ("layer", "raster", "mesh", "pointcloud"):
        layer = given.algorithm.parameterAsLayer(given.parameters, name, given.context)
        return "" if layer is None else layer.id()
    if isinstance(value, QgsProperty):
        value = value.valueAsString(given.context.expressionContext())[0]
    if isinstance(value, QgsRectangle):  # one with a system is such a rectangle too
        ends = value.xMinimum(), value.xMaximum(), value.yMinimum(), value.yMaximum()
        corners = ",".join(map(repr, ends))
        return (
            f"{corners} [{_system(value.crs())}]"
            if isinstance(value, QgsReferencedRectangle)
            else corners
        )
    if isinstance(value, QgsCoordinateReferenceSystem):
        return _system(value)
    if isinstance(value, (list, tuple)):
        return [one if isinstance(one, (bool, int, float)) else str(one) for one in value]
    return value if isinstance(value, (bool, int, float)) else str(value)


def _features(given: Given, name: str, value: Any) -> Any:
    layer, selected_only = given.source(name)
    if layer is None:
        return ""
    expression = str(getattr(value, "filterExpression", "") or "")
    most = int(getattr(value, "featureLimit", -1))
    if not selected_only and not expression and most < 0:
        return layer.id()
    return {_LAYER: layer.id(), "selected": selected_only, "expression": expression, "most": most}


def _system(crs: QgsCoordinateReferenceSystem) -> str:
    return str(crs.authid() or crs.toWkt(QgsCoordinateReferenceSystem.WktVariant.WKT_PREFERRED))


def layers_again(inputs: Mapping[str, Input], project: QgsProject) -> dict[str, str]:
    """Id of an input -> id of the layer that the project has of it: that of the same id, else of the same source."""
    there = project.mapLayers()
    by_source = {
        source: id_ for id_, layer in there.items() for source in [source_of(layer)] if source
    }
    found = {
        name: name if name in there else by_source.get(one.source, "")
        for name, one in inputs.items()
    }
    return {name: layer for name, layer in found.items() if layer}


def parameters_again(
    parameters: Mapping[str, Any], inputs: Mapping[str, Input], project: QgsProject
) -> dict[str, Any]:
    """The parameters with the layers that this project has: those of the same id, else of the same source."""
    there = layers_again(inputs, project)
    found = {name: there.get(name, one.source or name) for name, one in inputs.items()}

    def again(value: Any) -> Any:
        if isinstance(value, list):
            return [again(one) for one in value]
        if isinstance(value, dict):
            some = QgsProcessingFeatureSourceDefinition(
                str(again(value.get(_LAYER))), value.get("selected") is True
            )
            some.filterExpression, most = str(value.get("expression") or ""), value.get("most")
            some.featureLimit = most if type(most) is int and abs(most) < _MOST else -1
            return some
        return found.get(value, value) if isinstance(value, str) else value

    return {str(name): again(value) for name, value in parameters.items()}


def repeating_command(
    algorithm: str,
    parameters: Mapping[str, Any],
    inputs: Mapping[str, Input],
    outputs: Mapping[str, str],
) -> str:
    """The command for a terminal that does a run again, with what it makes in the files ``outputs``, by id."""
    told = [
        f"{name}={_word(one, inputs)}"
        for name, value in parameters.items()
        for one in (value if isinstance(value, list) else [value])
    ]
    made = [f"{name}={file}" for name, file in outputs.items()]
    return shlex.join(["qgis_process", "run", algorithm, "--", *told, *made])


def _word(value: Any, inputs: Mapping[str, Input]) -> str:
    if isinstance(value, dict):
        value = value.get(_LAYER)
    if isinstance(value, str) and value in inputs:
        return inputs[value].source or inputs[value].name
    return str(value)


def why_not_repeated(parameters: Mapping[str, Any], inputs: Mapping[str, Input]) -> list[str]:
    """Names of the layers that a command cannot read as the run did: in memory, or of which only some were read."""
    partly = [value.get(_LAYER) for value in parameters.values() if isinstance(value, dict)]
    return [one.name for name, one in inputs.items() if not one.source or name in partly]
