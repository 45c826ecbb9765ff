"""Scoring tile by tile, with the numbers that :func:`randcrowns.core.score_crowns` gives for the whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from distributed import Client

from randcrowns.batch.cluster import Scheduler, Watch, unwatched
from randcrowns.batch.reading import MORE, Read, by_centroid, nearest_groups, read_tile
from randcrowns.batch.results import WORK, Results, read_table, write_table
from randcrowns.batch.running import How, PathLike, as_box, carried_out
from randcrowns.batch.source import Problems, Source
from randcrowns.batch.summary import write_score_summary
from randcrowns.batch.sums import tile_sums
from randcrowns.batch.tiles import MOST_CROWNS, Grid, Tile
from randcrowns.core.arrays import Bools, Ints
from randcrowns.core.crowns import Crowns, extent_polygon
from randcrowns.core.errors import InputError
from randcrowns.core.review.problems import ProblemLimits, causes, find_problems
from randcrowns.core.scoring.layer import (
    CrownScores,
    ScoredPairs,
    delineation_table,
    kept_pairs,
    not_judged,
    score_candidates,
    target_table,
)
from randcrowns.core.scoring.pairing import Pairing
from randcrowns.core.scoring.parameters import PRESETS, RandCrownsParameters
from randcrowns.core.scoring.score import SCORE_COLUMNS
from randcrowns.core.statistics import local_total

#: The stages of a run: pairs are scored; tables are written.
SCORED, WRITTEN = "scored", "written"
_USUAL = ProblemLimits()


@dataclass(frozen=True)
class ScoreTask:
    """What every tile of a scoring run needs to know.

    Attributes:
        targets, delineations: the layers.
        parameters, pairing, extent, search_radius: as for :func:`randcrowns.core.score_crowns`; the extent as
            xmin, ymin, xmax, ymax.
        plot_field: column with the plot of each crown; empty for none.
        all_drawn: False where unmatched delineations are not judged.
        limits: from where on something is wrong with a crown.
        folder: the results directory.
        grid: the cells.
        reach, drawn_reach: metres around a tile within which targets and delineations are read.
    """

    targets: Source
    delineations: tuple[Source, ...]
    parameters: RandCrownsParameters
    pairing: Pairing
    extent: tuple[float, ...] | None
    search_radius: float | None
    plot_field: str
    all_drawn: bool
    limits: ProblemLimits
    folder: str
    grid: Grid
    reach: float
    drawn_reach: float

    @property
    def within(self) -> Any:
        """The extent as a polygon, or None."""
        return extent_polygon(self.extent)


def score(
    targets: PathLike,
    delineations: PathLike | Sequence[PathLike],
    out: PathLike,
    *,
    preset: str = "image_boxes",
    alpha: float | None = None,
    omega: float | None = None,
    gamma: float | None = None,
    pairing: str = "nearest",
    extent: Sequence[float] | None = None,
    plot_field: str = "",
    search_radius: float | None = None,
    all_drawn: bool = True,
    limits: ProblemLimits = _USUAL,
    id_column: str = "",
    tile: float | None = None,
    most_crowns: int = MOST_CROWNS,
    resume: bool = False,
    scheduler: Scheduler = None,
    workers: int | None = None,
    watch: Watch = unwatched,
) -> pd.DataFrame:
    """Score layers of delineations against a layer of targets, tile by tile on a cluster.

    Args:
        targets: file or folder with the crowns to be found, in any format that pyogrio reads.
        delineations: one or several with the crowns to be scored.
        out: the results directory, new or of a run that is resumed.
        preset: ``image_boxes``, ``field_polygons``, or ``own`` with alpha, omega (metres) and gamma.
        pairing: the name of a :class:`randcrowns.core.scoring.pairing.Pairing`.
        extent: xmin, ymin, xmax, ymax; targets outside are excluded, the rest is cut to it.
        plot_field: column with the plot of each crown. Where the delineations have it too, only crowns of one plot
            are paired.
        search_radius: metres between centroids; by default half the diagonal of each target's bounds.
        all_drawn: False where only some of the crowns were drawn as targets: unmatched delineations are then not
            judged, and what counts them as false is NaN.
        limits: from where on something is wrong with a crown.
        id_column: column with whole numbers that name the crowns; by default their row in the file.
        tile: side of a tile, metres; by default chosen by ``most_crowns``.
        most_crowns: a tile that holds more is cut further.
        resume: go on where a stopped run in ``out`` has come to.
        scheduler: a Dask client or a scheduler's address; by default a cluster over this machine.
        workers: processes of a cluster over this machine.
        watch: told of the progress.

    Returns:
        The summary: columns as of :func:`randcrowns.core.scoring.layer.summarise`, with the layer.

    Raises:
        InputError: for layers or choices that cannot be used, or a directory with other results.

    >>> import tempfile, geopandas, shapely
    >>> folder = tempfile.mkdtemp()
    >>> trees = geopandas.GeoDataFrame(geometry=[shapely.box(0, 0, 5, 5), shapely.box(9, 0, 14, 5)], crs="EPSG:32617")
    >>> trees.to_file(f"{folder}/trees.gpkg")
    >>> trees.iloc[:1].to_file(f"{folder}/anna.gpkg")
    >>> found = score(f"{folder}/trees.gpkg", f"{folder}/anna.gpkg", f"{folder}/scores", workers=1)
    >>> found[["layer", "matched", "randcrowns_mean"]].values.tolist()
    [['anna', 1, 0.5]]
    """
    parameters = chosen_parameters(preset, alpha, omega, gamma)
    method = Pairing.named(pairing, "pairing method")
    if search_radius is not None and not search_radius > 0:
        raise InputError(
            f"The search radius must be a number of metres above 0, not {search_radius}."
        )
    box = as_box(extent)
    several = [delineations] if isinstance(delineations, (str, Path)) else list(delineations)
    if not several:
        raise InputError("Name at least one file with delineations.")
    choices = {
        "alpha": parameters.alpha,
        "omega": parameters.omega,
        "gamma": parameters.gamma,
        "pairing": method.value,
        "extent": box,
        "plot_field": plot_field,
        "search_radius": search_radius,
        "all_drawn": all_drawn,
        "limits": asdict(limits),
    }

    def work(client: Client, results: Results, sources: list[Source]) -> pd.DataFrame:
        task = ScoreTask(
            sources[0],
            tuple(sources[1:]),
            parameters,
            method,
            box,
            search_radius,
            plot_field,
            all_drawn,
            limits,
            str(results.folder.resolve()),
            results.grid,
            *reaches(method, search_radius, results.manifest["diagonals"]),
        )
        _run(client, task, results, watch)
        return write_score_summary(results)

    how = How(tile, most_crowns, resume, scheduler, workers, watch)
    return carried_out(
        "score", [targets, *several], out, choices, how, work, id_column, [plot_field]
    )


def chosen_parameters(
    preset: str, alpha: float | None, omega: float | None, gamma: float | None
) -> RandCrownsParameters:
    """The parameters of a preset, or one's own.

    Raises:
        InputError: for an unknown preset, or own values that are missing or given beside a preset.
    """
    own = {"alpha": alpha, "omega": omega, "gamma": gamma}
    given = {name: value for name, value in own.items() if value is not None}
    if preset == "own":
        if len(given) < len(own):
            missing = ", ".join(name for name in own if name not in given)
            raise InputError(
                f"The preset 'own' needs alpha, omega and gamma; {missing} is missing."
            )
        return RandCrownsParameters(given["alpha"], given["omega"], given["gamma"])
    if preset not in PRESETS:
        raise InputError(
            f"There is no preset '{preset}'; choose one of {', '.join([*PRESETS, 'own'])}."
        )
    if given:
        raise InputError(
            f"{', '.join(given)} can be given with the preset 'own' only, not with '{preset}'."
        )
    return PRESETS[preset]


def reaches(
    pairing: Pairing, search_radius: float | None, diagonals: Sequence[float]
) -> tuple[float, float]:
    """Metres around a tile within which targets and delineations matter to what it owns.

    By distance, a delineation matters within the search radius R of its target, and a target to a delineation within R
    of it: R for targets, 2 R for delineations, and 2 R for targets too where each delineation looks for its nearest.
    By overlap, bounds that meet are no further apart than the largest crowns are long. Problems also depend on all
    delineations that meet a target, and on all targets that the delineation of a target meets.
    """
    target, drawn = diagonals[0], max(diagonals[1:])
    if not pairing.by_distance:
        return (target + drawn) * MORE, (drawn + target) * MORE
    radius = search_radius or target / 2
    of_targets = max(2 * radius if pairing.shares_out else radius, radius + drawn)
    return of_targets * MORE, max(2 * radius, target) * MORE


def _run(client: Client, task: ScoreTask, results: Results, watch: Watch) -> None:
    if task.pairing is not Pairing.HUNGARIAN:
        results.run(client, WRITTEN, score_tile, lambda tile: (task, tile), "Scoring", watch)
        return
    if not results.tiles(WRITTEN):
        return
    results.run(client, SCORED, pair_tile, lambda tile: (task, tile), "Scoring pairs", watch)
    kept = assigned_pairs(task, results)
    results.run(
        client, WRITTEN, write_tile, lambda tile: (task, tile, kept[tile.key]), "Writing", watch
    )


def score_tile(task: ScoreTask, tile: Tile) -> dict[str, Any]:
    """Score one tile and write its tables; what the manifest says of it."""
    problems = Problems()
    targets = _read(task, tile, task.targets, task.reach, problems)
    tables = _Tables(task, tile, targets)
    for source in task.delineations:
        drawn = _read(task, tile, source, task.drawn_reach, problems)
        scored = _scored(task, targets, drawn)
        tables.add(source, drawn, scored)
    return tables.write(problems)


def pair_tile(task: ScoreTask, tile: Tile) -> dict[str, Any]:
    """Score the pairs of one tile, to be assigned when all are known; what the manifest says of it."""
    unheard = Problems()
    targets = _read(task, tile, task.targets, task.reach, unheard)
    pairs, sizes = [], []
    for number, source in enumerate(task.delineations):
        drawn = _read(task, tile, source, task.drawn_reach, unheard)
        scored = _scored(task, targets, drawn)
        own = targets.own[scored.pairs["target"]]
        mine = scored.pairs[own | drawn.own[scored.pairs["delineation"]]]
        columns = mine.drop(columns=["target", "delineation", "assigned"])
        pairs.append(columns.assign(layer=number, own=targets.own[mine["target"]]))
        sizes.append(
            pd.DataFrame({"layer": number, "tau": scored.tau, "too_small": scored.too_small})
        )
    folder = Path(task.folder)
    return {
        "files": {
            **write_table(folder, f"{WORK}/pairs-{tile.key}.parquet", pd.concat(pairs)),
            **write_table(folder, f"{WORK}/sizes-{tile.key}.parquet", pd.concat(sizes)),
        }
    }


def assigned_pairs(task: ScoreTask, results: Results) -> Mapping[str, Bools]:
    """Which of each tile's pairs the one-to-one assignment of all tiles takes."""
    columns = ["layer", "own", "target_id", "delineation_id", "randcrowns"]
    tiles = [tile.key for tile in results.tiles()]
    found = [read_table([results.folder / WORK / f"pairs-{key}.parquet"], columns) for key in tiles]
    table = pd.concat(found, ignore_index=True)
    kept = np.zeros(len(table), dtype=bool)
    for layer in range(len(task.delineations)):
        rows = np.flatnonzero((table["layer"] == layer) & (table["randcrowns"] > 0))
        once = rows[table["own"].to_numpy()[rows]]
        target, drawn, gain = (table[name].to_numpy()[once] for name in columns[2:])
        chosen = once[local_total(target, drawn, gain)]
        # The same pair stands in two tiles where one owns the target and the other the delineation.
        partner = pd.Series(
            table["delineation_id"].to_numpy()[chosen], table["target_id"].to_numpy()[chosen]
        )
        with_partner = table["target_id"].iloc[rows].map(partner)
        kept[rows] = (with_partner == table["delineation_id"].iloc[rows]).to_numpy()
    ends = np.cumsum([len(one) for one in found])[:-1]
    return dict(zip(tiles, np.split(kept, ends)))


def write_tile(task: ScoreTask, tile: Tile, kept: Bools) -> dict[str, Any]:
    """Write the tables of a tile whose pairs are assigned; what the manifest says of it."""
    problems, folder = Problems(), Path(task.folder)
    targets = _read(task, tile, task.targets, task.reach, problems)
    pairs = pd.read_parquet(folder / WORK / f"pairs-{tile.key}.parquet").assign(assigned=kept)
    sizes = pd.read_parquet(folder / WORK / f"sizes-{tile.key}.parquet")
    tables = _Tables(task, tile, targets)
    for number, source in enumerate(task.delineations):
        drawn = _read(task, tile, source, task.drawn_reach, problems)
        mine = pairs[pairs["layer"] == number].drop(columns=["layer", "own"]).reset_index(drop=True)
        mine.insert(0, "target", _places(targets.crowns.ids, mine["target_id"]))
        mine.insert(1, "delineation", _places(drawn.crowns.ids, mine["delineation_id"]))
        of_layer = sizes[sizes["layer"] == number]
        scored = ScoredPairs(
            mine, of_layer["tau"].to_numpy(), of_layer["too_small"].to_numpy(dtype=bool)
        )
        tables.add(source, drawn, scored)
    return tables.write(problems)


class _Tables:
    """The tables of one tile, layer by layer."""

    def __init__(self, task: ScoreTask, tile: Tile, targets: Read) -> None:
        self.task, self.tile, self.targets = task, tile, targets
        self.tables: dict[str, list[pd.DataFrame]] = {
            "targets": [],
            "delineations": [],
            "pairs": [],
        }
        self.sums: list[pd.DataFrame] = []
        self.shapes: dict[str, list[Any]] = {"targets": [], "delineations": []}
        self.own: dict[str, int] = {task.targets.name: int(targets.own.sum())}

    def add(self, source: Source, drawn: Read, scored: ScoredPairs) -> None:
        """What was found for one layer of delineations."""
        targets, pairs = self.targets, scored.pairs
        assigned = kept_pairs(pairs)
        crowns = targets.crowns
        plain = Crowns.of_checked(crowns.geometry, crowns.ids, None, crowns.name, crowns.crs)
        scores = CrownScores(
            target_table(assigned, scored, crowns, self.task.pairing),
            delineation_table(assigned, plain, drawn.crowns),
            summary=pd.DataFrame(),
            pairs=pairs,
        )
        per_target, per_drawn = scores.targets[targets.own], scores.delineations[drawn.own]
        if targets.crowns.groups is not None and drawn.crowns.groups is None:
            task, mine = self.task, drawn.crowns.subset(drawn.own)
            groups = nearest_groups(
                task.targets,
                task.plot_field,
                targets.crowns,
                mine,
                task.reach,
                by_centroid,
                task.within,
            )
            per_drawn = per_drawn.assign(group=groups)
        self.sums.append(tile_sums(self.tile.key, source.name, per_target, per_drawn))
        judged = scores if self.task.all_drawn else not_judged(scores)
        wrong = find_problems(crowns, drawn.crowns, judged, self.task.limits)
        per_drawn = per_drawn.assign(status=judged.delineations["status"][drawn.own])
        per_target, per_drawn = (
            _with_problems(per_target, wrong.targets),
            _with_problems(per_drawn, wrong.delineations),
        )
        mine = pairs[targets.own[pairs["target"]]]
        names = ["target_id", "delineation_id", "distance", *SCORE_COLUMNS, "assigned"]
        for name, table in (
            ("targets", per_target),
            ("delineations", per_drawn),
            ("pairs", mine[names]),
        ):
            table = table.reset_index(drop=True)
            table.insert(0, "layer", source.name)
            self.tables[name].append(table)
        self.shapes["targets"].append(targets.own_shapes())
        self.shapes["delineations"].append(drawn.own_shapes())
        self.own[source.name] = int(drawn.own.sum())

    def write(self, problems: Problems) -> dict[str, Any]:
        """Write what there is; what the manifest says of the tile."""
        files: dict[str, Any] = {}
        folder, crs = Path(self.task.folder), self.task.targets.pieces.crs.to_string()
        for name, tables in {**self.tables, "sums": self.sums}.items():
            table = pd.concat(tables, ignore_index=True)
            shapes = None
            if name in self.shapes:
                wkb, bounds = zip(*self.shapes[name])
                shapes = (
                    pa.chunked_array([chunk for one in wkb for chunk in one.chunks], wkb[0].type),
                    np.concatenate(bounds),
                )
            if len(table):
                files |= write_table(folder, f"{name}/{self.tile.key}.parquet", table, shapes, crs)
        return {"files": files, "crowns": self.own, "problems": problems.table().to_dict("records")}


def _read(task: ScoreTask, tile: Tile, source: Source, reach: float, problems: Problems) -> Read:
    of_targets = source is task.targets
    return read_tile(
        source,
        tile,
        task.grid,
        reach,
        problems,
        plot_field=task.plot_field,
        within=task.within,
        whole=of_targets,
    )


def _scored(task: ScoreTask, targets: Read, drawn: Read) -> ScoredPairs:
    scored, _ = score_candidates(
        targets.crowns,
        [drawn.crowns],
        task.parameters,
        task.pairing,
        task.within,
        cuts=[drawn.cut],
        search_radius=task.search_radius,
    )
    return scored[0]


def _with_problems(table: pd.DataFrame, wrong: pd.DataFrame) -> pd.DataFrame:
    """The table with the problem and its cause, from those of the same rows."""
    mine = wrong.loc[table.index]
    return table.assign(rc_problem=mine["problem"], rc_cause=causes(mine))


def _places(ids: Ints, wanted: pd.Series) -> Ints:
    """The place of each id wanted among the ids."""
    return pd.Index(ids).get_indexer(pd.Index(wanted))
