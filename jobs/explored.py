"""Page to explore a result: built from its tables, at the run or from written results."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from randcrowns.core.errors import InputError
from randcrowns.core.review.verdicts import LayerKey, outline_hashes
from randcrowns.core.scoring.layer import SCORES
from randcrowns.core.scoring.parameters import PRESETS, RandCrownsParameters
from randcrowns.jobs.outlines import fingerprint_outlines, outlined_tables
from randcrowns.jobs.page_outlines import PageOutlines
from randcrowns.jobs.page_tables import (
    compared_layers,
    explore_columns,
    output_of,
    small_tables,
)
from randcrowns.jobs.parameters import LENGTHS, OWN_PRESET
from randcrowns.jobs.tables import JobTables, name_input
from randcrowns.jobs.version import package_version
from randcrowns.report.explore.content import ExploredRun, ImagePyramid, Regions
from randcrowns.report.explore.matched import INSTANCE_COLUMNS, ExploredInstances, match_views
from randcrowns.report.explore.outlines import find_bounds
from randcrowns.report.explore.outputs import (
    ExploreParts,
    OutlinedTable,
    detection_curves,
    table_views,
)
from randcrowns.report.explore.scored import ExploredScores, ExploredTargets, score_views
from randcrowns.report.language import tr
from randcrowns.report.words import made_sentence

if TYPE_CHECKING:
    import geopandas

#: Columns with positions in arrays, which mean nothing to readers.
_POSITIONS = ("face", "pattern")
#: Columns of the targets, and of the delineations, of a scoring run that its page shows.
_SCORED_COLUMNS = [*SCORES, "status", "problem", "cause", "delineation_id"]
_DELINEATION_COLUMNS = [*_SCORED_COLUMNS, "plot"]


def explored_run(result: JobTables, image: Path | None = None) -> ExploredRun:
    """Return the content of the page to explore a result.

    Args:
        result: the result.
        image: file of the image on which the crowns lie; None for a page without one.

    Raises:
        InputError: if the result has nothing to explore, or the image cannot be used.
    """
    has_outlines = any(len(table) for _, table in outlined_tables(result))
    page = PageOutlines(result) if has_outlines else None
    parts = _make_parts(result, page)
    if not (parts.views or parts.curves or parts.tables):
        raise _nothing_to_explore_error(result.job, has_outlines=has_outlines)
    run = ExploredRun(
        id=run_id(result),
        title=compared_layers(result) or result.job,
        provenance=made_sentence(datetime.now(timezone.utc), package_version()),
        answer=[],
        unit=result.unit,
        layers=parts.layers,
        views=parts.views,
        origin=(0.0, 0.0) if page is None else page.origin,
        regions=_regions(result) if parts.has_regions else None,
        curves=parts.curves,
        tables=parts.tables,
        warnings=[str(message) for message in result.messages if message.is_warning],
    )
    if image is None or page is None:
        return run
    return replace(run, image=_read_image(page, run, image))


def _nothing_to_explore_error(job: str, *, has_outlines: bool) -> InputError:
    """Return the error that a result has nothing to explore.

    Args:
        job: name of the job.
        has_outlines: True if the result has outlines of crowns or trees.
    """
    if job == "evaluate-cloud" and not has_outlines:
        return InputError(
            "jobs.cloud_not_explored",
            "This result has no outlines of trees to explore. Evaluate the point cloud again "
            "and save the results in a GeoPackage (--out NAME.gpkg), which keeps them.",
        )
    return InputError(
        "jobs.nothing_to_explore",
        "The result of {job} has no outlines and no curves to explore. Results in a "
        "GeoPackage (NAME.gpkg) or in a folder have the outlines.",
        job=job,
    )


def run_id(result: JobTables) -> str:
    """Return the identity of a run, which is stored with the verdicts on its crowns.

    Equal inputs and parameters give the same identity, also for results that are read again.
    """
    digest = hashlib.sha256(json.dumps([result.job, result.parameters], default=str).encode())
    for name, table in outlined_tables(result):
        digest.update(name.encode())
        digest.update(fingerprint_outlines(table).encode())
    return f"{result.job} {digest.hexdigest()[:16]}"


def _make_parts(result: JobTables, page: PageOutlines | None) -> ExploreParts:
    """Return the outlines, views, curves and tables of a page; ``page`` is None without outlines.

    Other jobs than those of :data:`_PARTS` have a view for each table with outlines.
    """
    make = _PARTS.get(result.job)
    if make is not None and set(_REQUIRED[result.job]) <= set(result.tables):
        return make(result, page)
    return _make_table_views(result, page, [name for name, _ in outlined_tables(result)])


def _make_table_views(
    result: JobTables,
    page: PageOutlines | None,
    names: list[str],
    order: str = "",
    colour: str = "",
) -> ExploreParts:
    """Return a view for each table with outlines.

    Args:
        result: result of a job.
        page: outlines of the page; None without coordinates.
        names: names of the tables.
        order: column that orders the rows, the largest first; "" for none.
        colour: column that colours the outlines; "" for none.
    """
    if page is None:
        return ExploreParts()
    outlined = []
    for name in names:
        table = result.tables.get(name, pd.DataFrame())
        if "geometry" not in table or not len(table):
            continue
        attributes = pd.DataFrame(table).drop(columns=["geometry", *_POSITIONS], errors="ignore")
        rows = attributes.reset_index(drop=True)
        outlined.append(
            OutlinedTable(
                label=_label_of(result.job, name),
                rows=rows,
                shapes=page.shapes(table),
                columns=explore_columns(result.job, name, rows),
                order=order if order in rows else "",
                is_descending=order in rows,
                colour=colour if colour in rows else "",
            )
        )
    return table_views(outlined)


def _label_of(job: str, table: str) -> str:
    """Return the title of a table."""
    output = output_of(job, table)
    if output is None:
        return table.replace("_", " ").capitalize()
    return output.label


def _make_score_views(result: JobTables, page: PageOutlines | None) -> ExploreParts:
    """Return a view for each delineation layer of a scoring run."""
    if page is None or not len(result.tables["targets"]):
        return _make_table_views(result, page, ["delineations"])
    all_targets = result.tables["targets"]
    all_delineations = result.tables["delineations"]
    target_name = name_input(result, "targets", "targets")
    layers = list(dict.fromkeys(all_targets["layer"]))
    scores = []
    for layer in layers:
        targets = _rows_of_layer(all_targets, layer)
        delineations = _rows_of_layer(all_delineations, layer)
        scores.append(
            ExploredScores(
                name=str(layer),
                keys=(LayerKey("", "", target_name), LayerKey("", "", str(layer))),
                targets=pd.DataFrame(targets[_SCORED_COLUMNS]),
                delineations=_delineation_rows(delineations),
                shapes=page.shapes(delineations),
                is_averaged=bool((targets["n_delineations"] > 1).any()),
            )
        )
    # All layers are scored against the same targets.
    shown_targets = _rows_of_layer(all_targets, layers[0])
    explored = ExploredTargets(
        target_name,
        _target_rows(shown_targets),
        page.shapes(shown_targets),
        _own_attributes(shown_targets, "target_id"),
    )
    outline_layers, views = score_views(explored, scores)
    if not result.has_feature_ids:
        # Verdicts are stored with the ids of the features.
        views = [replace(view, review=None) for view in views]
    return ExploreParts(outline_layers, views, has_regions=True)


def _rows_of_layer(table: pd.DataFrame, layer: Any) -> Any:
    """Return the rows of a delineation layer, numbered from 0.

    Args:
        table: rows of all layers with the column ``layer``.
        layer: name of the layer.
    """
    return table[table["layer"] == layer].reset_index(drop=True)


def _target_rows(targets: geopandas.GeoDataFrame) -> pd.DataFrame:
    """Return the targets with their names and the hashes of their outlines."""
    plots = None
    if "plot" in targets:
        plots = targets["plot"].astype(object)
    rows = pd.DataFrame(
        {
            "target_id": targets["target_id"],
            "name": [tr("Target {id}", id=number) for number in targets["target_id"]],
            "plot": plots,
            "outline": outline_hashes(np.asarray(targets.geometry, dtype=object)),
        }
    )
    if "crown_class" in targets:
        rows["class"] = targets["crown_class"].astype(object)
    return rows


def _delineation_rows(drawn: geopandas.GeoDataFrame) -> pd.DataFrame:
    """Return the delineations of a layer with their names and the hashes of their outlines."""
    return pd.DataFrame(drawn.reindex(columns=_DELINEATION_COLUMNS)).assign(
        name=[tr("Delineation {id}", id=number) for number in drawn["delineation_id"]],
        outline=outline_hashes(np.asarray(drawn.geometry, dtype=object)),
    )


def _own_attributes(frame: pd.DataFrame, first_result: str) -> pd.DataFrame:
    """Return the fields of the input, which are before the first column of the results."""
    names = list(frame.columns)
    names_before_results = names[: names.index(first_result)]
    attribute_names = [name for name in names_before_results if name not in ("layer", "geometry")]
    return pd.DataFrame(frame[attribute_names])


def _regions(result: JobTables) -> Regions | None:
    """Return the lengths of the regions that a run used; None if it used other regions."""
    parameters = result.parameters
    has_lengths = all(parameters.get(name) is not None for name in LENGTHS)
    if parameters.get("preset", OWN_PRESET) not in (*PRESETS, OWN_PRESET) or not has_lengths:
        return None
    alpha, omega, gamma = (float(parameters[name]) for name in LENGTHS)
    corners = str(parameters.get("corner_style", "auto"))
    return Regions.from_parameters(RandCrownsParameters(alpha, omega, gamma, offsets=corners))


def _make_match_views(result: JobTables, page: PageOutlines | None) -> ExploreParts:
    """Return the view of an evaluation of crowns or of the trees of a point cloud.

    Without targets or without predictions, the view is a table of the other side.
    """
    tables = [result.tables["targets"], result.tables["predictions"]]
    if page is None or not all(len(table) and "geometry" in table for table in tables):
        return _make_table_views(result, page, ["targets", "predictions"])
    targets = _explored_instances(result, page, "targets", "target_id")
    predictions = _explored_instances(result, page, "predictions", "prediction_id")
    # The IoU of trees of a point cloud is that of their points, which the page does not have.
    layers, views = match_views(targets, predictions, has_areas=result.job == "evaluate")
    return ExploreParts(layers, views)


def _explored_instances(
    result: JobTables, page: PageOutlines, side: str, id_column: str
) -> ExploredInstances:
    """Return the crowns or trees of one side of an evaluation.

    Args:
        result: result of the evaluation.
        page: outlines of the page.
        side: name of the table and of the parameter of its layer.
        id_column: first column of the results in the table.
    """
    table = result.tables[side].reset_index(drop=True)
    new_names = {old: new for old, new in INSTANCE_COLUMNS.items() if old in table}
    rows = pd.DataFrame(table[list(new_names)].rename(columns=new_names))
    if "plot" in rows:
        rows["plot"] = rows["plot"].astype(object).where(rows["plot"].notna(), None)
    attributes = _own_attributes(table, id_column)
    return ExploredInstances(
        name_input(result, side, _label_of(result.job, side)),
        rows,
        page.shapes(table),
        attributes.drop(columns=list(new_names), errors="ignore"),
    )


def _make_agreement_views(result: JobTables, page: PageOutlines | None) -> ExploreParts:
    """Return the disagreements, the votes per area and the tables of a comparison."""
    parts = _make_table_views(
        result, page, ["disagreements", "agreement"], order="area", colour="n_yes"
    )
    return replace(parts, tables=_small_tables(result, ("pairs", "annotators")))


def _make_ranking_views(result: JobTables, page: PageOutlines | None) -> ExploreParts:
    """Return the curves, tables and places of a ranking of detectors."""
    parts = _make_table_views(result, page, ["look_again"])
    curves = detection_curves(result.tables.get("curves", pd.DataFrame()), str)
    return replace(parts, curves=curves, tables=_small_tables(result, ("summary", "certainty")))


def _small_tables(result: JobTables, names: tuple[str, ...]) -> list[Any]:
    """Return the tables of a result that have rows as displayed texts."""
    tables = []
    for name in names:
        rows = result.tables.get(name, pd.DataFrame())
        if len(rows):
            tables += small_tables(_label_of(result.job, name), result.job, name, rows)
    return tables


#: Function that makes the parts of a page, by job, and the tables that it requires.
_PARTS: Mapping[str, Callable[[JobTables, PageOutlines | None], ExploreParts]] = {
    "score": _make_score_views,
    "evaluate": _make_match_views,
    "evaluate-cloud": _make_match_views,
    "agree": _make_agreement_views,
    "rank": _make_ranking_views,
}
_REQUIRED = {
    "score": ("targets", "delineations"),
    "evaluate": ("targets", "predictions"),
    "evaluate-cloud": ("targets", "predictions"),
    "agree": (),
    "rank": ("curves",),
}


def _read_image(page: PageOutlines, run: ExploredRun, path: Path) -> ImagePyramid | None:
    """Return the image around the outlines of a page as tiles; None without outlines.

    Args:
        page: outlines of the page.
        run: what the page shows.
        path: file of the image.

    Raises:
        InputError: if the image cannot be used.
    """
    from randcrowns.jobs.image_tiles import PagePlace, read_image_tiles

    shapes = [shape for layer in run.layers for shape in layer.shapes]
    bounds = find_bounds(np.array(shapes, dtype=object))
    if bounds is None:
        return None
    return read_image_tiles(path, PagePlace(page.working, run.origin), bounds)
