"""The methods of a consensus: what each makes of the votes, and how it is written down."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
import shapely

from randcrowns.algorithms.agreement.choices import (
    ASSIGN_CONSENSUS,
    CLIPPED,
    CURVATURE,
    LEVEL,
    METHOD,
    PRIOR,
    PRIOR_VALUE,
    ROUNDS,
    SIMPLE_A,
    SIMPLE_RULE,
)
from randcrowns.algorithms.choice import Chosen
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


def method_parameters(chosen: Chosen) -> str:
    """The parameters of the method chosen, in one line: ``rule=deviation, a=1.0``."""
    own: dict[str, dict[str, Any]] = {
        "level": {"level": chosen[LEVEL]},
        "staple": {
            "prior": _prior(chosen),
            "consensus_units": "assigned" if chosen[ASSIGN_CONSENSUS] else "estimated",
            "tolerance": 1e-7,
            "max_rounds": 1000,
        },
        "simple": {"rule": chosen[SIMPLE_RULE], "a": chosen[SIMPLE_A]},
        "lsml": {"clipped": chosen[CLIPPED], "rounds": chosen[ROUNDS], "curvature": chosen[CURVATURE]},
    }
    return ", ".join(f"{name}={value}" for name, value in own.get(chosen[METHOD], {}).items())


def method_title(chosen: Chosen) -> str:
    """The method with the choices that tell it from others, for the names of layers: ``STAPLE, prior mean``."""
    key, prior = chosen[METHOD], _prior(chosen)
    if key == "level":
        return tr("at least {share:g}").format(share=chosen[LEVEL])
    own: dict[str, list[str]] = {
        "staple": [
            tr("prior {prior}").format(prior=prior if isinstance(prior, str) else f"{prior:g}"),
            tr("agreed places fixed") if chosen[ASSIGN_CONSENSUS] else "",
        ],
        "simple": []
        if (chosen[SIMPLE_RULE], chosen[SIMPLE_A]) == (SIMPLE_RULE.default, SIMPLE_A.default)
        else [chosen[SIMPLE_RULE], f"a {chosen[SIMPLE_A]:g}"],
        "lsml": [
            "" if chosen[CLIPPED] else tr("not clipped"),
            "" if chosen[ROUNDS] == ROUNDS.default else counted(chosen[ROUNDS], tr("round"), tr("rounds")),
            ""
            if chosen[CURVATURE] == CURVATURE.default
            else tr("curvature {weight:g}").format(weight=chosen[CURVATURE]),
        ],
    }
    return ", ".join(filter(None, [METHOD.label_of(key), *own.get(key, [])]))


def _prior(chosen: Chosen) -> str | float:
    return chosen[PRIOR_VALUE] if chosen[PRIOR] == "number" else chosen[PRIOR]


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
    def of(cls, votes: VoteTable, chosen: Chosen, progress: Progress) -> Consensus:
        """Make it, without polygons; LSML needs votes with a pattern per pixel."""
        key = chosen[METHOD]
        if key == "level":
            return cls(votes, level(votes, chosen[LEVEL]))
        if key == "staple":
            em = staple(votes, _prior(chosen), assign_consensus=chosen[ASSIGN_CONSENSUS], progress=progress)
            performance = {"sensitivity": em.sensitivity, "specificity": em.specificity}
            return cls(votes, em.marked, em.probability, performance, em.notes, em.prior)
        if key == "simple":
            vote = simple(votes, chosen[SIMPLE_A], chosen[SIMPLE_RULE])
            performance = {"overlap": vote.performance, "kept": vote.kept.astype(int)}
            return cls(votes, vote.marked, None, performance, vote.notes)
        if key == "lsml":
            return cls._contour(votes, chosen, progress)
        if key == "excl-0.5":
            kept = (~outliers(votes)).astype(int)
            notes = (Note.TOO_FEW_FOR_OUTLIERS,) if votes.n_annotators < 3 else ()
            return cls(votes, METHODS[key](votes), None, {"kept": kept}, notes)
        return cls(votes, METHODS[key](votes))

    @classmethod
    def _contour(cls, votes: VoteTable, chosen: Chosen, progress: Progress) -> Consensus:
        found = level_set(
            [votes.on_map(votes.patterns[:, k]) for k in range(votes.n_annotators)],
            np.asarray(votes.index) >= len(votes.patterns),
            clipped=chosen[CLIPPED],
            rounds=chosen[ROUNDS],
            curvature=chosen[CURVATURE],
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
