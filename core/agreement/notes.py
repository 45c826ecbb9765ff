"""Remarks on the numbers of agreement."""

from __future__ import annotations

import pandas as pd

from randcrowns.core.remarks import Remark, info, note


class _Said:
    def __init__(self, text: str, odd: bool) -> None:
        self._text = text
        self._odd = odd

    def __set_name__(self, owner: type, name: str) -> None:
        key = f"agreement.{name.lower()}"
        setattr(owner, name, note(key, self._text) if self._odd else info(key, self._text))


def _said(text: str, odd: bool = False) -> Remark:
    """A remark whose key ends with the name of the attribute that it becomes."""
    return _Said(text, odd)  # type: ignore[return-value]


class Note:
    """Remarks to show where the number is shown; the key of ``Note.SPARSE`` is ``agreement.sparse``."""

    ONE_ANNOTATOR = _said(
        "There is only one annotator: agreement and the comparison with a consensus require at least two."
    )
    TWO_ANNOTATORS_BOUND = _said(
        "With two annotators, Smyth's bound is half the share of the area on which they differ."
    )
    TWO_ANNOTATORS_CONSENSUS = _said(
        "With two annotators, whatever either of them marked is in the consensus, so specificity and positive "
        "predictive value are 1 by construction."
    )
    TWO_ANNOTATORS_PPV = _said(
        "With two annotators, whatever either of them marked is in the consensus, so positive predictive value is 1 "
        "by construction."
    )
    TOO_FEW_FOR_OUTLIERS = _said("Outliers and the dendrogram require at least three annotators.")
    OUTLIER_MEANING = _said(
        "An outlier differs from the others; this does not mean that the drawings are wrong."
    )
    NOTHING_MARKED = _said("Nobody marked anything in the study area, so agreement is undefined.")
    EVERYTHING_MARKED = _said(
        "Everybody marked the whole study area, so chance-corrected agreement is undefined."
    )
    SPARSE = _said(
        "On average an annotator marked less than a tenth of the study area: raw agreement and Gwet's AC1 are then "
        "high whatever the annotators do. Compare them with Fleiss' kappa and the pairwise F1."
    )
    MOSTLY_MARKED = _said(
        "On average an annotator marked more than nine tenths of the study area: raw agreement, Gwet's AC1 and the "
        "pairwise F1 are then high whatever the annotators do. Compare them with Fleiss' kappa."
    )
    EMPTY_ANNOTATOR = _said(
        "At least one annotator marked nothing: the F1 with an annotator who marked something is 0, and the positive "
        "predictive value is undefined."
    )
    EMPTY_CONSENSUS = _said(
        "The consensus that annotators are compared with is empty: sensitivity is undefined, and Cohen's kappa is 0 "
        "or undefined."
    )
    FULL_CONSENSUS = _said(
        "The consensus that annotators are compared with covers the whole study area: specificity is undefined, and "
        "Cohen's kappa is 0 or undefined."
    )
    NO_STUDY_AREA = _said(
        "No study area was chosen, so only what somebody marked is counted. Choose a study area: Smyth's bound, "
        "specificity, negative predictive value and the kappas mean little without one.",
        odd=True,
    )
    REPAIRED = _said("Polygons that were not valid were repaired before the comparison.")
    BLOCK_RESAMPLING = _said(
        "Intervals come from resampling blocks of the study area: neighbouring pixels are alike, so intervals that "
        "count pixels would be far too narrow."
    )
    BLOCK_CORRELATION = _said(
        "Intervals and p-values of the correlations count the blocks in which the number of annotators varies, not "
        "pixels: neighbouring pixels are alike, so p-values that count pixels would be far too small."
    )
    TOO_FEW_BLOCKS = _said(
        "Fewer than ten blocks contain anything marked, so there are no intervals; choose smaller blocks, but larger "
        "than a crown."
    )
    FEW_DRAWS = _said(
        "Numbers that are defined in fewer than 100 bootstrap samples have no interval; choose more bootstrap samples."
    )
    STAPLE_TWO_ANNOTATORS = _said(
        "With two annotators, the prior alone decides whether STAPLE keeps what both marked or what either marked."
    )
    STAPLE_PRIOR = _said("The prior decides how much STAPLE marks.")
    STAPLE_SWAPPED = _said(
        "For at least one annotator the sum of sensitivity and specificity is below 1: STAPLE takes these polygons "
        "for the opposite of the truth."
    )
    STAPLE_NOTHING_SHARED = _said(
        "No two annotators marked the same place: STAPLE cannot distinguish good annotators, and its result depends "
        "on its start."
    )
    NOT_CONVERGED = _said("The estimation did not converge within the largest number of rounds.")
    STAPLE_NOTHING_TO_ESTIMATE = _said(
        "Nothing or everything is marked, so STAPLE has nothing to estimate: the probability is the share of "
        "annotators who marked a place."
    )
    SIMPLE_TWO_ANNOTATORS = _said(
        "With two annotators SIMPLE ends with the polygons of one of them, those of the larger area unless they tie; "
        "which of the two is right cannot be estimated."
    )
    SIMPLE_RULE = _said(
        "The published threshold for discarding annotators differs between sources; mean minus one standard deviation "
        "of the kept annotators' overlap is our default."
    )
    LEVEL_SET_DRIFT = _said(
        "The published method can mark places that no annotator marked; the clipped one cannot."
    )
    LEVEL_SET_START = _said(
        "The result depends on where the contour starts, here at what half of the annotators marked."
    )
    LEVEL_SET_NOTHING_TO_MOVE = _said(
        "Half of the annotators agree on nothing or on everything, so there is no contour to move: the result is what "
        "half of the annotators marked."
    )
    LEVEL_SET_STOPPED = _said(
        "The contour vanished or became undefined; the last defined one is shown."
    )


def consensus_notes(statistics: pd.DataFrame, left_one_out: bool = False) -> tuple[Remark, ...]:
    """Remarks on the annotators' statistics beside their consensus, and why a number is missing.

    ``left_one_out``: each was compared with a consensus without their own polygons.
    """
    if len(statistics) == 1:
        return ()
    known = statistics.notna().any()
    two = len(statistics) == 2 and not left_one_out and bool(known["ppv"])
    applies = {
        Note.TWO_ANNOTATORS_CONSENSUS: two and bool(known["specificity"]),
        Note.TWO_ANNOTATORS_PPV: two and not known["specificity"],
        Note.EMPTY_CONSENSUS: bool(statistics["sensitivity"].isna().any()),
        Note.FULL_CONSENSUS: bool(statistics["specificity"].isna().any()),
    }
    return tuple(note for note, applying in applies.items() if applying)
