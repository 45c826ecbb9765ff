"""randcrowns:consensus - make one polygon layer from the polygons of several annotators."""

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
from randcrowns.core.arrays import Objects
from randcrowns.core.errors import InputError
from randcrowns.core.progress import Progress, aside, part_of, steps
from randcrowns.core.remarks import Remark
from randcrowns.layers.raster.output import grid_polygons
from randcrowns.layers.words import tr


@dataclass(frozen=True, eq=False)
class _Results:
    """Results of the core."""

    consensuses: list[Consensus]  #: one consensus, or one without each annotator.
    priors: pd.DataFrame | None  #: marked area by STAPLE's prior; None unless requested.
    remarks: list[Remark]  #: messages about the results.


class MakeConsensus(CrownAlgorithm):
    """Algorithm that makes a consensus of the polygons of several annotators."""

    entry = MAKE_CONSENSUS
    help = (
        tr(
            "Makes one polygon layer from what several people drew of the same area: by voting, or "
            "by the estimation methods STAPLE (Warfield et al. 2004), SIMPLE (Langerak et al. "
            "2010) and LSML (Li et al. 2011). Polygons may be crowns or anything else. The result "
            "has one polygon per connected marked area."
        ),
        choices.METHOD,
        PRIOR,
        choices.RESOLUTION,
    )
    shares = (0.5, 0.9)
    parties = (choices.ANNOTATORS,)
    told_apart_by = (choices.METHOD,)
    choices = CONSENSUS_CHOICES
    outputs = CONSENSUS_OUTPUTS
    values = CONSENSUS_VALUES
    showing = CONSENSUS_MADE
    takes_pixels = True

    def check(self, given: Given) -> None:
        """Raise an InputError for values that cannot be used."""
        choices.check_inputs(given)
        choices.check_method(given)
        choices.check_pixels(given, outputs.PROBABILITY)
        choices.check_pixels(given, outputs.CONSENSUS_RASTER)
        choices.check_several(given, outputs.PROBABILITY, outputs.CONSENSUS_RASTER)

    def take(self, given: Given) -> AnnotatorJob:
        """Return the settings of the run with snapshots of its layers."""
        return choices.take_annotator_job(given)

    def read(self, settings: AnnotatorJob, progress: Progress) -> Votes:
        """Return the votes of all images together.

        Raises:
            InputError: if there are too many pixels for LSML, or layers cannot be used.
        """
        drawings_by_image = drawings_of_images(settings, part_of(progress, 0.0, 0.2))
        votes_by_image = {}
        items = list(drawings_by_image.items())
        for (image, drawings), share in steps(items, part_of(progress, 0.2, 1.0)):
            votes_by_image[image] = read_votes(drawings, settings[choices.RESOLUTION], 0.0, share)
        for votes in votes_by_image.values():
            if votes.grid is not None and settings[choices.METHOD] == "lsml":
                votes.grid.check()
        return Votes.merged(votes_by_image)

    def compute(self, settings: AnnotatorJob, votes: Votes, progress: Progress) -> _Results:
        """Return the consensuses and, if requested, the effect of STAPLE's prior."""
        needs_priors = settings[choices.METHOD] == "staple" and outputs.PRIORS in settings.wanted
        consensuses = aside(
            lambda share: _make_consensuses(votes, settings, share),
            part_of(progress, 0.0, 0.9 if needs_priors else 1.0),
        )
        priors = None
        if needs_priors:
            priors = aside(
                lambda share: staple_priors(
                    votes.table, assign_consensus=settings[ASSIGN_CONSENSUS], progress=share
                ),
                part_of(progress, 0.9, 1.0),
            )
        messages = tables.empty_consensuses(consensuses)
        for consensus in consensuses:
            messages += [*votes.table.notes, *consensus.notes]
        return _Results(consensuses, priors, messages)

    def tables(
        self, settings: AnnotatorJob, votes: Votes, results: _Results, progress: Progress
    ) -> Made:
        """Return the consensus layer, the tables, the rasters and the conclusion."""
        consensuses = results.consensuses
        unit = votes.drawings.working.unit
        title = _title(settings)
        description = _description(votes, settings)
        features = {
            outputs.CONSENSUS: tables.consensus_table(consensuses, settings, votes.drawings.working)
        }
        if any(consensus.performance for consensus in consensuses):
            performance = pd.concat(
                [consensus.performance_frame() for consensus in consensuses], ignore_index=True
            )
            features[outputs.PERFORMANCE] = outputs.PERFORMANCE.table(performance)
        if results.priors is not None:
            features[outputs.PRIORS] = outputs.PRIORS.table(results.priors)

        files: dict[Output, MadeFile] = {}
        if votes.grid is not None:
            if outputs.CONSENSUS_RASTER in settings.wanted:
                files[outputs.CONSENSUS_RASTER] = tables.consensus_raster(
                    consensuses, votes.grid, description
                )
            is_staple = settings[choices.METHOD] == "staple"
            if is_staple and outputs.PROBABILITY in settings.wanted:
                files[outputs.PROBABILITY] = tables.probability_raster(
                    consensuses, votes.grid, description
                )
        numbers = tables.made_outputs(consensuses)
        values = {**numbers, "TITLE": title, "METHOD_USED": description, UNIT.id: unit}
        headline = tables.consensus_headline(title, numbers, unit)
        return Made(features, values, files, headline=headline)

    def loaded(
        self, output: str, details: QgsProcessingContext.LayerDetails, others: dict[str, Any]
    ) -> None:
        """Name the consensus layer after its method, then register it as every output."""
        if output == outputs.CONSENSUS.id:
            details.name = tr("Consensus: {method}", method=others["TITLE"])
        super().loaded(output, details, others)


def _make_consensuses(votes: Votes, settings: AnnotatorJob, progress: Progress) -> list[Consensus]:
    """Return the consensus of all annotators, or one consensus without each annotator.

    Raises:
        InputError: if an annotator is to be excluded but there is only one.
    """
    table = votes.table
    if not settings[choices.EACH_LEFT_OUT]:
        return [_make_consensus("", table, votes, settings, progress)]
    if table.n_annotators < 2:
        raise InputError("Leaving one annotator out requires at least two annotators.")
    annotators = list(enumerate(table.names))
    return [
        _make_consensus(name, table.without(index), votes, settings, share)
        for (index, name), share in steps(annotators, progress)
    ]


def _make_consensus(
    excluded: str, table: VoteTable, votes: Votes, settings: AnnotatorJob, progress: Progress
) -> Consensus:
    """Return a consensus with its polygons.

    Args:
        excluded: name of the excluded annotator, or "".
        table: decisions without those of the excluded annotator.
        votes: decisions of all annotators, with the faces or pixels of each image.
        settings: settings of the run.
        progress: called with the fraction done.
    """
    consensus = Consensus.of(table, settings, part_of(progress, 0.0, 0.6))
    polygons = []
    images: list[str] = []
    parts = list(votes.by_image())
    for part, share in steps(parts, part_of(progress, 0.6, 1.0)):
        polygons.append(_marked_polygons(consensus, part.votes, part.window, share))
        images += [part.image] * len(polygons[-1])
    return replace(consensus, left_out=excluded, polygons=np.concatenate(polygons), images=images)


def _marked_polygons(
    consensus: Consensus, votes: Votes, window: tuple[slice, ...], progress: Progress
) -> Objects:
    """Return the connected polygons (P,) that a consensus marks in one image.

    Args:
        consensus: consensus of all images.
        votes: votes of the image, with its faces or its pixels.
        window: slices of the image's units in the array of all images.
        progress: called with the fraction done.
    """
    pattern_index = np.asarray(consensus.votes.index)[window]
    if votes.grid is None:
        own_table = replace(consensus.votes, index=pattern_index, faces=votes.table.faces)
        return marked_polygons(own_table, consensus.marked, progress)
    if consensus.marked.ndim == 2:
        marked = consensus.marked[window]
    else:
        marked = consensus.votes.on_map(consensus.marked, index=pattern_index)
    polygons, _ = grid_polygons(marked.view(np.uint8), marked, votes.grid, progress)
    return polygons


def _title(settings: AnnotatorJob) -> str:
    """Return a short name of the consensus, or of the consensuses without each annotator."""
    method = method_title(settings)
    if settings[choices.EACH_LEFT_OUT]:
        return tr("{method}, without each annotator", method=method)
    return method


def _description(votes: Votes, settings: AnnotatorJob) -> str:
    """Return a text for the metadata: method, parameters, annotators and unit of counting."""
    parameter_text = method_parameters(settings)
    if votes.grid is None:
        units = tr("exact areas")
    else:
        units = tr(
            "pixels of {size:g} {unit}",
            size=round(votes.grid.pixel_width, 4),
            unit=votes.grid.working.unit,
        )
    annotators = tr("{count:,} annotators", one="1 annotator", count=votes.table.n_annotators)
    parts = [
        tr(
            "{method} [{key}]{parameters}, from {people} ({names}), {units}",
            method=choices.METHOD.label_of(settings[choices.METHOD]),
            key=settings[choices.METHOD],
            parameters=f" ({parameter_text})" if parameter_text else "",
            people=annotators,
            names=", ".join(votes.table.names),
            units=units,
        )
    ]
    if Note.NO_STUDY_AREA in votes.table.notes:
        parts.append(tr("no study area"))
    if settings[choices.EACH_LEFT_OUT]:
        parts.append(tr("one consensus without each of them"))
    return "; ".join(parts)
