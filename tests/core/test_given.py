"""Whatever is given to a public function of the core, nothing but the product's own errors
comes of it.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any, Callable

import numpy as np
import pandas as pd
import pytest
import shapely
from support.errors import raises

from randcrowns.core import (
    Crowns,
    RandCrownsError,
    RandCrownsParameters,
    agreement,
    detectors,
    idtrees_scores,
    instances,
    score_crowns,
    score_pairs,
    target_regions,
    tuning,
)
from randcrowns.core.agreement.cooke import ANSWER_COLUMNS
from randcrowns.core.instances import pointtree
from randcrowns.core.validation import validate_arguments

WRONG = {
    "None": None,
    "text": "text",
    "fraction": 3.5,
    "NaN": float("nan"),
    "infinity": float("inf"),
    "too many digits": 10**30,
    "texts": ["a", "b"],
    "object": object(),
    "empty list": [],
    "dict": {},
    "ragged": [[1, 2], [3]],
    "complex": 1j,
    "array of one": np.array(5),
    "three dimensions": np.zeros((2, 2, 2)),
    "bytes": b"x",
    "set": {1},
    "nothings": [None, None],
    "negative": -1,
    "dates": np.array(["2020-01-01"], dtype="datetime64[D]"),
    "function": len,
    "point": shapely.Point(0, 0),
    "table": pd.DataFrame({"a": [1]}),
}

PARAMETERS = RandCrownsParameters(0.7, 1.2, 3)
TREES = [shapely.box(0, 0, 5, 5), shapely.box(10, 0, 15, 5)]
DRAWN = [shapely.box(1, 0, 6, 5), shapely.box(10, 1, 15, 6)]
EXTENT = (0, 0, 20, 20)
AREA = shapely.box(*EXTENT)
STACK = np.array([[1, 1, 0, 0, 1], [1, 0, 0, 1, 1], [1, 1, 0, 1, 0]])
VOTES = agreement.VoteTable.from_stack(STACK)
FACES = agreement.VoteTable.from_polygons([TREES, DRAWN])
TABLE = instances.OverlapTable.from_labels([0, 0, 0, 1], [0, 0, 1, 1])
RNG = np.random.default_rng(0)
SCORE, TRUTH = RNG.random(50), RNG.random(50) > 0.5
SCORES, TRUTHS = {"a": SCORE, "b": RNG.random(50)}, {"t": TRUTH, "u": RNG.random(50) > 0.4}
ROW_OF_VOTES = agreement.VoteTable.from_stack(RNG.random((3, 50)) > 0.5)
GRID, IMAGE = RNG.random((3, 12, 12)) > 0.5, RNG.random((3, 12, 12))
GRID_VOTES = agreement.VoteTable.from_stack(GRID)
XYZ, TREE = RNG.random((40, 3)) * 5, np.repeat([0, 1], 20)
FOUND = np.roll(TREE, 3)
ONES, EVERYWHERE = np.ones(50), np.ones(50, dtype=bool)
SKEW = {"min_skew": 0.1, "max_skew": 0.5}
LABELS = {"target": TREE, "prediction": FOUND}
ANSWERS = pd.DataFrame(
    [("a", 1, 4, 5, 6, 5.5), ("b", 1, 1, 2, 3, 5.5)], columns=list(ANSWER_COLUMNS)
)

CALLS: list[tuple[Callable[..., Any], dict[str, Any]]] = [
    (Crowns, {"geometry": TREES, "ids": [1, 2], "plots": ["a", "b"]}),
    (
        RandCrownsParameters,
        {"alpha": 0.7, "omega": 1.2, "gamma": 3.0, "offsets": "auto", "quad_segs": 16},
    ),
    (
        score_pairs,
        {"targets": TREES, "delineations": DRAWN, "parameters": PARAMETERS, "extent": EXTENT},
    ),
    (target_regions, {"targets": TREES, "parameters": PARAMETERS, "extent": EXTENT}),
    (
        score_crowns,
        {
            "targets": TREES,
            "delineations": DRAWN,
            "parameters": PARAMETERS,
            "pairing": "nearest",
            "extent": EXTENT,
            "plots": (["a", "a"], ["a", "a"]),
            "search_radius": 3.0,
            "iou_thresholds": (0.4, 0.5),
            "randcrowns_threshold": 0.5,
        },
    ),
    (idtrees_scores, {"targets": TREES, "submissions": DRAWN, "bounds": EXTENT, "image_size": 200}),
    (
        agreement.VoteTable.from_stack,
        {"stack": STACK, "mask": np.zeros(5, bool), "names": ["a", "b", "c"], "pixel_area": 1.0},
    ),
    (agreement.VoteTable.from_polygons, {"layers": [TREES, DRAWN], "area": AREA}),
    *(
        (measure, {"votes": VOTES})
        for measure in (
            agreement.agreement_ratio,
            agreement.smyth_bound,
            agreement.pairwise_f1,
            agreement.agreement_coefficients,
            agreement.outliers,
            agreement.dendrogram,
            agreement.leave_one_out,
        )
    ),
    (agreement.agreement_summary, {"votes": ROW_OF_VOTES, "n_resamples": 20}),
    (agreement.outlier_test, {"votes": ROW_OF_VOTES, "seed": 0}),
    (agreement.annotator_instances, {"layers": [TREES, DRAWN], "area": AREA}),
    (agreement.annotator_statistics, {"votes": VOTES, "consensus": VOTES.patterns[:, 0]}),
    (agreement.differences, {"votes": FACES, "first": 0, "second": 1}),
    (agreement.disagreements, {"votes": FACES, "min_area": 0.0}),
    (
        agreement.image_correlations,
        {"votes": GRID[0], "image": IMAGE, "rgb": (0, 1, 2), "white": 1.0, "window": 3},
    ),
    (agreement.consensus_at_level, {"votes": VOTES, "share": 0.5}),
    (agreement.crown_consensus, {"layers": {"ann": TREES, "ben": DRAWN}}),
    (
        agreement.level_set,
        {"votes": GRID_VOTES, "max_iterations": 5, "stable_rounds": 2, "curvature": 0.0},
    ),
    (agreement.marked_polygons, {"votes": FACES, "marked": FACES.patterns[:, 0]}),
    (
        agreement.cooke_weights,
        {"answers": ANSWERS, "annotators": ["a", "b"], "cutoff": 0.0},
    ),
    (agreement.weighted_vote, {"votes": VOTES, "weights": np.full(VOTES.n_annotators, 0.5)}),
    (agreement.simple_vote, {"votes": VOTES, "factor": 1.0, "rule": "deviation"}),
    (agreement.staple, {"votes": VOTES, "prior": "any", "max_iterations": 10}),
    (agreement.staple_priors, {"votes": VOTES, "priors": [0.2, 0.3]}),
    (detectors.Tolerance, {"distance": 1.0, "pixel_height": 1.0, "pixel_width": 1.0}),
    (
        detectors.correlate_with_agreement,
        {"score": SCORE, "votes": TRUTH, "weight": ONES, "valid": EVERYWHERE, "level": 0.95},
    ),
    (detectors.aucr, {"score": SCORE, "truth": TRUTH, **SKEW, "weight": ONES, "valid": EVERYWHERE}),
    (detectors.p_bar, {"t": 0.5, "f": 0.2, **SKEW}),
    (
        detectors.overlay_detectors,
        {
            "annotators": {"a": TREES},
            "detectors": {"d": (DRAWN, [0.5, 0.7])},
            "area": AREA,
            "tile_side": 5.0,
        },
    ),
    (
        detectors.rank_crown_detectors,
        {
            "targets": {"t": Crowns(TREES)},
            "detections": {"d": (Crowns(DRAWN), np.array([0.5, 0.7]))},
            "parameters": PARAMETERS,
            "threshold": 0.5,
            "score": "iou",
        },
    ),
    (
        detectors.find_unmarked_places,
        {
            "annotators": {"t": Crowns(TREES)},
            "detections": {
                "d": (Crowns(DRAWN), np.array([0.5, 0.7])),
                "e": (Crowns(DRAWN), np.array([0.5, 0.7])),
            },
            "match_iou": 0.5,
        },
    ),
    (
        detectors.rank_detectors,
        {"scores": SCORES, "truths": TRUTHS, **SKEW, "weight": ONES, "valid": EVERYWHERE},
    ),
    (
        detectors.bootstrap_ranking,
        {
            "scores": SCORES,
            "votes": ROW_OF_VOTES,
            "tiles": np.arange(50) // 5,
            **SKEW,
            "resamples": 20,
            "max_thresholds": 50,
            "seed": 0,
        },
    ),
    (detectors.roc_points, {"score": SCORE, "truth": TRUTH}),
    (detectors.estimate_skew_limits, {"fractions": [0.1, 0.2]}),
    (instances.OverlapTable.from_labels, {**LABELS, "invalid_id": -1}),
    (instances.polygon_overlap, {"targets": Crowns(TREES), "predictions": Crowns(DRAWN)}),
    (instances.match_instances, {"table": TABLE, "method": "tree_learn", "inputs": [3.0, 4.0]}),
    (instances.match_one_to_one, {"table": TABLE, "method": "panoptic_segmentation"}),
    (instances.count_splits, {"table": TABLE, "min_share": 0.5}),
    (instances.count_merges, {"table": TABLE, "min_share": 0.5}),
    (instances.panoptic_quality, {"table": TABLE}),
    (instances.coco_metrics, {"table": TABLE, "score": [0.5, 0.6]}),
    (instances.ignored_shares, {"ignored": Crowns(TREES), "predictions": Crowns(DRAWN)}),
    (
        instances.point_recall,
        {"points": shapely.points([[1.0, 1.0], [20.0, 20.0]]), "predictions": Crowns(TREES)},
    ),
    (instances.threshold_table, {"table": TABLE, "score": [0.5, 0.6], "thresholds": [0.5, 0.6]}),
    (
        instances.semantic_segmentation_metrics,
        {
            "target": [0, 1, 1],
            "prediction": [0, 1, 0],
            "class_map": {"a": 0, "b": 1},
            "aggregate_classes": {"c": [0, 1]},
        },
    ),
    (
        pointtree.evaluate_instance_segmentation,
        {
            "xyz": XYZ,
            **LABELS,
            "detection_metrics_matching_method": "panoptic_segmentation",
            "invalid_instance_id": -1,
            "num_partitions": 3,
        },
    ),
    (
        pointtree.instance_detection_metrics,
        {**LABELS, "matched_predicted_ids": [0, 1], "matched_target_ids": [0, 1]},
    ),
    (pointtree.instance_segmentation_metrics, {**LABELS, "matched_predicted_ids": [0, 1]}),
    (
        pointtree.instance_segmentation_metrics_per_partition,
        {
            "xyz": XYZ,
            **LABELS,
            "matched_predicted_ids": [0, 1],
            "partition": "xy",
            "num_partitions": 3,
        },
    ),
    (
        pointtree.match_instances,
        {**LABELS, "xyz": XYZ, "method": "panoptic_segmentation", "min_tree_height_fp": 0.0},
    ),
    (
        tuning.annotator_variance,
        {
            "annotators": [Crowns(TREES), Crowns(DRAWN)],
            "parameters": PARAMETERS,
            "extent": EXTENT,
            "min_iou": 0.1,
        },
    ),
    (
        tuning.search_grid,
        {
            "annotators": [Crowns(TREES), Crowns(DRAWN), Crowns(DRAWN)],
            "alphas": [0.5],
            "omegas": [0.5],
            "gammas": [1.0],
            "max_wrong_score": 0.5,
            "max_excluded": 0.05,
            "min_iou": 0.1,
            "offsets": "auto",
        },
    ),
    (
        tuning.score_warped_targets,
        {
            "targets": Crowns(TREES),
            "delineations": Crowns(DRAWN),
            "scores": score_crowns(Crowns(TREES), Crowns(DRAWN), PARAMETERS),
            "parameters": PARAMETERS,
            "n_copies": 2,
        },
    ),
    (
        tuning.simulate_annotators,
        {
            "drawing": Crowns(TREES),
            "n_copies": 2,
            "scale_sd": 0.1,
            "rotation_sd": 1.0,
            "shift_sd": 0.1,
            "seed": 0,
        },
    ),
]


@pytest.mark.parametrize(
    ("function", "right"), CALLS, ids=[function.__qualname__ for function, _ in CALLS]
)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_wrong_argument_raises_nothing_but_our_own_errors(
    function: Callable[..., Any], right: dict
) -> None:
    assert function(**right) is not None
    refused = 0
    for name in right:
        for value in WRONG.values():
            try:
                function(**{**right, name: value})
            except RandCrownsError as error:
                refused += str(error).endswith(".")
    assert refused >= len(right) * len(WRONG) / 3


def test_every_function_of_the_public_names_that_takes_data_is_among_them() -> None:
    tried = {function.__qualname__.rpartition(".")[2] for function, _ in CALLS}
    public = {
        name
        for package in (agreement, detectors, instances, tuning, pointtree)
        for name in package.__all__
        if callable(getattr(package, name)) and name[0].islower()
    }
    made_of_results = {
        "average_precision",
        "select_crowns",
        "interpolate_curves",
        "count_crowns",
        "read_answers",
        "count_detections",
        "detection_metrics",
        "select_pairs",
        "kendall_tau",
        "segmentation_means",
        "segmentation_table",
        "summarise_instances",
    }
    assert public - tried == made_of_results


@pytest.mark.parametrize(
    ("function", "right"),
    [
        (function, right)
        for function, right in CALLS
        if "progress" in inspect.signature(function).parameters
    ],
    ids=lambda one: getattr(one, "__qualname__", ""),
)
def test_progress_rises_from_0_to_1_at_most(function: Callable[..., Any], right: dict) -> None:
    told: list[float] = []
    function(**right, progress=told.append)
    assert told == sorted(told)
    assert all(0 <= fraction <= 1 + 1e-12 for fraction in told)


def test_the_sentence_names_the_argument_and_what_it_must_be() -> None:
    @validate_arguments
    def grown(
        crowns: Crowns, by: float | None = None, times: int = 1, names: Sequence[str] = ()
    ) -> Any:
        return by, times

    trees = Crowns(TREES)
    assert grown(trees, np.float32(0.5), np.int64(3)) == (0.5, 3)
    assert [type(value) for value in grown(trees, 2, 3.0)] == [float, int]
    assert grown(trees) == (None, 1)
    for arguments, name, expected, value in (
        ((TREES,), "crowns", "Crowns", "a list"),
        ((trees, "1"), "by", "a number or None", "'1'"),
        ((trees, 1.0, 1.5), "times", "a whole number", "1.5"),
        ((trees, 1.0, True, [1]), "names", "a list of texts", "a list"),
    ):
        values = {"name": f"grown: {name}", "expected": expected, "value": value}
        with raises("argument.wrong_type", **values):
            grown(*arguments)
    with pytest.raises(TypeError, match="unexpected keyword"):
        grown(trees, further=1)
