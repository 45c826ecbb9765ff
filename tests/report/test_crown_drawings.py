"""Drawings of crowns and the map of reports without QGIS, read from their SVG."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
import shapely

from randcrowns.core.scoring.layer import SCORES
from randcrowns.report.colours import (
    DELINEATION_COLOUR,
    SCORE_COLOURS,
    TARGET_COLOUR,
    VARIANCE_COLOURS,
)
from randcrowns.report.crown_drawings import (
    DrawnCrown,
    draw_crowns,
    draw_map,
    map_legend,
    mark_crowns,
    match_lines,
    score_colours,
    score_lines,
    variance_colours,
)
from randcrowns.report.crown_sheets import (
    annotator_lines,
    instance_score_labels,
    instance_sheets,
    line_legend,
    score_sheets,
    undetected_cause,
)

SVG = "{http://www.w3.org/2000/svg}"
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")

#: Colours of targets by their RandCrowns.
BY_SCORE = score_colours("RandCrowns")


def lines_of(picture):
    """Stroke colour, fill, and rings of vertices (n, 2) of each path of a drawing."""
    lines = []
    for path in ElementTree.fromstring(picture.data).iter(f"{SVG}path"):
        rings = []
        for ring in re.findall(r"M([^MH]+)", path.get("d")):
            numbers = np.array(NUMBER.findall(ring), dtype=float).reshape(-1, 2)
            rings.append(np.cumsum(numbers, axis=0))  # the steps are relative
        lines.append((path.get("stroke"), path.get("fill"), rings))
    return lines


def bar_of(picture):
    """Length of the scale bar of a drawing, and its label."""
    root = ElementTree.fromstring(picture.data)
    (bar,) = (path.get("d") for path in root.iter(f"{SVG}path") if "H" in path.get("d"))
    left, right = re.fullmatch(r"M(\d+) \d+H(\d+)", bar).groups()
    return int(right) - int(left), root.find(f"{SVG}text").text


def test_a_crown_and_its_match_have_the_scale_of_the_bar():
    crown = DrawnCrown(shapely.box(0, 0, 8, 6), [shapely.box(2, 1, 10, 7)], [], "Target 3")
    (picture,) = draw_crowns([crown], "m")
    assert picture.mime_type == "image/svg+xml"
    assert picture.description == "Target 3"
    (target_colour, _, (target,)), (match_colour, _, (match,)), _ = lines_of(picture)
    assert (target_colour, match_colour) == (TARGET_COLOUR, DELINEATION_COLOUR)
    # 13 m are visible (10 m and 15 % on each side), of which a quarter is 3.25 m.
    bar, label = bar_of(picture)
    assert label == "2 m"
    assert np.ptp(target, axis=0) * 2 / bar == pytest.approx([8, 6], rel=0.02)
    # y is downwards.
    shift = (match.min(axis=0) - target.min(axis=0)) * 2 / bar
    assert shift == pytest.approx([2, -1], rel=0.03)


def test_crowns_of_similar_size_share_their_scale():
    crowns = [DrawnCrown(shapely.box(0, 0, side, side), [], [], "") for side in (4.0, 5.0, 60.0)]
    small, large, largest = (
        np.ptp(lines_of(picture)[0][2][0][:, 0]) for picture in draw_crowns(crowns, "m")
    )
    assert small / large == pytest.approx(4 / 5, rel=0.01)
    assert largest == pytest.approx(large, rel=0.01)  # fills its picture


def test_other_delineations_are_visible_where_they_are_in_the_frame():
    near = shapely.box(-20, -20, 6, 6)
    target = shapely.box(0, 0, 4, 4)
    matched, unmatched = draw_crowns(
        [DrawnCrown(target, [target], [near], ""), DrawnCrown(target, [], [near], "")], "m"
    )
    # Without a delineation of its own, the outlines that overlap it are shown as a whole.
    side = 160 * 4
    for picture, is_whole in ((matched, False), (unmatched, True)):
        (_, _, (other,)), *_ = lines_of(picture)
        assert bool((other >= 0).all() and (other <= side).all()) == is_whole


def test_the_map_fills_targets_by_their_scores_and_holes_stay_open():
    hole = shapely.box(0, 0, 9, 9).difference(shapely.box(3, 3, 6, 6))
    targets = np.array([hole, shapely.box(20, 0, 25, 5), None, shapely.box(0, 20, 5, 25)], object)
    scores = np.array([0.1, 0.95, 0.5, np.nan])
    picture = draw_map(targets, scores, np.array([shapely.box(1, 1, 8, 8)], object), BY_SCORE, "m")
    fills = [fill for _, fill, _ in lines_of(picture)]
    assert {SCORE_COLOURS[0], SCORE_COLOURS[4]} <= set(fills)
    assert SCORE_COLOURS[2] not in fills  # the target without an outline
    (rings,) = (rings for _, fill, rings in lines_of(picture) if fill == SCORE_COLOURS[0])
    outer, inner = (shapely.LinearRing(ring) for ring in rings)
    assert outer.is_ccw != inner.is_ccw
    labels = [entry.label for entry in map_legend(BY_SCORE, "drawn", has_missing=True)]
    assert labels[:2] == ["Targets by RandCrowns", "0.00 to 0.25"]
    assert labels[-2:] == ["no score", "drawn"]


@pytest.mark.parametrize(
    ("lines", "status_of_target", "status_of_other", "colours"),
    [
        (score_lines(), "unmatched", "unmatched", ("#d01c8b", "#f0e442")),
        (score_lines(), "missed", "not_judged", ("#d01c8b", "#808080")),
        (match_lines(), "false_negative", "false_positive", ("#d55e00", "#cc79a7")),
    ],
)
def test_the_map_has_a_line_and_a_symbol_for_each_status_that_occurs(
    lines, status_of_target, status_of_other, colours
):
    """The colours are those of the layer styles of QGIS, ``resources/*.qml``."""
    targets = np.array([shapely.box(9 * n, 0, 9 * n + 5, 5) for n in range(3)], object)
    others = np.array([shapely.box(9 * n + 1, 1, 9 * n + 6, 6) for n in range(3)], object)
    marked = [
        *mark_crowns(targets, ["scored", status_of_target, None], lines.targets),
        *mark_crowns(others, ["matched", "matched", status_of_other], lines.others),
    ]
    assert [len(crowns.shapes) for crowns in marked] == [1, 1]
    picture = draw_map(targets, np.ones(3), others[:2], BY_SCORE, "m", marked)
    strokes = [stroke for stroke, _, _ in lines_of(picture)]
    # They lie above all other outlines.
    assert [stroke for stroke in strokes if stroke in colours] == [*colours]
    assert strokes.index(colours[0]) > strokes.index("#000000")
    status_lines = [crowns.line for crowns in marked]
    entries = map_legend(BY_SCORE, "drawn", has_missing=False, lines=status_lines)
    assert [entry.label for entry in entries[-3:]] == [
        "drawn",
        *(line.label for line in status_lines),
    ]
    for entry, line in zip(entries[-2:], status_lines):
        symbol = entry.swatch.data.decode()
        assert line.colour in symbol
        assert ("stroke-dasharray" in symbol) == bool(line.dashes)
    assert status_lines[0].label.startswith("not detected")


def test_the_map_of_variances_has_the_classes_of_the_layer_style():
    """A value at a limit is in the class above it, as ``<`` in the style requires."""
    targets = np.array([shapely.box(9 * n, 0, 9 * n + 5, 5) for n in range(5)], object)
    variances = np.array([0.00009, 0.0001, 0.002, 0.02, np.nan])
    picture = draw_map(targets, variances, targets[:0], variance_colours(), "m")
    drawing = picture.data.decode()
    # Targets of several annotators lie on one another, so that fills would hide them.
    assert set(re.findall(r'<path[^>]* fill="([^"]*)"', drawing)) == {"none"}
    for colour in [*VARIANCE_COLOURS, "#bdbdbd"]:
        assert drawing.count(f'stroke="{colour}"') == 1
    labels = [entry.label for entry in map_legend(variance_colours(), "", has_missing=True)]
    assert labels == [
        "Targets with variance",
        "variance under 0.0001",
        "variance 0.0001 to 0.001",
        "variance 0.001 to 0.01",
        "variance 0.01 and more",
        "no variance",
    ]


@pytest.mark.parametrize(
    ("colours", "numbers", "order"),
    [
        (score_colours("IoU"), [0.1, 0.95, np.nan, 0.3], ["#bdbdbd", 4, 1, 0]),
        (variance_colours(), [0.02, 0.0, np.nan, 0.005], ["#bdbdbd", 0, 2, 3]),
    ],
)
def test_the_worst_of_overlapping_targets_lies_on_top_in_a_colour_of_the_legend(
    colours, numbers, order
):
    """Low scores and high variances are the worst; later paths of an SVG lie above earlier ones."""
    targets = np.array([shapely.box(n, 0, n + 5, 5) for n in range(4)], object)
    picture = draw_map(targets, np.array(numbers), targets[:0], colours, "m")
    expected = [one if isinstance(one, str) else colours.classes.colours[one] for one in order]
    # Targets with a colour of the outline have no fill.
    shown = [fill if colours.is_filled else stroke for stroke, fill, _ in lines_of(picture)]
    assert [colour for colour in shown if colour in expected] == expected
    assert not re.search(rb"<path[^>]*opacity", picture.data)


def test_the_legend_names_the_layer_whose_scores_the_map_shows():
    colours = score_colours("RandCrowns", "boxes of 2024")
    entries = map_legend(colours, "boxes of 2024", has_missing=False)
    assert entries[0].label == "Targets by RandCrowns with boxes of 2024"


def test_delineations_of_twelve_annotators_have_a_colour_or_a_kind_of_line_each():
    box = shapely.box(0, 0, 4, 4)
    annotators = [f"annotator {letter}" for letter in "abcdefghijkl"]
    lines = annotator_lines(pd.DataFrame({"delineation_annotator": annotators}))
    crown = DrawnCrown(box, [box] * 12, [], "", list(lines.values()))
    (picture,) = draw_crowns([crown], "m")
    strokes = re.findall(r'stroke="(#[^"]*)" stroke-width="5.6"([^/]*)/', picture.data.decode())
    assert len(set(strokes)) == 12
    legend = line_legend(lines)
    assert len(set(legend)) == 12
    assert [name for _, name in legend][5:8] == [
        "annotator f",
        "annotator g (dashed)",
        "annotator h (dashed)",
    ]


def test_no_map_has_more_outlines_than_a_drawing_can_have():
    box = shapely.box(0, 0, 1, 1)
    few, many = (np.full(n, box, dtype=object) for n in (3, 30_001))
    assert draw_map(few, np.ones(3), few[:0], BY_SCORE, "m") is not None
    assert draw_map(many, np.ones(len(many)), few[:0], BY_SCORE, "m") is None
    nothing = np.array([None], dtype=object)
    assert draw_map(nothing, np.ones(1), nothing, BY_SCORE, "m") is None


def test_invisible_details_are_not_in_the_map():
    angles = np.linspace(0, 2 * np.pi, 5000)
    circle = shapely.Polygon(50 * np.stack([np.cos(angles), np.sin(angles)], axis=1))
    picture = draw_map(np.array([circle]), np.ones(1), np.array([], dtype=object), BY_SCORE, "m")
    assert len(picture.data) < 3000
    assert (picture.width, picture.height) == (680, 680)


def test_a_name_in_a_drawing_is_text():
    crown = DrawnCrown(shapely.box(0, 0, 4, 4), [], [], "")
    (picture,) = draw_crowns([crown], "<script>")
    assert bar_of(picture)[1].endswith("<script>")


def test_a_target_without_an_outline_is_on_no_sheet_of_the_worst():
    iou = [0.9, np.nan, np.nan, 0.4]
    targets = pd.DataFrame({"target_id": range(4), "iou": iou, "precision": 1.0, "recall": 1.0})
    areas = pd.Series([4.0, np.nan, 9.0, 1.0])
    worst, typical = instance_sheets(targets, areas, 2)
    assert worst.rows.tolist() == [2, 3]
    assert typical.rows.tolist() == [0]  # without those of the other sheet
    (all_targets,) = instance_sheets(targets, areas, 10)
    assert all_targets.rows.tolist() == [2, 3, 0]
    assert "Crown precision: shared part of the prediction." in worst.about
    assert "a prediction is the match of one target only" in worst.about
    assert "Points" not in worst.about


def test_pictures_of_a_cloud_say_that_their_scores_are_of_points():
    """Outlines that nearly coincide may have an IoU of points of 0.05."""
    targets = pd.DataFrame({"target_id": [1, 2], "iou": [0.05, 0.9], "precision": 1.0})
    of_points, typical = instance_sheets(
        targets.assign(recall=1.0), pd.Series([4.0, 4.0]), 1, are_points=True
    )
    assert "The scores count points" in of_points.about
    # The sentence stands once, before the explanations that every evaluation has.
    assert of_points.about.index("count points") < of_points.about.index("Crown precision")
    assert "points" not in typical.about
    assert "Crown precision" not in typical.about
    assert instance_score_labels(are_points=True)["iou"] == "IoU of points"
    assert instance_score_labels()["iou"] == "IoU"


def test_a_target_that_was_not_detected_has_a_cause():
    assert (
        undetected_cause(float("nan")) == undetected_cause(0.0) == "No prediction fits the target"
    )
    assert "with an IoU of 0.22, is not its match" in undetected_cause(0.221)


def test_crowns_with_a_score_of_one_are_none_of_the_worst():
    crowns = pd.DataFrame({"target_id": range(4), "score": [1.0, 0.3, 0.996, 0.994]})
    crowns = crowns.assign(**dict.fromkeys(SCORES, crowns["score"]))
    worst, _ = score_sheets(crowns, 4)
    assert worst.rows.tolist() == [1, 3]
    targets = crowns.rename(columns={"score": "precision"}).assign(recall=1.0)
    worst, _ = instance_sheets(targets.assign(iou=crowns["score"]), pd.Series([4.0] * 4), 4)
    assert worst.rows.tolist() == [1, 3]
    # If all crowns have this score, the sheet shows their pictures and verdicts.
    perfect = crowns.assign(**dict.fromkeys(SCORES, 1.0))
    assert [sheet.title for sheet in score_sheets(perfect, 2)] == ["Worst crowns", "Typical crowns"]
