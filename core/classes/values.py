"""Class values of crowns: trimmed texts, missing classes, groups of classes, the class field."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, cast

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from randcrowns.core.arrays import Ints, Objects
from randcrowns.core.errors import InputError
from randcrowns.core.messages import Message, TranslatableText, abbreviate, note, similar_names
from randcrowns.core.validation import validate_arguments

#: Code of a crown without a class.
NO_CLASS = -1
#: Names of attributes that hold classes, compared without case, spaces, "_" and "-".
CLASS_FIELD_NAMES = (
    "label",
    "class",
    "class_name",
    "category",
    "species",
    "scientific_name",
    "taxon",
    "taxon_id",
    "species_id",
    "genus",
    "sp",
    "type",
    "health",
    "status",
    "tree_status",
)
#: Texts of the two booleans.
_BOOLEAN_TEXTS = {False: "false", True: "true"}


class EncodedClasses(NamedTuple):
    """Classes of several layers as numbers.

    Attributes:
        labels: (K,) names of the classes, whole numbers first by value, then texts.
        codes: for each layer the (n,) index of each crown's class in ``labels``; :data:`NO_CLASS`
            for a crown without a class.
    """

    labels: tuple[str, ...]
    codes: tuple[Ints, ...]


@validate_arguments
def class_values(values: ArrayLike, name: str = "crowns") -> Objects:
    """Return the class of each crown as text.

    Args:
        values: (n,) texts, whole numbers, booleans or missing values.
        name: name of the layer in errors.

    Returns:
        (n,) texts without spaces at both ends; 1 and 1.0 become "1", booleans "true" and "false".
        None for missing values and blank texts.

    Raises:
        InputError: if a value is a number with decimals or a collection.

    >>> class_values([" oak", "ash ", "", None, 3.0, True]).tolist()
    ['oak', 'ash', None, None, '3', 'true']
    """
    objects = np.asarray(values, dtype=object)
    if objects.ndim != 1:
        raise InputError(
            "classes.not_one_dimensional",
            "{name}: there must be one class per crown, not an array of {ndim} dimensions.",
            name=name,
            ndim=objects.ndim,
        )
    if getattr(values, "dtype", objects.dtype).kind == "O":
        # True equals 1, so booleans among numbers are replaced before equal values are grouped.
        is_boolean = np.fromiter(
            (isinstance(value, (bool, np.bool_)) for value in objects), bool, len(objects)
        )
        objects = objects.copy()
        objects[is_boolean] = [_BOOLEAN_TEXTS[bool(value)] for value in objects[is_boolean]]
    try:
        codes, distinct = pd.factorize(objects)
    except TypeError:
        raise InputError(
            "classes.invalid_value",
            "{name}: a class must be a text, a whole number or a boolean, not a collection.",
            name=name,
        ) from None
    texts = np.array([*(_class_text(value, name) for value in distinct), None], dtype=object)
    return cast("Objects", texts[codes])  # The code of missing values is -1, the last text.


def _class_text(value: Any, name: str) -> str | None:
    """Return the text of a class; None for a blank text. Raise InputError for decimals."""
    if isinstance(value, (bool, np.bool_)):
        return _BOOLEAN_TEXTS[bool(value)]
    if isinstance(value, (float, np.floating)):
        if not float(value).is_integer():
            raise InputError(
                "classes.not_whole",
                "{name}: {value} is not a class. Classes are texts, whole numbers or booleans; "
                "choose another field, or write whole numbers.",
                name=name,
                value=float(value),
            )
        value = int(value)
    return str(value).replace("\0", "").strip() or None


@validate_arguments
def encode_classes(*layers: ArrayLike) -> EncodedClasses:
    """Return the classes of several layers as numbers; equal classes have equal numbers.

    Args:
        layers: for each layer (n,) class values, see :func:`class_values`.

    >>> encoded = encode_classes(["oak", "ash", None], ["10", "9", "oak"])
    >>> encoded.labels, [codes.tolist() for codes in encoded.codes]
    (('9', '10', 'ash', 'oak'), [[3, 2, -1], [1, 0, 3]])
    """
    names = [class_values(layer) for layer in layers]
    codes, distinct = pd.factorize(np.concatenate([np.empty(0, dtype=object), *names]))
    order = sorted(range(len(distinct)), key=lambda row: _sort_key(distinct[row]))
    number = np.full(len(distinct) + 1, NO_CLASS, dtype=np.int64)
    number[order] = np.arange(len(distinct))
    ends = np.cumsum([len(layer) for layer in names])[:-1]
    labels = tuple(str(distinct[row]) for row in order)
    return EncodedClasses(labels, tuple(np.split(number[codes], ends)))


def encode_both(
    reference: ArrayLike, predicted: ArrayLike, n_reference: int, n_predicted: int
) -> EncodedClasses:
    """Return the classes of reference crowns and predictions as numbers.

    Args:
        reference: classes of the reference crowns, see :func:`class_values`.
        predicted: classes of the predictions.
        n_reference: number of reference crowns.
        n_predicted: number of predictions.

    Raises:
        InputError: if there is not one class per crown.

    >>> encode_both(["oak"], ["ash", "oak"], 1, 2).codes[1].tolist()
    [0, 1]
    """
    encoded = encode_classes(reference, predicted)
    names = (TranslatableText("reference crowns"), TranslatableText("predictions"))
    sides = zip(names, encoded.codes, (n_reference, n_predicted))
    for side, codes, size in sides:
        if len(codes) != size:
            raise InputError(
                "classes.wrong_count",
                "There are {crowns} {side} but {classes} classes; give one class per crown, or "
                "None.",
                side=side,
                crowns=size,
                classes=len(codes),
            )
    return encoded


def rows_of_classes(codes: Ints, n_classes: int) -> list[Ints]:
    """Return the rows of each class, ascending; other codes (n,) belong to no class.

    >>> [rows.tolist() for rows in rows_of_classes(np.array([1, 0, 1, NO_CLASS]), 2)]
    [[1], [0, 2]]
    """
    order = np.argsort(codes, kind="stable")
    ends = np.searchsorted(codes[order], np.arange(n_classes + 1), side="left")
    return [order[ends[code] : ends[code + 1]] for code in range(n_classes)]


def _sort_key(label: str) -> tuple[bool, int, str]:
    """Return the sort key of a class: whole numbers by value, then texts."""
    is_number = re.fullmatch(r"-?[0-9]{1,18}", label) is not None
    return not is_number, int(label) if is_number else 0, label


@validate_arguments
def check_spelling(classes: ArrayLike) -> list[Message]:
    """Return a note on classes whose names differ in case or spaces only.

    Args:
        classes: class values of all layers, see :func:`class_values`.

    >>> [message.values["names"] for message in check_spelling(["oak", "Oak", "red  oak"])]
    [('Oak', 'oak')]
    """
    names = [name for name in pd.unique(class_values(classes)) if name is not None]
    unclear = similar_names(names, lambda name: "".join(name.casefold().split()))
    if not unclear:
        return []
    message = note(
        "classes.spelling",
        "The names of classes {names} differ in upper and lower case or in spaces only. They count "
        "as different classes.",
        names=abbreviate(unclear),
    )
    return [message]


@validate_arguments
def check_missing_classes(classes: ArrayLike, layer: str) -> list[Message]:
    """Return a note on the number of crowns without a class; none if all have one.

    Args:
        classes: (n,) class values, see :func:`class_values`.
        layer: name of the layer.

    >>> print(*check_missing_classes(["oak", "", None], "crowns"))
    crowns: 2 of 3 crowns have no class. They are matched, but their class is not judged.
    """
    values = class_values(classes)
    n_missing = int(sum(value is None for value in values))
    if not n_missing:
        return []
    message = note(
        "classes.missing",
        "{layer}: {count:,} of {total:,} crowns have no class. They are matched, but their class "
        "is not judged.",
        one="{layer}: 1 of {total:,} crowns has no class. It is matched, but its class is not "
        "judged.",
        layer=layer,
        count=n_missing,
        total=len(values),
    )
    return [message]


@validate_arguments
def parse_class_groups(text: str) -> dict[str, list[str]]:
    """Return the classes that count as one, by name: ``conifer=PIPA+PIEL; broadleaf=QULA``.

    Groups are separated by semicolons, commas or line breaks, or by spaces where no class name
    contains one.

    Raises:
        InputError: if a part of the text is not a name with classes, or a name or a class occurs
            twice.

    >>> parse_class_groups("conifer=PIPA+PIEL; broadleaf=Quercus robur+ACRU")
    {'conifer': ['PIPA', 'PIEL'], 'broadleaf': ['Quercus robur', 'ACRU']}
    >>> parse_class_groups("conifer=PIPA+PIEL broadleaf=QULA")
    {'conifer': ['PIPA', 'PIEL'], 'broadleaf': ['QULA']}
    """
    groups: dict[str, list[str]] = {}
    group_of_class: dict[str, str] = {}
    for part in _group_entries(text):
        name, _, members = (piece.strip() for piece in part.partition("="))
        classes = [member.strip() for member in members.split("+")]
        if not name or not all(classes) or "=" in members:
            raise InputError(
                "classes.invalid_group",
                "'{part}' is not a group of classes. Write a name and classes, such as "
                "conifer=PIPA+PIEL.",
                part=part,
            )
        if name in groups:
            raise InputError(
                "classes.repeated_group",
                "The group of classes '{name}' occurs twice. Write all of its classes once, such "
                "as {name}=PIPA+PIEL.",
                name=name,
            )
        for member in classes:
            if member in group_of_class:
                raise InputError(
                    "classes.in_two_groups",
                    "The class '{member}' occurs in the groups '{first}' and '{second}'. Remove it "
                    "from one of them.",
                    member=member,
                    first=group_of_class[member],
                    second=name,
                )
            group_of_class[member] = name
        groups[name] = classes
    return groups


def _group_entries(text: str) -> list[str]:
    """Return the parts of a text of groups, each ``name=class+class``."""
    entries: list[str] = []
    for part in re.split(r"[;,\n]", text):
        # Several groups in one part are separated by spaces, so no name contains any.
        entries += part.split() if part.count("=") > 1 else [part.strip()]
    return [entry for entry in entries if entry]


class GroupedClasses(NamedTuple):
    """Classes after grouping, with the messages about the groups."""

    #: (n,) class values.
    classes: Objects
    #: Notes on classes of groups that no crown has.
    messages: tuple[Message, ...]


@validate_arguments
def group_classes(classes: ArrayLike, groups: Mapping[str, Iterable[str]]) -> GroupedClasses:
    """Replace classes by the names of their groups.

    Args:
        classes: (n,) class values of all layers, see :func:`class_values`.
        groups: classes that count as one, by name, see :func:`parse_class_groups`.

    Returns:
        The classes, and a note on classes of the groups that no crown has.

    >>> group_classes(["PIPA", "QULA"], {"conifer": ["PIPA", "PIEL"]}).classes.tolist()
    ['conifer', 'QULA']
    """
    values = class_values(classes)
    group_of_class = {str(member): name for name, members in groups.items() for member in members}
    codes, distinct = pd.factorize(values)
    names = np.array([*(group_of_class.get(label, label) for label in distinct), None], object)
    unknown = sorted(set(group_of_class) - set(distinct))
    if not unknown:
        return GroupedClasses(names[codes], ())
    message = note(
        "classes.unknown_in_group",
        "No crown has the classes {names}, which are in the table of classes that count as one.",
        names=abbreviate(unknown),
    )
    return GroupedClasses(names[codes], (message,))


def find_class_field(
    targets: Mapping[str, ArrayLike], predictions: Mapping[str, ArrayLike]
) -> str | None:
    """Return the attribute that both layers share, that is named like a class and varies.

    Args:
        targets: values of each attribute of the targets, by name.
        predictions: values of each attribute of the predictions, by name.

    Returns:
        The first shared attribute in the order of :data:`CLASS_FIELD_NAMES` with at least two
        values in both layers together; None without one.

    >>> layer = {"id": [1, 2], "Species": ["oak", "ash"], "label": ["Tree", "Tree"]}
    >>> find_class_field(layer, layer)
    'Species'
    """
    shared = {_plain_name(name): name for name in targets if name in predictions}
    for class_name in CLASS_FIELD_NAMES:
        name = shared.get(_plain_name(class_name))
        if name is None:
            continue
        try:
            labels = encode_classes(targets[name], predictions[name]).labels
        except InputError:
            continue
        if len(labels) > 1:
            return name
    return None


def _plain_name(name: str) -> str:
    """Return the name of an attribute without case, spaces, "_" and "-"."""
    return re.sub(r"[\s_-]", "", name).casefold()
