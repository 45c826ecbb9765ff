# %% [markdown]
"""# Score a million crowns on a Dask cluster.

Large layers are scored tile by tile, on all processors of a machine or on a cluster. The numbers
are those of a run in memory.
"""

# %%
import os

import geopandas
import numpy as np
import shapely

from randcrowns import batch

N_CROWNS = int(os.environ.get("N_CROWNS", "1000000"))

# %% [markdown]
"""Boxes on a grid, and the same boxes drawn with errors, stand for your layers."""

# %%
rng = np.random.default_rng(1)
side = round(N_CROWNS**0.5)
column, row = np.divmod(np.arange(side * side), side)
west, south = 400_000 + 6.0 * column, 3_000_000 + 6.0 * row


def write_boxes(name: str, shift: float) -> None:
    """Write boxes whose sides are shifted by a normal error, m."""
    error = rng.normal(0, shift, (4, len(west)))
    boxes = shapely.box(
        west + error[0], south + error[1], west + 4 + error[2], south + 4 + error[3]
    )
    geopandas.GeoDataFrame(geometry=boxes, crs="EPSG:32617").to_parquet(name)


# %%
def main() -> None:
    """Partition and score the layers; workers import this module, so nothing else may run."""
    for name, shift in (("targets", 0.0), ("drawn", 0.3)):
        write_boxes(f"{name}.parquet", shift)
        batch.partition(f"{name}.parquet", f"{name}_sorted.parquet", overwrite=True)
    summary = batch.score("targets_sorted.parquet", ["drawn_sorted.parquet"], "scores", workers=2)
    print(summary[["targets", "matched", "randcrowns_mean", "iou_mean"]])


if __name__ == "__main__":
    main()
