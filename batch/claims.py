"""Claims of outputs: of two runs that write to one path, the second is refused.

A claim is a small file that names its run. It is created exclusively before a run reads anything,
and deleted at the end. The run also holds a lock on the file, which the operating system releases
however the run ends. The claim of a killed run is therefore taken over by the next run.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import platform
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, NamedTuple

from randcrowns.core.errors import InputError

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

#: Name of the claim of a results directory, which is in the directory.
CLAIM_FILE = ".randcrowns-run"
# Errors of a lock that another process holds. Any other error means that there are no locks.
_HELD = (errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES, errno.EDEADLK)
# Position of the locked byte on Windows, beyond the text: other processes can read the text.
_LOCKED_BYTE = 1 << 20
# Number of times that a claim is sought while other runs create and delete theirs.
_ATTEMPTS = 100
_MAXIMUM_TEXT = 10_000


def claim_of_folder(folder: Path) -> Path:
    """Return the path of the claim of a results directory."""
    return folder / CLAIM_FILE


def claim_beside(target: Path) -> Path:
    """Return the path of the claim of a file or folder that is first written under another name.

    The name has a fixed length, so that the longest possible name of a target has a claim.
    """
    digest = hashlib.sha256(os.fsencode(target.name)).hexdigest()[:16]
    return target.with_name(f"{CLAIM_FILE}-{digest}")


def temporary_sibling(target: Path) -> Path:
    """Return an unused path in the folder of a target, with the same suffix.

    No other program has a file with its random name, and its length does not depend on the target.
    """
    return target.with_name(f"randcrowns-{uuid.uuid4().hex}.partial{target.suffix}")


def publish_new(partial: Path, target: Path) -> None:
    """Give a complete file its name, which no other file may have.

    Raises:
        FileExistsError: if another program has created the target in the meantime.
        OSError: if the file cannot be renamed.
    """
    try:
        # A link is never made to a name that exists, whereas a rename would replace the file.
        os.link(partial, target)
    except FileExistsError:
        raise
    except OSError as error:
        # The file system has no links.
        if target.exists():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(target)) from error
        partial.replace(target)
    else:
        partial.unlink()


@contextmanager
def hold_claim(claim: Path, target: Path) -> Iterator[bool]:
    """Claim an output while the body runs.

    Args:
        claim: path of the claim; its folder is created if it is missing.
        target: the output, for messages.

    Yields:
        True if the claim is new; False if it is taken over from a run that was killed.

    Raises:
        InputError: if another run holds the claim, if the file system has no locks and the claim
            of another run exists, or if the claim cannot be written.
    """
    descriptor, is_new = _acquire(claim, target)
    try:
        yield is_new
    finally:
        _release(claim, descriptor)


class _OpenClaim(NamedTuple):
    """Claim that this run holds.

    Attributes:
        descriptor: descriptor of its open file.
        is_new: False if it is taken over from a run that was killed.
    """

    descriptor: int
    is_new: bool


def _acquire(claim: Path, target: Path) -> _OpenClaim:
    """Create or take over a claim.

    Raises:
        InputError: see :func:`hold_claim`.
    """
    try:
        for _ in range(_ATTEMPTS):
            open_claim = _try_to_acquire(claim, target)
            if open_claim is not None:
                return open_claim
    except OSError as error:
        raise InputError(
            "file.not_written",
            "{target} cannot be written: {why}",
            target=target,
            why=error.strerror or error,
        ) from error
    raise _in_use_error(claim, target)


def _try_to_acquire(claim: Path, target: Path) -> _OpenClaim | None:
    """Create or take over a claim; return None if another run deleted it in the meantime.

    Raises:
        InputError: see :func:`hold_claim`.
        OSError: if the claim cannot be created.
    """
    is_new = True
    try:
        claim.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(claim, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o644)
    except FileExistsError:
        if not claim.parent.is_dir():
            raise
        is_new = False
        try:
            descriptor = os.open(claim, os.O_RDWR)
        except FileNotFoundError:
            return None
    except FileNotFoundError:
        return None  # Another run has deleted its new folder.

    try:
        has_lock = _lock(descriptor)
        if has_lock is None and not is_new:
            raise _left_claim_error(claim, target)
        if has_lock is False:
            raise _in_use_error(claim, target)
        if not _is_same_file(descriptor, claim):
            os.close(descriptor)
            return None
        _write_owner(descriptor)
    except BaseException:
        with suppress(OSError):
            os.close(descriptor)
        raise
    return _OpenClaim(descriptor, is_new)


def _lock(descriptor: int) -> bool | None:
    """Lock an open file until it is closed, without waiting.

    Returns:
        True with the lock; False if another process holds it; None if the file system has no locks.
    """
    try:
        if sys.platform == "win32":
            os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return False if error.errno in _HELD else None
    return True


def _is_same_file(descriptor: int, path: Path) -> bool:
    """Return True if an open file is the one that a path names."""
    try:
        named = path.stat()
    except FileNotFoundError:
        return False
    return os.path.samestat(os.fstat(descriptor), named)


def _write_owner(descriptor: int) -> None:
    """Write host, process and time of this run to a claim."""
    owner = {
        "host": platform.node(),
        "process": os.getpid(),
        "since": datetime.now(timezone.utc).isoformat(timespec="seconds"),
    }
    os.lseek(descriptor, 0, os.SEEK_SET)
    os.ftruncate(descriptor, 0)
    os.write(descriptor, json.dumps(owner).encode("utf-8"))


def _read_owner(claim: Path) -> dict[str, Any]:
    """Return host, process and time of the run of a claim; "?" for what cannot be read."""
    stored: Any = None
    with suppress(OSError, ValueError, RecursionError), claim.open("rb") as file:
        stored = json.loads(file.read(_MAXIMUM_TEXT))
    owner = stored if isinstance(stored, dict) else {}
    return {name: owner.get(name, "?") for name in ("host", "process", "since")}


def _release(claim: Path, descriptor: int) -> None:
    """Delete a claim, and close its file, which releases the lock.

    A claim that cannot be deleted does no harm: the next run takes it over.

    Args:
        claim: path of the claim.
        descriptor: descriptor of its open file.
    """
    if sys.platform == "win32":
        # Windows deletes closed files only.
        with suppress(OSError):
            os.close(descriptor)
        with suppress(OSError):
            claim.unlink()
    else:
        # The claim is deleted while it is locked, so that it is not that of a later run.
        with suppress(OSError):
            if _is_same_file(descriptor, claim):
                claim.unlink()
        with suppress(OSError):
            os.close(descriptor)


def _in_use_error(claim: Path, target: Path) -> InputError:
    """Return the error that another run writes to an output."""
    return InputError(
        "batch.output_in_use",
        "{target} is being written by another run: process {process} on {host}, since {since}. "
        "Wait for its end, or name another output.",
        target=target,
        **_read_owner(claim),
    )


def _left_claim_error(claim: Path, target: Path) -> InputError:
    """Return the error that a claim exists on a file system without locks."""
    return InputError(
        "batch.claim_without_lock",
        "{target} is claimed by a run: process {process} on {host}, since {since}. The file "
        "system has no locks, so that nothing tells whether this run has ended. If it has, delete "
        "{claim} and repeat the command.",
        target=target,
        claim=claim,
        **_read_owner(claim),
    )
