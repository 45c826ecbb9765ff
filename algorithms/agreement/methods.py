"""The ways to a consensus: their parameters as one plain value, and what each makes of the votes."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from randcrowns.core.agreement.consensus import METHODS, level
from randcrowns.core.agreement.lsml import level_set
from randcrowns.core.agreement.measures import outliers
from randcrowns.core.agreement.notes import Note
from randcrowns.core.agreement.simple_vote import simple
from randcrowns.core.agreement.staple_em import staple
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.arrays import Bools, Floats
from randcrowns.core.progress import Progress
from randcrowns.core.remarks import Remark
from randcrowns.layers.words import counted, tr


@dataclass(frozen=True)
class ConsensusMethod:
    """A method with its parameters; only those of the method itself are read."""

    key: str = "0.5"
    share: float = 0.5
    prior: str | float = "mean"
    assign_consensus: bool = False
    rule: str = "deviation"
    a: float = 1.0
    clipped: bool = True
    rounds: int = 1000
    curvature: float = 0.0

    @property
    def described(self) -> str:
        """The method and its parameters in one line."""
        own: dict[str, dict[str, Any]] = {
            "level": {"level": self.share},
            "staple": {
                "prior": self.prior,
                "consensus_units": "assigned" if self.assign_consensus else "estimated",
                "tolerance": 1e-7,
                "max_rounds": 1000,
            },
            "simple": {"rule": self.rule, "a": self.a},
            "lsml": {"clipped": self.clipped, "rounds": self.rounds, "curvature": self.curvature},
        }
        return ", ".join(f"{name}={value}" for name, value in own.get(self.key, {}).items())

    @property
    def title(self) -> str:
        """What tells it from the others, for the names of layers: ``STAPLE, prior mean``."""
        titles = {
            "0.5": tr("half or more"),
            "any": tr("anybody"),
            "0.75": tr("three quarters"),
            "unanimous": tr("everybody"),
            "level": tr("at least {share:g}").format(share=self.share),
            "excl-0.5": tr("half without outliers"),
            "staple": tr("STAPLE, prior {prior}").format(
                prior=self.prior if isinstance(self.prior, str) else f"{self.prior:g}"
            ),
            "simple": "SIMPLE" if (self.rule, self.a) == ("deviation", 1.0) else f"SIMPLE, {self.rule}, a {self.a:g}",
            "lsml": ", ".join(filter(None, ["LSML", *self._unusual_contour()])),
        }
        fixed = tr(", agreed places fixed") if self.key == "staple" and self.assign_consensus else ""
        return titles[self.key] + fixed

    def _unusual_contour(self) -> list[str]:
        """What is not as usual about LSML."""
        usual = ConsensusMethod()
        return [
            "" if self.clipped else tr("not clipped"),
            "" if self.rounds == usual.rounds else counted(self.rounds, tr("round"), tr("rounds")),
            "" if self.curvature == usual.curvature else tr("curvature {weight:g}").format(weight=self.curvature),
        ]


@dataclass(frozen=True, eq=False)
class Consensus:
    """What a method made.

    Attributes:
        marked: (M,) marked patterns; for LSML (rows, columns) marked pixels.
        probability: (M,) of STAPLE; None for the others.
        performance: a row per annotator; without columns where the method judges nobody.
        notes: what to tell the user.
        prior: STAPLE's, as a number; NaN for the others.
    """

    marked: Bools
    probability: Floats | None = None
    performance: dict[str, np.ndarray] = field(default_factory=dict)
    notes: tuple[Remark, ...] = ()
    prior: float = math.nan

    @classmethod
    def of(cls, votes: VoteTable, method: ConsensusMethod, progress: Progress) -> Consensus:
        """Make it; LSML needs votes with a pattern per pixel."""
        if method.key == "level":
            return cls(level(votes, method.share))
        if method.key == "staple":
            found = staple(votes, method.prior, assign_consensus=method.assign_consensus, progress=progress)
            performance = {"sensitivity": found.sensitivity, "specificity": found.specificity}
            return cls(found.marked, found.probability, performance, found.notes, found.prior)
        if method.key == "simple":
            vote = simple(votes, method.a, method.rule)
            return cls(vote.marked, None, {"overlap": vote.performance, "kept": vote.kept.astype(int)}, vote.notes)
        if method.key == "lsml":
            return cls._contour(votes, method, progress)
        if method.key == "excl-0.5":
            kept = (~outliers(votes)).astype(int)
            notes = (Note.TOO_FEW_FOR_OUTLIERS,) if votes.n_annotators < 3 else ()
            return cls(METHODS[method.key](votes), None, {"kept": kept}, notes)
        return cls(METHODS[method.key](votes))

    @classmethod
    def _contour(cls, votes: VoteTable, method: ConsensusMethod, progress: Progress) -> Consensus:
        stack = [votes.on_map(votes.patterns[:, k]) for k in range(votes.n_annotators)]
        outside = np.asarray(votes.index) >= len(votes.patterns)
        found = level_set(
            stack,
            outside,
            clipped=method.clipped,
            rounds=method.rounds,
            curvature=method.curvature,
            progress=progress,
        )
        performance = {"sensitivity": found.sensitivity, "specificity": found.specificity}
        return cls(found.marked, None, performance, found.notes)

    def performance_frame(self, votes: VoteTable) -> pd.DataFrame:
        """The performance with the annotators' names."""
        return pd.DataFrame({"annotator": np.array(votes.names, dtype=object), **self.performance})
