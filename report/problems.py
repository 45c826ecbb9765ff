"""Labels and colours of the problems of crowns."""

from __future__ import annotations

from randcrowns.core.review.problems import Problem, ProblemLimits
from randcrowns.report.language import tr
from randcrowns.report.words import false_detection

#: Colours of problems, distinguishable with any colour vision (Okabe and Ito).
PROBLEM_COLOURS = {
    Problem.MISSING: "#d55e00",
    Problem.EXTRA: "#d55e00",
    Problem.NOT_JUDGED: "#555555",
    Problem.MERGED: "#cc79a7",
    Problem.SPLIT: "#e69f00",
    Problem.SHIFTED: "#0072b2",
    Problem.TOO_LARGE: "#f0e442",
    Problem.TOO_SMALL: "#56b4e9",
    Problem.LOW_OVERLAP: "#000000",
    Problem.NONE: "#009e73",
}


def problem_label(problem: Problem) -> str:
    """Return the label of a problem in the language in use.

    >>> problem_label(Problem.TOO_LARGE)
    'too large'
    """
    labels = {
        Problem.MISSING: tr("no delineation"),
        Problem.EXTRA: false_detection().one,
        Problem.NOT_JUDGED: tr("not judged"),
        Problem.MERGED: tr("merged"),
        Problem.SPLIT: tr("split"),
        Problem.SHIFTED: tr("shifted"),
        Problem.TOO_LARGE: tr("too large"),
        Problem.TOO_SMALL: tr("too small"),
        Problem.LOW_OVERLAP: tr("low overlap"),
        Problem.NONE: tr("no problem"),
    }
    return labels[problem]


def problem_meanings(limits: ProblemLimits) -> dict[Problem, str]:
    """Return a definition of each problem of a target in the language in use.

    Args:
        limits: limits of the run.

    >>> problem_meanings(ProblemLimits())[Problem.SPLIT]
    'Split: several delineations lie side by side in the target.'
    """
    return {
        Problem.MISSING: tr(
            "No delineation: the certain part of the target is reached by no delineation. A target "
            "that was not detected can have another problem, such as 'merged': a delineation "
            "reaches it, but is the pair of another target, or of none."
        ),
        Problem.MERGED: tr(
            "Merged: the delineation covers another target, too, which has no other delineation."
        ),
        Problem.SPLIT: tr("Split: several delineations lie side by side in the target."),
        Problem.SHIFTED: tr(
            "Shifted: the delineation has about the size of the target, at another position."
        ),
        Problem.TOO_LARGE: tr(
            "Too large: the area of the delineation is more than {limit:g} times the target's, "
            "even if the score is 1: it allows for a tolerance. A box is larger by nature than the "
            "crown that it encloses, 1.3 times for a round one and more for others, so a good box "
            "can be too large.",
            limit=limits.larger,
        ),
        Problem.TOO_SMALL: tr(
            "Too small: the area of the delineation is less than {limit:g} times the target's.",
            limit=limits.smaller,
        ),
        Problem.LOW_OVERLAP: tr(
            "Low overlap: the score or the IoU is low for none of the other reasons."
        ),
    }
