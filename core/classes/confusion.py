"""Confusion matrix of crowns that were matched by their geometry alone."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import cast

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from randcrowns.core.arrays import Bools, Ints
from randcrowns.core.classes.values import (
    NO_CLASS_LABEL,
    NO_REFERENCE_LABEL,
    NOT_FOUND_LABEL,
    EncodedClasses,
    encode_both,
    label_classes,
)
from randcrowns.core.instances.matching import NO_MATCH, Matching
from randcrowns.core.scoring.layer import CrownScores
from randcrowns.core.status import Status
from randcrowns.core.validation import validate_arguments


@dataclass(frozen=True, eq=False)
class MatchedClasses:
    """Classes of T reference crowns and P predictions, and their matching by geometry.

    K is the number of classes. Codes are indices of classes; K stands for no class and K + 1 for
    no crown.

    Attributes:
        labels: (K,) names of the classes.
        reference: (T,) code of each reference crown.
        predicted: (P,) code of each prediction.
        predicted_at: (T,) code of the prediction of each reference crown; K + 1 if not found.
        reference_at: (P,) code of the reference crown of each prediction; K + 1 without one. It is
            K, too, if that crown counts as not found, as a missed target does.
    """

    labels: tuple[str, ...]
    reference: Ints
    predicted: Ints
    predicted_at: Ints
    reference_at: Ints

    @cached_property
    def confusion(self) -> Ints:
        """(K + 2, K + 2) numbers of crowns.

        Rows are the reference classes, no class and no reference; columns are the predicted
        classes, no class and not found. Each reference crown is counted once, in one of the first
        K + 1 rows. The last row counts the predictions without a reference crown.
        """
        n_codes = len(self.labels) + 2
        no_crown = n_codes - 1
        # The matched and the missed reference crowns, then the unmatched predictions.
        unmatched = self.predicted[self.reference_at == no_crown]
        no_references = np.full(len(unmatched), no_crown)
        reference_codes = np.append(self.reference, no_references)
        predicted_codes = np.append(self.predicted_at, unmatched)
        cells = reference_codes * n_codes + predicted_codes
        return np.bincount(cells, minlength=n_codes**2).reshape(n_codes, n_codes)

    @cached_property
    def is_judged(self) -> Bools:
        """(T,) True for matched reference crowns whose class and predicted class are known."""
        n_classes = len(self.labels)
        return (self.reference < n_classes) & (self.predicted_at < n_classes)

    def subset(self, is_reference: Bools, is_predicted: Bools) -> MatchedClasses:
        """Return some of the crowns with their matches.

        Args:
            is_reference: (T,) mask of the reference crowns.
            is_predicted: (P,) mask of the predictions.

        >>> matching = Matching(np.array([0, -1]), np.array([0]), np.zeros(2))
        >>> matched = match_classes(["oak", "ash"], ["oak"], matching)
        >>> int(matched.subset(np.array([False, True]), np.array([True])).confusion.sum())
        1
        """
        return replace(
            self,
            reference=self.reference[is_reference],
            predicted=self.predicted[is_predicted],
            predicted_at=self.predicted_at[is_reference],
            reference_at=self.reference_at[is_predicted],
        )

    def to_table(self) -> pd.DataFrame:
        """Return the confusion matrix with names; rows and columns of no class only if needed.

        >>> matching = Matching(np.array([0, 1, -1]), np.array([0, 1, -1]), np.zeros(3))
        >>> matched = match_classes(["oak", "ash", "oak"], ["oak", "oak", "ash"], matching)
        >>> matched.to_table().to_numpy().tolist()
        [[0, 1, 0], [0, 1, 1], [1, 0, 0]]
        """
        n_classes = len(self.labels)
        has_no_class = self.confusion[n_classes].any() or self.confusion[:, n_classes].any()
        names = [*label_classes(self.labels), NO_CLASS_LABEL]
        table = pd.DataFrame(
            self.confusion,
            index=pd.Index([*names, NO_REFERENCE_LABEL], name="reference"),
            columns=pd.Index([*names, NOT_FOUND_LABEL], name="predicted"),
        )
        if has_no_class:
            return cast("pd.DataFrame", table)
        shown_rows = np.arange(n_classes + 2) != n_classes
        return cast("pd.DataFrame", table.loc[shown_rows, shown_rows])


@validate_arguments
def match_classes(reference: ArrayLike, predicted: ArrayLike, matching: Matching) -> MatchedClasses:
    """Compare the classes of crowns that were matched by geometry.

    Args:
        reference: (T,) classes of the reference crowns, see
            :func:`randcrowns.core.classes.values.class_values`.
        predicted: (P,) classes of the predictions.
        matching: matching of the crowns; its classes had no part in it.

    Returns:
        The classes with the confusion matrix.

    Raises:
        InputError: if the numbers of classes and of crowns differ.

    >>> matching = Matching(np.array([0, 1, -1]), np.array([0, 1, -1]), np.zeros(3))
    >>> matched = match_classes(["oak", "ash", "oak"], ["oak", "oak", "ash"], matching)
    >>> matched.labels, matched.confusion[:2, :2].tolist()
    (('ash', 'oak'), [[0, 1], [0, 1]])
    """
    encoded = encode_both(reference, predicted, len(matching.prediction), len(matching.target))
    return match_encoded(encoded, matching)


def match_encoded(encoded: EncodedClasses, matching: Matching) -> MatchedClasses:
    """Compare classes as :func:`match_classes` does.

    Args:
        encoded: classes of the T reference crowns and of the P predictions.
        matching: matching of the crowns.
    """
    n_classes = len(encoded.labels)
    codes = [np.where(codes < 0, n_classes, codes) for codes in encoded.codes]
    # The appended code stands for NO_MATCH, which is the last index.
    predicted_at = np.append(codes[1], n_classes + 1)[matching.prediction]
    is_found = matching.prediction != NO_MATCH
    judged_reference = np.where(is_found, codes[0], n_classes)
    return MatchedClasses(
        labels=encoded.labels,
        reference=codes[0],
        predicted=codes[1],
        predicted_at=predicted_at,
        reference_at=np.append(judged_reference, n_classes + 1)[matching.target],
    )


def matching_from_scores(scores: CrownScores) -> Matching:
    """Return the matching of the tables of :func:`randcrowns.core.scoring.layer.score_crowns`.

    A missed target is not found. Targets can share a delineation, as in the summary.

    Args:
        scores: tables by target and delineation.

    >>> import shapely
    >>> from randcrowns.core.scoring.layer import score_crowns
    >>> from randcrowns.core.scoring.parameters import RandCrownsParameters
    >>> trees = [shapely.box(0, 0, 5, 5), shapely.box(9, 0, 14, 5)]
    >>> scores = score_crowns(trees, trees[:1], RandCrownsParameters(0.7, 1.2, 3))
    >>> matching_from_scores(scores).prediction.tolist()
    [0, -1]
    """
    targets = scores.targets
    delineations = scores.delineations
    row_of_target = pd.Index(targets["target_id"])
    row_of_delineation = pd.Index(delineations["delineation_id"])
    prediction = row_of_delineation.get_indexer(_ids(targets["delineation_id"]))
    target = row_of_target.get_indexer(_ids(delineations["target_id"]))
    prediction[targets["delineation_id"].isna()] = NO_MATCH
    prediction[(targets["status"] == Status.MISSED.value).to_numpy()] = NO_MATCH
    target[delineations["target_id"].isna()] = NO_MATCH
    return Matching(prediction.astype(np.int64), target.astype(np.int64), np.zeros(len(targets)))


def _ids(values: pd.Series) -> Ints:
    """Return ids (n,) as integers; the smallest integer for missing ids."""
    return values.to_numpy(dtype=np.int64, na_value=np.iinfo(np.int64).min)
