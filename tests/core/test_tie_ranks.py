from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples

from randcrowns.core.classes.within import match_within_classes
from randcrowns.core.crowns import Crowns
from randcrowns.core.instances.average_precision import threshold_table
from randcrowns.core.instances.evaluation import (
    CrownAttributes,
    EvaluationOptions,
    evaluate_crowns,
)
from randcrowns.core.instances.matching import (
    NO_MATCH,
    MatchingMethod,
    match_instances,
    match_one_to_one,
)
from randcrowns.core.instances.matching_inputs import MatchingInputs
from randcrowns.core.instances.overlap import polygon_overlap
from randcrowns.core.tie_ranks import rank_places

#: Easting and northing of a plot, which are rounded to about 1e-9 m.
UTM = (404_211.1, 3_285_102.7)


def squares(rng: np.random.Generator, n: int, shift: tuple[float, float] = (0, 0)) -> np.ndarray:
    """Return crowns of a few sizes on a coarse grid, so that many pairs have the same IoU."""
    xmin, ymin = rng.integers(0, 5, (2, n)) + np.array(shift)[:, None]
    side = rng.integers(1, 4, n)
    return shapely.box(xmin, ymin, xmin + side, ymin + side)


def pairs_of_places(method: MatchingMethod, targets: Crowns, predictions: Crowns) -> list[Any]:
    """Return the outlines of all pairs of both matchings, in an order of their own."""
    table = polygon_overlap(targets, predictions)
    inputs = MatchingInputs.of_crowns(targets, predictions, heights=np.ones(len(targets)))
    pairs = []
    for match in (match_one_to_one, match_instances):
        matching = match(table, method, inputs)
        rows = np.flatnonzero(matching.prediction != NO_MATCH)
        shared = matching.shared[rows].round(6)
        outlines = zip(
            targets.geometry[rows], predictions.geometry[matching.prediction[rows]], shared
        )
        pairs.append(sorted((one.wkt, other.wkt, size) for one, other, size in outlines))
        owners = np.flatnonzero(matching.target != NO_MATCH)
        sides = zip(predictions.geometry[owners], targets.geometry[matching.target[owners]])
        pairs.append(sorted((one.wkt, other.wkt) for one, other in sides))
    return pairs


@pytest.mark.parametrize("method", list(MatchingMethod))
@given(seed=st.integers(0, 2**32))
@settings(max_examples=examples(40), deadline=None)
def test_the_order_of_crowns_changes_no_match(method: MatchingMethod, seed: int) -> None:
    rng = np.random.default_rng(seed)
    one, other = squares(rng, 9), squares(rng, 11)
    expected = pairs_of_places(method, Crowns(one), Crowns(other))
    shuffled = [Crowns(rng.permutation(side)) for side in (one, other)]
    assert pairs_of_places(method, *shuffled) == expected


def classes_of_matched(
    method: MatchingMethod, targets: Crowns, predictions: Crowns
) -> list[tuple[str, str]]:
    """Return outline and class of targets that match within classes, in a fixed order."""
    table = polygon_overlap(targets, predictions)
    sides = (targets.classes, predictions.classes)
    matching = match_within_classes(table, *sides, method, np.ones(len(targets)))
    rows = np.flatnonzero(matching.prediction != NO_MATCH)
    return sorted((targets.geometry[row].wkt, targets.classes[row]) for row in rows)


@given(seed=st.integers(0, 2**32))
@settings(max_examples=examples(40), deadline=None)
def test_the_order_of_crowns_changes_no_count(seed: int) -> None:
    rng = np.random.default_rng(seed)
    sides = [squares(rng, 9), squares(rng, 11)]
    classes = [rng.choice(["oak", "ash"], len(side)).astype(object) for side in sides]
    first = [Crowns(side, classes=own) for side, own in zip(sides, classes)]
    second = [crowns.subset(rng.permutation(len(crowns))) for crowns in first]
    second = [Crowns(side.geometry, classes=side.classes) for side in second]
    for method in MatchingMethod:
        options = EvaluationOptions(method.value, method.value, within_classes=True)
        summaries = [
            evaluate_crowns(*run, options, CrownAttributes()).summary for run in (first, second)
        ]
        pd.testing.assert_frame_equal(*summaries)
        found = [classes_of_matched(method, *run) for run in (first, second)]
        assert found[0] == found[1]
    tables = [threshold_table(polygon_overlap(*run)) for run in (first, second)]
    pd.testing.assert_frame_equal(*tables)


@pytest.mark.parametrize("method", list(MatchingMethod))
def test_the_place_of_the_plot_changes_no_match(method: MatchingMethod) -> None:
    for seed in range(20):
        matches = []
        for shift in ((0, 0), UTM):
            rng = np.random.default_rng(seed)
            table = polygon_overlap(Crowns(squares(rng, 9, shift)), Crowns(squares(rng, 11, shift)))
            matches.append(match_one_to_one(table, method, np.ones(9)).prediction.tolist())
        assert matches[0] == matches[1]


def test_crowns_are_ranked_from_west_to_east_then_by_size_name_and_id() -> None:
    bounds = np.array([[0, 1, 2, 3.0], [0, 0, 2, 3], [0, 0, 2, 3], [0, 0, 2, 3]])
    names = np.array(["ash", "oak", "ash", None], dtype=object)
    ids = np.array([4, 3, 2, 1])
    areas = np.full(4, 4.0)
    assert rank_places(bounds, areas, ids, [names]).tolist() == [3, 2, 1, 0]
    assert rank_places(bounds, areas, -ids, [names]).tolist() == [3, 2, 1, 0]
    assert rank_places(bounds, areas, -ids, [None]).tolist() == [3, 0, 1, 2]
    assert rank_places(bounds, np.array([4.0, 3, 1, 2]), -ids, [names]).tolist() == [3, 2, 0, 1]
