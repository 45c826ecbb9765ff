"""Live scores and problems equal those of a whole run; only changes are computed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
import shapely
from hypothesis import example, given, settings
from hypothesis import strategies as st
from support.crowns import KINDS, crown
from support.examples import examples

from randcrowns.core import Crowns, RandCrownsParameters, score_crowns
from randcrowns.core.review.live import LiveProblems
from randcrowns.core.review.problems import find_problems
from randcrowns.core.scoring import score as score_module
from randcrowns.core.scoring.editable_crowns import Edits
from randcrowns.core.scoring.layer import mark_not_judged, summary_values
from randcrowns.core.scoring.live import LiveScores
from randcrowns.core.scoring.pairing import Pairing
from randcrowns.core.status import count_statuses

FIELD = RandCrownsParameters(0.6, 1.0, 3)
SIDES = ("targets", "delineations")


def some_crown(seed: int, at: int) -> Any:
    """Return a crown near a knot of a 5 x 5 grid, or exactly on it to make equal distances."""
    rng = np.random.default_rng(seed)
    place = (
        [500_000, 90_000]
        + 4.0 * np.array([at % 5, at // 5 % 5])
        + (rng.normal(0, 1, 2) if seed % 3 else 0)
    )
    if seed % 7 == 0:
        return shapely.box(*(place - 2), *(place + 2))
    return crown(rng, KINDS[seed % len(KINDS)], *place, rng.uniform(0.5, 3))


class Drawn:
    """Two layers as they are after edits, and a whole run over them."""

    def __init__(self, plots: tuple[bool, bool], extent: Any, **choices: Any) -> None:
        self.plots, self.extent, self.choices = plots, extent, choices
        self.layers: tuple[dict[int, tuple[Any, Any]], ...] = ({}, {})

    def edit(self, side: int, number: int, shape: Any, plot: Any) -> Edits:
        if shape is None:
            self.layers[side].pop(number, None)
        else:
            self.layers[side][number] = shape, plot
        plots = np.array([plot], dtype=object) if self.plots[side] else None
        shapes = np.array([shape], dtype=object)
        cut = None
        if side and self.extent is not None and shape is not None:
            cut = np.array([shapely.intersection(shape, self.extent)], dtype=object)
        return Edits(np.array([number]), shapes, plots, cut)

    def crowns(self, side: int) -> Crowns:
        layer = sorted(self.layers[side].items())
        shapes = np.array([shape for _, (shape, _) in layer] or [], dtype=object)
        plots = (
            np.array([plot for _, (_, plot) in layer], dtype=object) if self.plots[side] else None
        )
        return Crowns(shapes, np.array([number for number, _ in layer], dtype=np.int64), plots)

    def cut(self) -> Any:
        drawn = self.crowns(1).geometry
        return None if self.extent is None else shapely.intersection(drawn, self.extent)

    def live(self) -> LiveProblems:
        scores = LiveScores(
            *map(self.crowns, (0, 1)), FIELD, extent=self.extent, clipped=self.cut(), **self.choices
        )
        return LiveProblems(scores)

    def check(self, live: LiveProblems, all_drawn: bool = True) -> None:
        one, other = map(self.crowns, (0, 1))
        whole = score_crowns(
            one, other, FIELD, extent=self.extent, clipped=self.cut(), **self.choices
        )
        for found, expected in zip(live.scores.tables(), whole[:2]):
            pd.testing.assert_frame_equal(found, expected, check_dtype=False, rtol=1e-9, atol=1e-9)
        overall = live.scores.overall_values()
        expected_values = summary_values(*whole[:2])
        assert overall.pop("resampled") == expected_values["resampled"]
        expected_values = {name: expected_values[name] for name in overall}
        assert overall == pytest.approx(expected_values, rel=1e-9, nan_ok=True)
        status_counts = live.scores.count_statuses()
        present = {status: number for status, number in status_counts.items() if number}
        assert present == count_statuses(whole.targets["status"])
        problems = find_problems(one, other, whole if all_drawn else mark_not_judged(whole))
        rows = live.scores.targets.rows_by_id()
        found = pd.DataFrame({name: values[rows] for name, values in live.target_columns.items()})
        pd.testing.assert_frame_equal(
            found, problems.targets, check_dtype=False, rtol=1e-9, atol=1e-9
        )


EDIT = st.tuples(
    st.integers(0, 1), st.integers(-4, 9), st.integers(0, 400), st.integers(0, 24), st.booleans()
)


@settings(deadline=None, max_examples=examples(36))
@example(
    "max_iou",
    [(0, 1, 4, 0, False), (0, 2, 5, 12, False)],
    [(0, 3, 4, 24, False), (1, 4, 5, 12, False)],
    (True, True),
    False,
    True,
)
@given(
    pairing=st.sampled_from([one.value for one in Pairing]),
    begun=st.lists(EDIT, max_size=14),
    edits=st.lists(EDIT, min_size=1, max_size=10),
    plots=st.tuples(st.booleans(), st.booleans()),
    within=st.booleans(),
    all_drawn=st.booleans(),
)
def test_after_every_edit_all_is_as_a_whole_run_finds_it(
    pairing: str,
    begun: list[Any],
    edits: list[Any],
    plots: tuple[bool, bool],
    within: bool,
    all_drawn: bool,
) -> None:
    extent = shapely.box(499_990, 89_990, 500_030, 90_030) if within else None
    drawn = Drawn(plots, extent, pairing=pairing)
    for side, number, seed, at, _ in begun:
        drawn.edit(side, number, some_crown(seed, at), "ab"[seed % 2])
    live = drawn.live()
    drawn.check(live, all_drawn)
    for side, number, seed, at, deleted in edits:
        shape = None if deleted else some_crown(seed, at)
        edit = drawn.edit(side, number, shape, "ab"[seed % 2])
        live.apply_edits(**{SIDES[side]: edit})
        drawn.check(live, all_drawn)


@pytest.mark.parametrize("pairing", [one.value for one in Pairing])
@pytest.mark.parametrize("side", [0, 1])
def test_exact_copies_are_told_apart_as_once_they_are_saved(pairing: str, side: int) -> None:
    """New copies have ids below 0, the first the highest; saved ids follow the others."""
    shapes = [shapely.box(at, 0, at + 5, 5) for at in (0.0, 3.0)]
    layers = [[shapely.box(0, 1, 5, 6), shapely.box(3, 1, 8, 6)], shapes]
    crowns = [Crowns(np.array(layer), np.array([4, 6])) for layer in layers]
    live = LiveProblems(LiveScores(*crowns, FIELD, pairing))
    for number in (-2, -3, -4):
        copy = layers[side][number % 2]
        live.apply_edits(**{SIDES[side]: Edits(np.array([number]), np.array([copy], dtype=object))})
    new = [layers[side][number % 2] for number in (-2, -3, -4)]
    saved = [
        Crowns(
            np.array([*layer, *(new if side == place else [])]),
            np.arange(4, 4 + 2 * (5 if side == place else 2), 2),
        )
        for place, layer in enumerate(layers)
    ]
    whole = score_crowns(*saved, FIELD, pairing)
    problems = find_problems(*saved, whole).targets
    numbers = {8: -2, 10: -3, 12: -4}
    for table, wanted in zip(live.scores.tables(), (whole.targets, whole.delineations)):
        for name in table.columns[table.columns.str.endswith("_id")]:
            wanted = wanted.assign(**{name: wanted[name].replace(numbers)})
        wanted = wanted.sort_values(wanted.columns[0], ignore_index=True)
        pd.testing.assert_frame_equal(table, wanted, check_dtype=False, atol=1e-9)
    row = live.scores.targets.rows_by_id()
    other = pd.Series(live.target_columns["other"][row]).replace(numbers)
    expected = problems.assign(target_id=whole.targets["target_id"].replace(numbers)).sort_values(
        "target_id"
    )["other"]
    assert other.astype(object).tolist() == expected.replace(numbers).astype(object).tolist()


def forest(number: int = 150) -> tuple[Crowns, Crowns]:
    rng = np.random.default_rng(3)
    at = 500_000 + 9.0 * np.column_stack([np.arange(number) % 12, np.arange(number) // 12])
    return tuple(Crowns(np.array([crown(rng, "concave", *place) for place in at])) for _ in SIDES)  # type: ignore[return-value]


def test_an_edit_makes_the_offsets_of_its_targets_once(monkeypatch: pytest.MonkeyPatch) -> None:
    trees, drawn = forest()
    live = LiveProblems(LiveScores(trees, drawn, FIELD))
    solved, buffered = [], []
    made, buffer = score_module.solve_regions, shapely.buffer

    def solving(offsets: Any, *given: Any) -> Any:
        solved.append(len(offsets))
        return made(offsets, *given)

    def buffering(polygons: Any, *args: Any, **options: Any) -> Any:
        buffered.append(np.size(polygons))
        return buffer(polygons, *args, **options)

    monkeypatch.setattr(score_module, "solve_regions", solving)
    monkeypatch.setattr(shapely, "buffer", buffering)
    moved = shapely.transform(drawn.geometry[70], lambda xy: xy + 0.3)
    for _ in range(3):
        touched = live.apply_edits(delineations=Edits(np.array([70]), np.array([moved])))
        assert touched.targets.tolist() == [70]
        # T(-alpha), T(omega), and T(omega + s), of which the edges move to T(omega + tau).
        assert (solved, sum(buffered)) == ([1], 3)
    live.apply_edits(targets=Edits(np.array([70]), np.array([moved])))
    assert solved == [1, 1]


def test_scores_after_edits_have_the_rounding_of_a_whole_run() -> None:
    trees, drawn = forest()
    moved = shapely.transform(np.stack([trees.geometry, drawn.geometry]), lambda xy: xy + 0.3)
    rows = np.arange(0, len(trees), 5)
    live = LiveScores(trees, drawn, FIELD)
    live.apply_edits(targets=Edits(rows, moved[0][rows]))
    edited = trees.geometry.copy()
    edited[rows] = moved[0][rows]
    # These targets are as they were, and get a new delineation.
    live.apply_edits(delineations=Edits(rows + 1, moved[1][rows + 1]))
    outlines = drawn.geometry.copy()
    outlines[rows + 1] = moved[1][rows + 1]
    whole = score_crowns(Crowns(edited), Crowns(outlines), FIELD).targets
    found, _ = live.tables()
    for name in ("tau", "b", "randcrowns"):
        np.testing.assert_allclose(found[name], whole[name], rtol=1e-11, atol=1e-11)


def test_edits_leave_nothing_behind() -> None:
    trees, drawn = forest(40)
    live = LiveProblems(LiveScores(trees, drawn, FIELD))
    for _ in range(25):
        for shape in (None, drawn.geometry[7]):
            live.apply_edits(delineations=Edits(np.array([7]), np.array([shape], dtype=object)))
            live.apply_edits(targets=Edits(np.array([9]), np.array([shape], dtype=object)))
    assert (len(live.scores.targets), len(live.scores.delineations)) == (40, 40)
