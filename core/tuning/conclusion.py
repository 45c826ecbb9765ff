"""Messages about the result of an experiment: its variances, simulated annotators, warnings."""

from __future__ import annotations

from randcrowns.core.messages import MIN_PLAIN_NUMBER, Message, info, note, warning
from randcrowns.core.scoring.layer import SCORES
from randcrowns.core.tuning.experiment import Experiment, identical_annotators
from randcrowns.core.tuning.variance import AnnotatorVariance

#: Number of shared crowns below which a variance is reported with a warning.
_FEW_CROWNS = 5


def simulation_message(name: str, n_copies: int) -> Message:
    """Return the note that warped copies of the annotator ``name`` were made.

    Args:
        name: name of the annotator.
        n_copies: number of copies.

    >>> print(simulation_message("ann", 3))  # doctest: +ELLIPSIS
    There is only one annotator, 'ann', so others are simulated: 3 warped copies of the ...
    """
    beginning = "There is only one annotator, '{name}', so others are simulated: "
    return note(
        "annotators.simulated",
        f"{beginning}{{count:,}} warped copies of the delineations.",
        one=f"{beginning}1 warped copy of the delineations.",
        name=name,
        count=n_copies,
    )


def variance_message(result: AnnotatorVariance) -> Message:
    """Return the average variance of each score, or the reason why there is none."""
    overall = result.overall
    if overall["reason"]:
        return info("finding.no_variance", "No variance: {why}.", why=overall["reason"])
    values = "RandCrowns {randcrowns}, IoU {iou}, IoUCrowns {iou_crowns}."
    return info(
        "finding.variance",
        f"Average variance over {{count:,}} shared crowns: {values}",
        one=f"Average variance over 1 shared crown: {values}",
        count=result.experiment.n_crowns,
        **{score: variance_text(overall[f"{score}_variance"]) for score in SCORES},
    )


def variance_text(variance: float) -> Message:
    r"""Return a variance with three significant digits, as in the tables, for a sentence.

    >>> str(variance_text(0.019)), str(variance_text(0.00072))
    ('0.0190', '7.20\xa0×\xa010⁻⁴')
    """
    if 0 < variance < MIN_PLAIN_NUMBER:
        return info("finding.small_number", "{number:.2e}", number=variance)
    return info("finding.number", "{number:#.3g}", number=variance)


def experiment_warnings(experiment: Experiment) -> list[Message]:
    """Return warnings if the crowns are few or annotators have identical delineations."""
    messages = []
    if experiment.n_crowns < _FEW_CROWNS:
        advice = "delineate more before you rely on these numbers."
        messages.append(
            warning(
                "finding.few_crowns",
                f"Only {{count}} shared crowns: {advice}",
                one=f"Only 1 shared crown: {advice}",
                count=experiment.n_crowns,
            )
        )
    identical_pairs = [
        info("finding.pair", "{one_of} and {other}", one_of=first, other=second)
        for first, second in identical_annotators(experiment)
    ]
    if identical_pairs:
        text = "Identical delineations, so the variance is too low: {pairs}. Are they copies?"
        messages.append(warning("finding.alike", text, pairs=identical_pairs))
    return messages
