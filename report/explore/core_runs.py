"""Pages to explore the results of the core, for Python and the command line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd
import shapely

from randcrowns.core.arrays import Objects
from randcrowns.core.crowns import Crowns
from randcrowns.core.review.problems import Problems, describe_causes, find_problems
from randcrowns.core.review.verdicts import LayerKey, outline_hashes
from randcrowns.core.scoring.layer import CrownScores
from randcrowns.report.explore.content import ExploredRun, ImagePyramid, Regions
from randcrowns.report.explore.outlines import find_bounds
from randcrowns.report.explore.scored import ExploredScores, ExploredTargets, score_views
from randcrowns.report.language import tr


@dataclass(frozen=True)
class PageTexts:
    """Texts of a page that do not follow from the results.

    Attributes:
        title: what was compared with what.
        provenance: one line with the time and the versions.
        answer: conclusion of the run, a sentence each.
        run_id: identity of the run, stored with the verdicts.
        unit: unit of lengths, ``m`` or ``px``.
    """

    title: str
    provenance: str = ""
    answer: Sequence[str] = ()
    run_id: str = ""
    unit: str = "m"


class ScoredDelineations(NamedTuple):
    """Delineations of a layer and their scores."""

    crowns: Crowns  #: the delineations.
    scores: CrownScores  #: scores of the targets with them.
    #: problems of the crowns; None to find them with the default limits.
    problems: Problems | None = None


def explore_scored_crowns(
    targets: Crowns,
    layers: Sequence[ScoredDelineations],
    texts: PageTexts,
    attributes: pd.DataFrame | None = None,
    image: ImagePyramid | None = None,
) -> ExploredRun:
    """Return the content of a page to explore crowns that were scored.

    Args:
        targets: the n targets.
        layers: the delineation layers with their scores, at least one.
        texts: texts of the page.
        attributes: (n,) further attributes of the targets; None for none.
        image: the image in coordinates of the targets, relative to the origin of the result; None
            without one.

    >>> from randcrowns.core.scoring.layer import score_crowns
    >>> from randcrowns.core.scoring.parameters import RandCrownsParameters
    >>> trees = Crowns([shapely.box(0, 0, 5, 5)], name="trees")
    >>> boxes = Crowns([shapely.box(0, 0, 5, 6)], name="boxes")
    >>> scores = score_crowns(trees, boxes, RandCrownsParameters(0.7, 1.2, 3))
    >>> page = explore_scored_crowns(
    ...     trees, [ScoredDelineations(boxes, scores)], PageTexts("boxes compared with trees")
    ... )
    >>> [view.name for view in page.views], [layer.name for layer in page.layers]
    (['boxes'], ['trees', 'boxes'])
    """
    crowns = pd.DataFrame(
        {
            "target_id": targets.ids,
            "name": [tr("Target {id}", id=number) for number in targets.ids],
            "plot": targets.plots,
            "outline": outline_hashes(targets.geometry),
        }
    )
    if targets.classes is not None:
        crowns["class"] = targets.classes
    if attributes is None:
        attributes = pd.DataFrame(index=crowns.index)
    origin = page_origin(targets.geometry)
    outline_layers, views = score_views(
        ExploredTargets(targets.name, crowns, _shifted(targets.geometry, origin), attributes),
        [_explored_scores(targets, layer, origin) for layer in layers],
    )
    parameters = layers[0].scores.parameters  # None for scores with other regions.
    return ExploredRun(
        id=texts.run_id or texts.title,
        title=texts.title,
        provenance=texts.provenance,
        answer=texts.answer,
        unit=texts.unit,
        layers=outline_layers,
        views=views,
        origin=origin,
        regions=None if parameters is None else Regions.from_parameters(parameters),
        image=image,
    )


def page_origin(outlines: Objects) -> tuple[float, float]:
    """Return the whole coordinates of the lower left corner of outlines; (0, 0) without any."""
    bounds = find_bounds(outlines)
    if bounds is None:
        return 0.0, 0.0
    return float(np.floor(bounds[0])), float(np.floor(bounds[1]))


def _shifted(outlines: Objects, origin: tuple[float, float]) -> Objects:
    """Return outlines in coordinates relative to an origin."""
    shifted: Objects = shapely.transform(
        shapely.force_2d(outlines), lambda vertices: vertices - np.array(origin)
    )
    return shifted


def _explored_scores(
    targets: Crowns, layer: ScoredDelineations, origin: tuple[float, float]
) -> ExploredScores:
    """Return the scores of a delineation layer with problems and outlines.

    Args:
        targets: the targets.
        layer: the delineations and their scores.
        origin: origin of the page.
    """
    crowns, scores, problems = layer
    if problems is None:
        problems = find_problems(targets, crowns, scores)
    has_means = bool((scores.targets["n_delineations"] > 1).any())
    return ExploredScores(
        name=crowns.name,
        keys=(LayerKey("", "", targets.name), LayerKey("", "", crowns.name)),
        targets=_with_problems(scores.targets, problems.cause_columns())[_TARGET_COLUMNS],
        delineations=_delineation_rows(crowns, scores, problems),
        shapes=_shifted(crowns.geometry, origin),
        is_averaged=has_means,
    )


#: Columns of the targets that the page shows.
_TARGET_COLUMNS = [
    *("randcrowns", "iou", "iou_crowns", "status"),
    *("delineation_id", "problem", "cause"),
]


def _with_problems(scores: pd.DataFrame, problems: pd.DataFrame) -> pd.DataFrame:
    """Return scores with the columns ``problem`` and ``cause``."""
    return scores.assign(
        problem=problems["problem"].to_numpy(dtype=object), cause=describe_causes(problems, tr)
    )


def _delineation_rows(crowns: Crowns, scores: CrownScores, problems: Problems) -> pd.DataFrame:
    """Return the delineations of a layer with their names, problems and hashes of outlines."""
    rows = _with_problems(scores.delineations, problems.delineations)
    return rows.assign(
        name=[tr("Delineation {id}", id=number) for number in crowns.ids],
        outline=outline_hashes(crowns.geometry),
    )
