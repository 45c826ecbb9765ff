from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import shapely
from sample import read_parameters, simulate_plot
from support.crowns import blob
from support.errors import raises
from support.literal import score

from randcrowns.core.crowns import Crowns
from randcrowns.core.errors import Cancelled
from randcrowns.core.scoring.layer import SCORES
from randcrowns.core.scoring.parameters import PRESETS, RandCrownsParameters
from randcrowns.core.statistics import mean_interval
from randcrowns.core.tuning.variance import annotator_variance

BOXES = PRESETS["image_boxes"]


def drawings(kind, n_annotators=3, n_crowns=6, seed=0):
    """Return crowns in a row; each annotator draws them slightly differently, in another order."""
    rng = np.random.default_rng(seed)
    layers = []
    for name in "abcde"[:n_annotators]:
        crowns = []
        for i in range(n_crowns):
            x, y = 500_000 + 12 * i + rng.normal(0, 0.4), 3_000_000 + rng.normal(0, 0.4)
            polygon = blob(rng, x, y, 3 + 0.3 * rng.standard_normal())
            crowns.append(shapely.box(*polygon.bounds) if kind == "boxes" else polygon)
        order = rng.permutation(n_crowns)
        layers.append(Crowns(np.array(crowns, dtype=object)[order], ids=order + 100, name=name))
    return layers


@pytest.mark.parametrize("kind", ["boxes", "polygons"])
def test_equation_15_against_loops(kind):
    layers = drawings(kind)
    found = annotator_variance(layers, BOXES)
    by_id = [dict(zip(layer.ids, layer.geometry)) for layer in layers]
    slow = []
    for target in range(3):
        for crown in by_id[0]:
            values = [
                score(
                    by_id[target][crown], by_id[other][crown], BOXES.alpha, BOXES.omega, BOXES.gamma
                )
                for other in range(3)
                if other != target
            ]
            slow.append([np.var([v[i] for v in values], ddof=1) for i in range(3)])
    slow = np.array(slow).reshape(3, 6, 3)
    columns = [f"{name}_variance" for name in SCORES]
    each = found.summary.set_index("target_annotator")[columns]
    assert each.loc[["a", "b", "c"]].to_numpy() == pytest.approx(slow.mean(axis=1), abs=1e-7)
    assert each.loc["all"].to_numpy(dtype=float) == pytest.approx(slow.mean(axis=(0, 1)), abs=1e-7)
    assert len(found.experiment.excluded) == 0
    assert (found.summary["reason"] == "").all()


def test_tables_are_consistent():
    found = annotator_variance(drawings("boxes"), BOXES)
    assert len(found.scores) == 3 * 6 * 2
    assert len(found.crowns) == 18
    assert (found.scores["target_id"] == found.scores["delineation_id"]).all()
    assert (found.scores["target_annotator"] != found.scores["delineation_annotator"]).all()
    again = found.scores.groupby(["crown", "target_annotator"], sort=False)["iou"].var()
    crowns = found.crowns.set_index(["crown", "target_annotator"])["iou_variance"]
    pd.testing.assert_series_equal(again.sort_index(), crowns.sort_index(), check_names=False)
    assert (found.scores.groupby(["target_annotator", "delineation_annotator"]).size() == 6).all()


def test_intervals_contain_the_variance_and_are_reproducible():
    layers = drawings("boxes", n_crowns=40)
    summary = annotator_variance(layers, BOXES).summary
    pd.testing.assert_frame_equal(summary, annotator_variance(layers, BOXES).summary)
    for name in SCORES:
        column = summary[f"{name}_variance"]
        assert (summary[f"{name}_variance_low"] < column).all()
        assert (column < summary[f"{name}_variance_high"]).all()
    values = (
        annotator_variance(layers, BOXES).crowns.groupby("crown")["iou_variance"].mean().to_numpy()
    )
    interval = summary.iloc[-1][["iou_variance_low", "iou_variance_high"]].to_numpy(dtype=float)
    assert interval == pytest.approx(mean_interval(values), rel=1e-9)
    rng = np.random.default_rng(5)
    means = [rng.choice(values, len(values)).mean() for _ in range(4000)]
    assert interval == pytest.approx(np.quantile(means, [0.025, 0.975]), rel=0.12)


def test_intervals_are_over_plots_where_there_are_several():
    """Annotators agree less from plot to plot; a layer without plots makes no difference."""
    layers = drawings("boxes", n_crowns=60)
    plot_of = [(layer.ids - 100) // 5 for layer in layers]
    moved = [
        shapely.box(*(shapely.bounds(layer.geometry) + 0.1 * number * plot[:, None]).T)
        for number, (layer, plot) in enumerate(zip(layers, plot_of))
    ]
    named = [
        Crowns(one, layer.ids, plot.astype(str).astype(object), layer.name)
        for one, layer, plot in zip(moved, layers, plot_of)
    ]
    named[0] = Crowns(moved[0], layers[0].ids, None, layers[0].name)
    alone = [Crowns(one.geometry, one.ids, None, one.name) for one in named]
    by_plot, by_crown = (annotator_variance(some, BOXES) for some in (named, alone))
    assert by_plot.summary["resampled"].unique().tolist() == ["plots"]
    assert by_crown.summary["resampled"].unique().tolist() == ["crowns"]
    values = by_plot.crowns.groupby("crown")["iou_variance"].mean().to_numpy()
    ends = ["iou_variance_low", "iou_variance_high"]
    for found, codes in ((by_plot, plot_of[0]), (by_crown, None)):
        assert found.overall[ends].tolist() == pytest.approx(mean_interval(values, codes), rel=1e-9)
    assert np.ptp(by_plot.overall[ends]) > 1.5 * np.ptp(by_crown.overall[ends])
    image = shapely.box(*shapely.total_bounds(moved[0][plot_of[0] > 3]))
    within = annotator_variance(named, BOXES, image)
    assert len(within.experiment.plots) == within.experiment.n_crowns < 60


@pytest.mark.parametrize("field", [False, True])
def test_intervals_depend_neither_on_the_order_of_layers_nor_of_crowns(field):
    layers = drawings("boxes", n_crowns=20)

    def summary(some):
        found = (
            annotator_variance(some[1:], BOXES, targets=some[0])
            if field
            else annotator_variance(some, BOXES)
        )
        return found.summary.set_index("target_annotator").sort_index()

    rng = np.random.default_rng(1)
    for _ in range(3):
        turned = []
        for i in [0, *rng.permutation([1, 2])] if field else rng.permutation(3):
            order = rng.permutation(20)
            bounds = shapely.bounds(layers[i].geometry[order]) + rng.normal(0, 1e-8, (20, 4))
            turned.append(Crowns(shapely.box(*bounds.T), layers[i].ids[order], name=layers[i].name))
        pd.testing.assert_frame_equal(summary(turned), summary(layers), rtol=1e-6, atol=1e-9)


def test_interval_covers_95_percent_of_a_normal_distribution():
    """The mean variance of many crowns is nearly normal, so 95 % are 1.96 standard errors."""
    found = annotator_variance(drawings("boxes", n_crowns=400), BOXES)
    each = found.crowns.groupby("crown")["iou_variance"].mean()
    width = np.ptp(
        found.summary.iloc[-1][["iou_variance_low", "iou_variance_high"]].to_numpy(dtype=float)
    )
    assert width == pytest.approx(2 * 1.966 * each.std() / np.sqrt(400), rel=0.01)


def test_missed_counts_missed_pairs_not_low_scores():
    """A drawing that meets the others only outside their true positive region is missed.

    A large drawing that scores low is not missed.
    """
    layers = drawings("boxes")
    corners = (
        [(0, 0, 4, 4), (0.1, 0.1, 4.1, 4), (3, 3, 7, 7)],
        [(50, 0, 54, 4), (50, 0, 54, 4), (47, -3, 57, 7)],
    )
    odd = [
        shapely.box(*(np.array(c) + np.tile([500_100, 3_000_000], 2)))
        for both in zip(*corners)
        for c in both
    ]
    with_odd = [
        Crowns(
            np.append(c.geometry, odd[2 * i : 2 * i + 2]), np.append(c.ids, [998, 999]), name=c.name
        )
        for i, c in enumerate(layers)
    ]
    found = annotator_variance(with_odd, RandCrownsParameters(1.0, 0.5, 3), min_iou=0.02)
    low = found.scores[found.scores["randcrowns"] <= 0.5]
    assert (low["status"] == "missed").sum() == 4
    assert (low["status"] == "scored").sum() > 0
    assert found.summary["missed"].tolist() == [1, 1, 2, 4]


def test_one_crown_has_a_variance_but_no_interval():
    row = annotator_variance(drawings("boxes", n_crowns=1), BOXES).summary.iloc[-1]
    assert row["iou_variance"] > 0
    assert np.isnan(row["iou_variance_low"])
    assert row["reason"] == ""


def test_same_drawings_have_no_variance():
    layer = drawings("boxes")[0]
    row = annotator_variance([layer, layer, layer], BOXES).summary.iloc[-1]
    assert row[["randcrowns_mean", "iou_mean", "iou_crowns_mean"]].tolist() == [1, 1, 1]
    assert row[["randcrowns_variance", "iou_variance", "iou_crowns_variance"]].tolist() == [0, 0, 0]


def test_two_annotators_have_scores_but_no_variance():
    found = annotator_variance(drawings("boxes")[:2], BOXES)
    assert found.scores["randcrowns"].notna().all()
    assert found.summary["randcrowns_variance"].isna().all()
    assert found.summary["randcrowns_mean"].notna().all()
    assert found.summary["reason"].str.contains("three annotators").all()


def test_too_small_targets_are_excluded_and_counted():
    layers = drawings("boxes", n_crowns=12)
    small = shapely.box(500_100, 3_000_000, 500_101, 3_000_001)
    with_small = [
        Crowns(np.append(c.geometry, small), np.append(c.ids, 999), name=c.name) for c in layers
    ]
    whole, found = annotator_variance(layers, BOXES), annotator_variance(with_small, BOXES)
    assert found.summary["too_small"].tolist() == [1, 1, 1, 3]
    assert found.summary["crowns"].tolist() == [13, 13, 13, 39]
    columns = [f"{name}_variance{end}" for name in SCORES for end in ("", "_low", "_high")]
    assert whole.summary[columns].notna().all(axis=None)
    assert found.summary[columns].to_numpy() == pytest.approx(
        whole.summary[columns].to_numpy(), rel=1e-6
    )


def test_reason_if_all_targets_are_too_small():
    found = annotator_variance(drawings("boxes"), RandCrownsParameters(9, 1, 3))
    assert found.summary["randcrowns_variance"].isna().all()
    assert found.summary["reason"].str.contains("smaller alpha").all()
    assert found.summary["too_small"].tolist() == [6, 6, 6, 18]


def test_field_polygons_are_the_only_targets():
    field, *image = drawings("polygons", n_annotators=3)
    found = annotator_variance(image, PRESETS["field_polygons"], targets=field)
    assert found.summary["target_annotator"].tolist() == ["a", "all"]
    assert set(found.scores["delineation_annotator"]) == {"b", "c"}
    same = found.summary.drop(columns="target_annotator")
    pd.testing.assert_series_equal(same.loc[0], same.loc[1], check_names=False)


def test_field_experiment_with_one_annotator_has_no_variance():
    field, image = drawings("polygons", n_annotators=2)
    row = annotator_variance([image], PRESETS["field_polygons"], targets=field).summary.iloc[-1]
    assert np.isnan(row["iou_variance"])
    assert "two and a layer of targets" in row["reason"]


def test_paper_pattern_on_the_sample_plot():
    """Table II: RandCrowns varies less between annotators than IoU, IoUCrowns varies more."""
    plot = simulate_plot(parameters=read_parameters({"pixel": 4.0}))  # the image is not used
    layers = [
        Crowns(d.geometry, name=n) for n, d in plot.drawings.items() if n.startswith("annotator")
    ]
    assert len(layers) == 4
    row = annotator_variance(layers, BOXES).summary.iloc[-1]
    assert row["randcrowns_variance"] < row["iou_variance"] / 3 < row["iou_crowns_variance"]
    assert row["iou_variance"] < row["iou_crowns_variance"]


def test_extent_changes_the_scores():
    layers = drawings("boxes")
    tight = shapely.box(*shapely.total_bounds(np.concatenate([c.geometry for c in layers])))
    free, cut = annotator_variance(layers, BOXES), annotator_variance(layers, BOXES, extent=tight)
    assert (
        set(cut.scores["status"]) == {"extent_limited"}
        or (cut.scores["randcrowns"] != free.scores["randcrowns"]).any()
    )


@pytest.mark.parametrize("kind", ["boxes", "polygons"])
def test_drawings_are_clipped_to_the_image(kind):
    """The regions of whole targets and the drawings are clipped to the image, as in page Score."""
    layers = drawings(kind)
    image = shapely.box(499_999, 2_999_998.5, 500_061, 3_000_001)
    found = annotator_variance(layers, BOXES, image)
    by_id = {layer.name: dict(zip(layer.ids, layer.geometry)) for layer in layers}
    for row in found.scores.itertuples():
        target = by_id[row.target_annotator][row.target_id]
        seen = by_id[row.delineation_annotator][row.delineation_id].intersection(image)
        expected = score(target, seen, BOXES.alpha, BOXES.omega, BOXES.gamma, image)
        assert [row.randcrowns, row.iou, row.iou_crowns] == pytest.approx(
            list(expected[:3]), abs=1e-7
        )
    assert len(found.scores) == 36


def test_a_drawing_outside_the_image_is_missed():
    """One annotator drew a target that is half in the image completely outside of it."""
    field = Crowns(shapely.box([0, 20], 0, [4, 24], 4), name="field")
    layers = [Crowns(shapely.box([x, 20], 0, [4, 24], 4), name=f"a{x}") for x in (0, 1, 2)]
    found = annotator_variance(
        layers, RandCrownsParameters(0.5, 0.5, 2), (-9, -9, 2, 9), targets=field
    )
    scores = found.scores.set_index("delineation_annotator")[list(SCORES)]
    assert scores.loc["a2"].tolist() == [0, 0, 0]
    assert scores.loc["a0"].tolist() == [1, 1, 1]
    assert found.summary["missed"].tolist() == [1, 1]
    assert len(found.experiment.excluded) == 1


def test_reason_if_only_the_edge_of_targets_is_in_the_image():
    """If the image shows only the edge of a target, it has no true positive region."""
    layers = drawings("boxes", n_crowns=1)
    xmin, ymin, _, ymax = shapely.total_bounds(np.concatenate([c.geometry for c in layers]))
    found = annotator_variance(
        layers, RandCrownsParameters(1.5, 1.2, 3), (xmin - 9, ymin, xmin + 1.4, ymax)
    )
    assert (
        found.summary["reason"].str.contains(
            "its edge lies within the image extent; choose a smaller"
        )
    ).all()
    assert found.summary["too_small"].tolist() == [1, 1, 1, 3]


def test_crowns_outside_the_image_are_excluded():
    layers = drawings("boxes", n_crowns=8)
    west, south, _, north = shapely.total_bounds(np.concatenate([c.geometry for c in layers]))
    image = (west - 3, south - 3, 500_000 + 12 * 5 + 6, north + 3)
    found = annotator_variance(layers, BOXES, image)
    assert found.summary["crowns"].tolist() == [6, 6, 6, 18]
    assert found.summary["too_small"].tolist() == [0, 0, 0, 0]
    unseen = found.experiment.excluded
    assert sorted(zip(unseen["annotator"], unseen["crown_id"])) == [
        (n, i) for n in "abc" for i in (106, 107)
    ]
    assert set(unseen["reason"]) == {"outside the image extent"}
    assert found.experiment.n_excluded_outside == len(unseen)
    few = [c.subset(c.ids < 106) for c in layers]
    pd.testing.assert_frame_equal(found.summary, annotator_variance(few, BOXES, image).summary)


def test_overall_row_if_an_annotator_is_called_all():
    plain, named = drawings("boxes"), drawings("boxes")
    named[1] = Crowns(named[1].geometry, named[1].ids, name="all", crs=named[1].crs)
    expected, found = annotator_variance(plain, BOXES), annotator_variance(named, BOXES)
    assert expected.overall["target_annotator"] == "all"
    assert found.overall["randcrowns_variance"] == expected.overall["randcrowns_variance"]
    assert found.overall["crowns"] == expected.summary["crowns"].max()


def test_cancel_stops():
    def cancel(fraction):
        raise Cancelled

    with pytest.raises(Cancelled):
        annotator_variance(drawings("boxes"), BOXES, progress=cancel)


def test_progress_grows_to_one():
    seen = []
    annotator_variance(drawings("polygons"), BOXES, progress=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == 1.0


def test_not_polygons_are_refused():
    with raises("crowns.not_polygon"):
        annotator_variance(
            [np.array([shapely.Point(0, 0)]), np.array([shapely.box(0, 0, 1, 1)])], BOXES
        )


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"annotators": None}, raises("argument.wrong_type", expected="a list", value="None")),
        ({"parameters": None}, raises("argument.wrong_type", expected="RandCrownsParameters")),
        (
            {"parameters": (0.3, 0.5, 2)},
            raises("argument.wrong_type", expected="RandCrownsParameters"),
        ),
        ({"extent": "abc"}, raises("extent.invalid")),
        ({"min_iou": None}, raises("argument.wrong_type", expected="a number")),
        ({"min_iou": "a"}, raises("argument.wrong_type", expected="a number")),
        ({"min_iou": 1.5}, raises("tuning.invalid_minimum_iou")),
    ],
)
def test_invalid_types_raise(given, expected):
    with expected:
        annotator_variance(**{"annotators": drawings("boxes"), "parameters": BOXES, **given})
