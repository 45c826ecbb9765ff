"""What randcrowns:annotatorvariance and randcrowns:tuneparameters say of what they found."""

from __future__ import annotations

from randcrowns.core.tuning.experiment import Experiment, outside_extent, same_drawings
from randcrowns.core.tuning.variance import AnnotatorVariance
from randcrowns.layers.words import counted, tr

__all__ = ["cautions", "finding"]

#: A variance over fewer crowns than this is told with a caution.
_FEW = 5


def finding(result: AnnotatorVariance) -> str:
    """The three variances, or why there are none; what was left out, and what to be careful with."""
    return " ".join([_variances(result), *_left_out(result.experiment), *cautions(result.experiment)])


def cautions(experiment: Experiment) -> list[str]:
    """A sentence on each thing that makes a variance say little."""
    told = []
    if experiment.n_crowns < _FEW:
        crowns = counted(experiment.n_crowns, tr("crown"), tr("crowns"))
        told.append(tr("Only {crowns}: draw more before you rely on these numbers.").format(crowns=crowns))
    alike = same_drawings(experiment)
    if alike:
        names = ", ".join(tr("{one} and {other}").format(one=one, other=other) for one, other in alike)
        told.append(
            tr("Drawn exactly alike, so the variance comes out too low: {names}. Are they copies?").format(names=names)
        )
    return told


def _variances(result: AnnotatorVariance) -> str:
    overall = result.overall
    if overall["reason"]:
        return tr("No variance: {why}.").format(why=overall["reason"])
    return tr(
        "Average variance over {crowns}: RandCrowns {randcrowns:.3g}, IoU {iou:.3g}, IoUCrowns {iou_crowns:.3g}."
    ).format(
        crowns=counted(result.experiment.n_crowns, tr("shared crown"), tr("shared crowns")),
        randcrowns=overall["randcrowns_variance"],
        iou=overall["iou_variance"],
        iou_crowns=overall["iou_crowns_variance"],
    )


def _left_out(experiment: Experiment) -> list[str]:
    """How many were left out, by reason."""
    outside = int(outside_extent(experiment.left_out).sum())
    against_targets = experiment.n_targets < len(experiment.names)
    one, many = (tr("target"), tr("targets")) if against_targets else (tr("drawing"), tr("drawings"))
    told = []
    for number, why in (
        (len(experiment.left_out) - outside, tr("{what} left out: not everybody drew those crowns.")),
        (outside, tr("{what} left out: outside the image extent.")),
    ):
        if number:
            told.append(why.format(what=counted(number, one, many)))
    return told
