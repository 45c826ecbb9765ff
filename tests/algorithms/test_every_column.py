"""Every column of every output, once, with values worked out by hand on a plot of a few rectangles.

Column by column, so that a new one has to be worked out too: the expected columns are all there
are.
"""

from __future__ import annotations

from itertools import permutations
from statistics import mean, median, stdev, variance

import numpy as np
import pytest
import shapely
from scipy.optimize import brentq
from scipy.stats import chi2, norm, t
from support.by_hand import (
    areas_of,
    check_nothing_is_left_out,
    has_columns,
    noting,
    without_intervals,
    worked,
    worked_among,
    worked_pixels,
    worked_values,
)
from support.clouds import NAMES, OUTPUTS, write_cloud
from support.layers import EAST, NORTH, box_layer, layer_of, points_at
from support.literal import score
from support.rasters import write_raster

from randcrowns.algorithms.algorithm_catalogue import ALGORITHMS
from randcrowns.core.classes.metrics import OVERALL_METRICS
from randcrowns.core.crowns import Crowns
from randcrowns.core.scoring.parameters import RandCrownsParameters
from randcrowns.core.scoring.score import score_pairs
from randcrowns.core.statistics import MIN_UNITS
from randcrowns.core.tuning.wrong_pairs import simulate_annotators

OWN = {"PRESET": 3, "ALPHA": 1, "OMEGA": 1, "GAMMA": 1}
#: Their columns are worked out in modules of their own.
ELSEWHERE = {"rankdetectors", "importcrowns", "exportcrowns", "exportlayers", "explore"}
#: Three trees of 100 m²; the first drawn 4 m aside, the second 2 m too low, the third not, and two
#: that are none.
TREES = [(0, 0, 10, 10), (20, 0, 30, 10), (40, 0, 50, 10)]
DRAWN = [(4, 0, 14, 10), (20, 0, 30, 8), (60, 0, 70, 10), (80, 0, 90, 10)]
AREA = [(0, 0, 40, 20)]


def pair_scores(target, drawn):
    """The scores of two rectangles, with alpha, omega and gamma 1."""
    return score(shapely.box(*target), shapely.box(*drawn), 1, 1, 1)


ASIDE = pair_scores(TREES[0], DRAWN[0])
LOW = pair_scores(TREES[1], DRAWN[1])
SCORES = ("randcrowns", "iou", "iou_crowns")
SPECIES = [["oak"], ["ash"], ["oak"]]
DRAWN_SPECIES = [["oak"], ["oak"], ["ash"], [None]]
CLASS_TABLES = ("CONFUSION", "CLASS_METRICS", "CLASS_SUMMARY", "STRATA", "STRATA_TESTS")
MISSING = "No delineation reaches the certain part of the crown: no delineation"
EXTRA = "No target for this delineation: false detection"


#: Notes and warnings that a test's runs tell; all others would be wrong there.
NOTES = {
    "test_scores_of_some_targets": ["drawn.some"],
    "test_own_lengths": ["scoring.own_spread"],
    "test_agreement_of_plots": ["agreement.no_study_area"],
    "test_agreement_and_the_image": ["image.least_p"],
    "test_consensus_by_staple": ["staple.prior_minor"],
    "test_consensus_crown_by_crown": ["classes.none_shared"],
    "test_scores_against_warped_targets": ["warped.mean"],
    "test_consensus_by_weights_of_known_answers": [
        "agreement.no_study_area",
        "cooke.few_questions",
    ],
    "test_consensus_of_three_alike": ["staple.prior_minor"],
    "test_evaluate_instances_of_plots": ["drawn.some"],
    "test_score_crowns_of_classes": ["classes.missing"],
    "test_evaluate_instances_of_classes": ["classes.missing"],
    "test_annotator_variance": ["finding.few_crowns"],
    "test_tune_parameters": ["finding.few_crowns"],
}


@pytest.fixture
def run(run, request):
    yield from noting(run, NOTES.get(request.node.originalname, ()))


@pytest.fixture(scope="module", autouse=True)
def nothing_left_out(request):
    """A new algorithm, output, column or number must be worked out, here or there."""
    yield
    check_nothing_is_left_out(request, {entry.key for entry in ALGORITHMS} - ELSEWHERE)


def test_the_two_pairs_by_hand() -> None:
    """T 10 x 10: R_a 8 x 8, R_o 12 x 12, R_b of 64 m², so tau is (sqrt(208) - 12) / 2."""
    tau = (208**0.5 - 12) / 2
    assert ASIDE[3:8] == pytest.approx(
        ((5 * 8) ** 2, (64 - (3 - (3 - tau)) * 10) ** 2, 30**2, 24**2, tau)
    )
    assert LOW[3:8] == pytest.approx(((8 * 7) ** 2, 64**2, 0, 8**2, tau))
    assert (ASIDE.iou, LOW.iou) == (60 / 140, 80 / 100)
    assert ASIDE.randcrowns == pytest.approx((1600 + ASIDE.b) / (1600 + ASIDE.b + 900 + 576))


def test_score_crowns(run) -> None:
    layers = [box_layer("ann", DRAWN), box_layer("bob", DRAWN[1:2])]
    done = run("scorecrowns", {"TARGETS": box_layer("trees", TREES), "DELINEATIONS": layers, **OWN})
    assert done.ok, done.error
    ends = {"rc": "randcrowns", "iou": "iou", "iouc": "iou_crowns"}
    spread = {}
    for end, name in ends.items():
        both = [(getattr(ASIDE, name), 0), (getattr(LOW, name),) * 2, (0, 0)]
        spread |= {
            f"{end}_mean": [mean(values) for values in both],
            f"{end}_var": [variance(v) for v in both],
        }
    worked(
        done,
        "SCORED_TARGETS",
        {
            "target_id": [1, 2, 3],
            **{
                f"ann_{end}": [getattr(ASIDE, name), getattr(LOW, name), 0]
                for end, name in ends.items()
            },
            "ann_status": ["scored", "scored", "unmatched"],
            "ann_match": [1, 2, None],
            "ann_dist": [4, 1, None],
            "ann_rc_problem": ["shifted", "none", "missing"],
            "ann_rc_cause": [
                "Delineation of the crown's size 4.0 m away from its centre: shifted",
                None,
                MISSING,
            ],
            **{f"bob_{end}": [0, getattr(LOW, name), 0] for end, name in ends.items()},
            "bob_status": ["unmatched", "scored", "unmatched"],
            "bob_match": [None, 1, None],
            "bob_dist": [None, 1, None],
            "bob_rc_problem": ["missing", "none", "missing"],
            "bob_rc_cause": [MISSING, None, MISSING],
            **spread,
        },
    )
    worked(
        done,
        "SCORED_DELINEATIONS",
        {
            "layer": [*["ann"] * 4, "bob"],
            "delineation_id": [1, 2, 3, 4, 1],
            "plot": [None] * 5,
            "target_id": [1, 2, None, None, 2],
            "n_targets": [1, 1, 0, 0, 1],
            **{
                name: [getattr(ASIDE, name), getattr(LOW, name), None, None, getattr(LOW, name)]
                for name in SCORES
            },
            "area": [100, 80, 100, 100, 80],
            "status": ["matched", "matched", "unmatched", "unmatched", "matched"],
            "rc_problem": [None, None, "extra", "extra", None],
            "rc_cause": [None, None, EXTRA, EXTRA, None],
        },
    )
    pairs = [ASIDE, LOW, LOW]
    worked(
        done,
        "PAIRS",
        {
            "layer": ["ann", "ann", "bob"],
            "target_id": [1, 2, 2],
            "delineation_id": [1, 2, 1],
            "distance": [4, 1, 1],
            **{
                name: [getattr(pair, name) for pair in pairs]
                for name in (*SCORES, "a", "b", "c", "d", "tau")
            },
            "status": ["scored"] * 3,
            "assigned": [1, 1, 1],
        },
    )
    of_ann = {name: [getattr(ASIDE, name), getattr(LOW, name), 0.0] for name in SCORES}
    of_bob = {name: [0.0, getattr(LOW, name), 0.0] for name in SCORES}
    worked_values(done, **{f"MEAN_{name.upper()}": mean(values) for name, values in of_ann.items()})
    statistics = {}
    for name in SCORES:
        for end, of in (("mean", mean), ("sd", stdev), ("median", median)):
            statistics[f"{name}_{end}"] = [of(of_ann[name]), of(of_bob[name])]
        statistics |= {f"{name}_low": [None, None], f"{name}_high": [None, None]}
    worked(
        done,
        "SUMMARY",
        {
            "layer": ["ann", "bob"],
            "plot": ["all", "all"],
            "targets": [3, 3],
            "delineations": [4, 1],
            "matched": [2, 1],
            "missed": [0, 0],
            "unmatched_targets": [1, 2],
            "unmatched_delineations": [2, 0],
            "too_small": [0, 0],
            **statistics,
            "resampled": ["crowns", "crowns"],
            "penalised_mean": [sum(of_ann["randcrowns"]) / 5, sum(of_bob["randcrowns"]) / 3],
            # 0.43 and 0.8: both are found at 0.4, one at 0.5.
            **without_intervals(recall_iou_0_4=[2 / 3, 1 / 3], precision_iou_0_4=[2 / 4, 1]),
            "f1_iou_0_4": [4 / 7, 2 / 4],
            **without_intervals(recall_iou_0_5=[1 / 3, 1 / 3], precision_iou_0_5=[1 / 4, 1]),
            "f1_iou_0_5": [2 / 7, 2 / 4],
            **without_intervals(
                recall_randcrowns_0_5=[2 / 3, 1 / 3], precision_randcrowns_0_5=[2 / 4, 1]
            ),
            "f1_randcrowns_0_5": [4 / 7, 2 / 4],
        },
    )
    _regions(done)


def test_scores_of_some_targets(run) -> None:
    """Two delineations have no target: nobody knows whether they are false."""
    asked = {"TARGETS": box_layer("trees", TREES), "DELINEATIONS": [box_layer("ann", DRAWN)]}
    done = run("scorecrowns", {**asked, **OWN, "ALL_DRAWN": False}, outputs=("SUMMARY",))
    assert done.ok, done.error
    worked_among(
        done,
        "SUMMARY",
        {
            "not_judged": [2],
            "unmatched_delineations": [None],
            "penalised_mean": [None],
            "recall_iou_0_5": [1 / 3],
            "precision_iou_0_5": [None],
            "f1_iou_0_5": [None],
        },
    )


def test_own_lengths(run) -> None:
    """The spread is a mean distance of normal errors; 90 % of them are within the length."""
    boxes = [(0, 0, 10, 10), (20, 0, 30, 10)]
    targets = box_layer("field", boxes, fields="&field=spread:double", rows=[[0.2], [0.4]])
    asked = {"TARGETS": targets, "DELINEATIONS": [box_layer("ann", boxes)]}
    done = run("scorecrowns", {**asked, "SPREAD_FIELD": "spread"}, outputs=("SCORED_TARGETS",))
    assert done.ok, done.error
    factor = np.sqrt(np.pi / 2) * norm.ppf(0.95)
    lengths = [round(0.2 * factor, 2), round(0.4 * factor, 2)]  # whole centimetres
    worked_among(done, "SCORED_TARGETS", {"own_length": lengths, "ann_rc_own": [1, 1]})


def test_target_regions(run) -> None:
    done = run("targetregions", {"TARGETS": box_layer("trees", TREES), **OWN, "PRESET": 2})
    assert done.ok, done.error
    _regions(done)


def _regions(done) -> None:
    areas = [64, 144, 208, 64] * 3
    worked(
        done,
        "REGIONS",
        {
            "target_id": [1] * 4 + [2] * 4 + [3] * 4,
            "region": ["a", "o", "e", "b"] * 3,
            "tau": [ASIDE.tau] * 12,
            "area": areas,
            "status": ["scored"] * 12,
        },
    )
    assert areas_of(done, "REGIONS") == pytest.approx(areas)


def annotators() -> list:
    """a and b share 100 and 90 m², the tenth that b left out is a's alone; c has the 100 and 100 of
    its own."""
    return [
        box_layer("a", [(0, 0, 10, 10), (20, 0, 30, 10)]),
        box_layer("b", [(0, 0, 10, 10), (20, 0, 30, 3), (20, 4, 30, 10)]),
        box_layer("c", [(0, 0, 10, 20)]),
    ]


def test_compare_annotators(run) -> None:
    outputs = (
        "DISAGREEMENTS",
        "AGREEMENT",
        "ANNOTATOR_TABLE",
        "ANNOTATOR_PAIRS",
        "SUMMARY",
        "RATIO",
        "LINKAGE",
    )
    done = run(
        "compareannotators",
        {"ANNOTATORS": annotators(), "EXTENT_LAYER": box_layer("area", AREA)},
        outputs=outputs,
    )
    assert done.ok, done.error
    places = {
        "area": [100, 100, 60, 30, 10],
        "n_yes": [3, 1, 2, 2, 1],
        "n_no": [0, 2, 1, 1, 2],
        "yes": ["a, b, c", "c", "a, b", "a, b", "a"],
        "no": [None, "a, b", "c", "c", "b, c"],
        "votes": ["111", "001", "110", "110", "100"],
    }
    worked(done, "AGREEMENT", {"rank": [1, 2, 3, 4, 5], **places})
    without = {name: values[1:] for name, values in places.items()}
    worked(done, "DISAGREEMENTS", {"rank": [1, 2, 3, 4], **without})
    assert areas_of(done, "AGREEMENT") == places["area"]
    assert areas_of(done, "DISAGREEMENTS") == places["area"][1:]

    # Against what two of three marked, 190 m² of 800: true and false positives, false and true
    # negatives.
    cells = [(190, 10, 0, 600), (190, 0, 0, 610), (100, 100, 90, 510)]
    chance = [((tp + fp) * 190 + (fn + tn) * 610) / 800**2 for tp, fp, fn, tn in cells]
    f1 = {"ab": 2 * 190 / 390, "ac": 2 * 100 / 400, "bc": 2 * 100 / 390}
    near = [mean((f1["ab"], f1["ac"])), mean((f1["ab"], f1["bc"])), mean((f1["ac"], f1["bc"]))]
    far = [1 - value for value in near]
    limit = mean(far) + stdev(far)
    table = done.table("ANNOTATOR_TABLE")
    # a and b differ from each other by 10 m², and c is far from both.
    assert table["p_unlike"].idxmin() == 2
    assert table["unlike"].tolist() == (table["p_unlike"] < 0.05).astype(int).tolist()
    worked(
        done,
        "ANNOTATOR_TABLE",
        {
            "annotator": ["a", "b", "c"],
            "marked": [200, 190, 200],
            "share": [200 / 800, 190 / 800, 200 / 800],
            "sensitivity": [1, 1, 100 / 190],
            "specificity": [600 / 610, 1, 510 / 610],
            "ppv": [190 / 200, 1, 100 / 200],
            "npv": [1, 1, 510 / 600],
            "kappa": [
                ((tp + tn) / 800 - by) / (1 - by) for (tp, _, _, tn), by in zip(cells, chance)
            ],
            "mean_f1": near,
            "mean_distance": far,
            "outlier": [int(value > limit) for value in far],
            # Checked below: the p-value comes from random permutations.
            "unlike": table["unlike"].tolist(),
            "p_unlike": table["p_unlike"].tolist(),
            "limit": [limit] * 3,
        },
    )
    # Crown by crown: of a's second crown b drew two, one of them more than half (0.6).
    worked(
        done,
        "ANNOTATOR_PAIRS",
        {
            "first": ["a", "a", "b"],
            "second": ["b", "c", "c"],
            "f1": [f1["ab"], f1["ac"], f1["bc"]],
            "shared": [190, 100, 100],
            "only_first": [10, 100, 90],
            "only_second": [0, 100, 100],
            "pq": [0.8 * 0.8, 0, 0],
            "sq": [(1 + 0.6) / 2, None, None],
            "rq": [2 / (2 + 1 / 2), 0, 0],
            "matched": [2, 0, 0],
            "crowns_first": [0, 2, 3],
            "crowns_second": [1, 1, 1],
            "splits": [1, 0, 0],
            "merges": [0, 0, 0],
        },
    )
    _agreement_summary(done, f1)
    worked(
        done,
        "RATIO",
        {"annotators": [1, 2, 3], "area": [300, 190, 100], "ratio": [1, 190 / 300, 100 / 300]},
    )
    # Ward: the two nearest first, then c, at a distance that follows from the three.
    ab, ac, bc = (1 - f1[pair] for pair in ("ab", "ac", "bc"))
    last = ((2 * ac**2 + 2 * bc**2 - ab**2) / 3) ** 0.5
    worked(
        done,
        "LINKAGE",
        {
            "step": [0, 1],
            "first": [0, 2],
            "second": [1, 3],
            "distance": [ab, last],
            "size": [2, 3],
            "first_position": [1, 0],
            "first_height": [0, 0],
            "second_position": [2, 1.5],
            "second_height": [0, ab],
        },
    )


def _agreement_summary(done, f1) -> None:
    yes, no, n = 590, 1810, 2400  # decisions: 300 + 190 + 100, of three annotators on 800 m²
    # Places where one or two of three marked: 110 and 90 m², of three pairs two differ.
    differing = (110 + 90) * 2 / 3 / 800
    expected = {
        "annotators": 3,
        "study_area": 800,
        "marked_by_any": 300,
        "marked_by_all": 100,
        "smyth_bound": (110 + 90) / 3 / 800,
        "mean_f1": mean(f1.values()),
        "min_f1": min(f1.values()),
        "max_f1": max(f1.values()),
        "raw_agreement": 1 - differing,
        "fleiss_kappa": 1 - differing / (2 * yes / n * no / n),
        "krippendorff_alpha": 1 - differing / (2 * yes / n * no / n),
        "gwet_ac1": 1 - differing / (1 - 2 * yes / n * no / n),
    }
    columns = [
        "statistic",
        "value",
        "low",
        "high",
        "unit",
        "blocks",
        "marked_blocks",
        "bootstrap_samples",
        "meaning",
    ]
    table = has_columns(done, "SUMMARY", columns).set_index("statistic")
    assert list(table.index) == list(expected)
    assert table["value"].to_dict() == pytest.approx(expected)
    counts = list(expected)[:4]
    assert table.loc[counts, ["low", "high"]].isna().all(axis=None)
    extremes = ["min_f1", "max_f1"]
    assert table.loc[extremes, ["low", "high"]].isna().all(axis=None)
    resampled = table.drop(index=[*counts, *extremes])
    assert (resampled["low"] < resampled["value"]).all()
    assert (resampled["value"] < resampled["high"]).all()
    areas = ["study_area", "marked_by_any", "marked_by_all"]
    assert table["unit"].to_dict() == {name: "m²" if name in areas else "" for name in expected}
    # Blocks of an eighth of 40 m: 8 x 4; marked are 2 x 4 under c, and 2 x 2.
    assert set(table["blocks"]) == {32}
    assert set(table["marked_blocks"]) == {12}
    assert table["bootstrap_samples"].tolist() == [0] * 4 + [1000] * 8
    assert table["meaning"].str.len().min() > 10
    assert table["meaning"].is_unique
    worked_values(done, SMYTH_BOUND=expected["smyth_bound"], MEAN_F1=expected["mean_f1"])


def test_compare_annotators_of_classes(run) -> None:
    """Of four crowns a and b gave three the same class; c drew only the first two, as oaks."""
    species = {"a": "oak oak ash ash", "b": "oak ash ash ash", "c": "oak oak"}
    boxes = [(20 * x, 0, 20 * x + 10, 10) for x in range(4)]
    people = []
    for name, words in species.items():
        rows = [[word] for word in words.split()]
        fields = "&field=species:string"
        people.append(box_layer(name, boxes[: len(rows)], fields=fields, rows=rows))
    outputs = ("CLASS_AGREEMENT", "CLASS_CONFUSION")
    area = box_layer("area", [(0, 0, 80, 20)])
    asked = {"ANNOTATORS": people, "CLASS_FIELD": "species", "EXTENT_LAYER": area}
    done = run("compareannotators", asked, None, outputs)
    assert done.ok, done.error
    # One of three pairs agrees on the second crown, all on the others.
    equal = (1 + 1 / 3 + 1 + 1) / 4
    oaks = (1 + 2 / 3) / 4
    chance = oaks**2 + (1 - oaks) ** 2
    gwet = 2 * oaks * (1 - oaks)
    # Of ten ratings five are oaks; two of ten differ from the others of their crown.
    alpha = 1 - (2 / 10) / (2 * 5 * 5 / (10 * 9))
    worked(
        done,
        "CLASS_AGREEMENT",
        {
            "first": [None, "a", "a", "b"],
            "second": [None, "b", "c", "c"],
            "compared": [4, 4, 2, 2],
            "agreement": [equal, 3 / 4, 1, 1 / 2],
            # By chance a and b agree on half, as b and c do; a and c always.
            "kappa": [(equal - chance) / (1 - chance), (3 / 4 - 1 / 2) / (1 / 2), None, 0],
            "alpha": [alpha, None, None, None],
            # The crowns have the same outlines, 100 m² each.
            "area": [400, 400, 200, 200],
            "area_agreement": [equal, 3 / 4, 1, 1 / 2],
            "area_kappa": [(equal - chance) / (1 - chance), (3 / 4 - 1 / 2) / (1 / 2), None, 0],
            # Areas are drawn with replacement: two ratings differ in half of the cases.
            "area_alpha": [1 - (2 / 10) / (1 / 2), None, None, None],
            # Gwet's chance agreement on two classes with the share p is 2 p (1 - p).
            "area_ac1": [(equal - gwet) / (1 - gwet), None, None, None],
        },
    )
    worked(
        done,
        "CLASS_CONFUSION",
        {
            "first": ["a", "a", "a", "a", "b", "b"],
            "second": ["b", "b", "b", "c", "c", "c"],
            "first_class": ["ash", "oak", "oak", "oak", "ash", "oak"],
            "second_class": ["ash", "ash", "oak", "oak", "oak", "oak"],
            "crowns": [2, 1, 1, 2, 1, 1],
            "area": [200, 100, 100, 200, 100, 100],
        },
    )
    # With ash and oak as one class, the four crowns of a and b, and the two of c, are all equal.
    done = run("compareannotators", {**asked, "CLASS_GROUPS": "broad=oak+ash"}, None, outputs)
    worked_among(done, "CLASS_AGREEMENT", {"compared": [4, 4, 2, 2], "agreement": [1] * 4})
    worked_among(done, "CLASS_AGREEMENT", {"kappa": [None] * 4, "area_agreement": [1] * 4})
    worked_among(done, "CLASS_CONFUSION", {"first_class": ["broad"] * 3, "crowns": [4, 2, 2]})


def test_annotators_compared_with_the_others_only(run) -> None:
    """With the half of two others or more, which is what either of them marked."""
    asked = {
        "ANNOTATORS": annotators(),
        "EXTENT_LAYER": box_layer("area", AREA),
        "LEAVE_ONE_OUT": True,
    }
    done = run("compareannotators", asked, outputs=("ANNOTATOR_TABLE",))
    assert done.ok, done.error
    # Of 800 m²: a with b or c, 290 m²; b with a or c, 300 m²; c with a or b, 200 m².
    cells = [(190, 10, 100, 500), (190, 0, 110, 500), (100, 100, 100, 500)]
    table = done.table("ANNOTATOR_TABLE")
    for row, (tp, fp, fn, tn) in zip(table.itertuples(), cells):
        chance = ((tp + fp) * (tp + fn) + (fn + tn) * (fp + tn)) / 800**2
        assert row.sensitivity == pytest.approx(tp / (tp + fn))
        assert row.specificity == pytest.approx(tn / (tn + fp))
        assert row.ppv == pytest.approx(tp / (tp + fp))
        assert row.npv == pytest.approx(tn / (tn + fn))
        assert row.kappa == pytest.approx(((tp + tn) / 800 - chance) / (1 - chance))


def test_agreement_and_the_image(run, tmp_path) -> None:
    """Two marked halves that cross: the number of annotators and the image are even in each
    quarter."""
    layers = [box_layer("a", [(0, 0, 20, 20)]), box_layer("b", [(0, 0, 40, 10)])]
    quarters, tones = np.array([[1, 0], [2, 1]]), np.array([[60, 20], [100, 40]])
    path = write_raster(tmp_path / "image.tif", np.kron(tones, np.ones((10, 20))))
    asked = {
        "ANNOTATORS": layers,
        "IMAGE": str(path),
        "WINDOW": 3,
        "EXTENT_LAYER": box_layer("area", AREA),
    }
    done = run("compareannotators", asked, outputs=("IMAGE_TABLE", "AGREEMENT_RASTER"))
    assert done.ok, done.error
    worked_pixels(done, "AGREEMENT_RASTER", quarters, every=(10, 20))
    votes, tone = (np.kron(values, np.ones((10, 20))) for values in (quarters, tones))
    most, least, highest = window_of(tone, max), window_of(tone, min), window_of(votes, max)
    bright, contrast = by_blocks(tone, votes), by_blocks((most - least) / (most + least), highest)
    assert bright["correlation"] == pytest.approx(80 / 7000**0.5)
    assert bright["n_effective"] == pytest.approx(16)  # two quarters of eight blocks of 5 m
    rows = {name: [bright[name], bright[name], contrast[name]] for name in bright}
    worked(
        done,
        "IMAGE_TABLE",
        {"property": ["intensity", "band 1", "contrast"], **rows, "reason": [None] * 3},
    )


def window_of(values: np.ndarray, what) -> np.ndarray:
    """The largest or smallest value around each pixel, 3 x 3."""
    rows, columns = values.shape
    near = [
        [values[max(r - 1, 0) : r + 2, max(c - 1, 0) : c + 2] for c in range(columns)]
        for r in range(rows)
    ]
    return np.array([[what(some.ravel()) for some in row] for row in near])


def by_blocks(x: np.ndarray, y: np.ndarray, side: int = 5) -> dict[str, float]:
    """Correlation, with the interval and p-value of blocks; a block is correlated with those that
    adjoin, too."""
    x, y = x - x.mean(), y - y.mean()
    blocks = [
        (row, column, np.s_[row * side : (row + 1) * side, column * side : (column + 1) * side])
        for row in range(x.shape[0] // side)
        for column in range(x.shape[1] // side)
    ]
    xx, yy = (x**2).sum(), (y**2).sum()
    part = [(x[at] * y[at]).sum() / np.sqrt(xx * yy) for _, _, at in blocks]
    of_votes = [(y[at] ** 2).sum() / yy for _, _, at in blocks]
    weight = [((x[at] ** 2).sum() / xx + of) / 2 for (_, _, at), of in zip(blocks, of_votes)]

    def spread(values) -> float:
        """The larger of the variances without and with the products of adjoining blocks, by half
        for each step."""
        alone = sum(value**2 for value in values)
        near = 0.0
        for (r, c, _), value in zip(blocks, values):
            for (r2, c2, _), other in zip(blocks, values):
                if abs(r - r2) <= 1 and abs(c - c2) <= 1:
                    near += value * other / 2 ** (abs(r - r2) + abs(c - c2))
        return max(alone, near)

    r, effective = sum(part), 1 / sum(of**2 for of in of_votes)
    limit = t.ppf(0.975, effective - 1)

    def beyond(rho: float) -> float:
        return (r - rho) ** 2 - limit**2 * spread(np.subtract(part, rho * np.array(weight)))

    return {
        "correlation": r,
        "low": brentq(beyond, -1, r) if beyond(-1) > 0 else -1,
        "high": brentq(beyond, r, 1) if beyond(1) > 0 else 1,
        "p_value": 2 * t.sf(abs(r) / np.sqrt(spread(part)), effective - 1),
        "min_p_value": 2 * t.sf(1 / np.sqrt(spread(of_votes)), effective - 1),
        "n_effective": effective,
        "n_blocks": len(blocks),
    }


def test_scores_against_warped_targets(run) -> None:
    """The first target has a delineation 4 m away, the second one 1 m away, the last one none."""
    targets = box_layer("trees", TREES)
    asked = {"TARGETS": targets, "DELINEATIONS": [box_layer("ann", DRAWN)], **OWN}
    done = run("scorecrowns", {**asked, "WARPED_TARGETS": 3}, outputs=("WARPED_SCORES",))
    assert done.ok, done.error
    crowns = Crowns(
        [shapely.box(x0 + EAST, y0 + NORTH, x1 + EAST, y1 + NORTH) for x0, y0, x1, y1 in TREES]
    )
    drawn = [shapely.box(x0 + EAST, y0 + NORTH, x1 + EAST, y1 + NORTH) for x0, y0, x1, y1 in DRAWN]
    values = {name: [] for name in SCORES}
    for layer in (crowns, *simulate_annotators(crowns, 3)):
        scores = score_pairs(layer.geometry[:2], drawn[:2], RandCrownsParameters(1, 1, 1))
        for name in SCORES:
            values[name].append([*scores[name], 0.0])
    means = {f"{name}_mean": np.mean(rows, axis=0).tolist() for name, rows in values.items()}
    spread = {f"{name}_sd": np.std(rows, axis=0, ddof=1).tolist() for name, rows in values.items()}
    worked(
        done,
        "WARPED_SCORES",
        {
            "layer": ["ann"] * 3,
            "target_id": [1, 2, 3],
            "delineation_id": [1, 2, None],
            "n_scored": [4, 4, 4],
            **{
                f"{name}_{end}": (means if end == "mean" else spread)[f"{name}_{end}"]
                for name in SCORES
                for end in ("mean", "sd")
            },
        },
    )


def test_consensus(run) -> None:
    area = box_layer("area", AREA)
    half = run(
        "consensus", {"ANNOTATORS": annotators(), "EXTENT_LAYER": area}, outputs=("CONSENSUS",)
    )
    assert half.ok, half.error
    columns = {
        "area": [100, 30, 60],
        "method": ["0.5"] * 3,
        "parameters": [None] * 3,
        "annotators": [3] * 3,
    }
    worked(half, "CONSENSUS", columns)
    assert areas_of(half, "CONSENSUS") == [100, 30, 60]
    worked_values(half, MARKED=190, MARKED_BY_NOBODY=0)

    left_out = {"METHOD": 1, "LEAVE_ONE_OUT": True}
    any_of = run(
        "consensus",
        {"ANNOTATORS": annotators(), "EXTENT_LAYER": area, **left_out},
        outputs=("CONSENSUS",),
    )
    worked(
        any_of,
        "CONSENSUS",
        {
            # Without a: b and c. Without b: a and c. Without c: a, whose crowns b's lie in.
            "area": [200, 30, 60, 200, 100, 100, 100],
            "method": ["any"] * 7,
            "parameters": [None] * 7,
            "annotators": [2] * 7,
            "excluded": ["a", "a", "a", "b", "b", "c", "c"],
            "marked": [290, 290, 290, 300, 300, 200, 200],
            "by_nobody": [0] * 7,
        },
    )


def test_consensus_by_weights_of_known_answers(run, tmp_path) -> None:
    """Two questions; a and b are equally good, c is always wrong."""
    rows = ["annotator;question;low;median;high;true_value"]
    for who, quantiles in {"a": "4;5;6", "b": "4;5;6", "c": "1;1.5;2"}.items():
        for question, truth in ((1, "4,5"), (2, "5,5")):
            rows.append(f"{who};{question};{quantiles};{truth}")
    answers = tmp_path / "answers.csv"
    answers.write_text("\n".join(rows), encoding="utf-8")
    done = run(
        "consensus",
        {"ANNOTATORS": annotators(), "METHOD": 10, "ANSWERS": str(answers)},
        outputs=("CONSENSUS", "PERFORMANCE"),
    )
    assert done.ok, done.error
    # Of a and b, half of the values lie on either side of the median; all of c's above the 95 %.
    p = np.array([0.05, 0.45, 0.45, 0.05])
    good = 2 * 2 * 2 * 0.5 * np.log(0.5 / 0.45)
    calibration = [chi2.sf(good, 3)] * 2 + [chi2.sf(2 * 2 * np.log(1 / 0.05), 3)]

    def information(*quantiles: float) -> float:
        widths = np.diff([0.5, *quantiles, 6.5])
        return np.log(6) + (p * np.log(p / widths)).sum()

    known = [information(4, 5, 6)] * 2 + [information(1, 1.5, 2)]
    score = np.multiply(calibration, known)
    worked_among(
        done,
        "PERFORMANCE",
        {
            "annotator": ["a", "b", "c"],
            "calibration": calibration,
            "information": known,
            "weight": (score / score.sum()).tolist(),
        },
    )
    # Neither a nor b has half of the weight: it takes two of the three, as without weights.
    assert areas_of(done, "CONSENSUS") == [100, 30, 60]


def test_consensus_crown_by_crown(run) -> None:
    """Three annotators: squares of side 8, 10 and 12 with one centre, and a tree of one of them."""

    def square(middle: float, side: float) -> shapely.Polygon:
        west, south = EAST + middle - side / 2, NORTH + middle - side / 2
        return shapely.box(west, south, west + side, south + side)

    drawn = {"a": [(20, 8)], "b": [(20, 10)], "c": [(20, 12), (60, 4)]}
    species = {"a": ["oak"], "b": ["oak"], "c": ["ash", "ash"]}
    layers = [
        layer_of(
            name,
            [square(*one) for one in squares],
            fields="&field=species:string",
            rows=[[value] for value in species[name]],
        )
        for name, squares in drawn.items()
    ]
    outputs = ("CONSENSUS", "LOOK_AGAIN")
    asked = {"ANNOTATORS": layers, "METHOD": 9, "CLASS_FIELD": "species"}
    done = run("consensus", asked, outputs=outputs)
    assert done.ok, done.error
    worked(
        done,
        "CONSENSUS",
        {
            "area": [100],
            "method": ["crowns"],
            "parameters": ["match_iou=0.5, rule=half, outline=majority"],
            "annotators": [3],
            "votes": [3],
            "looked": [3],
            "members": ["a:1; b:1; c:1"],
            "kept_share": [1],
            "mean_iou": [(64 / 100 + 1 + 100 / 144) / 3],
            "spread": [(36 / 40 + 0 + 44 / 40) / 3],
            "crown_class": ["oak"],
            "class_share": [2 / 3],
            "tied_classes": [None],
        },
    )
    done_grouped = run("consensus", {**asked, "CLASS_GROUPS": "tree=ash+oak"}, None, outputs)
    worked_among(done_grouped, "CONSENSUS", {"crown_class": ["tree"], "class_share": [1]})
    # With a single crown, each annotator gives the same class whatever the true one is, so that the
    # probabilities of the classes are their shares of the votes.
    asked_staple = {**asked, "CLASS_RULE": 1}
    done_staple = run("consensus", asked_staple, outputs=("CONSENSUS", "CLASS_PERFORMANCE"))
    assert done_staple.ok, done_staple.error
    worked_among(done_staple, "CONSENSUS", {"crown_class": ["oak"], "class_probability": [2 / 3]})
    worked(
        done_staple,
        "CLASS_PERFORMANCE",
        {
            "annotator": np.repeat(["a", "b", "c"], 4).tolist(),
            "true_class": ["ash", "ash", "oak", "oak"] * 3,
            "given_class": ["ash", "oak"] * 6,
            "probability": [0, 1, 0, 1, 0, 1, 0, 1, 1, 0, 1, 0],
            "excluded": [None] * 12,
        },
    )
    doubts = {
        "votes": [1],
        "looked": [3],
        "needed": [2],
        "members": ["c:2"],
        "reason": ["too_few_votes"],
    }
    worked(done, "LOOK_AGAIN", doubts)
    assert areas_of(done, "LOOK_AGAIN") == [16]
    # Without b, the squares of a and c have an IoU of 64/144 and are two trees.
    asked = {**asked, "VOTE_RULE": 3, "LEAVE_ONE_OUT": True}
    done = run("consensus", asked, outputs=outputs)
    worked_among(done, "CONSENSUS", {"excluded": ["a", "a", "b", "b", "b", "c"]})
    asked = {**asked, "VOTE_RULE": 2}
    done = run("consensus", asked, outputs=outputs)
    worked_among(done, "LOOK_AGAIN", {"excluded": ["a", "b", "b", "b"]})


def test_consensus_by_staple(run) -> None:
    """Two who marked the same: both are always right, whatever the prior."""
    same = [box_layer("a", TREES[:1]), box_layer("b", TREES[:1])]
    outputs = ("CONSENSUS", "PERFORMANCE", "PRIOR_EFFECT")
    asked = {"ANNOTATORS": same, "EXTENT_LAYER": box_layer("area", AREA), "METHOD": 6}
    done = run("consensus", asked, outputs=outputs)
    assert done.ok, done.error
    said = "prior=any, consensus_units=estimated, tolerance=1e-07, max_iterations=1000"
    worked(
        done,
        "CONSENSUS",
        {"area": [100], "method": ["staple"], "parameters": [said], "annotators": [2]},
    )
    rates = {
        "annotator": ["a", "b"],
        "sensitivity": [1, 1],
        "specificity": [1, 1],
        "excluded": [None, None],
    }
    worked(done, "PERFORMANCE", rates)
    priors = [1 / (1 + np.exp(-logit)) for logit in np.linspace(-6.9, 6.9, 15)]
    # The prior of the consensus, the share that anybody marked, has a row of its own.
    priors = sorted([*priors, 100 / 800])
    every = {
        "prior": priors,
        "marked": [100] * 16,
        "share": [100 / 800] * 16,
        "iterations": [2] * 16,
    }
    worked(done, "PRIOR_EFFECT", every)
    worked_values(done, PRIOR_USED=100 / 800)


ON_PIXELS = ("CONSENSUS", "CONSENSUS_RASTER", "PROBABILITY")


def test_consensus_of_three_alike(run) -> None:
    """STAPLE without each of them, in pixels of 1 m; SIMPLE, which keeps everybody."""
    same = [box_layer(name, TREES[:1]) for name in "abc"]
    asked = {"ANNOTATORS": same, "EXTENT_LAYER": box_layer("area", AREA)}
    done = run("consensus", {**asked, "METHOD": 6, "LEAVE_ONE_OUT": True}, outputs=("CONSENSUS",))
    assert done.ok, done.error
    worked_among(done, "CONSENSUS", {"excluded": ["a", "b", "c"], "prior": [100 / 800] * 3})
    rasters = run("consensus", {**asked, "METHOD": 6, "RESOLUTION": 1}, outputs=ON_PIXELS)
    assert rasters.ok, rasters.error
    for output in ON_PIXELS[1:]:
        worked_pixels(rasters, output, [[0, 0, 0, 0], [1, 0, 0, 0]], every=(10, 10))
    simple = run("consensus", {**asked, "METHOD": 7}, outputs=("CONSENSUS", "PERFORMANCE"))
    worked_among(
        simple, "PERFORMANCE", {"annotator": ["a", "b", "c"], "overlap": [1] * 3, "kept": [1] * 3}
    )


def test_evaluate_instances(run) -> None:
    """Only the second is a match; the first, of IoU 0.43, is the best there is for its tree."""
    outputs = ("MATCHED_TARGETS", "MATCHED_PREDICTIONS", "SUMMARY", "THRESHOLDS", "METRICS")
    predictions = box_layer(
        "drawn", DRAWN, fields="&field=score:double", rows=[[0.9], [0.4], [0.5], [0.2]]
    )
    asked = {
        "TARGETS": box_layer("trees", TREES),
        "PREDICTIONS": predictions,
        "SCORE_FIELD": "score",
    }
    done = run("evaluateinstances", asked, outputs=outputs)
    assert done.ok, done.error
    worked(
        done,
        "MATCHED_TARGETS",
        {
            "target_id": [1, 2, 3],
            "status": ["false_negative", "true_positive", "false_negative"],
            "match_id": [None, 2, None],
            "segmentation_match_id": [1, 2, None],
            "iou": [60 / 140, 80 / 100, 0],
            "precision": [60 / 100, 80 / 80, None],
            "recall": [60 / 100, 80 / 100, 0],
            "area": [100, 100, 100],
        },
    )
    worked(
        done,
        "MATCHED_PREDICTIONS",
        {
            "score": [0.9, 0.4, 0.5, 0.2],
            "prediction_id": [1, 2, 3, 4],
            "status": ["false_positive", "true_positive", "false_positive", "false_positive"],
            "match_id": [None, 2, None, None],
            "iou": [0, 0.8, 0, 0],
            "precision": [0, 80 / 80, 0, 0],
            "recall": [None, 80 / 100, None, None],
            "area": [100, 80, 100, 100],
        },
    )
    # By falling score the right one comes third: precision 1/3 up to recall 1/3, 34 of COCO's 101
    # recalls; its IoU of 0.8 reaches 7 of the 10 thresholds.
    at_one = 34 / 101 / 3
    summary = {
        "plot": ["all"],
        **{"targets": [3], "predictions": [4], "uncertain": [0], "tp": [1], "fp": [3], "fn": [2]},
        **{"precision": [1 / 4], "recall": [1 / 3], "f1": [2 / 7]},
        **{"pq": [0.8 * 2 / 7], "sq": [0.8], "rq": [2 / 7], "mean_iou": [(60 / 140 + 0.8) / 3]},
        **{"ap": [0.7 * at_one], "ap50": [at_one], "ap75": [at_one]},
        **{"ar_1": [0], "ar_10": [0.7 / 3], "ar_100": [0.7 / 3]},
        **{"splits": [0], "merges": [0]},
        **{
            f"{name}_{end}": [None]
            for name in ("precision", "recall", "f1", "pq", "mean_iou")
            for end in ("low", "high")
        },
        "resampled": ["instances"],
    }
    worked(done, "SUMMARY", summary)
    numbers = (
        "precision",
        "recall",
        "f1",
        "pq",
        "mean_iou",
        "ap",
        "ap50",
        "ap75",
        "ar_1",
        "ar_10",
        "ar_100",
    )
    worked_values(done, **{name.upper(): summary[name][0] for name in numbers})
    levels = [round(0.1 + 0.05 * step, 2) for step in range(18)]
    found = [2 if level < 60 / 140 else 1 if level <= 0.8 else 0 for level in levels]
    # Both found: right, wrong, right: precision 1 up to recall 1/3 (34 recalls), then 2/3 (33
    # more).
    ap = {2: (34 + 33 * 2 / 3) / 101, 1: at_one, 0: 0}
    worked(
        done,
        "THRESHOLDS",
        {
            "iou": levels,
            "tp": found,
            "fp": [4 - n for n in found],
            "fn": [3 - n for n in found],
            **without_intervals(
                precision=[n / 4 for n in found],
                recall=[n / 3 for n in found],
                f1=[2 * n / 7 for n in found],
            ),
            "ap": [ap[n] for n in found],
        },
    )
    worked(
        done,
        "METRICS",
        {
            **{"DetectionTP": [1], "DetectionFP": [3], "DetectionFN": [2]},
            **{"DetectionPrecision": [1 / 4], "DetectionCommissionError": [3 / 4]},
            **{
                "DetectionRecall": [1 / 3],
                "DetectionOmissionError": [2 / 3],
                "DetectionF1Score": [2 / 7],
            },
            "SegmentationMeanIoU": [(60 / 140 + 0.8) / 3],
            "SegmentationMeanPrecision": [(0.6 + 1) / 2],
            "SegmentationMeanRecall": [(0.6 + 0.8) / 3],
        },
    )


def _species_layers(drawn_fields=""):
    """The trees, an ash between two oaks, and the drawn crowns: two oaks, an ash, and one without.

    The oak and the ash that were drawn are of the first and of the second tree.
    """
    trees = box_layer("trees", TREES, fields="&field=species:string", rows=SPECIES)
    fields = f"&field=species:string{drawn_fields}"
    rows = [[*row, score] for row, score in zip(DRAWN_SPECIES, (0.9, 0.4, 0.5, 0.2))]
    return trees, box_layer(
        "drawn", DRAWN, fields=fields, rows=rows if drawn_fields else DRAWN_SPECIES
    )


def _class_numbers(layer, **further):
    """Numbers per class, of one matched pair of oaks and an ash that was taken as an oak."""
    rates = {
        "detection_recall": [1, 1 / 2],
        "producer_accuracy": [0, 1 / 2],
        "user_accuracy": [0, 1 / 2],
        "matched_precision": [None, 1 / 2],
        "matched_recall": [0, 1],
    }
    return {
        **{"layer": [layer] * 2, "class": ["ash", "oak"], "reference": [1, 2]},
        **{"predicted": [1, 2], "found": [1, 1], "correct": [0, 1], "correct_predictions": [0, 1]},
        **without_intervals(**rates),
        **{"f1": [0, 1 / 2], "matched_f1": [0, 2 / 3]},
        **further,
    }


def test_score_crowns_of_classes(run) -> None:
    """The first oak is an oak, the ash was taken as an oak, and the second oak was not found."""
    trees, drawn = _species_layers()
    outputs = ("SCORED_TARGETS", "SCORED_DELINEATIONS", *CLASS_TABLES)
    asked = {"TARGETS": trees, "DELINEATIONS": [drawn], "CLASS_FIELD": "species", **OWN}
    done = run(
        "scorecrowns", {**asked, "SUMMARISE_BY": 1, "STRATA_FIELD": "species"}, None, outputs
    )
    assert done.ok, done.error
    worked_among(
        done,
        "SCORED_TARGETS",
        {
            "target_class": ["oak", "ash", "oak"],
            "drawn_class": ["oak", "oak", None],
            "drawn_class_result": ["right", "wrong", "not found"],
        },
    )
    worked_among(
        done,
        "SCORED_DELINEATIONS",
        {
            "crown_class": ["oak", "oak", "ash", None],
            "matched_class": ["oak", "ash", None, None],
            "class_result": ["right", "wrong", "no reference", "no reference"],
        },
    )
    worked(
        done,
        "CONFUSION",
        {
            "layer": ["drawn"] * 6,
            "reference": ["ash", "ash", "oak", "oak", None, None],
            "predicted": ["ash", "oak", "oak", None, "ash", None],
            "kind": ["right", "wrong", "right", "not found", "no reference", "no reference"],
            "crowns": [0, 1, 1, 1, 1, 1],
        },
    )
    means = {}
    for name in SCORES:
        values = [getattr(LOW, name), getattr(ASIDE, name) / 2]
        means |= {f"{name}_mean": values, f"{name}_low": [None] * 2, f"{name}_high": [None] * 2}
    worked_among(done, "CLASS_METRICS", _class_numbers("drawn", **means))
    worked(
        done,
        "CLASS_SUMMARY",
        {
            "layer": ["drawn"] * 6,
            "metric": list(OVERALL_METRICS),
            "value": [1 / 2, 1 / 2, 1 / 3, 1 / 3, 0, None],
            "low": [None] * 6,
            "high": [None] * 6,
            "reason": [None] * 5 + ["all targets, or all predictions, have the same class"],
        },
    )
    problems = dict.fromkeys(("merged", "split", "too_large", "too_small", "low_overlap"), (0, 0))
    problems |= {"missing": [0, 1], "shifted": [0, 1]}
    worked_among(
        done,
        "STRATA",
        {
            "layer": ["drawn"] * 3,
            "stratum": ["ash", "oak", None],
            "kind": ["stratum", "stratum", "unmatched"],
            "crowns": [1, 2, None],
            "plots": [1, 1, None],
            **{name: [*values, None] for name, values in means.items()},
            **{"found": [1, 1, None], "found_share": [1, 1 / 2, None]},
            "unmatched": [None, None, 2],
            **{f"problem_{name}": [*counts, None] for name, counts in problems.items()},
        },
    )
    worked_among(
        done,
        "STRATA_TESTS",
        {
            "layer": ["drawn"] * 3,
            "score": list(SCORES),
            "first": ["ash"] * 3,
            "second": ["oak"] * 3,
            "difference": [getattr(LOW, name) - getattr(ASIDE, name) / 2 for name in SCORES],
            **{name: [None] * 3 for name in ("low", "high", "p", "p_adjusted")},
            "differs": [0] * 3,
            "reason": [f"a stratum has fewer than {MIN_UNITS} crowns"] * 3,
        },
    )


def test_evaluate_instances_of_classes(run) -> None:
    """Within classes nothing matches: only the ash overlaps by half, and it was taken as an oak."""
    trees, drawn = _species_layers("&field=score:double")
    outputs = ("MATCHED_TARGETS", "MATCHED_PREDICTIONS", *CLASS_TABLES)
    asked = {
        **{"TARGETS": trees, "PREDICTIONS": drawn, "CLASS_FIELD": "species"},
        **{"SUMMARISE_BY": 2, "STRATA_BREAKS": "90", "SCORE_FIELD": "score"},
    }
    done = run("evaluateinstances", asked, None, outputs)
    assert done.ok, done.error
    worked_among(
        done,
        "MATCHED_TARGETS",
        {
            "crown_class": ["oak", "ash", "oak"],
            "matched_class": [None, "oak", None],
            "class_result": ["not found", "wrong", "not found"],
        },
    )
    worked_among(
        done,
        "MATCHED_PREDICTIONS",
        {
            "crown_class": ["oak", "oak", "ash", None],
            "matched_class": [None, "ash", None, None],
            "class_result": ["no reference", "wrong", "no reference", "no reference"],
        },
    )
    worked_among(
        done,
        "CONFUSION",
        {
            "reference": ["ash", "ash", "oak", "oak", None, None, None],
            "predicted": ["ash", "oak", "oak", None, "ash", "oak", None],
            "crowns": [0, 1, 0, 2, 1, 1, 1],
        },
    )
    worked_among(
        done,
        "CLASS_METRICS",
        {
            "class": ["ash", "oak"],
            "iou_mean": [0.8, (60 / 140) / 2],
            **{"tp": [0, 0], "fp": [1, 2], "fn": [1, 2]},
            **dict.fromkeys(("precision", "recall", "rq", "pq", "ap", "ap50", "ap75"), (0, 0)),
            "sq": [None, None],
        },
    )
    worked_among(
        done,
        "CLASS_SUMMARY",
        {
            "metric": [*OVERALL_METRICS, "map", "map50", "map75"],
            "value": [0, 0, 0, 0, 0, None, 0, 0, 0],
        },
    )
    worked_among(
        done,
        "STRATA",
        {
            "stratum": ["< 90", ">= 90"],
            "iou_mean": [None, (60 / 140 + 0.8) / 3],
            "found": [0, 1],
            "unmatched": [0, 3],
        },
    )
    worked_among(done, "STRATA_TESTS", {"score": ["iou"], "first": ["< 90"], "differs": [0]})


def test_evaluate_instances_of_plots(run) -> None:
    """Plot p's tree was found, as its stem was; plot q's was not, where another was that need not
    be wrong."""
    field = "&field=plot:string"
    targets = box_layer("trees", TREES[:2], fields=field, rows=[["p"], ["q"]])
    predictions = box_layer("drawn", [TREES[0], DRAWN[2]], fields=field, rows=[["p"], ["q"]])
    stems = points_at([(EAST + 5, NORTH + 5), (EAST + 25, NORTH + 5)])
    asked = {
        "TARGETS": targets,
        "PREDICTIONS": predictions,
        "PLOT_FIELD": "plot",
        "ALL_DRAWN": False,
        "POINTS": stems,
    }
    outputs = ("MATCHED_TARGETS", "MATCHED_PREDICTIONS", "SUMMARY")
    done = run("evaluateinstances", asked, outputs=outputs)
    assert done.ok, done.error
    worked_among(done, "MATCHED_TARGETS", {"plot": ["p", "q"]})
    worked_among(
        done,
        "MATCHED_PREDICTIONS",
        {"plot": ["p", "q"], "status": ["true_positive", "not_judged"]},
    )
    stems_found = {"point_recall": [1 / 2, None, None]}
    worked_among(
        done, "SUMMARY", {"plot": ["all", "p", "q"], "not_judged": [1, 0, 1], **stems_found}
    )
    worked_values(done, POINT_RECALL=1 / 2)


def test_agreement_of_plots(run) -> None:
    """Each place says the plot that it lies in."""
    field = "&field=plot:string"
    layers = [box_layer(name, TREES[:2], fields=field, rows=[["p"], ["q"]]) for name in "ab"]
    done = run(
        "compareannotators", {"ANNOTATORS": layers, "PLOT_FIELD": "plot"}, outputs=("AGREEMENT",)
    )
    assert done.ok, done.error
    worked_among(done, "AGREEMENT", {"area": [100, 100], "image": ["p", "q"]})


def test_annotator_variance(run) -> None:
    """Three drew the first tree, each of whom is the target of the others; one drew another
    besides."""
    drawn = {"a": (0, 0, 10, 10), "b": (4, 0, 14, 10), "c": (0, 0, 10, 8)}
    layers = [box_layer(name, [box]) for name, box in drawn.items()]
    layers[2] = box_layer("c", [drawn["c"], (80, 0, 90, 10)])
    asked = {"ANNOTATORS": layers, **OWN, "PRESET": 2, "EXAMPLES": 1}
    done = run(
        "annotatorvariance",
        asked,
        outputs=("CROWNS", "DELINEATIONS", "EXCLUDED", "DRAWN_CROWNS", "VARIANCE", "GALLERY"),
    )
    assert done.ok, done.error
    pairs = sorted(permutations("abc", 2))
    scores = {pair: pair_scores(drawn[pair[0]], drawn[pair[1]]) for pair in pairs}
    of = {
        name: [[getattr(scores[pair], name) for pair in pairs if pair[0] == who] for who in "abc"]
        for name in SCORES
    }
    spread = {}
    for name in SCORES:
        spread |= {
            f"{name}_mean": list(map(mean, of[name])),
            f"{name}_variance": list(map(variance, of[name])),
        }
    place = {"a": 100, "b": 100, "c": 80}
    worked(
        done,
        "CROWNS",
        {
            "target": [1, 2, 3],
            "crown": [0, 0, 0],
            "target_annotator": ["a", "b", "c"],
            "target_id": [1, 1, 1],
            **spread,
            **{"example": ["typical", None, "worst"], "place": [1, None, 1]},
        },
    )
    assert areas_of(done, "CROWNS") == [100, 100, 80]
    drawings = {
        "pair": [1, 2, 3, 4, 5, 6],
        "target": [1, 1, 2, 2, 3, 3],
        "crown": [0] * 6,
        "target_annotator": [one for one, _ in pairs],
        "target_id": [1] * 6,
        "delineation_annotator": [other for _, other in pairs],
        "delineation_id": [1] * 6,
        **{name: [getattr(scores[pair], name) for pair in pairs] for name in SCORES},
        "target_area": [place[one] for one, _ in pairs],
        "delineation_area": [place[other] for _, other in pairs],
        "status": ["scored"] * 6,
        "series": ["a – b", "a – c", "a – b", "b – c", "a – c", "b – c"],
    }
    worked(done, "DELINEATIONS", drawings)
    assert areas_of(done, "DELINEATIONS") == drawings["delineation_area"]
    worked(
        done, "EXCLUDED", {"annotator": ["c"], "crown_id": [2], "reason": ["a has no crown there"]}
    )
    worked(
        done,
        "DRAWN_CROWNS",
        {
            "annotator": ["a", "b", "c"],
            "plot": ["all"] * 3,
            "drawn": [1, 1, 2],
            "shared": [1, 1, 1],
        },
    )
    # Of the two pairs with a RandCrowns of 0.9 and an IoU of 0.5 or more, that of a with c has the
    # higher of the lower.
    best = pairs.index(("a", "c"))
    gallery = {name: [values[best]] for name, values in drawings.items()}
    worked(done, "GALLERY", {"kind": ["both_high"], "place": [1], **gallery})
    _variance(done, of)
    worked_values(
        done, **{f"VARIANCE_{name.upper()}": mean(map(variance, of[name])) for name in SCORES}
    )


def test_tune_parameters(run) -> None:
    """One set of parameters, its wrong pairs: every target moved by 0.9 of its size, a third and
    twice as long."""
    drawn = {"a": (0, 0, 10, 10), "b": (4, 0, 14, 10), "c": (0, 0, 10, 8)}
    layers = [box_layer(name, [box]) for name, box in drawn.items()]
    asked = {"ANNOTATORS": layers, "ALPHAS": "1", "OMEGAS": "1", "GAMMAS": "1"}
    done = run("tuneparameters", asked, outputs=("RECOMMENDED", "GRID", "VARIANCE"))
    assert done.ok, done.error
    scores = {pair: pair_scores(drawn[pair[0]], drawn[pair[1]]) for pair in permutations("abc", 2)}
    of = {
        name: [[getattr(s, name) for pair, s in scores.items() if pair[0] == who] for who in "abc"]
        for name in SCORES
    }

    def scaled(box, factor: float):
        (x, y), (w, h) = (
            ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2),
            (box[2] - box[0], box[3] - box[1]),
        )
        return x - factor * w / 2, y - factor * h / 2, x + factor * w / 2, y + factor * h / 2

    wrong = {"shifted": [], "shrunk": [], "grown": []}
    for box in drawn.values():
        w, h = 0.9 * (box[2] - box[0]), 0.9 * (box[3] - box[1])
        for x, y in ((w, 0), (0, h), (-w, 0), (0, -h)):
            moved = box[0] + x, box[1] + y, box[2] + x, box[3] + y
            wrong["shifted"].append(pair_scores(box, moved).randcrowns)
        wrong["shrunk"].append(pair_scores(box, scaled(box, 1 / 3)).randcrowns)
        wrong["grown"].append(pair_scores(box, scaled(box, 2)).randcrowns)
    kinds = {kind: mean(values) for kind, values in wrong.items()}
    assert min(kinds.values()) < 1e-9 < 0.05 < kinds["grown"] < kinds["shrunk"]
    spread = mean(map(variance, of["randcrowns"]))
    columns = {
        **{
            "alpha": [1],
            "omega": [1],
            "gamma": [1],
            "scored": [3],
            "too_small": [0],
            "missed_share": [0],
        },
        **{
            "mean": [mean(map(mean, of["randcrowns"]))],
            "variance": [spread],
            "common_variance": [spread],
        },
        **{"wrong": [mean(kinds.values())], "wrong_neighbours": [None]},
        **{f"wrong_{kind}": [value] for kind, value in kinds.items()},
        **{"assessment": ["offered"], "reason": [None], "rank": [1]},
    }
    worked(done, "GRID", columns)
    worked_values(done, ALPHA=1, OMEGA=1, GAMMA=1)
    worked(done, "RECOMMENDED", columns)
    _variance(done, of)


def _variance(done, of) -> None:
    spread = {}
    for name in SCORES:
        means, variances = list(map(mean, of[name])), list(map(variance, of[name]))
        spread |= {
            f"{name}_mean": [*means, mean(means)],
            f"{name}_variance": [*variances, mean(variances)],
        }
        spread |= {f"{name}_variance_{end}": [None] * 4 for end in ("low", "high")}
    columns = {
        "target_annotator": ["a", "b", "c", "all"],
        **{"crowns": [1, 1, 1, 3], "too_small": [0] * 4, "missed": [0] * 4},
        **spread,
        **{"resampled": ["crowns"] * 4, "reason": [None] * 4},
    }
    worked(done, "VARIANCE", columns)


#: A trunk in the corner of a square of 4 m², by x, y and z, and four points on its outline, 2 m
#: away or more, 4 m high.
TREE = np.array([(0, 0, 0), (0, 0, 3), (2, 0, 4), (0, 2, 4), (2, 2, 4), (2, 1, 4)], dtype=float)


def test_evaluate_point_cloud(run, tmp_path) -> None:
    """Two trees of six points. Of the first four were found, with a stray one above it; the second
    was not, and something else was."""
    aside = np.array([20.0, 0, 0])
    xyz = [*TREE, *(TREE + aside), (0, 0, 5), *(TREE + 2 * aside)]
    first, none = [0, -1, 0, 0, 0, -1], [-1] * 6
    attributes = {
        "tree": np.array([*[0] * 6, *[1] * 6, -1, *none], np.int32),
        "found": np.array([*first, *none, 0, *[1] * 6], np.int32),
        "classification": np.array([*[5] * 12, *[2] * 7], np.uint8),
        "guess": np.array([*[5] * 6, *[2] * 13], np.uint8),
    }
    path = write_cloud(tmp_path / "cloud.las", xyz, attributes)
    asked = {"INPUT": str(path), **NAMES, "NUM_PARTITIONS": 2, "PARTITION_END": 1, "CELL_SIZE": 1}
    classes = {"TARGET_CLASS_ATTRIBUTE": "classification", "PREDICTION_CLASS_ATTRIBUTE": "guess"}
    done = run("evaluatepointcloud", {**asked, **classes}, outputs=(*OUTPUTS, "CLASSES"))
    assert done.ok, done.error
    worked(
        done,
        "MATCHED_TARGETS",
        {
            **{
                "target_id": [0, 1],
                "status": ["true_positive", "false_negative"],
                "match_id": [0, None],
            },
            **{
                "segmentation_match_id": [0, None],
                "iou": [4 / 7, 0],
                "precision": [4 / 5, None],
                "recall": [4 / 6, 0],
            },
            **{"height": [4, 4], "points": [6, 6], "area": [4, 4]},
        },
    )
    assert areas_of(done, "MATCHED_TARGETS") == [4, 4]
    worked(
        done,
        "MATCHED_PREDICTIONS",
        {
            **{
                "prediction_id": [0, 1],
                "status": ["true_positive", "false_positive"],
                "match_id": [0, None],
            },
            **{"iou": [4 / 7, 0], "precision": [4 / 5, 0], "recall": [4 / 6, None]},
            **{"height": [5, 4], "points": [5, 6], "area": [4, 4]},
        },
    )
    assert areas_of(done, "MATCHED_PREDICTIONS") == [4, 4]
    ends = ("precision", "recall", "f1", "pq", "mean_iou")
    worked(
        done,
        "SUMMARY",
        {
            **{
                "plot": ["all"],
                "targets": [2],
                "predictions": [2],
                "uncertain": [0],
                "tp": [1],
                "fp": [1],
                "fn": [1],
            },
            **{"precision": [1 / 2], "recall": [1 / 2], "f1": [1 / 2]},
            **{
                "pq": [4 / 7 / 2],
                "sq": [4 / 7],
                "rq": [1 / 2],
                "mean_iou": [4 / 7 / 2],
                "splits": [0],
                "merges": [0],
            },
            **{f"{name}_{end}": [None] for name in ends for end in ("low", "high")},
            "resampled": ["instances"],
        },
    )
    worked_values(done, PRECISION=1 / 2, RECALL=1 / 2, F1=1 / 2, PQ=4 / 7 / 2, MEAN_IOU=4 / 7 / 2)
    worked(
        done,
        "METRICS",
        {
            **{"DetectionTP": [1], "DetectionFP": [1], "DetectionFN": [1]},
            **{"DetectionPrecision": [1 / 2], "DetectionCommissionError": [1 / 2]},
            **{
                "DetectionRecall": [1 / 2],
                "DetectionOmissionError": [1 / 2],
                "DetectionF1Score": [1 / 2],
            },
            **{"SegmentationMeanIoU": [4 / 7 / 2], "SegmentationMeanPrecision": [4 / 5]},
            "SegmentationMeanRecall": [4 / 6 / 2],
        },
    )
    # From the trunk: its two points, of which one was found, with the stray one; then the four, of
    # which three. From the ground: the lowest point, found; then five, of which three were found;
    # the stray one lies higher.
    iou, precision, recall = [1 / 3, 3 / 4, 1, 3 / 5], [1 / 2, 1, 1, 1], [1 / 2, 3 / 4, 1, 3 / 5]
    bins = {
        "axis": ["xy", "xy", "z", "z"],
        "partition": [0, 1, 0, 1],
        "begin": [0, 0.5] * 2,
        "end": [0.5, 1] * 2,
    }
    halved = {"mean_iou": [value / 2 for value in iou], "mean_precision": precision}
    worked(done, "PARTITIONS", {**bins, **halved, "mean_recall": [value / 2 for value in recall]})

    def both(values: list, of_second: object) -> list:
        return [*values[:2], of_second, of_second, *values[2:], of_second, of_second]

    worked(
        done,
        "TREE_PARTITIONS",
        {
            "axis": ["xy"] * 4 + ["z"] * 4,
            **{"partition": [0, 1] * 4, "begin": [0, 0.5] * 4, "end": [0.5, 1] * 4},
            **{"target_id": [0, 0, 1, 1] * 2, "prediction_id": [0, 0, -1, -1] * 2},
            **{"iou": both(iou, 0), "precision": both(precision, None), "recall": both(recall, 0)},
        },
    )
    # Class 2: 7 points, 13 guessed. Class 5: 12 points, 6 guessed, all right.
    worked(
        done,
        "CLASSES",
        {
            "class": ["2", "5", "all classes"],
            "kind": ["class", "class", "mean"],
            "iou": [7 / 13, 6 / 12, mean((7 / 13, 6 / 12))],
            "precision": [7 / 13, 1, mean((7 / 13, 1))],
            "recall": [1, 6 / 12, mean((1, 6 / 12))],
        },
    )
    measured = dict.fromkeys(
        ("wallclock_s", "cpu_s", "memory_gb", "memory_increment_gb"), [...] * 5
    )
    steps = [
        "Read the file",
        "Match trees",
        "Metrics per partition",
        "Draw the crowns",
        "Whole run but writing",
    ]
    worked(done, "PERFORMANCE", {"step": steps, **measured})
