"""Algorithms that write rasters beside their tables: these too are whole or not there at all."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from qgis.core import QgsProcessingContext, QgsProcessingFeedback, QgsProcessingParameterRasterDestination

from randcrowns.algorithms.base import CrownAlgorithm
from randcrowns.algorithms.output import Output
from randcrowns.algorithms.outputs import WholeFiles, destination_of
from randcrowns.core.errors import InputError
from randcrowns.core.progress import Progress, part_of
from randcrowns.layers.files.places import file_place
from randcrowns.layers.raster.grid import Grid
from randcrowns.layers.raster.output import Rows, write_grid
from randcrowns.layers.words import tr

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


def looked_up(values: np.ndarray, index: np.ndarray) -> Rows:
    """Rows of a raster that shows a value for each pattern: (M + 1,) values, the last outside; (rows, columns) index.

    No array of the whole raster is made.
    """
    return lambda rows: np.asarray(values[index[rows]])


_ENDINGS = (".png", ".svg")


class PictureAlgorithm(CrownAlgorithm):
    """Its :meth:`tables` puts pictures into :attr:`pictures`; each takes its place together with the tables."""

    def __init__(self) -> None:
        super().__init__()
        self.pictures: dict[Output, bytes] = {}
        self._places: dict[Output, Path] = {}

    def prepareAlgorithm(  # noqa: N802 - QGIS's name
        self, parameters: dict[str, Any], context: QgsProcessingContext, feedback: QgsProcessingFeedback
    ) -> bool:
        """Remember where the pictures go."""
        self._places = self._places_in(parameters, context)
        return super().prepareAlgorithm(parameters, context, feedback)

    def asked_for(self, output: Output) -> str:
        """The kind of picture asked for (png or svg), empty when it is not wanted."""
        return self._places[output].suffix.lower().strip(".") if output in self._places else ""

    def picture_problem(self, parameters: dict[str, Any], context: QgsProcessingContext) -> str:
        """Why a picture cannot be written as asked; empty when all can."""
        for output, place in self._places_in(parameters, context).items():
            if place.suffix.lower() not in _ENDINGS:
                return tr("'{name}' must end in .png or .svg, but it is {file}.").format(
                    name=output.label, file=place.name
                )
            if place.is_dir():
                return tr("{folder} is a folder; give '{name}' the name of a file.").format(
                    folder=place, name=output.label
                )
            if not place.parent.is_dir():
                return tr("The folder {folder} for '{name}' is not there; make it or choose another.").format(
                    folder=place.parent, name=output.label
                )
            from randcrowns.layers.styles.figures import why_no_figures

            if why_no_figures():
                return why_no_figures()
        return ""

    def make_files(
        self, files: WholeFiles, parameters: dict[str, Any], context: QgsProcessingContext, progress: Progress
    ) -> dict[str, str]:
        """The pictures."""
        for output, picture in self.pictures.items():
            made = files.beside(self._places[output], output.label)
            try:
                made.write_bytes(picture)
            except OSError as error:
                raise InputError(
                    tr("The picture cannot be written to {file}: {why}").format(
                        file=self._places[output], why=error.strerror
                    )
                ) from error
        return {output.id: str(self._places[output]) for output in self.pictures}

    def _places_in(self, parameters: dict[str, Any], context: QgsProcessingContext) -> dict[Output, Path]:
        """The pictures that are wanted, and where."""
        return {
            output: Path(self.parameterAsFileOutput(parameters, output.id, context))
            for output in self.outputs
            if output.kind == "picture" and parameters.get(output.id) not in (None, "")
        }
