"""A scoring run that goes on: it follows what is drawn, and says how the rows of its table change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
import pandas as pd
from qgis.core import QgsVectorLayer

from randcrowns.algorithms.scoring import choices
from randcrowns.algorithms.scoring.score_crowns import ScoreCrowns, ScoreJob, problem_limits
from randcrowns.algorithms.scoring.tables import spread_of
from randcrowns.core.arrays import Ints
from randcrowns.core.comparison import plots_apart
from randcrowns.core.progress import Progress, part_of, steps
from randcrowns.core.remarks import Remark
from randcrowns.core.review.live import LiveProblems
from randcrowns.core.review.problems import causes
from randcrowns.core.scoring.kept import NO_EDITS, Edits
from randcrowns.core.scoring.layer import SCORES, CrownScores, not_judged, summarise
from randcrowns.core.scoring.live import LiveScores
from randcrowns.core.status import ALL, Status
from randcrowns.layers.vector.geometry import Oddity
from randcrowns.layers.vector.place import Place, read_again
from randcrowns.layers.vector.read import CrownLayer
from randcrowns.layers.words import tr

#: Columns of a crown's row -> those of core's table of targets.
_SCORED = ("target_id", "delineation_id", *SCORES, "status", "distance", "group")


@dataclass(frozen=True)
class Change:
    """How the crowns of one delineation layer changed."""

    #: The targets that are new or whose rows are others: columns as of page Score's table, which are no table, since
    #: pandas takes a millisecond to make one of a row.
    rows: dict[str, Any]
    gone: list[int]  #: ids of targets that are no more.
    unmatched: tuple[int, ...]  #: ids of the delineations that were given to no target.
    overall: dict[str, Any]  #: counts, means and intervals over all targets.


class LiveRun:
    """What a scoring run read and found, kept so that it can follow edits."""

    def __init__(self, job: ScoreJob, place: Place, layers: Sequence[LiveProblems]) -> None:
        self._job, self._area, self._layers = job, place.area, layers
        self._read = place.layers

    @classmethod
    def begin(cls, job: ScoreJob, progress: Progress) -> LiveRun:
        """Read and score everything once; in the background."""
        place = ScoreCrowns().read(job, part_of(progress, 0.0, 0.4))
        targets, *drawn = place.layers
        found: list[LiveProblems] = []
        for layer, share in steps(drawn, part_of(progress, 0.4, 1.0)):
            scores = LiveScores(
                targets.crowns,
                layer.crowns,
                job.lengths,
                job[choices.PAIRING],
                place.area,
                cut=layer.cut,
                search_radius=job[choices.SEARCH_RADIUS] or None,
                beside=found[0].scores if found else None,
                progress=part_of(share, 0.0, 0.7),
            )
            found.append(
                LiveProblems(
                    scores, problem_limits(job), job[choices.ALL_DRAWN], part_of(share, 0.7, 1.0)
                )
            )
        return cls(job, place, found)

    def everything(self) -> list[Change]:
        """All rows as they are now, of each layer of delineations."""
        scores, read = self._layers[0].scores, self._read[0]
        missing = {feature.id() for feature in read.features}.difference(read.crowns.ids.tolist())
        unusable = _unusable(read, sorted(missing.union(read.report.ids(Oddity.OUTSIDE))))
        found = self._rows(scores.targets.in_order())
        return [
            _changed(one, _joined(mine, unusable), []) for one, mine in zip(self._layers, found)
        ]

    def change(self, edited: Mapping[int, tuple[QgsVectorLayer, Sequence[int]]]) -> list[Change]:
        """Take up edits: number of the layer (0: the targets, then the delineations) -> layer and ids of features.

        Called on the main thread. Features that are no more in the layer are deleted crowns.
        """
        edits, unusable, gone = {}, None, list[int]()
        for number, (layer, ids) in edited.items():
            kept = self._read[number]
            snapshot = kept.request.snapshot.of_some(layer, ids)
            now = read_again(kept, snapshot, self._area)
            edits[number] = _edits(now, ids)
            if number == 0:
                there = {feature.id() for feature in now.features}
                gone = [one for one in ids if one not in there]
                unusable = _unusable(now, sorted(there.difference(now.crowns.ids.tolist())))
        targets = edits.get(0, NO_EDITS)
        touched = [
            one.change(targets, edits.get(number, NO_EDITS)).targets
            for number, one in enumerate(self._layers, 1)
        ]
        rows = np.unique(np.concatenate(touched))
        rows = rows[self._layers[0].scores.targets.there[rows]]
        found = self._rows(rows)
        return [
            _changed(one, _joined(mine, unusable), gone) for one, mine in zip(self._layers, found)
        ]

    def summary(self, names: Sequence[str]) -> pd.DataFrame:
        """The summary of all layers, as the run's own has it; with their names."""
        threshold, found = self._job[choices.RANDCROWNS_THRESHOLD], []
        for name, one in zip(names, self._layers):
            targets, drawn = one.scores.tables()
            summary = summarise(targets, drawn, randcrowns_threshold=threshold)
            scores = CrownScores(targets, drawn, summary, pd.DataFrame())
            judged = scores if self._job[choices.ALL_DRAWN] else not_judged(scores)
            found.append(judged.summary.assign(layer=name))
        summary = pd.concat(found, ignore_index=True)
        summary.columns = summary.columns.str.replace(".", "_", regex=False)
        return summary

    def remarks(self, told: Iterable[Remark]) -> list[Remark]:
        """The remarks that a run ``told``, with what is to be said of the plots now."""
        if not self._job[choices.GROUP_FIELD]:
            return list(told)
        both = ((one.scores.targets, one.scores.delineations) for one in self._layers)
        now = (plots_apart(*([kept.some(kept.in_order())] for kept in sides)) for sides in both)
        return [*(remark for remark in told if remark.topic != "plots"), *chain.from_iterable(now)]

    def _rows(self, rows: Ints) -> Iterator[dict[str, Any]]:
        """These targets' rows for each layer of delineations."""
        every = [
            {name: one.scores.of_targets[name][rows] for name in _SCORED} for one in self._layers
        ]
        spread = dict(spread_of(every)) if len(every) > 1 else {}
        for one, scored in zip(self._layers, every):
            problems = {name: values[rows] for name, values in one.of_targets.items()}
            yield {
                **scored,
                "rc_problem": problems["problem"],
                "rc_cause": causes(problems, tr),
                **spread,
            }


def _joined(rows: dict[str, Any], more: pd.DataFrame | None) -> dict[str, Any]:
    return (
        rows
        if more is None
        else dict(pd.concat([pd.DataFrame(rows), more], ignore_index=True).items())
    )


def _changed(one: LiveProblems, rows: dict[str, Any], gone: list[int]) -> Change:
    scores = one.scores
    lone = scores.delineations.there & (scores.of_delineations["status"] != Status.MATCHED.value)
    overall = {"group": ALL, **scores.answer()}
    return Change(rows, gone, tuple(scores.delineations.ids[lone].tolist()), overall)


def _edits(now: CrownLayer, ids: Sequence[int]) -> Edits:
    """What the features of these ids are now; those that are no crowns have no outline."""
    asked = np.array(sorted(set(ids)), dtype=np.int64)
    n, crowns = len(asked), now.crowns
    place = np.searchsorted(asked, crowns.ids)
    found = {"geometry": crowns.geometry, "cut": now.cut, "groups": crowns.groups}
    filled: dict[str, Any] = {}
    for name, values in found.items():
        filled[name] = (
            None if values is None and name != "geometry" else np.full(n, None, dtype=object)
        )
        if values is not None:
            filled[name][place] = values
    return Edits(asked, **filled)


def _unusable(now: CrownLayer, ids: Sequence[int]) -> pd.DataFrame | None:
    """Rows of targets that cannot be scored; None where there are none."""
    if not len(ids):
        return None
    outside = set(now.report.ids(Oddity.OUTSIDE))
    status = [
        (Status.OUTSIDE_EXTENT if one in outside else Status.NO_GEOMETRY).value for one in ids
    ]
    nothing = dict.fromkeys(("rc_problem", "rc_cause", "group"))
    return pd.DataFrame({"target_id": np.array(ids, dtype=np.int64), "status": status, **nothing})
