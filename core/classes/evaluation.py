"""Evaluation of the classes of matched crowns, as the plugin and the command report it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple, cast

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from randcrowns.core.arrays import Bools, Ints, Objects
from randcrowns.core.classes.confusion import MatchedClasses, match_encoded
from randcrowns.core.classes.metrics import classification_report, overall_metrics
from randcrowns.core.classes.values import EncodedClasses, encode_both
from randcrowns.core.classes.within import (
    average_precision_by_class,
    class_table,
    pairs_of_one_class,
)
from randcrowns.core.instances.matching import Matching, match_one_to_one
from randcrowns.core.instances.matching_inputs import MatchingInputs
from randcrowns.core.instances.overlap import OverlapTable
from randcrowns.core.messages import Message, TranslatableText, info, note
from randcrowns.core.status import TextEnum

#: Columns of the table of classes that count unmatched predictions as errors.
_FALSE_POSITIVE_COLUMNS = (
    "user_accuracy",
    "user_accuracy_low",
    "user_accuracy_high",
    "f1",
    "fp",
    "precision",
    "pq",
    "rq",
    "ap",
    "ap50",
    "ap75",
)
#: Columns of average precision in the table of classes.
AVERAGE_PRECISION = ("ap", "ap50", "ap75")


class ClassResult(TextEnum):
    """Result of the comparison of the classes of a crown and its match."""

    #: Both have the same class.
    RIGHT = "right"
    #: They have different classes.
    WRONG = "wrong"
    #: They match, but one of them has no class.
    NO_CLASS = "no class"
    #: The reference crown has no match.
    NOT_FOUND = "not found"
    #: The prediction has no match.
    NO_REFERENCE = "no reference"
    #: The prediction has no match, and may be right, because only some crowns were drawn.
    NOT_JUDGED = "not judged"


@dataclass(frozen=True)
class ClassInputs:
    """Matched crowns whose classes are compared: T reference crowns and P predictions.

    Attributes:
        reference: (T,) classes of the reference crowns, None without one.
        predicted: (P,) classes of the predictions, None without one.
        matching: matching of the crowns.
        reference_plots: (T,) plots of the reference crowns, or None.
        predicted_plots: (P,) plots of the predictions, or None.
        scores: (T,) scores of the reference crowns by name; NaN without a score.
        uncertain: (P,) mask of predictions that do not count if they are unmatched, or None.
        unscorable: (T,) mask of reference crowns that do not count, such as targets that are too
            small for a score, or None. A prediction that is matched with one does not count either.
        all_drawn: False if only some of the crowns were drawn as reference crowns. Numbers that
            count unmatched predictions as errors are NaN then.
    """

    reference: Objects
    predicted: Objects
    matching: Matching
    reference_plots: ArrayLike | None = None
    predicted_plots: ArrayLike | None = None
    scores: Mapping[str, ArrayLike] = field(default_factory=dict)
    uncertain: Bools | None = None
    unscorable: Bools | None = None
    all_drawn: bool = True

    @cached_property
    def encoded(self) -> EncodedClasses:
        """Classes of both sides as numbers.

        Raises:
            InputError: if there is not one class per crown.
        """
        matching = self.matching
        sizes = (len(matching.prediction), len(matching.target))
        return encode_both(self.reference, self.predicted, *sizes)


class ClassEvaluation(NamedTuple):
    """Comparison of classes, in tables.

    Attributes:
        cells: a row per cell of the confusion matrix with a crown, and per class with itself:
            ``reference`` and ``predicted`` (class; None for no class or no crown), ``kind`` (a
            :class:`ClassResult`) and ``crowns``.
        classes: a row per class: ``class`` and the columns of
            :func:`randcrowns.core.classes.metrics.classification_report`.
        summary: a row per overall metric: ``metric``, ``value``, ``low``, ``high``, ``reason``.
        targets: a row per reference crown: ``crown_class``, ``matched_class``, ``class_result``;
            the result of a crown that does not count is None.
        predictions: a row per prediction, with the same columns.
        messages: notes about average precision within classes.
    """

    cells: pd.DataFrame
    classes: pd.DataFrame
    summary: pd.DataFrame
    targets: pd.DataFrame
    predictions: pd.DataFrame
    messages: tuple[Message, ...] = ()

    @property
    def n_judged(self) -> int:
        """Number of matched reference crowns whose classes are both known."""
        is_judged = self.cells["kind"].isin([ClassResult.RIGHT.value, ClassResult.WRONG.value])
        return int(self.cells.loc[is_judged, "crowns"].sum())

    @property
    def n_right(self) -> int:
        """Number of matched reference crowns whose prediction has their class."""
        is_right = self.cells["kind"] == ClassResult.RIGHT.value
        return int(self.cells.loc[is_right, "crowns"].sum())


def evaluate_classes(inputs: ClassInputs) -> ClassEvaluation:
    """Compare the classes of matched crowns.

    Args:
        inputs: matched crowns with their classes, plots and scores.

    Raises:
        InputError: if there is not one class per crown.

    >>> matching = Matching(np.array([0, 1, -1]), np.array([0, 1, -1]), np.zeros(3))
    >>> reference = np.array(["oak", "ash", "oak"], dtype=object)
    >>> predicted = np.array(["oak", "oak", "ash"], dtype=object)
    >>> evaluation = evaluate_classes(ClassInputs(reference, predicted, matching))
    >>> evaluation.targets["class_result"].tolist()
    ['right', 'wrong', 'not found']
    >>> evaluation.n_right, evaluation.n_judged
    (1, 2)
    """
    matched = match_encoded(inputs.encoded, inputs.matching)
    is_counted = _counted_crowns(matched, inputs)
    counted = matched.subset(is_counted.reference, is_counted.predicted)
    reference_plots = _select(inputs.reference_plots, is_counted.reference)
    predicted_plots = _select(inputs.predicted_plots, is_counted.predicted)
    scores = {}
    for name, values in inputs.scores.items():
        scores[name] = np.asarray(values)[is_counted.reference]
    report = classification_report(counted, (reference_plots, predicted_plots), scores)
    classes = report.reset_index()
    cells = confusion_cells(counted)
    if not inputs.all_drawn:
        classes = without_false_positives(classes)
        cells["kind"] = _mark_not_judged(cells["kind"])
    targets, predictions = _columns_of_both(matched, is_counted, inputs)
    return ClassEvaluation(
        cells=cells,
        classes=classes,
        summary=overall_metrics(counted, reference_plots).reset_index(),
        targets=targets,
        predictions=predictions,
    )


def class_columns(inputs: ClassInputs) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the columns of classes of the reference crowns and of the predictions.

    Args:
        inputs: matched crowns with their classes.

    Returns:
        The tables ``targets`` and ``predictions`` of :class:`ClassEvaluation`.

    >>> sides = np.array(["oak"], dtype=object), np.array(["ash"], dtype=object)
    >>> matching = Matching(np.array([0]), np.array([0]), np.zeros(1))
    >>> class_columns(ClassInputs(*sides, matching))[0].to_numpy().tolist()
    [['oak', 'ash', 'wrong']]
    """
    matched = match_encoded(inputs.encoded, inputs.matching)
    return _columns_of_both(matched, _counted_crowns(matched, inputs), inputs)


def _columns_of_both(
    matched: MatchedClasses, is_counted: _CountedCrowns, inputs: ClassInputs
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the columns of :func:`class_columns` of matched classes."""
    labels = matched.labels
    targets = _crown_columns(labels, matched.reference, matched.predicted_at, is_reference=True)
    predictions = _crown_columns(
        labels, matched.predicted, matched.reference_at, is_reference=False
    )
    if not inputs.all_drawn:
        predictions["class_result"] = _mark_not_judged(predictions["class_result"])
    # Without crowns to leave out, the column keeps its type.
    if not is_counted.reference.all():
        targets.loc[~is_counted.reference, "class_result"] = None
    if not is_counted.predicted.all():
        predictions.loc[~is_counted.predicted, "class_result"] = None
    return targets, predictions


def _mark_not_judged(results: pd.Series) -> pd.Series:
    """Return results of comparing classes; unmatched predictions are not judged instead of false.

    Args:
        results: (n,) values of :class:`ClassResult`.
    """
    new_values = {ClassResult.NO_REFERENCE.value: ClassResult.NOT_JUDGED.value}
    return cast("pd.Series", results.replace(new_values))


class _CountedCrowns(NamedTuple):
    """Crowns that the numbers of classes count."""

    reference: Bools  #: (T,) mask of the reference crowns.
    predicted: Bools  #: (P,) mask of the predictions.


def _counted_crowns(matched: MatchedClasses, inputs: ClassInputs) -> _CountedCrowns:
    """Return which crowns the summary counts, too."""
    no_crown = len(matched.labels) + 1
    is_reference = np.ones(len(matched.reference), dtype=bool)
    is_predicted = np.ones(len(matched.predicted), dtype=bool)
    if inputs.uncertain is not None:
        is_predicted &= ~(inputs.uncertain & (matched.reference_at == no_crown))
    if inputs.unscorable is not None:
        is_reference &= ~inputs.unscorable
        # The appended value stands for NO_MATCH, which is the last index.
        is_predicted &= np.append(is_reference, True)[inputs.matching.target]
    return _CountedCrowns(is_reference, is_predicted)


def _select(plots: ArrayLike | None, is_selected: Bools) -> Objects | None:
    """Return the plots of some crowns; None without plots."""
    if plots is None:
        return None
    selected: Objects = np.asarray(plots, dtype=object)[is_selected]
    return selected


def without_false_positives(classes: pd.DataFrame) -> pd.DataFrame:
    """Return the table of classes without the numbers that count unmatched predictions as errors.

    They are NaN, because an unmatched prediction may be right if only some crowns were drawn.

    >>> without_false_positives(pd.DataFrame({"class": ["oak"], "f1": [0.5]}))["f1"].tolist()
    [nan]
    """
    undefined_columns = [name for name in _FALSE_POSITIVE_COLUMNS if name in classes]
    new_values = dict.fromkeys(undefined_columns, np.nan)
    return cast("pd.DataFrame", classes.assign(**new_values))


def confusion_cells(matched: MatchedClasses) -> pd.DataFrame:
    """Return the cells of a confusion matrix as rows.

    Args:
        matched: matched crowns with their classes.

    Returns:
        The rows of :attr:`ClassEvaluation.cells`, by reference class, then by predicted class. The
        sum of ``crowns`` is the number of reference crowns and of unmatched predictions.

    >>> from randcrowns.core.classes.confusion import match_classes
    >>> matching = Matching(np.array([0]), np.array([0, -1]), np.zeros(1))
    >>> matched = match_classes(["oak"], ["ash", None], matching)
    >>> confusion_cells(matched)[["kind", "crowns"]].to_numpy().tolist()
    [['right', 0], ['wrong', 1], ['right', 0], ['no reference', 1]]
    """
    matrix = matched.confusion
    n_classes = len(matched.labels)
    is_listed = matrix > 0
    diagonal = np.arange(n_classes)
    is_listed[diagonal, diagonal] = True
    reference_codes, predicted_codes = np.nonzero(is_listed)
    # The last two codes are no class and no crown.
    name_of_code = np.array([*matched.labels, None, None], dtype=object)
    cells: pd.DataFrame = pd.DataFrame(
        {
            "reference": name_of_code[reference_codes],
            "predicted": name_of_code[predicted_codes],
            "kind": _result_names(reference_codes, predicted_codes, n_classes),
            "crowns": matrix[reference_codes, predicted_codes],
        }
    )
    return cells


def _result_names(reference: Ints, predicted: Ints, n_classes: int) -> Objects:
    """Return the result (n,) of comparing codes of classes, see :class:`MatchedClasses`.

    Args:
        reference: (n,) codes of the reference crowns.
        predicted: (n,) codes of the predictions.
        n_classes: number of classes K; K is the code of no class, K + 1 that of no crown.
    """
    results = np.full((n_classes + 2, n_classes + 2), ClassResult.WRONG.value, dtype=object)
    np.fill_diagonal(results, ClassResult.RIGHT.value)
    results[n_classes] = results[:, n_classes] = ClassResult.NO_CLASS.value
    results[:, n_classes + 1] = ClassResult.NOT_FOUND.value
    results[n_classes + 1] = ClassResult.NO_REFERENCE.value
    return cast("Objects", results[reference, predicted])


def _crown_columns(
    labels: tuple[str, ...], class_numbers: Ints, matched_numbers: Ints, *, is_reference: bool
) -> pd.DataFrame:
    """Return class, matched class and result of each crown of one side.

    Args:
        labels: (K,) names of the classes.
        class_numbers: (n,) codes of the crowns.
        matched_numbers: (n,) codes of their matches.
        is_reference: True for reference crowns, False for predictions.
    """
    if is_reference:
        results = _result_names(class_numbers, matched_numbers, len(labels))
    else:
        results = _result_names(matched_numbers, class_numbers, len(labels))
    # The last two codes are no class and no crown.
    name_of_code = np.array([*labels, None, None], dtype=object)
    columns: pd.DataFrame = pd.DataFrame(
        {
            "crown_class": name_of_code[class_numbers],
            "matched_class": name_of_code[matched_numbers],
            "class_result": results,
        }
    )
    return columns


@dataclass(frozen=True)
class WithinInputs:
    """Crowns whose average precision and counts are computed class by class.

    Attributes:
        table: overlap table of T reference crowns and P predictions.
        method: name of the matching method.
        matching_inputs: measures that some methods require.
        score: (P,) scores of the predictions; None without scores.
        plots: plot numbers of the reference crowns and of the predictions, or None.
        ignored_share: (P,) share of each prediction on an area to ignore, or None.
    """

    table: OverlapTable
    method: str
    matching_inputs: MatchingInputs | None = None
    score: ArrayLike | None = None
    plots: tuple[ArrayLike, ArrayLike] | None = None
    ignored_share: ArrayLike | None = None


def add_within_classes(
    evaluation: ClassEvaluation, inputs: ClassInputs, within: WithinInputs
) -> ClassEvaluation:
    """Add the numbers of a matching within classes, as COCO's, to the tables.

    Args:
        evaluation: comparison of classes.
        inputs: classes of the crowns.
        within: overlap table and scores of the crowns.

    Returns:
        The comparison with the additional columns ``tp``, ``fp``, ``fn``, ``precision``,
        ``recall``, ``pq``, ``sq``, ``rq`` and :data:`AVERAGE_PRECISION` in the table of classes,
        and with the mean average precisions ``map``, ``map50`` and ``map75`` in the summary.
    """
    encoded = inputs.encoded
    class_pairs = pairs_of_one_class(within.table, encoded)
    matching = match_one_to_one(class_pairs, within.method, within.matching_inputs)
    counts = class_table(class_pairs, encoded, matching, inputs.uncertain)
    counts = counts.drop(columns=["reference", "predicted", "f1"])
    precision = _average_precision(class_pairs, encoded, within, all_drawn=inputs.all_drawn)

    classes = evaluation.classes.join(counts.join(precision.classes), on="class")
    if not inputs.all_drawn:
        classes = without_false_positives(classes)
    means = []
    for name, value in precision.means.items():
        reason = precision.undefined_reason if np.isnan(value) else ""
        means.append({"metric": f"m{name}", "value": value, "reason": reason})
    summary = pd.concat([evaluation.summary, pd.DataFrame(means)], ignore_index=True)
    return evaluation._replace(classes=classes, summary=summary, messages=precision.messages)


class _WithinPrecision(NamedTuple):
    """Average precision within classes."""

    classes: pd.DataFrame  #: a row per class (index ``class``) with :data:`AVERAGE_PRECISION`.
    means: dict[str, float]  #: mean of each column over the classes.
    undefined_reason: str  #: reason for each mean that is NaN.
    messages: tuple[Message, ...]  #: messages about equal scores.


def _average_precision(
    class_pairs: OverlapTable, encoded: EncodedClasses, within: WithinInputs, *, all_drawn: bool
) -> _WithinPrecision:
    """Compute average precision within classes; NaN without scores.

    Args:
        class_pairs: overlap table with the pairs of equal classes only.
        encoded: numbers of the classes of both sides.
        within: scores and plots of the crowns.
        all_drawn: False if only some of the crowns were drawn as reference crowns.
    """
    columns = list(AVERAGE_PRECISION)
    if within.score is None:
        index = pd.Index(encoded.labels, name="class")
        return _WithinPrecision(
            classes=pd.DataFrame(np.nan, index=index, columns=columns),
            means=dict.fromkeys(columns, np.nan),
            undefined_reason=TranslatableText("the predictions have no scores"),
            messages=(),
        )
    result = average_precision_by_class(
        class_pairs,
        encoded,
        within.score,
        plots=within.plots,
        ignored_share=within.ignored_share,
        all_drawn=all_drawn,
    )
    return _WithinPrecision(
        classes=result.classes[columns],
        means={name: result.means[name] for name in columns},
        undefined_reason=_undefined_precision_reason(all_drawn),
        messages=_tie_messages(int(result.classes["n_tied"].sum())),
    )


def _tie_messages(n_tied: int) -> tuple[Message, ...]:
    """Return a message about predictions whose order changes average precision; none for 0."""
    if not n_tied:
        return ()
    return (
        note(
            "classes.ap_tied",
            "{count:,} predictions share their score with others of their class, and their order "
            "changes AP per class. They count by plot, then from west to east.",
            count=n_tied,
        ),
    )


def _undefined_precision_reason(all_drawn: bool) -> str:
    """Return the reason why the mean average precision may be NaN."""
    if not all_drawn:
        return TranslatableText("only some crowns were drawn")
    return TranslatableText("no class has a target")


def class_conclusion(evaluation: ClassEvaluation, layer: str) -> Message:
    """Return a message with the number of right classes and the largest confusion.

    Args:
        evaluation: comparison of classes.
        layer: name of the layer with the predictions.

    >>> matching = Matching(np.array([0, 1]), np.array([0, 1]), np.zeros(2))
    >>> sides = (np.array(["oak", "ash"], object), np.array(["oak", "oak"], object))
    >>> print(class_conclusion(evaluate_classes(ClassInputs(*sides, matching)), "found"))
    found: the class of 1 of 2 matched crowns is right. Most often confused: ash taken as oak (1).
    """
    wrong = evaluation.cells[evaluation.cells["kind"] == ClassResult.WRONG.value]
    if not len(wrong):
        return info(
            "classes.none_confused",
            "{layer}: the class of {right:,} of {judged:,} matched crowns is right.",
            layer=layer,
            right=evaluation.n_right,
            judged=evaluation.n_judged,
        )
    largest = wrong.loc[wrong["crowns"].idxmax()]
    return info(
        "classes.confused",
        "{layer}: the class of {right:,} of {judged:,} matched crowns is right. Most often "
        "confused: {reference} taken as {predicted} ({count:,}).",
        layer=layer,
        right=evaluation.n_right,
        judged=evaluation.n_judged,
        reference=largest["reference"],
        predicted=largest["predicted"],
        count=int(largest["crowns"]),
    )
