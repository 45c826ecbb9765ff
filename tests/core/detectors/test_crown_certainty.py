"""Bootstrap samples of whole crowns, against a slow and obvious implementation."""

from __future__ import annotations

import tracemalloc
from dataclasses import replace

import numpy as np
import pytest
import shapely
from support.errors import raises

from randcrowns.core.crowns import Crowns
from randcrowns.core.detectors import bootstrap
from randcrowns.core.detectors.bootstrap import assign_crown_units, bootstrap_crown_ranking
from randcrowns.core.detectors.conclusion import conclude_ranking
from randcrowns.core.detectors.crown_ranking import (
    average_precision,
    compute_crown_curve,
    rank_crown_detectors,
)
from randcrowns.core.scoring.layer import score_candidates
from randcrowns.core.scoring.pairing import Pairing
from randcrowns.core.scoring.parameters import PRESETS

LENGTHS = PRESETS["image_boxes"]


def scene(seed, plots=False):
    """Two annotators and two detectors of 40 trees in 8 plots that lie far apart."""
    rng = np.random.default_rng(seed)
    plot = np.repeat(np.arange(8), 5)
    corner = np.stack(
        [plot * 200.0 + np.tile(np.arange(5), 8) * 12.0, rng.uniform(0, 5, 40)], axis=1
    )

    def crowns(places, which):
        boxes = shapely.box(*places.T, *(places + 6.0).T)
        return Crowns(
            boxes, plots=np.array([f"p{one}" for one in which], dtype=object) if plots else None
        )

    people = {
        name: crowns(corner + rng.normal(0, 0.3, corner.shape), plot) for name in ("ann", "bob")
    }
    people["bob"] = people["bob"].subset(np.flatnonzero(rng.random(40) < 0.7))
    found = {}
    for name, blur in (("good", 0.6), ("poor", 1.6)):
        stray = rng.random(40) < 0.4
        places = corner + rng.normal(0, blur, corner.shape) + 60.0 * stray[:, None] * [0, 1]
        found[name] = crowns(places, plot), np.round(rng.random(40), 1)
    return people, found


def sides(people, found):
    return {**people, **{name: crowns for name, (crowns, _) in found.items()}}


def moved(shapes, copy):
    return list(shapely.transform(shapes, lambda xy: xy + np.array([0.0, 1e4 * copy])))


def by_hand(people, found, units, resamples, seed):
    """Make a scene of each resample; a plot drawn twice is copied to a distant place."""
    rng = np.random.default_rng(seed)
    number = 1 + max(int(unit.max()) for unit in units.values())
    times = rng.multinomial(number, np.full(number, 1 / number), resamples)
    drawn = rng.multinomial(len(people), np.full(len(people), 1 / len(people)), resamples)
    rows = []
    for each, who in zip(times, drawn):
        row = []
        for detector, (crowns, confidence) in found.items():
            values = []
            for (truth, targets), often in zip(people.items(), who):
                wanted, made, sure = [], [], []
                for unit, count in enumerate(each):
                    for copy in range(count):
                        wanted += moved(targets.geometry[units[truth] == unit], copy)
                        mine = units[detector] == unit
                        made += moved(crowns.geometry[mine], copy)
                        sure += list(confidence[mine])
                if not wanted:
                    continue
                (scored,), _ = score_candidates(
                    Crowns(wanted), [Crowns(made)], LENGTHS, Pairing.MAX_SCORE
                )
                pairs = scored.pairs
                curve = compute_crown_curve(pairs[pairs["iou"] > 0], np.array(sure), len(wanted))
                values += [average_precision(curve)] * int(often)
            row.append(np.mean(values) if values else np.nan)
        rows.append(row)
    return np.array(rows)


def test_each_resample_is_the_average_precision_of_its_scene(monkeypatch):
    monkeypatch.setattr(bootstrap, "_CELLS", 100)  # two resamples at a time
    people, found = scene(3)
    units, plots = assign_crown_units(sides(people, found), 200.0)
    assert not plots
    ranking = rank_crown_detectors(people, found, LENGTHS)
    fast = bootstrap_crown_ranking(ranking, units, resamples=25, seed=5)
    assert fast.estimate.to_numpy() == pytest.approx(
        ranking.average_precision.mean(axis=1).to_numpy()
    )
    assert fast.n_tiles == 8
    assert fast.resamples.to_numpy() == pytest.approx(by_hand(people, found, units, 25, 5))


def test_memory_is_bounded_however_many_crowns_have_a_score_of_their_own(monkeypatch):
    monkeypatch.setattr(bootstrap, "_CELLS", bootstrap._CELLS // 4)
    number, rng = 5_000, np.random.default_rng(0)
    places = 9.0 * np.stack(np.divmod(np.arange(number), 70), axis=1)
    trees = Crowns(shapely.box(*places.T, *(places + 5.0).T))
    found = {name: (trees, rng.random(number)) for name in ("one", "other")}
    units, _ = assign_crown_units(sides({"ann": trees}, found), 90.0)
    ranking = rank_crown_detectors({"ann": trees}, found, LENGTHS)
    tracemalloc.start()
    bootstrap_crown_ranking(ranking, units, resamples=500)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 16 * number * 500  # bytes: two arrays of every crown in every resample


def test_a_single_plot_is_no_sample_of_plots():
    people, found = scene(4, plots=True)
    one_plot = {
        name: replace(crowns, plots=np.full(len(crowns), "A"))
        for name, crowns in sides(people, found).items()
    }
    units, plots = assign_crown_units(one_plot, 12.0)
    assert not plots
    assert len(np.unique(units["ann"])) > 1


def test_one_plot_and_crowns_without_any_are_no_sample_of_plots():
    squares = [shapely.box(x, 0, x + 4, 4) for x in (0, 30, 60)]
    for plots, sampled in (
        (["A", "A", None], False),
        (["A", "B", None], True),
        (["A", "", None], False),  # blank is no plot
    ):
        units, are_plots = assign_crown_units(
            {"ann": Crowns(squares, plots=np.array(plots, dtype=object))}, 10.0
        )
        assert are_plots is sampled
        assert not sampled or units["ann"].tolist() == [0, 1, 2]


def test_plots_are_resampled_where_both_sides_know_them():
    people, found = scene(4, plots=True)
    units, plots = assign_crown_units(sides(people, found), 12.0)
    assert plots
    assert units["ann"].tolist() == np.repeat(np.arange(8), 5).tolist()
    found = rank_crown_detectors(people, found, LENGTHS)
    ranks = bootstrap_crown_ranking(found, units, are_plots=plots, resamples=100)
    assert (ranks.n_tiles, ranks.tile_kind, ranks.n_annotators) == (8, "plots", 2)
    said = str(conclude_ranking(ranks, measure="average precision", topic="crown_verdict"))
    assert "bootstrap samples of annotators and plots" in said
    assert "The AP (all points) of good is" in said


def test_a_better_detector_is_called_better_and_its_copy_is_not():
    trees = Crowns(shapely.box(np.arange(40) * 9.0, 0, np.arange(40) * 9.0 + 5, 5))
    few = trees.subset(np.arange(0, 40, 3))
    found = {
        "few": (few, np.full(len(few), 0.5)),
        "all": (trees, np.full(40, 0.5)),
        "copy": (trees, np.full(40, 0.9)),
    }
    for names, better in ((("few", "all"), True), (("all", "copy"), False)):
        some = {name: found[name] for name in names}
        units, _ = assign_crown_units(sides({"ann": trees}, some), 9.0)
        ranks = bootstrap_crown_ranking(
            rank_crown_detectors({"ann": trees}, some, LENGTHS), units, resamples=100
        )
        assert conclude_ranking(ranks).is_better is better


def test_who_drew_nothing_and_who_has_no_score_take_no_part():
    people, found = scene(1)
    people["cleo"] = Crowns(np.empty(0, dtype=object))
    found["silent"] = Crowns(np.empty(0, dtype=object)), np.empty(0)
    units, _ = assign_crown_units(sides(people, found), 200.0)
    ranking = rank_crown_detectors(people, found, LENGTHS, scoreless=["silent"])
    ranks = bootstrap_crown_ranking(ranking, units, resamples=30)
    assert list(ranks.estimate.index) == ["good", "poor"]
    assert ranks.n_annotators == 2
    assert ranks.resamples.notna().all(axis=None)


def test_the_order_of_crowns_changes_nothing_and_the_seed_decides():
    people, found = scene(2)
    back = {
        name: (crowns.subset(np.arange(40)[::-1]), sure[::-1])
        for name, (crowns, sure) in found.items()
    }
    results = []
    for some in (found, back, found):
        units, _ = assign_crown_units(sides(people, some), 200.0)
        results.append(
            bootstrap_crown_ranking(
                rank_crown_detectors(people, some, LENGTHS), units, resamples=20
            )
        )
    assert results[0].resamples.equals(results[2].resamples)
    assert results[0].resamples.to_numpy() == pytest.approx(results[1].resamples.to_numpy())
    with raises("ranking.no_resamples"):
        bootstrap_crown_ranking(rank_crown_detectors(people, found, LENGTHS), units, resamples=0)
