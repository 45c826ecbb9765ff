"""Matching within classes: only crowns of one class can match, as in COCO (Lin et al. 2014)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, cast

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from randcrowns.core.arrays import Array, Bools, Floats, Ints, as_float_array
from randcrowns.core.class_names import class_values
from randcrowns.core.classes.values import (
    NO_CLASS,
    EncodedClasses,
    encode_both,
    rows_of_classes,
)
from randcrowns.core.crowns import Crowns
from randcrowns.core.errors import InputError
from randcrowns.core.instances.average_precision import COCO_METRICS, coco_metrics, ignored_shares
from randcrowns.core.instances.matching import (
    NO_MATCH,
    Matching,
    MatchingMethod,
    match_one_to_one,
)
from randcrowns.core.instances.matching_inputs import MatchingInputs
from randcrowns.core.instances.metrics import matched_rates
from randcrowns.core.instances.overlap import OverlapTable
from randcrowns.core.messages import TranslatableText
from randcrowns.core.progress import Progress, iterate_with_progress, no_progress
from randcrowns.core.statistics import nan_mean, precision_recall_f1, ratio
from randcrowns.core.validation import validate_arguments


class ClassPart(NamedTuple):
    """Crowns of one class with the pairs between them."""

    label: str  #: name of the class.
    table: OverlapTable  #: pairs of the class; its crowns are numbered from 0.
    reference: Ints  #: rows of the class among all reference crowns.
    predicted: Ints  #: rows of the class among all predictions.


class ClassAveragePrecision(NamedTuple):
    """COCO metrics per class, and their means over classes."""

    #: A row per class (index ``class``) with ``reference`` and ``predicted`` (numbers of crowns),
    #: the metrics of :data:`randcrowns.core.instances.average_precision.COCO_METRICS`,
    #: ``n_beyond_limit``, ``n_unscored`` and ``n_tied``, see
    #: :class:`randcrowns.core.instances.average_precision.CocoMetrics`. Without a reference crown
    #: the metrics are NaN.
    classes: pd.DataFrame
    #: Means of the metrics over the classes with at least one reference crown (mAP and others), by
    #: the name of the metric; NaN without such a class.
    means: dict[str, float]
    #: Number of reference crowns without a class, which are excluded.
    n_reference_without_class: int
    #: Number of predictions without a class, which are excluded.
    n_predicted_without_class: int


def restrict_to_classes(
    table: OverlapTable, reference: ArrayLike, predicted: ArrayLike
) -> OverlapTable:
    """Return the overlap table with the pairs of crowns of one class only.

    Args:
        table: overlap table of T reference crowns and P predictions.
        reference: (T,) classes, see :func:`randcrowns.core.classes.values.class_values`.
        predicted: (P,) classes.

    Returns:
        The table with all crowns. A crown without a class has no pair.

    >>> table = OverlapTable.from_labels([0, 0, 0, 1], [0, 0, 1, 1])
    >>> restrict_to_classes(table, ["oak", "ash"], ["oak", "ash"]).shared.tolist()
    [2.0, 1.0]
    """
    return pairs_of_one_class(table, _encode_sides(table, reference, predicted))


def pairs_of_one_class(table: OverlapTable, encoded: EncodedClasses) -> OverlapTable:
    """Return what :func:`restrict_to_classes` returns, for encoded classes.

    Args:
        table: overlap table of T targets and P predictions.
        encoded: numbers of the classes of both sides.

    Returns:
        The table with the pairs of equal classes only.
    """
    reference_codes, predicted_codes = encoded.codes
    class_of_pair = reference_codes[table.target]
    is_of_one_class = (class_of_pair >= 0) & (class_of_pair == predicted_codes[table.prediction])
    return table.select_pairs(is_of_one_class)


def split_by_class(
    table: OverlapTable, reference: ArrayLike, predicted: ArrayLike
) -> list[ClassPart]:
    """Return the crowns of each class with the pairs between them.

    The classes of both sides are listed, in the order of
    :func:`randcrowns.core.classes.values.encode_classes`. Each pair is read once.

    Args:
        table: overlap table of T reference crowns and P predictions.
        reference: (T,) classes.
        predicted: (P,) classes.

    >>> table = OverlapTable.from_labels([0, 0, 0, 1], [0, 0, 1, 1])
    >>> [part.table.shared.tolist() for part in split_by_class(table, ["a", "b"], ["a", "b"])]
    [[2.0], [1.0]]
    """
    return _split_table(table, _encode_sides(table, reference, predicted))


def _split_table(table: OverlapTable, encoded: EncodedClasses) -> list[ClassPart]:
    """Return the crowns of each class with the pairs between them.

    Args:
        table: overlap table of T reference crowns and P predictions.
        encoded: numbers of the classes of both sides.
    """
    class_pairs = pairs_of_one_class(table, encoded)
    n_classes = len(encoded.labels)
    reference_codes, predicted_codes = encoded.codes
    reference_rows = rows_of_classes(reference_codes, n_classes)
    predicted_rows = rows_of_classes(predicted_codes, n_classes)
    pair_rows = rows_of_classes(reference_codes[class_pairs.target], n_classes)
    # In the table of a class, crowns have their numbers within the class.
    reference_number = _number_rows(reference_rows, len(reference_codes))
    predicted_number = _number_rows(predicted_rows, len(predicted_codes))
    target_rank = class_pairs.target_rank
    prediction_rank = class_pairs.prediction_rank
    parts = []
    for code, label in enumerate(encoded.labels):
        pairs = pair_rows[code]
        targets = reference_rows[code]
        predictions = predicted_rows[code]
        part_table = OverlapTable(
            target=reference_number[class_pairs.target[pairs]],
            prediction=predicted_number[class_pairs.prediction[pairs]],
            shared=class_pairs.shared[pairs],
            target_size=class_pairs.target_size[targets],
            prediction_size=class_pairs.prediction_size[predictions],
            counts_points=class_pairs.counts_points,
            target_rank=None if target_rank is None else target_rank[targets],
            prediction_rank=None if prediction_rank is None else prediction_rank[predictions],
        )
        parts.append(
            ClassPart(label=label, table=part_table, reference=targets, predicted=predictions)
        )
    return parts


def _number_rows(rows_of_groups: Sequence[Ints], n: int) -> Ints:
    """Return the (n,) number of each row within its group, from 0; 0 for rows in no group.

    Args:
        rows_of_groups: rows of each group.
        n: number of rows.
    """
    number = np.zeros(n, dtype=np.int64)
    for rows in rows_of_groups:
        number[rows] = np.arange(len(rows))
    return number


def _encode_sides(
    table: OverlapTable, reference: ArrayLike, predicted: ArrayLike
) -> EncodedClasses:
    """Return the classes as numbers; raise InputError unless there is one class per crown."""
    return encode_both(reference, predicted, len(table.target_size), len(table.prediction_size))


@validate_arguments
def match_within_classes(
    table: OverlapTable,
    reference: ArrayLike,
    predicted: ArrayLike,
    method: MatchingMethod | str = MatchingMethod.FOR_AI_NET,
    inputs: MatchingInputs | ArrayLike | None = None,
    progress: Progress = no_progress,
) -> Matching:
    """Match crowns of one class, each crown at most once.

    Args:
        table: overlap table of T reference crowns and P predictions.
        reference: (T,) classes, see :func:`randcrowns.core.classes.values.class_values`.
        predicted: (P,) classes.
        method: see :func:`randcrowns.core.instances.matching.match_one_to_one`.
        inputs: measures that some methods require, or the (T,) heights of the reference crowns.
        progress: receives the fraction done; may raise to cancel.

    Returns:
        The matching of all crowns. Crowns without a class have no match.

    Raises:
        InputError: if there is not one class per crown; see also ``match_one_to_one``.

    >>> table = OverlapTable.from_labels([0, 0, 0, 1], [0, 0, 0, 1])
    >>> match_within_classes(table, ["oak", "ash"], ["oak", "oak"]).prediction.tolist()
    [0, -1]
    """
    class_overlaps = restrict_to_classes(table, reference, predicted)
    return match_one_to_one(class_overlaps, method, inputs, progress)


@validate_arguments
def within_class_table(
    table: OverlapTable,
    reference: ArrayLike,
    predicted: ArrayLike,
    matching: Matching,
    uncertain: Bools | None = None,
) -> pd.DataFrame:
    """Compute detection metrics and panoptic quality of each class.

    Args:
        table: overlap table of T reference crowns and P predictions.
        reference: (T,) classes.
        predicted: (P,) classes.
        matching: matching within classes, see :func:`match_within_classes`.
        uncertain: (P,) mask of predictions that do not count if they are unmatched, or None.

    Returns:
        A row per class (index ``class``): ``reference``, ``predicted``, ``tp``, ``fp``, ``fn``,
        ``precision``, ``recall``, ``f1``, and panoptic quality ``pq`` = ``sq`` · ``rq`` (Kirillov
        et al. 2019). 0/0 is NaN. Crowns without a class are excluded.

    Raises:
        InputError: if there is not one class per crown.

    >>> table = OverlapTable.from_labels([0, 0, 0, 1], [0, 0, 0, 1])
    >>> classes = (["oak", "ash"], ["oak", "oak"])
    >>> rows = within_class_table(table, *classes, match_within_classes(table, *classes))
    >>> rows[["tp", "fp", "fn"]].to_numpy().tolist()
    [[0, 0, 1], [1, 1, 0]]
    """
    return class_table(table, _encode_sides(table, reference, predicted), matching, uncertain)


def class_table(
    table: OverlapTable,
    encoded: EncodedClasses,
    matching: Matching,
    uncertain: Bools | None = None,
) -> pd.DataFrame:
    """Return what :func:`within_class_table` returns, for encoded classes.

    Args:
        table: overlap table of T targets and P predictions.
        encoded: numbers of the classes of both sides.
        matching: matching within classes.
        uncertain: (P,) mask of predictions that are not counted unless they are matched; None for
            none.

    Returns:
        A row per class with the columns of :func:`within_class_table`.
    """
    n_classes = len(encoded.labels)
    reference_codes, predicted_codes = _codes_with_last_for_none(encoded)
    if uncertain is not None:
        is_matched = matching.target != NO_MATCH
        predicted_codes = predicted_codes[~uncertain | is_matched]
    # The last count is that of the crowns without a class.
    n_reference = np.bincount(reference_codes, minlength=n_classes + 1)[:n_classes]
    n_predicted = np.bincount(predicted_codes, minlength=n_classes + 1)[:n_classes]
    matched_targets = np.flatnonzero(matching.prediction != NO_MATCH)
    class_of_match = reference_codes[matched_targets]
    n_matched = np.bincount(class_of_match, minlength=n_classes)
    iou, *_ = matched_rates(table, matching)
    total_iou = np.bincount(class_of_match, iou[matched_targets], n_classes)
    precision, recall, f1 = precision_recall_f1(n_matched, n_reference, n_matched, n_predicted)
    columns = {
        "reference": n_reference,
        "predicted": n_predicted,
        "tp": n_matched,
        "fp": n_predicted - n_matched,
        "fn": n_reference - n_matched,
        "precision": precision,
        "recall": recall,
        "f1": f1,
        "pq": ratio(2 * total_iou, n_reference + n_predicted),
        "sq": ratio(total_iou, n_matched),
        "rq": f1,
    }
    index = pd.Index(encoded.labels, name="class")
    return cast("pd.DataFrame", pd.DataFrame(columns, index=index))


def _codes_with_last_for_none(encoded: EncodedClasses) -> list[Ints]:
    """Return the codes of both sides with the number of classes in place of no class."""
    return [np.where(codes < 0, len(encoded.labels), codes) for codes in encoded.codes]


@validate_arguments
def class_average_precision(
    table: OverlapTable,
    reference: ArrayLike,
    predicted: ArrayLike,
    score: ArrayLike,
    *,
    plots: tuple[ArrayLike, ArrayLike] | None = None,
    ignored_share: ArrayLike | None = None,
    all_drawn: bool = True,
    progress: Progress = no_progress,
) -> ClassAveragePrecision:
    """Compute COCO's average precision and recall of each class, and their means (mAP).

    Args:
        table: overlap table of T reference crowns and P predictions.
        reference: (T,) classes, see :func:`randcrowns.core.classes.values.class_values`.
        predicted: (P,) classes.
        score: (P,) scores of the predictions; predictions with a NaN score are excluded.
        plots: plot numbers of the reference crowns, (T,), and of the predictions, (P,), see
            :func:`randcrowns.core.instances.average_precision.coco_metrics`.
        ignored_share: (P,) share of each prediction on an ignored region, see
            :func:`class_ignored_shares`; 0 by default.
        all_drawn: False if only some of the crowns were drawn. Average precision is then NaN.
        progress: receives the fraction done; may raise to cancel.

    Returns:
        The metrics per class and their means. At most 100 predictions per plot and class count.

    Raises:
        InputError: if an array has another length than there are crowns.

    >>> size = np.full(2, 10.0)
    >>> table = OverlapTable(np.array([0, 1]), np.array([0, 1]), np.array([9.0, 6.0]), size, size)
    >>> result = class_average_precision(table, ["oak", "ash"], ["oak", "oak"], [0.9, 0.8])
    >>> result.classes["ap50"].round(3).tolist(), round(result.means["ap50"], 3)
    ([0.0, 1.0], 0.5)
    """
    return average_precision_by_class(
        table,
        _encode_sides(table, reference, predicted),
        score,
        plots=plots,
        ignored_share=ignored_share,
        all_drawn=all_drawn,
        progress=progress,
    )


def average_precision_by_class(
    table: OverlapTable,
    encoded: EncodedClasses,
    score: ArrayLike,
    *,
    plots: tuple[ArrayLike, ArrayLike] | None = None,
    ignored_share: ArrayLike | None = None,
    all_drawn: bool = True,
    progress: Progress = no_progress,
) -> ClassAveragePrecision:
    """Return what :func:`class_average_precision` returns, for encoded classes.

    Args:
        table: overlap table of T targets and P predictions.
        encoded: numbers of the classes of both sides.
        score: (P,) scores of the predictions.
        plots: (T,) plots of the targets and (P,) of the predictions; None without plots.
        ignored_share: (P,) share of each prediction in ignored areas; None without such areas.
        all_drawn: True if all crowns of the area were drawn.
        progress: receives the fraction done.
    """
    n_predictions = len(table.prediction_size)
    scores = _read_predicted(score, n_predictions, TranslatableText("scores"))
    shares = np.zeros(n_predictions)
    if ignored_share is not None:
        shares = _read_predicted(ignored_share, n_predictions, TranslatableText("ignored shares"))
    metric_names = [*COCO_METRICS, "n_beyond_limit", "n_unscored", "n_tied"]
    rows = []
    parts = _split_table(table, encoded)
    for part, part_progress in iterate_with_progress(parts, progress):
        metrics = coco_metrics(
            part.table,
            scores[part.predicted],
            plots=_plots_of_part(plots, part),
            ignored_share=shares[part.predicted],
            all_drawn=all_drawn,
        )
        row = {"reference": len(part.reference), "predicted": len(part.predicted)}
        row |= {name: getattr(metrics, name) for name in metric_names}
        rows.append(row)
        part_progress(1.0)

    columns = ["reference", "predicted", *metric_names]
    classes = pd.DataFrame(rows, columns=columns, index=pd.Index(encoded.labels, name="class"))
    means = {name: nan_mean(classes[name].to_numpy(dtype=float)) for name in COCO_METRICS}
    reference_codes, predicted_codes = encoded.codes
    return ClassAveragePrecision(
        classes=classes,
        means=means,
        n_reference_without_class=int((reference_codes == NO_CLASS).sum()),
        n_predicted_without_class=int((predicted_codes == NO_CLASS).sum()),
    )


def _plots_of_part(
    plots: tuple[ArrayLike, ArrayLike] | None, part: ClassPart
) -> tuple[Array, Array] | None:
    """Return the plots of the crowns of a class, targets first; None without plots.

    Args:
        plots: (T,) plots of all targets and (P,) of all predictions, or None.
        part: crowns of the class.
    """
    if plots is None:
        return None
    reference_plots, predicted_plots = plots
    return (
        np.asarray(reference_plots)[part.reference],
        np.asarray(predicted_plots)[part.predicted],
    )


def _read_predicted(values: ArrayLike, n: int, what: str) -> Floats:
    """Return a number of each prediction.

    Args:
        values: (n,) numbers.
        n: number of predictions.
        what: what the numbers are, for errors.

    Raises:
        InputError: if there is not one number per prediction.
    """
    numbers = as_float_array(values, f"The list of {what}")
    if numbers.shape != (n,):
        raise InputError(
            "classes.wrong_prediction_count",
            "There are {n} predictions but {values} {what}; give one per prediction.",
            n=n,
            values=numbers.size,
            what=what,
        )
    return numbers


@validate_arguments
def class_ignored_shares(
    ignored: Crowns, ignored_class: ArrayLike, predictions: Crowns, predicted: ArrayLike
) -> Floats:
    """Compute the largest share of each prediction that lies on one ignored region of its class.

    Args:
        ignored: regions in which predictions are not judged (COCO's ``iscrowd``).
        ignored_class: class of each region; None for a region that counts for all classes.
        predictions: P predicted crowns. If both layers have plots, only regions of the same plot
            count.
        predicted: (P,) classes of the predictions.

    Returns:
        (P,) shares of the predictions' areas, 0 to 1.

    Raises:
        InputError: if there is not one class per region and prediction.

    >>> import shapely
    >>> crown = Crowns([shapely.box(8, 0, 12, 9)])
    >>> regions = Crowns([shapely.box(0, 0, 9, 9)])
    >>> shares = [class_ignored_shares(regions, [name], crown, ["oak"]) for name in ("oak", "ash")]
    >>> [float(share[0]) for share in shares]
    [0.25, 0.0]
    """
    encode_both(ignored_class, predicted, len(ignored), len(predictions))
    return ignored_shares(
        ignored.with_classes(class_values(ignored_class)),
        predictions.with_classes(class_values(predicted)),
    )
