"""Parameters of methods that make one ground truth of several annotators.

The algorithms that make a consensus and that rank detectors share them.
"""

from __future__ import annotations

from typing import Any

import pandas as pd

from randcrowns.algorithms.layer_parameters import FileParameter
from randcrowns.algorithms.parameter_types import (
    BooleanParameter,
    FloatParameter,
    IntegerParameter,
    Option,
    OptionParameter,
    Parameter,
    RunParameters,
    RunSettings,
)
from randcrowns.core.agreement.consensus import EstimationOptions
from randcrowns.core.agreement.cooke import missing_answers_error
from randcrowns.layers.localization import tr

#: Description of each consensus method, by its key.
CONSENSUS_HELP = {
    "any": tr("Everything that at least one annotator marked."),
    "0.5": tr("Everything that at least half of the annotators marked; ties are marked."),
    "0.75": tr("Everything that at least three quarters of the annotators marked."),
    "excl-0.5": tr(
        "Everything that at least half of the annotators marked; outliers among the annotators "
        "are excluded."
    ),
    "staple": tr(
        "Estimates the truth together with the sensitivity and specificity of each annotator "
        "(Warfield et al. 2004)."
    ),
    "simple": tr(
        "Votes, discards the annotators with the least overlap with the result, and votes again "
        "(Langerak et al. 2010)."
    ),
    "lsml": tr("Moves a contour to the most likely position (Li et al. 2011). Requires pixels."),
    "cooke": tr(
        "Everything that annotators with at least half of the weight marked. Weights are from "
        "answers to questions with known answers (Cooke 1991)."
    ),
    "crowns": tr(
        "One polygon per tree: crowns of different annotators that overlap enough are one tree, "
        "and the trees that enough annotators drew stay. Requires polygon layers."
    ),
}
PRIOR = OptionParameter(
    "prior",
    tr("STAPLE: prior"),
    tr(
        "Share of the area that STAPLE expects to be marked. It influences how much STAPLE marks "
        "and therefore which detector is best. With two annotators, it alone decides."
    ),
    advanced=True,
    options=(
        Option(
            "any",
            tr("Marked by any annotator"),
            tr(
                "The share of the area that any annotator marked, as in Lampert et al. (2016). "
                "STAPLE marks more."
            ),
        ),
        Option(
            "mean",
            tr("Mean decision"),
            tr(
                "The share of the area that the annotators marked on average, as in ITK. STAPLE "
                "marks less."
            ),
        ),
        Option("number", tr("A number"), tr("The value of 'STAPLE: prior as a number'.")),
    ),
)
PRIOR_VALUE = FloatParameter(
    "prior_value",
    tr("STAPLE: prior as a number"),
    tr("Between 0 and 1; read only when the prior is 'A number'."),
    default=0.5,
    advanced=True,
    minimum=1e-6,
    maximum=1 - 1e-6,
    decimals=6,
    step=0.05,
)
ASSIGN_CONSENSUS = BooleanParameter(
    "assign_consensus",
    tr("STAPLE: keep what all agree on fixed"),
    tr(
        "Areas on which all annotators agree keep their value and are excluded from the "
        "estimation. By default they are part of the estimation, as published."
    ),
    advanced=True,
)
SIMPLE_RULE = OptionParameter(
    "simple_rule",
    tr("SIMPLE: discard annotators below"),
    tr(
        "Annotators whose overlap lies below this threshold are discarded in each round. "
        "Publications differ in the threshold; the first option is the default."
    ),
    advanced=True,
    options=(
        Option(
            "deviation",
            tr("mean - a x SD"),
            tr(
                "Mean and standard deviation (n - 1) of the remaining annotators' overlap (Dice) "
                "with the vote. Default."
            ),
        ),
        Option(
            "share",
            tr("a x mean"),
            tr("Mean of the remaining annotators' overlap (Dice) with the vote."),
        ),
    ),
)
SIMPLE_FACTOR = FloatParameter(
    "simple_factor",
    tr("SIMPLE: factor a"),
    tr("How strictly annotators are discarded; no unit."),
    default=1.0,
    advanced=True,
    maximum=10.0,
    step=0.1,
)
MAX_ITERATIONS = IntegerParameter(
    "max_iterations",
    tr("LSML: maximum number of rounds"),
    tr("LSML stops when it is stable, or after this number of rounds. Published: 1,000."),
    default=1000,
    advanced=True,
    minimum=1,
    maximum=1_000_000,
    step=100,
)
CURVATURE = FloatParameter(
    "curvature",
    tr("LSML: weight of the curvature"),
    tr("Weight with which LSML straightens its outline; no unit. Published: 0."),
    advanced=True,
    maximum=100.0,
    step=0.01,
)
CLIPPED = BooleanParameter(
    "clipped",
    tr("LSML: clip to what any annotator marked"),
    tr(
        "Removes from the LSML result what no annotator marked. Published: not clipped, so the "
        "contour can drift to areas that no annotator marked."
    ),
    default=True,
    advanced=True,
)
ANSWERS = FileParameter(
    "answers",
    tr("Cooke: answers"),
    tr(
        "CSV file with a row per annotator and question: annotator, question, low, median, high "
        "(quantiles of 5, 50 and 95 % that the annotator gave) and true_value (the known answer)."
    ),
    optional=True,
    filter=tr("Tables (*.csv *.txt)"),
)
CALIBRATION_CUTOFF = FloatParameter(
    "calibration_cutoff",
    tr("Cooke: calibration cutoff"),
    tr(
        "Annotators with a lower calibration, a p-value from 0 to 1, have no weight. 0: all "
        "annotators have a weight."
    ),
    advanced=True,
    maximum=1.0,
    decimals=3,
    step=0.01,
)
#: Parameters in the order of the dialog. The prior is not among them, as its id differs between
#: the two algorithms.
ESTIMATION_PARAMETERS: tuple[Parameter[Any], ...] = (
    PRIOR_VALUE,
    ASSIGN_CONSENSUS,
    SIMPLE_RULE,
    SIMPLE_FACTOR,
    MAX_ITERATIONS,
    CURVATURE,
    CLIPPED,
)


def check_answers(run_parameters: RunParameters, uses_cooke: bool) -> None:
    """Raise an InputError for Cooke's weights without answers.

    Args:
        run_parameters: parameters of the run.
        uses_cooke: True if the run makes a ground truth with Cooke's weights.
    """
    if uses_cooke and not run_parameters[ANSWERS]:
        raise missing_answers_error(ANSWERS.label)


def read_estimation(
    settings: RunSettings, prior: Parameter[str] = PRIOR, answers: pd.DataFrame | None = None
) -> EstimationOptions:
    """Return the estimation settings of a run.

    Args:
        settings: values of the parameters in :data:`ESTIMATION_PARAMETERS`, of
            :data:`CALIBRATION_CUTOFF` and of ``prior``.
        prior: parameter of the algorithm with STAPLE's prior.
        answers: answers of the annotators for Cooke's weights; None without answers.
    """
    prior_key = settings[prior]
    return EstimationOptions(
        prior=settings[PRIOR_VALUE] if prior_key == "number" else prior_key,
        assign_consensus=settings[ASSIGN_CONSENSUS],
        simple_factor=settings[SIMPLE_FACTOR],
        simple_rule=settings[SIMPLE_RULE],
        clip_lsml=settings[CLIPPED],
        max_iterations=settings[MAX_ITERATIONS],
        curvature=settings[CURVATURE],
        answers=answers,
        calibration_cutoff=settings[CALIBRATION_CUTOFF],
    )
