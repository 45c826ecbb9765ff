"""Comparison of annotators tile by tile.

A vote table contains the area of every combination of decisions. Areas of tiles add up, so that the
merged table of all tiles equals that of the whole map.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import scipy.sparse
import shapely

from randcrowns.batch.annotator_classes import (
    AnnotatorClassChoices,
    AnnotatorClasses,
    compare_classes,
    compare_tile,
)
from randcrowns.batch.pipeline import ExecutionOptions, PathLike, parse_extent, run_batch
from randcrowns.batch.progress import ProgressCallback, ignore_progress
from randcrowns.batch.results import ResultsDirectory, write_file, write_table
from randcrowns.batch.running import Runner, Scheduler
from randcrowns.batch.source import ProblemLog, Source
from randcrowns.batch.summary import write_summary
from randcrowns.batch.tile_reading import ROUNDING_MARGIN, TileCrowns, read_tile
from randcrowns.batch.tiles import DEFAULT_MAXIMUM_CROWNS, Grid, Tile
from randcrowns.core.agreement.blocks import BLOCKS_PER_SIDE
from randcrowns.core.agreement.consensus import CONSENSUS_METHODS
from randcrowns.core.agreement.measures import annotator_statistics, pairwise_f1
from randcrowns.core.agreement.outlier_testing import outlier_test
from randcrowns.core.agreement.staple_em import staple
from randcrowns.core.agreement.summary import agreement_summary
from randcrowns.core.agreement.votes import MAX_ANNOTATORS, VoteTable
from randcrowns.core.arrays import Bools, Floats, Ints, Objects
from randcrowns.core.classes.agreement import Scale
from randcrowns.core.errors import InputError
from randcrowns.core.geometry.areas import extract_polygons
from randcrowns.core.geometry.polygon_file import PolygonFile

# Stage of a run: the polygons are overlaid, and the faces are written.
_WRITTEN = "written"
# Part of a block by which a length may exceed a whole number of blocks, by rounding.
_COUNT_TOLERANCE = 1e-9
# Maximum relative change of a face's area by a repair.
_AREA_TOLERANCE = 1e-6


class _Blocks(NamedTuple):
    """Grid of the square blocks that the bootstrap resamples.

    Attributes:
        left: left edge of the first column, metres.
        bottom: lower edge of the first row, metres.
        side: side of a block, metres.
        columns: number of columns.
        rows: number of rows.
    """

    left: float
    bottom: float
    side: float
    columns: int
    rows: int

    @classmethod
    def over(cls, bounds: Sequence[float]) -> _Blocks:
        """Return the blocks of core: a block is an eighth of the longer side of the bounds."""
        left, bottom, right, top = bounds
        width = right - left
        height = top - bottom
        side = max(width, height) / BLOCKS_PER_SIDE
        columns = int(np.ceil(width / side - _COUNT_TOLERANCE))
        rows = int(np.ceil(height / side - _COUNT_TOLERANCE))
        return cls(left=left, bottom=bottom, side=side, columns=max(columns, 1), rows=max(rows, 1))

    @property
    def n_blocks(self) -> int:
        """Number of blocks."""
        return self.columns * self.rows

    def areas_within(self, extent: Sequence[float]) -> Floats:
        """Return the area (n_blocks,) of the blocks, clipped at the top and right of the extent."""
        _, _, xmax, ymax = extent
        rows, columns = np.divmod(np.arange(self.n_blocks), self.columns)
        left_edges = self.left + columns * self.side
        lower_edges = self.bottom + rows * self.side
        widths = np.minimum(self.left + (columns + 1) * self.side, xmax) - left_edges
        heights = np.minimum(self.bottom + (rows + 1) * self.side, ymax) - lower_edges
        return np.asarray(widths * heights)


@dataclass(frozen=True)
class AgreementTask:
    """Parameters of a comparison that every tile needs.

    Attributes:
        annotators: a layer per annotator.
        extent: study area as (xmin, ymin, xmax, ymax); None for the union of all polygons.
        folder: the results directory.
        grid: grid of the tiles.
        blocks: blocks that the bootstrap resamples.
        classes: classes of the crowns.
        largest_diagonal: longest diagonal of a crown's bounds, metres.
    """

    annotators: tuple[Source, ...]
    extent: tuple[float, ...] | None
    folder: str
    grid: Grid
    blocks: _Blocks
    classes: AnnotatorClasses
    largest_diagonal: float

    @property
    def halo(self) -> float:
        """Width of the halo in which crowns are read, metres."""
        # Without classes, the halo only makes up for the rounding of coordinates. With classes, a
        # crown meets crowns of other annotators, which are within its own diagonal.
        rounding = self.grid.cell * (ROUNDING_MARGIN - 1)
        if not self.classes.class_field:
            return rounding
        return rounding + self.largest_diagonal * ROUNDING_MARGIN


def agree(
    annotators: Sequence[PathLike],
    out: PathLike,
    *,
    extent: Sequence[float] | None = None,
    class_field: str = "",
    class_groups: str = "",
    class_scale: str = Scale.NOMINAL.value,
    unmarked_class: bool = False,
    tile: float | None = None,
    maximum_crowns: int = DEFAULT_MAXIMUM_CROWNS,
    resume: bool = False,
    scheduler: Scheduler = None,
    workers: int | None = None,
    report_progress: ProgressCallback = ignore_progress,
) -> pd.DataFrame:
    """Compare annotators who delineated the same area, tile by tile on a cluster.

    Besides the summary, the results directory contains

    * ``annotators.csv``: each annotator compared with the consensus of half of them;
    * ``pairs.csv``: the F1 score of every two annotators;
    * ``patterns.csv``: every combination of decisions with its area, its probability by STAPLE,
      and the consensus methods that include it;
    * ``faces``: the polygons of these combinations, split at the edges of tiles;
    * ``class_agreement.csv`` and ``class_confusion.csv``, with a class field: the agreement on the
      classes of crowns and areas, as :func:`randcrowns.compare_annotators` has it.

    Args:
        annotators: a file or folder per annotator.
        out: the results directory.
        extent: study area as xmin, ymin, xmax, ymax; by default the union of all polygons.
        class_field: column with the class of each crown; empty for none. Who lacks the column did
            not rate.
        class_groups: see :func:`randcrowns.batch.score`.
        class_scale: ``nominal``, ``ordinal`` or ``interval``, see
            :class:`randcrowns.core.classes.agreement.Scale`.
        unmarked_class: True if ground that an annotator did not mark is a class of its own. By
            default the annotator did not rate it.
        tile: see :func:`randcrowns.batch.score`.
        maximum_crowns: see :func:`randcrowns.batch.score`.
        resume: see :func:`randcrowns.batch.score`.
        scheduler: see :func:`randcrowns.batch.score`.
        workers: see :func:`randcrowns.batch.score`.
        report_progress: see :func:`randcrowns.batch.score`.

    Returns:
        A row per statistic with ``statistic``, ``value``, ``low``, ``high`` and
        ``bootstrap_samples`` (number of bootstrap samples), as in
        :func:`randcrowns.core.agreement.summary.agreement_summary`.

    Raises:
        InputError: if layers or parameters cannot be used, or ``out`` contains other results.

    >>> import tempfile, geopandas, shapely
    >>> folder = tempfile.mkdtemp()
    >>> for name, width in (("anna", 2), ("ben", 4)):
    ...     crowns = geopandas.GeoDataFrame(
    ...         geometry=[shapely.box(0, 0, width, 1)], crs="EPSG:32617"
    ...     )
    ...     crowns.to_file(f"{folder}/{name}.gpkg")
    >>> summary = agree([f"{folder}/anna.gpkg", f"{folder}/ben.gpkg"], f"{folder}/out", workers=1)
    >>> round(float(summary.set_index("statistic").loc["mean_f1", "value"]), 3)
    0.667
    """
    if not 2 <= len(annotators) <= MAX_ANNOTATORS:
        raise InputError(
            "annotators.wrong_number",
            "Between 2 and {most} annotators can be compared, not {number}.",
            most=MAX_ANNOTATORS,
            number=len(annotators),
        )
    box = parse_extent(extent)
    class_choices = AnnotatorClassChoices.of(
        {
            "class_field": class_field,
            "class_groups": class_groups,
            "class_scale": class_scale,
            "unmarked_class": unmarked_class,
        }
    )
    classes = AnnotatorClasses()

    def prepare(sources: list[Source]) -> None:
        """Decide the names of classes."""
        nonlocal classes
        classes = class_choices.prepare(sources)

    def run_stages(
        client: Runner, results: ResultsDirectory, sources: list[Source]
    ) -> pd.DataFrame:
        """Overlay all tiles, merge their votes and write the tables.

        Args:
            client: client of the cluster.
            results: the results directory.
            sources: the layers of the annotators.

        Returns:
            The summary.
        """
        study_bounds = results.manifest["bounds"] if box is None else box
        task = AgreementTask(
            annotators=tuple(sources),
            extent=box,
            folder=str(results.folder.resolve()),
            grid=results.grid,
            blocks=_Blocks.over(study_bounds),
            classes=classes,
            largest_diagonal=max(results.manifest["diagonals"]),
        )
        results.run_stage(
            client,
            stage=_WRITTEN,
            process_tile=overlay_tile,
            arguments=lambda tile: (task, tile),
            label="Overlaying",
            report_progress=report_progress,
        )
        votes = merge_votes(task, results)
        _write_tables(results, votes)
        if classes.class_field:
            tables, sentences = compare_classes(results, classes, _WRITTEN, box)
            for name, table in tables.items():
                _write_csv(results, name, table)
            results.manifest["messages"] = list(dict.fromkeys(sentences))
        statistics = agreement_summary(votes).table
        return write_summary(results, statistics.reset_index())

    execution = ExecutionOptions(
        tile=tile,
        maximum_crowns=maximum_crowns,
        resume=resume,
        scheduler=scheduler,
        workers=workers,
        report_progress=report_progress,
    )
    return run_batch(
        "agree",
        annotators,
        out,
        choices={"extent": box, **class_choices.given},
        execution=execution,
        run_stages=run_stages,
        prepare=prepare,
    )


def overlay_tile(task: AgreementTask, tile: Tile) -> dict[str, Any]:
    """Overlay the polygons of one tile and write its faces.

    Args:
        task: parameters of the comparison.
        tile: the tile.

    Returns:
        The tile's report for the manifest: ``files``; ``crowns``, the number of owned crowns by
        layer; ``problems``; and ``votes``, a list of (block, pattern, area in m²) for every pattern
        with at least one vote. With classes, also the entries of
        :func:`randcrowns.batch.annotator_classes.compare_tile`.
    """
    problems = ProblemLog()
    class_field = task.classes.class_field
    layers: dict[str, TileCrowns] = {}
    for source in task.annotators:
        layers[source.name] = read_tile(
            source, tile, task.grid, task.halo, problems, class_field=class_field
        )
    polygons = {name: layer.crowns.geometry for name, layer in layers.items()}

    box = _clip_box(tile.box(task.grid), task.extent)
    block_votes: list[tuple[int, str, float]] = []
    tables: list[pd.DataFrame] = []
    faces: list[Objects] = []
    for block, votes in _count_block_votes(task.blocks, box, polygons):
        codes = np.array([_encode_pattern(pattern) for pattern in votes.patterns], dtype=object)
        is_counted = (votes.n_yes > 0) & (votes.weights > 0)
        counted_areas = votes.weights[is_counted].tolist()
        for code, area in zip(codes[is_counted], counted_areas):
            block_votes.append((block, code, area))
        if votes.faces is not None and votes.pattern_index is not None:
            table, block_faces = _face_table(votes, votes.faces, votes.pattern_index, codes)
            tables.append(table)
            faces.append(block_faces)

    class_report = {}
    if class_field:
        class_report = compare_tile(task.classes, task.folder, tile.key, layers, box)
    files = class_report.get("files", {}) | _write_faces(task, tile, tables, faces)
    return {
        **class_report,
        "files": files,
        "crowns": {name: int(layer.is_owned.sum()) for name, layer in layers.items()},
        "problems": problems.table().to_dict("records"),
        "votes": block_votes,
    }


def _clip_box(box: Floats, extent: Sequence[float] | None) -> Floats:
    """Return the part of a box in an extent, which may have no area.

    Args:
        box: (4,) xmin, ymin, xmax, ymax in metres.
        extent: xmin, ymin, xmax, ymax; None for everywhere.
    """
    if extent is None:
        return box
    lower_left = np.maximum(box[:2], extent[:2])
    upper_right = np.minimum(box[2:], extent[2:])
    return np.append(lower_left, upper_right)


def _count_block_votes(
    blocks: _Blocks, box: Floats, layers: Mapping[str, Objects]
) -> Iterator[tuple[int, VoteTable]]:
    """Yield the number of each block that a box meets, and the votes in their common area.

    Args:
        blocks: grid of the blocks.
        box: (4,) xmin, ymin, xmax, ymax in metres.
        layers: polygons (n,) of each annotator by name.
    """
    bounds_of_layer = {name: shapely.bounds(polygons) for name, polygons in layers.items()}
    for part in _split_at_blocks(blocks, box):
        nearby_polygons = {}
        for name, polygons in layers.items():
            is_nearby = _meets(bounds_of_layer[name], part.box)
            nearby_polygons[name] = polygons[is_nearby]
        yield part.block, VoteTable.from_polygons(nearby_polygons, shapely.box(*part.box))


def _write_faces(
    task: AgreementTask, tile: Tile, tables: Sequence[pd.DataFrame], faces: Sequence[Objects]
) -> dict[str, Any]:
    """Write the faces of a tile to a Parquet file, unless there are none.

    Args:
        task: parameters of the comparison.
        tile: the tile.
        tables: attributes of the faces in each block; see :func:`_face_table`.
        faces: polygons of the faces in each block, a row per row of the block's table.

    Returns:
        The entry of the written file for the manifest; empty without faces.
    """
    n_faces = sum(len(table) for table in tables)
    if n_faces == 0:
        return {}
    polygons = repair_faces(np.concatenate(faces))
    wkb_and_bounds = (shapely.to_wkb(polygons), shapely.bounds(polygons))
    # All layers have the same CRS.
    crs = task.annotators[0].row_groups.crs
    return write_table(
        Path(task.folder),
        f"faces/{tile.key}.parquet",
        pd.concat(tables, ignore_index=True),
        wkb_and_bounds,
        crs.to_string(),
    )


def _face_table(
    votes: VoteTable, all_faces: Objects | PolygonFile, pattern_of_face: Ints, codes: Objects
) -> tuple[pd.DataFrame, Objects]:
    """Return attributes and polygons of the faces that anybody marked.

    Args:
        votes: the vote table.
        all_faces: (f,) faces of the overlay.
        pattern_of_face: (f,) rows of the patterns in ``votes``.
        codes: (p,) patterns as text.

    Returns:
        A table (n rows) with ``pattern``, ``n_yes``, ``n_no`` and ``area`` (m²), and the faces
        (n,).
    """
    is_marked = votes.on_map(votes.n_yes > 0)
    faces = all_faces[is_marked]
    pattern_rows = pattern_of_face[is_marked].astype(np.int64)
    n_yes = votes.n_yes[pattern_rows]
    table = pd.DataFrame(
        {
            "pattern": codes[pattern_rows],
            "n_yes": n_yes,
            "n_no": votes.n_annotators - n_yes,
            "area": shapely.area(faces),
        }
    )
    return table, faces


def repair_faces(faces: Objects) -> Objects:
    """Return the polygons (n,) with invalid ones repaired, if the repair keeps their area.

    An invalid polygon whose area would change by more than a millionth stays as it is.
    """
    invalid = np.flatnonzero(~shapely.is_valid(faces))
    if len(invalid) == 0:
        return faces
    # Edges of a face cross only by rounding. The even-odd rule keeps its area; the repair of
    # outlines, which fills ground that is enclosed twice, does not.
    repaired = extract_polygons(shapely.make_valid(faces[invalid]))
    areas = shapely.area(faces[invalid])
    keeps_area = np.abs(shapely.area(repaired) - areas) <= _AREA_TOLERANCE * areas
    repaired_faces = faces.copy()
    repaired_faces[invalid[keeps_area]] = repaired[keeps_area]
    return repaired_faces


class _Part(NamedTuple):
    """Part of a box that lies in one block.

    Attributes:
        block: number of the block, counted along the rows.
        box: (4,) xmin, ymin, xmax, ymax.
    """

    block: int
    box: Floats


def _split_at_blocks(blocks: _Blocks, box: Floats) -> Iterator[_Part]:
    """Yield the parts of a ``box`` (4,) in the blocks that it meets; none if it has no area."""
    x_edges, first_column = _split_side(blocks.left, blocks.side, blocks.columns, box[0], box[2])
    y_edges, first_row = _split_side(blocks.bottom, blocks.side, blocks.rows, box[1], box[3])
    rows = enumerate(zip(y_edges[:-1], y_edges[1:]), start=first_row)
    for row, (bottom, top) in rows:
        columns = enumerate(zip(x_edges[:-1], x_edges[1:]), start=first_column)
        for column, (left, right) in columns:
            if left < right and bottom < top:
                block = row * blocks.columns + column
                yield _Part(block, box=np.array([left, bottom, right, top]))


def _split_side(
    start: float, step: float, count: int, low: float, high: float
) -> tuple[Floats, int]:
    """Split the interval from ``low`` to ``high`` at the inner edges of equal cells.

    Args:
        start: start of the first cell.
        step: length of a cell.
        count: number of cells.
        low: start of the interval.
        high: end of the interval.

    Returns:
        The edges of the parts, and the number of the cell that contains the first part.
    """
    edges = start + step * np.arange(1, count)
    inner_edges = edges[(edges > low) & (edges < high)]
    first_cell = int(np.count_nonzero(edges <= low))
    return np.concatenate([[low], inner_edges, [high]]), first_cell


def _meets(bounds: Floats, box: Floats) -> Bools:
    """Return a mask (n,) of the ``bounds`` (n, 4) that meet or touch a ``box`` (4,)."""
    lower_left, upper_right = bounds[:, :2], bounds[:, 2:]
    starts_before_end = (lower_left <= box[2:]).all(axis=1)
    ends_after_start = (upper_right >= box[:2]).all(axis=1)
    return np.asarray(starts_before_end & ends_after_start)


def merge_votes(task: AgreementTask, results: ResultsDirectory) -> VoteTable:
    """Return the vote table of all tiles, with the areas in the blocks that are resampled.

    With an extent, the area that nobody marked is the rest of the extent.

    Args:
        task: parameters of the comparison.
        results: the results directory, in which all tiles are overlaid.
    """
    # Areas in m² by number of the block and pattern, such as "101" for yes, no and yes.
    areas: defaultdict[tuple[int, str], float] = defaultdict(float)
    reports = results.stage_reports(_WRITTEN)
    # Sums of floats depend on their order, so tiles are added in a fixed one.
    for key in sorted(reports):
        for block, code, area in reports[key]["votes"]:
            areas[block, code] += area

    names = tuple(source.name for source in task.annotators)
    if task.extent is not None:
        areas |= _unmarked_areas(areas, task.blocks, task.extent, len(names))
    codes = sorted({code for _, code in areas})
    block_areas = _block_matrix(areas, codes, task.blocks.n_blocks)
    # Without codes, the reshaped array still has a column per annotator.
    digits = np.array([list(code) for code in codes], dtype=str)
    patterns = (digits == "1").reshape(-1, len(names))
    pattern_areas = np.asarray(block_areas.sum(axis=0), dtype=float).ravel()
    return VoteTable(
        patterns=patterns,
        weights=pattern_areas,
        pattern_index=None,
        names=names,
        blocks=block_areas,
        unit_weight=0.0,
        block_columns=task.blocks.columns,
    )


def _unmarked_areas(
    areas: Mapping[tuple[int, str], float],
    blocks: _Blocks,
    extent: Sequence[float],
    n_annotators: int,
) -> dict[tuple[int, str], float]:
    """Return the area of each block that nobody marked, by block and pattern, m².

    Args:
        areas: area of each block and pattern with a vote, m².
        blocks: grid of the blocks.
        extent: study area as xmin, ymin, xmax, ymax.
        n_annotators: number of annotators.
    """
    marked_areas = np.zeros(blocks.n_blocks)
    for (block, _), area in areas.items():
        marked_areas[block] += area
    unmarked_areas = np.maximum(blocks.areas_within(extent) - marked_areas, 0.0)
    all_no = "0" * n_annotators
    return {(block, all_no): area for block, area in enumerate(unmarked_areas.tolist())}


def _block_matrix(
    areas: dict[tuple[int, str], float], codes: list[str], n_blocks: int
) -> scipy.sparse.csr_matrix:
    """Return a sparse matrix (n_blocks, patterns) of areas.

    Args:
        areas: area of each block and pattern, m².
        codes: patterns as text, in the order of the columns.
        n_blocks: number of blocks.
    """
    column_of_code = {code: number for number, code in enumerate(codes)}
    rows: Ints = np.array([block for block, _ in areas], dtype=np.int64)
    columns: Ints = np.array([column_of_code[code] for _, code in areas], dtype=np.int64)
    values = list(areas.values())
    return scipy.sparse.csr_matrix((values, (rows, columns)), shape=(n_blocks, len(codes)))


def _encode_pattern(decisions: Bools) -> str:
    """Return decisions as text, such as "101": 1 for a yes, in the order of the annotators."""
    return "".join("1" if is_yes else "0" for is_yes in decisions)


def _write_tables(results: ResultsDirectory, votes: VoteTable) -> None:
    """Write annotators.csv, pairs.csv and patterns.csv; see :func:`agree`."""
    estimate = staple(votes)
    tested_outliers = outlier_test(votes)
    annotators = annotator_statistics(votes).assign(
        unlike=tested_outliers.is_unlike,
        p_unlike=tested_outliers.p_value,
        staple_sensitivity=estimate.sensitivity,
        staple_specificity=estimate.specificity,
    )
    # Every pair once: the rows and columns above the diagonal of a (K, K) matrix.
    rows, columns = np.triu_indices(votes.n_annotators, k=1)
    f1_matrix = pairwise_f1(votes)
    names = np.array(votes.names, dtype=object)
    pairs = pd.DataFrame(
        {"first": names[rows], "second": names[columns], "f1": f1_matrix[rows, columns]}
    )
    patterns = pd.DataFrame(
        {
            "pattern": [_encode_pattern(pattern) for pattern in votes.patterns],
            "n_yes": votes.n_yes,
            "area": votes.weights,
            "staple_probability": estimate.probability,
        }
    )
    for method, is_included in CONSENSUS_METHODS.items():
        patterns[f"in_{method}"] = is_included(votes)

    _write_csv(results, "annotators", annotators.reset_index())
    _write_csv(results, "pairs", pairs)
    _write_csv(results, "patterns", patterns)


def _write_csv(results: ResultsDirectory, name: str, table: pd.DataFrame) -> None:
    """Write a table to a CSV file of a results directory."""
    write_file(results.folder / f"{name}.csv", table.to_csv(index=False).encode("utf-8"))
