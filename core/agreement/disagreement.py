"""Places where annotators disagree: faces of the polygon overlay with different decisions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import numpy as np
import pandas as pd
import shapely

from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.arrays import Bools, Floats, Ints, Objects
from randcrowns.core.errors import InputError
from randcrowns.core.geometry.overlay import dissolve_faces
from randcrowns.core.geometry.polygon_file import PolygonFile
from randcrowns.core.thresholds import SCORE_TOLERANCE
from randcrowns.core.validation import validate_arguments

#: Columns of the tables of faces.
FACE_COLUMNS = ("face", "pattern", "area", "n_yes", "n_no", "yes", "no", "geometry")


@dataclass(frozen=True, eq=False)
class Disagreements:
    """Faces of the overlay on which annotators disagree.

    Attributes:
        votes: the vote table with the faces.
        rows: rows of ``votes.faces``, the largest face first.
        n_excluded: number of faces below the minimum area.
        excluded_area: total area of these faces, m².
    """

    votes: VoteTable
    rows: Ints
    n_excluded: int
    excluded_area: float

    @property
    def table(self) -> pd.DataFrame:
        """Table of the faces, the largest first, as :func:`face_table` returns it."""
        return face_table(self.votes, self.rows)


@validate_arguments
def disagreements(votes: VoteTable, min_area: float = 0.0) -> Disagreements:
    """Find the faces that some annotators marked and others did not.

    Args:
        votes: vote table from polygons, with its faces.
        min_area: minimum area of a face, m².

    Returns:
        The faces of at least the minimum area, and the number and area of the smaller ones.

    Raises:
        InputError: if the vote table has no faces.

    >>> annotators = {"ann": [shapely.box(0, 0, 2, 1)], "ben": [shapely.box(1, 0, 4, 1)]}
    >>> votes = VoteTable.from_polygons(annotators)
    >>> disagreements(votes).table[["area", "yes"]].to_numpy().tolist()
    [[2.0, ('ben',)], [1.0, ('ann',)]]
    """
    rows = faces_by_area(votes, votes.n_no > 0)
    areas = _face_areas(votes, rows)
    # Areas differ by rounding errors, in proportion to their size.
    is_small = areas < min_area * (1 - SCORE_TOLERANCE)
    return Disagreements(
        votes=votes,
        rows=rows[~is_small],
        n_excluded=int(is_small.sum()),
        excluded_area=float(areas[is_small].sum()),
    )


@validate_arguments
def differences(votes: VoteTable, first: int, second: int) -> pd.DataFrame:
    """Return the polygons that one of two annotators marked and the other did not.

    Adjacent faces are merged, whatever the decisions of the other annotators.

    Args:
        votes: vote table from polygons, with its faces.
        first: index of an annotator, from 0.
        second: index of the other annotator.

    Returns:
        A row per polygon, the largest first: ``area`` (m²), ``yes`` and ``no`` (names of the
        annotator who marked it, and of the one who did not), ``geometry``.

    Raises:
        InputError: if the vote table has no faces, or an annotator does not exist.

    >>> annotators = {"ann": [shapely.box(0, 0, 2, 1)], "ben": [shapely.box(1, 0, 4, 1)]}
    >>> votes = VoteTable.from_polygons(annotators)
    >>> differences(votes, 0, 1)[["area", "yes"]].to_numpy().tolist()
    [[2.0, 'ben'], [1.0, 'ann']]
    """
    for annotator in (first, second):
        if not 0 <= annotator < votes.n_annotators:
            raise InputError(
                "annotators.unknown",
                "There is no annotator {annotator}; the first is 0, the last {last}.",
                annotator=annotator,
                last=votes.n_annotators - 1,
            )
    tables = [_marked_by_one(votes, first, second), _marked_by_one(votes, second, first)]
    both = pd.concat(tables, ignore_index=True)
    largest_first = both.sort_values("area", ascending=False, kind="stable", ignore_index=True)
    return cast("pd.DataFrame", largest_first)


def _marked_by_one(votes: VoteTable, yes: int, no: int) -> pd.DataFrame:
    """Return the polygons that one annotator marked and another one, who looked, did not.

    Args:
        votes: vote table from polygons, with its faces.
        yes: index of the annotator who marked them.
        no: index of the other annotator.

    Returns:
        The columns of :func:`differences`.
    """
    is_marked_by_one = votes.patterns[:, yes] & ~votes.patterns[:, no]
    if votes.is_rated is not None:
        is_marked_by_one &= votes.is_rated[:, no]
    faces = _face_polygons(votes, votes.on_map(is_marked_by_one))
    polygons = dissolve_faces(faces)
    table: pd.DataFrame = pd.DataFrame(
        {
            "area": shapely.area(polygons),
            "yes": votes.names[yes],
            "no": votes.names[no],
            "geometry": polygons,
        }
    )
    return table


def face_table(votes: VoteTable, rows: Ints | None = None) -> pd.DataFrame:
    """Return a table of faces of the overlay, for the agreement map.

    Args:
        votes: vote table from polygons, with its faces.
        rows: rows of ``votes.faces``; by default all faces that at least one annotator marked, the
            largest first.

    Returns:
        A row per face with the columns ``FACE_COLUMNS``: ``face`` (row of ``votes.faces``),
        ``pattern`` (row of the vote table), ``area`` (m²), ``n_yes`` and ``n_no`` (numbers of
        annotators who marked it and who did not), ``yes`` and ``no`` (tuples of their names),
        ``geometry``.

    Raises:
        InputError: if the vote table has no faces.

    >>> annotators = {"ann": [shapely.box(0, 0, 2, 1)], "ben": [shapely.box(1, 0, 4, 1)]}
    >>> face_table(VoteTable.from_polygons(annotators))["n_yes"].tolist()
    [1, 2, 1]
    """
    face = faces_by_area(votes) if rows is None else rows
    pattern = np.asarray(votes.pattern_index)[face].astype(np.int64)
    n_yes = votes.n_yes[pattern]
    yes, no = _names(votes, pattern)
    table = pd.DataFrame(
        {
            "face": face,
            "pattern": pattern,
            "area": _face_areas(votes, face),
            "n_yes": n_yes,
            "n_no": votes.n_no[pattern],
            "yes": yes,
            "no": no,
            "geometry": _face_polygons(votes, face),
        }
    )
    return cast("pd.DataFrame", table)


def faces_by_area(votes: VoteTable, pattern_mask: Bools | bool = True) -> Ints:
    """Return the rows of the faces that at least one annotator marked, the largest first.

    Args:
        votes: vote table from polygons, with M patterns and its faces.
        pattern_mask: (M,) mask of the patterns to return; all by default.

    Raises:
        InputError: if the vote table has no faces.

    >>> annotators = {"ann": [shapely.box(0, 0, 2, 1)], "ben": [shapely.box(1, 0, 4, 1)]}
    >>> votes = VoteTable.from_polygons(annotators)
    >>> shapely.area(votes.faces[faces_by_area(votes)]).tolist()
    [2.0, 1.0, 1.0]
    """
    rows = np.flatnonzero(votes.on_map((votes.n_yes > 0) & pattern_mask))
    return cast("Ints", rows[np.argsort(-_face_areas(votes, rows), kind="stable")])


def _face_polygons(votes: VoteTable, rows: Ints | Bools) -> Objects:
    """Return the polygons of these faces; raise InputError if the table has no faces."""
    if votes.faces is None:
        raise InputError(
            "votes.no_overlay",
            "Areas of disagreement need an overlay of polygons, but this vote table comes from "
            "pixels or tiles.",
        )
    return cast("Objects", votes.faces[rows])


def _face_areas(votes: VoteTable, rows: Ints) -> Floats:
    """Return the areas (m²) of these faces; raise InputError if the table has no faces."""
    if isinstance(votes.faces, PolygonFile):
        return votes.faces.areas[rows]
    return np.asarray(shapely.area(_face_polygons(votes, rows)))


def _names(votes: VoteTable, pattern: Ints) -> tuple[Objects, Objects]:
    """Return the annotators who marked a region, and those who did not.

    Args:
        votes: the vote table.
        pattern: (n,) rows of the vote table.

    Returns:
        yes: (n,) tuples of the names of the annotators with a yes.
        no: (n,) tuples of the names of the others who looked.
    """
    distinct_rows, row_numbers = np.unique(pattern, return_inverse=True)
    yes = np.empty(len(distinct_rows), dtype=object)
    no = np.empty(len(distinct_rows), dtype=object)
    names = np.array(votes.names, dtype=object)
    for number, pattern_row in enumerate(distinct_rows):
        is_yes = votes.patterns[pattern_row]
        is_rated = votes.ratings.patterns[pattern_row]
        yes[number] = tuple(names[is_yes])
        no[number] = tuple(names[~is_yes & is_rated])
    return yes[row_numbers], no[row_numbers]
