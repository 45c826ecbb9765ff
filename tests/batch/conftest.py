"""Clusters for the tests of batch."""

from __future__ import annotations

import dask
import pytest
from distributed import Client, LocalCluster

from randcrowns.batch.cluster import QUIET_SETTINGS


@pytest.fixture(scope="module")
def inside():
    """A client of a cluster within this process, for many small runs."""
    with dask.config.set(QUIET_SETTINGS):
        made = LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            processes=False,
            dashboard_address=":0",
            silence_logs=50,
        )
        with made, Client(made) as client:
            yield client
