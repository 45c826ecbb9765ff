"""Figures of results in the theme of the reports; they require matplotlib.

Each function draws on matplotlib axes, by default new ones, and returns them. In a notebook, the
figure of new axes is shown. Inside QGIS, nothing imports this module.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
import pandas as pd
import shapely

from randcrowns.core.errors import InputError
from randcrowns.core.scoring.layer import SCORE_NAMES
from randcrowns.core.scoring.parameters import PRESETS, RandCrownsParameters
from randcrowns.core.scoring.score import target_regions
from randcrowns.core.status import ALL_PLOTS
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
_WIDTH, _HEIGHT = 5.0, 3.6
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

__all__ = [
    "agreement_map",
    "crown",
    "curves",
    "distributions",
    "means",
    "pairwise_f1",
    "plot",
    "scatter",
    "submissions",
    "thresholds",
    "variances",
]


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
    own = _axes(axes, _HEIGHT, _HEIGHT)
    corner = np.floor(np.asarray(target.bounds[:2]))
    target, delineation = _near_zero(target, corner), _near_zero(delineation, corner)
    regions = target_regions(np.array([target], dtype=object), parameters)
    for name, colour in _REGION_COLOURS.items():
        (region,) = getattr(regions, name)
        _fill(own, region, colour, _REGION_NAMES[name])
    _outline(own, target, _TARGET_COLOUR, "target")
    if delineation is not None:
        _outline(own, delineation, _DELINEATION_COLOUR, "delineation")
    set_up_axes(own, xlabel="m", ylabel="m", aspect="equal")
    add_legend(own)
    return own


def means(result: Result, score: str = "randcrowns", axes: Any = None) -> Any:
    """Draw the mean of a score with its interval, a row per delineation layer.

    Args:
        result: result of the job ``score``.
        score: ``randcrowns``, ``iou`` or ``iou_crowns``.
        axes: matplotlib axes; None for new ones.
    """
    overall = result.summary[result.summary["plot"] == ALL_PLOTS]
    rows = read_score_means(overall, overall["layer"], score)
    own = _axes(axes, _WIDTH, 1.0 + 0.5 * len(rows))
    draw_means(own, sort_means(rows), SCORE_NAMES[score])
    return own


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
    own = _axes(axes, _WIDTH, 1.0 + 0.7 * len(values))
    draw_distributions(own, values, SCORE_NAMES[score])
    return own


def scatter(result: Result, layer: str = "", axes: Any = None) -> Any:
    """Draw RandCrowns against IoU of every target; of ``variance``, of every pair of annotators.

    Args:
        result: result of the job ``score`` or ``variance``.
        layer: name of the delineation layer; "" for the first.
        axes: matplotlib axes; None for new ones.
    """
    own = _axes(axes, _HEIGHT, _HEIGHT)
    if result.job == "variance":
        rows = result.pairs
        own.scatter(rows["iou"], rows["randcrowns"], s=14, alpha=0.6)
        set_up_axes(own, xlabel="IoU", ylabel="RandCrowns", xlim=(0, 1), ylim=(0, 1))
        return own
    targets = result.targets
    rows = targets[targets["layer"] == (layer or targets["layer"].iloc[0])]
    draw_scatter(own, pd.DataFrame(rows).rename(columns={"problem": "rc_problem"}))
    return own


def agreement_map(result: Result, axes: Any = None) -> Any:
    """Draw the areas that annotators marked, by the number of annotators.

    Args:
        result: result of the job ``agree``.
        axes: matplotlib axes; None for new ones.
    """
    from matplotlib import colormaps

    own = _axes(axes, _WIDTH, _HEIGHT)
    areas = result.agreement
    n_annotators = len(result.annotators)
    colours = colormaps["viridis"]
    for votes, rows in areas.groupby("n_yes"):
        label = f"{votes} of {n_annotators}"
        for number, shape in enumerate(rows.geometry):
            colour = colours(votes / n_annotators)
            _fill(own, shape, colour, label if number == 0 else "")
    set_up_axes(own, xlabel=result.unit, ylabel=result.unit, aspect="equal")
    own.ticklabel_format(style="plain", useOffset=False)
    own.tick_params(axis="x", labelrotation=30)
    add_legend(own)
    return own


def pairwise_f1(result: Result, axes: Any = None) -> Any:
    """Draw the F1 of every two annotators as a matrix.

    Args:
        result: result of the job ``agree``.
        axes: matplotlib axes; None for new ones.
    """
    names = result.annotators["annotator"].tolist()
    matrix = pd.DataFrame(np.eye(len(names)), index=names, columns=names)
    for _, pair in result.pairs.iterrows():
        matrix.loc[pair["first"], pair["second"]] = pair["f1"]
        matrix.loc[pair["second"], pair["first"]] = pair["f1"]
    own = _axes(axes, _HEIGHT, _HEIGHT)
    own.imshow(matrix, vmin=0, vmax=1, cmap="viridis")
    own.set_xticks(range(len(names)), names, rotation=45, ha="right")
    own.set_yticks(range(len(names)), names)
    for row, column in np.ndindex(matrix.shape):
        own.text(column, row, f"{matrix.iloc[row, column]:.2f}", ha="center", va="center")
    return own


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
    own = _axes(axes, _WIDTH, _HEIGHT)
    for detector, curve in rows.groupby("detector", sort=False):
        own.plot(curve["recall"], curve[column], label=str(detector))
    label = "precision" if counted == "crowns" else "P̄"
    set_up_axes(own, xlabel="recall", ylabel=label, xlim=(0, 1), ylim=(0, 1))
    add_legend(own)
    return own


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
    own = _axes(axes, _WIDTH, _HEIGHT)
    mesh = own.pcolormesh(matrix.columns, matrix.index, matrix.to_numpy(), shading="nearest")
    own.figure.colorbar(mesh, ax=own, label="variance of RandCrowns")
    set_up_axes(own, f"gamma {best['gamma']:g}", xlabel="alpha (m)", ylabel="omega (m)")
    return own


def thresholds(result: Result, axes: Any = None) -> Any:
    """Draw precision, recall and F1 over the IoU threshold.

    Args:
        result: result of the job ``evaluate``.
        axes: matplotlib axes; None for new ones.
    """
    own = _axes(axes, _WIDTH, _HEIGHT)
    for name in ("precision", "recall", "f1"):
        own.plot(result.thresholds["iou"], result.thresholds[name], marker="o", label=name)
    set_up_axes(own, xlabel="IoU threshold", ylim=(0, 1))
    add_legend(own)
    return own


def submissions(result: Result, axes: Any = None) -> Any:
    """Draw the metrics of submissions to a benchmark with their 95 % intervals.

    Args:
        result: result of the job ``benchmark``.
        axes: matplotlib axes; None for new ones.
    """
    rows = result.summary
    metrics = [str(name).removesuffix("_low") for name in rows if str(name).endswith("_low")]
    own = _axes(axes, _WIDTH, 1.0 + 0.5 * len(rows))
    position = np.arange(len(rows), dtype=float)
    for number, name in enumerate(metrics):
        shift = (number - (len(metrics) - 1) / 2) * 0.6 / len(metrics)
        colour = SERIES_COLOURS[number % len(SERIES_COLOURS)]
        label = name.replace("_", " ")
        own.plot(rows[name], position + shift, "o", color=colour, label=label)
        low, high = rows[f"{name}_low"].to_numpy(), rows[f"{name}_high"].to_numpy()
        known = np.isfinite(low)
        line = position[known] + shift
        own.hlines(line, low[known], high[known], color=colour)
    own.set_yticks(position, rows["submission"].astype(str))
    own.invert_yaxis()
    set_up_axes(own, xlim=(0, 1))
    add_legend(own)
    return own


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


def _outline(axes: Any, shape: shapely.Geometry, colour: str, label: str) -> None:
    """Draw the outline of a polygon."""
    for number, part in enumerate(shapely.get_parts(shapely.boundary(shape))):
        x, y = np.asarray(part.coords)[:, :2].T
        axes.plot(x, y, color=colour, label=label if number == 0 else None)


#: Figure that shows the answer of each job.
_FIGURES: dict[str, Callable[..., Any]] = {
    "score": means,
    "agree": agreement_map,
    "rank": curves,
    "evaluate": thresholds,
    "benchmark": submissions,
    "variance": scatter,
    "tune": variances,
}
