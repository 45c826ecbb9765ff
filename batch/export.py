"""A results directory as one GeoPackage, for a QGIS whose GDAL reads no GeoParquet."""

from __future__ import annotations

from pathlib import Path

import geopandas
import pandas as pd

from randcrowns.batch.results import Results
from randcrowns.core.errors import InputError

#: What has geometries; a layer of the GeoPackage each.
_LAYERS = ("targets", "delineations", "predictions", "faces")


def export(results: str | Path, out: str | Path) -> dict[str, int]:
    """Write the results with geometries to a GeoPackage, a layer each, tile by tile.

    Args:
        results: a results directory.
        out: the GeoPackage, which must not exist.

    Returns:
        The number of features of each layer.

    Raises:
        InputError: where there are no results, or the file exists or cannot be written.

    >>> export("nowhere", "results.gpkg")
    Traceback (most recent call last):
    randcrowns.core.errors.InputError: nowhere holds no results: there is no manifest.json in it.
    """
    found, target = Results.opened(Path(results)), Path(out)
    if target.exists():
        raise InputError(f"{target} exists already; name another file.")
    found.check()
    counts: dict[str, int] = {}
    partial = target.with_name(f"{target.stem}.partial.gpkg")
    partial.unlink(missing_ok=True)
    try:
        for layer in _LAYERS:
            for path in found.files(layer):
                frame = geopandas.read_parquet(path).drop(columns=["bbox"], errors="ignore")
                for name in frame.columns.drop("geometry"):
                    if frame[name].dtype == object:
                        frame[name] = frame[name].astype(pd.StringDtype())
                frame.to_file(
                    partial,
                    layer=layer,
                    driver="GPKG",
                    engine="pyogrio",
                    append=layer in counts,
                    promote_to_multi=True,
                )
                counts[layer] = counts.get(layer, 0) + len(frame)
        if not counts:
            raise InputError(f"{results} holds nothing with geometries yet.")
        partial.replace(target)
    except (OSError, RuntimeError) as error:
        raise InputError(f"{target} cannot be written: {error}") from error
    finally:
        partial.unlink(missing_ok=True)
    return counts
