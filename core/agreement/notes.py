"""What a reader must know beside a number of agreement."""

from __future__ import annotations

import pandas as pd

from randcrowns.core.remarks import Remark, info


class Note:
    """Remarks to show where the number is shown."""

    ONE_ANNOTATOR = info(
        "agreement.one_annotator",
        "There is only one annotator, so neither agreement nor how one compares with a consensus can be computed; at "
        "least two are needed.",
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
        "agreement.too_few_for_outliers", "Outliers and the dendrogram need at least three annotators."
    )
    OUTLIER_MEANING = info(
        "agreement.outlier_meaning", "An outlier is unlike the others; that does not mean that the drawing is wrong."
    )
    NOTHING_MARKED = info(
        "agreement.nothing_marked",
        "Nobody marked anything in the study area, so agreement on what to mark cannot be computed.",
    )
    EVERYTHING_MARKED = info(
        "agreement.everything_marked",
        "Everybody marked the whole study area, so chance-corrected agreement cannot be computed.",
    )
    SPARSE = info(
        "agreement.sparse",
        "On average an annotator marked less than a tenth of the area that counts: raw agreement and Gwet's AC1 are "
        "high then whatever the annotators do. Read them beside Fleiss' kappa and the pairwise F1.",
    )
    MOSTLY_MARKED = info(
        "agreement.mostly_marked",
        "On average an annotator marked more than nine tenths of the area that counts: raw agreement, Gwet's AC1 and "
        "the pairwise F1 are high then whatever the annotators do. Read them beside Fleiss' kappa.",
    )
    EMPTY_ANNOTATOR = info(
        "agreement.empty_annotator",
        "At least one annotator marked nothing: the F1 with anybody who marked something is 0, and the positive "
        "predictive value cannot be computed.",
    )
    EMPTY_CONSENSUS = info(
        "agreement.empty_consensus",
        "The consensus the annotators are held against is empty: sensitivity has nothing to be a share of, and Cohen's "
        "kappa is 0 or cannot be computed.",
    )
    FULL_CONSENSUS = info(
        "agreement.full_consensus",
        "The consensus the annotators are held against covers all that counts: specificity has nothing to be a share "
        "of, and Cohen's kappa is 0 or cannot be computed.",
    )
    NO_STUDY_AREA = info(
        "agreement.no_study_area",
        "No study area was given: only what somebody marked is counted. Choose a study area for Smyth's bound, "
        "specificity, negative predictive value and the kappas to mean what they say.",
    )
    REPAIRED = info("agreement.repaired", "Polygons that were not valid were repaired before the comparison.")
    BLOCK_RESAMPLING = info(
        "agreement.block_resampling",
        "Intervals and significance come from resampling whole blocks of the area; neighbouring pixels are alike, "
        "so p-values that count pixels would mean nothing.",
    )
    BLOCK_CORRELATION = info(
        "agreement.block_correlation",
        "Intervals and p-values of the correlations count the blocks in which the number of annotators varies, not "
        "pixels: neighbouring pixels are alike, so p-values that count them would mean nothing.",
    )
    FEW_BLOCKS = info(
        "agreement.few_blocks",
        "Fewer than ten blocks hold anything that was marked; intervals from so few are too narrow.",
    )
    TOO_FEW_BLOCKS = info(
        "agreement.too_few_blocks",
        "Fewer than five blocks hold anything that was marked, so there are no intervals; choose smaller blocks, but "
        "larger than what was drawn.",
    )
    FEW_DRAWS = info(
        "agreement.few_draws",
        "Numbers that fewer than 100 draws of the blocks gave a value have no interval; draw the blocks more often.",
    )
    STAPLE_TWO_ANNOTATORS = info(
        "agreement.staple_two_annotators",
        "With two annotators, the prior alone decides whether STAPLE keeps what both marked or what either marked.",
    )
    STAPLE_PRIOR = info(
        "agreement.staple_prior", "The prior decides how much STAPLE marks; see how the marked area changes with it."
    )
    STAPLE_SWAPPED = info(
        "agreement.staple_swapped",
        "For at least one annotator sensitivity and specificity add up to less than 1: STAPLE reads this drawing "
        "as the opposite of the truth.",
    )
    STAPLE_NOTHING_SHARED = info(
        "agreement.staple_nothing_shared",
        "No two annotators marked the same place: STAPLE has nothing to tell good annotators by, and what it marks "
        "hangs on its start.",
    )
    NOT_CONVERGED = info(
        "agreement.not_converged", "The estimation was still changing when the largest number of rounds was reached."
    )
    STAPLE_NOTHING_TO_ESTIMATE = info(
        "agreement.staple_nothing_to_estimate",
        "Nothing or everything is marked, so there is nothing to estimate: the probability is the share of "
        "annotators who marked it.",
    )
    SIMPLE_TWO_ANNOTATORS = info(
        "agreement.simple_two_annotators",
        "With two annotators SIMPLE ends with the drawing of one of them alone, the larger one unless they tie: "
        "nothing tells which of the two is right.",
    )
    SIMPLE_RULE = info(
        "agreement.simple_rule",
        "The published threshold for discarding annotators differs between sources; mean minus one standard "
        "deviation of the kept annotators' overlap is our choice.",
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
        "The contour vanished or could not be computed any further; the last usable one is shown.",
    )


def consensus_notes(statistics: pd.DataFrame, left_one_out: bool = False) -> tuple[Remark, ...]:
    """What to tell the reader of annotators beside their consensus, and why a number is missing.

    Args:
        statistics: of :func:`randcrowns.core.agreement.measures.annotator_statistics`.
        left_one_out: whether each was held against a consensus without their own drawing.
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
