"""Measure COCO's average precision next to pycocotools, faster-coco-eval and hotcoco.

The peers in ``benchmarks/requirements.txt`` are measured if they are installed. All receive the
boxes in memory; reading files is not measured::

    python benchmarks/bench_coco.py
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from typing import Any, Callable, NamedTuple

import numpy as np
import shapely
from table import Row, measure_alternating, measure_time, report_rows

from randcrowns.core.arrays import Floats, Ints
from randcrowns.core.crowns import Crowns
from randcrowns.core.instances.average_precision import coco_metrics
from randcrowns.core.instances.overlap import polygon_overlap

#: Numbers of images; each has as many targets and detections as COCO evaluates.
N_IMAGES = (1_000, 10_000)
PER_IMAGE = 100
#: Number of images up to which all peers are measured, and the only peer of more.
MAX_PEER_IMAGES = 1_000
PEER_OF_MANY = "hotcoco"


class Detections(NamedTuple):
    """Boxes of n targets and n detections; each image lies in a place of its own.

    Attributes:
        image: (n,) image of each target and of each detection.
        targets: (n, 4) left, bottom, width and height in the image, pixels.
        detections: (n, 4) the same of the detections.
        score: (n,) scores of the detections.
    """

    image: Ints
    targets: Floats
    detections: Floats
    score: Floats


def simulate(n_images: int) -> Detections:
    """Return detections that are displaced and resized targets."""
    rng = np.random.default_rng(0)
    n = n_images * PER_IMAGE
    corner = rng.uniform(0, 900, (n, 2))
    size = rng.uniform(20, 90, (n, 2))
    return Detections(
        image=np.repeat(np.arange(n_images), PER_IMAGE),
        targets=np.hstack([corner, size]),
        detections=np.hstack(
            [corner + rng.normal(0, 5, (n, 2)), size * rng.uniform(0.8, 1.2, (n, 2))]
        ),
        score=rng.random(n),
    )


def rows() -> Iterator[Row]:
    """Yield one row per peer, and one of many images without a peer."""
    for n_images in N_IMAGES:
        data = simulate(n_images)
        conditions = f"{n_images:,} images with {PER_IMAGE} targets and as many detections"
        crowns = _crowns(data.image, data.targets), _crowns(data.image, data.detections)
        plots = data.image, data.image

        def own(crowns=crowns, data=data, plots=plots) -> Any:  # type: ignore[no-untyped-def]
            return coco_metrics(polygon_overlap(*crowns), data.score, plots=plots)

        is_large = n_images > MAX_PEER_IMAGES
        if is_large and not importlib.util.find_spec(PEER_OF_MANY):
            yield Row("COCO's average precision", measure_time(own), conditions=conditions)
            continue
        for name, evaluate in _peers(data):
            if is_large and name != PEER_OF_MANY:
                continue
            values: list[float] = []
            own_time, peer_time = measure_alternating(
                own,
                lambda evaluate=evaluate, values=values: values.append(evaluate()),
                repeats=1,
            )
            difference = abs(own().ap - values[0])
            yield Row(
                "COCO's average precision",
                own_time,
                name,
                peer_time,
                conditions=f"{conditions}; AP within {difference:.0e}",
            )


def _crowns(image: Ints, boxes: Floats) -> Crowns:
    """Return boxes as crowns, each image 1,000 pixels from the next one."""
    offset = 1000.0 * np.column_stack([image % 100, image // 100])
    lower = boxes[:, :2] + offset
    return Crowns(shapely.box(*lower.T, *(lower + boxes[:, 2:]).T))


def _peers(data: Detections) -> Iterator[tuple[str, Callable[[], float]]]:
    """Yield the name of each installed peer and a function that returns its AP."""
    truth, results = _as_coco(data)
    if importlib.util.find_spec("pycocotools"):
        from pycocotools.coco import COCO
        from pycocotools.cocoeval import COCOeval

        yield "pycocotools", lambda: _evaluate(COCO, COCOeval, truth, results)
    if importlib.util.find_spec("faster_coco_eval"):
        from faster_coco_eval import COCO as FasterCOCO  # noqa: N811 - a name of the peer
        from faster_coco_eval import COCOeval_faster

        yield "faster-coco-eval", lambda: _evaluate(FasterCOCO, COCOeval_faster, truth, results)
    if importlib.util.find_spec("hotcoco"):
        from hotcoco import COCO as HotCOCO  # noqa: N811 - a name of the peer
        from hotcoco import COCOeval as HotEval

        yield "hotcoco", lambda: _evaluate(HotCOCO, HotEval, truth, results)


def _as_coco(data: Detections) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return the targets as a COCO dataset, and the detections as COCO results."""
    images = [{"id": int(i), "width": 1100, "height": 1100} for i in np.unique(data.image)]
    annotations = [
        {"id": n + 1, "image_id": i, "category_id": 1, "bbox": box, "iscrowd": 0}
        | {"area": box[2] * box[3]}
        for n, (i, box) in enumerate(zip(data.image.tolist(), data.targets.tolist()))
    ]
    results = [
        {"image_id": i, "category_id": 1, "bbox": box, "score": score}
        for i, box, score in zip(data.image.tolist(), data.detections.tolist(), data.score.tolist())
    ]
    categories = [{"id": 1, "name": "tree"}]
    return {"images": images, "annotations": annotations, "categories": categories}, results


def _evaluate(dataset: Any, evaluation: Any, truth: Any, results: Any) -> float:
    """Return the AP of a peer with the interface of pycocotools.

    Args:
        dataset: the peer's class of a dataset.
        evaluation: the peer's class of an evaluation.
        truth: COCO dataset of the targets.
        results: COCO results.
    """
    with redirect_stdout(StringIO()):
        try:
            targets = dataset(truth)
        except (TypeError, AssertionError):  # pycocotools reads files only
            targets = dataset()
            targets.dataset = truth
            targets.createIndex()
        load = getattr(targets, "load_res", None) or targets.loadRes
        evaluator = evaluation(targets, load(results), "bbox")
        evaluator.evaluate()
        evaluator.accumulate()
        evaluator.summarize()
    return float(evaluator.stats[0])


if __name__ == "__main__":
    report_rows(rows())
