"""The methods of a consensus: what each makes of the votes, and how it is written down."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
import shapely

from randcrowns.algorithms.agreement import choices
from randcrowns.algorithms.choice import Job
from randcrowns.algorithms.estimation import SIMPLE_RULE, estimation_of
from randcrowns.core.agreement.consensus import METHODS, Estimation, level
from randcrowns.core.agreement.measures import outliers
from randcrowns.core.agreement.notes import Note
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.arrays import Bools, Floats, Objects
from randcrowns.core.progress import Progress
from randcrowns.core.remarks import Remark
from randcrowns.layers.words import filled, tr


def method_parameters(job: Job) -> str:
    """The parameters of the method chosen, in one line: ``rule=deviation, a=1.0``."""
    how = estimation_of(job)
    own: dict[str, dict[str, Any]] = {
        "level": {"level": job[choices.LEVEL]},
        "staple": {
            "prior": how.prior,
            "consensus_units": "assigned" if how.assign_consensus else "estimated",
            "tolerance": 1e-7,
            "max_rounds": 1000,
        },
        "simple": {"rule": how.rule, "a": how.a},
        "lsml": {"clipped": how.clipped, "rounds": how.rounds, "curvature": how.curvature},
    }
    return ", ".join(f"{name}={value}" for name, value in own.get(job[choices.METHOD], {}).items())


def method_title(job: Job) -> str:
    """The method with the choices that tell it from others, for the names of layers: ``STAPLE, prior mean``."""
    key, how = job[choices.METHOD], estimation_of(job)
    if key == "level":
        return tr("at least {share:g}", share=job[choices.LEVEL])
    usual, rule = Estimation(), SIMPLE_RULE.label_of(how.rule)
    named = {"any": tr("prior any"), "mean": tr("prior mean")}
    own: dict[str, list[str]] = {
        "staple": [
            named[how.prior]
            if isinstance(how.prior, str)
            else tr("prior {prior:g}", prior=how.prior),
            tr("agreed places fixed") if how.assign_consensus else "",
        ],
        "simple": []
        if (how.rule, how.a) == (usual.rule, usual.a)
        else [rule, filled("a {a:g}", a=how.a)],
        "lsml": [
            "" if how.clipped else tr("not clipped"),
            ""
            if how.rounds == usual.rounds
            else tr("{count:,} rounds", one="1 round", count=how.rounds),
            ""
            if how.curvature == usual.curvature
            else tr("curvature {weight:g}", weight=how.curvature),
        ],
    }
    return ", ".join(filter(None, [choices.METHOD.label_of(key), *own.get(key, [])]))


@dataclass(frozen=True, eq=False)
class Consensus:
    """What a method made."""

    votes: VoteTable  #: it was made from.
    marked: Bools  #: (M,) marked patterns; for LSML (rows, columns) marked pixels.
    probability: Floats | None = None  #: (M,) of STAPLE; None for the others.
    #: A column per statistic of the annotators; empty where the method judges nobody.
    performance: dict[str, np.ndarray] = field(default_factory=dict)
    notes: tuple[Remark, ...] = ()  #: what to tell the user.
    prior: float = math.nan  #: STAPLE's, as a number; NaN for the others.
    left_out: str = ""  #: the annotator who was left out, if any.
    #: The connected places that are marked, in working metres.
    polygons: Objects = field(default_factory=lambda: np.empty(0, dtype=object))
    images: Sequence[str] = ()  #: the image of each, where there are several.

    @classmethod
    def of(cls, votes: VoteTable, job: Job, progress: Progress) -> Consensus:
        """Make it, without polygons; LSML needs votes with a pattern per pixel."""
        key, how = job[choices.METHOD], estimation_of(job)
        if key == "level":
            return cls(votes, level(votes, job[choices.LEVEL]))
        if key == "staple":
            em = how.told_staple(votes, progress)
            performance = {"sensitivity": em.sensitivity, "specificity": em.specificity}
            return cls(votes, em.marked, em.probability, performance, em.notes, em.prior)
        if key == "simple":
            vote = how.simple(votes)
            performance = {"overlap": vote.performance, "kept": vote.kept.astype(int)}
            return cls(votes, vote.marked, None, performance, vote.notes)
        if key == "lsml":
            return cls._contour(votes, how, progress)
        if key == "excl-0.5":
            kept = (~outliers(votes)).astype(int)
            notes = (Note.TOO_FEW_FOR_OUTLIERS,) if votes.n_annotators < 3 else ()
            return cls(votes, METHODS[key](votes), None, {"kept": kept}, notes)
        return cls(votes, METHODS[key](votes))

    @classmethod
    def _contour(cls, votes: VoteTable, how: Estimation, progress: Progress) -> Consensus:
        stack = [votes.on_map(votes.patterns[:, k]) for k in range(votes.n_annotators)]
        found = how.level_set(
            votes, stack, np.asarray(votes.index) >= len(votes.patterns), progress
        )
        performance = {"sensitivity": found.sensitivity, "specificity": found.specificity}
        return cls(votes, found.marked, None, performance, found.notes)

    @property
    def area(self) -> float:
        """Square metres marked."""
        return float(shapely.area(self.polygons).sum())

    @property
    def beyond(self) -> float:
        """Square metres marked that no annotator marked."""
        nobody = self.votes.yes_votes == 0
        if self.marked.ndim == 2:
            return float((self.marked & self.votes.on_map(nobody)).sum() * self.votes.unit)
        return float(self.votes.weights[self.marked & nobody].sum())

    def performance_frame(self) -> pd.DataFrame:
        """A row per annotator."""
        names = np.array(self.votes.names, dtype=object)
        return pd.DataFrame({"annotator": names, **self.performance}).assign(left_out=self.left_out)
