"""Measure reading and writing of a COCO file with 100,000 outlines.

The peer is the module json of Python alone: it decodes the same text, or encodes the same lists.
Any reader and writer of COCO that uses it takes longer than that. Times are medians of five
repeats::

    python benchmarks/bench_exchange.py
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import shapely
from table import Row, measure_alternating, measure_memory, report_rows

from randcrowns.core.exchange import Annotations, Image, read_coco, write_coco_truth

N_CROWNS = 100_000
N_VERTICES = 20
N_IMAGES = 50
#: Width and height of an image, pixels.
SIDE = 1000


def scene(n: int = N_CROWNS, seed: int = 1) -> Annotations:
    """Return n crowns with outlines of 20 vertices, in hundredths of a pixel, on 50 images."""
    rng = np.random.default_rng(seed)
    angles = np.linspace(0, 2 * np.pi, N_VERTICES, endpoint=False)
    directions = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    centres = rng.uniform(20, SIDE - 20, (n, 1, 2))
    radii = rng.uniform(3, 15, (n, N_VERTICES, 1))
    images = [Image(f"tile_{number}.tif", SIDE, SIDE) for number in range(N_IMAGES)]
    shapes = shapely.polygons(np.round(centres + radii * directions, 2))
    return Annotations.from_shapes(
        shapes,
        images,
        rng.integers(0, N_IMAGES, n),
        rng.choice(["Tree", "Dead tree"], n).tolist(),
        rng.uniform(size=n),
    )


def rows() -> Iterator[Row]:
    """Yield the rows of reading and of writing."""
    crowns = scene()
    text = write_coco_truth(crowns)
    conditions = f"{N_CROWNS:,} outlines of {N_VERTICES} vertices, {len(text) / 1e6:.0f} MB"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "truth.json"
        path.write_text(text, encoding="utf-8")
        own_time, peer_time = measure_alternating(
            lambda: read_coco(path), lambda: json.loads(path.read_text(encoding="utf-8"))
        )
        memory = measure_memory(lambda: read_coco(path))
    yield Row(
        "read a COCO file",
        own_time,
        "json.loads",
        peer_time,
        memory=memory,
        conditions=conditions,
    )
    content = json.loads(text)
    own_time, peer_time = measure_alternating(
        lambda: write_coco_truth(crowns), lambda: json.dumps(content)
    )
    yield Row("write a COCO file", own_time, "json.dumps", peer_time, conditions=conditions)


if __name__ == "__main__":
    report_rows(rows())
