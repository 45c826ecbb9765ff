"""The choices of the methods that estimate one ground truth from several annotators: STAPLE, SIMPLE and LSML.

One declaration for making a consensus and for ranking detectors.
"""

from __future__ import annotations

from typing import Any

from randcrowns.algorithms.choice import Choice, Flag, Job, Number, OneOf, Option, Whole
from randcrowns.core.agreement.consensus import Estimation
from randcrowns.layers.words import tr

#: What each way to one ground truth of several annotators does, by its key.
CONSENSUS_HELP = {
    "any": tr("What at least one annotator marked."),
    "0.5": tr("What half of the annotators or more marked; ties are marked."),
    "0.75": tr("What three quarters of the annotators or more marked."),
    "excl-0.5": tr("What half or more of the annotators marked who are no outliers."),
    "staple": tr(
        "Estimates the truth and everybody's sensitivity and specificity together (Warfield et al. 2004)."
    ),
    "simple": tr(
        "Votes, discards those who overlap least with the outcome, votes again (Langerak et al. 2010)."
    ),
    "lsml": tr("A contour that moves to the likeliest place (Li et al. 2011); requires pixels."),
}
PRIOR = OneOf(
    "prior",
    tr("STAPLE: prior"),
    tr(
        "How much of the area STAPLE expects to be marked. It decides how much it marks, and with that which detector "
        "is best; of two annotators, it alone."
    ),
    advanced=True,
    options=(
        Option(
            "any",
            tr("Marked by any annotator"),
            tr(
                "The share of the area that any annotator marked, as Lampert et al. (2016) have it; marks more."
            ),
        ),
        Option(
            "mean",
            tr("Mean decision"),
            tr(
                "The share of the area that the annotators marked on average, as ITK has it; marks less."
            ),
        ),
        Option("number", tr("A number"), tr("Your own, below.")),
    ),
)
PRIOR_VALUE = Number(
    "prior_value",
    tr("STAPLE: prior as a number"),
    tr("Between 0 and 1; read only when the prior is 'A number'."),
    default=0.5,
    advanced=True,
    least=1e-6,
    most=1 - 1e-6,
    digits=6,
    step=0.05,
)
ASSIGN_CONSENSUS = Flag(
    "assign_consensus",
    tr("STAPLE: keep what all agree on fixed"),
    tr(
        "Places on which all agree are settled beforehand and excluded from the estimation. By default they stay in it "
        "and are not fixed, as in the source."
    ),
    advanced=True,
)
SIMPLE_RULE = OneOf(
    "simple_rule",
    tr("SIMPLE: discard annotators below"),
    tr(
        "Whom SIMPLE discards in each round. The published threshold differs between sources; ours is first."
    ),
    advanced=True,
    options=(
        Option(
            "deviation",
            tr("mean - a x SD"),
            tr(
                "Mean and standard deviation (n - 1) of the kept annotators' overlap (Dice) with the vote. Our default."
            ),
        ),
        Option(
            "share", tr("a x mean"), tr("Of the kept annotators' overlap (Dice) with the vote.")
        ),
    ),
)
SIMPLE_A = Number(
    "simple_a",
    tr("SIMPLE: factor a"),
    tr("How strictly annotators are discarded; no unit."),
    default=1.0,
    advanced=True,
    most=10.0,
    step=0.1,
)
ROUNDS = Whole(
    "rounds",
    tr("LSML: most rounds"),
    tr("LSML stops after so many rounds, 1,000 as published, or when it is stable."),
    default=1000,
    advanced=True,
    least=1,
    most=1_000_000,
    step=100,
)
CURVATURE = Number(
    "curvature",
    tr("LSML: weight of the curvature"),
    tr("How much LSML straightens its outline, without unit; 0 as published."),
    advanced=True,
    most=100.0,
    step=0.01,
)
CLIPPED = Flag(
    "clipped",
    tr("LSML: clipped to where any annotator marked"),
    tr("Clipped, our default. As published, LSML can drift to places that no annotator marked."),
    default=True,
    advanced=True,
)
#: In the order of the dialog, but for the prior, whose id differs.
ESTIMATION: tuple[Choice[Any], ...] = (
    *(PRIOR_VALUE, ASSIGN_CONSENSUS, SIMPLE_RULE, SIMPLE_A, ROUNDS, CURVATURE, CLIPPED),
)


def estimation_of(job: Job, prior: Choice[str] = PRIOR) -> Estimation:
    """How a run estimates; ``prior`` is its choice of STAPLE's."""
    return Estimation(
        prior=job[PRIOR_VALUE] if job[prior] == "number" else job[prior],
        assign_consensus=job[ASSIGN_CONSENSUS],
        a=job[SIMPLE_A],
        rule=job[SIMPLE_RULE],
        clipped=job[CLIPPED],
        rounds=job[ROUNDS],
        curvature=job[CURVATURE],
    )
