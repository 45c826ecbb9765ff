"""A folder of results belongs to one run, and results contain no secrets of sources."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import unquote

import dask
import pandas as pd
import pytest
from distributed import Client
from support.batch import quiet_cluster, random_layers
from support.secret_sources import HIDDEN_WORD, SECRET_SOURCES

from randcrowns import batch
from randcrowns.batch.cluster import QUIET_SETTINGS
from randcrowns.core.errors import InputError
from randcrowns.layers.public_sources import reduce_source, reduce_stored_source

#: Characters that are inserted around a secret; those that separate parts of sources among them.
_CHARACTERS = "aZ09@?#&;:%+|,.~_ ="
_PAIRINGS = ("nearest", "max_iou", "max_score")


@pytest.fixture(scope="module")
def client():
    with dask.config.set(QUIET_SETTINGS):
        cluster = quiet_cluster()
        with cluster, Client(cluster) as connected:
            yield connected


def test_one_folder_several_runs(promise, folders, client):
    folder = next(folders)
    folder.mkdir()
    layers = random_layers(folder, 1, number=12, side=25.0)

    def score(out, pairing: str) -> pd.DataFrame:
        return batch.score(*layers.paths, out, pairing=pairing, tile=13, scheduler=client)

    expected = {pairing: score(folder / pairing, pairing) for pairing in _PAIRINGS}

    def attempt(rng):
        out = next(folders)
        delays = rng.uniform(0, rng.choice([0.001, 0.1]), len(_PAIRINGS))

        def run(pairing: str, delay: float):
            time.sleep(delay)
            try:
                return score(out, pairing)
            except InputError as error:
                return error.key

        with ThreadPoolExecutor(len(_PAIRINGS)) as threads:
            outcomes = dict(zip(_PAIRINGS, threads.map(run, _PAIRINGS, delays)))
        (winner,) = (name for name, result in outcomes.items() if not isinstance(result, str))
        refusals = {result for result in outcomes.values() if isinstance(result, str)}
        assert refusals <= {"batch.output_in_use", "batch.results_exist"}
        pd.testing.assert_frame_equal(outcomes[winner], expected[winner], check_exact=True)
        pd.testing.assert_frame_equal(batch.summary(out), expected[winner], check_exact=True)

    promise.keep(
        "of several commands that write to one folder, one writes its results and the others are refused",
        attempt,
        few=2,
        seconds=120,
        conditions="3 runs with different parameters, begun up to 0.1 s apart, into a new folder",
    )


def test_secrets(promise, qgis_app):
    n_providers = len({case.provider for case in SECRET_SOURCES})

    def attempt(rng):
        for case in SECRET_SOURCES:
            before, after = (
                "".join(rng.choice(list(_CHARACTERS), rng.integers(0, 4))) for _ in range(2)
            )
            source = case.source.replace(HIDDEN_WORD, before + HIDDEN_WORD + after)
            reduced = reduce_source(case.provider, source, ["id", "x"]).text
            assert HIDDEN_WORD not in unquote(reduced), (source, reduced)
            assert reduce_stored_source(reduced) == reduced, (source, reduced)

    promise.keep(
        "passwords, tokens and headers in the source of a layer do not reach the results",
        attempt,
        few=3,
        each=len(SECRET_SOURCES),
        conditions=f"{len(SECRET_SOURCES)} spellings of {n_providers} providers, with random characters around the secret",
    )
