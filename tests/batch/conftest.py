"""Clusters for the tests of batch."""

from __future__ import annotations

import dask
import pytest
from distributed import Client
from support.batch import quiet_cluster

from randcrowns.batch.cluster import QUIET_SETTINGS


@pytest.fixture(scope="module")
def inside():
    """A client of a cluster within this process, for many small runs."""
    with dask.config.set(QUIET_SETTINGS):
        cluster = quiet_cluster()
        with cluster, Client(cluster) as client:
            yield client
