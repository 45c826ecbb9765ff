"""Rasters of annotators whose values are classes: their values, and the classes of these."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from randcrowns.core.arrays import Floats, Ints, Objects
from randcrowns.core.messages import Message, TranslatableText, abbreviate, note
from randcrowns.layers.raster.masks import ReferenceMask, ValueMeaning

#: Maximum number of classes of rasters that are compared.
_MAX_CLASSES = 256
#: Maximum number of values with decimals that a message names.
_MAX_NAMED = 3


@dataclass(frozen=True, eq=False)
class ClassRasters:
    """Rasters of annotators whose values are classes, in all images of a run.

    Attributes:
        drawings: rasters of the annotators by name, for each image.
        class_of_value: class of a value by the value; the value as a text for the others.
    """

    drawings: Sequence[Mapping[str, ReferenceMask]] = ()
    class_of_value: Mapping[int, str] = field(default_factory=dict)

    def with_classes(self, class_of_value: Mapping[int, str]) -> ClassRasters:
        """Return the same rasters with other classes of their values."""
        return replace(self, class_of_value=class_of_value)

    @cached_property
    def _all_rasters(self) -> list[tuple[str, ReferenceMask]]:
        """Name and marks of the rasters that hold classes by their meaning."""
        return [
            (name, marks)
            for rasters in self.drawings
            for name, marks in rasters.items()
            if marks.used_meaning is ValueMeaning.CLASSES
        ]

    @cached_property
    def rasters(self) -> list[ReferenceMask]:
        """Rasters of whole numbers, whose values are classes."""
        return [marks for _, marks in self._all_rasters if marks.facts.is_whole]

    @cached_property
    def values(self) -> Ints:
        """(K,) values of the classes, ascending."""
        distinct = [np.empty(0), *(marks.facts.distinct for marks in self.rasters)]
        values = np.unique(np.concatenate(distinct)).astype(np.int64)
        return values[values != 0]

    @cached_property
    def labels(self) -> Objects:
        """(K,) class of each value; values that are taken as one have the same class."""
        texts = [self.class_of_value.get(value, str(value)) for value in self.values.tolist()]
        return np.array(texts, dtype=object)

    @property
    def are_stated(self) -> bool:
        """True if the user states that the values are classes, and there are several."""
        is_stated = any(marks.meaning is ValueMeaning.CLASSES for marks in self.rasters)
        return is_stated and self.has_classes

    @property
    def has_classes(self) -> bool:
        """True if there are classes to compare; the rasters of masks have a single value."""
        return len(self.values) > 1 and not self._has_too_many

    @cached_property
    def _has_too_many(self) -> bool:
        """True if there are more classes than are compared."""
        return len(set(self.labels)) > _MAX_CLASSES

    @property
    def messages(self) -> list[Message]:
        """Messages about rasters that are not compared by class."""
        messages = []
        if self._has_too_many:
            messages.append(
                note(
                    "agreement.too_many_values",
                    "The rasters hold {number:,} values. They are not compared as classes, of "
                    "which there may be {most}.",
                    number=len(self.values),
                    most=_MAX_CLASSES,
                )
            )

        names = set()
        distinct_values = []
        are_stated_classes = False
        for name, marks in self._all_rasters:
            if marks.facts.is_whole:
                continue
            names.add(name)
            distinct_values.append(marks.facts.distinct)
            if marks.meaning is ValueMeaning.CLASSES:
                are_stated_classes = True
        if names and (self.has_classes or are_stated_classes):
            decimals = _select_decimals(distinct_values)
            value_texts = [TranslatableText("{value:g}", value=value) for value in decimals]
            messages.append(
                note(
                    "agreement.values_with_decimals",
                    "Values of {names} have decimals ({values}), so they are not compared as "
                    "classes.",
                    names=tuple(sorted(names)),
                    values=abbreviate(value_texts, _MAX_NAMED),
                )
            )
        return messages


def _select_decimals(distinct: Sequence[Floats]) -> list[float]:
    """Return the distinct values with decimals in the values of several rasters, ascending."""
    values = np.unique(np.concatenate([np.empty(0), *distinct]))
    decimals: list[float] = values[values != np.round(values)].tolist()
    return decimals
