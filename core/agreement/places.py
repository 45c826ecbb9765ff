"""Places where annotators differ: the faces of the overlay on which not all decided alike, largest first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import numpy as np
import pandas as pd
import shapely

from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.arrays import Ints, Objects
from randcrowns.core.errors import InputError
from randcrowns.core.geometry.overlay import dissolved
from randcrowns.core.given import as_declared

#: Columns of the tables of faces.
COLUMNS = ("face", "pattern", "area", "n_yes", "n_no", "yes", "no", "geometry")


@dataclass(frozen=True, eq=False)
class Disagreements:
    """Places of the overlay.

    Attributes:
        places: a row per place, the largest first: ``face`` (row of ``votes.faces``), ``pattern`` (row of the vote
            table), ``area`` (m²), ``n_yes``, ``n_no``, ``yes`` and ``no`` (tuples of names), ``geometry``.
        excluded: number of places below the smallest area.
        excluded_area: what they cover together, m².
    """

    places: pd.DataFrame
    excluded: int
    excluded_area: float


@as_declared
def disagreements(votes: VoteTable, min_area: float = 0.0) -> Disagreements:
    """Places where some said yes and some said no.

    Args:
        votes: a vote table from polygons.
        min_area: smallest area of a place, m².

    Raises:
        InputError: when the vote table has no faces.

    >>> votes = VoteTable.from_polygons({"ann": [shapely.box(0, 0, 2, 1)], "ben": [shapely.box(1, 0, 4, 1)]})
    >>> disagreements(votes).places[["area", "yes"]].to_numpy().tolist()
    [[2.0, ('ben',)], [1.0, ('ann',)]]
    """
    marked = agreement_faces(votes)
    mixed = marked[marked["n_no"] > 0]
    small = mixed["area"] < min_area
    excluded_area = float(mixed.loc[small, "area"].sum())
    return Disagreements(mixed[~small].reset_index(drop=True), int(small.sum()), excluded_area)


@as_declared
def differences(votes: VoteTable, first: int, second: int) -> pd.DataFrame:
    """Places that one of two annotators marked and the other did not, whatever the others did.

    Returns:
        A row per place, the largest first: ``area``, ``yes`` and ``no`` (names), ``geometry``.

    Raises:
        InputError: when the vote table has no faces, or there is no such annotator.

    >>> votes = VoteTable.from_polygons({"ann": [shapely.box(0, 0, 2, 1)], "ben": [shapely.box(1, 0, 4, 1)]})
    >>> differences(votes, 0, 1)[["area", "yes"]].to_numpy().tolist()
    [[2.0, 'ben'], [1.0, 'ann']]
    """
    for annotator in (first, second):
        if not 0 <= annotator < votes.n_annotators:
            said = "There is no annotator {annotator}; the first is 0, the last {last}."
            raise InputError(said, annotator=annotator, last=votes.n_annotators - 1)
    faces = _faces(votes)
    places = []
    for yes, no in ((first, second), (second, first)):
        wanted = votes.on_map(votes.patterns[:, yes] & ~votes.patterns[:, no])
        geometry = dissolved(faces[wanted])
        names = {"yes": votes.names[yes], "no": votes.names[no]}
        places.append(pd.DataFrame({"area": shapely.area(geometry), **names, "geometry": geometry}))
    return cast(
        "pd.DataFrame",
        pd.concat(places, ignore_index=True).sort_values("area", ascending=False, kind="stable", ignore_index=True),
    )


def agreement_faces(votes: VoteTable) -> pd.DataFrame:
    """All faces that anybody marked, for the agreement map (``n_yes`` is h); columns as in :class:`Disagreements`."""
    faces = _faces(votes)
    face = np.flatnonzero(votes.on_map(votes.yes_votes > 0))
    area = shapely.area(faces[face])
    order = np.argsort(-area, kind="stable")
    face, area = face[order], area[order]
    pattern = np.asarray(votes.index)[face].astype(np.int64)
    yes, no = _names(votes, pattern)
    return cast(
        "pd.DataFrame",
        pd.DataFrame(
            {
                "face": face,
                "pattern": pattern,
                "area": area,
                "n_yes": votes.yes_votes[pattern],
                "n_no": votes.n_annotators - votes.yes_votes[pattern],
                "yes": yes,
                "no": no,
                "geometry": faces[face],
            }
        ),
    )


def _faces(votes: VoteTable) -> Objects:
    if votes.faces is None:
        raise InputError("Places need the polygons' overlay; this vote table comes from pixels or tiles.")
    return votes.faces


def _names(votes: VoteTable, pattern: Ints) -> tuple[Objects, Objects]:
    """For each place the tuples of names of who said yes and who said no."""
    used, place = np.unique(pattern, return_inverse=True)
    said_yes = np.empty(len(used), dtype=object)
    said_no = np.empty(len(used), dtype=object)
    for row, decisions in enumerate(votes.patterns[used]):
        said_yes[row] = tuple(name for name, yes in zip(votes.names, decisions) if yes)
        said_no[row] = tuple(name for name, yes in zip(votes.names, decisions) if not yes)
    return said_yes[place], said_no[place]
