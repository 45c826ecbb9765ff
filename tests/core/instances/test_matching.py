from __future__ import annotations

import json
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from support.errors import ExpectedError, raises
from support.examples import examples
from support.matching import is_match
from support.steps import at_most

from randcrowns.core.crowns import Crowns
from randcrowns.core.errors import Cancelled
from randcrowns.core.instances import matching
from randcrowns.core.instances.matching import (
    NO_MATCH,
    Matching,
    MatchingMethod,
    match_instances,
    match_one_to_one,
    prediction_status,
    target_status,
)
from randcrowns.core.instances.metrics import count_detections, detection_metrics, panoptic_quality
from randcrowns.core.instances.overlap import OverlapTable, polygon_overlap


def table_of(
    shared: list[list[float]], targets: list[float], predictions: list[float], points: bool = False
) -> OverlapTable:
    sizes = np.array(shared, dtype=float)
    target, prediction = np.nonzero(sizes)
    return OverlapTable(
        target,
        prediction,
        sizes[target, prediction],
        np.array(targets, float),
        np.array(predictions, float),
        points,
    )


def matched(table: OverlapTable, method: str, heights: list[float] | None = None) -> list[int]:
    return match_instances(table, method, heights).prediction.tolist()


HALF = table_of([[2]], [3], [3])
ABOVE = table_of([[3]], [4], [4])
BELOW = table_of([[1]], [2], [2])


#: Matches of a pair whose IoU is 1/2, and of one whose IoU is 1/3, by the papers and packages.
AT_LIMITS = {
    "panoptic_segmentation": (NO_MATCH, NO_MATCH),
    "for_ai_net": (0, NO_MATCH),
    "for_ai_net_coverage": (0, 0),
    "point2tree": (0, 0),
    "for_instance": (0, NO_MATCH),
    "tree_learn": (NO_MATCH, NO_MATCH),
    "deepforest": (0, NO_MATCH),
    "stardist": (0, NO_MATCH),
}


@pytest.mark.parametrize("method", list(MatchingMethod))
def test_threshold(method: MatchingMethod) -> None:
    at_half, below = AT_LIMITS[method.value]
    assert HALF.iou.tolist() == [0.5]
    assert matched(HALF, method, [1.0]) == [at_half]
    assert matched(BELOW, method, [1.0]) == [below]
    assert matched(ABOVE, method, [1.0]) == [0]


def test_a_threshold_that_single_precision_rounds_is_compared_with_a_tolerance() -> None:
    # 2 / 5 in single precision is above 0.4 in double precision, but DeepForest excludes it.
    table = table_of([[4]], [7], [7], points=True)
    assert float(table.iou_for_threshold[0]) > 0.4
    assert matched(table, "deepforest") == [NO_MATCH]


def test_points_are_compared_in_single_precision() -> None:
    table = table_of([[2**24 + 1]], [2**25 + 1], [2**24 + 1], points=True)
    assert table.iou[0] > 0.5
    assert matched(table, "panoptic_segmentation") == [NO_MATCH]
    assert matched(table, "for_ai_net") == [0]
    areas = table_of([[2**24 + 1]], [2**25 + 1], [2**24 + 1])
    assert matched(areas, "panoptic_segmentation") == [0]


@pytest.mark.parametrize(
    "method", ["for_ai_net_coverage", "for_ai_net", "point2tree", "for_instance"]
)
def test_of_equal_predictions_the_lowest_is_taken(method: str) -> None:
    assert matched(table_of([[2, 2]], [4], [2, 2]), method, [1.0]) == [0]


def test_a_prediction_of_several_targets_names_the_best_then_the_lowest() -> None:
    best = match_instances(table_of([[2], [3]], [3, 3], [6]), MatchingMethod.FOR_AI_NET_COVERAGE)
    assert best.prediction.tolist() == [0, 0]
    assert best.target.tolist() == [1]
    assert match_instances(
        table_of([[3], [3]], [3, 3], [6]), MatchingMethod.FOR_AI_NET_COVERAGE
    ).target.tolist() == [0]
    assert match_instances(
        table_of([[3], [3]], [3, 3], [6]), MatchingMethod.FOR_AI_NET
    ).target.tolist() == [0]


CONTESTED = table_of([[4, 0], [5, 2]], [6, 8], [9, 3])


def test_the_tallest_target_chooses_first() -> None:
    assert matched(CONTESTED, "point2tree", [5.0, 9.0]) == [NO_MATCH, 0]
    assert matched(CONTESTED, "point2tree", [9.0, 5.0]) == [0, 1]


def test_targets_of_one_height_choose_in_order() -> None:
    assert matched(CONTESTED, "point2tree", [5.0, 5.0]) == [0, 1]
    n = 40
    level = table_of([[1.0]] * n, [1.0] * n, [float(n)])
    assert match_instances(level, "point2tree", [3.0] * n).target.tolist() == [0]


def test_many_targets_of_a_few_heights_choose_in_order() -> None:
    n = 100
    heights = np.random.default_rng(0).integers(0, 3, n).astype(float)
    found = matched(table_of([[1.0] * n] * n, [n] * n, [n] * n), "point2tree", heights.tolist())
    in_order = sorted(range(n), key=lambda target: -heights[target])
    assert [found[target] for target in in_order] == list(range(n))


def test_for_instance_takes_what_is_free_only_from_one_half_on() -> None:
    table = table_of([[5, 0], [5, 4]], [5, 9], [10, 4])
    assert matched(table, "point2tree", [9.0, 5.0]) == [0, 1]
    assert matched(table, "for_instance", [9.0, 5.0]) == [0, NO_MATCH]


def test_the_shared_size_is_that_of_the_pair_also_when_the_best_was_taken() -> None:
    found = match_instances(CONTESTED, "point2tree", [9.0, 5.0])
    assert found.shared.tolist() == [4, 2]


def test_tree_learn_gives_up_a_pair_above_one_half_for_a_larger_total() -> None:
    table = table_of([[100, 49], [49, 0]], [149, 49], [149, 49])
    assert table.iou[0] > 0.5
    assert table.iou[1] + table.iou[2] > table.iou[0]
    assert matched(table, "panoptic_segmentation") == [0, NO_MATCH]
    assert matched(table, "tree_learn") == [NO_MATCH, NO_MATCH]


def test_deepforest_asks_for_more_than_two_fifths() -> None:
    at_limit, above = table_of([[4]], [7], [7]), table_of([[41]], [70], [70])
    assert at_limit.iou.tolist() == [0.4]
    assert matched(at_limit, "deepforest") == [NO_MATCH]
    assert matched(above, "deepforest") == [0]


def test_deepforest_assigns_by_shared_area_not_by_iou() -> None:
    # The large prediction shares 10 m² with the first target, the small one only 9 m²; the IoU are
    # 10 / 30 and 9 / 10. The large prediction is assigned, and its IoU is too low.
    table = table_of([[10, 9]], [10], [30, 9])
    assert matched(table, "panoptic_segmentation") == [1]
    assert matched(table, "deepforest") == [NO_MATCH]


def test_stardist_takes_more_pairs_rather_than_a_larger_total() -> None:
    table = table_of([[9.5, 6.8], [6.8, 6]], [10, 10], [10, 10])
    assert table.iou.round(3).tolist() == [0.905, 0.515, 0.515, 0.429]
    assert matched(table, "tree_learn") == [0, NO_MATCH]
    assert matched(table, "stardist") == [1, 0]


def test_stardist_takes_the_larger_total_of_equally_many_pairs() -> None:
    table = table_of([[9, 6], [6, 3]], [10, 9], [9, 9])
    assert table.iou.round(3).tolist() == [0.9, 0.462, 0.5, 0.2]
    assert matched(table, "stardist") == [0, NO_MATCH]


#: Number of clusters of two targets and two predictions: so many that no table of all is solved.
_N_CLUSTERS = 1100


def test_large_tables_are_assigned_by_cluster() -> None:
    # Each cluster: the pairs (0, 1) and (1, 0) reach 1/2; (0, 0) has the larger total and area.
    cell = np.array([[99.0, 64.0], [64.0, 0.0]])
    first = 2 * np.arange(_N_CLUSTERS)
    target = np.stack([first, first, first + 1], axis=1).ravel()
    prediction = np.stack([first, first + 1, first], axis=1).ravel()
    size = np.tile([100.0, 90.0], _N_CLUSTERS)
    table = OverlapTable(target, prediction, np.tile(cell.ravel()[:3], _N_CLUSTERS), size, size)
    assert 2 * _N_CLUSTERS > 2048
    assert table.iou[:3].round(3).tolist() == [0.98, 0.508, 0.508]
    swapped = np.stack([first + 1, first], axis=1).ravel().tolist()
    assert matched(table, "stardist") == swapped
    assert matched(table, "deepforest") == swapped


def recorded(package: str) -> dict[str, Any]:
    path = Path(__file__).parent / "data" / f"{package}_matches.json"
    return json.loads(path.read_text(encoding="utf-8"))


def outlines(boxes: list[list[float]], kind: str) -> Crowns:
    corners = shapely.box(*np.array(boxes, dtype=float).T)
    if kind == "box":
        return Crowns(corners)
    middles = [
        shapely.Polygon([(a, (b + d) / 2), ((a + c) / 2, b), (c, (b + d) / 2), ((a + c) / 2, d)])
        for a, b, c, d in boxes
    ]
    return Crowns(middles)


def test_boxes_and_polygons_as_deepforest_matches_them() -> None:
    """benchmarks/compare_matching.py recorded the scenes, and compares more of them."""
    assert recorded("deepforest")["package"] == "deepforest-2.1.0"
    other_methods = []
    for scene in recorded("deepforest")["scenes"]:
        table = polygon_overlap(
            outlines(scene["targets"], scene["kind"]), outlines(scene["predictions"], scene["kind"])
        )
        for match in (match_instances, match_one_to_one):
            found = match(table, "deepforest")
            assert found.prediction.tolist() == scene["match"]
            metrics = detection_metrics(count_detections(found))
            assert metrics["Recall"] == scene["recall"]
            assert metrics["Precision"] == scene["precision"]
        other_methods.append(once(table, "tree_learn") != scene["match"])
    assert any(other_methods)


def test_label_images_as_stardist_matches_them() -> None:
    """benchmarks/compare_matching.py recorded the scenes, and compares more of them."""
    assert recorded("stardist")["package"] == "stardist-0.9.2"
    other_methods = []
    for scene in recorded("stardist")["scenes"]:
        labels = [np.array(scene[side]) for side in ("target", "prediction")]
        table = OverlapTable.from_labels(*(image.ravel() for image in labels), invalid_id=0)
        found = match_instances(table, "stardist")
        target_label, prediction_label = (np.unique(image[image > 0]) for image in labels)
        pairs = [
            [int(target_label[target]), int(prediction_label[prediction])]
            for target, prediction in enumerate(found.prediction)
            if prediction != NO_MATCH
        ]
        assert pairs == scene["pairs"]
        counts = count_detections(found)
        assert [counts.tp, counts.fp, counts.fn] == [scene["tp"], scene["fp"], scene["fn"]]
        quality = panoptic_quality(table, found).pq
        assert quality == pytest.approx(scene["panoptic_quality"], abs=1e-6)
        other_methods.append(matched(table, "panoptic_segmentation") != found.prediction.tolist())
    assert any(other_methods)


# Keeping the best pair and keeping the other two have the same total; pointtree 1.0.1 answers so.
@pytest.mark.parametrize(
    ("shared", "targets", "predictions", "expected"),
    [
        ([[255, 578], [0, 255]], [833, 382], [382, 833], [NO_MATCH, NO_MATCH]),
        ([[255, 0], [578, 255]], [382, 833], [833, 382], [NO_MATCH, 0]),
        ([[255, 0, 0], [578, 255, 0]], [382, 833], [833, 382, 50], [NO_MATCH, NO_MATCH]),
    ],
)
def test_of_equal_totals_the_one_of_the_reference_is_taken(
    shared: list[list[float]], targets: list[float], predictions: list[float], expected: list[int]
) -> None:
    table = table_of(shared, targets, predictions, points=True)
    best, *others = sorted(table.iou_for_threshold.tolist(), reverse=True)
    assert best == sum(others)
    assert matched(table, "tree_learn") == expected


@settings(max_examples=examples(60), deadline=None)
@given(seed=st.integers(0, 2**32), n_targets=st.integers(1, 4), n_predictions=st.integers(1, 4))
def test_methods_against_their_rules(seed: int, n_targets: int, n_predictions: int) -> None:
    rng = np.random.default_rng(seed)
    shared = rng.integers(0, 4, (n_targets, n_predictions))
    targets = shared.sum(axis=1) + rng.integers(0, 3, n_targets) + (shared.sum(axis=1) == 0)
    predictions = shared.sum(axis=0) + rng.integers(0, 3, n_predictions) + (shared.sum(axis=0) == 0)
    heights = rng.integers(0, 3, n_targets).astype(float)
    table = table_of(shared.tolist(), targets.tolist(), predictions.tolist())
    iou = shared / (targets[:, None] + predictions[None, :] - shared)

    best = [int(np.argmax(row)) if row.any() else NO_MATCH for row in iou]
    top = [row[j] if j != NO_MATCH else 0 for row, j in zip(iou, best)]
    assert matched(table, "for_ai_net_coverage") == best
    assert matched(table, "for_ai_net") == [j if v >= 0.5 else NO_MATCH for j, v in zip(best, top)]
    assert matched(table, "panoptic_segmentation") == [
        j if v > 0.5 else NO_MATCH for j, v in zip(best, top)
    ]
    for method, least in (("point2tree", 0.0), ("for_instance", 0.5)):
        free, expected = set(range(n_predictions)), [NO_MATCH] * n_targets
        for t in sorted(range(n_targets), key=lambda t: -heights[t]):
            options = [p for p in sorted(free) if shared[t, p]]
            if options and iou[t, (p := max(options, key=lambda p: iou[t, p]))] >= least:
                expected[t] = p
                free.discard(p)
        assert matched(table, method, heights.tolist()) == expected
    wide = np.hstack([iou, np.zeros((n_targets, n_targets))])
    choices = list(permutations(range(wide.shape[1]), n_targets))
    totals = [sum(wide[t, p] for t, p in enumerate(choice)) for choice in choices]
    allowed = [
        [p if wide[t, p] > 0.5 else NO_MATCH for t, p in enumerate(choice)]
        for choice, total in zip(choices, totals)
        if total >= max(totals) - 1e-9
    ]
    assert matched(table, "tree_learn") in allowed

    overlap = np.hstack([shared, np.zeros((n_targets, n_targets), dtype=int)])
    areas = [sum(overlap[t, p] for t, p in enumerate(choice)) for choice in choices]
    assert matched(table, "deepforest") in [
        [p if wide[t, p] > 0.4 + 1e-9 else NO_MATCH for t, p in enumerate(choice)]
        for choice, area in zip(choices, areas)
        if area == max(areas)
    ]
    most = max(sum(wide[t, p] >= 0.5 for t, p in enumerate(choice)) for choice in choices)
    assert sum(p != NO_MATCH for p in matched(table, "stardist")) == most


def test_a_hundred_thousand_trees_are_assigned_at_once() -> None:
    n = 100_000
    tree = np.arange(n)
    target, prediction = np.concatenate([tree, tree]), np.concatenate([tree, (tree + 1) % n])
    order = np.lexsort((prediction, target))
    table = OverlapTable(
        target[order],
        prediction[order],
        np.repeat([3.0, 1.0], n)[order],
        np.full(n, 4.0),
        np.full(n, 4.0),
    )
    told: list[float] = []
    with at_most(20_000):
        found = match_instances(table, "tree_learn", progress=told.append)
    np.testing.assert_array_equal(found.prediction, tree)
    assert told


def test_nothing_to_match() -> None:
    for method in MatchingMethod:
        found = match_instances(table_of([[0.0]], [1], [1]), method, [1.0])
        assert found.prediction.tolist() == [NO_MATCH]
        assert found.target.tolist() == [NO_MATCH]
        nothing = OverlapTable(*(np.empty(0, dtype=int),) * 2, *(np.empty(0),) * 3)
        assert match_instances(nothing, method, []).prediction.tolist() == []


@pytest.mark.parametrize(
    ("method", "heights", "expected"),
    [
        ("nearest", None, raises("key.unknown")),
        ("point2tree", None, raises("matching.no_heights")),
        ("for_instance", [1.0, 2.0], raises("matching.wrong_height_count")),
        ("point2tree", [np.nan], raises("matching.height_missing", number=1)),
    ],
)
def test_what_cannot_be_matched(
    method: str, heights: list[float] | None, expected: ExpectedError
) -> None:
    with expected:
        match_instances(HALF, method, heights)


def test_the_status_of_both_sides() -> None:
    matching = Matching(
        np.array([1, NO_MATCH]), np.array([NO_MATCH, 0, NO_MATCH]), np.array([4.0, 0.0])
    )
    assert target_status(matching).tolist() == ["true_positive", "false_negative"]
    assert prediction_status(matching).tolist() == [
        "false_positive",
        "true_positive",
        "false_positive",
    ]
    near = np.array([True, True, False])
    assert prediction_status(matching, near).tolist() == [
        "uncertain",
        "true_positive",
        "false_positive",
    ]
    assert prediction_status(matching, near, False).tolist() == [
        "uncertain",
        "true_positive",
        "not_judged",
    ]


def once(table: OverlapTable, method: str, heights: list[float] | None = None) -> list[int]:
    return match_one_to_one(table, method, heights).prediction.tolist()


#: Two targets that overlap, one prediction that fits both, and one that fits neither.
TWICE = table_of([[9, 0], [8, 0]], [10, 10], [10, 10])


@pytest.mark.parametrize("method", list(MatchingMethod))
def test_a_polygon_is_matched_once(method: MatchingMethod) -> None:
    assert once(TWICE, method, [5.0, 4.0]) == [0, NO_MATCH]
    assert match_one_to_one(TWICE, method, [5.0, 4.0]).target.tolist() == [0, NO_MATCH]


@pytest.mark.parametrize("method", ["panoptic_segmentation", "for_ai_net", "for_ai_net_coverage"])
def test_without_its_best_prediction_a_target_has_the_next(method: str) -> None:
    table = table_of([[9, 0], [8, 7]], [10, 10], [10, 10])
    assert matched(table, method) == [0, 0]
    assert once(table, method) == [0, 1]


def test_equal_pairs_go_by_their_ids() -> None:
    assert once(table_of([[8, 8], [8, 8]], [10, 10], [10, 10]), "for_ai_net") == [0, 1]


#: Methods by which several targets may get the same prediction; the others match each once.
BEST_FIRST = (
    MatchingMethod.PANOPTIC_SEGMENTATION,
    MatchingMethod.FOR_AI_NET,
    MatchingMethod.FOR_AI_NET_COVERAGE,
)


@given(
    shared=st.lists(st.lists(st.integers(0, 9), min_size=4, max_size=4), min_size=1, max_size=4),
    method=st.sampled_from(list(MatchingMethod)),
)
@settings(max_examples=examples(200), deadline=None)
def test_each_once_against_a_slow_way(shared: list[list[int]], method: MatchingMethod) -> None:
    table = table_of(shared, [10.0] * len(shared), [9.0, 10.0, 11.0, 12.0])
    heights = [float(number % 3) for number in range(len(shared))]
    found = match_one_to_one(table, method, heights)
    own = match_instances(table, method, heights)
    if method not in BEST_FIRST:
        assert found.prediction.tolist() == own.prediction.tolist()
    else:
        free = list(zip(table.iou.tolist(), table.prediction.tolist(), table.target.tolist()))
        free = [row for row in free if is_match(method, row[0])]
        expected = [NO_MATCH] * len(shared)
        while free:
            _, prediction, target = max(free, key=lambda row: (row[0], -row[1], -row[2]))
            expected[target] = prediction
            free = [row for row in free if row[1] != prediction and row[2] != target]
        assert found.prediction.tolist() == expected
    pairs = [
        (target, prediction)
        for target, prediction in enumerate(found.prediction.tolist())
        if prediction != NO_MATCH
    ]
    assert pairs == sorted((t, p) for p, t in enumerate(found.target.tolist()) if t != NO_MATCH)


@pytest.mark.parametrize("method", [*BEST_FIRST, MatchingMethod.FOR_INSTANCE])
@pytest.mark.parametrize("seed", range(20))
def test_ranks_decide_between_equal_pairs_once(seed: int, method: MatchingMethod) -> None:
    rng = np.random.default_rng(seed)
    shared = rng.choice([0, 0, 0, 0, 4, 7, 8], (12, 12))
    iou = shared / (20 - shared)
    table = replace(
        table_of(shared.tolist(), [10.0] * 12, [10.0] * 12),
        target_rank=rng.permutation(12),
        prediction_rank=rng.permutation(12),
    )
    heights = rng.integers(1, 4, 12).astype(float)
    found = match_one_to_one(table, method, heights)

    # Literally: the tallest target first, if heights count; the highest IoU; the lowest ranks.
    free = [(t, p) for t, p in zip(*np.nonzero(shared)) if is_match(method, iou[t, p])]
    taken: dict[int, int] = {}

    def order(pair: tuple[int, int]) -> tuple[float, ...]:
        t, p = pair
        ranks = (table.target_rank[t], table.prediction_rank[p])
        if method is MatchingMethod.FOR_INSTANCE:
            return (-heights[t], ranks[0], -iou[t, p], ranks[1])
        return (-iou[t, p], ranks[1], ranks[0])

    for t, p in sorted(free, key=order):
        if t not in taken and p not in taken.values():
            taken[int(t)] = int(p)
    assert found.prediction.tolist() == [taken.get(t, NO_MATCH) for t in range(12)]


def test_pairs_that_exclude_no_other_are_not_ranked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Matching within classes of 100,000 crowns spent 45 ms on the order of free pairs."""
    ranked: list[int] = []
    monkeypatch.setattr(
        "randcrowns.core.instances.matching.rank_equal_scores",
        lambda iou: ranked.append(len(iou)) or np.zeros(len(iou), np.int64),
    )
    free = table_of((8 * np.eye(5)).tolist(), [10.0] * 5, [10.0] * 5)
    assert once(free, "for_ai_net") == [0, 1, 2, 3, 4]
    assert once(TWICE, "for_ai_net") == [0, NO_MATCH]
    assert ranked == [0, 2]


@pytest.mark.parametrize("method", list(MatchingMethod))
def test_points_are_matched_as_documented(method: MatchingMethod) -> None:
    rng = np.random.default_rng(4)
    table = OverlapTable.from_labels(rng.integers(-1, 9, 300), rng.integers(-1, 9, 300))
    heights = rng.uniform(1, 2, len(table.target_size))
    one, other = match_instances(table, method, heights), match_one_to_one(table, method, heights)
    assert all(np.array_equal(a, b) for a, b in zip(one, other))


@pytest.mark.parametrize(
    ("match", "step"),
    [(match_instances, "_match_by_rank"), (match_one_to_one, "_match_contested")],
)
def test_a_cancel_does_not_wait_for_the_end_of_a_matching(
    monkeypatch: pytest.MonkeyPatch, match: Any, step: str
) -> None:
    is_cancelled = Event()
    waited = []
    monkeypatch.setattr(
        matching, step, lambda *_arguments, **_options: waited.append(is_cancelled.wait(10))
    )

    def cancel(_fraction: float) -> None:
        raise Cancelled

    table = OverlapTable.from_labels([0, 0, 1], [0, 0, 1])
    with pytest.raises(Cancelled):
        match(table, "for_ai_net", progress=cancel)
    assert waited == []
    is_cancelled.set()
