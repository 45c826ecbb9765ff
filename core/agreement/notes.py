"""Remarks on the numbers of agreement."""

from __future__ import annotations

import pandas as pd

from randcrowns.core.remarks import Remark, info


class Note:
    """Remarks to show where the number is shown."""

    ONE_ANNOTATOR = info(
        "agreement.one_annotator",
        "There is only one annotator: agreement and the comparison with a consensus require at least two.",
    )
    TWO_ANNOTATORS_BOUND = info(
        "agreement.two_annotators_bound",
        "With two annotators, Smyth's bound is half the share of the area on which they differ.",
    )
    TWO_ANNOTATORS_CONSENSUS = info(
        "agreement.two_annotators_consensus",
        "With two annotators, whatever either of them marked is in the consensus, so specificity and positive "
        "predictive value are 1 by construction.",
    )
    TWO_ANNOTATORS_PPV = info(
        "agreement.two_annotators_ppv",
        "With two annotators, whatever either of them marked is in the consensus, so positive predictive value is 1 by "
        "construction.",
    )
    TOO_FEW_FOR_OUTLIERS = info(
        "agreement.too_few_for_outliers", "Outliers and the dendrogram require at least three annotators."
    )
    OUTLIER_MEANING = info(
        "agreement.outlier_meaning",
        "An outlier differs from the others; this does not mean that the polygons are wrong.",
    )
    NOTHING_MARKED = info(
        "agreement.nothing_marked",
        "Nobody marked anything in the study area, so agreement is undefined.",
    )
    EVERYTHING_MARKED = info(
        "agreement.everything_marked",
        "Everybody marked the whole study area, so chance-corrected agreement is undefined.",
    )
    SPARSE = info(
        "agreement.sparse",
        "On average an annotator marked less than a tenth of the study area: raw agreement and Gwet's AC1 are then "
        "high whatever the annotators do. Compare them with Fleiss' kappa and the pairwise F1.",
    )
    MOSTLY_MARKED = info(
        "agreement.mostly_marked",
        "On average an annotator marked more than nine tenths of the study area: raw agreement, Gwet's AC1 and the "
        "pairwise F1 are then high whatever the annotators do. Compare them with Fleiss' kappa.",
    )
    EMPTY_ANNOTATOR = info(
        "agreement.empty_annotator",
        "At least one annotator marked nothing: the F1 with an annotator who marked something is 0, and the positive "
        "predictive value is undefined.",
    )
    EMPTY_CONSENSUS = info(
        "agreement.empty_consensus",
        "The consensus that annotators are compared with is empty: sensitivity is undefined, and Cohen's kappa is 0 or "
        "undefined.",
    )
    FULL_CONSENSUS = info(
        "agreement.full_consensus",
        "The consensus that annotators are compared with covers the whole study area: specificity is undefined, and "
        "Cohen's kappa is 0 or undefined.",
    )
    NO_STUDY_AREA = info(
        "agreement.no_study_area",
        "No study area was chosen: only what somebody marked is counted. Smyth's bound, specificity, negative "
        "predictive value and the kappas require a study area.",
    )
    REPAIRED = info("agreement.repaired", "Polygons that were not valid were repaired before the comparison.")
    BLOCK_RESAMPLING = info(
        "agreement.block_resampling",
        "Intervals come from resampling blocks of the study area: neighbouring pixels are alike, so intervals that "
        "count pixels would be far too narrow.",
    )
    BLOCK_CORRELATION = info(
        "agreement.block_correlation",
        "Intervals and p-values of the correlations count the blocks in which the number of annotators varies, not "
        "pixels: neighbouring pixels are alike, so p-values that count pixels would be far too small.",
    )
    FEW_BLOCKS = info(
        "agreement.few_blocks",
        "Fewer than ten blocks contain anything marked; intervals from so few are too narrow.",
    )
    TOO_FEW_BLOCKS = info(
        "agreement.too_few_blocks",
        "Fewer than five blocks contain anything marked, so there are no intervals; choose smaller blocks, but larger "
        "than a crown.",
    )
    FEW_DRAWS = info(
        "agreement.few_draws",
        "Numbers that are defined in fewer than 100 bootstrap samples have no interval; choose more bootstrap samples.",
    )
    STAPLE_TWO_ANNOTATORS = info(
        "agreement.staple_two_annotators",
        "With two annotators, the prior alone decides whether STAPLE keeps what both marked or what either marked.",
    )
    STAPLE_PRIOR = info("agreement.staple_prior", "The prior decides how much STAPLE marks.")
    STAPLE_SWAPPED = info(
        "agreement.staple_swapped",
        "For at least one annotator the sum of sensitivity and specificity is below 1: STAPLE takes these polygons for "
        "the opposite of the truth.",
    )
    STAPLE_NOTHING_SHARED = info(
        "agreement.staple_nothing_shared",
        "No two annotators marked the same place: STAPLE cannot distinguish good annotators, and its result depends on "
        "its start.",
    )
    NOT_CONVERGED = info(
        "agreement.not_converged", "The estimation did not converge within the largest number of rounds."
    )
    STAPLE_NOTHING_TO_ESTIMATE = info(
        "agreement.staple_nothing_to_estimate",
        "Nothing or everything is marked, so STAPLE has nothing to estimate: the probability is the share of "
        "annotators who marked a place.",
    )
    SIMPLE_TWO_ANNOTATORS = info(
        "agreement.simple_two_annotators",
        "With two annotators SIMPLE ends with the polygons of one of them, those of the larger area unless they tie; "
        "which of the two is right cannot be estimated.",
    )
    SIMPLE_RULE = info(
        "agreement.simple_rule",
        "The published threshold for discarding annotators differs between sources; mean minus one standard "
        "deviation of the kept annotators' overlap is our default.",
    )
    LEVEL_SET_DRIFT = info(
        "agreement.level_set_drift",
        "The published method can mark places that no annotator marked; the clipped one cannot.",
    )
    LEVEL_SET_START = info(
        "agreement.level_set_start",
        "The result depends on where the contour starts, here at what half of the annotators marked.",
    )
    LEVEL_SET_NOTHING_TO_MOVE = info(
        "agreement.level_set_nothing_to_move",
        "Half of the annotators agree on nothing or on everything, so there is no contour to move: the result is "
        "what half of the annotators marked.",
    )
    LEVEL_SET_STOPPED = info(
        "agreement.level_set_stopped",
        "The contour vanished or became undefined; the last defined one is shown.",
    )


def consensus_notes(statistics: pd.DataFrame, left_one_out: bool = False) -> tuple[Remark, ...]:
    """Remarks on annotators compared with their consensus, and why a number is missing.

    Args:
        statistics: of :func:`randcrowns.core.agreement.measures.annotator_statistics`.
        left_one_out: whether each was compared with a consensus without their own polygons.
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
