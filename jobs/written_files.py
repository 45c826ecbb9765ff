"""Files that a job writes: complete or not at all, and never over one of its inputs."""

from __future__ import annotations

import errno
import os
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from randcrowns.core.errors import InputError

#: Endings of the names of files that a job writes.
WRITTEN_SUFFIXES = (".gpkg", ".json", ".csv")
#: Endings of files of other kinds, which a user does not give to a folder.
_OTHER_SUFFIXES = (
    *(".fgb", ".geojson", ".geoparquet", ".gml", ".htm", ".html", ".kml", ".kmz", ".ods"),
    *(".parquet", ".pdf", ".shp", ".sqlite", ".tif", ".tiff", ".tsv", ".txt", ".xls", ".xlsx"),
    *(".xml", ".zip"),
)


def names_other_file(path: str) -> bool:
    """Return True if a name has the ending of a file that is not written, and is no folder.

    >>> names_other_file("scores.xlsx"), names_other_file("scores_1.5"), names_other_file("a.gpkg")
    (True, False, False)
    """
    return Path(path).suffix.lower() in _OTHER_SUFFIXES and not Path(path).is_dir()


def unknown_ending_error(file: str) -> InputError:
    """Return the error that a job does not write files with the ending of a name."""
    return InputError(
        "jobs.unknown_ending",
        "{file} cannot be written: the name must end in {endings}.",
        file=file,
        endings=list(WRITTEN_SUFFIXES),
    )


def path_of(value: Any) -> Path:
    """Return a value as a path; ``~`` at its beginning stands for the user's folder.

    Raises:
        InputError: if the value is no path, is empty, or contains a character that no path has.

    >>> path_of(5)
    Traceback (most recent call last):
    randcrowns.core.errors.InputError: A path must be text, but it is of type int.
    """
    if not isinstance(value, (str, os.PathLike)):
        raise InputError(
            "path.no_text",
            "A path must be text, but it is of type {type}.",
            type=type(value).__name__,
        )
    text = os.fspath(value)
    if not isinstance(text, str) or not text.strip() or "\0" in text:
        raise InputError("path.no_path", "{path} is no path of a file.", path=repr(text))
    return Path(os.path.expanduser(text))  # noqa: PTH111 - Path raises errors for unknown users


@contextmanager
def replace_file(target: Path) -> Iterator[Path]:
    """Provide the path of a temporary file that replaces a file when the body ends without error.

    A body that fails or is interrupted leaves the earlier file as it was, and no other file. The
    file that a link names is replaced, not the link. A device or a pipe is written directly.

    Args:
        target: the file, which need not exist.

    Yields:
        An unused path in the same folder with the same suffix.

    Raises:
        InputError: if the file cannot be written.
    """
    with _report_errors(target):
        if target.exists() and not target.is_file() and not target.is_dir():
            yield target
            return
        file = Path(os.path.realpath(target))
        if file.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(target))
        partial = file.with_name(f"randcrowns-{uuid.uuid4().hex}.partial{target.suffix}")
        try:
            yield partial
            partial.replace(file)
        finally:
            _remove(partial)


@contextmanager
def _report_errors(target: Path) -> Iterator[None]:
    """Raise an InputError for an error of the body, which writes a file."""
    try:
        yield
    except (OSError, RuntimeError, UnicodeError) as error:
        raise InputError(
            "file.not_written", "{target} cannot be written: {why}", target=str(target), why=error
        ) from error


def write_text(path: Path, text: str) -> None:
    """Write a text file; raise InputError if it cannot be written."""
    with replace_file(path) as partial:
        partial.write_text(text, encoding="utf-8")


def check_outputs(outputs: Sequence[str | Path], inputs: Sequence[str | Path]) -> None:
    """Raise an InputError if an output is a file that is read, or is named twice.

    Args:
        outputs: files to be written.
        inputs: files that are read.
    """
    input_identities = {_identity(Path(path)) for path in inputs}
    for output in outputs:
        identity = _identity(path_of(output))
        if identity in input_identities:
            raise InputError(
                "file.is_in_use",
                "{file} would be replaced, but this run reads it or writes it for something "
                "else. Choose another name.",
                file=str(output),
            )
        input_identities.add(identity)


def check_folders(outputs: Sequence[str | Path]) -> None:
    """Raise an InputError if the folder of a file to be written does not exist.

    Args:
        outputs: files to be written.
    """
    for output in outputs:
        folder = path_of(output).parent
        if not folder.is_dir():
            raise InputError(
                "file.not_written",
                "{target} cannot be written: {why}",
                target=str(output),
                why=f"there is no folder {folder}.",
            )


def _identity(path: Path) -> str:
    """Return what identifies a file, whatever the spelling of its path."""
    return os.path.normcase(os.path.realpath(path))


def _remove(partial: Path) -> None:
    """Delete a temporary file, if it exists, and the auxiliary files that SQLite adds to it."""
    for suffix in ("", "-journal", "-wal", "-shm"):
        partial.with_name(partial.name + suffix).unlink(missing_ok=True)
