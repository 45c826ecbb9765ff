from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from support.errors import ExpectedError, raises
from support.examples import examples

from randcrowns.core.agreement.agreement_messages import AgreementMessage
from randcrowns.core.agreement.votes import VoteTable


def counted(stack: np.ndarray, mask: np.ndarray | None = None) -> dict[tuple[bool, ...], int]:
    """Patterns of a stack, counted one unit at a time."""
    counts: dict[tuple[bool, ...], int] = {}
    for place in np.ndindex(stack.shape[1:]):
        if mask is None or not mask[place]:
            pattern = tuple(bool(layer[place]) for layer in stack)
            counts[pattern] = counts.get(pattern, 0) + 1
    return counts


def as_dict(table: VoteTable) -> dict[tuple[bool, ...], float]:
    return {
        tuple(map(bool, pattern)): weight for pattern, weight in zip(table.patterns, table.weights)
    }


@pytest.mark.parametrize("n_annotators", [1, 2, 7, 8, 9, 13, 16, 17, 31, 33, 63, 64])
@pytest.mark.parametrize("masked", [False, True])
def test_patterns_are_counted_as_one_by_one(n_annotators: int, masked: bool) -> None:
    rng = np.random.default_rng(n_annotators)
    base = rng.random((n_annotators, 3, 4)) < 0.4
    stack = base[:, rng.integers(0, 3, (9, 11)), rng.integers(0, 4, (9, 11))]
    mask = rng.random((9, 11)) < 0.3 if masked else None
    table = VoteTable.from_stack(stack, mask)
    assert as_dict(table) == counted(stack, mask)
    assert len(np.unique(table.patterns, axis=0)) == len(table.patterns)
    inside = np.ones((9, 11), bool) if mask is None else ~mask
    assert table.pattern_index is not None
    assert (table.pattern_index[~inside] == len(table.patterns)).all()
    np.testing.assert_array_equal(table.patterns[table.pattern_index[inside]], stack[:, inside].T)


def test_every_chunk_is_counted() -> None:
    stack = np.random.default_rng(1).random((3, 200_001)) < 0.5
    table = VoteTable.from_stack(stack)
    assert table.total_weight == 200_001
    np.testing.assert_array_equal(table.patterns[table.pattern_index].T, stack)


def test_the_index_is_as_small_as_it_can_be() -> None:
    every = np.array([[number >> k & 1 for number in range(256)] for k in range(8)], dtype=bool)
    assert VoteTable.from_stack(every).pattern_index.dtype == np.uint8
    assert VoteTable.from_stack(every[:, :255], np.zeros(255, bool)).pattern_index.dtype == np.uint8
    assert VoteTable.from_stack(every, np.zeros(256, bool)).pattern_index.dtype == np.uint16


def test_integers_lists_and_views_are_welcome() -> None:
    stack = np.array([[0, 3, 0, 255], [1, 1, 0, 0]], dtype=np.uint8)
    table = VoteTable.from_stack(list(stack[:, ::-1]), pixel_area=4.0, names=["a", "b"])
    assert as_dict(table) == {
        (True, False): 4,
        (False, False): 4,
        (True, True): 4,
        (False, True): 4,
    }
    assert table.names == ("a", "b")


@pytest.mark.parametrize(
    ("stack", "mask", "expected"),
    [
        (np.zeros((0, 4), bool), None, raises("annotators.wrong_number", most=64)),
        (np.zeros((65, 4), bool), None, raises("annotators.wrong_number", most=64)),
        ([np.zeros(4, bool), np.zeros(5, bool)], None, raises("votes.different_shapes", number=2)),
        (np.zeros((2, 4)), None, raises("votes.not_boolean")),
        (np.zeros((2, 4), bool), np.zeros(3, bool), raises("votes.wrong_mask_shape")),
        (np.zeros((2, 4), bool), np.zeros(4, int), raises("votes.mask_not_boolean")),
    ],
)
def test_a_stack_that_cannot_be_counted_is_refused(
    stack: np.ndarray, mask: np.ndarray | None, expected: ExpectedError
) -> None:
    with expected:
        VoteTable.from_stack(stack, mask)


def test_names_must_fit() -> None:
    with raises("votes.wrong_name_count", n_annotators=2, names=1):
        VoteTable.from_stack(np.zeros((2, 4), bool), names=["only"])


def test_everything_masked_leaves_an_empty_table() -> None:
    table = VoteTable.from_stack(np.ones((2, 3), bool), np.ones(3, bool))
    assert table.total_weight == 0
    assert table.patterns.shape == (0, 2)
    assert np.isnan(table.on_map(table.n_yes)).all()


@pytest.mark.parametrize("n_annotators", [3, 20])
def test_tiles_add_up_to_the_whole(n_annotators: int) -> None:
    rng = np.random.default_rng(0)
    stack = np.repeat(rng.random((n_annotators, 5, 6)) < 0.3, 4, axis=1)
    mask = rng.random((20, 6)) < 0.2
    tiles = [(stack[:, start : start + 7], mask[start : start + 7]) for start in range(0, 20, 7)]
    whole = VoteTable.from_stack(stack, mask)
    told: list[float] = []
    by_tiles = VoteTable.from_tiles(tiles, n_tiles=3, progress=told.append)
    assert as_dict(by_tiles) == as_dict(whole)
    assert by_tiles.pattern_index is None
    assert by_tiles.blocks.shape == (3, len(by_tiles.patterns))
    np.testing.assert_array_equal(np.asarray(by_tiles.blocks.sum(axis=0)).ravel(), by_tiles.weights)
    assert told == [1 / 3, 2 / 3, 1]
    rows = by_tiles.pattern_rows(*tiles[1])
    expected = np.where(mask[7:14], -1, stack[:, 7:14].sum(axis=0))
    np.testing.assert_array_equal(by_tiles.on_map(by_tiles.n_yes, outside=-1, index=rows), expected)


def test_a_pattern_that_the_table_does_not_know_is_outside() -> None:
    table = VoteTable.from_stack(np.array([[True, False], [False, False]]))
    rows = table.pattern_rows(np.array([[True, True], [True, False]]))
    np.testing.assert_array_equal(table.patterns[rows[1]], [True, False])
    assert rows[0] == len(table.patterns)


def test_tables_that_do_not_belong_together_are_refused() -> None:
    two = np.ones((2, 4), bool)
    with raises("tiles.different_annotators", number=2, n_annotators=3, other_n_annotators=2):
        VoteTable.from_tiles([two, np.ones((3, 4), bool)])
    with raises("tiles.none"):
        VoteTable.from_tiles([])
    with raises("votes.no_map"):
        VoteTable.from_tiles([two]).on_map(np.zeros(1))
    with raises("votes.different_annotators", n_annotators=3):
        VoteTable.from_stack(two).pattern_rows(np.ones((3, 4), bool))


def test_values_go_back_to_the_map() -> None:
    stack = np.array([[[True, False], [True, True]], [[False, False], [True, True]]])
    table = VoteTable.from_stack(stack, np.array([[False, False], [False, True]]))
    np.testing.assert_array_equal(table.on_map(table.n_yes), [[1, 0], [2, np.nan]])
    np.testing.assert_array_equal(table.on_map(table.n_yes > 0), [[True, False], [True, False]])
    with raises("votes.wrong_value_count"):
        table.on_map(np.zeros(2))


def test_leaving_annotators_out_keeps_the_units() -> None:
    stack = np.random.default_rng(3).random((4, 50)) < 0.5
    table = VoteTable.from_stack(stack, names=list("abcd"))
    rest = table.without([0, 2])
    assert rest.names == ("b", "d")
    np.testing.assert_array_equal(rest.on_map(rest.n_yes), stack[[1, 3]].sum(axis=0))
    with raises("annotators.none_left"):
        table.without([0, 1, 2, 3])


def test_sums_of_yes_votes() -> None:
    stack = np.random.default_rng(4).random((5, 300)) < 0.5
    table = VoteTable.from_stack(stack)
    np.testing.assert_array_equal(table.yes_sums(table.weights), stack.sum(axis=1))
    np.testing.assert_array_equal(table.shared_weights, stack.astype(int) @ stack.T.astype(int))
    np.testing.assert_allclose(
        table.on_map(table.pattern_sums(np.arange(5.0))), np.arange(5.0) @ stack
    )


def test_two_overlapping_squares() -> None:
    area = shapely.box(0, 0, 10, 10)
    table = VoteTable.from_polygons(
        {"a": [shapely.box(0, 0, 4, 4)], "b": [shapely.box(2, 2, 6, 6)]}, area
    )
    assert as_dict(table) == {
        (True, False): 12,
        (True, True): 4,
        (False, True): 12,
        (False, False): 72,
    }
    assert table.names == ("a", "b")
    np.testing.assert_array_equal(
        np.bincount(table.pattern_index, shapely.area(table.faces), len(table.weights)),
        table.weights,
    )


def test_without_a_study_area_only_what_is_marked_counts_and_it_says_so() -> None:
    table = VoteTable.from_polygons([[shapely.box(0, 0, 4, 4)], [shapely.box(10, 0, 12, 1)]])
    assert as_dict(table) == {(True, False): 16, (False, True): 2}
    assert AgreementMessage.NO_STUDY_AREA in table.messages
    assert AgreementMessage.NO_STUDY_AREA.is_notice  # so reports have it too


def test_polygon_annotators_must_be_few_enough() -> None:
    for layers in ([], [[shapely.box(0, 0, 1, 1)]] * 65):
        with raises("annotators.wrong_number", most=64):
            VoteTable.from_polygons(layers)


def test_sixty_four_annotators_from_polygons() -> None:
    layers = [[shapely.box(0, 0, k + 1, 1)] for k in range(64)]
    table = VoteTable.from_polygons(layers, shapely.box(0, 0, 65, 1))
    by_votes = np.bincount(table.n_yes, table.weights, 65)
    np.testing.assert_allclose(by_votes, np.ones(65), rtol=1e-12)


boxes = st.lists(
    st.tuples(st.integers(0, 18), st.integers(0, 18), st.integers(1, 6), st.integers(1, 6)),
    max_size=4,
)


@settings(max_examples=examples(40), deadline=None)
@given(st.lists(boxes, min_size=1, max_size=4))
def test_boxes_on_a_grid_count_the_same_as_pixels(
    annotators: list[list[tuple[int, int, int, int]]],
) -> None:
    stack = np.zeros((len(annotators), 24, 24), dtype=bool)
    layers = []
    for k, drawn in enumerate(annotators):
        for x, y, width, height in drawn:
            stack[k, y : y + height, x : x + width] = True
        layers.append([shapely.box(x, y, x + width, y + height) for x, y, width, height in drawn])
    exact = as_dict(VoteTable.from_polygons(layers, shapely.box(0, 0, 24, 24)))
    pixels = as_dict(VoteTable.from_stack(stack))
    assert exact == pytest.approx(pixels)


def test_what_is_masked_in_a_masked_array_is_left_out() -> None:
    stack = np.ma.array(
        np.ones((2, 3), dtype=bool), mask=[[True, False, False], [False, True, False]]
    )
    assert VoteTable.from_stack(stack).total_weight == 1
    assert VoteTable.from_stack(list(stack)).total_weight == 1
    assert VoteTable.from_stack(stack, np.array([False, False, True])).total_weight == 0
    assert VoteTable.from_tiles([stack, stack]).total_weight == 2
    assert VoteTable.from_stack(np.ma.array(np.ones((2, 3), dtype=bool))).total_weight == 3


@pytest.mark.parametrize("area", [np.nan, -1.0, 0.0, np.inf])
def test_a_pixel_without_an_area_is_refused(area: float) -> None:
    with raises("votes.invalid_pixel_area"):
        VoteTable.from_stack(np.ones((2, 3), bool), pixel_area=area)
    with raises("votes.invalid_pixel_area"):
        VoteTable.from_tiles([np.ones((2, 3), bool)], pixel_area=area)


@pytest.mark.parametrize("weight", [-1.0, np.nan, np.inf])
def test_weights_that_are_no_sizes_are_refused(weight: float) -> None:
    with raises("votes.invalid_weight"):
        VoteTable(np.array([[True, False], [True, True]]), np.array([weight, 3.0]))


def test_two_annotators_of_one_name_are_refused() -> None:
    with raises("annotators.repeated_name", twice="a"):
        VoteTable.from_stack(np.ones((3, 3), bool), names=["a", "b", "a"])


def test_an_overlay_without_faces_is_the_same_table() -> None:
    layers = {"ann": [shapely.box(0, 0, 2, 1)], "ben": [shapely.box(1, 0, 4, 1)], "cem": []}
    whole, alone = (
        VoteTable.from_polygons(layers, shapely.box(0, 0, 5, 5), faces=faces)
        for faces in (True, False)
    )
    np.testing.assert_array_equal(alone.patterns, whole.patterns)
    np.testing.assert_allclose(alone.weights, whole.weights, rtol=1e-12)
    assert (alone.names, alone.messages, alone.unit_weight) == (
        whole.names,
        whole.messages,
        whole.unit_weight,
    )
    assert (alone.faces, alone.pattern_index) == (None, None)
