"""Recovery of interrupted runs: the temporary folders that killed runs left are found and removed.

It imports neither numpy nor shapely, because it runs for every project that QGIS opens.

A run writes its files in a temporary folder next to their destinations, see
:class:`randcrowns.layers.files.staging.StagedFiles`. The folder contains

- :data:`LOCK_FILE`, a database that the run keeps locked while it lives;
- :data:`DESTINATIONS_FILE`, the names of the destination files (JSON);
- :data:`NEW_FOLDER`, a folder with the new files;
- :data:`OLD_FOLDER`, a folder with the old files that were replaced;
- :data:`JOURNAL_FILE`, a journal of the moves, written before the first one (JSON).
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import time
from collections.abc import Iterable
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from randcrowns.core.errors import InputError
from randcrowns.layers.databases import is_sqlite
from randcrowns.layers.files.geopackage import content_fingerprint, recover_database

#: Beginning of the names of the temporary folders.
FOLDER_PREFIX = ".randcrowns_"
LOCK_FILE = "busy.db"
DESTINATIONS_FILE = "places.json"
NEW_FOLDER = "new"
OLD_FOLDER = "before"
JOURNAL_FILE = "moves.json"
#: Age in seconds above which a folder without :data:`LOCK_FILE` belongs to a killed run.
_MIN_AGE = 60


@dataclass(frozen=True)
class InterruptedRun:
    """Temporary folder of a run that was killed."""

    folder: Path  #: the temporary folder.
    destinations: tuple[Path, ...]  #: destinations of the run's files in the folder around it.


def find_interrupted_runs(folders: Iterable[Path]) -> list[InterruptedRun]:
    """Return what killed runs left in folders; runs in progress are not included.

    Args:
        folders: folders to search, without their subfolders. A folder that cannot be read is
            skipped.
    """
    distinct_folders = {Path(os.path.abspath(path)) for path in folders}
    interrupted_runs = []
    for folder in sorted(distinct_folders):
        with suppress(OSError, ValueError):
            for path in sorted(folder.glob(f"{FOLDER_PREFIX}*")):
                is_folder = path.is_dir() and not path.is_symlink()
                if not is_folder or _is_busy(path):
                    continue
                destinations = [folder / name for name in _list_destination_names(path)]
                interrupted_runs.append(InterruptedRun(path, tuple(destinations)))
    return interrupted_runs


def recover(leftover: InterruptedRun) -> list[str]:
    """Roll back an interrupted run and remove its temporary folder.

    Returns:
        Names of the files that could not be restored. Their old versions stay in the temporary
        folder.
    """
    not_restored = undo_moves(leftover.folder)
    for destination in leftover.destinations:
        # SQLite recovers a database that cannot be read now when it is opened next.
        with suppress(InputError, sqlite3.Error, OSError):
            recover_database(destination)
    delete_folder(leftover.folder)
    return not_restored


def _is_busy(folder: Path) -> bool:
    """Return True if the run of a temporary folder is in progress, in this or another program."""
    busy = folder / LOCK_FILE
    if not busy.exists():
        # The run creates the folder just now, or was killed while it did.
        return time.time() - folder.stat().st_mtime < _MIN_AGE
    try:
        with closing(sqlite3.connect(busy, timeout=0, isolation_level=None)) as database:
            database.execute("BEGIN EXCLUSIVE")
            return False
    except sqlite3.Error:
        return True


def _list_destination_names(folder: Path) -> list[str]:
    """Return the names of a run's destination files; empty if its list cannot be read."""
    try:
        names = json.loads((folder / DESTINATIONS_FILE).read_text(encoding="utf-8"))
        return [name for name in names if _is_file_name(name)]
    except (OSError, ValueError, TypeError, RecursionError):
        return []


def undo_moves(folder: Path) -> list[str]:
    """Move the old files of an incomplete run back to their places, and delete its new files.

    A file that another program has written since stays as it is.

    Args:
        folder: the temporary folder. Its journal is deleted if all files are restored.

    Returns:
        Names of the files that could not be restored.
    """
    not_restored: list[str] = []
    new_states: dict[str, str] = {}  # state of each new file, by name
    old_names: list[str] = []  # names of the files that existed before
    try:
        moves = json.loads((folder / JOURNAL_FILE).read_text(encoding="utf-8"))
        new_states = dict(moves["new"])
        old_names = list(moves["old"])
    except FileNotFoundError:
        return []  # nothing was moved
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        not_restored = sorted(file.name for file in folder.glob(f"{OLD_FOLDER}/*"))

    # dict.fromkeys drops repeated names and keeps the order.
    all_names = dict.fromkeys([*new_states, *old_names])
    for name in all_names:
        if not _is_file_name(name):
            continue
        destination = folder.parent / name
        is_of_run = destination.exists() and modification_state(destination) == new_states.get(name)
        try:
            is_restored = _undo_move(folder, name, is_of_run, has_old_file=name in old_names)
        except OSError:
            is_restored = False
        if not is_restored:
            not_restored.append(name)
    if not not_restored:
        (folder / JOURNAL_FILE).unlink()
    return not_restored


def _undo_move(folder: Path, name: str, is_of_run: bool, has_old_file: bool) -> bool:
    """Move the old file of a name back to its place, or delete the new file if there was none.

    Args:
        folder: the temporary folder of the run.
        name: name of the file.
        is_of_run: True if the file in the place of the old one is the one that the run wrote.
        has_old_file: True if a file of this name existed before the run.

    Returns:
        False if the old file is not restored, because another program has written the file since.

    Raises:
        OSError: if a file cannot be moved or deleted.
    """
    destination = folder.parent / name
    old_file = folder / OLD_FOLDER / name
    if old_file.exists():
        may_replace = is_of_run or not destination.exists() or destination.samefile(old_file)
        if not may_replace:
            return False
        os.replace(old_file, destination)
    elif is_of_run and not has_old_file:
        destination.unlink()
    return True


def _is_file_name(value: object) -> bool:
    """Return True if a value names a file within a folder, and nothing outside."""
    return (
        isinstance(value, str) and value not in ("", ".", "..") and not set(value) & set("/\\:\0")
    )


def delete_folder(folder: Path) -> None:
    """Delete a temporary folder, unless it holds old files that could not be restored."""
    if not (folder / JOURNAL_FILE).exists():
        shutil.rmtree(folder, ignore_errors=True)


def file_fingerprint(path: Path) -> str:
    """Return a fingerprint of a file, which changes with its content; empty without a file.

    Opening a database may change the file but does not change the fingerprint.

    Raises:
        InputError: if the file is a database that cannot be read now.
    """
    if not path.exists():
        return ""
    return content_fingerprint(path) if is_sqlite(path) else modification_state(path)


def modification_state(path: Path) -> str:
    """Return the modification time (ns) and size (bytes) of a file, to find out if it changed."""
    facts = path.stat()
    return f"{facts.st_mtime_ns} {facts.st_size}"
