"""Who may send code to a cluster, and what is said if a cluster does not answer."""

from __future__ import annotations

import os
import shutil
import socket
import ssl
import subprocess
import sys
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import dask
import pytest
from distributed import Client
from distributed.security import Security
from distributed.utils import LoopRunner
from support.batch import quiet_cluster, random_layers
from support.errors import raises

from randcrowns import batch
from randcrowns.batch import cluster as cluster_module
from randcrowns.batch.cluster import TlsAddress, connect
from randcrowns.command.main import main
from randcrowns.core.errors import MissingLibraryError

#: Tries to run code on a scheduler, as another program on this machine would.
_INTRUDER = """
import sys
from distributed import Client
from distributed.security import Security
security = Security.temporary() if sys.argv[1] == "other certificate" else None
try:
    print("in", Client(sys.argv[2], timeout=5, security=security).run(lambda: 1))
except Exception as error:
    print("out", type(error).__name__)
"""


def _listening_ports(process: int) -> set[int]:
    """Return the TCP ports on which a process listens."""
    inodes = set()
    for descriptor in Path(f"/proc/{process}/fd").iterdir():
        try:
            name = str(descriptor.readlink())
        except OSError:
            continue
        if name.startswith("socket:["):
            inodes.add(name[8:-1])
    ports = set()
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/{process}/net/{table}").read_text().splitlines()[1:]:
            fields = line.split()
            if fields[3] == "0A" and fields[9] in inodes:
                ports.add(int(fields[1].rpartition(":")[2], 16))
    return ports


def _answer_without_certificate(port: int) -> str:
    """Return how a port answers a client without a certificate."""
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    try:
        with (
            socket.create_connection(("127.0.0.1", port), timeout=1) as plain,
            context.wrap_socket(plain) as secure,
        ):
            secure.settimeout(1)
            return "data" if secure.recv(1) else "closed"
    except ssl.SSLError as error:
        return "refused" if "CERTIFICATE_REQUIRED" in str(error) else "no TLS"
    except OSError:
        return "no TLS"


def _other_user() -> list[str]:
    """Return the words that run a command as another user; none if that is not possible."""
    if os.geteuid() != 0 or shutil.which("setpriv") is None:
        return []
    words = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    can_import = [*words, sys.executable, "-c", "import distributed"]
    failed = subprocess.run(can_import, capture_output=True, check=False, timeout=60).returncode
    return [] if failed else words


def test_nobody_without_the_certificate_can_use_a_new_cluster() -> None:
    ports_of_others = _listening_ports(os.getpid())
    with connect(workers=1) as client:
        scheduler = client.scheduler.address
        assert scheduler.startswith("tls://127.0.0.1:")
        (worker,) = client.scheduler_info()["workers"]
        assert worker.startswith("tls://127.0.0.1:")
        tries = [
            ("no certificate", scheduler),
            ("no certificate", scheduler.replace("tls", "tcp")),
            ("other certificate", scheduler),
            ("other certificate", worker),
        ]
        intruders = [
            subprocess.Popen(
                [*_other_user(), sys.executable, "-c", _INTRUDER, *words],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
            for words in tries
        ]
        for intruder in intruders:
            said, errors = intruder.communicate(timeout=60)
            assert said.startswith("out"), (said, errors)

        (worker_process,) = client.run(os.getpid).values()
        answers = {}
        for process in (os.getpid(), worker_process):
            for port in _listening_ports(process) - ports_of_others:
                answers[port] = _answer_without_certificate(port)
        ports = {int(address.rpartition(":")[2]) for address in (scheduler, worker)}
        assert {answers[port] for port in ports} == {"refused"}
        for port in set(answers) - ports:
            if answers[port] == "refused":
                continue
            with pytest.raises(HTTPError) as refused:  # noqa: PT012 - either page may answer
                urlopen(f"http://127.0.0.1:{port}/info/main/workers.html", timeout=5)
                urlopen(f"http://127.0.0.1:{port}/json/identity.json", timeout=5)
            assert refused.value.code == 404


def test_without_cryptography_no_cluster_is_started(monkeypatch, tmp_path) -> None:
    def no_cryptography() -> None:
        raise ImportError("No module named 'cryptography'")

    monkeypatch.setattr(cluster_module.Security, "temporary", no_cryptography)
    with pytest.raises(MissingLibraryError) as missing, connect(workers=1):
        pass
    assert missing.value.key == "batch.no_cryptography"


@pytest.fixture(scope="module")
def tls_cluster(tmp_path_factory):
    """Address of a cluster that requires TLS, and the files that a client needs."""
    folder = tmp_path_factory.mktemp("tls")
    security = Security.temporary()
    files = {}
    for name in ("tls_ca_file", "tls_client_cert", "tls_client_key"):
        files[name] = folder / f"{name}.pem"
        files[name].write_text(getattr(security, name))
    with quiet_cluster(1, protocol="tls://", security=security) as cluster:
        yield cluster.scheduler_address, files


def test_a_cluster_with_tls(tls_cluster, tmp_path, capsys) -> None:
    address, files = tls_cluster
    layers = random_layers(tmp_path, 1, number=10)
    run = ["score", *map(str, layers.paths), "--out", str(tmp_path / "out"), "--quiet"]
    run += ["--scheduler", address]
    assert main(run) == 1
    assert address in capsys.readouterr().err
    options = ["--tls-ca", "--tls-cert", "--tls-key"]
    named = dict(zip(options, map(str, files.values())))
    assert main([*run, *(word for pair in named.items() for word in pair)]) == 0
    for option in options:
        others = [word for pair in named.items() for word in pair if pair[0] != option]
        with pytest.raises(SystemExit) as misused:
            main([*run, *others])
        assert misused.value.code == 2
    assert "used together" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main([*run[:-2], *(word for pair in named.items() for word in pair)])


def test_a_file_of_a_certificate_that_is_missing(tls_cluster, tmp_path) -> None:
    address, files = tls_cluster
    ca, certificate, key = files.values()
    absent = tmp_path / "absent.pem"
    with raises("file.missing", file=absent), connect(TlsAddress(address, ca, certificate, absent)):
        pass
    ruined = tmp_path / "ruined.pem"
    ruined.write_text("no certificate")
    with raises("batch.no_scheduler"), connect(TlsAddress(address, ca, ruined, key)):
        pass


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "nowhere://x", "tcp://", "tls://[::1]:9"])
def test_a_scheduler_that_does_not_answer_leaves_no_folder(tmp_path, address: str) -> None:
    layers, out = random_layers(tmp_path, 1, number=5), tmp_path / "out"
    wait = dask.config.set({"distributed.comm.timeouts.connect": "1s"})
    with wait, raises("batch.no_scheduler", scheduler=address):
        batch.score(*layers.paths, out, scheduler=address)
    assert not out.exists()


def test_a_busy_machine_that_delays_the_event_loop(tmp_path, monkeypatch) -> None:
    start, attempts = LoopRunner.start, []

    def start_at_third_attempt(runner: LoopRunner) -> None:
        """Fail twice as if the thread of the event loop had not started within 10 s."""
        attempts.append(runner)
        assert len(attempts) > 2
        start(runner)

    monkeypatch.setattr(LoopRunner, "start", start_at_third_attempt)
    layers = random_layers(tmp_path, 1, number=5)
    found = batch.score(*layers.paths, tmp_path / "out", workers=1)
    assert found["targets"].iloc[0] == len(layers.targets)
    attempts.clear()
    monkeypatch.setattr(cluster_module, "_MAX_STARTS", 2)
    with raises("batch.too_busy"), connect("tcp://127.0.0.1:9"):
        pass


def test_a_scheduler_that_listens_and_says_nothing_leaves_no_folder(tmp_path) -> None:
    layers, out = random_layers(tmp_path, 1, number=5), tmp_path / "out"
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        address = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        wait = dask.config.set({"distributed.comm.timeouts.connect": "1s"})
        with wait, raises("batch.no_scheduler", scheduler=address):
            batch.score(*layers.paths, out, scheduler=address)
    assert not out.exists()


def test_a_scheduler_that_stops_during_a_run(tmp_path) -> None:
    layers, out = random_layers(tmp_path, 2), tmp_path / "out"
    cluster = quiet_cluster(1)

    def stop(report) -> None:
        if report.finished_tiles == 1:
            cluster.close()

    settings = dask.config.set({"distributed.comm.timeouts.connect": "1s"})
    with settings, Client(cluster) as client, raises("batch.scheduler_lost"):
        batch.score(*layers.paths, out, tile=26, scheduler=client, report_progress=stop)
    with connect(workers=1) as client:
        found = batch.score(*layers.paths, out, tile=26, resume=True, scheduler=client)
    assert found["targets"].iloc[0] == len(layers.targets)
