"""Page to explore a result: built from its tables, at the run or from written results."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
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
    small_table,
)
from randcrowns.jobs.parameters import LENGTHS, OWN_PRESET
from randcrowns.jobs.tables import JobTables
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
    from randcrowns.jobs.version import version

    has_outlines = any(len(table) for _, table in outlined_tables(result))
    page = PageOutlines(result) if has_outlines else None
    parts = _parts(result, page)
    if not (parts.views or parts.curves or parts.tables):
        if result.job == "evaluate-cloud" and not has_outlines:
            raise InputError(
                "jobs.cloud_not_explored",
                "This result has no outlines of trees to explore. Evaluate the point cloud again "
                "and save the results in a GeoPackage (--out NAME.gpkg), which keeps them.",
            )
        raise InputError(
            "jobs.nothing_to_explore",
            "The result of {job} has no outlines and no curves to explore. Results in a "
            "GeoPackage (NAME.gpkg) or in a folder have the outlines.",
            job=result.job,
        )
    run = ExploredRun(
        id=run_id(result),
        title=compared_layers(result) or result.job,
        provenance=f"randcrowns {version()}",
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


def run_id(result: JobTables) -> str:
    """Return the identity of a run, which is stored with the verdicts on its crowns.

    Equal inputs and parameters give the same identity, also for results that are read again.
    """
    digest = hashlib.sha256(json.dumps([result.job, result.parameters], default=str).encode())
    for name, table in outlined_tables(result):
        digest.update(name.encode())
        digest.update(fingerprint_outlines(table).encode())
    return f"{result.job} {digest.hexdigest()[:16]}"


def _parts(result: JobTables, page: PageOutlines | None) -> ExploreParts:
    """Return the outlines, views, curves and tables of a page; ``page`` is None without outlines.

    Other jobs than those of :data:`_PARTS` have a view for each table with outlines.
    """
    make = _PARTS.get(result.job)
    if make is not None and set(_REQUIRED[result.job]) <= set(result.tables):
        return make(result, page)
    return _tables_with_outlines(result, page, [name for name, _ in outlined_tables(result)])


def _tables_with_outlines(
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
    tables = []
    for name in names:
        frame = result.tables.get(name, pd.DataFrame())
        if "geometry" not in frame or not len(frame):
            continue
        rows = pd.DataFrame(frame).drop(columns=["geometry", *_POSITIONS], errors="ignore")
        rows = rows.reset_index(drop=True)
        columns = explore_columns(result.job, name, rows)
        has_order = order in rows
        has_colour = colour in rows
        tables.append(
            OutlinedTable(
                label=_label_of(result.job, name),
                rows=rows,
                shapes=page.shapes(frame),
                columns=columns,
                order=order if has_order else "",
                is_descending=has_order,
                colour=colour if has_colour else "",
            )
        )
    return table_views(tables)


def _label_of(job: str, table: str) -> str:
    """Return the title of a table."""
    output = output_of(job, table)
    return table.replace("_", " ").capitalize() if output is None else output.label


def _scored(result: JobTables, page: PageOutlines | None) -> ExploreParts:
    """Return a view for each delineation layer of a scoring run."""
    if page is None or not len(result.tables["targets"]):
        return _tables_with_outlines(result, page, ["delineations"])
    all_targets = result.tables["targets"].reset_index(drop=True)
    all_delineations = result.tables["delineations"].reset_index(drop=True)
    layers = list(dict.fromkeys(all_targets["layer"]))
    first = all_targets[all_targets["layer"] == layers[0]].reset_index(drop=True)
    target_name = next(
        (run_input.name for run_input in result.inputs if run_input.parameter == "targets"),
        "targets",
    )
    scores = []
    for layer in layers:
        targets = all_targets[all_targets["layer"] == layer].reset_index(drop=True)
        drawn = all_delineations[all_delineations["layer"] == layer].reset_index(drop=True)
        scores.append(
            ExploredScores(
                name=str(layer),
                keys=(LayerKey("", "", target_name), LayerKey("", "", str(layer))),
                targets=pd.DataFrame(targets[_SCORED_COLUMNS]),
                delineations=_delineation_rows(drawn),
                shapes=page.shapes(drawn),
                is_averaged=bool((targets["n_delineations"] > 1).any()),
            )
        )
    explored = ExploredTargets(
        target_name, _target_rows(first), page.shapes(first), _own_attributes(first, "target_id")
    )
    outline_layers, views = score_views(explored, scores)
    if not result.has_feature_ids:
        views = [replace(view, review=None) for view in views]
    return ExploreParts(outline_layers, views, has_regions=True)


def _target_rows(targets: geopandas.GeoDataFrame) -> pd.DataFrame:
    """Return the targets with their names and the hashes of their outlines."""
    rows = pd.DataFrame(
        {
            "target_id": targets["target_id"],
            "name": [tr("Target {id}", id=number) for number in targets["target_id"]],
            "plot": targets["plot"].astype(object) if "plot" in targets else None,
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
    attribute_names = names[: names.index(first_result)]
    return pd.DataFrame(
        frame[[name for name in attribute_names if name not in ("layer", "geometry")]]
    )


def _regions(result: JobTables) -> Regions | None:
    """Return the lengths of the regions that a run used; None if it used other regions."""
    parameters = result.parameters
    has_lengths = all(parameters.get(name) is not None for name in LENGTHS)
    if parameters.get("preset", OWN_PRESET) not in (*PRESETS, OWN_PRESET) or not has_lengths:
        return None
    alpha, omega, gamma = (float(parameters[name]) for name in LENGTHS)
    corners = str(parameters.get("corner_style", "auto"))
    return Regions.from_parameters(RandCrownsParameters(alpha, omega, gamma, offsets=corners))


def _matched(result: JobTables, page: PageOutlines | None) -> ExploreParts:
    """Return the view of an evaluation of crowns or of the trees of a point cloud.

    Without targets or without predictions, the view is a table of the other side.
    """
    sides = [result.tables[name] for name in ("targets", "predictions")]
    if page is None or not all(len(side) and "geometry" in side for side in sides):
        return _tables_with_outlines(result, page, ["targets", "predictions"])
    names = {layer.parameter: layer.name for layer in result.inputs}
    explored = []
    for side, parameter in zip(sides, ("targets", "predictions")):
        frame = side.reset_index(drop=True)
        id_column = f"{parameter[:-1]}_id"
        columns = {old: new for old, new in INSTANCE_COLUMNS.items() if old in frame}
        rows = pd.DataFrame(frame[list(columns)].rename(columns=columns))
        if "plot" in rows:
            rows["plot"] = rows["plot"].astype(object).where(rows["plot"].notna(), None)
        attributes = _own_attributes(frame, id_column)
        explored.append(
            ExploredInstances(
                names.get(parameter, _label_of(result.job, parameter)),
                rows,
                page.shapes(frame),
                attributes.drop(columns=[*columns], errors="ignore"),
            )
        )
    targets, predictions = explored
    # The IoU of trees of a point cloud is that of their points, which the page does not have.
    layers, views = match_views(targets, predictions, has_areas=result.job == "evaluate")
    return ExploreParts(layers, views)


def _compared(result: JobTables, page: PageOutlines | None) -> ExploreParts:
    """Return the disagreements, the votes per area and the tables of a comparison."""
    areas = ["disagreements", "agreement"]
    parts = _tables_with_outlines(result, page, areas, "area", "n_yes")
    return replace(parts, tables=_small_tables(result, ("pairs", "annotators")))


def _ranked(result: JobTables, page: PageOutlines | None) -> ExploreParts:
    """Return the curves, tables and places of a ranking of detectors."""
    parts = _tables_with_outlines(result, page, ["look_again"])
    curves = detection_curves(result.tables.get("curves", pd.DataFrame()), str)
    return replace(parts, curves=curves, tables=_small_tables(result, ("summary", "certainty")))


def _small_tables(result: JobTables, names: tuple[str, ...]) -> list[Any]:
    """Return the tables of a result that have rows as displayed texts."""
    return [
        small_table(_label_of(result.job, name), result.job, name, result.tables[name])
        for name in names
        if len(result.tables.get(name, ()))
    ]


#: Function that makes the parts of a page, by job, and the tables that it requires.
_PARTS: Mapping[str, Callable[[JobTables, PageOutlines | None], ExploreParts]] = {
    "score": _scored,
    "evaluate": _matched,
    "evaluate-cloud": _matched,
    "agree": _compared,
    "rank": _ranked,
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
