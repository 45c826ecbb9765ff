"""Provenance of runs: parameters, inputs, versions and time, as display texts and as plain values.

The display texts are shown in the metadata of layers, in summary tables and in reports. The plain
values allow to repeat a run.
"""

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

from randcrowns.algorithms.algorithm_catalogue import IMPORT_CROWNS
from randcrowns.algorithms.output_types import ValueOutput
from randcrowns.algorithms.parameter_types import FieldParameter, Parameter, RunParameters
from randcrowns.algorithms.short_names import short_run_name
from randcrowns.core.exchange.files import LAYER_SEPARATOR
from randcrowns.core.messages import Message, messages_from_json, messages_to_json
from randcrowns.core.old_names import OUTPUTS, rename_ids, rename_parameter_name
from randcrowns.core.review.verdicts import LayerKey
from randcrowns.layers.compat import new_field
from randcrowns.layers.fields import field_index
from randcrowns.layers.files.table_notes import add_note
from randcrowns.layers.localization import message_texts, tr
from randcrowns.layers.public_sources import (
    public_id,
    public_name,
    public_paths,
    public_source,
    reduce_stored_source,
)
from randcrowns.layers.vector.tables import FeatureTable

#: Output of every algorithm with its provenance, as :meth:`Provenance.to_json` writes it.
PROVENANCE = ValueOutput("PROVENANCE", tr("Provenance (JSON)"), is_text=True)
#: Prefix of the names of provenance columns.
COLUMN_PREFIX = "run_"
#: Custom layer property with the provenance, as :meth:`Provenance.to_json` writes it.
_RECORD_PROPERTY = "randcrowns/made"
#: Custom layer property with the id of the output.
_OUTPUT_PROPERTY = "randcrowns/output"
#: Name of the parameter of *Import crowns* with the imported files.
_INPUT_FILES = "input"
_METADATA_FILE = Path(__file__).resolve().parents[1] / "metadata.txt"
#: Key of the layer id in the plain value of a layer of which only some features were read.
_LAYER_KEY = "layer"
#: Text of a rectangle: four numbers, and its coordinate reference system in brackets.
_RECTANGLE_TEXT = re.compile(r"\s*[-+.\deE]+(\s*,\s*[-+.\deE]+){3}\s*(\[.*\]\s*)?")
#: Feature limits from this one on are invalid.
_FEATURE_LIMIT_END = 2**31
#: Feature limit of a layer that is read completely.
_NO_FEATURE_LIMIT = -1


#: Value of :attr:`InputLayer.omitted`.
_OMITTED_SOURCE = "source"
#: Values of :attr:`InputLayer.difference`.
_UNSAVED_EDITS = "edits"
_TEMPORARY_FILE = "temporary"


@dataclass(frozen=True)
class InputLayer:
    """Input layer of a run."""

    name: str  #: name of the layer.
    #: Source that opens the layer, without secrets; empty for one in memory.
    source: str
    #: Empty if the source opens all that the run read; "source" if a part of it was omitted that
    #: may select other features.
    omitted: str = ""
    #: Empty if the source, opened later, has what the run read; "edits" if the layer had edits that
    #: were not saved; "temporary" if its file is deleted when QGIS closes.
    difference: str = ""
    #: File or files from which the plugin imported the layer; empty for other layers.
    origin: str = ""

    @classmethod
    def from_layer(cls, layer: QgsMapLayer) -> InputLayer:
        """Return the description of a layer."""
        source = public_source(layer)
        difference = ""
        if isinstance(layer, QgsVectorLayer) and layer.isModified():
            difference = _UNSAVED_EDITS
        elif _is_temporary(source.text):
            difference = _TEMPORARY_FILE
        return cls(
            name=public_name(layer),
            source=source.text,
            omitted="" if source.is_complete else _OMITTED_SOURCE,
            difference=difference,
            origin=_list_imported_files(layer),
        )

    @property
    def identifying_source(self) -> str:
        """Source by which the layer is found again; empty if it has none."""
        return "" if self.omitted else self.source

    def to_plain(self) -> dict[str, str]:
        """Return the attributes as :meth:`Provenance.to_json` stores them."""
        optional = ("omitted", "difference", "origin")
        return {name: value for name, value in vars(self).items() if value or name not in optional}

    @property
    def place(self) -> str:
        """Source of the layer and the file it was imported from, as display text."""
        if self.origin and self.source:
            return tr("{source}, imported from {file}", source=self.source, file=self.origin)
        if self.origin:
            return tr("imported from {file}", file=self.origin)
        return self.source or tr("a layer in memory")

    @property
    def has_unsaved_edits(self) -> bool:
        """True if the run read edits that were not saved."""
        return self.difference == _UNSAVED_EDITS


@dataclass(frozen=True)
class ProvenanceEntry:
    """Entry of a provenance record: one parameter, or a fact such as the version."""

    name: str  #: name of the parameter or fact.
    label: str  #: label, translated.
    words: str  #: value as display text.
    usual: bool = False  #: True for an advanced parameter that has its default.
    is_given: bool = True  #: False for a parameter without a value.


@dataclass(frozen=True)
class Provenance:
    """Provenance of a run.

    Two records are equal if their title and entries are.
    """

    #: Short name, method or algorithm, and time, such as ``field vs boxes, Score crowns,
    #: 17:09:41``; also the name of the layer group.
    title: str
    #: Algorithm, versions and time, then all parameters in the order of the dialog.
    entries: tuple[ProvenanceEntry, ...]
    id: str = field(default="", compare=False)  #: unique id of the run.
    #: Id of the algorithm, such as ``randcrowns:scorecrowns``.
    algorithm: str = field(default="", compare=False)
    #: Plain values of the parameters, without outputs; layers as ids in :attr:`inputs`.
    parameters: Mapping[str, Any] = field(default_factory=dict, compare=False)
    #: Input layers by layer id.
    inputs: Mapping[str, InputLayer] = field(default_factory=dict, compare=False)
    #: Conclusion of the run, in one or a few sentences.
    headline: tuple[Message, ...] = field(default=(), compare=False)
    #: Outputs that are numbers or texts by id, MESSAGES among them.
    results: Mapping[str, Any] = field(default_factory=dict, compare=False)
    #: Paths of the outputs that are not tables, by id.
    files: Mapping[str, str] = field(default_factory=dict, compare=False)
    #: Number of rows of each table by output id.
    rows: Mapping[str, int] = field(default_factory=dict, compare=False)

    @classmethod
    def start(
        cls,
        run_parameters: RunParameters,
        title_layers: Sequence[Parameter[Any]],
        title_parameters: Sequence[Parameter[Any]],
    ) -> Provenance:
        """Return the provenance of a run that begins now; on the main thread only.

        Args:
            run_parameters: parameters of the run.
            title_layers: parameters with the layers that the title names.
            title_parameters: parameters that the title names too.
        """
        start_time = datetime.now().astimezone()
        algorithm = run_parameters.algorithm
        time_text = start_time.isoformat(" ", "milliseconds")
        entries = [
            ProvenanceEntry("algorithm", tr("Algorithm"), algorithm.entry.label),
            ProvenanceEntry("version", tr("Version"), software_versions()),
            ProvenanceEntry("time", tr("Date and time"), time_text),
            *_describe_parameters(run_parameters),
        ]
        input_layers = run_parameters.input_layers()
        return cls(
            title=_compose_title(run_parameters, title_layers, title_parameters, start_time),
            entries=tuple(entries),
            id=uuid.uuid4().hex,
            algorithm=algorithm.id(),
            parameters=plain_parameters(run_parameters),
            inputs={public_id(layer): InputLayer.from_layer(layer) for layer in input_layers},
        )

    def with_results(
        self,
        headline: Sequence[Message],
        results: Mapping[str, Any],
        files: Mapping[str, str],
        rows: Mapping[str, int],
    ) -> Provenance:
        """Return the record with the results of the run.

        Args:
            headline: conclusion of the run.
            results: outputs that are numbers or texts, by id.
            files: paths of the outputs that are not tables, by id.
            rows: number of rows of each table, by id.
        """
        return replace(
            self,
            headline=tuple(headline),
            results=dict(results),
            files=dict(files),
            rows=dict(rows),
        )

    @property
    def conclusion(self) -> str:
        """Conclusion as one text; empty if the algorithm draws none."""
        return " ".join(message_texts(self.headline))

    @property
    def multiline_text(self) -> str:
        """All entries, one per line."""
        return "\n".join(f"{entry.label}: {entry.words}" for entry in self.entries)

    @property
    def one_line_text(self) -> str:
        """Entries in one line, without advanced parameters that have their default."""
        return " · ".join(
            f"{entry.label}: {entry.words}" for entry in self.entries if not entry.usual
        )

    def display_text_of(self, name: str) -> str:
        """Return the display text of the entry of this name; "" without one, or without a value."""
        current = rename_parameter_name(name)  # templates of users may use old names
        texts = (entry.words for entry in self.entries if entry.name == current and entry.is_given)
        return next(texts, "")

    def input_layers_of(self, parameter_id: str) -> list[LayerKey]:
        """Return the input layers of a parameter, in their order.

        Args:
            parameter_id: id of the Processing parameter.
        """
        value = self.parameters.get(parameter_id)
        if isinstance(value, list):
            layer_ids = value
        elif isinstance(value, dict):
            layer_ids = [value.get(_LAYER_KEY)]
        else:
            layer_ids = [value]
        keys = []
        for layer_id in dict.fromkeys(map(str, layer_ids)):
            layer = self.inputs.get(layer_id)
            if layer is not None:
                keys.append(LayerKey(layer_id, layer.identifying_source, layer.name))
        return keys

    def to_json(self) -> str:
        """Return the record as text that :meth:`from_json` reads."""
        plain = {
            **{name: getattr(self, name) for name in _PLAIN_FIELDS},
            "entries": [vars(entry) for entry in self.entries],
            "inputs": {layer_id: layer.to_plain() for layer_id, layer in self.inputs.items()},
            "headline": json.loads(messages_to_json(self.headline)),
        }
        return json.dumps(plain, ensure_ascii=False, default=str)

    @classmethod
    @functools.lru_cache(maxsize=256)  # every page reads the records of all layers and tables
    def from_json(cls, text: str) -> Provenance:
        """Return the record in a text; the same object for the same text.

        Args:
            text: result of :meth:`to_json`, also of an older version with old names.

        Raises:
            ValueError, TypeError, KeyError, AttributeError, RecursionError: if the text holds none.
        """
        stored = json.loads(text)
        values = {}
        for name, expected_type in _PLAIN_FIELDS.items():
            if name in stored:
                values[name] = _check_type(stored[name], expected_type)
        for name in ("parameters", "results", "files", "rows"):
            values[name] = rename_ids(values.get(name, {}))
        # Single values of a wrong type are left out, unlike those of a whole field.
        values["files"] = _select_values_of_type(values["files"], str)
        values["rows"] = _select_values_of_type(values["rows"], int)
        stored_inputs = _check_type(stored.get("inputs", {}), dict)
        inputs = {name: _parse_input(layer) for name, layer in stored_inputs.items()}
        stored_entries = _check_type(stored["entries"], list)
        entries = tuple(_parse_entry(entry) for entry in stored_entries)
        headline = messages_from_json(json.dumps(stored.get("headline", [])))
        for message in headline:
            message.sentence()  # raises an error if a value of its template is missing
        return cls(**values, entries=entries, inputs=inputs, headline=headline)

    def with_stored_inputs(self, sources: Mapping[str, str]) -> Provenance:
        """Return a copy in which inputs that were in memory have the source they are stored in.

        Args:
            sources: source of each layer that was stored, by its id in :attr:`inputs`.
        """
        inputs = {}
        for input_id, run_input in self.inputs.items():
            if not run_input.source and input_id in sources:
                inputs[input_id] = replace(run_input, source=sources[input_id])
            else:
                inputs[input_id] = run_input
        return replace(self, inputs=inputs)

    def add_columns_to(self, table: FeatureTable) -> None:
        """Add one column per entry to a table, with the same display text in every row."""
        comment = tr("Provenance of the run.")
        for entry in self.entries:
            column = new_field(COLUMN_PREFIX + entry.name, "text", comment, entry.label)
            table.add_field(column, [entry.words] * len(table))

    def write_to_layer(self, layer: QgsMapLayer, output: str = "") -> None:
        """Store the record in the metadata and custom properties of a layer.

        Args:
            layer: layer that the run has made; the aliases of its provenance columns are set too.
            output: id of the output that it is.
        """
        self._set_metadata(layer, layer.name())
        layer.setCustomProperty(_RECORD_PROPERTY, self.to_json())
        if output:
            layer.setCustomProperty(_OUTPUT_PROPERTY, output)
        if isinstance(layer, QgsVectorLayer):
            for entry in self.entries:
                index = field_index(layer.fields(), COLUMN_PREFIX + entry.name)
                layer.setFieldAlias(index, entry.label)

    def _set_metadata(self, layer: QgsMapLayer, title: str) -> None:
        """Set title, abstract, history and CRS in the metadata of a layer."""
        metadata = layer.metadata()
        # QGIS shows these texts as HTML.
        metadata.setTitle(escape(title, quote=False))
        metadata.setAbstract(escape(self.multiline_text, quote=False))
        metadata.setHistory([escape(self.one_line_text, quote=False)])
        metadata.setCrs(layer.crs())
        layer.setMetadata(metadata)

    def write_to_geopackage(self, layer: QgsVectorLayer, output: str) -> None:
        """Store the record in the GeoPackage of a layer; do nothing for other formats.

        Args:
            layer: layer of the written table; its metadata is changed.
            output: id of the output that it is.
        """
        path, _, table = layer.source().partition(LAYER_SEPARATOR)
        if not path.lower().endswith(".gpkg"):
            return
        table = table or Path(path).stem
        self._set_metadata(layer, table)
        source = f"{path}{LAYER_SEPARATOR}{table}"
        QgsProviderRegistry.instance().saveLayerMetadata(
            layer.providerType(), source, layer.metadata()
        )
        add_note(Path(path), table, json.dumps({"output": output, "record": self.to_json()}))


#: Fields of a record that JSON stores unchanged, and their types.
_PLAIN_FIELDS = {
    "title": str,
    "id": str,
    "algorithm": str,
    "parameters": dict,
    "results": dict,
    "files": dict,
    "rows": dict,
}
#: Exceptions that :meth:`Provenance.from_json` raises for a text without a record.
_NO_RECORD_ERRORS = (ValueError, TypeError, KeyError, AttributeError, RecursionError)


def _compose_title(
    run_parameters: RunParameters,
    title_layers: Sequence[Parameter[Any]],
    title_parameters: Sequence[Parameter[Any]],
    time: datetime,
) -> str:
    """Return the title of a run; see :meth:`Provenance.start`.

    Args:
        run_parameters: parameters of the run.
        title_layers: parameters with the layers that the title names.
        title_parameters: parameters that the title names too.
        time: time at which the run began.
    """
    used_layers = [parameter for parameter in title_layers if parameter in run_parameters]
    layer_texts = [parameter.describe_briefly(run_parameters) for parameter in used_layers]
    layer_names = [str(layer.name()) for layer in run_parameters.input_layers()]
    name = short_run_name([text for text in layer_texts if text], layer_names)
    if title_parameters:
        details = [parameter.describe_briefly(run_parameters) for parameter in title_parameters]
    else:
        # The algorithm tells runs of the same layers apart.
        details = [run_parameters.algorithm.entry.label]
    parts = [name, *details, f"{time:%H:%M:%S}"]
    return ", ".join(part for part in parts if part)


def _check_type(value: Any, kind: type) -> Any:
    """Return a value, or raise a TypeError if it is of another type."""
    if not isinstance(value, kind):
        raise TypeError(f"{kind.__name__} expected")
    return value


def _select_values_of_type(values: Mapping[str, Any], kind: type) -> dict[str, Any]:
    """Return the values that are exactly of a type."""
    return {name: value for name, value in values.items() if type(value) is kind}


def _select_texts(stored: Any) -> dict[str, str]:
    """Return a dictionary of texts, or raise a TypeError if it is something else."""
    values = _check_type(stored, dict)
    return {str(name): _check_type(value, str) for name, value in values.items()}


def _parse_input(stored: Any) -> InputLayer:
    """Return the input layer that a dictionary describes, or raise a TypeError.

    The source of an older version may contain secrets, which are omitted.
    """
    layer = InputLayer(**_select_texts(stored))
    return replace(layer, source=reduce_stored_source(layer.source))


def _parse_entry(stored: Any) -> ProvenanceEntry:
    """Return the entry that a dictionary describes, or raise a TypeError."""
    values = dict(_check_type(stored, dict))
    is_default = bool(values.pop("usual", False))
    # Records of older versions do not say which parameters have a value.
    is_given = bool(values.pop("is_given", True))
    entry = ProvenanceEntry(**_select_texts(values), usual=is_default, is_given=is_given)
    return replace(entry, name=rename_parameter_name(entry.name))


def read_provenance(layer: QgsMapLayer) -> Provenance | None:
    """Return the provenance in the custom properties of a layer, or None."""
    try:
        return Provenance.from_json(str(layer.customProperty(_RECORD_PROPERTY) or ""))
    except _NO_RECORD_ERRORS:
        return None


def _list_imported_files(layer: QgsMapLayer) -> str:
    """Return the files from which the plugin imported a layer; "" for other layers."""
    record = read_provenance(layer)
    if record is None or record.algorithm != f"randcrowns:{IMPORT_CROWNS.key}":
        return ""
    return record.display_text_of(_INPUT_FILES)


def read_output_id(layer: QgsMapLayer) -> str:
    """Return the id of the output that a layer is, from its custom properties, or ""."""
    output = str(layer.customProperty(_OUTPUT_PROPERTY) or "")
    return OUTPUTS.get(output, output)


def parse_table_note(note: str) -> tuple[Provenance, str] | None:
    """Return the provenance that a GeoPackage stores for a table.

    See :meth:`Provenance.write_to_geopackage`.

    Args:
        note: text that the GeoPackage stores for the table.

    Returns:
        The record and the id of the output that the table is; None if the text holds neither.
    """
    try:
        stored = json.loads(note)
        output = _check_type(stored["output"], str)
        return Provenance.from_json(stored["record"]), OUTPUTS.get(output, output)
    except _NO_RECORD_ERRORS:
        return None


@functools.cache
def software_versions() -> str:
    """Return the versions of the plugin, of QGIS and of GEOS as one text."""
    parser = configparser.ConfigParser(interpolation=None)
    parser.read(_METADATA_FILE, encoding="utf-8")
    plugin = parser.get("general", "version", fallback="?")
    qgis = Qgis.QGIS_VERSION.partition("-")[0]
    return f"RandCrowns {plugin}, QGIS {qgis}, GEOS {shapely.geos_version_string}"


def _is_temporary(source: str) -> bool:
    """Return True if a source is a file that QGIS deletes when it closes."""
    path = source.partition("|")[0]
    return bool(path) and Path(QgsProcessingUtils.tempFolder()) in Path(path).parents


def layer_source(layer: QgsMapLayer) -> str:
    """Return the source that identifies a layer, without secrets.

    The source includes the name of the provider if QGIS needs it. It is empty for a layer in memory
    and for a layer whose public source may select other features.
    """
    return InputLayer.from_layer(layer).identifying_source


def _describe_parameters(run_parameters: RunParameters) -> list[ProvenanceEntry]:
    """Return an entry per parameter of a run, in the order of the dialog.

    Advanced parameters whose text is that of the default are marked.
    """
    algorithm = run_parameters.algorithm
    defaults = RunParameters(algorithm, parameters={}, context=run_parameters.context)
    entries = []
    for parameter in algorithm.declared_parameters:
        text = parameter.describe(run_parameters)
        entries.append(
            ProvenanceEntry(
                name=parameter.name,
                label=parameter.label or parameter.name,
                words=text,
                usual=parameter.advanced and text == parameter.describe(defaults),
                is_given=bool(parameter.describe_value(run_parameters)),
            )
        )
    return entries


def plain_parameters(run_parameters: RunParameters) -> dict[str, Any]:
    """Return the parameters of a run as numbers, texts, lists and dictionaries, by id.

    Outputs and parameters without a value are not among them; guessed fields are. A layer is
    replaced by its id, a layer of which only some features are read by a dictionary.
    """
    values = {}
    for definition in run_parameters.algorithm.parameterDefinitions():
        name = definition.name()
        if run_parameters.has(name) and not definition.isDestination():
            values[name] = _to_plain_value(run_parameters, name, str(definition.type()))
    for parameter in run_parameters.algorithm.declared_parameters:
        is_guessed = isinstance(parameter, FieldParameter) and parameter.guess_field is not None
        if is_guessed and run_parameters[parameter]:
            values[parameter.id] = run_parameters[parameter]
    return values


def _to_plain_value(run_parameters: RunParameters, name: str, kind: str) -> Any:
    """Return the value of a parameter as a plain value; see :func:`plain_parameters`.

    Args:
        run_parameters: parameters of the run.
        name: id of the Processing parameter.
        kind: its Processing type, such as ``source``.

    Returns:
        A boolean, a number or a text, a list of them, or a dictionary that describes a layer.
    """
    algorithm = run_parameters.algorithm
    raw_values = run_parameters.raw_values
    raw_value = raw_values[name]
    if kind in ("source", "vector"):
        return _to_plain_source(run_parameters, name, raw_value)
    if kind == "multilayer":
        layers = algorithm.parameterAsLayerList(raw_values, name, run_parameters.context)
        return [public_id(layer) for layer in layers]
    if kind in ("layer", "raster", "mesh", "pointcloud"):
        layer = algorithm.parameterAsLayer(raw_values, name, run_parameters.context)
        return "" if layer is None else public_id(layer)
    if kind == "file":
        return public_paths(str(raw_value))
    value = raw_value
    if isinstance(raw_value, QgsProperty):
        value = run_parameters.property_text(raw_value)
    if kind == "extent" and not _is_plain_extent(value):
        return _to_plain_extent(run_parameters, name)
    return _to_json_value(value)


def _to_json_value(value: Any) -> Any:
    """Return a value that is no layer and no file as JSON can store it.

    Args:
        value: rectangle, CRS, list, boolean, number, or another value, which becomes a text.
    """
    if isinstance(value, QgsRectangle):
        return _to_plain_rectangle(value)
    if isinstance(value, QgsCoordinateReferenceSystem):
        return _describe_crs(value)
    if isinstance(value, (list, tuple)):
        return [_to_plain_scalar(item) for item in value]
    return _to_plain_scalar(value)


def _to_plain_scalar(value: Any) -> bool | int | float | str:
    """Return a boolean or a number as it is, and any other value as a text."""
    if isinstance(value, (bool, int, float)):
        return value
    return str(value)


def _is_plain_extent(value: Any) -> bool:
    """Return True for a rectangle, and for a text with the four numbers of one."""
    is_text = isinstance(value, str) and _RECTANGLE_TEXT.fullmatch(value) is not None
    return is_text or isinstance(value, QgsRectangle)


def _to_plain_extent(run_parameters: RunParameters, name: str) -> str:
    """Return the rectangle of an extent parameter that is a layer, as the run has read it.

    Args:
        run_parameters: parameters of the run.
        name: id of the Processing parameter.
    """
    algorithm = run_parameters.algorithm
    rectangle = algorithm.parameterAsExtent(run_parameters.raw_values, name, run_parameters.context)
    crs = algorithm.parameterAsExtentCrs(run_parameters.raw_values, name, run_parameters.context)
    return _to_plain_rectangle(QgsReferencedRectangle(rectangle, crs))


def _to_plain_rectangle(rectangle: QgsRectangle) -> str:
    """Return ``xmin,xmax,ymin,ymax`` of a rectangle, and ``[crs]`` if it has a CRS."""
    bounds = (
        rectangle.xMinimum(),
        rectangle.xMaximum(),
        rectangle.yMinimum(),
        rectangle.yMaximum(),
    )
    numbers = ",".join(map(repr, bounds))
    if isinstance(rectangle, QgsReferencedRectangle) and rectangle.crs().isValid():
        return f"{numbers} [{_describe_crs(rectangle.crs())}]"
    return numbers


def _to_plain_source(run_parameters: RunParameters, name: str, value: Any) -> str | dict[str, Any]:
    """Return the id of a layer; with a selection, filter or limit a dictionary that has it too.

    Args:
        run_parameters: parameters of the run.
        name: id of the Processing parameter.
        value: its Processing value.
    """
    layer, selected_only = run_parameters.feature_source(name)
    if layer is None:
        return ""
    layer_id = public_id(layer)
    # Only a source definition has a filter and a limit; a plain id or path has neither.
    expression = str(getattr(value, "filterExpression", "") or "")
    feature_limit = int(getattr(value, "featureLimit", _NO_FEATURE_LIMIT))
    has_limit = feature_limit >= 0
    if not selected_only and not expression and not has_limit:
        return layer_id
    return {
        _LAYER_KEY: layer_id,
        "selected": selected_only,
        "expression": expression,
        "most": feature_limit,
    }


def _describe_crs(crs: QgsCoordinateReferenceSystem) -> str:
    """Return the id of a coordinate reference system, or its WKT if it has no id."""
    return str(crs.authid() or crs.toWkt(QgsCoordinateReferenceSystem.WktVariant.WKT_PREFERRED))


def find_input_layers(inputs: Mapping[str, InputLayer], project: QgsProject) -> dict[str, str]:
    """Return the project's layers for the inputs of a run.

    Args:
        inputs: input layers by id.
        project: project with the layers.

    Returns:
        Id of the project's layer by the id of the input: the layer of the same id or, without one,
        of the same source. Inputs that the project does not have are not among them.
    """
    project_layers = project.mapLayers()
    ids_by_source = {}
    public_ids = {}
    for layer_id, layer in project_layers.items():
        public_ids[public_id(layer)] = layer_id
        source = layer_source(layer)
        if source:
            ids_by_source[source] = layer_id
    project_layer_ids = {}
    for input_id, run_input in inputs.items():
        if input_id in project_layers:
            project_layer_ids[input_id] = input_id
        elif input_id in public_ids:
            project_layer_ids[input_id] = public_ids[input_id]
        elif run_input.identifying_source in ids_by_source:
            project_layer_ids[input_id] = ids_by_source[run_input.identifying_source]
    return project_layer_ids


def restore_parameters(
    parameters: Mapping[str, Any], inputs: Mapping[str, InputLayer], project: QgsProject
) -> dict[str, Any]:
    """Return the Processing values that repeat a run.

    Args:
        parameters: plain values of the run, see :func:`plain_parameters`.
        inputs: input layers of the run by id.
        project: project whose layers are used, see :func:`find_input_layers`.

    Returns:
        Values by parameter id. An input that the project does not have is replaced by its source,
        unless this may open other features.
    """
    project_ids = find_input_layers(inputs, project)
    replacements = {}
    for input_id, run_input in inputs.items():
        other_source = run_input.identifying_source or input_id
        replacements[input_id] = project_ids.get(input_id, other_source)

    def processing_value(value: Any) -> Any:
        """Return a plain value as Processing reads it, with all layer ids replaced.

        A dictionary describes a layer with its filter and becomes a feature source definition.
        """
        if isinstance(value, str):
            return replacements.get(value, value)
        if isinstance(value, list):
            return [processing_value(item) for item in value]
        if not isinstance(value, dict):
            return value
        layer = str(processing_value(value.get(_LAYER_KEY)))
        source = QgsProcessingFeatureSourceDefinition(layer, value.get("selected") is True)
        source.filterExpression = str(value.get("expression") or "")
        limit = value.get("most")
        is_valid_limit = type(limit) is int and abs(limit) < _FEATURE_LIMIT_END
        source.featureLimit = limit if is_valid_limit else _NO_FEATURE_LIMIT
        return source

    return {str(name): processing_value(value) for name, value in parameters.items()}


def command_to_repeat(
    algorithm: str,
    parameters: Mapping[str, Any],
    inputs: Mapping[str, InputLayer],
    outputs: Mapping[str, str],
) -> str:
    """Return the shell command that repeats a run with ``qgis_process``.

    Args:
        algorithm: id of the algorithm.
        parameters: plain values of the run, see :func:`plain_parameters`.
        inputs: input layers of the run by id.
        outputs: files to write, by output id.
    """
    arguments = []
    for name, value in parameters.items():
        items = value if isinstance(value, list) else [value]
        arguments += [f"{name}={_format_argument(item, inputs)}" for item in items]
    arguments += [f"{name}={file}" for name, file in outputs.items()]
    return shlex.join(["qgis_process", "run", algorithm, "--", *arguments])


def _format_argument(value: Any, inputs: Mapping[str, InputLayer]) -> str:
    """Return a plain value as an argument of a command; layers as their source or name.

    Args:
        value: plain value, see :func:`plain_parameters`; no list.
        inputs: input layers of the run by id.
    """
    item = value.get(_LAYER_KEY) if isinstance(value, dict) else value
    if isinstance(item, str) and item in inputs:
        layer = inputs[item]
        return layer.source or layer.name
    return str(item)


def unrepeatable_inputs(
    parameters: Mapping[str, Any], inputs: Mapping[str, InputLayer]
) -> list[str]:
    """Return the names of the input layers that a command cannot read as the run did.

    They are in memory or temporary, they had unsaved edits, their source contains more than may be
    stored, or the run has read only some of their features.

    Args:
        parameters: plain values of the run, see :func:`plain_parameters`.
        inputs: input layers of the run by id.
    """
    described_layers = [value for value in parameters.values() if isinstance(value, dict)]
    partly_read_ids = [layer.get(_LAYER_KEY) for layer in described_layers]
    names = []
    for input_id, run_input in inputs.items():
        is_whole = not run_input.difference and input_id not in partly_read_ids
        is_repeatable = run_input.identifying_source and is_whole
        if not is_repeatable:
            names.append(run_input.name)
    return names
