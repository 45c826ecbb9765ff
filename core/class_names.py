"""Names of classes: trimmed texts, or None for a crown without a class."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from randcrowns.core.arrays import Ints, Objects
from randcrowns.core.errors import InputError
from randcrowns.core.messages import Message, abbreviate, note, similar_names
from randcrowns.core.validation import validate_arguments
from randcrowns.core.value_names import name_of_value, value_objects

#: Texts of the two booleans.
_BOOLEAN_TEXTS = {False: "false", True: "true"}


@validate_arguments
def class_values(values: ArrayLike, name: str = "crowns") -> Objects:
    """Return the class of each crown as text.

    Args:
        values: (n,) texts, whole numbers, booleans or missing values.
        name: name of the layer in errors.

    Returns:
        (n,) texts without spaces at both ends; 1, 1.0 and "1.0" become "1", booleans "true" and
        "false". None for missing values and blank texts.

    Raises:
        InputError: if a value is a number with decimals or a collection.

    >>> class_values([" oak", "ash ", "", None, 3.0, True]).tolist()
    ['oak', 'ash', None, None, '3', 'true']
    """
    codes, texts = factorize_classes(values, name)
    return texts[codes]  # The code of missing values is -1, the last text.


@validate_arguments
def class_labels(values: ArrayLike, name: str = "crowns") -> Objects:
    """Return the class of each crown as it is written to files: texts stay as they are.

    Args:
        values: (n,) texts, whole numbers, booleans or missing values.
        name: name of the layer in errors.

    Returns:
        (n,) texts without spaces at both ends; numbers and booleans as in :func:`class_values`.
        None for missing values and blank texts.

    Raises:
        InputError: if a value is a number with decimals or a collection.

    >>> class_labels([" oak", "1.0", 1.0, None]).tolist()
    ['oak', '1.0', '1', None]
    """
    labels = class_values(values, name)
    for row, value in enumerate(value_objects(values)):
        if labels[row] is not None and isinstance(value, str):
            labels[row] = value.replace("\0", "").strip()
    return labels


def factorize_classes(values: ArrayLike, name: str = "crowns") -> tuple[Ints, Objects]:
    """Return the classes of :func:`class_values` as numbers and texts.

    Args:
        values: (n,) texts, whole numbers, booleans or missing values.
        name: name of the layer in errors.

    Returns:
        (n,) indices into the texts, -1 for missing values; and (d + 1,) texts of the distinct
        values, some of which may be equal or None. The last text is None.

    Raises:
        InputError: if a value is a number with decimals or a collection.

    >>> codes, texts = factorize_classes([" oak", "ash", None])
    >>> codes.tolist(), texts.tolist()
    ([0, 1, -1], ['oak', 'ash', None])
    """
    objects = value_objects(values)
    if objects.ndim != 1:
        raise InputError(
            "classes.not_one_dimensional",
            "{name}: there must be one class per crown, not an array of {ndim} dimensions.",
            name=name,
            ndim=objects.ndim,
        )
    try:
        codes, distinct_values = pd.factorize(objects)
        if not all(isinstance(value, str) for value in distinct_values):
            # True equals 1, so booleans among numbers are replaced before equal values are grouped.
            codes, distinct_values = pd.factorize(_replace_booleans(objects))
    except TypeError:
        raise InputError(
            "classes.invalid_value",
            "{name}: a class must be a text, a whole number or a boolean, not a collection.",
            name=name,
        ) from None
    texts = [_to_class_text(value, name) for value in distinct_values]
    return codes, np.array([*texts, None], dtype=object)


def _replace_booleans(values: Objects) -> Objects:
    """Return values (n,) in which "true" and "false" stand for booleans."""
    replaced = values.copy()
    for row, value in enumerate(values):
        if isinstance(value, (bool, np.bool_)):
            replaced[row] = _BOOLEAN_TEXTS[bool(value)]
    return replaced


def _to_class_text(value: Any, layer: str) -> str | None:
    """Return the name of the class with a value; None for a blank text.

    Args:
        value: text, number or boolean.
        layer: name of the layer in errors.

    Raises:
        InputError: if the value is a number with decimals.
    """
    if isinstance(value, (bool, np.bool_)):
        return _BOOLEAN_TEXTS[bool(value)]
    if isinstance(value, (float, np.floating)) and not float(value).is_integer():
        raise InputError(
            "classes.not_whole",
            "{name}: {value} is not a class. Classes are texts, whole numbers or booleans; "
            "choose another field, or write whole numbers.",
            name=layer,
            value=float(value),
        )
    return name_of_value(value)


def class_codes(*layers: Objects) -> list[Ints]:
    """Return the classes of several layers as numbers; equal classes have equal numbers.

    Args:
        layers: for each layer (n,) names of classes, None for a crown without one.

    Returns:
        For each layer (n,) numbers from 0; -1 for a crown without a class.

    >>> oak, both = np.array(["oak"], object), np.array([None, "oak"], object)
    >>> [codes.tolist() for codes in class_codes(oak, both)]
    [[0], [-1, 0]]
    """
    codes, _ = pd.factorize(np.concatenate(layers))
    layer_ends = np.cumsum([len(layer) for layer in layers])
    return np.split(codes, layer_ends[:-1])


@validate_arguments
def check_spelling(classes: ArrayLike) -> list[Message]:
    """Return a note on classes whose names differ in case, spaces or encoding only.

    Args:
        classes: class values of all layers, see :func:`class_values`.

    >>> [message.values["names"] for message in check_spelling(["oak", "Oak", "red  oak"])]
    [('Oak', 'oak')]
    """
    distinct_classes = pd.unique(class_values(classes))
    unclear_names = similar_names(name for name in distinct_classes if name is not None)
    if not unclear_names:
        return []
    message = note(
        "classes.spelling",
        "The names of classes {names} differ only in case, spaces or the encoding of accents. They "
        "count as different classes.",
        names=abbreviate(unclear_names),
    )
    return [message]
