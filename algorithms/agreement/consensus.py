"""randcrowns:consensus - one layer of polygons from what several annotators drew."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from qgis.core import (
    QgsLayerMetadata,
    QgsMapLayer,
    QgsProcessingContext,
    QgsProcessingFeedback,
    QgsProcessingUtils,
    QgsVectorLayer,
)

from randcrowns.algorithms.agreement.choices import (
    CONSENSUS_CHOICES,
    EACH_LEFT_OUT,
    METHOD,
    AnnotatorLayers,
    consensus_method,
    consensus_problem,
    input_problem,
    raster_problem,
    take_annotators,
)
from randcrowns.algorithms.agreement.drawings import read_drawings
from randcrowns.algorithms.agreement.methods import Consensus, ConsensusMethod
from randcrowns.algorithms.agreement.outputs import (
    CONSENSUS,
    CONSENSUS_OUTPUTS,
    CONSENSUS_VALUES,
    PERFORMANCE,
    PRIORS,
    PROBABILITY,
)
from randcrowns.algorithms.agreement.tables import (
    MadeConsensus,
    consensus_table,
    empty_consensuses,
    made_outputs,
    performance_table,
    probability_raster,
)
from randcrowns.algorithms.agreement.votes import Votes, read_votes
from randcrowns.algorithms.base import CrownAlgorithm, Made
from randcrowns.algorithms.choice import Given
from randcrowns.algorithms.choices import paragraphs
from randcrowns.algorithms.file_outputs import MadeFile
from randcrowns.core.agreement.consensus import marked_polygons
from randcrowns.core.agreement.notes import Note
from randcrowns.core.agreement.staple_em import staple_priors
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.errors import InputError
from randcrowns.core.progress import Progress, aside, part_of
from randcrowns.core.remarks import Remark
from randcrowns.layers.raster.grid import Grid
from randcrowns.layers.raster.output import grid_polygons
from randcrowns.layers.styles.tree import run_title
from randcrowns.layers.words import counted, tr

_HELP = (
    (
        "Makes one layer from what several people drew of the same place: by voting, or by the estimation methods "
        "STAPLE (Warfield et al. 2004), SIMPLE (Langerak et al. 2010) and LSML (Li et al. 2011). Polygons may be "
        "crowns or anything else; those of the result are the connected places that are marked."
    ),
    (
        "<b>Voting.</b> A place is marked when at least a share of the annotators marked it; with an even number a tie "
        "counts as marked. Excl-0.5-GT leaves out annotators who are unlike the others."
    ),
    (
        "<b>STAPLE</b> estimates the truth and everybody's sensitivity and specificity together. Its prior decides how "
        "much is marked: the output on the prior shows by how much. With two annotators the prior alone decides."
    ),
    (
        "<b>Pixel size.</b> 0 works with exact areas. The probability raster and LSML need pixels. "
        "The layer's metadata says by which method, with which parameters and from which layers it was made."
    ),
)


@dataclass(frozen=True)
class _Job:
    layers: AnnotatorLayers
    method: ConsensusMethod
    leave_one_out: bool
    wants_raster: bool
    wants_priors: bool


@dataclass(frozen=True, eq=False)
class _Found:
    """Every consensus, what STAPLE marks along its prior, and what must be known."""

    made: list[MadeConsensus]
    priors: pd.DataFrame | None
    remarks: list[Remark]


class MakeConsensus(CrownAlgorithm):
    """Makes a consensus of annotators."""

    shares = (0.5, 0.9)
    choices, outputs, values = CONSENSUS_CHOICES, CONSENSUS_OUTPUTS, CONSENSUS_VALUES

    def __init__(self) -> None:
        super().__init__()
        self._made_by = ""
        self._written = ""
        self._layer_name = ""

    def name(self) -> str:
        """Id within the provider."""
        return "consensus"

    def displayName(self) -> str:  # noqa: N802 - QGIS's name
        """Name in the toolbox."""
        return tr("Make consensus of annotators")

    def tags(self) -> list[str]:
        """Words it is found by."""
        return ["randcrowns", "consensus", "ground truth", "staple", "simple", "lsml", "majority", "vote", "annotator"]

    def shortDescription(self) -> str:  # noqa: N802 - QGIS's name
        """One line."""
        return tr("One layer of polygons from what several people drew of the same place.")

    def shortHelpString(self) -> str:  # noqa: N802 - QGIS's name
        """A paragraph per group of parameters."""
        return paragraphs(_HELP)

    def first_problem(self, parameters: dict[str, Any], context: QgsProcessingContext) -> str:
        """The first thing that is wrong, in a sentence; empty when nothing is."""
        given = Given(self, parameters, context)
        return input_problem(given) or consensus_problem(given) or raster_problem(given, PROBABILITY)

    def take(self, parameters: dict[str, Any], context: QgsProcessingContext) -> _Job:
        """Snapshots and plain values."""
        given = Given(self, parameters, context)
        return _Job(
            layers=take_annotators(given),
            method=consensus_method(given),
            leave_one_out=given[EACH_LEFT_OUT],
            wants_raster=PROBABILITY in given,
            wants_priors=PRIORS in given,
        )

    def title(self, taken: _Job) -> str:
        """Of the group of the results."""
        return run_title(tr("consensus: {method}").format(method=_title(taken)))

    def read(self, job: _Job, progress: Progress) -> Votes:
        """Polygons and votes."""
        drawings = read_drawings(job.layers, part_of(progress, 0.0, 0.2))
        return read_votes(drawings, job.layers.resolution, 0.0, part_of(progress, 0.2, 1.0))

    def compute(self, job: _Job, read: Votes, progress: Progress) -> _Found:
        """Every consensus, and what STAPLE's prior does."""
        wants_priors = job.wants_priors and job.method.key == "staple"
        share = part_of(progress, 0.0, 0.9 if wants_priors else 1.0)
        made = aside(lambda told: _all_made(read.table, job, read.grid, told), share)
        priors = _along_the_prior(read.table, job, part_of(progress, 0.9, 1.0)) if wants_priors else None
        remarks = [remark for one in made for remark in (*read.table.notes, *one.found.notes)]
        return _Found(made, priors, [*empty_consensuses(made), *remarks])

    def tables(self, job: _Job, read: Votes, found: _Found, progress: Progress) -> Made:
        """The consensus, and what the method says of annotators and its prior."""
        made, crs = found.made, next(iter(job.layers.layers.values())).crs
        self._made_by = _made_by(read.table, job)
        self._layer_name = tr("Consensus: {method}").format(method=_title(job))
        tables = {CONSENSUS.id: consensus_table(made, job.method, read.drawings.working, crs, progress)}
        if any(one.found.performance for one in made):
            tables[PERFORMANCE.id] = performance_table(made)
        if found.priors is not None:
            tables[PRIORS.id] = PRIORS.table(found.priors)
        files: dict[str, MadeFile] = {}
        if job.method.key == "staple" and job.wants_raster and read.grid is not None:
            files[PROBABILITY.id] = probability_raster(made, read.grid, self._made_by)
        return Made(tables, {**made_outputs(made), "TITLE": _title(job), "METHOD_USED": self._made_by}, files)

    def loaded(self, output: str, details: QgsProcessingContext.LayerDetails, others: dict[str, Any]) -> None:
        """Styles, and one group per run."""
        if output == CONSENSUS.id:
            details.name = self._layer_name
        super().loaded(output, details, others)

    def processAlgorithm(  # noqa: N802 - QGIS's name
        self, parameters: dict[str, Any], context: QgsProcessingContext, feedback: QgsProcessingFeedback
    ) -> dict[str, Any]:
        """Remember where the consensus went, for its metadata."""
        results = super().processAlgorithm(parameters, context, feedback)
        self._written = str(results.get(CONSENSUS.id, ""))
        return results

    def postProcessAlgorithm(  # noqa: N802 - QGIS's name
        self, context: QgsProcessingContext, feedback: QgsProcessingFeedback
    ) -> dict[str, Any]:
        """Write into the layer's metadata how it was made; a file keeps it too."""
        layer = QgsProcessingUtils.mapLayerFromString(self._written, context) if self._written else None
        if layer is not None:
            metadata = QgsLayerMetadata(layer.metadata())
            metadata.setTitle(tr("Consensus of annotators"))
            metadata.setAbstract(self._made_by)
            metadata.setHistory([f"{datetime.now():%Y-%m-%d %H:%M} RandCrowns: {self._made_by}"])
            metadata.setCrs(layer.crs())
            layer.setMetadata(metadata)
            if layer.providerType() == "ogr":
                _keep_in_file(layer, metadata)
        return {}


def _keep_in_file(layer: QgsMapLayer, metadata: QgsLayerMetadata) -> None:
    """A GeoPackage keeps metadata by the name of the table, other files beside them."""
    source = layer.source()
    if source.lower().endswith(".gpkg"):
        named = QgsVectorLayer(f"{source}|layername={Path(source).stem}", layer.name(), "ogr")
        named.setMetadata(metadata)
        named.saveDefaultMetadata()
    else:
        layer.saveDefaultMetadata()


def _all_made(votes: VoteTable, job: _Job, grid: Grid | None, progress: Progress) -> list[MadeConsensus]:
    """The consensus of all, or one without each annotator."""
    if not job.leave_one_out:
        return [_one("", votes, job, grid, progress)]
    if votes.n_annotators < 2:
        raise InputError(tr("Leaving one annotator out needs at least two annotators."))
    count = votes.n_annotators
    return [
        _one(name, votes.without(k), job, grid, part_of(progress, k / count, (k + 1) / count))
        for k, name in enumerate(votes.names)
    ]


def _one(left_out: str, votes: VoteTable, job: _Job, grid: Grid | None, progress: Progress) -> MadeConsensus:
    found = Consensus.of(votes, job.method, part_of(progress, 0.0, 0.6))
    if grid is None:
        polygons = marked_polygons(votes, found.marked, part_of(progress, 0.6, 1.0))
    else:
        marked = found.marked if found.marked.ndim == 2 else votes.on_map(found.marked)
        polygons, _ = grid_polygons(marked.view(np.uint8), marked, grid, part_of(progress, 0.6, 1.0))
    return MadeConsensus(left_out, votes, found, polygons)


def _along_the_prior(votes: VoteTable, job: _Job, progress: Progress) -> pd.DataFrame:
    fixed = job.method.assign_consensus
    return aside(lambda told: staple_priors(votes, assign_consensus=fixed, progress=told), progress)


def _title(job: _Job) -> str:
    """Which consensus it is, in a few words."""
    return job.method.title + (tr(", without each annotator") if job.leave_one_out else "")


def _made_by(votes: VoteTable, job: _Job) -> str:
    """A sentence for the metadata."""
    how = f"{METHOD.label_of(job.method.key)} [{job.method.key}]"
    if job.method.described:
        how += f" ({job.method.described})"
    units = tr("exact areas")
    if job.layers.resolution > 0:
        units = tr("pixels of {size:g} m").format(size=job.layers.resolution)
    once = tr("; one consensus without each of them") if job.leave_one_out else ""
    noted = "" if Note.NO_STUDY_AREA not in votes.notes else tr("; no study area")
    return tr("{how}, from {people} ({names}), {units}{noted}{once}").format(
        how=how,
        people=counted(votes.n_annotators, tr("annotator"), tr("annotators")),
        names=", ".join(votes.names),
        units=units,
        noted=noted,
        once=once,
    )
