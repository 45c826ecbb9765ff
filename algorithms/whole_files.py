"""Rasters and pictures beside the tables of a run: all of them take their place, or none does."""

from __future__ import annotations

import errno
import os
import tempfile
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType

from randcrowns.core.errors import InputError
from randcrowns.layers.words import tr

__all__ = ["WholeFiles"]


class WholeFiles:
    """Use as ``with WholeFiles() as files:``; files are made in folders beside their places until :meth:`move`."""

    def __init__(self) -> None:
        self._folders = ExitStack()
        self._waiting: list[tuple[Path, Path]] = []
        self._beside: list[Path] = []

    def __enter__(self) -> WholeFiles:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._folders.close()

    def beside(self, path: Path, described: str, side_files: tuple[str, ...] = ()) -> Path:
        """Where to make a file that is going to be at ``path``, or where a link there leads.

        Args:
            path: the file.
            described: what the user calls the output.
            side_files: endings of what belongs to a file that is replaced, and would be wrong beside the new one.

        Raises:
            InputError: where nothing can be written.
        """
        try:
            place = path.resolve()
            if place.is_symlink():
                raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
            folder = tempfile.TemporaryDirectory(prefix="randcrowns_", dir=place.parent)
        except (OSError, RuntimeError) as error:  # a link that leads to itself is the latter before Python 3.13
            raise InputError(
                tr("The output '{name}' cannot be written to {where}; choose another place.").format(
                    name=described, where=path
                )
            ) from error
        made = Path(self._folders.enter_context(folder)) / place.name
        self._waiting.append((made, place))
        self._beside += [place.with_name(place.name + ending) for ending in side_files]
        return made

    def move(self) -> None:
        """Put every file in its place; where one cannot be, all others are as before.

        Raises:
            InputError: when a file cannot be replaced.
        """
        moved: list[tuple[Path, Path]] = []
        try:
            for made, place in self._waiting:
                moved.append((made, place))
                _replace(made, place)
        except BaseException:
            for made, place in reversed(moved):
                _take_back(made, place)
            raise
        for left in self._beside:
            left.unlink(missing_ok=True)


def _before(made: Path) -> Path:
    return made.with_name(f"before_{made.name}")


def _replace(made: Path, place: Path) -> None:
    """Put a file in its place, and what was there aside."""
    try:
        if place.is_file():
            os.replace(place, _before(made))
        os.replace(made, place)
    except OSError as error:
        raise InputError(
            tr("The file {path} cannot be replaced; is it open in another program?").format(path=place)
        ) from error


def _take_back(made: Path, place: Path) -> None:
    if _before(made).exists():
        os.replace(_before(made), place)
    elif not made.exists():
        place.unlink()
