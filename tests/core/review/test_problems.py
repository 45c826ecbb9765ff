"""One problem per crown, against the rules applied crown by crown with shapely."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
import pandas as pd
import pytest
import shapely
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from shapely.affinity import rotate, translate
from support.errors import assert_message, raises
from support.examples import examples
from support.problem_cases import CASES, FURTHER_CASES, PAIRINGS

from randcrowns.core.crowns import Crowns
from randcrowns.core.geometry import areas
from randcrowns.core.instances import crowded_overlap
from randcrowns.core.instances.crowded_overlap import largest_overlaps
from randcrowns.core.review import problems
from randcrowns.core.review.problems import Problem, ProblemLimits, describe_causes, find_problems
from randcrowns.core.scoring.layer import mark_not_judged, score_crowns
from randcrowns.core.scoring.parameters import RandCrownsParameters
from randcrowns.report.problems import problem_label

FIELD = RandCrownsParameters(0.6, 3.0, 3.0)
TREE = shapely.box(0, 0, 10, 10)


def problems_of(targets: list, delineations: list, pairing: str = "nearest", **limits: float):
    one, other = Crowns(targets), Crowns(delineations, ids=100 + np.arange(len(delineations)))
    return find_problems(
        one, other, score_crowns(one, other, FIELD, pairing), ProblemLimits(**limits)
    )


def iou(one, other) -> float:
    return one.intersection(other).area / one.union(other).area


def slowly(targets: list, drawn: list, scores) -> list[str]:
    """The rules in words, one crown after another, for targets that are paired and reached.

    Targets whose pair does not reach the certain part are "?", or missing where nothing touches it.
    """
    found = []
    for i, target in enumerate(targets):
        row = scores.targets.iloc[i]
        if pd.isna(row["delineation_id"]) or row["status"] == "missed":
            certain = target.buffer(-FIELD.alpha)
            is_reached = any(one.intersection(certain).area > 1e-6 for one in drawn)
            found.append("?" if is_reached else "missing")
            continue
        k = int(row["delineation_id"]) - 100
        found.append(slowly_one(targets, drawn, i, k, row["randcrowns"]))
    return found


def slowly_one(targets: list, drawn: list, i: int, k: int, score: float) -> str:
    """The problem of target ``i`` with delineation ``k``."""
    target, own = targets[i], drawn[k]

    def merges(j: int) -> bool:
        is_covered = own.intersection(targets[j]).area >= 0.5 * targets[j].area
        has_other = any(iou(one, targets[j]) > 0.5 for n, one in enumerate(drawn) if n != k)
        return is_covered and not has_other

    others = [j for j in range(len(targets)) if j != i]
    ratio = own.area / target.area
    way = np.subtract(target.centroid.coords[0], own.centroid.coords[0])
    if iou(target, own) >= 0.9:
        return "none"
    if merges(i) and any(merges(j) for j in others):
        return "merged"
    lying = [one.intersection(target).area >= 0.5 * one.area for one in drawn]
    rest = [
        one.intersection(target).area
        for n, one in enumerate(drawn)
        if n != k and lying[n] and one.intersection(own).area < 0.5 * min(one.area, own.area) - 1e-9
    ]
    if lying[k] and sum(rest) >= 0.05 * target.area:
        return "split"
    if own.intersection(target).area < 0.5 * target.area and any(
        iou(own, targets[j]) > 0.5 for j in others
    ):
        return "low overlap"
    if 0.67 <= ratio <= 1.5 and math.hypot(*way) > 0.25 * math.sqrt(target.area):
        lack = 1 - iou(target, own)
        if 1 - iou(target, translate(own, *way)) <= lack / 2:
            return "shifted"
    if ratio > 1.5:
        return "too large"
    if ratio < 0.67:
        return "too small"
    return "low overlap" if score < 0.5 or iou(target, own) < 0.5 else "none"


@pytest.mark.parametrize("pairing", PAIRINGS)
@pytest.mark.parametrize("case", [*CASES, *FURTHER_CASES], ids=lambda case: case.name)
def test_scenes_by_hand(case, pairing: str) -> None:
    found = problems_of(case.targets, case.delineations, pairing)
    assert found.targets["problem"].tolist() == case.problems[pairing]
    is_lone = found.delineations["problem"] == "extra"
    is_duplicate = found.delineations["duplicate_of"][is_lone].notna()
    kinds = sorted(is_duplicate.map({True: "duplicate", False: "extra"}))
    assert case.extras is None or kinds == case.extras


@pytest.mark.parametrize(
    ("drawn", "problem", "cause"),
    [
        ([], "missing", "No delineation reaches the certain part of the crown: no delineation"),
        (
            [shapely.box(9.7, 0, 12, 10)],
            "missing",
            "No delineation reaches the certain part of the crown: no delineation",
        ),
        (
            [shapely.box(0, 0, 10, 5), shapely.box(0, 5, 10, 10)],
            "split",
            "2 delineations lie in the crown: split",
        ),
        (
            [translate(TREE, 2.6, 0)],
            "shifted",
            "Delineation of the crown's size 2.6 m away from its centre: shifted",
        ),
        ([translate(TREE, 2.4, 0)], "none", ""),
        (
            [shapely.box(-5, -5, 15, 15)],
            "too large",
            "Delineation 4.0 times the crown, 144.0 m² beyond the tolerance: too large",
        ),
        (
            [shapely.box(2, 2, 8, 8)],
            "too small",
            "Delineation 0.4 times the crown, 41.4 m² of the certain part not covered: too small",
        ),
    ],
)
def test_by_hand(drawn: list, problem: str, cause: str) -> None:
    found = problems_of([TREE], drawn)
    assert found.targets["problem"].tolist() == [problem]
    assert describe_causes(found.targets) == [cause]


def test_a_small_delineation_inside_a_crown_is_not_that_of_another_tree() -> None:
    inside = problems_of([TREE], [shapely.box(4, 4, 7, 7)]).targets
    assert inside["score"].item() >= 0.5
    assert "another tree" not in describe_causes(inside)[0]


def test_a_small_ratio_is_not_shown_as_0() -> None:
    """A square of 0.6 m in a crown of 10 x 10 m, by hand: 0.36 / 100 and 8.8² - 0.36."""
    found = problems_of([TREE], [shapely.box(4, 4, 4.6, 4.6)]).targets
    assert describe_causes(found) == [
        "Delineation 0.004 times the crown, 77.1 m² of the certain part not covered: too small"
    ]


def test_no_ratio_of_a_cause_is_shown_as_0_unless_it_is() -> None:
    table = pd.DataFrame(
        {
            "problem": ["merged", "low overlap", "low overlap", "shifted", "low overlap"],
            "covered": [0.9, 0.004, np.nan, np.nan, np.nan],
            "other": pd.array([2, 2, None, None, None], dtype="Int64"),
            "unpaired": pd.array([None] * 5, dtype="Int64"),
            "size_ratio": [0.0412, 1.0, 1.0, 1.0, 1.0],
            "share": [1.0, 0.00096, 0.5, 0.5, 0.5],
            "shift": [0.0, 0.0, 0.0, 0.032, 0.0],
            "score": [0.5, 0.5, 0.0, 0.5, 0.0021],
            "iou": [0.5, 0.5, 0.0036, 0.5, 1e-12],
            "fp": [np.nan] * 5,
            "fn": [np.nan] * 5,
        }
    )
    space = "\N{NO-BREAK SPACE}"
    assert describe_causes(table) == [
        f"Delineation 0.04 times the crown covers 90{space}% of target 2 too: merged",
        f"The delineation covers 0.1{space}% of the crown, but 0.4{space}% of target 2: low overlap",
        "RandCrowns 0.00, IoU 0.004: low overlap",
        "Delineation of the crown's size 0.03 m away from its centre: shifted",
        "RandCrowns 0.002, IoU 0.00: low overlap",
    ]


def test_the_terms_are_areas() -> None:
    """Too small: the certain part is 8.8 x 8.8 m, of which 6 x 6 are covered."""
    found = problems_of([TREE], [shapely.box(2, 2, 8, 8)]).targets.iloc[0]
    assert (found["tp"], found["fp"], found["fn"]) == pytest.approx((36, 0, 8.8**2 - 36))


def test_problems_of_boxes_need_no_ranks_of_crowns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ranks take as long as the shared areas. Bounds and areas are measured once per layer."""
    trees = Crowns([shapely.box(x, 0, x + 5, 5) for x in (0, 9, 18)])
    drawn = Crowns([shapely.box(x, 1, x + 5, 6) for x in (0, 9, 18)])
    scores = score_crowns(trees, drawn, RandCrownsParameters(0.7, 1.2, 3))
    monkeypatch.setattr("randcrowns.core.instances.overlap.rank_crowns", None)
    # Cached by the pairing of the scores.
    assert {"bounds", "areas"} <= vars(trees).keys() & vars(drawn).keys()
    found = find_problems(trees, drawn, scores)
    assert found.targets["problem"].tolist() == ["none"] * 3
    # IoU by hand: 5 x 4 of 50 - 20.
    assert found.targets["iou"].tolist() == pytest.approx([2 / 3] * 3)


def test_a_delineation_over_two_targets() -> None:
    found = problems_of(
        [TREE, translate(TREE, 11, 0), translate(TREE, 60, 0)], [shapely.box(0, 0, 21, 10)]
    )
    assert found.targets["problem"].tolist() == ["merged", "merged", "missing"]
    assert found.targets["other"].tolist()[:2] == [1, 0]
    assert (
        describe_causes(found.targets)[0]
        == "Delineation 2.1 times the crown covers 100\N{NO-BREAK SPACE}% of target 1 too: merged"
    )


def test_a_delineation_over_little_of_its_own_target_and_most_of_another() -> None:
    """The other target has a delineation, so this one serves a target it hardly covers."""
    targets, own = [TREE, translate(TREE, 11, 0)], translate(TREE, 11, 0)
    found = problems_of(targets, [shapely.box(8, 0, 20, 10), own], "hungarian").targets
    assert found["covered"][0] == pytest.approx(0.9)
    assert (
        describe_causes(found)[0]
        == "The delineation covers 20\N{NO-BREAK SPACE}% of the crown, but 90\N{NO-BREAK SPACE}% of target 1: low overlap. "
        # IoU by hand: 20 of 100 + 120 - 20 m²; "low overlap" alone hid that RandCrowns is high.
        "RandCrowns is 0.82, but the delineation covers only 20\N{NO-BREAK SPACE}% of the crown "
        "(IoU 0.10): it may be that of another tree"
    )


@pytest.mark.parametrize(
    ("targets", "drawn", "pairing", "cause"),
    [
        (
            [TREE, shapely.box(10, 3.5, 13, 6.5)],
            [shapely.box(0, 0, 13, 10)],
            "nearest",
            "Delineation 100, which is not its pair, covers 100\N{NO-BREAK SPACE}% of the crown and 100\N{NO-BREAK SPACE}% of target 0: "
            "merged",
        ),
        (
            [TREE, shapely.box(10, 0, 20, 10)],
            [shapely.box(0, 0, 11, 10)],
            "hungarian",
            "Delineation 100 covers 10\N{NO-BREAK SPACE}% of the crown, but is not its pair: low overlap",
        ),
        (
            [shapely.box(100, 0, 110, 10), TREE],
            [shapely.box(0, 0, 40, 10)],
            "nearest",
            "Delineation 100, which is not its pair, is 4.0 times the crown: too large",
        ),
    ],
)
def test_causes_without_a_pair(targets: list, drawn: list, pairing: str, cause: str) -> None:
    """A target without a pair is only missing if nothing reaches its certain part."""
    assert describe_causes(problems_of(targets, drawn, pairing).targets)[1] == cause


def test_the_cause_names_the_plot_of_a_delineation_that_lies_on_a_missing_target() -> None:
    trees = Crowns([TREE, translate(TREE, 50, 0)], plots=["p", "p"], crs="EPSG:32617")
    drawn = Crowns([TREE, TREE, translate(TREE, 1, 0)], plots=[None, "q", "r"], crs="EPSG:32617")
    found = find_problems(trees, drawn, score_crowns(trees, drawn, FIELD))
    assert describe_causes(found.cause_columns()) == [
        "The delineation that lies here is of another plot, q: no delineation",
        "No delineation reaches the certain part of the crown: no delineation",
    ]
    unnamed = find_problems(
        *map(Crowns, (trees.geometry, drawn.geometry[:0])),
        score_crowns(*map(Crowns, (trees.geometry, drawn.geometry[:0])), FIELD),
    )
    assert unnamed.other_plots is None


def test_no_cause_names_another_image_in_pixels() -> None:
    """Images in pixel coordinates lie on one another."""
    trees = Crowns([TREE, translate(TREE, 1, 0)], plots=["a.jpg", "b.jpg"])
    drawn = Crowns([translate(TREE, 1, 0)], plots=["b.jpg"])
    found = find_problems(trees, drawn, score_crowns(trees, drawn, FIELD))
    assert describe_causes(found.cause_columns()) == [
        "No delineation reaches the certain part of the crown: no delineation",
        "",
    ]


def test_cause_of_a_duplicate() -> None:
    found = problems_of([TREE], [TREE, translate(TREE, 0.3, 0.2), shapely.box(1, 1, 2, 2)])
    assert describe_causes(found.delineations) == [
        "",
        "Target 0 has another delineation: false detection, duplicate",
        "No target for this delineation: false detection",
    ]


def test_delineations_without_a_target() -> None:
    one, other = Crowns([TREE]), Crowns([TREE, translate(TREE, 50, 0)])
    scores = score_crowns(one, other, FIELD)
    assert find_problems(one, other, scores).delineations["problem"].tolist() == [None, "extra"]
    partly = find_problems(one, other, mark_not_judged(scores)).delineations
    assert partly["problem"].tolist() == [None, "not judged"]
    assert (
        describe_causes(partly)[1]
        == "No target for this delineation, where only some crowns were drawn: not judged"
    )


def test_a_pair_below_the_threshold_is_one_problem() -> None:
    found = problems_of([TREE], [translate(TREE, 2.4, 0)], score=1.0)
    assert found.targets["problem"].tolist() == ["low overlap"]
    assert len(found.delineations["problem"].dropna()) == 0
    assert describe_causes(found.targets)[0].endswith(
        "of the certain part not covered: low overlap"
    )


def test_scores_without_terms_have_a_cause_too() -> None:
    found = problems_of([TREE], [shapely.box(-5, -5, 15, 15)]).targets.assign(fp=np.nan, fn=np.nan)
    assert describe_causes(found) == ["Delineation 4.0 times the crown: too large"]


shapes = st.builds(
    lambda x, y, w, h, turn: rotate(shapely.box(x, y, x + w, y + h), turn),
    st.integers(0, 30),
    st.integers(0, 30),
    st.floats(2, 12),
    st.floats(2, 12),
    st.integers(0, 89),
)


@settings(max_examples=examples(60), deadline=None)
@given(
    st.lists(shapes, min_size=1, max_size=6),
    st.lists(shapes, max_size=7),
    st.sampled_from(["nearest", "hungarian"]),
)
def test_as_the_rules_crown_by_crown(targets: list, drawn: list, pairing: str) -> None:
    one, other = Crowns(targets), Crowns(drawn, ids=100 + np.arange(len(drawn)))
    scores = score_crowns(one, other, FIELD, pairing)
    shared = [(a.intersection(b).area, a.area, b.area) for a in targets for b in drawn]
    assume(all(abs(part / whole - 0.5) > 1e-6 for part, *sizes in shared for whole in sizes))
    assume(
        all(
            abs(drawn_size / size - limit) > 1e-6
            for _, size, drawn_size in shared
            for limit in (0.67, 1.5)
        )
    )
    ious = [iou(a, b) for a in targets for b in drawn]
    assume(all(abs(value - limit) > 1e-6 for value in ious for limit in (0.5, 0.9)))
    found = find_problems(one, other, scores).targets["problem"].tolist()
    for problem, expected in zip(found, slowly(targets, drawn, scores)):
        assert problem == expected if expected != "?" else problem not in ("missing", "none")


@settings(max_examples=examples(30), deadline=None)
@given(st.lists(shapes, min_size=1, max_size=6), st.lists(shapes, max_size=7))
def test_the_same_pair_has_the_same_problem(targets: list, drawn: list) -> None:
    one, other = Crowns(targets), Crowns(drawn, ids=100 + np.arange(len(drawn)))
    seen: dict[tuple[int, int], str] = {}
    for pairing in PAIRINGS:
        scores = score_crowns(one, other, FIELD, pairing)
        problems = find_problems(one, other, scores).targets["problem"]
        is_paired = scores.targets["delineation_id"].notna() & (
            scores.targets["status"] != "missed"
        )
        for row in np.flatnonzero(is_paired):
            pair = (int(row), int(scores.targets["delineation_id"][row]))
            assert seen.setdefault(pair, problems[row]) == problems[row]


@settings(max_examples=examples(30), deadline=None)
@given(
    st.lists(shapes, min_size=2, max_size=6), st.lists(shapes, min_size=1, max_size=7), st.randoms()
)
def test_the_order_and_the_place_change_nothing(targets: list, drawn: list, random) -> None:
    before = problems_of(targets, drawn, "max_iou").targets["problem"].tolist()
    order = list(range(len(targets)))
    random.shuffle(order)
    moved = [translate(targets[row], 512, -1024) for row in order]
    after = (
        problems_of(moved, [translate(one, 512, -1024) for one in drawn], "max_iou")
        .targets["problem"]
        .tolist()
    )
    assert [before[row] for row in order] == after


@pytest.mark.parametrize(
    ("limit", "value"), [("covered", -0.1), ("larger", 0.5), ("shift", math.nan), ("score", 2)]
)
def test_limits_that_cannot_be(limit: str, value: float) -> None:
    with raises("review.invalid_limit", name=limit):
        ProblemLimits(**{limit: value})


def test_every_problem_has_a_cause() -> None:
    table = problems_of([TREE], [TREE]).targets
    for problem in Problem:
        said = describe_causes(pd.concat([table.assign(problem=problem.value, other=3)]))
        assert bool(said[0]) == (problem is not Problem.NONE)
        assert problem is Problem.NONE or said[0].endswith(f": {problem_label(problem)}")


def test_a_cause_never_says_0_m2_beyond_the_tolerance() -> None:
    """The delineation extends 1.15 m on each side, within the tolerance of 1.2 m."""
    target, drawn = shapely.box(0, 0, 10, 10), shapely.box(-1.15, -1.15, 11.15, 11.15)
    found = problems_of([target], [drawn]).targets
    assert found["problem"].tolist() == ["too large"]
    assert found["fp"].iloc[0] < 0.05
    assert describe_causes(found) == ["Delineation 1.5 times the crown: too large"]


def crowded(monkeypatch: pytest.MonkeyPatch) -> tuple[Crowns, Crowns]:
    """Return two layers of crowns in one spot that are too many to compare all overlaps."""
    rng = np.random.default_rng(3)
    layers = [shapely.buffer(shapely.points(rng.normal(0, 1, (12, 2))), 3) for _ in range(2)]
    monkeypatch.setattr(areas, "MAX_PAIRS", 100)
    monkeypatch.setattr(crowded_overlap, "_BLOCK_PAIRS", 50)
    monkeypatch.setattr(areas, "MAX_PAIRS_PER_POLYGON", 0)
    return Crowns(layers[0]), Crowns(layers[1])


def test_problems_of_a_crowd_follow_from_the_largest_overlaps(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    targets, drawn = crowded(monkeypatch)
    scores = score_crowns(targets, drawn, FIELD)
    with raises("crowns.too_many_pairs", limit=100):
        find_problems(targets, drawn, scores)
    found = find_problems(targets, drawn, scores, needs_all_overlaps=False)
    (message,) = found.overlap_messages("drawn")
    assert_message(message, "problems.largest_overlaps", layer="drawn", count=50)

    monkeypatch.undo()
    expected = find_problems(targets, drawn, scores, needs_all_overlaps=False)
    assert expected.overlap_messages("drawn") == []
    pd.testing.assert_frame_equal(found.targets, expected.targets)
    pd.testing.assert_frame_equal(found.delineations, expected.delineations)


def test_assigned_pairs_are_always_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    targets, drawn = crowded(monkeypatch)
    scores = score_crowns(targets, drawn, FIELD)
    monkeypatch.setattr(problems, "largest_overlaps", partial(largest_overlaps, n_kept=1))
    found = find_problems(targets, drawn, scores, needs_all_overlaps=False)
    row = scores.targets["delineation_id"].to_numpy(dtype=int)
    shared = shapely.area(shapely.intersection(targets.geometry, drawn.geometry[row]))
    np.testing.assert_allclose(found.targets["share"], shared / targets.areas)
