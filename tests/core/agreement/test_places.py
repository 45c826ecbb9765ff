from __future__ import annotations

import numpy as np
import pytest
import shapely
from support.errors import raises

from randcrowns.core.agreement.disagreement import (
    FACE_COLUMNS,
    differences,
    disagreements,
    face_table,
)
from randcrowns.core.agreement.votes import VoteTable

LAYERS = {
    "ann": [shapely.box(0, 0, 6, 6)],
    "bob": [shapely.box(4, 0, 10, 6)],
    "eve": [shapely.box(0, 0, 6, 6), shapely.box(20, 0, 21, 1)],
}


@pytest.fixture
def votes() -> VoteTable:
    return VoteTable.from_polygons(LAYERS, shapely.box(0, 0, 30, 10))


def test_places_are_listed_largest_first(votes: VoteTable) -> None:
    places = disagreements(votes).table
    assert tuple(places.columns) == FACE_COLUMNS
    assert places.area.tolist() == pytest.approx([24, 24, 1])
    by_yes = {row.yes: row for row in places.itertuples()}
    assert by_yes[("ann", "eve")].no == ("bob",)
    assert by_yes[("bob",)].no == ("ann", "eve")
    assert by_yes[("eve",)].area == 1
    assert places.n_yes.tolist() == [len(yes) for yes in places.yes]
    assert (places.n_yes + places.n_no == 3).all()
    for row in places.itertuples():
        assert shapely.area(row.geometry) == row.area
        assert votes.faces[row.face].equals_exact(row.geometry)
        assert votes.pattern_index[row.face] == row.pattern


def test_small_places_are_left_out_and_counted(votes: VoteTable) -> None:
    found = disagreements(votes, min_area=2)
    places = found.table
    assert len(places) == 2
    assert (found.n_excluded, found.excluded_area) == (1, pytest.approx(1))


def test_two_annotators_whatever_the_others_did(votes: VoteTable) -> None:
    pair = differences(votes, 0, 1)
    assert sorted(zip(pair.yes, pair.no)) == [("ann", "bob"), ("bob", "ann")]
    assert pair.area.tolist() == pytest.approx([24, 24])
    alike = differences(votes, 0, 2)
    assert [(row.yes, row.no, row.area) for row in alike.itertuples()] == [
        ("eve", "ann", pytest.approx(1))
    ]


def test_lines_of_the_others_do_not_cut_the_places_of_two() -> None:
    layers = [[shapely.box(0, 0, 8, 8)], [], [shapely.box(2, 2, 4, 4)], [shapely.box(3, 0, 5, 8)]]
    assert differences(VoteTable.from_polygons(layers), 0, 1).area.tolist() == pytest.approx([64])


def test_everything_that_anybody_marked(votes: VoteTable) -> None:
    faces = face_table(votes)
    assert faces.area.sum() == pytest.approx(61)
    assert sorted(faces.n_yes) == [1, 1, 2, 3]


def test_full_agreement_has_no_places() -> None:
    same = VoteTable.from_polygons([LAYERS["ann"]] * 3)
    assert len(disagreements(same).table) == 0
    assert tuple(disagreements(same).table.columns) == FACE_COLUMNS
    assert len(differences(same, 0, 1)) == 0
    assert len(disagreements(VoteTable.from_polygons([[], []])).table) == 0


def test_what_has_no_places_is_refused(votes: VoteTable) -> None:
    with raises("votes.no_overlay"):
        disagreements(VoteTable.from_stack(np.ones((2, 4), bool)))
    with raises("votes.no_overlay"):
        differences(VoteTable.from_stack(np.ones((2, 4), bool)), 0, 1)
    with raises("annotators.unknown", annotator=3):
        differences(votes, 0, 3)
