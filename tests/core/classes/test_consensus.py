"""Classes of the crowns of consensuses, by votes and by STAPLE for several classes."""

from __future__ import annotations

import numpy as np
import pytest
import shapely

from randcrowns.core.agreement.consensus_of_crowns import CrownConsensusOptions, crown_consensus
from randcrowns.core.classes.agreement import ClassRatings
from randcrowns.core.classes.consensus import (
    ClassRule,
    classes_of_consensuses,
    with_classes,
)
from randcrowns.core.classes.staple import staple_classes
from randcrowns.core.crowns import Crowns

NAMES = np.array(["ash", "elm", "oak"], dtype=object)


def _plots(n_plots: int, seed: int) -> tuple[list[dict[str, Crowns]], np.ndarray]:
    """Return crowns of three annotators on several plots, and the true classes of all trees.

    Ann is always right, ben takes half of the elms for oaks, and cleo mostly guesses and does not
    draw every tree.
    """
    rng = np.random.default_rng(seed)
    plots, truth = [], []
    for _ in range(n_plots):
        boxes = np.array([shapely.box(9 * x, 0, 9 * x + 5, 5) for x in range(40)])
        true = NAMES[rng.integers(0, 3, 40)]
        ben = np.where((true == "elm") & (rng.random(40) < 0.5), "oak", true)
        cleo = np.where(rng.random(40) < 0.2, true, NAMES[rng.integers(0, 3, 40)])
        ben[0] = None
        drawn = rng.random(40) < 0.7
        layers = {
            "ann": Crowns(boxes, classes=true),
            "ben": Crowns(boxes, classes=ben),
            "cleo": Crowns(boxes[drawn], classes=cleo[drawn]),
        }
        plots.append(layers)
        truth.append(true)
    return plots, np.concatenate(truth)


def test_plots_are_rated_together_as_by_staple_of_all_crowns() -> None:
    plots, truth = _plots(3, 1)
    made = [crown_consensus(layers) for layers in plots]
    found = classes_of_consensuses(made, plots, ClassRule.STAPLE)
    classes = np.concatenate([part.table["crown_class"] for part in found.parts])
    assert (classes == truth).mean() > 0.95
    votes = classes_of_consensuses(made, plots)
    by_votes = np.concatenate([part.table["crown_class"] for part in votes.parts])
    assert (by_votes == truth).mean() < (classes == truth).mean()
    assert not len(votes.confusion)
    assert "class_probability" not in votes.parts[0].table

    ratings = []
    for layers in plots:
        rows = np.full((40, 3), None, dtype=object)
        for number, layer in enumerate(layers.values()):
            place = (shapely.bounds(layer.geometry)[:, 0] // 9).astype(int)
            rows[place, number] = layer.classes
        ratings.append(rows)
    expected = staple_classes(ClassRatings.from_ratings(np.concatenate(ratings)))
    np.testing.assert_allclose(
        found.confusion["probability"], expected.confusion.reshape(-1), atol=1e-12
    )
    table = found.confusion.set_index(["annotator", "true_class", "given_class"])["probability"]
    assert table["ann", "elm", "elm"] > 0.97
    assert table["ben", "elm", "oak"] == pytest.approx(0.5, abs=0.15)
    shares = found.parts[0].table["class_probability"]
    assert ((shares > 1 / 3) & (shares <= 1)).all()


def test_the_order_of_annotators_and_plots_changes_no_class() -> None:
    plots, _ = _plots(2, 2)
    turned = [dict(reversed(list(layers.items()))) for layers in reversed(plots)]
    results = []
    for case in (plots, turned):
        made = [crown_consensus(layers) for layers in case]
        results.append(classes_of_consensuses(made, case, ClassRule.STAPLE))
    for one, other in zip(results[0].parts, reversed(results[1].parts)):
        order = [np.argsort(shapely.bounds(part.crowns)[:, 0]) for part in (one, other)]
        classes = [
            part.table["crown_class"].to_numpy()[rows] for part, rows in zip((one, other), order)
        ]
        assert classes[0].tolist() == classes[1].tolist()


def test_crowns_without_a_class_or_without_crowns() -> None:
    box = [shapely.box(0, 0, 5, 5)]
    layers = {"ann": Crowns(box), "ben": Crowns(box, classes=[None])}
    table = with_classes(crown_consensus(layers), layers, ClassRule.STAPLE).table
    assert table["crown_class"].tolist() == [None]
    assert table["class_probability"].isna().all()
    apart = {"ann": Crowns(box, classes=["oak"]), "ben": Crowns([shapely.box(9, 0, 14, 5)])}
    empty = crown_consensus(apart, CrownConsensusOptions(rule="all"))
    result = classes_of_consensuses([empty], [apart], ClassRule.STAPLE)
    assert not len(result.parts[0].table)
    assert not len(result.confusion)


def test_a_run_can_be_cancelled() -> None:
    class CancelledError(Exception):
        pass

    def cancel(_: float) -> None:
        raise CancelledError

    plots, _ = _plots(1, 3)
    made = [crown_consensus(layers) for layers in plots]
    with pytest.raises(CancelledError):
        classes_of_consensuses(made, plots, ClassRule.STAPLE, cancel)
