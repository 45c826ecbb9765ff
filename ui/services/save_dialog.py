"""Save tables and pictures to a file that the user chooses."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import qgis.utils
from qgis.core import QgsProject, QgsSettings
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtWidgets import QFileDialog, QMessageBox, QWidget

from randcrowns.core.crowns import unique_name
from randcrowns.core.errors import RandCrownsError
from randcrowns.core.exchange.image_search import is_file
from randcrowns.layers.databases import write_failure
from randcrowns.layers.files.project_results import project_geopackage
from randcrowns.layers.localization import error_message, tr
from randcrowns.ui.services.message_bar import MessageBar
from randcrowns.ui.services.settings import preference, set_preference

#: Project file, "" for an unsaved project -> folder that was chosen last in a file dialog.
_FOLDERS: dict[str, str] = {}
#: Setting of QGIS with the folder of the project that was opened or saved last.
_PROJECT_FOLDER_SETTING = "UI/lastProjectDir"


def save_with_dialog(
    parent: QWidget,
    title: str,
    name: str,
    file_types: Mapping[str, str],
    write: Callable[[str], None],
    success_message: str = "",
) -> None:
    """Open a file dialog and write a file to the chosen path.

    The dialog opens in the folder that was chosen last for this project, else in the folder of the
    project. Without a saved project, it opens in the folder that was chosen last. Errors and
    success are shown in the message bar.

    Args:
        parent: Parent widget of the dialog.
        title: Title of the dialog.
        name: Suggested file name without ending.
        file_types: Ending of a file, such as ``.csv`` -> description of the file type; the
            default type comes first. Its ending is added to a name that has none of the endings.
        write: Writes the file of a path. It may raise OSError or RandCrownsError.
        success_message: Message after the file was written, with ``{file}`` for its path; "" for no
            message, for example because writing continues in the background.
    """
    path = _choose_path(parent, title, name, file_types)
    if not path:
        return
    messages = MessageBar(qgis.utils.iface)
    try:
        write(path)
    except RandCrownsError as error:
        messages.error(error_message(error))
    except OSError as error:
        reason = error.strerror or write_failure(error, Path(path)) or error
        messages.error(
            tr(
                "{path} cannot be written: {why}. Choose another folder or name.",
                path=path,
                why=reason,
            )
        )
    else:
        if success_message:
            messages.success(success_message.format(file=path))


def _suggested_folder() -> Path:
    """Return the folder in which a file dialog opens."""
    chosen_folder = _FOLDERS.get(QgsProject.instance().fileName())
    if chosen_folder and Path(chosen_folder).is_dir():
        return Path(chosen_folder)
    if project_geopackage():
        return Path(project_geopackage()).parent
    return preferred_folder()


def project_folder() -> Path | None:
    """Return the folder of the project file; for an unsaved project that of its imported files.

    Returns:
        The folder; None for an unsaved project without imported files.
    """
    if project_geopackage():
        return Path(project_geopackage()).parent
    folder = _FOLDERS.get(QgsProject.instance().fileName(), "")
    return Path(folder) if folder and Path(folder).is_dir() else None


def preferred_folder() -> Path:
    """Return the folder that was chosen last; the user's home if it does not exist any more."""
    folder = preference("folder", "")
    try:
        is_folder = bool(folder) and Path(folder).is_dir()
    except (OSError, ValueError):  # a text that no system allows as a path
        is_folder = False
    return Path(folder) if is_folder else Path.home()


def remember_folder(folder: str, replaces: bool = True) -> None:
    """Store the folder that the user has chosen in a dialog, for the project and for later ones.

    Args:
        folder: The folder.
        replaces: False to keep the folder of the project if it has one, for further input files.
    """
    set_preference("folder", folder)
    project = QgsProject.instance()
    known_folder = _FOLDERS.get(project.fileName(), "")
    if known_folder and not replaces:
        return
    if not project.fileName() and not known_folder:
        project.cleared.connect(_forget_unsaved_project)
    _FOLDERS[project.fileName()] = folder


def _forget_unsaved_project() -> None:
    """Forget the folder of an unsaved project, since the next one has files of its own."""
    QgsProject.instance().cleared.disconnect(_forget_unsaved_project)
    _FOLDERS.pop("", None)


def save_new_project(iface: Any) -> bool:
    """Open QGIS's dialog to save a project for the first time; nothing happens for a saved one.

    The dialog opens in the folder of the files that were imported into the project. Without such
    files, it opens in the folder of the last project, else in the folder that was chosen last. It
    suggests the title of the project as the name of the file. A project without a title has that
    of the folder of its imported files, or else of its first layer, while the dialog is open.

    Args:
        iface: The interface of the QGIS window.

    Returns:
        True if the project was saved now.
    """
    if project_geopackage():
        return False
    settings = QgsSettings()
    folder = project_folder()
    if folder is not None:
        settings.setValue(_PROJECT_FOLDER_SETTING, str(folder))
    elif not settings.value(_PROJECT_FOLDER_SETTING, ""):
        settings.setValue(_PROJECT_FOLDER_SETTING, str(preferred_folder()))
    project = QgsProject.instance()
    if project.title():
        iface.actionSaveProject().trigger()
        return bool(project_geopackage())

    def remove_title() -> None:
        """Remove the suggested title before the project is written under the chosen name."""
        project.setTitle("")

    project.fileNameChanged.connect(remove_title)
    project.setTitle(_suggested_project_name(folder))
    try:
        iface.actionSaveProject().trigger()
    finally:
        project.fileNameChanged.disconnect(remove_title)
        remove_title()
    return bool(project_geopackage())


def _suggested_project_name(folder: Path | None) -> str:
    """Return a name for the file of an unsaved project; "" for a project without layers.

    Args:
        folder: Folder of the files that were imported into the project; None for none.
    """
    names = [layer.name() for layer in QgsProject.instance().mapLayers().values()]
    if folder is not None and folder.name:
        names = [folder.name]
    # A name may contain slashes and other characters that no file name has.
    return re.sub(r"[^\w -]", "_", min(names, default=""))


def show_verdict_file(messages: MessageBar) -> None:
    """Show where verdicts are saved, after the first one has saved the project."""
    file = Path(project_geopackage())
    messages.success(
        tr("Verdict saved in {file}.", file=file.name),
        tr(
            "The file is next to the new project {project}.",
            project=QgsProject.instance().fileName(),
        ),
    )


def _choose_path(parent: QWidget, title: str, name: str, file_types: Mapping[str, str]) -> str:
    """Open a file dialog; store the chosen folder for the project and in the user's settings.

    Args:
        parent: Parent widget of the dialog.
        title: Title of the dialog.
        name: Suggested file name without ending; a number is appended if a file has this name.
        file_types: Ending of a file -> description of the file type; the default type comes first.

    Returns:
        The chosen path with an ending of ``file_types``; "" if the dialog was cancelled, or if a
        file with the added ending exists and must not be replaced.
    """
    endings = list(file_types)
    folder = _suggested_folder()

    def is_taken(candidate: str) -> bool:
        """Return True if a file of one of the types has this name."""
        return any(is_file(folder / f"{candidate}{ending}") for ending in endings)

    suggested_path = folder / f"{unique_name(name, is_taken, '{}_{}')}{endings[0]}"
    filters = {f"{description} (*{ending})": ending for ending, description in file_types.items()}
    path, chosen_filter = QFileDialog.getSaveFileName(
        parent, title, str(suggested_path), ";;".join(filters)
    )
    if not path:
        return ""
    remember_folder(str(Path(path).parent))
    if Path(path).suffix.lower() in endings:
        return path
    path += filters.get(chosen_filter, endings[0])
    # The dialog has asked only about a file without the ending.
    return path if not is_file(Path(path)) or _may_replace(parent, path) else ""


def _may_replace(parent: QWidget, path: str) -> bool:
    """Ask the user whether a file may be replaced; return the answer."""
    box = QMessageBox(parent)
    box.setIcon(QMessageBox.Icon.Question)
    box.setWindowTitle(tr("Save"))
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(tr("{file} exists already. Replace it?", file=Path(path).name))
    buttons = QMessageBox.StandardButton
    box.setStandardButtons(buttons.Yes | buttons.No)
    return bool(box.exec() == buttons.Yes)
