"""Saving tables and plots as files: one way to ask where, and to tell when it cannot be done."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Callable

import qgis.utils
from qgis.PyQt.QtWidgets import QFileDialog, QWidget

from randcrowns.layers.words import tr
from randcrowns.ui.memory import preference, set_preference
from randcrowns.ui.messages import Messages

__all__ = ["ask_and_save", "save_to"]


def ask_and_save(
    parent: QWidget, title: str, name: str, kinds: Mapping[str, str], write: Callable[[str], None], told: str = ""
) -> None:
    """Ask where, then save; the folder is offered again the next time.

    Args:
        parent: of the dialog.
        title: of the dialog.
        name: of the file, without its ending.
        kinds: ending (``.csv``) -> what such a file is, the usual one first.
        write: writes the file of that path; an OSError is told in the message bar.
        told: said once it is written, with the path in place of ``{file}``; empty where writing goes on by itself.
    """
    endings = list(kinds)
    start = Path(preference("folder", str(Path.home()))) / f"{name}{endings[0]}"
    filters = {f"{words} (*{ending})": ending for ending, words in kinds.items()}
    path, chosen = QFileDialog.getSaveFileName(parent, title, str(start), ";;".join(filters))
    if path:
        set_preference("folder", str(Path(path).parent))
        ending = filters.get(chosen, endings[0])
        save_to(path if Path(path).suffix.lower() in endings else path + ending, write, told)


def save_to(path: str, write: Callable[[str], None], told: str = "") -> None:
    """Write the file and tell so; where that fails the message bar says why and what to do."""
    messages = Messages(qgis.utils.iface)
    try:
        write(path)
    except OSError as error:
        messages.error(
            tr("{path} cannot be written: {why}. Choose another folder or name.").format(
                path=path, why=error.strerror or error
            )
        )
        return
    if told:
        messages.success(told.format(file=path))
