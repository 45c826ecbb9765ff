"""The problems of crowns that follow edits, as their scores do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import shapely

from randcrowns.core.arrays import Array, Ints
from randcrowns.core.instances.overlap import OverlapTable, overlap_of, polygon_overlap
from randcrowns.core.progress import Progress, no_progress
from randcrowns.core.review.problems import SCORED, ProblemLimits, lone_problems, problem_columns
from randcrowns.core.scoring.kept import NO_EDITS, Edits, RowTable, covering
from randcrowns.core.scoring.live import LiveScores, Touched, put_columns
from randcrowns.core.status import Status

_USUAL = ProblemLimits()


class LiveProblems:
    """The problem of every target and lone delineation, kept while crowns are edited.

    Args:
        scores: those of the crowns, which follow the same edits.
        limits: from where on something is a problem.
        all_drawn: False where delineations without a target are not judged.

    >>> import shapely
    >>> from randcrowns.core.crowns import Crowns
    >>> from randcrowns.core.scoring.parameters import RandCrownsParameters
    >>> tree, drawn = shapely.box(0, 0, 5, 5), shapely.box(0, 0, 9, 9)
    >>> live = LiveProblems(LiveScores(Crowns([tree]), Crowns([drawn]), RandCrownsParameters(0.7, 1.2, 3)))
    >>> before = live.of_targets["problem"].tolist()
    >>> touched = live.change(delineations=Edits(np.array([0]), np.array([tree])))
    >>> before, live.of_targets["problem"].tolist()
    (['too large'], ['none'])
    """

    def __init__(
        self,
        scores: LiveScores,
        limits: ProblemLimits = _USUAL,
        all_drawn: bool = True,
        progress: Progress = no_progress,
    ) -> None:
        self.scores, self._limits, self._all_drawn = scores, limits, all_drawn
        every = [np.arange(len(side)) for side in (scores.targets, scores.delineations)]
        found = polygon_overlap(
            scores.targets.some(every[0]), scores.delineations.some(every[1]), progress
        )
        self._shared = RowTable(
            {"target": found.target, "delineation": found.prediction, "shared": found.shared}
        )
        #: The columns of :attr:`randcrowns.core.review.problems.Problems.targets`, by row.
        self.of_targets: dict[str, Any] = {}
        self._tabulate(every[0])

    def change(self, targets: Edits = NO_EDITS, delineations: Edits = NO_EDITS) -> Touched:
        """Take up edits: score what they changed, and find its problems."""
        scores, shared = self.scores, self._shared
        touched = scores.change(targets, delineations)
        n, m = len(scores.targets), len(scores.delineations)
        edited = (("target", touched.moved, n), ("delineation", touched.drawn, m))
        old = np.unique(np.concatenate([shared.of(*of) for of in edited]))
        was = shared.some(old)
        new = [{name: values[:0] for name, values in was.items()}, *self._overlaps(touched)]
        shared.replace(old, {name: np.concatenate([part[name] for part in new]) for name in was})
        now = shared.some(np.unique(np.concatenate([shared.of(*of) for of in edited])))
        near = covering(m + 1, was["delineation"], now["delineation"])
        look = covering(n, touched.targets, was["target"], now["target"])
        look |= near[scores.match]  # another target that a delineation covers too
        rows = np.flatnonzero(look)
        self._tabulate(rows)
        return touched._replace(targets=rows)

    def problems_of(self, delineations: Ints) -> Array:
        """The problems of these rows of delineations; None for those that serve a target."""
        status = self.scores.of_delineations["status"][delineations].copy()
        if not self._all_drawn:
            status[status == Status.UNMATCHED.value] = Status.NOT_JUDGED.value
        return lone_problems(status)

    def _overlaps(self, touched: Touched) -> Iterator[dict[str, Array]]:
        """What the edited crowns share with others now, each pair once."""
        one, other = self.scores.targets, self.scores.delineations
        for row in touched.moved[one.there[touched.moved]]:
            yield self._overlap(np.array([row]), other.meeting(one, row))
        for row in touched.drawn[other.there[touched.drawn]]:
            yield self._overlap(
                np.setdiff1d(one.meeting(other, row), touched.moved), np.array([row])
            )

    def _overlap(self, targets: Ints, delineations: Ints) -> dict[str, Array]:
        """Of these crowns, which all meet one another."""
        one, other = self.scores.targets.some(targets), self.scores.delineations.some(delineations)
        found = overlap_of(one, other, *np.indices((len(one), len(other))).reshape(2, -1))
        return {
            "target": targets[found.target],
            "delineation": delineations[found.prediction],
            "shared": found.shared,
        }

    def _tabulate(self, rows: Ints) -> None:
        """Find the problems of these targets, from what their delineations share with them and with other targets."""
        scores, n, m = self.scores, len(self.scores.targets), len(self.scores.delineations)
        rows = rows[scores.targets.there[rows]]
        match = scores.match[rows]
        of_match = self._shared.of("delineation", match[match >= 0], m)
        some = self._shared.some(np.union1d(self._shared.of("target", rows, n), of_match))
        mine, theirs = (
            np.union1d(rows, some["target"]),
            np.union1d(match[match >= 0], some["delineation"]),
        )
        of_target, of_drawn = _places(mine, n), _places(theirs, m + 1)
        target, drawn = of_target[some["target"]], of_drawn[some["delineation"]]
        order = np.lexsort((drawn, target))
        targets, delineations = scores.targets.some(mine), scores.delineations.some(theirs)
        sizes = (shapely.area(one.geometry) for one in (targets, delineations))
        overlap = OverlapTable(target[order], drawn[order], some["shared"][order], *sizes)
        columns = {name: scores.of_targets[name][mine] for name in SCORED}
        found = problem_columns(
            targets, delineations, overlap, of_drawn[scores.match[mine]], columns, self._limits
        )
        put_columns(
            self.of_targets,
            {name: values[of_target[rows]] for name, values in found.items()},
            rows,
            n,
        )


def _places(rows: Ints, length: int) -> Ints:
    """(length,) the place of each row among these, -1 of the others."""
    found = np.full(length, -1, dtype=np.int64)
    found[rows] = np.arange(len(rows))
    return found
