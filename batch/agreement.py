"""Comparing annotators tile by tile: vote tables are counts, and counts add up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import scipy.sparse
import shapely
from distributed import Client

from randcrowns.batch.cluster import Scheduler, Watch, unwatched
from randcrowns.batch.reading import MORE, read_tile
from randcrowns.batch.results import Results, write_file, write_table
from randcrowns.batch.running import How, PathLike, as_box, carried_out
from randcrowns.batch.source import Problems, Source
from randcrowns.batch.summary import write_summary
from randcrowns.batch.tiles import MOST_CROWNS, Grid, Tile
from randcrowns.core.agreement.blocks import BLOCKS_PER_SIDE
from randcrowns.core.agreement.consensus import METHODS
from randcrowns.core.agreement.measures import annotator_statistics, pairwise_f1
from randcrowns.core.agreement.staple_em import staple
from randcrowns.core.agreement.summary import agreement_summary
from randcrowns.core.agreement.votes import MOST_ANNOTATORS, VoteTable
from randcrowns.core.arrays import Bools, Floats, Objects
from randcrowns.core.errors import InputError
from randcrowns.core.geometry.areas import polygonal

WRITTEN = "written"


@dataclass(frozen=True)
class AgreementTask:
    """What every tile of a comparison needs to know.

    Attributes:
        annotators: a layer each.
        extent: the study area as xmin, ymin, xmax, ymax; None for what anybody marked.
        folder: the results directory.
        grid: the cells.
        blocks: left, bottom and side of the square blocks that are resampled, and how many there are in a row and in
            a column.
    """

    annotators: tuple[Source, ...]
    extent: tuple[float, ...] | None
    folder: str
    grid: Grid
    blocks: tuple[float, float, float, int, int]


def agree(
    annotators: Sequence[PathLike],
    out: PathLike,
    *,
    extent: Sequence[float] | None = None,
    tile: float | None = None,
    most_crowns: int = MOST_CROWNS,
    resume: bool = False,
    scheduler: Scheduler = None,
    workers: int | None = None,
    watch: Watch = unwatched,
) -> pd.DataFrame:
    """Compare annotators who drew the same place, tile by tile on a cluster.

    Beside the summary, the results directory holds ``annotators.csv`` (each beside the consensus of half of them),
    ``pairs.csv`` (F1 of every two), ``patterns.csv`` (every pattern of decisions with its area, its probability by
    STAPLE, and the consensus methods that mark it) and the faces, cut at the edges of tiles.

    Args:
        annotators: a file or folder each.
        out: the results directory.
        extent: the study area as xmin, ymin, xmax, ymax; by default what anybody marked.
        tile, most_crowns, resume, scheduler, workers, watch: as for :func:`randcrowns.batch.score`.

    Returns:
        ``statistic``, ``value``, ``low``, ``high`` and ``draws``, as
        :func:`randcrowns.core.agreement.summary.agreement_summary` gives them.

    Raises:
        InputError: for layers or choices that cannot be used, or a directory with other results.

    >>> import tempfile, geopandas, shapely
    >>> folder = tempfile.mkdtemp()
    >>> for name, width in (("anna", 2), ("ben", 4)):
    ...     drawn = geopandas.GeoDataFrame(geometry=[shapely.box(0, 0, width, 1)], crs="EPSG:32617")
    ...     drawn.to_file(f"{folder}/{name}.gpkg")
    >>> found = agree([f"{folder}/anna.gpkg", f"{folder}/ben.gpkg"], f"{folder}/out", workers=1)
    >>> round(float(found.set_index("statistic").loc["mean_f1", "value"]), 3)
    0.667
    """
    if not 2 <= len(annotators) <= MOST_ANNOTATORS:
        raise InputError(
            f"Between 2 and {MOST_ANNOTATORS} annotators can be compared, not {len(annotators)}."
        )
    box = as_box(extent)

    def work(client: Client, results: Results, sources: list[Source]) -> pd.DataFrame:
        blocks = _blocks(results.manifest["bounds"] if box is None else box)
        task = AgreementTask(
            tuple(sources), box, str(results.folder.resolve()), results.grid, blocks
        )
        results.run(client, WRITTEN, overlay_tile, lambda tile: (task, tile), "Overlaying", watch)
        votes = merged_votes(task, results)
        _write_tables(results, votes)
        return write_summary(results, agreement_summary(votes).table.reset_index())

    how = How(tile, most_crowns, resume, scheduler, workers, watch)
    return carried_out("agree", annotators, out, {"extent": box}, how, work)


def overlay_tile(task: AgreementTask, tile: Tile) -> dict[str, Any]:
    """Overlay the polygons of one tile, and write its faces; what the manifest says of it."""
    problems, own, layers = Problems(), {}, {}
    for source in task.annotators:
        read = read_tile(source, tile, task.grid, task.grid.cell * (MORE - 1), problems)
        layers[source.name] = read.crowns.geometry
        own[source.name] = int(read.own.sum())
    box = tile.box(task.grid)
    if task.extent is not None:
        box = np.append(np.maximum(box[:2], task.extent[:2]), np.minimum(box[2:], task.extent[2:]))
    said: dict[str, Any] = {
        "files": {},
        "crowns": own,
        "problems": problems.table().to_dict("records"),
        "votes": [],
    }
    bounds = {name: shapely.bounds(shapes) for name, shapes in layers.items()}
    tables, faces = [], []
    for block, part in _parts(task, box):
        near = {name: shapes[_meet(bounds[name], part)] for name, shapes in layers.items()}
        votes = VoteTable.from_polygons(near, shapely.box(*part))
        codes = np.array([_code(one) for one in votes.patterns], dtype=object)
        said["votes"] += [
            (block, code, weight)
            for code, weight, yes in zip(
                codes.tolist(), votes.weights.tolist(), votes.yes_votes.tolist()
            )
            if yes and weight > 0
        ]
        if votes.faces is None or votes.index is None:
            continue
        marked = votes.on_map(votes.yes_votes > 0)
        faces.append(votes.faces[marked])
        of_face = votes.index[marked].astype(np.int64)
        yes = votes.yes_votes[of_face]
        sizes = {"n_yes": yes, "n_no": votes.n_annotators - yes, "area": shapely.area(faces[-1])}
        tables.append(pd.DataFrame({"pattern": codes[of_face], **sizes}))
    table = pd.concat(tables, ignore_index=True) if tables else pd.DataFrame()
    if len(table):
        shapes = valid_faces(np.concatenate(faces))
        crs = task.annotators[0].pieces.crs.to_string()
        stored = shapely.to_wkb(shapes), shapely.bounds(shapes)
        said["files"] = write_table(
            Path(task.folder), f"faces/{tile.key}.parquet", table, stored, crs
        )
    return said


def valid_faces(faces: Objects) -> Objects:
    """The faces, those with crossing edges repaired as far as they keep their area."""
    invalid = np.flatnonzero(~shapely.is_valid(faces))
    if len(invalid):
        repaired, area = polygonal(shapely.make_valid(faces[invalid])), shapely.area(faces[invalid])
        good = np.abs(shapely.area(repaired) - area) <= 1e-6 * area
        faces = faces.copy()
        faces[invalid[good]] = repaired[good]
    return faces


def _parts(task: AgreementTask, box: Floats) -> Iterator[tuple[int, Floats]]:
    """What of a box lies in each block: the block's number, and xmin, ymin, xmax, ymax."""
    left, bottom, side, columns, rows = task.blocks
    edges = [
        start + side * np.arange(1, count) for start, count in ((left, columns), (bottom, rows))
    ]
    (x, first), (y, below) = (
        (
            np.concatenate([[low], cut[(cut > low) & (cut < high)], [high]]),
            int(np.count_nonzero(cut <= low)),
        )
        for cut, low, high in zip(edges, box[:2], box[2:])
    )
    for row in range(len(y) - 1):
        for column in range(len(x) - 1):
            part = np.array([x[column], y[row], x[column + 1], y[row + 1]])
            if (part[:2] < part[2:]).all():
                yield (below + row) * columns + first + column, part


def _meet(bounds: Floats, part: Floats) -> Bools:
    return np.asarray(
        (bounds[:, :2] <= part[2:]).all(axis=1) & (bounds[:, 2:] >= part[:2]).all(axis=1)
    )


def merged_votes(task: AgreementTask, results: Results) -> VoteTable:
    """The vote table of all tiles together, with the blocks that are resampled."""
    left, bottom, side, columns, rows = task.blocks
    weights: dict[tuple[int, str], float] = {}
    # Tiles are added in one order, whatever the order in which they were done.
    stages = results.stage(WRITTEN)
    for key in sorted(stages):
        for block, code, weight in stages[key]["votes"]:
            weights[block, code] = weights.get((block, code), 0.0) + weight
    nobody = "0" * len(task.annotators)
    if task.extent is not None:
        marked = np.zeros(rows * columns)
        for (block, _), weight in weights.items():
            marked[block] += weight
        row, column = np.divmod(np.arange(rows * columns), columns)
        wide = np.minimum(left + (column + 1) * side, task.extent[2]) - (left + column * side)
        tall = np.minimum(bottom + (row + 1) * side, task.extent[3]) - (bottom + row * side)
        for block, weight in enumerate((np.maximum(wide * tall - marked, 0.0)).tolist()):
            weights[block, nobody] = weight
    codes = sorted({code for _, code in weights})
    place = {code: number for number, code in enumerate(codes)}
    block, pattern = (
        (np.array(list(side), dtype=np.int64) for side in zip(*((b, place[c]) for b, c in weights)))
        if (weights)
        else (np.empty(0, np.int64), np.empty(0, np.int64))
    )
    blocks = scipy.sparse.csr_matrix(
        (list(weights.values()), (block, pattern)), (rows * columns, len(codes))
    )
    patterns = np.array([[sign == "1" for sign in code] for code in codes], dtype=bool).reshape(
        -1, len(nobody)
    )
    names = tuple(source.name for source in task.annotators)
    total = np.asarray(blocks.sum(axis=0), dtype=float).ravel()
    return VoteTable(patterns, total, None, names, blocks=blocks, unit=0.0)


def _blocks(bounds: Sequence[float]) -> tuple[float, float, float, int, int]:
    """The blocks that core resamples: an eighth of the longer side of the area."""
    left, bottom, right, top = bounds
    side = max(right - left, top - bottom) / BLOCKS_PER_SIDE
    columns, rows = (
        max(int(np.ceil(length / side - 1e-9)), 1) for length in (right - left, top - bottom)
    )
    return left, bottom, side, columns, rows


def _code(decisions: Bools) -> str:
    """A pattern as text: 1 for a yes, in the order of the annotators."""
    return "".join("1" if yes else "0" for yes in decisions)


def _write_tables(results: Results, votes: VoteTable) -> None:
    estimate = staple(votes)
    first, second = np.triu_indices(votes.n_annotators, 1)
    names = np.array(votes.names, dtype=object)
    pairs = pd.DataFrame(
        {"first": names[first], "second": names[second], "f1": pairwise_f1(votes)[first, second]}
    )
    each = annotator_statistics(votes).assign(
        staple_sensitivity=estimate.sensitivity, staple_specificity=estimate.specificity
    )
    patterns = pd.DataFrame(
        {
            "pattern": [_code(one) for one in votes.patterns],
            "n_yes": votes.yes_votes,
            "area": votes.weights,
            "staple_probability": estimate.probability,
            **{f"in_{name}": rule(votes) for name, rule in METHODS.items()},
        }
    )
    for name, table in (
        ("annotators", each.reset_index()),
        ("pairs", pairs),
        ("patterns", patterns),
    ):
        write_file(results.folder / f"{name}.csv", table.to_csv(index=False).encode("utf-8"))
