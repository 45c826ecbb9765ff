"""NeonTreeEvaluation (Weinstein et al. 2021): boxes against annotated or field crowns.

The rules are those of the authors' R package: predictions are assigned one to one to the crowns of
their plot by the largest shared area, and an assigned pair counts if its IoU is above 0.4. The
precision and the recall of a plot are rounded to three digits, and their means over plots are
printed. Plots for which a submission has no boxes are left out of its means.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import shapely

from randcrowns.core.arrays import Bools, Floats, Objects
from randcrowns.core.crowns import Crowns
from randcrowns.core.errors import InputError
from randcrowns.core.exchange.files import AnnotationReader, find_annotation_files
from randcrowns.core.instances.matching import MatchingMethod, match_one_to_one
from randcrowns.core.instances.overlap import polygon_overlap
from randcrowns.core.messages import Message, abbreviate, note
from randcrowns.core.statistics import plot_codes
from randcrowns.jobs.benchmarks.comparison import Estimate, SubmissionResult
from randcrowns.jobs.benchmarks.tables import read_table, required_columns
from randcrowns.jobs.images import ImageFile, read_image
from randcrowns.jobs.layers import InputOptions, Layer, read_layer
from randcrowns.jobs.sites import LayerRequest, read_site

#: Columns with the sides of a submitted box.
_SIDES = ("xmin", "ymin", "xmax", "ymax")
#: Column with the plot of a submitted box.
_PLOT = "plot_name"
#: Maximum coordinate of a box in pixels; larger coordinates are those of a map.
_MAX_PIXEL_COORDINATE = 100_000
#: End of the names of images with field crowns, which the names of their plots lack.
_COMPETITION = "_competition"
#: Digits of the precision and recall of a plot or site.
_DIGITS = 3
#: Endings of tables of boxes; other submissions are layers.
_TABLE_SUFFIX = ".csv"


@dataclass(frozen=True)
class NeonFiles:
    """Files of the benchmark.

    Attributes:
        truth: annotation files of the images, or the layer of field crowns.
        images: folder with the images, named after the plots; "" without one.
        plot_field: field with the plot in layers.
    """

    truth: str
    images: str = ""
    plot_field: str = "plotID"


class PlotCounts(NamedTuple):
    """Counts of plots, in the order of their names."""

    plot: Objects  #: (p,) name of the plot.
    matched: Floats  #: (p,) matched pairs.
    predictions: Floats  #: (p,) predictions.
    targets: Floats  #: (p,) crowns of the ground truth.


def evaluate_image_crowns(files: NeonFiles, submission: Path) -> SubmissionResult:
    """Evaluate boxes against crowns annotated on images, in pixels of the images.

    Args:
        files: files of the benchmark.
        submission: table with ``plot_name``, ``xmin``, ``ymin``, ``xmax`` and ``ymax``, in pixels
            from the upper left corner, or in coordinates of the map.

    Raises:
        InputError: if a file cannot be read, or no plot is in both.
    """
    targets = _read_annotated_crowns(files.truth)
    boxes = _read_boxes(submission)
    box_plots = boxes[_PLOT].to_numpy(dtype=object)
    shared_plots = _plots_of_both(targets.plots, box_plots, submission.name)
    counted_boxes = boxes[boxes[_PLOT].isin(shared_plots)]
    predictions = Crowns(
        _boxes_in_pixels(counted_boxes, files.images),
        plots=counted_boxes[_PLOT].to_numpy(dtype=object),
        name=submission.stem,
    )
    _, counts = _count_plots(_select_plots(targets, shared_plots), predictions)
    f1 = 2 * counts.matched / (counts.predictions + counts.targets)
    return SubmissionResult(
        table=_authors_table(counts),
        counts=_counts_row(counts),
        estimates=_plot_estimates(counts),
        unit_scores=pd.Series(f1, index=counts.plot),
        messages=_unused_plots_messages(targets.plots, box_plots, shared_plots, submission.name),
    )


def evaluate_field_crowns(files: NeonFiles, submission: Path) -> SubmissionResult:
    """Evaluate boxes against crowns that were drawn in the field.

    Args:
        files: files of the benchmark.
        submission: a table as for :func:`evaluate_image_crowns`, or a layer with the field of the
            plot.

    Raises:
        InputError: if a file cannot be read, or no plot is in both.
    """
    truth = read_layer(files.truth)
    _require_plot_field(truth, files.plot_field)
    if submission.suffix.lower() == _TABLE_SUFFIX:
        layer = _layer_of_boxes(submission, files, truth)
    else:
        layer = read_layer(submission)
    _require_plot_field(layer, files.plot_field)
    requests = [
        LayerRequest(truth, files.plot_field, is_required=True),
        LayerRequest(layer, files.plot_field, is_required=True),
    ]
    site = read_site(requests, InputOptions())
    all_targets, all_predictions = (crown_layer.crowns for crown_layer in site.layers)
    shared_plots = _plots_of_both(all_targets.plots, all_predictions.plots, submission.name)
    targets = _select_plots(all_targets, shared_plots)
    predictions = _select_plots(all_predictions, shared_plots)
    is_matched, counts = _count_plots(targets, predictions)
    plots = np.asarray(targets.plots, dtype=object)
    units = pd.Index([f"{plot} {target_id}" for plot, target_id in zip(plots, targets.ids)])
    target_scores = is_matched.astype(float)
    crown_recall = Estimate.of_mean("crown_recall", target_scores, plot_codes(plots))
    plot_messages = _unused_plots_messages(
        all_targets.plots, all_predictions.plots, shared_plots, submission.name
    )
    return SubmissionResult(
        table=_authors_table(counts),
        counts=_counts_row(counts),
        estimates=(*_plot_estimates(counts), crown_recall),
        unit_scores=pd.Series(target_scores, index=units),
        unit_plots=pd.Series(plots, index=units),
        messages=(*site.all_messages, *plot_messages),
    )


def _truth_plots(truth: Layer, files: NeonFiles) -> Objects:
    """Return the plot (n,) of each crown of a layer as text."""
    return truth.frame[files.plot_field].astype(str).to_numpy(dtype=object)


def _read_annotated_crowns(source: str) -> Crowns:
    """Return the crowns of annotation files in pixels; their plots are the names of the images.

    Raises:
        InputError: if a file cannot be read.
    """
    files = find_annotation_files(source, None)
    reader = AnnotationReader(files)
    shapes: list[Objects] = []
    plots: list[str] = []
    for file in files:
        annotations = reader.read(file)
        shapes.append(annotations.shapes)
        plots_of_images = [Path(image.name).stem for image in annotations.images]
        plots += [plots_of_images[image_number] for image_number in annotations.image_index]
    return Crowns(np.concatenate(shapes), plots=np.array(plots, dtype=object), name="ground truth")


def _read_boxes(path: Path) -> pd.DataFrame:
    """Return the boxes of a table, with the sides as numbers and the plot as text.

    Raises:
        InputError: if a column is missing, or a box has no area.
    """
    table = read_table(path)
    required_columns(table, (_PLOT, *_SIDES), path.name)
    boxes = table[list(_SIDES)].apply(pd.to_numeric, errors="coerce")
    has_area = (boxes["xmax"] > boxes["xmin"]) & (boxes["ymax"] > boxes["ymin"])
    if not has_area.all():
        # The first line is the heading, and lines count from 1.
        lines = np.flatnonzero(~has_area) + 2
        raise InputError(
            "benchmark.box_without_area",
            "{file}: boxes without an area in lines {lines}. Remove them.",
            file=path.name,
            lines=abbreviate(lines),
        )
    boxes[_PLOT] = [str(plot).strip() for plot in table[_PLOT]]
    return boxes


def _are_in_pixels(sides: Floats) -> Bools:
    """Return a mask (n,) of the boxes (n, 4) in pixels; the others are on the map."""
    in_pixels: Bools = np.abs(sides).max(axis=1) <= _MAX_PIXEL_COORDINATE
    return in_pixels


def _boxes_in_pixels(boxes: pd.DataFrame, images: str) -> Objects:
    """Return boxes as polygons (n,) in pixels of their images, y downwards.

    Args:
        boxes: sides and plots, in pixels or in coordinates of the map.
        images: folder of the images, for coordinates of the map.
    """
    return _place_boxes(boxes, images, to_map=False)


def _boxes_on_map(boxes: pd.DataFrame, images: str) -> Objects:
    """Return boxes as polygons (n,) in coordinates of the map.

    Args:
        boxes: sides and plots, in pixels or in coordinates of the map.
        images: folder of the images, for pixels.
    """
    return _place_boxes(boxes, images, to_map=True)


def _place_boxes(boxes: pd.DataFrame, images: str, *, to_map: bool) -> Objects:
    """Return boxes as polygons (n,) on the map or in pixels; the others are transformed.

    Args:
        boxes: sides and plots, in pixels or in coordinates of the map.
        images: folder of the images.
        to_map: True for polygons on the map, False for pixels.
    """
    sides = boxes[list(_SIDES)].to_numpy(dtype=float, copy=True)
    plots = boxes[_PLOT].to_numpy(dtype=object)
    is_to_transform = _are_in_pixels(sides) == to_map
    for plot in np.unique(plots[is_to_transform].astype(str)):
        is_of_plot = is_to_transform & (plots == plot)
        image = _georeferenced_image(plot, images)
        transform = image.to_map if to_map else image.to_pixels
        # (k, 2, 2) x and y of two opposite corners.
        corners = transform(sides[is_of_plot].reshape(-1, 2)).reshape(-1, 2, 2)
        sides[is_of_plot] = np.hstack([corners.min(axis=1), corners.max(axis=1)])
    xmin, ymin, xmax, ymax = sides.T
    polygons: Objects = shapely.box(xmin, ymin, xmax, ymax)
    return polygons


def _georeferenced_image(plot: str, images: str) -> ImageFile:
    """Return the image of a plot.

    Raises:
        InputError: if there is no georeferenced image of the plot.
    """
    path = Path(images) / f"{plot}.tif"
    image = read_image(path) if images and path.is_file() else None
    if image is None or image.geotransform is None:
        raise InputError(
            "benchmark.no_image",
            "Boxes of plot {plot} must be placed on its image, but there is no image {plot}.tif "
            "with a georeference. Name the folder of the images (images).",
            plot=plot,
        )
    return image


def _layer_of_boxes(submission: Path, files: NeonFiles, truth: Layer) -> Layer:
    """Return the boxes of a table as a layer in the coordinate system of the truth.

    Images of field crowns have the name of the plot and an ending; plots that the truth lacks are
    left out, because their images need not exist.

    Args:
        submission: table of boxes.
        files: files of the benchmark.
        truth: layer of the ground truth.

    Raises:
        InputError: if the image of a plot is missing.
    """
    boxes = _read_boxes(submission)
    plots = boxes[_PLOT].str.removesuffix(_COMPETITION)
    is_known = plots.isin(set(_truth_plots(truth, files)))
    frame = type(truth.frame)(
        {files.plot_field: plots[is_known].to_numpy()},
        geometry=_boxes_on_map(boxes[is_known], files.images),
        crs=truth.frame.crs,
    )
    return Layer(submission.stem, frame, source=str(submission))


def _require_plot_field(layer: Layer, field: str) -> None:
    """Raise an InputError if a layer lacks the field of the plot."""
    if not layer.has_field(field):
        raise InputError(
            "benchmark.no_plot_field",
            "Layer '{layer}' has no field '{field}' with the plot of each crown. Name the field "
            "(plot_field).",
            layer=layer.name,
            field=field,
        )


def _plots_of_both(
    targets: Sequence[str] | Objects | None, predictions: Sequence[str] | Objects | None, name: str
) -> set[str]:
    """Return the plots that both sides have.

    Args:
        targets: plots of the targets, some of which may be missing; None without plots.
        predictions: plots of the predictions, likewise.
        name: name of the submission, for the error.

    Raises:
        InputError: if there is none.
    """
    target_plots = {str(plot) for plot in _present(targets)}
    predicted_plots = {str(plot) for plot in _present(predictions)}
    shared_plots = target_plots & predicted_plots
    if not shared_plots:
        raise InputError(
            "benchmark.no_common_plot",
            "{name} has no plot of the ground truth, whose plots are {plots}.",
            name=name,
            plots=abbreviate(sorted(target_plots)),
        )
    return shared_plots


def _select_plots(crowns: Crowns, known: set[str]) -> Crowns:
    """Return the crowns in the known plots."""
    plots = () if crowns.plots is None else crowns.plots
    return crowns.subset(np.flatnonzero([plot in known for plot in plots]))


def _present(plots: Sequence[str] | Objects | None) -> list[str]:
    """Return the names of plots, without missing ones."""
    return [] if plots is None else [plot for plot in plots if plot is not None]


def _unused_plots_messages(
    targets: Sequence[str] | Objects | None,
    predictions: Sequence[str] | Objects | None,
    known: set[str],
    name: str,
) -> tuple[Message, ...]:
    """Return a note on plots of the ground truth without predictions, and on unknown plots.

    Args:
        targets: plots of the targets, some of which may be missing; None without plots.
        predictions: plots of the predictions, likewise.
        known: plots that both have.
        name: name of the submission.
    """
    n_missing = len({str(plot) for plot in _present(targets)} - known)
    n_unknown = len({str(plot) for plot in _present(predictions)} - known)
    messages: list[Message] = []
    if n_missing:
        missing_message = note(
            "benchmark.missing_plots",
            "{name} has no boxes in {count:,} plots of the ground truth. As in the authors' "
            "package, they are left out of its means; compared with other submissions, nothing "
            "was found there.",
            one="{name} has no boxes in 1 plot of the ground truth. As in the authors' "
            "package, it is left out of its means; compared with other submissions, nothing "
            "was found there.",
            count=n_missing,
            name=name,
        )
        messages.append(missing_message)
    if n_unknown:
        unknown_message = note(
            "benchmark.unknown_plots",
            "{name} has boxes in {count:,} plots that the ground truth lacks; they are left out.",
            one="{name} has boxes in 1 plot that the ground truth lacks; it is left out.",
            count=n_unknown,
            name=name,
        )
        messages.append(unknown_message)
    return tuple(messages)


def _count_plots(targets: Crowns, predictions: Crowns) -> tuple[Bools, PlotCounts]:
    """Match the crowns of each plot.

    Args:
        targets: T crowns of the ground truth with plots.
        predictions: predictions in the same plots.

    Returns:
        (T,) True for matched targets, and the counts of the plots.
    """
    overlap = polygon_overlap(targets, predictions)
    matching = match_one_to_one(overlap, MatchingMethod.DEEPFOREST)
    is_matched = matching.prediction >= 0
    target_table = pd.DataFrame(
        {"plot": np.asarray(targets.plots, dtype=str), "is_matched": is_matched}
    )
    of_plots = target_table.groupby("plot")["is_matched"]
    n_matched = of_plots.sum()  # by plot, ascending
    n_targets = of_plots.size()
    predicted_plots = pd.Series(np.asarray(predictions.plots, dtype=str))
    n_predictions = predicted_plots.value_counts().reindex(n_targets.index, fill_value=0)
    counts = PlotCounts(
        plot=n_targets.index.to_numpy(dtype=object),
        matched=n_matched.to_numpy(dtype=float),
        predictions=n_predictions.to_numpy(dtype=float),
        targets=n_targets.to_numpy(dtype=float),
    )
    return is_matched, counts


def _counts_row(counts: PlotCounts) -> Mapping[str, int]:
    """Return the numbers of plots, crowns and predictions."""
    return {
        "plots": len(counts.plot),
        "targets": int(counts.targets.sum()),
        "predictions": int(counts.predictions.sum()),
        "matched": int(counts.matched.sum()),
    }


def _plot_estimates(counts: PlotCounts) -> tuple[Estimate, Estimate]:
    """Return the mean precision and the mean recall of plots, rounded as the authors do.

    Args:
        counts: counts of n plots, each with a target and a prediction.
    """
    precision = np.round(counts.matched / counts.predictions, _DIGITS)
    recall = np.round(counts.matched / counts.targets, _DIGITS)
    # Each value is that of a plot of its own.
    plot_numbers = np.arange(len(counts.plot))
    return (
        Estimate.of_mean("precision", precision, plot_numbers),
        Estimate.of_mean("recall", recall, plot_numbers),
    )


def _authors_table(counts: PlotCounts) -> pd.DataFrame:
    """Return the table of the R package: overall, by site, and by plot."""
    by_plot = pd.DataFrame(
        {
            "level": "plot",
            "name": counts.plot,
            "matched": counts.matched,
            "submission": counts.predictions,
            "ground_truth": counts.targets,
        }
    )
    count_columns = ["matched", "submission", "ground_truth"]
    sites = by_plot["name"].map(_site_of_plot)
    has_site = sites != ""
    site_counts = by_plot[has_site].groupby(sites[has_site])[count_columns].sum()
    by_site = site_counts.rename_axis("name").reset_index().assign(level="site")
    rows = pd.concat([by_site, by_plot], ignore_index=True)
    rows["precision"] = (rows["matched"] / rows["submission"]).round(_DIGITS)
    rows["recall"] = (rows["matched"] / rows["ground_truth"]).round(_DIGITS)

    # Overall, the package averages the rates of the plots, and adds up their counts.
    plot_rows = rows[rows["level"] == "plot"]
    overall: dict[Any, Any] = {"level": "overall", "name": ""}
    overall |= plot_rows[["precision", "recall"]].mean().to_dict()
    overall |= plot_rows[count_columns].sum().to_dict()
    all_rows = pd.concat([pd.DataFrame([overall]), rows], ignore_index=True)
    table = all_rows.astype(dict.fromkeys(count_columns, int))
    return table[["level", "name", "precision", "recall", "submission", "ground_truth"]]


def _site_of_plot(plot: str) -> str:
    """Return the site in the name of a plot, four capital letters; "" without one.

    >>> _site_of_plot("SJER_052_2018"), _site_of_plot("2018_SJER_3_252000_4104000_image_628")
    ('SJER', 'SJER')
    """
    match = re.search("[A-Z]{4}", plot)
    return match.group() if match else ""
