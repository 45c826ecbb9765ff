"""Print the scores of the crowns that were drawn in the field at OSBS.

Every field crown is scored against the detector's box with the highest IoU::

    python benchmarks/field_figures.py [folder]

The folder contains field_crowns.gpkg and deepforest_boxes.gpkg. Default: the extract in
tests/data/real.
"""

from __future__ import annotations

import sqlite3
import struct
import sys
from pathlib import Path

import numpy as np
import shapely

from randcrowns.core import Crowns, RandCrownsParameters, score_crowns

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests"))
from support.data import real_data

#: Sets of alpha (m), omega (m) and gamma.
PARAMETER_SETS = ((0.6, 3.0, 3.0), (0.7, 1.2, 3.0))
SCORES = ["iou", "randcrowns", "iou_crowns"]
#: Bytes of the envelope in a GeoPackage geometry, by the code in its header.
ENVELOPE_SIZES = (0, 32, 48, 48, 64)


def main() -> None:
    """Print the mean scores under each set of parameters."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else real_data("field_osbs")
    field_crowns = read_crowns(folder / "field_crowns.gpkg", "field_crowns")
    boxes = read_crowns(folder / "deepforest_boxes.gpkg", "deepforest_boxes")
    n_plots = len(np.unique(field_crowns.plots))
    print(f"{len(field_crowns)} crowns drawn in the field, {len(boxes):,} boxes, {n_plots} plots")
    for values in PARAMETER_SETS:
        print_scores(field_crowns, boxes, RandCrownsParameters(*values))


def print_scores(field_crowns: Crowns, boxes: Crowns, parameters: RandCrownsParameters) -> None:
    """Print the mean scores of all field crowns and of those with a box."""
    targets = score_crowns(field_crowns, boxes, parameters, pairing="max_iou").targets
    counts = ", ".join(
        f"{count} {status}" for status, count in targets["status"].value_counts().items()
    )
    print(
        f"alpha {parameters.alpha}, omega {parameters.omega}, gamma {parameters.gamma:g}: {counts}"
    )
    matched = targets[targets["delineation_id"].notna()]
    scored = matched[matched["randcrowns"].notna()]
    for description, rows in (
        (f"all {len(targets)} crowns, unmatched ones 0", targets),
        (f"the {len(matched)} crowns with a box", matched),
        (f"the {len(scored)} of these that are not too small", scored),
    ):
        iou, randcrowns, iou_crowns = rows[SCORES].mean()
        print(
            f"  {description}: mean IoU {iou:.4f}, RandCrowns {randcrowns:.4f}, "
            f"IoUCrowns {iou_crowns:.4f}"
        )


def read_crowns(path: Path, table: str) -> Crowns:
    """Return the polygons of a GeoPackage table; invalid ones are repaired.

    Args:
        path: path of the GeoPackage.
        table: name of a table with the fields fid, geom and plotID.
    """
    with sqlite3.connect(path) as database:
        rows = database.execute(f'SELECT fid, geom, plotID FROM "{table}" ORDER BY fid').fetchall()
    ids, blobs, plots = zip(*rows)
    geometry = shapely.from_wkb([_wkb_of(blob) for blob in blobs])
    is_invalid = ~shapely.is_valid(geometry)
    geometry[is_invalid] = shapely.make_valid(geometry[is_invalid])
    if is_invalid.any():
        print(f"{path.name}: {is_invalid.sum()} invalid polygons repaired")
    return Crowns(
        shapely.force_2d(geometry),
        np.array(ids),
        np.array(plots, dtype=object),
        table,
        "EPSG:32617",
    )


def _wkb_of(blob: bytes) -> bytes:
    """Return the WKB of a GeoPackage geometry, without its header of 8 bytes and an envelope."""
    flags = struct.unpack("B", blob[3:4])[0]
    return blob[8 + ENVELOPE_SIZES[flags >> 1 & 7] :]


if __name__ == "__main__":
    main()
