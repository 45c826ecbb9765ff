"""Ground truths from the decisions of many annotators: voting, STAPLE, SIMPLE and LSML.

This module contains the voting rules and SIMPLE. STAPLE is in
:mod:`randcrowns.core.agreement.staple_em`. LSML is in :mod:`randcrowns.core.agreement.lsml`; it
needs the decisions on a pixel grid instead of the vote table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Callable, cast

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from randcrowns.core.agreement.agreement_messages import AgreementMessage
from randcrowns.core.agreement.checks import too_few_to_exclude_error
from randcrowns.core.agreement.cooke import CookeWeights, cooke_weights, missing_answers_error
from randcrowns.core.agreement.lsml import LevelSet, level_set
from randcrowns.core.agreement.measures import outliers
from randcrowns.core.agreement.staple_em import StapleResult, prior_message, staple
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.arrays import Bools, Floats, Objects, as_float_array
from randcrowns.core.errors import InputError
from randcrowns.core.geometry.overlay import dissolve_faces
from randcrowns.core.messages import Message, info, note
from randcrowns.core.progress import Progress, iterate_with_progress, no_progress
from randcrowns.core.statistics import dice_coefficient
from randcrowns.core.validation import validate_arguments

# Allowance for rounding of a number of annotators: 0.28 · 25 is 7.000000000000001.
_COUNT_TOLERANCE = 1e-9


@validate_arguments
def consensus_at_level(votes: VoteTable, share: float) -> Bools:
    """Mark the patterns that at least a share of the annotators marked: h >= K·l (Eq. 5).

    Here h is the number of annotators who marked a pattern, K their total number and l the share.
    With missing ratings, K is the number of annotators who looked there.

    Args:
        votes: vote table of K annotators and M patterns.
        share: share l from 0 to 1. Exact ties are marked; 0 marks what at least one annotator
            marked.

    Returns:
        (M,) marked patterns.

    Raises:
        InputError: unless 0 <= share <= 1.

    >>> votes = VoteTable.from_stack([[1, 1, 0, 0], [1, 0, 0, 0], [1, 1, 1, 0]])
    >>> votes.on_map(consensus_at_level(votes, 0.5)).tolist()
    [True, True, False, False]
    """
    if not 0 <= share <= 1:
        raise InputError(
            "consensus.invalid_level",
            "The level of agreement must lie between 0 and 1, not {share:g}.",
            share=share,
        )
    n_needed = np.maximum(np.ceil(votes.n_rated * share - _COUNT_TOLERANCE), 1)
    return np.asarray(votes.n_yes >= n_needed)


def majority_consensus(votes: VoteTable) -> Bools:
    """Return the (M,) patterns that at least half of the annotators marked (0.5-GT).

    >>> votes = VoteTable.from_stack([[1, 1, 0, 0], [1, 0, 0, 0]])
    >>> votes.on_map(majority_consensus(votes)).tolist()
    [True, True, False, False]
    """
    return votes.is_half_marked


@validate_arguments
def weighted_vote(votes: VoteTable, weights: Floats) -> Bools:
    """Mark the patterns that annotators with at least half of the weight marked.

    With missing ratings, at least half of the weight of those who looked is needed.

    Args:
        votes: vote table of K annotators and M patterns.
        weights: (K,) weight of each annotator, 0 or more, such as those of
            :func:`randcrowns.core.agreement.cooke.cooke_weights`.

    Returns:
        (M,) marked patterns.

    Raises:
        InputError: if there are not K weights, or a weight is negative or not finite.

    >>> votes = VoteTable.from_stack([[1, 1, 0, 0], [1, 0, 0, 0], [1, 0, 1, 0]])
    >>> votes.on_map(weighted_vote(votes, np.array([0.6, 0.2, 0.2]))).tolist()
    [True, True, False, False]
    """
    weights = as_float_array(weights, "The list of weights")
    is_valid = np.isfinite(weights) & (weights >= 0)
    if weights.shape != (votes.n_annotators,) or not is_valid.all():
        raise InputError(
            "consensus.invalid_weights",
            "Each of the {count} annotators needs a weight of 0 or more.",
            count=votes.n_annotators,
        )
    return _weighted_majority(votes, weights)


#: A method that computes a ground truth, (M,) marked patterns, from a vote table.
ConsensusMethod = Callable[[VoteTable], Bools]

#: Ground truths that are functions of the vote table, by name; excl-0.5 is 0.5 without outliers.
CONSENSUS_METHODS: dict[str, ConsensusMethod] = {
    "any": lambda votes: consensus_at_level(votes, 0.0),
    "0.5": majority_consensus,
    "0.75": lambda votes: consensus_at_level(votes, 0.75),
    "unanimous": lambda votes: consensus_at_level(votes, 1.0),
    "excl-0.5": lambda votes: majority_consensus(votes.without(np.flatnonzero(outliers(votes)))),
    "staple": lambda votes: EstimationOptions().staple(votes).marked,
    "simple": lambda votes: EstimationOptions().simple(votes).marked,
}


@dataclass(frozen=True)
class EstimationOptions:
    """Options of STAPLE, SIMPLE, LSML and Cooke's weights.

    Attributes:
        prior: prior of STAPLE, see :func:`randcrowns.core.agreement.staple_em.staple`.
        assign_consensus: option of STAPLE, see there.
        simple_factor: factor of SIMPLE, see :func:`simple`.
        simple_rule: rule by which SIMPLE discards annotators, see there.
        clip_lsml: option of LSML, see :func:`randcrowns.core.agreement.lsml.level_set`.
        max_iterations: maximum number of rounds of LSML.
        curvature: weight of the curvature in LSML.
        answers: answers of the annotators for Cooke's weights, see
            :func:`randcrowns.core.agreement.cooke.cooke_weights`; None without answers.
        calibration_cutoff: minimum calibration of an annotator with a weight, see there.
    """

    prior: str | float = "any"
    assign_consensus: bool = False
    simple_factor: float = 1.0
    simple_rule: str = "deviation"
    clip_lsml: bool = True
    max_iterations: int = 1000
    curvature: float = 0.0
    answers: pd.DataFrame | None = field(default=None, compare=False, repr=False)
    calibration_cutoff: float = 0.0

    def weights(self, annotators: Sequence[str]) -> CookeWeights:
        """Return the weights of annotators by their answers to questions with known answers.

        Args:
            annotators: names of the annotators.

        Raises:
            InputError: if there are no answers, or they cannot be used.

        >>> columns = ["annotator", "question", "low", "median", "high", "true_value"]
        >>> answers = pd.DataFrame([("ann", 1, 4, 5, 6, 5.5)], columns=columns)
        >>> EstimationOptions(answers=answers).weights(["ann"]).weight.tolist()
        [1.0]
        """
        if self.answers is None:
            raise missing_answers_error("answers")
        return cooke_weights(self.answers, annotators, self.calibration_cutoff)

    def staple(self, votes: VoteTable, progress: Progress = no_progress) -> StapleResult:
        """Estimate the ground truth of a vote table with STAPLE.

        >>> votes = VoteTable.from_stack([[1, 1, 0, 0], [1, 0, 0, 0], [1, 1, 1, 0]])
        >>> votes.on_map(EstimationOptions(prior="mean").staple(votes).marked).tolist()
        [True, True, False, False]
        """
        return staple(votes, self.prior, assign_consensus=self.assign_consensus, progress=progress)

    def staple_with_message(
        self, votes: VoteTable, progress: Progress = no_progress
    ) -> StapleResult:
        """Estimate with STAPLE and add a message about the effect of the prior.

        >>> votes = VoteTable.from_stack([[1, 1, 0, 0], [1, 0, 0, 0], [1, 1, 1, 0]])
        >>> EstimationOptions().staple_with_message(votes).messages[0].key
        'staple.prior'
        """
        result = self.staple(votes, progress)
        message = prior_message(votes, self.prior, result, assign_consensus=self.assign_consensus)
        return replace(result, messages=(message, *result.messages))

    def simple(self, votes: VoteTable) -> SimpleVote:
        """Estimate the ground truth of a vote table with SIMPLE.

        >>> votes = VoteTable.from_stack([[1, 1, 0, 0], [1, 0, 0, 0], [1, 1, 1, 0]])
        >>> votes.on_map(EstimationOptions().simple(votes).marked).tolist()
        [True, True, False, False]
        """
        return simple_vote(votes, self.simple_factor, self.simple_rule)

    def level_set(
        self,
        votes: VoteTable,
        progress: Progress = no_progress,
    ) -> LevelSet:
        """Estimate the ground truth with LSML and add a message about the effect of clipping.

        Args:
            votes: vote table with an index of (rows, columns) pixels.
            progress: called with the fraction of the rounds done.

        Returns:
            The result of LSML; its first message counts the marked pixels that no annotator
            marked.

        >>> marks = np.zeros((3, 6, 6), dtype=bool)
        >>> marks[:, 1:4, 1:4] = True
        >>> int(EstimationOptions().level_set(VoteTable.from_stack(marks)).marked.sum())
        9
        """
        result = level_set(
            votes,
            clip=self.clip_lsml,
            max_iterations=self.max_iterations,
            curvature=self.curvature,
            progress=progress,
        )
        is_inside_contour = result.phi <= 0
        is_unmarked = votes.on_map(votes.n_yes == 0)
        n_beyond = int((is_inside_contour & is_unmarked).sum())
        n_marked = int(result.marked.sum())
        if self.clip_lsml:
            message = note(
                "lsml.clipped",
                "As published, LSML also marks {pixels:,} pixels that nobody marked. They are "
                "clipped here, which leaves {of:,} marked pixels.",
                pixels=n_beyond,
                of=n_marked,
            )
        else:
            message = note(
                "lsml.published",
                "LSML is used as published, without clipping. It marks {of:,} pixels, of which "
                "nobody marked {pixels:,}.",
                pixels=n_beyond,
                of=n_marked,
            )
        return replace(result, messages=(message, *result.messages))


@validate_arguments
def leave_one_out(votes: VoteTable, method: ConsensusMethod = majority_consensus) -> Bools:
    """Compute the consensus of all annotators but one, for each annotator.

    Annotators can then be compared with a consensus that does not depend on their own drawing.

    Args:
        votes: vote table of K annotators, at least two, and M patterns.
        method: method that computes a consensus of a vote table, for example one of
            ``CONSENSUS_METHODS``.

    Returns:
        (K, M) marked patterns of the consensus without each annotator.

    Raises:
        InputError: if there is only one annotator.

    >>> votes = VoteTable.from_stack([[1, 1, 0, 0], [1, 0, 0, 0], [1, 1, 1, 0]])
    >>> votes.on_map(leave_one_out(votes)[0]).tolist()
    [True, True, True, False]
    """
    if votes.n_annotators < 2:
        raise too_few_to_exclude_error()
    truths = [method(votes.without(k)) for k in range(votes.n_annotators)]
    return np.stack(truths)


@validate_arguments
def marked_polygons(votes: VoteTable, marked: Bools, progress: Progress = no_progress) -> Objects:
    """Return the polygons of a consensus, with adjacent faces merged.

    Args:
        votes: vote table from polygons, with its faces.
        marked: (M,) marked patterns.
        progress: called with the fraction of the work done.

    Returns:
        (n,) shapely polygons that do not overlap.

    Raises:
        InputError: if the vote table has no faces.

    >>> import shapely
    >>> votes = VoteTable.from_polygons([[shapely.box(0, 0, 2, 1)], [shapely.box(1, 0, 3, 1)]])
    >>> shapely.area(marked_polygons(votes, consensus_at_level(votes, 1))).tolist()
    [1.0]
    """
    if votes.faces is None:
        raise InputError(
            "consensus.no_faces",
            "A consensus of pixels has no faces to join; turn its raster into polygons instead.",
        )
    return dissolve_faces(votes.faces, progress, votes.on_map(marked))


#: Name of the method that uses each annotator's own drawing as a ground truth.
EACH_ANNOTATOR = "each"
#: Name of the method that makes a ground truth of each agreement level.
AGREEMENT_LEVELS = "levels"
#: Method that weights annotators by their answers to questions with known answers.
COOKE = "cooke"
#: Display names of the ground truths from all annotators, as in Lampert et al. 2016.
GROUND_TRUTH_NAMES = {
    "any": "Any-GT",
    "0.5": "0.5-GT",
    "0.75": "0.75-GT",
    "excl-0.5": "Excl-0.5-GT",
    "staple": "STAPLE",
    "simple": "SIMPLE",
    "lsml": "LSML",
    COOKE: "Cooke-GT",
}


@dataclass(frozen=True, eq=False)
class GroundTruths:
    """Ground truths with their messages, by display name.

    Attributes:
        truths: display name -> marked units, in the shape of the vote table's index.
        missing_reasons: display name of a ground truth that could not be computed -> the reason.
        messages: display name -> messages for the user.
        known: display name -> units at which the ground truth is known, in the same shape. Ground
            truths that are known everywhere are left out.
    """

    truths: dict[str, Bools]
    missing_reasons: dict[str, Message] = field(default_factory=dict)
    messages: dict[str, tuple[Message, ...]] = field(default_factory=dict)
    known: dict[str, Bools] = field(default_factory=dict)

    def add(
        self,
        method: str,
        truth: Bools,
        messages: tuple[Message, ...] = (),
        known: Bools | None = None,
    ) -> None:
        """Add the ground truth of a method that combines all annotators.

        Args:
            method: key of ``GROUND_TRUTH_NAMES``.
            truth: marked units.
            messages: messages for the user.
            known: units at which the ground truth is known; None for everywhere.
        """
        name = GROUND_TRUTH_NAMES[method]
        self.truths[name] = truth
        if known is not None and not known.all():
            self.known[name] = known
        if messages:
            self.messages[name] = messages

    def known_mask(self, name: str) -> Bools:
        """Return the units at which a ground truth is known; all of them by default."""
        return self.known.get(name, np.ones(self.truths[name].shape, dtype=bool))

    def update(self, other: GroundTruths) -> None:
        """Add the marked and the known units of other ground truths, on the same units."""
        self.truths.update(other.truths)
        self.known.update(other.known)

    def in_window(self, window: slice | tuple[slice, ...]) -> GroundTruths:
        """Return the ground truths on the units in slices of their arrays.

        >>> truths = GroundTruths({"ann": np.array([True, False, False])})
        >>> truths.in_window(slice(2)).truths["ann"].tolist()
        [True, False]
        """
        truths = {name: truth[window] for name, truth in self.truths.items()}
        known = {name: is_known[window] for name, is_known in self.known.items()}
        return replace(self, truths=truths, known=known)

    def check_any(self) -> None:
        """Raise an InputError with the reasons if no ground truth could be computed."""
        if self.truths:
            return
        reasons = " ".join(f"{name}: {reason}" for name, reason in self.missing_reasons.items())
        raise InputError(
            "truths.none_possible",
            "None of the ground truths chosen can be made. {whys}",
            whys=reasons,
        )

    def all_messages(self) -> list[Message]:
        """Return messages about the ground truths, and about those that could not be computed."""
        all_messages = []
        for truth, messages in self.messages.items():
            all_messages += [
                note("truths.note", "{truth}: {why}", truth=truth, why=message)
                for message in messages
            ]
        for truth, reason in self.missing_reasons.items():
            message = note("truths.missing", "No {truth}: {why}", truth=truth, why=reason)
            all_messages.append(message)
        for names in self.identical_truths():
            message = note(
                "truths.identical",
                "{names} mark exactly the same area, so their values are equal, too.",
                names=names,
            )
            all_messages.append(message)
        return all_messages

    def identical_truths(self) -> list[tuple[str, ...]]:
        """Return the names of ground truths that are equal, group by group.

        >>> mask = np.array([True, False])
        >>> GroundTruths({"ann": mask, "STAPLE": ~mask, "SIMPLE": mask}).identical_truths()
        [('ann', 'SIMPLE')]
        """
        names_by_content: dict[tuple[bytes, bytes], list[str]] = {}
        for name, truth in self.truths.items():
            content = np.packbits(truth).tobytes(), np.packbits(self.known_mask(name)).tobytes()
            names_by_content.setdefault(content, []).append(name)
        return [tuple(names) for names in names_by_content.values() if len(names) > 1]


def compute_ground_truths(
    votes: VoteTable,
    methods: Sequence[str],
    *,
    how: EstimationOptions | None = None,
    progress: Progress = no_progress,
) -> GroundTruths:
    """Compute the requested ground truths.

    Args:
        votes: vote table with its index; LSML needs an index of (rows, columns) pixels.
        methods: any of ``EACH_ANNOTATOR``, ``AGREEMENT_LEVELS`` and the keys of
            ``GROUND_TRUTH_NAMES``; the results are in this order.
        how: options of STAPLE, SIMPLE and LSML.
        progress: called with the fraction of the work done.

    Returns:
        The ground truths, and the reasons why others could not be computed.

    Raises:
        InputError: if a method is unknown, the vote table has no map, an annotator has the name of
            a ground truth, or there are no answers for Cooke's weights.

    >>> votes = VoteTable.from_stack([[1, 1, 0, 0], [1, 0, 0, 0], [1, 1, 1, 0]])
    >>> result = compute_ground_truths(votes, ["0.5", "lsml"])
    >>> result.truths["0.5-GT"].tolist(), [*result.missing_reasons]
    ([True, True, False, False], ['LSML'])
    """
    if EACH_ANNOTATOR in methods:
        _check_annotator_names(votes)
    estimation = how or EstimationOptions()
    result = GroundTruths({})
    for method, method_progress in iterate_with_progress(methods, progress):
        if method == EACH_ANNOTATOR:
            result.update(_own_truths(votes))
        elif method == AGREEMENT_LEVELS:
            result.update(_level_truths(votes))
        elif method in GROUND_TRUTH_NAMES:
            _add_joint_truth(result, method, votes, estimation, method_progress)
        else:
            raise InputError(
                "truths.unknown",
                "There is no ground truth '{method}'; choose one of {methods}.",
                method=method,
                methods=", ".join([EACH_ANNOTATOR, AGREEMENT_LEVELS, *GROUND_TRUTH_NAMES]),
            )
    return result


def _check_annotator_names(votes: VoteTable) -> None:
    """Raise an InputError if an annotator has the display name of a ground truth."""
    clashes = sorted(set(votes.names) & set(reserved_annotator_names(votes.n_annotators)))
    if clashes:
        raise InputError(
            "annotators.named_as_truth",
            "Annotator '{name}' has the name of a ground truth; give it another one.",
            name=clashes[0],
        )


def _own_truths(votes: VoteTable) -> GroundTruths:
    """Return each annotator's own drawing as a ground truth, known where the annotator looked."""
    own_truths = GroundTruths({})
    for k, name in enumerate(votes.names):
        own_truths.truths[name] = votes.decision_map(k)
        is_rated = votes.ratings.patterns[:, k]
        if not is_rated.all():
            own_truths.known[name] = votes.on_map(is_rated)
    return own_truths


def _level_truths(votes: VoteTable) -> GroundTruths:
    """Return each agreement level as a ground truth.

    That at least k annotators marked a unit is known where k did, or where even those who did not
    look could not make up k.

    Args:
        votes: vote table with its index.
    """
    vote_map = votes.on_map(votes.n_yes, outside=0)
    truths = GroundTruths(agreement_levels(vote_map, votes.n_annotators))
    if votes.is_complete:
        return truths
    # Number of votes if everybody who did not look would mark the unit.
    n_possible = votes.n_yes + votes.n_annotators - votes.n_rated
    for k, name in enumerate(level_names(votes.n_annotators), start=1):
        is_known = (votes.n_yes >= k) | (n_possible < k)
        if not is_known.all():
            truths.known[name] = votes.on_map(is_known)
    return truths


def _add_joint_truth(
    result: GroundTruths,
    method: str,
    votes: VoteTable,
    estimation: EstimationOptions,
    progress: Progress,
) -> None:
    """Add the ground truth of a method, or the reason why it cannot be computed, to a result.

    Args:
        result: ground truths; changed by this function.
        method: a key of ``GROUND_TRUTH_NAMES``.
        votes: vote table with its index.
        estimation: options of STAPLE, SIMPLE and LSML.
        progress: called with the fraction of the work done.
    """
    name = GROUND_TRUTH_NAMES[method]
    if votes.n_annotators == 1:
        result.missing_reasons[name] = info(
            "reason.one_annotator",
            "With one annotator this ground truth would be that annotator's own drawing.",
        )
    elif method == "lsml" and not votes.has_pixels:
        result.missing_reasons[name] = info(
            "reason.needs_pixels",
            "The method moves a contour over pixels. Set a pixel size to compute it.",
        )
    elif method == "lsml":
        contour = estimation.level_set(votes, progress)
        result.add(method, contour.marked, contour.messages)
    elif method == "staple":
        estimate = estimation.staple_with_message(votes, progress)
        result.add(method, votes.on_map(estimate.marked), estimate.messages)
    elif method == "simple":
        vote = estimation.simple(votes)
        is_known = _known_by(votes, vote.is_kept)
        result.add(method, votes.on_map(vote.marked), vote.messages, is_known)
    elif method == COOKE:
        weights = estimation.weights(votes.names)
        is_known = _known_by(votes, weights.weight > 0)
        marked = weighted_vote(votes, weights.weight)
        result.add(method, votes.on_map(marked), (weights.message,), is_known)
    else:
        is_known = None
        if method == "excl-0.5":
            is_known = _known_by(votes, ~outliers(votes))
        marked = CONSENSUS_METHODS[method](votes)
        result.add(method, votes.on_map(marked), known=is_known)


def _known_by(votes: VoteTable, is_kept: Bools) -> Bools | None:
    """Return the units at which an annotator who is kept looked; None if everybody looked.

    Args:
        votes: vote table with its index.
        is_kept: (K,) annotators whose votes make the ground truth.
    """
    if votes.is_rated is None:
        return None
    return votes.on_map(votes.is_rated[:, is_kept].any(axis=1))


def reserved_annotator_names(n_annotators: int) -> list[str]:
    """Return the display names of all ground truths that combine several annotators.

    Annotators must not have any of these names.

    Args:
        n_annotators: number of annotators.

    >>> reserved_annotator_names(2)[-3:]
    ['Cooke-GT', 'at least 1 of 2', 'at least 2 of 2']
    """
    return [*GROUND_TRUTH_NAMES.values(), *level_names(n_annotators)]


def consensus_method(method: str, how: EstimationOptions | None = None) -> ConsensusMethod:
    """Return the function that computes a ground truth of any vote table.

    It recomputes the ground truth for resampled annotators.

    Args:
        method: key of ``CONSENSUS_METHODS``.
        how: options of STAPLE and SIMPLE.

    Raises:
        InputError: for LSML, which needs the pixels, for Cooke's weights, which need the names of
            the annotators, and for methods that do not combine annotators.

    >>> votes = VoteTable.from_stack([[1, 1, 0, 0], [1, 0, 0, 0], [1, 1, 1, 0]])
    >>> votes.on_map(consensus_method("0.5")(votes)).tolist()
    [True, True, False, False]
    """
    estimation = how or EstimationOptions()
    if method == "staple":
        return lambda votes: estimation.staple(votes).marked
    if method == "simple":
        return lambda votes: estimation.simple(votes).marked
    if method not in CONSENSUS_METHODS:
        raise InputError(
            "truths.not_for_resampling",
            "The ground truth '{method}' cannot be computed for resampled annotators; choose one "
            "of {methods}.",
            method=method,
            methods=", ".join(CONSENSUS_METHODS),
        )
    return CONSENSUS_METHODS[method]


def agreement_levels(votes: ArrayLike, n_annotators: int) -> dict[str, Bools]:
    """Return the ground truth of each agreement level.

    Args:
        votes: number of annotators who marked each unit, any shape.
        n_annotators: number of annotators.

    Returns:
        Display name -> units that at least 1, 2, … all annotators marked, in the shape of
        ``votes``.

    >>> {name: truth.tolist() for name, truth in agreement_levels([0, 1, 2], 2).items()}
    {'at least 1 of 2': [False, True, True], 'at least 2 of 2': [False, False, True]}
    """
    counts = np.asarray(votes)
    return {name: counts >= k for k, name in enumerate(level_names(n_annotators), start=1)}


def level_names(n_annotators: int) -> list[str]:
    """Return the display names of the agreement levels, the lowest level first.

    Args:
        n_annotators: number of annotators.

    >>> level_names(2)
    ['at least 1 of 2', 'at least 2 of 2']
    """
    return [f"at least {k} of {n_annotators}" for k in range(1, n_annotators + 1)]


#: Rules by which SIMPLE discards annotators, see :func:`simple_vote`.
DISCARD_RULES = ("deviation", "share")
_MAX_ROUNDS = 100
# Allowance for rounding when overlaps or sums of weights are compared.
_ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class SimpleVote:
    """Ground truth estimated by SIMPLE.

    Attributes:
        marked: (M,) marked patterns.
        is_kept: (K,) True for annotators who are not discarded.
        performance: (K,) Dice overlap of all annotators with the outcome before the last vote.
        n_rounds: number of votes.
        converged: True if the outcome and the discarded annotators stopped changing.
        messages: messages for the user.
    """

    marked: Bools
    is_kept: Bools
    performance: Floats
    n_rounds: int
    converged: bool
    messages: tuple[Message, ...]


@validate_arguments
def simple_vote(votes: VoteTable, factor: float = 1.0, rule: str = "deviation") -> SimpleVote:
    """Estimate the ground truth with SIMPLE (Langerak et al. 2010).

    Each round takes the majority of the annotators, weighted by their Dice overlap with the outcome
    of the round before, and discards annotators whose overlap is below a limit. The best two
    annotators are never discarded. With missing ratings, the majority is of those who looked, and
    the overlap of an annotator is over the area at which the annotator looked.

    Args:
        votes: vote table of K annotators and M patterns.
        factor: factor of the limit, 0 or more.
        rule: ``"deviation"`` for the limit mean - a·sd of the overlap of the annotators that are
            not discarded, with n - 1 in the standard deviation, or ``"share"`` for a·mean.

    Returns:
        The ground truth, and the overlap of each annotator with it.

    Raises:
        InputError: if the rule is unknown, or if ``factor`` is negative or not finite.

    >>> votes = VoteTable.from_stack([[1, 1, 0, 0], [1, 0, 0, 0], [1, 1, 1, 0]])
    >>> votes.on_map(simple_vote(votes).marked).tolist()
    [True, True, False, False]
    """
    _check_discard_rule(factor, rule)
    n_annotators = votes.n_annotators
    marked_weight = votes.yes_sums(votes.weights)
    is_retained = np.ones(n_annotators, dtype=bool)
    performance = np.ones(n_annotators)
    outcome = _weighted_majority(votes, np.ones(n_annotators))
    n_rounds = 1
    converged = False
    while not converged and n_rounds < _MAX_ROUNDS:
        last_outcome = outcome
        was_retained = is_retained
        performance = _overlap_with(votes, marked_weight, last_outcome)
        is_retained = was_retained & ~_is_too_low(performance, was_retained, factor, rule)
        outcome = _weighted_majority(votes, np.where(is_retained, performance, 0.0))
        is_same_outcome = bool((outcome == last_outcome).all())
        is_same_selection = bool((is_retained == was_retained).all())
        converged = is_same_outcome and is_same_selection
        n_rounds += 1

    messages: list[Message] = [AgreementMessage.SIMPLE_RULE]
    if n_annotators == 1:
        messages.append(AgreementMessage.ONE_ANNOTATOR)
    if n_annotators == 2:
        messages.append(AgreementMessage.SIMPLE_TWO_ANNOTATORS)
    if not marked_weight.any():
        messages.append(AgreementMessage.NOTHING_MARKED)
    if not converged:
        messages.append(AgreementMessage.NOT_CONVERGED)
    return SimpleVote(
        marked=outcome,
        is_kept=is_retained,
        performance=performance,
        n_rounds=n_rounds,
        converged=converged,
        messages=tuple(messages),
    )


def _check_discard_rule(factor: float, rule: str) -> None:
    """Raise an InputError if the rule of SIMPLE is unknown, or its factor is no valid number."""
    if rule not in DISCARD_RULES:
        raise InputError(
            "consensus.unknown_rule",
            "The rule must be one of {rules}, not '{rule}'.",
            rules=", ".join(DISCARD_RULES),
            rule=rule,
        )
    if not (np.isfinite(factor) and factor >= 0):
        raise InputError(
            "consensus.invalid_factor", "The factor a must be 0 or more, not {a:g}.", a=factor
        )


def _overlap_with(votes: VoteTable, marked_weight: Floats, outcome: Bools) -> Floats:
    """Return the (K,) Dice overlaps of the annotators with an outcome, where each of them looked.

    Args:
        votes: vote table of K annotators and M patterns.
        marked_weight: (K,) weight that each annotator marked.
        outcome: (M,) marked patterns.
    """
    outcome_weights = np.where(outcome, votes.weights, 0.0)
    outcome_total = outcome_weights.sum()
    if not votes.is_complete:
        outcome_total = votes.ratings.yes_sums(outcome_weights)
    shared_weight = votes.yes_sums(outcome_weights)
    return dice_coefficient(shared_weight, marked_weight, outcome_total)


def _weighted_majority(votes: VoteTable, weights: Floats) -> Bools:
    """Return the (M,) patterns that annotators with at least half of the weight marked.

    No pattern is marked if all weights are 0.

    Args:
        votes: vote table of K annotators and M patterns.
        weights: (K,) weights. With missing ratings, half of the weights of those who looked is
            needed.
    """
    half_weight: Floats | float = weights.sum() / 2
    if not votes.is_complete:
        half_weight = votes.ratings.pattern_sums(weights) / 2
    # Equal weights that are added up in another order must still tie.
    is_majority = votes.pattern_sums(weights) >= half_weight * (1 - _ROUNDING)
    return is_majority & (half_weight > 0)


def _is_too_low(performance: Floats, is_retained: Bools, factor: float, rule: str) -> Bools:
    """Return a mask (K,) of the annotators to discard; the best two are never discarded.

    Args:
        performance: (K,) Dice overlap of each annotator with the outcome.
        is_retained: (K,) annotators that are not discarded yet.
        factor: factor of the limit.
        rule: one of ``DISCARD_RULES``: ``"deviation"`` for the limit mean - factor · standard
            deviation, ``"share"`` for factor · mean.
    """
    if is_retained.sum() <= 2:
        return np.zeros_like(is_retained)
    overlaps = performance[is_retained]
    if rule == "deviation":
        limit = overlaps.mean() - factor * overlaps.std(ddof=1)
    else:
        limit = factor * overlaps.mean()
    is_low = is_retained & (performance < limit - _ROUNDING)
    # Annotators who are discarded already come last.
    negative_overlaps = np.where(is_retained, -performance, np.inf)
    best_first = np.argsort(negative_overlaps, kind="stable")
    is_low[best_first[:2]] = False
    return cast("Bools", is_low)
