"""Export of a results directory to a GeoPackage, for QGIS without support of GeoParquet."""

from __future__ import annotations

from pathlib import Path

import geopandas
import pandas as pd

from randcrowns.batch.claims import claim_beside, hold_claim, publish_new, temporary_sibling
from randcrowns.batch.paths import checked_path, gdal_path
from randcrowns.batch.results import ResultsDirectory
from randcrowns.core.errors import InputError
from randcrowns.core.old_names import BATCH_COLUMNS

# Kinds of files with geometries; each becomes a layer of the GeoPackage.
_LAYERS = ("targets", "delineations", "predictions", "faces")


def export(results: str | Path, out: str | Path) -> dict[str, int]:
    """Write the results with geometries to a GeoPackage, tile by tile.

    Args:
        results: a results directory.
        out: path of the GeoPackage, which must not exist.

    Returns:
        The number of features by the name of the layer: ``targets``, ``delineations``,
        ``predictions`` or ``faces``, as far as the results contain them.

    Raises:
        InputError: if there are no results, files of the results have changed, or the GeoPackage
            exists, is being written by another export, or cannot be written.

    >>> export("nowhere", "results.gpkg")
    Traceback (most recent call last):
    randcrowns.core.errors.InputError: nowhere holds no results: there is no manifest.json in it.
    """
    directory = ResultsDirectory.read(checked_path(results))
    target = checked_path(out)
    _check_new(target)
    with hold_claim(claim_beside(target), target):
        # Another export may have written the file before this one had the claim.
        _check_new(target)
        directory.check_files()
        return _write_geopackage(directory, target)


def _check_new(target: Path) -> None:
    """Raise InputError if a file exists, or its folder does not."""
    if not target.parent.is_dir():
        raise InputError("file.missing", "There is no folder {folder}.", folder=target.parent)
    if target.exists():
        raise InputError(
            "file.exists",
            "{target} exists already; name another file.",
            target=target,
        )


def _write_geopackage(directory: ResultsDirectory, target: Path) -> dict[str, int]:
    """Write the results with geometries to a new GeoPackage; return the number of features.

    The file appears under its name only when it is complete.

    Raises:
        InputError: if there are no geometries, or the file cannot be written.
    """
    partial = temporary_sibling(target).with_suffix(".gpkg")
    try:
        counts = _write_layers(directory, partial)
        if not counts:
            raise InputError(
                "batch.nothing_to_export",
                "{results} holds nothing with geometries yet.",
                results=directory.folder,
            )
        publish_new(partial, target)
    except (OSError, RuntimeError) as error:
        raise InputError(
            "file.not_written",
            "{target} cannot be written: {why}",
            target=target,
            why=error,
        ) from error
    finally:
        partial.unlink(missing_ok=True)
    return counts


def _write_layers(results: ResultsDirectory, file: Path) -> dict[str, int]:
    """Write all layers to a new GeoPackage; return the number of features by layer."""
    counts: dict[str, int] = {}
    for layer in _LAYERS:
        for path in results.files(layer):
            frame = geopandas.read_parquet(path).drop(columns=["bbox"], errors="ignore")
            frame = frame.rename(columns=BATCH_COLUMNS)
            # A column of objects that are all None would become a field of another type.
            for name in frame.columns.drop("geometry"):
                if frame[name].dtype == object:
                    frame[name] = frame[name].astype(pd.StringDtype())
            frame.to_file(
                gdal_path(file),
                layer=layer,
                driver="GPKG",
                engine="pyogrio",
                append=layer in counts,
                promote_to_multi=True,
            )
            counts[layer] = counts.get(layer, 0) + len(frame)
    return counts
