from __future__ import annotations

import numpy as np
import pytest
import shapely
from sample import simulate_cloud
from support.errors import raises

from randcrowns.core.crowns import Crowns
from randcrowns.core.errors import Cancelled
from randcrowns.core.instances.average_precision import threshold_table
from randcrowns.core.instances.matching import NO_MATCH, match_instances
from randcrowns.core.instances.metrics import (
    DetectionCounts,
    count_detections,
    detection_metrics,
    panoptic_quality,
    segmentation_means,
    segmentation_table,
)
from randcrowns.core.instances.overlap import OverlapTable, polygon_overlap
from randcrowns.core.instances.summary import (
    assign_plots,
    nearest_targets,
    summarise_instances,
)
from randcrowns.core.status import ALL_PLOTS

# Prediction 0 covers three quarters of target 0, target 1 is split into predictions 1 and 2,
# target 2 is missed, and prediction 3 is false.
TABLE = OverlapTable(
    target=np.array([0, 1, 1]),
    prediction=np.array([0, 1, 2]),
    shared=np.array([3.0, 5.0, 5.0]),
    target_size=np.array([4.0, 10.0, 2.0]),
    prediction_size=np.array([3.0, 5.0, 5.0, 6.0]),
)
PANOPTIC = match_instances(TABLE, "panoptic_segmentation")
COVERAGE = match_instances(TABLE, "for_ai_net_coverage")


def test_detection_by_hand() -> None:
    assert count_detections(PANOPTIC) == DetectionCounts(tp=1, fp=3, fn=2)
    assert count_detections(PANOPTIC, np.array([True, False, False, True])) == DetectionCounts(
        1, 2, 2
    )
    assert detection_metrics(DetectionCounts(1, 3, 2)) == {
        "TP": 1,
        "FP": 3,
        "FN": 2,
        "Precision": 1 / 4,
        "CommissionError": 3 / 4,
        "Recall": 1 / 3,
        "OmissionError": 2 / 3,
        "F1Score": 2 / 7,
    }
    assert all(
        np.isnan(v) for k, v in detection_metrics(DetectionCounts(0, 0, 0)).items() if len(k) > 2
    )


def test_segmentation_by_hand() -> None:
    rows = segmentation_table(TABLE, COVERAGE, np.array([7, 8, 9]), np.array([70, 80, -1]))
    np.testing.assert_array_equal(rows["IoU"], [3 / 4, 1 / 2, 0])
    np.testing.assert_array_equal(rows["Precision"], [1, 1, np.nan])
    np.testing.assert_array_equal(rows["Recall"], [3 / 4, 1 / 2, 0])
    assert segmentation_means(rows) == {
        "MeanIoU": 1.25 / 3,
        "MeanPrecision": 1.0,
        "MeanRecall": 1.25 / 3,
    }
    matched = segmentation_table(
        TABLE, COVERAGE, np.array([7, 8, 9]), np.array([70, 80, -1]), include_unmatched=False
    )
    assert matched["TargetID"].tolist() == [7, 8]
    assert matched.index.tolist() == [0, 1]
    second = COVERAGE._replace(prediction=np.array([-1, 1, -1]), shared=np.array([0.0, 5.0, 0.0]))
    only = segmentation_table(
        TABLE, second, np.array([7, 8, 9]), np.array([-1, 80, -1]), include_unmatched=False
    )
    assert only["TargetID"].to_dict() == {0: 8}


def test_panoptic_quality_is_the_product_of_its_parts() -> None:
    quality = panoptic_quality(TABLE, PANOPTIC)
    assert quality == (pytest.approx(0.75 * 2 / 7), 0.75, 2 / 7, 1, 2, 3)
    assert panoptic_quality(TABLE) == quality
    assert (
        panoptic_quality(
            TABLE, PANOPTIC, np.array([False, False, False, True])
        ).n_unmatched_predictions
        == 2
    )
    alone = OverlapTable(
        *(np.empty(0, dtype=int),) * 2, np.empty(0), TABLE.target_size, np.empty(0)
    )
    without = panoptic_quality(alone)
    assert without.pq == 0
    assert np.isnan(without.sq)
    nothing = OverlapTable(*(np.empty(0, dtype=int),) * 2, *(np.empty(0),) * 3)
    assert np.isnan(panoptic_quality(nothing).pq)


def test_summary_by_hand() -> None:
    whole = summarise_instances(TABLE, PANOPTIC, COVERAGE)
    assert whole["plot"].tolist() == [ALL_PLOTS]
    row = whole.iloc[0]
    assert (row["targets"], row["predictions"], row["tp"], row["fp"], row["fn"]) == (3, 4, 1, 3, 2)
    assert (row["splits"], row["merges"], row["uncertain"]) == (1, 0, 0)
    assert row["pq"] == pytest.approx(panoptic_quality(TABLE, PANOPTIC).pq)
    assert (row["sq"], row["rq"]) == (0.75, 2 / 7)
    assert row["mean_iou"] == pytest.approx(1.25 / 3)
    doubtful = summarise_instances(
        TABLE, PANOPTIC, COVERAGE, uncertain=np.array([True, True, False, False])
    ).iloc[0]
    assert (doubtful["fp"], doubtful["uncertain"], doubtful["precision"]) == (2, 1, 1 / 3)
    assert row["resampled"] == "instances"
    assert np.isnan(row["recall_low"])


def halves(n: int) -> OverlapTable:
    """Return the table of n trees of which every second one is found."""
    tree, size = np.arange(n), np.full(n, 10.0)
    return OverlapTable(tree, tree, np.where(tree % 2, 9.0, 1.0), size, size)


def test_intervals_need_ten_units_of_what_they_are_of() -> None:
    for n in (9, 10):
        found = match_instances(halves(n), "panoptic_segmentation")
        row = summarise_instances(halves(n), found, found).iloc[0]
        assert np.isnan([row["recall_low"], row["mean_iou_high"]]).all() == (n < 10)
        assert not np.isnan([row["pq_low"], row["f1_high"]]).any()


def test_intervals_over_plots_need_five_of_them() -> None:
    table = halves(60)
    found = match_instances(table, "panoptic_segmentation")
    for n in (4, 5):
        plots = (np.arange(60) % n).tolist()
        row = summarise_instances(
            table, found, found, target_plots=plots, prediction_plots=plots
        ).iloc[0]
        assert row["resampled"] == "plots"
        assert np.isnan([row["recall_low"], row["pq_high"]]).all() == (n < 5)


def test_splits_and_merges_need_more_than_half_of_a_part() -> None:
    split = OverlapTable(
        np.array([0, 0]),
        np.array([0, 1]),
        np.array([3.0, 3.0]),
        np.array([6.0]),
        np.array([5.0, 5.0]),
    )
    found = match_instances(split, "panoptic_segmentation")
    assert summarise_instances(split, found, found).loc[0, "splits"] == 1
    half = OverlapTable(
        np.array([0, 0]),
        np.array([0, 1]),
        np.array([3.0, 3.0]),
        np.array([6.0]),
        np.array([6.0, 5.0]),
    )
    assert summarise_instances(half, found, found).loc[0, "splits"] == 0
    merged = OverlapTable(
        split.prediction, split.target, split.shared, split.prediction_size, split.target_size
    )
    both = match_instances(merged, "panoptic_segmentation")
    assert summarise_instances(merged, both, both).loc[0, "merges"] == 1


def test_plots_add_up_and_are_drawn_whole() -> None:
    cloud = simulate_cloud(20_000, 30)
    table = OverlapTable.from_labels(cloud.target, cloud.prediction)
    found, cut = (
        match_instances(table, "panoptic_segmentation"),
        match_instances(table, "for_ai_net_coverage"),
    )
    targets = [f"plot {i % 3}" for i in range(len(table.target_size))]
    predictions = [f"plot {i % 3}" for i in range(len(table.prediction_size))]
    summary = summarise_instances(
        table, found, cut, target_plots=targets, prediction_plots=predictions
    )
    assert summary["plot"].tolist() == [ALL_PLOTS, "plot 0", "plot 1", "plot 2"]
    for name in ("targets", "predictions", "tp", "fp", "fn", "splits", "merges"):
        assert summary[name][0] == summary[name][1:].sum()
    assert summary["resampled"].tolist() == ["plots"] + ["instances"] * 3
    again = summarise_instances(
        table, found, cut, target_plots=targets, prediction_plots=predictions
    )
    assert summary.equals(again)
    with raises("plots.one_side_only"):
        summarise_instances(table, found, cut, target_plots=targets)
    with raises("plots.wrong_count"):
        summarise_instances(
            table, found, cut, target_plots=targets[1:], prediction_plots=predictions
        )


def test_summary_of_nothing() -> None:
    nothing = OverlapTable(*(np.empty(0, dtype=int),) * 2, *(np.empty(0),) * 3)
    empty = match_instances(nothing, "panoptic_segmentation")
    row = summarise_instances(nothing, empty, empty).iloc[0]
    assert row["tp"] == 0
    assert np.isnan(row["pq"])
    assert np.isnan(row["f1_low"])


def test_the_intervals_are_of_95_percent() -> None:
    table = halves(400)
    found = match_instances(table, "panoptic_segmentation")
    row = summarise_instances(table, found, found).iloc[0]
    assert row["recall"] == 0.5
    for metric in ("recall", "precision"):
        assert row[f"{metric}_high"] - row[f"{metric}_low"] == pytest.approx(
            2 * 1.96 * np.sqrt(0.25 / 400), rel=0.01
        )


def test_the_intervals_of_f1_and_pq_match_a_bootstrap() -> None:
    """Resample pairs of a target and its prediction, and unmatched instances, in a slow loop."""
    rng = np.random.default_rng(0)
    n = 300
    table = OverlapTable(*(np.arange(n),) * 2, rng.uniform(4, 10, n), *(np.full(n, 10.0),) * 2)
    found = match_instances(table, "panoptic_segmentation")
    row = summarise_instances(table, found, found).iloc[0]
    tp = found.prediction != NO_MATCH
    iou = np.where(tp, table.iou, 0.0)
    things = np.concatenate(
        [np.stack([tp, ~tp, iou], axis=1), np.repeat([[0.0, 1.0, 0.0]], (~tp).sum(), axis=0)]
    )
    drawn = np.stack([rng.choice(things, len(things)).sum(axis=0) for _ in range(6000)])
    for metric, part in (("f1", 2 * drawn[:, 0]), ("pq", 2 * drawn[:, 2])):
        ends = np.quantile(part / (2 * drawn[:, 0] + drawn[:, 1]), [0.025, 0.975])
        assert row[[f"{metric}_low", f"{metric}_high"]].tolist() == pytest.approx(
            ends.tolist(), abs=0.006
        )


def test_many_plots_are_told_and_can_be_cancelled() -> None:
    n = 20_000
    tree = np.arange(n)
    table = halves(n)
    found = match_instances(table, "panoptic_segmentation")
    told: list[float] = []
    summarise_instances(table, found, found, progress=told.append)
    assert told[-1] == 1

    def cancel(fraction: float) -> None:
        raise Cancelled

    plots = (tree // 100).tolist()
    with pytest.raises(Cancelled):
        summarise_instances(
            table, found, found, target_plots=plots, prediction_plots=plots, progress=cancel
        )


def test_each_polygon_counts_once() -> None:
    # Two targets that overlap, one prediction that fits both, and a stray one.
    size = np.full(2, 10.0)
    table = OverlapTable(np.array([0, 1]), np.array([0, 0]), np.array([9.0, 8.0]), size, size)
    quality = panoptic_quality(table)
    assert (quality.n_matched, quality.n_unmatched_targets, quality.n_unmatched_predictions) == (
        1,
        1,
        1,
    )
    assert quality.pq == pytest.approx(9 / 11 / 2)


def test_panoptic_quality_is_of_the_matching_it_is_given() -> None:
    """The halves of target 1 match it only by coverage, which needs no IoU above 1/2."""
    quality = panoptic_quality(TABLE, COVERAGE)
    assert (quality.n_matched, quality.n_unmatched_targets, quality.n_unmatched_predictions) == (
        2,
        1,
        2,
    )
    assert (quality.sq, quality.rq) == (pytest.approx((0.75 + 0.5) / 2), pytest.approx(4 / 7))
    assert quality.pq == pytest.approx(1.25 / (2 + 3 / 2))


def test_a_prediction_is_of_the_plot_it_shares_most_with_or_is_nearest_to() -> None:
    targets = Crowns(
        shapely.box([0, 10, 30], 0, [10, 20, 40], 10), ids=[3, 2, 1], plots=["a", "b", "c"]
    )
    drawn = Crowns(shapely.box([8, 3, 27, 22, 50], 0, [14, 13, 28, 28, 51], 10))
    table = polygon_overlap(targets, drawn)
    # The first two share 2 and 4, 7 and 3 metres with two targets. The others are 2 m from one
    # target, 2 m from two targets (the lower id counts), and 10 m from the nearest target.
    assert assign_plots(targets, drawn, table).tolist() == ["b", "a", "c", "c", "c"]
    equal = Crowns([shapely.box(5, 0, 15, 10)])
    assert assign_plots(targets, equal, polygon_overlap(targets, equal)).tolist() == ["a"]
    none = targets.subset(np.zeros(3, dtype=bool))
    assert assign_plots(none, equal, polygon_overlap(none, equal)).tolist() == [None]
    without = Crowns(targets.geometry)
    assert assign_plots(without, equal, polygon_overlap(without, equal)).tolist() == [None]


def test_the_nearest_of_several_is_that_of_the_lowest_id() -> None:
    targets = Crowns(shapely.box([0, 20], 0, [10, 30], 10), ids=[8, 5])
    row, distance = nearest_targets(
        targets, Crowns([shapely.box(14, 0, 16, 10), shapely.box(11, 0, 12, 10)])
    )
    assert (row.tolist(), distance.tolist()) == ([1, 0], [4, 1])


def test_where_only_some_were_drawn_no_prediction_is_false() -> None:
    row = summarise_instances(TABLE, PANOPTIC, COVERAGE, all_drawn=False).iloc[0]
    assert row[["tp", "fn", "not_judged", "recall"]].tolist() == [1, 2, 3, 1 / 3]
    assert row[["fp", "precision", "f1", "pq", "rq"]].isna().all()
    at_half = threshold_table(TABLE, thresholds=[0.5], all_drawn=False).iloc[0]
    assert np.isnan(at_half["fp"])
    assert list(row.index).index("not_judged") + 1 == list(row.index).index("tp")
