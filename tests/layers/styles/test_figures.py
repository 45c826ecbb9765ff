"""Tests of the texts, colours and ticks of figures."""

from __future__ import annotations

from threading import Event, Thread
from xml.etree import ElementTree

import pandas as pd
import pytest
from matplotlib import rcParams
from matplotlib.colors import to_rgb

from randcrowns.layers.styles.figures import (
    draw_variances,
    new_figure,
    render_scatter,
    render_variances,
)
from randcrowns.report.score_figures import draw_scatter
from randcrowns.report.theme import add_legend, encode_figure, recolour

NAMES = ["$\\frac{$", "from $5 to $10", "a$b", "\\$"]


def words_of(svg: bytes) -> set[str]:
    """The texts of an SVG; parts of a text that are set apart, such as an exponent, together."""
    texts = ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")
    return {"".join(part.strip() for part in text.itertext()) for text in texts}


def test_a_dollar_in_a_name_is_no_formula():
    series = [*NAMES, "other"]
    frame = pd.DataFrame({"iou": 0.1, "randcrowns": 0.2, "series": series})
    words = words_of(render_scatter(frame, "svg"))
    assert {*series, "IoU"} <= words
    assert render_scatter(frame, "png").startswith(b"\x89PNG")


def test_on_a_dark_ground_greys_are_turned_round_and_colours_are_lighter():
    axes = new_figure(2, 2).add_subplot()
    grey, red = (axes.plot([0, 1], color=colour)[0] for colour in ("0.2", (0.8, 0.0, 0.0)))
    recolour(axes.figure, "black", "white")
    assert to_rgb(grey.get_color()) == pytest.approx((0.8, 0.8, 0.8))
    assert to_rgb(red.get_color()) == pytest.approx((0.9, 0.5, 0.5))
    assert to_rgb(axes.get_facecolor()) == (0, 0, 0)
    assert to_rgb(axes.title.get_color()) == (1, 1, 1)


def test_a_name_may_hold_what_stands_between_two():
    """The names come from the columns of annotators, not from parts of the series name."""
    names = ["ann – north", "ann", "bob"]
    pairs = [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)]
    frame = pd.DataFrame(
        [
            (names[one], names[other], " – ".join(names[i] for i in sorted((one, other))))
            for one, other in pairs
        ],
        columns=["target_annotator", "delineation_annotator", "series"],
    ).assign(iou=0.5, randcrowns=0.6)
    words = words_of(render_scatter(frame, "svg"))
    assert {"ann – north – ann", "ann – north – bob", "ann – bob"} <= words


def test_a_name_beside_an_axis_is_no_formula():
    figure = new_figure(3, 3)
    axes = figure.add_subplot()
    draw_scatter(axes, pd.DataFrame({"iou": [0.1], "randcrowns": [0.2]}))
    axes.set_yticks([0.2, 0.4], NAMES[:2])
    figure.suptitle(NAMES[0])
    words = words_of(encode_figure(figure, "svg"))
    assert {*NAMES[:2], "IoU"} <= words


@pytest.mark.parametrize(("letters", "columns"), [(1, 4), (4, 2), (12, 2), (36, 1)])
def test_names_below_a_narrow_figure_stand_in_columns_where_they_have_room(letters, columns):
    axes = new_figure(3, 6).add_subplot()
    for name in "abcd":
        axes.plot([0, 1], label=name * letters)
    add_legend(axes)
    left = [text.get_window_extent().x0 for text in axes.get_legend().get_texts()]
    assert len({round(one) for one in left}) == columns


def test_the_ticks_of_a_logarithmic_axis_stay_powers_of_ten():
    row = {"alpha": 0.7, "omega": 1.2, "gamma": 3.0, "assessment": "offered"}
    sets = ((1.0, 1e-6, 1), (2.0, 0.1, 2))
    rows = [
        {**row, "omega": omega, "variance": variance, "rank": rank}
        for omega, variance, rank in sets
    ]
    words = words_of(render_variances(pd.DataFrame(rows), "svg"))
    axes = new_figure(3, 3).add_subplot()
    draw_variances(axes, pd.DataFrame(rows), 3.0)
    stars, dots = (line.get_xydata().tolist() for line in axes.lines)  # in the middles of cells
    assert (stars, dots) == ([[0.5, 0.5]], [[1.5, 0.5]])
    assert not any("$" in word or "mathdefault" in word for word in words)
    assert any(word.startswith("10") for word in words)


@pytest.mark.parametrize("highest", [8e-4, 0.1])
def test_the_scale_of_variances_has_numbers_whatever_its_range(highest):
    row = {"alpha": 0.7, "omega": 1.2, "gamma": 3.0, "assessment": "offered", "rank": 1}
    rows = [
        {**row, "omega": omega, "variance": variance}
        for omega, variance in ((1.0, 2e-4), (2.0, highest))
    ]
    figure = new_figure(3, 3)
    draw_variances(figure.add_subplot(), pd.DataFrame(rows), 3.0)
    figure.draw_without_rendering()
    scale = figure.axes[-1].yaxis
    shown = [label for label in scale.get_ticklabels(which="both") if label.get_text()]
    inside = [one for one in shown if 2e-4 <= one.get_position()[1] <= highest]
    assert len(inside) >= 2


def test_two_pictures_at_once_leave_the_settings_as_they_were():
    before = rcParams["svg.fonttype"]
    first_in, second_in = Event(), Event()

    class First:
        def savefig(self, *_, **__):
            first_in.set()
            second_in.wait(0.5)

    class Second:
        def savefig(self, *_, **__):
            second_in.set()
            first.join(0.5)

    first = Thread(target=encode_figure, args=(First(), "svg"))
    first.start()
    first_in.wait()
    encode_figure(Second(), "svg")
    first.join()
    assert rcParams["svg.fonttype"] == before
