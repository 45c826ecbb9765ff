"""A cell of the rankings is found by the ranks, whatever detectors and ground truths are called."""

from __future__ import annotations

import pandas as pd
import pytest
from qgis.PyQt.QtCore import QCoreApplication

from randcrowns.ui.detectors.results import DetectorResults

#: Ground truth -> the ranks of the detectors x, y = z, and w.
RANKS = {"ann": (1, 2, 3), "ann, bob": (2, 1, 3), "bob": (2, 1, 3), "tie": (1, 1, 3)}
DETECTORS = ("x", "y = z", "w")


class OfScores(DetectorResults):
    """Of a run that made nothing but the scores."""

    def __init__(self, scores):
        self.scores = scores


@pytest.fixture
def results(qgis_app):
    assert QCoreApplication.instance()
    rows = [
        ("areas", detector, truth, rank)
        for truth, ranks in RANKS.items()
        for detector, rank in zip(DETECTORS, ranks)
    ]
    scores = pd.DataFrame(rows, columns=["counted", "detector", "truth", "rank"])
    return OfScores(scores)


@pytest.mark.parametrize(
    ("ranking", "position", "found"),
    [
        ("ranking_1", "1", ("y = z", "ann, bob")),
        ("ranking_1", "2", ("x", "ann, bob")),
        ("ranking_2", "2", ("y = z", "ann")),
        ("ranking_3", "1", ("", "tie")),
        ("ranking_3", "3", ("w", "tie")),
        ("ranking_3", "Ground truths", ("", "tie")),
        ("position", "1", ("", "")),
    ],
)
def test_the_detector_and_the_first_ground_truth_of_a_cell(results, ranking, position, found):
    assert results.find_in_ranking("areas", position, ranking) == found
