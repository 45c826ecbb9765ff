"""What runs that were killed left: found, and put right. Without numpy and shapely, as QGIS looks at every project."""

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
from randcrowns.layers.files.geopackage import contents_told, heal

#: Beginning of the names of the folders in which files are made.
PREFIX = ".randcrowns_"
# What is in such a folder: the database that a run keeps locked while it lives, the names of the files that it is for,
# the new files, those that were there before, and what is being moved where.
BUSY, PLACES, NEW, BEFORE, MOVES = "busy.db", "places.json", "new", "before", "moves.json"
#: Seconds after which a folder without such a database was left.
_YOUNG = 60


@dataclass(frozen=True)
class Leftover:
    """What a run that was killed left: the folder in which it made its files, and the places that these were for."""

    folder: Path
    places: tuple[Path, ...]


def leftovers(folders: Iterable[Path]) -> list[Leftover]:
    """What runs that were killed left in these folders; those under way are no such."""
    found = []
    for folder in sorted({Path(os.path.abspath(one)) for one in folders}):
        with suppress(OSError, ValueError):
            found += [
                Leftover(one, tuple(folder / name for name in _names(one)))
                for one in sorted(folder.glob(f"{PREFIX}*"))
                if one.is_dir() and not one.is_symlink() and not _is_busy(one)
            ]
    return found


def put_right(left: Leftover) -> list[str]:
    """Make everything as before the run that was killed; the names of files that could not be, which are kept."""
    kept = undo_moves(left.folder)
    for place in left.places:
        with suppress(
            InputError, sqlite3.Error, OSError
        ):  # what cannot be read now is healed by who opens it next
            heal(place)
    clear(left.folder)
    return kept


def _is_busy(folder: Path) -> bool:
    """Whether the run is under way, here or in another program."""
    busy = folder / BUSY
    if not busy.exists():  # it is being made, or was killed at that very moment
        return time.time() - folder.stat().st_mtime < _YOUNG
    try:
        with closing(sqlite3.connect(busy, timeout=0, isolation_level=None)) as database:
            database.execute("BEGIN EXCLUSIVE")
            return False
    except sqlite3.Error:
        return True


def _names(folder: Path) -> list[str]:
    """The names of the files that it was for."""
    try:
        return list(filter(_is_name, json.loads((folder / PLACES).read_text(encoding="utf-8"))))
    except (OSError, ValueError, TypeError, RecursionError):
        return []


def undo_moves(folder: Path) -> list[str]:
    """Put the files of a run that did not end back as they were; the names of those that could not be."""
    kept = []
    try:
        moves = json.loads((folder / MOVES).read_text(encoding="utf-8"))
        new, old = dict(moves["new"]), list(moves["old"])
    except FileNotFoundError:
        return []  # nothing was moved
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        new, old = {}, []
        kept = sorted(file.name for file in folder.glob(f"{BEFORE}/*"))
    for name in filter(_is_name, [*new, *(name for name in old if name not in new)]):
        place, before = folder.parent / name, folder / BEFORE / name
        ours = place.exists() and state_of(place) == new.get(name)
        try:
            if before.exists() and (ours or not place.exists() or place.samefile(before)):
                os.replace(before, place)
            elif before.exists():
                kept.append(name)  # somebody wrote another one since
            elif ours and name not in old:
                place.unlink()
        except OSError:
            kept.append(name)
    if not kept:
        (folder / MOVES).unlink()
    return kept


def _is_name(text: object) -> bool:
    """Whether this names a file in a folder, and nothing outside."""
    return isinstance(text, str) and text not in ("", ".", "..") and not set(text) & set("/\\:\0")


def clear(folder: Path) -> None:
    """Remove a folder in which files were made, unless it holds what could not be put back."""
    if not (folder / MOVES).exists():
        shutil.rmtree(folder, ignore_errors=True)


def content_of(path: Path) -> str:
    """What tells a file whose content was changed from what it was; empty where there is none.

    Raises:
        InputError: where a database cannot be read now.
    """
    if not path.exists():
        return ""
    return contents_told(path) if is_sqlite(path) else state_of(path)


def state_of(path: Path) -> str:
    """What tells a file that was written again from what it was."""
    facts = path.stat()
    return f"{facts.st_mtime_ns} {facts.st_size}"
