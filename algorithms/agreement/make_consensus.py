"""randcrowns:consensus - make one polygon layer from the polygons of several annotators."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Union, cast

import numpy as np
import pandas as pd
from qgis.core import QgsProcessingContext

from randcrowns.algorithms.agreement import tables
from randcrowns.algorithms.agreement.class_areas import classes_of_pixels
from randcrowns.algorithms.agreement.consensus_methods import (
    Consensus,
    describe_method,
    describe_parameters,
)
from randcrowns.algorithms.agreement.crown_by_crown import (
    CrownConsensuses,
    CrownDrawings,
    build_crown_results,
    make_crown_consensuses,
)
from randcrowns.algorithms.agreement.schema import outputs, parameters
from randcrowns.algorithms.agreement.schema.outputs import CONSENSUS_OUTPUTS, CONSENSUS_VALUES
from randcrowns.algorithms.agreement.schema.parameters import (
    CONSENSUS_PARAMETERS,
    AgreementSettings,
)
from randcrowns.algorithms.agreement.schema.report_content import CONSENSUS_REPORT
from randcrowns.algorithms.agreement.vote_counting import (
    CountedVotes,
    ImageVotes,
    count_votes,
    read_drawings_by_image,
)
from randcrowns.algorithms.algorithm_catalogue import MAKE_CONSENSUS
from randcrowns.algorithms.crown_algorithm import CrownAlgorithm, RunResults
from randcrowns.algorithms.destinations import FileContent
from randcrowns.algorithms.estimation_parameters import (
    ANSWERS,
    ASSIGN_CONSENSUS,
    PRIOR,
    read_estimation,
)
from randcrowns.algorithms.output_types import UNIT, Output
from randcrowns.algorithms.parameter_types import RunParameters
from randcrowns.core.agreement.agreement_messages import AgreementMessage, area_consensus_messages
from randcrowns.core.agreement.checks import too_few_to_exclude_error
from randcrowns.core.agreement.consensus import COOKE, marked_polygons
from randcrowns.core.agreement.cooke import read_answers
from randcrowns.core.agreement.staple_em import staple_priors
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.arrays import Bools, Objects
from randcrowns.core.classes.area_consensus import AreaClassConsensus, classes_of_areas
from randcrowns.core.classes.consensus import ClassRule
from randcrowns.core.messages import Message
from randcrowns.core.progress import Progress, iterate_with_progress, run_in_thread, subprogress
from randcrowns.layers.localization import tr
from randcrowns.layers.raster.grid import Grid
from randcrowns.layers.raster.write import polygonise_grid


@dataclass(frozen=True, eq=False)
class _Results:
    """Results of the core."""

    consensuses: list[Consensus]  #: one consensus, or one without each annotator.
    priors: pd.DataFrame | None  #: marked area by STAPLE's prior; None unless requested.
    messages: list[Message]  #: messages about the results.


#: Votes that area consensuses are made from, or the drawings of a consensus crown by crown.
_Inputs = Union[CountedVotes, CrownDrawings]
#: Area consensuses, or consensuses crown by crown.
_Findings = Union[_Results, CrownConsensuses]


class MakeConsensus(CrownAlgorithm):
    """Algorithm that makes a consensus of the polygons of several annotators."""

    entry = MAKE_CONSENSUS
    help = (
        tr(
            "Makes one polygon layer from what several people drew of the same area: by voting, or "
            "by the estimation methods STAPLE (Warfield et al. 2004), SIMPLE (Langerak et al. "
            "2010) and LSML (Li et al. 2011). Polygons may be crowns or anything else. The result "
            "has one polygon per connected marked area; crown by crown, one polygon per tree."
        ),
        parameters.METHOD,
        parameters.VOTE_RULE,
        parameters.OUTLINE,
        PRIOR,
        parameters.RESOLUTION,
    )
    progress_shares = (0.5, 0.9)
    title_layers = (parameters.ANNOTATORS,)
    title_parameters = (parameters.METHOD,)
    declared_parameters = CONSENSUS_PARAMETERS
    outputs = CONSENSUS_OUTPUTS
    value_outputs = CONSENSUS_VALUES
    report_content = CONSENSUS_REPORT
    supports_pixels = True

    def validate(self, run_parameters: RunParameters) -> None:
        """Raise an InputError for values that cannot be used."""
        parameters.check_inputs(run_parameters)
        parameters.check_method(run_parameters)
        parameters.check_class_groups(
            run_parameters, parameters.CLASS_FIELD, parameters.CONSENSUS_CLASS_VALUES
        )
        parameters.check_raster_output(run_parameters, outputs.PROBABILITY)
        parameters.check_raster_output(run_parameters, outputs.CONSENSUS_RASTER)
        parameters.check_multiple_images(
            run_parameters, outputs.PROBABILITY, outputs.CONSENSUS_RASTER
        )

    def read_settings(self, run_parameters: RunParameters) -> AgreementSettings:
        """Return the settings of the run with snapshots of its layers."""
        settings = parameters.read_settings(run_parameters)
        if settings[parameters.METHOD] == COOKE:
            return replace(settings, answers=read_answers(settings[ANSWERS]))
        return settings

    def read_layers(self, settings: AgreementSettings, progress: Progress) -> _Inputs:
        """Return the votes of all images together, or the crowns of each image.

        Args:
            settings: settings of the run.
            progress: called with the fraction done.

        Raises:
            InputError: if there are too many pixels for LSML, or layers cannot be used.
        """
        drawings_by_image = read_drawings_by_image(settings, subprogress(progress, 0.0, 0.2))
        if settings[parameters.METHOD] == parameters.CROWN_BY_CROWN:
            return CrownDrawings.merge(drawings_by_image)
        votes_by_image = {}
        items = list(drawings_by_image.items())
        for (image, drawings), share in iterate_with_progress(
            items, subprogress(progress, 0.2, 1.0)
        ):
            votes_by_image[image] = count_votes(
                drawings, settings[parameters.RESOLUTION], 0.0, share
            )
        for votes in votes_by_image.values():
            if votes.grid is not None and settings[parameters.METHOD] == "lsml":
                votes.grid.check_size()
        return CountedVotes.merge(votes_by_image)

    def compute(
        self, settings: AgreementSettings, inputs: _Inputs, progress: Progress
    ) -> _Findings:
        """Return the consensuses and, if requested, the effect of STAPLE's prior.

        Args:
            settings: settings of the run.
            inputs: result of :meth:`read_layers`.
            progress: called with the fraction done.
        """
        if isinstance(inputs, CrownDrawings):
            drawings = inputs
            return run_in_thread(
                lambda share: make_crown_consensuses(drawings, settings, share), progress
            )
        is_staple = settings[parameters.METHOD] == "staple"
        needs_priors = is_staple and outputs.PRIOR_EFFECT in settings.requested_outputs
        consensus_share = 0.9 if needs_priors else 1.0
        consensuses = run_in_thread(
            lambda share: _make_consensuses(inputs, settings, share),
            subprogress(progress, 0.0, consensus_share),
        )
        priors = None
        if needs_priors:
            priors = run_in_thread(
                lambda share: staple_priors(
                    inputs.table,
                    assign_consensus=settings[ASSIGN_CONSENSUS],
                    used_prior=read_estimation(settings).prior,
                    progress=share,
                ),
                subprogress(progress, consensus_share, 1.0),
            )
        messages = tables.empty_consensus_messages(consensuses)
        for consensus in consensuses:
            has_specificity = "specificity" in consensus.performance
            messages += area_consensus_messages(inputs.table.messages, has_specificity)
            messages += consensus.messages
        return _Results(consensuses, priors, messages)

    def build_results(
        self,
        settings: AgreementSettings,
        inputs: _Inputs,
        findings: _Findings,
        progress: Progress,
    ) -> RunResults:
        """Return the consensus layer, the tables, the rasters and the conclusion.

        Args:
            settings: settings of the run.
            inputs: result of :meth:`read_layers`.
            findings: result of :meth:`compute`.
            progress: called with the fraction done.
        """
        if isinstance(inputs, CrownDrawings):
            return build_crown_results(settings, inputs, cast("CrownConsensuses", findings))
        return _build_area_results(settings, inputs, cast("_Results", findings))

    def style_when_loaded(
        self, output: str, details: QgsProcessingContext.LayerDetails, others: dict[str, Any]
    ) -> None:
        """Name the consensus layer after its method, then register it as every output."""
        if output == outputs.CONSENSUS.id:
            details.name = tr("Consensus: {method}", method=others["TITLE"])
        super().style_when_loaded(output, details, others)


def _build_area_results(
    settings: AgreementSettings, inputs: CountedVotes, findings: _Results
) -> RunResults:
    """Return the layers, tables, rasters, values and the conclusion of area consensuses.

    Args:
        settings: settings of the run.
        inputs: votes of the annotators.
        findings: the consensuses.
    """
    consensuses = findings.consensuses
    working_crs = inputs.drawings.working_crs
    title = _compose_title(settings)
    description = _compose_description(inputs, settings)
    output_tables = {
        outputs.CONSENSUS: tables.create_consensus_table(consensuses, settings, working_crs)
    }
    if any(consensus.performance for consensus in consensuses):
        performance = pd.concat(
            [consensus.performance_table() for consensus in consensuses], ignore_index=True
        )
        performance_table = outputs.ANNOTATOR_PERFORMANCE.create_table(performance)
        output_tables[outputs.ANNOTATOR_PERFORMANCE] = performance_table
    confusion = pd.concat([consensus.confusion for consensus in consensuses], ignore_index=True)
    if len(confusion):
        output_tables[outputs.CLASS_PERFORMANCE] = outputs.CLASS_PERFORMANCE.create_table(confusion)
    if findings.priors is not None:
        output_tables[outputs.PRIOR_EFFECT] = outputs.PRIOR_EFFECT.create_table(findings.priors)

    files: dict[Output, FileContent] = {}
    if inputs.grid is not None:
        files = _create_rasters(settings, inputs.grid, consensuses, description)
    numbers = tables.consensus_values(consensuses)
    values = {
        **numbers,
        "TITLE": title,
        "METHOD_USED": description,
        UNIT.id: working_crs.unit,
    }
    headline = tables.conclude_consensus(title, numbers, working_crs.unit)
    return RunResults(output_tables, values, files, headline=headline)


def _create_rasters(
    settings: AgreementSettings,
    grid: Grid,
    consensuses: list[Consensus],
    description: str,
) -> dict[Output, FileContent]:
    """Return the requested rasters of consensuses on pixels, by output.

    Args:
        settings: settings of the run.
        grid: pixels of the consensuses.
        consensuses: the consensuses.
        description: description of the method, which is stored in the files.
    """
    files: dict[Output, FileContent] = {}
    if outputs.CONSENSUS_RASTER in settings.requested_outputs:
        files[outputs.CONSENSUS_RASTER] = tables.create_consensus_raster(
            consensuses, grid, description
        )
    is_staple = settings[parameters.METHOD] == "staple"
    if is_staple and outputs.PROBABILITY in settings.requested_outputs:
        files[outputs.PROBABILITY] = tables.create_probability_raster(
            consensuses, grid, description
        )
    return files


def _make_consensuses(
    votes: CountedVotes, settings: AgreementSettings, progress: Progress
) -> list[Consensus]:
    """Return the consensus of all annotators, or one consensus without each annotator.

    Args:
        votes: decisions of all annotators.
        settings: settings of the run.
        progress: called with the fraction done.

    Raises:
        InputError: if an annotator is to be excluded but there is only one.
    """
    table = votes.table
    if not settings[parameters.EXCLUDE_EACH]:
        return [_make_consensus("", table, votes, settings, progress)]
    if table.n_annotators < 2:
        raise too_few_to_exclude_error()
    annotators = list(enumerate(table.names))
    return [
        _make_consensus(name, table.without(index), votes, settings, share)
        for (index, name), share in iterate_with_progress(annotators, progress)
    ]


def _make_consensus(
    excluded: str,
    table: VoteTable,
    votes: CountedVotes,
    settings: AgreementSettings,
    progress: Progress,
) -> Consensus:
    """Return a consensus with its polygons.

    Args:
        excluded: name of the excluded annotator, or "".
        table: decisions without those of the excluded annotator.
        votes: decisions of all annotators, with the faces or pixels of each image.
        settings: settings of the run.
        progress: called with the fraction done.
    """
    consensus = Consensus.compute(table, settings, subprogress(progress, 0.0, 0.6))
    consensus = replace(consensus, excluded_annotator=excluded)
    images = list(votes.iterate_images())
    polygons_by_image = []
    for image, share in iterate_with_progress(images, subprogress(progress, 0.6, 0.8)):
        polygons_by_image.append(
            _outline_marked_ground(consensus, image.votes, image.window, share)
        )
    if settings[parameters.CLASS_FIELD] or votes.drawings.class_rasters.are_stated:
        consensus, polygons_by_image = _divide_by_class(
            consensus,
            polygons_by_image,
            images,
            ClassRule(settings[parameters.CLASS_RULE]),
            subprogress(progress, 0.8, 1.0),
        )
    image_of_polygon: list[str] = []
    for image, polygons in zip(images, polygons_by_image):
        image_of_polygon += [image.image] * len(polygons)
    return replace(
        consensus, polygons=np.concatenate(polygons_by_image), image_of_polygon=image_of_polygon
    )


def _divide_by_class(
    consensus: Consensus,
    polygons_by_image: list[Objects],
    images: Sequence[ImageVotes],
    rule: ClassRule,
    progress: Progress,
) -> tuple[Consensus, list[Objects]]:
    """Return a consensus with the classes of its polygons, and its polygons divided by class.

    Args:
        consensus: the consensus.
        polygons_by_image: polygons (P,) of the consensus in each image.
        images: votes of each image, with the drawings of the annotators.
        rule: rule by which the ground gets its class.
        progress: called with the fraction done.
    """
    if all(image.votes.grid is not None for image in images):
        marked_by_image = [_select_marked_pixels(consensus, image.window) for image in images]
        classed = classes_of_pixels(
            [image.votes for image in images],
            marked_by_image,
            consensus.votes.names,
            rule,
            progress,
        )
    else:
        classed = _classes_of_polygons(consensus, polygons_by_image, images, rule, progress)
    confusion = classed.confusion
    if consensus.excluded_annotator:
        confusion = confusion.assign(excluded=consensus.excluded_annotator)
    classes = pd.concat([part.table for part in classed.parts], ignore_index=True)
    classed_consensus = replace(
        consensus,
        classes=classes,
        confusion=confusion,
        messages=(*consensus.messages, *classed.messages),
    )
    return classed_consensus, [part.polygons for part in classed.parts]


def _classes_of_polygons(
    consensus: Consensus,
    polygons_by_image: list[Objects],
    images: Sequence[ImageVotes],
    rule: ClassRule,
    progress: Progress,
) -> AreaClassConsensus:
    """Divide the polygons of a consensus by the classes of the crowns that annotators drew.

    Crowns of an excluded annotator have no part in this.

    Args:
        consensus: the consensus.
        polygons_by_image: polygons (P,) of the consensus in each image.
        images: votes of each image, with the drawings of the annotators.
        rule: rule by which the ground gets its class.
        progress: called with the fraction done.
    """
    crowns_by_image = []
    reviewed_by_image = []
    for image in images:
        drawings = image.votes.drawings
        crowns = dict(drawings.crowns)
        crowns.pop(consensus.excluded_annotator, None)
        reviewed = {name: area for name, area in drawings.reviewed_areas.items() if name in crowns}
        crowns_by_image.append(crowns)
        reviewed_by_image.append(reviewed)
    return classes_of_areas(polygons_by_image, crowns_by_image, rule, reviewed_by_image, progress)


def _select_marked_pixels(consensus: Consensus, window: tuple[slice, ...]) -> Bools:
    """Return the pixels (rows, columns) of an image that a consensus marks.

    Args:
        consensus: consensus of all images.
        window: slices of the image's pixels in the array of all images.
    """
    if consensus.is_marked.ndim == 2:
        return consensus.is_marked[window]
    index = np.asarray(consensus.votes.pattern_index)[window]
    return consensus.votes.on_map(consensus.is_marked, index=index)


def _outline_marked_ground(
    consensus: Consensus, votes: CountedVotes, window: tuple[slice, ...], progress: Progress
) -> Objects:
    """Return the connected polygons (P,) that a consensus marks in one image.

    Args:
        consensus: consensus of all images.
        votes: votes of the image, with its faces or its pixels.
        window: slices of the image's units in the array of all images.
        progress: called with the fraction done.
    """
    if votes.grid is None:
        pattern_index = np.asarray(consensus.votes.pattern_index)[window]
        image_table = replace(consensus.votes, pattern_index=pattern_index, faces=votes.table.faces)
        return marked_polygons(image_table, consensus.is_marked, progress)
    is_marked = _select_marked_pixels(consensus, window)
    polygons, _ = polygonise_grid(is_marked.view(np.uint8), is_marked, votes.grid, progress)
    return polygons


def _compose_title(settings: AgreementSettings) -> str:
    """Return a short name of the consensus, or of the consensuses without each annotator."""
    method = describe_method(settings)
    if settings[parameters.EXCLUDE_EACH]:
        return tr("{method}, without each annotator", method=method)
    return method


def _compose_description(votes: CountedVotes, settings: AgreementSettings) -> str:
    """Return a text for the metadata: method, parameters, annotators and unit of counting."""
    parameter_text = describe_parameters(settings)
    if votes.grid is None:
        units = tr("exact areas")
    else:
        units = tr(
            "pixels of {size:g} {unit}",
            size=round(votes.grid.pixel_width, 4),
            unit=votes.grid.working_crs.unit,
        )
    annotators = tr("{count:,} annotators", one="1 annotator", count=votes.table.n_annotators)
    phrases = [
        tr(
            "{method} [{key}]{parameters}, from {people} ({names}), {units}",
            method=parameters.METHOD.label_of(settings[parameters.METHOD]),
            key=settings[parameters.METHOD],
            parameters=f" ({parameter_text})" if parameter_text else "",
            people=annotators,
            names=", ".join(votes.table.names),
            units=units,
        )
    ]
    if AgreementMessage.NO_STUDY_AREA in votes.table.messages:
        phrases.append(tr("no study area"))
    if settings[parameters.EXCLUDE_EACH]:
        phrases.append(tr("one consensus without each of them"))
    return "; ".join(phrases)
