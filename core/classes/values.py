"""Class values of crowns: trimmed texts, missing classes, groups of classes, the class field."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from randcrowns.core.arrays import Bools, Ints, Objects
from randcrowns.core.class_names import check_spelling, class_values, factorize_classes
from randcrowns.core.crowns import Crowns, unique_name
from randcrowns.core.errors import InputError
from randcrowns.core.exchange.deepforest import LABEL_COLUMNS, find_column
from randcrowns.core.messages import Message, TranslatableText, abbreviate, note, warning
from randcrowns.core.status import ALL_PLOTS
from randcrowns.core.validation import validate_arguments

#: Code of a crown without a class.
NO_CLASS = -1
#: Row of the crowns without a class.
NO_CLASS_LABEL = "no class"
#: Row of the predictions that match no reference crown.
NO_REFERENCE_LABEL = "no reference"
#: Column of the reference crowns that no prediction matches.
NOT_FOUND_LABEL = "not found"
#: Class of the units that an annotator looked at and did not mark.
BACKGROUND = "background"
#: Names of rows and columns of results, which no class has there.
RESERVED_LABELS = (NO_CLASS_LABEL, NO_REFERENCE_LABEL, NOT_FOUND_LABEL, BACKGROUND, ALL_PLOTS)
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


#: Names of attributes that hold a species or genus, without case, spaces, "_" and "-".
_SPECIES = ("classname", "species", "scientificname", "taxon", "taxonid", "speciesid", "genus")


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
def encode_classes(*layers: ArrayLike) -> EncodedClasses:
    """Return the classes of several layers as numbers; equal classes have equal numbers.

    Args:
        layers: for each layer (n,) class values, see :func:`class_values`.

    Returns:
        The names of all classes, and the numbers of the classes of each layer.

    >>> encoded = encode_classes(["oak", "ash", None], ["10", "9", "oak"])
    >>> encoded.labels, [codes.tolist() for codes in encoded.codes]
    (('9', '10', 'ash', 'oak'), [[3, 2, -1], [1, 0, 3]])
    """
    factorized_layers = [factorize_classes(layer) for layer in layers]
    names: set[str] = set()
    for _, distinct_values in factorized_layers:
        names.update(value for value in distinct_values if value is not None)
    labels = tuple(sorted(names, key=_sort_key))
    code_of_label = {label: code for code, label in enumerate(labels)}
    codes_of_layers = []
    # Each crown has the index of its class among the distinct values of its layer.
    for value_index, distinct_values in factorized_layers:
        code_of_value = [code_of_label.get(value, NO_CLASS) for value in distinct_values]
        codes_of_layers.append(np.array(code_of_value, dtype=np.int64)[value_index])
    return EncodedClasses(labels, tuple(codes_of_layers))


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
    for side, codes, size in zip(names, encoded.codes, (n_reference, n_predicted)):
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
    """Return the rows of each class, ascending.

    Args:
        codes: (n,) class of each row, from 0; other codes belong to no class.
        n_classes: number of classes.

    Returns:
        One array of rows per class.

    >>> [rows.tolist() for rows in rows_of_classes(np.array([1, 0, 1, NO_CLASS]), 2)]
    [[1], [0, 2]]
    """
    is_class = (codes >= 0) & (codes < n_classes)
    # Small integers are sorted fastest, by radix.
    class_numbers = np.where(is_class, codes, n_classes).astype(np.min_scalar_type(n_classes))
    order = np.argsort(class_numbers, kind="stable")
    # The rows of no class follow those of the last class.
    class_sizes = np.bincount(class_numbers, minlength=n_classes)[:n_classes]
    rows = []
    start = 0
    for size in class_sizes.tolist():
        rows.append(order[start : start + size])
        start += size
    return rows


def _sort_key(label: str) -> tuple[bool, int, str]:
    """Return the sort key of a class: whole numbers by value, then texts."""
    if re.fullmatch(r"-?[0-9]{1,18}", label):
        return False, int(label), label
    return True, 0, label


@validate_arguments
def check_missing_classes(classes: ArrayLike, layer: str) -> list[Message]:
    """Return a note on the number of crowns without a class; none if all have one.

    Args:
        classes: (n,) class values, see :func:`class_values`.
        layer: name of the layer.

    >>> print(*check_missing_classes(["oak", "", None], "crowns"))
    crowns: 2 of 3 crowns have no class. They are matched, but their class is not judged.
    """
    return _missing_messages(pd.isna(class_values(classes)), layer)


def _missing_messages(is_missing: Bools, layer: str) -> list[Message]:
    """Return the messages of :func:`check_missing_classes`.

    Args:
        is_missing: (n,) True for crowns without a class.
        layer: name of the layer.
    """
    n_missing = int(is_missing.sum())
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
        total=len(is_missing),
    )
    return [message]


def label_classes(classes: Iterable[str]) -> list[str]:
    """Return the names of classes in results; a class with a reserved name gets a number.

    Args:
        classes: distinct names of classes.

    >>> label_classes(["oak", "background", "background (2)"])
    ['oak', 'background (3)', 'background (2)']
    """
    names = list(classes)
    taken_names = {*RESERVED_LABELS, *names}
    labels = []
    for name in names:
        if name in RESERVED_LABELS:
            labels.append(unique_name(name, taken_names.__contains__))
        else:
            labels.append(name)
    return labels


def _rename_reserved(classes: Objects) -> GroupedClasses:
    """Return classes (n,) in which no class has a reserved name, with a note on each new name."""
    codes, names = pd.factorize(classes)
    labels = label_classes(names)
    messages = []
    for name, label in zip(names, labels):
        if name != label:
            message = note(
                "classes.renamed",
                "Class '{name}' is called '{label}' in the results, because '{name}' is a row or "
                "column of their tables.",
                name=name,
                label=label,
            )
            messages.append(message)
    # The code of a missing class is -1, that of the last label.
    label_of_code = np.array([*labels, None], dtype=object)
    return GroupedClasses(label_of_code[codes], tuple(messages))


def check_class_options(class_field: str, options: Mapping[str, str], parameter: str) -> None:
    """Raise an InputError if classes are described but no class field is chosen.

    Args:
        class_field: class field; "" without one.
        options: values that have an effect only on classes, by name of the parameter.
        parameter: name of the parameter with the class field.

    Raises:
        InputError: if an option has a value without a class field.

    >>> check_class_options("species", {"class_groups": "conifer=PIPA"}, "class_field")
    """
    if class_field:
        return
    for name, value in options.items():
        if value:
            raise InputError(
                "classes.option_without_field",
                "'{option}' has an effect on classes only. Choose a field as '{parameter}', or "
                "leave '{option}' empty.",
                option=name,
                parameter=parameter,
            )


class ClassGroup(NamedTuple):
    """One entry of a table of classes that count as one."""

    name: str  #: name of the group.
    members: list[str]  #: names of its classes.
    entry: str  #: name and classes as the user wrote them.


def split_class_groups(text: str) -> list[ClassGroup]:
    """Split a text such as ``conifer=PIPA+PIEL; broadleaf=QULA`` into its entries.

    Groups are separated by semicolons, commas or line breaks, or by spaces where no class name
    contains one.

    Args:
        text: entries, each a name and its classes.

    Returns:
        The entries in the order of the text. Names may be empty and may repeat.

    >>> [(group.name, group.members) for group in split_class_groups("a=1+2 b=3")]
    [('a', ['1', '2']), ('b', ['3'])]
    """
    groups = []
    for entry in _group_entries(text):
        name, _, class_text = entry.partition("=")
        members = [member.strip() for member in class_text.split("+")]
        groups.append(ClassGroup(name.strip(), members, entry))
    return groups


@validate_arguments
def parse_class_groups(text: str) -> dict[str, list[str]]:
    """Return the classes that count as one, by name: ``conifer=PIPA+PIEL; broadleaf=QULA``.

    The separators are those of :func:`split_class_groups`.

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
    for group in split_class_groups(text):
        _check_group(group, group_of_class)
        if group.name in groups:
            raise InputError(
                "classes.repeated_group",
                "The group of classes '{name}' occurs twice. Write all of its classes once, such "
                "as {name}=PIPA+PIEL.",
                name=group.name,
            )
        group_of_class.update(dict.fromkeys(group.members, group.name))
        groups[group.name] = group.members
    return groups


def _check_group(group: ClassGroup, group_of_class: Mapping[str, str]) -> None:
    """Raise InputError if an entry is no name with classes, or repeats a class.

    Args:
        group: the entry.
        group_of_class: group of each class of the entries before.
    """
    if not group.name or not all(group.members) or group.entry.count("=") != 1:
        raise InputError(
            "classes.invalid_group",
            "'{part}' is not a group of classes. Write a name and classes, such as "
            "conifer=PIPA+PIEL.",
            part=group.entry,
        )
    for number, member in enumerate(group.members):
        first_group = group_of_class.get(member)
        if first_group is None and member in group.members[:number]:
            first_group = group.name
        if first_group is not None:
            raise InputError(
                "classes.in_two_groups",
                "The class '{member}' occurs in the groups '{first}' and '{second}'. Remove it "
                "from one of them.",
                member=member,
                first=first_group,
                second=group.name,
            )


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

    Raises:
        InputError: if a group has the name of a class that is in no group.

    >>> group_classes(["PIPA", "QULA"], {"conifer": ["PIPA", "PIEL"]}).classes.tolist()
    ['conifer', 'QULA']
    """
    values = class_values(classes)
    group_of_class: dict[str, str] = {}
    for group, members in groups.items():
        group_of_class.update((str(member), group) for member in members)
    codes, labels = pd.factorize(values)
    ungrouped_labels = set(labels) - set(group_of_class)
    clashes = sorted(set(groups) & ungrouped_labels)
    if clashes:
        raise InputError(
            "classes.group_is_class",
            "The group '{name}' has the name of a class that is not in it. Rename the group, or "
            "add the class: {name}={name}+{members}",
            name=clashes[0],
            members="+".join(map(str, groups[clashes[0]])),
        )
    new_labels = [group_of_class.get(label, label) for label in labels]
    # The code of a missing class is -1, that of the last label.
    new_classes = np.array([*new_labels, None], dtype=object)[codes]
    unknown_classes = sorted(set(group_of_class) - set(labels))
    if not unknown_classes:
        return GroupedClasses(new_classes, ())
    message = note(
        "classes.unknown_in_group",
        "No crown has the classes {names}, which are in the table of classes that count as one.",
        names=abbreviate(unknown_classes),
    )
    return GroupedClasses(new_classes, (message,))


class GroupedCrowns(NamedTuple):
    """Layers of crowns whose classes were grouped and checked together."""

    #: Crowns of each layer.
    layers: tuple[Crowns, ...]
    #: Notes on spellings, on crowns without a class, and on classes that no crown has.
    messages: tuple[Message, ...]


def group_crown_classes(
    layers: Sequence[Crowns],
    groups: Mapping[str, Iterable[str]],
    names: Sequence[str | None] | None = None,
) -> GroupedCrowns:
    """Replace the classes of several layers by their groups, and check them together.

    Args:
        layers: layers that are compared; those without classes are returned unchanged.
        groups: classes that count as one, by name, see :func:`parse_class_groups`.
        names: name of each layer in messages, by default that of its crowns. Layers with the same
            name are counted together. None for areas, which need no class.

    Returns:
        The layers with their new classes, and notes about the classes.

    Raises:
        InputError: if a group has the name of a class that is in no group.

    >>> import shapely
    >>> crowns = Crowns([shapely.box(0, 0, 1, 1)], classes=["PIPA"])
    >>> group_crown_classes([crowns], {"conifer": ["PIPA"]}).layers[0].classes.tolist()
    ['conifer']
    """
    classes_of_layers = [layer.classes for layer in layers]
    layer_names = list(names or [layer.name for layer in layers])
    grouped_classes, messages = group_layer_classes(classes_of_layers, groups, layer_names)
    new_layers = []
    for layer, classes in zip(layers, grouped_classes):
        if classes is None:
            new_layers.append(layer)
        else:
            new_layers.append(layer.with_classes(classes))
    return GroupedCrowns(tuple(new_layers), messages)


def group_layer_classes(
    layers: Sequence[Objects | None],
    groups: Mapping[str, Iterable[str]],
    names: Sequence[str | None],
) -> tuple[list[Objects | None], tuple[Message, ...]]:
    """Replace classes as :func:`group_crown_classes` does, without the crowns.

    Args:
        layers: for each layer (n,) class values, or None for a layer without classes.
        groups: classes that count as one, by name.
        names: name of each layer in messages; None for areas, which need no class.

    Returns:
        The new classes of each layer, and the notes.

    Raises:
        InputError: if a group has the name of a class that is in no group.
    """
    codes_of_layers, distinct_classes = _factorize_layers(layers)
    grouped = group_classes(distinct_classes, groups)
    renamed = _rename_reserved(grouped.classes)
    # The code of a missing class is -1, that of the last name.
    name_of_code = np.array([*renamed.classes, None], dtype=object)

    new_layers: list[Objects | None] = []
    missing_by_name: dict[str, list[Bools]] = {}
    for codes, name in zip(codes_of_layers, names):
        if codes is None:
            new_layers.append(None)
            continue
        new_layers.append(name_of_code[codes])
        if name is not None:
            missing_by_name.setdefault(name, []).append(codes == NO_CLASS)

    messages = [*grouped.messages, *renamed.messages]
    messages += check_spelling(distinct_classes)
    messages += _not_shared_messages(new_layers, names)
    for name, masks in missing_by_name.items():
        messages += _missing_messages(np.concatenate(masks), name)
    return new_layers, tuple(messages)


def _factorize_layers(
    layers: Sequence[Objects | None],
) -> tuple[list[Ints | None], Objects]:
    """Return the classes of layers as codes.

    Args:
        layers: for each layer (n,) class values, or None for a layer without classes.

    Returns:
        For each layer (n,) indices of the distinct classes, -1 for a missing class, or None for a
        layer without classes; and the distinct classes of all layers.
    """
    layers_with_classes = [classes for classes in layers if classes is not None]
    all_classes = np.concatenate([np.empty(0, dtype=object), *layers_with_classes])
    codes, distinct_classes = pd.factorize(all_classes)
    codes_of_layers: list[Ints | None] = []
    start = 0
    for classes in layers:
        if classes is None:
            codes_of_layers.append(None)
            continue
        end = start + len(classes)
        codes_of_layers.append(codes[start:end])
        start = end
    return codes_of_layers, distinct_classes


def _not_shared_messages(
    layers: Sequence[Objects | None], names: Sequence[str | None]
) -> list[Message]:
    """Return a warning if a layer has no class that another layer has, too.

    Args:
        layers: for each layer (n,) classes, or None for a layer without classes.
        names: name of each layer, which several layers may have; None for areas.
    """
    classes_by_name: dict[str, set[str]] = {}
    for classes, name in zip(layers, names):
        if classes is None or name is None:
            continue
        known_classes = pd.unique(classes[~pd.isna(classes)])
        if len(known_classes):
            classes_by_name.setdefault(name, set()).update(known_classes)
    for name, own_classes in classes_by_name.items():
        other_classes: set[str] = set()
        for other_name, classes_of_other in classes_by_name.items():
            if other_name != name:
                other_classes |= classes_of_other
        if other_classes and own_classes.isdisjoint(other_classes):
            message = warning(
                "classes.none_shared",
                "'{layer}' has no class of the other layers: its classes are {classes}, theirs "
                "{others}. No class agrees. Check the field of the class, or unite classes.",
                layer=name,
                classes=abbreviate(sorted(own_classes)),
                others=abbreviate(sorted(other_classes)),
            )
            return [message]
    return []


def find_class_field(
    targets: Mapping[str, ArrayLike], predictions: Mapping[str, ArrayLike]
) -> str | None:
    """Return the attribute that both layers share, that is named like a class and varies.

    Args:
        targets: values of each attribute of the targets, by name.
        predictions: values of each attribute of the predictions, by name.

    Returns:
        The first attribute of :func:`class_field_candidates` with at least two values in both
        layers together; None without one.

    >>> layer = {"id": [1, 2], "Species": ["oak", "ash"], "label": ["Tree", "Tree"]}
    >>> find_class_field(layer, layer)
    'Species'
    """
    for name in class_field_candidates([targets, predictions]):
        values = [*np.asarray(targets[name], object), *np.asarray(predictions[name], object)]
        if has_several_classes(values):
            return name
    return None


def class_field_candidates(layers: Sequence[Iterable[str]]) -> list[str]:
    """Return the attributes that are named like a class and that all layers have.

    Args:
        layers: names of the attributes of each layer, at least one layer.

    Returns:
        Names in the order of :data:`CLASS_FIELD_NAMES`, as the first layer writes them.

    >>> class_field_candidates([["id", "Species", "label"], ["label", "Species"]])
    ['label', 'Species']
    """
    first_names, *other_layers = [list(names) for names in layers]
    shared_names: dict[str, str] = {}
    for name in first_names:
        if all(name in names for names in other_layers):
            # Of names that differ only in case, the first one counts.
            shared_names.setdefault(_plain_name(name), name)
    candidates = []
    for class_name in CLASS_FIELD_NAMES:
        # Two names of classes can be the same plain name, which is removed for the second one.
        name_of_field = shared_names.pop(_plain_name(class_name), None)
        if name_of_field is not None:
            candidates.append(name_of_field)
    return candidates


def label_field(names: Sequence[str]) -> str:
    """Return the attribute with the class of crowns that are written to an annotation file.

    Args:
        names: names of the attributes of a layer.

    Returns:
        An attribute named like a label of annotation files, or else like a species, or else
        ``name``; "" without one.

    >>> label_field(["id", "species", "label"]), label_field(["id", "Species"])
    ('label', 'Species')
    """
    # The last label column, "name", may also be the name of a tree.
    *label_columns, name_column = LABEL_COLUMNS
    label = find_column(tuple(label_columns), list(names))
    if label:
        return label
    species_names = [name for name in names if _plain_name(name) in _SPECIES]
    species_fields = class_field_candidates([species_names])
    if species_fields:
        return species_fields[0]
    return find_column((name_column,), list(names))


def has_several_classes(values: Sequence[Any]) -> bool:
    """Return True if values are classes and at least two of them differ.

    >>> has_several_classes(["oak", " oak", None]), has_several_classes([1, 2])
    (False, True)
    >>> has_several_classes([1.5, 2.5])
    False
    """
    objects = np.empty(len(values), dtype=object)
    objects[:] = values
    try:
        names = class_values(objects)
    except InputError:
        return False
    return len({name for name in names if name is not None}) > 1


def _plain_name(name: str) -> str:
    """Return the name of an attribute without case, spaces, "_" and "-"."""
    return re.sub(r"[\s_-]", "", name).casefold()
