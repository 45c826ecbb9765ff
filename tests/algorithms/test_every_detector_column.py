"""Every column that randcrowns:rankdetectors makes, once, worked out by hand on a plot of four
rectangles."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import dblquad
from support.by_hand import (
    areas_of,
    check_nothing_is_left_out,
    has_columns,
    noting,
    without_intervals,
    worked,
    worked_among,
    worked_values,
)
from support.layers import EAST, NORTH, box_layer, points_at

#: On 800 m²: a marked one tree, b another one besides; detector one claims the first and a place
#: without a tree, detector two half of the first and the second.
AREA = [(0, 0, 40, 20)]
ANNOTATORS = {"a": [(0, 0, 10, 10)], "b": [(0, 0, 10, 10), (20, 0, 30, 10)]}
DETECTORS = {
    "one": [((0, 0, 10, 10), 0.9), ((20, 10, 30, 20), 0.4)],
    "two": [((0, 0, 10, 5), 0.8), ((20, 0, 30, 10), 0.6)],
}
#: The ROC from (recall, false positive rate) to (recall, false positive rate), threshold by
#: threshold.
ROC = {
    ("one", "a"): [(0, 0), (1, 0), (1, 100 / 700), (1, 1)],
    ("two", "a"): [(0, 0), (0.5, 0), (0.5, 100 / 700), (1, 1)],
    ("one", "b"): [(0, 0), (0.5, 0), (0.5, 100 / 600), (1, 1)],
    ("two", "b"): [(0, 0), (0.25, 0), (0.75, 0), (1, 1)],
}
OUTPUTS = (
    "TRUTH_POLYGONS",
    "AUCR",
    "RANKINGS",
    "CERTAINTY_TABLE",
    "CORRELATIONS",
    "KENDALL_TAU",
    "CURVES",
    "COCO",
    "THRESHOLDS",
)


def aucr(detector: str, truth: str) -> float:
    """The mean precision of balances from 0.1 to 0.5 along straight pieces of the ROC (Lampert et
    al. 2016, Eq. 7)."""
    area = 0.0
    for (t0, f0), (t1, f1) in zip(ROC[detector, truth], ROC[detector, truth][1:]):
        if f0 == f1 == 0:
            area += t1 - t0
        elif t1 > t0:

            def precision(pi: float, share: float, start=(t0, f0), end=(t1, f1)) -> float:
                t, f = (one + share * (other - one) for one, other in zip(start, end))
                return pi * t / (pi * t + (1 - pi) * f)

            area += (t1 - t0) * dblquad(precision, 0, 1, 0.1, 0.5, epsabs=1e-10)[0] / 0.4
    return area


#: Notes and warnings that a test's runs tell; all others would be wrong there.
NOTES = {
    "test_plots_and_field_points": [
        "areas.constant",
        "ranking.beyond_skew_limits",
        "ranking.exact",
        "ranking.no_value",
    ],
    "test_places_to_look_at_again": ["crowns.unmarked_places"],
    "test_precision_of_each_class": ["crowns.by_class"],
}


@pytest.fixture
def run(run, request):
    yield from noting(
        run, NOTES.get(request.node.originalname, ["ranking.exact", "truths.identical"])
    )


@pytest.fixture(scope="module", autouse=True)
def nothing_left_out(request):
    """A new output, column or number must be worked out here."""
    yield
    check_nothing_is_left_out(request, ["rankdetectors"])


@pytest.fixture
def ranked(run):
    annotators = [box_layer(name, boxes) for name, boxes in ANNOTATORS.items()]
    detectors = [
        box_layer(
            name,
            [box for box, _ in claims],
            fields="&field=score:double",
            rows=[[sure] for _, sure in claims],
        )
        for name, claims in DETECTORS.items()
    ]
    asked = {
        "DETECTORS": detectors,
        "SCORE_FIELD": "score",
        "ANNOTATORS": annotators,
        "BOOTSTRAP_SAMPLES": 10,
    }
    # Each annotator, and what half of them or more marked: b's.
    done = run(
        "rankdetectors",
        {**asked, "CONSENSUS_METHODS": [0, 2], "EXTENT_LAYER": box_layer("area", AREA)},
        outputs=OUTPUTS,
    )
    assert done.ok, done.error
    return done


def test_values_and_ranks(ranked) -> None:
    worked(ranked, "TRUTH_POLYGONS", {"truth": ["0.5-GT"], "area": [200]})
    assert areas_of(ranked, "TRUTH_POLYGONS") == [200]
    values = {
        (detector, truth): aucr(detector, truth) for truth in "ab" for detector in ("one", "two")
    }
    assert values["one", "a"] == 1
    of_areas, none = (
        [values["one", "a"], values["two", "a"], *[values["one", "b"], values["two", "b"]] * 2],
        [None] * 6,
    )
    # Crowns with an IoU of 0.5: detector one finds a's tree and one of b's two, detector two all.
    worked(
        ranked,
        "AUCR",
        {
            "counted": ["areas"] * 6 + ["crowns"] * 4,
            "measure": ["AUCR"] * 6 + ["AP, all points"] * 4,
            "detector": [*["one", "two"] * 3, "one", "one", "two", "two"],
            "truth": ["a", "a", "b", "b", "0.5-GT", "0.5-GT", "a", "b", "a", "b"],
            "value": [*of_areas, 1, 0.5, 1, 1],
            "rank": [1, 2, 2, 1, 2, 1, 1, 2, 1, 1],
            "skew": [*[100 / 800] * 2, *[200 / 800] * 4, *[None] * 4],
            "crowns": [*none, 1, 2, 1, 2],
            "detections": [*none, 2, 2, 2, 2],
            "not_judged": [*none, 0, 0, 0, 0],
            "crown_recall": [*none, 1, 1 / 2, 1, 1],
            "crown_recall_iou": [*none, 1, 1 / 2, 1, 1],
            "reason": [None] * 10,
        },
    )
    worked(
        ranked,
        "RANKINGS",
        {
            "counted": ["areas"] * 3 + ["crowns"] * 3,
            "position": ["1", "2", "Ground truths"] * 2,
            "ranking_1": ["two", "one", "b, 0.5-GT", "one = two", None, "a"],
            "ranking_2": ["one", "two", "a", "two", "one", "b"],
        },
    )
    # Under half or more (b's); of crowns the mean of a and b.
    best = [values["two", "b"], values["one", "b"], 1, (1 + 0.5) / 2]
    worked_values(ranked, PROBABILITY=None, CROWN_PROBABILITY=None)
    nothing = {name: [None] * 4 for name in ("rank_1", "rank_2", "beats_next")}
    of = {
        "counted": ["areas", "areas", "crowns", "crowns"],
        "detector": ["two", "one", "two", "one"],
    }
    worked(ranked, "CERTAINTY_TABLE", {**of, "value": best, **nothing})
    worked(
        ranked,
        "KENDALL_TAU",
        {
            "counted": ["areas", "areas", "areas", "crowns"],
            "truth_1": ["a", "a", "b", "a"],
            "truth_2": ["b", "0.5-GT", "0.5-GT", "b"],
            # Two detectors in one order, or in the other; under a both crowns' are alike, which has
            # no tau.
            "kendall_tau": [-1, -1, 1, None],
        },
    )


def test_plots_and_field_points(run) -> None:
    """One tree of two was found; of too few tiles nobody knows which detector is better."""
    field = "&field=plot:string&field=score:double"
    rows = [["p", 1.0], ["q", 1.0]]
    drawn = [box_layer(name, ANNOTATORS["b"], fields=field, rows=rows) for name in "ab"]
    detectors = [
        box_layer("one", ANNOTATORS["b"][:1], fields=field, rows=rows[:1]),
        box_layer("two", ANNOTATORS["b"], fields=field, rows=rows),
    ]
    stems = points_at([(EAST + 5, NORTH + 5), (EAST + 25, NORTH + 5)])
    asked = {
        "DETECTORS": detectors,
        "SCORE_FIELD": "score",
        "ANNOTATORS": drawn,
        "CONSENSUS_METHODS": [2],
        "POINTS": stems,
    }
    done = run(
        "rankdetectors",
        {**asked, "PLOT_FIELD": "plot", "BOOTSTRAP_SAMPLES": 10},
        outputs=("COCO", "TRUTH_POLYGONS", "AUCR"),
    )
    assert done.ok, done.error
    worked_among(
        done,
        "COCO",
        {"detector": ["one", "one", "two", "two"], "point_recall": [1 / 2, 1 / 2, 1, 1]},
    )
    worked_among(done, "TRUTH_POLYGONS", {"area": [100, 100], "image": ["p", "q"]})


def test_places_to_look_at_again(run) -> None:
    """Both detectors found a crown where nobody drew one; each has another crown of its own."""
    found = {
        "one": [(0, 0, 10, 10), (20, 10, 30, 20), (30, 0, 40, 10)],
        "two": [(20, 12, 30, 20), (20, 0, 30, 10)],
    }
    scores = {"one": [[0.9], [0.4], [0.3]], "two": [[0.8], [0.6]]}
    detectors = [
        box_layer(name, boxes, fields="&field=score:double", rows=scores[name])
        for name, boxes in found.items()
    ]
    asked = {
        "DETECTORS": detectors,
        "SCORE_FIELD": "score",
        "ANNOTATORS": [box_layer(name, boxes) for name, boxes in ANNOTATORS.items()],
        "EXTENT_LAYER": box_layer("area", AREA),
        "BOOTSTRAP_SAMPLES": 0,
    }
    done = run("rankdetectors", {**asked, "COUNTED_UNITS": 2}, outputs=("LOOK_AGAIN",))
    assert done.ok, done.error
    worked(
        done,
        "LOOK_AGAIN",
        {
            "place": [1],
            "votes": [2],
            "detectors": [2],
            # Of detector one, two of three crowns have at most this score; of two, both.
            "confidence": [(2 / 3 + 1) / 2],
            "looked": [2],
            "area": [100],
            "marked_share": [0],
            "members": ["one:2; two:1"],
        },
    )
    assert areas_of(done, "LOOK_AGAIN") == [100]


def test_correlations(ranked) -> None:
    """Four places of 100, 100, 100 and 500 m², the first in halves: number of votes and score,
    weighted by area."""
    area = np.array([50, 50, 100, 100, 500])
    votes = np.array([2, 2, 1, 0, 0])
    scores = {"one": np.array([0.9, 0.9, 0, 0.4, 0]), "two": np.array([0.8, 0, 0.6, 0, 0])}

    def pearson(score: np.ndarray, where: np.ndarray) -> float:
        cov = np.cov(score[where], votes[where], aweights=area[where])
        return cov[0, 1] / np.sqrt(cov[0, 0] * cov[1, 1])

    cco = [pearson(score, votes > 0) for score in scores.values()]
    cci = [pearson(score, votes >= 0) for score in scores.values()]
    worked(
        ranked,
        "CORRELATIONS",
        {
            "detector": ["one", "two"],
            "cco": cco,
            "cci": cci,
            "difference": np.subtract(cci, cco).tolist(),
            **{
                f"{name}_{end}": [None, None]
                for name in ("cco", "cci")
                for end in ("low", "high", "p")
            },
            "reason": [None, None],
        },
    )


def test_precision_of_each_class(run) -> None:
    """The detector finds the oak first, and takes the ash for an oak."""
    boxes = [(0, 0, 10, 10), (20, 0, 30, 10)]
    annotator = box_layer("ann", boxes, fields="&field=species:string", rows=[["oak"], ["ash"]])
    detector = box_layer(
        "one",
        boxes,
        fields="&field=score:double&field=species:string",
        rows=[[0.9, "oak"], [0.8, "oak"]],
    )
    asked = {
        "DETECTORS": [detector],
        "SCORE_FIELD": "score",
        "ANNOTATORS": [annotator],
        "CLASS_FIELD": "species",
        "COUNTED_UNITS": 2,
        "BOOTSTRAP_SAMPLES": 0,
    }
    done = run("rankdetectors", asked, outputs=("CLASS_PRECISION",))
    assert done.ok, done.error
    worked(
        done,
        "CLASS_PRECISION",
        {
            "detector": ["one", "one", "one"],
            "truth": ["ann", "ann", "ann"],
            "kind": ["class", "class", "mean"],
            "class": ["ash", "oak", None],
            "targets": [1, 1, 2],
            "detections": [0, 2, 2],
            # The oak is found with the highest score, so precision is 1 at every recall.
            "ap": [0, 1, 0.5],
            "ap50": [0, 1, 0.5],
            "ap75": [0, 1, 0.5],
            "rank": [1, 1, 1],
        },
    )


def test_curves(ranked) -> None:
    names = [
        "counted",
        "detector",
        "truth",
        "recall",
        "p_bar",
        "precision",
        "false_positive_rate",
        "threshold",
    ]
    table = has_columns(ranked, "CURVES", names)
    at = table[table["counted"] == "areas"].set_index(["detector", "truth", "recall"])
    assert len(at) == 4 * 101 + 2 * 101
    assert at["threshold"].isna().all()
    # Detector two, truth b: from recall 0.75 on straight to all; at 0.8 a fifth of the 600 m² is
    # wrong.
    row = at.loc["two", "b", 0.8]
    assert row["false_positive_rate"] == pytest.approx(0.2)
    assert row["precision"] == pytest.approx(0.8 * 200 / (0.8 * 200 + 0.2 * 600))
    p_bar = np.mean(
        [pi * 0.8 / (pi * 0.8 + (1 - pi) * 0.2) for pi in np.linspace(0.1, 0.5, 200_001)]
    )
    assert row["p_bar"] == pytest.approx(p_bar, abs=1e-6)
    assert at.loc["two", "b", 0.75][["p_bar", "precision", "false_positive_rate"]].tolist() == [
        1,
        1,
        0,
    ]
    crowns = table[table["counted"] == "crowns"].drop(
        columns=["counted", "p_bar", "false_positive_rate"]
    )
    assert table.loc[crowns.index, ["p_bar", "false_positive_rate"]].isna().all(axis=None)
    assert sorted(crowns.itertuples(index=False, name=None)) == [
        ("one", "a", 1, 1 / 2, 0.4),
        ("one", "a", 1, 1, 0.9),
        ("one", "b", 1 / 2, 1 / 2, 0.4),
        ("one", "b", 1 / 2, 1, 0.9),
        ("two", "a", 1, 1 / 2, 0.6),
        ("two", "a", 1, 1, 0.8),
        ("two", "b", 1 / 2, 1, 0.8),
        ("two", "b", 1, 1, 0.6),
    ]


def test_coco(ranked) -> None:
    """Half of the first tree has an IoU of 0.5 with it: a match at that threshold, and at none
    above."""
    half = 51 / 101  # recalls from 0 to 0.5
    worked(
        ranked,
        "COCO",
        {
            "detector": ["one", "one", "two", "two"],
            "truth": ["a", "b", "a", "b"],
            "ap": [1, half, 0.1, (1 + 9 * half / 2) / 10],
            "ap50": [1, half, 1, 1],
            "ap75": [1, half, 0, half / 2],
            "ar_1": [1, 1 / 2, 0.1, 0.1 / 2],
            "ar_10": [1, 1 / 2, 0.1, (1 + 9 / 2) / 10],
            "ar_100": [1, 1 / 2, 0.1, (1 + 9 / 2) / 10],
        },
    )
    levels = [round(0.1 + 0.05 * step, 2) for step in range(18)]
    tp = (
        [1] * 18
        + [1] * 18
        + [int(level <= 0.5) for level in levels]
        + [2 if level <= 0.5 else 1 for level in levels]
    )
    trees = [1] * 18 + [2] * 18 + [1] * 18 + [2] * 18
    worked(
        ranked,
        "THRESHOLDS",
        {
            "detector": ["one"] * 36 + ["two"] * 36,
            "truth": (["a"] * 18 + ["b"] * 18) * 2,
            "iou": levels * 4,
            "tp": tp,
            "fp": [2 - n for n in tp],
            "fn": [all_of - n for n, all_of in zip(tp, trees)],
            **without_intervals(
                precision=[n / 2 for n in tp],
                recall=[n / all_of for n, all_of in zip(tp, trees)],
                f1=[2 * n / (2 + all_of) for n, all_of in zip(tp, trees)],
            ),
            "ap": [1] * 18
            + [half] * 18
            + [int(level <= 0.5) for level in levels]
            + [1 if level <= 0.5 else half / 2 for level in levels],
        },
    )
