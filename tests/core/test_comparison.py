"""Checks for misleading comparisons."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from support.errors import assert_message
from support.shown import shows

from randcrowns.core.comparison import (
    check_drawing,
    check_extents,
    check_plots,
    check_plots_of_layers,
    check_roles,
    check_unused_plots,
    partial_drawing_message,
    share_in_plots,
)
from randcrowns.core.crowns import Crowns
from randcrowns.core.messages import Message


def test_more_than_five_times_as_many_predictions_are_many():
    assert partial_drawing_message(10, 50) is None
    assert partial_drawing_message(10, 51).values["times"] == pytest.approx(5.1)
    assert partial_drawing_message(0, 51) is None
    assert (
        str(partial_drawing_message(10, 20, 0.25))
        == "The targets' plots hold only 25\N{NO-BREAK SPACE}% of the crowns compared with them"
    )


def test_the_share_in_plots_against_a_loop():
    rng = np.random.default_rng(3)
    low = rng.uniform(0, 100, (40, 2))
    targets = np.hstack([low, low + 4])
    plots = [str(number) for number in rng.integers(0, 5, 40)]
    low = rng.uniform(-20, 120, (200, 2))
    predictions = np.hstack([low, low + 3])
    inside = 0
    for box in predictions:
        x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
        for plot in set(plots):
            own = targets[[name == plot for name in plots]]
            if own[:, 0].min() <= x <= own[:, 2].max() and own[:, 1].min() <= y <= own[:, 3].max():
                inside += 1
                break
    assert 0 < inside < 200
    assert share_in_plots(targets, plots, predictions) == pytest.approx(inside / 200)
    assert share_in_plots(targets[:0], [], predictions) == 1


def test_crowns_without_a_plot_form_a_plot():
    targets = np.array([[0, 0, 1, 1], [99, 99, 100, 100]])
    between = np.array([[50, 50, 51, 51]])
    for plots, inside in (
        (["None", None], 0),
        (["", None], 0),
        ([None, None], 1),
        (["A", "A"], 1),
        (None, 1),
    ):
        assert share_in_plots(targets, plots, between) == inside


def test_keys_and_values_of_messages():
    assert check_roles("a", "", 5, 1) == []
    assert check_roles("a", "", 6, 0) == []
    assert shows(str(check_roles("a", "", 6, 1)[0]), "roles.more_targets", layer="a")
    assert check_drawing(True, None, "All", "precision") is None
    doubtful, off = (
        check_drawing(True, partial_drawing_message(1, 9), "All", "precision"),
        check_drawing(False, None, "All", "F1"),
    )
    assert doubtful.is_warning
    assert shows(str(doubtful), "drawn.many", times=9)
    assert "2,941 times as many" in str(partial_drawing_message(1, 2941))
    assert "2,941 times as many" in str(check_roles("a", "", 2941, 1)[0])
    assert not off.is_warning
    assert shows(str(off), "drawn.some", undefined="F1")


def in_plots(name, *plots):
    return Crowns(
        [shapely.box(0, 0, 1, 1)] * len(plots),
        plots=None if None in plots[:1] else plots,
        name=name,
    )


def test_messages_about_plots_of_one_side():
    trees, found = in_plots("trees", "a", "b", "b", "c"), in_plots("found", "a", "d")
    (message,) = check_plots([trees], [found])
    assert (message.key, message.is_warning) == ("plots.some_apart", False)
    assert str(message).startswith(
        "Some plots are on one side only: 'trees' alone has b, c (3 crowns), "
        "'found' alone has d (1 crown): "
    )
    (more,) = check_plots([trees, in_plots("others", "d")], [found, in_plots("model", "b")])
    assert shows(str(more), "plots.some_apart", where="'trees' alone has c (1 crown)")
    assert check_plots([found], [found]) == []
    assert check_plots([trees], [in_plots("no field", None)]) == []
    assert check_plots([trees], [Crowns([], plots=[], name="nothing")]) == []
    (forgotten,) = check_plots([trees], [in_plots("found", "a", "b", "c", None)])
    assert (forgotten.key, forgotten.is_warning) == ("plots.not_entered", False)
    assert forgotten.values["where"].values == {"layer": "found", "count": 1}
    assert str(forgotten).startswith("1 crown of 'found' has no plot: ")
    both = check_plots([trees], [in_plots("found", "a", "b", "c", "d", None, None)])
    assert [message.key for message in both] == ["plots.some_apart", "plots.not_entered"]
    assert str(both[1]).startswith("2 crowns of 'found' have no plot: ")
    assert check_plots([in_plots("trees", "a", None)], [in_plots("found", "a", None)]) == []
    (apart,) = check_plots([trees], [in_plots("far", "x")])
    assert apart.is_warning
    assert str(apart).startswith(
        "No plot is on both sides: 'trees' alone has a, b, c (4 crowns), 'far' alone has x"
    )


def unused_plots(target_plots: str, other_plots: str) -> Message | None:
    """The message on pairs, each of a target and another crown, whose plots have one letter."""
    rows = np.arange(len(target_plots))
    plots = [
        np.array([*text.replace("-", " ")], dtype=object) for text in (target_plots, other_plots)
    ]
    for names in plots:
        names[names == " "] = None
    return check_unused_plots("a", "plot", *plots, rows, rows)


def test_a_plot_field_is_proposed_only_if_both_layers_name_the_plots_alike() -> None:
    assert unused_plots("aaa", "aaa") is None
    known = unused_plots("aab", "aab")
    assert (known.is_warning, known.values) == (False, {"field": "plot", "plots": 2})
    message = unused_plots("aba", "bab")
    assert message.values == {"layer": "a", "field": "plot", "count": 3, "all": 3}
    # Two pairs across plots that both have, and two of plots that only one layer has.
    assert unused_plots("abxy", "baab").key == "plots.unused_names"
    assert unused_plots("abax", "babb").key == "plots.unused"
    assert unused_plots("ab--", "ab-a").key == "plots.unused_names"


def test_warning_if_targets_lie_on_crowns_of_plots_with_another_name() -> None:
    boxes = shapely.box([0, 2, 20, 40], 0, [1, 3, 21, 41], 1)
    found = Crowns(boxes, plots=["a", "a", "b", "b"], name="found", crs="EPSG:32617")
    trees = Crowns(boxes, plots=["a", "a", "b", "unnamed"], name="trees", crs="EPSG:32617")
    covered, apart = check_plots([trees], [found])
    assert (covered.key, covered.is_warning) == ("plots.covered", True)
    assert covered.values == {"count": 1, "layer": "found"}
    assert apart.key == "plots.some_apart"
    moved = Crowns(
        [*boxes[:3], shapely.box(60, 0, 61, 1)], plots=found.plots, name="found", crs="EPSG:32617"
    )
    assert [message.key for message in check_plots([trees], [moved])] == ["plots.some_apart"]


def test_images_in_pixels_that_lie_on_one_another_cover_no_plots() -> None:
    boxes = shapely.box([0, 2, 0], 0, [1, 3, 1], 1)
    trees = Crowns(boxes, plots=["a", "a", "b"], name="trees")
    found = Crowns(boxes[:2], plots=["a", "a"], name="found")
    assert [message.key for message in check_plots([trees], [found])] == ["plots.some_apart"]


def test_warning_if_plots_of_one_name_are_in_different_places():
    boxes = shapely.box([0, 2, 20, 40], 0, [1, 3, 21, 41], 1)
    trees = Crowns(boxes, plots=["a", "a", "b", "c"], name="trees")
    assert check_plots([trees], [Crowns(boxes, plots=["a", "b", "b", "c"], name="found")]) == []
    (message,) = check_plots([trees], [Crowns(boxes[1:], plots=["a", "c", "b"], name="turned")])
    assert (message.key, message.is_warning) == ("plots.elsewhere", True)
    assert message.values == {"plots": ("b", "c")}


@pytest.mark.parametrize(("east", "keys"), [(5.1, ["layers.apart"]), (5.0, []), (-2.0, [])])
def test_layers_in_different_places_are_reported(east: float, keys: list[str]) -> None:
    trees = Crowns([shapely.box(0, 0, 5, 5)], name="trees")
    drawn = Crowns([shapely.box(east, 0, east + 5, 5)], name="drawn")
    messages = check_extents(trees, drawn)
    assert [message.key for message in messages] == keys
    for message in messages:
        assert_message(message, "layers.apart", targets="trees", layer="drawn")


def test_layers_without_crowns_are_nowhere() -> None:
    trees = Crowns([shapely.box(0, 0, 5, 5)])
    assert check_extents(trees, Crowns([])) == check_extents(Crowns([]), trees) == []


def test_plots_of_one_side_of_several_layers_are_in_one_note_that_names_both_layers() -> None:
    trees = in_plots("trees", "a", "b")
    layers = [in_plots("found", "a"), in_plots("drawn", "a", "c"), in_plots("same", "a", "b")]
    (message,) = check_plots_of_layers(trees, layers)
    assert str(message).startswith(
        "Some plots are on one side only: 'trees', not 'found', has b (1 crown), 'trees', not "
        "'drawn', has b (1 crown), 'drawn', not 'trees', has c (1 crown): their crowns"
    )
    # A single delineation layer needs no name.
    assert check_plots_of_layers(trees, layers[:1]) == check_plots([trees], layers[:1])
