"""Parts of images around exported crowns; with a plot field, one part for each plot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import NamedTuple

import numpy as np
import pandas as pd
import shapely

from randcrowns.core.arrays import Floats, Ints, Objects
from randcrowns.core.crowns import Crowns, unique_name
from randcrowns.core.exchange.annotations import Annotations, Image
from randcrowns.core.instances.overlap import polygon_overlap
from randcrowns.core.instances.summary import assign_plots
from randcrowns.core.messages import Message, abbreviate, note
from randcrowns.core.outlines import repair_outlines
from randcrowns.layers.raster.images import AnnotatedImage, Window
from randcrowns.layers.vector.names import to_ascii_name

#: Folder of the image parts, next to the annotation files that name them.
IMAGE_FOLDER = "images"
_NO_PLOT = ""


@dataclass(frozen=True, eq=False)
class CrownsOnImages:
    """Crowns of one layer in pixels of the images on which they lie."""

    annotations: Annotations  #: n crowns.
    plots: Objects | None = None  #: (n,) plot names, "" for no plot; None without a plot field.


@dataclass(frozen=True)
class ImagePart:
    """Part of an image that is written to a file of its own."""

    image: AnnotatedImage  #: whole image.
    window: Window  #: pixels of the whole image that belong to the part.
    name: str  #: file name.


class CutCrowns(NamedTuple):
    """Image parts, and the crowns in pixels of these parts."""

    targets: Annotations  #: target crowns.
    predictions: Annotations | None  #: predicted crowns, or None.
    ignored: Annotations | None  #: areas to ignore, or None.
    parts: list[ImagePart]  #: image parts.
    messages: list[Message]  #: message about plots on several images, if there are any.


def cut_around(
    targets: CrownsOnImages,
    predictions: CrownsOnImages | None,
    ignored: CrownsOnImages | None,
    images: Sequence[AnnotatedImage],
    margin: int,
) -> CutCrowns:
    """Plan image parts around targets and predictions, and move all crowns to these parts.

    There is one part per image and plot. An area to ignore that has no plot is copied to each part
    that it intersects. No image is read or written.

    Args:
        targets: target crowns.
        predictions: predicted crowns, or None.
        ignored: areas to ignore, or None.
        images: images whose pixels the crowns are in.
        margin: number of image pixels around the crowns.
    """
    layers = [targets]
    if predictions is not None:
        layers.append(_assign_plots_of_targets(targets, predictions))
    # The crowns of both layers follow each other.
    crown_keys = pd.concat([_identify_image_and_plot(layer) for layer in layers], ignore_index=True)
    part_keys = crown_keys.drop_duplicates().sort_values(["plot", "image"], ignore_index=True)
    part_index = pd.MultiIndex.from_frame(part_keys)
    part_of_crown = part_index.get_indexer(pd.MultiIndex.from_frame(crown_keys))
    bounds = np.concatenate([shapely.bounds(layer.annotations.shapes) for layer in layers])
    parts = _plan_parts(part_keys, part_of_crown, bounds, images, margin)

    n_targets = len(targets.annotations)
    cut_targets = _move_to_parts(targets.annotations, part_of_crown[:n_targets], parts)
    cut_predictions = None
    if predictions is not None:
        cut_predictions = _move_to_parts(predictions.annotations, part_of_crown[n_targets:], parts)
    cut_ignored = None
    if ignored is not None:
        rows, part_numbers = _clip_ignored_to_parts(ignored, part_keys, parts)
        cut_ignored = _move_to_parts(ignored.annotations, part_numbers, parts, rows)
    return CutCrowns(
        targets=cut_targets,
        predictions=cut_predictions,
        ignored=cut_ignored,
        parts=parts,
        messages=_split_plot_messages(part_keys),
    )


def _plan_parts(
    part_keys: pd.DataFrame,
    part_of_crown: Ints,
    bounds: Floats,
    images: Sequence[AnnotatedImage],
    margin: int,
) -> list[ImagePart]:
    """Return the image parts, whose names differ from each other and from those of the images.

    Args:
        part_keys: columns ``image`` (index of the image) and ``plot`` of each part.
        part_of_crown: (n,) part of each crown.
        bounds: (n, 4) bounds of each crown, in pixels of its image.
        images: whole images.
        margin: number of pixels around the crowns.
    """
    used_names = {image.name.lower() for image in images}

    def is_used(name: str) -> bool:
        return name.lower() in used_names

    parts: list[ImagePart] = []
    for number, (image_index, plot) in enumerate(part_keys.itertuples(index=False)):
        image = images[image_index]
        window = _place_window_around(bounds[part_of_crown == number], image, margin)
        suffix = to_ascii_name(plot) if plot else "cut"
        stem = f"{PurePosixPath(image.name).stem}_{suffix}"
        name = unique_name(f"{stem}.tif", is_used, f"{stem}_{{1}}.tif")
        used_names.add(name.lower())
        parts.append(ImagePart(image, window, name))
    return parts


def _split_plot_messages(part_keys: pd.DataFrame) -> list[Message]:
    """Return a message about the plots that lie on several images; an empty list without any.

    Args:
        part_keys: columns ``image`` and ``plot`` of each part.
    """
    is_split = part_keys["plot"].duplicated(keep=False) & (part_keys["plot"] != _NO_PLOT)
    plots = part_keys.loc[is_split, "plot"].unique()
    if not len(plots):
        return []
    return [
        note(
            "export.split_plots",
            "Plots {plots} lie on several images. Each image was cut out separately.",
            one="Plot {plots} lies on several images. Each image was cut out separately.",
            count=len(plots),
            plots=abbreviate(list(plots)),
        )
    ]


def _assign_plots_of_targets(
    targets: CrownsOnImages, predictions: CrownsOnImages
) -> CrownsOnImages:
    """Return the predictions with the plots of the targets on the same image.

    The predictions are returned unchanged if they have plots, or if the targets have none.

    Args:
        targets: target crowns.
        predictions: predicted crowns.
    """
    if predictions.plots is not None or targets.plots is None:
        return predictions
    plots = np.full(len(predictions.annotations), _NO_PLOT, dtype=object)
    for image_index in np.unique(predictions.annotations.image_index):
        is_target = targets.annotations.image_index == image_index
        is_prediction = predictions.annotations.image_index == image_index
        target_crowns = replace(
            _replace_outlines(targets.annotations.shapes[is_target]), plots=targets.plots[is_target]
        )
        predicted_crowns = _replace_outlines(predictions.annotations.shapes[is_prediction])
        overlap = polygon_overlap(target_crowns, predicted_crowns)
        assigned = assign_plots(target_crowns, predicted_crowns, overlap)
        plots[is_prediction] = [_NO_PLOT if plot is None else plot for plot in assigned]
    return replace(predictions, plots=plots)


def _replace_outlines(shapes: Objects) -> Crowns:
    """Return crowns with the repaired polygons of outlines (n,)."""
    return Crowns(repair_outlines(shapes))


def _identify_image_and_plot(layer: CrownsOnImages) -> pd.DataFrame:
    """Return the columns ``image`` (index) and ``plot`` ("" for no plot), one row per crown."""
    plots = layer.plots
    if plots is None:
        plots = np.full(len(layer.annotations), _NO_PLOT, dtype=object)
    return pd.DataFrame({"image": layer.annotations.image_index, "plot": plots})


def _place_window_around(bounds: Floats, image: AnnotatedImage, margin: int) -> Window:
    """Return the part of an image around bounds, at least one pixel wide and high.

    Args:
        bounds: (n, 4) xmin, ymin, xmax, ymax, pixels.
        image: the image.
        margin: pixels that are added on all sides, as far as the image reaches.
    """
    size = np.array([image.width, image.height])
    lowest = np.floor(bounds[:, :2].min(axis=0)) - margin
    highest = np.ceil(bounds[:, 2:].max(axis=0)) + margin
    # (2,) column and row.
    first_pixel = np.clip(lowest, 0, size - 1).astype(int)
    end_pixel = np.clip(highest, first_pixel + 1, size).astype(int)
    width, height = (end_pixel - first_pixel).tolist()
    return Window(int(first_pixel[0]), int(first_pixel[1]), width, height)


def _clip_ignored_to_parts(
    ignored: CrownsOnImages, part_keys: pd.DataFrame, parts: Sequence[ImagePart]
) -> tuple[Ints, Ints]:
    """Find the image parts of areas to ignore.

    An area with a plot is only on parts of that plot, and on parts without a plot.

    Args:
        ignored: areas to ignore.
        part_keys: columns ``image`` and ``plot`` of each part.
        parts: image parts, in the same order.

    Returns:
        Rows of the areas (k,), and the number of the part that each is on (k,). An area on several
        parts has several rows.
    """
    keys = _identify_image_and_plot(ignored)
    # (parts, areas) True for areas on a part.
    is_on_part = np.zeros((len(parts), len(keys)), dtype=bool)
    for number, (image_index, plot) in enumerate(part_keys.itertuples(index=False)):
        window = parts[number].window
        box = shapely.box(
            window.left, window.top, window.left + window.width, window.top + window.height
        )
        is_same_image = keys["image"] == image_index
        is_same_plot = keys["plot"].isin((plot, _NO_PLOT)) | (plot == _NO_PLOT)
        is_candidate = (is_same_image & is_same_plot).to_numpy()
        is_on_part[number] = is_candidate & shapely.intersects(ignored.annotations.shapes, box)
    part_numbers, area_rows = np.nonzero(is_on_part)
    return area_rows, part_numbers


def _move_to_parts(
    annotations: Annotations,
    part_numbers: Ints,
    parts: Sequence[ImagePart],
    rows: Ints | None = None,
) -> Annotations:
    """Return annotations in pixels of image parts instead of whole images.

    Args:
        annotations: annotations in pixels of the whole images.
        part_numbers: (k,) number of the part that each annotation is moved to.
        parts: image parts.
        rows: (k,) rows of the annotations; None for all of them.
    """
    if rows is None:
        rows = np.arange(len(annotations))
    shapes = annotations.shapes[rows]
    for number in np.unique(part_numbers):
        is_on_part = part_numbers == number
        shapes[is_on_part] = _shift_to_window(shapes[is_on_part], parts[number].window)
    images = [
        Image(f"{IMAGE_FOLDER}/{part.name}", part.window.width, part.window.height)
        for part in parts
    ]
    moved = Annotations.from_shapes(
        shapes,
        images,
        part_numbers,
        annotations.label[rows],
        annotations.score[rows],
        fields={name: values[rows] for name, values in annotations.fields.items()},
    )
    return replace(moved, is_ignored=annotations.is_ignored[rows])


def _shift_to_window(shapes: Objects, window: Window) -> Objects:
    """Return outlines (n,) relative to the upper left corner of a window."""
    corner = np.array((window.left, window.top))
    shifted: Objects = shapely.transform(shapes, lambda xy: xy - corner)
    return shifted
