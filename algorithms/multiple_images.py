"""Input of several images, or of several plots, that are evaluated together in one run.

Rasters belong to an image by a pattern of their names, polygons by a field. The algorithms that
compare annotators, make a consensus and rank detectors share this module.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Callable, TypeVar

from qgis.core import QgsRasterLayer, QgsVectorLayer

from randcrowns.algorithms.parameter_types import (
    FieldParameter,
    NumericParameter,
    Parameter,
    RunParameters,
    RunSettings,
    TextParameter,
)
from randcrowns.core.comparison import check_plot_spelling
from randcrowns.core.errors import InputError
from randcrowns.core.messages import Message, abbreviate, info, note
from randcrowns.core.names import numeric_sort_key
from randcrowns.core.progress import Progress, iterate_with_progress
from randcrowns.layers.crs import WorkingCrs
from randcrowns.layers.fields import field_index
from randcrowns.layers.localization import tr
from randcrowns.layers.raster.grid import RasterSnapshot
from randcrowns.layers.vector.study_site import AnyStudySite, Snapshot

AnyJob = TypeVar("AnyJob", bound=RunSettings)

IMAGES = TextParameter(
    "images",
    tr("Several images: names of the rasters"),
    tr(
        "Pattern of the raster names if the rasters are of several images, such as "
        "{image}_{annotator}; the rasters of a detector have its name in place of the annotator's. "
        "All images are evaluated together, results have rows per image, and images are "
        "resampled. Empty: one image."
    ),
    advanced=True,
    optional=True,
)


def group_names_by_image(pattern: str, names: Sequence[str]) -> dict[str, dict[str, str]]:
    """Return the names of rasters by image and annotator.

    Args:
        pattern: pattern with ``{image}`` and ``{annotator}``; a file ending is ignored.
        names: names of the rasters.

    Returns:
        Raster name by annotator, for each image. Images and annotators are sorted, numbers by
        their value.

    Raises:
        InputError: if the pattern is invalid, if a name does not fit it, or if an image has no
            raster of one of the annotators.
    """
    expression = _compile_pattern(pattern)
    names_by_image: dict[str, dict[str, str]] = {}
    all_annotators: set[str] = set()
    for name in names:
        match = expression.fullmatch(name)
        if match is None:
            raise _name_without_pattern_error(name, pattern)
        image = match["image"]
        annotator = match["annotator"]
        all_annotators.add(annotator)
        names_by_image.setdefault(image, {})[annotator] = name

    annotators = sorted(all_annotators, key=numeric_sort_key)
    for image, name_by_annotator in names_by_image.items():
        missing = [annotator for annotator in annotators if annotator not in name_by_annotator]
        if missing:
            raise InputError(
                "images.missing_raster",
                "Image '{image}' has no raster of {missing}. Add it, or remove the image from the "
                "annotators.",
                image=image,
                missing=", ".join(missing),
            )

    sorted_names: dict[str, dict[str, str]] = {}
    for image in sorted(names_by_image, key=numeric_sort_key):
        name_by_annotator = names_by_image[image]
        sorted_names[image] = {name: name_by_annotator[name] for name in annotators}
    return sorted_names


def _name_without_pattern_error(name: str, pattern: str) -> InputError:
    """Return the error for a raster whose name does not fit the pattern."""
    return InputError(
        "images.name_without_pattern",
        "The name of raster '{name}' does not fit the pattern '{pattern}'.",
        name=name,
        pattern=pattern,
    )


def _compile_pattern(pattern: str) -> re.Pattern[str]:
    """Return a regular expression with the groups ``image`` and ``annotator`` for a pattern.

    Raises:
        InputError: if the pattern does not contain each of them once.
    """
    stem = _remove_ending(pattern)
    if stem.count("{image}") != 1 or stem.count("{annotator}") != 1:
        raise InputError(
            "images.invalid_pattern",
            "The pattern '{pattern}' must hold {{image}} and {{annotator}} once each.",
            pattern=pattern,
        )
    expression = re.escape(stem)
    for group in ("image", "annotator"):
        placeholder = re.escape(f"{{{group}}}")
        expression = expression.replace(placeholder, f"(?P<{group}>.+?)")
    return re.compile(expression)


def _remove_ending(pattern: str) -> str:
    """Return a pattern without the ending of a file."""
    return re.sub(r"\.\w{1,5}$", "", pattern)


def find_rasters_of_images(
    pattern: str, layer: QgsRasterLayer, images: Iterable[str]
) -> dict[str, QgsRasterLayer]:
    """Return the raster of each image, from the folder of a raster of one of them.

    The files are named after the image alone, or by the pattern.

    Args:
        pattern: pattern with ``{image}`` and ``{annotator}``.
        layer: raster of one image.
        images: names of all images.

    Returns:
        ``layer`` and new raster layers, by image.

    Raises:
        InputError: if an image has no such raster.
    """
    image_names = list(images)
    path = Path(layer.source())
    stem_pattern = "{image}"
    if path.stem not in image_names:
        match = _compile_pattern(pattern).fullmatch(path.stem)
        if match is None:
            raise _name_without_pattern_error(path.stem, pattern)
        stem_pattern = _remove_ending(pattern).replace("{annotator}", match["annotator"])
    rasters: dict[str, QgsRasterLayer] = {}
    for image in image_names:
        file = path.with_name(stem_pattern.replace("{image}", image) + path.suffix)
        raster = layer if file == path else QgsRasterLayer(str(file), file.stem)
        if not raster.isValid():
            raise InputError(
                "images.missing_file",
                "Image '{image}' has no raster {file} in the folder of '{name}'. Add it, or leave "
                "'{label}' empty.",
                image=image,
                file=file.name,
                name=layer.name(),
                label=tr("Image"),
            )
        rasters[image] = raster
    return rasters


def group_layers_by_image(
    pattern: str, *roles: Mapping[str, Snapshot]
) -> dict[str, list[dict[str, Snapshot]]]:
    """Return the layers of each image.

    Args:
        pattern: pattern with ``{image}`` and ``{annotator}``.
        *roles: layers by name, such as those of annotators and those of detectors. At least one of
            them is a raster.

    Returns:
        For each image one dictionary per role, with the rasters of the image (by the annotator in
        their name) and all polygon layers (by their name).
    """
    raster_names_by_role = []
    polygons_by_role = []
    for role in roles:
        raster_names = []
        polygon_layers = {}
        for name, layer in role.items():
            if isinstance(layer, RasterSnapshot):
                raster_names.append(name)
            else:
                polygon_layers[name] = layer
        names_by_image = {}
        if raster_names:
            names_by_image = group_names_by_image(pattern, raster_names)
        raster_names_by_role.append(names_by_image)
        polygons_by_role.append(polygon_layers)

    # All roles with rasters have the same images.
    images = next(names_by_image for names_by_image in raster_names_by_role if names_by_image)
    layers_by_image: dict[str, list[dict[str, Snapshot]]] = {}
    for image in images:
        layers_by_image[image] = []
        for role, names_by_image, polygon_layers in zip(
            roles, raster_names_by_role, polygons_by_role
        ):
            name_by_annotator = names_by_image[image] if names_by_image else {}
            rasters = {annotator: role[name] for annotator, name in name_by_annotator.items()}
            layers_by_image[image].append({**rasters, **polygon_layers})
    return layers_by_image


def check_images(
    run_parameters: RunParameters,
    plot: FieldParameter,
    roles: Iterable[Sequence[Any]],
    unsupported: Iterable[Any],
    maximum_annotators: int,
) -> None:
    """Raise an InputError for input that several images, or plots, do not support.

    Args:
        run_parameters: parameters of the run.
        plot: parameter with the plot field.
        roles: layers by role, those of the annotators first.
        unsupported: parameters and outputs that several images do not support.
        maximum_annotators: maximum number of annotators.
    """
    if IMAGES in run_parameters:
        _check_rasters(run_parameters, plot, [list(role) for role in roles], maximum_annotators)
    elif plot not in run_parameters:
        return
    for declared in unsupported:
        is_set = declared in run_parameters
        if isinstance(declared, NumericParameter):
            is_set = is_set and run_parameters[declared] > 0
        if is_set:
            raise InputError(
                "images.unsupported_layer",
                "'{name}' is not supported with several images.",
                name=declared.label,
            )


def check_plot_field(
    run_parameters: RunParameters, plot: FieldParameter, layers: Iterable[Any]
) -> None:
    """Raise an InputError for a vector layer without the plot field.

    Args:
        run_parameters: parameters of the run.
        plot: parameter with the plot field.
        layers: map layers.
    """
    field = run_parameters[plot]
    if not field:
        return
    for layer in layers:
        if isinstance(layer, QgsVectorLayer) and field_index(layer.fields(), field) < 0:
            raise InputError(
                "plots.no_field",
                "Layer '{name}' has no field '{field}' with the plot. Add it, or leave the field "
                "empty.",
                name=layer.name(),
                field=field,
            )


def _check_rasters(
    run_parameters: RunParameters,
    plot: FieldParameter,
    roles: Sequence[Sequence[Any]],
    maximum_annotators: int,
) -> None:
    """Raise an InputError for rasters that the name pattern does not assign to the same images.

    Args:
        run_parameters: parameters of the run.
        plot: parameter with the plot field.
        roles: layers by role, those of the annotators first.
        maximum_annotators: maximum number of annotators.
    """
    expected_images: set[str] = set()
    for role_number, role in enumerate(roles):
        names = _list_raster_names(role, run_parameters, plot)
        if not names:
            continue
        names_by_image = group_names_by_image(run_parameters[IMAGES], names)
        n_annotators = len(next(iter(names_by_image.values())))
        is_annotator_role = role_number == 0
        if is_annotator_role and n_annotators > maximum_annotators:
            raise InputError(
                "annotators.too_many_in_images",
                "At most {most} annotators can be compared.",
                most=maximum_annotators,
            )
        # The first role with rasters defines the images.
        images = set(names_by_image)
        expected_images = expected_images or images
        incomplete = sorted(expected_images ^ images)
        if incomplete:
            raise InputError(
                "images.without_detector_or_annotator",
                "Image '{image}' has rasters of annotators or of detectors alone; each image needs "
                "both.",
                image=incomplete[0],
            )
    if not expected_images:
        raise InputError(
            "images.pattern_without_raster",
            "'{label}' is set, but no layer is a raster. Leave it empty.",
            label=IMAGES.label,
        )


def _list_raster_names(
    layers: Sequence[Any], run_parameters: RunParameters, plot: FieldParameter
) -> list[str]:
    """Return the names of the rasters of a role.

    Args:
        layers: layers of the role.
        run_parameters: parameters of the run.
        plot: parameter with the plot field, which layers that are not rasters require.

    Raises:
        InputError: if a plot field is required and missing, or if two rasters have the same name.
    """
    rasters = [layer for layer in layers if isinstance(layer, QgsRasterLayer)]
    if len(rasters) < len(layers) and plot not in run_parameters:
        polygon_layer = next(layer for layer in layers if layer not in rasters)
        raise InputError(
            "images.not_raster",
            "Layer '{name}' is not a raster. Select its field with the image under '{label}'.",
            name=polygon_layer.name(),
            label=plot.label,
        )
    names = [layer.name() for layer in rasters]
    if len(set(names)) < len(names):
        raise InputError(
            "images.repeated_raster_name",
            "Two of the rasters of several images have the same name; rename one.",
        )
    return names


def read_images(
    settings: AnyJob,
    settings_by_image: Mapping[str, AnyJob],
    plot: Parameter[str],
    read_site: Callable[[AnyJob, Progress], AnyStudySite],
    progress: Progress,
) -> dict[str, AnyStudySite]:
    """Read the layers of each image and, with a plot field, divide them into plots.

    Messages about crowns that do not count are added to the study sites.

    Args:
        settings: settings of the run.
        settings_by_image: settings by image; those of a single image have the key "".
        plot: parameter with the plot field.
        read_site: function that reads the layers of one image.
        progress: called with the fraction done.

    Returns:
        Study sites by image or plot; a single one has the key "". If a polygon of the study area
        contains several plots, they are not divided.
    """
    sites = {}
    for (image, image_settings), share in iterate_with_progress(
        list(settings_by_image.items()), progress
    ):
        sites[image] = read_site(image_settings, share)
    field = settings[plot]
    return _divide_into_plots(sites, field) if field else sites


def _divide_into_plots(sites: dict[str, AnyStudySite], field: str) -> dict[str, AnyStudySite]:
    """Divide study sites into plots, and add messages about crowns that do not count to them.

    Args:
        sites: study sites by image; a single one has the key "".
        field: field with the plots.

    Returns:
        Study sites by image or plot. They are the given ones if there is a single plot, or if a
        polygon of the study area contains several plots.
    """
    plots: dict[str, AnyStudySite] = {}
    for image, site in sites.items():
        areas = site.plot_areas()
        if areas is None:
            site.site_messages.append(
                note(
                    "images.one_area",
                    "A polygon of the study area holds several plots of field '{field}', so all "
                    "were counted as one. Add that field to the study area to get rows per plot.",
                    field=field,
                )
            )
            return sites
        is_only_image = not image
        if is_only_image and len(areas) < 2:
            return sites
        _note_crowns_without_plot(site, field)
        site.site_messages.extend(check_plot_spelling(site.plot_names))
        if is_only_image:
            _note_plots_outside(site, areas)
            plots = {name: site.restrict_to_plot(name, area) for name, area in areas.items()}
        else:
            _note_plots_without_image(site, list(sites), field)
            plots[image] = site.restrict_to_plot(image, areas.get(image, site.study_area))
    return plots


def _note_crowns_without_plot(site: AnyStudySite, field: str) -> None:
    """Add a message to a study site for each layer with polygons that have no plot.

    A layer that was read with its plots has such a message already.
    """
    for layer in site.layers:
        n_without = layer.plots.tolist().count(None)
        request = layer.request
        if not n_without or request.group_field == field:
            continue
        if field_index(request.snapshot.fields, field) >= 0:
            site.site_messages.append(
                note(
                    "images.no_plot",
                    "{name}: {count:,} polygons have nothing in field '{field}' and do not count.",
                    one="{name}: 1 polygon has nothing in field '{field}' and does not count.",
                    name=layer.crowns.name,
                    count=n_without,
                    field=field,
                )
            )


def _note_plots_outside(site: AnyStudySite, areas: Mapping[str, Any]) -> None:
    """Add a message to a study site about the plots without a part of the study area."""
    outside = [name for name in site.plot_names if name not in areas]
    if outside:
        site.site_messages.append(
            note(
                "images.outside",
                "Plots outside the study area do not count: {names}.",
                names=outside,
            )
        )


def _note_plots_without_image(site: AnyStudySite, images: Sequence[str], field: str) -> None:
    """Add a message to a study site about the plots that are no image.

    Args:
        site: study site, whose messages are extended.
        images: names of the images.
        field: name of the plot field.
    """
    unknown = [name for name in site.plot_names if name not in images]
    if unknown:
        site.site_messages.append(
            note(
                "images.no_raster",
                "There is no raster of {names}, so the polygons with that value in field "
                "'{field}' do not count.",
                names=unknown,
                field=field,
            )
        )


def merge_messages(
    messages_by_image: Mapping[str, Iterable[Message]], *excluded_keys: str
) -> list[Message]:
    """Return the messages of several images as those of one run.

    Args:
        messages_by_image: messages by image or plot.
        *excluded_keys: keys of messages to drop.

    Returns:
        A message with the number of images, then every message once. If a message is not about all
        images, it begins with their names.
    """
    images_by_message: dict[Message, list[str]] = {}
    for image, messages in messages_by_image.items():
        for message in dict.fromkeys(messages):
            images_by_message.setdefault(message, []).append(image)
    n_images = len(messages_by_image)
    merged = [
        info(
            "images.several",
            "{count} images or plots were counted together; intervals are over them.",
            count=n_images,
        )
    ]
    for message, images in images_by_message.items():
        if message.key in excluded_keys:
            continue
        if len(images) == n_images:
            merged.append(message)
            continue
        # The message becomes a value of a message that begins with the images.
        values = {"image": abbreviate(images), "said": message}
        merged.append(replace(message, template="{image}: {said}", values=values, one=""))
    return merged


def check_same_crs(systems: Mapping[str, WorkingCrs]) -> None:
    """Raise an InputError if images lie in different coordinate reference systems.

    Args:
        systems: working systems by image.
    """
    (first_image, expected), *others = systems.items()
    for image, system in others:
        has_same_unit = system.metres_per_unit == expected.metres_per_unit
        if system.crs != expected.crs or not has_same_unit:
            raise InputError(
                "images.different_crs",
                "Images '{first}' and '{other}' lie in different coordinate systems. Reproject "
                "them to the same one.",
                first=first_image,
                other=image,
            )
