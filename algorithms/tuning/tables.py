"""The tables of a variance experiment and of a grid search as features."""

from __future__ import annotations

import numpy as np
import pandas as pd

from randcrowns.algorithms.tuning.job import ReadAnnotators
from randcrowns.algorithms.tuning.outputs import CROWNS, DRAWINGS, GALLERY, LEFT_OUT, VARIANCE
from randcrowns.core.arrays import Objects
from randcrowns.core.remarks import Remark, info, warning
from randcrowns.core.scoring.layer import SCORES
from randcrowns.core.tuning.experiment import Experiment, same_drawings
from randcrowns.core.tuning.gallery import crown_looks, gallery_picks
from randcrowns.core.tuning.variance import AnnotatorVariance
from randcrowns.layers.vector.geometry import map_shapes
from randcrowns.layers.vector.tables import FeatureTable


def variance_tables(result: AnnotatorVariance, read: ReadAnnotators, number: int) -> dict[str, FeatureTable]:
    """All tables of randcrowns:annotatorvariance; ``number`` is the most crowns of each kind to look at."""
    experiment = result.experiment
    drawn = experiment.geometry.ravel()[experiment.delineation.T.ravel()]
    crowns = result.crowns.assign(status="")
    crowns.insert(0, "target", np.arange(1, len(crowns) + 1))
    looks = crown_looks(crowns, number)
    crowns = crowns.drop(columns="status").merge(looks[["target", "look", "place"]], how="left", on="target")
    return {
        VARIANCE.id: VARIANCE.table(result.summary),
        GALLERY.id: GALLERY.table(picked_pairs(result, number)),
        **{
            output.id: output.table(frame, map_shapes(shapes, read.place.working, read.crs), read.crs)
            for output, frame, shapes in (
                (CROWNS, crowns, experiment.targets),
                (DRAWINGS, numbered_pairs(result), drawn),
                (LEFT_OUT, result.excluded, _left_out_shapes(result.excluded, read)),
            )
        },
    }


def numbered_pairs(result: AnnotatorVariance) -> pd.DataFrame:
    """The scores with ``pair`` and ``target`` in front, both from 1."""
    pairs = result.scores.copy()
    each = len(result.experiment.delineation)
    pairs.insert(0, "pair", np.arange(1, len(pairs) + 1))
    pairs.insert(1, "target", np.arange(len(pairs)) // each + 1)
    pairs["series"] = pair_series(result)
    return pairs


def picked_pairs(result: AnnotatorVariance, number: int) -> pd.DataFrame:
    """The pairs of the gallery, kind by kind."""
    return gallery_picks(numbered_pairs(result), number)


def pair_series(result: AnnotatorVariance) -> list[str]:
    """For each pair who drew the two, in whichever order."""
    order = {name: number for number, name in enumerate(result.experiment.names)}
    both = zip(result.scores["target_annotator"], result.scores["delineation_annotator"])
    return [" – ".join(sorted(names, key=order.__getitem__)) for names in both]


def _left_out_shapes(left_out: pd.DataFrame, read: ReadAnnotators) -> Objects:
    shapes = np.empty(len(left_out), dtype=object)
    layers = [*([] if read.targets is None else [read.targets]), *read.annotators]
    for crowns in layers:
        rows = np.flatnonzero((left_out["annotator"] == crowns.name).to_numpy())
        order = np.argsort(crowns.ids)
        ids = left_out["crown_id"].to_numpy(dtype=np.int64)[rows]
        shapes[rows] = crowns.geometry[order[np.searchsorted(crowns.ids[order], ids)]]
    return shapes


#: A variance over fewer crowns than this is told with a caution.
_FEW = 5


def finding(result: AnnotatorVariance) -> list[Remark]:
    """The three variances, or why there are none; what is excluded, and what to be careful with."""
    return [_variances(result), *_excluded(result.experiment), *_cautions(result.experiment)]


def _cautions(experiment: Experiment) -> list[Remark]:
    """On each thing that makes a variance say little."""
    told = []
    if experiment.n_crowns < _FEW:
        rely = "delineate more before you rely on these numbers."
        few, one = f"Only {{count}} shared crowns: {rely}", f"Only 1 shared crown: {rely}"
        told.append(warning("finding.few_crowns", few, one=one, count=experiment.n_crowns))
    alike = [
        info("finding.pair", "{one_of} and {other}", one_of=one, other=other)
        for one, other in same_drawings(experiment)
    ]
    if alike:
        said = "Identical delineations, so the variance is too low: {pairs}. Are they copies?"
        told.append(warning("finding.alike", said, pairs=alike))
    return told


def _variances(result: AnnotatorVariance) -> Remark:
    overall = result.overall
    if overall["reason"]:
        return info("finding.no_variance", "No variance: {why}.", why=overall["reason"])
    values = "RandCrowns {randcrowns:.3g}, IoU {iou:.3g}, IoUCrowns {iou_crowns:.3g}."
    return info(
        "finding.variance",
        f"Average variance over {{count:,}} shared crowns: {values}",
        one=f"Average variance over 1 shared crown: {values}",
        count=result.experiment.n_crowns,
        **{score: overall[f"{score}_variance"] for score in SCORES},
    )


def _excluded(experiment: Experiment) -> list[Remark]:
    """How many crowns are excluded, by reason."""
    in_turn = experiment.n_targets == len(experiment.names)
    one, many = ("delineation", "delineations") if in_turn else ("target", "targets")
    return [
        info(f"finding.{key}", f"{{count:,}} {many} excluded: {why}", one=f"1 {one} excluded: {why}", count=number)
        for key, number, why in (
            ("not_shared", len(experiment.excluded) - experiment.n_outside, "not drawn by all annotators."),
            ("outside", experiment.n_outside, "outside the image extent."),
        )
        if number
    ]
