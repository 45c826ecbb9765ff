"""Random layers on disk, and their results by core without tiles."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import dask
import geopandas
import numpy as np
import pandas as pd
import shapely
from distributed import LocalCluster
from shapely import affinity
from support.crowns import KINDS, crown

from randcrowns.batch.cluster import QUIET_SETTINGS
from randcrowns.core import Crowns, RandCrownsParameters, score_crowns
from randcrowns.core.review.problems import describe_causes, find_problems

CRS = "EPSG:32617"


def quiet_cluster(n_workers: int = 2, **options: Any) -> LocalCluster:
    """Start a cluster within this process, on a free port and without a log.

    Args:
        n_workers: number of workers with one thread each.
        options: further options of :class:`distributed.LocalCluster`.
    """
    with dask.config.set(QUIET_SETTINGS):
        return LocalCluster(
            n_workers=n_workers,
            threads_per_worker=1,
            processes=False,
            dashboard_address=":0",
            silence_logs=50,
            **options,
        )


_ORIGIN = (404_000.0, 3_285_000.0)


class Layers(NamedTuple):
    """Targets and delineations as crowns and as files."""

    targets: Crowns
    drawn: Crowns
    paths: tuple[Path, Path]


def random_layers(
    folder: Path,
    seed: int,
    number: int = 30,
    side: float = 40.0,
    plots: tuple[bool, bool] = (False, False),
) -> Layers:
    """Write crowns of all kinds on a square; some occur twice, so that there are many ties."""
    rng = np.random.default_rng(seed)
    targets = _crowns(rng, number, side)
    moved = [affinity.translate(one, *rng.normal(0, 0.7, 2)) for one in targets]
    aside = [affinity.translate(one, 0.5, 0) for one in targets[::5]]
    drawn = [*moved, *aside, *targets[::6], *targets[::6], *_crowns(rng, number // 4, side)]
    order = rng.permutation(len(drawn))
    sides = targets, np.array(drawn, dtype=object)[order]
    crowns, paths = [], []
    for name, shapes, with_plots in zip(("targets", "drawn"), sides, plots):
        shapes = np.array(shapes, dtype=object)
        groups = None
        frame = geopandas.GeoDataFrame(geometry=shapes, crs=CRS)
        if with_plots:
            xy = shapely.get_coordinates(shapely.centroid(shapes)) - _ORIGIN
            groups = np.array(
                [f"plot {int(2.4 * x // side)}" if y < side / 1.2 else None for x, y in xy],
                dtype=object,
            )
            frame["plot"] = groups
        path = folder / f"{name}.gpkg"
        path.unlink(missing_ok=True)
        frame.to_file(path)
        crowns.append(Crowns(shapes, plots=groups, name=name, crs=CRS))
        paths.append(path)
    return Layers(crowns[0], crowns[1], (paths[0], paths[1]))


def _crowns(rng: np.random.Generator, number: int, side: float) -> list[Any]:
    places = rng.uniform(0, side, (number, 2)) + _ORIGIN
    return [
        crown(rng, KINDS[k % len(KINDS)], x, y, rng.uniform(0.8, 4))
        for k, (x, y) in enumerate(places)
    ]


def whole_run(
    layers: Layers,
    parameters: RandCrownsParameters,
    pairing: str,
    extent: Any = None,
    radius: float | None = None,
) -> Any:
    """Score whole layers with core, and add problems and causes.

    Targets without an area in the extent are excluded; delineations are clipped to it.
    """
    targets, drawn, cut = layers.targets, layers.drawn, None
    if extent is not None:
        box = shapely.box(*extent)
        targets = targets.subset(shapely.area(shapely.intersection(targets.geometry, box)) > 0)
        parts = shapely.intersection(drawn.geometry, box)
        kept = shapely.area(parts) > 0
        drawn, cut = (
            drawn.subset(kept),
            np.array([_polygonal(one) for one in parts[kept]], dtype=object),
        )
    scores = score_crowns(
        targets, drawn, parameters, pairing, extent, clipped=cut, search_radius=radius
    )
    wrong = find_problems(targets, drawn, scores)
    of_targets, of_drawn = (
        table.assign(rc_problem=found["problem"], rc_cause=describe_causes(found))
        for table, found in (
            (scores.targets, wrong.cause_columns()),
            (scores.delineations, wrong.delineations),
        )
    )
    return scores._replace(targets=of_targets, delineations=of_drawn)


def _polygonal(shape: Any) -> Any:
    if shape.geom_type in ("Polygon", "MultiPolygon"):
        return shape
    return shapely.union_all([one for one in shape.geoms if one.area > 0])


def table_of(results: Path, kind: str, key: str | list[str]) -> pd.DataFrame:
    """Return the rows of all files of a kind, sorted by a key."""
    found = [pd.read_parquet(path) for path in sorted((results / kind).glob("*.parquet"))]
    return pd.concat(found, ignore_index=True).sort_values(key, ignore_index=True)


def assert_same(found: pd.DataFrame, expected: pd.DataFrame) -> None:
    """Assert that two tables have the same rows; numbers may differ by 1e-9."""
    assert len(found) == len(expected)
    for name in expected:
        one, other = found[name].reset_index(drop=True), expected[name].reset_index(drop=True)
        if other.dtype.kind == "f":
            np.testing.assert_allclose(
                one.to_numpy(float), other.to_numpy(float), rtol=1e-9, atol=1e-9, err_msg=str(name)
            )
        else:
            told, wanted = (
                [None if pd.isna(value) else value for value in side.tolist()]
                for side in (one, other)
            )
            assert told == wanted, name
