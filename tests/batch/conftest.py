"""Clusters for the tests of batch."""

from __future__ import annotations

import pytest
from distributed import Client, LocalCluster


@pytest.fixture
def cluster():
    """A client of a real cluster: two worker processes, which take a tenth of a processor as long as they wait."""
    made = LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0", silence_logs=50)
    with made, Client(made) as client:
        yield client


@pytest.fixture(scope="module")
def inside():
    """A client of a cluster within this process, for many small runs."""
    made = LocalCluster(n_workers=2, threads_per_worker=1, processes=False, dashboard_address=":0", silence_logs=50)
    with made, Client(made) as client:
        yield client
