"""Algorithms that write rasters beside their tables: these too are whole or not there at all."""

from __future__ import annotations

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
from randcrowns.layers.files.places import file_place
from randcrowns.layers.raster.grid import Grid
from randcrowns.layers.raster.output import Rows, write_grid

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

    def make_files(
        self, files: WholeFiles, parameters: dict[str, Any], context: QgsProcessingContext, progress: Progress
    ) -> dict[str, str]:
        """The rasters that are wanted."""
        wanted = [name for name in self.rasters if parameters.get(name) not in (None, "")]
        places = {name: Path(self.parameterAsOutputLayer(parameters, name, context)) for name in wanted}
        for number, (name, path) in enumerate(places.items()):
            raster = self.rasters[name]
            write_grid(
                files.beside(path, self.parameterDefinition(name).description(), _SIDE_FILES),
                raster.bands,
                raster.kind,
                raster.grid,
                raster.nodata,
                raster.described,
                part_of(progress, number / len(places), (number + 1) / len(places)),
            )
        return {name: str(path) for name, path in places.items()}


def looked_up(values: NDArray[Any], index: NDArray[Any]) -> Rows:
    """Rows of a raster that shows a value for each pattern: (M + 1,) values, the last outside; (rows, columns) index.

    No array of the whole raster is made.
    """
    return lambda rows: np.asarray(values[index[rows]])
