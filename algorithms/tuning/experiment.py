"""An experiment on annotators: what is checked, taken and read, its tables, and what is found in words."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from qgis.core import QgsCoordinateReferenceSystem

from randcrowns.algorithms.base import CrownAlgorithm
from randcrowns.algorithms.choice import Given, Job, refuse
from randcrowns.algorithms.choices import (
    ANNOTATORS,
    check_annotators,
    named_snapshots,
    unused_plot_field,
)
from randcrowns.algorithms.output import Output
from randcrowns.algorithms.tuning import choices
from randcrowns.algorithms.tuning.outputs import CROWNS, DRAWINGS, GALLERY, LEFT_OUT, VARIANCE
from randcrowns.core.arrays import Objects
from randcrowns.core.crowns import Crowns
from randcrowns.core.errors import InputError
from randcrowns.core.progress import Progress
from randcrowns.core.remarks import Remark, info, note, warning
from randcrowns.core.scoring.layer import SCORES
from randcrowns.core.scoring.parameters import PRESETS, RandCrownsParameters
from randcrowns.core.status import ALL
from randcrowns.core.tuning.experiment import Experiment, same_drawings
from randcrowns.core.tuning.variance import AnnotatorVariance, crown_looks, gallery_picks
from randcrowns.core.tuning.wrong_pairs import warped_annotators
from randcrowns.layers.raster.grid import RasterSnapshot
from randcrowns.layers.vector.geometry import map_shapes
from randcrowns.layers.vector.place import Place, read_place
from randcrowns.layers.vector.read import LayerRequest, LayerSnapshot
from randcrowns.layers.vector.tables import FeatureTable


@dataclass(frozen=True)
class ExperimentJob(Job):
    """What an experiment needs besides."""

    annotators: dict[str, LayerSnapshot]  #: their layers, by the names they are shown with.
    lengths: RandCrownsParameters = PRESETS["image_boxes"]  #: the set of an experiment at one set.
    image: RasterSnapshot | None = None  #: behind the gallery, where it is wanted.
    unused_plots: str = (
        ""  #: field with the plot that the layers share and that is not chosen, or empty.
    )


@dataclass(frozen=True)
class ReadAnnotators:
    """The crowns in metres."""

    targets: Crowns | None  #: drawn in the field, or None.
    annotators: list[Crowns]  #: crowns of each, warped copies included.
    place: Place  #: they were read from.
    crs: QgsCoordinateReferenceSystem  #: coordinate system of the first layer.
    remarks: list[Remark]  #: on the layers.
    origin: tuple[Remark, ...] = ()  #: how a finding on warped copies begins.


class ExperimentAlgorithm(CrownAlgorithm):
    """An algorithm on annotators, each of whom is the target in turn, or on targets drawn in the field."""

    #: Annotators needed without field targets; with them, and for the copies of a single one, one less.
    fewest = 3
    parties = (choices.FIELD_TARGETS, ANNOTATORS)

    def check_early(self, given: Given) -> None:
        if ANNOTATORS not in given:
            refuse(choices.too_few_annotators(0, False, 0))

    def check(self, given: Given) -> None:
        layers = given[ANNOTATORS]
        check_annotators(given, layers, *choices.FIELD_TARGETS.ids, choices.EXTENT.ids[1])
        in_field = choices.FIELD_TARGETS in given
        refuse(choices.too_few_annotators(len(layers), in_field, given[choices.WARPS], self.fewest))

    def take(self, given: Given) -> ExperimentJob:
        targets = given.layer(choices.FIELD_TARGETS)
        annotators = named_snapshots(
            given[ANNOTATORS], [ALL, *([] if targets is None else [targets.name()])]
        )
        first, *others = [*([] if targets is None else [targets]), *given[ANNOTATORS]]
        unused = unused_plot_field(given, choices.GROUP_FIELD, first, others)
        return ExperimentJob.of(given, annotators=annotators, unused_plots=unused)

    def read(self, job: ExperimentJob, progress: Progress) -> ReadAnnotators:
        """The crowns of all layers in one system in metres; of a single annotator also the warped copies."""
        targets = job[choices.FIELD_TARGETS]
        snapshots = [
            *([] if targets is None else [(targets.name, targets)]),
            *job.annotators.items(),
        ]
        plot = job[choices.GROUP_FIELD]
        requests = [
            LayerRequest(snapshot, name=name, group_field=plot, plot_field=job.unused_plots)
            for name, snapshot in snapshots
        ]
        place = read_place(requests, job.transform_context, job[choices.EXTENT], progress=progress)
        across = (place.layers[0].across_plots(layer) for layer in place.layers[1:])
        place.decided.extend(remark for remark in across if remark is not None)
        crowns = [layer.crowns for layer in place.layers]
        field = None if targets is None else crowns.pop(0)
        drawn, copies, crs = crowns[0], job[choices.WARPS], snapshots[0][1].crs
        if len(crowns) == 1 and not len(drawn):
            said = "{name}: there are no crowns in it, of which copies could be made; choose another layer."
            raise InputError(said, name=drawn.name)
        if len(crowns) > 1 or not copies:
            return ReadAnnotators(field, crowns, place, crs, place.remarks)
        crowns += warped_annotators(
            drawn,
            copies,
            scale=job[choices.WARP_SCALE],
            rotation=job[choices.WARP_ROTATION],
            translation=job[choices.WARP_TRANSLATION],
        )
        alone = "There is only one annotator, '{name}', so others are simulated: "
        told = note(
            "annotators.simulated",
            f"{alone}{{count:,}} warped copies of the delineations.",
            one=f"{alone}1 warped copy of the delineations.",
            name=drawn.name,
            count=copies,
        )
        origin = info(
            "finding.origin",
            "From {count:,} warped copies of {name} (no measurement):",
            one="From 1 warped copy of {name} (no measurement):",
            name=drawn.name,
            count=copies,
        )
        return ReadAnnotators(field, crowns, place, crs, [*place.remarks, told], (origin,))


def variance_tables(
    result: AnnotatorVariance, read: ReadAnnotators, number: int
) -> dict[Output, FeatureTable]:
    """All tables of randcrowns:annotatorvariance; ``number`` is the most crowns of each kind to look at."""
    experiment = result.experiment
    drawn = experiment.geometry.ravel()[experiment.delineation.T.ravel()]
    crowns = result.crowns.assign(status="")
    crowns.insert(0, "target", np.arange(1, len(crowns) + 1))
    looks = crown_looks(crowns, number)
    crowns = crowns.drop(columns="status").merge(
        looks[["target", "look", "place"]], how="left", on="target"
    )
    return {
        VARIANCE: VARIANCE.table(result.summary),
        GALLERY: GALLERY.table(picked_pairs(result, number)),
        **{
            output: output.table(frame, map_shapes(shapes, read.place.working, read.crs), read.crs)
            for output, frame, shapes in (
                (CROWNS, crowns, experiment.targets),
                (DRAWINGS, numbered_pairs(result), drawn),
                (
                    LEFT_OUT,
                    result.experiment.excluded,
                    _left_out_shapes(result.experiment.excluded, read),
                ),
            )
        },
    }


def numbered_pairs(result: AnnotatorVariance) -> pd.DataFrame:
    """The scores with ``pair`` and ``target`` in front, both from 1, and who drew the two in ``series``."""
    pairs = result.scores.copy()
    each = len(result.experiment.delineation)
    pairs.insert(0, "pair", np.arange(1, len(pairs) + 1))
    pairs.insert(1, "target", np.arange(len(pairs)) // each + 1)
    order = {name: number for number, name in enumerate(result.experiment.names)}
    both = zip(pairs["target_annotator"], pairs["delineation_annotator"])
    return pairs.assign(series=[" – ".join(sorted(names, key=order.__getitem__)) for names in both])


def picked_pairs(result: AnnotatorVariance, number: int) -> pd.DataFrame:
    """The pairs of the gallery, kind by kind."""
    return gallery_picks(numbered_pairs(result), number)


def _left_out_shapes(left_out: pd.DataFrame, read: ReadAnnotators) -> Objects:
    layers = [*([] if read.targets is None else [read.targets]), *read.annotators]
    shapes = {
        (one.name, number): shape
        for one in layers
        for number, shape in zip(one.ids.tolist(), one.geometry)
    }
    return np.array(
        [shapes[crown] for crown in zip(left_out["annotator"], left_out["crown_id"])], dtype=object
    )


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
    in_turn = experiment.n_targets == len(experiment.names)
    one, many = ("delineation", "delineations") if in_turn else ("target", "targets")
    return [
        info(
            f"finding.{key}",
            f"{{count:,}} {many} excluded: {why}",
            one=f"1 {one} excluded: {why}",
            count=number,
        )
        for key, number, why in (
            (
                "not_shared",
                len(experiment.excluded) - experiment.n_outside,
                "not drawn by all annotators.",
            ),
            ("outside", experiment.n_outside, "outside the image extent."),
        )
        if number
    ]
