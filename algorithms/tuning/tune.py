"""randcrowns:tuneparameters: alpha, omega and gamma with the least variance between annotators."""

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

#: Symbol in sentences by the column of the grid: alpha, omega and gamma.
_SYMBOLS = {str(choice.kept): choice.symbol for choice in GRID_CHOICES}


class TuneParameters(ExperimentAlgorithm):
    """Algorithm that ranks sets of parameters by the variance between annotators."""

    entry = TUNE_PARAMETERS
    help = (
        tr(
            "Scores every set of a grid of alpha, omega and gamma by the variance of RandCrowns "
            "between annotators (Stewart et al. 2021, Table III). A low variance means that the "
            "score hardly depends on who drew the target."
        ),
        tr(
            "A set that scores all pairs near one has no variance either (Fig. 3). Therefore a set "
            "is refused, with the reason, if wrong pairs score high, if right pairs score no "
            "higher, or if more than half of the right pairs score 0. The other sets are ranked "
            "over the same targets."
        ),
        *(choices.LIMIT, choices.MOST_LEFT_OUT),
        tr(
            "<b>Annotators.</b> Three or more layers; or two and targets drawn in the field; or "
            "one, of which warped copies are made."
        ),
        tr(
            "<b>Grid.</b> Values to try for alpha, omega and gamma: numbers with spaces between "
            "them, or first:last:step, such as 0.1:1.0:0.1. The scores of the grid are "
            "interpolated, within 0.001 of direct ones. The best set is scored again directly."
        ),
    )
    shares = (0.12, 0.9)
    choices, outputs, values, showing = TUNE_CHOICES, TUNE_OUTPUTS, TUNE_VALUES, SEARCH_SHOWN

    def check_early(self, given: Given) -> None:
        """Raise InputError if there is no annotator, or the grid is invalid or too large."""
        super().check_early(given)
        _check_grid(given)

    def take(self, given: Given) -> ExperimentJob:
        """Return the settings of a run, with messages on values that no step reaches."""
        # A model does not call check_early.
        _check_grid(given)
        messages = [message for choice in GRID_CHOICES for message in choice.untried(given)]
        return replace(super().take(given), remarks=messages)

    def compute(self, job: ExperimentJob, read: ReadAnnotators, progress: Progress) -> GridSearch:
        """Score and rank all sets of the grid."""
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
        """Return the tables, the heat map if it is requested, the best set and the conclusion."""
        from randcrowns.layers.styles.figures import variance_picture

        conclusion = [*read.origin, *_conclusion(found)]
        direct_summary = pd.DataFrame() if found.direct is None else found.direct.summary
        tables = {
            outputs.GRID: outputs.GRID.table(found.grid),
            outputs.RECOMMENDED: outputs.RECOMMENDED.table(found.recommended),
            outputs.BEST_VARIANCE: outputs.BEST_VARIANCE.table(direct_summary),
        }
        messages = list(conclusion)
        best_values = (math.nan, math.nan, math.nan)
        if found.best is None:
            messages.append(
                warning("tuning.none_offered", "Try another threshold or a wider grid.")
            )
        else:
            best_values = (found.best.alpha, found.best.omega, found.best.gamma)
        files: dict[Output, MadeFile] = {}
        file_format = self.asked_for(outputs.HEATMAP_FILE)
        if file_format:
            files[outputs.HEATMAP_FILE] = variance_picture(
                found.grid, file_format, progress, self.record.line
            )
            messages += _missing_panel_messages(found.grid)
        values = {
            **dict(zip([value.id for value in outputs.BEST], best_values)),
            "FINDING": " ".join(sentences(conclusion)),
        }
        return Made(tables, values, files, messages, conclusion)


def _check_grid(given: Given) -> None:
    """Raise InputError if a range of values is invalid or the grid has too many sets."""
    refuse(too_many_sets(math.prod(len(given[choice]) for choice in GRID_CHOICES)))


def _missing_panel_messages(grid: pd.DataFrame) -> list[Remark]:
    """Return a note if the heat map cannot show every value of gamma in the grid."""
    from randcrowns.layers.styles.figures import MOST_PANELS

    n_gammas = grid["gamma"].nunique()
    if n_gammas <= MOST_PANELS:
        return []
    text = "The picture shows {shown} of the {all} values of gamma; the table has them all."
    return [note("picture.panels", text, shown=MOST_PANELS, all=n_gammas)]


def _conclusion(found: GridSearch) -> list[Remark]:
    """Return the best set and its variance, or why no set can be chosen."""
    if found.best is None or found.direct is None:
        return [] if found.nothing is None else [found.nothing]
    best_set = info(
        "finding.offered",
        "{offered:,} of {sets:,} sets can be chosen; the best is alpha {alpha:g} m, omega "
        "{omega:g} m, gamma {gamma:g}.",
        offered=found.grid["rank"].notna().sum(),
        sets=len(found.grid),
        **{name: getattr(found.best, name) for name in _SYMBOLS},
    )
    return [best_set, *_edge_messages(found), *finding(found.direct)]


def _edge_messages(found: GridSearch) -> list[Remark]:
    """Return a caution if the best set has the first or last of several values of a parameter."""
    symbols_at_edge = []
    for name, symbol in _SYMBOLS.items():
        first = found.grid[name].min()
        last = found.grid[name].max()
        if first < last and getattr(found.best, name) in (first, last):
            symbols_at_edge.append(symbol)
    if not symbols_at_edge:
        return []
    text = "It lies at the edge of the grid ({names}), so look at its crowns before you use it."
    return [info("finding.edge", text, names=symbols_at_edge)]
