"""Tests of the plots of result tables."""

from __future__ import annotations

import io

import numpy as np
import pandas as pd
import pytest

from randcrowns.layers.styles.figures import new_figure
from randcrowns.report.result_figures import (
    P_BAR_CURVE,
    PRECISION_CURVE,
    ROC_CURVE,
    draw_agreement_ratio,
    draw_curves,
    draw_dendrogram,
    draw_pairwise_f1,
    draw_partitions,
    draw_prior_effect,
)


@pytest.mark.parametrize(
    ("kind", "x", "y"),
    [
        (P_BAR_CURVE, "recall", "P̄"),
        (PRECISION_CURVE, "recall", "precision"),
        (ROC_CURVE, "false positive rate", "recall"),
    ],
)
def test_a_curve_per_detector_under_one_ground_truth(kind: str, x: str, y: str) -> None:
    axes = new_figure(4, 3).add_subplot()
    rows = [
        {
            "detector": name,
            "truth": truth,
            "recall": at,
            "p_bar": high - (truth == "bob") / 8,
            "precision": high / 2,
            "false_positive_rate": at / 4,
        }
        for name, high in (("one", 0.5), ("two", 0.25))
        for truth in ("ann", "bob")
        for at in (0.0, 1.0)
    ]
    draw_curves(axes, pd.DataFrame(rows), ["one", "two"], kind, "ann")
    assert (axes.get_title(), axes.get_xlabel(), axes.get_ylabel()) == ("ann", x, y)
    assert (axes.get_xlim(), axes.get_ylim()) == ((-0.02, 1.02), (-0.02, 1.02))
    lines = {
        line.get_label(): line.get_xydata().tolist()
        for line in axes.get_lines()
        if line.get_label()[0] != "_"
    }
    expected = {
        P_BAR_CURVE: {"one": [[0, 0.5], [1, 0.5]], "two": [[0, 0.25], [1, 0.25]]},
        PRECISION_CURVE: {"one": [[0, 0.25], [1, 0.25]], "two": [[0, 0.125], [1, 0.125]]},
        ROC_CURVE: {"one": [[0, 0], [0.25, 1]], "two": [[0, 0], [0.25, 1]]},
    }
    assert lines == expected[kind]
    axes = new_figure(4, 3).add_subplot()
    draw_curves(axes, pd.DataFrame(rows), ["one", "two"], kind, "")
    assert len(axes.get_lines()) == 2 + (kind == ROC_CURVE)
    assert len(axes.collections) == 2


def test_curves_of_crowns_under_all_ground_truths_are_a_band_with_its_median() -> None:
    """Their precision is the best at a recall or above, and 0 beyond the end of a curve."""
    points = {
        "ann": [(0.25, 0.5), (0.5, 0.75)],
        "bob": [(0.5, 0.5), (0.75, 0.25)],
        "cat": [(0.5, 1.0), (1.0, 0.5)],
    }
    rows = [
        {"detector": "one", "truth": truth, "recall": recall, "precision": precision}
        for truth, curve in points.items()
        for recall, precision in curve
    ]
    curves = pd.DataFrame(rows).assign(threshold=0.5)
    axes = new_figure(4, 3).add_subplot()
    draw_curves(axes, curves, ["one"], PRECISION_CURVE, "")
    (median,) = axes.get_lines()
    # The median ends at the recall that half of the curves reach.
    expected = [[0, 0.75], [0.25, 0.75], [0.25, 0.75], [0.5, 0.75], [0.5, 0.25], [0.75, 0.25]]
    assert median.get_xydata()[:6].tolist() == expected
    assert np.isnan(median.get_xydata()[6:, 1]).all()
    (band,) = axes.collections
    corners = band.get_paths()[0].vertices
    assert corners[:, 1].min() == 0
    assert corners[corners[:, 0] == 1.0][:, 1].tolist().count(0.5) >= 1
    assert corners[corners[:, 0] == 0.25][:, 1].max() == 1.0


def test_the_agreement_ratio_has_a_point_per_number_of_annotators() -> None:
    axes = new_figure(4, 3).add_subplot()
    draw_agreement_ratio(axes, pd.DataFrame({"annotators": [1, 2, 3], "ratio": [1.0, 0.5, 0.25]}))
    assert axes.get_title() == "agreement ratio (Eq. 3)"
    assert axes.get_lines()[0].get_xydata().tolist() == [[1, 100], [2, 50], [3, 25]]
    assert [text.get_text() for text in axes.texts] == []
    nothing = new_figure(4, 3).add_subplot()
    draw_agreement_ratio(nothing, pd.DataFrame({"annotators": [1, 2], "ratio": [np.nan, np.nan]}))
    assert [text.get_text() for text in nothing.texts] == ["nobody marked anything"]


def test_the_effect_of_the_prior_beside_what_anybody_marked() -> None:
    priors = pd.DataFrame({"prior": [0.01, 0.5, 0.99], "marked": [1.0, 2.0, 40.0]})
    axes = new_figure(4, 3).add_subplot()
    draw_prior_effect(axes, priors, 0.3, 20.0, "m")
    assert (axes.get_title(), axes.get_ylabel()) == ("effect of STAPLE's prior", "marked (m²)")
    assert axes.get_ylim() == (0, pytest.approx(23.0))
    assert {text.get_text().strip() for text in axes.texts} == {"marked by anybody", "prior used"}
    curve, anybody, used = axes.get_lines()
    assert curve.get_ydata().tolist() == [1.0, 2.0, 40.0]
    assert set(anybody.get_ydata()) == {20.0}
    assert set(used.get_xdata()) == {0.3}
    assert axes.texts[0].get_color() == anybody.get_color()
    alone = new_figure(4, 3).add_subplot()
    draw_prior_effect(alone, priors, np.nan, np.nan, "px")
    assert (len(alone.get_lines()), len(alone.texts), alone.get_ylabel()) == (1, 0, "marked (px²)")
    for beyond in (0.0, 1.0):  # which such an axis does not have
        other = new_figure(4, 3).add_subplot()
        draw_prior_effect(other, priors, beyond, np.nan, "px")
        assert len(other.get_lines()) == 1


def test_f1_is_dark_at_0_and_bright_at_1_whatever_there_is() -> None:
    axes = new_figure(3, 3).add_subplot()
    draw_pairwise_f1(axes, np.array([[1.0, 0.4], [0.4, 1.0]]), ["ann", "bob"])
    assert axes.images[0].get_clim() == (0, 1)


def test_f1_is_written_with_two_decimals_like_in_the_tables() -> None:
    axes = new_figure(3, 3).add_subplot()
    draw_pairwise_f1(axes, np.array([[1.0, 0.4], [0.4, 1.0]]), ["ann", "bob"])
    assert [text.get_text() for text in axes.texts] == ["1.00", "0.40", "0.40", "1.00"]


def test_leaves_of_the_dendrogram_stand_where_the_brackets_begin() -> None:
    names, colours = ["ann", "bob", "cid"], {"ann": "#ff0000", "bob": "#00ff00", "cid": "#0000ff"}
    links = pd.DataFrame(
        [(0, 2, 0.0, 0.0, 5.0, 15.0, 0.25), (1, 3, 0.0, 0.25, 25.0, 10.0, 0.5)],
        columns=[
            "first",
            "second",
            "first_height",
            "second_height",
            "first_position",
            "second_position",
            "distance",
        ],
    )
    axes = new_figure(4, 3).add_subplot()
    draw_dendrogram(axes, links, names, colours, np.array([False, True, False]))
    assert [line.get_xydata().tolist() for line in axes.get_lines()] == [
        [[0, 5], [0.25, 5], [0.25, 15], [0, 15]],
        [[0, 25], [0.5, 25], [0.5, 10], [0.25, 10]],
    ]
    assert axes.get_yticks().tolist() == [5, 25, 15]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["ann", "bob *", "cid"]
    (leaves,) = axes.collections
    assert leaves.get_offsets().tolist() == [[0, 5], [0, 25], [0, 15]]
    assert leaves.get_facecolor()[:, :3].tolist() == np.eye(3).tolist()
    assert axes.get_title() == "clusters of annotators\n* unlike the others"
    figure = axes.figure
    figure.set_size_inches(3.4, 3)  # as in a dock of 360 pixels
    figure.draw_without_rendering()
    title = axes.title.get_window_extent()
    assert figure.bbox.x0 <= title.x0
    assert title.x1 <= figure.bbox.x1


@pytest.mark.parametrize(("count", "readable"), [(20, True), (200, False)])
def test_names_of_leaves_stand_where_there_is_room_for_them(count: int, readable: bool) -> None:
    names = [f"person {number}" for number in range(count)]
    columns = [
        "first",
        "second",
        "first_height",
        "second_height",
        "first_position",
        "second_position",
        "distance",
    ]
    links = pd.DataFrame([(0, 1, 0.0, 0.0, 5.0, 15.0, 0.25)], columns=columns)
    axes = new_figure(4, 3).add_subplot()
    nobody = np.zeros(count, dtype=bool)
    draw_dendrogram(axes, links, names, dict.fromkeys(names, "#ff0000"), nobody)
    assert any(label.get_text() for label in axes.get_yticklabels()) == readable


def test_without_annotators_unlike_the_others_there_are_no_stars() -> None:
    links = pd.DataFrame(
        {
            "first": [0, 3],
            "second": [2, 1],
            "first_height": [0.0, 0.25],
            "second_height": [0.0, 0.0],
            "first_position": [5.0, 10.0],
            "second_position": [15.0, 25.0],
            "distance": [0.25, 0.5],
        }
    )
    names = ["ann", "bob", "cid"]
    axes = new_figure(4, 3).add_subplot()
    draw_dendrogram(axes, links, names, dict.fromkeys(names, "#ff0000"), np.zeros(3, bool))
    assert [label.get_text() for label in axes.get_yticklabels()] == ["ann", "bob", "cid"]
    assert axes.get_title() == "clusters of annotators"


def test_means_of_partitions_stand_at_the_middle_of_each() -> None:
    columns = ["axis", "begin", "end", "mean_iou", "mean_precision", "mean_recall"]
    rows = [
        ("xy", 0.0, 0.5, 0.9, 0.95, 0.8),
        ("xy", 0.5, 1.0, 0.7, np.nan, 0.6),
        ("z", 0.0, 1.0, 0.1, 0.2, 0.3),
    ]
    axes = new_figure(4, 3).add_subplot()
    labels = {"mean_iou": "IoU", "mean_precision": "precision", "mean_recall": "recall"}
    draw_partitions(axes, pd.DataFrame(rows, columns=columns), "xy", labels)
    drawn = {line.get_label(): np.asarray(line.get_xydata()) for line in axes.get_lines()}
    expected = {"IoU": [0.9, 0.7], "precision": [0.95, np.nan], "recall": [0.8, 0.6]}
    assert drawn.keys() == expected.keys()
    for label, values in expected.items():
        np.testing.assert_array_equal(drawn[label], np.stack([[0.25, 0.75], values], axis=1))
    assert axes.get_xlabel() == "share of the tree's radius"


@pytest.mark.parametrize("prior", [1 - 1e-16, 1.0])
def test_a_prior_beyond_the_axis_leaves_the_diagram_its_room(prior: float) -> None:
    priors = pd.DataFrame({"prior": [0.01, 0.5, 0.99, prior], "marked": [1.0, 2.0, 3.0, 4e5]})
    figure = new_figure(4.8, 3.6)
    axes = figure.subplots()
    draw_prior_effect(axes, priors, prior, np.nan, "m")
    figure.savefig(io.BytesIO())
    title = axes.yaxis.label.get_window_extent()
    assert title.x0 >= 0
    assert axes.get_position().y1 > 0.9
    assert not axes.texts
