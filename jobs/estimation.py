"""Options of STAPLE, SIMPLE, LSML and Cooke's weights in the values of a job."""

from __future__ import annotations

from typing import Any

import pandas as pd

from randcrowns.core.agreement.consensus import EstimationOptions
from randcrowns.core.agreement.cooke import missing_answers_error, read_answers
from randcrowns.jobs.parameters import JobValues


def read_used_answers(answers: Any, is_used: bool) -> pd.DataFrame | None:
    """Return the answers of the annotators for Cooke's weights; None if they are not used.

    Args:
        answers: data frame, or path of a CSV file; None without answers.
        is_used: True if the job makes a ground truth with Cooke's weights.

    Raises:
        InputError: if answers are used but missing, or cannot be read.
    """
    if not is_used:
        return None
    if answers is None:
        raise missing_answers_error("answers")
    return answers if isinstance(answers, pd.DataFrame) else read_answers(answers)


def estimation_options(
    values: JobValues, prior_name: str, answers: pd.DataFrame | None = None
) -> EstimationOptions:
    """Return the options of STAPLE, SIMPLE, LSML and Cooke's weights.

    Args:
        values: values of the job.
        prior_name: name of the parameter with the prior of STAPLE.
        answers: answers of the annotators for Cooke's weights; None without answers.
    """
    prior = values[prior_name]
    if prior == "number":
        prior = values["prior_value"]
    return EstimationOptions(
        prior=prior,
        assign_consensus=values["assign_consensus"],
        simple_factor=values["simple_factor"],
        simple_rule=values["simple_rule"],
        clip_lsml=values["clipped"],
        max_iterations=values["max_iterations"],
        curvature=values["curvature"],
        answers=answers,
        calibration_cutoff=values["calibration_cutoff"],
    )
