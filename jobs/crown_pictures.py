"""Crowns and map of a job's result as its report shows them, drawn from the outlines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np
import pandas as pd
import shapely

from randcrowns.core.arrays import Floats, Objects
from randcrowns.core.instances.matching import MatchStatus
from randcrowns.core.review.problems import Problem
from randcrowns.core.scoring.layer import SCORE_NAMES
from randcrowns.jobs.outlines import outlined_tables
from randcrowns.jobs.page_outlines import PageOutlines
from randcrowns.jobs.tables import name_input
from randcrowns.report.content import (
    CrownFigure,
    LegendEntry,
    Picture,
    Sheet,
    has_rows_of_plots,
    map_notes,
)
from randcrowns.report.crown_drawings import (
    DrawnCrown,
    StatusLines,
    draw_crowns,
    draw_map,
    is_map_legible,
    map_legend,
    mark_crowns,
    match_lines,
    score_colours,
    score_lines,
    variance_colours,
    vote_colours,
)
from randcrowns.report.crown_sheets import (
    INSTANCE_SCORES,
    CrownTexts,
    SheetRows,
    annotator_lines,
    crowns_per_sheet,
    drop_only_plot,
    instance_score_labels,
    instance_sheets,
    line_legend,
    names_of_annotators,
    score_sheets,
    score_texts,
    sheet_has_powers,
    target_name,
    undetected_cause,
    variance_sheets,
    variance_texts,
)
from randcrowns.report.explore.matched import match_labels
from randcrowns.report.language import format_value, tr
from randcrowns.report.problems import PROBLEM_COLOURS
from randcrowns.report.score_content import ScoredLayers

if TYPE_CHECKING:
    from randcrowns.jobs.tables import JobTables

#: Maximum number of crowns on a sheet.
_SHEET_CROWNS = 10


class CrownPictures(NamedTuple):
    """Pictures of a report on a result."""

    sheets: list[Sheet]  #: the worst and the typical crowns.
    map: Picture | None  #: map of the targets; None without outlines.
    legend: list[LegendEntry]  #: legend of the map.
    map_notes: list[str]  #: sentences on the map.


class _Others(NamedTuple):
    """Delineations or predictions of a layer."""

    ids: pd.Series  #: (m,) their ids.
    shapes: Objects  #: (m,) their outlines; None for none.
    images: Objects | None  #: (m,) their images, see :func:`_images_of`.
    statuses: Objects  #: (m,) their statuses.
    plots: Objects | None = None  #: (m,) their plots; None if they have none.


class _Matched(NamedTuple):
    """Targets of a layer with their outlines, and the outlines that match them."""

    targets: pd.DataFrame  #: a row per target.
    shapes: Objects  #: (n,) outlines of the targets; None for none.
    match_ids: pd.Series  #: (n,) id of the match of each target; missing without one.
    other_ids: pd.Series  #: (m,) ids of the delineations or predictions.
    other_shapes: Objects  #: (m,) their outlines; None for none.
    tree: shapely.STRtree  #: index of ``other_shapes``.
    images: Objects  #: (n,) images of the targets; all "" if they do not lie on one another.
    other_images: Objects  #: (m,) images of the delineations or predictions, likewise.
    other_statuses: Objects  #: (m,) statuses of the delineations or predictions.
    plots: Objects | None = None  #: (n,) plots of the targets; None if they have none.
    other_plots: Objects | None = None  #: (m,) plots of the delineations or predictions, likewise.

    @classmethod
    def of(
        cls,
        page: PageOutlines,
        targets: pd.DataFrame,
        shapes: Objects,
        match_ids: pd.Series,
        others: _Others,
    ) -> _Matched:
        """Index the outlines of the delineations or predictions."""
        images = _images_of(targets, page)
        other_images = others.images
        if images is None or other_images is None:
            images, other_images = (np.full(len(side), "") for side in (shapes, others.shapes))
        tree = shapely.STRtree(others.shapes)
        plots = _plots_of(targets)
        targets = drop_only_plot(targets)
        return cls(
            targets=targets,
            shapes=shapes,
            match_ids=match_ids,
            other_ids=others.ids,
            other_shapes=others.shapes,
            tree=tree,
            images=images,
            other_images=other_images,
            other_statuses=others.statuses,
            plots=plots,
            other_plots=others.plots,
        )

    def drawn(self, row: int, texts: CrownTexts) -> DrawnCrown:
        """Return the drawing of the target in a row with its match and the outlines nearby."""
        shape = self.shapes[row]
        match_id = self.match_ids.iloc[row]
        is_match = (self.other_ids == match_id).to_numpy() & pd.notna(match_id)
        matches = [other for other in self.other_shapes[is_match] if other is not None]
        surroundings = shapely.box(*_widened(shapely.total_bounds(shape)))
        near_rows = self.tree.query(surroundings)
        is_on_image = self.other_images == self.images[row]
        is_shown = ~is_match & is_on_image
        if self.plots is not None and self.other_plots is not None:
            # A delineation of another plot cannot be that of the target.
            is_shown &= (self.other_plots == self.plots[row]) | pd.isna(self.other_plots)
        neighbour_rows = near_rows[is_shown[near_rows]]
        neighbours = list(self.other_shapes[neighbour_rows])
        return DrawnCrown(shape, matches, neighbours, _describe(texts))


def _plots_of(rows: pd.DataFrame) -> Objects | None:
    """Return the plot of each crown (n,), missing for none; None without plots."""
    if "plot" not in rows or not rows["plot"].notna().any():
        return None
    return cast("Objects", rows["plot"].to_numpy(dtype=object))


def _statuses_of(rows: pd.DataFrame) -> Objects:
    """Return the status of each crown (n,); "" in results that do not contain it."""
    if "status" not in rows:
        return np.full(len(rows), "", dtype=object)
    return cast("Objects", rows["status"].to_numpy(dtype=object))


def _images_of(rows: pd.DataFrame, page: PageOutlines) -> Objects | None:
    """Return the image of each outline (n,), whose pixels are its coordinates.

    Args:
        rows: (n,) rows of a table, in which the images are the plots of crowns in pixels.
        page: coordinates of the outlines.

    Returns:
        The images; None if the outlines are not in pixels, or their images are unknown.
    """
    if not page.working.in_pixels or "plot" not in rows:
        return None
    return cast("Objects", rows["plot"].astype(str).to_numpy(dtype=object))


def _describe(texts: CrownTexts) -> str:
    """Return the description of the drawing of a crown for readers who cannot see it."""
    return ", ".join([texts.name, *(f"{name} {value}" for name, value in texts.scores)])


def _widened(bounds: Floats) -> Floats:
    """Return bounds (4,) widened by their larger side: what a drawing of a crown may show."""
    side = max(bounds[2] - bounds[0], bounds[3] - bounds[1])
    widened: Floats = bounds + side * np.array([-1.0, -1.0, 1.0, 1.0])
    return widened


def crown_pictures(result: JobTables, run: ScoredLayers | None) -> CrownPictures:
    """Return the pictures of a result; none if it has no outlines.

    Args:
        result: the result.
        run: tables of a result of the job ``score``; None for another job.
    """
    names = {name for name, table in outlined_tables(result) if len(table)}
    if run is not None and {"targets", "delineations"} <= names:
        return _scored_pictures(result, run)
    if result.job in ("evaluate", "evaluate-cloud") and {"targets", "predictions"} <= names:
        return _evaluated_pictures(result)
    if result.job == "variance" and {"crowns", "pairs"} <= names:
        return _variance_pictures(result)
    if result.job == "consensus" and "consensus" in names:
        return _consensus_pictures(result)
    return CrownPictures([], None, [], [])


def _scored_pictures(result: JobTables, run: ScoredLayers) -> CrownPictures:
    """Return the pictures of a result of the job ``score``; the map shows its first layer."""
    page = PageOutlines(result)
    n_crowns = crowns_per_sheet(_SHEET_CROWNS, len(run.crowns))
    layers = [str(name) for name in run.overall.index]
    sheets = []
    for layer in layers:
        matched = _match_layer(result, page, run.crowns[layer], layer)
        # The sheets of a single layer need no name.
        layer_title = run.display_names[layer] if len(layers) > 1 else ""
        sheets += [
            _draw_sheet(sheet, matched, score_texts, result.unit)
            for sheet in score_sheets(matched.targets, n_crowns, layer_title)
        ]
    shown_layer = layers[0]
    shown = _match_layer(result, page, run.crowns[shown_layer], shown_layer)
    scores = shown.targets["randcrowns"].to_numpy(dtype=float)
    map_names = (SCORE_NAMES["randcrowns"], run.display_names[shown_layer])
    return _with_map(result, sheets, shown, scores, map_names, score_lines(), len(layers))


def _match_layer(
    result: JobTables, page: PageOutlines, crowns: pd.DataFrame, layer: str
) -> _Matched:
    """Return the targets of a delineation layer with its delineations.

    Args:
        result: targets and delineations of all layers with outlines.
        page: coordinates of the outlines.
        crowns: scored targets of the layer without outlines.
        layer: name of the layer.
    """
    all_targets = result.tables["targets"]
    all_delineations = result.tables["delineations"]
    targets = all_targets[all_targets["layer"] == layer]
    delineations = all_delineations[all_delineations["layer"] == layer]
    others = _Others(
        delineations["delineation_id"],
        page.shapes(delineations),
        _images_of(delineations, page),
        _statuses_of(delineations),
        # Without a field of their own, delineations have the plot of the nearest target.
        _plots_of(delineations) if result.parameters.get("plot_field") in delineations else None,
    )
    return _Matched.of(page, crowns, page.shapes(targets), crowns["delineation_id"], others)


def _evaluated_pictures(result: JobTables) -> CrownPictures:
    """Return the pictures of an evaluation of crowns, or of the trees of a point cloud."""
    page = PageOutlines(result)
    targets = result.tables["targets"].reset_index(drop=True)
    predictions = result.tables["predictions"].reset_index(drop=True)
    target_shapes = page.shapes(targets)
    matched = _Matched.of(
        page,
        pd.DataFrame(targets.drop(columns="geometry")),
        target_shapes,
        targets["segmentation_match_id"],
        _Others(
            predictions["prediction_id"],
            page.shapes(predictions),
            _images_of(predictions, page),
            _statuses_of(predictions),
        ),
    )
    areas = pd.Series(shapely.area(target_shapes))  # NaN without an outline
    are_points = result.job == "evaluate-cloud"
    sheets = [
        _draw_sheet(sheet, matched, partial(_instance_texts, are_points=are_points), result.unit)
        for sheet in instance_sheets(matched.targets, areas, _SHEET_CROWNS, are_points)
    ]
    iou = targets["iou"].astype(float).fillna(0.0).to_numpy()
    layer_name = name_input(result, "predictions") or tr("Predictions")
    return _with_map(result, sheets, matched, iou, ("IoU", layer_name), match_lines())


def _variance_pictures(result: JobTables) -> CrownPictures:
    """Return the pictures of a variance; the map shows the targets of all annotators."""
    page = PageOutlines(result)
    targets = pd.DataFrame(result.tables["crowns"].drop(columns="geometry")).reset_index(drop=True)
    # Results of earlier versions do not mark examples.
    if "example" not in targets:
        return CrownPictures([], None, [], [])
    shapes = page.shapes(result.tables["crowns"])
    pairs = result.tables["pairs"]
    pair_shapes = page.shapes(pairs)
    pair_targets = pairs["target"].to_numpy()
    names = names_of_annotators(targets)
    lines = annotator_lines(pairs)
    pair_annotators = pairs["delineation_annotator"].astype(str).to_numpy()
    sheets = []
    for sheet in variance_sheets(targets, _SHEET_CROWNS):
        has_powers = sheet_has_powers(targets, sheet)
        shown_crowns = []
        for row in sheet.rows:
            texts = variance_texts(targets.iloc[row], names, has_powers)
            pair_rows = np.flatnonzero(pair_targets == targets["target"].iloc[row])
            shown_rows = [pair for pair in pair_rows if pair_shapes[pair] is not None]
            shown = list(pair_shapes[shown_rows])
            shown_lines = [lines[annotator] for annotator in pair_annotators[shown_rows]]
            drawn = DrawnCrown(shapes[row], shown, [], _describe(texts), shown_lines)
            shown_crowns.append((texts, drawn))
        figures = _draw_figures(shown_crowns, result.unit)
        sheets.append(Sheet(sheet.title, sheet.about, figures, line_legend(lines)))
    variances = targets["randcrowns_variance"].to_numpy(dtype=float)
    nothing = np.empty(0, dtype=object)
    picture = draw_map(shapes, variances, nothing, variance_colours(), result.unit)
    legend = []
    notes = [] if picture is None else map_notes(_crs_name(result), "", 1)
    if picture is not None:
        has_missing = bool(np.isnan(variances).any())
        legend = map_legend(variance_colours(), "", has_missing)
    return CrownPictures(sheets, picture, legend, notes)


def _consensus_pictures(result: JobTables) -> CrownPictures:
    """Return the map of a consensus."""
    consensus = result.tables["consensus"]
    page = PageOutlines(result)
    votes = np.zeros(len(consensus))
    known_votes: list[int] = []
    if "votes" in consensus and consensus["votes"].notna().any():
        votes = consensus["votes"].to_numpy(dtype=float)
        known_votes = consensus["votes"].dropna().astype(int).unique().tolist()
    colours = vote_colours(known_votes)
    doubtful = np.empty(0, dtype=object)
    doubtful_name = ""
    if len(result.tables.get("doubtful", ())):
        doubtful = page.shapes(result.tables["doubtful"])
        doubtful_name = tr("Trees that too few annotators drew")
    picture = draw_map(page.shapes(consensus), votes, doubtful, colours, result.unit)
    if picture is None:
        return CrownPictures([], None, [], [])
    legend = map_legend(colours, doubtful_name, bool(np.isnan(votes).any()))
    return CrownPictures([], picture, legend, map_notes(_crs_name(result), "", 1))


def _instance_texts(target: pd.Series, are_points: bool) -> CrownTexts:
    """Return the texts of a matched target.

    Args:
        target: row of the matched targets.
        are_points: True if points are counted, and not areas.
    """
    labels = instance_score_labels(are_points)
    scores = [(labels[name], format_value(float(target[name]), 2)) for name in INSTANCE_SCORES]
    texts = CrownTexts(target_name(target), scores)
    status = str(target["status"])
    if status == MatchStatus.TRUE_POSITIVE.value:
        return texts
    return texts._replace(
        problem=match_labels().get(status, status),
        cause=_cause_of(target),
        problem_colour=PROBLEM_COLOURS[Problem.MISSING],
    )


def _cause_of(target: pd.Series) -> str:
    """Return why a matched target was not detected; "" for another status."""
    if str(target["status"]) != MatchStatus.FALSE_NEGATIVE.value:
        return ""
    return undetected_cause(float(target["iou"]))


def _draw_sheet(
    sheet: SheetRows, matched: _Matched, texts_of: Callable[[pd.Series], CrownTexts], unit: str
) -> Sheet:
    """Return the pictures of a sheet with their texts.

    Args:
        sheet: rows of the targets.
        matched: the targets.
        texts_of: function that returns the texts of a row.
        unit: unit of lengths, ``m`` or ``px``.
    """
    shown_crowns = []
    for row in sheet.rows:
        if matched.shapes[row] is None:
            continue
        texts = texts_of(matched.targets.iloc[row])
        shown_crowns.append((texts, matched.drawn(int(row), texts)))
    figures = _draw_figures(shown_crowns, unit)
    about = " ".join([sheet.about, tr("Grey: other outlines of the layer.")])
    return Sheet(sheet.title, about, figures)


def _draw_figures(crowns: Sequence[tuple[CrownTexts, DrawnCrown]], unit: str) -> list[CrownFigure]:
    """Return the pictures of crowns with their texts.

    Args:
        crowns: texts and outlines of each crown.
        unit: unit of lengths, ``m`` or ``px``.
    """
    pictures = draw_crowns([drawn for _, drawn in crowns], unit)
    return [
        CrownFigure(
            picture=picture,
            name=texts.name,
            numbers=texts.scores,
            problem=texts.problem,
            cause=texts.cause,
            problem_colour=texts.problem_colour,
        )
        for picture, (texts, _) in zip(pictures, crowns)
    ]


def _crs_name(result: JobTables) -> str:
    """Return the name of the coordinate system of a result; "" for pixels or an unknown one."""
    frames = [frame for frame in result.tables.values() if getattr(frame, "crs", None) is not None]
    if result.unit == "px" or not frames:
        return ""
    crs = frames[0].crs
    authority = crs.to_authority()
    return f"{crs.name} ({':'.join(authority)})" if authority else str(crs.name)


def _with_map(
    result: JobTables,
    sheets: list[Sheet],
    shown: _Matched,
    scores: Floats,
    names: tuple[str, str],
    lines: StatusLines,
    n_layers: int = 1,
) -> CrownPictures:
    """Return sheets with the map of the targets of a layer.

    Args:
        result: the result, with outlines of the targets.
        sheets: sheets of crowns.
        shown: the targets and the layer that matches them.
        scores: (n,) score of each target; NaN without one.
        names: name of the score, and of the layer.
        lines: lines around targets and around the layer's crowns by status.
        n_layers: number of layers with scores, of which the map shows one.
    """
    score, layer = names
    if not is_map_legible(shapely.bounds(shown.shapes)):
        has_plots = has_rows_of_plots(result.summary)
        notes = map_notes("", layer, n_layers, is_legible=False, has_plots=has_plots)
        return CrownPictures(sheets, map=None, legend=[], map_notes=notes)
    colours = score_colours(score, layer)
    # The crowns of several images in pixels lie on one another, so that the map shows one image.
    image = shown.images[0] if len(shown.images) else ""
    is_on_image = shown.images == image
    shapes = shown.shapes[is_on_image]
    is_other_on_image = shown.other_images == image
    others = shown.other_shapes[is_other_on_image]
    other_statuses = shown.other_statuses[is_other_on_image]
    scores = scores[is_on_image]
    target_statuses = _statuses_of(shown.targets)[is_on_image]
    marked = mark_crowns(shapes, target_statuses, lines.targets)
    marked += mark_crowns(others, other_statuses, lines.others)
    is_plain = np.array([status not in lines.others for status in other_statuses], dtype=bool)
    picture = draw_map(shapes, scores, others[is_plain], colours, result.unit, marked)
    if picture is None:
        return CrownPictures(sheets, map=None, legend=[], map_notes=[])
    shown_image = "" if is_on_image.all() else image
    notes = map_notes(_crs_name(result), layer, n_layers, shown_image)
    legend = map_legend(
        colours, layer, bool(np.isnan(scores).any()), [crowns.line for crowns in marked]
    )
    return CrownPictures(sheets, picture, legend, notes)
