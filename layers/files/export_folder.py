"""Folders of exports, and records of the files that earlier exports wrote into them."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from randcrowns.core.errors import InputError
from randcrowns.core.messages import Message, abbreviate, note
from randcrowns.layers.files.recovery import file_fingerprint

#: Name of the file that lists what exports wrote into its folder.
LIST_NAME = ".randcrowns-export"


class _ListedFile(NamedTuple):
    """Record of a file that an export wrote."""

    kind: str  #: kind of the export.
    content: str  #: fingerprint of the file, see ``file_fingerprint``.


class ExportFolder:
    """A folder with the files that exports have written into it.

    Args:
        folder: the folder, which may be missing.
        kind: kind of the next export. Files of other kinds of exports stay.

    Attributes:
        folder: the folder.
    """

    def __init__(self, folder: Path, kind: str) -> None:
        self.folder = folder
        self._kind = kind
        self._listed = _read_list(folder)

    def is_unchanged(self, name: str) -> bool:
        """Return True if an export wrote a file, and the file has not changed since.

        Args:
            name: path of the file, relative to the folder.
        """
        listed = self._listed.get(name)
        return listed is not None and file_fingerprint(self.folder / name) == listed.content

    def may_replace(self, file: Path) -> bool:
        """Return True if an export of this kind may replace or remove a file."""
        names = [name for name, listed in self._listed.items() if listed.kind == self._kind]
        return any((self.folder / name).resolve() == file.resolve() for name in names)

    def outdated_files(self, names: Collection[str], changed: bool = False) -> list[str]:
        """Return files of earlier exports of this kind that the next export does not write.

        Args:
            names: the files that the next export writes.
            changed: True for the files that were changed since, False for the unchanged ones.
        """
        outdated_names = []
        for name, listed in self._listed.items():
            if listed.kind != self._kind or name in names:
                continue
            if not (self.folder / name).is_file():
                continue
            is_changed = not self.is_unchanged(name)
            if is_changed == changed:
                outdated_names.append(name)
        return outdated_names

    def messages(self, names: Collection[str]) -> list[Message]:
        """Return messages about the existing files that an export removes or leaves.

        Args:
            names: the files that the export writes.

        Raises:
            InputError: if one of the files exists, but is not an unchanged file of an export.
        """
        existing = [name for name in names if (self.folder / name).exists()]
        foreign = [name for name in existing if not self.is_unchanged(name)]
        if foreign:
            raise InputError(
                "export.foreign_files",
                "{files} in folder {folder} are not as an export wrote them, so they stay; choose "
                "another folder.",
                one="{files} in folder {folder} is not as an export wrote it, so it stays; choose "
                "another folder.",
                count=len(foreign),
                files=abbreviate(foreign),
                folder=self.folder,
            )

        messages = []
        removed = self.outdated_files(names)
        if removed:
            template = "Files of the previous export were removed from the folder: {files}."
            messages.append(note("export.removed", template, files=abbreviate(removed)))
        retained = self.outdated_files(names, changed=True)
        if retained:
            template = (
                "Files of the previous export stay in the folder, since they were changed after "
                "it: {files}."
            )
            messages.append(note("export.kept", template, files=abbreviate(retained)))
        return messages

    def updated_list(self, temporary_files: Mapping[str, Path]) -> str:
        """Return the new content of :data:`LIST_NAME` (JSON) after an export.

        Args:
            temporary_files: temporary file with the content of each file that the export writes,
                by the path relative to the folder.
        """
        entries = {
            name: listed
            for name, listed in _read_list(self.folder).items()
            if listed.kind != self._kind
        }
        for name, path in temporary_files.items():
            entries[name] = _ListedFile(self._kind, file_fingerprint(path))
        return json.dumps(entries, indent=0)


def _read_list(folder: Path) -> dict[str, _ListedFile]:
    """Return the list of a folder, by the file's path relative to the folder.

    Returns:
        The records; empty if the list is missing or damaged. Paths outside the folder are ignored.
    """
    with suppress(OSError, ValueError, TypeError, AttributeError, RecursionError):
        entries = json.loads((folder / LIST_NAME).read_text(encoding="utf-8"))
        return {
            name: _ListedFile(kind, content)
            for name, (kind, content) in entries.items()
            if _is_inside(name)
        }
    return {}


def _is_inside(name: str) -> bool:
    """Return True if a relative path stays within its folder."""
    path = PurePosixPath(name)
    return not path.is_absolute() and ".." not in path.parts
