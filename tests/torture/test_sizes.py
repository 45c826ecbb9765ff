"""Very large layers and rasters are worked through within 8 GB."""

from __future__ import annotations

import pytest
from torture.large_runs import run_large

_MOST = 8.0


@pytest.mark.parametrize(
    ("name", "few", "many", "said", "conditions"),
    [
        (
            "boxes",
            2_000,
            1_000_000,
            "{0:,} x {0:,} boxes are scored within 8 GB",
            "from and into GeoPackages",
        ),
        (
            "votes",
            300,
            20_000,
            "a vote of {0:,} x {0:,} pixels x 5 is counted within 8 GB",
            "polygons, with its raster",
        ),
    ],
    ids=["boxes", "votes"],
)
def test_size(promise, folders, name, few, many, said, conditions):
    size = promise.size(many, few)

    def attempt(_rng):
        folder = next(folders)
        folder.mkdir()
        used = run_large(name, size, folder)
        assert used.memory < _MOST, used
        return used

    promise.keep(
        said.format(size),
        attempt,
        many=1,
        worst="{:.2f} GB in {:.0f} s ({:.0f} s of processor time)",
        conditions=f"{conditions}; all of QGIS's process",
    )
