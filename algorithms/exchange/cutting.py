"""Images cut out around the crowns that are exported, one for each plot where plots are known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

import numpy as np
import pandas as pd
import shapely

from randcrowns.core.arrays import Floats, Objects
from randcrowns.core.crowns import Crowns, first_free
from randcrowns.core.exchange.annotations import Annotations, Image
from randcrowns.core.geometry.areas import polygonal
from randcrowns.core.instances.overlap import polygon_overlap
from randcrowns.core.instances.summary import plots_of_predictions
from randcrowns.core.remarks import Remark, note, some
from randcrowns.layers.raster.images import PlacedImage, Window
from randcrowns.layers.vector.names import plain_name

#: Folder of the images beside the files that name them.
FOLDER_OF_IMAGES = "images"
_NO_PLOT = ""


@dataclass(frozen=True, eq=False)
class Located:
    """Crowns in pixels of the images that they lie on."""

    found: Annotations  #: the crowns.
    plots: Objects | None = None  #: (n,) the plot of each; None where the layer does not say.


@dataclass(frozen=True)
class Part:
    """A part of an image, and the name of its file."""

    image: PlacedImage
    window: Window
    name: str


def cut_around(
    targets: Located,
    predictions: Located | None,
    ignored: Located | None,
    images: Sequence[PlacedImage],
    margin: int,
) -> tuple[list[Annotations | None], list[Part], list[Remark]]:
    """The three sides on the parts of the images that the first two lie on, the parts, and what is to be said.

    Areas to ignore without a plot are put on each part that they reach.

    Args:
        margin: pixels of the image around the crowns.
    """
    sides = [targets] if predictions is None else [targets, _in_plots_of(targets, predictions)]
    keys = [_keys(side) for side in sides]
    every = pd.concat(keys, ignore_index=True)
    bounds = np.concatenate([shapely.bounds(side.found.shapes) for side in sides])
    order = every.drop_duplicates().sort_values(["plot", "image"], ignore_index=True)
    code = pd.Series(order.index, index=pd.MultiIndex.from_frame(order))
    of_crown = (
        code.loc[pd.MultiIndex.from_frame(every)].to_numpy()
        if len(every)
        else np.empty(0, np.int64)
    )
    parts: list[Part] = []
    for number, (place, plot) in enumerate(order.itertuples(index=False)):
        image, own = images[place], bounds[of_crown == number]
        window = _window(image, own, margin)
        taken = {one.name.lower() for one in images} | {part.name.lower() for part in parts}
        stem = f"{PurePosixPath(image.name).stem}_{plain_name(plot) if plot else 'cut'}"
        name = first_free(f"{stem}.tif", lambda name: name.lower() in taken, f"{stem}_{{1}}.tif")  # noqa: B023
        parts.append(Part(image, window, name))
    ends = np.cumsum([len(side.found) for side in sides])[:-1]
    moved: list[Annotations | None] = [
        _on_parts(side.found, place, parts) for side, place in zip(sides, np.split(of_crown, ends))
    ]
    moved += [None] * (2 - len(moved))
    if ignored is not None:
        rows, places = _reached(ignored, order, parts)
        moved.append(_on_parts(ignored.found, places, parts, rows))
    split = order.loc[
        order["plot"].duplicated(keep=False) & (order["plot"] != _NO_PLOT), "plot"
    ].unique()
    said = "Plots {plots} lie on several images; of each the part on every image was cut out by itself."
    one = "Plot {plots} lies on several images; the part on every image was cut out by itself."
    told = (
        [note("export.split_plots", said, one=one, count=len(split), plots=some(list(split)))]
        if len(split)
        else []
    )
    return [*moved, *([] if ignored is not None else [None])], parts, told


def _in_plots_of(targets: Located, predictions: Located) -> Located:
    """The predictions with the plots of the targets on their image, where they have no own."""
    if predictions.plots is not None or targets.plots is None:
        return predictions
    plots = np.full(len(predictions.found), _NO_PLOT, dtype=object)
    for place in np.unique(predictions.found.image):
        own, other = targets.found.image == place, predictions.found.image == place
        drawn, found = (
            Crowns(polygonal(shapely.make_valid(one.found.shapes[at])))
            for one, at in ((targets, own), (predictions, other))
        )
        named = plots_of_predictions(
            replace(drawn, groups=targets.plots[own]), found, polygon_overlap(drawn, found)
        )
        plots[other] = [_NO_PLOT if plot is None else plot for plot in named]
    return replace(predictions, plots=plots)


def _keys(side: Located) -> pd.DataFrame:
    plots = np.full(len(side.found), _NO_PLOT, dtype=object) if side.plots is None else side.plots
    return pd.DataFrame({"image": side.found.image, "plot": plots})


def _window(image: PlacedImage, bounds: Floats, margin: int) -> Window:
    """The pixels around boxes, within the image."""
    size = np.array([image.width, image.height])
    first = np.clip(np.floor(bounds[:, :2].min(axis=0)) - margin, 0, size - 1).astype(int)
    last = np.clip(np.ceil(bounds[:, 2:].max(axis=0)) + margin, first + 1, size).astype(int)
    return Window(int(first[0]), int(first[1]), *(last - first).tolist())


def _reached(
    ignored: Located, order: pd.DataFrame, parts: Sequence[Part]
) -> tuple[np.ndarray, np.ndarray]:
    """Rows of the areas to ignore, and the part that each is put on; of one plot only on the parts of that."""
    keys = _keys(ignored)
    pairs = []
    for number, ((place, plot), part) in enumerate(zip(order.itertuples(index=False), parts)):
        window = part.window
        there = shapely.box(
            window.left, window.top, window.left + window.width, window.top + window.height
        )
        here = (keys["image"] == place) & (keys["plot"].isin((plot, _NO_PLOT)) | (plot == _NO_PLOT))
        rows = np.flatnonzero(here.to_numpy() & shapely.intersects(ignored.found.shapes, there))
        pairs.append(np.stack([rows, np.full(len(rows), number)]))
    rows, places = np.concatenate([np.empty((2, 0), np.int64), *pairs], axis=1)
    return rows, places


def _on_parts(
    found: Annotations, places: np.ndarray, parts: Sequence[Part], rows: np.ndarray | None = None
) -> Annotations:
    """Annotations (all, or those rows) in pixels of the parts that they are put on."""
    rows = np.arange(len(found)) if rows is None else rows
    shapes = found.shapes[rows]
    for number in np.unique(places):
        window, here = parts[number].window, places == number
        shapes[here] = shapely.transform(
            shapes[here], lambda xy, one=window: xy - (one.left, one.top)
        )
    images = [
        Image(f"{FOLDER_OF_IMAGES}/{part.name}", part.window.width, part.window.height)
        for part in parts
    ]
    made = Annotations.of(shapes, images, places, found.label[rows], found.score[rows])
    return replace(made, ignored=found.ignored[rows])
