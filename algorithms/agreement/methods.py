"""Consensus methods: calls of the core, and texts that describe a method and its parameters."""

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


def method_parameters(settings: Job) -> str:
    """Return the parameters of the consensus method in one line, such as ``rule=share, a=1.0``.

    The text is stored in a field for programs, so it is not translated.
    """
    estimation = estimation_of(settings)
    options: dict[str, dict[str, Any]] = {
        "level": {"level": settings[choices.LEVEL]},
        "staple": {
            "prior": estimation.prior,
            "consensus_units": "assigned" if estimation.assign_consensus else "estimated",
            "tolerance": 1e-7,
            "max_rounds": 1000,
        },
        "simple": {"rule": estimation.rule, "a": estimation.a},
        "lsml": {
            "clipped": estimation.clipped,
            "rounds": estimation.rounds,
            "curvature": estimation.curvature,
        },
    }
    of_method = options.get(settings[choices.METHOD], {})
    return ", ".join(f"{name}={value}" for name, value in of_method.items())


def method_title(settings: Job) -> str:
    """Return a short name of the consensus for layers, such as ``STAPLE, prior mean``.

    It names the parameters that distinguish consensuses of the same method, translated.
    """
    method = settings[choices.METHOD]
    if method == "level":
        return tr("at least {share:g}", share=settings[choices.LEVEL])
    estimation = estimation_of(settings)
    details: list[str] = []
    if method == "staple":
        details = _staple_details(estimation)
    elif method == "simple":
        details = _simple_details(estimation)
    elif method == "lsml":
        details = _lsml_details(estimation)
    return ", ".join([choices.METHOD.label_of(method), *details])


def _staple_details(estimation: Estimation) -> list[str]:
    """Return texts about the parameters of STAPLE: the prior, and fixed agreed areas."""
    prior_texts = {"any": tr("prior any"), "mean": tr("prior mean")}
    if isinstance(estimation.prior, str):
        details = [prior_texts[estimation.prior]]
    else:
        details = [tr("prior {prior:g}", prior=estimation.prior)]
    if estimation.assign_consensus:
        details.append(tr("agreed areas fixed"))
    return details


def _simple_details(estimation: Estimation) -> list[str]:
    """Return texts about the rule and the factor of SIMPLE; none for the defaults."""
    default = Estimation()
    if (estimation.rule, estimation.a) == (default.rule, default.a):
        return []
    return [SIMPLE_RULE.label_of(estimation.rule), filled("a {a:g}", a=estimation.a)]


def _lsml_details(estimation: Estimation) -> list[str]:
    """Return texts about the parameters of LSML that differ from the defaults."""
    default = Estimation()
    details = []
    if not estimation.clipped:
        details.append(tr("not clipped"))
    if estimation.rounds != default.rounds:
        details.append(tr("{count:,} rounds", one="1 round", count=estimation.rounds))
    if estimation.curvature != default.curvature:
        details.append(tr("curvature {weight:g}", weight=estimation.curvature))
    return details


@dataclass(frozen=True, eq=False)
class Consensus:
    """Result of a consensus method."""

    votes: VoteTable  #: decisions that the consensus was made from.
    #: (M,) True for marked patterns; of LSML (rows, columns), True for marked pixels.
    marked: Bools
    #: (M,) probabilities of the patterns by STAPLE; None for other methods.
    probability: Floats | None = None
    #: Statistics of the annotators, one array (K,) per column of the output; empty if the method
    #: does not rate annotators.
    performance: dict[str, np.ndarray] = field(default_factory=dict)
    notes: tuple[Remark, ...] = ()  #: messages to the user.
    prior: float = math.nan  #: STAPLE's prior as a number; NaN for other methods.
    left_out: str = ""  #: excluded annotator; "" if nobody was excluded.
    #: (P,) connected marked polygons, in working coordinates (metres).
    polygons: Objects = field(default_factory=lambda: np.empty(0, dtype=object))
    #: Name of the image of each polygon; "" for all of them if there is one image.
    images: Sequence[str] = ()

    @classmethod
    def of(cls, votes: VoteTable, settings: Job, progress: Progress) -> Consensus:
        """Make the consensus of votes, without its polygons.

        Args:
            votes: decisions of the annotators; LSML requires a pattern per pixel.
            settings: settings of the run, with the method and its parameters.
            progress: called with the fraction done.
        """
        method = settings[choices.METHOD]
        estimation = estimation_of(settings)
        if method == "level":
            return cls(votes, level(votes, settings[choices.LEVEL]))
        if method == "staple":
            staple = estimation.told_staple(votes, progress)
            performance = {"sensitivity": staple.sensitivity, "specificity": staple.specificity}
            return cls(
                votes, staple.marked, staple.probability, performance, staple.notes, staple.prior
            )
        if method == "simple":
            simple = estimation.simple(votes)
            performance = {"overlap": simple.performance, "kept": simple.kept.astype(int)}
            return cls(votes, simple.marked, performance=performance, notes=simple.notes)
        if method == "lsml":
            return cls._of_level_set(votes, estimation, progress)
        if method == "excl-0.5":
            performance = {"kept": (~outliers(votes)).astype(int)}
            notes = (Note.TOO_FEW_FOR_OUTLIERS,) if votes.n_annotators < 3 else ()
            return cls(votes, METHODS[method](votes), performance=performance, notes=notes)
        return cls(votes, METHODS[method](votes))

    @classmethod
    def _of_level_set(
        cls, votes: VoteTable, estimation: Estimation, progress: Progress
    ) -> Consensus:
        """Make the consensus by LSML, with marked pixels (rows, columns)."""
        decisions = [votes.on_map(votes.patterns[:, k]) for k in range(votes.n_annotators)]
        outside = np.asarray(votes.index) >= len(votes.patterns)
        level_set = estimation.level_set(votes, decisions, outside, progress)
        performance = {
            "sensitivity": level_set.sensitivity,
            "specificity": level_set.specificity,
        }
        return cls(votes, level_set.marked, performance=performance, notes=level_set.notes)

    @property
    def area(self) -> float:
        """Marked area, m²."""
        return float(shapely.area(self.polygons).sum())

    @property
    def beyond(self) -> float:
        """Marked area that no annotator marked, m²."""
        by_nobody = self.votes.yes_votes == 0
        if self.marked.ndim == 2:
            return float((self.marked & self.votes.on_map(by_nobody)).sum() * self.votes.unit)
        return float(self.votes.weights[self.marked & by_nobody].sum())

    def performance_frame(self) -> pd.DataFrame:
        """Return a row per annotator: ``annotator``, the statistics and ``left_out``."""
        names = np.array(self.votes.names, dtype=object)
        return pd.DataFrame({"annotator": names, **self.performance}).assign(left_out=self.left_out)
