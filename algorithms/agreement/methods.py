"""The methods of a consensus: what each makes of the votes, and how it is written down."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
import shapely

from randcrowns.algorithms.agreement import choices
from randcrowns.algorithms.choice import Job
from randcrowns.core.agreement.consensus import METHODS, level, simple
from randcrowns.core.agreement.lsml import level_set
from randcrowns.core.agreement.measures import outliers
from randcrowns.core.agreement.notes import Note
from randcrowns.core.agreement.staple_em import staple
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.arrays import Bools, Floats, Objects
from randcrowns.core.progress import Progress
from randcrowns.core.remarks import Remark
from randcrowns.layers.words import counted, tr


def method_parameters(job: Job) -> str:
    """The parameters of the method chosen, in one line: ``rule=deviation, a=1.0``."""
    own: dict[str, dict[str, Any]] = {
        "level": {"level": job[choices.LEVEL]},
        "staple": {
            "prior": _prior(job),
            "consensus_units": "assigned" if job[choices.ASSIGN_CONSENSUS] else "estimated",
            "tolerance": 1e-7,
            "max_rounds": 1000,
        },
        "simple": {"rule": job[choices.SIMPLE_RULE], "a": job[choices.SIMPLE_A]},
        "lsml": {"clipped": job[choices.CLIPPED], "rounds": job[choices.ROUNDS], "curvature": job[choices.CURVATURE]},
    }
    return ", ".join(f"{name}={value}" for name, value in own.get(job[choices.METHOD], {}).items())


def method_title(job: Job) -> str:
    """The method with the choices that tell it from others, for the names of layers: ``STAPLE, prior mean``."""
    key, prior = job[choices.METHOD], _prior(job)
    if key == "level":
        return tr("at least {share:g}", share=job[choices.LEVEL])
    rule, a = job[choices.SIMPLE_RULE], job[choices.SIMPLE_A]
    rounds, weight = job[choices.ROUNDS], job[choices.CURVATURE]
    usual = rule == choices.SIMPLE_RULE.default and a == choices.SIMPLE_A.default
    own: dict[str, list[str]] = {
        "staple": [
            tr("prior {prior}", prior=prior if isinstance(prior, str) else f"{prior:g}"),
            tr("agreed places fixed") if job[choices.ASSIGN_CONSENSUS] else "",
        ],
        "simple": [] if usual else [rule, f"a {a:g}"],
        "lsml": [
            "" if job[choices.CLIPPED] else tr("not clipped"),
            "" if rounds == choices.ROUNDS.default else counted(rounds, tr("round"), tr("rounds")),
            "" if weight == choices.CURVATURE.default else tr("curvature {weight:g}", weight=weight),
        ],
    }
    return ", ".join(filter(None, [choices.METHOD.label_of(key), *own.get(key, [])]))


def _prior(job: Job) -> str | float:
    return job[choices.PRIOR_VALUE] if job[choices.PRIOR] == "number" else job[choices.PRIOR]


@dataclass(frozen=True, eq=False)
class Consensus:
    """What a method made.

    Attributes:
        votes: it was made from.
        marked: (M,) marked patterns; for LSML (rows, columns) marked pixels.
        probability: (M,) of STAPLE; None for the others.
        performance: a column per statistic of the annotators; empty where the method judges nobody.
        notes: what to tell the user.
        prior: STAPLE's, as a number; NaN for the others.
        left_out: the annotator who was left out, if any.
        polygons: the connected places that are marked, in working metres.
    """

    votes: VoteTable
    marked: Bools
    probability: Floats | None = None
    performance: dict[str, np.ndarray] = field(default_factory=dict)
    notes: tuple[Remark, ...] = ()
    prior: float = math.nan
    left_out: str = ""
    polygons: Objects = field(default_factory=lambda: np.empty(0, dtype=object))

    @classmethod
    def of(cls, votes: VoteTable, job: Job, progress: Progress) -> Consensus:
        """Make it, without polygons; LSML needs votes with a pattern per pixel."""
        key = job[choices.METHOD]
        if key == "level":
            return cls(votes, level(votes, job[choices.LEVEL]))
        if key == "staple":
            em = staple(votes, _prior(job), assign_consensus=job[choices.ASSIGN_CONSENSUS], progress=progress)
            performance = {"sensitivity": em.sensitivity, "specificity": em.specificity}
            return cls(votes, em.marked, em.probability, performance, em.notes, em.prior)
        if key == "simple":
            vote = simple(votes, job[choices.SIMPLE_A], job[choices.SIMPLE_RULE])
            performance = {"overlap": vote.performance, "kept": vote.kept.astype(int)}
            return cls(votes, vote.marked, None, performance, vote.notes)
        if key == "lsml":
            return cls._contour(votes, job, progress)
        if key == "excl-0.5":
            kept = (~outliers(votes)).astype(int)
            notes = (Note.TOO_FEW_FOR_OUTLIERS,) if votes.n_annotators < 3 else ()
            return cls(votes, METHODS[key](votes), None, {"kept": kept}, notes)
        return cls(votes, METHODS[key](votes))

    @classmethod
    def _contour(cls, votes: VoteTable, job: Job, progress: Progress) -> Consensus:
        found = level_set(
            [votes.on_map(votes.patterns[:, k]) for k in range(votes.n_annotators)],
            np.asarray(votes.index) >= len(votes.patterns),
            clipped=job[choices.CLIPPED],
            rounds=job[choices.ROUNDS],
            curvature=job[choices.CURVATURE],
            progress=progress,
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
