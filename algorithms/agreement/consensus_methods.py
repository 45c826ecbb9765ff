"""Consensus methods: calls of the core, and texts that describe a method and its parameters."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
import shapely

from randcrowns.algorithms.agreement.schema import parameters
from randcrowns.algorithms.agreement.schema.parameters import CROWN_BY_CROWN, AgreementSettings
from randcrowns.algorithms.estimation_parameters import (
    SIMPLE_RULE,
    read_estimation,
)
from randcrowns.algorithms.parameter_types import RunSettings
from randcrowns.core.agreement.agreement_messages import AgreementMessage
from randcrowns.core.agreement.consensus import (
    CONSENSUS_METHODS,
    COOKE,
    EstimationOptions,
    consensus_at_level,
    weighted_vote,
)
from randcrowns.core.agreement.measures import outliers
from randcrowns.core.agreement.outlier_testing import outlier_test
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.arrays import Bools, Floats, Objects
from randcrowns.core.messages import Message
from randcrowns.core.progress import Progress
from randcrowns.layers.localization import fill_template, tr

#: Minimum number of annotators of which one can be an outlier.
_MIN_FOR_OUTLIERS = 3


def describe_parameters(settings: RunSettings) -> str:
    """Return the parameters of the consensus method in one line, such as ``rule=share, a=1.0``.

    The text is stored in a field for programs, so it is not translated.
    """
    estimation = read_estimation(settings)
    options: dict[str, dict[str, Any]] = {
        "level": {"level": settings[parameters.LEVEL]},
        "staple": {
            "prior": estimation.prior,
            "consensus_units": "assigned" if estimation.assign_consensus else "estimated",
            "tolerance": 1e-7,
            "max_iterations": 1000,
        },
        "simple": {"rule": estimation.simple_rule, "a": estimation.simple_factor},
        "lsml": {
            "clipped": estimation.clip_lsml,
            "max_iterations": estimation.max_iterations,
            "curvature": estimation.curvature,
        },
        COOKE: {"cutoff": estimation.calibration_cutoff},
        CROWN_BY_CROWN: _list_crown_options(settings, estimation),
    }
    method_options = options.get(settings[parameters.METHOD], {})
    if _estimates_classes(settings):
        method_options["class"] = "staple"
    return ", ".join(f"{name}={value}" for name, value in method_options.items())


def _list_crown_options(settings: RunSettings, estimation: EstimationOptions) -> dict[str, Any]:
    """Return the parameters of a consensus crown by crown, by name."""
    options = {
        "match_iou": settings[parameters.MATCH_IOU],
        "rule": settings[parameters.VOTE_RULE],
        "outline": settings[parameters.OUTLINE],
    }
    if settings[parameters.OUTLINE] == "staple":
        options["prior"] = estimation.prior
    return options


def _estimates_classes(settings: RunSettings) -> bool:
    """Return True if STAPLE estimates the classes of crowns or areas."""
    has_classes = bool(settings[parameters.CLASS_FIELD])
    return has_classes and settings[parameters.CLASS_RULE] == "staple"


def describe_method(settings: RunSettings) -> str:
    """Return a short name of the consensus for layers, such as ``STAPLE, prior mean``.

    It names the parameters that distinguish consensuses of the same method, translated.
    """
    method = settings[parameters.METHOD]
    class_details = []
    if _estimates_classes(settings):
        class_details.append(parameters.CLASS_RULE.label_of("staple"))
    if method == "level":
        level = tr("at least {share:g}", share=settings[parameters.LEVEL])
        return ", ".join([level, *class_details])
    estimation = read_estimation(settings)
    details: list[str] = []
    if method == "staple":
        details = _describe_staple(estimation)
    elif method == "simple":
        details = _describe_simple(estimation)
    elif method == "lsml":
        details = _describe_lsml(estimation)
    elif method == CROWN_BY_CROWN:
        details = _describe_crown_consensus(settings, estimation)
    return ", ".join([parameters.METHOD.label_of(method), *details, *class_details])


def _describe_staple(estimation: EstimationOptions) -> list[str]:
    """Return texts about the parameters of STAPLE: the prior, and fixed agreed areas."""
    prior_texts = {"any": tr("prior any"), "mean": tr("prior mean")}
    if isinstance(estimation.prior, str):
        details = [prior_texts[estimation.prior]]
    else:
        details = [tr("prior {prior:g}", prior=estimation.prior)]
    if estimation.assign_consensus:
        details.append(tr("agreed areas fixed"))
    return details


def _describe_simple(estimation: EstimationOptions) -> list[str]:
    """Return texts about the rule and the factor of SIMPLE; none for the defaults."""
    default = EstimationOptions()
    has_default_rule = estimation.simple_rule == default.simple_rule
    has_default_factor = estimation.simple_factor == default.simple_factor
    if has_default_rule and has_default_factor:
        return []
    return [
        SIMPLE_RULE.label_of(estimation.simple_rule),
        fill_template("a {a:g}", a=estimation.simple_factor),
    ]


def _describe_lsml(estimation: EstimationOptions) -> list[str]:
    """Return texts about the parameters of LSML that differ from the defaults."""
    default = EstimationOptions()
    details = []
    if not estimation.clip_lsml:
        details.append(tr("not clipped"))
    if estimation.max_iterations != default.max_iterations:
        details.append(tr("{count:,} rounds", one="1 round", count=estimation.max_iterations))
    if estimation.curvature != default.curvature:
        details.append(tr("curvature {weight:g}", weight=estimation.curvature))
    return details


def _describe_crown_consensus(settings: RunSettings, estimation: EstimationOptions) -> list[str]:
    """Return texts about the parameters crown by crown that differ from the defaults."""
    details = [
        parameter.label_of(settings[parameter])
        for parameter in (parameters.VOTE_RULE, parameters.OUTLINE)
        if settings[parameter] != parameter.options[0].key
    ]
    if settings[parameters.OUTLINE] == "staple":
        details += _describe_staple(estimation)
    return details


@dataclass(frozen=True, eq=False)
class Consensus:
    """Result of a consensus method."""

    votes: VoteTable  #: decisions that the consensus was made from.
    #: (M,) True for marked patterns; of LSML (rows, columns), True for marked pixels.
    is_marked: Bools
    #: (M,) probabilities of the patterns by STAPLE; None for other methods.
    probability: Floats | None = None
    #: Statistics of the annotators, one array (K,) per column of the output; empty if the method
    #: does not rate annotators.
    performance: dict[str, np.ndarray] = field(default_factory=dict)
    messages: tuple[Message, ...] = ()  #: messages to the user.
    prior: float = math.nan  #: STAPLE's prior as a number; NaN for other methods.
    excluded_annotator: str = ""  #: excluded annotator; "" if nobody was excluded.
    #: (P,) connected marked polygons, in working coordinates (metres).
    polygons: Objects = field(default_factory=lambda: np.empty(0, dtype=object))
    #: Name of the image of each polygon; "" for all of them if there is one image.
    image_of_polygon: Sequence[str] = ()
    #: Classes of the polygons, see :class:`randcrowns.core.classes.area_consensus.ClassedAreas`;
    #: None without classes.
    classes: pd.DataFrame | None = None
    #: How annotators confuse classes, as STAPLE estimates it; maybe without rows.
    confusion: pd.DataFrame = field(default_factory=pd.DataFrame)

    @classmethod
    def compute(
        cls, votes: VoteTable, settings: AgreementSettings, progress: Progress
    ) -> Consensus:
        """Make the consensus of votes, without its polygons.

        Args:
            votes: decisions of the annotators; LSML requires a pattern per pixel.
            settings: settings of the run, with the method and its parameters.
            progress: called with the fraction done.
        """
        method = settings[parameters.METHOD]
        estimation = read_estimation(settings, answers=settings.answers)
        if method == "level":
            return cls(votes, consensus_at_level(votes, settings[parameters.LEVEL]))
        if method == "staple":
            return cls._by_staple(votes, estimation, progress)
        if method == "simple":
            simple = estimation.simple(votes)
            performance = {"overlap": simple.performance, "kept": simple.is_kept.astype(int)}
            return cls(votes, simple.marked, performance=performance, messages=simple.messages)
        if method == "lsml":
            return cls._by_level_set(votes, estimation, progress)
        if method == COOKE:
            return cls._by_cooke(votes, estimation)
        if method == "excl-0.5":
            return cls._without_outliers(votes, progress)
        return cls(votes, CONSENSUS_METHODS[method](votes))

    @classmethod
    def _by_staple(
        cls, votes: VoteTable, estimation: EstimationOptions, progress: Progress
    ) -> Consensus:
        """Make the consensus by STAPLE, with the probabilities of the patterns.

        Args:
            votes: decisions of the annotators.
            estimation: options of the method.
            progress: called with the fraction done.
        """
        staple = estimation.staple_with_message(votes, progress)
        return cls(
            votes=votes,
            is_marked=staple.marked,
            probability=staple.probability,
            performance={"sensitivity": staple.sensitivity, "specificity": staple.specificity},
            messages=staple.messages,
            prior=staple.prior,
        )

    @classmethod
    def _without_outliers(cls, votes: VoteTable, progress: Progress) -> Consensus:
        """Make the consensus of the majority of the annotators who are no outliers."""
        messages: tuple[Message, ...] = (AgreementMessage.TOO_FEW_FOR_OUTLIERS,)
        if votes.n_annotators >= _MIN_FOR_OUTLIERS:
            messages = outlier_test(votes, progress=progress).messages
        return cls(
            votes=votes,
            is_marked=CONSENSUS_METHODS["excl-0.5"](votes),
            performance={"kept": (~outliers(votes)).astype(int)},
            messages=messages,
        )

    @classmethod
    def _by_cooke(cls, votes: VoteTable, estimation: EstimationOptions) -> Consensus:
        """Make the consensus by the weights of the annotators' answers."""
        weights = estimation.weights(votes.names)
        performance = {
            "calibration": weights.calibration,
            "information": weights.information,
            "weight": weights.weight,
        }
        marked = weighted_vote(votes, weights.weight)
        return cls(votes, marked, performance=performance, messages=(weights.message,))

    @classmethod
    def _by_level_set(
        cls, votes: VoteTable, estimation: EstimationOptions, progress: Progress
    ) -> Consensus:
        """Make the consensus by LSML, with marked pixels (rows, columns).

        Args:
            votes: decisions of the annotators, a pattern per pixel.
            estimation: options of the method.
            progress: called with the fraction done.
        """
        level_set = estimation.level_set(votes, progress)
        performance = {
            "sensitivity": level_set.sensitivity,
            "specificity": level_set.specificity,
        }
        return cls(votes, level_set.marked, performance=performance, messages=level_set.messages)

    @property
    def marked_area(self) -> float:
        """Marked area, m²."""
        return float(shapely.area(self.polygons).sum())

    @property
    def area_marked_by_nobody(self) -> float:
        """Marked area that no annotator marked, m²."""
        is_by_nobody = self.votes.n_yes == 0
        if self.is_marked.ndim == 2:
            n_pixels = np.count_nonzero(self.is_marked & self.votes.on_map(is_by_nobody))
            return float(n_pixels * self.votes.unit_weight)
        return float(self.votes.weights[self.is_marked & is_by_nobody].sum())

    def performance_table(self) -> pd.DataFrame:
        """Return a row per annotator: ``annotator``, the statistics and ``excluded``."""
        names = np.array(self.votes.names, dtype=object)
        return pd.DataFrame({"annotator": names, **self.performance}).assign(
            excluded=self.excluded_annotator
        )
