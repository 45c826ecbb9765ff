"""Running the tiles of a stage on a Dask cluster and reporting progress."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Callable, TypeVar

import dask
from dask.utils import parse_timedelta
from distributed import Client, KilledWorker, LocalCluster, as_completed
from distributed.comm import parse_address, parse_host_port
from distributed.security import Security

from randcrowns.batch.progress import ProgressCallback, StageProgress, ignore_progress
from randcrowns.batch.runners import Scheduler
from randcrowns.batch.tiles import Tile
from randcrowns.core.errors import InputError, MissingLibraryError, RandCrownsError


@dataclass(frozen=True)
class TlsAddress:
    """Address of a scheduler that requires TLS.

    Attributes:
        address: address of the scheduler, such as ``tls://host:8786``.
        ca: file with the certificate of the authority that has signed the scheduler's certificate.
        certificate: file with the certificate of this client.
        key: file with the private key of this client.
    """

    address: str
    ca: Path
    certificate: Path
    key: Path

    def security(self) -> Security:
        """Return the TLS settings of a client.

        Raises:
            InputError: if one of the files does not exist.
        """
        for file in (self.ca, self.certificate, self.key):
            if not file.is_file():
                raise InputError("file.missing", "There is no file {file}.", file=file)
        return Security(
            require_encryption=True,
            tls_ca_file=str(self.ca),
            tls_client_cert=str(self.certificate),
            tls_client_key=str(self.key),
        )


# Ctrl-C reaches every process of a terminal, and SIGTERM of Slurm every process of a job. But only
# the command itself may end the workers.
_IGNORE_INTERRUPT = """
import signal

def dask_setup(worker):
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
"""

#: Dask settings that switch off profiles and slow down monitors. Nothing reads them, and taking
#: them a hundred times a second costs time.
QUIET_SETTINGS = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.system-monitor.interval": "10s",
}
# Workers keep freed memory: to return it after every array and request it again takes a fifth of
# the running time.
_MALLOC = "distributed.nanny.pre-spawn-environ.MALLOC"
_WORKER_SETTINGS = {
    **QUIET_SETTINGS,
    "distributed.worker.preload": [_IGNORE_INTERRUPT],
    # The web pages of scheduler and workers would show the run to every user of this machine.
    "distributed.scheduler.http.routes": [],
    "distributed.nanny.http.routes": [],
    "distributed.worker.http.routes": [],
    f"{_MALLOC}_TRIM_THRESHOLD_": 1 << 28,
    f"{_MALLOC}_MMAP_THRESHOLD_": 1 << 25,
}
# Tiles that are submitted per worker at a time: enough that no worker waits, and few enough that an
# interruption loses little.
_TILES_PER_WORKER = 3
#: Maximum number of attempts to start an event loop of Dask.
_MAX_STARTS = 3

_Started = TypeVar("_Started")


@contextmanager
def connect(scheduler: Scheduler = None, workers: int | None = None) -> Iterator[Client]:
    """Provide a client of a cluster; a cluster that is started here is stopped at the end.

    A cluster runs the code of every program that can connect to it. A new cluster therefore
    requires a certificate, which exists only in the memory of this process and its workers.

    Args:
        scheduler: a ``distributed.Client``, the address of a scheduler as a text or
            :class:`TlsAddress`, or None for a new cluster on this machine.
        workers: number of processes of a new cluster; by default one per processor.

    Yields:
        The client.

    Raises:
        InputError: if no scheduler answers at the address, a certificate cannot be used,
            ``workers`` is less than 1, or this machine is too busy to start Dask.
        MissingLibraryError: if a new cluster is required and cryptography is not installed.
    """
    if isinstance(scheduler, Client):
        yield scheduler
        return
    if scheduler is not None:
        with _connect_to_address(scheduler) as client:
            yield client
        return
    if workers is not None and workers < 1:
        raise InputError(
            "batch.no_workers",
            "The number of workers must be at least 1, not {workers}.",
            workers=workers,
        )
    with dask.config.set(_WORKER_SETTINGS):
        cluster = _start_loop(
            LocalCluster,
            n_workers=workers or _count_processors(),
            threads_per_worker=1,
            processes=True,
            dashboard_address=None,
            scheduler_kwargs={"dashboard_address": "127.0.0.1:0", "dashboard": False},
            silence_logs=50,
            security=_temporary_security(),
        )
    with cluster, Client(cluster) as client:
        yield client


def _start_loop(factory: Callable[..., _Started], *args: Any, **kwargs: Any) -> _Started:
    """Return ``factory(*args, **kwargs)``, which starts an event loop of Dask in a new thread.

    Dask gives the thread 10 seconds, and fails with an AssertionError if a busy machine takes
    longer. The start is then repeated.

    Raises:
        InputError: if the thread did not start in :data:`_MAX_STARTS` attempts.
    """
    for _ in range(_MAX_STARTS):
        try:
            return factory(*args, **kwargs)
        except AssertionError:
            continue
    raise InputError(
        "batch.too_busy", "Dask could not start, because this machine is too busy. Try again later."
    )


def _temporary_security() -> Security:
    """Return TLS settings with a new certificate and key, which are in no file.

    Raises:
        MissingLibraryError: if cryptography is not installed.
    """
    try:
        return Security.temporary()
    except ImportError as error:
        raise MissingLibraryError(
            "batch.no_cryptography",
            "Workers on this machine need the library cryptography, so that no other user can "
            "send code to them. Install it: pip install cryptography",
        ) from error


def _connect_to_address(scheduler: str | TlsAddress) -> Client:
    """Return a client of the scheduler at an address.

    Without :class:`TlsAddress`, Dask's own configuration applies (``distributed.comm.tls``).

    Raises:
        InputError: if no scheduler answers, the files of the certificate cannot be used, or this
            machine is too busy to start Dask.
    """
    security = None
    if isinstance(scheduler, TlsAddress):
        security = scheduler.security()
        address = scheduler.address
    else:
        address = scheduler
    try:
        # A client would wait without limit for a program that accepts a connection and is silent.
        if _is_silent(address, security):
            raise TimeoutError("a program accepts connections there, but it is silent")
        return _start_loop(Client, address, security=security)
    except RandCrownsError:
        raise
    except (OSError, ValueError, TypeError, RuntimeError, ImportError) as error:
        raise InputError(
            "batch.no_scheduler",
            "No scheduler answers at {scheduler}: {why}",
            scheduler=address,
            why=error,
        ) from error


def _is_silent(address: str, security: Security | None) -> bool:
    """Return True if a program accepts a connection, but sends nothing within Dask's time limit.

    Schedulers speak first. Any other failure is left to the client, which knows more protocols.

    Args:
        address: address of a scheduler.
        security: TLS settings of a client; None for those of Dask's configuration.

    Raises:
        OSError, ValueError, TypeError, RuntimeError: if the TLS settings cannot be used.
    """
    protocol, location = parse_address(address)
    timeout = parse_timedelta(dask.config.get("distributed.comm.timeouts.connect"))
    context = (security or Security()).get_connection_args("client").get("ssl_context")
    if protocol not in ("tcp", "tls") or (protocol == "tls" and context is None):
        return False
    try:
        plain = socket.create_connection(parse_host_port(location), timeout)
    except OSError:
        return False
    with plain:
        try:
            connection = context.wrap_socket(plain) if protocol == "tls" else plain
            connection.recv(1)
            connection.close()
        except TimeoutError:
            return True
        except OSError:
            return False
    return False


def run_tiles(
    client: Client,
    process_tile: Callable[..., Any],
    tiles: Sequence[Tile],
    on_result: Callable[[Tile, Any], None],
    arguments: Callable[[Tile], Sequence[Any]],
    stage: str,
    report_progress: ProgressCallback = ignore_progress,
) -> None:
    """Run a stage for all tiles on the cluster, each tile as soon as a worker is free.

    Args:
        client: client of the cluster.
        process_tile: processes one tile; runs on a worker.
        tiles: tiles in the order in which they are started.
        on_result: called here with each tile and the result of ``process_tile``, in the order of
            completion.
        arguments: returns the arguments of ``process_tile`` for a tile.
        stage: name of the stage for the progress.
        report_progress: callback with the progress.

    Raises:
        InputError: if ``process_tile`` raises it, if several workers died while they processed a
            tile, or if the scheduler does not answer any more.
    """
    report = StageProgress(stage, len(tiles), sum(tile.n_crowns for tile in tiles))
    report_progress(report)
    waiting_tiles = iter(tiles)
    tile_of_future: dict[Any, Tile] = {}
    running = as_completed(with_results=False)

    def submit_tiles(maximum: int) -> None:
        """Start the next waiting tiles on the cluster.

        Args:
            maximum: maximum number of tiles to start.
        """
        for tile in islice(waiting_tiles, maximum):
            # The id of the report distinguishes equal stages of several runs on one cluster.
            task_key = f"{stage}-{tile.key}-{id(report)}"
            future = client.submit(process_tile, *arguments(tile), pure=False, key=task_key)
            tile_of_future[future] = tile
            running.add(future)

    try:
        n_workers = max(1, len(client.scheduler_info()["workers"]))
        submit_tiles(_TILES_PER_WORKER * n_workers)
        while tile_of_future:
            future = next(running)
            tile = tile_of_future.pop(future)
            on_result(tile, _result_of_tile(future, tile))
            report.finish_tile(tile.n_crowns)
            report_progress(report)
            submit_tiles(1)
    except (Exception, CancelledError) as error:
        if isinstance(error, RandCrownsError) or _is_connected(client):
            raise
        raise InputError(
            "batch.scheduler_lost",
            "The scheduler does not answer any more. Finished tiles are kept. Run the same command "
            "with --resume to continue.",
        ) from error
    finally:
        if _is_connected(client):
            client.cancel(list(tile_of_future))


def _result_of_tile(future: Any, tile: Tile) -> Any:
    """Return the result of a future that is done.

    Args:
        future: future of the cluster.
        tile: the tile that it processed.

    Raises:
        InputError: if several workers died while they processed the tile.
    """
    try:
        return future.result()
    except KilledWorker as error:
        raise InputError(
            "batch.worker_died",
            "Tile {tile} with {n_crowns:,} crowns has ended several workers, most "
            "likely for lack of memory. Choose smaller tiles (--tile), or fewer crowns "
            "in a tile (--max-crowns).",
            tile=tile.key,
            n_crowns=tile.n_crowns,
        ) from error


def _is_connected(client: Client) -> bool:
    """Return True unless a client has lost its scheduler."""
    return str(client.status) == "running"


def _count_processors() -> int:
    """Return the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


__all__ = [
    "QUIET_SETTINGS",
    "ProgressCallback",
    "Scheduler",
    "StageProgress",
    "TlsAddress",
    "connect",
    "ignore_progress",
    "run_tiles",
]
