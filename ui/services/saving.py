"""Save tables and pictures to a file that the user chooses."""

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
    """Open a file dialog and write a file to the chosen path.

    The dialog opens in the folder that was chosen last, which is stored in the user's settings.
    Errors and success are shown in the message bar.

    Args:
        parent: Parent widget of the dialog.
        title: Title of the dialog.
        name: Suggested file name without ending.
        kinds: Ending of a file, such as ``.csv`` -> description of the file type; the default
            type comes first. Its ending is added to a name that has none of the endings.
        write: Writes the file of a path. It may raise OSError or RandCrownsError.
        told: Message after the file was written, with ``{file}`` for its path; "" for no message,
            for example because writing continues in the background.
    """
    endings = list(kinds)
    suggested_path = Path(preference("folder", str(Path.home()))) / f"{name}{endings[0]}"
    filters = {f"{description} (*{ending})": ending for ending, description in kinds.items()}
    path, chosen_filter = QFileDialog.getSaveFileName(
        parent, title, str(suggested_path), ";;".join(filters)
    )
    if not path:
        return
    set_preference("folder", str(Path(path).parent))
    if Path(path).suffix.lower() not in endings:
        path += filters.get(chosen_filter, endings[0])

    messages = Messages(qgis.utils.iface)
    try:
        write(path)
    except RandCrownsError as error:
        messages.error(reason(error))
        return
    except OSError as error:
        why = error.strerror or cause_of(error, Path(path)) or error
        messages.error(
            tr(
                "{path} cannot be written: {why}. Choose another folder or name.",
                path=path,
                why=why,
            )
        )
        return
    if told:
        messages.success(told.format(file=path))
