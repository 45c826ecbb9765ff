"""Consensus crown by crown: calls of the core, and the results of a run."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd
import shapely

from randcrowns.algorithms.agreement.consensus_methods import describe_method, describe_parameters
from randcrowns.algorithms.agreement.schema import outputs, parameters
from randcrowns.algorithms.agreement.schema.parameters import AgreementSettings
from randcrowns.algorithms.agreement.vote_counting import DrawingSite
from randcrowns.algorithms.crown_algorithm import RunResults
from randcrowns.algorithms.estimation_parameters import read_estimation
from randcrowns.algorithms.multiple_images import check_same_crs, merge_messages
from randcrowns.algorithms.output_types import UNIT
from randcrowns.algorithms.parameter_types import RunSettings
from randcrowns.core.agreement.checks import too_few_to_exclude_error
from randcrowns.core.agreement.consensus_of_crowns import (
    CrownConsensus,
    CrownConsensusOptions,
    crown_consensus,
    remainder_messages,
)
from randcrowns.core.arrays import Objects
from randcrowns.core.classes.consensus import ClassRule, classes_of_consensuses
from randcrowns.core.crowns import Crowns
from randcrowns.core.messages import Message, info
from randcrowns.core.progress import Progress, iterate_with_progress, subprogress
from randcrowns.layers.crs import WorkingCrs
from randcrowns.layers.localization import tr
from randcrowns.layers.vector.geometry import to_map_geometries
from randcrowns.layers.vector.tables import FeatureTable


@dataclass(frozen=True, eq=False)
class CrownDrawings:
    """Crowns of all annotators on one or several images."""

    sites: dict[str, DrawingSite]  #: drawings by image or plot; of a single image under "".
    messages: list[Message]  #: messages about the input.

    @classmethod
    def merge(cls, sites: dict[str, DrawingSite]) -> CrownDrawings:
        """Return the drawings of all images with their messages.

        Raises:
            InputError: if the images are in different coordinate reference systems.
        """
        check_same_crs({image: site.working_crs for image, site in sites.items()})
        if len(sites) == 1:
            return cls(sites, next(iter(sites.values())).messages)
        return cls(sites, merge_messages({image: site.messages for image, site in sites.items()}))

    @property
    def names(self) -> list[str]:
        """Names of the annotators."""
        return next(iter(self.sites.values())).names

    @property
    def working_crs(self) -> WorkingCrs:
        """Coordinate reference system of all drawings."""
        return next(iter(self.sites.values())).working_crs


class ImageConsensus(NamedTuple):
    """Consensus of one image, perhaps without an annotator."""

    image: str  #: name of the image or plot; "" for a single image.
    excluded: str  #: name of the excluded annotator; "" if nobody was excluded.
    n_annotators: int  #: number of annotators that the consensus was made from.
    result: CrownConsensus  #: the consensus.


@dataclass(frozen=True, eq=False)
class CrownConsensuses:
    """Consensuses of all images, or those without each annotator."""

    parts: list[ImageConsensus]  #: a consensus per excluded annotator and image.
    messages: list[Message]  #: messages about crowns that are not used.
    #: How annotators confuse classes, a row per annotator and pair of classes; maybe without rows.
    confusion: pd.DataFrame

    @property
    def n_crowns(self) -> int:
        """Number of crowns of all consensuses."""
        return sum(len(part.result.crowns) for part in self.parts)

    @property
    def n_doubtful(self) -> int:
        """Number of trees that too few annotators drew."""
        return sum(len(part.result.doubtful) for part in self.parts)


def make_crown_consensuses(
    drawings: CrownDrawings, settings: AgreementSettings, progress: Progress
) -> CrownConsensuses:
    """Make the consensus of each image, or one without each annotator.

    Args:
        drawings: crowns of the annotators in each image.
        settings: settings of the run.
        progress: receives the fraction done.

    Raises:
        InputError: if an annotator is to be excluded but there is only one.
    """
    options = read_crown_options(settings)
    cases = []
    for excluded in _list_excluded_annotators(drawings, settings):
        for image, site in drawings.sites.items():
            cases.append((excluded, image, site))

    consensuses = []
    messages: list[Message] = []
    consensus_progress = subprogress(progress, 0.0, 0.9)
    for (excluded, image, site), share in iterate_with_progress(cases, consensus_progress):
        crowns = _select_included_crowns(site, excluded)
        reviewed = {name: area for name, area in site.reviewed_areas.items() if name in crowns}
        result = crown_consensus(
            crowns, options, site.remaining_area, reviewed=reviewed, progress=share
        )
        consensuses.append(ImageConsensus(image, excluded, len(crowns), result))
        messages += result.messages
    confusion = pd.DataFrame()
    if settings[parameters.CLASS_FIELD]:
        rule = ClassRule(settings[parameters.CLASS_RULE])
        consensuses, confusion = _add_classes(
            consensuses, drawings, rule, subprogress(progress, 0.9, 1.0)
        )
    messages += remainder_messages([part.result.table for part in consensuses])
    # Equal messages of several images are one message.
    distinct_messages = list(dict.fromkeys(messages))
    return CrownConsensuses(consensuses, distinct_messages, confusion)


def _select_included_crowns(site: DrawingSite, excluded: str) -> dict[str, Crowns]:
    """Return the crowns of an image by annotator, without the excluded one ("" for none)."""
    return {name: crowns for name, crowns in site.crowns.items() if name != excluded}


def _add_classes(
    consensuses: list[ImageConsensus],
    drawings: CrownDrawings,
    rule: ClassRule,
    progress: Progress,
) -> tuple[list[ImageConsensus], pd.DataFrame]:
    """Return consensuses with classes, and how annotators confuse them.

    The images of a consensus are rated together, apart for each excluded annotator.

    Args:
        consensuses: consensuses without classes, those without the same annotator in succession.
        drawings: crowns of the annotators in each image.
        rule: rule by which a crown gets its class.
        progress: receives the fraction done.
    """
    classed_consensuses: list[ImageConsensus] = []
    confusions = []
    # dict.fromkeys drops repeated names and keeps the order.
    excluded_annotators = list(dict.fromkeys(consensus.excluded for consensus in consensuses))
    for excluded, share in iterate_with_progress(excluded_annotators, progress):
        images = [consensus for consensus in consensuses if consensus.excluded == excluded]
        crowns = []
        for consensus in images:
            site = drawings.sites[consensus.image]
            crowns.append(_select_included_crowns(site, excluded))
        results = [consensus.result for consensus in images]
        rated = classes_of_consensuses(results, crowns, rule, share)
        for consensus, classed_result in zip(images, rated.parts):
            classed_consensuses.append(consensus._replace(result=classed_result))
        confusions.append(rated.confusion.assign(excluded=excluded))
    return classed_consensuses, pd.concat(confusions, ignore_index=True)


def read_crown_options(settings: RunSettings) -> CrownConsensusOptions:
    """Return the options of the consensus from the settings of a run."""
    return CrownConsensusOptions(
        match_iou=settings[parameters.MATCH_IOU],
        rule=settings[parameters.VOTE_RULE],
        outline=settings[parameters.OUTLINE],
        estimation=read_estimation(settings),
    )


def _list_excluded_annotators(drawings: CrownDrawings, settings: AgreementSettings) -> list[str]:
    """Return the name of the annotator that each consensus excludes; [""] to exclude nobody."""
    if not settings[parameters.EXCLUDE_EACH]:
        return [""]
    if len(drawings.names) < 2:
        raise too_few_to_exclude_error()
    return drawings.names


def build_crown_results(
    settings: AgreementSettings, drawings: CrownDrawings, consensuses: CrownConsensuses
) -> RunResults:
    """Return the layers, the values and the conclusion of a run.

    Args:
        settings: settings of the run.
        drawings: crowns of the annotators.
        consensuses: one consensus, or one without each annotator, of each image.
    """
    title = describe_method(settings)
    marked = math.nan
    marked_by_nobody = math.nan
    if settings[parameters.EXCLUDE_EACH]:
        title = tr("{method}, without each annotator", method=title)
    else:
        areas = [shapely.area(part.result.crowns).sum() for part in consensuses.parts]
        marked = float(sum(areas))
        # An outline never reaches beyond the crowns that it was made from.
        marked_by_nobody = 0.0
    tables = {
        outputs.CONSENSUS: _create_consensus_table(settings, drawings, consensuses),
        outputs.LOOK_AGAIN: _create_doubtful_table(settings, drawings, consensuses),
    }
    if len(consensuses.confusion):
        class_performance = outputs.CLASS_PERFORMANCE.create_table(consensuses.confusion)
        tables[outputs.CLASS_PERFORMANCE] = class_performance
    values = {
        "MARKED": marked,
        "MARKED_BY_NOBODY": marked_by_nobody,
        "PRIOR_USED": math.nan,
        "TITLE": title,
        "METHOD_USED": _describe_consensus(settings, drawings),
        UNIT.id: drawings.working_crs.unit,
    }
    conclusion = conclude_crowns(title, consensuses.n_crowns, consensuses.n_doubtful)
    return RunResults(tables, values, headline=[conclusion])


def _create_consensus_table(
    settings: AgreementSettings, drawings: CrownDrawings, consensuses: CrownConsensuses
) -> FeatureTable:
    """Return a row per crown of the consensuses.

    Args:
        settings: settings of the run, with the method.
        drawings: crowns of the annotators, for their coordinate reference system.
        consensuses: consensuses of all images.
    """
    rows = _stack_tables(consensuses, lambda result: result.table)
    crowns = _stack_geometries(consensuses, lambda result: result.crowns)
    rows = rows.assign(
        area=shapely.area(crowns),
        method=settings[parameters.METHOD],
        parameters=describe_parameters(settings),
    )
    geometries = to_map_geometries(crowns, drawings.working_crs, settings.crs)
    return outputs.CONSENSUS.create_table(rows, geometries, settings.crs)


def _create_doubtful_table(
    settings: AgreementSettings, drawings: CrownDrawings, consensuses: CrownConsensuses
) -> FeatureTable:
    """Return a row per tree that gives no crown.

    Args:
        settings: settings of the run, with the method.
        drawings: crowns of the annotators, for their coordinate reference system.
        consensuses: consensuses of all images.
    """
    rows = _stack_tables(consensuses, lambda result: result.doubtful_table)
    unions = _stack_geometries(consensuses, lambda result: result.doubtful)
    geometries = to_map_geometries(unions, drawings.working_crs, settings.crs)
    return outputs.LOOK_AGAIN.create_table(
        rows.drop(columns="annotators"), geometries, settings.crs
    )


def _stack_tables(
    consensuses: CrownConsensuses, select: Callable[[CrownConsensus], pd.DataFrame]
) -> pd.DataFrame:
    """Return a table of all consensuses, with image and excluded annotator if there are any."""
    tables = []
    for part in consensuses.parts:
        table = select(part.result).assign(annotators=part.n_annotators)
        if part.excluded:
            table = table.assign(excluded=part.excluded)
        if part.image:
            table = table.assign(image=part.image)
        tables.append(table)
    return pd.concat(tables, ignore_index=True)


def _stack_geometries(
    consensuses: CrownConsensuses, select: Callable[[CrownConsensus], Objects]
) -> Objects:
    """Return the geometries of all consensuses in the order of the table's rows."""
    return np.concatenate([select(part.result) for part in consensuses.parts])


def _describe_consensus(settings: AgreementSettings, drawings: CrownDrawings) -> str:
    """Return a text for the metadata: method, parameters and annotators."""
    parts = [
        tr(
            "{method} [{key}] ({parameters}), from {people} ({names})",
            method=parameters.METHOD.label_of(settings[parameters.METHOD]),
            key=settings[parameters.METHOD],
            parameters=describe_parameters(settings),
            people=tr("{count:,} annotators", one="1 annotator", count=len(drawings.names)),
            names=", ".join(drawings.names),
        )
    ]
    if settings[parameters.EXCLUDE_EACH]:
        parts.append(tr("one consensus without each of them"))
    return "; ".join(parts)


def conclude_crowns(title: str, n_crowns: int, n_doubtful: int) -> Message:
    """Return the numbers of crowns of a consensus and of trees to look at again.

    Args:
        title: short name of the consensus.
        n_crowns: number of its crowns.
        n_doubtful: number of trees without a crown.
    """
    return info(
        "headline.crown_consensus",
        "Consensus: {method}: {count:,} crowns; {doubtful:,} trees that too few annotators drew.",
        one="Consensus: {method}: 1 crown; {doubtful:,} trees that too few annotators drew.",
        method=title,
        count=n_crowns,
        doubtful=n_doubtful,
    )
