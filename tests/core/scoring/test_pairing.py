import itertools
from functools import cache

import numpy as np
import pytest
import shapely
from support.crowns import blob
from support.errors import raises

from randcrowns.core import Crowns, RandCrownsParameters, score_crowns, score_pairs
from randcrowns.core.scoring.pairing import Pairing, find_pair_candidates, separate_classes

IMAGE = RandCrownsParameters(0.7, 1.2, 3)


def square(x: float, y: float, side: float = 5.0) -> shapely.Polygon:
    return shapely.box(x - side / 2, y - side / 2, x + side / 2, y + side / 2)


def matches(targets, drawn, pairing: str, **options) -> list[int | None]:
    table = score_crowns(targets, drawn, IMAGE, pairing, **options).targets
    return [
        None if value is None or value != value else int(value)
        for value in table["delineation_id"]
        .astype(object)
        .where(table["delineation_id"].notna(), None)
    ]


@cache
def scene(seed: int, number: int = 40):
    rng = np.random.default_rng(seed)
    centres = rng.uniform(0, 35, (number, 2))
    targets = [blob(rng, *centre, rng.uniform(2, 4)) for centre in centres]
    moved = centres[: number - 5] + rng.normal(0, 1, (number - 5, 2))
    drawn = [
        blob(rng, *centre, rng.uniform(2, 4))
        for centre in np.vstack([moved, rng.uniform(0, 35, (10, 2))])
    ]
    return targets, drawn


def distances(targets, drawn) -> np.ndarray:
    return np.array([[t.centroid.distance(d.centroid) for d in drawn] for t in targets])


def all_scores(targets, drawn):
    pairs = list(itertools.product(range(len(targets)), range(len(drawn))))
    table = score_pairs([targets[i] for i, _ in pairs], [drawn[j] for _, j in pairs], IMAGE)
    shape = (len(targets), len(drawn))
    return table["randcrowns"].to_numpy().reshape(shape), table["iou"].to_numpy().reshape(shape)


@cache
def scene_scores(seed: int):
    return all_scores(*scene(seed))


@pytest.mark.parametrize("seed", [1])
def test_nearest_is_the_smallest_distance_within_the_radius(seed: int) -> None:
    targets, drawn = scene(seed)
    apart = distances(targets, drawn)
    expected = [int(row.argmin()) if row.min() <= 2.5 else None for row in apart]
    assert matches(targets, drawn, "nearest", search_radius=2.5) == expected
    radii = [np.hypot(t.bounds[2] - t.bounds[0], t.bounds[3] - t.bounds[1]) / 2 for t in targets]
    expected = [
        int(row.argmin()) if row.min() <= radius else None for row, radius in zip(apart, radii)
    ]
    assert matches(targets, drawn, "nearest") == expected


def test_of_several_nearest_the_lowest_score_counts() -> None:
    target = square(0, 0)
    drawn = [square(0, 0, side) for side in (5, 4, 12, 6, 3.8, 5.5, 5.2)]
    score, _ = all_scores([target], drawn)
    table = score_crowns([target], drawn, IMAGE).targets
    assert table["delineation_id"][0] == 2 == score[0].argmin()
    assert table["randcrowns"][0] == score.min()


def test_equal_scores_go_to_the_lowest_id_whatever_the_order() -> None:
    targets = Crowns(np.array([square(0, 0)]))
    for ids in ([9, 4, 7], [4, 7, 9], [7, 9, 4]):
        drawn = Crowns(np.array([square(1, 0), square(-1, 0), square(0, 1)]), np.array(ids))
        for pairing in ("nearest", "max_iou", "max_score", "hungarian"):
            assert score_crowns(targets, drawn, IMAGE, pairing).targets["delineation_id"][0] == 4, (
                pairing
            )


@pytest.mark.parametrize("seed", [1])
def test_max_iou_and_max_score_are_the_best_of_all(seed: int) -> None:
    targets, drawn = scene(seed)
    score, iou = scene_scores(seed)
    assert matches(targets, drawn, "max_iou") == [
        int(row.argmax()) if row.max() > 0 else None for row in iou
    ]
    touching = np.where(iou > 0, score, -1)
    assert matches(targets, drawn, "max_score") == [
        int(row.argmax()) if row.max() >= 0 else None for row in touching
    ]


@pytest.mark.parametrize("seed", range(8))
def test_hungarian_has_the_largest_total_of_all_one_to_one_pairings(seed: int) -> None:
    rng = np.random.default_rng(seed)
    targets = [blob(rng, *rng.uniform(0, 6, 2), 2.5) for _ in range(5)]
    drawn = [blob(rng, *rng.uniform(0, 6, 2), 2.5) for _ in range(4)]
    score, _ = all_scores(targets, drawn)
    most = max(
        sum(score[t, d] for d, t in enumerate(order))
        for order in itertools.permutations(range(5), 4)
    )
    result = score_crowns(targets, drawn, IMAGE, "hungarian")
    assert result.targets["randcrowns"].sum() == pytest.approx(most)
    assert result.targets["delineation_id"].dropna().is_unique
    assert (result.delineations["n_targets"] <= 1).all()


@pytest.mark.parametrize("seed", [1])
def test_minimum_score_keeps_the_lowest_of_all_delineations_nearest_to_a_target(seed: int) -> None:
    targets, drawn = scene(seed)
    apart = distances(targets, drawn)
    score, iou = scene_scores(seed)
    table = score_crowns(targets, drawn, IMAGE, "min_score", search_radius=3).targets
    owner = np.where(apart.min(axis=0) <= 3, apart.argmin(axis=0), -1)
    several = 0
    for i in range(len(targets)):
        mine = np.flatnonzero(owner == i)
        several += len(mine) > 1
        assert table["n_delineations"][i] == len(mine)
        if not len(mine):
            assert table["status"][i] == "unmatched"
            assert table["randcrowns"][i] == 0
            continue
        worst = mine[score[i, mine].argmin()]
        assert table["randcrowns"][i] == pytest.approx(score[i, worst])
        assert table["iou"][i] == pytest.approx(iou[i, worst])
        assert score[i, table["delineation_id"][i]] == pytest.approx(score[i, worst])
    assert several


def test_equal_lowest_scores_go_to_the_lowest_id() -> None:
    drawn = Crowns(np.array([square(1, 0), square(-1, 0), square(0, 0)]), np.array([9, 4, 7]))
    found = score_crowns(Crowns(np.array([square(0, 0)])), drawn, IMAGE, "min_score").targets
    assert (found["delineation_id"][0], found["n_delineations"][0]) == (4, 3)


@pytest.mark.parametrize("seed", [1])
def test_mean_over_count_divides_by_the_number_of_delineations(seed: int) -> None:
    targets, drawn = scene(seed)
    apart = distances(targets, drawn)
    score, iou = scene_scores(seed)
    table = score_crowns(targets, drawn, IMAGE, "mean_over_count", search_radius=3).targets
    owner = np.where(apart.min(axis=0) <= 3, apart.argmin(axis=0), -1)
    for i in range(len(targets)):
        mine = np.flatnonzero(owner == i)
        assert table["n_delineations"][i] == len(mine)
        for name, values in (("randcrowns", score), ("iou", iou)):
            expected = values[i, mine].mean() / len(mine) if len(mine) else 0
            assert table[name][i] == pytest.approx(expected)


@pytest.mark.parametrize("pairing", [item.value for item in Pairing])
def test_crowns_of_different_groups_never_meet(pairing: str) -> None:
    crowns = [square(0, 0), square(0.5, 0)]
    result = score_crowns(crowns, crowns, IMAGE, pairing, plots=(["a", "b"], ["b", "a"]))
    assert result.targets["delineation_id"].tolist() == [1, 0]


@pytest.mark.parametrize("pairing", [item.value for item in Pairing])
def test_the_order_of_features_changes_nothing(pairing: str) -> None:
    targets, drawn = scene(7)
    rng = np.random.default_rng(0)
    first, second = rng.permutation(len(targets)), rng.permutation(len(drawn))
    straight = score_crowns(targets, drawn, IMAGE, pairing)
    shuffled = score_crowns(
        Crowns(np.array(targets)[first], first),
        Crowns(np.array(drawn)[second], second),
        IMAGE,
        pairing,
    )
    back = shuffled.targets.set_index("target_id").sort_index()
    for name in ("randcrowns", "iou", "iou_crowns"):
        np.testing.assert_allclose(back[name], straight.targets[name], atol=1e-12)
    assert back["delineation_id"].tolist() == straight.targets["delineation_id"].tolist()
    number = straight.summary.select_dtypes("number")
    np.testing.assert_allclose(shuffled.summary[number.columns], number, atol=1e-12)


@pytest.mark.parametrize("radius", [0, -1, float("nan")])
def test_a_search_radius_that_means_nothing_is_refused(radius: float) -> None:
    crowns = Crowns(np.array([square(0, 0)]))
    with raises("pairing.invalid_search_radius"):
        find_pair_candidates(crowns, crowns, Pairing.NEAREST, radius)


def test_an_unknown_method_is_refused_with_those_there_are() -> None:
    with raises(
        "key.unknown", names="nearest, max_iou, max_score, mean_over_count, min_score, hungarian"
    ):
        score_crowns([square(0, 0)], [square(0, 0)], IMAGE, "closest")


@pytest.mark.parametrize("pairing", [pairing.value for pairing in Pairing])
def test_crowns_of_other_plots_are_not_paired_however_near(pairing: str) -> None:
    # Both centroids are at the same point, so that no distance between centroids is larger than 0.
    targets = Crowns([square(0, 0, 9)], plots=["A"])
    drawn = Crowns([square(0, 0, 9)], plots=["B"])
    assert matches(targets, drawn, pairing) == [None]


def test_a_crown_without_class_and_plot_is_paired_with_none_within_classes() -> None:
    """The numbers of plots and classes of crowns without a plot are those of no other crown."""
    boxes = shapely.box(0, 0, [5, 6, 7, 8], 5)
    plots = np.array([None, None, "a", "a"], dtype=object)
    targets = Crowns(boxes, plots=plots, classes=[None, "oak", None, "oak"])
    drawn = Crowns(boxes, plots=plots, classes=["oak", "elm", "oak", None])
    one, other = separate_classes(targets, drawn)
    pairs = np.argwhere(one.plots[:, None] == other.plots)
    assert pairs.tolist() == [[1, 0], [3, 2]]
