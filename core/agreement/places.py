"""Places where annotators differ: the faces of the overlay on which not all decided alike, largest first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import numpy as np
import pandas as pd
import shapely

from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.arrays import Bools, Floats, Ints, Objects
from randcrowns.core.errors import InputError
from randcrowns.core.geometry.overlay import dissolved
from randcrowns.core.geometry.polygon_file import PolygonFile
from randcrowns.core.given import as_declared

#: Columns of the tables of faces.
COLUMNS = ("face", "pattern", "area", "n_yes", "n_no", "yes", "no", "geometry")


@dataclass(frozen=True, eq=False)
class Disagreements:
    """Places of the overlay.

    Attributes:
        votes: the vote table.
        rows: rows of ``votes.faces``, the largest first.
        excluded: number of places below the smallest area.
        excluded_area: what they cover together, m².
    """

    votes: VoteTable
    rows: Ints
    excluded: int
    excluded_area: float

    @property
    def places(self) -> pd.DataFrame:
        """A row per place, the largest first: ``face`` (row of ``votes.faces``), ``pattern`` (row of the vote table),
        ``area`` (m²), ``n_yes``, ``n_no``, ``yes`` and ``no`` (tuples of names), ``geometry``."""
        return agreement_faces(self.votes, self.rows)


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
    mixed = largest_first(votes, votes.yes_votes < votes.n_annotators)
    area = _areas(votes, mixed)
    small = area < min_area
    return Disagreements(votes, mixed[~small], int(small.sum()), float(area[small].sum()))


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
    places = []
    for yes, no in ((first, second), (second, first)):
        wanted = votes.on_map(votes.patterns[:, yes] & ~votes.patterns[:, no])
        geometry = dissolved(_shapes(votes, wanted))
        names = {"yes": votes.names[yes], "no": votes.names[no]}
        places.append(pd.DataFrame({"area": shapely.area(geometry), **names, "geometry": geometry}))
    return cast(
        "pd.DataFrame",
        pd.concat(places, ignore_index=True).sort_values(
            "area", ascending=False, kind="stable", ignore_index=True
        ),
    )


def agreement_faces(votes: VoteTable, rows: Ints | None = None) -> pd.DataFrame:
    """All faces that anybody marked, largest first, for the agreement map (``n_yes`` is h), or those in ``rows`` of
    ``votes.faces``; columns as in :attr:`Disagreements.places`."""
    face = largest_first(votes) if rows is None else rows
    pattern = np.asarray(votes.index)[face].astype(np.int64)
    n_yes = votes.yes_votes[pattern]
    yes, no = _names(votes, pattern)
    told = {
        "area": _areas(votes, face),
        "n_yes": n_yes,
        "n_no": votes.n_annotators - n_yes,
        "yes": yes,
        "no": no,
    }
    shapes = _shapes(votes, face)
    return cast(
        "pd.DataFrame", pd.DataFrame({"face": face, "pattern": pattern, **told, "geometry": shapes})
    )


def largest_first(votes: VoteTable, wanted: Bools | bool = True) -> Ints:
    """Rows of the faces that anybody marked, of (M,) ``wanted`` patterns, the largest first."""
    face = np.flatnonzero(votes.on_map((votes.yes_votes > 0) & wanted))
    return cast("Ints", face[np.argsort(-_areas(votes, face), kind="stable")])


def _shapes(votes: VoteTable, rows: Ints | Bools) -> Objects:
    if votes.faces is None:
        raise InputError(
            "Places need the polygons' overlay; this vote table comes from pixels or tiles."
        )
    return cast("Objects", votes.faces[rows])


def _areas(votes: VoteTable, rows: Ints) -> Floats:
    faces = votes.faces
    return (
        faces.areas[rows]
        if isinstance(faces, PolygonFile)
        else np.asarray(shapely.area(_shapes(votes, rows)))
    )


def _names(votes: VoteTable, pattern: Ints) -> tuple[Objects, Objects]:
    """For each place the tuples of names of who said yes and who said no."""
    used, place = np.unique(pattern, return_inverse=True)
    said_yes = np.empty(len(used), dtype=object)
    said_no = np.empty(len(used), dtype=object)
    for row, decisions in enumerate(votes.patterns[used]):
        said_yes[row] = tuple(name for name, yes in zip(votes.names, decisions) if yes)
        said_no[row] = tuple(name for name, yes in zip(votes.names, decisions) if not yes)
    return said_yes[place], said_no[place]
