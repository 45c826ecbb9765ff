"""Figures of scores as a reader sees them: the places of their texts."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.text import Text

from randcrowns.report.score_figures import draw_distributions, draw_scatter
from randcrowns.report.theme import new_figure


def named_scatter(points, rows):
    """The drawn axes of a scatter plot with the names of some rows, and the boxes of the names."""
    figure = new_figure(3.4, 3.3)
    axes = figure.add_subplot()
    frame = pd.DataFrame(points, columns=["iou", "randcrowns"])
    draw_scatter(axes, frame, "", -1, {row: str(row) for row in rows})
    figure.draw_without_rendering()
    # Without the lines to the points.
    boxes = {text.get_text(): Text.get_window_extent(text) for text in axes.texts}
    return axes, boxes


def test_a_name_in_a_scatter_plot_stands_beside_no_other_point():
    """A name within half of its height of another point would be read as the name of it."""
    random = np.random.default_rng(5)
    iou = random.uniform(0.3, 0.9, 40)
    points = np.stack([iou, iou + random.normal(0, 0.05, 40)], axis=1)
    axes, boxes = named_scatter(points, range(12))
    pixels = axes.transData.transform(points)
    assert len(boxes) >= 6
    for box in boxes.values():
        gaps = np.maximum(np.maximum([box.x0, box.y0] - pixels, pixels - [box.x1, box.y1]), 0)
        assert np.hypot(*gaps.T).min() > box.height / 2 - 1
    assert all(text.arrow_patch is not None for text in axes.texts)


def test_a_name_without_a_free_place_is_omitted():
    grid = np.linspace(0, 1, 26)
    points = np.stack(np.meshgrid(grid, grid), axis=-1).reshape(-1, 2)
    _, boxes = named_scatter(points, [0, 338])
    assert boxes == {}


def test_equal_numbers_of_crowns_are_written_once():
    layers = {name: np.linspace(0.1, 0.9, 38) for name in ("a", "b", "c")}
    axes = new_figure(6, 3).subplots()
    draw_distributions(axes, layers, "IoU")
    texts = [text.get_text() for text in axes.texts]
    assert texts.count("38 crowns each") == 1
    assert "38 crowns" not in texts
    other = new_figure(6, 3).subplots()
    draw_distributions(other, {"a": layers["a"], "b": layers["b"][:5]}, "IoU")
    assert {"38 crowns", "5 crowns"} <= {text.get_text() for text in other.texts}
