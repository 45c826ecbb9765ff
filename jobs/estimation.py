"""Options of STAPLE, SIMPLE and LSML in the values of a job."""

from __future__ import annotations

from randcrowns.core.agreement.consensus import EstimationOptions
from randcrowns.jobs.parameters import JobValues


def estimation_options(values: JobValues, prior_name: str) -> EstimationOptions:
    """Return the options of STAPLE, SIMPLE and LSML.

    Args:
        values: values of the job.
        prior_name: name of the parameter with the prior of STAPLE.
    """
    prior = values[prior_name]
    return EstimationOptions(
        prior=values["prior_value"] if prior == "number" else prior,
        assign_consensus=values["assign_consensus"],
        simple_factor=values["simple_factor"],
        simple_rule=values["simple_rule"],
        clip_lsml=values["clipped"],
        max_iterations=values["max_iterations"],
        curvature=values["curvature"],
    )
