"""Real data for tests: extracts of published data sets in tests/data/real."""

from __future__ import annotations

import hashlib
import os
import shutil
import tarfile
import tempfile
from functools import cache
from pathlib import Path

_ARCHIVES = Path(__file__).resolve().parents[1] / "data" / "real"


@cache
def real_data(name: str) -> Path:
    """Return the folder of an unpacked data set; see tests/data/real/README.md.

    The folder is shared by all test processes of a user and is unpacked once.
    """
    archive = _ARCHIVES / f"{name}.tar.xz"
    digest = hashlib.sha256(archive.read_bytes()).hexdigest()[:16]
    root = Path(tempfile.gettempdir()) / f"randcrowns-test-data-{os.getuid()}"
    target = root / digest / name
    if target.is_dir():
        return target
    root.mkdir(mode=0o700, exist_ok=True)
    unpacked = Path(tempfile.mkdtemp(dir=root))
    with tarfile.open(archive) as opened:
        opened.extractall(unpacked)
    for file in (unpacked / name).iterdir():
        file.chmod(0o444)  # A test that changes the shared files must fail.
    try:
        unpacked.rename(root / digest)
    except OSError:  # Another process was faster.
        shutil.rmtree(unpacked)
    return target
