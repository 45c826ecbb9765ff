"""Where to save a table or a picture is asked, and what became of it is told."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import qgis.utils
from qgis.PyQt.QtWidgets import QFileDialog, QWidget

from randcrowns.core.errors import RandCrownsError
from randcrowns.layers.databases import cause_of
from randcrowns.layers.words import reason, tr
from randcrowns.ui.services.messages import Messages
from randcrowns.ui.services.settings import preference, set_preference


def ask_and_save(
    parent: QWidget,
    title: str,
    name: str,
    kinds: Mapping[str, str],
    write: Callable[[str], None],
    told: str = "",
) -> None:
    """Ask where, then save; the folder is offered again the next time.

    Args:
        name: of the file, without its ending.
        kinds: ending (``.csv``) -> what such a file is, the usual one first.
        write: writes the file of that path; an OSError, or one of ours, is told in the message bar.
        told: said once it is written, with the path in place of ``{file}``; empty where writing goes on by itself.
    """
    endings = list(kinds)
    start = Path(preference("folder", str(Path.home()))) / f"{name}{endings[0]}"
    filters = {f"{words} (*{ending})": ending for ending, words in kinds.items()}
    path, chosen = QFileDialog.getSaveFileName(parent, title, str(start), ";;".join(filters))
    if not path:
        return
    set_preference("folder", str(Path(path).parent))
    if Path(path).suffix.lower() not in endings:
        path += filters.get(chosen, endings[0])
    messages = Messages(qgis.utils.iface)
    try:
        write(path)
    except RandCrownsError as error:
        messages.error(reason(error))
        return
    except OSError as error:
        said = "{path} cannot be written: {why}. Choose another folder or name."
        why = error.strerror or cause_of(error, Path(path)) or error
        messages.error(tr(said, path=path, why=why))
        return
    if told:
        messages.success(told.format(file=path))
