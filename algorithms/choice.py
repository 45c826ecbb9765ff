"""A choice of the user, declared once: the Processing parameter, the value read from it, what a project keeps of it.

The dock builds its rows from the same declarations (:mod:`randcrowns.ui.widgets.choice_form`). A value has three forms:
what Processing takes (an index, a layer), what an algorithm reads (:meth:`Choice.read`: a key, a snapshot), and the
plain value that a form shows and a project keeps (a key, the id of a layer).
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

from randcrowns.algorithms.catalogue import Listed
from randcrowns.core.errors import InputError
from randcrowns.core.remarks import Remark
from randcrowns.layers.compat import chosen_fields
from randcrowns.layers.raster.grid import lies_in_pixels
from randcrowns.layers.vector.read import LayerSnapshot
from randcrowns.layers.words import local, tr

if TYPE_CHECKING:
    from randcrowns.algorithms.output import Output

T = TypeVar("T", covariant=True)
AnyJob = TypeVar("AnyJob", bound="Job")
_ADVANCED = QgsProcessingParameterDefinition.Flag.FlagAdvanced
#: What the toolbox, where there is one, edits the name of a field of several layers with.
_OFFERS_FIELDS = "randcrowns.ui.widgets.fields.FieldOfLayers"


def refuse(problem: str) -> None:
    """Refuse with a sentence, where there is one."""
    if problem:
        raise InputError(problem)


def in_brackets(label: str, inside: str) -> str:
    """The label with more words in brackets, in those that it ends with where there are such."""
    if not inside:
        return label
    return f"{label[:-1]}, {inside})" if label.endswith(")") else f"{label} ({inside})"


class Declaring(Listed):
    """An algorithm that says what the user chooses, in the order of the dialog, and what it makes, in the tree's."""

    choices: tuple[Choice[Any], ...] = ()
    outputs: tuple[Output, ...] = ()
    #: Layers in pixel coordinates, those of images without a georeference, are worked on as they are.
    takes_pixels = False


class Given:
    """What a run was given: ``given[CHOICE]`` reads the value of a choice; on the main thread."""

    def __init__(
        self, algorithm: Declaring, parameters: dict[str, Any], context: QgsProcessingContext
    ) -> None:
        self.algorithm, self.parameters, self.context = algorithm, parameters, context

    def __getitem__(self, choice: Choice[T]) -> T:
        return choice.read(self)

    def __contains__(self, declared: object) -> bool:
        """Whether the user gave a choice, or wants an output."""
        return any(map(self.has, getattr(declared, "ids", ())))

    def has(self, name: str) -> bool:
        """Whether a parameter of this id was given."""
        return self.parameters.get(name) not in (None, "", [])

    def described(self, name: str) -> str:
        """What the user calls the parameter of this id."""
        return str(self.algorithm.parameterDefinition(name).description())

    def source(self, name: str) -> tuple[QgsVectorLayer | None, bool]:
        """The layer that a parameter for a feature source names, and whether only its selected features are meant."""
        value = self.parameters.get(name)
        selected_only = False
        if isinstance(value, QgsProcessingFeatureSourceDefinition):
            selected_only = value.selectedFeaturesOnly
            value = value.source
        if isinstance(value, QgsProperty):
            value = value.valueAsString(self.context.expressionContext())[0]
        if not isinstance(value, QgsVectorLayer):
            value = self.algorithm.parameterAsVectorLayer(
                {**self.parameters, name: value}, name, self.context
            )
        return value, selected_only

    def layer(self, choice: Choice[Any]) -> QgsVectorLayer | None:
        """The layer of a choice of one layer."""
        return self.source(choice.ids[0])[0]

    def any_layer(self, name: str) -> QgsMapLayer | None:
        """The layer that a parameter for a feature source, or for a raster, names."""
        if self.algorithm.parameterDefinition(name).type() == "raster":
            return self.algorithm.parameterAsRasterLayer(self.parameters, name, self.context)
        return self.source(name)[0]

    @cached_property
    def in_pixels(self) -> bool:
        """Whether the algorithm works in pixels, since a raster that it is given has no georeference."""
        rasters = (layer for layer in self.inputs() if isinstance(layer, QgsRasterLayer))
        return self.algorithm.takes_pixels and any(map(lies_in_pixels, rasters))

    def snapshot(self, name: str, polygons: bool = True) -> LayerSnapshot:
        """Snapshot of the layer, of ``polygons`` only, that a parameter for a feature source names."""
        layer, selected_only = self.source(name)
        if layer is None:
            raise InputError(
                "The layer for '{name}' cannot be found or opened.", name=self.described(name)
            )
        value = self.parameters.get(name)
        expression = getattr(value, "filterExpression", "") or ""  # QGIS 3.32 and later
        return LayerSnapshot.of(
            layer, selected_only, expression, getattr(value, "featureLimit", -1), polygons
        )

    def inputs(self) -> list[QgsMapLayer]:
        """Every layer that the parameters name as an input."""
        found: list[QgsMapLayer | None] = []
        for definition in self.algorithm.parameterDefinitions():
            name, kind = definition.name(), definition.type()
            if not self.has(name):
                continue
            if kind in ("source", "vector"):
                found.append(self.source(name)[0])
            elif kind in ("layer", "raster", "mesh", "pointcloud"):
                found.append(self.algorithm.parameterAsLayer(self.parameters, name, self.context))
            elif kind == "multilayer":
                found += self.algorithm.parameterAsLayerList(self.parameters, name, self.context)
        return [layer for layer in found if layer is not None]


@dataclass(frozen=True)
class Job:
    """What a run needs, taken on the main thread: ``job[CHOICE]`` is the value of a choice."""

    values: Mapping[Choice[Any], Any]  #: of all choices but those that are ``live``.
    wanted: frozenset[Output]  #: the outputs that are wanted.
    transform_context: (
        QgsCoordinateTransformContext  #: the project's choices of datum transformations.
    )
    remarks: Sequence[Remark]  #: on what was given.

    @classmethod
    def of(cls: type[AnyJob], given: Given, remarks: Sequence[Remark] = (), **own: Any) -> AnyJob:
        """Take it, with what a kind of job needs of its ``own``."""
        values = {choice: given[choice] for choice in given.algorithm.choices if not choice.live}
        wanted = frozenset(output for output in given.algorithm.outputs if output in given)
        return cls(values, wanted, given.context.transformContext(), remarks, **own)

    def __getitem__(self, choice: Choice[T]) -> T:
        value: T = self.values[choice]
        return value


@dataclass(frozen=True, eq=False)
class Choice(Generic[T]):
    """One choice; see the module."""

    live: ClassVar[bool] = (
        False  #: its value is a layer itself, which only the main thread may touch.
    )

    name: str  #: of the value; in capitals the id of the Processing parameter.
    label: str  #: what stands before the field in the dock and, with the unit, in the toolbox.
    help: str = ""  #: a sentence or two for the tooltip.
    default: Any = None  #: the plain value.
    advanced: bool = False  #: rarely needed, folded away in the toolbox.
    optional: bool = False  #: the run does without.
    kept: str = ""  #: key in a project, where that is not the name.

    @property
    def ids(self) -> tuple[str, ...]:
        """Ids of its Processing parameters."""
        return (self.name.upper(),)

    @property
    def key(self) -> str:
        """Its key in a project."""
        return self.kept or self.name

    @property
    def described(self) -> str:
        """The label in the toolbox."""
        return self.label

    @property
    def paragraph(self) -> str:
        """What the help of an algorithm says of it."""
        return f"<strong>{self.described}.</strong> {self.help}"

    def definition(self) -> QgsProcessingParameterDefinition:
        """Its Processing parameter, without help and flags."""
        raise NotImplementedError

    def definitions(self) -> list[QgsProcessingParameterDefinition]:
        """Its Processing parameters, as an algorithm adds them."""
        return [self._completed(self.definition(), self.help)]

    def read(self, given: Given) -> T:
        """The value that an algorithm works with."""
        raise NotImplementedError

    def plain(self, given: Given) -> Any:
        """The plain value of what an algorithm was given."""
        return self.read(given)

    def words(self, given: Given) -> str:
        """What was chosen, as words for people who read the results."""
        return str(given[self]) or tr("not given")

    def short(self, given: Given) -> str:
        """The same in a title."""
        return self.words(given)

    def to_parameters(self, value: Any) -> dict[str, Any]:
        """The Processing values of a plain one; none where nothing was named, and need not be."""
        return {} if value == self.default == "" and self.optional else {self.ids[0]: value}

    def to_kept(self, value: Any) -> dict[str, Any]:
        """What a project keeps of a plain value."""
        return {self.key: value}

    def taken_up(self, kept: Mapping[str, Any]) -> Any:
        """The plain value of what a project kept; the default where that does not fit."""
        value = kept.get(self.key)
        return value if type(value) is type(self.default) else self.default

    def _completed(
        self, definition: QgsProcessingParameterDefinition, told: str
    ) -> QgsProcessingParameterDefinition:
        definition.setHelp(told)
        if self.advanced:
            definition.setFlags(definition.flags() | _ADVANCED)
        return definition


@dataclass(frozen=True, eq=False)
class Numeric(Choice[T]):
    """A number from ``least`` to ``most``, both allowed."""

    least: float = 0.0
    most: float = 1e6
    unit: str = ""  #: of the value, as ``m``; nothing for a ratio.
    zero: str = ""  #: what the lowest value stands for, as ``automatic``.
    digits: int = 2  #: decimal places in the dock.
    step: float = 0.0  #: of the arrows in the dock; 0 for a tenth of the number's size.

    @property
    def described(self) -> str:
        """The label with the unit and what the lowest value stands for."""
        zero = f"{local(f'{self.least:g}')} = {self.zero}" if self.zero else ""
        inside = "; ".join(filter(None, [self.unit, zero]))
        return in_brackets(self.label, inside)

    def words(self, given: Given) -> str:
        return self.said(given[self])

    def said(self, value: Any) -> str:
        """A value with its unit, or what the lowest stands for."""
        return (
            self.zero
            if self.zero and value <= self.least
            else f"{local(f'{value:g}')} {self.unit}".strip()
        )

    def definition(self) -> QgsProcessingParameterDefinition:
        kinds = QgsProcessingParameterNumber.Type
        kind = kinds.Integer if self.digits == 0 else kinds.Double
        return QgsProcessingParameterNumber(
            self.ids[0], self.described, kind, self.default, self.optional, self.least, self.most
        )

    def taken_up(self, kept: Mapping[str, Any]) -> Any:
        return number_in(kept.get(self.key), self.default, self.least, self.most)


@dataclass(frozen=True, eq=False)
class Number(Numeric[float]):
    """A real number."""

    default: Any = 0.0

    def read(self, given: Given) -> float:
        return float(
            given.algorithm.parameterAsDouble(given.parameters, self.ids[0], given.context)
        )


@dataclass(frozen=True, eq=False)
class Whole(Numeric[int]):
    """A whole number."""

    default: Any = 0
    digits: int = 0
    step: float = 1

    def read(self, given: Given) -> int:
        return int(given.algorithm.parameterAsInt(given.parameters, self.ids[0], given.context))


@dataclass(frozen=True, eq=False)
class Flag(Choice[bool]):
    """Yes or no."""

    default: Any = False

    def definition(self) -> QgsProcessingParameterDefinition:
        return QgsProcessingParameterBoolean(
            self.ids[0], self.described, self.default, self.optional
        )

    def read(self, given: Given) -> bool:
        return bool(
            given.algorithm.parameterAsBoolean(given.parameters, self.ids[0], given.context)
        )

    def words(self, given: Given) -> str:
        return tr("yes") if given[self] else tr("no")


class Option(NamedTuple):
    """One of several: the key that is kept and read, the label, and a sentence for the tooltip."""

    key: str
    label: str
    help: str = ""


@dataclass(frozen=True, eq=False)
class _Among(Choice[T]):
    options: tuple[Option, ...] = ()

    @property
    def keys(self) -> tuple[str, ...]:
        """Keys of the options, in order."""
        return tuple(option.key for option in self.options)

    @property
    def paragraph(self) -> str:
        """What the help of an algorithm says of it and of its options."""
        told = (f"<i>{option.label}</i>: {option.help}" for option in self.options if option.help)
        return "<br>".join([super().paragraph, *told])


@dataclass(frozen=True, eq=False)
class OneOf(_Among[str]):
    """One of several options; the first unless the default names another."""

    def __post_init__(self) -> None:
        if self.default is None:
            object.__setattr__(self, "default", self.options[0].key)

    def only(self, *keys: str) -> OneOf:
        """The same choice among these options."""
        options = tuple(option for option in self.options if option.key in keys)
        return replace(
            self, options=options, default=self.default if self.default in keys else options[0].key
        )

    def label_of(self, key: str) -> str:
        """Label of an option."""
        return next(option.label for option in self.options if option.key == key)

    def definition(self) -> QgsProcessingParameterDefinition:
        labels = [option.label for option in self.options]
        return QgsProcessingParameterEnum(
            self.ids[0], self.described, labels, False, self.keys.index(self.default), self.optional
        )

    def read(self, given: Given) -> str:
        return self.keys[
            given.algorithm.parameterAsEnum(given.parameters, self.ids[0], given.context)
        ]

    def words(self, given: Given) -> str:
        return self.label_of(given[self])

    def to_parameters(self, value: Any) -> dict[str, Any]:
        return {self.ids[0]: self.keys.index(value)}

    def taken_up(self, kept: Mapping[str, Any]) -> Any:
        value = kept.get(self.key)
        return value if value in self.keys else self.default


@dataclass(frozen=True, eq=False)
class SomeOf(_Among["tuple[str, ...]"]):
    """Any number of several options."""

    default: Any = ()

    def definition(self) -> QgsProcessingParameterDefinition:
        labels = [option.label for option in self.options]
        default = [self.keys.index(key) for key in self.default]
        return QgsProcessingParameterEnum(
            self.ids[0], self.described, labels, True, default, self.optional
        )

    def read(self, given: Given) -> tuple[str, ...]:
        places = given.algorithm.parameterAsEnums(given.parameters, self.ids[0], given.context)
        return tuple(self.keys[place] for place in places)

    def words(self, given: Given) -> str:
        chosen = given[self]
        return ", ".join(option.label for option in self.options if option.key in chosen) or tr(
            "not given"
        )

    def to_parameters(self, value: Any) -> dict[str, Any]:
        return {self.ids[0]: [self.keys.index(key) for key in value]}

    def taken_up(self, kept: Mapping[str, Any]) -> Any:
        return texts(kept.get(self.key), self.default, self.keys)


@dataclass(frozen=True, eq=False)
class Text(Choice[str]):
    """A text."""

    default: Any = ""

    def definition(self) -> QgsProcessingParameterDefinition:
        default = self.default or None
        return QgsProcessingParameterString(
            self.ids[0], self.described, default, False, self.optional
        )

    def read(self, given: Given) -> str:
        return str(
            given.algorithm.parameterAsString(given.parameters, self.ids[0], given.context)
        ).strip()


@dataclass(frozen=True, eq=False)
class Field(Text):
    """The name of a field, or none."""

    of: Choice[Any] | None = None  #: choice of the one layer whose fields are offered.
    #: Choice of several layers, whose fields the toolbox offers; QGIS itself has no field for that.
    of_any: Choice[Any] | None = None
    numeric: bool = False  #: offer numbers only.
    #: Finds the field of the one layer that a run uses, and records, where none is named.
    guess: Callable[[QgsVectorLayer], str] | None = None

    def definition(self) -> QgsProcessingParameterDefinition:
        if self.of is None:
            made = super().definition()
            if self.of_any is not None:
                offer = {
                    "class": _OFFERS_FIELDS,
                    "layers": self.of_any.ids[0],
                    "numeric": self.numeric,
                }
                made.setMetadata({"widget_wrapper": offer})
            return made
        kinds = QgsProcessingParameterField.DataType
        kind = kinds.Numeric if self.numeric else kinds.Any
        return QgsProcessingParameterField(
            self.ids[0], self.described, None, self.of.ids[0], kind, False, self.optional
        )

    def read(self, given: Given) -> str:
        if self.of is None:
            return super().read(given)
        named = chosen_fields(given.algorithm, given.parameters, self.ids[0], given.context)
        return named[0] if named else self.guessed(given.layer(self.of))

    def guessed(self, layer: Any) -> str:
        """What is used of a layer where no field is named; empty without one."""
        return (
            self.guess(layer)
            if self.guess is not None and isinstance(layer, QgsVectorLayer)
            else ""
        )


def number_in(value: Any, default: Any, least: float, most: float) -> Any:
    """A number that a project kept, within the limits; the default where it kept none."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not abs(value) < math.inf:
        return default
    return type(default)(min(max(value, least), most))


def texts(
    value: Any, default: tuple[str, ...], among: Iterable[str] | None = None
) -> tuple[str, ...]:
    """The texts in what a project kept, those ``among`` if given; the default where it holds no list."""
    if not isinstance(value, (list, tuple)):
        return default
    wanted = None if among is None else set(among)
    return tuple(
        item for item in value if isinstance(item, str) and (wanted is None or item in wanted)
    )
