"""Parameter types: declarations of what the user of an algorithm chooses.

A declaration creates the Processing parameter, reads its value in a run, and converts the value for
a project. The dock builds its forms from the same declarations, see
:mod:`randcrowns.ui.widgets.parameter_form`.

A value has three forms: the Processing value (such as an index or a layer), the value that an
algorithm reads with :meth:`Parameter.read` (such as a key or a snapshot), and the plain value that
a form shows and a project stores (such as a key or the id of a layer).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Callable, ClassVar, Generic, NamedTuple, TypeVar

from qgis.core import (
    QgsCoordinateTransformContext,
    QgsMapLayer,
    QgsProcessingContext,
    QgsProcessingFeatureSourceDefinition,
    QgsProcessingOutputLayerDefinition,
    QgsProcessingParameterBoolean,
    QgsProcessingParameterDefinition,
    QgsProcessingParameterEnum,
    QgsProcessingParameterField,
    QgsProcessingParameterNumber,
    QgsProcessingParameterString,
    QgsProperty,
    QgsRasterLayer,
    QgsVectorLayer,
)

from randcrowns.algorithms.algorithm_catalogue import CatalogueAlgorithm
from randcrowns.algorithms.file_layers import (
    FileLayers,
    check_file_format,
    check_is_readable,
    find_file_layers,
    several_layers_error,
    taken_layer_messages,
)
from randcrowns.core.errors import InputError
from randcrowns.core.messages import Message
from randcrowns.core.old_names import rename_ids
from randcrowns.layers.compat import selected_fields
from randcrowns.layers.localization import localize_number, tr
from randcrowns.layers.raster.grid import is_in_pixel_coordinates
from randcrowns.layers.vector.read import LayerSnapshot
from randcrowns.report.language import append_unit

if TYPE_CHECKING:
    from randcrowns.algorithms.output_types import Output

T = TypeVar("T", covariant=True)
AnySettings = TypeVar("AnySettings", bound="RunSettings")
_ADVANCED = QgsProcessingParameterDefinition.Flag.FlagAdvanced
#: Types of the Processing parameters for vector layers.
_VECTOR_KINDS = ("source", "vector", "multilayer")
#: Types of the Processing parameters for layers.
_LAYER_KINDS = (*_VECTOR_KINDS, "raster", "layer", "maplayer")
#: Widget of the toolbox for a field of several layers.
_FIELD_WIDGET = "randcrowns.ui.widgets.fields.FieldOfLayers"


def raise_if_problem(key: str, problem: str) -> None:
    """Raise an InputError with a key and the message ``problem``, unless the message is empty."""
    if problem:
        raise InputError(key, problem)


def append_in_brackets(label: str, inside: str) -> str:
    """Return a label with words in brackets; they join brackets at the end of the label.

    >>> append_in_brackets("Limit", "m"), append_in_brackets("Limit (alpha)", "m")
    ('Limit (m)', 'Limit (alpha, m)')
    """
    if not inside:
        return label
    return f"{label[:-1]}, {inside})" if label.endswith(")") else f"{label} ({inside})"


class ParameterizedAlgorithm(CatalogueAlgorithm):
    """Algorithm with declared parameters and outputs."""

    declared_parameters: tuple[Parameter[Any], ...] = ()  #: parameters, in the order of the dialog.
    outputs: tuple[Output, ...] = ()  #: outputs, in the order of the layer tree.
    #: True if the algorithm accepts layers in pixel coordinates, those of images without a
    #: georeference, and works in pixels then.
    supports_pixels = False


def _is_empty_output(value: Any) -> bool:
    """Return True if a value is an output layer without a destination.

    The batch dialog of QGIS sets such a value for each output that the user leaves empty.
    """
    if not isinstance(value, QgsProcessingOutputLayerDefinition):
        return False
    sink = value.sink
    return not (sink.staticValue() or sink.expressionString() or sink.field())


class FeatureSource(NamedTuple):
    """Layer of a Processing parameter for a feature source."""

    layer: QgsVectorLayer | None  #: the layer; None if it cannot be found or opened.
    selected_only: bool  #: True if only the selected features are used.


class RunParameters:
    """Parameter values of a run: ``parameters[PARAMETER]`` reads one; on the main thread only.

    Args:
        algorithm: algorithm that declares the parameters.
        parameters: Processing values by parameter id.
        context: context of the run.
    """

    def __init__(
        self,
        algorithm: ParameterizedAlgorithm,
        parameters: dict[str, Any],
        context: QgsProcessingContext,
    ) -> None:
        self.algorithm = algorithm
        self.raw_values = {
            name: None if _is_empty_output(value) else value
            for name, value in rename_ids(parameters).items()  # scripts may use old ids
        }
        self.context = context

    def __getitem__(self, parameter: Parameter[T]) -> T:
        return parameter.read(self)

    def __contains__(self, declared: object) -> bool:
        """Return True if the user set a parameter, or requested an output."""
        return any(self.has(parameter_id) for parameter_id in getattr(declared, "ids", ()))

    def has(self, name: str) -> bool:
        """Return True if the Processing parameter of this id has a value."""
        return self.raw_values.get(name) not in (None, "", [])

    def label_of(self, name: str) -> str:
        """Return the label of the Processing parameter of this id."""
        return str(self.algorithm.parameterDefinition(name).description())

    def feature_source(self, name: str) -> FeatureSource:
        """Return the layer of a feature source, and whether only its selected features are used.

        Args:
            name: id of the Processing parameter.
        """
        value = self.raw_values.get(name)
        selected_only = False
        if isinstance(value, QgsProcessingFeatureSourceDefinition):
            selected_only = value.selectedFeaturesOnly
            value = value.source
        if isinstance(value, QgsProperty):
            value = self.property_text(value)
        if isinstance(value, QgsVectorLayer):
            return FeatureSource(value, selected_only)
        for file_layers in self.file_layers(name):
            # The first, where several may be meant: take_snapshot asks which.
            value = next(iter(file_layers.paths.values()), value)
        parameters = {**self.raw_values, name: value}
        layer = self.algorithm.parameterAsVectorLayer(parameters, name, self.context)
        return FeatureSource(layer, selected_only)

    def property_text(self, value: QgsProperty) -> str:
        """Return the value of a property, such as an expression of a model, as text."""
        text, _ = value.valueAsString(self.context.expressionContext())
        return str(text)

    def file_layers(self, name: str) -> list[FileLayers]:
        """Return the layers among which paths of files with several layers leave the choice.

        Args:
            name: id of a Processing parameter for one or several layers.

        Returns:
            The layers of each file; files with one layer, and paths that name a layer, are not
            among them.
        """
        definition = self.algorithm.parameterDefinition(name)
        if definition.type() == "multilayer":
            kinds: list[Any] = [definition.layerType()]
        else:
            kinds = getattr(definition, "dataTypes", list)()
        layers_of_files = [find_file_layers(text, kinds) for text in self._list_layer_texts(name)]
        return [file_layers for file_layers in layers_of_files if file_layers is not None]

    def _list_layer_texts(self, name: str) -> list[str]:
        """Return the texts among the values of a parameter for layers, such as paths and ids.

        Args:
            name: id of a Processing parameter for one or several layers.
        """
        value = self.raw_values.get(name)
        if isinstance(value, QgsProcessingFeatureSourceDefinition):
            value = value.source
        if isinstance(value, QgsProperty):
            value = self.property_text(value)
        values = value if isinstance(value, (list, tuple)) else [value]
        return [item for item in values if isinstance(item, str)]

    def _list_vector_parameters(self) -> list[str]:
        """Return the ids of the Processing parameters for vector layers that have a value."""
        return [
            definition.name()
            for definition in self.algorithm.parameterDefinitions()
            if definition.type() in _VECTOR_KINDS and self.has(definition.name())
        ]

    def taken_layer_messages(self) -> list[Message]:
        """Return messages about files of which one of several layers is used."""
        messages = []
        for name in self._list_vector_parameters():
            messages += taken_layer_messages(self.label_of(name), self.file_layers(name))
        return messages

    def check_formats(self) -> None:
        """Raise an InputError if a layer is a file of another format than its name says."""
        for definition in self.algorithm.parameterDefinitions():
            if definition.type() in _LAYER_KINDS:
                for text in self._list_layer_texts(definition.name()):
                    check_file_format(text)

    def check_files(self) -> None:
        """Raise an InputError with the reason if a layer is a file that cannot be read."""
        for name in self._list_vector_parameters():
            for text in self._list_layer_texts(name):
                check_is_readable(text)

    def layer(self, parameter: Parameter[Any]) -> QgsVectorLayer | None:
        """Return the layer of a parameter for one vector layer; None if there is none."""
        return self.feature_source(parameter.id).layer

    def map_layer(self, name: str) -> QgsMapLayer | None:
        """Return the layer of a Processing parameter for a feature source or for a raster."""
        if self.algorithm.parameterDefinition(name).type() == "raster":
            return self.algorithm.parameterAsRasterLayer(self.raw_values, name, self.context)
        return self.feature_source(name).layer

    @cached_property
    def in_pixels(self) -> bool:
        """True if the algorithm works in pixels because an input raster has no georeference."""
        rasters = (layer for layer in self.input_layers() if isinstance(layer, QgsRasterLayer))
        return self.algorithm.supports_pixels and any(
            is_in_pixel_coordinates(raster) for raster in rasters
        )

    def take_snapshot(self, name: str, polygons: bool = True) -> LayerSnapshot:
        """Return a snapshot of the layer of a feature source.

        Args:
            name: id of the Processing parameter.
            polygons: True to accept layers of polygons only.

        Raises:
            InputError: if the layer cannot be found or opened, or if several layers of its file
                could be meant.
        """
        for file_layers in self.file_layers(name):
            if len(file_layers.candidates) > 1:
                raise several_layers_error(self.label_of(name), file_layers.paths)
        layer, selected_only = self.feature_source(name)
        if layer is None:
            raise InputError(
                "layer.not_found",
                "The layer for '{name}' cannot be found or opened.",
                name=self.label_of(name),
            )
        value = self.raw_values.get(name)
        expression = getattr(value, "filterExpression", "") or ""  # QGIS 3.32 and later
        feature_limit = getattr(value, "featureLimit", -1)
        return LayerSnapshot.from_layer(layer, selected_only, expression, feature_limit, polygons)

    def input_layers(self) -> list[QgsMapLayer]:
        """Return the input layers of the run; layers that cannot be opened are not among them."""
        layers: list[QgsMapLayer | None] = []
        for definition in self.algorithm.parameterDefinitions():
            name = definition.name()
            kind = definition.type()
            if not self.has(name):
                continue
            if kind in ("source", "vector"):
                layers.append(self.feature_source(name).layer)
            elif kind in ("layer", "raster", "mesh", "pointcloud"):
                layers.append(self.algorithm.parameterAsLayer(self.raw_values, name, self.context))
            elif kind == "multilayer":
                layers += self.algorithm.parameterAsLayerList(self.raw_values, name, self.context)
        return [layer for layer in layers if layer is not None]


@dataclass(frozen=True)
class RunSettings:
    """Settings of a run for the worker thread: ``settings[PARAMETER]`` is the value of one."""

    values: Mapping[Parameter[Any], Any]  #: values of all parameters that are not ``live``.
    requested_outputs: frozenset[Output]  #: requested outputs.
    #: Datum transformations that the project selects.
    transform_context: QgsCoordinateTransformContext
    messages: Sequence[Message]  #: messages about the parameters.

    @classmethod
    def from_parameters(
        cls: type[AnySettings],
        run_parameters: RunParameters,
        messages: Sequence[Message] = (),
        **field_values: Any,
    ) -> AnySettings:
        """Read the settings on the main thread.

        Args:
            run_parameters: parameters of the run.
            messages: messages about the parameters.
            **field_values: values of the fields that a subclass adds.
        """
        algorithm = run_parameters.algorithm
        values = {}
        for parameter in algorithm.declared_parameters:
            if not parameter.is_live_layer:
                values[parameter] = run_parameters[parameter]
        requested_outputs = [output for output in algorithm.outputs if output in run_parameters]
        return cls(
            values,
            frozenset(requested_outputs),
            run_parameters.context.transformContext(),
            [*run_parameters.taken_layer_messages(), *messages],
            **field_values,
        )

    def __getitem__(self, parameter: Parameter[T]) -> T:
        value: T = self.values[parameter]
        return value


@dataclass(frozen=True, eq=False)
class Parameter(Generic[T]):
    """Declaration of one parameter; ``T`` is the type of the value that an algorithm reads."""

    #: True if the value is a layer, which only the main thread may use.
    is_live_layer: ClassVar[bool] = False

    name: str  #: name of the parameter; in capitals the id of the Processing parameter.
    label: str  #: label in the dock and, with the unit, in the toolbox.
    help: str = ""  #: tooltip, a sentence or two.
    default: Any = None  #: default, as a plain value.
    advanced: bool = False  #: True if it is rarely needed; the toolbox then hides it at first.
    optional: bool = False  #: True if the run does not require a value.
    project_key: str = ""  #: key in a project; empty for the name.

    @property
    def ids(self) -> tuple[str, ...]:
        """Ids of the Processing parameters."""
        return (self.name.upper(),)

    @property
    def id(self) -> str:
        """Id of the Processing parameter; the first one if there are several."""
        return self.ids[0]

    @property
    def key(self) -> str:
        """Key of the value in a project."""
        return self.project_key or self.name

    @property
    def toolbox_label(self) -> str:
        """Label in the toolbox."""
        return self.label

    @property
    def help_paragraph(self) -> str:
        """Paragraph about the parameter in the help of an algorithm, as HTML."""
        return f"<strong>{self.toolbox_label}.</strong> {self.help}"

    def create_definition(self) -> QgsProcessingParameterDefinition:
        """Return a new Processing parameter, without help and flags."""
        raise NotImplementedError

    def create_definitions(self) -> list[QgsProcessingParameterDefinition]:
        """Return new Processing parameters, with help and flags."""
        return [self._with_help(self.create_definition(), self.help)]

    def read(self, run_parameters: RunParameters) -> T:
        """Return the value in a run, as the algorithm uses it."""
        raise NotImplementedError

    def read_plain(self, run_parameters: RunParameters) -> Any:
        """Return the value in a run, as a plain value."""
        return self.read(run_parameters)

    def describe_value(self, run_parameters: RunParameters) -> str:
        """Return the value in a run as display text; "" without a value."""
        return str(run_parameters[self])

    def describe(self, run_parameters: RunParameters) -> str:
        """Return the value in a run as display text, which says so if there is none."""
        return self.describe_value(run_parameters) or tr("not given")

    def describe_briefly(self, run_parameters: RunParameters) -> str:
        """Return the value in a run as display text for a title."""
        return self.describe(run_parameters)

    def to_processing(self, value: Any) -> dict[str, Any]:
        """Return the Processing values of a plain value, by parameter id.

        The dictionary is empty for an empty value that is optional.
        """
        if self.optional and value == self.default == "":
            return {}
        return {self.id: value}

    def to_project(self, value: Any) -> dict[str, Any]:
        """Return what a project stores of a plain value, by key."""
        return {self.key: value}

    def from_project(self, stored: Mapping[str, Any]) -> Any:
        """Return the plain value from what a project stores; the default if that is invalid."""
        value = stored.get(self.key)
        return value if type(value) is type(self.default) else self.default

    def _with_help(
        self, definition: QgsProcessingParameterDefinition, help_text: str
    ) -> QgsProcessingParameterDefinition:
        """Set help and flags of a Processing parameter, and return it."""
        definition.setHelp(help_text)
        if self.advanced:
            definition.setFlags(definition.flags() | _ADVANCED)
        return definition


@dataclass(frozen=True, eq=False)
class NumericParameter(Parameter[T]):
    """Parameter with a number from ``minimum`` to ``maximum``, both included."""

    minimum: float = 0.0  #: minimum.
    maximum: float = 1e6  #: maximum.
    unit: str = ""  #: unit of the value, such as ``m``; empty for a ratio.
    minimum_label: str = ""  #: meaning of the minimum, such as ``automatic``; empty if it has none.
    decimals: int = 2  #: decimal places in the dock.
    step: float = 0.0  #: step of the spin box in the dock; 0 for a tenth of the number's size.

    @property
    def toolbox_label(self) -> str:
        """Label in the toolbox, with the unit and the meaning of the minimum."""
        inside = self.unit
        if self.minimum_label:
            minimum = f"{localize_number(f'{self.minimum:g}')} = {self.minimum_label}"
            inside = f"{self.unit}; {minimum}" if self.unit else minimum
        return append_in_brackets(self.label, inside)

    def describe_value(self, run_parameters: RunParameters) -> str:
        """Return the number with its unit, or the meaning of the minimum."""
        return self.format_value(run_parameters[self])

    def format_value(self, value: Any) -> str:
        """Return a number with its unit, or the meaning of the minimum."""
        if self.minimum_label and value <= self.minimum:
            return self.minimum_label
        return append_unit(localize_number(f"{value:g}"), self.unit)

    def create_definition(self) -> QgsProcessingParameterDefinition:
        """Return a new Processing parameter, without help and flags."""
        kinds = QgsProcessingParameterNumber.Type
        kind = kinds.Integer if self.decimals == 0 else kinds.Double
        return QgsProcessingParameterNumber(
            self.id,
            self.toolbox_label,
            kind,
            self.default,
            self.optional,
            self.minimum,
            self.maximum,
        )

    def from_project(self, stored: Mapping[str, Any]) -> Any:
        """Return the number that a project stores, within the limits; else the default."""
        return restore_number(stored.get(self.key), self.default, self.minimum, self.maximum)


@dataclass(frozen=True, eq=False)
class FloatParameter(NumericParameter[float]):
    """Parameter with a real number."""

    default: Any = 0.0

    def read(self, run_parameters: RunParameters) -> float:
        """Return the number."""
        return float(
            run_parameters.algorithm.parameterAsDouble(
                run_parameters.raw_values, self.id, run_parameters.context
            )
        )


@dataclass(frozen=True, eq=False)
class IntegerParameter(NumericParameter[int]):
    """Parameter with an integer."""

    default: Any = 0
    decimals: int = 0
    step: float = 1

    def read(self, run_parameters: RunParameters) -> int:
        """Return the integer."""
        return int(
            run_parameters.algorithm.parameterAsInt(
                run_parameters.raw_values, self.id, run_parameters.context
            )
        )


@dataclass(frozen=True, eq=False)
class BooleanParameter(Parameter[bool]):
    """Parameter that is on or off."""

    default: Any = False

    def create_definition(self) -> QgsProcessingParameterDefinition:
        """Return a new Processing parameter, without help and flags."""
        return QgsProcessingParameterBoolean(
            self.id, self.toolbox_label, self.default, self.optional
        )

    def read(self, run_parameters: RunParameters) -> bool:
        """Return True if it is on."""
        return bool(
            run_parameters.algorithm.parameterAsBoolean(
                run_parameters.raw_values, self.id, run_parameters.context
            )
        )

    def describe_value(self, run_parameters: RunParameters) -> str:
        """Return "yes" or "no", translated."""
        return tr("yes") if run_parameters[self] else tr("no")


class Option(NamedTuple):
    """Option of a parameter."""

    key: str  #: key that algorithms read and projects store.
    label: str  #: label, translated.
    help: str = ""  #: tooltip, translated.


@dataclass(frozen=True, eq=False)
class _WithOptions(Parameter[T]):
    """Parameter with options."""

    options: tuple[Option, ...] = ()  #: options, in the order of the list.

    @property
    def keys(self) -> tuple[str, ...]:
        """Keys of the options, in order."""
        return tuple(option.key for option in self.options)

    @property
    def help_paragraph(self) -> str:
        """Paragraph about the parameter and its options in the help of an algorithm, as HTML."""
        lines = [f"<i>{option.label}</i>: {option.help}" for option in self.options if option.help]
        return "<br>".join([super().help_paragraph, *lines])


@dataclass(frozen=True, eq=False)
class OptionParameter(_WithOptions[str]):
    """Parameter with one of several options; without a default the first option is the default."""

    def __post_init__(self) -> None:
        if self.default is None:
            object.__setattr__(self, "default", self.options[0].key)

    def with_options(self, *keys: str) -> OptionParameter:
        """Return the same parameter with the options of these keys only."""
        options = tuple(option for option in self.options if option.key in keys)
        default = self.default if self.default in keys else options[0].key
        return replace(self, options=options, default=default)

    def label_of(self, key: str) -> str:
        """Return the label of an option."""
        return next(option.label for option in self.options if option.key == key)

    def create_definition(self) -> QgsProcessingParameterDefinition:
        """Return a new Processing parameter, without help and flags."""
        labels = [option.label for option in self.options]
        return QgsProcessingParameterEnum(
            self.id,
            self.toolbox_label,
            labels,
            False,
            self.keys.index(self.default),
            self.optional,
        )

    def read(self, run_parameters: RunParameters) -> str:
        """Return the key of the option."""
        index = run_parameters.algorithm.parameterAsEnum(
            run_parameters.raw_values, self.id, run_parameters.context
        )
        return self.keys[index]

    def describe_value(self, run_parameters: RunParameters) -> str:
        """Return the label of the option."""
        return self.label_of(run_parameters[self])

    def to_processing(self, value: Any) -> dict[str, Any]:
        """Return the index of an option, by the parameter id."""
        return {self.id: self.keys.index(value)}

    def from_project(self, stored: Mapping[str, Any]) -> Any:
        """Return the key that a project stores; the default if no option has it."""
        value = stored.get(self.key)
        return value if value in self.keys else self.default


@dataclass(frozen=True, eq=False)
class MultiOptionParameter(_WithOptions["tuple[str, ...]"]):
    """Parameter with any number of several options."""

    default: Any = ()

    def create_definition(self) -> QgsProcessingParameterDefinition:
        """Return a new Processing parameter, without help and flags."""
        labels = [option.label for option in self.options]
        default = [self.keys.index(key) for key in self.default]
        return QgsProcessingParameterEnum(
            self.id, self.toolbox_label, labels, True, default, self.optional
        )

    def read(self, run_parameters: RunParameters) -> tuple[str, ...]:
        """Return the keys of the selected options."""
        indices = run_parameters.algorithm.parameterAsEnums(
            run_parameters.raw_values, self.id, run_parameters.context
        )
        return tuple(self.keys[index] for index in indices)

    def describe_value(self, run_parameters: RunParameters) -> str:
        """Return the labels of the selected options, separated by commas; "" without any."""
        keys = run_parameters[self]
        labels = [option.label for option in self.options if option.key in keys]
        return ", ".join(labels)

    def to_processing(self, value: Any) -> dict[str, Any]:
        """Return the indices of options, by the parameter id."""
        return {self.id: [self.keys.index(key) for key in value]}

    def from_project(self, stored: Mapping[str, Any]) -> Any:
        """Return those of the stored keys that options have; the default if none are stored."""
        return restore_texts(stored.get(self.key), self.default, self.keys)


@dataclass(frozen=True, eq=False)
class TextParameter(Parameter[str]):
    """Parameter with a text."""

    default: Any = ""

    def create_definition(self) -> QgsProcessingParameterDefinition:
        """Return a new Processing parameter, without help and flags."""
        default = self.default or None
        return QgsProcessingParameterString(
            self.id, self.toolbox_label, default, False, self.optional
        )

    def read(self, run_parameters: RunParameters) -> str:
        """Return the text without spaces around it; "" if there is none."""
        return str(
            run_parameters.algorithm.parameterAsString(
                run_parameters.raw_values, self.id, run_parameters.context
            )
        ).strip()


@dataclass(frozen=True, eq=False)
class FieldParameter(TextParameter):
    """Parameter with the name of a layer's field, or ""."""

    layer_parameter: Parameter[Any] | None = (
        None  #: parameter of the one layer whose fields are offered.
    )
    #: Parameter of several layers whose fields the toolbox offers. QGIS has no field parameter for
    #: several layers.
    layers_parameter: Parameter[Any] | None = None
    numeric: bool = False  #: True to offer numeric fields only.
    #: Function that returns the field of the one layer to use, and to record, if none is named.
    guess_field: Callable[[QgsVectorLayer], str] | None = None

    def create_definition(self) -> QgsProcessingParameterDefinition:
        """Return a new Processing parameter: a field of one layer, or a text."""
        if self.layer_parameter is not None:
            kinds = QgsProcessingParameterField.DataType
            kind = kinds.Numeric if self.numeric else kinds.Any
            return QgsProcessingParameterField(
                self.id,
                self.toolbox_label,
                None,
                self.layer_parameter.id,
                kind,
                False,
                self.optional,
            )
        definition = super().create_definition()
        if self.layers_parameter is not None:
            widget = {
                "class": _FIELD_WIDGET,
                "layers": self.layers_parameter.id,
                "numeric": self.numeric,
            }
            definition.setMetadata({"widget_wrapper": widget})
        return definition

    def read(self, run_parameters: RunParameters) -> str:
        """Return the name of the field, or of the field to use if none is named."""
        if self.layer_parameter is None:
            return super().read(run_parameters)
        names = selected_fields(
            run_parameters.algorithm, run_parameters.raw_values, self.id, run_parameters.context
        )
        return names[0] if names else self.default_field(run_parameters.layer(self.layer_parameter))

    def default_field(self, layer: Any) -> str:
        """Return the field of a layer to use if none is named, or ""."""
        if self.guess_field is None or not isinstance(layer, QgsVectorLayer):
            return ""
        return self.guess_field(layer)


def restore_number(value: Any, default: Any, least: float, most: float) -> Any:
    """Return a stored number, limited to a range; the default if it is not a finite number.

    Args:
        value: what a project stores.
        default: default, whose type the result has.
        least: minimum.
        most: maximum.
    """
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not abs(value) < math.inf:
        return default
    return type(default)(min(max(value, least), most))


def restore_texts(
    value: Any, default: tuple[str, ...], among: Iterable[str] | None = None
) -> tuple[str, ...]:
    """Return the texts of a stored list; the default if it is not a list.

    Args:
        value: what a project stores.
        default: result if ``value`` is not a list.
        among: allowed texts, the others are dropped; None to allow all.
    """
    if not isinstance(value, (list, tuple)):
        return default
    allowed = None if among is None else set(among)
    return tuple(
        item for item in value if isinstance(item, str) and (allowed is None or item in allowed)
    )
