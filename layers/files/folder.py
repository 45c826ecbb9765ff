"""Folders that exports write into: which of the files in them an earlier export wrote."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from contextlib import suppress
from pathlib import Path, PurePosixPath

from randcrowns.core.errors import InputError
from randcrowns.core.remarks import Remark, note, some
from randcrowns.layers.files.leftovers import content_of

#: The file that lists what exports wrote into its folder.
LIST = ".randcrowns-export"


class ExportFolder:
    """A folder, and what exports of ours wrote into it.

    Args:
        kind: of the export that is going to write into it; what exports of other kinds wrote stays.
    """

    def __init__(self, folder: Path, kind: str) -> None:
        self.folder, self._kind = folder, kind
        #: Name -> kind and content.
        self._listed = _listed_in(folder)

    def wrote(self, name: str) -> bool:
        """Whether a file is as an export wrote it."""
        return name in self._listed and content_of(self.folder / name) == self._listed[name][1]

    def replaces(self, file: Path) -> bool:
        """Whether an export of the kind may replace or remove a file."""
        ours = (name for name, (kind, _) in self._listed.items() if kind == self._kind)
        return any((self.folder / name).resolve() == file.resolve() for name in ours)

    def stale(self, names: Collection[str], changed: bool = False) -> list[str]:
        """Files of the export of the kind before that are not among these, as it wrote them; or those ``changed``."""
        left = [
            name
            for name, (kind, _) in self._listed.items()
            if kind == self._kind and name not in names
        ]
        return [
            name for name in left if (self.folder / name).is_file() and self.wrote(name) != changed
        ]

    def remarks(self, names: Collection[str]) -> list[Remark]:
        """What becomes of files that are there when these are written.

        Raises:
            InputError: where one of these is there, and is not as an export wrote it.
        """
        foreign = [name for name in names if (self.folder / name).exists() and not self.wrote(name)]
        if foreign:
            many = "{files} in folder {folder} are not as an export wrote them, so they stay; choose another folder."
            one = "{files} in folder {folder} is not as an export wrote it, so it stays; choose another folder."
            raise InputError(
                many, one=one, count=len(foreign), files=some(foreign), folder=self.folder
            )
        gone, kept = self.stale(names), self.stale(names, changed=True)
        said = "Files of the export before were removed from the folder: {files}."
        told = [note("export.removed", said, files=some(gone))] if gone else []
        said = "Files of the export before stay in the folder, since they were changed meanwhile: {files}."
        return [*told, *([note("export.kept", said, files=some(kept))] if kept else [])]

    def list_of(self, made: Mapping[str, Path]) -> str:
        """The list once this export wrote these files, which are made elsewhere."""
        others = {
            name: one for name, one in _listed_in(self.folder).items() if one[0] != self._kind
        }
        return json.dumps(
            {**others, **{name: (self._kind, content_of(path)) for name, path in made.items()}},
            indent=0,
        )


def _listed_in(folder: Path) -> dict[str, tuple[str, str]]:
    with suppress(OSError, ValueError, TypeError, AttributeError, RecursionError):
        found = json.loads((folder / LIST).read_text(encoding="utf-8"))
        return {
            name: (kind, content) for name, (kind, content) in found.items() if _is_inside(name)
        }
    return {}


def _is_inside(name: str) -> bool:
    path = PurePosixPath(name)
    return not path.is_absolute() and ".." not in path.parts
