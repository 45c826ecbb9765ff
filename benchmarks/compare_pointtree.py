"""Compare core.instances.pointtree with pointtree 1.0.1 on random clouds.

Run it with a Python that has pointtree (and torch, torch_scatter), numpy, pandas, scipy and
shapely::

    python benchmarks/compare_pointtree.py [clouds]
        [--record tests/core/instances/data/pointtree_cases.npz]

The script prints the number of compared answers and every difference without a known reason.
``--record`` saves some of the clouds with pointtree's answers for the tests. Known reasons:

Order of equal heights. pointtree's matching depends on the order of the targets, but its sort is
not stable for more than 16 targets. Where a cloud differs, pointtree runs again with a stable
sort, and every answer must then be equal. A brute-force matching confirms that ours follows the
rule.

Counts of pointtree. Its tp, fp and fn of point2tree and for_instance are wrong once a prediction
has been matched with another target, and with them the table of instances and the means of
evaluate_instance_segmentation. A brute-force count replaces them, and the number of such clouds is
printed.

Missing keys. The keys ``<name>IoUAggregated`` are documented but not returned; they are compared
with the keys that pointtree returns in their place.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
import types
import warnings
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

# The Python of pointtree may lack the package randcrowns; the checkout is the package.
if importlib.util.find_spec("randcrowns") is None:
    sys.modules["randcrowns"] = package = types.ModuleType("randcrowns")
    package.__path__ = [str(Path(__file__).resolve().parents[1])]

from randcrowns.core.instances import pointtree as ours

METHODS = (
    "panoptic_segmentation",
    "point2tree",
    "for_instance",
    "for_ai_net",
    "for_ai_net_coverage",
    "tree_learn",
)
#: Methods in which the tallest target chooses first.
GREEDY = ("point2tree", "for_instance")
#: Number of clouds that are recorded.
RECORDED = 60


def random_cloud(rng: np.random.Generator) -> dict[str, Any]:
    """Return a random cloud of up to 60 trees with ties, misses, splits and merges.

    Returns:
        ``xyz``, (n, 3) coordinates; ``target`` and ``prediction``, (n,) ids; ``mask``, (n,)
        labelled points or None; and the options ``invalid``, ``uncertain``, ``min_precision``,
        ``include`` and ``bins`` of the functions under test.
    """
    n = int(rng.choice([1, 2, 5, 20, 60, 200, 600]))
    n_targets, n_predictions = (int(rng.integers(1, rng.choice([12, 61]))) for _ in range(2))
    invalid = int(rng.choice([-1, -1, -1, -7, 0]))
    start = int(rng.choice([invalid + 1, invalid + 1, invalid + 5]))
    target = rng.integers(-1, n_targets, n)
    kind = rng.integers(4)
    prediction = rng.integers(-1, n_predictions, n)
    if kind == 1:
        prediction = np.where(rng.random(n) < 0.7, target, prediction)
    elif kind == 2:
        prediction = np.where(rng.random(n) < 0.8, target // 2, prediction)
    elif kind == 3:
        prediction = np.where(rng.random(n) < 0.9, 2 * target + (rng.random(n) < 0.4), prediction)
        prediction = np.maximum(prediction, -1)
    share = rng.choice([0.0, 0.2, 1.0], p=[0.6, 0.3, 0.1])
    prediction = np.where(rng.random(n) < share, -1, prediction)
    xyz = rng.normal(0, 3, (n, 3)) + 2.0 * rng.integers(0, 4, (n, 1))
    if rng.random() < 0.3:
        xyz = np.round(xyz, 1)
    if rng.random() < 0.3:
        xyz[:, 2] = rng.integers(0, 3, n)
    if rng.random() < 0.3:
        xyz = xyz.astype(np.float32)
    return {
        "xyz": np.ascontiguousarray(xyz),
        "target": renumbered(target, start, invalid),
        "prediction": renumbered(prediction, start, invalid),
        "invalid": invalid,
        "uncertain": invalid - int(rng.integers(0, 3)),
        "min_precision": float(rng.choice([0.0, 0.3, 0.5])),
        "mask": rng.random(n) < 0.5 if rng.random() < 0.5 else None,
        "include": bool(rng.random() < 0.5),
        "bins": int(rng.choice([1, 4, 10])),
    }


def renumbered(labels: np.ndarray, start: int, invalid: int) -> np.ndarray:
    """Return labels renumbered without gaps from ``start``; negative ones become ``invalid``."""
    code = np.unique(labels[labels >= 0], return_inverse=True)[1]
    result = np.full(len(labels), invalid, dtype=np.int64)
    result[labels >= 0] = code + start
    return result


def collect_answers(library: Any, cloud: dict[str, Any]) -> dict[str, Any]:
    """Return all answers of a library on a cloud, by name.

    Args:
        library: pointtree.evaluation or the module with the same functions.
        cloud: see :func:`random_cloud`.
    """
    # Each library gets its own copy, which it may change.
    cloud = {**cloud, "target": cloud["target"].copy(), "prediction": cloud["prediction"].copy()}
    found: dict[str, Any] = {}
    for method in METHODS:
        found.update(_method_answers(library, cloud, method))
    if (cloud["target"] != cloud["invalid"]).any():
        found.update(_evaluation_answers(library, cloud))
    found.update(_semantic_answers(library, cloud))
    return found


def _method_answers(library: Any, cloud: dict[str, Any], method: str) -> dict[str, Any]:
    """Return the matches of a method and all metrics that follow from them, by name."""
    xyz = cloud["xyz"]
    target = cloud["target"]
    prediction = cloud["prediction"]
    invalid = cloud["invalid"]
    matched_targets, matched_predictions, counts = library.match_instances(
        target,
        prediction,
        xyz,
        method,
        invalid_instance_id=invalid,
        uncertain_instance_id=cloud["uncertain"],
        min_precision_fp=cloud["min_precision"],
        labeled_mask=cloud["mask"],
    )
    found: dict[str, Any] = {
        f"{method}/targets": matched_targets,
        f"{method}/predictions": matched_predictions,
    }
    for key, values in counts.items():
        found[f"{method}/{key}"] = values

    detection = library.instance_detection_metrics(
        target,
        prediction,
        matched_predictions,
        matched_targets,
        invalid_instance_id=invalid,
        uncertain_instance_id=cloud["uncertain"],
    )
    found[f"{method}/detection"] = as_numbers(detection)
    means, instances = library.instance_segmentation_metrics(
        target,
        prediction,
        matched_predictions,
        invalid_instance_id=invalid,
        include_unmatched_instances=cloud["include"],
    )
    found[f"{method}/segmentation"] = as_numbers(means)
    found[f"{method}/segmentation each"] = as_table(instances)
    for axis in ("xy", "z"):
        tables = library.instance_segmentation_metrics_per_partition(
            xyz,
            target,
            prediction,
            matched_predictions,
            axis,
            cloud["include"],
            invalid,
            cloud["bins"],
        )
        for name, table in zip(("means", "each"), tables):
            found[f"{method}/{axis} {name}"] = as_table(table)
    return found


def _evaluation_answers(library: Any, cloud: dict[str, Any]) -> dict[str, Any]:
    """Return the tables of evaluate_instance_segmentation, by name.

    Every method matches for detection once, and for segmentation once.
    """
    found: dict[str, Any] = {}
    shift = int(cloud["target"].sum()) % len(METHODS)
    for number, detection in enumerate(METHODS):
        segmentation = METHODS[(number + shift) % len(METHODS)]
        tables = library.evaluate_instance_segmentation(
            cloud["xyz"],
            cloud["target"],
            cloud["prediction"],
            detection_metrics_matching_method=detection,
            segmentation_metrics_matching_method=segmentation,
            include_unmatched_instances_in_seg_metrics=cloud["include"] != (number % 2 == 1),
            invalid_instance_id=cloud["invalid"],
            uncertain_instance_id=cloud["uncertain"],
            compute_partition_metrics=number != shift,
            num_partitions=cloud["bins"],
        )
        for index, table in enumerate(tables):
            name = f"evaluate {detection}/{segmentation}/{index}"
            found[name] = {} if table is None else as_table(table)
    return found


def _semantic_answers(library: Any, cloud: dict[str, Any]) -> dict[str, Any]:
    """Return the metrics of semantic_segmentation_metrics under several groups, by name."""
    found: dict[str, Any] = {}
    classes = {f"class {i}": i for i in range(cloud["invalid"], 4)}
    for aggregated in (
        {"one": [1, 2]},
        {"two": [0, 3], "three": [1, 2, 3], "four": [2]},
        {"none": [77]},
        {},
        None,
    ):
        metrics = dict(
            library.semantic_segmentation_metrics(
                cloud["target"], cloud["prediction"], classes, aggregated
            )
        )
        for name in aggregated or {}:
            for key in ("IoU", "Precision", "Recall"):
                metrics.setdefault(f"{name}{key}Aggregated", metrics[f"{name}{key}"])
        found[f"classes {aggregated}"] = as_numbers({key: metrics[key] for key in sorted(metrics)})
    return found


def as_numbers(metrics: dict[str, float]) -> dict[str, float]:
    """Return metrics as Python numbers."""
    return {key: float(value) for key, value in metrics.items()}


def as_table(table: Any) -> dict[str, np.ndarray]:
    """Return the columns of a data frame as arrays of floats, by name."""
    return {str(name): table[name].to_numpy(dtype=np.float64) for name in table.columns}


def differences(one: Any, other: Any) -> list[str]:
    """Return the differences of two answers, beyond the rounding of single precision.

    Args:
        one: an array, a number, or a dict of answers.
        other: the answer of the other library.
    """
    if isinstance(one, dict):
        if list(one) != list(other):
            return [f"names {list(one)} and {list(other)}"]
        return [f"{key}: {text}" for key in one for text in differences(one[key], other[key])]
    a, b = np.asarray(one, dtype=np.float64), np.asarray(other, dtype=np.float64)
    if a.shape != b.shape:
        return [f"shapes {a.shape} and {b.shape}"]
    if np.allclose(a, b, rtol=1e-6, atol=0, equal_nan=True):
        return []
    return [f"{a} and {b}"]


def counted(cloud: dict[str, Any], targets: Any, matches: Any) -> dict[str, np.ndarray]:
    """Return tp, fp and fn of matched pairs, by comparing the labels of all points.

    Args:
        cloud: see :func:`random_cloud`.
        targets: (m,) ids of targets.
        matches: (m,) id of each target's prediction.
    """
    counts: dict[str, list[int]] = {"tp": [], "fp": [], "fn": []}
    for target, match in zip(targets, matches):
        in_target = cloud["target"] == target
        in_match = (cloud["prediction"] == match) & (match != cloud["invalid"])
        counts["tp"].append(int((in_target & in_match).sum()))
        counts["fp"].append(int((~in_target & in_match).sum()))
        counts["fn"].append(int((in_target & ~in_match).sum()))
    return {key: np.array(values, dtype=np.int64) for key, values in counts.items()}


def by_height(cloud: dict[str, Any], method: str) -> np.ndarray:
    """Return the match of each target by brute force.

    The tallest target chooses first, of equal heights the lowest id.

    Args:
        cloud: see :func:`random_cloud`.
        method: one of GREEDY.

    Returns:
        (m,) id of each target's prediction, in the order of the targets' ids.
    """
    target = cloud["target"]
    prediction = cloud["prediction"]
    invalid = cloud["invalid"]
    target_ids, free = (sorted(set(labels.tolist()) - {invalid}) for labels in (target, prediction))
    z = cloud["xyz"][:, 2]

    def negative_height(target_id: int) -> float:
        heights = z[target == target_id]
        return -(heights.max() - heights.min())

    matches = dict.fromkeys(target_ids, invalid)
    for target_id in sorted(target_ids, key=negative_height):
        iou = {}
        for prediction_id in free:
            shared = ((target == target_id) & (prediction == prediction_id)).sum()
            union = ((target == target_id) | (prediction == prediction_id)).sum()
            if shared:
                iou[prediction_id] = np.float32(shared) / np.float32(union)
        best = max(iou, key=lambda prediction_id: iou[prediction_id], default=invalid)
        if best != invalid and (method == "point2tree" or iou[best] >= 0.5):
            matches[target_id] = best
            free.remove(best)
    return np.array([matches[target_id] for target_id in target_ids], dtype=np.int64)


def with_stable_sort(theirs: Any, cloud: dict[str, Any]) -> dict[str, Any]:
    """Return pointtree's answers with a sort that preserves the order of equal heights."""
    import torch

    sort = torch.argsort
    torch.argsort = partial(sort, is_stable=True)
    try:
        return collect_answers(theirs, cloud)
    finally:
        torch.argsort = sort


def corrected(cloud: dict[str, Any], answer: dict[str, Any], method: str) -> dict[str, Any]:
    """Return the answers of pointtree that depend on tp, fp and fn of a method, corrected.

    The counts are those of pointtree's own matches.

    Args:
        cloud: see :func:`random_cloud`.
        answer: pointtree's answers.
        method: one of GREEDY.
    """
    ids = np.unique(cloud["target"][cloud["target"] != cloud["invalid"]])
    counts = counted(cloud, ids, answer[f"{method}/predictions"])
    true: dict[str, Any] = {f"{method}/{key}": values for key, values in counts.items()}
    for name in answer:
        if not name.endswith(f"/{method}/1"):
            continue
        rows = dict(answer[name])
        tp, fp, fn = counted(cloud, rows["TargetID"], rows["PredictionID"]).values()
        with np.errstate(invalid="ignore"):
            rows.update(IoU=tp / (tp + fp + fn), Precision=tp / (tp + fp), Recall=tp / (tp + fn))
        means = {
            f"SegmentationMean{key}": [np.nanmean(rows[key])]
            for key in ("IoU", "Precision", "Recall")
        }
        means_name = name[:-1] + "0"
        true[name] = rows
        true[means_name] = {**answer[means_name], **means}
    return true


def clouds(number: int, seed: int = 0) -> Iterator[dict[str, Any]]:
    """Yield a number of random clouds."""
    rng = np.random.default_rng(seed)
    for _ in range(number):
        yield random_cloud(rng)


def flatten_answers(answer: dict[str, Any]) -> np.ndarray:
    """Return all numbers of a library's answers as one array."""
    parts = [
        flatten_answers(value) if isinstance(value, dict) else np.ravel(value)
        for value in answer.values()
    ]
    return np.concatenate(parts).astype(np.float32) if parts else np.empty(0, dtype=np.float32)


def record(cases: list[tuple[dict[str, Any], dict[str, Any]]], path: Path) -> None:
    """Write clouds and pointtree's answers to a file; points and numbers are concatenated.

    Args:
        cases: pairs of a cloud and pointtree's answers.
        path: path of the npz file.
    """
    options = ("invalid", "uncertain", "min_precision", "include", "bins")
    answers_of_cases = [flatten_answers(answer) for _, answer in cases]
    np.savez_compressed(
        path,
        options=np.array([[float(cloud[name]) for name in options] for cloud, _ in cases]),
        single=np.array([cloud["xyz"].dtype == np.float32 for cloud, _ in cases]),
        masked=np.array([cloud["mask"] is not None for cloud, _ in cases]),
        points=np.array([len(cloud["target"]) for cloud, _ in cases]),
        numbers=np.array([len(answer) for answer in answers_of_cases]),
        xyz=np.concatenate([cloud["xyz"].astype(np.float64) for cloud, _ in cases]),
        target=np.concatenate([cloud["target"] for cloud, _ in cases]).astype(np.int8),
        prediction=np.concatenate([cloud["prediction"] for cloud, _ in cases]).astype(np.int8),
        mask=np.concatenate(
            [
                np.zeros(len(cloud["target"]), bool) if cloud["mask"] is None else cloud["mask"]
                for cloud, _ in cases
            ]
        ),
        answers=np.concatenate(answers_of_cases),
    )


def read_recorded_cases(path: Path) -> Iterator[tuple[dict[str, Any], np.ndarray]]:
    """Yield each cloud in a file of :func:`record`, with all numbers of pointtree's answers."""
    saved = np.load(path)
    point_ends = np.cumsum(saved["points"])
    answer_ends = np.cumsum(saved["numbers"])
    for number, (invalid, uncertain, min_precision, include, bins) in enumerate(saved["options"]):
        points = slice(point_ends[number] - saved["points"][number], point_ends[number])
        numbers = slice(answer_ends[number] - saved["numbers"][number], answer_ends[number])
        cloud = {
            "xyz": saved["xyz"][points].astype(
                np.float32 if saved["single"][number] else np.float64
            ),
            "target": saved["target"][points].astype(np.int64),
            "prediction": saved["prediction"][points].astype(np.int64),
            "mask": saved["mask"][points] if saved["masked"][number] else None,
            "invalid": int(invalid),
            "uncertain": int(uncertain),
            "min_precision": float(min_precision),
            "include": bool(include),
            "bins": int(bins),
        }
        yield cloud, saved["answers"][numbers]


def main() -> int:
    """Compare the libraries and print the differences.

    Returns:
        Exit status: 1 if there is a difference without a known reason, else 0.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("clouds", nargs="?", type=int, default=2000)
    parser.add_argument("--record", type=Path)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    import pointtree.evaluation as theirs

    n_compared = 0
    n_resorted = 0
    n_differing = 0
    wrong_counts: Counter[str] = Counter()
    recorded: list[tuple[dict[str, Any], dict[str, Any]]] = []
    for number, cloud in enumerate(clouds(options.clouds)):
        own_answers = collect_answers(ours, cloud)
        peer_answers = collect_answers(theirs, cloud)
        if any(
            differences(own_answers[f"{method}/predictions"], peer_answers[f"{method}/predictions"])
            for method in GREEDY
        ):
            peer_answers = with_stable_sort(theirs, cloud)
            n_resorted += 1
        found: list[str] = []
        for method in GREEDY:
            if differences(by_height(cloud, method), own_answers[f"{method}/predictions"]):
                found.append(f"{method} does not follow its rule")
            true = corrected(cloud, peer_answers, method)
            wrong_counts[method] += any(differences(true[key], peer_answers[key]) for key in true)
            peer_answers.update(true)
        if options.record and len(recorded) < RECORDED and len(cloud["target"]) <= 60:
            recorded.append((cloud, peer_answers))
        n_compared += len(peer_answers)
        for name, answer in peer_answers.items():
            found += [f"{name}: {text}" for text in differences(own_answers[name], answer)]
        n_differing += len(found)
        for text in found:
            size = f"{len(cloud['target'])} points, {cloud['xyz'].dtype}"
            print(f"cloud {number} ({size}), {text}")

    print(
        f"{options.clouds} clouds, {n_compared} answers compared, "
        f"{n_differing} differences without a known reason"
    )
    print(f"clouds with equal heights in another order than that of their ids: {n_resorted}")
    print(f"clouds in which pointtree miscounts tp, fp, fn of its matches: {dict(wrong_counts)}")
    if options.record:
        record(recorded, options.record)
    return 1 if n_differing else 0


if __name__ == "__main__":
    raise SystemExit(main())
