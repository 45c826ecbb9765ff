"""Algorithms that write rasters beside their tables: these too are whole or not there at all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from qgis.core import QgsProcessingContext, QgsProcessingParameterRasterDestination

from randcrowns.algorithms.base import CrownAlgorithm, tr
from randcrowns.algorithms.outputs import destination_of
from randcrowns.algorithms.whole_files import WholeFiles
from randcrowns.core.progress import Progress, part_of
from randcrowns.layers.places import file_place
from randcrowns.layers.raster import Grid
from randcrowns.layers.raster_output import Rows, write_grid
from randcrowns.layers.tables import FeatureTable

__all__ = ["RASTER_ENDINGS", "RasterAlgorithm", "RasterTable", "looked_up"]

#: Formats that hold every value as it is, and say where it lies.
RASTER_ENDINGS = (".tif", ".tiff")
# What belongs to a raster that is replaced, and would be wrong beside the new one.
_SIDE_FILES = (".aux.xml", ".ovr", ".msk")


@dataclass(frozen=True, eq=False)
class RasterTable:
    """A raster to be written: bands by name on a grid, their type, and a sentence about how they were made."""

    bands: dict[str, Rows]
    kind: str
    grid: Grid
    nodata: float
    described: str


class RasterAlgorithm(CrownAlgorithm):
    """Its :meth:`tables` put rasters into :attr:`rasters`, by output name."""

    def __init__(self) -> None:
        super().__init__()
        self.rasters: dict[str, RasterTable] = {}
        self._files = WholeFiles()

    def early_problem(self, parameters: dict[str, Any], context: QgsProcessingContext) -> str:
        """A raster goes into a GeoTIFF only: other formats change values, or lose where they lie."""
        for definition in self.parameterDefinitions():
            value = parameters.get(definition.name())
            if not isinstance(definition, QgsProcessingParameterRasterDestination) or value in (None, ""):
                continue
            place = file_place(destination_of(value, context))
            path = None if place is None else place.file
            if path is not None and path.is_dir():
                return tr("{path} is a folder; give '{name}' the name of a .tif file.").format(
                    path=path, name=definition.description()
                )
            if path is not None and path.suffix.lower() not in RASTER_ENDINGS:
                return tr("'{name}' can only be written as a GeoTIFF; give it a name that ends in .tif.").format(
                    name=definition.description()
                )
        return ""

    def _write(
        self,
        tables: Mapping[str, FeatureTable],
        others: dict[str, Any],
        parameters: dict[str, Any],
        context: QgsProcessingContext,
        progress: Progress,
    ) -> dict[str, Any]:
        """Rasters are made in a folder beside their place, and moved there once everything else is written."""
        before = dict(context.layersToLoadOnCompletion())
        places: dict[str, Path] = {}
        half = 0.5 if self.rasters else 0.0
        with WholeFiles(_SIDE_FILES) as self._files:
            try:
                for name, raster in self.rasters.items():
                    if parameters.get(name) in (None, ""):
                        continue
                    path = Path(self.parameterAsOutputLayer(parameters, name, context))
                    places[name] = path
                    write_grid(
                        self._files.beside(path, self.parameterDefinition(name).description()),
                        raster.bands,
                        raster.kind,
                        raster.grid,
                        raster.nodata,
                        raster.described,
                        part_of(progress, 0.0, half),
                    )
                written = super()._write(tables, others, parameters, context, part_of(progress, half, 1.0))
            except BaseException:
                context.setLayersToLoadOnCompletion(before)
                raise
        for name, path in places.items():
            written[name] = str(path)
            if context.willLoadLayerOnCompletion(str(path)):
                self.loaded(name, context.layerToLoadOnCompletionDetails(str(path)), others)
        return written

    def _finish(self) -> None:
        self._files.move()


def looked_up(values: NDArray[Any], index: NDArray[Any]) -> Rows:
    """Rows of a raster that shows a value for each pattern: (M + 1,) values, the last outside; (rows, columns) index.

    No array of the whole raster is made.
    """
    return lambda rows: np.asarray(values[index[rows]])
