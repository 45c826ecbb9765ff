"""A run is on the server with all its tables, or the server is as it was: cancels, kills, and
connections that break.
"""

from __future__ import annotations

import signal
import time

import pytest
from support.errors import assert_message
from support.layers import crowns_at, layer_of
from support.postgres import break_connections, running_server, upload
from support.server_writing import (
    OUTPUTS,
    Disturbed,
    begin_and_kill,
    earlier_tables,
    rows,
    score_into,
)

from randcrowns.core.errors import RandCrownsError
from randcrowns.core.progress import wait_for_background_work
from randcrowns.layers.vector.read import LayerSnapshot

pytestmark = pytest.mark.usefixtures("run")

_COMPLETE = {name.lower(): count for name, count in OUTPUTS.items()}
_EARLIER = {"scored_targets": 7}
_300 = "300 crowns into 4 tables of PostgreSQL, one of which replaces a table of the user"


@pytest.fixture(scope="module")
def server():
    with running_server() as port:
        yield port


@pytest.fixture(scope="module")
def seconds(server, algorithms_of_module):
    """Time that an undisturbed run takes for writing."""
    begin = time.monotonic()

    class Timed(Disturbed):
        def isCanceled(self):  # noqa: N802 - QGIS's name
            nonlocal begin
            was_started = self.is_started
            is_cancelled = super().isCanceled()
            if self.is_started and not was_started:
                begin = time.monotonic()
            return is_cancelled

    listener = Timed(lambda _: None, 600)
    assert score_into(server, listener).ok
    listener.stop()
    return time.monotonic() - begin


@pytest.fixture(scope="module")
def algorithms_of_module(qgis_app):
    from support.provider import provider

    return provider()


def _check(port, is_ok):
    """Check that all tables are there, or the earlier one, and nothing else.

    A cancelled run that still writes drops its tables in the background.
    """
    wait_for_background_work(60)
    assert rows(port) == (_COMPLETE if is_ok else _EARLIER)


def test_cancel(promise, server, seconds):
    def attempt(rng):
        earlier_tables(server)
        listener = Disturbed(lambda run: run.cancel(), rng.uniform(0, seconds))
        done = score_into(server, listener)
        listener.stop()
        assert done.ok
        _check(server, bool(done.results))

    promise.keep(
        "a run that is cancelled while it writes to a server leaves its tables as they were",
        attempt,
        few=2,
        seconds=90,
        conditions=f"{_300}; at any moment of the writing",
    )


def test_lost_connection(promise, server, seconds):
    def attempt(rng):
        earlier_tables(server)
        listener = Disturbed(lambda _: break_connections(server), rng.uniform(0, seconds))
        done = score_into(server, listener)
        listener.stop()
        assert done.ok or done.error
        assert "Unexpected error" not in done.error
        _check(server, done.ok)

    promise.keep(
        "a connection that breaks while a run writes leaves all its tables on the server, or none",
        attempt,
        few=2,
        seconds=200,
        conditions=f"{_300}; pg_terminate_backend for all connections at any moment of the writing",
    )


def test_kill(promise, server, seconds):
    def attempt(rng):
        earlier_tables(server)
        process = begin_and_kill(server, rng.uniform(0, seconds))
        said = process.communicate(timeout=600)[0]
        assert process.returncode in (0, -signal.SIGKILL), said
        found = {name: n for name, n in rows(server).items() if name in _COMPLETE}
        assert found in (_COMPLETE, _EARLIER)
        assert score_into(server).ok
        _check(server, True)

    promise.keep(
        "kill -9 while a run writes to a server leaves all its tables or the earlier ones, and the next run removes what is left",
        attempt,
        seconds=400,
        conditions=f"{_300}, in a QGIS process of its own; at any moment of the writing",
    )


def test_lost_connection_while_reading(promise, server, algorithms_of_module):
    targets = layer_of("targets", crowns_at([(9 * n, 0) for n in range(6000)]), kind="Polygon")
    stored = upload(targets, server, "many")

    def attempt(rng):
        snapshot = LayerSnapshot.from_layer(stored)
        calls = iter(range(int(rng.integers(0, 3))))

        def disturb(_):
            if next(calls, None) is None:
                break_connections(server)

        try:
            features = snapshot.read_features(progress=disturb)
        except RandCrownsError as error:
            return assert_message(error.message, "layer.incomplete", layer="targets")
        assert len(features) == 6000

    promise.keep(
        "a connection that breaks while a layer is read ends in a sentence, or all rows are read",
        attempt,
        few=2,
        seconds=60,
        conditions="6,000 crowns of PostgreSQL; pg_terminate_backend after 0 to 6,000 of them",
    )
