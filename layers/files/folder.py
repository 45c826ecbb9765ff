"""Folders that exports write into: which of the files in them an earlier export wrote."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from contextlib import suppress
from pathlib import Path, PurePosixPath

from randcrowns.core.errors import InputError
from randcrowns.core.remarks import Remark, note, some
from randcrowns.layers.files.leftovers import state_of

#: The file that lists what exports wrote into its folder.
LIST = ".randcrowns-export"


class ExportFolder:
    """A folder, and what exports of ours wrote into it.

    Args:
        kind: of the export that is going to write into it; what exports of other kinds wrote stays.
    """

    def __init__(self, folder: Path, kind: str) -> None:
        self.folder, self._kind = folder, kind
        #: Name -> kind and state.
        self._listed: dict[str, tuple[str, str]] = {}
        with suppress(OSError, ValueError, TypeError, AttributeError, RecursionError):
            found = json.loads((folder / LIST).read_text(encoding="utf-8"))
            self._listed = {name: (kind, state) for name, (kind, state) in found.items() if _is_inside(name)}

    def stale(self, names: Collection[str], changed: bool = False) -> list[str]:
        """Files of the export of the kind before that are not among these, as it wrote them; or those ``changed``."""
        left = [name for name, (kind, _) in self._listed.items() if kind == self._kind and name not in names]
        there = [name for name in left if (self.folder / name).is_file()]
        return [name for name in there if (state_of(self.folder / name) != self._listed[name][1]) == changed]

    def remarks(self, names: Collection[str]) -> list[Remark]:
        """What becomes of files that are there when these are written.

        Raises:
            InputError: where one of these is there and was written by no export.
        """
        foreign = [name for name in names if name not in self._listed and (self.folder / name).exists()]
        if foreign:
            many = "{files} in folder {folder} were not written by an export and are not replaced; choose another one."
            one = "{files} in folder {folder} was not written by an export and is not replaced; choose another one."
            raise InputError(many, one=one, count=len(foreign), files=some(foreign), folder=self.folder)
        gone, kept = self.stale(names), self.stale(names, changed=True)
        said = "Files of the export before were removed from the folder: {files}."
        told = [note("export.removed", said, files=some(gone))] if gone else []
        said = "Files of the export before stay in the folder, since they were changed meanwhile: {files}."
        return [*told, *([note("export.kept", said, files=some(kept))] if kept else [])]

    def list_of(self, made: Mapping[str, Path]) -> str:
        """The list once this export wrote these files, which are made elsewhere."""
        others = {name: one for name, one in self._listed.items() if one[0] != self._kind}
        return json.dumps({**others, **{name: (self._kind, state_of(path)) for name, path in made.items()}}, indent=0)


def _is_inside(name: str) -> bool:
    path = PurePosixPath(name)
    return not path.is_absolute() and ".." not in path.parts
