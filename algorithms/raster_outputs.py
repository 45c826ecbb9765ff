"""Algorithms that write rasters beside their tables: these too are whole or not there at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from qgis.core import QgsProcessingContext

from randcrowns.algorithms.base import CrownAlgorithm, tr
from randcrowns.core.errors import InputError
from randcrowns.core.progress import Progress
from randcrowns.layers.raster import Grid
from randcrowns.layers.raster_output import write_grid
from randcrowns.layers.tables import FeatureTable

__all__ = ["RasterAlgorithm", "RasterTable", "as_bytes"]


@dataclass(frozen=True, eq=False)
class RasterTable:
    """A raster to be written: bands by name on a grid, and a sentence about how they were made."""

    bands: dict[str, NDArray[Any]]
    grid: Grid
    nodata: float
    described: str


class RasterAlgorithm(CrownAlgorithm):
    """Its :meth:`tables` put rasters into :attr:`rasters`, by output name."""

    def __init__(self) -> None:
        super().__init__()
        self.rasters: dict[str, RasterTable] = {}

    def _write(
        self,
        tables: Mapping[str, FeatureTable],
        others: dict[str, Any],
        parameters: dict[str, Any],
        context: QgsProcessingContext,
        progress: Progress,
    ) -> dict[str, Any]:
        """Rasters are made under another name, and get their own once everything else is written."""
        before = dict(context.layersToLoadOnCompletion())
        waiting: list[tuple[str, Path, Path]] = []
        try:
            for name, raster in self.rasters.items():
                if parameters.get(name) in (None, ""):
                    continue
                path = Path(self.parameterAsOutputLayer(parameters, name, context))
                waiting.append((name, _beside(path, self.parameterDefinition(name).description()), path))
                write_grid(
                    waiting[-1][1],
                    list(raster.bands.values()),
                    raster.grid,
                    raster.nodata,
                    list(raster.bands),
                    raster.described,
                )
            written = super()._write(tables, others, parameters, context, progress)
            for name, made, path in waiting:
                _rename(made, path)
                written[name] = str(path)
                if context.willLoadLayerOnCompletion(str(path)):
                    self.loaded(name, context.layerToLoadOnCompletionDetails(str(path)), others)
        except BaseException:
            context.setLayersToLoadOnCompletion(before)
            raise
        finally:
            for _, made, _ in waiting:
                made.unlink(missing_ok=True)
        return written


def as_bytes(values: NDArray[np.float64], nodata: int = 255) -> NDArray[np.uint8]:
    """Whole numbers below ``nodata``, NaN as ``nodata``."""
    return np.where(np.isnan(values), nodata, values).astype(np.uint8)


def _beside(path: Path, described: str) -> Path:
    try:
        number, made = tempfile.mkstemp(prefix="randcrowns_", suffix=path.suffix or ".tif", dir=path.parent)
    except OSError as error:
        raise InputError(
            tr("The output '{name}' cannot be written to {where}; choose another place.").format(
                name=described, where=path
            )
        ) from error
    os.close(number)
    return Path(made)


def _rename(made: Path, path: Path) -> None:
    try:
        os.replace(made, path)
    except OSError as error:
        raise InputError(
            tr("The raster {path} cannot be replaced; is it open in another program?").format(path=path)
        ) from error
