"""Full disks."""

from __future__ import annotations

import resource
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["filled", "mounted", "room"]

_BLOCK = 4096


@contextmanager
def room(most: int) -> Iterator[None]:
    """Let no file grow beyond ``most`` bytes; writing fails as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@contextmanager
def mounted(folder: Path, size: int) -> Iterator[bool]:
    """Mount a disk of ``size`` bytes at a folder; False if this user may not mount one."""
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
    done = subprocess.run(command, check=False, capture_output=True).returncode == 0
    try:
        yield done
    finally:
        if done:
            subprocess.run(["umount", "--lazy", str(folder)], check=True)


@contextmanager
def filled(folder: Path, free: int) -> Iterator[None]:
    """Fill the disk of a folder until ``free`` bytes are left."""
    ballast = folder / "ballast"
    with ballast.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(_BLOCK))
        except OSError:
            file.truncate(max(file.tell() // _BLOCK * _BLOCK - free, 0))
    try:
        yield
    finally:
        ballast.unlink()
