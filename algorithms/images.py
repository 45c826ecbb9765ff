"""Several images, or plots, that are taken as one: how they are named, what each holds, and what is said of them.

Rasters are of an image by the pattern of their names, polygons by a field. One declaration for comparing annotators,
for making a consensus and for ranking detectors.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Callable, TypeVar

from qgis.core import QgsRasterLayer, QgsVectorLayer

from randcrowns.algorithms.choice import Choice, Field, Given, Job, Numeric, Text
from randcrowns.core.errors import InputError
from randcrowns.core.progress import Progress, steps
from randcrowns.core.remarks import Remark, info, note, some
from randcrowns.layers.crs import WorkingCrs
from randcrowns.layers.raster.grid import RasterSnapshot
from randcrowns.layers.vector.names import by_number
from randcrowns.layers.vector.place import AnyPlace, Snapshot
from randcrowns.layers.words import tr

AnyJob = TypeVar("AnyJob", bound=Job)

IMAGES = Text(
    "images",
    tr("Several images: names of the rasters"),
    tr(
        "How rasters are named where they are of several images, such as {image}_{annotator}; a detector stands in "
        "place of the annotator. All are counted together, with rows per image, and images are resampled. Empty: one "
        "image."
    ),
    advanced=True,
    optional=True,
)


def by_image(pattern: str, names: Sequence[str]) -> dict[str, dict[str, str]]:
    """Names of rasters by image and annotator, as a pattern tells them; refused where it does not fit them all."""
    plain = _plain(pattern)
    parts = {"image": "{image}", "annotator": "{annotator}"}
    if any(plain.count(part) != 1 for part in parts.values()):
        said = "The pattern '{pattern}' must hold {{image}} and {{annotator}} once each."
        raise InputError(said, pattern=pattern)
    searched = re.escape(plain)
    for name, part in parts.items():
        searched = searched.replace(re.escape(part), f"(?P<{name}>.+?)")
    found: dict[str, dict[str, str]] = {}
    for name in names:
        told = re.fullmatch(searched, name)
        if told is None:
            raise InputError(
                "The name of raster '{name}' does not fit the pattern '{pattern}'.",
                name=name,
                pattern=pattern,
            )
        found.setdefault(told["image"], {})[told["annotator"]] = name
    everyone = sorted(set().union(*found.values()), key=by_number)
    for image, drawn in found.items():
        missing = [one for one in everyone if one not in drawn]
        if missing:
            said = "Image '{image}' has no raster of {missing}; add it, or take the image off the annotators."
            raise InputError(said, image=image, missing=", ".join(missing))
    ordered = sorted(found, key=by_number)
    return {image: {one: found[image][one] for one in everyone} for image in ordered}


def _plain(pattern: str) -> str:
    """Without the ending of a file."""
    return re.sub(r"\.\w{1,5}$", "", pattern)


def rasters_beside(
    pattern: str, layer: QgsRasterLayer, images: Iterable[str]
) -> dict[str, QgsRasterLayer]:
    """The raster of each image, beside the file of one: named by its image alone, or by the pattern."""
    images, path = list(images), Path(layer.source())
    named = "{image}"
    if path.stem not in images:
        ((_, drawn),) = by_image(pattern, [path.stem]).items()
        named = _plain(pattern).replace("{annotator}", next(iter(drawn)))
    found: dict[str, QgsRasterLayer] = {}
    for image in images:
        file = path.with_name(named.replace("{image}", image) + path.suffix)
        found[image] = layer if file == path else QgsRasterLayer(str(file), file.stem)
        if not found[image].isValid():
            said = "Image '{image}' has no raster {file} beside that of '{name}'; add it, or leave '{label}' empty."
            raise InputError(
                said, image=image, file=file.name, name=layer.name(), label=tr("Image")
            )
    return found


def layers_by_image(
    pattern: str, *roles: Mapping[str, Snapshot]
) -> dict[str, list[dict[str, Snapshot]]]:
    """What is of each image: per role the image's rasters by the names in the pattern, and all polygon layers."""
    rasters = [
        [name for name, layer in role.items() if isinstance(layer, RasterSnapshot)]
        for role in roles
    ]
    named = [by_image(pattern, names) if names else None for names in rasters]
    images = list(next(filter(None, named)))
    return {
        image: [
            {
                **{
                    one: role[name] for one, name in ({} if found is None else found[image]).items()
                },
                **{
                    name: layer
                    for name, layer in role.items()
                    if not isinstance(layer, RasterSnapshot)
                },
            }
            for role, found in zip(roles, named)
        ]
        for image in images
    }


def check_images(
    given: Given, plot: Field, roles: Iterable[Sequence[Any]], without: Iterable[Any], most: int
) -> None:
    """Refuse what cannot be done with several images.

    Args:
        plot: the choice of the field with the plot.
        roles: layers by what they are, the annotators first.
        without: choices and outputs that several images do not have.
        most: annotators.
    """
    roles = [list(role) for role in roles]
    if IMAGES in given:
        _check_rasters(given, plot, roles, most)
    elif plot not in given:
        return
    for choice in without:
        if choice in given and (not isinstance(choice, Numeric) or given[choice] > 0):
            raise InputError("'{name}' cannot be had with several images.", name=choice.label)


def check_plots(given: Given, plot: Field, layers: Iterable[Any]) -> None:
    """Refuse layers of polygons without the field with the plot."""
    for layer in layers if given[plot] else ():
        if isinstance(layer, QgsVectorLayer) and layer.fields().lookupField(given[plot]) < 0:
            said = "Layer '{name}' has no field '{field}' with the plot; add it, or leave the field empty."
            raise InputError(said, name=layer.name(), field=given[plot])


def _check_rasters(given: Given, plot: Field, roles: Sequence[Sequence[Any]], most: int) -> None:
    """Refuse a pattern that does not fit, and roles that are of unlike images."""
    first: list[str] = []
    for role in roles:
        rasters = [layer for layer in role if isinstance(layer, QgsRasterLayer)]
        if len(rasters) < len(role) and plot not in given:
            other = next(layer for layer in role if layer not in rasters)
            said = "Layer '{name}' is no raster: name its field with the image under '{label}'."
            raise InputError(said, name=other.name(), label=plot.label)
        names = [layer.name() for layer in rasters]
        if len(set(names)) < len(names):
            raise InputError("Two of the rasters of several images have the same name; rename one.")
        images = by_image(given[IMAGES], names) if names else {}
        if role is roles[0] and images and len(next(iter(images.values()))) > most:
            raise InputError("At most {most} annotators can be compared.", most=most)
        odd = sorted(set(first) ^ set(images)) if first and images else []
        if odd:
            said = "Image '{image}' has rasters of annotators or of detectors alone; each image needs both."
            raise InputError(said, image=odd[0])
        first = first or list(images)
    if not first:
        said = "'{label}' is given, but no layer is a raster; leave it empty."
        raise InputError(said, label=IMAGES.label)


def read_images(
    job: AnyJob,
    of_images: Mapping[str, AnyJob],
    plot: Choice[str],
    read: Callable[[AnyJob, Progress], AnyPlace],
    progress: Progress,
) -> dict[str, AnyPlace]:
    """What was read of each of several images or plots by its name; of a single one under an empty name.

    ``of_images`` has the run of each image, or of the only one; ``plot`` is the choice of the field with the plot.
    """
    places = {
        image: read(one, share) for (image, one), share in steps(list(of_images.items()), progress)
    }
    if not job[plot]:
        return places
    found: dict[str, AnyPlace] = {}
    for image, place in places.items():
        areas = place.plot_areas()
        if areas is None:
            said = (
                "A polygon of the study area holds several plots of field '{field}': all was counted as one. Give the "
                "study area that field for rows per plot."
            )
            place.decided.append(note("images.one_area", said, field=job[plot]))
            return places
        if not image and len(areas) < 2:
            return places
        _tell_unnamed(place, job[plot])
        if image:
            _tell_strangers(place, list(places), job[plot])
            found[image] = place.of_plot(image, areas.get(image, place.area))
        else:
            outside = [name for name in place.plot_names if name not in areas]
            if outside:
                said = "Plots outside the study area do not count: {names}."
                place.decided.append(note("images.outside", said, names=outside))
            found = {name: place.of_plot(name, area) for name, area in areas.items()}
    return found


def _tell_unnamed(place: AnyPlace, field: str) -> None:
    """Whose polygons name no plot; of layers in groups by that field the reader has told it."""
    said = "{name}: {count:,} polygons have nothing in field '{field}' and do not count."
    one = "{name}: 1 polygon has nothing in field '{field}' and does not count."
    for layer in place.layers:
        request, count = layer.request, layer.plots.tolist().count(None)
        if (
            count
            and request.group_field != field
            and request.snapshot.fields.lookupField(field) >= 0
        ):
            values = {"name": layer.crowns.name, "count": count, "field": field}
            place.decided.append(note("images.no_plot", said, one=one, **values))


def _tell_strangers(place: AnyPlace, images: list[str], field: str) -> None:
    others = [name for name in place.plot_names if name not in images]
    if others:
        said = "No raster is of {names}, so the polygons with that in field '{field}' do not count."
        place.decided.append(note("images.no_raster", said, names=others, field=field))


def remarks_of_images(told: Mapping[str, Iterable[Remark]], *left_out: str) -> list[Remark]:
    """That there are several; what is said of all once, and of some with their name; not the keys ``left_out``."""
    by_remark: dict[Remark, list[str]] = {}
    for image, remarks in told.items():
        for remark in dict.fromkeys(remarks):
            by_remark.setdefault(remark, []).append(image)
    said = "{count} images or plots were counted together; intervals are over them."
    found = [
        remark
        if len(images) == len(told)
        else replace(
            remark,
            template="{image}: {said}",
            values={"image": some(images), "said": remark},
            one="",
        )
        for remark, images in by_remark.items()
        if remark.key not in left_out
    ]
    return [info("images.several", said, count=len(told)), *found]


def check_alike(systems: Mapping[str, WorkingCrs]) -> None:
    """Refuse images that lie in different coordinate systems."""
    (first, known), *others = systems.items()
    for image, working in others:
        if (working.crs, working.metres) != (known.crs, known.metres):
            said = "Images '{first}' and '{other}' lie in different coordinate systems; bring them to one."
            raise InputError(said, first=first, other=image)
