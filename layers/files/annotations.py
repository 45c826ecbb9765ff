"""Files of annotations: which a path stands for, what they hold, and where on the map that lies."""

from __future__ import annotations

import glob
import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import shapely
from qgis.core import QgsCoordinateReferenceSystem, QgsCoordinateTransformContext, QgsCsException

from randcrowns.core.arrays import Bools, Floats, Objects
from randcrowns.core.errors import InputError
from randcrowns.core.exchange import read_coco, read_deepforest, read_labelme, read_voc, read_yolo
from randcrowns.core.exchange.annotations import Annotations, Doubt, Flaw, Frame
from randcrowns.core.exchange.sniff import ENDINGS, Kind, kind_of_file
from randcrowns.core.exchange.values import json_in, text_in
from randcrowns.core.exchange.yolo import class_names
from randcrowns.core.progress import Progress, part_of, steps
from randcrowns.core.remarks import Remark, info, note, some, warning
from randcrowns.layers.crs import is_defined, name_of, transform_between, transform_coordinates
from randcrowns.layers.files.vector import read_layers
from randcrowns.layers.raster.images import ImageFinder, PlacedImage, outline_of

#: Between the paths of several inputs.
SEPARATOR = ";"
#: Ends of files beside images, which are no annotations.
_SIDE_FILES = (".aux.xml", ".qpj.xml")
#: Coordinates below this may be pixels of an image that is not found.
_LARGEST_IMAGE = 200_000


@dataclass(frozen=True)
class AnnotationFile:
    """A file and its kind; None where it is none of those known."""

    path: Path
    kind: Kind | None


@dataclass(frozen=True, eq=False)
class ReadFile:
    """What a file holds."""

    file: AnnotationFile
    found: Annotations  #: its annotations.
    #: Of those that lie on a map by themselves.
    crs: QgsCoordinateReferenceSystem = field(default_factory=QgsCoordinateReferenceSystem)


@dataclass(frozen=True, eq=False)
class PlacedFile(ReadFile):
    """What a file holds, on the map."""

    #: (n,) polygons and points in the system of the whole import.
    shapes: Objects = field(default_factory=lambda: np.empty(0, dtype=object))
    images: tuple[Path, ...] = ()  #: the files of the images that have annotations.

    @property
    def kinds(self) -> dict[str, Bools]:
        """(n,) which are points, areas to ignore, or crowns."""
        points: Bools = shapely.get_type_id(self.shapes) == shapely.GeometryType.POINT
        return {
            "points": points,
            "ignored": self.found.ignored & ~points,
            "crowns": ~(points | self.found.ignored),
        }


def files_of(given: str, kind: Kind | None) -> list[AnnotationFile]:
    """The files of annotations that a file, a folder, a pattern or several of them stand for.

    Args:
        kind: take them for this; found out by default.

    Raises:
        InputError: where there is no such file, or one that was named is none of annotations.
    """
    parts = (
        [given]
        if os.path.exists(given)
        else [part.strip() for part in given.split(SEPARATOR) if part.strip()]
    )
    files: dict[Path, AnnotationFile] = {}
    for part in parts:
        path = Path(part).expanduser()
        named = path.is_file()
        paths = [path] if named else _listed(path, part, kind)
        for one in paths:
            found = kind or kind_of_file(one)
            if named and found is None and not one.stat().st_size:
                raise InputError("{file} is empty; choose another file.", file=one.name)
            if named and found is None:
                raise InputError(
                    "{file} is none of the files that can be imported: DeepForest (.csv), Pascal VOC (.xml), COCO or "
                    "LabelMe (.json), YOLO (.txt), shapefile, GeoPackage or GeoJSON. Where it is one all the same, "
                    "choose its format.",
                    file=one.name,
                )
            files.setdefault(one.resolve(), AnnotationFile(one, found))
    _take_bare_yolo(files)
    if not any(file.kind for file in files.values()):
        said = "There is no file of annotations in {given}; choose a file, a folder or a pattern as *.csv."
        raise InputError(said, given=given)
    return list(files.values())


def _take_bare_yolo(files: dict[Path, AnnotationFile]) -> None:
    """Files of text without a word, in a folder with YOLO's: each says that its image has no crowns."""
    folders = {file.path.parent for file in files.values() if file.kind is Kind.YOLO}
    for key, file in files.items():
        path = file.path
        is_text = path.suffix.lower() in ENDINGS[Kind.YOLO] and path.parent in folders
        if file.kind is None and is_text and not text_in(path).strip():
            files[key] = AnnotationFile(path, Kind.YOLO)


def _listed(path: Path, pattern: str, kind: Kind | None) -> list[Path]:
    """The files in a folder, or of a pattern, whose ending can be that of annotations."""
    found = path.rglob("*") if path.is_dir() else map(Path, glob.glob(pattern, recursive=True))
    endings = (
        ENDINGS[kind]
        if kind
        else tuple(ending for some_of in ENDINGS.values() for ending in some_of)
    )
    paths = sorted(
        one
        for one in found
        if one.is_file()
        and one.suffix.lower() in endings
        and not one.name.startswith(".")
        and not one.name.lower().endswith(_SIDE_FILES)
    )
    if not paths and not path.is_dir():
        raise InputError(
            "{pattern} is not there; choose a file, a folder or a pattern as *.csv.",
            pattern=pattern,
        )
    return paths


def read_files(
    files: Sequence[AnnotationFile], first_pixel: int, least_score: float, progress: Progress
) -> list[ReadFile]:
    """What the files hold, without annotations below a score; refused where one of them is broken."""
    truths = [file.path for file in files if file.kind is Kind.COCO and not _is_list(file.path)]
    read = []
    for file, told in steps(files, progress):
        crs = QgsCoordinateReferenceSystem()
        if file.kind is None:
            found = Annotations.of([], [])
        elif file.kind is Kind.LAYER:
            found, crs = read_layers(file.path, told)
        elif file.kind is Kind.DEEPFOREST:
            found = read_deepforest(file.path, least_score, told)
        elif file.kind is Kind.COCO:
            found = _read_coco(file.path, truths)
        elif file.kind is Kind.VOC:
            found = read_voc(file.path, first_pixel)
        elif file.kind is Kind.YOLO:
            found = read_yolo(file.path, *class_names(file.path))
        else:
            found = read_labelme(file.path)
        read.append(ReadFile(file, found.above(least_score), crs))
    return read


def _is_list(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(1024).decode("utf-8-sig", errors="replace").lstrip().startswith("[")


def _read_coco(path: Path, truths: Sequence[Path]) -> Annotations:
    """A ground truth; results with that of the ground truths, here or beside them, that knows most of their images."""
    if not _is_list(path):
        return read_coco(path)
    if not truths:
        beside = sorted(one for one in path.parent.glob("*.json") if one != path)
        truths = [one for one in beside if kind_of_file(one) is Kind.COCO and not _is_list(one)]
    if not truths:
        return read_coco(path)  # which says what is needed
    every, wrong = [], None
    for truth in truths:
        try:
            every.append(read_coco(path, truth))
        except InputError as error:
            wrong = error
    if not every:
        json_in(path)  # which says what is wrong with the results themselves
        said = "{path} holds results only, and its ground truth cannot be used: {why}"
        raise InputError(said, path=path.name, why=wrong)
    return min(every, key=lambda found: len(found.skipped.get(Flaw.UNKNOWN_IMAGE, ())))


def place_files(
    files: Sequence[ReadFile],
    finder: ImageFinder,
    crs: QgsCoordinateReferenceSystem,
    context: QgsCoordinateTransformContext,
    progress: Progress,
) -> tuple[list[PlacedFile], QgsCoordinateReferenceSystem, list[Remark]]:
    """What the files hold in one coordinate system: the first that an image or a file has.

    Where no image says where it lies, crowns are in pixels, as QGIS shows such an image, and the system is invalid.

    Args:
        crs: of images and files that have none.
    """
    told: list[Remark] = []
    placed: list[tuple[ReadFile, Objects, list[PlacedImage]]] = []
    for file, share in steps(files, part_of(progress, 0.0, 0.7)):
        images = [finder.find(one.name, file.file.path) for one in file.found.images]
        said = zip(images, ((one.width, one.height) for one in file.found.images))
        images = [
            one if one.path else replace(one, width=width, height=height)
            for one, (width, height) in said
        ]
        if file.found.frame is Frame.UNKNOWN:
            file, remark = _frame_found(file, images)
            told.append(remark)
        if file.found.frame is Frame.SHARES:
            sizeless = np.array([image.width == 0 for image in images], dtype=bool)
            file = replace(
                file, found=file.found.flawed(Flaw.NO_SIZE_KNOWN, sizeless[file.found.image])
            )
        file = replace(file, found=_fitting(file.found, images))
        shapes = _on_images(file.found, images, share)
        placed.append((file, shapes, images))
    known = [_systems(file, images, crs) for file, _, images in placed]
    every = [system for systems in known for system in systems if system is not None]
    target = next((system for system in every if system.isValid()), None)
    on_map = bool(every)
    done, apart = [], dict[str, None]()
    for (file, shapes, images), systems in zip(placed, known):
        # Annotations whose system is off cannot be brought to where all others are.
        lost = (
            system is None or (target is not None and not system.isValid()) for system in systems
        )
        off = on_map & np.fromiter(lost, dtype=bool)
        missing = off & np.array([image.path is None for image in images], dtype=bool)
        found, left = file.found, np.ones(len(shapes), dtype=bool)
        if len(systems):
            left = ~off[found.image]
            found = found.flawed(Flaw.MISSING_IMAGE, missing[found.image])
            found = found.flawed(Flaw.OFF_THE_MAP, off[found.image])
        moved = shapes[left]
        for place, system in enumerate(systems):
            rows = np.flatnonzero(found.image == place)
            if len(rows) and system is not None and target is not None and system != target:
                moved[rows] = _transformed(
                    moved[rows], system, target, context, file.file.path.name
                )
        used = [image for place, image in enumerate(images) if place in file.found.occupied]
        done.append(
            PlacedFile(
                file.file, found, file.crs, moved, tuple(one.path for one in used if one.path)
            )
        )
        apart.update({} if on_map else {image.name: None for image in used})
        told += _image_remarks(file, images, used, on_map)
    told += _system_remarks(every, target, list(apart))
    progress(1.0)
    return done, target or QgsCoordinateReferenceSystem(), told


def _fitting(found: Annotations, images: Sequence[PlacedImage]) -> Annotations:
    """The annotations without masks of another size than their image; those outside it are doubtful."""
    if found.frame is Frame.MAP or not len(found):
        return found
    sizes = np.array([(one.width or np.inf, one.height or np.inf) for one in images])
    other = np.zeros(len(found), dtype=bool)
    for place, mask in found.masks.items():
        size = sizes[found.image[place]]
        other[place] = np.isfinite(size).all() and (mask.columns, mask.rows) != tuple(size)
    found = found.flawed(Flaw.OTHER_SIZE, other)
    bounds, most = (
        shapely.bounds(found.shapes),
        1.0 if found.frame is Frame.SHARES else sizes[found.image],
    )
    return found.flawed(Doubt.OUTSIDE, ((bounds[:, 2:] < 0) | (bounds[:, :2] > most)).any(axis=1))


def _frame_found(file: ReadFile, images: Sequence[PlacedImage]) -> tuple[ReadFile, Remark]:
    """Whether coordinates are pixels or a map's: as more of them lie in their images."""
    found = file.found
    centres = _centres(found.shapes)
    in_pixels = in_map = 0
    for place, image in enumerate(images):
        some_of = centres[found.image == place]
        if image.width:
            in_pixels += int(image.holds(some_of).sum())
            in_map += int(image.holds(image.to_pixels(some_of)).sum()) if image.place else 0
        else:
            fits = ((some_of >= 0) & (some_of < _LARGEST_IMAGE)).all(axis=1)
            in_pixels, in_map = in_pixels + int(fits.sum()), in_map + int((~fits).sum())
    name = file.file.path.name
    if in_map > in_pixels:
        said = "{file}: its outlines were taken for map coordinates, since that is where its images lie."
        return replace(file, found=replace(found, frame=Frame.MAP)), info(
            "exchange.in_map", said, file=name
        )
    said = "{file}: its outlines were taken for pixels of its images."
    return replace(file, found=replace(found, frame=Frame.PIXELS)), info(
        "exchange.in_pixels", said, file=name
    )


def _on_images(found: Annotations, images: Sequence[PlacedImage], progress: Progress) -> Objects:
    """The shapes where their images lie; masks become outlines."""
    shapes = found.shapes.copy()
    for number, (place, mask) in enumerate(found.masks.items()):
        shapes[place] = outline_of(mask)
        progress(number / len(found.masks))
    if found.frame is Frame.MAP:
        return shapes
    for place, image in enumerate(images):
        rows = np.flatnonzero(found.image == place)
        size = np.array([image.width, image.height]) if found.frame is Frame.SHARES else np.ones(2)
        if len(rows):
            shapes[rows] = shapely.transform(
                shapes[rows], lambda xy, im=image, by=size: im.to_map(xy * by)
            )
    return shapes


def _systems(
    file: ReadFile, images: Sequence[PlacedImage], crs: QgsCoordinateReferenceSystem
) -> list[QgsCoordinateReferenceSystem | None]:
    """The system of the annotations of each image, invalid where it is not known; None for pixels."""
    if file.found.frame is Frame.MAP:
        own = [file.crs if file.crs.isValid() else image.crs for image in images]
        return [one if one.isValid() else crs for one in own]
    return [
        None if image.place is None else image.crs if image.crs.isValid() else crs
        for image in images
    ]


def _transformed(
    shapes: Objects,
    system: QgsCoordinateReferenceSystem,
    target: QgsCoordinateReferenceSystem,
    context: QgsCoordinateTransformContext,
    file: str,
) -> Objects:
    there = transform_between(system, target, context)
    try:
        moved: Objects = shapely.transform(shapes, lambda xy: transform_coordinates(xy, there))
    except QgsCsException:
        moved = np.array([None], dtype=object)
    if not np.isfinite(shapely.total_bounds(moved)).all():
        said = "The crowns of {file} cannot be brought from {crs} to {to}; import it by itself."
        raise InputError(said, file=file, crs=name_of(system), to=name_of(target))
    return moved


def _system_remarks(
    every: Sequence[QgsCoordinateReferenceSystem],
    target: QgsCoordinateReferenceSystem | None,
    apart: Sequence[str],
) -> list[Remark]:
    """What is to be said of the systems of all that is on the map, and of images that lie on one another."""
    told = []
    if len(apart) > 1:
        said = (
            "Crowns of {count:,} images without a georeference lie on one another; with the field 'image' as plot "
            "field, only those of one image are compared."
        )
        told.append(note("exchange.several_images", said, count=len(apart)))
    if every and target is None:
        said = "The images say where they lie, but not in which coordinate system; choose it, or set the layer's."
        told.append(warning("exchange.no_system", said))
    if target is not None and not is_defined(target):
        said = "The coordinate system '{crs}' is not defined."
        told.append(warning("exchange.undefined_system", said, crs=name_of(target)))
    names = dict.fromkeys(name_of(system) for system in every if system.isValid())
    if target is not None and len(names) > 1:
        said = "What is imported lies in several coordinate systems ({systems}); all of it was brought to {crs}."
        told.append(
            warning("exchange.several_systems", said, systems=list(names), crs=name_of(target))
        )
    return told


#: What can be wrong with images.
_WRONG_IMAGES = {
    "missing_image": "{file}: {images} not found beside it or in the folder of the images; choose the images' folder.",
    "broken_image": "{file}: {images} cannot be read as an image; it may be damaged, or of another kind.",
    "size_of_image": "{file}: {images} of another size than the file says; crowns were taken as pixels of the image.",
}


def _image_remarks(
    file: ReadFile, images: Sequence[PlacedImage], used: Sequence[PlacedImage], on_map: bool
) -> list[Remark]:
    """Which images, those that are used above all, are missing, lie nowhere, have another size, or have no crowns."""
    found, name = file.found, file.file.path.name
    told = []
    if found.frame is not Frame.MAP:
        wrong = {
            "missing_image": [
                image.name for image in used if image.path is None and not image.broken
            ],
            "broken_image": [image.name for image in used if image.broken],
            "size_of_image": [
                named.name
                for named, image in zip(found.images, images)
                if image.path
                and named.width
                and (named.width, named.height) != (image.width, image.height)
            ],
        }
        for key, names in wrong.items():
            if names:
                told.append(
                    warning(f"exchange.{key}", _WRONG_IMAGES[key], file=name, images=some(names))
                )
        nowhere = [image.name for image in used if image.place is None]
        if nowhere and not on_map:
            said = "{file}: nothing says where {images} lie; their crowns are in pixels, and lie on them in QGIS."
            one = "{file}: nothing says where {images} lies; its crowns are in pixels, and lie on it in QGIS."
            told.append(
                note(
                    "exchange.no_georeference",
                    said,
                    one=one,
                    file=name,
                    count=len(nowhere),
                    images=some(nowhere),
                )
            )
    bare = found.empty_images
    if bare:
        said = "{file}: {count:,} images are without crowns: {images}."
        one = "{file}: 1 image is without crowns: {images}."
        told.append(
            note(
                "exchange.empty_image", said, one=one, file=name, count=len(bare), images=some(bare)
            )
        )
    return told


def _centres(shapes: Objects) -> Floats:
    bounds = shapely.bounds(shapes)
    centres: Floats = (bounds[:, :2] + bounds[:, 2:]) / 2
    return centres
