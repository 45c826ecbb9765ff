"""Rasters and pictures that algorithms make beside their tables: these too are whole or not there at all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Union

import numpy as np
from qgis.core import (
    QgsProcessingParameterFileDestination,
    QgsProcessingParameterRasterDestination,
)

from randcrowns.algorithms.choice import Given
from randcrowns.algorithms.outputs import WholeFiles, destination_of
from randcrowns.core.errors import InputError
from randcrowns.core.progress import Progress, part_of
from randcrowns.layers.files.places import file_place
from randcrowns.layers.raster.grid import Grid
from randcrowns.layers.raster.output import Rows, write_grid
from randcrowns.layers.words import tr

#: Formats that hold every value as it is, and say where it lies.
RASTER_ENDINGS = (".tif", ".tiff")
_PICTURE_ENDINGS = (".png", ".svg")
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


#: A raster, or a picture as the bytes of its file.
MadeFile = Union[RasterTable, bytes]


def looked_up(values: np.ndarray, index: np.ndarray) -> Rows:
    """Rows of a raster that shows a value for each pattern: (M + 1,) values, the last outside; (rows, columns) index.

    No array of the whole raster is made.
    """
    return lambda rows: np.asarray(values[index[rows]])


def raster_problem(given: Given) -> str:
    """A raster goes into a GeoTIFF only: other formats change values, or lose where they lie."""
    for definition in given.algorithm.parameterDefinitions():
        if not isinstance(definition, QgsProcessingParameterRasterDestination) or not given.has(definition.name()):
            continue
        place, label = file_place(destination_of(given, definition.name())), definition.description()
        path = None if place is None else place.file
        if path is not None and path.is_dir():
            return tr("{path} is a folder; give '{name}' the name of a .tif file.").format(path=path, name=label)
        if path is not None and path.suffix.lower() not in RASTER_ENDINGS:
            said = tr("'{name}' can only be written as a GeoTIFF; give it a name that ends in .tif.")
            return said.format(name=label)
    return ""


def pictures_asked_for(given: Given) -> dict[str, Path]:
    """The pictures that are wanted by output, and where."""
    return {
        definition.name(): _picture_place(given, definition.name())
        for definition in given.algorithm.parameterDefinitions()
        if isinstance(definition, QgsProcessingParameterFileDestination) and given.has(definition.name())
    }


def _picture_place(given: Given, name: str) -> Path:
    return Path(given.algorithm.parameterAsFileOutput(given.parameters, name, given.context))


def picture_problem(given: Given) -> str:
    """Why a picture cannot be written as asked; empty when all can."""
    for output, place in pictures_asked_for(given).items():
        label = given.described(output)
        if place.suffix.lower() not in _PICTURE_ENDINGS:
            return tr("'{name}' must end in .png or .svg, but it is {file}.").format(name=label, file=place.name)
        if place.is_dir():
            return tr("{folder} is a folder; give '{name}' the name of a file.").format(folder=place, name=label)
        if not place.parent.is_dir():
            said = tr("The folder {folder} for '{name}' is not there; make it or choose another.")
            return said.format(folder=place.parent, name=label)
        from randcrowns.layers.styles.figures import why_no_figures

        if why_no_figures():
            return why_no_figures()
    return ""


def make_files(given: Given, made: Mapping[str, MadeFile], files: WholeFiles, progress: Progress) -> dict[str, str]:
    """Make the files that are wanted, beside their places until ``files`` moves them; output -> place."""
    wanted = {output: file for output, file in made.items() if given.has(output)}
    places = {}
    for number, (output, file) in enumerate(wanted.items()):
        share = part_of(progress, number / len(wanted), (number + 1) / len(wanted))
        label = given.described(output)
        if isinstance(file, RasterTable):
            place = Path(given.algorithm.parameterAsOutputLayer(given.parameters, output, given.context))
            beside = files.beside(place, label, _SIDE_FILES)
            write_grid(beside, file.bands, file.kind, file.grid, file.nodata, file.described, share)
        else:
            place = _picture_place(given, output)
            _write_picture(files.beside(place, label), file, place)
            share(1.0)
        places[output] = str(place)
    return places


def _write_picture(beside: Path, picture: bytes, place: Path) -> None:
    try:
        beside.write_bytes(picture)
    except OSError as error:
        said = tr("The picture cannot be written to {file}: {why}")
        raise InputError(said.format(file=place, why=error.strerror)) from error
