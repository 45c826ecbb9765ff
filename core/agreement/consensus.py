"""Ground truths from many annotators' decisions: voting, and the estimation methods.

STAPLE and SIMPLE have modules of their own; LSML needs the pixel grid and takes the stack instead of the table.
"""

from __future__ import annotations

from typing import Callable

import numpy as np

from randcrowns.core.agreement.measures import outliers
from randcrowns.core.agreement.simple_vote import simple
from randcrowns.core.agreement.staple_em import staple
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.arrays import Bools, Objects
from randcrowns.core.errors import InputError
from randcrowns.core.geometry.overlay import dissolved
from randcrowns.core.progress import Progress, no_progress


def level(votes: VoteTable, share: float) -> Bools:
    """(M,) what at least ``share`` of the annotators marked, h >= K·l (Eq. 5); ties are marked, 0 means anybody.

    Raises:
        InputError: unless 0 <= share <= 1.

    >>> votes = VoteTable.from_stack([[1, 1, 0, 0], [1, 0, 0, 0], [1, 1, 1, 0]])
    >>> votes.on_map(level(votes, 0.5)).tolist()
    [True, True, False, False]
    """
    if not 0 <= share <= 1:
        raise InputError(f"The level of agreement must lie between 0 and 1, not {share:g}.")
    # 0.28 · 25 is 7.000000000000001 in floating point.
    needed = max(np.ceil(votes.n_annotators * share - 1e-9), 1)
    return np.asarray(votes.yes_votes >= needed)


def any_annotator(votes: VoteTable) -> Bools:
    """Any-GT: (M,) what anybody marked."""
    return level(votes, 0.0)


def half(votes: VoteTable) -> Bools:
    """0.5-GT: (M,) what half of the annotators or more marked."""
    return level(votes, 0.5)


def three_quarters(votes: VoteTable) -> Bools:
    """0.75-GT: (M,) what three quarters of the annotators or more marked."""
    return level(votes, 0.75)


def unanimous(votes: VoteTable) -> Bools:
    """(M,) what all annotators marked."""
    return level(votes, 1.0)


def excluding_outliers(votes: VoteTable, share: float = 0.5) -> Bools:
    """Excl-0.5-GT: (M,) what half or more of the annotators who are no outliers marked."""
    return level(votes.without(np.flatnonzero(outliers(votes))), share)


#: Consensus methods that are functions of the vote table, by name; each gives the marked patterns (M,).
METHODS: dict[str, Callable[[VoteTable], Bools]] = {
    "any": any_annotator,
    "0.5": half,
    "0.75": three_quarters,
    "unanimous": unanimous,
    "excl-0.5": excluding_outliers,
    "staple": lambda votes: staple(votes).marked,
    "simple": lambda votes: simple(votes).marked,
}


def leave_one_out(votes: VoteTable, method: Callable[[VoteTable], Bools] = half) -> Bools:
    """(K, M) the consensus of all but one annotator, so that nobody is compared with their own drawing.

    Args:
        votes: the vote table of at least two annotators.
        method: a consensus of a vote table, for example one of ``METHODS``.

    Raises:
        InputError: for one annotator.

    >>> votes = VoteTable.from_stack([[1, 1, 0, 0], [1, 0, 0, 0], [1, 1, 1, 0]])
    >>> votes.on_map(leave_one_out(votes)[0]).tolist()
    [True, True, True, False]
    """
    if votes.n_annotators < 2:
        raise InputError("Leaving one annotator out needs at least two annotators.")
    return np.stack([method(votes.without(k)) for k in range(votes.n_annotators)])


def marked_polygons(votes: VoteTable, marked: Bools, progress: Progress = no_progress) -> Objects:
    """The polygons of a consensus, faces that adjoin joined.

    Args:
        votes: a vote table from polygons.
        marked: (M,) marked patterns.
        progress: receives the fraction done.

    Raises:
        InputError: when the vote table has no faces.

    >>> import shapely
    >>> votes = VoteTable.from_polygons([[shapely.box(0, 0, 2, 1)], [shapely.box(1, 0, 3, 1)]])
    >>> shapely.area(marked_polygons(votes, level(votes, 1))).tolist()
    [1.0]
    """
    if votes.faces is None:
        raise InputError("A consensus of pixels has no faces to join; turn its raster into polygons instead.")
    return dissolved(votes.faces[votes.on_map(marked)], progress)


#: A ground truth from a vote table: yes or no per pattern.
Rule = Callable[[VoteTable], Bools]
