"""randcrowns:tuneparameters - alpha, omega and gamma chosen by the variance between annotators."""

from __future__ import annotations

import math
from dataclasses import replace

import pandas as pd

from randcrowns.algorithms.base import Made
from randcrowns.algorithms.catalogue import TUNE_PARAMETERS
from randcrowns.algorithms.choice import Given, refuse
from randcrowns.algorithms.choices import CORNERS
from randcrowns.algorithms.output import Output
from randcrowns.algorithms.outputs import MadeFile
from randcrowns.algorithms.tuning import choices, outputs
from randcrowns.algorithms.tuning.choices import GRID_CHOICES, TUNE_CHOICES, too_many_sets
from randcrowns.algorithms.tuning.experiment import (
    ExperimentAlgorithm,
    ExperimentJob,
    ReadAnnotators,
    finding,
)
from randcrowns.algorithms.tuning.outputs import TUNE_OUTPUTS, TUNE_VALUES
from randcrowns.algorithms.tuning.showing import SEARCH_SHOWN
from randcrowns.core.progress import Progress
from randcrowns.core.remarks import Remark, info, note, warning
from randcrowns.core.tuning.search import GridSearch, grid_search
from randcrowns.layers.words import sentences, tr


class TuneParameters(ExperimentAlgorithm):
    entry = TUNE_PARAMETERS
    help = (
        tr(
            "Scores every set of a grid of alpha, omega and gamma by the variance of RandCrowns between annotators "
            "(Stewart et al. 2021, Table III): a low variance means that the score hardly depends on who drew the "
            "target."
        ),
        tr(
            "A set that scores everything near one has no variance either (Fig. 3). So a set is refused, with the "
            "reason, where wrong pairs score high, right pairs no higher, or more than half of the right ones 0. The "
            "others are ranked over the same targets."
        ),
        *(choices.LIMIT, choices.MOST_LEFT_OUT),
        tr(
            "<b>Annotators.</b> Three or more layers; or two and targets drawn in the field; or one, of which warped "
            "copies are made."
        ),
        tr(
            "<b>Grid.</b> Of each length the values to try: numbers with spaces between them, or first:last:step, such "
            "as 0.1:1.0:0.1. The scores of the grid are interpolated, within 0.001 of direct ones; the best set is "
            "scored again directly."
        ),
    )
    shares = (0.12, 0.9)
    choices, outputs, values, showing = TUNE_CHOICES, TUNE_OUTPUTS, TUNE_VALUES, SEARCH_SHOWN

    def check_early(self, given: Given) -> None:
        super().check_early(given)
        _check_grid(given)

    def take(self, given: Given) -> ExperimentJob:
        _check_grid(given)  # a model does not check the values first
        untried = [remark for choice in GRID_CHOICES for remark in choice.untried(given)]
        return replace(super().take(given), remarks=untried)

    def compute(self, job: ExperimentJob, read: ReadAnnotators, progress: Progress) -> GridSearch:
        return grid_search(
            read.annotators,
            *(job[choice] for choice in GRID_CHOICES),
            targets=read.targets,
            extent=read.place.area,
            limit=job[choices.LIMIT],
            most_excluded=job[choices.MOST_LEFT_OUT] / 100,
            min_iou=job[choices.MIN_IOU],
            offsets=job[CORNERS],
            progress=progress,
        )

    def tables(
        self, job: ExperimentJob, read: ReadAnnotators, found: GridSearch, progress: Progress
    ) -> Made:
        from randcrowns.layers.styles.figures import variance_picture

        said = [*read.origin, *_said(found)]
        direct = pd.DataFrame() if found.direct is None else found.direct.summary
        tables = {
            outputs.GRID: outputs.GRID.table(found.grid),
            outputs.RECOMMENDED: outputs.RECOMMENDED.table(found.recommended),
            outputs.BEST_VARIANCE: outputs.BEST_VARIANCE.table(direct),
        }
        remarks = list(said)
        if found.best is None:
            remarks.append(warning("tuning.none_offered", "Try another threshold or a wider grid."))
        files: dict[Output, MadeFile] = {}
        kind = self.asked_for(outputs.HEATMAP_FILE)
        if kind:
            files[outputs.HEATMAP_FILE] = variance_picture(
                found.grid, kind, progress, self.record.line
            )
            remarks += _not_shown(found.grid)
        best = found.best
        chosen = (math.nan,) * 3 if best is None else (best.alpha, best.omega, best.gamma)
        values = {
            **dict(zip([value.id for value in outputs.BEST], chosen)),
            "FINDING": " ".join(sentences(said)),
        }
        return Made(tables, values, files, remarks, said)


def _not_shown(grid: pd.DataFrame) -> list[Remark]:
    from randcrowns.layers.styles.figures import MOST_PANELS

    number = grid["gamma"].nunique()
    said = "The picture shows {shown} of the {all} values of gamma; the table has them all."
    return (
        [note("picture.panels", said, shown=MOST_PANELS, all=number)]
        if number > MOST_PANELS
        else []
    )


def _check_grid(given: Given) -> None:
    refuse(too_many_sets(math.prod(len(given[choice]) for choice in GRID_CHOICES)))


#: Column of the grid -> what sentences call it.
_SYMBOLS = {str(choice.kept): choice.symbol for choice in GRID_CHOICES}


def _said(found: GridSearch) -> list[Remark]:
    if found.best is None or found.direct is None:
        return [] if found.nothing is None else [found.nothing]
    offered = info(
        "finding.offered",
        "{offered:,} of {sets:,} sets can be chosen; the best is alpha {alpha:g} m, omega {omega:g} m, gamma "
        "{gamma:g}.",
        offered=found.grid["rank"].notna().sum(),
        sets=len(found.grid),
        **{name: getattr(found.best, name) for name in _SYMBOLS},
    )
    return [offered, *_edge(found), *finding(found.direct)]


def _edge(found: GridSearch) -> list[Remark]:
    ends = {name: (found.grid[name].min(), found.grid[name].max()) for name in _SYMBOLS}
    at_edge = [
        name
        for name, (low, high) in ends.items()
        if low < high and getattr(found.best, name) in (low, high)
    ]
    said = "It lies at the edge of the grid ({names}), so look at its crowns before you use it."
    return (
        [info("finding.edge", said, names=[_SYMBOLS[name] for name in at_edge])] if at_edge else []
    )
