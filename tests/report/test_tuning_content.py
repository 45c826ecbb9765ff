"""Figures of the variance between annotators."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest

from randcrowns.core.tuning.search import SetAssessment
from randcrowns.jobs.page_tables import compared_layers
from randcrowns.jobs.tables import InputLayer, JobTables
from randcrowns.report.crown_sheets import names_of_annotators
from randcrowns.report.theme import new_figure
from randcrowns.report.tuning_content import grid_figures, variance_figures, variance_sentences


def test_a_variance_gives_the_typical_difference_between_two_annotators() -> None:
    # Two scores of variance s² differ by sqrt(2 s²) in the root mean square: 0.02 -> 0.2.
    rows = pd.DataFrame({"randcrowns_variance": [0.5, 0.02], "iou_variance": [0.5, 0.0050]})
    (sentence,) = variance_sentences(rows)
    assert "RandCrowns 0.200" in sentence
    assert "IoU 0.100" in sentence
    assert variance_sentences(rows * np.nan) == variance_sentences(pd.DataFrame()) == []


def test_the_sets_that_cannot_be_chosen_are_counted_by_reason() -> None:
    kinds = [SetAssessment.OFFERED, *[SetAssessment.RIGHT_PAIRS_TOO_LOW] * 2]
    grid = pd.DataFrame(
        {"gamma": 3.0, "variance": 0.1, "assessment": [kind.value for kind in kinds]}
    )
    (figure,) = grid_figures(grid, pd.DataFrame())
    assert figure.caption.endswith("cannot be chosen: right pairs score too low: 2.")
    (figure,) = grid_figures(grid.head(1), pd.DataFrame())
    assert "whole grid" not in figure.caption


LONG = "inventory_of_the_northern_forest_district_" * 3


def pairs_of(names: list[str]) -> pd.DataFrame:
    """Three pairs of crowns of every two annotators."""
    rows = [
        {
            "series": f"{first} – {second}",
            "target_annotator": first,
            "delineation_annotator": second,
            "randcrowns": 0.9,
            "iou": iou,
        }
        for first, second in itertools.combinations(names, 2)
        for iou in (0.2, 0.5, 0.8)
    ]
    return pd.DataFrame(rows)


@pytest.mark.parametrize("names", [["anna", "ben"], [f"{LONG}{letter}" for letter in "abcdef"]])
def test_a_long_legend_leaves_the_plot_its_size(names: list[str]) -> None:
    (figure,) = variance_figures(pairs_of(names))
    (panel,) = figure.panels
    drawing = new_figure(panel.width, panel.height)
    axes = drawing.add_subplot()
    panel.draw(axes)
    drawing.draw_without_rendering()
    width, height = np.array(axes.get_window_extent().size) / drawing.dpi
    assert min(width, height) > 3  # inches of 4.8
    legend = axes.get_legend()
    n_series = len(list(itertools.combinations(names, 2)))
    assert (legend is None) == (n_series == 1)
    if legend is not None:
        assert len(legend.get_texts()) == n_series
        assert drawing.bbox.containsy(legend.get_window_extent().y0)


def test_twelve_annotators_have_a_colour_or_a_marker_each() -> None:
    """They form 66 pairs, which colours and markers cannot distinguish."""
    (figure,) = variance_figures(pairs_of([f"annotator {letter}" for letter in "abcdefghijklm"]))
    (panel,) = figure.panels
    axes = new_figure(panel.width, panel.height).add_subplot()
    panel.draw(axes)
    looks = {
        (tuple(points.get_facecolor()[0]), len(points.get_paths()[0].vertices))
        for points in axes.collections
    }
    assert len(looks) == len(axes.collections) == 12
    assert axes.get_legend().get_texts()[0].get_text() == "annotator b"
    assert "who drew the delineation" in figure.caption
    # More annotators than colours and markers have one look.
    (figure,) = variance_figures(pairs_of([f"annotator {number}" for number in range(30)]))
    assert "Colours" not in figure.caption


def test_many_long_names_are_short_in_titles_and_below_pictures() -> None:
    """Four names of 30 letters at most, in titles and below pictures, which stay different."""
    names = [f"{LONG}{letter}" for letter in "abcdef"]
    inputs = [InputLayer("annotators", name) for name in names]
    title = compared_layers(JobTables("variance", pd.DataFrame(), inputs=inputs))
    assert len(title) < 160  # the page to explore cuts longer titles
    assert title.count("…") == 4
    shown = names_of_annotators(pd.DataFrame({"target_annotator": names}))
    assert list(shown) == names
    assert len(set(shown.values())) == len(names)
    assert max(map(len, shown.values())) <= 30
