"""The figures of the field crowns at OSBS: every crown drawn in the field, scored at the detector's box of highest IoU.

python benchmarks/field_figures.py [folder with field_crowns.gpkg and deepforest_boxes.gpkg]
"""

from __future__ import annotations

import sqlite3
import struct
import sys
from pathlib import Path

import numpy as np
import shapely

from randcrowns.core import Crowns, RandCrownsParameters, score_crowns

FOLDER = Path(__file__).resolve().parents[2] / "shared" / "data" / "field_osbs"
SETS = ((0.6, 3.0, 3.0), (0.7, 1.2, 3.0))
#: Bytes of the envelope in a GeoPackage geometry, by its code.
ENVELOPES = (0, 32, 48, 48, 64)


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    field = crowns(folder / "field_crowns.gpkg", "field_crowns")
    boxes = crowns(folder / "deepforest_boxes.gpkg", "deepforest_boxes")
    print(
        f"{len(field)} crowns drawn in the field, {len(boxes):,} boxes, {len(np.unique(field.groups))} plots"
    )
    for values in SETS:
        scores = score_crowns(
            field, boxes, RandCrownsParameters(*values), pairing="max_iou"
        ).targets
        counts = ", ".join(
            f"{count} {status}" for status, count in scores["status"].value_counts().items()
        )
        print(f"alpha {values[0]}, omega {values[1]}, gamma {values[2]:g}: {counts}")
        matched = scores[scores["delineation_id"].notna()]
        scored = matched[matched["randcrowns"].notna()]
        row = "  {}: mean IoU {:.4f}, RandCrowns {:.4f}, IoUCrowns {:.4f}"
        names = ["iou", "randcrowns", "iou_crowns"]
        print(row.format(f"all {len(scores)} crowns, unmatched ones 0", *scores[names].mean()))
        print(row.format(f"the {len(matched)} crowns with a box", *matched[names].mean()))
        print(
            row.format(f"the {len(scored)} of these that are not too small", *scored[names].mean())
        )


def crowns(path: Path, table: str) -> Crowns:
    """A GeoPackage table of polygons with a plotID."""
    with sqlite3.connect(path) as database:
        rows = database.execute(f'SELECT fid, geom, plotID FROM "{table}" ORDER BY fid').fetchall()
    ids, blobs, plots = zip(*rows)
    geometry = shapely.from_wkb(
        [blob[8 + ENVELOPES[struct.unpack("B", blob[3:4])[0] >> 1 & 7] :] for blob in blobs]
    )
    invalid = ~shapely.is_valid(geometry)
    geometry[invalid] = shapely.make_valid(geometry[invalid])
    if invalid.any():
        print(f"{path.name}: {invalid.sum()} invalid polygons repaired")
    return Crowns(
        shapely.force_2d(geometry),
        np.array(ids),
        np.array(plots, dtype=object),
        table,
        "EPSG:32617",
    )


if __name__ == "__main__":
    main()
