"""Scoring tile by tile, with the same numbers as :func:`randcrowns.core.score_crowns`.

Local pairing methods finish each tile in one stage. A one-to-one assignment depends on the pairs of
all tiles: first each tile scores its pairs, then the pairs of all tiles are assigned together, and
at last each tile writes its tables.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa

from randcrowns.batch.classes import (
    ClassChoices,
    TileClasses,
    score_findings,
    write_tables,
)
from randcrowns.batch.pipeline import ExecutionOptions, PathLike, parse_extent, run_batch
from randcrowns.batch.progress import ProgressCallback, ignore_progress
from randcrowns.batch.results import WORK_FOLDER, ResultsDirectory, read_table, write_table
from randcrowns.batch.running import Runner, Scheduler
from randcrowns.batch.source import ProblemLog, Source, read_column
from randcrowns.batch.summary import write_score_summary
from randcrowns.batch.sums import tile_sums
from randcrowns.batch.tile_reading import (
    ROUNDING_MARGIN,
    MinimumScore,
    TileCrowns,
    known_scores,
    nearest_by_centroid,
    plots_of_nearest_targets,
    read_tile,
)
from randcrowns.batch.tiles import DEFAULT_MAXIMUM_CROWNS, Grid, Tile
from randcrowns.core.arrays import Bools, Floats, Ints, Objects
from randcrowns.core.classes.evaluation import class_columns
from randcrowns.core.classes.results import scored_class_inputs
from randcrowns.core.comparison import check_score_range
from randcrowns.core.crowns import Crowns, extent_polygon
from randcrowns.core.errors import InputError
from randcrowns.core.field_messages import no_score_field_message
from randcrowns.core.messages import Message, merge_layer_messages
from randcrowns.core.review.problems import ProblemLimits, describe_causes, find_problems
from randcrowns.core.scoring.checks import no_scores_error, unused_threshold_message
from randcrowns.core.scoring.layer import (
    CrownScores,
    ScoredPairs,
    assigned_pairs,
    delineation_table,
    mark_not_judged,
    score_candidates,
    target_table,
)
from randcrowns.core.scoring.pairing import Pairing
from randcrowns.core.scoring.parameters import PRESETS, RandCrownsParameters
from randcrowns.core.scoring.score import SCORE_COLUMNS
from randcrowns.core.statistics import assign_by_cluster

# Stages of a run: pairs are scored; tables are written.
_SCORED = "scored"
_WRITTEN = "written"
_DEFAULT_LIMITS = ProblemLimits()
# Minimum score of a delineation, as in the toolbox.
_DEFAULT_SCORE_THRESHOLD = 0.5
# Kinds of tables that have geometries.
_TABLES_WITH_SHAPES = ("targets", "delineations")


@dataclass(frozen=True)
class ScoreTask:
    """Parameters of a scoring run that every tile needs.

    Attributes:
        targets: layer of targets.
        delineations: layers of delineations.
        parameters: alpha, omega and gamma.
        pairing: pairing method.
        extent: image extent as (xmin, ymin, xmax, ymax), or None.
        search_radius: maximum distance between paired centroids, metres; None for the default.
        plot_field: column with the plot of each crown; empty for none.
        all_drawn: False if unmatched delineations are not judged.
        limits: thresholds of problems.
        folder: the results directory.
        grid: grid of the tiles.
        target_halo: width of the halo in which targets are read, metres.
        delineation_halo: width of the halo in which delineations are read, metres.
        classes: classes and strata of the crowns.
        minimum: score that the delineations need.
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
    target_halo: float
    delineation_halo: float
    classes: TileClasses
    minimum: MinimumScore

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
    score_field: str = "",
    score_threshold: float = _DEFAULT_SCORE_THRESHOLD,
    all_drawn: bool = True,
    limits: ProblemLimits = _DEFAULT_LIMITS,
    class_field: str = "",
    delineation_class_field: str = "",
    class_groups: str = "",
    within_classes: bool = False,
    summarise_by: str = "none",
    strata_field: str = "",
    strata_breaks: str = "",
    id_column: str = "",
    tile: float | None = None,
    maximum_crowns: int = DEFAULT_MAXIMUM_CROWNS,
    resume: bool = False,
    scheduler: Scheduler = None,
    workers: int | None = None,
    report_progress: ProgressCallback = ignore_progress,
) -> pd.DataFrame:
    """Score layers of delineations against a layer of targets, tile by tile on a cluster.

    Args:
        targets: file or folder with the crowns to be found, in any format that pyogrio reads.
        delineations: one file or folder, or several, with the crowns to be scored.
        out: the results directory, new or of a run to be resumed.
        preset: ``image_boxes``, ``field_polygons``, or ``own`` with alpha, omega and gamma.
        alpha: distance inside the target at which the certain crown begins, metres.
        omega: distance outside the target up to which a crown may extend, metres.
        gamma: ratio of the areas of the two certain regions.
        pairing: name of a :class:`randcrowns.core.scoring.pairing.Pairing`.
        extent: image extent as xmin, ymin, xmax, ymax. Targets outside are excluded, and
            delineations are clipped to it.
        plot_field: column with the plot of each crown; empty for none. If the delineations have it
            too, only crowns of the same plot are paired.
        search_radius: maximum distance between paired centroids, metres; by default half the
            diagonal of each target's bounds.
        score_field: column of the delineations with the scores of a detector; empty to use all
            crowns. Layers without the column keep all crowns.
        score_threshold: delineations with a lower score, or without one, are skipped.
        all_drawn: False if only some of the crowns were delineated as targets. Then unmatched
            delineations are not judged, and numbers that count them as false are NaN.
        limits: thresholds of the problems that are reported of crowns. ``limits.score`` is also
            the minimum RandCrowns of a detected crown in the summary.
        class_field: column with the class of each target; empty for none.
        delineation_class_field: column with the class of each delineation; by default the same.
        class_groups: classes that count as one, such as ``conifer=PIPA+PIEL; broadleaf=QULA``.
        within_classes: True to pair only crowns of the same class.
        summarise_by: name of a :class:`randcrowns.core.classes.summarise.SummariseBy`.
        strata_field: column of the targets for ``summarise_by="attribute"``.
        strata_breaks: limits between strata, such as ``10; 20; 50``; empty for quartiles.
        id_column: column of whole numbers that identify the crowns; by default their row.
        tile: side of a tile, metres; by default chosen such that no tile exceeds
            ``maximum_crowns``.
        maximum_crowns: maximum number of crowns in a tile; a tile with more is divided further.
        resume: True to continue an interrupted run in ``out``.
        scheduler: a Dask client or the address of a scheduler; by default a new cluster on this
            machine.
        workers: number of processes of a cluster on this machine; by default one per processor.
        report_progress: callback with the progress.

    Returns:
        A row for all crowns and a row per plot, for each layer of delineations. The columns are
        ``layer``, those of :func:`randcrowns.core.scoring.layer.summarise`, ``alpha``, ``omega``,
        ``gamma`` and ``pairing``. The tables of classes and strata are files in ``out``.

    Raises:
        InputError: if layers or parameters cannot be used, or ``out`` contains other results.

    >>> import tempfile, geopandas, shapely
    >>> folder = tempfile.mkdtemp()
    >>> boxes = [shapely.box(0, 0, 5, 5), shapely.box(9, 0, 14, 5)]
    >>> trees = geopandas.GeoDataFrame(geometry=boxes, crs="EPSG:32617")
    >>> trees.to_file(f"{folder}/trees.gpkg")
    >>> trees.iloc[:1].to_file(f"{folder}/anna.gpkg")
    >>> paths = f"{folder}/trees.gpkg", f"{folder}/anna.gpkg"
    >>> summary = score(*paths, f"{folder}/scores", workers=1)
    >>> summary[["layer", "matched", "randcrowns_mean"]].values.tolist()
    [['anna', 1, 0.5]]
    """
    parameters = resolve_preset(preset, alpha, omega, gamma)
    method = Pairing.from_value(pairing, "pairing method")
    if search_radius is not None and not search_radius > 0:
        raise InputError(
            "pairing.invalid_search_radius",
            "The search radius must be a number of metres above 0, not {search_radius}.",
            search_radius=search_radius,
        )
    box = parse_extent(extent)
    paths = [delineations] if isinstance(delineations, (str, Path)) else list(delineations)
    if not paths:
        raise InputError("delineations.not_chosen", "Name at least one file with delineations.")
    choices: dict[str, Any] = {
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
    class_choices = ClassChoices.of(
        "score",
        "delineation_class_field",
        {
            "class_field": class_field,
            "delineation_class_field": delineation_class_field,
            "class_groups": class_groups,
            "within_classes": within_classes,
            "summarise_by": summarise_by,
            "strata_field": strata_field,
            "strata_breaks": strata_breaks,
        },
    )

    if score_field:
        choices |= {"score_field": score_field, "score_threshold": score_threshold}
    classes = TileClasses()
    sentences: list[str] = []

    def prepare(sources: list[Source]) -> None:
        """Check the fields of scores, classes and strata, and decide the names of classes."""
        nonlocal classes, sentences
        sentences = _check_scores(score_field, score_threshold, sources[1:])
        classes = class_choices.prepare(sources, extent_polygon(box))

    def run_stages(
        client: Runner, results: ResultsDirectory, sources: list[Source]
    ) -> pd.DataFrame:
        """Run the stages of scoring for all tiles.

        Args:
            client: client of the cluster.
            results: the results directory.
            sources: the layer of targets, then those of delineations.

        Returns:
            The summary.
        """
        halo = halo_widths(method, search_radius, results.manifest["diagonals"])
        task = ScoreTask(
            targets=sources[0],
            delineations=tuple(sources[1:]),
            parameters=parameters,
            pairing=method,
            extent=box,
            search_radius=search_radius,
            plot_field=plot_field,
            all_drawn=all_drawn,
            limits=limits,
            folder=str(results.folder.resolve()),
            grid=results.grid,
            target_halo=halo.targets,
            delineation_halo=halo.delineations,
            classes=classes,
            minimum=MinimumScore(score_field, score_threshold),
        )
        _run_stages(client, task, results, report_progress)
        results.manifest["messages"] = sentences
        if classes.has_results:
            findings = score_findings(results, classes, sources)
            write_tables(results, class_choices.values, classes, findings)
        return write_score_summary(results)

    execution = ExecutionOptions(
        tile=tile,
        maximum_crowns=maximum_crowns,
        resume=resume,
        scheduler=scheduler,
        workers=workers,
        report_progress=report_progress,
    )
    return run_batch(
        "score",
        [targets, *paths],
        out,
        choices={**choices, **class_choices.given},
        execution=execution,
        run_stages=run_stages,
        id_column=id_column,
        columns=[plot_field],
        prepare=prepare,
    )


def _check_scores(score_field: str, score_threshold: float, layers: Sequence[Source]) -> list[str]:
    """Return sentences about layers without scores, and about scores that are no shares.

    Args:
        score_field: column with the scores of a detector; empty for none.
        score_threshold: minimum score.
        layers: layers of delineations.

    Raises:
        InputError: if no layer has the column.
    """
    if not score_field:
        is_default = score_threshold == _DEFAULT_SCORE_THRESHOLD
        return [] if is_default else [str(unused_threshold_message(score_threshold))]
    if not any(layer.has_field(score_field) for layer in layers):
        raise no_scores_error(score_field)
    messages: list[Message] = []
    for layer in layers:
        if layer.has_field(score_field):
            scores = known_scores(read_column(layer, score_field))
            messages += check_score_range(layer.name, score_field, scores)
        else:
            messages.append(no_score_field_message(layer.name, score_field))
    return [str(message) for message in merge_layer_messages(messages)]


def resolve_preset(
    preset: str, alpha: float | None, omega: float | None, gamma: float | None
) -> RandCrownsParameters:
    """Return the parameters of a preset, or the given ones for the preset ``own``.

    Args:
        preset: name of a preset of :data:`PRESETS`, or ``own``.
        alpha: alpha of the preset ``own``, metres; None for other presets.
        omega: omega of the preset ``own``, metres; None for other presets.
        gamma: gamma of the preset ``own``, a ratio of areas; None for other presets.

    Raises:
        InputError: if the preset is unknown, a value is missing for ``own``, or a value is given
            for another preset.
    """
    values = {"alpha": alpha, "omega": omega, "gamma": gamma}
    given_values = {name: value for name, value in values.items() if value is not None}
    if preset == "own":
        missing_names = [name for name in values if name not in given_values]
        if missing_names:
            raise InputError(
                "preset.value_missing",
                "The preset 'own' needs alpha, omega and gamma; {missing} is missing.",
                missing=", ".join(missing_names),
            )
        return RandCrownsParameters(
            alpha=given_values["alpha"],
            omega=given_values["omega"],
            gamma=given_values["gamma"],
        )
    if preset not in PRESETS:
        raise InputError(
            "preset.unknown",
            "There is no preset '{preset}'; choose one of {presets}.",
            preset=preset,
            presets=[*PRESETS, "own"],
        )
    if given_values:
        raise InputError(
            "preset.values_not_own",
            "{names} can be given with the preset 'own' only, not with '{preset}'.",
            names=[*given_values],
            preset=preset,
        )
    return PRESETS[preset]


class HaloWidths(NamedTuple):
    """Widths of the halo of a tile, metres; see :mod:`randcrowns.batch.tiles`.

    Attributes:
        targets: distance around the tile in which targets are read.
        delineations: distance around the tile in which delineations are read.
    """

    targets: float
    delineations: float


def halo_widths(
    pairing: Pairing, search_radius: float | None, diagonals: Sequence[float]
) -> HaloWidths:
    """Return the widths of the halo: how far around a tile crowns influence those it owns.

    Pairing by overlap: crowns whose bounds meet are no further apart than the sum of the longest
    diagonals of both layers.

    Pairing by distance, with search radius R (by default half the longest diagonal of a target):

    * An owned target may be paired with delineations within R, and an owned delineation with
      targets within R.
    * A target near an owned delineation may be paired with another delineation, which is within
      2 R of the owned one.
    * If each delineation goes to its nearest target, a delineation near an owned target may go to
      another target, which is within 2 R of the owned one.

    The reported problem of a target depends on the delineations that meet it, on the targets that
    meet its delineation or are paired with it, and on all delineations that meet these targets.

    Args:
        pairing: pairing method.
        search_radius: R, metres; None for the default.
        diagonals: longest diagonal of the bounds in each layer, metres; the targets first.
    """
    target_diagonal = diagonals[0]
    delineation_diagonal = max(diagonals[1:])
    meeting = target_diagonal + delineation_diagonal
    if not pairing.uses_distance:
        return HaloWidths(
            targets=meeting * ROUNDING_MARGIN,
            delineations=(meeting + target_diagonal) * ROUNDING_MARGIN,
        )
    radius = search_radius or target_diagonal / 2
    # A delineation that meets an owned target, and the targets within R of it or meeting it.
    targets = meeting + radius
    if pairing.is_many_to_one:
        targets = max(targets, 2 * radius)
    return HaloWidths(
        targets=targets * ROUNDING_MARGIN,
        delineations=(targets + max(radius, target_diagonal)) * ROUNDING_MARGIN,
    )


def _run_stages(
    client: Runner, task: ScoreTask, results: ResultsDirectory, report_progress: ProgressCallback
) -> None:
    """Run the unfinished stages of all tiles.

    The Hungarian method assigns the pairs of all tiles together, between two stages. Other methods
    score and write each tile in one stage.

    Args:
        client: client of the cluster.
        task: layers and parameters of the run.
        results: the results directory.
        report_progress: callback with the progress of each stage.
    """
    if task.pairing is not Pairing.HUNGARIAN:
        results.run_stage(
            client,
            stage=_WRITTEN,
            process_tile=score_tile,
            arguments=lambda tile: (task, tile),
            label="Scoring",
            report_progress=report_progress,
        )
        return

    has_written_all = not results.tiles(_WRITTEN)
    if has_written_all:
        return
    results.run_stage(
        client,
        stage=_SCORED,
        process_tile=score_pairs_of_tile,
        arguments=lambda tile: (task, tile),
        label="Scoring pairs",
        report_progress=report_progress,
    )
    is_assigned = assign_pairs(task, results)
    results.run_stage(
        client,
        stage=_WRITTEN,
        process_tile=write_scored_tile,
        arguments=lambda tile: (task, tile, is_assigned[tile.key]),
        label="Writing",
        report_progress=report_progress,
    )


def score_tile(task: ScoreTask, tile: Tile) -> dict[str, Any]:
    """Score one tile and write its tables.

    Returns:
        The tile's report for the manifest; see :meth:`_TileTables.write`.
    """
    problems = ProblemLog()
    targets = _read_targets(task, tile, problems)
    tables = _TileTables(task, tile, targets)
    for source in task.delineations:
        drawn = _read_delineations(task, tile, source, problems)
        tables.add(source, drawn, _score_pairs(task, targets, drawn))
    return tables.write(problems)


def score_pairs_of_tile(task: ScoreTask, tile: Tile) -> dict[str, Any]:
    """Score the candidate pairs of one tile and write them to work files.

    The file ``pairs`` contains the pairs of which the tile owns a crown, and those of delineations
    in a pair with an owned target, with the number of the ``layer`` and ``own`` (True if the tile
    owns the target). The file ``sizes`` contains ``tau``
    (metres) and ``too_small`` of each target in the tile and its halo, per layer.

    Args:
        task: layers, parameters and results directory of the run.
        tile: the tile.

    Returns:
        The tile's report for the manifest: ``files``, with an entry for each of both files by its
        path.
    """
    # The later stage that writes the tables reports the problems.
    ignored_problems = ProblemLog()
    targets = _read_targets(task, tile, ignored_problems)
    pair_tables = []
    size_tables = []
    for layer_number, source in enumerate(task.delineations):
        delineations = _read_delineations(task, tile, source, ignored_problems)
        scored = _score_pairs(task, targets, delineations)

        owns_target = targets.is_owned[scored.pairs["target"]]
        owns_delineation = delineations.is_owned[scored.pairs["delineation"]]
        is_stored = owns_target | owns_delineation
        # The problem of an owned target depends on the targets of the delineations that meet it.
        is_near = np.zeros(len(delineations.crowns), dtype=bool)
        is_near[scored.pairs["delineation"][owns_target]] = True
        is_stored |= is_near[scored.pairs["delineation"]]
        # Row numbers and assignments of a tile mean nothing in the whole layer.
        stored_pairs = scored.pairs[is_stored].drop(columns=["target", "delineation", "assigned"])
        pair_tables.append(stored_pairs.assign(layer=layer_number, own=owns_target[is_stored]))

        sizes = {"layer": layer_number, "tau": scored.tau, "too_small": scored.is_too_small}
        size_tables.append(pd.DataFrame(sizes))

    folder = Path(task.folder)
    pairs_file = f"{WORK_FOLDER}/pairs-{tile.key}.parquet"
    sizes_file = f"{WORK_FOLDER}/sizes-{tile.key}.parquet"
    files = write_table(folder, pairs_file, pd.concat(pair_tables))
    files |= write_table(folder, sizes_file, pd.concat(size_tables))
    return {"files": files}


def assign_pairs(task: ScoreTask, results: ResultsDirectory) -> Mapping[str, Bools]:
    """Assign the pairs of all tiles one to one, layer by layer.

    The assignment maximises the sum of RandCrowns.

    Returns:
        By key of the tile, a mask of the rows of its work file ``pairs`` that are assigned.
    """
    columns = ["layer", "own", "target_id", "delineation_id", "randcrowns"]
    work_folder = results.folder / WORK_FOLDER
    keys = [tile.key for tile in results.tiles()]
    tables = [read_table([work_folder / f"pairs-{key}.parquet"], columns) for key in keys]
    pairs = pd.concat(tables, ignore_index=True)
    is_assigned = np.zeros(len(pairs), dtype=bool)
    for layer_number in range(len(task.delineations)):
        is_candidate = (pairs["layer"] == layer_number) & (pairs["randcrowns"] > 0)
        rows = np.flatnonzero(is_candidate)
        is_assigned[rows] = _assigned_mask(pairs.iloc[rows])

    # The rows of a tile follow those of the tile before it.
    first_rows_of_next = np.cumsum([len(table) for table in tables])[:-1]
    return dict(zip(keys, np.split(is_assigned, first_rows_of_next)))


def _assigned_mask(pairs: pd.DataFrame) -> Bools:
    """Return a mask (n,) of the pairs of one layer that are assigned one to one.

    A pair can occur in the tables of several tiles. The row of the tile that owns the target takes
    part in the assignment, and the mask includes all rows.

    Args:
        pairs: n pairs with ``target_id``, ``delineation_id``, ``randcrowns`` (above 0), and
            ``own``, True in the table of the tile that owns the target.
    """
    unique_pairs = pairs[pairs["own"].to_numpy()]
    target_ids = unique_pairs["target_id"].to_numpy()
    delineation_ids = unique_pairs["delineation_id"].to_numpy()
    gains = unique_pairs["randcrowns"].to_numpy()
    assigned_rows = assign_by_cluster(target_ids, delineation_ids, gains)

    partner_of_target = pd.Series(delineation_ids[assigned_rows], target_ids[assigned_rows])
    partners = pairs["target_id"].map(partner_of_target)
    return np.asarray(partners == pairs["delineation_id"], dtype=bool)


def write_scored_tile(task: ScoreTask, tile: Tile, is_assigned: Bools) -> dict[str, Any]:
    """Write the tables of a tile whose pairs were scored and assigned before.

    Args:
        task: parameters of the run.
        tile: the tile.
        is_assigned: mask of the rows of the tile's work file ``pairs``.

    Returns:
        The tile's report for the manifest; see :meth:`_TileTables.write`.
    """
    problems = ProblemLog()
    folder = Path(task.folder)
    targets = _read_targets(task, tile, problems)
    all_pairs = pd.read_parquet(folder / WORK_FOLDER / f"pairs-{tile.key}.parquet")
    all_pairs = all_pairs.assign(assigned=is_assigned)
    all_sizes = pd.read_parquet(folder / WORK_FOLDER / f"sizes-{tile.key}.parquet")
    tables = _TileTables(task, tile, targets)
    for number, source in enumerate(task.delineations):
        drawn = _read_delineations(task, tile, source, problems)
        pairs = all_pairs[all_pairs["layer"] == number]
        pairs = pairs.drop(columns=["layer", "own"]).reset_index(drop=True)
        pairs.insert(0, "target", _rows_of_ids(targets.crowns.ids, pairs["target_id"]))
        pairs.insert(1, "delineation", _rows_of_ids(drawn.crowns.ids, pairs["delineation_id"]))
        sizes = all_sizes[all_sizes["layer"] == number]
        scored = ScoredPairs(
            pairs,
            tau=sizes["tau"].to_numpy(),
            is_too_small=sizes["too_small"].to_numpy(dtype=bool),
        )
        tables.add(source, drawn, scored)
    return tables.write(problems)


class _TileTables:
    """Tables of one tile, collected layer by layer.

    Args:
        task: parameters of the run.
        tile: the tile.
        targets: targets in the tile and its halo.
    """

    def __init__(self, task: ScoreTask, tile: Tile, targets: TileCrowns) -> None:
        self._task = task
        self._tile = tile
        self._targets = targets
        #: Tables by kind; a table per layer.
        self._tables: dict[str, list[pd.DataFrame]] = {
            "targets": [],
            "delineations": [],
            "pairs": [],
            "sums": [],
        }
        #: Stored geometries and bounds of the rows of tables, likewise.
        self._shapes: dict[str, list[tuple[pa.ChunkedArray, Floats]]] = {
            name: [] for name in _TABLES_WITH_SHAPES
        }
        #: Number of owned crowns by layer.
        self._n_owned = {task.targets.name: int(targets.is_owned.sum())}

    def add(self, source: Source, drawn: TileCrowns, scored: ScoredPairs) -> None:
        """Add the rows of owned crowns for one layer of delineations.

        Args:
            source: the layer.
            drawn: delineations in the tile and its halo.
            scored: scores of their pairs with the targets.
        """
        scores = self._crown_scores(drawn, scored)
        targets = scores.targets[self._targets.is_owned]
        delineations = scores.delineations[drawn.is_owned]
        if self._targets.crowns.plots is not None and drawn.crowns.plots is None:
            delineations = delineations.assign(plot=self._plots_from_targets(drawn))
        limits = self._task.limits
        sums = tile_sums(self._tile.key, source.name, targets, delineations, limits.score)

        judged = scores if self._task.all_drawn else mark_not_judged(scores)
        problems = find_problems(self._targets.crowns, drawn.crowns, judged, limits)
        delineations = delineations.assign(status=judged.delineations["status"][drawn.is_owned])
        target_columns, delineation_columns = self._class_columns(drawn, scores)
        targets = targets.assign(**_select_rows(target_columns, self._targets.is_owned))
        delineations = delineations.assign(**_select_rows(delineation_columns, drawn.is_owned))
        pairs = scored.pairs[self._targets.is_owned[scored.pairs["target"]]]
        pair_columns = ["target_id", "delineation_id", "distance", *SCORE_COLUMNS, "assigned"]
        self._add_table("targets", source, _add_problems(targets, problems.cause_columns()))
        self._add_table("delineations", source, _add_problems(delineations, problems.delineations))
        self._add_table("pairs", source, pairs[pair_columns])
        self._tables["sums"].append(sums)
        self._shapes["targets"].append(self._targets.owned_shapes())
        self._shapes["delineations"].append(drawn.owned_shapes())
        self._n_owned[source.name] = int(drawn.is_owned.sum())

    def _class_columns(
        self, drawn: TileCrowns, scores: CrownScores
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the columns of classes and strata of targets and of delineations, by name.

        Args:
            drawn: delineations in the tile and its halo.
            scores: scores of all crowns in the tile and its halo.
        """
        columns = self._task.classes.strata_columns(self._targets, drawn)
        classes = (self._targets.crowns.classes, drawn.crowns.classes)
        if classes[0] is not None and classes[1] is not None:
            inputs = scored_class_inputs(
                (classes[0], classes[1]), scores, all_drawn=self._task.all_drawn
            )
            compared = class_columns(inputs)
            for target_columns, table in zip(columns, compared):
                target_columns |= {str(name): values.to_numpy() for name, values in table.items()}
        return columns

    def _crown_scores(self, drawn: TileCrowns, scored: ScoredPairs) -> CrownScores:
        """Return scores of all crowns in the tile and its halo, with an empty summary."""
        crowns = self._targets.crowns
        crowns_without_plots = Crowns.from_validated(
            crowns.geometry, crowns.ids, plots=None, name=crowns.name, crs=crowns.crs
        )
        assigned = assigned_pairs(scored.pairs)
        return CrownScores(
            target_table(assigned, scored, crowns, self._task.pairing),
            delineation_table(assigned, crowns_without_plots, drawn.crowns),
            summary=pd.DataFrame(),
            pairs=scored.pairs,
            parameters=self._task.parameters,
        )

    def _plots_from_targets(self, drawn: TileCrowns) -> Objects:
        """Return the plot (n,) of the target nearest to each owned delineation."""
        return plots_of_nearest_targets(
            self._task.targets,
            self._task.plot_field,
            targets=self._targets.crowns,
            crowns=drawn.crowns.subset(drawn.is_owned),
            complete_within=self._task.target_halo,
            nearest=nearest_by_centroid,
            within=self._task.within,
        )

    def _add_table(self, name: str, source: Source, table: pd.DataFrame) -> None:
        """Add a table of a layer, with the layer's name in the first column.

        Args:
            name: kind of the table.
            source: the layer.
            table: its rows, which are not changed.
        """
        layer_table = table.reset_index(drop=True)
        layer_table.insert(0, "layer", source.name)
        self._tables[name].append(layer_table)

    def write(self, problems: ProblemLog) -> dict[str, Any]:
        """Write all tables that have rows.

        Args:
            problems: problems of the owned crowns.

        Returns:
            The tile's report for the manifest: ``files``; ``crowns``, the number of owned crowns by
            layer; and ``problems``.
        """
        files: dict[str, Any] = {}
        folder = Path(self._task.folder)
        crs = self._task.targets.row_groups.crs.to_string()
        for name, tables in self._tables.items():
            table = pd.concat(tables, ignore_index=True)
            shapes = _concatenate_shapes(self._shapes[name]) if name in self._shapes else None
            if len(table):
                file = f"{name}/{self._tile.key}.parquet"
                files |= write_table(folder, file, table, shapes, crs)
        return {
            "files": files,
            "crowns": self._n_owned,
            "problems": problems.table().to_dict("records"),
        }


def _select_rows(columns: Mapping[str, Any], mask: Bools) -> dict[str, Any]:
    """Return the values of columns in a mask.

    Args:
        columns: (n,) values by the name of the column.
        mask: (n,) True for the rows to return.
    """
    return {name: values[mask] for name, values in columns.items()}


def _concatenate_shapes(
    shapes: Sequence[tuple[pa.ChunkedArray, Floats]],
) -> tuple[pa.ChunkedArray, Floats]:
    """Return stored geometries and bounds of all layers, one layer below the other."""
    chunks = [chunk for wkb, _ in shapes for chunk in wkb.chunks]
    wkb_type = shapes[0][0].type
    return pa.chunked_array(chunks, wkb_type), np.concatenate([bounds for _, bounds in shapes])


def _read_targets(task: ScoreTask, tile: Tile, problems: ProblemLog) -> TileCrowns:
    """Return the targets in a tile and its halo.

    Args:
        task: layers and parameters of the run.
        tile: the tile.
        problems: receives the problems of targets that the tile owns.
    """
    classes = task.classes
    layer_tile = read_tile(
        task.targets,
        tile,
        task.grid,
        task.target_halo,
        problems,
        plot_field=task.plot_field,
        class_field=classes.target_field,
        columns=(classes.field_of_strata,),
        within=task.within,
        allow_partial=True,
    )
    return layer_tile._replace(crowns=classes.with_names(layer_tile.crowns))


def _read_delineations(
    task: ScoreTask, tile: Tile, source: Source, problems: ProblemLog
) -> TileCrowns:
    """Return the delineations of a layer in a tile and its halo.

    Args:
        task: parameters of the run.
        tile: the tile.
        source: the layer of delineations.
        problems: receives the problems of delineations that the tile owns.
    """
    layer_tile = read_tile(
        source,
        tile,
        task.grid,
        task.delineation_halo,
        problems,
        plot_field=task.plot_field,
        class_field=task.classes.other_field,
        within=task.within,
        minimum=task.minimum,
    )
    return layer_tile._replace(crowns=task.classes.with_names(layer_tile.crowns))


def _score_pairs(task: ScoreTask, targets: TileCrowns, drawn: TileCrowns) -> ScoredPairs:
    """Return the scores of all candidate pairs in a tile and its halo.

    Args:
        task: parameters of the run.
        targets: targets in the tile and its halo.
        drawn: delineations of one layer there.
    """
    scored, _ = score_candidates(
        targets.crowns,
        [drawn.crowns],
        task.parameters,
        task.pairing,
        task.within,
        clipped=[drawn.clipped],
        search_radius=task.search_radius,
        within_classes=task.classes.within_classes,
    )
    return scored[0]


def _add_problems(table: pd.DataFrame, problems: pd.DataFrame) -> pd.DataFrame:
    """Return the table with ``rc_problem`` and ``rc_cause`` from the problems at its index."""
    problems_of_rows = problems.loc[table.index]
    return table.assign(
        rc_problem=problems_of_rows["problem"], rc_cause=describe_causes(problems_of_rows)
    )


def _rows_of_ids(ids: Ints, requested: pd.Series) -> Ints:
    """Return the position (n,) in ``ids`` of each requested id (n,); -1 if it is absent."""
    return pd.Index(ids).get_indexer(pd.Index(requested))
