"""Cancel takes effect within a second, in every phase of every algorithm, on large layers."""

from __future__ import annotations

import time
from contextlib import contextmanager
from functools import partial

import numpy as np
import pytest
import shapely
from osgeo import gdal
from qgis.core import QgsApplication, QgsCoordinateReferenceSystem
from shapely import affinity
from support.clouds import NAMES, write_cloud
from support.crowns import pixel_edged
from support.layers import EAST, NORTH, layer_of
from support.processing import run_algorithm
from torture.cancel_latency import Cancelling, Wait, longest_wait

from randcrowns.algorithms.detectors.schema.parameters import BOOTSTRAP_SAMPLES
from randcrowns.core import PRESETS, Crowns, score_crowns
from randcrowns.core.agreement.crown_clusters import cluster_crowns
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.errors import InputError
from randcrowns.core.instances.evaluation import (
    CrownAttributes,
    EvaluationOptions,
    evaluate_crowns,
)
from randcrowns.core.instances.ground import height_above_terrain
from randcrowns.core.instances.matching import match_instances
from randcrowns.core.instances.overlap import OverlapTable
from randcrowns.core.outlines import make_usable
from randcrowns.core.progress import wait_for_background_work
from randcrowns.core.review.problems import find_problems
from randcrowns.layers.files.recovery import find_interrupted_runs

pytestmark = pytest.mark.usefixtures("run")

_MOST = 1.0
_COLUMNS = "&field=score:double&field=label:string"


@pytest.fixture
def size(promise):
    return promise.size(200_000, 200)


def boxes(number, seed):
    """Crowns side by side, of which some overlap, as one person or another draws them."""
    rng = np.random.default_rng(seed)
    side = int(np.ceil(np.sqrt(number)))
    centre = 6.5 * np.stack(np.divmod(np.arange(number), side), axis=1) + rng.normal(
        0, 0.5, (number, 2)
    )
    half = rng.uniform(2.2, 3.4, (number, 2))
    low, high = centre - half + [EAST, NORTH], centre + half + [EAST, NORTH]
    return shapely.box(*low.T, *high.T)


def layer_of_boxes(size, number):
    rows = [[0.3 + place / size / 2, "Tree"] for place in range(size)]
    return layer_of(f"p{number}", boxes(size, number), kind="Polygon", fields=_COLUMNS, rows=rows)


def cloud(folder, size):
    rng = np.random.default_rng(1)
    points, trees = 10 * size, max(size // 400, 4)
    tree = rng.integers(0, trees, points)
    across = int(np.sqrt(trees))
    xyz = rng.uniform(0, 4, (points, 3)) + np.stack(
        [5 * (tree % across), 5 * (tree // across), 0 * tree], axis=1
    )
    ground = rng.random(points) < 0.2
    xyz[ground, 2] = rng.uniform(-0.1, 0.1, ground.sum())
    found = np.where(rng.random(points) < 0.1, -1, tree)
    return write_cloud(
        folder / "c.laz",
        xyz,
        {"tree": np.where(ground, -1, tree), "found": np.where(ground, -1, found)},
    )


def image(folder, size):
    side = int(7 * np.ceil(np.sqrt(size))) + 20
    made = gdal.GetDriverByName("GTiff").Create(str(folder / "a.tif"), side, side, 1, gdal.GDT_Byte)
    made.SetGeoTransform((EAST - 10, 1.0, 0.0, NORTH + side - 10, 0.0, -1.0))
    made.SetProjection(QgsCoordinateReferenceSystem("EPSG:32617").toWkt())
    return str(folder / "a.tif")


def table_of_boxes(folder, size):
    lines = (
        f"a.tif,{4 * n % 4000},{4 * n // 4000 * 4},{4 * n % 4000 + 6},{4 * n // 4000 * 4 + 6},Tree"
        for n in range(size)
    )
    path = folder / "boxes.csv"
    path.write_text("\n".join(["image_path,xmin,ymin,xmax,ymax,label", *lines]))
    return path


def runs_of_boxes(make):
    """The layers of a run of scorecrowns."""
    kept = ("SCORED_TARGETS", "SCORED_DELINEATIONS", "SUMMARY")
    done = run_algorithm(
        "scorecrowns", {"TARGETS": make(0), "DELINEATIONS": [make(1)]}, outputs=kept
    )
    return [done.context.takeResultLayer(done.layer(name).id()) for name in kept]


#: Id of an algorithm -> the parameters; from what makes a layer by its number, a folder and the
#: size.
CASES = {
    "scorecrowns": lambda make, *_: {"TARGETS": make(0), "DELINEATIONS": [make(1)]},
    "targetregions": lambda make, *_: {"TARGETS": make(0)},
    "evaluateinstances": lambda make, *_: {
        "TARGETS": make(0),
        "PREDICTIONS": make(1),
        "SCORE_FIELD": "score",
    },
    "compareannotators": lambda make, *_: {"ANNOTATORS": [make(0), make(1)]},
    "consensus": lambda make, *_: {"ANNOTATORS": [make(0), make(1)]},
    "rankdetectors": lambda make, _folder, size: {
        "ANNOTATORS": [make(0), make(1)],
        "DETECTORS": [make(2)],
        "SCORE_FIELD": "score",
        "BOOTSTRAP_SAMPLES": min(BOOTSTRAP_SAMPLES.default, size),
    },
    "annotatorvariance": lambda make, *_: {"ANNOTATORS": [make(0), make(1), make(2)]},
    "tuneparameters": lambda make, *_: {"ANNOTATORS": [make(0), make(1), make(2)]},
    "evaluatepointcloud": lambda _make, folder, size: {
        "INPUT": str(cloud(folder, size)),
        **NAMES,
        "MIN_HEIGHT_FP": 2,
    },
    "importcrowns": lambda _make, folder, size: {"INPUT": str(table_of_boxes(folder, size))},
    "exportcrowns": lambda make, folder, size: {
        **{"TARGETS": make(0), "PREDICTIONS": make(1), "SCORE_FIELD": "score"},
        "IMAGE": [image(folder, size)],
    },
    "exportlayers": lambda make, *_: {"LAYERS": [make(0), make(1)]},
    "report": lambda make, *_: {"RUNS": runs_of_boxes(make)},
    "explore": lambda make, *_: {"RUNS": runs_of_boxes(make)},
}


def places(name, folder):
    """A file for every output of an algorithm that holds features; a folder for the others."""
    made = QgsApplication.processingRegistry().createAlgorithmById(f"randcrowns:{name}")
    features = [one.id for one in made.outputs if one.has_features]
    folders = [one.id for one in made.outputs if one.kind == "folder"]
    endings = {"html": "html", "pdf": "pdf", "explorer": "html"}
    pages = [one for one in made.outputs if one.kind in endings]
    return {
        **{key: str(folder / f"{key}.gpkg") for key in features},
        **{key: str(folder / key) for key in folders},
        **{one.id: str(folder / f"report.{endings[one.kind]}") for one in pages},
    }


@pytest.mark.parametrize("name", CASES)
def test_cancel(promise, folders, size, name):
    inputs, whole = next(folders), []
    inputs.mkdir()
    parameters = CASES[name](partial(layer_of_boxes, size), inputs, size)

    def attempt(rng):
        folder = next(folders)
        folder.mkdir()
        given, began = {**parameters, **places(name, folder)}, time.monotonic()
        if not whole:
            done = []
            waited = longest_wait(
                lambda looks: done.append(run_algorithm(name, given, looks)), _MOST
            )
            whole.append(time.monotonic() - began)
            assert done[0].ok, done[0].refused or done[0].error
        else:
            cancelling = Cancelling(rng.uniform(0, whole[0]))
            done = run_algorithm(name, given, cancelling)
            waited = cancelling.ended() or Wait()
            assert done.ok or (done.results == {} and find_interrupted_runs([folder]) == [])
            wait_for_background_work(60)
            assert done.ok or list(folder.iterdir()) == []
        assert waited.seconds < _MOST, waited
        return waited

    promise.keep(
        f"Cancel takes effect within a second in every phase: {name}",
        attempt,
        many=6,
        seconds=60,
        worst="{:.2f} s at {}",
        conditions=f"{size:,} x {size:,} boxes"
        if name != "evaluatepointcloud"
        else f"{10 * size:,} points",
    )


@pytest.mark.parametrize(
    "name", ["scorecrowns", "targetregions", "compareannotators", "evaluateinstances"]
)
def test_one_outline(promise, folders, name):
    corners = promise.size(120_000, 1200)

    def outline(rng):
        angle = np.linspace(0, 2 * np.pi, corners, endpoint=False)
        reach = (
            60
            + 10 * np.sin(7 * angle)
            + np.cumsum(rng.normal(0, 0.005, corners)) * np.sin(angle / 2)
        )
        return shapely.make_valid(
            shapely.polygons(
                np.stack([EAST + reach * np.cos(angle), NORTH + reach * np.sin(angle)], 1)
            )
        )

    def attempt(rng):
        folder = next(folders)
        folder.mkdir()
        parameters = CASES[name](lambda number: layer_of(f"p{number}", [outline(rng)]))
        given, done = {**parameters, **places(name, folder)}, []
        given.pop("SCORE_FIELD", None)
        waited = longest_wait(lambda looks: done.append(run_algorithm(name, given, looks)), _MOST)
        assert done[0].ok, done[0].refused or done[0].error
        return waited

    promise.keep(
        f"Cancel takes effect within a second on one large outline: {name}",
        attempt,
        many=3,
        seconds=40,
        worst="{:.2f} s at {}",
        conditions=f"one target and one delineation of {corners:,} vertices each",
    )


def test_hostile_outlines(promise):
    corners = promise.size(20_000, 1000)

    def attempt(rng):
        """A zigzag in any order, one in order, and a walk that crosses itself."""
        side, rung = 10.0 * (np.arange(corners) % 2), np.linspace(0, 10, corners)
        walk = np.cumsum(rng.normal(0, 0.01, (corners, 2)), axis=0)
        outlines = [
            np.column_stack([side, rng.permutation(rung)]),
            np.column_stack([side, rung]),
            walk,
        ]
        crowns = np.array([shapely.Polygon(outline) for outline in outlines])
        done = []
        waited = longest_wait(lambda looks: done.append(make_usable(crowns, looks)), _MOST)
        assert done[0].is_too_complex[0]
        usable = done[0].polygons
        assert shapely.is_valid(usable[~shapely.is_missing(usable)]).all()
        return waited

    promise.keep(
        "Cancel takes effect within a second while hostile outlines are repaired",
        attempt,
        many=3,
        seconds=60,
        worst="{:.2f} s at {}",
        conditions=f"zigzags and walks of {corners:,} vertices",
    )


def test_crowns_in_one_spot(promise):
    number = promise.size(10_000, 300)

    def attempt(rng):
        """All crowns of both layers cover the same centre."""
        circle = shapely.Point(0, 0).buffer(3)
        targets, drawn = (
            Crowns([affinity.translate(circle, *rng.normal(0, 0.1, 2)) for _ in range(number)])
            for _ in range(2)
        )
        few = np.arange(min(number, 600))
        return max(
            longest_wait(partial(_score_and_find_problems, targets, drawn), _MOST),
            longest_wait(partial(_count_votes, targets, drawn), _MOST),
            longest_wait(partial(_match, targets, drawn), _MOST),
            longest_wait(partial(_cluster, targets, drawn), _MOST),
            longest_wait(partial(_cluster, targets.subset(few), drawn.subset(few)), _MOST),
        )

    promise.keep(
        "Cancel takes effect within a second while crowns in one spot are compared",
        attempt,
        many=2,
        seconds=60,
        worst="{:.2f} s at {}",
        conditions=f"2 layers of {number:,} crowns over one point; scored, checked for problems, "
        "counted as votes, matched and clustered, or refused with a sentence",
    )


def _score_and_find_problems(targets, drawn, looks):
    """Score crowns and find their problems, unless there are too many pairs."""
    scores = score_crowns(targets, drawn, PRESETS["image_boxes"], progress=looks)
    with _refusals():
        find_problems(targets, drawn, scores, progress=looks)


def _count_votes(targets, drawn, looks):
    """Count the votes of two annotators, unless there are too many pairs."""
    with _refusals():
        VoteTable.from_polygons([targets.geometry, drawn.geometry], faces=False, progress=looks)


def _match(targets, drawn, looks):
    """Match the crowns of two layers, unless there are too many pairs."""
    with _refusals():
        evaluate_crowns(targets, drawn, EvaluationOptions(), CrownAttributes(), progress=looks)


def _cluster(targets, drawn, looks):
    """Cluster the crowns of two annotators, unless there are too many pairs."""
    crowns = np.concatenate([targets.geometry, drawn.geometry])
    with _refusals():
        cluster_crowns(crowns, np.repeat([0, 1], len(targets)), progress=looks)


@contextmanager
def _refusals():
    """Accept the sentence about too many pairs."""
    try:
        yield
    except InputError as error:
        if error.key != "crowns.too_many_pairs":
            raise


def test_pixel_crowns(promise):
    number = promise.size(1_000, 3)

    def attempt(rng):
        """Crowns as models give them, and the same a little aside."""
        some = np.array(
            [pixel_edged(rng, radius, 0.05) for radius in rng.uniform(4, 5.6, min(number, 100))]
        )
        crowns = np.array(
            [
                affinity.translate(some[place % len(some)], 16.0 * place, 0)
                for place in range(number)
            ]
        )
        drawn = shapely.transform(crowns, lambda xy: xy + rng.normal(0, 0.3, 2))
        return longest_wait(
            lambda looks: score_crowns(crowns, drawn, PRESETS["image_boxes"], progress=looks), _MOST
        )

    promise.keep(
        "Cancel takes effect within a second while the offsets of crowns along pixels are computed",
        attempt,
        many=3,
        seconds=20,
        worst="{:.2f} s at {}",
        conditions=f"{number:,} targets and delineations along pixels of 5 cm, about 480 vertices each",
    )


def test_ambiguous_crowns(promise):
    number = promise.size(100_000, 500)

    def attempt(rng):
        """A chain in which every crown shares as much with the one before as with the one after
        it.
        """
        near = np.arange(number)
        target, prediction = np.repeat(near, 2)[1:], np.repeat(near, 2)[:-1]
        shared = 0.8 - rng.choice([0, 1e-9], 2 * number - 1)
        table = OverlapTable(target, prediction, shared, np.ones(number), np.ones(number))
        waited = longest_wait(
            lambda looks: match_instances(table, "tree_learn", progress=looks), _MOST
        )
        return waited

    promise.keep(
        "Cancel takes effect within a second while tree_learn matches ambiguous crowns",
        attempt,
        many=5,
        seconds=60,
        worst="{:.2f} s at {}",
        conditions=f"{number:,} crowns in one chain, each overlapping two alike",
    )


def test_terrain(promise):
    number = promise.size(3_000_000, 4000)

    def attempt(rng):
        xyz = rng.uniform(0, 1, (number, 3)) * [np.sqrt(number) / 4, np.sqrt(number) / 4, 0.2]
        xyz[: number // 2, 2] += rng.uniform(0, 20, number // 2)
        waited = longest_wait(
            lambda looks: height_above_terrain(xyz, np.arange(number // 2), looks), _MOST
        )
        return waited

    promise.keep(
        "Cancel takes effect within a second while the terrain grid is made",
        attempt,
        many=2,
        seconds=60,
        worst="{:.2f} s at {}",
        conditions=f"{number:,} points, 16 a square metre",
    )
