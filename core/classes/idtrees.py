"""Task 2 of IDTReeS 2020: species of given crowns from probabilities per class."""

from __future__ import annotations

from typing import NamedTuple, cast

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from randcrowns.core.arrays import Bools, Ints, Objects, as_array, as_float_array
from randcrowns.core.class_names import class_values
from randcrowns.core.classes.values import encode_classes
from randcrowns.core.errors import InputError
from randcrowns.core.messages import Message, abbreviate, note
from randcrowns.core.statistics import precision_recall_f1, ratio
from randcrowns.core.validation import validate_arguments


class ProbableClasses(NamedTuple):
    """Classes with the highest probability of each crown."""

    #: (m,) id of the crown, ascending; a crown with a tie occurs once per tied class.
    crown: Ints
    #: (m,) class.
    classes: Objects
    #: (m,) True for crowns with a tie.
    is_tied: Bools
    #: A note on crowns with a tie.
    messages: tuple[Message, ...]


@validate_arguments
def most_probable_classes(
    crown: ArrayLike, classes: ArrayLike, probability: ArrayLike
) -> ProbableClasses:
    """Return the class with the highest probability of each crown.

    Args:
        crown: (n,) id of the crown of each row.
        classes: (n,) class of each row.
        probability: (n,) probability of each row.

    Returns:
        One row per crown; several for a crown whose highest probability several classes have.

    Raises:
        InputError: if the arrays differ in length, a class or a probability is missing, or a crown
            has a class twice.

    >>> classes = ["oak", "ash", "oak", "ash"]
    >>> best = most_probable_classes([1, 1, 2, 2], classes, [0.8, 0.2, 0.4, 0.6])
    >>> best.crown.tolist(), best.classes.tolist()
    ([1, 2], ['oak', 'ash'])
    """
    ids = as_array(crown, "The list of crowns")
    names = class_values(classes, "probabilities")
    values = as_float_array(probability, "The list of probabilities")
    if not ids.shape == names.shape == values.shape:
        raise InputError(
            "probabilities.wrong_count",
            "Each row needs a crown, a class and a probability; there are {crowns} crowns, "
            "{classes} classes and {probabilities} probabilities.",
            crowns=ids.size,
            classes=names.size,
            probabilities=values.size,
        )
    table = pd.DataFrame({"crown": ids, "class": names, "probability": values})
    _check_probabilities(table)
    highest = table.groupby("crown")["probability"].transform("max")
    best = table[table["probability"] == highest].sort_values(["crown", "class"])
    crowns = best["crown"].to_numpy()
    is_tied = best["crown"].duplicated(keep=False).to_numpy()
    return ProbableClasses(
        crown=crowns,
        classes=best["class"].to_numpy(dtype=object),
        is_tied=is_tied,
        messages=_tie_messages(pd.unique(crowns[is_tied])),
    )


def _check_probabilities(table: pd.DataFrame) -> None:
    """Raise an InputError if a class or a probability is missing, or a crown has a class twice.

    Args:
        table: rows with ``crown``, ``class`` and ``probability``.
    """
    is_incomplete = table[["class", "probability"]].isna().any(axis=1)
    if is_incomplete.any():
        raise InputError(
            "probabilities.missing",
            "The class or the probability is missing in rows {rows}. Remove these rows, or fill "
            "them in.",
            rows=abbreviate(np.flatnonzero(is_incomplete)),
        )
    is_repeated = table.duplicated(["crown", "class"])
    if is_repeated.any():
        raise InputError(
            "probabilities.repeated",
            "A crown has several probabilities of one class in rows {rows}. Keep one of them.",
            rows=abbreviate(np.flatnonzero(is_repeated)),
        )


def _tie_messages(tied_crowns: Ints) -> tuple[Message, ...]:
    """Return a note on the crowns (n,) with several most probable classes; none without them."""
    if not len(tied_crowns):
        return ()
    message = note(
        "probabilities.tied",
        "{count:,} crowns have several classes with the highest probability: {crowns}. "
        "Each of these classes counts, as in the toolbox of IDTReeS 2020.",
        one="1 crown has several classes with the highest probability: {crowns}. Each of "
        "these classes counts, as in the toolbox of IDTReeS 2020.",
        count=len(tied_crowns),
        crowns=abbreviate(tied_crowns),
    )
    return (message,)


class IdtreesTask2(NamedTuple):
    """Results of task 2 of IDTReeS 2020."""

    #: Table of the toolbox, with its names, rows and roles, see :func:`idtrees_task2`.
    report: pd.DataFrame
    #: (K, K) numbers of crowns: rows are reference classes, columns are predicted classes.
    confusion: pd.DataFrame
    #: Notes on ties, and on crowns on one side only.
    messages: tuple[Message, ...]


@validate_arguments
def idtrees_task2(
    reference_crown: ArrayLike,
    reference: ArrayLike,
    crown: ArrayLike,
    classes: ArrayLike,
    probability: ArrayLike,
) -> IdtreesTask2:
    """Compute the table of task 2 that the toolbox of IDTReeS 2020 writes.

    The toolbox passes the predictions to scikit-learn as truth. In its table ``precision`` is
    therefore the share of the reference crowns of a class that are right (producer's accuracy),
    ``recall`` is the share of the predictions that are right (user's accuracy), and ``support`` is
    the number of predictions. Its "micro F1" is the mean weighted by this number. F1 and accuracy
    are the same either way, the weighted mean is not. ``confusion`` has the roles of
    :func:`randcrowns.core.classes.confusion.match_classes`.

    Args:
        reference_crown: (T,) ids of the reference crowns.
        reference: (T,) their classes.
        crown: (n,) id of the crown of each predicted row.
        classes: (n,) class of each predicted row.
        probability: (n,) probability of each predicted row.

    Returns:
        The table with a row per class and the rows ``accuracy``, ``macro F1`` and ``micro F1``;
        the confusion matrix; and messages. As in the toolbox, crowns on one side only are excluded.

    Raises:
        InputError: see :func:`most_probable_classes`; also if a reference crown occurs twice, has
            no class, or no crown is on both sides.

    >>> probabilities = ([1, 1, 2], ["oak", "ash", "oak"], [0.9, 0.1, 1.0])
    >>> result = idtrees_task2([1, 2], ["oak", "ash"], *probabilities)
    >>> result.report.loc["oak"].round(3).tolist()
    [1.0, 0.5, 0.667, 2.0]
    """
    ids = as_array(reference_crown, "The list of reference crowns")
    truth = class_values(reference, "reference")
    if ids.shape != truth.shape or pd.isna(truth).any() or len(np.unique(ids)) != len(ids):
        raise InputError(
            "idtrees.reference",
            "Each reference crown needs one class, and must occur once.",
        )
    best = most_probable_classes(crown, classes, probability)
    # The reference crown of each predicted row; -1 for a crown that is not in the reference.
    reference_rows = pd.Index(ids).get_indexer(pd.Index(best.crown))
    is_in_reference = reference_rows >= 0
    matched_rows = reference_rows[is_in_reference]
    if not len(matched_rows):
        raise InputError(
            "idtrees.no_common_crown",
            "No crown has both a reference class and probabilities. Check the ids of the crowns.",
        )
    labels, (true_codes, predicted_codes) = encode_classes(
        truth[matched_rows], best.classes[is_in_reference]
    )
    n_classes = len(labels)
    cells = true_codes * n_classes + predicted_codes
    matrix = np.bincount(cells, minlength=n_classes**2).reshape(n_classes, n_classes)
    confusion = pd.DataFrame(
        matrix,
        index=pd.Index(labels, name="reference"),
        columns=pd.Index(labels, name="predicted"),
    )
    one_side_messages = _one_side_messages(
        n_missing=len(ids) - len(np.unique(matched_rows)),
        n_unknown=len(np.unique(best.crown[~is_in_reference])),
    )
    return IdtreesTask2(
        report=_toolbox_table(matrix, labels),
        confusion=confusion,
        messages=(*best.messages, *one_side_messages),
    )


def _one_side_messages(n_missing: int, n_unknown: int) -> list[Message]:
    """Return a note on the crowns of one side only; none if there are no such crowns.

    Args:
        n_missing: number of reference crowns without probabilities.
        n_unknown: number of crowns with probabilities that are not in the reference.
    """
    if not n_missing and not n_unknown:
        return []
    message = note(
        "idtrees.one_side_only",
        "{missing:,} reference crowns have no probabilities, and {unknown:,} crowns with "
        "probabilities are not in the reference. They are excluded, as in the toolbox of "
        "IDTReeS 2020.",
        missing=n_missing,
        unknown=n_unknown,
    )
    return [message]


def _toolbox_table(matrix: Ints, labels: tuple[str, ...]) -> pd.DataFrame:
    """Return the table of the toolbox from a confusion matrix.

    Args:
        matrix: (K, K) numbers of crowns; rows are reference classes, columns predicted ones.
        labels: (K,) names of the classes.

    Returns:
        A row per class, then ``accuracy``, ``macro F1`` and ``micro F1``, with the columns
        ``precision``, ``recall``, ``f1-score`` and ``support``, see :func:`idtrees_task2`.
    """
    n_correct = np.diagonal(matrix)
    n_reference = matrix.sum(axis=1)
    n_predicted = matrix.sum(axis=0)
    _, _, f1 = precision_recall_f1(n_correct, n_predicted, n_correct, n_reference)
    precision = ratio(n_correct, n_reference)
    recall = ratio(n_correct, n_predicted)
    # As in scikit-learn, 0/0 counts as 0 here.
    rates = np.nan_to_num(np.stack([precision, recall, f1], axis=1))
    n_crowns = float(matrix.sum())
    accuracy = float(n_correct.sum()) / n_crowns
    weighted_rates = (rates * n_predicted[:, np.newaxis]).sum(axis=0) / n_crowns

    class_rows = np.column_stack([rates, n_predicted])
    accuracy_row = np.full(4, accuracy)
    macro_row = [*rates.mean(axis=0), n_crowns]
    micro_row = [*weighted_rates, n_crowns]
    return cast(
        "pd.DataFrame",
        pd.DataFrame(
            np.vstack([class_rows, accuracy_row, macro_row, micro_row]),
            index=[*labels, "accuracy", "macro F1", "micro F1"],
            columns=["precision", "recall", "f1-score", "support"],
        ),
    )
