"""Figures of results in the theme of the reports; they require matplotlib.

Each function draws on matplotlib axes, by default new ones, and returns them. In a notebook, the
figure of new axes is shown. Inside QGIS, nothing imports this module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any, Protocol, TypeVar

import numpy as np
import pandas as pd
import shapely

from randcrowns.core.agreement.measures import link_annotators
from randcrowns.core.classes.matrix import arrange_matrix
from randcrowns.core.errors import InputError
from randcrowns.core.scoring.layer import SCORE_NAMES
from randcrowns.core.scoring.parameters import PRESETS, RandCrownsParameters
from randcrowns.core.scoring.score import target_regions
from randcrowns.core.status import ALL_PLOTS
from randcrowns.report.class_content import draw_confusion
from randcrowns.report.colours import SERIES_COLOURS
from randcrowns.report.score_figures import (
    draw_distributions,
    draw_means,
    draw_scatter,
    sort_means,
)
from randcrowns.report.score_panels import read_score_means
from randcrowns.report.theme import add_legend, new_figure, set_up_axes


class Result(Protocol):
    """Result of a job; its tables are attributes."""

    @property
    def job(self) -> str:
        """Name of the job."""

    @property
    def unit(self) -> str:
        """Unit of lengths."""

    def __getattr__(self, name: str) -> pd.DataFrame: ...


#: Width and height of new figures, inches.
_WIDTH = 5.0
_HEIGHT = 3.6
#: Colours of the regions of a target, in the order of drawing: the inner ones cover the outer.
_REGION_COLOURS = {"R_b": "#e5989b", "R_o": "#f2e8cf", "R_a": "#74a57f"}
#: Names of the regions in the legend.
_REGION_NAMES = {
    "R_b": "certainly no crown",
    "R_o": "may be crown",
    "R_a": "certainly crown",
}
#: Colours of outlines: target, delineation.
_TARGET_COLOUR = "#1b4332"
_DELINEATION_COLOUR = "#d00000"

#: Labels of the means of the partitions of a point cloud by column.
_PARTITION_LABELS = {
    "MeanIoU": "mean IoU",
    "MeanPrecision": "mean precision",
    "MeanRecall": "mean recall",
}

_Draw = TypeVar("_Draw", bound=Callable[..., Any])

__all__ = [
    "agreement_map",
    "confusion",
    "consensus_map",
    "crown",
    "curves",
    "dendrogram",
    "distributions",
    "means",
    "pairwise_f1",
    "partitions",
    "plot",
    "scatter",
    "submissions",
    "thresholds",
    "variances",
]


def _draws(*jobs: str) -> Callable[[_Draw], _Draw]:
    """Return a decorator of a figure that refuses the results of other jobs.

    Args:
        jobs: names of the jobs whose results the figure draws.
    """

    def decorate(draw: _Draw) -> _Draw:
        @wraps(draw)
        def checked(result: Any, *arguments: Any, **options: Any) -> Any:
            job = getattr(result, "job", type(result).__name__)
            if job not in jobs:
                raise InputError(
                    "jobs.other_figure",
                    "The figure {figure} draws results of {jobs}, not of {job}.",
                    figure=draw.__name__,
                    jobs=list(jobs),
                    job=job,
                )
            return draw(result, *arguments, **options)

        decorated: Any = checked
        return decorated  # type: ignore[no-any-return]

    return decorate


def plot(result: Result, axes: Any = None) -> Any:
    """Draw the figure that shows the answer of a result, and return its axes.

    Args:
        result: result of a job.
        axes: matplotlib axes; None for new ones.

    Raises:
        InputError: if there is no figure for the job.
    """
    draw = _FIGURES.get(result.job)
    if draw is None:
        raise InputError(
            "jobs.no_figure",
            "There is no figure for results of {job}; there are figures for {jobs}.",
            job=result.job,
            jobs=list(_FIGURES),
        )
    return draw(result, axes=axes)


def crown(
    target: shapely.Geometry,
    delineation: shapely.Geometry | None = None,
    parameters: RandCrownsParameters = PRESETS["image_boxes"],
    axes: Any = None,
) -> Any:
    """Draw a target with the regions that RandCrowns compares a delineation with.

    Args:
        target: polygon of the target, metres.
        delineation: polygon of its delineation; None for none.
        parameters: alpha, omega and gamma.
        axes: matplotlib axes; None for new ones.
    """
    plot_axes = _axes(axes, _HEIGHT, _HEIGHT)
    corner = np.floor(np.asarray(target.bounds[:2]))
    target = _near_zero(target, corner)
    delineation = _near_zero(delineation, corner)
    regions = target_regions(np.array([target], dtype=object), parameters)
    for name, colour in _REGION_COLOURS.items():
        (region,) = getattr(regions, name)
        _fill(plot_axes, region, colour, _REGION_NAMES[name])
    _outline(plot_axes, target, _TARGET_COLOUR, "target")
    if delineation is not None:
        _outline(plot_axes, delineation, _DELINEATION_COLOUR, "delineation")
    set_up_axes(plot_axes, xlabel="m", ylabel="m", aspect="equal")
    add_legend(plot_axes)
    return plot_axes


@_draws("score")
def means(result: Result, score: str = "randcrowns", axes: Any = None) -> Any:
    """Draw the mean of a score with its interval, a row per delineation layer.

    Args:
        result: result of the job ``score``.
        score: ``randcrowns``, ``iou`` or ``iou_crowns``.
        axes: matplotlib axes; None for new ones.
    """
    overall = result.summary[result.summary["plot"] == ALL_PLOTS]
    rows = read_score_means(overall, overall["layer"], score)
    plot_axes = _axes(axes, _WIDTH, 1.0 + 0.5 * len(rows))
    draw_means(plot_axes, sort_means(rows), SCORE_NAMES[score])
    return plot_axes


@_draws("score")
def distributions(result: Result, score: str = "randcrowns", axes: Any = None) -> Any:
    """Draw the distribution of a score, a row per delineation layer.

    Args:
        result: result of the job ``score``.
        score: ``randcrowns``, ``iou`` or ``iou_crowns``.
        axes: matplotlib axes; None for new ones.
    """
    values = {
        str(layer): rows[score].dropna().to_numpy(dtype=float)
        for layer, rows in result.targets.groupby("layer")
    }
    plot_axes = _axes(axes, _WIDTH, 1.0 + 0.7 * len(values))
    draw_distributions(plot_axes, values, SCORE_NAMES[score])
    return plot_axes


@_draws("score", "variance")
def scatter(result: Result, layer: str = "", axes: Any = None) -> Any:
    """Draw RandCrowns against IoU of every target; of ``variance``, of every pair of annotators.

    Args:
        result: result of the job ``score`` or ``variance``.
        layer: name of the delineation layer; "" for the first.
        axes: matplotlib axes; None for new ones.
    """
    plot_axes = _axes(axes, _HEIGHT, _HEIGHT)
    if result.job == "variance":
        draw_scatter(plot_axes, pd.DataFrame(result.pairs))
        return plot_axes
    rows = _rows_of_layer(result.targets, layer)
    draw_scatter(plot_axes, pd.DataFrame(rows).rename(columns={"problem": "rc_problem"}))
    return plot_axes


@_draws("agree")
def agreement_map(result: Result, axes: Any = None) -> Any:
    """Draw the areas that annotators marked, by the number of annotators.

    Args:
        result: result of the job ``agree``.
        axes: matplotlib axes; None for new ones.
    """
    plot_axes = _axes(axes, _WIDTH, _HEIGHT)
    n_annotators = len(result.annotators)
    colours = _colour_scale(n_annotators)
    for votes, rows in result.agreement.groupby("n_yes"):
        _fill_all(plot_axes, rows.geometry, colours(votes), f"{votes} of {n_annotators}")
    _set_up_map(plot_axes, result.unit)
    return plot_axes


def _colour_scale(maximum: float) -> Callable[[float], Any]:
    """Return the function of a number from 0 to a maximum that gives its colour."""
    from matplotlib import colormaps

    colours = colormaps["viridis"]
    return lambda number: colours(float(number) / maximum)


def _fill_all(axes: Any, shapes: Iterable[shapely.Geometry], colour: Any, label: str) -> None:
    """Fill polygons of one colour, with one entry in the legend."""
    for number, shape in enumerate(shapes):
        _fill(axes, shape, colour, label if number == 0 else "")


def _set_up_map(axes: Any, unit: str) -> None:
    """Set up axes with coordinates of a map."""
    set_up_axes(axes, xlabel=unit, ylabel=unit, aspect="equal")
    axes.ticklabel_format(style="plain", useOffset=False)
    axes.locator_params(axis="x", nbins=4)
    add_legend(axes)


@_draws("agree")
def pairwise_f1(result: Result, axes: Any = None) -> Any:
    """Draw the F1 of every two annotators as a matrix.

    Args:
        result: result of the job ``agree``.
        axes: matplotlib axes; None for new ones.
    """
    matrix = _f1_matrix(result)
    names = matrix.columns.tolist()
    plot_axes = _axes(axes, _HEIGHT, _HEIGHT)
    plot_axes.imshow(matrix, vmin=0, vmax=1, cmap="viridis")
    plot_axes.set_xticks(range(len(names)), names, rotation=45, ha="right")
    plot_axes.set_yticks(range(len(names)), names)
    for row, column in np.ndindex(matrix.shape):
        plot_axes.text(column, row, f"{matrix.iloc[row, column]:.2f}", ha="center", va="center")
    return plot_axes


@_draws("agree")
def dendrogram(result: Result, axes: Any = None) -> Any:
    """Draw Ward's clustering of the annotators on the distances 1 - F1.

    Outliers have a star, and annotators who are unlike the others beyond chance two.

    Args:
        result: result of the job ``agree`` with at least three annotators.
        axes: matplotlib axes; None for new ones.

    Raises:
        InputError: if there are fewer annotators, or two of them looked at no common place.
    """
    from scipy.cluster.hierarchy import dendrogram as draw_links

    links = link_annotators(_f1_matrix(result).to_numpy())
    if not len(links):
        raise InputError(
            "plotting.no_dendrogram",
            "The dendrogram requires at least three annotators, of whom every two looked at a "
            "common place.",
        )
    table = result.annotators
    stars = np.where(table["unlike"] == 1, " **", np.where(table["outlier"] == 1, " *", ""))
    labels = [f"{name}{mark}" for name, mark in zip(table["annotator"], stars)]
    plot_axes = _axes(axes, _WIDTH, 1.0 + 0.4 * len(labels))
    draw_links(
        links,
        labels=labels,
        orientation="right",
        color_threshold=0,
        above_threshold_color=_TARGET_COLOUR,
        ax=plot_axes,
    )
    set_up_axes(plot_axes, xlabel="Ward's distance on 1 - F1")
    return plot_axes


def _f1_matrix(result: Result) -> pd.DataFrame:
    """Return the F1 of every two annotators of a comparison as a matrix."""
    names = result.annotators["annotator"].tolist()
    matrix = pd.DataFrame(np.eye(len(names)), index=names, columns=names)
    for _, pair in result.pairs.iterrows():
        matrix.loc[pair["first"], pair["second"]] = pair["f1"]
        matrix.loc[pair["second"], pair["first"]] = pair["f1"]
    return matrix


@_draws("consensus")
def consensus_map(result: Result, axes: Any = None) -> Any:
    """Draw the polygons of a consensus; crown by crown, by the number of votes.

    Args:
        result: result of the job ``consensus``.
        axes: matplotlib axes; None for new ones.
    """
    polygons = result.consensus
    has_votes = "votes" in polygons
    groups = polygons.groupby("votes") if has_votes else [("", polygons)]
    colours = _colour_scale(polygons["looked"].max() if has_votes else 1)
    plot_axes = _axes(axes, _WIDTH, _HEIGHT)
    for votes, rows in groups:
        label = f"{votes:g} votes" if has_votes else "consensus"
        _fill_all(plot_axes, rows.geometry, colours(votes if has_votes else 1), label)
        for shape in rows.geometry:
            _outline(plot_axes, shape, _TARGET_COLOUR, "", width=0.8)
    _set_up_map(plot_axes, result.unit)
    return plot_axes


@_draws("score", "evaluate")
def confusion(result: Result, layer: str = "", axes: Any = None) -> Any:
    """Draw the confusion matrix of the classes, the most confused classes first.

    Args:
        result: result of the job ``score`` or ``evaluate`` with a field of classes.
        layer: name of the delineation layer; "" for the first.
        axes: matplotlib axes; None for new ones.

    Raises:
        InputError: if no classes were compared, or there is no such layer.
    """
    if not hasattr(result, "confusion"):
        raise InputError(
            "plotting.no_classes",
            "The result compares no classes. Name the field with the classes (class_field).",
        )
    matrix = arrange_matrix(_rows_of_layer(result.confusion, layer))
    side = 1.5 + 0.4 * max(len(matrix.rows), len(matrix.columns))
    plot_axes = _axes(axes, side, side)
    draw_confusion(plot_axes, matrix)
    plot_axes.xaxis.set_label_position("top")
    plot_axes.set_xlabel("class of the match")
    plot_axes.set_ylabel("class of the target")
    return plot_axes


def _rows_of_layer(table: pd.DataFrame, layer: str) -> pd.DataFrame:
    """Return the rows of a layer; "" for the first.

    Raises:
        InputError: if there is no such layer.
    """
    layers = table["layer"].unique().tolist()
    if layer and layer not in layers:
        raise InputError(
            "plotting.no_layer",
            "The result has no layer '{layer}'; it has {layers}.",
            layer=layer,
            layers=layers,
        )
    return table[table["layer"] == (layer or layers[0])]


@_draws("evaluate-cloud")
def partitions(result: Result, axes: Any = None) -> Any:
    """Draw the mean IoU, precision and recall in the slices of the trees of a point cloud.

    Args:
        result: result of the job ``evaluate-cloud``.
        axes: matplotlib axes; None for new ones.
    """
    table = result.partitions
    rows = table[table["axis"] == table["axis"].iloc[0]]
    plot_axes = _axes(axes, _WIDTH, _HEIGHT)
    for name, label in _PARTITION_LABELS.items():
        plot_axes.plot(rows["Partition"], rows[name], marker="o", label=label)
    set_up_axes(plot_axes, xlabel=f"partition ({rows['axis'].iloc[0]})", ylim=(0, 1))
    add_legend(plot_axes)
    return plot_axes


@_draws("rank")
def curves(result: Result, counted: str = "crowns", truth: str = "", axes: Any = None) -> Any:
    """Draw the curves of the detectors: precision over recall of crowns, or P̄ over recall.

    Args:
        result: result of the job ``rank``.
        counted: ``crowns`` or ``areas``.
        truth: name of the ground truth; "" for the first.
        axes: matplotlib axes; None for new ones.
    """
    rows = result.curves[result.curves["counted"] == counted]
    rows = rows[rows["truth"] == (truth or rows["truth"].iloc[0])]
    column = "precision" if counted == "crowns" else "p_bar"
    plot_axes = _axes(axes, _WIDTH, _HEIGHT)
    for detector, curve in rows.groupby("detector", sort=False):
        plot_axes.plot(curve["recall"], curve[column], label=str(detector))
    label = "precision" if counted == "crowns" else "P̄"
    set_up_axes(plot_axes, xlabel="recall", ylabel=label, xlim=(0, 1), ylim=(0, 1))
    add_legend(plot_axes)
    return plot_axes


@_draws("tune")
def variances(result: Result, axes: Any = None) -> Any:
    """Draw the variance of RandCrowns over alpha and omega, for the best gamma.

    Args:
        result: result of the job ``tune``.
        axes: matplotlib axes; None for new ones.
    """
    grid = result.grid
    best = result.summary.iloc[0] if len(result.summary) else grid.iloc[0]
    rows = grid[grid["gamma"] == best["gamma"]]
    matrix = rows.pivot_table(index="omega", columns="alpha", values="variance")
    plot_axes = _axes(axes, _WIDTH, _HEIGHT)
    mesh = plot_axes.pcolormesh(matrix.columns, matrix.index, matrix.to_numpy(), shading="nearest")
    plot_axes.figure.colorbar(mesh, ax=plot_axes, label="variance of RandCrowns")
    set_up_axes(plot_axes, f"gamma {best['gamma']:g}", xlabel="alpha (m)", ylabel="omega (m)")
    return plot_axes


@_draws("evaluate")
def thresholds(result: Result, axes: Any = None) -> Any:
    """Draw precision, recall and F1 over the IoU threshold.

    Args:
        result: result of the job ``evaluate``.
        axes: matplotlib axes; None for new ones.
    """
    plot_axes = _axes(axes, _WIDTH, _HEIGHT)
    for name in ("precision", "recall", "f1"):
        plot_axes.plot(result.thresholds["iou"], result.thresholds[name], marker="o", label=name)
    set_up_axes(plot_axes, xlabel="IoU threshold", ylim=(0, 1))
    add_legend(plot_axes)
    return plot_axes


@_draws("benchmark")
def submissions(result: Result, axes: Any = None) -> Any:
    """Draw the metrics of submissions to a benchmark with their 95 % intervals.

    Args:
        result: result of the job ``benchmark``.
        axes: matplotlib axes; None for new ones.
    """
    rows = result.summary
    metrics = [str(name).removesuffix("_low") for name in rows if str(name).endswith("_low")]
    plot_axes = _axes(axes, _WIDTH, 1.0 + 0.5 * len(rows))
    position = np.arange(len(rows), dtype=float)
    for number, name in enumerate(metrics):
        shift = (number - (len(metrics) - 1) / 2) * 0.6 / len(metrics)
        colour = SERIES_COLOURS[number % len(SERIES_COLOURS)]
        label = name.replace("_", " ")
        plot_axes.plot(rows[name], position + shift, "o", color=colour, label=label)
        low = rows[f"{name}_low"].to_numpy()
        high = rows[f"{name}_high"].to_numpy()
        has_interval = np.isfinite(low)
        line = position[has_interval] + shift
        plot_axes.hlines(line, low[has_interval], high[has_interval], color=colour)
    plot_axes.set_yticks(position, rows["submission"].astype(str))
    plot_axes.invert_yaxis()
    set_up_axes(plot_axes, xlim=(0, 1))
    add_legend(plot_axes)
    return plot_axes


def _near_zero(shape: Any, corner: Any) -> Any:
    """Return a shape with coordinates relative to a corner (2,); None for None."""
    return None if shape is None else shapely.transform(shape, lambda xy: xy - corner)


def _axes(axes: Any, width: float, height: float) -> Any:
    """Return the axes, or those of a new figure of a size in inches."""
    if axes is not None:
        return axes
    try:
        from matplotlib import pyplot
    except ImportError:
        return new_figure(width, height).subplots()  # says what to install
    return pyplot.subplots(figsize=(width, height), layout="constrained")[1]


def _fill(axes: Any, shape: shapely.Geometry, colour: Any, label: str) -> None:
    """Fill a polygon with its holes."""
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    rings = [
        np.asarray(ring.coords)
        for part in shapely.get_parts(shape)
        if isinstance(part, shapely.Polygon) and not part.is_empty
        for ring in (part.exterior, *part.interiors)
    ]
    if not rings:
        return
    path = Path.make_compound_path(*(Path(ring[:, :2], closed=True) for ring in rings))
    axes.add_patch(PathPatch(path, facecolor=colour, edgecolor="none", label=label or None))
    axes.autoscale_view()


def _outline(
    axes: Any, shape: shapely.Geometry, colour: str, label: str, width: float = 1.5
) -> None:
    """Draw the outline of a polygon, with an entry in the legend unless the label is empty."""
    for number, part in enumerate(shapely.get_parts(shapely.boundary(shape))):
        x, y = np.asarray(part.coords)[:, :2].T
        own_label = label if label and number == 0 else None
        axes.plot(x, y, color=colour, linewidth=width, label=own_label)


#: Figure that shows the answer of each job.
_FIGURES: dict[str, Callable[..., Any]] = {
    "score": means,
    "agree": agreement_map,
    "consensus": consensus_map,
    "rank": curves,
    "evaluate": thresholds,
    "evaluate-cloud": partitions,
    "benchmark": submissions,
    "variance": scatter,
    "tune": variances,
}
