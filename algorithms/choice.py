"""A choice of the user, declared once: the Processing parameter, the value read from it, what a project keeps of it.

The dock builds its rows from the same declarations (:mod:`randcrowns.ui.widgets.choice_form`). A value has three forms:
what Processing takes (an index, a layer), what an algorithm reads (:meth:`Choice.read`: a key, a snapshot), and the
plain value that a form shows and a project keeps (a key, the id of a layer).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from qgis.core import (
    QgsProcessingContext,
    QgsProcessingParameterBoolean,
    QgsProcessingParameterDefinition,
    QgsProcessingParameterEnum,
    QgsProcessingParameterField,
    QgsProcessingParameterNumber,
    QgsProcessingParameterString,
    QgsVectorLayer,
)

from randcrowns.layers.compat import chosen_fields
from randcrowns.layers.vector.snapshot import LayerSnapshot

if TYPE_CHECKING:
    from randcrowns.algorithms.base import CrownAlgorithm

T = TypeVar("T", covariant=True)
_ADVANCED = QgsProcessingParameterDefinition.Flag.FlagAdvanced


class Given:
    """What a run was given: ``given[CHOICE]`` reads the value of a choice; on the main thread."""

    def __init__(self, algorithm: CrownAlgorithm, parameters: dict[str, Any], context: QgsProcessingContext) -> None:
        self.algorithm, self.parameters, self.context = algorithm, parameters, context

    def __getitem__(self, choice: Choice[T]) -> T:
        return choice.read(self)

    def chosen(self, choices: Iterable[Choice[Any]]) -> Chosen:
        """The values of these choices."""
        return Chosen({choice: self[choice] for choice in choices})

    def has(self, name: str) -> bool:
        """Whether a parameter of this id was given."""
        return self.parameters.get(name) not in (None, "")

    def described(self, name: str) -> str:
        """What the user calls the parameter of this id."""
        return str(self.algorithm.parameterDefinition(name).description())

    def layer(self, choice: Choice[Any]) -> QgsVectorLayer | None:
        """The layer of a choice of one layer."""
        return self.algorithm.layer_of(self.parameters, choice.ids[0], self.context)[0]

    def snapshot(self, choice: Choice[Any]) -> LayerSnapshot:
        """Snapshot of the layer of a choice of one layer."""
        return self.algorithm.layer_snapshot(self.parameters, choice.ids[0], self.context)

    def __contains__(self, declared: object) -> bool:
        """Whether the user gave a choice, or wants an output."""
        return any(self.parameters.get(name) not in (None, "", []) for name in getattr(declared, "ids", ()))


class Chosen:
    """The values of some choices, read on the main thread: ``chosen[CHOICE]`` in the background."""

    def __init__(self, values: Mapping[Choice[Any], Any]) -> None:
        self._values = values

    def __getitem__(self, choice: Choice[T]) -> T:
        value: T = self._values[choice]
        return value


@dataclass(frozen=True, eq=False)
class Choice(Generic[T]):
    """One choice; see the module.

    Attributes:
        name: of the value; in capitals the id of the Processing parameter.
        label: what stands before the field in the dock and, with the unit, in the toolbox.
        help: a sentence or two for the tooltip.
        default: the plain value.
        advanced: rarely needed, folded away in the toolbox.
        optional: the run does without.
        kept: key in a project, where that is not the name.
    """

    name: str
    label: str
    help: str = ""
    default: Any = None
    advanced: bool = False
    optional: bool = False
    kept: str = ""

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

    def definition(self) -> QgsProcessingParameterDefinition:
        """Its Processing parameter, without help and flags."""
        raise NotImplementedError

    def definitions(self) -> list[QgsProcessingParameterDefinition]:
        """Its Processing parameters, as an algorithm adds them."""
        definition = self.definition()
        definition.setHelp(self.help)
        return [self._flagged(definition)]

    def read(self, given: Given) -> T:
        """The value that an algorithm works with."""
        raise NotImplementedError

    def to_parameters(self, value: Any) -> dict[str, Any]:
        """The Processing values of a plain one; nothing where there is nothing to hand over."""
        return {self.ids[0]: value}

    def to_kept(self, value: Any) -> dict[str, Any]:
        """What a project keeps of a plain value."""
        return {self.key: value}

    def taken_up(self, kept: Mapping[str, Any]) -> Any:
        """The plain value of what a project kept; the default where that does not fit."""
        value = kept.get(self.key)
        return value if type(value) is type(self.default) else self.default

    def _flagged(self, definition: QgsProcessingParameterDefinition) -> QgsProcessingParameterDefinition:
        if self.advanced:
            definition.setFlags(definition.flags() | _ADVANCED)
        return definition


@dataclass(frozen=True, eq=False)
class Numeric(Choice[T]):
    """A number from ``least`` to ``most``, both allowed.

    Attributes:
        unit: of the value, as ``m``; nothing for a ratio.
        zero: what the lowest value stands for, as ``automatic``.
        digits: decimal places in the dock.
        step: of the arrows in the dock; 0 for a tenth of the number's size.
    """

    least: float = 0.0
    most: float = 1e6
    unit: str = ""
    zero: str = ""
    digits: int = 2
    step: float = 0.0

    @property
    def described(self) -> str:
        """The label with the unit and what the lowest value stands for."""
        zero = f"{self.least:g} = {self.zero}" if self.zero else ""
        inside = "; ".join(filter(None, [self.unit, zero]))
        return f"{self.label} ({inside})" if inside else self.label

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
        return float(given.algorithm.parameterAsDouble(given.parameters, self.ids[0], given.context))


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
        return QgsProcessingParameterBoolean(self.ids[0], self.described, self.default, self.optional)

    def read(self, given: Given) -> bool:
        return bool(given.algorithm.parameterAsBoolean(given.parameters, self.ids[0], given.context))


class Option(NamedTuple):
    """One of several: the key that is kept and read, the label, and a sentence for the tooltip."""

    key: str
    label: str
    help: str = ""


@dataclass(frozen=True, eq=False)
class _Among(Choice[T]):
    """A choice among options."""

    options: tuple[Option, ...] = ()

    @property
    def keys(self) -> tuple[str, ...]:
        """Keys of the options, in order."""
        return tuple(option.key for option in self.options)


@dataclass(frozen=True, eq=False)
class OneOf(_Among[str]):
    """One of several options; the first unless the default names another."""

    def __post_init__(self) -> None:
        if self.default is None:
            object.__setattr__(self, "default", self.options[0].key)

    def only(self, *keys: str) -> OneOf:
        """The same choice among these options."""
        options = tuple(option for option in self.options if option.key in keys)
        return replace(self, options=options, default=self.default if self.default in keys else options[0].key)

    def label_of(self, key: str) -> str:
        """Label of an option."""
        return next(option.label for option in self.options if option.key == key)

    def definition(self) -> QgsProcessingParameterDefinition:
        labels = [option.label for option in self.options]
        return QgsProcessingParameterEnum(
            self.ids[0], self.described, labels, False, self.keys.index(self.default), self.optional
        )

    def read(self, given: Given) -> str:
        return self.keys[given.algorithm.parameterAsEnum(given.parameters, self.ids[0], given.context)]

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
        return QgsProcessingParameterEnum(self.ids[0], self.described, labels, True, default, self.optional)

    def read(self, given: Given) -> tuple[str, ...]:
        places = given.algorithm.parameterAsEnums(given.parameters, self.ids[0], given.context)
        return tuple(self.keys[place] for place in places)

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
        return QgsProcessingParameterString(self.ids[0], self.described, default, False, self.optional)

    def read(self, given: Given) -> str:
        return str(given.algorithm.parameterAsString(given.parameters, self.ids[0], given.context)).strip()

    def to_parameters(self, value: Any) -> dict[str, Any]:
        """The text; none is handed over where none is the default."""
        return {self.ids[0]: value} if value or self.default or not self.optional else {}


@dataclass(frozen=True, eq=False)
class Field(Text):
    """The name of a field, or none. With ``of``, the choice of one layer, that layer's fields are offered."""

    of: Choice[Any] | None = None
    numeric: bool = False

    def definition(self) -> QgsProcessingParameterDefinition:
        if self.of is None:
            return super().definition()
        kinds = QgsProcessingParameterField.DataType
        kind = kinds.Numeric if self.numeric else kinds.Any
        return QgsProcessingParameterField(
            self.ids[0], self.described, None, self.of.ids[0], kind, False, self.optional
        )

    def read(self, given: Given) -> str:
        if self.of is None:
            return super().read(given)
        return next(iter(chosen_fields(given.algorithm, given.parameters, self.ids[0], given.context)), "")


def number_in(value: Any, default: Any, least: float, most: float) -> Any:
    """A number that a project kept, within the limits; the default where it kept none."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not abs(value) < math.inf:
        return default
    return type(default)(min(max(value, least), most))


def texts(value: Any, default: tuple[str, ...], among: Iterable[str] | None = None) -> tuple[str, ...]:
    """The texts in what a project kept, those ``among`` if given; the default where it holds no list."""
    if not isinstance(value, (list, tuple)):
        return default
    wanted = None if among is None else set(among)
    return tuple(item for item in value if isinstance(item, str) and (wanted is None or item in wanted))
