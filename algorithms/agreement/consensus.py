"""randcrowns:consensus - one layer of polygons from what several annotators drew."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from qgis.core import QgsProcessingContext

from randcrowns.algorithms.agreement import choices, outputs, tables
from randcrowns.algorithms.agreement.choices import CONSENSUS_CHOICES, AnnotatorJob
from randcrowns.algorithms.agreement.methods import Consensus, method_parameters, method_title
from randcrowns.algorithms.agreement.outputs import CONSENSUS_OUTPUTS, CONSENSUS_VALUES
from randcrowns.algorithms.agreement.showing import CONSENSUS_MADE
from randcrowns.algorithms.agreement.votes import Votes, drawings_of_images, read_votes
from randcrowns.algorithms.base import CrownAlgorithm, Made
from randcrowns.algorithms.catalogue import MAKE_CONSENSUS
from randcrowns.algorithms.choice import Given
from randcrowns.algorithms.estimation import ASSIGN_CONSENSUS, PRIOR
from randcrowns.algorithms.output import UNIT, Output
from randcrowns.algorithms.outputs import MadeFile
from randcrowns.core.agreement.consensus import marked_polygons
from randcrowns.core.agreement.notes import Note
from randcrowns.core.agreement.staple_em import staple_priors
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.errors import InputError
from randcrowns.core.progress import Progress, aside, part_of, steps
from randcrowns.core.remarks import Remark
from randcrowns.layers.raster.output import grid_polygons
from randcrowns.layers.words import tr


@dataclass(frozen=True, eq=False)
class _Found:
    """Every consensus, what STAPLE marks along its prior, and what must be known."""

    made: list[Consensus]
    priors: pd.DataFrame | None
    remarks: list[Remark]


class MakeConsensus(CrownAlgorithm):
    entry = MAKE_CONSENSUS
    help = (
        tr(
            "Makes one polygon layer from what several people drew of the same place: by voting, or by the estimation "
            "methods STAPLE (Warfield et al. 2004), SIMPLE (Langerak et al. 2010) and LSML (Li et al. 2011). Polygons "
            "may be crowns or anything else. Those of the result are the connected places that are marked."
        ),
        *(choices.METHOD, PRIOR, choices.RESOLUTION),
    )
    shares = (0.5, 0.9)
    parties, told_apart_by = (choices.ANNOTATORS,), (choices.METHOD,)
    choices, outputs, values, showing = (
        CONSENSUS_CHOICES,
        CONSENSUS_OUTPUTS,
        CONSENSUS_VALUES,
        CONSENSUS_MADE,
    )
    takes_pixels = True

    def check(self, given: Given) -> None:
        choices.check_inputs(given)
        choices.check_method(given)
        choices.check_pixels(given, outputs.PROBABILITY)
        choices.check_pixels(given, outputs.CONSENSUS_RASTER)
        choices.check_several(given, outputs.PROBABILITY, outputs.CONSENSUS_RASTER)

    def take(self, given: Given) -> AnnotatorJob:
        return choices.take_annotator_job(given)

    def read(self, job: AnnotatorJob, progress: Progress) -> Votes:
        drawn = steps(
            list(drawings_of_images(job, part_of(progress, 0.0, 0.2)).items()),
            part_of(progress, 0.2, 1.0),
        )
        votes = {
            image: read_votes(one, job[choices.RESOLUTION], 0.0, told)
            for (image, one), told in drawn
        }
        for one in votes.values():
            if one.grid is not None and job[choices.METHOD] == "lsml":
                one.grid.check()
        return Votes.merged(votes)

    def compute(self, job: AnnotatorJob, read: Votes, progress: Progress) -> _Found:
        wants_priors = job[choices.METHOD] == "staple" and outputs.PRIORS in job.wanted
        share = part_of(progress, 0.0, 0.9 if wants_priors else 1.0)
        made = aside(lambda told: _all_made(read, job, told), share)
        priors = None
        if wants_priors:
            share, fixed = part_of(progress, 0.9, 1.0), job[ASSIGN_CONSENSUS]
            priors = aside(
                lambda told: staple_priors(read.table, assign_consensus=fixed, progress=told), share
            )
        remarks = [remark for one in made for remark in (*read.table.notes, *one.notes)]
        return _Found(made, priors, [*tables.empty_consensuses(made), *remarks])

    def tables(self, job: AnnotatorJob, read: Votes, found: _Found, progress: Progress) -> Made:
        made, made_by = found.made, _made_by(read, job)
        written = {outputs.CONSENSUS: tables.consensus_table(made, job, read.drawings.working)}
        if any(one.performance for one in made):
            performance = pd.concat([one.performance_frame() for one in made], ignore_index=True)
            written[outputs.PERFORMANCE] = outputs.PERFORMANCE.table(performance)
        if found.priors is not None:
            written[outputs.PRIORS] = outputs.PRIORS.table(found.priors)
        files: dict[Output, MadeFile] = {}
        if outputs.CONSENSUS_RASTER in job.wanted and read.grid is not None:
            files[outputs.CONSENSUS_RASTER] = tables.consensus_raster(made, read.grid, made_by)
        if (
            job[choices.METHOD] == "staple"
            and outputs.PROBABILITY in job.wanted
            and read.grid is not None
        ):
            files[outputs.PROBABILITY] = tables.probability_raster(made, read.grid, made_by)
        values = {"TITLE": _title(job), "METHOD_USED": made_by, UNIT.id: read.drawings.working.unit}
        numbers = tables.made_outputs(made)
        headline = tables.consensus_headline(values["TITLE"], numbers, values[UNIT.id])
        return Made(written, {**numbers, **values}, files, headline=headline)

    def loaded(
        self, output: str, details: QgsProcessingContext.LayerDetails, others: dict[str, Any]
    ) -> None:
        if output == outputs.CONSENSUS.id:
            details.name = tr("Consensus: {method}", method=others["TITLE"])
        super().loaded(output, details, others)


def _all_made(read: Votes, job: AnnotatorJob, progress: Progress) -> list[Consensus]:
    """The consensus of all, or one without each annotator."""
    votes = read.table
    if not job[choices.EACH_LEFT_OUT]:
        return [_one("", votes, read, job, progress)]
    if votes.n_annotators < 2:
        raise InputError("Leaving one annotator out requires at least two annotators.")
    people = steps(list(enumerate(votes.names)), progress)
    return [_one(name, votes.without(k), read, job, share) for (k, name), share in people]


def _one(
    left_out: str, votes: VoteTable, read: Votes, job: AnnotatorJob, progress: Progress
) -> Consensus:
    found = Consensus.of(votes, job, part_of(progress, 0.0, 0.6))
    polygons, images = [], []
    for (image, part, place), told in steps(list(read.by_image()), part_of(progress, 0.6, 1.0)):
        index = np.asarray(votes.index)[place]
        if part.grid is None:
            own = replace(votes, index=index, faces=part.table.faces)
            polygons.append(marked_polygons(own, found.marked, told))
        else:
            marked = (
                found.marked[place]
                if found.marked.ndim == 2
                else votes.on_map(found.marked, index=index)
            )
            polygons.append(grid_polygons(marked.view(np.uint8), marked, part.grid, told)[0])
        images += [image] * len(polygons[-1])
    return replace(found, left_out=left_out, polygons=np.concatenate(polygons), images=images)


def _title(job: AnnotatorJob) -> str:
    """Which consensus it is, in a few words."""
    method = method_title(job)
    return (
        tr("{method}, without each annotator", method=method)
        if job[choices.EACH_LEFT_OUT]
        else method
    )


def _made_by(read: Votes, job: AnnotatorJob) -> str:
    """A sentence for the metadata."""
    parameters, votes, grid = method_parameters(job), read.table, read.grid
    units = tr("exact areas")
    if grid is not None:
        units = tr(
            "pixels of {size:g} {unit}", size=round(grid.pixel_width, 4), unit=grid.working.unit
        )
    made = tr(
        "{method} [{key}]{parameters}, from {people} ({names}), {units}",
        method=choices.METHOD.label_of(job[choices.METHOD]),
        key=job[choices.METHOD],
        parameters=f" ({parameters})" if parameters else "",
        people=tr("{count:,} annotators", one="1 annotator", count=votes.n_annotators),
        names=", ".join(votes.names),
        units=units,
    )
    noted = [tr("no study area")] if Note.NO_STUDY_AREA in votes.notes else []
    once = [tr("one consensus without each of them")] if job[choices.EACH_LEFT_OUT] else []
    return "; ".join([made, *noted, *once])
