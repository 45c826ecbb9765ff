"""Rasters and pictures that algorithms make beside their tables: these too are whole or not there at all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Union

import numpy as np

from randcrowns.algorithms.choice import Given, refusal
from randcrowns.algorithms.output import Output
from randcrowns.algorithms.outputs import WholeFiles, destination_of
from randcrowns.core.errors import InputError
from randcrowns.core.progress import Progress, steps
from randcrowns.layers.files.places import file_place
from randcrowns.layers.raster.grid import Grid
from randcrowns.layers.raster.output import Rows, write_grid

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


def check_rasters(given: Given) -> None:
    """Refuse rasters but GeoTIFFs: other formats change values, or lose where they lie."""
    for output in given.algorithm.outputs:
        place = file_place(destination_of(given, output)) if output.kind == "raster" and output in given else None
        path = None if place is None else place.file
        if path is not None and path.is_dir():
            said = "{path} is a folder; give '{name}' the name of a .tif file."
            raise refusal(said, path=path, name=output.label)
        if path is not None and path.suffix.lower() not in RASTER_ENDINGS:
            said = "'{name}' can only be written as a GeoTIFF; give it a name that ends in .tif."
            raise refusal(said, name=output.label)


def pictures_asked_for(given: Given) -> dict[Output, Path]:
    """The pictures that are wanted, and where."""
    outputs = [output for output in given.algorithm.outputs if output.kind == "picture" and output in given]
    return {output: _picture_place(given, output) for output in outputs}


def _picture_place(given: Given, output: Output) -> Path:
    return Path(given.algorithm.parameterAsFileOutput(given.parameters, output.id, given.context))


def check_pictures(given: Given) -> None:
    """Refuse pictures that cannot be written as asked."""
    for output, place in pictures_asked_for(given).items():
        name = output.label
        if place.suffix.lower() not in _PICTURE_ENDINGS:
            raise refusal("'{name}' must end in .png or .svg, but it is {file}.", name=name, file=place.name)
        if place.is_dir():
            raise refusal("{folder} is a folder; give '{name}' the name of a file.", folder=place, name=name)
        if not place.parent.is_dir():
            said = "The folder {folder} for '{name}' is not there; make it or choose another."
            raise refusal(said, folder=place.parent, name=name)
        from randcrowns.layers.styles.figures import why_no_figures

        if why_no_figures():
            raise InputError(why_no_figures())


def make_files(given: Given, made: Mapping[Output, MadeFile], files: WholeFiles, progress: Progress) -> dict[str, str]:
    """Make the files that are wanted, beside their places until ``files`` moves them; id of the output -> place."""
    places = {}
    for output, share in steps([output for output in made if output in given], progress):
        file = made[output]
        if isinstance(file, RasterTable):
            place = Path(given.algorithm.parameterAsOutputLayer(given.parameters, output.id, given.context))
            beside = files.beside(place, output.label, _SIDE_FILES)
            write_grid(beside, file.bands, file.kind, file.grid, file.nodata, file.described, share)
        else:
            place = _picture_place(given, output)
            _write_picture(files.beside(place, output.label), file, place)
        places[output.id] = str(place)
    return places


def _write_picture(beside: Path, picture: bytes, place: Path) -> None:
    try:
        beside.write_bytes(picture)
    except OSError as error:
        raise refusal("The picture cannot be written to {file}: {why}", file=place, why=error.strerror) from error
