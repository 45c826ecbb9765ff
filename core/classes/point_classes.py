"""Classes of the points of a cloud: numbers of classes that are written as text, and metrics."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, cast

import numpy as np
import pandas as pd

from randcrowns.core.arrays import Array, Ints
from randcrowns.core.classes.values import split_class_groups
from randcrowns.core.errors import InputError
from randcrowns.core.instances.metrics import semantic_segmentation_metrics
from randcrowns.core.messages import Message, note
from randcrowns.core.statistics import OVERLAP_RATES

#: Class of points without a class; no file uses it.
_NO_CLASS = -(2**62)


class PointClasses(NamedTuple):
    """Classes of N points of a cloud."""

    target: Ints  #: (N,) true class of each point that has one.
    prediction: Ints  #: (N,) predicted class of these points.
    messages: list[Message]  #: messages about points without a class.


def compare_classes(file: str, target_name: str, target: Array, prediction: Array) -> PointClasses:
    """Return the classes of the points that have a true class.

    Nobody knows the class of the other points, so that no prediction of them is right or wrong. A
    point with a true class but without a predicted one counts as not found.

    Args:
        file: name of the file with the true classes, for the message.
        target_name: name of the attribute with the true classes.
        target: (n,) true class of each point; NaN for none.
        prediction: (n,) predicted class of each point; NaN for none.

    >>> classes = compare_classes("a.las", "class", np.array([2, np.nan]), np.array([np.nan, 5]))
    >>> classes.target.tolist(), len(classes.messages)
    ([2], 1)
    """
    true_classes = _class_numbers(target)
    predicted_classes = _class_numbers(prediction)
    is_known = true_classes != _NO_CLASS
    n_unknown = int(np.count_nonzero(~is_known))
    if not n_unknown:
        return PointClasses(true_classes, predicted_classes, messages=[])
    message = note(
        "cloud.without_class",
        "{file}: {count:,} points have no class in attribute '{name}'; table Classes leaves them "
        "out.",
        one="{file}: 1 point has no class in attribute '{name}'; table Classes leaves it out.",
        file=file,
        name=target_name,
        count=n_unknown,
    )
    return PointClasses(true_classes[is_known], predicted_classes[is_known], [message])


def _class_numbers(values: Array) -> Ints:
    """Return the classes (n,) of points as integers; :data:`_NO_CLASS` for NaN."""
    if np.issubdtype(values.dtype, np.integer):
        return values.astype(np.int64)
    return np.where(np.isnan(values), _NO_CLASS, values).astype(np.int64)


def parse_class_numbers(text: str, maximum: int = 1000) -> dict[str, list[int]]:
    """Return the class numbers in a text such as ``ground=2 vegetation=3+4``, by name.

    Args:
        text: names with numbers, see :func:`randcrowns.core.classes.values.split_class_groups`.
        maximum: maximum number of numbers of a name.

    Raises:
        InputError: if a part of the text is not a name with such numbers.

    >>> parse_class_numbers("ground=2 vegetation=3+4")
    {'ground': [2], 'vegetation': [3, 4]}
    """
    numbers_of = {}
    for group in split_class_groups(text):
        try:
            numbers = [int(number) for number in group.members]
        except ValueError:
            raise InputError(
                "cloud.class_without_numbers",
                "'{part}' is not a class. Write a name and numbers, such as vegetation=3+4+5.",
                part=group.entry,
            ) from None
        if not group.name or len(numbers) > maximum:
            raise InputError(
                "cloud.class_without_number",
                "'{part}' is not a class. Write a name and one number, such as tree=5.",
                part=group.entry,
            )
        numbers_of[group.name] = numbers
    return numbers_of


def class_metrics(
    target: Ints,
    prediction: Ints,
    classes: Mapping[str, list[int]],
    aggregates: Mapping[str, list[int]],
    mean_label: str = "all classes",
) -> pd.DataFrame:
    """Return the metrics of classes, aggregates of classes, and their means.

    Args:
        target: (N,) true class of each point.
        prediction: (N,) predicted class of each point.
        classes: list with the number of each class, by name; all classes of the points if empty.
        aggregates: lists of class numbers that are taken as one class, by name.
        mean_label: name of the rows with means.

    Returns:
        One row per class, aggregate and mean: ``class`` (its name), ``kind``, ``iou``,
        ``precision`` and ``recall``.

    >>> class_metrics(np.array([2, 5]), np.array([5, 5]), {}, {})["iou"].tolist()
    [0.0, 0.5, 0.25]
    """
    number_of_class = {name: numbers[0] for name, numbers in classes.items()}
    if not number_of_class:
        occurring = np.union1d(target, prediction)
        number_of_class = {str(number): int(number) for number in occurring if number != _NO_CLASS}
    metrics = semantic_segmentation_metrics(target, prediction, number_of_class, aggregates)

    # Each row's name and kind, and the beginning and the end of the names of its metrics.
    descriptions = [(name, "class", name, "") for name in number_of_class]
    descriptions += [(name, "aggregate", name, "") for name in aggregates]
    descriptions.append((mean_label, "mean", "Mean", ""))
    if aggregates:
        descriptions.append((mean_label, "mean with aggregates", "Mean", "Aggregated"))
    rows = []
    for label, kind, prefix, suffix in descriptions:
        rates = [metrics[f"{prefix}{rate}{suffix}"] for rate in OVERLAP_RATES]
        rows.append([label, kind, *rates])
    columns = ["class", "kind", "iou", "precision", "recall"]
    return cast("pd.DataFrame", pd.DataFrame(rows, columns=columns))
