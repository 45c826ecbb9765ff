"""Compare core.point_cloud with pointtree 1.0.1 on random clouds.

Run it with a Python that has pointtree (and torch, torch_scatter) next to numpy, pandas, scipy and shapely:

    python benchmarks/compare_pointtree.py [clouds] [--record tests/core/instances/data/pointtree_cases.npz]

Prints how many answers were compared and every difference that has none of the reasons below, which are counted.

Of more than 16 targets pointtree does not keep equal heights in order of their ids: its sort is not stable, though its
matching depends on the order. Where a cloud differs, pointtree is asked again with a stable sort, and every answer must
then be the same; a brute-force matching decides that ours follow the rule.

pointtree's tp, fp and fn of point2tree and for_instance are wrong once a prediction has been taken by another target,
and with them the per-instance table and the means of evaluate_instance_segmentation; there a brute-force count
decides, and the number of clouds in which pointtree is wrong is printed. The keys ``<name>IoUAggregated`` that
pointtree documents but does not give are compared with those it gives in their place. ``--record`` keeps some of the
clouds with pointtree's answers for the tests.
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

# pointtree's Python need not have the package installed: the checkout is the package.
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
GREEDY = ("point2tree", "for_instance")
RECORDED = 60


def random_cloud(rng: np.random.Generator) -> dict[str, Any]:
    """A cloud of up to 60 trees whose labels have ties, misses, splits and merges, and every option drawn at random."""
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
    """Labels without gaps from ``start`` on; negative ones become ``invalid``."""
    code = np.unique(labels[labels >= 0], return_inverse=True)[1]
    result = np.full(len(labels), invalid, dtype=np.int64)
    result[labels >= 0] = code + start
    return result


def answers(library: Any, cloud: dict[str, Any]) -> dict[str, Any]:
    """All answers of one library, by name."""
    xyz, target, prediction = cloud["xyz"], cloud["target"].copy(), cloud["prediction"].copy()
    invalid, uncertain = cloud["invalid"], cloud["uncertain"]
    found: dict[str, Any] = {}
    for method in METHODS:
        matched_targets, matched_predictions, counts = library.match_instances(
            target,
            prediction,
            xyz,
            method,
            invalid_instance_id=invalid,
            uncertain_instance_id=uncertain,
            min_precision_fp=cloud["min_precision"],
            labeled_mask=cloud["mask"],
        )
        found[f"{method}/targets"], found[f"{method}/predictions"] = (
            matched_targets,
            matched_predictions,
        )
        for key, values in counts.items():
            found[f"{method}/{key}"] = values
        detected = library.instance_detection_metrics(
            target,
            prediction,
            matched_predictions,
            matched_targets,
            invalid_instance_id=invalid,
            uncertain_instance_id=uncertain,
        )
        found[f"{method}/detection"] = as_numbers(detected)
        means, rows = library.instance_segmentation_metrics(
            target,
            prediction,
            matched_predictions,
            invalid_instance_id=invalid,
            include_unmatched_instances=cloud["include"],
        )
        found[f"{method}/segmentation"], found[f"{method}/segmentation each"] = (
            as_numbers(means),
            as_table(rows),
        )
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
    if (target != invalid).any():
        turn = int(target.sum()) % len(METHODS)
        for number, detection in enumerate(METHODS):
            segmentation = METHODS[(number + turn) % len(METHODS)]
            tables = library.evaluate_instance_segmentation(
                xyz,
                target,
                prediction,
                detection_metrics_matching_method=detection,
                segmentation_metrics_matching_method=segmentation,
                include_unmatched_instances_in_seg_metrics=cloud["include"] != (number % 2 == 1),
                invalid_instance_id=invalid,
                uncertain_instance_id=uncertain,
                compute_partition_metrics=number != turn,
                num_partitions=cloud["bins"],
            )
            for place, table in enumerate(tables):
                found[f"evaluate {detection}/{segmentation}/{place}"] = (
                    {} if table is None else as_table(table)
                )
    names = {f"class {i}": i for i in range(invalid, 4)}
    for some in (
        {"one": [1, 2]},
        {"two": [0, 3], "three": [1, 2, 3], "four": [2]},
        {"none": [77]},
        {},
        None,
    ):
        metrics = dict(library.semantic_segmentation_metrics(target, prediction, names, some))
        for name in some or {}:
            for key in ("IoU", "Precision", "Recall"):
                metrics.setdefault(f"{name}{key}Aggregated", metrics[f"{name}{key}"])
        found[f"classes {some}"] = as_numbers({key: metrics[key] for key in sorted(metrics)})
    return found


def as_numbers(metrics: dict[str, float]) -> dict[str, float]:
    return {key: float(value) for key, value in metrics.items()}


def as_table(table: Any) -> dict[str, list[float]]:
    return {str(name): table[name].to_numpy(dtype=np.float64) for name in table.columns}


def differences(one: Any, other: Any) -> list[str]:
    """What differs between two answers, beyond the rounding of pointtree's single precision."""
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
    """tp, fp, fn of the matched pairs, by comparing the labels."""
    counts: dict[str, list[int]] = {"tp": [], "fp": [], "fn": []}
    for own, match in zip(targets, matches):
        of_target = cloud["target"] == own
        of_match = (cloud["prediction"] == match) & (match != cloud["invalid"])
        counts["tp"].append(int((of_target & of_match).sum()))
        counts["fp"].append(int((~of_target & of_match).sum()))
        counts["fn"].append(int((of_target & ~of_match).sum()))
    return {key: np.array(values, dtype=np.int64) for key, values in counts.items()}


def by_height(cloud: dict[str, Any], method: str) -> np.ndarray:
    """Match of each target where the tallest chooses first, of equal heights the lowest id, by comparing the labels."""
    target, prediction, invalid = cloud["target"], cloud["prediction"], cloud["invalid"]
    ids, free = (sorted(set(labels.tolist()) - {invalid}) for labels in (target, prediction))
    z = cloud["xyz"][:, 2]
    found = dict.fromkeys(ids, invalid)
    for own in sorted(ids, key=lambda i: -(z[target == i].max() - z[target == i].min())):
        shared = {other: ((target == own) & (prediction == other)).sum() for other in free}
        whole = {other: ((target == own) | (prediction == other)).sum() for other in free}
        iou = {
            other: np.float32(shared[other]) / np.float32(whole[other])
            for other in free
            if shared[other]
        }
        best = max(iou, key=lambda other: iou[other], default=invalid)
        if best != invalid and (method == "point2tree" or iou[best] >= 0.5):
            found[own] = best
            free.remove(best)
    return np.array([found[own] for own in ids], dtype=np.int64)


def with_stable_sort(theirs: Any, cloud: dict[str, Any]) -> dict[str, Any]:
    """pointtree's answers where equal heights keep the order of their ids."""
    import torch

    sort = torch.argsort
    torch.argsort = partial(sort, stable=True)
    try:
        return answers(theirs, cloud)
    finally:
        torch.argsort = sort


def corrected(cloud: dict[str, Any], answer: dict[str, Any], method: str) -> dict[str, Any]:
    """What pointtree would answer if its tp, fp, fn of ``method`` were those of its own matches."""
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
        true[name], true[name[:-1] + "0"] = rows, {**answer[name[:-1] + "0"], **means}
    return true


def clouds(number: int, seed: int = 0) -> Iterator[dict[str, Any]]:
    rng = np.random.default_rng(seed)
    for _ in range(number):
        yield random_cloud(rng)


def flat(answer: dict[str, Any]) -> np.ndarray:
    """All numbers of one library's answers, in a row."""
    parts = [
        flat(value) if isinstance(value, dict) else np.ravel(value) for value in answer.values()
    ]
    return np.concatenate(parts).astype(np.float32) if parts else np.empty(0, dtype=np.float32)


def record(cases: list[tuple[dict[str, Any], dict[str, Any]]], path: Path) -> None:
    """Keep clouds (their points one after the other) with pointtree's answers."""
    options = ("invalid", "uncertain", "min_precision", "include", "bins")
    answers_of_cases = [flat(answer) for _, answer in cases]
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


def recorded_cases(path: Path) -> Iterator[tuple[dict[str, Any], np.ndarray]]:
    """The clouds and answers that :func:`record` kept."""
    kept = np.load(path)
    ends, answer_ends = np.cumsum(kept["points"]), np.cumsum(kept["numbers"])
    for number, (invalid, uncertain, min_precision, include, bins) in enumerate(kept["options"]):
        rows = slice(ends[number] - kept["points"][number], ends[number])
        cloud = {
            "xyz": kept["xyz"][rows].astype(np.float32 if kept["single"][number] else np.float64),
            "target": kept["target"][rows].astype(np.int64),
            "prediction": kept["prediction"][rows].astype(np.int64),
            "mask": kept["mask"][rows] if kept["masked"][number] else None,
            "invalid": int(invalid),
            "uncertain": int(uncertain),
            "min_precision": float(min_precision),
            "include": bool(include),
            "bins": int(bins),
        }
        yield (
            cloud,
            kept["answers"][answer_ends[number] - kept["numbers"][number] : answer_ends[number]],
        )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("clouds", nargs="?", type=int, default=2000)
    parser.add_argument("--record", type=Path)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    import pointtree.evaluation as theirs

    compared, differing = 0, 0
    wrong: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    recorded: list[tuple[dict[str, Any], dict[str, Any]]] = []
    for number, cloud in enumerate(clouds(options.clouds)):
        one, other = answers(ours, cloud), answers(theirs, cloud)
        if any(
            differences(one[f"{method}/predictions"], other[f"{method}/predictions"])
            for method in GREEDY
        ):
            other = with_stable_sort(theirs, cloud)
            reasons["equal heights in another order than that of their ids"] += 1
        for method in GREEDY:
            if differences(by_height(cloud, method), one[f"{method}/predictions"]):
                differing += 1
                print(f"cloud {number}: {method} does not follow its rule")
            true = corrected(cloud, other, method)
            wrong[method] += any(differences(true[key], other[key]) for key in true)
            other.update(true)
        if options.record and len(recorded) < RECORDED and len(cloud["target"]) <= 60:
            recorded.append((cloud, other))
        for name, answer in other.items():
            compared += 1
            for text in differences(one[name], answer):
                differing += 1
                print(
                    f"cloud {number} ({len(cloud['target'])} points, {cloud['xyz'].dtype}), {name}: {text}"
                )
    print(
        f"{options.clouds} clouds, {compared} answers compared, {differing} differences without a reason"
    )
    print(f"clouds with a reason to differ: {dict(reasons)}")
    print(f"clouds in which pointtree's tp, fp, fn are not those of its own matches: {dict(wrong)}")
    if options.record:
        record(recorded, options.record)
    return 1 if differing else 0


if __name__ == "__main__":
    raise SystemExit(main())
