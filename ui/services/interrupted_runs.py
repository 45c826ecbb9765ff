"""Messages about runs that were killed while they wrote, with an offer to recover the files.

Every project that is opened is checked, so this module must not import numpy, pandas, scipy or
shapely, directly or indirectly.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from qgis.core import QgsProject

from randcrowns.layers.databases import layer_file
from randcrowns.layers.files.project_results import project_geopackage
from randcrowns.layers.files.recovery import InterruptedRun, find_interrupted_runs, recover
from randcrowns.layers.localization import tr
from randcrowns.ui.services.message_bar import MessageBar


def offer_recovery(messages: MessageBar) -> None:
    """Show a message about interrupted runs whose files are in the folders of the project.

    The folders of the project's results and of its layers are searched. The message has a button
    that restores the files as they were before the interrupted runs. Nothing is shown if there are
    none.

    Args:
        messages: The message bar that shows the message.
    """
    files = [layer_file(layer) for layer in QgsProject.instance().mapLayers().values()]
    results_file = project_geopackage()
    if results_file:
        files.append(Path(results_file))
    folders = [file.parent for file in files if file is not None and file.is_absolute()]
    interrupted_runs = find_interrupted_runs(folders)
    if not interrupted_runs:
        return

    file_names: list[str] = []
    for run in interrupted_runs:
        file_names += [file.name for file in run.destinations]
    distinct_names = dict.fromkeys(file_names)
    text = tr(
        "A run was interrupted while it wrote {files} and left incomplete files. "
        "You can restore the state before that run.",
        files=", ".join(distinct_names) or tr("files"),
    )
    messages.warn_with_button(text, tr("Restore"), lambda: _recover(messages, interrupted_runs))


def _recover(messages: MessageBar, interrupted_runs: Sequence[InterruptedRun]) -> None:
    """Restore the files of interrupted runs and show a message with the outcome."""
    unrestored_names: list[str] = []
    folders: list[str] = []
    for run in interrupted_runs:
        unrestored_of_run = recover(run)
        if unrestored_of_run:
            unrestored_names += unrestored_of_run
            folders.append(str(run.folder))

    if unrestored_names:
        messages.error(
            tr(
                "Cannot restore the previous version of {files}. It is saved in {folders}.",
                files=", ".join(unrestored_names),
                folders=", ".join(folders),
            )
        )
    else:
        messages.success(tr("The state before the interrupted run is restored."))
