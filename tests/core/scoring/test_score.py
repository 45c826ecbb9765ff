import numpy as np
import pytest
import shapely
from hypothesis import example, given, settings
from hypothesis import strategies as st
from shapely import affinity
from support import literal
from support.crowns import crown, random_pairs
from support.errors import ExpectedError, raises
from support.examples import examples

from randcrowns.core import (
    Cancelled,
    RandCrownsParameters,
    Status,
    score_pairs,
    target_regions,
)
from randcrowns.core.geometry.ball_offsets import reflex_turns

IMAGE = RandCrownsParameters(0.7, 1.2, 3)
TERMS = ["randcrowns", "iou", "iou_crowns"]


def tolerance(target: shapely.Geometry) -> float:
    """Return the largest difference of scores: that of tau, or of offsets by a rolling ball."""
    return 1e-5 if reflex_turns(np.array([target]))[0] > 2.5 else 1e-7


def one(target, drawn, parameters=IMAGE, extent=None):
    return score_pairs([target], [drawn], parameters, extent).iloc[0]


def test_agrees_with_the_paper_word_for_word_on_every_kind_of_pair() -> None:
    """One pair of each: convex, concave, with holes, multipart, boxes; overlapping, nested,
    disjoint, touching.
    """
    names, targets, drawn = zip(*random_pairs(11, 100))
    scores = score_pairs(targets, drawn, RandCrownsParameters(0.5, 1.0, 3))
    assert set(scores["status"]) >= {Status.SCORED, Status.MISSED}
    assert len(set(names)) == 100
    for i, (target, delineation) in enumerate(zip(targets, drawn)):
        expected = literal.score(target, delineation, 0.5, 1.0, 3)
        if scores["status"][i] == Status.TARGET_TOO_SMALL:
            assert np.isnan(expected.ratio)
            continue
        for name in TERMS:
            assert scores[name][i] == pytest.approx(
                getattr(expected, name), abs=tolerance(target)
            ), names[i]
        for name in "abcd":
            assert scores[name][i] == pytest.approx(
                getattr(expected, name), rel=10 * tolerance(target), abs=tolerance(target)
            ), names[i]
        assert scores["tau"][i] == pytest.approx(expected.tau, rel=10 * tolerance(target)), names[i]


@pytest.mark.parametrize(
    "extent", [shapely.box(-6, -6, 5, 7), crown(np.random.default_rng(1), "convex", radius=7)]
)
def test_agrees_with_the_paper_within_an_extent(extent) -> None:
    names, targets, drawn = zip(*random_pairs(12, 100))
    scores = score_pairs(targets, drawn, RandCrownsParameters(0.5, 1.0, 2), extent)
    assert {Status.EXTENT_LIMITED, Status.SCORED} <= set(scores["status"])
    for i, (target, delineation) in enumerate(zip(targets, drawn)):
        if scores["status"][i] == Status.TARGET_TOO_SMALL:
            continue
        expected = literal.score(target, delineation, 0.5, 1.0, 2, extent)
        for name in TERMS:
            assert scores[name][i] == pytest.approx(
                getattr(expected, name), abs=tolerance(target)
            ), names[i]


@pytest.mark.parametrize(("square", "offsets"), [(True, "mitre"), (False, "round")])
def test_the_kind_of_offsets_can_be_chosen(square: bool, offsets: str) -> None:
    names, targets, drawn = zip(*random_pairs(13, 60))
    scores = score_pairs(targets, drawn, RandCrownsParameters(0.5, 1.0, 3, offsets))
    for i, (target, delineation) in enumerate(zip(targets, drawn)):
        if scores["status"][i] != Status.TARGET_TOO_SMALL:
            expected = literal.score(target, delineation, 0.5, 1.0, 3, square=square)
            assert scores["randcrowns"][i] == pytest.approx(
                expected.randcrowns, abs=tolerance(target)
            ), names[i]


def test_known_values_of_two_boxes() -> None:
    row = one(
        shapely.box(403592.72, 3285158.79, 403597.12, 3285161.9191),
        shapely.box(403591.1416, 3285158.2684, 403596.1267, 3285161.2994),
    )
    assert row["randcrowns"] == pytest.approx(0.9931998958689675, abs=1e-9)
    assert row["iou"] == pytest.approx(0.4205189027759493, abs=1e-9)
    assert row["iou_crowns"] == pytest.approx(0.9330119185428215, abs=1e-9)
    assert row["tau"] == pytest.approx(0.5770820712223946, abs=1e-9)
    assert row["status"] == Status.SCORED


def test_boxes_in_closed_form() -> None:
    """Eq. 3-14 with rectangles alone: 3,000 pairs."""
    rng = np.random.default_rng(3)
    drawn_at = np.array([-2.0, -2.0]) + 4 * rng.random((3000, 2))
    targets = np.hstack([np.zeros((3000, 2)), rng.uniform(1.6, 9, (3000, 2))])
    drawn = np.hstack([drawn_at, drawn_at + rng.uniform(0.5, 12, (3000, 2))])

    def area(box):
        return np.prod(np.clip(box[:, 2:] - box[:, :2], 0, None), axis=1)

    def shared(box, other):
        return np.hstack(
            [np.maximum(box[:, :2], other[:, :2]), np.minimum(box[:, 2:], other[:, 2:])]
        )

    grown = np.array([-1.0, -1.0, 1.0, 1.0])
    certain, outer = targets - IMAGE.alpha * grown, targets + IMAGE.omega * grown
    around = 2 * (outer[:, 2:] - outer[:, :2]).sum(axis=1)
    tau = (np.sqrt(around**2 + 16 * IMAGE.gamma * area(certain)) - around) / 8
    edge = outer + tau[:, None] * grown
    a = area(shared(drawn, certain))
    b = area(edge) - area(outer) - area(shared(drawn, edge)) + area(shared(drawn, outer))
    c, d = area(drawn) - area(shared(drawn, outer)), area(certain) - a
    scores = score_pairs(shapely.box(*targets.T), shapely.box(*drawn.T), IMAGE)
    expected = np.where(a > 0, (a**2 + b**2) / (a**2 + b**2 + c**2 + d**2), 0)
    assert scores["randcrowns"].to_numpy() == pytest.approx(expected, abs=1e-12)
    assert scores["iou_crowns"].to_numpy() == pytest.approx(a**2 / (a**2 + c**2 + d**2), abs=1e-12)


def test_a_hand_worked_case() -> None:
    """T 10 x 10, D the same moved by 4: R_a 8 x 8, R_o 12 x 12, R_b of 64 m²."""
    row = one(shapely.box(0, 0, 10, 10), shapely.box(4, 0, 14, 10), RandCrownsParameters(1, 1, 1))
    assert row["a"] == pytest.approx((5 * 8) ** 2)
    assert row["d"] == pytest.approx((64 - 40) ** 2)
    assert row["c"] == pytest.approx((3 * 10) ** 2)
    tau = (-48 + np.sqrt(48**2 + 16 * 64)) / 8
    assert row["tau"] == pytest.approx(tau)
    assert row["b"] == pytest.approx((64 - tau * 10) ** 2)
    assert row["iou"] == pytest.approx(60 / 140)


def test_a_tiny_delineation_can_have_a_high_randcrowns() -> None:
    """Compute the example of docs/job_draw.md by hand.

    R_a has sides of 10 - 2 * 0.7 = 8.6 m: a = 1, d = 8.6² - 1 = 72.96, c = 0,
    b = 3 * 8.6² = 221.88 m².
    """
    target, drawn = shapely.box(0, 0, 10, 10), shapely.box(4.5, 4.5, 5.5, 5.5)
    scores = score_pairs([target], [drawn], IMAGE).iloc[0]
    squares = 1 + 221.88**2
    assert scores["randcrowns"] == pytest.approx(squares / (squares + 72.96**2), abs=1e-9)
    assert round(scores["randcrowns"], 2) == 0.90
    assert scores["iou"] == pytest.approx(0.01, abs=1e-12)


def test_a_delineation_that_misses_the_certain_crown_scores_nothing() -> None:
    for drawn in (
        shapely.box(50, 50, 60, 60),
        shapely.box(0, 0, 0.7, 10),
        shapely.box(-10, 0, 0, 10),
    ):
        row = one(shapely.box(0, 0, 10, 10), drawn)
        assert (row["randcrowns"], row["iou_crowns"], row["status"]) == (0, 0, Status.MISSED)
        assert row["b"] > 0
    round_target = shapely.Point(0, 0).buffer(3)
    assert one(round_target, affinity.translate(round_target, 6, 0))["status"] == Status.MISSED


def test_a_target_too_small_cannot_be_scored() -> None:
    for target in (shapely.box(0, 0, 1.4, 9), shapely.Polygon([(0, 0), (9, 0), (0, 1)])):
        row = one(target, target)
        assert np.isnan(row["randcrowns"])
        assert np.isnan(row["iou_crowns"])
        assert row["iou"] == pytest.approx(1)
        assert row["status"] == Status.TARGET_TOO_SMALL


def test_rows_without_geometry_keep_their_place() -> None:
    box = shapely.box(0, 0, 5, 5)
    scores = score_pairs(
        [box, None, box, shapely.Polygon(), box], [box, box, None, box, box], IMAGE
    )
    assert scores["status"].tolist() == [
        "scored",
        "no_geometry",
        "no_geometry",
        "no_geometry",
        "scored",
    ]
    assert scores["randcrowns"].isna().tolist() == [False, True, True, True, False]
    assert scores.index.tolist() == [0, 1, 2, 3, 4]


def test_no_pairs_at_all_and_only_empty_ones() -> None:
    assert len(score_pairs([], [], IMAGE)) == 0
    assert score_pairs([None], [None], IMAGE)["status"].tolist() == ["no_geometry"]


def test_three_dimensional_crowns_are_flattened() -> None:
    flat = crown(np.random.default_rng(0), "concave")
    high = shapely.force_3d(flat, 12.0)
    assert one(high, high)["randcrowns"] == pytest.approx(one(flat, flat)["randcrowns"], abs=1e-14)


@pytest.mark.parametrize(
    ("targets", "drawn", "expected"),
    [
        ([shapely.Point(0, 0)], [shapely.box(0, 0, 1, 1)], raises("crowns.not_polygon")),
        (
            [shapely.box(0, 0, 1, 1)],
            [shapely.Polygon([(0, 0), (2, 2), (2, 0), (0, 2)])],
            raises("crowns.invalid_geometry", name="delineations"),
        ),
        (
            [shapely.Polygon([(0, 0), (1, 0), (np.nan, 1)])],
            [shapely.box(0, 0, 1, 1)],
            raises("crowns.invalid_geometry", name="targets"),
        ),
        ([shapely.box(0, 0, 1, 1)], [], raises("scoring.different_counts")),
        (["crown"], ["crown"], raises("crowns.not_geometry")),
        (
            [[shapely.box(0, 0, 1, 1)]],
            [[shapely.box(0, 0, 1, 1)]],
            raises("crowns.not_one_dimensional"),
        ),
    ],
)
def test_bad_input_is_refused_with_a_sentence(targets, drawn, expected: ExpectedError) -> None:
    with expected:
        score_pairs(targets, drawn, IMAGE)


@pytest.mark.parametrize(
    ("extent", "expected"),
    [
        ((0, 0, 1), raises("extent.invalid")),
        ((0, 0, np.nan, 1), raises("extent.invalid")),
        ((3, 3, 3, 5), raises("extent.no_area")),
        (shapely.Point(0, 0), raises("crowns.not_polygon")),
    ],
)
def test_an_extent_that_is_none_is_refused(extent, expected: ExpectedError) -> None:
    with expected:
        one(shapely.box(0, 0, 5, 5), shapely.box(0, 0, 5, 5), extent=extent)


def test_work_stops_when_the_user_cancels() -> None:
    def cancel(fraction: float) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        score_pairs([shapely.box(0, 0, 5, 5)], [shapely.box(0, 0, 5, 5)], IMAGE, progress=cancel)


def test_the_segments_of_round_offsets_matter_less_than_the_spec_says() -> None:
    _, targets, drawn = zip(*random_pairs(14, 100))
    coarse = score_pairs(targets, drawn, RandCrownsParameters(0.5, 1, 3, quad_segs=16))[
        "randcrowns"
    ]
    fine = score_pairs(targets, drawn, RandCrownsParameters(0.5, 1, 3, quad_segs=64))["randcrowns"]
    assert 0 < np.nanmax(np.abs(coarse - fine)) < 7e-4


PAIRS = [
    pair
    for pair in random_pairs(15, 100)
    if "touching" not in pair[0] and "disjoint" not in pair[0]
]


@settings(max_examples=examples(40), deadline=None)
@given(
    i=st.integers(0, len(PAIRS) - 1),
    alpha=st.floats(0, 1.5),
    omega=st.floats(0, 3),
    gamma=st.floats(0, 8),
)
@example(i=0, alpha=0.0, omega=1e-11, gamma=1.0)
def test_scores_lie_between_zero_and_one(i: int, alpha: float, omega: float, gamma: float) -> None:
    _, target, drawn = PAIRS[i]
    row = one(target, drawn, RandCrownsParameters(alpha, omega, gamma))
    for name in TERMS:
        assert np.isnan(row[name]) or 0 <= row[name] <= 1
    if not np.isnan(row["randcrowns"]):
        assert row["iou_crowns"] <= row["randcrowns"] + 1e-12
        assert one(target, target, RandCrownsParameters(alpha, omega, gamma))[
            "randcrowns"
        ] == pytest.approx(1)


@settings(max_examples=examples(40), deadline=None)
@given(
    i=st.integers(0, len(PAIRS) - 1),
    x=st.floats(-1e6, 1e6),
    y=st.floats(-5e6, 5e6),
    scale=st.floats(0.01, 100),
    angle=st.floats(0, 360),
)
def test_moving_scaling_and_turning_change_nothing(
    i: int, x: float, y: float, scale: float, angle: float
) -> None:
    _, target, drawn = PAIRS[i]
    plain = RandCrownsParameters(0.5, 1, 3, "round")
    before = one(target, drawn, plain)
    moved = one(affinity.translate(target, x, y), affinity.translate(drawn, x, y), plain)
    scaled = one(
        affinity.scale(target, scale, scale, origin=(0, 0)),
        affinity.scale(drawn, scale, scale, origin=(0, 0)),
        RandCrownsParameters(0.5 * scale, scale, 3, "round"),
    )
    turned = one(
        affinity.rotate(target, angle, origin=(0, 0)),
        affinity.rotate(drawn, angle, origin=(0, 0)),
        plain,
    )
    for name in TERMS:
        assert moved[name] == pytest.approx(before[name], abs=1e-6, nan_ok=True)
        assert scaled[name] == pytest.approx(before[name], abs=1e-9, nan_ok=True)
        assert turned[name] == pytest.approx(before[name], abs=1e-9, nan_ok=True)


def test_the_order_of_pairs_changes_nothing() -> None:
    _, targets, drawn = zip(*random_pairs(16, 150))
    order = np.random.default_rng(0).permutation(150)
    straight = score_pairs(targets, drawn, IMAGE)
    shuffled = score_pairs(np.array(targets)[order], np.array(drawn)[order], IMAGE)
    for name in TERMS:
        np.testing.assert_array_equal(shuffled[name], straight[name].to_numpy()[order])


def test_regions_are_the_paper_s() -> None:
    rng = np.random.default_rng(7)
    targets = [crown(rng, kind, radius=4) for kind in ("box", "concave", "holes")] + [
        None,
        shapely.box(0, 0, 1, 9),
    ]
    regions = target_regions(targets, IMAGE)
    for i in range(3):
        square = i == 0
        assert (
            regions.R_a[i].symmetric_difference(literal.offset(targets[i], -0.7, square)).area
            < 1e-9
        )
        assert (
            regions.R_o[i].symmetric_difference(literal.offset(targets[i], 1.2, square)).area < 1e-9
        )
        assert regions.R_b[i].area == pytest.approx(3 * regions.R_a[i].area, rel=2e-7)
        assert regions.R_e[i].area == pytest.approx(
            regions.R_o[i].area + regions.R_b[i].area, rel=1e-9
        )
    assert regions.status.tolist() == ["scored"] * 3 + ["no_geometry", "target_too_small"]
    assert regions.R_a[4].is_empty
    assert regions.R_b[4].is_empty
    assert not regions.R_o[4].is_empty


def test_regions_within_an_extent_stay_inside() -> None:
    extent = shapely.box(-3, -3, 20, 20)
    regions = target_regions([crown(np.random.default_rng(1), "concave", radius=4)], IMAGE, extent)
    for shapes in (regions.R_a, regions.R_o, regions.R_e, regions.R_b):
        assert extent.buffer(1e-9).covers(shapes[0])


def test_contact_is_no_overlap_wherever_the_crowns_are() -> None:
    """Boxes on a 0.1 m grid whose delineation ends on the edge of R_a, or whose sides are
    2·alpha: pixels make many.
    """
    corners = [(0.0, 0.0), (403592.72, 3285158.79), (403583.0, 3285159.0), (8.6, 14.1)]
    places = [(x + step, y + step) for x, y in corners for step in np.arange(40) * 0.1]
    targets = [shapely.box(left, bottom, left + 6, bottom + 5) for left, bottom in places]
    touching = [shapely.box(left - 2, bottom, left + 0.7, bottom + 5) for left, bottom in places]
    sizes = [(left, bottom, width) for left, bottom in places for width in (1.4, 3.0, 30.0)]
    narrow = [
        shapely.box(left, bottom, left + width, bottom + 1.4) for left, bottom, width in sizes
    ]
    for offsets in ("auto", "round"):
        parameters = RandCrownsParameters(0.7, 1.2, 3, offsets)
        assert set(score_pairs(targets, touching, parameters)["status"]) == {Status.MISSED}
        rows = score_pairs(narrow, narrow, parameters)
        assert set(rows["status"]) == {Status.TARGET_TOO_SMALL}
        assert rows["randcrowns"].isna().all()


@pytest.mark.parametrize("centre", [0.0, 5e5, 1e8])
def test_a_crown_and_itself_share_no_more_than_it_has(centre: float) -> None:
    """Areas are summed edge by edge: the rounding once made an IoU of 1 + 9e-16."""
    rng = np.random.default_rng(1)
    crowns = [
        crown(rng, "concave", centre, centre, radius) for radius in (1, 30, 1000) for _ in range(30)
    ]
    scores = score_pairs(crowns, crowns, IMAGE)
    assert (scores[["iou", "iou_crowns", "randcrowns"]].max() <= 1).all()
    assert scores["iou"].min() > 1 - 1e-12


@pytest.mark.parametrize("far", [1.1e9, 1e14, -1e14, 1e300])
def test_a_crown_on_no_map_is_refused_for_it_would_spoil_all_others(far: float) -> None:
    box, away = shapely.box(0, 0, 5, 5), shapely.box(min(far, 0), 0, max(far, 0), 5)
    for targets, drawn, side in (
        ([box, away], [box, box], "targets"),
        ([box, box], [box, away], "delineations"),
    ):
        with raises("crowns.beyond_map", name=side, rows=[1], largest=1e9):
            score_pairs(targets, drawn, IMAGE)
    edge = shapely.box(1e9 - 5, 0, 1e9, 5)
    assert score_pairs([edge], [edge], IMAGE)["iou"].tolist() == [1.0]
