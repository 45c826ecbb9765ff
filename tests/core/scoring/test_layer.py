import numpy as np
import pandas as pd
import pytest
import shapely
from support.errors import ExpectedError, raises

from randcrowns.core import (
    Cancelled,
    Crowns,
    RandCrownsParameters,
    Status,
    score_crowns,
)
from randcrowns.core.scoring.layer import score_candidates
from randcrowns.core.scoring.pairing import Pairing
from randcrowns.core.statistics import mean_interval

IMAGE = RandCrownsParameters(0.7, 1.2, 3)


def square(x: float, y: float = 0.0, side: float = 5.0) -> shapely.Polygon:
    return shapely.box(x - side / 2, y - side / 2, x + side / 2, y + side / 2)


def plots():
    """Plot a: found, missed (touches the target, but not its certain part), too small. Plot b:
    no delineation.
    """
    targets = Crowns(
        np.array([square(0), square(20), square(40, side=1.2), square(60)]),
        np.array([10, 11, 12, 13]),
        np.array(["a", "a", "a", "b"]),
        name="targets",
    )
    drawn = Crowns(
        np.array([square(0.4), square(22.3, side=1), square(40, side=1.2), square(30, 30)]),
        np.array([1, 2, 3, 4]),
        np.array(["a", "a", "a", "a"]),
        name="drawn",
    )
    return targets, drawn


def test_every_target_and_delineation_has_a_row_and_a_status() -> None:
    result = score_crowns(*plots(), IMAGE)
    assert result.targets["target_id"].tolist() == [10, 11, 12, 13]
    assert result.targets["status"].tolist() == [
        Status.SCORED,
        Status.MISSED,
        Status.TARGET_TOO_SMALL,
        Status.UNMATCHED,
    ]
    assert result.targets["delineation_id"].fillna(-1).tolist() == [1, 2, 3, -1]
    assert result.targets["randcrowns"].iloc[1:].fillna(-1).tolist() == [0, -1, 0]
    assert result.targets["distance"].iloc[0] == pytest.approx(0.4)
    assert result.targets["area"].tolist() == pytest.approx([25, 25, 1.44, 25])
    assert result.delineations["status"].tolist() == ["matched", "matched", "matched", "unmatched"]
    assert result.delineations["target_id"].fillna(-1).tolist() == [10, 11, 12, -1]


def test_the_summary_counts_and_averages_what_the_tables_say() -> None:
    result = score_crowns(*plots(), IMAGE)
    summary = result.summary.set_index("plot")
    assert summary.index.tolist() == ["all", "a", "b"]
    counts = [
        "targets",
        "delineations",
        "matched",
        "missed",
        "unmatched_targets",
        "unmatched_delineations",
        "too_small",
    ]
    assert summary.loc["all", counts].tolist() == [4, 4, 1, 1, 1, 1, 1]
    assert summary.loc["a", counts].tolist() == [3, 4, 1, 1, 0, 1, 1]
    assert summary.loc["b", counts].tolist() == [1, 0, 0, 0, 1, 0, 0]
    score = result.targets["randcrowns"].iloc[0]
    assert summary.loc["all", "randcrowns_mean"] == pytest.approx(score / 3)
    assert summary.loc["all", "randcrowns_sd"] == pytest.approx(np.std([score, 0, 0], ddof=1))
    assert summary.loc["all", "randcrowns_median"] == 0
    assert summary.loc["all", "penalised_mean"] == pytest.approx(score / 4)
    assert summary.loc["all", "recall_iou_0.5"] == 2 / 4
    assert summary.loc["all", "precision_iou_0.5"] == 2 / 4
    assert summary.loc["all", "recall_randcrowns_0.5"] == pytest.approx(1 / 3)
    assert summary.loc["all", "precision_randcrowns_0.5"] == pytest.approx(1 / 4)
    assert np.isnan(summary.loc["b", "precision_iou_0.5"])
    assert np.isnan(summary.loc["b", "randcrowns_low"])


def test_thresholds_are_met_by_an_equal_score() -> None:
    result = score_crowns(
        [shapely.box(0, 0, 4, 4)], [shapely.box(0, 0, 4, 2)], IMAGE, iou_thresholds=(0.5, 0.51)
    )
    assert result.targets["iou"][0] == 0.5
    assert result.summary[["recall_iou_0.5", "precision_iou_0.5", "f1_iou_0.5"]].iloc[
        0
    ].tolist() == [1, 1, 1]
    assert result.summary[["recall_iou_0.51", "f1_iou_0.51"]].iloc[0].tolist() == [0, 0]


def test_no_delineations_and_no_targets() -> None:
    nothing = score_crowns([square(0)], [], IMAGE)
    assert nothing.targets["status"].tolist() == [Status.UNMATCHED]
    assert nothing.summary["randcrowns_mean"].tolist() == [0]
    nobody = score_crowns([], [square(0)], IMAGE)
    assert nobody.delineations["status"].tolist() == [Status.UNMATCHED]
    assert nobody.summary["targets"].tolist() == [0]
    assert np.isnan(nobody.summary["randcrowns_mean"][0])
    # Without delineations no precision is defined, without targets no recall: neither F1 is.
    for none in (nothing, nobody):
        assert none.summary[["f1_iou_0.5", "f1_randcrowns_0.5"]].isna().all(axis=None)
    assert score_crowns([], [], IMAGE).summary["delineations"].tolist() == [0]


def test_delineations_without_a_plot_count_to_that_of_their_nearest_target() -> None:
    targets = [square(0), square(50)]
    drawn = [square(1), square(50), square(58)]
    result = score_crowns(targets, drawn, IMAGE, plots=["west", "east"])
    assert result.delineations["plot"].tolist() == ["west", "east", "east"]
    assert result.summary.set_index("plot").loc["east", "unmatched_delineations"] == 1


def test_progress_rises_to_one_and_can_cancel() -> None:
    told: list[float] = []
    score_crowns(*plots(), IMAGE, progress=told.append)
    assert told == sorted(told)
    assert told[-1] == 1

    def cancel(fraction: float) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        score_crowns(*plots(), IMAGE, progress=cancel)


def test_the_intervals_are_over_plots_where_there_are_several() -> None:
    """120 crowns in twelve plots, whose delineations are worse from plot to plot."""
    plot = np.repeat(np.arange(12), 10)
    targets = [square(20 * i) for i in range(120)]
    drawn = [square(20 * i + 0.2 * of) for i, of in enumerate(plot)]
    by_plot = score_crowns(targets, drawn, IMAGE, plots=plot.astype(str).astype(object))
    alone = score_crowns(targets, drawn, IMAGE)
    assert by_plot.summary["resampled"].tolist() == ["plots"] + ["crowns"] * 12
    assert alone.summary["resampled"].tolist() == ["crowns"]
    for name in ("randcrowns", "iou", "iou_crowns"):
        for scores, codes in ((by_plot, plot), (alone, None)):
            ends = scores.summary.loc[0, [f"{name}_low", f"{name}_high"]].tolist()
            assert ends == pytest.approx(mean_interval(scores.targets[name].to_numpy(), codes))
        width = [
            np.ptp(one.summary.loc[0, [f"{name}_low", f"{name}_high"]]) for one in (by_plot, alone)
        ]
        assert width[0] > 2 * width[1]


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"ids": [1, 1]}, raises("crowns.repeated_id")),
        ({"ids": [1]}, raises("crowns.wrong_id_count", geometry=2, ids=1)),
        ({"plots": ["a"]}, raises("crowns.wrong_plot_count", geometry=2, plots=1)),
        ({"geometry": [square(0), None]}, raises("crowns.no_geometry", rows=[1])),
        (
            {"geometry": [square(0), shapely.LineString([(0, 0), (1, 1)])]},
            raises("crowns.not_polygon"),
        ),
    ],
)
def test_crowns_are_checked(fields, expected: ExpectedError) -> None:
    with expected:
        Crowns(**{"geometry": [square(0), square(9)], **fields})


def test_crowns_cannot_be_changed() -> None:
    crowns = Crowns([square(0), square(9)])
    with pytest.raises(AttributeError):
        crowns.geometry = np.array([square(3)])  # type: ignore[misc]
    assert crowns.subset(np.array([1])).ids.tolist() == [1]


def test_tables_have_documented_columns_and_types() -> None:
    result = score_crowns(*plots(), IMAGE)
    assert str(result.targets["delineation_id"].dtype) == "Int64"
    assert pd.api.types.is_float_dtype(result.targets["randcrowns"])
    assert result.targets.columns.tolist() == [
        "target_id", "plot", "delineation_id", "n_delineations", "distance", "randcrowns", "iou", "iou_crowns",
        "a", "b", "c", "d", "tau", "area", "status", "best_iou", "best_randcrowns",
    ]  # fmt: skip


def test_groups_given_beside_crowns_are_heeded() -> None:
    crowns = Crowns([square(0), square(0.5)], plots=["x", "x"])
    result = score_crowns(crowns, crowns, IMAGE, plots=(["a", "b"], ["b", "a"]))
    assert result.targets["delineation_id"].tolist() == [1, 0]
    three = score_crowns([square(0), square(9)], [square(0)], IMAGE, plots=("a", "b"))
    assert three.summary["plot"].tolist() == ["all", "a", "b"]


def test_crowns_without_a_plot_belong_together() -> None:
    result = score_crowns([square(0)], [square(0)], IMAGE, plots=([float("nan")], [None]))
    assert result.targets["randcrowns"].tolist() == [1]
    assert result.summary["plot"].tolist() == ["all"]


def test_ids_must_be_whole_numbers() -> None:
    for ids in ([1.2, 2.7], ["a", "b"], [1.0, float("nan")]):
        with raises("ids.not_whole"):
            Crowns([square(0), square(9)], ids)


@pytest.mark.parametrize("pairing", ["nearest", "hungarian"])
def test_a_target_too_small_has_no_iou_of_nought_that_nobody_measured(pairing: str) -> None:
    table = score_crowns([square(0, side=1)], [square(0, side=1)], IMAGE, pairing).targets
    assert table["status"].tolist() == [Status.TARGET_TOO_SMALL]
    assert table["iou"].fillna(-1).tolist() == ([1] if pairing == "nearest" else [-1])


def test_a_crown_at_the_edge_of_the_image_is_paired_whole_and_scored_as_far_as_it_is_seen() -> None:
    target, copy, small = (
        shapely.box(10, -5, 16, 6),
        shapely.box(10, -5, 16, 6),
        shapely.box(11.5, 0.1, 14.5, 2),
    )
    image = shapely.box(0, 0, 50, 50)
    drawn = Crowns([copy, small])
    seen = shapely.intersection(drawn.geometry, image)
    (scored,), _ = score_candidates(
        Crowns([target]), [drawn], IMAGE, Pairing.NEAREST, image, clipped=[seen]
    )
    row = scored.pairs[scored.pairs["assigned"]].iloc[0]
    assert row["delineation"] == 0
    assert row["randcrowns"] == pytest.approx(1)
    assert row["iou"] == pytest.approx(1)


def test_recall_and_precision_have_intervals_over_crowns_and_over_plots() -> None:
    rng = np.random.default_rng(3)
    corner = np.stack([np.arange(60) * 10.0, np.zeros(60)], axis=1)
    plots = [f"plot {number % 12}" for number in range(60)]
    off = rng.uniform(0, 3, 60)
    targets = shapely.box(*corner.T, *(corner + 5).T)
    drawn = shapely.box(corner[:, 0] + off, corner[:, 1], corner[:, 0] + off + 5, corner[:, 1] + 5)
    for groups, codes in ((None, None), (plots, np.arange(60) % 12)):
        found = score_crowns(Crowns(targets, plots=groups), Crowns(drawn, plots=groups), IMAGE)
        row = found.summary.iloc[0]
        for rate, crowns in (("recall", found.targets), ("precision", found.delineations)):
            expected = mean_interval((crowns["iou"] >= 0.5).to_numpy(dtype=float), codes)
            ends = [row[f"{rate}_iou_0.5_{end}"] for end in ("low", "high")]
            assert ends == pytest.approx(expected, abs=1e-12)
            assert ends[0] < row[f"{rate}_iou_0.5"] < ends[1]
